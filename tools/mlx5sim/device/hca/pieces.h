/* Lists of pieces of memory: the result of translating a range of a key, or a scatter list. */
#ifndef MLX5SIM_HCA_PIECES_H
#define MLX5SIM_HCA_PIECES_H

#include "device/machine/space.h"

struct hca_piece {
    struct sim_space *space;
    uint64_t addr, len;
};

/* Pieces in order. Setting num and len to 0 empties the list; the array stays allocated. */
struct hca_pieces {
    struct hca_piece *piece;
    uint32_t num, room;
    uint64_t len;
};

bool hca_pieces_add(struct hca_pieces *pieces, struct sim_space *space, uint64_t addr,
                    uint64_t len);
/* Copies the first `len` bytes of `src` to `dst`, beginning at byte `skip` of `dst`. Returns 0,
 * EFAULT when `src` cannot be read, EACCES when `dst` cannot be written, or EMSGSIZE when `dst` is
 * too small. */
int hca_pieces_copy(const struct hca_pieces *dst, uint64_t skip, const struct hca_pieces *src,
                    uint64_t len);

#endif
