/* Descriptors of exports: damaged, forged and foreign ones are refused. Also tests the memory and
 * the file descriptors that imports take. */
#include "export_support.h"

#include <signal.h>
#include <sys/resource.h>

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

/* An import is always started. doca_mmap_enable_thread_safety() nevertheless succeeds for an import
 * that has no buffers. */
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
    CASE(truncated_descriptors_are_not_read_beyond_their_end, "86"),
    CASE(descriptors_with_one_changed_byte_are_refused, "86"),
    CASE(extended_descriptors_are_refused, "86"),
    CASE(random_descriptors_are_refused, "86"),
    CASE(descriptors_with_impossible_contents_are_refused, "86"),
    CASE(descriptor_can_be_imported_many_times, "87"),
    CASE_OF_SW(host_imports_by_pci_in_the_profile_unlimited, "76 85", "its profiles"),
    CASE(exhausted_arena_leaves_no_bytes_in_use, ""),
    CASE_OF_SW(lack_of_descriptors_is_an_ordinary_error, "", "the descriptors that it opens"),
    CASE_OF_CARD(import_takes_memory_from_the_arena_of_its_device, "",
                 "a second function that imports"),
};

TEST_MAIN(cases)
