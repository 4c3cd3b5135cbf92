/* ---- >>mmap ---------------------------------------------------------------------------------
 * Memory maps. An mmap describes one contiguous range of memory and registers it with the devices
 * that may access it. States:
 *   stopped   range, devices and permissions can be configured
 *   started   the range is registered and buffers can be created; the configuration is fixed
 * An mmap that has buffers cannot be stopped (exception: doca_mmap_enable_thread_safety()).
 * Therefore the checks made when a buffer is created stay valid.
 * An mmap that was imported from another process is always started. Its addresses are those of the
 * exporting process; the program must not dereference them.
 * Source: DOCA Core Programming Guide, "DOCA Memory Map"; API reference, "DOCA Memory Map".     */
#ifndef DOCA_SRC_MEMORY_MMAP_H
#define DOCA_SRC_MEMORY_MMAP_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"
#include "device/device.h"

/* Called by doca_mmap_destroy() so that the program can free the range. A function type, not a
 * pointer type. */
typedef void(doca_mmap_memrange_free_cb_t)(void *addr, size_t len, void *opaque);

typedef uint32_t doca_dpa_dev_mmap_t; /* handle for a DPA; no call of this library returns one */

struct doca_priv_mmap_dev {
    struct doca_dev *dev;
    uint32_t mkey;          /* memory key of the range, while started */
    uint32_t internal_mkey; /* second key, for internal use of the backend (mlx5 writes with it) */
};

/* Where the bytes of an mmap are when they are not at `addr` in this process: in an exporting
 * process, in a dmabuf, or in the file with the memory of another machine. */
struct doca_priv_far {
    const struct doca_core_rep_mem *rep_mem; /* file with memory of another machine, or NULL */
    unsigned char *view; /* address of the dmabuf mapping while started; NULL for an import */
    size_t dmabuf_offset;
    int dmabuf_fd;
    uint32_t pid; /* process number of the exporter */
    /* the export is valid while the exporter has this value at its address token_at */
    uint64_t token;
    uint64_t token_at;
    bool may_read;
    uint32_t rdma_access; /* DOCA_ACCESS_FLAG_RDMA_* of an export for RDMA; 0: another kind of
                           * export */
};

/* The beginning of every export descriptor. It is in the byte order of the machine: a descriptor of
 * the operating system is only valid on the machine that made it. */
struct doca_priv_export {
    char magic[8];
    uint16_t version;
    uint8_t kind;
    uint8_t pointer_bytes;
    uint32_t bytes; /* length of the whole descriptor */
    uint32_t crc;   /* CRC-32 of the descriptor, computed with 0 in this field */
    uint32_t pid;
    uint64_t machine; /* identifies the machine, its boot and the namespace of process numbers; 0
                       * when a device serves the export */
    uint64_t token;
    uint64_t token_at;
};

#define DOCA_PRIV_EXPORT_BACKEND 16 /* bytes of a backend's name in a descriptor */

struct doca_priv_mmap_desc { /* the export descriptor that the program sends to the importer */
    struct doca_priv_export head;
    uint64_t addr;
    uint64_t len;
    uint32_t access;
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE + 7]; /* address of the device; informational only */
    char backend[DOCA_PRIV_EXPORT_BACKEND];        /* "" if the operating system copies */
    unsigned char blob[DOCA_CORE_EXPORT_BYTES];    /* data of the backend that serves the export */
};

struct doca_priv_mmap_export { /* an active export, kept by the exporter until mmap stop */
    uint64_t token;
    struct doca_priv_mmap_desc desc; /* importers compare their copy with this one */
    struct doca_priv_mmap_export *next;
    struct doca_priv_mmap_dev reg; /* the registration that was exported: a copy of the entry in
                                    * mmap->devs */
};

struct doca_mmap {
    struct doca_priv_object obj;
    unsigned char *addr;
    unsigned char *end; /* addr + len, set by start */
    uint32_t num_bufs;
    uint32_t buf_word; /* while started: first word of a new buffer (see doca_priv_buf_word_of()) */
    uint64_t dev_mask; /* doca_dev.bit of every device that uses the range by its address. 0 while
                        * stopped, and if far, is_write_only or is_rdma_only is set. */
    struct doca_priv_far *far; /* where the memory is; NULL: at addr in this process */
    size_t len;
    struct doca_priv_mmap_export *exports; /* active exports */
    struct doca_core_arena *arena;
    struct doca_priv_mmap_dev *devs; /* inline_devs, or a block of the arena */
    uint32_t num_devs;
    uint32_t max_devs;
    uint32_t access;
    uint32_t serial;
    uint32_t num_events; /* sync events in this memory; not counted when is_shared */
    uint32_t remote_key; /* key of the range in the exporter, for an RDMA import that a backend
                          * serves; 0: no key */
    /* doca_mmap_enable_thread_safety() was called. num_bufs then includes one reference of the mmap
     * itself; destroy drops it. */
    bool is_shared;
    bool is_backend_only;   /* the CPU cannot address the range; only the backend accesses it */
    bool is_on_dev : 1;     /* the range is memory of the device (doca_core_mmap_create_on_dev()) */
    bool is_write_only : 1; /* imported without read permission */
    bool is_rdma_only : 1;  /* imported without a key of the device: only RDMA tasks reach it */
    bool has_range : 1;
    bool is_imported : 1;
    bool was_started : 1;
    bool is_rep : 1; /* the range is memory of another machine (doca_core_mmap_create_from_rep()); a
                      * struct doca_core_rep_mem follows in the block */
    bool free_cb_armed : 1; /* start was called after the callback was set */
    union doca_data user_data;
    doca_mmap_memrange_free_cb_t *free_cb;
    void *free_opaque;
    DOCA_PRIV_CHECKED(uint32_t num_children;) /* number of pools and buffer arrays of the mmap */
    struct doca_priv_mmap_dev inline_devs[DOCA_CORE_MMAP_DEVS];
};

/* DOCA_CORE_BYTES_MMAP: arena bytes of `n` mmaps with up to DOCA_CORE_MMAP_DEVS devices each.
 * DOCA_CORE_BYTES_MMAP_DEVS: arena bytes of the additional block of an mmap that can have
 * `num_devs` devices, a larger number, after doca_mmap_set_max_num_devices(). */
#define DOCA_CORE_BYTES_MMAP(n) ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_mmap)))
#define DOCA_CORE_BYTES_MMAP_DEVS(num_devs)                                                        \
    DOCA_CORE_BYTES_BLOCK((size_t)(num_devs) * sizeof(struct doca_priv_mmap_dev))
DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_devs(uint32_t num_devs, size_t *bytes);

/* Arena bytes of `n` exports, of the additional blocks of `n` mmaps with a dmabuf range, and of `n`
 * imported mmaps. */
#define DOCA_CORE_BYTES_MMAP_EXPORT(n)                                                             \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_priv_mmap_export)))
#define DOCA_CORE_BYTES_MMAP_DMABUF(n)                                                             \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_priv_far)))
#define DOCA_CORE_BYTES_MMAP_IMPORT(n)                                                             \
    (DOCA_CORE_BYTES_MMAP(n) + DOCA_CORE_BYTES_MMAP_DMABUF(n))
DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_export(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_dmabuf(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_import(size_t *bytes);

/* Create a stopped mmap. It has no range and no devices; its permissions are local read and write.
 *
 * Owns      one block of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_mmap_create(struct doca_mmap **mmap);
DOCA_CORE_DECL doca_error_t doca_core_mmap_create_in(struct doca_core_arena *arena,
                                                     struct doca_mmap **mmap);

/* Destroy an mmap. A started mmap is stopped first. The free callback runs last, after the mmap has
 * been destroyed.
 *
 * Errors    NOT_PERMITTED  the mmap has buffers, or contains the value of a sync event that devices
 *                          access; nothing changed. Also if it may have buffers: its count is not
 *                          0, and there are too many inventories (DOCA_CORE_MAX_STOCKS) to check
 *                          it */
DOCA_CORE_DECL doca_error_t doca_mmap_destroy(struct doca_mmap *mmap);

/* Start an mmap: register the range on every device and allow buffers to be created.
 *
 * The program must keep the memory mapped and accessible until the mmap is stopped. A software
 * device copies with ordinary loads and stores: if a page was unmapped, made read-only or cut off
 * from its file after the start, the process is killed by SIGSEGV or SIGBUS in doca_pe_progress()
 * or in a worker. With DOCA_CORE_CHECK 2 the task fails with IO_FAILED instead; a task on an
 * imported mmap fails with IO_FAILED in every build. src/memory/README.md has the complete table,
 * under "Mistakes with the memory of a range".
 *
 * Cost      one registration per device; a set-up call. A software device checks each mapping in
 *           the range (from Linux 6.11 on), or at each mapping of the process up to the end of the
 *           range, which takes some microseconds per mapping. Pages are not faulted in, except some
 *           pages of each file in the range.
 * Errors    INVALID_VALUE     no range was set. Or a page of the range is not mapped, not readable,
 *                             past the end of its file, or read-only although the permissions
 *                             allow a write; the log line names the address. Software devices
 *                             detect this on Linux only. Where /proc is not mounted, they detect
 *                             pages that are not mapped, but none of the other mistakes.
 *           BAD_STATE         the mmap is already started
 *           NOT_PERMITTED     the mmap is exported or imported
 *           NOT_SUPPORTED     the range is a dmabuf and one of the devices does not support that
 *           OPERATING_SYSTEM  the dmabuf is too small, or the kernel cannot map it
 *           any               the error of a backend that refused the registration; the
 *                             registrations made before are undone */
DOCA_CORE_DECL doca_error_t doca_mmap_start(struct doca_mmap *mmap);

/* Stop an mmap: undo the registrations and allow configuration again. All exports end: their
 * descriptors become invalid, and tasks on mmaps imported from them fail with IO_FAILED. An
 * importer's task that is writing at this moment may write up to 1 MiB more and still succeed.
 *
 * Errors    NOT_PERMITTED  as doca_mmap_destroy(); or the mmap is always started: imported, or
 *                          memory of a device
 *           BAD_STATE      the mmap is not started */
DOCA_CORE_DECL doca_error_t doca_mmap_stop(struct doca_mmap *mmap);

/* Add a device that may access the range, or remove it.
 *
 * Owns      a reference to the device until rm_dev or destroy
 * Errors    NOT_PERMITTED  the mmap is started, exported or imported
 *           ALREADY_EXIST  add: the device is already in the mmap
 *           NO_MEMORY      add: the mmap has max_num_devices devices
 *           NOT_FOUND      rm: the device is not in the mmap */
DOCA_CORE_DECL doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev);
DOCA_CORE_DECL doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev);

/* Set the memory range. This is possible only once for each mmap. The memory still belongs to the
 * caller.
 *
 *   len   bytes, at least 1
 *
 * Errors    INVALID_VALUE  also: addr + len overflows
 *           BAD_STATE      the mmap is started
 *           NOT_PERMITTED  a range was already set; or the mmap is imported (this holds for all
 *                          setters) */
DOCA_CORE_DECL doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len);

/* Set the memory range to a part of a dmabuf. [dmabuf_offset, dmabuf_offset + len) of `dmabuf_fd`
 * becomes the range [addr, addr + len). Buffers use these addresses as names of the bytes: tasks
 * never access the memory that this process may have there.
 * Software devices access it through a mapping that start creates and stop removes, and they make
 * the dmabuf's begin-of-access and end-of-access calls around each task.
 *
 *   dmabuf_fd      still belongs to the caller, who must not close it until the mmap is stopped
 *                  for the last time
 *   dmabuf_offset  bytes, whole pages. doca_mmap_start() fails with OPERATING_SYSTEM otherwise.
 *
 * Owns      one more block of the arena, until destroy
 * Errors    as doca_mmap_set_memrange(), and
 *           INVALID_VALUE  also: `dmabuf_fd` is negative
 *           NO_MEMORY      the arena is exhausted
 *           NOT_SUPPORTED  the operating system is not Linux */
DOCA_CORE_DECL doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd,
                                                          void *addr, size_t dmabuf_offset,
                                                          size_t len);

/* Set the access permissions: a mask of enum doca_access_flag. By default local devices may read
 * and write.
 *
 * Errors    INVALID_VALUE  an unknown flag, or both PCI_READ_ONLY and PCI_READ_WRITE
 *           BAD_STATE      the mmap is started
 *           NOT_PERMITTED  buffers exist, and they keep the permissions that they were created
 *                          with. This is only possible after doca_mmap_enable_thread_safety(): any
 *                          other mmap cannot be stopped while it has buffers. */
DOCA_CORE_DECL doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask);

/* Set how many devices the mmap can have; the default is DOCA_CORE_MMAP_DEVS.
 *
 * Owns      above DOCA_CORE_MMAP_DEVS: one more block of the arena, until destroy
 * Errors    INVALID_VALUE  0, or less than the number of devices of the mmap
 *           NOT_PERMITTED  the mmap was started before
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap,
                                                          uint32_t max_num_devices);

/* Set a callback that doca_mmap_destroy() calls once, with the range and `opaque`, if the mmap was
 * started after this call. NULL removes the callback.
 *
 * Errors    BAD_STATE  the mmap is started */
DOCA_CORE_DECL doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap,
                                                  doca_mmap_memrange_free_cb_t *free_cb,
                                                  void *opaque);

/* Store a value of the program in the mmap.
 *
 * Errors    BAD_STATE  the mmap is started */
DOCA_CORE_DECL doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap,
                                                    union doca_data user_data);

/* Allow several threads to create and release buffers of the mmap at the same time, each with an
 * inventory or pool that no other thread uses (later versions). This cannot be undone. Afterwards:
 *   - doca_mmap_get_num_bufs() gives 0;
 *   - doca_mmap_stop() and doca_mmap_destroy() succeed although buffers exist. Such buffers can
 *   only be duplicated or released; after destroy, releasing the last buffer also frees the mmap.
 * All other calls must come from one thread, and this thread must start and stop the mmap only
 * while no other thread creates buffers.
 *
 * Without this call, threads that share an mmap lose counts of its buffers, unless the program
 * defines DOCA_CORE_SHARED_MMAPS. When the count says that buffers exist, stop and destroy search
 * all inventories and pools for them. If the search finds no buffer, they log a warning and
 * succeed. A count that is too low is not noticed: stop and destroy may succeed although buffers
 * exist, and these buffers must not be used afterwards.
 *
 * Cost      an additional atomic addition for each buffer that is created and for each buffer that
 *           is released
 * Errors    NOT_PERMITTED  the mmap is started; or it is always started (imported, or memory of a
 *                          device) and has buffers */
DOCA_CORE_DECL doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap);

/* Set a range in the memory of a DPA, or get a handle for a DPA (later versions). Not supported:
 * with valid arguments the calls return NOT_SUPPORTED.
 *
 * Errors    set_dpa_memrange: as doca_mmap_set_memrange()
 *           NOT_PERMITTED  get_dpa_handle: the mmap is not started
 *           NOT_FOUND      get_dpa_handle: the device is not in the mmap */
DOCA_CORE_DECL doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap, struct doca_dpa *dpa,
                                                       uint64_t dpa_addr, size_t len);
DOCA_CORE_DECL doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap,
                                                         const struct doca_dev *dev,
                                                         doca_dpa_dev_mmap_t *dpa_mmap_handle);

/* Get the memory key by which a device accesses the memory of the mmap, in host byte order (later
 * versions). doca_rdma_bridge_get_buf_mkey() gives the same key for the buffers of the mmap.
 *
 * Cost      O(devices of the mmap)
 * Errors    INVALID_VALUE  also: the device is not in the mmap
 *           BAD_STATE      the mmap is not started
 *           NOT_SUPPORTED  the device does not use keys; the mmap was imported through the
 *                          operating system, or only for RDMA tasks; or the operating system reads
 *                          its memory of another machine
 * Source    public programs of 3.x; the codes are Assumed */
DOCA_CORE_DECL doca_error_t doca_mmap_get_mkey(const struct doca_mmap *mmap,
                                               const struct doca_dev *dev, uint32_t *mkey);

/* Get a property, in any state. user_data is 0 by default. num_bufs is the number of existing
 * buffers, and of sync events whose value devices access in this memory. exported is 1 from the
 * first export until stop. from_export is 1 for an imported mmap; its range has the addresses of
 * the exporter.
 *
 * Errors    BAD_STATE  get_memrange: no range was set */
DOCA_CORE_DECL doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr,
                                                   size_t *len);
DOCA_CORE_DECL doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap,
                                                          uint32_t *max_num_devices);
DOCA_CORE_DECL doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap,
                                                   uint32_t *num_bufs);
DOCA_CORE_DECL doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap,
                                                    union doca_data *user_data);
DOCA_CORE_DECL doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported);
DOCA_CORE_DECL doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap,
                                                      uint8_t *from_export);

/* Report whether a device can export mmaps to the other side of the PCI bus, or import such
 * exports. There is no such query for RDMA: doca_mmap_export_rdma() returns NOT_SUPPORTED if the
 * device cannot export. */
DOCA_CORE_DECL doca_error_t doca_mmap_cap_is_export_pci_supported(
    const struct doca_devinfo *devinfo, uint8_t *mmap_export);
DOCA_CORE_DECL doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(
    const struct doca_devinfo *devinfo, uint8_t *from_export);

/* Export a started mmap: create a descriptor that lets another process import it. The descriptor
 * contains the range and the permissions, not the memory. The importer reads and writes the memory
 * of this process, even while this process is suspended.
 * Software devices: the kernel must allow the importer to access this process. Both must run as the
 * same user. Where ptrace is restricted (kernel.yama.ptrace_scope), the importer needs
 * CAP_SYS_PTRACE; for scope 1 it is sufficient that the environment of this process contains
 * DOCA_CORE_SW_PTRACER=any (this gives access to all processes of its user).
 * Devices of a backend that has mem_export (see >>backend), such as mlx5: the exporting device and
 * the other PCI functions of its card access the memory directly. The backend decides which exports
 * it refuses, and reports why.
 *
 *   dev              a device of the mmap
 *   export_desc      out: the descriptor. It belongs to the mmap and is valid until stop. Exporting
 *                    for the same device again gives the same descriptor.
 *   export_desc_len  out: bytes
 *
 * Owns      one block of the mmap's arena until stop
 * Cost      a set-up call
 * Errors    NOT_PERMITTED     the mmap is not started, is imported, or has no PCI (RDMA) permission
 *           NOT_FOUND         the device is not in the mmap
 *           NOT_SUPPORTED     the device cannot export, or the range is a dmabuf or memory of a
 *                             device
 *           NO_MEMORY         the arena is exhausted
 *           OPERATING_SYSTEM  no file descriptor is free at the moment; the kernel has no random
 *                             number; or, on a software device, /proc is missing: the library needs
 *                             /proc to identify the machine and its boot
 *           any               the error of a backend that exports */
DOCA_CORE_DECL doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev,
                                                 const void **export_desc, size_t *export_desc_len);
DOCA_CORE_DECL doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap,
                                                  const struct doca_dev *dev,
                                                  const void **export_desc,
                                                  size_t *export_desc_len);

/* Import an mmap that another process on this machine (or this process) exported. The new mmap is
 * started and has `dev` as its only device. Buffers are created with the addresses of the exporter.
 * The PCI permissions of the exporter decide what tasks may do; for a descriptor of
 * doca_mmap_export_rdma(), the RDMA permissions do. With RDMA_WRITE alone, tasks cannot read. Only
 * the atomic tasks of doca_core_rdma.h require RDMA_ATOMIC.
 * An import does not keep the export valid. When the exporter stops its mmap, or its process or its
 * first thread ends, tasks fail with IO_FAILED. This also holds when the exporter has freed its
 * memory and reused it, and when another process has received its process number. A copy that fails
 * in this way leaves no byte of the source in the destination: each byte has its old value or is 0,
 * because the copy clears the part that it had written. A hash that fails in this way writes no
 * digest.
 *
 *   user_data    NULL stands for 0
 *   export_desc  not needed after the call. Every byte of it is checked and compared with the
 *                exporter's copy.
 *
 * Owns      until doca_mmap_destroy(): a reference to the device, and two blocks of its arena; if
 *           the backend has mem_import, one block and the resources that the backend takes
 * Cost      a set-up call; a system call reads from the exporter
 * Errors    INVALID_VALUE     also: the descriptor is not a complete and unchanged descriptor of an
 *                             mmap, or the export has ended
 *           NOT_SUPPORTED     the device cannot import; it belongs to another backend than the
 *                             exporter's device; the exporter is on another machine or in another
 *                             pid namespace; or the kernel offers no access between processes
 *           NOT_PERMITTED     the kernel or a seccomp filter refuses the access;
 *                             doca_core_last_error() says what to do
 *           NO_MEMORY         the arena is exhausted
 *           OPERATING_SYSTEM  as doca_mmap_export_pci()
 *           any               the error of a backend that imports */
DOCA_CORE_DECL doca_error_t doca_mmap_create_from_export(const union doca_data *user_data,
                                                         const void *export_desc,
                                                         size_t export_desc_len,
                                                         struct doca_dev *dev,
                                                         struct doca_mmap **mmap);
DOCA_CORE_DECL doca_error_t doca_core_mmap_create_from_export_in(
    struct doca_core_arena *arena, const union doca_data *user_data, const void *export_desc,
    size_t export_desc_len, struct doca_dev *dev, struct doca_mmap **mmap);

/* Create an mmap of memory that is part of the device. On a ConnectX or BlueField card this is
 * memory on the NIC. The mmap is always started, has only this device, and lets local devices read
 * and write. Buffers are created with its addresses; these are device addresses, and the program
 * must not dereference them.
 *
 *   len   bytes, at least 1; the backend rounds up to the granularity of the device
 *   mmap  out: an mmap of `len` bytes with undefined content
 *
 * Owns      two blocks of the device's arena, and a reference to the device, until
 *           doca_mmap_destroy()
 * Cost      a set-up call
 * Errors    NOT_SUPPORTED  the device has no such memory; software devices have none
 *           NO_MEMORY      the arena or the memory of the device is exhausted
 *           any            another error of the backend */
DOCA_CORE_DECL doca_error_t doca_core_mmap_create_on_dev(struct doca_dev *dev, size_t len,
                                                         struct doca_mmap **mmap);

/* Copy between device memory (doca_core_mmap_create_on_dev()) and memory of this process, with the
 * CPU.
 *
 *   offset  bytes from the beginning of the mmap. Offset and `len` have any alignment.
 *
 * Threads   any threads may read and write, even at the same time if their bytes do not overlap.
 *           The memory is written in words: if a task writes bytes just before or after the written
 *           range at the same time, its bytes can be lost (see the manual of the backend).
 * Errors    INVALID_VALUE  also: the bytes are not inside the mmap
 *           NOT_SUPPORTED  the mmap is not device memory
 *           any            the error of the backend */
DOCA_CORE_DECL doca_error_t doca_core_mmap_read(const struct doca_mmap *mmap, size_t offset,
                                                void *to, size_t len);
DOCA_CORE_DECL doca_error_t doca_core_mmap_write(struct doca_mmap *mmap, size_t offset,
                                                 const void *from, size_t len);

#endif
