/* Send a file from the host to the DPU, which fetches it by DMA from the memory of the host. */
#ifndef REMOTE_COPY_H_
#define REMOTE_COPY_H_

#include <stdbool.h>

#include <doca_dev.h>
#include <doca_error.h>

#define MAX_PATH_SIZE 256

struct remote_copy_config {
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char file_path[MAX_PATH_SIZE];       /* file that the host sends and the DPU writes */
    char descriptor_path[MAX_PATH_SIZE]; /* export descriptor of the memory map */
    char buffer_path[MAX_PATH_SIZE];     /* address and length of the buffer, as text */
};

#ifdef DOCA_ARCH_DPU
doca_error_t remote_copy_dpu(const struct remote_copy_config *conf);
#else
doca_error_t remote_copy_host(const struct remote_copy_config *conf);
#endif

/* Read a whole file into memory that is allocated with malloc(). */
doca_error_t read_file(const char *path, void **data, size_t *len);

doca_error_t write_file(const char *path, const void *data, size_t len);

#endif /* REMOTE_COPY_H_ */
