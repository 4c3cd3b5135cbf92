# DOCA Clock, with the code compiled in C and in C++.

file(CONFIGURE OUTPUT clock_impl.cc CONTENT "#include \"@CMAKE_CURRENT_SOURCE_DIR@/clock_impl.c\"\n"
  @ONLY)
function(add_clock_test name core source)
  set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -pedantic)
  test_program(clock.${name} test_clock.c ${source} CXX_LINK IMPL impl.${core} heap_trap)
  target_include_directories(clock.${name} PRIVATE ${compat})
  set_target_properties(clock.${name} PROPERTIES CXX_STANDARD 17)
endfunction()

if(TARGET impl.c11)
  add_clock_test(c11 c11 clock_impl.c)
endif()
if(TARGET impl.check2)
  add_clock_test(check2 check2 clock_impl.c)
  target_compile_definitions(clock.check2 PRIVATE DOCA_CORE_CHECK=2)
endif()
if(TARGET impl.c++17)
  add_clock_test(c++17 c++17 ${CMAKE_CURRENT_BINARY_DIR}/clock_impl.cc)
endif()
