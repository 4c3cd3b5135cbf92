/* Sync events whose value an RDMA device can access: in memory on the device, in memory of this
 * process with remote permissions, and in memory of another function of the card. The queues are
 * short, so that tasks have to wait for room. */
#define DOCA_CORE_MLX5_MAX_WQES 128
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "mlx5_rig.h"

#include "event_rig.h"

enum { MANY = 300, PAGE = 4096 };

/* Kinds of memory that a value can be in. */
enum place { ON_DEVICE, IN_HOST, IMPORTED, BY_RDMA, PLACES };

static uint64_t memory[PAGE / 8] __attribute__((aligned(PAGE)));

struct party {
    struct event_rig e;
    struct doca_buf_inventory *inventory;
    struct doca_mmap *map;    /* the mmap that contains the value */
    struct doca_mmap *theirs; /* the mmap of the exporter; NULL unless `map` is an import */
    struct doca_dev *exporter;
    unsigned char *at;
};

static struct doca_buf *value_buf(struct party *p, size_t len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_data(p->inventory, p->map, p->at, len, &buf));
    return buf;
}

/* Put the value of the event into the mmap of the party. */
static void put_in(struct party *p, struct doca_sync_event *event)
{
    struct doca_buf *buf = value_buf(p, 8);

    CHECK_OK(doca_sync_event_set_doca_buf(event, buf));
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
}

/* Make memory of this kind. Return false when the device does not support it. */
static bool make_memory(struct party *p, struct doca_dev *dev, enum place place)
{
    const uint64_t zero = 0;
    const void *desc;
    doca_error_t rc;
    size_t len;

    memset(p, 0, sizeof(*p));
    memset(memory, 0, sizeof(memory));
    p->at = (unsigned char *)&memory[2];
    CHECK_OK(doca_buf_inventory_create(4, &p->inventory));
    CHECK_OK(doca_buf_inventory_start(p->inventory));
    p->e.dev = dev;
    if (place == ON_DEVICE) {
        rc = doca_core_mmap_create_on_dev(dev, PAGE, &p->map);
        if (rc == DOCA_SUCCESS) {
            CHECK_OK(doca_core_mmap_write(p->map, 16, &zero, 8));
            CHECK_OK(doca_mmap_get_memrange(p->map, (void **)&p->at, &len));
            p->at += 16;
        } else {
            CHECK_RC(rc, DOCA_ERROR_NOT_SUPPORTED);
        }
    } else if (place == IN_HOST) {
        p->map = share_map(dev, memory, sizeof(memory), SHARE_PCI);
    } else if (place == BY_RDMA) { /* soft-RoCE needs one device for both */
        p->theirs = share_map(dev, memory, sizeof(memory),
                              SHARE_RDMA | (uint32_t)DOCA_ACCESS_FLAG_RDMA_ATOMIC);
        CHECK_OK(doca_mmap_export_rdma(p->theirs, dev, &desc, &len));
        CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dev, &p->map));
    } else if (mlx5_limits(0).has_import_pci) {
        p->exporter = mlx5_open(mlx5_show(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys()) - 1);
        p->theirs = share_map(p->exporter, memory, sizeof(memory), SHARE_PCI);
        CHECK_OK(doca_mmap_export_pci(p->theirs, p->exporter, &desc, &len));
        CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dev, &p->map));
    }
    if (p->map == NULL)
        CHECK_OK(doca_buf_inventory_destroy(p->inventory));
    return p->map != NULL;
}

static void destroy_memory(struct party *p)
{
    CHECK_OK(doca_mmap_destroy(p->map));
    if (p->theirs != NULL)
        CHECK_OK(doca_mmap_destroy(p->theirs));
    if (p->exporter != NULL)
        CHECK_OK(doca_dev_close(p->exporter));
    CHECK_OK(doca_buf_inventory_destroy(p->inventory));
}

/* Build and start a context on `event`. */
static void run_ctx(struct event_rig *e, struct doca_dev *dev, struct doca_sync_event *event)
{
    event_build_ctx(e, dev, event);
    event_start(e);
    CHECK_STR(e->ctx->backend->name, "mlx5"); /* the device, not the CPU, executes the tasks */
}

static struct doca_dev *open_first(enum doca_core_mlx5_engine engine,
                                   const struct doca_core_mlx5_sys *sys)
{
    (void)mlx5_show(engine, sys);
    return mlx5_limits(0).event_engine != 0 ? mlx5_open(0) : NULL;
}

/* Call `body` with a running context, for every engine and every kind of memory. */
static void everywhere(void (*body)(struct party *p))
{
    struct doca_sync_event *event;
    struct party p;
    struct doca_dev *dev;
    unsigned place;
    size_t i;

    for (i = 0; i < MLX5_NUM_ENGINES; i++) {
        for (place = 0; place < PLACES; place++) {
            dev = open_first(mlx5_engines[i], mlx5_trap_sys());
            if (dev == NULL)
                continue;
            if (make_memory(&p, dev, (enum place)place)) {
                event = event_make(dev, false);
                put_in(&p, event);
                run_ctx(&p.e, dev, event);
                body(&p);
                event_close_ctx(&p.e);
                destroy_memory(&p);
            }
            CHECK_OK(doca_dev_close(dev));
        }
    }
}

/* Progress until `num` tasks have ended, for at most 20 s. */
static void finish(struct event_rig *e, unsigned num)
{
    double begin = event_seconds();

    while (e->num_ok + e->num_failed < num) {
        (void)doca_pe_progress(e->pe);
        CHECK(event_seconds() - begin < 20);
    }
}

static doca_error_t do_task(struct event_rig *e, struct doca_task *task)
{
    unsigned num = e->num_ok + e->num_failed;

    CHECK_OK(doca_task_submit(task));
    finish(e, num + 1);
    CHECK_PTR(e->latest, task);
    doca_task_free(task);
    return e->status;
}

static uint64_t read_value(struct event_rig *e)
{
    uint64_t value = ~(uint64_t)0;

    CHECK_OK(do_task(e, event_get_task(e, &value)));
    return value;
}

/* ---- tasks ---- */

static void check_tasks(struct party *p)
{
    const uint64_t big = 0x8877665544332211;
    uint64_t was = 99;

    CHECK_EQ(read_value(&p->e), 0);
    CHECK_OK(do_task(&p->e, event_set_task(&p->e, big)));
    CHECK_EQ(read_value(&p->e), big);
    CHECK_OK(do_task(&p->e, event_add_task(&p->e, 0x1111111111111111, &was)));
    CHECK_EQ(was, big);
    CHECK_EQ(read_value(&p->e), big + 0x1111111111111111);
    CHECK_OK(do_task(&p->e, event_add_task(&p->e, 0u - (big + 0x1111111111111111), &was)));
    CHECK_EQ(read_value(&p->e), 0);
    CHECK_OK(do_task(&p->e, event_set_task(&p->e, 8)));
    CHECK_OK(do_task(&p->e, event_wait_task(&p->e, 7, ~(uint64_t)0)));
    CHECK_OK(do_task(&p->e, event_wait_task(&p->e, 7, 8)));
    if (p->map->is_on_dev) { /* only the memory on the device has the value */
        CHECK_OK(doca_core_mmap_read(p->map, 16, &was, 8));
        CHECK_EQ(was, 8);
    } else {
        CHECK_EQ(memory[2], 8);
    }
    CHECK_EQ(memory[1] + memory[3], 0);
}

static void tasks_work_in_every_kind_of_memory(void)
{
    everywhere(check_tasks);
}

/* Submit all tasks with one doorbell. Each task sees the value that the tasks before it left. */
static void check_order(struct party *p)
{
    uint64_t got[6] = { 1, 1, 1, 1, 1, 1 };
    struct event_rig *e = &p->e;
    struct doca_task *tasks[] = {
        event_set_task(e, 5),          event_get_task(e, &got[0]), event_add_task(e, 3, &got[1]),
        event_get_task(e, &got[2]),    event_set_task(e, 100),     event_get_task(e, &got[3]),
        event_add_task(e, 1, &got[4]), event_get_task(e, &got[5]),
    };
    const size_t num = sizeof(tasks) / sizeof(tasks[0]);
    size_t i;

    for (i = 0; i < num; i++)
        CHECK_OK(doca_task_submit_ex(tasks[i], i + 1 < num ? 0 : DOCA_TASK_SUBMIT_FLAG_FLUSH));
    finish(e, (unsigned)num);
    CHECK_PTR(e->latest, tasks[num - 1]);
    CHECK_EQ(e->num_failed, 0);
    CHECK_EQ(got[0], 5);
    CHECK_EQ(got[1], 5);
    CHECK_EQ(got[2], 8);
    CHECK_EQ(got[3], 100);
    CHECK_EQ(got[4], 100);
    CHECK_EQ(got[5], 101);
    for (i = 0; i < num; i++)
        doca_task_free(tasks[i]);
}

static void tasks_take_effect_in_the_order_of_submission(void)
{
    everywhere(check_order);
}

/* Called for each task that ends. Submit it again while e->todo is not 0; then free it. */
static void add_again(struct event_rig *e, struct doca_task *task)
{
    if (e->todo > 0 && e->status == DOCA_SUCCESS) {
        e->todo--;
        CHECK_OK(doca_task_submit(task));
    } else {
        doca_task_free(task);
    }
}

/* A waiting task completes although other tasks are submitted in an endless stream. */
static void wait_beside_a_stream(struct party *p)
{
    static uint64_t was[EVENT_TASKS];
    struct event_rig *e = &p->e;
    struct doca_sync_event_task_wait_gt *wait;
    double begin = event_seconds();
    unsigned i;

    CHECK_OK(doca_sync_event_task_wait_gt_alloc_init(e->event, 100, ~(uint64_t)0,
                                                     (union doca_data){ 0 }, &wait));
    CHECK_OK(doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(wait)));
    e->on_task = add_again;
    e->todo = UINT_MAX;
    for (i = 0; i < EVENT_TASKS; i++)
        CHECK_OK(doca_task_submit(event_add_task(e, 1, &was[i])));
    while (doca_sync_event_task_wait_gt_as_doca_task(wait)->state == DOCA_PRIV_TASK_SUBMITTED) {
        (void)doca_pe_progress(e->pe);
        CHECK(event_seconds() - begin < 20);
        if (e->latest == doca_sync_event_task_wait_gt_as_doca_task(wait))
            break;
    }
    e->todo = 0;
    while (rig_inflight(e->ctx) > 0)
        (void)doca_pe_progress(e->pe);
    CHECK_EQ(e->num_failed, 0);
    CHECK(read_value(e) > 100);
}

static void waiting_task_completes_beside_a_stream_of_tasks(void)
{
    everywhere(wait_beside_a_stream);
}

/* Wait for values above 0, 1, 2 and 3. The first update satisfies three of the tasks. */
static void check_waits(struct party *p)
{
    struct event_rig *e = &p->e;
    struct doca_task *waits[4], *set;
    unsigned i;

    for (i = 0; i < 4; i++) {
        waits[i] = event_wait_task(e, i, ~(uint64_t)0);
        CHECK_OK(doca_task_submit(waits[i]));
    }
    for (i = 0; i < 1000; i++)
        CHECK_EQ(doca_pe_progress(e->pe), 0); /* the value is 0 */
    set = event_set_task(e, 3);
    CHECK_OK(doca_task_submit(set));
    finish(e, 4); /* the set task, and the tasks that wait for more than 0, 1 and 2 */
    doca_task_free(set);
    for (i = 0; i < 1000; i++)
        CHECK_EQ(doca_pe_progress(e->pe), 0);
    CHECK_EQ(rig_inflight(e->ctx), 1);
    set = event_set_task(e, 4);
    CHECK_OK(doca_task_submit(set));
    finish(e, 6);
    CHECK_EQ(e->num_failed, 0);
    doca_task_free(set);
    for (i = 0; i < 4; i++)
        doca_task_free(waits[i]);
}

static void waits_end_when_their_condition_holds(void)
{
    everywhere(check_waits);
}

/* A read of the value that began before a wait task was submitted does not complete that task. */
static void check_late_wait(struct party *p)
{
    struct event_rig *e = &p->e, other;
    struct doca_sync_event *event = event_make(e->dev, false);
    struct doca_task *waits[2];
    unsigned i;

    put_in(p, event);
    run_ctx(&other, e->dev, event);
    CHECK_OK(do_task(&other, event_set_task(&other, 5)));
    waits[0] = event_wait_task(e, 100, ~(uint64_t)0);
    waits[1] = event_wait_task(e, 4, ~(uint64_t)0);
    CHECK_OK(doca_task_submit(waits[0]));
    CHECK_EQ(doca_pe_progress(e->pe), 0); /* starts a read of the value */
    CHECK_OK(do_task(&other, event_set_task(&other, 0)));
    /* this task must not complete because of the read above, which may return the former value 5 */
    CHECK_OK(doca_task_submit(waits[1]));
    for (i = 0; i < 3000; i++)
        CHECK_EQ(doca_pe_progress(e->pe), 0);
    CHECK_OK(do_task(&other, event_set_task(&other, 5)));
    finish(e, 1);
    CHECK_PTR(e->latest, waits[1]);
    CHECK_OK(do_task(&other, event_set_task(&other, 101)));
    finish(e, 2);
    for (i = 0; i < 2; i++)
        doca_task_free(waits[i]);
    event_close_ctx(&other);
}

static void waits_do_not_complete_by_earlier_reads(void)
{
    everywhere(check_late_wait);
}

/* ---- more tasks than WQEs ---- */

static void many_tasks_wait_for_room(void)
{
    static struct doca_sync_event_task_notify_add *tasks[MANY];
    static uint64_t was[MANY];
    struct doca_sync_event *event;
    struct doca_dev *dev;
    struct party p;
    unsigned i, round;
    size_t n;

    for (n = 0; n < MLX5_NUM_ENGINES; n++) {
        dev = open_first(mlx5_engines[n], mlx5_trap_sys());
        if (dev == NULL)
            continue;
        CHECK(make_memory(&p, dev, IN_HOST));
        event = event_make(dev, false);
        put_in(&p, event);
        event_build_ctx(&p.e, dev, event);
        CHECK_OK(doca_sync_event_task_notify_add_set_conf(event, event_notify_add_done,
                                                          event_notify_add_done, MANY));
        event_start(&p.e);
        for (i = 0; i < MANY; i++)
            CHECK_OK(doca_sync_event_task_notify_add_alloc_init(event, 1, &was[i],
                                                                (union doca_data){ 0 }, &tasks[i]));
        for (round = 0; round < 3; round++) {
            p.e.num_ok = 0;
            for (i = 0; i < MANY; i++)
                CHECK_OK(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(tasks[i])));
            finish(&p.e, MANY);
            CHECK_EQ(p.e.num_failed, 0);
            for (i = 0; i < MANY; i++)
                CHECK_EQ(was[i], (uint64_t)round * MANY + i);
        }
        for (i = 0; i < MANY; i++)
            doca_task_free(doca_sync_event_task_notify_add_as_doca_task(tasks[i]));
        event_close_ctx(&p.e);
        destroy_memory(&p);
        CHECK_OK(doca_dev_close(dev));
    }
}

/* ---- which engine serves an event ---- */

static void cpu_reads_and_waits_but_does_not_add(void)
{
    struct doca_dev *dev = open_first(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys());
    struct doca_sync_event *event, *notifier;
    uint64_t value = 0, was;
    struct event_rig e;
    struct party p;

    if (dev == NULL)
        test_skip("the first device has no atomics");
    CHECK(make_memory(&p, dev, IN_HOST));
    event = event_make(dev, false);
    put_in(&p, event);
    CHECK_OK(doca_sync_event_start(event));
    CHECK_PTR(doca_sync_event_as_ctx(event), NULL);
    if (dev->info.attr.limits.event_engine != DOCA_CORE_EVENT_ENGINE_ALL) {
        CHECK_RC(doca_sync_event_update_set(event, 1), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_NOT_ATOMIC);
        CHECK_RC(doca_sync_event_update_add(event, 1, &was), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_NOT_ATOMIC);
        CHECK_RC(doca_sync_event_update_add(event, 1, NULL), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(memory[2], 0);
    }
    notifier = event_make(dev, false); /* another event on the same value */
    put_in(&p, notifier);
    run_ctx(&e, dev, notifier);
    CHECK_OK(do_task(&e, event_add_task(&e, 7, &was)));
    CHECK_OK(doca_sync_event_get(event, &value));
    CHECK_EQ(value, 7);
    CHECK_OK(doca_sync_event_wait_gt(event, 6, ~(uint64_t)0));
    CHECK_OK(doca_sync_event_wait_eq_yield(event, 7, ~(uint64_t)0));
    CHECK_OK(doca_sync_event_stop(event));
    CHECK_RC(doca_sync_event_update_set(event, 1), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_sync_event_destroy(event));
    event_close_ctx(&e);
    destroy_memory(&p);
    CHECK_OK(doca_dev_close(dev));
}

/* The CPU may update a value in memory without remote permissions, because no device can write it
 * at the same time. In memory with remote permissions, the library refuses such updates by the CPU,
 * unless the atomics of the device include the CPU. */
static void cpu_updates_only_memory_without_remote_permissions(void)
{
    struct doca_dev *dev = open_first(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys());
    struct doca_sync_event *event;
    struct doca_mmap *map;
    struct event_rig e;
    struct party p;
    uint64_t was;

    if (dev == NULL)
        test_skip("the first device has no atomics");
    CHECK(make_memory(&p, dev, IN_HOST));
    map = p.map;
    p.map = share_map(dev, memory, sizeof(memory), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    event = event_make(dev, false);
    put_in(&p, event);
    CHECK_OK(doca_mmap_destroy(p.map)); /* this event does not keep the mmap in use */
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_update_add(event, 3, &was));
    CHECK_EQ(memory[2], 3);
    CHECK_OK(doca_sync_event_destroy(event));

    p.map = map; /* memory with remote permissions, for an event that has no device */
    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_dpu(event));
    CHECK_OK(doca_sync_event_add_subscriber_location_dpu(event));
    put_in(&p, event);
    event_build_ctx(&e, dev, event);
    if (dev->info.attr.limits.event_engine != DOCA_CORE_EVENT_ENGINE_ALL) {
        CHECK_RC(doca_ctx_start(e.ctx), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_NOT_ATOMIC);
    } else {
        event_start(&e);
        CHECK_STR(e.ctx->backend->name, "sync event");
    }
    event_close_ctx(&e);
    destroy_memory(&p);
    CHECK_OK(doca_dev_close(dev));
}

static enum ibv_atomic_cap atomics;

static int query_with_atomics(struct ibv_context *context, struct ibv_device_attr *attr)
{
    int rc = mlx5_trap_query_device(context, attr);

    attr->atomic_cap = atomics;
    return rc;
}

/* With a device whose atomics include those of the CPU, tasks on the device and calls on the CPU
 * may update the same value. A device without atomics serves no events, so the CPU may update
 * them. */
static void cpu_updates_depend_on_the_atomics_of_the_device(void)
{
    static struct doca_core_mlx5_sys sys;
    struct doca_sync_event *event, *other;
    struct event_rig e;
    struct party p;
    struct doca_dev *dev;
    struct doca_buf *buf;
    uint64_t was;

    sys = *mlx5_trap_sys();
    sys.query_device = query_with_atomics;
    atomics = IBV_ATOMIC_GLOB;
    dev = open_first(DOCA_CORE_MLX5_ENGINE_AUTO, &sys);
    if (dev == NULL)
        test_skip("the first device has no engine that copies");
    CHECK_EQ(dev->info.attr.limits.event_engine, DOCA_CORE_EVENT_ENGINE_ALL);
    CHECK(make_memory(&p, dev, IN_HOST));
    event = event_make(dev, false);
    other = event_make(dev, false);
    put_in(&p, event);
    put_in(&p, other);
    CHECK_OK(doca_sync_event_start(event));
    run_ctx(&e, dev, other);
    CHECK_OK(doca_sync_event_update_set(event, 4));
    CHECK_OK(do_task(&e, event_add_task(&e, 1, &was)));
    CHECK_OK(doca_sync_event_update_add(event, 1, &was));
    CHECK_EQ(was, 5);
    CHECK_EQ(read_value(&e), 6);
    event_close_ctx(&e);
    CHECK_OK(doca_sync_event_destroy(event));
    destroy_memory(&p);
    CHECK_OK(doca_dev_close(dev));

    atomics = IBV_ATOMIC_NONE;
    CHECK_PTR(open_first(DOCA_CORE_MLX5_ENGINE_AUTO, &sys), NULL);
    dev = mlx5_open(0);
    CHECK(make_memory(&p, dev, IN_HOST));
    event = event_make(dev, false);
    put_in(&p, event);
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_update_set(event, 4));
    CHECK_OK(doca_sync_event_destroy(event));
    destroy_memory(&p);
    if (make_memory(&p, dev, ON_DEVICE)) {
        event = event_make(dev, false);
        buf = value_buf(&p, 8);
        CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_BUF_FAR);
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        CHECK_OK(doca_sync_event_destroy(event));
        destroy_memory(&p);
    }
    CHECK_OK(doca_dev_close(dev));
}

static void event_keeps_the_mmap_of_its_value_in_use(void)
{
    struct doca_dev *dev = open_first(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys());
    struct doca_sync_event *event, *other;
    uint64_t own = 0;
    struct doca_buf *buf;
    struct party p;

    if (dev == NULL)
        test_skip("the first device has no atomics");
    if (!make_memory(&p, dev, ON_DEVICE)) {
        CHECK_OK(doca_dev_close(dev));
        test_skip("the first device has no memory to give");
    }
    event = event_make(dev, false);
    buf = value_buf(&p, 4);
    CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    p.at += 4;
    buf = value_buf(&p, 8);
    CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    p.at -= 4;
    put_in(&p, event);
    put_in(&p, event);
    CHECK_RC(doca_mmap_destroy(p.map), DOCA_ERROR_NOT_PERMITTED);
    /* the event cannot be started for the CPU, which cannot access memory on the device */
    CHECK_RC(doca_sync_event_start(event), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_BY_DEV);
    /* with the value in memory of this process, it can */
    CHECK_OK(doca_sync_event_set_addr(event, &own));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_update_set(event, 9));
    CHECK_EQ(own, 9);
    CHECK_OK(doca_sync_event_stop(event));
    put_in(&p, event);
    CHECK_RC(doca_sync_event_start(event), DOCA_ERROR_NOT_SUPPORTED);

    CHECK_OK(doca_sync_event_create(&other)); /* an event without a device */
    CHECK_OK(doca_sync_event_add_publisher_location_dpu(other));
    CHECK_OK(doca_sync_event_add_subscriber_location_dpu(other));
    put_in(&p, other);
    event_build_ctx(&p.e, dev, other);
    CHECK_RC(doca_ctx_start(p.e.ctx), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_BUF_FAR);
    event_close_ctx(&p.e);
    CHECK_OK(doca_sync_event_destroy(event));
    destroy_memory(&p);
    CHECK_OK(doca_dev_close(dev));
}

/* ---- two functions ---- */

/* Contexts on two functions add to one value in the memory of the host at the same time. No
 * addition is lost. */
static void add_together(struct party *p)
{
    enum { ROUNDS = 200 };
    static uint64_t was[2][EVENT_TASKS];
    struct doca_sync_event *event;
    struct event_rig host;
    struct party own = *p;
    unsigned i;

    if (p->exporter == NULL)
        return;
    own.map = p->theirs;
    event = event_make(p->exporter, false);
    put_in(&own, event);
    run_ctx(&host, p->exporter, event);
    host.on_task = p->e.on_task = add_again;
    host.todo = p->e.todo = ROUNDS;
    for (i = 0; i < EVENT_TASKS; i++) {
        CHECK_OK(doca_task_submit(event_add_task(&host, 1, &was[0][i])));
        CHECK_OK(doca_task_submit(event_add_task(&p->e, 1, &was[1][i])));
    }
    while (rig_inflight(host.ctx) + rig_inflight(p->e.ctx) > 0) {
        (void)doca_pe_progress(host.pe);
        (void)doca_pe_progress(p->e.pe);
    }
    CHECK_EQ(host.num_failed + p->e.num_failed, 0);
    CHECK_EQ(host.num_ok + p->e.num_ok, 2 * (ROUNDS + EVENT_TASKS));
    CHECK_EQ(memory[2], 2 * (ROUNDS + EVENT_TASKS));
    host.on_task = p->e.on_task = NULL;
    CHECK_EQ(read_value(&host), memory[2]);
    event_close_ctx(&host);
}

static void two_functions_lose_no_addition(void)
{
    everywhere(add_together);
}

/* An exported event, and the device that imports it. */
struct exported {
    struct party host; /* memory and device of the exporter */
    struct doca_sync_event *event;
    struct doca_dev *dpu; /* device of the importer */
    const uint8_t *desc;
    size_t len;
};

static bool open_exported(struct exported *x, enum doca_core_mlx5_engine engine)
{
    struct doca_dev *dev = open_first(engine, mlx5_trap_sys());

    if (dev == NULL)
        return false;
    if (!mlx5_limits(0).has_import_pci || !make_memory(&x->host, dev, IN_HOST)) {
        CHECK_OK(doca_dev_close(dev));
        return false;
    }
    x->dpu = mlx5_open(mlx5_show(engine, mlx5_trap_sys()) - 1);
    CHECK_OK(doca_sync_event_create(&x->event));
    CHECK_OK(doca_sync_event_add_publisher_location_remote_pci(x->event));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(x->event, dev));
    put_in(&x->host, x->event);
    CHECK_RC(doca_sync_event_export_to_remote_pci(x->event, dev, &x->desc, &x->len),
             DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_sync_event_start(x->event));
    CHECK_OK(doca_sync_event_export_to_remote_pci(x->event, dev, &x->desc, &x->len));
    return true;
}

static void close_exported(struct exported *x)
{
    CHECK_OK(doca_sync_event_destroy(x->event));
    CHECK_OK(doca_dev_close(x->dpu));
    destroy_memory(&x->host);
    CHECK_OK(doca_dev_close(x->host.e.dev));
}

static void event_is_exported_to_another_function(void)
{
    struct doca_sync_event *import;
    const uint8_t *again;
    struct exported x;
    struct event_rig e;
    uint64_t was = 1, value;
    size_t i, len;

    for (i = 0; i < MLX5_NUM_ENGINES; i++) {
        if (!open_exported(&x, mlx5_engines[i]))
            continue;
        CHECK_OK(doca_sync_event_export_to_dpu(x.event, x.host.e.dev, &again, &len));
        CHECK_PTR(again, x.desc);
        CHECK_OK(doca_sync_event_create_from_export(x.dpu, x.desc, x.len, &import));
        CHECK_RC(doca_sync_event_start(import), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_BY_DEV);
        CHECK_RC(doca_sync_event_set_addr(import, &value), DOCA_ERROR_NOT_PERMITTED);
        run_ctx(&e, x.dpu, import);
        CHECK_RC(doca_sync_event_export_to_dpu(import, x.dpu, &again, &len),
                 DOCA_ERROR_NOT_PERMITTED);
        CHECK_OK(do_task(&e, event_add_task(&e, 5, &was)));
        CHECK_EQ(was, 0);
        CHECK_OK(doca_sync_event_wait_gt(x.event, 4, ~(uint64_t)0)); /* the host sees the sum */
        CHECK_OK(do_task(&e, event_set_task(&e, 11)));
        CHECK_OK(doca_sync_event_get(x.event, &value));
        CHECK_EQ(value, 11);
        memory[2] = 12; /* the DPU sees a store of the host */
        CHECK_EQ(read_value(&e), 12);
        CHECK_OK(do_task(&e, event_wait_task(&e, 11, ~(uint64_t)0)));
        event_close_ctx(&e);
        CHECK_OK(doca_sync_event_create_from_export(x.dpu, x.desc, x.len, &import));
        CHECK_OK(doca_sync_event_destroy(import));
        close_exported(&x);
    }
}

static void check_refused(struct exported *x, const void *desc, size_t len, doca_error_t code,
                          enum doca_core_item item)
{
    struct doca_sync_event *import = NULL;

    CHECK_RC(doca_sync_event_create_from_export(x->dpu, desc, len, &import), code);
    CHECK_STR(doca_core_item_text(doca_core_last_item()), doca_core_item_text(item));
    CHECK_PTR(import, NULL);
}

static void seal(struct doca_priv_event_dev_desc *desc)
{
    share_seal(&desc->mmap);
    desc->head.crc = 0;
    desc->head.crc = share_crc(desc, sizeof(*desc));
}

static void forged_descriptors_are_refused(void)
{
    struct doca_priv_event_dev_desc desc;
    struct doca_sync_event_remote_net *net;
    const uint8_t *data;
    struct exported x;
    size_t i, len;

    if (!open_exported(&x, DOCA_CORE_MLX5_ENGINE_AUTO))
        test_skip("the first device has no atomics or does not support imports");
    CHECK_EQ(x.len, sizeof(desc));
    for (i = 0; i < sizeof(desc); i++) {
        memcpy(&desc, x.desc, sizeof(desc));
        ((unsigned char *)&desc)[i] ^= 0x10;
        data = NULL;
        CHECK(doca_sync_event_create_from_export(x.dpu, (const uint8_t *)&desc, sizeof(desc),
                                                 (struct doca_sync_event **)&data) != DOCA_SUCCESS);
        CHECK_PTR(data, NULL);
    }
    check_refused(&x, x.desc, x.len - 1, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EXPORT_LENGTH);
    check_refused(&x, x.desc, 8, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EXPORT_LENGTH);
    memcpy(&desc, x.desc, sizeof(desc));
    desc.addr += 1;
    seal(&desc);
    check_refused(&x, &desc, sizeof(desc), DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EXPORT_DAMAGED);
    memcpy(&desc, x.desc, sizeof(desc));
    desc.addr = desc.mmap.addr + desc.mmap.len;
    seal(&desc);
    check_refused(&x, &desc, sizeof(desc), DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EXPORT_DAMAGED);
    memcpy(&desc, x.desc, sizeof(desc));
    desc.mmap.blob[40] ^= 1; /* a byte of the access key */
    seal(&desc);
    check_refused(&x, &desc, sizeof(desc), DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MLX5_NO_EXPORT);
    CHECK_RC(doca_sync_event_remote_net_create_from_export(x.dpu, x.desc, x.len, &net),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_export_to_remote_net(x.event, &data, &len),
             DOCA_ERROR_NOT_PERMITTED);
    close_exported(&x);
}

static void memory_of_a_device_is_not_exported(void)
{
    struct doca_dev *dev = open_first(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys());
    struct doca_sync_event *event;
    const uint8_t *desc = NULL;
    struct event_rig e;
    struct party p;
    size_t len;

    if (dev == NULL)
        test_skip("the first device has no atomics");
    if (!make_memory(&p, dev, ON_DEVICE)) {
        CHECK_OK(doca_dev_close(dev));
        test_skip("the first device has no memory to give");
    }
    event = event_make(dev, true);
    put_in(&p, event);
    run_ctx(&e, dev, event);
    CHECK_RC(doca_sync_event_export_to_dpu(event, dev, &desc, &len), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MMAP_ON_DEV);
    CHECK_PTR(desc, NULL);
    event_close_ctx(&e);
    destroy_memory(&p);
    CHECK_OK(doca_dev_close(dev));
}

/* ---- sleeping ---- */

/* Sleep until `num` tasks have ended; the number of wake-ups is not specified. */
static void sleep_until(struct event_rig *e, unsigned num)
{
    double begin = event_seconds();

    while (e->num_ok + e->num_failed < num) {
        CHECK_OK(doca_pe_request_notification(e->pe));
        CHECK(event_is_readable(e->pe, 5000));
        CHECK_OK(doca_pe_clear_notification(e->pe, 0));
        while (doca_pe_progress(e->pe))
            continue;
        CHECK(event_seconds() - begin < 20);
    }
}

static void sleep_and_wake(struct party *p)
{
    struct event_rig *e = &p->e, other;
    struct doca_sync_event *event = event_make(e->dev, false);
    struct doca_task *wait = event_wait_task(e, 4, ~(uint64_t)0), *add;
    uint64_t was;
    unsigned i;

    put_in(p, event);
    run_ctx(&other, e->dev, event);
    CHECK_OK(doca_pe_request_notification(e->pe));
    CHECK(!event_is_readable(e->pe, 2)); /* no task is in flight */
    CHECK_OK(doca_task_submit(wait)); /* submitted after the handle was armed */
    CHECK(event_is_readable(e->pe, 5000));
    CHECK_OK(doca_pe_clear_notification(e->pe, 0));
    for (i = 0; i < 20; i++) {
        CHECK_OK(doca_pe_request_notification(e->pe));
        (void)event_is_readable(e->pe, 10);
        CHECK_OK(doca_pe_clear_notification(e->pe, 0));
        CHECK_EQ(doca_pe_progress(e->pe), 0);
        CHECK(!event_is_readable(e->pe, 0));
    }
    CHECK_OK(do_task(&other, event_set_task(&other, 5)));
    sleep_until(e, 1);
    CHECK_PTR(e->latest, wait);
    doca_task_free(wait);
    add = event_add_task(e, 1, &was);
    CHECK_OK(doca_task_submit(add));
    sleep_until(e, 2);
    CHECK_EQ(was, 5);
    doca_task_free(add);
    event_close_ctx(&other);
}

static void completion_of_a_wait_wakes_sleepers(void)
{
    everywhere(sleep_and_wake);
}

/* ---- failures ---- */

/* Submit a set task, a get task, an add task and a wait task whose condition never holds. */
static void submit_all(struct event_rig *e, struct doca_task *tasks[4], uint64_t *got)
{
    unsigned i;

    tasks[0] = event_set_task(e, 1);
    tasks[1] = event_get_task(e, got);
    tasks[2] = event_add_task(e, 1, got);
    tasks[3] = event_wait_task(e, 1000, ~(uint64_t)0);
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_task_submit(tasks[i]));
}

static void flush(struct party *p)
{
    struct event_rig *e = &p->e;
    struct doca_task *tasks[4];
    uint64_t got;
    unsigned i;

    submit_all(e, tasks, &got);
    CHECK_RC(doca_ctx_stop(e->ctx), DOCA_ERROR_IN_PROGRESS);
    finish(e, 4);
    CHECK_RC(doca_task_get_status(tasks[3]), DOCA_ERROR_SHUTDOWN);
    for (i = 0; i < 4; i++) {
        CHECK(doca_task_get_status(tasks[i]) == DOCA_SUCCESS ||
              doca_task_get_status(tasks[i]) == DOCA_ERROR_SHUTDOWN);
        doca_task_free(tasks[i]);
    }
    event_drain(e);
    CHECK_EQ(e->num_ok + e->num_failed, 4);
    CHECK_EQ(rig_state(e->ctx), DOCA_CTX_STATE_IDLE);
    event_start(e); /* the context works again */
    CHECK_OK(do_task(e, event_set_task(e, 77)));
    CHECK_EQ(read_value(e), 77);
}

static void stop_flushes_every_task_once(void)
{
    everywhere(flush);
}

/* Move the address of the value outside the registered memory, so that tasks fail. */
static void check_failed_tasks(struct party *p)
{
    struct event_rig *e = &p->e;
    struct doca_task *tasks[4];
    uint64_t *addr = OBJECT(e->event)->addr, got;
    unsigned round, i;

    if (p->map->is_on_dev || p->theirs != NULL) {
        for (round = 0; round < 2; round++) {
            CHECK_OK(doca_ctx_stop(e->ctx));
            OBJECT(e->event)->addr = (uint64_t *)((uintptr_t)addr + 1048576);
            event_start(e);
            e->num_failed = e->num_ok = 0;
            if (round == 0) {
                submit_all(e, tasks, &got);
            } else { /* waiting tasks fail without other tasks */
                tasks[0] = event_wait_task(e, 1000, ~(uint64_t)0);
                tasks[1] = event_wait_task(e, 2000, ~(uint64_t)0);
                CHECK_OK(doca_task_submit(tasks[0]));
                CHECK_OK(doca_task_submit(tasks[1]));
            }
            finish(e, round == 0 ? 4 : 2);
            for (i = 0; i < (round == 0 ? 4 : 2); i++) {
                CHECK_RC(doca_task_get_status(tasks[i]), DOCA_ERROR_IO_FAILED);
                doca_task_free(tasks[i]);
            }
            event_drain(e);
            CHECK_EQ(e->num_failed, round == 0 ? 4 : 2);
            CHECK_EQ(rig_state(e->ctx), DOCA_CTX_STATE_IDLE);
            OBJECT(e->event)->addr = addr;
            event_start(e);
            CHECK_OK(do_task(e, event_set_task(e, 6)));
            CHECK_EQ(read_value(e), 6);
        }
    }
}

static void failed_task_stops_the_context_which_starts_again(void)
{
    everywhere(check_failed_tasks);
}

/* After the exporter has ended the export, the next task of the importer fails. The importer does
 * not notice the end earlier. */
static void check_ended_export(struct party *p)
{
    struct event_rig *e = &p->e;
    uint64_t got;

    if (p->theirs == NULL)
        return;
    CHECK_OK(do_task(e, event_set_task(e, 6)));
    CHECK_OK(doca_mmap_destroy(p->theirs));
    p->theirs = NULL;
    CHECK_RC(do_task(e, event_add_task(e, 1, &got)), DOCA_ERROR_IO_FAILED);
    event_drain(e);
    CHECK_EQ(rig_state(e->ctx), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(memory[2], 6);
}

static void tasks_fail_after_the_export_ended(void)
{
    everywhere(check_ended_export);
}

static bool fails_soon;

static int failing_take_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
    if (!fails_soon)
        return doca_core_mlx5_real_sys()->take_async_event(context, event);
    event->event_type = IBV_EVENT_DEVICE_FATAL;
    fails_soon = false;
    return 0;
}

static void failed_device_fails_every_task(void)
{
    static struct doca_core_mlx5_sys sys;
    struct doca_sync_event *event;
    struct doca_task *wait;
    struct doca_dev *dev;
    struct party p;
    unsigned place;

    for (place = ON_DEVICE; place <= IN_HOST; place++) {
        sys = *mlx5_trap_sys();
        sys.take_async_event = failing_take_async_event;
        dev = open_first(DOCA_CORE_MLX5_ENGINE_AUTO, &sys);
        if (dev == NULL)
            test_skip("the first device has no atomics");
        if (!make_memory(&p, dev, (enum place)place)) {
            CHECK_OK(doca_dev_close(dev));
            continue;
        }
        event = event_make(dev, false);
        put_in(&p, event);
        run_ctx(&p.e, dev, event);
        wait = event_wait_task(&p.e, 1, ~(uint64_t)0);
        CHECK_OK(doca_task_submit(wait));
        fails_soon = true;
        finish(&p.e, 1);
        CHECK_RC(doca_task_get_status(wait), DOCA_ERROR_IO_FAILED);
        doca_task_free(wait);
        event_drain(&p.e);
        CHECK_EQ(rig_state(p.e.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_RC(doca_ctx_start(p.e.ctx), DOCA_ERROR_DRIVER);
        event_close_ctx(&p.e);
        destroy_memory(&p);
        CHECK_OK(doca_dev_close(dev));
    }
}

/* The device fails while an event has no tasks: progress stops its context. */
static void failed_device_stops_an_idle_event(void)
{
    static struct doca_core_mlx5_sys sys;
    struct doca_sync_event *event;
    unsigned place, calls;
    struct doca_dev *dev;
    struct party p;

    for (place = ON_DEVICE; place <= IN_HOST; place++) {
        sys = *mlx5_trap_sys();
        sys.take_async_event = failing_take_async_event;
        dev = open_first(DOCA_CORE_MLX5_ENGINE_AUTO, &sys);
        if (dev == NULL)
            test_skip("the first device has no atomics");
        if (!make_memory(&p, dev, (enum place)place)) {
            CHECK_OK(doca_dev_close(dev));
            continue;
        }
        event = event_make(dev, false);
        put_in(&p, event);
        run_ctx(&p.e, dev, event);
        event_drain(&p.e);
        CHECK_EQ(rig_state(p.e.ctx), DOCA_CTX_STATE_RUNNING);
        fails_soon = true;
        for (calls = 0; calls < 2 * DOCA_CORE_PE_PATIENCE && fails_soon; calls++)
            (void)doca_pe_progress(p.e.pe);
        event_drain(&p.e);
        CHECK_EQ(rig_state(p.e.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_RC(doca_ctx_start(p.e.ctx), DOCA_ERROR_DRIVER);
        event_close_ctx(&p.e);
        destroy_memory(&p);
        CHECK_OK(doca_dev_close(dev));
    }
}

/* Each task ends exactly once, and a task that ends with success was executed, even when the
 * emulated device injects faults (emulated.cmake runs this case that way). A context that stopped
 * after an error can be started again, unless the whole device has failed. */
static void every_task_ends_once(void)
{
    enum { ADDS = EVENT_TASKS, ROUNDS = 8 };
    static uint64_t was[ADDS];
    unsigned round, i, num_starts = 0, num_ok = 0;
    struct doca_task *tasks[ADDS + 1];
    doca_error_t rc = DOCA_SUCCESS;
    struct doca_sync_event *event;
    struct doca_dev *dev;
    uint64_t sum = 0;
    struct party p;

    dev = open_first(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys());
    if (dev == NULL)
        test_skip("the first device has no atomics");
    if (!make_memory(&p, dev, ON_DEVICE))
        CHECK(make_memory(&p, dev, IN_HOST));
    event = event_make(dev, false);
    put_in(&p, event);
    event_build_ctx(&p.e, dev, event);
    for (round = 0; round < ROUNDS; round++) {
        if (rig_state(p.e.ctx) == DOCA_CTX_STATE_IDLE) {
            rc = doca_ctx_start(p.e.ctx);
            if (rc != DOCA_SUCCESS)
                break;
            num_starts++;
        }
        p.e.num_ok = p.e.num_failed = num_ok = 0;
        tasks[ADDS] = event_wait_task(&p.e, sum + ADDS - 1, ~(uint64_t)0);
        CHECK_OK(doca_task_submit(tasks[ADDS]));
        for (i = 0; i < ADDS; i++) {
            tasks[i] = event_add_task(&p.e, 1, &was[i]);
            CHECK_OK(doca_task_submit(tasks[i]));
        }
        finish(&p.e, ADDS + 1);
        for (i = 0; i < ADDS; i++) {
            if (doca_task_get_status(tasks[i]) == DOCA_SUCCESS)
                CHECK_EQ(was[i], sum + num_ok++); /* tasks behind a failed task do not succeed */
            else
                CHECK_RC(doca_task_get_status(tasks[i]), DOCA_ERROR_IO_FAILED);
        }
        for (i = 0; i < ADDS + 1; i++)
            doca_task_free(tasks[i]);
        sum += num_ok;
        event_drain(&p.e);
        CHECK_EQ(p.e.num_ok + p.e.num_failed, ADDS + 1);
        CHECK_EQ(rig_state(p.e.ctx),
                 p.e.num_failed == 0 ? DOCA_CTX_STATE_RUNNING : DOCA_CTX_STATE_IDLE);
    }
    heap_trap_set(HEAP_TRAP_OFF);
    printf("  %u starts; the last round: %s, %u of %u done\n", num_starts, doca_error_get_name(rc),
           num_ok, (unsigned)ADDS);
    event_close_ctx(&p.e);
    destroy_memory(&p);
    CHECK_OK(doca_dev_close(dev));
}

/* ---- bytes of the arena ---- */

static size_t used_of(struct doca_core_arena *arena)
{
    size_t used;

    CHECK_OK(doca_core_arena_query(arena, &used, NULL, NULL));
    return used;
}

static void sizes_match_the_arena(void)
{
    static unsigned char bytes[1 << 20] DOCA_CORE_ALIGNED;
    enum doca_core_mlx5_engine engine = DOCA_CORE_MLX5_ENGINE_AUTO;
    struct doca_core_arena arena;
    struct doca_sync_event *event;
    struct doca_dev *dev;
    struct doca_buf *buf;
    struct event_rig e;
    struct party p;
    size_t want;

    dev = open_first(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys());
    if (dev == NULL)
        test_skip("the first device has no atomics");
    CHECK(make_memory(&p, dev, IN_HOST));
    want = DOCA_CORE_MLX5_BYTES_SYNC_EVENT(4 * EVENT_TASKS);
    CHECK(want <= sizeof(bytes));
    CHECK_OK(doca_core_arena_init(&arena, bytes, sizeof(bytes)));
    CHECK_OK(doca_core_sync_event_create_in(&arena, &event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    buf = value_buf(&p, 8);
    CHECK_OK(doca_sync_event_set_doca_buf(event, buf));
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    run_ctx(&e, dev, event);
    CHECK_OK(doca_core_mlx5_get_engine(dev, &engine));
    if (engine != DOCA_CORE_MLX5_ENGINE_VERBS) /* this engine has no rings in the arena */
        CHECK_EQ(used_of(&arena), want);
    event_close_ctx(&e);
    CHECK_EQ(used_of(&arena), 0);
    destroy_memory(&p);
    CHECK_OK(doca_dev_close(dev));
}

static unsigned fail_at, num_calls, num_mrs, num_qps;

static bool fails_now(void)
{
    errno = EAGAIN;
    return ++num_calls == fail_at;
}

static struct ibv_mr *counted_reg_mr(struct ibv_pd *pd, void *addr, size_t len, unsigned access)
{
    struct ibv_mr *mr = fails_now() ? NULL : mlx5_trap_reg_mr(pd, addr, len, access);

    num_mrs += mr != NULL;
    return mr;
}

static struct ibv_mr *counted_reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm, size_t len,
                                        unsigned access)
{
    struct ibv_mr *mr = fails_now() ? NULL : mlx5_trap_reg_dm_mr(pd, dm, len, access);

    num_mrs += mr != NULL;
    return mr;
}

static int counted_dereg_mr(struct ibv_mr *mr)
{
    num_mrs--;
    return mlx5_trap_dereg_mr(mr);
}

static struct ibv_qp *counted_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
    struct ibv_qp *qp = fails_now() ? NULL : mlx5_trap_create_qp(pd, attr);

    num_qps += qp != NULL;
    return qp;
}

static int counted_destroy_qp(struct ibv_qp *qp)
{
    num_qps--;
    return mlx5_trap_destroy_qp(qp);
}

static void start_that_fails_leaves_nothing(void)
{
    static struct doca_core_mlx5_sys sys;
    struct doca_sync_event *event;
    struct doca_dev *dev;
    unsigned place, before;
    int fd;
    struct party p;

    for (place = ON_DEVICE; place <= IN_HOST; place++) {
        sys = *mlx5_trap_sys();
        sys.reg_mr = counted_reg_mr;
        sys.reg_dm_mr = counted_reg_dm_mr;
        sys.dereg_mr = counted_dereg_mr;
        sys.create_qp = counted_create_qp;
        sys.destroy_qp = counted_destroy_qp;
        fail_at = num_mrs = num_qps = 0;
        dev = open_first(DOCA_CORE_MLX5_ENGINE_AUTO, &sys);
        if (dev == NULL)
            test_skip("the first device has no atomics");
        if (make_memory(&p, dev, (enum place)place)) {
            event = event_make(dev, false);
            put_in(&p, event);
            event_build_ctx(&p.e, dev, event);
            before = num_mrs;
            fd = event_free_fd();
            for (fail_at = 1, num_calls = 0; doca_ctx_start(p.e.ctx) != DOCA_SUCCESS;
                 fail_at++, num_calls = 0) {
                CHECK(fail_at < 10);
                CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_CALL);
                CHECK_EQ(num_mrs, before);
                CHECK_EQ(num_qps, 0);
                CHECK_EQ(event_free_fd(), fd);
            }
            CHECK_EQ(fail_at, 5); /* four calls can fail: two queue pairs, two keys */
            event_close_ctx(&p.e);
            CHECK_EQ(num_mrs, before);
            CHECK_EQ(num_qps, 0);
            CHECK_EQ(event_free_fd(), fd);
            destroy_memory(&p);
        }
        CHECK_OK(doca_dev_close(dev));
    }
}

static const struct test_case cases[] = {
    CASE(tasks_work_in_every_kind_of_memory, ""),
    CASE(tasks_take_effect_in_the_order_of_submission, ""),
    CASE(waiting_task_completes_beside_a_stream_of_tasks, ""),
    CASE(waits_end_when_their_condition_holds, ""),
    CASE(waits_do_not_complete_by_earlier_reads, ""),
    CASE(many_tasks_wait_for_room, ""),
    CASE(cpu_reads_and_waits_but_does_not_add, ""),
    CASE(cpu_updates_only_memory_without_remote_permissions, ""),
    CASE(cpu_updates_depend_on_the_atomics_of_the_device, ""),
    CASE(event_keeps_the_mmap_of_its_value_in_use, ""),
    CASE(two_functions_lose_no_addition, ""),
    CASE(event_is_exported_to_another_function, ""),
    CASE(forged_descriptors_are_refused, ""),
    CASE(memory_of_a_device_is_not_exported, ""),
    CASE(completion_of_a_wait_wakes_sleepers, ""),
    CASE(stop_flushes_every_task_once, ""),
    CASE(failed_task_stops_the_context_which_starts_again, ""),
    CASE(tasks_fail_after_the_export_ended, ""),
    CASE(failed_device_fails_every_task, ""),
    CASE(failed_device_stops_an_idle_event, ""),
    CASE(every_task_ends_once, ""),
    CASE(sizes_match_the_arena, ""),
    CASE(start_that_fails_leaves_nothing, ""),
};

TEST_MAIN(cases)
