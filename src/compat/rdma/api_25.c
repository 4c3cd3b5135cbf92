/* ---- >>impl.rdma.api_25 ---------------------------------------------------------------------
 * The calls of 2.5. An instance has one connection, and no call has a connection argument.       */
#include "compat/rdma/api_25.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/types.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/devinfo_priv.h"
#include "progress/ctx.h"
#include "fault/text_priv.h"
#include "compat/rdma/create_priv.h"
#include "compat/rdma/objects_priv.h"

/* Check that an instance is one of 2.5 and started. */
static doca_error_t doca_priv_rdma_check_25(const struct doca_rdma *rdma, const void *pointer,
                                            const char *function)
{
    doca_error_t rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, pointer, function);

    if (rc == DOCA_SUCCESS && !rdma->is_of_25)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_RDMA_OF_25, function, rdma);
    if (rc == DOCA_SUCCESS && rdma->ctx.obj.state != DOCA_CTX_STATE_STARTING &&
        rdma->ctx.obj.state != DOCA_CTX_STATE_RUNNING)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_RDMA_NOT_STARTED, function, rdma);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_rdma_25_export(const struct doca_rdma *rdma,
                                                     const void **local_rdma_conn_details,
                                                     size_t *local_rdma_conn_details_size)
{
    DOCA_PRIV_OPEN(rdma)
    doca_error_t rc = doca_priv_rdma_check_25(rdma, local_rdma_conn_details, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (local_rdma_conn_details_size == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, rdma);
    rc = doca_priv_fault_call(&rdma->ctx, DOCA_PRIV_FAULT_RDMA_EXPORT);
    if (rc != DOCA_SUCCESS)
        return rc;
    *local_rdma_conn_details = rdma->transport->show(&rdma->conns[0], local_rdma_conn_details_size);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_rdma_25_connect(struct doca_rdma *rdma,
                                                      const void *remote_rdma_conn_details,
                                                      size_t remote_rdma_conn_details_size)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_rdma_check_25(rdma, rdma, __func__);
    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_rdma_connect(rdma, &rdma->conns[0], remote_rdma_conn_details,
                                        remote_rdma_conn_details_size, __func__);
}

DOCA_CORE_DECL struct doca_rdma_connection *doca_core_rdma_25_connection(struct doca_rdma *rdma)
{
    DOCA_PRIV_OPEN(rdma)
    return doca_priv_is(rdma, DOCA_PRIV_KIND_RDMA) && rdma->is_of_25 && rdma->ctx.queue != NULL
               ? &rdma->conns[0]
               : NULL;
}
