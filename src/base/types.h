/* ---- >>types --------------------------------------------------------------------------------
 * Scalar types, flags and unions that all modules use.
 * Source: DOCA Core Programming Guide, "Generic Structures/Enum"; API reference, "DOCA Types".  */
#ifndef DOCA_SRC_BASE_TYPES_H
#define DOCA_SRC_BASE_TYPES_H

#include "base/config.h"

#define DOCA_GID_BYTE_LENGTH 16

typedef uint16_t doca_be16_t; /* big-endian in memory */
typedef uint32_t doca_be32_t;
typedef uint64_t doca_be64_t;

typedef int doca_event_handle_t; /* a file descriptor */
#define doca_event_invalid_handle (-1)
typedef doca_event_handle_t doca_notification_handle_t;

/* A value that belongs to the program: the library stores it and returns it unchanged. */
union doca_data {
    void *ptr;
    uint64_t u64;
};

struct doca_gather_list {
    void *addr;
    uint64_t len; /* bytes */
    struct doca_gather_list *next;
};

/* Access permissions of the memory of an mmap, a bit mask. */
enum doca_access_flag {
    DOCA_ACCESS_FLAG_LOCAL_READ_ONLY = 0,
    DOCA_ACCESS_FLAG_LOCAL_READ_WRITE = 1 << 0,
    DOCA_ACCESS_FLAG_RDMA_READ = 1 << 1,
    DOCA_ACCESS_FLAG_RDMA_WRITE = 1 << 2,
    DOCA_ACCESS_FLAG_RDMA_ATOMIC = 1 << 3,
    DOCA_ACCESS_FLAG_PCI_READ_ONLY = 1 << 4, /* cannot be combined with PCI_READ_WRITE */
    DOCA_ACCESS_FLAG_PCI_READ_WRITE = 1 << 5,
    DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING = 1 << 6,

    /* The same values, spelled as in the programming guide. */
    DOCA_ACCESS_LOCAL_READ_ONLY = DOCA_ACCESS_FLAG_LOCAL_READ_ONLY,
    DOCA_ACCESS_LOCAL_READ_WRITE = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
    DOCA_ACCESS_RDMA_READ = DOCA_ACCESS_FLAG_RDMA_READ,
    DOCA_ACCESS_RDMA_WRITE = DOCA_ACCESS_FLAG_RDMA_WRITE,
    DOCA_ACCESS_RDMA_ATOMIC = DOCA_ACCESS_FLAG_RDMA_ATOMIC,
    DOCA_ACCESS_DPU_READ_ONLY = DOCA_ACCESS_FLAG_PCI_READ_ONLY,
    DOCA_ACCESS_DPU_READ_WRITE = DOCA_ACCESS_FLAG_PCI_READ_WRITE
};

enum doca_pci_func_type {
    DOCA_PCI_FUNC_TYPE_PF = 0,
    DOCA_PCI_FUNC_TYPE_VF = 1,
    DOCA_PCI_FUNC_TYPE_SF = 2,

    DOCA_PCI_FUNC_PF = DOCA_PCI_FUNC_TYPE_PF,
    DOCA_PCI_FUNC_VF = DOCA_PCI_FUNC_TYPE_VF,
    DOCA_PCI_FUNC_SF = DOCA_PCI_FUNC_TYPE_SF
};

enum doca_gpu_mem_type {
    DOCA_GPU_MEM_TYPE_GPU = 0,
    DOCA_GPU_MEM_TYPE_GPU_CPU = 1,
    DOCA_GPU_MEM_TYPE_CPU_GPU = 2
};

enum doca_eth_wait_on_time_type {
    DOCA_ETH_WAIT_ON_TIME_TYPE_NONE = 0,
    DOCA_ETH_WAIT_ON_TIME_TYPE_NATIVE = 1,
    DOCA_ETH_WAIT_ON_TIME_TYPE_DPDK = 2
};

enum doca_mtu_size {
    DOCA_MTU_SIZE_256_BYTES = 0x0,
    DOCA_MTU_SIZE_512_BYTES = 0x1,
    DOCA_MTU_SIZE_1K_BYTES = 0x2,
    DOCA_MTU_SIZE_2K_BYTES = 0x3,
    DOCA_MTU_SIZE_4K_BYTES = 0x4,
    DOCA_MTU_SIZE_RAW_ETHERNET = 0x5
};

struct doca_buf;
struct doca_buf_arr;
struct doca_buf_inventory;
struct doca_buf_pool;
struct doca_ctx;
struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;
struct doca_devinfo_rep;
struct doca_dma;
struct doca_dma_task_memcpy;
struct doca_dpa;
struct doca_dpa_dev_buf_arr;
struct doca_dpdk_mempool;
struct doca_gpu;
struct doca_gpu_buf_arr;
struct doca_gpu_dma;
struct doca_graph;
struct doca_graph_instance;
struct doca_graph_node;
struct doca_mmap;
struct doca_mmap_advise;
struct doca_mmap_advise_task_invalidate_cache;
struct doca_pe;
struct doca_sha;
struct doca_sha_task_hash;
struct doca_sha_task_partial_hash;
struct doca_sync_event;
struct doca_sync_event_remote_net;
struct doca_sync_event_task_get;
struct doca_sync_event_task_notify_add;
struct doca_sync_event_task_notify_set;
struct doca_sync_event_task_wait_eq;
struct doca_sync_event_task_wait_gt;
struct doca_sync_event_task_wait_neq;
struct doca_task;
struct doca_task_batch;
struct doca_core_arena;
struct doca_core_backend;
struct doca_core_queue;
struct ibv_pd;      /* type of libibverbs; only pointers to it are passed on */
struct rte_mbuf;    /* types of DPDK */
struct rte_mempool;

/* Common header: the first member of every object except buffers and tasks; their own layouts also
 * begin with `kind`. A handle is valid if `kind` is the expected type and `guard` is
 * DOCA_PRIV_GUARD. Destroy clears the guard. Private to the implementation, like the members of
 * every structure below that has no documentation. */
struct doca_priv_object {
    uint8_t kind;
    uint8_t state;
    uint16_t guard;
    uint32_t owner; /* 0: created by the program; else DOCA_PRIV_OF_*, the module that created it */
};

/* Sizes in bytes of network interface addresses. */
#define DOCA_DEVINFO_IPV4_ADDR_SIZE 4
#define DOCA_DEVINFO_IPV6_ADDR_SIZE 16
#define DOCA_DEVINFO_MAC_ADDR_SIZE 6

#define DOCA_CORE_EXPORT_BYTES 64   /* size of the backend's part of an export descriptor */

enum doca_ctx_states {
    DOCA_CTX_STATE_IDLE = 0,
    DOCA_CTX_STATE_STARTING = 1,
    DOCA_CTX_STATE_RUNNING = 2,
    DOCA_CTX_STATE_STOPPING = 3
};

enum { /* Types of sync event tasks. WAIT and all types after it wait for a value. */
    DOCA_PRIV_EVENT_GET,
    DOCA_PRIV_EVENT_SET,
    DOCA_PRIV_EVENT_ADD,
    DOCA_PRIV_EVENT_WAIT,
    DOCA_PRIV_EVENT_WAIT_EQ,
    DOCA_PRIV_EVENT_WAIT_NEQ
};

#endif
