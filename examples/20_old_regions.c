/* A program of DOCA 1.3: all memory that it will ever touch lies in a few ranges that are known at
 * the start, the chunks of one mmap. Then sets of addresses arrive. Each address becomes a buffer
 * and each pair of buffers a job; the events of the jobs are retrieved one by one.
 *
 *     3 ranges, 0 buffers
 *     set 1: 2 jobs, 2 events, 10 bytes
 *     range holds ... ....
 *     set 2: 2 jobs, 2 events, 7 bytes
 *     range holds job runs
 *     3 ranges, 0 buffers
 */
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_LEGACY 10300
#include "doca_core_legacy.h"

#include <stdio.h>
#include <stdlib.h>

#define PAGE 4096
#define MAX_JOBS 4

static char nouns[] = "range buffer job event", verbs[] = "holds points runs ends";
static char out[] = "..... ..... ... ....";

struct piece { /* one copy to do */
    char *from, *to;
    size_t len;
};

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s: %s\n", doca_get_error_string(rc), doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static struct doca_dev *open_first(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;

    check(doca_devinfo_list_create(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_list_destroy(list));
    return dev;
}

static void show(struct doca_mmap *map)
{
    uint32_t num_chunks, num_bufs;

    check(doca_mmap_property_get(map, DOCA_MMAP_MAX_NUM_CHUNKS, &num_chunks, sizeof(num_chunks)));
    check(doca_mmap_property_get(map, DOCA_MMAP_NUM_BUFS, &num_bufs, sizeof(num_bufs)));
    printf("%u ranges, %u buffers\n", (unsigned)num_chunks, (unsigned)num_bufs);
}

/* The data path: buffers, jobs, events, and the buffers back. */
static void run_set(int number, const struct piece *pieces, unsigned num, struct doca_mmap *map,
                    struct doca_buf_inventory *bufs, struct doca_ctx *ctx, struct doca_workq *workq)
{
    struct doca_dma_job_memcpy jobs[MAX_JOBS] = { 0 };
    struct doca_buf *src, *dst;
    struct doca_event event;
    unsigned i, num_events = 0;
    size_t bytes = 0;
    doca_error_t rc;

    for (i = 0; i < num; i++) {
        check(doca_buf_inventory_buf_by_addr(bufs, map, pieces[i].from, pieces[i].len, &src));
        check(doca_buf_inventory_buf_by_addr(bufs, map, pieces[i].to, pieces[i].len, &dst));
        jobs[i].base.type = DOCA_DMA_JOB_MEMCPY;
        jobs[i].base.ctx = ctx;
        jobs[i].base.user_data.u64 = i;
        jobs[i].src_buff = src;
        jobs[i].dst_buff = dst;
        jobs[i].num_bytes_to_copy = pieces[i].len;
        check(doca_workq_submit(workq, &jobs[i].base));
    }
    while (num_events < num) {
        rc = doca_workq_progress_retrieve(workq, &event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE);
        if (rc == DOCA_ERROR_AGAIN)
            continue;
        check(rc);
        i = (unsigned)event.user_data.u64;
        bytes += pieces[i].len;
        check(doca_buf_refcount_rm((struct doca_buf *)(uintptr_t)jobs[i].src_buff, NULL));
        check(doca_buf_refcount_rm(jobs[i].dst_buff, NULL));
        num_events++;
    }
    printf("set %d: %u jobs, %u events, %u bytes\n", number, num, num_events, (unsigned)bytes);
}

int main(void)
{
    static const struct piece first[] = { { nouns, out, 5 }, { verbs, out + 6, 5 } };
    static const struct piece second[] = { { nouns + 13, out + 12, 3 },
                                           { verbs + 13, out + 16, 4 } };
    struct doca_dev *dev = open_first();
    struct doca_buf_inventory *bufs;
    struct doca_workq *workq;
    uint32_t max_chunks = 3;
    struct doca_mmap *map;
    struct doca_dma *dma;
    struct doca_ctx *ctx;

    check(doca_mmap_create("regions", &map));
    check(doca_mmap_property_set(map, DOCA_MMAP_MAX_NUM_CHUNKS, &max_chunks, sizeof(max_chunks)));
    check(doca_mmap_start(map));
    check(doca_mmap_populate(map, nouns, sizeof(nouns), PAGE, NULL, NULL));
    check(doca_mmap_populate(map, verbs, sizeof(verbs), PAGE, NULL, NULL));
    check(doca_mmap_populate(map, out, sizeof(out), PAGE, NULL, NULL));
    check(doca_mmap_dev_add(map, dev));
    check(doca_buf_inventory_create("bufs", 2 * MAX_JOBS, DOCA_BUF_EXTENSION_NONE, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_dma_create(&dma));
    ctx = doca_dma_as_ctx(dma);
    check(doca_ctx_dev_add(ctx, dev));
    check(doca_ctx_start(ctx));
    check(doca_workq_create(MAX_JOBS, &workq));
    check(doca_ctx_workq_add(ctx, workq));

    show(map);
    run_set(1, first, 2, map, bufs, ctx, workq);
    printf("%s\n", out);
    run_set(2, second, 2, map, bufs, ctx, workq);
    printf("%s\n", out);
    show(map);

    check(doca_ctx_workq_rm(ctx, workq));
    check(doca_workq_destroy(workq));
    check(doca_ctx_stop(ctx));
    check(doca_ctx_dev_rm(ctx, dev));
    check(doca_dma_destroy(dma));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_dev_rm(map, dev));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}
