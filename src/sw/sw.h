/* ---- >>sw -----------------------------------------------------------------------------------
 * The software device is always available. It really copies and hashes, by default inside
 * doca_pe_progress(): a call executes a single task, or up to 16 waiting hash tasks together if
 * they use the same algorithm and hash one buffer each. Workers, at the end of this section,
 * execute tasks in other threads. By default the backend presents a card with two ports in a host,
 * as in the figure of the guide:
 *     DPU side    IB device  interface      host side     IB device  interface  representor on
 *     03:00.0     mlx5_0     p0             0b:00.0 (PF)  mlx5_0     pf0        p0
 *     03:00.1     mlx5_1     p1             0b:00.1 (PF)  mlx5_1     pf1        p1
 *     03:00.0 SF  mlx5_2     p0s0 (on p0)   0b:00.2 (VF)  mlx5_2     pf0vf0     p0
 *     03:00.1 SF  mlx5_3     p1s0 (on p1)   0b:00.3 (VF)  mlx5_3     pf0vf1     p0
 *                                           0b:00.4 (VF)  mlx5_4     pf1vf0     p1
 * The SFs also have representors, on the device in parentheses. A process that did not choose a
 * side lists all nine devices in the order of this table, the DPU side first.
 *
 * Devices of the host side can export mmaps by PCI but cannot import them, as the guide says. The
 * profile unlimited allows PCI exports and imports on both sides, because programs that were run on
 * cards also import on the host. All other limits come from the profile:
 *     profile      memcpy: bytes   list   tasks     hash: bytes   list   tasks
 *     default      1 GiB           65,536 65,536    1 GiB         65,536 65,536
 *     unlimited    SIZE_MAX        2^32-1 65,536    SIZE_MAX      2^32-1 65,536
 *     bluefield2   128 MiB         64     65,536    128 MiB       64     65,536
 *     bluefield3   2 MiB           64     65,536    no hash engine
 *     connectx7    no copy engine                   no hash engine
 * The columns are bytes per task, buffers per list, and tasks per context. For the cards, the list
 * lengths, the task counts, all limits of hash tasks and the missing copy engine of ConnectX-7 are
 * Assumed. Many programs allocate as much as a device reports as its limit; therefore the limits of
 * the default profile are amounts that can be allocated. The limits of Comch do not depend on the
 * profile, except that connectx7 has no Comch, because the card has no DPU.
 *
 * In a hosted process, environment variables select the profile, the side and the devices. They are
 * read when the first device list is created, and apply only to settings that the program did not
 * make by a call:
 *     DOCA_CORE_SW_PROFILE   name of a profile
 *     DOCA_CORE_SIDE         dpu, host or both; takes precedence over DOCA_ARCH_* at compile time
 *     DOCA_CORE_SW_TOPOLOGY  other devices, in the form of doca_core_sw_set_topology()
 * An invalid value is logged and has no effect. An empty value counts as unset. A further variable,
 * DOCA_CORE_SW_PTRACER, is read when an mmap is exported: see doca_mmap_export_pci(). All of them
 * are ignored in a program that runs with more rights than the user that started it (setuid, setgid
 * or file capabilities; the kernel sets AT_SECURE).                                             */
#ifndef DOCA_SRC_SW_SW_H
#define DOCA_SRC_SW_SW_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"
#include "device/device.h"

#define DOCA_CORE_SW_RAM_BYTES 256 /* maximum length of the path of ram=, with its NUL */

#define DOCA_CORE_SW_DEFAULT_DEVS 9 /* devices in the table above, for
                                     * DOCA_CORE_BYTES_DEVINFO_LIST() */

/* Look up the limits of a profile by its name, for a table of doca_core_sw_set_devices().
 *
 * Errors    NOT_FOUND  there is no profile of this name */
DOCA_CORE_DECL doca_error_t doca_core_sw_profile(const char *name,
                                                 struct doca_core_limits *limits);

/* Set the profile of the default devices, from the next device list on.
 *
 * Threads   any
 * Errors    NOT_FOUND  there is no profile of this name */
DOCA_CORE_DECL doca_error_t doca_core_sw_set_profile(const char *name);

/* Choose the side to list devices of, from the next device list on. BOTH lists all devices.
 *
 * Threads   any
 * Errors    INVALID_VALUE  `side` is not a side */
DOCA_CORE_DECL doca_error_t doca_core_sw_set_side(enum doca_core_side side);

/* Replace the devices of both sides, from the next list of devices or representors on. Open devices
 * and representors do not change. The representors of a device are the functions whose rep_dev is
 * the PCI address of the device.
 *
 *   attrs  one element per device; copied, including the path `ram`. NULL with num 0 restores the
 *          devices of the environment or, without these, the default devices. An empty vuid is
 *          composed of the side, the PCI address and, for an SF, the IB device name. A vhca_id or
 *          sf_index of 0 is replaced by the index in attrs, a rate_gbps of 0 by 100
 *   num    at most DOCA_CORE_SW_MAX_DEVS; 0 with attrs not NULL: there are no devices at all
 *
 * Threads   any
 * Errors    INVALID_VALUE  attrs is NULL and num is not 0, or attrs contains:
 *                          a PCI address that is not "DDDD:BB:DD.F" in lower case, with a device of
 *                          at most 1f and a function of at most 7; two equal addresses on a side
 *                          (an SF whose IB device name differs may share an address); two equal
 *                          VUIDs; a text without NUL; has_dma or has_sha with a limit of 0; a
 *                          rep_dev that is not the address of a device with rep_filters; a ram
 *                          without rep_dev, an empty or too long one, or an invalid ram_split;
 *                          rep_filters on the host side or of an SF; an unknown enumerator or flag
 *           TOO_BIG        num is above DOCA_CORE_SW_MAX_DEVS */
DOCA_CORE_DECL doca_error_t doca_core_sw_set_devices(const struct doca_core_dev_attr *attrs,
                                                     uint32_t num);

/* Replace the devices of both sides by the devices that a text describes. Functions are separated
 * by ';' or line ends. Each function is a PCI address, with or without the domain, followed by
 * words key=value in any order, separated by spaces:
 *     03:00.0 side=dpu ib=mlx5_0 if=p0 ; 0b:00.0 side=host ib=mlx5_0 rep=03:00.0 type=pf
 *
 *     side=both|dpu|host        (both)      type=pf|vf|sf            (pf)
 *     ib=NAME  if=NAME          (none)      vuid=TEXT                (composed, as above)
 *     mac=02:00:00:00:00:01     (none)      ipv4=192.0.2.1  ipv6=2001:db8::1  (none)
 *     port=eth|ib               (eth)       lid=0 to 65535           (0)
 *     rep=PCI ADDRESS           (none)      the device that has the representor of this function
 *     filters=all+net+emulated  (all three for side=dpu without type=sf, else none)
 *     profile=NAME              (the profile in force when a device list is created)
 *     ram=FILE                  (none)      the memory of the machine that has this function: a
 *                                           file whose offsets are physical addresses
 *     ram_split=BYTES           (0)         bytes of the file from this offset on are at the
 *                                           addresses from 4 GiB on, as in QEMU's machine q35; 0:
 *                                           no such bytes
 *     hotplug=0|1  emulated=0|1  manager=0|1  (0)
 *
 * The defaults are in parentheses. When a text is rejected, the log line gives the position of the
 * word, value or function at fault, counted in characters from 1.
 *
 *   text  not needed after the call; NULL restores the devices as doca_core_sw_set_devices() does
 *
 * Threads   any
 * Errors    INVALID_VALUE  the text is not of this form, or doca_core_sw_set_devices() would reject
 *                          its table
 *           TOO_BIG        the text describes more than DOCA_CORE_SW_MAX_DEVS functions */
DOCA_CORE_DECL doca_error_t doca_core_sw_set_topology(const char *text);

/* A worker lets a thread of the program serve a software device, so that copies and hashes proceed
 * while the thread of the PE does other work.
 *     doca_core_sw_worker_create(dev, &worker)             before contexts are started
 *     pthread_create(), for a thread that calls doca_core_sw_worker_run(worker)
 *     ...                                                  contexts run and become idle again
 *     doca_core_sw_worker_stop(worker); pthread_join(...); doca_core_sw_worker_destroy(worker)
 * A DMA or SHA context that starts while its device has workers gets a queue that all these workers
 * serve in parallel. Its tasks complete in any order, as on hardware. Other contexts of the
 * device, and contexts of other devices, execute their tasks inside doca_pe_progress(). A worker
 * can serve many contexts of many PEs. Callbacks are called, and the contents of buffers grow, only
 * inside doca_pe_progress().
 * Workers execute copies between two single buffers, and hash tasks with single buffers. The thread
 * of the PE executes all other tasks in doca_pe_progress(), as without a worker: tasks with lists,
 * with memory of other processes, segments of partial hash tasks, tasks that the device rejects,
 * and tasks that find no free mailbox (the mailboxes are divided equally among the workers).
 * While a task is in flight nothing else may use its buffers. If two tasks have the same
 * destination, or if one of them reads what the other writes, submit the second task after the
 * first has completed. If the content of the destination buffer has changed when the task ends, the
 * task fails with IO_FAILED.
 * A worker serves from its first run or step until its stop. While no worker serves, the thread of
 * the PE executes all tasks, so a task never waits for a missing worker. */

#define DOCA_CORE_SW_MAX_WORKERS 16 /* per device */

struct doca_priv_sw_lane;

struct doca_core_sw_worker {
    struct doca_priv_object obj;
    uint32_t pid;        /* process that created the worker */
    uint32_t num_queues; /* open queues that the worker serves */
    struct doca_core_arena *arena;
    struct doca_dev *dev;
    struct doca_core_sw_worker *next; /* next worker of the device */

    uint32_t lock;        /* held by the thread that serves; protects the members below */
    uint32_t num_waiting; /* number of threads that wait for `lock` */
    uint32_t asleep;      /* futex word: 1 while the thread sleeps or is about to */
    uint32_t max_idle; /* turns without work after which the worker sleeps */
    struct doca_priv_sw_lane *lanes; /* list with a lane for each queue that the worker serves */
    bool is_serving; /* the worker holds its lanes, or takes them in the next turn */
    bool is_running; /* a thread is in doca_core_sw_worker_run() */
    bool is_stopped; /* a stop was requested */
    bool is_asleep;
};

/* DOCA_CORE_BYTES_SW_WORKER: bytes of `n` workers. DOCA_CORE_BYTES_SW_LANES: bytes that a context
 * of `num_tasks` tasks, of all types together, takes from the device's arena when it starts on a
 * device with `num_workers` workers (at least 1). */
#define DOCA_CORE_BYTES_SW_WORKER(n)                                                               \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_core_sw_worker)))
#define DOCA_CORE_BYTES_SW_LANES(num_tasks, num_workers)                                           \
    DOCA_CORE_BYTES_BLOCK(                                                                         \
        DOCA_CORE_LINE *                                                                           \
        (2 + (size_t)(num_workers) *                                                               \
                 (3 + ((size_t)(num_tasks) + (num_workers) - 1) / (size_t)(num_workers))))
DOCA_CORE_DECL doca_error_t doca_core_bytes_sw_worker(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_sw_lanes(uint32_t num_tasks, uint32_t num_workers,
                                                     size_t *bytes);

/* Create a worker for `dev`. doca_core_sw_worker_create() takes its memory from the device's arena.
 *
 * Owns      one block of the arena, and a reference to the device. Each context that starts while
 *           the worker exists takes one more block, of DOCA_CORE_BYTES_SW_LANES(), from the arena
 *           of the device until it is idle
 * Threads   any
 * Errors    NOT_SUPPORTED  `dev` is not a device of the software backend
 *           FULL           the device has DOCA_CORE_SW_MAX_WORKERS workers
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_sw_worker_create(struct doca_dev *dev,
                                                       struct doca_core_sw_worker **worker);
DOCA_CORE_DECL doca_error_t doca_core_sw_worker_create_in(struct doca_core_arena *arena,
                                                          struct doca_dev *dev,
                                                          struct doca_core_sw_worker **worker);

/* Destroy a worker.
 *
 * Threads   any; no other thread may be in a call with this worker
 * Errors    IN_USE  a thread is in doca_core_sw_worker_run(), or contexts that the worker serves
 *                   are not idle */
DOCA_CORE_DECL doca_error_t doca_core_sw_worker_destroy(struct doca_core_sw_worker *worker);

/* Set the number of consecutive turns without work after which a running worker sleeps. A turn
 * checks all contexts that the worker serves. It takes some nanoseconds, more with many contexts.
 * To wake a sleeping worker costs the submit a system call and delays the task by some
 * microseconds.
 *
 *   num_turns  20,000 by default; UINT32_MAX: never sleep (the only behaviour on systems other than
 *              Linux)
 *
 * Threads   any; takes effect in the worker's next turn */
DOCA_CORE_DECL doca_error_t doca_core_sw_worker_set_max_idle_turns(
    struct doca_core_sw_worker *worker, uint32_t num_turns);

/* Serve the device in the calling thread until doca_core_sw_worker_stop(). Afterwards the worker
 * can be run again.
 *
 * Threads   any, but only one thread at a time
 * Errors    IN_USE  another thread is in this call */
DOCA_CORE_DECL doca_error_t doca_core_sw_worker_run(struct doca_core_sw_worker *worker);

/* Execute waiting tasks, at most `max_tasks`, and return the number of executed tasks. A program
 * that has its own loop uses this call. After the first step and until stop, tasks are executed
 * only in steps.
 *
 * Threads   any
 * Cost      the tasks, and a lock
 * Errors    returns 0 if `worker` is invalid, or if a thread is in doca_core_sw_worker_run() */
DOCA_CORE_DECL uint32_t doca_core_sw_worker_step(struct doca_core_sw_worker *worker,
                                                 uint32_t max_tasks);

/* Stop the worker. A doca_core_sw_worker_run() in progress returns, possibly a little after this
 * call. If no run is in progress, this call ends the service that steps have begun; the next run
 * then returns as soon as it begins, unless a step comes before it. Tasks that the worker has not
 * begun are executed by doca_pe_progress() in the thread of their PE.
 *
 * Threads   any; waits while a task is executed */
DOCA_CORE_DECL doca_error_t doca_core_sw_worker_stop(struct doca_core_sw_worker *worker);

#endif
