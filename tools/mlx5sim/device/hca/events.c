/* Passes events of the device to the driver. */
#include "device/hca/events.h"
static const struct hca_listener *current_listener;

void hca_listen(const struct hca_listener *listener)
{
    current_listener = listener;
}

void hca_completion(struct hca_object *cq)
{
    current_listener->completion(cq);
}

void hca_event(struct hca_object *object, unsigned event)
{
    current_listener->event(object, event, 0);
}

void hca_cq_error(struct hca_object *cq, unsigned syndrome)
{
    current_listener->event(cq, SIM_EVENT_CQ_ERROR, syndrome);
}

void hca_function_event(struct sim_function *function, unsigned event, unsigned subtype)
{
    current_listener->function_event(function, event, subtype);
}
