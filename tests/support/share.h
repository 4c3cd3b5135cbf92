/* Helpers for tests that export and import memory, and for tasks on imports that must fail. */
#ifndef SHARE_H
#define SHARE_H

#include "fixture.h"

#include <sys/mman.h>
#include <unistd.h>

#define SHARE_PCI (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE)
#define SHARE_RDMA                                                                                 \
    (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE)

typedef doca_error_t share_export_t(struct doca_mmap *mmap, const struct doca_dev *dev,
                                    const void **desc, size_t *len);

/* A memory range that this process exports and imports again. */
struct share {
    struct doca_mmap *map;
    struct doca_mmap *import;
    const void *desc; /* export descriptor of `map` */
    size_t desc_len;
};

static inline struct doca_mmap *share_map(struct doca_dev *dev, void *addr, size_t len,
                                          uint32_t access)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, addr, len));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_set_permissions(mmap, access));
    CHECK_OK(doca_mmap_start(mmap));
    return mmap;
}

/* True when the devices can export memory for RDMA only: a PCI export needs another function of the
 * same card, which could import it. */
static inline bool share_is_rdma_only(void)
{
    return test_other() != NULL && !test_other()->has_card;
}

/* Return the RDMA permissions that allow the same accesses as the PCI permissions in `access`. */
static inline uint32_t share_rdma_access(uint32_t access)
{
    uint32_t rdma = access & (DOCA_ACCESS_FLAG_LOCAL_READ_ONLY | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);

    if ((access & (DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE)) != 0)
        rdma |= DOCA_ACCESS_FLAG_RDMA_READ;
    if ((access & DOCA_ACCESS_FLAG_PCI_READ_WRITE) != 0)
        rdma |= DOCA_ACCESS_FLAG_RDMA_WRITE;
    return rdma;
}

/* Export a range with the function `how`, and import it in this process. If the devices can only
 * export for RDMA, use an RDMA export with equivalent permissions instead. */
static inline void share_open(struct share *s, struct doca_dev *dev, void *addr, size_t len,
                              uint32_t access, share_export_t *how)
{
    if (share_is_rdma_only() && how == doca_mmap_export_pci) {
        access = share_rdma_access(access);
        how = doca_mmap_export_rdma;
    }
    s->map = share_map(dev, addr, len, access);
    CHECK_OK(how(s->map, dev, &s->desc, &s->desc_len));
    CHECK_OK(doca_mmap_create_from_export(NULL, s->desc, s->desc_len, dev, &s->import));
}

static inline void share_close(struct share *s)
{
    CHECK_OK(doca_mmap_destroy(s->import));
    CHECK_OK(doca_mmap_destroy(s->map));
}

/* Get a buffer on [addr, addr + len) whose content is `data_len` bytes from addr + data_off on. */
static inline struct doca_buf *share_buf(struct rig *r, struct doca_mmap *mmap, void *addr,
                                         size_t len, size_t data_off, size_t data_len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_args(r->inventory, mmap, addr, len,
                                                (unsigned char *)addr + data_off, data_len, &buf));
    return buf;
}

static inline struct doca_buf *share_src(struct rig *r, struct doca_mmap *mmap, void *addr,
                                         size_t len)
{
    return share_buf(r, mmap, addr, len, 0, len);
}

static inline struct doca_buf *share_dst(struct rig *r, struct doca_mmap *mmap, void *addr,
                                         size_t len)
{
    return share_buf(r, mmap, addr, len, 0, 0);
}

static inline void share_drop(struct doca_buf *src, struct doca_buf *dst)
{
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
}

/* The reason why the latest task failed, recorded in its callback. */
static enum doca_core_item share_item;
static char share_text[512];

/* Hook of a rig: record why the task failed, and free the task but not its buffers. */
static inline void share_task_done(struct rig *r, struct doca_dma_task_memcpy *task)
{
    share_item = DOCA_CORE_ITEM_NONE;
    share_text[0] = '\0';
    if (r->status != DOCA_SUCCESS) {
        share_item = doca_core_last_item();
        strncpy(share_text, doca_core_last_error(), sizeof(share_text) - 1);
    }
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static inline void share_rig_open(struct rig *r, uint32_t num_tasks)
{
    rig_open(r, num_tasks);
    r->on_task = share_task_done;
}

/* Copy with a new task, and return the status of the task. */
static inline doca_error_t share_run(struct rig *r, struct doca_buf *src, struct doca_buf *dst)
{
    unsigned before = r->num_ok + r->num_failed;

    CHECK_OK(rig_submit(rig_task(r->dma, src, dst)));
    rig_drain(r);
    CHECK_EQ(r->num_ok + r->num_failed, before + 1);
    return r->status;
}

/* Start the context again after a failed task has stopped it. */
static inline void share_recover(struct rig *r)
{
    CHECK_EQ(rig_state(r->ctx), DOCA_CTX_STATE_IDLE);
    CHECK_OK(doca_ctx_start(r->ctx));
    rig_drain(r);
    rig_forget_states(r);
}

/* True for failures that an RDMA device detects only when it uses the memory key. The software
 * device already detects them in doca_task_try_submit(). */
static inline bool share_is_by_key(enum doca_core_item item)
{
    return item == DOCA_CORE_ITEM_EXPORTER_STOPPED || item == DOCA_CORE_ITEM_EXPORTER_GONE;
}

/* Check that a task failed for the reason `item`. An RDMA device cannot tell a deregistered key
 * from any other wrong key. Soft-RoCE reports a wrong key of a source as a failure of the queue. */
static inline void share_check_item(enum doca_core_item got, enum doca_core_item item)
{
    bool is_any_key = got == DOCA_CORE_ITEM_MLX5_PROTECTION || got == DOCA_CORE_ITEM_MLX5_ACCESS ||
                      (share_is_rdma_only() && got == DOCA_CORE_ITEM_MLX5_QP_OP);

    if (test_other() != NULL && share_is_by_key(item) && is_any_key)
        item = got;
    CHECK_STR(doca_core_item_text(got), doca_core_item_text(item));
}

/* Check that a copy fails on the device for the reason `item` and leaves the destination's data
 * length unchanged; release the buffers. */
static inline void share_fails(struct rig *r, struct doca_buf *src, struct doca_buf *dst,
                               enum doca_core_item item)
{
    size_t content = rig_data_len(dst);
    struct doca_buf *element;

    CHECK_RC(share_run(r, src, dst), DOCA_ERROR_IO_FAILED);
    share_check_item(share_item, item);
    CHECK(strstr(share_text, doca_core_item_text(share_item)) != NULL);
    CHECK(strstr(share_text, "IO_FAILED") != NULL);
    CHECK_EQ(rig_data_len(dst), content);
    CHECK_OK(doca_buf_get_next_in_list(dst, &element));
    while (element != NULL) {
        CHECK_EQ(rig_data_len(element), 0);
        CHECK_OK(doca_buf_get_next_in_list(element, &element));
    }
    share_drop(src, dst);
    share_recover(r);
}

/* Check that try_submit refuses a copy, and that the device refuses it when it is submitted
 * unchecked; release the buffers. */
static inline void share_refused(struct rig *r, struct doca_buf *src, struct doca_buf *dst,
                                 doca_error_t code, enum doca_core_item item)
{
    struct doca_dma_task_memcpy *task;

    if (test_other() != NULL && share_is_by_key(item)) {
        share_fails(r, src, dst, item);
        return;
    }
    task = rig_task(r->dma, src, dst);
    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), code);
    CHECK_STR(doca_core_item_text(doca_core_last_item()), doca_core_item_text(item));
    if (DOCA_CORE_CHECK >= 2)
        CHECK_RC(rig_submit(task), code);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    if (DOCA_CORE_CHECK >= 2)
        share_drop(src, dst);
    else
        share_fails(r, src, dst, item);
}

/* Make a copy, which must succeed, and release the buffers. */
static inline void share_copy(struct rig *r, struct doca_buf *src, struct doca_buf *dst)
{
    CHECK_OK(share_run(r, src, dst));
    share_drop(src, dst);
}

/* Map anonymous pages. They contain zeros. */
static inline unsigned char *share_pages(size_t bytes, int protection, int flags)
{
    void *addr = mmap(NULL, bytes, protection, flags | MAP_ANONYMOUS, -1, 0);

    CHECK(addr != MAP_FAILED);
    return addr;
}

static inline void share_fill(unsigned char *at, size_t bytes, unsigned seed)
{
    size_t i;

    for (i = 0; i < bytes; i++)
        at[i] = (unsigned char)(i * 29 + (i >> 8) * 13 + (i >> 16) * 5 + seed);
}

/* Compute the CRC-32 of Ethernet, for forged descriptors with a correct checksum. */
static inline uint32_t share_crc(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint32_t crc = UINT32_MAX;
    size_t bit;

    for (bit = 0; bit < 8 * bytes; bit++) {
        bool is_one = ((crc ^ (uint32_t)at[bit / 8] >> bit % 8) & 1) != 0;

        crc >>= 1;
        if (is_one)
            crc ^= 0xedb88320u;
    }
    return ~crc;
}

static inline void share_seal(struct doca_priv_mmap_desc *desc)
{
    desc->head.crc = 0;
    desc->head.crc = share_crc(desc, sizeof(*desc));
}

#endif
