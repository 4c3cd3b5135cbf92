/* ---- >>mlx5.find ----------------------------------------------------------------------------
 * Finds the devices, reads their capabilities from ports and firmware, and opens and closes
 * them.                                                                                         */
#include "mlx5/find_priv.h"

#include "mlx5/api.h"
#include "mlx5/clock_priv.h"
#include "mlx5/config.h"
#include "mlx5/device_priv.h"
#include "mlx5/event_priv.h"
#include "mlx5/layout_priv.h"
#include "mlx5/order_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/sys.h"
#include "mlx5/sysfs_priv.h"

/* Return the rate of a port in Gbit/s: the number of lanes times the speed of one lane. */
static uint32_t doca_priv_mlx5_rate(const struct ibv_port_attr *port)
{
    static const uint16_t tenths[8] = { 25, 50, 100, 100, 140, 250, 500, 1000 }; /* SDR to NDR */
    uint32_t lanes = port->active_width == 1   ? 1u
                     : port->active_width == 2 ? 4u
                     : port->active_width == 4 ? 8u
                     : port->active_width == 8 ? 12u
                                               : 2u;
    uint32_t log = 0;

    while (log < 7 && port->active_speed >> log > 1)
        log++;
    return lanes * tenths[log] / 10;
}

/* Log that a query of a device failed with `error`. Without permission for DEVX, or support for it,
 * each query of the firmware fails with EOPNOTSUPP; the function does not log this. */
static void doca_priv_mlx5_report_query(struct doca_priv_mlx5_caps *caps, int error,
                                        const char *step)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    if (error == 0 || error == EOPNOTSUPP)
        return;
    caps->is_incomplete = true;
    why.step = step;
    errno = error;
    (void)doca_priv_mlx5_report("doca_core_mlx5_backend", NULL, &why);
}

/* Choose the GID for loopback connections: the first GID made from an IPv4 address, otherwise the
 * first valid one. A GID made from a link-local IPv6 address is not usable immediately after the
 * link comes up. */
static void doca_priv_mlx5_choose_gid(struct doca_priv_mlx5_caps *caps,
                                      struct ibv_context *context, int num)
{
    static const uint8_t ipv4[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };
    static const uint8_t none[16] = { 0 };
    bool is_ipv4 = false;
    uint8_t gid[16];
    int i;

    for (i = 0; i < DOCA_PRIV_MLX5_GIDS && i < num && !is_ipv4; i++) {
        if (doca_priv_mlx5.sys->query_gid(context, DOCA_PRIV_MLX5_PORT, i, gid) != 0 ||
            memcmp(gid, none, sizeof(none)) == 0)
            continue;
        is_ipv4 = memcmp(gid, ipv4, sizeof(ipv4)) == 0;
        if (caps->has_gid && !is_ipv4)
            continue;
        caps->has_gid = true;
        caps->gid_index = (uint8_t)i;
        memcpy(caps->gid, gid, sizeof(gid));
    }
}

/* Read the port's current address and limits into *caps. Return 0 or an errno. */
DOCA_PRIV_DECL int doca_priv_mlx5_read_port(struct doca_priv_mlx5_caps *caps,
                                            struct ibv_context *context, struct ibv_port_attr *port)
{
    int error;

    memset(port, 0, sizeof(*port));
    error = doca_priv_mlx5.sys->query_port(context, DOCA_PRIV_MLX5_PORT, port);
    if (error != 0)
        return error;
    caps->is_ethernet = port->link_layer == IBV_LINK_LAYER_ETHERNET;
    caps->active_mtu = (uint8_t)port->active_mtu;
    caps->lid = port->lid;
    caps->max_write = port->max_msg_sz < 1u << 30 ? port->max_msg_sz : 1u << 30;
    caps->has_gid = false;
    doca_priv_mlx5_choose_gid(caps, context, port->gid_tbl_len);
    return 0;
}

static void doca_priv_mlx5_describe_port(struct doca_core_dev_attr *attr,
                                         struct doca_priv_mlx5_caps *caps,
                                         struct ibv_context *context)
{
    struct ibv_port_attr port;
    const int error = doca_priv_mlx5_read_port(caps, context, &port);

    doca_priv_mlx5_report_query(caps, error,
                                DOCA_PRIV_MLX5_TEXT("query the port (it counts as down)"));
    if (error != 0)
        return;
    attr->port = caps->is_ethernet ? DOCA_CORE_PORT_ETHERNET : DOCA_CORE_PORT_INFINIBAND;
    attr->lid = caps->is_ethernet ? 0 : port.lid;
    attr->rate_gbps = doca_priv_mlx5_rate(&port);
}

/* Query one group of capabilities from the firmware: 4 KiB at DOCA_PRIV_MLX5_CAP in `out`. */
static bool doca_priv_mlx5_query_cap(struct doca_priv_mlx5_caps *caps,
                                     struct ibv_context *context, uint32_t op_mod,
                                     uint8_t out[DOCA_PRIV_MLX5_CAP_OUT_BYTES])
{
    uint8_t in[DOCA_PRIV_MLX5_CAP_IN_BYTES];
    int error;

    memset(in, 0, sizeof(in));
    memset(out, 0, DOCA_PRIV_MLX5_CAP_OUT_BYTES);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16, DOCA_PRIV_MLX5_CMD_QUERY_HCA_CAP);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OP_MOD, 16, op_mod);
    error = doca_priv_mlx5.sys->general_cmd(context, in, sizeof(in), out,
                                            DOCA_PRIV_MLX5_CAP_OUT_BYTES);
    doca_priv_mlx5_report_query(caps, error,
                                DOCA_PRIV_MLX5_TEXT("query the capabilities of the firmware (they "
                                                    "count as absent)"));
    return error == 0;
}

/* Read the capabilities from the firmware. A capability whose query fails counts as absent. */
static void doca_priv_mlx5_read_caps(struct doca_priv_mlx5_caps *caps,
                                     struct ibv_context *context)
{
    uint8_t out[DOCA_PRIV_MLX5_CAP_OUT_BYTES];
    const uint8_t *cap = out + DOCA_PRIV_MLX5_CAP / 8;
    uint32_t log_max;

    if (!doca_priv_mlx5_query_cap(caps, context, DOCA_PRIV_MLX5_CAP_GENERAL_NOW, out))
        return;
    caps->vhca_id = (uint16_t)doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_VHCA_ID, 16);
    caps->has_vhca_id = true;
    caps->is_eswitch_manager = doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_ESWITCH_MANAGER, 1) != 0;
    caps->has_mmo_bit = doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_DMA_MMO_QP, 1) != 0;
    caps->has_mmo = caps->has_mmo_bit || doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_DMA_MMO_SQ, 1);
    log_max = doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_LOG_DMA_MMO_MAX, 5);
    caps->max_mmo = (uint64_t)1 << (log_max == 0 || log_max > 31 ? 31 : log_max);
    caps->has_relaxed_write = doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_RELAXED_WRITE, 1) != 0;
    caps->has_relaxed_read = doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_RELAXED_READ, 1) != 0;
    if (doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_HCA_CAP_2, 1) == 0 ||
        !doca_priv_mlx5_query_cap(caps, context, DOCA_PRIV_MLX5_CAP_GENERAL_2_NOW, out))
        return;
    caps->has_export = (doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_2_ALLOWED, 32) &
                        DOCA_PRIV_MLX5_ALLOWED_MKEY) != 0;
    caps->has_import = (doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_2_CROSS_VHCA, 32) &
                        DOCA_PRIV_MLX5_LOCAL_MKEY_TO_REMOTE) != 0;
}

/* Return `wanted` if the device supports this engine. With AUTO, return the first engine that the
 * device supports. Return AUTO when the device supports no such engine. */
static enum doca_core_mlx5_engine doca_priv_mlx5_pick_engine(const struct doca_priv_mlx5_caps *caps,
                                                             enum doca_core_mlx5_engine wanted)
{
    bool has_pair = caps->max_write > 0 && (!caps->is_ethernet || caps->has_gid);
    bool has_rc = caps->is_mlx5 && has_pair && DOCA_PRIV_MLX5_HAS_DOORBELL;
    bool has_mmo = caps->has_mmo && has_rc; /* MMO needs a connected queue pair, too */

    if (wanted == DOCA_CORE_MLX5_ENGINE_AUTO)
        wanted = has_mmo  ? DOCA_CORE_MLX5_ENGINE_MMO
                 : has_rc ? DOCA_CORE_MLX5_ENGINE_RC
                          : DOCA_CORE_MLX5_ENGINE_VERBS;
    if ((wanted == DOCA_CORE_MLX5_ENGINE_MMO && has_mmo) ||
        (wanted == DOCA_CORE_MLX5_ENGINE_RC && has_rc) ||
        (wanted == DOCA_CORE_MLX5_ENGINE_VERBS && has_pair))
        return wanted;
    return DOCA_CORE_MLX5_ENGINE_AUTO;
}

/* Return whether this PCI device id belongs to a PF of a ConnectX, a card without a DPU. The VFs of
 * a ConnectX are not recognised, because those of a BlueField have the same ids. */
static bool doca_priv_mlx5_is_connectx(uint32_t part)
{
    switch (part) {
    case 0x1011: /* Connect-IB */
    case 0x1013: /* ConnectX-4 */
    case 0x1015: /* ConnectX-4 Lx */
    case 0x1017: /* ConnectX-5 */
    case 0x1019: /* ConnectX-5 Ex */
    case 0x101b: /* ConnectX-6 */
    case 0x101d: /* ConnectX-6 Dx */
    case 0x101f: /* ConnectX-6 Lx */
    case 0x1021: /* ConnectX-7 */
    case 0x1023: /* ConnectX-8 */
    case 0x1025: /* ConnectX-9 */
        return true;
    default:
        return false;
    }
}

/* Set the limits that follow from the engine. Every device supports sync events, because the CPU
 * executes their tasks if the value is in memory of this process. */
static void doca_priv_mlx5_set_limits(struct doca_priv_mlx5_card *card)
{
    struct doca_core_limits *limits = &card->attr.limits;

    limits->has_sync_event = 1;
    limits->has_dmabuf = 1; /* if the kernel's driver does not support it, start fails */
    limits->has_export_pci = card->caps.has_export;
    limits->has_no_comch = card->caps.is_connectx;
    limits->has_rdma = card->caps.has_export || card->engine != DOCA_CORE_MLX5_ENGINE_AUTO;
    card->attr.vhca_id = card->caps.vhca_id;
    card->attr.has_no_vhca_id = !card->caps.has_vhca_id;
    if (card->engine == DOCA_CORE_MLX5_ENGINE_AUTO)
        return;
    limits->has_import_pci = card->caps.has_import;
    limits->event_engine = card->caps.event_engine;
    limits->has_dma = 1;
    limits->dma_max_buf_size =
        card->engine == DOCA_CORE_MLX5_ENGINE_MMO ? card->caps.max_mmo : card->caps.max_write;
    limits->dma_max_buf_list_len = DOCA_CORE_MLX5_MAX_LIST;
    limits->dma_max_num_tasks = 65536;
}

/* Give a device that has no PCI address (such as soft-RoCE) an address that no real device has,
 * because programs select devices by PCI address. It depends on the device's position in
 * libibverbs' list. */
static void doca_priv_mlx5_make_pci_addr(char addr[DOCA_DEVINFO_PCI_ADDR_SIZE], uint32_t list_index)
{
    static const char digits[] = "0123456789abcdef";

    if (addr[0] != '\0')
        return;
    memcpy(addr, "ffff:00:00.0", DOCA_DEVINFO_PCI_ADDR_SIZE);
    addr[5] = digits[list_index / 16 % 16];
    addr[6] = digits[list_index % 16];
}

struct doca_priv_mlx5_uplink { /* state of a search for the card's uplink interface */
    struct doca_priv_mlx5_card *card;
    char dir[DOCA_PRIV_MLX5_PATH_BYTES]; /* sysfs directory of the interfaces */
};

static void doca_priv_mlx5_visit_uplink(const char *name, void *data)
{
    struct doca_priv_mlx5_uplink *uplink = (struct doca_priv_mlx5_uplink *)data;
    char text[DOCA_PRIV_MLX5_SWITCH_BYTES], parent[DOCA_DEVINFO_PCI_ADDR_SIZE];

    if (!doca_priv_mlx5_read_attr(uplink->dir, name, "phys_port_name", text, sizeof(text)) ||
        doca_priv_mlx5_parse_port(text).kind != DOCA_PRIV_MLX5_PORT_UPLINK ||
        !doca_priv_mlx5_read_switch(uplink->dir, name, text))
        return;
    doca_priv_mlx5_find_parent(uplink->dir, name, parent);
    if (strcmp(parent, uplink->card->attr.pci_addr) == 0)
        memcpy(uplink->card->switch_id, text, sizeof(text));
}

/* Find the switch id of a card's eswitch and store it in the card. A PF that manages an eswitch has
 * representors in switchdev mode; only in this mode does its uplink have a switch id. The network
 * interface of the device is the uplink itself, or a bond of the uplinks of two ports. */
static void doca_priv_mlx5_find_switch(struct doca_priv_mlx5_card *card)
{
    struct doca_priv_mlx5_uplink uplink;

    if (!card->caps.is_eswitch_manager || card->attr.func_type != DOCA_PCI_FUNC_TYPE_PF)
        return;
    uplink.card = card;
    doca_priv_mlx5_net_dir(card->device, uplink.dir);
    if (card->attr.iface_name[0] == '\0' ||
        !doca_priv_mlx5_read_switch(uplink.dir, card->attr.iface_name, card->switch_id)) {
        card->switch_id[0] = '\0';
        (void)doca_priv_mlx5.sys->list_names(uplink.dir, doca_priv_mlx5_visit_uplink, &uplink);
    }
    if (card->switch_id[0] != '\0')
        card->attr.rep_filters = DOCA_CORE_REP_ALL | DOCA_CORE_REP_NET;
}

/* Open a device, describe it in *card, and close it. Returns false when it cannot be opened. */
static bool doca_priv_mlx5_inspect(struct doca_priv_mlx5_card *card, struct ibv_device *device,
                                   uint32_t list_index, enum doca_core_mlx5_engine wanted)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct ibv_context *context;
    struct ibv_device_attr device_attr;
    int error;

    memset(card, 0, sizeof(*card));
    memset(&device_attr, 0, sizeof(device_attr));
    card->device = device;
    card->caps.is_mlx5 = sys->is_mlx5(device);
    errno = 0;
    context = sys->open_device(device, card->caps.is_mlx5);
    if (context == NULL)
        return false;
    doca_priv_mlx5_describe_names(&card->attr, device);
    doca_priv_mlx5_make_pci_addr(card->attr.pci_addr, list_index);
    error = sys->query_device(context, &device_attr);
    doca_priv_mlx5_report_query(&card->caps, error,
                                DOCA_PRIV_MLX5_TEXT("query the limits of a device (they count as "
                                                    "0)"));
    if (error == 0) {
        card->caps.max_wqes = (uint32_t)device_attr.max_qp_wr;
        card->caps.max_cqes = (uint32_t)device_attr.max_cqe;
        card->caps.max_sge = (uint32_t)device_attr.max_sge;
        card->caps.sys_image_guid = device_attr.sys_image_guid;
        card->caps.is_connectx =
            card->caps.is_mlx5 && doca_priv_mlx5_is_connectx(device_attr.vendor_part_id);
        card->caps.event_engine = device_attr.atomic_cap == IBV_ATOMIC_GLOB
                                      ? DOCA_CORE_EVENT_ENGINE_ALL
                                  : device_attr.atomic_cap == IBV_ATOMIC_HCA
                                      ? DOCA_CORE_EVENT_ENGINE_CARD
                                      : DOCA_CORE_EVENT_ENGINE_NONE;
    }
    doca_priv_mlx5_describe_port(&card->attr, &card->caps, context);
    if (card->caps.is_mlx5)
        doca_priv_mlx5_read_caps(&card->caps, context);
    doca_priv_mlx5_find_clock(&card->caps, context);
    (void)sys->close_device(context);
    card->engine = doca_priv_mlx5_pick_engine(&card->caps, wanted);
    doca_priv_mlx5_set_limits(card);
    doca_priv_mlx5_find_switch(card);
    return true;
}

/* Log that a device does not support the engine that was chosen for it. */
static void doca_priv_mlx5_log_no_engine(enum doca_core_mlx5_engine wanted)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    why.status = wanted == DOCA_CORE_MLX5_ENGINE_MMO     ? "MMO"
                 : wanted == DOCA_CORE_MLX5_ENGINE_RC    ? "RC"
                 : wanted == DOCA_CORE_MLX5_ENGINE_VERBS ? "VERBS"
                                                         : NULL;
    if (why.status != NULL)
        why.hint = DOCA_PRIV_MLX5_TEXT("the engine was chosen by options.engine or "
                                       "DOCA_CORE_MLX5_ENGINE");
    (void)doca_core_backend_refuse(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_NO_ENGINE,
                                   "doca_core_mlx5_backend", NULL, &why);
}

/* Replace the list of cards by the devices that exist at this time. */
DOCA_PRIV_DECL void doca_priv_mlx5_find(enum doca_core_mlx5_engine wanted)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    struct doca_priv_mlx5_card *card;
    int num = 0, i;

    if (doca_priv_mlx5.process == 0 &&
        getrandom(&doca_priv_mlx5.process, sizeof(doca_priv_mlx5.process), 0) < 0)
        doca_priv_mlx5.process = 0;
    doca_priv_mlx5.num_cards = 0;
    errno = 0;
    doca_priv_mlx5.list = sys->get_device_list(&num);
    if (doca_priv_mlx5.list == NULL) {
        why.error = errno;
        why.hint = DOCA_PRIV_MLX5_TEXT("check that the kernel modules ib_uverbs and mlx5_ib are "
                                       "loaded");
        (void)doca_core_backend_refuse(DOCA_ERROR_NOT_FOUND, DOCA_CORE_ITEM_MLX5_NO_LIST,
                                       "doca_core_mlx5_backend", NULL, &why);
    }
    for (i = 0; doca_priv_mlx5.list != NULL && i < num; i++) {
        if (doca_priv_mlx5.num_cards == DOCA_CORE_MLX5_MAX_DEVS) {
            (void)doca_core_backend_fail(DOCA_ERROR_FULL, DOCA_CORE_ITEM_MLX5_TOO_MANY,
                                         "doca_core_mlx5_backend", NULL, 0);
            return;
        }
        card = &doca_priv_mlx5.cards[doca_priv_mlx5.num_cards];
        if (!doca_priv_mlx5_inspect(card, doca_priv_mlx5.list[i], (uint32_t)i, wanted)) {
            (void)doca_priv_mlx5_report_step("doca_core_mlx5_backend", NULL,
                                             DOCA_PRIV_MLX5_TEXT("open a device (it is not "
                                                                 "listed)"));
            continue;
        }
        doca_priv_mlx5.num_cards++;
        if (card->engine == DOCA_CORE_MLX5_ENGINE_AUTO && !card->caps.is_incomplete)
            doca_priv_mlx5_log_no_engine(wanted);
    }
}

DOCA_PRIV_DECL uint32_t doca_priv_mlx5_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t i;

    for (i = 0; i < doca_priv_mlx5.num_cards && i < max; i++)
        attrs[i] = doca_priv_mlx5.cards[i].attr;
    return doca_priv_mlx5.num_cards;
}

/* Return a free element for an open device; NULL when all are taken. */
static struct doca_priv_mlx5_dev *doca_priv_mlx5_unused_dev(void)
{
    uint32_t i;

    for (i = 0; i < DOCA_CORE_MLX5_MAX_DEVS; i++)
        if (doca_priv_mlx5.devs[i].card == NULL)
            return &doca_priv_mlx5.devs[i];
    return NULL;
}

/* Return the card with this name, or NULL. */
DOCA_PRIV_DECL struct doca_priv_mlx5_card *doca_priv_mlx5_find_card(const char *name)
{
    uint32_t i;

    for (i = 0; i < doca_priv_mlx5.num_cards; i++)
        if (strcmp(doca_priv_mlx5.cards[i].attr.ibdev_name, name) == 0)
            return &doca_priv_mlx5.cards[i];
    return NULL;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_dev_open(struct doca_dev *dev)
{
    struct doca_priv_mlx5_card *card = doca_priv_mlx5_find_card(dev->info.attr.ibdev_name);
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_unused_dev();
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    if (card == NULL)
        return DOCA_ERROR_NOT_FOUND;
    if (d == NULL)
        return DOCA_ERROR_NO_MEMORY;
    memset(d, 0, sizeof(*d));
    d->failures_at_open = __atomic_load_n(&card->num_failures, __ATOMIC_RELAXED);
    errno = 0;
    why.step = DOCA_PRIV_MLX5_TEXT("open the device");
    d->context = sys->open_device(card->device, card->caps.is_mlx5);
    if (d->context != NULL) {
        why.step = DOCA_PRIV_MLX5_TEXT("allocate a protection domain");
        d->pd = sys->alloc_pd(d->context);
    }
    if (d->pd == NULL) {
        (void)doca_priv_mlx5_report_as(DOCA_ERROR_NOT_CONNECTED, DOCA_CORE_ITEM_MLX5_CALL,
                                       "doca_dev_open", NULL, errno, &why);
        if (d->context != NULL)
            (void)sys->close_device(d->context);
        return DOCA_ERROR_NOT_CONNECTED;
    }
    d->card = card;
    d->dev = dev;
    dev->backend_data = d;
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd)
{
    struct doca_priv_mlx5_card *card = doca_priv_mlx5_find_card(pd->context->device->name);
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_unused_dev();

    if (card == NULL)
        return DOCA_ERROR_NOT_FOUND;
    if (d == NULL)
        return DOCA_ERROR_NO_MEMORY;
    memset(d, 0, sizeof(*d));
    d->failures_at_open = __atomic_load_n(&card->num_failures, __ATOMIC_RELAXED);
    d->card = card;
    d->dev = dev;
    d->context = pd->context;
    d->pd = pd;
    dev->backend_data = d;
    dev->info.attr = card->attr;
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL struct doca_priv_mlx5_dev *doca_priv_mlx5_dev_of(const struct doca_dev *dev)
{
    return (struct doca_priv_mlx5_dev *)dev->backend_data;
}

DOCA_PRIV_DECL void doca_priv_mlx5_dev_close(struct doca_dev *dev)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    int error;

    if (dev->from_pd == NULL) {
        error = doca_priv_mlx5.sys->dealloc_pd(d->pd);
        doca_priv_mlx5_keep_first(&error, doca_priv_mlx5.sys->close_device(d->context));
        doca_priv_mlx5_log_leak(error, DOCA_CORE_ITEM_MLX5_CALL, "doca_dev_close",
                                DOCA_PRIV_MLX5_TEXT("close the device"));
    }
    d->card = NULL;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_get_pd(const struct doca_dev *dev, struct ibv_pd **pd)
{
    *pd = doca_priv_mlx5_dev_of(dev)->pd;
    return DOCA_SUCCESS;
}

/* Record that the device has failed. Every context of libibverbs on the card receives its own event
 * for one failure; the compare-and-exchange counts the failure once. */
static void doca_priv_mlx5_set_fatal(struct doca_priv_mlx5_dev *d)
{
    uint32_t failures = d->failures_at_open;

    if (__atomic_compare_exchange_n(&d->card->num_failures, &failures, failures + 1, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        doca_core_backend_dev_failed(d->dev);
}

/* Handle an asynchronous event, from the device or passed on by the program. */
DOCA_PRIV_DECL void doca_priv_mlx5_handle_event(struct doca_priv_mlx5_dev *d,
                                                const struct ibv_async_event *event)
{
    if (event->event_type == IBV_EVENT_DEVICE_FATAL || doca_priv_mlx5_is_queue_error(d, event))
        doca_priv_mlx5_set_fatal(d);
}

/* Read and handle all pending asynchronous events. Events of a context that the program owns are
 * left to the program. */
DOCA_PRIV_DECL void doca_priv_mlx5_read_events(struct doca_priv_mlx5_dev *d)
{
    struct ibv_async_event event;

    while (d->dev->from_pd == NULL &&
           doca_priv_mlx5.sys->take_async_event(d->context, &event) == 0)
        doca_priv_mlx5_handle_event(d, &event);
}

#define DOCA_PRIV_MLX5_QUERY_EVERY 64 /* calls between two port queries, for a device from a PD */

/* True when the device has failed. For a device that was opened from a PD, every
 * DOCA_PRIV_MLX5_QUERY_EVERY-th call queries the port, because the events go to the program. */
DOCA_PRIV_DECL bool doca_priv_mlx5_dev_failed(struct doca_dev *dev)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct ibv_port_attr port;
    int error = 0;

    doca_priv_mlx5_read_events(d);
    if (dev->from_pd != NULL && !doca_priv_mlx5_is_fatal(d) &&
        __atomic_fetch_add(&d->num_calls, 1u, __ATOMIC_RELAXED) % DOCA_PRIV_MLX5_QUERY_EVERY == 0)
        error = doca_priv_mlx5.sys->query_port(d->context, DOCA_PRIV_MLX5_PORT, &port);
    if (error == EIO || error == ENOLINK || error == ENXIO || error == ENODEV)
        doca_priv_mlx5_set_fatal(d);
    return doca_priv_mlx5_is_fatal(d);
}
