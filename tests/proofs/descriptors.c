/* Descriptors that come from elsewhere: no byte behind their end is read, and what is let through
 * is what a descriptor may say.
 *
 * Proven    for every content of a descriptor of an mmap or a sync event, of every length up to
 *           one byte more than it has, and every kind of export that is asked for:
 *           - only [desc, desc + len) is read
 *           - what is accepted has its length, magic, version, kind, pointer size and checksum
 *           - a refusal names an item, and is INVALID_VALUE or NOT_SUPPORTED
 *           - an mmap that is accepted is a range that does not wrap, with known permissions, on a
 *             device that imports such exports
 *           enumerated: contents that are a good descriptor but for one byte and the addresses
 * Assumed   no system: exporters are not asked (that ends in KERNEL, NOT_SUPPORTED), nothing is
 *           mapped */
#include "proof.h"

enum { LONGEST = sizeof(struct doca_priv_mmap_desc) };

static unsigned char bytes[LONGEST + 1]; /* a descriptor ends where it does */

/* A good one, then a byte of it changed, then its checksum made right again, or not. */
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
              DOCA_SUCCESS);
    } else {
        event->fd = (int)pick(3) - 1;
        PROVE(doca_priv_export_seal(&d.head, DOCA_PRIV_EXPORT_EVENT_PCI + pick(2), whole, &token) ==
              DOCA_SUCCESS);
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

static void mmaps(void)
{
    const size_t whole = sizeof(struct doca_priv_mmap_desc), len = pick_len(whole);
    unsigned char *at = bytes + sizeof(bytes) - len;
    static struct doca_core_backend backend;
    static struct doca_dev dev;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_mmap_desc desc;
    struct doca_priv_far far = { 0 };
    doca_error_t rc;

    proof_make(at, len, whole);
    dev.backend = &backend;
    dev.info.attr.limits.has_import_pci = (uint8_t)pick(2);
    dev.info.attr.limits.has_rdma = (uint8_t)pick(2);
    rc = doca_priv_mmap_import_check(&dev, at, len, &desc, &far, &item);
    PROVE(rc == DOCA_ERROR_INVALID_VALUE || rc == DOCA_ERROR_NOT_SUPPORTED);
    PROVE(item != DOCA_CORE_ITEM_NONE);
    if (item == DOCA_CORE_ITEM_EXPORTER_KERNEL) { /* the exporter was asked: all else was right */
        PROVE(len == whole && desc.head.bytes == whole && desc.len > 0);
        PROVE((uint64_t)(uintptr_t)desc.addr == desc.addr && desc.addr + desc.len > desc.addr);
        PROVE((desc.access & ~DOCA_PRIV_ACCESS_KNOWN) == 0 && desc.backend[0] == '\0');
        PROVE(desc.head.kind == DOCA_PRIV_EXPORT_MMAP_PCI
                  ? dev.info.attr.limits.has_import_pci == 1
                  : desc.head.kind == DOCA_PRIV_EXPORT_MMAP_RDMA &&
                        dev.info.attr.limits.has_rdma == 1);
        PROVE(far.pid == desc.head.pid && far.token == desc.head.token);
    }
}

static void events(void)
{
    const size_t whole = sizeof(struct doca_priv_event_desc), len = pick_len(whole);
    const enum doca_priv_export_kind kind =
        pick(2) == 0 ? DOCA_PRIV_EXPORT_EVENT_PCI : DOCA_PRIV_EXPORT_EVENT_NET;
    unsigned char *at = bytes + sizeof(bytes) - len;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_event_desc desc;
    uint32_t crc;
    doca_error_t rc;

    proof_make(at, len, whole);
    rc = doca_priv_export_open(at, len, kind, kind, &desc.head, sizeof(desc), &item);
    PROVE(item != DOCA_CORE_ITEM_NONE); /* what comes next is expected to fail with it */
    PROVE(rc == DOCA_SUCCESS || rc == DOCA_ERROR_INVALID_VALUE || rc == DOCA_ERROR_NOT_SUPPORTED);
    if (rc != DOCA_SUCCESS)
        return;
    PROVE(len == whole && desc.head.bytes == whole && desc.head.kind == kind);
    PROVE(desc.head.version == DOCA_PRIV_EXPORT_VERSION);
    PROVE(desc.head.pointer_bytes == sizeof(void *));
    PROVE(DOCA_CORE_MEMCMP(desc.head.magic, doca_priv_export_magic, sizeof(desc.head.magic)) == 0);
    DOCA_CORE_MEMCPY(&crc, at + offsetof(struct doca_priv_export, crc), sizeof(crc));
    PROVE(desc.head.crc == 0);
    PROVE(crc == doca_priv_crc32(&desc, whole));
}

static void proof(void)
{
    if (pick(2) == 0)
        events();
    else
        mmaps();
}
