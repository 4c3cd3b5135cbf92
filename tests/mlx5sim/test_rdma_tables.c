/* Flow tables for the packets of QPs with a transport (RDMA): the messages that they drop. */
#include "flow_rig.h"

enum { LEVEL = 200, LAST_LEVEL = 254, LEN = 64 };

struct pair {
    struct rig from, to;        /* on two functions */
    struct ibv_qp *sender, *receiver;
    struct ibv_mr *local, *remote;
    unsigned char *mem;
};

static void link_qp(struct ibv_qp *qp, struct ibv_qp *peer)
{
    const struct rig_qp_options options = { .retry = 1 };
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024,
        .dest_qp_num = peer->qp_num, .max_dest_rd_atomic = 8, .min_rnr_timer = 1,
        .ah_attr = { .port_num = 1, .is_global = 1 } };

    rig_init(qp, &options);
    CHECK_EQ(ibv_query_gid(peer->context, 1, 0, &attr.ah_attr.grh.dgid), 0);
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
                           IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
                           IBV_QP_MIN_RNR_TIMER), 0);
    rig_send_ready(qp, &options);
}

static struct pair pair_open(void)
{
    const struct rig_qp_options options = { 0 };
    struct pair p = { .from = rig_open(0), .to = rig_open(1) };

    p.mem = rig_memory(4096);
    p.local = ibv_reg_mr(p.from.pd, p.mem, 4096, RIG_ALL_ACCESS);
    p.remote = ibv_reg_mr(p.to.pd, p.mem, 4096, RIG_ALL_ACCESS);
    p.sender = rig_qp(&p.from, &options);
    p.receiver = rig_qp(&p.to, &options);
    CHECK(p.local && p.remote);
    link_qp(p.sender, p.receiver);
    link_qp(p.receiver, p.sender);
    return p;
}

static void pair_close(struct pair *p)
{
    CHECK_EQ(ibv_destroy_qp(p->sender), 0);
    CHECK_EQ(ibv_destroy_qp(p->receiver), 0);
    CHECK_EQ(ibv_dereg_mr(p->local), 0);
    CHECK_EQ(ibv_dereg_mr(p->remote), 0);
    rig_close(&p->from);
    rig_close(&p->to);
}

/* Write to the other function. Return whether the bytes have arrived, which the status must say. */
static bool arrives(struct pair *p)
{
    struct rig_side side = { p->mem, LEN, p->local->lkey };
    enum ibv_wc_status status;
    bool good;

    rig_fill(p->mem, LEN, 5);
    memset(p->mem + 2048, 0, LEN);
    status = rig_do(&p->from, p->sender, IBV_WR_RDMA_WRITE, side, (uintptr_t)p->mem + 2048,
                    p->remote->rkey);
    good = memcmp(p->mem, p->mem + 2048, LEN) == 0;
    CHECK_EQ(status, good ? IBV_WC_SUCCESS : IBV_WC_RETRY_EXC_ERR);
    return good;
}

static struct mlx5dv_flow_matcher *matcher_of(struct ibv_context *ctx, unsigned type,
                                              unsigned priority, uint64_t mask)
{
    struct { size_t len; uint64_t bytes[64]; } bits = { .len = 64, .bytes = { mask } };
    struct mlx5dv_flow_matcher_attr attr = { .type = IBV_FLOW_ATTR_NORMAL,
        .priority = (uint16_t)priority, .match_criteria_enable = mask ? OUTER : 0,
        .match_mask = (struct mlx5dv_flow_match_parameters *)(uintptr_t)&bits,
        .comp_mask = MLX5DV_FLOW_MATCHER_MASK_FT_TYPE,
        .ft_type = type == RDMA_RX ? MLX5DV_FLOW_TABLE_TYPE_RDMA_RX
                                   : MLX5DV_FLOW_TABLE_TYPE_RDMA_TX };

    return mlx5dv_create_flow_matcher(ctx, &attr);
}

static struct root rule_of(struct ibv_context *ctx, unsigned type, unsigned priority,
                           struct mlx5dv_flow_action_attr *action)
{
    struct { size_t len; uint64_t bytes[64]; } none = { .len = 64 };
    struct root root = { .matcher = matcher_of(ctx, type, priority, 0) };

    CHECK(root.matcher);
    root.flow = mlx5dv_create_flow(root.matcher,
                                   (struct mlx5dv_flow_match_parameters *)(uintptr_t)&none,
                                   action ? 1 : 0, action);
    return root;
}

/* A rule, the table to which it sends all packets, and an entry for all packets. */
struct chain {
    struct table table;
    struct made group, entry;
    struct root root;
};

static struct chain chain_of(struct ibv_context *ctx, unsigned type, unsigned level,
                             unsigned action)
{
    struct chain c = { .table = table_of(ctx, type, level, 0, NULL) };
    struct mlx5dv_flow_action_attr to = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX };
    struct entry entry;

    CHECK_EQ(c.table.made.status, OK);
    c.group = group_of(ctx, &c.table, 0, 0, 0, 0);
    entry = entry_of(&c.table, &c.group, 0, action);
    c.entry = entry_make(ctx, &entry);
    CHECK_EQ(c.entry.status, OK);
    to.obj = c.table.made.obj;
    c.root = rule_of(ctx, type, 0, &to);
    CHECK(c.root.flow);
    return c;
}

static void chain_end(struct chain *c)
{
    root_end(&c->root);
    unmake(&c->entry);
    unmake(&c->group);
    unmake(&c->table.made);
}

/* The request leaves one function and arrives at the other; its acknowledgement goes back. */
static void each_direction_of_both_functions_can_be_dropped(void)
{
    static const unsigned types[] = { RDMA_RX, RDMA_TX }, levels[] = { LEVEL, LAST_LEVEL };

    for (unsigned i = 0; i < 4; i++) {
        struct pair p = pair_open();
        struct chain c = chain_of(i < 2 ? p.from.ctx : p.to.ctx, types[i % 2], levels[i % 2],
                                  DROP);

        CHECK(!arrives(&p));
        chain_end(&c);
        pair_close(&p);
    }
}

static void packets_pass_without_a_rule_that_drops_them(void)
{
    struct pair p = pair_open();
    struct chain allow = chain_of(p.from.ctx, RDMA_TX, LEVEL, ALLOW);
    struct chain receive = chain_of(p.to.ctx, RDMA_RX, LEVEL, ALLOW);
    struct table empty = table_of(p.from.ctx, RDMA_RX, LEVEL, 0, NULL);
    struct mlx5dv_flow_action_attr to = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX,
                                          .obj = empty.made.obj };
    struct root root = rule_of(p.from.ctx, RDMA_RX, 0, &to);

    CHECK(root.flow);
    CHECK(arrives(&p));
    root_end(&root);
    unmake(&empty.made);
    chain_end(&receive);
    chain_end(&allow);
    CHECK(arrives(&p));
    pair_close(&p);
}

/* Packets without an entry in the first table pass to the next one; an entry sends them on. */
static void tables_follow_each_other(void)
{
    struct pair p = pair_open();
    struct ibv_context *ctx = p.from.ctx;
    struct table last = table_of(ctx, RDMA_TX, LEVEL, 0, NULL);
    struct table middle = table_of(ctx, RDMA_TX, 7, 0, NULL);
    struct table first = table_of(ctx, RDMA_TX, 3, 0, &middle);
    struct made in_last = group_of(ctx, &last, 0, 0, 0, 0);
    struct made in_middle = group_of(ctx, &middle, 0, 0, 0, 0), made, sends;
    struct entry drop = entry_of(&last, &in_last, 0, DROP);
    struct entry send = entry_of(&middle, &in_middle, 0, FORWARD);
    struct mlx5dv_flow_action_attr to = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX,
                                          .obj = first.made.obj };
    struct root root = rule_of(ctx, RDMA_TX, 0, &to);

    entry_to(&send, DEST_TABLE, last.made.number);
    sends = entry_make(ctx, &send);
    CHECK_EQ(sends.status, OK);
    CHECK(root.flow);
    CHECK(arrives(&p));
    made = entry_make(ctx, &drop);
    CHECK_EQ(made.status, OK);
    CHECK(!arrives(&p));
    root_end(&root);
    unmake(&made);
    unmake(&sends);
    unmake(&in_middle);
    unmake(&in_last);
    unmake(&first.made);
    unmake(&middle.made);
    unmake(&last.made);
    pair_close(&p);
}

static void rule_of_the_smallest_priority_decides(void)
{
    struct pair p = pair_open();
    struct chain drop = chain_of(p.from.ctx, RDMA_TX, LEVEL, DROP);     /* priority 0 */
    struct root allow = rule_of(p.from.ctx, RDMA_TX, 1, NULL);

    CHECK(allow.flow);          /* a rule without actions lets packets leave */
    CHECK(!arrives(&p));
    root_end(&allow);
    chain_end(&drop);
    pair_close(&p);
}

static void wrong_tables_and_entries_are_refused(void)
{
    struct rig rig = rig_open(0);
    struct ibv_context *ctx = rig.ctx;
    struct table table = table_of(ctx, RDMA_RX, LEVEL, 0, NULL);
    struct table other = table_of(ctx, RDMA_TX, LEVEL + 1, 0, NULL);
    struct made group = group_of(ctx, &table, 0, 3, 0, 0);
    struct entry entry = entry_of(&table, &group, 0, DROP | COUNT);

    CHECK_EQ(table_of(ctx, RDMA_RX, 255, 0, NULL).made.status, BAD_PARAM);
    CHECK_EQ(table_of(ctx, RDMA_RX, 1, REFORMATS, NULL).made.status, BAD_PARAM);
    CHECK_EQ(table_of(ctx, RDMA_RX, 1, DECAPS, NULL).made.status, BAD_PARAM);
    CHECK_EQ(table_of(ctx, 6, 1, 0, NULL).made.status, BAD_PARAM);
    CHECK_EQ(table_of(ctx, 9, 1, 0, NULL).made.status, BAD_PARAM);
    CHECK_EQ(group_of(ctx, &table, 4, 5, UDP_SPORT, 16).status, BAD_PARAM);
    CHECK_EQ(entry_make(ctx, &entry).status, BAD_PARAM);
    entry = entry_of(&table, &group, 0, FORWARD);
    entry_to(&entry, DEST_TABLE, other.made.number);
    CHECK_EQ(entry_make(ctx, &entry).status, BAD_PARAM);
    unmake(&group);
    unmake(&other.made);
    unmake(&table.made);
    rig_close(&rig);
}

static void wrong_rules_are_refused(void)
{
    struct rig rig = rig_open(0);
    struct table sent = table_of(rig.ctx, RDMA_TX, LEVEL, 0, NULL);
    struct mlx5dv_flow_action_attr drop = { .type = MLX5DV_FLOW_ACTION_DROP };
    struct mlx5dv_flow_action_attr to = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX,
                                          .obj = sent.made.obj };
    struct root root;

    CHECK(!matcher_of(rig.ctx, RDMA_RX, 0, UINT64_MAX));
    CHECK_EQ(errno, EOPNOTSUPP);
    root = rule_of(rig.ctx, RDMA_RX, 0, &to);           /* a table of the other direction */
    CHECK_EQ(errno, EINVAL);
    CHECK(!root.flow);
    root_end(&root);
    root = rule_of(rig.ctx, RDMA_RX, 0, NULL);          /* received packets need a destination */
    CHECK(!root.flow);
    root_end(&root);
    root = rule_of(rig.ctx, RDMA_RX, 0, &drop);
    CHECK(!root.flow);
    root_end(&root);
    unmake(&sent.made);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(each_direction_of_both_functions_can_be_dropped),
    RIG_CASE(packets_pass_without_a_rule_that_drops_them),
    RIG_CASE(tables_follow_each_other),
    RIG_CASE(rule_of_the_smallest_priority_decides),
    RIG_CASE(wrong_tables_and_entries_are_refused),
    RIG_CASE(wrong_rules_are_refused),
};

RIG_MAIN(cases)
