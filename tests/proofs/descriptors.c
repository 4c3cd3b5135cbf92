/* Descriptors from another process: no byte behind their end is read, and every accepted
 * descriptor is valid.
 *
 * Proven    for every content of a descriptor of an mmap or a sync event, of every length up to one
 *           byte more than a descriptor has, and for every kind of export that the caller requests:
 *           - only [desc, desc + len) is read
 *           - an accepted descriptor has the right length, magic, version, kind, pointer size and
 *             checksum
 *           - a refusal sets a log item and returns a documented code
 *           - an accepted mmap has a range that does not wrap and known permissions, its device can
 *             import such exports, and its backend is the one that exported it
 *           - an event whose page was found has the token of that page; other events have no page
 *           - the value of an event of a device is eight aligned bytes inside the imported mmap
 *           The enumeration takes valid descriptors in which one byte or the addresses are changed.
 *           It runs without an operating system, so the library cannot ask the exporter and refuses
 *           the import with NOT_SUPPORTED (item EXPORTER_KERNEL).
 *           cbmc takes all bytes, and all results of the system calls: functions of this file
 *           replace the calls.
 * Assumed   In cbmc the checksum is any number, and not that of the content.
 * stands in: doca_priv_crc32:any_crc doca_priv_sys_machine:any_machine
 * stands in: doca_priv_sys_far_copy:any_copy doca_priv_sys_page_open:any_page
 * stands in: doca_priv_mmap_import:any_import
 * cbmc: --unwind 18 --pointer-overflow-check --unwindset memcmp.0:170 --unsigned-overflow-check */
#include "proof.h"

enum { LONGEST = sizeof(struct doca_priv_mmap_desc) };

static unsigned char bytes[LONGEST + 1]; /* a descriptor is at the end of this array */

#if PROOF_ENUMERATES

/* Make a valid descriptor, change one byte of it or none, and correct the checksum or not. */
static void proof_make(unsigned char *desc, size_t len, size_t whole)
{
    static const unsigned char values[] = { 0, 1, 2, 3, 4, 5, 0x7f, 0x80, 0xff };
    static const uint64_t edges[] = { 0, 1, 4096, UINT64_MAX - 4096, UINT64_MAX };
    struct doca_priv_mmap_desc d;
    struct doca_priv_event_desc *event = (struct doca_priv_event_desc *)(void *)&d;
    uint64_t token = 77;
    size_t at;

    memset(&d, 0, sizeof(d));
    if (whole == sizeof(d)) {
        d.addr = len == whole ? edges[pick(5)] : 4096;
        d.len = len == whole ? edges[pick(5)] : 4096;
        d.access = d.addr != 4096 || pick(2) == 0 ? 1u : 0xffu;
        PROVE(doca_priv_export_seal(&d.head, DOCA_PRIV_EXPORT_MMAP_PCI + pick(2), whole, &token) ==
              DOCA_CORE_ITEM_NONE);
    } else {
        event->fd = (int)pick(3) - 1;
        PROVE(doca_priv_export_seal(&d.head, DOCA_PRIV_EXPORT_EVENT_PCI + pick(2), whole, &token) ==
              DOCA_CORE_ITEM_NONE);
    }
    at = len != whole || (whole == sizeof(d) && (d.addr != 4096 || d.len != 4096))
             ? whole
             : pick((unsigned)whole + 1);
    if (at < whole)
        ((unsigned char *)&d)[at] = values[pick(sizeof(values))];
    if (pick(2) == 0) {
        d.head.crc = 0;
        d.head.crc = doca_priv_crc32(&d, whole);
    }
    memset(desc, 0x5a, len);
    memcpy(desc, &d, len < whole ? len : whole);
}

static size_t pick_len(size_t whole)
{
    static const unsigned char cut[] = { 0, 1, 8, 47, 48, 49 };
    unsigned at;

    at = pick(sizeof(cut) + 3);
    return at < sizeof(cut) ? cut[at] : whole - 1 + (at - sizeof(cut));
}

static unsigned char *make(size_t *len, size_t whole)
{
    unsigned char *at;

    *len = pick_len(whole);
    at = bytes + sizeof(bytes) - *len;
    proof_make(at, *len, whole);
    return at;
}

static uint32_t checksum(const void *data, size_t len)
{
    return doca_priv_crc32(data, len);
}

#else

/* Make a descriptor of any bytes and any length. */
static unsigned char *make(size_t *len, size_t whole)
{
    unsigned char *at;

    *len = any_size();
    ASSUME(*len <= whole + 1);
    at = (unsigned char *)__CPROVER_allocate(*len, 0);
    return at;
}

/* Functions that replace the checksum and the system calls. */

static uint32_t last_checksum;

uint32_t any_crc(const void *data, size_t len)
{
    PROVE(__CPROVER_r_ok(data, len));
    return last_checksum = (uint32_t)any_u64();
}

static uint32_t checksum(const void *data, size_t len)
{
    (void)data;
    (void)len;
    return last_checksum;
}

enum doca_core_item any_machine(uint64_t *machine)
{
    *machine = any_u64();
    return pick(2) == 0 ? DOCA_CORE_ITEM_NONE : DOCA_CORE_ITEM_EXPORT_NO_PROC;
}

enum doca_priv_sys_far any_copy(uint32_t pid, const struct doca_priv_iovec *local,
                                const struct doca_priv_iovec *remote, unsigned num, size_t len,
                                bool is_write)
{
    const uint64_t word = any_u64();
    struct doca_priv_mmap_desc theirs; /* any bytes */

    (void)pid;
    PROVE(num == 2 && len == sizeof(theirs) + sizeof(word) && !is_write);
    PROVE(local[0].bytes == sizeof(theirs) && remote[0].bytes == sizeof(theirs));
    PROVE(local[1].bytes == sizeof(word) && remote[1].bytes == sizeof(word));
    DOCA_CORE_MEMCPY(local[0].base, &theirs, sizeof(theirs));
    DOCA_CORE_MEMCPY(local[1].base, &word, sizeof(word));
    return (enum doca_priv_sys_far)pick(DOCA_PRIV_FAR_KERNEL + 1);
}

static struct doca_priv_event_page page_of_exporter;

doca_error_t any_page(uint32_t pid, int at, int *fd, void **page)
{
    (void)pid;
    (void)at;
    switch (pick(4)) {
    case 0:
        page_of_exporter.token = any_u64();
        page_of_exporter.is_closed = pick(2);
        *fd = 3;
        *page = &page_of_exporter;
        return DOCA_SUCCESS;
    case 1:
        return DOCA_ERROR_NOT_FOUND;
    case 2:
        return DOCA_ERROR_NOT_PERMITTED;
    default:
        return DOCA_ERROR_OPERATING_SYSTEM;
    }
}

static bool came_to_mmap;
static uint64_t event_addr;

doca_error_t any_import(struct doca_core_arena *arena, const union doca_data *user_data,
                        const void *export_desc, size_t len, struct doca_dev *dev,
                        struct doca_mmap **mmap, const char *function)
{
    struct doca_priv_mmap_desc desc;

    (void)arena;
    (void)user_data;
    (void)dev;
    (void)mmap;
    (void)function;
    PROVE(len == sizeof(desc));
    DOCA_CORE_MEMCPY(&desc, export_desc, sizeof(desc));
    PROVE(event_addr % sizeof(uint64_t) == 0 && event_addr >= desc.addr);
    PROVE(event_addr - desc.addr < desc.len);
    PROVE(desc.len - (event_addr - desc.addr) >= sizeof(uint64_t));
    came_to_mmap = true;
    return pick(2) == 0 ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

#endif

static doca_error_t exports(struct doca_dev *dev, uint32_t mkey, uint32_t own, bool is_rdma,
                            unsigned char *blob)
{
    (void)dev;
    (void)mkey;
    (void)own;
    (void)is_rdma;
    (void)blob;
    return DOCA_SUCCESS;
}

/* Choose whether the kernel copies imported memory, or a backend with any name. */
static void any_backend(struct doca_core_backend *backend)
{
    static char name[DOCA_PRIV_EXPORT_BACKEND + 2];
    unsigned i;

    if (PROOF_ENUMERATES || pick(2) == 0)
        return;
    for (i = 0; i + 1 < sizeof(name); i++)
        name[i] = (char)pick(128);
    ASSUME(name[0] != '\0');
    backend->name = name;
    backend->mem_export = exports;
}

/* Check the header of a descriptor that was accepted. */
static void check_head(const struct doca_priv_export *head, const unsigned char *desc, size_t len,
                       size_t whole)
{
    uint32_t crc;

    PROVE(len == whole && head->bytes == whole);
    PROVE(head->version == DOCA_PRIV_EXPORT_VERSION && head->pointer_bytes == sizeof(void *));
    PROVE(DOCA_CORE_MEMCMP(head->magic, doca_priv_export_magic, sizeof(head->magic)) == 0);
    DOCA_CORE_MEMCPY(&crc, desc + offsetof(struct doca_priv_export, crc), sizeof(crc));
    PROVE(head->crc == 0);
    PROVE(crc == checksum(head, whole));
}

static void mmaps(void)
{
    const size_t whole = sizeof(struct doca_priv_mmap_desc);
    static struct doca_core_backend backend;
    static struct doca_dev dev;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    char name[DOCA_PRIV_EXPORT_BACKEND];
    struct doca_priv_mmap_desc desc;
    struct doca_priv_far far = { 0 };
    unsigned char *at;
    doca_error_t rc;
    size_t len;

    at = make(&len, whole);
    any_backend(&backend);
    dev.backend = &backend;
    dev.info.attr.limits.has_import_pci = (uint8_t)pick(2);
    dev.info.attr.limits.has_rdma = (uint8_t)pick(2);
    rc = doca_priv_mmap_import_check(&dev, at, len, &desc, &far, &item);
    PROVE(rc == DOCA_ERROR_INVALID_VALUE || rc == DOCA_ERROR_NOT_SUPPORTED || !PROOF_ENUMERATES);
    PROVE(rc == DOCA_ERROR_INVALID_VALUE || rc == DOCA_ERROR_NOT_SUPPORTED ||
          rc == DOCA_ERROR_NOT_PERMITTED || rc == DOCA_ERROR_OPERATING_SYSTEM ||
          rc == DOCA_SUCCESS);
    PROVE(item != DOCA_CORE_ITEM_NONE || rc == DOCA_SUCCESS);
    if (rc != DOCA_SUCCESS && item != DOCA_CORE_ITEM_EXPORTER_KERNEL &&
        item != DOCA_CORE_ITEM_EXPORTER_GUARDED)
        return;
    /* all checks of the descriptor itself have passed; only the exporter could refuse it */
    check_head(&desc.head, at, len, whole);
    PROVE((uint64_t)(uintptr_t)desc.addr == desc.addr && desc.addr + desc.len > desc.addr);
    PROVE((desc.access & ~DOCA_PRIV_ACCESS_KNOWN) == 0);
    doca_priv_mmap_backend(&backend, name);
    PROVE(DOCA_CORE_MEMCMP(desc.backend, name, sizeof(name)) == 0);
    PROVE(desc.head.kind == DOCA_PRIV_EXPORT_MMAP_PCI
              ? dev.info.attr.limits.has_import_pci == 1
              : desc.head.kind == DOCA_PRIV_EXPORT_MMAP_RDMA && dev.info.attr.limits.has_rdma == 1);
    if (backend.mem_export == NULL)
        PROVE(far.pid == desc.head.pid && far.token == desc.head.token && desc.addr != 0);
}

static void events(void)
{
    const size_t whole = sizeof(struct doca_priv_event_desc);
    const enum doca_priv_export_kind kind =
        pick(2) == 0 ? DOCA_PRIV_EXPORT_EVENT_PCI : DOCA_PRIV_EXPORT_EVENT_NET;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_event_desc desc;
    unsigned char *at;
    doca_error_t rc;
    size_t len;

    at = make(&len, whole);
    rc = doca_priv_export_open(at, len, kind, kind, &desc.head, sizeof(desc), &item);
    /* also when the descriptor is accepted: the item of the checks that follow in the library */
    PROVE(item != DOCA_CORE_ITEM_NONE);
    PROVE(rc == DOCA_SUCCESS || rc == DOCA_ERROR_INVALID_VALUE || rc == DOCA_ERROR_NOT_SUPPORTED ||
          (!PROOF_ENUMERATES && rc == DOCA_ERROR_OPERATING_SYSTEM));
    if (rc != DOCA_SUCCESS)
        return;
    check_head(&desc.head, at, len, whole);
    PROVE(desc.head.kind == kind);
}

#if !PROOF_ENUMERATES

/* The import of an event finds the page that its descriptor names. */
static void pages(void)
{
    const enum doca_priv_export_kind kind =
        pick(2) == 0 ? DOCA_PRIV_EXPORT_EVENT_PCI : DOCA_PRIV_EXPORT_EVENT_NET;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_event_share share = { 0 };
    struct doca_priv_export head;
    unsigned char *at;
    doca_error_t rc;
    size_t len;

    at = make(&len, sizeof(struct doca_priv_event_desc));
    rc = doca_priv_share_import(&share, at, len, kind, &item);
    PROVE(rc == DOCA_SUCCESS || (item != DOCA_CORE_ITEM_NONE && share.page == NULL));
    PROVE(rc == DOCA_SUCCESS || rc == DOCA_ERROR_INVALID_VALUE || rc == DOCA_ERROR_NOT_SUPPORTED ||
          rc == DOCA_ERROR_NOT_PERMITTED || rc == DOCA_ERROR_OPERATING_SYSTEM);
    PROVE((share.page == NULL) == (share.value == NULL));
    if (rc != DOCA_SUCCESS)
        return;
    PROVE(len == sizeof(struct doca_priv_event_desc));
    DOCA_CORE_MEMCPY(&head, at, sizeof(head));
    PROVE(head.kind == kind && head.crc == last_checksum);
    PROVE(share.page == &page_of_exporter && share.value == &page_of_exporter.value);
    PROVE(head.token == page_of_exporter.token && share.exporter_pid == head.pid);
    PROVE(head.pid == 0 || page_of_exporter.is_closed == 0);
}

static doca_error_t opens(struct doca_core_queue *queue, const struct doca_core_event_place *place,
                          uint32_t depth)
{
    (void)queue;
    (void)place;
    (void)depth;
    return DOCA_SUCCESS;
}

/* The import of an event whose value is in an mmap of a device. */
static void values(void)
{
    const size_t whole = sizeof(struct doca_priv_event_dev_desc);
    static struct doca_core_backend backend;
    static struct doca_dev dev;
    struct doca_priv_event_dev_desc *desc;
    struct doca_mmap *mmap = NULL;
    unsigned char *at;
    uint64_t addr = 77;
    doca_error_t rc;
    size_t len;

    at = make(&len, whole);
    if (!doca_priv_event_is_of_dev(at, len))
        return;
    dev.backend = &backend;
    dev.info.attr.limits.event_engine = (uint8_t)pick(2);
    if (pick(2) == 0)
        backend.event_open = opens;
    desc = (struct doca_priv_event_dev_desc *)(void *)at;
    if (len >= offsetof(struct doca_priv_event_dev_desc, mmap))
        DOCA_CORE_MEMCPY(&event_addr, &desc->addr, sizeof(event_addr));
    rc = doca_priv_event_import_dev(NULL, &dev, at, len, &mmap, &addr, "");
    PROVE(rc == DOCA_SUCCESS || doca_core_last_item() != DOCA_CORE_ITEM_NONE || came_to_mmap);
    PROVE(rc == DOCA_SUCCESS || rc == DOCA_ERROR_INVALID_VALUE || rc == DOCA_ERROR_NOT_SUPPORTED ||
          rc == DOCA_ERROR_OPERATING_SYSTEM);
    PROVE(rc != DOCA_SUCCESS || came_to_mmap);
    PROVE(addr == (came_to_mmap ? event_addr : 77));
    if (came_to_mmap) {
        PROVE(len == whole && desc->head.kind == DOCA_PRIV_EXPORT_EVENT_DEV);
        PROVE(desc->head.crc == last_checksum && desc->head.bytes == whole);
        PROVE(dev.info.attr.limits.event_engine == 1 && backend.event_open != NULL);
    }
}

#endif

static void proof(void)
{
    switch (pick(PROOF_ENUMERATES ? 2 : 4)) {
    case 0:
        events();
        break;
    case 1:
        mmaps();
        break;
#if !PROOF_ENUMERATES
    case 2:
        pages();
        break;
    default:
        values();
        break;
#endif
    }
}
