/* The one file that turns doca_core.h into code, for the tests. */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"
