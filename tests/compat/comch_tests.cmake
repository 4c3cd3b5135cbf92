# DOCA Comch: the control path, consumers and producers, in one process, with threads, between
# processes, and with peers that do not keep to the protocol. The implementations are those of
# the core suites; in the scope "tree" there is also one in the checked mode.

if(CMAKE_SIZEOF_VOID_P LESS 8)
  return()
endif()
set(comch_suites comch_config comch_control comch_messages comch_callbacks comch_data comch_tasks
  comch_epoll comch_fair comch_threads comch_hostile comch_processes comch_faults)

# wrap_sends(PROGRAM): the program replaces the calls of the library that send on sockets
function(wrap_sends program)
  target_link_options(${program} PRIVATE -Wl,--wrap=sendmsg,--wrap=send,--wrap=sendto)
endfunction()

# add_comch_suites(VARIANT SUITES [DEFINITION...]): the programs SUITE.VARIANT
function(add_comch_suites variant suites)
  foreach(suite ${suites})
    test_program(${suite}.${variant} test_${suite}.c CXX_LINK SKIPS
      IMPL impl.${variant} heap_trap DEFINE ${ARGN})
    target_include_directories(${suite}.${variant} PRIVATE ${compat})
  endforeach()
  if(TARGET comch_hostile.${variant})
    wrap_sends(comch_hostile.${variant})
  endif()
endfunction()

add_comch_suites(c99 "${comch_suites}")
if(NOT few_copies) # with fault injection before the devices, without any fault
  foreach(suite ${comch_suites})
    if(NOT suite STREQUAL "comch_faults")
      add_test(NAME ${suite}.fault COMMAND ${suite}.c99)
      can_skip(${suite}.fault ENVIRONMENT "DOCA_CORE_FAULT=log=0")
    endif()
  endforeach()
endif()
if(NOT few_copies) # with few copies, impl.c++17 is the core without Comch
  add_comch_suites(c++17 "comch_control;comch_messages;comch_data;comch_tasks")
endif()
if(TARGET impl.check2)
  set(suites ${comch_suites})
  list(REMOVE_ITEM suites comch_processes)
  add_comch_suites(check2 "${suites}" DOCA_CORE_CHECK=2)
endif()

# Recordings of Comch and RDMA. The program contains their implementations.
test_program(local_trace test_local_trace.c IMPL ${code_of_trace} heap_trap SKIPS)
target_include_directories(local_trace BEFORE PRIVATE ${header_of_trace} ${compat})
tests_modules(local_trace trace)

# Stops in the middle of a send, and slots with invalid content. The program contains the
# implementations.
test_program(comch_ring test_comch_ring.c IMPL heap_trap SKIPS)
target_include_directories(comch_ring PRIVATE ${compat})

# 1000 kills at random moments, of either side, without and with a fast path.
add_kills(comch_kills.control comch_processes.c99 500 killed_client_gives_one_disconnect_event
  client_of_a_killed_server_leaves_running)
add_kills(comch_kills.data comch_processes.c99 500
  killed_client_with_a_fast_path_gives_one_disconnect_event
  client_with_a_fast_path_of_a_killed_server_leaves_running)

# The threads under ThreadSanitizer
add_tsan_program(comch_threads)
if(TARGET comch_threads.tsan)
  target_include_directories(comch_threads.tsan PRIVATE ${compat})
  add_fixed_layout_test(comch_threads.tsan ./comch_threads.tsan)
endif()

# On an emulated card with the functions of a DPU and its host: servers on a PF of the DPU with
# representors, clients on functions of the host.
if(has_emulator)
  foreach(suite ${comch_suites} comm_channel comm_channel_messages comm_channel_processes)
    test_program(${suite}.mlx5 test_${suite}.c CXX_LINK NOT_RUN IMPL impl.mlx5 heap_trap
      DEFINE DOCA_CORE_CHECK=1 LINK PkgConfig::RDMA_CORE)
    target_include_directories(${suite}.mlx5 PRIVATE ${compat})
    add_test(NAME ${suite}.mlx5 COMMAND ${mlx5sim} ${functions_of_both_sides} --
      $<TARGET_FILE:${suite}.mlx5>)
    can_skip(${suite}.mlx5 FIXTURES_REQUIRED emulator
      ENVIRONMENT "${environment};DOCA_TEST_PART=20")
  endforeach()
  wrap_sends(comch_hostile.mlx5)
  # a card with a DPU, and a card without
  test_program(comch_card.mlx5 test_comch_card.c CXX_LINK NOT_RUN IMPL impl.mlx5 heap_trap
    DEFINE DOCA_CORE_CHECK=1 LINK PkgConfig::RDMA_CORE)
  target_include_directories(comch_card.mlx5 PRIVATE ${compat})
  foreach(card bluefield=2 bluefield=3 connectx=6 connectx=7)
    string(REGEX REPLACE "=.*" "" type ${card})
    string(REPLACE "=" "" name ${card})
    add_emulated_test(comch_card.mlx5.${name} comch_card.mlx5 "--${card}" DOCA_TEST_CARD=${type})
  endforeach()
endif()
