# DOCA Comch: its names, those of 2.5, and the calls that are refused. Comch uses private functions
# of doca_core.h, so that one file compiles both; it is compiled in several languages and with
# several check levels.

file(CONFIGURE OUTPUT comch_impl.cc CONTENT "#include \"@CMAKE_CURRENT_SOURCE_DIR@/comch_impl.c\"\n"
  @ONLY)
function(add_comch_test variant level source)
  add_library(comch_impl.${variant} OBJECT ${source})
  target_compile_options(comch_impl.${variant} PRIVATE -pedantic -fexceptions ${harness_flags}
    ${ARGN} -DDOCA_CORE_CHECK=${level})
  target_link_libraries(comch_impl.${variant} PRIVATE doca_core)
  foreach(suite comch_names comch_refused comch_25 comm_channel
      comm_channel_messages comm_channel_processes)
    test_program(${suite}.${variant} test_${suite}.c CXX_LINK
      DEFINE DOCA_CORE_CHECK=${level} IMPL comch_impl.${variant} heap_trap)
    target_include_directories(${suite}.${variant} PRIVATE ${compat})
  endforeach()
endfunction()

add_comch_test(c99 1 comch_impl.c -std=c99)
if(NOT few_copies)
  add_comch_test(c++17 1 ${CMAKE_CURRENT_BINARY_DIR}/comch_impl.cc -std=c++17)
endif()
if(every_copy)
  add_comch_test(check0 0 comch_impl.c -std=c11)
  add_comch_test(check2 2 comch_impl.c -std=c11)
endif()
