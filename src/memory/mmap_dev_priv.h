/* ---- >>priv.mmap_dev -------------------------------------------------------------------------
 * Declarations of >>impl.mmap_dev for other parts.                                              */
#ifndef DOCA_SRC_MEMORY_MMAP_DEV_PRIV_H
#define DOCA_SRC_MEMORY_MMAP_DEV_PRIV_H

#include "base/compiler.h"

DOCA_PRIV_DECL uint8_t doca_priv_buf_dev(uint64_t dev_bit);

#endif
