/* The file that compiles the implementation in doca_core.h, for the tests. */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"
