/* ---- >>impl.rdma.unsupported ----------------------------------------------------------------
 * Calls for processors that do not exist here, and for programs that use librdmacm themselves.  */
#include "compat/rdma/rdma.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/types.h"
#include "object/check.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "compat/rdma/connection.h"
#include "compat/rdma/objects_priv.h"

/* Check the arguments of a call, and refuse it for the reason `item`. */
static doca_error_t doca_priv_rdma_no(const struct doca_rdma *rdma, const void *pointer,
                                      enum doca_core_item item, const char *function)
{
    DOCA_PRIV_OPEN(rdma)
    doca_error_t rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, pointer, function);

    return rc != DOCA_SUCCESS ? rc : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, item, function, rdma);
}

DOCA_CORE_DECL doca_error_t doca_rdma_dpa_completion_attach(struct doca_rdma *rdma,
                                                            struct doca_dpa_completion *dpa_comp)
{
    return doca_priv_rdma_no(rdma, dpa_comp, DOCA_CORE_ITEM_RDMA_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_get_dpa_handle(struct doca_rdma *rdma,
                                                     doca_dpa_dev_rdma_t *dpa_rdma)
{
    return doca_priv_rdma_no(rdma, dpa_rdma, DOCA_CORE_ITEM_RDMA_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_get_gpu_handle(struct doca_rdma *rdma,
                                                     struct doca_gpu_dev_rdma **gpu_rdma)
{
    return doca_priv_rdma_no(rdma, gpu_rdma, DOCA_CORE_ITEM_RDMA_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_bridge_prepare_connection(
    struct doca_rdma *rdma, struct rdma_cm_id *cm_id, struct doca_rdma_connection **rdma_connection)
{
    return doca_priv_rdma_no(rdma, rdma_connection != NULL ? cm_id : NULL,
                             DOCA_CORE_ITEM_RDMA_NO_BRIDGE, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_bridge_accept(struct doca_rdma *rdma,
                                                    struct rdma_cm_id *cm_id, void *private_data,
                                                    uint8_t private_data_len,
                                                    struct doca_rdma_connection **rdma_connection)
{
    (void)private_data;
    (void)private_data_len;
    return doca_priv_rdma_no(rdma, rdma_connection != NULL ? cm_id : NULL,
                             DOCA_CORE_ITEM_RDMA_NO_BRIDGE, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_v3_rdma_bridge_accept(
    struct doca_rdma *rdma, void *private_data, uint8_t private_data_len,
    struct doca_rdma_connection *rdma_connection)
{
    (void)private_data;
    (void)private_data_len;
    return doca_priv_rdma_no(rdma, rdma_connection, DOCA_CORE_ITEM_RDMA_NO_BRIDGE, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_rdma_bridge_established(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection)
{
    return doca_priv_rdma_no(rdma, rdma_connection, DOCA_CORE_ITEM_RDMA_NO_BRIDGE, __func__);
}
