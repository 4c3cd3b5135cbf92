/* Devices of another backend in the place of the software devices, in programs whose implementation
 * file defines test_other_backend. */
#ifndef OTHER_BACKEND_H
#define OTHER_BACKEND_H

#include "doca_core.h"

#include <stdlib.h>
#include <string.h>

struct test_backend {
    const char *name;
    uint32_t num_devs;  /* that are on the machine */
    char pci_addrs[2][DOCA_DEVINFO_PCI_ADDR_SIZE]; /* of the first two devices */
    bool has_card;      /* the devices are functions of a card and can use each other's memory */
    size_t bytes_reg;   /* bytes that a started mmap takes from the arena of each device */
    size_t (*bytes_dma)(size_t num_tasks); /* bytes that a DMA context takes by the backend's own
                                            * answer */
    void (*show)(void); /* show its devices only, whatever the case before changed */
};
extern struct test_backend test_other_backend __attribute__((weak));

/* NULL: the devices are the software devices. */
static inline const struct test_backend *test_other(void)
{
    /* NULL where it is not linked */
    const struct test_backend *volatile other = &test_other_backend;

    return other;
}

/* How many devices a list has that no case has added to. */
static inline uint32_t test_num_devs(void)
{
    return test_other() != NULL ? test_other()->num_devs : DOCA_CORE_SW_DEFAULT_DEVS;
}

/* The PCI address of the first device, or of the second one. */
static inline const char *test_pci_addr(unsigned index)
{
    static const char *const of_software[2] = { "0000:03:00.0", "0000:03:00.1" };

    return test_other() != NULL ? test_other()->pci_addrs[index] : of_software[index];
}

/* The same as short as it may be. */
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

/* The largest number of elements of a stock; the number of elements of a stock of which `num` can
 * be taken at a time (more in the checked mode, whose quarantine holds some); and the bytes of a
 * task with buffers, which are more in the checked mode. */
#define TEST_MOST_BUFS                                                                             \
    (DOCA_CORE_CHECK >= 2 ? (1 << 27) - 1 - DOCA_CORE_CHECK_LIVES : (1 << 28) - 1)
#define TEST_STOCKED(num) ((size_t)(num) + (DOCA_CORE_CHECK >= 2 ? DOCA_CORE_CHECK_LIVES : 0))
#define TEST_TASK_BYTES ((DOCA_CORE_CHECK >= 2 ? 2 : 1) * (size_t)DOCA_CORE_LINE)

/* At least what a DMA context of up to 128 tasks takes of its arena, whatever the backend: rings
 * are on pages. */
#define TEST_BYTES_DMA(num_tasks)                                                                  \
    (DOCA_CORE_BYTES_DMA(num_tasks) + (size_t)(8 + (num_tasks)) * DOCA_CORE_LINE +                 \
     (size_t)4 * 65536)

/* Bytes that a started mmap takes of the arena of each device. */
static inline size_t test_bytes_reg(void)
{
    return test_other() != NULL ? test_other()->bytes_reg : 0;
}

/* Back to the devices that every case begins with. */
static inline void test_show_devices(void)
{
    if (test_other() != NULL)
        test_other()->show();
    else
        (void)doca_core_sw_set_devices(NULL, 0);
}

/* How often to do what the software device does `times` times: as often, or the part of it that
 * DOCA_TEST_PART names, for devices with calls to an operating system. */
static inline unsigned test_times(unsigned times)
{
    const char *part = getenv("DOCA_TEST_PART");

    return part != NULL && atoi(part) > 1 ? times / (unsigned)atoi(part) : times;
}

#endif
