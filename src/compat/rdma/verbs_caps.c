/* ---- >>impl.rdma.verbs_caps -----------------------------------------------------------------
 * Limits and global identifiers of RDMA devices, as libibverbs reports them. A query about a device
 * of a list opens the device for the time of the call.                                          */
#include "compat/rdma/verbs_caps_priv.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/log_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "compat/rdma/config.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"
#include "compat/rdma/rdma.h"
#include "compat/rdma/verbs_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS

/* Open the device with this name. Returns NULL with an errno in *error. */
static struct ibv_context *doca_priv_rdma_verbs_open_named(const char *name, int *error)
{
    struct ibv_context *context = NULL;
    struct ibv_device **list;
    int num = 0, i = 0;

    errno = 0;
    list = ibv_get_device_list(&num);
    while (list != NULL && i < num && !doca_priv_str_equal(ibv_get_device_name(list[i]), name))
        i++;
    if (list != NULL && i == num)
        errno = ENODEV;
    else if (list != NULL)
        context = ibv_open_device(list[i]);
    *error = errno;
    if (list != NULL)
        ibv_free_device_list(list);
    return context;
}

/* Open the device of a devinfo for a query. */
static doca_error_t doca_priv_rdma_verbs_begin_query(const struct doca_devinfo *devinfo,
                                                     struct ibv_context **context,
                                                     const char *function)
{
    int error = 0;

    *context = doca_priv_rdma_verbs_open_named(devinfo->attr.ibdev_name, &error);
    return *context != NULL
               ? DOCA_SUCCESS
               : doca_priv_rdma_verbs_refused(DOCA_ERROR_DRIVER, function, devinfo,
                                              DOCA_PRIV_LOG_TEXT("open the device for a query "
                                                                 "(ibv_open_device)"),
                                              error);
}

/* Return the lower of a limit of the device and one of >>rdma.config. */
static uint32_t doca_priv_rdma_verbs_lower(int64_t of_device, uint32_t of_config)
{
    return of_device < (int64_t)of_config ? (uint32_t)of_device : of_config;
}

/* The same for the size of a queue: a power of two. */
static uint32_t doca_priv_rdma_verbs_size(int64_t of_device, uint32_t of_config)
{
    uint32_t size = of_config;

    while (size > 1 && (int64_t)size > of_device)
        size /= 2;
    return size;
}

/* Read the limits. Returns an errno with the step that failed, or 0. */
static int doca_priv_rdma_verbs_query(struct ibv_context *context,
                                      struct doca_priv_rdma_limits *limits, const char **step)
{
    struct ibv_device_attr device;
    struct ibv_port_attr port;
    int error;

    DOCA_CORE_MEMSET(&port, 0, sizeof(port));
    *step = DOCA_PRIV_LOG_TEXT("read the limits of the device (ibv_query_device)");
    error = ibv_query_device(context, &device);
    if (error != 0)
        return error;
    *step = DOCA_PRIV_LOG_TEXT("read the properties of the port (ibv_query_port)");
    error = ibv_query_port(context, DOCA_PRIV_RDMA_PORT, &port);
    if (error != 0)
        return error;
    limits->send_queue = doca_priv_rdma_verbs_size(device.max_qp_wr, DOCA_CORE_RDMA_MAX_SEND_QUEUE);
    limits->recv_queue =
        doca_priv_rdma_verbs_size(device.max_srq_wr, DOCA_CORE_RDMA_MAX_RECV_QUEUE);
    limits->send_list = doca_priv_rdma_verbs_lower(device.max_sge, DOCA_CORE_RDMA_MAX_SEND_LIST);
    if (device.max_sge_rd > 0) /* reads have lists, too */
        limits->send_list = doca_priv_rdma_verbs_lower(device.max_sge_rd, limits->send_list);
    limits->recv_list =
        doca_priv_rdma_verbs_lower(device.max_srq_sge, DOCA_CORE_RDMA_MAX_SEND_LIST);
    limits->message = doca_priv_rdma_verbs_lower(port.max_msg_sz, DOCA_CORE_RDMA_MAX_MESSAGE);
    limits->gids = (uint32_t)port.gid_tbl_len;
    return 0;
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_limit(const struct doca_devinfo *devinfo,
                                                       const struct doca_dev *dev,
                                                       struct doca_priv_rdma_limits *limits,
                                                       const char *function)
{
    struct ibv_context *context = NULL;
    struct ibv_pd *pd = NULL;
    const char *step = NULL;
    doca_error_t rc;
    int error;

    doca_priv_listen();
    if (dev != NULL) {
        rc = dev->backend->get_pd(dev, &pd);
        if (rc != DOCA_SUCCESS)
            return doca_priv_refused(rc, function, dev);
    } else {
        rc = doca_priv_rdma_verbs_begin_query(devinfo, &context, function);
        if (rc != DOCA_SUCCESS)
            return rc;
    }
    error = doca_priv_rdma_verbs_query(pd != NULL ? pd->context : context, limits, &step);
    if (context != NULL)
        (void)ibv_close_device(context);
    return error == 0
               ? DOCA_SUCCESS
               : doca_priv_rdma_verbs_refused(DOCA_ERROR_DRIVER, function, devinfo, step, error);
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_read_gids(const struct doca_devinfo *devinfo,
                                                           uint32_t first, uint32_t num,
                                                           struct doca_rdma_gid *gids,
                                                           const char *function)
{
    struct ibv_context *context = NULL;
    union ibv_gid gid;
    doca_error_t rc = doca_priv_rdma_verbs_begin_query(devinfo, &context, function);
    uint32_t i;

    for (i = 0; i < num && rc == DOCA_SUCCESS; i++) {
        DOCA_CORE_MEMSET(&gid, 0, sizeof(gid)); /* the index of an unused entry is refused */
        if (ibv_query_gid(context, DOCA_PRIV_RDMA_PORT, (int)(first + i), &gid) != 0)
            DOCA_CORE_MEMSET(&gid, 0, sizeof(gid));
        DOCA_CORE_MEMCPY(gids[i].raw, gid.raw, sizeof(gids[i].raw));
    }
    if (context != NULL)
        (void)ibv_close_device(context);
    return rc;
}

#endif /* DOCA_CORE_RDMA_VERBS */
