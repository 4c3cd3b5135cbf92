/* ---- >>priv.apsh.object ----------------------------------------------------------------------
 * Checks of handles, references to contexts and systems, and the report of failures.            */
#ifndef DOCA_SRC_COMPAT_APSH_OBJECT_PRIV_H
#define DOCA_SRC_COMPAT_APSH_OBJECT_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/object.h"
#include "compat/apsh/platform_priv.h"

/* The first word of each kind of object. It is 0 after the object was destroyed. */
#define DOCA_PRIV_APSH_CTX 0x63687061u
#define DOCA_PRIV_APSH_SYSTEM 0x73687061u

/* Record and log a failure of a call of the program. Returns `code`. */
#define DOCA_PRIV_APSH_FAIL(code, item, function)                                                  \
    doca_core_backend_fail(DOCA_ERROR_##code, DOCA_CORE_ITEM_##item, function, NULL, 0)

DOCA_PRIV_DECL bool doca_priv_apsh_is_ctx(const struct doca_apsh_ctx *ctx);
DOCA_PRIV_DECL bool doca_priv_apsh_is_system(const struct doca_apsh_system *system);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_ctx_check(const struct doca_apsh_ctx *ctx,
                                                     const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_system_check(const struct doca_apsh_system *system,
                                                        const void *argument,
                                                        const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_take(struct doca_core_arena *arena, size_t bytes,
                                                void **block);
DOCA_PRIV_DECL void doca_priv_apsh_give(struct doca_core_arena *arena, void *block);
DOCA_PRIV_DECL void doca_priv_apsh_ctx_drop(struct doca_apsh_ctx *ctx);
DOCA_PRIV_DECL void doca_priv_apsh_system_drop(struct doca_apsh_system *system);

#endif
