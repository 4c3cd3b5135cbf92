# Tests that run the programs of the mlx5 backend on emulated devices. support/emulator.cmake does
# the same with the suites.

add_test(NAME emulator.build COMMAND ${mlx5sim} --build)
can_skip(emulator.build FIXTURES_SETUP emulator ENVIRONMENT "${environment}")
set(impl_mlx5 ../compat/impl_all_mlx5.c) # with Comch and RDMA
if(CMAKE_SIZEOF_VOID_P LESS 8)
  set(impl_mlx5 impl_mlx5.c)
endif()
add_implementation(mlx5 ${impl_mlx5} -std=gnu11)
target_include_directories(impl.mlx5 PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(impl.mlx5 PUBLIC PkgConfig::RDMA_CORE)

# A doorbell returns when the device has executed all requests (sync), or at once (async). The third
# test uses a device without MMO.
foreach(way sync async)
  add_emulated_test(mlx5.c11.mlx5sim.${way} mlx5.c11 "--doorbells;${way};--strict")
endforeach()
add_emulated_test(mlx5.c11.mlx5sim.no_mmo mlx5.c11 "--no-mmo;--strict")

# The device injects a fault while tasks are in flight. Each test expects the number of starts and
# the result that the case prints for its last round.
foreach(fault error:20:4:0x51 delay:30:300000 fatal:20)
  string(REGEX MATCH "^[a-z]+" name ${fault})
  foreach(program mlx5.c11 mlx5_sync_event)
    set(all "16 of 16")
    if(program STREQUAL mlx5_sync_event)
      set(all "8 of 8")
    endif()
    set(outcome_of_error "2 starts; the last round: DOCA_SUCCESS, ${all} done.*1 passed, 0 failed")
    set(outcome_of_delay "1 starts; the last round: DOCA_SUCCESS, ${all} done.*1 passed, 0 failed")
    set(outcome_of_fatal "1 starts; the last round: DOCA_ERROR_DRIVER.*1 passed, 0 failed")
    add_test(NAME ${program}.fault.${name} COMMAND ${mlx5sim} --doorbells async --fault ${fault}
      -- $<TARGET_FILE:${program}> every_task_ends_once)
    can_skip(${program}.fault.${name} FIXTURES_REQUIRED emulator
      PASS_REGULAR_EXPRESSION "${outcome_of_${name}}" ENVIRONMENT "${environment}")
  endforeach()
endforeach()

# A device that fails permanently, in a separate run for each case. The case "watched" runs with
# ThreadSanitizer.
add_emulated_test(mlx5_failure.sim mlx5_failure "--strict")
if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # clang links ThreadSanitizer before the emulator's library
  add_tsan_program(mlx5_failure PkgConfig::RDMA_CORE)
endif()
set(cases_of_failure every_context_stops device_wakes_sleepers_after_watching_queues_closed
  program_passes_on_the_event_of_the_failure failure_is_found_when_no_event_is_passed_on
  contexts_of_every_thread_stop)
foreach(case ${cases_of_failure} watched)
  set(program mlx5_failure)
  set(doorbells async)
  if(case STREQUAL "every_context_stops") # this case needs tasks in flight when the device fails
    set(doorbells sync)
  endif()
  if(case STREQUAL "watched")
    set(program mlx5_failure.tsan)
    set(case contexts_of_every_thread_stop)
  endif()
  foreach(engine ${engines})
    if(TARGET ${program})
      add_test(NAME ${program}.${engine}.${case} COMMAND ${mlx5sim} --doorbells ${doorbells}
        --strict --fault fatal:400 ${options_of_${engine}} -- $<TARGET_FILE:${program}> ${case})
      set_tests_properties(${program}.${engine}.${case} PROPERTIES FIXTURES_REQUIRED emulator
        PASS_REGULAR_EXPRESSION "1 passed, 0 failed, 0 skipped"
        FAIL_REGULAR_EXPRESSION "ThreadSanitizer"
        ENVIRONMENT "${environment};DOCA_TEST_FAULT=fatal;DOCA_CORE_MLX5_ENGINE=${engine}")
    endif()
  endforeach()
endforeach()

# Representors
foreach(suite representor representor_open topology)
  add_suite_program(${suite}.mlx5 test_${suite}.check1 impl.mlx5)
  add_test(NAME ${suite}.mlx5 COMMAND ${mlx5sim} ${functions_of_both_sides} --
    $<TARGET_FILE:${suite}.mlx5>)
  can_skip(${suite}.mlx5 FIXTURES_REQUIRED emulator
    ENVIRONMENT "${environment};DOCA_TEST_PART=20")
  tests_modules(${suite} rep mlx5)
endforeach()

# Compare the numbers of instructions of a copy, and of an RDMA write, with those of libmlx5's own
# calls. Left out with sanitizers, because they add instructions.
find_path(DOCA_CORE_VALGRIND valgrind/callgrind.h)
if(DOCA_CORE_VALGRIND AND NOT few_copies AND NOT DOCA_CORE_SANITIZE)
  foreach(name mlx5_instructions rdma_instructions)
    set(program bench.${name})
    add_executable(${program} EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/${name}.c)
    # -gdwarf-4: valgrind 3.19 cannot read clang's default
    target_compile_options(${program} PRIVATE ${DOCA_CORE_WARNINGS} -O2 -gdwarf-4)
    target_include_directories(${program} SYSTEM PRIVATE ${DOCA_CORE_VALGRIND})
    target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/tools/compat)
    target_link_libraries(${program} PRIVATE doca_core PkgConfig::RDMA_CORE)
    set_target_properties(${program} PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
    add_test(NAME ${program} COMMAND ${DOCA_CORE_PYTHON} -B
      ${CMAKE_CURRENT_SOURCE_DIR}/test_${name}.py ${mlx5sim} $<TARGET_FILE:${program}>)
    add_test(NAME ${program}.build COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR}
      --target ${program})
    set_tests_properties(${program}.build PROPERTIES FIXTURES_SETUP ${program})
    can_skip(${program} TIMEOUT 240 FIXTURES_REQUIRED "emulator;${program}"
      ENVIRONMENT "${environment}")
    slow(${program}.build ${program})
  endforeach()
elseif(NOT few_copies)
  add_skipped_test(bench.mlx5_instructions "no valgrind/callgrind.h, or with sanitizers")
  add_skipped_test(bench.rdma_instructions "no valgrind/callgrind.h, or with sanitizers")
endif()

# Each reading of the core clock is a fault that the emulator answers. With --doorbells poll it writes
# the page of the clock from time to time instead, so that the clock stands still between two writes.
add_emulated_test(mlx5_clock.sim mlx5_clock "--strict")

# These programs test every engine in one run, and accept completions at any time.
foreach(program mlx5_fuzz mlx5_wake)
  add_emulated_test(${program}.sim ${program} "--doorbells;async;--strict")
endforeach()
foreach(program mlx5_export mlx5_export_processes mlx5_dm mlx5_bridge mlx5_sync_event)
  foreach(engine mmo rc)
    add_emulated_test(${program}.sim.${engine} ${program} "--strict;${options_of_${engine}}")
  endforeach()
endforeach()
add_test(NAME mlx5_export_processes.sim.user COMMAND ${support}/as_ordinary_user.sh
  ${mlx5sim} ${functions} -- $<TARGET_FILE:mlx5_export_processes>)
can_skip(mlx5_export_processes.sim.user)
slow(mlx5_export_processes.sim.user)
