/* ---- >>impl.export --------------------------------------------------------------------------
 * Export descriptors, and access to the memory of an exporting process. The importer accesses that
 * memory through system calls (process_vm_readv, process_vm_writev) without cooperation of the
 * exporter, which may be suspended or may have exited. An export is valid as long as a 64-bit
 * token is in place in the exporter's memory; the exporter clears it to end the export. A read
 * fetches the token after the data, in the same system call. A write is preceded by a separate
 * read of the token.
 * A trip (struct doca_priv_far_trip) is one such system call with up to DOCA_PRIV_FAR_PIECES
 * pieces.                                                                                       */
#include "memory/export_priv.h"

#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "memory/mmap.h"
#include "memory/mmap_rep_priv.h"

#define DOCA_PRIV_EXPORT_VERSION 1

static const char doca_priv_export_magic[8] = { 'd', 'o', 'c', 'a', 'c', 'o', 'r', 'e' };

/* CRC-32 as in Ethernet. Computed bit by bit, as descriptors are short and rare. */
static uint32_t doca_priv_crc32(const void *data, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)data;
    uint32_t crc = UINT32_MAX;
    unsigned bit;

    while (bytes-- > 0) {
        crc ^= *at++;
        for (bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

/* Complete the head of a descriptor of `bytes` bytes; the caller has filled in the other members.
 * `token` is the token in this process. It is NULL for an export that a device serves; such a
 * descriptor may be used on another machine. Returns NONE, or the reason why the operating system
 * does not identify the machine (an OPERATING_SYSTEM error); the head is unchanged then. */
DOCA_PRIV_DECL enum doca_core_item doca_priv_export_seal(struct doca_priv_export *head,
                                                         enum doca_priv_export_kind kind,
                                                         size_t bytes, const uint64_t *token)
{
    enum doca_core_item item =
        token != NULL ? doca_priv_sys_machine(&head->machine) : DOCA_CORE_ITEM_NONE;

    if (item != DOCA_CORE_ITEM_NONE)
        return item;
    DOCA_CORE_MEMCPY(head->magic, doca_priv_export_magic, sizeof(head->magic));
    head->version = DOCA_PRIV_EXPORT_VERSION;
    head->kind = (uint8_t)kind;
    head->pointer_bytes = (uint8_t)sizeof(void *);
    head->bytes = (uint32_t)bytes;
    head->crc = 0;
    head->pid = doca_priv_sys_pid();
    if (token != NULL) {
        head->token = *token;
        head->token_at = (uintptr_t)token;
    } else {
        head->machine = 0;
    }
    head->crc = doca_priv_crc32(head, bytes);
    return DOCA_CORE_ITEM_NONE;
}

/* Copy a descriptor of one of two kinds to `head`, which has room for `bytes` bytes, and check it.
 * Returns SUCCESS, or an error with the reason in *item. Reads `len` bytes of `desc` at most. */
DOCA_PRIV_DECL doca_error_t doca_priv_export_open(const void *desc, size_t len,
                                                  enum doca_priv_export_kind kind,
                                                  enum doca_priv_export_kind or_kind,
                                                  struct doca_priv_export *head, size_t bytes,
                                                  enum doca_core_item *item)
{
    uint64_t machine;
    uint32_t crc;

    *item = DOCA_CORE_ITEM_EXPORT_LENGTH;
    if (len < sizeof(*head))
        return DOCA_ERROR_INVALID_VALUE;
    DOCA_CORE_MEMCPY(head, desc, sizeof(*head));
    *item = DOCA_CORE_ITEM_EXPORT_FOREIGN;
    if (DOCA_CORE_MEMCMP(head->magic, doca_priv_export_magic, sizeof(head->magic)) != 0)
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_EXPORT_VERSION;
    if (head->version != DOCA_PRIV_EXPORT_VERSION || head->pointer_bytes != sizeof(void *))
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_EXPORT_KIND;
    if (head->kind != kind && head->kind != or_kind)
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_EXPORT_LENGTH;
    if (len != bytes || head->bytes != bytes)
        return DOCA_ERROR_INVALID_VALUE;
    DOCA_CORE_MEMCPY(head, desc, bytes);
    crc = head->crc;
    head->crc = 0;
    *item = DOCA_CORE_ITEM_EXPORT_DAMAGED;
    if (crc != doca_priv_crc32(head, bytes))
        return DOCA_ERROR_INVALID_VALUE;
    if (head->machine == 0) /* a device serves the export */
        return DOCA_SUCCESS;
    *item = doca_priv_sys_machine(&machine);
    if (*item != DOCA_CORE_ITEM_NONE)
        return DOCA_ERROR_OPERATING_SYSTEM;
    *item = DOCA_CORE_ITEM_EXPORT_MACHINE;
    return head->machine == machine ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

/* Translate the outcome of a copy to or from another process to its reason. */
static enum doca_core_item doca_priv_far_item(enum doca_priv_sys_far outcome)
{
    switch (outcome) {
    case DOCA_PRIV_FAR_GONE:
        return DOCA_CORE_ITEM_EXPORTER_GONE;
    case DOCA_PRIV_FAR_GUARDED:
        return DOCA_CORE_ITEM_EXPORTER_GUARDED;
    case DOCA_PRIV_FAR_MEMORY:
        return DOCA_CORE_ITEM_EXPORTER_MEMORY;
    case DOCA_PRIV_FAR_KERNEL:
        return DOCA_CORE_ITEM_EXPORTER_KERNEL;
    default:
        return DOCA_CORE_ITEM_NONE;
    }
}

/* Return the address of the byte at `at` of an mmap, in the process that has the memory. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED uintptr_t doca_priv_far_addr(const struct doca_mmap *mmap,
                                                             const unsigned char *at)
{
    const struct doca_priv_far *far = mmap->far;

    return far != NULL && far->view != NULL ? (uintptr_t)(far->view + (at - mmap->addr))
                                            : (uintptr_t)at;
}

/* Return the address of the byte at `at` of an mmap. *pid receives the process of this address, or
 * 0 for this process. If only a backend can access the range, the address of the memory is unknown;
 * *pid is then a number that stands for this mmap. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED uintptr_t doca_priv_far_place(const struct doca_mmap *mmap,
                                                              const unsigned char *at,
                                                              uint32_t *pid)
{
    const struct doca_priv_far *far = mmap->far;

    *pid = mmap->is_backend_only ? 1u << 31 | (uint32_t)((uintptr_t)mmap / DOCA_CORE_LINE) : 0;
    /* a process can import its own exports */
    if (far != NULL && far->view == NULL && far->pid != doca_priv_sys_pid())
        *pid = far->pid;
    return doca_priv_far_addr(mmap, at);
}

DOCA_PRIV_DECL void doca_priv_far_begin(struct doca_priv_far_trip *trip,
                                        const struct doca_priv_far *far)
{
    trip->far = far;
    trip->is_write = false;
    trip->is_dirty = false;
    trip->num = 0;
    trip->bytes = 0;
}

DOCA_PRIV_DECL void doca_priv_far_add(struct doca_priv_far_trip *trip, void *local, uint64_t remote,
                                      size_t bytes)
{
    trip->local[trip->num].base = local;
    trip->local[trip->num].bytes = bytes;
    trip->remote[trip->num].base = (void *)(uintptr_t)remote;
    trip->remote[trip->num].bytes = bytes;
    trip->num++;
    trip->bytes += bytes;
}

/* Read the pieces of the trip, if any, and the token. Returns NONE when the export is still
 * valid. */
static enum doca_core_item doca_priv_far_read(struct doca_priv_far_trip *trip)
{
    enum doca_priv_sys_far outcome;

    trip->token = 0;
    doca_priv_far_add(trip, &trip->token, trip->far->token_at, sizeof(trip->token));
    outcome = doca_priv_sys_far_copy(trip->far->pid, trip->local, trip->remote, trip->num,
                                     trip->bytes, false);
    if (outcome == DOCA_PRIV_FAR_OK &&
        (trip->token != trip->far->token || trip->token == 0))
        return DOCA_CORE_ITEM_EXPORTER_STOPPED; /* 0 is a cleared token */
    return doca_priv_far_item(outcome);
}

/* Check that the export is still valid. */
static enum doca_core_item doca_priv_far_ask(const struct doca_priv_far *far)
{
    struct doca_priv_far_trip trip;
    enum doca_core_item item;

    doca_priv_far_begin(&trip, far);
    item = doca_priv_far_read(&trip);
    return item == DOCA_CORE_ITEM_EXPORTER_MEMORY ? DOCA_CORE_ITEM_EXPORTER_STOPPED : item;
}

/* Check that the export is still valid and that `desc` equals, byte for byte, the descriptor that
 * the exporter keeps after the token. The caller has checked that `desc` is well-formed; this call
 * proves that the exporter issued it. */
DOCA_PRIV_DECL enum doca_core_item doca_priv_far_compare(const struct doca_priv_far *far,
                                                         const struct doca_priv_mmap_desc *desc)
{
    struct doca_priv_mmap_desc stored;
    struct doca_priv_far_trip trip;
    enum doca_core_item item;

    doca_priv_far_begin(&trip, far);
    doca_priv_far_add(&trip, &stored,
                      far->token_at + offsetof(struct doca_priv_mmap_export, desc),
                      sizeof(stored));
    item = doca_priv_far_read(&trip);
    stored.head.crc = 0; /* doca_priv_export_open() has cleared desc's */
    if (item == DOCA_CORE_ITEM_NONE && DOCA_CORE_MEMCMP(&stored, desc, sizeof(stored)) != 0)
        return DOCA_CORE_ITEM_EXPORT_DAMAGED;
    return item == DOCA_CORE_ITEM_EXPORTER_MEMORY ? DOCA_CORE_ITEM_EXPORTER_STOPPED : item;
}

/* Copy the pieces of the trip, if any. Tasks never write to the memory of another machine, since
 * its mmaps are read-only. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED enum doca_core_item
doca_priv_far_go(struct doca_priv_far_trip *trip)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;

    if (trip->num > 0 && trip->far->rep_mem != NULL) {
        item = doca_priv_rep_mem_read(trip->far->rep_mem, trip->local, trip->remote, trip->num);
        trip->is_dirty = true;
    } else if (trip->num > 0 && trip->is_write) {
        item = doca_priv_far_ask(trip->far);
        if (item == DOCA_CORE_ITEM_NONE)
            item = doca_priv_far_item(doca_priv_sys_far_copy(trip->far->pid, trip->local,
                                                             trip->remote, trip->num, trip->bytes,
                                                             true));
    } else if (trip->num > 0) {
        item = doca_priv_far_read(trip);
    }
    if (item == DOCA_CORE_ITEM_EXPORTER_MEMORY && !trip->is_write)
        item = doca_priv_far_ask(trip->far) != DOCA_CORE_ITEM_NONE ? DOCA_CORE_ITEM_EXPORTER_STOPPED
                                                                   : item;
    trip->is_dirty = trip->is_dirty || item == DOCA_CORE_ITEM_NONE ||
                     item == DOCA_CORE_ITEM_EXPORTER_STOPPED ||
                     item == DOCA_CORE_ITEM_EXPORTER_MEMORY; /* otherwise nothing was copied */
    trip->num = 0;
    trip->bytes = 0;
    return item;
}
