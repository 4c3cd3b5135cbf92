/* DOCA RDMA on RDMA devices: sync events of the peer, whose export descriptors contain a memory key
 * for the device. The suite rdma_events tests the same tasks on all kinds of devices. */
#include "rdma_traffic.h"

#include "event_rig.h"

enum { BYTES = 1 << 14 };

static _Alignas(4096) unsigned char memory[2][BYTES];

/* Two connected ends; the second has an event. */
struct scene {
    struct rdma_end a, b;
    struct doca_sync_event *event;
    struct doca_priv_event_card_desc desc; /* of the export */
    size_t size;
};

static void scene_open(struct scene *s)
{
    const uint8_t *data = NULL;

    rdma_open(&s->a, memory[0], BYTES);
    rdma_open(&s->b, memory[1], BYTES);
    rdma_join(&s->a, &s->b);
    s->event = event_net(s->b.dev);
    CHECK_OK(doca_sync_event_export_to_remote_net(s->event, &data, &s->size));
    CHECK_EQ(s->size, sizeof(s->desc));
    memcpy(&s->desc, data, s->size);
}

static void scene_close(struct scene *s)
{
    rdma_stop(&s->a);
    CHECK_OK(doca_sync_event_destroy(s->event));
    rdma_close_both(&s->a, &s->b);
}

static void seal(struct doca_priv_export *head)
{
    head->crc = 0;
    head->crc = share_crc(head, head->bytes);
}

static doca_error_t import(const struct scene *s, const void *data, size_t size,
                           struct doca_sync_event_remote_net **net)
{
    return doca_sync_event_remote_net_create_from_export(s->a.dev, data, size, net);
}

static struct rdma_op set_to(struct scene *s, struct doca_sync_event_remote_net *net,
                             uint64_t value)
{
    memcpy(memory[0] + 64, &value, sizeof(value));
    return rdma_event_set(&s->a, net, rdma_buf(&s->a, 64, 8));
}

static void export_is_one_registration_until_the_event_stops(void)
{
    const uint8_t *data = NULL;
    struct scene s;
    size_t size = 0;
    unsigned i;

    scene_open(&s);
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_sync_event_export_to_remote_net(s.event, &data, &size));
        CHECK_EQ(size, s.size);
        CHECK_MEM(data, &s.desc, size);
    }
    for (i = 0; i < 20; i++) {
        CHECK_OK(doca_sync_event_stop(s.event));
        CHECK_OK(doca_sync_event_start(s.event));
        CHECK_OK(doca_sync_event_export_to_remote_net(s.event, &data, &size));
        CHECK_EQ(size, s.size);
    }
    CHECK(memcmp(data, &s.desc, size) != 0);
    scene_close(&s);
}

/* On the exporter's machine, calls on the handle access the shared page, and tasks use the memory
 * key. Both must change the same value. */
static void calls_and_tasks_change_one_value(void)
{
    struct doca_sync_event_remote_net *net = NULL;
    uint64_t value = 0;
    struct scene s;

    scene_open(&s);
    CHECK_OK(import(&s, &s.desc, s.size, &net));
    CHECK_OK(rdma_run(&s.a, set_to(&s, net, 41)));
    CHECK_OK(doca_core_sync_event_remote_net_get(net, &value));
    CHECK_EQ(value, 41);
    CHECK_OK(doca_core_sync_event_remote_net_update_set(net, 50));
    CHECK_OK(rdma_run(&s.a, rdma_event_add(&s.a, net, rdma_room(&s.a, 1024, 8), 3)));
    CHECK_EQ(rdma_word(&s.a, 1024), 50);
    CHECK_EQ(event_value(s.event), 53);
    CHECK_OK(doca_sync_event_remote_net_destroy(net));
    scene_close(&s);
}

/* The descriptor is changed so that it comes from another machine. */
static void event_of_another_machine_is_for_tasks_only(void)
{
    struct doca_sync_event_remote_net *net = NULL;
    uint64_t value = 77;
    struct scene s;

    scene_open(&s);
    s.desc.page.head.machine ^= 2;
    seal(&s.desc.page.head);
    seal(&s.desc.head);
    CHECK_RC(import(&s, &s.desc.page, sizeof(s.desc.page), &net), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(import(&s, &s.desc, s.size, &net));
    CHECK_RC(doca_core_sync_event_remote_net_get(net, &value), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_BY_RDMA);
    CHECK_RC(doca_core_sync_event_remote_net_update_set(net, 1), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_core_sync_event_remote_net_update_add(net, 1, &value), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_core_sync_event_remote_net_wait_gt(net, 0, 1), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(value, 77);
    CHECK_OK(rdma_run(&s.a, set_to(&s, net, 41)));
    CHECK_OK(rdma_run(&s.a, rdma_event_get(&s.a, net, rdma_room(&s.a, 1024, 8))));
    CHECK_EQ(rdma_word(&s.a, 1024), 41);
    CHECK_EQ(event_value(s.event), 41);
    CHECK_OK(doca_sync_event_remote_net_destroy(net));
    scene_close(&s);
}

/* Descriptors without a key, as software devices make them, can be imported; a task has no use for
 * them. */
static void event_without_a_key_is_refused_by_tasks(void)
{
    struct doca_sync_event_remote_net *net = NULL;
    struct rdma_op op;
    struct scene s;

    scene_open(&s);
    CHECK_OK(import(&s, &s.desc.page, sizeof(s.desc.page), &net));
    CHECK_OK(doca_core_sync_event_remote_net_update_set(net, 5));
    CHECK_EQ(event_value(s.event), 5);
    op = rdma_event_get(&s.a, net, rdma_room(&s.a, 0, 8));
    CHECK_RC(rdma_submit(op), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_RDMA_NO_EVENTS);
    rdma_drop(op);
    CHECK_OK(doca_sync_event_remote_net_destroy(net));
    scene_close(&s);
}

static void damaged_descriptors_are_refused(void)
{
    struct doca_sync_event_remote_net *net = NULL;
    struct doca_priv_event_card_desc desc;
    struct scene s;
    size_t i;

    scene_open(&s);
    for (i = 0; i < s.size; i += 3) {
        desc = s.desc;
        ((uint8_t *)&desc)[i] ^= 0x10;
        CHECK(import(&s, &desc, s.size, &net) != DOCA_SUCCESS);
        CHECK(import(&s, &s.desc, i, &net) != DOCA_SUCCESS);
    }
    desc = s.desc;
    desc.addr += 4;
    seal(&desc.head);
    CHECK_RC(import(&s, &desc, s.size, &net), DOCA_ERROR_INVALID_VALUE);
    desc = s.desc;
    desc.rkey = 0;
    seal(&desc.head);
    CHECK_RC(import(&s, &desc, s.size, &net), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(net, NULL);
    scene_close(&s);
}

/* A program that waits for the event with a task, and sleeps, must not miss a write of a device. */
static void sleeping_waiter_sees_the_write_of_a_device(void)
{
    struct doca_sync_event_remote_net *net = NULL;
    struct doca_sync_event *event = NULL;
    const uint8_t *data = NULL;
    struct doca_task *wait;
    struct event_rig r;
    struct scene s;
    size_t size = 0;

    scene_open(&s);
    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_remote_net(event));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, s.b.dev));
    event_build_ctx(&r, s.b.dev, event);
    event_start(&r);
    CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &size));
    CHECK_OK(import(&s, data, size, &net));
    wait = event_wait_task(&r, 9, UINT64_MAX);
    CHECK_OK(doca_task_submit(wait));
    event_drain(&r);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(rdma_run(&s.a, set_to(&s, net, 10)));
    CHECK(event_is_readable(r.pe, 1000));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    event_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    doca_task_free(wait);
    CHECK_OK(doca_sync_event_remote_net_destroy(net));
    event_close_ctx(&r);
    scene_close(&s);
}

static const struct test_case cases[] = {
    CASE(export_is_one_registration_until_the_event_stops, ""),
    CASE(calls_and_tasks_change_one_value, "414"),
    CASE(event_of_another_machine_is_for_tasks_only, "414"),
    CASE(event_without_a_key_is_refused_by_tasks, ""),
    CASE(damaged_descriptors_are_refused, ""),
    CASE(sleeping_waiter_sees_the_write_of_a_device, ""),
};

TEST_MAIN(cases)
