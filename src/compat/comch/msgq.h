/* ---- >>comch.msgq ----------------------------------------------------------------------------
 * Message queues. They connect consumers and producers of one device without a server and a client.
 * One side of a message queue runs on a DPA. No device of this library has a DPA, so no message
 * queue can be created, and every call fails with one log line. If two threads of one process need
 * such a queue, the process creates a server and a client.
 * Source: DOCA Comch guide, "MsgQ"; API reference, "DOCA Comch MsgQ".                           */
#ifndef DOCA_SRC_COMPAT_COMCH_MSGQ_H
#define DOCA_SRC_COMPAT_COMCH_MSGQ_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/comch/config.h"

struct doca_comch_consumer;
struct doca_comch_msgq;
struct doca_comch_producer;

/* Create, configure, start, stop and destroy a message queue, and create its consumers and
 * producers. Outputs are not changed, and arguments that are numbers are not checked.
 *
 * Threads   any
 * Cost      O(1)
 * Errors    INVALID_VALUE  a pointer is NULL, or `dev` is not open
 *           NOT_SUPPORTED  otherwise */
DOCA_CORE_DECL doca_error_t doca_comch_msgq_create(struct doca_dev *dev,
                                                   struct doca_comch_msgq **msgq);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_destroy(struct doca_comch_msgq *msgq);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_dpa_consumer(struct doca_comch_msgq *msgq,
                                                             struct doca_dpa *dpa);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_max_num_consumers(struct doca_comch_msgq *msgq,
                                                                  uint32_t max_num_consumers);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_dpa_producer(struct doca_comch_msgq *msgq,
                                                             struct doca_dpa *dpa);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_max_num_producers(struct doca_comch_msgq *msgq,
                                                                  uint32_t max_num_producers);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_start(struct doca_comch_msgq *msgq);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_stop(struct doca_comch_msgq *msgq);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_consumer_create(struct doca_comch_msgq *msgq,
                                                            struct doca_comch_consumer **consumer);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_producer_create(struct doca_comch_msgq *msgq,
                                                            struct doca_comch_producer **producer);

#endif
