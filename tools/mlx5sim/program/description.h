/* The functions, the network interfaces and the counters of the emulated machine. */
#ifndef MLX5SIM_PROGRAM_DESCRIPTION_H
#define MLX5SIM_PROGRAM_DESCRIPTION_H

#include "wire/description.h"

#include <stdbool.h>

/* Asks the device process. Returns false when the program runs outside of a machine, or when the
 * device process does not answer. errno stays as it is. */
bool description_get(struct wire_description *out);

/* Makes the device process write the files of the counters. errno stays as it is. */
void description_update_counters(void);

/* Return the interface with this name or index, or NULL. */
const struct wire_interface *description_find(const struct wire_description *of, const char *name);
const struct wire_interface *description_at(const struct wire_description *of, unsigned index);

#endif
