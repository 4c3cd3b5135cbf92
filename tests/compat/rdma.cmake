# DOCA RDMA: its names, in the forms of each API version. Without an implementation to link with,
# the suite is only compiled; a signature that differs does not compile.

foreach(api 20501 30000)
  get_compiler(compiler c11)
  add_compiler_test(rdma_names.${api} ${compiler} -std=gnu11 ${DOCA_CORE_WARNINGS}
    -Werror=incompatible-pointer-types -DDOCA_CORE_API=${api} -I${PROJECT_SOURCE_DIR} -I${compat}
    -I${support} -c ${CMAKE_CURRENT_SOURCE_DIR}/test_rdma_names.c -o rdma_names.${api}.o)
endforeach()
