/* The second file of two: plain inclusion first, as through other headers, then the code. */
#include "doca_core.h"
#include <stdio.h>

#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"
#include "doca_core.h"

int two_files_other(doca_error_t (*make)(struct doca_pe **));

/* `make` is doca_pe_create() of the other file. When the files share the implementation, there is
 * one library; when each has a static copy, there are two, which must stay separate. */
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
