/* Reads the memory of another machine through a representor. Tests the description of that memory
 * in the topology, and the tasks that read it. On the software device the memory is a file. */
#include "fixture.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define PAGE 4096u
#define HIGH ((uint64_t)1 << 32)

static char ram_path[64];
static int ram_fd;

/* Create a file of `bytes` bytes that is one hole. */
static void ram_make(uint64_t bytes)
{
    strcpy(ram_path, "/tmp/doca_core_ram.XXXXXX");
    ram_fd = mkstemp(ram_path);
    CHECK(ram_fd >= 0);
    CHECK(ftruncate(ram_fd, (off_t)bytes) == 0);
}

static void ram_write(uint64_t at, const void *bytes, size_t len)
{
    CHECK(pwrite(ram_fd, bytes, len, (off_t)at) == (ssize_t)len);
}

static void ram_remove(void)
{
    CHECK(close(ram_fd) == 0);
    CHECK(unlink(ram_path) == 0);
}

/* Set a topology in which the first device has a representor, described by `words`. */
static void topology_with(const char *words)
{
    char text[512];

    (void)snprintf(text, sizeof(text), "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 %s", words);
    CHECK_OK(doca_core_sw_set_topology(text));
}

static void topology_with_ram(const char *words)
{
    char text[256];

    (void)snprintf(text, sizeof(text), "ram=%s %s", ram_path, words);
    topology_with(text);
}

static struct doca_dev_rep *rep_open(struct doca_dev *dev)
{
    struct doca_devinfo_rep **reps;
    struct doca_dev_rep *rep;
    uint32_t num;

    CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num));
    CHECK_EQ(num, 1);
    CHECK_OK(doca_dev_rep_open(reps[0], &rep));
    CHECK_OK(doca_devinfo_rep_destroy_list(reps));
    return rep;
}

struct target { /* a rig, and the memory of another machine */
    struct rig rig;
    struct doca_dev_rep *rep;
    struct doca_mmap *mmap;
    unsigned char *base;
};

static void target_open(struct target *t)
{
    void *base;
    size_t len;

    rig_open(&t->rig, 8);
    t->rig.frees_tasks = true;
    t->rep = rep_open(t->rig.dev);
    CHECK_OK(doca_core_mmap_create_from_rep(t->rig.dev, t->rep, &t->mmap));
    CHECK_OK(doca_mmap_get_memrange(t->mmap, &base, &len));
    t->base = base;
}

static void target_close(struct target *t)
{
    CHECK_OK(doca_mmap_destroy(t->mmap));
    CHECK_OK(doca_dev_rep_close(t->rep));
    rig_close(&t->rig);
    CHECK_OK(doca_core_sw_set_topology(NULL));
}

/* Read [addr, addr + len) into rig_to with a task. Return the status of the task. */
static doca_error_t target_read(struct target *t, uint64_t addr, size_t len)
{
    struct doca_dma_task_memcpy *task;
    union doca_data data = { 0 };
    struct doca_buf *src, *dst;
    unsigned before = t->rig.num_ok + t->rig.num_failed;

    CHECK_OK(doca_buf_inventory_buf_get_by_data(t->rig.inventory, t->mmap, t->base + addr, len,
                                                &src));
    dst = rig_dst(&t->rig, 0, len);
    CHECK_OK(doca_dma_task_memcpy_alloc_init(t->rig.dma, src, dst, data, &task));
    CHECK_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (t->rig.num_ok + t->rig.num_failed == before)
        (void)rig_progress(&t->rig);
    return t->rig.status;
}

static void memory_is_read_by_physical_address(void)
{
    struct doca_core_region region;
    struct target t;
    uint32_t num = 7;

    ram_make(16 * PAGE);
    ram_write(5 * PAGE + 100, "hello", 5);
    ram_write(0, "first", 5);
    ram_write(16 * PAGE - 4, "last", 4);
    topology_with_ram("");
    target_open(&t);
    CHECK_OK(doca_core_mmap_get_region(t.mmap, 0, &region));
    CHECK_EQ(region.addr, 0);
    CHECK_EQ(region.len, 16 * PAGE);
    CHECK_RC(doca_core_mmap_get_region(t.mmap, 1, &region), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_core_mmap_get_num_regions(t.mmap, &num));
    CHECK_EQ(num, 1);
    CHECK_RC(doca_core_mmap_get_num_regions(t.mmap, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_get_num_regions(NULL, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_mmap_get_num_regions(t.rig.dst_map, &num));
    CHECK_EQ(num, 0);
    CHECK_RC(doca_core_mmap_get_region(t.mmap, 0, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_get_region(NULL, 0, &region), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_get_region(t.rig.dst_map, 0, &region), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_mmap_get_mkey(t.mmap, t.rig.dev, &num), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BUF_NO_KEY); /* a file has no memory key */
    CHECK_EQ(num, 0);
    CHECK_OK(target_read(&t, 5 * PAGE + 100, 5));
    CHECK_MEM(rig_to, "hello", 5);
    CHECK_OK(target_read(&t, 0, 5));
    CHECK_MEM(rig_to, "first", 5);
    CHECK_OK(target_read(&t, 16 * PAGE - 4, 4));
    CHECK_MEM(rig_to, "last", 4);
    ram_write(0, "again", 5); /* the other machine changes its memory */
    CHECK_OK(target_read(&t, 0, 5));
    CHECK_MEM(rig_to, "again", 5);
    target_close(&t);
    ram_remove();
}

static void file_beyond_ram_split_begins_at_4_gib(void)
{
    struct doca_core_region region;
    struct target t;
    uint32_t num = 7;

    ram_make(16 * PAGE);
    ram_write(4 * PAGE - 2, "lowhigh", 7); /* the split at 4 pages is inside these bytes */
    topology_with_ram("ram_split=16384");
    target_open(&t);
    CHECK_OK(doca_core_mmap_get_region(t.mmap, 0, &region));
    CHECK(region.addr == 0 && region.len == 4 * PAGE);
    CHECK_OK(doca_core_mmap_get_region(t.mmap, 1, &region));
    CHECK(region.addr == HIGH && region.len == 12 * PAGE);
    CHECK_OK(doca_core_mmap_get_num_regions(t.mmap, &num));
    CHECK_EQ(num, 2);
    CHECK_OK(target_read(&t, 4 * PAGE - 2, 2));
    CHECK_MEM(rig_to, "lo", 2);
    CHECK_OK(target_read(&t, HIGH, 5));
    CHECK_MEM(rig_to, "whigh", 5);
    CHECK_RC(target_read(&t, 4 * PAGE - 2, 3), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_REP_OUTSIDE);
    target_close(&t);
    topology_with_ram("ram_split=131072"); /* beyond the end of the file: one region */
    target_open(&t);
    CHECK_RC(doca_core_mmap_get_region(t.mmap, 1, &region), DOCA_ERROR_NOT_FOUND);
    target_close(&t);
    ram_remove();
}

static void reading_a_hole_of_the_file_allocates_no_block(void)
{
    struct stat before, after;
    struct target t;
    unsigned i;

    ram_make(1024 * PAGE);
    topology_with_ram("");
    CHECK(fstat(ram_fd, &before) == 0);
    target_open(&t);
    for (i = 0; i < 1024; i += 16) {
        memset(rig_to, 1, sizeof(rig_to));
        CHECK_OK(target_read(&t, i * PAGE, 16 * PAGE));
        CHECK_EQ(rig_to[0] | rig_to[16 * PAGE - 1], 0);
    }
    CHECK(fstat(ram_fd, &after) == 0);
    CHECK_EQ(after.st_blocks, before.st_blocks);
    target_close(&t);
    ram_remove();
}

/* Create a file in memory of `bytes` bytes that is one hole, with these seals. */
static void ram_make_sealed(uint64_t bytes, int seals)
{
    ram_fd = memfd_create("ram", MFD_ALLOW_SEALING);
    CHECK(ram_fd >= 0 && ftruncate(ram_fd, (off_t)bytes) == 0);
    CHECK(seals == 0 || fcntl(ram_fd, F_ADD_SEALS, seals) == 0);
    (void)snprintf(ram_path, sizeof(ram_path), "/proc/self/fd/%d", ram_fd);
}

static const char *view_of(const struct target *t, uint64_t addr, size_t len)
{
    const void *view = t;

    CHECK_OK(doca_core_mmap_get_view(t->mmap, addr, len, &view));
    return view;
}

static void sealed_file_can_be_loaded(void)
{
    struct target t;
    const char *view;
    const void *any;

    ram_make_sealed(16 * PAGE, F_SEAL_SHRINK);
    ram_write(3 * PAGE, "low", 3);
    ram_write(4 * PAGE, "high", 4); /* the split at 4 pages is before these bytes */
    topology_with_ram("ram_split=16384");
    target_open(&t);
    view = view_of(&t, 3 * PAGE, PAGE);
    CHECK(view != NULL);
    CHECK_MEM(view, "low", 3);
    ram_write(3 * PAGE, "new", 3);
    CHECK_MEM(view, "new", 3);
    CHECK_MEM(view_of(&t, HIGH, 5), "high", 5);
    CHECK_PTR(view_of(&t, 3 * PAGE, PAGE + 1), NULL); /* not in one region */
    CHECK_PTR(view_of(&t, 4 * PAGE, 1), NULL);
    CHECK_PTR(view_of(&t, HIGH + 12 * PAGE, 1), NULL);
    CHECK_PTR(view_of(&t, HIGH, SIZE_MAX), NULL);
    CHECK_OK(target_read(&t, 3 * PAGE, 3)); /* tasks read it as well */
    CHECK_MEM(rig_to, "new", 3);
    CHECK_RC(doca_core_mmap_get_view(t.mmap, 0, 1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_get_view(NULL, 0, 1, &any), DOCA_ERROR_INVALID_VALUE);
    any = &t;
    CHECK_OK(doca_core_mmap_get_view(t.rig.dst_map, 0, 1, &any));
    CHECK_PTR(any, NULL);
    target_close(&t);
    CHECK(close(ram_fd) == 0);
}

static void hole_of_a_sealed_file_is_not_loaded(void)
{
    struct stat st;
    struct target t;

    ram_make_sealed(16 * PAGE, F_SEAL_SHRINK);
    ram_write(3 * PAGE, "x", 1);
    topology_with_ram("");
    target_open(&t);
    CHECK(view_of(&t, 3 * PAGE, PAGE) != NULL);
    CHECK_PTR(view_of(&t, 3 * PAGE - 1, 2), NULL);
    CHECK_PTR(view_of(&t, 3 * PAGE, PAGE + 1), NULL);
    CHECK_PTR(view_of(&t, 8 * PAGE, 1), NULL);
    CHECK(fstat(ram_fd, &st) == 0);
    CHECK_EQ(st.st_blocks, PAGE / 512);
    ram_write(8 * PAGE, "y", 1);
    CHECK_MEM(view_of(&t, 8 * PAGE, 1), "y", 1);
    target_close(&t);
    CHECK(close(ram_fd) == 0);
}

static void file_that_can_shrink_is_not_loaded(void)
{
    struct target t;
    int sealed;

    for (sealed = 0; sealed < 2; sealed++) { /* F_SEAL_GROW does not help */
        ram_make_sealed(16 * PAGE, sealed ? F_SEAL_GROW : 0);
        ram_write(0, "x", 1);
        topology_with_ram("");
        target_open(&t);
        CHECK_PTR(view_of(&t, 0, 1), NULL);
        CHECK(ftruncate(ram_fd, 0) == 0);
        CHECK_PTR(view_of(&t, 0, 1), NULL);
        CHECK_RC(target_read(&t, 0, 1), DOCA_ERROR_IO_FAILED);
        target_close(&t);
        CHECK(close(ram_fd) == 0);
    }
    ram_make(16 * PAGE);
    ram_write(0, "x", 1);
    topology_with_ram("");
    target_open(&t);
    CHECK_PTR(view_of(&t, 0, 1), NULL);
    target_close(&t);
    ram_remove();
}

static void shorter_file_fails_the_task(void)
{
    struct target t;
    size_t i;

    ram_make(16 * PAGE);
    ram_write(0, "secret", 6);
    topology_with_ram("");
    target_open(&t);
    CHECK_OK(target_read(&t, 0, 16 * PAGE));
    CHECK(ftruncate(ram_fd, PAGE) == 0);
    memset(rig_to, 1, sizeof(rig_to));
    CHECK_RC(target_read(&t, 0, 16 * PAGE), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_REP_READ);
    for (i = 0; i < 16 * PAGE; i++)
        CHECK_EQ(rig_to[i], 0); /* no byte of the other machine's memory is left */
    target_close(&t);
    ram_remove();
}

static void memory_cannot_be_written_or_configured(void)
{
    struct doca_dma_task_memcpy *task;
    union doca_data data = { 0 };
    struct doca_buf *src, *dst;
    char byte = 1;
    const void *desc;
    size_t len;
    struct target t;

    ram_make(16 * PAGE);
    topology_with_ram("");
    target_open(&t);
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(t.rig.inventory, t.mmap, t.base + PAGE, 64, &dst));
    src = rig_src(&t.rig, 0, 64);
    rig_from[0] = 7;
    CHECK_OK(doca_dma_task_memcpy_alloc_init(t.rig.dma, src, dst, data, &task));
    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_NOT_PERMITTED);
    if (doca_task_submit(doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS) {
        while (t.rig.num_failed == 0)
            (void)rig_progress(&t.rig);
    } else {
        rig_release(task); /* in the checked mode, submit refuses the task */
    }
    CHECK_EQ(t.rig.num_ok, 0);
    CHECK(pread(ram_fd, &byte, 1, PAGE) == 1 && byte == 0);
    CHECK_RC(doca_mmap_set_permissions(t.mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_stop(t.mmap), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_start(t.mmap), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_export_pci(t.mmap, t.rig.dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
    target_close(&t);
    ram_remove();
}

static void representor_without_memory_has_no_mmap(void)
{
    struct doca_dev_rep *rep;
    struct doca_mmap *mmap = NULL;
    struct doca_dev *dev;

    topology_with("");
    dev = test_open_first_dev();
    rep = rep_open(dev);
    CHECK_RC(doca_core_mmap_create_from_rep(dev, rep, &mmap), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_REP_NO_MEMORY);
    topology_with("ram=/nowhere/at/all");
    CHECK_RC(doca_core_mmap_create_from_rep(dev, rep, &mmap), DOCA_ERROR_OPERATING_SYSTEM);
    CHECK(strstr(test_log_text, "ENOENT") != NULL);
    topology_with("ram=/dev/zero");
    CHECK_RC(doca_core_mmap_create_from_rep(dev, rep, &mmap), DOCA_ERROR_OPERATING_SYSTEM);
    topology_with("ram=/");
    CHECK_RC(doca_core_mmap_create_from_rep(dev, rep, &mmap), DOCA_ERROR_OPERATING_SYSTEM);
    ram_make(0);
    topology_with_ram("");
    CHECK_RC(doca_core_mmap_create_from_rep(dev, rep, &mmap), DOCA_ERROR_OPERATING_SYSTEM);
    CHECK(strstr(test_log_text, "empty") != NULL);
    ram_remove();
    /* a topology in which only another function has a file */
    CHECK_OK(doca_core_sw_set_topology("03:00.0 side=dpu; 0c:00.0 side=host rep=03:00.0 ram=/x"));
    CHECK_RC(doca_core_mmap_create_from_rep(dev, rep, &mmap), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_REP_NO_MEMORY);
    /* a topology in which the function with the file is not the last one */
    CHECK_OK(doca_core_sw_set_topology("03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 "
                                       "ram=/nowhere/at/all; 0c:00.0 side=dpu"));
    CHECK_RC(doca_core_mmap_create_from_rep(dev, rep, &mmap), DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_RC(doca_core_mmap_create_from_rep(NULL, rep, &mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_create_from_rep(dev, NULL, &mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_create_from_rep(dev, rep, NULL), DOCA_ERROR_INVALID_VALUE);
#if DOCA_CORE_CHECK >= 1
    CHECK_RC(doca_core_mmap_create_from_rep(dev, (struct doca_dev_rep *)(void *)dev, &mmap),
             DOCA_ERROR_INVALID_VALUE);
#endif
    CHECK(mmap == NULL);
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_sw_set_topology(NULL));
}

static void topology_text_is_checked(void)
{
    static const char *const bad[] = {
        "03:00.0 side=dpu ram=/tmp/x",
        "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram_split=4096",
        "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram=x ram_split=4095",
        "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram=x ram_split=4294971392",
        "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram=x ram_split=0x1000",
        "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram=x ram_split=18446744073709551616",
        "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram=x ram_split=",
        "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram=",
        "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram=x ram=y",
    };
    size_t i;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK_RC(doca_core_sw_set_topology(bad[i]), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_sw_set_topology("03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram=x "
                                       "ram_split=4294967296"));
    CHECK_OK(doca_core_sw_set_topology(NULL));
}

static void device_table_can_name_the_file(void)
{
    static struct doca_core_dev_attr attrs[2];
    static char longer[DOCA_CORE_SW_RAM_BYTES + 1];
    struct target t;

    ram_make(8 * PAGE);
    ram_write(2 * PAGE, "table", 5);
    memset(attrs, 0, sizeof(attrs));
    strcpy(attrs[0].pci_addr, "0000:03:00.0");
    attrs[0].rep_filters = DOCA_CORE_REP_ALL;
    CHECK_OK(doca_core_sw_profile("default", &attrs[0].limits));
    attrs[1] = attrs[0];
    strcpy(attrs[1].pci_addr, "0000:0b:00.0");
    attrs[1].rep_filters = 0;
    attrs[1].ram = "";
    attrs[1].ram_split = 4096;
    attrs[0].ram = ""; /* both rows are wrong */
    CHECK_RC(doca_core_sw_set_devices(attrs, 2), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_SW_RAM);
    attrs[0].ram = NULL;
    attrs[1].ram = ram_path;
    /* the function has a file, but no device that represents it */
    CHECK_RC(doca_core_sw_set_devices(attrs, 2), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_SW_RAM);
    strcpy(attrs[1].rep_dev, "0000:03:00.0");
    memset(longer, 'x', sizeof(longer) - 1);
    attrs[1].ram = longer;
    CHECK_RC(doca_core_sw_set_devices(attrs, 2), DOCA_ERROR_INVALID_VALUE);
    attrs[1].ram = "";
    CHECK_RC(doca_core_sw_set_devices(attrs, 2), DOCA_ERROR_INVALID_VALUE);
    attrs[1].ram = ram_path;
    CHECK_OK(doca_core_sw_set_devices(attrs, 2));
    target_open(&t);
    CHECK_OK(target_read(&t, HIGH + PAGE, 5));
    CHECK_MEM(rig_to, "table", 5);
    target_close(&t);
    ram_remove();
}

static void mmap_takes_the_documented_bytes(void)
{
    static unsigned char memory[DOCA_CORE_BYTES_MMAP_REP(1)]
        __attribute__((aligned(DOCA_CORE_LINE)));
    struct doca_core_arena arena;
    struct doca_mmap *mmap, *second = NULL;
    struct doca_dev_rep *rep;
    struct doca_dev *dev;
    size_t bytes, used;

    ram_make(PAGE);
    topology_with_ram("");
    dev = test_open_first_dev();
    rep = rep_open(dev);
    CHECK_OK(doca_core_bytes_mmap_rep(&bytes));
    CHECK_EQ(bytes, sizeof(memory));
    CHECK_RC(doca_core_bytes_mmap_rep(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_arena_init(&arena, memory, sizeof(memory)));
    CHECK_OK(doca_core_mmap_create_from_rep_in(&arena, dev, rep, &mmap));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, sizeof(memory));
    CHECK_RC(doca_core_mmap_create_from_rep_in(&arena, dev, rep, &second), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_core_mmap_create_from_rep_in(NULL, dev, rep, &second), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_create_from_rep_in(&arena, NULL, rep, &second),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_core_arena_init(&arena, memory, sizeof(memory) - DOCA_CORE_LINE));
    CHECK_RC(doca_core_mmap_create_from_rep_in(&arena, dev, rep, &second), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
    ram_remove();
    CHECK_OK(doca_core_sw_set_topology(NULL));
}

/* A backend whose devices read the memory of the other machine by a memory key. */
static struct doca_core_rep_mem keyed_mem;
static unsigned keyed_closes;

static doca_error_t keyed_open(struct doca_dev *dev, const struct doca_core_dev_attr *rep,
                               struct doca_core_rep_mem *mem)
{
    (void)dev;
    CHECK_STR(rep->pci_addr, "0000:0b:00.0");
    CHECK(mem->fd == -1 && mem->num_regions == 0);
    *mem = keyed_mem;
    return DOCA_SUCCESS;
}

static void keyed_close(struct doca_dev *dev, uint32_t mkey, uint32_t internal_mkey)
{
    (void)dev;
    CHECK(mkey == 7 && internal_mkey == 8);
    keyed_closes++;
}

/* Register a copy of the software backend with these functions. Open its first device and the
 * representor of that device. */
static struct doca_core_backend keyed_backend;

static struct doca_dev *keyed_begin(
    doca_error_t (*open)(struct doca_dev *, const struct doca_core_dev_attr *,
                         struct doca_core_rep_mem *),
    void (*close)(struct doca_dev *, uint32_t, uint32_t), struct doca_dev_rep **rep)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;

    topology_with("");
    keyed_backend = *doca_core_sw_backend();
    keyed_backend.name = "keyed";
    keyed_backend.rep_mem_open = open;
    keyed_backend.rep_mem_close = close;
    CHECK_OK(doca_core_backend_register(&keyed_backend));
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_EQ(num, 4);
    CHECK_OK(doca_dev_open(list[2], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    *rep = rep_open(dev);
    keyed_closes = 0;
    memset(&keyed_mem, 0, sizeof(keyed_mem));
    keyed_mem.fd = -1;
    keyed_mem.mkey = 7;
    keyed_mem.internal_mkey = 8;
    keyed_mem.base = (void *)(uintptr_t)PAGE;
    keyed_mem.num_regions = 1;
    keyed_mem.regions[0].len = PAGE;
    return dev;
}

static void keyed_end(struct doca_dev *dev, struct doca_dev_rep *rep)
{
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_backend_unregister("keyed"));
    CHECK_OK(doca_core_sw_set_topology(NULL));
}

static void description_that_buffers_cannot_address_is_refused(void)
{
    const uint64_t room = UINTPTR_MAX - PAGE;
    struct doca_mmap *mmap = NULL;
    struct doca_core_rep_mem sound;
    struct doca_dev_rep *rep;
    struct doca_dev *dev = keyed_begin(keyed_open, keyed_close, &rep);
    unsigned i;

    sound = keyed_mem;
    for (i = 0; i < 6; i++) {
        keyed_mem = sound;
        if (i == 0)
            keyed_mem.base = NULL;
        else if (i == 1)
            keyed_mem.num_regions = DOCA_CORE_REP_REGIONS + 1;
        else if (i == 2)
            keyed_mem.regions[0].len = 0;
        else if (i == 3)
            keyed_mem.regions[0].addr = room + 1;
        else if (i == 4)
            keyed_mem.regions[0].addr = room - PAGE + 1;
        else
            keyed_mem.regions[0].len = UINT64_MAX;
        CHECK_RC(doca_core_mmap_create_from_rep(dev, rep, &mmap), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_REP_NO_MEMORY);
        CHECK_EQ(keyed_closes, i + 1);
    }
    keyed_mem = sound;
    keyed_mem.num_regions = 0;
    keyed_mem.fd = dup(1);
    CHECK(keyed_mem.fd >= 0);
    CHECK_RC(doca_core_mmap_create_from_rep(dev, rep, &mmap), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(keyed_closes, 6);
    CHECK(fcntl(keyed_mem.fd, F_GETFD) == -1); /* the library has closed the file */
    keyed_mem = sound;
    keyed_mem.regions[0].addr = room - PAGE; /* the last address that fits */
    CHECK_OK(doca_core_mmap_create_from_rep(dev, rep, &mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_EQ(keyed_closes, 7);
    keyed_end(dev, rep);
}

static void backend_without_the_call_reads_no_memory(void)
{
    struct doca_mmap *mmap = NULL;
    struct doca_dev_rep *rep;
    struct doca_dev *dev = keyed_begin(NULL, NULL, &rep);

    CHECK_RC(doca_core_mmap_create_from_rep(dev, rep, &mmap), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_REP_NO_MEMORY);
    CHECK(mmap == NULL);
    keyed_end(dev, rep);
}

/* A backend that adds memory keys may keep the close function of the software backend, which has
 * nothing to release. */
static void close_of_the_software_backend_accepts_any_key(void)
{
    struct doca_mmap *mmap;
    struct doca_dev_rep *rep;
    struct doca_dev *dev = keyed_begin(keyed_open, doca_core_sw_backend()->rep_mem_close, &rep);
    struct doca_core_sw_worker *worker;

    /* a backend that wraps the software backend has no workers: backend_data is its own */
    CHECK_RC(doca_core_sw_worker_create(dev, &worker), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_core_mmap_create_from_rep(dev, rep, &mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_EQ(keyed_closes, 0);
    keyed_end(dev, rep);
}

static void backend_can_read_by_a_memory_key(void)
{
    static struct doca_core_backend backend;
    struct doca_core_region region;
    struct doca_mmap *mmap = NULL;
    struct doca_devinfo **list;
    struct doca_dev_rep *rep, *other;
    struct doca_dev *dev, *sw;
    uint32_t num, mkey;

    topology_with("");
    backend = *doca_core_sw_backend();
    backend.name = "keyed";
    backend.rep_mem_open = keyed_open;
    backend.rep_mem_close = NULL;
    CHECK_RC(doca_core_backend_register(&backend), DOCA_ERROR_INVALID_VALUE);
    backend.rep_mem_close = keyed_close;
    CHECK_OK(doca_core_backend_register(&backend));
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_EQ(num, 4);
    CHECK_OK(doca_dev_open(list[0], &sw));
    CHECK_OK(doca_dev_open(list[2], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    rep = rep_open(dev);
    other = rep_open(sw);
    memset(&keyed_mem, 0, sizeof(keyed_mem));
    keyed_mem.fd = -1;
    keyed_mem.mkey = 7;
    keyed_mem.internal_mkey = 8;
    keyed_mem.base = (void *)(uintptr_t)PAGE;
    CHECK_RC(doca_core_mmap_create_from_rep(dev, rep, &mmap), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(keyed_closes, 1); /* the memory has no region */
    keyed_mem.num_regions = 2;
    keyed_mem.regions[0].len = keyed_mem.regions[1].len = 3 * PAGE;
    keyed_mem.regions[1].addr = 2 * PAGE;
    CHECK_RC(doca_core_mmap_create_from_rep(dev, rep, &mmap), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(keyed_closes, 2); /* the regions overlap */
    keyed_mem.regions[1].addr = 5 * PAGE;
    CHECK_OK(doca_core_mmap_create_from_rep(dev, rep, &mmap));
    CHECK_OK(doca_mmap_get_mkey(mmap, dev, &mkey));
    CHECK_EQ(mkey, 7);
    CHECK_OK(doca_core_mmap_get_region(mmap, 1, &region));
    CHECK(region.addr == 5 * PAGE && region.len == 3 * PAGE);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_EQ(keyed_closes, 3);
    CHECK_RC(doca_core_mmap_create_from_rep(dev, other, &mmap), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_REP_OTHER_BACKEND);
    CHECK_OK(doca_dev_rep_close(other));
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(sw));
    CHECK_OK(doca_core_backend_unregister("keyed"));
    CHECK_OK(doca_core_sw_set_topology(NULL));
}

static const struct test_case cases[] = {
    CASE_OF_SW(memory_is_read_by_physical_address, "", "the file of ram="),
    CASE_OF_SW(file_beyond_ram_split_begins_at_4_gib, "", "the file of ram="),
    CASE_OF_SW(reading_a_hole_of_the_file_allocates_no_block, "", "the file of ram="),
    CASE_OF_SW(sealed_file_can_be_loaded, "", "the file of ram="),
    CASE_OF_SW(hole_of_a_sealed_file_is_not_loaded, "", "the file of ram="),
    CASE_OF_SW(file_that_can_shrink_is_not_loaded, "", "the file of ram="),
    CASE_OF_SW(shorter_file_fails_the_task, "", "the file of ram="),
    CASE_OF_SW(memory_cannot_be_written_or_configured, "", "the file of ram="),
    CASE_OF_SW(representor_without_memory_has_no_mmap, "", "the file of ram="),
    CASE_OF_SW(topology_text_is_checked, "", "the topology"),
    CASE_OF_SW(device_table_can_name_the_file, "", "the topology"),
    CASE_OF_SW(backend_can_read_by_a_memory_key, "", "a backend that is a copy of it"),
    CASE_OF_SW(description_that_buffers_cannot_address_is_refused, "",
               "a backend that is a copy of it"),
    CASE_OF_SW(backend_without_the_call_reads_no_memory, "", "a backend that is a copy of it"),
    CASE_OF_SW(close_of_the_software_backend_accepts_any_key, "", "a backend that is a copy of it"),
    CASE_OF_SW(mmap_takes_the_documented_bytes, "", "the file of ram="),
};

TEST_MAIN(cases)
