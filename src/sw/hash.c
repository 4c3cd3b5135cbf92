/* ---- >>impl.sw.hash -------------------------------------------------------------------------
 * The hash queue: poll executes the first task of the list, or the first few tasks as a group. A
 * group consists of plain tasks with the same algorithm; they are hashed side by side in SIMD
 * lanes. The tasks of a group stay in the list until poll returns them, one per call.           */
#include "sw/hash_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "memory/buf.h"
#include "memory/export_priv.h"
#include "memory/hot_buf.h"
#include "memory/mmap_get_priv.h"
#include "progress/task.h"
#include "engine/sha.h"
#include "engine/sha_priv.h"
#include "sw/lanes_priv.h"
#include "sw/sha_priv.h"
#include "sw/sw_priv.h"

/* Hash bytes of this process. In the checked mode they are first copied through the kernel, which
 * detects memory that is no longer mapped. */
DOCA_PRIV_DECL enum doca_core_item doca_priv_sw_absorb_local(struct doca_priv_sha_stream *s,
                                                             const unsigned char *from, size_t len)
{
#if DOCA_CORE_CHECK >= 2
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    unsigned char bounce[DOCA_PRIV_SW_BOUNCE];
    size_t n;

    for (; len > 0 && item == DOCA_CORE_ITEM_NONE; from += n, len -= n) {
        n = len < sizeof(bounce) ? len : sizeof(bounce);
        item = doca_priv_sw_move(bounce, from, n);
        if (item == DOCA_CORE_ITEM_NONE)
            doca_priv_sha_absorb(s, bounce, n);
    }
    return item;
#else
    doca_priv_sha_absorb(s, from, len);
    return DOCA_CORE_ITEM_NONE;
#endif
}

/* Hash the content of one buffer, which may be far. */
static enum doca_core_item doca_priv_sw_absorb(struct doca_priv_sha_stream *s,
                                               const struct doca_buf *src)
{
    const unsigned char *local = doca_priv_mmap_local(src->mmap, src->data);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    unsigned char bounce[DOCA_PRIV_SW_BOUNCE];
    struct doca_priv_far_trip trip;
    size_t done, n;

    if (local != NULL)
        return doca_priv_sw_absorb_local(s, local, src->data_len);
    doca_priv_far_begin(&trip, NULL);
    for (done = 0; done < src->data_len && item == DOCA_CORE_ITEM_NONE; done += n) {
        n = src->data_len - done < sizeof(bounce) ? src->data_len - done : sizeof(bounce);
        item = doca_priv_sw_trip_add(&trip, src->mmap->far, false, bounce, src->data + done, n);
        if (item == DOCA_CORE_ITEM_NONE)
            item = doca_priv_far_go(&trip);
        if (item == DOCA_CORE_ITEM_NONE)
            doca_priv_sha_absorb(s, bounce, n);
    }
    return item;
}

/* Append a digest of `len` bytes to a far list. */
static enum doca_core_item doca_priv_sw_put_far(struct doca_buf *dst, unsigned char *digest,
                                                size_t len)
{
    struct doca_priv_sw_out out;
    enum doca_core_item item;

    doca_priv_sw_out_begin(&out, dst);
    doca_priv_sw_sync(dst, true);
    item = doca_priv_sw_far_append(&out, NULL, digest, len);
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_sw_out_end(&out, dst, len);
    doca_priv_sw_sync(dst, false);
    return item;
}

/* Add a whole message, or a segment of a message, to the hash state in `s`. */
static enum doca_core_item doca_priv_sw_hash_src(struct doca_priv_sha_stream *s,
                                                 const struct doca_buf *src, bool is_far)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    const struct doca_buf *buf;

    if (!is_far) {
        for (buf = src; buf != NULL; buf = buf->next)
            doca_priv_sha_absorb(s, buf->data, buf->data_len);
        return item;
    }
    doca_priv_sw_sync(src, true);
    for (buf = src; buf != NULL && item == DOCA_CORE_ITEM_NONE; buf = buf->next)
        item = doca_priv_sw_absorb(s, buf);
    doca_priv_sw_sync(src, false);
    return item;
}

/* Execute any hash task and return its status. */
static doca_error_t doca_priv_sw_hash(struct doca_sha_task_hash *t,
                                      const doca_priv_sha_compress_t *compress)
{
    struct doca_sha_task_partial_hash *partial =
        t->task.type == DOCA_CORE_SHA_PARTIAL ? (struct doca_sha_task_partial_hash *)(void *)t
                                              : NULL;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    unsigned char digest[sizeof(union doca_priv_sha_state)];
    struct doca_priv_sha_stream s;
    bool is_far = false;
    size_t len;

    if (doca_priv_sha_inspect(t, &is_far, &item) != DOCA_SUCCESS)
        return doca_priv_fail(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", t);
    s.compress = compress[t->algorithm];
    s.block_bytes = doca_priv_sha_sizes[t->algorithm].block;
    s.fill = 0;
    s.bytes = 0;
    if (t->session == DOCA_PRIV_SHA_OPEN) {
        /* analyzer: core.NullDereference,analyzer-null-dereference: this task is a partial one */
        s.state = partial->state;
        s.bytes = partial->bytes;
    } else {
        doca_priv_sha_begin(&s.state, t->algorithm);
    }
    item = doca_priv_sw_hash_src(&s, t->src, DOCA_PRIV_SW_IS_FAR(is_far));
    if (item == DOCA_CORE_ITEM_NONE && partial != NULL && !t->is_final) {
        partial->state = s.state;
        partial->bytes = s.bytes;
    } else if (item == DOCA_CORE_ITEM_NONE) {
        doca_priv_sha_finish(&s);
        doca_priv_sha_put(&s.state, t->algorithm, digest);
        len = doca_priv_sha_sizes[t->algorithm].digest;
        if (DOCA_PRIV_SW_IS_FAR(is_far))
            item = doca_priv_sw_put_far(t->dst, digest, len);
        else
            (void)doca_priv_sw_append(t->dst, digest, len);
    }
    return item == DOCA_CORE_ITEM_NONE
               ? DOCA_SUCCESS
               : doca_priv_fail(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", t);
}

/* Complete a task: let its destination grow by the digest. */
DOCA_PRIV_HOT void doca_priv_sw_hash_end(struct doca_sha_task_hash *t)
{
    t->dst->data_len += doca_priv_sha_sizes[t->algorithm].digest;
    t->task.status = DOCA_SUCCESS;
}

/* Return the address for the digest of a task. */
DOCA_PRIV_HOT unsigned char *doca_priv_sw_hash_to(const struct doca_sha_task_hash *t)
{
    return t->dst->data + t->dst->data_len;
}

/* True when tasks[num] can run in the same group as the tasks before it: none of them may write to
 * its source or its destination, or have the buffer of its source as destination. */
static bool doca_priv_sw_hash_is_independent(struct doca_sha_task_hash *const *tasks, uint32_t num)
{
    const struct doca_buf *src = tasks[num]->src;
    uintptr_t from = (uintptr_t)src->data, to = (uintptr_t)doca_priv_sw_hash_to(tasks[num]), at;
    size_t bytes = doca_priv_sha_sizes[tasks[0]->algorithm].digest;
    uint32_t i;

    for (i = 0; i < num; i++) {
        at = (uintptr_t)doca_priv_sw_hash_to(tasks[i]);
        if (tasks[i]->dst == src || at - from < src->data_len || from - at < bytes ||
            at - to < bytes || to - at < bytes)
            return false;
    }
    return true;
}

/* True when the list is long enough for a group of tasks like the first one.
 * doca_priv_sw_hash_group() checks whether these tasks can be hashed together. */
static bool doca_priv_sw_hash_has_group(const struct doca_priv_sha_kernels *kernels,
                                        const struct doca_sha_task_hash *t)
{
    const struct doca_priv_sha_lanes *few = &kernels->few[t->algorithm];
    const struct doca_priv_sha_lanes *many = &kernels->many[t->algorithm];
    const struct doca_task *task = &t->task;
    unsigned from = many->from, num;

    if (few->from < from && doca_priv_is_buf(t->src) &&
        t->src->data_len >= DOCA_PRIV_SHA_FEW_BYTES)
        from = few->from;
    if (from > DOCA_PRIV_SHA_GROUP)
        return false;
    for (num = 0; num < from && task != NULL; num++)
        task = task->next;
    return num == from;
}

/* Find the tasks at the head of the list that can be hashed as a group, and return their number. If
 * there are enough tasks for SIMD lanes, execute them and set *are_done. */
static DOCA_PRIV_NOINLINE uint32_t
doca_priv_sw_hash_group(const struct doca_priv_sha_kernels *kernels, const struct doca_dev *dev,
                        struct doca_sha_task_hash *t, bool *are_done)
{
    struct doca_priv_sha_message messages[DOCA_PRIV_SHA_GROUP];
    struct doca_sha_task_hash *tasks[DOCA_PRIV_SHA_GROUP];
    size_t shortest = SIZE_MAX;
    uint8_t algorithm = t->algorithm;
    uint32_t num, i;

    for (num = 0; t != NULL && num < DOCA_PRIV_SHA_GROUP; num++) {
        tasks[num] = t;
        if (t->algorithm != algorithm || !doca_priv_sw_hash_is_plain(t, dev) ||
            !doca_priv_sw_hash_is_independent(tasks, num))
            break;
        if (t->src->data_len < shortest)
            shortest = t->src->data_len;
        t = (struct doca_sha_task_hash *)(void *)t->task.next;
    }
    *are_done = doca_priv_sha_is_group(kernels, algorithm, num, shortest);
    if (!*are_done)
        return num;
    for (i = 0; i < num; i++)
        doca_priv_sha_message_begin(&messages[i], algorithm, tasks[i]->src->data,
                                    tasks[i]->src->data_len);
    doca_priv_sha_hash_group(kernels, algorithm, messages, num);
    for (i = 0; i < num; i++) {
        doca_priv_sha_put(&messages[i].state, algorithm, doca_priv_sw_hash_to(tasks[i]));
        doca_priv_sw_hash_end(tasks[i]);
    }
    return num;
}

static struct doca_task *doca_priv_sw_sha_poll(struct doca_core_queue *queue)
{
    struct doca_priv_sw_sha_queue *q = (struct doca_priv_sw_sha_queue *)(void *)queue;
    struct doca_sha_task_hash *t = (struct doca_sha_task_hash *)(void *)queue->first;
    bool are_done = false;
    uint32_t num;

    if (t == NULL)
        return NULL;
    if (DOCA_CORE_CHECK < 2 && t->task.next != NULL && q->num_done == 0 && q->num_alone == 0 &&
        doca_priv_sw_hash_has_group(q->kernels, t)) {
        num = doca_priv_sw_hash_group(q->kernels, queue->dev, t, &are_done);
        *(are_done ? &q->num_done : &q->num_alone) = num;
    }
    queue->first = t->task.next;
    if (q->num_done > 0) {
        q->num_done--;
        return &t->task;
    }
    if (q->num_alone > 0)
        q->num_alone--;
    if (DOCA_CORE_CHECK < 2 && doca_likely(doca_priv_sw_hash_is_plain(t, queue->dev))) {
        doca_priv_sha_hash(q->kernels->one, t->algorithm, t->src->data, t->src->data_len,
                           doca_priv_sw_hash_to(t));
        doca_priv_sw_hash_end(t);
    } else {
        t->task.status = (uint8_t)doca_priv_sw_hash(t, q->kernels->one);
    }
    return &t->task;
}

#if DOCA_CORE_TRACE
/* The engine hashes a whole group when its first task is polled. So the event of the first task
 * shows the time of the group, and the events of the other tasks are short. */
static struct doca_task *doca_priv_sw_sha_poll_traced(struct doca_core_queue *queue)
{
    struct doca_task *task = queue->first;

    if (task == NULL)
        return NULL;
    doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, task, 0, 0);
    task = doca_priv_sw_sha_poll(queue);
    doca_priv_trace(DOCA_PRIV_TRACE_END, task, 0, 0);
    return task;
}
#endif

DOCA_PRIV_DECL void doca_priv_sw_sha_open(struct doca_core_queue *queue)
{
    queue->poll = doca_priv_sw_sha_poll;
    DOCA_PRIV_TRACED(queue->poll = doca_priv_sw_sha_poll_traced;)
    ((struct doca_priv_sw_sha_queue *)(void *)queue)->kernels = doca_priv_sha_choice();
}
