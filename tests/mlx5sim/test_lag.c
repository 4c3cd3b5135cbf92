/* The port of a LAG that a queue sends through. The card has two ports, but no LAG: the port is
 * only stored. */
#include "own_queue.h"

enum { BAD_PARAM = 3, BAD_RES_STATE = 9, NUM_PORTS = 2 };

static bool is_ethernet(struct rig *rig)
{
    struct ibv_port_attr port;

    CHECK_EQ(ibv_query_port(rig->ctx, 1, &port), 0);
    return port.link_layer == IBV_LINK_LAYER_ETHERNET;
}

static unsigned lag_port(struct ibv_qp *qp)
{
    uint8_t port = 0, active = 0;

    CHECK_EQ(mlx5dv_query_qp_lag_port(qp, &port, &active), 0);
    return port;
}

/* Move the queue through both ports. */
static void check_both_ports(struct ibv_qp *qp)
{
    unsigned first = lag_port(qp);

    CHECK(first >= 1 && first <= NUM_PORTS);
    CHECK_EQ(mlx5dv_modify_qp_lag_port(qp, (uint8_t)(3 - first)), 0);
    CHECK_EQ(lag_port(qp), 3 - first);
    CHECK_EQ(mlx5dv_modify_qp_lag_port(qp, (uint8_t)first), 0);
    CHECK_EQ(lag_port(qp), first);
}

static void the_port_of_a_qp_can_be_changed(void)
{
    struct rig rig = rig_open(0);
    struct ibv_qp *qp = rig_loop(&rig, (struct rig_qp_options){ 0 });

    check_both_ports(qp);
    CHECK_EQ(rig_state(qp), IBV_QPS_RTS);
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    rig_close(&rig);
}

static void the_driver_gives_out_the_ports_in_turn(void)
{
    struct rig rig = rig_open(0);
    struct ibv_qp *a = rig_loop(&rig, (struct rig_qp_options){ 0 });
    struct ibv_qp *b = rig_loop(&rig, (struct rig_qp_options){ 0 });

    CHECK_EQ(lag_port(a) + lag_port(b), 3);
    CHECK_EQ(ibv_destroy_qp(a), 0);
    CHECK_EQ(ibv_destroy_qp(b), 0);
    rig_close(&rig);
}

static void the_port_of_a_raw_packet_qp_is_that_of_its_tis(void)
{
    struct rig rig = rig_open(0);
    struct ibv_qp_init_attr attr = { .send_cq = rig.cq, .recv_cq = rig.cq,
        .qp_type = IBV_QPT_RAW_PACKET, .cap = { .max_send_wr = 4, .max_recv_wr = 4,
        .max_send_sge = 1, .max_recv_sge = 1 } };
    struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
    struct ibv_qp *qp = is_ethernet(&rig) ? ibv_create_qp(rig.pd, &attr) : NULL;

    if (is_ethernet(&rig)) {
        CHECK(qp);
        CHECK_EQ(ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PORT), 0);
        check_both_ports(qp);
        CHECK(mlx5dv_modify_qp_lag_port(qp, NUM_PORTS + 1) != 0);
        CHECK_EQ(ibv_destroy_qp(qp), 0);
    }
    rig_close(&rig);
}

/* Send RTS2RTS for the port. Returns the status. */
static unsigned rts2rts(struct own_queue *q, unsigned port)
{
    uint8_t in[0x110] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, 0x505);
    put(in, 0x48, 24, q->qpn);
    put(in, 0x80, 32, 1 << 15);
    put(in, 0xc0 + 0x04, 4, port);
    (void)mlx5dv_devx_obj_modify(q->qp, in, sizeof(in), out, sizeof(out));
    return out[0];
}

static unsigned own_lag_port(struct own_queue *q)
{
    uint8_t in[16] = { 0 }, out[0x110] = { 0 };

    put(in, 0, 16, 0x50b);
    put(in, 0x48, 24, q->qpn);
    CHECK_EQ(mlx5dv_devx_obj_query(q->qp, in, sizeof(in), out, sizeof(out)), 0);
    return (unsigned)get(out, 0xc0 + 0x04, 4);
}

static void wrong_ports_and_states_are_refused(void)
{
    struct rig rig = rig_open(0);
    struct own_queue q = own_open(&rig, false);

    CHECK_EQ(rts2rts(&q, 2), 0);
    CHECK_EQ(rts2rts(&q, 0), BAD_PARAM);
    CHECK_EQ(rts2rts(&q, NUM_PORTS + 1), BAD_PARAM);
    CHECK_EQ(rts2rts(&q, 15), BAD_PARAM);
    CHECK_EQ(own_lag_port(&q), 2);      /* a refusal changes nothing */
    own_modify(&q, 0x507, q.qpn);       /* to the error state */
    CHECK_EQ(rts2rts(&q, 1), BAD_RES_STATE);
    CHECK_EQ(own_lag_port(&q), 2);
    own_close(&q);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(the_port_of_a_qp_can_be_changed),
    RIG_CASE(the_driver_gives_out_the_ports_in_turn),
    RIG_CASE(the_port_of_a_raw_packet_qp_is_that_of_its_tis),
    RIG_CASE(wrong_ports_and_states_are_refused),
};

RIG_MAIN(cases)
