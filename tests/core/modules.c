/* Uses each module that this build contains; other modules are left out (DOCA_CORE_NO_<MODULE>).
 * Contains the implementation. tests/core/test_modules.py builds this file without various
 * modules. */
#include "doca_core.h"

#include <stdio.h>
#include <string.h>

#define MUST(what)                                                                                 \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            printf("%s:%d: %s\n%s\n", __FILE__, __LINE__, #what, doca_core_last_error());          \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)
#define OK(call) MUST((call) == DOCA_SUCCESS)

static char bytes[256] = "abc";
static struct doca_mmap *map;
static struct doca_buf_inventory *inventory;
static struct doca_pe *pe;

#ifndef DOCA_CORE_NO_SW
static struct doca_devinfo **list;
static struct doca_dev *dev;

static int begin_dev(void)
{
    uint32_t num;

    OK(doca_devinfo_create_list(&list, &num));
    OK(doca_dev_open(list[0], &dev));
    OK(doca_mmap_add_dev(map, dev));
    return 0;
}
#else
static int begin_dev(void)
{
    struct doca_devinfo **list;
    uint32_t num;

    MUST(doca_devinfo_create_list(&list, &num) == DOCA_ERROR_NOT_FOUND);
    return 0;
}
#endif

static int begin(void)
{
    OK(doca_mmap_create(&map));
    OK(doca_mmap_set_memrange(map, bytes, sizeof(bytes)));
    OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    if (begin_dev() != 0)
        return 1;
    OK(doca_mmap_start(map));
    OK(doca_buf_inventory_create(8, &inventory));
    OK(doca_buf_inventory_start(inventory));
    OK(doca_pe_create(&pe));
    return 0;
}

#if !defined(DOCA_CORE_NO_SW) && !defined(DOCA_CORE_NO_DMA)
static int num_copied;

static void copied(struct doca_dma_task_memcpy *task, union doca_data data, union doca_data ctx)
{
    (void)data;
    (void)ctx;
    num_copied += doca_task_get_status(doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS;
}

static int run_dma(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;
    union doca_data none = { NULL };
    struct doca_dma *dma;

    OK(doca_dma_create(dev, &dma));
    OK(doca_dma_task_memcpy_set_conf(dma, copied, copied, 1));
    OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    OK(doca_buf_inventory_buf_get_by_data(inventory, map, bytes, 4, &src));
    OK(doca_buf_inventory_buf_get_by_addr(inventory, map, bytes + 64, 4, &dst));
    OK(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &task));
    OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (doca_pe_progress(pe))
        continue;
    MUST(num_copied == 1 && strcmp(bytes + 64, "abc") == 0);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    OK(doca_buf_dec_refcount(src, NULL));
    OK(doca_buf_dec_refcount(dst, NULL));
    OK(doca_dma_destroy(dma));
    return 0;
}
#else
static int run_dma(void)
{
    return 0;
}
#endif

#if !defined(DOCA_CORE_NO_SW) && !defined(DOCA_CORE_NO_SHA)
static int num_hashed;

static void hashed(struct doca_sha_task_hash *task, union doca_data data, union doca_data ctx)
{
    (void)data;
    (void)ctx;
    num_hashed += doca_task_get_status(doca_sha_task_hash_as_task(task)) == DOCA_SUCCESS;
}

static int run_sha(void)
{
    static const unsigned char begin_of_digest[] = { 0xba, 0x78, 0x16, 0xbf }; /* FIPS 180-4 */
    struct doca_sha_task_hash *task;
    struct doca_buf *src, *dst;
    union doca_data none = { NULL };
    struct doca_sha *sha;

    OK(doca_sha_create(dev, &sha));
    OK(doca_sha_task_hash_set_conf(sha, hashed, hashed, 1));
    OK(doca_pe_connect_ctx(pe, doca_sha_as_ctx(sha)));
    OK(doca_ctx_start(doca_sha_as_ctx(sha)));
    OK(doca_buf_inventory_buf_get_by_data(inventory, map, bytes, 3, &src));
    OK(doca_buf_inventory_buf_get_by_addr(inventory, map, bytes + 128, 64, &dst));
    OK(doca_sha_task_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, src, dst, none, &task));
    OK(doca_task_submit(doca_sha_task_hash_as_task(task)));
    while (doca_pe_progress(pe))
        continue;
    MUST(num_hashed == 1 && memcmp(bytes + 128, begin_of_digest, sizeof(begin_of_digest)) == 0);
    doca_task_free(doca_sha_task_hash_as_task(task));
    OK(doca_buf_dec_refcount(src, NULL));
    OK(doca_buf_dec_refcount(dst, NULL));
    OK(doca_sha_destroy(sha));
    return 0;
}
#else
static int run_sha(void)
{
    return 0;
}
#endif

#if !defined(DOCA_CORE_NO_SW) && !defined(DOCA_CORE_NO_SYNC_EVENT)
static int run_sync_event(void)
{
    struct doca_sync_event *event;
    uint64_t value = 0;

    OK(doca_sync_event_create(&event));
    OK(doca_sync_event_add_publisher_location_cpu(event, dev));
    OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    OK(doca_sync_event_start(event));
    OK(doca_sync_event_update_set(event, 6));
    OK(doca_sync_event_update_add(event, 1, &value));
    OK(doca_sync_event_wait_gt(event, 6, UINT64_MAX));
    OK(doca_sync_event_get(event, &value));
    MUST(value == 7);
    OK(doca_sync_event_stop(event));
    OK(doca_sync_event_destroy(event));
    return 0;
}
#else
static int run_sync_event(void)
{
    return 0;
}
#endif

#ifndef DOCA_CORE_NO_GRAPH
static doca_error_t visit(void *cookie)
{
    (void)cookie;
    return DOCA_SUCCESS;
}

static void ended(struct doca_graph_instance *instance, union doca_data data,
                  union doca_data graph_data)
{
    (void)instance;
    (void)data;
    (void)graph_data;
}

static int run_graph(void)
{
    struct doca_graph_node *node;
    struct doca_graph *graph;

    OK(doca_graph_create(pe, &graph));
    OK(doca_graph_set_conf(graph, ended, ended, 1));
    OK(doca_graph_node_create_from_user(graph, visit, &node));
    /* the graph has no node with a context */
    MUST(doca_graph_start(graph) == DOCA_ERROR_BAD_STATE);
    OK(doca_graph_destroy(graph));
    return 0;
}
#else
static int run_graph(void)
{
    return 0;
}
#endif

#if !defined(DOCA_CORE_NO_SW) && !defined(DOCA_CORE_NO_POOL)
static int run_pool(void)
{
    struct doca_buf_pool *pool;
    struct doca_buf *buf;

    OK(doca_buf_pool_create(2, 16, map, &pool));
    OK(doca_buf_pool_start(pool));
    OK(doca_buf_pool_buf_alloc(pool, &buf));
    OK(doca_buf_dec_refcount(buf, NULL));
    OK(doca_buf_pool_stop(pool));
    OK(doca_buf_pool_destroy(pool));
    return 0;
}
#else
static int run_pool(void)
{
    return 0;
}
#endif

#ifndef DOCA_CORE_NO_TRACE
/* Without DOCA_CORE_TRACE there are no recordings. */
static int run_trace(void)
{
    const enum doca_core_trace_mode mode = DOCA_CORE_TRACE_KEEP;

    MUST(doca_core_trace_start(bytes, sizeof(bytes), mode) == DOCA_ERROR_NOT_SUPPORTED);
    MUST(doca_core_trace_start_file("trace", 1 << 20, mode) == DOCA_ERROR_NOT_SUPPORTED);
    MUST(doca_core_trace_stop() == DOCA_ERROR_NOT_SUPPORTED);
    doca_core_trace_mark("nothing happens");
    return 0;
}
#else
static int run_trace(void)
{
    return 0;
}
#endif

#ifndef DOCA_CORE_NO_STATS
static int run_stats(void)
{
    struct doca_core_pe_stats stats;

    OK(doca_core_stats_start());
    OK(doca_core_pe_get_stats(pe, &stats));
    MUST(stats.num_inflight == 0);
    return 0;
}
#else
static int run_stats(void)
{
    return 0;
}
#endif

static int end(void)
{
    OK(doca_pe_destroy(pe));
    OK(doca_buf_inventory_destroy(inventory));
    OK(doca_mmap_destroy(map));
#ifndef DOCA_CORE_NO_SW
    OK(doca_dev_close(dev));
    OK(doca_devinfo_destroy_list(list));
#endif
    return 0;
}

int main(void)
{
    return begin() || run_dma() || run_sha() || run_sync_event() || run_graph() || run_pool() ||
           run_trace() || run_stats() || end();
}
