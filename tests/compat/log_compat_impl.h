/* Functions of log_compat_impl.c for test_log_compat.c. Below, functions of test_log_compat.c that
 * log_compat_impl.c calls. */
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
