/* ---- >>priv.apsh.isf_use ---------------------------------------------------------------------
 * The symbol map that the program set. It complements what the memory of the target contains.   */
#ifndef DOCA_SRC_COMPAT_APSH_ISF_USE_PRIV_H
#define DOCA_SRC_COMPAT_APSH_ISF_USE_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/isf_priv.h"
#include "compat/apsh/json_priv.h"
#include "compat/apsh/kernel_priv.h"

struct doca_priv_apsh_maps {
    const char *path; /* NULL: the program did not set a map */
    bool is_folder;   /* the path is a folder with maps of several kernels */
    bool is_read;     /* `map` contains the map from the file */
    bool is_foreign;  /* a map was compared with a kernel and belongs to another kernel */
    uint64_t budget;  /* bytes of files that the start may still read */
    const char *missing; /* member that neither the map nor the kernel contains, or NULL */
    const char *differs; /* first symbol or member for which map and memory differ, or NULL */
    struct doca_priv_apsh_map map;
    struct doca_priv_apsh_isf *isf; /* a block, for the duration of the start */
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_maps_open(struct doca_priv_apsh_maps *maps,
                                                     const char *path, const char *function);
DOCA_PRIV_DECL bool doca_priv_apsh_maps_use(struct doca_priv_apsh_maps *maps,
                                            struct doca_priv_apsh_kernel *kernel);

#endif
