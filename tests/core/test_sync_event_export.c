/* Export and import of sync events within one process. */
#include "sync_event_support.h"

#include <sys/eventfd.h>
#include <sys/mman.h>

static void exports_need_the_locations_they_are_for(void)
{
    enum { CPU = 1, DPU = 2, NET = 4 };
    static const struct {
        int publisher, subscriber;
        bool dpu, net;
    } rows[] = {
        { CPU, CPU, false, false }, { CPU, DPU, true, false }, { DPU, CPU, true, false },
        { DPU, DPU, true, false },  { NET, CPU, false, true }, { NET, DPU, false, true },
    };
    struct doca_dev *dev = rig_open_dev(NULL);
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const uint8_t *data = NULL;
        struct doca_sync_event *event;
        size_t sz = 0;

        CHECK_OK(doca_sync_event_create(&event));
        if (rows[i].publisher == CPU)
            CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
        else if (rows[i].publisher == DPU)
            CHECK_OK(doca_sync_event_add_publisher_location_dpu(event));
        else
            CHECK_OK(doca_sync_event_add_publisher_location_remote_net(event));
        if (rows[i].subscriber == CPU)
            CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
        else
            CHECK_OK(doca_sync_event_add_subscriber_location_dpu(event));
        CHECK_RC(doca_sync_event_export_to_dpu(event, dev, &data, &sz), DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_sync_event_export_to_remote_net(event, &data, &sz), DOCA_ERROR_BAD_STATE);
        CHECK_OK(doca_sync_event_start(event));
        CHECK_RC(doca_sync_event_export_to_dpu(event, dev, &data, &sz),
                 rows[i].dpu ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_sync_event_export_to_remote_net(event, &data, &sz),
                 rows[i].net ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED);
        CHECK_EQ(sz > 0, rows[i].dpu || rows[i].net);
        CHECK_OK(doca_sync_event_destroy(event));
    }
    CHECK_OK(doca_dev_close(dev));
}

static void import_shares_only_the_value(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *a, *b;
    const uint8_t *data;
    uint64_t was;
    size_t sz;

    CHECK_OK(doca_sync_event_update_set(event, 3));
    a = import_of(dev, event);
    b = import_of(dev, event);
    CHECK_RC(doca_sync_event_get(a, &was), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_add_publisher_location_cpu(a, dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_add_publisher_location_dpu(a), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_add_publisher_location_remote_net(a), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_add_subscriber_location_cpu(a, dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_add_subscriber_location_dpu(a), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_set_addr(a, &was), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_sync_event_start(a));
    CHECK_OK(doca_sync_event_start(b));
    CHECK_RC(doca_sync_event_export_to_dpu(a, dev, &data, &sz), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_export_to_remote_net(a, &data, &sz), DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_IMPORTED);
    CHECK_EQ(event_value(a), 3);
    CHECK_OK(doca_sync_event_update_add(a, 4, &was));
    CHECK_EQ(was, 3);
    CHECK_EQ(event_value(event), 7);
    CHECK_EQ(event_value(b), 7);
    CHECK_OK(doca_sync_event_update_set(event, 100));
    CHECK_OK(doca_sync_event_wait_gt(a, 99, ALL_BITS));
    CHECK_OK(doca_sync_event_wait_gt_yield(b, 99, ALL_BITS));
    CHECK_OK(doca_sync_event_stop(a));
    CHECK_OK(doca_sync_event_start(a)); /* an import keeps the exporter's value */
    CHECK_EQ(event_value(a), 100);
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_sync_event_destroy(a));
    CHECK_OK(doca_sync_event_update_set(b, 5));
    CHECK_EQ(event_value(event), 5);
    CHECK_OK(doca_sync_event_destroy(b));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void remote_handle_works_on_the_value(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_net(dev), *wrong = NULL;
    struct doca_sync_event_remote_net *net;
    doca_dpa_dev_sync_event_remote_net_t dpa_handle;
    doca_gpu_dev_sync_event_remote_net_t gpu_handle;
    const uint8_t *data;
    uint64_t value = 0;
    size_t sz;

    CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &sz));
    CHECK_RC(doca_sync_event_create_from_export(dev, data, sz, &wrong), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORT_KIND);
    CHECK_OK(doca_sync_event_remote_net_create_from_export(dev, data, sz, &net));
    CHECK_OK(doca_core_sync_event_remote_net_update_set(net, 10));
    CHECK_OK(doca_sync_event_wait_gt(event, 9, ALL_BITS));
    CHECK_OK(doca_sync_event_update_add(event, 1, &value));
    CHECK_OK(doca_core_sync_event_remote_net_get(net, &value));
    CHECK_EQ(value, 11);
    CHECK_OK(doca_core_sync_event_remote_net_update_add(net, 2, &value));
    CHECK_EQ(value, 11);
    CHECK_EQ(event_value(event), 13);
    CHECK_OK(doca_core_sync_event_remote_net_wait_gt(net, 12, ALL_BITS));
    CHECK_RC(doca_sync_event_remote_net_export_to_dpa(net, (struct doca_dpa *)(void *)&value,
                                                      &dpa_handle), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_remote_net_export_to_gpu(net, (struct doca_gpu *)(void *)&value,
                                                      &gpu_handle), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_sync_event_stop(event));
    CHECK_RC(doca_core_sync_event_remote_net_update_set(net, 1), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(doca_core_sync_event_remote_net_update_add(net, 1, &value),
             DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(doca_core_sync_event_remote_net_wait_gt(net, 13, ALL_BITS),
             DOCA_ERROR_CONNECTION_RESET);
    CHECK_OK(doca_core_sync_event_remote_net_get(net, &value));
    CHECK_EQ(value, 13);
    CHECK_OK(doca_sync_event_remote_net_destroy(net));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void stopped_exporter_resets_its_importers(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *alone, *fresh = NULL;
    struct doca_task *waits[3], *set, *get;
    uint8_t old[256];
    const uint8_t *data;
    uint64_t was = 9, now = 0;
    struct event_rig r;
    size_t sz, i;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK(sz <= sizeof(old));
    memcpy(old, data, sz);
    alone = import_of(dev, event);
    CHECK_OK(doca_sync_event_start(alone));
    event_build_ctx(&r, dev, import_of(dev, event));
    event_start(&r);
    for (i = 0; i < 3; i++)
        waits[i] = event_wait_task(&r, 10 * i, ALL_BITS);
    set = event_set_task(&r, 100);
    get = event_get_task(&r, &now);
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_task_submit(waits[i]));
    event_drain(&r);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_sync_event_update_set(event, 15)); /* ends the first two waits */
    CHECK_OK(doca_sync_event_stop(event));
    CHECK(event_is_readable(r.pe, 0));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    event_drain(&r);
    CHECK_EQ(r.num_ok, 2); /* the update before the stop ends the waits */
    CHECK_EQ(r.num_failed, 1);
    CHECK_RC(doca_task_get_status(waits[2]), DOCA_ERROR_CONNECTION_RESET);
    /* a failed task does not stop this context */
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK_OK(doca_task_submit(set));
    event_drain(&r);
    CHECK_RC(r.status, DOCA_ERROR_CONNECTION_RESET);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_GONE);
    CHECK_OK(doca_task_submit(get));
    event_drain(&r);
    CHECK_OK(r.status);
    CHECK_EQ(now, 15);
    CHECK_OK(doca_pe_request_notification(r.pe)); /* a wait for a stopped exporter fails at once */
    CHECK_OK(doca_task_submit(waits[2]));
    CHECK(event_is_readable(r.pe, 0));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    event_drain(&r);
    CHECK_RC(r.status, DOCA_ERROR_CONNECTION_RESET);

    CHECK_EQ(event_value(alone), 15);
    CHECK_RC(doca_sync_event_update_set(alone, 1), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(doca_sync_event_update_add(alone, 1, &was), DOCA_ERROR_CONNECTION_RESET);
    CHECK_EQ(was, 9);
    CHECK_OK(doca_sync_event_wait_gt(alone, 14, ALL_BITS));
    CHECK_RC(doca_sync_event_wait_gt(alone, 15, ALL_BITS), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(doca_sync_event_wait_gt_yield(alone, 15, ALL_BITS), DOCA_ERROR_CONNECTION_RESET);

    CHECK_OK(doca_sync_event_start(event)); /* a new value; old imports do not see it */
    CHECK_EQ(event_value(event), 0);
    CHECK_RC(doca_sync_event_update_set(alone, 1), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(doca_sync_event_create_from_export(dev, old, sz, &fresh), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_GONE);
    fresh = import_of(dev, event);
    CHECK_OK(doca_sync_event_start(fresh));
    CHECK_OK(doca_sync_event_update_set(fresh, 2));
    CHECK_EQ(event_value(event), 2);
    CHECK_EQ(event_value(alone), 15);
    CHECK_OK(doca_sync_event_destroy(event)); /* destroying the event stops it */
    CHECK_RC(doca_sync_event_update_set(fresh, 3), DOCA_ERROR_CONNECTION_RESET);
    for (i = 0; i < 3; i++)
        doca_task_free(waits[i]);
    doca_task_free(set);
    doca_task_free(get);
    event_close_ctx(&r);
    CHECK_OK(doca_sync_event_destroy(fresh));
    CHECK_OK(doca_sync_event_destroy(alone));
    CHECK_OK(doca_dev_close(dev));
}

static void only_complete_descriptors_are_accepted(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *import = NULL;
    int fd = event_free_fd();
    const uint8_t *data;
    uint8_t copy[512];
    size_t sz, i;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK(sz < sizeof(copy));
    for (i = 0; i < sz; i++) {
        uint8_t *cut = copy + sizeof(copy) - i; /* sanitizers detect reads beyond the end */

        memcpy(cut, data, i);
        CHECK_RC(doca_sync_event_create_from_export(dev, cut, i, &import),
                 DOCA_ERROR_INVALID_VALUE);
    }
    memset(copy, 0, sizeof(copy));
    memcpy(copy, data, sz);
    for (i = sz + 1; i < sizeof(copy); i += 17)
        CHECK_RC(doca_sync_event_create_from_export(dev, copy, i, &import),
                 DOCA_ERROR_INVALID_VALUE);
    for (i = 0; i < 8 * sz; i++) {
        copy[i / 8] ^= (uint8_t)(1u << i % 8);
        CHECK_RC(doca_sync_event_create_from_export(dev, copy, sz, &import),
                 DOCA_ERROR_INVALID_VALUE);
        copy[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    for (i = 0; i < 2000; i++) {
        size_t len = rig_random(sizeof(copy)), n;

        for (n = 0; n < len; n++)
            copy[n] = (uint8_t)rig_random(256);
        if (i % 2 == 0)
            memcpy(copy, data, len < 16 ? len : 16); /* the first bytes are correct */
        CHECK_RC(doca_sync_event_create_from_export(dev, copy, len, &import),
                 DOCA_ERROR_INVALID_VALUE);
    }
    CHECK(import == NULL);
    CHECK_EQ(event_free_fd(), fd);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* After the next start the page has the same file descriptor number as the page before. A
 * descriptor of the earlier start must not work. */
static void descriptor_is_valid_for_one_start_only(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *import = NULL;
    const uint8_t *data;
    uint8_t desc[256];
    size_t sz;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    memcpy(desc, data, sz);
    CHECK_OK(doca_sync_event_stop(event));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_RC(doca_sync_event_create_from_export(dev, desc, sz, &import), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_GONE);
    CHECK(import == NULL);
    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK(memcmp(desc, data, sz) != 0);
    CHECK_OK(doca_sync_event_create_from_export(dev, data, sz, &import));
    CHECK_OK(doca_sync_event_destroy(import));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* At the time of the import, the file descriptor number of the page may belong to another file. */
static void other_files_are_not_mistaken_for_the_page(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event, *import = NULL;
    uint8_t desc[256];
    const uint8_t *data;
    int fd, file, i;
    size_t sz;

    for (i = 0; i < 5; i++) {
        fd = event_free_fd();
        event = event_alone(dev, true);
        CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
        memcpy(desc, data, sz);
        CHECK_OK(doca_sync_event_destroy(event));
        while ((file = i == 0   ? open("/dev/null", O_RDWR)
                       : i == 1 ? memfd_create("doca_core_page", 0)
                       : i == 2 ? open("/proc/self/exe", O_RDONLY)
                       : i == 3 ? open("/", O_RDONLY) /* a file with a short name */
                                : eventfd(0, 0)) < fd + 3)
            CHECK(file >= 0);
        CHECK_RC(doca_sync_event_create_from_export(dev, desc, sz, &import),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_GONE);
        for (; file >= fd; file--)
            close(file);
    }
    CHECK(import == NULL);
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE(exports_need_the_locations_they_are_for, "267"),
    CASE(import_shares_only_the_value, "268 269"),
    CASE(remote_handle_works_on_the_value, "269"),
    CASE(stopped_exporter_resets_its_importers, ""),
    CASE(only_complete_descriptors_are_accepted, ""),
    CASE(descriptor_is_valid_for_one_start_only, ""),
    CASE(other_files_are_not_mistaken_for_the_page, ""),
};

TEST_MAIN(cases)
