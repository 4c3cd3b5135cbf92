/* ---- >>comch.consumer ---
 * Consumers: the receiving end of the data path. */
#ifndef DOCA_SRC_COMPAT_COMCH_CONSUMER_H
#define DOCA_SRC_COMPAT_COMCH_CONSUMER_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/comch/comch.h"
#include "compat/comch/config.h"

struct doca_comch_consumer;
struct doca_comch_consumer_completion;
struct doca_comch_consumer_task_post_recv;
struct doca_dpa_thread;

typedef uint64_t doca_dpa_dev_comch_consumer_completion_t;
typedef uint64_t doca_dpa_dev_comch_consumer_t;
typedef void (*doca_comch_consumer_task_post_recv_completion_cb_t)(
    struct doca_comch_consumer_task_post_recv *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_create(struct doca_comch_connection *comch_connection,
                           struct doca_mmap *buf_mmap, struct doca_comch_consumer **consumer);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer);
DOCA_CORE_DECL doca_error_t
doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer,
                                                       uint32_t *id);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_num_tasks(
    const struct doca_devinfo *devinfo, uint32_t *max_num_tasks);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_size);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_consumers(
    const struct doca_devinfo *devinfo, uint32_t *max_consumers);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_imm_data_len(
    const struct doca_devinfo *devinfo, uint32_t *max_imm_data_len);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_imm_data_len(
    const struct doca_comch_consumer *consumer, uint32_t *imm_data_len);
DOCA_CORE_DECL doca_error_t
doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer, uint32_t imm_data_len);
DOCA_CORE_DECL struct doca_ctx *doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer);
DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_create(struct doca_comch_consumer_completion **consumer_comp);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_dpa_thread(
    struct doca_comch_consumer_completion *consumer_comp, struct doca_dpa_thread *dpa_thread);
DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_destroy(struct doca_comch_consumer_completion *consumer_comp);
DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_start(struct doca_comch_consumer_completion *consumer_comp);
DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_stop(struct doca_comch_consumer_completion *consumer_comp);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_dpa_handle(
    struct doca_comch_consumer_completion *consumer_comp,
    doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_max_num_consumers(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_consumers);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_max_num_consumers(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_consumers);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_max_num_recv(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_recv);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_max_num_recv(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_recv);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_imm_data_len(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t imm_data_len);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_imm_data_len(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *imm_data_len);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_set_dev_max_num_recv(
    struct doca_comch_consumer *consumer, uint32_t dev_num_recv);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_set_completion(
    struct doca_comch_consumer *consumer, struct doca_comch_consumer_completion *consumer_comp,
    uint32_t user_data);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_dpa_handle(
    struct doca_comch_consumer *consumer, doca_dpa_dev_comch_consumer_t *dpa_consumer);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_task_post_recv_set_conf(
    struct doca_comch_consumer *consumer,
    doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
    doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb, uint32_t num_post_recv_tasks);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_task_post_recv_alloc_init(
    struct doca_comch_consumer *consumer, struct doca_buf *buf,
    struct doca_comch_consumer_task_post_recv **task);
DOCA_CORE_DECL struct doca_buf *
doca_comch_consumer_task_post_recv_get_buf(const struct doca_comch_consumer_task_post_recv *task);
DOCA_CORE_DECL void
doca_comch_consumer_task_post_recv_set_buf(struct doca_comch_consumer_task_post_recv *task,
                                           struct doca_buf *buf);
DOCA_CORE_DECL uint32_t doca_comch_consumer_task_post_recv_get_producer_id(
    const struct doca_comch_consumer_task_post_recv *task);
DOCA_CORE_DECL const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
    const struct doca_comch_consumer_task_post_recv *task);
DOCA_CORE_DECL uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(
    const struct doca_comch_consumer_task_post_recv *task);
DOCA_CORE_DECL struct doca_task *
doca_comch_consumer_task_post_recv_as_task(struct doca_comch_consumer_task_post_recv *task);

DOCA_CORE_DECL doca_error_t doca_core_comch_consumer_create_in(
    struct doca_core_arena *arena, struct doca_comch_connection *comch_connection,
    struct doca_mmap *buf_mmap, struct doca_comch_consumer **consumer);
DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_consumer(struct doca_dev *dev, uint32_t num_tasks,
                                                           size_t *bytes);

#endif
