/* ---- >>hot.buf ------------------------------------------------------------------------------
 * Inline functions for the common cases of the calls for buffers. The rare cases are handled out
 * of line, mostly by a function of the same name that ends in _other.
 * The first four bytes of a buffer (kind, flags, refcount) are called its first word and are
 * loaded and stored together.                                                                   */
#ifndef DOCA_SRC_MEMORY_HOT_BUF_H
#define DOCA_SRC_MEMORY_HOT_BUF_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/check.h"
#include "object/hot.h"
#include "memory/buf.h"
#include "memory/inventory.h"
#include "memory/mmap.h"

DOCA_PRIV_HOT bool doca_priv_is_buf(const struct doca_buf *buf)
{
    return buf != NULL && DOCA_PRIV_IS_OPEN(buf) &&
           (DOCA_CORE_CHECK == 0 || buf->kind == DOCA_PRIV_KIND_BUF);
}

/* Return the first word of a buffer with these fields. */
DOCA_PRIV_HOT uint32_t doca_priv_buf_word_of(uint8_t kind, uint8_t flags, uint16_t refcount)
{
    const struct {
        uint8_t kind;
        uint8_t flags;
        uint16_t refcount;
    } begin = { kind, flags, refcount };
    uint32_t word;

    DOCA_PRIV_COPY(&word, &begin, sizeof(word));
    return word;
}

/* Store the first word of a buffer. Changes of a single field also store the whole word: it is
 * always loaded whole, and a load that is wider than a recent store must wait for that store. */
DOCA_PRIV_HOT void doca_priv_buf_set_word(struct doca_buf *buf, uint32_t word)
{
    DOCA_PRIV_COPY((void *)buf, &word, sizeof(word));
}

/* Return the first word of `buf`, masked to the given flags and reference count. */
DOCA_PRIV_HOT uint32_t doca_priv_buf_word(const struct doca_buf *buf, uint8_t flags,
                                          uint16_t refcount)
{
    uint32_t word;

    DOCA_PRIV_COPY(&word, buf, sizeof(word));
    return word & doca_priv_buf_word_of(0xff, flags, refcount);
}

/* True when `buf` is the head of a list. `once`: it must also hold exactly one reference.
 * `without`: flags that it must not have. One 32-bit test. DOCA_PRIV_IN_REGISTER keeps gcc from
 * masking only the second byte of a register, after which an Intel CPU needs another cycle to join
 * the parts of the register. */
DOCA_PRIV_HOT bool doca_priv_buf_is_head(const struct doca_buf *buf, bool once, uint8_t without)
{
    const uint8_t flags = DOCA_PRIV_BUF_OUT | DOCA_PRIV_BUF_INNER | without;
    uint32_t word;

    if (doca_unlikely(buf == NULL) || !DOCA_PRIV_IS_OPEN(buf))
        return false;
    DOCA_PRIV_COPY(&word, buf, sizeof(word));
    word ^= doca_priv_buf_word_of(DOCA_PRIV_KIND_BUF, DOCA_PRIV_BUF_OUT, once ? 1 : 0);
    DOCA_PRIV_IN_REGISTER(word);
    word &= doca_priv_buf_word_of(0xff, flags, once ? UINT16_MAX : 0);
    return doca_likely(word == 0);
}

/* True when `buf` is the head of a list, the library has warned about its content, and it has none
 * of the flags `without`. doca_priv_buf_is_head() is false for such a head. */
DOCA_CORE_DECL bool doca_priv_buf_is_warned_head(const struct doca_buf *buf, uint8_t without);

DOCA_PRIV_HOT size_t doca_priv_buf_len(const struct doca_buf *buf)
{
    return (size_t)((uintptr_t)buf->end - (uintptr_t)buf->head);
}

/* Return the bytes of room after the content. */
DOCA_PRIV_HOT size_t doca_priv_buf_tailroom(const struct doca_buf *buf)
{
    return (size_t)((uintptr_t)buf->end - (uintptr_t)buf->data) - buf->data_len;
}

/* Take the first free buffer of a stock, as an empty window [addr, addr + len) on `mmap`. The
 * caller counts the buffer in the mmap. */
DOCA_PRIV_HOT struct doca_buf *doca_priv_stock_take(struct doca_priv_stock *stock,
                                                    struct doca_mmap *mmap, unsigned char *addr,
                                                    size_t len)
{
    struct doca_buf *buf = stock->free_bufs;

    /* analyzer: core.NullDereference: the caller checked that a buffer is free */
    stock->free_bufs = buf->next;
    stock->num_free--;
    doca_priv_buf_set_word(buf, mmap->buf_word);
    buf->head = addr;
    buf->end = (unsigned char *)((uintptr_t)addr + len); /* may be the end of the address space */
    buf->data = addr;
    buf->data_len = 0;
    buf->mmap = mmap;
    buf->next = NULL;
    DOCA_PRIV_CHECKED(buf->check.is.life = doca_priv_check_note(buf, DOCA_PRIV_NOTE_TAKEN);)
    return buf;
}

DOCA_CORE_DECL doca_error_t doca_priv_inventory_get_other(struct doca_buf_inventory *inventory,
                                                          struct doca_mmap *mmap, void *addr,
                                                          size_t len, void *data, size_t data_len,
                                                          struct doca_buf **buf,
                                                          const char *function);

/* Get a buffer from an inventory. The slow path writes its result to the local variable `b` instead
 * of *buf: the address of the caller's variable is then never passed to a function that is not
 * inlined, and the variable can stay in a register. When the slow path succeeds, none of the
 * arguments is NULL. */
DOCA_PRIV_HOT doca_error_t doca_priv_inventory_get(struct doca_buf_inventory *inventory,
                                                   struct doca_mmap *mmap, void *addr, size_t len,
                                                   void *data, size_t data_len,
                                                   struct doca_buf **buf, const char *function)
{
    DOCA_PRIV_OPEN(mmap)
    /* analyzer: deadcode.DeadStores: with CHECK 2 only the slow path checks the range */
    const uintptr_t begin = (uintptr_t)addr, end = begin + len, skip = (uintptr_t)data - begin;
    struct doca_buf *b;
    doca_error_t rc;

    /* The NULL tests come first: when gets follow each other, compilers drop the later tests. */
    if (DOCA_CORE_CHECK >= 2 || doca_unlikely(inventory == NULL) || doca_unlikely(mmap == NULL) ||
        doca_unlikely(!doca_priv_is_in(inventory, DOCA_PRIV_KIND_INVENTORY, DOCA_PRIV_STARTED)) ||
        doca_unlikely(!doca_priv_is_in(mmap, DOCA_PRIV_KIND_MMAP, DOCA_PRIV_STARTED)) ||
        doca_unlikely(buf == NULL || begin < (uintptr_t)mmap->addr || begin >= end ||
                      end > (uintptr_t)mmap->end || skip > len || data_len > len - skip ||
                      inventory->stock.free_bufs == NULL)) {
        b = NULL; /* avoids a warning about an uninitialized variable */
        rc = doca_priv_inventory_get_other(inventory, mmap, addr, len, data, data_len,
                                           buf != NULL ? &b : NULL, function);
        if (rc != DOCA_SUCCESS || buf == NULL)
            return rc;
        DOCA_PRIV_ASSUME(inventory != NULL);
        DOCA_PRIV_ASSUME(mmap != NULL);
        DOCA_PRIV_ASSUME(b != NULL);
    } else {
        b = doca_priv_stock_take(&inventory->stock, mmap, (unsigned char *)addr, len);
        DOCA_PRIV_COUNT(mmap, 1);
        b->data = (unsigned char *)data;
        b->data_len = data_len;
    }
    *buf = (struct doca_buf *)DOCA_PRIV_HANDLE(b);
    return DOCA_SUCCESS;
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_inventory_buf_get_by_args(
    struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len,
    void *data, size_t data_len, struct doca_buf **buf)
{
    return doca_priv_inventory_get(inventory, mmap, addr, len, data, data_len, buf,
                                   "doca_buf_inventory_buf_get_by_args");
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_inventory_buf_get_by_addr(
    struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len,
    struct doca_buf **buf)
{
    return doca_priv_inventory_get(inventory, mmap, addr, len, addr, 0, buf,
                                   "doca_buf_inventory_buf_get_by_addr");
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_inventory_buf_get_by_data(
    struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *data, size_t data_len,
    struct doca_buf **buf)
{
    return doca_priv_inventory_get(inventory, mmap, data, data_len, data, data_len, buf,
                                   "doca_buf_inventory_buf_get_by_data");
}

/* Return the stock that the buffer belongs to. */
DOCA_PRIV_HOT struct doca_priv_stock *doca_priv_buf_stock(const struct doca_buf *buf)
{
    return (struct doca_priv_stock *)((uintptr_t)buf +
                                      (uintptr_t)(intptr_t)buf->home * DOCA_PRIV_HOME);
}

/* Return a buffer to its stock. */
DOCA_PRIV_HOT void doca_priv_buf_put(struct doca_buf *buf)
{
    struct doca_priv_stock *stock = doca_priv_buf_stock(buf);

    doca_priv_buf_set_word(buf, doca_priv_buf_word_of(DOCA_PRIV_KIND_BUF, 0, 0));
#if DOCA_CORE_CHECK >= 2
    doca_priv_check_bury_buf(stock, buf);
#else
    buf->next = stock->free_bufs;
    stock->free_bufs = buf;
#endif
    stock->num_free++;
    DOCA_PRIV_CHECKED(doca_priv_check_note(buf, DOCA_PRIV_NOTE_RETURNED);)
}

DOCA_CORE_DECL doca_error_t doca_priv_buf_release_list(struct doca_buf *buf);
DOCA_CORE_DECL doca_error_t doca_priv_buf_dec_refcount_other(struct doca_buf *buf,
                                                             uint16_t *refcount);

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount)
{
    DOCA_PRIV_OPEN(buf)
    if (DOCA_CORE_CHECK < 2 &&
        doca_likely(doca_priv_buf_is_head(buf, true, DOCA_PRIV_BUF_LIST | DOCA_PRIV_BUF_OTHER))) {
        if (refcount != NULL)
            *refcount = 1;
        DOCA_PRIV_COUNT(buf->mmap, -1);
        doca_priv_buf_put(buf);
        return DOCA_SUCCESS;
    }
    if (DOCA_CORE_CHECK < 2 && refcount == NULL &&
        doca_priv_buf_is_head(buf, true, DOCA_PRIV_BUF_OTHER))
        return doca_priv_buf_release_list(buf);
    return doca_priv_buf_dec_refcount_other(buf, refcount);
}

DOCA_CORE_DECL doca_error_t doca_priv_buf_chain_list_other(struct doca_buf *list1,
                                                           struct doca_buf *list2,
                                                           const char *function);

/* Append the list `list2` to the list `list1`, and set these flags in the head of the result. */
DOCA_PRIV_HOT void doca_priv_buf_link(struct doca_buf *list1, struct doca_buf *list2, uint8_t flags)
{
    list1->last->next = list2;
    list1->last = list2->last;
    doca_priv_buf_set_word(list1, doca_priv_buf_word(list1, 0xff, UINT16_MAX) |
                                      doca_priv_buf_word_of(0, flags, 0));
    doca_priv_buf_set_word(list2, doca_priv_buf_word(list2, 0xff, UINT16_MAX) |
                                      doca_priv_buf_word_of(0, DOCA_PRIV_BUF_INNER, 0));
    DOCA_PRIV_CHECKED(doca_priv_check_note(list2, DOCA_PRIV_NOTE_CHAINED);)
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_chain_list(struct doca_buf *list1,
                                                        struct doca_buf *list2)
{
    DOCA_PRIV_OPEN(list1)
    DOCA_PRIV_OPEN(list2)
    if (DOCA_CORE_CHECK >= 2 ||
        doca_unlikely(!doca_priv_buf_is_head(list1, false, DOCA_PRIV_BUF_OTHER)) ||
        doca_unlikely(!doca_priv_buf_is_head(list2, true, DOCA_PRIV_BUF_OTHER)) ||
        doca_unlikely(list1 == list2))
        return doca_priv_buf_chain_list_other(list1, list2, "doca_buf_chain_list");
    doca_priv_buf_link(list1, list2, DOCA_PRIV_BUF_LIST);
    return DOCA_SUCCESS;
}

/* Log and return the error of a call with an invalid buffer or a NULL `out`. DOCA_PRIV_OPAQUE makes
 * compilers assume that the function may write to *out: they would otherwise warn about
 * uninitialized variables in programs that ignore the error. */
DOCA_PRIV_OPAQUE
DOCA_CORE_DECL doca_error_t doca_priv_buf_refuse(const struct doca_buf *buf, void *out,
                                                 const char *function);

#define DOCA_PRIV_BUF_GETTER(name, type, value, is_content)                                        \
    DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_get_##name(const struct doca_buf *buf, type *out) \
    {                                                                                              \
        DOCA_PRIV_OPEN(buf)                                                                        \
        if (doca_unlikely(!doca_priv_is_buf(buf) || out == NULL))                                  \
            return doca_priv_buf_refuse(buf, out, "doca_buf_get_" #name);                          \
        DOCA_PRIV_CHECKED(doca_priv_check_read_buf(buf, is_content, "doca_buf_get_" #name);)       \
        *out = (value);                                                                            \
        return DOCA_SUCCESS;                                                                       \
    }

DOCA_PRIV_BUF_GETTER(head, void *, buf->head, false)
DOCA_PRIV_BUF_GETTER(len, size_t, doca_priv_buf_len(buf), false)
DOCA_PRIV_BUF_GETTER(data, void *, buf->data, true)
DOCA_PRIV_BUF_GETTER(data_len, size_t, buf->data_len, true)

DOCA_CORE_DECL doca_error_t doca_priv_buf_set_data_other(struct doca_buf *buf, void *data,
                                                         size_t data_len, const char *function);
DOCA_CORE_DECL doca_error_t doca_priv_buf_set_len(struct doca_buf *buf, size_t data_len,
                                                  const char *function);

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_set_data(struct doca_buf *buf, void *data,
                                                      size_t data_len)
{
    DOCA_PRIV_OPEN(buf)
    size_t skip;

    if (DOCA_CORE_CHECK < 2 &&
        doca_likely(doca_priv_is_buf(buf) && data != NULL && buf->flags != 0)) {
        skip = (size_t)((uintptr_t)data - (uintptr_t)buf->head);
        if (doca_likely(skip <= doca_priv_buf_len(buf) &&
                        data_len <= doca_priv_buf_len(buf) - skip)) {
            buf->data = (unsigned char *)data;
            buf->data_len = data_len;
            return DOCA_SUCCESS;
        }
    }
    return doca_priv_buf_set_data_other(buf, data, data_len, "doca_buf_set_data");
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_reset_data_len(struct doca_buf *buf)
{
    DOCA_PRIV_OPEN(buf)
    if (DOCA_CORE_CHECK >= 2 || doca_unlikely(!doca_priv_is_buf(buf) || buf->flags == 0))
        return doca_priv_buf_set_len(buf, 0, "doca_buf_reset_data_len");
    buf->data_len = 0;
    return DOCA_SUCCESS;
}

#endif
