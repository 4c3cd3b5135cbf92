/* ---- >>impl.buf -----------------------------------------------------------------------------
 * Buffers: the rare cases of the calls in >>hot.buf, reference counts and lists.                */
#include "memory/buf_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "memory/hot_buf.h"
#include "memory/inventory.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"
#include "memory/pool.h"

DOCA_PRIV_ASSERT_STATIC(buf_is_a_line, sizeof(void *) != 8 || DOCA_CORE_CHECK >= 2 ||
                                           sizeof(struct doca_buf) == DOCA_CORE_LINE);
DOCA_PRIV_ASSERT_STATIC(bufs_have_room_for_a_generation,
                        DOCA_CORE_CHECK < 2 || sizeof(struct doca_buf) % DOCA_CORE_LINE == 0);
DOCA_PRIV_ASSERT_STATIC(bufs_are_at_steps_from_home, sizeof(struct doca_buf) % DOCA_PRIV_HOME == 0);
DOCA_PRIV_ASSERT_STATIC(stocks_end_before_their_bufs,
                        sizeof(struct doca_buf_pool) <= DOCA_PRIV_STOCK_BYTES &&
                            sizeof(struct doca_buf_inventory) <= DOCA_PRIV_STOCK_BYTES);

DOCA_CORE_DECL doca_error_t doca_priv_buf_refuse(const struct doca_buf *buf, void *out,
                                                 const char *function)
{
    return doca_priv_fail_handle(out == NULL ? NULL : buf, function);
}

/* Check the arguments of a call that also accepts a returned buffer and reads from it. */
static doca_error_t doca_priv_buf_check_read(const struct doca_buf *buf, void *out,
                                             const char *function)
{
    doca_error_t rc = doca_priv_buf_check(buf, out, function);

    DOCA_PRIV_CHECKED(if (rc == DOCA_SUCCESS) doca_priv_check_read_buf(buf, false, function);)
    return rc;
}

DOCA_PRIV_DECL bool doca_priv_buf_is_list_head(const struct doca_buf *buf)
{
    return buf->flags != 0 && (buf->flags & DOCA_PRIV_BUF_INNER) == 0;
}

DOCA_CORE_DECL bool doca_priv_buf_is_warned_head(const struct doca_buf *buf, uint8_t without)
{
    return doca_priv_is_buf(buf) && doca_priv_buf_is_list_head(buf) &&
           (buf->flags & (DOCA_PRIV_BUF_OUT | without)) == 0;
}

/* Return and log the reason why `buf` is not a head: it is an inner element or was returned. */
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_buf_not_head(const struct doca_buf *buf,
                                                                  const char *function)
{
    if ((buf->flags & DOCA_PRIV_BUF_INNER) != 0)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_BUF_NOT_HEAD, function, buf);
    return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_BUF_RETURNED, function, buf);
}

/* True when the mmap of the buffer exists. With DOCA_PRIV_BUF_OTHER only the guard is checked: an
 * mmap with is_shared changes its kind when it is destroyed, and other threads may release its
 * buffers at that time. */
static bool doca_priv_buf_has_mmap(const struct doca_buf *buf)
{
    return (buf->flags & DOCA_PRIV_BUF_OTHER) != 0
               ? buf->mmap != NULL && buf->mmap->obj.guard == DOCA_PRIV_GUARD
               : doca_priv_is(buf->mmap, DOCA_PRIV_KIND_MMAP);
}

/* True when the first DOCA_PRIV_BUF_AUDITED elements of a list are consistent. Only used with
 * DOCA_CORE_CHECK 2. */
DOCA_PRIV_DECL bool doca_priv_buf_is_sound(const struct doca_buf *head)
{
    const struct doca_buf *buf, *last = head, *mark = NULL;
    size_t offset, len, num;

    for (buf = head, num = 0; buf != NULL && num < DOCA_PRIV_BUF_AUDITED; buf = buf->next, num++) {
        if (buf == mark) /* a cycle: the walk returned to the marked element */
            return false;
        if ((num & (num + 1)) == 0)
            mark = buf;
        offset = (size_t)(buf->data - buf->head);
        len = doca_priv_buf_len(buf);
        if (!doca_priv_is_buf(buf) || !doca_priv_buf_has_mmap(buf) ||
            (buf->flags & DOCA_PRIV_BUF_INNER) != (buf == head ? 0 : DOCA_PRIV_BUF_INNER) ||
            buf->refcount == 0 || (buf != head && buf->refcount != 1) || offset > len ||
            buf->data_len > len - offset || buf->head < buf->mmap->addr ||
            len > buf->mmap->len || (size_t)(buf->head - buf->mmap->addr) > buf->mmap->len - len)
            return false;
        last = buf;
    }
    /* analyzer: core.NullDereference: callers have checked that head is a buffer */
    return buf != NULL || head->last == last;
}

DOCA_CORE_DECL doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head)
{
    return doca_priv_hot_buf_get_head(buf, head);
}

DOCA_CORE_DECL doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len)
{
    return doca_priv_hot_buf_get_len(buf, len);
}

DOCA_CORE_DECL doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data)
{
    return doca_priv_hot_buf_get_data(buf, data);
}

DOCA_CORE_DECL doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len)
{
    return doca_priv_hot_buf_get_data_len(buf, data_len);
}

DOCA_CORE_DECL doca_error_t doca_buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount)
{
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc = doca_priv_buf_check(buf, refcount, __func__);

    if (rc == DOCA_SUCCESS)
        *refcount = buf->refcount;
    return rc;
}

/* True when [data, data + data_len) is inside the mmap of the buffer and that mmap is started. An
 * mmap with is_shared may be stopped although it has buffers. */
static bool doca_priv_buf_reaches(const struct doca_buf *buf, const void *data, size_t data_len)
{
    const struct doca_mmap *mmap = buf->mmap;
    const size_t offset = (size_t)((uintptr_t)data - (uintptr_t)mmap->addr);

    return doca_priv_mmap_is_started(mmap, mmap->serial) && offset <= mmap->len &&
           data_len <= mmap->len - offset;
}

/* Log, once until the buffer is returned, that its content lies outside its window. */
static void doca_priv_buf_warn(struct doca_buf *buf, const char *function)
{
    if ((buf->flags & DOCA_PRIV_BUF_OUT) == 0)
        return;
    doca_priv_buf_set_word(buf,
                           doca_priv_buf_word(buf, 0xff & ~DOCA_PRIV_BUF_OUT, UINT16_MAX) |
                               doca_priv_buf_word_of(0, DOCA_PRIV_BUF_OTHER, 0));
    (void)doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_BUF_DATA_BESIDE, function, buf);
}

/* Set the content of a buffer, or return the error: not a buffer, returned, outside the mmap, or in
 * use by a task. */
DOCA_CORE_DECL doca_error_t doca_priv_buf_set_data_other(struct doca_buf *buf, void *data,
                                                         size_t data_len, const char *function)
{
    DOCA_PRIV_CHECKED(doca_error_t rc;)
    size_t skip;

    if (!doca_priv_is_buf(buf) || data == NULL)
        return doca_priv_buf_refuse(buf, data, function);
    if (buf->flags == 0)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_BUF_RETURNED, function, buf);
    skip = (size_t)((uintptr_t)data - (uintptr_t)buf->head);
    if (skip > doca_priv_buf_len(buf) || data_len > doca_priv_buf_len(buf) - skip) {
        if (DOCA_CORE_CHECK >= 2 || !doca_priv_buf_reaches(buf, data, data_len))
            return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_BUF_DATA_OUTSIDE,
                                  function, buf);
        if ((uintptr_t)data + data_len > (uintptr_t)buf->end)
            buf->end = buf->mmap->end;
        doca_priv_buf_warn(buf, function);
    }
    DOCA_PRIV_CHECKED(if (doca_priv_check_is_busy(buf, false, function)) return DOCA_ERROR_IN_USE;
                      rc = doca_priv_check_take_buf(buf, false, function);
                      if (rc != DOCA_SUCCESS) return rc;)
    buf->data = (unsigned char *)data;
    buf->data_len = data_len;
    DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_priv_buf_set_len(struct doca_buf *buf, size_t data_len,
                                                  const char *function)
{
    if (!doca_priv_is_buf(buf))
        return doca_priv_buf_refuse(buf, buf, function);
    return doca_priv_buf_set_data_other(buf, buf->flags != 0 ? buf->data : (void *)buf, data_len,
                                        function);
}

DOCA_CORE_DECL doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len)
{
    return doca_priv_hot_buf_set_data(buf, data, data_len);
}

DOCA_CORE_DECL doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len)
{
    DOCA_PRIV_OPEN(buf)
    return doca_priv_buf_set_len(buf, data_len, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_reset_data_len(struct doca_buf *buf)
{
    return doca_priv_hot_buf_reset_data_len(buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount)
{
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc;

    if (!doca_priv_is_buf(buf))
        return DOCA_PRIV_FAIL_HANDLE(buf);
    rc = doca_priv_buf_check_list(buf, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (buf->refcount == UINT16_MAX)
        return DOCA_PRIV_FAIL(TOO_BIG, BUF_REFCOUNT_MAX, buf);
    DOCA_PRIV_CHECKED(rc = doca_priv_check_take_buf(buf, false, __func__);
                      if (rc != DOCA_SUCCESS) return rc;)
    if (refcount != NULL)
        *refcount = buf->refcount;
    doca_priv_buf_set_word(buf, doca_priv_buf_word(buf, 0xff, UINT16_MAX) +
                                    doca_priv_buf_word_of(0, 0, 1));
    DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
    return DOCA_SUCCESS;
}

/* Return every element of a list to its stock. The result is SUCCESS, and in the checked mode
 * possibly an error; callers return it in a tail call. */
DOCA_CORE_DECL doca_error_t doca_priv_buf_release_list(struct doca_buf *buf)
{
    DOCA_PRIV_CHECKED(doca_error_t rc;)
    struct doca_buf *next;

    do {
        DOCA_PRIV_CHECKED(rc = doca_priv_check_take_buf(buf, true, "doca_buf_dec_refcount");
                          if (rc != DOCA_SUCCESS) return rc;)
        next = buf->next;
        buf->last = buf;
        DOCA_PRIV_COUNT(buf->mmap, -1);
        doca_priv_buf_put(buf);
        DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
        buf = next;
    } while (buf != NULL);
    return DOCA_SUCCESS;
}

/* Return every element of a list to its stock. Elements may belong to an mbuf or to an mmap with
 * is_shared. */
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_buf_release_others(struct doca_buf *buf)
{
    DOCA_PRIV_CHECKED(doca_error_t rc;)
    struct doca_buf *next;
    DOCA_PRIV_WITH_DPDK(bool is_of_mbuf;)
    bool is_shared;

    do {
        DOCA_PRIV_CHECKED(rc = doca_priv_check_take_buf(buf, true, "doca_buf_dec_refcount");
                          if (rc != DOCA_SUCCESS) return rc;)
        next = buf->next;
        buf->last = buf;
        DOCA_PRIV_WITH_DPDK(is_of_mbuf = buf->mmap->obj.owner == DOCA_PRIV_OF_DPDK;)
        is_shared = buf->mmap->is_shared;
        if (is_shared)
            (void)doca_priv_mmap_unref(buf->mmap); /* this may free the mmap */
        else
            DOCA_PRIV_COUNT(buf->mmap, -1);
        doca_priv_buf_put(buf);
        DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
        DOCA_PRIV_WITH_DPDK(if (is_of_mbuf) doca_priv_dpdk_free(buf);)
        buf = next;
    } while (buf != NULL);
    return DOCA_SUCCESS;
}

/* Drop a reference in the cases that the fast path does not handle: further references exist,
 * elements have DOCA_PRIV_BUF_OTHER, the checked mode, and errors. */
static doca_error_t doca_priv_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount)
{
    doca_error_t rc;

    if (buf == NULL) {
        if (refcount != NULL)
            *refcount = 0;
        return DOCA_SUCCESS;
    }
    if (!doca_priv_is_buf(buf))
        return doca_priv_buf_refuse(buf, buf, "doca_buf_dec_refcount");
    rc = doca_priv_buf_check_list(buf, "doca_buf_dec_refcount");
    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_PRIV_CHECKED(rc = doca_priv_check_take_buf(buf, false, "doca_buf_dec_refcount");
                      if (rc != DOCA_SUCCESS) return rc;)
    if (refcount != NULL)
        *refcount = buf->refcount;
    if (buf->refcount > 1) {
        doca_priv_buf_set_word(buf, doca_priv_buf_word(buf, 0xff, UINT16_MAX) -
                                        doca_priv_buf_word_of(0, 0, 1));
        DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
        return DOCA_SUCCESS;
    }
    DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
    DOCA_PRIV_CHECKED(if (doca_priv_check_is_busy(buf, true, "doca_buf_dec_refcount"))
                          return DOCA_ERROR_IN_USE;)
    return (buf->flags & DOCA_PRIV_BUF_OTHER) != 0 ? doca_priv_buf_release_others(buf)
                                                   : doca_priv_buf_release_list(buf);
}

DOCA_CORE_DECL doca_error_t doca_priv_buf_dec_refcount_other(struct doca_buf *buf,
                                                             uint16_t *refcount)
{
    doca_error_t rc = doca_priv_buf_dec_refcount(buf, refcount);

    DOCA_PRIV_CHECKED(while (rc == DOCA_ERROR_AGAIN) /* another thread changed the count */
                          rc = doca_priv_buf_dec_refcount(buf, refcount);)
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount)
{
    return doca_priv_hot_buf_dec_refcount(buf, refcount);
}

/* Append a list to another list. The head of the result gets DOCA_PRIV_BUF_OTHER when `list2` has
 * it. */
DOCA_PRIV_DECL void doca_priv_buf_append(struct doca_buf *list1, struct doca_buf *list2)
{
    doca_priv_buf_link(list1, list2,
                       (uint8_t)(DOCA_PRIV_BUF_LIST | (list2->flags & DOCA_PRIV_BUF_OTHER)));
}

static doca_error_t doca_priv_buf_chain(struct doca_buf *list1, struct doca_buf *list2,
                                        const char *function)
{
    doca_error_t rc;

    if (!doca_priv_is_buf(list1))
        return doca_priv_buf_refuse(list1, list1, function);
    if (!doca_priv_is_buf(list2))
        return doca_priv_buf_refuse(list2, list2, function);
    if (list1 == list2)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_BUF_SAME_LIST, function,
                              list1);
    rc = doca_priv_buf_check_list(list1, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_buf_check_list(list2, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (list2->refcount != 1)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_BUF_SHARED, function, list2);
    DOCA_PRIV_CHECKED(if (doca_priv_check_is_busy(list1, true, function) ||
                          doca_priv_check_is_busy(list2, true, function))
                          return DOCA_ERROR_IN_USE;)
    doca_priv_buf_append(list1, list2);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_priv_buf_chain_list_other(struct doca_buf *list1,
                                                           struct doca_buf *list2,
                                                           const char *function)
{
    doca_error_t rc;

    DOCA_PRIV_CHECKED(doca_priv_check_take_turn(list1, NULL, function);)
    rc = doca_priv_buf_chain(list1, list2, function);
    DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2)
{
    return doca_priv_hot_buf_chain_list(list1, list2);
}

DOCA_CORE_DECL doca_error_t doca_buf_chain_list_tail(struct doca_buf *list1_head,
                                                     struct doca_buf *list1_tail,
                                                     struct doca_buf *list2)
{
    DOCA_PRIV_OPEN(list1_head)
    DOCA_PRIV_OPEN(list1_tail)
    DOCA_PRIV_OPEN(list2)
    if (!doca_priv_is_buf(list1_head))
        return DOCA_PRIV_FAIL_HANDLE(list1_head);
    if (!doca_priv_is_buf(list1_tail))
        return DOCA_PRIV_FAIL_HANDLE(list1_tail);
    if (doca_priv_buf_is_list_head(list1_head) && list1_head->last != list1_tail)
        return DOCA_PRIV_FAIL(INVALID_VALUE, BUF_NOT_IN_LIST, list1_tail);
    return doca_priv_buf_chain_list_other(list1_head, list2, __func__);
}

static doca_error_t doca_priv_buf_unchain(struct doca_buf *list1, struct doca_buf *list2,
                                          const char *function)
{
    struct doca_buf *before;
    doca_error_t rc;

    if (!doca_priv_is_buf(list1))
        return doca_priv_fail_handle(list1, function);
    if (!doca_priv_is_buf(list2))
        return doca_priv_fail_handle(list2, function);
    rc = doca_priv_buf_check_list(list1, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (list2->flags == 0)
        return doca_priv_buf_not_head(list2, function);
    for (before = list1; before != NULL && before->next != list2; before = before->next) {
    }
    if (before == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_BUF_NOT_IN_LIST, function,
                              list2);
    DOCA_PRIV_CHECKED(if (doca_priv_check_is_busy(list1, true, function)) return DOCA_ERROR_IN_USE;)
    list2->last = list1->last;
    list2->flags &= (uint8_t)~(DOCA_PRIV_BUF_INNER | DOCA_PRIV_BUF_LIST);
    list2->flags |= (uint8_t)((list2->next != NULL ? DOCA_PRIV_BUF_LIST : 0) |
                              (list1->flags & DOCA_PRIV_BUF_OTHER)); /* such an element can be in
                                                                      * either part */
    before->next = NULL;
    list1->last = before;
    if (before == list1)
        list1->flags &= (uint8_t)~DOCA_PRIV_BUF_LIST;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2)
{
    DOCA_PRIV_OPEN(list1)
    DOCA_PRIV_OPEN(list2)
    doca_error_t rc;

    DOCA_PRIV_CHECKED(doca_priv_check_take_turn(list1, NULL, __func__);)
    rc = doca_priv_buf_unchain(list1, list2, __func__);
    DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf,
                                                      struct doca_buf **next_buf)
{
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc = doca_priv_buf_check_read(buf, next_buf, __func__);

    if (rc == DOCA_SUCCESS)
        *next_buf = buf->flags != 0 ? (struct doca_buf *)DOCA_PRIV_HANDLE(buf->next) : NULL;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf,
                                                      struct doca_buf **last_buf)
{
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc = doca_priv_buf_check_read(buf, last_buf, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_priv_buf_is_list_head(buf))
        buf = buf->last;
    while (buf->flags != 0 && buf->next != NULL)
        buf = buf->next;
    *last_buf = (struct doca_buf *)DOCA_PRIV_HANDLE(buf);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_get_list_len(const struct doca_buf *buf,
                                                  uint32_t *num_elements)
{
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc = doca_priv_buf_check(buf, num_elements, __func__);
    uint32_t num = 0;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_buf_check_list(buf, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    for (; buf != NULL; buf = buf->next)
        num++;
    *num_elements = num;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf, uint8_t *is_first)
{
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc = doca_priv_buf_check_read(buf, is_first, __func__);

    if (rc == DOCA_SUCCESS)
        *is_first = (buf->flags & DOCA_PRIV_BUF_INNER) == 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf, uint8_t *is_last)
{
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc = doca_priv_buf_check_read(buf, is_last, __func__);

    if (rc == DOCA_SUCCESS)
        *is_last = buf->flags == 0 || buf->next == NULL;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list)
{
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc = doca_priv_buf_check_read(buf, is_in_list, __func__);

    if (rc == DOCA_SUCCESS)
        *is_in_list = (buf->flags & (DOCA_PRIV_BUF_LIST | DOCA_PRIV_BUF_INNER)) != 0;
    return rc;
}
