/* ---- >>impl.clock.host -----------------------------------------------------------------------
 * Clocks of the host: the cycle counter of the CPU, and clocks of the operating system.         */
#include "compat/clock/host_priv.h"

#include "compat/clock/config.h"
#include "compat/clock/platform_priv.h"
#include "compat/clock/timestamp.h"

/* Read the cycle counter. The fence keeps the CPU from reading the counter before it has executed
 * all earlier instructions, and, on x86, later instructions from passing the reading. */
#if defined(__GNUC__) && (defined(__x86_64__) || (defined(__i386__) && defined(__SSE2__)))
#define DOCA_PRIV_CLOCK_HAS_COUNTER 1
static uint64_t doca_priv_clock_counter(void)
{
    uint32_t low, high;

    __asm__ __volatile__("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}
#elif defined(__GNUC__) && defined(__aarch64__)
#define DOCA_PRIV_CLOCK_HAS_COUNTER 1
static uint64_t doca_priv_clock_counter(void)
{
    uint64_t cycles;

    __asm__ __volatile__("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(cycles) : : "memory");
    return cycles;
}
#else
#define DOCA_PRIV_CLOCK_HAS_COUNTER 0
static uint64_t doca_priv_clock_counter(void)
{
    return 0;
}
#endif

/* Read a clock of the operating system, in nanoseconds. */
static doca_error_t doca_priv_clock_system_read(int id, const char *function, uint64_t *value)
{
    struct doca_core_refusal why = { NULL, NULL, NULL, 0, 0, 0, 0 };
    struct timespec now;

    if (id < 0)
        return DOCA_PRIV_CLOCK_FAIL(NOT_SUPPORTED, CLOCK_NO_HOST, function, NULL);
    errno = 0;
    if (clock_gettime(id, &now) != 0) {
        why.step = "read the clock (clock_gettime)";
        why.error = errno;
        return doca_core_backend_refuse(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_CLOCK_SYSTEM,
                                        function, NULL, &why);
    }
    *value = (uint64_t)now.tv_sec * DOCA_PRIV_CLOCK_SECOND + (uint64_t)now.tv_nsec;
    return DOCA_SUCCESS;
}

/* Read a clock of the host: cycles of the counter, or nanoseconds. `clock_type` is known to be one
 * DOCA_CLOCK_HOST_*. */
DOCA_PRIV_DECL doca_error_t doca_priv_clock_host_read(uint64_t clock_type, const char *function,
                                                      uint64_t *value)
{
    if (clock_type == DOCA_CLOCK_HOST_COUNTER_CYCLES) {
        if (!DOCA_PRIV_CLOCK_HAS_COUNTER)
            return DOCA_PRIV_CLOCK_FAIL(NOT_SUPPORTED, CLOCK_NO_COUNTER, function, NULL);
        *value = doca_priv_clock_counter();
        return DOCA_SUCCESS;
    }
    return doca_priv_clock_system_read(
        clock_type == DOCA_CLOCK_HOST_MONOTONIC       ? DOCA_PRIV_CLOCK_ID_MONOTONIC
        : clock_type == DOCA_CLOCK_HOST_MONOTONIC_RAW ? DOCA_PRIV_CLOCK_ID_MONOTONIC_RAW
                                                      : DOCA_PRIV_CLOCK_ID_REAL_TIME,
        function, value);
}
