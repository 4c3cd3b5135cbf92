/* ---- >>priv.apsh.pairs -----------------------------------------------------------------------
 * Pairs of pages: a page of a file, and a page of the memory of a process. Tasks of a SHA context,
 * on the device that reads the target, compute the SHA-256 digests of both, and the digests are
 * compared. On a device without a hash engine, and in a program without the module SHA
 * (DOCA_CORE_NO_SHA), the bytes of the pages are compared instead. The result is the same.      */
#ifndef DOCA_SRC_COMPAT_APSH_PAIRS_PRIV_H
#define DOCA_SRC_COMPAT_APSH_PAIRS_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object.h"

#define DOCA_PRIV_APSH_DIGEST 32u /* bytes of a digest */

struct doca_priv_apsh_pairs {
    struct doca_mmap *mmap; /* mmap of `pages` and `digests` */
    struct doca_buf_inventory *inventory;
    struct doca_pe *pe;
    struct doca_sha *sha; /* NULL: the bytes are compared instead of digests */
    uint32_t num_inflight;
    bool has_failed;
    bool is_whole[DOCA_PRIV_APSH_PAIRS]; /* the page of the process could be read */
    unsigned char digests[2 * DOCA_PRIV_APSH_PAIRS][DOCA_PRIV_APSH_DIGEST];
    /* for each pair a page of the file, followed by the page of the process */
    unsigned char pages[2 * DOCA_PRIV_APSH_PAIRS][DOCA_PRIV_APSH_PAGE];
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_pairs_open(struct doca_priv_apsh_pairs *pairs,
                                                      struct doca_core_arena *arena,
                                                      struct doca_dev *dev);
DOCA_PRIV_DECL void doca_priv_apsh_pairs_close(struct doca_priv_apsh_pairs *pairs);
DOCA_PRIV_DECL bool doca_priv_apsh_pairs_compare(struct doca_priv_apsh_pairs *pairs,
                                                 const uint8_t *numbers, uint32_t num,
                                                 uint32_t *num_equal);

#endif
