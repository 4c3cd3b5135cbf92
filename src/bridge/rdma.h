/* ---- >>bridge.rdma --------------------------------------------------------------------------
 * The RDMA bridge: lets programs that use libibverbs directly share devices and memory with this
 * library. It translates a device to its protection domain (struct ibv_pd) and back, and an mmap's
 * registration on a device to the memory key (mkey) that verbs calls take.
 * Source: API reference, "DOCA RDMA BRIDGE".                                                    */
#ifndef DOCA_SRC_BRIDGE_RDMA_H
#define DOCA_SRC_BRIDGE_RDMA_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"

#ifndef DOCA_CORE_NO_BRIDGE

/* Get the protection domain (PD) of a device: the PD that the device was opened from, or else the
 * PD that the backend created.
 *
 * Owns      nothing. A PD that the backend created is destroyed when the device is closed.
 * Threads   any
 * Errors    NOT_SUPPORTED  the device has no PD; a software device has one only if opened from a PD
 *           any            the error of the backend */
DOCA_CORE_DECL doca_error_t doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev,
                                                        struct ibv_pd **pd);

/* Open a device from a protection domain that the program created. If a device is already open from
 * this PD, return that device and count one more opening; each opening needs a doca_dev_close().
 *
 *   pd    the PD. The first registered backend that supports this opens the device. Without such a
 *         backend the software device does; it never dereferences `pd`, so any address will do.
 *   dev   out: the same pointer for every opening from one PD
 *
 * The device can be used for mmaps and contexts. On the software backend it has the properties of
 * the first device of the topology. It has no devinfo (doca_dev_as_devinfo() returns NULL), no
 * representors, and it can neither export nor import mmaps.
 *
 * Owns      one block of the arena until the last doca_dev_close(). The PD still belongs to the
 *           program and must outlive the device.
 * Threads   any
 * Errors    INVALID_VALUE   also: the PD belongs to an open device that was not opened from a PD
 *           NO_MEMORY       the arena is exhausted
 *           INITIALIZATION  DOCA_CORE_MAX_DEVS devices are open
 *           any             the error of the backend */
DOCA_CORE_DECL doca_error_t doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd,
                                                              struct doca_dev **dev);
DOCA_CORE_DECL doca_error_t doca_core_rdma_bridge_open_dev_from_pd_in(
    struct doca_core_arena *arena, struct ibv_pd *pd, struct doca_dev **dev);

/* Get the memory key (mkey) that a device uses for the memory of a buffer. The key carries the
 * permissions of the buffer's mmap; it is never 0. All buffers of an mmap have the same key until
 * the mmap is stopped. The software device uses no keys for access: its key is a number that
 * no other registration has.
 *
 * Cost      O(devices of the mmap)
 * Errors    INVALID_VALUE  also: the device is not in the buffer's mmap
 *           BAD_STATE      the buffer was released; or its mmap was stopped (possible after
 *                          doca_mmap_enable_thread_safety())
 *           NOT_SUPPORTED  the memory has no key: the device does not use keys, or the mmap is an
 *                          import whose bytes the operating system copies, as on the software
 *                          device */
DOCA_CORE_DECL doca_error_t doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf,
                                                          struct doca_dev *dev, uint32_t *mkey);

#endif /* DOCA_CORE_NO_BRIDGE */

#endif
