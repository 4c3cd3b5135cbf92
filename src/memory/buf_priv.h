/* ---- >>priv.buf ------------------------------------------------------------------------------
 * Declarations for the other parts: checks of buffer handles and of lists, and the release of
 * lists.                                                                                        */
#ifndef DOCA_SRC_MEMORY_BUF_PRIV_H
#define DOCA_SRC_MEMORY_BUF_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "object/log_priv.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"

DOCA_PRIV_DECL bool doca_priv_buf_is_list_head(const struct doca_buf *buf);
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_buf_not_head(const struct doca_buf *buf,
                                                                  const char *function);
DOCA_PRIV_DECL bool doca_priv_buf_is_sound(const struct doca_buf *head);
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_buf_release_others(struct doca_buf *buf);
DOCA_PRIV_DECL void doca_priv_buf_append(struct doca_buf *list1, struct doca_buf *list2);
#if !defined(DOCA_CORE_NO_BRIDGE) && defined(DOCA_CORE_DPDK)
DOCA_PRIV_DECL void doca_priv_dpdk_hold(const struct doca_buf *list);
DOCA_PRIV_DECL void doca_priv_dpdk_free(const struct doca_buf *buf);
#endif

/* Check the arguments of a call that reads a property of `buf` to *out. */
DOCA_PRIV_HOT doca_error_t doca_priv_buf_check(const struct doca_buf *buf, void *out,
                                               const char *function)
{
    return doca_likely(doca_priv_is_buf(buf) && out != NULL)
               ? DOCA_SUCCESS
               : doca_priv_buf_refuse(buf, out, function);
}

/* Check that `head` is the head of a list. With DOCA_CORE_CHECK 2, also check that the list is
 * intact. */
DOCA_PRIV_HOT doca_error_t doca_priv_buf_check_list(const struct doca_buf *head,
                                                    const char *function)
{
    const uint8_t place = head->flags & (DOCA_PRIV_BUF_OUT | DOCA_PRIV_BUF_INNER);

    if (doca_unlikely(place != DOCA_PRIV_BUF_OUT) && !doca_priv_buf_is_list_head(head))
        return doca_priv_buf_not_head(head, function);
    if (DOCA_CORE_CHECK >= 2 && !doca_priv_buf_is_sound(head))
        return doca_priv_fail(DOCA_ERROR_UNEXPECTED, DOCA_CORE_ITEM_BUF_BROKEN, function, head);
    return DOCA_SUCCESS;
}

#endif
