/* ---- >>mlx5.priv.wqe -------------------------------------------------------------------------
 * Segments of WQEs and fields of CQEs, with the names of the programmer's reference manual (PRM).
 * All fields are big-endian. doca_core_rdma.h contains this part as well, because its queue pairs
 * have the same layout. Therefore this part must not include other parts of either header.      */
#ifndef DOCA_SRC_MLX5_WQE_PRIV_H
#define DOCA_SRC_MLX5_WQE_PRIV_H

/* amalgamate: skip */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* amalgamate: end */

#ifndef DOCA_PRIV_MLX5_WQE /* several headers contain this part */
#define DOCA_PRIV_MLX5_WQE

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

/* A small function of the data path, inlined into every caller. */
#define DOCA_PRIV_MLX5_HOT static inline __attribute__((always_inline))
#define DOCA_PRIV_MLX5_UAR_CQ 0x20 /* offset of the register that arms CQs in a doorbell page */
#define DOCA_PRIV_MLX5_WQEBB 64 /* bytes of a basic block; a WQE has one or more of them */
#define DOCA_PRIV_MLX5_SEG_BYTES 16 /* bytes of a segment; a basic block has four */
#define DOCA_PRIV_MLX5_SRQ_NEXT 2   /* offset in a WQE of an SRQ: index of the next WQE, 16 bits */
#define DOCA_PRIV_MLX5_INVALID_LKEY 0x100 /* ends the data segments of a receive WQE */
#define DOCA_PRIV_MLX5_CE_ALWAYS 0x08 /* bit of fm_ce_se: write a CQE also on success */

enum { /* opcodes of WQEs, and modifiers of MMO */
    DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE = 0x08,
    DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE_IMM = 0x09,
    DOCA_PRIV_MLX5_OPCODE_SEND = 0x0a,
    DOCA_PRIV_MLX5_OPCODE_SEND_IMM = 0x0b,
    DOCA_PRIV_MLX5_OPCODE_RDMA_READ = 0x10,
    DOCA_PRIV_MLX5_OPCODE_ATOMIC_CS = 0x11,
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

struct doca_priv_mlx5_raddr_seg {
    uint64_t raddr;
    uint32_t rkey;
    uint32_t reserved;
};

struct doca_priv_mlx5_cqe { /* an error CQE has the fields before sop_drop_qpn */
    uint8_t reserved[54];
    uint8_t vendor_err_synd; /* valid only for errors, like `syndrome` */
    uint8_t syndrome;
    uint32_t sop_drop_qpn;
    uint16_t wqe_counter; /* index of the WQE's first basic block */
    uint8_t signature;
    uint8_t op_own; /* opcode in the upper half, owner in bit 0; written last */
};

enum { /* offsets in the CQE of a received message; an error CQE has other fields there */
    DOCA_PRIV_MLX5_CQE_IMM = 36,
    DOCA_PRIV_MLX5_CQE_BYTE_COUNT = 44
};

enum { /* opcodes of CQEs */
    DOCA_PRIV_MLX5_CQE_REQ = 0,
    DOCA_PRIV_MLX5_CQE_RESP_WRITE_IMM = 1,
    DOCA_PRIV_MLX5_CQE_RESP_SEND = 2,
    DOCA_PRIV_MLX5_CQE_RESP_SEND_IMM = 3,
    DOCA_PRIV_MLX5_CQE_REQ_ERR = 13,
    DOCA_PRIV_MLX5_CQE_RESP_ERR = 14,
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
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_ABORTED = 0x22
};

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

#endif

#endif
