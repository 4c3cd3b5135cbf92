/* DOCA Comch before any connection: capabilities by side, sizes, wrong arguments, wrong states,
 * and the memory that objects take from an arena. */
#include "comch_data.h"

enum { ROOM = 1 << 20 };

static DOCA_CORE_ALIGNED unsigned char memory[ROOM];

/* ---- capabilities ---- */

typedef doca_error_t get_number_t(const struct doca_devinfo *devinfo, uint32_t *number);

static const struct {
    get_number_t *get;
    uint32_t least; /* the value that public programs need */
} capabilities[] = {
    { doca_comch_cap_get_max_name_len, COMCH_NAME },
    { doca_comch_cap_get_max_msg_size, COMCH_MAX_MSG },
    { doca_comch_cap_get_max_recv_queue_size, 10 },
    { doca_comch_cap_get_max_clients, 2 },
    { doca_comch_cap_get_max_send_tasks, 1024 },
    { doca_comch_consumer_cap_get_max_num_tasks, 1024 },
    { doca_comch_consumer_cap_get_max_buf_size, 5 << 20 },
    { doca_comch_consumer_cap_get_max_buf_list_len, 1 },
    { doca_comch_consumer_cap_get_max_consumers, 2 },
    { doca_comch_consumer_cap_get_max_imm_data_len, COMCH_IMM },
    { doca_comch_producer_cap_get_max_num_tasks, 1024 },
    { doca_comch_producer_cap_get_max_buf_size, 5 << 20 },
    { doca_comch_producer_cap_get_max_buf_list_len, 1 },
    { doca_comch_producer_cap_get_max_producers, 2 },
};

static void capabilities_are_large_enough_for_public_programs(void)
{
    const char *const addresses[] = { COMCH_DPU, COMCH_HOST, COMCH_HOST_VF };
    size_t i, k;

    for (k = 0; k < 3; k++) {
        struct doca_dev *dev = rig_open_dev(addresses[k]);

        for (i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++) {
            uint32_t number = 0;

            CHECK_OK(capabilities[i].get(doca_dev_as_devinfo(dev), &number));
            if (number < capabilities[i].least)
                test_fail(__FILE__, __LINE__, "capability %u is %u, want at least %u", (unsigned)i,
                          (unsigned)number, (unsigned)capabilities[i].least);
        }
        CHECK_OK(doca_dev_close(dev));
    }
}

static void capability_queries_refuse_null(void)
{
    struct doca_dev *dev = rig_open_dev(COMCH_DPU);
    uint32_t number = 77;
    size_t i;

    for (i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++) {
        CHECK_RC(capabilities[i].get(NULL, &number), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(number, 77);
        CHECK_RC(capabilities[i].get(doca_dev_as_devinfo(dev), NULL), DOCA_ERROR_INVALID_VALUE);
    }
    CHECK_RC(doca_comch_cap_server_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_cap_client_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_consumer_cap_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_producer_cap_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_close(dev));
}

static void servers_are_for_the_dpu_and_clients_for_the_host(void)
{
    struct doca_dev *dpu = rig_open_dev(COMCH_DPU), *host = rig_open_dev(COMCH_HOST);
    struct doca_dev *vf = rig_open_dev(COMCH_HOST_VF);

    CHECK_OK(doca_comch_cap_server_is_supported(doca_dev_as_devinfo(dpu)));
    CHECK_RC(doca_comch_cap_server_is_supported(doca_dev_as_devinfo(host)),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_comch_cap_server_is_supported(doca_dev_as_devinfo(vf)), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_comch_cap_client_is_supported(doca_dev_as_devinfo(host)));
    CHECK_OK(doca_comch_cap_client_is_supported(doca_dev_as_devinfo(vf)));
    CHECK_RC(doca_comch_cap_client_is_supported(doca_dev_as_devinfo(dpu)),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_comch_consumer_cap_is_supported(doca_dev_as_devinfo(dpu)));
    CHECK_OK(doca_comch_consumer_cap_is_supported(doca_dev_as_devinfo(host)));
    CHECK_OK(doca_comch_producer_cap_is_supported(doca_dev_as_devinfo(dpu)));
    CHECK_OK(doca_comch_producer_cap_is_supported(doca_dev_as_devinfo(host)));
    CHECK_OK(doca_dev_close(dpu));
    CHECK_OK(doca_dev_close(host));
    CHECK_OK(doca_dev_close(vf));
}

/* The profiles of the software device. 4080 bytes for a message and 1 GiB for a buffer of the data
 * path are the published figures of the cards. */
static void capabilities_follow_the_profile(void)
{
    static const struct {
        const char *name;
        doca_error_t is_supported;
    } profiles[] = {
        { "default", DOCA_SUCCESS },    { "unlimited", DOCA_SUCCESS },
        { "bluefield2", DOCA_SUCCESS }, { "bluefield3", DOCA_SUCCESS },
        { "connectx7", DOCA_ERROR_NOT_SUPPORTED },
    };
    const char *environment = getenv("DOCA_CORE_SW_PROFILE");
    struct doca_comch_client *client = NULL;
    struct doca_comch_server *server = NULL;
    uint32_t number;
    size_t i, k;

    for (i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
        const doca_error_t want = profiles[i].is_supported;
        struct doca_dev *devs[2];
        struct doca_dev_rep *rep;

        CHECK_OK(doca_core_sw_set_profile(profiles[i].name));
        devs[0] = rig_open_dev(COMCH_DPU);
        devs[1] = rig_open_dev(COMCH_HOST);
        rep = comch_open_rep(devs[0], COMCH_HOST);
        CHECK_RC(doca_comch_cap_server_is_supported(doca_dev_as_devinfo(devs[0])), want);
        CHECK_RC(doca_comch_cap_client_is_supported(doca_dev_as_devinfo(devs[1])), want);
        for (k = 0; k < 2; k++) {
            const struct doca_devinfo *info = doca_dev_as_devinfo(devs[k]);

            CHECK_RC(doca_comch_consumer_cap_is_supported(info), want);
            CHECK_RC(doca_comch_producer_cap_is_supported(info), want);
            CHECK_OK(doca_comch_cap_get_max_msg_size(info, &number));
            CHECK_EQ(number, COMCH_MAX_MSG);
            CHECK_OK(doca_comch_producer_cap_get_max_buf_size(info, &number));
            CHECK(number >= 1u << 30);
            CHECK_OK(doca_comch_consumer_cap_get_max_buf_size(info, &number));
            CHECK(number >= 1u << 30);
        }
        CHECK_RC(doca_comch_server_create(devs[0], rep, "x", &server), want);
        CHECK_RC(doca_comch_client_create(devs[1], "x", &client), want);
        if (want == DOCA_SUCCESS) {
            CHECK_OK(doca_comch_server_destroy(server));
            CHECK_OK(doca_comch_client_destroy(client));
        }
        CHECK_OK(doca_dev_rep_close(rep));
        CHECK_OK(doca_dev_close(devs[0]));
        CHECK_OK(doca_dev_close(devs[1]));
    }
    CHECK_OK(doca_core_sw_set_profile(environment != NULL ? environment : "default"));
}

/* A client of a device of the DPU fails when it is created, or at the latest when it starts. */
static void client_on_a_dpu_device_does_not_start(void)
{
    struct doca_dev *dev = rig_open_dev(COMCH_DPU);
    struct doca_comch_client *client = NULL;
    struct doca_pe *pe;
    doca_error_t rc = doca_comch_client_create(dev, comch_name(), &client);

    CHECK_OK(doca_pe_create(&pe));
    if (rc == DOCA_SUCCESS) {
        CHECK_OK(doca_comch_client_task_send_set_conf(client, comch_sent, comch_failed, 1));
        CHECK_OK(doca_comch_client_event_msg_recv_register(client, comch_received));
        CHECK_OK(doca_pe_connect_ctx(pe, doca_comch_client_as_ctx(client)));
        rc = doca_ctx_start(doca_comch_client_as_ctx(client));
        CHECK_EQ(rig_state(doca_comch_client_as_ctx(client)), DOCA_CTX_STATE_IDLE);
        CHECK_OK(doca_comch_client_destroy(client));
    }
    CHECK(rc != DOCA_SUCCESS && rc != DOCA_ERROR_IN_PROGRESS);
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- create ---- */

static void create_refuses_null(void)
{
    struct comch_end server, client;
    struct doca_comch_server *s = NULL;
    struct doca_comch_client *c = NULL;

    comch_make_server(&server, COMCH_HOST, comch_name(), 1);
    comch_make_client(&client, COMCH_HOST, comch_name(), 1);
    CHECK_RC(doca_comch_server_create(NULL, server.rep, "x", &s), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_create(server.dev, NULL, "x", &s), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_create(server.dev, server.rep, NULL, &s), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_create(server.dev, server.rep, "x", NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_create(NULL, "x", &c), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_create(client.dev, NULL, &c), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_create(client.dev, "x", NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK(s == NULL && c == NULL);
    CHECK_RC(doca_comch_server_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(doca_comch_server_as_ctx(NULL), NULL);
    CHECK_PTR(doca_comch_client_as_ctx(NULL), NULL);
    comch_destroy(&server);
    comch_destroy(&client);
}

/* A backend with one device: an SF of the host whose VUID is not known. */
#define NAMELESS "0000:9c:00.0"
static bool has_nameless;

static uint32_t enumerate_nameless(struct doca_core_dev_attr *attrs, uint32_t max)
{
    if (has_nameless && max > 0) {
        memset(&attrs[0], 0, sizeof(attrs[0]));
        strcpy(attrs[0].pci_addr, NAMELESS);
        attrs[0].func_type = DOCA_PCI_FUNC_TYPE_SF;
        attrs[0].side = DOCA_CORE_SIDE_HOST;
    }
    return has_nameless ? 1 : 0;
}

/* An SF has the PCI address of its PF, so servers know it by its VUID only. */
static void client_on_a_function_without_a_name_is_refused(void)
{
    static struct doca_core_backend backend;
    struct doca_comch_client *client = NULL;
    struct doca_dev *dev;

    backend = *doca_core_sw_backend();
    backend.name = "nameless";
    backend.enumerate = enumerate_nameless;
    has_nameless = true;
    CHECK_OK(doca_core_backend_register(&backend));
    dev = rig_open_dev(NAMELESS);
    CHECK_OK(doca_comch_cap_client_is_supported(doca_dev_as_devinfo(dev)));
    CHECK_RC(doca_comch_client_create(dev, "x", &client), DOCA_ERROR_NOT_SUPPORTED);
    CHECK(client == NULL);
    CHECK_OK(doca_dev_close(dev));
    has_nameless = false;
}

/* The capability counts the closing NUL. A server and a client with the longest name find each
 * other, although the caller has overwritten its copy of the name. */
static void longest_name_works_and_a_longer_name_is_refused(void)
{
    struct doca_dev *dev = rig_open_dev(COMCH_DPU), *host = rig_open_dev(COMCH_HOST);
    struct doca_dev_rep *rep = comch_open_rep(dev, COMCH_HOST);
    struct doca_comch_server *s = NULL;
    struct doca_comch_client *c = NULL;
    struct comch_end server, client;
    static char name[4096];
    const char *unique;
    uint32_t room;

    CHECK_OK(doca_comch_cap_get_max_name_len(doca_dev_as_devinfo(dev), &room));
    CHECK(room > COMCH_NAME && room < sizeof(name));
    memset(name, 'n', room);
    CHECK_RC(doca_comch_server_create(dev, rep, name, &s), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_create(host, name, &c), DOCA_ERROR_INVALID_VALUE);
    CHECK(s == NULL && c == NULL);
    unique = comch_name();
    memcpy(name, unique, strlen(unique));
    name[room - 1] = '\0';
    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 1);
    memset(name, 'x', room - 1);
    comch_start_server(&server);
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client));
    comch_close_both(&server, &client);
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(host));
}

static void devices_are_those_of_the_creation(void)
{
    struct comch_end server, client;
    struct doca_dev *dev = NULL;
    struct doca_dev_rep *rep = NULL;

    comch_make_server(&server, COMCH_HOST, comch_name(), 1);
    comch_make_client(&client, COMCH_HOST, comch_name(), 1);
    CHECK_OK(doca_comch_server_get_device(server.server, &dev));
    CHECK_PTR(dev, server.dev);
    CHECK_OK(doca_comch_client_get_device(client.client, &dev));
    CHECK_PTR(dev, client.dev);
    CHECK_OK(doca_comch_server_get_device_rep(server.server, &rep));
    CHECK_PTR(rep, server.rep);
    CHECK_RC(doca_comch_server_get_device(NULL, &dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_get_device(server.server, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_get_device(NULL, &dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_get_device(client.client, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_get_device_rep(NULL, &rep), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_get_device_rep(server.server, NULL), DOCA_ERROR_INVALID_VALUE);
    /* an open server or client keeps its device open */
    CHECK_RC(doca_dev_close(client.dev), DOCA_ERROR_IN_USE);
    comch_destroy(&server);
    comch_destroy(&client);
}

/* ---- sizes ---- */

static void message_size_is_settable_up_to_the_capability(void)
{
    struct comch_end server, client;
    uint32_t most, size = 0;

    comch_make_server(&server, COMCH_HOST, comch_name(), 1);
    comch_make_client(&client, COMCH_HOST, comch_name(), 1);
    CHECK_OK(doca_comch_cap_get_max_msg_size(doca_dev_as_devinfo(server.dev), &most));
    CHECK_OK(doca_comch_server_set_max_msg_size(server.server, most));
    CHECK_OK(doca_comch_server_get_max_msg_size(server.server, &size));
    CHECK_EQ(size, most);
    CHECK_RC(doca_comch_server_set_max_msg_size(server.server, most + 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_set_max_msg_size(server.server, UINT32_MAX),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_set_max_msg_size(NULL, 64), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_comch_server_get_max_msg_size(server.server, &size));
    CHECK_EQ(size, most);
    CHECK_RC(doca_comch_server_get_max_msg_size(server.server, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_get_max_msg_size(NULL, &size), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_comch_cap_get_max_msg_size(doca_dev_as_devinfo(client.dev), &most));
    CHECK_OK(doca_comch_client_set_max_msg_size(client.client, most));
    CHECK_RC(doca_comch_client_set_max_msg_size(client.client, most + 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_comch_client_get_max_msg_size(client.client, &size));
    CHECK_EQ(size, most);
    CHECK_OK(doca_comch_client_set_max_msg_size(client.client, 100));
    CHECK_OK(doca_comch_client_get_max_msg_size(client.client, &size));
    CHECK_EQ(size, 100);
    CHECK_RC(doca_comch_client_get_max_msg_size(client.client, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_get_max_msg_size(NULL, &size), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_set_max_msg_size(NULL, 64), DOCA_ERROR_INVALID_VALUE);
    comch_destroy(&server);
    comch_destroy(&client);
}

static void receive_queue_is_settable_up_to_the_capability(void)
{
    struct comch_end server, client;
    uint32_t most, size = 0;

    comch_make_server(&server, COMCH_HOST, comch_name(), 1024);
    comch_make_client(&client, COMCH_HOST, comch_name(), 1024);
    CHECK_OK(doca_comch_cap_get_max_recv_queue_size(doca_dev_as_devinfo(server.dev), &most));
    CHECK_OK(doca_comch_server_set_recv_queue_size(server.server, most));
    CHECK_OK(doca_comch_server_get_recv_queue_size(server.server, &size));
    CHECK_EQ(size, most);
    CHECK_RC(doca_comch_server_set_recv_queue_size(server.server, most + 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_set_recv_queue_size(NULL, 10), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_get_recv_queue_size(server.server, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_get_recv_queue_size(NULL, &size), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_comch_server_set_recv_queue_size(server.server, 10)); /* as the samples do */
    CHECK_OK(doca_comch_server_get_recv_queue_size(server.server, &size));
    CHECK(size >= 10);
    CHECK_OK(doca_comch_client_set_recv_queue_size(client.client, 10));
    CHECK_OK(doca_comch_client_get_recv_queue_size(client.client, &size));
    CHECK(size >= 10);
    CHECK_RC(doca_comch_client_set_recv_queue_size(client.client, most + 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_set_recv_queue_size(NULL, 10), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_get_recv_queue_size(client.client, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_get_recv_queue_size(NULL, &size), DOCA_ERROR_INVALID_VALUE);
    comch_destroy(&server);
    comch_destroy(&client);
}

static void sizes_have_defaults(void)
{
    struct doca_dev *dev = rig_open_dev(COMCH_DPU), *host = rig_open_dev(COMCH_HOST);
    struct doca_dev_rep *rep = comch_open_rep(dev, COMCH_HOST);
    struct doca_comch_server *server;
    struct doca_comch_client *client;
    uint32_t size = 0, most;

    CHECK_OK(doca_comch_server_create(dev, rep, comch_name(), &server));
    CHECK_OK(doca_comch_client_create(host, comch_name(), &client));
    CHECK_OK(doca_comch_cap_get_max_msg_size(doca_dev_as_devinfo(dev), &most));
    CHECK_OK(doca_comch_server_get_max_msg_size(server, &size));
    CHECK(size > 0 && size <= most);
    CHECK_OK(doca_comch_client_get_max_msg_size(client, &size));
    CHECK(size > 0 && size <= most);
    CHECK_OK(doca_comch_cap_get_max_recv_queue_size(doca_dev_as_devinfo(dev), &most));
    CHECK_OK(doca_comch_server_get_recv_queue_size(server, &size));
    CHECK(size > 0 && size <= most);
    CHECK_OK(doca_comch_client_get_recv_queue_size(client, &size));
    CHECK(size > 0 && size <= most);
    CHECK_OK(doca_comch_server_destroy(server));
    CHECK_OK(doca_comch_client_destroy(client));
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(host));
}

/* ---- callbacks ---- */

static void null_callbacks_are_refused(void)
{
    struct comch_end server, client;
    struct doca_comch_server *s;
    struct doca_comch_client *c;

    comch_make_server(&server, COMCH_HOST, comch_name(), 1);
    comch_make_client(&client, COMCH_HOST, comch_name(), 1);
    s = server.server;
    c = client.client;
    CHECK_RC(doca_comch_server_event_msg_recv_register(s, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_event_msg_recv_register(c, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_event_msg_recv_register(NULL, comch_received),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_event_msg_recv_register(NULL, comch_received),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(
        doca_comch_server_event_connection_status_changed_register(s, NULL, comch_disconnected),
        DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_event_connection_status_changed_register(s, comch_connected, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_event_connection_status_changed_register(NULL, comch_connected,
                                                                        comch_disconnected),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_event_consumer_register(s, NULL, comch_expired_consumer),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_event_consumer_register(s, comch_new_consumer, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_event_consumer_register(c, NULL, comch_expired_consumer),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_event_consumer_register(c, comch_new_consumer, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_task_send_set_conf(s, NULL, comch_failed, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_task_send_set_conf(s, comch_sent, NULL, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_task_send_set_conf(c, NULL, comch_failed, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_task_send_set_conf(c, comch_sent, NULL, 1),
             DOCA_ERROR_INVALID_VALUE);
    comch_destroy(&server);
    comch_destroy(&client);
}

static void more_tasks_than_the_capability_are_refused(void)
{
    struct comch_end server, client;
    uint32_t most;

    comch_make_server(&server, COMCH_HOST, comch_name(), 1);
    comch_make_client(&client, COMCH_HOST, comch_name(), 1);
    CHECK_OK(doca_comch_cap_get_max_send_tasks(doca_dev_as_devinfo(server.dev), &most));
    CHECK_OK(doca_comch_server_task_send_set_conf(server.server, comch_sent, comch_failed, most));
    CHECK_RC(
        doca_comch_server_task_send_set_conf(server.server, comch_sent, comch_failed, most + 1),
        DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_comch_client_task_send_set_conf(client.client, comch_sent, comch_failed, most));
    CHECK_RC(
        doca_comch_client_task_send_set_conf(client.client, comch_sent, comch_failed, most + 1),
        DOCA_ERROR_INVALID_VALUE);
    comch_destroy(&server);
    comch_destroy(&client);
}

/* The configuration cannot be changed while the context is not idle. After the stop it can be
 * changed again. */
static void configuration_is_fixed_while_the_context_runs(void)
{
    struct comch_end server, client;
    doca_error_t want = DOCA_ERROR_BAD_STATE;
    unsigned round;

    comch_open(&server, &client, 1);
    for (round = 0; round < 2; round++) {
        struct doca_comch_server *s = server.server;
        struct doca_comch_client *c = client.client;

        CHECK_RC(doca_comch_server_set_max_msg_size(s, 128), want);
        CHECK_RC(doca_comch_client_set_max_msg_size(c, 128), want);
        CHECK_RC(doca_comch_server_set_recv_queue_size(s, 16), want);
        CHECK_RC(doca_comch_client_set_recv_queue_size(c, 16), want);
        CHECK_RC(doca_comch_server_task_send_set_conf(s, comch_sent, comch_failed, 2), want);
        CHECK_RC(doca_comch_client_task_send_set_conf(c, comch_sent, comch_failed, 2), want);
        CHECK_RC(doca_comch_server_event_msg_recv_register(s, comch_received), want);
        CHECK_RC(doca_comch_client_event_msg_recv_register(c, comch_received), want);
        CHECK_RC(doca_comch_server_event_connection_status_changed_register(s, comch_connected,
                                                                            comch_disconnected),
                 want);
        CHECK_RC(doca_comch_server_event_consumer_register(s, comch_new_consumer,
                                                           comch_expired_consumer),
                 want);
        CHECK_RC(doca_comch_client_event_consumer_register(c, comch_new_consumer,
                                                           comch_expired_consumer),
                 want);
        if (round == 0) {
            comch_stop(&client);
            comch_stop(&server);
        }
        want = DOCA_SUCCESS;
    }
    comch_destroy(&server);
    comch_destroy(&client);
}

/* The size of messages may be read while the context runs: a public program does so. */
static void message_size_is_readable_while_the_context_runs(void)
{
    struct comch_end server, client;
    uint32_t size = 0;

    comch_open(&server, &client, 1);
    CHECK_OK(doca_comch_server_get_max_msg_size(server.server, &size));
    CHECK_EQ(size, COMCH_MAX_MSG);
    CHECK_OK(doca_comch_client_get_max_msg_size(client.client, &size));
    CHECK_EQ(size, COMCH_MAX_MSG);
    comch_close_both(&server, &client);
}

static void client_that_has_not_started_has_no_connection(void)
{
    struct doca_comch_connection *connection = NULL;
    struct comch_end client;

    comch_make_client(&client, COMCH_HOST, comch_name(), 1);
    CHECK_RC(doca_comch_client_get_connection(client.client, &connection), DOCA_ERROR_BAD_STATE);
    CHECK_PTR(connection, NULL);
    CHECK_RC(doca_comch_client_get_connection(client.client, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_get_connection(NULL, &connection), DOCA_ERROR_INVALID_VALUE);
    comch_destroy(&client);
}

/* ---- memory ---- */

/* Create a server or client like `e`, which must be idle, in the arena. */
static doca_error_t make_in(struct comch_end *e, const struct comch_end *like, const char *name,
                            struct doca_core_arena *arena, uint32_t num_tasks)
{
    doca_error_t rc;

    *e = *like;
    e->server = NULL;
    e->client = NULL;
    rc = like->server != NULL
             ? doca_core_comch_server_create_in(arena, e->dev, e->rep, name, &e->server)
             : doca_core_comch_client_create_in(arena, e->dev, name, &e->client);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (e->server != NULL) {
        e->ctx = doca_comch_server_as_ctx(e->server);
        CHECK_OK(
            doca_comch_server_task_send_set_conf(e->server, comch_sent, comch_failed, num_tasks));
        CHECK_OK(doca_comch_server_event_msg_recv_register(e->server, comch_received));
        CHECK_OK(doca_comch_server_event_connection_status_changed_register(
            e->server, comch_connected, comch_disconnected));
        CHECK_OK(doca_comch_server_set_max_msg_size(e->server, COMCH_MAX_MSG));
    } else {
        e->ctx = doca_comch_client_as_ctx(e->client);
        CHECK_OK(
            doca_comch_client_task_send_set_conf(e->client, comch_sent, comch_failed, num_tasks));
        CHECK_OK(doca_comch_client_event_msg_recv_register(e->client, comch_received));
        CHECK_OK(doca_comch_client_set_max_msg_size(e->client, COMCH_MAX_MSG));
    }
    CHECK_OK(doca_ctx_set_user_data(e->ctx, (union doca_data){ .ptr = e }));
    CHECK_OK(doca_ctx_set_state_changed_cb(e->ctx, comch_state_changed));
    CHECK_OK(doca_pe_connect_ctx(e->pe, e->ctx));
    return DOCA_SUCCESS;
}

static void check_unused(struct doca_core_arena *arena)
{
    size_t used = 1;

    CHECK_OK(doca_core_arena_query(arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_core_arena_audit(arena));
}

/* The size that the library reports is enough for a client that is created, started and connected,
 * and that sends and receives a message of the full size. */
static void client_needs_the_bytes_that_the_library_says(void)
{
    struct comch_end server, client, plain;
    struct doca_core_arena arena;
    const char *name = comch_name();
    size_t bytes = 0, i;

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_start_server(&server);
    comch_make_client(&plain, COMCH_HOST, name, 8);
    CHECK_OK(doca_core_bytes_comch_client(plain.dev, 8, COMCH_MAX_MSG, &bytes));
    CHECK(bytes > 0 && bytes <= ROOM);
    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_core_arena_init(&arena, memory, bytes));
        CHECK_OK(make_in(&client, &plain, name, &arena, 8));
        comch_start_client(&client);
        COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
        comch_deliver(&client, &server, rig_from, COMCH_MAX_MSG);
        comch_deliver(&server, &client, rig_from, COMCH_MAX_MSG);
        comch_stop(&client);
        COMCH_UNTIL(server.num_conns == 0);
        CHECK_OK(doca_comch_client_destroy(client.client));
        check_unused(&arena);
    }
    CHECK_RC(doca_core_bytes_comch_client(plain.dev, 8, COMCH_MAX_MSG, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_comch_client(plain.dev, DOCA_CORE_COMCH_MAX_SEND_TASKS + 1,
                                          COMCH_MAX_MSG, &bytes),
             DOCA_ERROR_INVALID_VALUE);
    comch_destroy(&plain);
    comch_close(&server);
}

/* The size that the library reports for two clients is enough for a server with two clients. A
 * third client is accepted or refused; the server and the first two clients work as before. */
static void server_needs_the_bytes_that_the_library_says(void)
{
    static struct comch_end server, plain, clients[3];
    struct doca_core_arena arena;
    const char *name = comch_name();
    size_t bytes = 0, i;

    comch_make_server(&plain, COMCH_HOST, name, 8);
    CHECK_OK(doca_core_bytes_comch_server(plain.dev, 2, 8, COMCH_MAX_MSG, &bytes));
    CHECK(bytes > 0 && bytes <= ROOM);
    CHECK_OK(doca_core_arena_init(&arena, memory, bytes));
    CHECK_OK(make_in(&server, &plain, name, &arena, 8));
    CHECK_OK(doca_core_comch_server_set_max_clients(server.server, 2));
    comch_start_server(&server);
    CHECK_EQ(doca_core_comch_server_set_max_clients(server.server, 3), DOCA_ERROR_BAD_STATE);
    for (i = 0; i < 3; i++) {
        comch_make_client(&clients[i], COMCH_HOST, name, 1);
        comch_start_client(&clients[i]);
        COMCH_UNTIL(i == 2 ? !comch_is(&clients[i], DOCA_CTX_STATE_STARTING)
                           : comch_runs(&clients[i]) && server.num_conns == i + 1);
    }
    for (i = 0; i < 2; i++) {
        comch_deliver(&clients[i], &server, rig_from, COMCH_MAX_MSG);
        comch_send_to(&server, server.conns[i], rig_from, COMCH_MAX_MSG);
        COMCH_UNTIL(clients[i].num_received == 1 && server.num_sent == i + 1);
    }
    for (i = 0; i < 3; i++)
        comch_close(&clients[i]);
    comch_stop(&server);
    CHECK_OK(doca_comch_server_destroy(server.server));
    check_unused(&arena);
    CHECK_RC(doca_core_bytes_comch_server(plain.dev, 2, 8, COMCH_MAX_MSG, NULL),
             DOCA_ERROR_INVALID_VALUE);
    comch_destroy(&plain);
}

/* With less memory than the reported size, a step fails and frees the memory that it has taken. */
static void every_smaller_arena_gives_no_memory_or_works(void)
{
    static struct comch_end server, client, plain;
    struct doca_core_arena arena;
    const char *name = comch_name();
    size_t bytes = 0, most = 0;
    unsigned num_failed = 0;
    doca_error_t rc;

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_start_server(&server);
    comch_make_client(&plain, COMCH_HOST, name, 4);
    CHECK_OK(doca_core_bytes_comch_client(plain.dev, 4, COMCH_MAX_MSG, &most));
    for (bytes = 2 * DOCA_CORE_LINE; bytes <= most; bytes += most / 50) {
        CHECK_OK(doca_core_arena_init(&arena, memory, bytes));
        rc = make_in(&client, &plain, name, &arena, 4);
        if (rc == DOCA_SUCCESS) {
            rc = doca_ctx_start(client.ctx);
            if (rc == DOCA_ERROR_IN_PROGRESS) {
                COMCH_UNTIL(!comch_is(&client, DOCA_CTX_STATE_STARTING));
                rc = comch_is(&client, DOCA_CTX_STATE_IDLE) ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
            }
            comch_stop(&client);
            CHECK_OK(doca_comch_client_destroy(client.client));
        }
        if (rc != DOCA_SUCCESS)
            CHECK_RC(rc, DOCA_ERROR_NO_MEMORY);
        num_failed += rc != DOCA_SUCCESS;
        check_unused(&arena);
        comch_settle();
    }
    CHECK(num_failed > 0);
    comch_destroy(&plain);
    comch_close(&server);
}

static void arena_that_is_too_small_gives_no_memory(void)
{
    struct doca_dev *dev = rig_open_dev(COMCH_DPU), *host = rig_open_dev(COMCH_HOST);
    struct doca_dev_rep *rep = comch_open_rep(dev, COMCH_HOST);
    struct doca_comch_server *server = NULL;
    struct doca_comch_client *client = NULL;
    struct doca_core_arena arena;
    size_t used = 1;

    CHECK_OK(doca_core_arena_init(&arena, memory, 2 * DOCA_CORE_LINE));
    CHECK_RC(doca_core_comch_server_create_in(&arena, dev, rep, "x", &server),
             DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_core_comch_client_create_in(&arena, host, "x", &client), DOCA_ERROR_NO_MEMORY);
    CHECK(server == NULL && client == NULL);
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(host));
}

static const struct test_case cases[] = {
    CASE(capabilities_are_large_enough_for_public_programs, "335 336 337 338"),
    CASE(capability_queries_refuse_null, ""),
    CASE(servers_are_for_the_dpu_and_clients_for_the_host, "328"),
    CASE_OF_SW(capabilities_follow_the_profile, "328 335", "profiles"),
    CASE(client_on_a_dpu_device_does_not_start, "328"),
    CASE(create_refuses_null, "328"),
    CASE(client_on_a_function_without_a_name_is_refused, ""),
    CASE(longest_name_works_and_a_longer_name_is_refused, "328"),
    CASE(devices_are_those_of_the_creation, ""),
    CASE(message_size_is_settable_up_to_the_capability, "335 336"),
    CASE(receive_queue_is_settable_up_to_the_capability, "337"),
    CASE(sizes_have_defaults, ""),
    CASE(null_callbacks_are_refused, "361"),
    CASE(more_tasks_than_the_capability_are_refused, "337"),
    CASE(configuration_is_fixed_while_the_context_runs, "361"),
    CASE(message_size_is_readable_while_the_context_runs, ""),
    CASE(client_that_has_not_started_has_no_connection, "352"),
    CASE(client_needs_the_bytes_that_the_library_says, ""),
    CASE(server_needs_the_bytes_that_the_library_says, ""),
    CASE(every_smaller_arena_gives_no_memory_or_works, ""),
    CASE(arena_that_is_too_small_gives_no_memory, ""),
};

TEST_MAIN(cases)
