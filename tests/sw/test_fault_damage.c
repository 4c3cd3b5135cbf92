/* Injected faults: sources that are truncated, and bits of destinations that are flipped. */
#include "fault_support.h"
#include "event_rig.h"
#include "share.h"

static void source_is_truncated(void)
{
    struct rig r;

    fault_open(&r, "dma.submit=truncate:10@2,dma.submit=truncate:64@3");
    fault_submit(&r, 3);
    fault_wait(&r, 3);
    CHECK_EQ(r.num_ok, 3);
    CHECK_EQ(ended.len[0], 64);
    CHECK_EQ(ended.len[1], 10);
    CHECK_EQ(ended.from[1], 64); /* afterwards, the source buffer has its full length again */
    CHECK_EQ(ended.len[2], 64);
    CHECK_MEM(rig_to + 64, rig_from + 64, 10);
    CHECK_EQ(rig_to[74], 0xee);
    fault_close(&r);
}

static void one_bit_of_the_destination_is_flipped(void)
{
    unsigned char first[192];
    struct rig r;
    unsigned i;

    for (i = 0; i < 2; i++) {
        fault_open(&r, "dma.complete=flip@2,seed=5");
        fault_submit(&r, 3);
        fault_wait(&r, 3);
        CHECK_EQ(r.num_ok, 3);
        CHECK_EQ(count_bits(rig_to, rig_from, 64), 0);
        CHECK_EQ(count_bits(rig_to + 64, rig_from + 64, 64), 1);
        CHECK_EQ(count_bits(rig_to + 128, rig_from + 128, 64), 0);
        CHECK_EQ(rig_to[192], 0xee);
        if (i > 0)
            CHECK_MEM(rig_to, first, sizeof(first));
        memcpy(first, rig_to, sizeof(first));
        fault_close(&r);
    }
}

/* In a copy of one byte, no bit is flipped twice, so `flip` with a number of 8 or more flips every
 * bit. */
static void requested_number_of_bits_is_flipped(void)
{
    static const struct {
        const char *text;
        unsigned num;
    } flips[] = { { "dma.complete=flip:2", 2 }, { "dma.complete=flip:7", 7 },
                  { "dma.complete=flip:4294967295", 8 } };
    struct rig r;
    unsigned i, k;

    for (i = 0; i < sizeof(flips) / sizeof(flips[0]); i++) {
        fault_open(&r, flips[i].text);
        for (k = 0; k < 24; k++)
            rig_copy(&r, r.dma, k, 1);
        fault_wait(&r, 24);
        for (k = 0; k < 24; k++)
            CHECK_EQ(count_bits(rig_to + k, rig_from + k, 1), flips[i].num);
        fault_close(&r);
    }
}

/* The flipped bits are in the buffer that the task wrote first, which is the first buffer of the
 * list that had room. No bit is flipped if the task failed, or if its destination is memory of
 * another process. */
static void flipped_bits_are_in_bytes_of_the_task(void)
{
    static unsigned char far_bytes[4096];
    struct doca_buf *full, *behind;
    struct share s;
    struct rig r;

    fault_open(&r, "dma.complete=flip:3");
    full = rig_dst(&r, 0, 64);
    behind = rig_dst(&r, 64, 64);
    CHECK_OK(doca_buf_set_data(full, rig_to, 64));
    CHECK_OK(doca_buf_chain_list(full, behind));
    CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 64, 64), full)));
    fault_wait(&r, 1);
    CHECK_EQ(r.num_ok, 1);
    CHECK_EQ(rig_to[63], 0xee);
    CHECK_EQ(count_bits(rig_to + 64, rig_from + 64, 64), 3);

    share_open(&s, r.dev, far_bytes, sizeof(far_bytes), SHARE_PCI, doca_mmap_export_pci);
    CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 0, 64),
                                 share_dst(&r, s.import, far_bytes, 64))));
    fault_wait(&r, 2);
    CHECK_EQ(r.num_ok, 2);
    CHECK_MEM(far_bytes, rig_from, 64);
    CHECK_OK(doca_mmap_stop(s.map));
    CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 64, 64),
                                 share_dst(&r, s.import, far_bytes, 64))));
    fault_wait(&r, 3);
    CHECK_EQ(r.num_failed, 1);
    CHECK_MEM(far_bytes, rig_from, 64);
    while (rig_state(r.ctx) != DOCA_CTX_STATE_IDLE)
        (void)rig_progress(&r);
    share_close(&s);
    CHECK_OK(doca_ctx_start(r.ctx));

    if (DOCA_CORE_CHECK < 2) { /* in the checked mode, submit refuses this task */
        memset(rig_to, 0xee, 64);
        full = rig_dst(&r, 0, 64);
        CHECK_OK(doca_buf_set_data(full, rig_to, 64));
        CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 0, 64), full)));
        fault_wait(&r, 4);
        CHECK_EQ(r.num_failed, 2);
        CHECK_EQ(rig_to[0] & rig_to[63], 0xee);
        while (rig_state(r.ctx) != DOCA_CTX_STATE_IDLE)
            (void)rig_progress(&r);
    }
    fault_close(&r);
}

/* When submit finds the queue full, the fault is not used up. It applies to the next task that the
 * queue accepts. */
static void fault_applies_to_the_next_accepted_task(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    CHECK_OK(doca_core_fault_set("dma.complete=flip@1"));
    held_begin();
    held_open_rig(&r, 2);
    r.frees_tasks = true;
    held.full = true;
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
    CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
    held.full = false;
    CHECK_OK(rig_submit(task));
    rig_copy(&r, r.dma, 64, 64);
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 2);
    CHECK_EQ(count_bits(rig_to, rig_from, 64), 1);
    CHECK_EQ(count_bits(rig_to + 64, rig_from + 64, 64), 0);
    CHECK_EQ(doca_core_fault_get_num(), 1);
    CHECK_OK(doca_core_fault_set(NULL));
    held_close_rig(&r);
}

/* When the device itself refuses or fails, the results are the same as without fault injection. */
static void failures_of_the_device_itself_are_unchanged(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    CHECK_OK(doca_core_fault_set("dma.open=delay:1000@2"));
    held_begin();
    rig_build(&r, HELD_DMA, 4);
    held.opening = DOCA_ERROR_IO_FAILED;
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    held.opening = DOCA_ERROR_IN_PROGRESS;
    CHECK_OK(doca_core_fault_set(""));
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STARTING);
    held.opening = DOCA_SUCCESS;
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    r.frees_tasks = true;
    task = rig_prepare(&r, r.dma, 0, 64);
    held.full = true; /* the queue of the device refuses; no fault applies to this task */
    CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
    held.full = false;
    held.budget = 0;
    CHECK_OK(rig_submit(task));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!event_is_readable(r.pe, 0)); /* no event is pending that would wake the thread */
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    held.budget = HELD_ALL;
    task = rig_prepare(&r, r.dma, 64, 64);
    held_fail(NULL);
    CHECK_OK(rig_submit(task)); /* the device has failed, but the library does not know it yet */
    held_fail(r.dev);
    while (rig_state(r.ctx) != DOCA_CTX_STATE_IDLE)
        (void)rig_progress(&r);
    CHECK_EQ(r.num_ok + r.num_failed, 2);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_DRIVER);
    CHECK_EQ(doca_core_fault_get_num(), 0);
    CHECK_OK(doca_core_fault_set(NULL));
    held_close_rig(&r);
}

/* Submit two copies into `dst`, so that both are in flight at the same time, and wait for them. The
 * second one appends to the first one. */
static void fault_copy_two(struct rig *r, struct doca_buf *dst, size_t bytes)
{
    struct doca_dma_task_memcpy *tasks[2];
    unsigned i;

    CHECK_OK(doca_buf_inc_refcount(dst, NULL));
    for (i = 0; i < 2; i++)
        tasks[i] = rig_task(r->dma, rig_src(r, i * bytes, bytes), dst);
    for (i = 0; i < 2; i++)
        CHECK_OK(rig_submit(tasks[i]));
    fault_wait(r, 2);
}

/* A flip changes only bytes that its task wrote, although another task writes to the same
 * buffer. */
static void flip_leaves_bytes_of_other_tasks(void)
{
    char text[64];
    struct rig r;
    unsigned seed;

    if (test_other() != NULL)
        test_skip("this device runs two tasks on the same destination at one time");
    for (seed = 1; seed <= 20; seed++) {
        snprintf(text, sizeof(text), "dma.complete=flip@2,seed=%u", seed);
        fault_open(&r, text);
        fault_copy_two(&r, rig_dst(&r, 0, 8), 4);
        CHECK_MEM(rig_to, rig_from, 4);
        CHECK(memcmp(rig_to + 4, rig_from + 4, 4) != 0);
        fault_close(&r);
    }
}

static void truncated_copy_is_flipped_within_its_length(void)
{
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.submit=truncate:3,dma.complete=flip:100");
    memset(rig_to, 0, 64);
    fault_submit(&r, 1);
    fault_wait(&r, 1);
    CHECK_EQ(r.num_ok, 1);
    for (i = 0; i < 64; i++)
        CHECK_EQ(rig_to[i], i < 3 ? (unsigned char)~rig_from[i] : 0);
    fault_close(&r);
}

/* The flipped bits are in the bytes of the second task, although the first task has filled the
 * first buffer of the list, or a part of it. */
static void flip_finds_bytes_behind_another_task(void)
{
    struct doca_buf *dst;
    char text[64];
    struct rig r;
    unsigned seed, room;

    if (test_other() != NULL)
        test_skip("this device runs two tasks on the same destination at one time");
    for (seed = 1; seed <= 20; seed++)
        for (room = 8; room <= 12; room += 4) {
            snprintf(text, sizeof(text), "dma.complete=flip:4@2,seed=%u", seed);
            fault_open(&r, text);
            dst = rig_dst(&r, 0, room);
            CHECK_OK(doca_buf_chain_list(dst, rig_dst(&r, room, 64 - room)));
            fault_copy_two(&r, dst, 8);
            CHECK_MEM(rig_to, rig_from, 8);
            CHECK(memcmp(rig_to + 8, rig_from + 8, room == 8 ? 8 : 4) != 0);
            if (room == 12) /* the end of the second copy, in the second buffer, is unchanged */
                CHECK_MEM(rig_to + 12, rig_from + 12, 4);
            fault_close(&r);
        }
}

static const struct test_case cases[] = {
    CASE(source_is_truncated, ""),
    CASE(one_bit_of_the_destination_is_flipped, ""),
    CASE(requested_number_of_bits_is_flipped, ""),
    CASE(flipped_bits_are_in_bytes_of_the_task, ""),
    CASE(fault_applies_to_the_next_accepted_task, ""),
    CASE(failures_of_the_device_itself_are_unchanged, ""),
    CASE(flip_leaves_bytes_of_other_tasks, ""),
    CASE(flip_finds_bytes_behind_another_task, ""),
    CASE(truncated_copy_is_flipped_within_its_length, ""),
};

TEST_MAIN(cases)
