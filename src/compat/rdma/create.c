/* ---- >>impl.rdma.create ---------------------------------------------------------------------
 * Capabilities of devices; instances from create to destroy.                                    */
#include "compat/rdma/create_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/backend_priv.h"
#include "device/device.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "compat/rdma/api_25.h"
#include "compat/rdma/config.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/queue_priv.h"
#include "compat/rdma/rdma.h"
#include "compat/rdma/receive.h"
#include "compat/rdma/verbs_priv.h"

#define DOCA_PRIV_RDMA_QUEUE_SIZE 1024 /* initial size of both queues */
#define DOCA_PRIV_RDMA_TIMEOUT 2000    /* ms */

/* Return how instances of a device connect, or NULL when they cannot. Exports of a software device
 * are those of the operating system. */
static const struct doca_priv_rdma_transport *
doca_priv_rdma_transport_of(const struct doca_devinfo *devinfo)
{
    if (devinfo->attr.limits.has_rdma == 0)
        return NULL;
#ifdef DOCA_CORE_RDMA_VERBS
    if (devinfo->backend->mem_export != NULL && devinfo->backend->get_pd != doca_priv_absent_get_pd)
        return &doca_priv_rdma_verbs;
#endif
    return devinfo->backend->mem_export == NULL ? &doca_priv_rdma_local : NULL;
}

/* Check that a device can be used. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_check_devinfo(const struct doca_devinfo *devinfo,
                                                         const void *pointer, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, pointer, function);

    if (rc == DOCA_SUCCESS && doca_priv_rdma_transport_of(devinfo) == NULL)
        rc =
            doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_RDMA_DEVICE, function, devinfo);
    return rc;
}

/* Read the limits of a device that need not be open. */
static doca_error_t doca_priv_rdma_cap(const struct doca_devinfo *devinfo, const void *pointer,
                                       struct doca_priv_rdma_limits *limits, const char *function)
{
    doca_error_t rc = doca_priv_rdma_check_devinfo(devinfo, pointer, function);

    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_rdma_transport_of(devinfo)->limit(devinfo, NULL, limits, function);
}

/* Define a query of a limit. */
#define DOCA_PRIV_RDMA_CAP(name, member)                                                           \
    DOCA_CORE_DECL doca_error_t doca_rdma_cap_get_##name(const struct doca_devinfo *devinfo,       \
                                                         uint32_t *name)                           \
    {                                                                                              \
        struct doca_priv_rdma_limits limits;                                                       \
        doca_error_t rc = doca_priv_rdma_cap(devinfo, name, &limits, __func__);                    \
                                                                                                   \
        if (rc == DOCA_SUCCESS)                                                                    \
            *name = limits.member;                                                                 \
        return rc;                                                                                 \
    }

DOCA_PRIV_RDMA_CAP(max_recv_queue_size, recv_queue)
DOCA_PRIV_RDMA_CAP(max_send_queue_size, send_queue)
DOCA_PRIV_RDMA_CAP(max_send_buf_list_len, send_list)
DOCA_PRIV_RDMA_CAP(max_message_size, message)
DOCA_PRIV_RDMA_CAP(gid_table_size, gids)

/* Check a type of transport: RC is supported. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_check_transport(enum doca_rdma_transport_type type,
                                                           const void *object, const char *function)
{
    if (type == DOCA_RDMA_TRANSPORT_TYPE_RC)
        return DOCA_SUCCESS;
    return type == DOCA_RDMA_TRANSPORT_TYPE_DC
               ? doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_RDMA_DC, function, object)
               : doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_RDMA_LIMIT, function,
                                object);
}

DOCA_CORE_DECL doca_error_t doca_rdma_cap_transport_type_is_supported(
    const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type)
{
    doca_error_t rc = doca_priv_rdma_check_devinfo(devinfo, devinfo, __func__);

    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_rdma_check_transport(transport_type, devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
    const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type,
    uint32_t *max_buf_list_len)
{
    struct doca_priv_rdma_limits limits;
    doca_error_t rc = doca_priv_rdma_check_devinfo(devinfo, max_buf_list_len, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_check_transport(transport_type, devinfo, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_cap(devinfo, max_buf_list_len, &limits, __func__);
    if (rc == DOCA_SUCCESS)
        *max_buf_list_len = limits.recv_list;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_rdma_cap_get_gid(const struct doca_devinfo *devinfo,
                                                  uint32_t start_index, uint32_t num_entries,
                                                  struct doca_rdma_gid *gid_array)
{
    struct doca_priv_rdma_limits limits;
    doca_error_t rc = doca_priv_rdma_cap(devinfo, gid_array, &limits, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (num_entries == 0 || start_index >= limits.gids || num_entries > limits.gids - start_index)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_LIMIT, devinfo);
    return doca_priv_rdma_transport_of(devinfo)->read_gids(devinfo, start_index, num_entries,
                                                           gid_array, __func__);
}

static uint32_t doca_priv_rdma_lower(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Set the initial settings of a new instance. Its memory is filled with zeros. */
static void doca_priv_rdma_init(struct doca_rdma *r, struct doca_core_arena *arena,
                                struct doca_dev *dev, const struct doca_priv_rdma_limits *limits,
                                bool is_of_25)
{
    r->limits = *limits;
    r->send_queue_size = doca_priv_rdma_lower(DOCA_PRIV_RDMA_QUEUE_SIZE, limits->send_queue);
    r->recv_queue_size = doca_priv_rdma_lower(DOCA_PRIV_RDMA_QUEUE_SIZE, limits->recv_queue);
    r->send_list_len = r->recv_list_len = 1;
    r->permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    r->max_conns = 1;
    r->timeout = DOCA_PRIV_RDMA_TIMEOUT;
    r->rnr_retry_count = 7;
    r->mtu = (uint8_t)DOCA_MTU_SIZE_1K_BYTES;
    r->is_of_25 = is_of_25;
    r->transport = doca_priv_rdma_transport_of(&dev->info);
    doca_priv_rdma_init_stocks(r);
    doca_priv_ctx_init(&r->ctx, DOCA_PRIV_KIND_RDMA, r->transport->engine,
                       r->transport->backend_of(dev), arena, dev, DOCA_PRIV_RDMA_TYPES);
}

/* Create an instance in `arena`; NULL selects that of the device. */
static doca_error_t doca_priv_rdma_create(struct doca_core_arena *arena, struct doca_dev *dev,
                                          bool is_of_25, struct doca_rdma **rdma,
                                          const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, rdma, function);
    struct doca_priv_rdma_limits limits;
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_check_devinfo(&dev->info, dev, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_transport_of(&dev->info)->limit(&dev->info, dev, &limits, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(struct doca_rdma), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_rdma_init((struct doca_rdma *)block, arena, dev, &limits, is_of_25);
    *rdma = (struct doca_rdma *)DOCA_PRIV_HANDLE(block);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_rdma_create(struct doca_dev *dev, struct doca_rdma **rdma)
{
    return doca_priv_rdma_create(NULL, dev, false, rdma, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_rdma_create_in(struct doca_core_arena *arena,
                                                     struct doca_dev *dev, struct doca_rdma **rdma)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, rdma, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_rdma_create(arena, dev, false, rdma, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_rdma_25_create(struct doca_dev *dev, struct doca_rdma **rdma)
{
    return doca_priv_rdma_create(NULL, dev, true, rdma, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_rdma_25_create_in(struct doca_core_arena *arena,
                                                        struct doca_dev *dev,
                                                        struct doca_rdma **rdma)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, rdma, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_rdma_create(arena, dev, true, rdma, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_destroy(struct doca_rdma *rdma)
{
    DOCA_PRIV_OPEN(rdma)
    if (!doca_priv_is(rdma, DOCA_PRIV_KIND_RDMA))
        return DOCA_PRIV_FAIL_HANDLE(rdma);
    if (rdma->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_IDLE, rdma);
    return doca_priv_ctx_destroy(&rdma->ctx, __func__);
}

DOCA_CORE_DECL struct doca_ctx *doca_rdma_as_ctx(struct doca_rdma *rdma)
{
    return (struct doca_ctx *)(void *)rdma;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_rdma(struct doca_dev *dev,
                                                 const struct doca_core_rdma_sizes *sizes,
                                                 size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    struct doca_rdma r;
    size_t block = 0;
    uint32_t num, i;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (sizes == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, dev);
    if (sizes->num_connections > DOCA_CORE_RDMA_MAX_CONNECTIONS ||
        sizes->num_tasks > (DOCA_PRIV_RDMA_TYPES - 1) * DOCA_CORE_RDMA_MAX_SEND_QUEUE +
                               DOCA_CORE_RDMA_MAX_RECV_QUEUE ||
        sizes->send_queue_size > DOCA_CORE_RDMA_MAX_SEND_QUEUE ||
        sizes->max_send_buf_list_len > DOCA_CORE_RDMA_MAX_SEND_LIST)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_LIMIT, dev);
    DOCA_CORE_MEMSET(&r, 0, sizeof(r));
    doca_priv_rdma_init_stocks(&r);
    r.ctx.dev = dev;
    r.ctx.backend = doca_priv_rdma_local.backend_of(dev); /* the sizes of all kinds are equal */
    r.ctx.engine = doca_priv_rdma_local.engine;
    r.ctx.num_stocks = DOCA_PRIV_RDMA_TYPES;
    /* in the checked mode, a stock has more tasks than were asked for: count each type */
    for (i = 0, num = sizes->num_tasks; i < DOCA_PRIV_RDMA_TYPES && num > 0; i++) {
        r.stocks[i].num = i + 1 < DOCA_PRIV_RDMA_TYPES ? 1 : num;
        num -= r.stocks[i].num;
    }
    rc = doca_priv_ctx_bytes(&r.ctx, sizeof(r), bytes, __func__);
    num = sizes->num_connections > 0 ? sizes->num_connections : 1;
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_bytes_object(doca_priv_rdma_block_bytes(num), &block, __func__);
    if (rc == DOCA_SUCCESS)
        *bytes += block;
    return rc;
}
