/* Programs of DOCA 1.3: jobs and their events. */
#include "legacy_support.h"

#include <pthread.h>

/* Checks where in the source a job starts to read, how many bytes it copies, and where in the
 * destination it writes. */
static void bytes_go_to_the_start_of_the_destination(void)
{
    struct doca_dma_job_memcpy job;
    struct doca_buf *src, *dst;
    struct kit k;

    kit_open(&k);
    src = buf_on(k.inventory, k.mmap, from + 100, 1000);
    dst = buf_on(k.inventory, k.mmap, to + 50, 500);
    job = job_of(k.ctx, src, dst, 200, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to + 50, from + 100, 200);
    CHECK(to[49] == 0xee && to[250] == 0xee);
    job.num_bytes_to_copy = 100; /* overwrites the data in the buffer */
    memset(to, 0xee, sizeof(to));
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to + 50, from + 100, 100);
    CHECK_EQ(to[150], 0xee);
    CHECK_EQ(rig_data_len(dst), 100);

    CHECK_OK(doca_buf_set_data(src, from + 300, 7)); /* a function that 1.5 adds */
    CHECK_OK(doca_buf_set_data(dst, to + 60, 33));
    job.num_bytes_to_copy = 0;
    memset(to, 0xee, sizeof(to));
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to + 60, from + 300, 7);
    CHECK(to[59] == 0xee && to[67] == 0xee);
    job.num_bytes_to_copy = 800; /* one byte more than the source has from there on */
    CHECK_OK(doca_buf_set_data(src, from + 301, 0));
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_JOB_LENGTH);
    job.num_bytes_to_copy = UINT64_MAX;
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    release(src);
    release(dst);
    kit_close(&k);
}

static void lists_are_copied_whole(void)
{
    struct doca_buf *src[2], *dst[2], *next;
    struct doca_dma_job_memcpy job;
    uint32_t num;
    bool yes = false;
    unsigned i;
    struct kit k;

    kit_open(&k);
    for (i = 0; i < 2; i++) {
        src[i] = buf_on(k.inventory, k.mmap, from + i * LEN, LEN);
        dst[i] = buf_on(k.inventory, k.mmap, to + 2 * i * LEN, LEN);
        CHECK_OK(doca_buf_set_data(src[i], from + i * LEN, 1000));
        CHECK_OK(doca_buf_set_data(dst[i], to + 2 * i * LEN, LEN)); /* its length is ignored */
    }
    CHECK_OK(doca_buf_set_data(dst[0], to + LEN - 600, 10));
    CHECK_OK(doca_buf_list_chain(src[0], src[1]));
    CHECK_OK(doca_buf_list_chain(dst[0], dst[1]));
    CHECK_OK(doca_buf_list_num_elements(src[0], &num));
    CHECK_EQ(num, 2);
    CHECK_OK(doca_buf_list_next(src[0], &next));
    CHECK_PTR(next, src[1]);
    CHECK_OK(doca_buf_list_is_last(next, &yes));
    CHECK(yes);
    CHECK_OK(doca_buf_list_is_first(next, &yes));
    CHECK(!yes);
    job = job_of(k.ctx, src[0], dst[0], 0, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to + LEN - 600, from, 600);
    CHECK_MEM(to + 2 * LEN, from + 600, 400);
    CHECK_MEM(to + 2 * LEN + 400, from + LEN, 1000);
    CHECK_EQ(rig_data_len(dst[0]), 600);
    CHECK_EQ(rig_data_len(dst[1]), 1400);
    /* the documentation does not define num_bytes_to_copy for lists */
    job.num_bytes_to_copy = 10;
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    job = job_of(k.ctx, src[1], dst[0], 0, 0);
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE); /* no list head */
    CHECK_OK(doca_buf_list_unchain(src[0], src[1]));
    release(src[1]);
    release(src[0]);
    release(dst[0]);
    kit_close(&k);
}

/* While a job writes to a list, no other job can have the list as destination. Each job writes from
 * the start of the list. */
static void list_is_the_destination_of_one_job_at_a_time(void)
{
    struct doca_dma_job_memcpy job[2];
    struct doca_buf *dst, *other;
    unsigned i, device;
    struct kit k;

    for (device = 0; device < 2; device++) {
        held_begin();
        kit_open_on(&k, device == 0 ? NULL : HELD_DMA, 8);
        dst = list_on(&k, to, 16, to + 100, 32);
        other = list_on(&k, to + LEN, 16, to + 2 * LEN, 32);
        for (i = 0; i < 2; i++)
            job[i] = job_of(k.ctx, buf_on(k.inventory, k.mmap, from + i * LEN, 32), dst, 32, i);
        CHECK_OK(doca_workq_submit(k.workq, &job[0].base));
        CHECK_RC(doca_workq_submit(k.workq, &job[1].base), DOCA_ERROR_NO_MEMORY);
        job[1].dst_buff = other; /* another list is accepted */
        CHECK_OK(doca_workq_submit(k.workq, &job[1].base));
        CHECK_OK(retrieve_result(k.workq));
        check_list(dst, 16, 16);
        job[1].dst_buff = dst;
        CHECK_OK(doca_workq_submit(k.workq, &job[1].base));
        CHECK_OK(retrieve_result(k.workq));
        CHECK_OK(retrieve_result(k.workq));
        for (i = 0; i < 2; i++) {
            CHECK_MEM(to + i * LEN, from + LEN, 16);
            CHECK_MEM(to + (i == 0 ? 100 : 2 * LEN), from + LEN + 16, 16);
            check_list(i == 0 ? dst : other, 16, 16);
            release((struct doca_buf *)(uintptr_t)job[i].src_buff);
        }
        CHECK_EQ(to[116], 0xee);
        release(dst);
        release(other);
        kit_close(&k);
        held_end();
    }
}

static void failed_job_leaves_its_list_empty(void)
{
    struct doca_buf *src, *big, *dst, *single;
    struct doca_dma_job_memcpy job;
    struct kit k;

    kit_open(&k);
    src = buf_on(k.inventory, k.mmap, from, 32);
    big = buf_on(k.inventory, k.mmap, from, LEN);
    dst = list_on(&k, to, 16, to + 100, 32);
    single = buf_on(k.inventory, k.mmap, to + LEN, 32);
    job = job_of(k.ctx, src, dst, 32, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    check_list(dst, 16, 16);
    job = job_of(k.ctx, src, single, 8, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    job = job_of(k.ctx, big, single, LEN, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_data_len(single), 8);
    job.dst_buff = dst;
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    check_list(dst, 0, 0);
    job = job_of(k.ctx, src, dst, 32, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base)); /* the list is no longer in use */
    CHECK_OK(retrieve_result(k.workq));
    check_list(dst, 16, 16);
    release(src);
    release(big);
    release(dst);
    release(single);
    kit_close(&k);
}

/* The device refuses the second of four jobs. This job and the jobs after it get failure events, no
 * event is lost, and the context continues to work. */
static void refused_job_becomes_an_event(void)
{
    struct doca_event ev;
    unsigned i, round, failed = 0;
    struct kit k;

    held_begin();
    kit_open_on(&k, HELD_DMA, 4);
    for (round = 0; round < 3; round++) {
        held.budget = 0;
        for (i = 0; i < 4; i++)
            CHECK_OK(copy_block(&k, k.ctx, i));
        held.budget = 1;
        CHECK_OK(retrieve(k.workq, &ev));
        CHECK_EQ(ev.user_data.u64, 0);
        held.num_to_fail = 1;
        held.budget = 1;
        memset(&ev, 0, sizeof(ev));
        CHECK_RC(retrieve(k.workq, &ev), DOCA_ERROR_IO_FAILED);
        CHECK_EQ(ev.type, DOCA_DMA_JOB_MEMCPY);
        CHECK_EQ(ev.user_data.u64, 1);
        CHECK_EQ(ev.result.u64, DOCA_ERROR_IO_FAILED);
        CHECK_RC(copy_block(&k, k.ctx, 5), DOCA_ERROR_NO_MEMORY); /* until the failed jobs end */
        held.budget = HELD_ALL;
        for (failed = 0; retrieve(k.workq, &ev) == DOCA_ERROR_IO_FAILED && failed < 1; failed++)
            CHECK_EQ(ev.user_data.u64, 2);
        CHECK_EQ(ev.user_data.u64, 3);
        CHECK_EQ(held.num_queues, 1);
    }
    CHECK_OK(copy_block(&k, k.ctx, 9));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to + 9 * LEN, from + 9 * LEN, LEN);
    CHECK_EQ(mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS), 0);
    kit_close(&k);
    held_end();
}

/* The device detects a destination that is too small, and missing permissions. */
static void device_errors_become_events(void)
{
    uint32_t flags = DOCA_MMAP_ACCESS_LOCAL_READ;
    struct doca_mmap *read_only = make_mmap(1, 1);
    struct doca_dma_job_memcpy job;
    struct doca_buf *src, *dst;
    struct kit k;

    kit_open(&k);
    CHECK_OK(doca_mmap_property_set(read_only, DOCA_MMAP_ACCESS_FLAGS, &flags, sizeof(flags)));
    CHECK_OK(doca_mmap_start(read_only));
    CHECK_OK(doca_mmap_dev_add(read_only, k.dev));
    CHECK_OK(doca_mmap_populate(read_only, to, LEN, PAGE, NULL, NULL));
    src = buf_on(k.inventory, k.mmap, from, LEN);
    dst = buf_on(k.inventory, k.mmap, to, LEN - 1);
    job = job_of(k.ctx, src, dst, LEN, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    job.num_bytes_to_copy = 0; /* a source without data */
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    release(dst);
    dst = buf_on(k.inventory, read_only, to, LEN);
    job = job_of(k.ctx, src, dst, LEN, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(to[0], 0xee);
    release(src);
    release(dst);
    CHECK_OK(doca_mmap_destroy(read_only));
    CHECK_OK(copy_block(&k, k.ctx, 3));
    CHECK_OK(retrieve_result(k.workq));
    kit_close(&k);
}

#if DOCA_CORE_CHECK >= 2
static struct {
    struct doca_workq *workq;
    struct doca_dma_job_memcpy job;
    doca_error_t rc;
    unsigned num_lines;
} second_thread;

static void *submit_in_second_thread(void *arg)
{
    (void)arg;
    second_thread.rc = doca_workq_submit(second_thread.workq, &second_thread.job.base);
    return NULL;
}

/* The first log line reports the failed task, while the queue is in progress. */
static void submit_from_the_sink(uint32_t level, enum doca_core_item item, const char *line,
                                 void *user)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    pthread_t thread;

    (void)level;
    (void)item;
    (void)line;
    (void)user;
    if (second_thread.num_lines++ == 0) {
        CHECK_EQ(pthread_create(&thread, NULL, submit_in_second_thread, NULL), 0);
        CHECK_EQ(pthread_join(thread, NULL), 0);
    }
    heap_trap_set(mode);
}
#endif

static void call_of_a_second_thread_is_refused(void)
{
#if DOCA_CORE_CHECK >= 2
    struct doca_buf *src, *dst;
    struct kit k;

    kit_open(&k);
    src = buf_on(k.inventory, k.mmap, from, LEN);
    dst = buf_on(k.inventory, k.mmap, to, LEN - 1);
    second_thread.workq = k.workq;
    second_thread.job = job_of(k.ctx, src, dst, LEN, 0);
    CHECK_OK(doca_workq_submit(k.workq, &second_thread.job.base));
    doca_core_log_set_sink(submit_from_the_sink, NULL);
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    doca_core_log_set_sink(NULL, NULL);
    CHECK(second_thread.num_lines > 1);
    CHECK_RC(second_thread.rc, DOCA_ERROR_NOT_PERMITTED);
    release(src);
    release(dst);
    kit_close(&k);
#else
    test_skip("calls of several threads are detected only with DOCA_CORE_CHECK >= 2");
#endif
}

/* If a program releases the buffers of a job before its event, the job keeps them and their mmap.
 */
static void jobs_hold_their_buffers(void)
{
    struct kit k;

    kit_open(&k);
    CHECK_OK(copy_block(&k, k.ctx, 0)); /* releases its buffers at once */
    CHECK_EQ(mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS), 2);
    CHECK_RC(doca_mmap_destroy(k.mmap), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_buf_inventory_destroy(k.inventory), DOCA_ERROR_IN_USE);
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to, from, LEN);
    CHECK_EQ(mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS), 0);
    kit_close(&k);
}

static void jobs_without_valid_type_or_buffers_are_refused(void)
{
    struct doca_job bare = { .type = DOCA_ACTION_NONE };
    struct doca_dma_job_memcpy job;
    struct doca_buf *src, *dst;
    struct kit k;

    kit_open(&k);
    src = buf_on(k.inventory, k.mmap, from, LEN);
    dst = buf_on(k.inventory, k.mmap, to, LEN);
    job = job_of(k.ctx, src, NULL, 1, 0);
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    job = job_of(k.ctx, NULL, dst, 1, 0);
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    job = job_of(k.ctx, src, dst, 1, 0);
    job.base.type = DOCA_ACTION_SHA_FIRST + 1;
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_JOB_TYPE);
    bare.ctx = k.ctx; /* a job with the common members only */
    CHECK_RC(doca_workq_submit(k.workq, &bare), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_JOB_TYPE);
    CHECK_RC(doca_workq_submit(k.workq, NULL), DOCA_ERROR_INVALID_VALUE);
    job = job_of(k.ctx, src, dst, 1, 0);
    release(src);
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE); /* was released */
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BUF_RETURNED);
    src = buf_on(k.inventory, k.mmap, from, LEN);
    /* today's API, because 1.x cannot increment the count; it stops at the largest count */
    while (doca_buf_inc_refcount(src, NULL) == DOCA_SUCCESS)
        continue;
    job = job_of(k.ctx, src, dst, 1, 0);
    /* the job cannot add its reference */
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    release(src);
    CHECK_OK(doca_workq_submit(k.workq, &job.base)); /* the job adds the last possible reference */
    CHECK_OK(retrieve_result(k.workq));
    CHECK_OK(doca_buf_set_data(src, from, 32));
    job = job_of(k.ctx, src, src, 0, 0); /* the job would add two references */
    test_log_item = DOCA_CORE_ITEM_NONE;
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BUF_REFCOUNT_MAX);
    release(src);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    while (mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS) == 2)
        release(src);
    release(dst);
    kit_close(&k);
}

static const struct test_case cases[] = {
    CASE(bytes_go_to_the_start_of_the_destination, ""),
    CASE(lists_are_copied_whole, ""),
    CASE(list_is_the_destination_of_one_job_at_a_time, ""),
    CASE(failed_job_leaves_its_list_empty, ""),
    CASE(refused_job_becomes_an_event, ""),
    CASE(device_errors_become_events, ""),
    CASE(call_of_a_second_thread_is_refused, ""),
    CASE(jobs_hold_their_buffers, ""),
    CASE(jobs_without_valid_type_or_buffers_are_refused, ""),
};

TEST_MAIN(cases)
