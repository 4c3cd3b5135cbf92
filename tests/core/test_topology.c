/* The two sides of the software topology (host and DPU): the default topology, and topologies of a
 * table. */
#include "topology_support.h"

#include <fcntl.h>

/* ---- the default topology ---- */

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

static const struct test_case cases[] = {
    CASE_OF_SW(process_lists_the_devices_of_its_side, "18 29", "that a process is on one side"),
    CASE_OF_SW(default_functions_have_distinct_addresses, "23", "the addresses of its devices"),
    CASE(device_lists_representors_of_its_functions, "35 39 40"),
    CASE(device_reports_its_side, ""),
    CASE(representor_has_the_number_of_its_function, ""),
    CASE_OF_SW(contradictory_table_changes_nothing, "", "a table of its devices"),
    CASE_OF_SW(sub_functions_share_an_address, "", "a table of its devices"),
    CASE_OF_SW(table_sets_the_side_of_each_function, "", "a table of its devices"),
    CASE_OF_SW(sides_have_separate_addresses, "", "a table of its devices"),
    CASE_OF_SW(devices_stay_open_when_the_side_changes, "", "a table of its devices"),
};

TEST_MAIN(cases)
