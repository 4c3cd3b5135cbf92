/* The argument parser: flags in JSON files. */
#include "argp_support.h"

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

static const struct test_case cases[] = {
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
};

TEST_MAIN(cases)
