/* Sequences of calls on bufs, inventories, pools and mmaps, each answer against the model of
 * test_model.c. */
#include "fuzz.h"

#include "buf_model.h"

static uint32_t below(uint32_t bound)
{
    return fuzz_below(bound);
}

static const char *how_to_repeat(void)
{
    return "of this input";
}

static void once(void)
{
}

static void one(void)
{
    set_up();
    for (step = 1; fuzz_left > 0; step++) {
        (void)one_call();
        compare_everything();
    }
    tear_down();
    memset(mmaps, 0, sizeof(mmaps));
}
