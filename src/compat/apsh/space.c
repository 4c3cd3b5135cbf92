/* ---- >>impl.apsh.space -----------------------------------------------------------------------
 * The address space of a process, and the memory in it.                                         */
#include "compat/apsh/space_priv.h"

#include "compat/apsh/area_priv.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/walk_priv.h"

/* Check that the kernel has the members that address spaces need. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_need(const struct doca_priv_apsh_kernel *kernel,
                                                      const char *function)
{
    static const uint8_t needed[] = { DOCA_PRIV_APSH_TASK_MM, DOCA_PRIV_APSH_MM_PGD };

    return doca_priv_apsh_need(kernel, needed, sizeof(needed), function);
}

/* Get the address space of the process of a list: the address of the kernel's structure (0 for a
 * thread of the kernel), and the physical address of the page directory. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_get(struct doca_priv_apsh_list *list,
                                                     uint64_t *mm, uint64_t *root)
{
    uint64_t directory = 0;
    doca_error_t rc = doca_priv_apsh_areas_space(list, mm);

    *root = 0;
    if (rc != DOCA_SUCCESS || *mm == 0)
        return rc;
    rc = doca_priv_apsh_get_64(list->kernel, *mm, DOCA_PRIV_APSH_MM_PGD, &directory);
    return rc == DOCA_SUCCESS ? doca_priv_apsh_translate(list->kernel, directory, root) : rc;
}

/* Check, without the cache, that the process still exists and has this address space. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_check(struct doca_priv_apsh_list *list,
                                                       uint64_t mm)
{
    uint64_t latest = 0;
    doca_error_t rc;

    doca_priv_apsh_mem_drop(&list->kernel->mem);
    rc = doca_priv_apsh_areas_space(list, &latest);
    return rc == DOCA_SUCCESS && latest != mm ? DOCA_ERROR_NOT_FOUND : rc;
}

/* Read memory of the process with the page directory at `root`. NOT_FOUND: a part of it is not in
 * memory. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_read(struct doca_priv_apsh_list *list,
                                                      uint64_t root, uint64_t addr, void *to,
                                                      size_t len)
{
    struct doca_priv_apsh_kernel *kernel = list->kernel;
    unsigned char *out = (unsigned char *)to;
    uint64_t physical = 0;
    doca_error_t rc = DOCA_SUCCESS;
    size_t n;

    for (; len > 0 && rc == DOCA_SUCCESS; addr += n, out += n, len -= n) {
        n = DOCA_PRIV_APSH_PAGE - (size_t)(addr % DOCA_PRIV_APSH_PAGE);
        n = n < len ? n : len;
        rc = doca_priv_apsh_walk(kernel, root, addr, &physical);
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_apsh_mem_read(&kernel->mem, physical, out, n);
    }
    return rc;
}
