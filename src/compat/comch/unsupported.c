/* ---- >>impl.comch.unsupported ----------------------------------------------------------------
 * Calls for a DPA, and for message queues. A DPA is a processor of the card, and no device of this
 * library has one. Each call checks its arguments as the reference documents them, and then returns
 * NOT_SUPPORTED. Completions of consumers and message queues cannot be created, so the only check
 * of their handles is a comparison with NULL.                                                   */
#include "base/error.h"
#include "base/log.h"
#include "base/types.h"
#include "object/check.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "compat/comch/consumer.h"
#include "compat/comch/msgq.h"
#include "compat/comch/producer.h"

/* Refuse a call with the handle of an object that cannot exist, and another pointer. */
static doca_error_t doca_priv_comch_refuse(const void *handle, const void *pointer,
                                           enum doca_core_item item, const char *function)
{
    if (handle == NULL || pointer == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, item, function, NULL);
}

static doca_error_t doca_priv_comch_no_dpa(const void *handle, const void *pointer,
                                           const char *function)
{
    return doca_priv_comch_refuse(handle, pointer, DOCA_CORE_ITEM_COMCH_NO_DPA, function);
}

static doca_error_t doca_priv_comch_no_msgq(const void *handle, const void *pointer,
                                            const char *function)
{
    return doca_priv_comch_refuse(handle, pointer, DOCA_CORE_ITEM_COMCH_NO_MSGQ, function);
}

/* Refuse a call with the handle of an existing object. */
static doca_error_t doca_priv_comch_not_of(const void *object, uint8_t kind, const void *pointer,
                                           enum doca_core_item item, const char *function)
{
    doca_error_t rc = doca_priv_check_args(object, kind, pointer, function);

    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, item, function, object);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_create(struct doca_comch_consumer_completion **consumer_comp)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_dpa_thread(
    struct doca_comch_consumer_completion *consumer_comp, struct doca_dpa_thread *dpa_thread)
{
    return doca_priv_comch_no_dpa(consumer_comp, dpa_thread, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_destroy(struct doca_comch_consumer_completion *consumer_comp)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_start(struct doca_comch_consumer_completion *consumer_comp)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_stop(struct doca_comch_consumer_completion *consumer_comp)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_dpa_handle(
    struct doca_comch_consumer_completion *consumer_comp,
    doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp_handle, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_max_num_consumers(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_consumers)
{
    (void)max_num_consumers;
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_max_num_consumers(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_consumers)
{
    return doca_priv_comch_no_dpa(consumer_comp, max_num_consumers, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_max_num_recv(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_recv)
{
    (void)max_num_recv;
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_max_num_recv(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_recv)
{
    return doca_priv_comch_no_dpa(consumer_comp, max_num_recv, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_imm_data_len(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t imm_data_len)
{
    (void)imm_data_len;
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_imm_data_len(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *imm_data_len)
{
    return doca_priv_comch_no_dpa(consumer_comp, imm_data_len, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_set_dev_max_num_recv(
    struct doca_comch_consumer *consumer, uint32_t dev_num_recv)
{
    DOCA_PRIV_OPEN(consumer)
    (void)dev_num_recv;
    return doca_priv_comch_not_of(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER, consumer,
                                  DOCA_CORE_ITEM_COMCH_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_set_completion(
    struct doca_comch_consumer *consumer, struct doca_comch_consumer_completion *consumer_comp,
    uint32_t user_data)
{
    DOCA_PRIV_OPEN(consumer)
    (void)user_data;
    return doca_priv_comch_not_of(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER, consumer_comp,
                                  DOCA_CORE_ITEM_COMCH_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_dpa_handle(
    struct doca_comch_consumer *consumer, doca_dpa_dev_comch_consumer_t *dpa_consumer)
{
    DOCA_PRIV_OPEN(consumer)
    return doca_priv_comch_not_of(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER, dpa_consumer,
                                  DOCA_CORE_ITEM_COMCH_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_set_dev_max_num_send(
    struct doca_comch_producer *producer, uint32_t dev_num_send)
{
    DOCA_PRIV_OPEN(producer)
    (void)dev_num_send;
    return doca_priv_comch_not_of(producer, DOCA_PRIV_KIND_COMCH_PRODUCER, producer,
                                  DOCA_CORE_ITEM_COMCH_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_dpa_completion_attach(
    struct doca_comch_producer *producer, struct doca_dpa_completion *dpa_comp)
{
    DOCA_PRIV_OPEN(producer)
    return doca_priv_comch_not_of(producer, DOCA_PRIV_KIND_COMCH_PRODUCER, dpa_comp,
                                  DOCA_CORE_ITEM_COMCH_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_get_dpa_handle(
    struct doca_comch_producer *producer, doca_dpa_dev_comch_producer_t *dpa_producer)
{
    DOCA_PRIV_OPEN(producer)
    return doca_priv_comch_not_of(producer, DOCA_PRIV_KIND_COMCH_PRODUCER, dpa_producer,
                                  DOCA_CORE_ITEM_COMCH_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_create(struct doca_dev *dev,
                                                   struct doca_comch_msgq **msgq)
{
    return doca_priv_comch_not_of(dev, DOCA_PRIV_KIND_DEV, msgq, DOCA_CORE_ITEM_COMCH_NO_MSGQ,
                                  __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_destroy(struct doca_comch_msgq *msgq)
{
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_dpa_consumer(struct doca_comch_msgq *msgq,
                                                             struct doca_dpa *dpa)
{
    return doca_priv_comch_no_msgq(msgq, dpa, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_max_num_consumers(struct doca_comch_msgq *msgq,
                                                                  uint32_t max_num_consumers)
{
    (void)max_num_consumers;
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_dpa_producer(struct doca_comch_msgq *msgq,
                                                             struct doca_dpa *dpa)
{
    return doca_priv_comch_no_msgq(msgq, dpa, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_max_num_producers(struct doca_comch_msgq *msgq,
                                                                  uint32_t max_num_producers)
{
    (void)max_num_producers;
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_start(struct doca_comch_msgq *msgq)
{
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_stop(struct doca_comch_msgq *msgq)
{
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_consumer_create(struct doca_comch_msgq *msgq,
                                                            struct doca_comch_consumer **consumer)
{
    return doca_priv_comch_no_msgq(msgq, consumer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_producer_create(struct doca_comch_msgq *msgq,
                                                            struct doca_comch_producer **producer)
{
    return doca_priv_comch_no_msgq(msgq, producer, __func__);
}
