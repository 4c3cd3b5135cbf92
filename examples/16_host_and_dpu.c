/* Two programs in one file. The host exports bytes in memory from malloc(), sends the descriptor,
 * the address and the length to the DPU, and sleeps in read(). The DPU imports the memory, copies
 * the bytes to its own memory, hashes them, and writes them back in capitals, followed by the
 * digest, while the host sleeps. With `16_host_and_dpu FILE` the bytes are those of FILE, at most
 * 4096, and `sha256sum FILE` prints the same digest.
 *
 *     host: 30 bytes exported, asleep
 *     dpu: 30 bytes copied, hashed and written back
 *     host: awake, my memory says THE HOST SLEEPS, THE DPU WORKS
 *     host: SHA-256 a65090ee97bd77d785e166fa7bff611829241a8997d7e35182ec69800be04fb2
 */
#define _POSIX_C_SOURCE 200809L
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOM 4096
#define DIGEST 32

struct parcel { /* the message from the host to the DPU */
    unsigned char *addr;
    size_t len, desc_len;
    unsigned char desc[2048];
};

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s: %s\n", doca_error_get_name(rc), doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void check_system(bool is_ok)
{
    if (!is_ok) {
        perror("16_host_and_dpu");
        exit(EXIT_FAILURE);
    }
}

static struct doca_dev *open_first(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;

    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    return dev;
}

static struct doca_mmap *map_for(struct doca_dev *dev, void *addr, size_t len, uint32_t access)
{
    struct doca_mmap *map;

    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, addr, len));
    check(doca_mmap_set_permissions(map, access));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    return map;
}

static void host(FILE *file, int to_dpu)
{
    struct doca_dev *dev = open_first();
    struct doca_mmap *map;
    struct parcel parcel = { calloc(1, ROOM + DIGEST), 0, 0, { 0 } };
    const void *desc;
    char word;
    size_t i;

    check_system(parcel.addr != NULL);
    errno = ENODATA; /* when there is nothing to read, and no other error */
    parcel.len = fread(parcel.addr, 1, ROOM, file);
    check_system(parcel.len > 0);
    map = map_for(dev, parcel.addr, parcel.len + DIGEST, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    check(doca_mmap_export_pci(map, dev, &desc, &parcel.desc_len));
    check_system(parcel.desc_len <= sizeof(parcel.desc));
    memcpy(parcel.desc, desc, parcel.desc_len);
    printf("host: %u bytes exported, asleep\n", (unsigned)parcel.len);
    check_system(write(to_dpu, &parcel, sizeof(parcel)) == sizeof(parcel));
    check_system(read(to_dpu, &word, 1) == 1);
    printf("host: awake, my memory says %.*s\n", (int)parcel.len, (char *)parcel.addr);
    printf("host: SHA-256 ");
    for (i = 0; i < DIGEST; i++)
        printf("%02x", parcel.addr[parcel.len + i]);
    printf("\n");
    /* after the import of it is destroyed, before its memory is freed */
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    free(parcel.addr);
}

/* Tasks come back here; run() checks their status. */
static void copied(struct doca_dma_task_memcpy *task, union doca_data data, union doca_data ctx)
{
    (void)task, (void)data, (void)ctx;
}

static void hashed(struct doca_sha_task_hash *task, union doca_data data, union doca_data ctx)
{
    (void)task, (void)data, (void)ctx;
}

static void run(struct doca_task *task, struct doca_pe *pe)
{
    size_t inflight = 1;

    check(doca_task_submit(task));
    for (; inflight > 0; check(doca_pe_get_num_inflight_tasks(pe, &inflight)))
        (void)doca_pe_progress(pe);
    check(doca_task_get_status(task));
}

static void dpu(int to_host)
{
    static unsigned char local[ROOM + DIGEST];
    struct doca_dev *dev = open_first();
    struct doca_mmap *map, *imported;
    struct doca_buf_inventory *bufs;
    struct doca_buf *here, *there, *digest;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_sha *sha;
    struct doca_dma_task_memcpy *copy;
    struct doca_sha_task_hash *hash;
    union doca_data none = { NULL };
    struct parcel parcel;
    size_t i, len;

    if (read(to_host, &parcel, sizeof(parcel)) != sizeof(parcel))
        exit(EXIT_FAILURE); /* the host has printed the reason */
    len = parcel.len;
    map = map_for(dev, local, sizeof(local), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    check(doca_mmap_create_from_export(NULL, parcel.desc, parcel.desc_len, dev, &imported));
    check(doca_buf_inventory_create(3, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_buf_inventory_buf_get_by_addr(bufs, map, local, len, &here));
    check(doca_buf_inventory_buf_get_by_addr(bufs, map, local + len, DIGEST, &digest));
    check(doca_buf_inventory_buf_get_by_args(bufs, imported, parcel.addr, len + DIGEST, parcel.addr,
                                             len, &there)); /* at the host's address */
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, copied, copied, 1));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));
    check(doca_sha_create(dev, &sha));
    check(doca_sha_task_hash_set_conf(sha, hashed, hashed, 0));
    check(doca_pe_connect_ctx(pe, doca_sha_as_ctx(sha)));
    check(doca_ctx_start(doca_sha_as_ctx(sha)));
    check(doca_dma_task_memcpy_alloc_init(dma, there, here, none, &copy));
    check(doca_sha_task_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, here, digest, none, &hash));

    run(doca_dma_task_memcpy_as_task(copy), pe);
    run(doca_sha_task_hash_as_task(hash), pe);
    for (i = 0; i < len; i++)
        local[i] = (unsigned char)toupper(local[i]);
    check(doca_buf_chain_list(here, digest)); /* both as one source */
    check(doca_buf_reset_data_len(there));
    doca_dma_task_memcpy_set_src(copy, here);
    doca_dma_task_memcpy_set_dst(copy, there);
    run(doca_dma_task_memcpy_as_task(copy), pe);
    printf("dpu: %u bytes copied, hashed and written back\n", (unsigned)len);

    doca_task_free(doca_dma_task_memcpy_as_task(copy));
    doca_task_free(doca_sha_task_hash_as_task(hash));
    check(doca_dma_destroy(dma)); /* also stops it: all tasks are freed */
    check(doca_sha_destroy(sha));
    check(doca_pe_destroy(pe));
    /* also releases `digest`, the next buffer of the list */
    check(doca_buf_dec_refcount(here, NULL));
    check(doca_buf_dec_refcount(there, NULL));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(imported)); /* before the host destroys its own */
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    check_system(write(to_host, "!", 1) == 1);
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : tmpfile();
    int ends[2], status;
    pid_t child;

    check_system(file != NULL && socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
    check_system(argc > 1 || fputs("the host sleeps, the dpu works", file) >= 0);
    check_system(fseek(file, 0, SEEK_SET) == 0);
    check_system(setvbuf(stdout, NULL, _IONBF, 0) == 0); /* keeps the lines of both in order */
    child = fork();
    check_system(child >= 0 && close(ends[child == 0]) == 0);
    if (child == 0) /* Linux may refuse a child access to its parent's memory */
        host(file, ends[0]);
    else
        dpu(ends[1]);
    check_system(fclose(file) == 0);
    if (child > 0)
        check_system(waitpid(child, &status, 0) == child && status == 0);
    return EXIT_SUCCESS;
}
