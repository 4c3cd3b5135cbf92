/* ---- >>mlx5.layout --------------------------------------------------------------------------
 * Data layouts that the hardware defines, with the names of the programmer's reference manual
 * (PRM). All fields are big-endian. There is one function for each kind of WQE. Fields of commands
 * are identified by the number of their first bit. A WQE is built from a per-queue template (the
 * `model`) and is written in words of 4 and 8 bytes; no structure is cast onto a ring.          */
#include "mlx5/layout_priv.h"

#include "mlx5/config.h"
#include "mlx5/platform_priv.h"
#include "mlx5/wqe_priv.h"

#define DOCA_PRIV_MLX5_FENCE 0x80 /* bit of fm_ce_se: wait for earlier READs and atomics */

struct doca_priv_mlx5_atomic_seg {
    uint64_t swap_add;
    uint64_t compare;
};

struct doca_priv_mlx5_atomic_wqe {
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_raddr_seg remote;
    struct doca_priv_mlx5_atomic_seg atomic;
    struct doca_priv_mlx5_data_seg scatter;
};

DOCA_PRIV_MLX5_ASSERT(ctrl, sizeof(struct doca_priv_mlx5_ctrl_seg) == 16);
DOCA_PRIV_MLX5_ASSERT(data, sizeof(struct doca_priv_mlx5_data_seg) == 16);
DOCA_PRIV_MLX5_ASSERT(mmo, sizeof(struct doca_priv_mlx5_mmo_wqe) == DOCA_PRIV_MLX5_WQEBB);
DOCA_PRIV_MLX5_ASSERT(write, sizeof(struct doca_priv_mlx5_write_wqe) == 48);
DOCA_PRIV_MLX5_ASSERT(inline, sizeof(struct doca_priv_mlx5_inline_wqe) == DOCA_PRIV_MLX5_WQEBB);
DOCA_PRIV_MLX5_ASSERT(max_inline, DOCA_CORE_MLX5_MAX_INLINE <= DOCA_PRIV_MLX5_INLINE_BYTES);
DOCA_PRIV_MLX5_ASSERT(atomic, sizeof(struct doca_priv_mlx5_atomic_wqe) == DOCA_PRIV_MLX5_WQEBB);
DOCA_PRIV_MLX5_ASSERT(model, sizeof(struct doca_priv_mlx5_model) == 32);
DOCA_PRIV_MLX5_ASSERT(cqe, sizeof(struct doca_priv_mlx5_cqe) == 64);
DOCA_PRIV_MLX5_ASSERT(cqe_counter, offsetof(struct doca_priv_mlx5_cqe, wqe_counter) == 60);
DOCA_PRIV_MLX5_ASSERT(cqe_syndrome, offsetof(struct doca_priv_mlx5_cqe, syndrome) == 55);

/* Fill the control segment of a queue's model, the template of its WQEs. The WQEs write a CQE also
 * on success unless doca_priv_mlx5_unsignal() changes them. */
static void doca_priv_mlx5_model_ctrl(struct doca_priv_mlx5_ctrl_seg *ctrl, uint32_t opmod,
                                      uint32_t opcode, uint32_t qpn, uint32_t ds)
{
    memset(ctrl, 0, sizeof(*ctrl));
    ctrl->opmod_idx_opcode = DOCA_PRIV_MLX5_BE32(opmod << 24 | opcode);
    ctrl->qpn_ds = DOCA_PRIV_MLX5_BE32(qpn << 8 | ds);
    ctrl->fm_ce_se = DOCA_PRIV_MLX5_CE_ALWAYS;
}

/* Fill the model for copies by the DMA engine. The engine writes to the opaque buffer. */
DOCA_PRIV_DECL void doca_priv_mlx5_model_mmo(struct doca_priv_mlx5_model *model, uint32_t qpn,
                                             uint32_t opaque_lkey, uint64_t opaque_addr)
{
    doca_priv_mlx5_model_ctrl(&model->ctrl, DOCA_PRIV_MLX5_OPMOD_MMO_DMA,
                              DOCA_PRIV_MLX5_OPCODE_MMO, qpn, 4);
    model->mmo.control_31_0 = 0;
    model->mmo.opaque_lkey = DOCA_PRIV_MLX5_BE32(opaque_lkey);
    model->mmo.opaque_addr = DOCA_PRIV_MLX5_BE64(opaque_addr);
}

/* Fill the model for copies by RDMA WRITE. */
DOCA_PRIV_DECL void doca_priv_mlx5_model_write(struct doca_priv_mlx5_model *model, uint32_t qpn)
{
    memset(model, 0, sizeof(*model));
    doca_priv_mlx5_model_ctrl(&model->ctrl, 0, DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE, qpn, 3);
}

/* Write the WQE of a copy by RDMA WRITE with any number of sources. The ring has mask + 1 basic
 * blocks; the WQE may wrap around its end. */
DOCA_PRIV_DECL void doca_priv_mlx5_pack_gather(unsigned char *sq, uint32_t mask,
                                               const struct doca_priv_mlx5_model *model,
                                               uint32_t index,
                                               const struct doca_priv_mlx5_copy *copy)
{
    const size_t last = (size_t)mask * 4 + 3; /* in units of 16 bytes, the size of a segment */
    unsigned char *wqe = sq + (size_t)(index & mask) * DOCA_PRIV_MLX5_WQEBB;
    uint32_t i;

    doca_priv_mlx5_put_remote(wqe, copy->to_key, copy->to);
    for (i = 0; i < copy->num; i++)
        doca_priv_mlx5_put_data(sq + (((size_t)index * 4 + 2 + i) & last) * 16,
                                doca_priv_mlx5_byte_count(copy->from[i].length),
                                copy->from[i].lkey, copy->from[i].addr);
    (void)doca_priv_mlx5_put_model(wqe, model, sizeof(model->ctrl), index, 3u ^ (2 + copy->num));
}

/* Write the WQE of an access to a sync event's value, with a fence. */
DOCA_PRIV_DECL void doca_priv_mlx5_pack_access_8(unsigned char *wqe, uint32_t qpn, uint32_t index,
                                                 const struct doca_priv_mlx5_access_8 *a)
{
    const bool is_atomic = a->opcode == DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA;
    struct doca_priv_mlx5_atomic_wqe w;
    unsigned char *data = (unsigned char *)(is_atomic ? (void *)&w.scatter : (void *)&w.atomic);

    memset(&w, 0, sizeof(w));
    doca_priv_mlx5_model_ctrl(&w.ctrl, 0, a->opcode | (index & 0xffff) << 8, qpn,
                              is_atomic ? 4 : 3);
    w.ctrl.fm_ce_se |= DOCA_PRIV_MLX5_FENCE;
    w.remote.raddr = DOCA_PRIV_MLX5_BE64(a->addr);
    w.remote.rkey = DOCA_PRIV_MLX5_BE32(a->rkey);
    if (a->opcode == DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE) {
        doca_priv_mlx5_put32(data, DOCA_PRIV_MLX5_BE32(DOCA_PRIV_MLX5_INLINE | 8));
        doca_priv_mlx5_put64(data + 4, a->operand); /* in the CPU's byte order */
    } else {
        w.atomic.swap_add = DOCA_PRIV_MLX5_BE64(is_atomic ? a->operand : 0);
        doca_priv_mlx5_put_data(data, doca_priv_mlx5_byte_count(8), a->lkey, a->cell);
    }
    memcpy(wqe, &w, sizeof(w));
}

/* Change a WQE so that it writes a CQE only after an error. */
DOCA_PRIV_DECL void doca_priv_mlx5_unsignal(unsigned char *wqe)
{
    wqe[offsetof(struct doca_priv_mlx5_ctrl_seg, fm_ce_se)] = 0;
}

/* Extract the WQE index and the syndromes from a CQE. */
DOCA_PRIV_DECL void doca_priv_mlx5_parse_cqe(const struct doca_priv_mlx5_cqe *cqe,
                                             struct doca_priv_mlx5_done *done)
{
    bool is_error = cqe->op_own >> 4 != DOCA_PRIV_MLX5_CQE_REQ;

    done->wqe = DOCA_PRIV_MLX5_BE16(cqe->wqe_counter);
    done->syndrome = is_error ? cqe->syndrome : 0;
    done->vendor = is_error ? cqe->vendor_err_synd : 0;
    if (is_error && done->syndrome == 0)
        done->syndrome = DOCA_PRIV_MLX5_SYNDROME_NONE; /* a CQE with an unexpected opcode */
}

/* Set a field of `num` bits that begins at `bit`. The field must contain 0 before. */
DOCA_PRIV_DECL void doca_priv_mlx5_set(uint8_t *cmd, uint32_t bit, uint32_t num, uint32_t value)
{
    for (; num > 0; bit++, num--)
        if ((value >> (num - 1) & 1) != 0)
            cmd[bit / 8] = (uint8_t)(cmd[bit / 8] | 0x80u >> bit % 8);
}

/* Return the value of a field of `num` bits that begins at `bit`. */
DOCA_PRIV_DECL uint32_t doca_priv_mlx5_get(const uint8_t *cmd, uint32_t bit, uint32_t num)
{
    uint32_t value = 0;

    for (; num > 0; bit++, num--)
        value = value << 1 | (uint32_t)(cmd[bit / 8] >> (7 - bit % 8) & 1);
    return value;
}
