/* ---- >>log.level -----------------------------------------------------------------------------
 * Log levels. doca_core_log.h and doca_core_argp.h both contain them, and whichever is included
 * first defines them.                                                                           */
#ifndef DOCA_SRC_COMPAT_LOG_LEVEL_H
#define DOCA_SRC_COMPAT_LOG_LEVEL_H

#ifndef DOCA_CORE_LOG_LEVELS /* doca_core_argp.h contains the same definition */
#define DOCA_CORE_LOG_LEVELS
enum doca_log_level {
    DOCA_LOG_LEVEL_DISABLE = 10, /* as a lower limit: write no record */
    DOCA_LOG_LEVEL_CRIT = 20,
    DOCA_LOG_LEVEL_ERROR = 30,
    DOCA_LOG_LEVEL_WARNING = 40,
    DOCA_LOG_LEVEL_INFO = 50,
    DOCA_LOG_LEVEL_DEBUG = 60,
    DOCA_LOG_LEVEL_TRACE = 70
};
#endif

#endif
