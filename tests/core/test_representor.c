/* Lists of representors, also of other backends and in several threads. */
#include "topology_support.h"

#include <pthread.h>

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
    CASE(backend_lists_its_representors, ""),
    CASE(threads_open_and_close_representors, "34"),
};

TEST_MAIN(cases)
