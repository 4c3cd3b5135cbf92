/* ---- >>impl.sync_listen ---------------------------------------------------------------------
 * Listeners: how changes of shared values wake a PE. A listener belongs to an event context that
 * has wait tasks for a value in a shared page; the listeners of a PE form a list.
 *   pe->inotify     the inotify instance of the PE, with a watch for each page. An update that must
 *                   wake waiting contexts writes to the page's file and thereby adds an inotify
 *                   event.
 *   pe->listen_set  an epoll set with pe->inotify and with the process descriptors of all
 *                   exporters. It is part of the notification handle (pe->fd) while a listener is
 *                   armed.
 * doca_pe_request_notification() drains both once, before it reads any value, so that the event of
 * a later change is not lost. Contexts of a PE with the same page share a watch: their listeners
 * form a ring, and closing the last of them removes the watch. A context that has no waiting tasks
 * at the time of the request needs no events. If that is so for all listeners of a ring, the watch
 * is disabled.                                                                                   */
#include "engine/sync_listen_priv.h"

#include "base/error.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "progress/pe.h"
#include "progress/pe_priv.h"
#include "engine/sync_event.h"

/* True when a listener of the PE has a value that was imported from the process with this
 * descriptor. */
static bool doca_priv_listener_knows(const struct doca_pe *pe, int exporter)
{
    const struct doca_priv_listener *l = pe->listeners;

    while (l != NULL && l->share->exporter_fd != exporter)
        l = l->next;
    return l != NULL;
}

static void doca_priv_listener_close_set(struct doca_pe *pe)
{
    doca_priv_sys_wait_close(pe->listen_set, pe->inotify);
    pe->listen_set = doca_event_invalid_handle;
    pe->inotify = doca_event_invalid_handle;
}

/* Open a listener for a value in a page. Returns false, with the failed step in *why, if the
 * operating system refuses a resource. */
DOCA_PRIV_DECL bool doca_priv_listener_open(struct doca_pe *pe, struct doca_priv_listener *l,
                                            const struct doca_priv_event_share *share,
                                            struct doca_core_refusal *why)
{
    struct doca_priv_listener *other = pe->listeners;
    bool is_new = false;

    l->watch = -1;
    l->share = share;
    if (other == NULL && !doca_priv_sys_listen_open(&pe->listen_set, &pe->inotify, why))
        return false;
    if (share->exporter_fd < 0 ||
        doca_priv_sys_listen_process(pe->listen_set, share->exporter_fd, why))
        l->watch = doca_priv_sys_listen_add(pe->inotify, share->fd, &is_new, why);
    if (l->watch < 0) {
        if (other == NULL)
            doca_priv_listener_close_set(pe);
        else if (share->exporter_fd >= 0 && !doca_priv_listener_knows(pe, share->exporter_fd))
            doca_priv_sys_unwatch(pe->listen_set, share->exporter_fd);
        return false;
    }
    l->is_enabled = true;
    l->same = l;
    while (other != NULL && (is_new || other->watch != l->watch))
        other = is_new ? NULL : other->next;
    if (other != NULL) {
        l->same = other->same;
        other->same = l;
    }
    l->next = pe->listeners;
    if (l->next != NULL)
        l->next->prev = l;
    pe->listeners = l;
    return true;
}

/* Set l->is_enabled. If no other listener of the ring needs the watch, enable or disable the watch
 * as well. Returns false if the watch could not be enabled. */
DOCA_PRIV_DECL bool doca_priv_listener_tune(struct doca_pe *pe, struct doca_priv_listener *l,
                                            bool is_enabled)
{
    const struct doca_priv_listener *other = l->same;

    if (l->is_enabled == is_enabled)
        return true;
    while (other != l && !other->is_enabled)
        other = other->same;
    if (other == l && !doca_priv_sys_listen_enable(pe->inotify, l->share->fd, is_enabled))
        return !is_enabled;
    l->is_enabled = is_enabled;
    return true;
}

/* Close a listener. The removal of the watch does not wake the PE by itself. But if the removal
 * discards inotify events for other armed listeners, the PE is signalled. */
DOCA_PRIV_DECL void doca_priv_listener_close(struct doca_pe *pe, struct doca_priv_listener *l)
{
    struct doca_priv_listener *other = l->same;

    if (l->next != NULL)
        l->next->prev = l->prev;
    if (l->prev != NULL)
        l->prev->next = l->next;
    else
        pe->listeners = l->next;
    if (pe->listeners == NULL) {
        doca_priv_listener_close_set(pe);
    } else if (other != l) {
        (void)doca_priv_listener_tune(pe, l, false);
        while (other->same != l)
            other = other->same;
        other->same = l->same;
    } else if (doca_priv_sys_listen_remove(pe->inotify, l->watch, pe->is_listening != 0)) {
        (void)doca_priv_pe_signal(pe, "doca_ctx_stop"); /* events of other watches were discarded */
    }
    if (pe->listeners != NULL && l->share->exporter_fd >= 0 &&
        !doca_priv_listener_knows(pe, l->share->exporter_fd))
        doca_priv_sys_unwatch(pe->listen_set, l->share->exporter_fd);
    l->watch = -1;
}

/* Arm a listener: let changes of the value, and the exit of the exporter, wake the PE. The PE has a
 * notification handle already. Returns false if arming is not possible. */
DOCA_PRIV_DECL bool doca_priv_listener_arm(struct doca_pe *pe, struct doca_priv_listener *l)
{
    pe->num_hearing++;
    if (!pe->is_listening && doca_priv_sys_watch(pe->fd, pe->listen_set))
        pe->is_listening = 1;
    return doca_priv_listener_tune(pe, l, true) && pe->is_listening;
}

/* Disarm one of the armed listeners. The last one takes pe->listen_set out of the notification
 * handle. */
DOCA_PRIV_DECL void doca_priv_listener_disarm(struct doca_pe *pe)
{
    if (--pe->num_hearing > 0 || !pe->is_listening)
        return;
    doca_priv_sys_unwatch(pe->fd, pe->listen_set);
    pe->is_listening = 0;
}
