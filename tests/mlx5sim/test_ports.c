/*
 * Ports: the GID table and the paths that its entries give; the place of a port at the eswitch; VAR
 * pages. The tests know the addresses that the function gets on the command line.
 */
#include "kill_rig.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

enum { QKEY = 0x1234, GRH = 40, NUM_VARS = 64, PAGE = 4096 };

static const uint8_t mapped[16] = { [10] = 0xff, 0xff, 10, 0, 9, 1 };   /* ip=10.0.9.1 */

static bool is_ethernet(struct ibv_context *ctx)
{
    struct ibv_port_attr port;

    CHECK_EQ(ibv_query_port(ctx, 1, &port), 0);
    return port.link_layer == IBV_LINK_LAYER_ETHERNET;
}

/* ---- GID table ------------------------------------------------------------------------------ */

/* Read a GID from sysfs. */
static void gid_in_sysfs(unsigned index, uint8_t gid[16])
{
    char path[96];
    unsigned part;
    FILE *file;

    snprintf(path, sizeof(path), "/sys/class/infiniband/mlx5_0/ports/1/gids/%u", index);
    file = fopen(path, "r");
    CHECK(file);
    for (unsigned i = 0; i < 8; i++) {
        CHECK_EQ(fscanf(file, i ? ":%4x" : "%4x", &part), 1);
        gid[2 * i] = (uint8_t)(part >> 8);
        gid[2 * i + 1] = (uint8_t)part;
    }
    fclose(file);
}

static void the_table_has_the_addresses_of_the_port(void)
{
    struct rig rig = rig_open(0);
    bool ethernet = is_ethernet(rig.ctx);
    struct ibv_gid_entry entries[32];
    ssize_t num = ibv_query_gid_table(rig.ctx, entries, 32, 0);

    CHECK_EQ(num, ethernet ? 4 : 1);
    for (unsigned i = 0; i < num; i++) {
        uint8_t file[16];

        CHECK_EQ(entries[i].gid_index, i);
        CHECK_EQ(entries[i].port_num, 1);
        CHECK_EQ(entries[i].gid_type, !ethernet ? IBV_GID_TYPE_IB
                                     : i % 2 ? IBV_GID_TYPE_ROCE_V2 : IBV_GID_TYPE_ROCE_V1);
        CHECK_EQ(entries[i].ndev_ifindex, ethernet ? if_nametoindex("p0") : 0);
        gid_in_sysfs(i, file);
        CHECK(memcmp(entries[i].gid.raw, file, 16) == 0);
        if (i < 2)
            CHECK_EQ(be64toh(entries[i].gid.global.subnet_prefix), 0xfe80000000000000ull);
        else
            CHECK(memcmp(entries[i].gid.raw, mapped, 16) == 0);
    }
    rig_close(&rig);
}

static void an_empty_entry_has_no_data(void)
{
    struct rig rig = rig_open(0);
    struct ibv_port_attr port;
    struct ibv_gid_entry entry;
    uint8_t zero[16] = { 0 }, file[16];
    union ibv_gid gid;

    CHECK_EQ(ibv_query_port(rig.ctx, 1, &port), 0);
    CHECK(port.gid_tbl_len > 4);
    for (int i = is_ethernet(rig.ctx) ? 4 : 1; i < port.gid_tbl_len; i++) {
        CHECK_EQ(ibv_query_gid_ex(rig.ctx, 1, (uint32_t)i, &entry, 0), ENODATA);
        CHECK_EQ(ibv_query_gid(rig.ctx, 1, i, &gid), 0);
        CHECK(memcmp(gid.raw, zero, 16) == 0);
        gid_in_sysfs((unsigned)i, file);
        CHECK(memcmp(file, zero, 16) == 0);
    }
    rig_close(&rig);
}

static void wrong_queries_of_gids_are_refused(void)
{
    struct rig rig = rig_open(0);
    struct ibv_gid_entry entries[4];
    struct ibv_port_attr port;

    CHECK_EQ(ibv_query_port(rig.ctx, 1, &port), 0);
    CHECK_EQ(ibv_query_gid_ex(rig.ctx, 1, (uint32_t)port.gid_tbl_len, entries, 0), EINVAL);
    CHECK_EQ(ibv_query_gid_ex(rig.ctx, 2, 0, entries, 0), EINVAL);
    CHECK_EQ(ibv_query_gid_ex(rig.ctx, 1, 0, entries, 1), EINVAL);
    CHECK_EQ(ibv_query_gid_table(rig.ctx, entries, 4, 1), -EINVAL);
    CHECK_EQ(ibv_query_gid_table(rig.ctx, entries, is_ethernet(rig.ctx) ? 3 : 0, 0), -EINVAL);
    rig_close(&rig);
}

/* ---- paths ---------------------------------------------------------------------------------- */

static struct ibv_ah_attr path_to(struct rig *rig, uint8_t index)
{
    struct ibv_ah_attr attr = { .port_num = 1, .is_global = 1,
        .grh = { .sgid_index = index, .hop_limit = 9, .traffic_class = 0x20 } };

    CHECK_EQ(ibv_query_gid(rig->ctx, 1, index, &attr.grh.dgid), 0);
    return attr;
}

static struct ibv_qp *datagram(struct rig *rig)
{
    struct ibv_qp_init_attr init = { .send_cq = rig->cq, .recv_cq = rig->cq,
        .qp_type = IBV_QPT_UD,
        .cap = { .max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1 } };
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = QKEY };
    struct ibv_qp *qp = ibv_create_qp(rig->pd, &init);

    CHECK(qp);
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                           IBV_QP_QKEY), 0);
    attr.qp_state = IBV_QPS_RTR;
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
    attr.qp_state = IBV_QPS_RTS;
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
    return qp;
}

/* Send 100 bytes from a QP to itself and return the completion of the receive. The header and the
 * data arrive at `mem` + 4096. */
static struct ibv_wc send_to_self(struct rig *rig, struct ibv_mr *mr, uint8_t *mem,
                                  struct ibv_qp *qp, struct ibv_ah_attr *path)
{
    struct ibv_sge sge = { (uintptr_t)mem, 100, mr->lkey };
    struct ibv_ah *ah = ibv_create_ah(rig->pd, path);
    struct ibv_send_wr wr = { .wr_id = 7, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND,
        .send_flags = IBV_SEND_SIGNALED,
        .wr.ud = { .ah = ah, .remote_qpn = qp->qp_num, .remote_qkey = QKEY } };
    struct ibv_send_wr *bad;
    struct ibv_wc wc[2];

    CHECK(ah);
    rig_post_receive(qp, (struct rig_side){ mem + PAGE, GRH + 100, mr->lkey }, 1);
    CHECK_EQ(ibv_post_send(qp, &wr, &bad), 0);
    wc[0] = rig_poll(rig->cq);
    wc[1] = rig_poll(rig->cq);
    CHECK_EQ(ibv_destroy_ah(ah), 0);
    return wc[0].wr_id == 7 ? wc[1] : wc[0];
}

static uint32_t sum_of_ipv4(const uint8_t *ip)
{
    uint32_t sum = 0;

    for (unsigned i = 0; i < 20; i += 2)
        sum += (uint32_t)ip[i] << 8 | ip[i + 1];
    return (sum & 0xffff) + (sum >> 16);
}

/* The headers of the four GIDs: a GRH, an IPv6 header, a GRH, an IPv4 header at the end. libibverbs
 * makes the path of an answer from each. */
static void a_datagram_has_the_header_of_its_gid(void)
{
    struct rig rig = rig_open(0);
    struct ibv_qp *qp = datagram(&rig);
    uint8_t *mem = rig_memory(2 * PAGE), *header = mem + PAGE;
    struct ibv_mr *mr = ibv_reg_mr(rig.pd, mem, 2 * PAGE, IBV_ACCESS_LOCAL_WRITE);

    CHECK(mr);
    rig_fill(mem, 100, 3);
    for (uint8_t i = 0; i < 4; i++) {
        static const uint8_t kind_of_header[4] = { 0, 9, 0, 10 }; /* GRH, IPv6, GRH, IPv4 */
        struct ibv_ah_attr path = path_to(&rig, i), back;
        struct ibv_wc wc = send_to_self(&rig, mr, mem, qp, &path);

        CHECK_EQ(wc.status, IBV_WC_SUCCESS);
        CHECK_EQ(wc.byte_len, GRH + 100);
        CHECK_EQ(wc.wc_flags, IBV_WC_GRH);
        CHECK_EQ(wc.sl, kind_of_header[i]);
        CHECK(memcmp(header + GRH, mem, 100) == 0);
        if (i < 3) {
            CHECK_EQ(header[0] >> 4, 6);
            CHECK_EQ(header[6], i == 1 ? 17 : 0x1b);
            CHECK(memcmp(header + 8, path.grh.dgid.raw, 16) == 0);
            CHECK(memcmp(header + 24, path.grh.dgid.raw, 16) == 0);
        } else {
            CHECK_EQ(header[20], 0x45);
            CHECK_EQ(header[29], 17);
            CHECK_EQ(sum_of_ipv4(header + 20), 0xffff);
            CHECK_EQ(header[22] << 8 | header[23], 20 + 8 + 12 + 8 + 100 + 4);
            CHECK(memcmp(header + 32, mapped + 12, 4) == 0);
            CHECK(memcmp(header + 36, mapped + 12, 4) == 0);
        }
        CHECK_EQ(ibv_init_ah_from_wc(rig.ctx, 1, &wc, (struct ibv_grh *)(void *)header, &back), 0);
        CHECK(memcmp(back.grh.dgid.raw, path.grh.dgid.raw, 16) == 0);
        CHECK_EQ(back.grh.sgid_index, i);
    }
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    rig_close(&rig);
    free(mem);
}

static void a_path_needs_gids_that_exist(void)
{
    struct rig rig = rig_open(0);
    struct ibv_ah_attr path = path_to(&rig, 3);
    struct ibv_ah *ah;

    path.grh.dgid.raw[15] ^= 0x40;      /* no function has this address */
    errno = 0;
    CHECK(ibv_create_ah(rig.pd, &path) == NULL);
    CHECK_EQ(errno, EHOSTUNREACH);
    path = path_to(&rig, 3);
    path.grh.sgid_index = 4;            /* an empty entry */
    CHECK(ibv_create_ah(rig.pd, &path) == NULL);
    CHECK_EQ(errno, EINVAL);
    path = path_to(&rig, 3);
    ah = ibv_create_ah(rig.pd, &path);
    CHECK(ah);
    CHECK_EQ(ibv_destroy_ah(ah), 0);
    rig_close(&rig);
}

/* ---- eswitch -------------------------------------------------------------------------------- */

static void only_a_manager_has_a_place_at_the_eswitch(void)
{
    for (int i = 0; i < 2; i++) {
        struct rig rig = rig_open(i);
        struct mlx5dv_port info;
        uint64_t want = i == 0 && is_ethernet(rig.ctx)
            ? MLX5DV_QUERY_PORT_VPORT | MLX5DV_QUERY_PORT_ESW_OWNER_VHCA_ID : 0;

        memset(&info, 0x55, sizeof(info));
        CHECK_EQ(mlx5dv_query_port(rig.ctx, 1, &info), 0);
        CHECK_EQ(info.flags, want);
        if (want) {
            CHECK_EQ(info.vport, 0xffff);
            CHECK_EQ(info.esw_owner_vhca_id, 1);
        }
        CHECK_EQ(mlx5dv_query_port(rig.ctx, 2, &info), EINVAL);
        rig_close(&rig);
    }
}

/* ---- VAR ------------------------------------------------------------------------------------ */

static uint32_t *map_var(struct ibv_context *ctx, const struct mlx5dv_var *var)
{
    void *page = mmap(NULL, var->length, PROT_READ | PROT_WRITE, MAP_SHARED, ctx->cmd_fd,
                      var->mmap_off);

    return page == MAP_FAILED ? NULL : page;
}

static void a_var_is_a_page_of_its_owner(void)
{
    struct rig rig = rig_open(0), other = rig_open(0);
    struct mlx5dv_var *a = mlx5dv_alloc_var(rig.ctx, 0), *b = mlx5dv_alloc_var(rig.ctx, 0);
    struct mlx5dv_var gone;
    uint32_t *page;

    CHECK(a && b && a->length == PAGE);
    CHECK(a->page_id != b->page_id && a->mmap_off != b->mmap_off);
    page = map_var(rig.ctx, a);
    CHECK(page && page[0] == 0);
    page[0] = 0x1234;                   /* has no effect: there are no virtio queues */
    CHECK_EQ(munmap(page, PAGE), 0);
    CHECK(map_var(other.ctx, a) == NULL);
    CHECK_EQ(errno, EINVAL);
    gone = *a;
    gone.length = 2 * PAGE;
    CHECK(map_var(rig.ctx, &gone) == NULL);
    gone = *a;
    mlx5dv_free_var(a);
    CHECK(map_var(rig.ctx, &gone) == NULL);
    a = mlx5dv_alloc_var(rig.ctx, 0);
    CHECK(a && a->page_id == gone.page_id);
    page = map_var(rig.ctx, a);
    CHECK(page && page[0] == 0);
    CHECK_EQ(munmap(page, PAGE), 0);
    CHECK(mlx5dv_alloc_var(rig.ctx, 1) == NULL);
    CHECK_EQ(errno, EOPNOTSUPP);
    mlx5dv_free_var(a);
    mlx5dv_free_var(b);
    rig_close(&other);
    rig_close(&rig);
}

/* A page that a program has mapped is not given to another program, until the first one closes the
 * device. */
static void a_mapped_var_stays_with_its_owner(void)
{
    struct rig rig = rig_open(0), other = rig_open(0);
    struct mlx5dv_var *a = mlx5dv_alloc_var(rig.ctx, 0), *b = mlx5dv_alloc_var(rig.ctx, 0), *c;
    struct mlx5dv_var gone;
    uint32_t *page;

    CHECK(a && b);
    page = map_var(rig.ctx, a);
    CHECK(page);
    page[0] = 0x1234;
    gone = *a;
    mlx5dv_free_var(a);
    mlx5dv_free_var(b);                 /* was not mapped */
    c = mlx5dv_alloc_var(other.ctx, 0);
    CHECK(c && c->page_id != gone.page_id);
    CHECK(map_var(rig.ctx, &gone) == NULL && errno == EINVAL);
    CHECK(map_var(other.ctx, &gone) == NULL && errno == EINVAL);
    CHECK_EQ(page[0], 0x1234);
    CHECK_EQ(munmap(page, PAGE), 0);
    rig_close(&rig);
    b = mlx5dv_alloc_var(other.ctx, 0);
    CHECK(b && b->page_id == gone.page_id);
    mlx5dv_free_var(b);
    mlx5dv_free_var(c);
    rig_close(&other);
}

/* Allocate all VARs that are left. Return their number. */
static unsigned take_vars(struct ibv_context *ctx, struct mlx5dv_var *vars[NUM_VARS + 1])
{
    unsigned num = 0;

    while (num <= NUM_VARS && (vars[num] = mlx5dv_alloc_var(ctx, 0)) != NULL)
        num++;
    CHECK_EQ(errno, ENOSPC);
    return num;
}

static bool takes_all_vars(void)
{
    struct mlx5dv_var *vars[NUM_VARS + 1];
    struct rig rig = rig_open(0);

    return take_vars(rig.ctx, vars) == NUM_VARS;
}

static bool vars_are_free(void)
{
    struct mlx5dv_var *vars[NUM_VARS + 1];
    struct rig rig = rig_open(0);
    unsigned num = take_vars(rig.ctx, vars);

    for (unsigned i = 0; i < num; i++)
        mlx5dv_free_var(vars[i]);
    rig_close(&rig);
    return num == NUM_VARS;
}

static void vars_of_a_killed_program_are_free(void)
{
    kill_after(takes_all_vars);
    wait_until_free(vars_are_free);
}

/* The method of ibv_query_port_speed(), which libibverbs of Debian 12 does not have: speeds are in
 * units of 100 Mb/s. */
static int query_speed(struct ibv_context *ctx, uint64_t port, uint64_t *speed, unsigned bytes)
{
    struct { /* struct ib_uverbs_ioctl_hdr with room for attributes */
        uint16_t length, object_id, method_id, num_attrs;
        uint64_t reserved1;
        uint32_t driver_id, reserved2;
        struct ib_uverbs_attr attrs[2];
    } request = { .length = sizeof(request), .object_id = UVERBS_OBJECT_DEVICE, .method_id = 7,
                  .num_attrs = 2 };

    request.attrs[0] = (struct ib_uverbs_attr){ .attr_id = 0, .len = sizeof(port),
        .flags = UVERBS_ATTR_F_MANDATORY, .data = port };
    request.attrs[1] = (struct ib_uverbs_attr){ .attr_id = 1, .len = (uint16_t)bytes,
        .flags = UVERBS_ATTR_F_MANDATORY, .data = (uintptr_t)speed };
    return ioctl(ctx->cmd_fd, RDMA_VERBS_IOCTL, &request) == 0 ? 0 : errno;
}

static void speed_is_that_of_four_lanes_of_hdr(void)
{
    struct rig rig = rig_open(0);
    struct ibv_port_attr port;
    uint64_t speed = 0;

    CHECK_EQ(ibv_query_port(rig.ctx, 1, &port), 0);
    CHECK_EQ(port.active_width, 2);     /* four lanes */
    CHECK_EQ(port.active_speed, 64);    /* of 50 Gb/s */
    CHECK_EQ(query_speed(rig.ctx, 1, &speed, sizeof(speed)), 0);
    CHECK_EQ(speed, 2000);
    CHECK_EQ(query_speed(rig.ctx, 0, &speed, sizeof(speed)), EINVAL);
    CHECK_EQ(query_speed(rig.ctx, 2, &speed, sizeof(speed)), EINVAL);
    CHECK_EQ(query_speed(rig.ctx, 1 + (1ull << 32), &speed, sizeof(speed)), EINVAL);
    CHECK_EQ(query_speed(rig.ctx, 1, (uint64_t *)4096, sizeof(speed)), EFAULT);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(the_table_has_the_addresses_of_the_port),
    RIG_CASE(an_empty_entry_has_no_data),
    RIG_CASE(wrong_queries_of_gids_are_refused),
    RIG_CASE(only_a_manager_has_a_place_at_the_eswitch),
    RIG_CASE(a_var_is_a_page_of_its_owner),
    RIG_CASE(a_mapped_var_stays_with_its_owner),
    RIG_CASE(vars_of_a_killed_program_are_free),
    RIG_CASE(a_datagram_has_the_header_of_its_gid),
    RIG_CASE(a_path_needs_gids_that_exist),
    RIG_CASE(speed_is_that_of_four_lanes_of_hdr),
};

RIG_MAIN(cases)
