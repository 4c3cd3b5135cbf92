/* ---- >>priv.record ---------------------------------------------------------------------------
 * Declarations of >>impl.record for other parts.                                                */
#ifndef DOCA_SRC_BASE_RECORD_PRIV_H
#define DOCA_SRC_BASE_RECORD_PRIV_H

#include "base/compiler.h"
#include "base/config.h"

struct doca_core_refusal;

enum doca_priv_sys_word { DOCA_PRIV_WORD_TRACE, DOCA_PRIV_WORD_STATS, DOCA_PRIV_WORDS };

DOCA_PRIV_DECL DOCA_CORE_UNUSED uint32_t *
doca_priv_sys_word_of_process(enum doca_priv_sys_word which);
#if DOCA_CORE_TRACE
DOCA_PRIV_DECL uint32_t doca_priv_sys_thread(void);
DOCA_PRIV_DECL void doca_priv_sys_program(char *name, size_t bytes);
DOCA_PRIV_DECL void *doca_priv_sys_map_file(const char *path, size_t bytes,
                                            struct doca_core_refusal *why);
DOCA_PRIV_DECL void doca_priv_sys_unmap_file(void *map, size_t bytes);
#endif

#endif
