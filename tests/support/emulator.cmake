# The emulated mlx5 device (tools/mlx5sim), on which programs run as on a real card.
#
# Calls of the emulated device are slow, because the device is a separate process. Therefore tests
# with very many rounds run only a part of the rounds on it (DOCA_TEST_PART). With --strict, a
# program that breaks a rule of the device fails, whatever its own exit status is. The suites run
# with each of these engines:
#   mmo    the DMA engine of the card
#   rc     RDMA by queues that the backend fills itself
#   verbs  RDMA by calls of libibverbs

set(mlx5sim ${PROJECT_SOURCE_DIR}/tools/mlx5sim/run)
set(mlx5sim_build_dir ${PROJECT_BINARY_DIR}/tests/mlx5sim)
set(environment "CC=${CMAKE_C_COMPILER};MLX5SIM_BUILD_DIR=${mlx5sim_build_dir}")
set(functions --strict --device name=mlx5_0,pci=0000:03:00.0,netdev=p0
  --device name=mlx5_1,pci=0000:03:00.1,netdev=p1)
# a card with the same functions as the default software devices
set(functions_of_both_sides --strict
  --device name=mlx5_0,pci=0000:03:00.0,netdev=p0 --device name=mlx5_1,pci=0000:03:00.1,netdev=p1
  --device name=mlx5_2,sf=0,netdev=p0s0 --device name=mlx5_3,sf=1,port=1,netdev=p1s0
  --device name=mlx5_4,host=1 --device name=mlx5_5,host=1 --device name=mlx5_6,host=1,vf=0
  --device name=mlx5_7,host=1,vf=1 --device name=mlx5_8,host=1,vf=0,port=1)
set(options_of_mmo)
set(options_of_rc --no-mmo)
set(options_of_verbs --no-mmo)
set(engines mmo rc verbs)
if(few_copies)
  set(engines mmo)
endif()

# add_emulated_test(NAME PROGRAM OPTIONS [VARIABLE=VALUE...]): add a test that runs PROGRAM on the
# emulated device. OPTIONS are passed to tools/mlx5sim/run, the variables to the environment.
function(add_emulated_test name program options)
  add_test(NAME ${name} COMMAND ${mlx5sim} ${functions} ${options} -- $<TARGET_FILE:${program}>)
  can_skip(${name} FIXTURES_REQUIRED emulator ENVIRONMENT "${environment};${ARGN}")
endfunction()

# add_emulated_suite(SUITE): the program SUITE.mlx5, and the test SUITE.mlx5.ENGINE for each engine
function(add_emulated_suite suite)
  if(NOT has_emulator)
    return()
  endif()
  add_suite_program(${suite}.mlx5 test_${suite}.check1 impl.mlx5)
  foreach(engine ${engines})
    add_emulated_test(${suite}.mlx5.${engine} ${suite}.mlx5 "${options_of_${engine}}"
      DOCA_CORE_MLX5_ENGINE=${engine} DOCA_TEST_PART=20)
    if(NOT engine STREQUAL "mmo" AND
        NOT suite MATCHES "^(dma|dma_refusals|dma_config|task|failure)$")
      rare(${suite}.mlx5.${engine})
    endif()
  endforeach()
endfunction()
