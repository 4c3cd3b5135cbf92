/* ---- >>mlx5.rep -----------------------------------------------------------------------------
 * Representors: lists the network interfaces that represent functions in an eswitch, and adds the
 * addresses and ids of these functions, which the firmware supplies.                            */
#include "mlx5/rep_priv.h"

#include "mlx5/device_priv.h"
#include "mlx5/find_priv.h"
#include "mlx5/layout_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/sys.h"
#include "mlx5/sysfs_priv.h"

struct doca_priv_mlx5_host { /* the firmware's description of the host's functions */
    bool is_queried;  /* the firmware was queried */
    bool has_pf;      /* the host has an enabled PF */
    bool has_vhca_id; /* vhca_id is valid */
    bool has_vfs;     /* vf_stride and vf_offset are valid */
    uint32_t controller;
    uint16_t vhca_id;
    uint32_t address; /* bus, device and function: 8, 5 and 3 bits */
    uint32_t vf_stride, vf_offset;
};

struct doca_priv_mlx5_reps { /* state of one listing */
    const struct doca_priv_mlx5_dev *d;
    struct doca_priv_mlx5_host host;
    struct doca_core_dev_attr *attrs;
    uint32_t max, num;
    char dir[DOCA_PRIV_MLX5_PATH_BYTES]; /* sysfs directory of the interfaces */
};

/* Execute a firmware command. Returns false when it fails. */
static bool doca_priv_mlx5_command(const struct doca_priv_mlx5_dev *d, uint8_t *in, size_t in_bytes,
                                   uint32_t opcode, uint8_t *out, size_t out_bytes)
{
    memset(out, 0, out_bytes);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16, opcode);
    return doca_priv_mlx5.sys->general_cmd(d->context, in, in_bytes, out, out_bytes) == 0;
}

/* Query the firmware about the host's PF and VFs. */
static void doca_priv_mlx5_query_host(const struct doca_priv_mlx5_dev *d,
                                      struct doca_priv_mlx5_host *host)
{
    uint8_t in[DOCA_PRIV_MLX5_ESW_IN_BYTES] = { 0 }, out[DOCA_PRIV_MLX5_ESW_OUT_BYTES];
    uint32_t bus, device, function;

    host->is_queried = true;
    if (!doca_priv_mlx5_command(d, in, sizeof(in), DOCA_PRIV_MLX5_CMD_QUERY_ESW_FUNCTIONS, out,
                                sizeof(out)))
        return;
    bus = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_PCI_BUS, 16);
    device = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_PCI_DEVICE, 16);
    function = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_PCI_FUNCTION, 16);
    host->has_pf = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_PF_NOT_EXIST, 1) == 0 &&
                   doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_PF_DISABLED, 1) == 0 &&
                   bus < 256 && device < 32 && function < 8;
    host->has_vhca_id = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_VHCA_VALID, 1) != 0;
    host->has_vfs = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_VF_INFO_VALID, 1) != 0;
    host->controller = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_HOST_NUMBER, 8) + 1;
    host->vhca_id = (uint16_t)doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_PF_VHCA_ID, 16);
    host->address = bus << 8 | device << 3 | function;
    host->vf_stride = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_VF_STRIDE, 16);
    host->vf_offset = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_VF_OFFSET, 16);
}

/* Query the vhca id of the function with the number `vport` in the eswitch. `is_dpu_vf`: the
 * function is a VF of the DPU itself. */
static void doca_priv_mlx5_query_vhca_id(const struct doca_priv_mlx5_dev *d, uint32_t vport,
                                         bool is_dpu_vf, struct doca_core_dev_attr *attr)
{
    uint8_t in[DOCA_PRIV_MLX5_CAP_IN_BYTES] = { 0 }, out[DOCA_PRIV_MLX5_CAP_OUT_BYTES];

    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OP_MOD, 16, DOCA_PRIV_MLX5_CAP_GENERAL_NOW);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_CAP_OTHER_FUNCTION, 1, 1);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_CAP_EC_VF_FUNCTION, 1, is_dpu_vf ? 1 : 0);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_CAP_FUNCTION_ID, 16, vport);
    if (!doca_priv_mlx5_command(d, in, sizeof(in), DOCA_PRIV_MLX5_CMD_QUERY_HCA_CAP, out,
                                sizeof(out)))
        return;
    attr->vhca_id = (uint16_t)doca_priv_mlx5_get(out + DOCA_PRIV_MLX5_CAP / 8,
                                                 DOCA_PRIV_MLX5_CAP_VHCA_ID, 16);
    attr->has_no_vhca_id = 0;
}

/* Set the VUID: the firmware's text, otherwise one made from the ids of switch and port. Both are
 * unique to the function. */
static void doca_priv_mlx5_make_vuid(const struct doca_priv_mlx5_dev *d, const char *port_name,
                                     struct doca_core_dev_attr *attr)
{
    uint8_t in[DOCA_PRIV_MLX5_VUID_IN_BYTES] = { 0 }, out[DOCA_PRIV_MLX5_VUID_OUT_BYTES];
    const char *text = (const char *)out + DOCA_PRIV_MLX5_VUID_TEXT / 8;
    size_t len = 0;

    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_VUID_IN_VHCA, 16, attr->vhca_id);
    if (attr->has_no_vhca_id == 0 &&
        doca_priv_mlx5_command(d, in, sizeof(in), DOCA_PRIV_MLX5_CMD_QUERY_VUID, out,
                               sizeof(out)) &&
        doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_VUID_NUM, 16) == 1)
        while (len < sizeof(attr->vuid) - 1 && text[len] > ' ' && text[len] < 0x7f)
            len++;
    if (len > 0 && text[len] == '\0') {
        memcpy(attr->vuid, text, len + 1);
        return;
    }
    doca_priv_mlx5_copy_text(attr->vuid, sizeof(attr->vuid), d->card->switch_id);
    len = strlen(attr->vuid);
    attr->vuid[len] = '-';
    doca_priv_mlx5_copy_text(attr->vuid + len + 1, sizeof(attr->vuid) - len - 1, port_name);
}

/* Describe a function of the host. The firmware supplies the vhca id, the PCI address of the PF,
 * and the distance of the VFs' addresses from it. */
static void doca_priv_mlx5_describe_remote(struct doca_priv_mlx5_reps *reps,
                                           const struct doca_priv_mlx5_port *port,
                                           struct doca_core_dev_attr *attr)
{
    static const char digits[] = "0123456789abcdef";
    const struct doca_priv_mlx5_host *host = &reps->host;
    bool is_vf = port->kind == DOCA_PRIV_MLX5_PORT_VF;
    uint32_t at;

    attr->side = DOCA_CORE_SIDE_HOST;
    if (!host->is_queried)
        doca_priv_mlx5_query_host(reps->d, &reps->host);
    at = host->address;
    if (!host->has_pf || (port->has_controller && port->controller != host->controller))
        return;
    if (port->kind == DOCA_PRIV_MLX5_PORT_PF && host->has_vhca_id) {
        attr->vhca_id = host->vhca_id;
        attr->has_no_vhca_id = 0;
    } else if (port->kind != DOCA_PRIV_MLX5_PORT_SF && port->number < 0xffff) {
        doca_priv_mlx5_query_vhca_id(reps->d, is_vf ? port->number + 1 : 0, false, attr);
    }
    if (is_vf && port->number < 65536)
        at += host->vf_offset + host->vf_stride * port->number;
    if (at > 0xffff || (is_vf && (!host->has_vfs || port->number >= 65536)))
        return;
    memcpy(attr->pci_addr, "0000:00:00.0", DOCA_DEVINFO_PCI_ADDR_SIZE);
    attr->pci_addr[5] = digits[at >> 12];
    attr->pci_addr[6] = digits[at >> 8 & 15];
    attr->pci_addr[8] = digits[at >> 7 & 1];
    attr->pci_addr[9] = digits[at >> 3 & 15];
    attr->pci_addr[11] = digits[at & 7];
}

/* Find the PCI address of VF `number` of the device. Returns false when this machine has
 * no such VF. */
static bool doca_priv_mlx5_find_vf(const struct ibv_device *device, uint32_t number,
                                   struct doca_core_dev_attr *attr)
{
    char path[DOCA_PRIV_MLX5_PATH_BYTES], real[PATH_MAX], digits[12] = "";
    size_t at = sizeof(digits) - 1;
    struct doca_core_dev_attr vf;

    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    doca_priv_mlx5_copy_text(path, sizeof(path), device->ibdev_path);
    if (!doca_priv_mlx5_append(path, "/device/virtfn") ||
        !doca_priv_mlx5_append(path, digits + at) ||
        doca_priv_mlx5.sys->resolve_path(path, real, sizeof(real)) != 0)
        return false;
    memset(&vf, 0, sizeof(vf));
    doca_priv_mlx5_describe_path(&vf, real);
    memcpy(attr->pci_addr, vf.pci_addr, sizeof(vf.pci_addr));
    return true;
}

/* Describe a function of this machine. If the function is one of the cards that were found, copy
 * the name and the vhca id of that card. */
static void doca_priv_mlx5_describe_local(const struct doca_priv_mlx5_reps *reps,
                                          const struct doca_priv_mlx5_port *port,
                                          struct doca_core_dev_attr *attr)
{
    const struct doca_core_dev_attr *manager = &reps->d->card->attr, *found;
    bool is_sf = port->kind == DOCA_PRIV_MLX5_PORT_SF;
    uint32_t i;

    attr->side = manager->side;
    if (is_sf)
        memcpy(attr->pci_addr, manager->pci_addr, sizeof(manager->pci_addr));
    for (i = 0; attr->pci_addr[0] != '\0' && i < doca_priv_mlx5.num_cards; i++) {
        found = &doca_priv_mlx5.cards[i].attr;
        if (found->func_type != attr->func_type || strcmp(found->pci_addr, attr->pci_addr) != 0 ||
            (is_sf && found->sf_index != port->number))
            continue;
        memcpy(attr->ibdev_name, found->ibdev_name, sizeof(found->ibdev_name));
        attr->vhca_id = found->vhca_id;
        attr->has_no_vhca_id = found->has_no_vhca_id;
        return;
    }
    /* The VF is not among the cards, for example because a virtual machine uses it. */
    if (port->kind == DOCA_PRIV_MLX5_PORT_VF && port->number < 0xffff)
        doca_priv_mlx5_query_vhca_id(reps->d, port->number + 1, manager->side == DOCA_CORE_SIDE_DPU,
                                     attr);
}

enum doca_priv_mlx5_owner {
    DOCA_PRIV_MLX5_OWNER_OTHER = 0,
    DOCA_PRIV_MLX5_OWNER_DEVICE = 1,
    DOCA_PRIV_MLX5_OWNER_BOND = 2 /* a port that has no card, because it is bonded with the port of
                                   * the device */
};

/* Return the owner of an interface's port. The port belongs to the device that is the parent of the
 * interface in sysfs. On older kernels representors have no parent; then the port belongs to the
 * device whose PCI function number is the number of the PF. Bonded ports have the same switch
 * id. */
static enum doca_priv_mlx5_owner doca_priv_mlx5_owner_of(const struct doca_priv_mlx5_reps *reps,
                                                         const char *name,
                                                         const struct doca_priv_mlx5_port *port)
{
    const struct doca_priv_mlx5_card *manager = reps->d->card, *card;
    char parent[DOCA_DEVINFO_PCI_ADDR_SIZE];
    uint32_t i;

    doca_priv_mlx5_find_parent(reps->dir, name, parent);
    for (i = 0; i < doca_priv_mlx5.num_cards; i++) {
        card = &doca_priv_mlx5.cards[i];
        if (strcmp(card->switch_id, manager->switch_id) == 0 &&
            (parent[0] != '\0' ? strcmp(parent, card->attr.pci_addr) == 0
                               : port->pf == (uint32_t)(card->attr.pci_addr[11] - '0')))
            return card == manager ? DOCA_PRIV_MLX5_OWNER_DEVICE : DOCA_PRIV_MLX5_OWNER_OTHER;
    }
    return DOCA_PRIV_MLX5_OWNER_BOND;
}

/* Describe the function of a representor. The PCI address and the vhca id stay unknown if the port
 * is bonded with the port of the device. */
static void doca_priv_mlx5_describe_rep(struct doca_priv_mlx5_reps *reps, const char *name,
                                        const char *port_name,
                                        const struct doca_priv_mlx5_port *port, bool is_bond,
                                        struct doca_core_dev_attr *attr)
{
    const struct doca_priv_mlx5_card *card = reps->d->card;
    bool is_host = card->attr.side == DOCA_CORE_SIDE_HOST;

    memset(attr, 0, sizeof(*attr));
    doca_priv_mlx5_copy_text(attr->iface_name, sizeof(attr->iface_name), name);
    attr->has_no_vhca_id = 1;
    attr->sf_index = port->number; /* also for a VF; determines the order of the list */
    attr->func_type = port->kind == DOCA_PRIV_MLX5_PORT_PF   ? DOCA_PCI_FUNC_TYPE_PF
                      : port->kind == DOCA_PRIV_MLX5_PORT_VF ? DOCA_PCI_FUNC_TYPE_VF
                                                             : DOCA_PCI_FUNC_TYPE_SF;
    /* Older kernels do not report a controller; then a VF is a VF of this machine if sysfs shows a
     * device for it. */
    if (is_bond)
        attr->side = port->has_controller || (!is_host && port->kind != DOCA_PRIV_MLX5_PORT_SF)
                         ? DOCA_CORE_SIDE_HOST
                         : card->attr.side;
    else if (port->has_controller || (!is_host && port->kind == DOCA_PRIV_MLX5_PORT_PF) ||
             (port->kind == DOCA_PRIV_MLX5_PORT_VF &&
              !doca_priv_mlx5_find_vf(card->device, port->number, attr) && !is_host))
        doca_priv_mlx5_describe_remote(reps, port, attr);
    else
        doca_priv_mlx5_describe_local(reps, port, attr);
    doca_priv_mlx5_make_vuid(reps->d, port_name, attr);
}

/* The order of the list: PFs, then VFs, then SFs. For each kind, the functions of the host come
 * before the functions of the device's own side. The rest is sorted by number and name. */
static bool doca_priv_mlx5_is_before(const struct doca_core_dev_attr *a,
                                     const struct doca_core_dev_attr *b)
{
    if (a->func_type != b->func_type)
        return a->func_type < b->func_type;
    if (a->side != b->side)
        return a->side > b->side;
    if (a->sf_index != b->sf_index)
        return a->sf_index < b->sf_index;
    return strcmp(a->iface_name, b->iface_name) < 0;
}

static void doca_priv_mlx5_visit_rep(const char *name, void *data)
{
    struct doca_priv_mlx5_reps *reps = (struct doca_priv_mlx5_reps *)data;
    char switch_id[DOCA_PRIV_MLX5_SWITCH_BYTES], port_name[32];
    enum doca_priv_mlx5_owner owner;
    struct doca_core_dev_attr attr;
    struct doca_priv_mlx5_port port;
    uint32_t i;

    if (!doca_priv_mlx5_read_switch(reps->dir, name, switch_id) ||
        strcmp(switch_id, reps->d->card->switch_id) != 0 ||
        !doca_priv_mlx5_read_attr(reps->dir, name, "phys_port_name", port_name, sizeof(port_name)))
        return;
    port = doca_priv_mlx5_parse_port(port_name);
    if (port.kind < DOCA_PRIV_MLX5_PORT_PF)
        return;
    owner = doca_priv_mlx5_owner_of(reps, name, &port);
    if (owner == DOCA_PRIV_MLX5_OWNER_OTHER)
        return;
    i = reps->num++;
    if (i >= reps->max)
        return;
    doca_priv_mlx5_describe_rep(reps, name, port_name, &port, owner == DOCA_PRIV_MLX5_OWNER_BOND,
                                &attr);
    for (; i > 0 && doca_priv_mlx5_is_before(&attr, &reps->attrs[i - 1]); i--)
        reps->attrs[i] = reps->attrs[i - 1];
    reps->attrs[i] = attr;
}

/* List the representors of a device. `filter` makes no difference: all representors are network
 * functions, and these match every filter that the device offers. */
DOCA_PRIV_DECL uint32_t doca_priv_mlx5_enumerate_reps(struct doca_dev *dev, int filter,
                                                      struct doca_core_dev_attr *attrs,
                                                      uint32_t max)
{
    struct doca_priv_mlx5_reps reps;

    (void)filter;
    memset(&reps, 0, sizeof(reps));
    reps.d = doca_priv_mlx5_dev_of(dev);
    reps.attrs = attrs;
    reps.max = max;
    doca_priv_mlx5_net_dir(reps.d->card->device, reps.dir);
    (void)doca_priv_mlx5.sys->list_names(reps.dir, doca_priv_mlx5_visit_rep, &reps);
    return reps.num;
}
