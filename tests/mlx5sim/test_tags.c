/*
 * Tag matching: an SRQ with a list of tags, through ibv_create_srq_ex() and ibv_post_srq_ops(). The
 * client sends messages with a header (TMH) over RC; the server has the SRQ.
 */
#include "kill_rig.h"

#include <infiniband/tm_types.h>
#include <sys/mman.h>

enum { TMH = 16, REQUEST = 32, NUM_TAGS = 127, SLOT = 256, CLIENT_AT = 32768, BYTES = 65536,
       RECEIVE_AT = 16384, MATCH = IBV_WC_TM_MATCH | IBV_WC_TM_DATA_VALID, ADDED = 1000 };

struct tags {
    struct rig rig;             /* its CQ is that of the client */
    struct ibv_cq_ex *cq;       /* of the server */
    struct ibv_srq *srq;
    struct ibv_qp *client, *server;
    uint8_t *mem;
    struct ibv_mr *mr;
    unsigned unexpected;        /* messages of the client that matched no tag */
};

static struct ibv_srq *create_srq(struct tags *t, uint32_t num_tags)
{
    struct ibv_srq_init_attr_ex attr = {
        .attr = { .max_wr = 32, .max_sge = 1 }, .srq_type = IBV_SRQT_TM, .pd = t->rig.pd,
        .comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_CQ |
                     IBV_SRQ_INIT_ATTR_TM,
        .cq = ibv_cq_ex_to_cq(t->cq), .tm_cap = { .max_num_tags = num_tags, .max_ops = 16 } };

    return ibv_create_srq_ex(t->rig.ctx, &attr);
}

static struct tags setup(void)
{
    struct tags t = { .rig = rig_open(0) };
    struct ibv_cq_init_attr_ex cq = { .cqe = 256,
        .wc_flags = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_TM_INFO };
    struct rig_qp_options options = { .timeout = 10, .retry = 1, .rnr_retry = 7 };
    struct rig_qp_options of_server = options;

    t.cq = ibv_create_cq_ex(t.rig.ctx, &cq);
    CHECK(t.cq);
    t.srq = create_srq(&t, NUM_TAGS);
    CHECK(t.srq);
    of_server.srq = t.srq;
    t.client = rig_qp(&t.rig, &options);
    t.server = rig_qp(&t.rig, &of_server);
    rig_connect(t.client, t.server->qp_num, &options);
    rig_connect(t.server, t.client->qp_num, &options);
    t.mem = rig_memory(BYTES);
    t.mr = ibv_reg_mr(t.rig.pd, t.mem, BYTES, RIG_ALL_ACCESS);
    CHECK(t.mr);
    return t;
}

static void teardown(struct tags *t)
{
    CHECK_EQ(ibv_destroy_qp(t->client), 0);
    CHECK_EQ(ibv_destroy_qp(t->server), 0);
    CHECK_EQ(ibv_destroy_srq(t->srq), 0);
    CHECK_EQ(ibv_destroy_cq(ibv_cq_ex_to_cq(t->cq)), 0);
    CHECK_EQ(ibv_dereg_mr(t->mr), 0);
    rig_close(&t->rig);
    free(t->mem);
}

static uint8_t *slot(struct tags *t, unsigned i)
{
    return t->mem + i * SLOT;
}

/* A completion of the server. */
struct completion {
    enum ibv_wc_status status;
    enum ibv_wc_opcode opcode;
    uint64_t wr_id, tag;
    uint32_t bytes, priv;
    unsigned flags;
};

static struct completion poll_server(struct tags *t)
{
    struct ibv_poll_cq_attr attr = { 0 };
    double end = rig_seconds() + RIG_PATIENCE;
    struct ibv_wc_tm_info info;
    struct completion c;
    int err;

    while ((err = ibv_start_poll(t->cq, &attr)) == ENOENT && rig_seconds() < end)
        ;
    CHECK_EQ(err, 0);
    c = (struct completion){ .status = t->cq->status, .wr_id = t->cq->wr_id };
    if (c.status == IBV_WC_SUCCESS || c.status == IBV_WC_TM_ERR ||
        c.status == IBV_WC_TM_RNDV_INCOMPLETE) {
        ibv_wc_read_tm_info(t->cq, &info);
        c.opcode = ibv_wc_read_opcode(t->cq);
        c.flags = ibv_wc_read_wc_flags(t->cq);
        c.bytes = ibv_wc_read_byte_len(t->cq);
        c.tag = info.tag;
        c.priv = info.priv;
    }
    ibv_end_poll(t->cq);
    return c;
}

static bool server_is_silent(struct tags *t)
{
    struct ibv_poll_cq_attr attr = { 0 };
    double end = rig_seconds() + 0.05;

    while (rig_seconds() < end)
        if (ibv_start_poll(t->cq, &attr) != ENOENT) {
            ibv_end_poll(t->cq);
            return false;
        }
    return true;
}

static void check_match(struct completion c, uint64_t wr_id, uint64_t tag, uint32_t bytes)
{
    CHECK_EQ(c.status, IBV_WC_SUCCESS);
    CHECK_EQ(c.opcode, IBV_WC_TM_RECV);
    CHECK_EQ(c.flags, MATCH);
    CHECK_EQ(c.wr_id, wr_id);
    CHECK_EQ(c.tag, tag);
    CHECK_EQ(c.bytes, bytes);
}

/* ---- operations ----------------------------------------------------------------------------- */

static struct ibv_ops_wr add_wr(struct tags *t, struct ibv_sge *sge, unsigned i, uint64_t tag,
                                uint64_t mask, uint32_t len)
{
    *sge = (struct ibv_sge){ (uintptr_t)slot(t, i), len, t->mr->lkey };
    return (struct ibv_ops_wr){ .wr_id = ADDED + i, .opcode = IBV_WR_TAG_ADD,
        .flags = IBV_OPS_SIGNALED | (t->unexpected ? IBV_OPS_TM_SYNC : 0),
        .tm = { .unexpected_cnt = t->unexpected,
                .add = { .recv_wr_id = i, .sg_list = sge, .num_sge = 1, .tag = tag,
                         .mask = mask } } };
}

/* Add a tag whose buffer is a slot. Return the flags of the completion; store the handle. */
static unsigned add(struct tags *t, unsigned i, uint64_t tag, uint64_t mask, uint32_t len,
                    uint32_t *handle)
{
    struct ibv_ops_wr *bad, wr;
    struct completion c;
    struct ibv_sge sge;

    wr = add_wr(t, &sge, i, tag, mask, len);
    CHECK_EQ(ibv_post_srq_ops(t->srq, &wr, &bad), 0);
    c = poll_server(t);
    CHECK_EQ(c.status, IBV_WC_SUCCESS);
    CHECK_EQ(c.opcode, IBV_WC_TM_ADD);
    CHECK_EQ(c.wr_id, ADDED + i);
    if (handle)
        *handle = wr.tm.handle;
    return c.flags & IBV_WC_TM_SYNC_REQ;
}

static struct completion other_op(struct tags *t, enum ibv_ops_wr_opcode opcode, uint32_t handle)
{
    struct ibv_ops_wr *bad, wr = { .wr_id = 77, .opcode = opcode, .flags = IBV_OPS_SIGNALED,
        .tm = { .unexpected_cnt = t->unexpected, .handle = handle } };
    struct completion c;

    if (opcode == IBV_WR_TAG_SYNC)
        wr.flags |= IBV_OPS_TM_SYNC;
    CHECK_EQ(ibv_post_srq_ops(t->srq, &wr, &bad), 0);
    c = poll_server(t);
    CHECK_EQ(c.wr_id, 77);
    return c;
}

/* ---- messages ------------------------------------------------------------------------------- */

static void write_header(uint8_t *at, uint8_t opcode, uint64_t tag)
{
    struct ibv_tmh tmh = { .opcode = opcode, .app_ctx = htobe32(0xabcd), .tag = htobe64(tag) };

    memcpy(at, &tmh, sizeof(tmh));
}

/* Post a message of the client: a TMH, then `len` bytes. */
static void post(struct tags *t, uint8_t opcode, uint64_t tag, uint32_t len)
{
    write_header(t->mem + CLIENT_AT, opcode, tag);
    rig_post(t->client, IBV_WR_SEND, (struct rig_side){ t->mem + CLIENT_AT, TMH + len,
             t->mr->lkey }, 0, 0, IBV_SEND_SIGNALED);
}

static void send_tagged(struct tags *t, uint8_t opcode, uint64_t tag, uint32_t len)
{
    post(t, opcode, tag, len);
    CHECK_EQ(rig_poll(t->rig.cq).status, IBV_WC_SUCCESS);
}

static void post_receive(struct tags *t, uint64_t id)
{
    struct ibv_sge sge = { (uintptr_t)t->mem + RECEIVE_AT, SLOT, t->mr->lkey };
    struct ibv_recv_wr *bad, wr = { .wr_id = id, .sg_list = &sge, .num_sge = 1 };

    CHECK_EQ(ibv_post_srq_recv(t->srq, &wr, &bad), 0);
}

static void messages_go_to_the_buffer_of_their_tag(void)
{
    struct tags t = setup();

    for (unsigned i = 0; i < 4; i++)
        CHECK_EQ(add(&t, i, 100 + i, ~0ull, SLOT, NULL), 0);
    for (unsigned i = 4; i-- > 0;) {
        struct completion c;

        rig_fill(t.mem + CLIENT_AT + TMH, 40 + i, i);
        send_tagged(&t, IBV_TMH_EAGER, 100 + i, 40 + i);
        c = poll_server(&t);
        check_match(c, i, 100 + i, 40 + i);
        CHECK_EQ(c.priv, 0xabcd);
        CHECK(memcmp(slot(&t, i), t.mem + CLIENT_AT + TMH, 40 + i) == 0);
        CHECK_EQ(slot(&t, i)[40 + i], 0);
    }
    CHECK_EQ(add(&t, 0, 100, ~0ull, 0, NULL), 0);
    send_tagged(&t, IBV_TMH_EAGER, 100, 0);
    check_match(poll_server(&t), 0, 100, 0);
    teardown(&t);
}

static void the_oldest_tag_that_matches_takes_a_message(void)
{
    struct tags t = setup();

    add(&t, 0, 0x7700, 0xff00, SLOT, NULL);
    add(&t, 1, 0x7712, ~0ull, SLOT, NULL);
    add(&t, 2, 0, 0, SLOT, NULL);
    send_tagged(&t, IBV_TMH_EAGER, 0x7712, 8);
    check_match(poll_server(&t), 0, 0x7712, 8);
    send_tagged(&t, IBV_TMH_EAGER, 0x7712, 8);
    check_match(poll_server(&t), 1, 0x7712, 8);
    send_tagged(&t, IBV_TMH_EAGER, 0x7712, 8);
    check_match(poll_server(&t), 2, 0x7712, 8);
    teardown(&t);
}

/* After an unexpected message, added tags do not match until the program says that it has handled
 * the message. Tags that were added before match. */
static void an_unexpected_message_stops_new_tags(void)
{
    struct tags t = setup();
    struct completion c;

    add(&t, 0, 5, ~0ull, SLOT, NULL);
    post_receive(&t, 11);
    post_receive(&t, 12);
    rig_fill(t.mem + CLIENT_AT + TMH, 30, 1);
    send_tagged(&t, IBV_TMH_EAGER, 6, 30);
    c = poll_server(&t);
    CHECK_EQ(c.opcode, IBV_WC_TM_RECV);
    CHECK_EQ(c.flags, 0);
    CHECK_EQ(c.wr_id, 11);
    CHECK_EQ(c.bytes, TMH + 30);
    CHECK(memcmp(t.mem + RECEIVE_AT, t.mem + CLIENT_AT, TMH + 30) == 0);
    CHECK(add(&t, 1, 7, ~0ull, SLOT, NULL) != 0);
    send_tagged(&t, IBV_TMH_EAGER, 5, 8);
    check_match(poll_server(&t), 0, 5, 8);
    send_tagged(&t, IBV_TMH_EAGER, 7, 8);
    c = poll_server(&t);
    CHECK_EQ(c.wr_id, 12);
    CHECK_EQ(c.flags & MATCH, 0);
    t.unexpected = 2;
    c = other_op(&t, IBV_WR_TAG_SYNC, 0);
    CHECK_EQ(c.opcode, IBV_WC_TM_SYNC);
    send_tagged(&t, IBV_TMH_EAGER, 7, 8);
    check_match(poll_server(&t), 1, 7, 8);
    CHECK_EQ(add(&t, 2, 8, ~0ull, SLOT, NULL), 0);
    teardown(&t);
}

static void messages_without_a_tag_take_receives(void)
{
    struct tags t = setup();

    add(&t, 0, 0, 0, SLOT, NULL);       /* matches every tag */
    for (unsigned i = 0; i < 2; i++) {
        struct completion c;

        post_receive(&t, 20 + i);
        if (i == 0) {
            send_tagged(&t, IBV_TMH_NO_TAG, 9, 8);
        } else {                        /* too short for a header */
            rig_post(t.client, IBV_WR_SEND, (struct rig_side){ t.mem + CLIENT_AT, TMH - 1,
                     t.mr->lkey }, 0, 0, IBV_SEND_SIGNALED);
            CHECK_EQ(rig_poll(t.rig.cq).status, IBV_WC_SUCCESS);
        }
        c = poll_server(&t);
        CHECK_EQ(c.status, IBV_WC_SUCCESS);
        CHECK_EQ(c.opcode, IBV_WC_TM_NO_TAG);
        CHECK_EQ(c.wr_id, 20 + i);
        CHECK_EQ(c.flags, 0);
    }
    CHECK_EQ(add(&t, 1, 0, 0, SLOT, NULL), 0);  /* no unexpected message */
    teardown(&t);
}

static void a_removed_tag_takes_no_message(void)
{
    struct tags t = setup();
    uint32_t first, second;
    struct completion c;

    add(&t, 0, 5, ~0ull, SLOT, &first);
    add(&t, 1, 5, ~0ull, SLOT, &second);
    c = other_op(&t, IBV_WR_TAG_DEL, first);
    CHECK_EQ(c.status, IBV_WC_SUCCESS);
    CHECK_EQ(c.opcode, IBV_WC_TM_DEL);
    send_tagged(&t, IBV_TMH_EAGER, 5, 8);
    check_match(poll_server(&t), 1, 5, 8);
    c = other_op(&t, IBV_WR_TAG_DEL, second);
    CHECK_EQ(c.status, IBV_WC_TM_ERR);
    teardown(&t);
}

/* The list has one entry more than the program may add, so that the next free entry has a
 * number. */
static void the_list_can_be_filled_again_and_again(void)
{
    struct tags t = setup();
    struct ibv_ops_wr *bad, wr;
    struct ibv_sge sge;

    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < NUM_TAGS; i++)
            CHECK_EQ(add(&t, i % 32, i, ~0ull, SLOT, NULL), 0);
        wr = add_wr(&t, &sge, 0, 0, 0, SLOT);
        CHECK_EQ(ibv_post_srq_ops(t.srq, &wr, &bad), ENOMEM);
        for (unsigned i = 0; i < NUM_TAGS; i++) {
            unsigned tag = (i * 5 + round) % NUM_TAGS;

            send_tagged(&t, IBV_TMH_EAGER, tag, 8);
            check_match(poll_server(&t), tag % 32, tag, 8);
        }
    }
    teardown(&t);
}

/* ---- rendezvous ----------------------------------------------------------------------------- */

/* Post a request to read `len` bytes at `at` of the client. */
static void post_request(struct tags *t, uint64_t tag, uint8_t *at, uint32_t len, uint32_t rkey)
{
    struct ibv_rvh rvh = { htobe64((uintptr_t)at), htobe32(rkey), htobe32(len) };

    memcpy(t->mem + CLIENT_AT + TMH, &rvh, sizeof(rvh));
    post(t, IBV_TMH_RNDV, tag, sizeof(rvh));
}

static void check_fin(struct tags *t, struct ibv_wc wc, uint64_t tag)
{
    const struct ibv_tmh *tmh = (const void *)slot(t, 60);

    CHECK_EQ(wc.status, IBV_WC_SUCCESS);
    CHECK_EQ(wc.opcode, IBV_WC_RECV);
    CHECK_EQ(wc.byte_len, TMH);
    CHECK_EQ(tmh->opcode, IBV_TMH_FIN);
    CHECK_EQ(be64toh(tmh->tag), tag);
    CHECK_EQ(be32toh(tmh->app_ctx), 0xabcd);
}

static void a_rendezvous_reads_the_memory_of_the_sender(void)
{
    struct tags t = setup();
    struct completion c;

    for (unsigned i = 0; i < 2; i++) {
        uint64_t tag = 40 + i;

        add(&t, 0, tag, ~0ull, 4000, NULL);
        rig_fill(t.mem + CLIENT_AT + 4096, 3000, i);
        if (i == 0)             /* in the second round, the FIN waits for the receive */
            rig_post_receive(t.client, (struct rig_side){ slot(&t, 60), TMH, t.mr->lkey }, 5);
        post_request(&t, tag, t.mem + CLIENT_AT + 4096, 3000, t.mr->rkey);
        CHECK_EQ(rig_poll(t.rig.cq).opcode, IBV_WC_SEND);
        c = poll_server(&t);
        CHECK_EQ(c.status, IBV_WC_SUCCESS);
        CHECK_EQ(c.flags, IBV_WC_TM_MATCH);
        CHECK_EQ(c.tag, tag);
        CHECK_EQ(c.wr_id, 0);
        c = poll_server(&t);
        CHECK_EQ(c.flags, IBV_WC_TM_DATA_VALID);
        CHECK_EQ(c.bytes, 3000);
        CHECK(memcmp(slot(&t, 0), t.mem + CLIENT_AT + 4096, 3000) == 0);
        if (i == 1) {
            CHECK(rig_silent(t.rig.cq, 0.02));
            rig_post_receive(t.client, (struct rig_side){ slot(&t, 60), TMH, t.mr->lkey }, 5);
        }
        check_fin(&t, rig_poll(t.rig.cq), tag);
    }
    teardown(&t);
}

/* The program of the server gets the request and must read the memory itself. */
static void a_rendezvous_that_cannot_be_read_is_left_to_the_program(void)
{
    struct tags t = setup();
    const uint32_t rkeys[2] = { t.mr->rkey ^ 0x100, t.mr->rkey }, lens[2] = { 100, SLOT + 1 };

    for (unsigned i = 0; i < 2; i++) {  /* a wrong key; more bytes than the buffer has */
        struct completion c;

        add(&t, 3, 9, ~0ull, SLOT, NULL);
        post_request(&t, 9, t.mem + CLIENT_AT + 4096, lens[i], rkeys[i]);
        CHECK_EQ(rig_poll(t.rig.cq).status, IBV_WC_SUCCESS);
        c = poll_server(&t);
        CHECK_EQ(c.status, IBV_WC_TM_RNDV_INCOMPLETE);
        CHECK_EQ(c.wr_id, 3);
        CHECK(memcmp(slot(&t, 3), t.mem + CLIENT_AT + TMH, sizeof(struct ibv_rvh)) == 0);
        CHECK(server_is_silent(&t));
    }
    teardown(&t);
}

/* A memory window of type 2 works through one QP only, also for the device. */
static void a_rendezvous_cannot_use_the_window_of_another_qp(void)
{
    struct tags t = setup();
    struct ibv_qp *other = rig_loop(&t.rig, (struct rig_qp_options){ 0 });
    struct ibv_mr *mr = ibv_reg_mr(t.rig.pd, t.mem, BYTES, RIG_ALL_ACCESS | IBV_ACCESS_MW_BIND);
    struct ibv_mw *mw = ibv_alloc_mw(t.rig.pd, IBV_MW_TYPE_2);
    struct ibv_send_wr *bad, wr = { .opcode = IBV_WR_BIND_MW, .send_flags = IBV_SEND_SIGNALED };

    CHECK(mr && mw);
    wr.bind_mw.mw = mw;
    wr.bind_mw.rkey = ibv_inc_rkey(mw->rkey);
    wr.bind_mw.bind_info = (struct ibv_mw_bind_info){ mr, (uintptr_t)t.mem, BYTES,
                                                      IBV_ACCESS_REMOTE_READ };
    for (unsigned i = 0; i < 2; i++) {
        CHECK_EQ(ibv_post_send(i == 0 ? other : t.client, &wr, &bad), 0);
        CHECK_EQ(rig_poll(t.rig.cq).status, IBV_WC_SUCCESS);
        add(&t, 3, 9, ~0ull, SLOT, NULL);
        if (i == 1)
            rig_post_receive(t.client, (struct rig_side){ slot(&t, 60), TMH, t.mr->lkey }, 5);
        post_request(&t, 9, t.mem + CLIENT_AT + 4096, 100, wr.bind_mw.rkey);
        CHECK_EQ(rig_poll(t.rig.cq).opcode, IBV_WC_SEND);
        if (i == 0) {
            CHECK_EQ(poll_server(&t).status, IBV_WC_TM_RNDV_INCOMPLETE);
            wr.opcode = IBV_WR_LOCAL_INV;
            wr.invalidate_rkey = wr.bind_mw.rkey;
            CHECK_EQ(ibv_post_send(other, &wr, &bad), 0);
            CHECK_EQ(rig_poll(t.rig.cq).status, IBV_WC_SUCCESS);
            wr.opcode = IBV_WR_BIND_MW;
            wr.bind_mw.rkey = ibv_inc_rkey(wr.bind_mw.rkey);
        } else {
            CHECK_EQ(poll_server(&t).flags, IBV_WC_TM_MATCH);
            CHECK_EQ(poll_server(&t).flags, IBV_WC_TM_DATA_VALID);
            check_fin(&t, rig_poll(t.rig.cq), 9);
        }
    }
    CHECK_EQ(ibv_dealloc_mw(mw), 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(ibv_destroy_qp(other), 0);
    teardown(&t);
}

static void the_end_of_a_rendezvous_needs_a_receive_that_is_long_enough(void)
{
    struct tags t = setup();

    add(&t, 0, 5, ~0ull, SLOT, NULL);
    memset(slot(&t, 60), 0x55, TMH);
    rig_post_receive(t.client, (struct rig_side){ slot(&t, 60), TMH - 1, t.mr->lkey }, 5);
    post_request(&t, 5, t.mem + CLIENT_AT + 4096, 100, t.mr->rkey);
    CHECK_EQ(rig_poll(t.rig.cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(rig_poll(t.rig.cq).status, IBV_WC_LOC_LEN_ERR);
    CHECK_EQ(slot(&t, 60)[0], 0x55);
    CHECK_EQ(rig_state(t.client), IBV_QPS_ERR);
    teardown(&t);
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void a_message_too_long_for_its_tag_is_refused(void)
{
    struct tags t = setup();

    add(&t, 0, 5, ~0ull, 16, NULL);
    rig_fill(t.mem + CLIENT_AT + TMH, 17, 1);
    post(&t, IBV_TMH_EAGER, 5, 17);
    CHECK_EQ(rig_poll(t.rig.cq).status, IBV_WC_REM_INV_REQ_ERR);
    CHECK_EQ(slot(&t, 0)[0], 0);
    CHECK_EQ(rig_state(t.client), IBV_QPS_ERR);
    CHECK_EQ(rig_state(t.server), IBV_QPS_ERR);
    CHECK(server_is_silent(&t));
    teardown(&t);
}

/* The device can read the header of the message, but not the rest. The request fails at the sender,
 * and the receiver stays in RTS without a completion. */
static void a_message_that_cannot_be_read_leaves_the_receiver_alone(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct tags t = setup();
    uint8_t *at = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct ibv_mr *mr = ibv_reg_mr(t.rig.pd, at, 2 * page, IBV_ACCESS_ON_DEMAND);

    CHECK(at != MAP_FAILED && mr);
    add(&t, 0, 5, ~0ull, SLOT, NULL);
    write_header(at + page - TMH, IBV_TMH_EAGER, 5);
    CHECK_EQ(mprotect(at + page, page, PROT_NONE), 0);
    rig_post(t.client, IBV_WR_SEND, (struct rig_side){ at + page - TMH, TMH + 8, mr->lkey }, 0, 0,
             IBV_SEND_SIGNALED);
    CHECK_EQ(rig_poll(t.rig.cq).status, IBV_WC_LOC_PROT_ERR);
    CHECK_EQ(rig_state(t.server), IBV_QPS_RTS);
    CHECK(server_is_silent(&t));
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(munmap(at, 2 * page), 0);
    teardown(&t);
}

static void a_request_too_short_for_its_header_is_refused(void)
{
    struct tags t = setup();

    add(&t, 0, 5, ~0ull, SLOT, NULL);
    post(&t, IBV_TMH_RNDV, 5, sizeof(struct ibv_rvh) - 1);
    CHECK_EQ(rig_poll(t.rig.cq).status, IBV_WC_REM_INV_REQ_ERR);
    CHECK(server_is_silent(&t));
    teardown(&t);
}

static void wrong_srqs_and_qps_are_refused(void)
{
    struct tags t = setup();
    struct ibv_qp_init_attr attr = { .send_cq = t.rig.cq, .recv_cq = t.rig.cq, .srq = t.srq,
        .qp_type = IBV_QPT_UC, .cap = { .max_send_wr = 4, .max_send_sge = 1 } };
    struct ibv_device_attr_ex device;

    CHECK_EQ(ibv_query_device_ex(t.rig.ctx, NULL, &device), 0);
    CHECK_EQ(device.tm_caps.max_num_tags, NUM_TAGS);
    CHECK_EQ(device.tm_caps.flags, IBV_TM_CAP_RC);
    CHECK_EQ(device.tm_caps.max_sge, 1);
    CHECK(create_srq(&t, NUM_TAGS + 1) == NULL);
    CHECK_EQ(errno, EINVAL);
    CHECK(ibv_create_qp(t.rig.pd, &attr) == NULL);
    CHECK_EQ(errno, EINVAL);
    teardown(&t);
}

/* A WQE of tag matching fails on a QP whose SRQ has no tags. */
static void other_qps_have_no_list(void)
{
    struct rig rig = rig_open(0);
    struct ibv_qp *qp = rig_loop(&rig, (struct rig_qp_options){ .mkey_ops =
                                 MLX5DV_QP_EX_WITH_RAW_WQE });
    struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(qp);
    uint8_t wqe[48] = { 0 };

    put(wqe, 0x18, 8, 0x28);
    put(wqe, 0x20, 24, qp->qp_num);
    put(wqe, 0x3a, 6, 3);
    put(wqe, 0x5c, 2, 2);
    ibv_wr_start(ex);
    ex->wr_id = 1;
    ex->wr_flags = IBV_SEND_SIGNALED;
    mlx5dv_wr_raw_wqe(mlx5dv_qp_ex_from_ibv_qp_ex(ex), wqe);
    CHECK_EQ(ibv_wr_complete(ex), 0);
    CHECK_EQ(rig_poll(rig.cq).status, IBV_WC_LOC_QP_OP_ERR);
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    rig_close(&rig);
}

static bool adds_a_tag(void)
{
    struct tags t = setup();

    return add(&t, 0, 5, ~0ull, SLOT, NULL) == 0;
}

static void a_killed_server_leaves_nothing(void)
{
    kill_after(adds_a_tag);
    messages_go_to_the_buffer_of_their_tag();
}

static const struct rig_case cases[] = {
    RIG_CASE(messages_go_to_the_buffer_of_their_tag),
    RIG_CASE(the_oldest_tag_that_matches_takes_a_message),
    RIG_CASE(an_unexpected_message_stops_new_tags),
    RIG_CASE(messages_without_a_tag_take_receives),
    RIG_CASE(a_removed_tag_takes_no_message),
    RIG_CASE(the_list_can_be_filled_again_and_again),
    RIG_CASE(a_rendezvous_reads_the_memory_of_the_sender),
    RIG_CASE(a_rendezvous_that_cannot_be_read_is_left_to_the_program),
    RIG_CASE(a_rendezvous_cannot_use_the_window_of_another_qp),
    RIG_CASE(the_end_of_a_rendezvous_needs_a_receive_that_is_long_enough),
    RIG_CASE(a_message_too_long_for_its_tag_is_refused),
    RIG_CASE(a_message_that_cannot_be_read_leaves_the_receiver_alone),
    RIG_CASE(a_request_too_short_for_its_header_is_refused),
    RIG_CASE(wrong_srqs_and_qps_are_refused),
    RIG_CASE(other_qps_have_no_list),
    RIG_CASE(a_killed_server_leaves_nothing),
};

RIG_MAIN(cases)
