/* What bench/calls.h declares, in a file of its own, so that no compiler sees through the calls. */
#define DOCA_CORE_NO_INLINE
#include "calls.h"

#define BENCH_CALL_ADDRESS(name) doca_##name,
const struct bench_calls bench_library = { BENCH_CALLS(BENCH_CALL_ADDRESS) };
