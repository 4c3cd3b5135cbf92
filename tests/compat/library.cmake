# The installed library and headers, and programs written for the vendor's SDK that use them.

if(NOT DOCA_CORE_LIBRARY)
  return()
endif()
add_compiler_test(compat.headers ${CMAKE_CURRENT_SOURCE_DIR}/headers.sh
  ${PROJECT_BINARY_DIR}/include ${compat} ${PROJECT_SOURCE_DIR})
add_tree_test(compat.options ${CMAKE_CURRENT_SOURCE_DIR}/options.sh ${CMAKE_COMMAND})
set(layouts own vendor)
if(few_copies)
  set(layouts)
endif()
foreach(layout ${layouts})
  add_script_test(compat.library.${layout} ${CMAKE_CURRENT_SOURCE_DIR}/library.sh
    ${CMAKE_COMMAND} ${PROJECT_BINARY_DIR} ${layout})
  set_property(TEST compat.library.${layout} APPEND PROPERTY ENVIRONMENT
    DOCA_TEST_SANITIZE=${DOCA_CORE_SANITIZE})
endforeach()
slow(compat.options compat.library.own compat.library.vendor)
rare(compat.headers)

# Programs written for the vendor's SDK. Each is built with its own build files against an installed
# tree.
list(JOIN DOCA_CORE_SANITIZE_FLAGS " " flags)
set(apis 20501 30000)
if(NOT every_copy)
  list(REMOVE_ITEM apis 30000)
endif()
if(few_copies AND DOCA_CORE_TEST_SCOPE STREQUAL "build")
  set(apis)
endif()
foreach(api ${apis})
  foreach(program install dma_copy remote_copy sha_file graph workq process_list clock_times
      message_pair line_count block_store)
    if(program STREQUAL process_list AND NOT has_tree_tests)
      continue() # its input comes from a program that is built for the tests of tools only
    endif()
    set(test compat.${program}.${api})
    add_script_test(${test} ${CMAKE_CURRENT_SOURCE_DIR}/run
      ${PROJECT_BINARY_DIR}/tests/compat.${api} ${program})
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT CMAKE=${CMAKE_COMMAND}
      DOCA_CORE_API=${api} CFLAGS=${flags} CXXFLAGS=${flags} LDFLAGS=${flags}
      "APSH_RAM_WRITER=$<$<TARGET_EXISTS:apsh_ram>:$<TARGET_FILE:apsh_ram>>")
    can_skip(${test} FIXTURES_REQUIRED compat.${api} TIMEOUT 120)
  endforeach()
  set_tests_properties(compat.install.${api} PROPERTIES FIXTURES_REQUIRED ""
    FIXTURES_SETUP compat.${api})
endforeach()

# The same with RDMA devices in the library: programs of the SDK on an emulated card, on two functions
# of the DPU, and on a function of the DPU and one of the host.
if(has_emulator AND has_tree_tests)
  set(run ${CMAKE_CURRENT_SOURCE_DIR}/run ${PROJECT_BINARY_DIR}/tests/compat.mlx5)
  add_script_test(compat.install.mlx5 ${run} install)
  add_script_test(compat.block_store.mlx5 ${mlx5sim} ${functions} -- ${run} block_store_rdma)
  add_script_test(compat.message_pair.mlx5 ${mlx5sim} ${functions_of_both_sides} --
    ${run} message_pair_rdma)
  foreach(test compat.install.mlx5 compat.block_store.mlx5 compat.message_pair.mlx5)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT CMAKE=${CMAKE_COMMAND}
      DOCA_CORE_API=20501 SDK_OPTION=-DDOCA_CORE_LIBRARY_MLX5=ON
      MLX5SIM_BUILD_DIR=${mlx5sim_build_dir})
    can_skip(${test} TIMEOUT 600 COST 50)
    slow(${test})
  endforeach()
  set_tests_properties(compat.install.mlx5 PROPERTIES FIXTURES_SETUP compat.mlx5)
  set_tests_properties(compat.block_store.mlx5 compat.message_pair.mlx5 PROPERTIES
    FIXTURES_REQUIRED "compat.mlx5;emulator")
endif()
