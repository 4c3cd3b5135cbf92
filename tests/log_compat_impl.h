/* What the other file of test_log_compat.c offers. */
#ifdef __cplusplus
extern "C" {
#endif

int log_compat_other_source(void);
void log_compat_other_record(void);
void log_compat_limited_record(int i);

#ifdef __cplusplus
}
#endif
