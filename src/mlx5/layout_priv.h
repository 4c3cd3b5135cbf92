/* ---- >>mlx5.priv.layout ----------------------------------------------------------------------
 * Declarations of >>mlx5.layout for other parts, and the functions that write WQEs.             */
#ifndef DOCA_SRC_MLX5_LAYOUT_PRIV_H
#define DOCA_SRC_MLX5_LAYOUT_PRIV_H

#include "mlx5/config.h"
#include "mlx5/platform_priv.h"
#include "mlx5/wqe_priv.h"

/* A function for rare cases, never inlined. */
#define DOCA_PRIV_MLX5_NOINLINE DOCA_PRIV_DECL __attribute__((noinline))
#define DOCA_PRIV_MLX5_MAX_SGE 30 /* sources of a WQE of eight basic blocks */

struct doca_priv_mlx5_mmo_seg {
    uint32_t control_31_0;
    uint32_t opaque_lkey;
    uint64_t opaque_addr;
};

/* WQE of the DMA engine. According to public documents it has one source, one destination and no
 * inline data. */
struct doca_priv_mlx5_mmo_wqe {
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_mmo_seg mmo;
    struct doca_priv_mlx5_data_seg gather;
    struct doca_priv_mlx5_data_seg scatter;
};

struct doca_priv_mlx5_write_wqe { /* more data segments may follow `gather` */
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_raddr_seg remote;
    struct doca_priv_mlx5_data_seg gather;
};

#define DOCA_PRIV_MLX5_INLINE_BYTES 28 /* inline data that fits one basic block */

struct doca_priv_mlx5_inline_wqe {
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_raddr_seg remote;
    uint32_t byte_count;
    uint8_t data[DOCA_PRIV_MLX5_INLINE_BYTES];
};

struct doca_priv_mlx5_model { /* template of a queue's WQEs: their first segments */
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_mmo_seg mmo;
};

enum { /* values of a syndrome that this backend sets */
    DOCA_PRIV_MLX5_SYNDROME_CALL = 0xfd,  /* ibv_post_send() refused a WQE; slot->vendor is the
                                           * errno */
    DOCA_PRIV_MLX5_SYNDROME_FATAL = 0xfe, /* the device failed without a completion */
    DOCA_PRIV_MLX5_SYNDROME_NONE = 0xff   /* an error without a syndrome */
};

/* A copy from one contiguous source to one contiguous destination. */
struct doca_priv_mlx5_piece {
    uint64_t from;
    uint64_t to;
    uint64_t bytes; /* at most 2 GiB */
    uint32_t from_key;
    uint32_t to_key;
};

/* The copy that one WQE performs: it reads several sources, one after the other, and writes them to
 * one contiguous destination. */
struct doca_priv_mlx5_copy {
    uint64_t to;
    uint64_t bytes;
    uint32_t to_key;
    uint32_t num; /* number of sources, at least 1 */
    bool is_cpu_readable; /* the CPU can read all sources */
    struct ibv_sge from[DOCA_PRIV_MLX5_MAX_SGE];
};

/* An access to the 8 bytes of a sync event's value at `addr`, with the key `rkey`. `operand` is the
 * value to set or to add; `cell` is the local address that the device writes a fetched value to. */
struct doca_priv_mlx5_access_8 {
    uint32_t opcode; /* RDMA_WRITE, ATOMIC_FA, RDMA_READ */
    uint32_t rkey;
    uint64_t addr;
    uint64_t operand;
    uint32_t lkey;
    uint64_t cell;
};

/* The content of a completion, of any engine. */
struct doca_priv_mlx5_done {
    uint16_t wqe;
    uint8_t syndrome; /* 0: success */
    uint8_t vendor;
};

/* Layouts of commands. A constant with a number in its comment is the position of a field's first
 * bit, counted from the most significant bit of the command; the number is the width of the field
 * in bits. Positions of capabilities count from DOCA_PRIV_MLX5_CAP. */
enum {
    DOCA_PRIV_MLX5_CMD_QUERY_HCA_CAP = 0x100,
    DOCA_PRIV_MLX5_CMD_CREATE_MKEY = 0x200,
    DOCA_PRIV_MLX5_CMD_INIT2INIT_QP = 0x50e,
    DOCA_PRIV_MLX5_CMD_QUERY_ESW_FUNCTIONS = 0x740,
    DOCA_PRIV_MLX5_CMD_CREATE_GENERAL_OBJECT = 0xa00,
    DOCA_PRIV_MLX5_CMD_ALLOW_OTHER_VHCA_ACCESS = 0xb16,
    DOCA_PRIV_MLX5_CMD_QUERY_VUID = 0xb22,

    DOCA_PRIV_MLX5_IN_OPCODE = 0x00,  /* 16 bits */
    DOCA_PRIV_MLX5_IN_OP_MOD = 0x30,  /* 16 */
    DOCA_PRIV_MLX5_OUT_STATUS = 0x00, /* 8 */
    DOCA_PRIV_MLX5_OUT_SYNDROME = 0x20, /* 32 */

    DOCA_PRIV_MLX5_CAP = 0x80, /* first bit of the capabilities in the answer */
    DOCA_PRIV_MLX5_CAP_IN_BYTES = 16,
    DOCA_PRIV_MLX5_CAP_OTHER_FUNCTION = 0x40, /* 1 */
    DOCA_PRIV_MLX5_CAP_EC_VF_FUNCTION = 0x41, /* 1: the function is a VF of the embedded CPU */
    DOCA_PRIV_MLX5_CAP_FUNCTION_ID = 0x50,    /* 16: the function's vport */
    DOCA_PRIV_MLX5_CAP_OUT_BYTES = 16 + 4096,
    DOCA_PRIV_MLX5_CAP_GENERAL_NOW = 1, /* op_mod is type << 1 | 1 for the current values */
    DOCA_PRIV_MLX5_CAP_GENERAL_2_NOW = 0x20 << 1 | 1,
    DOCA_PRIV_MLX5_CAP_HCA_CAP_2 = 0x20,       /* 1 */
    DOCA_PRIV_MLX5_CAP_VHCA_ID = 0x30,         /* 16 */
    DOCA_PRIV_MLX5_CAP_LOG_DMA_MMO_MAX = 0x6b, /* 5 */
    DOCA_PRIV_MLX5_CAP_RELAXED_WRITE = 0xe8,   /* 1: relaxed_ordering_write */
    DOCA_PRIV_MLX5_CAP_RELAXED_READ = 0xe9,    /* 1 */
    DOCA_PRIV_MLX5_CAP_DMA_MMO_SQ = 0x153,     /* 1 */
    DOCA_PRIV_MLX5_CAP_ESWITCH_MANAGER = 0x1a7, /* 1 */
    DOCA_PRIV_MLX5_CAP_DMA_MMO_QP = 0x748,     /* 1 */
    DOCA_PRIV_MLX5_CAP_2_CROSS_VHCA = 0xe0,    /* 32: cross_vhca_object_to_object_supported */
    DOCA_PRIV_MLX5_CAP_2_ALLOWED = 0x120,      /* 32: allowed_object_for_other_vhca_access, low */
    DOCA_PRIV_MLX5_LOCAL_MKEY_TO_REMOTE = 0x100, /* bit of CAP_2_CROSS_VHCA */
    DOCA_PRIV_MLX5_ALLOWED_MKEY = 0x4,           /* bit of CAP_2_ALLOWED */

    DOCA_PRIV_MLX5_QP_IN_BYTES = 0x1d0,
    DOCA_PRIV_MLX5_QP_OUT_BYTES = 16,
    DOCA_PRIV_MLX5_QP_QPC_EXT = 0x40,  /* 1 */
    DOCA_PRIV_MLX5_QP_QPN = 0x48,      /* 24 */
    DOCA_PRIV_MLX5_QP_OPT_MASK_63_32 = 0x860, /* 32: the lower half of opt_param_mask_95_32 */
    DOCA_PRIV_MLX5_QP_EXT_MMO = 0x882, /* 1, in qpc_data_extension */
    DOCA_PRIV_MLX5_QP_OPT_MMO = 1 << 3,

    DOCA_PRIV_MLX5_MKEY_IN_BYTES = 0x110,
    DOCA_PRIV_MLX5_MKEY_OUT_BYTES = 16,
    DOCA_PRIV_MLX5_MKEY_IN_OCTWORDS = 0x300, /* 32: translations_octword_actual_size */
    DOCA_PRIV_MLX5_MKEY_IN_UMEM_ID = 0x320,  /* 32 */
    DOCA_PRIV_MLX5_MKEY_OUT_INDEX = 0x48,    /* 24 */
    DOCA_PRIV_MLX5_MKC = 0x80,               /* first bit of the mkey context */
    DOCA_PRIV_MLX5_MKC_RELAXED_WRITE = 0x80 + 0x0d, /* 1: relaxed_ordering_write */
    DOCA_PRIV_MLX5_MKC_A = 0x80 + 0x11,      /* 1: atomic access */
    DOCA_PRIV_MLX5_MKC_RW = 0x80 + 0x12,     /* 1: remote write */
    DOCA_PRIV_MLX5_MKC_RR = 0x80 + 0x13,     /* 1: remote read */
    DOCA_PRIV_MLX5_MKC_LW = 0x80 + 0x14,     /* 1: local write */
    DOCA_PRIV_MLX5_MKC_LR = 0x80 + 0x15,     /* 1: local read */
    DOCA_PRIV_MLX5_MKC_ACCESS_MODE = 0x80 + 0x16, /* 2 */
    DOCA_PRIV_MLX5_MKC_MODE_MTT = 1,
    DOCA_PRIV_MLX5_MKC_QPN = 0x80 + 0x20,        /* 24; all ones: any queue pair */
    DOCA_PRIV_MLX5_MKC_PD = 0x80 + 0x68,         /* 24 */
    DOCA_PRIV_MLX5_MKC_START_ADDR = 0x80 + 0x80, /* 64 */
    DOCA_PRIV_MLX5_MKC_LEN = 0x80 + 0xc0,        /* 64 */
    DOCA_PRIV_MLX5_MKC_OCTWORDS = 0x80 + 0x1a0,  /* 32: translations_octword_size */
    DOCA_PRIV_MLX5_MKC_RELAXED_READ = 0x80 + 0x1d9,  /* 1 */
    DOCA_PRIV_MLX5_MKC_LOG_PAGE_SIZE = 0x80 + 0x1db, /* 5 */

    DOCA_PRIV_MLX5_ESW_IN_BYTES = 16,
    DOCA_PRIV_MLX5_ESW_OUT_BYTES = 128,
    DOCA_PRIV_MLX5_ESW_HOST_NUMBER = 0x80,   /* 8; host_params_context begins here */
    DOCA_PRIV_MLX5_ESW_VF_INFO_VALID = 0x8c, /* 1: vf_stride, first_vf_offset */
    DOCA_PRIV_MLX5_ESW_PF_NOT_EXIST = 0x8d,  /* 1 */
    DOCA_PRIV_MLX5_ESW_VHCA_VALID = 0x8e,    /* 1: pf_vhca_id */
    DOCA_PRIV_MLX5_ESW_PF_DISABLED = 0x8f,   /* 1 */
    DOCA_PRIV_MLX5_ESW_PCI_BUS = 0xb0,       /* 16 */
    DOCA_PRIV_MLX5_ESW_PF_VHCA_ID = 0xc0,    /* 16 */
    DOCA_PRIV_MLX5_ESW_PCI_DEVICE = 0xd0,    /* 16 */
    DOCA_PRIV_MLX5_ESW_PCI_FUNCTION = 0xf0,  /* 16 */
    DOCA_PRIV_MLX5_ESW_VF_STRIDE = 0x100,    /* 16 */
    DOCA_PRIV_MLX5_ESW_VF_OFFSET = 0x110,    /* 16 */

    DOCA_PRIV_MLX5_VUID_IN_BYTES = 16,
    DOCA_PRIV_MLX5_VUID_IN_VHCA = 0x70, /* 16 */
    DOCA_PRIV_MLX5_VUID_OUT_BYTES = 64 + 128,
    DOCA_PRIV_MLX5_VUID_NUM = 0x1f0,    /* 16: num_of_entries */
    DOCA_PRIV_MLX5_VUID_TEXT = 0x200,   /* 128 bytes */

    DOCA_PRIV_MLX5_OBJ_TYPE_MKEY = 0xff01,
    DOCA_PRIV_MLX5_ALLOW_BYTES = 0x40,
    DOCA_PRIV_MLX5_ALLOW_OBJECT_TYPE = 0x90, /* 16 */
    DOCA_PRIV_MLX5_ALLOW_OBJECT_ID = 0xa0,   /* 32 */
    DOCA_PRIV_MLX5_ALLOW_KEY = 0x100,        /* 256 */
    DOCA_PRIV_MLX5_OBJ_BYTES = 0x50,
    DOCA_PRIV_MLX5_OBJ_TYPE = 0x30,    /* 16 */
    DOCA_PRIV_MLX5_OBJ_ID = 0x40,      /* 32, in the answer */
    DOCA_PRIV_MLX5_OBJ_ALIAS = 0x60,   /* 1 */
    DOCA_PRIV_MLX5_ALIAS_VHCA = 0x80,  /* 16: vhca_id_to_be_accessed */
    DOCA_PRIV_MLX5_ALIAS_STATUS = 0x9d, /* 3, in the answer; 0: the alias can be used */
    DOCA_PRIV_MLX5_ALIAS_OBJECT = 0xa0, /* 32: object_id_to_be_accessed */
    DOCA_PRIV_MLX5_ALIAS_KEY = 0x100,  /* 256: access_key */
    DOCA_PRIV_MLX5_ALIAS_PD = 0x200,   /* 32: metadata_1 */
    DOCA_PRIV_MLX5_ACCESS_KEY_BYTES = 32
};

enum { /* command statuses that do not concern the arguments of the command */
    DOCA_PRIV_MLX5_STATUS_INT_ERR = 0x1,
    DOCA_PRIV_MLX5_STATUS_BAD_OP = 0x2,
    DOCA_PRIV_MLX5_STATUS_BAD_SYS_STATE = 0x4,
    DOCA_PRIV_MLX5_STATUS_EXCEED_LIM = 0x8,
    DOCA_PRIV_MLX5_STATUS_NO_RESOURCES = 0xf
};

DOCA_PRIV_DECL void doca_priv_mlx5_model_mmo(struct doca_priv_mlx5_model *model, uint32_t qpn,
                                             uint32_t opaque_lkey, uint64_t opaque_addr);
DOCA_PRIV_DECL void doca_priv_mlx5_model_write(struct doca_priv_mlx5_model *model, uint32_t qpn);
DOCA_PRIV_DECL void doca_priv_mlx5_pack_gather(unsigned char *sq, uint32_t mask,
                                               const struct doca_priv_mlx5_model *model,
                                               uint32_t index,
                                               const struct doca_priv_mlx5_copy *copy);
DOCA_PRIV_DECL void doca_priv_mlx5_pack_access_8(unsigned char *wqe, uint32_t qpn, uint32_t index,
                                                 const struct doca_priv_mlx5_access_8 *a);
DOCA_PRIV_DECL void doca_priv_mlx5_unsignal(unsigned char *wqe);
DOCA_PRIV_DECL void doca_priv_mlx5_parse_cqe(const struct doca_priv_mlx5_cqe *cqe,
                                             struct doca_priv_mlx5_done *done);
DOCA_PRIV_DECL void doca_priv_mlx5_set(uint8_t *cmd, uint32_t bit, uint32_t num, uint32_t value);
DOCA_PRIV_DECL uint32_t doca_priv_mlx5_get(const uint8_t *cmd, uint32_t bit, uint32_t num);

/* Write the first `bytes` bytes of the model, with the WQE's index, and with the bits of `other`
 * inverted in the size field `ds`. Return the first 8 bytes, which are the value for the doorbell
 * register. */
DOCA_PRIV_MLX5_HOT uint64_t doca_priv_mlx5_put_model(unsigned char *wqe,
                                                     const struct doca_priv_mlx5_model *model,
                                                     size_t bytes, uint32_t index, uint32_t other)
{
    uint64_t first;

    memcpy(&first, model, sizeof(first));
    first ^= DOCA_PRIV_MLX5_BE64((uint64_t)(index & 0xffff) << 40 | other);
    doca_priv_mlx5_put64(wqe, first);
    memcpy(wqe + sizeof(first), (const unsigned char *)model + sizeof(first),
           bytes - sizeof(first));
    return first;
}

/* Write a WQE for a copy by the DMA engine. Return its first 8 bytes. */
DOCA_PRIV_MLX5_HOT uint64_t doca_priv_mlx5_pack_mmo(unsigned char *wqe,
                                                    const struct doca_priv_mlx5_model *model,
                                                    uint32_t index,
                                                    const struct doca_priv_mlx5_piece *piece)
{
    const uint32_t byte_count = doca_priv_mlx5_byte_count(piece->bytes);

    doca_priv_mlx5_put_data(wqe + offsetof(struct doca_priv_mlx5_mmo_wqe, gather), byte_count,
                            piece->from_key, piece->from);
    doca_priv_mlx5_put_data(wqe + offsetof(struct doca_priv_mlx5_mmo_wqe, scatter), byte_count,
                            piece->to_key, piece->to);
    return doca_priv_mlx5_put_model(wqe, model, sizeof(*model), index, 0);
}

/* Write the destination of an RDMA WRITE. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_put_remote(unsigned char *wqe, uint32_t rkey,
                                                  uint64_t raddr)
{
    unsigned char *remote = wqe + offsetof(struct doca_priv_mlx5_write_wqe, remote);

    doca_priv_mlx5_put64(remote + offsetof(struct doca_priv_mlx5_raddr_seg, raddr),
                         DOCA_PRIV_MLX5_BE64(raddr));
    doca_priv_mlx5_put32(remote + offsetof(struct doca_priv_mlx5_raddr_seg, rkey),
                         DOCA_PRIV_MLX5_BE32(rkey));
    doca_priv_mlx5_put32(remote + offsetof(struct doca_priv_mlx5_raddr_seg, reserved), 0);
}

/* Write a WQE for a copy by RDMA WRITE with one source. Return its first 8 bytes. */
DOCA_PRIV_MLX5_HOT uint64_t doca_priv_mlx5_pack_write(unsigned char *wqe,
                                                      const struct doca_priv_mlx5_model *model,
                                                      uint32_t index,
                                                      const struct doca_priv_mlx5_piece *piece)
{
    doca_priv_mlx5_put_remote(wqe, piece->to_key, piece->to);
    doca_priv_mlx5_put_data(wqe + offsetof(struct doca_priv_mlx5_write_wqe, gather),
                            doca_priv_mlx5_byte_count(piece->bytes), piece->from_key, piece->from);
    return doca_priv_mlx5_put_model(wqe, model, sizeof(model->ctrl), index, 0);
}

/* Write a WQE for an RDMA WRITE with the data inline, up to 28 bytes, so that the device does not
 * read the source. Return its first 8 bytes. */
DOCA_PRIV_MLX5_HOT uint64_t doca_priv_mlx5_pack_inline(unsigned char *wqe,
                                                       const struct doca_priv_mlx5_model *model,
                                                       uint32_t index,
                                                       const struct doca_priv_mlx5_piece *piece)
{
    const uint32_t bytes = (uint32_t)piece->bytes;

    doca_priv_mlx5_put_remote(wqe, piece->to_key, piece->to);
    doca_priv_mlx5_put32(wqe + offsetof(struct doca_priv_mlx5_inline_wqe, byte_count),
                         DOCA_PRIV_MLX5_BE32(DOCA_PRIV_MLX5_INLINE | bytes));
    doca_priv_mlx5_copy_short(wqe + offsetof(struct doca_priv_mlx5_inline_wqe, data),
                              (const unsigned char *)(uintptr_t)piece->from, bytes);
    /* The model's `ds` is 3. The byte count (4 bytes) and the data follow two segments. */
    return doca_priv_mlx5_put_model(wqe, model, sizeof(model->ctrl), index,
                                    3u ^ (2 + (bytes + 19) / 16));
}

#endif
