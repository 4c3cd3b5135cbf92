/* Memory maps and inventories for suites that need no device and no rig. */
#ifndef BUFFERS_H
#define BUFFERS_H

#include "doca_test.h"

/* Start an mmap without devices over [addr, addr + len). */
static inline struct doca_mmap *mmap_of(void *addr, size_t len)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, addr, len));
    CHECK_OK(doca_mmap_start(mmap));
    return mmap;
}

/* Return the number of buffers of the mmap. */
static inline uint32_t num_bufs(const struct doca_mmap *mmap)
{
    uint32_t num = UINT32_MAX;

    CHECK_OK(doca_mmap_get_num_bufs(mmap, &num));
    return num;
}

/* Start an inventory of `num` elements. */
static inline struct doca_buf_inventory *inventory_of(size_t num)
{
    struct doca_buf_inventory *inventory;

    CHECK_OK(doca_buf_inventory_create(num, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    return inventory;
}

/* Remove one reference of the buffer. */
static inline void release(struct doca_buf *buf)
{
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
}

#endif
