/* Configuration of the program, and the entry of the sample. */
#ifndef PROCESS_LIST_H_
#define PROCESS_LIST_H_

#include <stdbool.h>

#include <doca_dev.h>
#include <doca_error.h>

#define MAX_PATH_SIZE 256

struct process_list_config {
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE]; /* of the device that reads the memory */
    char vuid[DOCA_DEVINFO_REP_VUID_SIZE];     /* of the target's function; empty: the first one */
    char symbol_map[MAX_PATH_SIZE];            /* paths of files; empty: not set */
    char memory_regions[MAX_PATH_SIZE];
    int pid; /* Threads and areas of this process are listed; 0: of no process. */
};

/* Print the processes of the target, and the threads and areas of one of them. */
doca_error_t process_list(const struct process_list_config *conf);

#endif /* PROCESS_LIST_H_ */
