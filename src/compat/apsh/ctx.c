/* ---- >>impl.apsh.ctx -------------------------------------------------------------------------
 * Create, start and destroy a context.                                                          */
#include "compat/apsh/ctx.h"

#include "compat/apsh/config.h"
#include "compat/apsh/object.h"
#include "compat/apsh/object_priv.h"

DOCA_CORE_DECL struct doca_apsh_ctx *doca_core_apsh_create_in(struct doca_core_arena *arena)
{
    struct doca_apsh_ctx *ctx;
    void *block = NULL;

    if (doca_priv_apsh_take(arena, sizeof(*ctx), &block) != DOCA_SUCCESS)
        return NULL;
    ctx = (struct doca_apsh_ctx *)block;
    ctx->guard = DOCA_PRIV_APSH_CTX;
    ctx->num_users = 1;
    ctx->arena = arena;
    return ctx;
}

DOCA_CORE_DECL struct doca_apsh_ctx *doca_apsh_create(void)
{
    return doca_core_apsh_create_in(doca_core_arena_bound());
}

DOCA_CORE_DECL void doca_apsh_destroy(struct doca_apsh_ctx *ctx)
{
    if (ctx == NULL)
        return;
    if (!doca_priv_apsh_is_ctx(ctx)) {
        (void)DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, __func__);
        return;
    }
    ctx->guard = 0;
    doca_priv_apsh_ctx_drop(ctx);
}

DOCA_CORE_DECL doca_error_t doca_apsh_dma_dev_set(struct doca_apsh_ctx *ctx,
                                                  struct doca_dev *dma_dev)
{
    doca_error_t rc = doca_priv_apsh_ctx_check(ctx, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (dma_dev == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    if (!doca_core_backend_is_dev(dma_dev, __func__))
        return DOCA_ERROR_INVALID_VALUE;
    ctx->dma_dev = dma_dev;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_apsh_start(struct doca_apsh_ctx *ctx)
{
    doca_error_t rc = doca_priv_apsh_ctx_check(ctx, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (ctx->dma_dev == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_NO_DEV, __func__);
    if (doca_dma_cap_task_memcpy_is_supported(doca_dev_as_devinfo(ctx->dma_dev)) != DOCA_SUCCESS)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEV_NO_DMA, __func__);
    ctx->is_started = true;
    return DOCA_SUCCESS;
}
