/* ---- >>priv.mmap_rep -------------------------------------------------------------------------
 * Declarations of >>impl.mmap_rep for other parts.                                              */
#ifndef DOCA_SRC_MEMORY_MMAP_REP_PRIV_H
#define DOCA_SRC_MEMORY_MMAP_REP_PRIV_H

#include "base/compiler.h"
#include "base/log.h"
#include "base/system_priv.h"

struct doca_core_rep_mem;
struct doca_mmap;

DOCA_PRIV_DECL enum doca_core_item doca_priv_rep_mem_read(const struct doca_core_rep_mem *mem,
                                                          const struct doca_priv_iovec *local,
                                                          const struct doca_priv_iovec *remote,
                                                          unsigned num);
DOCA_PRIV_DECL void doca_priv_rep_mem_end(const struct doca_mmap *mmap);

#endif
