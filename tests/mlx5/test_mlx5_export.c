/* Mmaps of RDMA devices, exported and imported within one process, on every pair of devices and
 * with every engine. test_mlx5_export_processes.c tests exports between processes. */
#define DOCA_CORE_MLX5_IMPLEMENTATION /* for the private structure of descriptors */
#include "mlx5_rig.h"

#include <errno.h>
#include <infiniband/mlx5dv.h>

enum { LEN = 30000, GUARD = 100, CALM = 0xa5 };

/* The exported range, `theirs`, is between guard bytes that must not change. */
static unsigned char memory[GUARD + LEN + GUARD];
#define theirs (memory + GUARD)

#define PCI_READ DOCA_ACCESS_FLAG_PCI_READ_ONLY
#define PCI_WRITE DOCA_ACCESS_FLAG_PCI_READ_WRITE
#define RDMA_READ DOCA_ACCESS_FLAG_RDMA_READ
#define RDMA_WRITE DOCA_ACCESS_FLAG_RDMA_WRITE

struct pair {
    struct doca_dev *exporter;
    struct rig r; /* on the importing device */
};

static void fill(void)
{
    memset(memory, CALM, sizeof(memory));
    share_fill(theirs, LEN, 3);
}

static void check_guards(void)
{
    size_t i;

    for (i = 0; i < GUARD; i++)
        CHECK(memory[i] == CALM && theirs[LEN + i] == CALM);
}

/* Choose the pair of devices with index `round`: an exporter and an importer. Return false when all
 * pairs have been used. */
static bool next_pair(struct pair *p, enum doca_core_mlx5_engine engine, unsigned round)
{
    uint32_t num = mlx5_show(engine, mlx5_trap_sys()), importer;

    if (round == 3 || (round > 0 && num < 2))
        return false;
    if (!mlx5_limits(0).has_dma)
        return false;
    if (!mlx5_limits(0).has_export_pci || !mlx5_limits(0).has_import_pci)
        test_skip("the firmware lets no other function use its keys");
    importer = round == 1 ? num - 1 : 0;
    p->exporter = mlx5_open(round == 2 ? num - 1 : 0);
    mlx5_rig_open(&p->r, mlx5_open(importer), 8);
    fill();
    return true;
}

static void close_pair(struct pair *p)
{
    check_guards();
    CHECK_OK(doca_dev_close(p->exporter));
    rig_close(&p->r);
}

/* Run with each pair of devices and each engine. */
static void with_pairs(void (*body)(struct pair *p))
{
    struct pair p;
    unsigned round;
    size_t i;

    for (i = 0; i < MLX5_NUM_ENGINES; i++) {
        for (round = 0; next_pair(&p, mlx5_engines[i], round); round++) {
            body(&p);
            close_pair(&p);
        }
    }
}

static void describe(struct doca_mmap *map, struct doca_dev *dev, bool is_rdma,
                     struct doca_priv_mmap_desc *desc)
{
    const void *at;
    size_t len;

    CHECK_OK((is_rdma ? doca_mmap_export_rdma : doca_mmap_export_pci)(map, dev, &at, &len));
    CHECK_EQ(len, sizeof(*desc));
    memcpy(desc, at, len);
}

static struct doca_mmap *import_of(struct doca_dev *dev, const struct doca_priv_mmap_desc *desc)
{
    struct doca_mmap *import;

    CHECK_OK(doca_mmap_create_from_export(NULL, desc, sizeof(*desc), dev, &import));
    return import;
}

static void check_no_import(struct doca_dev *dev, const struct doca_priv_mmap_desc *desc,
                            doca_error_t code, enum doca_core_item item)
{
    struct doca_mmap *import = NULL;

    CHECK_RC(doca_mmap_create_from_export(NULL, desc, sizeof(*desc), dev, &import), code);
    CHECK_STR(doca_core_item_text(doca_core_last_item()), doca_core_item_text(item));
    CHECK(strstr(doca_core_last_error(), "doca_mmap_create_from_export") != NULL);
    CHECK_PTR(import, NULL);
}

/* ---- copies ---- */

static const struct {
    uint32_t access;
    bool is_rdma, reads, writes;
} rights[] = {
    { PCI_READ, false, true, false },
    { PCI_WRITE, false, true, true },
    { RDMA_READ, true, true, false },
    { RDMA_WRITE, true, false, true },
    { RDMA_READ | RDMA_WRITE, true, true, true },
    /* permissions for one kind of export give nothing to the other kind */
    { PCI_READ | RDMA_WRITE | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, false, true, false },
    { PCI_WRITE | RDMA_READ, true, true, false },
    { PCI_WRITE | RDMA_WRITE, true, false, true },
    { PCI_WRITE | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING, false, true, true },
    { RDMA_READ | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING, true, true, false },
    { RDMA_WRITE | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING, true, false, true },
    { RDMA_READ | DOCA_ACCESS_FLAG_RDMA_ATOMIC | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, true, true,
      false },
};

static void check_rights(struct pair *p, unsigned i)
{
    struct doca_mmap *map = share_map(p->exporter, theirs, LEN, rights[i].access), *import;
    struct doca_priv_mmap_desc desc;
    struct rig *r = &p->r;
    unsigned char before;
    size_t at;

    describe(map, p->exporter, rights[i].is_rdma, &desc);
    import = import_of(r->dev, &desc);
    if (!rights[i].reads)
        share_refused(r, share_src(r, import, theirs, LEN), rig_dst(r, 0, LEN),
                      DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_TASK_WRITE_ONLY);
    if (rights[i].writes) {
        CHECK_OK(mlx5_copy(r, rig_src(r, 0, LEN), share_dst(r, import, theirs, LEN)));
        CHECK_MEM(theirs, rig_from, LEN);
    }
    mlx5_lift_permissions(import); /* from here on, only the key can forbid an access */
    if (rights[i].reads) {
        CHECK_OK(mlx5_copy(r, share_src(r, import, theirs, LEN), rig_dst(r, 0, LEN)));
        CHECK_MEM(rig_to, theirs, LEN);
    } else {
        memset(rig_to, CALM, LEN);
        mlx5_check_denied(r, share_src(r, import, theirs, LEN), rig_dst(r, 0, LEN));
        for (at = 0; at < LEN; at++)
            CHECK_EQ(rig_to[at], 0); /* a failed read clears its destination */
    }
    before = theirs[0];
    if (rights[i].writes) {
        CHECK_OK(mlx5_copy(r, rig_src(r, 7, LEN), share_dst(r, import, theirs, LEN)));
        CHECK_MEM(theirs, rig_from + 7, LEN);
    } else {
        rig_from[7] = (unsigned char)(before + 1);
        mlx5_check_denied(r, rig_src(r, 7, 100), share_dst(r, import, theirs, 100));
        CHECK_EQ(theirs[0], before);
    }
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(map));
}

static void check_all_rights(struct pair *p)
{
    unsigned i;

    for (i = 0; i < sizeof(rights) / sizeof(rights[0]); i++)
        check_rights(p, i);
}

static void key_gives_the_rights_of_the_export_and_no_others(void)
{
    with_pairs(check_all_rights);
}

/* The key gives access to the whole range and to no byte around it, even when the library's own
 * checks of the range are defeated. */
static void cross_the_edges(struct pair *p)
{
    struct doca_mmap *map = share_map(p->exporter, theirs, LEN, PCI_WRITE), *import;
    struct doca_priv_mmap_desc desc;
    struct rig *r = &p->r;

    describe(map, p->exporter, false, &desc);
    import = import_of(r->dev, &desc);
    CHECK_OK(mlx5_copy(r, rig_src(r, 0, 1), share_dst(r, import, theirs, 1)));
    CHECK_OK(mlx5_copy(r, rig_src(r, 1, 1), share_dst(r, import, theirs + LEN - 1, 1)));
    CHECK(theirs[0] == rig_from[0] && theirs[LEN - 1] == rig_from[1]);
    OBJECT(import)->addr -= 1;
    OBJECT(import)->len += 2;
    OBJECT(import)->end += 1;
    mlx5_check_denied(r, rig_src(r, 0, 1), share_dst(r, import, theirs - 1, 1));
    mlx5_check_denied(r, rig_src(r, 0, 2), share_dst(r, import, theirs + LEN - 1, 2));
    mlx5_check_denied(r, share_src(r, import, theirs + LEN, 1), rig_dst(r, 0, 1));
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(map));
}

static void key_gives_no_access_outside_the_range(void)
{
    with_pairs(cross_the_edges);
}

/* Lists of elements in memory of this process and in imports, as source and as destination. */
static void copy_lists(struct pair *p)
{
    struct doca_mmap *map = share_map(p->exporter, theirs, LEN, PCI_WRITE), *import;
    static unsigned char want[4 * 700];
    struct doca_priv_mmap_desc desc;
    struct doca_buf *src, *dst;
    struct rig *r = &p->r;
    unsigned i;

    describe(map, p->exporter, false, &desc);
    import = import_of(r->dev, &desc);
    src = rig_src(r, 0, 700);
    CHECK_OK(doca_buf_chain_list(src, share_src(r, import, theirs + 1000, 700)));
    CHECK_OK(doca_buf_chain_list(src, rig_src(r, 5000, 700)));
    CHECK_OK(doca_buf_chain_list(src, share_src(r, import, theirs + 2000, 700)));
    memcpy(want, rig_from, 700);
    memcpy(want + 700, theirs + 1000, 700);
    memcpy(want + 1400, rig_from + 5000, 700);
    memcpy(want + 2100, theirs + 2000, 700);
    dst = share_dst(r, import, theirs + 10001, 300);
    for (i = 1; i < 8; i++)
        CHECK_OK(doca_buf_chain_list(dst, i % 2 == 0
                                              ? share_dst(r, import, theirs + 10001 + i * 500, 360)
                                              : rig_dst(r, i * 500, 360)));
    CHECK_OK(mlx5_copy(r, src, dst));
    CHECK_MEM(theirs + 10001, want, 300);
    for (i = 1; i < 8; i++)
        CHECK_MEM(i % 2 == 0 ? theirs + 10001 + i * 500 : rig_to + i * 500,
                  want + 300 + (i - 1) * 360, i < 7 ? 360 : 340);
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(map));
}

static void lists_mix_own_and_foreign_memory(void)
{
    with_pairs(copy_lists);
}

/* The device reads and writes in an unspecified order, so a copy within one import must not
 * overlap. The library cannot detect an overlap between two mmaps, because equal addresses may be
 * different memory. */
static void overlap(struct pair *p)
{
    struct doca_mmap *map = share_map(p->exporter, theirs, LEN, PCI_WRITE), *import, *own;
    struct doca_priv_mmap_desc desc;
    struct rig *r = &p->r;

    describe(map, p->exporter, false, &desc);
    import = import_of(r->dev, &desc);
    CHECK_RC(mlx5_copy(r, share_src(r, import, theirs, 1000),
                       share_dst(r, import, theirs + 999, 1000)),
             DOCA_ERROR_IO_FAILED);
    CHECK_EQ(share_item, DOCA_CORE_ITEM_MLX5_OVERLAP);
    CHECK_OK(mlx5_copy(r, share_src(r, import, theirs, 1000),
                       share_dst(r, import, theirs + 1000, 1000)));
    CHECK_MEM(theirs + 1000, theirs, 1000);
    own = share_map(r->dev, theirs, LEN, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    CHECK_OK(mlx5_copy(r, share_src(r, own, theirs, 100), share_dst(r, import, theirs, 100)));
    CHECK_OK(doca_mmap_destroy(own));
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(map));
}

static void overlap_in_foreign_memory_is_refused(void)
{
    with_pairs(overlap);
}

/* ---- the end of exports ---- */

/* Stopping an mmap ends its exports permanently. After another start, imports of the old exports
 * still fail, and a new export works. */
static void stop_and_start(struct pair *p)
{
    struct doca_mmap *map = share_map(p->exporter, theirs, LEN, PCI_WRITE | RDMA_READ);
    struct doca_priv_mmap_desc desc[2], again;
    struct doca_mmap *import[2], *fresh;
    struct rig *r = &p->r;
    unsigned i;

    for (i = 0; i < 2; i++) {
        describe(map, p->exporter, i == 1, &desc[i]);
        import[i] = import_of(r->dev, &desc[i]);
    }
    CHECK_OK(doca_mmap_stop(map));
    for (i = 0; i < 2; i++) {
        mlx5_check_denied(r, share_src(r, import[i], theirs, 100), rig_dst(r, 0, 100));
        check_no_import(r->dev, &desc[i], DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MLX5_NO_EXPORT);
    }
    mlx5_check_denied(r, rig_src(r, 0, 100), share_dst(r, import[0], theirs, 100));
    CHECK_OK(doca_mmap_start(map));
    describe(map, p->exporter, false, &again);
    fresh = import_of(r->dev, &again);
    CHECK_OK(mlx5_copy(r, share_src(r, fresh, theirs, LEN), rig_dst(r, 0, LEN)));
    CHECK_MEM(rig_to, theirs, LEN);
    for (i = 0; i < 2; i++) {
        mlx5_check_denied(r, share_src(r, import[i], theirs, 100), rig_dst(r, 0, 100));
        check_no_import(r->dev, &desc[i], DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MLX5_NO_EXPORT);
        CHECK_OK(doca_mmap_destroy(import[i]));
    }
    CHECK_OK(doca_mmap_destroy(map)); /* while the import `fresh` exists */
    mlx5_check_denied(r, share_src(r, fresh, theirs, 100), rig_dst(r, 0, 100));
    CHECK_OK(doca_mmap_destroy(fresh));
}

static void stop_ends_every_import(void)
{
    with_pairs(stop_and_start);
}

/* Destroying one import does not affect other imports of the same export. */
static void import_twice(struct pair *p)
{
    struct doca_mmap *map = share_map(p->exporter, theirs, LEN, PCI_WRITE), *import[3];
    struct doca_priv_mmap_desc desc;
    struct rig *r = &p->r;
    unsigned i;

    describe(map, p->exporter, false, &desc);
    for (i = 0; i < 3; i++)
        import[i] = import_of(r->dev, &desc);
    CHECK_OK(doca_mmap_destroy(import[1]));
    for (i = 0; i < 3; i += 2) {
        memset(rig_to, 0, LEN);
        CHECK_OK(mlx5_copy(r, share_src(r, import[i], theirs, LEN), rig_dst(r, 0, LEN)));
        CHECK_MEM(rig_to, theirs, LEN);
        CHECK_OK(doca_mmap_destroy(import[i]));
    }
    CHECK_OK(doca_mmap_destroy(map));
}

static void imports_of_one_export_are_independent(void)
{
    with_pairs(import_twice);
}

/* ---- forged descriptors ---- */

static void forge(struct pair *p)
{
    static const struct {
        size_t at;
        doca_error_t code;
        enum doca_core_item item;
    } rows[] = {
        { offsetof(struct doca_priv_mlx5_blob, sys_image_guid), DOCA_ERROR_NOT_SUPPORTED,
          DOCA_CORE_ITEM_MLX5_OTHER_CARD },
        { offsetof(struct doca_priv_mlx5_blob, index), DOCA_ERROR_INVALID_VALUE,
          DOCA_CORE_ITEM_MLX5_NO_EXPORT },
        { offsetof(struct doca_priv_mlx5_blob, vhca_id), DOCA_ERROR_INVALID_VALUE,
          DOCA_CORE_ITEM_MLX5_NO_EXPORT },
        { offsetof(struct doca_priv_mlx5_blob, access_key), DOCA_ERROR_INVALID_VALUE,
          DOCA_CORE_ITEM_MLX5_NO_EXPORT },
        { offsetof(struct doca_priv_mlx5_blob, access_key) + 31, DOCA_ERROR_INVALID_VALUE,
          DOCA_CORE_ITEM_MLX5_NO_EXPORT },
        { offsetof(struct doca_priv_mlx5_blob, version), DOCA_ERROR_NOT_SUPPORTED,
          DOCA_CORE_ITEM_EXPORT_VERSION },
    };
    struct doca_mmap *map = share_map(p->exporter, theirs, LEN, PCI_WRITE | RDMA_READ), *import;
    struct doca_priv_mmap_desc desc, forged;
    unsigned i, kind;

    for (kind = 0; kind < 2; kind++) {
        describe(map, p->exporter, kind == 1, &desc);
        for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
            forged = desc;
            forged.blob[rows[i].at] ^= 0x10;
            check_no_import(p->r.dev, &forged, DOCA_ERROR_INVALID_VALUE,
                            DOCA_CORE_ITEM_EXPORT_DAMAGED);
            share_seal(&forged);
            check_no_import(p->r.dev, &forged, rows[i].code, rows[i].item);
        }
        forged = desc; /* a longer range and more permissions than the key has */
        forged.len += GUARD;
        forged.access |= PCI_WRITE | RDMA_WRITE;
        share_seal(&forged);
        import = import_of(p->r.dev, &forged);
        mlx5_check_denied(&p->r, share_src(&p->r, import, theirs + LEN, 1),
                          rig_dst(&p->r, 0, 1));
        if (kind == 1)
            mlx5_check_denied(&p->r, rig_src(&p->r, 0, 1), share_dst(&p->r, import, theirs, 1));
        CHECK_OK(doca_mmap_destroy(import));
    }
    CHECK_OK(doca_mmap_destroy(map));
}

static void forged_descriptor_is_refused_by_the_firmware(void)
{
    with_pairs(forge);
}

/* Each export has a different access key. */
static void access_keys_of_exports_differ(void)
{
    struct doca_priv_mlx5_blob blob[8];
    struct doca_priv_mmap_desc desc;
    struct doca_mmap *map;
    struct pair p;
    unsigned i, k;

    if (!next_pair(&p, DOCA_CORE_MLX5_ENGINE_AUTO, 0))
        test_skip("the first device has no engine that copies");
    map = share_map(p.exporter, theirs, LEN, PCI_WRITE | RDMA_READ);
    for (i = 0; i < 8; i++) {
        describe(map, p.exporter, i % 2 != 0, &desc);
        memcpy(&blob[i], desc.blob, sizeof(blob[i]));
        for (k = 0; k < i; k++)
            CHECK(memcmp(blob[k].access_key, blob[i].access_key, 8) != 0);
        if (i % 2 != 0) {
            CHECK_OK(doca_mmap_stop(map));
            CHECK_OK(doca_mmap_start(map));
        }
    }
    CHECK_OK(doca_mmap_destroy(map));
    close_pair(&p);
}

/* ---- calls that fail ---- */

static unsigned fail_at, num_calls, num_umems, num_objs;

static bool fails_now(void)
{
    return ++num_calls == fail_at;
}


static struct mlx5dv_devx_umem *counted_umem_reg(struct ibv_context *context, void *addr,
                                                 size_t len, uint32_t access)
{
    struct mlx5dv_devx_umem *umem = NULL;

    errno = ENOMEM;
    if (!fails_now())
        umem = mlx5_trap_umem_reg(context, addr, len, access);
    num_umems += umem != NULL;
    return umem;
}

static int counted_umem_dereg(struct mlx5dv_devx_umem *umem)
{
    num_umems--;
    return mlx5_trap_umem_dereg(umem);
}

static struct mlx5dv_devx_obj *counted_obj_create(struct ibv_context *context, const void *in,
                                                  size_t in_bytes, void *out, size_t out_bytes)
{
    struct mlx5dv_devx_obj *obj = NULL;

    errno = ENOMEM;
    if (!fails_now())
        obj = mlx5_trap_obj_create(context, in, in_bytes, out, out_bytes);
    num_objs += obj != NULL;
    return obj;
}

static int counted_obj_destroy(struct mlx5dv_devx_obj *obj)
{
    int error = mlx5_trap_obj_destroy(obj);

    num_objs--;
    return fails_now() ? EBUSY : error;
}

static bool counts_general, hides_cap_2;

static int counted_general_cmd(struct ibv_context *context, const void *in, size_t in_bytes,
                               void *out, size_t out_bytes)
{
    int error;

    if (counts_general && fails_now())
        return ENOMEM;
    error = mlx5_trap_general_cmd(context, in, in_bytes, out, out_bytes);
    if (hides_cap_2 && error == 0 && out_bytes > 4096) /* the answer has the capabilities */
        ((unsigned char *)out)[16 + 0x20 / 8] &= 0x7f;
    return error;
}

static const struct doca_core_mlx5_sys *counted_sys(void)
{
    static struct doca_core_mlx5_sys sys;

    sys = *mlx5_trap_sys();
    sys.umem_reg = counted_umem_reg;
    sys.umem_dereg = counted_umem_dereg;
    sys.obj_create = counted_obj_create;
    sys.obj_destroy = counted_obj_destroy;
    sys.general_cmd = counted_general_cmd;
    fail_at = num_calls = num_umems = num_objs = 0;
    counts_general = hides_cap_2 = false;
    return &sys;
}

/* Export the mmap for PCI and for RDMA, and import both exports. Return false when a call fails. */
static bool export_and_import(struct doca_mmap *map, struct doca_dev *dev)
{
    struct doca_mmap *import[2] = { NULL, NULL };
    const void *desc;
    unsigned i;
    size_t len;

    for (i = 0; i < 2; i++) {
        if ((i == 0 ? doca_mmap_export_pci : doca_mmap_export_rdma)(map, dev, &desc, &len) !=
                DOCA_SUCCESS ||
            doca_mmap_create_from_export(NULL, desc, len, dev, &import[i]) != DOCA_SUCCESS)
            break;
    }
    if (i < 2) {
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_CALL);
        CHECK(strstr(doca_core_last_error(), ": ENOMEM; ") != NULL);
    }
    while (i-- > 0)
        CHECK_OK(doca_mmap_destroy(import[i]));
    return import[1] != NULL;
}

static void no_failed_call_leaves_anything_behind(void)
{
    const struct doca_core_mlx5_sys *sys = counted_sys();
    struct doca_mmap *map;
    struct doca_dev *dev;
    unsigned k;

    (void)mlx5_show(DOCA_CORE_MLX5_ENGINE_AUTO, sys);
    if (!mlx5_limits(0).has_export_pci || !mlx5_limits(0).has_import_pci)
        test_skip("the firmware lets no other function use its keys");
    dev = mlx5_open(0);
    for (k = 1;; k++) {
        map = share_map(dev, theirs, LEN, PCI_WRITE | RDMA_READ);
        num_calls = 0;
        fail_at = k;
        counts_general = true;
        if (export_and_import(map, dev))
            break;
        fail_at = 0;
        CHECK(k < 20);
        CHECK(export_and_import(map, dev)); /* the calls succeed after an earlier failure */
        CHECK_OK(doca_mmap_destroy(map));
        CHECK_EQ(num_umems, 0);
        CHECK_EQ(num_objs, 0);
    }
    CHECK_EQ(k, 9); /* eight calls can fail: umem, mkey, permission and alias of each export */
    fail_at = 0;
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_EQ(num_umems + num_objs, 0);
    CHECK_OK(doca_dev_close(dev));
}

/* When the device refuses to destroy a key, importers can still use it, so the failure must be
 * logged. */
static void key_that_the_device_does_not_destroy_is_logged(void)
{
    const struct doca_core_mlx5_sys *sys = counted_sys();
    struct doca_priv_mmap_desc desc;
    struct doca_mmap *map;
    struct doca_dev *dev;

    (void)mlx5_show(DOCA_CORE_MLX5_ENGINE_AUTO, sys);
    if (!mlx5_limits(0).has_export_pci)
        test_skip("the firmware lets no other function use its keys");
    dev = mlx5_open(0);
    map = share_map(dev, theirs, LEN, PCI_WRITE);
    describe(map, dev, false, &desc);
    fail_at = num_calls + 1;
    CHECK_OK(doca_mmap_stop(map));
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MLX5_KEPT);
    CHECK(strstr(test_log_text, ": EBUSY [DRIVER]") != NULL);
    CHECK_EQ(num_umems, 0); /* the memory that the key refers to is deregistered nevertheless */
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- firmware without aliases of keys ---- */

static void check_own_rights(struct rig *r, unsigned i)
{
    const size_t secret = offsetof(struct doca_priv_mlx5_blob, access_key);
    struct doca_mmap *map = share_map(r->dev, theirs, LEN, rights[i].access), *import;
    struct doca_priv_mmap_desc desc, forged;
    const void *at;
    size_t len;

    if (!rights[i].is_rdma) {
        CHECK_RC(doca_mmap_export_pci(map, r->dev, &at, &len), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_EXPORT);
        CHECK_OK(doca_mmap_destroy(map));
        return;
    }
    describe(map, r->dev, true, &desc);
    forged = desc;
    forged.blob[secret] ^= 0x10;
    share_seal(&forged);
    check_no_import(r->dev, &forged, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MLX5_NO_EXPORT);
    import = import_of(r->dev, &desc);
    if (rights[i].reads) {
        CHECK_OK(mlx5_copy(r, share_src(r, import, theirs, LEN), rig_dst(r, 0, LEN)));
        CHECK_MEM(rig_to, theirs, LEN);
    } else {
        share_refused(r, share_src(r, import, theirs, LEN), rig_dst(r, 0, LEN),
                      DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_TASK_WRITE_ONLY);
    }
    if (rights[i].writes) {
        CHECK_OK(mlx5_copy(r, rig_src(r, 7, LEN), share_dst(r, import, theirs, LEN)));
        CHECK_MEM(theirs, rig_from + 7, LEN);
    } else {
        CHECK_RC(mlx5_copy(r, rig_src(r, 7, 100), share_dst(r, import, theirs, 100)),
                 DOCA_ERROR_IO_FAILED);
        CHECK_EQ(share_item, DOCA_CORE_ITEM_TASK_READ_ONLY);
    }
    CHECK_OK(doca_mmap_stop(map)); /* the import still exists; the device refuses its accesses */
    if (rights[i].reads)
        mlx5_check_denied(r, share_src(r, import, theirs, 10), rig_dst(r, 0, 10));
    check_no_import(r->dev, &desc, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MLX5_NO_EXPORT);
    CHECK_OK(doca_mmap_destroy(import));
    /* the new export may get the same key, but the access key of the old export is invalid */
    CHECK_OK(doca_mmap_start(map));
    describe(map, r->dev, true, &forged);
    memcpy(forged.blob + secret, desc.blob + secret, DOCA_PRIV_MLX5_ACCESS_KEY_BYTES);
    share_seal(&forged);
    check_no_import(r->dev, &forged, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MLX5_NO_EXPORT);
    CHECK_OK(doca_mmap_destroy(map));
}

static void device_without_aliases_imports_only_its_own_rdma_exports(void)
{
    const struct doca_core_mlx5_sys *sys;
    struct doca_priv_mmap_desc desc;
    struct doca_dev *other;
    struct doca_mmap *map;
    uint32_t num;
    struct rig r;
    unsigned k;
    size_t i;

    for (i = 0; i < MLX5_NUM_ENGINES; i++) {
        sys = counted_sys();
        hides_cap_2 = true;
        num = mlx5_show(mlx5_engines[i], sys);
        CHECK(!mlx5_limits(0).has_export_pci && !mlx5_limits(0).has_import_pci);
        if (!mlx5_limits(0).has_dma)
            continue;
        mlx5_rig_open(&r, mlx5_open(0), 8);
        fill();
        for (k = 0; k < sizeof(rights) / sizeof(rights[0]); k++)
            check_own_rights(&r, k);
        check_guards();
        if (num > 1) {
            other = mlx5_open(num - 1);
            map = share_map(r.dev, theirs, LEN, RDMA_READ);
            describe(map, r.dev, true, &desc);
            check_no_import(other, &desc, DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_NO_ALIAS);
            CHECK_OK(doca_mmap_destroy(map));
            CHECK_OK(doca_dev_close(other));
        }
        CHECK_EQ(num_umems + num_objs, 0);
        rig_close(&r);
    }
}

/* An import takes at most the documented number of bytes from the arena of the device. */
static void import_takes_the_documented_bytes(void)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    size_t before, behind;
    struct doca_priv_mmap_desc desc;
    struct doca_mmap *map, *import;
    struct pair p;

    if (!next_pair(&p, DOCA_CORE_MLX5_ENGINE_AUTO, 0))
        test_skip("the first device has no engine that copies");
    map = share_map(p.exporter, theirs, LEN, PCI_WRITE);
    describe(map, p.exporter, false, &desc);
    CHECK_OK(doca_core_arena_query(arena, &before, NULL, NULL));
    import = import_of(p.r.dev, &desc);
    CHECK_OK(doca_core_arena_query(arena, &behind, NULL, NULL));
    CHECK_EQ(behind - before, DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_MLX5_BYTES_REG);
    CHECK(behind - before <= DOCA_CORE_BYTES_MMAP_IMPORT(1));
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(map));
    close_pair(&p);
}

static const struct test_case cases[] = {
    CASE(key_gives_the_rights_of_the_export_and_no_others, ""),
    CASE(key_gives_no_access_outside_the_range, ""),
    CASE(lists_mix_own_and_foreign_memory, ""),
    CASE(overlap_in_foreign_memory_is_refused, ""),
    CASE(stop_ends_every_import, ""),
    CASE(imports_of_one_export_are_independent, ""),
    CASE(forged_descriptor_is_refused_by_the_firmware, ""),
    CASE(access_keys_of_exports_differ, ""),
    CASE(no_failed_call_leaves_anything_behind, ""),
    CASE(key_that_the_device_does_not_destroy_is_logged, ""),
    CASE(device_without_aliases_imports_only_its_own_rdma_exports, ""),
    CASE(import_takes_the_documented_bytes, ""),
};

TEST_MAIN(cases)
