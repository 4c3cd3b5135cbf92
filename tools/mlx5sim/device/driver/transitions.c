/* The transitions of QPs, from the InfiniBand specification. The transitions of DCIs are those that
 * the kernel driver allows. */
#include "device/driver/transitions.h"
#include "device/driver/packet_methods.h"
#include "device/hca/qp.h"
#include "wire/prm.h"

#include <stddef.h>

#include <rdma/ib_user_ioctl_verbs.h>

enum { RESET = QPS_RESET, INIT = QPS_INIT, RTR = QPS_RTR, RTS = QPS_RTS, SQD = QPS_SQD,
       SQE = QPS_SQE, ERR = QPS_ERR };

enum { OF_RC, OF_UC, OF_UD, OF_INI, OF_TGT, OF_DCI, NUM_OF };

/* The attributes that a transition requires and allows, for each transport. */
struct transition {
    uint8_t from, to;
    uint32_t required[NUM_OF], optional[NUM_OF];
};

#define CONNECTED_INIT (QP_PKEY | QP_PORT | QP_ACCESS)
#define UC_RTR (QP_AV | QP_MTU | QP_DEST | QP_RQ_PSN)
#define RC_RTR (UC_RTR | QP_DEST_RD_ATOMIC | QP_MIN_RNR)
#define RTR_OPTIONS (QP_ALT_PATH | QP_ACCESS | QP_PKEY)
#define RC_RTS (QP_TIMEOUT | QP_RETRY | QP_RNR_RETRY | QP_SQ_PSN | QP_RD_ATOMIC)
#define UC_RUN (QP_CUR_STATE | QP_ALT_PATH | QP_ACCESS | QP_PATH_MIG)
#define RC_RUN (UC_RUN | QP_MIN_RNR)
#define UD_RUN (QP_CUR_STATE | QP_QKEY)
#define UC_SQD (QP_AV | QP_ALT_PATH | QP_ACCESS | QP_PKEY | QP_PATH_MIG)
#define INI_SQD (UC_SQD | QP_PORT | QP_TIMEOUT | QP_RETRY | QP_RNR_RETRY | QP_RD_ATOMIC)
#define TGT_SQD (UC_SQD | QP_PORT | QP_TIMEOUT | QP_DEST_RD_ATOMIC | QP_MIN_RNR)
#define RC_SQD (INI_SQD | TGT_SQD)

#define UD_INIT (QP_PKEY | QP_PORT | QP_QKEY)
#define DCI_INIT (QP_PKEY | QP_PORT)
#define NO UINT32_MAX           /* this transport does not have the transition */

static const struct transition transitions[] = {
    {RESET, INIT,
     {CONNECTED_INIT, CONNECTED_INIT, UD_INIT, CONNECTED_INIT, CONNECTED_INIT, DCI_INIT}, {0}},
    {INIT, INIT, {0},
     {CONNECTED_INIT, CONNECTED_INIT, UD_INIT, CONNECTED_INIT, CONNECTED_INIT, DCI_INIT}},
    {INIT, RTR, {RC_RTR, UC_RTR, 0, UC_RTR, RC_RTR, QP_MTU},
     {RTR_OPTIONS, RTR_OPTIONS, QP_PKEY | QP_QKEY, RTR_OPTIONS, RTR_OPTIONS, QP_PKEY | QP_AV}},
    {RTR, RTS, {RC_RTS, QP_SQ_PSN, QP_SQ_PSN, RC_RTS, QP_TIMEOUT | QP_SQ_PSN, RC_RTS},
     {RC_RUN, UC_RUN, UD_RUN, UC_RUN, RC_RUN, QP_MIN_RNR}},
    {RTS, RTS, {0}, {RC_RUN, UC_RUN, UD_RUN, UC_RUN, RC_RUN, QP_MIN_RNR}},
    {RTS, SQD, {0, 0, 0, 0, 0, NO},
     {QP_SQD_NOTIFY, QP_SQD_NOTIFY, QP_SQD_NOTIFY, QP_SQD_NOTIFY, QP_SQD_NOTIFY, 0}},
    {SQD, RTS, {0, 0, 0, 0, 0, NO}, {RC_RUN, UC_RUN, UD_RUN, UC_RUN, RC_RUN, 0}},
    {SQD, SQD, {0, 0, 0, 0, 0, NO},
     {RC_SQD, UC_SQD, QP_PKEY | QP_QKEY, INI_SQD, TGT_SQD, 0}},
    {SQE, RTS, {NO, 0, 0, NO, NO, NO}, {0, QP_CUR_STATE | QP_ACCESS, UD_RUN, 0, 0, 0}},
};

static unsigned of_type(uint32_t type)
{
    switch (type) {
    case IB_UVERBS_QPT_RC: return OF_RC;
    case IB_UVERBS_QPT_UC: return OF_UC;
    case IB_UVERBS_QPT_XRC_INI: return OF_INI;
    case IB_UVERBS_QPT_XRC_TGT: return OF_TGT;
    case HCA_QPT_DCI: return OF_DCI;
    default: return OF_UD;
    }
}

uint32_t transition_mask(uint32_t type, uint32_t mask)
{
    if (type == IB_UVERBS_QPT_XRC_INI)
        return mask & ~(uint32_t)(QP_DEST_RD_ATOMIC | QP_MIN_RNR);
    if (type == IB_UVERBS_QPT_XRC_TGT)
        return mask & ~(uint32_t)(QP_RD_ATOMIC | QP_RETRY | QP_RNR_RETRY);
    return mask;
}

bool transition_is_allowed(uint32_t type, uint8_t from, uint8_t to, uint32_t mask)
{
    unsigned of = of_type(type);
    size_t i;

    if (type == IB_UVERBS_QPT_RAW_PACKET)
        return packet_move_is_allowed(from, to, mask);
    if (to == RESET || to == ERR)
        return (mask & ~(uint32_t)(QP_STATE | QP_CUR_STATE)) == 0 &&
            !(of == OF_DCI && from == RESET && to == ERR);
    for (i = 0; i < sizeof(transitions) / sizeof(transitions[0]); i++) {
        const struct transition *t = &transitions[i];
        uint32_t required = t->required[of], allowed = required | t->optional[of] | QP_STATE;

        if (t->from == from && t->to == to)
            return required != NO && (mask & required) == required && (mask & ~allowed) == 0;
    }
    return false;
}

unsigned transition_opcode(uint8_t from, uint8_t to)
{
    static const struct { uint8_t from, to; uint16_t opcode; } moves[] = {
        {RESET, INIT, PRM_RST2INIT_QP}, {INIT, INIT, PRM_INIT2INIT_QP},
        {INIT, RTR, PRM_INIT2RTR_QP},   {RTR, RTS, PRM_RTR2RTS_QP},
        {RTS, RTS, PRM_RTS2RTS_QP},     {SQE, RTS, PRM_SQERR2RTS_QP}};
    size_t i;

    if (to == ERR || to == RESET)
        return from == RESET ? 0 : to == ERR ? PRM_2ERR_QP : PRM_2RST_QP;
    for (i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
        if (moves[i].from == from && moves[i].to == to)
            return moves[i].opcode;
    return 0;
}
