# Programs of DOCA 1.x.

# The suites. legacy_programs has three files, which use the API of 1.3, of 1.5 and of today. The
# implementation of both headers is compiled in several languages and with several check levels.
set(legacy_suites legacy legacy_mmap legacy_workq legacy_jobs legacy_graph legacy_programs
  legacy_20)
set(more_of_legacy_programs legacy_15.c legacy_today.c)
function(add_legacy_test variant level)
  foreach(program ${legacy_suites})
    test_program(${program}.${variant} test_${program}.c ${more_of_${program}} CXX_LINK SKIPS
      DEFINE DOCA_CORE_CHECK=${level} IMPL impl.${variant} heap_trap)
    target_include_directories(${program}.${variant} PRIVATE ${compat})
  endforeach()
endfunction()

if(NOT few_copies OR NOT TARGET doca_core_static) # otherwise the library contains this code
  add_legacy_test(c99 1)
endif()
if(NOT few_copies) # with few copies, impl.c++17 is the core without the API of 1.x
  add_legacy_test(c++17 1)
endif()
if(every_copy)
  add_legacy_test(check0 0)
  add_legacy_test(check2 2)
endif()

# The same programs with the compiled library.
if(TARGET doca_core_static)
  foreach(program ${legacy_suites})
    add_executable(${program}.library test_${program}.c ${more_of_${program}})
    target_compile_options(${program}.library PRIVATE ${harness_flags})
    target_compile_definitions(${program}.library PRIVATE _GNU_SOURCE)
    set_target_properties(${program}.library PROPERTIES C_STANDARD 11)
    target_link_libraries(${program}.library PRIVATE doca_core_static heap_trap Threads::Threads
      ${DOCA_CORE_SANITIZE_FLAGS})
    add_test(NAME ${program}.library COMMAND ${program}.library)
  endforeach()
endif()

# The declarations that a program of DOCA 1.x gets, as tools see them that read declarations.
if(DOCA_CORE_PYTHON)
  set(legacy_names ${DOCA_CORE_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_legacy_names.py)
  add_tree_test(legacy_names.declarations ${legacy_names} declarations ${CMAKE_C_COMPILER})
  add_tree_test(legacy_names.spoiled ${legacy_names} declarations ${CMAKE_C_COMPILER}
    -DDOCA_PRIV_LEGACY_NAMED)
  add_tree_test(legacy_names.bindgen ${legacy_names} bindgen)
  can_skip(legacy_names.bindgen)
  if(TARGET doca_core_static)
    add_tree_test(legacy_names.symbols ${legacy_names} symbols $<TARGET_FILE:doca_core_static>
      ${CMAKE_C_COMPILER} ${CMAKE_C_COMPILER})
  endif()
  if(has_tree_tests)
    set_tests_properties(legacy_names.spoiled PROPERTIES WILL_FAIL TRUE)
  endif()
endif()
if(has_tree_tests AND DOCA_CORE_TCC)
  add_tree_test(tcc.legacy ${DOCA_CORE_TCC} -Wall -Werror -I${PROJECT_SOURCE_DIR} -I${compat}
    -c ${CMAKE_CURRENT_SOURCE_DIR}/legacy_impl.c -o tcc.legacy.o)
  if(DOCA_CORE_PYTHON AND TARGET doca_core_static)
    add_tree_test(tcc.legacy_names ${legacy_names} symbols $<TARGET_FILE:doca_core_static>
      ${CMAKE_C_COMPILER} ${DOCA_CORE_TCC})
  endif()
endif()

# The export descriptor of 1.4 is JSON: one process exports, another reads the JSON with json-c.
if(DOCA_CORE_JSON_C_INCLUDE AND DOCA_CORE_JSON_C AND TARGET doca_core_static)
  add_executable(legacy_json test_legacy_json.c)
  target_compile_options(legacy_json PRIVATE ${harness_flags})
  target_compile_definitions(legacy_json PRIVATE _GNU_SOURCE)
  set_target_properties(legacy_json PROPERTIES C_STANDARD 11)
  target_include_directories(legacy_json SYSTEM PRIVATE ${DOCA_CORE_JSON_C_INCLUDE})
  target_link_libraries(legacy_json PRIVATE doca_core_static ${DOCA_CORE_JSON_C} Threads::Threads
    ${DOCA_CORE_SANITIZE_FLAGS})
  add_test(NAME legacy_json COMMAND legacy_json)
else()
  add_skipped_test(legacy_json "json-c is not installed")
endif()
