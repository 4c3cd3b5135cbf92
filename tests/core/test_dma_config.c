/* The DMA engine: configuration and capabilities. */
#include "dma_support.h"

static void number_of_tasks_is_checked(void)
{
    struct rig r;
    uint32_t max;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_dma_cap_get_max_num_tasks(r.dma, &max));
    CHECK(max >= 4096);
    CHECK_RC(doca_dma_task_memcpy_set_conf(r.dma, rig_completed, rig_failed, 0),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_task_memcpy_set_conf(r.dma, rig_completed, rig_failed, max + 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_task_memcpy_set_conf(r.dma, NULL, rig_failed, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_task_memcpy_set_conf(r.dma, rig_completed, NULL, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_task_memcpy_set_conf(NULL, rig_completed, rig_failed, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dma_task_memcpy_set_conf(r.dma, rig_completed, rig_failed, max));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_close(&r);
}

static const struct profile {
    const char *name;
    uint64_t max_buf_size;
    uint32_t max_list_len;
} profiles[] = {
    { "default", 1u << 30, 65536 },
    { "unlimited", SIZE_MAX, UINT32_MAX },
    { "bluefield2", 128u << 20, 64 },
    { "bluefield3", 2u << 20, 64 },
};

#define BIG_BYTES ((128u << 20) + 64)
static unsigned char big_from[BIG_BYTES], big_to[BIG_BYTES]; /* most bytes are never accessed */

static void check_try_submit(struct rig *r, struct doca_buf *src, struct doca_buf *dst,
                             doca_error_t want, enum doca_core_item item)
{
    struct doca_dma_task_memcpy *task = rig_task(r->dma, src, dst);

    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), want);
    if (want != DOCA_SUCCESS)
        CHECK_EQ(doca_core_last_item(), item);
    rig_drain(r);
    rig_release(task);
}

static void check_profile(const struct profile *p)
{
    struct rig r;
    struct doca_mmap *from_map, *to_map;
    const struct doca_devinfo *info;
    struct doca_core_limits limits;
    uint64_t size;
    uint32_t len, max_tasks;
    bool is_limited = p->max_list_len == 64; /* a profile of a card; another case has the default */

    CHECK_OK(doca_core_sw_profile(p->name, &limits));
    CHECK_OK(doca_core_sw_set_profile(p->name));
    rig_build(&r, NULL, TASKS);
    info = doca_dev_as_devinfo(r.dev);
    CHECK_OK(doca_dma_cap_task_memcpy_is_supported(info));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(info, &size));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, &len));
    CHECK_OK(doca_dma_cap_get_max_num_tasks(r.dma, &max_tasks));
    CHECK_EQ(size, p->max_buf_size);
    CHECK_EQ(len, p->max_list_len);
    CHECK_EQ(max_tasks, 65536);
    CHECK_EQ(limits.dma_max_buf_size, size);
    CHECK_EQ(limits.dma_max_buf_list_len, len);
    CHECK_EQ(limits.dma_max_num_tasks, max_tasks);
    CHECK_EQ(limits.has_dma, 1);
    CHECK_RC(doca_dma_task_memcpy_set_conf(r.dma, rig_completed, rig_failed, max_tasks + 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_ctx_start(r.ctx));
    from_map = rig_map(r.dev, big_from, BIG_BYTES);
    to_map = rig_map(r.dev, big_to, BIG_BYTES);
    check_try_submit(&r, get_list(&r, from_map, big_from, 3, 64, true),
                     get_list(&r, to_map, big_to, 3, 64, false), DOCA_SUCCESS,
                     DOCA_CORE_ITEM_NONE);
    check_try_submit(&r, get_list(&r, from_map, big_from, 3, 65, true),
                     get_args(&r, to_map, big_to, 400, 0, 0),
                     is_limited ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS,
                     DOCA_CORE_ITEM_TASK_LIST_TOO_LONG);
    check_try_submit(&r, get_args(&r, from_map, big_from, 2u << 20, 0, 2u << 20),
                     get_args(&r, to_map, big_to, 2u << 20, 0, 0), DOCA_SUCCESS,
                     DOCA_CORE_ITEM_NONE);
    if (is_limited) {
        size_t too_large = (size_t)p->max_buf_size + 1;

        check_try_submit(&r, get_args(&r, from_map, big_from, too_large, 0, too_large),
                         get_args(&r, to_map, big_to, too_large, 0, 0), DOCA_ERROR_INVALID_VALUE,
                         DOCA_CORE_ITEM_TASK_TOO_LARGE);
    }
    CHECK_EQ(r.num_failed, 0);
    CHECK_OK(doca_mmap_destroy(from_map));
    CHECK_OK(doca_mmap_destroy(to_map));
    rig_close(&r);
}

static void restore_default_profile(void)
{
    const char *name = getenv("DOCA_CORE_SW_PROFILE");

    if (name == NULL || doca_core_sw_set_profile(name) != DOCA_SUCCESS)
        CHECK_OK(doca_core_sw_set_profile("default"));
}

static void limits_of_the_profiles_are_enforced(void)
{
    size_t i;

    for (i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++)
        check_profile(&profiles[i]);
    CHECK_RC(doca_core_sw_set_profile("abacus"), DOCA_ERROR_NOT_FOUND);
    restore_default_profile();
}

/* Programs allocate buffers of the sizes that the capabilities report. In the default profile these
 * are 1 GiB, and lists of 65,536 buffers. A task at the limit is accepted, a task above it is
 * not. */
static void default_profile_accepts_tasks_up_to_its_limits(void)
{
    const size_t most = (size_t)1 << 30, list = 65536, bytes = most + 4096;
    struct doca_buf *head[2] = { NULL, NULL }, *buf;
    struct doca_buf_inventory *inventory;
    const struct doca_devinfo *info;
    struct doca_core_limits limits;
    struct doca_mmap *map;
    unsigned char *at;
    uint64_t size;
    uint32_t len;
    struct rig r;
    size_t i;
    int way;

    CHECK_OK(doca_core_sw_profile("default", &limits));
    rig_open(&r, TASKS);
    info = doca_dev_as_devinfo(r.dev);
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(info, &size));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, &len));
    CHECK_EQ(size, limits.dma_max_buf_size); /* the default profile is set */
    CHECK_EQ(size, most);
    CHECK_EQ(len, list);
    at = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
              -1, 0);
    if (at == MAP_FAILED) {
        rig_close(&r);
        test_skip("this machine cannot map so much memory");
    }
    map = rig_map(r.dev, at, 2 * bytes);
    /* one byte more than the limit, then exactly the limit, which is only checked and not copied */
    for (way = 1; way >= 0; way--) {
        struct doca_dma_task_memcpy *task =
            rig_task(r.dma, get_args(&r, map, at, most + 1, 0, most + (size_t)way),
                     get_args(&r, map, at + bytes, most + 1, 0, 0));
        enum doca_core_item item = DOCA_CORE_ITEM_NONE;

        CHECK_RC(doca_core_dma_task_inspect(OBJECT(task), &item),
                 way == 1 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS);
        CHECK_EQ(item, way == 1 ? DOCA_CORE_ITEM_TASK_TOO_LARGE : DOCA_CORE_ITEM_NONE);
        rig_release(task);
    }
    CHECK_OK(doca_buf_inventory_create(list + 2, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    for (i = 0; i < list; i++) {
        CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, map, at + i, 1, &buf));
        if (head[0] == NULL)
            head[0] = buf;
        else
            CHECK_OK(doca_buf_chain_list(head[0], buf));
    }
    for (way = 0; way < 2; way++) {
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, map, at + bytes, list + 1,
                                                    &head[1]));
        if (way == 1) {
            CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, map, at, 1, &buf));
            CHECK_OK(doca_buf_chain_list(head[0], buf));
        }
        check_try_submit(&r, head[0], head[1], way == 1 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS,
                         DOCA_CORE_ITEM_TASK_LIST_TOO_LONG);
        if (way == 0) /* the first round has released the list: make it again */
            for (i = 0, head[0] = NULL; i < list; i++) {
                CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, map, at + i, 1, &buf));
                if (head[0] == NULL)
                    head[0] = buf;
                else
                    CHECK_OK(doca_buf_chain_list(head[0], buf));
            }
    }
    CHECK_EQ(r.num_failed, 0);
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_EQ(munmap(at, 2 * bytes), 0);
    rig_close(&r);
}

/* True when device `dev` can copy `len` bytes between mmaps of `map_dev`. */
static bool copies_on(struct doca_dev *dev, struct doca_dev *map_dev, size_t len)
{
    struct doca_mmap *from_map, *to_map;
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;
    struct rig r;
    bool fits;

    rig_build_on(&r, dev, 1);
    CHECK_OK(doca_ctx_start(r.ctx));
    from_map = rig_map(map_dev, rig_from, 4096);
    to_map = rig_map(map_dev, rig_to, 4096);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, from_map, rig_from, len, &src));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, to_map, rig_to, len, &dst));
    task = rig_task(r.dma, src, dst);
    fits = rig_submit(task) == DOCA_SUCCESS; /* the checked mode already refuses the task here */
    rig_drain(&r);
    fits = fits && r.num_ok == 1;
    CHECK(r.num_failed == 0 || r.status == DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_data_len(dst), fits ? len : 0);
    CHECK_EQ(rig_to[0] == rig_from[0], fits);
    rig_release(task);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_mmap_destroy(from_map));
    CHECK_OK(doca_mmap_destroy(to_map));
    CHECK_OK(doca_dma_destroy(r.dma));
    CHECK_OK(doca_pe_destroy(r.pe));
    CHECK_OK(doca_buf_inventory_destroy(r.inventory));
    CHECK_OK(doca_mmap_destroy(r.src_map));
    CHECK_OK(doca_mmap_destroy(r.dst_map));
    return fits;
}

enum { MANY = 10 };

/* Set a topology of MANY devices and open them. `max_bytes` is the limit of one task. */
static void open_many(struct doca_dev *devs[MANY], uint64_t max_bytes)
{
    struct doca_core_dev_attr attrs[MANY];
    char addr[] = "0000:00:00.0";
    unsigned i;

    memset(attrs, 0, sizeof(attrs));
    for (i = 0; i < MANY; i++) {
        CHECK_OK(doca_core_sw_profile("unlimited", &attrs[i].limits));
        attrs[i].limits.dma_max_buf_size = max_bytes;
        addr[6] = (char)('0' + i);
        memcpy(attrs[i].pci_addr, addr, sizeof(attrs[i].pci_addr));
    }
    CHECK_OK(doca_core_sw_set_devices(attrs, MANY));
    for (i = 0; i < MANY; i++) {
        addr[6] = (char)('0' + i);
        devs[i] = rig_open_dev(addr);
    }
}

static void close_many(struct doca_dev *devs[MANY])
{
    unsigned i;

    for (i = 0; i < MANY; i++)
        CHECK_OK(doca_dev_close(devs[i]));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static void each_of_many_devices_accepts_only_its_own_mmaps(void)
{
    struct doca_dev *devs[MANY];
    unsigned i, k;

    open_many(devs, 4096);
    for (i = 0; i < MANY; i++)
        for (k = 0; k < MANY; k++) {
            CHECK_EQ(copies_on(devs[i], devs[k], 48), i == k);
            CHECK_EQ(copies_on(devs[i], devs[k], 512), i == k);
        }
    close_many(devs);
}

static void small_limit_holds_for_small_copies(void)
{
    struct doca_dev *devs[MANY];
    size_t limit, len;

    for (limit = 1; limit < 72; limit += 7) {
        open_many(devs, limit);
        for (len = 1; len < 80; len++)
            CHECK_EQ(copies_on(devs[0], devs[0], len), len <= limit);
        close_many(devs);
    }
}

static void profile_without_dma_does_not_support_copies(void)
{
    struct doca_dev *dev;
    struct doca_core_limits limits;

    CHECK_OK(doca_core_sw_profile("connectx7", &limits));
    CHECK_EQ(limits.has_dma, 0);
    CHECK_OK(doca_core_sw_set_profile("connectx7"));
    dev = rig_open_dev(NULL);
    restore_default_profile();
    CHECK_RC(doca_dma_cap_task_memcpy_is_supported(doca_dev_as_devinfo(dev)),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_dev_close(dev));
}

static void capabilities_refuse_null(void)
{
    struct rig r;
    const struct doca_devinfo *info;
    uint64_t size;
    uint32_t num;

    rig_build(&r, NULL, TASKS);
    info = doca_dev_as_devinfo(r.dev);
    CHECK_RC(doca_dma_cap_task_memcpy_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_task_memcpy_get_max_buf_size(NULL, &size), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_task_memcpy_get_max_buf_size(info, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_task_memcpy_get_max_buf_list_len(NULL, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_get_max_num_tasks(NULL, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_get_max_num_tasks(r.dma, NULL), DOCA_ERROR_INVALID_VALUE);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(number_of_tasks_is_checked, "245"),
    CASE_OF_SW(default_profile_accepts_tasks_up_to_its_limits, "", "its own profile"),
    CASE_OF_SW(limits_of_the_profiles_are_enforced, "", "its profiles"),
    CASE_OF_SW(each_of_many_devices_accepts_only_its_own_mmaps, "",
               "a table of its devices"),
    CASE_OF_SW(small_limit_holds_for_small_copies, "", "a table of its devices"),
    CASE_OF_SW(profile_without_dma_does_not_support_copies, "", "its profiles"),
    CASE(capabilities_refuse_null, "1 19"),
};

TEST_MAIN(cases)
