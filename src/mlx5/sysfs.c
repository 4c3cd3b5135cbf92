/* ---- >>mlx5.sysfs ---------------------------------------------------------------------------
 * Reads names, addresses and ids of devices, interfaces and eswitch ports from sysfs. The kernel
 * builds phys_port_name from the same port attributes that devlink reports through netlink: letters
 * and a number for each of controller, PF, VF and SF.                                           */
#include "mlx5/sysfs_priv.h"

#include "mlx5/device_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/sys.h"

/* Copy a string into `to`, which has `bytes` bytes. A string that is too long is truncated. */
DOCA_PRIV_DECL void doca_priv_mlx5_copy_text(char *to, size_t bytes, const char *from)
{
    size_t len = strlen(from);

    if (len >= bytes)
        len = bytes - 1;
    memcpy(to, from, len);
    to[len] = '\0';
}

/* True when `s` is a PCI address, DDDD:BB:DD.F, followed by the end or by a slash. */
static bool doca_priv_mlx5_is_pci(const char *s)
{
    static const char shape[] = "xxxx:xx:xx.x";
    size_t i;

    for (i = 0; shape[i] != '\0'; i++)
        if (shape[i] == 'x' ? strchr("0123456789abcdef", s[i]) == NULL || s[i] == '\0'
                            : s[i] != shape[i])
            return false;
    return s[i] == '\0' || s[i] == '/';
}

/* Derive PCI address and kind of function from a device's path in sysfs. The last PCI address in
 * the path belongs to the device; the path of an SF continues below the address of its parent. */
DOCA_PRIV_DECL void doca_priv_mlx5_describe_path(struct doca_core_dev_attr *attr, const char *path)
{
    static const char sf[] = "/mlx5_core.sf.";
    const char *at, *below = strstr(path, sf);
    char text[32], name[PATH_MAX + 32];

    for (at = strchr(path, '/'); at != NULL; at = strchr(at + 1, '/'))
        if (doca_priv_mlx5_is_pci(at + 1))
            doca_priv_mlx5_copy_text(attr->pci_addr, sizeof(attr->pci_addr), at + 1);
    attr->func_type = DOCA_PCI_FUNC_TYPE_PF;
    if (below != NULL) {
        attr->func_type = DOCA_PCI_FUNC_TYPE_SF;
        at = strchr(below + 1, '/');
        doca_priv_mlx5_copy_text(name, sizeof(name), path);
        doca_priv_mlx5_copy_text(name + (at != NULL ? (size_t)(at - path) : strlen(path)), 8,
                                 "/sfnum");
        if (doca_priv_mlx5.sys->read_file(name, text, sizeof(text)) == 0)
            attr->sf_index = (uint32_t)strtoul(text, NULL, 0);
    }
}

/* Append to a path of DOCA_PRIV_MLX5_PATH_BYTES bytes. Returns false when the text does not
 * fit. */
DOCA_PRIV_DECL bool doca_priv_mlx5_append(char *path, const char *text)
{
    size_t at = strlen(path), len = strlen(text);

    if (at + len >= DOCA_PRIV_MLX5_PATH_BYTES)
        return false;
    memcpy(path + at, text, len + 1);
    return true;
}

/* Read the file dir/name/file. Returns false when it cannot be read or is empty. */
DOCA_PRIV_DECL bool doca_priv_mlx5_read_attr(const char *dir, const char *name, const char *file,
                                             char *text, size_t bytes)
{
    char path[DOCA_PRIV_MLX5_PATH_BYTES];

    doca_priv_mlx5_copy_text(path, sizeof(path), dir);
    return doca_priv_mlx5_append(path, "/") && doca_priv_mlx5_append(path, name) &&
           doca_priv_mlx5_append(path, "/") && doca_priv_mlx5_append(path, file) &&
           doca_priv_mlx5.sys->read_file(path, text, bytes) == 0 && text[0] != '\0';
}

/* Read the switch id of an interface. The kernel writes it in hexadecimal. VUIDs begin with it. */
DOCA_PRIV_DECL bool doca_priv_mlx5_read_switch(const char *dir, const char *name,
                                               char text[DOCA_PRIV_MLX5_SWITCH_BYTES])
{
    return doca_priv_mlx5_read_attr(dir, name, "phys_switch_id", text,
                                    DOCA_PRIV_MLX5_SWITCH_BYTES) &&
           text[strspn(text, "0123456789abcdef")] == '\0';
}

/* Get the PCI address of an interface's parent device; an empty string when sysfs shows no
 * parent. */
DOCA_PRIV_DECL void doca_priv_mlx5_find_parent(const char *dir, const char *name,
                                               char addr[DOCA_DEVINFO_PCI_ADDR_SIZE])
{
    char path[DOCA_PRIV_MLX5_PATH_BYTES], real[PATH_MAX];
    struct doca_core_dev_attr parent;

    memset(&parent, 0, sizeof(parent));
    doca_priv_mlx5_copy_text(path, sizeof(path), dir);
    if (doca_priv_mlx5_append(path, "/") && doca_priv_mlx5_append(path, name) &&
        doca_priv_mlx5_append(path, "/device") &&
        doca_priv_mlx5.sys->resolve_path(path, real, sizeof(real)) == 0)
        doca_priv_mlx5_describe_path(&parent, real);
    memcpy(addr, parent.pci_addr, sizeof(parent.pci_addr));
}

/* Get the sysfs directory of the network interfaces, class/net, next to class/infiniband. */
DOCA_PRIV_DECL void doca_priv_mlx5_net_dir(const struct ibv_device *device,
                                           char path[DOCA_PRIV_MLX5_PATH_BYTES])
{
    unsigned num;

    doca_priv_mlx5_copy_text(path, DOCA_PRIV_MLX5_PATH_BYTES, device->ibdev_path);
    for (num = 0; num < 2 && strrchr(path, '/') != NULL; num++)
        *strrchr(path, '/') = '\0';
    (void)doca_priv_mlx5_append(path, "/net");
}

/* Parse `prefix` and a decimal number of up to 9 digits, and advance *text past them. Returns false
 * when the text does not have this form; *text is unchanged then. */
static bool doca_priv_mlx5_parse_number(const char **text, const char *prefix, uint32_t *number)
{
    const char *at = *text + strlen(prefix);
    uint32_t value = 0;
    unsigned num = 0;

    if (strncmp(*text, prefix, strlen(prefix)) != 0)
        return false;
    while (num <= 9 && at[num] >= '0' && at[num] <= '9')
        value = value * 10 + (uint32_t)(at[num++] - '0');
    if (num == 0 || num > 9)
        return false;
    *text = at + num;
    *number = value;
    return true;
}

/* Parse the phys_port_name of a port. An uplink is "p0"; representors are "pf0", "pf0vf1" or
 * "pf0sf88", preceded by "c1" if the function belongs to controller 1, in another machine. Some
 * drivers name the representor of the host's PF "pf0hpf". */
DOCA_PRIV_DECL struct doca_priv_mlx5_port doca_priv_mlx5_parse_port(const char *text)
{
    struct doca_priv_mlx5_port port;
    uint32_t uplink;

    memset(&port, 0, sizeof(port));
    if (doca_priv_mlx5_parse_number(&text, "p", &uplink)) {
        port.kind = *text == '\0' ? DOCA_PRIV_MLX5_PORT_UPLINK : DOCA_PRIV_MLX5_PORT_OTHER;
        return port;
    }
    port.has_controller = doca_priv_mlx5_parse_number(&text, "c", &port.controller);
    if (!doca_priv_mlx5_parse_number(&text, "pf", &port.pf))
        return port;
    port.kind = DOCA_PRIV_MLX5_PORT_PF;
    if (doca_priv_mlx5_parse_number(&text, "vf", &port.number))
        port.kind = DOCA_PRIV_MLX5_PORT_VF;
    else if (doca_priv_mlx5_parse_number(&text, "sf", &port.number))
        port.kind = DOCA_PRIV_MLX5_PORT_SF;
    else if (strcmp(text, "hpf") == 0)
        return port;
    if (*text != '\0')
        port.kind = DOCA_PRIV_MLX5_PORT_OTHER;
    return port;
}

struct doca_priv_mlx5_iface { /* state of a search for the interface of a device */
    const char *dir;
    char name[64]; /* alphabetically first name found so far; empty before the first */
};

/* Keep the first interface that is not a representor. In switchdev mode representors are in the
 * device's directory, too. */
static void doca_priv_mlx5_visit_iface(const char *name, void *data)
{
    struct doca_priv_mlx5_iface *iface = (struct doca_priv_mlx5_iface *)data;
    char text[64];

    if (strlen(name) < sizeof(iface->name) &&
        (iface->name[0] == '\0' || strcmp(name, iface->name) < 0) &&
        !(doca_priv_mlx5_read_attr(iface->dir, name, "phys_port_name", text, sizeof(text)) &&
          doca_priv_mlx5_parse_port(text).kind >= DOCA_PRIV_MLX5_PORT_PF))
        doca_priv_mlx5_copy_text(iface->name, sizeof(iface->name), name);
}

/* Return the side of the device that has this path in sysfs. The Arm cores of BlueField-2 and -3
 * reach the device through a root port of the card, a host reaches it through a root port of the
 * host. (Bridges below the root port do not show the side: both sides see bridges of the card.)
 * Returns BOTH when sysfs does not show the root port. */
static enum doca_core_side doca_priv_mlx5_side(const char *path)
{
    static const char bridge[] = "0x0604"; /* class and subclass, without the interface */
    char dir[PATH_MAX], name[DOCA_DEVINFO_PCI_ADDR_SIZE], vendor[16], pci_class[16];
    const char *at = strchr(path, '/');

    while (at != NULL && !doca_priv_mlx5_is_pci(at + 1))
        at = strchr(at + 1, '/');
    if (at == NULL)
        return DOCA_CORE_SIDE_BOTH;
    doca_priv_mlx5_copy_text(dir, sizeof(dir), path);
    dir[at - path] = '\0';
    doca_priv_mlx5_copy_text(name, sizeof(name), at + 1);
    if (!doca_priv_mlx5_read_attr(dir, name, "vendor", vendor, sizeof(vendor)) ||
        !doca_priv_mlx5_read_attr(dir, name, "class", pci_class, sizeof(pci_class)))
        return DOCA_CORE_SIDE_BOTH;
    return strcmp(vendor, "0x15b3") == 0 && strncmp(pci_class, bridge, strlen(bridge)) == 0
               ? DOCA_CORE_SIDE_DPU
               : DOCA_CORE_SIDE_HOST;
}

/* Describe a device from sysfs: names, PCI address, kind of function, side. */
DOCA_PRIV_DECL void doca_priv_mlx5_describe_names(struct doca_core_dev_attr *attr,
                                                  const struct ibv_device *device)
{
    char path[IBV_SYSFS_PATH_MAX + 64], real[PATH_MAX];
    struct doca_priv_mlx5_iface iface;

    doca_priv_mlx5_copy_text(attr->ibdev_name, sizeof(attr->ibdev_name), device->name);
    doca_priv_mlx5_copy_text(path, sizeof(path), device->ibdev_path);
    doca_priv_mlx5_copy_text(path + strlen(path), 64, "/device");
    if (doca_priv_mlx5.sys->resolve_path(path, real, sizeof(real)) == 0) {
        doca_priv_mlx5_describe_path(attr, real);
        attr->side = doca_priv_mlx5_side(real);
    }
    doca_priv_mlx5_copy_text(path + strlen(path), 56, "/physfn");
    if (doca_priv_mlx5.sys->resolve_path(path, real, sizeof(real)) == 0)
        attr->func_type = DOCA_PCI_FUNC_TYPE_VF;
    doca_priv_mlx5_copy_text(path, sizeof(path), device->ibdev_path);
    doca_priv_mlx5_copy_text(path + strlen(path), 64, "/ports/1/gid_attrs/ndevs/0");
    memset(&iface, 0, sizeof(iface));
    if (doca_priv_mlx5.sys->read_file(path, iface.name, sizeof(iface.name)) != 0) {
        iface.name[0] = '\0'; /* InfiniBand ports have no such file */
        doca_priv_mlx5_copy_text(path + strlen(device->ibdev_path), 64, "/device/net");
        iface.dir = path;
        (void)doca_priv_mlx5.sys->list_names(path, doca_priv_mlx5_visit_iface, &iface);
    }
    doca_priv_mlx5_copy_text(attr->iface_name, sizeof(attr->iface_name), iface.name);
}
