/* Two processes for the test of tools/trace: one exports memory, the other imports and copies it,
 * and both leave a recording. A third task fails. */
#define DOCA_CORE_TRACE 1
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != DOCA_SUCCESS) {                                                              \
            fprintf(stderr, "%s: %s\n", #call, doca_core_last_error());                            \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { BYTES = 4096, TASKS = 3 };

struct offer {
    unsigned char *addr;
    size_t len;
    unsigned char desc[512];
};

static unsigned char memory[BYTES], copy[BYTES];
static unsigned num_done;

static void done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                 union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    num_done++;
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static struct doca_dev *open_dev(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;

    OK(doca_devinfo_create_list(&list, &num));
    OK(doca_dev_open(list[0], &dev));
    OK(doca_devinfo_destroy_list(list));
    return dev;
}

static struct doca_mmap *map(struct doca_dev *dev, void *addr, uint32_t access)
{
    struct doca_mmap *mmap;

    OK(doca_mmap_create(&mmap));
    OK(doca_mmap_add_dev(mmap, dev));
    OK(doca_mmap_set_memrange(mmap, addr, BYTES));
    OK(doca_mmap_set_permissions(mmap, access));
    OK(doca_mmap_start(mmap));
    return mmap;
}

static void copy_from(struct doca_dev *dev, struct doca_mmap *from, unsigned char *addr)
{
    struct doca_mmap *to = map(dev, copy, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct doca_dma_task_memcpy *task;
    struct doca_buf_inventory *inventory;
    struct doca_buf *src, *dst;
    struct doca_dma *dma;
    struct doca_pe *pe;
    unsigned i;

    OK(doca_buf_inventory_create(2 * TASKS, &inventory));
    OK(doca_buf_inventory_start(inventory));
    OK(doca_pe_create(&pe));
    OK(doca_dma_create(dev, &dma));
    OK(doca_dma_task_memcpy_set_conf(dma, done, done, TASKS));
    OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    doca_core_trace_mark("the copies begin");
    for (i = 0; i < TASKS; i++) { /* the last destination is too small */
        OK(doca_buf_inventory_buf_get_by_data(inventory, from, addr, 1000, &src));
        OK(doca_buf_inventory_buf_get_by_addr(inventory, to, copy, i < TASKS - 1 ? 1000 : 10,
                                              &dst));
        OK(doca_dma_task_memcpy_alloc_init(dma, src, dst, (union doca_data){ 0 }, &task));
        OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    }
    while (num_done < TASKS)
        (void)doca_pe_progress(pe);
}

static void import(int from)
{
    struct doca_dev *dev = open_dev();
    struct doca_mmap *mmap;
    struct offer offer;

    if (read(from, &offer, sizeof(offer)) != (ssize_t)sizeof(offer))
        exit(1);
    OK(doca_mmap_create_from_export(NULL, offer.desc, offer.len, dev, &mmap));
    copy_from(dev, mmap, offer.addr);
    exit(0);
}

int main(void)
{
    static struct offer offer;
    struct doca_mmap *mmap;
    struct doca_dev *dev;
    const void *desc;
    int fds[2], status = 1;

    if (pipe(fds) != 0)
        return 1;
    if (fork() == 0)
        import(fds[0]);
    dev = open_dev();
    mmap = map(dev, memory, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    OK(doca_mmap_export_pci(mmap, dev, &desc, &offer.len));
    offer.addr = memory;
    if (offer.len > sizeof(offer.desc))
        return 1;
    for (size_t i = 0; i < offer.len; i++)
        offer.desc[i] = ((const unsigned char *)desc)[i];
    if (write(fds[1], &offer, sizeof(offer)) != (ssize_t)sizeof(offer))
        return 1;
    (void)wait(&status);
    return status == 0 ? 0 : 1;
}
