/* Statistics: what the engines of a program have done. After doca_core_stats_start(), every context
 * that starts counts its tasks, and so does its progress engine, for all of its contexts. Here a
 * DMA context copies the text word by word, and a SHA context hashes it. The counters of a context
 * can be read at any time; those of the progress engine still count a context that was destroyed.
 * With DOCA_CORE_STATS=1 in the environment, a program counts without this call, and
 * `doca_caps --stats PID` shows the counters while it runs.
 *
 *     dma: 4 submitted, 0 completed, 4 in flight, 0 bytes
 *     sha: 1 submitted, 0 completed, 1 in flight, 0 bytes
 *     dma: 4 submitted, 4 completed, 0 in flight, 24 bytes
 *     sha: 1 submitted, 1 completed, 0 in flight, 24 bytes
 *     pe: 5 completed, 0 failed, 48 bytes, at most 5 in flight
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>

#define WORDS 4
#define LETTERS 6 /* of a word */
#define DIGEST 32

static struct {
    char from[WORDS * LETTERS + 1], to[WORDS * LETTERS], digest[DIGEST];
} memory = { "north,south,east, west. ", "", "" };

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void end(struct doca_task *task, const struct doca_buf *src, const struct doca_buf *dst)
{
    check(doca_task_get_status(task));
    check(doca_buf_dec_refcount((struct doca_buf *)src, NULL));
    check(doca_buf_dec_refcount((struct doca_buf *)dst, NULL));
    doca_task_free(task);
}

static void copied(struct doca_dma_task_memcpy *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    (void)task_data, (void)ctx_data;
    end(doca_dma_task_memcpy_as_task(task), doca_dma_task_memcpy_get_src(task),
        doca_dma_task_memcpy_get_dst(task));
}

static void hashed(struct doca_sha_task_hash *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    (void)task_data, (void)ctx_data;
    end(doca_sha_task_hash_as_task(task), doca_sha_task_hash_get_src(task),
        doca_sha_task_hash_get_dst(task));
}

static void show(const char *name, const struct doca_ctx *ctx)
{
    struct doca_core_ctx_stats s;

    check(doca_core_ctx_get_stats(ctx, &s));
    printf("%s: %u submitted, %u completed, %u in flight, %u bytes\n", name,
           (unsigned)s.num_submitted, (unsigned)s.num_completed, (unsigned)s.num_inflight,
           (unsigned)s.num_bytes);
}

int main(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_mmap *map;
    struct doca_buf_inventory *bufs;
    struct doca_buf *src, *dst;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_sha *sha;
    struct doca_dma_task_memcpy *copy;
    struct doca_sha_task_hash *hash;
    struct doca_core_pe_stats s;
    union doca_data none = { NULL };
    size_t inflight = 1;
    uint32_t num, i;

    check(doca_core_stats_start());
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(2 * WORDS + 2, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, copied, copied, WORDS));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));
    check(doca_sha_create(dev, &sha));
    check(doca_sha_task_hash_set_conf(sha, hashed, hashed, 0)); /* 2^0 tasks */
    check(doca_pe_connect_ctx(pe, doca_sha_as_ctx(sha)));
    check(doca_ctx_start(doca_sha_as_ctx(sha)));

    for (i = 0; i < WORDS * LETTERS; i += LETTERS) {
        check(doca_buf_inventory_buf_get_by_data(bufs, map, memory.from + i, LETTERS, &src));
        check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.to + i, LETTERS, &dst));
        check(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &copy));
        check(doca_task_submit(doca_dma_task_memcpy_as_task(copy)));
    }
    check(doca_buf_inventory_buf_get_by_data(bufs, map, memory.from, WORDS * LETTERS, &src));
    check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.digest, DIGEST, &dst));
    check(doca_sha_task_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, src, dst, none, &hash));
    check(doca_task_submit(doca_sha_task_hash_as_task(hash)));
    show("dma", doca_dma_as_ctx(dma));
    show("sha", doca_sha_as_ctx(sha));
    for (; inflight > 0; check(doca_pe_get_num_inflight_tasks(pe, &inflight)))
        (void)doca_pe_progress(pe);
    show("dma", doca_dma_as_ctx(dma));
    show("sha", doca_sha_as_ctx(sha));
    check(doca_dma_destroy(dma)); /* also stops it: all tasks are freed */
    check(doca_sha_destroy(sha));
    check(doca_core_pe_get_stats(pe, &s));
    printf("pe: %u completed, %u failed, %u bytes, at most %u in flight\n",
           (unsigned)s.num_completed, (unsigned)s.num_failed, (unsigned)s.num_bytes,
           (unsigned)s.max_inflight);
    check(doca_pe_destroy(pe));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}
