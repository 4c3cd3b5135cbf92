/* Functions that log_compat_impl.c offers to test_log_compat.c, and below, those that it calls
 * there. */
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

int log_compat_other_source(void);
void log_compat_other_record(void);
void log_compat_limited_record(int i);

struct tm *log_compat_localtime_r(const time_t *seconds, struct tm *tm);
void log_compat_openlog(const char *name, int option, int facility);

#ifdef __cplusplus
}
#endif
