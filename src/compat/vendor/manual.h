/* doca_core_vendor.h - everything that a program for the vendor's SDK finds behind its headers
 *
 * The build creates doca_dma.h, doca_pe.h and the other names of the vendor's headers. Each of them
 * only includes this header. Every name therefore brings the same declarations: doca_core.h, the
 * log, the argument parser, App Shield, Comch, RDMA, the clocks, the C headers that such programs
 * rely on, and the macros below. The doca_cc names also bring the names that Comch has in 2.5,
 * which programs of later versions do not see otherwise. A program that is linked with the compiled
 * library (CMake, DOCA_CORE_LIBRARY) needs nothing else. Without the library, DO THIS in one C (or
 * C++) file:
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #define DOCA_CORE_LOG_IMPLEMENTATION
 *     #define DOCA_CORE_ARGP_IMPLEMENTATION
 *     #define DOCA_CORE_APSH_IMPLEMENTATION
 *     #define DOCA_CORE_CLOCK_IMPLEMENTATION
 *     #define DOCA_CORE_COMCH_IMPLEMENTATION
 *     #define DOCA_CORE_RDMA_IMPLEMENTATION
 *     #include "doca_core_vendor.h"
 *
 * DOCA_ALLOW_EXPERIMENTAL_API, DOCA_ALLOW_DEPRECATED_API and their older spellings have no effect:
 * this header does not warn about functions of either kind.
 *
 * DOCA_CORE_LEGACY, defined before the first include, selects the 1.x API, without Comch and RDMA.
 *
 * THE SIDE of the process. After the include, either DOCA_ARCH_DPU or DOCA_ARCH_HOST is defined. It
 * is HOST unless the program is compiled with -DDOCA_ARCH_DPU. A program that is compiled with one
 * of the two macros is on that side of the software topology, even though the library was compiled
 * earlier. A program that is compiled with neither sees the devices of both sides. DOCA_CORE_SIDE
 * in the environment and doca_core_sw_set_side() take precedence (see >>sw in doca_core.h). This
 * needs ELF, and gcc or clang. With another compiler, compile the implementation with the macro.
 *
 * Source: programs published with the SDK: the headers that they include and the macros that they
 * test; DOCA Backward Compatibility Policy; API reference, "Version Management".
 *
 * CONTENTS (search for the tag)
 * amalgamate: contents
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/vendor/. Change the
 * parts.
 */
