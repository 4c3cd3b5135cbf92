/* Doorbells: stores to UAR pages. */
#ifndef MLX5SIM_HCA_DOORBELL_H
#define MLX5SIM_HCA_DOORBELL_H

#include "device/machine/machine.h"

/* Handles a store of eight bytes at `offset` of UAR page `page`. `value` has the bytes in the order
 * in which they are in memory. */
void hca_doorbell(struct sim_function *function, uint32_t page, uint32_t offset, uint64_t value);

/* With --doorbells poll: handles one or more stores to this page. Reads the doorbell records of all
 * CQs and QPs that use the page. */
void hca_uar_scan(struct sim_function *function, uint32_t page);

#endif
