/* ---- >>impl.apsh.module ----------------------------------------------------------------------
 * The list of modules: the ring at the symbol `modules`. From Linux 6.4 on, a module has an array
 * with the sizes of its parts. Before 6.4, it has two sizes: of the memory that it keeps, and of
 * the memory that only its initialization needs.                                                */
#include "compat/apsh/module_priv.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/object.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/snapshot_priv.h"
#include "compat/apsh/walk_priv.h"

#define DOCA_PRIV_APSH_MODULE_NAME 56u  /* bytes of the name of a module */
#define DOCA_PRIV_APSH_MODULE_PARTS 64 /* maximum number of parts of a module */

DOCA_PRIV_APSH_ASSERT(module_has_its_size,
                      sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                              3 * sizeof(uintptr_t) + DOCA_PRIV_APSH_MODULE_NAME + 1 ==
                          DOCA_PRIV_APSH_MODULE_BYTES)

/* True when modules have an array of parts. */
static bool doca_priv_apsh_has_parts(const struct doca_priv_apsh_kernel *kernel)
{
    return doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MODULE_MEM) &&
           doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MODULE_MEM_NUM) &&
           doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MODULE_MEM_SIZE) &&
           doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MODULE_MEM_BYTES) &&
           kernel->offsets[DOCA_PRIV_APSH_MODULE_MEM_NUM] <= DOCA_PRIV_APSH_MODULE_PARTS;
}

/* Sum up the sizes of the parts of a module. */
static doca_error_t doca_priv_apsh_module_size(struct doca_priv_apsh_kernel *kernel,
                                               uint64_t module, uint64_t *size)
{
    const uint64_t step = (uint64_t)kernel->offsets[DOCA_PRIV_APSH_MODULE_MEM_BYTES];
    uint64_t part = doca_priv_apsh_in(kernel, module, DOCA_PRIV_APSH_MODULE_MEM);
    uint32_t bytes = 0;
    doca_error_t rc = DOCA_SUCCESS;
    int32_t i;

    *size = 0;
    if (!doca_priv_apsh_has_parts(kernel)) {
        rc = doca_priv_apsh_get_32(kernel, module, DOCA_PRIV_APSH_MODULE_CORE, &bytes);
        *size = bytes;
        if (rc == DOCA_SUCCESS && doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MODULE_INIT))
            rc = doca_priv_apsh_get_32(kernel, module, DOCA_PRIV_APSH_MODULE_INIT, &bytes);
        else
            bytes = 0;
        *size += bytes;
        return rc;
    }
    for (i = 0; i < kernel->offsets[DOCA_PRIV_APSH_MODULE_MEM_NUM] && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_get_32(kernel, part, DOCA_PRIV_APSH_MODULE_MEM_SIZE, &bytes);
        *size += bytes;
        part += step;
    }
    return rc;
}

/* Add a module to the snapshot. */
static doca_error_t doca_priv_apsh_add_module(struct doca_priv_apsh_list *list, uint64_t module)
{
    struct doca_priv_apsh_element *element;
    char name[DOCA_PRIV_APSH_MODULE_NAME + 1];
    uint64_t size = 0;
    doca_error_t rc = doca_priv_apsh_module_size(list->kernel, module, &size);

    memset(name, 0, sizeof(name));
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read(list->kernel,
                                 doca_priv_apsh_in(list->kernel, module,
                                                   DOCA_PRIV_APSH_MODULE_NAME_AT),
                                 name, DOCA_PRIV_APSH_MODULE_NAME);
    if (rc != DOCA_SUCCESS)
        return rc;
    element = doca_priv_apsh_snapshot_add(list->snapshot, module);
    doca_priv_apsh_set(element, DOCA_APSH_MODULES_OFFSET, module);
    doca_priv_apsh_set(element, DOCA_APSH_MODULES_NAME, doca_priv_apsh_list_text(list, name));
    doca_priv_apsh_set(element, DOCA_APSH_MODULES_SIZE, size < UINT32_MAX ? size : UINT32_MAX);
    return DOCA_SUCCESS;
}

/* Read the list once: count the modules, and then read them. */
static doca_error_t doca_priv_apsh_read_modules(struct doca_priv_apsh_list *list)
{
    static const uint8_t members[] = { DOCA_PRIV_APSH_MODULE_LIST, DOCA_PRIV_APSH_MODULE_NAME_AT,
                                       DOCA_PRIV_APSH_MODULE_CORE, DOCA_PRIV_APSH_MODULE_MEM };
    struct doca_priv_apsh_ring ring;
    uint64_t module = 0;
    uint32_t num = 0, i;
    doca_error_t rc;

    ring.head = list->kernel->symbols[DOCA_PRIV_APSH_MODULE_RING];
    ring.link = DOCA_PRIV_APSH_MODULE_LIST;
    ring.members = members;
    ring.num_members = sizeof(members);
    rc = doca_priv_apsh_ring_count(list->kernel, &ring, list->limit, &num);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_MODULES, num,
                                          num * (size_t)(DOCA_PRIV_APSH_MODULE_NAME + 1),
                                          &list->snapshot);
    for (i = 0; i < num && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_ring_next(list->kernel, &ring, &module);
        if (rc == DOCA_SUCCESS)
            rc = module != 0 ? doca_priv_apsh_add_module(list, module) : DOCA_ERROR_NOT_FOUND;
    }
    return rc;
}

/* Read the list of modules. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_modules(struct doca_apsh_system *system,
                                                   struct doca_priv_apsh_snapshot **snapshot,
                                                   const char *function)
{
    static const uint8_t needed[] = { DOCA_PRIV_APSH_MODULE_LIST, DOCA_PRIV_APSH_MODULE_NAME_AT };
    static const uint8_t size[] = { DOCA_PRIV_APSH_MODULE_CORE };
    struct doca_priv_apsh_list list;
    doca_error_t rc;

    doca_priv_apsh_list_begin(&list, system, NULL, DOCA_APSH_MODULES_LIMIT);
    if (list.kernel->symbols[DOCA_PRIV_APSH_MODULE_RING] == 0)
        return doca_priv_apsh_lacks("the symbol modules", function);
    rc = doca_priv_apsh_need(list.kernel, needed, sizeof(needed), function);
    if (rc == DOCA_SUCCESS && !doca_priv_apsh_has_parts(list.kernel))
        rc = doca_priv_apsh_need(list.kernel, size, sizeof(size), function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_list_read(&list, doca_priv_apsh_read_modules, function);
    *snapshot = list.snapshot;
    return rc;
}
