/* ---- >>impl.bridge.dpdk ---------------------------------------------------------------------
 * A mempool object is followed, in the same block, by an mmap for each memory chunk of its mbuf
 * pool. Such an mmap has the owner DOCA_PRIV_OF_DPDK, and its user_data points to the mempool. A
 * buffer of such an mmap begins at the memory of an mbuf, so the mbuf can be computed from the
 * address. The buffer holds one reference to that mbuf.                                         */
#include "bridge/dpdk.h"

#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/device.h"
#include "device/devinfo_priv.h"
#include "device/rep.h"
#include "memory/buf.h"
#include "memory/buf_priv.h"
#include "memory/hot_buf.h"
#include "memory/inventory.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"

DOCA_PRIV_ASSERT_STATIC(mmaps_fit_behind_a_mempool, sizeof(struct doca_dpdk_mempool) % 8 == 0);

static doca_error_t doca_priv_dpdk_carve(struct doca_core_arena *arena, uint32_t num_chunks,
                                         void **block, const char *function)
{
    return doca_priv_object_take(arena,
                                 doca_priv_size(num_chunks, sizeof(struct doca_mmap),
                                                sizeof(struct doca_dpdk_mempool)),
                                 block, function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_dpdk_mempool(uint32_t num_chunks, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_dpdk_carve(&count, num_chunks, &block, __func__);
    return doca_priv_counted(&count, rc, bytes, __func__);
}

#ifdef DOCA_CORE_DPDK

static struct doca_mmap *doca_priv_dpdk_maps(struct doca_dpdk_mempool *mempool)
{
    return (struct doca_mmap *)(void *)(mempool + 1);
}

/* Return the direct mbuf whose memory the buffer covers, or NULL for a buffer of an ordinary
 * mmap. */
static struct rte_mbuf *doca_priv_dpdk_direct(const struct doca_buf *buf)
{
    const struct doca_dpdk_mempool *mempool =
        (const struct doca_dpdk_mempool *)buf->mmap->user_data.ptr;

    if (buf->mmap->obj.owner != DOCA_PRIV_OF_DPDK)
        return NULL;
    return (struct rte_mbuf *)(void *)(buf->head - mempool->mbuf_bytes);
}

/* Take one reference to the mbuf of every element of the list that covers an mbuf. */
DOCA_PRIV_DECL void doca_priv_dpdk_hold(const struct doca_buf *list)
{
    struct rte_mbuf *mbuf;

    for (; list != NULL; list = list->next) {
        mbuf = doca_priv_dpdk_direct(list);
        if (mbuf != NULL)
            rte_mbuf_refcnt_update(mbuf, 1);
    }
}

/* Release the mbuf of a buffer that was just returned to its inventory. */
DOCA_PRIV_DECL void doca_priv_dpdk_free(const struct doca_buf *buf)
{
    rte_pktmbuf_free_seg(doca_priv_dpdk_direct(buf));
}

/* True when each element of `pool` contains an mbuf, its private area and its data room. In a pool
 * of mbufs with external memory the elements have no data room, so they are smaller. */
static bool doca_priv_dpdk_is_suitable(struct rte_mempool *pool)
{
    const struct rte_pktmbuf_pool_private *priv;

    if (pool->private_data_size < sizeof(*priv) || pool->nb_mem_chunks == 0)
        return false;
    priv = (const struct rte_pktmbuf_pool_private *)rte_mempool_get_priv(pool);
    return pool->elt_size >=
           sizeof(struct rte_mbuf) + priv->mbuf_priv_size + priv->mbuf_data_room_size;
}

/* Set up the mmap for one memory chunk. DPDK calls this for each chunk of the pool. */
static void doca_priv_dpdk_map(struct rte_mempool *pool, void *opaque,
                               struct rte_mempool_memhdr *chunk, unsigned index)
{
    struct doca_dpdk_mempool *mempool = (struct doca_dpdk_mempool *)opaque;
    struct doca_mmap *map = doca_priv_dpdk_maps(mempool) + index;

    (void)pool;
    if (index >= mempool->num_maps)
        return; /* DPDK added a chunk after the chunks were counted */
    doca_priv_mmap_init(map, mempool->arena);
    map->addr = (unsigned char *)chunk->addr;
    map->len = chunk->len;
    map->has_range = true;
    map->user_data.ptr = mempool;
    map->obj.owner = DOCA_PRIV_OF_DPDK;
}

static doca_error_t doca_priv_dpdk_create(struct doca_core_arena *arena,
                                          const struct rte_mempool *mbuf_pool,
                                          struct doca_dpdk_mempool **mempool_out,
                                          const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA,
                                           mbuf_pool != NULL ? mempool_out : NULL, function);
    /* rte_mempool_mem_iter() takes a pointer to non-const but does not change the pool */
    struct rte_mempool *pool = (struct rte_mempool *)(uintptr_t)mbuf_pool;
    struct doca_dpdk_mempool *m;
    void *block = NULL;
    uint32_t num_maps;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_dpdk_is_suitable(pool))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_DPDK_POOL, function, NULL);
    num_maps = pool->nb_mem_chunks;
    rc = doca_priv_dpdk_carve(arena, num_maps, &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    m = (struct doca_dpdk_mempool *)block;
    doca_priv_object_init(&m->obj, DOCA_PRIV_KIND_DPDK_MEMPOOL);
    m->arena = arena;
    m->mbuf_pool = mbuf_pool;
    m->mbuf_bytes = (uint32_t)sizeof(struct rte_mbuf) + rte_pktmbuf_priv_size(pool);
    m->num_maps = num_maps;
    (void)rte_mempool_mem_iter(pool, doca_priv_dpdk_map, m);
    *mempool_out = m;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_dpdk_mempool_create_in(
    struct doca_core_arena *arena, const struct rte_mempool *mbuf_pool,
    struct doca_dpdk_mempool **mempool_out)
{
    return doca_priv_dpdk_create(arena, mbuf_pool, mempool_out, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_create(const struct rte_mempool *mbuf_pool,
                                                     struct doca_dpdk_mempool **mempool_out)
{
    return doca_priv_dpdk_create(doca_core_arena_bound(), mbuf_pool, mempool_out, __func__);
}

/* Stop the first `num` mmaps of a mempool. */
static void doca_priv_dpdk_stop(struct doca_dpdk_mempool *mempool, uint32_t num)
{
    struct doca_mmap *map = doca_priv_dpdk_maps(mempool);

    for (; num > 0; num--, map++)
        (void)doca_mmap_stop(map);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_destroy(struct doca_dpdk_mempool *mempool)
{
    struct doca_mmap *maps;
    uint32_t i;

    if (mempool == NULL)
        return DOCA_SUCCESS;
    if (!doca_priv_is(mempool, DOCA_PRIV_KIND_DPDK_MEMPOOL))
        return DOCA_PRIV_FAIL_HANDLE(mempool);
    maps = doca_priv_dpdk_maps(mempool);
    for (i = 0; i < mempool->num_maps; i++)
        if (doca_priv_mmap_busy(&maps[i], __func__) != DOCA_CORE_ITEM_NONE)
            return DOCA_PRIV_FAIL(IN_USE, STOCK_OUTSTANDING, mempool);
    if (mempool->obj.state == DOCA_PRIV_STARTED)
        doca_priv_dpdk_stop(mempool, mempool->num_maps);
    for (i = 0; i < mempool->num_maps; i++) {
        while (maps[i].num_devs > 0)
            (void)doca_mmap_rm_dev(&maps[i], maps[i].devs[0].dev);
        doca_priv_object_end(&maps[i].obj);
    }
    return doca_priv_object_give(mempool->arena, &mempool->obj);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_dev_add(struct doca_dpdk_mempool *mempool,
                                                      struct doca_dev *dev)
{
    doca_error_t rc = DOCA_SUCCESS;
    struct doca_mmap *maps;
    uint32_t i;

    if (!doca_priv_is(mempool, DOCA_PRIV_KIND_DPDK_MEMPOOL))
        return DOCA_PRIV_FAIL_HANDLE(mempool);
    if (mempool->obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_STARTED, mempool);
    maps = doca_priv_dpdk_maps(mempool);
    for (i = 0; i < mempool->num_maps && rc == DOCA_SUCCESS; i++)
        rc = doca_mmap_add_dev(&maps[i], dev); /* all mmaps have equal lists, so this can fail only
                                                * for the first mmap */
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_set_permissions(struct doca_dpdk_mempool *mempool,
                                                              uint32_t access_mask)
{
    const uint32_t pci = DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE |
                         DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING;
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i;

    if (!doca_priv_is(mempool, DOCA_PRIV_KIND_DPDK_MEMPOOL))
        return DOCA_PRIV_FAIL_HANDLE(mempool);
    if ((access_mask & pci) != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, DPDK_ACCESS, mempool);
    for (i = 0; i < mempool->num_maps && rc == DOCA_SUCCESS; i++)
        rc = doca_mmap_set_permissions(&doca_priv_dpdk_maps(mempool)[i], access_mask);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_start(struct doca_dpdk_mempool *mempool)
{
    struct doca_mmap *maps;
    doca_error_t rc;
    uint32_t i;

    if (!doca_priv_is(mempool, DOCA_PRIV_KIND_DPDK_MEMPOOL))
        return DOCA_PRIV_FAIL_HANDLE(mempool);
    if (mempool->obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_STARTED, mempool);
    maps = doca_priv_dpdk_maps(mempool);
    if (maps->num_devs == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, DPDK_NO_DEV, mempool);
    for (i = 0; i < mempool->num_maps; i++) {
        rc = doca_mmap_start(&maps[i]);
        if (rc != DOCA_SUCCESS) {
            doca_priv_dpdk_stop(mempool, i);
            return rc;
        }
    }
    mempool->obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

/* Return the mmap that contains the memory of a segment. Returns NULL when the memory is outside
 * the pool, or external: a segment that is not a clone must have its memory directly after it. */
static struct doca_mmap *doca_priv_dpdk_find(struct doca_dpdk_mempool *mempool,
                                             const struct rte_mbuf *segment)
{
    struct doca_mmap *map = doca_priv_dpdk_maps(mempool);
    uintptr_t addr = (uintptr_t)segment->buf_addr;
    uint32_t i;

    if (!RTE_MBUF_CLONED(segment) && addr - (uintptr_t)segment != mempool->mbuf_bytes)
        return NULL;
    for (i = 0; i < mempool->num_maps; i++, map++)
        if (addr - (uintptr_t)map->addr < map->len)
            return map;
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_mbuf_to_buf(struct doca_dpdk_mempool *mempool,
                                                          struct doca_buf_inventory *inventory,
                                                          struct rte_mbuf *mbuf,
                                                          struct doca_buf **buf)
{
    struct doca_buf *head = NULL, *element = NULL;
    struct doca_mmap *map;
    doca_error_t rc;

    if (!doca_priv_is(mempool, DOCA_PRIV_KIND_DPDK_MEMPOOL))
        return DOCA_PRIV_FAIL_HANDLE(mempool);
    if (mbuf == NULL || buf == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, mempool);
    do {
        map = doca_priv_dpdk_find(mempool, mbuf);
        rc = map == NULL
                 ? DOCA_PRIV_FAIL(INVALID_VALUE, DPDK_MBUF, mempool)
                 : doca_priv_inventory_get(inventory, map, mbuf->buf_addr, mbuf->buf_len,
                                           (unsigned char *)mbuf->buf_addr + mbuf->data_off,
                                           mbuf->data_len, &element, __func__);
        if (rc != DOCA_SUCCESS) {
            if (head != NULL)
                (void)doca_priv_buf_release_others(head);
            return rc;
        }
        DOCA_PRIV_OPEN(element)
        rte_mbuf_refcnt_update(doca_priv_dpdk_direct(element), 1);
        if (head == NULL)
            head = element;
        else
            doca_priv_buf_append(head, element);
        mbuf = mbuf->next;
    } while (mbuf != NULL);
    *buf = (struct doca_buf *)DOCA_PRIV_HANDLE(head);
    return DOCA_SUCCESS;
}

/* True when the text contains this PCI address, with or without the domain, in upper or lower
 * case. */
static bool doca_priv_dpdk_names(const char *text, const char *pci_addr)
{
    const char *bdf = pci_addr + DOCA_DEVINFO_PCI_ADDR_SIZE - DOCA_DEVINFO_PCI_BDF_SIZE;
    size_t i;

    for (; *text != '\0'; text++) {
        for (i = 0; bdf[i] != '\0' && (text[i] | 0x20) == bdf[i]; i++) {
        }
        if (bdf[i] == '\0')
            return true;
    }
    return false;
}

static doca_error_t doca_priv_dpdk_attach(struct doca_dev *dev, const char *devargs,
                                          const char *function)
{
    const int answer = rte_eal_hotplug_add("pci", dev->info.attr.pci_addr, devargs);

    return answer == 0 ? DOCA_SUCCESS
                       : doca_priv_fail(answer == -ENOMEM ? DOCA_ERROR_NO_MEMORY
                                                          : DOCA_ERROR_DRIVER,
                                        DOCA_CORE_ITEM_DPDK_PROBE, function, dev);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_port_probe(struct doca_dev *dev, const char *devargs)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, devargs, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_priv_dpdk_names(devargs, dev->info.attr.pci_addr))
        return DOCA_PRIV_FAIL(INVALID_VALUE, DPDK_DEVARGS, dev);
    return doca_priv_dpdk_attach(dev, devargs, __func__);
}

/* Return the length of a name part at `text`: "pf", "vf" or "sf", chosen by its first letter,
 * followed by a number. 0 when the text does not begin with such a part. */
static size_t doca_priv_dpdk_part(const char *text, char first)
{
    size_t len = 2;

    if (text[0] != first || text[1] != 'f')
        return 0;
    while (text[len] >= '0' && text[len] <= '9')
        len++;
    return len > 2 ? len : 0;
}

/* Write DPDK's name of a representor to `name`. `name` has enough room for the longest interface
 * name and for "sf" with any number. Returns false when DPDK has no name for the representor. */
static bool doca_priv_dpdk_rep_name(const struct doca_core_dev_attr *attr, char *name)
{
    const char *at, *part;
    uint32_t rest;
    size_t len;

    for (at = attr->iface_name; *at != '\0'; at++) {
        len = doca_priv_dpdk_part(at, 'p');
        part = at + len;
        if (len > 0 && doca_priv_dpdk_part(part, 'v') > 0)
            len += doca_priv_dpdk_part(part, 'v');
        else if (len > 0 && doca_priv_dpdk_part(part, 's') > 0)
            len += doca_priv_dpdk_part(part, 's');
        if (len > 0 && at[len] == '\0') {
            DOCA_CORE_MEMCPY(name, at, len + 1);
            return true;
        }
    }
    if (attr->func_type != DOCA_PCI_FUNC_TYPE_SF)
        return false;
    for (len = 3, rest = attr->sf_index; rest > 9; rest /= 10)
        len++;
    name[0] = 's';
    name[1] = 'f';
    name[len] = '\0';
    for (rest = attr->sf_index; len > 2; rest /= 10)
        name[--len] = (char)('0' + rest % 10);
    return true;
}

#define DOCA_PRIV_DPDK_REP_KEY "representor="

/* True when the text contains the key "representor=". */
static bool doca_priv_dpdk_has_rep_key(const char *text)
{
    const size_t len = sizeof(DOCA_PRIV_DPDK_REP_KEY) - 1;
    size_t i;

    for (; *text != '\0'; text++) {
        for (i = 0; i < len && text[i] == DOCA_PRIV_DPDK_REP_KEY[i]; i++) {
        }
        if (i == len)
            return true;
    }
    return false;
}

DOCA_CORE_DECL doca_error_t doca_dpdk_port_probe_with_representors(struct doca_dev *dev,
                                                                   const char *devargs,
                                                                   struct doca_dev_rep **dev_reps,
                                                                   uint32_t nb_reps)
{
    char text[256 + sizeof(DOCA_PRIV_DPDK_REP_KEY) + sizeof(dev->info.attr.iface_name)];
    const size_t most = 256, key_len = sizeof(DOCA_PRIV_DPDK_REP_KEY) - 1;
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, devargs, __func__);
    size_t len;
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (nb_reps == 0)
        return doca_dpdk_port_probe(dev, devargs);
    if (dev_reps == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, dev);
    len = doca_priv_str_len(devargs);
    if (len >= most || doca_priv_dpdk_names(devargs, dev->info.attr.pci_addr) ||
        doca_priv_dpdk_has_rep_key(devargs))
        return DOCA_PRIV_FAIL(INVALID_VALUE, DPDK_DEVARGS, dev);
    DOCA_CORE_MEMCPY(text, devargs, len);
    if (len > 0)
        text[len++] = ',';
    DOCA_CORE_MEMCPY(text + len, DOCA_PRIV_DPDK_REP_KEY, key_len);
    len += key_len;
    for (i = 0; i < nb_reps; i++) {
        if (!doca_priv_is(dev_reps[i], DOCA_PRIV_KIND_DEV_REP))
            return DOCA_PRIV_FAIL_HANDLE(dev_reps[i]);
        if (dev_reps[i]->dev != dev)
            return DOCA_PRIV_FAIL(INVALID_VALUE, DPDK_REP_FOREIGN, dev_reps[i]);
        if (!doca_priv_dpdk_rep_name(&dev_reps[i]->info.info.attr, text + len))
            return DOCA_PRIV_FAIL(NOT_SUPPORTED, DPDK_REP_NAME, dev_reps[i]);
    }
    for (i = 0; i < nb_reps && rc == DOCA_SUCCESS; i++) {
        (void)doca_priv_dpdk_rep_name(&dev_reps[i]->info.info.attr, text + len);
        rc = doca_priv_dpdk_attach(dev, text, __func__);
    }
    return rc;
}

/* Return the name of the device of a port, or NULL when the port does not exist. For a PCI device,
 * the name is its PCI address. */
static const char *doca_priv_dpdk_port_name(uint16_t port_id)
{
    struct rte_eth_dev_info info;

    return rte_eth_dev_is_valid_port(port_id) && rte_eth_dev_info_get(port_id, &info) == 0
               ? rte_dev_name(info.device)
               : NULL;
}

DOCA_CORE_DECL doca_error_t doca_dpdk_port_as_dev(uint16_t port_id, struct doca_dev **dev)
{
    const char *name = doca_priv_dpdk_port_name(port_id);
    struct doca_dev *d = NULL;

    if (dev == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (name != NULL) {
        doca_priv_lock(&doca_priv_world.lock);
        for (d = doca_priv_world.devs; d != NULL; d = d->next)
            if (d->from_pd == NULL && doca_priv_str_equal(name, d->info.attr.pci_addr))
                break;
        doca_priv_unlock(&doca_priv_world.lock);
    }
    if (d == NULL)
        return DOCA_PRIV_FAIL(NOT_FOUND, DPDK_NO_PORT, NULL);
    *dev = d;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_dpdk_get_first_port_id(const struct doca_dev *dev,
                                                        uint16_t *port_id)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, port_id, __func__);
    const char *name;
    uint16_t port;

    if (rc != DOCA_SUCCESS)
        return rc;
    for (port = 0; port < RTE_MAX_ETHPORTS; port++) {
        name = doca_priv_dpdk_port_name(port);
        if (name != NULL && doca_priv_str_equal(name, dev->info.attr.pci_addr)) {
            *port_id = port;
            return DOCA_SUCCESS;
        }
    }
    return DOCA_PRIV_FAIL(NOT_FOUND, DPDK_NO_PORT, dev);
}

#else

/* The result of every DPDK call in a build without DPDK. A NULL argument still gives
 * INVALID_VALUE. */
static doca_error_t doca_priv_no_dpdk(bool has_arguments, const char *function)
{
    if (!has_arguments)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DPDK_ABSENT, function, NULL);
}

DOCA_CORE_DECL doca_error_t doca_core_dpdk_mempool_create_in(
    struct doca_core_arena *arena, const struct rte_mempool *mbuf_pool,
    struct doca_dpdk_mempool **mempool_out)
{
    return doca_priv_no_dpdk(arena != NULL && mbuf_pool != NULL && mempool_out != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_create(const struct rte_mempool *mbuf_pool,
                                                     struct doca_dpdk_mempool **mempool_out)
{
    return doca_priv_no_dpdk(mbuf_pool != NULL && mempool_out != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_destroy(struct doca_dpdk_mempool *mempool)
{
    return mempool != NULL ? doca_priv_no_dpdk(true, __func__) : DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_dev_add(struct doca_dpdk_mempool *mempool,
                                                      struct doca_dev *dev)
{
    return doca_priv_no_dpdk(mempool != NULL && dev != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_set_permissions(struct doca_dpdk_mempool *mempool,
                                                              uint32_t access_mask)
{
    (void)access_mask;
    return doca_priv_no_dpdk(mempool != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_start(struct doca_dpdk_mempool *mempool)
{
    return doca_priv_no_dpdk(mempool != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_mbuf_to_buf(struct doca_dpdk_mempool *mempool,
                                                          struct doca_buf_inventory *inventory,
                                                          struct rte_mbuf *mbuf,
                                                          struct doca_buf **buf)
{
    return doca_priv_no_dpdk(mempool != NULL && inventory != NULL && mbuf != NULL && buf != NULL,
                             __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_port_probe_with_representors(struct doca_dev *dev,
                                                                   const char *devargs,
                                                                   struct doca_dev_rep **dev_reps,
                                                                   uint32_t nb_reps)
{
    return doca_priv_no_dpdk(dev != NULL && devargs != NULL && (nb_reps == 0 || dev_reps != NULL),
                             __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_port_probe(struct doca_dev *dev, const char *devargs)
{
    return doca_priv_no_dpdk(dev != NULL && devargs != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_port_as_dev(uint16_t port_id, struct doca_dev **dev)
{
    (void)port_id;
    return doca_priv_no_dpdk(dev != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_get_first_port_id(const struct doca_dev *dev,
                                                        uint16_t *port_id)
{
    return doca_priv_no_dpdk(dev != NULL && port_id != NULL, __func__);
}

#endif
