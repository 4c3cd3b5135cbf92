/* Topologies as text, and the environment variables that choose a topology. */
#include "topology_support.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

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

static const struct test_case cases[] = {
    CASE_OF_SW(environment_chooses_side_and_topology, "", "its environment"),
    CASE_OF_SW(text_can_set_everything_that_a_table_can, "", "a table of its devices"),
    CASE_OF_SW(ipv6_addresses_are_read, "", "a table of its devices"),
    CASE_OF_SW(wrong_text_is_refused_with_its_position, "", "a table of its devices"),
    CASE_OF_SW(text_may_fill_the_device_table, "", "a table of its devices"),
    CASE_OF_SW(random_text_is_read_safely, "", "a table of its devices"),
    CASE_OF_SW(profile_sets_the_limits_of_functions_without_limits, "", "its profiles"),
};

TEST_MAIN(cases)
