/* ---- >>priv.apsh.space -----------------------------------------------------------------------
 * The address space of a process, and the memory in it.                                         */
#ifndef DOCA_SRC_COMPAT_APSH_SPACE_PRIV_H
#define DOCA_SRC_COMPAT_APSH_SPACE_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"

#define DOCA_PRIV_APSH_USER_BITS 56u /* maximum number of bits of an address of a process */

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_need(const struct doca_priv_apsh_kernel *kernel,
                                                      const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_get(struct doca_priv_apsh_list *list,
                                                     uint64_t *mm, uint64_t *root);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_check(struct doca_priv_apsh_list *list,
                                                       uint64_t mm);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_read(struct doca_priv_apsh_list *list,
                                                      uint64_t root, uint64_t addr, void *to,
                                                      size_t len);

#endif
