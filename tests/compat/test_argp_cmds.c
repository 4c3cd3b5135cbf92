/* The argument parser: commands. */
#include "argp_support.h"

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

static const struct test_case cases[] = {
    CASE(commands_have_their_own_flags, ""),
    CASE(mistakes_with_commands_are_named, ""),
    CASE(flags_of_commands_are_read_from_a_file, ""),
    CASE(invalid_commands_are_refused_and_freed, ""),
    CASE(help_describes_the_command_before_it, ""),
    CASE(the_logger_callback_receives_the_lines, ""),
};

TEST_MAIN(cases)
