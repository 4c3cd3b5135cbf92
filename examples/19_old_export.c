/* Two programs of DOCA 1.3 in one file. The host exports bytes in memory from malloc(), sends the
 * descriptor and the address to the DPU, and sleeps in read(). The DPU makes an mmap from the
 * descriptor. One of its jobs copies the bytes to its own memory, and another job copies its answer
 * over them.
 *
 *     host: 24 bytes exported, asleep
 *     dpu: the host says "made for jobs and queues"
 *     host: awake, the dpu says "still does what it did"
 */
#define _POSIX_C_SOURCE 200809L
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_LEGACY 10300
#include "doca_core_legacy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

struct parcel { /* the message from the host to the DPU */
    char *addr;
    size_t len, desc_len;
    unsigned char desc[1024];
};

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s: %s\n", doca_get_error_string(rc), doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void check_system(bool is_ok)
{
    check(is_ok ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM);
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

/* In 1.3 an mmap is started first; the device and the range are added afterwards, in any order. */
static struct doca_mmap *map_for(const char *name, struct doca_dev *dev, void *addr, size_t len)
{
    struct doca_mmap *map;

    check(doca_mmap_create(name, &map));
    check(doca_mmap_start(map));
    check(doca_mmap_dev_add(map, dev));
    check(doca_mmap_populate(map, addr, len, PAGE, NULL, NULL));
    return map;
}

static void host(int to_dpu)
{
    static const char text[] = "made for jobs and queues";
    struct parcel parcel = { strdup(text), sizeof(text), 0, { 0 } };
    struct doca_dev *dev = open_first();
    struct doca_mmap *map;
    void *desc;
    char word;

    check_system(parcel.addr != NULL);
    map = map_for("host", dev, parcel.addr, parcel.len);
    check(doca_mmap_export(map, dev, &desc, &parcel.desc_len));
    check_system(parcel.desc_len <= sizeof(parcel.desc));
    memcpy(parcel.desc, desc, parcel.desc_len);
    free(desc); /* the caller frees the descriptor in this version */
    printf("host: %u bytes exported, asleep\n", (unsigned)parcel.len - 1);
    check_system(write(to_dpu, &parcel, sizeof(parcel)) == sizeof(parcel));
    check_system(read(to_dpu, &word, 1) == 1);
    printf("host: awake, the dpu says \"%s\"\n", parcel.addr);
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    free(parcel.addr);
}

static void copy(struct doca_workq *workq, struct doca_ctx *ctx, struct doca_buf *from,
                 struct doca_buf *to, size_t len)
{
    struct doca_dma_job_memcpy job = { { DOCA_DMA_JOB_MEMCPY, 0, ctx, { NULL } }, to, from, len };
    struct doca_event event;
    doca_error_t rc;

    check(doca_workq_submit(workq, &job.base));
    while ((rc = doca_workq_progress_retrieve(workq, &event, 0)) == DOCA_ERROR_AGAIN)
        continue;
    check(rc);
}

static void dpu(int to_host)
{
    struct doca_dev *dev = open_first();
    struct doca_buf_inventory *bufs;
    struct doca_mmap *map, *imported;
    struct doca_buf *here, *there;
    struct doca_workq *workq;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    struct parcel parcel;
    char local[64];

    check_system(read(to_host, &parcel, sizeof(parcel)) == sizeof(parcel));
    check_system(parcel.len <= sizeof(local));
    map = map_for("dpu", dev, local, parcel.len);
    check(doca_mmap_create_from_export("host", parcel.desc, parcel.desc_len, dev, &imported));
    check(doca_buf_inventory_create("bufs", 2, DOCA_BUF_EXTENSION_NONE, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_buf_inventory_buf_by_addr(bufs, map, local, parcel.len, &here));
    check(doca_buf_inventory_buf_by_addr(bufs, imported, parcel.addr, parcel.len, &there));
    check(doca_dma_create(&dma));
    ctx = doca_dma_as_ctx(dma);
    check(doca_ctx_dev_add(ctx, dev));
    check(doca_ctx_start(ctx));
    check(doca_workq_create(1, &workq));
    check(doca_ctx_workq_add(ctx, workq));

    copy(workq, ctx, there, here, parcel.len);
    printf("dpu: the host says \"%s\"\n", local);
    memcpy(local, "still does what it did", sizeof("still does what it did"));
    copy(workq, ctx, here, there, sizeof("still does what it did"));

    check(doca_buf_refcount_rm(here, NULL));
    check(doca_buf_refcount_rm(there, NULL));
    check(doca_ctx_workq_rm(ctx, workq));
    check(doca_workq_destroy(workq));
    check(doca_ctx_stop(ctx));
    check(doca_ctx_dev_rm(ctx, dev));
    check(doca_dma_destroy(dma));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(imported));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    check_system(write(to_host, "!", 1) == 1);
}

int main(void)
{
    int ends[2], status;
    pid_t child;

    check_system(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
    check_system(setvbuf(stdout, NULL, _IONBF, 0) == 0); /* the lines of both come in order */
    child = fork();
    check_system(child >= 0 && close(ends[child == 0]) == 0);
    if (child == 0) { /* Linux may refuse a child access to its parent's memory */
        host(ends[0]);
    } else {
        dpu(ends[1]);
        check_system(waitpid(child, &status, 0) == child && status == 0);
    }
    return EXIT_SUCCESS;
}
