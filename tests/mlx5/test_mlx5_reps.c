/* The side of a device and its representors, read from a fake sysfs and a fake firmware in plain
 * memory (mlx5_sysfs.h): the Arm side of a BlueField with two ports, hosts with and without an
 * eswitch, several versions of the kernel, and missing or wrong files and answers. */
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "mlx5_sysfs.h"

/* ---- lists of representors ---- */

struct want {
    const char *iface;
    const char *pci_addr; /* NULL: unknown */
    enum doca_pci_func_type type;
    enum doca_core_side side;
    int vhca_id;  /* -1: unknown */
    int sf_index; /* -1: the function is not an SF */
    const char *vuid;
};

static struct doca_dev *open_device(const char *name)
{
    char text[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    uint32_t num, i;

    CHECK_OK(doca_devinfo_create_list(&list, &num));
    for (i = 0; i < num; i++) {
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], text, sizeof(text)));
        if (strcmp(text, name) == 0)
            CHECK_OK(doca_dev_open(list[i], &dev));
    }
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK(dev != NULL);
    return dev;
}

static enum doca_core_side side_of(const struct doca_dev *dev)
{
    enum doca_core_side side = (enum doca_core_side)77;

    CHECK_OK(doca_core_devinfo_get_side(doca_dev_as_devinfo(dev), &side));
    return side;
}

static void check_rep(const struct doca_devinfo_rep *rep, const struct want *want)
{
    char text[DOCA_DEVINFO_IFACE_NAME_SIZE], addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE] = "#";
    enum doca_pci_func_type type;
    uint16_t vhca_id = 0;
    uint32_t sf_index = 0;
    uint8_t byte;

    CHECK_OK(doca_devinfo_rep_get_iface_name(rep, text, sizeof(text)));
    CHECK_STR(text, want->iface);
    CHECK_OK(doca_devinfo_rep_get_pci_func_type(rep, &type));
    CHECK_EQ(type, want->type);
    CHECK_EQ(rep->info.attr.side, want->side);
    CHECK_RC(doca_devinfo_rep_get_pci_addr_str(rep, addr),
             want->pci_addr != NULL ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
    CHECK_STR(addr, want->pci_addr != NULL ? want->pci_addr : "#");
    if (want->pci_addr == NULL)
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_REP_NO_PCI_ADDR);
    CHECK_OK(doca_devinfo_rep_is_equal_pci_addr(
        rep, want->pci_addr != NULL ? want->pci_addr : "00:00.0", &byte));
    CHECK_EQ(byte, want->pci_addr != NULL);
    CHECK_RC(doca_devinfo_rep_get_vhca_id(rep, &vhca_id),
             want->vhca_id >= 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(vhca_id, want->vhca_id >= 0 ? want->vhca_id : 0);
    CHECK_RC(doca_devinfo_rep_get_sf_index(rep, &sf_index),
             want->sf_index >= 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(sf_index, want->sf_index >= 0 ? want->sf_index : 0);
    CHECK_OK(doca_devinfo_rep_get_vuid(rep, text, DOCA_DEVINFO_REP_VUID_SIZE));
    CHECK_STR(text, want->vuid);
    CHECK_OK(doca_devinfo_rep_get_is_hotplug(rep, &byte));
    CHECK_EQ(byte, 0);
}

static void check_reps(struct doca_dev *dev, const struct want *wants, uint32_t num_wants)
{
    static const int filters[] = { DOCA_DEVINFO_REP_FILTER_ALL, DOCA_DEVINFO_REP_FILTER_NET };
    struct doca_devinfo_rep **list;
    uint32_t num, i;
    size_t k;

    for (k = 0; k < NUM(filters); k++) {
        CHECK_OK(doca_devinfo_rep_create_list(dev, filters[k], &list, &num));
        for (i = 0; i < num && i < num_wants; i++)
            check_rep(list[i], &wants[i]);
        CHECK_EQ(num, num_wants);
        CHECK_OK(doca_devinfo_rep_destroy_list(list));
    }
    CHECK_RC(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_EMULATED, &list, &num),
             DOCA_ERROR_NOT_SUPPORTED);
}

static void check_no_reps(struct doca_dev *dev)
{
    struct doca_devinfo_rep **list = NULL;
    uint32_t num;

    CHECK_RC(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_REPRESENTORS);
    CHECK_PTR(list, NULL);
}

#define PF_ DOCA_PCI_FUNC_TYPE_PF
#define VF_ DOCA_PCI_FUNC_TYPE_VF
#define SF_ DOCA_PCI_FUNC_TYPE_SF
#define DPU_ DOCA_CORE_SIDE_DPU
#define HOST_ DOCA_CORE_SIDE_HOST
#define VUID "MT2306XZ0000MLNXS0D0F"

static void arm_side_lists_representors_of_both_sides(void)
{
    static const struct want port_0[] = {
        { "pf0hpf", "0000:0b:00.0", PF_, HOST_, 0x20, -1, VUID "32" },
        { "pf0vf0", "0000:0b:00.2", VF_, HOST_, 0x201, -1, VUID "513" },
        { "pf0vf1", "0000:0b:00.3", VF_, HOST_, 0x202, -1, VUID "514" },
        { "en3f0pf0sf88", "0000:03:00.0", SF_, DPU_, 13, 88, VUID "13" },
    };
    static const struct want port_1[] = { /* the firmware refuses queries about vport 1 */
        { "pf1hpf", "0000:0b:00.1", PF_, HOST_, 0x21, -1, VUID "33" },
        { "pf1vf0", "0000:0b:00.4", VF_, HOST_, -1, -1, SWITCH_1 "-c1pf1vf0" },
    };
    struct doca_dev *dev;

    make_arm();
    CHECK_EQ(look(), 3);
    dev = open_device("mlx5_0");
    CHECK_EQ(side_of(dev), DPU_);
    check_reps(dev, port_0, NUM(port_0));
    CHECK(!card.is_own_vf);
    CHECK_OK(doca_dev_close(dev));
    dev = open_device("mlx5_1");
    CHECK_EQ(side_of(dev), DPU_);
    check_reps(dev, port_1, NUM(port_1));
    CHECK_OK(doca_dev_close(dev));
    dev = open_device("mlx5_2"); /* the SF */
    CHECK_EQ(side_of(dev), DPU_);
    check_no_reps(dev);
    CHECK_OK(doca_dev_close(dev));
    CHECK_EQ(card.num_opens, 0);
}

static void host_without_an_eswitch_has_no_representors(void)
{
    struct doca_dev *dev;

    make_host(NULL);
    CHECK_EQ(look(), 2);
    dev = open_device("mlx5_0");
    CHECK_EQ(side_of(dev), HOST_);
    check_no_reps(dev);
    CHECK_OK(doca_dev_close(dev));
    make_host(SWITCH_0);
    card.is_eswitch_manager = false; /* like the host of a BlueField; sysfs has a switch id */
    CHECK_EQ(look(), 2);
    dev = open_device("mlx5_0");
    check_no_reps(dev);
    CHECK_OK(doca_dev_close(dev));
}

static void host_in_switchdev_mode_lists_its_vfs(void)
{
    static const struct want wants[] = {
        /* passed to a guest, so it is not a device of this machine */
        { "eth2_0", "0000:5e:00.2", VF_, HOST_, 0x301, -1, SWITCH_0 "-pf0vf0" },
        /* this VF is the device mlx5_3 */
        { "eth2_1", "0000:5e:00.3", VF_, HOST_, 12, -1, SWITCH_0 "-pf0vf1" },
    };
    struct doca_dev *dev;

    make_host(SWITCH_0);
    CHECK_EQ(look(), 2);
    dev = open_device("mlx5_0");
    CHECK_EQ(side_of(dev), HOST_);
    check_reps(dev, wants, NUM(wants));
    CHECK(!card.is_own_vf);
    CHECK_OK(doca_dev_close(dev));
    dev = open_device("mlx5_3"); /* the VF */
    check_no_reps(dev);
    CHECK_OK(doca_dev_close(dev));
}

/* A VF of the Arm side itself is not a VF of the host. */
static void vf_of_the_arm_side_is_not_a_vf_of_the_host(void)
{
    static const struct want wants[] = {
        { "pf0hpf", "0000:0b:00.0", PF_, HOST_, 0x20, -1, VUID "32" },
        { "pf0vf0", "0000:0b:00.2", VF_, HOST_, 0x201, -1, VUID "513" },
        { "pf0vf1", "0000:0b:00.3", VF_, HOST_, 0x202, -1, VUID "514" },
        { "ec0", "0000:03:00.4", VF_, DPU_, 0x201, -1, VUID "513" },
        { "en3f0pf0sf88", "0000:03:00.0", SF_, DPU_, 13, 88, VUID "13" },
    };
    struct doca_dev *dev;

    make_arm();
    put_net("ec0", "pf0vf0", SWITCH_0, "> " ARM_PORT "0");
    put_file("/sys/class/infiniband/mlx5_0/device/virtfn0", "> " ARM_PORT "4");
    CHECK_EQ(look(), 3);
    dev = open_device("mlx5_0");
    check_reps(dev, wants, NUM(wants));
    no_file("/sys/class/net/en3f0pf0sf88/phys_port_name", EIO);
    no_file("/sys/class/net/pf0vf0/phys_port_name", EIO);
    no_file("/sys/class/net/pf0vf1/phys_port_name", EIO);
    check_reps(dev, (struct want[]){ wants[0], wants[3] }, 2);
    CHECK(card.is_own_vf);
    CHECK_OK(doca_dev_close(dev));
}

/* Bonded ports have one RDMA device, whose interface is the bond. It lists the representors of both
 * ports. */
static void bonded_ports_have_one_device(void)
{
    static const struct want wants[] = {
        { "pf0hpf", "0000:0b:00.0", PF_, HOST_, 0x20, -1, VUID "32" },
        { "pf1hpf", NULL, PF_, HOST_, -1, -1, SWITCH_0 "-c1pf1" },
        { "pf0vf0", "0000:0b:00.2", VF_, HOST_, 0x201, -1, VUID "513" },
        { "pf1vf0", NULL, VF_, HOST_, -1, -1, SWITCH_0 "-c1pf1vf0" },
        { "pf0vf1", "0000:0b:00.3", VF_, HOST_, 0x202, -1, VUID "514" },
        { "pf1vf2", NULL, VF_, HOST_, -1, -1, SWITCH_0 "-pf1vf2" },
        { "en3f1pf1sf5", NULL, SF_, DPU_, -1, 5, SWITCH_0 "-pf1sf5" },
        { "en3f0pf0sf88", "0000:03:00.0", SF_, DPU_, 12, 88, VUID "12" },
    };
    struct doca_dev *dev;
    size_t i;

    make_arm();
    for (i = 0; i < card.num; i++)
        if (strcmp(card.files[i].text, SWITCH_1) == 0)
            strcpy(card.files[i].text, SWITCH_0);
    memset(card.list, 0, sizeof(card.list));
    put_device("mlx5_bond_0", "> " ARM_PORT "0", "bond0");
    put_device("mlx5_2", "> " ARM_PORT "0/mlx5_core.sf.2", "enp3s0f0s0");
    put_net("bond0", NULL, NULL, NULL);
    put_net("en3f1pf1sf5", "pf1sf5", SWITCH_0, "> " ARM_PORT "1");
    put_net("pf1vf2", "pf1vf2", SWITCH_0, "> " ARM_PORT "1");
    CHECK_EQ(look(), 2);
    dev = open_device("mlx5_bond_0");
    check_reps(dev, wants, NUM(wants));
    CHECK_OK(doca_dev_close(dev));
    no_file("/sys/class/net/p0/phys_switch_id", EOPNOTSUPP); /* not in switchdev mode */
    CHECK_EQ(look(), 2);
    dev = open_device("mlx5_bond_0");
    check_no_reps(dev);
    CHECK_OK(doca_dev_close(dev));
}

static void switch_ids_are_hexadecimal(void)
{
    static const char *const others[] = { "98f2b3fffe3a1c0g", "98f2 b3ff", "p0", "98\xff" };
    struct doca_dev *dev;
    size_t i;

    for (i = 0; i < NUM(others); i++) {
        make_arm();
        put_file("/sys/class/net/p0/phys_switch_id", others[i]);
        put_file("/sys/class/net/pf0hpf/phys_switch_id", others[i]);
        CHECK(look() > 0);
        dev = open_device("mlx5_0");
        check_no_reps(dev);
        CHECK_OK(doca_dev_close(dev));
    }
}

static void sub_functions_are_distinguished(void)
{
    static const struct want wants[] = {
        { "en3f0pf0sf88", "0000:03:00.0", SF_, DPU_, 13, 88, VUID "13" },
        { "en3f0pf0sf99", "0000:03:00.0", SF_, DPU_, 14, 99, VUID "14" },
        /* has no RDMA device, so its vhca id is unknown */
        { "en3f0pf0sf100", "0000:03:00.0", SF_, DPU_, -1, 100, SWITCH_0 "-pf0sf100" },
        { "c1sf4", "0000:0b:00.0", SF_, HOST_, -1, 4, SWITCH_0 "-c1pf0sf4" },
    };
    struct doca_dev *dev;

    make_arm();
    put_device("mlx5_3", "> " ARM_PORT "0/mlx5_core.sf.3", "enp3s0f0s1");
    put_file(ARM_PORT "0/mlx5_core.sf.3/sfnum", "99");
    put_net("en3f0pf0sf100", "pf0sf100", SWITCH_0, "> " ARM_PORT "0");
    put_net("en3f0pf0sf99", "pf0sf99", SWITCH_0, "> " ARM_PORT "0");
    put_net("c1sf4", "c1pf0sf4", SWITCH_0, "> " ARM_PORT "0");
    no_file("/sys/class/net/pf0hpf/phys_port_name", EIO);
    no_file("/sys/class/net/pf0vf0/phys_port_name", EIO);
    no_file("/sys/class/net/pf0vf1/phys_port_name", EIO);
    CHECK_EQ(look(), 4);
    dev = open_device("mlx5_0");
    check_reps(dev, (struct want[]){ wants[3], wants[0], wants[1], wants[2] }, 4);
    CHECK_OK(doca_dev_close(dev));
}

/* Older kernels: names of ports do not contain the controller, representors have no parent device,
 * and bonded ports share a switch id. */
static void port_names_of_older_kernels_are_understood(void)
{
    static const struct want port_0[] = {
        { "pf0hpf", "0000:0b:00.0", PF_, HOST_, 0x20, -1, VUID "32" },
        { "pf0vf10", "0000:0b:01.4", VF_, HOST_, -1, -1, SWITCH_0 "-pf0vf10" },
    };
    static const struct want port_1[] = {
        { "pf1hpf", "0000:0b:00.1", PF_, HOST_, 0x21, -1, VUID "33" },
    };
    struct doca_dev *dev;

    make_arm();
    while (strstr(card.files[card.num - 1].path, "/p0/") == NULL)
        card.num--;
    no_file("/sys/class/net/en3f0pf0sf88/phys_port_name", ENOENT);
    put_net("p1", "p1", SWITCH_0, "> " ARM_PORT "1");
    put_net("pf0vf10", "pf0vf10", SWITCH_0, NULL);
    put_net("pf1hpf", "pf1hpf", SWITCH_0, NULL);
    put_net("pf0hpf", "pf0", SWITCH_0, NULL);
    put_net("pf0vf11", "pf0vf11", SWITCH_1, NULL); /* belongs to another switch */
    card.list[0] = &card.devices[2]; /* list the SF, which has the PCI address of the PF, first */
    card.list[2] = &card.devices[0];
    CHECK_EQ(look(), 3);
    dev = open_device("mlx5_0");
    check_reps(dev, port_0, NUM(port_0));
    CHECK_OK(doca_dev_close(dev));
    dev = open_device("mlx5_1");
    check_reps(dev, port_1, NUM(port_1));
    CHECK_OK(doca_dev_close(dev));
}

/* When the firmware gives no useful answers, properties are reported as unknown. Functions without
 * an address still differ in their VUIDs, which the backend makes of the switch id and the port. */
static void functions_are_distinct_without_answers_of_the_firmware(void)
{
    static const struct want wants[] = {
        { "pf0hpf", NULL, PF_, HOST_, -1, -1, SWITCH_0 "-c1pf0" },
        { "pf0vf0", NULL, VF_, HOST_, -1, -1, SWITCH_0 "-c1pf0vf0" },
        { "pf0vf1", NULL, VF_, HOST_, -1, -1, SWITCH_0 "-c1pf0vf1" },
        { "en3f0pf0sf88", "0000:03:00.0", SF_, DPU_, 13, 88, SWITCH_0 "-pf0sf88" },
    };
    struct doca_devinfo_rep **list, **again;
    struct doca_dev_rep *reps[4], *same;
    struct doca_dev *dev;
    uint32_t num, i, k;

    make_arm();
    card.vuid = NULL;
    card.esw[17] = 0x0b; /* the host's PF is disabled */
    CHECK_EQ(look(), 3);
    dev = open_device("mlx5_0");
    check_reps(dev, wants, NUM(wants));
    CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num));
    CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &again, &num));
    for (i = 0; i < 4; i++) {
        CHECK_OK(doca_dev_rep_open(list[i], &reps[i]));
        for (k = 0; k < i; k++)
            CHECK(reps[i] != reps[k]);
        CHECK_OK(doca_dev_rep_open(again[i], &same));
        CHECK_PTR(same, reps[i]);
        CHECK_OK(doca_dev_rep_close(same));
    }
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_OK(doca_devinfo_rep_destroy_list(again));
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_dev_rep_close(reps[i]));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- answers and files that are wrong ---- */

static void invalid_answers_of_the_firmware_are_ignored(void)
{
    static const struct {
        unsigned char at, value; /* byte of the firmware's answer that is changed */
        const char *pf, *vf;     /* expected PCI addresses; NULL: unknown */
    } rows[] = {
        { 17, 0x0a, "0000:0b:00.0", "0000:0b:00.3" },
        { 17, 0x02, "0000:0b:00.0", NULL }, /* the address of VFs is not valid */
        { 17, 0x0b, NULL, NULL },           /* the PF of the host is disabled */
        { 17, 0x0e, NULL, NULL },           /* the host has no such PF */
        { 22, 1, NULL, NULL },              /* bus 0x10b does not exist */
        { 23, 0xff, "0000:ff:00.0", "0000:ff:00.3" },
        { 27, 32, NULL, NULL },
        { 27, 31, "0000:0b:1f.0", "0000:0b:1f.3" },
        { 31, 8, NULL, NULL },
        { 30, 1, NULL, NULL },
        { 32, 0xff, "0000:0b:00.0", NULL }, /* the stride of VFs leads past the last bus */
        { 34, 0x80, "0000:0b:00.0", "0000:8b:00.3" },
        { 16, 1, NULL, NULL }, /* the answer describes the PF of another controller */
    };
    struct want wants[4] = {
        { "pf0hpf", NULL, PF_, HOST_, 0x20, -1, "1" },
        { "pf0vf1", NULL, VF_, HOST_, 0x202, -1, "1" },
    };
    struct doca_dev *dev;
    size_t i;

    make_arm();
    card.vuid = "1";
    no_file("/sys/class/net/pf0vf0/phys_port_name", EIO);
    no_file("/sys/class/net/en3f0pf0sf88/phys_switch_id", EIO);
    CHECK_EQ(look(), 3);
    dev = open_device("mlx5_0");
    for (i = 0; i < NUM(rows); i++) {
        unsigned char before = card.esw[rows[i].at];

        card.esw[rows[i].at] = rows[i].value;
        wants[0].pci_addr = rows[i].pf;
        wants[1].pci_addr = rows[i].vf;
        wants[0].vhca_id = rows[i].pf != NULL ? 0x20 : -1;
        wants[1].vhca_id = rows[i].pf != NULL ? 0x202 : -1;
        wants[0].vuid = rows[i].pf != NULL ? "1" : SWITCH_0 "-c1pf0";
        wants[1].vuid = rows[i].pf != NULL ? "1" : SWITCH_0 "-c1pf0vf1";
        check_reps(dev, wants, 2);
        card.esw[rows[i].at] = before;
    }
    card.esw[17] = 0x08; /* the answer lacks the vhca id of the PF; a query of its vport has it */
    wants[0].pci_addr = "0000:0b:00.0";
    wants[1].pci_addr = "0000:0b:00.3";
    wants[0].vhca_id = 0x77;
    wants[1].vhca_id = 0x202;
    wants[0].vuid = wants[1].vuid = "1";
    card.vhca_ids[0] = 0x77;
    check_reps(dev, wants, 2);
    CHECK_OK(doca_dev_close(dev));
}

static void vuid_of_the_firmware_is_used_if_valid(void)
{
    static char full[129], most[128];
    static const struct {
        const char *text;
        unsigned num;
        const char *want;
    } rows[] = {
        { "abc", 1, "abc" },   { "abc", 2, NULL },        { "abc", 0, NULL }, { "", 1, NULL },
        { " abc", 1, NULL },   { "abc def", 1, NULL },    { "\x7f", 1, NULL }, { "\xff", 1, NULL },
        { "a\nb", 1, NULL },   { most, 1, most },         { full, 1, NULL }, /* full: without NUL */
    };
    struct want want = { "en3f0pf0sf88", "0000:03:00.0", SF_, DPU_, 13, 88, NULL };
    struct doca_dev *dev;
    size_t i;

    memset(full, 'v', 128);
    memset(most, 'v', 127);
    make_arm();
    no_file("/sys/class/net/pf0hpf/phys_port_name", EIO);
    no_file("/sys/class/net/pf0vf0/phys_port_name", EIO);
    no_file("/sys/class/net/pf0vf1/phys_port_name", EIO);
    CHECK_EQ(look(), 3);
    dev = open_device("mlx5_0");
    for (i = 0; i < NUM(rows); i++) {
        card.vuid = rows[i].text;
        card.num_vuids = rows[i].num;
        want.vuid = rows[i].want != NULL ? rows[i].want : SWITCH_0 "-pf0sf88";
        check_reps(dev, &want, 1);
    }
    CHECK_OK(doca_dev_close(dev));
}

static void names_of_ports_are_parsed(void)
{
    static const struct {
        const char *text;
        enum doca_priv_mlx5_port_kind kind;
        int controller;
        uint32_t pf, number;
    } rows[] = {
        { "p0", DOCA_PRIV_MLX5_PORT_UPLINK, -1, 0, 0 },
        { "p15", DOCA_PRIV_MLX5_PORT_UPLINK, -1, 0, 0 },
        { "pf0", DOCA_PRIV_MLX5_PORT_PF, -1, 0, 0 },
        { "pf1hpf", DOCA_PRIV_MLX5_PORT_PF, -1, 1, 0 },
        { "c1pf2", DOCA_PRIV_MLX5_PORT_PF, 1, 2, 0 },
        { "pf0vf0", DOCA_PRIV_MLX5_PORT_VF, -1, 0, 0 },
        { "c12pf3vf126", DOCA_PRIV_MLX5_PORT_VF, 12, 3, 126 },
        { "pf1sf4000000", DOCA_PRIV_MLX5_PORT_SF, -1, 1, 4000000 },
        { "c1pf0sf999999999", DOCA_PRIV_MLX5_PORT_SF, 1, 0, 999999999 },
        { "", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
        { "p", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
        { "p0s1", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 }, /* one half of a split port */
        { "pf", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
        { "pfx", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
        { "pf-1", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
        { "pf0 ", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
        { "pf0vf", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
        { "pf0vf1x", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 1 },
        { "pf0vf1000000000", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
        { "pf0vf0sf0", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
        { "pf0xf0", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
        { "c1", DOCA_PRIV_MLX5_PORT_OTHER, 1, 0, 0 },
        { "c1p0", DOCA_PRIV_MLX5_PORT_OTHER, 1, 0, 0 },
        { "cpf0", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
        { "4294967296", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
        { "PF0", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
        { "\xff\xfe", DOCA_PRIV_MLX5_PORT_OTHER, -1, 0, 0 },
    };
    struct doca_priv_mlx5_port port;
    size_t i;

    for (i = 0; i < NUM(rows); i++) {
        port = doca_priv_mlx5_parse_port(rows[i].text);
        if (port.kind != rows[i].kind)
            test_fail(__FILE__, __LINE__, "\"%s\" is of kind %d", rows[i].text, (int)port.kind);
        CHECK_EQ(port.has_controller, rows[i].controller >= 0);
        CHECK_EQ(port.controller, port.has_controller ? (uint32_t)rows[i].controller : 0);
        CHECK_EQ(port.pf, rows[i].pf);
        CHECK_EQ(port.number, rows[i].number);
    }
}

static const char long_text[] = "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
                                "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz";
static const char *const wrong_texts[] = {
    "", "p", "pf", "c9pf9vf9", "pf0vf99999", "\xff\xff", long_text, "> /", "> ",
    "> /sys/devices/pci0000:00/0000:03:00.7", "> 0000:03:00.0"
};

/* Call everything that reads sysfs or asks the firmware, for every device, and accept any
 * answer. */
static void use_everything(void)
{
    struct doca_devinfo_rep **reps;
    struct doca_devinfo **list;
    struct doca_dev_rep *rep;
    struct doca_dev *dev;
    uint32_t num, num_reps, i, k;

    if (look() == 0)
        return;
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    for (i = 0; i < num; i++) {
        CHECK_OK(doca_dev_open(list[i], &dev));
        (void)side_of(dev);
        if (doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num_reps) ==
            DOCA_SUCCESS) {
            for (k = 0; k < num_reps; k++) {
                CHECK(strlen(reps[k]->info.attr.vuid) > 0);
                CHECK_OK(doca_dev_rep_open(reps[k], &rep));
                CHECK_OK(doca_dev_rep_close(rep));
            }
            CHECK(num_reps < 8);
            CHECK_OK(doca_devinfo_rep_destroy_list(reps));
        }
        CHECK_OK(doca_dev_close(dev));
    }
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_EQ(card.num_opens, 0);
}

/* Change each file of sysfs in turn: other content, unreadable, missing. */
static void any_file_may_be_missing_or_wrong(void)
{
    size_t i, k;

    for (i = 0; i < SYSFS_FILES; i++) {
        for (k = 0; k < NUM(wrong_texts) + 2; k++) {
            make_arm();
            if (i >= card.num)
                return;
            if (k < NUM(wrong_texts))
                strcpy(card.files[i].text, wrong_texts[k]);
            else if (k == NUM(wrong_texts))
                card.files[i].error = EACCES;
            else
                card.files[i].path[0] = '\0';
            use_everything();
        }
    }
}

static void any_command_may_be_refused(void)
{
    unsigned n;

    for (n = 1; n < 40; n++) {
        make_arm();
        card.refuse_at = n;
        use_everything();
    }
    CHECK(card.refuse_at > 0); /* the last round had fewer commands than 39 */
}

/* More representors may exist than when the caller counted them. The backend writes no more than
 * fit into the array. */
static void list_of_representors_does_not_exceed_the_array(void)
{
    struct doca_core_dev_attr attrs[6];
    struct doca_dev *dev;
    uint32_t max, i;

    make_arm();
    CHECK_EQ(look(), 3);
    dev = open_device("mlx5_0");
    CHECK_EQ(dev->backend->enumerate_reps(dev, DOCA_DEVINFO_REP_FILTER_ALL, NULL, 0), 4);
    for (max = 0; max < 6; max++) {
        memset(attrs, 0xa5, sizeof(attrs));
        CHECK_EQ(dev->backend->enumerate_reps(dev, DOCA_DEVINFO_REP_FILTER_ALL, attrs, max), 4);
        for (i = 0; i < 6; i++)
            CHECK_EQ((unsigned char)attrs[i].iface_name[0] != 0xa5, i < max && i < 4);
        for (i = 1; i < max && i < 4; i++)
            CHECK(attrs[i - 1].func_type <= attrs[i].func_type);
    }
    CHECK_OK(doca_dev_close(dev));
}

static void root_port_determines_the_side(void)
{
    static const struct {
        const char *link;               /* link to the device */
        const char *vendor, *pci_class; /* files of the root port; NULL: not readable */
        enum doca_core_side want;
    } rows[] = {
        { "> " ARM_PORT "0", "0x15b3", "0x060400", DPU_ },
        { "> " ARM_PORT "0/mlx5_core.sf.3", "0x15b3", "0x060400", DPU_ },
        { "> " ARM_PORT "0", "0x8086", "0x060400", HOST_ }, /* the root port is another vendor's */
        /* in a guest, the device itself is on the root bus */
        { "> " ARM_ROOT, "0x15b3", "0x020000", HOST_ },
        { "> " ARM_ROOT, "0x15b3", "0x020700", HOST_ },
        { "> " ARM_PORT "0", NULL, "0x060400", DOCA_CORE_SIDE_BOTH },
        { "> " ARM_PORT "0", "0x15b3", NULL, DOCA_CORE_SIDE_BOTH },
        { "> " ARM_PORT "0", "", "0x060400", DOCA_CORE_SIDE_BOTH },
        { "> /sys/devices/virtual/infiniband/rxe0", "0x15b3", "0x060400", DOCA_CORE_SIDE_BOTH },
        { "> nonsense", "0x15b3", "0x060400", DOCA_CORE_SIDE_BOTH },
        { "nonsense", "0x15b3", "0x060400", DOCA_CORE_SIDE_BOTH },
    };
    struct doca_dev *dev;
    size_t i;

    for (i = 0; i < NUM(rows); i++) {
        make_arm();
        put_file("/sys/class/infiniband/mlx5_0/device", rows[i].link);
        put_file(ARM_ROOT "/vendor", rows[i].vendor != NULL ? rows[i].vendor : "");
        put_file(ARM_ROOT "/class", rows[i].pci_class != NULL ? rows[i].pci_class : "");
        if (rows[i].vendor == NULL)
            no_file(ARM_ROOT "/vendor", EACCES);
        if (rows[i].pci_class == NULL)
            no_file(ARM_ROOT "/class", EACCES);
        CHECK_EQ(look(), 3);
        dev = open_device("mlx5_0");
        CHECK_EQ(side_of(dev), rows[i].want);
        CHECK_OK(doca_dev_close(dev));
    }
}

/* When no GID names the interface of the device, the backend searches the directory that also has
 * the representors, and must not choose one of these. */
static void interface_of_a_device_is_not_a_representor(void)
{
    static const char net[] = "/sys/class/infiniband/mlx5_0/device/net";
    char text[DOCA_DEVINFO_IFACE_NAME_SIZE];
    struct doca_dev *dev;

    make_arm();
    no_file("/sys/class/infiniband/mlx5_0/ports/1/gid_attrs/ndevs/0", EINVAL);
    put(net, "en3f0pf0sf88", "phys_port_name", "pf0sf88");
    put(net, "p9", "phys_port_name", "p9");
    put(net, "p0", "phys_port_name", "p0");
    put(net, "c1", "phys_port_name", "c1pf0");
    CHECK_EQ(look(), 3);
    dev = open_device("mlx5_0");
    CHECK_OK(doca_devinfo_get_iface_name(doca_dev_as_devinfo(dev), text, sizeof(text)));
    CHECK_STR(text, "p0");
    CHECK_OK(doca_dev_close(dev));
}

/* The vhca id of a device is unknown when the firmware refuses the query. */
static void device_without_a_vhca_id_reports_not_supported(void)
{
    struct doca_dev *dev;
    uint16_t vhca_id = 77;

    make_arm();
    CHECK_EQ(look(), 3);
    dev = open_device("mlx5_1");
    CHECK_OK(doca_devinfo_get_vhca_id(doca_dev_as_devinfo(dev), &vhca_id));
    CHECK_EQ(vhca_id, 12);
    CHECK_OK(doca_dev_close(dev));
    card.refuse_at = 1; /* refuse the first query, which is for the first device */
    vhca_id = 77;
    CHECK_EQ(look(), 3);
    dev = open_device("mlx5_0");
    CHECK_RC(doca_devinfo_get_vhca_id(doca_dev_as_devinfo(dev), &vhca_id),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_VHCA_ID);
    CHECK_EQ(vhca_id, 77);
    check_no_reps(dev);
    CHECK_RC(doca_core_devinfo_get_side(doca_dev_as_devinfo(dev), NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_devinfo_get_side(NULL, (enum doca_core_side *)&vhca_id),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE(arm_side_lists_representors_of_both_sides, "35 39 41"),
    CASE(host_without_an_eswitch_has_no_representors, "36"),
    CASE(host_in_switchdev_mode_lists_its_vfs, "35 39"),
    CASE(vf_of_the_arm_side_is_not_a_vf_of_the_host, ""),
    CASE(bonded_ports_have_one_device, ""),
    CASE(switch_ids_are_hexadecimal, ""),
    CASE(sub_functions_are_distinguished, ""),
    CASE(port_names_of_older_kernels_are_understood, ""),
    CASE(functions_are_distinct_without_answers_of_the_firmware, "41 43"),
    CASE(invalid_answers_of_the_firmware_are_ignored, ""),
    CASE(vuid_of_the_firmware_is_used_if_valid, "41"),
    CASE(names_of_ports_are_parsed, ""),
    CASE(any_file_may_be_missing_or_wrong, ""),
    CASE(any_command_may_be_refused, ""),
    CASE(list_of_representors_does_not_exceed_the_array, ""),
    CASE(root_port_determines_the_side, ""),
    CASE(interface_of_a_device_is_not_a_representor, ""),
    CASE(device_without_a_vhca_id_reports_not_supported, ""),
};

TEST_MAIN(cases)
