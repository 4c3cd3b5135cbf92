/* The reference count of a buf, for every value: no reference gets lost, and it stays below 65,536.
 *
 * Proven    for every refcount from 1 and every flag that a single buf may have: inc adds one, or
 *           fails with TOO_BIG at 65,535 and changes nothing. dec removes one reference; when it
 *           removes the last one, the buf is free again and the count of bufs of its mmap drops by
 *           one. Both calls fail and change nothing for a free buf (BAD_STATE) and for inner
 *           elements of lists (NOT_PERMITTED).
 * Assumed   the buf is the only buf of its inventory, on an mmap that threads do not share
 * cbmc: --unwind 7 --pointer-overflow-check */
#include "proof.h"

static DOCA_CORE_ALIGNED struct {
    struct doca_buf_inventory inventory;
    unsigned char rest[DOCA_CORE_LINE - sizeof(struct doca_buf_inventory)];
    struct doca_buf buf;
} stock;
static struct doca_mmap buf_mmap;

static void proof(void)
{
    struct doca_buf *buf = &stock.buf;
    uint16_t refcount = (uint16_t)any_u64(), was = 7;
    uint8_t flags = (uint8_t)pick(256);
    const bool is_head = flags != 0 && (flags & DOCA_PRIV_BUF_INNER) == 0;
    doca_error_t rc;

    DOCA_CORE_MEMSET(&stock, 0, sizeof(stock));
    DOCA_CORE_MEMSET(&buf_mmap, 0, sizeof(buf_mmap));
    doca_priv_object_init(&stock.inventory.stock.obj, DOCA_PRIV_KIND_INVENTORY);
    doca_priv_stock_fill(&stock.inventory.stock, &stock.inventory.stock, 1);
    doca_priv_object_init(&buf_mmap.obj, DOCA_PRIV_KIND_MMAP);
    buf_mmap.buf_word = doca_priv_buf_word_of(DOCA_PRIV_KIND_BUF, DOCA_PRIV_BUF_OUT, 1);
    PROVE(doca_priv_stock_take(&stock.inventory.stock, &buf_mmap, (unsigned char *)&stock, 1) ==
          buf);
    buf_mmap.num_bufs = 1;

    ASSUME((flags & DOCA_PRIV_BUF_LIST) == 0);
    /* a buf in use without OUT was warned about, and has OTHER */
    ASSUME(flags == 0 || (flags & (DOCA_PRIV_BUF_OUT | DOCA_PRIV_BUF_OTHER)) != 0);
    ASSUME(refcount > 0 || !is_head);
    buf->flags = flags;
    buf->refcount = refcount;
    if (pick(2) == 0) {
        rc = doca_buf_inc_refcount(buf, &was);
        refcount = (uint16_t)(refcount + (rc == DOCA_SUCCESS));
        PROVE(rc == DOCA_SUCCESS || rc == DOCA_ERROR_TOO_BIG || !is_head);
        PROVE(rc != DOCA_ERROR_TOO_BIG || buf->refcount == UINT16_MAX);
        PROVE(rc == DOCA_SUCCESS ? was == refcount - 1 : was == 7);
        PROVE(buf->refcount == refcount && buf->flags == flags);
        PROVE(stock.inventory.stock.num_free == 0 && buf_mmap.num_bufs == 1);
    } else {
        rc = doca_buf_dec_refcount(buf, &was);
        PROVE((rc == DOCA_SUCCESS) == is_head);
        PROVE(rc == DOCA_SUCCESS ? was == refcount : was == 7);
        if (rc == DOCA_SUCCESS && refcount == 1) {
            PROVE(buf->refcount == 0 && buf->flags == 0 && buf_mmap.num_bufs == 0);
            PROVE(stock.inventory.stock.free_bufs == buf && stock.inventory.stock.num_free == 1);
        } else {
            PROVE(buf->refcount == refcount - (rc == DOCA_SUCCESS) && buf->flags == flags);
            PROVE(stock.inventory.stock.num_free == 0 && buf_mmap.num_bufs == 1);
        }
    }
    if (rc != DOCA_SUCCESS && (flags & DOCA_PRIV_BUF_INNER) != 0)
        PROVE(rc == DOCA_ERROR_NOT_PERMITTED);
    else if (rc != DOCA_SUCCESS && flags == 0)
        PROVE(rc == DOCA_ERROR_BAD_STATE);
}
