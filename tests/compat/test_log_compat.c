/* Tests of the vendor's log: which records each backend gets, and the form of a record. Backends
 * cannot be removed, so every case runs in a separate process. */
#include "doca_test.h"

#include "doca_core_log.h"
#include "log_compat_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>

DOCA_LOG_REGISTER(TEST::LOG);

/* The vendor's prototypes. The file does not compile if the header declares other types. */
#ifdef __cplusplus
extern "C" {
#endif
doca_error_t doca_log_backend_create_standard(void);
doca_error_t doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_fd(int fd, struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_buf(char *buf, size_t capacity,
                                              log_flush_callback handler,
                                              struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_buffer(char *buf, size_t capacity,
                                                 log_flush_callback handler,
                                                 struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_syslog(const char *name,
                                                 struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_file_sdk(FILE *fptr, struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_buf_sdk(char *buf, size_t capacity,
                                                  log_flush_callback handler,
                                                  struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_syslog_sdk(const char *name,
                                                     struct doca_log_backend **backend);
doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level);
doca_error_t doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend,
                                                    uint32_t level);
doca_error_t doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend,
                                                    uint32_t upper_limit);
doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend);
doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend);
doca_error_t doca_log_level_set_global_lower_limit(uint32_t level);
doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit);
uint32_t doca_log_level_get_global_lower_limit(void);
uint32_t doca_log_level_get_global_upper_limit(void);
doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level);
uint32_t doca_log_level_get_global_sdk_limit(void);
doca_error_t doca_log_register_source(const char *source_name, int *source);
doca_error_t doca_log_unregister_source(int source);
doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func,
                      const char *format, ...);
#ifdef __cplusplus
}
#endif
typedef char
    levels_match_the_vendor[DOCA_LOG_LEVEL_DISABLE == 10 && DOCA_LOG_LEVEL_CRIT == 20 &&
                                    DOCA_LOG_LEVEL_ERROR == 30 && DOCA_LOG_LEVEL_WARNING == 40 &&
                                    DOCA_LOG_LEVEL_INFO == 50 && DOCA_LOG_LEVEL_DEBUG == 60 &&
                                    DOCA_LOG_LEVEL_TRACE == 70
                                ? 1
                                : -1];

#define HEAD "^\\[[0-2][0-9]:[0-5][0-9]:[0-6][0-9]:[0-9]{6}\\]\\[[0-9]+\\]\\[DOCA\\]"

/* The fork() of a sanitizer allocates heap memory. */
static pid_t fork_here(void)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    pid_t child;

    fflush(stdout);
    child = fork();
    heap_trap_set(mode);
    CHECK(child >= 0);
    return child;
}

/* Run `body` in a child process, and handle failed checks there like test_main() does. */
static void run_in_process(void (*body)(void))
{
    pid_t child = fork_here();

    if (child == 0) {
        bool passed = false;

        alarm(10);
        if (setjmp(test_leave) == 0) {
            body();
            passed = true;
        }
        heap_trap_set(HEAP_TRAP_OFF);
        fflush(stdout);
        _exit(passed ? 0 : 1);
    }
    PEER_REAP(child);
}

#define PROCESS_CASE(name)                                                                         \
    static void name##_body(void);                                                                 \
    static void name(void)                                                                         \
    {                                                                                              \
        run_in_process(name##_body);                                                               \
    }                                                                                              \
    static void name##_body(void)

static void check_matches(const char *text, const char *pattern)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    regex_t regex;
    int rc;

    CHECK_EQ(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    rc = regexec(&regex, text, 0, NULL, 0);
    regfree(&regex);
    if (rc != 0)
        test_fail(__FILE__, __LINE__, "\"%s\" does not match %s", text, pattern);
    heap_trap_set(mode);
}

/* Backends that write to a buffer, and the number of records they got. */
static struct buffer_backend {
    char text[512];
    unsigned records;
} buffers[3];

static void flushed_0(char *buf)
{
    CHECK_PTR(buf, buffers[0].text);
    buffers[0].records++;
}

static void flushed_1(char *buf)
{
    CHECK_PTR(buf, buffers[1].text);
    buffers[1].records++;
}

static void flushed_2(char *buf)
{
    CHECK_PTR(buf, buffers[2].text);
    buffers[2].records++;
}

static const log_flush_callback flushed[] = { flushed_0, flushed_1, flushed_2 };

static struct doca_log_backend *add_app_buffer(int i)
{
    struct doca_log_backend *backend = NULL;

    CHECK_OK(doca_log_backend_create_with_buf(buffers[i].text, sizeof(buffers[i].text), flushed[i],
                                              &backend));
    CHECK(backend != NULL);
    return backend;
}

static struct doca_log_backend *add_sdk_buffer(int i)
{
    struct doca_log_backend *backend = NULL;

    CHECK_OK(doca_log_backend_create_with_buf_sdk(buffers[i].text, sizeof(buffers[i].text),
                                                  flushed[i], &backend));
    CHECK(backend != NULL);
    return backend;
}

static bool is_logged(int i, uint32_t level)
{
    unsigned before = buffers[i].records;

    DOCA_LOG(level, "at %u", level);
    return buffers[i].records == before + 1;
}

/* Return the levels that backend i logs as a decimal number: the digit 2 stands for level 20. */
static unsigned logged_levels(int i)
{
    unsigned logged = 0;
    uint32_t level;

    for (level = DOCA_LOG_LEVEL_CRIT; level <= DOCA_LOG_LEVEL_TRACE; level += 10)
        if (is_logged(i, level))
            logged = logged * 10 + level / 10;
    return logged;
}

static int memory_file(void)
{
    int fd = memfd_create("log", 0);

    CHECK(fd >= 0);
    return fd;
}

static void read_all(int fd, char *text, size_t bytes)
{
    ssize_t len = pread(fd, text, bytes - 1, 0);

    CHECK(len >= 0);
    text[len] = '\0';
}

static unsigned count_lines(const char *text)
{
    unsigned lines = 0;

    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

/* Run `body` in a child process, and return its standard output and standard error. */
static void capture(void (*body)(void), char *out, char *err, size_t bytes)
{
    int fds[2];
    pid_t child;

    fds[0] = memory_file();
    fds[1] = memory_file();
    child = fork_here();
    if (child == 0) {
        heap_trap_set(HEAP_TRAP_OFF); /* the first output allocates the buffer of stdout */
        dup2(fds[0], 1);
        dup2(fds[1], 2);
        body();
        _exit(0);
    }
    PEER_REAP(child);
    read_all(fds[0], out, bytes);
    read_all(fds[1], err, bytes);
    close(fds[0]);
    close(fds[1]);
}

/* ---- limits */

PROCESS_CASE(a_new_backend_gets_crit_to_info)
{
    CHECK_EQ(doca_log_level_get_global_lower_limit(), DOCA_LOG_LEVEL_INFO);
    CHECK_EQ(doca_log_level_get_global_upper_limit(), DOCA_LOG_LEVEL_CRIT);
    CHECK_EQ(doca_log_level_get_global_sdk_limit(), DOCA_LOG_LEVEL_INFO);
    add_app_buffer(0);
    CHECK_EQ(logged_levels(0), 2345);
}

PROCESS_CASE(limits_hold_in_all_combinations)
{
    struct doca_log_backend *backend = add_app_buffer(0);
    uint32_t lower, upper, level;

    add_app_buffer(1);
    for (lower = 10; lower <= 70; lower += 10) {
        for (upper = 10; upper <= 70; upper += 10) {
            CHECK_OK(doca_log_level_set_global_lower_limit(lower));
            CHECK_OK(doca_log_level_set_global_upper_limit(upper));
            CHECK_EQ(doca_log_level_get_global_lower_limit(), lower);
            CHECK_EQ(doca_log_level_get_global_upper_limit(), upper);
            for (level = 20; level <= 70; level += 10) {
                CHECK_EQ(is_logged(0, level), upper <= level && level <= lower);
                CHECK_EQ(is_logged(1, level), upper <= level && level <= lower);
            }
        }
    }
    CHECK_OK(doca_log_level_set_global_lower_limit(40));
    CHECK_OK(doca_log_level_set_global_upper_limit(30));
    for (lower = 10; lower <= 70; lower += 10) {
        for (upper = 10; upper <= 70; upper += 10) {
            CHECK_OK(doca_log_backend_set_level_lower_limit(backend, lower));
            CHECK_OK(doca_log_backend_set_level_upper_limit(backend, upper));
            for (level = 20; level <= 70; level += 10) {
                CHECK_EQ(is_logged(0, level), upper <= level && level <= lower);
                CHECK_EQ(is_logged(1, level), level == 30 || level == 40);
            }
        }
    }
    add_app_buffer(2);
    CHECK_EQ(logged_levels(2), 34);
}

PROCESS_CASE(a_strict_lower_limit_is_not_lowered)
{
    struct doca_log_backend *backend = add_app_buffer(0);

    CHECK_OK(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_WARNING));
    CHECK_OK(doca_log_backend_set_level_lower_limit_strict(backend));
    CHECK_RC(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_INFO),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(logged_levels(0), 234);
    CHECK_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE));
    CHECK_EQ(logged_levels(0), 234);
    CHECK_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_CRIT));
    CHECK_EQ(logged_levels(0), 2);
    CHECK_OK(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_WARNING));
    CHECK_EQ(logged_levels(0), 234);
    CHECK_OK(doca_log_backend_set_level_upper_limit(backend, DOCA_LOG_LEVEL_ERROR));
    CHECK_EQ(logged_levels(0), 34);
}

PROCESS_CASE(a_strict_upper_limit_is_not_raised)
{
    struct doca_log_backend *backend = add_app_buffer(0);

    CHECK_OK(doca_log_backend_set_level_upper_limit(backend, DOCA_LOG_LEVEL_ERROR));
    CHECK_OK(doca_log_backend_set_level_upper_limit_strict(backend));
    CHECK_RC(doca_log_backend_set_level_upper_limit(backend, DOCA_LOG_LEVEL_CRIT),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(logged_levels(0), 345);
    CHECK_OK(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_CRIT));
    CHECK_EQ(logged_levels(0), 345);
    CHECK_OK(doca_log_level_set_global_upper_limit(DOCA_LOG_LEVEL_WARNING));
    CHECK_EQ(logged_levels(0), 45);
    CHECK_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DEBUG));
    CHECK_EQ(logged_levels(0), 456);
}

PROCESS_CASE(bad_arguments_change_nothing)
{
    static const uint32_t bad[] = { 0, 9, 11, 25, 69, 71, 80, 0xffffffff };
    struct doca_log_backend *backend = add_app_buffer(0), *sdk = add_sdk_buffer(1);
    struct doca_log_backend *none = (struct doca_log_backend *)(void *)buffers, *kept = none;
    doca_error_t (*unchecked_log)(uint32_t, int, const char *, int, const char *, const char *,
                                  ...) = doca_log;
    char small[4];
    int source = 7;
    size_t i;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
#define REFUSED(call) CHECK_RC(call, DOCA_ERROR_INVALID_VALUE)
        REFUSED(doca_log_level_set_global_lower_limit(bad[i]));
        REFUSED(doca_log_level_set_global_upper_limit(bad[i]));
        REFUSED(doca_log_level_set_global_sdk_limit(bad[i]));
        REFUSED(doca_log_backend_set_level_lower_limit(backend, bad[i]));
        REFUSED(doca_log_backend_set_level_upper_limit(backend, bad[i]));
        REFUSED(doca_log_backend_set_sdk_level(sdk, bad[i]));
        REFUSED(doca_log(bad[i], 0, "f", 1, "f", "text"));
    }
    REFUSED(doca_log(DOCA_LOG_LEVEL_DISABLE, 0, "f", 1, "f", "text"));
    REFUSED(unchecked_log(DOCA_LOG_LEVEL_CRIT, 0, "f", 1, "f", NULL));
    REFUSED(doca_core_log_limited(NULL, 1, DOCA_LOG_LEVEL_CRIT, 0, "f", 1, "f", "text"));
    REFUSED(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_INFO));
    REFUSED(doca_log_backend_set_sdk_level(NULL, DOCA_LOG_LEVEL_INFO));
    REFUSED(doca_log_backend_set_level_lower_limit(NULL, DOCA_LOG_LEVEL_INFO));
    REFUSED(doca_log_backend_set_level_lower_limit(none, DOCA_LOG_LEVEL_INFO));
    REFUSED(doca_log_backend_set_level_upper_limit(NULL, DOCA_LOG_LEVEL_INFO));
    REFUSED(doca_log_backend_set_level_lower_limit_strict(NULL));
    REFUSED(doca_log_backend_set_level_upper_limit_strict(none));
    REFUSED(doca_log_backend_create_with_file(NULL, &kept));
    REFUSED(doca_log_backend_create_with_file(stderr, NULL));
    REFUSED(doca_log_backend_create_with_file_sdk(NULL, &kept));
    REFUSED(doca_log_backend_create_with_fd(-1, &kept));
    REFUSED(doca_log_backend_create_with_fd_sdk(-1, &kept));
    REFUSED(doca_log_backend_create_with_buf(small, sizeof(small), flushed_0, &kept));
    REFUSED(doca_log_backend_create_with_buf(NULL, 100, flushed_0, &kept));
    REFUSED(doca_log_backend_create_with_buffer(NULL, 100, flushed_0, &kept));
    REFUSED(doca_log_backend_create_with_buf_sdk(buffers[2].text, 100, NULL, &kept));
    REFUSED(doca_log_backend_create_with_syslog(NULL, &kept));
    REFUSED(doca_log_backend_create_with_syslog_sdk("name", NULL));
    REFUSED(doca_log_register_source(NULL, &source));
    REFUSED(doca_log_register_source("A", NULL));
    REFUSED(doca_log_unregister_source(-1));
    REFUSED(doca_log_unregister_source(DOCA_CORE_LOG_MAX_SOURCES));
    CHECK_PTR(kept, none);
    CHECK_EQ(source, 7);
    CHECK_EQ(buffers[0].records, 0);
    CHECK_EQ(logged_levels(0), 2345);
}

/* ---- where records go */

static void log_all_levels(void)
{
    if (doca_log_backend_create_standard() != DOCA_SUCCESS ||
        doca_log_backend_create_standard() != DOCA_SUCCESS) /* must not log twice */
        _exit(2);
    DOCA_LOG_CRIT("critical");
    DOCA_LOG_ERR("error");
    DOCA_LOG_WARN("warning");
    DOCA_LOG_INFO("info");
    DOCA_LOG_DBG("debug");
}

static void log_all_levels_and_debug(void)
{
    doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DEBUG);
    log_all_levels();
}

static void log_all_levels_from_error(void)
{
    doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_ERROR);
    log_all_levels();
}

PROCESS_CASE(the_standard_backend_has_two_outputs)
{
    static char out[4096], err[4096];

    capture(log_all_levels, out, err, sizeof(out));
    check_matches(out, HEAD "\\[INF\\]\\[test_log_compat.c:[0-9]+\\]\\[log_all_levels\\] info\n$");
    CHECK_EQ(count_lines(out), 1);
    check_matches(err, "\\[CRT\\][^\n]* critical\n[^\n]*\\[ERR\\][^\n]* error\n"
                       "[^\n]*\\[WRN\\][^\n]* warning\n$");
    CHECK_EQ(count_lines(err), 3);
    capture(log_all_levels_and_debug, out, err, sizeof(out));
    check_matches(out, " info\n[^\n]*\\[DBG\\][^\n]* debug\n$");
    CHECK_EQ(count_lines(out), 2);
    CHECK_EQ(count_lines(err), 3);
    capture(log_all_levels_from_error, out, err, sizeof(out));
    CHECK_STR(out, "");
    CHECK_EQ(count_lines(err), 2);
}

PROCESS_CASE(the_line_has_time_thread_level_place_and_text)
{
    char pattern[256];

    add_app_buffer(0);
    DOCA_LOG_WARN("%d of %s", 3, "four");
    snprintf(pattern, sizeof(pattern),
             HEAD "\\[WRN\\]\\[test_log_compat.c:%d\\]\\[%s\\] 3 of four\n$", __LINE__ - 2,
             __func__);
    check_matches(buffers[0].text, pattern);
    snprintf(pattern, sizeof(pattern), "\\]\\[%d\\]\\[DOCA\\]", (int)getpid());
    check_matches(buffers[0].text, pattern); /* the first thread's number is the process id */
    CHECK_OK(doca_log(DOCA_LOG_LEVEL_INFO, 12345, "/a/b/c.d", 9, NULL, "x"));
    check_matches(buffers[0].text, HEAD "\\[INF\\]\\[c.d:9\\]\\[\\?\\] x\n$");
    CHECK_OK(doca_log(DOCA_LOG_LEVEL_INFO, -1, NULL, 9, "f", "x"));
    check_matches(buffers[0].text, HEAD "\\[INF\\]\\[\\?:9\\]\\[f\\] x\n$");
    log_compat_other_record();
    check_matches(buffers[0].text,
                  "\\[log_compat_impl.c:[0-9]+\\]\\[log_compat_other_record\\] text\n$");
}

static void move_to_another_zone(void)
{
    heap_trap_set(HEAP_TRAP_OFF);
    setenv("TZ", "XXX-5:30", 1);
    tzset();
    heap_trap_set(HEAP_TRAP_ABORT);
}

/* Check that the record has the local time of `second` or of a later second until now. */
static void check_is_local(const char *record, time_t second)
{
    /* time() has a coarser clock than the record and may be behind it */
    time_t end = time(NULL) + 1;
    bool is_seen = false;

    for (; second <= end; second++) {
        char text[16];
        struct tm tm;

        strftime(text, sizeof(text), "[%H:%M:%S:", localtime_r(&second, &tm));
        is_seen = is_seen || strncmp(record, text, 10) == 0;
    }
    CHECK(is_seen);
}

PROCESS_CASE(the_time_is_local)
{
    time_t second = time(NULL);

    move_to_another_zone();
    add_app_buffer(0);
    DOCA_LOG_INFO("now");
    check_is_local(buffers[0].text, second);
}

enum place { NOWHERE, IN_ZONE, IN_OPENLOG };

/* The call below during which a signal arrives, and the results of the signal handler. */
static struct {
    enum place arrives;
    unsigned handled;
    bool is_in_zone;
    char text[sizeof(buffers[0].text)];
    struct doca_core_log_limit limit;
    doca_error_t limited;
    uint32_t lower;
} interrupt;

static void log_in_a_handler(int number)
{
    (void)number;
    interrupt.handled++;
    DOCA_LOG_INFO("from a handler");
    memcpy(interrupt.text, buffers[0].text, sizeof(interrupt.text));
    interrupt.limited = doca_core_log_limited(&interrupt.limit, 100, DOCA_LOG_LEVEL_INFO, -1, "f",
                                              1, "f", "limited");
    interrupt.lower = doca_log_level_get_global_lower_limit();
}

struct tm *log_compat_localtime_r(const time_t *seconds, struct tm *tm)
{
    if (interrupt.arrives == IN_ZONE) {
        CHECK(!interrupt.is_in_zone); /* a nested call deadlocks in the C library */
        interrupt.is_in_zone = true;
        raise(SIGUSR1);
        interrupt.is_in_zone = false;
    }
    return localtime_r(seconds, tm);
}

void log_compat_openlog(const char *name, int option, int facility)
{
    if (interrupt.arrives == IN_OPENLOG)
        raise(SIGUSR1);
    openlog(name, option, facility);
}

PROCESS_CASE(a_signal_handler_can_log_during_localtime)
{
    time_t second = time(NULL);

    signal(SIGUSR1, log_in_a_handler);
    move_to_another_zone();
    add_app_buffer(0);
    interrupt.arrives = IN_ZONE;
    DOCA_LOG_INFO("interrupted");
    CHECK_EQ(interrupt.handled, 1);
    CHECK_EQ(buffers[0].records, 3);
    check_matches(interrupt.text, HEAD "[^\n]* from a handler\n$");
    check_is_local(interrupt.text, second);
    check_matches(buffers[0].text, "interrupted");
    CHECK_OK(interrupt.limited); /* the table is not locked */
    DOCA_LOG_INFO("and again");
    CHECK_EQ(interrupt.handled, 2);
    CHECK_EQ(buffers[0].records, 6);
}

PROCESS_CASE(a_signal_handler_can_log_while_the_table_is_locked)
{
    struct doca_log_backend *backend;

    signal(SIGUSR1, log_in_a_handler);
    add_app_buffer(0);
    heap_trap_set(HEAP_TRAP_OFF); /* syslog functions allocate heap memory */
    interrupt.limited = DOCA_SUCCESS;
    interrupt.arrives = IN_OPENLOG;
    CHECK_OK(doca_log_backend_create_with_syslog("doca_core_test", &backend));
    CHECK_EQ(interrupt.handled, 1);
    CHECK_EQ(interrupt.lower, DOCA_LOG_LEVEL_INFO);
    CHECK_RC(interrupt.limited, DOCA_ERROR_AGAIN);
    CHECK_EQ(interrupt.limit.num_dropped, 0);
    CHECK_EQ(buffers[0].records, 1);
    log_in_a_handler(0); /* the table is no longer locked: both records are logged */
    CHECK_OK(interrupt.limited);
    check_matches(buffers[0].text, " limited\n$");
}

PROCESS_CASE(a_record_is_one_write)
{
    struct doca_log_backend *backend;
    static char text[4096], buffer[4096];
    int pair[2];
    ssize_t len;
    FILE *file;

    CHECK_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
    CHECK_OK(doca_log_backend_create_with_fd(pair[0], &backend));
    DOCA_LOG_INFO("to a descriptor");
    len = recv(pair[1], text, sizeof(text) - 1, MSG_DONTWAIT);
    CHECK(len > 0);
    text[len] = '\0';
    check_matches(text, HEAD "[^\n]* to a descriptor\n$");
    CHECK_OK(doca_log_backend_set_level_lower_limit(backend, DOCA_LOG_LEVEL_DISABLE));

    heap_trap_set(HEAP_TRAP_OFF);
    file = fdopen(pair[0], "w");
    heap_trap_set(HEAP_TRAP_ABORT);
    CHECK(file != NULL);
    setvbuf(file, buffer, _IOFBF, sizeof(buffer));
    CHECK_OK(doca_log_backend_create_with_file(file, &backend));
    DOCA_LOG_INFO("to a file");
    len = recv(pair[1], text, sizeof(text) - 1, MSG_DONTWAIT);
    CHECK(len > 0);
    text[len] = '\0';
    check_matches(text, HEAD "[^\n]* to a file\n$");
    CHECK_EQ(recv(pair[1], text, sizeof(text), MSG_DONTWAIT), -1);
}

PROCESS_CASE(a_long_record_is_cut_visibly)
{
    static char text[4096];
    char word[3000];
    struct doca_log_backend *backend;
    int fd = memory_file();

    memset(word, 'w', sizeof(word) - 1);
    word[sizeof(word) - 1] = '\0';
    CHECK_OK(doca_log_backend_create_with_fd(fd, &backend));
    DOCA_LOG_INFO("%s", word);
    read_all(fd, text, sizeof(text));
    CHECK_EQ(strlen(text), DOCA_CORE_LOG_LINE_BYTES - 1);
    check_matches(text, HEAD "[^\n]* www[^\n]*www\\.\\.\\.\n$");
    CHECK_OK(doca_log(DOCA_LOG_LEVEL_INFO, 0, word, 1, word, "%s", word));
    CHECK_EQ(lseek(fd, 0, SEEK_CUR), 2 * (DOCA_CORE_LOG_LINE_BYTES - 1));

    add_app_buffer(0); /* its buffer is smaller than a record may be */
    DOCA_LOG_INFO("%s", word);
    CHECK_EQ(strlen(buffers[0].text), sizeof(buffers[0].text) - 1);
    check_matches(buffers[0].text, "www\\.\\.\\.\n$");
}

static char exact[2][256];
static unsigned exact_records[2];

static void flushed_exact_0(char *buf)
{
    CHECK_PTR(buf, exact[0]);
    exact_records[0]++;
}

static void flushed_exact_1(char *buf)
{
    CHECK_PTR(buf, exact[1]);
    exact_records[1]++;
}

PROCESS_CASE(a_buffer_is_filled_to_its_last_byte_only)
{
    struct doca_log_backend *backend;
    size_t len;

    add_app_buffer(0);
    CHECK_OK(doca_log(DOCA_LOG_LEVEL_INFO, 0, "f", 1, "f", "as long as this"));
    len = strlen(buffers[0].text);
    memset(exact, '#', sizeof(exact));
    CHECK_OK(doca_log_backend_create_with_buf(exact[0], len + 1, flushed_exact_0, &backend));
    CHECK_OK(doca_log_backend_create_with_buffer(exact[1], len, flushed_exact_1, &backend));
    CHECK_OK(doca_log(DOCA_LOG_LEVEL_INFO, 0, "f", 1, "f", "as long as this"));
    CHECK_EQ(exact_records[0], 1);
    CHECK_EQ(exact_records[1], 1);
    CHECK_STR(exact[0], buffers[0].text);
    CHECK_EQ(strlen(exact[1]), len - 1);
    CHECK_EQ(exact[1][len], '#');
    CHECK_EQ(exact[0][len + 1], '#');
    check_matches(exact[1], " as long as \\.\\.\\.\n$");
}

static void flush_and_log(char *buf)
{
    static unsigned depth;

    (void)buf;
    CHECK_EQ(depth++, 0);
    DOCA_LOG_INFO("from a callback");
    depth--;
}

PROCESS_CASE(a_record_from_a_flush_callback_reaches_other_backends)
{
    struct doca_log_backend *backend;
    static char text[256];

    CHECK_OK(doca_log_backend_create_with_buf(text, sizeof(text), flush_and_log, &backend));
    add_app_buffer(0);
    DOCA_LOG_INFO("from outside");
    CHECK_EQ(buffers[0].records, 2);
    check_matches(text, "from outside");
    check_matches(buffers[0].text, "from outside");
}

PROCESS_CASE(syslog_takes_records)
{
    struct doca_log_backend *backend;
    char name[100];
    int i;

    heap_trap_set(HEAP_TRAP_OFF); /* syslog functions allocate heap memory */
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    CHECK_OK(doca_log_backend_create_with_syslog("doca_core_test", &backend));
    CHECK_OK(doca_log_backend_create_with_syslog_sdk(name, &backend));
    for (i = 20; i <= 70; i += 10)
        CHECK_OK(doca_log((uint32_t)i, log_source, "f", 1, "f", "%d", i));
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
}

PROCESS_CASE(too_many_backends_are_refused)
{
    struct doca_log_backend *backend, *kept;
    int i;

    for (i = 0; i < DOCA_CORE_LOG_MAX_BACKENDS - 1; i++)
        CHECK_OK(doca_log_backend_create_with_buf(buffers[0].text, sizeof(buffers[0].text),
                                                  flushed_0, &backend));
    CHECK_RC(doca_log_backend_create_standard(), DOCA_ERROR_NO_MEMORY);
    add_sdk_buffer(1);
    kept = backend;
    CHECK_RC(doca_log_backend_create_with_fd(1, &backend), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_log_backend_create_with_file_sdk(stderr, &backend), DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(backend, kept);
    DOCA_LOG_INFO("to all");
    CHECK_EQ(buffers[0].records, DOCA_CORE_LOG_MAX_BACKENDS - 1);
    CHECK_EQ(buffers[1].records, 0);
}

/* The standard backend writes to descriptors 1 and 2. If a process has closed its standard streams,
 * a progress engine must not use these numbers for its own descriptors. Writing a record then
 * fails, and the engine's notification handle does not become readable. */
PROCESS_CASE(records_never_go_to_descriptors_of_the_library)
{
    struct pollfd wait = { -1, POLLIN, 0 };
    struct doca_pe *pe;
    int fd;

    CHECK_OK(doca_log_backend_create_standard());
    for (fd = 0; fd <= 2; fd++)
        (void)close(fd);
    CHECK_OK(doca_pe_create(&pe));
    CHECK_OK(doca_pe_get_notification_handle(pe, &wait.fd));
    for (fd = 0; fd <= 2; fd++)
        CHECK_EQ(fcntl(fd, F_GETFD), -1);
    CHECK_RC(doca_log(DOCA_LOG_LEVEL_INFO, log_source, "f", 1, "f", "x"), DOCA_ERROR_IO_FAILED);
    CHECK_RC(doca_log(DOCA_LOG_LEVEL_ERROR, log_source, "f", 1, "f", "x"), DOCA_ERROR_IO_FAILED);
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(poll(&wait, 1, 0), 0);
    CHECK_OK(doca_pe_destroy(pe));
}

PROCESS_CASE(errno_is_preserved_and_lost_records_are_reported)
{
    struct doca_log_backend *backend;
    int fd = dup(1);

    CHECK_OK(doca_log_backend_create_with_fd(fd, &backend));
    CHECK_OK(doca_log_backend_create_with_fd_sdk(fd, &backend));
    close(fd);
    errno = 4321;
    CHECK_RC(doca_log(DOCA_LOG_LEVEL_INFO, 0, "f", 1, "f", "lost"), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(errno, 4321);
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(errno, 4321);
    add_app_buffer(0);
    CHECK_RC(doca_log(DOCA_LOG_LEVEL_INFO, 0, "f", 1, "f", "text"), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(buffers[0].records, 1);
    errno = ENOENT;
    DOCA_LOG_INFO("%m");
    CHECK(strstr(buffers[0].text, strerror(ENOENT)) != NULL);
}

/* ---- sources */

PROCESS_CASE(sources_have_names_with_colons)
{
    CHECK(log_source >= 0 && log_compat_other_source() >= 0);
    CHECK(log_source != log_compat_other_source());
    CHECK_STR(doca_core_log_source_name(log_source), "TEST::LOG");
    CHECK_STR(doca_core_log_source_name(log_compat_other_source()), "TEST::LOG::IMPL");
    CHECK_STR(doca_core_log_source_name(-1), "");
    CHECK_STR(doca_core_log_source_name(DOCA_CORE_LOG_MAX_SOURCES), "");
}

PROCESS_CASE(sources_are_available_again_after_unregister)
{
    char name[100];
    int source = -1, last = -1, num = 0;

    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    while (doca_log_register_source(name, &source) == DOCA_SUCCESS) {
        last = source;
        num++;
    }
    CHECK_EQ(num, DOCA_CORE_LOG_MAX_SOURCES - 2);
    CHECK_RC(doca_log_register_source("A", &source), DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(source, last);
    CHECK_EQ(strlen(doca_core_log_source_name(last)), 63);
    CHECK_OK(doca_log_unregister_source(last));
    CHECK_STR(doca_core_log_source_name(last), "");
    CHECK_RC(doca_log_unregister_source(last), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_log_register_source("A", &source));
    CHECK_EQ(source, last);
    CHECK_STR(doca_core_log_source_name(source), "A");
}

/* ---- the macros */

PROCESS_CASE(macros_have_their_levels)
{
    int evaluated = 0;

    add_app_buffer(0);
    CHECK_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_TRACE));
#define SHOWS(macro, name)                                                                         \
    do {                                                                                           \
        macro("text");                                                                             \
        check_matches(buffers[0].text, "\\[DOCA\\]\\[" name "\\]\\[test_log_compat.c:[0-9]+\\]"    \
                                       "\\[macros_have_their_levels_body\\] text\n$");             \
    } while (0)
    SHOWS(DOCA_LOG_CRIT, "CRT");
    SHOWS(DOCA_LOG_ERR, "ERR");
    SHOWS(DOCA_LOG_WARN, "WRN");
    SHOWS(DOCA_LOG_INFO, "INF");
    SHOWS(DOCA_LOG_DBG, "DBG");
    SHOWS(DOCA_LOG_RATE_LIMIT_CRIT, "CRT");
    SHOWS(DOCA_LOG_RATE_LIMIT_ERR, "ERR");
    SHOWS(DOCA_LOG_RATE_LIMIT_WARN, "WRN");
    SHOWS(DOCA_LOG_RATE_LIMIT_INFO, "INF");
    SHOWS(DOCA_LOG_RATE_LIMIT_DBG, "DBG");
    buffers[0].records = 0;
    DOCA_DLOG_CRIT("%d", ++evaluated);
    DOCA_DLOG_ERR("%d", ++evaluated);
    DOCA_DLOG_WARN("%d", ++evaluated);
    DOCA_DLOG_INFO("%d", ++evaluated);
    DOCA_DLOG_DBG("%d", ++evaluated);
#ifdef DOCA_LOGGING_ALLOW_DLOG
    CHECK_EQ(evaluated, 5);
    CHECK_EQ(buffers[0].records, 5);
#else
    CHECK_EQ(evaluated, 0);
    CHECK_EQ(buffers[0].records, 0);
#endif
    evaluated = 0;
    buffers[0].records = 0;
    DOCA_LOG_TRC("%d", ++evaluated);
#ifdef DOCA_LOGGING_ALLOW_TRACE
    CHECK_EQ(evaluated, 1);
    CHECK_EQ(buffers[0].records, 1);
    check_matches(buffers[0].text, "\\[TRC\\]");
#else
    CHECK_EQ(evaluated, 0);
    CHECK_EQ(buffers[0].records, 0);
#endif
}

PROCESS_CASE(limited_records_are_counted)
{
    struct doca_core_log_limit limit = { 0, 0, 0 };
    int i, num, tries = 3;
    time_t begin;

    add_app_buffer(0);
    for (i = 0; i < 3; i++) /* filtered out: not counted */
        CHECK_OK(doca_core_log_limited(&limit, 1, DOCA_LOG_LEVEL_DEBUG, 0, "f", 1, "f", "no"));
    do { /* repeat if a second ends during the calls */
        begin = time(NULL);
        memset(&limit, 0, sizeof(limit));
        buffers[0].records = 0;
        for (i = num = 0; i < 10; i++)
            num += doca_core_log_limited(&limit, 3, DOCA_LOG_LEVEL_INFO, 0, "f", 1, "f", "%d",
                                         i) == DOCA_ERROR_AGAIN;
    } while (time(NULL) != begin && tries-- > 0);
    CHECK_EQ(num, 7);
    CHECK_EQ(buffers[0].records, 3);
    check_matches(buffers[0].text, "\\[f\\] 2\n$");
    limit.second--; /* pretend that a second has passed */
    CHECK_OK(doca_core_log_limited(&limit, 3, DOCA_LOG_LEVEL_INFO, 0, "f", 1, "f", "next"));
    check_matches(buffers[0].text, "\\[f\\] \\(7 left out\\) next\n$");
    CHECK_OK(doca_core_log_limited(&limit, 3, DOCA_LOG_LEVEL_INFO, 0, "f", 1, "f", "more"));
    check_matches(buffers[0].text, "\\[f\\] more\n$");
    buffers[0].records = 0;
    for (i = 0; i < 100; i++)
        log_compat_limited_record(i);
    /* at most one second ends during the loop */
    CHECK(buffers[0].records >= 2 && buffers[0].records <= 4);
    buffers[0].records = 0;
    for (i = 0; i < 100; i++)
        DOCA_LOG_RATE_LIMIT_INFO("number %d", i);
    CHECK(buffers[0].records >= DOCA_CORE_LOG_PER_SECOND &&
          buffers[0].records <= 2 * DOCA_CORE_LOG_PER_SECOND);
}

/* ---- records of the library */

PROCESS_CASE(records_of_the_library_go_to_sdk_backends)
{
    struct doca_log_backend *sdk;
    struct doca_mmap *mmap;
    char reason[256];

    add_app_buffer(0);
    sdk = add_sdk_buffer(1);
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    check_matches(buffers[1].text, HEAD "\\[ERR\\]\\[doca_core.h:0\\]\\[doca_mmap_create\\] .");
    snprintf(reason, sizeof(reason), "%s\n",
             doca_core_last_error() + strlen("doca_core: doca_mmap_create: "));
    CHECK_STR(strstr(buffers[1].text, "] ") + 2, reason);
    CHECK_EQ(buffers[0].records, 0);
    CHECK_EQ(buffers[1].records, 1);
    DOCA_LOG_ERR("the program's own");
    CHECK_EQ(buffers[0].records, 1);
    CHECK_EQ(buffers[1].records, 1);

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_RC(doca_mmap_start(mmap), doca_mmap_start(mmap)); /* a failure with an object */
    check_matches(buffers[1].text, "\\[doca_mmap_start\\] mmap 0x[0-9a-f]+ \\(stopped\\): ");
    CHECK_OK(doca_mmap_destroy(mmap));

    buffers[1].records = 0;
    CHECK_OK(doca_log_backend_set_sdk_level(sdk, DOCA_LOG_LEVEL_CRIT));
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(buffers[1].records, 0);
    CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_TRACE));
    CHECK_EQ(doca_log_level_get_global_sdk_limit(), DOCA_LOG_LEVEL_TRACE);
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(buffers[1].records, 1);
    CHECK_OK(doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_DISABLE));
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(buffers[1].records, 2); /* the program's limit does not apply to the library */
    CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE));
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(buffers[1].records, 2);
}

PROCESS_CASE(sdk_backends_have_separate_levels)
{
    struct doca_log_backend *quiet, *all;

    CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT));
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_lines, 1); /* without an SDK backend, the sink gets the record */
    quiet = add_sdk_buffer(0);
    all = add_sdk_buffer(1);
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(buffers[0].records + buffers[1].records, 0);
    CHECK_OK(doca_log_backend_set_sdk_level(all, DOCA_LOG_LEVEL_ERROR));
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(buffers[0].records, 0);
    CHECK_EQ(buffers[1].records, 1);
    CHECK_OK(doca_log_backend_set_level_upper_limit(all, DOCA_LOG_LEVEL_WARNING));
    CHECK_OK(doca_log_backend_set_level_lower_limit(quiet, DOCA_LOG_LEVEL_ERROR));
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(buffers[0].records, 1);
    CHECK_EQ(buffers[1].records, 1);
    CHECK_OK(doca_log_backend_set_level_lower_limit_strict(quiet));
    CHECK_RC(doca_log_backend_set_sdk_level(quiet, DOCA_LOG_LEVEL_DEBUG), DOCA_ERROR_NOT_PERMITTED);

    doca_core_log_set_sink(test_sink, NULL); /* the sink replaces the SDK backends */
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_lines, 2);
    CHECK_EQ(buffers[0].records, 1);
    CHECK_OK(doca_log_backend_set_sdk_level(quiet, DOCA_LOG_LEVEL_ERROR));
    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_lines, 2);
    CHECK_EQ(buffers[0].records, 2);
}

/* ---- several threads */

enum { NUM_THREADS = 4, NUM_RECORDS = 400 };

static void *log_many(void *arg)
{
    const char letter = (char)('a' + *(const int *)arg);
    char word[101];
    int i;

    heap_trap_set(HEAP_TRAP_ABORT);
    memset(word, letter, 100);
    word[100] = '\0';
    for (i = 0; i < NUM_RECORDS; i++) {
        DOCA_LOG_INFO("%s", word);
        (void)doca_mmap_create(NULL);
    }
    heap_trap_set(HEAP_TRAP_OFF);
    return NULL;
}

PROCESS_CASE(records_of_threads_do_not_mix)
{
    static char text[NUM_THREADS * NUM_RECORDS * 256];
    static char buffer[4096];
    struct doca_log_backend *backend;
    unsigned count[NUM_THREADS] = { 0 };
    int number[NUM_THREADS], i, fds[2];
    pthread_t thread[NUM_THREADS];
    FILE *file;
    char *line;

    fds[0] = memory_file();
    fds[1] = memory_file();
    heap_trap_set(HEAP_TRAP_OFF);
    file = fdopen(fds[1], "w");
    CHECK(file != NULL);
    setvbuf(file, buffer, _IOFBF, sizeof(buffer));
    CHECK_OK(doca_log_backend_create_with_fd(fds[0], &backend));
    CHECK_OK(doca_log_backend_create_with_file(file, &backend));
    add_app_buffer(0);
    add_sdk_buffer(1);
    for (i = 0; i < NUM_THREADS; i++) {
        number[i] = i;
        CHECK_EQ(pthread_create(&thread[i], NULL, log_many, &number[i]), 0);
    }
    for (i = 0; i < NUM_THREADS; i++)
        CHECK_EQ(pthread_join(thread[i], NULL), 0);
    CHECK_EQ(buffers[0].records, NUM_THREADS * NUM_RECORDS);
    CHECK_EQ(buffers[1].records, NUM_THREADS * NUM_RECORDS);
    for (i = 0; i < 2; i++) {
        read_all(fds[i], text, sizeof(text));
        CHECK_EQ(count_lines(text), NUM_THREADS * NUM_RECORDS);
        memset(count, 0, sizeof(count));
        for (line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            char *word = strstr(line, "] ") + 2, letter[2] = { word[0], '\0' };

            CHECK(line[0] == '[' && strlen(word) == 100 && word[0] >= 'a' && word[0] <= 'd');
            CHECK_EQ(strspn(word, letter), 100);
            count[word[0] - 'a']++;
        }
        CHECK_EQ(count[0], NUM_RECORDS);
        CHECK_EQ(count[1], NUM_RECORDS);
        CHECK_EQ(count[2], NUM_RECORDS);
        CHECK_EQ(count[3], NUM_RECORDS);
    }
}

static void *set_many(void *arg)
{
    int i, source;

    for (i = 0; i < NUM_RECORDS; i++) {
        (void)doca_log_backend_set_level_lower_limit((struct doca_log_backend *)arg,
                                                     i % 2 != 0 ? DOCA_LOG_LEVEL_INFO
                                                                : DOCA_LOG_LEVEL_DEBUG);
        (void)doca_log_level_set_global_upper_limit(i % 3 != 0 ? DOCA_LOG_LEVEL_CRIT
                                                               : DOCA_LOG_LEVEL_ERROR);
        if (doca_log_register_source("A", &source) == DOCA_SUCCESS)
            (void)doca_log_unregister_source(source);
    }
    return NULL;
}

PROCESS_CASE(limits_may_change_while_threads_log)
{
    struct doca_log_backend *backend = add_app_buffer(0);
    pthread_t thread[2];
    int zero = 0;

    add_sdk_buffer(1);
    heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_create(&thread[0], NULL, log_many, &zero), 0);
    CHECK_EQ(pthread_create(&thread[1], NULL, set_many, backend), 0);
    CHECK_EQ(pthread_join(thread[0], NULL), 0);
    CHECK_EQ(pthread_join(thread[1], NULL), 0);
    CHECK_EQ(buffers[0].records, NUM_RECORDS); /* all of these limits let INFO pass */
}

static pthread_barrier_t both_inside;

static void *log_app(void *arg)
{
    (void)arg;
    DOCA_LOG_INFO("once");
    return NULL;
}

static void *log_sdk(void *arg)
{
    (void)arg;
    (void)doca_mmap_create(NULL);
    return NULL;
}

/* Both threads are in a flush callback at the same time. Each one logs a record for which the log
 * calls the other thread's callback. */
static void flush_app(char *buf)
{
    (void)buf;
    (void)pthread_barrier_wait(&both_inside);
    (void)log_sdk(NULL);
    (void)pthread_barrier_wait(&both_inside);
}

static void flush_sdk(char *buf)
{
    (void)buf;
    (void)pthread_barrier_wait(&both_inside);
    (void)log_app(NULL);
    (void)pthread_barrier_wait(&both_inside);
}

PROCESS_CASE(flush_callbacks_that_log_do_not_deadlock)
{
    static char text[2][256];
    struct doca_log_backend *backend;
    pthread_t thread[2];

    heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_barrier_init(&both_inside, NULL, 2), 0);
    CHECK_OK(doca_log_backend_create_with_buf(text[0], sizeof(text[0]), flush_app, &backend));
    CHECK_OK(doca_log_backend_create_with_buf_sdk(text[1], sizeof(text[1]), flush_sdk, &backend));
    CHECK_EQ(pthread_create(&thread[0], NULL, log_app, NULL), 0);
    CHECK_EQ(pthread_create(&thread[1], NULL, log_sdk, NULL), 0);
    CHECK_EQ(pthread_join(thread[0], NULL), 0);
    CHECK_EQ(pthread_join(thread[1], NULL), 0);
    CHECK_EQ(pthread_barrier_destroy(&both_inside), 0);
}

/* ---- the environment, which is read once per process: this case starts programs */

/* With the argument --probe: print the lower limit before and after the program sets it. */
static int probe(void)
{
    printf("starts at %u\n", doca_log_level_get_global_lower_limit());
    if (doca_log_backend_create_standard() != DOCA_SUCCESS ||
        doca_log_backend_create_standard() != DOCA_SUCCESS)
        return 1;
    heap_trap_set(HEAP_TRAP_ABORT); /* stdout has its buffer, and the time zone is read */
    DOCA_LOG_DBG("debug");
    heap_trap_set(HEAP_TRAP_OFF);
    doca_log_level_set_global_lower_limit(DOCA_LOG_LEVEL_ERROR);
    printf("continues at %u\n", doca_log_level_get_global_lower_limit());
    return fflush(stdout);
}

static const char *probe_level;

static void run_probe(void)
{
    unsetenv("DOCA_LOG_LEVEL");
    if (probe_level != NULL)
        setenv("DOCA_LOG_LEVEL", probe_level, 1);
    execl("/proc/self/exe", "test_log_compat", "--probe", (char *)NULL);
    _exit(3);
}

static void the_environment_sets_the_initial_lower_limit(void)
{
    static const struct {
        const char *text;
        unsigned level;
        bool is_bad;
    } rows[] = {
        { NULL, 50, false },   { "", 50, false },      { "10", 10, false },
        { "60", 60, false },   { "70", 70, false },    { "DISABLE", 10, false },
        { "crit", 20, false }, { "Error", 30, false }, { "WARNING", 40, false },
        { "info", 50, false }, { "debug", 60, false }, { "TRACE", 70, false },
        { "80", 50, true },    { "0060", 50, true },   { "debugging", 50, true },
        { "deb", 50, true },   { "6", 50, true },      { "60 ", 50, true },
        /* 'V' and 'P' are '6' and '0' plus 32, but only letters have a case */
        { "VP", 50, true },
    };
    static char out[4096], err[4096];
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char want[64];

        probe_level = rows[i].text;
        capture(run_probe, out, err, sizeof(out));
        snprintf(want, sizeof(want), "starts at %u\n", rows[i].level);
        CHECK(strncmp(out, want, strlen(want)) == 0);
        CHECK_EQ(strstr(out, "[DBG]") != NULL, rows[i].level >= 60);
        CHECK(strstr(out, "continues at 30\n") != NULL);
        CHECK_EQ(count_lines(err), rows[i].is_bad ? 1 : 0);
        if (rows[i].is_bad) {
            snprintf(want, sizeof(want), "DOCA_LOG_LEVEL is \"%s\",", rows[i].text);
            CHECK(strstr(err, want) != NULL && strstr(err, "[WRN]") != NULL);
        }
    }
}

static const struct test_case cases[] = {
    CASE(a_new_backend_gets_crit_to_info, ""),
    CASE(limits_hold_in_all_combinations, ""),
    CASE(a_strict_lower_limit_is_not_lowered, ""),
    CASE(a_strict_upper_limit_is_not_raised, ""),
    CASE(bad_arguments_change_nothing, ""),
    CASE(the_standard_backend_has_two_outputs, ""),
    CASE(the_line_has_time_thread_level_place_and_text, ""),
    CASE(the_time_is_local, ""),
    CASE(a_signal_handler_can_log_during_localtime, ""),
    CASE(a_signal_handler_can_log_while_the_table_is_locked, ""),
    CASE(a_record_is_one_write, ""),
    CASE(a_long_record_is_cut_visibly, ""),
    CASE(a_buffer_is_filled_to_its_last_byte_only, ""),
    CASE(a_record_from_a_flush_callback_reaches_other_backends, ""),
    CASE(syslog_takes_records, ""),
    CASE(too_many_backends_are_refused, ""),
    CASE(records_never_go_to_descriptors_of_the_library, ""),
    CASE(errno_is_preserved_and_lost_records_are_reported, ""),
    CASE(sources_have_names_with_colons, ""),
    CASE(sources_are_available_again_after_unregister, ""),
    CASE(macros_have_their_levels, ""),
    CASE(limited_records_are_counted, ""),
    CASE(records_of_the_library_go_to_sdk_backends, ""),
    CASE(sdk_backends_have_separate_levels, ""),
    CASE(records_of_threads_do_not_mix, ""),
    CASE(limits_may_change_while_threads_log, ""),
    CASE(flush_callbacks_that_log_do_not_deadlock, ""),
    CASE(the_environment_sets_the_initial_lower_limit, ""),
};

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--probe") == 0)
        return probe();
    unsetenv("DOCA_LOG_LEVEL");
    tzset(); /* it allocates; otherwise the first backend would call it */
    return test_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}
