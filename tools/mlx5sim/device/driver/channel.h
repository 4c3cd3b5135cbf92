/* Event descriptors of a context. */
#ifndef MLX5SIM_DRIVER_CHANNEL_H
#define MLX5SIM_DRIVER_CHANNEL_H

#include <stddef.h>

#include "device/driver/state.h"

enum channel_kind { CHANNEL_COMP, CHANNEL_ASYNC, CHANNEL_DEVX_EVENT, CHANNEL_DEVX_CMD };

/* Makes a channel of the context and returns its reading end in `fd`. Returns NULL on failure. */
struct channel *channel_new(struct uverbs_context *context, enum channel_kind kind,
                            uint32_t flags, int *fd);
/* Returns the channel of this kind whose reading end is descriptor `fd` of process `pid`, or
 * NULL. */
struct channel *channel_find(struct uverbs_context *context, pid_t pid, int fd,
                             enum channel_kind kind);
/* Sets a function that is called before the channel is freed. It must remove all references to the
 * channel. */
void channel_on_free(struct channel *channel, void (*on_free)(const struct channel *channel));
void channel_use(struct channel *channel);
void channel_unuse(struct channel *channel);
void channel_post(struct channel *channel, struct uobject *source, const void *record,
                  size_t bytes);
/* Removes the unread events of `source` from all channels, and counts its events that were read. */
void channel_drop_events(struct uverbs_context *context, struct uobject *source);
void channel_context_freed(struct uverbs_context *context);
uint32_t channel_flags(const struct channel *channel);
void channel_post_async(struct uverbs_context *context, struct uobject *source, uint64_t element,
                        uint32_t event);

#endif
