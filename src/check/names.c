/* ---- >>impl.names ---------------------------------------------------------------------------
 * Names of object types and states in log lines.                                                */
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "memory/buf.h"

static const char *const doca_priv_kind_names[] = {
    "arena",       "devinfo list", "devinfo",    "dev",   "rep list",     "devinfo_rep",
    "dev_rep",     "mmap",         "mmap",       "buf",   "inventory",    "inventory",
    "pool",        "array",        "task",       "batch", "dma",          "sha",
    "mmap advise", "comch server", "comch client", "comch consumer", "comch producer",
    "rdma",
    "sync event",   "remote sync event",   "pe",           "graph",    "node",
    "instance",    "dpdk mempool", "sw worker",  "1.x mmap", "1.x dma",   "1.x sha",
    "1.x session", "1.x graph",   "1.x node",  "1.x instance", "work queue",
    "comch connection", "comm channel endpoint", "comm channel peer",
    "rdma connection", "rdma address"
};
DOCA_PRIV_ASSERT_STATIC(kind_of_a_buf, (int)DOCA_PRIV_KIND_BUF == DOCA_PRIV_BUF_KIND);
DOCA_PRIV_ASSERT_STATIC(every_kind_has_a_name,
                        sizeof(doca_priv_kind_names) / sizeof(doca_priv_kind_names[0]) ==
                            DOCA_PRIV_KIND_END - DOCA_PRIV_KIND_ARENA);

DOCA_PRIV_DECL const char *doca_priv_kind_name(uint8_t kind)
{
    return kind >= DOCA_PRIV_KIND_ARENA && kind < DOCA_PRIV_KIND_END
               ? doca_priv_kind_names[kind - DOCA_PRIV_KIND_ARENA]
               : "object";
}

DOCA_PRIV_DECL const char *doca_priv_state_name(uint8_t kind, uint8_t state)
{
    static const char *const started[] = { "stopped", "started", "started, shared" };
    static const char *const task[] = { "free", "owned", "submitted", "held" };
    static const char *const ctx[] = { "idle", "starting", "running", "stopping" };
    static const char *const endpoint[] = { "idle", "service", "client" };
    static const char *const connection[] = { "unused",     "exported",  "asking", "asked",
                                              "connecting", "connected", "ended" };
    static const char *const peer[] = { "unused", "connecting", "connected", "broken" };

    switch (kind) {
    case DOCA_PRIV_KIND_MMAP:
    case DOCA_PRIV_KIND_INVENTORY:
    case DOCA_PRIV_KIND_POOL:
    case DOCA_PRIV_KIND_ARRAY:
    case DOCA_PRIV_KIND_DPDK_MEMPOOL:
    case DOCA_PRIV_KIND_LEGACY_MMAP:
    case DOCA_PRIV_KIND_LEGACY_DMA:
    case DOCA_PRIV_KIND_LEGACY_SHA:
    case DOCA_PRIV_KIND_LEGACY_GRAPH:
        return started[state % 3];
    case DOCA_PRIV_KIND_TASK:
    case DOCA_PRIV_KIND_BATCH:
        return task[state % 4];
    case DOCA_PRIV_KIND_DMA:
    case DOCA_PRIV_KIND_SHA:
    case DOCA_PRIV_KIND_MMAP_ADVISE:
    case DOCA_PRIV_KIND_COMCH_SERVER:
    case DOCA_PRIV_KIND_COMCH_CLIENT:
    case DOCA_PRIV_KIND_COMCH_CONSUMER:
    case DOCA_PRIV_KIND_COMCH_PRODUCER:
    case DOCA_PRIV_KIND_RDMA:
        return ctx[state % 4];
    case DOCA_PRIV_KIND_SYNC_EVENT: /* a stand-alone event has another state number for "started" */
        return state > DOCA_CTX_STATE_STOPPING ? started[1] : ctx[state % 4];
    case DOCA_PRIV_KIND_GRAPH:
        return started[state != DOCA_CTX_STATE_IDLE];
    case DOCA_PRIV_KIND_ENDPOINT:
        return endpoint[state % 3];
    case DOCA_PRIV_KIND_PEER:
        return peer[state % 4];
    case DOCA_PRIV_KIND_RDMA_CONNECTION:
        return connection[state % 7];
    case DOCA_PRIV_KIND_INSTANCE:
        return state == 0 ? "idle" : "submitted";
    case DOCA_PRIV_KIND_BUF:
        return state == 0 ? "released" : (state & DOCA_PRIV_BUF_INNER) == 0 ? "head" : "inner";
    default:
        return NULL;
    }
}
