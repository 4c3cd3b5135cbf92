/* DevX subscriptions. */
#include "device/driver/subscription.h"
#include "device/hca/events.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rdma/mlx5_user_ioctl_verbs.h>

enum { EQE_BYTES = 64 };

struct subscription {
    struct subscription *next;
    struct channel *channel;
    struct sim_function *function;
    struct hca_object *object;  /* NULL: events of the function */
    uint16_t event;
    uint64_t cookie;
    int eventfd;                /* -1: events are records on the channel */
};

static struct subscription *subscriptions;

static void unsubscribe(struct subscription **p)
{
    struct subscription *subscription = *p;

    *p = subscription->next;
    if (subscription->eventfd >= 0)
        close(subscription->eventfd);
    free(subscription);
}

void subscriptions_remove_latest(unsigned num)
{
    while (num-- > 0)
        unsubscribe(&subscriptions);    /* the list begins with the latest one */
}

void subscriptions_remove_object(const struct hca_object *object)
{
    struct subscription **p = &subscriptions;

    while (*p != NULL)
        if ((*p)->object == object)
            unsubscribe(p);
        else
            p = &(*p)->next;
}

void subscriptions_remove_channel(const struct channel *channel)
{
    struct subscription **p = &subscriptions;

    while (*p != NULL)
        if ((*p)->channel == channel)
            unsubscribe(p);
        else
            p = &(*p)->next;
}

/* Builds the EQE of an event. The place of the object's number depends on the type of the event. */
static void eqe_build(uint8_t eqe[EQE_BYTES], const struct hca_object *object, unsigned event,
                      unsigned detail)
{
    enum { QUEUE_IS_QP_OR_SRQ = 0, PORT = 1 };
    uint8_t *data = PRM_AT(eqe, prm_eqe_event_data);

    memset(eqe, 0, EQE_BYTES);
    prm_set(eqe, prm_eqe_event_type, event);
    switch (event) {
    case SIM_EVENT_COMP:
        prm_set(data, prm_comp_event_cq_number, object->number);
        break;
    case SIM_EVENT_CQ_ERROR:
        prm_set(data, prm_cq_error_cqn, object->number);
        prm_set(data, prm_cq_error_syndrome, detail);
        break;
    case SIM_EVENT_PORT_CHANGE:
        prm_set(eqe, prm_eqe_event_sub_type, detail);
        prm_set(data, prm_port_state_change_event_port_num, PORT);
        break;
    case SIM_EVENT_INTERNAL:            /* no data */
        break;
    default:                            /* events of QPs and SRQs */
        prm_set(data, prm_qp_events_type, QUEUE_IS_QP_OR_SRQ);
        prm_set(data, prm_qp_events_qpn_rqn_sqn, object->number);
        break;
    }
}

/* Adds 1 to an eventfd. A counter at its limit stays as it is, because a write would block. */
static void signal_eventfd(int eventfd)
{
    struct pollfd can_write = {.fd = eventfd, .events = POLLOUT};
    const uint64_t one = 1;

    if (poll(&can_write, 1, 0) == 1 && write(eventfd, &one, sizeof(one)) < 0)
        sim_log(SIM_ERROR, "an event is lost: the program's eventfd cannot be written");
}

void subscriptions_post(struct sim_function *function, struct hca_object *object, unsigned event,
                        unsigned detail)
{
    uint8_t record[8 + EQE_BYTES];
    struct subscription *s;
    size_t bytes;

    for (s = subscriptions; s != NULL; s = s->next) {
        if (s->function != function || s->event != event || s->object != object)
            continue;
        if (s->eventfd >= 0) {
            signal_eventfd(s->eventfd);
            continue;
        }
        memcpy(record, &s->cookie, 8);
        eqe_build(record + 8, object, event, detail);
        bytes = (channel_flags(s->channel) & MLX5_IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA) != 0
            ? 8 : sizeof(record);
        channel_post(s->channel, NULL, record, bytes);
    }
}

int subscription_add(struct channel *channel, struct sim_function *function,
                     struct hca_object *object, uint16_t event, uint64_t cookie, int eventfd)
{
    struct subscription *s = calloc(1, sizeof(*s));
    int own_fd = -1;

    if (s == NULL)
        return ENOMEM;
    if (eventfd >= 0 && (own_fd = fcntl(eventfd, F_DUPFD_CLOEXEC, 0)) < 0) {
        free(s);
        return ENFILE;
    }
    *s = (struct subscription){.next = subscriptions, .channel = channel, .function = function,
                               .object = object, .event = event, .cookie = cookie,
                               .eventfd = own_fd};
    subscriptions = s;
    return 0;
}
