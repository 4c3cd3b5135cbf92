/* Compiles the implementation in both headers. This file does not use the API of 1.x itself. */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core_legacy.h"
