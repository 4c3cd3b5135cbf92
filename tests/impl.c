/* The one file that turns doca_core.h into code, for the tests. */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

/* Is it C++, in which an enumeration has no other values than its own? */
#ifdef __cplusplus
extern "C" {
#endif
extern const bool test_impl_is_cxx;
#ifdef __cplusplus
const bool test_impl_is_cxx = true;
}
#else
const bool test_impl_is_cxx = false;
#endif
