/* ---- >>impl.apsh.bytes -----------------------------------------------------------------------
 * Sequential reading, and numbers of the target, whose byte order is little-endian.             */
#include "compat/apsh/bytes_priv.h"

#include "compat/apsh/config.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/platform_priv.h"

#define DOCA_PRIV_APSH_AHEAD 16u /* pages that are read ahead in one batch */

DOCA_PRIV_DECL uint32_t doca_priv_apsh_u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

DOCA_PRIV_DECL uint64_t doca_priv_apsh_u64(const unsigned char *at)
{
    return doca_priv_apsh_u32(at) | (uint64_t)doca_priv_apsh_u32(at + 4) << 32;
}

DOCA_PRIV_DECL void doca_priv_apsh_bytes_begin(struct doca_priv_apsh_bytes *bytes,
                                               struct doca_priv_apsh_mem *mem, uint64_t addr,
                                               uint64_t len)
{
    bytes->mem = mem;
    bytes->addr = addr;
    bytes->len = len;
    bytes->at = 0;
    bytes->filled = 0;
}

/* Count `num` steps of work on bytes that the cache has. Returns false when the call has no steps
 * left; it then submits no further reads. */
DOCA_PRIV_DECL bool doca_priv_apsh_bytes_spend(struct doca_priv_apsh_bytes *bytes, uint64_t num)
{
    struct doca_priv_apsh_mem *mem = bytes->mem;

    if (mem->steps < num) {
        mem->steps = mem->budget = 0;
        return false;
    }
    mem->steps -= num;
    return true;
}

/* Move the window to `at`. */
static bool doca_priv_apsh_bytes_move(struct doca_priv_apsh_bytes *bytes, uint64_t at)
{
    uint64_t ahead[DOCA_PRIV_APSH_AHEAD];
    uint32_t num;

    bytes->at = at;
    bytes->filled = 0;
    for (num = 0; num < DOCA_PRIV_APSH_AHEAD; num++) {
        ahead[num] = bytes->addr + at + num * (uint64_t)DOCA_PRIV_APSH_PAGE;
        if (at + num * (uint64_t)DOCA_PRIV_APSH_PAGE >= bytes->len)
            break;
    }
    doca_priv_apsh_mem_fetch(bytes->mem, ahead, num);
    num = bytes->len - at < sizeof(bytes->window) ? (uint32_t)(bytes->len - at)
                                                  : (uint32_t)sizeof(bytes->window);
    if (doca_priv_apsh_mem_read(bytes->mem, bytes->addr + at, bytes->window, num) != DOCA_SUCCESS)
        return false;
    bytes->filled = num;
    return true;
}

/* Return `len` bytes at `at`, at most a page; valid until the next call. NULL: the range ends
 * before, the bytes cannot be read, or the call of the program has no steps left. Each call of this
 * function is a step: data of a hostile target that refers to itself makes the start of a system
 * fail, and does not keep it busy forever. */
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_bytes_get(struct doca_priv_apsh_bytes *bytes,
                                                             uint64_t at, size_t len)
{
    if (at > bytes->len || len > bytes->len - at || len > sizeof(bytes->window) ||
        !doca_priv_apsh_bytes_spend(bytes, 1))
        return NULL;
    if ((at < bytes->at || at - bytes->at > bytes->filled ||
         len > bytes->filled - (size_t)(at - bytes->at)) &&
        !doca_priv_apsh_bytes_move(bytes, at))
        return NULL;
    return bytes->window + (at - bytes->at);
}

/* Return the bytes of the window from `at` on, and their number, which is at least one. NULL: `at`
 * is the end of the range, or the bytes cannot be read. */
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_bytes_some(struct doca_priv_apsh_bytes *bytes,
                                                              uint64_t at, size_t *len)
{
    const unsigned char *found = doca_priv_apsh_bytes_get(bytes, at, 1);

    if (found != NULL)
        *len = bytes->filled - (size_t)(at - bytes->at);
    return found;
}
