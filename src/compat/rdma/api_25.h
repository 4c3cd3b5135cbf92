/* ---- >>rdma.api_25 ---------------------------------------------------------------------------
 * Functions that 2.10 has changed, in the form of 2.5 and 2.6. An instance of 2.5 has one
 * connection, so functions need no connection argument. The instance is STARTING until its
 * connection is established.
 * With DOCA_CORE_API below 21000, as by default, macros map the vendor's names to these functions
 * and to the inline functions in >>rdma.names:
 *     doca_rdma_create             doca_core_rdma_25_create
 *     doca_core_rdma_create_in     doca_core_rdma_25_create_in
 *     doca_rdma_export             doca_core_rdma_25_export
 *     doca_rdma_connect            doca_core_rdma_25_connect
 *     ..._allocate_init            doca_core_rdma_25_..._allocate_init, except receive
 *     ..._get_result_length        the three functions of 2.10 that end in _get_result_len
 *     doca_rdma_set_grh_enabled    doca_core_rdma_25_set_grh_enabled, with a bool
 *     doca_rdma_get_grh_enabled    doca_core_rdma_25_get_grh_enabled, with a bool
 *     doca_rdma_get_dpa_handle     doca_core_rdma_25_get_dpa_handle
 * All other functions are those of 2.10, and work on both kinds of instances, except that
 * doca_rdma_start_listen_to_port() and doca_rdma_connect_to_addr() return BAD_STATE for an instance
 * of 2.5. The inline functions return INVALID_VALUE for an instance that is not started, because it
 * has no connection. Programs of 2.10 and 3.x define DOCA_CORE_API 30000. Programs of either kind
 * can be linked with the same implementation. Programs of 2.6 find two differences:
 * doca_rdma_get_grh_enabled() takes a bool here and a uint8_t in 2.6, and the functions for shared
 * receive queues are missing.
 * Source: API reference 2.5, "DOCA RDMA"; programs published with the SDK 2.5 and 2.6.          */
#ifndef DOCA_SRC_COMPAT_RDMA_API_25_H
#define DOCA_SRC_COMPAT_RDMA_API_25_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/rdma/rdma.h"

/* Create an idle instance of 2.5; everything else is as for doca_rdma_create() and
 * doca_core_rdma_create_in(). doca_ctx_start() returns IN_PROGRESS for such an instance. It becomes
 * RUNNING by doca_pe_progress() when both sides have connected. It goes from STARTING to IDLE when
 * the peer has ended before. It stays RUNNING when its connection ends later: tasks then fail, and
 * the program stops the instance. doca_ctx_stop() is allowed while it is STARTING. */
DOCA_CORE_DECL doca_error_t doca_core_rdma_25_create(struct doca_dev *dev, struct doca_rdma **rdma);
DOCA_CORE_DECL doca_error_t doca_core_rdma_25_create_in(struct doca_core_arena *arena,
                                                        struct doca_dev *dev,
                                                        struct doca_rdma **rdma);

/* Get the bytes that a peer needs to connect to an instance of 2.5. A repeated call gives the same
 * bytes until the instance is idle again.
 *
 *   rdma                          starting or running; of doca_core_rdma_25_create()
 *   local_rdma_conn_details       out: bytes, which belong to the instance until it is idle again
 *   local_rdma_conn_details_size  out: a few hundred bytes
 *
 * Errors    INVALID_VALUE       an argument is NULL
 *           BAD_STATE           the instance is not started, or is one of doca_rdma_create()
 *           CONNECTION_ABORTED  never: doca_ctx_start() has opened the socket and made the bytes */
DOCA_CORE_DECL doca_error_t doca_core_rdma_25_export(const struct doca_rdma *rdma,
                                                     const void **local_rdma_conn_details,
                                                     size_t *local_rdma_conn_details_size);

/* Connect an instance of 2.5 to the peer that exported `remote_rdma_conn_details`. The program may
 * call doca_core_rdma_25_export() before or after this call: the peer must connect with the bytes
 * that this side exports.
 *
 *   rdma                           starting; created by doca_core_rdma_25_create()
 *   remote_rdma_conn_details       from the peer's export; not used after the call
 *   remote_rdma_conn_details_size  bytes
 *
 * Cost      system calls; the call does not wait for the peer
 * Errors    INVALID_VALUE       an argument is NULL
 *           BAD_STATE           the instance is not started, is connected, or was created by
 *                               doca_rdma_create()
 *           CONNECTION_ABORTED  the bytes are not those of an export, are damaged, or come from
 *                               another user, another machine, or an instance that has ended; the
 *                               peer has connected and ended before; the operating system refused
 *                               a descriptor, and the log names the call */
DOCA_CORE_DECL doca_error_t doca_core_rdma_25_connect(struct doca_rdma *rdma,
                                                      const void *remote_rdma_conn_details,
                                                      size_t remote_rdma_conn_details_size);

/* Return the connection of a started instance of 2.5. The inline functions in >>rdma.names pass it
 * to the functions of 2.10. The call returns NULL, without a log line, for NULL, for an idle
 * instance, and for an instance of doca_rdma_create().
 *
 * Cost      O(1) */
DOCA_CORE_DECL struct doca_rdma_connection *doca_core_rdma_25_connection(struct doca_rdma *rdma);

#endif
