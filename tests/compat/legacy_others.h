/* Functions in files of the same program that are written for other versions of the API. The first
 * two copy `len` bytes on `dev` with the API of that version. */
#ifndef LEGACY_OTHERS_H
#define LEGACY_OTHERS_H

#include "doca_core.h"

#ifdef __cplusplus
extern "C" {
#endif

doca_error_t legacy_copy_as_15(struct doca_dev *dev, void *from, void *to, size_t len);
doca_error_t legacy_copy_as_today(struct doca_dev *dev, void *from, void *to, size_t len);

/* Call three functions of today's API on an inventory (get user data, set user data, destroy), and
 * store their results in `answers`. */
void legacy_inventory_as_today(struct doca_buf_inventory *inventory, doca_error_t answers[3]);

/* Return the address of today's doca_mmap_start(), which differs from that of 1.x. */
doca_error_t (*legacy_start_of_today(void))(struct doca_mmap *mmap);

#ifdef __cplusplus
}
#endif

#endif
