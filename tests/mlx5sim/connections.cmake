# The connection manager.

# One case waits for the timeout of the connection manager, another one uses the addresses.
set(addresses --device name=mlx5_0,ip=10.0.9.1
  --device name=mlx5_1,pci=03:00.1,netdev=p1,ip=10.0.9.2)
foreach(link infiniband ethernet)
  add_mlx5sim_test(cm.${link} --strict --link ${link} --cm-timeout 1000 ${addresses} --
    $<TARGET_FILE:mlx5sim.cm>)
  add_mlx5sim_test(cm.addrinfo.${link} --strict --link ${link} -- $<TARGET_FILE:mlx5sim.cm_addrinfo>)
endforeach()
add_mlx5sim_test(cm.refused --strict -- $<TARGET_FILE:mlx5sim.cm_refused>)
find_library(DOCA_CORE_RDMACM rdmacm)
find_path(DOCA_CORE_RDMACM_INCLUDE rdma/rdma_cma.h)
if(DOCA_CORE_RDMACM AND DOCA_CORE_RDMACM_INCLUDE)
  add_executable(mlx5sim.rdmacm test_rdmacm.c)
  target_compile_options(mlx5sim.rdmacm PRIVATE ${DOCA_CORE_WARNINGS})
  target_include_directories(mlx5sim.rdmacm SYSTEM PRIVATE ${DOCA_CORE_RDMACM_INCLUDE})
  target_link_libraries(mlx5sim.rdmacm PRIVATE ${DOCA_CORE_RDMACM} ${DOCA_CORE_MLX5}
    ${DOCA_CORE_IBVERBS} Threads::Threads)
  set_target_properties(mlx5sim.rdmacm PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
  foreach(mode sync async poll)
    add_mlx5sim_test(rdmacm.${mode} --strict --doorbells ${mode} -- $<TARGET_FILE:mlx5sim.rdmacm>)
  endforeach()
else()
  message(STATUS "No librdmacm: the emulated connection manager is tested without it")
endif()
