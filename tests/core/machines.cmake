# Tests of the library without an operating system, and with 32-bit pointers. tools/portability has
# more rows, which take longer: the suites on 32-bit machines, on big-endian machines, and on
# AArch64.

# The implementation is compiled for a machine without an operating system. The rest of the program
# is an ordinary one, which checks that features that need a system return NOT_SUPPORTED.
if(NOT few_copies)
  test_program(freestanding test_freestanding.c IMPL impl.freestanding heap_trap)
endif()

# A program with 32-bit pointers, where the compiler can build it. It needs no 32-bit C library. It
# is optimized in deep tests only: tools/portability runs the suites with 32-bit pointers, optimized.
set(level_of_narrow -O0)
if(DOCA_CORE_TEST_DEEP)
  set(level_of_narrow -O1)
endif()
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$"
   AND NOT DOCA_CORE_SANITIZE AND NOT few_copies)
  add_test(NAME header.c11.narrow COMMAND ${CMAKE_C_COMPILER} -m32 -std=c11 ${level_of_narrow} -pedantic
    ${DOCA_CORE_WARNINGS} -ffreestanding -fno-stack-protector -fno-pie -nostdlib -static
    -I${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/test_bare.c -o narrow)
  set_tests_properties(header.c11.narrow PROPERTIES FIXTURES_SETUP narrow)
  set(run_narrow ${CMAKE_CURRENT_BINARY_DIR}/narrow)
  if(DOCA_CORE_PYTHON)
    list(PREPEND run_narrow ${DOCA_CORE_PYTHON} -B ${support}/run_if_kernel_can.py)
  endif()
  add_test(NAME narrow COMMAND ${run_narrow})
  can_skip(narrow FIXTURES_REQUIRED narrow)
endif()

foreach(row bare.aarch64 bare.arm short_enums.gcc)
  add_tree_test(portability.${row} ${tools}/portability
    --dir ${PROJECT_BINARY_DIR}/tests/portability ${row})
  can_skip(portability.${row})
  rare(portability.${row})
endforeach()
