/* DevX subscriptions: the channels that receive an event. */
#ifndef MLX5SIM_DRIVER_SUBSCRIPTION_H
#define MLX5SIM_DRIVER_SUBSCRIPTION_H

#include "device/driver/channel.h"

/* Subscribes a channel to events of this type of an object; `object` NULL: of the function. The
 * subscription ends with the channel.
 *
 *   eventfd  -1, or an eventfd of the device process: each event adds 1 to it, and the channel gets
 *            no record; the subscription holds a duplicate
 *
 * Returns 0, ENOMEM or ENFILE. */
int subscription_add(struct channel *channel, struct sim_function *function,
                     struct hca_object *object, uint16_t event, uint64_t cookie, int eventfd);

/* Ends the `num` subscriptions that were added last. */
void subscriptions_remove_latest(unsigned num);

/* End the subscriptions to a destroyed object, or the subscriptions of a channel. */
void subscriptions_remove_object(const struct hca_object *object);
void subscriptions_remove_channel(const struct channel *channel);

/* Posts an event of an object to its subscribers; `object` NULL: an event of the function. `detail`
 * is the syndrome of a CQ error, or the subtype of an event of a port. */
void subscriptions_post(struct sim_function *function, struct hca_object *object, unsigned event,
                        unsigned detail);

#endif
