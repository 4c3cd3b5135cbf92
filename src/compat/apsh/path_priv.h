/* ---- >>priv.apsh.path ------------------------------------------------------------------------
 * Paths of files of the target.                                                                 */
#ifndef DOCA_SRC_COMPAT_APSH_PATH_PRIV_H
#define DOCA_SRC_COMPAT_APSH_PATH_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"

#define DOCA_PRIV_APSH_PATH_BYTES 4096u /* maximum length of a path with its NUL */

/* A path. It is written from its end to its beginning. */
struct doca_priv_apsh_path {
    size_t first; /* index of its first character */
    char text[DOCA_PRIV_APSH_PATH_BYTES];
};

/* The location of a file: a directory entry in a mounted file system. */
struct doca_priv_apsh_location {
    uint64_t dentry, mnt;
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_path_need(const struct doca_priv_apsh_kernel *kernel,
                                                     const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_path_place(struct doca_priv_apsh_kernel *kernel,
                                                      uint64_t file,
                                                      struct doca_priv_apsh_location *place);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_path_read(struct doca_priv_apsh_list *list,
                                                     struct doca_priv_apsh_location place,
                                                     struct doca_priv_apsh_path *path);
DOCA_PRIV_DECL size_t doca_priv_apsh_path_bytes(const struct doca_priv_apsh_path *path);
DOCA_PRIV_DECL char *doca_priv_apsh_path_text(const struct doca_priv_apsh_list *list,
                                              const struct doca_priv_apsh_path *path);

#endif
