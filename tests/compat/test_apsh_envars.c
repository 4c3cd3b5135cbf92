/* App Shield on a machine that runs Linux: the environment of processes. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_faults.h"
#include "apsh_image_user.h"

#define TASK 3u
#define ENV 0x7ffffffeef80u /* where the environment begins: 128 bytes before the end of a page */
#define PAGE_OF_ENV 0x7ffffffef000u /* the page behind it */

static const struct image_options forms[] = {
    { 4, 21, 0x0e400000, 20, 0, 0, 0, 0, NULL, 6, 0, 0, 0 },
    { 5, 12, 0x0e400000, 20, 0, 0, 1, 0, NULL, 6, 1, 0, 1 },
    { 4, 30, 0, 20, 0, 0, 0, 1, "state", 6, 0, 1, 0 },
};
#define FORMS ((unsigned)(sizeof(forms) / sizeof(forms[0])))

static struct {
    struct image image;
    struct shield s;
    struct doca_apsh_process **processes;
    struct doca_apsh_envar **list;
    int num;
} rig;

/* Set the range of the environment. */
static void set_range(uint64_t start, uint64_t end)
{
    image_u64(rig.image.mms[TASK] + IMAGE_MM_ENV_START, start);
    image_u64(rig.image.mms[TASK] + IMAGE_MM_ENV_END, end);
}

/* Make an image in which the process has these bytes as its environment. */
static void rig_make(const struct image_options *options, const char *bytes, size_t len)
{
    memset(&rig, 0, sizeof(rig));
    image_make(&rig.image, options);
    image_own_root(&rig.image, TASK);
    image_put_user(&rig.image, TASK, ENV, bytes, len);
    set_range(ENV, ENV + len);
}

static void rig_start(void)
{
    rig.s = shield_start(&rig.image);
    rig.processes = shield_processes(&rig.s);
}

static void rig_close(void)
{
    doca_apsh_processes_free(rig.processes);
    shield_close(&rig.s, &rig.image);
}

static doca_error_t get_envars(void)
{
    return doca_apsh_envars_get(rig.processes[TASK - 1], &rig.list, &rig.num);
}

static void check_envar(int k, const char *name, const char *value)
{
    CHECK(k < rig.num);
    CHECK_EQ(doca_apsh_envar_info_get(rig.list[k], DOCA_APSH_ENVARS_PID), image_pid(TASK));
    CHECK_STR(doca_apsh_envar_info_get(rig.list[k], DOCA_APSH_ENVARS_VARIABLE), name);
    CHECK_STR(doca_apsh_envar_info_get(rig.list[k], DOCA_APSH_ENVARS_VALUE), value);
    CHECK_EQ(doca_apsh_envar_info_get(rig.list[k], DOCA_APSH_ENVARS_WINDOWS_BLOCK), 0);
}

/* The call fails with this error and item in one line, and changes nothing. */
static void check_error(doca_error_t code, enum doca_core_item item)
{
    rig.list = NULL;
    rig.num = 77;
    test_log_lines = 0;
    CHECK_RC(get_envars(), code);
    CHECK_EQ(test_log_lines, 1);
    CHECK_EQ(test_log_item, item);
    CHECK(rig.list == NULL && rig.num == 77);
}

/* ---- strings ---- */

static void variables_are_those_of_the_process(void)
{
    static const char bytes[] = "PATH=/usr/bin:/bin\0HOME=/\0EMPTY=\0NAME\0\0\0=x\0A=b=c";
    char value[300], text[320];
    unsigned i;

    for (i = 0; i < FORMS; i++) {
        rig_make(&forms[i], bytes, sizeof(bytes));
        rig_start();
        CHECK_OK(get_envars());
        CHECK_EQ(rig.num, 6);
        check_envar(0, "PATH", "/usr/bin:/bin");
        check_envar(1, "HOME", "/");
        check_envar(2, "EMPTY", "");
        check_envar(3, "NAME", ""); /* two empty strings follow */
        check_envar(4, "", "x");
        check_envar(5, "A", "b=c");
        doca_apsh_envars_free(rig.list);
        rig_close();
    }
    /* a string that goes on in the next page, and one that ends with the range */
    memset(value, 'v', sizeof(value));
    value[200] = '='; /* in the next page */
    value[sizeof(value) - 1] = '\0';
    (void)snprintf(text, sizeof(text), "LONG=%s", value);
    rig_make(&usual, text, strlen(text) + 1);
    image_put_user(&rig.image, TASK, ENV + strlen(text) + 1, "LAST=1", 6);
    set_range(ENV, ENV + strlen(text) + 7);
    rig_start();
    CHECK_OK(get_envars());
    CHECK_EQ(rig.num, 2);
    check_envar(0, "LONG", value);
    check_envar(1, "LAST", "1");
    doca_apsh_envars_free(rig.list);
    rig_close();
}

/* A page may end at any byte of the strings: in a name, after it, after the `=`, in a value, or
 * after the NUL. */
static void strings_may_end_with_a_page(void)
{
    static const char text[] = "BEFORE=1\0NAME=value\0AFTER=2";
    unsigned k;

    for (k = 8; k < 22; k++) { /* the number of bytes in the first page */
        rig_make(&usual, "", 0);
        image_put_user(&rig.image, TASK, PAGE_OF_ENV - k, text, sizeof(text));
        set_range(PAGE_OF_ENV - k, PAGE_OF_ENV - k + sizeof(text));
        rig_start();
        CHECK_OK(get_envars());
        CHECK_EQ(rig.num, 3);
        check_envar(0, "BEFORE", "1");
        check_envar(1, "NAME", "value");
        check_envar(2, "AFTER", "2");
        doca_apsh_envars_free(rig.list);
        rig_close();
    }
}

static void process_without_an_environment_has_no_variables(void)
{
    unsigned way;

    for (way = 0; way < 3; way++) {
        rig_make(&usual, "A=1", 4);
        if (way == 0)
            set_range(ENV, ENV);
        if (way == 1)
            set_range(0, 0);
        if (way == 2) /* nothing but empty strings */
            image_put_user(&rig.image, TASK, ENV, "\0\0\0\0", 4);
        rig_start();
        rig.list = (struct doca_apsh_envar **)(uintptr_t)forms;
        CHECK_OK(get_envars());
        CHECK(rig.list == NULL && rig.num == 0);
        rig.list = (struct doca_apsh_envar **)(uintptr_t)forms; /* a thread of the kernel */
        CHECK_OK(doca_apsh_envars_get(rig.processes[TASK], &rig.list, &rig.num));
        CHECK(rig.list == NULL && rig.num == 0);
        rig_close();
    }
}

/* Of three pages one is in swap. The strings have one letter as name; the string C goes on in the
 * second page, D ends with it, and X begins with the third. */
static void strings_with_a_byte_in_swap_are_left_out(void)
{
    static const char *const left[] = { "DXE", "ABE", "ABCD" };
    static const struct {
        char name;
        unsigned start, end;
    } rows[] = { { 'A', 0, 2000 },    { 'B', 2001, 3000 }, { 'C', 3001, 5000 },
                 { 'D', 5001, 8191 }, { 'X', 8192, 9000 }, { 'E', 9001, 12287 } };
    char text[3 * 4096];
    unsigned gone, n;
    int k;

    memset(text, 'x', sizeof(text));
    for (n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
        text[rows[n].start] = rows[n].name;
        text[rows[n].start + 1] = '=';
        text[rows[n].end] = '\0';
    }
    for (gone = 0; gone < 3; gone++) {
        rig_make(&usual, "", 0);
        image_put_user(&rig.image, TASK, PAGE_OF_ENV, text, sizeof(text));
        set_range(PAGE_OF_ENV, PAGE_OF_ENV + sizeof(text));
        image_u64(image_map(&rig.image, image_root(&rig.image, TASK), PAGE_OF_ENV + 4096 * gone, 0,
                            12), 0x1234500); /* a place in swap */
        rig_start();
        CHECK_OK(get_envars());
        CHECK_EQ(rig.num, (int)strlen(left[gone]));
        for (k = 0; k < rig.num; k++)
            CHECK_EQ(doca_apsh_envar_info_get(rig.list[k], DOCA_APSH_ENVARS_VARIABLE)[0],
                     left[gone][k]);
        doca_apsh_envars_free(rig.list);
        rig_close();
    }
}

/* ---- limits ---- */

static void environment_ends_at_its_limits(void)
{
    static const char bytes[] = "FIRST=value\0SECOND=other\0THIRD=x";
    int limit;

    for (limit = 1; limit <= 4; limit++) {
        rig_make(&usual, bytes, sizeof(bytes));
        image_write(&rig.image);
        rig.s = shield_prepare(rig.image.path);
        CHECK_OK(doca_apsh_sys_config(rig.s.system, DOCA_APSH_WINDOWS_ENVARS_LIMIT, limit));
        CHECK_OK(doca_apsh_sys_config(rig.s.system, DOCA_APSH_STRING_LIMIT, 2 + limit));
        CHECK_OK(doca_apsh_system_start(rig.s.system));
        rig.processes = shield_processes(&rig.s);
        CHECK_OK(get_envars());
        CHECK_EQ(rig.num, limit < 3 ? limit : 3);
        if (limit == 1)
            check_envar(0, "FI", "va");
        if (limit == 2)
            check_envar(1, "SEC", "oth");
        if (limit == 4)
            check_envar(2, "THIRD", "x");
        doca_apsh_envars_free(rig.list);
        rig_close();
    }
}

/* A range of terabytes: with few pages, and with page tables that map the directory everywhere. */
static void ranges_without_end_are_bounded(void)
{
    const uint64_t start = 0x600000000000u;
    uint64_t root;
    unsigned k;

    rig_make(&usual, "", 0);
    set_range(start, start + ((uint64_t)1 << 40));
    image_put_user(&rig.image, TASK, start, "A=1", 4);
    image_put_user(&rig.image, TASK, start + (6u << 20) - 4096, "\0B=2", 4);
    image_put_user(&rig.image, TASK, start + (6u << 20) + 4096, "\0C=3", 4);
    rig_start();
    CHECK_OK(get_envars());
    CHECK_EQ(rig.num, 2);
    check_envar(1, "B", "2"); /* C is behind the first 6 MiB */
    doca_apsh_envars_free(rig.list);
    rig_close();
    rig_make(&usual, "", 0);
    root = image_root(&rig.image, TASK);
    for (k = 0; k < 512; k++)
        image_u64(root + 8 * k, root | 0x67);
    set_range(1, (uint64_t)1 << 46);
    rig_start();
    CHECK_OK(get_envars());
    CHECK(rig.num > 1000);
    doca_apsh_envars_free(rig.list);
    rig_close();
}

/* ---- targets that change ---- */

static void damaged_environments_are_an_error(void)
{
    uint64_t at;

    rig_make(&usual, "A=1", 4);
    rig_start();
    at = rig.image.mms[TASK];
    shield_poke(&rig.image, at + IMAGE_MM_ENV_END, ENV - 1);
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_TORN);
    shield_poke(&rig.image, at + IMAGE_MM_ENV_END, (uint64_t)1 << 56);
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_TORN);
    shield_poke(&rig.image, at + IMAGE_MM_ENV_END, ENV + 4);
    shield_poke(&rig.image, at + IMAGE_MM_PGD, 0);
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_TORN);
    shield_poke(&rig.image, at + IMAGE_MM_PGD, image_get(at + IMAGE_MM_PGD));
    CHECK_OK(get_envars());
    check_envar(0, "A", "1");
    doca_apsh_envars_free(rig.list);
    shield_poke(&rig.image, rig.image.tasks[TASK] + IMAGE_PID, 1 + ((uint64_t)1 << 32));
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_ENDED);
    rig_close();
}

/* The strings change between the two passes: the second finds fewer variables, and then strings
 * that are longer than the room for them. */
static void second_pass_keeps_to_its_room(void)
{
    static struct doca_priv_apsh_env env;
    struct doca_priv_apsh_list list;
    size_t text_bytes = 0;
    uint32_t num = 0;

    rig_make(&usual, "A=1\0B=2", 8);
    rig_start();
    doca_priv_apsh_list_begin(&list, NULL, rig.processes[TASK - 1],
                              DOCA_APSH_WINDOWS_ENVARS_LIMIT);
    doca_priv_apsh_mem_begin(&list.kernel->mem, 1000);
    env.list = &list;
    env.root = image_root(&rig.image, TASK);
    CHECK_OK(doca_priv_apsh_env_pass(&env, image_addr(&rig.image, rig.image.mms[TASK]), 9, &num,
                                     &text_bytes));
    CHECK_EQ(num, 2);
    CHECK_EQ(text_bytes, 8);
    CHECK_OK(doca_priv_apsh_snapshot_make(list.system, DOCA_PRIV_APSH_ENVARS, num, text_bytes,
                                          &list.snapshot));
    shield_poke(&rig.image, image_user(&rig.image, TASK, ENV), 0x78787878783d41); /* A=xxxxx */
    doca_priv_apsh_mem_drop(&list.kernel->mem);
    CHECK_OK(doca_priv_apsh_env_pass(&env, image_addr(&rig.image, rig.image.mms[TASK]), 2, &num,
                                     &text_bytes));
    CHECK_EQ(num, 1);
    doca_priv_apsh_snapshot_end(list.snapshot);
    CHECK_OK(doca_priv_apsh_snapshot_make(list.system, DOCA_PRIV_APSH_ENVARS, 2, 7,
                                          &list.snapshot));
    CHECK_RC(doca_priv_apsh_env_pass(&env, image_addr(&rig.image, rig.image.mms[TASK]), 2, &num,
                                     &text_bytes), DOCA_ERROR_NOT_FOUND);
    doca_priv_apsh_snapshot_end(list.snapshot);
    rig_close();
}

static void kernel_without_a_member_has_no_environment(void)
{
    static const char *const names[] = { "env_start", "env_end", "pgd" };
    size_t n;
    char *name;

    for (n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
        rig_make(&usual, "A=1", 4);
        name = memmem(image_ram + rig.image.btf, rig.image.btf_end - rig.image.btf, names[n],
                      strlen(names[n]) + 1);
        CHECK(name != NULL);
        name[0] = 'X';
        rig_start();
        check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_LAYOUT);
        rig_close();
    }
}

/* ---- memory ---- */

static void environment_takes_what_is_said(void)
{
    static const char bytes[] = "FIRST=value\0SECOND=other";
    size_t before, after, sum, free_bytes;
    void *block;

    rig_make(&usual, bytes, sizeof(bytes));
    rig_start();
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &before, NULL, NULL));
    CHECK_OK(get_envars());
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &after, NULL, &free_bytes));
    CHECK_EQ(after - before, DOCA_CORE_BYTES_APSH_ENVARS(2, sizeof(bytes)));
    CHECK_OK(doca_core_bytes_apsh_envars(2, sizeof(bytes), &sum));
    CHECK_EQ(sum, after - before);
    CHECK_RC(doca_core_bytes_apsh_envars(1, 1, NULL), DOCA_ERROR_INVALID_VALUE);
    doca_apsh_envars_free(rig.list);
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, NULL, NULL, &free_bytes));
    CHECK_OK(doca_core_arena_take(rig.s.ctx->arena, free_bytes - 2 * DOCA_CORE_LINE, &block));
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &before, NULL, NULL));
    CHECK_RC(get_envars(), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &after, NULL, NULL));
    CHECK_EQ(after, before);
    CHECK_OK(doca_core_arena_give(rig.s.ctx->arena, block));
    CHECK_OK(get_envars());
    rig_close();
    check_envar(1, "SECOND", "other"); /* the list outlives its system */
    doca_apsh_envars_free(rig.list);
    test_log_lines = 0;
    doca_apsh_envars_free(NULL);
    CHECK_EQ(test_log_lines, 0);
}

static void failed_reads_are_errors(void)
{
    static const char bytes[] = "FIRST=value\0SECOND=other";

    rig_make(&usual, bytes, sizeof(bytes));
    check_faults(&rig.image, apsh_get_envars, TASK - 1, 2);
}

static void wrong_arguments_are_refused(void)
{
    rig_make(&usual, "A=1", 4);
    rig_start();
    CHECK_RC(doca_apsh_envars_get(NULL, &rig.list, &rig.num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_envars_get(rig.processes[0], NULL, &rig.num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_envars_get(rig.processes[0], &rig.list, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_NULL_ARGUMENT);
    rig_close();
}

static const struct test_case cases[] = {
    CASE(variables_are_those_of_the_process, ""),
    CASE(strings_may_end_with_a_page, ""),
    CASE(process_without_an_environment_has_no_variables, ""),
    CASE(strings_with_a_byte_in_swap_are_left_out, ""),
    CASE(environment_ends_at_its_limits, ""),
    CASE(ranges_without_end_are_bounded, ""),
    CASE(damaged_environments_are_an_error, ""),
    CASE(second_pass_keeps_to_its_room, ""),
    CASE(kernel_without_a_member_has_no_environment, ""),
    CASE(environment_takes_what_is_said, ""),
    CASE(failed_reads_are_errors, ""),
    CASE(wrong_arguments_are_refused, ""),
};

TEST_MAIN(cases)
