/* ---- >>priv.sw.lanes -------------------------------------------------------------------------
 * Hashing of several messages at once: each in a *lane*, an element of every SIMD vector.       */
#ifndef DOCA_SRC_SW_LANES_PRIV_H
#define DOCA_SRC_SW_LANES_PRIV_H

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "engine/sha.h"
#include "engine/sha_priv.h"
#include "sw/sha_priv.h"

#define DOCA_PRIV_SHA_GROUP 16 /* maximum number of messages of a group, and of lanes */
#define DOCA_PRIV_SHA_FEW_BYTES 256 /* shorter messages, in bytes, are faster one at a time than in
                                     * a few lanes */

/* Hash `num_blocks` blocks (at least one) of each of the messages at `data`. */
typedef void (*doca_priv_sha_run_t)(union doca_priv_sha_state *state,
                                    const unsigned char *const *data, size_t num_blocks);

struct doca_priv_sha_lanes {
    doca_priv_sha_run_t run;
    uint8_t num;  /* number of lanes */
    uint8_t from; /* minimum number of messages for which the lanes are faster */
};

/* The hash functions for a CPU. The arrays are indexed by algorithm. */
struct doca_priv_sha_kernels {
    doca_priv_sha_compress_t one[DOCA_PRIV_SHA_ALGORITHMS];    /* for single messages */
    struct doca_priv_sha_lanes few[DOCA_PRIV_SHA_ALGORITHMS];  /* two lanes, for long messages */
    struct doca_priv_sha_lanes many[DOCA_PRIV_SHA_ALGORITHMS]; /* all lanes of the vectors */
};

/* A contiguous message while it is hashed: first its whole blocks, then the padded tail. */
struct doca_priv_sha_message {
    const unsigned char *data;
    size_t num_blocks; /* blocks left at `data`; 0: the message is hashed */
    size_t num_tail;   /* blocks in `tail`; 0: `data` points into `tail` */
    union doca_priv_sha_state state;
    unsigned char tail[DOCA_PRIV_SHA_TAIL];
};

DOCA_PRIV_DECL const struct doca_priv_sha_kernels *doca_priv_sha_choice(void);
DOCA_PRIV_DECL void doca_priv_sha_message_begin(struct doca_priv_sha_message *m, uint8_t algorithm,
                                                const unsigned char *data, size_t len);
DOCA_PRIV_DECL void doca_priv_sha_hash_group(const struct doca_priv_sha_kernels *kernels,
                                             uint8_t algorithm,
                                             struct doca_priv_sha_message *messages, size_t num);

#endif
