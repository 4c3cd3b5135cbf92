/* Lets a test program run on the devices of another backend. When the implementation file of the
 * program defines test_other_backend, the devices of that backend replace the software devices. */
#ifndef OTHER_BACKEND_H
#define OTHER_BACKEND_H

#include "doca_core.h"

#include <stdlib.h>
#include <string.h>

struct test_backend {
    const char *name;
    uint32_t num_devs;  /* number of devices of the machine */
    char pci_addrs[2][DOCA_DEVINFO_PCI_ADDR_SIZE]; /* addresses of the first two devices */
    bool has_card;      /* the devices are functions of a card and can use each other's memory */
    size_t bytes_reg;   /* bytes that a started mmap takes from the arena of each device */
    size_t (*bytes_dma)(size_t num_tasks); /* bytes that a DMA context takes from its arena */
    void (*show)(void); /* list only this backend's devices; undoes changes of the previous case */
};
extern struct test_backend test_other_backend __attribute__((weak));

/* Return the other backend, or NULL when the tests run on the software devices. */
static inline const struct test_backend *test_other(void)
{
    /* a weak symbol: its address is NULL when no file of the program defines it */
    const struct test_backend *volatile other = &test_other_backend;

    return other;
}

/* Return the number of devices in a device list, before a case adds devices. */
static inline uint32_t test_num_devs(void)
{
    return test_other() != NULL ? test_other()->num_devs : DOCA_CORE_SW_DEFAULT_DEVS;
}

/* Return the PCI address of the first device (index 0) or the second device (index 1). */
static inline const char *test_pci_addr(unsigned index)
{
    static const char *const of_software[2] = { "0000:03:00.0", "0000:03:00.1" };

    return test_other() != NULL ? test_other()->pci_addrs[index] : of_software[index];
}

/* Return that PCI address in its shortest form: without the domain if the domain is 0000. */
static inline const char *test_pci_addr_short(unsigned index)
{
    const char *addr = test_pci_addr(index);

    return memcmp(addr, "0000:", 5) == 0 ? addr + 5 : addr;
}

/* Return the bytes that a DMA context takes from its arena. */
static inline size_t test_bytes_dma(size_t num_tasks)
{
    return test_other() != NULL ? test_other()->bytes_dma(num_tasks)
                                : DOCA_CORE_BYTES_DMA(num_tasks);
}

/* TEST_MOST_BUFS: the largest number of buffers that an inventory or pool can be created with.
 * TEST_STOCKED(num): the number of buffers for which an inventory or pool of `num` buffers takes
 * memory; in the checked mode the quarantine needs more buffers. TEST_TASK_BYTES: the size of a
 * task with buffers. */
#define TEST_MOST_BUFS                                                                             \
    (DOCA_CORE_CHECK >= 2 ? (1 << 27) - 1 - DOCA_CORE_CHECK_LIVES : (1 << 28) - 1)
#define TEST_STOCKED(num) ((size_t)(num) + (DOCA_CORE_CHECK >= 2 ? DOCA_CORE_CHECK_LIVES : 0))
#define TEST_TASK_BYTES ((DOCA_CORE_CHECK >= 2 ? 2 : 1) * (size_t)DOCA_CORE_LINE)

/* An upper limit for the bytes that a DMA context of up to 128 tasks takes from its arena, on any
 * backend. The last term is for rings, which take whole pages. */
#define TEST_BYTES_DMA(num_tasks)                                                                  \
    (DOCA_CORE_BYTES_DMA(num_tasks) + (size_t)(8 + (num_tasks)) * DOCA_CORE_LINE +                 \
     (size_t)4 * 65536)

/* Return the bytes that a started mmap takes from the arena of each device. */
static inline size_t test_bytes_reg(void)
{
    return test_other() != NULL ? test_other()->bytes_reg : 0;
}

/* Restore the device list with which every case begins. */
static inline void test_show_devices(void)
{
    if (test_other() != NULL)
        test_other()->show();
    else
        (void)doca_core_sw_set_devices(NULL, 0);
}

/* Return how often a test should repeat a step: `times`, or with DOCA_TEST_PART=N only `times` / N.
 * The tests on the emulated device set DOCA_TEST_PART, because that device is slow. */
static inline unsigned test_times(unsigned times)
{
    const char *part = getenv("DOCA_TEST_PART");

    return part != NULL && atoi(part) > 1 ? times / (unsigned)atoi(part) : times;
}

#endif
