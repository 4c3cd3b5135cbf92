/* Checks the side (host or DPU) of a process, which the macros DOCA_ARCH_DPU and DOCA_ARCH_HOST
 * choose when the implementation is compiled. The program is built once for each side.
 *
 * usage: side PCI_ADDRESS NUM, the expected address of the first device in the list, and the
 * expected number of further devices */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct doca_devinfo **list;
    char first[DOCA_DEVINFO_PCI_ADDR_SIZE] = "";
    uint32_t num = 0;

    if (argc != 3 || doca_devinfo_create_list(&list, &num) != DOCA_SUCCESS)
        return 2;
    (void)doca_devinfo_get_pci_addr_str(list[0], first);
    printf("%s and %u more, wanted %s and %s more\n", first, (unsigned)num - 1, argv[1], argv[2]);
    if (strcmp(first, argv[1]) != 0 || (unsigned)(argv[2][0] - '0') != num - 1)
        return 1;
    return doca_devinfo_destroy_list(list) != DOCA_SUCCESS;
}
