/* Device lists, properties of a devinfo, opening and closing, and the software topology. */
#include "doca_test.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static struct doca_core_dev_attr attr_at(const char *pci_addr)
{
    struct doca_core_dev_attr attr;

    memset(&attr, 0, sizeof(attr));
    CHECK_OK(doca_core_sw_profile("unlimited", &attr.limits));
    memcpy(attr.pci_addr, pci_addr, sizeof(attr.pci_addr));
    return attr;
}

static struct doca_devinfo *find(struct doca_devinfo **list, uint32_t n, const char *pci_addr)
{
    uint32_t i;
    uint8_t is_equal = 0;

    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &is_equal));
        if (is_equal)
            return list[i];
    }
    test_fail(__FILE__, __LINE__, "no device at %s", pci_addr);
}

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

static void destroy_list_of_one(struct doca_devinfo **list)
{
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static struct doca_dev *open_at(const char *pci_addr)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t n;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_dev_open(find(list, n, pci_addr), &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    return dev;
}

/* ---- lists ---- */

static void list_begins_with_two_ports_of_one_card(void)
{
    static const char *const want[2][3] = { { "0000:03:00.0", "mlx5_0", "p0" },
                                            { "0000:03:00.1", "mlx5_1", "p1" } };
    struct doca_devinfo **list = NULL;
    uint32_t n = 0, i;
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char ibdev[DOCA_DEVINFO_IBDEV_NAME_SIZE], iface[DOCA_DEVINFO_IFACE_NAME_SIZE];

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_EQ(n, test_num_devs()); /* test_representor.c has tests of the other devices */
    for (i = 0; i < 2; i++) {
        CHECK(list[i] != NULL && list[i] != list[1 - i]);
        CHECK_OK(doca_devinfo_get_pci_addr_str(list[i], pci_addr));
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], ibdev, sizeof(ibdev)));
        CHECK_OK(doca_devinfo_get_iface_name(list[i], iface, sizeof(iface)));
        CHECK_STR(pci_addr, want[i][0]);
        CHECK_STR(ibdev, want[i][1]);
        CHECK_STR(iface, want[i][2]);
        CHECK_OK(doca_dma_cap_task_memcpy_is_supported(list[i]));
    }
    CHECK_OK(doca_devinfo_destroy_list(list));
}

static void list_refuses_null_outputs(void)
{
    struct doca_devinfo **list = (struct doca_devinfo **)&list;
    uint32_t n = 77;

    CHECK_RC(doca_devinfo_create_list(NULL, &n), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_create_list(&list, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(n, 77);
    CHECK_PTR(list, &list);
}

static void empty_topology_gives_not_found(void)
{
    static const struct doca_core_dev_attr none;
    struct doca_devinfo **list = NULL;
    uint32_t n = 77;

    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    CHECK_RC(doca_devinfo_create_list(&list, &n), DOCA_ERROR_NOT_FOUND);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NONE);
    CHECK_PTR(list, NULL);
    CHECK_EQ(n, 77);
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static void lists_are_independent_snapshots(void)
{
    struct doca_core_dev_attr attr = attr_at("0001:0a:00.0");
    struct doca_devinfo **before, **other, **after;
    uint32_t n_before, n_other, n_after;

    CHECK_OK(doca_devinfo_create_list(&before, &n_before));
    CHECK_OK(doca_devinfo_create_list(&other, &n_other));
    CHECK(before != other && before[0] != other[0]);
    CHECK_OK(doca_devinfo_destroy_list(other));
    CHECK_OK(doca_core_sw_set_devices(&attr, 1));
    CHECK_OK(doca_devinfo_create_list(&after, &n_after));
    CHECK_EQ(n_after, 1);
    CHECK(find(before, n_before, "0000:03:00.1") != NULL);
    CHECK(find(after, n_after, "0001:0a:00.0") != NULL);
    CHECK_OK(doca_devinfo_destroy_list(before));
    destroy_list_of_one(after);
}

static void destroyed_list_is_refused(void)
{
    struct doca_devinfo **list;
    uint32_t n;

    if (DOCA_CORE_CHECK < 1)
        test_skip("DOCA_CORE_CHECK 0 does not check handles");
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_RC(doca_devinfo_destroy_list(list), DOCA_ERROR_INVALID_VALUE);
}

/* A program may sort the pointers of a list, or remove some of them. */
static void list_can_be_destroyed_after_its_pointers_were_changed(void)
{
    unsigned way;

    for (way = 0; way < 3; way++) {
        struct doca_devinfo **list, *first;
        uint32_t n;

        CHECK_OK(doca_devinfo_create_list(&list, &n));
        CHECK(n >= 2);
        first = list[0];
        list[0] = way < 2 ? list[1] : NULL;
        list[1] = way < 1 ? first : NULL;
        CHECK_OK(doca_devinfo_destroy_list(list));
        if (DOCA_CORE_CHECK >= 1)
            CHECK_RC(doca_devinfo_destroy_list(list), DOCA_ERROR_INVALID_VALUE);
    }
}

static void check_refused_by_all_calls(struct doca_devinfo *bad)
{
    struct doca_dev *dev = NULL;
    char text[DOCA_DEVINFO_IFACE_NAME_SIZE];
    uint8_t byte;
    uint16_t lid;
    uint32_t num;
    uint64_t size;

    CHECK_RC(doca_dev_open(bad, &dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_get_pci_addr_str(bad, text), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_is_equal_pci_addr(bad, "03:00.0", &byte), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_get_ibdev_name(bad, text, sizeof(text)), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_get_iface_name(bad, text, sizeof(text)), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_get_ipv4_addr(bad, (uint8_t *)text, sizeof(text)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_get_ipv6_addr(bad, (uint8_t *)text, sizeof(text)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_get_mac_addr(bad, (uint8_t *)text, sizeof(text)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_get_lid(bad, &lid), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_cap_is_hotplug_manager_supported(bad, &byte), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_task_memcpy_is_supported(bad), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_task_memcpy_get_max_buf_list_len(bad, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_task_memcpy_get_max_buf_size(bad, &size), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item,
             bad == NULL ? DOCA_CORE_ITEM_NULL_ARGUMENT : DOCA_CORE_ITEM_DEAD_HANDLE);
    CHECK_PTR(dev, NULL);
}

static void devinfo_is_invalid_after_its_list_or_device(void)
{
    struct doca_devinfo **list, *infos[3];
    struct doca_dev *dev;
    uint32_t n, i;

    check_refused_by_all_calls(NULL);
    if (DOCA_CORE_CHECK < 1)
        test_skip("DOCA_CORE_CHECK 0 does not check handles");
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK(n >= 2);
    CHECK_OK(doca_dev_open(list[0], &dev));
    infos[0] = list[0];
    infos[1] = list[1];
    infos[2] = doca_dev_as_devinfo(dev);
    CHECK(infos[2] != NULL);
    list[0] = infos[1]; /* a sorted list is destroyed like any other */
    list[1] = infos[0];
    CHECK_OK(doca_devinfo_destroy_list(list));
    check_refused_by_all_calls(infos[0]);
    check_refused_by_all_calls(infos[1]);
    CHECK_OK(doca_dma_cap_task_memcpy_is_supported(infos[2]));
    CHECK_OK(doca_dev_close(dev));
    for (i = 0; i < 3; i++)
        check_refused_by_all_calls(infos[i]);
}

/* ---- open and close ---- */

static void device_stays_open_after_its_list_is_destroyed(void)
{
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE], name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    char want[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    struct doca_devinfo **list, *info;
    struct doca_dev *dev;
    struct doca_mmap *mmap;
    uint64_t size = 0;
    uint32_t list_len = 0, n;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    info = find(list, n, test_pci_addr(1));
    CHECK_OK(doca_devinfo_get_ibdev_name(info, want, sizeof(want)));
    CHECK_OK(doca_dev_open(info, &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    if (test_other() == NULL || test_other()->has_card)
        CHECK_STR(want, "mlx5_1");
    info = doca_dev_as_devinfo(dev);
    CHECK(info != NULL);
    CHECK_OK(doca_devinfo_get_pci_addr_str(info, pci_addr));
    CHECK_STR(pci_addr, test_pci_addr(1));
    CHECK_OK(doca_devinfo_get_ibdev_name(info, name, sizeof(name)));
    CHECK_STR(name, want);
    CHECK_OK(doca_dma_cap_task_memcpy_is_supported(info));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(info, &size));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, &list_len));
    CHECK(size > 0 && list_len > 0);

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
}

static void same_device_gives_the_same_pointer(void)
{
    struct doca_devinfo **list;
    struct doca_dev *first, *again, *elsewhere, *sibling;
    uint32_t n;

    first = open_at(test_pci_addr(0));
    elsewhere = open_at(test_pci_addr_short(0)); /* opened from another list */
    CHECK_PTR(elsewhere, first);
    CHECK_OK(doca_dev_open(doca_dev_as_devinfo(first), &again));
    CHECK_PTR(again, first);
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_dev_open(find(list, n, test_pci_addr(1)), &sibling));
    CHECK(sibling != first);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_dev_close(sibling));

    CHECK_OK(doca_dev_close(first)); /* two of three openings remain */
    CHECK(doca_dev_as_devinfo(first) != NULL);
    CHECK_OK(doca_dev_close(first));
    CHECK(doca_dev_as_devinfo(first) != NULL);
    CHECK_OK(doca_dev_close(first));
}

static void device_in_use_cannot_be_closed(void)
{
    struct doca_dev *dev = open_at(test_pci_addr(0));
    struct doca_mmap *mmap;
    struct doca_dma *dma;

    CHECK_PTR(open_at(test_pci_addr(0)), dev);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_dma_create(dev, &dma));

    CHECK_OK(doca_dev_close(dev)); /* one opening remains */
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEV_BUSY);
    CHECK_OK(doca_mmap_rm_dev(mmap, dev));
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK(doca_dev_as_devinfo(dev) != NULL);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
}

static void handles_of_other_objects_are_refused(void)
{
    struct doca_dev *dev = open_at(test_pci_addr(0)), *out = NULL;
    struct doca_mmap *mmap;

    if (DOCA_CORE_CHECK < 1) {
        CHECK_OK(doca_dev_close(dev));
        test_skip("DOCA_CORE_CHECK 0 does not check handles");
    }
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_dev_close(dev));
    CHECK_PTR(doca_dev_as_devinfo(NULL), NULL);
    CHECK_PTR(doca_dev_as_devinfo(dev), NULL);
    CHECK_PTR(doca_dev_as_devinfo((struct doca_dev *)mmap), NULL);
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dev_close((struct doca_dev *)mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dev_open((struct doca_devinfo *)mmap, &out), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_add_dev(mmap, dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(out, NULL);
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* ---- devices that cannot be opened: a test backend ---- */

static uint32_t stub_num_devs;
static doca_error_t stub_answer;

static uint32_t stub_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t i;

    for (i = 0; i < stub_num_devs && i < max; i++) {
        memset(&attrs[i], 0, sizeof(attrs[i]));
        snprintf(attrs[i].pci_addr, sizeof(attrs[i].pci_addr), "00aa:%02x:00.0", i & 0xff);
    }
    return stub_num_devs;
}

static bool stub_reports; /* dev_open reports the reason */

static doca_error_t stub_dev_open(struct doca_dev *dev)
{
    if (stub_reports)
        return doca_core_backend_fail(stub_answer, DOCA_CORE_ITEM_DEV_NO_MEMORY, "doca_dev_open",
                                      dev, 9);
    return stub_answer;
}

static size_t stub_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine, uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return sizeof(struct doca_core_queue);
}

static doca_error_t stub_queue_open(struct doca_core_queue *queue, enum doca_core_engine engine,
                                    uint32_t depth)
{
    (void)queue;
    (void)engine;
    (void)depth;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static void stub_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    (void)queue;
    (void)status;
}

static bool stub_queue_ready(struct doca_core_queue *queue)
{
    (void)queue;
    return false;
}

static const struct doca_core_backend stub = {
    .name = "stub",
    .enumerate = stub_enumerate,
    .dev_open = stub_dev_open,
    .queue_bytes = stub_queue_bytes,
    .queue_open = stub_queue_open,
    .queue_flush = stub_queue_flush,
    .queue_ready = stub_queue_ready,
};

static void refused_device_is_not_connected(void)
{
    struct doca_devinfo **list;
    struct doca_devinfo *info;
    struct doca_dev *refused = NULL, *dev = NULL;
    enum doca_core_item item, reported;
    size_t before, after;
    uint32_t n, round;
    unsigned lines;
    doca_error_t answers[2 * DOCA_CORE_MAX_DEVS], reported_answer;

    stub_num_devs = 1;
    stub_answer = DOCA_ERROR_DRIVER;
    CHECK_OK(doca_core_backend_register(&stub));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    info = find(list, n, "00aa:00:00.0");
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &before, NULL, NULL));
    /* a failed opening must not use up an entry of the device table */
    for (round = 0; round < 2 * DOCA_CORE_MAX_DEVS; round++)
        answers[round] = doca_dev_open(info, &refused);
    item = doca_core_last_item();
    stub_reports = true;
    lines = test_log_lines;
    reported_answer = doca_dev_open(info, &refused);
    reported = doca_core_last_item();
    lines = test_log_lines - lines;
    stub_reports = false;
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &after, NULL, NULL));
    stub_answer = DOCA_SUCCESS;
    CHECK_OK(doca_dev_open(info, &dev));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_backend_unregister("stub"));

    for (round = 0; round < 2 * DOCA_CORE_MAX_DEVS; round++)
        CHECK_RC(answers[round], DOCA_ERROR_NOT_CONNECTED);
    CHECK_EQ(item, DOCA_CORE_ITEM_BACKEND_REFUSED);
    CHECK_RC(reported_answer, DOCA_ERROR_NOT_CONNECTED);
    CHECK_EQ(reported, DOCA_CORE_ITEM_DEV_NO_MEMORY); /* the reason of the backend stays */
    CHECK_EQ(lines, 1);
    CHECK_PTR(refused, NULL);
    CHECK_EQ(after, before);
}

static void too_many_devices_give_initialization(void)
{
    static struct doca_dev *devs[DOCA_CORE_MAX_DEVS];
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    uint32_t n, i;

    stub_num_devs = DOCA_CORE_MAX_DEVS + 1;
    stub_answer = DOCA_SUCCESS;
    CHECK_OK(doca_core_backend_register(&stub));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_EQ(n, test_num_devs() + DOCA_CORE_MAX_DEVS + 1);
    for (i = 0; i < DOCA_CORE_MAX_DEVS; i++) {
        snprintf(pci_addr, sizeof(pci_addr), "00aa:%02x:00.0", i & 0xff);
        CHECK_OK(doca_dev_open(find(list, n, pci_addr), &devs[i]));
    }
    CHECK_RC(doca_dev_open(find(list, n, test_pci_addr_short(0)), &dev), DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEV_TOO_MANY);
    CHECK_PTR(dev, NULL);
    CHECK_OK(doca_dev_open(find(list, n, "00aa:00:00.0"), &dev)); /* already open */
    CHECK_PTR(dev, devs[0]);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(devs[1]));
    CHECK_OK(doca_dev_open(find(list, n, test_pci_addr_short(0)), &devs[1]));
    for (i = 0; i < DOCA_CORE_MAX_DEVS; i++)
        CHECK_OK(doca_dev_close(devs[i]));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_backend_unregister("stub"));
}

/* Open as many devices as possible: some of them share a place in the table by which an open device
 * is found. Close and reopen them in an order in which none is the last one for long. */
static void each_of_many_open_devices_is_found_again(void)
{
    static struct doca_dev *devs[DOCA_CORE_MAX_DEVS];
    struct doca_devinfo **list;
    struct doca_dev *dev;
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    uint32_t n, i, k;

    stub_num_devs = DOCA_CORE_MAX_DEVS;
    stub_answer = DOCA_SUCCESS;
    CHECK_OK(doca_core_backend_register(&stub));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    for (k = 0; k < 3; k++) {
        for (i = k; i < DOCA_CORE_MAX_DEVS; i += k + 1) { /* all, every second one, every third */
            snprintf(pci_addr, sizeof(pci_addr), "00aa:%02x:00.0", i & 0xff);
            if (k > 0)
                CHECK_OK(doca_dev_close(devs[i]));
            CHECK_OK(doca_dev_open(find(list, n, pci_addr), &devs[i]));
        }
        for (i = 0; i < DOCA_CORE_MAX_DEVS; i++) {
            snprintf(pci_addr, sizeof(pci_addr), "00aa:%02x:00.0", i & 0xff);
            CHECK_OK(doca_dev_open(find(list, n, pci_addr), &dev));
            CHECK_PTR(dev, devs[i]);
            CHECK_OK(doca_dev_close(dev));
        }
    }
    for (i = 0; i < DOCA_CORE_MAX_DEVS; i++)
        CHECK_OK(doca_dev_close(devs[i]));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_backend_unregister("stub"));
}

/* ---- the log ---- */

static struct doca_devinfo *openable; /* the device that the sink opens */
static unsigned num_calls_back;

/* A log sink that calls the library. Programs must not do this. It shows whether the library holds
 * a lock when it calls the sink: these calls would then never return. */
static void call_back(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    static bool is_calling_back;
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t n;

    (void)level;
    (void)item;
    (void)line;
    (void)user;
    if (is_calling_back)
        return;
    is_calling_back = true;
    if (doca_devinfo_create_list(&list, &n) == DOCA_SUCCESS)
        (void)doca_devinfo_destroy_list(list);
    if (openable != NULL && doca_dev_open(openable, &dev) == DOCA_SUCCESS)
        (void)doca_dev_close(dev);
    is_calling_back = false;
    num_calls_back++;
}

#define CHECK_CALLS_BACK(call, want)                                                               \
    do {                                                                                           \
        unsigned before_ = num_calls_back;                                                         \
        alarm(10); /* ends the program if the call does not end */                                 \
        CHECK_RC(call, want);                                                                      \
        alarm(0);                                                                                  \
        CHECK(num_calls_back > before_);                                                           \
    } while (0)

static void nothing_is_logged_under_a_lock(void)
{
    static DOCA_CORE_ALIGNED unsigned char
        memory[DOCA_CORE_BYTES_DEVINFO_LIST(DOCA_CORE_SW_DEFAULT_DEVS)];
    static const struct doca_core_dev_attr none;
    struct doca_core_arena arena;
    struct doca_devinfo **list, **small_list, **no_list = NULL, *refused;
    struct doca_dev *dev, *no_dev = NULL;
    struct doca_mmap *mmap;
    void *block;
    uint32_t n, small_n;

    stub_num_devs = 1;
    stub_answer = DOCA_ERROR_DRIVER;
    CHECK_OK(doca_core_backend_register(&stub));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    openable = find(list, n, test_pci_addr_short(0));
    refused = find(list, n, "00aa:00:00.0");
    CHECK_OK(doca_dev_open(openable, &dev));
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    doca_core_log_set_sink(call_back, NULL);

    CHECK_CALLS_BACK(doca_dev_open(refused, &no_dev), DOCA_ERROR_NOT_CONNECTED);
    CHECK_CALLS_BACK(doca_core_backend_register(&stub), DOCA_ERROR_ALREADY_EXIST);
    CHECK_OK(doca_core_backend_unregister("stub"));
    CHECK_CALLS_BACK(doca_core_backend_unregister("stub"), DOCA_ERROR_NOT_FOUND);
    CHECK_CALLS_BACK(doca_dev_open(refused, &no_dev), DOCA_ERROR_NOT_CONNECTED);
    CHECK_CALLS_BACK(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_CALLS_BACK(doca_core_sw_set_devices(&none, DOCA_CORE_SW_MAX_DEVS + 1),
                     DOCA_ERROR_TOO_BIG);
    if (test_other() == NULL) { /* with another backend the list would not be empty */
        CHECK_OK(doca_core_sw_set_devices(&none, 0));
        CHECK_CALLS_BACK(doca_devinfo_create_list(&no_list, &n), DOCA_ERROR_NOT_FOUND);
        CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    }

    /* the arena is full, and the sink also tries to create objects in it */
    CHECK(test_num_devs() <= DOCA_CORE_SW_DEFAULT_DEVS);
    CHECK_OK(doca_core_arena_init(&arena, memory, DOCA_CORE_BYTES_DEVINFO_LIST(test_num_devs())));
    CHECK_OK(doca_core_devinfo_create_list_in(&arena, &small_list, &small_n));
    CHECK_OK(doca_core_arena_bind(&arena));
    CHECK_CALLS_BACK(doca_devinfo_create_list(&no_list, &n), DOCA_ERROR_NO_MEMORY);
    CHECK_CALLS_BACK(doca_dev_open(small_list[1], &no_dev), DOCA_ERROR_NO_MEMORY);
    CHECK_CALLS_BACK(doca_core_arena_take(&arena, 1, &block), DOCA_ERROR_NO_MEMORY);
    CHECK_CALLS_BACK(doca_core_arena_give(&arena, &block), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_arena_bind(NULL));
    CHECK_OK(doca_devinfo_destroy_list(small_list));

    doca_core_log_set_sink(test_sink, NULL);
    CHECK_PTR(no_list, NULL);
    CHECK_PTR(no_dev, NULL);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    openable = NULL;
}

/* ---- PCI addresses ---- */

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

/* ---- properties ---- */

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

/* ---- the software topology ---- */

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

/* ---- threads ---- */

struct worker {
    pthread_t thread;
    struct doca_dev *shared; /* held open by the main thread, or NULL */
    unsigned rounds, failures;
};

static void *open_and_close(void *argument)
{
    struct worker *self = argument;
    unsigned round;

    heap_trap_set(HEAP_TRAP_ABORT);
    for (round = 0; round < self->rounds; round++) {
        struct doca_devinfo **list;
        struct doca_dev *dev = NULL, *again = NULL;
        uint8_t is_equal = 0;
        uint32_t n = 0;

        if (doca_devinfo_create_list(&list, &n) != DOCA_SUCCESS ||
            n != test_num_devs()) {
            self->failures++;
            continue;
        }
        self->failures += doca_dev_open(list[0], &dev) != DOCA_SUCCESS;
        self->failures += doca_dev_open(list[0], &again) != DOCA_SUCCESS;
        self->failures += doca_devinfo_destroy_list(list) != DOCA_SUCCESS;
        self->failures += dev != again;
        self->failures += self->shared != NULL && dev != self->shared;
        self->failures += doca_devinfo_is_equal_pci_addr(doca_dev_as_devinfo(dev), test_pci_addr(0),
                                                         &is_equal) != DOCA_SUCCESS;
        self->failures += is_equal != 1;
        self->failures += doca_dev_close(dev) != DOCA_SUCCESS;
        self->failures += doca_dev_close(again) != DOCA_SUCCESS;
    }
    heap_trap_set(HEAP_TRAP_OFF);
    return NULL;
}

static void run_workers(struct doca_dev *shared)
{
    static struct worker workers[2];
    unsigned i;

    heap_trap_set(HEAP_TRAP_OFF); /* pthread_create() uses the heap */
    for (i = 0; i < 2; i++) {
        workers[i].shared = shared;
        workers[i].rounds = test_times(3000);
        workers[i].failures = 0;
        CHECK_EQ(pthread_create(&workers[i].thread, NULL, open_and_close, &workers[i]), 0);
    }
    for (i = 0; i < 1000 && test_other() == NULL; i++) /* replace the topology at the same time */
        CHECK_OK(doca_core_sw_set_profile(i % 2 == 0 ? "bluefield2" : "unlimited"));
    for (i = 0; i < 2; i++)
        pthread_join(workers[i].thread, NULL);
    heap_trap_set(HEAP_TRAP_ABORT);
    CHECK_EQ(workers[0].failures, 0);
    CHECK_EQ(workers[1].failures, 0);
}

static void threads_open_and_close_one_device(void)
{
    struct doca_dev *dev;

#ifdef DOCA_CORE_SINGLE_THREAD
    test_skip("this build supports only one thread");
#endif
    run_workers(NULL);
    dev = open_at(test_pci_addr(0));
    run_workers(dev);
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE_OF_SW(default_profile_comes_from_the_environment, "", "its profiles"),
    CASE_OF_CARD(list_begins_with_two_ports_of_one_card, "18", "their addresses and names"),
    CASE(list_refuses_null_outputs, "19"),
    CASE_OF_SW(empty_topology_gives_not_found, "20", "a table of its devices"),
    CASE_OF_SW(lists_are_independent_snapshots, "18 21", "a table of its devices"),
    CASE(destroyed_list_is_refused, "22"),
    CASE(list_can_be_destroyed_after_its_pointers_were_changed, "22"),
    CASE(devinfo_is_invalid_after_its_list_or_device, ""),
    CASE(device_stays_open_after_its_list_is_destroyed, "21 25"),
    CASE(same_device_gives_the_same_pointer, "23"),
    CASE(device_in_use_cannot_be_closed, "24"),
    CASE(handles_of_other_objects_are_refused, "26"),
    CASE(refused_device_is_not_connected, "27"),
    CASE(too_many_devices_give_initialization, "27"),
    CASE(each_of_many_open_devices_is_found_again, ""),
    CASE(nothing_is_logged_under_a_lock, ""),
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
    CASE(threads_open_and_close_one_device, "34"),
};

TEST_MAIN(cases)
