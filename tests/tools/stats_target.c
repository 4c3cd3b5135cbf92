/* A program whose statistics the test of doca_caps --stats reads. It makes two DMA contexts on one
 * PE, completes three copies of 1000 bytes in the first, lets one fail in the second, leaves two
 * copies in flight, prints "ready" and waits for a line of input. Then it ends without cleaning up.
 *
 *     stats_target [started|damaged|forked]
 * started: begin to count by a call, not by the environment. damaged: overwrite the counters.
 * forked: print the number of a child process, which counts nothing, instead of "ready". */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != DOCA_SUCCESS) {                                                              \
            fprintf(stderr, "%s\n", doca_core_last_error());                                       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static unsigned char bytes[4096];
static struct doca_mmap *map;
static struct doca_buf_inventory *inventory;
static struct doca_dev *dev;
static struct doca_pe *pe;

static void on_task(struct doca_dma_task_memcpy *task, union doca_data task_data,
                    union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static void copy(struct doca_dma *dma, size_t room)
{
    const union doca_data none = { 0 };
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;

    OK(doca_buf_inventory_buf_get_by_data(inventory, map, bytes, 1000, &src));
    OK(doca_buf_inventory_buf_get_by_addr(inventory, map, bytes + 2048, room, &dst));
    OK(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &task));
    OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
}

static struct doca_dma *make_dma(void)
{
    struct doca_dma *dma;

    OK(doca_dma_create(dev, &dma));
    OK(doca_dma_task_memcpy_set_conf(dma, on_task, on_task, 8));
    OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    return dma;
}

static void work(void)
{
    struct doca_devinfo **list;
    struct doca_dma *dmas[2];
    uint32_t num;
    unsigned i;

    OK(doca_devinfo_create_list(&list, &num));
    OK(doca_dev_open(list[0], &dev));
    OK(doca_mmap_create(&map));
    OK(doca_mmap_set_memrange(map, bytes, sizeof(bytes)));
    OK(doca_mmap_add_dev(map, dev));
    OK(doca_mmap_start(map));
    OK(doca_buf_inventory_create(16, &inventory));
    OK(doca_buf_inventory_start(inventory));
    OK(doca_pe_create(&pe));
    dmas[0] = make_dma();
    dmas[1] = make_dma();
    for (i = 0; i < 3; i++)
        copy(dmas[0], 1000);
    copy(dmas[1], 10);
    while (doca_pe_progress(pe) != 0)
        continue;
    for (i = 0; i < 3; i++)
        copy(dmas[0], 1000);
    (void)doca_pe_progress(pe);
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    char line[8];
    int child = 0;

    (void)doca_core_log_set_level(DOCA_CORE_LOG_DISABLE);
    if (strcmp(way, "started") == 0)
        OK(doca_core_stats_start());
    work();
    if (strcmp(way, "damaged") == 0)
        memset(doca_priv_stats.pages[0]->records, 0x5a, DOCA_CORE_LINE);
    if (strcmp(way, "forked") == 0)
        child = fork();
    if (child > 0)
        printf("%d\n", child);
    else if (strcmp(way, "forked") != 0)
        printf("ready\n");
    fflush(stdout);
    _exit(fgets(line, sizeof(line), stdin) != NULL ? 0 : 1);
}
