/* ---- >>priv.sync_listen ----------------------------------------------------------------------
 * Declarations of >>impl.sync_listen for other parts of the library.                            */
#ifndef DOCA_SRC_ENGINE_SYNC_LISTEN_PRIV_H
#define DOCA_SRC_ENGINE_SYNC_LISTEN_PRIV_H

#include "base/compiler.h"
#include "progress/pe.h"

struct doca_core_refusal;
struct doca_priv_event_share;

/* Subscription of an event context to writes to the page of its value. */
struct doca_priv_listener {
    struct doca_priv_listener *next, *prev; /* list of all listeners of the PE; ends with NULL */
    struct doca_priv_listener *same;        /* ring of the listeners of the PE with this watch */
    const struct doca_priv_event_share *share;
    int watch;       /* inotify watch descriptor of the page; -1 while closed */
    bool is_enabled; /* true: writes to the page shall wake the PE. The watch is disabled while this
                      * is false for every listener of the ring. */
};

DOCA_PRIV_DECL bool doca_priv_listener_open(struct doca_pe *pe, struct doca_priv_listener *l,
                                            const struct doca_priv_event_share *share,
                                            struct doca_core_refusal *why);
DOCA_PRIV_DECL bool doca_priv_listener_tune(struct doca_pe *pe, struct doca_priv_listener *l,
                                            bool is_enabled);
DOCA_PRIV_DECL void doca_priv_listener_close(struct doca_pe *pe, struct doca_priv_listener *l);
DOCA_PRIV_DECL bool doca_priv_listener_arm(struct doca_pe *pe, struct doca_priv_listener *l);
DOCA_PRIV_DECL void doca_priv_listener_disarm(struct doca_pe *pe);

#endif
