/* The bridge to DPDK, tested with the real DPDK without huge pages and without a NIC. This program
 * contains the implementation. The ports have DPDK's null driver and no PCI address. For tests that
 * need a port with a PCI address, the program wraps two functions of DPDK, which then report
 * one. */
#define ALLOW_EXPERIMENTAL_API /* rte_pktmbuf_pool_create_extbuf() in DPDK 22.11 */
#define DOCA_CORE_DPDK
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include "fixture.h"

#include <rte_eal.h>

#define NUM_MBUFS 63u
#define PRIV_BYTES 64u
#define ROOM_BYTES 1024u /* buffer size of each mbuf, headroom included */

static struct rte_mempool *pool;     /* an ordinary pool of mbufs */
static struct rte_mempool *other;    /* another pool like it */
static struct rte_mempool *pinned;   /* mbufs with pinned external memory */
static struct rte_mempool *not_mbuf; /* its objects are not mbufs */
static struct rte_mempool *chunked;  /* its memory consists of two chunks */

/* ---- a fake PCI bus ---- */

static struct {
    const char *pci_addr; /* PCI address that net_null0 reports; NULL: none */
    int answer;           /* error that hotplug returns; 0: DPDK's own result */
    bool is_there;        /* every hotplug succeeds, and does nothing */
    char bus[16], name[32], args[32]; /* arguments of the latest hotplug */
    unsigned num;  /* number of hotplugs */
    char all[512]; /* device arguments of all hotplugs, separated by blanks */
} bus;

const char *__real_rte_dev_name(const struct rte_device *dev);
const char *__wrap_rte_dev_name(const struct rte_device *dev);
const char *__wrap_rte_dev_name(const struct rte_device *dev)
{
    const char *name = __real_rte_dev_name(dev);

    return bus.pci_addr != NULL && strcmp(name, "net_null0") == 0 ? bus.pci_addr : name;
}

int __real_rte_eal_hotplug_add(const char *busname, const char *devname, const char *drvargs);
int __wrap_rte_eal_hotplug_add(const char *busname, const char *devname, const char *drvargs);
int __wrap_rte_eal_hotplug_add(const char *busname, const char *devname, const char *drvargs)
{
    snprintf(bus.bus, sizeof(bus.bus), "%s", busname);
    snprintf(bus.name, sizeof(bus.name), "%s", devname);
    snprintf(bus.args, sizeof(bus.args), "%s", drvargs);
    snprintf(bus.all + strlen(bus.all), sizeof(bus.all) - strlen(bus.all), "%s%s",
             bus.num++ > 0 ? " " : "", drvargs);
    if (bus.is_there)
        return 0;
    if (bus.answer != 0)
        return bus.answer;
    if (bus.pci_addr != NULL)
        return __real_rte_eal_hotplug_add("vdev", "net_null0", drvargs);
    return __real_rte_eal_hotplug_add(busname, devname, drvargs);
}

/* ---- fixtures ---- */

struct kit {
    struct doca_dev *dev;
    struct doca_dpdk_mempool *mempool; /* over `pool`, started */
    struct doca_buf_inventory *inventory;
};

static struct doca_dpdk_mempool *mempool_on(struct rte_mempool *mbufs, struct doca_dev *dev)
{
    struct doca_dpdk_mempool *mempool;

    CHECK_OK(doca_dpdk_mempool_create(mbufs, &mempool));
    CHECK_OK(doca_dpdk_mempool_dev_add(mempool, dev));
    CHECK_OK(doca_dpdk_mempool_start(mempool));
    return mempool;
}

static void kit_open(struct kit *k, struct rte_mempool *mbufs, size_t num_elements)
{
    k->dev = rig_open_dev(NULL);
    k->mempool = mempool_on(mbufs, k->dev);
    CHECK_OK(doca_buf_inventory_create(num_elements, &k->inventory));
    CHECK_OK(doca_buf_inventory_start(k->inventory));
}

static void check_pools_are_whole(void)
{
    CHECK_EQ(rte_mempool_avail_count(pool), NUM_MBUFS);
    CHECK_EQ(rte_mempool_avail_count(other), NUM_MBUFS);
    CHECK_EQ(rte_mempool_avail_count(pinned), NUM_MBUFS);
    CHECK_EQ(rte_mempool_avail_count(chunked), chunked->populated_size);
}

static void kit_close(struct kit *k)
{
    CHECK_OK(doca_buf_inventory_destroy(k->inventory));
    CHECK_OK(doca_dpdk_mempool_destroy(k->mempool));
    CHECK_OK(doca_dev_close(k->dev));
    check_pools_are_whole();
}

static uint32_t num_free(const struct kit *k)
{
    uint32_t num;

    CHECK_OK(doca_buf_inventory_get_num_free_elements(k->inventory, &num));
    return num;
}

/* Make an mbuf with `len` bytes of value `fill`. */
static struct rte_mbuf *mbuf_of(struct rte_mempool *mbufs, uint16_t len, int fill)
{
    struct rte_mbuf *m = rte_pktmbuf_alloc(mbufs);
    char *data;

    CHECK(m != NULL);
    data = rte_pktmbuf_append(m, len);
    CHECK(data != NULL);
    memset(data, fill, len);
    return m;
}

/* Make a chain of mbufs with 10, 20, 30 ... bytes, whose headroom is 1, 2, 3 ... bytes larger than
 * the default. */
static struct rte_mbuf *chain_of(struct rte_mempool *mbufs, uint16_t num)
{
    struct rte_mbuf *head = NULL, *m;
    uint16_t i;

    for (i = 1; i <= num; i++) {
        m = mbuf_of(mbufs, (uint16_t)(11 * i), i);
        CHECK(rte_pktmbuf_adj(m, i) != NULL);
        if (head == NULL)
            head = m;
        else
            CHECK_EQ(rte_pktmbuf_chain(head, m), 0);
    }
    return head;
}

static struct doca_buf *to_buf(struct kit *k, struct rte_mbuf *m)
{
    struct doca_buf *buf = NULL;

    CHECK_OK(doca_dpdk_mempool_mbuf_to_buf(k->mempool, k->inventory, m, &buf));
    CHECK(IS_HANDLE(buf));
    CHECK_RC(doca_buf_inventory_buf_reuse_by_addr(buf, m->buf_addr, 1), DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_BUF_FIXED);
    return buf;
}

/* Check that the elements of list `buf` have the same memory and data as the mbufs of chain `m`. */
static void check_same_as_chain(struct doca_buf *buf, const struct rte_mbuf *m)
{
    void *head, *data;
    size_t len, data_len;
    uint16_t refcount;
    uint32_t num;

    CHECK_OK(doca_buf_get_refcount(buf, &refcount));
    CHECK_EQ(refcount, 1);
    CHECK_OK(doca_buf_get_list_len(buf, &num));
    CHECK_EQ(num, m->nb_segs);
    for (; m != NULL; m = m->next) {
        CHECK(buf != NULL);
        CHECK_OK(doca_buf_get_head(buf, &head));
        CHECK_OK(doca_buf_get_len(buf, &len));
        CHECK_OK(doca_buf_get_data(buf, &data));
        CHECK_OK(doca_buf_get_data_len(buf, &data_len));
        CHECK_PTR(head, m->buf_addr);
        CHECK_EQ(len, m->buf_len);
        CHECK_PTR(data, rte_pktmbuf_mtod(m, void *));
        CHECK_EQ(data_len, m->data_len);
        CHECK_OK(doca_buf_get_next_in_list(buf, &buf));
    }
    CHECK_PTR(buf, NULL);
}

static void release(struct doca_buf *buf)
{
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
}

/* ---- states of the mempool ---- */

static void only_pools_of_mbufs_with_memory_are_accepted(void)
{
    struct rte_mempool *empty; /* a pool that gets mbufs later */
    struct doca_dpdk_mempool *mempool = NULL;

    CHECK_RC(doca_dpdk_mempool_create(NULL, &mempool), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dpdk_mempool_create(pool, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_dpdk_mempool_create_in(NULL, pool, &mempool), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dpdk_mempool_create(not_mbuf, &mempool), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DPDK_POOL);
    CHECK_RC(doca_dpdk_mempool_create(pinned, &mempool), DOCA_ERROR_INVALID_VALUE);
    heap_trap_set(HEAP_TRAP_OFF); /* DPDK uses the heap */
    empty = rte_mempool_create_empty("empty", NUM_MBUFS, 2048, 0,
                                     sizeof(struct rte_pktmbuf_pool_private), SOCKET_ID_ANY, 0);
    CHECK(empty != NULL);
    CHECK_RC(doca_dpdk_mempool_create(empty, &mempool), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DPDK_POOL);
    rte_mempool_free(empty);
    CHECK_PTR(mempool, NULL);
    CHECK_OK(doca_dpdk_mempool_destroy(NULL));
    CHECK_RC(doca_dpdk_mempool_start(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void start_needs_a_device(void)
{
    struct doca_dpdk_mempool *mempool;
    struct doca_dev *dev = rig_open_dev(NULL);

    CHECK_OK(doca_dpdk_mempool_create(pool, &mempool));
    CHECK_RC(doca_dpdk_mempool_start(mempool), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DPDK_NO_DEV);
    CHECK_RC(doca_dpdk_mempool_dev_add(mempool, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dpdk_mempool_dev_add(NULL, dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dpdk_mempool_dev_add(mempool, dev));
    CHECK_RC(doca_dpdk_mempool_dev_add(mempool, dev), DOCA_ERROR_ALREADY_EXIST);
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_dpdk_mempool_start(mempool));
    CHECK_OK(doca_dpdk_mempool_destroy(mempool));
    CHECK_OK(doca_dev_close(dev));
}

static void configuration_ends_with_start(void)
{
    struct doca_dev *dev = rig_open_dev(NULL), *second = rig_open_dev("0000:03:00.1");
    struct doca_dpdk_mempool *mempool;
    struct doca_buf_inventory *inventory;
    struct rte_mbuf *m = mbuf_of(pool, 1, 0);
    struct doca_buf *buf = NULL;

    CHECK_OK(doca_buf_inventory_create(1, &inventory));
    CHECK_OK(doca_dpdk_mempool_create(pool, &mempool));
    CHECK_OK(doca_dpdk_mempool_dev_add(mempool, dev));
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(mempool, inventory, m, &buf), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_dpdk_mempool_start(mempool));
    CHECK_RC(doca_dpdk_mempool_start(mempool), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_dpdk_mempool_dev_add(mempool, second), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_dpdk_mempool_set_permissions(mempool, 0), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(mempool, inventory, m, &buf), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(rte_mbuf_refcnt_read(m), 1); /* the inventory is not started */
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(NULL, inventory, m, &buf), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(mempool, NULL, m, &buf), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(mempool, inventory, NULL, &buf),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(mempool, inventory, m, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(buf, NULL);
    CHECK_EQ(rte_mbuf_refcnt_read(m), 1);
    rte_pktmbuf_free(m);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_dpdk_mempool_destroy(mempool));
    CHECK_OK(doca_dev_close(second));
    CHECK_OK(doca_dev_close(dev));
}

static void mempool_has_as_many_devices_as_an_mmap(void)
{
    static char pds[DOCA_CORE_MMAP_DEVS + 1];
    struct doca_dev *devs[DOCA_CORE_MMAP_DEVS + 1];
    struct doca_dpdk_mempool *mempool;
    size_t i;

    CHECK_OK(doca_dpdk_mempool_create(chunked, &mempool));
    for (i = 0; i <= DOCA_CORE_MMAP_DEVS; i++) {
        CHECK_OK(doca_rdma_bridge_open_dev_from_pd((struct ibv_pd *)(void *)&pds[i], &devs[i]));
        CHECK_RC(doca_dpdk_mempool_dev_add(mempool, devs[i]),
                 i < DOCA_CORE_MMAP_DEVS ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY);
    }
    CHECK_OK(doca_dpdk_mempool_start(mempool));
    CHECK_OK(doca_dpdk_mempool_destroy(mempool));
    for (i = 0; i <= DOCA_CORE_MMAP_DEVS; i++)
        CHECK_OK(doca_dev_close(devs[i]));
}

static void pci_permissions_are_refused(void)
{
    static const uint32_t refused[] = {
        DOCA_ACCESS_FLAG_PCI_READ_ONLY,        DOCA_ACCESS_FLAG_PCI_READ_WRITE,
        DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING, DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING << 1,
        DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE,
    };
    struct doca_dpdk_mempool *mempool;
    size_t i;

    CHECK_OK(doca_dpdk_mempool_create(pool, &mempool));
    for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        CHECK_RC(doca_dpdk_mempool_set_permissions(mempool, refused[i]), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dpdk_mempool_set_permissions(NULL, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dpdk_mempool_set_permissions(mempool, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
                                                            DOCA_ACCESS_FLAG_RDMA_READ));
    CHECK_OK(doca_dpdk_mempool_destroy(mempool));
}

static unsigned num_regs, max_regs;

static doca_error_t scarce_reg(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                               uint32_t *mkey)
{
    if (num_regs == max_regs)
        return DOCA_ERROR_DRIVER;
    num_regs++;
    return doca_core_sw_backend()->reg(dev, addr, len, access, mkey);
}

static void scarce_dereg(struct doca_dev *dev, uint32_t mkey)
{
    num_regs--;
    doca_core_sw_backend()->dereg(dev, mkey);
}

static uint32_t scarce_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    if (max > 0) {
        memset(attrs, 0, sizeof(*attrs));
        strcpy(attrs->pci_addr, "0000:0d:00.0");
    }
    return 1;
}

static void failed_start_leaves_no_registration(void)
{
    struct doca_core_backend table = *doca_core_sw_backend();
    struct doca_dpdk_mempool *mempool;
    struct doca_dev *dev;

    table.name = "scarce";
    table.enumerate = scarce_enumerate;
    table.reg = scarce_reg;
    table.dereg = scarce_dereg;
    CHECK_OK(doca_core_backend_register(&table));
    dev = rig_open_dev("0000:0d:00.0");
    CHECK_OK(doca_dpdk_mempool_create(chunked, &mempool));
    CHECK_OK(doca_dpdk_mempool_dev_add(mempool, dev));
    max_regs = 1; /* the second of two registrations fails */
    CHECK_RC(doca_dpdk_mempool_start(mempool), DOCA_ERROR_DRIVER);
    CHECK_EQ(num_regs, 0);
    max_regs = 2;
    CHECK_OK(doca_dpdk_mempool_start(mempool));
    CHECK_EQ(num_regs, 2);
    CHECK_RC(doca_dpdk_mempool_set_permissions(mempool, 0), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_dpdk_mempool_destroy(mempool));
    CHECK_EQ(num_regs, 0);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_backend_unregister("scarce"));
}

static void mempool_takes_the_documented_bytes(void)
{
    static DOCA_CORE_ALIGNED unsigned char memory[DOCA_CORE_BYTES_DPDK_MEMPOOL(2)];
    struct rte_mempool *pools[] = { pool, chunked };
    struct doca_dpdk_mempool *mempool = NULL;
    struct doca_core_arena arena;
    size_t i, bytes, used;

    CHECK_EQ(pool->nb_mem_chunks, 1);
    CHECK_EQ(chunked->nb_mem_chunks, 2);
    for (i = 0; i < 2; i++) {
        uint32_t n = pools[i]->nb_mem_chunks;

        CHECK_OK(doca_core_bytes_dpdk_mempool(n, &bytes));
        CHECK_EQ(bytes, DOCA_CORE_BYTES_DPDK_MEMPOOL(n));
        CHECK_OK(doca_core_arena_init(&arena, memory, bytes));
        CHECK_OK(doca_core_dpdk_mempool_create_in(&arena, pools[i], &mempool));
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, bytes);
        CHECK_OK(doca_dpdk_mempool_destroy(mempool));
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, 0);
        mempool = NULL;
        CHECK_OK(doca_core_arena_init(&arena, memory, bytes - DOCA_CORE_LINE));
        CHECK_RC(doca_core_dpdk_mempool_create_in(&arena, pools[i], &mempool),
                 DOCA_ERROR_NO_MEMORY);
        CHECK_PTR(mempool, NULL);
    }
    CHECK_RC(doca_core_bytes_dpdk_mempool(1, NULL), DOCA_ERROR_INVALID_VALUE);
}

static void mempool_with_bufs_cannot_be_destroyed(void)
{
    struct rte_mbuf *m, *clone;
    struct doca_buf *buf;
    struct kit k;

    kit_open(&k, pool, 4);
    m = mbuf_of(pool, 100, 7);
    clone = mbuf_of(pool, 50, 8);
    buf = to_buf(&k, m);
    CHECK_RC(doca_dpdk_mempool_destroy(k.mempool), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_buf_inventory_stop(k.inventory));
    CHECK_RC(doca_dpdk_mempool_destroy(k.mempool), DOCA_ERROR_IN_USE);
    release(buf);
    CHECK_OK(doca_dpdk_mempool_destroy(k.mempool));
#if DOCA_CORE_CHECK >= 1
    CHECK_RC(doca_dpdk_mempool_destroy(k.mempool), DOCA_ERROR_INVALID_VALUE);
#endif
    CHECK_EQ(rte_mbuf_refcnt_read(m), 1);
    CHECK_EQ(m->data_len, 100);
    CHECK_EQ(*rte_pktmbuf_mtod(m, char *), 7);
    CHECK_EQ(*rte_pktmbuf_mtod(clone, char *), 8);
    rte_pktmbuf_free(m);
    rte_pktmbuf_free(clone);
    k.mempool = mempool_on(pool, k.dev); /* the pool can be used again */
    kit_close(&k);
}

/* ---- mbufs as bufs ---- */

static void buf_keeps_a_reference_of_its_mbuf(void)
{
    struct rte_mbuf *m;
    struct doca_buf *buf;
    struct kit k;
    void *data;

    kit_open(&k, pool, 4);
    m = mbuf_of(pool, 100, 42);
    buf = to_buf(&k, m);
    CHECK_EQ(rte_mbuf_refcnt_read(m), 2);
    check_same_as_chain(buf, m);
    rte_pktmbuf_free(m); /* the program's own reference */
    CHECK_EQ(rte_mempool_avail_count(pool), NUM_MBUFS - 1);
    CHECK_OK(doca_buf_get_data(buf, &data));
    CHECK_EQ(*(char *)data, 42);
    CHECK_OK(doca_buf_inc_refcount(buf, NULL)); /* does not change the mbuf's count */
    CHECK_EQ(rte_mbuf_refcnt_read(m), 1);
    release(buf);
    CHECK_EQ(rte_mempool_avail_count(pool), NUM_MBUFS - 1);
    release(buf);
    CHECK_EQ(rte_mempool_avail_count(pool), NUM_MBUFS);
    CHECK_EQ(num_free(&k), 4);
    kit_close(&k);
}

static void buf_may_be_released_before_the_mbuf(void)
{
    struct rte_mbuf *m;
    struct kit k;

    kit_open(&k, pool, 4);
    m = chain_of(pool, 3);
    release(to_buf(&k, m));
    CHECK_EQ(m->nb_segs, 3);
    CHECK_EQ(rte_mbuf_refcnt_read(m), 1);
    CHECK_EQ(rte_mbuf_refcnt_read(m->next->next), 1);
    rte_pktmbuf_free(m);
    kit_close(&k);
}

static void chain_becomes_a_list(void)
{
    struct rte_mbuf *m, *segment;
    struct doca_buf *buf;
    struct kit k;

    kit_open(&k, pool, 5);
    m = chain_of(pool, 5);
    buf = to_buf(&k, m);
    check_same_as_chain(buf, m);
    for (segment = m; segment != NULL; segment = segment->next)
        CHECK_EQ(rte_mbuf_refcnt_read(segment), 2);
    CHECK_EQ(num_free(&k), 0);
    rte_pktmbuf_free(m);
    CHECK_EQ(rte_mempool_avail_count(pool), NUM_MBUFS - 5);
    release(buf);
    CHECK_EQ(num_free(&k), 5);
    kit_close(&k);
}

static void buf_of_an_indirect_mbuf_keeps_the_direct_mbuf(void)
{
    struct rte_mbuf *direct, *clone;
    struct doca_buf *buf;
    struct kit k;

    kit_open(&k, pool, 4);
    direct = chain_of(pool, 2);
    clone = rte_pktmbuf_clone(direct, other); /* indirect mbufs are from another pool */
    CHECK(clone != NULL);
    CHECK(rte_pktmbuf_adj(clone, 3) != NULL); /* changes the offset in the clone only */
    buf = to_buf(&k, clone);
    check_same_as_chain(buf, clone);
    CHECK_EQ(rte_mbuf_refcnt_read(clone), 1);
    CHECK_EQ(rte_mbuf_refcnt_read(direct), 3); /* the test, the clone, the buf */
    CHECK_EQ(rte_mbuf_refcnt_read(direct->next), 3);
    rte_pktmbuf_free(clone);
    CHECK_EQ(rte_mempool_avail_count(other), NUM_MBUFS);
    CHECK_EQ(rte_mbuf_refcnt_read(direct), 2);
    rte_pktmbuf_free(direct);
    CHECK_EQ(rte_mempool_avail_count(pool), NUM_MBUFS - 2);
    release(buf);
    kit_close(&k);
}

static void duplicate_keeps_references_of_the_mbufs(void)
{
    struct doca_buf *buf, *copy, *none = NULL;
    struct rte_mbuf *m;
    struct kit k;

    kit_open(&k, pool, 5);
    m = chain_of(pool, 2);
    buf = to_buf(&k, m);
    CHECK_OK(doca_buf_inventory_buf_dup(k.inventory, buf, &copy));
    check_same_as_chain(copy, m);
    CHECK_EQ(rte_mbuf_refcnt_read(m), 3);
    CHECK_EQ(rte_mbuf_refcnt_read(m->next), 3);
    CHECK_RC(doca_buf_inventory_buf_dup(k.inventory, buf, &none), DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(rte_mbuf_refcnt_read(m), 3);
    release(buf);
    CHECK_EQ(rte_mbuf_refcnt_read(m), 2);
    CHECK_RC(doca_dpdk_mempool_destroy(k.mempool), DOCA_ERROR_IN_USE);
    rte_pktmbuf_free(m);
    CHECK_EQ(rte_mempool_avail_count(pool), NUM_MBUFS - 2);
    release(copy);
    kit_close(&k);
}

static void foreign_memory_is_refused(void)
{
    static char outside[256];
    struct rte_mbuf_ext_shared_info shared;
    struct rte_mbuf *m, *clone;
    struct doca_buf *buf = NULL;
    struct kit k;

    memset(&shared, 0, sizeof(shared));
    rte_mbuf_ext_refcnt_set(&shared, 3); /* so DPDK never frees the memory */
    kit_open(&k, pool, 8);
    m = mbuf_of(other, 10, 1);
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(k.mempool, k.inventory, m, &buf),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DPDK_MBUF);
    clone = rte_pktmbuf_clone(m, pool); /* an mbuf of the pool, with memory from elsewhere */
    CHECK(clone != NULL);
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(k.mempool, k.inventory, clone, &buf),
             DOCA_ERROR_INVALID_VALUE);
    rte_pktmbuf_free(clone);
    rte_pktmbuf_free(m);

    m = rte_pktmbuf_alloc(pool);
    CHECK(m != NULL);
    rte_pktmbuf_attach_extbuf(m, outside, RTE_BAD_IOVA, sizeof(outside), &shared);
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(k.mempool, k.inventory, m, &buf),
             DOCA_ERROR_INVALID_VALUE);
    rte_pktmbuf_free(m);

    /* the external memory of an mbuf belongs to another mbuf of the pool */
    m = rte_pktmbuf_alloc(pool);
    clone = rte_pktmbuf_alloc(pool);
    CHECK(m != NULL && clone != NULL);
    rte_pktmbuf_attach_extbuf(m, clone->buf_addr, RTE_BAD_IOVA, clone->buf_len, &shared);
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(k.mempool, k.inventory, m, &buf),
             DOCA_ERROR_INVALID_VALUE);
    rte_pktmbuf_free(m);
    rte_pktmbuf_free(clone);

    m = mbuf_of(pinned, 10, 1);
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(k.mempool, k.inventory, m, &buf),
             DOCA_ERROR_INVALID_VALUE);
    rte_pktmbuf_free(m);
    CHECK_PTR(buf, NULL);
    kit_close(&k);
}

static void refused_chain_changes_nothing(void)
{
    struct rte_mbuf *m, *segment;
    struct doca_buf *buf = NULL;
    struct kit k;

    kit_open(&k, pool, 8);
    m = chain_of(pool, 3);
    CHECK_EQ(rte_pktmbuf_chain(m, mbuf_of(other, 10, 1)), 0);
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(k.mempool, k.inventory, m, &buf),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(buf, NULL);
    CHECK_EQ(num_free(&k), 8);
    CHECK_EQ(m->nb_segs, 4);
    for (segment = m; segment != NULL; segment = segment->next)
        CHECK_EQ(rte_mbuf_refcnt_read(segment), 1);
    rte_pktmbuf_free(m);
    kit_close(&k);
}

static void short_inventory_refuses_a_chain_and_changes_nothing(void)
{
    struct rte_mbuf *m, *segment;
    struct doca_buf *buf = NULL;
    struct kit k;

    kit_open(&k, pool, 3);
    m = chain_of(pool, 4);
    CHECK_RC(doca_dpdk_mempool_mbuf_to_buf(k.mempool, k.inventory, m, &buf), DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(buf, NULL);
    CHECK_EQ(num_free(&k), 3);
    for (segment = m; segment != NULL; segment = segment->next)
        CHECK_EQ(rte_mbuf_refcnt_read(segment), 1);
    rte_pktmbuf_free(m);
    m = chain_of(pool, 3); /* the inventory has 3 free elements */
    release(to_buf(&k, m));
    rte_pktmbuf_free(m);
    kit_close(&k);
}

static void lists_may_mix_mbufs_and_other_memory(void)
{
    static char memory[64];
    struct doca_buf *plain[3], *mbufs, *tail;
    struct doca_mmap *mmap;
    struct rte_mbuf *m;
    uint32_t i, num;
    struct kit k;

    kit_open(&k, pool, 10);
    mmap = rig_map(k.dev, memory, sizeof(memory));
    m = chain_of(pool, 3);
    mbufs = to_buf(&k, m);
    rte_pktmbuf_free(m);
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(k.inventory, mmap, memory, 1, &plain[i]));
    CHECK_OK(doca_buf_chain_list(plain[0], mbufs)); /* plain, mbuf, mbuf, mbuf */
    CHECK_OK(doca_buf_inventory_buf_dup(k.inventory, plain[0], &tail));
    CHECK_EQ(rte_mbuf_refcnt_read(m), 2);
    release(tail);
    CHECK_EQ(rte_mbuf_refcnt_read(m), 1);
    CHECK_EQ(rte_mempool_avail_count(pool), NUM_MBUFS - 3);
    CHECK_OK(doca_buf_chain_list(plain[0], plain[1]));
    CHECK_OK(doca_buf_chain_list(plain[0], plain[2]));
    CHECK_OK(doca_buf_get_next_in_list(mbufs, &tail));
    CHECK_OK(doca_buf_unchain_list(plain[0], tail)); /* plain, mbuf | mbuf, mbuf, plain, plain */
    CHECK_EQ(rte_mempool_avail_count(pool), NUM_MBUFS - 3);
    release(plain[0]);
    CHECK_EQ(num_free(&k), 6);
    CHECK_EQ(rte_mempool_avail_count(pool), NUM_MBUFS - 2);
    release(tail);
    CHECK_EQ(num_free(&k), 10);
    CHECK_EQ(rte_mempool_avail_count(pool), NUM_MBUFS);
    CHECK_OK(doca_mmap_get_num_bufs(mmap, &num));
    CHECK_EQ(num, 0);
    CHECK_OK(doca_mmap_destroy(mmap));
    kit_close(&k);
}

static void very_many_bufs_are_not_mistaken_for_mbufs(void)
{
    static char memory[64];
    struct doca_buf *buf, *copy;
    struct doca_mmap *mmap;
    struct kit k;

    kit_open(&k, pool, 4);
    mmap = rig_map(k.dev, memory, sizeof(memory));
    OBJECT(mmap)->num_bufs = UINT32_MAX / 2 + 1; /* simulates that many bufs */
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(k.inventory, mmap, memory, 1, &buf));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(k.inventory, mmap, memory, 1, &copy));
    CHECK_OK(doca_buf_chain_list(buf, copy));
    CHECK_OK(doca_buf_inventory_buf_dup(k.inventory, buf, &copy));
    release(buf);
    release(copy);
    CHECK_EQ(OBJECT(mmap)->num_bufs, UINT32_MAX / 2 + 1);
    CHECK_EQ(num_free(&k), 4);
    OBJECT(mmap)->num_bufs = 0;
    CHECK_OK(doca_mmap_destroy(mmap));
    kit_close(&k);
}

static void every_memory_chunk_can_be_used(void)
{
    struct rte_mbuf *all[2 * NUM_MBUFS], *m;
    struct doca_buf *bufs[2 * NUM_MBUFS];
    bool seen[2] = { false, false };
    unsigned i, n = chunked->populated_size;
    struct rte_mempool_memhdr *first;
    struct kit k;

    CHECK(n > 2 && n <= 2 * NUM_MBUFS);
    kit_open(&k, chunked, n);
    first = STAILQ_FIRST(&chunked->mem_list);
    for (i = 0; i < n; i++) {
        all[i] = mbuf_of(chunked, 10, 1);
        m = all[i];
        seen[(uintptr_t)m - (uintptr_t)first->addr < first->len] = true;
        bufs[i] = to_buf(&k, m);
        /* a buf in any chunk is enough */
        CHECK_RC(doca_dpdk_mempool_destroy(k.mempool), DOCA_ERROR_IN_USE);
        release(bufs[i]);
    }
    CHECK(seen[0] && seen[1]);
    for (i = 0; i < n; i++) {
        bufs[i] = to_buf(&k, all[i]);
        check_same_as_chain(bufs[i], all[i]);
    }
    for (i = 1; i < n; i++)
        CHECK_OK(doca_buf_chain_list(bufs[0], bufs[i]));
    for (i = 0; i < n; i++)
        rte_pktmbuf_free(all[i]);
    CHECK_EQ(rte_mempool_avail_count(chunked), 0);
    CHECK_RC(doca_dpdk_mempool_destroy(k.mempool), DOCA_ERROR_IN_USE);
    release(bufs[0]);
    kit_close(&k);
}

/* ---- tasks on mbufs ---- */

static void device_copies_between_mbufs_and_memory(void)
{
    static const uint32_t access[] = { DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
                                       DOCA_ACCESS_FLAG_LOCAL_READ_ONLY };
    struct doca_dpdk_mempool *mempool;
    struct doca_buf *buf;
    struct rte_mbuf *m;
    struct rig r;
    size_t i;

    for (i = 0; i < 3; i++) {
        rig_open(&r, 2);
        CHECK_OK(doca_dpdk_mempool_create(pool, &mempool));
        CHECK_OK(doca_dpdk_mempool_dev_add(mempool, r.dev));
        if (i > 0)
            CHECK_OK(doca_dpdk_mempool_set_permissions(mempool, access[i - 1]));
        CHECK_OK(doca_dpdk_mempool_start(mempool));
        r.frees_tasks = true;

        m = chain_of(pool, 3); /* the source: 10 bytes 1, 20 bytes 2, 30 bytes 3 */
        CHECK_OK(doca_dpdk_mempool_mbuf_to_buf(mempool, r.inventory, m, &buf));
        rte_pktmbuf_free(m);
        CHECK_OK(doca_task_submit(
            doca_dma_task_memcpy_as_task(rig_task(r.dma, buf, rig_dst(&r, 0, 60)))));
        rig_drain(&r);
        CHECK_EQ(r.num_ok, 1);
        CHECK(rig_to[9] == 1 && rig_to[10] == 2 && rig_to[29] == 2 && rig_to[59] == 3);
        CHECK_EQ(rte_mempool_avail_count(pool), NUM_MBUFS); /* the callback released it */

        m = mbuf_of(pool, 1, 99); /* the destination; its permissions may forbid the copy */
        CHECK_OK(doca_dpdk_mempool_mbuf_to_buf(mempool, r.inventory, m, &buf));
#if DOCA_CORE_CHECK < 2
        CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 0, 8), buf)));
        rig_drain(&r);
        CHECK_EQ(r.num_ok, i < 2 ? 2 : 1);
        CHECK_EQ(r.num_failed, i < 2 ? 0 : 1);
        CHECK_EQ(memcmp(rte_pktmbuf_mtod(m, char *) + 1, rig_from, 8) == 0, i < 2);
#else
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
#endif
        CHECK_EQ(rte_mbuf_refcnt_read(m), 1);
        rte_pktmbuf_free(m);
        CHECK_OK(doca_dpdk_mempool_destroy(mempool));
        rig_close(&r);
    }
    check_pools_are_whole();
}

static void bufs_of_mbufs_have_keys(void)
{
    uint32_t key = 0;
    struct doca_buf *buf;
    struct rte_mbuf *m;
    struct kit k;

    kit_open(&k, pool, 1);
    m = mbuf_of(pool, 1, 0);
    buf = to_buf(&k, m);
    CHECK_OK(doca_rdma_bridge_get_buf_mkey(buf, k.dev, &key));
    CHECK(key != 0);
    release(buf);
    rte_pktmbuf_free(m);
    kit_close(&k);
}

/* ---- ports ---- */

static void software_device_cannot_be_probed(void)
{
    struct doca_dev *dev = rig_open_dev("0000:03:00.1"), *found = NULL;
    uint16_t port = 77;

    heap_trap_set(HEAP_TRAP_OFF); /* DPDK uses the heap */
    memset(&bus, 0, sizeof(bus));
    CHECK_RC(doca_dpdk_port_probe(dev, "a=1"), DOCA_ERROR_DRIVER);
    CHECK_STR(bus.bus, "pci");
    CHECK_STR(bus.name, "0000:03:00.1");
    CHECK_STR(bus.args, "a=1");
    CHECK_RC(doca_dpdk_get_first_port_id(dev, &port), DOCA_ERROR_NOT_FOUND);
    CHECK_EQ(port, 77);
    CHECK_RC(doca_dpdk_port_as_dev(0, &found), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_dpdk_port_as_dev(UINT16_MAX, &found), DOCA_ERROR_NOT_FOUND);
    CHECK_PTR(found, NULL);
    bus.answer = -ENOMEM;
    CHECK_RC(doca_dpdk_port_probe(dev, ""), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_dev_close(dev));
}

static void probe_refuses_an_address_in_the_arguments(void)
{
    static const char *const refused[] = {
        "0000:0a:1f.7", "0a:1f.7", "0A:1F.7", "x=1,0a:1F.7", "0000:0a:1f.7,x=1", "0a:1f.7,0a:1f.6",
    };
    static const char *const passed[] = { "", "dv_flow_en=2", "0a:1f.6", "0a:1f", "a:1f.7" };
    struct doca_core_dev_attr attr = { .pci_addr = "0000:0a:1f.7" };
    struct doca_dev *dev;
    size_t i;

    CHECK_OK(doca_core_sw_set_devices(&attr, 1));
    dev = rig_open_dev(NULL);
    memset(&bus, 0, sizeof(bus));
    bus.answer = -EINVAL;
    for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        CHECK_RC(doca_dpdk_port_probe(dev, refused[i]), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DPDK_DEVARGS);
    CHECK_STR(bus.name, "");
    for (i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
        CHECK_RC(doca_dpdk_port_probe(dev, passed[i]), DOCA_ERROR_DRIVER);
    CHECK_RC(doca_dpdk_port_probe(dev, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dpdk_port_probe(NULL, ""), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

/* Open the representors that `dev` lists. Return their number. */
static uint32_t open_reps(struct doca_dev *dev, struct doca_dev_rep *reps[4])
{
    struct doca_devinfo_rep **list;
    uint32_t num, i;

    CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num));
    CHECK(num <= 4);
    for (i = 0; i < num; i++)
        CHECK_OK(doca_dev_rep_open(list[i], &reps[i]));
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    return num;
}

static void representors_are_probed_by_their_names(void)
{
    static const char dpu[] = "0000:0a:00.0";
    struct doca_core_dev_attr attrs[] = {
        { .pci_addr = "0000:0a:00.0", .ibdev_name = "dpu", .side = DOCA_CORE_SIDE_DPU,
          .rep_filters = DOCA_CORE_REP_ALL | DOCA_CORE_REP_NET },
        { .pci_addr = "0000:0b:00.2", .ibdev_name = "a", .side = DOCA_CORE_SIDE_HOST,
          .func_type = DOCA_PCI_FUNC_TYPE_VF, .rep_dev = "0000:0a:00.0", .vuid = "a",
          .iface_name = "en3f0pf0vf12" },
        { .pci_addr = "0000:0b:00.0", .ibdev_name = "b", .side = DOCA_CORE_SIDE_HOST,
          .func_type = DOCA_PCI_FUNC_TYPE_SF, .rep_dev = "0000:0a:00.0", .vuid = "b",
          .sf_index = 407, .iface_name = "pf0sf" },
        { .pci_addr = "0000:0b:00.3", .ibdev_name = "c", .side = DOCA_CORE_SIDE_HOST,
          .func_type = DOCA_PCI_FUNC_TYPE_VF, .rep_dev = "0000:0a:00.0", .vuid = "c",
          .iface_name = "eth7" },
        { .pci_addr = "0000:0c:00.0", .ibdev_name = "d", .side = DOCA_CORE_SIDE_DPU },
    };
    struct doca_dev_rep *reps[4], *named[2] = { NULL, NULL }, *nameless = NULL;
    struct doca_dev *dev, *second;
    char iface[DOCA_DEVINFO_IFACE_NAME_SIZE];
    uint32_t num, i;

    CHECK_OK(doca_core_sw_set_devices(attrs, sizeof(attrs) / sizeof(attrs[0])));
    dev = rig_open_dev(dpu);
    second = rig_open_dev("0000:0c:00.0");
    num = open_reps(dev, reps);
    CHECK_EQ(num, 3);
    for (i = 0; i < num; i++) {
        CHECK_OK(doca_devinfo_rep_get_iface_name(doca_dev_rep_as_devinfo(reps[i]), iface,
                                                 sizeof(iface)));
        if (strcmp(iface, "eth7") == 0)
            nameless = reps[i];
        else
            named[strcmp(iface, "pf0sf") == 0] = reps[i];
    }
    CHECK(named[0] != NULL && named[1] != NULL && nameless != NULL);
    memset(&bus, 0, sizeof(bus));
    bus.answer = -EINVAL;
    CHECK_RC(doca_dpdk_port_probe_with_representors(dev, "dv_flow_en=2", named, 2),
             DOCA_ERROR_DRIVER); /* and does not probe the second one */
    CHECK_STR(bus.name, dpu);
    CHECK_STR(bus.all, "dv_flow_en=2,representor=pf0vf12");
    CHECK_RC(doca_dpdk_port_probe_with_representors(dev, "", named + 1, 1), DOCA_ERROR_DRIVER);
    CHECK_STR(bus.args, "representor=sf407");
    CHECK_RC(doca_dpdk_port_probe_with_representors(dev, "x=1", NULL, 0), DOCA_ERROR_DRIVER);
    CHECK_STR(bus.args, "x=1");

    bus.num = 0;
    named[0] = nameless;
    CHECK_RC(doca_dpdk_port_probe_with_representors(dev, "", named, 2), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DPDK_REP_NAME);
    CHECK_RC(doca_dpdk_port_probe_with_representors(second, "", named + 1, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DPDK_REP_FOREIGN);
    CHECK_RC(doca_dpdk_port_probe_with_representors(dev, "representor=vf1", named + 1, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dpdk_port_probe_with_representors(dev, "", NULL, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dpdk_port_probe_with_representors(NULL, "", named + 1, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dpdk_port_probe_with_representors(dev, NULL, named + 1, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(bus.num, 0);
    for (i = 0; i < num; i++)
        CHECK_OK(doca_dev_rep_close(reps[i]));
    CHECK_OK(doca_dev_close(second));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static void every_representor_is_one_hotplug(void)
{
    struct doca_dev_rep *reps[4], *none = NULL;
    static char longest[256 + 1];
    uint32_t num, i;
    struct doca_dev *dev;
    struct doca_core_dev_attr attrs[] = {
        { .pci_addr = "0000:03:00.0", .ibdev_name = "dpu", .side = DOCA_CORE_SIDE_DPU,
          .rep_filters = DOCA_CORE_REP_ALL },
        { .pci_addr = "0000:0b:00.2", .ibdev_name = "a", .side = DOCA_CORE_SIDE_HOST,
          .rep_dev = "0000:03:00.0", .vuid = "a", .iface_name = "pf0" },
        { .pci_addr = "0000:0b:00.3", .ibdev_name = "b", .side = DOCA_CORE_SIDE_HOST,
          .rep_dev = "0000:03:00.0", .vuid = "b", .iface_name = "pf1vf0" },
        { .pci_addr = "0000:0b:00.4", .ibdev_name = "c", .side = DOCA_CORE_SIDE_HOST,
          .rep_dev = "0000:03:00.0", .vuid = "c", .iface_name = "p0pf2sf88" },
    };

    CHECK_OK(doca_core_sw_set_devices(attrs, 4));
    dev = rig_open_dev("0000:03:00.0");
    num = open_reps(dev, reps);
    CHECK_EQ(num, 3);
    memset(&bus, 0, sizeof(bus));
    bus.is_there = true;
    CHECK_OK(doca_dpdk_port_probe_with_representors(dev, "", reps, num));
    CHECK_EQ(bus.num, 3);
    CHECK(strstr(bus.all, "representor=pf0 ") != NULL ||
          strstr(bus.all, " representor=pf0") != NULL);
    CHECK(strstr(bus.all, "representor=pf1vf0") != NULL);
    CHECK(strstr(bus.all, "representor=pf2sf88") != NULL);
    memset(longest, 'a', sizeof(longest) - 1);
    CHECK_RC(doca_dpdk_port_probe_with_representors(dev, longest, reps, num),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DPDK_DEVARGS);
    CHECK_RC(doca_dpdk_port_probe_with_representors(dev, "0000:03:00.0,a=1", reps, num),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DPDK_DEVARGS);
    CHECK_RC(doca_dpdk_port_probe_with_representors(dev, "", &none, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(bus.num, 3);
    for (i = 0; i < num; i++)
        CHECK_OK(doca_dev_rep_close(reps[i]));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static void port_is_found_by_device_and_device_by_port(void)
{
    struct doca_dev *dev, *second = rig_open_dev("0000:03:00.1"), *from_pd, *found = NULL;
    uint16_t port = 77, port_of_pd = 77;
    static char pd;

    heap_trap_set(HEAP_TRAP_OFF); /* DPDK uses the heap */
    memset(&bus, 0, sizeof(bus));
    bus.pci_addr = "0000:03:00.0";
    dev = rig_open_dev(bus.pci_addr);
    CHECK_RC(doca_dpdk_get_first_port_id(dev, &port), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_dpdk_port_probe(dev, ""));
    CHECK_OK(doca_rdma_bridge_open_dev_from_pd((struct ibv_pd *)(void *)&pd, &from_pd));
    CHECK_OK(doca_dpdk_get_first_port_id(dev, &port));
    CHECK(rte_eth_dev_is_valid_port(port));
    CHECK_OK(doca_dpdk_port_as_dev(port, &found));
    CHECK_PTR(found, dev);
    CHECK_RC(doca_dpdk_get_first_port_id(second, &port_of_pd), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_dpdk_port_as_dev(port, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dpdk_get_first_port_id(dev, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dpdk_port_probe(dev, "")); /* already probed: DPDK does nothing */
    CHECK_OK(doca_dev_close(from_pd));
    CHECK_OK(doca_dev_close(dev)); /* finding a device does not open it */
    found = NULL;
    CHECK_RC(doca_dpdk_port_as_dev(port, &found), DOCA_ERROR_NOT_FOUND);
    CHECK_PTR(found, NULL);
    CHECK_EQ(rte_eal_hotplug_remove("vdev", "net_null0"), 0);
    CHECK_OK(doca_dev_close(second));
}

static const struct test_case cases[] = {
    CASE(only_pools_of_mbufs_with_memory_are_accepted, ""),
    CASE(start_needs_a_device, "299"),
    CASE(configuration_ends_with_start, ""),
    CASE(mempool_has_as_many_devices_as_an_mmap, ""),
    CASE(pci_permissions_are_refused, "299"),
    CASE(failed_start_leaves_no_registration, ""),
    CASE(mempool_takes_the_documented_bytes, ""),
    CASE(mempool_with_bufs_cannot_be_destroyed, "302"),
    CASE(buf_keeps_a_reference_of_its_mbuf, "300"),
    CASE(buf_may_be_released_before_the_mbuf, "300"),
    CASE(chain_becomes_a_list, "300 301"),
    CASE(buf_of_an_indirect_mbuf_keeps_the_direct_mbuf, "300 301"),
    CASE(duplicate_keeps_references_of_the_mbufs, "300"),
    CASE(foreign_memory_is_refused, ""),
    CASE(refused_chain_changes_nothing, ""),
    CASE(short_inventory_refuses_a_chain_and_changes_nothing, ""),
    CASE(lists_may_mix_mbufs_and_other_memory, "300"),
    CASE(very_many_bufs_are_not_mistaken_for_mbufs, ""),
    CASE(every_memory_chunk_can_be_used, "301"),
    CASE(device_copies_between_mbufs_and_memory, "70 299"),
    CASE(bufs_of_mbufs_have_keys, "294"),
    CASE(software_device_cannot_be_probed, "303"),
    CASE(probe_refuses_an_address_in_the_arguments, ""),
    CASE(representors_are_probed_by_their_names, ""),
    CASE(every_representor_is_one_hotplug, ""),
    CASE(port_is_found_by_device_and_device_by_port, "303"),
};

/* ---- the start of DPDK ---- */

/* Make a pool whose memory consists of two chunks with a gap between them. */
static struct rte_mempool *make_chunked(void)
{
    static DOCA_CORE_ALIGNED char memory[3][40000]; /* the middle one is the gap */
    struct rte_pktmbuf_pool_private own = { .mbuf_data_room_size = ROOM_BYTES,
                                            .mbuf_priv_size = PRIV_BYTES };
    struct rte_mempool *made =
        rte_mempool_create_empty("chunked", NUM_MBUFS,
                                 sizeof(struct rte_mbuf) + PRIV_BYTES + ROOM_BYTES, 0, sizeof(own),
                                 SOCKET_ID_ANY, 0);

    if (made == NULL || rte_mempool_set_ops_byname(made, "ring_mp_mc", NULL) != 0)
        return NULL;
    rte_pktmbuf_pool_init(made, &own);
    if (rte_mempool_populate_iova(made, memory[2], RTE_BAD_IOVA, sizeof(memory[2]), NULL, NULL) <=
            0 ||
        rte_mempool_populate_iova(made, memory[0], RTE_BAD_IOVA, sizeof(memory[0]), NULL, NULL) <=
            0)
        return NULL;
    rte_mempool_obj_iter(made, rte_pktmbuf_init, NULL);
    return made;
}

static struct rte_mempool *make_pinned(void)
{
    static DOCA_CORE_ALIGNED char memory[NUM_MBUFS * ROOM_BYTES];
    struct rte_pktmbuf_extmem outside = { .buf_ptr = memory,
                                          .buf_iova = RTE_BAD_IOVA,
                                          .buf_len = sizeof(memory),
                                          .elt_size = ROOM_BYTES };

    return rte_pktmbuf_pool_create_extbuf("pinned", NUM_MBUFS, 0, 0, ROOM_BYTES, SOCKET_ID_ANY,
                                          &outside, 1);
}

int main(int argc, char **argv)
{
    static char eal[][32] = { "test_dpdk", "--no-huge",      "-m", "64",
                              "--no-pci",  "--no-shconf",    "--no-telemetry",
                              "--log-level=critical" };
    char *eal_argv[sizeof(eal) / sizeof(eal[0]) + 1] = { NULL };
    int i, status;

    for (i = 0; i < (int)(sizeof(eal) / sizeof(eal[0])); i++)
        eal_argv[i] = eal[i];
    if (rte_eal_init(i, eal_argv) < 0) {
        printf("skipped: DPDK does not start here: %s\n", rte_strerror(rte_errno));
        return 77;
    }
    pool = rte_pktmbuf_pool_create("pool", NUM_MBUFS, 0, PRIV_BYTES, ROOM_BYTES, SOCKET_ID_ANY);
    other = rte_pktmbuf_pool_create("other", NUM_MBUFS, 0, PRIV_BYTES, ROOM_BYTES, SOCKET_ID_ANY);
    not_mbuf = rte_mempool_create("not_mbuf", NUM_MBUFS, 2048, 0, 0, NULL, NULL, NULL, NULL,
                                  SOCKET_ID_ANY, 0);
    pinned = make_pinned();
    chunked = make_chunked();
    if (pool == NULL || other == NULL || not_mbuf == NULL || pinned == NULL || chunked == NULL) {
        printf("cannot create the pools: %s\n", rte_strerror(rte_errno));
        return 1;
    }
    status = test_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
    rte_eal_cleanup();
    return status;
}
