# DOCA Comch: its names, those of 2.5, and the calls that are refused. Comch uses private functions
# of doca_core.h, so that one file compiles both (impl_all.c). It is compiled in several languages
# and with several check levels.

function(add_comch_test variant level)
  foreach(suite comch_names comch_refused comch_25 comm_channel
      comm_channel_messages comm_channel_processes)
    test_program(${suite}.${variant} test_${suite}.c CXX_LINK
      DEFINE DOCA_CORE_CHECK=${level} IMPL impl.${variant} heap_trap)
    target_include_directories(${suite}.${variant} PRIVATE ${compat})
  endforeach()
endfunction()

add_comch_test(c99 1)
if(NOT few_copies) # with few copies, impl.c++17 is the core without Comch
  add_comch_test(c++17 1)
endif()
if(every_copy)
  add_comch_test(check0 0)
  add_comch_test(check2 2)
endif()
