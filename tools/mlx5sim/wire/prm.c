/* Reading and writing of fields by the table of prm.h. */
#include "wire/prm.h"

#include <stddef.h>

#define PRM_ROW(structure, name, bit, width) { #structure, #name, bit, width },
const struct prm_field prm_fields[prm_count] = { PRM_FIELDS(PRM_ROW) };

uint64_t prm_get(const void *base, enum prm_id field)
{
    const struct prm_field *f = &prm_fields[field];
    const uint8_t *p = base;
    unsigned bit = f->bit, left = f->width;
    uint64_t value = 0;

    while (left > 0) {
        unsigned in_byte = 8 - bit % 8;
        unsigned take = left < in_byte ? left : in_byte;
        unsigned part = (unsigned)(p[bit / 8] >> (in_byte - take)) & ((1u << take) - 1);

        value = value << take | part;
        bit += take;
        left -= take;
    }
    return value;
}

void prm_set(void *base, enum prm_id field, uint64_t value)
{
    const struct prm_field *f = &prm_fields[field];
    uint8_t *p = base;
    unsigned bit = f->bit, left = f->width;

    while (left > 0) {
        unsigned in_byte = 8 - bit % 8;
        unsigned take = left < in_byte ? left : in_byte;
        unsigned mask = ((1u << take) - 1) << (in_byte - take);
        unsigned part = (unsigned)(value >> (left - take)) << (in_byte - take) & mask;

        p[bit / 8] = (uint8_t)((p[bit / 8] & ~mask) | part);
        bit += take;
        left -= take;
    }
}

const char *prm_opcode_name(unsigned opcode)
{
#define NAME(op) { PRM_##op, #op }
    static const struct { unsigned opcode; const char *name; } names[] = {
        NAME(QUERY_HCA_CAP), NAME(QUERY_ADAPTER), NAME(CREATE_MKEY), NAME(QUERY_MKEY),
        NAME(DESTROY_MKEY), NAME(QUERY_SPECIAL_CONTEXTS), NAME(CREATE_CQ), NAME(DESTROY_CQ),
        NAME(QUERY_CQ), NAME(MODIFY_CQ), NAME(CREATE_QP), NAME(DESTROY_QP), NAME(RST2INIT_QP),
        NAME(INIT2RTR_QP), NAME(RTR2RTS_QP), NAME(RTS2RTS_QP), NAME(2ERR_QP), NAME(2RST_QP),
        NAME(QUERY_QP), NAME(INIT2INIT_QP), NAME(QUERY_ESW_FUNCTIONS),
        NAME(QUERY_NIC_VPORT_CONTEXT),
        NAME(QUERY_ROCE_ADDRESS), NAME(QUERY_HCA_VPORT_CONTEXT), NAME(ALLOC_PD), NAME(DEALLOC_PD),
        NAME(ACCESS_REG), NAME(ALLOC_TRANSPORT_DOMAIN), NAME(DEALLOC_TRANSPORT_DOMAIN),
        NAME(CREATE_RMP), NAME(MODIFY_RMP), NAME(DESTROY_RMP), NAME(QUERY_RMP),
        NAME(CREATE_GENERAL_OBJECT), NAME(MODIFY_GENERAL_OBJECT), NAME(QUERY_GENERAL_OBJECT),
        NAME(DESTROY_GENERAL_OBJECT), NAME(ALLOW_OTHER_VHCA_ACCESS), NAME(ALLOC_MEMIC),
        NAME(MODIFY_MEMIC), NAME(CREATE_SCHEDULING_ELEMENT), NAME(QUERY_SCHEDULING_ELEMENT),
        NAME(MODIFY_SCHEDULING_ELEMENT),
        NAME(SQERR2RTS_QP), NAME(ALLOC_XRCD), NAME(CREATE_XRC_SRQ),
        NAME(ATTACH_TO_MCG), NAME(CREATE_DCT), NAME(DESTROY_DCT), NAME(DRAIN_DCT), NAME(QUERY_DCT),
        NAME(CREATE_UMEM), NAME(QUERY_VUID),
        NAME(QUERY_LAG), NAME(CREATE_FLOW_TABLE), NAME(DESTROY_FLOW_TABLE), NAME(QUERY_FLOW_TABLE),
        NAME(CREATE_TIR), NAME(QUERY_TIR), NAME(CREATE_SQ), NAME(MODIFY_SQ), NAME(QUERY_SQ),
        NAME(CREATE_RQ), NAME(MODIFY_RQ), NAME(QUERY_RQ), NAME(CREATE_TIS), NAME(QUERY_TIS),
        NAME(CREATE_RQT), NAME(CREATE_PSV),
        NAME(MODIFY_RQT), NAME(QUERY_RQT),
        NAME(SET_FLOW_TABLE_ENTRY), NAME(ALLOC_FLOW_COUNTER), NAME(DEALLOC_FLOW_COUNTER),
        NAME(QUERY_FLOW_COUNTER), NAME(CREATE_FLOW_GROUP), NAME(QUERY_FLOW_GROUP),
        NAME(QUERY_FLOW_TABLE_ENTRY), NAME(MODIFY_FLOW_TABLE), NAME(MODIFY_TIR), NAME(MODIFY_TIS),
        NAME(SYNC_STEERING), NAME(QUERY_ESW_VPORT_CONTEXT),
        NAME(QUERY_TIS), NAME(ALLOC_PACKET_REFORMAT_CONTEXT), NAME(ALLOC_MODIFY_HEADER_CONTEXT),
    };
#undef NAME

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (names[i].opcode == opcode)
            return names[i].name;
    return NULL;
}
