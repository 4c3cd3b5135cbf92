/* Export and import of mmaps within one process: the calls, objects that use an import, and
 * permissions. The library runs the same code as between two processes, which
 * test_export_processes.c tests. */
#include "export_support.h"

static const uint32_t all_access[] = {
    0,
    DOCA_ACCESS_FLAG_LOCAL_READ_ONLY,
    DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
    DOCA_ACCESS_FLAG_RDMA_READ,
    DOCA_ACCESS_FLAG_RDMA_WRITE,
    DOCA_ACCESS_FLAG_RDMA_ATOMIC,
    DOCA_ACCESS_FLAG_PCI_READ_ONLY,
    DOCA_ACCESS_FLAG_PCI_READ_WRITE,
    DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
    DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_RDMA_WRITE,
    DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING,
    DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_ATOMIC,
    DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE,
};
#define NUM_ACCESS (sizeof(all_access) / sizeof(all_access[0]))

/* ---- the calls ---- */

static void export_needs_a_permission_of_its_kind(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *mmap;
    const void *desc;
    size_t i, k, len;

    for (i = 0; i < NUM_ACCESS; i++) {
        for (k = FIRST_KIND; k < 2; k++) {
            mmap = share_map(dev, far_bytes, FAR_BYTES, all_access[i]);
            if ((all_access[i] & exports[k].flags) != 0) {
                CHECK_OK(exports[k].call(mmap, dev, &desc, &len));
                CHECK_EQ(is_exported(mmap), 1);
            } else {
                check_no_export(exports[k].call, mmap, dev, DOCA_ERROR_NOT_PERMITTED);
                CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_ACCESS_LACKS);
                CHECK_EQ(is_exported(mmap), 0);
            }
            CHECK_OK(doca_mmap_destroy(mmap));
        }
    }
    mmap = rig_map(dev, far_bytes, FAR_BYTES); /* the default permissions are local only */
    check_no_export(doca_mmap_export_pci, mmap, dev, DOCA_ERROR_NOT_PERMITTED);
    check_no_export(doca_mmap_export_rdma, mmap, dev, DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
}

static void export_needs_a_started_mmap(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *mmap;
    size_t k;

    for (k = FIRST_KIND; k < 2; k++) {
        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_mmap_set_permissions(mmap, SHARE_PCI | SHARE_RDMA));
        check_no_export(exports[k].call, mmap, dev, DOCA_ERROR_NOT_PERMITTED);
        CHECK_OK(doca_mmap_add_dev(mmap, dev));
        CHECK_OK(doca_mmap_set_memrange(mmap, far_bytes, FAR_BYTES));
        check_no_export(exports[k].call, mmap, dev, DOCA_ERROR_NOT_PERMITTED);
        CHECK_OK(doca_mmap_start(mmap));
        CHECK_OK(doca_mmap_stop(mmap));
        check_no_export(exports[k].call, mmap, dev, DOCA_ERROR_NOT_PERMITTED);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_NOT_STARTED);
        CHECK_OK(doca_mmap_destroy(mmap));
    }
    CHECK_OK(doca_dev_close(dev));
}

static void export_needs_a_device_of_the_mmap(void)
{
    struct doca_dev *dev = rig_open_dev(test_pci_addr(0)), *other = rig_open_dev(test_pci_addr(1));
    struct doca_mmap *mmap = share_map(dev, far_bytes, FAR_BYTES, SHARE_PCI | SHARE_RDMA);
    size_t k;

    for (k = FIRST_KIND; k < 2; k++) {
        check_no_export(exports[k].call, mmap, other, DOCA_ERROR_NOT_FOUND);
        CHECK_EQ(is_exported(mmap), 0);
    }
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(other));
    CHECK_OK(doca_dev_close(dev));
}

static void capabilities_are_reported_and_enforced(void)
{
    unsigned mask;

    for (mask = 0; mask < 8; mask++) {
        bool has_export = (mask & 1) != 0, has_import = (mask & 2) != 0, has_rdma = (mask & 4) != 0;
        struct doca_dev *able, *dev;
        struct doca_mmap *mmap, *able_map, *import;
        const void *desc;
        uint8_t answer = 9;
        size_t k, len;

        set_devs(1, true, true, true, true);
        able = rig_open_dev(NULL);
        set_devs(2, has_export, has_import, has_rdma, true);
        dev = rig_open_dev("0000:0c:00.1");
        CHECK_OK(doca_mmap_cap_is_export_pci_supported(doca_dev_as_devinfo(dev), &answer));
        CHECK_EQ(answer, has_export);
        CHECK_OK(doca_mmap_cap_is_create_from_export_pci_supported(doca_dev_as_devinfo(dev),
                                                                   &answer));
        CHECK_EQ(answer, has_import);
        mmap = share_map(dev, far_bytes, FAR_BYTES, SHARE_PCI | SHARE_RDMA);
        able_map = share_map(able, far_bytes, FAR_BYTES, SHARE_PCI | SHARE_RDMA);
        for (k = FIRST_KIND; k < 2; k++) {
            if (k == 0 ? has_export : has_rdma)
                CHECK_OK(exports[k].call(mmap, dev, &desc, &len));
            else
                check_no_export(exports[k].call, mmap, dev, DOCA_ERROR_NOT_SUPPORTED);
            CHECK_OK(exports[k].call(able_map, able, &desc, &len));
            if (k == 0 ? has_import : has_rdma) {
                CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dev, &import));
                CHECK_OK(doca_mmap_destroy(import));
            } else {
                check_no_import(desc, len, dev, DOCA_ERROR_NOT_SUPPORTED);
            }
        }
        CHECK_OK(doca_mmap_destroy(mmap));
        CHECK_OK(doca_mmap_destroy(able_map));
        CHECK_OK(doca_dev_close(dev));
        CHECK_OK(doca_dev_close(able));
    }
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static void each_device_and_kind_has_its_own_descriptor(void)
{
    struct doca_dev *devs[2] = { rig_open_dev(test_pci_addr(0)), rig_open_dev(test_pci_addr(1)) };
    struct doca_mmap *mmap, *import;
    const void *desc[4], *again;
    size_t len[4], again_len, i, k;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, far_bytes, FAR_BYTES));
    CHECK_OK(doca_mmap_set_permissions(mmap, SHARE_PCI | SHARE_RDMA));
    CHECK_OK(doca_mmap_add_dev(mmap, devs[0]));
    CHECK_OK(doca_mmap_add_dev(mmap, devs[1]));
    CHECK_OK(doca_mmap_start(mmap));
    for (i = 0; i < 4; i++)
        CHECK_OK(exports[i / 2].call(mmap, devs[i % 2], &desc[i], &len[i]));
    for (i = 0; i < 4; i++) {
        CHECK_OK(exports[i / 2].call(mmap, devs[i % 2], &again, &again_len));
        CHECK_PTR(again, desc[i]);
        CHECK_EQ(again_len, len[i]);
        for (k = 0; k < i; k++)
            CHECK(len[i] != len[k] || memcmp(desc[i], desc[k], len[i]) != 0);
        for (k = 0; k < 2; k++) { /* each device may import the export of either device */
            CHECK_OK(doca_mmap_create_from_export(NULL, desc[i], len[i], devs[k], &import));
            CHECK_OK(doca_mmap_destroy(import));
        }
    }
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(devs[1]));
    CHECK_OK(doca_dev_close(devs[0]));
}

static void mmap_reports_whether_it_is_exported_or_imported(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *fresh;
    struct share s;

    CHECK_OK(doca_mmap_create(&fresh));
    CHECK_EQ(is_exported(fresh), 0);
    CHECK_EQ(is_import(fresh), 0);
    share_open(&s, dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    CHECK_EQ(is_exported(s.map), 1);
    CHECK_EQ(is_import(s.map), 0);
    CHECK_EQ(is_exported(s.import), 0);
    CHECK_EQ(is_import(s.import), 1);
    CHECK_OK(doca_mmap_stop(s.map));
    CHECK_EQ(is_exported(s.map), 0);
    share_close(&s);
    CHECK_OK(doca_mmap_destroy(fresh));
    CHECK_OK(doca_dev_close(dev));
}

static void arguments_are_checked(void)
{
    static DOCA_CORE_ALIGNED unsigned char region[64 * DOCA_CORE_LINE];
    doca_error_t (*const caps[])(const struct doca_devinfo *, uint8_t *) = {
        doca_mmap_cap_is_export_pci_supported, doca_mmap_cap_is_create_from_export_pci_supported
    };
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_core_arena arena;
    struct doca_mmap *mmap = NULL;
    const void *desc = far_bytes;
    size_t k, len = 77;
    uint8_t answer = 9;
    struct share s;

    CHECK_OK(doca_core_arena_init(&arena, region, sizeof(region)));
    share_open(&s, dev, far_bytes, FAR_BYTES, SHARE_PCI | SHARE_RDMA, doca_mmap_export_pci);
    for (k = 0; k < 2; k++) {
        CHECK_RC(caps[k](NULL, &answer), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(caps[k](doca_dev_as_devinfo(dev), NULL), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(exports[k].call(NULL, dev, &desc, &len), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(exports[k].call(s.map, NULL, &desc, &len), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(exports[k].call(s.map, dev, NULL, &len), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(exports[k].call(s.map, dev, &desc, NULL), DOCA_ERROR_INVALID_VALUE);
        if (DOCA_CORE_CHECK >= 1) {
            CHECK_RC(exports[k].call((struct doca_mmap *)(void *)dev, dev, &desc, &len),
                     DOCA_ERROR_INVALID_VALUE);
            CHECK_RC(exports[k].call(s.map, (struct doca_dev *)(void *)s.map, &desc, &len),
                     DOCA_ERROR_INVALID_VALUE);
        }
    }
    CHECK_PTR(desc, far_bytes);
    CHECK_EQ(len, 77);
    CHECK_EQ(answer, 9);
    CHECK_RC(doca_mmap_create_from_export(NULL, NULL, s.desc_len, dev, &mmap),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_create_from_export(NULL, s.desc, 0, dev, &mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_create_from_export(NULL, s.desc, s.desc_len, NULL, &mmap),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_create_from_export(NULL, s.desc, s.desc_len, dev, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_create_from_export_in(NULL, NULL, s.desc, s.desc_len, dev, &mmap),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_create_from_export_in(&arena, NULL, NULL, s.desc_len, dev, &mmap),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_create_from_export_in(&arena, NULL, s.desc, s.desc_len, NULL, &mmap),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_create_from_export_in(&arena, NULL, s.desc, s.desc_len, dev, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(mmap, NULL);
    share_close(&s);
    CHECK_OK(doca_dev_close(dev));
}

static void user_data_of_an_import_is_returned(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    union doca_data given = { .u64 = 0x0123456789abcdef }, got = { .u64 = 5 };
    struct doca_mmap *import;
    struct share s;

    share_open(&s, dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    CHECK_OK(doca_mmap_get_user_data(s.import, &got));
    CHECK_EQ(got.u64, 0);
    CHECK_OK(doca_mmap_create_from_export(&given, s.desc, s.desc_len, dev, &import));
    CHECK_OK(doca_mmap_get_user_data(import, &got));
    CHECK_EQ(got.u64, given.u64);
    CHECK_OK(doca_mmap_destroy(import));
    share_close(&s);
    CHECK_OK(doca_dev_close(dev));
}

static void import_cannot_be_configured(void)
{
    struct doca_dev *dev = rig_open_dev(test_pci_addr(0)), *other = rig_open_dev(test_pci_addr(1));
    struct doca_mmap *m;
    uint32_t max = 0;
    struct share s;
    size_t k;

    for (k = FIRST_KIND; k < 2; k++) {
        share_open(&s, dev, far_bytes, FAR_BYTES, SHARE_PCI | SHARE_RDMA, exports[k].call);
        m = s.import;
        CHECK_RC(doca_mmap_set_memrange(m, rig_to, 8), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_mmap_set_dmabuf_memrange(m, 0, rig_to, 0, 8), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_mmap_set_permissions(m, SHARE_PCI), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_mmap_set_max_num_devices(m, 9), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_mmap_set_free_cb(m, NULL, NULL), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_mmap_set_user_data(m, (union doca_data){ .u64 = 7 }),
                 DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_mmap_add_dev(m, other), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_mmap_add_dev(m, dev), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_mmap_rm_dev(m, dev), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_mmap_start(m), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_mmap_stop(m), DOCA_ERROR_NOT_PERMITTED);
        check_no_export(doca_mmap_export_pci, m, dev, DOCA_ERROR_NOT_PERMITTED);
        check_no_export(doca_mmap_export_rdma, m, dev, DOCA_ERROR_NOT_PERMITTED);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_IMPORTED);
        CHECK_OK(doca_mmap_get_max_num_devices(m, &max));
        CHECK_EQ(max, DOCA_CORE_MMAP_DEVS);
        share_close(&s);
    }
    CHECK_OK(doca_dev_close(other));
    CHECK_OK(doca_dev_close(dev));
}

static void exported_mmap_cannot_be_configured(void)
{
    struct doca_dev *dev = rig_open_dev(test_pci_addr(0)), *other = rig_open_dev(test_pci_addr(1));
    struct share s;

    share_open(&s, dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    CHECK_RC(doca_mmap_start(s.map), DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_EXPORTED);
    CHECK_RC(doca_mmap_add_dev(s.map, other), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_rm_dev(s.map, dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_set_permissions(s.map, SHARE_PCI), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_stop(s.map));
    CHECK_OK(doca_mmap_set_permissions(s.map, SHARE_RDMA));
    CHECK_OK(doca_mmap_start(s.map));
    check_no_export(doca_mmap_export_pci, s.map, dev, DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_export_rdma(s.map, dev, &s.desc, &s.desc_len));
    share_close(&s);
    CHECK_OK(doca_dev_close(other));
    CHECK_OK(doca_dev_close(dev));
}

/* A stop frees the memory of the exports. An importer detects that its exporter has stopped or
 * destroyed the mmap. */
static void stop_ends_exports_and_their_imports(void)
{
    const enum doca_core_item says_stopped = test_other() == NULL ? DOCA_CORE_ITEM_EXPORTER_STOPPED
                                                                  : DOCA_CORE_ITEM_MLX5_NO_EXPORT;
    static unsigned char old[sizeof(struct doca_priv_mmap_desc)];
    size_t used_before, used, k;
    struct doca_mmap *import;
    unsigned round;
    struct share s;
    struct rig r;

    share_rig_open(&r, 4);
    for (k = FIRST_KIND; k < 2; k++) {
        for (round = 0; round < 4; round++) { /* stop or destroy; read or write the import */
            share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI | SHARE_RDMA, exports[k].call);
            CHECK_EQ(s.desc_len, sizeof(old));
            memcpy(old, s.desc, sizeof(old));
            CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used_before, NULL, NULL));
            if (round % 2 == 0) {
                CHECK_OK(doca_mmap_stop(s.map));
                CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
                CHECK_EQ(used_before - used, DOCA_CORE_BYTES_MMAP_EXPORT(1) + test_bytes_reg());
                CHECK_OK(doca_mmap_start(s.map));
                check_no_import(old, sizeof(old), r.dev, DOCA_ERROR_INVALID_VALUE);
                CHECK_EQ(test_log_item, says_stopped);
                CHECK_OK(exports[k].call(s.map, r.dev, &s.desc, &s.desc_len));
                CHECK(memcmp(old, s.desc, sizeof(old)) != 0);
            } else {
                CHECK_OK(doca_mmap_destroy(s.map));
            }
            check_no_import(old, sizeof(old), r.dev, DOCA_ERROR_INVALID_VALUE);
            CHECK_EQ(test_log_item, says_stopped);
            memset(far_bytes, 0x11, 64);
            memset(rig_to, 0xee, 64);
            if (round < 2)
                share_fails(&r, share_src(&r, s.import, far_bytes, 64), rig_dst(&r, 0, 64),
                            DOCA_CORE_ITEM_EXPORTER_STOPPED);
            else
                share_fails(&r, rig_src(&r, 0, 64), share_dst(&r, s.import, far_bytes, 64),
                            DOCA_CORE_ITEM_EXPORTER_STOPPED);
            CHECK_EQ(far_bytes[0], 0x11);
            CHECK_OK(doca_mmap_destroy(s.import));
            if (round % 2 == 0) {
                CHECK_OK(doca_mmap_create_from_export(NULL, s.desc, s.desc_len, r.dev, &import));
                share_copy(&r, share_src(&r, import, far_bytes, 64), rig_dst(&r, 0, 64));
                CHECK_EQ(rig_to[63], 0x11);
                CHECK_OK(doca_mmap_destroy(import));
                CHECK_OK(doca_mmap_destroy(s.map));
            }
        }
    }
    rig_close(&r);
}

/* When one of two exporters has stopped, a copy between them fails, names that exporter, and does
 * not write to the other one. */
static void copy_names_the_exporter_that_stopped(void)
{
    struct share a, b;
    struct rig r;
    unsigned k;

    share_rig_open(&r, 4);
    for (k = 0; k < 2; k++) {
        share_open(&a, r.dev, far_bytes, RIG_BYTES, SHARE_PCI, doca_mmap_export_pci);
        share_open(&b, r.dev, far_bytes + RIG_BYTES, RIG_BYTES, SHARE_PCI, doca_mmap_export_pci);
        CHECK_OK(doca_mmap_stop(k == 0 ? a.map : b.map));
        memset(far_bytes, 0x22, RIG_BYTES);
        memset(far_bytes + RIG_BYTES, 0x33, RIG_BYTES);
        share_fails(&r, share_src(&r, a.import, far_bytes, RIG_BYTES),
                    share_dst(&r, b.import, far_bytes + RIG_BYTES, RIG_BYTES),
                    DOCA_CORE_ITEM_EXPORTER_STOPPED);
        CHECK_EQ(far_bytes[RIG_BYTES], 0x33);
        share_close(&a);
        share_close(&b);
    }
    rig_close(&r);
}

/* ---- objects that use an import ---- */

static void import_has_the_exporters_addresses(void)
{
    struct share s;
    struct rig r;
    void *addr;
    size_t k, len;

    share_rig_open(&r, 4);
    for (k = FIRST_KIND; k < 2; k++) {
        share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI | SHARE_RDMA, exports[k].call);
        CHECK_OK(doca_mmap_get_memrange(s.import, &addr, &len));
        CHECK_PTR(addr, far_bytes);
        CHECK_EQ(len, FAR_BYTES);
        share_fill(far_bytes, FAR_BYTES, (unsigned)k);
        share_copy(&r, share_src(&r, s.import, far_bytes + 7, 1000), rig_dst(&r, 0, 1000));
        CHECK_MEM(rig_to, far_bytes + 7, 1000);
        share_copy(&r, rig_src(&r, 0, 1000), share_dst(&r, s.import, far_bytes + 9, 1000));
        CHECK_MEM(far_bytes + 9, rig_from, 1000);
        share_close(&s);
    }
    rig_close(&r);
}

static void buffers_must_be_inside_the_exported_range(void)
{
    static const struct { ptrdiff_t off; size_t len; } outside[] = {
        { -1, 1 }, { -1, 2 }, { PAGE, 1 }, { PAGE - 1, 2 }, { 0, PAGE + 1 }, { 1, SIZE_MAX },
    };
    struct doca_buf *buf, *copy;
    struct share s;
    uint32_t num;
    struct rig r;
    size_t i;

    share_rig_open(&r, 4);
    share_open(&s, r.dev, far_bytes + PAGE, PAGE, SHARE_PCI, doca_mmap_export_pci);
    for (i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
        CHECK_RC(doca_buf_inventory_buf_get_by_addr(r.inventory, s.import,
                                                    far_bytes + PAGE + outside[i].off,
                                                    outside[i].len, &buf),
                 DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, s.import, far_bytes + PAGE, PAGE,
                                                &buf));
    CHECK_OK(doca_buf_inventory_buf_dup(r.inventory, buf, &copy));
    CHECK_OK(doca_mmap_get_num_bufs(s.import, &num));
    CHECK_EQ(num, 2);
    CHECK_RC(doca_mmap_destroy(s.import), DOCA_ERROR_NOT_PERMITTED);
    /* the exported mmap does not count buffers of the import */
    CHECK_OK(doca_mmap_get_num_bufs(s.map, &num));
    CHECK_EQ(num, 0);
    share_drop(buf, copy);
    share_close(&s);
    rig_close(&r);
}

static void pools_and_arrays_can_use_imports(void)
{
    struct doca_buf *bufs[4], *none;
    struct doca_buf_pool *pool;
    struct doca_buf_arr *array;
    struct share s;
    struct rig r;
    size_t i;

    share_rig_open(&r, 4);
    share_open(&s, r.dev, far_bytes, 4 * PAGE, SHARE_PCI, doca_mmap_export_pci);
    CHECK_OK(doca_buf_pool_create(4, PAGE, s.import, &pool));
    CHECK_OK(doca_buf_pool_set_element_alignment(pool, PAGE));
    CHECK_OK(doca_buf_pool_start(pool));
    for (i = 0; i < 4; i++) {
        void *head;

        CHECK_OK(doca_buf_pool_buf_alloc(pool, &bufs[i]));
        CHECK_OK(doca_buf_get_head(bufs[i], &head));
        CHECK_PTR(head, far_bytes + i * PAGE);
    }
    CHECK_RC(doca_buf_pool_buf_alloc(pool, &none), DOCA_ERROR_EMPTY);
    CHECK_RC(doca_mmap_destroy(s.import), DOCA_ERROR_NOT_PERMITTED);
    for (i = 0; i < 4; i++)
        share_copy(&r, rig_src(&r, i * PAGE, PAGE), bufs[i]);
    CHECK_MEM(far_bytes, rig_from, 4 * PAGE);
    CHECK_OK(doca_buf_pool_destroy(pool));

    CHECK_OK(doca_buf_arr_create(s.import, &array));
    CHECK_RC(doca_buf_arr_set_params(array, PAGE, 5, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_arr_set_params(array, PAGE, 4, 0));
    CHECK_OK(doca_buf_arr_start(array));
    CHECK_OK(doca_buf_arr_destroy(array));
    share_close(&s);
    rig_close(&r);
}

static void import_belongs_to_one_device(void)
{
    struct doca_dev *other = rig_open_dev(test_pci_addr(1));
    struct doca_mmap *import;
    struct share s;
    struct rig r;

    share_rig_open(&r, 4); /* on the first device */
    share_open(&s, r.dev, far_bytes, PAGE, SHARE_PCI, doca_mmap_export_pci);
    CHECK_OK(doca_mmap_create_from_export(NULL, s.desc, s.desc_len, other, &import));
    CHECK_RC(doca_dev_close(other), DOCA_ERROR_IN_USE);
    share_refused(&r, share_src(&r, import, far_bytes, 8), rig_dst(&r, 0, 8),
                  DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_TASK_NOT_MAPPED);
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_dev_close(other));
    share_close(&s);
    rig_close(&r);
}

/* ---- permissions ---- */

static void imports_allow_what_their_kind_of_permission_allows(void)
{
    static const struct { uint32_t access; size_t how; bool reads, writes; } table[] = {
        { DOCA_ACCESS_FLAG_PCI_READ_ONLY, 0, true, false },
        { DOCA_ACCESS_FLAG_PCI_READ_WRITE, 0, true, true },
        { DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, 0, true, false },
        { DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, 0, true, true },
        { DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_RDMA_WRITE, 0, true, false },
        { DOCA_ACCESS_FLAG_RDMA_READ, 1, true, false },
        { DOCA_ACCESS_FLAG_RDMA_WRITE, 1, false, true },
        { DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE, 1, true, true },
        { DOCA_ACCESS_FLAG_RDMA_ATOMIC, 1, false, false },
        { DOCA_ACCESS_FLAG_RDMA_ATOMIC | DOCA_ACCESS_FLAG_RDMA_READ, 1, true, false },
        { DOCA_ACCESS_FLAG_RDMA_ATOMIC | DOCA_ACCESS_FLAG_RDMA_WRITE, 1, false, true },
        { DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_PCI_READ_WRITE, 1, true, false },
        { DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, 1, true, false },
        { DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE, 1, false, true },
    };
    struct share s;
    struct rig r;
    size_t i;

    share_rig_open(&r, 4);
    for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        share_open(&s, r.dev, far_bytes, FAR_BYTES, table[i].access, exports[table[i].how].call);
        share_fill(far_bytes, FAR_BYTES, (unsigned)i);
        memcpy(want, far_bytes, FAR_BYTES);
        memset(rig_to, 0xee, 100);
        if (table[i].reads) {
            share_copy(&r, share_src(&r, s.import, far_bytes, 100), rig_dst(&r, 0, 100));
            CHECK_MEM(rig_to, far_bytes, 100);
        } else {
            share_refused(&r, share_src(&r, s.import, far_bytes, 100), rig_dst(&r, 0, 100),
                          DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_TASK_WRITE_ONLY);
            CHECK_EQ(rig_to[0], 0xee);
        }
        if (table[i].writes) {
            share_copy(&r, rig_src(&r, 0, 100), share_dst(&r, s.import, far_bytes, 100));
            CHECK_MEM(far_bytes, rig_from, 100);
        } else {
            share_refused(&r, rig_src(&r, 0, 100), share_dst(&r, s.import, far_bytes, 100),
                          DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_TASK_READ_ONLY);
            CHECK_MEM(far_bytes, want, FAR_BYTES);
        }
        share_close(&s);
    }
    rig_close(&r);
}

static void read_only_export_cannot_be_written(void)
{
    struct doca_buf *dst;
    struct share s;
    struct rig r;

    share_rig_open(&r, 4);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, DOCA_ACCESS_FLAG_PCI_READ_ONLY,
               doca_mmap_export_pci);
    memset(far_bytes, 0x44, 64);
    dst = rig_dst(&r, 0, 32); /* the same with an element of a list */
    CHECK_OK(doca_buf_chain_list(dst, share_dst(&r, s.import, far_bytes, 64)));
    share_refused(&r, rig_src(&r, 0, 64), dst, DOCA_ERROR_NOT_PERMITTED,
                  DOCA_CORE_ITEM_TASK_READ_ONLY);
    share_refused(&r, share_src(&r, s.import, far_bytes, 32),
                  share_dst(&r, s.import, far_bytes + 32, 32), DOCA_ERROR_NOT_PERMITTED,
                  DOCA_CORE_ITEM_TASK_READ_ONLY);
    CHECK_EQ(far_bytes[0], 0x44);
    CHECK_EQ(rig_to[0], 0xee);
    share_close(&s);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(export_needs_a_permission_of_its_kind, "72"),
    CASE(export_needs_a_started_mmap, "73"),
    CASE(export_needs_a_device_of_the_mmap, "75"),
    CASE_OF_SW(capabilities_are_reported_and_enforced, "76 85", "a table of its devices"),
    CASE_OF_CARD(each_device_and_kind_has_its_own_descriptor, "77",
                 "a second function that imports"),
    CASE(mmap_reports_whether_it_is_exported_or_imported, "78 79"),
    CASE(arguments_are_checked, ""),
    CASE(user_data_of_an_import_is_returned, "84"),
    CASE(import_cannot_be_configured, "74 82 83"),
    CASE(exported_mmap_cannot_be_configured, "83"),
    CASE(stop_ends_exports_and_their_imports, "80"),
    CASE(copy_names_the_exporter_that_stopped, "80"),
    CASE(import_has_the_exporters_addresses, "83 87 88"),
    CASE(buffers_must_be_inside_the_exported_range, "87"),
    CASE(pools_and_arrays_can_use_imports, "87"),
    CASE_OF_CARD(import_belongs_to_one_device, "", "a second function that imports"),
    CASE(imports_allow_what_their_kind_of_permission_allows, "244"),
    CASE(read_only_export_cannot_be_written, "244"),
};

TEST_MAIN(cases)
