/* ---- >>priv.apsh.inflate ---------------------------------------------------------------------
 * Unpack a member of a zip file as a stream, in pieces of any length. The reason of an error is
 * noted in the file that the packed bytes come from.                                            */
#ifndef DOCA_SRC_COMPAT_APSH_INFLATE_PRIV_H
#define DOCA_SRC_COMPAT_APSH_INFLATE_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/json_priv.h"

#define DOCA_PRIV_APSH_HISTORY 32768u /* maximum distance of a copy */
#define DOCA_PRIV_APSH_CODE_BITS 15u  /* maximum length of a code */
#define DOCA_PRIV_APSH_QUICK_BITS 9u  /* length of the codes that one lookup decodes */
#define DOCA_PRIV_APSH_SYMBOLS_MAX 288u

/* A prefix code. Its codes of one length are consecutive numbers, in the order of the symbols. */
struct doca_priv_apsh_code {
    uint16_t num[DOCA_PRIV_APSH_CODE_BITS + 1];   /* codes of each length */
    uint16_t symbols[DOCA_PRIV_APSH_SYMBOLS_MAX]; /* in the order of their codes */
    /* symbol << 4 | length of its code, indexed by the next bits; 0: the code is longer, or these
     * bits are no code */
    uint16_t quick[1u << DOCA_PRIV_APSH_QUICK_BITS];
};

enum doca_priv_apsh_block {
    DOCA_PRIV_APSH_BLOCK_NEXT, /* the head of a block follows */
    DOCA_PRIV_APSH_BLOCK_RAW,  /* inside a block that is stored */
    DOCA_PRIV_APSH_BLOCK_CODES, /* inside a block of codes */
    DOCA_PRIV_APSH_BLOCK_END   /* the stream has ended */
};

struct doca_priv_apsh_inflate {
    struct doca_priv_apsh_json *file;
    uint64_t packed_left; /* bytes of the member that are not read yet */
    uint64_t size_left;   /* bytes that may still come out, by the directory */
    uint64_t *work;       /* bytes that the call may still unpack */
    uint32_t crc;         /* checksum of the bytes that came out, inverted */
    uint32_t crc_wanted;
    uint32_t bits; /* read and not used yet, the next one lowest */
    uint32_t num_bits;
    enum doca_priv_apsh_block block;
    bool is_last;       /* the block is the last */
    uint64_t raw_left;  /* bytes of the stored block */
    uint32_t copy_left; /* bytes of the copy that is under way */
    uint32_t distance;  /* of this copy */
    uint32_t num_out;   /* bytes that came out, at most DOCA_PRIV_APSH_HISTORY */
    uint32_t at;        /* where the next byte goes in the history */
    uint32_t crcs[256];
    struct doca_priv_apsh_code literals, distances;
    unsigned char history[DOCA_PRIV_APSH_HISTORY];
};

DOCA_PRIV_DECL void doca_priv_apsh_inflate_begin(struct doca_priv_apsh_inflate *inflate,
                                                 struct doca_priv_apsh_json *file, bool is_deflated,
                                                 uint64_t packed, uint64_t size, uint32_t crc,
                                                 uint64_t *work);
DOCA_PRIV_DECL size_t doca_priv_apsh_inflate_read(struct doca_priv_apsh_inflate *inflate,
                                                  unsigned char *to, size_t len);

#endif
