/* Export and import of mmaps within one process. The library runs the same code as between two
 * processes, which test_export_processes.c tests. Also tests mmaps on dmabufs. */
#include "share.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

#define PAGE 4096u
#define FAR_BYTES (4 * RIG_BYTES)

static _Alignas(PAGE) unsigned char far_bytes[FAR_BYTES];
static unsigned char want[FAR_BYTES];

/* Set a topology of one or two software devices with these capabilities. */
static void set_devs(uint32_t num, bool exports, bool imports, bool has_rdma, bool has_dmabuf)
{
    static struct doca_core_dev_attr attrs[2];
    uint32_t i;

    for (i = 0; i < num; i++) {
        memcpy(attrs[i].pci_addr, i == 0 ? "0000:0c:00.0" : "0000:0c:00.1", sizeof("0000:0c:00.0"));
        CHECK_OK(doca_core_sw_profile("unlimited", &attrs[i].limits));
        attrs[i].limits.has_export_pci = exports;
        attrs[i].limits.has_import_pci = imports;
        attrs[i].limits.has_rdma = has_rdma;
        attrs[i].limits.has_dmabuf = has_dmabuf;
    }
    CHECK_OK(doca_core_sw_set_devices(attrs, num));
}

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

#define ANY_PCI (DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE)
#define ANY_RDMA                                                                                   \
    (DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

static const struct {
    share_export_t *call;
    uint32_t flags; /* the export needs one of these permissions */
} exports[] = { { doca_mmap_export_pci, ANY_PCI }, { doca_mmap_export_rdma, ANY_RDMA } };
/* Index of the first kind of export that the device supports. */
#define FIRST_KIND (share_is_rdma_only() ? 1u : 0u)

static uint8_t is_exported(const struct doca_mmap *mmap)
{
    uint8_t exported = 9;

    CHECK_OK(doca_mmap_get_exported(mmap, &exported));
    return exported;
}

static uint8_t is_import(const struct doca_mmap *mmap)
{
    uint8_t from_export = 9;

    CHECK_OK(doca_mmap_get_from_export(mmap, &from_export));
    return from_export;
}

/* Check that this export fails and does not change its outputs. */
static void check_no_export(share_export_t *how, struct doca_mmap *mmap, struct doca_dev *dev,
                            doca_error_t code)
{
    const void *desc = far_bytes;
    size_t len = 77;

    CHECK_RC(how(mmap, dev, &desc, &len), code);
    CHECK_PTR(desc, far_bytes);
    CHECK_EQ(len, 77);
}

static void check_no_import(const void *desc, size_t len, struct doca_dev *dev, doca_error_t code)
{
    struct doca_mmap *mmap = (struct doca_mmap *)(void *)far_bytes;

    CHECK_RC(doca_mmap_create_from_export(NULL, desc, len, dev, &mmap), code);
    CHECK_PTR(mmap, far_bytes);
}

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

/* ---- descriptors ---- */

/* A valid descriptor, and a copy of it, which the case changes. */
struct forgery {
    struct doca_dev *dev;
    struct share s;
    union {
        struct doca_priv_mmap_desc desc;
        unsigned char bytes[sizeof(struct doca_priv_mmap_desc)];
    } u;
};

static void forgery_open(struct forgery *f)
{
    f->dev = rig_open_dev(NULL);
    share_open(&f->s, f->dev, far_bytes, FAR_BYTES, SHARE_PCI | SHARE_RDMA, doca_mmap_export_pci);
    CHECK_EQ(f->s.desc_len, sizeof(f->u));
    memcpy(&f->u, f->s.desc, sizeof(f->u));
}

static void forgery_close(struct forgery *f)
{
    share_close(&f->s);
    CHECK_OK(doca_dev_close(f->dev));
}

/* Each descriptor ends directly before a page that cannot be read. */
static void truncated_descriptors_are_not_read_beyond_their_end(void)
{
    unsigned char *pages = share_pages(2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    struct forgery f;
    size_t len;

    forgery_open(&f);
    CHECK_EQ(mprotect(pages + PAGE, PAGE, PROT_NONE), 0);
    for (len = 0; len <= sizeof(f.u); len++) {
        unsigned char *at = pages + PAGE - len;
        struct doca_mmap *import;

        memcpy(at, &f.u, len);
        if (len < sizeof(f.u)) {
            check_no_import(at, len, f.dev, DOCA_ERROR_INVALID_VALUE);
            CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EXPORT_LENGTH);
        } else { /* complete, at a misaligned address */
            CHECK_OK(doca_mmap_create_from_export(NULL, at, len, f.dev, &import));
            CHECK_OK(doca_mmap_destroy(import));
            memmove(at - 1, at, len);
            CHECK_OK(doca_mmap_create_from_export(NULL, at - 1, len, f.dev, &import));
            CHECK_OK(doca_mmap_destroy(import));
        }
    }
    CHECK_EQ(munmap(pages, 2 * PAGE), 0);
    forgery_close(&f);
}

static void descriptors_with_one_changed_byte_are_refused(void)
{
    struct forgery f;
    size_t at;
    int x;

    forgery_open(&f);
    for (at = 0; at < sizeof(f.u); at++) {
        for (x = 1; x < 256; x++) { /* including each flipped bit */
            f.u.bytes[at] ^= (unsigned char)x;
            check_no_import(&f.u, sizeof(f.u), f.dev, DOCA_ERROR_INVALID_VALUE);
            f.u.bytes[at] ^= (unsigned char)x;
        }
    }
    forgery_close(&f);
}

static void extended_descriptors_are_refused(void)
{
    static unsigned char longer[4 * sizeof(struct doca_priv_mmap_desc)];
    struct doca_priv_mmap_desc desc;
    struct forgery f;
    size_t len;

    forgery_open(&f);
    for (len = sizeof(f.u) + 1; len <= sizeof(longer); len++) {
        memcpy(longer, &f.u, sizeof(f.u));
        check_no_import(longer, len, f.dev, DOCA_ERROR_INVALID_VALUE);
        desc = f.u.desc; /* also when the header contains the longer length */
        desc.head.bytes = (uint32_t)len;
        share_seal(&desc);
        memcpy(longer, &desc, sizeof(desc));
        check_no_import(longer, len, f.dev, DOCA_ERROR_INVALID_VALUE);
        check_no_import(longer, sizeof(desc), f.dev, DOCA_ERROR_INVALID_VALUE);
    }
    check_no_import(&f.u, SIZE_MAX, f.dev, DOCA_ERROR_INVALID_VALUE);
    forgery_close(&f);
}

static void random_descriptors_are_refused(void)
{
    unsigned char bytes[256];
    struct forgery f;
    unsigned round;
    size_t i, len;

    forgery_open(&f);
    for (round = 0; round < 20000; round++) {
        for (i = 0; i < sizeof(bytes); i++)
            bytes[i] = (unsigned char)rig_random(256);
        if (round % 3 == 1) /* begins with valid bytes of a descriptor */
            memcpy(bytes, f.u.bytes, rig_random(sizeof(f.u)));
        if (round % 3 == 2) /* begins with another magic number */
            memcpy(bytes, "vendor", 6);
        len = round % 2 == 0 ? sizeof(f.u) : 1 + rig_random(sizeof(bytes));
        if (len == sizeof(f.u) && memcmp(bytes, &f.u, len) == 0)
            continue;
        check_no_import(bytes, len, f.dev, DOCA_ERROR_INVALID_VALUE);
    }
    forgery_close(&f);
}

/* Return a process number that no process has. */
static uint32_t free_pid(void)
{
    pid_t pid = 4194303; /* the highest possible process number */

    while (kill(pid, 0) == 0)
        pid--;
    return (uint32_t)pid;
}

/* The forged descriptors have a correct checksum, so only their content can be refused. */
static void descriptors_with_impossible_contents_are_refused(void)
{
    static const uint64_t no_addresses[] = { 0, 1, 8, (uint64_t)1 << 47, (uint64_t)1 << 63,
                                             UINT64_MAX - 7, UINT64_MAX };
    static uint64_t not_the_token = 5, nothing = 0, somewhere[64] = { 7 };
    struct doca_mmap *import;
    struct forgery f;
    unsigned i;

    forgery_open(&f);
#define REFUSED(assignment, code)                                                                  \
    do {                                                                                           \
        struct doca_priv_mmap_desc desc = f.u.desc;                                                \
        struct doca_priv_export *head = &desc.head;                                                \
        (void)head;                                                                                \
        assignment;                                                                                \
        share_seal(&desc);                                                                         \
        check_no_import(&desc, sizeof(desc), f.dev, code);                                         \
    } while (0)
    REFUSED(desc.len = 0, DOCA_ERROR_INVALID_VALUE);
    REFUSED(desc.len = UINT64_MAX, DOCA_ERROR_INVALID_VALUE);
    REFUSED(desc.len = UINT64_MAX - desc.addr + 1, DOCA_ERROR_INVALID_VALUE);
    REFUSED(desc.addr = UINT64_MAX, DOCA_ERROR_INVALID_VALUE);
    REFUSED(desc.addr = UINT64_MAX - desc.len + 1, DOCA_ERROR_INVALID_VALUE);
    REFUSED(desc.access |= 1u << 7, DOCA_ERROR_INVALID_VALUE);
    if (test_other() == NULL) { /* other devices ask their firmware instead of the exporter */
        REFUSED(desc.addr = 0, DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EXPORT_DAMAGED);
        REFUSED(head->pid = free_pid(), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EXPORTER_GONE);
        REFUSED(head->pid = 0, DOCA_ERROR_INVALID_VALUE);
        REFUSED(head->pid = UINT32_MAX, DOCA_ERROR_INVALID_VALUE);
        REFUSED(head->pid = (uint32_t)INT32_MIN, DOCA_ERROR_INVALID_VALUE);
        REFUSED(head->token ^= 1, DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EXPORTER_STOPPED);
        REFUSED(head->token = 0, DOCA_ERROR_INVALID_VALUE);
        REFUSED(head->token_at = (uintptr_t)&not_the_token, DOCA_ERROR_INVALID_VALUE);
        REFUSED((head->token_at = (uintptr_t)&nothing, head->token = 0), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EXPORTER_STOPPED);
        for (i = 0; i < sizeof(no_addresses) / sizeof(no_addresses[0]); i++)
            REFUSED(head->token_at = no_addresses[i], DOCA_ERROR_INVALID_VALUE);
        REFUSED(head->machine ^= 1, DOCA_ERROR_NOT_SUPPORTED);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EXPORT_MACHINE);
        /* valid values that differ from the exporter's record of the export */
        REFUSED(desc.addr += 8, DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EXPORT_DAMAGED);
        REFUSED(desc.len -= 8, DOCA_ERROR_INVALID_VALUE);
        REFUSED(desc.access ^= DOCA_ACCESS_FLAG_PCI_READ_WRITE ^ DOCA_ACCESS_FLAG_PCI_READ_ONLY,
                DOCA_ERROR_INVALID_VALUE);
        REFUSED(head->kind ^= 1 ^ 2, DOCA_ERROR_INVALID_VALUE);
        REFUSED(head->machine = 0, DOCA_ERROR_INVALID_VALUE);
        REFUSED((head->token_at = (uintptr_t)somewhere, head->token = 7), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EXPORT_DAMAGED);
    }
    REFUSED(head->version++, DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EXPORT_VERSION);
    REFUSED(head->version = 0, DOCA_ERROR_INVALID_VALUE);
    REFUSED(head->pointer_bytes ^= 4 ^ 8, DOCA_ERROR_INVALID_VALUE); /* other pointer size */
    for (i = 0; i < 256; i++) /* 1 and 2 are the kinds of mmap exports */
        if (i != 1 && i != 2)
            REFUSED(head->kind = (uint8_t)i, DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EXPORT_KIND);
    REFUSED(head->bytes++, DOCA_ERROR_INVALID_VALUE);
    REFUSED(head->bytes = 0, DOCA_ERROR_INVALID_VALUE);
    REFUSED(head->magic[0] = 'D', DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EXPORT_FOREIGN);
#undef REFUSED
    share_seal(&f.u.desc); /* share_seal() computes the same checksum as the library */
    CHECK_MEM(&f.u, f.s.desc, sizeof(f.u));
    CHECK_OK(doca_mmap_create_from_export(NULL, &f.u, sizeof(f.u), f.dev, &import));
    CHECK_OK(doca_mmap_destroy(import));
    forgery_close(&f);
}

static void descriptor_can_be_imported_many_times(void)
{
    struct doca_mmap *imports[8];
    struct forgery f;
    size_t i;

    forgery_open(&f);
    for (i = 0; i < 8; i++)
        CHECK_OK(doca_mmap_create_from_export(NULL, f.s.desc, f.s.desc_len, f.dev, &imports[i]));
    for (i = 0; i < 8; i++)
        CHECK_OK(doca_mmap_destroy(imports[i]));
    forgery_close(&f);
}

/* Open the first device of this side. It has the limits of the current profile. */
static struct doca_dev *open_side(enum doca_core_side side)
{
    struct doca_dev *dev;

    CHECK_OK(doca_core_sw_set_side(side));
    dev = rig_open_dev(NULL);
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_BOTH));
    return dev;
}

/* Check the PCI capabilities of the devices of both sides in a profile. Each side then imports an
 * export of the other side. */
static void check_pci_of_profile(const char *profile, bool may_export, bool dpu_imports,
                                 bool host_imports)
{
    static const enum doca_core_side sides[] = { DOCA_CORE_SIDE_DPU, DOCA_CORE_SIDE_HOST };
    const bool imports[] = { dpu_imports, host_imports };
    struct doca_dev *from, *to;
    struct doca_mmap *map, *import;
    const void *desc;
    doca_error_t rc;
    size_t i, len;
    uint8_t can;

    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_core_sw_set_profile("default")); /* all devices of this profile export */
        from = open_side(sides[1 - i]);
        CHECK_OK(doca_core_sw_set_profile(profile));
        to = open_side(sides[i]);
        map = share_map(from, far_bytes, FAR_BYTES, SHARE_PCI);
        CHECK_OK(doca_mmap_export_pci(map, from, &desc, &len));
        CHECK_OK(doca_mmap_cap_is_create_from_export_pci_supported(doca_dev_as_devinfo(to), &can));
        CHECK_EQ(can, imports[i]);
        if (imports[i]) {
            CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, to, &import));
            CHECK_OK(doca_mmap_destroy(import));
        } else {
            check_no_import(desc, len, to, DOCA_ERROR_NOT_SUPPORTED);
            CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_SW_NO_EXPORT);
            CHECK(strstr(doca_core_last_error(), "DOCA_CORE_SW_PROFILE=unlimited") != NULL);
        }
        CHECK_OK(doca_mmap_destroy(map));
        map = share_map(to, far_bytes, FAR_BYTES, SHARE_PCI);
        CHECK_OK(doca_mmap_cap_is_export_pci_supported(doca_dev_as_devinfo(to), &can));
        CHECK_EQ(can, may_export);
        rc = doca_mmap_export_pci(map, to, &desc, &len);
        CHECK_RC(rc, may_export ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
        if (!may_export)
            CHECK(strstr(doca_core_last_error(), "DOCA_CORE_SW_PROFILE=unlimited") != NULL);
        CHECK_OK(doca_mmap_destroy(map));
        CHECK_OK(doca_dev_close(to));
        CHECK_OK(doca_dev_close(from));
    }
    CHECK_OK(doca_core_sw_set_profile("default"));
}

static void host_imports_by_pci_in_the_profile_unlimited(void)
{
    static const bool can[] = { false, true, true, false };
    struct doca_devinfo **list;
    uint32_t i, n;
    uint8_t is;

    check_pci_of_profile("default", true, true, false);
    check_pci_of_profile("bluefield2", true, true, false);
    check_pci_of_profile("bluefield3", true, true, false);
    check_pci_of_profile("connectx7", false, false, false);
    check_pci_of_profile("unlimited", true, true, true);
    /* the profile of a function has priority over the current profile */
    CHECK_OK(doca_core_sw_set_topology("0b:00.0 side=host; 0b:00.1 side=host profile=unlimited;"
                                       "0b:00.2 profile=unlimited side=host;"
                                       "0b:00.3 side=host profile=bluefield2"));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_EQ(n, 4);
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_mmap_cap_is_create_from_export_pci_supported(list[i], &is));
        CHECK_EQ(is, can[i]);
    }
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_sw_set_profile("unlimited"));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_EQ(list[0]->attr.limits.has_import_pci, 1);
    CHECK_EQ(list[3]->attr.limits.has_import_pci, 0);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_sw_set_profile("default"));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
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

/* ---- copies ---- */

static const size_t lengths[] = { 1, 2, 7, 64, 4095, 4096, 4097, 8191, 8192, 8193, 16384, 20000,
                                  RIG_BYTES };
#define NUM_LENGTHS (sizeof(lengths) / sizeof(lengths[0]))

/* Copies to, from and between imports. The copied bytes are appended to the content of the
 * destination, and no other byte changes. */
static void imports_are_source_and_destination(void)
{
    enum { HAD = 5 }; /* bytes of content before the copy */
    struct share s;
    struct rig r;
    size_t i;
    int way;

    share_rig_open(&r, 4);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    for (i = 0; i < NUM_LENGTHS; i++) {
        for (way = 1; way < 4; way++) { /* bit 0: the source is an import; bit 1: destination */
            size_t len = lengths[i], room = HAD + len + 3;
            unsigned char *from = way & 1 ? far_bytes + 1 : rig_from;
            unsigned char *to = way & 2 ? far_bytes + RIG_BYTES + 3 : far_bytes + 2 * RIG_BYTES;
            struct doca_buf *src, *dst;

            share_fill(far_bytes, FAR_BYTES, (unsigned)(i + len));
            src = share_src(&r, way & 1 ? s.import : r.src_map, from, len);
            dst = share_buf(&r, way & 2 ? s.import : s.map, to, room, 0, HAD);
            memcpy(want, far_bytes, FAR_BYTES);
            memcpy(want + (to - far_bytes) + HAD, from, len);
            CHECK_OK(share_run(&r, src, dst));
            CHECK_MEM(far_bytes, want, FAR_BYTES);
            CHECK_EQ(rig_data_len(dst), HAD + len);
            CHECK_EQ(rig_data_len(src), len);
            share_drop(src, dst);
        }
    }
    share_close(&s);
    rig_close(&r);
}

static const ptrdiff_t shifts[] = { -20000, -8193, -8192, -8191, -4097, -4096, -100, -1, 0,
                                    1, 100, 4096, 4097, 8191, 8192, 8193, 20000 };

/* Check copies between single buffers that overlap. The result is that of memmove(); a device that
 * cannot do that for imports must refuse the copy. */
static void check_overlap(struct rig *r, struct doca_mmap *from_map, struct doca_mmap *to_map,
                          bool is_far)
{
    static unsigned char pattern[FAR_BYTES];
    unsigned char *middle = far_bytes + FAR_BYTES / 2;
    size_t i, k;

    share_fill(pattern, FAR_BYTES, 1);
    for (i = 0; i < NUM_LENGTHS; i++) {
        for (k = 0; k < sizeof(shifts) / sizeof(shifts[0]); k++) {
            memcpy(far_bytes, pattern, FAR_BYTES);
            memcpy(want, pattern, FAR_BYTES);
            memmove(want + FAR_BYTES / 2 + shifts[k], want + FAR_BYTES / 2, lengths[i]);
            if (test_other() != NULL && is_far && (size_t)labs(shifts[k]) < lengths[i]) {
                memcpy(want, pattern, FAR_BYTES); /* the copy fails and changes nothing */
                share_fails(r, share_src(r, from_map, middle, lengths[i]),
                            share_dst(r, to_map, middle + shifts[k], lengths[i]),
                            DOCA_CORE_ITEM_MLX5_OVERLAP);
            } else {
                share_copy(r, share_src(r, from_map, middle, lengths[i]),
                           share_dst(r, to_map, middle + shifts[k], lengths[i]));
            }
            if (memcmp(far_bytes, want, FAR_BYTES) != 0)
                test_fail(__FILE__, __LINE__, "%lu bytes copied to a distance of %ld differ",
                          (unsigned long)lengths[i], (long)shifts[k]);
        }
    }
}

static void overlap_within_an_import_is_copied_as_by_memmove(void)
{
    struct doca_mmap *second;
    struct share s;
    struct rig r;

    share_rig_open(&r, 4);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI | SHARE_RDMA, doca_mmap_export_pci);
    check_overlap(&r, s.import, s.import, true);
    if (test_other() == NULL) { /* other devices do not know that both mmaps are the same memory */
        CHECK_OK(doca_mmap_export_rdma(s.map, r.dev, &s.desc, &s.desc_len));
        CHECK_OK(doca_mmap_create_from_export(NULL, s.desc, s.desc_len, r.dev, &second));
        check_overlap(&r, s.import, second, true);
        CHECK_OK(doca_mmap_destroy(second));
    }
    share_close(&s);
    rig_close(&r);
}

static void overlap_of_an_mmap_with_its_own_import_is_copied_as_by_memmove(void)
{
    struct share s;
    struct rig r;

    share_rig_open(&r, 4);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    check_overlap(&r, s.map, s.import, false);
    check_overlap(&r, s.import, s.map, false);
    share_close(&s);
    rig_close(&r);
}

static void overlap_of_lists_in_imports_is_refused(void)
{
    struct doca_buf *src, *dst, *more;
    struct doca_dma_task_memcpy *task;
    struct share s;
    struct rig r;

    share_rig_open(&r, 4);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    src = share_src(&r, s.import, far_bytes, 100);
    dst = share_dst(&r, s.import, far_bytes + 1000, 50);
    more = share_dst(&r, s.import, far_bytes + 99, 50);
    CHECK_OK(doca_buf_chain_list(dst, more));
    task = rig_task(r.dma, src, dst);
    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DMA_OVERLAP);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    share_drop(src, dst);
    share_close(&s);
    rig_close(&r);
}

/* Make a list of `num` buffers of `each` bytes with gaps of `gap` bytes between them. */
static struct doca_buf *row(struct rig *r, struct doca_mmap *mmap, unsigned char *at, size_t num,
                            size_t each, size_t gap, bool is_src)
{
    struct doca_buf *head = NULL, *buf;

    for (; num > 0; num--, at += each + gap) {
        buf = is_src ? share_src(r, mmap, at, each) : share_dst(r, mmap, at, each);
        if (head == NULL)
            head = buf;
        else
            CHECK_OK(doca_buf_chain_list(head, buf));
    }
    return head;
}

/* Return the largest number of buffers in a list that the device accepts. */
static uint32_t most_pieces(const struct rig *r)
{
    uint32_t num;

    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(doca_dev_as_devinfo(r->dev), &num));
    CHECK(num >= 64);
    return num;
}

/* Lists with fewer buffers than one system call can copy, with exactly that number, and with
 * more. */
static void lists_of_many_buffers_are_copied(void)
{
    static const size_t nums[] = { 2, 15, 16, 17, 31, 32, 33, 48, 49, 100 };
    enum { EACH = 60, GAP = 3 };
    struct share s;
    struct rig r;
    size_t i, k;
    int way;

    share_rig_open(&r, 4);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    for (i = 0; i < sizeof(nums) / sizeof(nums[0]); i++) {
        for (way = 1; way < 4; way++) {
            unsigned char *from = way & 1 ? far_bytes : rig_from;
            unsigned char *to = far_bytes + RIG_BYTES;
            size_t max_num = most_pieces(&r), num = nums[i] < max_num ? nums[i] : max_num;

            share_fill(far_bytes, FAR_BYTES, (unsigned)num);
            memcpy(want, far_bytes, FAR_BYTES);
            /* the buffers of source and destination have different lengths */
            for (k = 0; k < num * EACH; k++)
                want[RIG_BYTES + k / (2 * EACH) * (2 * EACH + GAP) + k % (2 * EACH)] =
                    from[k / EACH * (EACH + GAP) + k % EACH];
            share_copy(&r, row(&r, way & 1 ? s.import : r.src_map, from, num, EACH, GAP, true),
                       row(&r, way & 2 ? s.import : s.map, to, num / 2 + 1, 2 * EACH, GAP, false));
            CHECK_MEM(far_bytes, want, FAR_BYTES);
        }
    }
    share_close(&s);
    rig_close(&r);
}

/* Create a memfd, which the tests use as a dmabuf. The library makes the same system calls for
 * both. Only the ioctls that begin and end an access fail on a memfd, and the library ignores
 * that. */
static int new_memfd(size_t bytes)
{
    int fd = memfd_create("dmabuf", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    CHECK(fd >= 0);
    CHECK_EQ(ftruncate(fd, (off_t)bytes), 0);
    CHECK_EQ(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0); /* a dmabuf never shrinks */
    return fd;
}

static unsigned char *view_of(int fd, size_t bytes)
{
    void *view = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    CHECK(view != MAP_FAILED);
    return view;
}

static struct doca_mmap *dmabuf_map(struct doca_dev *dev, int fd, void *addr, size_t offset,
                                    size_t len)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, addr, offset, len));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_start(mmap));
    return mmap;
}

/* The address of the buffers of a dmabuf. No memory is mapped there. */
#define NOWHERE ((unsigned char *)(uintptr_t)(5 * PAGE + 24))

/* Buffers with equal addresses do not overlap when they are in different memory: in an exporter or
 * a dmabuf, an address denotes other bytes than in this process. */
static void equal_addresses_of_different_memory_do_not_overlap(void)
{
    int fd = new_memfd(RIG_BYTES);
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst, *more;
    struct doca_mmap *dmabuf;
    struct rig r;

    share_rig_open(&r, 1);
    dmabuf = dmabuf_map(r.dev, fd, rig_from, 0, RIG_BYTES);
    src = rig_src(&r, 0, 100);
    dst = share_dst(&r, dmabuf, rig_from, 50);
    more = share_dst(&r, dmabuf, rig_from + 50, 50);
    CHECK_OK(doca_buf_chain_list(dst, more));
    task = rig_task(r.dma, src, dst);
    CHECK_OK(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    share_drop(src, dst);
    CHECK_OK(doca_mmap_destroy(dmabuf));
    rig_close(&r);
    close(fd);
}

/* One kind of memory: RIG_BYTES bytes to read from, then RIG_BYTES bytes to write to. */
struct area {
    struct doca_mmap *mmap;
    unsigned char *addr; /* address that buffers use */
    unsigned char *seen; /* address at which the test accesses the same bytes */
    size_t next;         /* first byte that the current task has no destination at */
};
enum { NUM_AREAS = 4, MAX_PIECES = 200 };

static struct area areas[NUM_AREAS];
static unsigned num_areas; /* the last area is a dmabuf, if a memfd can be used as one */
static unsigned char gathered[MAX_PIECES * 3000];
static unsigned char before[NUM_AREAS][RIG_BYTES];

static struct doca_buf *append(struct doca_buf *head, struct doca_buf *buf)
{
    if (head == NULL)
        return buf;
    CHECK_OK(doca_buf_chain_list(head, buf));
    return head;
}

/* A copy between two exporters, of which one has ended. The buffers of that exporter are in the
 * middle of the list. */
static void copy_between_exporters_fails_when_one_has_ended(void)
{
    enum { NUM = 3, EACH = 20000 };
    struct doca_buf *src, *dst;
    struct share good, bad;
    struct rig r;
    unsigned i;
    int way;

    share_rig_open(&r, 4);
    for (way = 0; way < 2; way++) {
        share_open(&good, r.dev, far_bytes, 2 * RIG_BYTES, SHARE_PCI, doca_mmap_export_pci);
        share_open(&bad, r.dev, far_bytes + 2 * RIG_BYTES, 2 * RIG_BYTES, SHARE_PCI,
                   doca_mmap_export_pci);
        CHECK_OK(doca_mmap_stop(bad.map));
        src = dst = NULL;
        for (i = 0; i < NUM; i++) {
            unsigned char *from = far_bytes + i * EACH, *to = from + RIG_BYTES;
            bool is_from = i == 1 && way == 0, is_to = i == 1 && way == 1;

            src = append(src, share_src(&r, is_from ? bad.import : good.import,
                                        from + (is_from ? 2 * RIG_BYTES : 0), EACH));
            dst = append(dst, share_dst(&r, is_to ? bad.import : good.import,
                                        to + (is_to ? 2 * RIG_BYTES : 0), EACH / 2));
            dst = append(dst, share_dst(&r, good.import, to + EACH / 2, EACH / 2));
        }
        share_fails(&r, src, dst, DOCA_CORE_ITEM_EXPORTER_STOPPED);
        share_close(&bad);
        share_copy(&r, share_src(&r, good.import, far_bytes, EACH),
                   share_dst(&r, good.import, far_bytes + RIG_BYTES, EACH));
        CHECK_MEM(far_bytes + RIG_BYTES, far_bytes, EACH);
        share_close(&good);
    }
    rig_close(&r);
}

/* Copy with one task between random lists of buffers in all areas. Compare the result with a
 * model. */
static void copy_random_lists(struct rig *r, uint32_t max_piece)
{
    struct { struct doca_buf *buf; size_t content, room; } out[MAX_PIECES];
    struct doca_buf *src = NULL, *dst = NULL;
    size_t total = 0, room = 0, done = 0, k;
    unsigned num = 1 + rig_random(most_pieces(r) < MAX_PIECES ? 10 : 40), num_out = 0, i;

    for (i = 0; i < num; i++) {
        struct area *a = &areas[rig_random(num_areas)];
        size_t len = 1 + rig_random(max_piece), off = rig_random((uint32_t)(RIG_BYTES - len));
        size_t data_off = rig_random((uint32_t)len), data_len = len - data_off;

        if (i > 0 && rig_random(6) == 0)
            data_len = 0;
        memcpy(gathered + total, a->seen + off + data_off, data_len);
        total += data_len;
        src = append(src, share_buf(r, a->mmap, a->addr + off, len, data_off, data_len));
    }
    for (i = 0; i < num_areas; i++) {
        areas[i].next = 0;
        memcpy(before[i], areas[i].seen + RIG_BYTES, RIG_BYTES);
    }
    while (room < total || num_out == 0) {
        unsigned which = rig_random(num_areas);
        struct area *a = &areas[which];
        size_t gap = rig_random(5), len = 1 + rig_random(max_piece);
        size_t content = rig_random(6) == 0 ? len : rig_random((uint32_t)len);
        size_t n = len - content, at = a->next + gap;

        if (num_out == MAX_PIECES || num_out == most_pieces(r) || at + len > RIG_BYTES)
            test_fail(__FILE__, __LINE__, "the areas of this test are too small");
        a->next = at + len;
        out[num_out].buf = share_buf(r, a->mmap, a->addr + RIG_BYTES + at, len, 0, content);
        out[num_out].content = content;
        out[num_out].room = n;
        dst = append(dst, out[num_out].buf);
        num_out++;
        room += n;
        n = n < total - done ? n : total - done;
        memcpy(before[which] + at + content, gathered + done, n);
        done += n;
    }
    CHECK_OK(share_run(r, src, dst));
    for (i = 0; i < num_areas; i++)
        CHECK_MEM(areas[i].seen + RIG_BYTES, before[i], RIG_BYTES);
    for (i = 0, k = total; i < num_out; i++) {
        size_t n = out[i].room < k ? out[i].room : k;

        CHECK_EQ(rig_data_len(out[i].buf), out[i].content + n);
        k -= n;
    }
    share_drop(src, dst);
}

static void lists_of_all_kinds_of_memory_agree_with_a_model(void)
{
    static unsigned char local[2 * RIG_BYTES], far_b[2 * RIG_BYTES];
    int fd = new_memfd(2 * RIG_BYTES);
    unsigned char *view = view_of(fd, 2 * RIG_BYTES);
    struct doca_mmap *local_map, *dmabuf = NULL;
    struct share a, b;
    unsigned i, round;
    struct rig r;

    share_rig_open(&r, 4);
    local_map = rig_map(r.dev, local, sizeof(local));
    share_open(&a, r.dev, far_bytes, 2 * RIG_BYTES, SHARE_PCI, doca_mmap_export_pci);
    share_open(&b, r.dev, far_b, 2 * RIG_BYTES, SHARE_RDMA, doca_mmap_export_rdma);
    if (test_other() == NULL)
        dmabuf = dmabuf_map(r.dev, fd, NOWHERE, 0, 2 * RIG_BYTES);
    num_areas = dmabuf != NULL ? NUM_AREAS : NUM_AREAS - 1;
    areas[0] = (struct area){ local_map, local, local, 0 };
    areas[1] = (struct area){ a.import, far_bytes, far_bytes, 0 };
    areas[2] = (struct area){ b.import, far_b, far_b, 0 };
    areas[3] = (struct area){ dmabuf, NOWHERE, view, 0 };
    for (i = 0; i < NUM_AREAS; i++)
        share_fill(areas[i].seen, 2 * RIG_BYTES, i * 77);
    for (round = 0; round < 300; round++)
        copy_random_lists(&r, round % 3 == 0 ? 40 : round % 3 == 1 ? 600 : 1400);
    share_close(&a);
    share_close(&b);
    CHECK_OK(doca_mmap_destroy(local_map));
    CHECK(dmabuf == NULL || doca_mmap_destroy(dmabuf) == DOCA_SUCCESS);
    rig_close(&r);
    CHECK_EQ(munmap(view, 2 * RIG_BYTES), 0);
    close(fd);
}

static void megabytes_are_copied_in_one_task(void)
{
    const size_t mapped = (size_t)8 << 20;
    size_t bytes = mapped;
    unsigned char *near_pages = share_pages(2 * mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    unsigned char *far_pages = share_pages(2 * mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    struct doca_mmap *near_map;
    uint64_t max;
    struct share s;
    struct rig r;

    share_rig_open(&r, 4);
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(doca_dev_as_devinfo(r.dev), &max));
    CHECK(max >= bytes || test_other() != NULL);
    bytes = max < bytes ? (size_t)max : bytes;
    near_map = rig_map(r.dev, near_pages, 2 * bytes);
    share_open(&s, r.dev, far_pages, 2 * bytes, SHARE_PCI, doca_mmap_export_pci);
    share_fill(near_pages, bytes, 9);
    share_copy(&r, share_src(&r, near_map, near_pages + 1, bytes - 1),
               share_dst(&r, s.import, far_pages + 5, bytes));
    CHECK_MEM(far_pages + 5, near_pages + 1, bytes - 1);
    share_copy(&r, share_src(&r, s.import, far_pages + 5, bytes - 1),
               share_dst(&r, near_map, near_pages + bytes, bytes));
    CHECK_MEM(near_pages + bytes, near_pages + 1, bytes - 1);
    share_copy(&r, share_src(&r, s.import, far_pages + 5, bytes - 9),
               share_dst(&r, s.import, far_pages + bytes + 5, bytes - 9));
    CHECK_MEM(far_pages + bytes + 5, near_pages + 1, bytes - 9);
    share_close(&s);
    CHECK_OK(doca_mmap_destroy(near_map));
    rig_close(&r);
    CHECK_EQ(munmap(near_pages, 2 * mapped), 0);
    CHECK_EQ(munmap(far_pages, 2 * mapped), 0);
}

#if SIZE_MAX > UINT32_MAX
/* Map the same `bytes` of a file `times` times, at consecutive addresses. */
static unsigned char *map_repeatedly(int fd, size_t bytes, size_t times)
{
    unsigned char *at = share_pages(bytes * times, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE);
    size_t i;

    for (i = 0; i < times; i++)
        CHECK(mmap(at + i * bytes, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) !=
              MAP_FAILED);
    return at;
}
#endif

/* Lists of few buffers, with more bytes than the kernel copies in one system call. Source and
 * destination are 8 MiB of memory each, which is mapped many times. */
static void gigabytes_are_copied_in_one_task(void)
{
#if SIZE_MAX > UINT32_MAX
    const size_t bytes = (size_t)8 << 20, times = 20, len = bytes * times;
    int from_fd = new_memfd(bytes), to_fd = new_memfd(bytes);
    unsigned char *from = map_repeatedly(from_fd, bytes, times);
    unsigned char *to = map_repeatedly(to_fd, bytes, times);
    struct doca_buf *src = NULL, *dst = NULL, *last;
    struct doca_mmap *to_map;
    struct share s;
    struct rig r;
    unsigned i;

    CHECK_OK(doca_core_sw_set_profile("unlimited")); /* the default limit is 1 GiB in a task */
    share_rig_open(&r, 1);
    CHECK_OK(doca_core_sw_set_profile("default"));
    share_fill(from, bytes, 3);
    share_open(&s, r.dev, from, len, SHARE_PCI, doca_mmap_export_pci);
    to_map = rig_map(r.dev, to, len);
    for (i = 0; i < 13; i++) { /* 2080 MiB */
        src = append(src, share_src(&r, s.import, from, len));
        dst = append(dst, share_dst(&r, to_map, to, len));
    }
    CHECK_OK(doca_buf_get_last_in_list(dst, &last));
    CHECK_OK(share_run(&r, src, dst));
    CHECK_EQ(rig_data_len(dst), len);
    CHECK_EQ(rig_data_len(last), len);
    CHECK_MEM(to, from, bytes);
    share_drop(src, dst);
    share_close(&s);
    CHECK_OK(doca_mmap_destroy(to_map));
    rig_close(&r);
    CHECK_EQ(munmap(from, len), 0);
    CHECK_EQ(munmap(to, len), 0);
    close(from_fd);
    close(to_fd);
#else
    test_skip("the address space is too small");
#endif
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

/* ---- memory that disappears ---- */

/* While the mmap is exported, a page in its middle is unmapped or made inaccessible. Tasks on that
 * page fail, and no buffer's data length increases. */
static void missing_memory_fails_tasks(void)
{
    enum { HOLE = 8, NUM_PAGES = 16 };
    unsigned char *pages;
    struct share s;
    struct rig r;
    int how, way;

    share_rig_open(&r, 4);
    for (how = 0; how < 3; how++) {
        pages = share_pages(NUM_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE);
        share_open(&s, r.dev, pages, NUM_PAGES * PAGE, SHARE_PCI, doca_mmap_export_pci);
        if (how == 0)
            CHECK_EQ(munmap(pages + HOLE * PAGE, PAGE), 0);
        else
            CHECK_EQ(mprotect(pages + HOLE * PAGE, PAGE, how == 1 ? PROT_NONE : PROT_READ), 0);
        /* the range ends before the hole, crosses it, or begins at it */
        for (way = 0; way < 6; way++) {
            size_t at = (size_t)(way / 2) * (HOLE / 2) * PAGE, len = 6 * PAGE;
            bool reads = way % 2 == 0, fails = way / 2 > 0 && !(reads && how == 2);
            struct doca_buf *src, *dst, *head;

            src = reads ? share_src(&r, s.import, pages + at, len) : rig_src(&r, 0, len);
            /* a local buffer with room for more data */
            head = share_buf(&r, r.dst_map, rig_to + 32768, 100, 0, 50);
            dst = reads ? rig_dst(&r, 0, len) : share_dst(&r, s.import, pages + at, len);
            CHECK_OK(doca_buf_chain_list(head, dst));
            if (fails)
                share_fails(&r, src, head, DOCA_CORE_ITEM_EXPORTER_MEMORY);
            else
                share_copy(&r, src, head);
        }
        share_fails(&r, share_src(&r, s.import, pages + (how == 2 ? 0 : HOLE - 4) * PAGE, 6 * PAGE),
                    share_dst(&r, s.import, pages + (how == 2 ? HOLE - 1 : 9) * PAGE, 7 * PAGE),
                    DOCA_CORE_ITEM_EXPORTER_MEMORY);
        share_copy(&r, share_src(&r, s.import, pages, PAGE), rig_dst(&r, 0, PAGE));
        share_close(&s);
        CHECK_EQ(munmap(pages, NUM_PAGES * PAGE), 0);
    }
    rig_close(&r);
}

/* A large copy from one import to another fails at a page that the exporter of the destination has
 * unmapped near the beginning. No byte of the copy is left there. */
static void large_copy_into_missing_memory_leaves_nothing(void)
{
    enum { HOLE = 3, NUM_PAGES = 128 };
    const size_t len = NUM_PAGES * PAGE;
    unsigned char *pages, *source;
    struct share s, from;
    struct rig r;
    size_t i;

    share_rig_open(&r, 1);
    pages = share_pages(len, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    source = share_pages(len, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    memset(source, 0x5a, len);
    share_open(&s, r.dev, pages, len, SHARE_PCI, doca_mmap_export_pci);
    share_open(&from, r.dev, source, len, SHARE_PCI, doca_mmap_export_pci);
    CHECK_EQ(munmap(pages + HOLE * PAGE, PAGE), 0);
    share_fails(&r, share_src(&r, from.import, source, len), share_dst(&r, s.import, pages, len),
                DOCA_CORE_ITEM_EXPORTER_MEMORY);
    for (i = 0; i < len; i++)
        if (i / PAGE != HOLE)
            CHECK_EQ(pages[i], 0);
    share_close(&from);
    share_close(&s);
    CHECK_EQ(munmap(pages, len), 0);
    CHECK_EQ(munmap(source, len), 0);
    rig_close(&r);
}

/* In each round another element of the list is wrong. No element's data length may increase. */
static void failure_in_a_list_changes_no_element(void)
{
    enum { NUM = 40, EACH = 100 };
    struct doca_buf *src, *dst;
    struct share good, bad;
    struct rig r;
    size_t i, at;

    share_rig_open(&r, 4);
    share_open(&good, r.dev, far_bytes, RIG_BYTES, SHARE_PCI, doca_mmap_export_pci);
    share_open(&bad, r.dev, far_bytes + RIG_BYTES, RIG_BYTES, SHARE_PCI, doca_mmap_export_pci);
    CHECK_OK(doca_mmap_stop(bad.map));
    for (at = 0; at < NUM; at++) {
        src = dst = NULL;
        for (i = 0; i < NUM; i++) {
            struct doca_mmap *map = i == at ? bad.import : i % 2 == 0 ? good.import : r.dst_map;
            unsigned char *to = i == at ? far_bytes + RIG_BYTES : i % 2 == 0 ? far_bytes : rig_to;

            src = append(src, rig_src(&r, i * EACH, EACH));
            dst = append(dst, share_dst(&r, map, to + i * EACH, EACH));
        }
        share_fails(&r, src, dst, DOCA_CORE_ITEM_EXPORTER_STOPPED);
    }
    share_close(&good);
    share_close(&bad);
    rig_close(&r);
}

/* ---- memory and descriptors of this process ---- */

/* The arena is exhausted at each step in turn. The call must fail and leave no bytes in use. */
static void exhausted_arena_leaves_no_bytes_in_use(void)
{
    static DOCA_CORE_ALIGNED unsigned char region[DOCA_CORE_BYTES_MMAP(4)];
    struct doca_dev *dev = rig_open_dev(NULL);
    size_t bytes, used, step, k;
    struct doca_core_arena arena;
    struct doca_mmap *mmap, *import;
    const void *desc;
    struct share s;
    /* on other devices the import is a registration, which is in the device's arena */
    const size_t enough = test_other() == NULL ? DOCA_CORE_BYTES_MMAP_IMPORT(1)
                                               : DOCA_CORE_BYTES_MMAP(1);
    size_t len;

    share_open(&s, dev, far_bytes, FAR_BYTES, SHARE_PCI | SHARE_RDMA, doca_mmap_export_pci);
    for (bytes = 2 * DOCA_CORE_LINE; bytes <= enough; bytes += DOCA_CORE_LINE) {
        CHECK_OK(doca_core_arena_init(&arena, region, bytes));
        import = NULL;
        if (bytes == enough) {
            CHECK_OK(doca_core_mmap_create_from_export_in(&arena, NULL, s.desc, s.desc_len, dev,
                                                          &import));
            CHECK_OK(doca_mmap_destroy(import));
        } else {
            CHECK_RC(doca_core_mmap_create_from_export_in(&arena, NULL, s.desc, s.desc_len, dev,
                                                          &import),
                     DOCA_ERROR_NO_MEMORY);
            CHECK_PTR(import, NULL);
        }
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, 0);
        CHECK_OK(doca_core_arena_audit(&arena));
    }
    share_close(&s);
    /* the arena has room for no export, for one export, for both exports */
    for (step = 0; step < 3 - FIRST_KIND; step++) {
        CHECK_OK(doca_core_arena_init(&arena, region, DOCA_CORE_BYTES_MMAP(1) +
                                                          DOCA_CORE_BYTES_MMAP_EXPORT(step)));
        CHECK_OK(doca_core_mmap_create_in(&arena, &mmap));
        CHECK_OK(doca_mmap_set_memrange(mmap, far_bytes, FAR_BYTES));
        CHECK_OK(doca_mmap_add_dev(mmap, dev));
        CHECK_OK(doca_mmap_set_permissions(mmap, SHARE_PCI | SHARE_RDMA));
        CHECK_OK(doca_mmap_start(mmap));
        for (k = FIRST_KIND; k < 2; k++) {
            if (k - FIRST_KIND < step)
                CHECK_OK(exports[k].call(mmap, dev, &desc, &len));
            else
                check_no_export(exports[k].call, mmap, dev, DOCA_ERROR_NO_MEMORY);
        }
        CHECK_EQ(is_exported(mmap), step > 0);
        CHECK_OK(doca_mmap_destroy(mmap));
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, 0);
    }
    CHECK_OK(doca_core_arena_init(&arena, region, DOCA_CORE_BYTES_MMAP(1)));
    CHECK_OK(doca_core_mmap_create_in(&arena, &mmap));
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, 0, NOWHERE, 0, PAGE), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_mmap_get_memrange(mmap, (void **)&import, &len), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_set_memrange(mmap, far_bytes, 64)); /* the failed calls have set no range */
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
}

/* Without a free descriptor the library cannot read the id of this machine, and the call fails.
 * With a free descriptor, a later call succeeds. */
static void lack_of_descriptors_is_an_ordinary_error(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *map = share_map(dev, far_bytes, PAGE, SHARE_PCI), *import = NULL;
    const void *desc = NULL;
    struct rlimit old, few;
    doca_error_t rc;
    size_t len = 0;
    int fd = dup(0);

    CHECK(fd >= 0);
    close(fd);
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
    few = old;
    few.rlim_cur = (rlim_t)fd;
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    rc = doca_mmap_export_pci(map, dev, &desc, &len);
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
    CHECK_RC(rc, DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORT_SYSTEM);
    CHECK(strstr(doca_core_last_error(), "EMFILE") != NULL);
    CHECK(desc == NULL && len == 0);
    CHECK_EQ(is_exported(map), 0);
    CHECK_OK(doca_mmap_export_pci(map, dev, &desc, &len));
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    rc = doca_mmap_create_from_export(NULL, desc, len, dev, &import);
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
    CHECK_RC(rc, DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORT_SYSTEM);
    CHECK(strstr(doca_core_last_error(), "EMFILE") != NULL);
    CHECK(import == NULL);
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dev, &import));
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_dev_close(dev));
}

static void import_takes_memory_from_the_arena_of_its_device(void)
{
    static DOCA_CORE_ALIGNED unsigned char region[512 * DOCA_CORE_LINE];
    struct doca_dev *near_dev = rig_open_dev(test_pci_addr(0)), *dev;
    struct doca_core_arena arena;
    struct doca_devinfo **list;
    struct doca_mmap *import;
    size_t used_before, used;
    struct share s;
    uint32_t n;

    CHECK_OK(doca_core_arena_init(&arena, region, sizeof(region)));
    CHECK_OK(doca_core_devinfo_create_list_in(&arena, &list, &n));
    CHECK_OK(doca_dev_open(list[1], &dev));
    share_open(&s, near_dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    CHECK_OK(doca_core_arena_query(&arena, &used_before, NULL, NULL));
    CHECK_OK(doca_mmap_create_from_export(NULL, s.desc, s.desc_len, dev, &import));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used - used_before, DOCA_CORE_BYTES_MMAP_IMPORT(1));
    CHECK_OK(doca_mmap_destroy(import));
    share_close(&s);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_dev_close(near_dev));
}

/* ---- hashes ---- */

/* A SHA context that is connected to the PE of a rig. */
struct hasher {
    struct rig *r;
    struct doca_sha *sha;
    struct doca_ctx *ctx;
    doca_error_t status;
    unsigned num_done;
};

static void hash_done(struct hasher *h, struct doca_task *task)
{
    h->status = doca_task_get_status(task);
    share_item = h->status != DOCA_SUCCESS ? doca_core_last_item() : DOCA_CORE_ITEM_NONE;
    h->num_done++;
}

static void whole_done(struct doca_sha_task_hash *task, union doca_data task_data,
                       union doca_data ctx_data)
{
    (void)task_data;
    hash_done(ctx_data.ptr, doca_sha_task_hash_as_task(task));
}

static void partial_done(struct doca_sha_task_partial_hash *task, union doca_data task_data,
                         union doca_data ctx_data)
{
    (void)task_data;
    hash_done(ctx_data.ptr, doca_sha_task_partial_hash_as_task(task));
}

static void hasher_open(struct hasher *h, struct rig *r)
{
    h->r = r;
    h->num_done = 0;
    CHECK_OK(doca_sha_create(r->dev, &h->sha));
    h->ctx = doca_sha_as_ctx(h->sha);
    CHECK_OK(doca_ctx_set_user_data(h->ctx, (union doca_data){ .ptr = h }));
    CHECK_OK(doca_sha_task_hash_set_conf(h->sha, whole_done, whole_done, 1));
    CHECK_OK(doca_sha_task_partial_hash_set_conf(h->sha, partial_done, partial_done, 1));
    CHECK_OK(doca_pe_connect_ctx(r->pe, h->ctx));
    CHECK_OK(doca_ctx_start(h->ctx));
}

static void hasher_close(struct hasher *h)
{
    CHECK_OK(doca_ctx_stop(h->ctx));
    rig_drain(h->r);
    CHECK_OK(doca_sha_destroy(h->sha));
}

static doca_error_t hash_submit(struct hasher *h, struct doca_task *task)
{
    unsigned num = h->num_done;

    CHECK_OK(doca_task_submit(task));
    rig_drain(h->r);
    CHECK_EQ(h->num_done, num + 1);
    return h->status;
}

static doca_error_t hash_whole(struct hasher *h, enum doca_sha_algorithm algorithm,
                               struct doca_buf *src, struct doca_buf *dst)
{
    struct doca_sha_task_hash *task;
    doca_error_t rc;

    CHECK_OK(doca_sha_task_hash_alloc_init(h->sha, algorithm, src, dst, (union doca_data){ 0 },
                                           &task));
    rc = hash_submit(h, doca_sha_task_hash_as_task(task));
    doca_task_free(doca_sha_task_hash_as_task(task));
    return rc;
}

static const size_t digest_bytes[] = { 20, 32, 64 };

/* Compute the expected digest with local memory. (test_sha.c checks local digests.) */
static void local_digest(struct hasher *h, enum doca_sha_algorithm algorithm, size_t len,
                         unsigned char *digest)
{
    struct doca_buf *src = rig_src(h->r, 0, len), *dst = rig_dst(h->r, RIG_BYTES - 64, 64);

    CHECK_OK(hash_whole(h, algorithm, src, dst));
    memcpy(digest, rig_to + RIG_BYTES - 64, digest_bytes[algorithm]);
    share_drop(src, dst);
}

/* Hash from and to the memory at address `at` of `map`. The test accesses the same RIG_BYTES + 100
 * bytes at `seen`. */
static void check_hashes(struct hasher *h, struct doca_mmap *map, unsigned char *at,
                         unsigned char *seen)
{
    static const size_t lens[] = { 1, 63, 64, 65, 4096, 8191, 8192, 8193, 20000, RIG_BYTES };
    unsigned char digest[64];
    struct doca_buf *src, *dst;
    size_t i;
    int a;

    memcpy(seen, rig_from, RIG_BYTES);
    for (a = 0; a < 3; a++) {
        for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
            local_digest(h, (enum doca_sha_algorithm)a, lens[i], digest);
            memset(seen + RIG_BYTES, 0xee, 100);
            /* the source is a list of two buffers */
            src = share_src(h->r, map, at, lens[i] / 2 + 1);
            if (lens[i] > 1)
                CHECK_OK(doca_buf_chain_list(src, share_src(h->r, map, at + lens[i] / 2 + 1,
                                                            lens[i] - lens[i] / 2 - 1 +
                                                                (lens[i] == 2))));
            dst = share_buf(h->r, map, at + RIG_BYTES, 90, 0, 7);
            CHECK_OK(hash_whole(h, (enum doca_sha_algorithm)a, src, dst));
            CHECK_EQ(rig_data_len(dst), 7 + digest_bytes[a]);
            CHECK_EQ(seen[RIG_BYTES + 6], 0xee);
            CHECK_MEM(seen + RIG_BYTES + 7, digest, digest_bytes[a]);
            CHECK_EQ(seen[RIG_BYTES + 7 + digest_bytes[a]], 0xee);
            share_drop(src, dst);
        }
    }
}

/* Hash segments of whole blocks, and then the rest. The digest is that of all bytes. */
static void check_partial(struct hasher *h, struct doca_mmap *map, unsigned char *at,
                          unsigned char *seen)
{
    enum { LEN = 30000, SEGMENT = 128 * 70 };
    struct doca_sha_task_partial_hash *task;
    unsigned char digest[64];
    struct doca_buf *src, *dst;
    size_t done, n;
    int a;

    memcpy(seen, rig_from, RIG_BYTES);
    for (a = 0; a < 3; a++) {
        local_digest(h, (enum doca_sha_algorithm)a, LEN, digest);
        dst = share_dst(h->r, map, at + RIG_BYTES, 64);
        CHECK_OK(doca_sha_task_partial_hash_alloc_init(h->sha, (enum doca_sha_algorithm)a, NULL,
                                                       dst, (union doca_data){ 0 }, &task));
        for (done = 0; done < LEN; done += n) {
            n = LEN - done < SEGMENT ? LEN - done : SEGMENT;
            src = share_src(h->r, map, at + done, n);
            CHECK_OK(doca_sha_task_partial_hash_set_src(task, src));
            if (done + n == LEN)
                CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task));
            CHECK_EQ(rig_data_len(dst), 0);
            CHECK_OK(hash_submit(h, doca_sha_task_partial_hash_as_task(task)));
            CHECK_OK(doca_buf_dec_refcount(src, NULL));
        }
        CHECK_EQ(rig_data_len(dst), digest_bytes[a]);
        CHECK_MEM(seen + RIG_BYTES, digest, digest_bytes[a]);
        doca_task_free(doca_sha_task_partial_hash_as_task(task));
        CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    }
}

static void imports_can_be_source_and_destination_of_hashes(void)
{
    struct hasher h;
    struct share s;
    struct rig r;

    rig_needs_sha();
    share_rig_open(&r, 1);
    hasher_open(&h, &r);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    check_hashes(&h, s.import, far_bytes + 3, far_bytes + 3);
    check_partial(&h, s.import, far_bytes + 3, far_bytes + 3);
    share_close(&s);
    hasher_close(&h);
    rig_close(&r);
}

/* Hash while the exporter of a part of the source, or of the destination, has ended. The task must
 * fail, and no byte of a digest may be written. */
static void check_hash_fails_without_the_exporter(void)
{
    enum { NUM = 3, EACH = 20000 };
    struct doca_mmap *maps[NUM];
    struct doca_buf *src, *dst;
    struct share s[NUM];
    struct hasher h;
    struct rig r;
    unsigned i, lost;
    unsigned way;

    rig_needs_sha();
    share_rig_open(&r, 1);
    hasher_open(&h, &r);
    for (lost = 0; lost < 2 * NUM; lost++) {
        way = lost / NUM;
        for (i = 0; i < NUM; i++) {
            share_open(&s[i], r.dev, far_bytes + i * EACH, EACH, SHARE_PCI, doca_mmap_export_pci);
            maps[i] = s[i].import;
        }
        memset(far_bytes, 0x55, NUM * EACH);
        CHECK_OK(doca_mmap_stop(s[lost % NUM].map));
        src = dst = NULL;
        for (i = 0; i < NUM; i++) {
            if (way == 0)
                src = append(src, share_src(&r, maps[i], far_bytes + i * EACH, EACH));
            else
                dst = append(dst, share_dst(&r, maps[i], far_bytes + i * EACH, 24));
        }
        if (way == 0)
            dst = rig_dst(&r, 0, 64);
        else
            src = rig_src(&r, 0, 500);
        CHECK_RC(hash_whole(&h, DOCA_SHA_ALGORITHM_SHA512, src, dst), DOCA_ERROR_IO_FAILED);
        CHECK_EQ(share_item, DOCA_CORE_ITEM_EXPORTER_STOPPED);
        CHECK_EQ(rig_data_len(dst), 0);
        CHECK_EQ(rig_to[0], 0xee);
        share_drop(src, dst);
        for (i = 0; i < NUM; i++)
            share_close(&s[i]);
        rig_drain(&r);
        CHECK_OK(doca_ctx_start(h.ctx));
    }
    hasher_close(&h);
    rig_close(&r);
}

static void hash_of_lost_memory_fails_and_writes_no_digest(void)
{
    struct doca_buf *src, *dst;
    struct hasher h;
    struct share s;
    struct rig r;
    int way;

    rig_needs_sha();
    share_rig_open(&r, 1);
    hasher_open(&h, &r);
    for (way = 0; way < 2; way++) {
        share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
        memset(far_bytes + RIG_BYTES, 0x55, 64);
        CHECK_OK(doca_mmap_stop(s.map));
        src = way == 0 ? share_src(&r, s.import, far_bytes, 500) : rig_src(&r, 0, 500);
        dst = way == 0 ? rig_dst(&r, 0, 64) : share_dst(&r, s.import, far_bytes + RIG_BYTES, 64);
        CHECK_RC(hash_whole(&h, DOCA_SHA_ALGORITHM_SHA256, src, dst), DOCA_ERROR_IO_FAILED);
        CHECK_EQ(share_item, DOCA_CORE_ITEM_EXPORTER_STOPPED);
        CHECK_EQ(rig_data_len(dst), 0);
        CHECK_EQ(rig_to[0], 0xee);
        CHECK_EQ(far_bytes[RIG_BYTES], 0x55);
        share_drop(src, dst);
        share_close(&s);
        rig_drain(&r);
        CHECK_EQ(rig_state(h.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_OK(doca_ctx_start(h.ctx));
        src = rig_src(&r, 0, 500);
        dst = rig_dst(&r, 1000, 64);
        CHECK_OK(hash_whole(&h, DOCA_SHA_ALGORITHM_SHA256, src, dst));
        share_drop(src, dst);
    }
    hasher_close(&h);
    rig_close(&r);
}

/* The export stops between two segments. The second segment fails, and the task has no result, not
 * even the digest of the first segment. */
static void partial_hash_of_an_ended_export_has_no_result(void)
{
    struct doca_sha_task_partial_hash *task;
    struct doca_buf *src[2], *dst;
    struct hasher h;
    struct share s;
    struct rig r;
    int i;

    rig_needs_sha();
    share_rig_open(&r, 1);
    hasher_open(&h, &r);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    for (i = 0; i < 2; i++)
        src[i] = share_src(&r, s.import, far_bytes + i * 1280, 1280);
    dst = rig_dst(&r, 0, 64);
    CHECK_OK(doca_sha_task_partial_hash_alloc_init(h.sha, DOCA_SHA_ALGORITHM_SHA256, src[0], dst,
                                                   (union doca_data){ 0 }, &task));
    CHECK_OK(hash_submit(&h, doca_sha_task_partial_hash_as_task(task)));
    CHECK_OK(doca_mmap_stop(s.map));
    CHECK_OK(doca_sha_task_partial_hash_set_src(task, src[1]));
    CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task));
    CHECK_RC(hash_submit(&h, doca_sha_task_partial_hash_as_task(task)), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(share_item, DOCA_CORE_ITEM_EXPORTER_STOPPED);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
    CHECK_EQ(rig_data_len(dst), 0);
    CHECK_EQ(rig_to[0], 0xee);
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
    share_drop(src[0], src[1]);
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    share_close(&s);
    rig_drain(&r);
    CHECK_OK(doca_ctx_start(h.ctx));
    hasher_close(&h);
    rig_close(&r);
}

static void hash_obeys_the_permissions_of_an_import(void)
{
    struct doca_sha_task_hash *task;
    struct doca_buf *src, *dst;
    struct hasher h;
    struct share s;
    struct rig r;
    int way;

    rig_needs_sha();
    share_rig_open(&r, 1);
    hasher_open(&h, &r);
    for (way = 0; way < 2; way++) {
        share_open(&s, r.dev, far_bytes, FAR_BYTES,
                   way == 0 ? DOCA_ACCESS_FLAG_RDMA_WRITE : DOCA_ACCESS_FLAG_RDMA_READ,
                   doca_mmap_export_rdma);
        src = way == 0 ? share_src(&r, s.import, far_bytes, 500) : rig_src(&r, 0, 500);
        dst = way == 0 ? rig_dst(&r, 0, 64) : share_dst(&r, s.import, far_bytes, 64);
        CHECK_OK(doca_sha_task_hash_alloc_init(h.sha, DOCA_SHA_ALGORITHM_SHA1, src, dst,
                                               (union doca_data){ 0 }, &task));
        CHECK_RC(doca_task_try_submit(doca_sha_task_hash_as_task(task)), DOCA_ERROR_NOT_PERMITTED);
        doca_task_free(doca_sha_task_hash_as_task(task));
        share_drop(src, dst);
        share_close(&s);
    }
    hasher_close(&h);
    rig_close(&r);
}

/* ---- dmabufs ---- */

static void dmabuf_arguments_are_checked(void)
{
    int fd = new_memfd(PAGE);
    struct doca_mmap *mmap;
    void *addr;
    size_t len;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_RC(doca_mmap_set_dmabuf_memrange(NULL, fd, NOWHERE, 0, 64), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, fd, NULL, 0, 64), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, SIZE_MAX),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, -1, NOWHERE, 0, 64), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, 64));
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, 64), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_set_memrange(mmap, far_bytes, 64), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_get_memrange(mmap, &addr, &len));
    CHECK_PTR(addr, NOWHERE);
    CHECK_EQ(len, 64);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, 64), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_mmap_create(&mmap)); /* the calls in the other order */
    CHECK_OK(doca_mmap_set_memrange(mmap, far_bytes, 64));
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, 64), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_destroy(mmap));
    close(fd);
}

/* Copy and hash single buffers and lists in a dmabuf, and compare the results. The buffers have
 * addresses from `at` on; their memory is `bytes` bytes from `offset` on in the file `fd`. */
static void check_dmabuf(int fd, unsigned char *at, size_t offset, size_t bytes)
{
    unsigned char *view = view_of(fd, offset + bytes), *seen = view + offset;
    struct doca_mmap *mmap;
    struct hasher h;
    struct share s;
    struct rig r;

    share_rig_open(&r, 2);
    hasher_open(&h, &r);
    mmap = dmabuf_map(r.dev, fd, at, offset, bytes);
    share_fill(seen, bytes, 21);
    share_copy(&r, share_src(&r, mmap, at + 5, 9000), rig_dst(&r, 0, 9000));
    CHECK_MEM(rig_to, seen + 5, 9000);
    share_copy(&r, rig_src(&r, 0, 9000), share_dst(&r, mmap, at + 77, 9000));
    CHECK_MEM(seen + 77, rig_from, 9000);
    share_copy(&r, share_src(&r, mmap, at + 77, 9000), share_dst(&r, mmap, at + 10, 9000));
    CHECK_MEM(seen + 10, rig_from, 9000);
    share_copy(&r, row(&r, mmap, at + 10, 30, 100, 0, true), row(&r, r.dst_map, rig_to, 60, 50, 1,
                                                                  false));
    CHECK_MEM(rig_to + 51, rig_from + 50, 50);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    share_copy(&r, share_src(&r, mmap, at + 10, 9000), share_dst(&r, s.import, far_bytes, 9000));
    CHECK_MEM(far_bytes, rig_from, 9000);
    share_copy(&r, share_src(&r, s.import, far_bytes, 9000), share_dst(&r, mmap, at, 9000));
    CHECK_MEM(seen, rig_from, 9000);
    share_close(&s);
    check_hashes(&h, mmap, at, seen);
    check_partial(&h, mmap, at, seen);
    CHECK_OK(doca_mmap_destroy(mmap));
    hasher_close(&h);
    rig_close(&r);
    CHECK_EQ(munmap(view, offset + bytes), 0);
}

static void dmabuf_is_accessed_whatever_is_at_its_addresses(void)
{
    enum { BYTES = 2 * RIG_BYTES, OFFSET = 3 * PAGE };
    unsigned char *reserved = share_pages(BYTES, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE);
    int fd = new_memfd(OFFSET + BYTES);

    check_dmabuf(fd, reserved, 0, BYTES);
    check_dmabuf(fd, NOWHERE, OFFSET, BYTES);
    /* other memory of this process, which must stay unchanged */
    check_dmabuf(fd, far_bytes, 0, BYTES);
    check_dmabuf(fd, (unsigned char *)(UINTPTR_MAX - BYTES), OFFSET, BYTES);
    CHECK_EQ(munmap(reserved, BYTES), 0);
    close(fd);
}

static void dmabuf_of_the_kernel_is_accessed(void)
{
    enum { BYTES = 2 * RIG_BYTES };
    const struct {
        uint32_t memfd;
        uint32_t flags;
        uint64_t offset;
        uint64_t size;
    } create = { (uint32_t)new_memfd(BYTES), 1 /* CLOEXEC */, 0, BYTES };
    int device = open("/dev/udmabuf", O_RDWR | O_CLOEXEC), fd;

    if (device < 0) {
        close((int)create.memfd);
        test_skip("/dev/udmabuf does not exist, or this user may not open it");
    }
    CHECK_EQ(fcntl((int)create.memfd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    fd = ioctl(device, _IOW('u', 0x42, create), &create);
    CHECK(fd >= 0);
    check_dmabuf(fd, NOWHERE, 0, BYTES);
    check_dmabuf(fd, NOWHERE, PAGE, BYTES - 2 * PAGE);
    close(fd);
    close(device);
    close((int)create.memfd);
}

static void dmabuf_that_cannot_be_mapped_is_refused_at_start(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    int fd = new_memfd(4 * PAGE), closed = new_memfd(4 * PAGE), empty = new_memfd(0);
    int odd = new_memfd(PAGE + 8);
    const struct { int fd; size_t offset; const char *cause; } bad[] = {
        { fd, 1, "EINVAL" }, { fd, 8, "EINVAL" }, { fd, PAGE - 1, "EINVAL" },
        { fd, PAGE + 512, "EINVAL" }, { closed, 0, "EBADF" }, { 9999, 0, "EBADF" },
        /* beyond the end of the file */
        { fd, SIZE_MAX - PAGE + 1, "ERANGE" }, { fd, 4 * PAGE, "ERANGE" },
        { fd, 5 * PAGE, "ERANGE" }, { empty, 0, "ERANGE" }, { odd, PAGE, "ERANGE" },
    };
    struct doca_mmap *mmap;
    size_t i;

    close(closed);
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_mmap_add_dev(mmap, dev));
        CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, bad[i].fd, NOWHERE, bad[i].offset, PAGE));
        CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_OPERATING_SYSTEM);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_DMABUF_MAP);
        CHECK(strstr(test_log_text, bad[i].cause) != NULL);
        CHECK_RC(doca_mmap_stop(mmap), DOCA_ERROR_BAD_STATE);
        CHECK_OK(doca_mmap_destroy(mmap));
    }
    CHECK_OK(doca_dev_close(dev));
    close(odd);
    close(empty);
    close(fd);
}

/* If a file shrank, the next access would raise SIGBUS. Therefore the library accepts only
 * shared-memory files that are sealed against shrinking. */
static void file_that_can_shrink_is_refused(void)
{
    char names[2][32] = { "dmabuf.XXXXXX", "/dev/shm/dmabuf.XXXXXX" };
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *mmap;
    int fd;
    size_t i;

    for (i = 0; i < 2; i++) { /* a file on a disk, which has no seals; a file in shared memory */
        fd = mkstemp(names[i]);
        if (fd < 0)
            continue;
        CHECK_EQ(unlink(names[i]), 0);
        CHECK_EQ(ftruncate(fd, PAGE), 0);
        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_mmap_add_dev(mmap, dev));
        CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE));
        CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_OPERATING_SYSTEM);
        CHECK(strstr(test_log_text, "EPERM") != NULL);
        CHECK_OK(doca_mmap_destroy(mmap));
        close(fd);
    }
    CHECK_OK(doca_dev_close(dev));
}

/* An mmap without write permission can use a read-only descriptor. */
static void dmabuf_is_mapped_with_the_mmaps_permissions(void)
{
    static const struct {
        uint32_t access;
        bool may_start;
    } rows[] = {
        { DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, true },
        { DOCA_ACCESS_FLAG_LOCAL_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_ONLY, true },
        { DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, false },
        { DOCA_ACCESS_FLAG_LOCAL_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE, false },
        { DOCA_ACCESS_FLAG_LOCAL_READ_ONLY | DOCA_ACCESS_FLAG_RDMA_WRITE, false },
    };
    int whole = new_memfd(PAGE), fd;
    unsigned char *view = view_of(whole, PAGE);
    struct doca_mmap *mmap;
    char path[32];
    struct rig r;
    size_t i;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", whole);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    CHECK(fd >= 0);
    share_fill(view, PAGE, 8);
    share_rig_open(&r, 2);
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
        CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE));
        CHECK_OK(doca_mmap_set_permissions(mmap, rows[i].access));
        CHECK_RC(doca_mmap_start(mmap),
                 rows[i].may_start ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM);
        if (rows[i].may_start) {
            share_copy(&r, share_src(&r, mmap, NOWHERE + 5, 900), rig_dst(&r, 0, 900));
            CHECK_MEM(rig_to, view + 5, 900);
        }
        CHECK_OK(doca_mmap_destroy(mmap));
    }
    rig_close(&r);
    CHECK_EQ(munmap(view, PAGE), 0);
    close(fd);
    close(whole);
}

/* The value of an event would be in a mapping that ends when the mmap stops, and a thread-safe mmap
 * can stop while it has events. */
static void event_cannot_be_in_a_thread_safe_dmabuf(void)
{
    int fd = new_memfd(PAGE), how;
    struct doca_sync_event *event;
    struct doca_mmap *mmap;
    struct doca_buf *buf;
    struct rig r;

    rig_build(&r, NULL, 1);
    for (how = 0; how < 4; how++) { /* with and without a dmabuf, destroyed and stopped */
        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_mmap_enable_thread_safety(mmap));
        CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
        CHECK_OK(how < 2 ? doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE)
                         : doca_mmap_set_memrange(mmap, rig_to, PAGE));
        CHECK_OK(doca_mmap_start(mmap));
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, mmap, how < 2 ? NOWHERE : rig_to,
                                                    8, &buf));
        CHECK_OK(doca_sync_event_create(&event));
        CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, r.dev));
        CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, r.dev));
        if (how < 2) {
            CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_NOT_SUPPORTED);
            CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EVENT_BUF_FAR);
        } else {
            CHECK_OK(doca_sync_event_set_doca_buf(event, buf));
        }
        CHECK_OK(how % 2 == 0 ? doca_mmap_destroy(mmap) : doca_mmap_stop(mmap));
        CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_BAD_STATE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_NOT_STARTED);
        CHECK_OK(doca_sync_event_destroy(event));
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        CHECK(how % 2 == 0 || doca_mmap_destroy(mmap) == DOCA_SUCCESS);
    }
    rig_close(&r);
    close(fd);
}

static void device_without_dmabufs_refuses_the_start(void)
{
    int fd = new_memfd(PAGE);
    struct doca_dev *able, *unable;
    struct doca_mmap *mmap;

    set_devs(1, true, true, true, true);
    able = rig_open_dev(NULL);
    set_devs(2, true, true, true, false);
    unable = rig_open_dev("0000:0c:00.1");
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, able));
    CHECK_OK(doca_mmap_add_dev(mmap, unable));
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE));
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEV_NO_DMABUF);
    CHECK_OK(doca_mmap_rm_dev(mmap, unable));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(unable));
    CHECK_OK(doca_dev_close(able));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    close(fd);
}

static void dmabuf_is_not_exported(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    int fd = new_memfd(PAGE);
    struct doca_mmap *mmap;
    size_t k;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_set_permissions(mmap, SHARE_PCI | SHARE_RDMA));
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE));
    CHECK_OK(doca_mmap_start(mmap));
    for (k = FIRST_KIND; k < 2; k++)
        check_no_export(exports[k].call, mmap, dev, DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(is_exported(mmap), 0);
    CHECK_EQ(is_import(mmap), 0);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
    close(fd);
}

static unsigned advised;

static void advice_done(struct doca_mmap_advise_task_invalidate_cache *task, union doca_data data,
                        union doca_data ctx_data)
{
    (void)data;
    (void)ctx_data;
    CHECK_OK(doca_task_get_status(
        doca_mmap_advise_task_invalidate_cache_as_doca_task(task)));
    advised++;
}

/* Cache invalidation also works for dmabufs and imports. */
static void caches_of_dmabufs_and_imports_can_be_invalidated(void)
{
    struct doca_mmap_advise_task_invalidate_cache *task;
    struct doca_mmap_advise *advise;
    int fd = new_memfd(PAGE);
    struct doca_buf *bufs[2];
    struct doca_mmap *mmap;
    struct doca_ctx *ctx;
    struct share s;
    struct rig r;
    unsigned i;

    share_rig_open(&r, 1);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE));
    CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
    CHECK_OK(doca_mmap_start(mmap));
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    ctx = doca_mmap_advise_as_ctx(advise);
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advice_done, advice_done, 1));
    CHECK_OK(doca_ctx_start(ctx));
    bufs[0] = share_src(&r, mmap, NOWHERE, PAGE);
    bufs[1] = share_src(&r, s.import, far_bytes, PAGE);
    for (advised = i = 0; i < 2; i++) {
        CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, bufs[i],
                                                                   (union doca_data){ 0 }, &task));
        CHECK_OK(doca_task_submit(doca_mmap_advise_task_invalidate_cache_as_doca_task(task)));
        while (doca_pe_progress(r.pe))
            continue;
        CHECK_EQ(advised, i + 1);
        doca_task_free(doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
        CHECK_OK(doca_buf_dec_refcount(bufs[i], NULL));
    }
    CHECK_OK(doca_mmap_advise_destroy(advise));
    share_close(&s);
    CHECK_OK(doca_mmap_destroy(mmap));
    rig_close(&r);
    close(fd);
}

static void dmabuf_obeys_permissions(void)
{
    int fd = new_memfd(PAGE);
    struct doca_mmap *mmap;
    struct rig r;

    share_rig_open(&r, 1);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE));
    CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
    CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    CHECK_OK(doca_mmap_start(mmap));
    share_copy(&r, share_src(&r, mmap, NOWHERE, 8), rig_dst(&r, 0, 8));
    share_refused(&r, rig_src(&r, 0, 8), share_dst(&r, mmap, NOWHERE, 8),
                  DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_TASK_READ_ONLY);
    CHECK_OK(doca_mmap_destroy(mmap));
    rig_close(&r);
    close(fd);
}

static unsigned num_mappings(void)
{
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    unsigned num = 0;
    char text[4096];
    ssize_t got, i;

    CHECK(fd >= 0);
    while ((got = read(fd, text, sizeof(text))) > 0)
        for (i = 0; i < got; i++)
            num += text[i] == '\n';
    close(fd);
    return num;
}

static void dmabuf_is_mapped_only_while_started(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    int fd = new_memfd(4 * PAGE);
    struct doca_mmap *mmap;
    unsigned num, i;
    struct rig r;

    num = num_mappings();
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, PAGE, PAGE + 1));
    for (i = 0; i < 100; i++) {
        CHECK_EQ(num_mappings(), num);
        CHECK_OK(doca_mmap_start(mmap));
        CHECK_EQ(num_mappings(), num + 1);
        if (i < 99)
            CHECK_OK(doca_mmap_stop(mmap));
    }
    CHECK_OK(doca_mmap_destroy(mmap)); /* without a stop before */
    CHECK_EQ(num_mappings(), num);
    CHECK_OK(doca_dev_close(dev));
    /* the program may close the dmabuf's descriptor; then the next start fails */
    share_rig_open(&r, 1);
    mmap = dmabuf_map(r.dev, fd, NOWHERE, 0, PAGE);
    share_copy(&r, rig_src(&r, 0, 8), share_dst(&r, mmap, NOWHERE, 8));
    CHECK_OK(doca_mmap_stop(mmap));
    close(fd);
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_EQ(num_mappings(), num);
    CHECK_OK(doca_mmap_destroy(mmap));
    rig_close(&r);
}

/* doca_mmap_enable_thread_safety() on an import, which is always started: it needs an import
 * without buffers. */
static void import_without_buffers_can_be_made_thread_safe(void)
{
    struct doca_buf *buf;
    struct share s;
    struct rig r;
    unsigned way;

    for (way = 0; way < 2; way++) {
        share_rig_open(&r, 4);
        share_open(&s, r.dev, far_bytes + PAGE, PAGE, SHARE_PCI, doca_mmap_export_pci);
        if (way == 1) { /* a buffer exists, so the call fails */
            CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, s.import, far_bytes + PAGE, 8,
                                                        &buf));
            CHECK_RC(doca_mmap_enable_thread_safety(s.import), DOCA_ERROR_NOT_PERMITTED);
            CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_HAS_BUFS);
            CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        }
        CHECK_OK(doca_mmap_enable_thread_safety(s.import));
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, s.import, far_bytes + PAGE, 8,
                                                    &buf));
        CHECK_OK(doca_mmap_enable_thread_safety(s.import)); /* already thread-safe */
        CHECK_RC(doca_mmap_enable_thread_safety(s.map), DOCA_ERROR_NOT_PERMITTED);
        /* a thread-safe import can be destroyed while it has buffers */
        CHECK_OK(doca_mmap_destroy(s.import));
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        CHECK_OK(doca_mmap_destroy(s.map));
        rig_close(&r);
    }
}

static const struct test_case cases[] = {
    CASE(import_without_buffers_can_be_made_thread_safe, ""),
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
    CASE(truncated_descriptors_are_not_read_beyond_their_end, "86"),
    CASE(descriptors_with_one_changed_byte_are_refused, "86"),
    CASE(extended_descriptors_are_refused, "86"),
    CASE(random_descriptors_are_refused, "86"),
    CASE(descriptors_with_impossible_contents_are_refused, "86"),
    CASE(descriptor_can_be_imported_many_times, "87"),
    CASE_OF_SW(host_imports_by_pci_in_the_profile_unlimited, "76 85", "its profiles"),
    CASE(import_has_the_exporters_addresses, "83 87 88"),
    CASE(buffers_must_be_inside_the_exported_range, "87"),
    CASE(pools_and_arrays_can_use_imports, "87"),
    CASE_OF_CARD(import_belongs_to_one_device, "", "a second function that imports"),
    CASE(imports_are_source_and_destination, "87"),
    CASE(overlap_within_an_import_is_copied_as_by_memmove, ""),
    CASE(overlap_of_lists_in_imports_is_refused, ""),
    CASE_OF_CARD(overlap_of_an_mmap_with_its_own_import_is_copied_as_by_memmove, "",
                 "that it reads all bytes before it writes"),
    CASE_OF_SW(equal_addresses_of_different_memory_do_not_overlap, "",
               "a memfd in the place of a dmabuf"),
    CASE(lists_of_many_buffers_are_copied, "87"),
    CASE(lists_of_all_kinds_of_memory_agree_with_a_model, "87"),
    CASE(copy_between_exporters_fails_when_one_has_ended, ""),
    CASE(megabytes_are_copied_in_one_task, "87"),
    CASE_OF_SW(gigabytes_are_copied_in_one_task, "87", "the limit of a system call"),
    CASE(imports_allow_what_their_kind_of_permission_allows, "244"),
    CASE(read_only_export_cannot_be_written, "244"),
    CASE_OF_SW(missing_memory_fails_tasks, "", "that it does not pin memory"),
    CASE_OF_SW(large_copy_into_missing_memory_leaves_nothing, "", "that it does not pin memory"),
    CASE(failure_in_a_list_changes_no_element, ""),
    CASE(exhausted_arena_leaves_no_bytes_in_use, ""),
    CASE_OF_SW(lack_of_descriptors_is_an_ordinary_error, "", "the descriptors that it opens"),
    CASE_OF_CARD(import_takes_memory_from_the_arena_of_its_device, "",
                 "a second function that imports"),
    CASE(imports_can_be_source_and_destination_of_hashes, "87"),
    CASE(check_hash_fails_without_the_exporter, ""),
    CASE(hash_of_lost_memory_fails_and_writes_no_digest, ""),
    CASE(partial_hash_of_an_ended_export_has_no_result, ""),
    CASE(hash_obeys_the_permissions_of_an_import, "244"),
    CASE(dmabuf_arguments_are_checked, ""),
    CASE_OF_SW(dmabuf_is_accessed_whatever_is_at_its_addresses, "",
               "a memfd in the place of a dmabuf"),
    CASE(dmabuf_of_the_kernel_is_accessed, ""),
    CASE_OF_SW(file_that_can_shrink_is_refused, "", "that it maps the dmabuf"),
    CASE_OF_SW(dmabuf_is_mapped_with_the_mmaps_permissions, "", "that it maps the dmabuf"),
    CASE_OF_SW(event_cannot_be_in_a_thread_safe_dmabuf, "", "a memfd in the place of a dmabuf"),
    CASE_OF_SW(dmabuf_that_cannot_be_mapped_is_refused_at_start, "",
               "a memfd in the place of a dmabuf"),
    CASE_OF_SW(device_without_dmabufs_refuses_the_start, "", "a table of its devices"),
    CASE_OF_SW(dmabuf_is_not_exported, "", "a memfd in the place of a dmabuf"),
    CASE_OF_SW(caches_of_dmabufs_and_imports_can_be_invalidated, "",
               "a memfd in the place of a dmabuf"),
    CASE_OF_SW(dmabuf_obeys_permissions, "", "a memfd in the place of a dmabuf"),
    CASE_OF_SW(dmabuf_is_mapped_only_while_started, "",
               "a memfd in the place of a dmabuf"),
};

TEST_MAIN(cases)
