/* Compiles the implementation in doca_core_log.h, and logs records of its own. DOCA_LOG_REGISTER
 * below has no semicolon after it, which the macro must allow. */
#include "log_compat_impl.h"

#include <syslog.h>

/* Replace two calls of the C library by functions of the test, which raise a signal during them. */
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
    DOCA_LOG_INFO("text"); /* without further arguments: -pedantic must not warn */
    DOCA_LOG_TRC("compiled to nothing without DOCA_LOGGING_ALLOW_TRACE");
}

void log_compat_limited_record(int i)
{
    DOCA_CORE_LOG_LIMITED(DOCA_LOG_LEVEL_ERROR, 2, "number %d", i);
}
