# test_threads.c makes the calls that any thread may make, from several threads at once. It runs in
# an ordinary build, under ThreadSanitizer, and on AArch64. QEMU on x86 does not show the weaker
# memory order of AArch64, so the run in QEMU finds only errors that occur in every memory order;
# litmus.aarch64 checks the instructions.

set(threads_c ${CMAKE_CURRENT_SOURCE_DIR}/test_threads.c)
set(threads_flags -std=gnu11 ${DOCA_CORE_WARNINGS} -D_GNU_SOURCE -I${PROJECT_SOURCE_DIR}
  -I${support} -pthread)

if(own_code)
  add_executable(threads test_threads.c)
else()
  add_program_without_code(threads impl.c11 test_threads.c)
endif()
test_program(threads)

# The same program, linked with the compiled library: once with the calls that the header inlines,
# and once with calls of the library's functions.
if(TARGET doca_core_static)
  foreach(calls inlined called)
    set(program threads.library_${calls})
    add_program_without_code(${program} doca_core_static test_threads.c)
    target_compile_options(${program} PRIVATE ${harness_flags})
    target_compile_definitions(${program} PRIVATE _GNU_SOURCE)
    target_link_libraries(${program} PRIVATE Threads::Threads ${DOCA_CORE_SANITIZE_FLAGS})
    set_target_properties(${program} PROPERTIES C_STANDARD 11)
    add_test(NAME ${program} COMMAND ${program})
  endforeach()
  target_compile_options(threads.library_inlined PRIVATE -O2)
  target_compile_definitions(threads.library_called PRIVATE DOCA_CORE_NO_INLINE)
endif()

add_tsan_program(threads)
if(TARGET threads.tsan)
  add_fixed_layout_test(threads.tsan ./threads.tsan)
elseif(NOT DOCA_CORE_HAS_TSAN)
  add_skipped_test(threads.tsan "no ThreadSanitizer here")
endif()

# A build in which the library counts buffers; and the checked mode, which shares more between
# threads.
if(has_tree_tests AND DOCA_CORE_HAS_TSAN)
  set(flags_of_tsan_library -O1 -DDOCA_CORE_SHARED_MMAPS=1)
  set(flags_of_tsan_check2 -O1 -DDOCA_CORE_CHECK=2)
  foreach(program tsan_library tsan_check2)
    add_built_test(threads.${program} ${CMAKE_C_COMPILER} ${threads_flags} -g1 -fsanitize=thread
      ${flags_of_${program}} ${threads_c} -o threads.${program})
    add_fixed_layout_test(threads.${program} ./threads.${program})
    set_tests_properties(threads.${program} PROPERTIES FIXTURES_REQUIRED threads.${program})
  endforeach()
  rare(threads.tsan_check2.build threads.tsan_check2)
endif()

if(runs_aarch64)
  add_built_test(threads.aarch64 ${DOCA_CORE_CC_AARCH64} ${threads_flags} ${level_of_aarch64}
    -static ${threads_c} -o threads.aarch64)
  run_built_test(threads.aarch64 ${DOCA_CORE_QEMU_AARCH64} -cpu max ./threads.aarch64)
  rare(threads.aarch64.build threads.aarch64)
endif()
if(has_tree_tests AND DOCA_CORE_CC_AARCH64 AND DOCA_CORE_OBJDUMP_AARCH64)
  add_tree_test(litmus.aarch64 ${CMAKE_CURRENT_SOURCE_DIR}/litmus_aarch64.sh
    ${DOCA_CORE_CC_AARCH64} ${DOCA_CORE_OBJDUMP_AARCH64})
  can_skip(litmus.aarch64)
endif()
