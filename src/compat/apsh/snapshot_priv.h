/* ---- >>priv.apsh.snapshot --------------------------------------------------------------------
 * A snapshot is one block of the arena: a head, `num` pointers to elements, the elements, and then
 * their strings. The program gets the address of the pointers.                                  */
#ifndef DOCA_SRC_COMPAT_APSH_SNAPSHOT_PRIV_H
#define DOCA_SRC_COMPAT_APSH_SNAPSHOT_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/object.h"

/* Kinds of lists. The number of a kind is the last byte of the guards of its snapshots and
 * elements. */
enum doca_priv_apsh_kind {
    DOCA_PRIV_APSH_PROCESSES,
    DOCA_PRIV_APSH_MODULES,
    DOCA_PRIV_APSH_LIBS,
    DOCA_PRIV_APSH_THREADS,
    DOCA_PRIV_APSH_VADS,
    DOCA_PRIV_APSH_ATTESTATIONS,
    DOCA_PRIV_APSH_MATCHES,
    DOCA_PRIV_APSH_ENVARS,
    DOCA_PRIV_APSH_KINDS
};

#define DOCA_PRIV_APSH_MAX_ATTRS 10        /* maximum number of attributes of an element */
#define DOCA_PRIV_APSH_LIST 0x6c687000u    /* guard of a snapshot, before the kind */
#define DOCA_PRIV_APSH_ELEMENT 0x65687000u /* guard of an element, before the kind */

struct doca_priv_apsh_snapshot {
    uint32_t guard;
    uint32_t num; /* elements that the program sees */
    uint32_t max; /* elements that the block has room for */
    struct doca_apsh_system *system;
    char *text;     /* address for the next string */
    char *text_end;
};

/* The head of an element. A value for each attribute of its kind follows. */
struct doca_priv_apsh_element {
    uint32_t guard;
    struct doca_priv_apsh_snapshot *snapshot;
    uint64_t at; /* address of the kernel's object in the target */
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_snapshot_make(struct doca_apsh_system *system,
                                                         enum doca_priv_apsh_kind kind,
                                                         uint32_t max, size_t text_bytes,
                                                         struct doca_priv_apsh_snapshot **snapshot);
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_end(struct doca_priv_apsh_snapshot *snapshot);
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_free(void *pointers, enum doca_priv_apsh_kind kind,
                                                 const char *function);
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_give(struct doca_priv_apsh_snapshot *snapshot,
                                                 void *pointers, int *num);
DOCA_PRIV_DECL struct doca_priv_apsh_element *
doca_priv_apsh_snapshot_add(struct doca_priv_apsh_snapshot *snapshot, uint64_t at);
DOCA_PRIV_DECL void doca_priv_apsh_set(struct doca_priv_apsh_element *element, int attr,
                                       uint64_t value);
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_add_all(struct doca_priv_apsh_snapshot *snapshot,
                                                    uint64_t at, const uint64_t *values);
DOCA_PRIV_DECL char *doca_priv_apsh_text_room(struct doca_priv_apsh_snapshot *snapshot,
                                              size_t len);
DOCA_PRIV_DECL char *doca_priv_apsh_text(struct doca_priv_apsh_snapshot *snapshot,
                                         const char *text, size_t len);
DOCA_PRIV_DECL struct doca_priv_apsh_element *
doca_priv_apsh_snapshot_at(struct doca_priv_apsh_snapshot *snapshot, uint32_t number);
DOCA_PRIV_DECL struct doca_priv_apsh_snapshot *
doca_priv_apsh_snapshot_of(void *pointers, enum doca_priv_apsh_kind kind);
DOCA_PRIV_DECL const char *doca_priv_apsh_first_text(struct doca_priv_apsh_snapshot *snapshot);
DOCA_PRIV_DECL const void *doca_priv_apsh_get(const void *element, enum doca_priv_apsh_kind kind,
                                              int attr, const char *function);
DOCA_PRIV_DECL bool doca_priv_apsh_is_element(const void *element, enum doca_priv_apsh_kind kind);

#endif
