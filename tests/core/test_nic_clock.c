/* Clocks of the NIC: those of the software device, those of a backend that a case scripts, and
 * devices that other objects keep open. */
#include "doca_test.h"

#include <time.h>

#define SECOND UINT64_C(1000000000)
#define FREE DOCA_CORE_NIC_CLOCK_FREE_RUNNING
#define REAL DOCA_CORE_NIC_CLOCK_REAL_TIME
#define DPA DOCA_CORE_NIC_CLOCK_DPA_TIMER
#define READ(dev, clock, ns) doca_core_nic_clock_read(dev, clock, "caller", ns)
#define CAP(devinfo, clock) doca_core_nic_clock_cap(devinfo, clock, "caller")

/* A call must fail with this code and write exactly one log line, of this item. */
#define FAILS(call, code, item)                                                                    \
    do {                                                                                           \
        unsigned lines_before = test_log_lines;                                                    \
        CHECK_RC(call, DOCA_ERROR_##code);                                                         \
        CHECK_EQ(test_log_lines, lines_before + 1);                                                \
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_##item);                                            \
        CHECK(strstr(test_log_text, "doca_core: caller: ") == test_log_text);                      \
    } while (0)

/* ---- a backend whose only device has a free running clock ---- */

static struct {
    doca_error_t answer; /* result of clock_read */
    bool reports;        /* clock_read reports its failure */
    uint64_t ns;         /* time of the clock */
} script;

static uint32_t script_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    if (max > 0) {
        memset(attrs, 0, sizeof(*attrs));
        strcpy(attrs->pci_addr, "0000:8b:00.0");
        strcpy(attrs->ibdev_name, "scripted_0");
    }
    return 1;
}

static doca_error_t script_cap(const struct doca_core_dev_attr *attr,
                               enum doca_core_nic_clock clock)
{
    CHECK_STR(attr->ibdev_name, "scripted_0");
    return clock == FREE ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t script_read(struct doca_dev *dev, enum doca_core_nic_clock clock,
                                const char *function, uint64_t *ns)
{
    *ns = script.ns; /* set even on failure: the library must ignore it then */
    if (clock != FREE)
        return DOCA_ERROR_NOT_SUPPORTED;
    return script.reports ? doca_core_backend_fail(script.answer, DOCA_CORE_ITEM_MLX5_OTHER,
                                                   function, dev, 0)
                          : script.answer;
}

/* Register the backend, and create a list with its device as the only one. */
static struct doca_devinfo **script_begin(bool has_clocks)
{
    static const struct doca_core_dev_attr none;
    struct doca_core_backend table = *doca_core_sw_backend();
    struct doca_devinfo **list;
    uint32_t num;

    memset(&script, 0, sizeof(script));
    table.name = "scripted";
    table.enumerate = script_enumerate;
    table.enumerate_reps = NULL;
    table.clock_cap = has_clocks ? script_cap : NULL;
    table.clock_read = has_clocks ? script_read : NULL;
    CHECK_OK(doca_core_backend_register(&table));
    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_EQ(num, 1);
    return list;
}

static void script_end(struct doca_devinfo **list)
{
    CHECK_OK(doca_core_backend_unregister("scripted"));
    /* the list outlives the backend */
    FAILS(CAP(list[0], FREE), NOT_SUPPORTED, BACKEND_UNKNOWN);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_sw_set_topology(NULL));
}

static uint64_t kernel_time(clockid_t id)
{
    struct timespec now;

    CHECK_EQ(clock_gettime(id, &now), 0);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* ---- the cases ---- */

static void software_clocks_are_those_of_the_kernel(void)
{
    static const clockid_t ids[] = { CLOCK_MONOTONIC_RAW, CLOCK_TAI };
    struct doca_dev *dev = test_open_first_dev();
    uint64_t before, now = 0;
    unsigned i, k;

    for (i = 0; i < 2; i++) {
        CHECK_OK(CAP(doca_dev_as_devinfo(dev), (enum doca_core_nic_clock)i));
        for (k = 0; k < 100; k++) {
            before = kernel_time(ids[i]);
            CHECK_OK(READ(dev, (enum doca_core_nic_clock)i, &now));
            CHECK(before <= now);
            CHECK(now <= kernel_time(ids[i]));
        }
    }
    FAILS(CAP(doca_dev_as_devinfo(dev), DPA), NOT_SUPPORTED, CLOCK_DPA);
    before = now;
    FAILS(READ(dev, DPA, &now), NOT_SUPPORTED, CLOCK_DPA);
    CHECK_EQ(now, before);
    CHECK_OK(doca_dev_close(dev));
}

static void arguments_are_checked(void)
{
    struct doca_devinfo **list = script_begin(true);
    struct doca_dev *dev;
    uint64_t ns = 17;

    CHECK_OK(doca_dev_open(list[0], &dev));
    FAILS(CAP(NULL, FREE), INVALID_VALUE, NULL_ARGUMENT);
    if (DOCA_CORE_CHECK >= 1) {
        FAILS(CAP((struct doca_devinfo *)(void *)dev, FREE), INVALID_VALUE, DEAD_HANDLE);
        FAILS(READ((struct doca_dev *)(void *)list[0], FREE, &ns), INVALID_VALUE, DEAD_HANDLE);
    }
    FAILS(CAP(list[0], (enum doca_core_nic_clock)3), INVALID_VALUE, CLOCK_UNKNOWN);
    FAILS(READ(NULL, FREE, &ns), INVALID_VALUE, NULL_ARGUMENT);
    FAILS(READ(dev, FREE, NULL), INVALID_VALUE, NULL_ARGUMENT);
    FAILS(READ(dev, (enum doca_core_nic_clock)3, &ns), INVALID_VALUE, CLOCK_UNKNOWN);
    CHECK_EQ(ns, 17);
    CHECK_OK(doca_dev_close(dev));
    script_end(list);
}

static void backend_reads_its_clocks(void)
{
    struct doca_devinfo **list = script_begin(true);
    struct doca_dev *dev;
    uint64_t ns = 17;

    CHECK_OK(CAP(list[0], FREE));
    FAILS(CAP(list[0], REAL), NOT_SUPPORTED, DEV_NO_CLOCK);
    CHECK_OK(doca_dev_open(list[0], &dev));
    script.ns = UINT64_MAX;
    CHECK_OK(READ(dev, FREE, &ns));
    CHECK_EQ(ns, UINT64_MAX);
    ns = 17;
    FAILS(READ(dev, REAL, &ns), NOT_SUPPORTED, DEV_NO_CLOCK);
    script.answer = DOCA_ERROR_DRIVER;
    FAILS(READ(dev, FREE, &ns), DRIVER, BACKEND_REFUSED);
    script.reports = true;
    FAILS(READ(dev, FREE, &ns), DRIVER, MLX5_OTHER);
    script.answer = DOCA_ERROR_NOT_SUPPORTED;
    FAILS(READ(dev, FREE, &ns), NOT_SUPPORTED, MLX5_OTHER);
    CHECK_EQ(ns, 17);
    CHECK_OK(doca_dev_close(dev));
    script_end(list);
}

static void backend_without_the_members_has_no_clocks(void)
{
    struct doca_devinfo **list = script_begin(false);
    struct doca_dev *dev;
    uint64_t ns = 17;
    unsigned i;

    CHECK_OK(doca_dev_open(list[0], &dev));
    for (i = 0; i < 2; i++) {
        FAILS(CAP(list[0], (enum doca_core_nic_clock)i), NOT_SUPPORTED, DEV_NO_CLOCK);
        FAILS(READ(dev, (enum doca_core_nic_clock)i, &ns), NOT_SUPPORTED, DEV_NO_CLOCK);
    }
    FAILS(READ(dev, DPA, &ns), NOT_SUPPORTED, CLOCK_DPA);
    CHECK_EQ(ns, 17);
    CHECK_OK(doca_dev_close(dev));
    script_end(list);
}

static void held_device_stays_open(void)
{
    struct doca_dev *dev = test_open_first_dev();
    static unsigned char bytes[1024] __attribute__((aligned(DOCA_CORE_LINE)));

    CHECK(doca_core_backend_hold_dev(dev, "caller"));
    CHECK(doca_core_backend_hold_dev(dev, "caller"));
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    doca_core_backend_drop_dev(dev);
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEV_BUSY);
    doca_core_backend_drop_dev(dev);
    CHECK_OK(doca_dev_close(dev));
    CHECK(!doca_core_backend_hold_dev(NULL, "caller"));
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_NULL_ARGUMENT);
    if (DOCA_CORE_CHECK >= 1) {
        CHECK(!doca_core_backend_hold_dev((struct doca_dev *)(void *)bytes, "caller"));
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEAD_HANDLE);
    }
}

static const struct test_case cases[] = {
    CASE(software_clocks_are_those_of_the_kernel, ""),
    CASE(arguments_are_checked, ""),
    CASE(backend_reads_its_clocks, ""),
    CASE(backend_without_the_members_has_no_clocks, ""),
    CASE(held_device_stays_open, "24"),
};

TEST_MAIN(cases)
