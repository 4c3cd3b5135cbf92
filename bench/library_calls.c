/* The table that bench/calls.h declares. It has its own file so that no compiler can inline the
 * calls. */
#define DOCA_CORE_NO_INLINE
#include "calls.h"

#define BENCH_CALL_ADDRESS(name) doca_##name,
const struct bench_calls bench_library = { BENCH_CALLS(BENCH_CALL_ADDRESS) };
