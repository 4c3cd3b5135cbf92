/* ---- >>impl.ctx.offload ----------------------------------------------------------------------
 * Calls that choose where the data path of a context runs, and which interrupt vector it uses.  */
#include "progress/ctx.h"

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "progress/ctx_priv.h"

/* Reject a data path on another processor. */
static doca_error_t doca_priv_ctx_no_offload(struct doca_ctx *ctx, const void *processor,
                                             const char *function)
{
    DOCA_PRIV_OPEN(ctx)
    DOCA_PRIV_ENTER(ctx, function)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_ctx_check(ctx, processor, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_ctx_change(ctx, DOCA_ERROR_BAD_STATE, function);
    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED,
                                               DOCA_CORE_ITEM_CTX_NO_OFFLOAD, function, ctx);
}

DOCA_CORE_DECL doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx,
                                                         struct doca_dpa *dpa_dev)
{
    return doca_priv_ctx_no_offload(ctx, dpa_dev, __func__);
}

DOCA_CORE_DECL doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx,
                                                         struct doca_gpu *gpu_dev)
{
    return doca_priv_ctx_no_offload(ctx, gpu_dev, __func__);
}

DOCA_CORE_DECL doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx,
                                                           uint32_t comp_vector)
{
    DOCA_PRIV_OPEN(ctx)
    DOCA_PRIV_ENTER(ctx, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (comp_vector != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, CTX_NO_VECTOR, ctx);
    return doca_priv_ctx_change(ctx, DOCA_ERROR_BAD_STATE, __func__);
}

DOCA_CORE_DECL doca_error_t doca_ctx_cap_get_num_completion_vectors(
    const struct doca_devinfo *devinfo, uint32_t *num_comp_vectors)
{
    doca_error_t rc =
        doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, num_comp_vectors, __func__);

    if (rc == DOCA_SUCCESS)
        *num_comp_vectors = 1;
    return rc;
}
