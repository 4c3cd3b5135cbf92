/*
 * Signatures of blocks. A signature key describes two forms of the same data: the data in memory
 * and the data on the wire. In each of them, a signature may follow every block. The device checks
 * the signatures of the form that it reads and generates those of the form that it writes.
 *
 * The description is a BSF (byte stream format), which a UMR WQE contains. A PSV (protection
 * signature value) is an object that a domain of a BSF names.
 */
#ifndef MLX5SIM_HCA_SIGNATURE_H
#define MLX5SIM_HCA_SIGNATURE_H

#include "device/hca/guard.h"
#include "device/hca/memory.h"

enum { BSF_BYTES = 64, BSF_SIZE_ONE = 2, BSF_SIZE_TWO = 3 };      /* two: also encryption */

struct hca_psv {
    struct hca_object object;
    struct hca_pd *pd;
    uint64_t value;             /* as SET_PSV has set it; only stored */
};

/* One form of the data. */
struct sig_domain {
    enum guard_kind kind;       /* GUARD_NONE: no signatures */
    uint32_t block;             /* bytes of data before each signature */
    uint32_t bytes;             /* of a signature */
    uint32_t psv;
    uint64_t seed;
    bool is_dif;                /* T10-DIF: the signature has tags */
    uint16_t app, app_mask;
    uint32_t ref;               /* of the first block of a message */
    bool counts;                /* the reference tag increases with each block */
    bool escape_app;            /* the application tag 0xffff turns the check off */
    bool escape_both;           /* this tag and the reference tag 0xffffffff do */
};

struct hca_signature {
    bool is_set;                /* a BSF was loaded */
    bool enabled;
    bool has_failed;            /* an error was reported since the last UMR allowed a report */
    struct sig_domain memory, wire;
    bool same;                  /* both domains have the same blocks and signatures */
    uint8_t check;              /* bytes that are checked; the highest bit is the first byte */
    uint8_t copy;               /* bytes that are copied, when `same` */
};

/* The first wrong signature of a message. Values are in the upper bits. */
struct sig_error {
    bool found;
    bool in_memory;             /* the domain of the signature */
    uint16_t syndrome;
    uint64_t expected, actual;
    uint64_t offset;            /* of the last byte of the block and its signature */
};

int hca_psv_create(struct sim_client *client, struct hca_object *pd, struct hca_object **out);

/* Returns the PSV of a PD, or NULL. */
struct hca_psv *hca_psv_find(const struct hca_pd *pd, uint32_t number);

/* Returns the bytes of a block by the number of its size in a WQE; 0 for an unknown number. */
uint32_t signature_block(unsigned selector);

/* Reads a BSF of BSF_BYTES. `size` is the size that it must state. Returns NULL, or the reason why
 * the device does not serve it. */
const char *signature_load(struct hca_signature *to, const struct hca_pd *pd, const uint8_t *bsf,
                           unsigned size);

/* Converts a number of bytes of the domain `from` to the number of bytes of the same data in the
 * domain `to`. */
uint64_t signature_len(const struct sig_domain *from, const struct sig_domain *to, uint64_t len);

/* Converts a message from memory to the wire or back. */
void signature_convert(const struct hca_signature *sig, bool to_wire, const uint8_t *in,
                       uint64_t in_len, uint8_t *out, uint64_t out_len, struct sig_error *error);

#endif
