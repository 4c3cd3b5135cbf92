/* The file that turns doca_core_log.h into code, and logs itself; without a semicolon below. */
#include "log_compat_impl.h"

#include <syslog.h>

/* Calls of the C library during which the test lets a signal arrive. */
#define localtime_r log_compat_localtime_r
#define openlog log_compat_openlog

#define DOCA_CORE_LOG_IMPLEMENTATION
#include "doca_core_log.h"

DOCA_LOG_REGISTER(TEST::LOG::IMPL)

int log_compat_other_source(void)
{
    return log_source;
}

void log_compat_other_record(void)
{
    DOCA_LOG_INFO("text"); /* no further argument: -pedantic has nothing to say */
    DOCA_LOG_TRC("not even a call, usually");
}

void log_compat_limited_record(int i)
{
    DOCA_CORE_LOG_LIMITED(DOCA_LOG_LEVEL_ERROR, 2, "number %d", i);
}
