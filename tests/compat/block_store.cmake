# The program block_store on RDMA devices, with the same source and the same expected output as on
# the software device (see library.cmake): the owner on one function of an emulated card, and the
# readers on another one. tests/tools/rdma.cmake runs it on soft-RoCE.

if(NOT has_emulator OR few_copies OR NOT DOCA_CORE_LIBRARY OR CMAKE_SIZEOF_VOID_P LESS 8)
  return()
endif()
add_library(library.mlx5 OBJECT ${compat}/library.c)
target_compile_options(library.mlx5 PRIVATE -std=gnu99 -fexceptions ${harness_flags})
target_compile_definitions(library.mlx5 PRIVATE DOCA_CORE_LIBRARY_MLX5
  DOCA_CORE_DEFAULT_ARENA_BYTES=268435456u)
target_include_directories(library.mlx5 PRIVATE ${compat})
target_link_libraries(library.mlx5 PRIVATE doca_core PkgConfig::RDMA_CORE)

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/block_store/*.c)
test_program(block_store.mlx5 ${sources} common.c NOT_RUN IMPL library.mlx5
  DEFINE DOCA_CORE_API=30000 DOCA_CORE_SHARED_MMAPS=1 LINK PkgConfig::RDMA_CORE)
target_include_directories(block_store.mlx5 PRIVATE ${PROJECT_BINARY_DIR}/include ${compat})
if(DOCA_CORE_RDMACM_INCLUDE AND DOCA_CORE_RDMACM)
  target_compile_definitions(library.mlx5 PRIVATE DOCA_CORE_RDMA_CM)
  target_link_libraries(block_store.mlx5 PRIVATE ${DOCA_CORE_RDMACM})
endif()

set(stores ${CMAKE_CURRENT_SOURCE_DIR}/block_store/stores)
set(directory ${CMAKE_CURRENT_BINARY_DIR}/block_store.run)
file(MAKE_DIRECTORY ${directory})
add_test(NAME block_store.mlx5 WORKING_DIRECTORY ${directory} COMMAND ${mlx5sim} ${functions} --
  ${stores} $<TARGET_FILE:block_store.mlx5> "-p 03:00.0 -a 500 -w 500" "-p 03:00.1")
can_skip(block_store.mlx5 FIXTURES_REQUIRED emulator ENVIRONMENT "${environment}" TIMEOUT 300
  COST 30)
