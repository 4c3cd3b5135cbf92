/*
 * Events of the device. The driver is a higher layer, so it receives events through a table of
 * functions, which it passes to hca_listen() once, before the first client.
 */
#ifndef MLX5SIM_HCA_EVENTS_H
#define MLX5SIM_HCA_EVENTS_H

#include "device/hca/object.h"

/* Types of events; the values are those in an event queue entry (EQE). */
enum {
    SIM_EVENT_COMP = 0x00, SIM_EVENT_COMM_EST = 0x02, SIM_EVENT_SQ_DRAINED = 0x03,
    SIM_EVENT_CQ_ERROR = 0x04, SIM_EVENT_WQ_CATAS = 0x05, SIM_EVENT_INTERNAL = 0x08,
    SIM_EVENT_PORT_CHANGE = 0x09, SIM_EVENT_WQ_INVALID_REQ = 0x10, SIM_EVENT_WQ_ACCESS = 0x11,
    SIM_EVENT_SRQ_CATAS = 0x12, SIM_EVENT_LAST_WQE = 0x13, SIM_EVENT_SRQ_LIMIT = 0x14,
    SIM_EVENT_DCT_DRAINED = 0x1c, SIM_EVENT_DCT_KEY = 0x1d      /* wrong access key */
};

enum {                          /* syndromes of SIM_EVENT_CQ_ERROR */
    SIM_CQ_OVERRUN = 1, SIM_CQ_ACCESS_VIOLATION = 2
};

struct hca_listener {
    void (*completion)(struct hca_object *cq);
    void (*event)(struct hca_object *object, unsigned event, unsigned syndrome);
    void (*function_event)(struct sim_function *function, unsigned event, unsigned subtype);
};

void hca_listen(const struct hca_listener *listener);

/* Reports the completion event of an armed CQ. */
void hca_completion(struct hca_object *cq);

/* Reports an asynchronous event of a QP or an SRQ. */
void hca_event(struct hca_object *object, unsigned event);

/* Reports that a CQ has failed (SIM_EVENT_CQ_ERROR). */
void hca_cq_error(struct hca_object *cq, unsigned syndrome);

/* Reports an event of a function: a port has changed its state (subtype 1 down, 4 up), or the
 * device has failed (SIM_EVENT_INTERNAL). */
void hca_function_event(struct sim_function *function, unsigned event, unsigned subtype);

#endif
