/* A program of DOCA 1.3 that does not know beforehand which memory it will touch: addresses arrive
 * in sets, from anywhere in the heap. The first way of working adds each address to a single mmap,
 * as a range that stays. The second way makes an mmap for each set and destroys it when its jobs
 * are done. The free callbacks of the ranges release the memory when their mmap is destroyed.
 *
 *     one mmap: 12 addresses in 3 sets, 12 equal, 12 blocks freed at the end
 *     an mmap per set: 4 equal, 4 blocks freed so far
 *     an mmap per set: 8 equal, 8 blocks freed so far
 *     an mmap per set: 12 equal, 12 blocks freed so far
 */
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_LEGACY 10300
#include "doca_core_legacy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096
#define SETS 3
#define EACH 4   /* addresses of a set */
#define LEN 1000 /* bytes: the first half is copied to the second */

static struct doca_buf_inventory *bufs;
static struct doca_workq *workq;
static struct doca_ctx *ctx;
static unsigned num_freed;

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

static void arrive(char **addrs, int set)
{
    unsigned i;

    for (i = 0; i < EACH; i++) {
        addrs[i] = calloc(1, LEN);
        check(addrs[i] != NULL ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY);
        memset(addrs[i], 'a' + set * EACH + (int)i, LEN / 2);
    }
}

static void give_back(void *addr, size_t len, void *opaque)
{
    (void)len, (void)opaque;
    free(addr);
    num_freed++;
}

static struct doca_mmap *map_for(struct doca_dev *dev, uint32_t max_chunks)
{
    struct doca_mmap *map;

    check(doca_mmap_create("random", &map));
    check(doca_mmap_property_set(map, DOCA_MMAP_MAX_NUM_CHUNKS, &max_chunks, sizeof(max_chunks)));
    check(doca_mmap_start(map));
    check(doca_mmap_dev_add(map, dev));
    return map;
}

/* Copy within each address of a set; return how many copies were correct. */
static unsigned run_set(struct doca_mmap *map, char **addrs)
{
    struct doca_buf *src[EACH], *dst[EACH];
    struct doca_dma_job_memcpy job = { { DOCA_DMA_JOB_MEMCPY, 0, ctx, { NULL } }, NULL, NULL, 0 };
    unsigned i, num_done = 0, num_equal = 0;
    struct doca_event event;
    doca_error_t rc;

    for (i = 0; i < EACH; i++) {
        check(doca_mmap_populate(map, addrs[i], LEN, PAGE, give_back, NULL));
        check(doca_buf_inventory_buf_by_addr(bufs, map, addrs[i], LEN / 2, &src[i]));
        check(doca_buf_inventory_buf_by_addr(bufs, map, addrs[i] + LEN / 2, LEN / 2, &dst[i]));
        job.src_buff = src[i];
        job.dst_buff = dst[i];
        job.num_bytes_to_copy = LEN / 2;
        check(doca_workq_submit(workq, &job.base)); /* the workq keeps a copy of the job */
    }
    while (num_done < EACH) {
        rc = doca_workq_progress_retrieve(workq, &event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE);
        if (rc != DOCA_ERROR_AGAIN)
            check(rc);
        num_done += rc == DOCA_SUCCESS;
    }
    for (i = 0; i < EACH; i++) {
        check(doca_buf_refcount_rm(src[i], NULL));
        check(doca_buf_refcount_rm(dst[i], NULL));
        num_equal += memcmp(addrs[i], addrs[i] + LEN / 2, LEN / 2) == 0;
    }
    return num_equal;
}

int main(void)
{
    struct doca_dev *dev = open_first();
    unsigned num_equal = 0;
    struct doca_mmap *map;
    struct doca_dma *dma;
    char *addrs[EACH];
    int set;

    check(doca_buf_inventory_create("bufs", 2 * EACH, DOCA_BUF_EXTENSION_NONE, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_dma_create(&dma));
    ctx = doca_dma_as_ctx(dma);
    check(doca_ctx_dev_add(ctx, dev));
    check(doca_ctx_start(ctx));
    check(doca_workq_create(EACH, &workq));
    check(doca_ctx_workq_add(ctx, workq));

    map = map_for(dev, SETS * EACH); /* as many ranges as will ever be added */
    for (set = 0; set < SETS; set++) {
        arrive(addrs, set);
        num_equal += run_set(map, addrs);
    }
    check(doca_mmap_destroy(map));
    printf("one mmap: %u addresses in %u sets, %u equal, %u blocks freed at the end\n", SETS * EACH,
           SETS, num_equal, num_freed);

    num_equal = num_freed = 0;
    for (set = 0; set < SETS; set++) {
        arrive(addrs, set);
        map = map_for(dev, EACH);
        num_equal += run_set(map, addrs);
        check(doca_mmap_dev_rm(map, dev));
        check(doca_mmap_destroy(map));
        printf("an mmap per set: %u equal, %u blocks freed so far\n", num_equal, num_freed);
    }

    check(doca_ctx_workq_rm(ctx, workq));
    check(doca_workq_destroy(workq));
    check(doca_ctx_stop(ctx));
    check(doca_ctx_dev_rm(ctx, dev));
    check(doca_dma_destroy(dma));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}
