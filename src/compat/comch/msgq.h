/* ---- >>comch.msgq ---
 * Message queues between the CPU and a DPA. */
#ifndef DOCA_SRC_COMPAT_COMCH_MSGQ_H
#define DOCA_SRC_COMPAT_COMCH_MSGQ_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/comch/comch.h"
#include "compat/comch/config.h"

struct doca_comch_consumer;
struct doca_comch_msgq;
struct doca_comch_producer;

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
