/* Delivers events of the device to channels and DevX subscribers. */
#include "device/driver/events.h"
#include "device/driver/channel.h"
#include "device/driver/subscription.h"
#include "device/hca/events.h"
#include "device/machine/log.h"

#include <rdma/ib_user_verbs.h>

/* Converts the type of an EQE to an event type of <infiniband/verbs.h>; -1 when verbs have no such
 * event. */
static int verbs_event(const struct hca_object *object, unsigned event, unsigned subtype)
{
    switch (event) {
    case SIM_EVENT_COMM_EST:
        return 4;                                       /* COMM_EST */
    case SIM_EVENT_SQ_DRAINED:
        return 5;                                       /* SQ_DRAINED */
    case SIM_EVENT_CQ_ERROR:
        return 0;                                       /* CQ_ERR */
    case SIM_EVENT_WQ_CATAS:
        return 1;                                       /* QP_FATAL */
    case SIM_EVENT_INTERNAL:
        return 8;                                       /* DEVICE_FATAL */
    case SIM_EVENT_PORT_CHANGE:
        return subtype == 4 ? 9 : 10;                   /* PORT_ACTIVE, PORT_ERR */
    case SIM_EVENT_WQ_INVALID_REQ:
        return 2;                                       /* QP_REQ_ERR */
    case SIM_EVENT_WQ_ACCESS:
        return 3;                                       /* QP_ACCESS_ERR */
    case SIM_EVENT_SRQ_CATAS:
        return 14;                                      /* SRQ_ERR */
    case SIM_EVENT_LAST_WQE:
        return 16;                                      /* QP_LAST_WQE_REACHED */
    case SIM_EVENT_SRQ_LIMIT:
        return object != NULL ? 15 : -1;                /* SRQ_LIMIT_REACHED */
    default:
        return -1;
    }
}

/* Delivers the completion event of a CQ to DevX subscribers and to the completion channel of the
 * CQ. */
static void completion(struct hca_object *cq)
{
    struct uobject *uobject = cq->uobject;
    struct ib_uverbs_comp_event_desc record;

    subscriptions_post(cq->function, cq, SIM_EVENT_COMP, 0);
    if (uobject == NULL || uobject->channel == NULL)
        return;
    record.cq_handle = uobject->user_handle;
    channel_post(uobject->channel, uobject, &record, sizeof(record));
}

/* An XRC target QP may have several uobjects: the program of each of them gets the event. */
static void object_event(struct hca_object *object, unsigned event, unsigned syndrome)
{
    struct uobject *uobject = object->uobject;
    int type = verbs_event(object, event, 0);

    sim_log(SIM_INFO, "event 0x%02x of object 0x%x", event, object->number);
    subscriptions_post(object->function, object, event, syndrome);
    if (uobject != NULL && uobject->type == UO_WQ && event == SIM_EVENT_WQ_CATAS)
        type = 19;                                      /* WQ_FATAL */
    if (uobject != NULL && uobject->type == UO_DEVX)
        type = -1;
    for (; uobject != NULL && type >= 0; uobject = uobject->next_sharer)
        channel_post_async(uobject->context, uobject, uobject->user_handle, (uint32_t)type);
}

static void function_event(struct sim_function *function, unsigned event, unsigned subtype)
{
    struct sim_client *client;
    int type = verbs_event(NULL, event, subtype);

    sim_log(SIM_INFO, "event 0x%02x of %s", event, function->name);
    subscriptions_post(function, NULL, event, subtype);
    for (client = machine.clients; type >= 0 && client != NULL; client = client->next)
        if (client->function == function)
            channel_post_async(client->uverbs, NULL, 1, (uint32_t)type);
}

void events_start(void)
{
    static const struct hca_listener listener = {completion, object_event, function_event};

    hca_listen(&listener);
}
