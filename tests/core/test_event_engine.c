/* Sync events whose tasks a device executes. Tests the core's part, on a test backend ("cell")
 * whose devices are in plain memory. */
#include "event_rig.h"
#include "share.h"

/* ---- a device that has 64 bytes of memory, imports mmaps, and executes tasks in poll ---- */

static uint64_t own_memory[8], host_memory[8];
static unsigned char engine; /* value of limits.event_engine */
static doca_error_t answer;  /* result of event_open */
static bool fails;           /* the next task that poll returns fails */

static struct {
    unsigned opens, closes, flushes, exports, unexports, unimports;
    struct doca_core_event_place place;
    uint32_t depth;
    uint64_t *at; /* address of the event's value, in this process */
    unsigned wrong; /* calls that the core must not make */
} seen;

#define OWN_ADDR ((void *)0x1000) /* address that bufs have in the device's memory */

static uint32_t cell_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t i;

    for (i = 0; i < 2 && i < max; i++) {
        memset(&attrs[i], 0, sizeof(attrs[i]));
        snprintf(attrs[i].pci_addr, sizeof(attrs[i].pci_addr), "00ce:%02x:00.0", i & 0xff);
        attrs[i].limits.has_sync_event = 1;
        attrs[i].limits.has_export_pci = attrs[i].limits.has_import_pci = 1;
        attrs[i].limits.event_engine = engine;
    }
    return 2;
}

static doca_error_t cell_reg(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                             uint32_t *mkey)
{
    (void)dev;
    (void)addr;
    (void)len;
    (void)access;
    *mkey = 0x11;
    return DOCA_SUCCESS;
}

static void cell_dereg(struct doca_dev *dev, uint32_t mkey)
{
    (void)dev;
    seen.wrong += mkey != 0x11;
}

static doca_error_t cell_export(struct doca_dev *dev, uint32_t mkey, uint32_t own, bool is_rdma,
                                unsigned char blob[DOCA_CORE_EXPORT_BYTES])
{
    (void)dev;
    seen.wrong += mkey != 0x11 || own != 0 || is_rdma;
    seen.exports++;
    blob[0] = 0xb0;
    return DOCA_SUCCESS;
}

static void cell_unexport(struct doca_dev *dev, uint32_t mkey, uint32_t own, bool is_rdma)
{
    (void)dev;
    seen.wrong += mkey != 0x11 || own != 0 || is_rdma;
    seen.unexports++;
}

static doca_error_t cell_import(struct doca_dev *dev, const struct doca_core_range *range,
                                bool is_rdma, const unsigned char blob[DOCA_CORE_EXPORT_BYTES],
                                uint32_t *mkey, uint32_t *own)
{
    (void)dev;
    (void)range;
    seen.wrong += is_rdma || blob[0] != 0xb0;
    *mkey = 0x22;
    *own = 0x23;
    return DOCA_SUCCESS;
}

static void cell_unimport(struct doca_dev *dev, uint32_t mkey, uint32_t own)
{
    (void)dev;
    seen.wrong += mkey != 0x22 || own != 0x23;
    seen.unimports++;
}

static doca_error_t cell_dm_alloc(struct doca_dev *dev, size_t len, void **addr, uint32_t *mkey,
                                  uint32_t *own)
{
    (void)dev;
    seen.wrong += len > sizeof(own_memory);
    *addr = OWN_ADDR;
    *mkey = 0x33;
    *own = 0x34;
    return DOCA_SUCCESS;
}

static void cell_dm_free(struct doca_dev *dev, uint32_t mkey)
{
    (void)dev;
    seen.wrong += mkey != 0x33;
}

static doca_error_t cell_dm_copy(struct doca_dev *dev, uint32_t mkey, size_t offset, void *bytes,
                                 size_t len, bool is_write)
{
    (void)dev;
    (void)mkey;
    (void)offset;
    (void)bytes;
    (void)len;
    (void)is_write;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static size_t cell_queue_bytes(struct doca_dev *dev, enum doca_core_engine id, uint32_t depth)
{
    (void)dev;
    (void)depth;
    seen.wrong += id != DOCA_CORE_ENGINE_EVENT;
    return sizeof(struct doca_core_queue);
}

static doca_error_t cell_queue_open(struct doca_core_queue *queue, enum doca_core_engine id,
                                    uint32_t depth)
{
    (void)queue;
    (void)id;
    (void)depth;
    seen.wrong++; /* the core must call event_open instead */
    return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t cell_post(struct doca_core_queue *queue, struct doca_task *task)
{
    task->next = NULL;
    if (queue->first == NULL)
        queue->first = task;
    else
        queue->last->next = task;
    queue->last = task;
    return DOCA_SUCCESS;
}

static void cell_execute(struct doca_task *task)
{
    struct doca_sync_event_task_notify_add *add = (struct doca_sync_event_task_notify_add *)task;

    switch (task->type) {
    case DOCA_CORE_EVENT_GET:
        *((struct doca_sync_event_task_get *)task)->ret_val_ptr = *seen.at;
        break;
    case DOCA_CORE_EVENT_NOTIFY_SET:
        *seen.at = ((struct doca_sync_event_task_notify_set *)task)->set_val;
        break;
    case DOCA_CORE_EVENT_NOTIFY_ADD:
        *add->fetched_val_ptr = *seen.at;
        *seen.at += add->inc_val;
        break;
    default:
        seen.wrong++;
    }
}

/* Return the oldest task, or, before it, a wait task whose condition holds. */
static struct doca_task *cell_poll(struct doca_core_queue *queue)
{
    struct doca_task *task = queue->first;

    if (task == NULL || (task->type == DOCA_CORE_EVENT_WAIT_GT && task->status == DOCA_SUCCESS &&
                         *seen.at <= ((struct doca_sync_event_task_wait_gt *)task)->wait_val))
        return NULL;
    queue->first = task->next;
    if (task->status == DOCA_SUCCESS && fails)
        task->status = DOCA_ERROR_IO_FAILED;
    else if (task->status == DOCA_SUCCESS && task->type != DOCA_CORE_EVENT_WAIT_GT)
        cell_execute(task);
    fails = false;
    return task;
}

static void cell_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_task *task;

    seen.flushes++;
    for (task = queue->first; task != NULL; task = task->next)
        task->status = (uint8_t)status;
}

static bool cell_ready(struct doca_core_queue *queue)
{
    return queue->first != NULL;
}

static doca_error_t cell_event_open(struct doca_core_queue *queue,
                                    const struct doca_core_event_place *place, uint32_t depth)
{
    seen.opens++;
    seen.place = *place;
    seen.depth = depth;
    seen.at = place->mmap->is_on_dev
                  ? own_memory + ((uintptr_t)place->addr - (uintptr_t)OWN_ADDR) / 8
                  : (uint64_t *)place->addr;
    seen.wrong += strcmp(queue->backend->name, "cell") != 0 || queue->dev == NULL;
    queue->post = cell_post;
    queue->poll = cell_poll;
    return answer;
}

static doca_error_t cell_opening(struct doca_core_queue *queue)
{
    (void)queue;
    return DOCA_SUCCESS;
}

static void cell_close(struct doca_core_queue *queue)
{
    seen.wrong += queue->first != NULL;
    seen.closes++;
}

/* Register the backend, and open its two devices. */
static void open_cells(struct doca_dev *devs[2], unsigned char of_engine)
{
    static const struct doca_core_dev_attr none;
    struct doca_core_backend table;
    struct doca_devinfo **list;
    uint32_t num, i;

    memset(&table, 0, sizeof(table));
    table.name = "cell";
    table.enumerate = cell_enumerate;
    table.reg = cell_reg;
    table.dereg = cell_dereg;
    table.mem_export = cell_export;
    table.mem_unexport = cell_unexport;
    table.mem_import = cell_import;
    table.mem_unimport = cell_unimport;
    table.dm_alloc = cell_dm_alloc;
    table.dm_free = cell_dm_free;
    table.dm_copy = cell_dm_copy;
    table.queue_bytes = cell_queue_bytes;
    table.queue_open = cell_queue_open;
    table.queue_opening = cell_opening;
    table.queue_close = cell_close;
    table.queue_flush = cell_flush;
    table.queue_ready = cell_ready;
    table.event_open = cell_event_open;
    memset(&seen, 0, sizeof(seen));
    memset(own_memory, 0, sizeof(own_memory));
    memset(host_memory, 0, sizeof(host_memory));
    engine = of_engine;
    answer = DOCA_SUCCESS;
    fails = false;
    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    CHECK_OK(doca_core_backend_register(&table));
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_EQ(num, 2);
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_dev_open(list[i], &devs[i]));
    CHECK_OK(doca_devinfo_destroy_list(list));
}

static void close_cells(struct doca_dev *devs[2])
{
    CHECK_EQ(seen.wrong, 0);
    CHECK_EQ(seen.opens, seen.closes);
    CHECK_OK(doca_dev_close(devs[0]));
    CHECK_OK(doca_dev_close(devs[1]));
    CHECK_OK(doca_core_backend_unregister("cell"));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

/* Put the value of the event into the third word of the mmap. */
static doca_error_t put_in(struct doca_sync_event *event, struct doca_mmap *map)
{
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf;
    doca_error_t rc;
    void *addr;
    size_t len;

    CHECK_OK(doca_mmap_get_memrange(map, &addr, &len));
    CHECK_OK(doca_buf_inventory_create(1, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, map, (unsigned char *)addr + 16, 8,
                                                &buf));
    rc = doca_sync_event_set_doca_buf(event, buf);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    return rc;
}

static struct doca_mmap *share_host(struct doca_dev *dev)
{
    return share_map(dev, host_memory, sizeof(host_memory), SHARE_PCI);
}

/* ---- cases ---- */

static void device_receives_the_tasks_and_the_address(void)
{
    static const uint32_t keys[3][2] = { { 0x33, 0x34 }, { 0x11, 0 }, { 0x22, 0x23 } };
    struct doca_mmap *maps[3];
    struct doca_sync_event *event;
    struct doca_dev *devs[2];
    struct event_rig e;
    const void *desc;
    uint64_t got;
    unsigned i;
    size_t len;

    open_cells(devs, DOCA_CORE_EVENT_ENGINE_CARD);
    CHECK_OK(doca_core_mmap_create_on_dev(devs[0], sizeof(own_memory), &maps[0]));
    maps[1] = share_host(devs[0]);
    CHECK_OK(doca_mmap_export_pci(maps[1], devs[0], &desc, &len));
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, devs[0], &maps[2]));
    for (i = 0; i < 3; i++) {
        CHECK(IS_HANDLE(maps[i]));
        event = event_make(devs[0], false);
        CHECK_OK(put_in(event, maps[i]));
        event_build_ctx(&e, devs[0], event);
        CHECK_PTR(doca_sync_event_as_ctx(event), e.ctx);
        event_start(&e);
        CHECK_EQ(seen.depth, 4 * EVENT_TASKS);
        CHECK_PTR(seen.place.mmap, OBJECT(maps[i]));
        CHECK_EQ(seen.place.mkey, keys[i][0]);
        CHECK_EQ(seen.place.internal_mkey, keys[i][1]);
        CHECK_EQ(seen.place.here != NULL, i == 1);
        event_do(&e, event_set_task(&e, 40));
        event_do(&e, event_add_task(&e, 2, &got));
        CHECK_EQ(got, 40);
        event_do(&e, event_wait_task(&e, 41, UINT64_MAX));
        event_do(&e, event_get_task(&e, &got));
        CHECK_EQ(got, 42);
        CHECK_EQ(i == 0 ? own_memory[2] : host_memory[2], 42);
        CHECK_RC(doca_dev_close(devs[0]), DOCA_ERROR_IN_USE);
        event_close_ctx(&e);
    }
    CHECK_OK(doca_mmap_destroy(maps[2]));
    CHECK_OK(doca_mmap_destroy(maps[1]));
    CHECK_OK(doca_mmap_destroy(maps[0]));
    close_cells(devs);
}

/* A thread-safe mmap may stop while the value of an event is in it. A context on the event does not
 * start then. */
static void event_in_a_stopped_mmap_does_not_start(void)
{
    struct doca_sync_event *event;
    struct doca_dev *devs[2];
    struct doca_mmap *map;
    struct event_rig e;
    bool is_destroyed;

    for (is_destroyed = false;; is_destroyed = true) {
        open_cells(devs, DOCA_CORE_EVENT_ENGINE_CARD);
        CHECK_OK(doca_mmap_create(&map));
        CHECK_OK(doca_mmap_set_memrange(map, host_memory, sizeof(host_memory)));
        CHECK_OK(doca_mmap_add_dev(map, devs[0]));
        CHECK_OK(doca_mmap_set_permissions(map, SHARE_PCI));
        CHECK_OK(doca_mmap_enable_thread_safety(map));
        CHECK_OK(doca_mmap_start(map));
        event = event_make(devs[0], false);
        CHECK_OK(put_in(event, map));
        event_build_ctx(&e, devs[0], event);
        CHECK_OK(is_destroyed ? doca_mmap_destroy(map) : doca_mmap_stop(map));
        CHECK_RC(doca_ctx_start(e.ctx), DOCA_ERROR_BAD_STATE);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MMAP_NOT_STARTED);
        CHECK_EQ(seen.opens, 0);
        if (!is_destroyed) {
            CHECK_OK(doca_mmap_start(map));
            event_start(&e);
        }
        event_close_ctx(&e);
        if (!is_destroyed)
            CHECK_OK(doca_mmap_destroy(map));
        close_cells(devs);
        if (is_destroyed)
            break;
    }
}

static void failed_task_stops_the_context(void)
{
    struct doca_sync_event *event;
    struct doca_task *tasks[3];
    struct doca_dev *devs[2];
    struct doca_mmap *map;
    struct event_rig e;
    uint64_t got;
    unsigned i;

    open_cells(devs, DOCA_CORE_EVENT_ENGINE_CARD);
    map = share_host(devs[0]);
    event = event_make(devs[0], false);
    CHECK_OK(put_in(event, map));
    event_build_ctx(&e, devs[0], event);
    answer = DOCA_ERROR_DRIVER;
    CHECK_RC(doca_ctx_start(e.ctx), DOCA_ERROR_DRIVER);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_BACKEND_REFUSED);
    seen.opens = 0; /* leaves the queue open */
    answer = DOCA_ERROR_IN_PROGRESS;
    CHECK_RC(doca_ctx_start(e.ctx), DOCA_ERROR_IN_PROGRESS);
    event_drain(&e);
    CHECK_EQ(rig_state(e.ctx), DOCA_CTX_STATE_RUNNING);
    tasks[0] = event_set_task(&e, 1);
    tasks[1] = event_add_task(&e, 1, &got);
    tasks[2] = event_wait_task(&e, 9, UINT64_MAX);
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_task_submit(tasks[i]));
    fails = true;
    event_drain(&e);
    CHECK_EQ(e.num_failed, 3);
    CHECK_EQ(seen.flushes, 1);
    for (i = 0; i < 3; i++) {
        CHECK_RC(doca_task_get_status(tasks[i]), DOCA_ERROR_IO_FAILED);
        doca_task_free(tasks[i]);
    }
    event_drain(&e);
    CHECK_EQ(rig_state(e.ctx), DOCA_CTX_STATE_IDLE);
    answer = DOCA_SUCCESS;
    event_start(&e);
    event_do(&e, event_set_task(&e, 7));
    CHECK_EQ(host_memory[2], 7);
    event_close_ctx(&e);
    CHECK_OK(doca_mmap_destroy(map));
    close_cells(devs);
}

/* The tasks are executed by the publisher's device if the mmap has that device, otherwise by the
 * subscriber's device. */
static void publishers_device_precedes_the_subscribers(void)
{
    struct doca_sync_event *event;
    struct doca_dev *devs[2];
    struct doca_mmap *map;
    struct event_rig e;
    unsigned i, k;

    open_cells(devs, DOCA_CORE_EVENT_ENGINE_CARD);
    for (i = 0; i < 2; i++) { /* index of the device in the mmap */
        for (k = 0; k < 2; k++) { /* index of the publisher's device */
            map = share_host(devs[i]);
            CHECK_OK(doca_sync_event_create(&event));
            CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, devs[k]));
            CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, devs[1 - k]));
            CHECK_OK(put_in(event, map));
            event_build_ctx(&e, devs[0], event);
            CHECK_PTR(OBJECT(e.ctx)->dev, devs[i]);
            event_start(&e);
            event_close_ctx(&e);
            CHECK_OK(doca_mmap_destroy(map));
        }
    }
    CHECK_OK(doca_sync_event_create(&event)); /* the mmap has neither device */
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, devs[1]));
    CHECK_OK(doca_sync_event_add_subscriber_location_dpu(event));
    map = share_host(devs[0]);
    CHECK_OK(put_in(event, map));
    event_build_ctx(&e, devs[0], event);
    CHECK_RC(doca_ctx_start(e.ctx), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_NOT_ATOMIC);
    event_close_ctx(&e);
    CHECK_OK(doca_mmap_destroy(map));
    close_cells(devs);
}

static void cpu_update_is_refused_if_it_is_not_atomic(void)
{
    static const unsigned char engines[] = { DOCA_CORE_EVENT_ENGINE_NONE,
                                             DOCA_CORE_EVENT_ENGINE_CARD,
                                             DOCA_CORE_EVENT_ENGINE_ALL };
    struct doca_sync_event *event;
    struct doca_dev *devs[2];
    struct doca_mmap *map;
    doca_error_t want;
    uint64_t got;
    unsigned i;

    for (i = 0; i < 3; i++) {
        want = engines[i] == DOCA_CORE_EVENT_ENGINE_CARD ? DOCA_ERROR_NOT_SUPPORTED : DOCA_SUCCESS;
        open_cells(devs, engines[i]);
        map = share_host(devs[0]);
        host_memory[2] = 5;
        event = event_make(devs[0], false);
        CHECK_OK(put_in(event, map));
        CHECK_OK(doca_sync_event_start(event));
        CHECK_EQ(event_value(event), 5);
        CHECK_OK(doca_sync_event_wait_gt(event, 4, UINT64_MAX));
        CHECK_OK(doca_sync_event_wait_gt_yield(event, 4, UINT64_MAX));
        CHECK_RC(doca_sync_event_update_set(event, 6), want);
        CHECK_RC(doca_sync_event_update_add(event, 1, &got), want);
        CHECK_EQ(host_memory[2], want == DOCA_SUCCESS ? 7 : 5);
        CHECK_PTR(doca_sync_event_as_ctx(event), NULL);
        CHECK_OK(doca_sync_event_stop(event));
        CHECK_RC(doca_sync_event_get(event, &got), DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_sync_event_update_set(event, 6), DOCA_ERROR_BAD_STATE);
        CHECK_OK(doca_sync_event_destroy(event));
        CHECK_OK(doca_mmap_destroy(map));
        close_cells(devs);
    }
}

static void event_is_exported_with_its_mmap(void)
{
    struct doca_sync_event *event, *import;
    const uint8_t *desc, *again;
    struct doca_dev *devs[2];
    struct doca_mmap *map;
    struct event_rig e;
    size_t len;

    open_cells(devs, DOCA_CORE_EVENT_ENGINE_CARD);
    map = share_host(devs[0]);
    event = event_make(devs[0], true);
    CHECK_OK(put_in(event, map));
    CHECK_RC(doca_sync_event_export_to_dpu(event, devs[0], &desc, &len), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_sync_event_start(event));
    CHECK_RC(doca_sync_event_export_to_dpu(event, devs[1], &desc, &len), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_sync_event_export_to_dpu(event, devs[0], &desc, &len));
    CHECK_OK(doca_sync_event_export_to_dpu(event, devs[0], &again, &len));
    CHECK_PTR(again, desc);
    CHECK_EQ(seen.exports, 1);
    CHECK_OK(doca_sync_event_create_from_export(devs[1], desc, len, &import));
    CHECK_RC(doca_sync_event_start(import), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_BY_DEV);
    event_build_ctx(&e, devs[1], import);
    event_start(&e);
    CHECK_PTR(seen.place.addr, &host_memory[2]);
    CHECK_EQ(seen.place.mkey, 0x22);
    event_do(&e, event_set_task(&e, 12));
    CHECK_EQ(event_value(event), 12);
    event_close_ctx(&e);
    CHECK_EQ(seen.unimports, 1);
    CHECK_RC(doca_mmap_stop(map), DOCA_ERROR_NOT_PERMITTED); /* has the event's value */
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_EQ(seen.unexports, 0);
    CHECK_OK(doca_mmap_stop(map));
    CHECK_EQ(seen.unexports, 1);
    CHECK_OK(doca_mmap_destroy(map));
    close_cells(devs);
}

/* A thread-safe mmap may stop, and start with other devices, while the value of an event is in it.
 * The library chooses the engine of a context once, with the first devices: a CPU stays the engine,
 * and a context on a device that the mmap no longer has does not start. */
static void engine_of_a_context_is_chosen_once(void)
{
    struct doca_sync_event *event;
    struct doca_dev *devs[2];
    struct doca_mmap *map;
    struct event_rig e;
    unsigned i;

    for (i = 0; i < 3; i++) {
        open_cells(devs, i == 0 ? DOCA_CORE_EVENT_ENGINE_ALL : DOCA_CORE_EVENT_ENGINE_CARD);
        map = share_host(devs[i == 0]);
        CHECK_OK(doca_mmap_stop(map));
        CHECK_OK(doca_mmap_enable_thread_safety(map));
        if (i == 2)
            CHECK_OK(doca_mmap_add_dev(map, devs[1]));
        CHECK_OK(doca_mmap_start(map));
        CHECK_OK(doca_sync_event_create(&event));
        CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, devs[0]));
        CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, devs[i == 2]));
        CHECK_OK(put_in(event, map));
        event_build_ctx(&e, devs[0], event);
        if (i == 0)
            event_start(&e);
        CHECK_OK(doca_mmap_stop(map));
        CHECK_OK(i == 0 ? doca_mmap_add_dev(map, devs[0]) : doca_mmap_rm_dev(map, devs[0]));
        CHECK_OK(doca_mmap_start(map));
        CHECK_PTR(doca_sync_event_as_ctx(event), e.ctx);
        if (i > 0) {
            CHECK_RC(doca_ctx_start(e.ctx), DOCA_ERROR_NOT_SUPPORTED);
            CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_BUF_FAR);
        } else {
            event_do(&e, event_set_task(&e, 3));
            CHECK_EQ(host_memory[2], 3);
        }
        event_close_ctx(&e);
        CHECK_EQ(seen.opens, 0);
        CHECK_EQ(seen.flushes, 0);
        CHECK_EQ(seen.closes, 0);
        CHECK_OK(doca_mmap_destroy(map));
        close_cells(devs);
    }
}

/* The importer of an event may update its value, so the mmap needs write permission. */
static void export_needs_write_permission(void)
{
    struct doca_sync_event *event;
    const uint8_t *desc = NULL;
    struct doca_dev *devs[2];
    struct doca_mmap *map;
    struct event_rig e;
    size_t len;

    open_cells(devs, DOCA_CORE_EVENT_ENGINE_CARD);
    map = share_map(devs[0], host_memory, sizeof(host_memory),
                    DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_ONLY |
                        DOCA_ACCESS_FLAG_RDMA_WRITE);
    event = event_make(devs[0], true);
    CHECK_OK(put_in(event, map));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_RC(doca_sync_event_export_to_dpu(event, devs[0], &desc, &len),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MMAP_ACCESS_LACKS);
    CHECK_PTR(desc, NULL);
    CHECK_EQ(seen.exports, 0);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_mmap_destroy(map));

    /* an event in device memory cannot be exported either */
    CHECK_OK(doca_core_mmap_create_on_dev(devs[0], sizeof(own_memory), &map));
    event = event_make(devs[0], true);
    CHECK_OK(put_in(event, map));
    event_build_ctx(&e, devs[0], event);
    event_start(&e);
    CHECK_RC(doca_sync_event_export_to_dpu(event, devs[0], &desc, &len),
             DOCA_ERROR_NOT_SUPPORTED);
    event_close_ctx(&e);
    CHECK_OK(doca_mmap_destroy(map));
    close_cells(devs);
}

/* Start an mmap over the host memory with both devices. */
static struct doca_mmap *host_of_both(struct doca_dev *first, struct doca_dev *second,
                                      uint32_t access)
{
    struct doca_mmap *map;

    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_set_memrange(map, host_memory, sizeof(host_memory)));
    CHECK_OK(doca_mmap_set_permissions(map, access));
    CHECK_OK(doca_mmap_add_dev(map, first));
    CHECK_OK(doca_mmap_add_dev(map, second));
    CHECK_OK(doca_mmap_start(map));
    return map;
}

/* For an event whose devices have no engine, the CPU executes the tasks, if it can access the value
 * and no device adds to the value with atomics of its own. */
static void cpu_executes_the_tasks_if_no_device_can(void)
{
    static const struct {
        unsigned char engine;
        uint32_t access;
        bool is_own; /* the value is in memory of the device */
        enum doca_core_item item; /* item of the refusal; NONE: the CPU executes the tasks */
    } cases[] = {
        { DOCA_CORE_EVENT_ENGINE_ALL, SHARE_PCI, false, DOCA_CORE_ITEM_NONE },
        { DOCA_CORE_EVENT_ENGINE_CARD, SHARE_PCI, false, DOCA_CORE_ITEM_EVENT_NOT_ATOMIC },
        { DOCA_CORE_EVENT_ENGINE_CARD, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, false,
          DOCA_CORE_ITEM_NONE },
        { DOCA_CORE_EVENT_ENGINE_ALL, 0, true, DOCA_CORE_ITEM_EVENT_BUF_FAR },
    };
    struct doca_dev *devs[2], *sw = rig_open_dev(NULL);
    struct doca_sync_event *event;
    struct doca_mmap *map;
    struct event_rig e;
    unsigned i;

    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        open_cells(devs, cases[i].engine);
        if (cases[i].is_own)
            CHECK_OK(doca_core_mmap_create_on_dev(devs[0], sizeof(own_memory), &map));
        else
            map = host_of_both(sw, devs[0], cases[i].access);
        event = event_make(sw, false);
        CHECK_OK(put_in(event, map));
        event_build_ctx(&e, sw, event);
        if (cases[i].item == DOCA_CORE_ITEM_NONE) {
            event_start(&e);
            event_do(&e, event_set_task(&e, 12));
            CHECK_EQ(host_memory[2], 12);
        } else {
            CHECK_RC(doca_ctx_start(e.ctx), DOCA_ERROR_NOT_SUPPORTED);
            CHECK_EQ(doca_core_last_item(), cases[i].item);
        }
        CHECK_EQ(seen.opens, 0);
        event_close_ctx(&e);
        CHECK_OK(doca_mmap_destroy(map));
        close_cells(devs);
    }
    CHECK_OK(doca_dev_close(sw));
}

/* An event keeps the mmap that contains its value: if the program destroys a thread-safe mmap, the
 * memory of the mmap is freed only with the event. The mmap may have two devices that can execute
 * the tasks. The library opens no queue for an event without a subscriber. */
static void event_keeps_the_mmap_of_its_value(void)
{
    struct doca_sync_event *event;
    struct doca_dev *devs[2];
    struct doca_mmap *map;
    struct event_rig e;
    size_t used, left;

    open_cells(devs, DOCA_CORE_EVENT_ENGINE_CARD);
    map = host_of_both(devs[0], devs[1], SHARE_PCI);
    CHECK_OK(doca_mmap_stop(map));
    CHECK_OK(doca_mmap_enable_thread_safety(map));
    CHECK_OK(doca_mmap_start(map));
    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, devs[1]));
    CHECK_OK(put_in(event, map));
    event_build_ctx(&e, devs[1], event);
    CHECK_RC(doca_ctx_start(e.ctx), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_NO_LOCATION);
    CHECK_EQ(seen.opens, 0);
    CHECK_OK(doca_mmap_destroy(map)); /* its memory is freed with the event */
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
    event_close_ctx(&e);
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &left, NULL, NULL));
    CHECK(used - left >= DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_BYTES_SYNC_EVENT(0));
    close_cells(devs);
}

/* Fault rules make the operations fail that a sync event needs on a device with an engine. */
static void fault_backend_fails_the_operations(void)
{
    unsigned char bytes[8] = "seven..";
    struct doca_sync_event *event;
    struct doca_mmap *own = NULL, *host, *import;
    struct doca_dev *devs[2];
    struct event_rig e;
    const void *desc;
    size_t len;

    CHECK_OK(doca_core_fault_set("mem.alloc=fail:FULL@1,mem.copy=fail:EMPTY@1,"
                                 "mem.export=fail:TOO_BIG@1,mem.import=fail:NOT_FOUND@1,"
                                 "event.open=fail:IN_USE@1"));
    open_cells(devs, DOCA_CORE_EVENT_ENGINE_CARD);
    CHECK_RC(doca_core_mmap_create_on_dev(devs[0], sizeof(own_memory), &own), DOCA_ERROR_FULL);
    CHECK_PTR(own, NULL);
    CHECK_OK(doca_core_mmap_create_on_dev(devs[0], sizeof(own_memory), &own));
    CHECK_RC(doca_core_mmap_write(own, 16, bytes, sizeof(bytes)), DOCA_ERROR_EMPTY);
    CHECK_RC(doca_core_mmap_write(own, 16, bytes, sizeof(bytes)), DOCA_ERROR_NOT_SUPPORTED);
    host = share_host(devs[0]);
    CHECK_RC(doca_mmap_export_pci(host, devs[0], &desc, &len), DOCA_ERROR_TOO_BIG);
    CHECK_EQ(seen.exports, 0);
    CHECK_OK(doca_mmap_export_pci(host, devs[0], &desc, &len));
    CHECK_RC(doca_mmap_create_from_export(NULL, desc, len, devs[0], &import),
             DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, devs[0], &import));
    event = event_make(devs[0], false);
    CHECK_OK(put_in(event, host));
    event_build_ctx(&e, devs[0], event);
    CHECK_RC(doca_ctx_start(e.ctx), DOCA_ERROR_IN_USE);
    CHECK_EQ(seen.opens, 0);
    event_start(&e);
    event_do(&e, event_set_task(&e, 40));
    CHECK_EQ(host_memory[2], 40);
    event_close_ctx(&e);
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(host));
    CHECK_OK(doca_mmap_destroy(own));
    close_cells(devs);
    CHECK_OK(doca_core_fault_set(NULL));
}

/* Return a descriptor with another address of the value and another length of the mmap. Its
 * checksums are right. */
static const uint8_t *forged(const uint8_t *from, uint64_t addr, uint64_t len)
{
    static struct doca_priv_event_dev_desc desc;

    memcpy(&desc, from, sizeof(desc));
    desc.addr = addr;
    desc.mmap.len = len;
    share_seal(&desc.mmap);
    desc.head.crc = 0;
    desc.head.crc = share_crc(&desc, sizeof(desc));
    return (const uint8_t *)&desc;
}

/* An import fails when the value is misaligned or partly outside the exported memory. A device
 * without an engine for events does not import a correct descriptor either. */
static void descriptor_with_a_wrong_address_is_refused(void)
{
    const uint64_t place = (uintptr_t)&host_memory[2], begin = (uintptr_t)host_memory;
    const uint64_t all = sizeof(host_memory), end = begin + all;
    const uint64_t bad[] = { place + 1, place + 4, begin - 8, end, end - 4, 0, UINT64_MAX - 7 };
    const uint64_t good[] = { begin, end - 8, place };
    struct doca_sync_event *event, *import = NULL;
    struct doca_dev *devs[2], *sw;
    struct doca_mmap *map;
    const uint8_t *desc;
    size_t len, i;

    sw = rig_open_dev(NULL);
    open_cells(devs, DOCA_CORE_EVENT_ENGINE_CARD);
    map = share_host(devs[0]);
    event = event_make(devs[0], true);
    CHECK_OK(put_in(event, map));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_export_to_dpu(event, devs[0], &desc, &len));
    CHECK_EQ(len, sizeof(struct doca_priv_event_dev_desc));
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_RC(doca_sync_event_create_from_export(devs[1], forged(desc, bad[i], all), len,
                                                    &import),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORT_DAMAGED);
        CHECK_PTR(import, NULL);
    }
    CHECK_RC(doca_sync_event_create_from_export(devs[1], forged(desc, begin, 7), len, &import),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(import, NULL);
    for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        CHECK_OK(doca_sync_event_create_from_export(devs[1], forged(desc, good[i], all), len,
                                                    &import));
        CHECK_OK(doca_sync_event_destroy(import));
        import = NULL;
    }
    CHECK_RC(doca_sync_event_create_from_export(sw, desc, len, &import), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_BUF_FAR);
    CHECK_PTR(import, NULL);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_mmap_destroy(map));
    close_cells(devs);
    CHECK_OK(doca_dev_close(sw));
}

/* An export or import that finds too little memory in the arena leaves none of it in use. */
static void exports_and_imports_run_out_of_memory(void)
{
    static unsigned char bytes[8192] DOCA_CORE_ALIGNED;
    struct doca_sync_event *event, *import;
    struct doca_core_arena arena;
    struct doca_dev *devs[2];
    struct doca_mmap *map;
    const uint8_t *desc;
    size_t len, room, used;
    unsigned num_failed = 0;

    open_cells(devs, DOCA_CORE_EVENT_ENGINE_CARD);
    map = share_host(devs[0]);
    event = event_make(devs[0], true);
    CHECK_OK(put_in(event, map));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_export_to_dpu(event, devs[0], &desc, &len));
    for (room = DOCA_CORE_LINE; room < sizeof(bytes); room += DOCA_CORE_LINE) {
        if (doca_core_arena_init(&arena, bytes, room) != DOCA_SUCCESS)
            continue;
        import = NULL;
        if (doca_core_sync_event_create_from_export_in(&arena, devs[1], desc, len, &import) ==
            DOCA_SUCCESS)
            break;
        CHECK_PTR(import, NULL);
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, 0);
        num_failed++;
    }
    CHECK(num_failed > 4 && import != NULL);
    CHECK_OK(doca_sync_event_destroy(import));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_mmap_destroy(map));
    close_cells(devs);
}

static const struct test_case cases[] = {
    CASE(device_receives_the_tasks_and_the_address, ""),
    CASE(event_in_a_stopped_mmap_does_not_start, ""),
    CASE(failed_task_stops_the_context, ""),
    CASE(publishers_device_precedes_the_subscribers, ""),
    CASE(cpu_update_is_refused_if_it_is_not_atomic, ""),
    CASE(event_is_exported_with_its_mmap, ""),
    CASE(engine_of_a_context_is_chosen_once, ""),
    CASE(export_needs_write_permission, ""),
    CASE(cpu_executes_the_tasks_if_no_device_can, ""),
    CASE(event_keeps_the_mmap_of_its_value, ""),
    CASE(fault_backend_fails_the_operations, ""),
    CASE(descriptor_with_a_wrong_address_is_refused, ""),
    CASE(exports_and_imports_run_out_of_memory, ""),
};

TEST_MAIN(cases)
