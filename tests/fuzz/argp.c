/* Command lines and JSON files. Each line of the input is a word of the command line; the JSON file
 * follows after an empty line. Invalid JSON is refused, no callback is called unless the whole
 * input is correct, and parsing it again gives the same results. The limits of the parser are set
 * low, so that inputs reach them. */
#include "fuzz.h"

#include <fcntl.h>

static int argp_open(const char *path, int how);
static ssize_t argp_read(int fd, void *to, size_t bytes);
static ssize_t argp_write(int fd, const void *from, size_t bytes);
static int argp_close(int fd);
_Noreturn static void argp_exit(int status);

#define open argp_open
#define read argp_read
#define write argp_write
#define close argp_close
#define exit argp_exit
#define DOCA_CORE_ARGP_JSON_BYTES 1024
#define DOCA_CORE_ARGP_TEXT_BYTES 1024
#define DOCA_CORE_ARGP_MAX_VALUES 12
#define DOCA_CORE_ARGP_EAL_WORDS 8
#define DOCA_CORE_ARGP_EAL_BYTES 128
#define DOCA_CORE_ARGP_IMPLEMENTATION
#include "tools/compat/doca_core_argp.h"
#undef open
#undef read
#undef write
#undef close
#undef exit

enum { MAX_WORDS = 40, JSON_FD = 1000, IS_DPDK = 1, HAS_CMDS = 2, FAILS = 4, NEEDS = 8 };

static unsigned flags;
static char *argv[MAX_WORDS + 2];
static int argc;
static const char *json;
static size_t json_len, json_at;
static bool is_json_read;
static jmp_buf leave;

struct outcome {
    doca_error_t rc;
    bool has_exited;
    unsigned num_got;      /* number of called callbacks */
    uint32_t got, printed; /* checksums of the values, and of the output */
};
static struct outcome now;

static void fuzz_set_up(void)
{
}

/* ---- replacements of the system calls that the parser makes ---- */

static int argp_open(const char *path, int how)
{
    (void)how;
    CHECK(strlen(path) < 65536);
    is_json_read = true;
    json_at = 0;
    errno = ENOENT;
    return path[0] == '-' ? -1 : JSON_FD;
}

static ssize_t argp_read(int fd, void *to, size_t bytes)
{
    size_t len = json_len - json_at;

    CHECK_EQ(fd, JSON_FD);
    if (len > 100)
        len = 100;
    if (len > bytes)
        len = bytes;
    memcpy(to, json + json_at, len);
    json_at += len;
    return (ssize_t)len;
}

static ssize_t argp_write(int fd, const void *from, size_t bytes)
{
    CHECK(fd == STDOUT_FILENO || fd == STDERR_FILENO);
    now.printed = now.printed * 31 + share_crc(from, bytes);
    return (ssize_t)bytes;
}

static int argp_close(int fd)
{
    CHECK_EQ(fd, JSON_FD);
    return 0;
}

_Noreturn static void argp_exit(int status)
{
    now.has_exited = true;
    now.rc = (doca_error_t)status;
    longjmp(leave, 1);
}

/* ---- callbacks ---- */

static doca_error_t got(const void *what, size_t bytes)
{
    now.num_got++;
    now.got = now.got * 31 + share_crc(what, bytes);
    return (flags & FAILS) != 0 && now.num_got == 2 ? DOCA_ERROR_IO_FAILED : DOCA_SUCCESS;
}

static doca_error_t take_text(void *value, void *config)
{
    CHECK_PTR(config, &flags);
    return got(value, strlen(value) + 1);
}

static doca_error_t take_int(void *value, void *config)
{
    CHECK_PTR(config, &flags);
    return got(value, sizeof(int));
}

static doca_error_t take_bool(void *value, void *config)
{
    CHECK_PTR(config, &flags);
    CHECK(*(bool *)value);
    return got(value, sizeof(bool));
}

static doca_error_t take_cmd(void *config)
{
    CHECK_PTR(config, &flags);
    return got("cmd", 4);
}

static doca_error_t take_eal(int num, char **words)
{
    doca_error_t rc = DOCA_SUCCESS;
    int i;

    CHECK(num >= 1);
    for (i = 0; i < num && rc == DOCA_SUCCESS; i++)
        rc = got(words[i], strlen(words[i]) + 1);
    return rc;
}

/* ---- a parser ---- */

static struct doca_argp_param *describe(const char *short_name, const char *long_name,
                                        enum doca_argp_type type)
{
    struct doca_argp_param *param;

    CHECK_OK(doca_argp_param_create(&param));
    if (short_name != NULL)
        doca_argp_param_set_short_name(param, short_name);
    doca_argp_param_set_long_name(param, long_name);
    doca_argp_param_set_description(param, "a test flag");
    doca_argp_param_set_type(param, type);
    doca_argp_param_set_callback(param, type == DOCA_ARGP_TYPE_INT       ? take_int
                                        : type == DOCA_ARGP_TYPE_BOOLEAN ? take_bool
                                                                         : take_text);
    return param;
}

static void open_cmds(void)
{
    struct doca_argp_param *param = describe("s", "size", DOCA_ARGP_TYPE_INT);
    struct doca_argp_cmd *cmd, *inner;

    CHECK_OK(doca_argp_cmd_create(&cmd));
    doca_argp_cmd_set_name(cmd, "copy");
    doca_argp_cmd_set_description(cmd, "a test command");
    doca_argp_param_set_inherited(param);
    CHECK_OK(doca_argp_cmd_register_param(cmd, param));
    CHECK_OK(doca_argp_cmd_create(&inner));
    doca_argp_cmd_set_name(inner, "now");
    doca_argp_cmd_set_description(inner, "a test command");
    doca_argp_cmd_set_callback(inner, take_cmd);
    CHECK_OK(doca_argp_cmd_register_cmd(cmd, inner));
    doca_argp_cmd_set_callback(cmd, take_cmd);
    CHECK_OK(doca_argp_register_cmd(cmd));
    param = describe(NULL, "alone", DOCA_ARGP_TYPE_BOOLEAN);
    doca_argp_param_set_singular(param);
    CHECK_OK(doca_argp_register_param(param));
}

static void open_parser(void)
{
    struct doca_argp_param *param;

    CHECK_OK(doca_argp_init(NULL, &flags));
    param = describe("p", "pci", DOCA_ARGP_TYPE_STRING);
    if ((flags & NEEDS) != 0)
        doca_argp_param_set_mandatory(param);
    CHECK_OK(doca_argp_register_param(param));
    CHECK_OK(doca_argp_register_param(describe("n", "num", DOCA_ARGP_TYPE_INT)));
    CHECK_OK(doca_argp_register_param(describe("vf", "flag", DOCA_ARGP_TYPE_BOOLEAN)));
    param = describe(NULL, "port", DOCA_ARGP_TYPE_INT);
    doca_argp_param_set_multiplicity(param);
    CHECK_OK(doca_argp_register_param(param));
    CHECK_OK(doca_argp_register_param(describe(NULL, "obj", DOCA_ARGP_TYPE_JSON_OBJ)));
    param = describe(NULL, "cli", DOCA_ARGP_TYPE_INT);
    doca_argp_param_set_cli_only(param);
    CHECK_OK(doca_argp_register_param(param));
    if ((flags & HAS_CMDS) != 0)
        open_cmds();
    if ((flags & IS_DPDK) != 0)
        doca_argp_set_dpdk_program(take_eal);
}

/* ---- a second JSON parser, to compare with ---- */

static const char *pass_blanks(const char *at)
{
    while (true) {
        if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') {
            at++;
        } else if (at[0] == '/' && at[1] == '/') { /* a comment, as in the vendor's files */
            while (at < json + json_len && *at != '\n')
                at++;
        } else {
            return at;
        }
    }
}

/* Return the end of a string, or NULL if the string is invalid. */
static const char *pass_string(const char *at)
{
    unsigned i;

    for (at++; *at != '"'; at++) {
        if ((unsigned char)*at < ' ')
            return NULL;
        if (*at != '\\')
            continue;
        at++;
        if (*at == '\0' || strchr("\"\\/bfnrtu", *at) == NULL)
            return NULL;
        for (i = 0; *at == 'u' && i < 4; i++)
            if (strspn(at + 1 + i, "0123456789abcdefABCDEF") == 0)
                return NULL;
    }
    return at + 1;
}

static const char *pass_digits(const char *at)
{
    size_t num = strspn(at, "0123456789");

    return num > 0 ? at + num : NULL;
}

static const char *pass_number(const char *at)
{
    at += *at == '-';
    at = *at == '0' ? at + 1 : pass_digits(at);
    if (at != NULL && *at == '.')
        at = pass_digits(at + 1);
    if (at != NULL && (*at == 'e' || *at == 'E'))
        at = pass_digits(at + 1 + (at[1] == '+' || at[1] == '-'));
    return at;
}

static const char *pass_value(const char *at);

static const char *pass_members(const char *at, char end)
{
    at = pass_blanks(at + 1);
    if (*at == end)
        return at + 1;
    while (true) {
        if (end == '}') {
            at = *at == '"' ? pass_string(at) : NULL;
            at = at != NULL ? pass_blanks(at) : NULL;
            if (at == NULL || *at != ':')
                return NULL;
            at = pass_blanks(at + 1);
        }
        at = pass_value(at);
        at = at != NULL ? pass_blanks(at) : NULL;
        if (at == NULL || *at == end)
            return at != NULL ? at + 1 : NULL;
        if (*at != ',')
            return NULL;
        at = pass_blanks(at + 1);
    }
}

static const char *pass_value(const char *at)
{
    static const char *const words[] = { "true", "false", "null" };
    size_t i;

    if (*at == '{' || *at == '[')
        return pass_members(at, *at == '{' ? '}' : ']');
    if (*at == '"')
        return pass_string(at);
    for (i = 0; i < 3; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    return pass_number(at);
}

/* True if the text at `json`, which a NUL byte follows, is valid JSON. */
static bool is_valid_json(void)
{
    const char *at = pass_value(pass_blanks(json));

    return at != NULL && pass_blanks(at) == json + json_len; /* NUL bytes can only be in comments */
}

/* ---- input ---- */

/* Return the next line as a word in a heap block, or NULL if the line is empty. */
static char *next_word(void)
{
    size_t len = 0;
    char *word;

    while (len < fuzz_left && fuzz_input[len] != '\n')
        len++;
    word = len > 0 ? fuzz_block(fuzz_input, len + (len < fuzz_left)) : NULL;
    if (word != NULL && len == fuzz_left) { /* the block has no room for the NUL */
        fuzz_free(word);
        word = fuzz_text();
        return word;
    }
    if (word != NULL)
        word[len] = '\0';
    fuzz_input += len + (len < fuzz_left);
    fuzz_left -= len + (len < fuzz_left);
    return word;
}

static struct outcome parse(void)
{
    memset(&now, 0, sizeof(now));
    is_json_read = false;
    open_parser();
    now.printed = 0;
    if (setjmp(leave) == 0)
        now.rc = doca_argp_start(argc, argv);
    CHECK_OK(doca_argp_destroy());
    return now;
}

static void fuzz_run_input(void)
{
    struct outcome first, second;
    char *text;
    int i;

    flags = fuzz_byte();
    argv[0] = fuzz_block("/bin/prog", 10);
    for (argc = 1; argc <= MAX_WORDS && (argv[argc] = next_word()) != NULL;)
        argc++;
    if (argc > MAX_WORDS)
        argv[argc] = NULL;
    fuzz_heap(true);
    text = calloc(1, fuzz_left + 1);
    fuzz_heap(false);
    memcpy(text, fuzz_input, fuzz_left);
    json = text;
    json_len = fuzz_left;
    first = parse();
    if (first.rc == DOCA_SUCCESS && !first.has_exited && is_json_read)
        CHECK(is_valid_json());
    if (first.rc != DOCA_SUCCESS && first.rc != DOCA_ERROR_IO_FAILED)
        CHECK_EQ(first.num_got, 0);
    second = parse();
    CHECK_MEM(&first, &second, sizeof(first));
    doca_core_log_set_level(DOCA_CORE_LOG_DEBUG);
    fuzz_free(text);
    for (i = 0; i < argc; i++)
        fuzz_free(argv[i]);
}
