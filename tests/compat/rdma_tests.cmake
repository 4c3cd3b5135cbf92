# DOCA RDMA: connections, tasks, memory, addresses, in one process, between processes, and with
# programs that do not keep to the protocol. In the scope "tree" there are also implementations in
# C++, in the checked mode, and without checks of handles.

if(CMAKE_SIZEOF_VOID_P LESS 8)
  return()
endif()
set(rdma_suites rdma_config rdma_more rdma_connect rdma_send rdma_memory rdma_refused rdma_events
  rdma_address rdma_listen rdma_tasks rdma_random rdma_processes rdma_hostile rdma_faults
  rdma_call_faults)

# add_rdma_suites(VARIANT LEVEL SUITES): the programs SUITE.VARIANT with impl.VARIANT. The
# suite rdma_25 uses the forms of 2.5, all others those with a connection argument.
function(add_rdma_suites variant level suites)
  foreach(suite ${suites} rdma_25)
    set(api 30000)
    if(suite STREQUAL "rdma_25")
      set(api 20501)
    endif()
    test_program(${suite}.${variant} test_${suite}.c CXX_LINK SKIPS
      IMPL impl.${variant} heap_trap
      DEFINE DOCA_CORE_CHECK=${level} DOCA_CORE_API=${api})
    target_include_directories(${suite}.${variant} PRIVATE ${compat})
  endforeach()
  if(TARGET rdma_hostile.${variant})
    target_link_options(rdma_hostile.${variant} PRIVATE
      -Wl,--wrap=sendmsg,--wrap=send,--wrap=sendto)
  endif()
endfunction()

add_rdma_suites(c99 1 "${rdma_suites}")
if(NOT few_copies)
  foreach(suite ${rdma_suites} rdma_25) # with fault injection before the devices, without any fault
    if(NOT suite MATCHES "^rdma_(call_)?faults$")
      add_test(NAME ${suite}.fault COMMAND ${suite}.c99)
      can_skip(${suite}.fault ENVIRONMENT "DOCA_CORE_FAULT=log=0")
    endif()
  endforeach()
  add_rdma_suites(c++17 1 "rdma_connect;rdma_send;rdma_memory;rdma_tasks")
  add_rdma_suites(check0 0 "rdma_more;rdma_listen")
  set(suites ${rdma_suites})
  list(REMOVE_ITEM suites rdma_processes)
  add_rdma_suites(check2 2 "${suites}")
endif()

# 1000 kills at random moments, also while the processes connect.
add_kills(rdma_kills rdma_processes.c99 250 killed_peer_gives_one_disconnection
  killed_sender_gives_one_disconnection killed_receiver_gives_one_disconnection
  peer_that_is_killed_while_it_connects_is_noticed_once)

# On emulated RDMA devices: with rings, and through the calls of libibverbs (.verbs). The suites whose
# names begin with rdma_verbs, and rdma_rings, are about these devices only. The suite rdma_machines
# needs two machines: tests/tools/rdma.cmake runs it in two guests.
if(has_emulator)
  foreach(suite rdma_verbs rdma_verbs_end rdma_verbs_sync rdma_verbs_caps rdma_rings rdma_config
      rdma_connect rdma_send rdma_memory rdma_refused rdma_tasks rdma_events rdma_processes rdma_faults
      rdma_call_faults rdma_machines)
    test_program(${suite}.mlx5 test_${suite}.c CXX_LINK NOT_RUN IMPL impl.mlx5 heap_trap
      DEFINE DOCA_CORE_CHECK=1 DOCA_CORE_API=30000 LINK PkgConfig::RDMA_CORE)
    target_include_directories(${suite}.mlx5 PRIVATE ${compat})
    if(suite STREQUAL "rdma_machines")
      continue()
    endif()
    add_emulated_test(${suite}.mlx5 ${suite}.mlx5 "" DOCA_TEST_PART=20)
    add_emulated_test(${suite}.mlx5.verbs ${suite}.mlx5 "" DOCA_TEST_PART=20
      DOCA_CORE_RDMA_ENGINE=verbs)
    if(NOT suite MATCHES "^rdma_(verbs|rings)$")
      rare(${suite}.mlx5.verbs)
    endif()
  endforeach()
  # The program contains the implementations of RDMA and of the mlx5 backend.
  test_program(rdma_trace.mlx5 test_rdma_trace.c CXX_LINK NOT_RUN IMPL ${code_of_trace} heap_trap
    LINK PkgConfig::RDMA_CORE)
  target_include_directories(rdma_trace.mlx5 BEFORE PRIVATE ${header_of_trace} ${compat}
    ${PROJECT_SOURCE_DIR}/tests/mlx5)
  add_emulated_test(rdma_trace.mlx5 rdma_trace.mlx5 "")
  add_emulated_test(rdma_trace.mlx5.verbs rdma_trace.mlx5 "" DOCA_CORE_RDMA_ENGINE=verbs)
  tests_modules(rdma_trace.mlx5 trace)
  tests_modules(rdma_trace.mlx5.verbs trace)
  foreach(suite rdma_send rdma_tasks)
    add_emulated_test(${suite}.mlx5.fault ${suite}.mlx5 "" DOCA_TEST_PART=20 DOCA_CORE_FAULT=log=0)
  endforeach()

  # Connections by address need librdmacm. The program runs on the emulated device with RoCE ports
  # that have addresses; tests/tools/rdma.cmake runs it in the guest of tools/rxe-guest, too.
  find_path(DOCA_CORE_RDMACM_INCLUDE rdma/rdma_cma.h)
  find_library(DOCA_CORE_RDMACM rdmacm)
  if(DOCA_CORE_RDMACM_INCLUDE AND DOCA_CORE_RDMACM)
    add_library(rdma_impl.cm OBJECT rdma_impl_mlx5.c)
    target_compile_options(rdma_impl.cm PRIVATE -std=gnu11 -pedantic -fexceptions ${harness_flags}
      -DDOCA_CORE_CHECK=1 -DDOCA_CORE_RDMA_CM)
    target_link_libraries(rdma_impl.cm PRIVATE doca_core PkgConfig::RDMA_CORE)
    target_include_directories(rdma_impl.cm PRIVATE ${compat} ${support}
      ${PROJECT_SOURCE_DIR}/tests/mlx5)
    target_include_directories(rdma_impl.cm SYSTEM PRIVATE ${DOCA_CORE_RDMACM_INCLUDE})
    foreach(suite rdma_cm rdma_call_faults)
      test_program(${suite}.cm test_${suite}.c CXX_LINK NOT_RUN IMPL rdma_impl.cm heap_trap
        DEFINE DOCA_CORE_CHECK=1 DOCA_CORE_API=30000
        LINK PkgConfig::RDMA_CORE ${DOCA_CORE_RDMACM})
      target_include_directories(${suite}.cm PRIVATE ${compat})
      set(test ${suite}.mlx5)
      if(TEST ${test}) # the suite without librdmacm has this name
        set(test ${suite}.mlx5.cm)
      endif()
      add_test(NAME ${test} COMMAND ${mlx5sim} --strict
        --device name=mlx5_0,pci=0000:03:00.0,netdev=p0,ip=10.0.1.1
        --device name=mlx5_1,pci=0000:03:00.1,netdev=p1,ip=10.0.1.2 -- $<TARGET_FILE:${suite}.cm>)
      can_skip(${test} FIXTURES_REQUIRED emulator ENVIRONMENT "${environment};DOCA_TEST_PART=20")
    endforeach()
  else()
    message(STATUS "No librdmacm: connections by address of RDMA devices are not tested")
  endif()
endif()
