/* The hash engine: tasks that are refused or fail, at the limits of the device. */
#include "sha_support.h"

static unsigned char want_to[RIG_BYTES];

#define SMALL "0000:0d:00.0"
#define ELSEWHERE "0000:0d:00.1"
#define SMALL_LIMITS                                                                               \
    { .sha_max_src_buf_size = 4096, .sha_max_buf_list_len = 4, .sha_max_num_tasks = 24,            \
      .dma_max_buf_size = 4096, .dma_max_buf_list_len = 4, .dma_max_num_tasks = 8, .has_dma = 1,   \
      .has_sha = 1 }

static const struct doca_core_dev_attr small_devices[] = {
    { .pci_addr = SMALL, .ibdev_name = "small_0", .iface_name = "s0", .limits = SMALL_LIMITS },
    { .pci_addr = ELSEWHERE, .ibdev_name = "small_1", .iface_name = "s1", .limits = SMALL_LIMITS },
};

static struct doca_mmap *read_only_map, *elsewhere_map;
static struct doca_dev *elsewhere;

static void open_small_rig(struct sha_rig *s)
{
    CHECK_OK(doca_core_sw_set_devices(small_devices, 2));
    sha_build(s, SMALL);
    elsewhere = rig_open_dev(ELSEWHERE);
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    CHECK_OK(doca_ctx_start(s->r.ctx));
    rig_drain(&s->r);
    CHECK_OK(doca_mmap_create(&read_only_map));
    CHECK_OK(doca_mmap_set_memrange(read_only_map, rig_to, RIG_BYTES));
    CHECK_OK(doca_mmap_set_permissions(read_only_map, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    CHECK_OK(doca_mmap_add_dev(read_only_map, s->r.dev));
    CHECK_OK(doca_mmap_start(read_only_map));
    elsewhere_map = rig_map(elsewhere, rig_to, RIG_BYTES);
}

static void close_small_rig(struct sha_rig *s)
{
    CHECK_OK(doca_mmap_destroy(read_only_map));
    CHECK_OK(doca_mmap_destroy(elsewhere_map));
    sha_close(s);
    CHECK_OK(doca_dev_close(elsewhere));
}

/* Mistakes of a SHA-256 task. Each function makes a source and a destination for its mistake. */
struct pair {
    struct doca_buf *src, *dst;
};

static struct pair source_too_large(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 4096 + 64), rig_dst(&s->r, 0, 64) };
}

static struct pair source_list_too_large(struct sha_rig *s)
{
    return (struct pair){ get_list(s, s->text_map, text, 1408, 3, true), rig_dst(&s->r, 0, 64) };
}

static struct pair source_list_too_long(struct sha_rig *s)
{
    return (struct pair){ get_list(s, s->text_map, text, 64, 5, true), rig_dst(&s->r, 0, 64) };
}

static struct pair destination_list_too_long(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 64), get_list(s, s->r.dst_map, rig_to, 40, 5, false) };
}

static struct pair destination_one_byte_short(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 64), rig_dst(&s->r, 0, 31) };
}

static struct pair destination_full_of_content(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 64), get_args(s, s->r.dst_map, rig_to, 64, 1, 32) };
}

static struct pair destination_list_one_byte_short(struct sha_rig *s)
{
    struct doca_buf *dst = rig_dst(&s->r, 0, 30);

    CHECK_OK(doca_buf_chain_list(dst, rig_dst(&s->r, 50, 1)));
    return (struct pair){ get_text(s, 0, 64), dst };
}

static struct pair destination_read_only(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 64), get_args(s, read_only_map, rig_to, 64, 0, 0) };
}

static struct pair source_on_another_device(struct sha_rig *s)
{
    return (struct pair){ get_args(s, elsewhere_map, rig_to, 64, 0, 64), rig_dst(&s->r, 99, 64) };
}

static struct pair destination_on_another_device(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 64), get_args(s, elsewhere_map, rig_to, 64, 0, 0) };
}

static struct pair source_released(struct sha_rig *s)
{
    struct pair p = { get_text(s, 0, 64), rig_dst(&s->r, 0, 64) };

    drop(p.src);
    return p;
}

static struct pair destination_released(struct sha_rig *s)
{
    struct pair p = { get_text(s, 0, 64), rig_dst(&s->r, 0, 64) };

    drop(p.dst);
    return p;
}

static struct pair segment_not_whole_blocks(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 65), rig_dst(&s->r, 0, 64) };
}

static struct pair segment_list_not_whole_blocks(struct sha_rig *s)
{
    return (struct pair){ get_list(s, s->text_map, text, 32, 3, true), rig_dst(&s->r, 0, 64) };
}

static const struct refusal {
    const char *name;
    struct pair (*make)(struct sha_rig *s);
    bool is_partial_only;
    doca_error_t try_submit;
    enum doca_core_item item;
} refusals[] = {
#define REFUSAL(make, is_partial_only, code, item)                                                 \
    { #make, make, is_partial_only, DOCA_ERROR_##code, DOCA_CORE_ITEM_##item }
    REFUSAL(source_too_large, false, INVALID_VALUE, TASK_TOO_LARGE),
    REFUSAL(source_list_too_large, false, INVALID_VALUE, TASK_TOO_LARGE),
    REFUSAL(source_list_too_long, false, INVALID_VALUE, TASK_LIST_TOO_LONG),
    REFUSAL(destination_list_too_long, false, INVALID_VALUE, TASK_LIST_TOO_LONG),
    REFUSAL(destination_one_byte_short, false, INVALID_VALUE, TASK_NO_ROOM),
    REFUSAL(destination_full_of_content, false, INVALID_VALUE, TASK_NO_ROOM),
    REFUSAL(destination_list_one_byte_short, false, INVALID_VALUE, TASK_NO_ROOM),
    REFUSAL(destination_read_only, false, NOT_PERMITTED, TASK_READ_ONLY),
    REFUSAL(source_on_another_device, false, INVALID_VALUE, TASK_NOT_MAPPED),
    REFUSAL(destination_on_another_device, false, INVALID_VALUE, TASK_NOT_MAPPED),
    REFUSAL(source_released, false, INVALID_VALUE, TASK_RETURNED),
    REFUSAL(destination_released, false, INVALID_VALUE, TASK_RETURNED),
    REFUSAL(segment_not_whole_blocks, true, INVALID_VALUE, SHA_SEGMENT),
    REFUSAL(segment_list_not_whole_blocks, true, INVALID_VALUE, SHA_SEGMENT),
#undef REFUSAL
};

#define NUM_REFUSALS (sizeof(refusals) / sizeof(refusals[0]))

#define CHECK_NAMED(name, got, want)                                                               \
    do {                                                                                           \
        if ((unsigned)(got) != (unsigned)(want))                                                   \
            test_fail(__FILE__, __LINE__, "%s: %s is %u, want %s = %u", name, #got,                \
                      (unsigned)(got), #want, (unsigned)(want));                                   \
    } while (0)

/* Make a task with this mistake: a hash of a whole message, or the first segment of a session. */
static struct doca_task *faulty_task(struct sha_rig *s, const struct refusal *f, bool is_partial,
                                     struct pair *p)
{
    struct doca_sha_task_partial_hash *task;

    *p = f->make(s);
    if (!is_partial)
        return doca_sha_task_hash_as_task(
            hash_task(s, DOCA_SHA_ALGORITHM_SHA256, p->src, p->dst));
    task = partial_task(s, DOCA_SHA_ALGORITHM_SHA256, p->src, p->dst);
    return doca_sha_task_partial_hash_as_task(task);
}

static void release_all(struct doca_task *task, struct pair p)
{
    doca_task_free(task);
    (void)doca_buf_dec_refcount(p.src, NULL); /* one of the two buffers may be released already */
    (void)doca_buf_dec_refcount(p.dst, NULL);
}

static void try_submit_names_every_fault(void)
{
    struct sha_rig s;
    size_t i;

    open_small_rig(&s);
    memcpy(want_to, rig_to, RIG_BYTES);
    for (i = 0; i < 2 * NUM_REFUSALS; i++) {
        const struct refusal *f = &refusals[i / 2];
        struct doca_task *task;
        struct pair p;

        if (i % 2 == 0 && f->is_partial_only)
            continue;
        task = faulty_task(&s, f, i % 2 == 1, &p);
        CHECK_NAMED(f->name, doca_task_try_submit(task), f->try_submit);
        CHECK_NAMED(f->name, doca_core_last_item(), f->item);
        CHECK_NAMED(f->name, rig_inflight(s.r.ctx), 0);
        CHECK_NAMED(f->name, rig_drain(&s.r), 0);
        if (DOCA_CORE_CHECK >= 2)
            CHECK_NAMED(f->name, doca_task_submit(task), f->try_submit);
        release_all(task, p);
    }
    CHECK_EQ(s.r.num_callbacks, 0);
    CHECK_EQ(rig_state(s.r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK_MEM(rig_to, want_to, RIG_BYTES);
    close_small_rig(&s);
}

static const struct refusal *expected;

static void check_reason(struct sha_rig *s, struct doca_task *task)
{
    (void)s;
    (void)task;
    CHECK_NAMED(expected->name, doca_core_last_item(), expected->item);
}

static void device_finds_every_fault(void)
{
    struct sha_rig s;
    unsigned num_failed = 0;
    size_t i;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("at this check level submit finds the errors");
    open_small_rig(&s);
    s.on_task = check_reason;
    memcpy(want_to, rig_to, RIG_BYTES);
    for (i = 0; i < 2 * NUM_REFUSALS; i++) {
        const struct refusal *f = expected = &refusals[i / 2];
        struct doca_task *task;
        struct pair p;

        if (i % 2 == 0 && f->is_partial_only)
            continue;
        task = faulty_task(&s, f, i % 2 == 1, &p);
        CHECK_NAMED(f->name, doca_task_submit(task), DOCA_SUCCESS);
        rig_drain(&s.r);
        CHECK_NAMED(f->name, s.r.num_failed, ++num_failed);
        CHECK_NAMED(f->name, s.r.status, DOCA_ERROR_IO_FAILED);
        CHECK_NAMED(f->name, rig_state(s.r.ctx), DOCA_CTX_STATE_STOPPING);
        release_all(task, p);
        rig_drain(&s.r);
        CHECK_NAMED(f->name, rig_state(s.r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_OK(doca_ctx_start(s.r.ctx));
        rig_drain(&s.r);
    }
    CHECK_EQ(s.r.num_ok, 0);
    CHECK_MEM(rig_to, want_to, RIG_BYTES);
    close_small_rig(&s);
}

static void good_task_at_each_limit_is_hashed(void)
{
    struct sha_rig s;
    struct doca_buf *src, *dst;
    struct doca_sha_task_hash *task;

    open_small_rig(&s);
    src = get_list(&s, s.text_map, text, 1024, 4, true);
    dst = get_list(&s, s.r.dst_map, rig_to, 8, 4, false);
    task = hash_task(&s, DOCA_SHA_ALGORITHM_SHA256, src, dst);
    run(&s, doca_sha_task_hash_as_task(task));
    check_digest(REF_SHA256, rig_to, text, 4096);
    doca_task_free(doca_sha_task_hash_as_task(task));
    drop(src);
    drop(dst);
    src = get_args(&s, read_only_map, rig_to, 64, 0, 64); /* a source needs no set permission */
    run_hash(&s, DOCA_SHA_ALGORITHM_SHA1, src);
    drop(src);
    close_small_rig(&s);
}

/* The buffers of a task in flight are released, and their memory is reused for something else. The
 * task must fail. */
static void memory_of_released_bufs_may_be_reused(void)
{
    static DOCA_CORE_ALIGNED unsigned char region[32 * DOCA_CORE_LINE];
    struct doca_buf_inventory *usual, *inventory;
    struct doca_sha_task_hash *task[3];
    struct doca_core_arena arena;
    struct sha_rig s;
    unsigned i, k;

    if (DOCA_CORE_CHECK != 1)
        test_skip("level 0 does not check buffers, and level 2 does not reuse them at once");
    for (k = 1; k <= 3; k += 2) { /* a single task, and tasks that may form a SIMD group */
        sha_open(&s);
        usual = s.r.inventory;
        CHECK_OK(doca_core_arena_init(&arena, region, sizeof(region)));
        CHECK_OK(doca_core_buf_inventory_create_in(&arena, 2 * k, &inventory));
        CHECK_OK(doca_buf_inventory_start(inventory));
        s.r.inventory = inventory;
        for (i = 0; i < k; i++) {
            CHECK_OK(doca_sha_task_hash_alloc_init(s.sha, DOCA_SHA_ALGORITHM_SHA256,
                                                   get_text(&s, 0, 64), rig_dst(&s.r, 64 * i, 64),
                                                   (union doca_data){ 0 }, &task[i]));
            CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(task[i])));
        }
        for (i = 0; i < k; i++) {
            drop((struct doca_buf *)(uintptr_t)doca_sha_task_hash_get_src(task[i]));
            drop((struct doca_buf *)(uintptr_t)doca_sha_task_hash_get_dst(task[i]));
        }
        s.r.inventory = usual;
        CHECK_OK(doca_buf_inventory_destroy(inventory));
        for (i = 0; i < sizeof(region); i++)
            region[i] = i % DOCA_CORE_LINE == 1 ? 8 : 0;
        rig_drain(&s.r);
        CHECK_EQ(s.r.num_failed, k);
        CHECK_RC(s.r.status, DOCA_ERROR_IO_FAILED);
        for (i = 0; i < k; i++)
            doca_task_free(doca_sha_task_hash_as_task(task[i]));
        sha_close(&s);
    }
}

static void null_buffers_are_refused_by_submit(void)
{
    struct sha_rig s;
    struct doca_buf *src, *dst;
    unsigned way;

    sha_open(&s);
    src = get_text(&s, 0, 64);
    dst = rig_dst(&s.r, 0, 64);
    for (way = 0; way < 4; way++) {
        struct doca_sha_task_hash *whole =
            hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, way & 1 ? src : NULL, way & 2 ? dst : NULL);
        struct doca_sha_task_partial_hash *partial =
            partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, way & 1 ? src : NULL, way & 2 ? dst : NULL);
        struct doca_task *tasks[] = { doca_sha_task_hash_as_task(whole),
                                      doca_sha_task_partial_hash_as_task(partial) };
        unsigned i;

        for (i = 0; i < 2; i++) {
            if (way != 3) {
                CHECK_RC(doca_task_submit(tasks[i]), DOCA_ERROR_INVALID_VALUE);
                CHECK_RC(doca_task_try_submit(tasks[i]), DOCA_ERROR_INVALID_VALUE);
                CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NO_BUFFER);
                CHECK_RC(doca_task_submit_ex(tasks[i], 0), DOCA_ERROR_INVALID_VALUE);
                CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NO_BUFFER);
            }
            doca_task_free(tasks[i]);
        }
    }
    CHECK_EQ(rig_inflight(s.r.ctx), 0);
    drop(src);
    drop(dst);
    sha_close(&s);
}

/* The library checks several tasks at a time. It must find each mistake there, too. */
static void every_error_is_found_among_several_tasks(void)
{
    enum { GOOD = 6 };
    struct hashing hashing[GOOD];
    struct doca_task *task;
    struct sha_rig s;
    struct pair p;
    size_t i;
    unsigned k;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("at this check level submit finds the errors");
    open_small_rig(&s);
    for (i = 0; i < NUM_REFUSALS && !refusals[i].is_partial_only; i++) {
        memset(rig_to, 0xee, RIG_BYTES);
        s.r.num_ok = s.r.num_failed = 0;
        for (k = 0; k < GOOD; k++)
            submit_hash(&s, &hashing[k], 2 + k, REF_SHA256, k, 700);
        task = faulty_task(&s, &refusals[i], false, &p);
        CHECK_NAMED(refusals[i].name, doca_task_submit(task), DOCA_SUCCESS);
        rig_drain(&s.r);
        CHECK_NAMED(refusals[i].name, s.r.num_ok, GOOD);
        CHECK_NAMED(refusals[i].name, s.r.num_failed, 1);
        CHECK_NAMED(refusals[i].name, doca_task_get_status(task), DOCA_ERROR_IO_FAILED);
        for (k = 0; k < GOOD; k++) {
            check_hash(&hashing[k], 2 + k);
            release_hash(&hashing[k]);
        }
        release_all(task, p);
        rig_drain(&s.r);
        CHECK_OK(doca_ctx_start(s.r.ctx));
        rig_drain(&s.r);
    }
    CHECK_EQ(i, NUM_REFUSALS - 2);
    close_small_rig(&s);
}

static void task_counts_are_limited(void)
{
    struct sha_rig s;
    uint32_t max;

    open_small_rig(&s); /* the limit is 24 tasks; 8 of each type are configured */
    rig_stop(&s.r, s.r.ctx);
    CHECK_OK(doca_sha_cap_get_max_num_tasks(s.sha, &max));
    CHECK_EQ(max, 24);
    CHECK_OK(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 4));
    CHECK_RC(doca_sha_task_partial_hash_set_conf(s.sha, partial_completed, partial_failed, 4),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_TOO_MANY_TASKS);
    CHECK_RC(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 5),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 32),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 255),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sha_task_hash_set_conf(s.sha, NULL, hash_failed, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sha_task_partial_hash_set_conf(s.sha, partial_completed, NULL, 0),
             DOCA_ERROR_INVALID_VALUE);
    close_small_rig(&s);
}

static void device_table_needs_limits(void)
{
    struct doca_core_dev_attr attr;
    struct sha_rig s;
    uint32_t max;
    unsigned i;

    for (i = 0; i < 3; i++) {
        attr = small_devices[0];
        if (i == 0)
            attr.limits.sha_max_src_buf_size = 0;
        else if (i == 1)
            attr.limits.sha_max_buf_list_len = 0;
        else
            attr.limits.sha_max_num_tasks = 0;
        CHECK_RC(doca_core_sw_set_devices(&attr, 1), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_SW_LIMITS);
        attr.limits.has_sha = 0; /* without the engine its limits have no meaning */
        attr.limits.sha_max_num_tasks = 7;
        CHECK_OK(doca_core_sw_set_devices(&attr, 1));
        sha_build(&s, NULL);
        CHECK_OK(doca_sha_cap_get_max_num_tasks(s.sha, &max));
        CHECK_EQ(max, 0);
        sha_close(&s);
    }
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static const struct test_case cases[] = {
    CASE(try_submit_names_every_fault, "126 205"),
    CASE(device_finds_every_fault, "126 187"),
    CASE(good_task_at_each_limit_is_hashed, "206"),
    CASE(memory_of_released_bufs_may_be_reused, ""),
    CASE(null_buffers_are_refused_by_submit, ""),
    CASE(every_error_is_found_among_several_tasks, ""),
    CASE(task_counts_are_limited, "250"),
    CASE(device_table_needs_limits, ""),
};

TEST_MAIN(cases)
