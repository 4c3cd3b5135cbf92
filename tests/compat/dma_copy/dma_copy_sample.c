#include <time.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "../common.h"
#include "dma_copy.h"

DOCA_LOG_REGISTER(DMA_COPY::SAMPLE);

#define SLEEP_IN_NANOS (10 * 1000)

struct dma_resources {
    struct core_objects core;
    struct doca_dma *dma;
    char *memory; /* the text, followed by the destinations */
    struct doca_buf *src[MAX_NUM_TASKS];
    struct doca_buf *dst[MAX_NUM_TASKS];
    size_t num_submitted;
    size_t num_completed;
    size_t num_failed;
    doca_error_t task_result; /* error of the first task that failed, or success */
    bool run_pe_progress;
};

static void memcpy_completed_callback(struct doca_dma_task_memcpy *task,
                                      union doca_data task_user_data, union doca_data ctx_user_data)
{
    struct dma_resources *resources = (struct dma_resources *)ctx_user_data.ptr;

    DOCA_LOG_DBG("Task %" PRIu64 " is done", task_user_data.u64);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    resources->num_completed++;
    if (resources->num_completed + resources->num_failed == resources->num_submitted)
        (void)doca_ctx_stop(doca_dma_as_ctx(resources->dma));
}

static void memcpy_error_callback(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
                                  union doca_data ctx_user_data)
{
    struct dma_resources *resources = (struct dma_resources *)ctx_user_data.ptr;
    struct doca_task *base = doca_dma_task_memcpy_as_task(task);
    doca_error_t status = doca_task_get_status(base);

    DOCA_LOG_DBG("Task %" PRIu64 " failed: %s", task_user_data.u64, doca_error_get_name(status));
    DOCA_ERROR_PROPAGATE(resources->task_result, status);
    doca_task_free(base);
    resources->num_failed++;
    if (resources->num_completed + resources->num_failed == resources->num_submitted)
        (void)doca_ctx_stop(doca_dma_as_ctx(resources->dma));
}

static void state_changed_callback(const union doca_data user_data, struct doca_ctx *ctx,
                                   enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
    struct dma_resources *resources = (struct dma_resources *)user_data.ptr;

    (void)ctx;
    (void)prev_state;
    switch (next_state) {
    case DOCA_CTX_STATE_IDLE:
        DOCA_LOG_INFO("The context has stopped");
        resources->run_pe_progress = false;
        break;
    case DOCA_CTX_STATE_STARTING:
        DOCA_LOG_ERR("The context did not start at once");
        break;
    case DOCA_CTX_STATE_RUNNING:
        DOCA_LOG_DBG("The context is running");
        break;
    case DOCA_CTX_STATE_STOPPING: /* tasks in flight still have to end */
    default:
        break;
    }
}

static void log_caps(const struct doca_devinfo *devinfo)
{
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    uint32_t max_list_len = 0;
    uint64_t max_buf_size = 0;

    if (doca_devinfo_get_pci_addr_str(devinfo, pci_addr) != DOCA_SUCCESS ||
        doca_devinfo_get_ibdev_name(devinfo, name, sizeof(name)) != DOCA_SUCCESS ||
        doca_dma_cap_task_memcpy_get_max_buf_list_len(devinfo, &max_list_len) != DOCA_SUCCESS ||
        doca_dma_cap_task_memcpy_get_max_buf_size(devinfo, &max_buf_size) != DOCA_SUCCESS) {
        DOCA_LOG_WARN("Cannot query the limits of the device");
        return;
    }
    DOCA_LOG_INFO("%s (%s) copies up to %" PRIu64 " bytes, in lists of up to %" PRIu32, pci_addr,
                  name, max_buf_size, max_list_len);
}

static doca_error_t create_dma(struct dma_resources *resources, uint32_t num_tasks)
{
    union doca_data ctx_user_data = { 0 };
    struct doca_ctx *ctx;
    uint32_t max_tasks;
    doca_error_t result;

    result = doca_dma_create(resources->core.dev, &resources->dma);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot create the DMA context: %s", doca_error_get_descr(result));
        return result;
    }
    ctx = doca_dma_as_ctx(resources->dma);

    result = doca_dma_cap_get_max_num_tasks(resources->dma, &max_tasks);
    if (result != DOCA_SUCCESS || max_tasks < num_tasks)
        return result != DOCA_SUCCESS ? result : DOCA_ERROR_NOT_SUPPORTED;

    result = doca_pe_connect_ctx(resources->core.pe, ctx);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot connect the context: %s", doca_error_get_descr(result));
        return result;
    }
    result = doca_ctx_set_state_changed_cb(ctx, state_changed_callback);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_dma_task_memcpy_set_conf(resources->dma, memcpy_completed_callback,
                                           memcpy_error_callback, num_tasks);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot configure the tasks: %s", doca_error_get_descr(result));
        return result;
    }
    ctx_user_data.ptr = resources;
    result = doca_ctx_set_user_data(ctx, ctx_user_data);
    if (result != DOCA_SUCCESS)
        return result;
    return doca_ctx_start(ctx);
}

static doca_error_t submit_copies(struct dma_resources *resources,
                                  const struct dma_copy_config *conf)
{
    struct core_objects *core = &resources->core;
    char *dst_memory = resources->memory + MAX_TEXT_SIZE;
    struct doca_dma_task_memcpy *task;
    union doca_data user_data;
    doca_error_t result;
    int i;

    for (i = 0; i < conf->num_tasks; i++) {
        result =
            doca_buf_inventory_buf_get_by_data(core->inventory, core->src_mmap, resources->memory,
                                               strlen(conf->text) + 1, &resources->src[i]);
        if (result != DOCA_SUCCESS)
            return result;
        result = doca_buf_inventory_buf_get_by_addr(core->inventory, core->dst_mmap,
                                                    dst_memory + i * MAX_TEXT_SIZE,
                                                    (size_t)conf->room, &resources->dst[i]);
        if (result != DOCA_SUCCESS)
            return result;

        user_data.u64 = (uint64_t)i;
        result = doca_dma_task_memcpy_alloc_init(resources->dma, resources->src[i],
                                                 resources->dst[i], user_data, &task);
        if (result != DOCA_SUCCESS) {
            DOCA_LOG_ERR("Cannot allocate a task: %s", doca_error_get_descr(result));
            return result;
        }
        result = doca_task_submit(doca_dma_task_memcpy_as_task(task));
        if (result != DOCA_SUCCESS) {
            DOCA_LOG_ERR("Cannot submit a task: %s", doca_error_get_descr(result));
            doca_task_free(doca_dma_task_memcpy_as_task(task));
            return result;
        }
        resources->num_submitted++;
    }
    return DOCA_SUCCESS;
}

static doca_error_t check_copies(const struct dma_resources *resources,
                                 const struct dma_copy_config *conf)
{
    const char *copy = resources->memory + MAX_TEXT_SIZE;
    size_t data_len;
    doca_error_t result;
    int i;

    for (i = 0; i < conf->num_tasks; i++, copy += MAX_TEXT_SIZE) {
        result = doca_buf_get_data_len(resources->dst[i], &data_len);
        if (result != DOCA_SUCCESS)
            return result;
        if (data_len != strlen(conf->text) + 1 || strcmp(copy, conf->text) != 0) {
            DOCA_LOG_ERR("Copy %d differs", i);
            return DOCA_ERROR_UNEXPECTED;
        }
    }
    DOCA_LOG_INFO("%zu copies of \"%s\"", resources->num_completed,
                  resources->memory + MAX_TEXT_SIZE);
    return DOCA_SUCCESS;
}

doca_error_t dma_copy(const struct dma_copy_config *conf)
{
    struct dma_resources resources = { 0 };
    struct core_objects *core = &resources.core;
    struct timespec ts = { .tv_sec = 0, .tv_nsec = SLEEP_IN_NANOS };
    size_t dst_size = (size_t)conf->num_tasks * MAX_TEXT_SIZE;
    doca_error_t result, tmp_result;
    int i;

    result = create_core_objects(conf->pci_addr, doca_dma_cap_task_memcpy_is_supported,
                                 2 * MAX_NUM_TASKS, core);
    if (result != DOCA_SUCCESS)
        goto destroy_core;
    if (conf->show_caps)
        log_caps(doca_dev_as_devinfo(core->dev));

    resources.memory = (char *)calloc(1, MAX_TEXT_SIZE + dst_size);
    if (resources.memory == NULL) {
        result = DOCA_ERROR_NO_MEMORY;
        goto destroy_core;
    }
    memcpy(resources.memory, conf->text, MAX_TEXT_SIZE);
    result = start_mmap(core->src_mmap, core->dev, resources.memory, MAX_TEXT_SIZE,
                        DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    if (result != DOCA_SUCCESS)
        goto destroy_core;
    result = start_mmap(core->dst_mmap, core->dev, resources.memory + MAX_TEXT_SIZE, dst_size,
                        DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    if (result != DOCA_SUCCESS)
        goto destroy_core;

    result = create_dma(&resources, (uint32_t)conf->num_tasks);
    if (result != DOCA_SUCCESS)
        goto destroy_dma;
    resources.run_pe_progress = true;
    result = submit_copies(&resources, conf);
    if (result != DOCA_SUCCESS) {
        tmp_result = stop_ctx(core->pe, doca_dma_as_ctx(resources.dma));
        DOCA_ERROR_PROPAGATE(result, tmp_result);
        goto release_bufs;
    }

    while (resources.run_pe_progress) {
        if (doca_pe_progress(core->pe) == 0)
            nanosleep(&ts, &ts);
    }

    result = resources.task_result;
    if (result == DOCA_SUCCESS)
        result = check_copies(&resources, conf);
    else
        DOCA_LOG_ERR("%zu of %zu copies failed", resources.num_failed, resources.num_submitted);

release_bufs:
    for (i = 0; i < conf->num_tasks; i++) {
        if (resources.dst[i] != NULL) {
            tmp_result = doca_buf_dec_refcount(resources.dst[i], NULL);
            DOCA_ERROR_PROPAGATE(result, tmp_result);
        }
        if (resources.src[i] != NULL) {
            tmp_result = doca_buf_dec_refcount(resources.src[i], NULL);
            DOCA_ERROR_PROPAGATE(result, tmp_result);
        }
    }
destroy_dma:
    if (resources.dma != NULL) {
        tmp_result = doca_dma_destroy(resources.dma);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
destroy_core:
    tmp_result = destroy_core_objects(core);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    free(resources.memory);
    return result;
}
