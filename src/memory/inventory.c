/* ---- >>impl.inventory -----------------------------------------------------------------------
 * Inventories, and stocks: the parts that inventories and pools have in common.                 */
#include "memory/inventory_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/probe_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "memory/buf.h"
#include "memory/buf_priv.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"
#include "memory/stocks_priv.h"

DOCA_PRIV_DECL struct doca_buf *doca_priv_stock_bufs(struct doca_priv_stock *stock)
{
    return (struct doca_buf *)(void *)((unsigned char *)stock + DOCA_PRIV_STOCK_BYTES);
}

DOCA_PRIV_DECL doca_error_t doca_priv_stock_carve(struct doca_core_arena *arena, size_t num,
                                                  void **block, const char *function)
{
    const size_t each = sizeof(struct doca_buf);

    return doca_priv_arena_take(arena, doca_priv_stock_size(num, each, DOCA_PRIV_STOCK_BYTES),
                                block, function);
}

/* Maximal number of buffers in a stock: doca_buf.home must be able to hold their distance. */
#define DOCA_PRIV_STOCK_MAX                                                                        \
    (((uint32_t)1 << (DOCA_CORE_CHECK >= 2 ? 27 : 28)) - 1 - DOCA_PRIV_CHECK_QUARANTINED)

/* Initialize `num` buffers in `block` and put them before the free buffers of `stock`. */
static void doca_priv_stock_fill(struct doca_priv_stock *stock, struct doca_priv_stock *block,
                                 uint32_t num)
{
    struct doca_buf *bufs = doca_priv_stock_bufs(block);
    const uintptr_t home = (uintptr_t)stock;
    size_t i;

    for (i = 0; i < DOCA_PRIV_STOCKED(num); i++) {
        DOCA_CORE_MEMSET(&bufs[i], 0, sizeof(bufs[i]));
        bufs[i].kind = DOCA_PRIV_KIND_BUF;
        bufs[i].home = (int32_t)((intptr_t)(home - (uintptr_t)&bufs[i]) / DOCA_PRIV_HOME);
        bufs[i].last = &bufs[i];
        bufs[i].next = i + 1 < DOCA_PRIV_STOCKED(num) ? &bufs[i + 1] : stock->free_bufs;
    }
    DOCA_PRIV_CHECKED(if (stock->free_bufs == NULL) {
        stock->last_free = &bufs[i - 1];
        stock->no_slot = &bufs[num];
    })
    stock->free_bufs = bufs;
    stock->num += num;
    stock->num_free += num;
}

/* Create a stopped stock with `num` buffers. When `first` is not NULL, create an additional block
 * of the stock `first` instead. */
DOCA_PRIV_DECL doca_error_t doca_priv_stock_create(struct doca_core_arena *arena, size_t num,
                                                   uint8_t kind, struct doca_priv_stock *first,
                                                   void **block, const char *function)
{
    struct doca_priv_stock *stock;
    uintptr_t apart;
    doca_error_t rc;
    bool is_first;

    if (num == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, first);
    if (num > DOCA_PRIV_STOCK_MAX - (first != NULL ? first->num : 0))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_STOCK_TOO_MANY, function,
                              first);
    rc = doca_priv_stock_carve(arena, num, block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    stock = (struct doca_priv_stock *)*block;
    is_first = first == NULL;
    if (is_first)
        first = stock;
    apart = (uintptr_t)stock > (uintptr_t)first ? (uintptr_t)stock - (uintptr_t)first
                                                : (uintptr_t)first - (uintptr_t)stock;
    apart += DOCA_PRIV_STOCK_BYTES + (DOCA_PRIV_STOCKED(num) - 1) * sizeof(struct doca_buf);
    if (apart / DOCA_PRIV_HOME > INT32_MAX) {
        (void)doca_core_arena_give(arena, stock);
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_STOCK_FAR, function, first);
    }
    DOCA_CORE_MEMSET(stock, 0, DOCA_PRIV_STOCK_BYTES);
    doca_priv_object_init(&stock->obj, kind);
    stock->arena = arena;
    DOCA_PRIV_CHECKED(doca_priv_check_take_turn(first, NULL, function);)
    /* analyzer: readability-suspicious-call-argument: `stock` is a block of the stock `first` */
    doca_priv_stock_fill(first, stock, (uint32_t)num);
    DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
    if (kind != DOCA_PRIV_KIND_POOL)
        ((struct doca_buf_inventory *)stock)->num_in_block = (uint32_t)num;
    if (is_first)
        doca_priv_stocks_add(stock);
    return DOCA_SUCCESS;
}

/* Destroy a stock whose buffers are all free. */
DOCA_PRIV_DECL doca_error_t doca_priv_stock_end(struct doca_priv_stock *stock)
{
    struct doca_buf *buf;

    doca_priv_stocks_remove(stock);
    for (buf = stock->free_bufs; DOCA_CORE_CHECK >= 1 && buf != NULL; buf = buf->next)
        buf->kind = 0; /* handles of the buffer become invalid */
    return doca_priv_object_give(stock->arena, &stock->obj);
}

/* True when at least one of the `num` buffers from `buf` on points into `mmap`. Other threads may
 * be taking and returning buffers of other mmaps at this time. */
DOCA_PRIV_UNWATCHED static bool doca_priv_bufs_have(const struct doca_buf *buf, size_t num,
                                                    const struct doca_mmap *mmap)
{
    for (; num > 0; num--, buf++)
        if (DOCA_PRIV_PEEK(&buf->flags) != 0 && DOCA_PRIV_PEEK(&buf->mmap) == mmap)
            return true;
    return false;
}

/* True when `stock` exists and is of this kind. The guard is read at every check level, because the
 * address comes from the table of stocks, and the program may have dropped the arena of the
 * stock. */
static bool doca_priv_stock_is(const struct doca_priv_stock *stock, uint8_t kind)
{
    return stock->obj.guard == DOCA_PRIV_GUARD && stock->obj.kind == kind;
}

/* True when a buffer of this stock points into `mmap`. A stock whose arena was dropped has no
 * buffers. */
DOCA_PRIV_UNWATCHED static bool doca_priv_stock_has(struct doca_priv_stock *stock,
                                                    const struct doca_mmap *mmap)
{
    struct doca_buf_inventory *block;
    uintptr_t page;

    if (doca_priv_sys_probe(stock, sizeof(*stock), false, &page) != DOCA_CORE_ITEM_NONE)
        return false;
    if (doca_priv_stock_is(stock, DOCA_PRIV_KIND_POOL))
        return doca_priv_bufs_have(doca_priv_stock_bufs(stock), DOCA_PRIV_STOCKED(stock->num),
                                   mmap);
    if (!doca_priv_stock_is(stock, DOCA_PRIV_KIND_INVENTORY))
        return false;
    for (block = (struct doca_buf_inventory *)stock; block != NULL; block = block->more)
        if (doca_priv_bufs_have(doca_priv_stock_bufs(&block->stock),
                                DOCA_PRIV_STOCKED(block->num_in_block), mmap))
            return true;
    return false;
}

/* Search all stocks for buffers of an mmap. O(buffers of the process). */
DOCA_PRIV_DECL enum doca_priv_stocks doca_priv_stocks_search(const struct doca_mmap *mmap)
{
    enum doca_priv_stocks found = DOCA_PRIV_STOCKS_NONE;
    uint32_t i;

    doca_priv_lock(&doca_priv_stocks.lock);
    if (doca_priv_stocks.num_left_out > 0)
        found = DOCA_PRIV_STOCKS_UNKNOWN;
    for (i = 0; i < DOCA_CORE_MAX_STOCKS && found != DOCA_PRIV_STOCKS_SOME; i++)
        if (doca_priv_stocks.stocks[i] != NULL &&
            doca_priv_stock_has(doca_priv_stocks.stocks[i], mmap))
            found = DOCA_PRIV_STOCKS_SOME;
    doca_priv_unlock(&doca_priv_stocks.lock);
    return found;
}

DOCA_PRIV_DECL doca_error_t doca_priv_bytes_stock(size_t num_elements, size_t *bytes,
                                                  const char *function)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, function);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_stock_carve(&count, num_elements, &block, function);
    return doca_priv_counted(&count, rc, bytes, function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_buf_inventory(size_t num_elements, size_t *bytes)
{
    return doca_priv_bytes_stock(num_elements, bytes, __func__);
}

DOCA_PRIV_DECL doca_error_t doca_priv_inventory_create(struct doca_core_arena *arena,
                                                       size_t num_elements,
                                                       struct doca_buf_inventory **inventory,
                                                       const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, inventory, function);
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_stock_create(arena, num_elements, DOCA_PRIV_KIND_INVENTORY, NULL, &block,
                                    function);
    if (rc == DOCA_SUCCESS)
        *inventory = (struct doca_buf_inventory *)block;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_buf_inventory_create_in(
    struct doca_core_arena *arena, size_t num_elements, struct doca_buf_inventory **inventory)
{
    return doca_priv_inventory_create(arena, num_elements, inventory, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_create(size_t num_elements,
                                                      struct doca_buf_inventory **inventory)
{
    return doca_priv_inventory_create(doca_core_arena_bound(), num_elements, inventory, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory,
                                                      uint32_t num_elements)
{
    struct doca_buf_inventory *more;
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    rc = doca_priv_stock_create(inventory->stock.arena, num_elements,
                                DOCA_PRIV_KIND_INVENTORY_MORE, &inventory->stock, &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    more = (struct doca_buf_inventory *)block;
    more->more = inventory->more;
    inventory->more = more;
    return DOCA_SUCCESS;
}

/* True when the inventory was created by the calls of DOCA 1.x. Its user_data then points to a
 * block of the compatibility header. */
static bool doca_priv_inventory_is_legacy(const struct doca_buf_inventory *inventory)
{
    return inventory->stock.obj.owner == DOCA_PRIV_OF_LEGACY;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory)
{
    DOCA_PRIV_ENTER(inventory, __func__)
    struct doca_buf_inventory *more, *next;
    doca_error_t rc, given;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    if (doca_priv_inventory_is_legacy(inventory))
        return DOCA_PRIV_FAIL(NOT_PERMITTED, LEGACY_INVENTORY, inventory);
    if (inventory->stock.num_free < inventory->stock.num)
        return DOCA_PRIV_FAIL(IN_USE, STOCK_OUTSTANDING, inventory);
    more = inventory->more;
    rc = doca_priv_stock_end(&inventory->stock);
    for (; more != NULL; more = next) {
        next = more->more;
        given = doca_priv_object_give(more->stock.arena, &more->stock.obj);
        DOCA_ERROR_PROPAGATE(rc, given);
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory)
{
    DOCA_PRIV_ENTER(inventory, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    if (inventory->stock.obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_STARTED, inventory);
    inventory->stock.obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory)
{
    DOCA_PRIV_ENTER(inventory, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    if (inventory->stock.obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_NOT_STARTED, inventory);
    inventory->stock.obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

/* Get a buffer in the cases that the fast path does not handle: an mmap with is_shared or with an
 * owner inside the library, an empty window, and errors. */
static doca_error_t doca_priv_inventory_get_slow(struct doca_buf_inventory *inventory,
                                                 struct doca_mmap *mmap, void *addr, size_t len,
                                                 void *data, size_t data_len,
                                                 struct doca_buf **buf, const char *function)
{
    struct doca_buf *b;
    size_t offset;

    if (buf == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, NULL, function);
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, NULL, function);
    if (addr == NULL || data == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              inventory);
    if (len == 0 && DOCA_CORE_CHECK >= 2)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, inventory);
    if (inventory->stock.obj.state != DOCA_PRIV_STARTED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_STOCK_NOT_STARTED, function,
                              inventory);
    if (mmap->obj.state == DOCA_PRIV_STOPPED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_MMAP_NOT_STARTED, function,
                              mmap);
    offset = (size_t)((uintptr_t)addr - (uintptr_t)mmap->addr);
    if (offset > mmap->len || len > mmap->len - offset)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_RANGE_OUTSIDE, function,
                              mmap);
    if (inventory->stock.num_free == 0)
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_STOCK_EMPTY, function,
                              inventory);
    offset = (size_t)((uintptr_t)data - (uintptr_t)addr);
    if (offset > len || data_len > len - offset)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_BUF_DATA_OUTSIDE, function,
                              inventory);
    b = doca_priv_stock_take(&inventory->stock, mmap, (unsigned char *)addr, len);
    doca_priv_mmap_hold(mmap);
    b->data = (unsigned char *)data;
    b->data_len = data_len;
    *buf = b;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_priv_inventory_get_other(struct doca_buf_inventory *inventory,
                                                          struct doca_mmap *mmap, void *addr,
                                                          size_t len, void *data, size_t data_len,
                                                          struct doca_buf **buf,
                                                          const char *function)
{
    doca_error_t rc;

    DOCA_PRIV_CHECKED(doca_priv_check_take_turn(inventory, mmap, function);)
    rc = doca_priv_inventory_get_slow(inventory, mmap, addr, len, data, data_len, buf, function);
    DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
    return rc;
}

/* Move the window of a buffer within its mmap. */
static doca_error_t doca_priv_inventory_reuse(struct doca_buf *buf, void *addr, size_t len,
                                              void *data, size_t data_len, const char *function)
{
    DOCA_PRIV_OPEN(buf)
    DOCA_PRIV_CHECKED(doca_error_t rc;)
    const struct doca_mmap *mmap;
    size_t offset;

    if (!doca_priv_is_buf(buf) || addr == NULL || data == NULL)
        return doca_priv_buf_refuse(buf, addr != NULL ? data : NULL, function);
    if (buf->flags == 0)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_BUF_RETURNED, function, buf);
    mmap = buf->mmap;
    if (doca_priv_buf_stock(buf)->obj.kind == DOCA_PRIV_KIND_POOL ||
        mmap->obj.owner == DOCA_PRIV_OF_DPDK)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_BUF_FIXED, function, buf);
    if (!doca_priv_mmap_is_started(mmap, mmap->serial)) /* possible with is_shared */
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_MMAP_NOT_STARTED, function,
                              mmap);
    if (len == 0 && DOCA_CORE_CHECK >= 2)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, buf);
    offset = (size_t)((uintptr_t)addr - (uintptr_t)mmap->addr);
    if (offset > mmap->len || len > mmap->len - offset)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_RANGE_OUTSIDE, function,
                              mmap);
    offset = (size_t)((uintptr_t)data - (uintptr_t)addr);
    if (offset > len || data_len > len - offset)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_BUF_DATA_OUTSIDE, function,
                              buf);
    DOCA_PRIV_CHECKED(if (doca_priv_check_is_busy(buf, false, function)) return DOCA_ERROR_IN_USE;
                      rc = doca_priv_check_take_buf(buf, false, function);
                      if (rc != DOCA_SUCCESS) return rc;)
    buf->head = (unsigned char *)addr;
    buf->end = (unsigned char *)((uintptr_t)addr + len);
    buf->data = (unsigned char *)data;
    buf->data_len = data_len;
    DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_reuse_by_addr(struct doca_buf *buf, void *addr,
                                                                 size_t len)
{
    return doca_priv_inventory_reuse(buf, addr, len, addr, 0, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_reuse_by_data(struct doca_buf *buf, void *data,
                                                                 size_t data_len)
{
    return doca_priv_inventory_reuse(buf, data, data_len, data, data_len, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_reuse_by_args(struct doca_buf *buf, void *addr,
                                                                 size_t len, void *data,
                                                                 size_t data_len)
{
    return doca_priv_inventory_reuse(buf, addr, len, data, data_len, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory,
                                                               struct doca_mmap *mmap, void *addr,
                                                               size_t len, void *data,
                                                               size_t data_len,
                                                               struct doca_buf **buf)
{
    return doca_priv_hot_buf_inventory_buf_get_by_args(inventory, mmap, addr, len, data, data_len,
                                                       buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_get_by_addr(struct doca_buf_inventory *inventory,
                                                               struct doca_mmap *mmap, void *addr,
                                                               size_t len, struct doca_buf **buf)
{
    return doca_priv_hot_buf_inventory_buf_get_by_addr(inventory, mmap, addr, len, buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_get_by_data(struct doca_buf_inventory *inventory,
                                                               struct doca_mmap *mmap, void *data,
                                                               size_t data_len,
                                                               struct doca_buf **buf)
{
    return doca_priv_hot_buf_inventory_buf_get_by_data(inventory, mmap, data, data_len, buf);
}

static doca_error_t doca_priv_inventory_dup(struct doca_buf_inventory *inventory,
                                            const struct doca_buf *src_buf,
                                            struct doca_buf **dst_buf, const char *function)
{
    doca_error_t rc =
        doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, dst_buf, function);
    struct doca_buf *copy, *head = NULL;
    const struct doca_buf *src;
    DOCA_PRIV_WITH_DPDK(bool has_mbufs = false;)
    uint32_t num = 0;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is_buf(src_buf))
        return doca_priv_fail_handle(src_buf, function);
    if (inventory->stock.obj.state != DOCA_PRIV_STARTED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_STOCK_NOT_STARTED, function,
                              inventory);
    rc = doca_priv_buf_check_list(src_buf, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    for (src = src_buf; src != NULL; src = src->next)
        num++;
    if (num > inventory->stock.num_free)
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_STOCK_EMPTY, function,
                              inventory);
    for (src = src_buf; src != NULL; src = src->next) {
        copy = doca_priv_stock_take(&inventory->stock, src->mmap, src->head,
                                    doca_priv_buf_len(src));
        doca_priv_mmap_hold(src->mmap);
        copy->data = src->data;
        copy->data_len = src->data_len;
        if (head == NULL) {
            head = copy;
        } else {
            doca_priv_buf_append(head, copy);
        }
        DOCA_PRIV_WITH_DPDK(has_mbufs |= src->mmap->obj.owner == DOCA_PRIV_OF_DPDK;)
    }
    DOCA_PRIV_WITH_DPDK(if (doca_unlikely(has_mbufs)) doca_priv_dpdk_hold(src_buf);)
    *dst_buf = (struct doca_buf *)DOCA_PRIV_HANDLE(head);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
                                                       const struct doca_buf *src_buf,
                                                       struct doca_buf **dst_buf)
{
    DOCA_PRIV_OPEN(src_buf)
    doca_error_t rc;

    DOCA_PRIV_CHECKED(if (doca_priv_check_is_out(src_buf) && doca_priv_buf_is_list_head(src_buf))
                          (void)doca_priv_check_is_busy(src_buf, true, __func__);)
    DOCA_PRIV_CHECKED(doca_priv_check_take_turn(
        inventory, doca_priv_check_is_out(src_buf) ? src_buf->mmap : NULL, __func__);)
    rc = doca_priv_inventory_dup(inventory, src_buf, dst_buf, __func__);
    DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_get_num_elements(
    const struct doca_buf_inventory *inventory, uint32_t *num_of_elements)
{
    doca_error_t rc =
        doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, num_of_elements, __func__);

    if (rc == DOCA_SUCCESS)
        *num_of_elements = inventory->stock.num;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_get_num_free_elements(
    const struct doca_buf_inventory *inventory, uint32_t *num_of_free_elements)
{
    doca_error_t rc =
        doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, num_of_free_elements, __func__);

    if (rc == DOCA_SUCCESS)
        *num_of_free_elements = inventory->stock.num_free;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_get_user_data(
    const struct doca_buf_inventory *inventory, union doca_data *user_data)
{
    doca_error_t rc =
        doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, user_data, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_priv_inventory_is_legacy(inventory))
        return DOCA_PRIV_FAIL(NOT_PERMITTED, LEGACY_INVENTORY, inventory);
    *user_data = inventory->stock.user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory,
                                                             union doca_data user_data)
{
    DOCA_PRIV_ENTER(inventory, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    if (doca_priv_inventory_is_legacy(inventory))
        return DOCA_PRIV_FAIL(NOT_PERMITTED, LEGACY_INVENTORY, inventory);
    inventory->stock.user_data = user_data;
    return DOCA_SUCCESS;
}
