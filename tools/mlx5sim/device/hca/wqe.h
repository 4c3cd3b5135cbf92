/* A WQE and its outcome. */
#ifndef MLX5SIM_HCA_WQE_H
#define MLX5SIM_HCA_WQE_H

#include <stdbool.h>
#include <stdint.h>

/* A WQE in the memory of the device process. */
struct hca_wqe {
    uint8_t *bytes;
    unsigned ds;                /* 16-byte units */
    uint8_t opcode, opmod;
    uint16_t index;
};

enum { WQE_MAX = 64 * 16 };

/* Results of executing a WQE. WQE_DONE: the WQE is done and has an outcome. WQE_WAIT: it must be
 * executed again at qp->wake. */
enum { WQE_DONE = 0, WQE_WAIT = -1 };

struct hca_outcome {
    uint8_t syndrome, vendor;
    uint32_t bytes;
    bool wrong_signature;       /* the request found one */
};

#endif
