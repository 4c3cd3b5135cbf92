/* The one file that turns doca_core.h into code; the tests, the examples and the library share it. */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"
