/* ---- >>priv.legacy.mmap ----------------------------------------------------------------------
 * An mmap of 1.x or 2.0. Each range of an mmap of 1.x is an mmap of doca_core.h, which is started
 * from populate to destroy; the ranges are ordered by address. user_data of a range points to the
 * mmap of 1.x that it belongs to, and obj.owner marks it as a range. An mmap of 2.0 has one mmap
 * of doca_core.h from create to destroy, `whole`, which has its devices and its state.          */
#ifndef DOCA_SRC_COMPAT_LEGACY_MMAP_PRIV_H
#define DOCA_SRC_COMPAT_LEGACY_MMAP_PRIV_H

#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "compat/legacy/config.h"

struct doca_core_arena;
struct doca_dev;
struct doca_mmap;

struct doca_core_legacy_mmap {
    struct doca_priv_object obj;
    uint32_t num_chunks;
    uint32_t max_chunks;
    uint32_t num_devs;
    uint32_t max_devs;
    uint32_t flags; /* DOCA_MMAP_ACCESS_* */
    bool was_started;
    bool is_exported;
    bool is_imported;
    struct doca_core_arena *arena;
    /* the mmap of doca_core.h behind an mmap of 2.0; NULL for an mmap of 1.x */
    struct doca_mmap *whole;
    struct doca_mmap **chunks; /* ranges; set at the first start */
    struct doca_dev **devs;    /* devices; in the same block as `chunks` */
    union doca_data user_data;
    char name[DOCA_CORE_LEGACY_NAME_BYTES];
};

DOCA_PRIV_DECL void doca_priv_legacy_name(char *to, const char *name);
DOCA_PRIV_DECL doca_error_t doca_priv_legacy_mmap_make(const char *name,
                                                       const union doca_data *user_data,
                                                       struct doca_core_legacy_mmap **mmap,
                                                       const char *function);
DOCA_PRIV_DECL uint32_t doca_priv_legacy_num_bufs(const struct doca_core_legacy_mmap *mmap);

#endif
