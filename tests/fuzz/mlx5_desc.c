/* Forged descriptors of mmaps, and of sync events whose value a device can access. They are
 * imported with the simulated device of mlx5_fake.h. An accepted descriptor must have valid
 * members, and its event must lie in its mmap. The firmware decides whether a key is valid: the
 * simulated device accepts all keys. */
#include "forge.h"

#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "mlx5_fake.h"

enum { PCI, RDMA, EVENT, FAR_BYTES = 4096 };

static _Alignas(64) unsigned char far_bytes[FAR_BYTES];
static struct doca_core_mlx5_sys sys;
static struct doca_dev *dev;
static struct doca_mmap *maps[2];
static struct doca_buf_inventory *inventory;
static struct doca_buf *buf;
static struct doca_sync_event *event;
static const void *descs[3];
static size_t lens[3];

/* The device must report atomics that are coherent with the CPU. */
static int query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
    int error = fake_query_device(context, attr);

    attr->atomic_cap = IBV_ATOMIC_GLOB;
    return error;
}

static void make_event(void)
{
    const uint8_t *desc = NULL;

    CHECK_OK(doca_buf_inventory_create(1, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, maps[PCI], far_bytes + 128, 8, &buf));
    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_remote_pci(event));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_set_doca_buf(event, buf));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_export_to_remote_pci(event, dev, &desc, &lens[EVENT]));
    descs[EVENT] = desc;
    CHECK_EQ(lens[EVENT], sizeof(struct doca_priv_event_dev_desc));
}

static void fuzz_set_up(void)
{
    const struct doca_core_mlx5_options options = { &sys, DOCA_CORE_MLX5_ENGINE_RC };
    static const struct doca_core_dev_attr none;

    fake_reset();
    fake.has_cap_2 = true;
    sys = fake_sys;
    sys.query_device = query_device;
    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    CHECK_OK(doca_core_backend_register(doca_core_mlx5_backend(&options)));
    dev = rig_open_dev(NULL);
    maps[PCI] = share_map(dev, far_bytes, FAR_BYTES, SHARE_PCI);
    maps[RDMA] = share_map(dev, far_bytes, FAR_BYTES, SHARE_RDMA);
    CHECK_OK(doca_mmap_export_pci(maps[PCI], dev, &descs[PCI], &lens[PCI]));
    CHECK_OK(doca_mmap_export_rdma(maps[RDMA], dev, &descs[RDMA], &lens[RDMA]));
    make_event();
}

/* ---- which descriptors may be accepted ---- */

static bool head_is_valid(const struct doca_priv_export *head,
                          const struct doca_priv_export *true_head)
{
    return memcmp(head->magic, true_head->magic, sizeof(head->magic)) == 0 &&
           head->version == true_head->version && head->pointer_bytes == sizeof(void *) &&
           head->bytes == true_head->bytes && head->machine == 0;
}

static bool is_sealed(const void *bytes, size_t len)
{
    struct forge f;

    memcpy(f.bytes, bytes, len);
    f.len = len;
    return forge_is_sealed(&f, len);
}

/* Return 1 if the descriptor of an mmap must be accepted, and 0 if it must be refused. Return 2 for
 * an RDMA descriptor without an alias, because more conditions decide about it. */
static unsigned judge_mmap(const struct doca_priv_mmap_desc *d)
{
    const struct doca_priv_mmap_desc *base = descs[PCI];
    struct doca_priv_mlx5_blob blob, true_blob;

    memcpy(&blob, d->blob, sizeof(blob));
    memcpy(&true_blob, base->blob, sizeof(true_blob));
    if (!is_sealed(d, sizeof(*d)) || !head_is_valid(&d->head, &base->head) ||
        (d->head.kind != 1 && d->head.kind != 2) || d->len == 0 || d->len > UINT64_MAX - d->addr ||
        (d->access & ~(2u * DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING - 1)) != 0 ||
        memcmp(d->backend, base->backend, sizeof(d->backend)) != 0 || blob.version != 1)
        return 0;
    if (blob.index == 0)
        return d->head.kind == 2 ? 2 : 0;
    return blob.sys_image_guid == true_blob.sys_image_guid;
}

static unsigned judge_event(const struct doca_priv_event_dev_desc *d)
{
    const struct doca_priv_event_dev_desc *base = descs[EVENT];

    if (!is_sealed(d, sizeof(*d)) || !head_is_valid(&d->head, &base->head) || d->head.kind != 5 ||
        d->addr % 8 != 0 || d->addr < d->mmap.addr || d->mmap.len < 8 ||
        d->addr - d->mmap.addr > d->mmap.len - 8)
        return 0;
    return judge_mmap(&d->mmap);
}

/* ---- import of forged descriptors ---- */

static void try_mmap(const struct forge *f)
{
    struct doca_priv_mmap_desc desc;
    struct doca_mmap *import = NULL;
    doca_error_t rc;
    unsigned want;
    void *at = fuzz_block(f->bytes, f->len), *addr;
    size_t len;

    memcpy(&desc, f->bytes, sizeof(desc));
    want = f->len == sizeof(desc) ? judge_mmap(&desc) : 0;
    rc = doca_mmap_create_from_export(NULL, at, f->len, dev, &import);
    fuzz_free(at);
    CHECK(want == 2 || (rc == DOCA_SUCCESS) == (want == 1));
    CHECK_EQ(import != NULL, rc == DOCA_SUCCESS);
    if (rc != DOCA_SUCCESS)
        return;
    CHECK_OK(doca_mmap_get_memrange(import, &addr, &len));
    CHECK_EQ((uintptr_t)addr, desc.addr);
    CHECK_EQ(len, desc.len);
    CHECK_OK(doca_mmap_destroy(import));
}

static void try_event(const struct forge *f)
{
    struct doca_priv_event_dev_desc desc;
    struct doca_sync_event *import = NULL;
    doca_error_t rc;
    unsigned want;
    void *at = fuzz_block(f->bytes, f->len);

    memcpy(&desc, f->bytes, sizeof(desc));
    want = f->len == sizeof(desc) ? judge_event(&desc) : 0;
    rc = doca_sync_event_create_from_export(dev, at, f->len, &import);
    fuzz_free(at);
    CHECK(want == 2 || (rc == DOCA_SUCCESS) == (want == 1));
    CHECK_EQ(import != NULL, rc == DOCA_SUCCESS);
    if (rc == DOCA_SUCCESS)
        CHECK_OK(doca_sync_event_destroy(import));
}

static void fuzz_run_input(void)
{
    unsigned base = fuzz_byte() % 3, num_objs = fake.num_objs, num_mrs = fake.num_mrs;
    bool is_event = base == EVENT;
    struct doca_priv_export head;
    struct forge f;

    forge_begin(&f, descs[base], lens[base]);
    if (is_event && (f.flags & FORGE_SEALED) != 0 && (f.flags & 8) == 0)
        forge_seal(&f, offsetof(struct doca_priv_event_dev_desc, mmap),
                   sizeof(struct doca_priv_mmap_desc));
    if ((f.flags & FORGE_SEALED) != 0)
        forge_seal(&f, 0, lens[base]);
    memcpy(&head, f.bytes, sizeof(head));
    if (is_event && (f.len < sizeof(head) || head.kind != 5))
        return; /* no event of a device: sync_event.c tests the other kinds */
    if (is_event)
        try_event(&f);
    else
        try_mmap(&f);
    CHECK_EQ(fake.num_objs, num_objs);
    CHECK_EQ(fake.num_mrs, num_mrs);
}
