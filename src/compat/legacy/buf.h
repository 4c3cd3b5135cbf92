/* ---- >>legacy.buf ----------------------------------------------------------------------------
 * Buffers: old names of calls of doca_core.h.
 * Source: 1.3 guide, 4.5.                                                                       */
#ifndef DOCA_SRC_COMPAT_LEGACY_BUF_H
#define DOCA_SRC_COMPAT_LEGACY_BUF_H

#include "base/config.h"
#include "base/error.h"
#include "compat/legacy/config.h"

struct doca_buf;

enum doca_buf_extension {
    DOCA_BUF_EXTENSION_NONE = 0,
    DOCA_BUF_EXTENSION_LINKED_LIST = 1 << 0 /* lists can be built with and without this flag */
};

/* Old names of doca_buf_get_head(), get_len(), dec_refcount() and get_refcount(). */
DOCA_CORE_DECL doca_error_t doca_buf_head_get(struct doca_buf *buf, void **head);
DOCA_CORE_DECL doca_error_t doca_buf_len_get(struct doca_buf *buf, size_t *len);
DOCA_CORE_DECL doca_error_t doca_buf_refcount_rm(struct doca_buf *buf, uint16_t *refcount);
DOCA_CORE_DECL doca_error_t doca_buf_refcount_get(struct doca_buf *buf, uint16_t *refcount);

/* Add a reference. The vendor did not implement this call either.
 *
 * Errors    NOT_SUPPORTED  always */
DOCA_CORE_DECL doca_error_t doca_buf_refcount_add(struct doca_buf *buf, uint16_t *refcount);

/* Names of 1.5 for doca_buf_chain_list(), unchain_list(), get_next_in_list(),
 * get_last_in_list(), get_list_len(), is_first_in_list() and is_last_in_list(). */
DOCA_CORE_DECL doca_error_t doca_buf_list_chain(struct doca_buf *list1, struct doca_buf *list2);
DOCA_CORE_DECL doca_error_t doca_buf_list_unchain(struct doca_buf *list1, struct doca_buf *list2);
DOCA_CORE_DECL doca_error_t doca_buf_list_next(struct doca_buf *buf, struct doca_buf **next_buf);
DOCA_CORE_DECL doca_error_t doca_buf_list_last(struct doca_buf *buf, struct doca_buf **last_buf);
DOCA_CORE_DECL doca_error_t doca_buf_list_num_elements(const struct doca_buf *buf,
                                                       uint32_t *num_elements);
DOCA_CORE_DECL doca_error_t doca_buf_list_is_first(const struct doca_buf *buf, bool *is_first);
DOCA_CORE_DECL doca_error_t doca_buf_list_is_last(const struct doca_buf *buf, bool *is_last);

#endif
