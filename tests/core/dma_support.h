/* Helpers of the suites of the DMA engine: buffers and lists of them, and a check of all bytes
 * outside of the destination. */
#ifndef DMA_SUPPORT_H
#define DMA_SUPPORT_H

#include "held_backend.h"

#include <sys/mman.h>

enum { TASKS = 8, LEN = 64 };

static unsigned char want_to[RIG_BYTES], kept_from[RIG_BYTES];

/* Save the contents of the ranges. The test then changes the saved contents to what it expects. */
static inline void remember_ranges(void)
{
    memcpy(want_to, rig_to, RIG_BYTES);
    memcpy(kept_from, rig_from, RIG_BYTES);
}

static inline void check_ranges(void)
{
    size_t i;

    for (i = 0; i < RIG_BYTES; i++) {
        if (rig_to[i] != want_to[i])
            test_fail(__FILE__, __LINE__, "destination byte %lu is 0x%02x, want 0x%02x",
                      (unsigned long)i, rig_to[i], want_to[i]);
        if (rig_from[i] != kept_from[i])
            test_fail(__FILE__, __LINE__, "source byte %lu was written", (unsigned long)i);
    }
}

static inline void run(struct rig *r, struct doca_dma_task_memcpy *task)
{
    unsigned num_ok = r->num_ok;

    CHECK_OK(rig_submit(task));
    rig_drain(r);
    CHECK_EQ(r->num_ok, num_ok + 1);
}

static inline struct doca_buf *get_args(struct rig *r, struct doca_mmap *mmap, unsigned char *addr,
                                        size_t len, size_t data_off, size_t data_len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_args(r->inventory, mmap, addr, len, addr + data_off,
                                                data_len, &buf));
    return buf;
}

/* Make a list of `num` buffers of `len` bytes each. */
static inline struct doca_buf *get_list(struct rig *r, struct doca_mmap *mmap, unsigned char *addr,
                                        size_t len, unsigned num, bool as_content)
{
    struct doca_buf *head = NULL;
    unsigned i;

    for (i = 0; i < num; i++) {
        struct doca_buf *buf = get_args(r, mmap, addr + i * len, len, 0, as_content ? len : 0);

        if (head == NULL)
            head = buf;
        else
            CHECK_OK(doca_buf_chain_list(head, buf));
    }
    return head;
}

#endif
