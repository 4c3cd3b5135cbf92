/* Probes for test_caps.c: on-demand paging. */
#ifndef MLX5SIM_TEST_CAPS_ODP_H
#define MLX5SIM_TEST_CAPS_ODP_H

#include "caps_packets.h"
#include "link_rig.h"

#include <sys/mman.h>

enum { TYPE_ODP = 2 };

/* Requests in the order of the bits of a transport. */
enum { DOES_SEND, DOES_RECEIVE, DOES_WRITE, DOES_READ, DOES_ATOMIC, DOES_SRQ_RECEIVE };

/* True when a transport has such requests at all. */
static bool has_request(enum link_transport transport, unsigned request)
{
    switch (request) {
    case DOES_SEND: case DOES_SRQ_RECEIVE: return true;
    case DOES_RECEIVE: return transport < LINK_XRC;
    case DOES_WRITE: return transport != LINK_UD;
    default: return transport != LINK_UD && transport != LINK_UC;
    }
}

/* Execute a request over 8 bytes. Messages go from the pinned memory of the probe to the other
 * memory, or back; the other requests use only the other memory. True when the bytes arrive. */
static bool request_works(struct probe *p, struct link *link, unsigned request,
                          struct rig_side other)
{
    static const enum ibv_wr_opcode opcodes[] = { IBV_WR_SEND, IBV_WR_SEND, IBV_WR_RDMA_WRITE,
        IBV_WR_RDMA_READ, IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WR_SEND };
    bool to_other = request == DOES_RECEIVE || request == DOES_SRQ_RECEIVE;
    struct rig_side pinned = { p->mem, 8, p->mr->lkey }, into = pinned;
    uint8_t *remote = (uint8_t *)other.addr + 64, *message = remote;
    uint32_t skip = link->transport == LINK_UD ? LINK_GRH : 0;

    rig_fill(p->mem, 128, 1);
    other.len = 8;
    if (request == DOES_SEND || to_other) {
        into = to_other ? other : pinned;
        into.addr = (uint8_t *)into.addr + 64;
        into.len = 8 + skip;
        message = (uint8_t *)into.addr + skip;
        link_receive(link, into);
    }
    if (link_do(link, opcodes[request], to_other ? pinned : other, remote, other.key) !=
        IBV_WC_SUCCESS)
        return false;
    if (request == DOES_SEND || to_other)
        return rig_poll(link->cq).status == IBV_WC_SUCCESS &&
               memcmp(message, to_other ? p->mem : other.addr, 8) == 0;
    /* a request of UC is lost when its responder refuses it */
    return request == DOES_ATOMIC ? remote[0] == 'r' + 5 && *(uint8_t *)other.addr == 'r'
                                  : memcmp(other.addr, remote, 8) == 0;
}

/* The probe of one bit of the capabilities of a transport. */
static bool on_demand_request(struct probe *p)
{
    enum link_transport transport = (p->bit - 0x80) / 32;
    unsigned request = p->bit % 32;
    struct link link;
    struct ibv_mr *mr;
    uint8_t *mem;
    bool good;

    if (!has_request(transport, request))
        return false;
    mem = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(mem != MAP_FAILED);
    mr = ibv_reg_mr(p->rig.pd, mem, 4096, RIG_ALL_ACCESS | IBV_ACCESS_ON_DEMAND);
    if (!mr)
        return munmap(mem, 4096) != 0;
    memset(mem, 'l', 64);
    memset(mem + 64, 'r', 64);
    link = link_open(&p->rig, transport, request == DOES_SRQ_RECEIVE);
    good = request_works(p, &link, request, (struct rig_side){ mem, 8, mr->lkey });
    link_close(&link);
    return ibv_dereg_mr(mr) == 0 && munmap(mem, 4096) == 0 && good;
}

/* On-demand paging of memory that is mapped after the registration. */
static bool on_demand(struct probe *p)
{
    struct ibv_qp *qp = rig_loop(&p->rig, (struct rig_qp_options){ 0 });
    uint8_t *at = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct ibv_mr *mr = ibv_reg_mr(p->rig.pd, at, 4096, RIG_ALL_ACCESS | IBV_ACCESS_ON_DEMAND);
    bool good;

    CHECK(at != MAP_FAILED);
    CHECK_EQ(mprotect(at, 4096, PROT_READ | PROT_WRITE), 0);
    rig_fill(p->mem, 64, 5);
    good = mr && rig_do(&p->rig, qp, IBV_WR_RDMA_WRITE,
                        (struct rig_side){ p->mem, 64, p->mr->lkey }, (uintptr_t)at, mr->rkey) ==
                     IBV_WC_SUCCESS && memcmp(at, p->mem, 64) == 0;
    if (mr)
        CHECK_EQ(ibv_dereg_mr(mr), 0);
    return munmap(at, 4096) == 0 && ibv_destroy_qp(qp) == 0 && good;
}

#endif
