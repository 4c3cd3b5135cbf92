# Tests that compile a header alone, as declarations and as code.
#
# Some configurations are compiled at -O2, where gcc warns about more; deep tests compile all of
# them so. Otherwise the file is only parsed. clang gives the same warnings then, and the programs
# of the other tests are what it optimizes.

set(header_level -fsyntax-only)
set(headers_at_o2 c99.impl c++17.impl c99.check_0)
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  set(headers_at_o2)
elseif(DOCA_CORE_TEST_DEEP)
  set(header_level -O2)
endif()
set(compiler_c ${CMAKE_C_COMPILER} -x c -Wdeclaration-after-statement) # as some projects want it
set(compiler_c++ ${CMAKE_CXX_COMPILER} -x c++)

# The file that is compiled: the header comes by -include. In each folder with such tests.
function(add_header_file)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/header.c "/* the header comes by -include */\n")
endfunction()

# get_compiler(VARIABLE STANDARD): the compiler of c99 or of c++17
function(get_compiler variable standard)
  string(REGEX REPLACE "[0-9]+" "" language ${standard})
  set(${variable} ${compiler_${language}} PARENT_SCOPE)
endfunction()

# add_header_test(NAME COMPILER FLAG...): doca_core.h
function(add_header_test name compiler)
  set(level ${header_level})
  if(name IN_LIST headers_at_o2)
    set(level -O2)
  endif()
  add_compiler_test(header.${name} ${compiler} ${level} -pedantic ${DOCA_CORE_WARNINGS} ${ARGN}
    -include ${PROJECT_SOURCE_DIR}/doca_core.h -c header.c -o header.${name}.o)
  if(level STREQUAL "-O2")
    slow(header.${name})
  endif()
endfunction()
