/* Tests of the argument parser: its calls, mistakes on the command line and in JSON files, and the
 * flags that end the program. */
#include "doca_test.h"
#include "tools/compat/doca_core_argp.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* The prototypes of 3.0. The file does not compile if the header declares other types. */
doca_error_t doca_argp_init(const char *program_name, void *program_config);
doca_error_t doca_argp_register_param(struct doca_argp_param *input_param);
doca_error_t doca_argp_register_version_callback(doca_argp_param_cb_t callback);
doca_error_t doca_argp_register_validation_callback(doca_argp_validation_cb_t callback);
doca_error_t doca_argp_start(int argc, char **argv);
doca_error_t doca_argp_destroy(void);
void doca_argp_usage(void);
void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback);
doca_error_t doca_argp_param_create(struct doca_argp_param **param);
doca_error_t doca_argp_param_destroy(struct doca_argp_param *param);
void doca_argp_param_set_short_name(struct doca_argp_param *param, const char *name);
void doca_argp_param_set_long_name(struct doca_argp_param *param, const char *name);
void doca_argp_param_set_arguments(struct doca_argp_param *param, const char *arguments);
void doca_argp_param_set_description(struct doca_argp_param *param, const char *description);
void doca_argp_param_set_callback(struct doca_argp_param *param, doca_argp_param_cb_t callback);
void doca_argp_param_set_type(struct doca_argp_param *param, enum doca_argp_type type);
void doca_argp_param_set_mandatory(struct doca_argp_param *param);
void doca_argp_param_set_cli_only(struct doca_argp_param *param);
void doca_argp_param_set_multiplicity(struct doca_argp_param *param);
doca_error_t doca_argp_get_log_level(int *log_level);
doca_error_t doca_argp_get_sdk_log_level(int *log_level);
doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *input_cmd);
doca_error_t doca_argp_register_dev_open_callback(doca_argp_dev_open_cb_t callback, void *usr_ctx);
doca_error_t doca_argp_disable_pedantic_config_parsing(void);
doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback);
doca_error_t doca_argp_disable_logger_callback(void);
void doca_argp_param_set_singular(struct doca_argp_param *param);
void doca_argp_param_set_inherited(struct doca_argp_param *param);
void doca_argp_param_set_hidden(struct doca_argp_param *param);
doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd);
void doca_argp_cmd_set_name(struct doca_argp_cmd *cmd, const char *name);
void doca_argp_cmd_set_description(struct doca_argp_cmd *cmd, const char *description);
void doca_argp_cmd_set_callback(struct doca_argp_cmd *cmd, doca_argp_cmd_cb_t callback);
void doca_argp_cmd_set_hidden(struct doca_argp_cmd *cmd);
doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd,
                                          struct doca_argp_param *input_param);
doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd, struct doca_argp_cmd *input_cmd);
doca_error_t doca_argp_cmd_destroy(struct doca_argp_cmd *cmd);

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

static void record(const char *name, const char *value)
{
    size_t len = strlen(got);

    heap_held |= heap_trap_held();
    snprintf(got + len, sizeof(got) - len, "%s=%s;", name, value);
}

static doca_error_t take_text(void *value, void *config)
{
    record((const char *)config, (const char *)value);
    return answer;
}

static doca_error_t take_int(void *value, void *config)
{
    char text[16];

    (void)config;
    snprintf(text, sizeof(text), "%d", *(int *)value);
    record("int", text);
    return answer;
}

static doca_error_t take_bool(void *value, void *config)
{
    (void)config;
    record("bool", *(bool *)value ? "true" : "false");
    return answer;
}

static doca_error_t take_eal(int argc, char **argv)
{
    int i;

    for (i = 0; i < argc; i++)
        record("eal", argv[i]);
    return answer;
}

static doca_error_t validate(void *config)
{
    record("valid", (const char *)config);
    return answer;
}

static struct doca_argp_param *describe(const char *short_name, const char *long_name,
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
static void open_parser(void)
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

static void capture(int fd)
{
    CHECK_EQ(pipe(capture_fd), 0);
    saved_fd[0] = fd;
    saved_fd[1] = dup(fd);
    dup2(capture_fd[1], fd);
    close(capture_fd[1]);
}

static void capture_end(void)
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
static doca_error_t start(const char *line)
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

static void check_printed(const char *text, int line)
{
    if (strstr(printed, text) == NULL)
        test_fail(__FILE__, line, "\"%s\" is not in \"%s\"", text, printed);
}

#define CHECK_PRINTED(text) check_printed(text, __LINE__)

static char json_path[64];

/* Write a JSON file, and its path to json_path. */
static void write_json(const char *text, size_t len)
{
    static int fd = -1;

    if (fd < 0)
        fd = memfd_create("json", 0);
    CHECK(fd >= 0);
    CHECK_EQ(ftruncate(fd, 0), 0);
    CHECK_EQ(pwrite(fd, text, len, 0), len);
    snprintf(json_path, sizeof(json_path), "/proc/self/fd/%d", fd);
}

static doca_error_t start_json(const char *text, const char *more)
{
    char line[256];

    write_json(text, strlen(text));
    snprintf(line, sizeof(line), "-j %s %s", json_path, more);
    return start(line);
}

static void each_form_of_a_flag_is_read(void)
{
    open_parser();
    CHECK_OK(start("-p 03:00.0 --num -7 -vf --port=1 --port 0x10 --cli 2"));
    CHECK_STR(got, "text=03:00.0;int=-7;bool=true;int=1;int=16;int=2;");
    CHECK_STR(printed, "");
    CHECK_OK(start("--pci=-n --verbose-flag=true"));
    CHECK_STR(got, "text=-n;bool=true;");
    CHECK_OK(start("--verbose-flag=false"));
    CHECK_STR(got, "");
    CHECK_OK(start("--pci=a=b --num 2147483647 --port -2147483648"));
    CHECK_STR(got, "text=a=b;int=2147483647;int=-2147483648;");
    CHECK_OK(start(""));
    CHECK_STR(got, "");
    CHECK_OK(doca_argp_destroy());
}

static void mistakes_on_the_command_line_are_named(void)
{
    static const struct {
        const char *line;
        doca_error_t rc;
        const char *text;
    } rows[] = {
        { "--nun 3", DOCA_ERROR_NOT_SUPPORTED, ": --nun: unknown flag [NOT_SUPPORTED]\n" },
        { "-x", DOCA_ERROR_NOT_SUPPORTED, "-x: unknown flag" },
        { "-", DOCA_ERROR_NOT_SUPPORTED, "-: unknown flag" },
        { "--", DOCA_ERROR_NOT_SUPPORTED, "--: unknown flag" },
        { "--=3", DOCA_ERROR_NOT_SUPPORTED, "--=3: unknown flag" },
        { "-n3", DOCA_ERROR_NOT_SUPPORTED, "-n3: unknown flag" },
        { "word", DOCA_ERROR_INVALID_VALUE, "\"word\" is not a flag" },
        { "-n", DOCA_ERROR_INVALID_VALUE, "--num: needs a value [INVALID_VALUE]\n" },
        { "-n --pci x", DOCA_ERROR_INVALID_VALUE, "--num: needs a value" },
        { "-n 12x", DOCA_ERROR_INVALID_VALUE, "--num: \"12x\" is not an integer" },
        { "--num=", DOCA_ERROR_INVALID_VALUE, "--num: \"\" is not an integer" },
        { "-n 0x", DOCA_ERROR_INVALID_VALUE, "--num: \"0x\" is not an integer" },
        { "-n 2147483648", DOCA_ERROR_INVALID_VALUE, "out of the range" },
        { "-n 99999999999999999999999", DOCA_ERROR_INVALID_VALUE, "out of the range" },
        { "-vf=1", DOCA_ERROR_NOT_SUPPORTED, "unknown flag" },
        { "--verbose-flag=1", DOCA_ERROR_INVALID_VALUE, "takes no value, =true or =false" },
        { "-n 1 --num 2", DOCA_ERROR_INVALID_VALUE, "--num: given more than once" },
        { "--obj {}", DOCA_ERROR_INVALID_VALUE, "--obj: can be given in a JSON file only" },
        { "-l 55", DOCA_ERROR_INVALID_VALUE, "--log-level: not a log level" },
        { "--sdk-log-level 80", DOCA_ERROR_INVALID_VALUE, "--sdk-log-level: not a log level" },
        { "-j /none/there", DOCA_ERROR_IO_FAILED, "/none/there: No such file" },
        { "-j /", DOCA_ERROR_IO_FAILED, "/: Is a directory" },
    };
    char line[64];
    size_t i;

    open_parser();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(line, sizeof(line), "-p first %s", rows[i].line);
        CHECK_RC(start(line), rows[i].rc);
        CHECK_PRINTED("doca_core: doca_argp_start: ");
        CHECK_PRINTED(rows[i].text);
        CHECK_STR(got, ""); /* no callback is called unless the whole line is correct */
    }
    CHECK_OK(doca_argp_destroy());
}

static void missing_mandatory_flags_are_reported(void)
{
    struct doca_argp_param *param;

    open_parser();
    param = describe("m", NULL, DOCA_ARGP_TYPE_INT);
    doca_argp_param_set_mandatory(param);
    CHECK_OK(doca_argp_register_param(param));
    CHECK_RC(start("-n 1"), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("-m: is mandatory [INVALID_VALUE]");
    CHECK_OK(start("-m 1"));
    CHECK_OK(doca_argp_destroy());
}

/* A BOOLEAN flag with the value false counts as not given, on the command line and in files. */
static void false_counts_as_not_given(void)
{
    struct doca_argp_param *param;

    open_parser();
    param = describe("m", "must", DOCA_ARGP_TYPE_INT);
    doca_argp_param_set_mandatory(param);
    CHECK_OK(doca_argp_register_param(param));
    param = describe(NULL, "list", DOCA_ARGP_TYPE_BOOLEAN);
    doca_argp_param_set_singular(param);
    CHECK_OK(doca_argp_register_param(param));
    CHECK_OK(start("--list"));
    CHECK_RC(start("--list=false"), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("--must: is mandatory");
    CHECK_OK(start("--list=false -m 1"));
    CHECK_STR(got, "int=1;");
    CHECK_RC(start_json("{\"doca_program_flags\":{\"list\":false}}", ""), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("--must: is mandatory");
    CHECK_OK(start_json("{\"doca_program_flags\":{\"list\":false}}", "-m 1"));
    CHECK_STR(got, "int=1;");
    CHECK_OK(start_json("{\"doca_program_flags\":{\"list\":true}}", "-m 1 --list=false"));
    CHECK_STR(got, "int=1;"); /* the command line overrides the file */
    CHECK_RC(start("-m 1 --list=false --list"), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("--list: given more than once");
    CHECK_RC(start("-m 1 --list"), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("--list: cannot be combined with --must");
    CHECK_OK(doca_argp_destroy());

    open_parser();
    param = describe("m", "must", DOCA_ARGP_TYPE_BOOLEAN);
    doca_argp_param_set_mandatory(param);
    doca_argp_param_set_multiplicity(param);
    CHECK_OK(doca_argp_register_param(param));
    CHECK_RC(start("--must=false"), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("--must: is mandatory");
    CHECK_OK(start("--must=false -m --must=false --help=false --version=false"));
    CHECK_STR(got, "bool=true;");
    CHECK_RC(start("-m --help=no"), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("--help: takes no value, =true or =false");
    CHECK_RC(start("-m --version=1"), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("--version: takes no value, =true or =false");
    doca_argp_set_dpdk_program(take_eal);
    CHECK_OK(start("--help=false -- -m"));
    CHECK_STR(got, "eal=/bin/prog;eal=--help=false;bool=true;");
    CHECK_OK(doca_argp_destroy());
}

static void too_many_values_are_refused(void)
{
    static char port[] = "--port=1", prog[] = "prog";
    static char *argv[DOCA_CORE_ARGP_MAX_VALUES + 3];
    doca_error_t rc;
    int i;

    open_parser();
    argv[0] = prog;
    for (i = 1; i <= DOCA_CORE_ARGP_MAX_VALUES + 1; i++)
        argv[i] = port;
    CHECK_OK(doca_argp_start(DOCA_CORE_ARGP_MAX_VALUES + 1, argv));
    capture(STDERR_FILENO);
    rc = doca_argp_start(DOCA_CORE_ARGP_MAX_VALUES + 2, argv);
    capture_end();
    CHECK_RC(rc, DOCA_ERROR_NO_MEMORY);
    CHECK_PRINTED("DOCA_CORE_ARGP_MAX_VALUES");
    CHECK_OK(doca_argp_destroy());
}

static void calls_out_of_order_are_refused(void)
{
    struct doca_argp_param *param = NULL, *other;
    int level;

    capture(STDERR_FILENO);
    CHECK_RC(doca_argp_destroy(), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_start(1, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_param_create(&param), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_register_param(param), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_register_version_callback(take_bool), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_register_validation_callback(validate), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_get_log_level(&level), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_cmd_register_param(NULL, param), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_cmd_register_cmd(NULL, NULL), DOCA_ERROR_BAD_STATE);
    doca_argp_set_dpdk_program(take_eal);
    open_parser();
    CHECK_RC(doca_argp_init("prog", NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_param_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_register_version_callback(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_register_validation_callback(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_get_log_level(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_get_sdk_log_level(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_start(0, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_register_param(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_param_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    param = describe("d", NULL, DOCA_ARGP_TYPE_INT);
    CHECK_OK(doca_argp_param_destroy(param));
    CHECK_RC(doca_argp_param_destroy(param), DOCA_ERROR_INVALID_VALUE);
    param = describe("d", NULL, DOCA_ARGP_TYPE_INT);
    CHECK_OK(doca_argp_register_param(param));
    CHECK_RC(doca_argp_register_param(param), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_param_destroy(param), DOCA_ERROR_BAD_STATE);
    /* the setters report the error and change nothing */
    doca_argp_param_set_type(param, DOCA_ARGP_TYPE_STRING);
    doca_argp_param_set_mandatory(NULL);
    other = (struct doca_argp_param *)(void *)&level;
    CHECK_RC(doca_argp_register_param(other), DOCA_ERROR_INVALID_VALUE);
    capture_end();
    CHECK_OK(start("-d 5"));
    CHECK_STR(got, "int=5;");
    CHECK_OK(doca_argp_destroy());
}

static void incomplete_flags_are_refused_and_freed(void)
{
    struct doca_argp_param *param;
    int i, round;

    open_parser();
    capture(STDERR_FILENO);
    for (round = 0; round < 2 * DOCA_CORE_ARGP_MAX_PARAMS; round++) {
        CHECK_OK(doca_argp_param_create(&param));
        doca_argp_param_set_long_name(param, round % 2 ? "x" : NULL);
        CHECK_RC(doca_argp_register_param(param), DOCA_ERROR_INITIALIZATION);
        capture_end();
        capture(STDERR_FILENO);
    }
    param = describe("x", NULL, DOCA_ARGP_TYPE_UNKNOWN);
    CHECK_RC(doca_argp_register_param(param), DOCA_ERROR_INITIALIZATION);
    param = describe("x", NULL, (enum doca_argp_type)77);
    CHECK_RC(doca_argp_register_param(param), DOCA_ERROR_INVALID_VALUE);
    param = describe("x", NULL, DOCA_ARGP_TYPE_INT);
    doca_argp_param_set_callback(param, NULL);
    CHECK_RC(doca_argp_register_param(param), DOCA_ERROR_INITIALIZATION);
    CHECK_RC(doca_argp_register_param(describe("n", NULL, DOCA_ARGP_TYPE_INT)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_register_param(describe(NULL, "pci", DOCA_ARGP_TYPE_INT)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_register_param(describe("j", NULL, DOCA_ARGP_TYPE_INT)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_register_param(describe(NULL, "json", DOCA_ARGP_TYPE_INT)),
             DOCA_ERROR_INVALID_VALUE);
    for (i = 6; i < DOCA_CORE_ARGP_MAX_PARAMS; i++)
        CHECK_OK(doca_argp_param_create(&param));
    CHECK_RC(doca_argp_param_create(&param), DOCA_ERROR_NO_MEMORY);
    capture_end();
    CHECK_OK(doca_argp_destroy());
}

static void too_long_texts_are_refused(void)
{
    static char text[DOCA_CORE_ARGP_TEXT_BYTES + 1];
    struct doca_argp_param *param;

    memset(text, 'x', sizeof(text) - 1);
    capture(STDERR_FILENO);
    CHECK_RC(doca_argp_init(text, NULL), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_argp_init(NULL, NULL));
    param = describe("x", NULL, DOCA_ARGP_TYPE_INT);
    doca_argp_param_set_description(param, text);
    CHECK_RC(doca_argp_register_param(param), DOCA_ERROR_NO_MEMORY);
    capture_end();
    CHECK_OK(doca_argp_destroy());
}

static void texts_are_copied(void)
{
    char name[] = "name", description[] = "d";
    struct doca_argp_param *param;

    open_parser();
    param = describe(NULL, name, DOCA_ARGP_TYPE_INT);
    doca_argp_param_set_description(param, description);
    CHECK_OK(doca_argp_register_param(param));
    memset(name, 'x', sizeof(name));
    CHECK_OK(start("--name 1"));
    CHECK_OK(doca_argp_destroy());
}

static void a_program_can_have_the_name_of_a_built_in_flag(void)
{
    open_parser();
    CHECK_OK(doca_argp_register_param(describe("l", "version", DOCA_ARGP_TYPE_STRING)));
    CHECK_OK(doca_argp_register_param(describe("v", NULL, DOCA_ARGP_TYPE_INT)));
    CHECK_OK(start("-l word -v 3 --log-level 20"));
    CHECK_STR(got, "text=word;int=3;");
    CHECK_OK(doca_argp_destroy());
}

extern const bool argp_with_log;

static void levels_reach_the_log(void)
{
    int level = 0;

    open_parser();
    CHECK_OK(doca_argp_get_log_level(&level));
    CHECK_EQ(level, 50);
    CHECK_OK(start("-l 30"));
    CHECK_OK(doca_argp_get_log_level(&level));
    CHECK_EQ(level, 30);
    CHECK_EQ(log_limit, argp_with_log ? 30 : 0);
    CHECK_EQ(sdk_limit, 0);
    CHECK_OK(doca_argp_get_sdk_log_level(&level));
    CHECK_EQ(level, 50);
    CHECK_OK(start("--sdk-log-level 70 --log-level=20"));
    CHECK_OK(doca_argp_get_sdk_log_level(&level));
    CHECK_EQ(level, 70);
    CHECK_EQ(sdk_limit, argp_with_log ? 70 : 0);
    CHECK_OK(start("")); /* a start without levels sets the defaults */
    CHECK_OK(doca_argp_get_log_level(&level));
    CHECK_EQ(level, 50);
    CHECK_OK(doca_argp_get_sdk_log_level(&level));
    CHECK_EQ(level, 50);
    CHECK_EQ(sdk_limit, argp_with_log ? 70 : 0);
    /* without the vendor's log, the level applies to the log of the core */
    CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_DEBUG));
    CHECK_OK(start("--sdk-log-level 10 -l 60"));
    test_log_lines = 0;
    CHECK_RC(doca_pe_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_lines, argp_with_log ? 1 : 0);
    CHECK_OK(doca_argp_destroy());
}

static void failing_callbacks_end_the_start(void)
{
    open_parser();
    CHECK_OK(doca_argp_register_validation_callback(validate));
    CHECK_OK(start("-n 1"));
    CHECK_STR(got, "int=1;valid=text;");
    answer = DOCA_ERROR_NOT_FOUND;
    CHECK_RC(start("-n 1 --port 2"), DOCA_ERROR_NOT_FOUND);
    CHECK_STR(got, "int=1;"); /* no callback is called after the failed one */
    CHECK_PRINTED("--num: its callback failed [NOT_FOUND]");
    CHECK_RC(start(""), DOCA_ERROR_NOT_FOUND);
    CHECK_STR(got, "valid=text;");
    CHECK_OK(doca_argp_destroy());
}

static void eal_flags_are_passed_to_the_dpdk_callback(void)
{
    open_parser();
    doca_argp_set_dpdk_program(take_eal);
    CHECK_OK(start("-l 0-3 -n 4 -- -n 1"));
    CHECK_STR(got, "eal=/bin/prog;eal=-l;eal=0-3;eal=-n;eal=4;int=1;");
    CHECK_OK(start("-- -n 1"));
    CHECK_STR(got, "eal=/bin/prog;int=1;");
    CHECK_OK(start("-l 0-3"));
    CHECK_STR(got, "eal=/bin/prog;eal=-l;eal=0-3;");
    CHECK_OK(start("--help=false"));
    CHECK_STR(got, "eal=/bin/prog;eal=--help=false;");
    CHECK_OK(start_json("{\"doca_dpdk_flags\":{\"devices\":["
                        "{\"device\":\"sf\",\"id\":\"4\",\"sft\":true},"
                        "{\"id\":\"03:00.0\",\"hws\":true,\"device\":\"pf\"},"
                        "{\"device\":\"regex\",\"id\":\"03:00.0\"}],"
                        "\"core-mask\":31,\"core-list\":\"0-4\",\"flags\":\" --a  b \"}}",
                        "-n 2"));
    CHECK_STR(got, "eal=/bin/prog;eal=-a;eal=auxiliary:mlx5_core.sf.4,sft_en=1;"
                   "eal=-a;eal=03:00.0,dv_flow_en=2;eal=-a;eal=03:00.0,class=regex;"
                   "eal=-c;eal=1f;eal=-l;eal=0-4;eal=--a;eal=b;int=2;");
    CHECK_RC(start_json("{\"doca_dpdk_flags\":{\"devices\":[{\"device\":\"x\",\"id\":\"\"}]}}", ""),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(start_json("{\"doca_dpdk_flags\":{\"devices\":[{\"device\":\"pf\"}]}}", ""),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(start_json("{\"doca_dpdk_flags\":{\"core-mask\":-1}}", ""), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(start_json("{\"doca_dpdk_flags\":{\"core-list\":3}}", ""), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED(":1:33: expected a string");
    CHECK_RC(start_json("{\"doca_dpdk_flags\":{\"devices\":{}}}", ""), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED(":1:31: expected an array");
    CHECK_RC(start_json("{\"doca_dpdk_flags\":{\"devices\":[true]}}", ""),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED(":1:32: expected an object");
    CHECK_RC(start_json("{\"doca_dpdk_flags\":{\"devices\":[{\"hws\":1}]}}", ""),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED(":1:39: must be true or false");
    CHECK_RC(start_json("{\"doca_dpdk_flags\":{\"devices\":[{\"hws\":yes}]}}", ""),
             DOCA_ERROR_IO_FAILED);
    CHECK_STR(got, "");
    answer = DOCA_ERROR_DRIVER;
    CHECK_RC(start("-- -n 1"), DOCA_ERROR_DRIVER);
    CHECK_STR(got, "eal=/bin/prog;");
    CHECK_OK(doca_argp_destroy());
}

static void too_many_eal_flags_are_refused(void)
{
    static char text[8192];
    int i, len;

    open_parser();
    doca_argp_set_dpdk_program(take_eal);
    len = snprintf(text, sizeof(text), "{\"doca_dpdk_flags\":{\"flags\":\"");
    for (i = 0; i <= DOCA_CORE_ARGP_EAL_WORDS; i++)
        len += snprintf(text + len, sizeof(text) - (size_t)len, "a ");
    snprintf(text + len, sizeof(text) - (size_t)len, "\"}}");
    CHECK_RC(start_json(text, ""), DOCA_ERROR_NO_MEMORY);
    CHECK_PRINTED("DOCA_CORE_ARGP_EAL_WORDS");
    len = snprintf(text, sizeof(text), "{\"doca_dpdk_flags\":{\"flags\":\"");
    for (i = 0; i < DOCA_CORE_ARGP_EAL_BYTES; i++)
        text[len++] = 'a';
    snprintf(text + len, sizeof(text) - (size_t)len, "\"}}");
    CHECK_RC(start_json(text, ""), DOCA_ERROR_NO_MEMORY);
    CHECK_PRINTED("DOCA_CORE_ARGP_EAL_BYTES");
    CHECK_OK(doca_argp_destroy());
}

static void flags_are_read_from_a_file(void)
{
    int level;

    open_parser();
    CHECK_OK(start_json("{ // sections of the vendor's files\n"
                        " \"doca_general_flags\": {\"log-level\": 60},\n"
                        " \"doca_dpdk_flags\": {\"core-mask\": \"any\", \"x\": [[], {}]},\n"
                        " \"doca_program_flags\": {\"pci\": \"a\\n\\u00e9\\ud83d\\ude00\\\"\",\n"
                        "  \"num\": -5, \"verbose-flag\": true, \"port\": [1, 2],\n"
                        "  \"obj\": {\"k\": [1.5e3, \"\\n\", null]}}\n"
                        "} // end",
                        ""));
    CHECK_STR(got, "text=a\n\xc3\xa9\xf0\x9f\x98\x80\";int=-5;bool=true;int=1;int=2;"
                   "text={\"k\": [1.5e3, \"\\n\", null]};");
    CHECK_STR(printed, "");
    CHECK_OK(doca_argp_get_log_level(&level));
    CHECK_EQ(level, 60);
    CHECK_OK(start_json("{\"doca_program_flags\":{\"port\":7,\"verbose-flag\":false}}", ""));
    CHECK_STR(got, "int=7;");
    CHECK_OK(start_json("{\"doca_program_flags\":{\"port\":[2147483647,-2147483648,-0]}}", ""));
    CHECK_STR(got, "int=2147483647;int=-2147483648;int=0;");
    CHECK_OK(start_json("{}", ""));
    CHECK_OK(doca_argp_destroy());
}

static void the_command_line_overrides_the_file(void)
{
    open_parser();
    CHECK_OK(start_json("{\"doca_program_flags\":{\"num\":1,\"port\":[1,2],\"pci\":\"f\"}}",
                        "--num 5 --port 9"));
    CHECK_STR(got, "int=5;int=9;text=f;");
    CHECK_OK(doca_argp_destroy());
}

static void unknown_keys_are_reported_and_ignored(void)
{
    open_parser();
    CHECK_OK(start_json("{\"other\":[{}],\n\"doca_program_flags\":{\"nun\":{\"a\":1},"
                        "\"cli\":3,\"num\":1}}",
                        ""));
    CHECK_STR(got, "int=1;");
    CHECK_PRINTED(":1:10: \"other\" is not a known key, ignored\n");
    CHECK_PRINTED(":2:29: \"nun\" is not a flag of this program, ignored\n");
    CHECK_PRINTED("\"cli\" is for the command line only, ignored\n");
    CHECK_OK(doca_argp_destroy());

    /* terminal escape sequences and line breaks in the key are printed as '?' */
    open_parser();
    CHECK_OK(start_json("{\"\\u001b[2J\\n\\u009b1mof\\u00e9\":1}", ""));
    CHECK_PRINTED("\"?[2J???1mof\303\251\" is not a known key, ignored\n");
    CHECK_OK(doca_argp_destroy());
}

static void mistakes_in_the_file_are_reported_with_their_position(void)
{
    static const struct {
        const char *flags; /* members of "doca_program_flags"; they start in line 2 */
        doca_error_t rc;
        const char *text;
    } rows[] = {
        { "\"num\":01", DOCA_ERROR_IO_FAILED,
          OWN_OR_JSON_C(":2:8: a number cannot begin with 0 [IO_FAILED]",
                        ":2:9: number expected [IO_FAILED]") },
        { "\"num\":-", DOCA_ERROR_IO_FAILED,
          OWN_OR_JSON_C(":2:8: expected a digit", ":2:8: number expected") },
        { "\"nun\":1.", DOCA_ERROR_IO_FAILED, ":2:9: expected a digit" },
        { "\"nun\":1e+", DOCA_ERROR_IO_FAILED,
          OWN_OR_JSON_C(":2:10: expected a digit", ":2:10: number expected") },
        { "\"num\" 1", DOCA_ERROR_IO_FAILED, ":2:7: expected ':'" },
        { "\"num\":1 \"pci\"", DOCA_ERROR_IO_FAILED, ":2:9: expected ',' or '}'" },
        { "\"num\":1,", DOCA_ERROR_IO_FAILED, ":3:1: expected a key in quotes" },
        { "num:1", DOCA_ERROR_IO_FAILED, ":2:1: expected a key in quotes" },
        { "\"port\":[1 2]", DOCA_ERROR_IO_FAILED, ":2:11: expected ',' or ']'" },
        { "\"nun\":nul", DOCA_ERROR_IO_FAILED,
          OWN_OR_JSON_C(":2:7: expected a value", ":2:10: null expected") },
        { "\"pci\":\"\\q\"", DOCA_ERROR_IO_FAILED,
          OWN_OR_JSON_C(":2:8: unknown escape", ":2:9: invalid string sequence") },
        { "\"pci\":\"\\u12g4\"", DOCA_ERROR_IO_FAILED,
          OWN_OR_JSON_C(":2:8: unknown escape", ":2:12: invalid string sequence") },
        { "\"pci\":\"\\u0000\"", DOCA_ERROR_IO_FAILED, "the character NUL" },
        { "\"pci\":\"\\ud800x\"", DOCA_ERROR_IO_FAILED, "half of a surrogate pair" },
        { "\"pci\":\"\\udc00\"", DOCA_ERROR_IO_FAILED, "half of a surrogate pair" },
        { "\"pci\":\"a\nb\"", DOCA_ERROR_IO_FAILED, ":2:9: control character in a string" },
        { "\"num\":\"1\"", DOCA_ERROR_INVALID_VALUE, ":2:7: --num: takes an integer of 32 bits" },
        { "\"num\":1.5", DOCA_ERROR_INVALID_VALUE, "--num: takes an integer" },
        { "\"num\":2147483648", DOCA_ERROR_INVALID_VALUE, "--num: takes an integer" },
        { "\"num\":-2147483649", DOCA_ERROR_INVALID_VALUE, "--num: takes an integer" },
        { "\"num\":-21474836480", DOCA_ERROR_INVALID_VALUE, "--num: takes an integer" },
        { "\"num\":4294967297", DOCA_ERROR_INVALID_VALUE, "--num: takes an integer" },
        { "\"num\":-99999999999999999999", DOCA_ERROR_INVALID_VALUE, "--num: takes an integer" },
        { "\"num\":[1]", DOCA_ERROR_INVALID_VALUE, "--num: takes an integer" },
        { "\"pci\":1", DOCA_ERROR_INVALID_VALUE, "--pci: takes a string" },
        { "\"verbose-flag\":1", DOCA_ERROR_INVALID_VALUE, "--verbose-flag: takes true or false" },
        { "\"obj\":[]", DOCA_ERROR_INVALID_VALUE, "--obj: takes an object" },
        { "\"pci\":xyz", DOCA_ERROR_IO_FAILED,
          OWN_OR_JSON_C(":2:7: expected a value", ":2:7: unexpected character") },
        { "\"num\":[1,]", DOCA_ERROR_IO_FAILED,
          OWN_OR_JSON_C(":2:10: expected a value", ":2:10: unexpected character") },
        { "\"port\":[1,]", DOCA_ERROR_IO_FAILED,
          OWN_OR_JSON_C(":2:11: expected a value", ":2:11: unexpected character") },
        { "\"port\":[1,\"x\"]", DOCA_ERROR_INVALID_VALUE, ":2:11: --port: takes an integer" },
        { "\"verbose-flag\":tru", DOCA_ERROR_IO_FAILED,
          OWN_OR_JSON_C(":2:16: expected a value", ":2:19: boolean expected") },
        { "\"obj\":\"\\q\"", DOCA_ERROR_IO_FAILED,
          OWN_OR_JSON_C(":2:8: unknown escape", ":2:9: invalid string sequence") },
        { "\"num\":1,\"num\":2", DOCA_ERROR_INVALID_VALUE, ":2:15: --num: given more than once" },
    };
    char text[256];
    size_t i;

    open_parser();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(text, sizeof(text), "{\"doca_program_flags\":{\n%s\n}}", rows[i].flags);
        CHECK_RC(start_json(text, ""), rows[i].rc);
        CHECK_PRINTED(rows[i].text);
        CHECK_STR(got, "");
    }
    CHECK_RC(start_json("", ""), DOCA_ERROR_IO_FAILED);
    CHECK_PRINTED(":1:1: the file ends too early");
    CHECK_RC(start_json("{\"a\":\"b", ""), DOCA_ERROR_IO_FAILED);
    CHECK_PRINTED(":1:8: the file ends too early");
    CHECK_RC(start_json("{} x", ""), DOCA_ERROR_IO_FAILED);
    CHECK_PRINTED(":1:4: expected the end of the file");
    CHECK_RC(start_json("[]", ""), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED(":1:1: expected an object");
    CHECK_RC(start_json("[}", ""), DOCA_ERROR_IO_FAILED);
    CHECK_RC(start_json("{\"doca_program_flags\":null}", ""), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED(":1:23: expected an object");
    CHECK_RC(start_json("{\"doca_general_flags\":[]}", ""), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED(":1:23: expected an object");
    CHECK_RC(start_json("{\"doca_general_flags\":nul}", ""), DOCA_ERROR_IO_FAILED);
    CHECK_RC(start_json("{\"doca_general_flags\":{\"log-level\":5}}", ""),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_argp_destroy());
}

/* Values that the program does not read are checked in the same way. */
static void invalid_json_is_refused_in_ignored_values(void)
{
    static const struct {
        const char *value;
        const char *text;
    } rows[] = {
        { "01", OWN_OR_JSON_C(":2:2: a number cannot begin with 0", ":2:3: number expected") },
        { "[00]", ":2:3: a number cannot begin with 0" },
        { "[-01]", ":2:4: a number cannot begin with 0" },
        { "[1.]", ":2:4: expected a digit" },
        { "[1.e5]", ":2:4: expected a digit" },
        { "[.5]", OWN_OR_JSON_C(":2:2: expected a value", ":2:2: unexpected character") },
        { "[-.5]", ":2:3: expected a digit" },
        { "[1e]", OWN_OR_JSON_C(":2:4: expected a digit", ":2:4: number expected") },
        { "[+1]", OWN_OR_JSON_C(":2:2: expected a value", ":2:2: unexpected character") },
        { "[0x10]", OWN_OR_JSON_C(":2:3: expected ',' or ']'", ":2:3: number expected") },
        { "NaN", OWN_OR_JSON_C(":2:1: expected a value", ":2:1: unexpected character") },
        { "[-Infinity]", OWN_OR_JSON_C(":2:3: expected a digit", ":2:3: unexpected character") },
        { "[True]", OWN_OR_JSON_C(":2:2: expected a value", ":2:2: boolean expected") },
        { "[1,]", OWN_OR_JSON_C(":2:4: expected a value", ":2:4: unexpected character") },
        { "[1 2]",
          OWN_OR_JSON_C(":2:4: expected ',' or ']'", ":2:4: array value separator ',' expected") },
        { "[/**/1]", OWN_OR_JSON_C(":2:2: expected a value", ":2:2: unexpected character") },
        { "[1\f]", OWN_OR_JSON_C(":2:3: expected ',' or ']'", ":2:3: number expected") },
        { "{\"a\":1,}",
          OWN_OR_JSON_C(":2:8: expected a key in quotes", ":2:8: unexpected character") },
        { "{'a':1}",
          OWN_OR_JSON_C(":2:2: expected a key in quotes", ":2:2: unexpected character") },
        { "{a:1}",
          OWN_OR_JSON_C(":2:2: expected a key in quotes",
                        ":2:2: quoted object property name expected") },
        { "{\"a\" 1}",
          OWN_OR_JSON_C(":2:6: expected ':'",
                        ":2:6: object property name separator ':' expected") },
        { "'a'", OWN_OR_JSON_C(":2:1: expected a value", ":2:1: unexpected character") },
        { "[\"\t\"]", ":2:3: control character in a string" },
        { "[\"\\x\"]", OWN_OR_JSON_C(":2:3: unknown escape", ":2:4: invalid string sequence") },
        { "[\"\\u0000\"]", ":2:3: a string cannot hold the character NUL" },
        { "[\"\\udc00\\ud800\"]", ":2:3: half of a surrogate pair" },
        { "[\"\\uD83D\\n\"]", ":2:3: half of a surrogate pair" },
        { "[\"\x80\"]", OWN_OR_JSON_C(":2:3: not UTF-8", ":2:3: invalid utf-8 string") },
        { "[\"\xc0\x80\"]", ":2:3: not UTF-8" },
        { "[\"\xe0\x9f\xbf\"]", ":2:3: not UTF-8" },
        { "[\"\xed\xa0\x80\"]", ":2:3: not UTF-8" },
        { "[\"\xf0\x8f\xbf\xbf\"]", ":2:3: not UTF-8" },
        { "[\"\xf4\x90\x80\x80\"]", ":2:3: not UTF-8" },
        { "[\"\xf5\x80\x80\x80\"]", ":2:3: not UTF-8" },
        { "[\"\xe2\x82\"]", OWN_OR_JSON_C(":2:3: not UTF-8", ":2:5: invalid utf-8 string") },
    };
    char text[256];
    size_t i;

    open_parser();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(text, sizeof(text), "{\"doca_program_flags\":{\"num\":1,\"nun\":\n%s}}",
                 rows[i].value);
        CHECK_RC(start_json(text, ""), DOCA_ERROR_IO_FAILED);
        CHECK_PRINTED(rows[i].text);
        CHECK_STR(got, "");
    }
    CHECK_OK(start_json("{\"x\":[0, -0.5, 1e05, 10, 1E-007, \"0'.NI01\", \"\\\\u0000\",\n"
                        "\"\\uD83D\\uDE00\", \"\x7f\xc2\x80\", "
                        "\"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\","
                        "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"] }",
                        ""));
    CHECK_OK(doca_argp_destroy());
}

static void too_deeply_nested_values_are_refused(void)
{
    char text[256];
    int levels, len, i;

    open_parser();
    for (levels = 32; levels <= 33; levels++) {
        len = snprintf(text, sizeof(text), "{\"x\":");
        for (i = 0; i < levels; i++)
            len += snprintf(text + len, sizeof(text) - (size_t)len, i % 2 != 0 ? "{\"a\":" : "[");
        text[len++] = '1';
        while (i-- > 0)
            text[len++] = i % 2 != 0 ? '}' : ']';
        snprintf(text + len, sizeof(text) - (size_t)len, "}");
        CHECK_RC(start_json(text, ""), levels == 32 ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED);
    }
    CHECK_PRINTED(OWN_OR_JSON_C("nested deeper than 32 levels", "nesting too deep"));
    CHECK_OK(doca_argp_destroy());
}

static void nul_bytes_are_refused(void)
{
    static const char good[] =
        "{\"x\":[\"a\", 1],\"doca_program_flags\":{\"num\":1,\"pci\":\"p\"}} ";
    char text[sizeof(good)], line[80];
    size_t i;

    open_parser();
    for (i = 0; i < sizeof(good) - 1; i++) {
        memcpy(text, good, sizeof(good));
        text[i] = '\0';
        write_json(text, sizeof(good) - 1);
        snprintf(line, sizeof(line), "-j %s", json_path);
        CHECK_RC(start(line), DOCA_ERROR_IO_FAILED);
        CHECK_STR(got, "");
    }
    CHECK_OK(doca_argp_destroy());
}

static void repeated_keys_are_all_read(void)
{
    open_parser();
    CHECK_OK(start_json("{\"doca_program_flags\":{\"port\":1,\"port\":[2]},"
                        "\"x\":{\"a\":1,\"a\":2},"
                        "\"doca_program_flags\":{\"obj\":{\"a\":1,\"a\":2},\"port\":3}}",
                        ""));
    CHECK_STR(got, "int=1;int=2;text={\"a\":1,\"a\":2};int=3;");
    CHECK_RC(start_json("{\"doca_program_flags\":{\"num\":1},"
                        "\"doca_program_flags\":{\"num\":1}}",
                        ""),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("--num: given more than once");
    CHECK_STR(got, "");
    CHECK_OK(doca_argp_destroy());
}

static void comments_count_as_white_space(void)
{
    open_parser();
    CHECK_OK(start_json("// {\n{//\"\n\"doca_program_flags\"//:\n"
                        ":{\"pci\"://\n\"//\\\"//\",//\n"
                        "\"obj\":{\"a\"://b\n[\"//\"]} //c\n,\"num\":1//2\n}}//",
                        ""));
    CHECK_STR(got, "text=//\"//;text={\"a\":   \n[\"//\"]};int=1;");
    CHECK_RC(start_json("{}/", ""), DOCA_ERROR_IO_FAILED);
    CHECK_RC(start_json("{\"x\":1 / /\n}", ""), DOCA_ERROR_IO_FAILED);
    CHECK_OK(doca_argp_destroy());
}

/* start() checks that no heap block exists in callbacks or afterwards. This case checks that the
 * heap is used only with json-c. */
static void only_json_c_uses_the_heap(void)
{
    open_parser();
    CHECK_OK(start_json("{\"doca_program_flags\":{\"num\":1,"
                        "\"obj\":{\"a\":[1, \"b\", null]}}}",
                        ""));
    CHECK_STR(got, "int=1;text={\"a\":[1, \"b\", null]};");
    CHECK(!heap_trap_works() || (heap_calls > 0) == OWN_OR_JSON_C(false, true));
    CHECK_OK(start("-n 1"));
    CHECK_EQ(heap_calls, 0);
    CHECK_OK(doca_argp_destroy());
}

static void a_too_long_file_is_refused(void)
{
    static char text[DOCA_CORE_ARGP_JSON_BYTES + 1];
    char line[80];

    open_parser();
    memset(text, ' ', sizeof(text));
    text[0] = '{';
    text[1] = '}';
    write_json(text, sizeof(text) - 1);
    snprintf(line, sizeof(line), "-j %s", json_path);
    CHECK_OK(start(line));
    write_json(text, sizeof(text));
    CHECK_RC(start(line), DOCA_ERROR_NO_MEMORY);
    CHECK_PRINTED("DOCA_CORE_ARGP_JSON_BYTES");
    CHECK_OK(doca_argp_destroy());
}

/* Change and remove bytes of a file, and cut the file off. Each start returns a documented code,
 * and no callback is called unless the whole file is correct. */
static void damaged_files_are_refused_without_callbacks(void)
{
    static const char seed[] =
        "{\"doca_general_flags\":{\"log-level\":60},//c\n\"doca_dpdk_flags\":{\"devices\":"
        "[{\"device\":\"sf\",\"id\":\"4\",\"sft\":true}],\"core-mask\":3,\"flags\":\"a b\"},"
        "\"doca_program_flags\":{\"pci\":\"\\u00e9\\ud83d\\ude00\\\"\",\"num\":-5,"
        "\"verbose-flag\":true,\"port\":[1,2],\"obj\":{\"k\":[1.5e3,null,{\"a\":[]}]}}}";
    static const char bytes[] = "{}[]:,\"\\/u019-+.eE \ntrufalsn";
    uint32_t state = 20240521;
    int round, num_ok = 0;

    open_parser();
    doca_argp_set_dpdk_program(take_eal);
    for (round = 0; round < 4000; round++) {
        char text[2 * sizeof(seed)], line[80];
        size_t len = sizeof(seed) - 1, change;
        doca_error_t rc;

        memcpy(text, seed, len);
        for (change = 0; change <= (size_t)round % 3 && len > 0; change++) {
            size_t at;

            state = state * 1664525u + 1013904223u;
            at = (state >> 8) % len;
            if (state >> 30 == 0)
                memmove(text + at, text + at + 1, --len - at);
            else if (state >> 30 == 1)
                len = round % 16 == 0 ? at + 1 : len;
            else
                text[at] = (state >> 29 & 1) != 0 ? bytes[(state >> 4) % (sizeof(bytes) - 1)]
                                                  : (char)(state >> 3);
        }
        write_json(text, len);
        snprintf(line, sizeof(line), "-j %s", json_path);
        rc = start(line);
        num_ok += rc == DOCA_SUCCESS;
        if (rc != DOCA_SUCCESS) {
            CHECK(rc == DOCA_ERROR_IO_FAILED || rc == DOCA_ERROR_INVALID_VALUE);
            CHECK_STR(got, "");
            CHECK_PRINTED(json_path);
        }
    }
    CHECK(num_ok > 100 && num_ok < 3900);
    CHECK_OK(doca_argp_destroy());
}

/* Run `call` in a child process. Return its exit status, and its standard output in `printed`. */
static int exit_of(void (*call)(void))
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

static void run_flag(const char *flag)
{
    static char prog[] = "prog";
    char *argv[] = { prog, (char *)(size_t)flag, NULL };

    doca_argp_start(2, argv);
}

static void run_help(void) { run_flag("-h"); }
static void run_long_help(void) { run_flag("--help"); }
static void run_version(void) { run_flag("--version"); }

static void help_prints_the_expected_text(void)
{
    char expected[4096];
    FILE *file;
    size_t len;
    struct doca_argp_param *param;

    heap_trap_set(HEAP_TRAP_OFF);
    file = fopen(DOCA_TEST_ARGP_USAGE, "r");
    CHECK(file != NULL);
    len = fread(expected, 1, sizeof(expected) - 1, file);
    expected[len] = '\0';
    fclose(file);
    heap_trap_set(HEAP_TRAP_ABORT);
    open_parser();
    doca_argp_set_dpdk_program(take_eal);
    param = describe(NULL, "a-flag-with-a-name-longer-than-the-column", DOCA_ARGP_TYPE_STRING);
    doca_argp_param_set_mandatory(param);
    CHECK_OK(doca_argp_register_param(param));
    CHECK_EQ(exit_of(run_help), 0);
    CHECK_STR(printed, expected);
    CHECK_EQ(exit_of(run_long_help), 0);
    CHECK_STR(printed, expected);
    CHECK_EQ(exit_of(doca_argp_usage), EXIT_FAILURE);
    CHECK_STR(printed, expected);
    CHECK_OK(doca_argp_destroy());
}

static void run_path(void)
{
    static char prog[] = "/usr/bin/program-name", flag[] = "-h";
    char *argv[] = { prog, flag, NULL };

    doca_argp_start(2, argv);
}

static void program_name_defaults_to_the_file_name(void)
{
    CHECK_OK(doca_argp_init(NULL, NULL));
    CHECK_EQ(exit_of(run_path), 0);
    CHECK_PRINTED("Usage: program-name [flags]\n");
    CHECK_OK(doca_argp_destroy());
}

/* The program may reuse its argv after start; a NULL may end argv before argc. */
static void default_name_comes_from_the_last_start(void)
{
    char first[] = "/bin/first", second[] = "second", flag[] = "-x";
    char *argv[] = { first, NULL, flag, NULL };

    CHECK_OK(doca_argp_init(NULL, NULL));
    CHECK_EQ(exit_of(doca_argp_usage), EXIT_FAILURE);
    CHECK_PRINTED("Usage: program [flags]\n");
    CHECK_OK(doca_argp_start(3, argv));
    memset(first, 'x', sizeof(first) - 1);
    CHECK_EQ(exit_of(doca_argp_usage), EXIT_FAILURE);
    CHECK_PRINTED("Usage: first [flags]\n");
    argv[0] = second;
    CHECK_OK(doca_argp_start(1, argv));
    CHECK_EQ(exit_of(doca_argp_usage), EXIT_FAILURE);
    CHECK_PRINTED("Usage: second [flags]\n");
    CHECK_OK(doca_argp_destroy());
}

static unsigned num_restarts;

/* A flag callback that starts the parser again at its first call, and closes it at the second. */
static doca_error_t restart_or_close_parser(void *value, void *config)
{
    static char name[] = "prog", command[] = "cmd";
    static char *argv[] = { name, command, NULL };

    (void)value;
    (void)config;
    if (num_restarts++ == 0)
        CHECK_OK(doca_argp_start(2, argv));
    else
        CHECK_OK(doca_argp_destroy());
    return answer;
}

static doca_error_t take_cmd(void *config)
{
    (void)config;
    record("cmd", "");
    return DOCA_SUCCESS;
}

static void callbacks_that_restart_the_parser_end_the_start(void)
{
    struct doca_argp_param *param;
    struct doca_argp_cmd *cmd;
    unsigned i;

    num_restarts = 0;
    for (i = 0; i < 2; i++) {
        open_parser();
        CHECK_OK(doca_argp_cmd_create(&cmd));
        doca_argp_cmd_set_name(cmd, "cmd");
        doca_argp_cmd_set_description(cmd, "a test command");
        doca_argp_cmd_set_callback(cmd, take_cmd);
        CHECK_OK(doca_argp_register_cmd(cmd));
        param = describe("a", NULL, DOCA_ARGP_TYPE_INT);
        doca_argp_param_set_callback(param, restart_or_close_parser);
        CHECK_OK(doca_argp_register_param(param));
        answer = i == 0 ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
        CHECK_RC(start("-a 1 -n 2 cmd"), DOCA_ERROR_BAD_STATE);
        CHECK_PRINTED("a callback closed the parser, or started again");
        CHECK_STR(got, i == 0 ? "cmd=;" : "");
        CHECK_EQ(num_restarts, i + 1);
        if (i == 0)
            CHECK_OK(doca_argp_destroy());
    }
}

/* The words of argv may be in read-only memory. */
static void words_in_read_only_memory_are_read(void)
{
    static const char words[3][8] = { "prog", "--pci", "03:00.0" };
    char *argv[4];
    size_t i;

    for (i = 0; i < 3; i++)
        argv[i] = (char *)(size_t)words[i];
    argv[3] = NULL;
    open_parser();
    CHECK_OK(doca_argp_start(3, argv));
    CHECK_STR(got, "text=03:00.0;");
    CHECK_OK(doca_argp_destroy());
}

static doca_error_t program_version(void *value, void *config)
{
    CHECK(*(bool *)value);
    CHECK_STR((const char *)config, "text");
    (void)!write(STDOUT_FILENO, "mine\n", 5);
    return answer;
}

static void version_prints_and_exits(void)
{
    char expected[64];

    snprintf(expected, sizeof(expected), "DOCA API 2.5.1, doca_core %d.%d.%d\n",
             DOCA_CORE_VERSION_MAJOR, DOCA_CORE_VERSION_MINOR, DOCA_CORE_VERSION_PATCH);
    open_parser();
    CHECK_EQ(exit_of(run_version), 0);
    CHECK_STR(printed, expected);
    CHECK_OK(doca_argp_register_version_callback(program_version));
    CHECK_EQ(exit_of(run_version), 0);
    CHECK_STR(printed, "mine\n");
    answer = DOCA_ERROR_UNKNOWN;
    CHECK_RC(start("-v"), DOCA_ERROR_UNKNOWN);
    answer = (doca_error_t)99;
    CHECK_RC(start("--num 1"), (doca_error_t)99);
    CHECK_PRINTED("--num: its callback failed [unrecognized error code]\n");
    CHECK_OK(doca_argp_destroy());
}

/* ---- commands */

static doca_error_t take_set(void *config)
{
    record((const char *)config, "set");
    return answer;
}

static doca_error_t take_get(void *config)
{
    record((const char *)config, "get");
    return answer;
}

static struct doca_argp_cmd *describe_cmd(const char *name, doca_argp_cmd_cb_t callback)
{
    struct doca_argp_cmd *cmd;

    CHECK_OK(doca_argp_cmd_create(&cmd));
    doca_argp_cmd_set_name(cmd, name);
    doca_argp_cmd_set_description(cmd, "a test command");
    doca_argp_cmd_set_callback(cmd, callback);
    return cmd;
}

/* Open the parser with the flags of open_parser(), inherited -i --inner, singular --list, hidden
 * --secret, and these commands:
 *     set       -d --device (mandatory string), -v (int), inherited --deep; hidden command "magic"
 *     get       -d --device (string), -n (boolean, while the program's -n is an int)
 *     group     commands "one" (--device), and "two" without a callback, with command "deeper" */
static void open_cmds(void)
{
    struct doca_argp_cmd *set, *get, *group, *two, *inner;
    struct doca_argp_param *param;

    open_parser();
    param = describe("i", "inner", DOCA_ARGP_TYPE_STRING);
    doca_argp_param_set_inherited(param);
    CHECK_OK(doca_argp_register_param(param));
    param = describe(NULL, "list", DOCA_ARGP_TYPE_BOOLEAN);
    doca_argp_param_set_singular(param);
    CHECK_OK(doca_argp_register_param(param));
    param = describe(NULL, "secret", DOCA_ARGP_TYPE_BOOLEAN);
    doca_argp_param_set_hidden(param);
    CHECK_OK(doca_argp_register_param(param));

    set = describe_cmd("set", take_set);
    param = describe("d", "device", DOCA_ARGP_TYPE_STRING);
    doca_argp_param_set_mandatory(param);
    CHECK_OK(doca_argp_cmd_register_param(set, param));
    CHECK_OK(doca_argp_cmd_register_param(set, describe("v", NULL, DOCA_ARGP_TYPE_INT)));
    param = describe(NULL, "deep", DOCA_ARGP_TYPE_INT);
    doca_argp_param_set_inherited(param);
    CHECK_OK(doca_argp_cmd_register_param(set, param));
    inner = describe_cmd("magic", take_get);
    doca_argp_cmd_set_hidden(inner);
    CHECK_OK(doca_argp_cmd_register_cmd(set, inner));
    CHECK_OK(doca_argp_register_cmd(set));

    get = describe_cmd("get", take_get);
    CHECK_OK(doca_argp_cmd_register_param(get, describe("d", "device", DOCA_ARGP_TYPE_STRING)));
    CHECK_OK(doca_argp_cmd_register_param(get, describe("n", NULL, DOCA_ARGP_TYPE_BOOLEAN)));
    CHECK_OK(doca_argp_register_cmd(get));

    group = describe_cmd("group", NULL);
    inner = describe_cmd("one", take_set);
    CHECK_OK(doca_argp_cmd_register_param(inner, describe(NULL, "device", DOCA_ARGP_TYPE_INT)));
    CHECK_OK(doca_argp_cmd_register_cmd(group, inner));
    two = describe_cmd("two", NULL);
    CHECK_OK(doca_argp_cmd_register_cmd(two, describe_cmd("deeper", take_get)));
    CHECK_OK(doca_argp_cmd_register_cmd(group, two));
    CHECK_OK(doca_argp_register_cmd(group));
}

static void commands_have_their_own_flags(void)
{
    static const struct {
        const char *line;
        const char *got;
    } rows[] = {
        { "set -d x", "text=set;text=x;" },
        { "-p a --num 3 set --device=x -v 7", "text=a;int=3;text=set;text=x;int=7;" },
        { "get", "text=get;" },
        { "get -n -d set", "text=get;bool=true;text=set;" }, /* `set` is the value of -d */
        { "-n 1 get -n", "int=1;text=get;bool=true;" },      /* the flag of the inner command */
        { "-i a get", "text=a;text=get;" },
        { "get -i a", "text=get;text=a;" },
        { "set -d x magic -i a --deep 4", "text=set;text=x;text=get;text=a;int=4;" },
        { "set --deep 4 -d x", "text=set;int=4;text=x;" },
        { "group one --device 5", "text=set;int=5;" },
        { "group two deeper -i a -l 30", "text=get;text=a;" },
        { "--secret get", "bool=true;text=get;" },
        { "--list", "bool=true;" },
        { "--list -l 30", "bool=true;" }, /* -l may be combined with it */
        { "--list=false get", "text=get;" },
    };
    size_t i;

    open_cmds();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK_OK(start(rows[i].line));
        CHECK_STR(got, rows[i].got);
        CHECK_STR(printed, "");
    }
    CHECK_OK(doca_argp_destroy());
}

static void mistakes_with_commands_are_named(void)
{
    static const struct {
        const char *line;
        doca_error_t rc;
        const char *text;
    } rows[] = {
        { "", DOCA_ERROR_INVALID_VALUE, "doca_argp_start: the program needs a command [INV" },
        { "-n 1", DOCA_ERROR_INVALID_VALUE, "the program needs a command" },
        { "group", DOCA_ERROR_INVALID_VALUE, "doca_argp_start: group: needs a command" },
        { "group two", DOCA_ERROR_INVALID_VALUE, "two: needs a command" },
        { "sett", DOCA_ERROR_INVALID_VALUE, "\"sett\" is not a command" },
        { "group set", DOCA_ERROR_INVALID_VALUE, "\"set\" is not a command" },
        { "get get", DOCA_ERROR_INVALID_VALUE, "\"get\" is not a flag" },
        { "set", DOCA_ERROR_INVALID_VALUE, "--device: is mandatory" },
        { "set magic -d x", DOCA_ERROR_NOT_SUPPORTED, "-d: unknown flag" },
        { "get --pci x", DOCA_ERROR_NOT_SUPPORTED, "--pci: unknown flag" }, /* not inherited */
        { "-d x get", DOCA_ERROR_NOT_SUPPORTED, "-d: unknown flag" },
        { "-i a get -i b", DOCA_ERROR_INVALID_VALUE, "--inner: given more than once" },
        { "get -d x -d y", DOCA_ERROR_INVALID_VALUE, "--device: given more than once" },
        { "--list -n 1", DOCA_ERROR_INVALID_VALUE, "--list: cannot be combined with --num" },
        { "--list get -d x", DOCA_ERROR_INVALID_VALUE, "--list: cannot be combined with --device" },
    };
    size_t i;

    open_cmds();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK_RC(start(rows[i].line), rows[i].rc);
        CHECK_PRINTED(rows[i].text);
        CHECK_STR(got, "");
    }
    answer = DOCA_ERROR_DRIVER;
    CHECK_RC(start("set -d x"), DOCA_ERROR_DRIVER);
    CHECK_STR(got, "text=set;"); /* no callback is called after the failed one */
    CHECK_PRINTED("set: its callback failed [DRIVER]");
    CHECK_OK(doca_argp_destroy());
}

static void flags_of_commands_are_read_from_a_file(void)
{
    open_cmds();
    CHECK_OK(start_json("{\"doca_program_flags\":{\"device\":\"x\",\"num\":3}}", "set"));
    CHECK_STR(got, "text=set;text=x;int=3;");
    CHECK_STR(printed, "");
    CHECK_OK(start_json("{\"doca_program_flags\":{\"device\":5}}", "group one"));
    CHECK_STR(got, "text=set;int=5;");
    CHECK_OK(start_json("{\"doca_program_flags\":{\"device\":5}}", "group two deeper"));
    CHECK_STR(got, "text=get;");
    CHECK_PRINTED("\"device\" is not a flag of this program, ignored");
    CHECK_OK(start_json("{\"doca_program_flags\":{\"list\":true}}", ""));
    CHECK_STR(got, "bool=true;");
    CHECK_RC(start_json("{\"doca_program_flags\":{\"list\":true,\"num\":1}}", ""),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("--list: cannot be combined with --num");
    CHECK_OK(doca_argp_destroy());
}

static void invalid_commands_are_refused_and_freed(void)
{
    struct doca_argp_cmd *cmd = NULL, *middle, *inner;
    struct doca_argp_param *param;
    int i;

    capture(STDERR_FILENO);
    CHECK_RC(doca_argp_cmd_create(&cmd), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_register_cmd(cmd), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_cmd_destroy(cmd), DOCA_ERROR_INVALID_VALUE);
    open_parser();
    CHECK_RC(doca_argp_cmd_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_register_cmd(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_cmd_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    doca_argp_cmd_set_name(NULL, "x");                  /* returns nothing, but logs the error */
    for (i = 0; i < 2 * DOCA_CORE_ARGP_MAX_CMDS; i++) { /* each failed call frees its command */
        CHECK_OK(doca_argp_cmd_create(&cmd));
        doca_argp_cmd_set_name(cmd, i % 2 != 0 ? "x" : NULL);
        CHECK_RC(doca_argp_register_cmd(cmd), DOCA_ERROR_INITIALIZATION);
        capture_end();
        capture(STDERR_FILENO);
    }
    CHECK_RC(doca_argp_register_cmd(describe_cmd("", take_set)), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_register_cmd(describe_cmd("-x", take_set)), DOCA_ERROR_INVALID_VALUE);

    /* a registered command belongs to the parser and cannot be changed */
    cmd = describe_cmd("set", take_set);
    CHECK_RC(doca_argp_cmd_register_cmd(cmd, cmd), DOCA_ERROR_INVALID_VALUE);
    cmd = describe_cmd("set", take_set);
    CHECK_OK(doca_argp_register_cmd(cmd));
    CHECK_RC(doca_argp_register_cmd(cmd), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_cmd_destroy(cmd), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_cmd_register_cmd(cmd, describe_cmd("one", NULL)), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_register_cmd(describe_cmd("set", take_set)), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_cmd_register_param(cmd, describe("x", NULL, DOCA_ARGP_TYPE_INT)),
             DOCA_ERROR_BAD_STATE);
    inner = describe_cmd("two", NULL);
    CHECK_RC(doca_argp_cmd_register_cmd(inner, cmd), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_argp_cmd_destroy(inner));
    capture_end();
    capture(STDERR_FILENO);
    CHECK_RC(doca_argp_cmd_register_cmd(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
    capture_end();
    CHECK_PTR(strchr(printed, '\n'), strrchr(printed, '\n')); /* only the error, in one line */

    /* destroying a command destroys its commands and parameters */
    for (i = 0; i < 2 * DOCA_CORE_ARGP_MAX_PARAMS; i++) {
        inner = describe_cmd("inner", NULL);
        middle = describe_cmd("middle", NULL);
        cmd = describe_cmd("outer", NULL);
        CHECK_OK(doca_argp_cmd_register_param(cmd, describe("x", NULL, DOCA_ARGP_TYPE_INT)));
        CHECK_OK(doca_argp_cmd_register_param(inner, describe("x", NULL, DOCA_ARGP_TYPE_INT)));
        CHECK_OK(doca_argp_cmd_register_cmd(middle, inner));
        CHECK_OK(doca_argp_cmd_register_cmd(cmd, middle));
        CHECK_OK(doca_argp_cmd_destroy(cmd));
    }
    capture(STDERR_FILENO);
    cmd = describe_cmd("outer", NULL);
    CHECK_OK(doca_argp_cmd_register_param(cmd, describe("x", NULL, DOCA_ARGP_TYPE_INT)));
    param = describe("x", NULL, DOCA_ARGP_TYPE_INT);
    CHECK_RC(doca_argp_cmd_register_param(cmd, param), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_cmd_register_param(cmd, describe("j", NULL, DOCA_ARGP_TYPE_INT)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_cmd_register_param(cmd, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_argp_cmd_register_param(NULL, param), DOCA_ERROR_INVALID_VALUE);
    for (i = 2; i < DOCA_CORE_ARGP_MAX_CMDS; i++)
        CHECK_OK(doca_argp_cmd_create(&cmd));
    CHECK_RC(doca_argp_cmd_create(&cmd), DOCA_ERROR_NO_MEMORY);
    capture_end();
    CHECK_OK(doca_argp_destroy());
}

static void run_words(char *one, char *two, char *three)
{
    static char prog[] = "prog";
    char *argv[] = { prog, one, two, three, NULL };

    doca_argp_start(three != NULL ? 4 : two != NULL ? 3 : 2, argv);
}

static char word_help[] = "-h", word_set[] = "set", word_group[] = "group", word_two[] = "two";

static void run_cmds_help(void) { run_words(word_help, NULL, NULL); }
static void run_set_help(void) { run_words(word_set, word_help, NULL); }
static void run_group_help(void) { run_words(word_group, word_two, word_help); }

static void help_describes_the_command_before_it(void)
{
    char expected[8192], all[3 * sizeof(printed)];
    FILE *file;
    size_t len;

    heap_trap_set(HEAP_TRAP_OFF);
    file = fopen(DOCA_TEST_ARGP_CMDS_USAGE, "r");
    CHECK(file != NULL);
    len = fread(expected, 1, sizeof(expected) - 1, file);
    expected[len] = '\0';
    fclose(file);
    heap_trap_set(HEAP_TRAP_ABORT);
    open_cmds();
    CHECK_EQ(exit_of(run_cmds_help), 0);
    len = (size_t)snprintf(all, sizeof(all), "%s----\n", printed);
    CHECK_EQ(exit_of(run_set_help), 0);
    len += (size_t)snprintf(all + len, sizeof(all) - len, "%s----\n", printed);
    CHECK_EQ(exit_of(run_group_help), 0);
    snprintf(all + len, sizeof(all) - len, "%s", printed);
    CHECK_STR(all, expected);
    CHECK_OK(start("set -d x"));
    CHECK_EQ(exit_of(doca_argp_usage), EXIT_FAILURE);
    CHECK_PRINTED("Usage: prog [flags] set [flags]\n"); /* magic is hidden */
    CHECK_OK(doca_argp_destroy());
}

static enum doca_log_level logged_level;
static char logged[512];

static doca_error_t take_line(enum doca_log_level level, const char *format, va_list args)
{
    logged_level = level;
    vsnprintf(logged, sizeof(logged), format, args);
    return answer;
}

static void the_logger_callback_receives_the_lines(void)
{
    capture(STDERR_FILENO);
    CHECK_RC(doca_argp_register_logger_callback(take_line), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_disable_logger_callback(), DOCA_ERROR_BAD_STATE);
    open_parser();
    CHECK_RC(doca_argp_disable_logger_callback(), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_register_logger_callback(NULL), DOCA_ERROR_INVALID_VALUE);
    capture_end();
    CHECK_OK(doca_argp_register_logger_callback(take_line));
    CHECK_RC(doca_argp_register_logger_callback(take_line), DOCA_ERROR_ALREADY_EXIST);
    CHECK_EQ(logged_level, DOCA_LOG_LEVEL_ERROR);
    CHECK_RC(start("--nun"), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_STR(logged, "doca_core: doca_argp_start: --nun: unknown flag [NOT_SUPPORTED]");
    CHECK(strstr(printed, "unknown flag") == NULL);
    CHECK_PRINTED("Usage: ");
    CHECK_OK(start_json("{\"x\":1}", ""));
    CHECK_EQ(logged_level, DOCA_LOG_LEVEL_WARNING);
    CHECK_STR(printed, "");
    answer = DOCA_ERROR_IO_FAILED; /* when the callback fails, lines go to standard error */
    CHECK_RC(start("--nun"), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_PRINTED("--nun: unknown flag [NOT_SUPPORTED]\n");
    answer = DOCA_SUCCESS;
    CHECK_OK(doca_argp_disable_logger_callback());
    CHECK_RC(start("--nun"), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_PRINTED("--nun: unknown flag [NOT_SUPPORTED]\n");
    CHECK_OK(doca_argp_register_logger_callback(take_line));
    CHECK_OK(doca_argp_destroy()); /* also removes the logger callback */
    open_parser();
    CHECK_RC(start("--nun"), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_PRINTED("--nun: unknown flag [NOT_SUPPORTED]\n");
    CHECK_OK(doca_argp_destroy());
}

/* ---- flags of devices, representors and decimal numbers, which 3.x adds ---- */

static struct {
    struct doca_dev *devs[8];
    struct doca_dev_rep *reps[8];
    unsigned num_devs, num_reps, num_opened;
    const char *devargs;
    double real;
    doca_error_t open_answer;
} dev_got;

static const char *dev_name(struct doca_dev *dev)
{
    static char name[DOCA_DEVINFO_IBDEV_NAME_SIZE + DOCA_DEVINFO_PCI_ADDR_SIZE];
    char pci[DOCA_DEVINFO_PCI_ADDR_SIZE], ib[DOCA_DEVINFO_IBDEV_NAME_SIZE];

    CHECK_OK(doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(dev), pci));
    CHECK_OK(doca_devinfo_get_ibdev_name(doca_dev_as_devinfo(dev), ib, sizeof(ib)));
    snprintf(name, sizeof(name), "%.12s/%.32s", pci, ib);
    return name;
}

static doca_error_t take_dev(void *value, void *config)
{
    const struct doca_argp_device_ctx *ctx = value;

    (void)config;
    record("dev", dev_name(ctx->dev));
    dev_got.devs[dev_got.num_devs++] = ctx->dev;
    dev_got.devargs = ctx->devargs;
    return answer;
}

static doca_error_t take_rep(void *value, void *config)
{
    const struct doca_argp_device_rep_ctx *ctx = value;
    char iface[DOCA_DEVINFO_IFACE_NAME_SIZE];

    (void)config;
    CHECK_OK(doca_devinfo_rep_get_iface_name(doca_dev_rep_as_devinfo(ctx->dev_rep), iface,
                                             sizeof(iface)));
    record("rep", iface);
    record("of", dev_name(ctx->dev_ctx.dev));
    dev_got.devs[dev_got.num_devs++] = ctx->dev_ctx.dev;
    dev_got.reps[dev_got.num_reps++] = ctx->dev_rep;
    dev_got.devargs = ctx->dev_ctx.devargs;
    return answer;
}

static doca_error_t take_real(void *value, void *config)
{
    (void)config;
    dev_got.real = *(const double *)value;
    record("real", "");
    return answer;
}

static doca_error_t open_device(struct doca_devinfo *devinfo, void *usr_ctx, struct doca_dev **dev)
{
    CHECK_PTR(usr_ctx, &dev_got);
    dev_got.num_opened++;
    return dev_got.open_answer != DOCA_SUCCESS ? dev_got.open_answer : doca_dev_open(devinfo, dev);
}

static void register_typed(const char *short_name, const char *long_name, enum doca_argp_type type,
                           doca_argp_param_cb_t callback)
{
    struct doca_argp_param *param = describe(short_name, long_name, type);

    doca_argp_param_set_callback(param, callback);
    if (type != DOCA_ARGP_TYPE_DOUBLE)
        doca_argp_param_set_multiplicity(param);
    CHECK_OK(doca_argp_register_param(param));
}

static void open_typed(void)
{
    CHECK_OK(doca_argp_init("prog", (void *)"text"));
    register_typed("a", "device", DOCA_ARGP_TYPE_DEVICE, take_dev);
    register_typed("r", "rep", DOCA_ARGP_TYPE_DEVICE_REP, take_rep);
    register_typed("x", "real", DOCA_ARGP_TYPE_DOUBLE, take_real);
    memset(&dev_got, 0, sizeof(dev_got));
    answer = DOCA_SUCCESS;
}

/* Close the devices and representors that callbacks received, as programs do: first the
 * representors, then each device once. */
static void close_devices(void)
{
    unsigned i, j;

    while (dev_got.num_reps > 0)
        CHECK_OK(doca_dev_rep_close(dev_got.reps[--dev_got.num_reps]));
    for (i = 0; i < dev_got.num_devs; i++) {
        for (j = 0; j < i && dev_got.devs[j] != dev_got.devs[i]; j++) {
        }
        if (j == i)
            CHECK_OK(doca_dev_close(dev_got.devs[i]));
    }
    dev_got.num_devs = 0;
}

static void devices_are_opened_for_their_callbacks(void)
{
    open_typed();
    CHECK_OK(start("-a pci/0000:03:00.0,dv_flow_en=2,x=1 -a 03:00.1 --device=mlx5_3 -a p0s0"));
    CHECK_STR(got, "dev=0000:03:00.0/mlx5_0;dev=0000:03:00.1/mlx5_1;dev=0000:03:00.1/mlx5_3;"
                   "dev=0000:03:00.0/mlx5_2;");
    CHECK_PTR(dev_got.devargs, NULL);
    close_devices();
    CHECK_OK(start("-a pci/0000:03:00.0,dv_flow_en=2,x=1"));
    CHECK_STR(dev_got.devargs, "dv_flow_en=2,x=1"); /* must be valid after start */
    close_devices();
    CHECK_OK(start_json("{\"doca_program_flags\": {\"device\": [\"pci/03:00.0\", \"03:00.0,b\"]}}",
                        ""));
    CHECK_STR(got, "dev=0000:03:00.0/mlx5_0;dev=0000:03:00.0/mlx5_0;");
    CHECK_PTR(dev_got.devs[0], dev_got.devs[1]);
    CHECK_STR(dev_got.devargs, "b");
    close_devices(); /* the device was opened once */
    CHECK_OK(doca_argp_destroy());
}

static void representors_are_opened_with_their_device(void)
{
    open_typed();
    CHECK_OK(start("-a pci/0000:03:00.0 -r pci/0000:03:00.0,pf0vf0 -r 03:00.0,pf0vf1,q=1"));
    CHECK_STR(got, "dev=0000:03:00.0/mlx5_0;rep=pf0vf0;of=0000:03:00.0/mlx5_0;rep=pf0vf1;"
                   "of=0000:03:00.0/mlx5_0;");
    CHECK_STR(dev_got.devargs, "q=1");
    CHECK_PTR(dev_got.devs[0], dev_got.devs[2]);
    close_devices();
    CHECK_OK(start("--rep pf0vf1 -r mlx5_0,0000:0b:00.2"));
    CHECK_STR(got, "rep=pf0vf1;of=0000:03:00.0/mlx5_0;rep=pf0vf0;of=0000:03:00.0/mlx5_0;");
    CHECK_PTR(dev_got.devargs, NULL);
    close_devices();
    CHECK_OK(doca_argp_destroy());
}

static void unknown_devices_are_refused(void)
{
    static const struct {
        const char *line;
        const char *text;
    } rows[] = {
        { "-a pci/0000:99:00.0", "--device: \"pci/0000:99:00.0\" names no device of this machine" },
        { "-a pci/mlx5_0", "names no device of this machine" },
        { "-a mlx5_99", "names no device of this machine" },
        { "-a ,x=1", "does not name a device" },
        { "-r 03:00.0,pf7vf7", "--rep: \"03:00.0,pf7vf7\" names no representor of this machine" },
        { "-r 03:00.0,vf0", "names no representor of this machine" },
        { "-r 03:00.0,", "does not name a device" },
        { "-r nothing", "names no representor of this machine" },
        { "-x 1.5x", "--real: \"1.5x\" is not a decimal number" },
        { "-x 0x10", "is not a decimal number" },
        { "-x nan", "is not a decimal number" },
        { "-x 1e999", "is not a decimal number" },
    };
    struct doca_dev *dev;
    size_t i;

    open_typed();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK_RC(start(rows[i].line), DOCA_ERROR_INVALID_VALUE);
        CHECK_PRINTED(rows[i].text);
        CHECK_STR(got, "");
    }
    CHECK_EQ(dev_got.num_devs, 0); /* the harness checks the arena: no device may stay open */
    CHECK_RC(start_json("{\"doca_program_flags\": {\"device\": 3}}", ""), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("takes a string");
    CHECK_OK(doca_argp_register_dev_open_callback(open_device, &dev_got));
    dev_got.open_answer = DOCA_ERROR_DRIVER;
    CHECK_RC(start("-a 03:00.0"), DOCA_ERROR_DRIVER);
    CHECK_PRINTED("cannot be opened");
    dev_got.open_answer = DOCA_SUCCESS;
    CHECK_OK(start("-a 03:00.0 -r 03:00.0,pf0vf0 -r 03:00.0,pf0vf1"));
    CHECK_EQ(dev_got.num_opened, 2);
    dev = dev_got.devs[0];
    CHECK_PTR(dev, dev_got.devs[2]);
    close_devices();
    CHECK_RC(doca_argp_register_dev_open_callback(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_argp_destroy());
    CHECK_RC(doca_argp_register_dev_open_callback(open_device, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_disable_pedantic_config_parsing(), DOCA_ERROR_BAD_STATE);
}

static void decimal_numbers_are_read(void)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        { "12.5", 12.5 }, { "-0.25", -0.25 }, { "3", 3 }, { "1e3", 1000 }, { "2.5E-1", 0.25 },
    };
    char text[96];
    size_t i;

    open_typed();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(text, sizeof(text), "--real=%s", rows[i].text);
        CHECK_OK(start(text));
        CHECK(dev_got.real >= rows[i].value && dev_got.real <= rows[i].value);
        dev_got.real = 0;
        snprintf(text, sizeof(text), "{\"doca_program_flags\": {\"real\": %s}}", rows[i].text);
        CHECK_OK(start_json(text, ""));
        CHECK(dev_got.real >= rows[i].value && dev_got.real <= rows[i].value);
    }
    CHECK_RC(start_json("{\"doca_program_flags\": {\"real\": \"1\"}}", ""),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("takes a number");
    CHECK_OK(doca_argp_disable_pedantic_config_parsing());
    CHECK_OK(start_json("{\"doca_program_flags\": {\"nun\": 1, \"real\": 2}}", ""));
    CHECK_STR(printed, "");
    CHECK_OK(doca_argp_destroy());
}

static const struct test_case cases[] = {
    CASE(devices_are_opened_for_their_callbacks, ""),
    CASE(representors_are_opened_with_their_device, ""),
    CASE(unknown_devices_are_refused, ""),
    CASE(decimal_numbers_are_read, ""),
    CASE(each_form_of_a_flag_is_read, ""),
    CASE(mistakes_on_the_command_line_are_named, ""),
    CASE(missing_mandatory_flags_are_reported, ""),
    CASE(false_counts_as_not_given, ""),
    CASE(too_many_values_are_refused, ""),
    CASE(calls_out_of_order_are_refused, ""),
    CASE(incomplete_flags_are_refused_and_freed, ""),
    CASE(too_long_texts_are_refused, ""),
    CASE(texts_are_copied, ""),
    CASE(a_program_can_have_the_name_of_a_built_in_flag, ""),
    CASE(levels_reach_the_log, ""),
    CASE(failing_callbacks_end_the_start, ""),
    CASE(eal_flags_are_passed_to_the_dpdk_callback, ""),
    CASE(too_many_eal_flags_are_refused, ""),
    CASE(flags_are_read_from_a_file, ""),
    CASE(the_command_line_overrides_the_file, ""),
    CASE(unknown_keys_are_reported_and_ignored, ""),
    CASE(mistakes_in_the_file_are_reported_with_their_position, ""),
    CASE(invalid_json_is_refused_in_ignored_values, ""),
    CASE(too_deeply_nested_values_are_refused, ""),
    CASE(nul_bytes_are_refused, ""),
    CASE(repeated_keys_are_all_read, ""),
    CASE(comments_count_as_white_space, ""),
    CASE(only_json_c_uses_the_heap, ""),
    CASE(a_too_long_file_is_refused, ""),
    CASE(damaged_files_are_refused_without_callbacks, ""),
    CASE(help_prints_the_expected_text, ""),
    CASE(program_name_defaults_to_the_file_name, ""),
    CASE(default_name_comes_from_the_last_start, ""),
    CASE(callbacks_that_restart_the_parser_end_the_start, ""),
    CASE(words_in_read_only_memory_are_read, ""),
    CASE(version_prints_and_exits, ""),
    CASE(commands_have_their_own_flags, ""),
    CASE(mistakes_with_commands_are_named, ""),
    CASE(flags_of_commands_are_read_from_a_file, ""),
    CASE(invalid_commands_are_refused_and_freed, ""),
    CASE(help_describes_the_command_before_it, ""),
    CASE(the_logger_callback_receives_the_lines, ""),
};

TEST_MAIN(cases)
