# Functions that build test programs and register them as tests.
#
# A test program is linked from two object libraries: test_SUITE.checkN (the cases, compiled once
# for each level of DOCA_CORE_CHECK, because the results that they expect depend on the level) and
# impl.VARIANT (the implementation in doca_core.h). One suite gives these programs and tests:
#   mmap.c11  mmap.c++17   level 1, the implementation compiled as C and as C++
#   mmap.check0            level 0
#   mmap.check2            level 2
# support/scope.cmake says which of these programs a build has.

set(harness_flags ${DOCA_CORE_WARNINGS} ${DOCA_CORE_SANITIZE_FLAGS})

# add_implementation(VARIANT SOURCE FLAG...): add the object library impl.VARIANT.
# -fexceptions: a callback may throw an exception through the C code.
function(add_implementation variant source)
  add_library(impl.${variant} OBJECT ${source})
  target_include_directories(impl.${variant} PRIVATE ${compat})
  target_compile_options(impl.${variant} PRIVATE -pedantic -fexceptions ${harness_flags} ${ARGN})
  target_link_libraries(impl.${variant} PUBLIC doca_core)
endfunction()

# test_program(NAME SOURCE... [IMPL OBJECTS...] [DEFINE MACRO...] [LINK LIBRARY...] [CXX_LINK]
#              [NOT_RUN] [SKIPS])
# Build a program in C11 with the flags of all tests and register it as the test NAME.
#   IMPL      object libraries with the implementation, unless SOURCE contains the implementation
#   CXX_LINK  link as a C++ program: for callbacks that throw, and for implementations in C++
#   NOT_RUN   build it only
#   SKIPS     exit status 77 means "skipped"
# When the target NAME exists already, the function adds its flags and libraries to that target.
function(test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CXX_LINK;NOT_RUN;SKIPS" "" "IMPL;DEFINE;LINK")
  if(NOT TARGET ${name})
    add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  endif()
  target_compile_options(${name} PRIVATE ${harness_flags})
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE ${arg_DEFINE})
  target_link_libraries(${name} PRIVATE doca_core ${arg_IMPL} ${arg_LINK} Threads::Threads
    ${DOCA_CORE_SANITIZE_FLAGS})
  set_target_properties(${name} PROPERTIES C_STANDARD 11)
  if(arg_CXX_LINK)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  if(NOT arg_NOT_RUN)
    add_test(NAME ${name} COMMAND ${name})
    if(arg_SKIPS)
      can_skip(${name})
    endif()
  endif()
endfunction()

# add_suite(NAME [MODULES MODULE...] [LEVELS LEVEL...] [ALSO WAY...]): add the programs and tests of
# test_NAME.c.
#   MODULES  modules of src/modules.txt that the suite tests, for tools/test --module
#   LEVELS   the levels of DOCA_CORE_CHECK at which the suite has cases; default: all
#   ALSO     more ways to run it:
#     fault  through the fault-injection backend, without any fault
#     lean   with an implementation without the optional modules
#     user   as an ordinary user, whose processes may not access those of other users
#     mlx5   on emulated RDMA devices, see emulator.cmake
function(add_suite suite)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "MODULES;LEVELS;ALSO")
  foreach(level ${levels})
    if(arg_LEVELS AND NOT level IN_LIST arg_LEVELS)
      continue()
    endif()
    set(object test_${suite}.check${level})
    add_library(${object} OBJECT test_${suite}.c)
    target_compile_options(${object} PRIVATE ${harness_flags})
    target_compile_definitions(${object} PRIVATE _GNU_SOURCE DOCA_CORE_CHECK=${level})
    target_link_libraries(${object} PRIVATE doca_core)
    set_target_properties(${object} PROPERTIES C_STANDARD 11)
    foreach(variant ${variants_of_check${level}})
      add_suite_program(${suite}.${variant} ${object} impl.${variant})
      add_test(NAME ${suite}.${variant} COMMAND ${suite}.${variant})
      can_skip(${suite}.${variant})
    endforeach()
  endforeach()
  if("fault" IN_LIST arg_ALSO AND NOT few_copies)
    add_test(NAME ${suite}.fault COMMAND ${suite}.${usual})
    can_skip(${suite}.fault ENVIRONMENT "DOCA_CORE_FAULT=log=0")
  endif()
  if("lean" IN_LIST arg_ALSO AND has_tree_tests)
    add_suite_program(${suite}.lean test_${suite}.check1 impl.lean)
    add_test(NAME ${suite}.lean COMMAND ${suite}.lean)
  endif()
  if("user" IN_LIST arg_ALSO AND NOT few_copies)
    add_test(NAME ${suite}.${usual}.user COMMAND ${suite}.${usual})
    can_skip(${suite}.${usual}.user ENVIRONMENT DOCA_TEST_USER=65534)
  endif()
  if("mlx5" IN_LIST arg_ALSO)
    add_emulated_suite(${suite})
  endif()
  tests_modules(${suite} ${arg_MODULES})
endfunction()

# share_private_code(HEADER): write the copies of the header that visible.py describes, and set
# code_directory and declared_directory to their places. A suite that includes HEADER with its
# implementation holds the code itself in deep tests only. Otherwise one object has the code for all
# such suites, because compiling it takes longer than compiling the suite.
function(share_private_code header)
  set(copies ${CMAKE_CURRENT_BINARY_DIR}/visible)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header} ${support}/visible.py)
  execute_process(COMMAND ${DOCA_CORE_PYTHON} -B ${support}/visible.py ${header} ${copies}
    COMMAND_ERROR_IS_FATAL ANY)
  set(code_directory ${copies}/code PARENT_SCOPE)
  set(declared_directory ${copies}/declared PARENT_SCOPE)
endfunction()

# add_suite_program(NAME OBJECT...): link a test program from object libraries, without adding a
# test
function(add_suite_program name)
  add_executable(${name})
  target_link_libraries(${name} PRIVATE ${ARGN} heap_trap Threads::Threads
    ${DOCA_CORE_SANITIZE_FLAGS})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

# add_tsan_program(SUITE [LIBRARY...]): add the program SUITE.tsan, in which suite and
# implementation are compiled with ThreadSanitizer. The program is left out when this build uses
# other sanitizers, and when the compiler has no ThreadSanitizer.
function(add_tsan_program suite)
  if(NOT DOCA_CORE_HAS_TSAN OR DOCA_CORE_SANITIZE OR few_copies)
    return()
  endif()
  if(NOT TARGET impl.tsan)
    add_implementation(tsan ${support}/impl_all.c -std=c11 -fsanitize=thread)
  endif()
  if(suite STREQUAL "threads")
    add_program_without_code(threads.tsan impl.tsan test_threads.c)
  else()
    add_executable(${suite}.tsan test_${suite}.c ${support}/heap_trap.c)
    target_link_libraries(${suite}.tsan PRIVATE impl.tsan)
  endif()
  target_compile_options(${suite}.tsan PRIVATE ${harness_flags} -fsanitize=thread)
  target_compile_definitions(${suite}.tsan PRIVATE _GNU_SOURCE)
  target_link_libraries(${suite}.tsan PRIVATE doca_core Threads::Threads ${ARGN} -fsanitize=thread)
  set_target_properties(${suite}.tsan PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
endfunction()

# add_fixed_layout_test(NAME PROGRAM): old ThreadSanitizers need an address space that is not
# randomised; use setarch -R where the kernel permits it.
function(add_fixed_layout_test name program)
  add_test(NAME ${name} COMMAND sh -c
    "setarch -R true 2>/dev/null && exec setarch -R ${program}; exec ${program}")
endfunction()

# add_kills(NAME PROGRAM NUMBER CASE...): add the slow test NAME, in which each of these cases of the
# program kills NUMBER processes. On a busy core, a kill takes up to 90 ms.
function(add_kills name program number)
  if(NOT TARGET ${program})
    return()
  endif()
  add_test(NAME ${name} COMMAND ${program} ${ARGN})
  can_skip(${name} TIMEOUT 600 ENVIRONMENT DOCA_TEST_KILLS=${number})
  slow(${name})
endfunction()

# Two functions for a program that a test compiles, in the scope "tree" only:
#   add_built_test(NAME COMMAND...): add the test NAME.build, whose COMMAND compiles the program
#   run_built_test(NAME COMMAND...): add the test NAME, whose COMMAND runs the program. The test
#                                    runs after NAME.build, and only if that test passes (fixture
#                                    NAME).
function(add_built_test name)
  add_tree_test(${name}.build ${ARGN})
  set_tests_properties(${name}.build PROPERTIES FIXTURES_SETUP ${name})
endfunction()
function(run_built_test name)
  add_tree_test(${name} ${ARGN})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${name})
endfunction()
