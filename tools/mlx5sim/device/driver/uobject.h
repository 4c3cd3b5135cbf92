/* Handles: making, finding and destroying the objects of a context. */
#ifndef MLX5SIM_DRIVER_UOBJECT_H
#define MLX5SIM_DRIVER_UOBJECT_H

#include "device/driver/call.h"

/* Makes a uobject and its handle. It has no object of the device yet. NULL when no memory is
 * left. */
struct uobject *uobject_new(struct uverbs_context *context, enum uobject_type type);
/* Connects a uobject with its object of the device. */
void uobject_bind(struct uobject *uobject, struct hca_object *hca);
/* Connects a uobject with an object of the device that may have other uobjects. */
void uobject_share(struct uobject *uobject, struct hca_object *hca);
/* Records that `uobject` uses `used`, which cannot be destroyed before it. NULL is allowed. */
void uobject_use(struct uobject *uobject, struct uobject *used);
struct uobject *uobject_find(struct uverbs_context *context, uint32_t handle,
                             enum uobject_type type);
/* Returns the uobject for the handle in an attribute of the call; UO_NONE: of any type. NULL when
 * the handle is invalid. */
struct uobject *attr_uobject(const struct call *call, unsigned id, enum uobject_type type);
/* Destroys the uobject and its object of the device. An object that other uobjects have stays;
 * when the uobject was its owner, another uobject becomes the owner. Returns 0 or EBUSY. `read`,
 * unless NULL, receives how many of the uobject's completion events and asynchronous events were
 * read. */
int uobject_destroy(struct uobject *uobject, uint32_t read[2]);
/* Frees a uobject and its handle, but not its object of the device. */
void uobject_drop(struct uobject *uobject);

/* Executes a destroy method: the attribute `id` has the handle of the uobject. */
int uverbs_destroy(struct call *call, unsigned id, enum uobject_type type);

#endif
