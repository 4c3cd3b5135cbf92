/* The counters of ports in sysfs. The cases need two functions, mlx5_0 and mlx5_1. */
#define _GNU_SOURCE
#include "rig.h"

#include <fcntl.h>

enum { LEN = 16384, MTU = 4096 };

struct fixture {
    struct rig rig[2];          /* the first function sends, the second receives */
    struct ibv_qp *qp[2];
    struct ibv_mr *mr[2];
    uint8_t *mem;
};

static struct fixture setup(struct rig_qp_options options)
{
    struct fixture f = { .mem = rig_memory(2 * LEN) };

    for (int i = 0; i < 2; i++) {
        f.rig[i] = rig_open(i);
        f.qp[i] = rig_qp(&f.rig[i], &options);
        f.mr[i] = ibv_reg_mr(f.rig[i].pd, f.mem + i * LEN, LEN, RIG_ALL_ACCESS);
        CHECK(f.mr[i]);
    }
    for (int i = 0; i < 2; i++) {
        struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_4096,
            .dest_qp_num = f.qp[1 - i]->qp_num, .max_dest_rd_atomic = 8, .min_rnr_timer = 1,
            .ah_attr = { .port_num = 1, .is_global = 1 } };
        struct ibv_port_attr port;

        CHECK_EQ(ibv_query_port(f.rig[1 - i].ctx, 1, &port), 0);
        attr.ah_attr.dlid = port.lid;
        rig_init(f.qp[i], &options);
        CHECK_EQ(ibv_query_gid(f.rig[1 - i].ctx, 1, 0, &attr.ah_attr.grh.dgid), 0);
        CHECK_EQ(ibv_modify_qp(f.qp[i], &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
                               IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
                               IBV_QP_MIN_RNR_TIMER), 0);
        rig_send_ready(f.qp[i], &options);
    }
    return f;
}

static void teardown(struct fixture *f)
{
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(ibv_destroy_qp(f->qp[i]), 0);
        CHECK_EQ(ibv_dereg_mr(f->mr[i]), 0);
        rig_close(&f->rig[i]);
    }
    free(f->mem);
}

static enum ibv_wc_status post(struct fixture *f, enum ibv_wr_opcode opcode, uint32_t len,
                               uint32_t key)
{
    struct rig_side local = { f->mem, len, f->mr[0]->lkey };

    return rig_do(&f->rig[0], f->qp[0], opcode, local, (uintptr_t)f->mem + LEN, key);
}

/* Read one counter of a function: a file below ports/1. */
static uint64_t counter(int function, const char *name)
{
    char path[128], text[32] = "";
    int fd;

    snprintf(path, sizeof(path), "/sys/class/infiniband/mlx5_%d/ports/1/%s", function, name);
    fd = open(path, O_RDONLY);
    CHECK(fd >= 0);
    CHECK(read(fd, text, sizeof(text) - 1) > 0);
    CHECK(strchr(text, '\n'));
    close(fd);
    return strtoull(text, NULL, 10);
}

static const char *const names[] = {
    "counters/port_xmit_data", "counters/port_rcv_data", "counters/port_xmit_packets",
    "counters/port_rcv_packets", "counters/unicast_xmit_packets", "counters/unicast_rcv_packets",
    "counters/multicast_xmit_packets", "counters/multicast_rcv_packets",
    "hw_counters/rx_write_requests", "hw_counters/rx_read_requests",
    "hw_counters/rx_atomic_requests", "hw_counters/out_of_buffer", "hw_counters/req_cqe_error",
    "hw_counters/rnr_nak_retry_err", "hw_counters/req_remote_access_errors",
    "hw_counters/req_remote_invalid_request"
};
enum { XMIT_DATA, RCV_DATA, XMIT, RCV, XMIT_UNI, RCV_UNI, XMIT_MULTI, RCV_MULTI, WRITES, READS,
       ATOMICS, OUT_OF_BUFFER, FAILED, RNR, ACCESS_ERR, INVALID, NUM };
_Static_assert(sizeof(names) / sizeof(names[0]) == NUM, "each number has a name");

struct counts {
    uint64_t of[2][NUM];
};

static struct counts count_all(void)
{
    struct counts counts;

    for (int function = 0; function < 2; function++)
        for (int i = 0; i < NUM; i++)
            counts.of[function][i] = counter(function, names[i]);
    return counts;
}

/* The counters have grown by these numbers since `old`, and no other counter has changed. */
static void check_growth(struct counts old, const int64_t growth[2][NUM])
{
    struct counts new = count_all();

    for (int function = 0; function < 2; function++)
        for (int i = 0; i < NUM; i++)
            if (new.of[function][i] - old.of[function][i] != (uint64_t)growth[function][i]) {
                fprintf(stderr, "mlx5_%d %s: %llu to %llu\n", function, names[i],
                        (unsigned long long)old.of[function][i],
                        (unsigned long long)new.of[function][i]);
                rig_fail(__FILE__, __LINE__, "the growth is wrong");
            }
}

static void a_write_is_counted_in_packets_on_both_sides(void)
{
    struct fixture f = setup((struct rig_qp_options){ 0 });
    struct counts old = count_all();

    CHECK_EQ(post(&f, IBV_WR_RDMA_WRITE, 2 * MTU + 4, f.mr[1]->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(post(&f, IBV_WR_RDMA_WRITE, 0, f.mr[1]->rkey), IBV_WC_SUCCESS);
    check_growth(old, (int64_t[2][NUM]){
        { [XMIT_DATA] = MTU / 2 + 1, [XMIT] = 4, [XMIT_UNI] = 4 },
        { [RCV_DATA] = MTU / 2 + 1, [RCV] = 4, [RCV_UNI] = 4, [WRITES] = 2 } });
    teardown(&f);
}

static void a_read_is_a_request_and_an_answer(void)
{
    struct fixture f = setup((struct rig_qp_options){ 0 });
    struct counts old = count_all();

    CHECK_EQ(post(&f, IBV_WR_RDMA_READ, MTU + 8, f.mr[1]->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(post(&f, IBV_WR_ATOMIC_FETCH_AND_ADD, 8, f.mr[1]->rkey), IBV_WC_SUCCESS);
    check_growth(old, (int64_t[2][NUM]){
        { [XMIT] = 2, [XMIT_UNI] = 2, [RCV_DATA] = MTU / 4 + 4, [RCV] = 3, [RCV_UNI] = 3 },
        { [RCV] = 2, [RCV_UNI] = 2, [XMIT_DATA] = MTU / 4 + 4, [XMIT] = 3, [XMIT_UNI] = 3,
          [READS] = 1, [ATOMICS] = 1 } });
    teardown(&f);
}

static void refused_requests_are_errors_without_packets(void)
{
    struct fixture f = setup((struct rig_qp_options){ 0 });
    struct counts old = count_all();

    CHECK_EQ(post(&f, IBV_WR_RDMA_WRITE, 8, f.mr[1]->rkey ^ 0x5500), IBV_WC_REM_ACCESS_ERR);
    check_growth(old, (int64_t[2][NUM]){ { [FAILED] = 1, [ACCESS_ERR] = 1 }, { 0 } });
    teardown(&f);
    f = setup((struct rig_qp_options){ .access = IBV_ACCESS_REMOTE_READ });
    old = count_all();
    CHECK_EQ(post(&f, IBV_WR_RDMA_WRITE, 8, f.mr[1]->rkey), IBV_WC_REM_INV_REQ_ERR);
    check_growth(old, (int64_t[2][NUM]){ { [FAILED] = 1, [INVALID] = 1 }, { 0 } });
    teardown(&f);
}

static void a_message_without_a_receive_is_counted_where_it_arrives(void)
{
    struct fixture f = setup((struct rig_qp_options){ .rnr_retry = 2 });
    struct counts old = count_all();

    CHECK_EQ(post(&f, IBV_WR_SEND, 8, 0), IBV_WC_RNR_RETRY_EXC_ERR);
    check_growth(old, (int64_t[2][NUM]){ { [FAILED] = 1, [RNR] = 1 }, { [OUT_OF_BUFFER] = 3 } });
    teardown(&f);
}

/* Programs also read the files with fopen(), and look at them with other calls before. */
static void files_are_up_to_date_for_each_way_to_read_them(void)
{
    struct fixture f = setup((struct rig_qp_options){ 0 });
    char path[] = "/sys/class/infiniband/mlx5_1/ports/1/hw_counters/rx_write_requests";
    uint64_t old = counter(1, "hw_counters/rx_write_requests");
    unsigned long long now = 0;
    char *name = strrchr(path, '/');
    FILE *file;
    int dir, fd;
    char text[32] = "";

    CHECK_EQ(post(&f, IBV_WR_RDMA_WRITE, 8, f.mr[1]->rkey), IBV_WC_SUCCESS);
    file = fopen(path, "r");
    CHECK(file && fscanf(file, "%llu", &now) == 1);
    fclose(file);
    CHECK_EQ(now, old + 1);
    CHECK_EQ(post(&f, IBV_WR_RDMA_WRITE, 8, f.mr[1]->rkey), IBV_WC_SUCCESS);
    *name = '\0';
    dir = open(path, O_RDONLY | O_DIRECTORY);
    CHECK(dir >= 0);
    fd = openat(dir, name + 1, O_RDONLY);
    CHECK(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0);
    CHECK_EQ(strtoull(text, NULL, 10), old + 2);
    close(fd);
    close(dir);
    teardown(&f);
}

static const struct rig_case cases[] = {
    RIG_CASE(a_write_is_counted_in_packets_on_both_sides),
    RIG_CASE(a_read_is_a_request_and_an_answer),
    RIG_CASE(refused_requests_are_errors_without_packets),
    RIG_CASE(a_message_without_a_receive_is_counted_where_it_arrives),
    RIG_CASE(files_are_up_to_date_for_each_way_to_read_them),
};

RIG_MAIN(cases)
