/* What an identifier says of its addresses, its device and its path. */
#define _GNU_SOURCE
#include "device/cm/query.h"
#include "device/cm/address.h"

#include <endian.h>
#include <string.h>

enum {
    PKEY = 0xffff,
    RATE_200_GBPS = 19, LIFE_TIME = 18, EXACTLY = 2,
    MTU_1024 = 3, MTU_4096 = 5,
    HOP_LIMIT = 64              /* of RoCE */
};

/* Offsets in a path record, which has 64 bytes in big endian, from the InfiniBand specification. */
enum {
    PATH_DGID = 8, PATH_SGID = 24, PATH_DLID = 40, PATH_SLID = 42, PATH_HOP_LIMIT = 47,
    PATH_REVERSIBLE = 49, PATH_PKEY = 50, PATH_MTU = 54, PATH_RATE = 55, PATH_LIFE_TIME = 56
};

static uint8_t path_mtu(void)
{
    return machine.profile.ethernet ? MTU_1024 : MTU_4096;
}

void query_route(const struct cm_id *id, struct rdma_ucm_query_route_resp *resp)
{
    struct ib_user_path_rec *path = &resp->ib_route[0];

    memset(resp, 0, sizeof(*resp));
    memcpy(&resp->src_addr, &id->src, sizeof(resp->src_addr));
    memcpy(&resp->dst_addr, &id->dst, sizeof(resp->dst_addr));
    if (id->function == NULL)
        return;
    resp->node_guid = htobe64(id->function->node_guid);
    resp->port_num = 1;
    resp->ibdev_index = id->function->index;
    memcpy(path->sgid, id->function->gid, sizeof(path->sgid));
    path->pkey = htobe16(PKEY);
    if (id->peer_function != NULL)
        memcpy(path->dgid, id->peer_function->gid, sizeof(path->dgid));
    if (!id->has_route)
        return;
    resp->num_paths = 1;
    path->dlid = htobe16(id->peer_function->lid);
    path->slid = htobe16(id->function->lid);
    path->reversible = 1;
    path->numb_path = 1;
    path->hop_limit = machine.profile.ethernet ? HOP_LIMIT : 0;
    path->mtu = path_mtu();
    path->rate = RATE_200_GBPS;
    path->packet_life_time = LIFE_TIME;
    path->mtu_selector = path->rate_selector = path->packet_life_time_selector = EXACTLY;
}

static void describe(const struct cm_id *id, struct rdma_ucm_query_addr_resp *resp)
{
    memset(resp, 0, sizeof(*resp));
    if (id->function == NULL)
        return;
    resp->node_guid = htobe64(id->function->node_guid);
    resp->port_num = 1;
    resp->pkey = htobe16(PKEY);
    resp->ibdev_index = id->function->index;
}

void query_addr(const struct cm_id *id, struct rdma_ucm_query_addr_resp *resp)
{
    describe(id, resp);
    resp->src_size = (uint16_t)cm_addr_size(&id->src);
    resp->dst_size = (uint16_t)cm_addr_size(&id->dst);
    memcpy(&resp->src_addr, &id->src, sizeof(id->src));
    memcpy(&resp->dst_addr, &id->dst, sizeof(id->dst));
}

/* Returns the GID of a function as an address of AF_IB, with the port of `addr`. */
static void gid_addr(const struct cm_id *id, const struct sim_function *function,
                     const union cm_addr *addr, void *out, uint16_t *bytes)
{
    union cm_addr gid = {.ib = {.family = CM_AF_IB}};

    *bytes = sizeof(gid.ib);
    if (function != NULL) {
        gid.ib.pkey = htobe16(PKEY);
        memcpy(gid.ib.gid, function->gid, sizeof(gid.ib.gid));
    }
    cm_addr_set_port(&gid, cm_addr_port(addr), id->ps);
    memcpy(out, &gid, sizeof(gid));
}

void query_gid(const struct cm_id *id, struct rdma_ucm_query_addr_resp *resp)
{
    describe(id, resp);
    gid_addr(id, id->function, &id->src, &resp->src_addr, &resp->src_size);
    gid_addr(id, id->peer_function, &id->dst, &resp->dst_addr, &resp->dst_size);
}

static void put_be16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

void query_path(const struct cm_id *id, struct rdma_ucm_query_path_resp *resp)
{
    struct ib_path_rec_data *data = resp->path_data;
    uint8_t *path = (uint8_t *)data->path_rec;

    memset(resp, 0, sizeof(*resp) + sizeof(*data));
    if (!id->has_route)
        return;
    resp->num_paths = 1;
    data->flags = IB_PATH_GMP | IB_PATH_PRIMARY | IB_PATH_BIDIRECTIONAL;
    memcpy(path + PATH_DGID, id->peer_function->gid, 16);
    memcpy(path + PATH_SGID, id->function->gid, 16);
    put_be16(path + PATH_DLID, id->peer_function->lid);
    put_be16(path + PATH_SLID, id->function->lid);
    path[PATH_HOP_LIMIT] = machine.profile.ethernet ? HOP_LIMIT : 0;
    path[PATH_REVERSIBLE] = 0x81;       /* reversible; one path */
    put_be16(path + PATH_PKEY, PKEY);
    path[PATH_MTU] = (uint8_t)(EXACTLY << 6 | path_mtu());
    path[PATH_RATE] = EXACTLY << 6 | RATE_200_GBPS;
    path[PATH_LIFE_TIME] = EXACTLY << 6 | LIFE_TIME;
}
