/* ---- >>mmap_rep ------------------------------------------------------------------------------
 * Memory of other machines. A representor stands for a function of another machine: the host, or a
 * virtual machine. An mmap of its memory lets ordinary tasks read that memory by physical address.
 * The vendor's library cannot create such an mmap. App Shield (tools/compat/doca_core_apsh.h) uses
 * doca_core_mmap_create_from_rep().                                                             */
#ifndef DOCA_SRC_MEMORY_MMAP_REP_H
#define DOCA_SRC_MEMORY_MMAP_REP_H

#include "base/config.h"
#include "base/error.h"
#include "object/arena.h"
#include "memory/mmap.h"

#define DOCA_CORE_REP_REGIONS 8 /* maximum number of regions of a machine */

/* A range of physical addresses at which a machine has memory. */
struct doca_core_region {
    uint64_t addr;
    uint64_t len;
    uint64_t offset; /* for backends: offset of the range in the file */
};

/* Memory of the machine that a represented function belongs to, as a backend describes it. */
struct doca_core_rep_mem {
    void *base; /* address that buffers use for the physical address 0; not NULL */
    struct doca_core_region regions[DOCA_CORE_REP_REGIONS]; /* in ascending order of addresses,
                                                             * without overlap */
    uint32_t num_regions;
    int fd; /* descriptor of the file that contains the memory; the core closes it. -1: the device
             * reads the memory by its mkey */
    uint32_t mkey;
    uint32_t internal_mkey;
    const unsigned char *view; /* for the core: address of the mapped file, or NULL */
    size_t view_bytes;
};

#ifndef DOCA_CORE_NO_REP

struct doca_dev_rep;

/* Arena bytes of `n` mmaps of the memory of other machines. */
#define DOCA_CORE_BYTES_MMAP_REP(n)                                                                \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_mmap) +                                \
                                         sizeof(struct doca_core_rep_mem)) +                       \
     DOCA_CORE_BYTES_MMAP_DMABUF(n))
DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_rep(size_t *bytes);

/* Create a started mmap of the memory of the machine that has the represented function, for tasks
 * on `dev`. The range of the mmap begins with the physical address 0: the byte at the physical
 * address A is at address + A, where `address` is the address from doca_mmap_get_memrange(). The
 * program must not dereference it. The range has holes: a task that reads outside of the regions
 * fails with IO_FAILED. The memory can only be read; a buffer of the mmap is rejected as a
 * destination. The mmap counts as imported and cannot be configured, stopped or exported.
 *
 * On the software device the memory is the file that ram= names in the topology in force
 * (doca_core_sw_set_topology). Tasks read the file with system calls, not through a mapping: holes
 * of the file stay holes, and a file that becomes shorter makes tasks fail with IO_FAILED. The
 * length of the file is its length at the time of this call. A child of fork() can use the mmap.
 *
 * The mlx5 backend returns NOT_SUPPORTED. To read the memory of its host, a card needs a memory key
 * for the requester ID of the host's function, over all of the host's physical memory. The firmware
 * must permit such a key, and no public document describes the commands that create it. A backend
 * with such a key implements rep_mem_open (>>backend) with the regions of the host's memory map.
 *
 *   dev_rep  open; it may be closed before the mmap is destroyed
 *
 * Owns      blocks of DOCA_CORE_BYTES_MMAP_REP(1) bytes of the device's arena, or of `arena`, and
 *           on the software device a file descriptor, until doca_mmap_destroy()
 * Errors    INVALID_VALUE     an argument is NULL, or not an open device or representor
 *           NOT_SUPPORTED     the backend of `dev` cannot read such memory, no memory is known for
 *                             the function, or `dev_rep` belongs to another backend
 *           OPERATING_SYSTEM  the file cannot be opened, is empty, or is not an ordinary file
 *           NO_MEMORY         the arena is exhausted
 *           any               another error of the backend */
DOCA_CORE_DECL doca_error_t doca_core_mmap_create_from_rep(struct doca_dev *dev,
                                                           struct doca_dev_rep *dev_rep,
                                                           struct doca_mmap **mmap);
DOCA_CORE_DECL doca_error_t doca_core_mmap_create_from_rep_in(struct doca_core_arena *arena,
                                                              struct doca_dev *dev,
                                                              struct doca_dev_rep *dev_rep,
                                                              struct doca_mmap **mmap);

/* Get the number of regions of an mmap of doca_core_mmap_create_from_rep(): 1 to
 * DOCA_CORE_REP_REGIONS. It is 0 for any other mmap.
 *
 * Errors    INVALID_VALUE  an argument is NULL or not an mmap */
DOCA_CORE_DECL doca_error_t doca_core_mmap_get_num_regions(const struct doca_mmap *mmap,
                                                           uint32_t *num_regions);

/* Get the region with this index (from 0) of an mmap of doca_core_mmap_create_from_rep(). Regions
 * are sorted by address and do not overlap.
 *
 * Errors    INVALID_VALUE  an argument is NULL or not an mmap
 *           NOT_FOUND      the mmap has no region with this index */
DOCA_CORE_DECL doca_error_t doca_core_mmap_get_region(const struct doca_mmap *mmap, uint32_t index,
                                                      struct doca_core_region *region);

/* Get an address at which the program can load bytes of the machine directly, without a task: the
 * bytes with the physical addresses from `addr` to `addr` + `len`. *view is NULL when only tasks
 * can read these bytes.
 *
 * On the software device the program can load bytes of a file in memory (memfd_create()) that is
 * sealed against shrinking, as QEMU seals the file of memory-backend-memfd. A load from any other
 * file might raise SIGBUS. The call also sets *view to NULL when a page of the range is a hole of
 * the file, because a load would make the kernel allocate memory for the hole. (If the machine
 * makes a hole later, a load allocates memory.)
 *
 * The machine may change the bytes at any time: load each byte once, and check the loaded value.
 * The address is valid until doca_mmap_destroy(). A child of fork() can use it.
 *
 *   view  out: the address, or NULL
 *
 * Cost      a system call for each page of the range when the file is mapped
 * Errors    INVALID_VALUE  an argument is NULL or not an mmap */
DOCA_CORE_DECL doca_error_t doca_core_mmap_get_view(const struct doca_mmap *mmap, uint64_t addr,
                                                    size_t len, const void **view);

#endif /* DOCA_CORE_NO_REP */

#endif
