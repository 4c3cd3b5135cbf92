/* DevX subscriptions. */
#include "device/driver/subscription.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/mlx5_user_ioctl_verbs.h>

enum { EQE_BYTES = 64 };

struct subscription {
    struct subscription *next;
    struct channel *channel;
    struct sim_function *function;
    struct hca_object *object;  /* NULL: events of the function */
    uint16_t event;
    uint64_t cookie;
};

static struct subscription *subscriptions;

static void unsubscribe(struct subscription **p)
{
    struct subscription *subscription = *p;

    *p = subscription->next;
    free(subscription);
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

void subscriptions_post(struct sim_function *function, struct hca_object *object, unsigned event,
                        unsigned subtype)
{
    uint8_t record[8 + EQE_BYTES];
    struct subscription *s;
    uint32_t number = object != NULL ? object->number : 0;
    size_t bytes;

    for (s = subscriptions; s != NULL; s = s->next) {
        if (s->function != function || s->event != event || s->object != object)
            continue;
        memset(record, 0, sizeof(record));
        memcpy(record, &s->cookie, 8);
        /* the EQE: type, sub_type, event data; the word at 0x38 has the number of the object */
        record[8 + 1] = (uint8_t)event;
        record[8 + 3] = (uint8_t)subtype;
        record[8 + 0x39] = (uint8_t)(number >> 16);
        record[8 + 0x3a] = (uint8_t)(number >> 8);
        record[8 + 0x3b] = (uint8_t)number;
        bytes = (channel_flags(s->channel) & MLX5_IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA) != 0
            ? 8 : sizeof(record);
        channel_post(s->channel, NULL, record, bytes);
    }
}

int subscription_add(struct channel *channel, struct sim_function *function,
                     struct hca_object *object, uint16_t event, uint64_t cookie)
{
    struct subscription *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return ENOMEM;
    *s = (struct subscription){.next = subscriptions, .channel = channel, .function = function,
                               .object = object, .event = event, .cookie = cookie};
    subscriptions = s;
    return 0;
}
