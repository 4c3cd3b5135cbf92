/*
 * The tree that programs see as /sys: DIR/sys with class/infiniband, class/infiniband_verbs,
 * class/net and the PCI functions. It has the layout of the kernel's tree: the entries in class/
 * are links into devices/.
 */
#define _GNU_SOURCE
#include "device/process/sysfs.h"
#include "device/machine/eswitch.h"
#include "device/machine/gid.h"
#include "device/machine/interface.h"
#include "device/machine/log.h"
#include "device/machine/machine.h"
#include "wire/protocol.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PCI_DEVICES "bus/pci/devices"
#define PCI_DRIVER "bus/pci/drivers/mlx5_core"

enum { PATH_BYTES = 512 };

static int log_failure(const char *path)
{
    int error = errno;

    sim_log(SIM_ERROR, "%s: %s", path, strerror(error));
    return error;
}

/* Makes the directory DIR/sys/PATH and its parents, if they do not exist yet. */
static int make_dirs(const char *format, ...)
{
    char path[PATH_BYTES], *p;
    va_list args;
    size_t n = (size_t)snprintf(path, sizeof(path), "%s/sys/", machine.dir);

    va_start(args, format);
    vsnprintf(path + n, sizeof(path) - n, format, args);
    va_end(args);
    for (p = path + strlen(machine.dir) + 1; ; p++) {
        if (*p != '/' && *p != '\0')
            continue;
        {
            char at = *p;

            *p = '\0';
            if (mkdir(path, 0755) != 0 && errno != EEXIST)
                return log_failure(path);
            *p = at;
        }
        if (*p == '\0')
            return 0;
    }
}

struct entry {
    const char *name;
    const char *text;
};

static int write_files(const char *dir, const struct entry *entries, size_t num)
{
    char path[PATH_BYTES];
    size_t i;

    for (i = 0; i < num; i++) {
        FILE *file;

        snprintf(path, sizeof(path), "%s/sys/%s/%s", machine.dir, dir, entries[i].name);
        file = fopen(path, "we");
        if (file == NULL)
            return log_failure(path);
        fprintf(file, "%s\n", entries[i].text);
        if (fclose(file) != 0)
            return log_failure(path);
    }
    return 0;
}

static int make_link(const char *to, const char *format, ...)
{
    char path[PATH_BYTES];
    va_list args;
    size_t n = (size_t)snprintf(path, sizeof(path), "%s/sys/", machine.dir);

    va_start(args, format);
    vsnprintf(path + n, sizeof(path) - n, format, args);
    va_end(args);
    unlink(path);
    return symlink(to, path) == 0 ? 0 : log_failure(path);
}

static const char *guid_text(uint64_t guid, char text[20])
{
    snprintf(text, 20, "%04x:%04x:%04x:%04x", (unsigned)(guid >> 48),
             (unsigned)(guid >> 32 & 0xffff), (unsigned)(guid >> 16 & 0xffff),
             (unsigned)(guid & 0xffff));
    return text;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_host_root(bool host)
{
    return host || !esw_has_arm();
}

static const char *root_port(bool host)
{
    return is_host_root(host) ? "devices/pci0000:0a/0000:0a:00.0"
                              : "devices/pci0000:00/0000:00:00.0";
}

/* Writes the root port above the functions of a side. On the DPU's side it belongs to the card. */
static int write_root(bool host)
{
    const struct entry entries[] = {
        {"vendor", is_host_root(host) ? "0x8086" : "0x15b3"}, {"class", "0x060400"}};
    const char *dir = root_port(host);
    int err = make_dirs("%s", dir);

    return err != 0 ? err : write_files(dir, entries, COUNT(entries));
}

/* Lists the PCI functions of the host among those of the machine, because programs list all
 * functions in one directory, and those of the driver in another one. Their entries are links to
 * the directories of the host; program/files.c makes them relative when a program reads them. The
 * files of the driver are left out: their purpose is to bind functions of the host. */
static int link_host_functions(const char *dir)
{
    char path[PATH_BYTES], link[2], target[PATH_MAX];
    const struct dirent *entry;
    DIR *list;
    int err = 0;

    snprintf(path, sizeof(path), "/sys/%s", dir);
    list = opendir(path);
    while (list != NULL && err == 0 && (entry = readdir(list)) != NULL) {
        snprintf(path, sizeof(path), "/sys/%s/%s", dir, entry->d_name);
        if (readlink(path, link, sizeof(link)) > 0 && realpath(path, target) != NULL)
            err = make_link(target, "%s/%s", dir, entry->d_name);
    }
    if (list != NULL)
        closedir(list);
    return err;
}

/* Writes the parts of a PCI function that an SF does not have: its BARs, its driver, and its entry
 * in the list of functions. The address and the flags of the BAR are assumed: programs map doorbell
 * pages through the RDMA device and do not use this BAR. */
static int write_pci_function(const struct sim_function *function, const char *dir)
{
    enum { OTHER_BARS = 6, LINE = 57 };
    const unsigned long long bar = 0x3800000000, bytes = 0x2000000, flags = 0x14220c;
    char text[(OTHER_BARS + 1) * LINE + 1], to[160];
    const struct entry resource = {"resource", text};
    const unsigned long long start = bar + bytes * function->index;
    int len = snprintf(text, sizeof(text), "0x%016llx 0x%016llx 0x%016llx", start,
                       start + bytes - 1, flags), err, i;

    for (i = 0; i < OTHER_BARS; i++)
        len += snprintf(text + len, sizeof(text) - (size_t)len, "\n0x%016x 0x%016x 0x%016x", 0, 0,
                        0);
    err = write_files(dir, &resource, 1);
    err = err != 0 ? err : make_link("../../../../" PCI_DRIVER, "%s/driver", dir);
    snprintf(to, sizeof(to), "../../../../%s", dir);
    err = err != 0 ? err : make_link(to, PCI_DRIVER "/%s", function->pci);
    snprintf(to, sizeof(to), "../../../%s", dir);
    return err != 0 ? err : make_link(to, PCI_DEVICES "/%s", function->pci);
}

/* Writes the directory of a function; the directory of an SF is below its PF. A real SF has a
 * different modalias, but without the kernel's help libibverbs finds a driver only for the modalias
 * of a PCI device. */
static int write_pci(const struct sim_function *function, const char *dir)
{
    const struct sim_card *card = machine.profile.card;
    char device[8], subsystem[8], revision[8], modalias[80], number[16];
    const struct entry sfnum = {"sfnum", number};
    const struct entry entries[] = {
        {"vendor", "0x15b3"},
        {"device", device},
        {"subsystem_vendor", "0x15b3"},
        {"subsystem_device", subsystem},
        {"class", "0x020000"},
        {"revision", revision},
        {"numa_node", "-1"},
        {"local_cpus", "ffffffff"},
        {"local_cpulist", "0-31"},
        {"current_link_speed", card->link_speed},
        {"max_link_speed", card->link_speed},
        {"current_link_width", "16"},
        {"max_link_width", "16"},
        {"modalias", modalias}};
    char uevent[96];
    const struct entry uevent_entry[] = {{"uevent", uevent}};
    int err;

    snprintf(device, sizeof(device), "0x%04x", card->device & 0xffff);
    snprintf(subsystem, sizeof(subsystem), "0x%04x", card->subsystem & 0xffff);
    snprintf(revision, sizeof(revision), "0x%02x", card->hw_rev & 0xff);
    snprintf(modalias, sizeof(modalias), "pci:v000015B3d0000%04Xsv000015B3sd0000%04Xbc02sc00i00",
             card->device, card->subsystem);
    snprintf(uevent, sizeof(uevent), "DRIVER=mlx5_core\nPCI_SLOT_NAME=%s", function->pci);
    snprintf(number, sizeof(number), "%d", function->sf);
    err = make_dirs("%s", dir);
    if (err == 0)
        err = write_files(dir, entries, COUNT(entries));
    if (err == 0)
        err = write_files(dir, uevent_entry, 1);
    if (err != 0)
        return err;
    return function->sf >= 0 ? write_files(dir, &sfnum, 1) : write_pci_function(function, dir);
}

/* Makes the links between a PF and its VFs: virtfnN and physfn. */
static int link_vfs(const struct sim_function *pf, const char *dir)
{
    char to[40];
    unsigned i;
    int err = 0;

    for (i = 0; err == 0 && i < machine.num_functions; i++) {
        const struct sim_function *vf = &machine.functions[i];

        if (vf->vf < 0 || vf->host != pf->host || vf->port != pf->port)
            continue;
        snprintf(to, sizeof(to), "../%s", vf->pci);
        err = make_link(to, "%s/virtfn%d", dir, vf->vf);
        snprintf(to, sizeof(to), "../%s", pf->pci);
        err = err != 0 ? err : make_link(to, "%s/%s/physfn", root_port(vf->host), vf->pci);
    }
    return err;
}

/* Writes an entry of the GID table. An empty entry is a zero GID without attributes. */
static int write_gid(const struct sim_function *function, const char *dir, unsigned index)
{
    char sub[300], text[48], number[12];
    struct sim_gid gid;
    bool is_set = gid_at(function, index, &gid);
    unsigned k;
    int err;

    for (k = 0; k < 8; k++)
        snprintf(text + 5 * k, sizeof(text) - 5 * k, "%02x%02x:", is_set ? gid.bytes[2 * k] : 0,
                 is_set ? gid.bytes[2 * k + 1] : 0);
    text[39] = '\0';
    snprintf(number, sizeof(number), "%u", index);
    snprintf(sub, sizeof(sub), "%s/gids", dir);
    err = write_files(sub, &(struct entry){number, text}, 1);
    if (err != 0 || !is_set)
        return err;
    snprintf(sub, sizeof(sub), "%s/gid_attrs/types", dir);
    err = write_files(sub, &(struct entry){number, gid.is_v2 ? "RoCE v2" : "IB/RoCE v1"}, 1);
    if (err != 0 || !machine.profile.ethernet)
        return err;
    snprintf(sub, sizeof(sub), "%s/gid_attrs/ndevs", dir);
    return write_files(sub, &(struct entry){number, function->netdev}, 1);
}

/* Writes the directory ports/1 with the GID table. */
static int write_port(const struct sim_function *function, const char *ib)
{
    char dir[256], pkeys[264], lid[8], flags[12];
    const struct entry port[] = {
        {"state", "4: ACTIVE"},
        {"phys_state", "5: LinkUp"},
        {"rate", "200 Gb/sec (4X HDR)"},
        {"link_layer", machine.profile.ethernet ? "Ethernet" : "InfiniBand"},
        {"lid", lid},
        {"lid_mask_count", "0"},
        {"sm_lid", machine.profile.ethernet ? "0x0" : "0x1"},
        {"sm_sl", "0"},
        {"cap_mask", flags}};
    unsigned i;
    int err;

    snprintf(lid, sizeof(lid), "0x%x", function->lid);
    snprintf(flags, sizeof(flags), "0x%08x", (unsigned)SIM_PORT_FLAGS);
    snprintf(dir, sizeof(dir), "%s/ports/1", ib);
    snprintf(pkeys, sizeof(pkeys), "%s/pkeys", dir);
    err = make_dirs("%s/gids", dir);
    err = err != 0 ? err : make_dirs("%s", pkeys);
    err = err != 0 ? err : make_dirs("%s/gid_attrs/types", dir);
    err = err != 0 ? err : make_dirs("%s/gid_attrs/ndevs", dir);
    err = err != 0 ? err : make_dirs("%s/counters", dir);
    err = err != 0 ? err : make_dirs("%s/hw_counters", dir);
    err = err != 0 ? err : write_files(dir, port, COUNT(port));
    err = err != 0 ? err : write_files(pkeys, &(struct entry){"0", "0xffff"}, 1);
    for (i = 0; err == 0 && i < gid_table_len(); i++)
        err = write_gid(function, dir, i);
    return err;
}

static int write_ib(const struct sim_function *function, const char *pci)
{
    const struct sim_card *card = machine.profile.card;
    char ib[200], node[20], image[20], firmware[16], to[220];
    const struct entry entries[] = {
        {"node_type", "1: CA"},
        {"node_guid", guid_text(function->node_guid, node)},
        {"sys_image_guid", guid_text(function->sys_image_guid, image)},
        {"node_desc", function->name},
        {"fw_ver", firmware},
        {"board_id", card->board_id},
        {"hca_type", card->hca_type},
        {"hw_rev", "1"}};
    int err;

    snprintf(firmware, sizeof(firmware), SIM_FIRMWARE_FORMAT, card->firmware);
    snprintf(ib, sizeof(ib), "%s/infiniband/%s", pci, function->name);
    err = make_dirs("%s", ib);
    err = err != 0 ? err : write_files(ib, entries, COUNT(entries));
    err = err != 0 ? err : write_port(function, ib);
    snprintf(to, sizeof(to), "../../../%s", strrchr(pci, '/') + 1);
    err = err != 0 ? err : make_link(to, "%s/device", ib);
    snprintf(to, sizeof(to), "../../%s", ib);
    return err != 0 ? err : make_link(to, "class/infiniband/%s", function->name);
}

static int write_uverbs(const struct sim_function *function, const char *pci)
{
    char dir[200], number[24], to[220];
    const struct entry entries[] = {
        {"ibdev", function->name}, {"abi_version", "1"}, {"dev", number}};
    int err;

    snprintf(number, sizeof(number), "%d:%u", WIRE_UVERBS_MAJOR,
             WIRE_UVERBS_MINOR + function->index);
    snprintf(dir, sizeof(dir), "%s/infiniband_verbs/uverbs%u", pci, function->index);
    err = make_dirs("%s", dir);
    err = err != 0 ? err : write_files(dir, entries, COUNT(entries));
    snprintf(to, sizeof(to), "../../../%s", strrchr(pci, '/') + 1);
    err = err != 0 ? err : make_link(to, "%s/device", dir);
    snprintf(to, sizeof(to), "../../%s", dir);
    return err != 0 ? err : make_link(to, "class/infiniband_verbs/uverbs%u", function->index);
}

/* Writes the entry of the connection manager, which belongs to no function. */
static int write_cm(void)
{
    char number[24];
    const struct entry entries[] = {{"abi_version", "4"}, {"dev", number}};
    int err = make_dirs("devices/virtual/misc/rdma_cm");

    snprintf(number, sizeof(number), "%d:%d", WIRE_CM_MAJOR, WIRE_CM_MINOR);
    err = err != 0 ? err : write_files("devices/virtual/misc/rdma_cm", entries, COUNT(entries));
    err = err != 0 ? err : make_dirs("class/misc");
    return err != 0 ? err : make_link("../../devices/virtual/misc/rdma_cm", "class/misc/rdma_cm");
}

/* Writes an interface below its device: for an interface of the host, a link to the kernel's
 * entry. */
static int write_net(const struct sim_interface *net, const char *pci)
{
    char dir[200], mac[20], to[220], index[12];
    const uint8_t *m = net->mac;
    const struct entry entries[] = {
        {"address", mac},     {"operstate", "up"}, {"carrier", "1"},
        {"ifindex", index},   {"mtu", "1500"},     {"type", "1"},
        {"dev_port", "0"},    {"dev_id", "0x0"}};
    const struct entry port[] = {
        {"phys_port_name", net->port_name}, {"phys_switch_id", net->switch_id}};
    int err = make_dirs("%s/net", pci);

    snprintf(to, sizeof(to), "/sys/class/net/%s", net->name);
    if (err != 0 || net->is_real)
        return err != 0 ? err : make_link(to, "%s/net/%s", pci, net->name);
    snprintf(mac, sizeof(mac), "%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1], m[2], m[3], m[4], m[5]);
    snprintf(index, sizeof(index), "%u", net->index);
    snprintf(dir, sizeof(dir), "%s/net/%s", pci, net->name);
    err = make_dirs("%s", dir);
    err = err != 0 ? err : write_files(dir, entries, COUNT(entries));
    if (net->switch_id[0] != '\0')
        err = err != 0 ? err : write_files(dir, port, COUNT(port));
    snprintf(to, sizeof(to), "../../../%s", strrchr(pci, '/') + 1);
    err = err != 0 ? err : make_link(to, "%s/device", dir);
    snprintf(to, sizeof(to), "../../%s", dir);
    return err != 0 ? err : make_link(to, "class/net/%s", net->name);
}

/* Writes the network interface of a function, and the interfaces of its representors. */
static int write_nets(const struct sim_function *function, const char *pci)
{
    struct sim_interface net;
    unsigned i;
    int err;

    interface_of(function, &net);
    err = write_net(&net, pci);
    for (i = 0; err == 0 && i < machine.num_functions; i++) {
        if (esw_manager(&machine.functions[i]) != function)
            continue;
        interface_of_representor(&machine.functions[i], &net);
        err = write_net(&net, pci);
    }
    return err;
}

/* Returns the directory of a function in the tree. */
static void function_dir(const struct sim_function *function, char *dir, size_t bytes)
{
    size_t len = (size_t)snprintf(dir, bytes, "%s/%s", root_port(function->host), function->pci);

    if (function->sf >= 0)
        snprintf(dir + len, bytes - len, "/mlx5_core.sf.%u", function->index);
}

int sysfs_write(void)
{
    char dir[128];
    unsigned i;
    int err = make_dirs("class/infiniband");

    err = err != 0 ? err : make_dirs("class/infiniband_verbs");
    err = err != 0 ? err : make_dirs("class/net");
    err = err != 0 ? err : make_dirs(PCI_DEVICES);
    err = err != 0 ? err : make_dirs(PCI_DRIVER);
    err = err != 0 ? err : link_host_functions(PCI_DEVICES);
    err = err != 0 ? err : link_host_functions(PCI_DRIVER);
    err = err != 0 ? err : write_files("class/infiniband_verbs",
                                       &(struct entry){"abi_version", "6"}, 1);
    err = err != 0 ? err : write_cm();
    for (i = 0; err == 0 && i < machine.num_functions; i++) {
        const struct sim_function *function = &machine.functions[i];

        function_dir(function, dir, sizeof(dir));
        err = write_root(function->host);
        err = err != 0 ? err : write_pci(function, dir);
        err = err != 0 ? err : write_ib(function, dir);
        err = err != 0 ? err : write_uverbs(function, dir);
        err = err != 0 ? err : write_nets(function, dir);
    }
    for (i = 0; err == 0 && i < machine.num_functions; i++) {
        const struct sim_function *function = &machine.functions[i];

        function_dir(function, dir, sizeof(dir));
        if (function->vf < 0 && function->sf < 0)
            err = link_vfs(function, dir);
    }
    return err;
}
