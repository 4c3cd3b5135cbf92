/* ---- >>priv.local.memory ---------------------------------------------------------------------
 * Declarations of >>impl.local.memory.                                                          */
#ifndef DOCA_SRC_COMPAT_LOCAL_MEMORY_PRIV_H
#define DOCA_SRC_COMPAT_LOCAL_MEMORY_PRIV_H

#include "base/compiler.h"
#include "base/types.h"

#ifndef DOCA_PRIV_LOCAL_MEMORY /* several headers contain this part */
DOCA_PRIV_DECL int doca_priv_local_file(const char *name, size_t bytes);
DOCA_PRIV_DECL size_t doca_priv_local_file_bytes(int fd);
DOCA_PRIV_DECL void *doca_priv_local_map(int fd, size_t bytes);
DOCA_PRIV_DECL void doca_priv_local_unmap(void *map, size_t bytes);
DOCA_PRIV_DECL bool doca_priv_local_is_event(int fd);
#endif

#endif
