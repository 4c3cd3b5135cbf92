/* ---- >>priv.arena ----------------------------------------------------------------------------
 * Declarations of >>impl.arena for other parts.                                                 */
#ifndef DOCA_SRC_OBJECT_ARENA_PRIV_H
#define DOCA_SRC_OBJECT_ARENA_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "object/arena.h"

struct doca_priv_object;

DOCA_PRIV_DECL void doca_priv_stocks_forget(const void *mem, size_t bytes);
DOCA_PRIV_DECL void doca_priv_arena_clear(struct doca_core_arena *arena);
DOCA_PRIV_DECL doca_error_t doca_priv_arena_take(struct doca_core_arena *arena, size_t bytes,
                                                 void **block, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_object_take(struct doca_core_arena *arena, size_t bytes,
                                                  void **p, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_object_give(struct doca_core_arena *arena,
                                                  struct doca_priv_object *obj);
DOCA_PRIV_DECL doca_error_t doca_priv_count(struct doca_core_arena *arena, const size_t *bytes,
                                            const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_counted(const struct doca_core_arena *arena, doca_error_t rc,
                                              size_t *bytes, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_bytes_object(size_t object_bytes, size_t *bytes,
                                                   const char *function);

#endif
