/* ---- >>impl.pool ----------------------------------------------------------------------------
 * Buffer pools. While a pool is started, doca_buf.head of each buffer that can be taken is the
 * address of its slot.                                                                          */
#include "memory/pool.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "memory/inventory_priv.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"

DOCA_CORE_DECL doca_error_t doca_core_bytes_buf_pool(size_t num_elements, size_t *bytes)
{
    return doca_priv_bytes_stock(num_elements, bytes, __func__);
}

/* Create a pool. When `arena` is NULL, use the arena of the mmap. */
static doca_error_t doca_priv_pool_create(struct doca_core_arena *arena, size_t num_elements,
                                          size_t element_size, const struct doca_mmap *mmap,
                                          struct doca_buf_pool **buf_pool, const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, buf_pool, function);
    struct doca_buf_pool *pool;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (element_size == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, NULL);
    if (!mmap->has_range)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_NO_RANGE, function,
                              mmap);
    rc = doca_priv_stock_create(arena != NULL ? arena : mmap->arena, num_elements,
                                DOCA_PRIV_KIND_POOL, NULL, &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    pool = (struct doca_buf_pool *)block;
    pool->mmap = (struct doca_mmap *)(uintptr_t)mmap; /* not const: the mmap counts the buffers */
    pool->mmap_serial = mmap->serial;
    DOCA_PRIV_CHECKED(doca_priv_check_join(pool->mmap);)
    pool->element_size = element_size;
    *buf_pool = pool;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_buf_pool_create_in(struct doca_core_arena *arena,
                                                         size_t num_elements, size_t element_size,
                                                         const struct doca_mmap *mmap,
                                                         struct doca_buf_pool **buf_pool)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, buf_pool, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    return doca_priv_pool_create(arena, num_elements, element_size, mmap, buf_pool, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size,
                                                 const struct doca_mmap *mmap,
                                                 struct doca_buf_pool **buf_pool)
{
    DOCA_PRIV_OPEN(mmap)
    return doca_priv_pool_create(NULL, num_elements, element_size, mmap, buf_pool, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool)
{
    DOCA_PRIV_ENTER(buf_pool, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(buf_pool, DOCA_PRIV_KIND_POOL))
        return DOCA_PRIV_FAIL_HANDLE(buf_pool);
    if (buf_pool->stock.num_free < buf_pool->stock.num)
        return DOCA_PRIV_FAIL(IN_USE, STOCK_OUTSTANDING, buf_pool);
    DOCA_PRIV_CHECKED(doca_priv_check_part(buf_pool->mmap, buf_pool->mmap_serial);)
    return doca_priv_stock_end(&buf_pool->stock);
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool)
{
    DOCA_PRIV_ENTER(buf_pool, __func__)
    size_t mask, padding, stride, offset;
    const struct doca_mmap *mmap;
    struct doca_buf *buf;
    uint32_t i;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(buf_pool, DOCA_PRIV_KIND_POOL))
        return DOCA_PRIV_FAIL_HANDLE(buf_pool);
    mmap = buf_pool->mmap;
    if (buf_pool->stock.obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_STARTED, buf_pool);
    if (!doca_priv_mmap_is_started(mmap, buf_pool->mmap_serial))
        return DOCA_PRIV_FAIL(BAD_STATE, MMAP_NOT_STARTED, buf_pool);
    mask = ((size_t)1 << buf_pool->log_alignment) - 1;
    padding = (size_t)(0 - (uintptr_t)mmap->addr) & mask;
    stride = (buf_pool->element_size + mask) & ~mask;
    if (stride < buf_pool->element_size || padding > mmap->len ||
        stride > (mmap->len - padding) / buf_pool->stock.num)
        return DOCA_PRIV_FAIL(INITIALIZATION, POOL_RANGE_SHORT, buf_pool);
    /* Assign the slots to the first buffers of the block. The checked mode has more buffers than
     * slots; there the free buffers that are taken next get the slots. */
    buf = DOCA_CORE_CHECK >= 2 ? buf_pool->stock.free_bufs : doca_priv_stock_bufs(&buf_pool->stock);
    for (i = 0, offset = padding; i < buf_pool->stock.num; i++, offset += stride) {
        /* computed as integers: pointer arithmetic is limited to half of the address space */
        buf->head = (unsigned char *)((uintptr_t)mmap->addr + offset);
        buf = DOCA_CORE_CHECK >= 2 ? buf->next : buf + 1;
    }
    buf_pool->stock.obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool)
{
    DOCA_PRIV_ENTER(buf_pool, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(buf_pool, DOCA_PRIV_KIND_POOL))
        return DOCA_PRIV_FAIL_HANDLE(buf_pool);
    if (buf_pool->stock.obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_NOT_STARTED, buf_pool);
    if (buf_pool->stock.num_free < buf_pool->stock.num)
        return DOCA_PRIV_FAIL(IN_USE, STOCK_OUTSTANDING, buf_pool);
    buf_pool->stock.obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

DOCA_PRIV_HOT doca_error_t doca_priv_pool_alloc(struct doca_buf_pool *buf_pool,
                                                struct doca_buf **buf, const char *function)
{
    doca_error_t rc = doca_priv_check_args(buf_pool, DOCA_PRIV_KIND_POOL, buf, function);
    struct doca_buf *b;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_unlikely(buf_pool->stock.obj.state != DOCA_PRIV_STARTED))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_STOCK_NOT_STARTED, function,
                              buf_pool);
    if (doca_unlikely(buf_pool->stock.num_free == 0))
        return doca_priv_fail(DOCA_ERROR_EMPTY, DOCA_CORE_ITEM_STOCK_EMPTY, function, buf_pool);
    if (doca_unlikely(!doca_priv_mmap_is_started(buf_pool->mmap, buf_pool->mmap_serial)))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_MMAP_NOT_STARTED, function,
                              buf_pool);
    b = doca_priv_stock_take(&buf_pool->stock, buf_pool->mmap, buf_pool->stock.free_bufs->head,
                             buf_pool->element_size);
    doca_priv_mmap_hold(buf_pool->mmap);
    *buf = (struct doca_buf *)DOCA_PRIV_HANDLE(b);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool,
                                                    struct doca_buf **buf)
{
    doca_error_t rc;

    DOCA_PRIV_CHECKED(doca_priv_check_take_turn(
        buf_pool, doca_priv_is(buf_pool, DOCA_PRIV_KIND_POOL) ? buf_pool->mmap : NULL, __func__);)
    rc = doca_priv_pool_alloc(buf_pool, buf, __func__);
    DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool,
                                                                size_t element_alignment)
{
    DOCA_PRIV_ENTER(buf_pool, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(buf_pool, DOCA_PRIV_KIND_POOL))
        return DOCA_PRIV_FAIL_HANDLE(buf_pool);
    if (element_alignment == 0 || (element_alignment & (element_alignment - 1)) != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, POOL_ALIGNMENT, buf_pool);
    if (buf_pool->stock.obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_STARTED, buf_pool);
    buf_pool->log_alignment = doca_priv_high_bit(element_alignment);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_get_element_alignment(
    const struct doca_buf_pool *buf_pool, size_t *element_alignment)
{
    doca_error_t rc =
        doca_priv_check_args(buf_pool, DOCA_PRIV_KIND_POOL, element_alignment, __func__);

    if (rc == DOCA_SUCCESS)
        *element_alignment = (size_t)1 << buf_pool->log_alignment;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool,
                                                        union doca_data user_data)
{
    DOCA_PRIV_ENTER(buf_pool, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(buf_pool, DOCA_PRIV_KIND_POOL))
        return DOCA_PRIV_FAIL_HANDLE(buf_pool);
    if (buf_pool->stock.obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_STARTED, buf_pool);
    buf_pool->stock.user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool,
                                                        union doca_data *user_data)
{
    doca_error_t rc = doca_priv_check_args(buf_pool, DOCA_PRIV_KIND_POOL, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = buf_pool->stock.user_data;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool,
                                                           uint32_t *num_of_elements)
{
    doca_error_t rc =
        doca_priv_check_args(buf_pool, DOCA_PRIV_KIND_POOL, num_of_elements, __func__);

    if (rc == DOCA_SUCCESS)
        *num_of_elements = buf_pool->stock.num;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_get_num_free_elements(
    const struct doca_buf_pool *buf_pool, uint32_t *num_of_free_elements)
{
    doca_error_t rc =
        doca_priv_check_args(buf_pool, DOCA_PRIV_KIND_POOL, num_of_free_elements, __func__);

    if (rc == DOCA_SUCCESS)
        *num_of_free_elements = buf_pool->stock.num_free;
    return rc;
}
