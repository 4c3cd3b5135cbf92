# DOCA Comch: the control path, consumers and producers, in one process, with threads, between
# processes, and with peers that do not keep to the protocol.
#
# impl.comch is the implementation of the core and of the channel in one file, compiled as C; in the
# scope "tree" there are also impl.comch++ (compiled as C++) and impl.comch2 (the checked mode).

if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR CMAKE_SIZEOF_VOID_P LESS 8)
  return()
endif()
set(comch_suites comch_config comch_control comch_messages comch_callbacks comch_data comch_tasks
  comch_epoll comch_processes comch_threads comch_hostile)

# add_comch_tests(VARIANT IMPLEMENTATION DEFINITION...): the programs comch_SUITE.VARIANT
function(add_comch_tests variant implementation)
  foreach(suite ${comch_suites})
    test_program(${suite}.${variant} test_${suite}.c CXX_LINK SKIPS
      IMPL ${implementation} heap_trap DEFINE ${ARGN})
    target_include_directories(${suite}.${variant} PRIVATE ${compat})
  endforeach()
  target_link_options(comch_hostile.${variant} PRIVATE
    -Wl,--wrap=sendmsg,--wrap=send,--wrap=sendto)
endfunction()

file(CONFIGURE OUTPUT comch_impl.cc @ONLY
  CONTENT "#include \"@CMAKE_CURRENT_SOURCE_DIR@/comch_impl.c\"\n")
if(TARGET impl.c11)
  add_implementation(comch comch_impl.c -std=c11)
  add_comch_tests(c11 impl.comch)
endif()
if(TARGET impl.c++17)
  add_implementation(comch++ ${CMAKE_CURRENT_BINARY_DIR}/comch_impl.cc -std=c++17)
  add_comch_tests(c++17 impl.comch++)
endif()
if(NOT few_copies)
  add_implementation(comch2 comch_impl.c -std=c11 -DDOCA_CORE_CHECK=2)
  add_comch_tests(check2 impl.comch2 DOCA_CORE_CHECK=2)
endif()

# The threads under ThreadSanitizer. The implementation is compiled into the program.
if(DOCA_CORE_HAS_TSAN AND NOT DOCA_CORE_SANITIZE AND NOT few_copies)
  add_executable(comch_threads.tsan test_comch_threads.c comch_impl.c ${support}/heap_trap.c)
  target_compile_options(comch_threads.tsan PRIVATE ${harness_flags} -fsanitize=thread)
  target_compile_definitions(comch_threads.tsan PRIVATE _GNU_SOURCE)
  target_include_directories(comch_threads.tsan PRIVATE ${compat})
  target_link_libraries(comch_threads.tsan PRIVATE doca_core Threads::Threads -fsanitize=thread)
  set_target_properties(comch_threads.tsan PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
  add_fixed_layout_test(comch_threads.tsan ./comch_threads.tsan)
endif()
