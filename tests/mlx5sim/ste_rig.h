/*
 * Helpers for tests of steering entries that a program writes without libmlx5's help, into the
 * memory of the device.
 */
#ifndef MLX5SIM_TEST_STE_RIG_H
#define MLX5SIM_TEST_STE_RIG_H

#include "flow_rig.h"

enum { STE = 64, NUM = 64, PIECE = NUM * STE, LISTS = 4096, WRITE_AT = 1 << 15, STE_LEVEL = 1 };
enum { RX_ENTRY = 2, TX_ENTRY = 1, CHANGES = 6 };               /* entry_type */
enum { DONT_CARE = 0x0f, TAG = 0x100, MASK = 0x180 };           /* lookup type; bits of an entry */
enum { TUNNELING = 0xa1, DESCRIPTION = 0xa4 };                  /* bits of an entry */
enum { REMOVE_L2 = 2, REMOVE_L3 = 3 };                          /* values of TUNNELING */
enum { ENCAP_L3 = 3, ENCAP = 4 };                               /* action_type */

#define AT_ALLOW 0xb000000000ull        /* the address for packets that leave the function */

/* Memory of the device, and a table whose first entry is at its start. */
struct ste {
    struct flow_rig rig;
    struct ibv_context *ctx;
    struct ibv_qp *qp;          /* writes into the memory of the device */
    struct ibv_dm *dm[2];       /* entries, lists of header changes */
    struct ibv_mr *mr[2];
    uint64_t at[2];
    struct made table;
    struct root root;
    uint8_t entries[PIECE], lists[LISTS];
};

__attribute__((unused)) static uint64_t address_of(struct ibv_dm *dm)
{
    struct mlx5dv_dm dv = { .comp_mask = MLX5DV_DM_MASK_REMOTE_VA };
    struct mlx5dv_obj obj = { .dm = { dm, &dv } };

    CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_DM), 0);
    return dv.remote_va;
}

__attribute__((unused)) static struct ste *ste_open(unsigned type)
{
    static const enum mlx5dv_alloc_dm_type types[] = { MLX5DV_DM_TYPE_STEERING_SW_ICM,
                                                       MLX5DV_DM_TYPE_HEADER_MODIFY_SW_ICM };
    static const size_t lens[] = { PIECE, LISTS };
    struct ste *ste = calloc(1, sizeof(*ste));
    uint8_t in[0x40] = { 0 };
    struct table table = { .type = type };

    CHECK(ste);
    ste->rig = flow_open(0);
    ste->ctx = ste->rig.raw.rig.ctx;
    ste->qp = rig_loop(&ste->rig.raw.rig, (struct rig_qp_options){ .access = 0 });
    for (unsigned i = 0; i < 2; i++) {
        struct mlx5dv_alloc_dm_attr of_dv = { .type = types[i] };
        struct ibv_alloc_dm_attr attr = { .length = lens[i] };

        ste->dm[i] = mlx5dv_alloc_dm(ste->ctx, &attr, &of_dv);
        CHECK(ste->dm[i]);
        ste->mr[i] = ibv_reg_dm_mr(ste->rig.raw.rig.pd, ste->dm[i], 0, lens[i],
                                   RIG_ALL_ACCESS | IBV_ACCESS_ZERO_BASED);
        CHECK(ste->mr[i]);
        ste->at[i] = address_of(ste->dm[i]);
    }
    put(in, 0x80, 8, type);
    put(in, 0xc0 + 0x02, 1, 1);
    put(in, 0xc0 + 0x08, 8, STE_LEVEL);
    put(in, 0xc0 + 0x100, 64, ste->at[0]);
    ste->table = table.made = make(ste->ctx, in, sizeof(in), 0x930, 0x48);
    CHECK_EQ(ste->table.status, OK);
    ste->root = root_to(ste->ctx, &table);
    return ste;
}

__attribute__((unused)) static void ste_close(struct ste *ste)
{
    root_end(&ste->root);
    unmake(&ste->table);
    for (unsigned i = 0; i < 2; i++) {
        CHECK_EQ(ibv_dereg_mr(ste->mr[i]), 0);
        CHECK_EQ(ibv_free_dm(ste->dm[i]), 0);
    }
    CHECK_EQ(ibv_destroy_qp(ste->qp), 0);
    flow_close(&ste->rig);
    free(ste);
}

/* Copy the entries and the lists into the memory of the device. */
__attribute__((unused)) static void ste_write(struct ste *ste)
{
    const uint8_t *from[] = { ste->entries, ste->lists };
    static const uint32_t lens[] = { PIECE, LISTS };

    for (unsigned i = 0; i < 2; i++) {
        uint8_t *mem = ste->rig.raw.mem + WRITE_AT;

        memcpy(mem, from[i], lens[i]);
        rig_post(ste->qp, IBV_WR_RDMA_WRITE,
                 (struct rig_side){ mem, lens[i], ste->rig.raw.mr->lkey }, 0, ste->mr[i]->rkey,
                 IBV_SEND_SIGNALED);
        CHECK_EQ(rig_poll(ste->rig.raw.rig.cq).status, IBV_WC_SUCCESS);
    }
}

/* Make an entry that takes every packet and sends it to an address. */
static uint8_t *take_all(struct ste *ste, unsigned index, unsigned type, uint64_t next)
{
    uint8_t *entry = ste->entries + index * STE;

    memset(entry, 0, STE);
    put(entry, 0x00, 4, type);
    put(entry, 0x08, 8, DONT_CARE);
    put(entry, 0x30, 8, DONT_CARE);
    put(entry, 0x38, 8, next >> 32);
    put(entry, 0x40, 27, (next & 0xffffffff) >> 5 | 1);         /* the table has one entry */
    return entry;
}

/* Let an entry execute the first `num` actions of the lists. */
__attribute__((unused)) static void entry_changes(struct ste *ste, uint8_t *entry, unsigned num)
{
    put(entry, 0x60, 16, num);
    put(entry, 0x80, 32, (ste->at[1] - 0x200000000) / 64);
}

/* Let an entry for sent packets add the headers of a packet reformat context. */
__attribute__((unused)) static void entry_adds(uint8_t *entry, unsigned type, uint32_t context)
{
    put(entry, 0x66, 3, type);
    put(entry, 0x80, 32, context);
}

__attribute__((unused)) static void action(uint8_t *list, unsigned opcode, unsigned code,
                                           unsigned shift, unsigned length, uint32_t data)
{
    memset(list, 0, 8);
    put(list, 0x00, 8, opcode);
    put(list, 0x08, 8, code);
    put(list, 0x12, 6, shift);
    put(list, 0x1b, 5, length);
    put(list, 0x20, 32, data);
}

__attribute__((unused)) static uint64_t tir_of_rig(const struct ste *ste)
{
    return 0x8000000000 | (uint64_t)ste->rig.tir.number << 6;
}

#endif
