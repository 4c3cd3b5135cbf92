# Tests that compile a header alone, as declarations and as implementation.
#
# With gcc some configurations are compiled at -O2, where gcc gives more warnings; deep tests
# compile all configurations at -O2. The other configurations are only parsed. With clang every
# configuration is only parsed: clang gives the same warnings at each level, and the other tests
# compile the header with optimization.

set(header_level -fsyntax-only)
set(headers_at_o2 c99.impl c++17.impl c99.check_0)
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  set(headers_at_o2)
elseif(DOCA_CORE_TEST_DEEP)
  set(header_level -O2)
endif()
# some projects use this warning
set(compiler_c ${CMAKE_C_COMPILER} -x c -Wdeclaration-after-statement)
set(compiler_c++ ${CMAKE_CXX_COMPILER} -x c++)

# Write header.c, the file that these tests compile. It is empty; the option -include adds the
# header. Each folder with header tests calls this function.
function(add_header_file)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/header.c "/* -include adds the header */\n")
endfunction()

# get_compiler(VARIABLE STANDARD): set VARIABLE to the command that compiles a standard of C or C++,
# such as c99 or c++17
function(get_compiler variable standard)
  string(REGEX REPLACE "[0-9]+" "" language ${standard})
  set(${variable} ${compiler_${language}} PARENT_SCOPE)
endfunction()

# add_header_test(NAME COMPILER FLAG...): add a test that compiles doca_core.h with these flags
function(add_header_test name compiler)
  set(level ${header_level})
  if(name IN_LIST headers_at_o2)
    set(level -O2)
  endif()
  add_compiler_test(header.${name} ${compiler} ${level} -pedantic ${DOCA_CORE_WARNINGS} ${ARGN}
    -include ${PROJECT_SOURCE_DIR}/doca_core.h -c header.c -o header.${name}.o)
  if(level STREQUAL "-O2")
    rare(header.${name})
  endif()
endfunction()
