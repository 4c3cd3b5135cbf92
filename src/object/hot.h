/* ---- >>hot ----------------------------------------------------------------------------------
 * Data-path functions that programs inline: only the common case of each call. The rare cases are
 * handled out of line, by a function of the same name ending in _other, in the section that the
 * call belongs to. All of these calls also exist as ordinary functions, for other languages and
 * for DOCA_CORE_NO_INLINE. This part defines the types of handles and the checks of a handle; the
 * parts named hot_... contain the calls.                                                        */
#ifndef DOCA_SRC_OBJECT_HOT_H
#define DOCA_SRC_OBJECT_HOT_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/types.h"

/* Types of objects. Numbers start at 0xc1 so that a stray pointer rarely looks valid: buffers and
 * tasks are too small for a guard word. */
enum {
    DOCA_PRIV_KIND_ARENA = 0xc1,
    DOCA_PRIV_KIND_DEVINFO_LIST,
    DOCA_PRIV_KIND_DEVINFO,
    DOCA_PRIV_KIND_DEV,
    DOCA_PRIV_KIND_REP_LIST,
    DOCA_PRIV_KIND_DEVINFO_REP,
    DOCA_PRIV_KIND_DEV_REP,
    DOCA_PRIV_KIND_MMAP,
    DOCA_PRIV_KIND_MMAP_GONE, /* a destroyed mmap that still has buffers; not a valid handle */
    DOCA_PRIV_KIND_BUF,
    DOCA_PRIV_KIND_INVENTORY,
    DOCA_PRIV_KIND_INVENTORY_MORE, /* memory added by expanding an inventory; not a handle */
    DOCA_PRIV_KIND_POOL,
    DOCA_PRIV_KIND_ARRAY,
    DOCA_PRIV_KIND_TASK,
    DOCA_PRIV_KIND_BATCH,
    DOCA_PRIV_KIND_DMA, /* the first type of context */
    DOCA_PRIV_KIND_SHA,
    DOCA_PRIV_KIND_MMAP_ADVISE,
    DOCA_PRIV_KIND_COMCH_SERVER, /* this and the following three: tools/compat/doca_core_comch.h */
    DOCA_PRIV_KIND_COMCH_CLIENT,
    DOCA_PRIV_KIND_COMCH_CONSUMER,
    DOCA_PRIV_KIND_COMCH_PRODUCER,
    DOCA_PRIV_KIND_RDMA, /* tools/compat/doca_core_rdma.h */
    DOCA_PRIV_KIND_SYNC_EVENT, /* the last type of context */
    DOCA_PRIV_KIND_SYNC_EVENT_NET,
    DOCA_PRIV_KIND_PE,
    DOCA_PRIV_KIND_GRAPH,
    DOCA_PRIV_KIND_NODE,
    DOCA_PRIV_KIND_INSTANCE,
    DOCA_PRIV_KIND_DPDK_MEMPOOL,
    DOCA_PRIV_KIND_SW_WORKER,
    DOCA_PRIV_KIND_LEGACY_MMAP, /* this and the following: tools/compat/doca_core_legacy.h */
    DOCA_PRIV_KIND_LEGACY_DMA,
    DOCA_PRIV_KIND_LEGACY_SHA, /* contexts are the types from DMA to SHA */
    DOCA_PRIV_KIND_LEGACY_SESSION,
    DOCA_PRIV_KIND_LEGACY_GRAPH,
    DOCA_PRIV_KIND_LEGACY_NODE,
    DOCA_PRIV_KIND_LEGACY_INSTANCE,
    DOCA_PRIV_KIND_WORKQ,
    DOCA_PRIV_KIND_COMCH_CONNECTION, /* this and the following: tools/compat/doca_core_comch.h */
    DOCA_PRIV_KIND_ENDPOINT,
    DOCA_PRIV_KIND_PEER,
    DOCA_PRIV_KIND_RDMA_CONNECTION, /* this and the following: tools/compat/doca_core_rdma.h */
    DOCA_PRIV_KIND_RDMA_ADDR,
    DOCA_PRIV_KIND_END
};

enum { /* values of doca_priv_object.owner */
    DOCA_PRIV_OF_DPDK = 1,
    DOCA_PRIV_OF_LEGACY = 2
};

#define DOCA_PRIV_GUARD 0xd0ca /* value of doca_priv_object.guard while the object is alive */

enum { /* Events of an object. STATE + s: a context changes to state s. */
    DOCA_PRIV_NOTE_CREATED,
    DOCA_PRIV_NOTE_DESTROYED,
    DOCA_PRIV_NOTE_TAKEN,
    DOCA_PRIV_NOTE_RETURNED,
    DOCA_PRIV_NOTE_SUBMITTED,
    DOCA_PRIV_NOTE_COMPLETED,
    DOCA_PRIV_NOTE_CHAINED,
    DOCA_PRIV_NOTE_STATE
};

#if DOCA_CORE_CHECK >= 2
struct doca_priv_stock;

DOCA_CORE_DECL bool doca_priv_check_open(void *handle);
DOCA_CORE_DECL void *doca_priv_check_handle(const void *object);
DOCA_CORE_DECL void *doca_priv_check_handle_of(const void *object, uint64_t life);
DOCA_CORE_DECL uint64_t doca_priv_check_note(const void *object, unsigned what);
DOCA_CORE_DECL void doca_priv_check_finish(struct doca_task *task);
DOCA_CORE_DECL void doca_priv_check_bury_buf(struct doca_priv_stock *stock, struct doca_buf *buf);
DOCA_CORE_DECL void doca_priv_check_bury_task(struct doca_task *task);
DOCA_CORE_DECL void doca_priv_check_take_turn(const void *stock, const struct doca_mmap *mmap,
                                              const char *function);
DOCA_CORE_DECL void doca_priv_check_end_turn(void);
DOCA_CORE_DECL doca_error_t doca_priv_check_take_buf(const struct doca_buf *buf, bool returns,
                                                     const char *function);
DOCA_CORE_DECL void doca_priv_check_read_buf(const struct doca_buf *buf, bool is_content,
                                             const char *function);
DOCA_CORE_DECL void doca_priv_check_read_task(const struct doca_task *task, const char *function);
DOCA_CORE_DECL void doca_priv_check_has_ended(const struct doca_task *task, const char *function);
#endif

/* Add `n` to the buffer count of an mmap without doca_mmap_enable_thread_safety(). */
#if DOCA_CORE_SHARED_MMAPS
#define DOCA_PRIV_COUNT(mmap, n) ((void)DOCA_PRIV_FETCH_ADD(&(mmap)->num_bufs, (uint32_t)(n)))
#else
#define DOCA_PRIV_COUNT(mmap, n) ((void)((mmap)->num_bufs += (uint32_t)(n)))
#endif

/* States of mmap, inventory and pool. A started mmap that threads share has its own state number,
 * so that the fast path for other mmaps needs no extra check. */
enum { DOCA_PRIV_STOPPED = 0, DOCA_PRIV_STARTED = 1, DOCA_PRIV_STARTED_SHARED = 2 };

/* True when `object` is a live object of this type in this state. This is one comparison with a
 * constant that fits into an instruction. With DOCA_CORE_CHECK 0, only NULL and the state are
 * checked. */
DOCA_PRIV_HOT bool doca_priv_is_in(const void *object, uint8_t kind, uint8_t state)
{
    const struct doca_priv_object wanted = { kind, state, DOCA_PRIV_GUARD, 0 };
    uint32_t is, should;

    if (DOCA_CORE_CHECK == 0)
        return object != NULL && ((const struct doca_priv_object *)object)->state == state;
    DOCA_PRIV_COPY(&should, &wanted, sizeof(should));
    if (doca_unlikely(object == NULL))
        return false;
    DOCA_PRIV_COPY(&is, object, sizeof(is));
    return is == should;
}

#endif
