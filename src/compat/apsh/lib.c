/* ---- >>impl.apsh.lib -------------------------------------------------------------------------
 * The list of the libraries of a process: the files of its executable areas. A *run* is a sequence
 * of neighbouring areas that map one file. The runs with code are collected in a block and sorted,
 * so that several runs of one file are neighbours.                                              */
#include "compat/apsh/lib_priv.h"

#include "compat/apsh/area_priv.h"
#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/path_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/snapshot_priv.h"

struct doca_priv_apsh_run {
    struct doca_priv_apsh_location place;
    uint64_t start;
};

DOCA_PRIV_APSH_ASSERT(run_has_its_size,
                      sizeof(struct doca_priv_apsh_run) == DOCA_PRIV_APSH_RUN_BYTES)
DOCA_PRIV_APSH_ASSERT(lib_has_its_size, sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                                                4 * sizeof(uintptr_t) ==
                                            DOCA_PRIV_APSH_LIB_BYTES)

/* Runs that are being counted, or collected when `runs` is not NULL. */
struct doca_priv_apsh_runs {
    struct doca_priv_apsh_run *runs;
    uint32_t num;
    uint32_t max;   /* maximum number of runs, or UINT32_MAX */
    uint64_t file;  /* file of the current run; 0: there is no current run */
    uint64_t start; /* start of the current run */
    bool has_code;
};

/* End the current run. Only a run with executable areas counts. */
static doca_error_t doca_priv_apsh_run_end(struct doca_priv_apsh_kernel *kernel,
                                           struct doca_priv_apsh_runs *runs)
{
    struct doca_priv_apsh_run *run;

    if (runs->file == 0 || !runs->has_code)
        return DOCA_SUCCESS;
    if (runs->num == runs->max)
        return DOCA_ERROR_NOT_FOUND;
    runs->num++;
    if (runs->runs == NULL)
        return DOCA_SUCCESS;
    run = &runs->runs[runs->num - 1];
    run->start = runs->start;
    return doca_priv_apsh_path_place(kernel, runs->file, &run->place);
}

/* Count or collect the runs of an address space, in its first VADS_LIMIT areas. */
static doca_error_t doca_priv_apsh_runs_make(struct doca_priv_apsh_list *list, uint64_t mm,
                                             struct doca_priv_apsh_runs *runs)
{
    const uint32_t limit = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_VADS_LIMIT);
    struct doca_priv_apsh_areas areas;
    struct doca_priv_apsh_area area;
    doca_error_t rc = doca_priv_apsh_areas_begin(&areas, list->kernel, mm);
    uint32_t i;

    runs->num = 0;
    runs->file = runs->start = 0;
    runs->has_code = false;
    for (i = 0; i < limit && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_areas_next(&areas, &area);
        if (rc != DOCA_SUCCESS || area.at == 0)
            break;
        if (area.file != runs->file) {
            rc = doca_priv_apsh_run_end(list->kernel, runs);
            runs->file = area.file;
            runs->start = area.start;
            runs->has_code = false;
        }
        runs->has_code = runs->has_code || (area.flags & DOCA_PRIV_APSH_AREA_CODE) != 0;
    }
    return rc == DOCA_SUCCESS ? doca_priv_apsh_run_end(list->kernel, runs) : rc;
}

/* True when run `a` is before run `b`: by file and address, or by address alone. */
static bool doca_priv_apsh_run_before(const struct doca_priv_apsh_run *a,
                                      const struct doca_priv_apsh_run *b, bool by_place)
{
    if (by_place && a->place.dentry != b->place.dentry)
        return a->place.dentry < b->place.dentry;
    if (by_place && a->place.mnt != b->place.mnt)
        return a->place.mnt < b->place.mnt;
    return a->start < b->start;
}

/* Sift the run at `at` down in a heap. The root of the heap is the last run of the order. */
static void doca_priv_apsh_runs_sink(struct doca_priv_apsh_run *runs, uint32_t num, uint32_t at,
                                     bool by_place)
{
    const struct doca_priv_apsh_run run = runs[at];
    uint32_t child;

    while (at < num / 2) {
        child = 2 * at + 1;
        if (child + 1 < num &&
            doca_priv_apsh_run_before(&runs[child], &runs[child + 1], by_place))
            child++;
        if (!doca_priv_apsh_run_before(&run, &runs[child], by_place))
            break;
        runs[at] = runs[child];
        at = child;
    }
    runs[at] = run;
}

/* Heapsort the runs. It needs no more memory, and a hostile target cannot make it slow. */
static void doca_priv_apsh_runs_sort(struct doca_priv_apsh_run *runs, uint32_t num, bool by_place)
{
    struct doca_priv_apsh_run run;
    uint32_t i;

    for (i = num / 2; i-- > 0;)
        doca_priv_apsh_runs_sink(runs, num, i, by_place);
    for (i = num; i-- > 1;) {
        run = runs[0];
        runs[0] = runs[i];
        runs[i] = run;
        doca_priv_apsh_runs_sink(runs, i, 0, by_place);
    }
}

/* Keep the first run of each file, in the order of addresses. Returns their number. */
static uint32_t doca_priv_apsh_runs_merge(struct doca_priv_apsh_run *runs, uint32_t num)
{
    uint32_t kept = 0, i;

    doca_priv_apsh_runs_sort(runs, num, true);
    for (i = 0; i < num; i++)
        if (i == 0 || runs[i].place.dentry != runs[kept - 1].place.dentry ||
            runs[i].place.mnt != runs[kept - 1].place.mnt)
            runs[kept++] = runs[i];
    doca_priv_apsh_runs_sort(runs, kept, false);
    return kept;
}

/* Add libraries to the snapshot. */
static doca_error_t doca_priv_apsh_add_libs(struct doca_priv_apsh_list *list,
                                            const struct doca_priv_apsh_run *runs, uint32_t num)
{
    struct doca_priv_apsh_element *element;
    struct doca_priv_apsh_path path;
    doca_error_t rc = DOCA_SUCCESS;
    const char *text;
    uint32_t i;

    for (i = 0; i < num && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_path_read(list, runs[i].place, &path);
        if (rc != DOCA_SUCCESS)
            break;
        text = doca_priv_apsh_path_text(list, &path);
        if (text == NULL)
            return DOCA_ERROR_NOT_FOUND;
        element = doca_priv_apsh_snapshot_add(list->snapshot, runs[i].place.dentry);
        doca_priv_apsh_set(element, DOCA_APSH_LIB_PID,
                           doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_PID));
        doca_priv_apsh_set(element, DOCA_APSH_LIB_LIBRARY_PATH, (uintptr_t)text);
        doca_priv_apsh_set(element, DOCA_APSH_LIB_LOAD_ADRESS, runs[i].start);
        doca_priv_apsh_set(element, DOCA_APSH_LIB_LINUX_LOAD_ADRESS, runs[i].start);
    }
    return rc;
}

/* Make a snapshot of the libraries: sum up the lengths of their paths, and then add them. */
static doca_error_t doca_priv_apsh_make_libs(struct doca_priv_apsh_list *list,
                                             struct doca_priv_apsh_run *runs, uint32_t num)
{
    struct doca_priv_apsh_path path;
    size_t path_bytes = 0;
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i;

    num = num < list->limit ? num : list->limit;
    for (i = 0; i < num && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_path_read(list, runs[i].place, &path);
        if (rc == DOCA_SUCCESS)
            path_bytes += doca_priv_apsh_path_bytes(&path);
    }
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_LIBS, num, path_bytes,
                                          &list->snapshot);
    return rc == DOCA_SUCCESS ? doca_priv_apsh_add_libs(list, runs, num) : rc;
}

/* Count and read the list once. */
static doca_error_t doca_priv_apsh_read_libs(struct doca_priv_apsh_list *list)
{
    struct doca_priv_apsh_runs runs;
    void *block = NULL;
    uint64_t mm = 0;
    doca_error_t rc = doca_priv_apsh_areas_space(list, &mm);

    runs.runs = NULL;
    runs.num = 0;
    runs.max = UINT32_MAX;
    if (rc == DOCA_SUCCESS && mm != 0)
        rc = doca_priv_apsh_runs_make(list, mm, &runs);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (runs.num == 0)
        return doca_priv_apsh_make_libs(list, NULL, 0);
    rc = doca_core_arena_take(list->system->arena, runs.num * sizeof(*runs.runs), &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    runs.runs = (struct doca_priv_apsh_run *)block;
    runs.max = runs.num;
    rc = doca_priv_apsh_runs_make(list, mm, &runs);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_make_libs(list, runs.runs,
                                      doca_priv_apsh_runs_merge(runs.runs, runs.num));
    (void)doca_core_arena_give(list->system->arena, block);
    return rc;
}

/* Read the list of the libraries of a process. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_libs(const struct doca_apsh_process *process,
                                                struct doca_priv_apsh_snapshot **snapshot,
                                                const char *function)
{
    struct doca_priv_apsh_list list;
    doca_error_t rc;

    doca_priv_apsh_list_begin(&list, NULL, process, DOCA_APSH_LIBS_LIMIT);
    list.budget = DOCA_CORE_APSH_LIST_READS(
        (uint64_t)list.limit + DOCA_PRIV_APSH_LIMIT(list.system, DOCA_APSH_VADS_LIMIT));
    rc = doca_priv_apsh_areas_need(list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_path_need(list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_list_read(&list, doca_priv_apsh_read_libs, function);
    *snapshot = list.snapshot;
    return rc;
}
