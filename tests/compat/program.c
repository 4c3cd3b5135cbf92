/* A small program for the vendor's SDK. It uses the SDK's headers, log and argument parser, and
 * makes one copy. It prints its findings for the script that built it, and with -q nothing else:
 *
 *     version 2.5.1000, library 2.5.1000
 *     9 devices, the first 0000:03:00.0
 *     copied */
#include <doca_argp.h>
#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_version.h>

DOCA_LOG_REGISTER(PROGRAM::MAIN);

static char memory[4096] = "a text";

static void check(doca_error_t rc, const char *what)
{
    if (rc == DOCA_SUCCESS)
        return;
    DOCA_LOG_ERR("%s: %s", what, doca_error_get_descr(rc));
    exit(EXIT_FAILURE);
}

#define CHECK(call) check(call, #call)

static void copied(struct doca_dma_task_memcpy *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    (void)ctx_data;
    *(doca_error_t *)task_data.ptr = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static struct doca_dev *open_first(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    uint32_t num;

    CHECK(doca_devinfo_create_list(&list, &num));
    CHECK(doca_devinfo_get_pci_addr_str(list[0], pci_addr));
    CHECK(doca_dev_open(list[0], &dev));
    CHECK(doca_devinfo_destroy_list(list));
    printf("%" PRIu32 " devices, the first %s\n", num, pci_addr);
    return dev;
}

static void copy(struct doca_dev *dev)
{
    struct doca_mmap *map;
    struct doca_buf_inventory *inventory;
    struct doca_buf *src, *dst;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_dma_task_memcpy *task;
    doca_error_t status = DOCA_ERROR_IN_PROGRESS;
    union doca_data data;

    data.ptr = &status;
    CHECK(doca_mmap_create(&map));
    CHECK(doca_mmap_set_memrange(map, memory, sizeof(memory)));
    CHECK(doca_mmap_add_dev(map, dev));
    CHECK(doca_mmap_start(map));
    CHECK(doca_buf_inventory_create(2, &inventory));
    CHECK(doca_buf_inventory_start(inventory));
    CHECK(doca_buf_inventory_buf_get_by_data(inventory, map, memory, 64, &src));
    CHECK(doca_buf_inventory_buf_get_by_addr(inventory, map, memory + 64, 64, &dst));
    CHECK(doca_pe_create(&pe));
    CHECK(doca_dma_create(dev, &dma));
    CHECK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    CHECK(doca_dma_task_memcpy_set_conf(dma, copied, copied, 1));
    CHECK(doca_ctx_start(doca_dma_as_ctx(dma)));
    CHECK(doca_dma_task_memcpy_alloc_init(dma, src, dst, data, &task));
    CHECK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (status == DOCA_ERROR_IN_PROGRESS)
        (void)doca_pe_progress(pe);
    CHECK(status);
    CHECK(doca_ctx_stop(doca_dma_as_ctx(dma)));
    CHECK(doca_dma_destroy(dma));
    CHECK(doca_pe_destroy(pe));
    CHECK(doca_buf_dec_refcount(src, NULL));
    CHECK(doca_buf_dec_refcount(dst, NULL));
    CHECK(doca_buf_inventory_destroy(inventory));
    CHECK(doca_mmap_destroy(map));
    printf(strcmp(memory, memory + 64) == 0 ? "copied\n" : "not copied\n");
}

/* Check the static arena of the library. A block of almost 1 GiB can be taken from it, and takes no
 * physical memory before it is written. An inventory of a million buffers fits. */
static void check_arena(void)
{
    const size_t bytes = sizeof(void *) < 8 ? (size_t)200 << 20 : (size_t)960 << 20;
    struct doca_core_arena *arena = doca_core_arena_bound();
    FILE *status = fopen("/proc/self/statm", "r");
    struct doca_buf_inventory *inventory;
    unsigned long size = 0, resident = 0;
    void *block;

    CHECK(doca_core_arena_take(arena, bytes, &block));
    if (status == NULL || fscanf(status, "%lu %lu", &size, &resident) != 2)
        printf("no /proc/self/statm\n");
    else if (resident > 16384)
        printf("%lu pages are in use\n", resident);
    if (status != NULL)
        (void)fclose(status);
    CHECK(doca_core_arena_give(arena, block));
    CHECK(doca_buf_inventory_create(1000000, &inventory));
    CHECK(doca_buf_inventory_destroy(inventory));
}

static doca_error_t set_quiet(void *value, void *config)
{
    *(bool *)config = *(bool *)value;
    return DOCA_SUCCESS;
}

static void read_flags(int argc, char **argv, bool *is_quiet)
{
    struct doca_argp_param *quiet;

    CHECK(doca_argp_init("program", is_quiet));
    CHECK(doca_argp_param_create(&quiet));
    doca_argp_param_set_short_name(quiet, "q");
    doca_argp_param_set_long_name(quiet, "quiet");
    doca_argp_param_set_description(quiet, "print only the findings");
    doca_argp_param_set_callback(quiet, set_quiet);
    doca_argp_param_set_type(quiet, DOCA_ARGP_TYPE_BOOLEAN);
    CHECK(doca_argp_register_param(quiet));
    CHECK(doca_argp_start(argc, argv));
}

int main(int argc, char **argv)
{
    struct doca_log_backend *sdk_log;
    struct doca_dev *dev;
    bool is_quiet = false;

    CHECK(doca_log_backend_create_standard());
    CHECK(doca_log_backend_create_with_file_sdk(stderr, &sdk_log));
    CHECK(doca_log_backend_set_sdk_level(sdk_log, DOCA_LOG_LEVEL_WARNING));
    read_flags(argc, argv, &is_quiet);
    if (!is_quiet)
        DOCA_LOG_INFO("the log works");
    printf("version %s, library %s\n", doca_version(), doca_version_runtime());
    dev = open_first();
    copy(dev);
    CHECK(doca_dev_close(dev));
    check_arena();
    CHECK(doca_argp_destroy());
    return EXIT_SUCCESS;
}
