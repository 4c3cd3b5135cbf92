# Packets of Ethernet ports: raw packet QPs, flow rules and flow tables, RSS, queues, packet pacing.

# The test of raw packet QPs reads the frames that it has sent from the file of --pcap.
foreach(mode sync async poll)
  set(pcap ${CMAKE_CURRENT_BINARY_DIR}/packet.${mode}.pcap)
  add_mlx5sim_test(packet.${mode} --strict --doorbells ${mode} --pcap ${pcap} --
    env PACKET_PCAP=${pcap} $<TARGET_FILE:mlx5sim.packet>)
endforeach()
set_tests_properties(mlx5sim.packet.sync PROPERTIES FIXTURES_SETUP mlx5sim.pcap)
find_program(DOCA_CORE_PYTHON python3)
if(DOCA_CORE_PYTHON)
  add_test(NAME mlx5sim.packet.scapy COMMAND ${DOCA_CORE_PYTHON} -B
    ${CMAKE_CURRENT_SOURCE_DIR}/pcap_scapy.py ${CMAKE_CURRENT_BINARY_DIR}/packet.sync.pcap)
  set_tests_properties(mlx5sim.packet.scapy PROPERTIES SKIP_RETURN_CODE 77
    FIXTURES_REQUIRED mlx5sim.pcap)
endif()
add_mlx5sim_test(wqs.infiniband --strict --link infiniband -- $<TARGET_FILE:mlx5sim.wqs>
  infiniband_has_none_of_the_commands)
add_mlx5sim_test(packet.infiniband --link infiniband -- $<TARGET_FILE:mlx5sim.packet>
  infiniband_has_no_raw_packets)

set(two_ports --device name=mlx5_0 --device name=mlx5_1,pci=03:00.1,netdev=p1
  --device name=vf,vf=0,pci=03:00.4,netdev=v0)
foreach(program steering rss wqs tables changes dr icm ste tunnels meters)
  foreach(mode sync async)
    add_mlx5sim_test(${program}.${mode} --strict --doorbells ${mode} ${two_ports} --
      $<TARGET_FILE:mlx5sim.${program}>)
  endforeach()
endforeach()

add_mlx5sim_test(rdma_tables --strict --devices 2 -- $<TARGET_FILE:mlx5sim.rdma_tables>)
# What the log says about a frame that an entry drops.
function(add_dropped case reason)
  add_mlx5sim_test(tunnels.${case} --log - ${two_ports} -- $<TARGET_FILE:mlx5sim.tunnels> ${case})
  set_tests_properties(mlx5sim.tunnels.${case} PROPERTIES PASS_REGULAR_EXPRESSION
    "a frame is dropped by the steering entry at 0x[0-9a-f]+: ${reason}")
endfunction()
add_dropped(entries_with_a_wrong_context_drop_frames
  "the function has no such packet reformat context for this action")
add_dropped(a_tunnel_does_not_make_frames_too_long "the frame would get too long or too short")

add_mlx5sim_test(icm.infiniband --strict --link infiniband -- $<TARGET_FILE:mlx5sim.icm>
  infiniband_has_no_memory_for_entries)
add_mlx5sim_test(many --strict -- $<TARGET_FILE:mlx5sim.many>)
set(run_of_all ${run})
set(run sh -c "ulimit -s 1024 && exec \"$@\"" sh ${run_of_all})      # kilobytes of stack
add_mlx5sim_test(many.stack --strict -- $<TARGET_FILE:mlx5sim.many>
  a_frame_can_be_changed_in_each_level)
set(run ${run_of_all})

foreach(mode sync async poll)
  add_mlx5sim_test(pacing.${mode} --strict --doorbells ${mode} --
    $<TARGET_FILE:mlx5sim.pacing>)
endforeach()
foreach(mode sync async poll)
  add_mlx5sim_test(sched.${mode} --strict --doorbells ${mode} -- $<TARGET_FILE:mlx5sim.sched>)
endforeach()
add_mlx5sim_test(sched.infiniband --strict --link infiniband -- $<TARGET_FILE:mlx5sim.sched>
  infiniband_has_no_scheduling)
add_mlx5sim_test(pacing.infiniband --strict --link infiniband -- $<TARGET_FILE:mlx5sim.pacing>
  infiniband_has_no_pacing)
