/* ---- >>impl.apsh.vad -------------------------------------------------------------------------
 * The list of the memory areas of a process. Neighbouring areas of one file share the string of the
 * path.                                                                                         */
#include "compat/apsh/vad_priv.h"

#include "compat/apsh/area_priv.h"
#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/path_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/snapshot_priv.h"

DOCA_PRIV_APSH_ASSERT(vad_has_its_size, sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                                                7 * sizeof(uintptr_t) + 5 ==
                                            DOCA_PRIV_APSH_VAD_BYTES)

/* A pass over the areas. It counts them if there is no snapshot yet; otherwise it adds them to
 * it. */
struct doca_priv_apsh_pass {
    struct doca_priv_apsh_areas areas;
    struct doca_priv_apsh_path path;
    uint64_t file;       /* file of the latest path */
    const char *text;    /* latest path in the snapshot; NULL: not yet copied */
    const char *name;    /* name of the process, a string of the snapshot */
    uint32_t num;        /* number of areas */
    size_t path_bytes;   /* sum of the lengths of all paths */
};

/* Add an area to the snapshot. `path`: a string of the snapshot, or "". */
static doca_error_t doca_priv_apsh_add_vad(struct doca_priv_apsh_list *list,
                                           const struct doca_priv_apsh_area *area,
                                           const char *name, const char *path)
{
    struct doca_priv_apsh_element *element;
    char protection[DOCA_PRIV_APSH_LETTERS];

    doca_priv_apsh_area_letters(area, protection);
    element = doca_priv_apsh_snapshot_add(list->snapshot, area->at);
    doca_priv_apsh_set(element, DOCA_APSH_VMA_PID,
                       doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_PID));
    doca_priv_apsh_set(element, DOCA_APSH_VMA_OFFSET, area->at);
    doca_priv_apsh_set(element, DOCA_APSH_VMA_PROTECTION,
                       doca_priv_apsh_list_text(list, protection));
    doca_priv_apsh_set(element, DOCA_APSH_VMA_VM_START, area->start);
    doca_priv_apsh_set(element, DOCA_APSH_VMA_VM_END, area->end);
    doca_priv_apsh_set(element, DOCA_APSH_VMA_PROCESS_NAME, (uintptr_t)name);
    doca_priv_apsh_set(element, DOCA_APSH_VMA_FILE_PATH, (uintptr_t)path);
    return DOCA_SUCCESS;
}

/* Read the path of the file of an area, unless the area before has the same file. */
static doca_error_t doca_priv_apsh_pass_path(struct doca_priv_apsh_list *list,
                                             struct doca_priv_apsh_pass *pass, uint64_t file)
{
    struct doca_priv_apsh_location place;
    doca_error_t rc;

    if (file == pass->file)
        return DOCA_SUCCESS;
    pass->file = file;
    pass->text = "";
    if (file == 0)
        return DOCA_SUCCESS;
    rc = doca_priv_apsh_path_place(list->kernel, file, &place);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_path_read(list, place, &pass->path);
    if (rc != DOCA_SUCCESS)
        return rc;
    pass->path_bytes += doca_priv_apsh_path_bytes(&pass->path);
    if (list->snapshot == NULL)
        return DOCA_SUCCESS;
    pass->text = doca_priv_apsh_path_text(list, &pass->path);
    return pass->text != NULL ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND;
}

/* Make a pass over up to `limit` areas. */
static doca_error_t doca_priv_apsh_pass_make(struct doca_priv_apsh_list *list,
                                             struct doca_priv_apsh_pass *pass, uint64_t mm,
                                             uint32_t limit)
{
    struct doca_priv_apsh_area area;
    doca_error_t rc = doca_priv_apsh_areas_begin(&pass->areas, list->kernel, mm);

    pass->file = 0;
    pass->text = "";
    pass->path_bytes = 0;
    for (pass->num = 0; pass->num < limit && rc == DOCA_SUCCESS; pass->num++) {
        rc = doca_priv_apsh_areas_next(&pass->areas, &area);
        if (rc != DOCA_SUCCESS || area.at == 0)
            break;
        rc = doca_priv_apsh_pass_path(list, pass, area.file);
        if (rc == DOCA_SUCCESS && list->snapshot != NULL)
            rc = doca_priv_apsh_add_vad(list, &area, pass->name, pass->text);
    }
    return rc;
}

/* Make one attempt to count the areas and to read them into a snapshot. */
static doca_error_t doca_priv_apsh_read_vads(struct doca_priv_apsh_list *list)
{
    struct doca_priv_apsh_pass pass;
    uint64_t mm = 0;
    uint32_t num = 0;
    doca_error_t rc = doca_priv_apsh_areas_space(list, &mm);

    pass.num = 0;
    pass.path_bytes = 0;
    if (rc == DOCA_SUCCESS && mm != 0)
        rc = doca_priv_apsh_pass_make(list, &pass, mm, list->limit);
    num = pass.num;
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(
            list->system, DOCA_PRIV_APSH_VADS, num,
            DOCA_PRIV_APSH_COMM_BYTES + (size_t)num * 5 + pass.path_bytes, &list->snapshot);
    if (rc != DOCA_SUCCESS || num == 0)
        return rc;
    pass.name = (const char *)(uintptr_t)doca_priv_apsh_list_name(list);
    rc = doca_priv_apsh_pass_make(list, &pass, mm, num);
    return rc == DOCA_SUCCESS && pass.num != num ? DOCA_ERROR_NOT_FOUND : rc;
}

/* Read the list of the memory areas of a process. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_vads(const struct doca_apsh_process *process,
                                                struct doca_priv_apsh_snapshot **snapshot,
                                                const char *function)
{
    struct doca_priv_apsh_list list;
    doca_error_t rc;

    doca_priv_apsh_list_begin(&list, NULL, process, DOCA_APSH_VADS_LIMIT);
    rc = doca_priv_apsh_areas_need(list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_path_need(list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_list_read(&list, doca_priv_apsh_read_vads, function);
    *snapshot = list.snapshot;
    return rc;
}
