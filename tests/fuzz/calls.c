/* Sequences of calls on buffers, inventories, pools and mmaps. The model of
 * tests/support/buf_model.h gives the result that each call must have. */
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

static void fuzz_set_up(void)
{
}

static void fuzz_run_input(void)
{
    set_up();
    for (step = 1; fuzz_left > 0; step++) {
        (void)one_call();
        compare_everything();
    }
    tear_down();
    memset(mmaps, 0, sizeof(mmaps));
}
