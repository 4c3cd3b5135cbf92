/* Helpers of the suites of representors and topologies: the functions of the default topology, and
 * devices of a table. With another backend, its devices are the functions of figure[], on a machine
 * that shows both sides. */
#ifndef TOPOLOGY_SUPPORT_H
#define TOPOLOGY_SUPPORT_H

#include "doca_test.h"

#define NUM(array) (sizeof(array) / sizeof((array)[0]))
#define ALL_FILTERS (DOCA_CORE_REP_ALL | DOCA_CORE_REP_NET | DOCA_CORE_REP_EMULATED)

/* Return the devinfo of the list that has this interface. */
static inline struct doca_devinfo *find(struct doca_devinfo **list, uint32_t n, const char *iface)
{
    char name[DOCA_DEVINFO_IFACE_NAME_SIZE];
    uint32_t i;

    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_get_iface_name(list[i], name, sizeof(name)));
        if (strcmp(name, iface) == 0)
            return list[i];
    }
    test_fail(__FILE__, __LINE__, "no device with the interface %s", iface);
}

static inline struct doca_dev *open_iface(const char *iface)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t n;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_dev_open(find(list, n, iface), &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    return dev;
}

static inline uint32_t count_devs(void)
{
    struct doca_devinfo **list;
    uint32_t n = 0;

    if (doca_devinfo_create_list(&list, &n) == DOCA_SUCCESS)
        CHECK_OK(doca_devinfo_destroy_list(list));
    return n;
}

static inline uint32_t count_reps(struct doca_dev *dev, int filter)
{
    struct doca_devinfo_rep **list;
    uint32_t n;

    CHECK_OK(doca_devinfo_rep_create_list(dev, filter, &list, &n));
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    return n;
}

static inline struct doca_devinfo_rep *find_rep(struct doca_devinfo_rep **list, uint32_t n,
                                                const char *pci_addr)
{
    uint8_t is_equal = 0;
    uint32_t i;

    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_rep_is_equal_pci_addr(list[i], pci_addr, &is_equal));
        if (is_equal)
            return list[i];
    }
    test_fail(__FILE__, __LINE__, "no representor at %s", pci_addr);
}

static inline struct doca_core_dev_attr attr_at(const char *pci_addr, const char *iface)
{
    struct doca_core_dev_attr attr;

    memset(&attr, 0, sizeof(attr));
    CHECK_OK(doca_core_sw_profile("unlimited", &attr.limits));
    strcpy(attr.pci_addr, pci_addr);
    strcpy(attr.iface_name, iface);
    return attr;
}

/* The device table of many cases: a card "c" that supports all filters of representors, and
 * functions "f0", "f1" ... that it represents. */
static struct doca_core_dev_attr table[5];

static inline void set_card(unsigned num)
{
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE], iface[] = "f0";
    unsigned i;

    table[0] = attr_at("0000:c0:00.0", "c");
    table[0].rep_filters = ALL_FILTERS;
    for (i = 0; i < num; i++) {
        snprintf(pci_addr, sizeof(pci_addr), "0000:f0:00.%u", i & 7);
        iface[1] = (char)('0' + i);
        table[1 + i] = attr_at(pci_addr, iface);
        strcpy(table[1 + i].rep_dev, "0000:c0:00.0");
    }
    CHECK_OK(doca_core_sw_set_devices(table, 1 + num));
}

static inline void restore(void)
{
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_BOTH));
}

static const struct function {
    enum doca_core_side side;
    const char *pci_addr, *ibdev, *iface;
    enum doca_pci_func_type type;
    const char *rep_dev; /* interface of the device that represents this function */
} figure[] = {
    { DOCA_CORE_SIDE_DPU, "0000:03:00.0", "mlx5_0", "p0", DOCA_PCI_FUNC_TYPE_PF, NULL },
    { DOCA_CORE_SIDE_DPU, "0000:03:00.1", "mlx5_1", "p1", DOCA_PCI_FUNC_TYPE_PF, NULL },
    { DOCA_CORE_SIDE_DPU, "0000:03:00.0", "mlx5_2", "p0s0", DOCA_PCI_FUNC_TYPE_SF, "p0" },
    { DOCA_CORE_SIDE_DPU, "0000:03:00.1", "mlx5_3", "p1s0", DOCA_PCI_FUNC_TYPE_SF, "p1" },
    { DOCA_CORE_SIDE_HOST, "0000:0b:00.0", "mlx5_0", "pf0", DOCA_PCI_FUNC_TYPE_PF, "p0" },
    { DOCA_CORE_SIDE_HOST, "0000:0b:00.1", "mlx5_1", "pf1", DOCA_PCI_FUNC_TYPE_PF, "p1" },
    { DOCA_CORE_SIDE_HOST, "0000:0b:00.2", "mlx5_2", "pf0vf0", DOCA_PCI_FUNC_TYPE_VF, "p0" },
    { DOCA_CORE_SIDE_HOST, "0000:0b:00.3", "mlx5_3", "pf0vf1", DOCA_PCI_FUNC_TYPE_VF, "p0" },
    { DOCA_CORE_SIDE_HOST, "0000:0b:00.4", "mlx5_4", "pf1vf0", DOCA_PCI_FUNC_TYPE_VF, "p1" },
};

/* Check that the device list of a process on `side` has the functions of figure[], in that
 * order. */
static inline void check_side(enum doca_core_side side)
{
    struct doca_devinfo **list;
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE], name[DOCA_DEVINFO_IFACE_NAME_SIZE];
    uint32_t n, at = 0;
    size_t i;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    for (i = 0; i < NUM(figure); i++) {
        if (side != DOCA_CORE_SIDE_BOTH && side != figure[i].side)
            continue;
        CHECK(at < n);
        CHECK_OK(doca_devinfo_get_pci_addr_str(list[at], pci_addr));
        CHECK_STR(pci_addr, figure[i].pci_addr);
        CHECK_OK(doca_devinfo_get_ibdev_name(list[at], name, sizeof(name)));
        CHECK_STR(name, figure[i].ibdev);
        CHECK_OK(doca_devinfo_get_iface_name(list[at], name, sizeof(name)));
        CHECK_STR(name, figure[i].iface);
        at++;
    }
    CHECK_EQ(n, at);
    CHECK_OK(doca_devinfo_destroy_list(list));
}

#endif
