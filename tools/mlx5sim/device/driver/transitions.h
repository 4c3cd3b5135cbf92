/* The transitions of QPs: the attributes that a change of state requires and allows. */
#ifndef MLX5SIM_DRIVER_TRANSITIONS_H
#define MLX5SIM_DRIVER_TRANSITIONS_H

#include <stdbool.h>
#include <stdint.h>

enum {                          /* attr_mask: IB_QP_* */
    QP_STATE = 1 << 0, QP_CUR_STATE = 1 << 1, QP_SQD_NOTIFY = 1 << 2, QP_ACCESS = 1 << 3,
    QP_PKEY = 1 << 4, QP_PORT = 1 << 5, QP_QKEY = 1 << 6, QP_AV = 1 << 7, QP_MTU = 1 << 8,
    QP_TIMEOUT = 1 << 9, QP_RETRY = 1 << 10, QP_RNR_RETRY = 1 << 11, QP_RQ_PSN = 1 << 12,
    QP_RD_ATOMIC = 1 << 13, QP_ALT_PATH = 1 << 14, QP_MIN_RNR = 1 << 15, QP_SQ_PSN = 1 << 16,
    QP_DEST_RD_ATOMIC = 1 << 17, QP_PATH_MIG = 1 << 18, QP_DEST = 1 << 20,
    QP_RATE = 1 << 25
};

/* Removes the attributes that the kernel ignores because they belong to the other side of XRC. */
uint32_t transition_mask(uint32_t type, uint32_t mask);

/* True when a QP of this type (that of struct hca_qp) may change from state `from` to state `to`
 * with these attributes. */
bool transition_is_allowed(uint32_t type, uint8_t from, uint8_t to, uint32_t mask);

/* Returns the firmware command of a transition; 0 when the driver issues no command for it. */
unsigned transition_opcode(uint8_t from, uint8_t to);

#endif
