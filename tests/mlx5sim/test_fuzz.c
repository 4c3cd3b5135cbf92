/*
 * Send firmware commands and WQEs of random content to the device. No request may end or hang the
 * device process. In half of the requests, bits of a valid request are changed, so that the request
 * passes the first checks of the device.
 *
 * usage: fuzz [ROUNDS [SEED]]; the test passes when the device still works afterwards.
 */
#include "own_queue.h"

static uint64_t state;

static uint32_t rnd(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 16) % below);
}

static void flip_bits(uint8_t *p, size_t len, unsigned flips)
{
    while (flips-- > 0) {
        size_t at = rnd((uint32_t)len);

        p[at] = rnd(2) ? (uint8_t)(p[at] ^ 1u << rnd(8)) : (uint8_t)rnd(256);
    }
}

/* ---- commands ------------------------------------------------------------------------------- */

static const uint16_t opcodes[] = { 0x100, 0x101, 0x200, 0x201, 0x203, 0x400, 0x402, 0x500, 0x502,
    0x503, 0x504, 0x505, 0x507, 0x50a, 0x50b, 0x50e, 0x600, 0x710, 0x712, 0x713, 0x754, 0x760,
    0x762, 0x740, 0x800, 0x805, 0x816, 0x842, 0x900, 0x901, 0x903, 0x904, 0x905, 0x907, 0x908,
    0x909, 0x90b, 0x90c, 0x90d, 0x90f, 0x912, 0x913, 0x915, 0x916, 0x917, 0x919, 0x92f, 0x930,
    0x932, 0x933, 0x935, 0x936, 0x937, 0x939, 0x93b, 0x93c, 0x93d, 0x940, 0xa00, 0xa02,
    0xb16, 0xb22, 0x7ff, 0x930, 0xa00, 0xa00, 0xa00,        /* a sampler needs two tables */
    0x782, 0x782, 0x784, 0x785, 0xa01 };

enum { NUM_OPCODES = sizeof(opcodes) / sizeof(opcodes[0]), NUM_OBJECTS = 32 };

static struct mlx5dv_devx_obj *objects[NUM_OBJECTS];

/* The numbers of these objects, and the commands that have made them. */
static struct {
    uint32_t number;
    unsigned opcode;
} made[NUM_OBJECTS];

/* Return the number of an object that this command has made, if there is one. Now and then it is
 * any number. */
static uint32_t number(unsigned opcode)
{
    unsigned start = rnd(NUM_OBJECTS), num = rnd(16) ? NUM_OBJECTS : 0;

    for (unsigned i = 0; i < num; i++) {
        unsigned slot = (start + i) % NUM_OBJECTS;

        if (objects[slot] && made[slot].opcode == opcode)
            return made[slot].number;
    }
    return rnd(64);
}

/* Fill in fields of the commands on SQ, RQ, TIS, RQT and TIR. */
static void fill_packet_fields(uint8_t *in, struct own_queue *q, unsigned opcode)
{
    unsigned wq = 0x100 + 0x180;

    put(in, 0x80, 64, 1u << rnd(5));            /* bitmask */
    if (opcode == 0x904 || opcode == 0x908) {
        memset(in + 0x20, 0, 0x90);
        put(in, 0x100 + 0x48, 24, q->cqn);
        put(in, 0x100 + 0x100, 16, 1);
        put(in, 0x100 + 0x168, 24, number(0x912));
        put(in, wq, 4, 1);
        put(in, wq + 0x48, 24, q->rig->pdn);
        put(in, wq + 0x68, 24, q->uar->page_id);
        put(in, wq + 0x80, 64, rnd(OWN_BYTES));
        put(in, wq + 0x10c, 4, opcode == 0x904 ? 6 : 4 + rnd(6));
        put(in, wq + 0x11b, 5, rnd(8));
        put(in, wq + 0x140, 32, q->umem->umem_id);
        put(in, wq + 0x160, 32, q->umem->umem_id);
    } else if (opcode == 0x905 || opcode == 0x909) {
        put(in, 0x40, 4, rnd(4));
        put(in, 0x100 + 0x08, 4, rnd(4));
    } else if (opcode == 0x912 || opcode == 0x913) {
        put(in, 0x100 + 0x128, 24, number(0x816));
    } else if (opcode == 0x916 || opcode == 0x917) {
        put(in, 0x100 + 0xb0, 16, rnd(520));
        put(in, 0x100 + 0xd0, 16, 1 + rnd(4));
        for (unsigned i = 0; i < 4; i++)
            put(in, 0x880 + 32 * i, 32, number(0x908));
    } else {
        put(in, 0x100 + 0x20, 4, rnd(3));
        put(in, 0x100 + 0xe8, 24, number(0x908));
        put(in, 0x100 + 0x108, 24, number(0x916));
        put(in, 0x100 + 0x120, 4, rnd(2) * 2);
        put(in, 0x100 + 0x128, 24, rnd(2) ? number(0x816) : 0);
    }
}

/* Fill in fields of the commands on flow tables, groups, entries, counters and contexts. */
static void fill_flow_fields(uint8_t *in, unsigned opcode)
{
    memset(in + 6, 0, 0x3a);
    put(in, 0x80, 8, rnd(4) ? 0 : rnd(3));      /* table_type; in 0x939 it is not used */
    put(in, 0xa8, 24, number(0x930));
    if (opcode == 0x930 || opcode == 0x93c) {
        put(in, 0x70, 16, opcode == 0x93c);
        put(in, 0xc0, 2, rnd(4));
        put(in, 0xc0 + 0x04, 4, rnd(2) ? 0 : rnd(3));
        put(in, 0xc0 + 0x08, 8, rnd(140));
        put(in, 0xc0 + 0x18, 8, rnd(20));
        put(in, 0xc0 + 0x28, 24, number(0x930));
    } else if (opcode == 0x933 || opcode == 0x935) {
        put(in, 0xc0, 32, 0);
        put(in, 0xe0, 32, rnd(8));
        put(in, 0x120, 32, rnd(8) + 4);
        put(in, 0x1f8, 8, 0xff);
        memset(in + 0x40, 0, 0x200);
        put(in, 0x200 + (rnd(2) ? 0xf0 : 0x80), 8, 0xff);
    } else if (opcode == 0x936 || opcode == 0x937) {
        put(in, 0x30, 16, rnd(2));
        put(in, 0xd8, 8, rnd(16));
        put(in, 0x100, 32, rnd(12));
        put(in, 0x200 + 0x20, 32, number(0x933));
        put(in, 0x200 + 0x70, 16, 1u << rnd(4) | (rnd(2) ? 1u << rnd(12) : 0));
        put(in, 0x200 + 0x80, 8, 0);
        put(in, 0x200 + 0x88, 24, rnd(2));
        put(in, 0x200 + 0xa8, 24, rnd(2));
        put(in, 0x200 + 0xc0, 32, number(0x93d));
        put(in, 0x200 + 0xe0, 32, number(0x940));
        for (unsigned i = 0; i < 3; i++) {
            put(in, 0x1a00 + 64 * i, 32, number(0x939));
            put(in, 0x1a00 + 64 * i + 32, 32, 0);
        }
        if (get(in, 0x200 + 0x88, 24)) {
            put(in, 0x1a00, 8, rnd(2) ? 1 : 2);
            put(in, 0x1a08, 24, number(get(in, 0x1a00, 8) == 1 ? 0x930 : 0x900));
        }
    } else if (opcode == 0x939) {
        put(in, 0x60, 32, rnd(2) ? 1u << rnd(8) : 0);
    } else if (opcode == 0x93b) {
        put(in, 0xc0, 2, rnd(4));
        put(in, 0xc2, 30, rnd(300));
        put(in, 0xe0, 32, number(0x939) + (rnd(2) ? rnd(200) : 0));
    } else if (opcode == 0x93d) {
        put(in, 0xe0, 8, rnd(5));
        put(in, 0xe0 + 0x16, 10, rnd(2) ? 14 : rnd(300));
    } else {
        put(in, 0x60, 8, rnd(3));
        put(in, 0x78, 8, rnd(3));
        for (unsigned i = 0; i < 3; i++) {
            put(in, 0x80 + 64 * i, 4, 1 + rnd(3));
            put(in, 0x84 + 64 * i, 12, 1 + rnd(0x18));
            put(in, 0x90 + 64 * i, 16, rnd(2) ? 8 : rnd(1 << 16));
        }
    }
}

static void fill_sampler_fields(uint8_t *in)
{
    put(in, 0x30, 16, 0x20);
    put(in, 0x60, 32, 0);
    put(in, 0xc0, 16, rnd(4) ? rnd(64) : rnd(140));     /* table_type 0, level */
    put(in, 0xdf, 1, rnd(2));                   /* ignore_flow_level */
    put(in, 0xe0, 32, rnd(8));
    put(in, 0x108, 24, number(0x930));
    put(in, 0x128, 24, number(0x930));
}

static void fill_meter_fields(uint8_t *in)
{
    put(in, 0x30, 16, 0xa);
    put(in, 0x60, 32, 0);
    put(in, 0x80, 64, rnd(8) ? rnd(32) : rnd(1 << 16));         /* selected fields */
    put(in, 0xc4, 4, rnd(8) ? rnd(8) : rnd(16));                /* register */
    put(in, 0xc8, 8, 0);
    put(in, 0xe8, 24, number(0x930));
    put(in, 0x182, 2, rnd(4));
    put(in, 0x186, 2, rnd(4));
}

/* A scheduling element, in the command of general objects or in those of its own. */
static void fill_element_fields(uint8_t *in, bool is_general)
{
    uint8_t *context = in + (is_general ? 0x30 : 0x20);

    if (is_general)
        put(in, 0x30, 16, 0x26);
    put(in, is_general ? 0xc0 : 0x40, 8, rnd(8) ? 3 : rnd(256));
    put(in, is_general ? 0x80 : 0xa0, is_general ? 64 : 32, rnd(8) ? rnd(4) : rnd(1 << 16));
    put(context, 0x00, 8, rnd(2) ? 4 : rnd(6));
    put(context, 0x28, 8, rnd(8) == 0);
    put(context, 0x40, 32, rnd(3) ? number(rnd(2) ? 0x782 : 0xa00) : 0);
    put(context, 0xa0, 32, rnd(2) ? 0 : rnd(110));
    put(context, 0xc0, 32, rnd(2) ? 0 : rnd(1 << 16));
}

/* Fill in the fields without which the device would refuse every create command at its first
 * checks. */
static void fill_valid_fields(uint8_t *in, struct own_queue *q)
{
    unsigned opcode = (unsigned)get(in, 0, 16);

    if (opcode == 0x200) {
        put(in, 0x80 + 0x68, 24, q->rig->pdn);
        put(in, 0x80 + 0x16, 2, rnd(4));
        put(in, 0x80 + 0x60, 2, 0);
        put(in, 0x80 + 0xc0, 64, rnd(20000));
        put(in, 0x300, 32, rnd(8));
        put(in, 0x320, 32, q->umem->umem_id);
        put(in, 0x340, 64, rnd(4096));
    } else if (opcode == 0x400) {
        put(in, 0x80 + 0x20, 32, q->umem->umem_id);
        put(in, 0x80 + 0x63, 5, rnd(10));
        put(in, 0x80 + 0x68, 24, q->uar->page_id);
        put(in, 0x80 + 0x1c0, 64, rnd(OWN_BYTES));
        put(in, 0x280, 64, rnd(4096));
        put(in, 0x2c0, 32, q->umem->umem_id);
    } else if (opcode == 0x500) {
        put(in, 0xc8, 8, rnd(6));
        put(in, 0xc0 + 0x28, 24, q->rig->pdn);
        put(in, 0xc0 + 0x68, 24, q->uar->page_id);
        put(in, 0xc0 + 0x49, 4, rnd(6));
        put(in, 0xc0 + 0x51, 4, rnd(6));
        put(in, 0xc0 + 0x3e8, 24, q->cqn);
        put(in, 0xc0 + 0x4e8, 24, q->cqn);
        put(in, 0xc0 + 0x565, 3, rnd(4));
        put(in, 0xc0 + 0x500, 64, rnd(OWN_BYTES));
        put(in, 0xc0 + 0x720, 32, q->umem->umem_id);
        put(in, 0x800, 64, rnd(8192));
        put(in, 0x840, 32, q->umem->umem_id);
    } else if (opcode == 0x710) {
        put(in, 0x80 + 0x48, 24, q->cqn);
        put(in, 0x80 + 0xa8, 24, 0x10 + rnd(16));
        put(in, 0x80 + 0xc8, 24, q->rig->pdn);
        put(in, 0x80 + 0x145, 3, rnd(8));
        put(in, 0x80 + 0x148, 8, rnd(2));
    } else if (opcode == 0x90c) {
        put(in, 0x280 + 0x48, 24, q->rig->pdn);
        put(in, 0x280 + 0x10c, 4, 4 + rnd(6));
        put(in, 0x280 + 0x11b, 5, rnd(8));
        put(in, 0x280 + 0x140, 32, q->umem->umem_id);
        put(in, 0x280 + 0x160, 32, q->umem->umem_id);
    } else if (opcode >= 0x900 && opcode < 0x930) {
        fill_packet_fields(in, q, opcode);
    } else if (opcode >= 0x930 && opcode <= 0x940) {
        fill_flow_fields(in, opcode);
    } else if (opcode >= 0x782 && opcode <= 0x785) {
        fill_element_fields(in, false);
    } else if (opcode >> 4 == 0xa0 && rnd(4)) {
        switch (rnd(3)) {
        case 0: fill_sampler_fields(in); break;
        case 1: fill_meter_fields(in); break;
        default: fill_element_fields(in, true);
        }
    } else if ((opcode >= 0x502 && opcode <= 0x50e) || opcode >> 1 == 0x712 >> 1) {
        put(in, 0x48, 24, q->qpn + rnd(8));
    }
}

/* Remember the number of a new object. Most outputs have it in bits 0x48 to 0x5f. An entry has the
 * index that the program gives. */
static void remember(unsigned slot, const uint8_t *in, const uint8_t *out)
{
    unsigned opcode = (unsigned)get(in, 0, 16);

    made[slot].opcode = opcode;
    made[slot].number = (uint32_t)(opcode == 0x936 ? get(in, 0x100, 32)
        : opcode == 0x782 ? get(out, 0x80, 32)
        : opcode == 0x939 || opcode > 0x93c ? get(out, 0x40, 32) : get(out, 0x48, 24));
}

/* Turn a command into one on an object: the commands that modify or query it, and where they have
 * its number. */
static void fill_handle(uint8_t *in, struct own_queue *q, unsigned slot)
{
    static const struct { uint16_t create, opcode, bit, width; } rows[] = {
        { 0x900, 0x901, 0x48, 24 }, { 0x900, 0x903, 0x48, 24 }, { 0x904, 0x905, 0x48, 24 },
        { 0x904, 0x907, 0x48, 24 }, { 0x908, 0x909, 0x48, 24 }, { 0x908, 0x90b, 0x48, 24 },
        { 0x912, 0x913, 0x48, 24 }, { 0x912, 0x915, 0x48, 24 }, { 0x916, 0x917, 0x48, 24 },
        { 0x916, 0x919, 0x48, 24 }, { 0x930, 0x932, 0xa8, 24 }, { 0x930, 0x93c, 0xa8, 24 },
        { 0x933, 0x935, 0xc0, 32 }, { 0x936, 0x937, 0x100, 32 }, { 0x936, 0x936, 0x100, 32 },
        { 0x939, 0x93b, 0xe0, 32 }, { 0xa00, 0xa02, 0x40, 32 }, { 0xa00, 0xa01, 0x40, 32 },
        { 0x782, 0x784, 0x60, 32 }, { 0x782, 0x785, 0x60, 32 } };
    enum { NUM_ROWS = sizeof(rows) / sizeof(rows[0]) };
    unsigned i = rnd(NUM_ROWS);

    for (unsigned tries = 0; tries < NUM_ROWS && rows[i].create != made[slot].opcode; tries++)
        i = (i + 1) % NUM_ROWS;
    if (rows[i].create != made[slot].opcode)
        return;
    put(in, 0, 16, rows[i].opcode);
    fill_valid_fields(in, q);
    put(in, rows[i].bit, rows[i].width, made[slot].number);
}

static void one_command(struct own_queue *q)
{
    static uint8_t in[0x400], out[0x1100];
    size_t in_len = 8 + rnd(sizeof(in) - 8), out_len = 16 + rnd(sizeof(out) - 16);
    unsigned slot = rnd(NUM_OBJECTS);
    int status;

    for (size_t i = 0; i < sizeof(in); i++)
        in[i] = rnd(4) ? 0 : (uint8_t)rnd(256);
    put(in, 0, 16, opcodes[rnd(NUM_OPCODES)]);
    if (rnd(4)) {
        in_len = sizeof(in);
        fill_valid_fields(in, q);
        flip_bits(in, sizeof(in), rnd(4));
    }
    if (rnd(3) == 0) {
        status = mlx5dv_devx_general_cmd(q->rig->ctx, in, in_len, out, out_len);
        (void)status;
    } else if (objects[slot] && rnd(2)) {
        if (in_len == sizeof(in))
            fill_handle(in, q, slot);
        status = rnd(2) ? mlx5dv_devx_obj_modify(objects[slot], in, in_len, out, out_len)
                        : mlx5dv_devx_obj_query(objects[slot], in, in_len, out, out_len);
        (void)status;
    } else {
        if (objects[slot] && rnd(4) == 0 && mlx5dv_devx_obj_destroy(objects[slot]) == 0)
            objects[slot] = NULL;
        if (!objects[slot]) {
            objects[slot] = mlx5dv_devx_obj_create(q->rig->ctx, in, in_len, out, out_len);
            if (objects[slot])
                remember(slot, in, out);
        }
    }
}

/* ---- work ----------------------------------------------------------------------------------- */

static void one_wqe(struct own_queue *q, struct ibv_mr *mr)
{
    static const uint8_t wqe_opcodes[] = { 0, 1, 8, 9, 10, 11, 16, 17, 18, 0x20, 0x25, 0x2f, 0x33 };
    unsigned ds = rnd(8) ? 1 + rnd(16) : rnd(64);
    uint8_t *wqe = own_wqe(q, wqe_opcodes[rnd(sizeof(wqe_opcodes))], rnd(3), 1, rnd(2));

    put(wqe, 56, 8, ds);
    for (unsigned at = 16; at < 64; at += 16) {
        struct rig_side side = { (uint8_t *)mr->addr + rnd(4096), rnd(5000), mr->lkey };

        own_data(wqe + at, side);
        if (rnd(3) == 0)
            put(wqe, at * 8, 32, 0x80000000u | rnd(2000));
    }
    q->pi = (uint16_t)(q->pi - 1 + (ds + 3) / 4);
    flip_bits(wqe, 64, rnd(4));
    if (rnd(3) == 0)
        own_receive(q, (struct rig_side){ mr->addr, rnd(4096), mr->lkey ^ (rnd(8) == 0) });
    own_ring(q, wqe);
    if (rnd(16) == 0)
        flip_bits(q->mem, OWN_BYTES, 20);
}

/* An indirect key that UMR WQEs fill. Its entries may name the key itself. Each UMR is followed by
 * a WQE that uses the key. */
static struct mlx5dv_devx_obj *umr_obj, *umr_psv, *umr_dek;
static uint32_t umr_key, psv_number, dek_number;

/* A PSV and a DEK, which the BSFs of the WQEs name. */
static void umr_create_others(struct own_queue *q)
{
    uint8_t psv_in[16] = { 0 }, dek_in[0x110] = { 0 }, out[32] = { 0 };

    put(psv_in, 0, 16, 0x600);
    put(psv_in, 0x40, 4, 1);
    put(psv_in, 0x48, 24, q->rig->pdn);
    umr_psv = mlx5dv_devx_obj_create(q->rig->ctx, psv_in, sizeof(psv_in), out, sizeof(out));
    CHECK(umr_psv);
    psv_number = (uint32_t)get(out, 0x88, 24);
    put(dek_in, 0, 16, 0xa00);
    put(dek_in, 0x30, 16, 0xc);
    put(dek_in + 16, 0x5c, 4, 3);
    put(dek_in + 16, 0x68, 24, q->rig->pdn);
    umr_dek = mlx5dv_devx_obj_create(q->rig->ctx, dek_in, sizeof(dek_in), out, sizeof(out));
    CHECK(umr_dek);
    dek_number = (uint32_t)get(out, 0x40, 32);
}

/* Descriptions of signatures, of encryption, or of both, in 4 or 8 octowords. */
static void fill_bsf(uint8_t *bsf, unsigned octowords)
{
    static const uint8_t formats[] = { 0, 0, 0x22, 0x23, 0x42, 0x52 };
    bool both = octowords == 8, only_crypto = !both && rnd(2);

    memset(bsf, 0, octowords * 16);
    put(bsf, 0, 2, both ? 3 : 2);
    put(bsf, 3, 1, rnd(4) == 0);
    put(bsf, 8, 24, rnd(1 << 24));
    put(bsf, 0x10, 8, rnd(8));
    put(bsf, 0x18, 8, rnd(8));
    put(bsf, 0x40, 8, formats[rnd(6)]);
    put(bsf, 0x48, 24, psv_number);
    put(bsf, 0x60, 8, formats[rnd(6)]);
    put(bsf, 0x68, 24, psv_number);
    for (unsigned at = 32; at < 64; at += 16) {
        put(bsf + at, 0, 1, 1);
        put(bsf + at, 0x40, 8, 1 + rnd(2));
        put(bsf + at, 0x48, 8, 0x80 | rnd(128));
        put(bsf + at, 0x68, 8, rnd(256));
    }
    if (!both && !only_crypto)
        return;
    bsf += both ? 64 : 0;
    memset(bsf, 0, 64);
    put(bsf, 0, 2, both ? 3 : 2);
    put(bsf, 6, 2, 1);
    put(bsf, 8, 8, rnd(4));
    put(bsf, 0x40, 8, 1 + rnd(3));
    put(bsf, 0x108, 24, dek_number);
}

static void umr_create(struct own_queue *q)
{
    uint8_t in[0x110] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, 0x200);
    put(in, 0x80 + 0x10, 6, 0x3f);      /* umr_en and all permissions */
    put(in, 0x80 + 0x16, 2, 2);
    put(in, 0x80 + 0x20, 24, 0xffffff);
    put(in, 0x80 + 0x61, 1, 1);         /* a BSF of 8 octowords, also for encryption */
    put(in, 0x80 + 0x68, 24, q->rig->pdn);
    put(in, 0x80 + 0x100, 32, 8);
    put(in, 0x80 + 0x1a0, 32, 16);
    put(in, 0x80 + 0x1e3, 2, 1);
    umr_obj = mlx5dv_devx_obj_create(q->rig->ctx, in, sizeof(in), out, sizeof(out));
    CHECK(umr_obj);
    umr_key = (uint32_t)get(out, 0x48, 24) << 8;
    umr_create_others(q);
}

static void one_umr(struct own_queue *q, struct ibv_mr *mr)
{
    static uint8_t wqe[1024];
    unsigned ds = 8 + rnd(20), octowords = rnd(ds - 7), bbs;
    unsigned bsf = rnd(2) ? 4u << rnd(2) : 0;
    uint16_t index = q->pi;
    uint8_t *use;

    ds = bsf ? 8 + octowords + bsf : ds;
    bbs = (ds + 3) / 4;
    memset(wqe, 0, sizeof(wqe));
    put(wqe, 8, 16, index);
    put(wqe, 24, 8, 0x25);
    put(wqe, 32, 24, q->qpn);
    put(wqe, 56, 8, ds);
    put(wqe, 88, 8, 8);
    put(wqe, 96, 32, umr_key);
    put(wqe, 128, 1, rnd(8) != 0);      /* inline */
    put(wqe, 160, 16, octowords);
    put(wqe, 192, 64, 0x41 | (rnd(4) == 0 ? rnd(1 << 30) & ~0x2000u : 0));
    put(wqe, 512 + 0x80, 64, rnd(4096));
    put(wqe, 512 + 0xc0, 64, rnd(2) ? rnd(100000) : (uint64_t)-1);
    for (unsigned i = 0; i < 16; i++) {
        uint8_t *entry = wqe + 128 + i * 16;

        rig_entry(entry, rnd(4) ? rnd(300) : rnd(0x7fffffff), rnd(3) ? mr->lkey : umr_key,
                  (uint8_t *)mr->addr + rnd(4096));
        if (i == 0 && rnd(2)) {
            put(entry, 32, 32, 0x400);
            put(entry, 64, 32, rnd(0x7fffffff));
            put(entry, 112, 16, rnd(8));
        } else if (rnd(2)) {
            put(entry, 0, 16, rnd(64));
            put(entry, 16, 16, rnd(4));
        }
    }
    if (bsf) {
        fill_bsf(wqe + 128 + octowords * 16, bsf);
        put(wqe, 128 + 0x30, 16, bsf);
        put(wqe, 192, 64, 0x41 | 1u << 12 | 1u << 9);
        put(wqe, 512 + 0x61, 1, rnd(8) != 0);
        put(wqe, 512 + 0x80, 64, 0);
    }
    flip_bits(wqe + 64, 256, rnd(3));
    for (unsigned i = 0; i < bbs; i++)
        memcpy(q->mem + OWN_SQ_AT + (index + i) % OWN_SQ * 64, wqe + i * 64, 64);
    q->pi = (uint16_t)(q->pi + bbs);
    use = own_wqe(q, rnd(2) ? 8 : 16, 0, 3, true);
    put(use, 0x80, 64, bsf ? 0 : rnd(8192));
    put(use, 0xc0, 32, umr_key);
    own_data(use + 32, (struct rig_side){ mr->addr, bsf ? 512 * (1 + rnd(8)) + rnd(2) * 8
                                                        : rnd(8192), mr->lkey });
    own_ring(q, use);
}

static void reset_queue(struct own_queue *q)
{
    static const uint16_t steps[] = { 0x50a, 0x502, 0x503, 0x504 };
    uint8_t in[0x110], out[16];

    q->pi = q->rq_pi = 0;
    own_record(q);
    q->ci = 0;
    for (unsigned i = 0; i < 4; i++) {
        memset(in, 0, sizeof(in));
        put(in, 0, 16, steps[i]);
        put(in, 0x48, 24, q->qpn);
        put(in, 0xc0 + 0x490, 3, 7);
        put(in, 0xc0 + 0xa8, 24, q->qpn);
        put(in, 0xc0 + 0x4a3, 5, 1);
        put(in, 0x180 + 0x40, 5, 1);
        CHECK_EQ(mlx5dv_devx_obj_modify(q->qp, in, sizeof(in), out, sizeof(out)), 0);
    }
}

static void still_works(void)
{
    struct rig rig = rig_open(0);
    struct own_queue q = (own_ignores_overrun = false, own_open(&rig, false));

    own_ring(&q, own_wqe(&q, 0, 0, 1, true));
    CHECK_EQ(own_syndrome(&q, 0), 0);
    own_close(&q);
    rig_close(&rig);
}

static unsigned rounds = 2000;

static void random_requests_do_not_end_the_device(void)
{
    struct rig rig = rig_open(0);
    struct own_queue q = (own_ignores_overrun = true, own_open(&rig, true));
    uint8_t *mem = rig_memory(8192);
    struct ibv_mr *mr = ibv_reg_mr(rig.pd, mem, 8192, RIG_ALL_ACCESS);

    CHECK(mr);
    umr_create(&q);
    for (unsigned i = 0; i < rounds; i++) {
        if (i % 8 == 0)
            reset_queue(&q);
        one_command(&q);
        if (i % 8 == 0)
            one_umr(&q, mr);
        else
            one_wqe(&q, mr);
    }
    still_works();
    ibv_close_device(rig.ctx);  /* while its objects still exist */
    still_works();
}

static const struct rig_case cases[] = { RIG_CASE(random_requests_do_not_end_the_device) };

int main(int argc, char **argv)
{
    if (argc > 1)
        rounds = (unsigned)atoi(argv[1]);
    state = 0x9e3779b97f4a7c15 + (argc > 2 ? (uint64_t)atoll(argv[2]) * 77777 : 0);
    return rig_main(1, argv, cases, 1);
}
