/* ---- >>priv.mmap_get -------------------------------------------------------------------------
 * Declarations of >>impl.mmap_get for other parts.                                              */
#ifndef DOCA_SRC_MEMORY_MMAP_GET_PRIV_H
#define DOCA_SRC_MEMORY_MMAP_GET_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "memory/mmap.h"

DOCA_PRIV_DECL DOCA_CORE_UNUSED unsigned char *doca_priv_mmap_local(const struct doca_mmap *mmap,
                                                                    const unsigned char *at);

#endif
