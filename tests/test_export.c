/* Export and import of mmaps within one process; with two, see test_export_processes.c. */
#include "fixture.h"

static struct doca_mmap *exported_map(struct doca_dev *dev, void *addr, size_t len, uint32_t access)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, addr, len));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_set_permissions(mmap, access));
    CHECK_OK(doca_mmap_start(mmap));
    return mmap;
}

static void imported_memory_is_read_and_written(void)
{
    struct doca_mmap *map, *import;
    struct doca_buf *src, *dst;
    const void *desc;
    struct rig r;
    size_t len;

    rig_open(&r, 4);
    r.frees_tasks = true;
    map = exported_map(r.dev, rig_to, RIG_BYTES, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    CHECK_OK(doca_mmap_export_pci(map, r.dev, &desc, &len));
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, r.dev, &import));
    src = rig_src(&r, 0, RIG_BYTES / 2);
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, import, rig_to, RIG_BYTES, &dst));
    CHECK_OK(rig_submit(rig_task(r.dma, src, dst)));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_MEM(rig_to, rig_from, RIG_BYTES / 2);
    CHECK_EQ(rig_to[RIG_BYTES / 2], 0xee);
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(map));
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(imported_memory_is_read_and_written, "87"),
};

TEST_MAIN(cases)
