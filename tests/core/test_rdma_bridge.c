/* The RDMA bridge, and the results of the DPDK calls in a build without DPDK. The program is not
 * linked with libibverbs: the library must not dereference the addresses of the PDs. */
#include "fixture.h"

struct ibv_pd {
    int unused;
};

static struct ibv_pd pds[DOCA_CORE_MAX_DEVS + 1];

static struct doca_dev *open_pd(struct ibv_pd *pd)
{
    struct doca_dev *dev = NULL;

    CHECK_OK(doca_rdma_bridge_open_dev_from_pd(pd, &dev));
    CHECK(dev != NULL);
    return dev;
}

static size_t bytes_used(void)
{
    size_t used;

    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
    return used;
}

/* ---- a backend with PDs ---- */

static struct {
    doca_error_t pd_answer, open_answer;
    struct ibv_pd *own;    /* PD of the listed device */
    struct ibv_pd *opened; /* the PD that open_from_pd opened last */
    unsigned num_opened, num_closed;
    unsigned num_wrong; /* calls that the core must not make */
    uint32_t mkey, access;
} verbs;

static uint32_t verbs_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    static const struct doca_core_dev_attr attr = { .pci_addr = "0000:0c:00.0",
                                                    .ibdev_name = "verbs_0" };

    if (max > 0)
        attrs[0] = attr;
    return 1;
}

static doca_error_t verbs_get_pd(const struct doca_dev *dev, struct ibv_pd **pd)
{
    verbs.num_wrong += dev->from_pd != NULL;
    *pd = verbs.own;
    return verbs.pd_answer;
}

static doca_error_t verbs_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd)
{
    verbs.opened = pd;
    verbs.num_opened++;
    strcpy(dev->info.attr.ibdev_name, "verbs_pd");
    return verbs.open_answer;
}

static void verbs_dev_close(struct doca_dev *dev)
{
    (void)dev;
    verbs.num_closed++;
}

static doca_error_t verbs_reg(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                              uint32_t *mkey)
{
    (void)dev;
    (void)addr;
    (void)len;
    verbs.access = access;
    *mkey = verbs.mkey;
    return DOCA_SUCCESS;
}

static void verbs_begin(void)
{
    struct doca_core_backend table = *doca_core_sw_backend();

    memset(&verbs, 0, sizeof(verbs));
    verbs.own = &pds[0];
    verbs.mkey = 0x1234;
    table.name = "verbs";
    table.enumerate = verbs_enumerate;
    table.get_pd = verbs_get_pd;
    table.open_from_pd = verbs_open_from_pd;
    table.dev_close = verbs_dev_close;
    table.reg = verbs_reg;
    CHECK_OK(doca_core_backend_register(&table));
}

static void verbs_end(void)
{
    CHECK_EQ(verbs.num_wrong, 0);
    CHECK_OK(doca_core_backend_unregister("verbs"));
}

/* ---- devices and PDs ---- */

static void software_device_has_no_pd(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct ibv_pd *pd = &pds[3];

    CHECK_RC(doca_rdma_bridge_get_dev_pd(dev, &pd), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_PD);
    CHECK_PTR(pd, &pds[3]);
    CHECK_RC(doca_rdma_bridge_get_dev_pd(NULL, &pd), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_bridge_get_dev_pd(dev, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_close(dev));
#if DOCA_CORE_CHECK >= 1
    CHECK_RC(doca_rdma_bridge_get_dev_pd(dev, &pd), DOCA_ERROR_INVALID_VALUE);
#endif
}

static void device_returns_the_pd_of_its_backend(void)
{
    struct doca_dev *dev;
    struct ibv_pd *pd = NULL;

    verbs_begin();
    dev = rig_open_dev("0000:0c:00.0");
    CHECK_OK(doca_rdma_bridge_get_dev_pd(dev, &pd));
    CHECK_PTR(pd, verbs.own);
    verbs.pd_answer = DOCA_ERROR_BAD_STATE;
    pd = &pds[3];
    CHECK_RC(doca_rdma_bridge_get_dev_pd(dev, &pd), DOCA_ERROR_BAD_STATE);
    CHECK_PTR(pd, &pds[3]);
    CHECK_OK(doca_dev_close(dev));
    verbs_end();
}

static void device_returns_the_pd_it_was_opened_from(void)
{
    struct doca_dev *a = open_pd(&pds[1]), *b = open_pd(&pds[2]);
    struct ibv_pd *pd = NULL;

    CHECK(a != b);
    CHECK_OK(doca_rdma_bridge_get_dev_pd(a, &pd));
    CHECK_PTR(pd, &pds[1]);
    CHECK_OK(doca_rdma_bridge_get_dev_pd(b, &pd));
    CHECK_PTR(pd, &pds[2]);
    CHECK_OK(doca_dev_close(a));
    CHECK_OK(doca_dev_close(b));
}

static void openings_of_one_pd_are_counted(void)
{
    size_t before = bytes_used();
    struct doca_dev *dev = open_pd(&pds[1]);
    struct ibv_pd *pd = NULL;

    CHECK_EQ(bytes_used() - before, DOCA_CORE_BYTES_DEV(1));
    CHECK_PTR(open_pd(&pds[1]), dev);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_rdma_bridge_get_dev_pd(dev, &pd));
    CHECK_PTR(pd, &pds[1]);
    CHECK_EQ(bytes_used() - before, DOCA_CORE_BYTES_DEV(1));
    CHECK_OK(doca_dev_close(dev));
    CHECK_EQ(bytes_used(), before);
}

static void device_from_pd_is_not_the_listed_device(void)
{
    struct doca_dev *from_pd = open_pd(&pds[1]), *listed = rig_open_dev(NULL);

    CHECK(from_pd != listed);
    CHECK(doca_dev_as_devinfo(listed) != NULL);
    CHECK_OK(doca_dev_close(from_pd));
    CHECK_OK(doca_dev_close(listed));
}

static void pd_of_a_listed_device_is_refused(void)
{
    struct doca_dev *listed, *dev = NULL;
    struct ibv_pd *pd = NULL;
    size_t before;

    verbs_begin();
    listed = rig_open_dev("0000:0c:00.0");
    CHECK_OK(doca_rdma_bridge_get_dev_pd(listed, &pd));
    before = bytes_used();
    CHECK_RC(doca_rdma_bridge_open_dev_from_pd(pd, &dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_OWN_PD);
    CHECK_PTR(dev, NULL);
    CHECK_EQ(bytes_used(), before);
    CHECK_EQ(verbs.num_opened, 0);
    dev = open_pd(&pds[1]); /* another PD is accepted */
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(listed));
    verbs_end();
}

static void backend_that_knows_pds_opens_them(void)
{
    struct doca_dev *dev = NULL;
    size_t before;

    verbs_begin();
    dev = open_pd(&pds[1]);
    CHECK_PTR(verbs.opened, &pds[1]);
    CHECK_STR(dev->info.attr.ibdev_name, "verbs_pd");
    CHECK_RC(doca_core_backend_unregister("verbs"), DOCA_ERROR_IN_USE);
    CHECK_PTR(open_pd(&pds[1]), dev);
    CHECK_EQ(verbs.num_opened, 1);
    CHECK_OK(doca_dev_close(dev));
    CHECK_EQ(verbs.num_closed, 0);
    CHECK_OK(doca_dev_close(dev));
    CHECK_EQ(verbs.num_closed, 1);

    verbs.open_answer = DOCA_ERROR_DRIVER; /* the core does not try the software device next */
    before = bytes_used();
    dev = NULL;
    CHECK_RC(doca_rdma_bridge_open_dev_from_pd(&pds[1], &dev), DOCA_ERROR_DRIVER);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_BACKEND_REFUSED);
    CHECK_PTR(dev, NULL);
    CHECK_EQ(bytes_used(), before);
    CHECK_EQ(verbs.num_closed, 1);
    verbs_end();
}

static void opening_a_pd_needs_arguments_and_arena_memory(void)
{
    static DOCA_CORE_ALIGNED unsigned char memory[DOCA_CORE_BYTES_DEV(1)];
    struct doca_core_arena arena;
    struct doca_dev *dev = NULL, *second = NULL;

    CHECK_RC(doca_rdma_bridge_open_dev_from_pd(NULL, &dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_bridge_open_dev_from_pd(&pds[1], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_rdma_bridge_open_dev_from_pd_in(NULL, &pds[1], &dev),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_arena_init(&arena, memory, sizeof(memory)));
    CHECK_OK(doca_core_rdma_bridge_open_dev_from_pd_in(&arena, &pds[1], &dev));
    CHECK_RC(doca_core_rdma_bridge_open_dev_from_pd_in(&arena, &pds[2], &second),
             DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(second, NULL);
    /* a PD that is already open takes no memory */
    CHECK_OK(doca_core_rdma_bridge_open_dev_from_pd_in(&arena, &pds[1], &second));
    CHECK_PTR(second, dev);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(dev));
}

static void devices_from_pds_count_as_open_devices(void)
{
    struct doca_dev *devs[DOCA_CORE_MAX_DEVS], *dev = NULL;
    uint32_t i;

    for (i = 0; i < DOCA_CORE_MAX_DEVS; i++)
        devs[i] = open_pd(&pds[i]);
    CHECK_RC(doca_rdma_bridge_open_dev_from_pd(&pds[i], &dev), DOCA_ERROR_INITIALIZATION);
    CHECK_PTR(dev, NULL);
    for (i = 0; i < DOCA_CORE_MAX_DEVS; i++)
        CHECK_OK(doca_dev_close(devs[i]));
}

/* ---- capabilities of a device from a PD ---- */

static void device_from_pd_has_no_devinfo(void)
{
    struct doca_dev *dev = open_pd(&pds[1]);

    /* NULL is a valid result, so no line is logged */
    CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_INFO));
    CHECK_PTR(doca_dev_as_devinfo(dev), NULL);
    CHECK_EQ(test_log_lines, 0);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_FROM_PD);
    CHECK_OK(doca_dev_close(dev));
}

static void device_from_pd_has_no_representors(void)
{
    struct doca_dev *dev = open_pd(&pds[1]);
    struct doca_devinfo_rep **reps = NULL;
    uint32_t num = 77;

    CHECK_RC(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_PTR(reps, NULL);
    CHECK_EQ(num, 77);
    CHECK_OK(doca_dev_close(dev));
}

static void device_from_pd_exports_and_imports_no_mmap(void)
{
    struct doca_dev *dev = open_pd(&pds[1]), *listed = rig_open_dev(NULL);
    const void *desc = NULL, *proper = NULL;
    struct doca_mmap *mmap, *imported = NULL;
    size_t len = 77, proper_len;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, rig_from, RIG_BYTES));
    CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE |
                                                 DOCA_ACCESS_FLAG_RDMA_READ));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_add_dev(mmap, listed));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_RC(doca_mmap_export_pci(mmap, dev, &desc, &len), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_mmap_export_rdma(mmap, dev, &desc, &len), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_PTR(desc, NULL);
    CHECK_EQ(len, 77);
    CHECK_OK(doca_mmap_export_pci(mmap, listed, &proper, &proper_len));
    CHECK_RC(doca_mmap_create_from_export(NULL, proper, proper_len, dev, &imported),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_mmap_export_rdma(mmap, listed, &proper, &proper_len));
    CHECK_RC(doca_mmap_create_from_export(NULL, proper, proper_len, dev, &imported),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_PTR(imported, NULL);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(listed));
}

/* Rule 56 says that such a device cannot be used with mmaps and contexts. The vendor's guide says
 * that it can, and the library follows the guide. */
static void device_from_pd_serves_mmaps_and_contexts(void)
{
    struct doca_dev *dev = open_pd(&pds[1]);
    struct rig r;

    rig_build_on(&r, dev, 4);
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    r.frees_tasks = true;
    rig_copy(&r, r.dma, 100, 5000);
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_MEM(rig_to + 100, rig_from + 100, 5000);
    rig_close(&r);
}

static void device_from_pd_has_the_default_profile(void)
{
    struct rig r;

    CHECK_OK(doca_core_sw_set_profile("connectx7")); /* this profile has no copy engine */
    rig_build_on(&r, open_pd(&pds[1]), 1);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_UNSUITABLE);
    rig_close(&r);
    CHECK_OK(doca_core_sw_set_profile("default"));
}

/* ---- keys ---- */

static uint32_t key_of(const struct doca_buf *buf, struct doca_dev *dev)
{
    uint32_t key = 0;

    CHECK_OK(doca_rdma_bridge_get_buf_mkey(buf, dev, &key));
    CHECK(key != 0);
    return key;
}

static void bufs_of_one_mmap_share_its_key(void)
{
    struct doca_buf *src, *inner, *dst, *copy;
    struct rig r;

    rig_build(&r, NULL, 1);
    src = rig_src(&r, 0, 64);
    inner = rig_src(&r, 4096, 64);
    dst = rig_dst(&r, 0, 64);
    CHECK_OK(doca_buf_chain_list(src, inner));
    CHECK_OK(doca_buf_inventory_buf_dup(r.inventory, src, &copy));
    CHECK_EQ(key_of(inner, r.dev), key_of(src, r.dev));
    CHECK_EQ(key_of(copy, r.dev), key_of(src, r.dev));
    CHECK(key_of(dst, r.dev) != key_of(src, r.dev));
    CHECK_OK(doca_buf_dec_refcount(copy, NULL));
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    rig_close(&r);
}

static void buf_of_a_destroyed_mmap_has_no_key(void)
{
    struct doca_mmap *mmap;
    struct doca_buf *buf;
    uint32_t mkey = 77;
    struct rig r;

    rig_build(&r, NULL, 1);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, rig_from, 4096));
    CHECK_OK(doca_mmap_enable_thread_safety(mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, mmap, rig_from, 64, &buf));
    CHECK(key_of(buf, r.dev) != 0);
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_RC(doca_rdma_bridge_get_buf_mkey(buf, r.dev, &mkey), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MMAP_NOT_STARTED);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK(key_of(buf, r.dev) != 0);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_RC(doca_rdma_bridge_get_buf_mkey(buf, r.dev, &mkey), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(mkey, 77);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    rig_close(&r);
}

static void each_device_has_a_key_of_its_own(void)
{
    struct doca_dev *second = rig_open_dev("0000:03:00.1"), *from_pd = open_pd(&pds[1]);
    uint32_t keys[4], mkey = 77;
    struct doca_buf *buf;
    struct rig r;
    size_t i, j;

    rig_build(&r, NULL, 1);
    buf = rig_src(&r, 0, 64);
    CHECK_RC(doca_rdma_bridge_get_buf_mkey(buf, second, &mkey), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MMAP_DEV_MISSING);
    CHECK_EQ(mkey, 77);
    keys[0] = key_of(buf, r.dev);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_mmap_stop(r.src_map));
    CHECK_OK(doca_mmap_add_dev(r.src_map, second));
    CHECK_OK(doca_mmap_add_dev(r.src_map, from_pd));
    CHECK_OK(doca_mmap_start(r.src_map));
    buf = rig_src(&r, 0, 64);
    keys[1] = key_of(buf, r.dev); /* a new registration */
    keys[2] = key_of(buf, second);
    keys[3] = key_of(buf, from_pd);
    for (i = 0; i < 4; i++)
        for (j = 0; j < i; j++)
            CHECK(keys[i] != keys[j]);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    rig_close(&r);
    CHECK_OK(doca_dev_close(second));
    CHECK_OK(doca_dev_close(from_pd));
}

static void key_needs_a_valid_buf_a_device_and_an_output(void)
{
    struct doca_buf *buf;
    uint32_t mkey = 77;
    struct rig r;

    rig_build(&r, NULL, 1);
    buf = rig_src(&r, 0, 64);
    CHECK_RC(doca_rdma_bridge_get_buf_mkey(NULL, r.dev, &mkey), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_bridge_get_buf_mkey(buf, NULL, &mkey), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_bridge_get_buf_mkey(buf, r.dev, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_RC(doca_rdma_bridge_get_buf_mkey(buf, r.dev, &mkey), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(mkey, 77);
    rig_close(&r);
}

static void key_comes_from_the_backend(void)
{
    static const uint32_t access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE;
    struct doca_buf_inventory *inventory;
    struct doca_mmap *mmap;
    struct doca_buf *buf;
    struct doca_dev *dev;
    uint32_t mkey = 77;

    verbs_begin();
    dev = open_pd(&pds[1]);
    CHECK_OK(doca_buf_inventory_create(1, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, rig_from, RIG_BYTES));
    CHECK_OK(doca_mmap_set_permissions(mmap, access));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_EQ(verbs.access, access);
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, rig_from, 1, &buf));
    CHECK_EQ(key_of(buf, dev), 0x1234);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_mmap_stop(mmap));
    verbs.mkey = 0; /* an invalid key */
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, rig_from, 1, &buf));
    CHECK_RC(doca_rdma_bridge_get_buf_mkey(buf, dev, &mkey), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(mkey, 77);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_dev_close(dev));
    verbs_end();
}

/* ---- without DPDK ---- */

#define REFUSED(call) CHECK_RC(call, DOCA_ERROR_INVALID_VALUE)

static void dpdk_calls_return_errors_without_dpdk(void)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    struct doca_dev *dev = rig_open_dev(NULL), *found = NULL;
    /* these addresses are never dereferenced */
    struct doca_dpdk_mempool mempool, *created = NULL;
    struct rte_mempool *pool = (struct rte_mempool *)(void *)&mempool;
    struct rte_mbuf *mbuf = (struct rte_mbuf *)(void *)&mempool;
    struct doca_buf_inventory *inventory;
    struct doca_dev_rep *reps[1] = { NULL };
    struct doca_buf *buf = NULL;
    uint16_t port = 77;

    CHECK_OK(doca_buf_inventory_create(1, &inventory));
    CHECK_RC(doca_dpdk_mempool_create(pool, &created), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DPDK_ABSENT);
    CHECK_RC(doca_core_dpdk_mempool_create_in(doca_core_arena_bound(), pool, &created),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_dpdk_mempool_destroy(&mempool), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_dpdk_mempool_dev_add(&mempool, dev), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_dpdk_mempool_set_permissions(&mempool, 0), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_dpdk_mempool_start(&mempool), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(&mempool, inventory, mbuf, &buf),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_dpdk_port_probe(dev, ""), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_dpdk_port_probe_with_representors(dev, "", NULL, 0), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_dpdk_port_probe_with_representors(dev, "", reps, 1), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_dpdk_port_as_dev(0, &found), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_dpdk_get_first_port_id(dev, &port), DOCA_ERROR_NOT_SUPPORTED);

    REFUSED(doca_dpdk_mempool_create(NULL, &created));
    REFUSED(doca_dpdk_mempool_create(pool, NULL));
    REFUSED(doca_core_dpdk_mempool_create_in(NULL, pool, &created));
    REFUSED(doca_core_dpdk_mempool_create_in(arena, NULL, &created));
    REFUSED(doca_core_dpdk_mempool_create_in(arena, pool, NULL));
    REFUSED(doca_dpdk_mempool_dev_add(NULL, dev));
    REFUSED(doca_dpdk_mempool_dev_add(&mempool, NULL));
    REFUSED(doca_dpdk_mempool_mbuf_to_buf(NULL, inventory, mbuf, &buf));
    REFUSED(doca_dpdk_mempool_mbuf_to_buf(&mempool, NULL, mbuf, &buf));
    REFUSED(doca_dpdk_mempool_mbuf_to_buf(&mempool, inventory, NULL, &buf));
    REFUSED(doca_dpdk_mempool_mbuf_to_buf(&mempool, inventory, mbuf, NULL));
    REFUSED(doca_dpdk_port_probe(NULL, ""));
    REFUSED(doca_dpdk_port_probe_with_representors(dev, "", NULL, 1));
    REFUSED(doca_dpdk_port_probe_with_representors(NULL, "", NULL, 0));
    REFUSED(doca_dpdk_port_probe_with_representors(dev, NULL, NULL, 0));
    REFUSED(doca_dpdk_port_probe(dev, NULL));
    REFUSED(doca_dpdk_get_first_port_id(NULL, &port));
    REFUSED(doca_dpdk_get_first_port_id(dev, NULL));
    CHECK(created == NULL && buf == NULL && found == NULL && port == 77);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE(software_device_has_no_pd, "291"),
    CASE(device_returns_the_pd_of_its_backend, "291"),
    CASE(device_returns_the_pd_it_was_opened_from, "291 292"),
    CASE(openings_of_one_pd_are_counted, "292"),
    CASE(device_from_pd_is_not_the_listed_device, "292"),
    CASE(pd_of_a_listed_device_is_refused, "292"),
    CASE(backend_that_knows_pds_opens_them, "292"),
    CASE(opening_a_pd_needs_arguments_and_arena_memory, ""),
    CASE(devices_from_pds_count_as_open_devices, ""),
    CASE(device_from_pd_has_no_devinfo, "26 293"),
    CASE(device_from_pd_has_no_representors, "36 293"),
    CASE(device_from_pd_exports_and_imports_no_mmap, "57 293"),
    CASE(device_from_pd_serves_mmaps_and_contexts, "56 57"),
    CASE(device_from_pd_has_the_default_profile, ""),
    CASE(bufs_of_one_mmap_share_its_key, "294 296"),
    CASE(buf_of_a_destroyed_mmap_has_no_key, ""),
    CASE(each_device_has_a_key_of_its_own, "294"),
    CASE(key_needs_a_valid_buf_a_device_and_an_output, "294"),
    CASE(key_comes_from_the_backend, "294 295"),
    CASE(dpdk_calls_return_errors_without_dpdk, ""),
};

TEST_MAIN(cases)
