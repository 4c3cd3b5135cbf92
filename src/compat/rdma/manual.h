/* doca_core_rdma.h - the API of DOCA RDMA (doca_rdma.h, 2.5 to 3.x), for use with doca_core.h
 *
 * RDMA connects instances of two programs. A program sends messages into buffers that its peer has
 * posted. It also reads, writes and changes memory that the peer has exported, while the program of
 * the peer does something else. Here, both sides are processes of one machine, or threads of one
 * process, and the software device replaces the card.
 *
 * THIS HEADER HAS all 178 functions of doca_rdma.h of 2.10 and the function that 3.0 adds, with the
 * vendor's names, values and signatures, and the forms of 2.5 and 3.0 where these differ: see
 * >>rdma.api_25. The 6 calls for a DPA, for a GPU and for librdmacm only answer NOT_SUPPORTED and
 * log one line.
 *
 * DO THIS in the one C (or C++) file that has the implementation, in place of doca_core.h, and
 * include this header without the macros everywhere else:
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #define DOCA_CORE_RDMA_IMPLEMENTATION
 *     #include "doca_core_rdma.h"
 *
 * Programs of 2.10 and 3.x, like the one below, are compiled with -DDOCA_CORE_API=30000. Without it
 * the vendor's names have the form of 2.5, and export and connect have no connection argument.
 *
 * ONE SIDE sends a message, and stops when the message has arrived:
 *
 *     static void sent(struct doca_rdma_task_send *task, union doca_data of_task,
 *                      union doca_data of_ctx)
 *     {
 *         doca_task_free(doca_rdma_task_send_as_task(task));
 *         doca_ctx_stop(of_ctx.ptr);
 *     }
 *
 *     doca_rdma_create(dev, &rdma);
 *     ctx = doca_rdma_as_ctx(rdma);
 *     doca_rdma_task_send_set_conf(rdma, sent, sent, 1);
 *     doca_ctx_set_user_data(ctx, (union doca_data){ .ptr = ctx });
 *     doca_pe_connect_ctx(pe, ctx);
 *     doca_ctx_start(ctx);                                // returns SUCCESS
 *     doca_rdma_export(rdma, &bytes, &num_bytes, &connection);
 *     exchange(bytes, num_bytes, &of_peer, &num_of_peer); // by a channel of the program
 *     doca_rdma_connect(rdma, of_peer, num_of_peer, connection);
 *     doca_rdma_task_send_allocate_init(rdma, connection, buf, nothing, &task);
 *     doca_task_submit(doca_rdma_task_send_as_task(task));
 *     while (state != DOCA_CTX_STATE_IDLE)                // the state callback sets `state`
 *         doca_pe_progress(pe);
 *     doca_rdma_destroy(rdma);
 *
 * THE OTHER SIDE makes the same calls, but calls doca_rdma_task_receive_set_conf(), and submits a
 * receive task with an empty buffer for the message.
 *
 * MEMORY OF THE PEER is reached through an mmap. Its owner sets RDMA_READ, RDMA_WRITE or
 * RDMA_ATOMIC as permissions of the mmap and of its instance, exports the mmap by
 * doca_mmap_export_rdma(), and sends the descriptor and the address to the peer. The peer imports
 * the mmap by doca_mmap_create_from_export(), and makes buffers with the addresses of the owner.
 *
 * PROCESSES. Both processes have one user, see the same software topology, and share a network
 * namespace. A started instance with connections listens under an abstract address of local sockets
 * (AF_UNIX): for connections by export, its name is in the exported bytes; for connections by
 * address, the name is made of the user id and the port. A peer of another user is refused, by the
 * credentials that the kernel gives. When a process is killed, its peer notices: see
 * >>rdma.connection. A process reads and writes memory of its peer by system calls, for tasks on
 * exported memory and for messages of more than 544 bytes. Where the kernel restricts these calls
 * (Yama), set DOCA_CORE_SW_PTRACER=any for both processes: see doca_mmap_export_rdma().
 *
 * RDMA DEVICES. With DOCA_CORE_RDMA_VERBS (>>rdma.config), -libverbs and -lmlx5, devices of
 * doca_core_mlx5.h have RDMA, also to other machines. They have never been tried on a card, only on
 * an emulated one, and on Linux's soft-RoCE between two virtual machines. An instance then has a
 * completion queue and a shared receive queue, and each connection a queue pair (RC). On mlx5
 * devices, the library writes requests to these queues and reads completions from them itself. On
 * other devices, and if the environment contains DOCA_CORE_RDMA_ENGINE=verbs when an instance
 * starts, the library calls libibverbs. The queue pairs of an instance share a doorbell register
 * that no other queue uses (ibv_alloc_td()). If the device has no register left, the library calls
 * libibverbs.
 * Differences from the software device:
 *   - doca_rdma_connect() establishes the connection of its side at once. Tasks wait about 4 s for
 *     the peer to connect; then they fail with CONNECTION_RESET.
 *   - A connection by export has a second queue pair. When a side disconnects, stops, or has broken
 *     the connection, it sends its peer a notice on this queue pair. The peer finds the notice in
 *     its next 16 calls of doca_pe_progress(), also when only receive tasks wait. When the process
 *     of the peer was killed, or its machine does not answer, the connection ends about 4 s after
 *     the next probe. A probe is an empty write; a side sends one every DOCA_CORE_RDMA_PROBE_MS
 *     (2 s) while no task is in flight. The program must call doca_pe_progress(), or sleep on the
 *     handle, which a due probe wakes. When a peer is killed before it has answered the first
 *     probe, only a task can detect that: it fails. Every 16th call of doca_pe_progress() also
 *     looks at the completion queue of the second queue pairs, and every 256th reads the clock.
 *   - doca_ctx_stop() gives the devices of peers up to 1 s to take this notice. It does not wait
 *     for a peer on the same machine whose process has ended. doca_rdma_export() waits up to 10 ms
 *     when it reuses the entry of an ended connection.
 *   - Connections by address need DOCA_CORE_RDMA_CM as well, and -lrdmacm. The library resolves
 *     the address through librdmacm. When a process is killed, its kernel tells the peer that the
 *     connection has ended. The listener accepts requests to all addresses of the instance's
 *     device. A request that reaches the port through another device is rejected. Only
 *     one instance of the machine can listen on a port. GIDs are those of RoCE. accept sends the
 *     private data. An instance that has called a function about an address makes a system call in
 *     every 16th idle call of progress. This code has run on soft-RoCE only. Without
 *     DOCA_CORE_RDMA_CM, these calls are NOT_SUPPORTED.
 *   - Tasks on sync events of the peer need an event whose subscriber or publisher on the CPU has
 *     the device of the peer's instance. The device executes them: an addition is atomic with
 *     respect to other additions by the device, and with respect to the CPU only as
 *     DOCA_CORE_EVENT_ENGINE_ALL says. It needs the permission RDMA_ATOMIC of the peer's instance.
 *     While tasks of a PE wait for such an event, a request for notification makes the handle of
 *     the PE readable at once.
 *   - The capability calls open the device, and return its limits, not above those of
 *     >>rdma.config. The longest queue with the longest lists may be too large for a queue pair:
 *     then doca_rdma_export() fails.
 *   - The attempts of a message without a receive task are 0.64 ms apart. On soft-RoCE they end
 *     after some seconds with CONNECTION_RESET, although the peer is alive.
 *   - An export of a card that cannot be used by other engines of the importing device is imported
 *     for RDMA tasks only; copies refuse it.
 *   - libibverbs uses the heap when an instance starts, exports, connects and stops, and in
 *     capability calls; librdmacm does when connections by address are made and end.
 *
 * NOTIFICATION. A PE with instances has a notification handle, and a program may sleep on it as
 * with any other context.
 *
 * THREADS. An instance, its connections and its tasks belong to the thread of its PE. Addresses
 * (doca_rdma_addr_create()) may be created and destroyed by any thread.
 *
 * MEMORY. No call uses the heap. Objects take their memory from the arena of their device;
 * doca_core_rdma_create_in() takes it from any arena. doca_core_bytes_rdma() gives the size. Only
 * addresses lie in a static table.
 *
 * PLATFORM. Linux, with pointers of 32 or 64 bits, and sync events (no DOCA_CORE_NO_SYNC_EVENT). On
 * other systems the header is refused with #error.
 *
 * ERRORS are reported as in doca_core.h, including doca_core_last_error().
 *
 * FAULTS for tests: the rules of DOCA_CORE_FAULT apply to starts, connections and tasks (>>fault in
 * doca_core.h: rdma, and rdma_send, rdma_read and so on for tasks of one type).
 *
 * AS ON A CARD, as far as the vendor's documents and samples tell: the states and their order, the
 * results of start, the calls that callbacks may make, the order in which tasks complete, that a
 * message waits for a receive task, and that a submit to a full send queue returns FULL.
 *
 * DIFFERENCES from the vendor's library
 *   - On software devices, both sides are on one machine, and have one user. No call reaches
 *     another machine, and the text of an address does not matter, only its port.
 *   - DC transport, DPA, GPU and the bridge to librdmacm do not exist: NOT_SUPPORTED.
 *   - MTU, GRH, GID index and service level are kept and have no effect.
 *   - doca_rdma_set_recv_queue_size() succeeds on the data path of the CPU.
 *
 * Assumed, because the vendor's documents do not say: all limits and initial values; that a missing
 * permission of the peer completes the task with IO_FAILED and breaks the connection; that received
 * and read data goes behind the data of the buffers; that connections by export run the connection
 * state callbacks; the order of completions; host byte order of the numbers of atomic tasks.
 * Source: DOCA RDMA guide; API reference, "DOCA RDMA"; programs published with the SDK.
 *
 * CONTENTS (search for the tag)
 * amalgamate: contents
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/rdma/. Change the
 * parts.
 */
