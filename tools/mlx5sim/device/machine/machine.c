/* The machine and its clock. */
#include "device/machine/machine.h"

#include <time.h>

struct sim_machine machine;

uint64_t sim_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t sim_cycles(void)
{
    return (uint64_t)((unsigned __int128)sim_now() * machine.profile.core_clock_khz / 1000000);
}
