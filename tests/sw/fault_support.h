/* Helpers of the suites of injected faults: a rig whose device injects the faults of a text, and
 * the order in which its tasks ended. */
#ifndef FAULT_SUPPORT_H
#define FAULT_SUPPORT_H

#include "held_backend.h"

#define NUM 6u

/* The tasks that have ended, in the order of their callbacks. */
static struct {
    unsigned num;
    unsigned which[64]; /* user data of the task: its number */
    doca_error_t status[64];
    size_t len[64];  /* data length of the destination */
    size_t from[64]; /* data length of the source */
} ended;

static inline void note_end(struct rig *r, struct doca_dma_task_memcpy *task)
{
    struct doca_task *t = doca_dma_task_memcpy_as_task(task);

    (void)r;
    CHECK(ended.num < 64);
    ended.len[ended.num] = rig_data_len(doca_dma_task_memcpy_get_dst(task));
    ended.from[ended.num] = rig_data_len(doca_dma_task_memcpy_get_src(task));
    ended.which[ended.num] = (unsigned)doca_task_get_user_data(t).u64;
    ended.status[ended.num++] = doca_task_get_status(t);
}

/* Open a rig whose device has faults. fault_close() removes the text. */
static inline void fault_open(struct rig *r, const char *text)
{
    CHECK_OK(doca_core_fault_set(""));
    rig_open(r, 32);
    CHECK_OK(doca_core_fault_set(text));
    memset(&ended, 0, sizeof(ended));
    r->on_task = note_end;
    r->frees_tasks = true;
}

static inline void fault_close(struct rig *r)
{
    CHECK_OK(doca_core_fault_set(NULL));
    rig_close(r);
    CHECK_EQ(doca_core_fault_get_num_held(), 0);
}

/* Submit `num` copies of 64 bytes, numbered from 0. */
static inline void fault_submit(struct rig *r, unsigned num)
{
    struct doca_dma_task_memcpy *task;
    unsigned i;

    for (i = 0; i < num; i++) {
        task = rig_prepare(r, r->dma, (size_t)i * 64, 64);
        doca_task_set_user_data(doca_dma_task_memcpy_as_task(task), (union doca_data){ .u64 = i });
        CHECK_OK(rig_submit(task));
    }
}

/* Progress until `num` tasks have ended. Fail after too many calls. */
static inline void fault_wait(struct rig *r, unsigned num)
{
    unsigned i;

    for (i = 0; ended.num < num && i < 4 * RIG_PATIENCE; i++)
        (void)rig_progress(r);
    CHECK_EQ(ended.num, num);
}

/* Make `num` calls of progress. */
static inline void fault_progress(struct rig *r, unsigned num)
{
    while (num-- > 0)
        (void)rig_progress(r);
}

/* Return the number of bits in which a and b differ. */
static inline unsigned count_bits(const unsigned char *a, const unsigned char *b, size_t len)
{
    unsigned num = 0;

    for (; len > 0; len--)
        num += (unsigned)__builtin_popcount((unsigned)(*a++ ^ *b++));
    return num;
}

#endif
