/* DOCA Comch as code, with the implementation of the core, on which it is built. */
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_COMCH_IMPLEMENTATION
#include "doca_core.h"
#include "tools/compat/doca_core_comch.h"
