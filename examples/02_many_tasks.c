/* Polling, with 16 copies in flight at one time. A puzzle of 16 tiles lies shuffled in one array; a
 * task for each tile copies it to its place in another array. The program submits all tasks and
 * then polls the progress engine, which runs the callback of each task that completes, until no
 * task is in flight. Tasks may complete in any order: nothing here depends on it.
 *
 *     16 tasks in flight
 *     0 tasks in flight, 16 tiles in place
 *       1  2  3  4
 *       5  6  7  8
 *       9 10 11 12
 *      13 14 15 16
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILES 16
#define TILE 3 /* bytes */

static struct {
    char shuffled[TILES][TILE + 1];
    char board[TILES][TILE];
} memory = { { " 12", "  7", "  1", " 14", " 10", "  3", " 16", "  5", "  2", "  9", " 13", "  8",
               "  4", " 15", " 11", "  6" },
             { "" } };

static unsigned num_in_place;

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void release(struct doca_dma_task_memcpy *task)
{
    check(doca_buf_dec_refcount((struct doca_buf *)doca_dma_task_memcpy_get_src(task), NULL));
    check(doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(task), NULL));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static void tile_copied(struct doca_dma_task_memcpy *task, union doca_data tile,
                        union doca_data ctx_data)
{
    int place = atoi(tile.ptr) - 1;

    (void)ctx_data;
    num_in_place += memcmp(memory.board[place], tile.ptr, TILE) == 0;
    release(task);
}

static void tile_lost(struct doca_dma_task_memcpy *task, union doca_data tile,
                      union doca_data ctx_data)
{
    (void)ctx_data;
    printf("tile %s: %s\n", (char *)tile.ptr,
           doca_error_get_descr(doca_task_get_status(doca_dma_task_memcpy_as_task(task))));
    release(task);
}

int main(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_mmap *map;
    struct doca_buf_inventory *bufs;
    struct doca_pe *pe;
    struct doca_dma *dma;
    uint32_t num, i;
    size_t inflight;

    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(2 * TILES, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, tile_copied, tile_lost, TILES));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));

    for (i = 0; i < TILES; i++) {
        union doca_data tile = { memory.shuffled[i] };
        char *place = memory.board[atoi(memory.shuffled[i]) - 1];
        struct doca_buf *src, *dst;
        struct doca_dma_task_memcpy *task;

        check(doca_buf_inventory_buf_get_by_data(bufs, map, tile.ptr, TILE, &src));
        check(doca_buf_inventory_buf_get_by_addr(bufs, map, place, TILE, &dst));
        check(doca_dma_task_memcpy_alloc_init(dma, src, dst, tile, &task));
        check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    }
    check(doca_pe_get_num_inflight_tasks(pe, &inflight));
    printf("%u tasks in flight\n", (unsigned)inflight);
    do {
        /* runs at most one callback; returns 0 if it had nothing to do */
        (void)doca_pe_progress(pe);
        check(doca_pe_get_num_inflight_tasks(pe, &inflight));
    } while (inflight > 0);
    printf("0 tasks in flight, %u tiles in place\n", num_in_place);
    for (i = 0; i < TILES; i += 4)
        printf("%.*s\n", 4 * TILE, memory.board[i]);

    check(doca_dma_destroy(dma)); /* stops it; contexts go before their progress engine */
    check(doca_pe_destroy(pe));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}
