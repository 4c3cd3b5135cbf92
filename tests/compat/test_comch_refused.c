/* The calls of DOCA Comch that need a DPA, and message queues: each is refused with one log line
 * that gives the reason and the remedy, and names the argument that is NULL first. */
#include "doca_core_comch.h"
#include "doca_test.h"

/* Check that a call returns `rc` and logs one line of this item. */
#define REFUSED(call, rc, item)                                                                    \
    do {                                                                                           \
        test_log_lines = 0;                                                                        \
        CHECK_RC(call, rc);                                                                        \
        CHECK_EQ(test_log_lines, 1);                                                               \
        CHECK_EQ(test_log_item, item);                                                             \
    } while (0)
#define NO_DPA(call) REFUSED(call, DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_COMCH_NO_DPA)
#define NO_MSGQ(call) REFUSED(call, DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_COMCH_NO_MSGQ)
#define IS_NULL(call) REFUSED(call, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT)
#define IS_DEAD(call) REFUSED(call, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_DEAD_HANDLE)

/* Stands for objects that no call of the library can create. */
static uint64_t nothing[8];

static void completions_need_a_dpa(void)
{
    struct doca_comch_consumer_completion *comp = (struct doca_comch_consumer_completion *)nothing;
    struct doca_comch_consumer_completion *created = NULL;
    struct doca_dpa_thread *thread = (struct doca_dpa_thread *)nothing;
    uint64_t handle = 7;
    uint32_t number = 7;

    NO_DPA(doca_comch_consumer_completion_create(&created));
    NO_DPA(doca_comch_consumer_completion_set_dpa_thread(comp, thread));
    NO_DPA(doca_comch_consumer_completion_start(comp));
    NO_DPA(doca_comch_consumer_completion_stop(comp));
    NO_DPA(doca_comch_consumer_completion_get_dpa_handle(comp, &handle));
    NO_DPA(doca_comch_consumer_completion_set_max_num_consumers(comp, 1));
    NO_DPA(doca_comch_consumer_completion_get_max_num_consumers(comp, &number));
    NO_DPA(doca_comch_consumer_completion_set_max_num_recv(comp, 1));
    NO_DPA(doca_comch_consumer_completion_get_max_num_recv(comp, &number));
    NO_DPA(doca_comch_consumer_completion_set_imm_data_len(comp, 1));
    NO_DPA(doca_comch_consumer_completion_get_imm_data_len(comp, &number));
    NO_DPA(doca_comch_consumer_completion_destroy(comp));
    CHECK(created == NULL && handle == 7 && number == 7);
    CHECK(strstr(test_log_text, "doca_comch_consumer_completion_destroy: ") != NULL);
}

static void null_is_named_before_the_missing_dpa(void)
{
    struct doca_comch_consumer_completion *comp = (struct doca_comch_consumer_completion *)nothing;
    struct doca_dpa_thread *thread = (struct doca_dpa_thread *)nothing;
    uint64_t handle;
    uint32_t number;

    IS_NULL(doca_comch_consumer_completion_create(NULL));
    IS_NULL(doca_comch_consumer_completion_set_dpa_thread(NULL, thread));
    IS_NULL(doca_comch_consumer_completion_set_dpa_thread(comp, NULL));
    IS_NULL(doca_comch_consumer_completion_start(NULL));
    IS_NULL(doca_comch_consumer_completion_stop(NULL));
    IS_NULL(doca_comch_consumer_completion_get_dpa_handle(NULL, &handle));
    IS_NULL(doca_comch_consumer_completion_get_dpa_handle(comp, NULL));
    IS_NULL(doca_comch_consumer_completion_set_max_num_consumers(NULL, 1));
    IS_NULL(doca_comch_consumer_completion_get_max_num_consumers(NULL, &number));
    IS_NULL(doca_comch_consumer_completion_get_max_num_consumers(comp, NULL));
    IS_NULL(doca_comch_consumer_completion_set_max_num_recv(NULL, 1));
    IS_NULL(doca_comch_consumer_completion_get_max_num_recv(NULL, &number));
    IS_NULL(doca_comch_consumer_completion_get_max_num_recv(comp, NULL));
    IS_NULL(doca_comch_consumer_completion_set_imm_data_len(NULL, 1));
    IS_NULL(doca_comch_consumer_completion_get_imm_data_len(NULL, &number));
    IS_NULL(doca_comch_consumer_completion_get_imm_data_len(comp, NULL));
    IS_NULL(doca_comch_consumer_completion_destroy(NULL));
}

static void consumers_and_producers_must_be_live(void)
{
    struct doca_comch_consumer *consumer = (struct doca_comch_consumer *)nothing;
    struct doca_comch_producer *producer = (struct doca_comch_producer *)nothing;
    struct doca_comch_consumer_completion *comp = (struct doca_comch_consumer_completion *)nothing;
    struct doca_dpa_completion *dpa_comp = (struct doca_dpa_completion *)nothing;
    uint64_t handle;

    IS_NULL(doca_comch_consumer_set_dev_max_num_recv(NULL, 1));
    IS_NULL(doca_comch_consumer_set_completion(NULL, comp, 1));
    IS_NULL(doca_comch_consumer_get_dpa_handle(NULL, &handle));
    IS_NULL(doca_comch_producer_set_dev_max_num_send(NULL, 1));
    IS_NULL(doca_comch_producer_dpa_completion_attach(NULL, dpa_comp));
    IS_NULL(doca_comch_producer_get_dpa_handle(NULL, &handle));
#if DOCA_CORE_CHECK >= 1
    IS_DEAD(doca_comch_consumer_set_dev_max_num_recv(consumer, 1));
    IS_DEAD(doca_comch_consumer_set_completion(consumer, comp, 1));
    IS_DEAD(doca_comch_consumer_get_dpa_handle(consumer, &handle));
    IS_DEAD(doca_comch_producer_set_dev_max_num_send(producer, 1));
    IS_DEAD(doca_comch_producer_dpa_completion_attach(producer, dpa_comp));
    IS_DEAD(doca_comch_producer_get_dpa_handle(producer, &handle));
#else
    (void)consumer;
    (void)producer;
#endif
}

static void message_queues_need_a_dpa(void)
{
    struct doca_comch_msgq *msgq = (struct doca_comch_msgq *)nothing, *created = NULL;
    struct doca_comch_consumer *consumer = NULL;
    struct doca_comch_producer *producer = NULL;
    struct doca_dpa *dpa = (struct doca_dpa *)nothing;
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;

    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK(num >= 1);
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    NO_MSGQ(doca_comch_msgq_create(dev, &created));
    CHECK(strstr(test_log_text, "a consumer and a producer on a connection") != NULL);
    IS_NULL(doca_comch_msgq_create(dev, NULL));
    CHECK_OK(doca_dev_close(dev));
    NO_MSGQ(doca_comch_msgq_set_dpa_consumer(msgq, dpa));
    NO_MSGQ(doca_comch_msgq_set_max_num_consumers(msgq, 1));
    NO_MSGQ(doca_comch_msgq_set_dpa_producer(msgq, dpa));
    NO_MSGQ(doca_comch_msgq_set_max_num_producers(msgq, 1));
    NO_MSGQ(doca_comch_msgq_start(msgq));
    NO_MSGQ(doca_comch_msgq_consumer_create(msgq, &consumer));
    NO_MSGQ(doca_comch_msgq_producer_create(msgq, &producer));
    NO_MSGQ(doca_comch_msgq_stop(msgq));
    NO_MSGQ(doca_comch_msgq_destroy(msgq));
    CHECK(created == NULL && consumer == NULL && producer == NULL);
}

static void null_is_named_before_the_missing_message_queue(void)
{
    struct doca_comch_msgq *msgq = (struct doca_comch_msgq *)nothing;
    struct doca_comch_consumer *consumer;
    struct doca_comch_producer *producer;
    struct doca_dpa *dpa = (struct doca_dpa *)nothing;

    IS_NULL(doca_comch_msgq_create(NULL, &msgq));
    IS_NULL(doca_comch_msgq_set_dpa_consumer(NULL, dpa));
    IS_NULL(doca_comch_msgq_set_dpa_consumer(msgq, NULL));
    IS_NULL(doca_comch_msgq_set_max_num_consumers(NULL, 1));
    IS_NULL(doca_comch_msgq_set_dpa_producer(NULL, dpa));
    IS_NULL(doca_comch_msgq_set_dpa_producer(msgq, NULL));
    IS_NULL(doca_comch_msgq_set_max_num_producers(NULL, 1));
    IS_NULL(doca_comch_msgq_start(NULL));
    IS_NULL(doca_comch_msgq_consumer_create(NULL, &consumer));
    IS_NULL(doca_comch_msgq_consumer_create(msgq, NULL));
    IS_NULL(doca_comch_msgq_producer_create(NULL, &producer));
    IS_NULL(doca_comch_msgq_producer_create(msgq, NULL));
    IS_NULL(doca_comch_msgq_stop(NULL));
    IS_NULL(doca_comch_msgq_destroy(NULL));
}

static const struct test_case cases[] = {
    CASE(completions_need_a_dpa, ""),
    CASE(null_is_named_before_the_missing_dpa, ""),
    CASE(consumers_and_producers_must_be_live, ""),
    CASE(message_queues_need_a_dpa, ""),
    CASE(null_is_named_before_the_missing_message_queue, ""),
};

TEST_MAIN(cases)
