/* A program that uses verbs as well as DOCA. Two connected queue pairs of the program access DOCA
 * buffers by their memory keys. They belong either to the PD of a DOCA device, or to a PD of the
 * program from which the DOCA device was opened. */
#include "mlx5_rig.h"

#include <infiniband/verbs.h>

enum { LEN = 9000, PORT = 1 };

#define LOCAL DOCA_ACCESS_FLAG_LOCAL_READ_WRITE
#define READ DOCA_ACCESS_FLAG_RDMA_READ
#define WRITE DOCA_ACCESS_FLAG_RDMA_WRITE
#define ATOMIC DOCA_ACCESS_FLAG_RDMA_ATOMIC

static _Alignas(8) unsigned char theirs[LEN], mine[LEN];

struct verbs { /* the program's verbs objects; qps[0] posts requests, and qps[1] answers them */
    struct ibv_pd *pd;
    struct ibv_cq *cq;
    struct ibv_qp *qps[2];
    struct ibv_mr *mr; /* registration of `mine` */
};

/* ---- the program's RDMA ---- */

static struct ibv_ah_attr path_to_self(struct ibv_context *context)
{
    struct ibv_ah_attr path;
    struct ibv_port_attr port;
    int i;

    memset(&path, 0, sizeof(path));
    CHECK_EQ(ibv_query_port(context, PORT, &port), 0);
    path.dlid = port.lid;
    path.port_num = PORT;
    if (port.link_layer != IBV_LINK_LAYER_ETHERNET)
        return path;
    path.is_global = 1;
    path.grh.hop_limit = 1;
    for (i = 0; i < port.gid_tbl_len && i < 16; i++) { /* prefer a GID with an IPv4 address */
        CHECK_EQ(ibv_query_gid(context, PORT, i, &path.grh.dgid), 0);
        path.grh.sgid_index = (uint8_t)i;
        if (path.grh.dgid.raw[10] == 0xff && path.grh.dgid.raw[11] == 0xff)
            return path;
    }
    CHECK_EQ(ibv_query_gid(context, PORT, 0, &path.grh.dgid), 0);
    path.grh.sgid_index = 0;
    return path;
}

static void connect_pair(struct verbs *v)
{
    const unsigned all = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE |
                         IBV_ACCESS_REMOTE_ATOMIC;
    struct ibv_qp_attr attr;
    unsigned i;

    for (i = 0; i < 2; i++) {
        memset(&attr, 0, sizeof(attr));
        attr.qp_state = IBV_QPS_INIT;
        attr.port_num = PORT;
        attr.qp_access_flags = i == 0 ? 0 : all;
        CHECK_EQ(ibv_modify_qp(v->qps[i], &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                                                   IBV_QP_ACCESS_FLAGS), 0);
        attr.qp_state = IBV_QPS_RTR;
        attr.path_mtu = IBV_MTU_1024;
        attr.dest_qp_num = v->qps[1 - i]->qp_num;
        attr.max_dest_rd_atomic = 1;
        attr.min_rnr_timer = 12;
        attr.ah_attr = path_to_self(v->pd->context);
        CHECK_EQ(ibv_modify_qp(v->qps[i], &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
                                                   IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                                                   IBV_QP_MAX_DEST_RD_ATOMIC |
                                                   IBV_QP_MIN_RNR_TIMER), 0);
        attr.qp_state = IBV_QPS_RTS;
        attr.timeout = 14;
        attr.retry_cnt = 7;
        attr.rnr_retry = 7;
        attr.max_rd_atomic = 1;
        CHECK_EQ(ibv_modify_qp(v->qps[i], &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                                   IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                                                   IBV_QP_MAX_QP_RD_ATOMIC), 0);
    }
}

static void make_pair(struct verbs *v)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    struct ibv_qp_init_attr init;
    unsigned i;

    v->cq = ibv_create_cq(v->pd->context, 16, NULL, NULL, 0);
    CHECK(v->cq != NULL);
    memset(&init, 0, sizeof(init));
    init.send_cq = init.recv_cq = v->cq;
    init.cap.max_send_wr = init.cap.max_recv_wr = 8;
    init.cap.max_send_sge = init.cap.max_recv_sge = 1;
    init.qp_type = IBV_QPT_RC;
    for (i = 0; i < 2; i++) {
        v->qps[i] = ibv_create_qp(v->pd, &init);
        CHECK(v->qps[i] != NULL);
    }
    connect_pair(v);
    v->mr = ibv_reg_mr(v->pd, mine, LEN, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                                             IBV_ACCESS_REMOTE_READ);
    CHECK(v->mr != NULL);
    heap_trap_set(mode);
}

static void destroy_pair(struct verbs *v)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);

    CHECK_EQ(ibv_dereg_mr(v->mr), 0);
    CHECK_EQ(ibv_destroy_qp(v->qps[0]) | ibv_destroy_qp(v->qps[1]), 0);
    CHECK_EQ(ibv_destroy_cq(v->cq), 0);
    heap_trap_set(mode);
}

/* Post one request and wait for its completion. An error breaks the queue pairs, so connect them
 * again after it. */
static enum ibv_wc_status rdma(struct verbs *v, enum ibv_wr_opcode opcode, const void *local,
                               uint32_t lkey, uint32_t len, const void *remote, uint32_t rkey)
{
    struct ibv_sge sge = { (uintptr_t)local, len, lkey };
    struct timespec begin, now;
    struct ibv_send_wr wr, *bad;
    struct ibv_qp_attr attr;
    struct ibv_wc wc;
    int num;

    memset(&wr, 0, sizeof(wr));
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = opcode;
    wr.send_flags = IBV_SEND_SIGNALED;
    if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
        wr.wr.atomic.remote_addr = (uintptr_t)remote;
        wr.wr.atomic.rkey = rkey;
        wr.wr.atomic.compare_add = 5;
    } else {
        wr.wr.rdma.remote_addr = (uintptr_t)remote;
        wr.wr.rdma.rkey = rkey;
    }
    CHECK_EQ(ibv_post_send(v->qps[0], &wr, &bad), 0);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        num = ibv_poll_cq(v->cq, 1, &wc);
        CHECK(num >= 0);
        clock_gettime(CLOCK_MONOTONIC, &now);
        CHECK(now.tv_sec - begin.tv_sec < 20);
    } while (num == 0);
    if (wc.status != IBV_WC_SUCCESS) {
        memset(&attr, 0, sizeof(attr));
        attr.qp_state = IBV_QPS_RESET;
        CHECK_EQ(ibv_modify_qp(v->qps[0], &attr, IBV_QP_STATE), 0);
        CHECK_EQ(ibv_modify_qp(v->qps[1], &attr, IBV_QP_STATE), 0);
        connect_pair(v);
    }
    return wc.status;
}

/* ---- DOCA's side ---- */

static uint32_t key_of(struct rig *r, struct doca_mmap *map, unsigned char *at)
{
    struct doca_buf *buf = share_src(r, map, at, 8);
    uint32_t key = 0;

    CHECK_OK(doca_rdma_bridge_get_buf_mkey(buf, r->dev, &key));
    CHECK(key != 0);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    return key;
}

/* Check that the key of an mmap gives a peer exactly the permissions of the mmap. */
static void check_rights(struct rig *r, struct verbs *v, uint32_t access)
{
    struct doca_mmap *map = share_map(r->dev, theirs, LEN, access);
    uint32_t key = key_of(r, map, theirs);
    uint64_t value = 7, before;

    share_fill(theirs, LEN, 1);
    share_fill(mine, LEN, 2);
    memcpy(theirs, &value, 8);
    if ((access & READ) != 0) {
        CHECK_EQ(rdma(v, IBV_WR_RDMA_READ, mine, v->mr->lkey, LEN, theirs, key), IBV_WC_SUCCESS);
        CHECK_MEM(mine, theirs, LEN);
    } else {
        CHECK_EQ(rdma(v, IBV_WR_RDMA_READ, mine, v->mr->lkey, 8, theirs, key),
                 IBV_WC_REM_ACCESS_ERR);
    }
    if ((access & ATOMIC) != 0) {
        CHECK_EQ(rdma(v, IBV_WR_ATOMIC_FETCH_AND_ADD, mine, v->mr->lkey, 8, theirs, key),
                 IBV_WC_SUCCESS);
        memcpy(&before, mine, 8);
        memcpy(&value, theirs, 8);
        CHECK(before == 7 && value == 12);
    } else {
        CHECK_EQ(rdma(v, IBV_WR_ATOMIC_FETCH_AND_ADD, mine, v->mr->lkey, 8, theirs, key),
                 IBV_WC_REM_ACCESS_ERR);
        memcpy(&value, theirs, 8);
        CHECK_EQ(value, 7);
    }
    share_fill(mine, LEN, 3);
    if ((access & WRITE) != 0) {
        CHECK_EQ(rdma(v, IBV_WR_RDMA_WRITE, mine, v->mr->lkey, LEN, theirs, key), IBV_WC_SUCCESS);
        CHECK_MEM(theirs, mine, LEN);
    } else {
        CHECK_EQ(rdma(v, IBV_WR_RDMA_WRITE, mine + 100, v->mr->lkey, 8, theirs + 100, key),
                 IBV_WC_REM_ACCESS_ERR);
        CHECK(memcmp(theirs + 100, mine + 100, 8) != 0);
    }
    CHECK_OK(doca_mmap_stop(map));
    CHECK_EQ(rdma(v, IBV_WR_RDMA_WRITE, mine, v->mr->lkey, 8, theirs, key),
             IBV_WC_REM_ACCESS_ERR); /* the stop deregistered the key */
    CHECK_OK(doca_mmap_destroy(map));
}

/* A DOCA task writes to memory from which the queue pair then sends, with the key of the mmap. The
 * queue pair receives into the same memory, and a DOCA task copies the received bytes. */
static void check_chain(struct rig *r, struct verbs *v)
{
    struct doca_mmap *map = share_map(r->dev, theirs, LEN, LOCAL | WRITE);
    uint32_t key = key_of(r, map, theirs);

    memset(theirs, 0, LEN);
    memset(mine, 0, LEN);
    CHECK_OK(mlx5_copy(r, rig_src(r, 11, LEN), share_dst(r, map, theirs, LEN)));
    CHECK_EQ(rdma(v, IBV_WR_RDMA_WRITE, theirs, key, LEN, mine, v->mr->rkey), IBV_WC_SUCCESS);
    CHECK_MEM(mine, rig_from + 11, LEN);
    share_fill(mine, LEN, 5);
    CHECK_EQ(rdma(v, IBV_WR_RDMA_READ, theirs, key, LEN, mine, v->mr->rkey), IBV_WC_SUCCESS);
    CHECK_OK(mlx5_copy(r, share_src(r, map, theirs, LEN), rig_dst(r, 0, LEN)));
    CHECK_MEM(rig_to, mine, LEN);
    CHECK_OK(doca_mmap_destroy(map));
}

/* A queue pair of the program can access memory on the device, at the addresses of its buffers, as
 * the local side of a request. A remote peer cannot access this memory. */
static void check_device_memory(struct rig *r, struct verbs *v)
{
    struct doca_mmap *map;
    uint32_t key;
    void *addr;
    size_t len;

    if (doca_core_mmap_create_on_dev(r->dev, 4096, &map) != DOCA_SUCCESS)
        return;
    CHECK_OK(doca_mmap_get_memrange(map, &addr, &len));
    key = key_of(r, map, addr);
    CHECK_OK(doca_core_mmap_write(map, 0, rig_from, 4096));
    CHECK_EQ(rdma(v, IBV_WR_RDMA_WRITE, addr, key, 4096, mine, v->mr->rkey), IBV_WC_SUCCESS);
    CHECK_MEM(mine, rig_from, 4096);
    CHECK_EQ(rdma(v, IBV_WR_RDMA_WRITE, mine, v->mr->lkey, 8, addr, key), IBV_WC_REM_ACCESS_ERR);
    CHECK_OK(doca_mmap_destroy(map));
}

static void check_all(struct rig *r, struct ibv_pd *pd)
{
    static const uint32_t all[] = { LOCAL, READ, WRITE, READ | WRITE, LOCAL | READ, LOCAL | ATOMIC,
                                    LOCAL | READ | WRITE | ATOMIC };
    struct verbs v;
    unsigned i;

    memset(&v, 0, sizeof(v));
    v.pd = pd;
    make_pair(&v);
    for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        check_rights(r, &v, all[i]);
    check_chain(r, &v);
    check_device_memory(r, &v);
    destroy_pair(&v);
}

static bool show(enum doca_core_mlx5_engine engine)
{
    (void)mlx5_show(engine, mlx5_trap_sys());
    return mlx5_limits(0).has_dma;
}

static void program_uses_keys_in_the_pd_of_a_device(void)
{
    struct ibv_pd *pd;
    struct rig r;
    size_t i;

    for (i = 0; i < MLX5_NUM_ENGINES; i++) {
        if (!show(mlx5_engines[i]))
            continue;
        mlx5_rig_open(&r, mlx5_open(0), 4);
        CHECK_OK(doca_rdma_bridge_get_dev_pd(r.dev, &pd));
        check_all(&r, pd);
        rig_close(&r);
    }
}

/* Open the first device with verbs, as a program does, and return a PD of it. */
static struct ibv_pd *open_own_pd(void)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    struct ibv_device **list = ibv_get_device_list(NULL);
    struct ibv_context *context;
    struct ibv_pd *pd;

    CHECK(list != NULL && list[0] != NULL);
    context = ibv_open_device(list[0]);
    CHECK(context != NULL);
    pd = ibv_alloc_pd(context);
    CHECK(pd != NULL);
    ibv_free_device_list(list);
    heap_trap_set(mode);
    return pd;
}

static void close_own_pd(struct ibv_pd *pd)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    struct ibv_context *context = pd->context;

    CHECK_EQ(ibv_dealloc_pd(pd), 0); /* fails with EBUSY if DOCA left an object in the PD */
    CHECK_EQ(ibv_close_device(context), 0);
    heap_trap_set(mode);
}

static void program_uses_keys_in_its_own_pd(void)
{
    struct doca_mmap *map;
    struct doca_dev *dev;
    struct ibv_pd *pd, *same;
    const void *desc;
    struct rig r;
    size_t i, len;

    for (i = 0; i < MLX5_NUM_ENGINES; i++) {
        if (!show(mlx5_engines[i]))
            continue;
        pd = open_own_pd();
        CHECK_OK(doca_rdma_bridge_open_dev_from_pd(pd, &dev));
        CHECK_OK(doca_rdma_bridge_get_dev_pd(dev, &same));
        CHECK_PTR(same, pd);
        mlx5_rig_open(&r, dev, 4);
        check_all(&r, pd);
        /* a device that was opened from a PD does not export: an importer could not name it */
        map = share_map(dev, theirs, LEN, SHARE_PCI | SHARE_RDMA);
        CHECK_RC(doca_mmap_export_pci(map, dev, &desc, &len), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_RC(doca_mmap_export_rdma(map, dev, &desc, &len), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_OK(doca_mmap_destroy(map));
        rig_close(&r);
        close_own_pd(pd);
    }
}

/* A key belongs to one PD and is invalid in the other. */
static void key_is_invalid_in_another_pd(void)
{
    enum ibv_wc_status status;
    struct doca_mmap *map;
    struct doca_dev *dev;
    struct verbs v;
    struct rig r;
    uint32_t key;

    if (!show(DOCA_CORE_MLX5_ENGINE_AUTO))
        test_skip("the first device has no engine that copies");
    memset(&v, 0, sizeof(v));
    v.pd = open_own_pd();
    mlx5_rig_open(&r, mlx5_open(0), 4);
    CHECK_OK(doca_rdma_bridge_open_dev_from_pd(v.pd, &dev));
    make_pair(&v);
    map = share_map(r.dev, theirs, LEN, SHARE_RDMA);
    key = key_of(&r, map, theirs);
    CHECK_EQ(rdma(&v, IBV_WR_RDMA_WRITE, mine, v.mr->lkey, 8, theirs, key), IBV_WC_REM_ACCESS_ERR);
    status = rdma(&v, IBV_WR_RDMA_WRITE, theirs, key, 8, mine, v.mr->rkey);
    /* soft-RoCE reports the second status, other devices the first */
    CHECK(status == IBV_WC_LOC_PROT_ERR || status == IBV_WC_LOC_QP_OP_ERR);
    CHECK_OK(doca_mmap_stop(map));
    CHECK_OK(doca_mmap_add_dev(map, dev));
    CHECK_OK(doca_mmap_start(map));
    CHECK_EQ(rdma(&v, IBV_WR_RDMA_WRITE, mine, v.mr->lkey, 8, theirs, OBJECT(map)->devs[1].mkey),
             IBV_WC_SUCCESS);
    CHECK_OK(doca_mmap_destroy(map));
    destroy_pair(&v);
    CHECK_OK(doca_dev_close(dev));
    rig_close(&r);
    close_own_pd(v.pd);
}

static const struct test_case cases[] = {
    CASE(program_uses_keys_in_the_pd_of_a_device, ""),
    CASE(program_uses_keys_in_its_own_pd, ""),
    CASE(key_is_invalid_in_another_pd, ""),
};

TEST_MAIN(cases)
