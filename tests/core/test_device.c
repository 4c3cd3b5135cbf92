/* Device lists, opening and closing, devices that cannot be opened, what is logged, and threads. */
#include "device_support.h"

#include <pthread.h>
#include <unistd.h>

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
    CHECK_EQ(n, test_num_devs()); /* test_topology.c has tests of the other devices */
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
    struct doca_devinfo **list, **small_list, **no_list = NULL, *openable, *refused;
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
    doca_core_log_set_sink(call_back, openable);

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
    CASE(threads_open_and_close_one_device, "34"),
};

TEST_MAIN(cases)
