/* ---- >>priv.apsh.inflate ---------------------------------------------------------------------
 * Unpack a member of a zip file as a stream, in pieces of any length. The reason of an error is
 * stored in the object of the file from which the packed bytes are read.                        */
#ifndef DOCA_SRC_COMPAT_APSH_INFLATE_PRIV_H
#define DOCA_SRC_COMPAT_APSH_INFLATE_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/json_priv.h"

#define DOCA_PRIV_APSH_HISTORY 32768u /* maximum distance of a copy */
#define DOCA_PRIV_APSH_CODE_BITS 15u  /* maximum length of a code */
#define DOCA_PRIV_APSH_QUICK_BITS 9u  /* maximum length of a code that one lookup decodes */
#define DOCA_PRIV_APSH_SYMBOLS_MAX 288u

/* A prefix code. The codes of one length are consecutive numbers, in the order of their symbols. */
struct doca_priv_apsh_code {
    uint16_t num[DOCA_PRIV_APSH_CODE_BITS + 1];   /* number of codes of each length */
    uint16_t symbols[DOCA_PRIV_APSH_SYMBOLS_MAX]; /* symbols in the order of their codes */
    /* symbol << 4 | length of its code, indexed by the next bits of the stream. 0: the code is
     * longer, or no code begins with these bits */
    uint16_t quick[1u << DOCA_PRIV_APSH_QUICK_BITS];
};

enum doca_priv_apsh_block {
    DOCA_PRIV_APSH_BLOCK_NEXT, /* the head of a block follows */
    DOCA_PRIV_APSH_BLOCK_RAW,  /* inside a stored block */
    DOCA_PRIV_APSH_BLOCK_CODES, /* inside a compressed block */
    DOCA_PRIV_APSH_BLOCK_END   /* the stream has ended */
};

struct doca_priv_apsh_inflate {
    struct doca_priv_apsh_json *file;
    uint64_t packed_left; /* bytes of the member that are not read yet */
    uint64_t size_left;   /* bytes that may still be unpacked, according to the directory */
    uint64_t *work;       /* bytes that the call may still unpack */
    uint32_t crc;         /* checksum of the unpacked bytes, inverted */
    uint32_t crc_wanted;
    uint32_t bits; /* bits that were read and not yet used; the next bit is the least significant */
    uint32_t num_bits;
    enum doca_priv_apsh_block block;
    bool is_last;       /* this is the last block */
    uint64_t raw_left;  /* bytes left in the stored block */
    uint32_t copy_left; /* bytes left in the current copy */
    uint32_t distance;  /* distance of the current copy */
    uint32_t num_out;   /* bytes unpacked so far, at most DOCA_PRIV_APSH_HISTORY */
    uint32_t at;        /* index in the history of the next byte */
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
