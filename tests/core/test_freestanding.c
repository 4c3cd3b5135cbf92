/* Tests an implementation that was built with DOCA_CORE_FREESTANDING. Copies work; features that
 * need an operating system return NOT_SUPPORTED. The test program itself runs on the operating
 * system and uses the C library. */
#include "share.h"

static unsigned char memory[4096];

static void dmabuf_with_valid_arguments_is_not_supported(void)
{
    struct doca_mmap *mmap;
    void *addr;
    size_t len;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, 0, NULL, 0, 64), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, SIZE_MAX),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, -1, memory, 0, 64), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, 64), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, 64)); /* the refused calls have set no range */
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* Without an operating system the library cannot reach the memory of other processes. */
static void import_of_valid_descriptor_is_not_supported(void)
{
    share_export_t *const exports[] = { doca_mmap_export_pci, doca_mmap_export_rdma };
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *map = share_map(dev, memory, sizeof(memory), SHARE_PCI | SHARE_RDMA);
    unsigned char damaged[sizeof(struct doca_priv_mmap_desc)];
    struct doca_mmap *import = NULL;
    const void *desc;
    size_t k, len;

    for (k = 0; k < 2; k++) {
        CHECK_OK(exports[k](map, dev, &desc, &len));
        CHECK_EQ(len, sizeof(damaged));
        memcpy(damaged, desc, len);
        damaged[len - 1] ^= 1;
        CHECK_RC(doca_mmap_create_from_export(NULL, damaged, len, dev, &import),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_mmap_create_from_export(NULL, desc, len - 1, dev, &import),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_mmap_create_from_export(NULL, desc, len, dev, &import),
                 DOCA_ERROR_NOT_SUPPORTED);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORTER_KERNEL);
        CHECK_PTR(import, NULL);
    }
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_dev_close(dev));
}

static void notification_is_not_supported(void)
{
    doca_notification_handle_t handle = doca_event_invalid_handle;
    struct doca_pe *pe;

    CHECK_OK(doca_pe_create(&pe));
    CHECK_RC(doca_pe_get_notification_handle(pe, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_pe_get_notification_handle(pe, &handle), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_PE_NO_NOTIFICATION);
    CHECK_EQ(handle, doca_event_invalid_handle);
    CHECK_RC(doca_pe_request_notification(pe), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_pe_destroy(pe));
}

static void environment_variable_is_not_read(void)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    struct doca_dev *dev;
    uint64_t max = 0;

    CHECK_EQ(setenv("DOCA_CORE_SW_PROFILE", "bluefield3", 1), 0);
    heap_trap_set(mode);
    dev = rig_open_dev(NULL);
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(doca_dev_as_devinfo(dev), &max));
    CHECK_EQ(max, (uint64_t)1 << 30);
    CHECK_OK(doca_dev_close(dev));
}

/* The clocks of a software device are clocks of the operating system. */
static void nic_clocks_are_not_supported(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    uint64_t ns = 17;
    int clock;

    for (clock = 0; clock < 3; clock++) {
        CHECK_RC(doca_core_nic_clock_cap(doca_dev_as_devinfo(dev), (enum doca_core_nic_clock)clock,
                                         __func__),
                 DOCA_ERROR_NOT_SUPPORTED);
        CHECK_RC(doca_core_nic_clock_read(dev, (enum doca_core_nic_clock)clock, __func__, &ns),
                 DOCA_ERROR_NOT_SUPPORTED);
    }
    CHECK_EQ(ns, 17);
    CHECK_OK(doca_dev_close(dev));
}

static void copy_works_without_operating_system(void)
{
    struct rig r;

    share_rig_open(&r, 1);
    share_copy(&r, rig_src(&r, 0, RIG_BYTES), rig_dst(&r, 0, RIG_BYTES));
    CHECK_MEM(rig_to, rig_from, RIG_BYTES);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(dmabuf_with_valid_arguments_is_not_supported, "69"),
    CASE(import_of_valid_descriptor_is_not_supported, ""),
    CASE(notification_is_not_supported, ""),
    CASE(environment_variable_is_not_read, ""),
    CASE(nic_clocks_are_not_supported, ""),
    CASE(copy_works_without_operating_system, ""),
};

TEST_MAIN(cases)
