/* The log of the device process. */
#ifndef MLX5SIM_MACHINE_LOG_H
#define MLX5SIM_MACHINE_LOG_H

#include <stdbool.h>

#include "device/machine/machine.h"

enum sim_log_level { SIM_ERROR, SIM_INFO, SIM_TRACE };

/* Opens the log file `name`; "-" is stderr. The log gets lines of SIM_ERROR and SIM_INFO, and with
 * `trace` also SIM_TRACE. Without a log, errors go to stderr. Returns 0 or an errno. */
int log_open(const char *name, bool trace);

/* Writes one line to the log and adds the newline. A line of SIM_ERROR goes to stderr as well. */
void sim_log(enum sim_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool sim_logs(enum sim_log_level level);        /* true when lines of this level are written */

/* Logs that the client broke a rule of the device. In strict mode the client is aborted. */
void sim_violation(const struct sim_client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
