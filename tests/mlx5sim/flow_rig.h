/*
 * Helpers for tests of flow tables: commands, and frames that pass from a raw packet QP to an RQ.
 * The offsets are those of public definitions.
 */
#ifndef MLX5SIM_TEST_FLOW_RIG_H
#define MLX5SIM_TEST_FLOW_RIG_H

#include "packet_rig.h"

enum { OK = 0, BAD_OP = 2, BAD_PARAM = 3, BAD_RESOURCE = 5, BAD_RES_STATE = 9, NO_RESOURCES = 0xf,
       BAD_INPUT_LEN = 0x50, BAD_OUTPUT_LEN = 0x51 };
enum { RX = 0, TX = 1, RDMA_RX = 7, RDMA_TX = 8 };      /* types of tables */
enum { OUTER = 1, MISC = 2, INNER = 4, MISC2 = 8 };     /* criteria */
enum { DEST_TABLE = 1, DEST_TIR = 2 };
enum { ALLOW = 1, DROP = 2, FORWARD = 4, COUNT = 8, REFORMAT = 0x10, DECAP = 0x20, MODIFY = 0x40,
       POP = 0x80, PUSH = 0x100, POP_2 = 0x400, PUSH_2 = 0x800 };       /* actions of an entry */
enum { UDP_SPORT = 0xe0, UDP_DPORT = 0xf0, MATCH = 0x200 };     /* bits of the match; its bytes */
enum { RECEIVE_AT = 1 << 14, ROOM = 2048, RECEIVES = 8 };

/* ---- commands ------------------------------------------------------------------------------- */

struct made {
    struct mlx5dv_devx_obj *obj;
    uint32_t number;
    int status;                 /* of the command; -1: the kernel refuses it */
};

__attribute__((unused)) static int command_status(int err, const uint8_t *out)
{
    return err == 0 ? OK : (err == EREMOTEIO || errno == EREMOTEIO) && out[0] ? out[0] : -1;
}

/* Send a create command. The number of the object is at `bit` of the output. */
__attribute__((unused)) static struct made make(struct ibv_context *ctx, uint8_t *in, size_t len,
                                                unsigned opcode, unsigned bit)
{
    uint8_t out[16] = { 0 };
    struct made made;

    put(in, 0, 16, opcode);
    errno = 0;
    made.obj = mlx5dv_devx_obj_create(ctx, in, len, out, sizeof(out));
    made.status = command_status(made.obj ? 0 : errno, out);
    made.number = (uint32_t)get(out, bit, bit == 0x48 ? 24 : 32);
    CHECK_EQ(made.obj != NULL, made.status == OK);
    return made;
}

__attribute__((unused)) static void unmake(const struct made *made)
{
    CHECK_EQ(mlx5dv_devx_obj_destroy(made->obj), 0);
}

struct table {
    struct made made;
    unsigned type;
};

enum { REFORMATS = 1 << 1, DECAPS = 1 << 0 };   /* flags of a table */

__attribute__((unused)) static struct table table_of_size(struct ibv_context *ctx, unsigned type,
                                                          unsigned level, unsigned flags,
                                                          const struct table *miss,
                                                          unsigned log_size)
{
    struct table table = { .type = type };
    uint8_t in[0x40] = { 0 };

    put(in, 0x80, 8, type);
    put(in, 0xc0, 2, flags);
    put(in, 0xc0 + 0x08, 8, level);
    put(in, 0xc0 + 0x18, 8, log_size);
    if (miss) {
        put(in, 0xc0 + 0x04, 4, 1);
        put(in, 0xc0 + 0x28, 24, miss->made.number);
    }
    table.made = make(ctx, in, sizeof(in), 0x930, 0x48);
    return table;
}

/* A table with 16 indices. */
__attribute__((unused)) static struct table table_of(struct ibv_context *ctx, unsigned type,
                                                     unsigned level, unsigned flags,
                                                     const struct table *miss)
{
    return table_of_size(ctx, type, level, flags, miss, 4);
}

/* Fill in a command for a group whose mask is one field of 16 bits, or for width 0 nothing. */
__attribute__((unused)) static void fill_group(uint8_t in[0x400], const struct table *table,
                                               unsigned first, unsigned last, unsigned bit,
                                               unsigned width)
{
    memset(in, 0, 0x400);
    put(in, 0x80, 8, table->type);
    put(in, 0xa8, 24, table->made.number);
    put(in, 0xe0, 32, first);
    put(in, 0x120, 32, last);
    put(in, 0x1f8, 8, 1u << bit / 0x200);
    put(in, 0x200 + bit, width, UINT64_MAX);
}

__attribute__((unused)) static struct made group_of(struct ibv_context *ctx,
                                                    const struct table *table, unsigned first,
                                                    unsigned last, unsigned bit, unsigned width)
{
    uint8_t in[0x400];

    fill_group(in, table, first, last, bit, width);
    return make(ctx, in, sizeof(in), 0x933, 0x48);
}

/* A command for an entry. */
struct entry {
    uint8_t in[0x340 + 8 * 16];
    unsigned num;               /* destinations and counters */
};

enum { CONTEXT = 0x200, VALUE = CONTEXT + 0x200, LIST = CONTEXT + 0x1800 };

__attribute__((unused)) static struct entry entry_of(const struct table *table,
                                                     const struct made *group, unsigned index,
                                                     unsigned action)
{
    struct entry entry = { .num = 0 };

    put(entry.in, 0x80, 8, table->type);
    put(entry.in, 0xa8, 24, table->made.number);
    put(entry.in, 0x100, 32, index);
    put(entry.in, CONTEXT + 0x20, 32, group->number);
    put(entry.in, CONTEXT + 0x70, 16, action);
    return entry;
}

__attribute__((unused)) static void entry_to(struct entry *entry, unsigned type, uint32_t number)
{
    put(entry->in, CONTEXT + 0x88, 24, entry->num + 1);
    put(entry->in, LIST + entry->num * 64, 8, type);
    put(entry->in, LIST + entry->num * 64 + 8, 24, number);
    entry->num++;
}

/* The counter must be the last one in the list. */
__attribute__((unused)) static void entry_counts(struct entry *entry, uint32_t counter)
{
    put(entry->in, CONTEXT + 0xa8, 24, 1);
    put(entry->in, LIST + entry->num * 64, 32, counter);
    entry->num++;
}

__attribute__((unused)) static struct made entry_make(struct ibv_context *ctx, struct entry *entry)
{
    return make(ctx, entry->in, 0x340 + 8 * entry->num, 0x936, 0x20);
}

/* ---- frames --------------------------------------------------------------------------------- */

struct flow_rig {
    struct raw raw;             /* its QP sends the frames */
    struct ibv_cq *cq;          /* of the RQ */
    struct ibv_wq *rq;
    unsigned polled;            /* CQEs that were polled from `cq` */
    struct made tir;
};

__attribute__((unused)) static void flow_receive(struct flow_rig *rig, unsigned slot)
{
    struct ibv_sge sge = { (uintptr_t)rig->raw.mem + RECEIVE_AT + slot * ROOM, ROOM,
                           rig->raw.mr->lkey };
    struct ibv_recv_wr wr = { .wr_id = slot, .sg_list = &sge, .num_sge = 1 }, *bad;

    CHECK_EQ(ibv_post_wq_recv(rig->rq, &wr, &bad), 0);
}

__attribute__((unused)) static struct made tir_of(struct ibv_context *ctx, uint32_t rqn)
{
    uint8_t in[0x110] = { 0 };

    put(in, 0x100 + 0xe8, 24, rqn);
    return make(ctx, in, sizeof(in), 0x900, 0x48);
}

__attribute__((unused)) static struct flow_rig flow_open(int index)
{
    struct flow_rig rig = { .raw = raw_open(index) };
    struct ibv_context *ctx = rig.raw.rig.ctx;
    struct ibv_wq_init_attr attr = { .wq_type = IBV_WQT_RQ, .max_wr = RECEIVES, .max_sge = 1,
        .pd = rig.raw.rig.pd };
    struct ibv_wq_attr ready = { .attr_mask = IBV_WQ_ATTR_STATE, .wq_state = IBV_WQS_RDY };

    rig.cq = attr.cq = ibv_create_cq(ctx, RECEIVES, NULL, NULL, 0);
    CHECK(rig.cq);
    rig.rq = ibv_create_wq(ctx, &attr);
    CHECK(rig.rq);
    CHECK_EQ(ibv_modify_wq(rig.rq, &ready), 0);
    for (unsigned i = 0; i < RECEIVES; i++)
        flow_receive(&rig, i);
    rig.tir = tir_of(ctx, rig.rq->wq_num);
    CHECK(rig.tir.obj);
    return rig;
}

__attribute__((unused)) static void flow_close(struct flow_rig *rig)
{
    unmake(&rig->tir);
    CHECK_EQ(ibv_destroy_wq(rig->rq), 0);
    CHECK_EQ(ibv_destroy_cq(rig->cq), 0);
    raw_close(&rig->raw);
}

/* A rule of the function that sends all packets of one direction to a table. */
struct root {
    struct mlx5dv_flow_matcher *matcher;
    struct ibv_flow *flow;
};

__attribute__((unused)) static struct root root_of(struct ibv_context *ctx, unsigned type,
                                                   struct mlx5dv_flow_action_attr *actions,
                                                   unsigned num)
{
    struct { size_t len; uint64_t bytes[64]; } none = { .len = 64 };
    struct mlx5dv_flow_matcher_attr attr = { .type = IBV_FLOW_ATTR_NORMAL,
        .flags = type == TX ? IBV_FLOW_ATTR_FLAGS_EGRESS : 0,
        .match_mask = (struct mlx5dv_flow_match_parameters *)(uintptr_t)&none };
    struct root root = { .matcher = mlx5dv_create_flow_matcher(ctx, &attr) };

    CHECK(root.matcher);
    root.flow = mlx5dv_create_flow(root.matcher, attr.match_mask, num, actions);
    return root;
}

__attribute__((unused)) static struct root root_to(struct ibv_context *ctx,
                                                   const struct table *table)
{
    struct mlx5dv_flow_action_attr to = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX,
                                          .obj = table->made.obj };
    struct root root = root_of(ctx, table->type, &to, 1);

    CHECK(root.flow);
    return root;
}

__attribute__((unused)) static void root_end(struct root *root)
{
    if (root->flow)
        CHECK_EQ(ibv_destroy_flow(root->flow), 0);
    CHECK_EQ(mlx5dv_destroy_flow_matcher(root->matcher), 0);
}

/* Write a UDP frame to the own function into the memory, and return its length. */
__attribute__((unused)) static uint32_t flow_frame(struct flow_rig *rig, unsigned version,
                                                   uint16_t sport, uint16_t dport)
{
    struct flow f = { .version = version, .protocol = 17, .sport = sport, .dport = dport,
                      .last_src = 1, .last_dst = 2 };

    memcpy(f.dst, rig->raw.mac, 6);
    memcpy(f.src, rig->raw.mac, 6);
    return frame_make(rig->raw.mem, &f, 100);
}

/* Send `len` bytes. Return the number of frames that arrive; the first one stays in `got`. */
struct got {
    uint32_t len, tag, metadata;
    uint8_t bytes[ROOM];
};

__attribute__((unused)) static unsigned flow_pass(struct flow_rig *rig, uint32_t len,
                                                  unsigned flags, struct got *got)
{
    struct mlx5dv_cq dv = { 0 };
    struct mlx5dv_obj obj = { .cq = { rig->cq, &dv } };
    struct ibv_wc wc;
    unsigned num = 0;

    CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ), 0);
    raw_send(&rig->raw, len, 1, flags);
    for (; ibv_poll_cq(rig->cq, 1, &wc) == 1; num++) {
        const uint8_t *bytes = rig->raw.mem + RECEIVE_AT + wc.wr_id * ROOM;

        CHECK_EQ(wc.status, IBV_WC_SUCCESS);
        if (num == 0 && got) {
            const uint8_t *cqe = (const uint8_t *)dv.buf + rig->polled % dv.cqe_cnt * dv.cqe_size;

            got->len = wc.byte_len;
            memcpy(got->bytes, bytes, wc.byte_len);
            got->tag = (uint32_t)get(cqe, 0x1c8, 24);
            got->metadata = (uint32_t)get(cqe, 0x120, 32);
        }
        rig->polled++;
        flow_receive(rig, (unsigned)wc.wr_id);
    }
    return num;
}

/* Send a frame to this UDP port. True when it arrives once. */
__attribute__((unused)) static bool flow_arrives(struct flow_rig *rig, uint16_t dport)
{
    unsigned num = flow_pass(rig, flow_frame(rig, 4, 5, dport), 0, NULL);

    CHECK(num <= 1);
    return num == 1;
}

/* ---- counters ------------------------------------------------------------------------------- */

__attribute__((unused)) static struct made counters_of(struct ibv_context *ctx, unsigned bulk)
{
    uint8_t in[16] = { 0 };

    put(in, 0x78, 8, bulk);
    return make(ctx, in, sizeof(in), 0x939, 0x40);
}

/* Return the packets that the counter has counted, and set `bytes`. */
__attribute__((unused)) static uint64_t counted(const struct made *counters, uint32_t index,
                                                uint64_t *bytes)
{
    uint8_t in[0x20] = { 0 }, out[0x20] = { 0 };

    put(in, 0, 16, 0x93b);
    put(in, 0xe0, 32, counters->number + index);
    CHECK_EQ(mlx5dv_devx_obj_query(counters->obj, in, sizeof(in), out, sizeof(out)), 0);
    if (bytes)
        *bytes = get(out, 0xc0, 64);
    return get(out, 0x80, 64);
}

#endif
