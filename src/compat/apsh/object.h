/* ---- >>apsh.object ---------------------------------------------------------------------------
 * Contexts and systems, and the memory that they take. The members of the structures are private.
 * A context keeps its memory until it and all its systems are destroyed; a system keeps its memory
 * until it is destroyed and all its snapshots are freed. The program may destroy and free them in
 * any order.                                                                                    */
#ifndef DOCA_SRC_COMPAT_APSH_OBJECT_H
#define DOCA_SRC_COMPAT_APSH_OBJECT_H

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"

struct doca_apsh_ctx {
    uint32_t guard;
    uint32_t num_users; /* one for the program until destroy, and one for each system */
    struct doca_core_arena *arena;
    struct doca_dev *dma_dev;
    bool is_started;
};

/* The settings of a system. */
struct doca_priv_apsh_settings {
    struct doca_dev_rep *rep;
    char *files[3]; /* paths of symbol map, regions and page directory: blocks of the arena */
    int limits[DOCA_PRIV_APSH_LIMITS];
    uint32_t window_size; /* bytes */
    uint32_t window_step; /* bytes */
    enum doca_apsh_system_os os;
    bool has_os;
};

struct doca_priv_apsh_kernel;

/* Statistics of a system since its start. */
struct doca_core_apsh_stats {
    uint64_t num_tasks; /* DMA tasks */
    uint64_t num_bytes; /* bytes that these tasks read */
    uint64_t num_hits;  /* accesses to memory that was in the cache */
};

struct doca_apsh_system {
    uint32_t guard;
    uint32_t num_users; /* one for the program until destroy, and one for each snapshot */
    struct doca_core_arena *arena;
    struct doca_apsh_ctx *ctx;
    struct doca_priv_apsh_settings set;
    struct doca_priv_apsh_kernel *kernel; /* while started */
    uint32_t num_pages;                   /* pages of the cache */
    bool is_started;
};

/* Bytes of private structures, and tasks in flight. */
#define DOCA_PRIV_APSH_KERNEL_BYTES 17408
#define DOCA_PRIV_APSH_SCRATCH_BYTES 110592
#define DOCA_PRIV_APSH_SLOT_BYTES 32
#define DOCA_PRIV_APSH_BLOCK_PAGES 4 /* pages of the target that one DMA task reads */
#define DOCA_PRIV_APSH_SNAPSHOT_BYTES 40
#define DOCA_PRIV_APSH_PROCESS_BYTES 105 /* with a pointer and a name of 16 bytes */
#define DOCA_PRIV_APSH_MODULE_BYTES 113 /* with a pointer and a name of 57 bytes */
#define DOCA_PRIV_APSH_THREAD_BYTES 89  /* with a pointer and a name of 17 bytes */
#define DOCA_PRIV_APSH_VAD_BYTES 93     /* with a pointer and the protection */
#define DOCA_PRIV_APSH_LIB_BYTES 64     /* with a pointer */
#define DOCA_PRIV_APSH_RUN_BYTES 24
#define DOCA_PRIV_APSH_ATTESTATION_BYTES 117 /* with a pointer and the protection */
#define DOCA_PRIV_APSH_ATTEST_BYTES 200704
#define DOCA_PRIV_APSH_ENVAR_BYTES 56 /* with a pointer */
#define DOCA_PRIV_APSH_MATCH_BYTES 72 /* with a pointer */
#define DOCA_PRIV_APSH_STRETCH_BYTES 16
#define DOCA_PRIV_APSH_CHUNK 63u /* matches that are collected in one block */
#define DOCA_PRIV_APSH_CHUNK_BYTES 1024
#define DOCA_PRIV_APSH_PAIRS 16 /* pages that are compared at once */
#define DOCA_PRIV_APSH_COMM_BYTES 17 /* name of a task with its NUL */
#define DOCA_PRIV_APSH_DEPTH 32
#define DOCA_PRIV_APSH_PROBE 64 /* bytes that a search reads of each page */

/* Arena bytes of `n` contexts and of `n` systems that are not started. Each path that is set takes
 * a further block with the length of the path and its NUL. */
#define DOCA_CORE_BYTES_APSH_CTX(n)                                                                \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_apsh_ctx)))
#define DOCA_CORE_BYTES_APSH_SYSTEM(n)                                                             \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_apsh_system)))
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_ctx(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_system(size_t *bytes);

/* Arena bytes that the start of a system takes with a cache of `num_pages` pages on the software
 * device; the start releases about 108 KiB of them when it ends. doca_core_bytes_apsh_start()
 * computes them for any device. */
#define DOCA_CORE_BYTES_APSH_START(num_pages)                                                      \
    (DOCA_CORE_BYTES_MMAP_REP(1) + DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_BYTES_PE(1) +               \
     DOCA_CORE_BYTES_BUF_INVENTORY(2 * DOCA_PRIV_APSH_DEPTH) +                                     \
     DOCA_CORE_BYTES_DMA(DOCA_PRIV_APSH_DEPTH) +                                                   \
     DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_KERNEL_BYTES) +                                          \
     DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SCRATCH_BYTES) +                                         \
     DOCA_CORE_BYTES_BLOCK((size_t)(num_pages) / DOCA_PRIV_APSH_BLOCK_PAGES *                      \
                           DOCA_PRIV_APSH_SLOT_BYTES) +                                            \
     DOCA_CORE_BYTES_BLOCK((size_t)(num_pages) * 4096 +                                            \
                           DOCA_PRIV_APSH_DEPTH * DOCA_PRIV_APSH_PROBE))
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_start(struct doca_dev *dev, uint32_t num_pages,
                                                       size_t *bytes);

/* Additional arena bytes for the start of a system that has a region file: `n` is the number of
 * ranges in the file that the device can read. The other files take no arena memory. */
#define DOCA_CORE_BYTES_APSH_REGIONS(n)                                                            \
    DOCA_CORE_BYTES_BLOCK((size_t)(n) * sizeof(struct doca_core_region))

/* Arena bytes of a list of `n` processes, of `n` modules, and of the `n` threads of a process.
 * While a call makes an empty list, it needs the bytes of the list with n = 0; the empty list
 * itself takes no memory. */
#define DOCA_CORE_BYTES_APSH_PROCESSES(n)                                                          \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES +                                          \
                          (size_t)(n) * DOCA_PRIV_APSH_PROCESS_BYTES)
#define DOCA_CORE_BYTES_APSH_MODULES(n)                                                            \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES + (size_t)(n) * DOCA_PRIV_APSH_MODULE_BYTES)
#define DOCA_CORE_BYTES_APSH_THREADS(n)                                                            \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES + DOCA_PRIV_APSH_COMM_BYTES +              \
                          (size_t)(n) * DOCA_PRIV_APSH_THREAD_BYTES)

/* Arena bytes of a list of `n` areas, and of `n` libraries, of a process. `path_bytes` is the sum
 * of the lengths of all paths with their NULs; neighbouring areas of one file share a path. A run
 * is a sequence of neighbouring areas that map one file. While the list of libraries is read,
 * DOCA_CORE_BYTES_BLOCK(24 * r) more bytes are in use, where r is the number of runs with an
 * executable area. */
#define DOCA_CORE_BYTES_APSH_VADS(n, path_bytes)                                                   \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES + DOCA_PRIV_APSH_COMM_BYTES +              \
                          (size_t)(n) * DOCA_PRIV_APSH_VAD_BYTES + (size_t)(path_bytes))
#define DOCA_CORE_BYTES_APSH_LIBS(n, path_bytes)                                                   \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES + (size_t)(n) * DOCA_PRIV_APSH_LIB_BYTES + \
                          (size_t)(path_bytes))

/* Arena bytes of an attestation of `n` areas. `path_bytes` is the sum of the lengths of the paths
 * of these areas and of the zip file, with their NULs. While an attestation is made or refreshed,
 * DOCA_CORE_BYTES_APSH_COMPARISON more bytes are in use on the software device;
 * doca_core_bytes_apsh_comparison() computes them for any device. */
#define DOCA_CORE_BYTES_APSH_ATTESTATIONS(n, path_bytes)                                           \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES + DOCA_PRIV_APSH_COMM_BYTES +              \
                          (size_t)(n) * DOCA_PRIV_APSH_ATTESTATION_BYTES + (size_t)(path_bytes))
#ifdef DOCA_CORE_NO_SHA
#define DOCA_CORE_BYTES_APSH_COMPARISON DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_ATTEST_BYTES)
#else
#define DOCA_CORE_BYTES_APSH_COMPARISON                                                            \
    (DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_ATTEST_BYTES) + DOCA_CORE_BYTES_MMAP(1) +                \
     DOCA_CORE_BYTES_BUF_INVENTORY(4 * DOCA_PRIV_APSH_PAIRS) + DOCA_CORE_BYTES_PE(1) +             \
     DOCA_CORE_BYTES_SHA(2 * DOCA_PRIV_APSH_PAIRS, 0))
#endif

/* Arena bytes of a list of `n` variables. `text_bytes`: of all names and values with their NULs. */
#define DOCA_CORE_BYTES_APSH_ENVARS(n, text_bytes)                                                 \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES +                                          \
                          (size_t)(n) * DOCA_PRIV_APSH_ENVAR_BYTES + (size_t)(text_bytes))

/* Arena bytes of a list of `n` matches. While a scan with a window of `window_bytes` bytes searches
 * `num_areas` areas, DOCA_CORE_BYTES_APSH_SCAN more bytes are in use. */
#define DOCA_CORE_BYTES_APSH_MATCHES(n)                                                            \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES + DOCA_PRIV_APSH_COMM_BYTES +              \
                          (size_t)(n) * DOCA_PRIV_APSH_MATCH_BYTES)
#define DOCA_CORE_BYTES_APSH_SCAN(n, num_areas, window_bytes)                                      \
    (DOCA_CORE_BYTES_BLOCK((size_t)(num_areas) * DOCA_PRIV_APSH_STRETCH_BYTES) +                   \
     DOCA_CORE_BYTES_BLOCK((size_t)(window_bytes)) +                                               \
     ((size_t)(n) + DOCA_PRIV_APSH_CHUNK - 1) / DOCA_PRIV_APSH_CHUNK *                             \
         DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_CHUNK_BYTES))
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_processes(uint32_t num, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_modules(uint32_t num, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_threads(uint32_t num, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_vads(uint32_t num, size_t path_bytes,
                                                      size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_libs(uint32_t num, size_t path_bytes,
                                                      size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_attestations(uint32_t num, size_t path_bytes,
                                                              size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_envars(uint32_t num, size_t text_bytes,
                                                        size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_matches(uint32_t num, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_comparison(struct doca_dev *dev, size_t *bytes);

#endif
