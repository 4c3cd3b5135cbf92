/* Execution of firmware commands. */
#ifndef MLX5SIM_FIRMWARE_DISPATCH_H
#define MLX5SIM_FIRMWARE_DISPATCH_H

#include <stddef.h>

#include "device/hca/object.h"

/*
 * Runs a firmware command. The driver has set the uid and the umem-valid bits, and has checked that
 * programs may issue the command through this method. `out` is zeroed and has at least 16 bytes;
 * status and syndrome are written there.
 *
 *   created   receives the object of a create command; NULL: create commands are refused
 *
 * Returns true when the status is 0.
 */
bool devx_command(struct sim_client *client, const uint8_t *in, size_t in_len, uint8_t *out,
                  size_t out_len, struct hca_object **created);

/* True when the command in `in` refers to `object`. Required to modify or query by handle. */
bool devx_refers_to(const uint8_t *in, size_t in_len, const struct hca_object *object);

#endif
