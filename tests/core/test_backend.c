/* Test backends: registering and unregistering them, and the devices that they list. */
#include "backend_support.h"

/* ---- registering and unregistering ---- */

static void forget_key(struct doca_dev *dev, uint32_t mkey)
{
    (void)dev;
    (void)mkey;
}

/* A backend that wraps the software device calls the functions of its table, also before the
 * program has created a device list. */
static void software_table_works_before_the_first_list(void)
{
    struct doca_core_dev_attr attrs[2];

    memset(attrs, 0, sizeof(attrs));
    CHECK(doca_core_sw_backend()->enumerate(attrs, 2) >= 2);
    CHECK_EQ(attrs[0].limits.has_dma, 1);
    CHECK(attrs[0].limits.dma_max_buf_size > 0 && attrs[0].pci_addr[0] != '\0');
}

static doca_error_t start_no_array(struct doca_dev *dev, const struct doca_buf_arr *arr,
                                   void **handle)
{
    (void)dev;
    (void)arr;
    (void)handle;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t read_no_clock(struct doca_dev *dev, enum doca_core_nic_clock clock,
                                  const char *function, uint64_t *ns)
{
    (void)dev;
    (void)clock;
    (void)function;
    (void)ns;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static void incomplete_table_is_invalid(void)
{
    struct doca_core_backend tables[13];
    size_t i;

    num_devs = 1;
    for (i = 0; i < 13; i++)
        tables[i] = i < 6 ? lazy : sharing_table();
    tables[0].name = NULL;
    tables[1].enumerate = NULL;
    tables[2].queue_bytes = NULL;
    tables[3].queue_open = NULL;
    tables[4].queue_flush = NULL;
    tables[5].queue_ready = NULL;
    tables[6].mem_export = NULL;
    tables[7].mem_unexport = NULL;
    tables[8].mem_import = NULL;
    tables[9].mem_unimport = NULL;
    tables[10].dm_free = forget_key; /* one of three functions that must be set together */
    tables[11].arr_start = start_no_array; /* one of two functions that must be set together */
    tables[12].clock_read = read_no_clock; /* one of two functions that must be set together */
    for (i = 0; i < 13; i++) {
        CHECK_RC(doca_core_backend_register(&tables[i]), DOCA_ERROR_INVALID_VALUE);
        if (tables[i].name != NULL)
            CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_INCOMPLETE);
    }
    CHECK_RC(doca_core_backend_register(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(count_devices("lazy", NULL), 0);
    CHECK_RC(doca_core_backend_unregister("lazy"), DOCA_ERROR_NOT_FOUND);
}

static void backend_name_is_unique(void)
{
    struct doca_core_backend impostor = lazy;

    register_lazy(&lazy, 1);
    CHECK_RC(doca_core_backend_register(&lazy), DOCA_ERROR_ALREADY_EXIST);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_EXISTS);
    impostor.name = "sw";
    CHECK_RC(doca_core_backend_register(&impostor), DOCA_ERROR_ALREADY_EXIST);
    CHECK_EQ(count_devices("lazy", NULL), 1);
    unregister_lazy();
    register_lazy(&lazy, 1); /* free again */
    unregister_lazy();
}

static void number_of_backends_is_limited(void)
{
    static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h" };
    struct doca_core_backend table = lazy;
    uint32_t i, room = DOCA_CORE_MAX_BACKENDS - 1; /* one is the software device */

    if (room >= sizeof(names) / sizeof(names[0]))
        test_skip("DOCA_CORE_MAX_BACKENDS is larger than this case expects");
    num_devs = 1;
    for (i = 0; i < room; i++) {
        table.name = names[i];
        CHECK_OK(doca_core_backend_register(&table));
    }
    table.name = names[room];
    CHECK_RC(doca_core_backend_register(&table), DOCA_ERROR_FULL);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_TOO_MANY);
    CHECK_EQ(count_devices("lazy", NULL), room);
    for (i = 0; i < room; i++)
        CHECK_OK(doca_core_backend_unregister(names[i]));
    CHECK_EQ(count_devices("lazy", NULL), 0);
}

static void unregister_needs_a_known_name(void)
{
    CHECK_RC(doca_core_backend_unregister(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_backend_unregister("lazy"), DOCA_ERROR_NOT_FOUND);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_UNKNOWN);
    CHECK_RC(doca_core_backend_unregister(""), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_core_backend_unregister("sw"), DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(count_devices("mlx5_0", NULL), 2); /* one device on each side */
}

static void devices_are_listed_while_their_backend_is_registered(void)
{
    CHECK_EQ(count_devices("lazy", NULL), 0);
    register_lazy(&lazy, 3);
    CHECK_EQ(count_devices("lazy", NULL), 3);
    CHECK_EQ(count_devices("mlx5_0", NULL), 2); /* the software devices are listed as well */
    num_devs = 0;
    CHECK_EQ(count_devices("lazy", NULL), 0);
    num_devs = 100;
    CHECK_EQ(count_devices("lazy", NULL), 100);
    num_devs = 1;
    unregister_lazy();
    CHECK_EQ(count_devices("lazy", NULL), 0);
}

static uint32_t bare_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    if (max > 0) {
        memset(&attrs[0], 0, sizeof(attrs[0]));
        attrs[0].has_no_vhca_id = 1;
    }
    return 1;
}

/* The getters fail for properties that a backend does not know. */
static void getters_fail_for_unknown_properties(void)
{
    struct doca_core_backend bare = lazy;
    struct doca_devinfo **list;
    char addr[DOCA_DEVINFO_PCI_ADDR_SIZE] = "as before";
    uint8_t is_equal = 7;
    uint16_t vhca_id = 7;
    uint32_t n = 0;

    bare.name = "bare";
    bare.enumerate = bare_enumerate;
    CHECK_OK(doca_core_backend_register(&bare));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK(n > 0);
    CHECK_RC(doca_devinfo_get_pci_addr_str(list[n - 1], addr), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_STR(addr, "as before");
    CHECK_OK(doca_devinfo_is_equal_pci_addr(list[n - 1], "0000:00:00.0", &is_equal));
    CHECK_EQ(is_equal, 0);
    CHECK_RC(doca_devinfo_get_vhca_id(list[n - 1], &vhca_id), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_VHCA_ID);
    CHECK_EQ(vhca_id, 7);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_backend_unregister("bare"));
}

static void list_needs_no_software_devices(void)
{
    static const struct doca_core_dev_attr none;

    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    register_lazy(&lazy, 2);
    CHECK_EQ(count_devices("lazy", NULL), 2);
    unregister_lazy();
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static void backend_table_is_copied(void)
{
    struct doca_core_backend table = full_table();
    struct doca_dev *dev;

    register_lazy(&table, 1);
    memset(&table, 0, sizeof(table));
    dev = open_lazy();
    CHECK_OK(doca_dev_close(dev));
    CHECK_EQ(calls.dev_open, 1);
    CHECK_EQ(calls.dev_close, 1);
    CHECK_EQ(calls.wrong, 0);
    unregister_lazy();
}

static void backend_with_an_open_device_cannot_be_unregistered(void)
{
    struct doca_dev *dev;

    register_lazy(&lazy, 1);
    dev = open_lazy();
    CHECK_RC(doca_core_backend_unregister("lazy"), DOCA_ERROR_IN_USE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_BUSY);
    CHECK_PTR(open_lazy(), dev);
    CHECK_OK(doca_dev_close(dev));
    CHECK_RC(doca_core_backend_unregister("lazy"), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_dev_close(dev));
    unregister_lazy();
}

static void devinfo_of_an_unregistered_backend_cannot_be_opened(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    uint32_t n, i;

    register_lazy(&lazy, 1);
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    unregister_lazy();
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name))); /* a copy */
        if (strcmp(name, "lazy") == 0)
            CHECK_RC(doca_dev_open(list[i], &dev), DOCA_ERROR_NOT_CONNECTED);
    }
    CHECK_PTR(dev, NULL);
    CHECK_OK(doca_devinfo_destroy_list(list));
}

static bool refuses_open;

static doca_error_t open_or_refuse(struct doca_dev *dev)
{
    (void)dev;
    return refuses_open ? DOCA_ERROR_DRIVER : DOCA_SUCCESS;
}

/* The core may give the block of a closed device to a device that does not open. */
static void handle_of_a_closed_device_stays_invalid(void)
{
    struct doca_core_backend table = full_table();
    struct doca_devinfo **list, *info = NULL;
    struct doca_dev *dev = NULL, *other = NULL;
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    uint32_t n, i;

    table.dev_open = open_or_refuse;
    refuses_open = false;
    register_lazy(&table, 1);
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)));
        info = strcmp(name, "lazy") == 0 ? list[i] : info;
    }
    CHECK(info != NULL);
    CHECK_OK(doca_dev_open(info, &dev));
    CHECK_OK(doca_dev_close(dev));
    refuses_open = true;
    CHECK_RC(doca_dev_open(info, &other), DOCA_ERROR_NOT_CONNECTED);
    if (DOCA_CORE_CHECK >= 1)
        CHECK_RC(doca_dev_close(dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_devinfo_destroy_list(list));
    unregister_lazy();
}

/* After a backend was unregistered, another backend may take its place in the table. It must not
 * open a device that it has never listed. */
static void devinfo_is_not_opened_by_a_later_backend(void)
{
    struct doca_core_backend successor = full_table();
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    doca_error_t answer = DOCA_SUCCESS;
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    uint32_t n, i;

    register_lazy(&lazy, 1);
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    unregister_lazy();
    successor.name = "successor";
    CHECK_OK(doca_core_backend_register(&successor));
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)));
        if (strcmp(name, "lazy") == 0)
            answer = doca_dev_open(list[i], &dev);
    }
    if (dev != NULL)
        CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_backend_unregister("successor"));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_RC(answer, DOCA_ERROR_NOT_CONNECTED);
    CHECK_EQ(calls.dev_open, 0);
}

/* A devinfo of the unregistered backend does not match an open device of the later backend, even if
 * that device has the same address. */
static void devinfo_does_not_find_the_device_of_a_later_backend(void)
{
    struct doca_core_backend successor = full_table();
    struct doca_devinfo **list;
    struct doca_dev *open_dev = NULL, *dev = NULL;
    doca_error_t answer = DOCA_SUCCESS;
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    uint32_t n, i;

    register_lazy(&lazy, 1);
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    unregister_lazy();
    successor.name = "successor";
    CHECK_OK(doca_core_backend_register(&successor));
    CHECK_EQ(count_devices("lazy", &open_dev), 1);
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)));
        if (strcmp(name, "lazy") == 0)
            answer = doca_dev_open(list[i], &dev);
    }
    CHECK_RC(answer, DOCA_ERROR_NOT_CONNECTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_BACKEND_UNKNOWN);
    CHECK_PTR(dev, NULL);
    CHECK_OK(doca_dev_close(open_dev)); /* opened once, so this closes the device */
    CHECK_EQ(calls.dev_close, 1);
    CHECK_OK(doca_core_backend_unregister("successor"));
    CHECK_OK(doca_devinfo_destroy_list(list));
}

static uint32_t devs_at_second_look; /* devices that the second call for one list finds */

static uint32_t changing_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t seen = lazy_enumerate(attrs, max);

    num_devs = devs_at_second_look;
    return seen;
}

/* Devices are unplugged while the library creates a list: the list has the devices that remain. */
static void list_is_valid_when_devices_disappear(void)
{
    static const struct doca_core_dev_attr none;
    struct doca_core_backend table = lazy;
    struct doca_devinfo **list = NULL;
    doca_error_t some, all;
    uint32_t n = 0;

    table.enumerate = changing_enumerate;
    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    register_lazy(&table, 3);
    devs_at_second_look = 1;
    some = doca_devinfo_create_list(&list, &n);
    if (some == DOCA_SUCCESS)
        CHECK_OK(doca_devinfo_destroy_list(list));
    num_devs = 3;
    devs_at_second_look = 0;
    all = doca_devinfo_create_list(&list, &n);
    unregister_lazy();
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    CHECK_OK(some);
    CHECK_RC(all, DOCA_ERROR_NOT_FOUND);
    CHECK_EQ(n, 1); /* number of the first list */
}

/* A device is plugged in while the library creates a list. The list has room for the devices that
 * the library has counted before. */
static void list_is_valid_when_devices_appear(void)
{
    struct doca_core_backend table = lazy;
    struct doca_devinfo **list = NULL;
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    uint32_t n = 0, i, more;

    table.enumerate = changing_enumerate;
    register_lazy(&table, 0);
    for (more = 1; more < 20; more++) {
        num_devs = 3;
        devs_at_second_look = 3 + more;
        CHECK_OK(doca_devinfo_create_list(&list, &n));
        CHECK_EQ(n, DOCA_CORE_SW_DEFAULT_DEVS + 3);
        CHECK_OK(doca_core_arena_audit(doca_core_arena_bound()));
        for (i = 0; i < n; i++)
            CHECK_OK(doca_devinfo_get_pci_addr_str(list[i], pci_addr));
        CHECK_OK(doca_devinfo_destroy_list(list));
    }
    unregister_lazy();
}

static const struct test_case cases[] = {
    CASE(software_table_works_before_the_first_list, ""), /* must be the first case */
    CASE(incomplete_table_is_invalid, ""),
    CASE(backend_name_is_unique, ""),
    CASE(number_of_backends_is_limited, ""),
    CASE(unregister_needs_a_known_name, ""),
    CASE(devices_are_listed_while_their_backend_is_registered, ""),
    CASE(getters_fail_for_unknown_properties, ""),
    CASE(list_needs_no_software_devices, ""),
    CASE(backend_table_is_copied, ""),
    CASE(backend_with_an_open_device_cannot_be_unregistered, ""),
    CASE(devinfo_of_an_unregistered_backend_cannot_be_opened, ""),
    CASE(handle_of_a_closed_device_stays_invalid, ""),
    CASE(devinfo_is_not_opened_by_a_later_backend, ""),
    CASE(devinfo_does_not_find_the_device_of_a_later_backend, ""),
    CASE(list_is_valid_when_devices_disappear, ""),
    CASE(list_is_valid_when_devices_appear, ""),
};

TEST_MAIN(cases)
