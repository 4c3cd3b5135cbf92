/* doca_core_comch.h - the API of DOCA Comch (doca_comch.h, 2.10 and 3.x), for use with doca_core.h
 *
 * Comch carries messages between a program on the DPU and programs on its host. A server on the DPU
 * serves one function of the host; clients on the host connect to the server by its name. The
 * control path of a connection carries messages of up to 4080 bytes. Its data path carries messages
 * of up to 1 GiB, from producers to buffers that consumers post. Here, both sides are processes of
 * one machine, or threads of one process. The devices are software devices, or RDMA devices of
 * doca_core_mlx5.h that have the sides and representors of a DPU; in both cases, messages travel
 * through sockets and memory of this machine.
 *
 * THIS HEADER HAS all 109 functions of doca_comch.h, doca_comch_consumer.h, doca_comch_producer.h
 * and doca_comch_msgq.h, with the vendor's names, values and signatures, and the 66 functions of
 * doca_cc.h, doca_cc_consumer.h and doca_cc_producer.h, the names of this channel in 2.5. The 28
 * calls for a DPA and for message queues only log one line and return NOT_SUPPORTED. The header
 * also has the 37 functions of doca_comm_channel.h (2.0 to 2.8), the predecessor of Comch: see
 * >>comch.endpoint.
 *
 * DO THIS in the one C (or C++) file that has the implementation, in place of doca_core.h, and
 * include this header without the macros everywhere else:
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #define DOCA_CORE_COMCH_IMPLEMENTATION
 *     #include "doca_core_comch.h"
 *
 * A CLIENT sends a message, prints the answer, and then stops:
 *
 *     static void sent(struct doca_comch_task_send *task, union doca_data of_task,
 *                      union doca_data of_ctx)
 *     {
 *         doca_task_free(doca_comch_task_send_as_task(task));
 *     }
 *
 *     static void received(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
 *                          struct doca_comch_connection *connection)
 *     {
 *         printf("%.*s\n", (int)len, (const char *)bytes);
 *         doca_ctx_stop(doca_comch_client_as_ctx(doca_comch_client_get_client_ctx(connection)));
 *     }
 *
 *     doca_comch_client_create(dev, "echo", &client);
 *     doca_comch_client_task_send_set_conf(client, sent, sent, 16);
 *     doca_comch_client_event_msg_recv_register(client, received);
 *     doca_pe_connect_ctx(pe, doca_comch_client_as_ctx(client));
 *     doca_ctx_start(doca_comch_client_as_ctx(client));   // returns IN_PROGRESS
 *     while (state == DOCA_CTX_STATE_STARTING)            // the state callback sets `state`
 *         doca_pe_progress(pe);
 *     doca_comch_client_get_connection(client, &connection);
 *     doca_comch_client_task_send_alloc_init(client, connection, "hello", 5, &task);
 *     doca_task_submit(doca_comch_task_send_as_task(task));
 *     while (state != DOCA_CTX_STATE_IDLE)
 *         doca_pe_progress(pe);
 *     doca_comch_client_destroy(client);
 *
 * A SERVER makes the same calls with a representor: doca_comch_server_create(dev, rep, "echo",
 * &server). It is RUNNING at once, and sends to the connections that its connect callback receives.
 *
 * THE DATA PATH needs an established connection. The receiving side creates a consumer with an
 * mmap, starts it and posts buffers. The new-consumer event gives the consumer's id to the sending
 * side, which creates a producer and sends to that id. Each side may have several consumers and
 * several producers. To end, destroy consumers and producers first, then stop and destroy the
 * client, then the server.
 *
 * PROCESSES. A server listens on an abstract address of local sockets (AF_UNIX). The address
 * consists of the user id, the PCI address of the represented function (for an SF: its VUID), and
 * the name of the server.
 * Both processes therefore must have the same user, see the same devices, and share a network
 * namespace. A server refuses a client of another user; the kernel provides the
 * credentials. Control messages travel through a socket (SOCK_SEQPACKET). The data path is one ring
 * per consumer in memory that the kernel shares between the two processes. When a process is
 * killed, its peer detects it: see >>comch.
 *
 * NOTIFICATION. A PE with servers, clients, consumers and producers has a notification handle, and
 * a program may sleep on it as with any other context.
 *
 * THREADS. A server or client and its connections belong to one thread. Each consumer and producer
 * may belong to another thread with another PE.
 *
 * MEMORY. No call uses the heap. Objects take their memory from the arena of their device; the
 * _create_in calls take it from any arena. The doca_core_bytes_comch_... calls give the sizes.
 * Rings and sockets are memory of the kernel.
 *
 * PLATFORM. Linux, with pointers of 32 or 64 bits, and representors (no DOCA_CORE_NO_REP). On other
 * systems the header is refused with #error.
 *
 * ERRORS are reported as in doca_core.h, including doca_core_last_error().
 *
 * FAULTS for tests: the rules of DOCA_CORE_FAULT apply to starts, connections and tasks (>>fault in
 * doca_core.h: comch, producer, consumer), and to the messages of endpoints (comm_channel).
 *
 * AS ON A CARD, according to the vendor's documents and samples: the states and their order, the
 * results of start, the events and their order, the calls that callbacks may make, a submit that
 * returns AGAIN if no buffer is posted, and the order in which objects must be destroyed.
 *
 * DIFFERENCES from the vendor's library
 *   - Both sides are on one machine, and belong to one user. No call reaches a card or another
 *     machine.
 *   - A send task of the data path succeeds when its message is in the ring. On a card it succeeds
 *     when the message is in the consumer's buffer (Assumed).
 *   - Getters that the reference forbids in some states succeed in every state.
 *   - A DPA does not exist: calls for completions of its threads and for message queues return
 *     NOT_SUPPORTED.
 *
 * PROGRAMS OF 2.5 call the channel doca_cc_...; see >>comch.cc.
 *
 * Assumed, because the vendor's documents do not say: all limits except messages of 4080 bytes and
 * buffers of 1 GiB of the data path (therefore the profiles of cards have the same numbers); that a
 * name is copied; that a received message is valid until its callback returns; that a connection is
 * no longer valid after its disconnect event; that the smaller of two message sizes applies; that a
 * message that does not fit into its buffer fails both tasks with IO_FAILED; that a message may
 * consist of immediate data only.
 * Source: DOCA Comch guide; API reference, "DOCA Comch"; programs published with the SDK.
 *
 * CONTENTS (search for the tag)
 * amalgamate: contents
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/comch/. Change the
 * parts.
 */
