/* Memory of a process in the image that apsh_image.h writes. */
#ifndef APSH_IMAGE_USER_H
#define APSH_IMAGE_USER_H

#include "apsh_image.h"

/* Give task `n` an empty page directory of its own. */
static inline void image_own_root(struct image *i, unsigned n)
{
    image_u64(i->mms[n] + IMAGE_MM_PGD, image_addr(i, i->next_table));
    i->next_table += 4096;
}

/* Return the physical address of the page directory of task `n`. */
static inline uint64_t image_root(const struct image *i, unsigned n)
{
    return image_get(i->mms[n] + IMAGE_MM_PGD) - i->direct;
}

/* Return the physical address of an address of task `n`. If no page is mapped there, map one. */
static inline uint64_t image_user(struct image *i, unsigned n, uint64_t addr)
{
    const uint64_t mask = 0x000ffffffffff000u;
    uint64_t table = image_root(i, n), entry;
    unsigned shift;

    for (shift = i->o.levels == 5 ? 48 : 39; shift >= 12; shift -= 9) {
        entry = image_get(table + (addr >> shift & 511) * 8);
        if ((entry & 1) == 0) {
            (void)image_map(i, image_root(i, n), addr / 4096 * 4096, i->next_page, 12);
            i->next_page += 4096;
            return i->next_page - 4096 + addr % 4096;
        }
        table = entry & mask;
    }
    return table + addr % 4096;
}

/* Put bytes to an address of task `n`. */
static inline void image_put_user(struct image *i, unsigned n, uint64_t addr, const void *bytes,
                                  size_t len)
{
    const char *from = bytes;
    size_t k;

    for (k = 0; k < len; k++)
        image_put(image_user(i, n, addr + k), from + k, 1);
}

#endif
