/* PCI addresses and other properties of a devinfo, and the tables and profiles that they come
 * from. */
#include "device_support.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Make the device list of a topology with one device that has these properties. */
static struct doca_devinfo **list_of_one(const struct doca_core_dev_attr *attr)
{
    struct doca_devinfo **list;
    uint32_t n = 0;

    CHECK_OK(doca_core_sw_set_devices(attr, 1));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_EQ(n, 1);
    return list;
}

static void pci_addr_takes_13_bytes(void)
{
    static const char *const addrs[] = { "0000:03:00.0", "0001:af:1f.7", "ffff:ff:1f.7",
                                         "beef:0c:0d.3" };
    char text[DOCA_DEVINFO_PCI_ADDR_SIZE + 3];
    size_t i;

    for (i = 0; i < sizeof(addrs) / sizeof(addrs[0]); i++) {
        struct doca_core_dev_attr attr = attr_at(addrs[i]);
        struct doca_devinfo **list = list_of_one(&attr);

        memset(text, '#', sizeof(text));
        CHECK_OK(doca_devinfo_get_pci_addr_str(list[0], text));
        CHECK_STR(text, addrs[i]);
        CHECK_MEM(text + DOCA_DEVINFO_PCI_ADDR_SIZE, "###", 3);
        CHECK_RC(doca_devinfo_get_pci_addr_str(list[0], NULL), DOCA_ERROR_INVALID_VALUE);
        destroy_list_of_one(list);
    }
}

static void pci_addr_is_compared_with_and_without_domain(void)
{
    static const struct {
        const char *device, *text;
        uint8_t want;
    } pairs[] = {
        { "0000:03:00.0", "0000:03:00.0", 1 }, { "0000:03:00.0", "03:00.0", 1 },
        { "0000:03:00.0", "0000:03:00.1", 0 }, { "0000:03:00.0", "03:00.1", 0 },
        { "0000:03:00.0", "0001:03:00.0", 0 }, { "0000:03:00.0", "0000:30:00.0", 0 },
        { "0000:03:00.0", "0000:03:10.0", 0 }, { "0000:af:1c.7", "0000:AF:1C.7", 1 },
        { "0000:af:1c.7", "aF:1C.7", 1 },      { "0001:03:00.0", "03:00.0", 0 },
        { "0001:03:00.0", "0001:03:00.0", 1 }, { "abcd:03:00.0", "ABCD:03:00.0", 1 },
        { "0000:00:1f.7", "0000:00:1f.7", 1 }, { "0000:00:1f.7", "00:1F.7", 1 },
    };
    size_t i;

    for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        struct doca_core_dev_attr attr = attr_at(pairs[i].device);
        struct doca_devinfo **list = list_of_one(&attr);
        uint8_t is_equal = 77;

        CHECK_OK(doca_devinfo_is_equal_pci_addr(list[0], pairs[i].text, &is_equal));
        if (is_equal != pairs[i].want)
            test_fail(__FILE__, __LINE__, "%s equals %s: %u", pairs[i].device, pairs[i].text,
                      is_equal);
        destroy_list_of_one(list);
    }
}

static void malformed_pci_addr_is_invalid(void)
{
    /* clang-format off */
    static const char *const bad[] = {
        "",              "0",             "mlx5_0",        "03:00",         "03:00.",
        "03:00.00",      "3:0.0",         "03:0.0",        "03-00.0",       "03:00:0",
        "03.00.0",       " 03:00.0",      "03:00.0 ",      "03:00.0\n",     "+3:00.0",
        "0g:00.0",       "03:00.g",       "03:00,0",       "000:03:00.0",   "00000:03:00.0",
        "0000:03:00",    "0000:03:00.",   "0000:03:00.00", "0000:03:00.x",  "0000:03:00:0",
        "0000.03.00.0",  "0000:03:0.0",   "0x00:03:00.0",  "-001:03:00.0",  "0000:03:00.0:",
        "0000 03 00 0",  "0000:0000:0.0", ":03:00.0",      "0000::03:00.0", "000003000",
        "0000:00:20.0",  "00:20.0",       "0000:00:ff.0",  "0000:00:1f.8",  "00:1f.f",
    };
    /* clang-format on */
    struct doca_core_dev_attr attr = attr_at("0000:03:00.0");
    struct doca_devinfo **list = list_of_one(&attr);
    uint8_t is_equal = 77;
    size_t i;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (doca_devinfo_is_equal_pci_addr(list[0], bad[i], &is_equal) != DOCA_ERROR_INVALID_VALUE)
            test_fail(__FILE__, __LINE__, "\"%s\" was accepted as a PCI address", bad[i]);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_PCI_ADDR_MALFORMED);
        CHECK_EQ(is_equal, 77);
    }
    CHECK_RC(doca_devinfo_is_equal_pci_addr(list[0], NULL, &is_equal), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_is_equal_pci_addr(list[0], "03:00.0", NULL), DOCA_ERROR_INVALID_VALUE);
    destroy_list_of_one(list);
}

#define PROPERTY(name, type)                                                                       \
    static doca_error_t get_##name(const struct doca_devinfo *devinfo, void *out, uint32_t size)   \
    {                                                                                              \
        return doca_devinfo_get_##name(devinfo, (type *)out, size);                                \
    }
PROPERTY(ibdev_name, char)
PROPERTY(iface_name, char)
PROPERTY(ipv4_addr, uint8_t)
PROPERTY(ipv6_addr, uint8_t)
PROPERTY(mac_addr, uint8_t)
#undef PROPERTY

static const struct {
    doca_error_t (*get)(const struct doca_devinfo *devinfo, void *out, uint32_t size);
    uint32_t size; /* the documented size of the output */
    uint32_t num;  /* number of bytes to compare */
    const char *want;
} properties[] = {
    { get_ibdev_name, DOCA_DEVINFO_IBDEV_NAME_SIZE, 8, "mlx5_07" },
    { get_iface_name, DOCA_DEVINFO_IFACE_NAME_SIZE, 11, "enp3s0f0np" },
    { get_ipv4_addr, DOCA_DEVINFO_IPV4_ADDR_SIZE, 4, "\xc0\xa8\x01\x02" },
    { get_ipv6_addr, DOCA_DEVINFO_IPV6_ADDR_SIZE, 16, "\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\x01" },
    { get_mac_addr, DOCA_DEVINFO_MAC_ADDR_SIZE, 6, "\x0c\x42\xa1\x00\x00\x01" },
};
#define NUM_PROPERTIES (sizeof(properties) / sizeof(properties[0]))

static struct doca_core_dev_attr rich_attr(void)
{
    struct doca_core_dev_attr attr = attr_at("0000:03:00.0");

    strcpy(attr.ibdev_name, properties[0].want);
    strcpy(attr.iface_name, properties[1].want);
    memcpy(attr.ipv4_addr, properties[2].want, sizeof(attr.ipv4_addr));
    memcpy(attr.ipv6_addr, properties[3].want, sizeof(attr.ipv6_addr));
    memcpy(attr.mac_addr, properties[4].want, sizeof(attr.mac_addr));
    attr.lid = 0x1234;
    return attr;
}

static void property_needs_the_documented_size(void)
{
    struct doca_core_dev_attr attr = rich_attr();
    struct doca_devinfo **list = list_of_one(&attr);
    unsigned char out[512];
    size_t i, k;
    uint32_t size;

    for (i = 0; i < NUM_PROPERTIES; i++) {
        memset(out, '#', sizeof(out));
        for (size = 0; size < properties[i].size; size++) {
            CHECK_RC(properties[i].get(list[0], out, size), DOCA_ERROR_INVALID_VALUE);
            CHECK_EQ(test_log_item, DOCA_CORE_ITEM_TEXT_TOO_SHORT);
        }
        CHECK_RC(properties[i].get(list[0], NULL, size), DOCA_ERROR_INVALID_VALUE);
        for (k = 0; k < sizeof(out); k++)
            CHECK_EQ(out[k], '#');
        CHECK_OK(properties[i].get(list[0], out, size));
        CHECK_MEM(out, properties[i].want, properties[i].num);
        for (k = size; k < sizeof(out); k++)
            CHECK_EQ(out[k], '#');
        CHECK_OK(properties[i].get(list[0], out, sizeof(out)));
        CHECK_MEM(out, properties[i].want, properties[i].num);
    }
    destroy_list_of_one(list);
}

static void longest_names_end_with_nul(void)
{
    struct doca_core_dev_attr attr = attr_at("0000:03:00.0");
    struct doca_devinfo **list;
    char name[DOCA_DEVINFO_IFACE_NAME_SIZE];

    memset(attr.ibdev_name, 'i', sizeof(attr.ibdev_name) - 1);
    memset(attr.iface_name, 'f', sizeof(attr.iface_name) - 1);
    list = list_of_one(&attr);
    memset(name, '#', sizeof(name));
    CHECK_OK(doca_devinfo_get_ibdev_name(list[0], name, sizeof(name)));
    CHECK_STR(name, attr.ibdev_name);
    memset(name, '#', sizeof(name));
    CHECK_OK(doca_devinfo_get_iface_name(list[0], name, sizeof(name)));
    CHECK_STR(name, attr.iface_name);
    destroy_list_of_one(list);
}

static void port_kind_decides_mac_and_lid(void)
{
    struct doca_core_dev_attr attr = rich_attr();
    struct doca_devinfo **list;
    uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE] = { 0 };
    uint16_t lid = 77;

    attr.port = DOCA_CORE_PORT_ETHERNET;
    list = list_of_one(&attr);
    CHECK_OK(doca_devinfo_get_mac_addr(list[0], mac, sizeof(mac)));
    CHECK_MEM(mac, attr.mac_addr, sizeof(mac));
    CHECK_RC(doca_devinfo_get_lid(list[0], &lid), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_LID);
    CHECK_EQ(lid, 77);
    CHECK_RC(doca_devinfo_get_lid(list[0], NULL), DOCA_ERROR_INVALID_VALUE);
    destroy_list_of_one(list);

    attr.port = DOCA_CORE_PORT_INFINIBAND;
    list = list_of_one(&attr);
    memset(mac, '#', sizeof(mac));
    CHECK_RC(doca_devinfo_get_mac_addr(list[0], mac, sizeof(mac)), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_MAC);
    CHECK_MEM(mac, "######", sizeof(mac));
    CHECK_OK(doca_devinfo_get_lid(list[0], &lid));
    CHECK_EQ(lid, 0x1234);
    destroy_list_of_one(list);
}

static void missing_address_gives_operating_system(void)
{
    /* no interface; an unknown name; a name that is too long; a name with a blank */
    static const char *const names[] = { "", "doca-nowhere", "a-name-of-sixteen-and-more",
                                         "doca nowhere" };
    struct doca_core_dev_attr attr = attr_at("0000:03:00.0");
    uint8_t addr[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    size_t i;

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct doca_devinfo **list;

        strcpy(attr.iface_name, names[i]);
        list = list_of_one(&attr);
        CHECK_RC(doca_devinfo_get_ipv4_addr(list[0], addr, sizeof(addr)),
                 DOCA_ERROR_OPERATING_SYSTEM);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_ADDRESS);
        CHECK_RC(doca_devinfo_get_ipv6_addr(list[0], addr, sizeof(addr)),
                 DOCA_ERROR_OPERATING_SYSTEM);
        CHECK_RC(doca_devinfo_get_mac_addr(list[0], addr, sizeof(addr)),
                 DOCA_ERROR_OPERATING_SYSTEM);
        destroy_list_of_one(list);
    }
}

/* True when the system's list of IPv6 addresses has ::1 on the interface lo. */
static bool lo_has_ipv6(void)
{
    char line[128];
    bool has = false;
    FILE *f;

    heap_trap_set(HEAP_TRAP_OFF);
    f = fopen("/proc/net/if_inet6", "r");
    while (f != NULL && fgets(line, sizeof(line), f) != NULL)
        has = has || (strncmp(line, "00000000000000000000000000000001 ", 33) == 0 &&
                      strstr(line, " lo\n") != NULL);
    if (f != NULL)
        fclose(f);
    heap_trap_set(HEAP_TRAP_ABORT);
    return has;
}

/* The log distinguishes between an IPv6 address that does not exist and a list of addresses that
 * the library cannot read. */
static void unreadable_list_of_ipv6_addresses_is_logged(void)
{
    struct doca_core_dev_attr attr = attr_at("0000:03:00.0");
    uint8_t addr[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    struct doca_devinfo **list;
    pid_t child;
    int status;

    strcpy(attr.iface_name, "lo");
    fflush(stdout);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) { /* the child reports its checks by its exit status */
        if (chroot("/sys") != 0 || chdir("/") != 0) /* a root directory without /proc */
            _exit(77);
        if (setjmp(test_leave) != 0) {
            fflush(stdout);
            _exit(1);
        }
        list = list_of_one(&attr);
        CHECK_RC(doca_devinfo_get_ipv6_addr(list[0], addr, sizeof(addr)),
                 DOCA_ERROR_OPERATING_SYSTEM);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_IF_INET6);
        destroy_list_of_one(list);
        _exit(0);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        test_skip("only root can change the root directory");
    CHECK_EQ(status, 0);
}

static void addresses_of_a_real_interface_come_from_the_system(void)
{
    static const uint8_t ipv4[] = { 127, 0, 0, 1 }, own_ipv4[] = { 10, 1, 2, 3 };
    static const uint8_t ipv6[16] = { [15] = 1 };
    struct doca_core_dev_attr attr = attr_at("0000:03:00.0");
    struct doca_devinfo **list;
    uint8_t addr[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    doca_error_t rc;

    strcpy(attr.iface_name, "lo");
    list = list_of_one(&attr);
    rc = doca_devinfo_get_ipv4_addr(list[0], addr, sizeof(addr));
    if (rc != DOCA_SUCCESS) {
        destroy_list_of_one(list);
        test_skip("the interface lo is not up here");
    }
    CHECK_MEM(addr, ipv4, sizeof(ipv4));
    rc = doca_devinfo_get_ipv6_addr(list[0], addr, sizeof(addr));
    CHECK_RC(rc, lo_has_ipv6() ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM);
    if (rc == DOCA_SUCCESS)
        CHECK_MEM(addr, ipv6, sizeof(ipv6));
    CHECK_RC(doca_devinfo_get_mac_addr(list[0], addr, sizeof(addr)), DOCA_ERROR_OPERATING_SYSTEM);
    destroy_list_of_one(list);

    /* an address in the device table has priority over that of the system */
    memcpy(attr.ipv4_addr, own_ipv4, sizeof(own_ipv4));
    memcpy(attr.mac_addr, properties[4].want, sizeof(attr.mac_addr));
    list = list_of_one(&attr);
    CHECK_OK(doca_devinfo_get_ipv4_addr(list[0], addr, sizeof(addr)));
    CHECK_MEM(addr, own_ipv4, sizeof(own_ipv4));
    CHECK_OK(doca_devinfo_get_mac_addr(list[0], addr, sizeof(addr)));
    CHECK_MEM(addr, properties[4].want, sizeof(attr.mac_addr));
    /* the device table has no IPv6 address */
    CHECK_RC(doca_devinfo_get_ipv6_addr(list[0], addr, sizeof(addr)), rc);
    destroy_list_of_one(list);
}

static void hotplug_manager_comes_from_the_device_table(void)
{
    struct doca_core_dev_attr attr = attr_at("0000:03:00.0");
    struct doca_devinfo **list;
    uint8_t want, is_manager;

    for (want = 0; want < 2; want++) {
        attr.is_hotplug_manager = want;
        list = list_of_one(&attr);
        is_manager = 77;
        CHECK_OK(doca_devinfo_cap_is_hotplug_manager_supported(list[0], &is_manager));
        CHECK_EQ(is_manager, want);
        CHECK_RC(doca_devinfo_cap_is_hotplug_manager_supported(list[0], NULL),
                 DOCA_ERROR_INVALID_VALUE);
        destroy_list_of_one(list);
    }
}

static const struct profile {
    const char *name;
    uint64_t max_buf_size;
    uint32_t max_buf_list_len, max_num_tasks;
    uint8_t has_dma;
} profiles[] = {
    { "default", 1u << 30, 65536, 65536, 1 },
    { "unlimited", SIZE_MAX, UINT32_MAX, 65536, 1 },
    { "bluefield2", 128u << 20, 64, 65536, 1 },
    { "bluefield3", 2u << 20, 64, 65536, 1 },
    { "connectx7", 0, 0, 0, 0 },
};
#define NUM_PROFILES (sizeof(profiles) / sizeof(profiles[0]))

static void check_capabilities(struct doca_devinfo *devinfo, const struct profile *want)
{
    struct doca_dev *dev;
    struct doca_dma *dma;
    uint64_t size = 0;
    uint32_t list_len = 0, num_tasks = 0;

    CHECK_RC(doca_dma_cap_task_memcpy_is_supported(devinfo),
             want->has_dma ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
    if (want->has_dma) {
        CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(devinfo, &size));
        CHECK_EQ(size, want->max_buf_size);
        CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(devinfo, &list_len));
        CHECK_EQ(list_len, want->max_buf_list_len);
    }
    CHECK_OK(doca_dev_open(devinfo, &dev));
    CHECK_OK(doca_dma_create(dev, &dma));
    CHECK_OK(doca_dma_cap_get_max_num_tasks(dma, &num_tasks));
    CHECK_EQ(num_tasks, want->max_num_tasks);
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_dev_close(dev));
}

static void capabilities_answer_the_limits_of_the_profile(void)
{
    struct doca_devinfo **list;
    uint32_t n, i;
    size_t p;

    for (p = 0; p < NUM_PROFILES; p++) {
        CHECK_OK(doca_core_sw_set_profile(profiles[p].name));
        CHECK_OK(doca_devinfo_create_list(&list, &n));
        CHECK_EQ(n, DOCA_CORE_SW_DEFAULT_DEVS);
        for (i = 0; i < n; i++)
            check_capabilities(list[i], &profiles[p]);
        CHECK_OK(doca_devinfo_destroy_list(list));
    }
    CHECK_OK(doca_core_sw_set_profile("default"));
}

static void profile_gives_limits_for_tables(void)
{
    struct doca_core_limits limits, untouched;
    size_t p;

    for (p = 0; p < NUM_PROFILES; p++) {
        memset(&limits, 0xEE, sizeof(limits));
        CHECK_OK(doca_core_sw_profile(profiles[p].name, &limits));
        CHECK_EQ(limits.has_dma, profiles[p].has_dma);
        if (!limits.has_dma)
            continue;
        CHECK_EQ(limits.dma_max_buf_size, profiles[p].max_buf_size);
        CHECK_EQ(limits.dma_max_buf_list_len, profiles[p].max_buf_list_len);
        CHECK_EQ(limits.dma_max_num_tasks, profiles[p].max_num_tasks);
    }
    memset(&limits, 0xEE, sizeof(limits));
    untouched = limits;
    CHECK_RC(doca_core_sw_profile("bluefield", &limits), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_core_sw_profile("", &limits), DOCA_ERROR_NOT_FOUND);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_SW_UNKNOWN_PROFILE);
    CHECK_RC(doca_core_sw_profile(NULL, &limits), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_sw_profile("unlimited", NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_MEM(&limits, &untouched, sizeof(limits));
    CHECK_RC(doca_core_sw_set_profile("bluefield33"), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_core_sw_set_profile(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void limits_come_from_the_device_table(void)
{
    static const struct profile small = { "", 4096, 3, 5, 1 };
    struct doca_core_dev_attr attr = attr_at("0000:04:00.0");
    struct doca_devinfo **list;

    attr.limits.dma_max_buf_size = small.max_buf_size;
    attr.limits.dma_max_buf_list_len = small.max_buf_list_len;
    attr.limits.dma_max_num_tasks = small.max_num_tasks;
    list = list_of_one(&attr);
    check_capabilities(list[0], &small);
    destroy_list_of_one(list);
}

static void open_device_keeps_its_limits(void)
{
    struct doca_dev *dev, *again;
    struct doca_devinfo **list;
    static const struct doca_core_dev_attr none;
    uint64_t size = 0;
    uint32_t n;

    CHECK_OK(doca_core_sw_set_profile("bluefield2"));
    dev = open_at("03:00.0");
    CHECK_OK(doca_core_sw_set_profile("bluefield3"));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(find(list, n, "03:00.0"), &size));
    CHECK_EQ(size, 2u << 20);
    CHECK_OK(doca_dev_open(find(list, n, "03:00.0"), &again));
    CHECK_PTR(again, dev);
    CHECK_OK(doca_dev_close(again));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(doca_dev_as_devinfo(dev), &size));
    CHECK_EQ(size, 128u << 20);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    CHECK_OK(doca_core_sw_set_profile("default"));
}

static void bad_table_changes_nothing(void)
{
    static struct doca_core_dev_attr attrs[DOCA_CORE_SW_MAX_DEVS + 1];
    static const char *const bad[] = {
        "0000:0A:00.0", "03:00.0\0....", "0000:03:00,0", "0000:00:20.0", "0000:00:1f.8",
        "............", "\0...........", "0000:03:00.0", /* made longer below */
    };
    struct doca_devinfo **list;
    uint32_t i, n;

    for (i = 0; i <= DOCA_CORE_SW_MAX_DEVS; i++) {
        char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];

        snprintf(pci_addr, sizeof(pci_addr), "0007:%02x:00.0", i & 0xff);
        attrs[i] = attr_at(pci_addr);
    }
    CHECK_OK(doca_core_sw_set_devices(attrs, 1));

    CHECK_RC(doca_core_sw_set_devices(NULL, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_sw_set_devices(attrs, DOCA_CORE_SW_MAX_DEVS + 1), DOCA_ERROR_TOO_BIG);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_SW_TOO_MANY);
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        memcpy(attrs[1].pci_addr, bad[i], sizeof(attrs[1].pci_addr));
        if (i + 1 == sizeof(bad) / sizeof(bad[0]))
            attrs[1].pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE - 1] = '0';
        CHECK_RC(doca_core_sw_set_devices(attrs, 2), DOCA_ERROR_INVALID_VALUE);
    }
    attrs[1] = attrs[0]; /* two equal addresses */
    CHECK_RC(doca_core_sw_set_devices(attrs, 2), DOCA_ERROR_INVALID_VALUE);
    attrs[1] = attr_at("0007:01:00.0");
    memset(attrs[1].ibdev_name, 'x', sizeof(attrs[1].ibdev_name));
    CHECK_RC(doca_core_sw_set_devices(attrs, 2), DOCA_ERROR_INVALID_VALUE);
    attrs[1] = attr_at("0007:01:00.0");
    memset(attrs[1].iface_name, 'x', sizeof(attrs[1].iface_name));
    CHECK_RC(doca_core_sw_set_devices(attrs, 2), DOCA_ERROR_INVALID_VALUE);

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_EQ(n, 1);
    CHECK(find(list, n, "0007:00:00.0") != NULL);
    CHECK_OK(doca_devinfo_destroy_list(list));

    attrs[1] = attr_at("0007:01:00.0");
    CHECK_OK(doca_core_sw_set_devices(attrs, DOCA_CORE_SW_MAX_DEVS));
    memset(attrs, 0, sizeof(attrs)); /* the library has copied the table */
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_EQ(n, DOCA_CORE_SW_MAX_DEVS);
    CHECK(find(list, n, "0007:01:00.0") != NULL);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static void engine_needs_limits_of_at_least_1(void)
{
    static const struct {
        uint64_t buf_size;
        uint32_t list_len, num_tasks;
    } zeros[] = { { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, 0 }, { 0, 0, 0 } };
    static const struct profile least = { "", 1, 1, 1, 1 }, without = { "", 0, 0, 0, 0 };
    struct doca_core_dev_attr attr = attr_at("0000:04:00.0");
    struct doca_devinfo **list;
    size_t i;

    for (i = 0; i < sizeof(zeros) / sizeof(zeros[0]); i++) {
        attr.limits.dma_max_buf_size = zeros[i].buf_size;
        attr.limits.dma_max_buf_list_len = zeros[i].list_len;
        attr.limits.dma_max_num_tasks = zeros[i].num_tasks;
        attr.limits.has_dma = 1;
        CHECK_RC(doca_core_sw_set_devices(&attr, 1), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_SW_LIMITS);
        attr.limits.has_dma = 0; /* without the engine its limits have no meaning */
        attr.limits.dma_max_num_tasks = 7;
        list = list_of_one(&attr);
        check_capabilities(list[0], &without);
        destroy_list_of_one(list);
    }
    attr.limits = (struct doca_core_limits){
        .dma_max_buf_size = 1, .dma_max_buf_list_len = 1, .dma_max_num_tasks = 1, .has_dma = 1
    };
    list = list_of_one(&attr);
    check_capabilities(list[0], &least);
    destroy_list_of_one(list);
}

/* The library reads the environment once, so each value needs a new process. */
static void default_profile_comes_from_the_environment(void)
{
    static const char *const values[] = { "bluefield2", "connectx7", "no-such-card" };
    static char program[] = "test_device";
    static char name[] = "default_profile_comes_from_the_environment";
    static char *argv[] = { program, name, NULL };
    const char *given = getenv("DOCA_CORE_SW_PROFILE");
    struct doca_devinfo **list;
    uint32_t n;
    size_t i, p = 0;
    char how[96];
    int status;

    if (given != NULL) {
        for (i = 0; i < NUM_PROFILES; i++) /* an unknown name selects the first profile */
            if (strcmp(given, profiles[i].name) == 0)
                p = i;
        /* the library must not hold a lock when it logs an unknown name */
        doca_core_log_set_sink(call_back, NULL);
        alarm(10);
        CHECK_OK(doca_devinfo_create_list(&list, &n));
        alarm(0);
        CHECK_EQ(num_calls_back, strcmp(given, profiles[p].name) == 0 ? 0 : 1);
        doca_core_log_set_sink(test_sink, NULL);
        check_capabilities(list[0], &profiles[p]);
        CHECK_OK(doca_devinfo_destroy_list(list));
        return;
    }
    heap_trap_set(HEAP_TRAP_OFF);
    for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        pid_t child = fork();

        CHECK(child >= 0);
        if (child == 0) {
            if (setenv("DOCA_CORE_SW_PROFILE", values[i], 1) == 0 &&
                dup2(open("/dev/null", O_WRONLY), 1) == 1)
                execv("/proc/self/exe", argv);
            _exit(127);
        }
        CHECK(waitpid(child, &status, 0) == child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
            test_skip("this program cannot start itself");
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            test_fail(__FILE__, __LINE__, "DOCA_CORE_SW_PROFILE=%s: %s", values[i],
                      peer_how(status, how));
    }
    heap_trap_set(HEAP_TRAP_ABORT);
}

static const struct test_case cases[] = {
    CASE_OF_SW(default_profile_comes_from_the_environment, "", "its profiles"),
    CASE_OF_SW(pci_addr_takes_13_bytes, "28", "a table of its devices"),
    CASE_OF_SW(pci_addr_is_compared_with_and_without_domain, "29", "a table of its devices"),
    CASE_OF_SW(malformed_pci_addr_is_invalid, "30", "a table of its devices"),
    CASE_OF_SW(property_needs_the_documented_size, "31 32", "a table of its devices"),
    CASE_OF_SW(longest_names_end_with_nul, "32", "a table of its devices"),
    CASE_OF_SW(port_kind_decides_mac_and_lid, "33", "a table of its devices"),
    CASE_OF_SW(missing_address_gives_operating_system, "", "a table of its devices"),
    CASE_OF_SW(addresses_of_a_real_interface_come_from_the_system, "", "a table of its devices"),
    CASE_OF_SW(unreadable_list_of_ipv6_addresses_is_logged, "", "a table of its devices"),
    CASE_OF_SW(hotplug_manager_comes_from_the_device_table, "", "a table of its devices"),
    CASE_OF_SW(capabilities_answer_the_limits_of_the_profile, "", "its profiles"),
    CASE_OF_SW(profile_gives_limits_for_tables, "", "its profiles"),
    CASE_OF_SW(limits_come_from_the_device_table, "", "a table of its devices"),
    CASE_OF_SW(open_device_keeps_its_limits, "", "its profiles"),
    CASE_OF_SW(bad_table_changes_nothing, "", "a table of its devices"),
    CASE_OF_SW(engine_needs_limits_of_at_least_1, "", "a table of its devices"),
};

TEST_MAIN(cases)
