/* Firmware commands on TIS, TIR and RQT objects. All refusals are assumed. */
#include "device/firmware/tirs.h"
#include "device/hca/tir.h"
#include "device/hca/tis.h"
#include "device/hca/icm.h"
#include "wire/prm.h"

#include <string.h>

enum { DIRECT = 0, INDIRECT = 1, HASH_NONE = 0, HASH_TOEPLITZ = 2, RQ_NUMBER = 0xffffff,
       RQN_LIST = 1,
       TIS_PRIO = 1, TIS_LAG_PORT = 4, TIR_TABLE = 2, TIR_HASH = 4,       /* bits of bitmask */
       TIS_OUT_BYTES = 0x10 + 0xa0 };

bool devx_has_packets(struct devx_command *c)
{
    if (machine.profile.ethernet)
        return true;
    devx_fail(c, PRM_BAD_OP, 0x810, "only a device with Ethernet ports has this command");
    return false;
}

/* Returns an object of this kind, or NULL after devx_fail(). */
static struct hca_other *find_other(struct devx_command *c, uint32_t number, uint32_t kind,
                                    const char *what)
{
    struct hca_other *other = devx_object(c, HCA_DEVX, number, what);

    if (!other || other->kind == kind)
        return other;
    devx_fail(c, PRM_BAD_RESOURCE, 0x811, what);
    return NULL;
}

/* ---- TIS ------------------------------------------------------------------------------------ */

static struct hca_tis *find_tis(struct devx_command *c, uint32_t number)
{
    return (struct hca_tis *)find_other(c, number, PRM_CREATE_TIS, "the TIS is not this client's");
}

struct hca_object *devx_tis(struct devx_command *c, uint32_t number)
{
    struct hca_tis *tis = find_tis(c, number);

    if (!tis || !tis->is_of_qp)
        return tis ? &tis->other.object : NULL;
    devx_fail(c, PRM_BAD_RESOURCE, 0x81a, "the TIS belongs to a QP of verbs");
    return NULL;
}

void devx_create_tis(struct devx_command *c)
{
    const uint8_t *tisc = PRM_AT(c->in, prm_create_tis_in_ctx);
    uint32_t domain = (uint32_t)prm_get(tisc, prm_tisc_transport_domain);

    if (!devx_has_packets(c) || !find_other(c, domain, PRM_ALLOC_TRANSPORT_DOMAIN,
                                            "the transport domain is not this client's"))
        return;
    if (hca_tis_create(c->client, domain, &c->created)) {
        devx_fail(c, PRM_NO_RESOURCES, 0x812, "no TIS is left");
        return;
    }
    ((struct hca_tis *)c->created)->prio = (unsigned)prm_get(tisc, prm_tisc_prio);
    prm_set(c->out, prm_create_tis_out_tisn, c->created->number);
}

void devx_modify_tis(struct devx_command *c)
{
    struct hca_tis *tis = find_tis(c, (uint32_t)prm_get(c->in, prm_modify_tis_in_tisn));
    const uint8_t *tisc = PRM_AT(c->in, prm_modify_tis_in_ctx);
    uint64_t mask = prm_get(c->in, prm_modify_tis_in_bitmask);
    unsigned lag_port = (unsigned)prm_get(tisc, prm_tisc_lag_tx_port_affinity);

    if (!tis)
        return;
    if (mask & ~(uint64_t)(TIS_PRIO | TIS_LAG_PORT)) {
        devx_fail(c, PRM_BAD_PARAM, 0x81c, "this field of a TIS cannot be modified");
        return;
    }
    if (mask & TIS_LAG_PORT && (lag_port == 0 || lag_port > HCA_LAG_PORTS)) {
        devx_fail(c, PRM_BAD_PARAM, 0x81f, "the LAG does not have this port");
        return;
    }
    if (mask & TIS_PRIO)
        tis->prio = (unsigned)prm_get(tisc, prm_tisc_prio);
    if (mask & TIS_LAG_PORT)
        tis->lag_port = (uint8_t)lag_port;
}

void devx_query_tis(struct devx_command *c)
{
    uint8_t *tisc = PRM_AT(c->out, prm_query_tis_out_tis_context);
    const struct hca_tis *tis = find_tis(c, (uint32_t)prm_get(c->in, prm_query_tis_in_tisn));

    if (!tis || !devx_output(c, TIS_OUT_BYTES))
        return;
    prm_set(tisc, prm_tisc_prio, tis->prio);
    prm_set(tisc, prm_tisc_lag_tx_port_affinity, tis->lag_port);
    prm_set(tisc, prm_tisc_transport_domain, tis->transport_domain);
}

/* ---- RQT ------------------------------------------------------------------------------------ */

/* Finds the queues in an RQT context. Returns their number, or 0 after devx_fail(). */
static unsigned read_rqt(struct devx_command *c, const uint8_t *rqtc, struct hca_qp **rq)
{
    const uint8_t *list = PRM_AT(rqtc, prm_rqtc_rq_num);
    unsigned num = (unsigned)prm_get(rqtc, prm_rqtc_rqt_actual_size);

    if (num == 0 || num > 1 << RQT_LOG_MAX_SIZE || prm_get(rqtc, prm_rqtc_rqt_max_size) < num ||
        prm_get(rqtc, prm_rqtc_rqt_max_size) > 1 << RQT_LOG_MAX_SIZE) {
        devx_fail(c, PRM_BAD_PARAM, 0x813, "the size of the RQT is not supported");
        return 0;
    }
    if (c->in_len < (size_t)(list - c->in) + num * 4) {
        devx_fail(c, PRM_BAD_INPUT_LEN, 0x814, "the input is too short for the list of queues");
        return 0;
    }
    for (unsigned i = 0; i < num; i++) {
        uint32_t rqn = (uint32_t)prm_get(list + 4 * i, prm_rq_num_rq_num) & RQ_NUMBER;

        rq[i] = devx_object(c, HCA_QP, rqn, "a queue of the RQT is not this client's");
        if (!rq[i])
            return 0;
        if (!hca_is_rq(&rq[i]->object)) {
            devx_fail(c, PRM_BAD_RESOURCE, 0x815, "the RQT contains a number that is no RQ");
            return 0;
        }
    }
    return num;
}

void devx_create_rqt(struct devx_command *c)
{
    struct hca_qp *rq[1 << RQT_LOG_MAX_SIZE];
    unsigned num;

    if (!devx_has_packets(c))
        return;
    num = read_rqt(c, PRM_AT(c->in, prm_create_rqt_in_rqt_context), rq);
    if (num == 0)
        return;
    if (hca_rqt_create(c->client, rq, num, &c->created))
        devx_fail(c, PRM_NO_RESOURCES, 0x816, "no RQT is left");
    else
        prm_set(c->out, prm_create_rqt_out_rqtn, c->created->number);
}

static struct hca_rqt *find_rqt(struct devx_command *c, uint32_t number)
{
    return devx_object(c, HCA_RQT, number, "the RQT is not this client's");
}

void devx_modify_rqt(struct devx_command *c)
{
    struct hca_qp *rq[1 << RQT_LOG_MAX_SIZE];
    struct hca_rqt *rqt = find_rqt(c, (uint32_t)prm_get(c->in, prm_modify_rqt_in_rqtn));
    unsigned num;

    if (!rqt || !(prm_get(c->in, prm_modify_rqt_in_bitmask) & RQN_LIST))
        return;
    num = read_rqt(c, PRM_AT(c->in, prm_modify_rqt_in_ctx), rq);
    if (num)
        hca_rqt_set(rqt, rq, num);
}

void devx_query_rqt(struct devx_command *c)
{
    uint8_t *rqtc = PRM_AT(c->out, prm_query_rqt_out_rqt_context);
    uint8_t *list = PRM_AT(rqtc, prm_rqtc_rq_num);
    const struct hca_rqt *rqt = find_rqt(c, (uint32_t)prm_get(c->in, prm_query_rqt_in_rqtn));

    if (!rqt || !devx_output(c, (size_t)(list - c->out) + 4 * rqt->num))
        return;
    prm_set(rqtc, prm_rqtc_rqt_max_size, rqt->num);
    prm_set(rqtc, prm_rqtc_rqt_actual_size, rqt->num);
    for (unsigned i = 0; i < rqt->num; i++)
        prm_set(list + 4 * i, prm_rq_num_rq_num, rqt->rq[i]->object.number);
}

/* ---- TIR ------------------------------------------------------------------------------------ */

/* Reads which fields of a packet the hash uses. */
static void read_hash(const uint8_t *tirc, struct hca_tir_attr *attr)
{
    enum { IPV6 = 1, UDP = 1, PORTS = HASH_L4_SPORT | HASH_L4_DPORT };
    const uint8_t *select = PRM_AT(tirc, prm_tirc_rx_hash_field_selector_outer);

    attr->hashes = prm_get(tirc, prm_tirc_rx_hash_fn) == HASH_TOEPLITZ;
    attr->symmetric = prm_get(tirc, prm_tirc_rx_hash_symmetric) != 0;
    attr->fields = (unsigned)prm_get(select, prm_rx_hash_field_select_selected_fields) &
                   (HASH_SRC_IP | HASH_DST_IP | PORTS);
    attr->ip_version = prm_get(select, prm_rx_hash_field_select_l3_prot_type) == IPV6 ? 6 : 4;
    if (attr->fields & PORTS)
        attr->protocol = prm_get(select, prm_rx_hash_field_select_l4_prot_type) == UDP
                             ? PACKET_UDP : PACKET_TCP;
    memcpy(attr->key, PRM_AT(tirc, prm_tirc_rx_hash_toeplitz_key), sizeof(attr->key));
}

/* Finds the queue or the table of a TIR. False after devx_fail(). */
static bool read_dispatch(struct devx_command *c, const uint8_t *tirc, struct hca_tir_attr *attr)
{
    unsigned type = (unsigned)prm_get(tirc, prm_tirc_disp_type);
    unsigned hash = (unsigned)prm_get(tirc, prm_tirc_rx_hash_fn);

    if (type == INDIRECT && (hash == HASH_NONE || hash == HASH_TOEPLITZ)) {
        attr->rqt = find_rqt(c, (uint32_t)prm_get(tirc, prm_tirc_indirect_table));
        read_hash(tirc, attr);
        return attr->rqt != NULL;
    }
    if (type != DIRECT) {
        devx_fail(c, PRM_BAD_PARAM, 0x817, "unknown type of the TIR or of its hash");
        return false;
    }
    attr->rq = devx_object(c, HCA_QP, (uint32_t)prm_get(tirc, prm_tirc_inline_rqn),
                           "the RQ is not this client's");
    if (attr->rq && !hca_is_rq(&attr->rq->object)) {
        devx_fail(c, PRM_BAD_RESOURCE, 0x818, "the number of the queue is no RQ");
        return false;
    }
    return attr->rq != NULL;
}

/* A TIR needs no transport domain: the suite of rdma-core creates one without it. */
void devx_create_tir(struct devx_command *c)
{
    const uint8_t *tirc = PRM_AT(c->in, prm_create_tir_in_ctx);
    struct hca_tir_attr attr = {
        .transport_domain = (uint32_t)prm_get(tirc, prm_tirc_transport_domain) };
    uint64_t address;

    if (!devx_has_packets(c) ||
        (attr.transport_domain != 0 &&
         !find_other(c, attr.transport_domain, PRM_ALLOC_TRANSPORT_DOMAIN,
                     "the transport domain is not this client's")) ||
        !read_dispatch(c, tirc, &attr))
        return;
    if (hca_tir_create(c->client, &attr, &c->created)) {
        devx_fail(c, PRM_NO_RESOURCES, 0x819, "no TIR is left");
        return;
    }
    address = icm_address_of(c->created);
    prm_set(c->out, prm_create_tir_out_tirn, c->created->number);
    prm_set(c->out, prm_create_tir_out_icm_address_63_40, address >> 40);
    prm_set(c->out, prm_create_tir_out_icm_address_39_32, address >> 32);
    prm_set(c->out, prm_create_tir_out_icm_address_31_0, address);
}

/* Refuses other parts: the device has no LRO, and does not block its own packets. */
void devx_modify_tir(struct devx_command *c)
{
    const uint8_t *tirc = PRM_AT(c->in, prm_modify_tir_in_ctx);
    uint64_t parts = prm_get(c->in, prm_modify_tir_in_bitmask);
    unsigned hash = (unsigned)prm_get(tirc, prm_tirc_rx_hash_fn);
    struct hca_tir *tir = devx_object(c, HCA_TIR, (uint32_t)prm_get(c->in, prm_modify_tir_in_tirn),
                                      "the TIR is not this client's");
    struct hca_tir_attr attr;

    if (!tir)
        return;
    attr = tir->attr;
    if (parts & ~(uint64_t)(TIR_TABLE | TIR_HASH) || !attr.rqt ||
        (parts & TIR_HASH && hash != HASH_NONE && hash != HASH_TOEPLITZ)) {
        devx_fail(c, PRM_BAD_PARAM, 0x81b, "only the RQT and the hash of a TIR can be modified, "
                  "if it has them");
        return;
    }
    if (parts & TIR_TABLE) {
        attr.rqt = find_rqt(c, (uint32_t)prm_get(tirc, prm_tirc_indirect_table));
        if (!attr.rqt)
            return;
    }
    if (parts & TIR_HASH) {
        attr.protocol = 0;
        read_hash(tirc, &attr);
    }
    hca_tir_modify(tir, &attr);
}

void devx_query_tir(struct devx_command *c)
{
    uint8_t *tirc = PRM_AT(c->out, prm_query_tir_out_tir_context);
    const struct hca_tir *tir = devx_object(c, HCA_TIR,
                                            (uint32_t)prm_get(c->in, prm_query_tir_in_tirn),
                                            "the TIR is not this client's");

    if (!tir)
        return;
    prm_set(tirc, prm_tirc_disp_type, tir->attr.rqt ? INDIRECT : DIRECT);
    prm_set(tirc, prm_tirc_transport_domain, tir->attr.transport_domain);
    if (tir->attr.rqt)
        prm_set(tirc, prm_tirc_indirect_table, tir->attr.rqt->object.number);
    else
        prm_set(tirc, prm_tirc_inline_rqn, tir->attr.rq->object.number);
}
