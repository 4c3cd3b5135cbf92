/* Helpers of the suites of memory maps: mmaps on devices, and a backend that records registrations
 * and can refuse them. */
#ifndef MMAP_SUPPORT_H
#define MMAP_SUPPORT_H

#include "buffers.h"

#include <sys/mman.h>

#define NUM_FAKE (DOCA_CORE_MMAP_DEVS + 3u) /* devices for which an mmap needs a second block */

static DOCA_CORE_ALIGNED unsigned char memory[4096];

static struct {
    uint32_t accepts; /* registrations to accept before the next one is refused */
    uint32_t num_live; /* registrations not yet deregistered */
    uint32_t num_regs; /* registrations so far; their mkeys are 1 to num_regs */
    struct {
        struct doca_dev *dev; /* NULL after dereg */
        void *addr;
        size_t len;
        uint32_t access;
    } reg[256];
} fake;

static inline uint32_t fake_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t i;

    for (i = 0; i < NUM_FAKE && i < max; i++) {
        memset(&attrs[i], 0, sizeof(attrs[i]));
        snprintf(attrs[i].pci_addr, sizeof(attrs[i].pci_addr), "0000:40:%02x.0", i & 0x1fu);
        snprintf(attrs[i].ibdev_name, sizeof(attrs[i].ibdev_name), "fake_%u", i);
    }
    return NUM_FAKE;
}

static inline doca_error_t fake_reg(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                                    uint32_t *mkey)
{
    if (fake.accepts == 0)
        return DOCA_ERROR_DRIVER;
    fake.accepts--;
    fake.num_live++;
    *mkey = ++fake.num_regs;
    CHECK(*mkey < sizeof(fake.reg) / sizeof(fake.reg[0]));
    fake.reg[*mkey].dev = dev;
    fake.reg[*mkey].addr = addr;
    fake.reg[*mkey].len = len;
    fake.reg[*mkey].access = access;
    return DOCA_SUCCESS;
}

static inline void fake_dereg(struct doca_dev *dev, uint32_t mkey)
{
    CHECK(mkey >= 1 && mkey <= fake.num_regs);
    CHECK_PTR(fake.reg[mkey].dev, dev);
    fake.reg[mkey].dev = NULL;
    fake.num_live--;
}

static inline size_t fake_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                      uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return sizeof(struct doca_core_queue);
}

static inline doca_error_t fake_queue_open(struct doca_core_queue *queue,
                                           enum doca_core_engine engine, uint32_t depth)
{
    (void)queue;
    (void)engine;
    (void)depth;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static inline void fake_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    (void)queue;
    (void)status;
}

static inline bool fake_queue_ready(struct doca_core_queue *queue)
{
    (void)queue;
    return false;
}

static const struct doca_core_backend fake_backend = {
    .name = "fake",
    .enumerate = fake_enumerate,
    .reg = fake_reg,
    .dereg = fake_dereg,
    .queue_bytes = fake_queue_bytes,
    .queue_open = fake_queue_open,
    .queue_flush = fake_queue_flush,
    .queue_ready = fake_queue_ready,
};

/* Open the first `num` devices whose ibdev names begin with `ibdev_prefix`. */
static inline void open_devs(const char *ibdev_prefix, struct doca_dev **devs, uint32_t num)
{
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    struct doca_devinfo **list;
    uint32_t i, num_devs, found = 0;

    CHECK_OK(doca_devinfo_create_list(&list, &num_devs));
    for (i = 0; i < num_devs && found < num; i++) {
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)));
        if (strncmp(name, ibdev_prefix, strlen(ibdev_prefix)) == 0)
            CHECK_OK(doca_dev_open(list[i], &devs[found++]));
    }
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_EQ(found, num);
}

static inline void close_devs(struct doca_dev **devs, uint32_t num)
{
    while (num > 0)
        CHECK_OK(doca_dev_close(devs[--num]));
}

static inline void open_fakes(struct doca_dev **devs, uint32_t num)
{
    memset(&fake, 0, sizeof(fake));
    fake.accepts = UINT32_MAX;
    CHECK_OK(doca_core_backend_register(&fake_backend));
    open_devs("fake_", devs, num);
}

static inline void close_fakes(struct doca_dev **devs, uint32_t num)
{
    close_devs(devs, num);
    CHECK_EQ(fake.num_live, 0);
    CHECK_OK(doca_core_backend_unregister(fake_backend.name));
}

/* Return a stopped mmap over `memory` with these devices. */
static inline struct doca_mmap *mmap_on(struct doca_dev **devs, uint32_t num)
{
    struct doca_mmap *mmap;
    uint32_t i;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    if (num > DOCA_CORE_MMAP_DEVS)
        CHECK_OK(doca_mmap_set_max_num_devices(mmap, num));
    for (i = 0; i < num; i++)
        CHECK_OK(doca_mmap_add_dev(mmap, devs[i]));
    return mmap;
}

static inline size_t bytes_used(void)
{
    size_t used;

    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
    return used;
}

#endif
