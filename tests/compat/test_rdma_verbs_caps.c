/* DOCA RDMA on RDMA devices: limits and global identifiers are those that libibverbs reports. */
#include "rdma_traffic.h"

#include "heap_trap.h"

#include <infiniband/verbs.h>

enum { BYTES = 1 << 16, GIDS = 4096 };

static _Alignas(4096) unsigned char memory[2][BYTES];

/* The attributes of a device as libibverbs reports them. */
struct truth {
    struct ibv_device_attr device;
    struct ibv_port_attr port;
    union ibv_gid gids[GIDS];
};

static void ask_libibverbs(const struct doca_devinfo *info, struct truth *t)
{
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    struct ibv_context *context = NULL;
    struct ibv_device **list;
    int i, num = 0;

    CHECK_OK(doca_devinfo_get_ibdev_name(info, name, sizeof(name)));
    list = ibv_get_device_list(&num);
    for (i = 0; i < num; i++)
        if (strcmp(ibv_get_device_name(list[i]), name) == 0)
            context = ibv_open_device(list[i]);
    ibv_free_device_list(list);
    CHECK(context != NULL);
    CHECK_EQ(ibv_query_device(context, &t->device), 0);
    CHECK_EQ(ibv_query_port(context, 1, &t->port), 0);
    CHECK(t->port.gid_tbl_len > 0 && t->port.gid_tbl_len <= GIDS);
    memset(t->gids, 0, sizeof(t->gids));
    for (i = 0; i < t->port.gid_tbl_len; i++)
        (void)ibv_query_gid(context, 1, i, &t->gids[i]);
    CHECK_EQ(ibv_close_device(context), 0);
    heap_trap_set(mode);
}

static void table_of_gids_is_that_of_the_port(void)
{
    static struct doca_rdma_gid gids[GIDS];
    static struct truth truth;
    struct doca_dev *dev = rig_open_dev(NULL);
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    uint32_t num = 0, i;

    ask_libibverbs(info, &truth);
    CHECK_OK(doca_rdma_cap_get_gid_table_size(info, &num));
    CHECK_EQ(num, truth.port.gid_tbl_len);
    memset(gids, 0xee, sizeof(gids));
    CHECK_OK(doca_rdma_cap_get_gid(info, 0, num, gids));
    for (i = 0; i < num; i++)
        CHECK_MEM(gids[i].raw, truth.gids[i].raw, sizeof(gids[i].raw));
    memset(gids, 0xee, sizeof(gids));
    CHECK_OK(doca_rdma_cap_get_gid(info, num - 1, 1, gids));
    CHECK_MEM(gids[0].raw, truth.gids[num - 1].raw, sizeof(gids[0].raw));
    CHECK_EQ(gids[1].raw[0], 0xee);
    CHECK_RC(doca_rdma_cap_get_gid(info, 0, num + 1, gids), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_cap_get_gid(info, num, 1, gids), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_cap_get_gid(info, 1, UINT32_MAX, gids), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_cap_get_gid(info, 0, 0, gids), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_close(dev));
}

static uint32_t lower(int64_t a, int64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

/* The greatest power of two that is at most `most`. */
static uint32_t power(int64_t most)
{
    uint32_t size = 1;

    while ((int64_t)size * 2 <= most)
        size *= 2;
    return size;
}

static void limits_are_those_of_the_device(void)
{
    static struct truth t;
    struct doca_dev *dev = rig_open_dev(NULL);
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    uint32_t value = 0;

    ask_libibverbs(info, &t);
    CHECK_OK(doca_rdma_cap_get_max_send_queue_size(info, &value));
    CHECK_EQ(value, power(lower(t.device.max_qp_wr, DOCA_CORE_RDMA_MAX_SEND_QUEUE)));
    CHECK_OK(doca_rdma_cap_get_max_recv_queue_size(info, &value));
    CHECK_EQ(value, power(lower(t.device.max_srq_wr, DOCA_CORE_RDMA_MAX_RECV_QUEUE)));
    CHECK_OK(doca_rdma_cap_get_max_send_buf_list_len(info, &value));
    CHECK_EQ(value, lower(lower(t.device.max_sge,
                                t.device.max_sge_rd > 0 ? t.device.max_sge_rd : t.device.max_sge),
                          DOCA_CORE_RDMA_MAX_SEND_LIST));
    CHECK_OK(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(info, DOCA_RDMA_TRANSPORT_TYPE_RC,
                                                                 &value));
    CHECK_EQ(value, lower(t.device.max_srq_sge, DOCA_CORE_RDMA_MAX_SEND_LIST));
    CHECK_OK(doca_rdma_cap_get_max_message_size(info, &value));
    CHECK_EQ(value, lower(t.port.max_msg_sz, DOCA_CORE_RDMA_MAX_MESSAGE));
    CHECK_OK(doca_dev_close(dev));
}

/* Lists and queues of the reported maximum sizes work. The case does not use both maxima at once,
 * because the space of a queue pair is limited as well. */
static void instance_has_the_longest_lists(void)
{
    uint32_t send_list = 0, recv_list = 0, i;
    const struct doca_devinfo *info;
    struct rdma_end *ends[2];
    struct rdma_end a, b;

    ends[0] = &a;
    ends[1] = &b;
    for (i = 0; i < 2; i++) {
        rdma_make(ends[i], memory[i], BYTES);
        info = doca_dev_as_devinfo(ends[i]->dev);
        CHECK_OK(doca_rdma_cap_get_max_send_buf_list_len(info, &send_list));
        CHECK_OK(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
            info, DOCA_RDMA_TRANSPORT_TYPE_RC, &recv_list));
        CHECK_OK(doca_rdma_set_max_send_buf_list_len(ends[i]->rdma, send_list));
        CHECK_OK(doca_rdma_task_receive_set_dst_buf_list_len(ends[i]->rdma, recv_list));
        CHECK(doca_rdma_set_max_send_buf_list_len(ends[i]->rdma, send_list + 1) != DOCA_SUCCESS);
        CHECK(doca_rdma_task_receive_set_dst_buf_list_len(ends[i]->rdma, recv_list + 1) !=
              DOCA_SUCCESS);
        rdma_start(ends[i]);
    }
    share_fill(memory[0], BYTES, 3);
    share_fill(memory[1], BYTES, 4);
    rdma_lend(&b, &a);
    rdma_join(&a, &b);
    CHECK_OK(rdma_submit(rdma_receive(&b, rdma_list(&b, 0, 50, 100, recv_list, true), 1)));
    CHECK_OK(rdma_run(
        &a, rdma_send(&a, rdma_list(&a, 0, 50, 100, lower(send_list, recv_list), false), 2)));
    RDMA_UNTIL(b.num_ok == 1);
    for (i = 0; i < lower(send_list, recv_list); i++)
        CHECK_MEM(memory[1] + 100 * i, memory[0] + 100 * i, 50);
    CHECK_OK(rdma_run(&a, rdma_read(&a, rdma_far_buf(&a, 8192, 50 * send_list),
                                    rdma_list(&a, 0, 50, 100, send_list, true), 3)));
    for (i = 0; i < send_list; i++)
        CHECK_MEM(memory[0] + 100 * i, memory[1] + 8192 + 50 * i, 50);
    rdma_close_both(&a, &b);
}

static void instance_has_the_longest_queues(void)
{
    uint32_t send_queue = 0, recv_queue = 0, i;
    const struct doca_devinfo *info;
    struct rdma_end *ends[2];
    struct rdma_end a, b;

    ends[0] = &a;
    ends[1] = &b;
    for (i = 0; i < 2; i++) {
        rdma_make(ends[i], memory[i], BYTES);
        info = doca_dev_as_devinfo(ends[i]->dev);
        CHECK_OK(doca_rdma_cap_get_max_send_queue_size(info, &send_queue));
        CHECK_OK(doca_rdma_cap_get_max_recv_queue_size(info, &recv_queue));
        CHECK_OK(doca_rdma_set_max_send_buf_list_len(ends[i]->rdma, 1));
        CHECK_OK(doca_rdma_set_send_queue_size(ends[i]->rdma, send_queue));
        CHECK_OK(doca_rdma_set_recv_queue_size(ends[i]->rdma, recv_queue));
        CHECK_RC(doca_rdma_set_send_queue_size(ends[i]->rdma, send_queue + 1),
                 DOCA_ERROR_NOT_SUPPORTED);
        CHECK_RC(doca_rdma_set_recv_queue_size(ends[i]->rdma, recv_queue + 1),
                 DOCA_ERROR_NOT_SUPPORTED);
        rdma_start(ends[i]);
    }
    rdma_join(&a, &b);
    rdma_deliver(&a, &b, 0, 4096, 1000);
    rdma_close_both(&a, &b);
}

static const struct test_case cases[] = {
    CASE(table_of_gids_is_that_of_the_port, "425"),
    CASE(limits_are_those_of_the_device, ""),
    CASE(instance_has_the_longest_lists, ""),
    CASE(instance_has_the_longest_queues, "423"),
};

TEST_MAIN(cases)
