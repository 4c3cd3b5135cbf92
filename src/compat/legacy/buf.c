/* ---- >>impl.legacy.buf -----------------------------------------------------------------------
 * Buffers: old names of calls of doca_core.h.                                                   */
#include "compat/legacy/buf.h"

#include "base/error.h"
#include "base/platform_priv.h"
#include "object/log_priv.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"

DOCA_CORE_DECL doca_error_t doca_buf_head_get(struct doca_buf *buf, void **head)
{
    return doca_buf_get_head(buf, head);
}

DOCA_CORE_DECL doca_error_t doca_buf_len_get(struct doca_buf *buf, size_t *len)
{
    return doca_buf_get_len(buf, len);
}

DOCA_CORE_DECL doca_error_t doca_buf_refcount_rm(struct doca_buf *buf, uint16_t *refcount)
{
    if (buf == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    return doca_buf_dec_refcount(buf, refcount);
}

DOCA_CORE_DECL doca_error_t doca_buf_refcount_get(struct doca_buf *buf, uint16_t *refcount)
{
    return doca_buf_get_refcount(buf, refcount);
}

DOCA_CORE_DECL doca_error_t doca_buf_refcount_add(struct doca_buf *buf, uint16_t *refcount)
{
    (void)refcount;
    return DOCA_PRIV_FAIL(NOT_SUPPORTED, LEGACY_NO_REFCOUNT, doca_priv_is_buf(buf) ? buf : NULL);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_chain(struct doca_buf *list1, struct doca_buf *list2)
{
    return doca_buf_chain_list(list1, list2);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_unchain(struct doca_buf *list1, struct doca_buf *list2)
{
    return doca_buf_unchain_list(list1, list2);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_next(struct doca_buf *buf, struct doca_buf **next_buf)
{
    return doca_buf_get_next_in_list(buf, next_buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_last(struct doca_buf *buf, struct doca_buf **last_buf)
{
    return doca_buf_get_last_in_list(buf, last_buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_num_elements(const struct doca_buf *buf,
                                                       uint32_t *num_elements)
{
    return doca_buf_get_list_len(buf, num_elements);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_is_first(const struct doca_buf *buf, bool *is_first)
{
    uint8_t answer = 0;
    doca_error_t rc = doca_buf_is_first_in_list(buf, is_first != NULL ? &answer : NULL);

    if (rc == DOCA_SUCCESS)
        /* analyzer: core.NullDereference,analyzer-null-dereference: the call above refuses NULL */
        *is_first = answer != 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_list_is_last(const struct doca_buf *buf, bool *is_last)
{
    uint8_t answer = 0;
    doca_error_t rc = doca_buf_is_last_in_list(buf, is_last != NULL ? &answer : NULL);

    if (rc == DOCA_SUCCESS)
        /* analyzer: core.NullDereference,analyzer-null-dereference: the call above refuses NULL */
        *is_last = answer != 0;
    return rc;
}
