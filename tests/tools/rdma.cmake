# tools/rxe-guest (a kernel with soft-RoCE in a guest), tools/apsh-guest (the same kernel, whose
# memory is a file), and tools/mlx5sim (the emulated mlx5 device).

# tools/rxe-guest with a script in place of QEMU, and with QEMU if QEMU and the image of the guest
# are installed or may be downloaded (DOCA_TEST_DOWNLOAD=1).
find_path(DOCA_CORE_VERBS_INCLUDE infiniband/verbs.h)
find_library(DOCA_CORE_VERBS ibverbs)
set(rxe_guest ${DOCA_CORE_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_rxe_guest.py)
add_tree_test(rxe_guest.tool ${rxe_guest} tool)
if(DOCA_CORE_VERBS_INCLUDE AND DOCA_CORE_VERBS)
  add_executable(verbs_probe verbs_probe.c)
  target_compile_options(verbs_probe PRIVATE ${harness_flags})
  target_compile_definitions(verbs_probe PRIVATE _GNU_SOURCE)
  target_include_directories(verbs_probe SYSTEM PRIVATE ${DOCA_CORE_VERBS_INCLUDE})
  target_link_libraries(verbs_probe PRIVATE ${DOCA_CORE_VERBS} Threads::Threads
    ${DOCA_CORE_SANITIZE_FLAGS})
  set_target_properties(verbs_probe PROPERTIES C_STANDARD 11)
  add_tree_test(rxe_guest ${rxe_guest} guest $<TARGET_FILE:verbs_probe>)
  add_tree_test(rxe_guest.image ${rxe_guest} image)
  can_skip(rxe_guest.image TIMEOUT 600 COST 200)
else()
  message(STATUS "No libibverbs: tools/rxe-guest is tested without a guest")
  add_tree_test(rxe_guest sh -c "echo 'skipped: libibverbs is not installed'; exit 77")
endif()
can_skip(rxe_guest TIMEOUT 900 COST 100 DEPENDS rxe_guest.image)
slow(rxe_guest.tool rxe_guest.image)
rare(rxe_guest)

# tools/apsh-guest with a script in place of QEMU; and the lists of App Shield on guests.
set(apsh_guest ${DOCA_CORE_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_apsh_guest.py)
add_tree_test(apsh_guest.tool ${apsh_guest} tool)
if(CMAKE_SIZEOF_VOID_P EQUAL 8)
  foreach(program apsh_list apsh_target apsh_snapshots apsh_forks)
    add_executable(${program} ${program}.c)
    target_compile_options(${program} PRIVATE ${harness_flags})
    target_compile_definitions(${program} PRIVATE _GNU_SOURCE)
    target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR})
    if(NOT own_code AND program MATCHES "list|snapshots") # see apsh_system.h
      target_compile_definitions(${program} PRIVATE APSH_WITHOUT_CORE)
      target_link_libraries(${program} PRIVATE impl.c11)
    endif()
    target_link_libraries(${program} PRIVATE Threads::Threads ${DOCA_CORE_SANITIZE_FLAGS})
    set_target_properties(${program} PROPERTIES C_STANDARD 11)
  endforeach()
  target_link_libraries(apsh_snapshots PRIVATE heap_trap)
  add_tree_test(apsh_guest ${apsh_guest} guest $<TARGET_FILE:apsh_list> $<TARGET_FILE:apsh_target>)
  can_skip(apsh_guest TIMEOUT 1800 COST 150 DEPENDS rxe_guest.image)
  add_tree_test(apsh_guest.load ${apsh_guest} load $<TARGET_FILE:apsh_forks>
    $<TARGET_FILE:apsh_snapshots>)
  can_skip(apsh_guest.load TIMEOUT 600 COST 50 DEPENDS rxe_guest.image)
  slow(apsh_guest apsh_guest.load)
endif()

# The suites and programs of the mlx5 backend with the verbs engine, on the kernel's soft-RoCE, in
# one guest. export_processes is left out because its importing process uses an alias of a key,
# which soft-RoCE does not support. The suites of representors and topologies are left out because
# they need a card.
if(TARGET ctx.mlx5)
  set(suites_of_verbs device buf mmap mmap_states export export_descriptors import_copies dmabuf
    ctx ctx_callbacks failure task pe pe_wake dma dma_refusals dma_config sync_event
    sync_event_tasks sync_event_wake sync_event_export sync_event_resources graph graph_tasks
    graph_failures graph_calls graph_nested graph_handles graph_model programs)
  set(programs_of_verbs mlx5.c11 mlx5_bridge mlx5_export mlx5_sync_event mlx5_wake)
  if(DOCA_CORE_TEST_DEEP)
    list(APPEND suites_of_verbs error arena arena_sizes inventory pool buf_array
      sync_event_processes model later later_mmap later_flush batch event_wait mmap_advise trap
      churn)
    list(APPEND programs_of_verbs mlx5_fuzz)
  endif()
  list(TRANSFORM suites_of_verbs REPLACE "(.+)" "$<TARGET_FILE:\\1.mlx5>" OUTPUT_VARIABLE programs)
  foreach(program ${programs_of_verbs})
    list(APPEND programs $<TARGET_FILE:${program}>)
  endforeach()
  add_tree_test(suites.rxe ${tools}/rxe-guest --guest --no-download --memory 1536 --seconds 900 --
    ${CMAKE_CURRENT_SOURCE_DIR}/suites_in_guest.sh ${programs})
  can_skip(suites.rxe TIMEOUT 1000 COST 150 DEPENDS rxe_guest.image)
  slow(suites.rxe)
endif()

# DOCA RDMA on soft-RoCE, in one guest: between its two devices, and from each device to itself.
if(TARGET rdma_verbs.mlx5)
  set(programs)
  foreach(suite verbs verbs_end verbs_caps verbs_sync config connect send memory refused tasks events
      processes)
    list(APPEND programs $<TARGET_FILE:rdma_${suite}.mlx5>)
  endforeach()
  if(TARGET rdma_cm.cm) # connections by address, where librdmacm is installed
    list(APPEND programs $<TARGET_FILE:rdma_cm.cm>)
  endif()
  add_tree_test(rdma.rxe ${tools}/rxe-guest --guest --no-download --memory 1536 --seconds 900 --
    ${CMAKE_CURRENT_SOURCE_DIR}/suites_in_guest.sh ${programs})
  can_skip(rdma.rxe TIMEOUT 1000 COST 100 DEPENDS rxe_guest.image)
  rare(rdma.rxe)
endif()

# DOCA RDMA between two machines, which are two guests. The last case restarts the guest of side 1.
if(TARGET rdma_machines.mlx5)
  add_tree_test(rdma_machines.rxe ${tools}/rxe-guest --pair --dies 1 --no-download --memory 768
    --seconds 300 -- $<TARGET_FILE:rdma_machines.mlx5>)
  can_skip(rdma_machines.rxe TIMEOUT 400 COST 50 DEPENDS rxe_guest.image
    ENVIRONMENT DOCA_CORE_MLX5_ENGINE=verbs)
  slow(rdma_machines.rxe)
  test_program(rxe_pair ${PROJECT_SOURCE_DIR}/bench/rxe_pair.c NOT_RUN LINK PkgConfig::RDMA_CORE)
  target_include_directories(rxe_pair PRIVATE ${compat})
  add_tree_test(bench.rxe_pair ${PROJECT_SOURCE_DIR}/bench/rxe_pair --no-download --repetitions 1
    --writes 20 --rounds 20 --program $<TARGET_FILE:rxe_pair>)
  can_skip(bench.rxe_pair TIMEOUT 400 COST 50 DEPENDS rxe_guest.image)
  rare(bench.rxe_pair)
endif()

# The program block_store on soft-RoCE, between two guests, where it connects by TCP. Deep tests also
# run it in one guest, with the owner on one device and the readers on the other, and let it connect
# by address where librdmacm is installed. Each of these runs takes minutes.
if(TARGET block_store.mlx5)
  set(stores ${PROJECT_SOURCE_DIR}/tests/compat/block_store/stores)
  set(few "-a 300 -w 300")
  set(second "-p ffff:01:00.0") # soft-RoCE has no PCI address: the list of devices gives it one
  function(add_store_test name guests owner reader)
    add_tree_test(${name} ${tools}/rxe-guest ${guests} --no-download --memory 768 --seconds 800
      --with ${stores}.expected --with ${stores} -- ${stores} $<TARGET_FILE:block_store.mlx5>
      ${owner} ${reader})
    can_skip(${name} TIMEOUT 900 COST 100 DEPENDS rxe_guest.image
      ENVIRONMENT DOCA_TEST_PATIENCE=100)
    rare(${name})
  endfunction()
  add_store_test(block_store.rxe.pair --pair ${few} "")
  if(DOCA_CORE_TEST_DEEP)
    add_store_test(block_store.rxe --guest ${few} ${second})
  endif()
  if(DOCA_CORE_TEST_DEEP AND TARGET rdma_cm.cm)
    add_store_test(block_store.rxe.cm --guest "${few} -r -i 10.0.1.1" "${second} -r -i 10.0.1.1")
    add_store_test(block_store.rxe.pair.cm --pair "${few} -r" -r)
  endif()
endif()

# The examples of RDMA on two machines. The folder examples is configured after this one.
if(TARGET rdma_machines.mlx5 AND DOCA_CORE_EXAMPLES)
  set(example 31_rdma_sync_event)
  set(expected ${PROJECT_SOURCE_DIR}/examples/${example}.expected)
  set(two_sides ${CMAKE_CURRENT_SOURCE_DIR}/two_sides.sh)
  add_tree_test(example.${example}.rxe ${tools}/rxe-guest --pair --no-download --seconds 200 --
    ${two_sides} ${expected} $<TARGET_FILE:${example}.mlx5>)
  can_skip(example.${example}.rxe TIMEOUT 300 COST 50 DEPENDS rxe_guest.image)
  rare(example.${example}.rxe)
endif()

# Debian's RDMA programs on the emulated device. A skipped test names the package to install.
set(groups devinfo interfaces pingpong pingpong_async pingpong_poll perftest ucx ethernet cm
  cm_perftest cm_fabric dpdk valgrind kill user run descriptors machine machine_anew sanitized)
if(DOCA_CORE_TEST_DEEP)
  list(APPEND groups dpdk_doorbells)
endif()
foreach(group ${groups})
  add_compiler_test(mlx5sim.tools.${group} ${DOCA_CORE_PYTHON} -B
    ${CMAKE_CURRENT_SOURCE_DIR}/test_mlx5sim.py ${tools}/mlx5sim/run ${group})
  can_skip(mlx5sim.tools.${group} TIMEOUT 600 ENVIRONMENT "${environment}" COST 20)
  if(NOT group MATCHES "^(devinfo|interfaces|run|descriptors|kill|machine_anew)$")
    slow(mlx5sim.tools.${group})
  endif()
endforeach()
set_tests_properties(mlx5sim.tools.perftest PROPERTIES COST 100)
