# Programs of two files: either one file contains the implementation, or each contains a static copy
# of it.

if(NOT few_copies)
  foreach(program two_files two_files_static)
    add_executable(${program} two_files_main.c two_files_impl.c)
    target_compile_options(${program} PRIVATE -std=c99 -pedantic ${harness_flags} -DTWO_FILES
      ${lean_for_own_code} ${not_optimized})
    target_link_libraries(${program} PRIVATE doca_core ${DOCA_CORE_SANITIZE_FLAGS})
    add_test(NAME ${program} COMMAND ${program})
  endforeach()
  target_compile_definitions(two_files_static PRIVATE DOCA_CORE_STATIC DOCA_CORE_IMPLEMENTATION=)
endif()
add_tree_test(two_files.disagree ${CMAKE_CURRENT_SOURCE_DIR}/disagree.sh ${CMAKE_C_COMPILER})

if(has_tree_tests AND DOCA_CORE_TCC)
  foreach(program one two)
    set(sources ${CMAKE_CURRENT_SOURCE_DIR}/two_files_main.c)
    set(flags -DDOCA_CORE_IMPLEMENTATION)
    if(program STREQUAL two)
      list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/two_files_impl.c)
      set(flags -DTWO_FILES)
    endif()
    add_built_test(tcc.${program} ${DOCA_CORE_TCC} -Wall -Werror ${flags} -I${PROJECT_SOURCE_DIR}
      ${sources} -o tcc.${program})
    run_built_test(tcc.${program} ${CMAKE_CURRENT_BINARY_DIR}/tcc.${program})
  endforeach()
endif()
