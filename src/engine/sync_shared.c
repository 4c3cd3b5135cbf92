/* ---- >>impl.sync_shared ---------------------------------------------------------------------
 * Values in a page that processes share. The page is a file in memory. A context that wants to
 * sleep until the value changes increments num_armed and then reads the value; an update changes
 * the value and then reads num_armed. So at least one of the two sees the other. If num_armed is
 * not 0, the update writes to the file, and that wakes all PEs that watch the file (see
 * >>impl.sync_listen). is_closed is set by the exporter when it ends the event, or by an importer
 * that finds that the exporter has exited.                                                      */
#include "engine/sync_shared_priv.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "memory/export_priv.h"
#include "engine/sync_event.h"

DOCA_PRIV_ASSERT_STATIC(event_page_fits,
                        sizeof(struct doca_priv_event_page) <= DOCA_PRIV_PAGE_SCRATCH);

DOCA_PRIV_DECL DOCA_PRIV_NOINLINE void
doca_priv_share_wake(const struct doca_priv_event_share *share)
{
    doca_priv_sys_page_touch(share->fd);
}

/* For an imported value: ask the operating system whether the exporter still runs, and set
 * is_closed if not. */
DOCA_PRIV_DECL void doca_priv_share_probe(const struct doca_priv_event_share *share)
{
    if (doca_priv_share_is_imported(share) && DOCA_PRIV_LOAD(&share->page->is_closed) == 0 &&
        doca_priv_sys_process_is_gone(share->exporter_fd, share->exporter_pid,
                                      share->page->is_locked ? share->fd : -1))
        DOCA_PRIV_STORE(&share->page->is_closed, 1u);
}

/* Second phase of a wait, with pauses or yields. Checks about every millisecond whether the
 * exporter still runs. */
DOCA_PRIV_DECL doca_error_t doca_priv_share_wait(const struct doca_priv_event_share *share,
                                                 unsigned type, uint64_t wait_val, uint64_t mask,
                                                 bool yields)
{
    const uint32_t per_ms = yields ? 512 : 16384; /* roughly; a power of 2 */
    /* Read this before the value: the exporter makes its last update before it sets is_closed. */
    bool is_reset = doca_priv_share_is_reset(share);
    uint32_t num_reads;

    for (num_reads = 1;; num_reads++) {
        if (doca_priv_share_holds(type, DOCA_PRIV_LOAD(share->value) & mask, wait_val))
            return DOCA_SUCCESS;
        if (doca_unlikely(is_reset))
            return DOCA_ERROR_CONNECTION_RESET;
        if (yields) {
            doca_priv_sys_yield();
        } else {
            DOCA_PRIV_PAUSE();
            DOCA_CORE_RELAX();
        }
        if (doca_unlikely((num_reads & (per_ms - 1)) == 0)) {
            doca_priv_share_probe(share);
            is_reset = doca_priv_share_is_reset(share);
        }
    }
}

/* Create a page with a value that can be exported. */
DOCA_PRIV_DECL doca_error_t doca_priv_share_create(struct doca_priv_event_share *share)
{
    void *page = NULL;
    doca_error_t rc = DOCA_PRIV_SHARES_CELLS ? doca_priv_sys_page_create(&share->fd, &page)
                                             : DOCA_ERROR_NOT_SUPPORTED;

    if (rc != DOCA_SUCCESS)
        return rc;
    share->page = (struct doca_priv_event_page *)page;
    if (!doca_priv_sys_random(&share->page->token)) {
        doca_priv_sys_page_close(share->fd, page);
        share->page = NULL;
        return DOCA_ERROR_OPERATING_SYSTEM;
    }
    share->page->is_locked = doca_priv_sys_page_lock(share->fd);
    share->exporter_fd = -1;
    share->value = &share->page->value;
    return DOCA_SUCCESS;
}

/* Table of the processes from which this process imports values. Each entry has one file
 * descriptor, which all imports from that process share. After fork(), a child does not use entries
 * of its parent for new imports, because it may have closed their descriptors. When the table is
 * full, each further import opens a descriptor of its own. */
#define DOCA_PRIV_EXPORTERS 256

struct doca_priv_exporter {
    uint32_t num_shares; /* 0: the entry is free */
    uint32_t pid;
    uint32_t importer_pid; /* process that opened fd */
    int fd;                /* descriptor that is readable once the process `pid` has exited */
};

static struct {
    uint32_t lock;
    struct doca_priv_exporter slots[DOCA_PRIV_EXPORTERS];
} doca_priv_exporters;

/* Give an import a descriptor of the process `pid`: an existing one or a new one. An entry whose
 * process has exited is not used: if a process with that number exists, it is a different
 * process. */
static void doca_priv_share_get_exporter(struct doca_priv_event_share *share, uint32_t pid)
{
    struct doca_priv_exporter *slots = doca_priv_exporters.slots, *found = NULL;
    const uint32_t me = doca_priv_sys_pid();
    uint32_t i;

    doca_priv_lock(&doca_priv_exporters.lock);
    for (i = 0; i < DOCA_PRIV_EXPORTERS; i++) {
        if (slots[i].num_shares == 0) {
            found = found == NULL ? &slots[i] : found;
        } else if (slots[i].pid == pid && slots[i].importer_pid == me &&
                   !doca_priv_sys_process_is_gone(slots[i].fd, pid, -1)) {
            found = &slots[i];
            break;
        }
    }
    share->exporter_pid = pid;
    share->exporter_fd = found != NULL && found->num_shares > 0 ? found->fd
                                                                : doca_priv_sys_process_open(pid);
    if (found != NULL && share->exporter_fd >= 0) {
        found->num_shares++;
        found->pid = pid;
        found->importer_pid = me;
        found->fd = share->exporter_fd;
        share->exporter_slot = (uint32_t)(found - slots) + 1;
    }
    doca_priv_unlock(&doca_priv_exporters.lock);
}

/* Undo doca_priv_share_get_exporter(). The last import from the process closes the descriptor. */
static void doca_priv_share_put_exporter(struct doca_priv_event_share *share)
{
    const uint32_t slot = share->exporter_slot;
    bool is_last = true;

    if (slot != 0) {
        doca_priv_lock(&doca_priv_exporters.lock);
        is_last = --doca_priv_exporters.slots[slot - 1].num_shares == 0;
        doca_priv_unlock(&doca_priv_exporters.lock);
    }
    if (is_last)
        doca_priv_sys_close(share->exporter_fd);
    share->exporter_fd = -1;
    share->exporter_slot = 0;
}

DOCA_PRIV_DECL void doca_priv_share_unmap(struct doca_priv_event_share *share)
{
    if (share->page != NULL)
        doca_priv_sys_page_close(share->fd, share->page);
    if (doca_priv_share_is_imported(share))
        doca_priv_share_put_exporter(share);
    share->page = NULL;
    share->value = NULL;
}

/* End a value created by doca_priv_share_create(): set is_closed and wake sleeping importers. */
DOCA_PRIV_DECL void doca_priv_share_close(struct doca_priv_event_share *share)
{
    if (share->page != NULL) {
        DOCA_PRIV_STORE_ORDERED(&share->page->is_closed, 1u);
        doca_priv_share_notify(share);
    }
    doca_priv_share_unmap(share);
}

/* Import the value of an export descriptor of `kind`. Returns SUCCESS, or the error with the reason
 * in *item. The function opens the descriptor of the exporting process before it opens the page. So
 * if the process then has the page, the process descriptor belongs to the exporter and not to a
 * later process with the same number. */
DOCA_PRIV_DECL doca_error_t doca_priv_share_import(struct doca_priv_event_share *share,
                                                   const uint8_t *data, size_t sz,
                                                   enum doca_priv_export_kind kind,
                                                   enum doca_core_item *item)
{
    struct doca_priv_event_desc desc;
    void *page = NULL;
    doca_error_t rc;

    rc = doca_priv_export_open(data, sz, kind, kind, &desc.head, sizeof(desc), item);
    if (rc != DOCA_SUCCESS)
        return rc;
    *item = DOCA_PRIV_SHARES_CELLS ? DOCA_CORE_ITEM_EXPORT_MACHINE : DOCA_CORE_ITEM_EVENT_SYSTEM;
    if (!DOCA_PRIV_SHARES_CELLS || desc.head.machine == 0) /* 0: only devices can import it */
        return DOCA_ERROR_NOT_SUPPORTED;
    doca_priv_share_get_exporter(share, desc.head.pid);
    rc = desc.head.pid != 0 ? doca_priv_sys_page_open(desc.head.pid, desc.fd, &share->fd, &page)
                            /* doca_priv_sys_page_open() would take pid 0 for this process */
                            : DOCA_ERROR_NOT_FOUND;
    if (rc == DOCA_SUCCESS) {
        share->page = (struct doca_priv_event_page *)page;
        share->value = &share->page->value;
        if (share->page->token == desc.head.token && !doca_priv_share_is_reset(share))
            return DOCA_SUCCESS;
        rc = DOCA_ERROR_NOT_FOUND;
    }
    doca_priv_share_unmap(share);
    *item = rc == DOCA_ERROR_NOT_PERMITTED ? DOCA_CORE_ITEM_EVENT_OTHER_USER
            : rc == DOCA_ERROR_NOT_FOUND   ? DOCA_CORE_ITEM_EVENT_GONE
                                           : DOCA_CORE_ITEM_EVENT_SYSTEM;
    return rc == DOCA_ERROR_NOT_FOUND ? DOCA_ERROR_INVALID_VALUE : rc;
}
