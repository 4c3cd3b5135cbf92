/* ---- >>legacy.config -------------------------------------------------------------------------
 * Where the memory of export descriptors comes from. The manual describes DOCA_CORE_LEGACY and
 * DOCA_CORE_LEGACY_GUIDE.                                                                       */
#ifndef DOCA_SRC_COMPAT_LEGACY_CONFIG_H
#define DOCA_SRC_COMPAT_LEGACY_CONFIG_H

#include "base/config.h"

/* Allocate and free the memory of export descriptors. Programs pass this memory to free(), so a
 * replacement must return memory that free() accepts. Both macros must be defined where there is no
 * operating system. */
#ifndef DOCA_CORE_LEGACY_MALLOC
#ifdef DOCA_CORE_FREESTANDING
#error "define DOCA_CORE_LEGACY_MALLOC(bytes) and DOCA_CORE_LEGACY_FREE(block)"
#endif
#include <stdlib.h>
#define DOCA_CORE_LEGACY_MALLOC(bytes) malloc(bytes)
#define DOCA_CORE_LEGACY_FREE(block) free(block)
#endif

/* Size of the name of an mmap or inventory in bytes, including NUL. Longer names are cut. */
#define DOCA_CORE_LEGACY_NAME_BYTES 64

#if defined(__GNUC__)
#define DOCA_PRIV_LEGACY_EXTENSION __extension__ /* for anonymous members, before C11 and in C++ */
#else
#define DOCA_PRIV_LEGACY_EXTENSION
#endif

struct doca_core_legacy_mmap;
struct doca_core_legacy_ctx;
struct doca_core_legacy_dma;
struct doca_core_legacy_sha;
struct doca_core_legacy_graph;
struct doca_core_legacy_graph_node;
struct doca_core_legacy_graph_instance;
struct doca_workq;

#endif
