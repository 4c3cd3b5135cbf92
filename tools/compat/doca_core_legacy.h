/* doca_core_legacy.h - programs of DOCA 1.3 to 2.0 (jobs and work queues), beside doca_core.h
 *
 * Thin code over the same objects: an mmap of that time holds one current mmap per memory range, a
 * work queue is a progress engine, attaching it to a context makes an engine of doca_core.h for the
 * two, a job in flight is a task. Devices, buffers and arenas are those of doca_core.h.
 *
 * DO THIS in the one file that has the implementation, in place of doca_core.h:
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #include "doca_core_legacy.h"
 *
 * and in each file that is written for DOCA 1.x:
 *
 *     #define DOCA_CORE_LEGACY 10300      // or 10500, for 1.5 and later
 *     #include "doca_core_legacy.h"
 *
 * (One file can be both.) Without DOCA_CORE_LEGACY the header only declares.
 *
 * Its mmaps take ranges by doca_mmap_populate(). The last programs with work queues give an mmap
 * one range and permissions before its start, by doca_mmap_set_memrange() and
 * doca_mmap_set_permissions(), and call doca_mmap_export_dpu(): these are not served.
 *
 * NAMES. What exists in 1.x alone is a function of that name. Where today's doca_core.h has the
 * name with another signature or behaviour, the function is doca_core_legacy_..., and the structure
 * struct doca_core_legacy_...; DOCA_CORE_LEGACY makes the old names macros for these, without
 * arguments, so that addresses can be taken. Files of either kind link into one program and share
 * devices; within one file the two do not mix. 10300 and 10500 differ in three calls that take a
 * name in 1.3 and user data in 1.5 (doca_mmap_create, doca_mmap_create_from_export,
 * doca_buf_inventory_create), and in num_bytes_to_copy of a job, which 1.5 does not have; whatever
 * only one of them has is there with both. DOCA_CORE_LEGACY_GUIDE in addition selects the form of
 * doca_dev_as_devinfo() that the 1.3 guide prints and no program is known to use. A file that
 * declares struct doca_mmap or another renamed structure itself includes this header before.
 *
 * DOCA 1.x IN SHORT, where it differs from what came later
 *   - An mmap is started first; devices and ranges come after, in any order, also while buffers
 *     exist. Its properties are fixed by the first start. Start and stop may be repeated.
 *   - A context starts without a work queue, takes them while started, and stops when it has none.
 *     It takes one device, and holds it open until doca_ctx_dev_rm().
 *   - A copy is written from the data of the destination on, whatever its data length was. After it
 *     the data of the destination is what was written (Assumed; 1.3 cannot tell). A job that fails
 *     leaves a single destination as it was, and a list empty. A list is the destination of one job
 *     at a time, and not a source meanwhile; another job to it, on the same work queue, has to wait
 *     (see submit).
 *   - doca_workq_progress_retrieve() gives one event per call. IO_FAILED is an event, too.
 *   - num_bytes_to_copy 0 is the data length of the source, which is what 1.5 always copies; a
 *     buffer of 1.3 has none, and such a job fails. More than 0 counts from the data of the source,
 *     in 1.3 its head.
 *
 * THE EXPORT DESCRIPTOR is for the caller to give to free(), as programs do. It comes from malloc()
 * therefore, through DOCA_CORE_LEGACY_MALLOC: the one call of a heap in this project, made by
 * doca_mmap_export() alone. All else is from the bound arena of doca_core.h, or its static one.
 *
 * JOBS hold their buffers from submit to the end, with one reference more: one that is returned too
 * early goes back to its inventory with the event. The job itself is copied, so it may change after
 * submit. A job that the device refuses ends as an event with IO_FAILED, as those of its
 * context behind it do; then the context works again by itself, which the program sees only in that
 * submit says NO_MEMORY, for a full queue, until these events were retrieved.
 *
 * MEMORY. A work queue takes a structure and a slot per job at create; each context that it is
 * attached to takes as much as a DMA context with as many tasks as the depth. An mmap takes a table
 * at its first start, of one pointer per chunk and device, and a structure at each populate. After
 * doca_ctx_workq_add() neither jobs nor events take any. (Starting anew behind a failed job gives
 * and takes the same block.) The doca_core_bytes_legacy_... calls say how much.
 *
 * THREADS. As in doca_core.h, and a context may be attached to work queues of several threads. Its
 * calls are for any thread. A graph, once started, also serves several threads, each with instances
 * of its own.
 *
 * ERRORS as in doca_core.h, doca_core_last_error() included. AGAIN is no failure, it has no text.
 *
 * Assumed, where no document or program of the time tells: the numbers of all properties; the
 * permissions of an mmap that never had any set: local write, remote read and remote write, since
 * programs export such ones; that doca_mmap_start() on an imported mmap, which is started, is
 * accepted; that a context takes one device; that a refused copy ends as the event of its job.
 * Source: DOCA Core Programming Guide 1.3; public programs of DOCA 1.3 and 1.5.
 *
 * CONTENTS (search for the tag)
 *   API             >>config >>error >>device >>buf >>inventory >>mmap >>ctx >>job >>workq >>graph
 *   Implementation  >>impl.device >>impl.buf >>impl.mmap >>impl.property >>impl.ctx >>impl.workq
 *                   >>impl.graph >>impl.graph.run
 *   Names           >>names
 */
#if defined(DOCA_CORE_IMPLEMENTATION) && defined(DOCA_PRIV_LEGACY_NAMED) &&                        \
    !defined(DOCA_PRIV_LEGACY_IMPLEMENTED)
#error "DOCA_CORE_IMPLEMENTATION comes before the first include with DOCA_CORE_LEGACY"
#endif

#include "doca_core.h"

#ifndef DOCA_CORE_LEGACY_H
#define DOCA_CORE_LEGACY_H

/* ---- >>config -------------------------------------------------------------------------------
 * DOCA_CORE_LEGACY and DOCA_CORE_LEGACY_GUIDE are told above.                                   */

/* Memory of export descriptors. A replacement has to suit the free() of the program. Where there is
 * no operating system, both have to be defined. */
#ifndef DOCA_CORE_LEGACY_MALLOC
#ifdef DOCA_CORE_FREESTANDING
#error "define DOCA_CORE_LEGACY_MALLOC(bytes) and DOCA_CORE_LEGACY_FREE(block)"
#endif
#include <stdlib.h>
#define DOCA_CORE_LEGACY_MALLOC(bytes) malloc(bytes)
#define DOCA_CORE_LEGACY_FREE(block) free(block)
#endif

/* Bytes of the names of mmaps and inventories, with NUL; longer ones are cut. */
#define DOCA_CORE_LEGACY_NAME_BYTES 64

#if defined(__GNUC__)
#define DOCA_PRIV_LEGACY_EXTENSION __extension__ /* anonymous members, before C11 and in C++ */
#else
#define DOCA_PRIV_LEGACY_EXTENSION
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct doca_core_legacy_mmap;
struct doca_core_legacy_ctx;
struct doca_core_legacy_dma;
struct doca_core_legacy_graph;
struct doca_core_legacy_graph_node;
struct doca_core_legacy_graph_instance;
struct doca_workq;

/* Say what objects of this header cost an arena: an inventory; an mmap that was started, with all
 * of its ranges; a DMA context; a work queue; attaching one of that depth to a context on `dev`. */
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_buf_inventory(size_t num_elements,
                                                                 size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_mmap(uint32_t max_num_chunks,
                                                        uint32_t max_num_devices, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_dma(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_workq(uint32_t depth, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_ctx_workq(struct doca_dev *dev, uint32_t depth,
                                                             size_t *bytes);

/* ---- >>error -------------------------------------------------------------------------------- */

/* What is doca_error_get_descr() today. */
DOCA_CORE_DECL const char *doca_get_error_string(doca_error_t error);

/* ---- >>device -------------------------------------------------------------------------------
 * Lists, and what is in them; opening and closing are those of doca_core.h. A remote device of 1.3
 * is a representor. All calls of this section are for any thread.
 * Source: 1.3 guide, 4.1 to 4.4.                                                                */

DOCA_PRIV_LEGACY_EXTENSION struct doca_pci_bdf {
    DOCA_PRIV_LEGACY_EXTENSION union {
        uint16_t raw;
        DOCA_PRIV_LEGACY_EXTENSION struct {
            uint16_t bus : 8;
            uint16_t device : 5;
            uint16_t function : 3;
        };
    };
};

enum doca_devinfo_property {
    DOCA_DEVINFO_PROPERTY_VUID,       /* char[128] */
    DOCA_DEVINFO_PROPERTY_PCI_ADDR,   /* struct doca_pci_bdf */
    DOCA_DEVINFO_PROPERTY_IPV4_ADDR,  /* uint8_t[4] */
    DOCA_DEVINFO_PROPERTY_IPV6_ADDR,  /* uint8_t[16] */
    DOCA_DEVINFO_PROPERTY_IFACE_NAME, /* char[256] */
    DOCA_DEVINFO_PROPERTY_IBDEV_NAME  /* char[64] */
};

enum doca_devinfo_remote_property {
    DOCA_DEVINFO_REMOTE_PROPERTY_VUID /* char[128] */
};

enum doca_dev_remote_filter {
    DOCA_DEV_REMOTE_FILTER_ALL = 0,
    DOCA_DEV_REMOTE_FILTER_NET = 1 << 1
};

enum doca_dev_rep_filter { /* the name of 1.5 */
    DOCA_DEV_REP_FILTER_ALL = 0,
    DOCA_DEV_REP_FILTER_NET = 1 << 1
};

#define DOCA_DEVINFO_VUID_SIZE 128

/* As doca_devinfo_create_list() and doca_devinfo_destroy_list(). */
DOCA_CORE_DECL doca_error_t doca_devinfo_list_create(struct doca_devinfo ***dev_list,
                                                     uint32_t *nb_devs);
DOCA_CORE_DECL doca_error_t doca_devinfo_list_destroy(struct doca_devinfo **devinfo_list);

/* Write one property to `value`.
 *
 *   size  room in bytes, at least what stands beside the property above
 *
 * Errors    INVALID_VALUE     also: no such property, or `size` is too small
 *           OPERATING_SYSTEM  there is no such interface, or it has no such address */
DOCA_CORE_DECL doca_error_t doca_devinfo_property_get(const struct doca_devinfo *devinfo,
                                                      enum doca_devinfo_property property,
                                                      void *value, uint32_t size);

/* What 1.5 has in its place; the others are those of doca_core.h. */
DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_addr(const struct doca_devinfo *devinfo,
                                                      struct doca_pci_bdf *pci_addr);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_vuid(const struct doca_devinfo *devinfo, char *vuid,
                                                  uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_hotplug_manager_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_mmap_export_supported(
    const struct doca_devinfo *devinfo, uint8_t *mmap_export);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_mmap_from_export_supported(
    const struct doca_devinfo *devinfo, uint8_t *from_export);

/* doca_dev_as_devinfo() as the 1.3 guide prints it (DOCA_CORE_LEGACY_GUIDE). */
DOCA_CORE_DECL doca_error_t doca_core_legacy_dev_as_devinfo(struct doca_dev *dev,
                                                            struct doca_devinfo **devinfo);

/* The representors of a device, as doca_devinfo_rep_create_list() and its companions: the names of
 * 1.3, and those of 1.5. */
DOCA_CORE_DECL doca_error_t doca_devinfo_remote_list_create(
    struct doca_dev *dev, int filter, struct doca_devinfo_rep ***devinfo_remote_list,
    uint32_t *nb_devs);
DOCA_CORE_DECL doca_error_t doca_devinfo_remote_list_destroy(
    struct doca_devinfo_rep **devinfo_remote_list);
DOCA_CORE_DECL doca_error_t doca_devinfo_remote_property_get(
    const struct doca_devinfo_rep *devinfo_remote, enum doca_devinfo_remote_property property,
    void *value, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_dev_remote_open(struct doca_devinfo_rep *devinfo_remote,
                                                 struct doca_dev_rep **dev_remote);
DOCA_CORE_DECL doca_error_t doca_dev_remote_close(struct doca_dev_rep *dev_remote);
DOCA_CORE_DECL doca_error_t doca_dev_remote_as_devinfo(struct doca_dev_rep *dev_remote,
                                                       struct doca_devinfo_rep **devinfo_remote);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_list_create(struct doca_dev *dev, int filter,
                                                         struct doca_devinfo_rep ***dev_list_rep,
                                                         uint32_t *nb_devs_rep);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_list_destroy(struct doca_devinfo_rep **dev_list_rep);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_addr(
    const struct doca_devinfo_rep *devinfo_rep, struct doca_pci_bdf *pci_addr);

/* Say whether a device can list its representors by a filter: 1 or 0. Of 1.5. */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_list_all_supported(
    const struct doca_devinfo *devinfo, uint8_t *all_supported);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_list_net_supported(
    const struct doca_devinfo *devinfo, uint8_t *net_supported);

/* ---- >>buf ----------------------------------------------------------------------------------
 * Other names for calls of doca_core.h.
 * Source: 1.3 guide, 4.5.                                                                       */

enum doca_buf_extension {
    DOCA_BUF_EXTENSION_NONE = 0,
    DOCA_BUF_EXTENSION_LINKED_LIST = 1 << 0 /* lists can be made with or without it */
};

/* doca_buf_get_head(), get_len(), dec_refcount(), get_refcount() */
DOCA_CORE_DECL doca_error_t doca_buf_head_get(struct doca_buf *buf, void **head);
DOCA_CORE_DECL doca_error_t doca_buf_len_get(struct doca_buf *buf, size_t *len);
DOCA_CORE_DECL doca_error_t doca_buf_refcount_rm(struct doca_buf *buf, uint16_t *refcount);
DOCA_CORE_DECL doca_error_t doca_buf_refcount_get(struct doca_buf *buf, uint16_t *refcount);

/* Not offered at that time.
 *
 * Errors    NOT_SUPPORTED  always */
DOCA_CORE_DECL doca_error_t doca_buf_refcount_add(struct doca_buf *buf, uint16_t *refcount);

/* The lists of 1.5: doca_buf_chain_list(), unchain_list(), get_next_in_list(), get_last_in_list(),
 * get_list_len(), is_first_in_list(), is_last_in_list(). */
DOCA_CORE_DECL doca_error_t doca_buf_list_chain(struct doca_buf *list1, struct doca_buf *list2);
DOCA_CORE_DECL doca_error_t doca_buf_list_unchain(struct doca_buf *list1, struct doca_buf *list2);
DOCA_CORE_DECL doca_error_t doca_buf_list_next(struct doca_buf *buf, struct doca_buf **next_buf);
DOCA_CORE_DECL doca_error_t doca_buf_list_last(struct doca_buf *buf, struct doca_buf **last_buf);
DOCA_CORE_DECL doca_error_t doca_buf_list_num_elements(const struct doca_buf *buf,
                                                       uint32_t *num_elements);
DOCA_CORE_DECL doca_error_t doca_buf_list_is_first(const struct doca_buf *buf, bool *is_first);
DOCA_CORE_DECL doca_error_t doca_buf_list_is_last(const struct doca_buf *buf, bool *is_last);

/* ---- >>inventory ----------------------------------------------------------------------------
 * The inventory of doca_core.h, with a name; starting and stopping are the same calls. Those of
 * today for user data, and to destroy it, refuse one that was made here; these take either kind.
 * Source: 1.3 guide, 4.6.                                                                       */

enum doca_buf_inventory_property { /* all of them read-only */
    DOCA_BUF_INVENTORY_NAME,              /* char[], at least as long as the name with NUL */
    DOCA_BUF_INVENTORY_NUM_ELEMENTS,      /* uint32_t */
    DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS, /* uint32_t */
    DOCA_BUF_INVENTORY_EXTENSIONS         /* uint32_t */
};

/* Create a stopped inventory.
 *
 *   name         copied; NULL is ""
 *   user_data    the form of 1.5; NULL is 0
 *   extensions   a mask of enum doca_buf_extension
 *
 * Owns      two blocks of the bound arena
 * Errors    INVALID_VALUE  also: no elements, or an unknown extension
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_create(
    const char *name, size_t num_elements, uint32_t extensions,
    struct doca_buf_inventory **buf_inventory);
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_create_15(
    const union doca_data *user_data, size_t num_elements, uint32_t extensions,
    struct doca_buf_inventory **buf_inventory);

/* Destroy an inventory.
 *
 * Errors    IN_USE  buffers have not been returned */
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_destroy(
    struct doca_buf_inventory *inventory);

/* Give the user data of doca_core_legacy_buf_inventory_create_15(), or replace it. */
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_get_user_data(
    const struct doca_buf_inventory *inventory, union doca_data *user_data);
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_set_user_data(
    struct doca_buf_inventory *inventory, union doca_data user_data);

/* Refuse to write a property.
 *
 * Errors    INVALID_VALUE  also: no such property
 *           NOT_PERMITTED  it can only be read */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_property_set(
    struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property,
    const void *value, uint32_t size);

/* Write a property to `value`, and zeros behind it up to `size` bytes.
 *
 * Errors    INVALID_VALUE  also: no such property, or `size` is too small */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_property_get(
    struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property, void *value,
    uint32_t size);

/* Take a buf as an empty window on [addr, addr + len), inside one range of `mmap`.
 *
 * Owns      one element until its refcount is 0
 * Cost      O(log of the ranges)
 * Errors    INVALID_VALUE  also: not inside one range
 *           BAD_STATE      inventory or mmap is not started
 *           NO_MEMORY      all elements are in use */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_addr(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *addr, size_t len,
                                                           struct doca_buf **buf);

/* The same with content: the whole window, or [data, data + data_len) in it. Of 1.5. */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_data(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *data, size_t data_len,
                                                           struct doca_buf **buf);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_args(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *addr, size_t len, void *data,
                                                           size_t data_len, struct doca_buf **buf);

/* Take a second descriptor, as doca_buf_inventory_buf_dup() does.
 *
 * Errors    as there; BAD_STATE also for an mmap of 1.x that was stopped since */
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_buf_dup(
    struct doca_buf_inventory *inventory, const struct doca_buf *src_buf,
    struct doca_buf **dst_buf);

/* ---- >>mmap ---------------------------------------------------------------------------------
 * A collection of memory ranges ("chunks") on a collection of devices, each range registered on
 * each device by whichever of the two calls comes second.
 * Source: 1.3 guide, 4.7 and 5.4.                                                               */

enum doca_mmap_property {
    DOCA_MMAP_NAME,            /* read-only, char[], at least as long as the name with NUL */
    DOCA_MMAP_MAX_NUM_CHUNKS,  /* uint32_t, at first 1; of an imported mmap: how many it has */
    DOCA_MMAP_MAX_NUM_DEVICES, /* uint32_t, at first 1 */
    DOCA_MMAP_NUM_BUFS,        /* read-only, uint32_t */
    DOCA_MMAP_EXPORTED,        /* read-only, uint8_t */
    DOCA_MMAP_FROM_EXPORT,     /* read-only, uint8_t */
    DOCA_MMAP_ACCESS_FLAGS     /* uint32_t, of enum doca_mmap_access_flags */
};

enum doca_mmap_access_flags {
    DOCA_MMAP_ACCESS_LOCAL_READ = 0,
    DOCA_MMAP_ACCESS_LOCAL_WRITE = 1 << 0,
    DOCA_MMAP_ACCESS_REMOTE_WRITE = 1 << 1, /* an importer may read then, too */
    DOCA_MMAP_ACCESS_REMOTE_READ = 1 << 2,
    DOCA_MMAP_ACCESS_REMOTE_ATOMIC = 1 << 3
};

/* Create a stopped mmap without ranges and devices.
 *
 *   name       copied; NULL is ""
 *   user_data  the form of 1.5; NULL is 0
 *
 * Owns      one block of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create(const char *name,
                                                         struct doca_core_legacy_mmap **mmap);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_15(const union doca_data *user_data,
                                                            struct doca_core_legacy_mmap **mmap);

/* Destroy an mmap in any state, with its ranges, whose free callbacks run, and its devices.
 *
 * Errors    NOT_PERMITTED  buffers still point into it; nothing changed */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_destroy(struct doca_core_legacy_mmap *mmap);

/* Set or get a property; get writes zeros behind it up to `size` bytes.
 *
 * Errors    INVALID_VALUE  also: no such property; set: another size, or the value is none; get:
 *                          `size` is too small
 *           NOT_PERMITTED  set: it can only be read, or the mmap was started or imported */
DOCA_CORE_DECL doca_error_t doca_mmap_property_set(struct doca_core_legacy_mmap *mmap,
                                                   enum doca_mmap_property property,
                                                   const void *value, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_mmap_property_get(struct doca_core_legacy_mmap *mmap,
                                                   enum doca_mmap_property property, void *value,
                                                   uint32_t size);

/* The same in the form of 1.5. */
DOCA_CORE_DECL doca_error_t doca_mmap_set_max_num_chunks(struct doca_core_legacy_mmap *mmap,
                                                         uint32_t max_num_chunks);
DOCA_CORE_DECL doca_error_t doca_mmap_get_max_num_chunks(struct doca_core_legacy_mmap *mmap,
                                                         uint32_t *max_num_chunks);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_max_num_devices(
    struct doca_core_legacy_mmap *mmap, uint32_t max_num_devices);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_max_num_devices(
    struct doca_core_legacy_mmap *mmap, uint32_t *max_num_devices);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_num_bufs(struct doca_core_legacy_mmap *mmap,
                                                               uint32_t *num_bufs);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_exported(struct doca_core_legacy_mmap *mmap,
                                                               uint8_t *exported);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_from_export(
    struct doca_core_legacy_mmap *mmap, uint8_t *from_export);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_user_data(struct doca_core_legacy_mmap *mmap,
                                                                union doca_data *user_data);

/* Allow changes and new buffers, or forbid them. What exists stays; on an mmap that is in that
 * state: nothing.
 *
 * Owns      the first start: one block of the arena, until destroy
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_start(struct doca_core_legacy_mmap *mmap);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_stop(struct doca_core_legacy_mmap *mmap);

/* Register every range on `dev`, or take that back. Jobs on buffers of the mmap then fail.
 *
 * Owns      a use of the device until dev_rm or destroy
 * Cost      one registration per range
 * Errors    INVALID_VALUE  also: rm of a device that is not in the mmap
 *           NOT_PERMITTED  the mmap is not started, exported or imported, or the device refuses
 *           NO_MEMORY      add: max_num_devices are in it
 *           IN_USE         add: the device is in it */
DOCA_CORE_DECL doca_error_t doca_mmap_dev_add(struct doca_core_legacy_mmap *mmap,
                                              struct doca_dev *dev);
DOCA_CORE_DECL doca_error_t doca_mmap_dev_rm(struct doca_core_legacy_mmap *mmap,
                                             struct doca_dev *dev);

/* Add [addr, addr + len), and register it on every device.
 *
 *   pg_sz    a power of two, at least 4096; the range need not be aligned to it
 *   free_cb  called with the range and `opaque` when the mmap is destroyed; may be NULL
 *
 * Owns      one block of the arena until destroy; the memory stays the caller's
 * Cost      one registration per device, O(ranges)
 * Errors    INVALID_VALUE  also: `len` 0, a range that wraps, a bad page size
 *           NOT_PERMITTED  the mmap is not started, exported or imported, a device refuses, or the
 *                          range overlaps another one of the mmap
 *           NO_MEMORY      max_num_chunks are in it, or the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_mmap_populate(struct doca_core_legacy_mmap *mmap, void *addr,
                                               size_t len, size_t pg_sz,
                                               doca_mmap_memrange_free_cb_t *free_cb,
                                               void *opaque);

/* Describe the mmap for another process, once: see doca_mmap_export_pci(). The export holds until
 * the mmap is destroyed.
 *
 *   export_desc  out: of malloc(), the caller's to free()
 *
 * Errors    INVALID_VALUE  also: the device is not in the mmap
 *           NOT_PERMITTED  not started, exported or imported, not exactly one range, or neither
 *                          remote permission
 *           NOT_SUPPORTED  the device cannot
 *           NO_MEMORY      of the heap, or the arena */
DOCA_CORE_DECL doca_error_t doca_mmap_export(struct doca_core_legacy_mmap *mmap,
                                             const struct doca_dev *dev, void **export_desc,
                                             size_t *export_desc_len);

/* Make a started mmap of an export: see doca_mmap_create_from_export() of doca_core.h.
 *
 * Owns      four blocks of the arenas of the process, and a use of the device, until destroy
 * Errors    as there */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_from_export(
    const char *name, const void *export_desc, size_t export_desc_len, struct doca_dev *dev,
    struct doca_core_legacy_mmap **mmap);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_from_export_15(
    const union doca_data *user_data, const void *export_desc, size_t export_desc_len,
    struct doca_dev *dev, struct doca_core_legacy_mmap **mmap);

/* ---- >>ctx ----------------------------------------------------------------------------------
 * stopped: devices come and go.  started: work queues come and go.  The one kind here is DMA.
 * Threads: any.
 * Source: 1.3 guide, 4.8 and 5.5.                                                               */

/* Create a stopped DMA context, or destroy one.
 *
 * Owns      one block of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted
 *           IN_USE     destroy: it has a device, and with it perhaps work queues */
DOCA_CORE_DECL doca_error_t doca_core_legacy_dma_create(struct doca_core_legacy_dma **dma);
DOCA_CORE_DECL doca_error_t doca_core_legacy_dma_destroy(struct doca_core_legacy_dma *dma);

/* View a DMA as its context; the same object. NULL for NULL. */
DOCA_CORE_DECL struct doca_core_legacy_ctx *doca_core_legacy_dma_as_ctx(
    struct doca_core_legacy_dma *dma);

enum doca_dma_devinfo_caps {
    DOCA_DMA_CAP_NONE = 0,
    DOCA_DMA_CAP_HW_OFFLOAD = 1u << 0 /* the device copies; the software device says so, too */
};

/* Say what a device can do: a mask of enum doca_dma_devinfo_caps. */
DOCA_CORE_DECL doca_error_t doca_dma_devinfo_caps_get(struct doca_devinfo *devinfo, uint32_t *caps);

/* Give the device to the context, or take it back.
 *
 * Owns      a use of the device until rm
 * Errors    BAD_STATE      the context is started
 *           IN_USE         add: it has this device
 *           NOT_SUPPORTED  add: the device has no copy engine, or the context has another one
 *           NOT_FOUND      rm: it does not have the device */
DOCA_CORE_DECL doca_error_t doca_ctx_dev_add(struct doca_core_legacy_ctx *ctx,
                                             struct doca_dev *dev);
DOCA_CORE_DECL doca_error_t doca_ctx_dev_rm(struct doca_core_legacy_ctx *ctx, struct doca_dev *dev);

/* Start, or stop. Stop on a stopped context: nothing.
 *
 * Errors    INVALID_VALUE  start: also, it has no device
 *           BAD_STATE      start: is started
 *           NOT_PERMITTED  stop: work queues are attached */
DOCA_CORE_DECL doca_error_t doca_core_legacy_ctx_start(struct doca_core_legacy_ctx *ctx);
DOCA_CORE_DECL doca_error_t doca_core_legacy_ctx_stop(struct doca_core_legacy_ctx *ctx);

/* Attach a work queue, from its thread: from here on it takes jobs of the context. Waits where a
 * device takes time to begin.
 *
 * Owns      four blocks of the arena of the work queue until rm
 * Errors    BAD_STATE       the context is not started
 *           IN_USE          is attached
 *           NO_MEMORY       the arena is exhausted
 *           INITIALIZATION  the device did not begin, or what else it answered */
DOCA_CORE_DECL doca_error_t doca_ctx_workq_add(struct doca_core_legacy_ctx *ctx,
                                               struct doca_workq *workq);

/* Detach it, from its thread.
 *
 * Errors    BAD_STATE      the context is not started
 *           NOT_FOUND      is not attached
 *           NOT_PERMITTED  jobs are in flight, or their events were not retrieved; or graphs are
 *                          attached to the work queue */
DOCA_CORE_DECL doca_error_t doca_ctx_workq_rm(struct doca_core_legacy_ctx *ctx,
                                              struct doca_workq *workq);

/* Ask for limits, in the form of 1.5.
 *
 * Errors    NOT_SUPPORTED  the device has no copy engine, or no such job */
DOCA_CORE_DECL doca_error_t doca_dma_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo,
                                                               uint32_t *max_list_num_elem);
DOCA_CORE_DECL doca_error_t doca_dma_get_max_buf_size(const struct doca_devinfo *devinfo,
                                                      uint64_t *buf_size);

/* ---- >>job ----------------------------------------------------------------------------------
 * What is submitted, and what comes back.                                                       */

#define DOCA_ACTION_SDK_RANGE 16

enum doca_action_type {
    DOCA_ACTION_NONE = 0,
    DOCA_ACTION_DMA_FIRST = 1 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_DEVEMU_FIRST = 2 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_DEVEMU_BLOCK_FIRST = 3 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_VIRTIO_FIRST = 4 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_VBLK_FIRST = 5 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_REGEX_FIRST = 6 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_NVME_FIRST = 7 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_APPSHIELD_FIRST = 8 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_SHA_FIRST = 9 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_COMPRESS_FIRST = 10 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_IPSEC_FIRST = 11 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_RMAX_FIRST = 12 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_GRAPH_FIRST = 13 << DOCA_ACTION_SDK_RANGE
};

enum doca_job_flags { DOCA_JOB_FLAGS_NONE = 0 };

struct doca_job {
    int type;
    int flags; /* none are known; not looked at */
    struct doca_core_legacy_ctx *ctx;
    union doca_data user_data; /* of the event */
};

struct doca_event {
    int type; /* of the job */
    union doca_data user_data;
    union doca_data result; /* u64: the doca_error_t with which the job ended */
};

enum doca_dma_job_types {
    DOCA_DMA_JOB_MEMCPY = DOCA_ACTION_DMA_FIRST + 1,
    DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15 = DOCA_ACTION_DMA_FIRST + 2
};

struct doca_dma_job_memcpy {
    struct doca_job base;
    struct doca_buf *dst_buff;       /* the head of a list, or alone, as is the source */
    struct doca_buf const *src_buff;
    uint64_t num_bytes_to_copy; /* from the data of src_buff, a single buffer; 0: its data length */
};

struct doca_core_legacy_dma_job_memcpy_15 { /* of the type above */
    struct doca_job base;
    struct doca_buf *dst_buff;
    struct doca_buf const *src_buff;
};

struct doca_dma_memcpy_result {
    doca_error_t result;
};

/* Say whether the device does such jobs.
 *
 * Errors    NOT_SUPPORTED  it does not */
DOCA_CORE_DECL doca_error_t doca_dma_job_get_supported(struct doca_devinfo *devinfo,
                                                       enum doca_dma_job_types job_type);

/* ---- >>workq --------------------------------------------------------------------------------
 * Where jobs go in and events come out, for any number of contexts.
 * Threads: one at a time, as with its buffers.
 * Source: 1.3 guide, 4.9 and 5.6.                                                               */

enum doca_workq_property {
    DOCA_WORKQ_DEPTH /* uint32_t */
};

enum doca_workq_retrieve_flags { DOCA_WORKQ_RETRIEVE_FLAGS_NONE };

/* Create a work queue.
 *
 *   depth  jobs that can be in flight at one time, at least 1, until their event was retrieved
 *
 * Owns      three blocks of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_workq_create(uint32_t depth, struct doca_workq **workq);

/* Destroy it.
 *
 * Errors    IN_USE  is attached to a context or graph */
DOCA_CORE_DECL doca_error_t doca_workq_destroy(struct doca_workq *workq);

/* Set or get a property; get writes zeros behind it up to `size` bytes. doca_workq_set_depth() and
 * get_depth() are the form of 1.5.
 *
 * Errors    INVALID_VALUE  also: no such property; set: another size, depth 0; get: `size` is too
 *                          small
 *           BAD_STATE      set: is attached to a context or graph, or events were not retrieved
 *           NO_MEMORY      set: the arena is exhausted; the depth is as it was */
DOCA_CORE_DECL doca_error_t doca_workq_property_set(struct doca_workq *workq,
                                                    enum doca_workq_property property,
                                                    const void *value, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_workq_property_get(const struct doca_workq *workq,
                                                    enum doca_workq_property property, void *value,
                                                    uint32_t size);
DOCA_CORE_DECL doca_error_t doca_workq_set_depth(struct doca_workq *workq, uint32_t depth);
DOCA_CORE_DECL doca_error_t doca_workq_get_depth(const struct doca_workq *workq, uint32_t *depth);

/* Hand a job to its context. What is wrong with its buffers beyond the list below the device finds:
 * its event is IO_FAILED.
 *
 * Cost      O(contexts attached), to a list O(depth) more, as a task of doca_core.h otherwise; no
 *           lock, no allocation
 * Errors    INVALID_VALUE  also: not a job of the context, a buffer that is NULL, returned, not the
 *                          head of its list, or has as many references as it can have; more bytes
 *                          than the source has
 *           BAD_STATE      the context is stopped
 *           NOT_FOUND      the work queue is not attached to the context
 *           NO_MEMORY      the depth is reached, or what the device takes of a context, or a job in
 *                          flight goes to the same list: retrieve, then try again */
DOCA_CORE_DECL doca_error_t doca_workq_submit(struct doca_workq *workq, struct doca_job const *job);

/* Do the next piece of work, and give an event, of any job, if there is one.
 *
 *   ev     out: with SUCCESS and IO_FAILED
 *   flags  none are known; not looked at
 *
 * Errors    AGAIN      no event; more of these calls may bring one
 *           IO_FAILED  the event is that of a failed job or graph; its result has the code */
DOCA_CORE_DECL doca_error_t doca_workq_progress_retrieve(struct doca_workq *workq,
                                                         struct doca_event *ev, int flags);

/* Sleep on a descriptor, in the form of 1.5: enable, get the handle, then arm, wait, clear,
 * retrieve until AGAIN, arm ...
 *
 * Errors    BAD_STATE         enable: is attached; the others: is not enabled
 *           OPERATING_SYSTEM  no descriptor to be had
 *           NOT_SUPPORTED     built without an operating system */
DOCA_CORE_DECL doca_error_t doca_workq_set_event_driven_enable(struct doca_workq *workq,
                                                               uint8_t enable);
DOCA_CORE_DECL doca_error_t doca_workq_get_event_driven_enable(struct doca_workq *workq,
                                                               uint8_t *enabled);
DOCA_CORE_DECL doca_error_t doca_workq_get_event_handle(struct doca_workq *workq,
                                                        doca_event_handle_t *handle);
DOCA_CORE_DECL doca_error_t doca_workq_event_handle_arm(struct doca_workq *workq);
DOCA_CORE_DECL doca_error_t doca_workq_event_handle_clear(struct doca_workq *workq,
                                                          doca_event_handle_t handle);

/* ---- >>graph --------------------------------------------------------------------------------
 * Jobs and functions that run in an order, on work queues: stopped, nodes and dependencies are
 * added; started, it is attached to work queues and has instances, which are submitted to them. A
 * node that fails fails its instance: nodes that run finish, no other one begins. A job that meets
 * a full queue waits.
 * Source: DOCA Core Programming Guide, "DOCA Graph Execution"; public programs of 2.0.          */

enum doca_graph_job_types { DOCA_GRAPH_JOB = DOCA_ACTION_GRAPH_FIRST + 1 };

/* The work of a user node: `ev` is that of its data. What is not SUCCESS fails the node, as does
 * leaving by longjmp or exception, and retrieving in it. */
typedef doca_error_t (*doca_core_legacy_graph_user_node_cb_t)(void *cookie, struct doca_event *ev);

enum doca_graph_instance_node_state {
    DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED,
    DOCA_GRAPH_INSTANCE_NODE_STATE_STARTED,
    DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED,
    DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR
};

/* Create a stopped graph without nodes, or destroy one with all of its nodes.
 *
 * Owns      one block of the bound arena, and one for each node and dependency
 * Errors    NO_MEMORY      the arena is exhausted
 *           NOT_PERMITTED  destroy: it has instances, is attached, or a node of another graph
 *                          runs it */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_create(struct doca_core_legacy_graph **graph);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_destroy(struct doca_core_legacy_graph *graph);

/* Add a node without parents: one that runs a job of that type, a function, or an instance of
 * another graph.
 *
 * Errors    BAD_STATE      the graph is started, or the sub-graph is not
 *           NOT_PERMITTED  the sub-graph is the graph itself
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_ctx_node_create(struct doca_core_legacy_graph *graph,
                                                       int job_type,
                                                       const struct doca_core_legacy_ctx *ctx,
                                                       struct doca_core_legacy_graph_node **node);
DOCA_CORE_DECL doca_error_t doca_graph_user_node_create(
    struct doca_core_legacy_graph *graph, doca_core_legacy_graph_user_node_cb_t cb,
    struct doca_core_legacy_graph_node **node);
DOCA_CORE_DECL doca_error_t doca_graph_sub_graph_node_create(
    struct doca_core_legacy_graph *graph, struct doca_core_legacy_graph *sub_graph,
    struct doca_core_legacy_graph_node **node);

/* Let `to` wait until `from` completed. Where it does so already: nothing.
 *
 * Cost      O(nodes + dependencies)
 * Errors    INVALID_VALUE  also: a node of another graph
 *           BAD_STATE      is started
 *           NOT_PERMITTED  `from` waits for `to`, or is `to`
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_add_dependency(
    struct doca_core_legacy_graph *graph, struct doca_core_legacy_graph_node *from,
    struct doca_core_legacy_graph_node *to);

/* Start, or stop. On a graph that is in that state: nothing.
 *
 * Errors    BAD_STATE      start: no node runs a job, in sub-graphs neither, or a context or
 *                          sub-graph is stopped
 *           NOT_PERMITTED  stop: it has instances, is attached, or a node of another graph
 *                          runs it */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_start(struct doca_core_legacy_graph *graph);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_stop(struct doca_core_legacy_graph *graph);

/* Attach a started graph to a work queue that all of its contexts are attached to, or detach it.
 * Sub-graphs need no attaching; their contexts are asked for at submit.
 *
 * Owns      one block of the arena of the work queue until rm
 * Threads   that of the work queue
 * Errors    BAD_STATE  add: the graph is stopped, or a context not attached. rm: it is not attached
 *           IN_USE     add: is attached. rm: instances are submitted, or their events not retrieved
 *           NO_MEMORY  add: the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_workq_add(struct doca_core_legacy_graph *graph,
                                                 struct doca_workq *workq);
DOCA_CORE_DECL doca_error_t doca_graph_workq_rm(struct doca_core_legacy_graph *graph,
                                                struct doca_workq *workq);

/* Make an instance, without data, or end it.
 *
 * Owns      one block of the graph's arena until destroy
 * Threads   create: any
 * Errors    BAD_STATE      create: the graph is stopped
 *           NO_MEMORY      create: the arena is exhausted
 *           NOT_PERMITTED  destroy: is submitted, or is the data of a node */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_create(
    const struct doca_core_legacy_graph *graph,
    struct doca_core_legacy_graph_instance **graph_instance);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_destroy(
    struct doca_core_legacy_graph_instance *graph_instance);

/* Say what a node works on in this instance, from now on.
 *
 *   job     of the node's type and context; outlives the instance, may change between runs
 *   cookie  what the function is called with
 *   ev      may be NULL; receives what a job's event would, when the node ends. That of a user node
 *           is only handed to its function
 *
 * Errors    BAD_STATE      the instance is submitted
 *           NOT_PERMITTED  the node is another graph's, or of another kind; the job is of another
 *                          type or context; the sub instance is another graph's, or submitted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_ctx_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node, struct doca_job *job, struct doca_event *ev);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_user_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node, void *cookie, struct doca_event *ev);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_sub_graph_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node,
    struct doca_core_legacy_graph_instance *sub_graph_instance, struct doca_event *ev);

/* Run an instance. doca_workq_progress_retrieve() drives it, answering AGAIN while nodes end and
 * once with its event: of the type DOCA_GRAPH_JOB, the result its status, SUCCESS or the code of
 * the first node that failed.
 *
 * Cost      O(nodes, those of sub-graphs included)
 * Errors    INVALID_VALUE  also: a node has no data; its graph is not attached to the work queue
 *           IN_USE         is submitted; a sub instance is
 *           BAD_STATE      a context is not attached to the work queue
 *           NO_MEMORY      less room in the work queue than jobs without parents
 *           any            what doca_workq_submit() says of such a job. With an error nothing was
 *                          begun */
DOCA_CORE_DECL doca_error_t doca_workq_graph_submit(
    struct doca_workq *workq, struct doca_core_legacy_graph_instance *graph_instance,
    union doca_data user_data);

/* Look at an instance, while it runs or afterwards. get_failed_nodes fills at most
 * *num_failed_nodes elements, and says how many.
 *
 * Errors    NOT_PERMITTED  the node is another graph's
 *           BAD_STATE      get_result: the node did not complete */
DOCA_CORE_DECL doca_error_t doca_graph_instance_get_num_failed_nodes(
    const struct doca_core_legacy_graph_instance *graph_instance, uint32_t *num_failed_nodes);
DOCA_CORE_DECL doca_error_t doca_graph_instance_get_failed_nodes(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node **failed_nodes, uint32_t *num_failed_nodes);
DOCA_CORE_DECL doca_error_t doca_graph_instance_node_get_state(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node *node, enum doca_graph_instance_node_state *state);
DOCA_CORE_DECL doca_error_t doca_graph_instance_node_get_result(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node *node, union doca_data *result);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_LEGACY_H */

#if defined(DOCA_CORE_IMPLEMENTATION) && !defined(DOCA_PRIV_LEGACY_IMPLEMENTED)
#define DOCA_PRIV_LEGACY_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

/* ---- >>impl.device -------------------------------------------------------------------------- */

DOCA_CORE_DECL const char *doca_get_error_string(doca_error_t error)
{
    return doca_error_get_descr(error);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_list_create(struct doca_devinfo ***dev_list,
                                                     uint32_t *nb_devs)
{
    return doca_devinfo_create_list(dev_list, nb_devs);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_list_destroy(struct doca_devinfo **devinfo_list)
{
    return doca_devinfo_destroy_list(devinfo_list);
}

/* Read the end of an address that a backend wrote: "BB:DD.F". */
static void doca_priv_bdf_read(const struct doca_core_dev_attr *attr, struct doca_pci_bdf *to)
{
    const char *bdf = attr->pci_addr + (DOCA_DEVINFO_PCI_ADDR_SIZE - DOCA_DEVINFO_PCI_BDF_SIZE);
    unsigned digits[7], i;

    for (i = 0; i < 7; i++)
        digits[i] = (unsigned)doca_priv_hex_digit(bdf[i]);
    to->bus = (uint8_t)(digits[0] << 4 | digits[1]);
    to->device = (uint8_t)((digits[3] << 4 | digits[4]) & 31u);
    to->function = (uint8_t)(digits[6] & 7u);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_addr(const struct doca_devinfo *devinfo,
                                                      struct doca_pci_bdf *pci_addr)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, pci_addr, __func__);

    if (rc == DOCA_SUCCESS)
        doca_priv_bdf_read(&devinfo->attr, pci_addr);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_addr(
    const struct doca_devinfo_rep *devinfo_rep, struct doca_pci_bdf *pci_addr)
{
    doca_error_t rc =
        doca_priv_check_args(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP, pci_addr, __func__);

    if (rc == DOCA_SUCCESS)
        doca_priv_bdf_read(&devinfo_rep->info.attr, pci_addr);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_vuid(const struct doca_devinfo *devinfo, char *vuid,
                                                  uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, vuid, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (size < DOCA_DEVINFO_VUID_SIZE)
        return DOCA_PRIV_FAIL(INVALID_VALUE, TEXT_TOO_SHORT, devinfo);
    DOCA_CORE_MEMCPY(vuid, devinfo->attr.vuid, DOCA_DEVINFO_VUID_SIZE);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_property_get(const struct doca_devinfo *devinfo,
                                                      enum doca_devinfo_property property,
                                                      void *value, uint32_t size)
{
    switch ((int)property) {
    case DOCA_DEVINFO_PROPERTY_VUID:
        return doca_devinfo_get_vuid(devinfo, (char *)value, size);
    case DOCA_DEVINFO_PROPERTY_PCI_ADDR:
        if (size < sizeof(struct doca_pci_bdf))
            return DOCA_PRIV_FAIL(INVALID_VALUE, TEXT_TOO_SHORT, NULL);
        return doca_devinfo_get_pci_addr(devinfo, (struct doca_pci_bdf *)value);
    case DOCA_DEVINFO_PROPERTY_IPV4_ADDR:
        return doca_devinfo_get_ipv4_addr(devinfo, (uint8_t *)value, size);
    case DOCA_DEVINFO_PROPERTY_IPV6_ADDR:
        return doca_devinfo_get_ipv6_addr(devinfo, (uint8_t *)value, size);
    case DOCA_DEVINFO_PROPERTY_IFACE_NAME:
        return doca_devinfo_get_iface_name(devinfo, (char *)value, size);
    case DOCA_DEVINFO_PROPERTY_IBDEV_NAME:
        return doca_devinfo_get_ibdev_name(devinfo, (char *)value, size);
    default:
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, NULL);
    }
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_hotplug_manager_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager)
{
    return doca_devinfo_cap_is_hotplug_manager_supported(devinfo, is_hotplug_manager);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_mmap_export_supported(
    const struct doca_devinfo *devinfo, uint8_t *mmap_export)
{
    return doca_mmap_cap_is_export_pci_supported(devinfo, mmap_export);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_mmap_from_export_supported(
    const struct doca_devinfo *devinfo, uint8_t *from_export)
{
    return doca_mmap_cap_is_create_from_export_pci_supported(devinfo, from_export);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_dev_as_devinfo(struct doca_dev *dev,
                                                            struct doca_devinfo **devinfo)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, devinfo, __func__);
    struct doca_devinfo *info;

    if (rc != DOCA_SUCCESS)
        return rc;
    info = doca_dev_as_devinfo(dev);
    if (info == NULL)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_FROM_PD, dev);
    *devinfo = info;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_remote_list_create(
    struct doca_dev *dev, int filter, struct doca_devinfo_rep ***devinfo_remote_list,
    uint32_t *nb_devs)
{
    return doca_devinfo_rep_create_list(dev, filter, devinfo_remote_list, nb_devs);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_remote_list_destroy(
    struct doca_devinfo_rep **devinfo_remote_list)
{
    return doca_devinfo_rep_destroy_list(devinfo_remote_list);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_remote_property_get(
    const struct doca_devinfo_rep *devinfo_remote, enum doca_devinfo_remote_property property,
    void *value, uint32_t size)
{
    if (property != DOCA_DEVINFO_REMOTE_PROPERTY_VUID)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, NULL);
    return doca_devinfo_rep_get_vuid(devinfo_remote, (char *)value, size);
}

DOCA_CORE_DECL doca_error_t doca_dev_remote_open(struct doca_devinfo_rep *devinfo_remote,
                                                 struct doca_dev_rep **dev_remote)
{
    return doca_dev_rep_open(devinfo_remote, dev_remote);
}

DOCA_CORE_DECL doca_error_t doca_dev_remote_close(struct doca_dev_rep *dev_remote)
{
    return doca_dev_rep_close(dev_remote);
}

DOCA_CORE_DECL doca_error_t doca_dev_remote_as_devinfo(struct doca_dev_rep *dev_remote,
                                                       struct doca_devinfo_rep **devinfo_remote)
{
    doca_error_t rc =
        doca_priv_check_args(dev_remote, DOCA_PRIV_KIND_DEV_REP, devinfo_remote, __func__);

    if (rc == DOCA_SUCCESS)
        *devinfo_remote = doca_dev_rep_as_devinfo(dev_remote);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_list_create(struct doca_dev *dev, int filter,
                                                         struct doca_devinfo_rep ***dev_list_rep,
                                                         uint32_t *nb_devs_rep)
{
    return doca_devinfo_rep_create_list(dev, filter, dev_list_rep, nb_devs_rep);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_list_destroy(struct doca_devinfo_rep **dev_list_rep)
{
    return doca_devinfo_rep_destroy_list(dev_list_rep);
}

/* What is an error today was an answer then: no. */
static doca_error_t doca_priv_legacy_answer(doca_error_t rc, uint8_t *answer)
{
    if (rc != DOCA_ERROR_NOT_SUPPORTED)
        return rc;
    *answer = 0;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_list_all_supported(
    const struct doca_devinfo *devinfo, uint8_t *all_supported)
{
    return doca_priv_legacy_answer(
        doca_devinfo_rep_cap_is_filter_all_supported(devinfo, all_supported), all_supported);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_list_net_supported(
    const struct doca_devinfo *devinfo, uint8_t *net_supported)
{
    return doca_priv_legacy_answer(
        doca_devinfo_rep_cap_is_filter_net_supported(devinfo, net_supported), net_supported);
}

/* ---- >>impl.buf ----------------------------------------------------------------------------- */

DOCA_CORE_DECL doca_error_t doca_buf_head_get(struct doca_buf *buf, void **head)
{
    return doca_buf_get_head(buf, head);
}

DOCA_CORE_DECL doca_error_t doca_buf_len_get(struct doca_buf *buf, size_t *len)
{
    return doca_buf_get_len(buf, len);
}

DOCA_CORE_DECL doca_error_t doca_buf_refcount_rm(struct doca_buf *buf, uint16_t *refcount)
{
    return doca_buf_dec_refcount(buf, refcount);
}

DOCA_CORE_DECL doca_error_t doca_buf_refcount_get(struct doca_buf *buf, uint16_t *refcount)
{
    return doca_buf_get_refcount(buf, refcount);
}

DOCA_CORE_DECL doca_error_t doca_buf_refcount_add(struct doca_buf *buf, uint16_t *refcount)
{
    (void)refcount;
    return DOCA_PRIV_FAIL(NOT_SUPPORTED, LEGACY_NO_REFCOUNT, doca_priv_is_buf(buf) ? buf : NULL);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_chain(struct doca_buf *list1, struct doca_buf *list2)
{
    return doca_buf_chain_list(list1, list2);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_unchain(struct doca_buf *list1, struct doca_buf *list2)
{
    return doca_buf_unchain_list(list1, list2);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_next(struct doca_buf *buf, struct doca_buf **next_buf)
{
    return doca_buf_get_next_in_list(buf, next_buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_last(struct doca_buf *buf, struct doca_buf **last_buf)
{
    return doca_buf_get_last_in_list(buf, last_buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_num_elements(const struct doca_buf *buf,
                                                       uint32_t *num_elements)
{
    return doca_buf_get_list_len(buf, num_elements);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_is_first(const struct doca_buf *buf, bool *is_first)
{
    uint8_t answer = 0;
    doca_error_t rc = doca_buf_is_first_in_list(buf, is_first != NULL ? &answer : NULL);

    if (rc == DOCA_SUCCESS)
        *is_first = answer != 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_list_is_last(const struct doca_buf *buf, bool *is_last)
{
    uint8_t answer = 0;
    doca_error_t rc = doca_buf_is_last_in_list(buf, is_last != NULL ? &answer : NULL);

    if (rc == DOCA_SUCCESS)
        *is_last = answer != 0;
    return rc;
}

/* ---- >>impl.mmap ----------------------------------------------------------------------------
 * The chunks are current mmaps, started from populate to destroy and ordered by address. Each
 * carries its owner in user_data, and says so in obj.owner.                                     */

struct doca_core_legacy_mmap {
    struct doca_priv_object obj;
    uint32_t num_chunks;
    uint32_t max_chunks;
    uint32_t num_devs;
    uint32_t max_devs;
    uint32_t flags; /* DOCA_MMAP_ACCESS_* */
    bool was_started;
    bool is_exported;
    bool is_imported;
    struct doca_core_arena *arena;
    struct doca_mmap **chunks; /* from the first start on, */
    struct doca_dev **devs;    /* in the same block */
    union doca_data user_data;
    char name[DOCA_CORE_LEGACY_NAME_BYTES];
};

/* Copy a name that may be NULL, or too long, to zeroed memory. */
static void doca_priv_legacy_name(char *to, const char *name)
{
    size_t i;

    for (i = 0; name != NULL && name[i] != '\0' && i + 1 < DOCA_CORE_LEGACY_NAME_BYTES; i++)
        to[i] = name[i];
}

static doca_error_t doca_priv_legacy_mmap_make(const char *name, const union doca_data *user_data,
                                               struct doca_core_legacy_mmap **mmap,
                                               const char *function)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    struct doca_core_legacy_mmap *m;
    void *block = NULL;
    doca_error_t rc;

    if (mmap == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    rc = doca_priv_object_take(arena, sizeof(*m), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    m = (struct doca_core_legacy_mmap *)block;
    doca_priv_object_init(&m->obj, DOCA_PRIV_KIND_LEGACY_MMAP);
    m->arena = arena;
    m->max_chunks = 1;
    m->max_devs = 1;
    m->flags = DOCA_MMAP_ACCESS_LOCAL_WRITE | DOCA_MMAP_ACCESS_REMOTE_WRITE |
               DOCA_MMAP_ACCESS_REMOTE_READ;
    if (user_data != NULL)
        m->user_data = *user_data;
    doca_priv_legacy_name(m->name, name);
    *mmap = m;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create(const char *name,
                                                         struct doca_core_legacy_mmap **mmap)
{
    return doca_priv_legacy_mmap_make(name, NULL, mmap, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_15(const union doca_data *user_data,
                                                            struct doca_core_legacy_mmap **mmap)
{
    return doca_priv_legacy_mmap_make(NULL, user_data, mmap, __func__);
}

static uint32_t doca_priv_legacy_num_bufs(const struct doca_core_legacy_mmap *mmap)
{
    uint32_t num = 0, i;

    for (i = 0; i < mmap->num_chunks; i++)
        num += mmap->chunks[i]->num_bufs;
    return num;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_destroy(struct doca_core_legacy_mmap *mmap)
{
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (doca_priv_legacy_num_bufs(mmap) > 0)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_HAS_BUFS, mmap);
    mmap->obj.guard = 0; /* for the free callbacks it is gone */
    for (i = 0; i < mmap->num_chunks; i++)
        DOCA_ERROR_PROPAGATE(rc, doca_mmap_destroy(mmap->chunks[i]));
    for (i = 0; i < mmap->num_devs; i++)
        doca_priv_dev_drop(mmap->devs[i]);
    DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(mmap->arena, mmap->chunks));
    DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(mmap->arena, &mmap->obj));
    return rc;
}

/* The tables of chunks and devices. */
static doca_error_t doca_priv_legacy_mmap_carve(struct doca_core_arena *arena, uint32_t max_chunks,
                                                uint32_t max_devs, void **block,
                                                const char *function)
{
    return doca_priv_object_take(arena,
                                 doca_priv_size(max_chunks, sizeof(void *),
                                                doca_priv_size(max_devs, sizeof(void *), 0)),
                                 block, function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_mmap(uint32_t max_num_chunks,
                                                        uint32_t max_num_devices, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    size_t each, sum = 0;
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    each = DOCA_CORE_BYTES_MMAP(1);
    if (max_num_devices > DOCA_CORE_MMAP_DEVS)
        each += DOCA_CORE_BYTES_MMAP_DEVS(max_num_devices);
    rc = doca_priv_object_take(&count, sizeof(struct doca_core_legacy_mmap), &block, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_legacy_mmap_carve(&count, max_num_chunks, max_num_devices, &block, __func__);
    rc = doca_priv_counted(&count, rc, &sum, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (max_num_chunks > (SIZE_MAX - sum) / each)
        return DOCA_PRIV_FAIL(NO_MEMORY, ARENA_EXHAUSTED, NULL);
    *bytes = sum + max_num_chunks * each;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_start(struct doca_core_legacy_mmap *mmap)
{
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (!mmap->was_started) {
        rc = doca_priv_legacy_mmap_carve(mmap->arena, mmap->max_chunks, mmap->max_devs, &block,
                                         __func__);
        if (rc != DOCA_SUCCESS)
            return rc;
        mmap->chunks = (struct doca_mmap **)block;
        mmap->devs = (struct doca_dev **)(void *)(mmap->chunks + mmap->max_chunks);
        mmap->was_started = true;
    }
    mmap->obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_stop(struct doca_core_legacy_mmap *mmap)
{
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    mmap->obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

/* May devices and ranges come and go, and may it be exported? */
static doca_error_t doca_priv_legacy_mmap_change(const struct doca_core_legacy_mmap *mmap,
                                                 const void *pointer, const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, pointer, function);
    enum doca_core_item item;

    if (rc != DOCA_SUCCESS)
        return rc;
    item = mmap->is_imported                      ? DOCA_CORE_ITEM_MMAP_IMPORTED
           : mmap->is_exported                    ? DOCA_CORE_ITEM_MMAP_EXPORTED
           : mmap->obj.state != DOCA_PRIV_STARTED ? DOCA_CORE_ITEM_MMAP_NOT_STARTED
                                                  : DOCA_CORE_ITEM_NONE;
    return item == DOCA_CORE_ITEM_NONE
               ? DOCA_SUCCESS
               : doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, function, mmap);
}

/* Where `dev` stands in the mmap; num_devs when it does not. */
static uint32_t doca_priv_legacy_mmap_find(const struct doca_core_legacy_mmap *mmap,
                                           const struct doca_dev *dev)
{
    uint32_t i;

    for (i = 0; i < mmap->num_devs && mmap->devs[i] != dev; i++) {
    }
    return i;
}

/* Register a started chunk on one more device; false: the device refused. */
static bool doca_priv_chunk_dev_add(struct doca_mmap *chunk, struct doca_dev *dev)
{
    struct doca_priv_mmap_dev *d = &chunk->devs[chunk->num_devs];
    struct doca_core_range range;

    doca_priv_mmap_range(chunk, &range);
    if (dev->backend->reg_range(dev, &range, &d->mkey, &d->own) != DOCA_SUCCESS)
        return false;
    d->dev = dev;
    chunk->num_devs++;
    chunk->dev_mask |= dev->bit;
    doca_priv_dev_hold(dev);
    return true;
}

static void doca_priv_chunk_dev_rm(struct doca_mmap *chunk, struct doca_dev *dev)
{
    uint32_t i = doca_priv_mmap_find(chunk, dev);

    dev->backend->dereg(dev, chunk->devs[i].mkey);
    chunk->dev_mask &= ~dev->bit;
    chunk->devs[i] = chunk->devs[--chunk->num_devs];
    doca_priv_dev_drop(dev);
}

DOCA_CORE_DECL doca_error_t doca_mmap_dev_add(struct doca_core_legacy_mmap *mmap,
                                              struct doca_dev *dev)
{
    doca_error_t rc = doca_priv_legacy_mmap_change(mmap, dev, __func__);
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    if (doca_priv_legacy_mmap_find(mmap, dev) < mmap->num_devs)
        return DOCA_PRIV_FAIL(IN_USE, MMAP_DEV_TWICE, mmap);
    if (mmap->num_devs == mmap->max_devs)
        return DOCA_PRIV_FAIL(NO_MEMORY, MMAP_DEV_FULL, mmap);
    for (i = 0; i < mmap->num_chunks; i++) {
        if (!doca_priv_chunk_dev_add(mmap->chunks[i], dev)) {
            while (i-- > 0)
                doca_priv_chunk_dev_rm(mmap->chunks[i], dev);
            return DOCA_PRIV_FAIL(NOT_PERMITTED, BACKEND_REFUSED, mmap);
        }
    }
    mmap->devs[mmap->num_devs++] = dev;
    doca_priv_dev_hold(dev);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_dev_rm(struct doca_core_legacy_mmap *mmap,
                                             struct doca_dev *dev)
{
    doca_error_t rc = doca_priv_legacy_mmap_change(mmap, dev, __func__);
    uint32_t i, at;

    if (rc != DOCA_SUCCESS)
        return rc;
    at = doca_priv_legacy_mmap_find(mmap, dev);
    if (at == mmap->num_devs)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_DEV_MISSING, mmap);
    for (i = 0; i < mmap->num_chunks; i++)
        doca_priv_chunk_dev_rm(mmap->chunks[i], dev);
    mmap->devs[at] = mmap->devs[--mmap->num_devs];
    doca_priv_dev_drop(dev);
    return DOCA_SUCCESS;
}

/* The first chunk that ends behind `addr`; num_chunks when there is none. */
static uint32_t doca_priv_chunk_find(const struct doca_core_legacy_mmap *mmap, const void *addr)
{
    uint32_t low = 0, high = mmap->num_chunks, middle;

    while (low < high) {
        middle = low + (high - low) / 2;
        if ((uintptr_t)mmap->chunks[middle]->addr + mmap->chunks[middle]->len <= (uintptr_t)addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Today's permissions for those of 1.x. */
static uint32_t doca_priv_legacy_access(uint32_t flags)
{
    uint32_t access = 0;

    if ((flags & DOCA_MMAP_ACCESS_LOCAL_WRITE) != 0)
        access |= DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    if ((flags & DOCA_MMAP_ACCESS_REMOTE_WRITE) != 0)
        access |= DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE;
    else if ((flags & DOCA_MMAP_ACCESS_REMOTE_READ) != 0)
        access |= DOCA_ACCESS_FLAG_PCI_READ_ONLY;
    if ((flags & DOCA_MMAP_ACCESS_REMOTE_READ) != 0)
        access |= DOCA_ACCESS_FLAG_RDMA_READ;
    if ((flags & DOCA_MMAP_ACCESS_REMOTE_ATOMIC) != 0)
        access |= DOCA_ACCESS_FLAG_RDMA_ATOMIC;
    return access;
}

/* Make a started chunk of a range that was checked. */
static doca_error_t doca_priv_chunk_make(struct doca_core_legacy_mmap *mmap, void *addr, size_t len,
                                         struct doca_mmap **chunk, const char *function)
{
    struct doca_mmap *c = NULL;
    doca_error_t rc = doca_priv_mmap_create(mmap->arena, &c, function);
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (mmap->max_devs > c->max_devs) {
        rc = doca_mmap_set_max_num_devices(c, mmap->max_devs);
        if (rc != DOCA_SUCCESS) {
            (void)doca_mmap_destroy(c);
            return rc;
        }
    }
    c->obj.owner = DOCA_PRIV_OF_LEGACY;
    c->user_data.ptr = mmap;
    c->access = doca_priv_legacy_access(mmap->flags);
    doca_priv_mmap_set_range(c, addr, len);
    for (i = 0; i < mmap->num_devs; i++)
        (void)doca_mmap_add_dev(c, mmap->devs[i]);
    if (doca_mmap_start(c) != DOCA_SUCCESS) {
        (void)doca_mmap_destroy(c);
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_BACKEND_REFUSED, function,
                              mmap);
    }
    *chunk = c;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_populate(struct doca_core_legacy_mmap *mmap, void *addr,
                                               size_t len, size_t pg_sz,
                                               doca_mmap_memrange_free_cb_t *free_cb, void *opaque)
{
    doca_error_t rc = doca_priv_legacy_mmap_change(mmap, addr, __func__);
    struct doca_mmap *chunk = NULL;
    uint32_t at;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (len == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, mmap);
    if (len > UINTPTR_MAX - (uintptr_t)addr)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_RANGE_WRAPS, mmap);
    if (pg_sz < 4096 || (pg_sz & (pg_sz - 1)) != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PAGE_SIZE, mmap);
    if (mmap->num_chunks == mmap->max_chunks)
        return DOCA_PRIV_FAIL(NO_MEMORY, LEGACY_CHUNKS_FULL, mmap);
    at = doca_priv_chunk_find(mmap, addr);
    if (at < mmap->num_chunks && (uintptr_t)mmap->chunks[at]->addr < (uintptr_t)addr + len)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, LEGACY_CHUNK_OVERLAP, mmap);
    rc = doca_priv_chunk_make(mmap, addr, len, &chunk, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    chunk->free_cb = free_cb;
    chunk->free_opaque = opaque;
    chunk->free_cb_armed = free_cb != NULL;
    /* analyzer: bugprone-sizeof-expression: it is pointers that are moved */
    DOCA_CORE_MEMMOVE(mmap->chunks + at + 1, mmap->chunks + at,
                      (mmap->num_chunks - at) * sizeof(*mmap->chunks));
    mmap->chunks[at] = chunk;
    mmap->num_chunks++;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_export(struct doca_core_legacy_mmap *mmap,
                                             const struct doca_dev *dev, void **export_desc,
                                             size_t *export_desc_len)
{
    doca_error_t rc = doca_priv_legacy_mmap_change(mmap, export_desc, __func__);
    const void *desc = NULL;
    size_t len = 0;
    void *blob;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (export_desc_len == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, mmap);
    if (doca_priv_legacy_mmap_find(mmap, dev) == mmap->num_devs)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_DEV_MISSING, mmap);
    if (mmap->num_chunks != 1)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, LEGACY_NOT_ONE_CHUNK, mmap);
    blob = DOCA_CORE_LEGACY_MALLOC(sizeof(struct doca_priv_mmap_desc));
    if (blob == NULL)
        return DOCA_PRIV_FAIL(NO_MEMORY, LEGACY_HEAP, mmap);
    rc = doca_priv_mmap_publish(mmap->chunks[0], dev, DOCA_PRIV_EXPORT_MMAP_PCI, &desc, &len,
                                __func__);
    if (rc != DOCA_SUCCESS) {
        DOCA_CORE_LEGACY_FREE(blob);
        return rc;
    }
    DOCA_CORE_MEMCPY(blob, desc, len);
    mmap->is_exported = true;
    *export_desc = blob;
    *export_desc_len = len;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_legacy_mmap_import(const char *name,
                                                 const union doca_data *user_data,
                                                 const void *export_desc, size_t export_desc_len,
                                                 struct doca_dev *dev,
                                                 struct doca_core_legacy_mmap **mmap,
                                                 const char *function)
{
    doca_error_t rc =
        doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, export_desc != NULL ? mmap : NULL, function);
    struct doca_core_legacy_mmap *m = NULL;
    struct doca_mmap *chunk = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_legacy_mmap_make(name, user_data, &m, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_core_legacy_mmap_start(m);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_mmap_import(dev->info.arena, NULL, export_desc, export_desc_len, dev, &chunk,
                                   function);
    if (rc != DOCA_SUCCESS) {
        (void)doca_core_legacy_mmap_destroy(m);
        return rc;
    }
    chunk->obj.owner = DOCA_PRIV_OF_LEGACY;
    chunk->user_data.ptr = m;
    m->chunks[m->num_chunks++] = chunk;
    m->devs[m->num_devs++] = dev;
    doca_priv_dev_hold(dev);
    m->is_imported = true;
    m->flags = (chunk->access & DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) != 0
                   ? DOCA_MMAP_ACCESS_LOCAL_WRITE
                   : DOCA_MMAP_ACCESS_LOCAL_READ;
    *mmap = m;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_from_export(
    const char *name, const void *export_desc, size_t export_desc_len, struct doca_dev *dev,
    struct doca_core_legacy_mmap **mmap)
{
    return doca_priv_legacy_mmap_import(name, NULL, export_desc, export_desc_len, dev, mmap,
                                        __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_from_export_15(
    const union doca_data *user_data, const void *export_desc, size_t export_desc_len,
    struct doca_dev *dev, struct doca_core_legacy_mmap **mmap)
{
    return doca_priv_legacy_mmap_import(NULL, user_data, export_desc, export_desc_len, dev, mmap,
                                        __func__);
}

/* Take a buf, where the current mmap is the chunk that `addr` is in. */
static doca_error_t doca_priv_legacy_buf_get(struct doca_buf_inventory *inventory,
                                             struct doca_core_legacy_mmap *mmap, void *addr,
                                             size_t len, void *data, size_t data_len,
                                             struct doca_buf **buf, const char *function)
{
    uint32_t at;

    if (doca_unlikely(!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP)))
        return doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, NULL, function);
    if (doca_unlikely(mmap->obj.state != DOCA_PRIV_STARTED))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_MMAP_NOT_STARTED, function,
                              mmap);
    at = doca_priv_chunk_find(mmap, addr);
    if (doca_unlikely(at == mmap->num_chunks))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_RANGE_OUTSIDE, function,
                              mmap);
    return doca_priv_inventory_get(inventory, mmap->chunks[at], addr, len, data, data_len, buf,
                                   function);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_addr(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *addr, size_t len,
                                                           struct doca_buf **buf)
{
    return doca_priv_legacy_buf_get(inventory, mmap, addr, len, addr, 0, buf, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_data(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *data, size_t data_len,
                                                           struct doca_buf **buf)
{
    return doca_priv_legacy_buf_get(inventory, mmap, data, data_len, data, data_len, buf,
                                    __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_args(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *addr, size_t len, void *data,
                                                           size_t data_len, struct doca_buf **buf)
{
    return doca_priv_legacy_buf_get(inventory, mmap, addr, len, data, data_len, buf, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_buf_dup(
    struct doca_buf_inventory *inventory, const struct doca_buf *src_buf, struct doca_buf **dst_buf)
{
    DOCA_PRIV_OPEN(src_buf)
    const struct doca_core_legacy_mmap *mmap;
    const struct doca_buf *buf;

    if (doca_priv_is_buf(src_buf) && src_buf->flags != 0) { /* the others are refused below */
        for (buf = src_buf; buf != NULL; buf = buf->next) {
            if (buf->mmap->obj.owner != DOCA_PRIV_OF_LEGACY)
                continue;
            mmap = (const struct doca_core_legacy_mmap *)buf->mmap->user_data.ptr;
            if (mmap->obj.state != DOCA_PRIV_STARTED)
                return DOCA_PRIV_FAIL(BAD_STATE, MMAP_NOT_STARTED, mmap);
        }
    }
    return doca_buf_inventory_buf_dup(inventory, src_buf, dst_buf);
}

/* ---- >>impl.property ------------------------------------------------------------------------
 * Also the inventories, which have little more. What an inventory of 1.x is beyond that of
 * doca_core.h its user_data points to, and obj.owner says so.                                   */

struct doca_priv_legacy_label {
    uint32_t extensions;
    union doca_data user_data;
    char name[DOCA_CORE_LEGACY_NAME_BYTES];
};

/* Write `bytes` of `from` and zeros behind them. */
static doca_error_t doca_priv_property_put(void *value, uint32_t size, const void *from,
                                           size_t bytes, const char *function)
{
    if (size < bytes)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_LEGACY_PROPERTY, function,
                              NULL);
    DOCA_CORE_MEMSET(value, 0, size);
    DOCA_CORE_MEMCPY(value, from, bytes);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_property_put_32(void *value, uint32_t size, uint32_t number,
                                              const char *function)
{
    return doca_priv_property_put(value, size, &number, sizeof(number), function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_buf_inventory(size_t num_elements,
                                                                 size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_stock_carve(&count, num_elements, &block, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(&count, sizeof(struct doca_priv_legacy_label), &block, __func__);
    return doca_priv_counted(&count, rc, bytes, __func__);
}

static doca_error_t doca_priv_legacy_inventory_make(const char *name,
                                                    const union doca_data *user_data,
                                                    size_t num_elements, uint32_t extensions,
                                                    struct doca_buf_inventory **inventory,
                                                    const char *function)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    struct doca_buf_inventory *made = NULL;
    struct doca_priv_legacy_label *label;
    void *block = NULL;
    doca_error_t rc;

    if (inventory == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    if ((extensions & ~(uint32_t)DOCA_BUF_EXTENSION_LINKED_LIST) != 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_LEGACY_PROPERTY, function,
                              NULL);
    rc = doca_priv_inventory_create(arena, num_elements, &made, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_object_take(arena, sizeof(*label), &block, function);
    if (rc != DOCA_SUCCESS) {
        (void)doca_buf_inventory_destroy(made);
        return rc;
    }
    label = (struct doca_priv_legacy_label *)block;
    label->extensions = extensions;
    if (user_data != NULL)
        label->user_data = *user_data;
    doca_priv_legacy_name(label->name, name);
    made->stock.obj.owner = DOCA_PRIV_OF_LEGACY;
    made->stock.user_data.ptr = label;
    *inventory = made;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_create(
    const char *name, size_t num_elements, uint32_t extensions,
    struct doca_buf_inventory **buf_inventory)
{
    return doca_priv_legacy_inventory_make(name, NULL, num_elements, extensions, buf_inventory,
                                           __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_create_15(
    const union doca_data *user_data, size_t num_elements, uint32_t extensions,
    struct doca_buf_inventory **buf_inventory)
{
    return doca_priv_legacy_inventory_make(NULL, user_data, num_elements, extensions, buf_inventory,
                                           __func__);
}

/* NULL for an inventory of today's. */
static struct doca_priv_legacy_label *doca_priv_legacy_label_of(
    const struct doca_buf_inventory *inventory)
{
    return inventory->stock.obj.owner == DOCA_PRIV_OF_LEGACY
               ? (struct doca_priv_legacy_label *)inventory->stock.user_data.ptr
               : NULL;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_destroy(
    struct doca_buf_inventory *inventory)
{
    struct doca_core_arena *arena;
    uint32_t owner;
    void *label;
    doca_error_t rc;

    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    arena = inventory->stock.arena;
    label = doca_priv_legacy_label_of(inventory);
    owner = inventory->stock.obj.owner;
    inventory->stock.obj.owner = 0; /* today's call refuses those of 1.x */
    rc = doca_buf_inventory_destroy(inventory);
    if (rc == DOCA_ERROR_IN_USE)
        inventory->stock.obj.owner = owner;
    else
        DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(arena, label));
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_get_user_data(
    const struct doca_buf_inventory *inventory, union doca_data *user_data)
{
    doca_error_t rc =
        doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, user_data, __func__);
    const struct doca_priv_legacy_label *label;

    if (rc != DOCA_SUCCESS)
        return rc;
    label = doca_priv_legacy_label_of(inventory);
    *user_data = label != NULL ? label->user_data : inventory->stock.user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_set_user_data(
    struct doca_buf_inventory *inventory, union doca_data user_data)
{
    struct doca_priv_legacy_label *label;

    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    label = doca_priv_legacy_label_of(inventory);
    if (label != NULL)
        label->user_data = user_data;
    else
        inventory->stock.user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_property_set(
    struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property,
    const void *value, uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, value, __func__);

    (void)size;
    if (rc != DOCA_SUCCESS)
        return rc;
    if ((unsigned)property > DOCA_BUF_INVENTORY_EXTENSIONS)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, inventory);
    return DOCA_PRIV_FAIL(NOT_PERMITTED, LEGACY_READ_ONLY, inventory);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_property_get(
    struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property, void *value,
    uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, value, __func__);
    const struct doca_priv_legacy_label *label;
    const char *name;

    if (rc != DOCA_SUCCESS)
        return rc;
    label = doca_priv_legacy_label_of(inventory);
    switch ((int)property) {
    case DOCA_BUF_INVENTORY_NAME:
        name = label != NULL ? label->name : "";
        return doca_priv_property_put(value, size, name, doca_priv_str_len(name) + 1, __func__);
    case DOCA_BUF_INVENTORY_NUM_ELEMENTS:
        return doca_priv_property_put_32(value, size, inventory->stock.num, __func__);
    case DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS:
        return doca_priv_property_put_32(value, size, inventory->stock.num_free, __func__);
    case DOCA_BUF_INVENTORY_EXTENSIONS:
        return doca_priv_property_put_32(value, size, label != NULL ? label->extensions : 0,
                                         __func__);
    default:
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, inventory);
    }
}

static doca_error_t doca_priv_mmap_property_set(struct doca_core_legacy_mmap *mmap,
                                                enum doca_mmap_property property,
                                                const void *value, uint32_t size,
                                                const char *function)
{
    const uint32_t all_flags = 2 * (uint32_t)DOCA_MMAP_ACCESS_REMOTE_ATOMIC - 1;
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, value, function);
    enum doca_core_item item = DOCA_CORE_ITEM_LEGACY_PROPERTY;
    uint32_t number;

    if (rc != DOCA_SUCCESS)
        return rc;
    if ((unsigned)property > DOCA_MMAP_ACCESS_FLAGS)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, mmap);
    if (property != DOCA_MMAP_MAX_NUM_CHUNKS && property != DOCA_MMAP_MAX_NUM_DEVICES &&
        property != DOCA_MMAP_ACCESS_FLAGS)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_LEGACY_READ_ONLY, function,
                              mmap);
    if (size != sizeof(number))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, mmap);
    DOCA_CORE_MEMCPY(&number, value, sizeof(number));
    if (property == DOCA_MMAP_ACCESS_FLAGS ? (number & ~all_flags) != 0 : number == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, mmap);
    if (mmap->was_started)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_LEGACY_FIXED, function,
                              mmap);
    if (property == DOCA_MMAP_MAX_NUM_CHUNKS)
        mmap->max_chunks = number;
    else if (property == DOCA_MMAP_MAX_NUM_DEVICES)
        mmap->max_devs = number;
    else
        mmap->flags = number;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_mmap_property_get(const struct doca_core_legacy_mmap *mmap,
                                                enum doca_mmap_property property, void *value,
                                                uint32_t size, const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, value, function);
    uint8_t flag;

    if (rc != DOCA_SUCCESS)
        return rc;
    switch ((int)property) {
    case DOCA_MMAP_NAME:
        return doca_priv_property_put(value, size, mmap->name, doca_priv_str_len(mmap->name) + 1,
                                      function);
    case DOCA_MMAP_MAX_NUM_CHUNKS:
        return doca_priv_property_put_32(value, size, mmap->max_chunks, function);
    case DOCA_MMAP_MAX_NUM_DEVICES:
        return doca_priv_property_put_32(value, size, mmap->max_devs, function);
    case DOCA_MMAP_NUM_BUFS:
        return doca_priv_property_put_32(value, size, doca_priv_legacy_num_bufs(mmap), function);
    case DOCA_MMAP_EXPORTED:
    case DOCA_MMAP_FROM_EXPORT:
        flag = (property == DOCA_MMAP_EXPORTED ? mmap->is_exported : mmap->is_imported) ? 1 : 0;
        return doca_priv_property_put(value, size, &flag, sizeof(flag), function);
    case DOCA_MMAP_ACCESS_FLAGS:
        return doca_priv_property_put_32(value, size, mmap->flags, function);
    default:
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_LEGACY_PROPERTY, function,
                              mmap);
    }
}

DOCA_CORE_DECL doca_error_t doca_mmap_property_set(struct doca_core_legacy_mmap *mmap,
                                                   enum doca_mmap_property property,
                                                   const void *value, uint32_t size)
{
    return doca_priv_mmap_property_set(mmap, property, value, size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_property_get(struct doca_core_legacy_mmap *mmap,
                                                   enum doca_mmap_property property, void *value,
                                                   uint32_t size)
{
    return doca_priv_mmap_property_get(mmap, property, value, size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_max_num_chunks(struct doca_core_legacy_mmap *mmap,
                                                         uint32_t max_num_chunks)
{
    return doca_priv_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &max_num_chunks,
                                       sizeof(max_num_chunks), __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_max_num_chunks(struct doca_core_legacy_mmap *mmap,
                                                         uint32_t *max_num_chunks)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, max_num_chunks,
                                       sizeof(*max_num_chunks), __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_max_num_devices(
    struct doca_core_legacy_mmap *mmap, uint32_t max_num_devices)
{
    return doca_priv_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_DEVICES, &max_num_devices,
                                       sizeof(max_num_devices), __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_max_num_devices(
    struct doca_core_legacy_mmap *mmap, uint32_t *max_num_devices)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_MAX_NUM_DEVICES, max_num_devices,
                                       sizeof(*max_num_devices), __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_num_bufs(struct doca_core_legacy_mmap *mmap,
                                                               uint32_t *num_bufs)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_NUM_BUFS, num_bufs, sizeof(*num_bufs),
                                       __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_exported(struct doca_core_legacy_mmap *mmap,
                                                               uint8_t *exported)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_EXPORTED, exported, sizeof(*exported),
                                       __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_from_export(
    struct doca_core_legacy_mmap *mmap, uint8_t *from_export)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_FROM_EXPORT, from_export,
                                       sizeof(*from_export), __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_user_data(struct doca_core_legacy_mmap *mmap,
                                                                union doca_data *user_data)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = mmap->user_data;
    return rc;
}

/* ---- >>impl.ctx -----------------------------------------------------------------------------
 * A context is little more than its device: each link to a work queue has an engine of its own,
 * which lives in the thread of the queue. The lock guards state, device and number of links.    */

struct doca_core_legacy_ctx {
    struct doca_priv_object obj;
    uint32_t lock;
    uint32_t num_links;
    struct doca_dev *dev;
    struct doca_core_arena *arena;
};

struct doca_core_legacy_dma {
    struct doca_core_legacy_ctx ctx;
};

struct doca_priv_link {
    struct doca_core_legacy_ctx *ctx;
    struct doca_dma *dma;
    struct doca_priv_link *next; /* of the same work queue */
    uint32_t num_jobs;           /* whose events were not retrieved */
};

struct doca_priv_happening { /* an event on its way out; of a job, or of an instance */
    struct doca_event event;
    struct doca_priv_happening *next;
    struct doca_priv_job *job;
    struct doca_core_legacy_graph_instance *instance;
};

struct doca_priv_job { /* a slot of a work queue */
    struct doca_buf src; /* what the engine sees: the window that the job means, */
    struct doca_buf dst;
    struct doca_buf *held_src; /* and the program's own buffers */
    struct doca_buf *held_dst; /* NULL: the job is not in flight */
    struct doca_workq *workq;
    struct doca_priv_link *link;
    struct doca_priv_run *run; /* the node it works for; NULL: for itself */
    struct doca_priv_job *next; /* while free */
    struct doca_priv_happening end;
};

struct doca_workq {
    struct doca_priv_object obj;
    uint32_t depth;
    uint32_t num_free;
    bool is_event_driven;
    struct doca_core_arena *arena;
    struct doca_pe *pe;
    struct doca_priv_link *links;
    struct doca_priv_graph_link *graphs;
    struct doca_priv_job *jobs; /* all, in one block */
    struct doca_priv_job *free_jobs;
    struct doca_priv_happening *events; /* the oldest first */
    struct doca_priv_happening *last_event;
    struct doca_priv_run *turns; /* nodes that can begin, the oldest first */
    struct doca_priv_run *last_turn;
    struct doca_priv_run *calling; /* whose function runs */
};

static void doca_priv_job_ended(struct doca_dma_task_memcpy *task, union doca_data data,
                                union doca_data unused);

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_dma(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_core_legacy_dma), bytes, __func__);
}

/* How many tasks a link to a work queue of this depth has. */
static uint32_t doca_priv_link_tasks(const struct doca_dev *dev, uint32_t depth)
{
    uint32_t most = dev->info.attr.limits.dma_max_num_tasks;

    return depth < most ? depth : most;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_ctx_workq(struct doca_dev *dev, uint32_t depth,
                                                             size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    size_t dma_bytes = 0;

    if (rc == DOCA_SUCCESS)
        rc = doca_core_bytes_dma(dev, doca_priv_link_tasks(dev, depth), &dma_bytes);
    if (rc == DOCA_SUCCESS)
        *bytes = dma_bytes + DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_priv_link));
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_dma_create(struct doca_core_legacy_dma **dma)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    void *block = NULL;
    doca_error_t rc;

    if (dma == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    rc = doca_priv_object_take(arena, sizeof(**dma), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    *dma = (struct doca_core_legacy_dma *)block;
    doca_priv_object_init(&(*dma)->ctx.obj, DOCA_PRIV_KIND_LEGACY_DMA);
    (*dma)->ctx.arena = arena;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_dma_destroy(struct doca_core_legacy_dma *dma)
{
    if (!doca_priv_is(dma, DOCA_PRIV_KIND_LEGACY_DMA))
        return DOCA_PRIV_FAIL_HANDLE(dma);
    if (dma->ctx.dev != NULL)
        return DOCA_PRIV_FAIL(IN_USE, LEGACY_CTX_DEV, dma);
    return doca_priv_object_give(dma->ctx.arena, &dma->ctx.obj);
}

DOCA_CORE_DECL struct doca_core_legacy_ctx *doca_core_legacy_dma_as_ctx(
    struct doca_core_legacy_dma *dma)
{
    return dma != NULL ? &dma->ctx : NULL;
}

DOCA_CORE_DECL doca_error_t doca_dma_devinfo_caps_get(struct doca_devinfo *devinfo, uint32_t *caps)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, caps, __func__);

    if (rc == DOCA_SUCCESS)
        *caps = doca_priv_dma_is_supported(&devinfo->attr.limits) ? DOCA_DMA_CAP_HW_OFFLOAD
                                                                  : DOCA_DMA_CAP_NONE;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dma_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo,
                                                               uint32_t *max_list_num_elem)
{
    return doca_dma_cap_task_memcpy_get_max_buf_list_len(devinfo, max_list_num_elem);
}

DOCA_CORE_DECL doca_error_t doca_dma_get_max_buf_size(const struct doca_devinfo *devinfo,
                                                      uint64_t *buf_size)
{
    return doca_dma_cap_task_memcpy_get_max_buf_size(devinfo, buf_size);
}

DOCA_CORE_DECL doca_error_t doca_dma_job_get_supported(struct doca_devinfo *devinfo,
                                                       enum doca_dma_job_types job_type)
{
    if (job_type != DOCA_DMA_JOB_MEMCPY && job_type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, JOB_TYPE, NULL);
    return doca_dma_cap_task_memcpy_is_supported(devinfo);
}

DOCA_CORE_DECL doca_error_t doca_ctx_dev_add(struct doca_core_legacy_ctx *ctx, struct doca_dev *dev)
{
    enum doca_core_item item = DOCA_CORE_ITEM_LEGACY_CTX_DEV;
    doca_error_t rc = DOCA_ERROR_NOT_SUPPORTED;

    if (!doca_priv_is(ctx, DOCA_PRIV_KIND_LEGACY_DMA))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    doca_priv_lock(&ctx->lock);
    if (ctx->obj.state == DOCA_PRIV_STARTED) {
        rc = DOCA_ERROR_BAD_STATE;
        item = DOCA_CORE_ITEM_CTX_NOT_IDLE;
    } else if (ctx->dev == dev) {
        rc = DOCA_ERROR_IN_USE;
    } else if (!doca_priv_dma_is_supported(&dev->info.attr.limits)) {
        item = DOCA_CORE_ITEM_CTX_UNSUITABLE;
    } else if (ctx->dev == NULL) {
        ctx->dev = dev;
        doca_priv_dev_hold(dev);
        rc = DOCA_SUCCESS;
    }
    doca_priv_unlock(&ctx->lock);
    return rc == DOCA_SUCCESS ? rc : doca_priv_fail(rc, item, __func__, ctx);
}

DOCA_CORE_DECL doca_error_t doca_ctx_dev_rm(struct doca_core_legacy_ctx *ctx, struct doca_dev *dev)
{
    enum doca_core_item item = DOCA_CORE_ITEM_LEGACY_CTX_NO_DEV;
    doca_error_t rc = DOCA_ERROR_NOT_FOUND;

    if (!doca_priv_is(ctx, DOCA_PRIV_KIND_LEGACY_DMA))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    doca_priv_lock(&ctx->lock);
    if (ctx->obj.state == DOCA_PRIV_STARTED) {
        rc = DOCA_ERROR_BAD_STATE;
        item = DOCA_CORE_ITEM_CTX_NOT_IDLE;
    } else if (ctx->dev == dev) {
        ctx->dev = NULL;
        doca_priv_dev_drop(dev);
        rc = DOCA_SUCCESS;
    }
    doca_priv_unlock(&ctx->lock);
    return rc == DOCA_SUCCESS ? rc : doca_priv_fail(rc, item, __func__, ctx);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_ctx_start(struct doca_core_legacy_ctx *ctx)
{
    enum doca_core_item item = DOCA_CORE_ITEM_CTX_NOT_IDLE;
    doca_error_t rc = DOCA_ERROR_BAD_STATE;

    if (!doca_priv_is(ctx, DOCA_PRIV_KIND_LEGACY_DMA))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    doca_priv_lock(&ctx->lock);
    if (ctx->obj.state != DOCA_PRIV_STARTED) {
        rc = ctx->dev != NULL ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
        item = DOCA_CORE_ITEM_LEGACY_CTX_NO_DEV;
        if (rc == DOCA_SUCCESS)
            ctx->obj.state = DOCA_PRIV_STARTED;
    }
    doca_priv_unlock(&ctx->lock);
    return rc == DOCA_SUCCESS ? rc : doca_priv_fail(rc, item, __func__, ctx);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_ctx_stop(struct doca_core_legacy_ctx *ctx)
{
    bool is_free;

    if (!doca_priv_is(ctx, DOCA_PRIV_KIND_LEGACY_DMA))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    doca_priv_lock(&ctx->lock);
    is_free = ctx->num_links == 0;
    if (is_free)
        ctx->obj.state = DOCA_PRIV_STOPPED;
    doca_priv_unlock(&ctx->lock);
    return is_free ? DOCA_SUCCESS : DOCA_PRIV_FAIL(NOT_PERMITTED, WORKQ_ADDED, ctx);
}

/* Is the context started? `by` more links keep it so. */
static bool doca_priv_legacy_ctx_enlist(struct doca_core_legacy_ctx *ctx, uint32_t by)
{
    bool is_started;

    doca_priv_lock(&ctx->lock);
    is_started = ctx->obj.state == DOCA_PRIV_STARTED;
    if (is_started)
        ctx->num_links += by;
    doca_priv_unlock(&ctx->lock);
    return is_started;
}

static void doca_priv_legacy_ctx_dismiss(struct doca_core_legacy_ctx *ctx)
{
    doca_priv_lock(&ctx->lock);
    ctx->num_links--;
    doca_priv_unlock(&ctx->lock);
}

static struct doca_priv_link **doca_priv_link_find(struct doca_workq *workq,
                                                   const struct doca_core_legacy_ctx *ctx)
{
    struct doca_priv_link **link;

    for (link = &workq->links; *link != NULL && (*link)->ctx != ctx; link = &(*link)->next) {
    }
    return link;
}

/* Make a running engine for the link, or nothing. */
static doca_error_t doca_priv_link_open(struct doca_priv_link *link, struct doca_workq *workq,
                                        const char *function)
{
    struct doca_dev *dev = link->ctx->dev;
    doca_error_t rc = doca_priv_dma_create(workq->arena, dev, &link->dma, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_PRIV_CHECKED((void)doca_priv_check_open(&link->dma);)
    rc = doca_dma_task_memcpy_set_conf(link->dma, doca_priv_job_ended, doca_priv_job_ended,
                                       doca_priv_link_tasks(dev, workq->depth));
    if (rc == DOCA_SUCCESS)
        rc = doca_pe_connect_ctx(workq->pe, &link->dma->ctx);
    if (rc == DOCA_SUCCESS)
        rc = doca_ctx_start(&link->dma->ctx);
    if (rc == DOCA_ERROR_IN_PROGRESS) {
        while (link->dma->ctx.obj.state == DOCA_CTX_STATE_STARTING)
            (void)doca_pe_progress(workq->pe);
        rc = link->dma->ctx.obj.state == DOCA_CTX_STATE_RUNNING ? DOCA_SUCCESS
                                                                : DOCA_ERROR_INITIALIZATION;
    }
    if (rc != DOCA_SUCCESS)
        (void)doca_dma_destroy(link->dma);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_ctx_workq_add(struct doca_core_legacy_ctx *ctx,
                                               struct doca_workq *workq)
{
    struct doca_priv_link *link;
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is(ctx, DOCA_PRIV_KIND_LEGACY_DMA))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (*doca_priv_link_find(workq, ctx) != NULL)
        return DOCA_PRIV_FAIL(IN_USE, WORKQ_ADDED, ctx);
    if (!doca_priv_legacy_ctx_enlist(ctx, 1))
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_RUNNING, ctx);
    rc = doca_priv_object_take(workq->arena, sizeof(*link), &block, __func__);
    if (rc == DOCA_SUCCESS) {
        link = (struct doca_priv_link *)block;
        link->ctx = ctx;
        rc = doca_priv_link_open(link, workq, __func__);
        if (rc == DOCA_SUCCESS) {
            link->next = workq->links;
            workq->links = link;
            return DOCA_SUCCESS;
        }
        (void)doca_core_arena_give(workq->arena, link);
    }
    doca_priv_legacy_ctx_dismiss(ctx);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_ctx_workq_rm(struct doca_core_legacy_ctx *ctx,
                                              struct doca_workq *workq)
{
    struct doca_priv_link **at, *link;
    doca_error_t rc;

    if (!doca_priv_is(ctx, DOCA_PRIV_KIND_LEGACY_DMA))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (!doca_priv_legacy_ctx_enlist(ctx, 0))
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_RUNNING, ctx);
    at = doca_priv_link_find(workq, ctx);
    link = *at;
    if (link == NULL)
        return DOCA_PRIV_FAIL(NOT_FOUND, WORKQ_NOT_ADDED, ctx);
    if (link->num_jobs > 0)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, WORKQ_PENDING, workq);
    if (workq->graphs != NULL)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, WORKQ_HAS_GRAPHS, workq);
    *at = link->next;
    rc = doca_dma_destroy(link->dma);
    DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(workq->arena, link));
    doca_priv_legacy_ctx_dismiss(ctx);
    return rc;
}

/* ---- >>impl.workq ---------------------------------------------------------------------------
 * A slot is free, or has a job from submit until its event was retrieved; the job of a node gives
 * it back when it ends. An engine whose task failed has stopped, and is started anew by the last
 * task that is flushed behind it.                                                               */

static void doca_priv_graph_turn(struct doca_workq *workq);
static void doca_priv_graph_calls_off(struct doca_workq *workq);
static void doca_priv_run_job_ended(struct doca_priv_run *run, doca_error_t status,
                                    union doca_data user_data);
static void doca_priv_graph_retrieved(struct doca_core_legacy_graph_instance *instance);

static doca_error_t doca_priv_workq_carve(struct doca_core_arena *arena, uint32_t depth,
                                          void **block, const char *function)
{
    return doca_priv_object_take(arena, doca_priv_size(depth, sizeof(struct doca_priv_job), 0),
                                 block, function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_workq(uint32_t depth, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_object_take(&count, sizeof(struct doca_workq), &block, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_workq_carve(&count, depth, &block, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(&count, sizeof(struct doca_pe), &block, __func__);
    return doca_priv_counted(&count, rc, bytes, __func__);
}

/* Take `depth` slots, all free, in place of those there are. */
static doca_error_t doca_priv_workq_stock_up(struct doca_workq *workq, uint32_t depth,
                                             const char *function)
{
    void *block = NULL;
    doca_error_t rc = doca_priv_workq_carve(workq->arena, depth, &block, function);
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    (void)doca_core_arena_give(workq->arena, workq->jobs);
    workq->jobs = (struct doca_priv_job *)block;
    workq->free_jobs = workq->jobs;
    for (i = 0; i < depth; i++) {
        workq->jobs[i].workq = workq;
        workq->jobs[i].end.job = &workq->jobs[i];
        workq->jobs[i].next = i + 1 < depth ? &workq->jobs[i + 1] : NULL;
    }
    workq->depth = depth;
    workq->num_free = depth;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_workq_create(uint32_t depth, struct doca_workq **workq)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    struct doca_workq *q;
    void *block = NULL;
    doca_error_t rc;

    if (workq == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (depth == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, NULL);
    rc = doca_priv_object_take(arena, sizeof(*q), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    q = (struct doca_workq *)block;
    q->arena = arena;
    rc = doca_priv_workq_stock_up(q, depth, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_pe_create(arena, &q->pe, __func__);
    if (rc != DOCA_SUCCESS) {
        (void)doca_core_arena_give(arena, q->jobs);
        (void)doca_core_arena_give(arena, q);
        return rc;
    }
    doca_priv_object_init(&q->obj, DOCA_PRIV_KIND_WORKQ);
    *workq = q;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_workq_destroy(struct doca_workq *workq)
{
    doca_error_t rc;

    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (workq->links != NULL || workq->graphs != NULL)
        return DOCA_PRIV_FAIL(IN_USE, WORKQ_ADDED, workq);
    rc = doca_pe_destroy(workq->pe);
    DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(workq->arena, workq->jobs));
    DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(workq->arena, &workq->obj));
    return rc;
}

static doca_error_t doca_priv_workq_set_depth(struct doca_workq *workq, uint32_t depth,
                                              const char *function)
{
    if (depth == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, workq);
    if (workq->links != NULL || workq->graphs != NULL)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_WORKQ_ADDED, function, workq);
    return doca_priv_workq_stock_up(workq, depth, function);
}

DOCA_CORE_DECL doca_error_t doca_workq_property_set(struct doca_workq *workq,
                                                    enum doca_workq_property property,
                                                    const void *value, uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, value, __func__);
    uint32_t depth;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (property != DOCA_WORKQ_DEPTH || size != sizeof(depth))
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, workq);
    DOCA_CORE_MEMCPY(&depth, value, sizeof(depth));
    return doca_priv_workq_set_depth(workq, depth, __func__);
}

DOCA_CORE_DECL doca_error_t doca_workq_property_get(const struct doca_workq *workq,
                                                    enum doca_workq_property property, void *value,
                                                    uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, value, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (property != DOCA_WORKQ_DEPTH)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, workq);
    return doca_priv_property_put_32(value, size, workq->depth, __func__);
}

DOCA_CORE_DECL doca_error_t doca_workq_set_depth(struct doca_workq *workq, uint32_t depth)
{
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    return doca_priv_workq_set_depth(workq, depth, __func__);
}

DOCA_CORE_DECL doca_error_t doca_workq_get_depth(const struct doca_workq *workq, uint32_t *depth)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, depth, __func__);

    if (rc == DOCA_SUCCESS)
        *depth = workq->depth;
    return rc;
}

/* Something was added that progress of the PE does not know of: wake who sleeps. */
static void doca_priv_workq_wake(struct doca_workq *workq)
{
    if (workq->pe->is_armed)
        (void)doca_priv_pe_signal(workq->pe, "doca_workq_submit");
}

static void doca_priv_workq_tell(struct doca_workq *workq, struct doca_priv_happening *end)
{
    end->next = NULL;
    if (workq->events == NULL)
        workq->events = end;
    else
        workq->last_event->next = end;
    workq->last_event = end;
}

static void doca_priv_job_free(struct doca_priv_job *job)
{
    struct doca_workq *workq = job->workq;

    job->link->num_jobs--;
    job->next = workq->free_jobs;
    workq->free_jobs = job;
    workq->num_free++;
}

/* What is wrong with one of its buffers; ITEM_NONE: nothing that submit looks at. */
static enum doca_core_item doca_priv_job_fault(const struct doca_buf *buf)
{
    return buf == NULL                                 ? DOCA_CORE_ITEM_TASK_NO_BUFFER
           : !doca_priv_is_buf(buf)                    ? DOCA_CORE_ITEM_DEAD_HANDLE
           : buf->flags == 0                           ? DOCA_CORE_ITEM_BUF_RETURNED
           : (buf->flags & DOCA_PRIV_BUF_INNER) != 0   ? DOCA_CORE_ITEM_BUF_NOT_HEAD
           : buf->refcount == UINT16_MAX               ? DOCA_CORE_ITEM_BUF_REFCOUNT_MAX
                                                       : DOCA_CORE_ITEM_NONE;
}

/* 0: the data of the source. */
static uint64_t doca_priv_job_bytes(const struct doca_dma_job_memcpy *copy)
{
    return copy->base.type == DOCA_DMA_JOB_MEMCPY ? copy->num_bytes_to_copy : 0;
}

/* May the job be submitted? Gives the link it goes through. */
static doca_error_t doca_priv_job_check(struct doca_workq *workq, const struct doca_job *job,
                                        struct doca_priv_link **link, const char *function)
{
    const struct doca_dma_job_memcpy *copy = (const struct doca_dma_job_memcpy *)(const void *)job;
    const struct doca_buf *src, *dst; /* of jobs of another type there are none */
    struct doca_core_legacy_ctx *ctx = job->ctx;
    enum doca_core_item item;

    *link = *doca_priv_link_find(workq, ctx);
    if (*link == NULL) {
        if (!doca_priv_is(ctx, DOCA_PRIV_KIND_LEGACY_DMA))
            return doca_priv_check_args(ctx, DOCA_PRIV_KIND_LEGACY_DMA, NULL, function);
        return doca_priv_legacy_ctx_enlist(ctx, 0)
                   ? doca_priv_fail(DOCA_ERROR_NOT_FOUND, DOCA_CORE_ITEM_WORKQ_NOT_ADDED, function,
                                    ctx)
                   : doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_RUNNING, function,
                                    ctx);
    }
    if (job->type != DOCA_DMA_JOB_MEMCPY && job->type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_JOB_TYPE, function, ctx);
    src = copy->src_buff;
    dst = copy->dst_buff;
    DOCA_PRIV_CHECKED((void)doca_priv_check_open(&src);)
    DOCA_PRIV_CHECKED((void)doca_priv_check_open(&dst);)
    item = doca_priv_job_fault(src);
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_job_fault(dst);
    if (item == DOCA_CORE_ITEM_NONE && src == dst && src->refcount == UINT16_MAX - 1)
        item = DOCA_CORE_ITEM_BUF_REFCOUNT_MAX; /* it is held twice */
    if (item == DOCA_CORE_ITEM_NONE && doca_priv_job_bytes(copy) > 0 &&
        (src->next != NULL ||
         doca_priv_job_bytes(copy) > (size_t)(src->end - src->data)))
        item = DOCA_CORE_ITEM_JOB_LENGTH;
    return item == DOCA_CORE_ITEM_NONE
               ? DOCA_SUCCESS
               : doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, workq);
}

/* Note in the slot what is to be copied, and hold the buffers. */
static void doca_priv_job_fill(struct doca_priv_job *job, const struct doca_dma_job_memcpy *copy)
{
    uint64_t bytes = doca_priv_job_bytes(copy);
    struct doca_buf *buf;

    job->held_src = (struct doca_buf *)(uintptr_t)copy->src_buff;
    job->held_dst = copy->dst_buff;
    DOCA_PRIV_CHECKED((void)doca_priv_check_open(&job->held_src);)
    DOCA_PRIV_CHECKED((void)doca_priv_check_open(&job->held_dst);)
    job->src = *job->held_src;
    if (bytes > 0)
        job->src.data_len = (size_t)bytes;
    job->dst = *job->held_dst;
    job->dst.data_len = 0;
    for (buf = job->dst.next; buf != NULL; buf = buf->next)
        buf->data_len = 0;
    job->held_src->refcount++;
    job->held_dst->refcount++;
    job->end.event.type = copy->base.type;
    job->end.event.user_data = copy->base.user_data;
}

static void doca_priv_job_release(struct doca_priv_job *job)
{
    (void)doca_buf_dec_refcount(job->held_src, NULL);
    (void)doca_buf_dec_refcount(job->held_dst, NULL);
    job->held_dst = NULL;
}

/* Is there a job in flight to that list? The slots have copies of its head, but the lengths behind
 * it are those of the first job until it ends, for a device may look at them at any time. */
static bool doca_priv_workq_fills(const struct doca_workq *workq, const struct doca_buf *dst)
{
    DOCA_PRIV_OPEN(dst)
    uint32_t i;

    for (i = 0; dst->next != NULL && i < workq->depth; i++)
        if (workq->jobs[i].held_dst == dst)
            return true;
    return false;
}

/* Submit a job that was checked; for a node, or NULL. */
static doca_error_t doca_priv_job_post(struct doca_workq *workq, struct doca_priv_link *link,
                                       const struct doca_job *base, struct doca_priv_run *run,
                                       const char *function)
{
    const struct doca_dma_job_memcpy *copy = (const struct doca_dma_job_memcpy *)(const void *)base;
    struct doca_ctx *ctx = &link->dma->ctx;
    struct doca_priv_job *job = workq->free_jobs;
    struct doca_dma_task_memcpy *t;
    struct doca_task *task = NULL;
    doca_error_t rc;

    if (doca_unlikely(ctx->obj.state == DOCA_CTX_STATE_IDLE)) /* no memory when it last failed */
        (void)doca_ctx_start(ctx);
    if (job == NULL || ctx->obj.state != DOCA_CTX_STATE_RUNNING ||
        !doca_priv_ctx_has_task(ctx, 0))
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_WORKQ_FULL, function, workq);
    if (doca_unlikely(doca_priv_workq_fills(workq, copy->dst_buff)))
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_JOB_LIST_BUSY, function, workq);
    rc = doca_priv_task_take(ctx, 0, &task, function);
    if (rc != DOCA_SUCCESS) /* in the checked mode another thread may be inside */
        return rc;
    doca_priv_job_fill(job, copy);
    t = (struct doca_dma_task_memcpy *)(void *)task;
    t->task.user_data.ptr = job;
    t->src = &job->src;
    t->dst = &job->dst;
    (void)doca_priv_task_keep(task); /* its buffers are there; where the device has no room now, it
                                      * follows in progress, for their lengths are overwritten */
    doca_priv_ctx_tell(ctx, false);
    workq->free_jobs = job->next;
    workq->num_free--;
    job->link = link;
    job->run = run;
    link->num_jobs++;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_workq_submit(struct doca_workq *workq, struct doca_job const *job)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, job, __func__);
    struct doca_priv_link *link = NULL;

    if (doca_likely(rc == DOCA_SUCCESS))
        rc = doca_priv_job_check(workq, job, &link, __func__);
    return rc != DOCA_SUCCESS ? rc : doca_priv_job_post(workq, link, job, NULL, __func__);
}

/* The callback of all tasks. */
static void doca_priv_job_ended(struct doca_dma_task_memcpy *task, union doca_data data,
                                union doca_data unused)
{
    DOCA_PRIV_OPEN(task)
    struct doca_priv_job *job = (struct doca_priv_job *)data.ptr;
    struct doca_ctx *ctx = task->task.ctx;
    struct doca_workq *workq = job->workq;
    struct doca_priv_run *run = job->run;
    doca_error_t status = (doca_error_t)task->task.status;

    (void)unused;
    doca_task_free(&task->task);
    if (doca_likely(status == DOCA_SUCCESS)) {
        job->held_dst->data = job->dst.data;
        job->held_dst->data_len = job->dst.data_len;
    } else if (job->dst.next != NULL) {
        job->held_dst->data_len = 0; /* as submit left those behind it */
    }
    doca_priv_job_release(job);
    if (doca_unlikely(ctx->obj.state == DOCA_CTX_STATE_STOPPING) && ctx->num_out == 0) {
        /* what progress would do next */
        doca_priv_ctx_enter_idle(ctx, "doca_workq_progress_retrieve");
        (void)doca_ctx_start(ctx);
    }
    job->end.event.result.u64 = (uint64_t)status;
    if (run == NULL) {
        doca_priv_workq_tell(workq, &job->end);
        return;
    }
    doca_priv_job_free(job);
    doca_priv_run_job_ended(run, status, job->end.event.user_data);
}

DOCA_CORE_DECL doca_error_t doca_workq_progress_retrieve(struct doca_workq *workq,
                                                         struct doca_event *ev, int flags)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, ev, __func__);
    struct doca_priv_happening *end;

    (void)flags;
    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    if (doca_unlikely(workq->calling != NULL))
        doca_priv_graph_calls_off(workq);
    if (workq->events == NULL && workq->turns != NULL)
        doca_priv_graph_turn(workq);
    if (workq->events == NULL)
        (void)doca_pe_progress(workq->pe);
    end = workq->events;
    if (end == NULL)
        return DOCA_ERROR_AGAIN;
    workq->events = end->next;
    *ev = end->event;
    if (end->job != NULL)
        doca_priv_job_free(end->job);
    else
        doca_priv_graph_retrieved(end->instance);
    return ev->result.u64 == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

DOCA_CORE_DECL doca_error_t doca_workq_set_event_driven_enable(struct doca_workq *workq,
                                                               uint8_t enable)
{
    doca_event_handle_t handle;
    doca_error_t rc = DOCA_SUCCESS;

    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (workq->is_event_driven == (enable != 0))
        return DOCA_SUCCESS;
    if (workq->links != NULL || workq->graphs != NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_ADDED, workq);
    if (enable != 0)
        rc = doca_pe_get_notification_handle(workq->pe, &handle);
    if (rc == DOCA_SUCCESS)
        workq->is_event_driven = enable != 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_workq_get_event_driven_enable(struct doca_workq *workq,
                                                               uint8_t *enabled)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, enabled, __func__);

    if (rc == DOCA_SUCCESS)
        *enabled = workq->is_event_driven ? 1 : 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_workq_get_event_handle(struct doca_workq *workq,
                                                        doca_event_handle_t *handle)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, handle, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!workq->is_event_driven)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_POLLED, workq);
    return doca_pe_get_notification_handle(workq->pe, handle);
}

DOCA_CORE_DECL doca_error_t doca_workq_event_handle_arm(struct doca_workq *workq)
{
    doca_error_t rc;

    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (!workq->is_event_driven)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_POLLED, workq);
    rc = doca_pe_request_notification(workq->pe);
    if (rc == DOCA_SUCCESS && (workq->events != NULL || workq->turns != NULL))
        doca_priv_workq_wake(workq);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_workq_event_handle_clear(struct doca_workq *workq,
                                                          doca_event_handle_t handle)
{
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (!workq->is_event_driven)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_POLLED, workq);
    return doca_pe_clear_notification(workq->pe, handle);
}

/* ---- >>impl.graph ---------------------------------------------------------------------------
 * A graph is its nodes and edges; it is not compiled. An instance has a run per node, by index. */

struct doca_priv_legacy_edge {
    struct doca_core_legacy_graph_node *to;
    struct doca_priv_legacy_edge *next;
};

struct doca_core_legacy_graph_node {
    struct doca_priv_object obj; /* obj.state: DOCA_PRIV_NODE_* */
    uint32_t index;
    uint32_t num_parents;
    bool is_seen; /* by the search for a cycle, as is todo */
    int job_type;
    struct doca_core_legacy_graph *graph;
    struct doca_core_legacy_graph_node *next;
    struct doca_core_legacy_graph_node *todo;
    struct doca_priv_legacy_edge *children;
    struct doca_core_legacy_ctx *ctx; /* by the kind of node */
    doca_core_legacy_graph_user_node_cb_t user;
    struct doca_core_legacy_graph *sub_graph;
};

struct doca_core_legacy_graph {
    struct doca_priv_object obj;
    uint32_t lock; /* of the two numbers that several threads change */
    uint32_t num_instances;
    uint32_t num_queues;
    uint32_t num_nodes;
    uint32_t num_uses; /* nodes of other graphs that run it */
    struct doca_core_arena *arena;
    struct doca_core_legacy_graph_node *nodes;
    struct doca_core_legacy_graph_node *last_node;
};

struct doca_priv_graph_link { /* of a graph to a work queue */
    struct doca_core_legacy_graph *graph;
    struct doca_priv_graph_link *next;
    uint32_t num_runs; /* instances whose events were not retrieved */
};

struct doca_priv_run { /* a node of one instance */
    const struct doca_core_legacy_graph_node *node;
    struct doca_core_legacy_graph_instance *instance;
    void *data; /* job, cookie, or instance */
    struct doca_event *event;
    enum doca_graph_instance_node_state state;
    doca_error_t status;
    uint32_t num_pending;       /* parents that did not complete */
    struct doca_priv_run *next; /* among the turns */
};

struct doca_core_legacy_graph_instance { /* its runs follow */
    struct doca_priv_object obj;
    uint32_t num_open; /* nodes that had no turn yet, or have not ended */
    uint32_t num_uses; /* runs of other instances whose data it is */
    doca_error_t status;
    struct doca_core_legacy_graph *graph;
    struct doca_workq *workq;     /* NULL: is not submitted, by itself or in another one */
    struct doca_priv_run *parent; /* that it runs for; NULL: for itself */
    struct doca_core_legacy_graph_instance *chain; /* the next one of that submit */
    struct doca_priv_run *runs;
    struct doca_priv_happening end;
};

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_create(struct doca_core_legacy_graph **graph)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    void *block = NULL;
    doca_error_t rc;

    if (graph == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    rc = doca_priv_object_take(arena, sizeof(**graph), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    *graph = (struct doca_core_legacy_graph *)block;
    doca_priv_object_init(&(*graph)->obj, DOCA_PRIV_KIND_LEGACY_GRAPH);
    (*graph)->arena = arena;
    return DOCA_SUCCESS;
}

/* Why the graph cannot stop or go; ITEM_NONE: it can. */
static enum doca_core_item doca_priv_legacy_graph_hold(struct doca_core_legacy_graph *graph)
{
    enum doca_core_item item;

    doca_priv_lock(&graph->lock);
    item = graph->num_instances > 0 ? DOCA_CORE_ITEM_GRAPH_HAS_INSTANCES
           : graph->num_queues > 0  ? DOCA_CORE_ITEM_WORKQ_ADDED
           : graph->num_uses > 0    ? DOCA_CORE_ITEM_GRAPH_USED
                                    : DOCA_CORE_ITEM_NONE;
    doca_priv_unlock(&graph->lock);
    return item;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_destroy(struct doca_core_legacy_graph *graph)
{
    struct doca_core_legacy_graph_node *node;
    struct doca_priv_legacy_edge *edge;
    enum doca_core_item item;
    doca_error_t rc = DOCA_SUCCESS;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    item = doca_priv_legacy_graph_hold(graph);
    if (item != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, __func__, graph);
    while ((node = graph->nodes) != NULL) {
        graph->nodes = node->next;
        while ((edge = node->children) != NULL) {
            node->children = edge->next;
            DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(graph->arena, edge));
        }
        if (node->sub_graph != NULL)
            node->sub_graph->num_uses--;
        DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(graph->arena, &node->obj));
    }
    DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(graph->arena, &graph->obj));
    return rc;
}

/* Add a node of `kind`, whose work is the caller's to fill in. */
static doca_error_t doca_priv_legacy_node_make(struct doca_core_legacy_graph *graph, uint8_t kind,
                                               const void *work,
                                               struct doca_core_legacy_graph_node **node,
                                               const char *function)
{
    doca_error_t rc = doca_priv_check_args(graph, DOCA_PRIV_KIND_LEGACY_GRAPH,
                                           work != NULL ? (const void *)node : NULL, function);
    struct doca_core_legacy_graph_node *n;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (graph->obj.state == DOCA_PRIV_STARTED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_GRAPH_STARTED, function, graph);
    if (graph->num_nodes == UINT32_MAX)
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_GRAPH_TOO_MANY, function, graph);
    rc = doca_priv_object_take(graph->arena, sizeof(*n), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    n = (struct doca_core_legacy_graph_node *)block;
    doca_priv_object_init(&n->obj, DOCA_PRIV_KIND_LEGACY_NODE);
    n->obj.state = kind;
    n->index = graph->num_nodes++;
    n->graph = graph;
    if (graph->nodes == NULL)
        graph->nodes = n;
    else
        graph->last_node->next = n;
    graph->last_node = n;
    *node = n;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_ctx_node_create(struct doca_core_legacy_graph *graph,
                                                       int job_type,
                                                       const struct doca_core_legacy_ctx *ctx,
                                                       struct doca_core_legacy_graph_node **node)
{
    doca_error_t rc;

    if (!doca_priv_is(ctx, DOCA_PRIV_KIND_LEGACY_DMA))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (job_type != DOCA_DMA_JOB_MEMCPY && job_type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15)
        return DOCA_PRIV_FAIL(INVALID_VALUE, JOB_TYPE, ctx);
    rc = doca_priv_legacy_node_make(graph, DOCA_PRIV_NODE_CTX, ctx, node, __func__);
    if (rc == DOCA_SUCCESS) {
        (*node)->job_type = job_type;
        (*node)->ctx = (struct doca_core_legacy_ctx *)(uintptr_t)ctx;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_user_node_create(
    struct doca_core_legacy_graph *graph, doca_core_legacy_graph_user_node_cb_t cb,
    struct doca_core_legacy_graph_node **node)
{
    doca_error_t rc = doca_priv_legacy_node_make(graph, DOCA_PRIV_NODE_USER,
                                                 cb != NULL ? graph : NULL, node, __func__);

    if (rc == DOCA_SUCCESS)
        (*node)->user = cb;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_sub_graph_node_create(
    struct doca_core_legacy_graph *graph, struct doca_core_legacy_graph *sub_graph,
    struct doca_core_legacy_graph_node **node)
{
    doca_error_t rc;

    if (!doca_priv_is(sub_graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(sub_graph);
    if (sub_graph == graph)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_CYCLE, graph);
    if (sub_graph->obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NOT_STARTED, sub_graph);
    rc = doca_priv_legacy_node_make(graph, DOCA_PRIV_NODE_GRAPH, sub_graph, node, __func__);
    if (rc == DOCA_SUCCESS) {
        (*node)->sub_graph = sub_graph;
        sub_graph->num_uses++;
    }
    return rc;
}

/* Does `to` come after `from`, over any number of edges? */
static bool doca_priv_legacy_node_reaches(struct doca_core_legacy_graph *graph,
                                          struct doca_core_legacy_graph_node *from,
                                          const struct doca_core_legacy_graph_node *to)
{
    struct doca_core_legacy_graph_node *node, *todo = from;
    struct doca_priv_legacy_edge *edge;

    for (node = graph->nodes; node != NULL; node = node->next)
        node->is_seen = false;
    from->is_seen = true;
    from->todo = NULL;
    while (todo != NULL) {
        node = todo;
        todo = node->todo;
        if (node == to)
            return true;
        for (edge = node->children; edge != NULL; edge = edge->next) {
            if (!edge->to->is_seen) {
                edge->to->is_seen = true;
                edge->to->todo = todo;
                todo = edge->to;
            }
        }
    }
    return false;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_add_dependency(
    struct doca_core_legacy_graph *graph, struct doca_core_legacy_graph_node *from,
    struct doca_core_legacy_graph_node *to)
{
    struct doca_priv_legacy_edge *edge;
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (!doca_priv_is(from, DOCA_PRIV_KIND_LEGACY_NODE))
        return DOCA_PRIV_FAIL_HANDLE(from);
    if (!doca_priv_is(to, DOCA_PRIV_KIND_LEGACY_NODE))
        return DOCA_PRIV_FAIL_HANDLE(to);
    if (from->graph != graph || to->graph != graph)
        return DOCA_PRIV_FAIL(INVALID_VALUE, GRAPH_FOREIGN, graph);
    if (graph->obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_STARTED, graph);
    for (edge = from->children; edge != NULL; edge = edge->next)
        if (edge->to == to)
            return DOCA_SUCCESS;
    if (doca_priv_legacy_node_reaches(graph, to, from))
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_CYCLE, graph);
    rc = doca_priv_object_take(graph->arena, sizeof(*edge), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    edge = (struct doca_priv_legacy_edge *)block;
    /* analyzer: core.NullDereference: the arena gave a block, for it does not only count */
    edge->to = to;
    edge->next = from->children;
    from->children = edge;
    to->num_parents++;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_start(struct doca_core_legacy_graph *graph)
{
    const struct doca_core_legacy_graph_node *node;
    bool has_job = false;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (graph->obj.state == DOCA_PRIV_STARTED)
        return DOCA_SUCCESS;
    for (node = graph->nodes; node != NULL; node = node->next) {
        if (node->obj.state == DOCA_PRIV_NODE_CTX &&
            (!doca_priv_is(node->ctx, DOCA_PRIV_KIND_LEGACY_DMA) ||
             !doca_priv_legacy_ctx_enlist(node->ctx, 0)))
            return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_RUNNING, graph);
        has_job = has_job || node->obj.state != DOCA_PRIV_NODE_USER; /* a sub-graph has one, too */
    }
    if (!has_job)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NO_CTX_NODE, graph);
    graph->obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_stop(struct doca_core_legacy_graph *graph)
{
    enum doca_core_item item;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    item = doca_priv_legacy_graph_hold(graph);
    if (item != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, __func__, graph);
    graph->obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

static struct doca_priv_graph_link **doca_priv_graph_link_find(
    struct doca_workq *workq, const struct doca_core_legacy_graph *graph)
{
    struct doca_priv_graph_link **link;

    for (link = &workq->graphs; *link != NULL && (*link)->graph != graph; link = &(*link)->next) {
    }
    return link;
}

DOCA_CORE_DECL doca_error_t doca_graph_workq_add(struct doca_core_legacy_graph *graph,
                                                 struct doca_workq *workq)
{
    const struct doca_core_legacy_graph_node *node;
    struct doca_priv_graph_link *link;
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (graph->obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NOT_STARTED, graph);
    if (*doca_priv_graph_link_find(workq, graph) != NULL)
        return DOCA_PRIV_FAIL(IN_USE, WORKQ_ADDED, graph);
    for (node = graph->nodes; node != NULL; node = node->next)
        if (node->obj.state == DOCA_PRIV_NODE_CTX &&
            *doca_priv_link_find(workq, node->ctx) == NULL)
            return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_NOT_ADDED, node->ctx);
    rc = doca_priv_object_take(workq->arena, sizeof(*link), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    link = (struct doca_priv_graph_link *)block;
    /* analyzer: core.NullDereference: the arena gave a block, for it does not only count */
    link->graph = graph;
    link->next = workq->graphs;
    workq->graphs = link;
    doca_priv_lock(&graph->lock);
    graph->num_queues++;
    doca_priv_unlock(&graph->lock);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_workq_rm(struct doca_core_legacy_graph *graph,
                                                struct doca_workq *workq)
{
    struct doca_priv_graph_link **at, *link;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    at = doca_priv_graph_link_find(workq, graph);
    link = *at;
    if (link == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_NOT_ADDED, graph);
    if (link->num_runs > 0)
        return DOCA_PRIV_FAIL(IN_USE, WORKQ_PENDING, workq);
    *at = link->next;
    doca_priv_lock(&graph->lock);
    graph->num_queues--;
    doca_priv_unlock(&graph->lock);
    return doca_core_arena_give(workq->arena, link);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_create(
    const struct doca_core_legacy_graph *graph,
    struct doca_core_legacy_graph_instance **graph_instance)
{
    doca_error_t rc =
        doca_priv_check_args(graph, DOCA_PRIV_KIND_LEGACY_GRAPH, graph_instance, __func__);
    struct doca_core_legacy_graph *g = (struct doca_core_legacy_graph *)(uintptr_t)graph;
    const struct doca_core_legacy_graph_node *node;
    struct doca_core_legacy_graph_instance *in;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (graph->obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NOT_STARTED, graph);
    rc = doca_priv_object_take(
        g->arena, doca_priv_size(g->num_nodes, sizeof(struct doca_priv_run), sizeof(*in)), &block,
        __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    in = (struct doca_core_legacy_graph_instance *)block;
    doca_priv_object_init(&in->obj, DOCA_PRIV_KIND_LEGACY_INSTANCE);
    in->graph = g;
    in->end.instance = in;
    in->runs = (struct doca_priv_run *)(void *)(in + 1);
    for (node = g->nodes; node != NULL; node = node->next) {
        in->runs[node->index].node = node;
        in->runs[node->index].instance = in;
    }
    doca_priv_lock(&g->lock);
    g->num_instances++;
    doca_priv_unlock(&g->lock);
    *graph_instance = in;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_destroy(
    struct doca_core_legacy_graph_instance *graph_instance)
{
    struct doca_core_legacy_graph_instance *in = graph_instance;
    struct doca_core_legacy_graph *graph;
    uint32_t i;

    if (!doca_priv_is(in, DOCA_PRIV_KIND_LEGACY_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(in);
    if (in->workq != NULL)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_SUBMITTED, in);
    if (in->num_uses > 0)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_INSTANCE_USED, in);
    graph = in->graph;
    for (i = 0; i < graph->num_nodes; i++)
        if (in->runs[i].node->obj.state == DOCA_PRIV_NODE_GRAPH && in->runs[i].data != NULL)
            ((struct doca_core_legacy_graph_instance *)in->runs[i].data)->num_uses--;
    doca_priv_lock(&graph->lock);
    graph->num_instances--;
    doca_priv_unlock(&graph->lock);
    return doca_priv_object_give(graph->arena, &in->obj);
}

/* ---- >>impl.graph.run -----------------------------------------------------------------------
 * A node whose parents completed waits among the turns of the work queue, and has its turn in
 * progress. An instance ends with the last node that is open.                                   */

/* The run of a node that may get data; NULL, with *rc: it may not. */
static struct doca_priv_run *doca_priv_run_of(struct doca_core_legacy_graph_instance *in,
                                              const struct doca_core_legacy_graph_node *node,
                                              uint8_t kind, doca_error_t *rc, const char *function)
{
    enum doca_core_item item = DOCA_CORE_ITEM_GRAPH_FOREIGN;

    *rc = doca_priv_check_args(in, DOCA_PRIV_KIND_LEGACY_INSTANCE, node, function);
    if (*rc == DOCA_SUCCESS)
        *rc = doca_priv_check_args(node, DOCA_PRIV_KIND_LEGACY_NODE, node, function);
    if (*rc != DOCA_SUCCESS)
        return NULL;
    *rc = DOCA_ERROR_NOT_PERMITTED;
    if (in->workq != NULL) {
        *rc = DOCA_ERROR_BAD_STATE;
        item = DOCA_CORE_ITEM_GRAPH_SUBMITTED;
    } else if (node->graph == in->graph && node->obj.state == kind) {
        *rc = DOCA_SUCCESS;
        return &in->runs[node->index];
    }
    (void)doca_priv_fail(*rc, item, function, in);
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_ctx_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node, struct doca_job *job, struct doca_event *ev)
{
    doca_error_t rc = DOCA_SUCCESS;
    struct doca_priv_run *run =
        doca_priv_run_of(graph_instance, node, DOCA_PRIV_NODE_CTX, &rc, __func__);

    if (run == NULL)
        return rc;
    if (job == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, graph_instance);
    if (job->type != node->job_type || job->ctx != node->ctx)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_FOREIGN, graph_instance);
    run->data = job;
    run->event = ev;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_user_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node, void *cookie, struct doca_event *ev)
{
    doca_error_t rc = DOCA_SUCCESS;
    struct doca_priv_run *run =
        doca_priv_run_of(graph_instance, node, DOCA_PRIV_NODE_USER, &rc, __func__);

    if (run == NULL)
        return rc;
    run->data = cookie;
    run->event = ev;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_sub_graph_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node,
    struct doca_core_legacy_graph_instance *sub_graph_instance, struct doca_event *ev)
{
    struct doca_core_legacy_graph_instance *sub = sub_graph_instance;
    doca_error_t rc = DOCA_SUCCESS;
    struct doca_priv_run *run =
        doca_priv_run_of(graph_instance, node, DOCA_PRIV_NODE_GRAPH, &rc, __func__);

    if (run == NULL)
        return rc;
    if (!doca_priv_is(sub, DOCA_PRIV_KIND_LEGACY_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(sub);
    if (sub->graph != node->sub_graph)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_FOREIGN, graph_instance);
    if (sub->workq != NULL)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_SUBMITTED, sub);
    if (run->data != NULL)
        ((struct doca_core_legacy_graph_instance *)run->data)->num_uses--;
    sub->num_uses++;
    run->data = sub;
    run->event = ev;
    return DOCA_SUCCESS;
}

static void doca_priv_run_wait(struct doca_priv_run *run)
{
    struct doca_workq *workq = run->instance->workq;

    run->next = NULL;
    if (workq->turns == NULL)
        workq->turns = run;
    else
        workq->last_turn->next = run;
    workq->last_turn = run;
}

/* Begin an instance: its nodes without parents are open. */
static void doca_priv_instance_begin(struct doca_core_legacy_graph_instance *in,
                                     struct doca_priv_run *parent)
{
    struct doca_priv_run *run;

    in->parent = parent;
    in->status = DOCA_SUCCESS;
    in->num_open = 0;
    for (run = in->runs; run < in->runs + in->graph->num_nodes; run++) {
        run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED;
        run->num_pending = run->node->num_parents;
        if (run->num_pending == 0) {
            in->num_open++;
            doca_priv_run_wait(run);
        }
    }
}

/* A node ended: open those that waited for it, or fail its instance. */
static void doca_priv_run_settle(struct doca_priv_run *run, doca_error_t status)
{
    struct doca_core_legacy_graph_instance *in = run->instance;
    const struct doca_priv_legacy_edge *edge;
    struct doca_priv_run *child;

    run->status = status;
    if (status != DOCA_SUCCESS) {
        run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR;
        if (in->status == DOCA_SUCCESS) {
            in->status = status;
            (void)doca_priv_fail(status, DOCA_CORE_ITEM_GRAPH_FAILED,
                                 "doca_workq_progress_retrieve", in);
        }
        return;
    }
    run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED;
    for (edge = run->node->children; edge != NULL; edge = edge->next) {
        child = &in->runs[edge->to->index];
        if (--child->num_pending == 0) {
            in->num_open++;
            doca_priv_run_wait(child);
        }
    }
}

/* A node is open no longer; with the last one ends its instance, and perhaps the node that this one
 * ran for, and so on. */
static void doca_priv_run_close(struct doca_priv_run *run)
{
    struct doca_core_legacy_graph_instance *in = run->instance;

    while (--in->num_open == 0) {
        in->end.event.result.u64 = (uint64_t)in->status;
        if (in->parent == NULL) {
            doca_priv_workq_tell(in->workq, &in->end);
            return;
        }
        run = in->parent;
        if (run->event != NULL) {
            run->event->type = DOCA_GRAPH_JOB;
            run->event->user_data.u64 = 0;
            run->event->result = in->end.event.result;
        }
        doca_priv_run_settle(run, in->status);
        in = run->instance;
    }
}

static void doca_priv_run_job_ended(struct doca_priv_run *run, doca_error_t status,
                                    union doca_data user_data)
{
    if (run->event != NULL) {
        run->event->type = run->node->job_type;
        run->event->user_data = user_data;
        run->event->result.u64 = (uint64_t)status;
    }
    doca_priv_run_settle(run, status);
    doca_priv_run_close(run);
}

/* The function of a node did not come back. */
static void doca_priv_graph_calls_off(struct doca_workq *workq)
{
    struct doca_priv_run *run = workq->calling;

    workq->calling = NULL;
    doca_priv_run_settle(run, DOCA_ERROR_UNKNOWN);
    doca_priv_run_close(run);
}

static void doca_priv_run_call(struct doca_workq *workq, struct doca_priv_run *run)
{
    doca_error_t status;

    workq->calling = run;
    status = run->node->user(run->data, run->event);
    if (workq->calling != run)
        return; /* it retrieved, which has ended the node */
    workq->calling = NULL;
    doca_priv_run_settle(run, status);
    doca_priv_run_close(run);
}

/* Give the oldest node its turn. */
static void doca_priv_graph_turn(struct doca_workq *workq)
{
    struct doca_priv_run *run = workq->turns;
    const struct doca_job *job = (const struct doca_job *)run->data;
    struct doca_priv_link *link = NULL;
    doca_error_t rc;

    workq->turns = run->next;
    if (run->instance->status != DOCA_SUCCESS) { /* failed since: does not begin */
        doca_priv_run_close(run);
        return;
    }
    run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_STARTED;
    if (run->node->obj.state == DOCA_PRIV_NODE_USER) {
        doca_priv_run_call(workq, run);
    } else if (run->node->obj.state == DOCA_PRIV_NODE_GRAPH) {
        doca_priv_instance_begin((struct doca_core_legacy_graph_instance *)run->data, run);
    } else {
        rc = doca_priv_job_check(workq, job, &link, "doca_workq_progress_retrieve");
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_job_post(workq, link, job, run, "doca_workq_progress_retrieve");
        if (rc == DOCA_ERROR_NO_MEMORY) { /* no room: again later */
            run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED;
            doca_priv_run_wait(run);
        } else if (rc != DOCA_SUCCESS) {
            doca_priv_run_job_ended(run, rc, job->user_data);
        }
    }
}

/* The instance, and those that it consists of, are the program's again. */
static void doca_priv_graph_retrieved(struct doca_core_legacy_graph_instance *instance)
{
    (*doca_priv_graph_link_find(instance->workq, instance->graph))->num_runs--;
    for (; instance != NULL; instance = instance->chain)
        instance->workq = NULL;
}

/* What forbids a node to run in `workq`. A sub instance is appended to the chain that ends with
 * *last, and marked as submitted. */
static doca_error_t doca_priv_run_check(const struct doca_priv_run *run, struct doca_workq *workq,
                                        struct doca_core_legacy_graph_instance **last,
                                        enum doca_core_item *item)
{
    struct doca_core_legacy_graph_instance *sub;

    if (run->node->obj.state == DOCA_PRIV_NODE_USER)
        return DOCA_SUCCESS;
    *item = DOCA_CORE_ITEM_GRAPH_NO_DATA;
    if (run->data == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (run->node->obj.state == DOCA_PRIV_NODE_CTX) {
        *item = DOCA_CORE_ITEM_WORKQ_NOT_ADDED;
        return *doca_priv_link_find(workq, run->node->ctx) != NULL ? DOCA_SUCCESS
                                                                   : DOCA_ERROR_BAD_STATE;
    }
    sub = (struct doca_core_legacy_graph_instance *)run->data;
    *item = DOCA_CORE_ITEM_GRAPH_SUBMITTED;
    if (sub->workq != NULL)
        return DOCA_ERROR_IN_USE;
    sub->workq = workq;
    sub->chain = NULL;
    (*last)->chain = sub;
    *last = sub;
    return DOCA_SUCCESS;
}

/* Check an instance and all that it consists of, which become submitted: all, or none. */
static doca_error_t doca_priv_instance_check(struct doca_core_legacy_graph_instance *first,
                                             struct doca_workq *workq, const char *function)
{
    struct doca_core_legacy_graph_instance *in, *last = first;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_link *link = NULL;
    const struct doca_priv_run *run;
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t num_jobs = 0;

    first->workq = workq;
    first->chain = NULL;
    for (in = first; in != NULL && rc == DOCA_SUCCESS; in = in->chain) {
        for (run = in->runs; run < in->runs + in->graph->num_nodes && rc == DOCA_SUCCESS; run++) {
            rc = doca_priv_run_check(run, workq, &last, &item);
            if (rc != DOCA_SUCCESS) {
                (void)doca_priv_fail(rc, item, function, in);
            } else if (in == first && run->node->num_parents == 0 &&
                       run->node->obj.state == DOCA_PRIV_NODE_CTX) {
                rc = doca_priv_job_check(workq, (const struct doca_job *)run->data, &link,
                                         function);
                num_jobs++;
            }
        }
    }
    if (rc == DOCA_SUCCESS && num_jobs > workq->num_free)
        rc = doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_WORKQ_FULL, function, workq);
    for (in = first; in != NULL && rc != DOCA_SUCCESS; in = in->chain)
        in->workq = NULL;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_workq_graph_submit(
    struct doca_workq *workq, struct doca_core_legacy_graph_instance *graph_instance,
    union doca_data user_data)
{
    struct doca_core_legacy_graph_instance *in = graph_instance;
    struct doca_priv_graph_link *link;
    doca_error_t rc;

    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (!doca_priv_is(in, DOCA_PRIV_KIND_LEGACY_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(in);
    if (in->workq != NULL)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_SUBMITTED, in);
    link = *doca_priv_graph_link_find(workq, in->graph);
    if (link == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, WORKQ_NOT_ADDED, in);
    rc = doca_priv_instance_check(in, workq, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    link->num_runs++;
    in->end.event.type = DOCA_GRAPH_JOB;
    in->end.event.user_data = user_data;
    doca_priv_instance_begin(in, NULL);
    doca_priv_workq_wake(workq);
    return DOCA_SUCCESS;
}

static uint32_t doca_priv_instance_failed(const struct doca_core_legacy_graph_instance *in,
                                          const struct doca_core_legacy_graph_node **nodes,
                                          uint32_t max)
{
    uint32_t num = 0, i;

    for (i = 0; i < in->graph->num_nodes && num < max; i++) {
        if (in->runs[i].state == DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR) {
            if (nodes != NULL)
                nodes[num] = in->runs[i].node;
            num++;
        }
    }
    return num;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_get_num_failed_nodes(
    const struct doca_core_legacy_graph_instance *graph_instance, uint32_t *num_failed_nodes)
{
    doca_error_t rc = doca_priv_check_args(graph_instance, DOCA_PRIV_KIND_LEGACY_INSTANCE,
                                           num_failed_nodes, __func__);

    if (rc == DOCA_SUCCESS)
        *num_failed_nodes = doca_priv_instance_failed(graph_instance, NULL, UINT32_MAX);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_get_failed_nodes(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node **failed_nodes, uint32_t *num_failed_nodes)
{
    doca_error_t rc = doca_priv_check_args(graph_instance, DOCA_PRIV_KIND_LEGACY_INSTANCE,
                                           failed_nodes != NULL ? num_failed_nodes : NULL,
                                           __func__);

    if (rc == DOCA_SUCCESS)
        *num_failed_nodes =
            doca_priv_instance_failed(graph_instance, failed_nodes, *num_failed_nodes);
    return rc;
}

/* The run of a node to look at, or NULL with *rc. */
static const struct doca_priv_run *doca_priv_run_look(
    const struct doca_core_legacy_graph_instance *in,
    const struct doca_core_legacy_graph_node *node, const void *out, doca_error_t *rc,
    const char *function)
{
    *rc = doca_priv_check_args(in, DOCA_PRIV_KIND_LEGACY_INSTANCE, out, function);
    if (*rc == DOCA_SUCCESS)
        *rc = doca_priv_check_args(node, DOCA_PRIV_KIND_LEGACY_NODE, out, function);
    if (*rc != DOCA_SUCCESS)
        return NULL;
    if (node->graph == in->graph)
        return &in->runs[node->index];
    *rc = doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_GRAPH_FOREIGN, function, in);
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_node_get_state(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node *node, enum doca_graph_instance_node_state *state)
{
    doca_error_t rc = DOCA_SUCCESS;
    const struct doca_priv_run *run =
        doca_priv_run_look(graph_instance, node, state, &rc, __func__);

    if (run != NULL)
        *state = run->state;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_node_get_result(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node *node, union doca_data *result)
{
    doca_error_t rc = DOCA_SUCCESS;
    const struct doca_priv_run *run =
        doca_priv_run_look(graph_instance, node, result, &rc, __func__);

    if (run == NULL)
        return rc;
    if (run->state != DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED &&
        run->state != DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_UNFINISHED, graph_instance);
    result->u64 = (uint64_t)run->status;
    return DOCA_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_IMPLEMENTATION */

/* ---- >>names --------------------------------------------------------------------------------
 * The names of 1.x, last, so that none of the code above sees them.                             */

#if defined(DOCA_CORE_LEGACY) && !defined(DOCA_PRIV_LEGACY_NAMED)
#define DOCA_PRIV_LEGACY_NAMED

#define doca_mmap doca_core_legacy_mmap
#define doca_ctx doca_core_legacy_ctx
#define doca_dma doca_core_legacy_dma
#define doca_graph doca_core_legacy_graph
#define doca_graph_node doca_core_legacy_graph_node
#define doca_graph_instance doca_core_legacy_graph_instance
#define doca_graph_user_node_cb_t doca_core_legacy_graph_user_node_cb_t
#define doca_devinfo_remote doca_devinfo_rep
#define doca_dev_remote doca_dev_rep

#define doca_buf_inventory_destroy doca_core_legacy_buf_inventory_destroy
#define doca_buf_inventory_buf_dup doca_core_legacy_buf_inventory_buf_dup
#define doca_buf_inventory_get_user_data doca_core_legacy_buf_inventory_get_user_data
#define doca_buf_inventory_set_user_data doca_core_legacy_buf_inventory_set_user_data
#define doca_mmap_destroy doca_core_legacy_mmap_destroy
#define doca_mmap_start doca_core_legacy_mmap_start
#define doca_mmap_stop doca_core_legacy_mmap_stop
#define doca_mmap_set_max_num_devices doca_core_legacy_mmap_set_max_num_devices
#define doca_mmap_get_max_num_devices doca_core_legacy_mmap_get_max_num_devices
#define doca_mmap_get_num_bufs doca_core_legacy_mmap_get_num_bufs
#define doca_mmap_get_exported doca_core_legacy_mmap_get_exported
#define doca_mmap_get_from_export doca_core_legacy_mmap_get_from_export
#define doca_mmap_get_user_data doca_core_legacy_mmap_get_user_data
#define doca_ctx_start doca_core_legacy_ctx_start
#define doca_ctx_stop doca_core_legacy_ctx_stop
#define doca_dma_create doca_core_legacy_dma_create
#define doca_dma_destroy doca_core_legacy_dma_destroy
#define doca_dma_as_ctx doca_core_legacy_dma_as_ctx
#define doca_graph_create doca_core_legacy_graph_create
#define doca_graph_destroy doca_core_legacy_graph_destroy
#define doca_graph_add_dependency doca_core_legacy_graph_add_dependency
#define doca_graph_start doca_core_legacy_graph_start
#define doca_graph_stop doca_core_legacy_graph_stop
#define doca_graph_instance_create doca_core_legacy_graph_instance_create
#define doca_graph_instance_destroy doca_core_legacy_graph_instance_destroy
#define doca_graph_instance_set_ctx_node_data doca_core_legacy_graph_instance_set_ctx_node_data
#define doca_graph_instance_set_user_node_data doca_core_legacy_graph_instance_set_user_node_data
#define doca_graph_instance_set_sub_graph_node_data                                                \
    doca_core_legacy_graph_instance_set_sub_graph_node_data

#if DOCA_CORE_LEGACY + 0 >= 10500
#define doca_buf_inventory_create doca_core_legacy_buf_inventory_create_15
#define doca_mmap_create doca_core_legacy_mmap_create_15
#define doca_mmap_create_from_export doca_core_legacy_mmap_create_from_export_15
#define doca_dma_job_memcpy doca_core_legacy_dma_job_memcpy_15
#define DOCA_DMA_JOB_MEMCPY DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15
#else
#define doca_buf_inventory_create doca_core_legacy_buf_inventory_create
#define doca_mmap_create doca_core_legacy_mmap_create
#define doca_mmap_create_from_export doca_core_legacy_mmap_create_from_export
#endif

#ifdef DOCA_CORE_LEGACY_GUIDE
#define doca_dev_as_devinfo doca_core_legacy_dev_as_devinfo
#endif

#endif
