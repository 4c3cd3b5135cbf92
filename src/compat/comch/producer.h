/* ---- >>comch.producer ---
 * Producers: the sending end of the data path. */
#ifndef DOCA_SRC_COMPAT_COMCH_PRODUCER_H
#define DOCA_SRC_COMPAT_COMCH_PRODUCER_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/comch/comch.h"
#include "compat/comch/config.h"

struct doca_comch_producer;
struct doca_comch_producer_task_send;
struct doca_dpa_completion;

typedef uint64_t doca_dpa_dev_comch_producer_t;
typedef void (*doca_comch_producer_task_send_completion_cb_t)(
    struct doca_comch_producer_task_send *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

DOCA_CORE_DECL doca_error_t doca_comch_producer_create(
    struct doca_comch_connection *comch_connection, struct doca_comch_producer **producer);
DOCA_CORE_DECL doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer);
DOCA_CORE_DECL doca_error_t
doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_comch_producer_get_id(const struct doca_comch_producer *producer,
                                                       uint32_t *id);
DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_num_tasks(
    const struct doca_devinfo *devinfo, uint32_t *max_num_tasks);
DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_size);
DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);
DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_producers(
    const struct doca_devinfo *devinfo, uint32_t *max_producers);
DOCA_CORE_DECL struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer);
DOCA_CORE_DECL doca_error_t doca_comch_producer_set_dev_max_num_send(
    struct doca_comch_producer *producer, uint32_t dev_num_send);
DOCA_CORE_DECL doca_error_t doca_comch_producer_dpa_completion_attach(
    struct doca_comch_producer *producer, struct doca_dpa_completion *dpa_comp);
DOCA_CORE_DECL doca_error_t doca_comch_producer_get_dpa_handle(
    struct doca_comch_producer *producer, doca_dpa_dev_comch_producer_t *dpa_producer);
DOCA_CORE_DECL doca_error_t doca_comch_producer_task_send_set_conf(
    struct doca_comch_producer *producer,
    doca_comch_producer_task_send_completion_cb_t task_completion_cb,
    doca_comch_producer_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);
DOCA_CORE_DECL doca_error_t doca_comch_producer_task_send_alloc_init(
    struct doca_comch_producer *producer, const struct doca_buf *buf, uint8_t *imm_data,
    uint32_t imm_data_len, uint32_t consumer_id, struct doca_comch_producer_task_send **task);
DOCA_CORE_DECL const struct doca_buf *
doca_comch_producer_task_send_get_buf(const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void
doca_comch_producer_task_send_set_buf(struct doca_comch_producer_task_send *task,
                                      const struct doca_buf *buf);
DOCA_CORE_DECL uint32_t
doca_comch_producer_task_send_get_consumer_id(const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void
doca_comch_producer_task_send_set_consumer_id(struct doca_comch_producer_task_send *task,
                                              const uint32_t consumer_id);
DOCA_CORE_DECL uint8_t *
doca_comch_producer_task_send_get_imm_data(const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL uint32_t
doca_comch_producer_task_send_get_imm_data_len(const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void
doca_comch_producer_task_send_set_imm_data(struct doca_comch_producer_task_send *task,
                                           uint8_t *imm_data, uint32_t imm_data_len);
DOCA_CORE_DECL struct doca_task *
doca_comch_producer_task_send_as_task(struct doca_comch_producer_task_send *task);

DOCA_CORE_DECL doca_error_t doca_core_comch_producer_create_in(
    struct doca_core_arena *arena, struct doca_comch_connection *comch_connection,
    struct doca_comch_producer **producer);
DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_producer(struct doca_dev *dev, uint32_t num_tasks,
                                                           size_t *bytes);

#endif
