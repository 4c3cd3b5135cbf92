/* ---- >>fault --------------------------------------------------------------------------------
 * Fault injection, for tests of programs. The core puts a backend between itself and the backend of
 * a device. This backend makes operations fail, delays or reorders completions, or corrupts data,
 * according to the rules of a text. The program passes the text to doca_core_fault_set(), or the
 * user sets the environment variable DOCA_CORE_FAULT (in hosted processes only); the variable is
 * read when the first device list or sync event is created. The same text has the same effect on
 * the same sequence of operations. An invalid text is logged and has no effect.
 *     DOCA_CORE_FAULT="dma.submit=again%10,dma.complete=delay:2us,sha.complete=fail@3+,seed=7"
 * The text is a list of rules OPERATION=ACTION, separated by ','. Each may be followed by a
 * condition; without a condition, the rule always applies:
 *     operation                     when it happens                actions
 *     dev.open                      a device is opened             fail again
 *     dev.pd                        a device's PD is requested     fail again
 *     dev.reps                      representors are listed        fail: the list is empty
 *     mem.reg mem.export mem.import memory is registered, exported fail again lose
 *                                   or imported
 *     mem.alloc mem.copy            a device's own memory is       fail again lose
 *                                   allocated, is written or read
 *     arr.start                     an array gets its handle       fail again lose
 *     Q.open                        a context starts               fail again lose delay
 *     Q.submit                      a task is submitted            fail again lose, truncate
 *     Q.complete                    a task completes               fail lose delay reorder hold,
 *                                                                  flip
 *     Q.flush                       a context stops with tasks     delay
 *                                   in flight
 *     T.submit                      a task of this type is         fail again lose
 *                                   submitted
 *     T.complete                    a task of this type completes  fail lose delay reorder hold
 *     comch.connect rdma.connect    a connection is made or        fail again lose
 *                                   accepted
 *     rdma.connect_to_addr          a connection by address is     fail again lose
 *     rdma.accept rdma.reject       requested, accepted, rejected
 *     rdma.disconnect               a connection is ended          fail again lose
 *     rdma.export                   a connection is exported       fail again lose
 *     rdma.listen                   an instance listens to a port  fail again lose
 *     comm_channel.sendto           an endpoint sends a message    fail again lose
 *     comm_channel.recvfrom         an endpoint returns a message  fail again lose
 * Q is dma, sha, event (a sync event that is used as a context), advise, or a context of Comch or
 * RDMA: comch (a server or a client), producer, consumer, rdma. truncate and flip exist for dma and
 * sha only. T is a type of RDMA task: rdma_receive, rdma_send, rdma_send_imm, rdma_read,
 * rdma_write, rdma_write_imm, rdma_atomic_cmp_swp, rdma_atomic_fetch_add,
 * rdma_remote_net_sync_event_get, rdma_remote_net_sync_event_notify_set or
 * rdma_remote_net_sync_event_notify_add. `*` can replace the word before the dot, the word after
 * it, or all of the name; it stands for all operations that have the action. A task of RDMA matches
 * rdma and the name of its type; a rule that names both, such as *.submit, counts it once.
 *     fail[:CODE]   The operation returns CODE: the name of any error but IN_PROGRESS, without
 *                   DOCA_ERROR_. The default is IO_FAILED. (doca_dev_open() then returns
 *                   NOT_CONNECTED, unless CODE is NO_MEMORY.) A task that completes with CODE never
 *                   reached the device and wrote nothing.
 *     again         the same as fail:AGAIN
 *     lose          The device breaks down. This operation and all later ones return DRIVER until
 *                   the device is closed. Tasks that the device has not begun complete with DRIVER;
 *                   tasks of which the device was not notified yet complete with DRIVER or
 *                   IO_FAILED. The contexts of the device stop, as on a device that reports a
 *                   failure (dev_failed in >>backend). For a sync event whose tasks the CPU
 *                   executes, the device continues to work: only the queue of the event breaks
 *                   down, until the context is started again.
 *     delay:N       The operation completes N polls later. Each visit of doca_pe_progress() to the
 *                   context is a poll. While the context starts, each request for notification is a
 *                   poll, too.
 *     delay:TIME    The operation completes TIME later. TIME is a number with ns, us, ms or s.
 *                   Only on systems with a clock.
 *     hold          The task completes after doca_core_fault_release() releases it.
 *     reorder[:N]   The task completes after the next N (default 1) completions. If all remaining
 *                   tasks are waiting, the task that finished last completes first.
 *     truncate:N    The device sees only the first N bytes of the first source buffer.
 *     flip[:N]      N (default 1) bits of the output are inverted. They are among the last 16 bytes
 *                   of the part of the output that is in the first buffer; if these have fewer than
 *                   N bits, all are inverted. Memory of other processes, and the output of tasks
 *                   that fail, stay unchanged.
 *     @K  @K+  %P   Conditions: the K-th operation that matches the rule, from 1; the K-th and all
 *                   later ones; P percent of them (up to three decimals), selected by `seed`.
 *     seed=N        selects other operations for %P, and other bits for flip; default 1
 *     log=0         turns off the log lines for faults (level WARNING); default 1. If seed or log
 *                   occurs several times, the last value counts.
 * If several rules match an operation, the first rule of each action applies; fail and again count
 * as one action. truncate and flip do not apply to operations that fail. When a context stops, its
 * delay, reorder and hold end. Whatever the rules say, each task completes exactly once. The fault
 * of a completion is chosen when the queue accepts the task. A task that the device itself does not
 * accept is not counted; the next task that the rule matches gets its fault.
 *
 * Contexts of Comch and RDMA (doca_core_comch.h, doca_core_rdma.h):
 *     comch.connect  Two operations: a client connects to its server, and the server accepts the
 *                    client. After a failure the start of the client fails, and the program of the
 *                    server does not learn of the client.
 *     rdma.connect   doca_rdma_connect(), doca_rdma_connect_to_addr() or
 *                    doca_rdma_connection_accept() returns CODE. doca_rdma_connect() then leaves
 *                    the connection unchanged, so that the call can be repeated.
 *     rdma.connect_to_addr, rdma.accept   Only doca_rdma_connect_to_addr(), or only
 *                    doca_rdma_connection_accept(), returns CODE. A failed accept ends the
 *                    connection, and the client gets the failure callback. A call that a rule names
 *                    twice, for example by rdma.*, counts once.
 *     rdma.reject    doca_rdma_connection_reject() returns CODE. The request still waits, so that
 *                    the program can reject or accept it.
 *     rdma.disconnect   doca_rdma_connection_disconnect() returns CODE and leaves the connection
 *                    unchanged, so that the call can be repeated. Calls for a connection that has
 *                    already ended count, too.
 *     fail of a completion, Comch   The connection stays established. The message is not sent; the
 *                    send task of a producer uses no buffer of the consumer; the posted task of a
 *                    consumer receives no message, and the next task receives the message instead.
 *     fail of a completion, RDMA    The connection breaks, as after each task that fails: later
 *                    tasks complete with CONNECTION_ABORTED (or with CONNECTION_RESET, if that is
 *                    CODE) and are not executed, and the disconnection callback runs. A receive
 *                    task fails when a message for it arrives. The send of the peer then fails,
 *                    too; the bytes of a write with immediate value have arrived by then. On an
 *                    RDMA device, such a write and a message without bytes succeed for the peer. If
 *                    the connection of a task ends before the task is executed, the task completes
 *                    with the error of that end instead of CODE.
 * Events, such as messages and the ends of connections, are never delayed: the callback of a
 * disconnection can run before a delayed completion.
 *     comm_channel.sendto    doca_comm_channel_ep_sendto() returns CODE and sends nothing. Calls
 * that fail for another reason, such as a peer that is not connected, do not count.
 *     comm_channel.recvfrom  doca_comm_channel_ep_recvfrom() returns CODE; the next call returns
 * the message. Calls without a message do not count.
 *
 * Rules apply to devices that are opened, and to sync events that are created, after the first text
 * was set. The text can be changed at any time; the new text applies to later operations. Contexts
 * of such devices and sync events take DOCA_CORE_BYTES_FAULT_QUEUE() more bytes when they start.
 * All other devices and contexts have no fault injection and no additional cost. While completions
 * are delayed or held, the handle of the PE stays readable. The delayed start of a context does not
 * make the handle readable.                                                                     */
#ifndef DOCA_SRC_FAULT_FAULT_H
#define DOCA_SRC_FAULT_FAULT_H

#include "base/types.h"
#include "base/config.h"
#include "base/error.h"

#define DOCA_CORE_FAULT_MAX_RULES 16
#define DOCA_CORE_FAULT_MAX_RECORDS 64

/* Bytes that a context of `num_tasks` tasks, of all types together, takes in addition on a device
 * with fault injection. */
#define DOCA_CORE_BYTES_FAULT_QUEUE(num_tasks)                                                     \
    ((size_t)DOCA_CORE_LINE * (7 + (DOCA_CORE_CHECK >= 2 ? 4 : 3) * (size_t)(num_tasks)))

struct doca_core_fault_record {
    uint64_t number;       /* number of the fault since the text was set, from 1 */
    const char *operation; /* name of the operation, such as "dma.submit" */
    const char *action;    /* name of the action, such as "fail" */
    uint64_t nth;          /* number of the operation among the operations that match the rule, from
                            * 1 */
    uint32_t rule;         /* index of the rule in the text, from 0; seed and log do not count */
    doca_error_t code;     /* the error that was returned, or SUCCESS */
};

/* Replace the rules. Counts and records start again.
 *
 *   text  not needed after the call. "" sets no rules, but devices that are opened later have fault
 *         injection. NULL removes the rules, and devices that are opened later have no fault
 *         injection
 *
 * Threads   any
 * Errors    INVALID_VALUE  the text is malformed; the log line gives the position, in characters
 *                          from 1. Nothing has changed
 *           TOO_BIG        more than DOCA_CORE_FAULT_MAX_RULES rules. Nothing has changed */
DOCA_CORE_DECL doca_error_t doca_core_fault_set(const char *text);

/* Return the number of faults since the text was set.   Threads any */
DOCA_CORE_DECL uint64_t doca_core_fault_get_num(void);

/* Get a fault by its number. The last DOCA_CORE_FAULT_MAX_RECORDS faults are available.
 *
 * Threads   any
 * Errors    NOT_FOUND  there was no fault with this number, or its record was overwritten */
DOCA_CORE_DECL doca_error_t doca_core_fault_get_record(uint64_t number,
                                                       struct doca_core_fault_record *record);

/* Return the number of tasks whose completion is held, including tasks that have not finished yet.
 *
 * Threads   any */
DOCA_CORE_DECL uint32_t doca_core_fault_get_num_held(void);

/* Release the completions of up to `num_tasks` held tasks of any context, and return the number of
 * released tasks. UINT32_MAX releases all held tasks. Tasks that have finished are released first,
 * in the order in which doca_pe_progress() noticed their end. Tasks that have not finished follow
 * in the order of their submission; they complete when they finish. doca_pe_progress() delivers the
 * completions.
 *
 * Threads   any */
DOCA_CORE_DECL uint32_t doca_core_fault_release(uint32_t num_tasks);

#endif
