# Compile doca_core.h alone, as declarations and as implementation, in each version of C and C++ and
# in each configuration.

add_header_file()
add_tree_test(header.c99_is_c11 sh -c
  "! grep -n __STDC_VERSION__ ${PROJECT_SOURCE_DIR}/doca_core.h")
foreach(standard c99 c17 c++11 c++14 c++17 c++20)
  get_compiler(compiler ${standard})
  add_header_test(${standard}.api "${compiler}" -std=${standard})
  add_header_test(${standard}.impl "${compiler}" -std=${standard} -DDOCA_CORE_IMPLEMENTATION)
endforeach()
if(DOCA_CORE_TEST_DEEP)
  add_header_test(c99.impl_o3 "${compiler_c}" -std=c99 -O3 -DDOCA_CORE_IMPLEMENTATION)
  add_header_test(c++17.impl_o3 "${compiler_c++}" -std=c++17 -O3 -DDOCA_CORE_IMPLEMENTATION)
endif()
if(DPDK_FOUND) # DPDK's headers are GNU C, and -isystem hides the warnings that they cause
  list(TRANSFORM DPDK_INCLUDE_DIRS PREPEND -isystem OUTPUT_VARIABLE dpdk_flags)
  list(APPEND dpdk_flags ${DPDK_CFLAGS_OTHER} -DDOCA_CORE_IMPLEMENTATION -DDOCA_CORE_DPDK)
  add_header_test(gnu99.dpdk "${compiler_c}" -std=gnu99 ${dpdk_flags})
  add_header_test(gnu++17.dpdk "${compiler_c++}" -std=gnu++17 ${dpdk_flags})
endif()

# Each configuration compiles. A program of each configuration that can run on this machine also
# makes a copy. It is not optimized, because the programs of the other tests are.
set(not_optimized)
if(NOT DOCA_CORE_TEST_DEEP)
  set(not_optimized -O0)
endif()
set(configurations STATIC NO_LOG NO_SIMD NO_FAULT SINGLE_THREAD FREESTANDING CHECK=0 CHECK=2
  API=30000 DEFAULT_ARENA_BYTES=0)
foreach(configuration ${configurations})
  set(flags -DDOCA_CORE_IMPLEMENTATION -DDOCA_CORE_${configuration})
  if(configuration STREQUAL FREESTANDING)
    list(APPEND flags -ffreestanding)
  endif()
  string(TOLOWER ${configuration} name)
  string(REPLACE = "_" name ${name})
  foreach(standard c99 c++17)
    get_compiler(compiler ${standard})
    add_header_test(${standard}.${name} "${compiler}" -std=${standard} ${flags})
  endforeach()
  if(NOT configuration STREQUAL FREESTANDING AND (every_copy OR
      (configuration STREQUAL NO_SIMD AND NOT DOCA_CORE_TEST_SCOPE STREQUAL "build")))
    add_executable(copy.${name} two_files_main.c)
    target_compile_options(copy.${name} PRIVATE -std=c99 -pedantic ${harness_flags} ${flags}
      ${lean_for_own_code} ${not_optimized})
    target_link_libraries(copy.${name} PRIVATE doca_core ${DOCA_CORE_SANITIZE_FLAGS})
    add_test(NAME copy.${name} COMMAND copy.${name})
  endif()
endforeach()
