/* Lists of pieces of memory. */
#include "device/hca/pieces.h"

#include <errno.h>
#include <stdlib.h>

enum { MAX_PIECES = 1 << 16 };          /* largest number of pieces of a message */

bool hca_pieces_add(struct hca_pieces *pieces, struct sim_space *space, uint64_t addr,
                    uint64_t len)
{
    struct hca_piece *last = pieces->num ? &pieces->piece[pieces->num - 1] : NULL;

    if (len == 0)
        return true;
    pieces->len += len;
    if (last && last->space == space && last->addr + last->len == addr) {
        last->len += len;
        return true;
    }
    if (pieces->num == pieces->room) {
        uint32_t room = pieces->room ? pieces->room * 2 : 16;
        struct hca_piece *piece;

        if (room > MAX_PIECES)
            return false;
        piece = realloc(pieces->piece, room * sizeof(*piece));
        if (!piece)
            return false;
        pieces->piece = piece;
        pieces->room = room;
    }
    /* analyzer: core.NullDereference: `piece` is NULL only while room is 0 */
    pieces->piece[pieces->num++] = (struct hca_piece){ space, addr, len };
    return true;
}

/* Undoes a copy that failed. A card reads the whole source before it writes; here the first `len`
 * bytes after `skip` may have been written before a later part of the source could not be read.
 * These bytes are set to 0, so that the destination contains no bytes of the source. */
static void clear(const struct hca_pieces *dst, uint64_t skip, uint64_t len)
{
    uint32_t d;

    for (d = 0; d < dst->num && len > 0; d++) {
        uint64_t here = dst->piece[d].len, step;

        if (skip >= here) {
            skip -= here;
            continue;
        }
        step = here - skip < len ? here - skip : len;
        (void)sim_clear(dst->piece[d].space, dst->piece[d].addr + skip, step);
        skip = 0;
        len -= step;
    }
}

int hca_pieces_copy(const struct hca_pieces *dst, uint64_t skip, const struct hca_pieces *src,
                    uint64_t len)
{
    uint32_t d = 0, s = 0;
    uint64_t d_at = skip, s_at = 0, left = len;

    while (left > 0) {
        uint64_t step = left, written;
        int err;

        while (d < dst->num && d_at >= dst->piece[d].len)
            d_at -= dst->piece[d++].len;
        while (s < src->num && s_at >= src->piece[s].len)
            s_at -= src->piece[s++].len;
        if (d == dst->num || s == src->num)
            return EMSGSIZE;
        if (step > dst->piece[d].len - d_at)
            step = dst->piece[d].len - d_at;
        if (step > src->piece[s].len - s_at)
            step = src->piece[s].len - s_at;
        err = sim_copy(dst->piece[d].space, dst->piece[d].addr + d_at, src->piece[s].space,
                       src->piece[s].addr + s_at, step, &written);
        if (err) {
            clear(dst, skip, len - left + written);
            return err;
        }
        d_at += step;
        s_at += step;
        left -= step;
    }
    return 0;
}
