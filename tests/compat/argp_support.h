/* Helpers of the suites of the argument parser: a program with flags of each type, the values that
 * its callbacks received, and the text that it printed. */
#ifndef ARGP_SUPPORT_H
#define ARGP_SUPPORT_H

#include "doca_test.h"
#include "tools/compat/doca_core_argp.h"

#include <sys/mman.h>
#include <sys/wait.h>

/* Select the result to expect. Error texts differ when json-c reads the values of files; they are
 * those of json-c 0.16. */
#ifdef DOCA_CORE_ARGP_JSON_C
#define OWN_OR_JSON_C(own, json_c) json_c
#else
#define OWN_OR_JSON_C(own, json_c) own
#endif

static char got[4096];     /* values that callbacks received, as "name=value;" */
static char printed[8192]; /* output of the latest call */
static doca_error_t answer = DOCA_SUCCESS; /* returned by the callbacks */
static uint32_t log_limit, sdk_limit;
static unsigned long heap_calls; /* heap calls of the latest start */
static long heap_held;           /* nonzero if heap blocks exist in a callback or after start */

doca_error_t doca_log_level_set_global_lower_limit(uint32_t level);
doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level);

doca_error_t doca_log_level_set_global_lower_limit(uint32_t level)
{
    log_limit = level;
    return DOCA_SUCCESS;
}

doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level)
{
    sdk_limit = level;
    return DOCA_SUCCESS;
}

static inline void record(const char *name, const char *value)
{
    size_t len = strlen(got);

    heap_held |= heap_trap_held();
    snprintf(got + len, sizeof(got) - len, "%s=%s;", name, value);
}

static inline doca_error_t take_text(void *value, void *config)
{
    record((const char *)config, (const char *)value);
    return answer;
}

static inline doca_error_t take_int(void *value, void *config)
{
    char text[16];

    (void)config;
    snprintf(text, sizeof(text), "%d", *(int *)value);
    record("int", text);
    return answer;
}

static inline doca_error_t take_bool(void *value, void *config)
{
    (void)config;
    record("bool", *(bool *)value ? "true" : "false");
    return answer;
}

static inline doca_error_t take_eal(int argc, char **argv)
{
    int i;

    for (i = 0; i < argc; i++)
        record("eal", argv[i]);
    return answer;
}

static inline struct doca_argp_param *describe(const char *short_name, const char *long_name,
                                               enum doca_argp_type type)
{
    struct doca_argp_param *param;

    CHECK_OK(doca_argp_param_create(&param));
    if (short_name != NULL)
        doca_argp_param_set_short_name(param, short_name);
    if (long_name != NULL)
        doca_argp_param_set_long_name(param, long_name);
    doca_argp_param_set_description(param, "a test flag");
    doca_argp_param_set_type(param, type);
    doca_argp_param_set_callback(param, type == DOCA_ARGP_TYPE_INT       ? take_int
                                        : type == DOCA_ARGP_TYPE_BOOLEAN ? take_bool
                                                                         : take_text);
    return param;
}

/* Open the parser with the flags -p --pci (string), -n --num (int), -vf --verbose-flag (boolean),
 * --port (int, may be repeated), --obj (JSON object) and --cli (int, only on the command line). */
static inline void open_parser(void)
{
    struct doca_argp_param *param;

    CHECK_OK(doca_argp_init("prog", (void *)"text"));
    CHECK_OK(doca_argp_register_param(describe("p", "pci", DOCA_ARGP_TYPE_STRING)));
    CHECK_OK(doca_argp_register_param(describe("n", "num", DOCA_ARGP_TYPE_INT)));
    CHECK_OK(doca_argp_register_param(describe("vf", "verbose-flag", DOCA_ARGP_TYPE_BOOLEAN)));
    param = describe(NULL, "port", DOCA_ARGP_TYPE_INT);
    doca_argp_param_set_multiplicity(param);
    CHECK_OK(doca_argp_register_param(param));
    CHECK_OK(doca_argp_register_param(describe(NULL, "obj", DOCA_ARGP_TYPE_JSON_OBJ)));
    param = describe(NULL, "cli", DOCA_ARGP_TYPE_INT);
    doca_argp_param_set_cli_only(param);
    doca_argp_param_set_arguments(param, "<number>");
    CHECK_OK(doca_argp_register_param(param));
    got[0] = '\0';
    answer = DOCA_SUCCESS;
    log_limit = sdk_limit = 0;
}

static int saved_fd[2], capture_fd[2];

static inline void capture(int fd)
{
    CHECK_EQ(pipe(capture_fd), 0);
    saved_fd[0] = fd;
    saved_fd[1] = dup(fd);
    dup2(capture_fd[1], fd);
    close(capture_fd[1]);
}

static inline void capture_end(void)
{
    size_t len = 0;
    ssize_t n;

    dup2(saved_fd[1], saved_fd[0]);
    close(saved_fd[1]);
    while ((n = read(capture_fd[0], printed + len, sizeof(printed) - 1 - len)) > 0)
        len += (size_t)n;
    printed[len] = '\0';
    close(capture_fd[0]);
}

/* Call doca_argp_start() with the words of `line`, which are separated by spaces. */
static inline doca_error_t start(const char *line)
{
    static char words[1024];
    static char *argv[512];
    doca_error_t rc;
    int argc = 0;
    char *word;

    snprintf(words, sizeof(words), "/bin/prog %s", line);
    for (word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    got[0] = '\0';
    heap_calls = heap_trap_calls();
    heap_held = 0;
    capture(STDERR_FILENO);
    heap_trap_set(OWN_OR_JSON_C(HEAP_TRAP_ABORT, HEAP_TRAP_COUNT));
    rc = doca_argp_start(argc, argv);
    heap_trap_set(HEAP_TRAP_ABORT);
    capture_end();
    heap_calls = heap_trap_calls() - heap_calls;
    heap_held |= heap_trap_held();
    CHECK_EQ(heap_held, 0);
    return rc;
}

static inline void check_printed(const char *text, int line)
{
    if (strstr(printed, text) == NULL)
        test_fail(__FILE__, line, "\"%s\" is not in \"%s\"", text, printed);
}

#define CHECK_PRINTED(text) check_printed(text, __LINE__)

static char json_path[64];

/* Write a JSON file, and its path to json_path. */
static inline void write_json(const char *text, size_t len)
{
    static int fd = -1;

    if (fd < 0)
        fd = memfd_create("json", 0);
    CHECK(fd >= 0);
    CHECK_EQ(ftruncate(fd, 0), 0);
    CHECK_EQ(pwrite(fd, text, len, 0), len);
    snprintf(json_path, sizeof(json_path), "/proc/self/fd/%d", fd);
}

static inline doca_error_t start_json(const char *text, const char *more)
{
    char line[256];

    write_json(text, strlen(text));
    snprintf(line, sizeof(line), "-j %s %s", json_path, more);
    return start(line);
}

/* Run `call` in a child process. Return its exit status, and its standard output in `printed`. */
static inline int exit_of(void (*call)(void))
{
    char how[96];
    int status;
    pid_t child;

    fflush(stdout);
    capture(STDOUT_FILENO);
    child = fork();
    if (child == 0) {
        alarm(5);
        call();
        _exit(99);
    }
    capture_end();
    CHECK_EQ(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status))
        test_fail(__FILE__, __LINE__, "the program %s", peer_how(status, how));
    return WEXITSTATUS(status);
}

#endif
