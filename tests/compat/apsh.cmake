# App Shield: its names, contexts and systems, with the code compiled in C and in C++; and lists of
# a machine that runs Linux, whose memory the test writes, with and without files of the program.

if(CMAKE_SIZEOF_VOID_P LESS 8)
  return() # the attributes need pointers of 64 bits
endif()
file(CONFIGURE OUTPUT apsh_impl.cc CONTENT "#include \"@CMAKE_CURRENT_SOURCE_DIR@/apsh_impl.c\"\n"
  @ONLY)
function(add_apsh_object name source)
  add_library(apsh_impl.${name} OBJECT ${source})
  target_compile_options(apsh_impl.${name} PRIVATE -pedantic ${harness_flags})
  target_compile_definitions(apsh_impl.${name} PRIVATE _GNU_SOURCE)
  target_include_directories(apsh_impl.${name} PRIVATE ${compat})
  target_link_libraries(apsh_impl.${name} PRIVATE doca_core)
  set_target_properties(apsh_impl.${name} PROPERTIES C_STANDARD 11 CXX_STANDARD 17)
endfunction()
function(add_apsh_test name source)
  add_apsh_object(${name} ${source})
  foreach(suite apsh apsh_names)
    test_program(${suite}.${name} test_${suite}.c CXX_LINK
      IMPL apsh_impl.${name} impl.${name} heap_trap)
    target_include_directories(${suite}.${name} PRIVATE ${compat})
  endforeach()
endfunction()

# The other suites include the code, because many of them call private functions.
set(apsh_suites apsh_linux apsh_reads apsh_lists apsh_areas apsh_envars apsh_absent apsh_files
  apsh_symbol_map apsh_limits apsh_zip apsh_attestation apsh_attestation_errors apsh_faults
  apsh_threads)
set(code_of_suites)
set(apsh_header ${compat})
if(DOCA_CORE_PYTHON AND NOT own_code)
  share_private_code(${compat}/doca_core_apsh.h)
  file(CONFIGURE OUTPUT apsh_visible.c
    CONTENT "#define DOCA_CORE_APSH_IMPLEMENTATION\n#include \"doca_core_apsh.h\"\n")
  add_apsh_object(visible ${CMAKE_CURRENT_BINARY_DIR}/apsh_visible.c)
  target_include_directories(apsh_impl.visible BEFORE PRIVATE ${code_directory})
  set(code_of_suites apsh_impl.visible)
  set(apsh_header ${declared_directory})
endif()

if(TARGET impl.c11)
  add_apsh_test(c11 apsh_impl.c)
  foreach(suite ${apsh_suites})
    test_program(${suite}.c11 test_${suite}.c IMPL ${code_of_suites} impl.c11 heap_trap)
    target_include_directories(${suite}.c11 BEFORE PRIVATE ${apsh_header})
  endforeach()
  add_tsan_program(apsh_threads)
  if(TARGET apsh_threads.tsan)
    target_include_directories(apsh_threads.tsan PRIVATE ${compat})
    add_fixed_layout_test(apsh_threads.tsan ./apsh_threads.tsan)
  endif()
  # without the module SHA, the bytes of pages are compared instead of their digests
  add_implementation(no_sha ${support}/impl.c -std=c11 -DDOCA_CORE_NO_SHA)
  foreach(suite apsh_attestation apsh_attestation_errors)
    test_program(${suite}.no_sha test_${suite}.c DEFINE DOCA_CORE_NO_SHA
      IMPL impl.no_sha heap_trap)
    target_include_directories(${suite}.no_sha PRIVATE ${compat})
  endforeach()
  if(DOCA_CORE_YARA_INCLUDE AND DOCA_CORE_YARA)
    test_program(apsh_yara.c11 test_apsh_yara.c IMPL impl.c11 heap_trap LINK ${DOCA_CORE_YARA})
    target_include_directories(apsh_yara.c11 PRIVATE ${compat})
    target_include_directories(apsh_yara.c11 SYSTEM PRIVATE ${DOCA_CORE_YARA_INCLUDE})
  else()
    message(STATUS "No libyara: the scans of App Shield are not tested")
    add_skipped_test(apsh_yara.c11 "libyara is not installed")
  endif()
  if(DOCA_CORE_PYTHON)
    test_program(apsh_config.c11 test_apsh_config.c IMPL ${code_of_suites} impl.c11 heap_trap
      DEFINE DOCA_TEST_APSH_CONFIG="${PROJECT_SOURCE_DIR}/tools/apsh-config")
    target_include_directories(apsh_config.c11 BEFORE PRIVATE ${apsh_header})
  endif()
endif()
if(TARGET impl.c++17)
  add_apsh_test(c++17 ${CMAKE_CURRENT_BINARY_DIR}/apsh_impl.cc)
endif()
