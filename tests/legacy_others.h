/* What the files of the program test_legacy.c offer that are written for other versions: a copy of
 * `len` bytes on `dev`, in the way of that version. */
#ifndef LEGACY_OTHERS_H
#define LEGACY_OTHERS_H

#include "doca_core.h"

#ifdef __cplusplus
extern "C" {
#endif

doca_error_t legacy_copy_as_15(struct doca_dev *dev, void *from, void *to, size_t len);
doca_error_t legacy_copy_as_today(struct doca_dev *dev, void *from, void *to, size_t len);

/* What today's calls answer of an inventory: get and set of user data, and destroy. */
void legacy_inventory_as_today(struct doca_buf_inventory *inventory, doca_error_t answers[3]);

/* The address of its doca_mmap_start(): another function than that of 1.x. */
doca_error_t (*legacy_start_of_today(void))(struct doca_mmap *mmap);

#ifdef __cplusplus
}
#endif

#endif
