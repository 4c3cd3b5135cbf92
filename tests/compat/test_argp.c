/* The argument parser: its calls, flags on the command line, and flags that end the program. */
#include "argp_support.h"

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

static doca_error_t validate(void *config)
{
    record("valid", (const char *)config);
    return answer;
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

static const struct test_case cases[] = {
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
    CASE(help_prints_the_expected_text, ""),
    CASE(program_name_defaults_to_the_file_name, ""),
    CASE(default_name_comes_from_the_last_start, ""),
    CASE(callbacks_that_restart_the_parser_end_the_start, ""),
    CASE(words_in_read_only_memory_are_read, ""),
    CASE(version_prints_and_exits, ""),
};

TEST_MAIN(cases)
