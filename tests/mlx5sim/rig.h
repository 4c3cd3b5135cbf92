/* Helpers for tests of the emulated device: a context, connected RC queue pairs, posting and
 * polling through libibverbs, and access to fields of commands by their bit offset. The tests
 * contain the offsets as numbers, so that a mistake in the emulator's own table cannot go
 * unnoticed. */
#ifndef MLX5SIM_TEST_RIG_H
#define MLX5SIM_TEST_RIG_H

#include "../support/sys_call.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- cases ---------------------------------------------------------------------------------- */

struct rig_case {
    const char *name;
    void (*run)(void);
};

#define RIG_CASE(function) { #function, function }

static jmp_buf rig_leave;

__attribute__((format(printf, 3, 4), noreturn, unused)) static void
rig_fail(const char *file, int line, const char *format, ...)
{
    va_list args;

    printf("  %s:%d: ", file, line);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf(" (errno %d %s)\n", errno, strerror(errno));
    fflush(stdout);
    if (sys_call(SYS_gettid, 0, 0, 0, 0, 0, 0) != getpid())
        exit(1); /* another thread than that of the case */
    longjmp(rig_leave, 1);
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            rig_fail(__FILE__, __LINE__, "is false: %s", #condition);                              \
    } while (0)

#define CHECK_EQ(got, want)                                                                        \
    do {                                                                                           \
        long long got_ = (long long)(got), want_ = (long long)(want);                              \
        if (got_ != want_)                                                                         \
            rig_fail(__FILE__, __LINE__, "%s is %lld (%#llx), want %s = %lld", #got, got_,         \
                     (unsigned long long)got_, #want, want_);                                      \
    } while (0)

#define PEER_FAIL(file, line, ...) rig_fail(file, line, __VA_ARGS__)
#include "../support/peer.h"

static bool rig_run(const struct rig_case *test)
{
    if (setjmp(rig_leave) != 0) {
        peer_forget(0);
        printf("FAILED %s\n", test->name);
        return false;
    }
    test->run();
    peer_forget(0);
    return true;
}

/* Run all cases, or only the cases that the command line names. */
__attribute__((unused)) static int rig_main(int argc, char **argv, const struct rig_case *cases,
                                            size_t num)
{
    int failed = 0, passed = 0;

    for (size_t i = 0; i < num; i++) {
        bool named = argc < 2;

        for (int k = 1; k < argc; k++)
            named = named || strcmp(argv[k], cases[i].name) == 0;
        if (!named)
            continue;
        if (rig_run(&cases[i]))
            passed++;
        else
            failed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed || !passed ? 1 : 0;
}

#define RIG_MAIN(cases)                                                                            \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return rig_main(argc, argv, cases, sizeof(cases) / sizeof((cases)[0]));                    \
    }

/* ---- fields by bit offset ------------------------------------------------------------------- */

__attribute__((unused)) static void put(void *p, unsigned bit, unsigned width, uint64_t value)
{
    uint8_t *bytes = p;

    for (unsigned i = 0; i < width; i++) {
        unsigned at = bit + i;
        uint8_t mask = (uint8_t)(0x80 >> at % 8);

        bytes[at / 8] = (uint8_t)(value >> (width - 1 - i) & 1 ? bytes[at / 8] | mask
                                                               : bytes[at / 8] & ~mask);
    }
}

__attribute__((unused)) static uint64_t get(const void *p, unsigned bit, unsigned width)
{
    const uint8_t *bytes = p;
    uint64_t value = 0;

    for (unsigned i = 0; i < width; i++)
        value = value << 1 | (bytes[(bit + i) / 8] >> (7 - (bit + i) % 8) & 1);
    return value;
}

/* ---- context -------------------------------------------------------------------------------- */

enum { RIG_DEPTH = 64, RIG_ALL_ACCESS = 0xf };

struct rig {
    struct ibv_context *ctx;
    struct ibv_pd *pd;
    uint32_t pdn;
    struct ibv_cq *cq;
};

__attribute__((unused)) static uint32_t rig_pdn(struct ibv_pd *pd)
{
    struct mlx5dv_pd dv;
    struct mlx5dv_obj obj = { .pd = { .in = pd, .out = &dv } };

    CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD), 0);
    return dv.pdn;
}

__attribute__((unused)) static struct rig rig_open(int index)
{
    struct mlx5dv_context_attr attr = { .flags = MLX5DV_CONTEXT_FLAGS_DEVX };
    struct ibv_device **list;
    struct rig rig = { 0 };
    int num = 0;

    list = ibv_get_device_list(&num);
    CHECK(list && num > index);
    rig.ctx = mlx5dv_open_device(list[index], &attr);
    ibv_free_device_list(list);
    CHECK(rig.ctx);
    rig.pd = ibv_alloc_pd(rig.ctx);
    CHECK(rig.pd);
    rig.pdn = rig_pdn(rig.pd);
    rig.cq = ibv_create_cq(rig.ctx, 4 * RIG_DEPTH, NULL, NULL, 0);
    CHECK(rig.cq);
    return rig;
}

__attribute__((unused)) static void rig_close(struct rig *rig)
{
    CHECK_EQ(ibv_destroy_cq(rig->cq), 0);
    CHECK_EQ(ibv_dealloc_pd(rig->pd), 0);
    CHECK_EQ(ibv_close_device(rig->ctx), 0);
}

/* ---- queue pairs ---------------------------------------------------------------------------- */

struct rig_qp_options {
    unsigned access;            /* IBV_ACCESS_*; 0: all */
    bool no_access;
    bool memcpy;                /* the queue pair supports copies by the MMO engine */
    uint64_t mkey_ops;          /* MLX5DV_QP_EX_WITH_MR_LIST and so on */
    uint32_t create_flags;      /* more MLX5DV_QP_CREATE_ flags */
    struct ibv_srq *srq;
    uint8_t timeout, retry, rnr_retry;  /* for ibv_modify_qp(); see rig_send_ready() */
};

__attribute__((unused)) static struct ibv_qp *rig_qp(struct rig *rig,
                                                     const struct rig_qp_options *options)
{
    struct ibv_qp_init_attr_ex attr = {
        .send_cq = rig->cq, .recv_cq = rig->cq, .srq = options->srq, .pd = rig->pd,
        .cap = { .max_send_wr = RIG_DEPTH, .max_recv_wr = RIG_DEPTH, .max_send_sge = 4,
                 .max_recv_sge = 4, .max_inline_data = options->mkey_ops ? 512 : 64 },
        .qp_type = IBV_QPT_RC,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
        .send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_SEND
    };
    struct mlx5dv_qp_init_attr dv = {
        .comp_mask = MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS |
                     MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS,
        .create_flags = MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE | options->create_flags,
        .send_ops_flags = (options->memcpy ? MLX5DV_QP_EX_WITH_MEMCPY : 0) | options->mkey_ops
    };
    struct ibv_qp *qp = mlx5dv_create_qp(rig->ctx, &attr, &dv);

    CHECK(qp);
    return qp;
}

__attribute__((unused)) static void rig_init(struct ibv_qp *qp,
                                             const struct rig_qp_options *options)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1,
        .qp_access_flags = options->no_access ? 0
                         : options->access ? options->access : RIG_ALL_ACCESS };

    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                           IBV_QP_ACCESS_FLAGS), 0);
}

__attribute__((unused)) static void rig_receive_ready(struct ibv_qp *qp, uint32_t peer)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_4096,
        .dest_qp_num = peer, .max_dest_rd_atomic = 8, .min_rnr_timer = 1,
        .ah_attr = { .dlid = 1, .port_num = 1 } };
    struct ibv_port_attr port;

    CHECK_EQ(ibv_query_port(qp->context, 1, &port), 0);
    if (port.link_layer == IBV_LINK_LAYER_ETHERNET) {
        attr.ah_attr.is_global = 1;
        CHECK_EQ(ibv_query_gid(qp->context, 1, 0, &attr.ah_attr.grh.dgid), 0);
    }
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
                           IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
                           IBV_QP_MIN_RNR_TIMER), 0);
}

/* A timeout of 0 is replaced by 8 (1 ms), because the device would wait for ever with 0. */
__attribute__((unused)) static void rig_send_ready(struct ibv_qp *qp,
                                                   const struct rig_qp_options *options)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTS, .max_rd_atomic = 8,
        .timeout = options->timeout ? options->timeout : 8, .retry_cnt = options->retry,
        .rnr_retry = options->rnr_retry };

    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                           IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC), 0);
}

__attribute__((unused)) static void rig_connect(struct ibv_qp *qp, uint32_t peer,
                                                const struct rig_qp_options *options)
{
    rig_init(qp, options);
    rig_receive_ready(qp, peer);
    rig_send_ready(qp, options);
}

/* Create a QP that is connected to itself. */
__attribute__((unused)) static struct ibv_qp *rig_loop(struct rig *rig,
                                                       struct rig_qp_options options)
{
    struct ibv_qp *qp = rig_qp(rig, &options);

    rig_connect(qp, qp->qp_num, &options);
    return qp;
}

__attribute__((unused)) static enum ibv_qp_state rig_state(struct ibv_qp *qp)
{
    struct ibv_qp_init_attr init;
    struct ibv_qp_attr attr;

    CHECK_EQ(ibv_query_qp(qp, &attr, IBV_QP_STATE, &init), 0);
    return attr.qp_state;
}

/* ---- posting and polling -------------------------------------------------------------------- */

__attribute__((unused)) static double rig_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

enum { RIG_PATIENCE = 20 };     /* seconds until a test gives up waiting */

/* The CPU time of the device process. Tests compare it, because elapsed time also depends on what
 * else the machine does. */
__attribute__((unused)) static double rig_device_seconds(void)
{
    const char *machine = getenv("MLX5SIM_DIR");
    char path[256];
    struct timespec t;
    clockid_t clock;
    FILE *file;
    int pid;

    CHECK(machine);
    snprintf(path, sizeof(path), "%s/pid", machine);
    file = fopen(path, "r");
    CHECK(file && fscanf(file, "%d", &pid) == 1);
    fclose(file);
    CHECK_EQ(clock_getcpuclockid(pid, &clock), 0);
    CHECK_EQ(clock_gettime(clock, &t), 0);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Wait for the next completion of a CQ and return it. The case fails after RIG_PATIENCE seconds
 * without a completion. */
__attribute__((unused)) static struct ibv_wc rig_poll(struct ibv_cq *cq)
{
    double end = rig_seconds() + RIG_PATIENCE;
    struct ibv_wc wc;

    do {
        int n = ibv_poll_cq(cq, 1, &wc);

        CHECK(n >= 0);
        if (n == 1)
            return wc;
    } while (rig_seconds() < end);
    rig_fail(__FILE__, __LINE__, "no completion within %d seconds", RIG_PATIENCE);
}

/* True when nothing completes for `seconds`. */
__attribute__((unused)) static bool rig_silent(struct ibv_cq *cq, double seconds)
{
    double end = rig_seconds() + seconds;
    struct ibv_wc wc;

    do
        if (ibv_poll_cq(cq, 1, &wc))
            return false;
    while (rig_seconds() < end);
    return true;
}

struct rig_side {
    void *addr;
    uint32_t len;
    uint32_t key;
};

__attribute__((unused)) static void rig_post(struct ibv_qp *qp, enum ibv_wr_opcode opcode,
                                             struct rig_side local, uint64_t remote,
                                             uint32_t rkey, unsigned flags)
{
    struct ibv_sge sge = { (uintptr_t)local.addr, local.len, local.key };
    struct ibv_send_wr wr = { .wr_id = 1, .sg_list = &sge, .num_sge = local.len ? 1 : 0,
        .opcode = opcode, .send_flags = flags };
    struct ibv_send_wr *bad;

    if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD || opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
        wr.wr.atomic.remote_addr = remote;
        wr.wr.atomic.rkey = rkey;
        wr.wr.atomic.compare_add = 5;
        wr.wr.atomic.swap = 77;
    } else {
        wr.wr.rdma.remote_addr = remote;
        wr.wr.rdma.rkey = rkey;
    }
    CHECK_EQ(ibv_post_send(qp, &wr, &bad), 0);
}

/* Post one request, wait for it, and return its status. */
__attribute__((unused)) static enum ibv_wc_status rig_do(struct rig *rig, struct ibv_qp *qp,
                                                         enum ibv_wr_opcode opcode,
                                                         struct rig_side local, uint64_t remote,
                                                         uint32_t rkey)
{
    rig_post(qp, opcode, local, remote, rkey, IBV_SEND_SIGNALED);
    return rig_poll(rig->cq).status;
}

__attribute__((unused)) static void rig_post_receive(struct ibv_qp *qp, struct rig_side local,
                                                     uint64_t id)
{
    struct ibv_sge sge = { (uintptr_t)local.addr, local.len, local.key };
    struct ibv_recv_wr wr = { .wr_id = id, .sg_list = &sge, .num_sge = local.len ? 1 : 0 };
    struct ibv_recv_wr *bad;

    CHECK_EQ(ibv_post_recv(qp, &wr, &bad), 0);
}

__attribute__((unused)) static enum ibv_wc_status
rig_memcpy(struct rig *rig, struct ibv_qp *qp, uint32_t to_key, uint64_t to, uint32_t from_key,
           uint64_t from, size_t len)
{
    struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(qp);

    ibv_wr_start(ex);
    ex->wr_id = 2;
    ex->wr_flags = IBV_SEND_SIGNALED;
    mlx5dv_wr_memcpy(mlx5dv_qp_ex_from_ibv_qp_ex(ex), to_key, to, from_key, from, len);
    CHECK_EQ(ibv_wr_complete(ex), 0);
    return rig_poll(rig->cq).status;
}

/* ---- memory --------------------------------------------------------------------------------- */

__attribute__((unused)) static void *rig_memory(size_t len)
{
    void *p = NULL;

    CHECK_EQ(posix_memalign(&p, 4096, len), 0);
    memset(p, 0, len);
    return p;
}

__attribute__((unused)) static void rig_fill(void *p, size_t len, unsigned seed)
{
    uint8_t *bytes = p;

    for (size_t i = 0; i < len; i++)
        bytes[i] = (uint8_t)((i * 31 + i / 251 + seed) & 0xff);
}

/* Arguments of rig_mkey(), which sends CREATE_MKEY. */
struct rig_mkey_options {
    unsigned mode;              /* 1 MTT over a umem, 2 KLM, 3 KSM */
    unsigned rights;            /* permissions; from bit 4 down: a rw rr lw lr */
    unsigned log_entity;        /* log2 of the page or entry size; mode 1: 0 stands for 12 */
    uint64_t addr, len;
    uint32_t umem;
    const void *list;           /* translations of 16 bytes each */
    unsigned num;               /* number of translations in `list` */
    uint64_t umem_offset;
    unsigned relaxed_write, relaxed_read;
    unsigned is_short;          /* announce one translation less than the memory needs */
};

__attribute__((unused)) static struct mlx5dv_devx_obj *
rig_mkey(struct rig *rig, const struct rig_mkey_options *o, uint32_t *key)
{
    static uint8_t in[0x110 + 16 * 256];
    uint8_t out[16] = { 0 };
    size_t in_len = 0x110 + 16 * ((o->num + 3) / 4 * 4);
    /* a key over a umem has pages of 4 KiB, and an octword contains the addresses of two pages */
    unsigned log = o->mode == 1 && !o->log_entity ? 12 : o->log_entity;
    uint64_t octwords = o->mode == 1 ? (((o->addr & 4095) + o->len + 4095) / 4096 + 1) / 2 : o->num;
    struct mlx5dv_devx_obj *obj;

    CHECK(o->num <= 256);
    memset(in, 0, sizeof(in));
    put(in, 0, 16, 0x200);
    put(in, 0x80 + 0x0d, 1, o->relaxed_write);
    put(in, 0x80 + 0x11, 5, o->rights);
    put(in, 0x80 + 0x16, 2, o->mode);
    put(in, 0x80 + 0x20, 24, 0xffffff);
    put(in, 0x80 + 0x38, 8, 0x42);
    put(in, 0x80 + 0x68, 24, rig->pdn);
    put(in, 0x80 + 0x80, 64, o->addr);
    put(in, 0x80 + 0xc0, 64, o->len);
    put(in, 0x80 + 0x1a0, 32, o->is_short ? octwords - 1 : octwords);
    put(in, 0x80 + 0x1d9, 1, o->relaxed_read);
    put(in, 0x80 + 0x1db, 5, log);
    put(in, 0x300, 32, octwords);
    put(in, 0x320, 32, o->umem);
    put(in, 0x340, 64, o->umem_offset);
    if (o->num)
        memcpy(in + 0x110, o->list, o->num * 16);
    obj = mlx5dv_devx_obj_create(rig->ctx, in, in_len, out, sizeof(out));
    *key = (uint32_t)get(out, 0x48, 24) << 8 | 0x42;
    return obj;
}

__attribute__((unused)) static void rig_entry(uint8_t *entry, uint32_t bytes, uint32_t key,
                                              void *addr)
{
    put(entry, 0, 32, bytes);
    put(entry, 32, 32, key);
    put(entry, 64, 64, (uintptr_t)addr);
}

#endif
