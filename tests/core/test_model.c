/* Makes random calls on bufs, inventories, pools and mmaps. After each call the test compares every
 * property that the library reports with a model (buf_model.h). DOCA_TEST_SEED chooses another
 * sequence. */
#include "buf_model.h"

#define STEPS 300000u

static unsigned long long seed;
static uint64_t random_state;

static uint32_t below(uint32_t bound) /* xorshift64* */
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)((random_state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % bound;
}

static const char *how_to_repeat(void)
{
    static char text[64];

    snprintf(text, sizeof(text), "DOCA_TEST_SEED=%llu", seed);
    return text;
}

static void read_seed(void)
{
    const char *text = getenv("DOCA_TEST_SEED");

    heap_trap_set(HEAP_TRAP_OFF); /* printf may allocate a buffer */
    seed = text != NULL ? strtoull(text, NULL, 0) : 20250501;
    printf("  DOCA_TEST_SEED=%llu, %u steps\n", seed, STEPS);
    heap_trap_set(HEAP_TRAP_ABORT);
    random_state = seed * 2 + 1; /* xorshift needs a state other than 0 */
}

static void random_calls_agree_with_the_model(void)
{
    uint32_t i, longest = 0, runs[NUM_CALLS] = { 0 };

    read_seed();
    set_up();
    for (step = 1; step <= STEPS; step++) {
        runs[one_call()]++;
        compare_everything();
        for (i = 0; i < NUM_ELEMENTS; i++)
            if (lists[i].num > longest)
                longest = lists[i].num;
    }
    CHECK(longest >= NUM_ELEMENTS / 2); /* the sequence has built long lists */
    for (i = 0; i < NUM_CALLS; i++)
        CHECK(runs[i] > STEPS / 1000);
    tear_down();
}

static const struct test_case cases[] = {
    CASE(random_calls_agree_with_the_model,
         "61 62 63 64 92 93 94 95 96 106 107 109 110 112 113 114 115 116 117 118 119 120 121 122 "
         "123 127 128 129 130 131 132 133 134 135 136 137 138 139 147 148 152"),
};

TEST_MAIN(cases)
