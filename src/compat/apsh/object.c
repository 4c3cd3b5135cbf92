/* ---- >>impl.apsh.object ----------------------------------------------------------------------
 * Checks of handles, references to contexts and systems, and sizes.                             */
#include "compat/apsh/object_priv.h"

#include "compat/apsh/config.h"
#include "compat/apsh/object.h"
#include "compat/apsh/platform_priv.h"

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_ctx(size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_CTX(1);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_system(size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_SYSTEM(1);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_start(struct doca_dev *dev, uint32_t num_pages,
                                                       size_t *bytes)
{
    size_t dma = 0;
    doca_error_t rc;

    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    rc = doca_core_bytes_dma(dev, DOCA_PRIV_APSH_DEPTH, &dma);
    if (rc == DOCA_SUCCESS)
        *bytes = dma + DOCA_CORE_BYTES_APSH_START(num_pages) -
                 DOCA_CORE_BYTES_DMA(DOCA_PRIV_APSH_DEPTH);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_processes(uint32_t num, size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_PROCESSES(num);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_modules(uint32_t num, size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_MODULES(num);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_threads(uint32_t num, size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_THREADS(num);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_vads(uint32_t num, size_t path_bytes,
                                                      size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_VADS(num, path_bytes);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_libs(uint32_t num, size_t path_bytes,
                                                      size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_LIBS(num, path_bytes);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_attestations(uint32_t num, size_t path_bytes,
                                                              size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_ATTESTATIONS(num, path_bytes);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_envars(uint32_t num, size_t text_bytes,
                                                        size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_ENVARS(num, text_bytes);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_matches(uint32_t num, size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_MATCHES(num);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL bool doca_priv_apsh_is_ctx(const struct doca_apsh_ctx *ctx)
{
    return ctx != NULL && ctx->guard == DOCA_PRIV_APSH_CTX;
}

DOCA_PRIV_DECL bool doca_priv_apsh_is_system(const struct doca_apsh_system *system)
{
    return system != NULL && system->guard == DOCA_PRIV_APSH_SYSTEM;
}

/* Check the handle that a program passed to a setter of a context. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_ctx_check(const struct doca_apsh_ctx *ctx,
                                                     const char *function)
{
    if (ctx == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, function);
    if (!doca_priv_apsh_is_ctx(ctx))
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, function);
    return ctx->is_started ? DOCA_PRIV_APSH_FAIL(BAD_STATE, APSH_STARTED, function) : DOCA_SUCCESS;
}

/* Check the arguments that a program passed to a setter of a system. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_system_check(const struct doca_apsh_system *system,
                                                        const void *argument, const char *function)
{
    if (system == NULL || argument == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, function);
    if (!doca_priv_apsh_is_system(system))
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, function);
    return system->is_started ? DOCA_PRIV_APSH_FAIL(BAD_STATE, APSH_STARTED, function)
                              : DOCA_SUCCESS;
}

/* Take a block of zeros. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_take(struct doca_core_arena *arena, size_t bytes,
                                                void **block)
{
    doca_error_t rc = doca_core_arena_take(arena, bytes, block);

    if (rc == DOCA_SUCCESS)
        memset(*block, 0, bytes);
    return rc;
}

/* Release a block. `block` may be NULL. */
DOCA_PRIV_DECL void doca_priv_apsh_give(struct doca_core_arena *arena, void *block)
{
    if (block != NULL)
        (void)doca_core_arena_give(arena, block);
}

/* Drop a reference to a context. The last reference releases its memory. */
DOCA_PRIV_DECL void doca_priv_apsh_ctx_drop(struct doca_apsh_ctx *ctx)
{
    if (DOCA_PRIV_APSH_ADD(&ctx->num_users, (uint32_t)-1) == 1)
        (void)doca_core_arena_give(ctx->arena, ctx);
}

/* Drop a reference to a system. The last reference releases its memory. */
DOCA_PRIV_DECL void doca_priv_apsh_system_drop(struct doca_apsh_system *system)
{
    if (DOCA_PRIV_APSH_ADD(&system->num_users, (uint32_t)-1) == 1)
        (void)doca_core_arena_give(system->arena, system);
}
