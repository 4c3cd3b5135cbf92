/* Ranges of QP numbers that are reserved for programs. The device gives no QP such a number. */
#include "device/firmware/reserved.h"
#include "wire/prm.h"

#include <stdlib.h>

/* The numbers of QPs are smaller: the table of QPs has at most 2^20 entries. */
enum { FIRST_QPN = 0x800000, MAX_RANGES = 1 << (RESERVED_LOG_MAX - RESERVED_LOG_QPNS) };

void devx_create_reserved_qpns(struct devx_command *c)
{
    struct hca_other *other;

    if (prm_get(c->in, prm_general_obj_in_cmd_hdr_log_obj_range) != RESERVED_LOG_QPNS) {
        devx_fail(c, PRM_BAD_PARAM, 0x646, "a range of reserved QP numbers has another size");
        return;
    }
    other = calloc(1, sizeof(*other));
    if (!other || hca_add(&other->object, HCA_DEVX, c->client, NULL)) {
        free(other);
        devx_fail(c, PRM_NO_RESOURCES, 0x647, "no reserved QP numbers are left");
        return;
    }
    other->kind = c->opcode;
    c->created = &other->object;
    prm_set(c->out, prm_general_obj_out_cmd_hdr_obj_id,
            FIRST_QPN + ((other->object.number % MAX_RANGES) << RESERVED_LOG_QPNS));
}
