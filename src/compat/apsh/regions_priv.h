/* ---- >>priv.apsh.regions ---------------------------------------------------------------------
 * mem_regions.json: the ranges of physical memory that may be read. The system reads only what
 * both this file and the device allow.                                                          */
#ifndef DOCA_SRC_COMPAT_APSH_REGIONS_PRIV_H
#define DOCA_SRC_COMPAT_APSH_REGIONS_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/json_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object.h"

/* The regions of a file, while it is read. */
struct doca_priv_apsh_regions {
    uint32_t num;
    struct doca_core_region list[DOCA_CORE_APSH_REGIONS]; /* in ascending order, with gaps between
                                                           * them */
    struct doca_priv_apsh_json json;
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_regions_load(struct doca_priv_apsh_regions *regions,
                                                        const char *path, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_regions_use(struct doca_priv_apsh_mem *mem,
                                                       const char *path, const char *function);

#endif
