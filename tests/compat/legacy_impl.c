/* The file with the code of both headers; it is no program of 1.x itself. */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core_legacy.h"
