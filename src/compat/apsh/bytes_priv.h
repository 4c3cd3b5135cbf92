/* ---- >>priv.apsh.bytes -----------------------------------------------------------------------
 * A range of physical memory that is read from its beginning to its end, through a window of one
 * page that moves. The pages that follow are read ahead.                                        */
#ifndef DOCA_SRC_COMPAT_APSH_BYTES_PRIV_H
#define DOCA_SRC_COMPAT_APSH_BYTES_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/mem_priv.h"

struct doca_priv_apsh_bytes {
    struct doca_priv_apsh_mem *mem;
    uint64_t addr; /* physical address of the range */
    uint64_t len;
    uint64_t at;   /* offset of the window in the range */
    size_t filled; /* bytes in the window */
    unsigned char window[DOCA_PRIV_APSH_PAGE];
};

DOCA_PRIV_DECL void doca_priv_apsh_bytes_begin(struct doca_priv_apsh_bytes *bytes,
                                               struct doca_priv_apsh_mem *mem, uint64_t addr,
                                               uint64_t len);
DOCA_PRIV_DECL bool doca_priv_apsh_bytes_spend(struct doca_priv_apsh_bytes *bytes, uint64_t num);
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_bytes_get(struct doca_priv_apsh_bytes *bytes,
                                                             uint64_t at, size_t len);
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_bytes_some(struct doca_priv_apsh_bytes *bytes,
                                                              uint64_t at, size_t *len);
DOCA_PRIV_DECL uint32_t doca_priv_apsh_u32(const unsigned char *at);
DOCA_PRIV_DECL uint64_t doca_priv_apsh_u64(const unsigned char *at);

#endif
