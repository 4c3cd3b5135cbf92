/* ---- >>priv.export ---------------------------------------------------------------------------
 * Declarations for the other parts. Memory is "far" when it is not at its own address in this
 * process: memory of an exporting process, or of a dmabuf.                                      */
#ifndef DOCA_SRC_MEMORY_EXPORT_PRIV_H
#define DOCA_SRC_MEMORY_EXPORT_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/system_priv.h"

struct doca_priv_export;
struct doca_priv_far;
struct doca_priv_iovec;
struct doca_priv_mmap_desc;

enum doca_priv_export_kind {
    DOCA_PRIV_EXPORT_MMAP_PCI = 1,
    DOCA_PRIV_EXPORT_MMAP_RDMA = 2,
    DOCA_PRIV_EXPORT_EVENT_PCI = 3,
    DOCA_PRIV_EXPORT_EVENT_NET = 4,
    DOCA_PRIV_EXPORT_EVENT_DEV = 5, /* PCI, served by devices */
    DOCA_PRIV_EXPORT_RDMA = 6,      /* details of a connection: tools/compat/doca_core_rdma.h */
    DOCA_PRIV_EXPORT_RDMA_CARD = 7, /* details of a connection between queue pairs of cards */
    DOCA_PRIV_EXPORT_EVENT_CARD = 8 /* remote net, with a key for RDMA devices */
};

#define DOCA_PRIV_FAR_PIECES 16
#define DOCA_PRIV_FAR_BYTES ((size_t)1 << 20) /* maximum number of bytes between two checks of the
                                               * token */

/* Pieces to copy from or to one exporter in one system call. */
struct doca_priv_far_trip {
    const struct doca_priv_far *far;
    bool is_write;
    /* an earlier trip may have written to its destination, even if it failed */
    bool is_dirty;
    unsigned num;
    size_t bytes;
    uint64_t token; /* value of the token, read after the pieces */
    struct doca_priv_iovec local[DOCA_PRIV_FAR_PIECES + 1]; /* one more element for the token */
    struct doca_priv_iovec remote[DOCA_PRIV_FAR_PIECES + 1];
};

DOCA_PRIV_DECL enum doca_core_item doca_priv_export_seal(struct doca_priv_export *head,
                                                         enum doca_priv_export_kind kind,
                                                         size_t bytes, const uint64_t *token);
DOCA_PRIV_DECL doca_error_t doca_priv_export_open(const void *desc, size_t len,
                                                  enum doca_priv_export_kind kind,
                                                  enum doca_priv_export_kind or_kind,
                                                  struct doca_priv_export *head, size_t bytes,
                                                  enum doca_core_item *item);
DOCA_PRIV_DECL DOCA_CORE_UNUSED uintptr_t doca_priv_far_addr(const struct doca_mmap *mmap,
                                                             const unsigned char *at);
DOCA_PRIV_DECL DOCA_CORE_UNUSED uintptr_t doca_priv_far_place(const struct doca_mmap *mmap,
                                                              const unsigned char *at,
                                                              uint32_t *pid);
DOCA_PRIV_DECL void doca_priv_far_begin(struct doca_priv_far_trip *trip,
                                        const struct doca_priv_far *far);
DOCA_PRIV_DECL void doca_priv_far_add(struct doca_priv_far_trip *trip, void *local, uint64_t remote,
                                      size_t bytes);
DOCA_PRIV_DECL enum doca_core_item doca_priv_far_compare(const struct doca_priv_far *far,
                                                         const struct doca_priv_mmap_desc *desc);
DOCA_PRIV_DECL DOCA_CORE_UNUSED enum doca_core_item
doca_priv_far_go(struct doca_priv_far_trip *trip);

#endif
