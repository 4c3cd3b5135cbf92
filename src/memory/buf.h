/* ---- >>buf ----------------------------------------------------------------------------------
 * Buffers. A buffer (doca_buf) is a window on one mmap: [head, head + len) is its room and [data,
 * data + data_len) its content. A task reads the content of its source and appends to the content
 * of its destination.
 * Buffers form singly linked lists. The head of a list owns the other elements, and only heads are
 * reference-counted. On 64-bit machines a buffer occupies one cache line and never moves. A buffer
 * that was returned to its inventory or pool ("in stock") keeps a readable header.
 * Threads: a buffer, its inventory and its mmap belong to one thread at a time.
 * Callbacks: all calls of this section, and those that get and release buffers, may be made in
 * task callbacks.
 * Source: DOCA Core Programming Guide, "DOCA Buffer"; API reference, "DOCA Buffer".             */
#ifndef DOCA_SRC_MEMORY_BUF_H
#define DOCA_SRC_MEMORY_BUF_H

#include "base/types.h"
#include "base/config.h"
#include "base/error.h"
#include "object/check.h"

struct doca_buf {
    uint8_t kind;
    uint8_t flags;     /* DOCA_PRIV_BUF_*; 0 while in stock */
    uint16_t refcount; /* references of a head; 1 in an inner element; 0 while in stock */
    int32_t home;      /* offset of its stock from this buffer, in units of DOCA_PRIV_HOME */
    unsigned char *head;
    unsigned char *end;
    unsigned char *data;
    size_t data_len;
    struct doca_mmap *mmap;
    struct doca_buf *next; /* next element of its list; while in stock: next free buffer */
    struct doca_buf *last; /* in a head: last element; while in stock: the buffer itself */
    DOCA_PRIV_CHECKED(DOCA_CORE_ALIGNED union doca_priv_check_buf check;)
};

#define DOCA_PRIV_BUF_KIND 0xca /* value of doca_buf.kind while the buffer exists */

/* In use: taken from its stock and not yet returned. Cleared again after the warning about a
 * content outside the window: such a buffer has DOCA_PRIV_BUF_OTHER instead, and every call takes
 * the slow path, which accepts it. */
#define DOCA_PRIV_BUF_OUT 1
#define DOCA_PRIV_BUF_INNER 2 /* an element of a list other than the head */
#define DOCA_PRIV_BUF_LIST 4  /* a head that is followed by other elements */
#define DOCA_PRIV_BUF_WRITE 8 /* its mmap permits devices to write */
/* The mmap of the buffer has is_shared or belongs to DPDK, or the buffer was warned about; in a
 * head: this holds for the head or another element of its list. Such a buffer is released on the
 * slow path. */
#define DOCA_PRIV_BUF_OTHER 16
/* A factor: the flags contain it times the number (1 to 7) of the mmap's only device, if that
 * device is one of the first seven open devices; otherwise these bits are 0. */
#define DOCA_PRIV_BUF_DEV 32
#define DOCA_PRIV_BUF_DEVS 7

/* Get a property. For valid arguments the result is always SUCCESS. The length is the length of the
 * whole window. A buffer that was returned keeps its last properties and has reference count 0. */
DOCA_CORE_DECL doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head);
DOCA_CORE_DECL doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len);
DOCA_CORE_DECL doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data);
DOCA_CORE_DECL doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len);
DOCA_CORE_DECL doca_error_t doca_buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount);

/* Set the content to [data, data + data_len). doca_buf_set_data_len() (later versions) leaves
 * `data` unchanged.
 * A content outside the buffer's window but inside its mmap is accepted, with one warning in the
 * log for each buffer. (The vendor leaves this case undefined; a card knows only the mmap.) If the
 * content ends after the window, the window is extended to the end of the mmap until the buffer is
 * returned. The checked mode rejects such a content.
 *
 * Errors    INVALID_VALUE  also: the content is not inside the mmap; it is not inside the window,
 *                          and the mmap is not started, or the checked mode is used
 *           BAD_STATE      the buffer was returned */
DOCA_CORE_DECL doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len);
DOCA_CORE_DECL doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len);

/* Set data_len to 0; `data` is unchanged.
 *
 * Errors    BAD_STATE  the buffer was returned */
DOCA_CORE_DECL doca_error_t doca_buf_reset_data_len(struct doca_buf *buf);

/* Increment or decrement the reference count of a list head. *refcount (may be NULL) receives the
 * count before the call. When the count becomes 0, every element of the list is returned to its
 * inventory or pool. The memory of the buffers is not touched. doca_buf_dec_refcount() accepts NULL
 * for `buf`: it does nothing, returns SUCCESS and gives *refcount 0.
 *
 * Cost      O(1); decrement to 0: O(elements)
 * Errors    NOT_PERMITTED  the buffer is an inner element of a list
 *           TOO_BIG        increment: the count is 65535
 *           BAD_STATE      the count is 0: the buffer was returned */
DOCA_CORE_DECL doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount);
DOCA_CORE_DECL doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount);

/* Append the list that begins with `list2` to the list that begins with `list1`. `list2` is no
 * longer a list head afterwards. doca_buf_chain_list_tail() (later versions) also takes the last
 * element of the first list. That argument is only checked, because every head knows the last
 * element of its list.
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  also: both are the same buffer; list1_tail is not the last element of
 *                          the first list
 *           NOT_PERMITTED  one of them is not a head, or list2 has a reference count other than 1
 *           BAD_STATE      one of the two buffers has been released */
DOCA_CORE_DECL doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2);
DOCA_CORE_DECL doca_error_t doca_buf_chain_list_tail(struct doca_buf *list1_head,
                                                     struct doca_buf *list1_tail,
                                                     struct doca_buf *list2);

/* Split a list before `list2`, which becomes the head of the second part, with reference count 1.
 *
 * Cost      O(elements before list2)
 * Errors    INVALID_VALUE  also: list2 does not follow list1 in a list
 *           NOT_PERMITTED  list1 is not a head
 *           BAD_STATE      one of the two buffers has been released */
DOCA_CORE_DECL doca_error_t doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2);

/* Walk through a list, or examine it. After the last element the next element is NULL. The last
 * element may be `buf` itself. The length includes `buf`. *is_first, *is_last and *is_in_list are 1
 * or 0.
 *
 * Cost      O(1); get_list_len, and get_last_in_list of an inner element: O(elements)
 * Errors    NOT_PERMITTED  get_list_len: the buffer is not a head
 *           BAD_STATE      get_list_len: the buffer was returned */
DOCA_CORE_DECL doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf,
                                                      struct doca_buf **next_buf);
DOCA_CORE_DECL doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf,
                                                      struct doca_buf **last_buf);
DOCA_CORE_DECL doca_error_t doca_buf_get_list_len(const struct doca_buf *buf,
                                                  uint32_t *num_elements);
DOCA_CORE_DECL doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf,
                                                      uint8_t *is_first);
DOCA_CORE_DECL doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf, uint8_t *is_last);
DOCA_CORE_DECL doca_error_t doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list);

#endif
