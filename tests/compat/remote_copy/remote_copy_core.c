#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "../common.h"
#include "remote_copy.h"

DOCA_LOG_REGISTER(REMOTE_COPY::CORE);

doca_error_t read_file(const char *path, void **data, size_t *len)
{
    doca_error_t result = DOCA_ERROR_IO_FAILED;
    FILE *file = fopen(path, "rb");
    long size;

    *data = NULL;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) <= 0 ||
        fseek(file, 0, SEEK_SET) != 0)
        goto close_file;
    *len = (size_t)size;
    *data = malloc(*len + 1); /* a NUL is added behind the data, for callers that parse text */
    if (*data == NULL) {
        result = DOCA_ERROR_NO_MEMORY;
        goto close_file;
    }
    if (fread(*data, 1, *len, file) == *len) {
        ((char *)*data)[*len] = '\0';
        result = DOCA_SUCCESS;
    } else {
        free(*data);
        *data = NULL;
    }
close_file:
    if (file != NULL)
        fclose(file);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot read %s", path);
    return result;
}

doca_error_t write_file(const char *path, const void *data, size_t len)
{
    FILE *file = fopen(path, "wb");
    bool is_written = file != NULL && fwrite(data, 1, len, file) == len;

    if (file == NULL || fclose(file) != 0 || !is_written) {
        DOCA_LOG_ERR("Cannot write %s", path);
        return DOCA_ERROR_IO_FAILED;
    }
    return DOCA_SUCCESS;
}

#ifndef DOCA_ARCH_DPU

static doca_error_t can_export(const struct doca_devinfo *devinfo)
{
    uint8_t is_supported = 0;
    doca_error_t result;

    result = doca_mmap_cap_is_export_pci_supported(devinfo, &is_supported);
    if (result != DOCA_SUCCESS)
        return result;
    return is_supported ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t remote_copy_host(const struct remote_copy_config *conf)
{
    struct doca_dev *dev = NULL;
    struct doca_mmap *mmap = NULL;
    const void *descriptor;
    size_t descriptor_len, len;
    void *data = NULL;
    char text[64];
    doca_error_t result, tmp_result;

    result = read_file(conf->file_path, &data, &len);
    if (result != DOCA_SUCCESS)
        return result;
    result = open_device(conf->pci_addr, can_export, &dev);
    if (result != DOCA_SUCCESS)
        goto free_data;
    result = doca_mmap_create(&mmap);
    if (result != DOCA_SUCCESS)
        goto close_device;
    result = start_mmap(mmap, dev, data, len, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
    if (result != DOCA_SUCCESS)
        goto destroy_mmap;

    result = doca_mmap_export_pci(mmap, dev, &descriptor, &descriptor_len);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot export the memory map: %s", doca_error_get_descr(result));
        goto destroy_mmap;
    }
    result = write_file(conf->descriptor_path, descriptor, descriptor_len);
    if (result != DOCA_SUCCESS)
        goto destroy_mmap;
    snprintf(text, sizeof(text), "%" PRIu64 "\n%zu\n", (uint64_t)(uintptr_t)data, len);
    result = write_file(conf->buffer_path, text, strlen(text));
    if (result != DOCA_SUCCESS)
        goto destroy_mmap;

    DOCA_LOG_INFO("Give both files to the DPU, and press enter when it has finished");
    while (getchar() != '\n' && !feof(stdin))
        continue;

destroy_mmap:
    tmp_result = doca_mmap_destroy(mmap);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
close_device:
    tmp_result = doca_dev_close(dev);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
free_data:
    free(data);
    if (result == DOCA_SUCCESS)
        DOCA_LOG_INFO("The DPU can no longer access the memory");
    return result;
}

#else

static void copied_callback(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
                            union doca_data ctx_user_data)
{
    doca_error_t *task_result = task_user_data.ptr;
    size_t *num_remaining = ctx_user_data.ptr;

    *task_result = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
    --*num_remaining;
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static doca_error_t run_copy(struct core_objects *core, struct doca_dma *dma, struct doca_buf *src,
                             struct doca_buf *dst)
{
    struct doca_dma_task_memcpy *task;
    struct doca_ctx *ctx = doca_dma_as_ctx(dma);
    union doca_data task_user_data = { 0 }, ctx_user_data = { 0 };
    doca_error_t result, task_result = DOCA_ERROR_UNKNOWN;
    size_t num_remaining = 1;

    task_user_data.ptr = &task_result;
    ctx_user_data.ptr = &num_remaining;
    result = doca_ctx_set_user_data(ctx, ctx_user_data);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_pe_connect_ctx(core->pe, ctx);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_dma_task_memcpy_set_conf(dma, copied_callback, copied_callback, 1);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_ctx_start(ctx);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot start the context: %s", doca_error_get_descr(result));
        return result;
    }

    result = doca_dma_task_memcpy_alloc_init(dma, src, dst, task_user_data, &task);
    if (result != DOCA_SUCCESS)
        goto stop;
    result = doca_task_submit(doca_dma_task_memcpy_as_task(task));
    if (result != DOCA_SUCCESS) {
        doca_task_free(doca_dma_task_memcpy_as_task(task));
        goto stop;
    }
    while (num_remaining > 0)
        (void)doca_pe_progress(core->pe);
    result = task_result;
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("The task failed: %s", doca_error_get_name(result));
stop:
    task_result = stop_ctx(core->pe, ctx);
    DOCA_ERROR_PROPAGATE(result, task_result);
    return result;
}

/* Check that a device supports DMA and imports. */
static doca_error_t can_fetch(const struct doca_devinfo *devinfo)
{
    uint8_t is_supported = 0;
    doca_error_t result;

    result = doca_dma_cap_task_memcpy_is_supported(devinfo);
    if (result == DOCA_SUCCESS)
        result = doca_mmap_cap_is_create_from_export_pci_supported(devinfo, &is_supported);
    if (result != DOCA_SUCCESS)
        return result;
    return is_supported ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t remote_copy_dpu(const struct remote_copy_config *conf)
{
    struct core_objects core;
    struct doca_dma *dma = NULL;
    struct doca_mmap *remote_mmap = NULL;
    struct doca_buf *src = NULL, *dst = NULL;
    void *descriptor = NULL, *info = NULL, *copy = NULL;
    size_t descriptor_len, info_len, len;
    uint64_t addr;
    doca_error_t result, tmp_result;

    result = create_core_objects(conf->pci_addr, can_fetch, 2, &core);
    if (result != DOCA_SUCCESS)
        goto destroy_core;
    result = read_file(conf->descriptor_path, &descriptor, &descriptor_len);
    if (result != DOCA_SUCCESS)
        goto destroy_core;
    result = read_file(conf->buffer_path, &info, &info_len);
    if (result != DOCA_SUCCESS)
        goto destroy_core;
    if (sscanf(info, "%" SCNu64 "\n%zu", &addr, &len) != 2) {
        DOCA_LOG_ERR("%s has no address and length", conf->buffer_path);
        result = DOCA_ERROR_INVALID_VALUE;
        goto destroy_core;
    }

    result = doca_mmap_create_from_export(NULL, descriptor, descriptor_len, core.dev, &remote_mmap);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot import the memory map: %s", doca_error_get_name(result));
        goto destroy_core;
    }
    copy = malloc(len);
    if (copy == NULL) {
        result = DOCA_ERROR_NO_MEMORY;
        goto destroy_core;
    }
    result = start_mmap(core.dst_mmap, core.dev, copy, len, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    if (result != DOCA_SUCCESS)
        goto destroy_core;

    result = doca_buf_inventory_buf_get_by_data(core.inventory, remote_mmap,
                                                (void *)(uintptr_t)addr, len, &src);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot take the source: %s", doca_error_get_descr(result));
        goto destroy_core;
    }
    result = doca_buf_inventory_buf_get_by_addr(core.inventory, core.dst_mmap, copy, len, &dst);
    if (result != DOCA_SUCCESS)
        goto release_bufs;
    result = doca_dma_create(core.dev, &dma);
    if (result != DOCA_SUCCESS)
        goto release_bufs;
    result = run_copy(&core, dma, src, dst);
    if (result == DOCA_SUCCESS)
        result = write_file(conf->file_path, copy, len);
    if (result == DOCA_SUCCESS)
        DOCA_LOG_INFO("Copied %zu bytes from the host", len);

    tmp_result = doca_dma_destroy(dma);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
release_bufs:
    if (dst != NULL)
        (void)doca_buf_dec_refcount(dst, NULL);
    (void)doca_buf_dec_refcount(src, NULL);
destroy_core:
    if (remote_mmap != NULL) {
        tmp_result = doca_mmap_destroy(remote_mmap);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    tmp_result = destroy_core_objects(&core);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    free(copy);
    free(info);
    free(descriptor);
    return result;
}

#endif
