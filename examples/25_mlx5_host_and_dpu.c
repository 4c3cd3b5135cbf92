/* Two programs in one file, on two functions of one card. The host program registers memory on its
 * function, exports it, passes descriptor, address and length on, and sleeps. The DPU program
 * imports the memory on the other function, whose DMA engine fetches the bytes, and writes them
 * back as capitals. Only the exporter has that memory mapped; the card moves the bytes. When the
 * host has stopped its mmap, the next copy of the DPU fails. Exit status 77: no device can do it.
 * An emulated card can: tools/mlx5sim/run --devices 2 -- 25_mlx5_host_and_dpu
 *
 *     dpu: fetched 26 bytes: the card carries the bytes
 *     host: awake, my memory says THE CARD CARRIES THE BYTES
 *     dpu: after the host's stop a copy ends with DOCA_ERROR_IO_FAILED
 */
#define _POSIX_C_SOURCE 200809L
#define DOCA_CORE_MLX5_IMPLEMENTATION
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core_mlx5.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct parcel { /* the message from the host to the DPU */
    char *addr;
    size_t len, desc_len;
    unsigned char desc[1024];
};

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void check_system(bool is_ok)
{
    check(is_ok ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM);
}

/* Open the first device of libibverbs, or the last one. Exit with 77 when it cannot export, import
 * and copy. */
static struct doca_dev *open_function(bool last)
{
    static const struct doca_core_dev_attr none;
    uint8_t exports = 0, imports = 0;
    struct doca_devinfo **list, *info;
    struct doca_dev *dev = NULL;
    doca_error_t rc;
    uint32_t num;

    check(doca_core_sw_set_devices(&none, 0));
    check(doca_core_backend_register(doca_core_mlx5_backend(NULL)));
    rc = doca_devinfo_create_list(&list, &num);
    if (rc == DOCA_ERROR_NOT_FOUND)
        exit(77);
    check(rc);
    info = list[last ? num - 1 : 0];
    check(doca_mmap_cap_is_export_pci_supported(info, &exports));
    check(doca_mmap_cap_is_create_from_export_pci_supported(info, &imports));
    if (!exports || !imports || doca_dma_cap_task_memcpy_is_supported(info) != DOCA_SUCCESS)
        exit(77);
    check(doca_dev_open(info, &dev));
    check(doca_devinfo_destroy_list(list));
    return dev;
}

static struct doca_mmap *map_for(struct doca_dev *dev, char *addr, size_t len, uint32_t access)
{
    struct doca_mmap *map = NULL;

    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, addr, len));
    check(doca_mmap_set_permissions(map, access));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    return map;
}

/* ---- the host ---- */

static void be_the_host(int dpu)
{
    struct doca_dev *dev = open_function(true);
    char text[] = "the card carries the bytes", woken;
    struct parcel parcel = { .addr = text, .len = strlen(text) };
    struct doca_mmap *map = map_for(dev, text, parcel.len, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    const void *desc;

    check(doca_mmap_export_pci(map, dev, &desc, &parcel.desc_len));
    check_system(parcel.desc_len <= sizeof(parcel.desc));
    memcpy(parcel.desc, desc, parcel.desc_len);
    check_system(write(dpu, &parcel, sizeof(parcel)) == (ssize_t)sizeof(parcel));
    check_system(read(dpu, &woken, 1) == 1); /* asleep, until the DPU has done its work */
    printf("host: awake, my memory says %s\n", text);
    fflush(stdout);
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    check_system(write(dpu, "", 1) == 1);
}

/* ---- the DPU ---- */

static struct doca_pe *pe;
static struct doca_dma *dma;
static struct doca_buf_inventory *inventory;
static bool is_done;

static void ended(struct doca_dma_task_memcpy *task, union doca_data task_data,
                  union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
    is_done = true;
}

static doca_error_t copy(struct doca_mmap *to_map, char *to, struct doca_mmap *from_map, char *from,
                         size_t len)
{
    struct doca_dma_task_memcpy *task = NULL;
    struct doca_buf *src = NULL, *dst = NULL;
    doca_error_t rc;

    check(doca_buf_inventory_buf_get_by_data(inventory, from_map, from, len, &src));
    check(doca_buf_inventory_buf_get_by_addr(inventory, to_map, to, len, &dst));
    check(doca_dma_task_memcpy_alloc_init(dma, src, dst, (union doca_data){ 0 }, &task));
    is_done = false;
    check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (!is_done)
        (void)doca_pe_progress(pe);
    rc = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    check(doca_buf_dec_refcount(src, NULL));
    check(doca_buf_dec_refcount(dst, NULL));
    return rc;
}

static void work_on(struct doca_dev *dev, const struct parcel *parcel, int host)
{
    char mine[64] = "", stopped;
    struct doca_mmap *import, *map = map_for(dev, mine, sizeof(mine),
                                             DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    size_t i;

    check_system(parcel->len < sizeof(mine));
    check(doca_mmap_create_from_export(NULL, parcel->desc, parcel->desc_len, dev, &import));
    check(copy(map, mine, import, parcel->addr, parcel->len));
    printf("dpu: fetched %zu bytes: %s\n", parcel->len, mine);
    fflush(stdout);
    for (i = 0; i < parcel->len; i++)
        mine[i] = (char)toupper((unsigned char)mine[i]);
    check(copy(import, parcel->addr, map, mine, parcel->len));
    check_system(write(host, "", 1) == 1);
    check_system(read(host, &stopped, 1) == 1);
    doca_core_log_set_level(DOCA_CORE_LOG_ERROR); /* the next copy is expected to fail */
    printf("dpu: after the host's stop a copy ends with %s\n",
           doca_error_get_name(copy(map, mine, import, parcel->addr, parcel->len)));
    check(doca_mmap_destroy(import));
    check(doca_mmap_destroy(map));
}

static void be_the_dpu(int host)
{
    struct doca_dev *dev = open_function(false);
    struct parcel parcel;
    doca_error_t rc;

    if (recv(host, &parcel, sizeof(parcel), MSG_WAITALL) != (ssize_t)sizeof(parcel))
        exit(77); /* the host's function cannot export */
    check(doca_buf_inventory_create(2, &inventory));
    check(doca_buf_inventory_start(inventory));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, ended, ended, 1));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));
    work_on(dev, &parcel, host);
    rc = doca_ctx_stop(doca_dma_as_ctx(dma)); /* the failed copy may have stopped it */
    check(rc == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : rc);
    while (doca_pe_progress(pe) != 0)
        ;
    check(doca_dma_destroy(dma));
    check(doca_pe_destroy(pe));
    check(doca_buf_inventory_destroy(inventory));
    check(doca_dev_close(dev));
}

int main(void)
{
    int ends[2], status;
    pid_t host;

    check_system(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    host = fork(); /* before there is any device */
    check_system(host >= 0);
    if (host == 0) {
        close(ends[0]);
        be_the_host(ends[1]);
        return EXIT_SUCCESS;
    }
    close(ends[1]);
    be_the_dpu(ends[0]);
    check_system(waitpid(host, &status, 0) == host && status == 0);
    return EXIT_SUCCESS;
}
