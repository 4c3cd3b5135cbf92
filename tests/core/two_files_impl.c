/* The second file of a program of two files. It includes doca_core.h plainly, as other headers
 * would, and then twice with DOCA_CORE_IMPLEMENTATION, which must compile the code once. */
#include "doca_core.h"
#include <stdio.h>

#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"
#include "doca_core.h"

int two_files_other(doca_error_t (*make)(struct doca_pe **));

/* `make` is the address that doca_pe_create() has in the other file. Both files must see the same
 * address when they share one implementation, and different addresses when each file has a static
 * copy (DOCA_CORE_STATIC). */
int two_files_other(doca_error_t (*make)(struct doca_pe **))
{
#ifdef DOCA_CORE_STATIC
    bool wanted = false;
#else
    bool wanted = true;
#endif

    if ((make == doca_pe_create) != wanted) {
        printf("the files %s one library\n", wanted ? "do not share" : "share");
        return 1;
    }
    return 0;
}
