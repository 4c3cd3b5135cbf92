/* ---- >>impl.buf_array -----------------------------------------------------------------------
 * Buffer arrays. The backend of a device makes the view of another processor when an array
 * starts.                                                                                       */
#include "memory/buf_array.h"

#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/backend_priv.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "device/devinfo_priv.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"

DOCA_CORE_DECL doca_error_t doca_core_bytes_buf_arr(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_buf_arr), bytes, __func__);
}

/* Create an array of `num` elements without an mmap. */
static doca_error_t doca_priv_array_take(struct doca_core_arena *arena, uint32_t num,
                                         struct doca_buf_arr **buf_arr, const char *function)
{
    void *block = NULL;
    doca_error_t rc = doca_priv_object_take(arena, sizeof(**buf_arr), &block, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    *buf_arr = (struct doca_buf_arr *)block;
    doca_priv_object_init(&(*buf_arr)->obj, DOCA_PRIV_KIND_ARRAY);
    (*buf_arr)->arena = arena;
    (*buf_arr)->num = num;
    return DOCA_SUCCESS;
}

/* Create an array. When `arena` is NULL, use the arena of the mmap. */
static doca_error_t doca_priv_array_create(struct doca_core_arena *arena, struct doca_mmap *mmap,
                                           struct doca_buf_arr **buf_arr, const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, buf_arr, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!mmap->has_range)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_NO_RANGE, function,
                              mmap);
    rc = doca_priv_array_take(arena != NULL ? arena : mmap->arena, 0, buf_arr, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    (*buf_arr)->mmap = mmap;
    (*buf_arr)->mmap_serial = mmap->serial;
    DOCA_PRIV_CHECKED(doca_priv_check_join(mmap);)
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_array_create_v3(struct doca_core_arena *arena, size_t num_elem,
                                              struct doca_buf_arr **buf_arr, const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, buf_arr, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (num_elem == 0 || num_elem > UINT32_MAX)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE,
                              num_elem == 0 ? DOCA_CORE_ITEM_ZERO : DOCA_CORE_ITEM_STOCK_TOO_MANY,
                              function, NULL);
    return doca_priv_array_take(arena, (uint32_t)num_elem, buf_arr, function);
}

DOCA_CORE_DECL doca_error_t doca_core_buf_arr_create_in(struct doca_core_arena *arena,
                                                        struct doca_mmap *mmap,
                                                        struct doca_buf_arr **buf_arr)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, buf_arr, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_array_create(arena, mmap, buf_arr, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_create(struct doca_mmap *mmap,
                                                struct doca_buf_arr **buf_arr)
{
    DOCA_PRIV_OPEN(mmap)
    return doca_priv_array_create(NULL, mmap, buf_arr, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_create_in(struct doca_core_arena *arena,
                                                           size_t num_elem,
                                                           struct doca_buf_arr **buf_arr)
{
    return doca_priv_array_create_v3(arena, num_elem, buf_arr, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_create(size_t num_elem,
                                                        struct doca_buf_arr **buf_arr)
{
    return doca_priv_array_create_v3(doca_core_arena_bound(), num_elem, buf_arr, __func__);
}

/* Set the windows of an array on an mmap of `len` bytes; `len` 0 means that there is no mmap. */
static doca_error_t doca_priv_array_set_row(struct doca_buf_arr *buf_arr, size_t len, size_t size,
                                            uint32_t num, uint64_t offset, const char *function)
{
    DOCA_PRIV_ENTER(buf_arr, function)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (size == 0 || num == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, buf_arr);
    if (buf_arr->obj.state == DOCA_PRIV_STARTED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_STOCK_STARTED, function,
                              buf_arr);
    if (offset > len || size > (len - (size_t)offset) / num)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_RANGE_OUTSIDE, function,
                              buf_arr);
    buf_arr->size = size;
    buf_arr->num = num;
    buf_arr->offset = offset;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, size_t size,
                                                    uint32_t num_elem, uint32_t start_offset)
{
    const struct doca_mmap *mmap;

    if (!doca_priv_is(buf_arr, DOCA_PRIV_KIND_ARRAY))
        return DOCA_PRIV_FAIL_HANDLE(buf_arr);
    mmap = buf_arr->mmap;
    return doca_priv_array_set_row(
        buf_arr, mmap != NULL && doca_priv_mmap_is(mmap, buf_arr->mmap_serial) ? mmap->len : 0,
        size, num_elem, start_offset, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_set_params(struct doca_buf_arr *buf_arr,
                                                            struct doca_mmap *mmap,
                                                            size_t elem_size,
                                                            uint64_t start_offset)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(buf_arr, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(buf_arr, DOCA_PRIV_KIND_ARRAY, mmap, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, mmap, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_array_set_row(buf_arr, mmap->len, elem_size, buf_arr->num, start_offset,
                                     __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_PRIV_CHECKED(doca_priv_check_part(buf_arr->mmap, buf_arr->mmap_serial);
                      doca_priv_check_join(mmap);)
    buf_arr->mmap = mmap;
    buf_arr->mmap_serial = mmap->serial;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_array_set_target(struct doca_buf_arr *buf_arr, void *target,
                                               enum doca_core_processor processor,
                                               const char *function)
{
    DOCA_PRIV_ENTER(buf_arr, function)
    doca_error_t rc;
    const struct doca_core_backend *backend = NULL;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(buf_arr, DOCA_PRIV_KIND_ARRAY, target, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (buf_arr->obj.state == DOCA_PRIV_STARTED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_STOCK_STARTED, function,
                              buf_arr);
    doca_priv_lock(&doca_priv_world.lock);
    do
        backend = doca_priv_backend_next(backend);
    while (backend != NULL && backend->arr_start == doca_priv_absent_arr_start);
    doca_priv_unlock(&doca_priv_world.lock);
    if (backend == NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_ARRAY_NO_TARGET, function,
                              buf_arr);
    buf_arr->target = target;
    buf_arr->processor = processor;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr,
                                                        struct doca_dpa *dpa_handler)
{
    return doca_priv_array_set_target(buf_arr, dpa_handler, DOCA_CORE_PROCESSOR_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr,
                                                        struct doca_gpu *gpu_handler)
{
    return doca_priv_array_set_target(buf_arr, gpu_handler, DOCA_CORE_PROCESSOR_GPU, __func__);
}

/* Let the first device of the mmap that supports the processor create the processor's view. */
static doca_error_t doca_priv_array_make_view(struct doca_buf_arr *buf_arr)
{
    const struct doca_mmap *mmap = buf_arr->mmap;
    doca_error_t rc = DOCA_ERROR_NOT_SUPPORTED;
    struct doca_dev *dev = NULL;
    uint32_t i;

    for (i = 0; i < mmap->num_devs && rc == DOCA_ERROR_NOT_SUPPORTED; i++) {
        dev = mmap->devs[i].dev;
        rc = dev->backend->arr_start(dev, buf_arr, &buf_arr->handle);
    }
    if (rc == DOCA_SUCCESS) {
        buf_arr->dev = dev;
        doca_priv_dev_hold(dev);
    }
    return rc;
}

static void doca_priv_array_drop_view(struct doca_buf_arr *buf_arr)
{
    if (buf_arr->dev != NULL) {
        buf_arr->dev->backend->arr_stop(buf_arr->dev, buf_arr, buf_arr->handle);
        doca_priv_dev_drop(buf_arr->dev);
    }
    buf_arr->dev = NULL;
    buf_arr->handle = NULL;
}

static doca_error_t doca_priv_array_start(struct doca_buf_arr *buf_arr, const char *function)
{
    doca_error_t rc;

    if (buf_arr->obj.state == DOCA_PRIV_STARTED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_STOCK_STARTED, function,
                              buf_arr);
    if (buf_arr->size == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ARRAY_NO_PARAMS, function,
                              buf_arr);
    if (!doca_priv_mmap_is_started(buf_arr->mmap, buf_arr->mmap_serial))
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_MMAP_NOT_STARTED, function,
                              buf_arr);
    if (buf_arr->target != NULL) {
        doca_priv_listen();
        rc = doca_priv_array_make_view(buf_arr);
        if (rc == DOCA_ERROR_NOT_SUPPORTED)
            return doca_priv_fail(rc, DOCA_CORE_ITEM_ARRAY_NO_TARGET, function, buf_arr);
        if (rc != DOCA_SUCCESS)
            return doca_priv_refused(rc, function, buf_arr);
    }
    buf_arr->obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr)
{
    DOCA_PRIV_ENTER(buf_arr, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(buf_arr, DOCA_PRIV_KIND_ARRAY))
        return DOCA_PRIV_FAIL_HANDLE(buf_arr);
    return doca_priv_array_start(buf_arr, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr)
{
    DOCA_PRIV_ENTER(buf_arr, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(buf_arr, DOCA_PRIV_KIND_ARRAY))
        return DOCA_PRIV_FAIL_HANDLE(buf_arr);
    if (buf_arr->obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_NOT_STARTED, buf_arr);
    doca_priv_array_drop_view(buf_arr);
    buf_arr->obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr)
{
    DOCA_PRIV_ENTER(buf_arr, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(buf_arr, DOCA_PRIV_KIND_ARRAY))
        return DOCA_PRIV_FAIL_HANDLE(buf_arr);
    doca_priv_array_drop_view(buf_arr);
    DOCA_PRIV_CHECKED(doca_priv_check_part(buf_arr->mmap, buf_arr->mmap_serial);)
    return doca_priv_object_give(buf_arr->arena, &buf_arr->obj);
}

/* Check that the array has a handle for this type of processor. */
static doca_error_t doca_priv_array_check_handle(const struct doca_buf_arr *buf_arr,
                                                 const void *out,
                                                 enum doca_core_processor processor,
                                                 const char *function)
{
    doca_error_t rc = doca_priv_check_args(buf_arr, DOCA_PRIV_KIND_ARRAY, out, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (buf_arr->obj.state != DOCA_PRIV_STARTED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_STOCK_NOT_STARTED, function,
                              buf_arr);
    if (buf_arr->dev == NULL || buf_arr->processor != processor)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_ARRAY_NO_TARGET, function,
                              buf_arr);
    if (!doca_priv_mmap_is_started(buf_arr->mmap, buf_arr->mmap_serial))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_MMAP_NOT_STARTED, function,
                              buf_arr);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr,
                                                        struct doca_dpa_dev_buf_arr **dpa_buf_arr)
{
    doca_error_t rc = doca_priv_array_check_handle(buf_arr, dpa_buf_arr, DOCA_CORE_PROCESSOR_DPA,
                                                   __func__);

    if (rc == DOCA_SUCCESS)
        *dpa_buf_arr = (struct doca_dpa_dev_buf_arr *)buf_arr->handle;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_get_dpa_handle(
    const struct doca_buf_arr *buf_arr, doca_dpa_dev_buf_arr_t *dpa_buf_arr)
{
    doca_error_t rc = doca_priv_array_check_handle(buf_arr, dpa_buf_arr, DOCA_CORE_PROCESSOR_DPA,
                                                   __func__);

    if (rc == DOCA_SUCCESS)
        *dpa_buf_arr = (uintptr_t)buf_arr->handle;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr,
                                                        struct doca_gpu_buf_arr **gpu_buf_arr)
{
    doca_error_t rc = doca_priv_array_check_handle(buf_arr, gpu_buf_arr, DOCA_CORE_PROCESSOR_GPU,
                                                   __func__);

    if (rc == DOCA_SUCCESS)
        *gpu_buf_arr = (struct doca_gpu_buf_arr *)buf_arr->handle;
    return rc;
}
