# App Shield: its names, contexts and systems, with the code compiled in C and in C++; and lists of
# a machine that runs Linux, whose memory the test writes, with and without files of the program.

if(CMAKE_SIZEOF_VOID_P LESS 8)
  return() # the attributes need pointers of 64 bits
endif()
file(CONFIGURE OUTPUT apsh_impl.cc CONTENT "#include \"@CMAKE_CURRENT_SOURCE_DIR@/apsh_impl.c\"\n"
  @ONLY)
function(add_apsh_test name core source)
  set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -pedantic)
  foreach(suite apsh apsh_names)
    test_program(${suite}.${name} test_${suite}.c ${source} CXX_LINK IMPL impl.${core} heap_trap)
    target_include_directories(${suite}.${name} PRIVATE ${compat})
    set_target_properties(${suite}.${name} PROPERTIES CXX_STANDARD 17)
  endforeach()
endfunction()

if(TARGET impl.c11)
  add_apsh_test(c11 c11 apsh_impl.c)
  foreach(suite apsh_linux apsh_reads apsh_lists apsh_areas apsh_envars apsh_absent apsh_files
      apsh_symbol_map apsh_limits apsh_zip apsh_attestation apsh_attestation_errors apsh_faults
      apsh_threads)
    test_program(${suite}.c11 test_${suite}.c IMPL impl.c11 heap_trap)
    target_include_directories(${suite}.c11 PRIVATE ${compat})
  endforeach()
  add_tsan_program(apsh_threads)
  if(TARGET apsh_threads.tsan)
    target_include_directories(apsh_threads.tsan PRIVATE ${compat})
    add_fixed_layout_test(apsh_threads.tsan ./apsh_threads.tsan)
  endif()
  # without the module SHA, the bytes of pages are compared instead of their digests
  foreach(suite apsh_attestation apsh_attestation_errors)
    test_program(${suite}.no_sha test_${suite}.c ../support/impl.c DEFINE DOCA_CORE_NO_SHA
      IMPL heap_trap)
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
    test_program(apsh_config.c11 test_apsh_config.c IMPL impl.c11 heap_trap
      DEFINE DOCA_TEST_APSH_CONFIG="${PROJECT_SOURCE_DIR}/tools/apsh-config")
    target_include_directories(apsh_config.c11 PRIVATE ${compat})
  endif()
endif()
if(TARGET impl.c++17)
  add_apsh_test(c++17 c++17 ${CMAKE_CURRENT_BINARY_DIR}/apsh_impl.cc)
endif()
