/* The checked mode: released memory is not reused at once, writes to it are reported, and programs
 * can read the history of an object. */
#include "checked_support.h"

#include <sys/mman.h>

/* DOCA_CORE_CHECK_LIVES other objects are destroyed before a new object gets the memory of a
 * destroyed object. */
static void released_memory_is_not_reused_at_once(void)
{
    struct doca_mmap *mmap, *other;
    unsigned i;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    for (i = 0; i < DOCA_CORE_CHECK_LIVES; i++) {
        CHECK_OK(doca_mmap_create(&other));
        CHECK(OBJECT(other) != OBJECT(mmap));
        CHECK_OK(doca_mmap_destroy(other));
    }
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_arena_audit(doca_core_arena_bound()));
    CHECK_OK(doca_mmap_create(&other));
    CHECK_PTR(OBJECT(other), OBJECT(mmap));
    CHECK_OK(doca_mmap_destroy(other));
}

enum { LINES = 8 };

static DOCA_CORE_ALIGNED unsigned char region[LINES * DOCA_CORE_LINE];
static struct doca_core_arena arena;

/* Quarantined blocks count as free, and are reused when no other block is large enough. */
static void quarantined_memory_is_reused_if_no_other_is_free(void)
{
    size_t used, largest;
    void *blocks[4];
    unsigned i;

    CHECK_OK(doca_core_arena_init(&arena, region, sizeof(region)));
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_core_arena_take(&arena, 1, &blocks[i]));
    CHECK_OK(doca_core_arena_give(&arena, blocks[1]));
    CHECK_OK(doca_core_arena_give(&arena, blocks[2]));
    CHECK_OK(doca_core_arena_audit(&arena));
    CHECK_RC(doca_core_arena_give(&arena, blocks[1]), DOCA_ERROR_BAD_STATE);
    /* gets the memory of both quarantined blocks, which are adjacent */
    CHECK_OK(doca_core_arena_take(&arena, 3 * DOCA_CORE_LINE, &blocks[1]));
    CHECK_OK(doca_core_arena_audit(&arena));
    CHECK_OK(doca_core_arena_give(&arena, blocks[1]));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, &largest));
    CHECK_EQ(used, 4 * DOCA_CORE_LINE);
    CHECK_EQ(largest, 3 * DOCA_CORE_LINE);
    CHECK_OK(doca_core_arena_audit(&arena));
}

static void write_to_released_memory_is_reported(void)
{
    unsigned char *block;
    char where[32];
    struct doca_mmap *mmap;
    void *other, *blocks[3];
    uint64_t before;
    unsigned i;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    ((unsigned char *)(void *)mmap)[9]++;
    record_log();
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), NULL, NULL, (size_t[1]){ 0 }));
    CHECK_REPORT(CHECK_WRITTEN, doca_core_arena_query, "mmap created destroyed");
    before = doca_core_check_num_reports();

    CHECK_OK(doca_core_arena_init(&arena, region, sizeof(region)));
    CHECK_OK(doca_core_arena_take(&arena, 5 * DOCA_CORE_LINE, (void **)(void *)&block));
    CHECK_OK(doca_core_arena_give(&arena, block));
    block[5 * DOCA_CORE_LINE - 1] = 0;
    CHECK_OK(doca_core_arena_take(&arena, 5 * DOCA_CORE_LINE, &other)); /* reported, and succeeds */
    CHECK_EQ(logged.lines, 1);
    CHECK_EQ(logged.item, DOCA_CORE_ITEM_CHECK_WRITTEN);
    snprintf(where, sizeof(where), "overwritten at %p", (void *)(block + 5 * DOCA_CORE_LINE - 1));
    CHECK(strstr(logged.line, where) != NULL);
    CHECK_EQ(doca_core_check_num_reports(), before + 1);

    CHECK_OK(doca_core_arena_init(&arena, region, sizeof(region)));
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_core_arena_take(&arena, 1, &blocks[i]));
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_core_arena_give(&arena, blocks[i]));
        *(unsigned char *)blocks[i] = 0;
    }
    CHECK_RC(doca_core_arena_take(&arena, 0, &other), DOCA_ERROR_INVALID_VALUE);
    logged.lines = 0;
    /* gets the memory of all blocks, which leave the quarantine */
    CHECK_OK(doca_core_arena_take(&arena, 7 * DOCA_CORE_LINE, &other));
    CHECK_EQ(logged.lines, 3);
    CHECK_EQ(logged.item, DOCA_CORE_ITEM_CHECK_WRITTEN);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_ZERO); /* the reports did not make a call fail */

    CHECK_OK(doca_core_arena_init(&arena, region, sizeof(region)));
    CHECK_OK(doca_core_arena_take(&arena, 5 * DOCA_CORE_LINE, &other));
    CHECK_OK(doca_core_arena_give(&arena, other));
    /* this also overwrites the header of the block, so the block is lost */
    memset(region, 0x5a, 6 * DOCA_CORE_LINE);
    CHECK_RC(doca_core_arena_take(&arena, 3 * DOCA_CORE_LINE, &other), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_core_arena_audit(&arena), DOCA_ERROR_UNEXPECTED);
}

static void audit_names_the_object_below_the_damage(void)
{
    static DOCA_CORE_ALIGNED unsigned char memory[32 * DOCA_CORE_LINE];
    struct doca_mmap *mmaps[2];
    unsigned char *header, saved;
    void *below, *block;
    size_t used, left;
    char where[64];
    unsigned i;

    CHECK_OK(doca_core_arena_init(&arena, memory, sizeof(memory)));
    CHECK_OK(doca_core_arena_bind(&arena));
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_mmap_create(&mmaps[i]));
    CHECK_OK(doca_core_arena_take(&arena, 1, &below));
    CHECK_OK(doca_core_arena_take(&arena, 1, &block)); /* its neighbours are intact */
    header = (unsigned char *)(void *)OBJECT(mmaps[1]) - DOCA_CORE_LINE;
    saved = header[0];
    header[0]++;
    record_log();
    CHECK_RC(doca_core_arena_audit(&arena), DOCA_ERROR_UNEXPECTED);
    snprintf(where, sizeof(where), "overwritten at %p", (void *)header);
    CHECK(strstr(logged.line, where) != NULL);
    snprintf(where, sizeof(where), "history of mmap %p", (void *)OBJECT(mmaps[0]));
    CHECK(strstr(logged.line, where) != NULL);
    CHECK_REPORT(ARENA_BROKEN, doca_core_arena_audit, "mmap created");
    CHECK_RC(doca_mmap_destroy(mmaps[1]), DOCA_ERROR_UNEXPECTED);
    CHECK(strstr(logged.line, where) != NULL);
    CHECK_REPORT(ARENA_BROKEN, doca_core_arena_give, "mmap created");
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_OK(doca_core_arena_give(&arena, block)); /* this block is intact */
    CHECK_REPORT(ARENA_BROKEN, doca_core_arena_give, "mmap created");
    CHECK_OK(doca_core_arena_query(&arena, &left, NULL, NULL));
    CHECK_EQ(left, used - 2 * DOCA_CORE_LINE);
    header[0] = saved;
    CHECK_OK(doca_core_arena_give(&arena, header + DOCA_CORE_LINE));
    CHECK_OK(doca_mmap_destroy(mmaps[0]));
    CHECK_OK(doca_core_arena_give(&arena, below));
    CHECK_EQ(logged.lines, 0);
    CHECK_OK(doca_core_arena_bind(NULL));
}

static void program_can_read_the_history_of_an_object(void)
{
    struct doca_buf *buf;
    char text[256];
    struct rig r;
    int local;

    rig_open(&r, TASKS);
    buf = rig_src(&r, 0, LEN);
    CHECK_OK(doca_core_check_life(buf, text, sizeof(text)));
    CHECK(strncmp(text, "history of buf 0x", 17) == 0 && strstr(text, "allocated") != NULL);
    CHECK_OK(doca_core_check_life(buf, text, 96));
    CHECK_EQ(strlen(text) < 96, 1);
    CHECK_RC(doca_core_check_life(buf, text, 95), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_check_life(NULL, text, 96), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_check_life(buf, NULL, 96), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_check_life(&local, text, 96), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    rig_close(&r);
}

/* The number of history entries is limited, and the oldest entries are overwritten. An object of an
 * earlier case may have had the address of the buffer, and its entries may be left: buffers and
 * tasks do not overwrite the entries of other objects. */
static void oldest_history_is_forgotten(void)
{
    struct doca_buf *buf, *other;
    char text[256];
    doca_error_t rc;
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    buf = rig_src(&r, 0, LEN);
    for (i = 0; i < DOCA_CORE_CHECK_NOTES / 2; i++) {
        other = rig_src(&r, 0, LEN);
        CHECK_OK(doca_buf_dec_refcount(other, NULL));
    }
    rc = doca_core_check_life(buf, text, sizeof(text));
    CHECK(rc == DOCA_ERROR_NOT_FOUND || strstr(text, "allocated") == NULL);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_core_check_life(buf, text, sizeof(text)));
    rig_close(&r);
}

/* Allocations of any number of buffers and tasks do not overwrite the history of other objects. */
static void history_of_long_lived_objects_is_kept(void)
{
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    for (i = 0; i < DOCA_CORE_CHECK_NOTES / 2; i++)
        CHECK_OK(doca_buf_dec_refcount(rig_src(&r, 0, LEN), NULL));
    record_log();
    CHECK_RC(doca_pe_destroy(r.pe), DOCA_ERROR_IN_USE);
    CHECK_REPORT(PE_CONNECTED, doca_pe_destroy, "pe created");
    CHECK_RC(doca_dev_close(r.dev), DOCA_ERROR_IN_USE);
    CHECK_REPORT(DEV_BUSY, doca_dev_close, "dev created");
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(released_memory_is_not_reused_at_once, ""),
    CASE(quarantined_memory_is_reused_if_no_other_is_free, ""),
    CASE(write_to_released_memory_is_reported, ""),
    CASE(audit_names_the_object_below_the_damage, ""),
    CASE(program_can_read_the_history_of_an_object, ""),
    CASE(oldest_history_is_forgotten, ""),
    CASE(history_of_long_lived_objects_is_kept, ""),
};

TEST_MAIN(cases)
