/* A program in plain C99 that makes one copy, for compilers and configurations that cannot run the
 * suites. It is built alone, with DOCA_CORE_IMPLEMENTATION, or together with two_files_impl.c. */
#include "doca_core.h"

#include <stdio.h>
#include <string.h>

#ifdef TWO_FILES
int two_files_other(doca_error_t (*make)(struct doca_pe **));
#endif

#define BYTES 4096

#define ARENA_BYTES                                                                                \
    (DOCA_CORE_BYTES_DEVINFO_LIST(DOCA_CORE_SW_DEFAULT_DEVS) + DOCA_CORE_BYTES_DEV(1) +            \
     DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_BYTES_BUF_INVENTORY(2) + DOCA_CORE_BYTES_PE(1) +          \
     DOCA_CORE_BYTES_DMA(1))

/* main() aligns the address: tcc 0.9.27 ignores the attribute that DOCA_CORE_ALIGNED stands for. */
static unsigned char memory[ARENA_BYTES + DOCA_CORE_LINE];
static unsigned char bytes[2 * BYTES]; /* the source, then the destination */
static int callbacks;

#define MUST(call)                                                                                 \
    do {                                                                                           \
        doca_error_t rc_ = (call);                                                                 \
        if (rc_ != DOCA_SUCCESS) {                                                                 \
            printf("%s: %s\n%s\n", #call, doca_error_get_name(rc_), doca_core_last_error());       \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static void done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                 union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    if (doca_task_get_status(doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS)
        callbacks++;
}

static int copy(struct doca_pe *pe, struct doca_dma *dma, struct doca_mmap *mmap)
{
    struct doca_buf_inventory *inventory;
    struct doca_buf *src, *dst;
    struct doca_dma_task_memcpy *task;
    union doca_data none = { NULL };

    MUST(doca_buf_inventory_create(2, &inventory));
    MUST(doca_buf_inventory_start(inventory));
    MUST(doca_buf_inventory_buf_get_by_data(inventory, mmap, bytes, BYTES, &src));
    MUST(doca_buf_inventory_buf_get_by_addr(inventory, mmap, bytes + BYTES, BYTES, &dst));
    MUST(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &task));
    MUST(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (doca_pe_progress(pe))
        ;
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    MUST(doca_buf_dec_refcount(src, NULL));
    MUST(doca_buf_dec_refcount(dst, NULL));
    MUST(doca_buf_inventory_destroy(inventory));
    return 0;
}

static int run(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_mmap *mmap;
    struct doca_pe *pe;
    struct doca_dma *dma;
    uint32_t num;

    MUST(doca_devinfo_create_list(&list, &num));
    MUST(doca_dev_open(list[0], &dev));
    MUST(doca_devinfo_destroy_list(list));
    MUST(doca_mmap_create(&mmap));
    MUST(doca_mmap_add_dev(mmap, dev));
    MUST(doca_mmap_set_memrange(mmap, bytes, sizeof(bytes)));
    MUST(doca_mmap_start(mmap));
    MUST(doca_pe_create(&pe));
    MUST(doca_dma_create(dev, &dma));
    MUST(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    MUST(doca_dma_task_memcpy_set_conf(dma, done, done, 1));
    MUST(doca_ctx_start(doca_dma_as_ctx(dma)));
    if (copy(pe, dma, mmap) != 0)
        return 1;
    MUST(doca_ctx_stop(doca_dma_as_ctx(dma)));
    MUST(doca_dma_destroy(dma));
    MUST(doca_pe_destroy(pe));
    MUST(doca_mmap_destroy(mmap));
    MUST(doca_dev_close(dev));
    return 0;
}

int main(void)
{
    static struct doca_core_arena arena;
    size_t shift = (DOCA_CORE_LINE - (size_t)memory % DOCA_CORE_LINE) % DOCA_CORE_LINE;
    size_t used, i;

    for (i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(i * 7 + 1);
    MUST(doca_core_arena_init(&arena, memory + shift, ARENA_BYTES));
    MUST(doca_core_arena_bind(&arena));
    if (run() != 0)
        return 1;
    MUST(doca_core_arena_query(&arena, &used, NULL, NULL));
    if (callbacks != 1 || used != 0 || memcmp(bytes, bytes + BYTES, BYTES) != 0) {
        printf("%d callbacks, %lu bytes left in the arena, or wrong bytes\n", callbacks,
               (unsigned long)used);
        return 1;
    }
#ifdef TWO_FILES
    if (two_files_other(doca_pe_create) != 0)
        return 1;
#endif
    printf("one copy made and checked\n");
    return 0;
}
