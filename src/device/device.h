/* ---- >>device -------------------------------------------------------------------------------
 * Devices. A devinfo describes a device that exists. A dev is an open device; opening a device
 * again returns the same dev and counts one more opening. A devinfo list is a snapshot: devices
 * that were opened through it stay open when the list is destroyed.
 * Threads: every call of this section may be made from any thread.
 * Source: DOCA Core Programming Guide, "DOCA Device"; API reference, "DOCA Device".             */
#ifndef DOCA_SRC_DEVICE_DEVICE_H
#define DOCA_SRC_DEVICE_DEVICE_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"

#define DOCA_DEVINFO_PCI_ADDR_SIZE 13 /* "0000:03:00.0" and NUL */
#define DOCA_DEVINFO_PCI_BDF_SIZE 8   /* "03:00.0" and NUL */
#define DOCA_DEVINFO_REP_PCI_ADDR_SIZE 13
#define DOCA_DEVINFO_REP_PCI_BDF_SIZE 8
#define DOCA_DEVINFO_VUID_SIZE 128
#define DOCA_DEVINFO_IFACE_NAME_SIZE 256
#define DOCA_DEVINFO_IBDEV_NAME_SIZE 64
#define DOCA_DEVINFO_REP_VUID_SIZE 128

enum doca_devinfo_rep_filter {
    DOCA_DEVINFO_REP_FILTER_ALL = 0,
    DOCA_DEVINFO_REP_FILTER_NET = 1 << 1,
    DOCA_DEVINFO_REP_FILTER_EMULATED = 1 << 2
};

enum doca_core_port {
    DOCA_CORE_PORT_ETHERNET = 0, /* the port has a MAC address, but no LID */
    DOCA_CORE_PORT_INFINIBAND = 1 /* the port has a LID, but no MAC address */
};

enum { /* Whether the device itself executes sync event tasks, for values in memory that it can
        * access */
    DOCA_CORE_EVENT_ENGINE_NONE = 0,
    DOCA_CORE_EVENT_ENGINE_CARD = 1, /* yes; additions are atomic for accesses by the same card */
    DOCA_CORE_EVENT_ENGINE_ALL = 2   /* yes; additions are atomic for accesses by the CPU too */
};

/* Limits and capabilities of a device. The capability calls report them and the engines enforce
 * them. */
struct doca_core_limits {
    uint64_t dma_max_buf_size;      /* maximum bytes of a memcpy task */
    uint32_t dma_max_buf_list_len;  /* elements; 1: no lists */
    uint32_t dma_max_num_tasks;     /* maximum number of tasks of a context */
    uint64_t sha_max_src_buf_size;  /* maximum bytes of a hash task or segment */
    uint32_t sha_max_buf_list_len;  /* elements; 1: no lists */
    uint32_t sha_max_num_tasks;     /* maximum tasks of a context, of both types together */
    uint8_t has_dma;                /* 1: the device copies memory (memcpy tasks) */
    uint8_t has_sha;                /* 1: the device computes hashes */
    uint8_t has_export_pci;         /* 1: mmaps can be exported over PCI, to the DPU */
    uint8_t has_import_pci;         /* 1: mmaps can be imported over PCI, from the host */
    uint8_t has_rdma;               /* 1: mmaps can be exported and imported for RDMA */
    uint8_t has_sync_event;         /* 1: supports sync events, local and exported ones */
    uint8_t has_dmabuf;             /* 1: mmaps can be made from a dmabuf */
    uint8_t event_engine;           /* DOCA_CORE_EVENT_ENGINE_* */
    uint8_t has_no_comch;           /* 1: the card has no DPU, so that it has no Comch */
};

/* The side of a DPU. A DPU and its host are two separate machines. A process is on one of them, or
 * it simulates both at once. */
enum doca_core_side {
    DOCA_CORE_SIDE_BOTH = 0, /* process: no side was chosen; device: visible from both sides */
    DOCA_CORE_SIDE_DPU = 1,
    DOCA_CORE_SIDE_HOST = 2
};

/* Bits of doca_core_dev_attr.rep_filters. ALL has a bit here, although DOCA_DEVINFO_REP_FILTER_ALL
 * is 0. */
#define DOCA_CORE_REP_ALL 1u
#define DOCA_CORE_REP_NET ((unsigned)DOCA_DEVINFO_REP_FILTER_NET)
#define DOCA_CORE_REP_EMULATED ((unsigned)DOCA_DEVINFO_REP_FILTER_EMULATED)

/* Properties of a device, filled in by its backend. For a representor they are the properties of
 * the represented function. */
struct doca_core_dev_attr {
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];     /* "0000:03:00.0" in lower case; "" when the
                                                    * address of a represented function is
                                                    * unknown */
    char ibdev_name[DOCA_DEVINFO_IBDEV_NAME_SIZE]; /* differs between SFs that share a PCI
                                                    * address */
    char iface_name[64];
    /* An address of all zeros is unknown. If the device has an iface_name, the library then asks
     * the operating system for the address each time a device list is created. */
    uint8_t mac_addr[DOCA_DEVINFO_MAC_ADDR_SIZE];
    uint8_t ipv4_addr[DOCA_DEVINFO_IPV4_ADDR_SIZE];
    uint8_t ipv6_addr[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    uint16_t lid;
    enum doca_core_port port;
    struct doca_core_limits limits;
    enum doca_core_side side;
    enum doca_pci_func_type func_type;
    char rep_dev[DOCA_DEVINFO_PCI_ADDR_SIZE]; /* PCI address of the device that lists this function
                                               * as a representor; "" when no device does */
    char vuid[DOCA_DEVINFO_REP_VUID_SIZE];    /* unique and permanent name of the function */
    /* bits DOCA_CORE_REP_* of the filters by which the device's representors can be listed; 0: the
     * device has no representors */
    uint8_t rep_filters;
    uint8_t is_hotplug;         /* 1: the function was plugged in by software */
    uint8_t is_emulated;        /* 1: an emulated function, 0: a network function */
    uint8_t is_hotplug_manager; /* 1: the device can plug functions in */
    uint16_t vhca_id;           /* number of the function, unique on its card */
    uint8_t has_no_vhca_id;     /* 1: vhca_id is unknown */
    uint32_t sf_index;          /* index of an SF; meaningless for other functions */
    uint32_t rate_gbps;         /* rate of the port in Gbit/s; 0: unknown */
    /* For doca_core_sw_set_devices(), for a represented function. `ram`: path of a file with the
     * memory of the machine that has the function, or NULL. `ram_split`: the bytes of the file from
     * this offset on are at the addresses from 4 GiB on; 0: no such bytes. In lists both are NULL
     * and 0. */
    const char *ram;
    uint64_t ram_split;
};

struct doca_devinfo {
    struct doca_priv_object obj;
    struct doca_core_arena *arena;
    const struct doca_core_backend *backend;
    uint32_t serial; /* serial of the backend at the time of the list */
    uint32_t hash;   /* hash of the members of `attr` that identify the function */
    struct doca_core_dev_attr attr;
};

struct doca_dev {
    struct doca_priv_object obj;
    uint32_t num_opens;
    uint32_t num_users; /* number of mmaps, contexts, open representors and other objects that need
                         * the open device */
    uint64_t bit;       /* the bit of this device in doca_mmap.dev_mask */
    const struct doca_core_backend *backend;
    void *backend_data; /* private data of the backend */
    struct ibv_pd *from_pd; /* PD from which it was opened; NULL: it was opened through a devinfo */
    struct doca_dev *next;
    struct doca_dev **link;       /* the pointer in the list of all devices that points to this
                                   * device */
    struct doca_dev *next_hashed; /* next device in the same bucket of doca_priv_world.hashed */
    struct doca_dev_rep *reps; /* list of its open representors */
    struct doca_devinfo info;
};

/* Arena bytes of a device list with `n` devices, and of `n` open devices. */
#define DOCA_CORE_BYTES_DEVINFO_LIST(n)                                                            \
    DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_priv_devinfo_list) +                                  \
                          (size_t)(n) * sizeof(struct doca_priv_devinfo_row))
#define DOCA_CORE_BYTES_DEV(n) ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dev)))

/* The head of a device list. In the same block, the head is followed by the array of `num` pointers
 * that the program receives, and this array by `num` devinfos. */
struct doca_priv_devinfo_list {
    struct doca_priv_object obj;
    uint32_t num;
    uint32_t unused; /* aligns the rows when pointers have 32 bits */
    struct doca_core_arena *arena;
    struct doca_devinfo *infos;
};

/* The memory that a device adds to a list. */
struct doca_priv_devinfo_row {
    uint64_t pointer;          /* room for a pointer, with the alignment of a devinfo */
    struct doca_devinfo info;
};

DOCA_CORE_DECL doca_error_t doca_core_bytes_devinfo_list(uint32_t num_devs, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_dev(size_t *bytes);

/* List the devices of all backends as (*dev_list)[0] to (*dev_list)[*nb_devs - 1].
 *
 * Owns      one block of the bound arena until doca_devinfo_destroy_list()
 * Cost      O(devices). The operating system is asked for addresses that a backend did not fill in.
 * Errors    NO_MEMORY  the arena is exhausted
 *           NOT_FOUND  no device exists */
DOCA_CORE_DECL doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list,
                                                     uint32_t *nb_devs);
DOCA_CORE_DECL doca_error_t doca_core_devinfo_create_list_in(struct doca_core_arena *arena,
                                                             struct doca_devinfo ***dev_list,
                                                             uint32_t *nb_devs);

/* Destroy a device list and its devinfos. Devices that were opened through them stay open. */
DOCA_CORE_DECL doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list);

/* Write the PCI address to `pci_addr_str` as "DDDD:BB:DD.F" with a terminating NUL:
 * DOCA_DEVINFO_PCI_ADDR_SIZE bytes. */
DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo,
                                                          char *pci_addr_str);

/* Compare the device's PCI address with a string of the form DDDD:BB:DD.F or BB:DD.F (domain 0).
 * Hexadecimal digits may have either case. *is_equal is 1 or 0.
 *
 * Errors    INVALID_VALUE  also: the string has neither form */
DOCA_CORE_DECL doca_error_t doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo,
                                                           const char *pci_addr_str,
                                                           uint8_t *is_equal);

/* Write a property of the device. `size` is the size of the buffer in bytes, at least the matching
 * DOCA_DEVINFO_*_SIZE. Names end with NUL; addresses are in network byte order.
 *
 * Errors    INVALID_VALUE     also: `size` is too small
 *           OPERATING_SYSTEM  addresses: the device has no network interface, or the interface has
 *                             no such address. A name that the device does not have is "".
 *           NOT_SUPPORTED     MAC address of an InfiniBand port, or LID of an Ethernet port */
DOCA_CORE_DECL doca_error_t doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo,
                                                        char *ibdev_name, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo,
                                                        char *iface_name, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo,
                                                       uint8_t *ipv4_addr, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo,
                                                       uint8_t *ipv6_addr, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo,
                                                      uint8_t *mac_addr, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid);

/* Get a number (later versions). active_rate is the rate of the port: in Gbit/s up to DOCA 2.x
 * (doca_devinfo_get_active_rate()), in bit/s since 3.0 (doca_core_v3_devinfo_get_active_rate()).
 * DOCA_CORE_API of the program determines which of the two has the vendor's name. vhca_id is the
 * number of the function on its card, pci_func_type its type, and sf_index the index of an SF.
 *
 * Errors    DRIVER         active_rate: the rate is unknown
 *           NOT_SUPPORTED  sf_index: the device is not an SF; vhca_id: the number is unknown */
DOCA_CORE_DECL doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo,
                                                         double *active_rate);
DOCA_CORE_DECL doca_error_t doca_core_v3_devinfo_get_active_rate(
    const struct doca_devinfo *devinfo, uint64_t *active_rate);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_vhca_id(const struct doca_devinfo *devinfo,
                                                     uint16_t *vhca_id);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_func_type(
    const struct doca_devinfo *devinfo, enum doca_pci_func_type *pci_func_type);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo,
                                                      uint32_t *sf_index);

/* Report whether the device supports programmable congestion control. Programs of 2.0 and later
 * make this call while they search for a device; in 3.x it belongs to doca_pcc.h. No device of this
 * library supports it.
 *
 * Errors    NOT_SUPPORTED  always, for valid arguments */
DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_pcc_supported(const struct doca_devinfo *devinfo);

/* Get the side of the DPU that the device is on (an extension of this library). HOST is also the
 * side of cards without a DPU. BOTH means that the device is visible from both sides, or that its
 * side is unknown. */
DOCA_CORE_DECL doca_error_t doca_core_devinfo_get_side(const struct doca_devinfo *devinfo,
                                                       enum doca_core_side *side);

/* Report whether the device can hot-plug functions: 1 or 0. */
DOCA_CORE_DECL doca_error_t doca_devinfo_cap_is_hotplug_manager_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager);

/* Report whether the device can release its resources faster on request, or can delay notifications
 * to combine them (later versions). Always 0. */
DOCA_CORE_DECL doca_error_t doca_devinfo_cap_is_accelerate_resource_reclaim_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_accelerate_resource_reclaim);
DOCA_CORE_DECL doca_error_t doca_devinfo_cap_is_notification_moderation_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_notification_moderation_supported);

/* Open a device. If it is already open, count one more opening.
 *
 *   dev   out: the same pointer for every opening of one device
 *
 * Owns      until the last doca_dev_close(): one block of the arena of the devinfo of the first
 *           opening. That arena must outlive the later openings, too.
 * Errors    NO_MEMORY       the arena, or a table of the backend, is exhausted
 *           NOT_CONNECTED   the backend cannot open the device, or was unregistered after the list
 *                           was created
 *           INITIALIZATION  DOCA_CORE_MAX_DEVS devices are open */
DOCA_CORE_DECL doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev);

/* Undo one opening by doca_dev_open() or from a PD. Undoing the last opening closes the device.
 *
 *   dev  NULL is accepted: the call does nothing and returns SUCCESS
 *
 * Errors    IN_USE  this is the last opening, and the device is still used by mmaps, contexts, sync
 *                   events, remote net handles, open representors, mempools, workers, clocks, or
 *                   started buffer arrays for other processors */
DOCA_CORE_DECL doca_error_t doca_dev_close(struct doca_dev *dev);

/* Ask the device to release its resources faster (later versions).
 *
 * Errors    NOT_SUPPORTED  always: the capability is 0 */
DOCA_CORE_DECL doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev);

/* Return the devinfo of an open device, valid until the device is closed. Returns NULL when `dev`
 * is not an open device or was opened from a PD. */
DOCA_CORE_DECL struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev);

#endif
