/* ---- >>impl.log.line -------------------------------------------------------------------------
 * Build the line of one record.                                                                 */
#include "compat/log/line_priv.h"

#include "compat/log/platform_priv.h"

/* this thread is in localtime_r() */
static DOCA_PRIV_LOG_THREAD_LOCAL volatile bool doca_priv_log_is_in_zone;

DOCA_PRIV_DECL const char doca_priv_log_mark[5] = "...\n";

/* Append formatted text to the line. Text that does not fit is cut; the last byte is reserved
 * for the newline. */
DOCA_PRIV_DECL void doca_priv_log_add_args(struct doca_priv_log_line *line, const char *format,
                                           va_list args)
{
    size_t room = sizeof(line->text) - 1 - line->len; /* including the NUL */
    int len = vsnprintf(line->text + line->len, room, format, args);

    if (len < 0) {
        line->text[line->len] = '\0';
    } else if ((size_t)len < room) {
        line->len += (size_t)len;
    } else {
        line->len += room - 1;
        line->is_cut = true;
    }
}

DOCA_PRIV_DECL void doca_priv_log_add(struct doca_priv_log_line *line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    doca_priv_log_add_args(line, format, args);
    va_end(args);
}

/* Return the second of the local day. The C library holds a lock inside localtime_r(). A signal
 * handler that interrupts this thread there would wait for that lock forever, so it uses the
 * last known offset from UTC instead. */
DOCA_PRIV_DECL long doca_priv_log_second(time_t now)
{
    /* local time minus UTC in seconds, more than minus one day and less than one day */
    static long offset;
    const long day = 86400, utc = (long)(now % day);
    struct tm tm;

    if (!doca_priv_log_is_in_zone) {
        memset(&tm, 0, sizeof(tm));
        doca_priv_log_is_in_zone = true;
        localtime_r(&now, &tm);
        doca_priv_log_is_in_zone = false;
        DOCA_PRIV_LOG_STORE(&offset, tm.tm_hour * 3600L + tm.tm_min * 60 + tm.tm_sec - utc);
    }
    return (utc + DOCA_PRIV_LOG_LOAD(&offset) + 2 * day) % day;
}

#ifdef __linux__
/* Make a system call. All arguments have type long: if an int were passed to syscall(), the upper
 * half of the register would be undefined. tools/check_syscalls checks that this is the only
 * function of this header that calls syscall(). */
static long doca_priv_log_call(long number, long a, long b, long c, long d, long e, long f)
{
    return syscall(number, a, b, c, d, e, f);
}
#endif

DOCA_PRIV_DECL void doca_priv_log_begin(struct doca_priv_log_line *line, uint32_t level,
                                        const char *fname, int number, const char *func,
                                        int func_len)
{
    static const char *const names[] = { "CRT", "ERR", "WRN", "INF", "DBG", "TRC" };
    const char *slash = fname != NULL ? strrchr(fname, '/') : NULL;
    struct timeval now = { 0, 0 };
    long thread, second;

#ifdef __linux__
    thread = doca_priv_log_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
#else
    thread = (long)getpid();
#endif
    gettimeofday(&now, NULL);
    second = doca_priv_log_second(now.tv_sec);
    line->len = 0;
    line->is_cut = false;
    doca_priv_log_add(line, "[%02ld:%02ld:%02ld:%06ld][%ld][DOCA][%s][%s:%d][%.*s] ", second / 3600,
                      second / 60 % 60, second % 60, (long)now.tv_usec, thread,
                      names[level / 10 - 2],
                      slash != NULL   ? slash + 1
                      : fname != NULL ? fname
                                      : "?",
                      number, func_len, func);
}

DOCA_PRIV_DECL void doca_priv_log_end(struct doca_priv_log_line *line)
{
    const size_t dots = sizeof(doca_priv_log_mark) - 2;

    if (line->is_cut)
        memcpy(line->text + line->len - dots, doca_priv_log_mark, dots);
    line->text[line->len++] = '\n';
    line->text[line->len] = '\0';
}
