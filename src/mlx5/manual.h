/* doca_core_mlx5.h - doca_core on BlueField and ConnectX, and on any RDMA device
 *
 * This is a backend of doca_core.h. It runs on rdma-core (libibverbs and libmlx5, version 44 or
 * later) and needs Linux. Programs do not change: once the backend is registered, device lists
 * contain the RDMA devices of the machine after the software devices, and the RDMA devices offer
 * the same operations.
 *
 * DO THIS in one C (or C++) file; it may be the file that holds doca_core.h's implementation:
 *
 *     #define DOCA_CORE_MLX5_IMPLEMENTATION
 *     #include "doca_core_mlx5.h"
 *
 * Link the program with -libverbs -lmlx5, and make this call before it creates a device list:
 *
 *     doca_core_backend_register(doca_core_mlx5_backend(NULL));
 *
 * To hide the software devices, also call doca_core_sw_set_devices(&attr, 0).
 *
 * THE ENGINES. A device copies with one of three engines. The backend chooses the engine when it
 * finds the device; the program can choose it instead, with options.engine, or the user with
 * DOCA_CORE_MLX5_ENGINE=mmo|rc|verbs in the environment:
 *     MMO    the DMA engine of BlueField: WQEs with opcode MMO, on a queue pair enabled for them
 *     RC     RDMA WRITE between two connected queue pairs of one port, with WQEs in mlx5's format
 *     VERBS  RDMA WRITE through ibv_post_send and ibv_poll_cq: works on any RDMA device, including
 *            soft-RoCE
 * With MMO and RC the backend writes doorbell registers itself, which it can do on x86 and Armv8;
 * on other processors every device uses VERBS. The backend reads the capabilities of a device from
 * its firmware (QUERY_HCA_CAP through DevX). It has no hash engine, because the WQE layout of
 * hashes is not public. A device that is not on a PCI bus gets an address in PCI domain ffff,
 * numbered by its position in libibverbs' list: ffff:00:00.0 is the first device of that list.
 *
 * TASKS. With RC and VERBS, a WQE gathers consecutive sources and writes them to one contiguous
 * destination: a task becomes one WQE for each buffer of its destination list, and more if a
 * buffer receives more sources than a WQE can have (30, or fewer if the device supports fewer).
 * With MMO a task becomes one WQE for each contiguous piece, where a piece ends at every boundary
 * of a source or destination buffer. Only the last WQE of a task asks for a completion (with
 * VERBS, every WQE does). The tasks of a context complete in the order of their submission.
 * With RC and VERBS, the CPU reads sources of up to 28 bytes during submit and places them in the
 * WQE (DOCA_CORE_MLX5_MAX_INLINE). It does not do so if the source is imported, in a dmabuf or on
 * the NIC.
 * If the device would reject a task, the backend detects this at submit, reports it after all
 * single buffers that overlap, the CPU moves the bytes in doca_pe_progress(), because the order in
 * which an engine reads and writes is unknown. The CPU cannot do so in imported memory and in
 * dmabufs; such a task fails. A task also fails if the program changed its destination buffer
 * before the task completed. An error completion stops the context, as every failed task does;
 * doca_core_last_error() contains its syndromes. A context that is started again has new queues.
 *
 * REFUSALS. When libibverbs, the kernel or the firmware refuses a call, doca_core_last_error()
 * gives the step that was refused, the name of the errno, the firmware's status and syndrome if it
 * reported them, and the likely cause with its remedy:
 *     doca_core: doca_mmap_start: dev 0x5581c0: libibverbs or the kernel refused to register the
 *     memory: EFAULT; the range is not mapped completely, or it is read-only: set
 *     DOCA_ACCESS_FLAG_LOCAL_READ_ONLY for read-only memory [INVALID_VALUE]
 * For most commands libibverbs does not pass on the syndrome; the kernel writes it to its log
 * (dmesg).
 *
 * FAILURE. A device has failed when it reports IBV_EVENT_DEVICE_FATAL, or when it reports that a
 * queue of this library will deliver no more completions (CQ_ERR, QP_FATAL). Its tasks in flight
 * then fail, and all its contexts stop, including idle ones; see doca_pe_progress(). Contexts can
 * run again on a device that is opened after the failure.
 * If a device was opened from a PD of the program, the program receives these events and should
 * pass them on with doca_core_mlx5_pass_event(). If it does not, the failure is detected only after
 * a PE has polled without result for a long time.
 * If a device loses a single completion without reporting it, the loss is detected when the next
 * completion arrives. Stopping the context always makes the device write another completion. The
 * backend sets no time limit for tasks, because the hardware sets none. (If the device also loses
 * the completion caused by the stop, and reports no failure, the context never becomes idle.)
 *
 * MEMORY. doca_mmap_start() registers the range with the rights that its permissions imply, and
 * takes one small block of the device's arena (DOCA_CORE_MLX5_BYTES_REG). RDMA permissions include
 * local writing where the verbs require it. With RC and VERBS a writable range is registered a
 * second time; the queue pairs write with the key of this second registration. If the permissions
 * contain relaxed ordering, these keys and the keys of exports ask for it; devices without relaxed
 * ordering ignore the flag.
 * The block of a context in the arena holds everything that its queue needs: the slots, the buffer
 * for opaque data and, with MMO and RC, the rings and doorbell records of its queue pairs and its
 * completion queue. The rings share no page with other data; libmlx5 receives them through a parent
 * domain.
 * libibverbs and libmlx5 allocate heap memory to describe each object that they create: devices,
 * registrations and, for each context, a channel, a completion queue, a parent domain and queue
 * pairs. They also allocate 16 bytes for each WQE, and occasionally 32 KiB for a table of queue
 * pairs. With VERBS the rings are on the heap, too. The same happens if the installed libmlx5 makes
 * rings larger than this header expects; the log (INFO) says so. The C library allocates memory to
 * read directories when devices and representors are looked up. Between start and stop of a
 * context, neither this backend nor the functions that it calls allocate memory.
 * doca_core_mmap_create_on_dev() creates mmaps of memory on the NIC, of any length. The length is
 * rounded up to a multiple of 64 bytes for the device, and the keys cover the rounded length. The
 * CPU accesses this memory in words of 4 bytes. If doca_core_mmap_write() writes only a part of a
 * word, it reads the word, changes it and writes it back. Threads of one process can write
 * neighbouring bytes at the same time; but if a device writes other bytes of the same word at that
 * moment, the bytes of the device can be lost.
 *
 * SIDES AND REPRESENTORS. A device is on the Arm side of a BlueField if the root port of its PCI
 * bus is a bridge made by the card's vendor; every other device on a PCI bus is on a host.
 * Representors of a device are listed if the device manages an eswitch in switchdev mode and sysfs
 * shows them as network interfaces. They represent functions of the host, and VFs and SFs on the
 * same side as the device. The firmware supplies the addresses, vhca ids and VUIDs of the host's
 * functions. If it does not supply an address or a vhca id, the getter for it returns
 * NOT_SUPPORTED. If it does not supply a VUID, the VUID is made from the ids of switch and port.
 * The PCI domain of a host's function is unknown and reported as 0000. Emulated functions are not
 * listed.
 *
 * EXPORTS. Each export of an mmap, for PCI or for RDMA, has its own key, with only the rights that
 * its kind of export needs. Every function of the same card, with any engine, can use this key
 * through an alias. The descriptor of the export contains 32 random bytes, and the firmware creates
 * an alias for every process that presents them. If the firmware does not support aliases, an
 * export for RDMA can be imported only on the device that exported it.
 * Stopping the mmap revokes the key, and so does the end of the exporting process. Importers are
 * not notified: their later tasks fail with IO_FAILED. When a copy from an import fails in the
 * device, the backend sets the part of the destination that the copy was to write to 0, if that
 * part is in memory of this process or of the device. A destination in another import keeps the
 * bytes that earlier WQEs of the task have written.
 *
 * SYNC EVENTS. The device executes the tasks of a sync event whose value is in memory on the NIC,
 * in an imported mmap, or in an mmap that other functions may write
 * (doca_sync_event_set_doca_buf() in doca_core.h). It uses two connected queue pairs, even if the
 * engine for copies is MMO. An RDMA WRITE of 8 inline bytes sets the value, FETCH_ADD adds to it,
 * and RDMA READ gets it; RDMA READ also fetches the value for waiting tasks if the CPU cannot read
 * it. The tasks take effect in the order of their submission: each WQE has a fence or, with VERBS,
 * is posted only when the earlier WQEs that it must follow have completed.
 * The device must support atomics (ibv_devinfo: atomic_cap). Most devices report ATOMIC_HCA: their
 * operations are atomic only with respect to devices of the same card, and updates of such an
 * event by the CPU are refused. After a PCI export with PCI_READ_WRITE, importers can add, too.
 * A thread that sleeps on the notification handle while tasks wait is woken to read the value
 * again: after 50 us at first, then less and less often, down to about once per millisecond.
 *
 * THREADS. The rules of doca_core.h apply. Contexts of different threads share nothing on the data
 * path: each context has a doorbell register of its own, through a thread domain. When the device
 * has no registers left, further contexts share doorbell pages with other users of libmlx5. Sharing
 * is safe because this backend writes a doorbell with one 8-byte store.
 *
 * CONTENTS (search for the tag)
 * amalgamate: contents
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/mlx5/. Edit those parts.
 */
