# DOCA RDMA: its names, in the forms of each API version. RDMA uses private functions of
# doca_core.h, so that one file compiles both (impl_all.c). rdma_tests.cmake has the other suites.

foreach(api 20501 30000)
  test_program(rdma_names.${api} test_rdma_names.c CXX_LINK DEFINE DOCA_CORE_API=${api}
    IMPL impl.c99 heap_trap)
  target_include_directories(rdma_names.${api} PRIVATE ${compat})
  # a signature that differs, also where warnings are no errors
  target_compile_options(rdma_names.${api} PRIVATE -Werror=incompatible-pointer-types)
endforeach()
