/* Texts that describe software topologies. The devices of an accepted text are printed as a text,
 * which must give the same devices. A refused text changes no device. */
#include "fuzz.h"

enum { LINE_BYTES = 512, TEXT_BYTES = 64 * LINE_BYTES };

struct table {
    uint32_t num;
    struct doca_core_dev_attr attrs[DOCA_CORE_SW_MAX_DEVS];
};

static struct table before, first, second;
static char printed[TEXT_BYTES];

static void fuzz_set_up(void)
{
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_BOTH));
}

static void read_table(struct table *t)
{
    struct doca_devinfo **list;
    uint32_t i;

    memset(t, 0, sizeof(*t));
    CHECK_OK(doca_devinfo_create_list(&list, &t->num));
    CHECK(t->num <= DOCA_CORE_SW_MAX_DEVS);
    for (i = 0; i < t->num; i++)
        t->attrs[i] = list[i]->attr;
    CHECK_OK(doca_devinfo_destroy_list(list));
}

/* Compare the devices; their order, and properties that depend on it, are ignored. */
static void check_same(const struct table *a, const struct table *b)
{
    uint32_t i;

    CHECK_EQ(a->num, b->num);
    for (i = 0; i < a->num; i++) {
        const struct doca_core_dev_attr *x = &a->attrs[i], *y = &b->attrs[i];

        CHECK_STR(x->pci_addr, y->pci_addr);
        CHECK_STR(x->ibdev_name, y->ibdev_name);
        CHECK_STR(x->iface_name, y->iface_name);
        CHECK_STR(x->rep_dev, y->rep_dev);
        CHECK_STR(x->vuid, y->vuid);
        CHECK_MEM(x->mac_addr, y->mac_addr, sizeof(x->mac_addr));
        CHECK_MEM(x->ipv4_addr, y->ipv4_addr, sizeof(x->ipv4_addr));
        CHECK_MEM(x->ipv6_addr, y->ipv6_addr, sizeof(x->ipv6_addr));
        CHECK_MEM(&x->limits, &y->limits, sizeof(x->limits));
        CHECK_EQ(x->lid, y->lid);
        CHECK_EQ(x->port, y->port);
        CHECK_EQ(x->side, y->side);
        CHECK_EQ(x->func_type, y->func_type);
        CHECK_EQ(x->rep_filters, y->rep_filters);
        CHECK_EQ(x->is_hotplug, y->is_hotplug);
        CHECK_EQ(x->is_emulated, y->is_emulated);
        CHECK_EQ(x->is_hotplug_manager, y->is_hotplug_manager);
    }
}

static const char *profile_of(const struct doca_core_dev_attr *a)
{
    static const char *const names[] = { "default", "unlimited", "bluefield2",
                                        "bluefield3", "connectx7" };
    struct doca_core_limits limits;
    size_t i;

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        CHECK_OK(doca_core_sw_profile(names[i], &limits));
        if (limits.dma_max_buf_size == a->limits.dma_max_buf_size &&
            limits.sha_max_src_buf_size == a->limits.sha_max_src_buf_size &&
            limits.has_sync_event == a->limits.has_sync_event)
            return names[i];
    }
    test_fail(__FILE__, __LINE__, "no profile has the limits of the device");
}

static size_t print_addresses(char *to, const struct doca_core_dev_attr *a)
{
    const uint8_t *m = a->mac_addr, *p = a->ipv4_addr, *s = a->ipv6_addr;
    size_t len, i;

    len = (size_t)sprintf(to, " mac=%x:%x:%x:%x:%x:%x ipv4=%u.%u.%u.%u ipv6=", m[0], m[1], m[2],
                          m[3], m[4], m[5], p[0], p[1], p[2], p[3]);
    for (i = 0; i < 16; i += 2)
        len += (size_t)sprintf(to + len, "%s%x", i > 0 ? ":" : "", s[i] << 8 | s[i + 1]);
    return len;
}

/* Print the devices as a topology text with all keys that have a value. */
static void print_table(const struct table *t)
{
    static const char *const sides[] = { "both", "dpu", "host" };
    static const char *const types[] = { "pf", "vf", "sf" };
    size_t len = 0;
    uint32_t i;

    for (i = 0; i < t->num; i++) {
        const struct doca_core_dev_attr *a = &t->attrs[i];
        unsigned f = a->rep_filters;

        CHECK(len + LINE_BYTES < sizeof(printed));
        len += (size_t)sprintf(printed + len, "%s side=%s type=%s port=%s hotplug=%u emulated=%u "
                               "manager=%u lid=%u vuid=%s profile=%s", a->pci_addr,
                               sides[a->side], types[a->func_type],
                               a->port == DOCA_CORE_PORT_ETHERNET ? "eth" : "ib", a->is_hotplug,
                               a->is_emulated, a->is_hotplug_manager, a->lid, a->vuid,
                               profile_of(a));
        if (a->ibdev_name[0] != '\0')
            len += (size_t)sprintf(printed + len, " ib=%s", a->ibdev_name);
        if (a->iface_name[0] != '\0')
            len += (size_t)sprintf(printed + len, " if=%s", a->iface_name);
        if (a->rep_dev[0] != '\0')
            len += (size_t)sprintf(printed + len, " rep=%s", a->rep_dev);
        len += print_addresses(printed + len, a);
        len += (size_t)sprintf(printed + len, " filters=%s%s%s%s;", f == 0 ? "none" : "",
                               (f & 1) != 0 ? (f > 1 ? "all+" : "all") : "",
                               (f & 2) != 0 ? ((f & 4) != 0 ? "net+" : "net") : "",
                               (f & 4) != 0 ? "emulated" : "");
    }
}

/* Open the first devices, and list their representors. */
static void open_devices(void)
{
    struct doca_devinfo_rep **reps;
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num, num_reps, i;
    doca_error_t rc;

    CHECK_OK(doca_devinfo_create_list(&list, &num));
    for (i = 0; i < num && i < 8; i++) {
        CHECK_OK(doca_dev_open(list[i], &dev));
        rc = doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num_reps);
        if ((list[i]->attr.rep_filters & DOCA_CORE_REP_ALL) != 0)
            CHECK_OK(rc);
        if (rc == DOCA_SUCCESS)
            CHECK_OK(doca_devinfo_rep_destroy_list(reps));
        CHECK_OK(doca_dev_close(dev));
    }
    CHECK_OK(doca_devinfo_destroy_list(list));
}

static void fuzz_run_input(void)
{
    char *text = fuzz_text();
    doca_error_t rc;

    read_table(&before);
    rc = doca_core_sw_set_topology(text);
    fuzz_free(text);
    read_table(&first);
    if (rc == DOCA_SUCCESS) {
        open_devices();
        print_table(&first);
        CHECK_OK(doca_core_sw_set_topology(printed));
        read_table(&second);
        check_same(&first, &second);
        CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    } else {
        CHECK(rc == DOCA_ERROR_INVALID_VALUE || rc == DOCA_ERROR_TOO_BIG);
        CHECK(strstr(doca_core_last_error(), "doca_core_sw_set_topology") != NULL);
        check_same(&before, &first);
    }
}
