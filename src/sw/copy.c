/* ---- >>impl.sw.copy -------------------------------------------------------------------------
 * The copy queue: poll executes the first task.
 * A copy between two single buffers takes the fast path in doca_priv_sw_dma_poll() if the queue's
 * device is the only device of both mmaps. The test compares the first two bytes of each buffer
 * with `fast_buf_word`.                                                                         */
#include "sw/copy_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "memory/mmap_dev_priv.h"
#include "memory/mmap_get_priv.h"
#include "progress/task.h"
#include "engine/dma_priv.h"
#include "sw/sw_priv.h"

/* True when the list contains memory of an exporter. */
static bool doca_priv_sw_reads_import(const struct doca_buf *src)
{
    while (src != NULL && doca_priv_mmap_local(src->mmap, src->data) != NULL)
        src = src->next;
    return src != NULL;
}

/* Copy between two lists, at least one of which is far. The data goes directly to the destination.
 * The token is read after the data, because only then is it known whether the export was valid
 * while the data was read. When a task fails that reads from an exporter, everything that it has
 * written is set to 0. */
static DOCA_PRIV_COLD enum doca_core_item doca_priv_sw_memcpy_far(struct doca_dma_task_memcpy *t)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_sw_out out;
    const struct doca_buf *src;
    uint64_t len = 0;

    doca_priv_sw_sync(t->src, true);
    doca_priv_sw_sync(t->dst, true);
    doca_priv_sw_out_begin(&out, t->dst);
    for (src = t->src; src != NULL && item == DOCA_CORE_ITEM_NONE; src = src->next) {
        item = doca_priv_sw_far_append(&out, src->mmap, src->data, src->data_len);
        len += src->data_len;
    }
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_sw_out_end(&out, t->dst, len);
    if (item != DOCA_CORE_ITEM_NONE && doca_priv_sw_reads_import(t->src))
        doca_priv_sw_out_clear(&out, t->dst);
    doca_priv_sw_sync(t->dst, false);
    doca_priv_sw_sync(t->src, false);
    return item;
}

/* Execute a copy of lists or far memory, or a task that may be invalid. */
static doca_error_t doca_priv_sw_memcpy_slow(struct doca_dma_task_memcpy *t)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_buf *dst = t->dst;
    const struct doca_buf *src;
    bool is_far = false;

    if (doca_priv_dma_inspect(t, &is_far, &item) == DOCA_SUCCESS && DOCA_PRIV_SW_IS_FAR(is_far))
        item = doca_priv_sw_memcpy_far(t);
    if (doca_unlikely(item != DOCA_CORE_ITEM_NONE))
        return doca_priv_fail(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", t);
    for (src = t->src; !DOCA_PRIV_SW_IS_FAR(is_far) && src != NULL; src = src->next)
        dst = doca_priv_sw_append(dst, src->data, src->data_len);
    return DOCA_SUCCESS;
}

/* The first two bytes of a buffer with this kind and these flags. */
DOCA_PRIV_HOT uint16_t doca_priv_buf_begin_of(uint8_t kind, uint8_t flags)
{
    const uint8_t begin[2] = { kind, flags };
    uint16_t word;

    DOCA_PRIV_COPY(&word, begin, sizeof(word));
    return word;
}

/* The first two bytes of `buf`: its kind and flags. */
DOCA_PRIV_HOT uint16_t doca_priv_buf_begin(const struct doca_buf *buf)
{
    uint16_t word;

    DOCA_PRIV_COPY(&word, buf, sizeof(word));
    return word;
}

/* Execute any copy task and return its status. */
static doca_error_t doca_priv_sw_memcpy(const struct doca_priv_sw_dma_queue *q,
                                        struct doca_dma_task_memcpy *t)
{
    struct doca_buf *dst = t->dst;

    if (DOCA_CORE_CHECK >= 2 || doca_unlikely(!doca_priv_sw_memcpy_is_plain(q, t)))
        return doca_priv_sw_memcpy_slow(t);
    doca_priv_sw_copy(dst->data + dst->data_len, t->src->data, t->src->data_len);
    dst->data_len += t->src->data_len;
    return DOCA_SUCCESS;
}

/* Execute a copy task that does not take the fast path. */
static DOCA_PRIV_NOINLINE struct doca_task *
doca_priv_sw_dma_other(const struct doca_priv_sw_dma_queue *q, struct doca_dma_task_memcpy *t)
{
    t->task.status = (uint8_t)doca_priv_sw_memcpy(q, t);
    return &t->task;
}

/* Copy between fast-path buffers when the length is less than 32 or more than DOCA_PRIV_SW_SMALL
 * bytes. */
static DOCA_PRIV_NOINLINE struct doca_task *
doca_priv_sw_dma_copy(const struct doca_priv_sw_dma_queue *q, struct doca_dma_task_memcpy *t,
                      size_t len)
{
    unsigned char *to = t->dst->data + t->dst->data_len;

    if (doca_unlikely(len - 1 >= q->max_bytes || len > doca_priv_buf_tailroom(t->dst)))
        return doca_priv_sw_dma_other(q, t); /* because of the -1, an empty source counts as too
                                              * long */
    t->dst->data_len += len;
    t->task.status = DOCA_SUCCESS;
    doca_priv_sw_copy(to, t->src->data, len);
    return &t->task;
}

static struct doca_task *doca_priv_sw_dma_poll(struct doca_core_queue *queue)
{
    struct doca_priv_sw_dma_queue *q = (struct doca_priv_sw_dma_queue *)(void *)queue;
    struct doca_dma_task_memcpy *t = (struct doca_dma_task_memcpy *)(void *)queue->first;
    const struct doca_buf *src;
    struct doca_buf *dst;
    uintptr_t to;
    size_t len;

    if (t == NULL)
        return NULL;
    queue->first = t->task.next;
    /* with thousands of tasks in flight, the next task is not in a near cache */
    DOCA_PRIV_PREFETCH(queue->first);
    src = t->src;
    dst = t->dst;
    len = src->data_len;
    if (DOCA_CORE_CHECK >= 2 ||
        doca_unlikely((doca_priv_buf_begin(src) | doca_priv_buf_begin_of(0, DOCA_PRIV_BUF_WRITE)) !=
                          q->fast_buf_word ||
                      doca_priv_buf_begin(dst) != q->fast_buf_word))
        return doca_priv_sw_dma_other(q, t);
    if (doca_unlikely(len - 32 > DOCA_PRIV_SW_SMALL - 32))
        return doca_priv_sw_dma_copy(q, t, len);
    to = (uintptr_t)dst->data + dst->data_len;
    /* the sum cannot overflow: fast-path buffers end below the last page of the address space */
    if (doca_unlikely(to + len > (uintptr_t)dst->end))
        return doca_priv_sw_dma_other(q, t);
    dst->data_len += len;
    t->task.status = DOCA_SUCCESS;
    doca_priv_sw_copy_small((unsigned char *)to, src->data, len);
    return &t->task;
}

#if DOCA_CORE_TRACE
static struct doca_task *doca_priv_sw_dma_poll_traced(struct doca_core_queue *queue)
{
    struct doca_task *task = queue->first;

    if (task == NULL)
        return NULL;
    doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, task, 0, 0);
    task = doca_priv_sw_dma_poll(queue);
    doca_priv_trace(DOCA_PRIV_TRACE_END, task, 0, 0);
    return task;
}
#endif

DOCA_PRIV_DECL void doca_priv_sw_dma_open(struct doca_core_queue *queue)
{
    struct doca_priv_sw_dma_queue *q = (struct doca_priv_sw_dma_queue *)(void *)queue;
    const struct doca_dev *dev = queue->dev;

    queue->poll = doca_priv_sw_dma_poll;
    DOCA_PRIV_TRACED(queue->poll = doca_priv_sw_dma_poll_traced;)
    q->max_bytes = dev->info.attr.limits.dma_max_buf_size;
    /* The fast path needs a flag of this device in the buffers; without the flag, buffers of other
     * devices would match, too. The fast path also needs a limit that small copies cannot exceed,
     * because it does not compare their length with the limit. */
    if (doca_priv_buf_dev(dev->bit) != 0 && q->max_bytes >= DOCA_PRIV_SW_SMALL)
        q->fast_buf_word = doca_priv_buf_begin_of(
            DOCA_PRIV_KIND_BUF,
            DOCA_PRIV_BUF_OUT | DOCA_PRIV_BUF_WRITE | doca_priv_buf_dev(dev->bit));
}
