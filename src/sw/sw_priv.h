/* ---- >>priv.sw -------------------------------------------------------------------------------
 * The queues of the software device, and the copy functions that its queues share.
 * Terms: memory is *far* when it is not at its own address in this process: memory of an exporter
 * or of a dmabuf. A list is far when one of its buffers is far. A *trip* is a batch of pieces that
 * are copied to or from an exporter in one system call (struct doca_priv_far_trip).             */
#ifndef DOCA_SRC_SW_SW_PRIV_H
#define DOCA_SRC_SW_SW_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/probe_priv.h"
#include "device/backend.h"
#include "memory/export_priv.h"
#include "sw/sw.h"

struct doca_core_range;
struct doca_priv_far;
struct doca_priv_far_trip;
struct doca_priv_sha_kernels;

#define DOCA_PRIV_SW_SMALL 64 /* maximum length in bytes of a copy that takes the path for small
                               * copies */

struct doca_priv_sw_dma_queue {
    struct doca_core_queue queue;
    uint16_t fast_buf_word; /* first two bytes (kind, flags) of a buffer that takes the fast path:
                             * it is writable and not part of a list, and its mmap has only this
                             * device. 0: no buffer takes it */
    uint64_t max_bytes;     /* limit of the device for one copy, in bytes: a copy of its
                             * attribute */
};

struct doca_priv_sw_sha_queue {
    struct doca_core_queue queue;
    const struct doca_priv_sha_kernels *kernels;
    uint32_t num_done;  /* tasks at the head of the list that were executed as a group and that poll
                         * has not returned yet */
    uint32_t num_alone; /* tasks at the head of the list that are too few for a group: poll executes
                         * them one at a time */
};

#if defined(DOCA_PRIV_STREAMS)
/* Copies of at least this many bytes may bypass the caches. A destination of this size displaces
 * everything else from the caches, although it may not be read soon. A copy that is not much longer
 * still goes through the caches if the last-level cache has room for its source and destination. */
#define DOCA_PRIV_SW_STREAM_BYTES ((size_t)32 << 20)
#endif
#if !defined(DOCA_PRIV_STREAMS)
#define doca_priv_sw_copy DOCA_CORE_MEMMOVE
#endif

/* True when a task must use the functions for far memory. In the checked mode every task does,
 * because these functions detect memory that is no longer mapped. */
#define DOCA_PRIV_SW_IS_FAR(is_far) (DOCA_CORE_CHECK >= 2 || (is_far))
#define DOCA_PRIV_SW_BOUNCE 8192 /* bytes on the stack, for copies through an intermediate buffer */

/* The place of the next output byte of a task with far lists. The contents of the destination
 * buffers grow only at the end of the task: by its whole output, or not at all. */
struct doca_priv_sw_out {
    const struct doca_buf *buf; /* buffer that receives the next byte */
    size_t filled;              /* bytes of the tailroom of `buf` that are written */
    uint64_t written; /* bytes written after the contents of the list. When trip.is_dirty is set,
                       * some of them may be in the destination even if the task fails */
    struct doca_priv_far_trip trip;
};

DOCA_PRIV_DECL doca_error_t doca_priv_sw_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd);
DOCA_PRIV_DECL doca_error_t doca_priv_sw_reg(struct doca_dev *dev, void *addr, size_t len,
                                             uint32_t access, uint32_t *mkey);
DOCA_PRIV_DECL doca_error_t doca_priv_sw_reg_range(struct doca_dev *dev,
                                                   const struct doca_core_range *range,
                                                   uint32_t *mkey, uint32_t *internal_mkey);
#if defined(DOCA_PRIV_STREAMS)
DOCA_PRIV_DECL DOCA_PRIV_NOINLINE void
doca_priv_sw_copy_large(unsigned char *to, const unsigned char *from, size_t len);
#endif
DOCA_PRIV_DECL DOCA_CORE_UNUSED struct doca_buf *
doca_priv_sw_append(struct doca_buf *dst, const unsigned char *from, size_t len);
DOCA_PRIV_DECL enum doca_core_item
doca_priv_sw_trip_add(struct doca_priv_far_trip *trip, const struct doca_priv_far *far,
                      bool is_write, unsigned char *local, const unsigned char *remote, size_t len);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sw_out_begin(struct doca_priv_sw_out *out,
                                                            const struct doca_buf *dst);
DOCA_PRIV_DECL DOCA_CORE_UNUSED enum doca_core_item
doca_priv_sw_far_append(struct doca_priv_sw_out *out, const struct doca_mmap *mmap,
                        unsigned char *from, size_t len);
DOCA_PRIV_DECL DOCA_PRIV_COLD void doca_priv_sw_out_clear(const struct doca_priv_sw_out *out,
                                                          const struct doca_buf *dst);
DOCA_PRIV_DECL DOCA_CORE_UNUSED enum doca_core_item
doca_priv_sw_out_end(struct doca_priv_sw_out *out, struct doca_buf *dst, uint64_t len);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sw_sync(const struct doca_buf *buf, bool begins);

#if defined(DOCA_PRIV_STREAMS)
/* Copy as memmove() does; a very long copy may bypass the caches. */
DOCA_PRIV_HOT void doca_priv_sw_copy(unsigned char *to, const unsigned char *from, size_t len)
{
    if (doca_unlikely(len >= DOCA_PRIV_SW_STREAM_BYTES))
        doca_priv_sw_copy_large(to, from, len);
    else
        DOCA_CORE_MEMMOVE(to, from, len);
}
#endif

/* Copy as memmove() does. In the checked mode, return the log item for memory that is no longer
 * mapped instead of letting a signal end the process. */
DOCA_PRIV_HOT enum doca_core_item doca_priv_sw_move(unsigned char *to, const unsigned char *from,
                                                    size_t len)
{
#if DOCA_CORE_CHECK >= 2
    return doca_priv_sys_move(to, from, len) ? DOCA_CORE_ITEM_NONE : DOCA_CORE_ITEM_BUF_MEMORY_GONE;
#else
    DOCA_CORE_MEMMOVE(to, from, len);
    return DOCA_CORE_ITEM_NONE;
#endif
}

#endif
