#include <doca_log.h>

#include "common.h"

DOCA_LOG_REGISTER(COMMON);

doca_error_t open_device(const char *pci_addr, device_check check, struct doca_dev **dev)
{
    struct doca_devinfo **list;
    uint32_t nb_devs, i;
    uint8_t is_equal = 1;
    doca_error_t result, tmp_result;

    result = doca_devinfo_create_list(&list, &nb_devs);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot create a list of devices: %s", doca_error_get_descr(result));
        return result;
    }

    result = DOCA_ERROR_NOT_FOUND;
    for (i = 0; i < nb_devs; i++) {
        if (pci_addr != NULL) {
            tmp_result = doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &is_equal);
            if (tmp_result != DOCA_SUCCESS) {
                DOCA_LOG_ERR("\"%s\" is not a PCI address: %s", pci_addr,
                             doca_error_get_name(tmp_result));
                result = tmp_result;
                break;
            }
            if (!is_equal)
                continue;
        }
        if (check != NULL && check(list[i]) != DOCA_SUCCESS)
            continue;
        result = doca_dev_open(list[i], dev);
        break;
    }
    if (result == DOCA_ERROR_NOT_FOUND)
        DOCA_LOG_ERR("There is no matching device");

    tmp_result = doca_devinfo_destroy_list(list);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    return result;
}

doca_error_t create_core_objects(const char *pci_addr, device_check check, size_t max_bufs,
                                 struct core_objects *objects)
{
    doca_error_t result;

    memset(objects, 0, sizeof(*objects));
    result = open_device(pci_addr, check, &objects->dev);
    if (result != DOCA_SUCCESS)
        return result;

    result = doca_mmap_create(&objects->src_mmap);
    if (result == DOCA_SUCCESS)
        result = doca_mmap_create(&objects->dst_mmap);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot create a memory map: %s", doca_error_get_descr(result));
        return result;
    }

    result = doca_buf_inventory_create(max_bufs, &objects->inventory);
    if (result == DOCA_SUCCESS)
        result = doca_buf_inventory_start(objects->inventory);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot make an inventory: %s", doca_error_get_descr(result));
        return result;
    }

    result = doca_pe_create(&objects->pe);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot create a progress engine: %s", doca_error_get_descr(result));
    return result;
}

doca_error_t start_mmap(struct doca_mmap *mmap, struct doca_dev *dev, void *addr, size_t len,
                        uint32_t permissions)
{
    doca_error_t result;

    result = doca_mmap_add_dev(mmap, dev);
    if (result == DOCA_SUCCESS)
        result = doca_mmap_set_permissions(mmap, permissions);
    if (result == DOCA_SUCCESS)
        result = doca_mmap_set_memrange(mmap, addr, len);
    if (result == DOCA_SUCCESS)
        result = doca_mmap_start(mmap);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot start a memory map: %s", doca_error_get_descr(result));
    return result;
}

doca_error_t stop_ctx(struct doca_pe *pe, struct doca_ctx *ctx)
{
    enum doca_ctx_states state;
    doca_error_t result;

    result = doca_ctx_stop(ctx);
    if (result != DOCA_ERROR_IN_PROGRESS)
        return result;
    do {
        (void)doca_pe_progress(pe);
        result = doca_ctx_get_state(ctx, &state);
    } while (result == DOCA_SUCCESS && state != DOCA_CTX_STATE_IDLE);
    return result;
}

doca_error_t destroy_core_objects(struct core_objects *objects)
{
    doca_error_t result = DOCA_SUCCESS, tmp_result;

    if (objects->pe != NULL) {
        tmp_result = doca_pe_destroy(objects->pe);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (objects->inventory != NULL) {
        tmp_result = doca_buf_inventory_destroy(objects->inventory);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (objects->dst_mmap != NULL) {
        tmp_result = doca_mmap_destroy(objects->dst_mmap);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (objects->src_mmap != NULL) {
        tmp_result = doca_mmap_destroy(objects->src_mmap);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (objects->dev != NULL) {
        tmp_result = doca_dev_close(objects->dev);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("An object could not be destroyed: %s", doca_error_get_descr(result));
    return result;
}
