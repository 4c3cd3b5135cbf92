/* The emulated mlx5 device (tools/mlx5sim): the cost of a doorbell beside more and more objects.
 *
 * An operation is an RDMA write of 8 bytes by the queue pair under test: libmlx5 writes the WQE and
 * rings the doorbell, the device executes the WQE, and the program polls the CQE. The other objects
 * are spread over the 8 functions of the machine, and nothing uses them. The rows are those of
 * scale.h. The program runs itself again under tools/mlx5sim/run; it needs libibverbs.
 *
 *     bench_mlx5sim, with the options of bench.h
 *
 * Exit status: as in bench.h, or that of tools/mlx5sim/run. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#include "scale.h"

#if defined(BENCH_VERBS)
#include <infiniband/verbs.h>

#define NUM_FUNCTIONS 8
#define MAX_OBJECTS 65536

struct function {
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_cq *cq;
};

static struct function functions[NUM_FUNCTIONS];
static struct ibv_qp *tested; /* connected to itself */
static struct ibv_mr *tested_mr;
static uint64_t tested_memory[2];
static unsigned char others_memory[BENCH_LINE];
static void *others[MAX_OBJECTS];

/* ---- the queue pair under test ---- */

static struct ibv_qp *create_qp(struct function *f)
{
    struct ibv_qp_init_attr attr = { .send_cq = f->cq,
                                     .recv_cq = f->cq,
                                     .qp_type = IBV_QPT_RC,
                                     .cap = { .max_send_wr = 1,
                                              .max_recv_wr = 1,
                                              .max_send_sge = 1,
                                              .max_recv_sge = 1 } };
    struct ibv_qp *qp = ibv_create_qp(f->pd, &attr);

    bench_check(qp != NULL, "no queue pair");
    return qp;
}

static void to_init(struct ibv_qp *qp)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT,
                                .port_num = 1,
                                .qp_access_flags = IBV_ACCESS_REMOTE_WRITE };

    bench_check(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                                             IBV_QP_ACCESS_FLAGS) == 0,
                "a queue pair does not go to INIT");
}

static void to_rtr(struct ibv_qp *qp, uint32_t peer, uint16_t lid)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR,
                                .path_mtu = IBV_MTU_1024,
                                .dest_qp_num = peer,
                                .max_dest_rd_atomic = 1,
                                .min_rnr_timer = 12,
                                .ah_attr = { .dlid = lid, .port_num = 1, .is_global = 1 } };

    bench_check(ibv_query_gid(qp->context, 1, 0, &attr.ah_attr.grh.dgid) == 0, "no GID");
    bench_check(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
                                             IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                                             IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0,
                "a queue pair does not go to RTR");
}

static void to_rts(struct ibv_qp *qp)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTS,
                                .timeout = 14,
                                .retry_cnt = 7,
                                .rnr_retry = 7,
                                .max_rd_atomic = 1 };

    bench_check(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                             IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                                             IBV_QP_MAX_QP_RD_ATOMIC) == 0,
                "a queue pair does not go to RTS");
}

/* Create a queue pair that is connected to itself. */
static struct ibv_qp *connected_qp(struct function *f)
{
    struct ibv_port_attr port;
    struct ibv_qp *qp = create_qp(f);

    bench_check(ibv_query_port(f->context, 1, &port) == 0, "no port");
    to_init(qp);
    to_rtr(qp, qp->qp_num, port.lid);
    to_rts(qp);
    return qp;
}

static void open_functions(void)
{
    struct ibv_device **list;
    int i, num = 0;

    list = ibv_get_device_list(&num);
    bench_check(list != NULL && num == NUM_FUNCTIONS, "not the functions of this program");
    for (i = 0; i < num; i++) {
        struct function *f = &functions[i];

        f->context = ibv_open_device(list[i]);
        bench_check(f->context != NULL, "no device");
        f->pd = ibv_alloc_pd(f->context);
        f->cq = ibv_create_cq(f->context, 16, NULL, NULL, 0);
        bench_check(f->pd != NULL && f->cq != NULL, "no protection domain or completion queue");
    }
    ibv_free_device_list(list);
    tested = connected_qp(&functions[0]);
    tested_mr = ibv_reg_mr(functions[0].pd, tested_memory, sizeof(tested_memory),
                           IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    bench_check(tested_mr != NULL, "no memory region");
}

static void close_functions(void)
{
    int i;

    ibv_destroy_qp(tested);
    ibv_dereg_mr(tested_mr);
    for (i = 0; i < NUM_FUNCTIONS; i++) {
        ibv_destroy_cq(functions[i].cq);
        ibv_dealloc_pd(functions[i].pd);
        ibv_close_device(functions[i].context);
    }
}

static void write_once(uint64_t value)
{
    struct ibv_sge sge = { (uintptr_t)&tested_memory[0], 8, tested_mr->lkey };
    struct ibv_send_wr *bad, wr = { .sg_list = &sge,
                                    .num_sge = 1,
                                    .opcode = IBV_WR_RDMA_WRITE,
                                    .send_flags = IBV_SEND_SIGNALED };
    struct ibv_wc wc;
    int num;

    wr.wr.rdma.remote_addr = (uintptr_t)&tested_memory[1];
    wr.wr.rdma.rkey = tested_mr->rkey;
    tested_memory[0] = value;
    bench_check(ibv_post_send(tested, &wr, &bad) == 0, "ibv_post_send() failed");
    do
        num = ibv_poll_cq(functions[0].cq, 1, &wc);
    while (num == 0);
    bench_check(num == 1 && wc.status == IBV_WC_SUCCESS && tested_memory[1] == value,
                "an RDMA write failed");
}

/* Return the time of one write in ns, measured in the fastest of several turns. The device is
 * another process, so a turn becomes much longer when the kernel runs a third process meanwhile. */
static double timed_writes(size_t num, bool is_bare)
{
    const unsigned turns = bench.is_smoke ? 1 : 16, writes = bench.is_smoke ? 4 : 16;
    double start, least = INFINITY;
    unsigned turn, i;

    (void)num, (void)is_bare;
    for (turn = 0; turn < turns; turn++) {
        start = bench_now();
        for (i = 0; i < writes; i++)
            write_once(bench_random() + i);
        least = fmin(least, (bench_now() - start) / writes);
    }
    return least;
}

/* ---- the other objects ---- */

static void open_qps(size_t num)
{
    size_t i;

    for (i = 0; i < num; i++)
        others[i] = connected_qp(&functions[i % NUM_FUNCTIONS]);
}

static void close_qps(size_t num)
{
    while (num > 0)
        ibv_destroy_qp((struct ibv_qp *)others[--num]);
}

static void open_mrs(size_t num)
{
    size_t i;

    for (i = 0; i < num; i++) {
        others[i] = ibv_reg_mr(functions[i % NUM_FUNCTIONS].pd, others_memory,
                               sizeof(others_memory), IBV_ACCESS_LOCAL_WRITE);
        bench_check(others[i] != NULL, "no memory region");
    }
}

static void close_mrs(size_t num)
{
    while (num > 0)
        ibv_dereg_mr((struct ibv_mr *)others[--num]);
}

static const struct scale_row rows[] = {
    { .work = "mlx5sim_qps",
      .title = "emulated device: RDMA write of 8 B, doorbell to CQE, beside idle queue pairs",
      .x = "queue pairs",
      .factor = 8,
      .max = 4096,
      .smoke_max = 8,
      .open = open_qps,
      .close = close_qps,
      .timed = timed_writes },
    { .work = "mlx5sim_mrs",
      .title = "emulated device: RDMA write of 8 B, doorbell to CQE, beside memory regions",
      .x = "memory regions",
      .factor = 16,
      .max = MAX_OBJECTS,
      .smoke_max = 16,
      .open = open_mrs,
      .close = close_mrs,
      .timed = timed_writes },
};

/* Run this program again on the emulated device. */
static void run_emulated(char **argv)
{
    static char tool[4096], self[4096];
#if defined(__x86_64__)
    char doorbells[] = "--doorbells=sync";
#else
    char doorbells[] = "--doorbells=poll"; /* stores to doorbells cannot be trapped */
#endif
    char num_functions[] = "--devices=8", end[] = "--";
    char *words[32] = { tool, num_functions, doorbells, end, self };
    const char *name = strrchr(__FILE__, '/');
    int directory = name != NULL ? (int)(name - __FILE__) : 0;
    size_t i;

    snprintf(tool, sizeof(tool), "%.*s/../tools/mlx5sim/run", directory, __FILE__);
    bench_check(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0, "cannot read the link exe");
    for (i = 1; argv[i] != NULL && i < 27; i++)
        words[4 + i] = argv[i];
    setenv("BENCH_EMULATED", "1", 1);
    execv(tool, words);
    fprintf(stderr, "bench_mlx5sim: %s: %s\n", tool, strerror(errno));
    exit(1);
}

static void measure(void)
{
    size_t i;

    scale.memory = mmap(NULL, SCALE_ARENA, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bench_check(scale.memory != MAP_FAILED, "no address space");
    if (!bench.is_list)
        open_functions();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        scale_run(&rows[i]);
    if (!bench.is_list)
        close_functions();
}
#endif

int main(int argc, char **argv)
{
#if defined(BENCH_VERBS)
    if (getenv("BENCH_EMULATED") == NULL)
        run_emulated(argv);
    bench_begin("bench_mlx5sim", argc, argv);
    measure();
#else
    bench_begin("bench_mlx5sim", argc, argv);
    if (bench_wants("mlx5sim_qps"))
        bench_missing("mlx5sim_qps", "all sides", "libibverbs is not installed");
    if (bench_wants("mlx5sim_mrs"))
        bench_missing("mlx5sim_mrs", "all sides", "libibverbs is not installed");
#endif
    return bench_end();
}
