/* Atomic operations of device memory. A program has a range of addresses for each operation that it
 * wants: an access to a byte of this range executes the operation on the byte of the memory. */
#ifndef MLX5SIM_HCA_OPERATION_H
#define MLX5SIM_HCA_OPERATION_H

#include "device/hca/memory.h"

enum {
    /* The operations of the range of device memory; bits of memic_operations. They exist only where
     * the library can trap accesses to a page. */
    OPERATION_CAPS = SIM_CAN_TRAP ? 1 << OPERATION_ADD | 1 << OPERATION_TEST_AND_SET : 0,
    /* The sizes of an access, as bits of the logarithm. No public source says in which order the
     * device adds the bytes of longer values. */
    OPERATION_SIZES = SIM_CAN_TRAP ? 1 << 0 : 0
};

struct hca_operation {
    struct hca_object object;
    struct hca_dm *dm;
    enum hca_dm_operation operation;
};

/* Returns the operation of this device memory, which is made at the first call. It ends with the
 * memory. Returns 0 or an errno. */
int hca_operation_get(struct hca_dm *dm, enum hca_dm_operation operation,
                      struct hca_operation **out);

/* Finds an operation by its number: NULL when its memory has been freed. */
struct hca_operation *hca_operation_find(uint32_t number);

/* Executes a load, or a store of `value`. Returns the value that a load gives. */
uint64_t hca_operation_run(struct hca_operation *operation, uint64_t offset, unsigned bytes,
                           bool is_store, uint64_t value);

#endif
