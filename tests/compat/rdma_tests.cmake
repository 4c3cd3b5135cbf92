# DOCA RDMA: connections, tasks, memory, addresses, in one process, between processes, and with
# programs that do not keep to the protocol. RDMA uses private functions of doca_core.h, so that one
# file compiles both; in the scope "tree" there are also copies in C++, in the checked mode, and without checks of handles.

if(CMAKE_SIZEOF_VOID_P LESS 8 OR NOT EXISTS ${compat}/doca_core_rdma.h)
  return()
endif()
set(rdma_suites rdma_config rdma_more rdma_connect rdma_send rdma_memory rdma_refused rdma_events rdma_address rdma_listen rdma_tasks
  rdma_processes rdma_hostile)

file(CONFIGURE OUTPUT rdma_impl.cc CONTENT "#include \"@CMAKE_CURRENT_SOURCE_DIR@/rdma_impl.c\"\n"
  @ONLY)

# add_rdma_suites(VARIANT LEVEL SOURCE SUITES [FLAG...]): the implementation compiled from SOURCE with
# these flags, and the programs SUITE.VARIANT. The suite rdma_25 uses the forms of 2.5, all others
# those with a connection argument.
function(add_rdma_suites variant level source suites)
  add_library(rdma_impl.${variant} OBJECT ${source})
  target_compile_options(rdma_impl.${variant} PRIVATE -pedantic -fexceptions ${harness_flags}
    ${ARGN} -DDOCA_CORE_CHECK=${level})
  target_link_libraries(rdma_impl.${variant} PRIVATE doca_core)
  target_include_directories(rdma_impl.${variant} PRIVATE ${compat})
  foreach(suite ${suites} rdma_25)
    set(api 30000)
    if(suite STREQUAL "rdma_25")
      set(api 20501)
    endif()
    test_program(${suite}.${variant} test_${suite}.c CXX_LINK SKIPS
      IMPL rdma_impl.${variant} heap_trap
      DEFINE DOCA_CORE_CHECK=${level} DOCA_CORE_API=${api})
    target_include_directories(${suite}.${variant} PRIVATE ${compat})
  endforeach()
  if(TARGET rdma_hostile.${variant})
    target_link_options(rdma_hostile.${variant} PRIVATE
      -Wl,--wrap=sendmsg,--wrap=send,--wrap=sendto)
  endif()
endfunction()

add_rdma_suites(c99 1 rdma_impl.c "${rdma_suites}" -std=c99)
if(NOT few_copies)
  add_rdma_suites(c++17 1 ${CMAKE_CURRENT_BINARY_DIR}/rdma_impl.cc
    "rdma_connect;rdma_send;rdma_memory;rdma_tasks" -std=c++17)
  add_rdma_suites(check0 0 rdma_impl.c "rdma_more;rdma_listen" -std=c99)
  set(suites ${rdma_suites})
  list(REMOVE_ITEM suites rdma_processes)
  add_rdma_suites(check2 2 rdma_impl.c "${suites}" -std=c99)
endif()
