/* The two sides of the software topology (host and DPU), representors, and the ways to set the
 * topology. With another backend, its devices are the functions of figure[], on a machine that
 * shows both sides. */
#include "doca_test.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define NUM(array) (sizeof(array) / sizeof((array)[0]))
#define ALL_FILTERS (DOCA_CORE_REP_ALL | DOCA_CORE_REP_NET | DOCA_CORE_REP_EMULATED)

/* Return the devinfo of the list that has this interface. */
static struct doca_devinfo *find(struct doca_devinfo **list, uint32_t n, const char *iface)
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

static struct doca_dev *open_iface(const char *iface)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t n;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_dev_open(find(list, n, iface), &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    return dev;
}

static uint32_t count_devs(void)
{
    struct doca_devinfo **list;
    uint32_t n = 0;

    if (doca_devinfo_create_list(&list, &n) == DOCA_SUCCESS)
        CHECK_OK(doca_devinfo_destroy_list(list));
    return n;
}

static uint32_t count_reps(struct doca_dev *dev, int filter)
{
    struct doca_devinfo_rep **list;
    uint32_t n;

    CHECK_OK(doca_devinfo_rep_create_list(dev, filter, &list, &n));
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    return n;
}

static struct doca_devinfo_rep *find_rep(struct doca_devinfo_rep **list, uint32_t n,
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

static struct doca_core_dev_attr attr_at(const char *pci_addr, const char *iface)
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

static void set_card(unsigned num)
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

static void restore(void)
{
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_BOTH));
}

/* ---- the default topology ---- */

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
static void check_side(enum doca_core_side side)
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

static void process_lists_the_devices_of_its_side(void)
{
    check_side(DOCA_CORE_SIDE_BOTH);
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_DPU));
    check_side(DOCA_CORE_SIDE_DPU);
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_HOST));
    check_side(DOCA_CORE_SIDE_HOST);
    CHECK_RC(doca_core_sw_set_side((enum doca_core_side)3), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_SW_UNKNOWN_SIDE);
    check_side(DOCA_CORE_SIDE_HOST);
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_BOTH));
    check_side(DOCA_CORE_SIDE_BOTH);
}

static void default_functions_have_distinct_addresses(void)
{
    struct doca_devinfo **list;
    struct doca_dev *devs[DOCA_CORE_SW_DEFAULT_DEVS];
    uint8_t mac[DOCA_CORE_SW_DEFAULT_DEVS][6], ipv4[DOCA_CORE_SW_DEFAULT_DEVS][4];
    uint8_t ipv6[DOCA_CORE_SW_DEFAULT_DEVS][16], can;
    uint32_t n, i, k;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_EQ(n, DOCA_CORE_SW_DEFAULT_DEVS);
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_get_mac_addr(list[i], mac[i], 6));
        CHECK_OK(doca_devinfo_get_ipv4_addr(list[i], ipv4[i], 4));
        CHECK_OK(doca_devinfo_get_ipv6_addr(list[i], ipv6[i], 16));
        CHECK_OK(doca_dev_open(list[i], &devs[i])); /* an SF and its PF have one address */
        for (k = 0; k < i; k++)
            CHECK(memcmp(mac[i], mac[k], 6) != 0 && memcmp(ipv4[i], ipv4[k], 4) != 0 &&
                  memcmp(ipv6[i], ipv6[k], 16) != 0 && devs[i] != devs[k]);
        CHECK_OK(doca_dma_cap_task_memcpy_is_supported(list[i]));
        CHECK_OK(doca_mmap_cap_is_export_pci_supported(list[i], &can));
        CHECK_EQ(can, 1);
        CHECK_OK(doca_mmap_cap_is_create_from_export_pci_supported(list[i], &can));
        CHECK_EQ(can, figure[i].side == DOCA_CORE_SIDE_DPU);
    }
    for (i = 0; i < n; i++)
        CHECK_OK(doca_dev_close(devs[i]));
    CHECK_OK(doca_devinfo_destroy_list(list));
}

static void device_lists_representors_of_its_functions(void)
{
    static const char *const ifaces[] = { "p0", "p1" };
    char pci_addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE + 3];
    enum doca_pci_func_type type;
    uint8_t byte;
    size_t p, i;

    for (p = 0; p < NUM(ifaces); p++) {
        struct doca_dev *dev = open_iface(ifaces[p]);
        struct doca_devinfo_rep **list = NULL, *rep;
        uint32_t n = 0, want = 0;

        CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &n));
        for (i = 0; i < NUM(figure); i++) {
            if (figure[i].rep_dev == NULL || strcmp(figure[i].rep_dev, ifaces[p]) != 0)
                continue;
            want++;
            rep = find_rep(list, n, figure[i].pci_addr); /* also found by the short form */
            CHECK_PTR(find_rep(list, n, figure[i].pci_addr + 5), rep);
            memset(pci_addr, '#', sizeof(pci_addr));
            CHECK_OK(doca_devinfo_rep_get_pci_addr_str(rep, pci_addr));
            CHECK_STR(pci_addr, figure[i].pci_addr);
            CHECK_MEM(pci_addr + DOCA_DEVINFO_REP_PCI_ADDR_SIZE, "###", 3);
            CHECK_OK(doca_devinfo_rep_get_pci_func_type(rep, &type));
            CHECK_EQ(type, figure[i].type);
            CHECK_OK(doca_devinfo_rep_get_is_hotplug(rep, &byte));
            CHECK_EQ(byte, 0);
        }
        CHECK_EQ(n, want);
        CHECK_OK(doca_devinfo_rep_destroy_list(list));
        CHECK_EQ(count_reps(dev, DOCA_DEVINFO_REP_FILTER_NET), want);
        CHECK_OK(
            doca_devinfo_rep_cap_is_filter_emulated_supported(doca_dev_as_devinfo(dev), &byte));
        CHECK_EQ(byte, test_other() == NULL);
        if (byte)
            CHECK_EQ(count_reps(dev, DOCA_DEVINFO_REP_FILTER_EMULATED), 0);
        CHECK_OK(doca_dev_close(dev));
    }
}

static void device_reports_its_side(void)
{
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    struct doca_devinfo **list;
    enum doca_core_side side;
    unsigned nums[3] = { 0, 0, 0 };
    uint32_t n, i;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_get_pci_addr_str(list[i], pci_addr));
        CHECK_OK(doca_core_devinfo_get_side(list[i], &side));
        CHECK_EQ(side, strncmp(pci_addr, "0000:03", 7) == 0 ? DOCA_CORE_SIDE_DPU
                                                            : DOCA_CORE_SIDE_HOST);
        nums[side]++;
    }
    CHECK_EQ(nums[DOCA_CORE_SIDE_DPU], 4);
    CHECK_EQ(nums[DOCA_CORE_SIDE_HOST], 5);
    side = DOCA_CORE_SIDE_BOTH;
    CHECK_RC(doca_core_devinfo_get_side(NULL, &side), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_devinfo_get_side(list[0], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(side, DOCA_CORE_SIDE_BOTH);
    CHECK_OK(doca_devinfo_destroy_list(list));
}

/* Return the devinfo of the function that a representor stands for. When a process sees both sides,
 * the device list has that function: with the same address and type, an SF with the same number. */
static struct doca_devinfo *function_behind(struct doca_devinfo **infos, uint32_t num,
                                            const struct doca_devinfo_rep *rep)
{
    char pci_addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
    enum doca_pci_func_type type, other;
    uint32_t i, sf_index = 0, other_index = 0;
    uint8_t is_equal;

    CHECK_OK(doca_devinfo_rep_get_pci_addr_str(rep, pci_addr));
    CHECK_OK(doca_devinfo_rep_get_pci_func_type(rep, &type));
    if (type == DOCA_PCI_FUNC_TYPE_SF)
        CHECK_OK(doca_devinfo_rep_get_sf_index(rep, &sf_index));
    for (i = 0; i < num; i++) {
        CHECK_OK(doca_devinfo_is_equal_pci_addr(infos[i], pci_addr, &is_equal));
        CHECK_OK(doca_devinfo_get_pci_func_type(infos[i], &other));
        if (other == DOCA_PCI_FUNC_TYPE_SF)
            CHECK_OK(doca_devinfo_get_sf_index(infos[i], &other_index));
        if (is_equal && other == type && (type != DOCA_PCI_FUNC_TYPE_SF || other_index == sf_index))
            return infos[i];
    }
    test_fail(__FILE__, __LINE__, "no devinfo for the function at %s", pci_addr);
}

static void representor_has_the_number_of_its_function(void)
{
    static const char *const ifaces[] = { "p0", "p1" };
    struct doca_devinfo **infos;
    uint32_t num_infos, n, i;
    uint16_t vhca_id, want;
    size_t p;

    CHECK_OK(doca_devinfo_create_list(&infos, &num_infos));
    for (p = 0; p < NUM(ifaces); p++) {
        struct doca_dev *dev = open_iface(ifaces[p]);
        struct doca_devinfo_rep **list;

        CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &n));
        for (i = 0; i < n; i++) {
            CHECK_OK(doca_devinfo_rep_get_vhca_id(list[i], &vhca_id));
            CHECK_OK(doca_devinfo_get_vhca_id(function_behind(infos, num_infos, list[i]), &want));
            CHECK_EQ(vhca_id, want);
        }
        CHECK_OK(doca_devinfo_rep_destroy_list(list));
        CHECK_OK(doca_dev_close(dev));
    }
    CHECK_OK(doca_devinfo_destroy_list(infos));
}

/* ---- lists ---- */

static void list_refuses_wrong_arguments(void)
{
    static const int bad[] = { 1, 3, 8, 1 << 30, -1, (int)(1u << 31) };
    struct doca_dev *dev = open_iface("p0");
    struct doca_devinfo_rep **list = (struct doca_devinfo_rep **)&list;
    uint32_t n = 77;
    size_t i;

    CHECK_RC(doca_devinfo_rep_create_list(NULL, 0, &list, &n), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_create_list(dev, 0, NULL, &n), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_create_list(dev, 0, &list, NULL), DOCA_ERROR_INVALID_VALUE);
    for (i = 0; i < NUM(bad); i++) {
        CHECK_RC(doca_devinfo_rep_create_list(dev, bad[i], &list, &n), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_REP_FILTER_UNKNOWN);
    }
    CHECK_RC(doca_devinfo_rep_destroy_list(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_close(dev));
    if (DOCA_CORE_CHECK >= 1)
        CHECK_RC(doca_devinfo_rep_create_list(dev, 0, &list, &n), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(n, 77);
    CHECK_PTR(list, &list);
}

static void device_without_representors_is_not_supported(void)
{
    static const int filters[] = { DOCA_DEVINFO_REP_FILTER_ALL, DOCA_DEVINFO_REP_FILTER_NET,
                                   DOCA_DEVINFO_REP_FILTER_EMULATED };
    struct doca_devinfo **infos;
    uint32_t num, num_without = 0, i;
    size_t k;

    CHECK_OK(doca_devinfo_create_list(&infos, &num));
    for (i = 0; i < num; i++) {
        struct doca_devinfo_rep **list = NULL;
        struct doca_dev *dev;
        uint8_t answer = 77;
        uint32_t n = 77;

        if (infos[i] == find(infos, num, "p0") || infos[i] == find(infos, num, "p1"))
            continue;
        num_without++;
        CHECK_OK(doca_dev_open(infos[i], &dev));
        for (k = 0; k < NUM(filters); k++) {
            CHECK_RC(doca_devinfo_rep_create_list(dev, filters[k], &list, &n),
                     DOCA_ERROR_NOT_SUPPORTED);
            CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_REPRESENTORS);
        }
        CHECK_RC(doca_devinfo_rep_cap_is_filter_all_supported(infos[i], &answer),
                 DOCA_ERROR_NOT_SUPPORTED);
        CHECK_RC(doca_devinfo_rep_cap_is_filter_net_supported(infos[i], &answer),
                 DOCA_ERROR_NOT_SUPPORTED);
        CHECK_RC(doca_devinfo_rep_cap_is_filter_emulated_supported(doca_dev_as_devinfo(dev),
                                                                   &answer),
                 DOCA_ERROR_NOT_SUPPORTED);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_REPRESENTORS);
        CHECK_EQ(answer, 77);
        CHECK_EQ(n, 77);
        CHECK_PTR(list, NULL);
        CHECK_OK(doca_dev_close(dev));
    }
    CHECK_EQ(num_without, NUM(figure) - 2);
    CHECK_OK(doca_devinfo_destroy_list(infos));
}

static void filter_works_if_its_capability_is_supported(void)
{
    static const struct {
        int filter;
        uint8_t needed;
    } filters[] = {
        { DOCA_DEVINFO_REP_FILTER_ALL, DOCA_CORE_REP_ALL },
        { DOCA_DEVINFO_REP_FILTER_NET, DOCA_CORE_REP_NET },
        { DOCA_DEVINFO_REP_FILTER_EMULATED, DOCA_CORE_REP_EMULATED },
        { DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED,
          DOCA_CORE_REP_NET | DOCA_CORE_REP_EMULATED },
    };
    uint8_t can;
    size_t k;

    for (can = 1; can <= ALL_FILTERS; can++) {
        struct doca_devinfo *info;
        struct doca_dev *dev;
        uint8_t all = 77, net = 77, emulated = 77;

        set_card(1);
        table[0].rep_filters = can;
        CHECK_OK(doca_core_sw_set_devices(table, 2));
        dev = open_iface("c");
        info = doca_dev_as_devinfo(dev);
        CHECK_OK(doca_devinfo_rep_cap_is_filter_all_supported(info, &all));
        CHECK_OK(doca_devinfo_rep_cap_is_filter_net_supported(info, &net));
        CHECK_OK(doca_devinfo_rep_cap_is_filter_emulated_supported(info, &emulated));
        CHECK_EQ(all, (can & DOCA_CORE_REP_ALL) != 0);
        CHECK_EQ(net, (can & DOCA_CORE_REP_NET) != 0);
        CHECK_EQ(emulated, (can & DOCA_CORE_REP_EMULATED) != 0);
        for (k = 0; k < NUM(filters); k++) {
            struct doca_devinfo_rep **list = NULL;
            uint32_t n = 77;
            doca_error_t rc = doca_devinfo_rep_create_list(dev, filters[k].filter, &list, &n);

            if ((can & filters[k].needed) == filters[k].needed) {
                CHECK_OK(rc);
                CHECK_OK(doca_devinfo_rep_destroy_list(list));
                continue;
            }
            CHECK_RC(rc, DOCA_ERROR_NOT_SUPPORTED);
            CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_REP_FILTER_OFF);
            CHECK_PTR(list, NULL);
            CHECK_EQ(n, 77);
        }
        CHECK_OK(doca_dev_close(dev));
    }
    restore();
}

static void filter_selects_network_and_emulated_functions(void)
{
    struct doca_devinfo_rep **list;
    struct doca_dev *dev;
    uint32_t n;

    set_card(3);
    table[2].is_emulated = 1;
    CHECK_OK(doca_core_sw_set_devices(table, 4));
    dev = open_iface("c");
    CHECK_EQ(count_reps(dev, DOCA_DEVINFO_REP_FILTER_ALL), 3);
    CHECK_EQ(count_reps(dev, DOCA_DEVINFO_REP_FILTER_NET), 2);
    CHECK_EQ(count_reps(dev, DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED), 3);
    CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_EMULATED, &list, &n));
    CHECK_EQ(n, 1);
    CHECK(find_rep(list, n, "f0:00.1") != NULL);
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_OK(doca_dev_close(dev));
    restore();
}

static void list_may_have_no_elements(void)
{
    struct doca_devinfo_rep **list = NULL;
    struct doca_dev *dev;
    uint32_t n = 77;

    set_card(0);
    dev = open_iface("c");
    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    CHECK_EQ(n, 0);
    CHECK(list != NULL);
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    if (DOCA_CORE_CHECK >= 1)
        CHECK_RC(doca_devinfo_rep_destroy_list(list), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_close(dev));
    restore();
}

static void list_is_a_snapshot(void)
{
    struct doca_devinfo_rep **before, **after;
    char pci_addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
    struct doca_dev *dev;
    uint8_t is_hotplug;
    uint32_t n_before, n_after;

    set_card(2);
    dev = open_iface("c");
    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &before, &n_before));
    strcpy(table[1].pci_addr, "0000:f8:00.0"); /* as after a reset of the bus */
    table[2].is_hotplug = 1;
    table[3] = attr_at("0000:f0:00.5", "f5");
    strcpy(table[3].rep_dev, "0000:c0:00.0");
    CHECK_OK(doca_core_sw_set_devices(table, 4));
    CHECK_EQ(n_before, 2);
    CHECK_OK(doca_devinfo_rep_get_pci_addr_str(before[0], pci_addr));
    CHECK_STR(pci_addr, "0000:f0:00.0");
    CHECK_OK(doca_devinfo_rep_get_is_hotplug(before[1], &is_hotplug));
    CHECK_EQ(is_hotplug, 0);
    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &after, &n_after));
    CHECK_EQ(n_after, 3);
    CHECK_OK(doca_devinfo_rep_get_pci_addr_str(after[0], pci_addr));
    CHECK_STR(pci_addr, "0000:f8:00.0");
    CHECK_OK(doca_devinfo_rep_get_is_hotplug(after[1], &is_hotplug));
    CHECK_EQ(is_hotplug, 1);
    CHECK_OK(doca_devinfo_rep_destroy_list(before));
    CHECK_OK(doca_devinfo_rep_destroy_list(after));
    CHECK_OK(doca_dev_close(dev));
    restore();
}

static void hotplugged_function_is_reported(void)
{
    struct doca_devinfo_rep **list;
    struct doca_dev *dev;
    uint8_t is_hotplug;
    uint32_t n, i;

    set_card(4);
    table[2].is_hotplug = table[4].is_hotplug = 1;
    CHECK_OK(doca_core_sw_set_devices(table, 5));
    dev = open_iface("c");
    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    CHECK_EQ(n, 4);
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_rep_get_is_hotplug(list[i], &is_hotplug));
        CHECK_EQ(is_hotplug, i % 2);
    }
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_OK(doca_dev_close(dev));
    restore();
}

static void vuid_of_a_function_does_not_change(void)
{
    char first[DOCA_CORE_SW_DEFAULT_DEVS][DOCA_DEVINFO_REP_VUID_SIZE];
    char vuid[DOCA_DEVINFO_REP_VUID_SIZE + 3];
    unsigned round;
    uint32_t num = 0, i, k;
    size_t p;

    for (round = 0; round < 2; round++) {
        static const char *const ifaces[] = { "p0", "p1" };

        num = 0;
        for (p = 0; p < NUM(ifaces); p++) {
            struct doca_dev *dev = open_iface(ifaces[p]);
            struct doca_devinfo_rep **list;
            uint32_t n;

            CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
            for (i = 0; i < n; i++, num++) {
                memset(vuid, '#', sizeof(vuid));
                CHECK_OK(doca_devinfo_rep_get_vuid(list[i], vuid, DOCA_DEVINFO_REP_VUID_SIZE));
                CHECK(vuid[0] != '\0' && strlen(vuid) < DOCA_DEVINFO_REP_VUID_SIZE);
                CHECK_MEM(vuid + DOCA_DEVINFO_REP_VUID_SIZE, "###", 3);
                if (round == 0)
                    strcpy(first[num], vuid);
                CHECK_STR(vuid, first[num]);
                for (k = 0; k < num; k++)
                    CHECK(strcmp(first[k], vuid) != 0);
            }
            CHECK_OK(doca_devinfo_rep_destroy_list(list));
            CHECK_OK(doca_dev_close(dev));
        }
        CHECK_EQ(num, 7);
        if (test_other() != NULL)
            continue;
        set_card(1); /* in between, another topology */
        CHECK_EQ(count_devs(), 2);
        restore();
    }
}

static void vuid_needs_the_documented_size(void)
{
    struct doca_devinfo_rep **list;
    char vuid[2 * DOCA_DEVINFO_REP_VUID_SIZE];
    struct doca_dev *dev;
    uint32_t n, size;
    size_t k;

    set_card(1);
    memset(table[1].vuid, 'v', sizeof(table[1].vuid) - 1);
    CHECK_OK(doca_core_sw_set_devices(table, 2));
    dev = open_iface("c");
    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    memset(vuid, '#', sizeof(vuid));
    for (size = 0; size < DOCA_DEVINFO_REP_VUID_SIZE; size++) {
        CHECK_RC(doca_devinfo_rep_get_vuid(list[0], vuid, size), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_TEXT_TOO_SHORT);
    }
    CHECK_RC(doca_devinfo_rep_get_vuid(list[0], NULL, size), DOCA_ERROR_INVALID_VALUE);
    for (k = 0; k < sizeof(vuid); k++)
        CHECK_EQ(vuid[k], '#');
    CHECK_OK(doca_devinfo_rep_get_vuid(list[0], vuid, sizeof(vuid)));
    CHECK_STR(vuid, table[1].vuid);
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_OK(doca_dev_close(dev));
    restore();
}

static void check_refused_by_all_calls(struct doca_devinfo_rep *bad)
{
    char text[DOCA_DEVINFO_REP_VUID_SIZE];
    enum doca_pci_func_type type;
    struct doca_dev_rep *rep = NULL;
    uint8_t byte;

    CHECK_RC(doca_dev_rep_open(bad, &rep), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_get_pci_addr_str(bad, text), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_is_equal_pci_addr(bad, "03:00.0", &byte), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_get_vuid(bad, text, sizeof(text)), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_get_pci_func_type(bad, &type), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_get_is_hotplug(bad, &byte), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item,
             bad == NULL ? DOCA_CORE_ITEM_NULL_ARGUMENT : DOCA_CORE_ITEM_DEAD_HANDLE);
    CHECK_PTR(rep, NULL);
}

static void handles_of_other_objects_are_refused(void)
{
    struct doca_dev *dev = open_iface("p0");
    struct doca_devinfo_rep **list, *info, *of_rep;
    struct doca_dev_rep *rep, *out = NULL;
    enum doca_pci_func_type type;
    uint8_t byte;
    uint32_t n;

    check_refused_by_all_calls(NULL);
    CHECK_RC(doca_dev_rep_close(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(doca_dev_rep_as_devinfo(NULL), NULL);
    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    info = list[0];
    CHECK_RC(doca_devinfo_rep_get_pci_addr_str(info, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_get_is_hotplug(info, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_get_pci_func_type(info, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_is_equal_pci_addr(info, NULL, &byte), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_is_equal_pci_addr(info, "03:00.0", NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_is_equal_pci_addr(info, "3:0.0", &byte), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_PCI_ADDR_MALFORMED);
    CHECK_RC(doca_dev_rep_open(info, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_cap_is_filter_all_supported(doca_dev_as_devinfo(dev), NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_cap_is_filter_net_supported(NULL, &byte), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_rep_open(info, &rep));
    of_rep = doca_dev_rep_as_devinfo(rep);
    CHECK_OK(doca_dev_rep_close(rep));
    if (DOCA_CORE_CHECK >= 1) { /* level 0 does not check handles */
        check_refused_by_all_calls(of_rep);
        CHECK_RC(doca_dev_rep_close(rep), DOCA_ERROR_INVALID_VALUE);
        CHECK_PTR(doca_dev_rep_as_devinfo(rep), NULL);
        CHECK_PTR(doca_dev_rep_as_devinfo((struct doca_dev_rep *)dev), NULL);
        CHECK_RC(doca_dev_rep_close((struct doca_dev_rep *)dev), DOCA_ERROR_INVALID_VALUE);
        /* a representor is not a device, and its list is not a list of devices */
        check_refused_by_all_calls((struct doca_devinfo_rep *)doca_dev_as_devinfo(dev));
        CHECK_RC(doca_devinfo_get_pci_addr_str(&info->info, (char *)&type),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_devinfo_destroy_list((struct doca_devinfo **)list), DOCA_ERROR_INVALID_VALUE);
    }
    list[0] = NULL; /* a program may change the pointers of a list */
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    if (DOCA_CORE_CHECK >= 1) {
        CHECK_RC(doca_devinfo_rep_destroy_list(list), DOCA_ERROR_INVALID_VALUE);
        check_refused_by_all_calls(info);
    }
    CHECK_PTR(out, NULL);
    CHECK_OK(doca_dev_close(dev));
}

/* ---- open and close ---- */

static void same_representor_gives_the_same_pointer(void)
{
    struct doca_dev *dev = open_iface("p0");
    struct doca_devinfo_rep **list, **other;
    struct doca_dev_rep *rep, *again, *sibling;
    char text[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
    uint32_t n;

    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &other, &n));
    CHECK_OK(doca_dev_rep_open(find_rep(list, n, "0b:00.2"), &rep));
    CHECK_OK(doca_dev_rep_open(find_rep(list, n, "0b:00.3"), &sibling));
    CHECK(sibling != rep);
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_OK(doca_dev_rep_open(find_rep(other, n, "0b:00.2"), &again));
    CHECK_PTR(again, rep);
    CHECK_OK(doca_devinfo_rep_destroy_list(other));
    CHECK_OK(doca_dev_rep_open(doca_dev_rep_as_devinfo(rep), &again));
    CHECK_PTR(again, rep);
    CHECK_OK(doca_devinfo_rep_get_pci_addr_str(doca_dev_rep_as_devinfo(rep), text));
    CHECK_STR(text, "0000:0b:00.2"); /* the lists are destroyed */
    CHECK_OK(doca_dev_rep_close(sibling));
    CHECK_OK(doca_dev_rep_close(rep)); /* it was opened twice */
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK(doca_dev_rep_as_devinfo(rep) != NULL);
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
}

static void open_representor_has_the_properties_of_its_list(void)
{
    struct doca_dev *dev = open_iface("p1");
    char text[2][DOCA_DEVINFO_REP_VUID_SIZE];
    enum doca_pci_func_type type[2];
    struct doca_devinfo_rep **list;
    struct doca_dev_rep *rep;
    uint32_t n, i;

    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_dev_rep_open(list[i], &rep));
        CHECK_OK(doca_devinfo_rep_get_vuid(list[i], text[0], sizeof(text[0])));
        CHECK_OK(doca_devinfo_rep_get_vuid(doca_dev_rep_as_devinfo(rep), text[1], sizeof(text[1])));
        CHECK_STR(text[0], text[1]);
        CHECK_OK(doca_devinfo_rep_get_pci_addr_str(list[i], text[0]));
        CHECK_OK(doca_devinfo_rep_get_pci_addr_str(doca_dev_rep_as_devinfo(rep), text[1]));
        CHECK_STR(text[0], text[1]);
        CHECK_OK(doca_devinfo_rep_get_pci_func_type(list[i], &type[0]));
        CHECK_OK(doca_devinfo_rep_get_pci_func_type(doca_dev_rep_as_devinfo(rep), &type[1]));
        CHECK_EQ(type[0], type[1]);
        CHECK_OK(doca_dev_rep_close(rep));
    }
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_OK(doca_dev_close(dev));
}

static void device_of_an_open_representor_cannot_be_closed(void)
{
    struct doca_dev *dev = open_iface("p0");
    struct doca_devinfo_rep **list;
    struct doca_dev_rep *rep;
    uint32_t n;

    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    CHECK_OK(doca_dev_rep_open(list[0], &rep));
    CHECK_OK(doca_dev_rep_open(list[0], &rep));
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEV_BUSY);
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
}

static void list_can_be_used_after_its_device_is_closed(void)
{
    struct doca_dev *dev = open_iface("p0");
    struct doca_devinfo_rep **list;
    struct doca_dev_rep *rep = NULL;
    struct doca_dev *sub;
    char text[DOCA_DEVINFO_REP_VUID_SIZE];
    uint32_t n;

    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_devinfo_rep_get_pci_addr_str(find_rep(list, n, "0b:00.3"), text));
    CHECK_STR(text, "0000:0b:00.3");
    CHECK_OK(doca_devinfo_rep_get_vuid(list[n - 1], text, sizeof(text)));
    sub = open_iface("p0s0"); /* an SF with the address of p0, but without representors */
    CHECK_RC(doca_dev_rep_open(list[0], &rep), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_REP_DEV_CLOSED);
    CHECK_PTR(rep, NULL);
    CHECK_OK(doca_dev_close(sub));
    dev = open_iface("p0"); /* the device may be closed and opened again */
    CHECK_OK(doca_dev_rep_open(list[0], &rep));
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- memory ---- */

static DOCA_CORE_ALIGNED unsigned char memory[64 * 1024];

static size_t used_of(struct doca_core_arena *arena)
{
    size_t used;

    CHECK_OK(doca_core_arena_query(arena, &used, NULL, NULL));
    return used;
}

static void lists_and_representors_take_the_documented_bytes(void)
{
    struct doca_core_arena arena;
    struct doca_devinfo_rep **list;
    struct doca_devinfo **infos;
    struct doca_dev_rep *reps[2];
    struct doca_dev *dev;
    uint32_t n, num, k;
    size_t before, bytes;

    for (k = 0; k < NUM(table); k++) {
        set_card(k);
        CHECK_OK(doca_core_arena_init(&arena, memory, sizeof(memory)));
        CHECK_OK(doca_core_devinfo_create_list_in(&arena, &infos, &n));
        CHECK_OK(doca_dev_open(find(infos, n, "c"), &dev));
        before = used_of(&arena);
        CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &num));
        CHECK_EQ(num, k);
        CHECK_EQ(used_of(&arena) - before, DOCA_CORE_BYTES_DEVINFO_REP_LIST(k));
        CHECK_OK(doca_core_bytes_devinfo_rep_list(k, &bytes));
        CHECK_EQ(bytes, DOCA_CORE_BYTES_DEVINFO_REP_LIST(k));
        if (k >= 2) {
            before = used_of(&arena);
            CHECK_OK(doca_dev_rep_open(list[0], &reps[0]));
            CHECK_OK(doca_dev_rep_open(list[1], &reps[1]));
            CHECK_EQ(used_of(&arena) - before, DOCA_CORE_BYTES_DEV_REP(2));
            CHECK_OK(doca_core_bytes_dev_rep(&bytes));
            CHECK_EQ(bytes, DOCA_CORE_BYTES_DEV_REP(1));
            CHECK_OK(doca_dev_rep_close(reps[0]));
            CHECK_OK(doca_dev_rep_close(reps[1]));
        }
        CHECK_OK(doca_devinfo_rep_destroy_list(list));
        CHECK_OK(doca_dev_close(dev));
        CHECK_OK(doca_devinfo_destroy_list(infos));
        CHECK_EQ(used_of(&arena), 0);
    }
    CHECK_RC(doca_core_bytes_dev_rep(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_devinfo_rep_list(1, NULL), DOCA_ERROR_INVALID_VALUE);
    restore();
}

/* Each step is tried in arenas of 2, 3, 4 ... lines. A step that finds too little memory must leave
 * no bytes in use. */
static void failed_step_leaves_no_bytes_in_use(void)
{
    unsigned step = 0, steps_seen = 0;
    size_t lines;

    for (lines = 2; step < 4; lines++) {
        struct doca_core_arena arena;
        struct doca_devinfo_rep **list = NULL;
        struct doca_devinfo **infos = NULL;
        struct doca_dev_rep *rep = NULL;
        struct doca_dev *dev = NULL;
        doca_error_t rc;
        uint32_t n, num = 77;

        CHECK(lines * DOCA_CORE_LINE <= sizeof(memory));
        CHECK_OK(doca_core_arena_init(&arena, memory, lines * DOCA_CORE_LINE));
        step = 0;
        rc = doca_core_devinfo_create_list_in(&arena, &infos, &n);
        step += rc == DOCA_SUCCESS;
        if (rc == DOCA_SUCCESS)
            rc = doca_dev_open(find(infos, n, "p0"), &dev);
        step += rc == DOCA_SUCCESS;
        if (rc == DOCA_SUCCESS)
            rc = doca_devinfo_rep_create_list(dev, 0, &list, &num);
        CHECK((list == NULL) == (num == 77));
        step += rc == DOCA_SUCCESS;
        if (rc == DOCA_SUCCESS)
            rc = doca_dev_rep_open(list[0], &rep);
        step += rc == DOCA_SUCCESS;
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_NO_MEMORY);
        steps_seen |= 1u << step;
        if (rep != NULL)
            CHECK_OK(doca_dev_rep_close(rep));
        if (list != NULL)
            CHECK_OK(doca_devinfo_rep_destroy_list(list));
        if (dev != NULL)
            CHECK_OK(doca_dev_close(dev));
        if (infos != NULL)
            CHECK_OK(doca_devinfo_destroy_list(infos));
        CHECK_EQ(used_of(&arena), 0);
        CHECK_OK(doca_core_arena_audit(&arena));
    }
    CHECK_EQ(steps_seen, 0x1f); /* each step has failed at least once */
}

/* An open representor can be opened again even if the arena has no free block. */
static void opening_again_needs_no_memory(void)
{
    struct doca_core_arena arena;
    struct doca_devinfo_rep **list;
    struct doca_devinfo **infos;
    struct doca_dev_rep *rep, *again = NULL, *sibling = NULL;
    struct doca_dev *dev, *same;
    size_t lines;
    uint32_t n;

    set_card(2);
    lines = (DOCA_CORE_BYTES_DEVINFO_LIST(3) + DOCA_CORE_BYTES_DEV(1) +
             DOCA_CORE_BYTES_DEVINFO_REP_LIST(2) + DOCA_CORE_BYTES_DEV_REP(1)) / DOCA_CORE_LINE;
    CHECK_OK(doca_core_arena_init(&arena, memory, lines * DOCA_CORE_LINE));
    CHECK_OK(doca_core_devinfo_create_list_in(&arena, &infos, &n));
    CHECK_OK(doca_dev_open(infos[0], &dev));
    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    CHECK_OK(doca_dev_rep_open(list[0], &rep));
    CHECK_RC(doca_dev_rep_open(list[1], &sibling), DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(sibling, NULL);
    test_log_lines = 0; /* the calls must log nothing */
    CHECK_OK(doca_dev_rep_open(list[0], &again));
    CHECK_PTR(again, rep);
    CHECK_OK(doca_dev_open(infos[0], &same));
    CHECK_PTR(same, dev);
    CHECK_EQ(test_log_lines, 0);
    CHECK_OK(doca_dev_close(same));
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_rep_open(list[1], &sibling));
    CHECK_OK(doca_dev_rep_close(sibling));
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_devinfo_destroy_list(infos));
    restore();
}

/* ---- device tables ---- */

static void contradictory_table_changes_nothing(void)
{
    unsigned way;

    for (way = 0;; way++) {
        enum doca_core_item want = DOCA_CORE_ITEM_SW_ATTR;

        set_card(3);
        switch (way) {
        case 0: /* rep_dev is not in the table */
            strcpy(table[1].rep_dev, "0000:c0:00.1");
            want = DOCA_CORE_ITEM_SW_REP_DEV;
            break;
        case 1: /* rep_dev lists no representors */
            strcpy(table[1].rep_dev, "0000:f0:00.1");
            want = DOCA_CORE_ITEM_SW_REP_DEV;
            break;
        case 2:
            strcpy(table[1].rep_dev, "c0:00.0");
            want = DOCA_CORE_ITEM_SW_PCI_ADDR;
            break;
        case 3: /* rep_dev must be on the DPU side */
            table[2].side = DOCA_CORE_SIDE_HOST;
            table[2].rep_filters = DOCA_CORE_REP_NET;
            want = DOCA_CORE_ITEM_SW_REP_FILTERS;
            break;
        case 4:
            table[2].func_type = DOCA_PCI_FUNC_TYPE_SF;
            table[2].rep_filters = DOCA_CORE_REP_ALL;
            want = DOCA_CORE_ITEM_SW_REP_FILTERS;
            break;
        case 5:
            strcpy(table[1].vuid, "one");
            strcpy(table[3].vuid, "one");
            want = DOCA_CORE_ITEM_SW_VUID_TWICE;
            break;
        case 6: /* a VUID that the library would generate for another function */
            strcpy(table[3].vuid, "SW-0000:f0:00.0");
            want = DOCA_CORE_ITEM_SW_VUID_TWICE;
            break;
        case 7:
            memset(table[1].vuid, 'v', sizeof(table[1].vuid));
            want = DOCA_CORE_ITEM_SW_NAME_OPEN;
            break;
        case 8: /* two SFs, or an SF and its parent, with the same name */
            strcpy(table[2].pci_addr, table[1].pci_addr);
            table[1].func_type = table[2].func_type = DOCA_PCI_FUNC_TYPE_SF;
            want = DOCA_CORE_ITEM_SW_ADDRESS_TWICE;
            break;
        case 9:
            strcpy(table[2].pci_addr, table[0].pci_addr);
            table[2].func_type = DOCA_PCI_FUNC_TYPE_SF;
            want = DOCA_CORE_ITEM_SW_ADDRESS_TWICE;
            break;
        case 10: /* two functions with one address that are not SFs, even with different names */
            strcpy(table[2].pci_addr, table[1].pci_addr);
            strcpy(table[2].ibdev_name, "other");
            want = DOCA_CORE_ITEM_SW_ADDRESS_TWICE;
            break;
        case 11: table[1].side = (enum doca_core_side)3; break;
        case 12: table[1].func_type = (enum doca_pci_func_type)3; break;
        case 13: table[1].port = (enum doca_core_port)2; break;
        case 14: table[0].rep_filters = 8; break;
        case 15: table[1].is_hotplug = 2; break;
        case 16: table[1].is_emulated = 255; break;
        case 17: table[1].is_hotplug_manager = 2; break;
        case 18: table[1].has_no_vhca_id = 2; break;
        case 19: table[1].limits.has_rdma = 2; break;
        case 20: table[1].limits.has_dma = 3; break;
        case 21: table[1].limits.event_engine = DOCA_CORE_EVENT_ENGINE_ALL + 1; break;
        default:
            restore();
            return;
        }
        if (doca_core_sw_set_devices(table, 4) != DOCA_ERROR_INVALID_VALUE ||
            test_log_item != want)
            test_fail(__FILE__, __LINE__, "way %u: %s", way, doca_core_last_error());
        CHECK(strstr(test_log_text, "character") == NULL);
        CHECK_EQ(count_devs(), 4);
        restore(); /* the call also fails with the default devices */
        CHECK_RC(doca_core_sw_set_devices(table, 4), DOCA_ERROR_INVALID_VALUE);
        check_side(DOCA_CORE_SIDE_BOTH);
    }
}

static void sub_functions_share_an_address(void)
{
    struct doca_devinfo_rep **reps;
    struct doca_devinfo **list;
    struct doca_dev_rep *open[2];
    struct doca_dev *devs[3];
    uint32_t n, i;

    set_card(2);
    for (i = 1; i < 3; i++) {
        strcpy(table[i].pci_addr, table[0].pci_addr);
        table[i].func_type = DOCA_PCI_FUNC_TYPE_SF;
    }
    strcpy(table[1].ibdev_name, "sf_a");
    strcpy(table[2].ibdev_name, "sf_b");
    CHECK_OK(doca_core_sw_set_devices(table, 3));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_EQ(n, 3);
    for (i = 0; i < n; i++)
        CHECK_OK(doca_dev_open(list[i], &devs[i]));
    CHECK(devs[0] != devs[1] && devs[0] != devs[2] && devs[1] != devs[2]);
    CHECK_OK(doca_devinfo_rep_create_list(devs[0], 0, &reps, &n));
    CHECK_EQ(n, 2);
    CHECK_OK(doca_dev_rep_open(reps[0], &open[0]));
    CHECK_OK(doca_dev_rep_open(reps[1], &open[1]));
    CHECK(open[0] != open[1]);
    CHECK_OK(doca_dev_rep_close(open[0]));
    CHECK_OK(doca_dev_rep_close(open[1]));
    CHECK_OK(doca_devinfo_rep_destroy_list(reps));
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_dev_close(devs[i]));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_sw_set_topology("03:00.0 type=sf ib=sf_a;03:00.0 ib=p0")); /* SF first */
    CHECK_EQ(count_devs(), 2);
    restore();
}

static void table_sets_the_side_of_each_function(void)
{
    struct doca_devinfo **list;
    uint32_t n;

    set_card(3);
    table[1].side = DOCA_CORE_SIDE_HOST;
    table[2].side = DOCA_CORE_SIDE_HOST;
    table[3].side = DOCA_CORE_SIDE_DPU;
    CHECK_OK(doca_core_sw_set_devices(table, 4)); /* the card itself is on both sides */
    CHECK_EQ(count_devs(), 4);
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_HOST));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_EQ(n, 3);
    CHECK_EQ(list[2]->attr.limits.has_import_pci, 1); /* limits are from the table, too */
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_DPU));
    CHECK_EQ(count_devs(), 2);
    restore();
}

static void sides_have_separate_addresses(void)
{
    struct doca_devinfo_rep **reps;
    struct doca_devinfo **list;
    struct doca_dev *dpu, *host;
    struct doca_dev_rep *rep, *sub;
    uint32_t n;

    CHECK_OK(doca_core_sw_set_topology("03:00.0 side=dpu ib=a;03:00.0 side=host ib=a rep=03:00.0;"
                                       "03:00.0 side=dpu ib=b type=sf rep=03:00.0"));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_EQ(n, 3);
    CHECK_OK(doca_dev_open(list[1], &host));
    CHECK_OK(doca_dev_open(list[0], &dpu));
    CHECK(dpu != host);
    CHECK_OK(doca_devinfo_rep_create_list(dpu, 0, &reps, &n));
    CHECK_EQ(n, 2);
    CHECK_OK(doca_dev_rep_open(reps[0], &rep));
    CHECK_OK(doca_dev_rep_open(reps[1], &sub));
    CHECK(rep != sub);
    CHECK_OK(doca_dev_close(host)); /* the representor does not keep this device open */
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_rep_close(sub));
    CHECK_OK(doca_devinfo_rep_destroy_list(reps));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_dev_close(dpu));
    restore();
}

static void devices_stay_open_when_the_side_changes(void)
{
    struct doca_dev *dev = open_iface("p0");
    struct doca_devinfo_rep **list;
    struct doca_dev_rep *rep;
    uint32_t n;

    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_HOST));
    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    CHECK_EQ(n, 4);
    CHECK_OK(doca_dev_rep_open(list[0], &rep));
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    set_card(0);
    CHECK_EQ(count_reps(dev, 0), 0);
    CHECK(doca_dev_rep_as_devinfo(rep) != NULL);
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
    restore();
}

/* ---- topologies as text ---- */

static void text_can_set_everything_that_a_table_can(void)
{
    static const char text[] =
        "\n"
        "0001:03:00.0 side=dpu ib=card if=port mac=02:0c:Af:0:00:9 ipv4=10.20.30.255"
        " ipv6=2001:DB8::a0:1 manager=1 profile=bluefield2\n"
        "  af:1f.7   rep=0001:03:00.0  side=host type=vf vuid=my-own hotplug=1 port=ib lid=65535 ;"
        ";0001:03:00.0 type=sf ib=sub side=dpu rep=0001:03:00.0 emulated=1;"
        "00:00.1 side=dpu filters=none ; 00:00.2 filters=net+emulated;";
    static const uint8_t mac[] = { 2, 0x0c, 0xaf, 0, 0, 9 }, ipv4[] = { 10, 20, 30, 255 };
    static const uint8_t ipv6[] = { 0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xa0, 0, 1 };
    const struct doca_core_dev_attr *a;
    struct doca_core_limits limits;
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t n;

    CHECK_OK(doca_core_sw_set_topology(text));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_EQ(n, 5);
    a = &list[0]->attr;
    CHECK_OK(doca_core_sw_profile("bluefield2", &limits));
    CHECK_STR(a->pci_addr, "0001:03:00.0");
    CHECK_STR(a->ibdev_name, "card");
    CHECK_STR(a->iface_name, "port");
    CHECK_MEM(a->mac_addr, mac, sizeof(mac));
    CHECK_MEM(a->ipv4_addr, ipv4, sizeof(ipv4));
    CHECK_MEM(a->ipv6_addr, ipv6, sizeof(ipv6));
    CHECK_EQ(a->side, DOCA_CORE_SIDE_DPU);
    CHECK_EQ(a->rep_filters, ALL_FILTERS);
    CHECK_EQ(a->is_hotplug_manager, 1);
    CHECK_EQ(a->limits.dma_max_buf_size, limits.dma_max_buf_size);
    CHECK_STR(a->vuid, "SW-0001:03:00.0");
    a = &list[1]->attr;
    CHECK_STR(a->pci_addr, "0000:af:1f.7");
    CHECK_STR(a->rep_dev, "0001:03:00.0");
    CHECK_STR(a->vuid, "my-own");
    CHECK_EQ(a->side, DOCA_CORE_SIDE_HOST);
    CHECK_EQ(a->func_type, DOCA_PCI_FUNC_TYPE_VF);
    CHECK_EQ(a->is_hotplug, 1);
    CHECK_EQ(a->port, DOCA_CORE_PORT_INFINIBAND);
    CHECK_EQ(a->lid, 65535);
    CHECK_EQ(a->rep_filters, 0);
    CHECK_EQ(a->limits.dma_max_buf_size, 1u << 30); /* from the default profile */
    a = &list[2]->attr;
    CHECK_STR(a->vuid, "SW-0001:03:00.0-sub");
    CHECK_EQ(a->is_emulated, 1);
    CHECK_EQ(a->rep_filters, 0);
    CHECK_EQ(list[3]->attr.rep_filters, 0);
    CHECK_EQ(list[4]->attr.rep_filters, DOCA_CORE_REP_NET | DOCA_CORE_REP_EMULATED);
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_EQ(count_reps(dev, DOCA_DEVINFO_REP_FILTER_ALL), 2);
    CHECK_EQ(count_reps(dev, DOCA_DEVINFO_REP_FILTER_EMULATED), 1);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_sw_set_topology(NULL));
    check_side(DOCA_CORE_SIDE_BOTH);
}

static void ipv6_addresses_are_read(void)
{
    static const struct {
        const char *text;
        uint8_t want[16];
    } rows[] = {
        { "::", { 0 } },
        { "::1", { [15] = 1 } },
        { "1::", { 0, 1 } },
        { "fe80::1:2", { 0xfe, 0x80, [13] = 1, [15] = 2 } },
        { "1:2:3:4:5:6:7:8", { 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8 } },
        { "1::8", { 0, 1, [15] = 8 } },
        { "1:2:3:4:5:6:7::", { 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0 } },
        { "::ffff:FFFF", { [12] = 255, 255, 255, 255 } },
    };
    struct doca_devinfo **list;
    char text[128];
    uint32_t n;
    size_t i;

    for (i = 0; i < NUM(rows); i++) {
        snprintf(text, sizeof(text), "03:00.0 ipv6=%s", rows[i].text);
        CHECK_OK(doca_core_sw_set_topology(text));
        CHECK_OK(doca_devinfo_create_list(&list, &n));
        if (memcmp(list[0]->attr.ipv6_addr, rows[i].want, 16) != 0)
            test_fail(__FILE__, __LINE__, "%s was read wrongly", rows[i].text);
        CHECK_OK(doca_devinfo_destroy_list(list));
    }
    restore();
}

#define X63 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

static const struct bad_text {
    const char *text;
    enum doca_core_item item;
    unsigned place;
} bad_texts[] = {
    { "", DOCA_CORE_ITEM_SW_PCI_ADDR, 1 },
    { " ; \n", DOCA_CORE_ITEM_SW_PCI_ADDR, 5 },
    { "p0", DOCA_CORE_ITEM_SW_PCI_ADDR, 1 },
    { "side=dpu 03:00.0", DOCA_CORE_ITEM_SW_PCI_ADDR, 1 },
    { "  0000:03:00.0x", DOCA_CORE_ITEM_SW_PCI_ADDR, 3 },
    { "0000:03:20.0", DOCA_CORE_ITEM_SW_PCI_ADDR, 1 },
    { "0000:0A:00.0", DOCA_CORE_ITEM_SW_PCI_ADDR, 1 },
    { "03:00.8", DOCA_CORE_ITEM_SW_PCI_ADDR, 1 },
    { "03:00.0;03:00", DOCA_CORE_ITEM_SW_PCI_ADDR, 9 },
    { "03:00.0 ib", DOCA_CORE_ITEM_SW_TEXT_KEY, 9 },
    { "03:00.0 ib if=p0", DOCA_CORE_ITEM_SW_TEXT_KEY, 9 },
    { "03:00.0  =x", DOCA_CORE_ITEM_SW_TEXT_KEY, 10 },
    { "03:00.0 IB=x", DOCA_CORE_ITEM_SW_TEXT_KEY, 9 },
    { "03:00.0 ibdev=x", DOCA_CORE_ITEM_SW_TEXT_KEY, 9 },
    { "03:00.0\tib=x", DOCA_CORE_ITEM_SW_PCI_ADDR, 1 },
    { "03:00.0 ib=a if=b ib=a", DOCA_CORE_ITEM_SW_TEXT_TWICE, 19 },
    { "03:00.0 ib=", DOCA_CORE_ITEM_SW_TEXT_VALUE, 12 },
    { "03:00.0 ib=" X63 "x", DOCA_CORE_ITEM_SW_TEXT_VALUE, 12 },
    { "03:00.0 if=" X63 "x", DOCA_CORE_ITEM_SW_TEXT_VALUE, 12 },
    { "03:00.0 vuid=" X63 X63 "xx", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 side=moon", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 side=", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 side=dp", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 side=dpuu", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 type=PF", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 port=wifi", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 hotplug=2", DOCA_CORE_ITEM_SW_TEXT_VALUE, 17 },
    { "03:00.0 emulated=yes", DOCA_CORE_ITEM_SW_TEXT_VALUE, 18 },
    { "03:00.0 manager=", DOCA_CORE_ITEM_SW_TEXT_VALUE, 17 },
    { "03:00.0 lid=65536", DOCA_CORE_ITEM_SW_TEXT_VALUE, 13 },
    { "03:00.0 lid=-1", DOCA_CORE_ITEM_SW_TEXT_VALUE, 13 },
    { "03:00.0 lid=0x1", DOCA_CORE_ITEM_SW_TEXT_VALUE, 13 },
    { "03:00.0 lid=000001", DOCA_CORE_ITEM_SW_TEXT_VALUE, 13 },
    { "03:00.0 mac=02:00:00:00:00", DOCA_CORE_ITEM_SW_TEXT_VALUE, 13 },
    { "03:00.0 mac=02:00:00:00:00:00:00", DOCA_CORE_ITEM_SW_TEXT_VALUE, 13 },
    { "03:00.0 mac=02:00:00:00:00:", DOCA_CORE_ITEM_SW_TEXT_VALUE, 13 },
    { "03:00.0 mac=02-00-00-00-00-01", DOCA_CORE_ITEM_SW_TEXT_VALUE, 13 },
    { "03:00.0 mac=002:0:0:0:0:1", DOCA_CORE_ITEM_SW_TEXT_VALUE, 13 },
    { "03:00.0 ipv4=1.2.3", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv4=1.2.3.256", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv4=1.2.3.a", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv4=1.2.3.4.5", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv4=1..2.3", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv6=", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv6=:", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv6=:::", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv6=1:", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv6=:1", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv6=1::2::3", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv6=1:2:3:4:5:6:7", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv6=1:2:3:4:5:6:7:8:9", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv6=1:2:3:4::5:6:7:8", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv6=1:2:3:4:5:6:7:8::", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv6=10000::", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 ipv6=fe80::1%eth0", DOCA_CORE_ITEM_SW_TEXT_VALUE, 14 },
    { "03:00.0 filters=", DOCA_CORE_ITEM_SW_TEXT_VALUE, 17 },
    { "03:00.0 filters=some", DOCA_CORE_ITEM_SW_TEXT_VALUE, 17 },
    { "03:00.0 filters=all+", DOCA_CORE_ITEM_SW_TEXT_VALUE, 17 },
    { "03:00.0 filters=+all", DOCA_CORE_ITEM_SW_TEXT_VALUE, 17 },
    { "03:00.0 filters=none+all", DOCA_CORE_ITEM_SW_TEXT_VALUE, 17 },
    { "03:00.0 profile=bluefield", DOCA_CORE_ITEM_SW_UNKNOWN_PROFILE, 17 },
    { "03:00.0 rep=p0", DOCA_CORE_ITEM_SW_TEXT_VALUE, 13 },
    { "03:00.0 rep=03:00.9", DOCA_CORE_ITEM_SW_TEXT_VALUE, 13 },
    /* valid words that contradict each other */
    { "03:00.0;  03:00.0", DOCA_CORE_ITEM_SW_ADDRESS_TWICE, 11 },
    { "03:00.0; 03:00.1 rep=03:00.0", DOCA_CORE_ITEM_SW_REP_DEV, 10 },
    { "03:00.0 rep=03:00.1", DOCA_CORE_ITEM_SW_REP_DEV, 1 },
    { "03:00.0 vuid=a;03:00.1 vuid=a", DOCA_CORE_ITEM_SW_VUID_TWICE, 16 },
    { "03:00.0 side=host filters=net", DOCA_CORE_ITEM_SW_REP_FILTERS, 1 },
    { "03:00.0 type=sf filters=all", DOCA_CORE_ITEM_SW_REP_FILTERS, 1 },
    { "03:00.0 side=host;03:00.0 side=host", DOCA_CORE_ITEM_SW_ADDRESS_TWICE, 19 },
    { "03:00.0 side=dpu type=sf;03:00.0 type=sf", DOCA_CORE_ITEM_SW_ADDRESS_TWICE, 26 },
    { "03:00.0 ib=a;03:00.0 type=sf rep=03:00.0", DOCA_CORE_ITEM_SW_ADDRESS_TWICE, 14 },
    { "03:00.0 ib=a;03:00.0 type=sf ib=a rep=03:00.0", DOCA_CORE_ITEM_SW_ADDRESS_TWICE, 14 },
    { "03:00.0 type=sf ib=a rep=03:00.0;03:00.0 ib=a", DOCA_CORE_ITEM_SW_ADDRESS_TWICE, 34 },
};

static void wrong_text_is_refused_with_its_position(void)
{
    char where[32];
    size_t i;

    CHECK_OK(doca_core_sw_set_topology("0c:00.0;0c:00.1;0c:00.2"));
    for (i = 0; i < NUM(bad_texts); i++) {
        const struct bad_text *b = &bad_texts[i];

        snprintf(where, sizeof(where), " at character %u: ", b->place);
        test_log_lines = 0;
        if (doca_core_sw_set_topology(b->text) != DOCA_ERROR_INVALID_VALUE ||
            test_log_item != b->item || strstr(test_log_text, where) == NULL)
            test_fail(__FILE__, __LINE__, "\"%s\" logs %s, want item %u%s", b->text, test_log_text,
                      (unsigned)b->item, where);
        CHECK_EQ(test_log_lines, 1);
        CHECK_STR(test_log_text, doca_core_last_error());
        CHECK_EQ(count_devs(), 3);
    }
    restore();
    for (i = 0; i < NUM(bad_texts); i++) /* the call also fails with the default devices */
        CHECK_RC(doca_core_sw_set_topology(bad_texts[i].text), DOCA_ERROR_INVALID_VALUE);
    check_side(DOCA_CORE_SIDE_BOTH);
}

static void text_may_fill_the_device_table(void)
{
    static char text[(DOCA_CORE_SW_MAX_DEVS + 1) * 16];
    char where[32];
    size_t len = 0, last = 0;
    uint32_t i;

    for (i = 0; i <= DOCA_CORE_SW_MAX_DEVS; i++) {
        if (i == DOCA_CORE_SW_MAX_DEVS) {
            text[len] = '\0';
            CHECK_OK(doca_core_sw_set_topology(text));
            CHECK_EQ(count_devs(), DOCA_CORE_SW_MAX_DEVS);
        }
        last = len;
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%02x:00.0;", i & 0xff);
    }
    CHECK_RC(doca_core_sw_set_topology(text), DOCA_ERROR_TOO_BIG);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_SW_TOO_MANY);
    snprintf(where, sizeof(where), " at character %u: ", (unsigned)last + 1);
    CHECK(strstr(test_log_text, where) != NULL);
    CHECK_EQ(count_devs(), DOCA_CORE_SW_MAX_DEVS);
    restore();
}

/* Random texts must not crash the library. A text applies as a whole or not at all. */
static void random_text_is_read_safely(void)
{
    static const char *const pieces[] = {
        "03:00.0", "0000:0b:00.1", " ", ";", "\n", "=", ":", "::", ".", "+", "side=", "dpu", "host",
        "rep=03:00.0", "type=sf", "ipv6=", "1:", "mac=", "ipv4=1.2.3.", "4", "filters=all", "net",
        "ib=a", "if=b", "vuid=v", "lid=", "99999", "profile=", "connectx7", "\t", "\xff", "none",
    };
    uint64_t x = 88172645463325252u;
    unsigned round, k, num_good = 0;

    for (round = 0; round < 20000; round++) {
        char text[256];
        size_t len = 0;

        text[0] = '\0';
        for (k = 0; k < round % 12; k++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            len += (size_t)snprintf(text + len, sizeof(text) - len, "%s",
                                    pieces[(x >> 32) % NUM(pieces)]);
        }
        if (doca_core_sw_set_topology(text) == DOCA_SUCCESS) {
            num_good++;
            CHECK(count_devs() > 0);
        }
    }
    CHECK(num_good > 0);
    restore();
}

static void profile_sets_the_limits_of_functions_without_limits(void)
{
    struct doca_devinfo **list;
    uint64_t size;
    uint32_t n;

    CHECK_OK(doca_core_sw_set_topology("03:00.0; 03:00.1 profile=bluefield3\r\n"
                                       "03:00.2 side=host\r\n"));
    CHECK_OK(doca_core_sw_set_profile("bluefield2"));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(list[0], &size));
    CHECK_EQ(size, 128u << 20);
    CHECK_EQ(list[0]->attr.limits.has_import_pci, 1);
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(list[1], &size));
    CHECK_EQ(size, 2u << 20);
    CHECK_EQ(list[2]->attr.limits.has_export_pci, 1);
    CHECK_EQ(list[2]->attr.limits.has_import_pci, 0);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_sw_set_profile("default"));
    restore();
}

/* ---- the environment: the library reads it once, so each setting needs a new process ---- */

static const struct setting {
    const char *side, *topology;
    enum doca_core_item item; /* item of the only log line; NONE: no line */
    unsigned place;           /* position in the text that the line names */
    bool is_late;             /* calls of the program come first, so the setting is not read */
    uint32_t num_devs;
    enum doca_core_side is_side; /* side of the process in the default topology */
} settings[] = {
    { "dpu", NULL, DOCA_CORE_ITEM_NONE, 0, false, 4, DOCA_CORE_SIDE_DPU },
    { "host", NULL, DOCA_CORE_ITEM_NONE, 0, false, 5, DOCA_CORE_SIDE_HOST },
    { "both", NULL, DOCA_CORE_ITEM_NONE, 0, false, 9, DOCA_CORE_SIDE_BOTH },
    { "moon", NULL, DOCA_CORE_ITEM_SW_UNKNOWN_SIDE, 0, false, 9, DOCA_CORE_SIDE_BOTH },
    { "", NULL, DOCA_CORE_ITEM_NONE, 0, false, 9, DOCA_CORE_SIDE_BOTH }, /* "" is no setting */
    { NULL, "0c:00.0;0c:00.1 side=host", DOCA_CORE_ITEM_NONE, 0, false, 2, DOCA_CORE_SIDE_BOTH },
    { "dpu", "0c:00.0;0c:00.1 side=host", DOCA_CORE_ITEM_NONE, 0, false, 1, DOCA_CORE_SIDE_BOTH },
    { NULL, "0c:00.0 color=red", DOCA_CORE_ITEM_SW_TEXT_KEY, 9, false, 9, DOCA_CORE_SIDE_BOTH },
    { "host", "0c:00.0;0c:00.0", DOCA_CORE_ITEM_SW_ADDRESS_TWICE, 9, false, 5,
      DOCA_CORE_SIDE_HOST },
    { "dpu", "0c:00.0", DOCA_CORE_ITEM_NONE, 0, true, 3, DOCA_CORE_SIDE_BOTH },
    { "moon", "color=red", DOCA_CORE_ITEM_NONE, 0, true, 3, DOCA_CORE_SIDE_BOTH },
};

static void check_call_overrides_environment(void)
{
    CHECK_OK(doca_core_sw_set_topology("0d:00.0 side=host;0d:00.1 side=host;0d:00.2 side=host"));
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_HOST));
    test_log_lines = 0;
    CHECK_EQ(count_devs(), 3);
    CHECK_EQ(test_log_lines, 0);
}

/* Check that a list of representors uses the current settings, as a device list does: the first
 * device has representors in the default topology, but not in the topologies of settings[]. */
static void check_reps_of(const struct setting *s)
{
    const bool has_rows = s->topology != NULL && s->item == DOCA_CORE_ITEM_NONE;
    struct doca_devinfo_rep **reps;
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t n;

    CHECK_OK(doca_core_sw_set_topology("03:00.0 side=host;03:00.0 side=dpu ib=a"));
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_DPU));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_sw_set_topology(NULL));
    CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &n));
    CHECK_EQ(n > 0, !has_rows);
    CHECK_OK(doca_devinfo_rep_destroy_list(reps));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_HOST));
}

/* Run in a process that was started with setting `s`: check its device list and its log. */
static void check_setting(const struct setting *s)
{
    char where[32];

    if (s->is_late) {
        check_call_overrides_environment();
        return;
    }
    snprintf(where, sizeof(where), " at character %u: ", s->place);
    test_log_lines = 0;
    CHECK_EQ(count_devs(), s->num_devs);
    if (s->item != DOCA_CORE_ITEM_NONE) {
        CHECK_EQ(test_log_lines, 1);
        CHECK_EQ(test_log_item, s->item);
        CHECK(strstr(test_log_text, s->place > 0 ? where : "DOCA_CORE_SIDE") != NULL);
    }
    test_log_lines = 0;
    CHECK_EQ(count_devs(), s->num_devs); /* the next list logs nothing */
    CHECK_EQ(test_log_lines, 0);
    if (s->topology == NULL)
        check_side(s->is_side);
    check_call_overrides_environment();
    CHECK_OK(doca_core_sw_set_topology(NULL)); /* the setting applies again */
    check_reps_of(s);
    if (s->topology != NULL && s->item == DOCA_CORE_ITEM_NONE)
        CHECK_EQ(count_devs(), 2); /* a process on the host lists both devices */
    else
        check_side(DOCA_CORE_SIDE_HOST);
}

static void environment_chooses_side_and_topology(void)
{
    static char program[] = "test_representor";
    static char name[] = "environment_chooses_side_and_topology";
    static char *argv[] = { program, name, NULL };
    const char *given = getenv("DOCA_TEST_SETTING");
    char how[96];
    int status;
    size_t i;

    if (given != NULL) {
        check_setting(&settings[atoi(given)]);
        return;
    }
    heap_trap_set(HEAP_TRAP_OFF);
    fflush(stdout);
    for (i = 0; i < NUM(settings); i++) {
        pid_t child = fork();

        CHECK(child >= 0);
        if (child == 0) {
            char number[8];

            snprintf(number, sizeof(number), "%u", (unsigned)i);
            unsetenv("DOCA_CORE_SIDE");
            unsetenv("DOCA_CORE_SW_TOPOLOGY");
            setenv("DOCA_TEST_SETTING", number, 1);
            if (settings[i].side != NULL)
                setenv("DOCA_CORE_SIDE", settings[i].side, 1);
            if (settings[i].topology != NULL)
                setenv("DOCA_CORE_SW_TOPOLOGY", settings[i].topology, 1);
            alarm(10);
            if (dup2(open("/dev/null", O_WRONLY), 1) == 1)
                execv("/proc/self/exe", argv);
            _exit(127);
        }
        CHECK(waitpid(child, &status, 0) == child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
            test_skip("this program cannot start itself");
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            test_fail(__FILE__, __LINE__, "DOCA_TEST_SETTING=%u: %s", (unsigned)i,
                      peer_how(status, how));
    }
    heap_trap_set(HEAP_TRAP_ABORT);
}

/* ---- representors of other backends ---- */

static uint32_t reps_seen_first, reps_seen_then;
static bool is_second_look;

static uint32_t card_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    if (max > 0) {
        attrs[0] = attr_at("0000:ee:00.0", "other");
        attrs[0].rep_filters = ALL_FILTERS;
    }
    return 1;
}

/* Functions appear and disappear while the library creates a list. The backend leaves the address
 * of the representing device empty. */
static uint32_t card_enumerate_reps(struct doca_dev *dev, int filter,
                                    struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t n = is_second_look ? reps_seen_then : reps_seen_first, i;

    (void)dev;
    (void)filter;
    is_second_look = !is_second_look;
    for (i = 0; i < n && i < max; i++) {
        attrs[i] = attr_at("0000:ef:00.0", "");
        attrs[i].pci_addr[11] = (char)('0' + i);
    }
    return n;
}

static void backend_lists_its_representors(void)
{
    struct doca_core_backend card = *doca_core_sw_backend();
    struct doca_devinfo_rep **list = NULL;
    struct doca_dev_rep *rep;
    struct doca_dev *dev;
    uint32_t n = 77;

    card.name = "card";
    card.enumerate = card_enumerate;
    card.enumerate_reps = card_enumerate_reps;
    CHECK_OK(doca_core_backend_register(&card));
    dev = open_iface("other");
    for (reps_seen_first = 0; reps_seen_first < 4; reps_seen_first++) {
        for (reps_seen_then = 0; reps_seen_then < 7; reps_seen_then++) {
            CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
            CHECK_EQ(n, reps_seen_then < reps_seen_first ? reps_seen_then : reps_seen_first);
            CHECK_OK(doca_core_arena_audit(doca_core_arena_bound()));
            if (n > 0) {
                CHECK_OK(doca_dev_rep_open(list[n - 1], &rep));
                CHECK_OK(doca_dev_rep_close(rep));
            }
            CHECK_OK(doca_devinfo_rep_destroy_list(list));
        }
    }
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_backend_unregister("card"));

    card.enumerate_reps = NULL; /* its devices have no representors */
    CHECK_OK(doca_core_backend_register(&card));
    dev = open_iface("other");
    list = NULL;
    CHECK_RC(doca_devinfo_rep_create_list(dev, 0, &list, &n), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_PTR(list, NULL);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_backend_unregister("card"));
}

/* ---- threads ---- */

struct worker {
    pthread_t thread;
    struct doca_dev *dev;
    unsigned failures;
};

static void *open_and_close(void *argument)
{
    struct worker *self = argument;
    unsigned round;

    heap_trap_set(HEAP_TRAP_ABORT);
    for (round = 0; round < test_times(2000); round++) {
        struct doca_devinfo_rep **list;
        struct doca_dev_rep *rep = NULL, *again = NULL;
        uint32_t n = 0;

        if (doca_devinfo_rep_create_list(self->dev, 0, &list, &n) != DOCA_SUCCESS || n != 4) {
            self->failures++;
            continue;
        }
        self->failures += doca_dev_rep_open(list[round % 4], &rep) != DOCA_SUCCESS;
        self->failures += doca_dev_rep_open(list[round % 4], &again) != DOCA_SUCCESS;
        self->failures += doca_devinfo_rep_destroy_list(list) != DOCA_SUCCESS;
        self->failures += rep != again;
        self->failures += doca_dev_rep_close(rep) != DOCA_SUCCESS;
        self->failures += doca_dev_rep_as_devinfo(again) == NULL;
        self->failures += doca_dev_rep_close(again) != DOCA_SUCCESS;
    }
    heap_trap_set(HEAP_TRAP_OFF);
    return NULL;
}

static void threads_open_and_close_representors(void)
{
    static struct worker workers[2];
    struct doca_dev *dev;
    unsigned i;

#ifdef DOCA_CORE_SINGLE_THREAD
    test_skip("this build supports only one thread");
#endif
    dev = open_iface("p0");
    heap_trap_set(HEAP_TRAP_OFF); /* pthread_create() uses the heap */
    for (i = 0; i < 2; i++) {
        workers[i].dev = dev;
        workers[i].failures = 0;
        CHECK_EQ(pthread_create(&workers[i].thread, NULL, open_and_close, &workers[i]), 0);
    }
    for (i = 0; i < 2; i++)
        pthread_join(workers[i].thread, NULL);
    heap_trap_set(HEAP_TRAP_ABORT);
    CHECK_EQ(workers[0].failures, 0);
    CHECK_EQ(workers[1].failures, 0);
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE_OF_SW(environment_chooses_side_and_topology, "", "its environment"),
    CASE_OF_SW(process_lists_the_devices_of_its_side, "18 29", "that a process is on one side"),
    CASE_OF_SW(default_functions_have_distinct_addresses, "23", "the addresses of its devices"),
    CASE(device_lists_representors_of_its_functions, "35 39 40"),
    CASE(device_reports_its_side, ""),
    CASE(representor_has_the_number_of_its_function, ""),
    CASE(list_refuses_wrong_arguments, "35"),
    CASE(device_without_representors_is_not_supported, "36"),
    CASE_OF_SW(filter_works_if_its_capability_is_supported, "37", "a table of its devices"),
    CASE_OF_SW(filter_selects_network_and_emulated_functions, "35", "a table of its devices"),
    CASE_OF_SW(list_may_have_no_elements, "35", "a table of its devices"),
    CASE_OF_SW(list_is_a_snapshot, "38", "a table of its devices"),
    CASE_OF_SW(hotplugged_function_is_reported, "40", "a table of its devices"),
    CASE(vuid_of_a_function_does_not_change, "41"),
    CASE_OF_SW(vuid_needs_the_documented_size, "31", "a table of its devices"),
    CASE(handles_of_other_objects_are_refused, "43"),
    CASE(same_representor_gives_the_same_pointer, "43"),
    CASE(open_representor_has_the_properties_of_its_list, "43"),
    CASE(device_of_an_open_representor_cannot_be_closed, "24"),
    CASE(list_can_be_used_after_its_device_is_closed, "42"),
    CASE_OF_SW(lists_and_representors_take_the_documented_bytes, "", "a table of its devices"),
    CASE(failed_step_leaves_no_bytes_in_use, ""),
    CASE_OF_SW(opening_again_needs_no_memory, "", "a table of its devices"),
    CASE_OF_SW(contradictory_table_changes_nothing, "", "a table of its devices"),
    CASE_OF_SW(sub_functions_share_an_address, "", "a table of its devices"),
    CASE_OF_SW(table_sets_the_side_of_each_function, "", "a table of its devices"),
    CASE_OF_SW(sides_have_separate_addresses, "", "a table of its devices"),
    CASE_OF_SW(devices_stay_open_when_the_side_changes, "", "a table of its devices"),
    CASE_OF_SW(text_can_set_everything_that_a_table_can, "", "a table of its devices"),
    CASE_OF_SW(ipv6_addresses_are_read, "", "a table of its devices"),
    CASE_OF_SW(wrong_text_is_refused_with_its_position, "", "a table of its devices"),
    CASE_OF_SW(text_may_fill_the_device_table, "", "a table of its devices"),
    CASE_OF_SW(random_text_is_read_safely, "", "a table of its devices"),
    CASE_OF_SW(profile_sets_the_limits_of_functions_without_limits, "", "its profiles"),
    CASE(backend_lists_its_representors, ""),
    CASE(threads_open_and_close_representors, "34"),
};

TEST_MAIN(cases)
