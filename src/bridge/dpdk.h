/* ---- >>bridge.dpdk --------------------------------------------------------------------------
 * The DPDK bridge: makes buffers of DPDK's packet buffers (mbufs) without copying, attaches
 * devices to DPDK as ports, and translates a port to its device and back.
 * The calls work if DOCA_CORE_DPDK is defined when the implementation is compiled. Otherwise every
 * call returns NOT_SUPPORTED, or INVALID_VALUE for a NULL argument. The mempool object is allocated
 * from the arena; DPDK allocates all other memory, some of it from the heap.
 * Threads: a mempool and its buffers belong to one thread at a time. Only the thread that
 * configures DPDK may make the calls for ports.
 * Source: API reference, "DOCA DPDK".                                                           */
#ifndef DOCA_SRC_BRIDGE_DPDK_H
#define DOCA_SRC_BRIDGE_DPDK_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"
#include "memory/mmap.h"

#ifndef DOCA_CORE_NO_BRIDGE

/* A mempool. An array of `num_maps` mmaps follows in the same block, with an mmap for each memory
 * chunk of the mbuf pool. */
struct doca_dpdk_mempool {
    struct doca_priv_object obj;
    uint32_t num_maps;
    uint32_t mbuf_bytes; /* bytes from the address of an mbuf to its memory */
    struct doca_core_arena *arena;
    const struct rte_mempool *mbuf_pool;
};

/* Bytes of a mempool for an mbuf pool of `num_chunks` memory chunks (rte_mempool.nb_mem_chunks). */
#define DOCA_CORE_BYTES_DPDK_MEMPOOL(num_chunks)                                                   \
    DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dpdk_mempool) +                                       \
                          (size_t)(num_chunks) * sizeof(struct doca_mmap))
DOCA_CORE_DECL doca_error_t doca_core_bytes_dpdk_mempool(uint32_t num_chunks, size_t *bytes);

/* Create a stopped mempool for the memory that an mbuf pool has at this time.
 *
 *   mbuf_pool  a pool from rte_pktmbuf_pool_create() or a similar call, without external memory
 *
 * Owns      one block of the bound arena. The mbuf pool still belongs to the program and must
 *           outlive the mempool.
 * Cost      O(memory chunks)
 * Errors    INVALID_VALUE  also: `mbuf_pool` is not a pool of mbufs with their memory inside
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_create(const struct rte_mempool *mbuf_pool,
                                                     struct doca_dpdk_mempool **mempool_out);
DOCA_CORE_DECL doca_error_t doca_core_dpdk_mempool_create_in(
    struct doca_core_arena *arena, const struct rte_mempool *mbuf_pool,
    struct doca_dpdk_mempool **mempool_out);

/* Destroy a mempool. The mbuf pool and its mbufs stay unchanged. NULL is accepted: the call does
 * nothing and returns SUCCESS.
 *
 * Errors    IN_USE  buffers of the mempool have not been released; nothing changed */
DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_destroy(struct doca_dpdk_mempool *mempool);

/* Allow a device to use the mbufs until the mempool is destroyed.
 *
 * Owns      a reference to the device until destroy
 * Errors    BAD_STATE      the mempool is started
 *           ALREADY_EXIST  the device was already added
 *           NO_MEMORY      DOCA_CORE_MMAP_DEVS devices have been added */
DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_dev_add(struct doca_dpdk_mempool *mempool,
                                                      struct doca_dev *dev);

/* Set how the devices may access the memory: local and RDMA flags of enum doca_access_flag. The
 * default is DOCA_ACCESS_FLAG_LOCAL_READ_WRITE.
 *
 * Errors    INVALID_VALUE  an unknown flag, or a PCI flag
 *           BAD_STATE      the mempool is started */
DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_set_permissions(struct doca_dpdk_mempool *mempool,
                                                              uint32_t access_mask);

/* Register the memory on every device. A mempool cannot be stopped, only destroyed.
 *
 * Cost      one registration per device and memory chunk
 * Errors    INVALID_VALUE  no device was added
 *           BAD_STATE      the mempool is started
 *           any            the error of a backend that refused a registration; the registrations
 *                          made before are undone */
DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_start(struct doca_dpdk_mempool *mempool);

/* Make a list of buffers from an mbuf. The call takes a buffer from `inventory` for each segment,
 * in the same order: its window is the memory of the segment, and its content the data of the
 * segment at the time of the call. Later changes of the mbuf do not change the buffers, and vice
 * versa.
 *
 *   mempool    started
 *   inventory  started
 *   mbuf       an mbuf whose memory lies in the pool; for an indirect segment, the memory of its
 *              direct mbuf
 *
 * Owns      the elements of the inventory, and one reference to each direct mbuf, until
 *           doca_buf_dec_refcount() brings the count of the list to 0. That call releases each mbuf
 *           with rte_pktmbuf_free_seg(). A list made by doca_buf_inventory_buf_dup() holds
 *           additional references.
 * Cost      O(segments), times the number of memory chunks of the pool (usually one)
 * Errors    INVALID_VALUE  also: a segment's memory is outside the pool or external
 *           BAD_STATE      the mempool or the inventory is not started
 *           NO_MEMORY      the inventory has too few free elements; no reference is kept */
DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_mbuf_to_buf(struct doca_dpdk_mempool *mempool,
                                                          struct doca_buf_inventory *inventory,
                                                          struct rte_mbuf *mbuf,
                                                          struct doca_buf **buf);

/* Attach a device to DPDK by its PCI address. DPDK must have been started in such a way that it did
 * not attach the device itself.
 *
 *   devargs  device arguments for DPDK, without the PCI address; "" for none
 *
 * Errors    INVALID_VALUE  also: `devargs` contains the PCI address
 *           DRIVER         DPDK failed; it always fails for a software device (not on a PCI bus)
 *           NO_MEMORY      DPDK is out of memory */
DOCA_CORE_DECL doca_error_t doca_dpdk_port_probe(struct doca_dev *dev, const char *devargs);

/* Attach a device together with representors of it (3.x). The call asks DPDK once for each
 * representor, with "representor=NAME" appended to `devargs`; the first request attaches the device
 * as well. NAME is the end of the name of the representor's network interface, as the kernel chose
 * it (pf0vf1, pf0sf88); for an SF without such an interface it is sfN, with the SF's index.
 *
 *   dev_reps  open representors of `dev`
 *   nb_reps   number of representors; 0: the call does the same as doca_dpdk_port_probe()
 *
 * Errors    INVALID_VALUE  also: a representor belongs to another device, or `devargs` contains
 *                          "representor="
 *           NOT_SUPPORTED  a representor has no such name; no request was made to DPDK
 *           others         as doca_dpdk_port_probe(); ports that were attached before the error
 *                          stay attached
 * Source    public programs of 3.x; DPDK, "MLX5 Ethernet Poll Mode Driver" */
DOCA_CORE_DECL doca_error_t doca_dpdk_port_probe_with_representors(struct doca_dev *dev,
                                                                   const char *devargs,
                                                                   struct doca_dev_rep **dev_reps,
                                                                   uint32_t nb_reps);

/* Find the open device of a port: the device whose PCI address is the name of the port's device in
 * DPDK. Devices that were opened from a PD are not considered. The call does not count as an
 * opening.
 *
 * Errors    NOT_FOUND  no such port exists, or no such device is open */
DOCA_CORE_DECL doca_error_t doca_dpdk_port_as_dev(uint16_t port_id, struct doca_dev **dev);

/* Find the first port whose device has the PCI address of `dev`.
 *
 * Errors    NOT_FOUND  no such port exists */
DOCA_CORE_DECL doca_error_t doca_dpdk_get_first_port_id(const struct doca_dev *dev,
                                                        uint16_t *port_id);

#endif /* DOCA_CORE_NO_BRIDGE */

#endif
