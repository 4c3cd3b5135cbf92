# Compile each header of tools/compat without the others, in each version of C and C++: the log with
# a file that uses its macros, the argument parser, App Shield, the clocks, Comch, RDMA, and the header
# for programs of DOCA 1.x.

add_header_file()
foreach(standard c99 c11 c17 c++11 c++14 c++17 c++20)
  get_compiler(compiler ${standard})
  set(compile ${compiler} -std=${standard} ${header_level} -pedantic ${DOCA_CORE_WARNINGS}
    -I${PROJECT_SOURCE_DIR} -I${compat})
  add_compiler_test(header.${standard}.log ${compile}
    -c ${CMAKE_CURRENT_SOURCE_DIR}/log_compat_impl.c -o header.${standard}.log.o)
  add_compiler_test(header.${standard}.argp ${compile} -DDOCA_CORE_ARGP_IMPLEMENTATION
    -include ${compat}/doca_core_argp.h -c header.c -o header.${standard}.argp.o)
  add_compiler_test(header.${standard}.clock ${compile} -DDOCA_CORE_CLOCK_IMPLEMENTATION
    -include ${compat}/doca_core_clock.h -c header.c -o header.${standard}.clock.o)
  if(CMAKE_SIZEOF_VOID_P GREATER 4)
    add_compiler_test(header.${standard}.apsh ${compile} -DDOCA_CORE_APSH_IMPLEMENTATION
      -include ${compat}/doca_core_apsh.h -c header.c -o header.${standard}.apsh.o)
  endif()
  add_compiler_test(header.${standard}.comch.api ${compile} -include ${compat}/doca_core_comch.h
    -c header.c -o header.${standard}.comch.api.o)
  if(standard MATCHES "^c17|[+]11|20") # comch.cmake tests the other standards
    add_compiler_test(header.${standard}.comch.impl ${compile} -DDOCA_CORE_IMPLEMENTATION
      -DDOCA_CORE_COMCH_IMPLEMENTATION -include ${compat}/doca_core_comch.h -c header.c
      -o header.${standard}.comch.impl.o)
  endif()
  foreach(api 20501 30000)
    add_compiler_test(header.${standard}.rdma.api.${api} ${compile} -DDOCA_CORE_API=${api}
      -include ${compat}/doca_core_rdma.h -c header.c -o header.${standard}.rdma.api.${api}.o)
  endforeach()
  if(standard MATCHES "^c17|[+]11|20") # rdma.cmake tests the other standards
    add_compiler_test(header.${standard}.rdma.impl ${compile} -DDOCA_CORE_IMPLEMENTATION
      -DDOCA_CORE_RDMA_IMPLEMENTATION -include ${compat}/doca_core_rdma.h -c header.c
      -o header.${standard}.rdma.impl.o)
  endif()
  if(DOCA_CORE_JSON_C_INCLUDE)
    add_compiler_test(header.${standard}.argp_json_c ${compile} -DDOCA_CORE_ARGP_IMPLEMENTATION
      -DDOCA_CORE_ARGP_JSON_C -idirafter ${DOCA_CORE_JSON_C_INCLUDE}
      -include ${compat}/doca_core_argp.h -c header.c -o header.${standard}.argp_json_c.o)
  endif()
  add_compiler_test(header.${standard}.legacy.api ${compile} -DDOCA_CORE_LEGACY
    -DDOCA_CORE_LEGACY_GUIDE -include ${compat}/doca_core_legacy.h -c header.c
    -o header.${standard}.legacy.api.o)
  add_compiler_test(header.${standard}.legacy.program ${compile}
    -c ${CMAKE_CURRENT_SOURCE_DIR}/legacy_15.c -o header.${standard}.legacy.program.o)
  if(standard MATCHES "^c17|[+]11|20") # legacy.cmake tests the other standards
    add_compiler_test(header.${standard}.legacy.impl ${compile} -DDOCA_CORE_LEGACY=10500
      -DDOCA_CORE_IMPLEMENTATION -include ${compat}/doca_core_legacy.h -c header.c
      -o header.${standard}.legacy.impl.o)
  endif()
endforeach()
foreach(configuration STATIC FREESTANDING)
  set(flags -DDOCA_CORE_IMPLEMENTATION -DDOCA_CORE_${configuration})
  if(configuration STREQUAL FREESTANDING)
    list(APPEND flags -ffreestanding "-DDOCA_CORE_LEGACY_MALLOC(bytes)=NULL"
      "-DDOCA_CORE_LEGACY_FREE(block)=((void)(block))")
  endif()
  string(TOLOWER ${configuration} name)
  add_compiler_test(header.c99.legacy.${name} ${compiler_c} -std=c99 ${header_level} -pedantic
    ${DOCA_CORE_WARNINGS} -I${PROJECT_SOURCE_DIR} ${flags} -include ${compat}/doca_core_legacy.h
    -c header.c -o header.c99.legacy.${name}.o)
endforeach()
