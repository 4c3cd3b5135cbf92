# DOCA RDMA: its names, in the forms of each API version. RDMA uses private functions of
# doca_core.h, so that one file compiles both. rdma_tests.cmake has the other suites.

# add_rdma_implementation(VARIANT LEVEL SOURCE [FLAG...]): the object library rdma_impl.VARIANT
function(add_rdma_implementation variant level source)
  add_library(rdma_impl.${variant} OBJECT ${source})
  target_compile_options(rdma_impl.${variant} PRIVATE -pedantic -fexceptions ${harness_flags}
    ${ARGN} -DDOCA_CORE_CHECK=${level})
  target_link_libraries(rdma_impl.${variant} PRIVATE doca_core)
  target_include_directories(rdma_impl.${variant} PRIVATE ${compat})
endfunction()

add_rdma_implementation(c99 1 rdma_impl.c -std=c99)
foreach(api 20501 30000)
  test_program(rdma_names.${api} test_rdma_names.c CXX_LINK DEFINE DOCA_CORE_API=${api}
    IMPL rdma_impl.c99 heap_trap)
  target_include_directories(rdma_names.${api} PRIVATE ${compat})
  # a signature that differs, also where warnings are no errors
  target_compile_options(rdma_names.${api} PRIVATE -Werror=incompatible-pointer-types)
endforeach()
