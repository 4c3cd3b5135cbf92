/* ---- >>priv.check ----------------------------------------------------------------------------
 * Functions of the checked mode that the other parts call; the code is in src/check/.           */
#ifndef DOCA_SRC_OBJECT_CHECK_PRIV_H
#define DOCA_SRC_OBJECT_CHECK_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "object/check.h"

DOCA_PRIV_DECL const char *doca_priv_kind_name(uint8_t kind);
DOCA_PRIV_DECL const char *doca_priv_state_name(uint8_t kind, uint8_t state);
#if DOCA_CORE_CHECK >= 2
struct doca_priv_check_visit;

DOCA_PRIV_DECL void doca_priv_check_watch_forks(void);
DOCA_PRIV_DECL struct doca_priv_check_visit
doca_priv_check_enter(const void *object, const char *function, bool stays, uintptr_t place);
DOCA_PRIV_DECL void doca_priv_check_leave(struct doca_priv_check_visit *visit);
DOCA_PRIV_DECL void doca_priv_check_forget(const void *object);
DOCA_PRIV_DECL uintptr_t doca_priv_check_place(void);
DOCA_PRIV_DECL const char *doca_priv_check_function(const struct doca_pe *pe);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_check_join(struct doca_mmap *mmap);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_check_part(struct doca_mmap *mmap, uint32_t serial);
DOCA_PRIV_DECL void doca_priv_check_childless(const uint32_t *num_children, const void *parent,
                                              const char *function);
DOCA_PRIV_DECL bool doca_priv_check_is_busy(const struct doca_buf *buf, bool is_list,
                                            const char *function);
DOCA_PRIV_DECL uint64_t doca_priv_check_life_of(const struct doca_buf *buf);
DOCA_PRIV_DECL const struct doca_buf *doca_priv_check_find_other(const struct doca_task *task);
DOCA_PRIV_DECL bool doca_priv_check_is_out(const struct doca_buf *buf);
DOCA_PRIV_DECL bool doca_priv_check_has_ring(const struct doca_task *task);
DOCA_PRIV_DECL const void *doca_priv_check_returned(const struct doca_task *task);
DOCA_PRIV_DECL void doca_priv_check_begin(struct doca_task *task);
#endif

#endif
