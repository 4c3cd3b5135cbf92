/* CQE compression: alike CQEs of received messages become a title and arrays of mini CQEs. The test
 * reads the ring itself: libmlx5 does not decompress. */
#include "rig.h"

#include <sys/poll.h>

enum {
    HASH = MLX5DV_CQE_RES_FORMAT_HASH, CSUM = MLX5DV_CQE_RES_FORMAT_CSUM,
    STRIDX = MLX5DV_CQE_RES_FORMAT_CSUM_STRIDX,
    RESP_SEND = 2, RESP_SEND_IMM = 3, INVALID = 0xf, COMPRESSED = 3, MAX_NUM = 64, ROOM = 64,
    /* libmlx5 frees a place for a receive only when it polls the completion itself */
    ALL_RECEIVES = 2048
};

/* ---- a CQ, and a QP that sends to itself ----------------------------------------------------- */

struct fixture {
    struct rig rig;             /* its CQ gets the completions of sends */
    struct ibv_comp_channel *channel;
    struct ibv_cq_ex *cq;       /* gets those of receives, compressed */
    struct mlx5dv_cq ring;
    uint32_t ci;
    unsigned format;
    struct ibv_qp *qp;
    uint8_t *mem;
    struct ibv_mr *mr;
    unsigned titles;            /* number of titles that were read */
    uint16_t counter;           /* receive WQE of the next message */
};

static struct ibv_cq_ex *make_cq(struct fixture *f, unsigned format, unsigned cqe_bytes,
                                 unsigned num)
{
    struct ibv_cq_init_attr_ex attr = { .cqe = num - 1, .channel = f->channel,
                                        .wc_flags = IBV_WC_STANDARD_FLAGS };
    struct mlx5dv_cq_init_attr dv = {
        .comp_mask = MLX5DV_CQ_INIT_ATTR_MASK_COMPRESSED_CQE | MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE,
        .cqe_comp_res_format = (uint8_t)format, .cqe_size = (uint16_t)cqe_bytes };

    return mlx5dv_create_cq(f->rig.ctx, &attr, &dv);
}

static struct fixture open_with(unsigned format, unsigned cqe_bytes, unsigned num_cqes)
{
    struct fixture f = { .rig = rig_open(0), .format = format };
    struct rig_qp_options options = { .retry = 7 };
    struct mlx5dv_obj obj = { .cq = { .out = &f.ring } };
    struct ibv_qp_init_attr attr = { .send_cq = f.rig.cq, .qp_type = IBV_QPT_RC,
        .cap = { .max_send_wr = 2 * MAX_NUM, .max_recv_wr = ALL_RECEIVES, .max_send_sge = 1,
                 .max_recv_sge = 1 } };

    f.channel = ibv_create_comp_channel(f.rig.ctx);
    CHECK(f.channel);
    f.cq = make_cq(&f, format, cqe_bytes, num_cqes);
    CHECK(f.cq);
    obj.cq.in = ibv_cq_ex_to_cq(f.cq);
    CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ), 0);
    CHECK_EQ(f.ring.cqe_size, cqe_bytes);
    CHECK_EQ(f.ring.cqe_cnt, num_cqes);
    attr.recv_cq = obj.cq.in;
    f.qp = ibv_create_qp(f.rig.pd, &attr);
    CHECK(f.qp);
    rig_connect(f.qp, f.qp->qp_num, &options);
    f.mem = rig_memory(ROOM * 64 * 2);
    f.mr = ibv_reg_mr(f.rig.pd, f.mem, ROOM * 64 * 2, RIG_ALL_ACCESS);
    CHECK(f.mr);
    return f;
}

static void close_all(struct fixture *f)
{
    CHECK_EQ(ibv_destroy_qp(f->qp), 0);
    CHECK_EQ(ibv_destroy_cq(ibv_cq_ex_to_cq(f->cq)), 0);
    CHECK_EQ(ibv_destroy_comp_channel(f->channel), 0);
    CHECK_EQ(ibv_dereg_mr(f->mr), 0);
    rig_close(&f->rig);
    free(f->mem);
}

/* The length of message `i`. */
static uint32_t length_of(unsigned i)
{
    return 1 + i * 7 % ROOM;
}

/* Post `num` receives, and with one doorbell as many sends. Those in `with_imm` have a number. */
static void send_messages(struct fixture *f, unsigned num, uint64_t with_imm, unsigned last_flags)
{
    static struct ibv_send_wr wr[MAX_NUM];
    static struct ibv_sge sge[MAX_NUM];
    struct ibv_send_wr *bad;

    for (unsigned i = 0; i < num; i++) {
        rig_post_receive(f->qp, (struct rig_side){ f->mem + i * ROOM, ROOM, f->mr->lkey }, i);
        sge[i] = (struct ibv_sge){ (uintptr_t)f->mem + ROOM * 64, length_of(i), f->mr->lkey };
        wr[i] = (struct ibv_send_wr){ .next = i + 1 < num ? &wr[i + 1] : NULL, .sg_list = &sge[i],
            .num_sge = 1, .opcode = with_imm >> i & 1 ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND,
            .send_flags = i + 1 < num ? 0 : IBV_SEND_SIGNALED | last_flags };
    }
    CHECK_EQ(ibv_post_send(f->qp, wr, &bad), 0);
    CHECK_EQ(rig_poll(f->rig.cq).status, IBV_WC_SUCCESS);
}

/* ---- reading the ring ----------------------------------------------------------------------- */

static volatile uint8_t *cqe_at(const struct fixture *f, uint32_t index)
{
    return (volatile uint8_t *)f->ring.buf + (index & (f->ring.cqe_cnt - 1)) * f->ring.cqe_size +
           f->ring.cqe_size - 64;
}

static void copy_cqe(uint8_t *to, volatile uint8_t *from)
{
    for (unsigned i = 0; i < 64; i++)
        to[i] = from[i];
}

/* Copy the next CQE. Returns false when the device writes no CQE for `seconds`. */
static bool next_cqe(struct fixture *f, uint8_t cqe[64], double seconds)
{
    volatile uint8_t *at = cqe_at(f, f->ci);
    double end = rig_seconds() + seconds;

    while (at[63] >> 4 == INVALID || (at[63] & 1) != ((f->ci & f->ring.cqe_cnt) != 0))
        if (rig_seconds() > end)
            return false;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    copy_cqe(cqe, at);
    return true;
}

/* Give CQEs back. The slots without a title have no owner bit: they are made invalid, as other
 * programs do. */
static void release(struct fixture *f, uint32_t num)
{
    for (uint32_t i = 0; i < num; i++)
        cqe_at(f, f->ci + i)[63] = INVALID << 4;
    f->ci += num;
    f->ring.dbrec[0] = htobe32(f->ci & 0xffffff);
}

/* Check message `i` of a title that has `num`, by its mini CQE. */
static void check_mini(struct fixture *f, const uint8_t *title, unsigned num, unsigned i,
                       uint32_t length)
{
    unsigned slot = i < 8 ? 1 : i / 8 * 8;
    uint8_t array[64];
    const uint8_t *mini = array + i % 8 * 8;

    CHECK(i < num && num <= MAX_NUM);
    copy_cqe(array, cqe_at(f, f->ci + slot));
    CHECK_EQ(get(mini, 32, 32), length);
    if (f->format == HASH)
        CHECK_EQ(get(mini, 0, 32), get(title, 0x60, 32));       /* 0: no packet has a hash */
    else
        CHECK_EQ(get(mini, 0, 16), get(title, 0xa0, 16));
    if (f->format == STRIDX)
        CHECK_EQ(get(mini, 16, 16), f->counter);
    else
        CHECK_EQ((uint16_t)(get(title, 0x1e0, 16) + i), f->counter);
}

/* Read the CQEs of `num` messages, compressed or not. */
static void read_messages(struct fixture *f, unsigned num, uint64_t with_imm)
{
    uint8_t cqe[64];

    for (unsigned done = 0; done < num;) {
        unsigned here = 1;

        CHECK(next_cqe(f, cqe, 5));
        if ((cqe[63] >> 2 & 3) == COMPRESSED) {
            here = (unsigned)get(cqe, 0x160, 32);
            CHECK(here > 1 && here <= num - done);
            CHECK_EQ(cqe[63] >> 4, RESP_SEND);
            for (unsigned i = 0; i < here; i++) {
                CHECK(!(with_imm >> (done + i) & 1));
                check_mini(f, cqe, here, i, length_of(done + i));
                f->counter++;
            }
            f->titles++;
        } else {
            CHECK_EQ(cqe[63] >> 4, with_imm >> done & 1 ? RESP_SEND_IMM : RESP_SEND);
            CHECK_EQ(get(cqe, 0x160, 32), length_of(done));
            CHECK_EQ(get(cqe, 0x1e0, 16), f->counter);
            f->counter++;
        }
        CHECK_EQ(get(cqe, 0x1c8, 24), f->qp->qp_num);
        release(f, here);
        done += here;
    }
}

/* ---- cases ---------------------------------------------------------------------------------- */

static void alike_messages_have_one_title(void)
{
    static const unsigned formats[] = { HASH, CSUM, STRIDX }, nums[] = { 2, 8, 9, 10, 17, 33, 64 };

    for (unsigned i = 0; i < 6; i++) {
        struct fixture f = open_with(formats[i % 3], i < 3 ? 64 : 128, 256);

        for (unsigned n = 0; n < sizeof(nums) / sizeof(nums[0]); n++) {
            f.titles = 0;
            send_messages(&f, nums[n], 0, 0);
            read_messages(&f, nums[n], 0);
            CHECK(f.titles >= 1);
        }
        close_all(&f);
    }
}

static void a_single_message_is_not_compressed(void)
{
    struct fixture f = open_with(HASH, 64, 64);

    for (unsigned i = 0; i < 10; i++) {
        send_messages(&f, 1, 0, 0);
        read_messages(&f, 1, 0);
    }
    CHECK_EQ(f.titles, 0);
    close_all(&f);
}

static void other_messages_keep_their_place(void)
{
    static const uint64_t with_imm[] = { 1, 1 << 3, 1 << 7, 0xaa, 0x7e };
    struct fixture f = open_with(CSUM, 64, 64);

    for (unsigned i = 0; i < sizeof(with_imm) / sizeof(with_imm[0]); i++) {
        send_messages(&f, 8, with_imm[i], 0);
        read_messages(&f, 8, with_imm[i]);
    }
    CHECK(f.titles >= 4);
    close_all(&f);
}

/* 13 messages at a time reach every place in a ring of 32 CQEs, also with arrays behind its end. */
static void titles_go_around_the_ring(void)
{
    struct fixture f = open_with(STRIDX, 64, 32);

    for (unsigned i = 0; i < 100; i++) {
        send_messages(&f, 13, 0, 0);
        read_messages(&f, 13, 0);
    }
    CHECK(f.titles >= 100);
    close_all(&f);
}

static void a_title_takes_so_many_messages(void)
{
    struct fixture f = open_with(HASH, 64, 128);
    struct mlx5dv_context dv = { .comp_mask = MLX5DV_CONTEXT_MASK_CQE_COMPRESION };

    CHECK_EQ(mlx5dv_query_device(f.rig.ctx, &dv), 0);
    CHECK_EQ(dv.cqe_comp_caps.max_num, MAX_NUM);
    CHECK_EQ(dv.cqe_comp_caps.supported_format, HASH | CSUM | STRIDX);
    CHECK(dv.flags & MLX5DV_CONTEXT_FLAGS_CQE_128B_COMP);
    for (unsigned i = 0; i < 20; i++) {
        send_messages(&f, MAX_NUM, 0, 0);
        read_messages(&f, MAX_NUM, 0);
    }
    close_all(&f);
}

/* A CQ that is armed reports messages that wait for others, and solicited ones. */
static void compressed_messages_have_events(void)
{
    struct fixture f = open_with(HASH, 64, 256);
    struct pollfd p = { .fd = f.channel->fd, .events = POLLIN };
    struct ibv_cq *cq;
    void *context;

    CHECK_EQ(ibv_req_notify_cq(ibv_cq_ex_to_cq(f.cq), 1), 0);
    send_messages(&f, 5, 0, 0);
    CHECK_EQ(poll(&p, 1, 50), 0);
    send_messages(&f, 5, 0, IBV_SEND_SOLICITED);
    CHECK_EQ(poll(&p, 1, 5000), 1);
    CHECK_EQ(ibv_get_cq_event(f.channel, &cq, &context), 0);
    CHECK(cq == ibv_cq_ex_to_cq(f.cq));
    ibv_ack_cq_events(cq, 1);
    read_messages(&f, 5, 0);
    read_messages(&f, 5, 0);
    close_all(&f);
}

static void wrong_formats_are_refused(void)
{
    struct fixture f = open_with(HASH, 64, 64);

    CHECK(!make_cq(&f, HASH | CSUM, 64, 64) && errno == EINVAL);
    CHECK(!make_cq(&f, HASH | CSUM | STRIDX, 64, 64) && errno == EINVAL);
    CHECK(!make_cq(&f, 0, 64, 64) && errno == EINVAL);
    close_all(&f);
}

/* CREATE_CQ with a format of mini CQEs; NULL when it is refused. */
static struct mlx5dv_devx_obj *create(struct rig *rig, struct mlx5dv_devx_umem *umem,
                                      uint32_t uar, unsigned format, uint32_t *cqn,
                                      uint8_t *status)
{
    uint8_t in[0x110] = { 0 }, out[16] = { 0 };
    struct mlx5dv_devx_obj *obj;

    put(in, 0, 16, 0x400);
    put(in, 0x80 + 0x06, 1, 1);
    put(in, 0x80 + 0x11, 1, 1);
    put(in, 0x80 + 0x12, 2, format);
    put(in, 0x80 + 0x20, 32, umem->umem_id);
    put(in, 0x80 + 0x63, 5, 5);
    put(in, 0x80 + 0x68, 24, uar);
    put(in, 0x80 + 0x1c0, 64, 4096);
    put(in, 0x2c0, 32, umem->umem_id);
    obj = mlx5dv_devx_obj_create(rig->ctx, in, sizeof(in), out, sizeof(out));
    *status = out[0];
    *cqn = (uint32_t)get(out, 0x48, 24);
    return obj;
}

static void commands_have_the_format(void)
{
    struct rig rig = rig_open(0);
    uint8_t *mem = rig_memory(8192), in[16] = { 0 }, out[0x110], status;
    struct mlx5dv_devx_umem *umem = mlx5dv_devx_umem_reg(rig.ctx, mem, 8192, 1);
    struct mlx5dv_devx_uar *uar = mlx5dv_devx_alloc_uar(rig.ctx, MLX5DV_UAR_ALLOC_TYPE_NC);
    struct mlx5dv_devx_obj *cq;
    uint32_t cqn;

    CHECK(umem && uar);
    for (unsigned format = 0; format < 4; format++) {
        cq = create(&rig, umem, uar->page_id, format, &cqn, &status);
        CHECK_EQ(cq != NULL, format != 2);
        if (!cq) {
            CHECK_EQ(status, 3);        /* BAD_PARAM */
            continue;
        }
        put(in, 0, 16, 0x402);
        put(in, 0x48, 24, cqn);
        memset(out, 0, sizeof(out));
        CHECK_EQ(mlx5dv_devx_obj_query(cq, in, sizeof(in), out, sizeof(out)), 0);
        CHECK_EQ(get(out, 0x80 + 0x11, 1), 1);
        CHECK_EQ(get(out, 0x80 + 0x12, 2), format);
        CHECK_EQ(mlx5dv_devx_obj_destroy(cq), 0);
    }
    mlx5dv_devx_free_uar(uar);
    CHECK_EQ(mlx5dv_devx_umem_dereg(umem), 0);
    rig_close(&rig);
    free(mem);
}

static const struct rig_case cases[] = {
    RIG_CASE(alike_messages_have_one_title),
    RIG_CASE(a_single_message_is_not_compressed),
    RIG_CASE(other_messages_keep_their_place),
    RIG_CASE(titles_go_around_the_ring),
    RIG_CASE(a_title_takes_so_many_messages),
    RIG_CASE(compressed_messages_have_events),
    RIG_CASE(wrong_formats_are_refused),
    RIG_CASE(commands_have_the_format),
};

RIG_MAIN(cases)
