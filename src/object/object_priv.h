/* ---- >>priv.object ---------------------------------------------------------------------------
 * Declarations of >>impl.object for other parts.                                                */
#ifndef DOCA_SRC_OBJECT_OBJECT_PRIV_H
#define DOCA_SRC_OBJECT_OBJECT_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/log.h"
#include "base/types.h"
#include "object/hot.h"

struct doca_priv_object;
struct doca_priv_text;

DOCA_PRIV_DECL void doca_priv_object_init(struct doca_priv_object *obj, uint8_t kind);
DOCA_PRIV_DECL void doca_priv_object_end(struct doca_priv_object *obj);
DOCA_PRIV_DECL unsigned doca_priv_high_bit(uint64_t x);
DOCA_PRIV_DECL unsigned doca_priv_low_bit(uint64_t x);
DOCA_PRIV_DECL size_t doca_priv_size(size_t n, size_t each, size_t more);
DOCA_PRIV_DECL size_t doca_priv_stock_size(size_t num, size_t each, size_t more);
DOCA_PRIV_DECL size_t doca_priv_round_up(size_t bytes);
#if DOCA_CORE_CHECK >= 2
DOCA_PRIV_DECL bool doca_priv_check_add_life(const void *object, const char *before,
                                             struct doca_priv_text *text);
DOCA_PRIV_DECL const void *doca_priv_check_history_of(enum doca_core_item item, const void *object);
DOCA_PRIV_DECL const void *doca_priv_check_step_aside(void);
DOCA_PRIV_DECL void doca_priv_check_step_back(const void *stock);
#endif

/* True when `object` is a live object of one of these types. With DOCA_CORE_CHECK 0, true when it
 * is not NULL. */
DOCA_PRIV_HOT bool doca_priv_is_between(const void *object, uint8_t first, uint8_t last)
{
    const struct doca_priv_object *obj = (const struct doca_priv_object *)object;

    return obj != NULL &&
           (DOCA_CORE_CHECK == 0 || ((uintptr_t)obj % sizeof(void *) == 0 && obj->kind >= first &&
                                     obj->kind <= last && obj->guard == DOCA_PRIV_GUARD));
}

DOCA_PRIV_HOT bool doca_priv_is(const void *object, uint8_t kind)
{
    return doca_priv_is_between(object, kind, kind);
}

#endif
