/* A program that has RDMA code and uses DOCA beside it, in one protection domain. The DMA engine
 * gathers three words into one line; a queue pair of the program then writes the line into memory
 * that the program registered with verbs, using DOCA's memory key for the line. Exit status 77:
 * there is no RDMA device.
 *
 *     gathered by DOCA, written by verbs: three words together
 */
#define DOCA_CORE_MLX5_IMPLEMENTATION
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core_mlx5.h"

#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char words[3][16] = { "three ", "words ", "together" };
static char line[64], remote[64];

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void must(bool is_so, const char *what)
{
    if (!is_so) {
        fprintf(stderr, "%s failed\n", what);
        exit(EXIT_FAILURE);
    }
}

static void gathered(struct doca_dma_task_memcpy *task, union doca_data task_data,
                     union doca_data ctx_data)
{
    (void)ctx_data;
    check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    *(bool *)task_data.ptr = true;
}

/* ---- the program's own RDMA: a queue pair that is connected to itself ---- */

/* Choose the first of 16 GIDs of the port that is made of an IPv4 address, otherwise GID 0. Return
 * its index. */
static int own_gid(struct ibv_context *context, const struct ibv_port_attr *port,
                   union ibv_gid *gid)
{
    int i;

    for (i = 0; i < port->gid_tbl_len && i < 16; i++)
        if (ibv_query_gid(context, 1, i, gid) == 0 && gid->global.subnet_prefix == 0 &&
            gid->raw[10] == 0xff && gid->raw[11] == 0xff)
            return i;
    must(ibv_query_gid(context, 1, 0, gid) == 0, "ibv_query_gid");
    return 0;
}

static struct ibv_qp *make_qp(struct ibv_pd *pd, struct ibv_cq *cq)
{
    struct ibv_qp_init_attr init = { .send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
                                     .cap = { .max_send_wr = 1, .max_send_sge = 1 } };
    struct ibv_qp *qp = ibv_create_qp(pd, &init);
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1,
                                .qp_access_flags = IBV_ACCESS_REMOTE_WRITE };
    struct ibv_port_attr port;

    must(qp != NULL && ibv_query_port(pd->context, 1, &port) == 0, "ibv_create_qp");
    must(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                                      IBV_QP_ACCESS_FLAGS) == 0, "to INIT");
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu = port.active_mtu;
    attr.dest_qp_num = qp->qp_num;
    attr.max_dest_rd_atomic = 1;
    attr.min_rnr_timer = 12;
    attr.ah_attr.port_num = 1;
    attr.ah_attr.dlid = port.lid;
    if (port.link_layer == IBV_LINK_LAYER_ETHERNET) {
        attr.ah_attr.is_global = 1;
        attr.ah_attr.grh.hop_limit = 1;
        attr.ah_attr.grh.sgid_index = (uint8_t)own_gid(pd->context, &port, &attr.ah_attr.grh.dgid);
    }
    must(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                                      IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
                                      IBV_QP_MIN_RNR_TIMER) == 0, "to RTR");
    attr.qp_state = IBV_QPS_RTS;
    attr.timeout = 14;
    attr.retry_cnt = attr.rnr_retry = 7;
    attr.max_rd_atomic = 1;
    must(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                      IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                                      IBV_QP_MAX_QP_RD_ATOMIC) == 0, "to RTS");
    return qp;
}

static void write_by_verbs(struct ibv_qp *qp, uint32_t lkey, uint32_t len, uint32_t rkey)
{
    struct ibv_sge sge = { (uintptr_t)line, len, lkey };
    struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE,
                              .send_flags = IBV_SEND_SIGNALED }, *bad;
    struct ibv_wc wc;

    wr.wr.rdma.remote_addr = (uintptr_t)remote;
    wr.wr.rdma.rkey = rkey;
    must(ibv_post_send(qp, &wr, &bad) == 0, "ibv_post_send");
    while (ibv_poll_cq(qp->send_cq, 1, &wc) == 0)
        continue;
    must(wc.status == IBV_WC_SUCCESS, "the write");
}

/* ---- DOCA, on a device that it makes of the program's protection domain ---- */

static struct doca_mmap *map_for(struct doca_dev *dev, void *addr, size_t len)
{
    struct doca_mmap *map;

    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, addr, len));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    return map;
}

/* Copy the words to the line, and return the memory key by which the device knows the line. */
static uint32_t gather_by_doca(struct doca_dev *dev, size_t *len)
{
    struct doca_mmap *from = map_for(dev, words, sizeof(words));
    struct doca_mmap *to = map_for(dev, line, sizeof(line));
    struct doca_buf *src = NULL, *word, *dst;
    struct doca_dma_task_memcpy *task;
    struct doca_buf_inventory *bufs;
    struct doca_dma *dma;
    struct doca_pe *pe;
    bool done = false;
    union doca_data data = { &done };
    uint32_t key, i;

    check(doca_buf_inventory_create(4, &bufs));
    check(doca_buf_inventory_start(bufs));
    for (i = 0; i < 3; i++) {
        check(doca_buf_inventory_buf_get_by_data(bufs, from, words[i], strlen(words[i]), &word));
        if (src == NULL)
            src = word;
        else
            check(doca_buf_chain_list(src, word));
    }
    check(doca_buf_inventory_buf_get_by_addr(bufs, to, line, sizeof(line), &dst));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, gathered, gathered, 1));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));
    check(doca_dma_task_memcpy_alloc_init(dma, src, dst, data, &task));
    check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (!done)
        (void)doca_pe_progress(pe);
    check(doca_buf_get_data_len(dst, len));
    check(doca_rdma_bridge_get_buf_mkey(dst, dev, &key)); /* valid as long as the mmap exists */
    return key;
}

int main(void)
{
    static struct ibv_device **list; /* the end of the process releases these */
    static struct ibv_context *context;
    static struct ibv_pd *pd;
    static struct ibv_cq *cq;
    static struct ibv_mr *mr;
    struct doca_dev *dev;
    uint32_t key;
    size_t len;

    list = ibv_get_device_list(NULL);
    context = list != NULL && list[0] != NULL ? ibv_open_device(list[0]) : NULL;
    if (context == NULL)
        return 77;
    pd = ibv_alloc_pd(context);
    cq = ibv_create_cq(context, 1, NULL, NULL, 0);
    must(pd != NULL && cq != NULL, "ibv_alloc_pd");
    mr = ibv_reg_mr(pd, remote, sizeof(remote), IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    must(mr != NULL, "ibv_reg_mr");

    check(doca_core_backend_register(doca_core_mlx5_backend(NULL)));
    check(doca_rdma_bridge_open_dev_from_pd(pd, &dev));
    key = gather_by_doca(dev, &len);
    write_by_verbs(make_qp(pd, cq), key, (uint32_t)len, mr->rkey);
    printf("gathered by DOCA, written by verbs: %s\n", remote);
    return EXIT_SUCCESS;
}
