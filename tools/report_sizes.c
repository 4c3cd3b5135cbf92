/* Print how many bytes of an arena each object takes, as the Markdown table in
 * src/object/README.md. */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>

#define N 64 /* the size of one more object is averaged over N: sizes are whole lines */

static const struct {
    const char *object;
    const char *macro;
    size_t bytes; /* of `macro` with n = 1 */
    size_t more;  /* for each further n */
} rows[] = {
    { "list of devices", "`DOCA_CORE_BYTES_DEVINFO_LIST(n)`", DOCA_CORE_BYTES_DEVINFO_LIST(1),
      (DOCA_CORE_BYTES_DEVINFO_LIST(1 + N) - DOCA_CORE_BYTES_DEVINFO_LIST(1)) / N },
    { "open device", "`DOCA_CORE_BYTES_DEV(n)`", DOCA_CORE_BYTES_DEV(1), DOCA_CORE_BYTES_DEV(1) },
    { "list of representors", "`DOCA_CORE_BYTES_DEVINFO_REP_LIST(n)`",
      DOCA_CORE_BYTES_DEVINFO_REP_LIST(1),
      (DOCA_CORE_BYTES_DEVINFO_REP_LIST(1 + N) - DOCA_CORE_BYTES_DEVINFO_REP_LIST(1)) / N },
    { "open representor", "`DOCA_CORE_BYTES_DEV_REP(n)`", DOCA_CORE_BYTES_DEV_REP(1),
      DOCA_CORE_BYTES_DEV_REP(1) },
    { "mmap", "`DOCA_CORE_BYTES_MMAP(n)`", DOCA_CORE_BYTES_MMAP(1), DOCA_CORE_BYTES_MMAP(1) },
    { "export of an mmap", "`DOCA_CORE_BYTES_MMAP_EXPORT(n)`", DOCA_CORE_BYTES_MMAP_EXPORT(1),
      DOCA_CORE_BYTES_MMAP_EXPORT(1) },
    { "dmabuf range of an mmap", "`DOCA_CORE_BYTES_MMAP_DMABUF(n)`",
      DOCA_CORE_BYTES_MMAP_DMABUF(1), DOCA_CORE_BYTES_MMAP_DMABUF(1) },
    { "imported mmap", "`DOCA_CORE_BYTES_MMAP_IMPORT(n)`", DOCA_CORE_BYTES_MMAP_IMPORT(1),
      DOCA_CORE_BYTES_MMAP_IMPORT(1) },
    { "mmap of the memory of another machine", "`DOCA_CORE_BYTES_MMAP_REP(n)`",
      DOCA_CORE_BYTES_MMAP_REP(1), DOCA_CORE_BYTES_MMAP_REP(1) },
    { "buffer inventory of n", "`DOCA_CORE_BYTES_BUF_INVENTORY(n)`",
      DOCA_CORE_BYTES_BUF_INVENTORY(1),
      (DOCA_CORE_BYTES_BUF_INVENTORY(1 + N) - DOCA_CORE_BYTES_BUF_INVENTORY(1)) / N },
    { "buffer pool of n", "`DOCA_CORE_BYTES_BUF_POOL(n)`", DOCA_CORE_BYTES_BUF_POOL(1),
      (DOCA_CORE_BYTES_BUF_POOL(1 + N) - DOCA_CORE_BYTES_BUF_POOL(1)) / N },
    { "buffer array", "`DOCA_CORE_BYTES_BUF_ARR(n)`", DOCA_CORE_BYTES_BUF_ARR(1),
      DOCA_CORE_BYTES_BUF_ARR(1) },
    { "DMA context of n tasks, started", "`DOCA_CORE_BYTES_DMA(n)`", DOCA_CORE_BYTES_DMA(1),
      (DOCA_CORE_BYTES_DMA(1 + N) - DOCA_CORE_BYTES_DMA(1)) / N },
    { "SHA context of n hash tasks, started", "`DOCA_CORE_BYTES_SHA(n, 0)`",
      DOCA_CORE_BYTES_SHA(1, 0),
      (DOCA_CORE_BYTES_SHA(1 + N, 0) - DOCA_CORE_BYTES_SHA(1, 0)) / N },
    { "SHA context of n partial hash tasks, started", "`DOCA_CORE_BYTES_SHA(0, n)`",
      DOCA_CORE_BYTES_SHA(0, 1), (DOCA_CORE_BYTES_SHA(0, 1 + N) - DOCA_CORE_BYTES_SHA(0, 1)) / N },
    { "mmap advise context of n tasks, started", "`DOCA_CORE_BYTES_MMAP_ADVISE(n)`",
      DOCA_CORE_BYTES_MMAP_ADVISE(1),
      (DOCA_CORE_BYTES_MMAP_ADVISE(1 + N) - DOCA_CORE_BYTES_MMAP_ADVISE(1)) / N },
    { "n batches of up to 16 tasks, in a started context", "`DOCA_CORE_BYTES_TASK_BATCH(n, 16)`",
      DOCA_CORE_BYTES_TASK_BATCH(1, 16), DOCA_CORE_BYTES_TASK_BATCH(1, 16) },
    { "sync event, stand-alone", "`DOCA_CORE_BYTES_SYNC_EVENT(0)`", DOCA_CORE_BYTES_SYNC_EVENT(0),
      DOCA_CORE_BYTES_SYNC_EVENT(0) },
    { "sync event as context of n tasks, started", "`DOCA_CORE_BYTES_SYNC_EVENT(n)`",
      DOCA_CORE_BYTES_SYNC_EVENT(1),
      (DOCA_CORE_BYTES_SYNC_EVENT(1 + N) - DOCA_CORE_BYTES_SYNC_EVENT(1)) / N },
    { "remote net handle", "`DOCA_CORE_BYTES_SYNC_EVENT_REMOTE_NET(n)`",
      DOCA_CORE_BYTES_SYNC_EVENT_REMOTE_NET(1), DOCA_CORE_BYTES_SYNC_EVENT_REMOTE_NET(1) },
    { "graph of n nodes and n - 1 dependencies, 1 instance, started",
      "`DOCA_CORE_BYTES_GRAPH(n, n - 1, 1)`", DOCA_CORE_BYTES_GRAPH(1, 0, 1),
      (DOCA_CORE_BYTES_GRAPH(1 + N, N, 1) - DOCA_CORE_BYTES_GRAPH(1, 0, 1)) / N },
    { "the same of 8 nodes and n instances", "`DOCA_CORE_BYTES_GRAPH(8, 7, n)`",
      DOCA_CORE_BYTES_GRAPH(8, 7, 1),
      (DOCA_CORE_BYTES_GRAPH(8, 7, 1 + N) - DOCA_CORE_BYTES_GRAPH(8, 7, 1)) / N },
    { "DPDK mempool of n memory chunks", "`DOCA_CORE_BYTES_DPDK_MEMPOOL(n)`",
      DOCA_CORE_BYTES_DPDK_MEMPOOL(1),
      (DOCA_CORE_BYTES_DPDK_MEMPOOL(1 + N) - DOCA_CORE_BYTES_DPDK_MEMPOOL(1)) / N },
    { "worker of the software device", "`DOCA_CORE_BYTES_SW_WORKER(n)`",
      DOCA_CORE_BYTES_SW_WORKER(1), DOCA_CORE_BYTES_SW_WORKER(1) },
    { "a context of n tasks more, where there is one worker", "`DOCA_CORE_BYTES_SW_LANES(n, 1)`",
      DOCA_CORE_BYTES_SW_LANES(1, 1),
      (DOCA_CORE_BYTES_SW_LANES(1 + N, 1) - DOCA_CORE_BYTES_SW_LANES(1, 1)) / N },
    { "progress engine", "`DOCA_CORE_BYTES_PE(n)`", DOCA_CORE_BYTES_PE(1), DOCA_CORE_BYTES_PE(1) },
};

int main(void)
{
    size_t i;

    printf("| object | macro | bytes for n = 1 | each further one, on average |\n"
           "|---|---|---:|---:|\n");
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        printf("| %s | %s | %lu | %lu |\n", rows[i].object, rows[i].macro,
               (unsigned long)rows[i].bytes, (unsigned long)rows[i].more);
    printf("\nWith pointers of %lu bits and default settings. Every block of an arena begins with "
           "a header line of %d bytes, counted above. The arena itself is a structure of %lu "
           "bytes, wherever the program keeps it. A buffer descriptor is %lu bytes, a DMA task "
           "%lu.\n",
           (unsigned long)(8 * sizeof(void *)), DOCA_CORE_LINE,
           (unsigned long)sizeof(struct doca_core_arena),
           (unsigned long)sizeof(struct doca_buf),
           (unsigned long)sizeof(struct doca_dma_task_memcpy));
    return 0;
}
