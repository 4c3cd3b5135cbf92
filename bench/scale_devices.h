/* Rows of bench_scale.c: more and more open devices, and mmaps with all of them. */
#ifndef BENCH_SCALE_DEVICES_H
#define BENCH_SCALE_DEVICES_H

#include "scale.h"

#define DEVICES 64u /* the most that can be open, and the most that the software topology holds */

static struct {
    struct doca_dev *all[DEVICES];
    struct doca_devinfo **list;
    uint32_t num_listed;
    size_t num;
    struct doca_mmap *map;
    struct bench_copy copy;
    struct doca_pe *pe;
    struct doca_dma *dma;
    unsigned char *data;
} devices;

static void devices_copied(struct doca_dma_task_memcpy *task, union doca_data task_data,
                           union doca_data ctx_data)
{
    (void)task, (void)task_data, (void)ctx_data;
}

/* Make a topology of DEVICES functions, and open `num` of them. */
static void open_devices(size_t num)
{
    static char text[DEVICES * 40];
    size_t i, at = 0;

    memset(&devices, 0, sizeof(devices));
    for (i = 0; i < DEVICES; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%02zx:00.0 side=dpu ib=mlx5_%zu;",
                               i + 1, i);
    text[at - 1] = '\0';
    bench_must(doca_core_sw_set_topology(text));
    bench_must(doca_devinfo_create_list(&devices.list, &devices.num_listed));
    bench_check(devices.num_listed == DEVICES, "the topology is not in force");
    devices.num = num;
    devices.data = bench_pages(4096);
    for (i = 0; i < num; i++)
        bench_must(doca_dev_open(devices.list[i], &devices.all[i]));
}

static void close_devices(size_t num)
{
    size_t i;

    for (i = 0; i < num; i++)
        bench_must(doca_dev_close(devices.all[i]));
    bench_must(doca_devinfo_destroy_list(devices.list));
    scale_drop(devices.data, 4096);
    bench_must(doca_core_sw_set_topology(NULL));
}

static struct doca_mmap *map_for_all(void)
{
    struct doca_mmap *map;
    size_t i;

    bench_must(doca_mmap_create(&map));
    bench_must(doca_mmap_set_memrange(map, devices.data, 4096));
    bench_must(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE |
                                                  DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    bench_must(doca_mmap_set_max_num_devices(map, (uint32_t)devices.num));
    for (i = 0; i < devices.num; i++)
        bench_must(doca_mmap_add_dev(map, devices.all[i]));
    bench_must(doca_mmap_start(map));
    return map;
}

/* Copy with the device that was opened last. `is_shared`: from and to an mmap with all devices. */
static void open_copies(size_t num, bool is_shared)
{
    struct doca_dev *last;

    open_devices(num);
    last = devices.all[num - 1];
    devices.map = is_shared ? map_for_all() : bench_map(last, devices.data, 4096);
    scale.rig.map = devices.map;
    bench_must(doca_buf_inventory_create(2, &scale.rig.inventory));
    bench_must(doca_buf_inventory_start(scale.rig.inventory));
    bench_copy_open(&devices.copy, &scale.rig, devices.map, devices.data, devices.data + 2048,
                    SCALE_ROOM);
    bench_must(doca_pe_create(&devices.pe));
    devices.dma = bench_dma_open(last, devices.pe);
    bench_dma_start(devices.dma, devices_copied, 1);
}

static void open_last(size_t num)
{
    open_copies(num, false);
}

static void open_shared(size_t num)
{
    open_copies(num, true);
}

static void close_copies(size_t num)
{
    bench_must(doca_dma_destroy(devices.dma));
    bench_must(doca_pe_destroy(devices.pe));
    bench_copy_close(&devices.copy);
    bench_must(doca_buf_inventory_destroy(scale.rig.inventory));
    bench_must(doca_mmap_destroy(devices.map));
    close_devices(num);
}

static void run_dev_copy(unsigned long n, const void *arg)
{
    const union doca_data none = { NULL };
    struct doca_dma_task_memcpy *task;

    (void)arg;
    for (; bench_left(n); n--) {
        bench_must(doca_buf_reset_data_len(devices.copy.dst));
        bench_must(doca_dma_task_memcpy_alloc_init(devices.dma, devices.copy.src, devices.copy.dst,
                                                   none, &task));
        bench_must(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
        while (doca_pe_progress(devices.pe) == 0)
            continue;
        doca_task_free(doca_dma_task_memcpy_as_task(task));
    }
}

/* Close the device that was opened first, and open it again. */
static void run_dev_life(unsigned long n, const void *arg)
{
    size_t i;

    (void)arg;
    for (i = 0; bench_left(n); n--) {
        bench_must(doca_dev_close(devices.all[i]));
        bench_must(doca_dev_open(devices.list[i], &devices.all[i]));
        i = i + 1 < devices.num ? i + 1 : 0;
    }
}

/* Create and destroy an mmap with all devices. Each device counts as one operation. */
static void run_dev_mmap(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n -= devices.num)
        bench_must(doca_mmap_destroy(map_for_all()));
}

static void run_dev_export(unsigned long n, const void *arg)
{
    const void *desc;
    size_t bytes;

    (void)arg;
    for (; bench_left(n); n--)
        bench_must(doca_mmap_export_pci(devices.map, devices.all[devices.num - 1], &desc, &bytes));
}

/* Export through each device; run_dev_export() then finds the export again. */
static void open_exports(size_t num)
{
    const void *desc;
    size_t i, bytes;

    open_shared(num);
    for (i = num; i > 0; i--)
        bench_must(doca_mmap_export_pci(devices.map, devices.all[i - 1], &desc, &bytes));
}

/* Limit of the rows whose bufs are not of the first seven devices: only these devices have a flag
 * in their bufs. */
#define FLAGLESS                                                                                   \
    .flat = 1.5, .grows =                                                                          \
                     "only 7 devices have a flag in their bufs; for further devices, and for an "  \
                     "mmap with several, a copy looks at the mmap"
#define DEVICE_ROW .x = "devices", .factor = 2, .max = DEVICES, .smoke_max = DEVICES

static const struct scale_row scale_device_rows[] = {
    { .work = "dev_copy",
      .title = "64 B task with bufs on the device that was opened last",
      DEVICE_ROW,
      .open = open_last,
      .close = close_copies,
      .run = run_dev_copy,
      FLAGLESS },
    { .work = "dev_shared",
      .title = "64 B task with bufs of an mmap that has all devices",
      DEVICE_ROW,
      .open = open_shared,
      .close = close_copies,
      .run = run_dev_copy,
      FLAGLESS },
    { .work = "dev_life",
      .title = "close a device and open it again",
      DEVICE_ROW,
      .open = open_devices,
      .close = close_devices,
      .run = run_dev_life },
    { .work = "dev_mmap",
      .title = "create, start and destroy an mmap with all devices, per device",
      DEVICE_ROW,
      .open = open_devices,
      .close = close_devices,
      .run = run_dev_mmap,
      .is_per_object = true },
    { .work = "dev_export",
      .title = "export again an mmap that all devices have exported",
      DEVICE_ROW,
      .open = open_exports,
      .close = close_copies,
      .run = run_dev_export,
      .flat = 7,
      .grows = "an mmap keeps its devices and its exports in lists, of at most 64 devices" },
};

#endif
