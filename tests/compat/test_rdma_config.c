/* DOCA RDMA before any connection: capabilities, settings and their defaults, wrong arguments,
 * wrong states, dead handles, and the memory that instances take from their arena. */
#include "rdma_ops.h"

#include <fcntl.h>

enum { BYTES = 4096, ROUNDS = 200 };

static unsigned char memory[2][BYTES];

/* ---- capabilities ---- */

typedef doca_error_t is_supported_t(const struct doca_devinfo *devinfo);

static is_supported_t *const supported[] = {
    doca_rdma_cap_task_receive_is_supported,
    doca_rdma_cap_task_send_is_supported,
    doca_rdma_cap_task_send_imm_is_supported,
    doca_rdma_cap_task_read_is_supported,
    doca_rdma_cap_task_write_is_supported,
    doca_rdma_cap_task_write_imm_is_supported,
    doca_rdma_cap_task_atomic_cmp_swp_is_supported,
    doca_rdma_cap_task_atomic_fetch_add_is_supported,
    doca_rdma_cap_task_remote_net_sync_event_get_is_supported,
    doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported,
    doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported,
};

enum { NUM_SUPPORTED = sizeof(supported) / sizeof(supported[0]) };

static void every_device_supports_every_task(void)
{
    struct doca_devinfo **list;
    uint32_t num, i, k;

    CHECK_EQ(NUM_SUPPORTED, RDMA_KINDS);
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK(num > 0);
    for (i = 0; i < num; i++)
        for (k = 0; k < NUM_SUPPORTED; k++)
            CHECK_OK(supported[k](list[i]));
    CHECK_OK(doca_devinfo_destroy_list(list));
    for (k = 0; k < NUM_SUPPORTED; k++)
        CHECK_RC(supported[k](NULL), DOCA_ERROR_INVALID_VALUE);
}

typedef doca_error_t get_number_t(const struct doca_devinfo *devinfo, uint32_t *number);

static const struct {
    get_number_t *get;
    uint32_t least; /* the value that public programs need */
} numbers[] = {
    { doca_rdma_cap_get_max_recv_queue_size, 1024 },
    { doca_rdma_cap_get_max_send_queue_size, 1024 },
    { doca_rdma_cap_get_max_send_buf_list_len, 16 },
    { doca_rdma_cap_get_max_message_size, 1 << 30 },
    { doca_rdma_cap_get_gid_table_size, 1 },
};

static void capabilities_are_large_enough_for_public_programs(void)
{
    const bool is_soft = test_other() != NULL && !test_other()->has_card; /* soft-RoCE: 8 MiB */
    struct doca_dev *dev = rig_open_dev(NULL);
    uint32_t number, least;
    size_t i;

    for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        least = is_soft && numbers[i].least == 1 << 30 ? 1 << 20 : numbers[i].least;
        number = 77;
        CHECK_RC(numbers[i].get(NULL, &number), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(number, 77);
        CHECK_RC(numbers[i].get(doca_dev_as_devinfo(dev), NULL), DOCA_ERROR_INVALID_VALUE);
        CHECK_OK(numbers[i].get(doca_dev_as_devinfo(dev), &number));
        if (number < least)
            test_fail(__FILE__, __LINE__, "capability %u is %u, want at least %u", (unsigned)i,
                      (unsigned)number, (unsigned)least);
    }
    CHECK_OK(doca_dev_close(dev));
}

static void lists_of_receives_have_a_capability_per_transport(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    uint32_t most = 0;

    CHECK_OK(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(info, DOCA_RDMA_TRANSPORT_TYPE_RC,
                                                                 &most));
    CHECK(most >= 16);
    most = 77;
    CHECK_RC(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(info, DOCA_RDMA_TRANSPORT_TYPE_DC,
                                                                 &most),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
                 info, (enum doca_rdma_transport_type)2, &most),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(NULL, DOCA_RDMA_TRANSPORT_TYPE_RC,
                                                                 &most),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(most, 77);
    CHECK_RC(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(info, DOCA_RDMA_TRANSPORT_TYPE_RC,
                                                                 NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_close(dev));
}

static void transport_is_rc_and_not_dc(void)
{
    enum doca_rdma_transport_type type = DOCA_RDMA_TRANSPORT_TYPE_DC;
    const struct doca_devinfo *info;
    struct rdma_end e;

    rdma_make(&e, memory[0], BYTES);
    info = doca_dev_as_devinfo(e.dev);
    CHECK_OK(doca_rdma_cap_transport_type_is_supported(info, DOCA_RDMA_TRANSPORT_TYPE_RC));
    CHECK_RC(doca_rdma_cap_transport_type_is_supported(info, DOCA_RDMA_TRANSPORT_TYPE_DC),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_rdma_cap_transport_type_is_supported(info, (enum doca_rdma_transport_type)2),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_cap_transport_type_is_supported(NULL, DOCA_RDMA_TRANSPORT_TYPE_RC),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_rdma_get_transport_type(e.rdma, &type));
    CHECK_EQ(type, DOCA_RDMA_TRANSPORT_TYPE_RC);
    CHECK_RC(doca_rdma_set_transport_type(e.rdma, DOCA_RDMA_TRANSPORT_TYPE_DC),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_rdma_set_transport_type(e.rdma, (enum doca_rdma_transport_type)2),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_rdma_set_transport_type(e.rdma, DOCA_RDMA_TRANSPORT_TYPE_RC));
    CHECK_RC(doca_rdma_set_transport_type(NULL, DOCA_RDMA_TRANSPORT_TYPE_RC),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_get_transport_type(NULL, &type), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_get_transport_type(e.rdma, NULL), DOCA_ERROR_INVALID_VALUE);
    rdma_close(&e);
}

static void table_of_gids_can_be_read(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    struct doca_rdma_gid all[64], single, before;
    uint32_t size = 0, i;

    CHECK_OK(doca_rdma_cap_get_gid_table_size(info, &size));
    CHECK(size > 0 && size <= 64);
    CHECK_OK(doca_rdma_cap_get_gid(info, 0, size, all));
    for (i = 0; i < size; i++) {
        memset(&single, 0xee, sizeof(single));
        CHECK_OK(doca_rdma_cap_get_gid(info, i, 1, &single));
        CHECK_MEM(&single, &all[i], sizeof(single));
    }
    memset(&before, 0x77, sizeof(before));
    single = before;
    CHECK_RC(doca_rdma_cap_get_gid(info, size, 1, &single), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_cap_get_gid(info, UINT32_MAX, 2, &single), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_cap_get_gid(info, 0, size + 1, all), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_cap_get_gid(info, 0, 0, &single), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_cap_get_gid(info, 0, 1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_cap_get_gid(NULL, 0, 1, &single), DOCA_ERROR_INVALID_VALUE);
    CHECK_MEM(&single, &before, sizeof(single));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- settings ---- */

/* Uniform access to settings of different types. */
#define SETTING(name, type, result)                                                                \
    static doca_error_t set_##name(struct doca_rdma *rdma, uint32_t value)                         \
    {                                                                                              \
        return doca_rdma_set_##name(rdma, (type)value);                                            \
    }                                                                                              \
    static doca_error_t get_##name(struct doca_rdma *rdma, uint32_t *value)                        \
    {                                                                                              \
        result got = (result)77;                                                                   \
        doca_error_t rc = doca_rdma_get_##name(rdma, value != NULL ? &got : NULL);                 \
                                                                                                   \
        if (value != NULL)                                                                         \
            *value = (uint32_t)got;                                                                \
        return rc;                                                                                 \
    }

SETTING(send_queue_size, uint32_t, uint32_t)
SETTING(recv_queue_size, uint32_t, uint32_t)
SETTING(max_send_buf_list_len, uint32_t, uint32_t)
SETTING(mtu, enum doca_mtu_size, enum doca_mtu_size)
SETTING(permissions, uint32_t, uint32_t)
SETTING(grh_enabled, uint8_t, uint8_t)
SETTING(gid_index, uint32_t, uint32_t)
SETTING(sl, uint32_t, uint32_t)
SETTING(connection_request_timeout, uint16_t, uint16_t)
SETTING(max_num_connections, uint16_t, uint16_t)
SETTING(rnr_retry_count, uint8_t, uint8_t)

static doca_error_t set_list(struct doca_rdma *rdma, uint32_t value)
{
    return doca_rdma_task_receive_set_dst_buf_list_len(rdma, value);
}

static doca_error_t get_list(struct doca_rdma *rdma, uint32_t *value)
{
    return doca_rdma_task_receive_get_dst_buf_list_len(rdma, value);
}

static const struct {
    const char *name;
    doca_error_t (*set)(struct doca_rdma *rdma, uint32_t value);
    doca_error_t (*get)(struct doca_rdma *rdma, uint32_t *value);
    uint32_t good[3];
    bool may_grow; /* the getter may return more than was set */
} settings[] = {
    { "send_queue_size", set_send_queue_size, get_send_queue_size, { 1, 64, 1024 }, true },
    { "recv_queue_size", set_recv_queue_size, get_recv_queue_size, { 1, 64, 1024 }, true },
    { "max_send_buf_list_len",
      set_max_send_buf_list_len,
      get_max_send_buf_list_len,
      { 1, 4, 16 },
      true },
    { "dst_buf_list_len", set_list, get_list, { 1, 4, 16 }, true },
    { "mtu",
      set_mtu,
      get_mtu,
      { DOCA_MTU_SIZE_256_BYTES, DOCA_MTU_SIZE_1K_BYTES, DOCA_MTU_SIZE_4K_BYTES },
      false },
    { "permissions",
      set_permissions,
      get_permissions,
      { DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, DOCA_ACCESS_FLAG_RDMA_READ, RDMA_ALL },
      false },
    { "grh_enabled", set_grh_enabled, get_grh_enabled, { 0, 1, 0 }, false },
    { "gid_index", set_gid_index, get_gid_index, { 0, 0, 0 }, false },
    { "sl", set_sl, get_sl, { 0, 1, 7 }, false },
    { "connection_request_timeout",
      set_connection_request_timeout,
      get_connection_request_timeout,
      { 1000, 5000, 65535 },
      true },
    { "max_num_connections",
      set_max_num_connections,
      get_max_num_connections,
      { 1, 8, 16 },
      false },
    { "rnr_retry_count", set_rnr_retry_count, get_rnr_retry_count, { 0, 1, 7 }, false },
};

enum { NUM_SETTINGS = sizeof(settings) / sizeof(settings[0]) };

static void settings_are_kept(void)
{
    struct rdma_end e;
    uint32_t value, i, k;

    rdma_make(&e, memory[0], BYTES);
    for (i = 0; i < NUM_SETTINGS; i++) {
        for (k = 0; k < 3; k++) {
            if (settings[i].set(e.rdma, settings[i].good[k]) != DOCA_SUCCESS)
                test_fail(__FILE__, __LINE__, "%s refuses %u", settings[i].name,
                          (unsigned)settings[i].good[k]);
            CHECK_OK(settings[i].get(e.rdma, &value));
            if (settings[i].may_grow ? value < settings[i].good[k] : value != settings[i].good[k])
                test_fail(__FILE__, __LINE__, "%s is %u, want %u", settings[i].name,
                          (unsigned)value, (unsigned)settings[i].good[k]);
        }
    }
    rdma_start(&e);
    for (i = 0; i < NUM_SETTINGS; i++) { /* the value in use is the value that was set */
        CHECK_OK(settings[i].get(e.rdma, &value));
        CHECK(settings[i].may_grow ? value >= settings[i].good[2] : value == settings[i].good[2]);
    }
    rdma_close(&e);
}

static void settings_refuse_null_and_running_instances(void)
{
    struct rdma_end e;
    uint32_t value, i;

    rdma_open(&e, memory[0], BYTES);
    for (i = 0; i < NUM_SETTINGS; i++) {
        uint32_t before, good = settings[i].good[0];

        CHECK_OK(settings[i].get(e.rdma, &before));
        CHECK_RC(settings[i].set(e.rdma, good), DOCA_ERROR_BAD_STATE);
        CHECK_OK(settings[i].get(e.rdma, &value));
        CHECK_EQ(value, before);
        CHECK_RC(settings[i].set(NULL, good), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(settings[i].get(NULL, &value), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(settings[i].get(e.rdma, NULL), DOCA_ERROR_INVALID_VALUE);
    }
    CHECK_RC(doca_rdma_set_transport_type(e.rdma, DOCA_RDMA_TRANSPORT_TYPE_RC),
             DOCA_ERROR_BAD_STATE);
    rdma_stop(&e);
    for (i = 0; i < NUM_SETTINGS; i++)
        CHECK_OK(settings[i].set(e.rdma, settings[i].good[1]));
    rdma_close(&e);
}

static void settings_refuse_impossible_values(void)
{
    static const struct {
        uint32_t at; /* index in settings[] */
        uint32_t value;
        doca_error_t want;
    } bad[] = {
        { 0, 0, DOCA_ERROR_INVALID_VALUE },
        { 0, UINT32_MAX, DOCA_ERROR_NOT_SUPPORTED },
        { 1, 0, DOCA_ERROR_INVALID_VALUE },
        { 1, UINT32_MAX, DOCA_ERROR_NOT_SUPPORTED },
        { 2, 0, DOCA_ERROR_INVALID_VALUE },
        { 2, UINT32_MAX, DOCA_ERROR_INVALID_VALUE },
        { 3, 0, DOCA_ERROR_INVALID_VALUE },
        { 3, UINT32_MAX, DOCA_ERROR_INVALID_VALUE },
        { 4, 6, DOCA_ERROR_INVALID_VALUE },
        { 4, DOCA_MTU_SIZE_RAW_ETHERNET, DOCA_ERROR_NOT_SUPPORTED },
        { 5, DOCA_ACCESS_FLAG_PCI_READ_ONLY, DOCA_ERROR_INVALID_VALUE },
        { 5, DOCA_ACCESS_FLAG_PCI_READ_WRITE, DOCA_ERROR_INVALID_VALUE },
        { 5, 1u << 30, DOCA_ERROR_INVALID_VALUE },
        { 7, UINT32_MAX, DOCA_ERROR_INVALID_VALUE },
        { 8, 16, DOCA_ERROR_INVALID_VALUE },
        { 10, 0, DOCA_ERROR_NOT_SUPPORTED },
        { 11, 8, DOCA_ERROR_INVALID_VALUE },
    };
    struct rdma_end e;
    uint32_t before, value;
    size_t i;

    rdma_make(&e, memory[0], BYTES);
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_OK(settings[bad[i].at].get(e.rdma, &before));
        if (settings[bad[i].at].set(e.rdma, bad[i].value) != bad[i].want)
            test_fail(__FILE__, __LINE__, "%s: %u is not refused, or with another error",
                      settings[bad[i].at].name, (unsigned)bad[i].value);
        CHECK_OK(settings[bad[i].at].get(e.rdma, &value));
        CHECK_EQ(value, before);
    }
    rdma_close(&e);
}

static void queues_are_rounded_up_to_a_power_of_two(void)
{
    static const uint32_t sizes[][2] = { { 1, 1 },   { 2, 2 },    { 3, 4 },      { 5, 8 },
                                         { 64, 64 }, { 65, 128 }, { 1000, 1024 } };
    struct rdma_end e;
    uint32_t value, most;
    size_t i;

    rdma_make(&e, memory[0], BYTES);
    for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        CHECK_OK(doca_rdma_set_send_queue_size(e.rdma, sizes[i][0]));
        CHECK_OK(doca_rdma_get_send_queue_size(e.rdma, &value));
        CHECK_EQ(value, sizes[i][1]);
        CHECK_OK(doca_rdma_set_recv_queue_size(e.rdma, sizes[i][0]));
        CHECK_OK(doca_rdma_get_recv_queue_size(e.rdma, &value));
        CHECK_EQ(value, sizes[i][1]);
    }
    CHECK_OK(doca_rdma_cap_get_max_send_queue_size(doca_dev_as_devinfo(e.dev), &most));
    CHECK_OK(doca_rdma_set_send_queue_size(e.rdma, most));
    CHECK_RC(doca_rdma_set_send_queue_size(e.rdma, most + 1), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_rdma_cap_get_max_send_buf_list_len(doca_dev_as_devinfo(e.dev), &most));
    CHECK_OK(doca_rdma_set_max_send_buf_list_len(e.rdma, most));
    CHECK_RC(doca_rdma_set_max_send_buf_list_len(e.rdma, most + 1), DOCA_ERROR_INVALID_VALUE);
    rdma_close(&e);
}

/* ---- task types ---- */

static void task_types_refuse_null_and_running_instances(void)
{
    struct rdma_end e;

    rdma_make(&e, memory[0], BYTES);
    CHECK_RC(doca_rdma_task_send_set_conf(NULL, rdma_ok_send, rdma_failed_send, 4),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_task_send_set_conf(e.rdma, NULL, rdma_failed_send, 4),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_task_send_set_conf(e.rdma, rdma_ok_send, NULL, 4), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_task_send_set_conf(e.rdma, rdma_ok_send, rdma_failed_send, 0),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_task_receive_set_conf(e.rdma, rdma_ok_receive, NULL, 4),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_task_read_set_conf(e.rdma, NULL, rdma_failed_read, 4),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_task_atomic_fetch_add_set_conf(e.rdma, rdma_ok_atomic_fetch_add,
                                                      rdma_failed_atomic_fetch_add, 0),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_rdma_task_send_set_conf(e.rdma, rdma_ok_send, rdma_failed_send, 4));
    rdma_start(&e);
    CHECK_RC(doca_rdma_task_send_set_conf(e.rdma, rdma_ok_send, rdma_failed_send, 4),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_rdma_task_write_imm_set_conf(e.rdma, rdma_ok_write_imm, rdma_failed_write_imm, 4),
             DOCA_ERROR_BAD_STATE);
    rdma_close(&e);
}

/* ---- life of an instance ---- */

static void create_and_destroy_refuse_null(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_rdma *rdma = NULL;

    CHECK_RC(doca_rdma_create(NULL, &rdma), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_create(dev, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(rdma, NULL);
    CHECK_RC(doca_rdma_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(doca_rdma_as_ctx(NULL), NULL);
    CHECK_OK(doca_dev_close(dev));
}

static void instance_keeps_its_device_open(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_rdma *rdma = NULL;

    CHECK_OK(doca_rdma_create(dev, &rdma));
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_rdma_destroy(rdma));
    CHECK_OK(doca_dev_close(dev));
}

/* Checked from level 1 on. */
static void destroyed_instance_is_refused(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_rdma *rdma = NULL;
    uint32_t value = 77;

    if (DOCA_CORE_CHECK >= 1) {
        CHECK_OK(doca_rdma_create(dev, &rdma));
        CHECK_OK(doca_rdma_destroy(rdma));
        CHECK_RC(doca_rdma_set_sl(rdma, 1), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_rdma_get_sl(rdma, &value), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_rdma_destroy(rdma), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_rdma_start_listen_to_port(rdma, 13579), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(value, 77);
    }
    CHECK_OK(doca_dev_close(dev));
}

/* The harness compares the level of the arena after the case. */
static void instances_come_and_go(void)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    size_t used[2] = { 0, 0 };
    struct rdma_end a, b;
    unsigned i;

    rdma_make(&b, memory[1], BYTES);
    for (i = 0; i < ROUNDS; i++) {
        rdma_make(&a, memory[0], BYTES);
        rdma_start(&a);
        rdma_start(&b);
        rdma_join(&a, &b);
        rdma_deliver(&a, &b, 0, 2048, 1000);
        rdma_stop(&b);
        rdma_close(&a);
        rdma_forget_states(&b);
        CHECK_OK(doca_core_arena_query(arena, &used[i > 0], NULL, NULL));
        CHECK_EQ(used[i > 0], used[0]);
    }
    rdma_close(&b);
}

static unsigned count_files(void)
{
    unsigned num = 0;
    int fd;

    for (fd = 0; fd < 1024; fd++)
        num += fcntl(fd, F_GETFD) >= 0;
    return num;
}

/* All descriptors of a connection are closed when it has ended, and those of an instance when it is
 * destroyed. */
static void connections_leave_no_descriptor_behind(void)
{
    unsigned i, before = count_files(), joined = 0;
    struct rdma_end a, b;

    rdma_open(&a, memory[0], BYTES);
    rdma_open(&b, memory[1], BYTES);
    for (i = 0; i < 20; i++) {
        rdma_join(&a, &b);
        rdma_deliver(&a, &b, 0, 2048, 100);
        if (i == 0)
            joined = count_files();
        CHECK_EQ(count_files(), joined);
        CHECK_OK(doca_rdma_connection_disconnect(a.conn));
        RDMA_UNTIL(a.num_disconnects == i + 1 && b.num_disconnects == i + 1);
        rdma_settle();
    }
    rdma_close_both(&a, &b);
    CHECK_EQ(count_files(), before);
}

/* The size that is computed before is enough for a started instance, and not far too large. */
static void size_of_an_instance_is_known_before(void)
{
    struct doca_core_rdma_sizes sizes = { 8, RDMA_KINDS * RDMA_TASKS, 64, RDMA_LIST };
    struct doca_core_arena *arena = doca_core_arena_bound();
    size_t bytes = 0, idle = 0, used = 0;
    struct rdma_end e;

    rdma_make(&e, memory[0], BYTES);
    CHECK_OK(doca_rdma_destroy(e.rdma));
    CHECK_OK(doca_core_arena_query(arena, &idle, NULL, NULL));
    CHECK_OK(doca_rdma_create(e.dev, &e.rdma));
    e.ctx = doca_rdma_as_ctx(e.rdma);
    rdma_conf_all(e.rdma, RDMA_TASKS);
    CHECK_OK(doca_rdma_set_max_num_connections(e.rdma, 8));
    CHECK_OK(doca_rdma_set_send_queue_size(e.rdma, 64));
    CHECK_OK(doca_rdma_set_max_send_buf_list_len(e.rdma, RDMA_LIST));
    CHECK_OK(doca_pe_connect_ctx(e.pe, e.ctx));
    rdma_start(&e);
    CHECK_OK(doca_core_arena_query(arena, &used, NULL, NULL));
    CHECK_OK(doca_core_bytes_rdma(e.dev, &sizes, &bytes));
    CHECK(bytes >= used - idle);
    CHECK(DOCA_CORE_CHECK >= 2 || bytes <= 4 * (used - idle));
    CHECK_RC(doca_core_bytes_rdma(NULL, &sizes, &bytes), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_rdma(e.dev, NULL, &bytes), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_rdma(e.dev, &sizes, NULL), DOCA_ERROR_INVALID_VALUE);
    sizes.num_connections = 1u << 20;
    CHECK_RC(doca_core_bytes_rdma(e.dev, &sizes, &bytes), DOCA_ERROR_INVALID_VALUE);
    rdma_close(&e);
}

static void context_starts_only_with_a_progress_engine(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_rdma *rdma;
    doca_error_t rc;

    CHECK_OK(doca_rdma_create(dev, &rdma));
    CHECK_OK(doca_rdma_set_permissions(rdma, RDMA_ALL));
    rc = doca_ctx_start(doca_rdma_as_ctx(rdma));
    CHECK(rc != DOCA_SUCCESS && rc != DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(rig_state(doca_rdma_as_ctx(rdma)), DOCA_CTX_STATE_IDLE);
    CHECK_OK(doca_rdma_destroy(rdma));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- what the software device does not have ---- */

static void calls_for_dpa_gpu_and_librdmacm_are_not_supported(void)
{
    struct doca_rdma_connection *c = NULL;
    struct doca_gpu_dev_rdma *gpu = NULL;
    doca_dpa_dev_rdma_t dpa = 77;
    struct rdma_end e;
    void *thing = &e;
    unsigned round;

    rdma_make(&e, memory[0], BYTES);
    for (round = 0; round < 2; round++) {
        CHECK_RC(doca_rdma_get_dpa_handle(e.rdma, &dpa), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_RC(doca_rdma_get_gpu_handle(e.rdma, &gpu), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_RC(doca_rdma_dpa_completion_attach(e.rdma, thing), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_RC(doca_rdma_bridge_prepare_connection(e.rdma, thing, &c), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_RC(doca_rdma_get_dpa_handle(NULL, &dpa), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_rdma_get_gpu_handle(e.rdma, NULL), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_rdma_dpa_completion_attach(e.rdma, NULL), DOCA_ERROR_INVALID_VALUE);
        if (round == 0)
            rdma_start(&e);
    }
    rdma_export(&e, &(struct rdma_blob){ 0 });
    CHECK_RC(doca_rdma_bridge_accept(e.rdma, NULL, 0, e.conn), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_rdma_bridge_established(e.rdma, e.conn), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_rdma_bridge_established(NULL, e.conn), DOCA_ERROR_INVALID_VALUE);
    CHECK(dpa == 77 && gpu == NULL && c == NULL);
    rdma_close(&e);
}

static const struct test_case cases[] = {
    CASE(every_device_supports_every_task, "406"),
    CASE(capabilities_are_large_enough_for_public_programs, ""),
    CASE(lists_of_receives_have_a_capability_per_transport, ""),
    CASE(transport_is_rc_and_not_dc, "397"),
    CASE_OF_SW(table_of_gids_can_be_read, "425", "its global identifiers are in the topology"),
    CASE(settings_are_kept, "423"),
    CASE(settings_refuse_null_and_running_instances, ""),
    CASE(settings_refuse_impossible_values, ""),
    CASE(queues_are_rounded_up_to_a_power_of_two, "423"),
    CASE(task_types_refuse_null_and_running_instances, "406"),
    CASE(create_and_destroy_refuse_null, ""),
    CASE(instance_keeps_its_device_open, ""),
    CASE(destroyed_instance_is_refused, ""),
    CASE(instances_come_and_go, ""),
    CASE(connections_leave_no_descriptor_behind, ""),
    CASE(size_of_an_instance_is_known_before, ""),
    CASE(context_starts_only_with_a_progress_engine, "390"),
    CASE(calls_for_dpa_gpu_and_librdmacm_are_not_supported, ""),
};

TEST_MAIN(cases)
