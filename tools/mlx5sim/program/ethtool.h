/* Answers of the ioctl SIOCETHTOOL about emulated interfaces. */
#ifndef MLX5SIM_PROGRAM_ETHTOOL_H
#define MLX5SIM_PROGRAM_ETHTOOL_H

#include "wire/description.h"

/* Executes the command in the program's memory at `data`. Returns 0 or an errno. */
int ethtool_execute(const struct wire_description *of, const struct wire_interface *interface,
                    void *data);

#endif
