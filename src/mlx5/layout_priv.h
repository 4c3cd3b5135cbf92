/* ---- >>mlx5.priv.layout ----------------------------------------------------------------------
 * Declarations of >>mlx5.layout for other parts, and the functions that write WQEs.             */
#ifndef DOCA_SRC_MLX5_LAYOUT_PRIV_H
#define DOCA_SRC_MLX5_LAYOUT_PRIV_H

#include "mlx5/config.h"
#include "mlx5/platform_priv.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DOCA_PRIV_MLX5_BE16(x) __builtin_bswap16((uint16_t)(x))
#define DOCA_PRIV_MLX5_BE32(x) __builtin_bswap32((uint32_t)(x))
#define DOCA_PRIV_MLX5_BE64(x) __builtin_bswap64((uint64_t)(x))
#endif
#if !(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define DOCA_PRIV_MLX5_BE16(x) ((uint16_t)(x))
#define DOCA_PRIV_MLX5_BE32(x) ((uint32_t)(x))
#define DOCA_PRIV_MLX5_BE64(x) ((uint64_t)(x))
#endif

/* HOT: a small function of the data path, inlined into every caller. APART: a function for rare
 * cases, never inlined. */
#define DOCA_PRIV_MLX5_HOT static inline __attribute__((always_inline))
#define DOCA_PRIV_MLX5_NOINLINE DOCA_PRIV_DECL __attribute__((noinline))
#define DOCA_PRIV_MLX5_UAR_CQ 0x20 /* offset of the register that arms CQs in a doorbell page */
#define DOCA_PRIV_MLX5_WQEBB 64 /* bytes of a basic block; a WQE has one or more of them */
#define DOCA_PRIV_MLX5_MAX_SGE 30 /* sources of a WQE of eight basic blocks */

enum { /* opcodes of WQEs, and modifiers of MMO */
    DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE = 0x08,
    DOCA_PRIV_MLX5_OPCODE_RDMA_READ = 0x10,
    DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA = 0x12,
    DOCA_PRIV_MLX5_OPCODE_MMO = 0x2f,
    DOCA_PRIV_MLX5_OPMOD_MMO_DMA = 1
};

#define DOCA_PRIV_MLX5_INLINE 0x80000000u /* in a byte count: the data follows it */

struct doca_priv_mlx5_ctrl_seg {
    uint32_t opmod_idx_opcode;
    uint32_t qpn_ds; /* ds: size of the WQE in units of 16 bytes */
    uint8_t signature;
    uint8_t reserved[2];
    uint8_t fm_ce_se;
    uint32_t imm; /* for MMO: bits 63 to 32 of control */
};

struct doca_priv_mlx5_data_seg {
    uint32_t byte_count; /* 31 bits; 0 means 2 GiB */
    uint32_t lkey;
    uint64_t addr;
};

struct doca_priv_mlx5_mmo_seg {
    uint32_t control_31_0;
    uint32_t opaque_lkey;
    uint64_t opaque_addr;
};

struct doca_priv_mlx5_raddr_seg {
    uint64_t raddr;
    uint32_t rkey;
    uint32_t reserved;
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

struct doca_priv_mlx5_cqe { /* the fields before sop_drop_qpn are those of an error CQE */
    uint8_t reserved[54];
    uint8_t vendor_err_synd; /* valid only for errors, like `syndrome` */
    uint8_t syndrome;
    uint32_t sop_drop_qpn;
    uint16_t wqe_counter; /* index of the WQE's first basic block */
    uint8_t signature;
    uint8_t op_own; /* opcode in the upper half, owner in bit 0; written last */
};

enum { /* opcodes of CQEs */
    DOCA_PRIV_MLX5_CQE_REQ = 0,
    DOCA_PRIV_MLX5_CQE_REQ_ERR = 13,
    DOCA_PRIV_MLX5_CQE_INVALID = 15
};

enum { /* syndromes of error CQEs */
    DOCA_PRIV_MLX5_SYNDROME_LOCAL_LENGTH = 0x01,
    DOCA_PRIV_MLX5_SYNDROME_LOCAL_QP_OP = 0x02,
    DOCA_PRIV_MLX5_SYNDROME_LOCAL_PROT = 0x04,
    DOCA_PRIV_MLX5_SYNDROME_WR_FLUSH = 0x05,
    DOCA_PRIV_MLX5_SYNDROME_MW_BIND = 0x06,
    DOCA_PRIV_MLX5_SYNDROME_BAD_RESP = 0x10,
    DOCA_PRIV_MLX5_SYNDROME_LOCAL_ACCESS = 0x11,
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_INVAL_REQ = 0x12,
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_ACCESS = 0x13,
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_OP = 0x14,
    DOCA_PRIV_MLX5_SYNDROME_TRANSPORT_RETRY_EXC = 0x15,
    DOCA_PRIV_MLX5_SYNDROME_RNR_RETRY_EXC = 0x16,
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_ABORTED = 0x22,

    DOCA_PRIV_MLX5_SYNDROME_CALL = 0xfd,  /* set by this backend: ibv_post_send() refused a WQE;
                                           * slot->vendor is the errno */
    DOCA_PRIV_MLX5_SYNDROME_FATAL = 0xfe, /* set by this backend: the device failed without a
                                           * completion */
    DOCA_PRIV_MLX5_SYNDROME_NONE = 0xff   /* set by this backend: an error without a syndrome */
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

DOCA_PRIV_MLX5_HOT uint32_t doca_priv_mlx5_byte_count(uint64_t bytes)
{
    /* The device reads 0 as 2 GiB. Bit 31 must be 0, because it marks inline data. */
    return DOCA_PRIV_MLX5_BE32(bytes & 0x7fffffff);
}

/* Write 4 or 8 bytes, or a whole data segment, of a WQE in the ring. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_put32(unsigned char *at, uint32_t value)
{
    memcpy(at, &value, sizeof(value));
}

DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_put64(unsigned char *at, uint64_t value)
{
    memcpy(at, &value, sizeof(value));
}

DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_put_data(unsigned char *seg, uint32_t byte_count,
                                                uint32_t lkey, uint64_t addr)
{
    doca_priv_mlx5_put32(seg + offsetof(struct doca_priv_mlx5_data_seg, byte_count), byte_count);
    doca_priv_mlx5_put32(seg + offsetof(struct doca_priv_mlx5_data_seg, lkey),
                         DOCA_PRIV_MLX5_BE32(lkey));
    doca_priv_mlx5_put64(seg + offsetof(struct doca_priv_mlx5_data_seg, addr),
                         DOCA_PRIV_MLX5_BE64(addr));
}

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

/* Copy up to 28 bytes: as two parts of 16, 8 or 4 bytes that may overlap, or byte by byte if there
 * are fewer than 4. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_copy_short(unsigned char *to, const unsigned char *from,
                                                  uint32_t bytes)
{
    if (bytes >= 16) {
        memcpy(to, from, 16);
        memcpy(to + bytes - 16, from + bytes - 16, 16);
    } else if (bytes >= 8) {
        memcpy(to, from, 8);
        memcpy(to + bytes - 8, from + bytes - 8, 8);
    } else if (bytes >= 4) {
        memcpy(to, from, 4);
        memcpy(to + bytes - 4, from + bytes - 4, 4);
    } else {
        while (bytes-- > 0)
            to[bytes] = from[bytes];
    }
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
