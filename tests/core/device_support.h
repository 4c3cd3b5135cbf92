/* Helpers of the suites of devices: lists of one device of a table, and the search for a device. */
#ifndef DEVICE_SUPPORT_H
#define DEVICE_SUPPORT_H

#include "doca_test.h"

static inline struct doca_core_dev_attr attr_at(const char *pci_addr)
{
    struct doca_core_dev_attr attr;

    memset(&attr, 0, sizeof(attr));
    CHECK_OK(doca_core_sw_profile("unlimited", &attr.limits));
    memcpy(attr.pci_addr, pci_addr, sizeof(attr.pci_addr));
    return attr;
}

static inline struct doca_devinfo *find(struct doca_devinfo **list, uint32_t n,
                                        const char *pci_addr)
{
    uint32_t i;
    uint8_t is_equal = 0;

    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &is_equal));
        if (is_equal)
            return list[i];
    }
    test_fail(__FILE__, __LINE__, "no device at %s", pci_addr);
}

static inline void destroy_list_of_one(struct doca_devinfo **list)
{
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static inline struct doca_dev *open_at(const char *pci_addr)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t n;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_dev_open(find(list, n, pci_addr), &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    return dev;
}

static unsigned num_calls_back;

/* A log sink that calls the library, and opens the device `user` unless that is NULL. Programs must
 * not call the library from a sink. This one shows whether the library holds a lock when it calls
 * the sink: its calls would then never return. */
static inline void call_back(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    static bool is_calling_back;
    struct doca_devinfo **list, *openable = user;
    struct doca_dev *dev;
    uint32_t n;

    (void)level;
    (void)item;
    (void)line;
    if (is_calling_back)
        return;
    is_calling_back = true;
    if (doca_devinfo_create_list(&list, &n) == DOCA_SUCCESS)
        (void)doca_devinfo_destroy_list(list);
    if (openable != NULL && doca_dev_open(openable, &dev) == DOCA_SUCCESS)
        (void)doca_dev_close(dev);
    is_calling_back = false;
    num_calls_back++;
}

#endif
