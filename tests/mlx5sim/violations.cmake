# Programs that break the rules of the device.

add_mlx5sim_test(wrong -- $<TARGET_FILE:mlx5sim.violations>)
function(add_violation case text)
  add_test(NAME mlx5sim.strict.${case} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/expect_abort.sh ${text}
    ${run} --strict -- $<TARGET_FILE:mlx5sim.violations> ${case})
  set_tests_properties(mlx5sim.strict.${case} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120
    FIXTURES_REQUIRED mlx5sim ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
endfunction()
add_violation(a_doorbell_register_written_before_its_record
  "QP 0x100: doorbell for WQE 0, .* be written before")
add_violation(a_wqe_with_another_index "QP 0x100: the WQE in slot 0 says it is WQE 7")
add_violation(a_wqe_of_another_qp "QP 0x100: WQE 0 says it is of QP 0x101")
add_violation(a_wqe_longer_than_the_posted_blocks "QP 0x100: WQE 0 has 2 basic blocks, only 1")
add_violation(more_wqes_than_the_queue_has "QP 0x100: 17 basic blocks are posted to a queue of 16")
add_violation(a_doorbell_of_a_missing_qp
  "UAR page [0-9]*: doorbell of QP 0xfffff0, which does not exist")
add_violation(more_completions_than_the_cq_has "CQ 0x[0-9a-f]* of 32 CQEs overruns")
add_violation(an_operation_on_two_bytes
  "device memory 1 of 4096 bytes: store of 2 bytes at operation address 0x10: only single bytes")
add_violation(a_load_from_the_address_that_adds
  "device memory 1: load at the address of the operation .increment.")
add_violation(a_store_to_the_address_that_sets
  "device memory 1: store at the address of the operation .test and set.")
add_violation(a_key_larger_than_its_umem "16385 bytes at 0 are outside umem")
add_violation(a_key_over_a_deregistered_umem "umem [0-9]* is not there")
