/* DOCA Clock as code, beside the implementation of the core. */
#define DOCA_CORE_CLOCK_IMPLEMENTATION
#include "tools/compat/doca_core_clock.h"
