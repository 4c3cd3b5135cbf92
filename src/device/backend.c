/* ---- >>impl.backend -------------------------------------------------------------------------
 * Registration of backends, and the calls that the library offers to them. A table is complete
 * after registration: absent optional members point to the functions doca_priv_absent_*, so that
 * callers need not test them. enumerate_reps, event_open, queue_ring, dev_failed and the members
 * for exports, device memory and clocks stay NULL when absent; callers do test these.           */
#include "device/backend_priv.h"

#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/probe_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "device/devinfo_priv.h"

DOCA_CORE_DECL bool doca_core_backend_is_dev(const struct doca_dev *dev, const char *function)
{
    if (doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return true;
    (void)doca_priv_fail_handle(dev, function);
    return false;
}

DOCA_CORE_DECL bool doca_core_backend_hold_dev(struct doca_dev *dev, const char *function)
{
    if (!doca_core_backend_is_dev(dev, function))
        return false;
    doca_priv_dev_hold(dev);
    return true;
}

DOCA_CORE_DECL void doca_core_backend_drop_dev(struct doca_dev *dev)
{
    doca_priv_dev_drop(dev);
}

DOCA_CORE_DECL doca_error_t doca_core_backend_fail(doca_error_t code, enum doca_core_item item,
                                                   const char *function, const void *object,
                                                   uint32_t detail)
{
    return doca_priv_fail_device(code, item, function, object, detail);
}

DOCA_CORE_DECL doca_error_t doca_core_backend_refuse(doca_error_t code, enum doca_core_item item,
                                                     const char *function, const void *object,
                                                     const struct doca_core_refusal *why)
{
    doca_priv_last = doca_priv_failure_make(code, item, function, object);
    doca_priv_last.why = *why;
    doca_priv_last.is_backends = true;
    if (!doca_priv_last_waits)
        doca_priv_log(&doca_priv_last);
    return code;
}

DOCA_CORE_DECL int doca_core_backend_keep_fd(int fd)
{
    return doca_priv_sys_keep(fd);
}

DOCA_CORE_DECL doca_error_t doca_core_backend_probe(const struct doca_core_range *range,
                                                    const char *function)
{
    const uint32_t writers = DOCA_PRIV_ACCESS_OF_WRITERS | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    enum doca_core_item item;
    uintptr_t page = 0;

    if (range->dmabuf_fd >= 0) /* the memory belongs to the dmabuf, not to the address */
        return DOCA_SUCCESS;
    item = doca_priv_sys_probe(range->addr, range->len, (range->access & writers) != 0, &page);
    return item == DOCA_CORE_ITEM_NONE
               ? DOCA_SUCCESS
               : doca_priv_fail_device(DOCA_ERROR_INVALID_VALUE, item, function, range->mmap, page);
}

DOCA_CORE_DECL void doca_core_backend_clear(void *addr, size_t len)
{
    const uint32_t pid = doca_priv_sys_pid();
    unsigned char zeros[DOCA_PRIV_PAGE_BYTES], *at = (unsigned char *)addr;
    struct doca_priv_iovec local, remote;
    enum doca_priv_sys_far outcome;

    DOCA_CORE_MEMSET(zeros, 0, sizeof(zeros));
    remote.base = zeros;
    for (; len > 0; at += local.bytes, len -= local.bytes) {
        local.base = at;
        local.bytes = sizeof(zeros) - (uintptr_t)at % sizeof(zeros); /* up to the end of the page */
        local.bytes = local.bytes < len ? local.bytes : len;
        remote.bytes = local.bytes;
        outcome = doca_priv_sys_far_copy(pid, &local, &remote, 1, local.bytes, false);
        if (outcome != DOCA_PRIV_FAR_OK && outcome != DOCA_PRIV_FAR_MEMORY)
            DOCA_CORE_MEMSET(at, 0, local.bytes);
    }
}

DOCA_PRIV_DECL doca_error_t doca_priv_absent_dev_open(struct doca_dev *dev)
{
    (void)dev;
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_absent_dev_close(struct doca_dev *dev)
{
    (void)dev;
}

DOCA_PRIV_DECL doca_error_t doca_priv_absent_reg(struct doca_dev *dev, void *addr, size_t len,
                                                 uint32_t access, uint32_t *mkey)
{
    (void)dev;
    (void)addr;
    (void)len;
    (void)access;
    *mkey = 0;
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_absent_dereg(struct doca_dev *dev, uint32_t mkey)
{
    (void)dev;
    (void)mkey;
}

DOCA_PRIV_DECL doca_error_t doca_priv_absent_reg_range(struct doca_dev *dev,
                                                       const struct doca_core_range *range,
                                                       uint32_t *mkey, uint32_t *internal_mkey)
{
    *internal_mkey = 0;
    return dev->backend->reg(dev, range->addr, range->len, range->access, mkey);
}

DOCA_PRIV_DECL doca_error_t doca_priv_absent_queue_opening(struct doca_core_queue *queue)
{
    (void)queue;
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_absent_queue_close(struct doca_core_queue *queue)
{
    (void)queue;
}

DOCA_PRIV_DECL int doca_priv_absent_queue_fd(struct doca_core_queue *queue)
{
    (void)queue;
    return -1;
}

DOCA_PRIV_DECL void doca_priv_absent_queue_arm(struct doca_core_queue *queue, bool armed)
{
    (void)queue;
    (void)armed;
}

DOCA_PRIV_DECL doca_error_t doca_priv_absent_get_pd(const struct doca_dev *dev, struct ibv_pd **pd)
{
    (void)dev;
    (void)pd;
    return DOCA_ERROR_NOT_SUPPORTED;
}

DOCA_PRIV_DECL doca_error_t doca_priv_absent_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd)
{
    (void)dev;
    (void)pd;
    return DOCA_ERROR_NOT_SUPPORTED;
}

DOCA_PRIV_DECL doca_error_t doca_priv_absent_arr_start(struct doca_dev *dev,
                                                       const struct doca_buf_arr *arr,
                                                       void **handle)
{
    (void)dev;
    (void)arr;
    (void)handle;
    return DOCA_ERROR_NOT_SUPPORTED;
}

DOCA_PRIV_DECL void doca_priv_absent_arr_stop(struct doca_dev *dev, const struct doca_buf_arr *arr,
                                              void *handle)
{
    (void)dev;
    (void)arr;
    (void)handle;
}

/* Fill in absent optional functions, so that callers need not test for NULL. */
static void doca_priv_backend_complete(struct doca_core_backend *backend)
{
    if (backend->dev_open == NULL)
        backend->dev_open = doca_priv_absent_dev_open;
    if (backend->dev_close == NULL)
        backend->dev_close = doca_priv_absent_dev_close;
    if (backend->reg == NULL)
        backend->reg = doca_priv_absent_reg;
    if (backend->dereg == NULL)
        backend->dereg = doca_priv_absent_dereg;
    if (backend->reg_range == NULL)
        backend->reg_range = doca_priv_absent_reg_range;
    if (backend->queue_opening == NULL)
        backend->queue_opening = doca_priv_absent_queue_opening;
    if (backend->queue_close == NULL)
        backend->queue_close = doca_priv_absent_queue_close;
    if (backend->queue_fd == NULL)
        backend->queue_fd = doca_priv_absent_queue_fd;
    if (backend->queue_arm == NULL)
        backend->queue_arm = doca_priv_absent_queue_arm;
    if (backend->get_pd == NULL)
        backend->get_pd = doca_priv_absent_get_pd;
    if (backend->open_from_pd == NULL)
        backend->open_from_pd = doca_priv_absent_open_from_pd;
    if (backend->arr_start == NULL)
        backend->arr_start = doca_priv_absent_arr_start;
    if (backend->arr_stop == NULL)
        backend->arr_stop = doca_priv_absent_arr_stop;
}

/* True when the table has all members of each group or none of them: array views, exports and
 * imports, device memory, memory of represented functions, clocks. */
static bool doca_priv_backend_has_whole_groups(const struct doca_core_backend *backend)
{
    const bool has = backend->mem_export != NULL;
    const bool has_dm = backend->dm_alloc != NULL;

    return (backend->arr_stop != NULL) == (backend->arr_start != NULL) &&
           (backend->mem_unexport != NULL) == has && (backend->mem_import != NULL) == has &&
           (backend->mem_unimport != NULL) == has && (backend->dm_free != NULL) == has_dm &&
           (backend->dm_copy != NULL) == has_dm &&
           (backend->rep_mem_open != NULL) == (backend->rep_mem_close != NULL) &&
           (backend->clock_cap != NULL) == (backend->clock_read != NULL);
}

/* Return the registered backend of this name, or NULL. The caller holds the lock. */
static struct doca_core_backend *doca_priv_backend_find(const char *name)
{
    uint32_t i;

    for (i = 0; i < DOCA_CORE_MAX_BACKENDS; i++)
        if (doca_priv_world.backends[i].name != NULL &&
            doca_priv_str_equal(doca_priv_world.backends[i].name, name))
            return &doca_priv_world.backends[i];
    return NULL;
}

/* Return a free entry of the table, or NULL when it is full. The caller holds the lock. */
static struct doca_core_backend *doca_priv_backend_vacant(void)
{
    uint32_t i;

    for (i = 0; i + 1 < DOCA_CORE_MAX_BACKENDS; i++) /* DOCA_CORE_MAX_BACKENDS counts the software
                                                      * device */
        if (doca_priv_world.backends[i].name == NULL)
            return &doca_priv_world.backends[i];
    return NULL;
}

DOCA_CORE_DECL void doca_core_backend_trace_doorbell(const void *queue, uint32_t num)
{
    (void)queue;
    (void)num;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_DOORBELL, queue, 0, num);)
}

DOCA_CORE_DECL void doca_core_backend_trace_end(const struct doca_task *task)
{
    (void)task;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, task, 0, 0);)
}

DOCA_CORE_DECL doca_error_t doca_core_backend_register(const struct doca_core_backend *backend)
{
    struct doca_core_backend *place = NULL;
    bool exists;

    if (backend == NULL || backend->name == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (backend->enumerate == NULL || backend->queue_bytes == NULL ||
        backend->queue_open == NULL || backend->queue_flush == NULL ||
        backend->queue_ready == NULL || !doca_priv_backend_has_whole_groups(backend))
        return DOCA_PRIV_FAIL(INVALID_VALUE, BACKEND_INCOMPLETE, NULL);
    doca_priv_lock(&doca_priv_world.lock);
    exists = doca_priv_backend_find(backend->name) != NULL ||
             doca_priv_str_equal(backend->name, doca_core_sw_backend()->name);
    if (!exists) {
        place = doca_priv_backend_vacant();
        if (place != NULL) {
            *place = *backend;
            place->serial = ++doca_priv_world.num_registrations;
            doca_priv_backend_complete(place);
        }
    }
    doca_priv_unlock(&doca_priv_world.lock);
    if (exists)
        return DOCA_PRIV_FAIL(ALREADY_EXIST, BACKEND_EXISTS, NULL);
    return place != NULL ? DOCA_SUCCESS : DOCA_PRIV_FAIL(FULL, BACKEND_TOO_MANY, NULL);
}

DOCA_CORE_DECL doca_error_t doca_core_backend_unregister(const char *name)
{
    struct doca_core_backend *backend;
    const struct doca_dev *dev = NULL;

    if (name == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (doca_priv_str_equal(name, doca_core_sw_backend()->name))
        return DOCA_PRIV_FAIL(NOT_PERMITTED, BACKEND_REFUSED, NULL);
    doca_priv_lock(&doca_priv_world.lock);
    backend = doca_priv_backend_find(name);
    if (backend != NULL) {
        for (dev = doca_priv_world.devs; dev != NULL && dev->info.backend != backend;
             dev = dev->next) {
        }
        if (dev == NULL) {
            backend->name = NULL;
            backend->serial = 0;
        }
    }
    doca_priv_unlock(&doca_priv_world.lock);
    if (backend == NULL)
        return DOCA_PRIV_FAIL(NOT_FOUND, BACKEND_UNKNOWN, NULL);
    return dev == NULL ? DOCA_SUCCESS : DOCA_PRIV_FAIL(IN_USE, BACKEND_BUSY, NULL);
}
