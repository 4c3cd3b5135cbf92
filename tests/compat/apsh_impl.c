/* App Shield as code, beside the implementation of the core. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "tools/compat/doca_core_apsh.h"
