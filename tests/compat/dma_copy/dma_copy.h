#ifndef DMA_COPY_H_
#define DMA_COPY_H_

#include <stdbool.h>

#include <doca_dev.h>

#define MAX_TEXT_SIZE 64 /* in bytes, including NUL */
#define MAX_NUM_TASKS 32

struct dma_copy_config {
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char text[MAX_TEXT_SIZE];
    int num_tasks;
    int room; /* size of each destination in bytes */
    bool show_caps;
};

doca_error_t dma_copy(const struct dma_copy_config *conf);

#endif /* DMA_COPY_H_ */
