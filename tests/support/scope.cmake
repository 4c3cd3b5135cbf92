# Which tests this build has (the scope), and in how many configurations it compiles the
# implementation.
#
# DOCA_CORE_TEST_SCOPE keeps the three presets from doing the same work three times. The preset
# "test" has the widest scope, "tree". A preset with a narrower scope leaves out the tests whose
# result cannot differ there:
#   add_tree_test      tools, and tests that bring their own compiler: only in the scope "tree"
#   add_compiler_test  files compiled without the flags of this build: not in the scope "build"
#   add_test           programs built here: in every scope

set(has_tree_tests OFF)
if(DOCA_CORE_TEST_SCOPE STREQUAL "tree")
  set(has_tree_tests ON)
endif()

# Compiling the implementation takes most of the time, so the scope "tree" compiles most of its
# configurations and the other scopes only a few. Deep tests (DOCA_CORE_TEST_DEEP) compile all of
# them in every preset, and their programs hold the implementation themselves (own_code).
set(every_copy ${DOCA_CORE_TEST_DEEP})
set(few_copies ON)
if(has_tree_tests OR DOCA_CORE_TEST_DEEP)
  set(few_copies OFF)
endif()

# levels              values of DOCA_CORE_CHECK for which each suite is compiled
# variants_of_checkN  implementations with which a suite of level N is linked
# usual               the variant for a program that needs only one
#
# The header tests __cplusplus but never the version of C, so C99 and C11 give the same code; the
# test header.c99_is_c11 checks that. Under sanitizers the suites use the implementation compiled as
# C++, and on the emulated devices the implementation compiled as C.
set(levels 1 0 2)
set(variants_of_check1 c11 c++17)
set(variants_of_check0 check0)
set(variants_of_check2 check2)
if(DOCA_CORE_TEST_DEEP)
  list(PREPEND variants_of_check1 c99)
elseif(few_copies)
  set(levels 1)
  set(variants_of_check1 c11)
  if(DOCA_CORE_TEST_SCOPE STREQUAL "build")
    set(variants_of_check1 c++17)
  endif()
endif()
set(usual c11)
if(NOT usual IN_LIST variants_of_check1)
  set(usual c++17)
endif()

set(compiler_environment "CC=${CMAKE_C_COMPILER};CXX=${CMAKE_CXX_COMPILER}")

# add_compiler_test(NAME COMMAND...): add a test, except in the scope "build"
function(add_compiler_test name)
  if(NOT DOCA_CORE_TEST_SCOPE STREQUAL "build")
    add_script_test(${name} ${ARGN})
  endif()
endfunction()

# add_tree_test(NAME COMMAND...): add a test in the scope "tree" only
function(add_tree_test name)
  if(has_tree_tests)
    add_compiler_test(${name} ${ARGN})
  endif()
endfunction()

# add_script_test(NAME COMMAND...): add a test whose environment variables CC and CXX name the
# compilers of this build
function(add_script_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${compiler_environment}")
endfunction()

# add_skipped_test(NAME REASON): add a test that prints the reason and is skipped, in the place of
# tests that cannot run on this machine
function(add_skipped_test name reason)
  add_test(NAME ${name} COMMAND sh -c "echo 'skipped: ${reason}'; exit 77")
  can_skip(${name})
endfunction()

# can_skip(NAME [PROPERTY VALUE]...): let exit status 77 of the test mean "skipped", and set these
# properties of the test. Does nothing when the test does not exist.
function(can_skip name)
  if(NOT TEST ${name})
    return()
  endif()
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  foreach(property RANGE 1 ${ARGC} 2) # arguments are taken in pairs, as values may be lists
    math(EXPR value "${property} + 1")
    if(value LESS ARGC)
      set_tests_properties(${name} PROPERTIES ${ARGV${property}} "${ARGV${value}}")
    endif()
  endforeach()
endfunction()

# Two functions for tests that take long for the faults they can find. The test presets leave these
# tests out. Deep tests run everything and have no such label.
#   slow(NAME...)  the row "slow" of tools/test --long runs these tests, and CI runs that row
#   rare(NAME...)  the row "rare" runs these tests, once a day: they repeat, with other compilers,
#                  engines or machines, what other tests show
function(slow)
  label_tests(slow ${ARGN})
endfunction()
function(rare)
  label_tests(rare ${ARGN})
endfunction()
function(label_tests label)
  foreach(name ${ARGN})
    if(TEST ${name} AND NOT DOCA_CORE_TEST_DEEP)
      set_property(TEST ${name} APPEND PROPERTY LABELS ${label})
    endif()
  endforeach()
endfunction()
