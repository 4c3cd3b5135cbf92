/* ---- >>impl.apsh.attest ----------------------------------------------------------------------
 * Attestation of a process. First the list of its executable areas is read, in the same way as
 * other lists. Until an area is compared, its element holds the offset of the area in the file as
 * the value of MATCHING_HASHES. Then each area is compared: the members of the zip file that have
 * the name of the area's file are unpacked as a stream. For up to DOCA_PRIV_APSH_PAIRS pages at a
 * time, the pages that the process has in memory are read and compared. At the end the process must
 * still have the same address space. The first string of the list is the path of the zip file, and
 * the `at` of each element is the address of the task. With both, doca_apsh_attst_refresh() can
 * repeat the attestation without the list of processes.                                         */
#include "compat/apsh/attest_priv.h"

#include "compat/apsh/area_priv.h"
#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/inflate_priv.h"
#include "compat/apsh/json_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/pairs_priv.h"
#include "compat/apsh/path_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/snapshot_priv.h"
#include "compat/apsh/space_priv.h"
#include "compat/apsh/walk_priv.h"
#include "compat/apsh/zip_priv.h"

#define DOCA_PRIV_APSH_VDSO "[vdso]" /* path of the kernel's code in each process */
#define DOCA_PRIV_APSH_VDSO_COPY "vdso" /* member of the zip file with a copy of this code */

/* The state of a call: a block of the arena that exists while the call runs. */
struct doca_priv_apsh_attest {
    struct doca_priv_apsh_list list; /* must be the first member */
    const char *zip_path;
    uint64_t task;   /* address of the task */
    uint64_t mm;     /* address of the address space; 0: a thread of the kernel */
    uint64_t vdso;   /* address of the vdso in the process; 0: the process has no vdso */
    uint64_t root;   /* physical address of the page directory */
    uint64_t read;   /* bytes of the zip file that may still be read */
    uint64_t unpack; /* bytes of the members of the zip file that may still be unpacked */
    bool cannot_hash;
    struct doca_priv_apsh_path path;
    struct doca_priv_apsh_packed member;
    struct doca_priv_apsh_zip zip;
    struct doca_priv_apsh_inflate inflate;
    struct doca_priv_apsh_pairs pairs;
};

/* An area that is compared, and what the comparison counted. */
struct doca_priv_apsh_suspect {
    uint64_t at, end; /* range of addresses that is not compared yet */
    uint64_t place;   /* offset of the area in the file, in pages */
    uint64_t num_present, num_equal;
};

DOCA_PRIV_APSH_ASSERT(attest_has_its_size,
                      sizeof(struct doca_priv_apsh_attest) <= DOCA_PRIV_APSH_ATTEST_BYTES)
DOCA_PRIV_APSH_ASSERT(attestation_has_its_size,
                      sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                              10 * sizeof(uintptr_t) + DOCA_PRIV_APSH_LETTERS ==
                          DOCA_PRIV_APSH_ATTESTATION_BYTES)

/* ---- the list of areas ---- */

/* Check that the kernel has the members that attestations need. */
static doca_error_t doca_priv_apsh_attest_need(const struct doca_priv_apsh_kernel *kernel,
                                               const char *function)
{
    static const uint8_t needed[] = { DOCA_PRIV_APSH_AREA_PLACE };
    doca_error_t rc = doca_priv_apsh_areas_need(kernel, function);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_space_need(kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_path_need(kernel, function);
    return rc == DOCA_SUCCESS ? doca_priv_apsh_need(kernel, needed, sizeof(needed), function) : rc;
}

/* Read the address of the process's mm_struct, the root of its page tables, and the address of its
 * vDSO (0 when the kernel does not have this member). */
static doca_error_t doca_priv_apsh_attest_space(struct doca_priv_apsh_attest *attest)
{
    struct doca_priv_apsh_kernel *kernel = attest->list.kernel;
    doca_error_t rc = doca_priv_apsh_space_get(&attest->list, &attest->mm, &attest->root);

    attest->vdso = 0;
    if (rc == DOCA_SUCCESS && attest->mm != 0 &&
        doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MM_VDSO))
        rc = doca_priv_apsh_get_64(kernel, attest->mm, DOCA_PRIV_APSH_MM_VDSO, &attest->vdso);
    return rc;
}

/* Read the path of an area to attest->path. */
static doca_error_t doca_priv_apsh_attest_path(struct doca_priv_apsh_attest *attest,
                                               const struct doca_priv_apsh_area *area)
{
    const size_t room = DOCA_PRIV_APSH_LIMIT(attest->list.system, DOCA_APSH_STRING_LIMIT);
    struct doca_priv_apsh_location place;
    doca_error_t rc;

    if (area->file == 0) {
        memcpy(attest->path.text, DOCA_PRIV_APSH_VDSO, sizeof(DOCA_PRIV_APSH_VDSO));
        attest->path.first = 0;
        if (room < sizeof(DOCA_PRIV_APSH_VDSO))
            attest->path.text[room - 1] = '\0';
        return DOCA_SUCCESS;
    }
    rc = doca_priv_apsh_path_place(attest->list.kernel, area->file, &place);
    return rc == DOCA_SUCCESS ? doca_priv_apsh_path_read(&attest->list, place, &attest->path) : rc;
}

/* Add an area, whose path is in attest->path, to the snapshot. */
static doca_error_t doca_priv_apsh_attest_add(struct doca_priv_apsh_attest *attest,
                                              const struct doca_priv_apsh_area *area,
                                              const char *name)
{
    struct doca_priv_apsh_list *list = &attest->list;
    const uint64_t num_pages = (area->end - area->start) / DOCA_PRIV_APSH_PAGE;
    struct doca_priv_apsh_element *element;
    char letters[DOCA_PRIV_APSH_LETTERS];
    const char *text;
    uint64_t place = 0;
    doca_error_t rc = DOCA_SUCCESS;

    if (area->file != 0)
        rc = doca_priv_apsh_get_64(list->kernel, area->at, DOCA_PRIV_APSH_AREA_PLACE, &place);
    if (rc != DOCA_SUCCESS)
        return rc;
    text = doca_priv_apsh_path_text(list, &attest->path);
    if (text == NULL || area->end <= area->start ||
        (area->start | area->end) % DOCA_PRIV_APSH_PAGE != 0)
        return DOCA_ERROR_NOT_FOUND;
    doca_priv_apsh_area_letters(area, letters);
    element = doca_priv_apsh_snapshot_add(list->snapshot, attest->task);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_PID,
                       doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_PID));
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_COMM, (uintptr_t)name);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA, (uintptr_t)text);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_PROTECTION,
                       doca_priv_apsh_list_text(list, letters));
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_START_ADDRESS, area->start);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_END_ADDRESS, area->end);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_PAGES_NUMBER,
                       num_pages < INT32_MAX ? num_pages : INT32_MAX);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_MATCHING_HASHES, place);
    return DOCA_SUCCESS;
}

/* Make a pass over the executable areas: count up to `limit` of them and the bytes of their paths,
 * or add them when there is a snapshot. `name`: name of the process, a string of the snapshot. */
static doca_error_t doca_priv_apsh_attest_pass(struct doca_priv_apsh_attest *attest,
                                               uint32_t limit, const char *name, uint32_t *num,
                                               size_t *path_bytes)
{
    struct doca_priv_apsh_list *list = &attest->list;
    const uint32_t num_areas = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_VADS_LIMIT);
    struct doca_priv_apsh_areas areas;
    struct doca_priv_apsh_area area;
    doca_error_t rc = doca_priv_apsh_areas_begin(&areas, list->kernel, attest->mm);
    uint32_t i;

    *num = 0;
    *path_bytes = 0;
    for (i = 0; i < num_areas && *num < limit && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_areas_next(&areas, &area);
        if (rc != DOCA_SUCCESS || area.at == 0)
            break;
        if ((area.flags & DOCA_PRIV_APSH_AREA_CODE) == 0 ||
            (area.file == 0 && (attest->vdso == 0 || area.start != attest->vdso)))
            continue;
        rc = doca_priv_apsh_attest_path(attest, &area);
        if (rc != DOCA_SUCCESS)
            break;
        ++*num;
        *path_bytes += doca_priv_apsh_path_bytes(&attest->path);
        if (list->snapshot != NULL)
            rc = doca_priv_apsh_attest_add(attest, &area, name);
    }
    return rc;
}

/* Read the list of areas once. */
static doca_error_t doca_priv_apsh_attest_list(struct doca_priv_apsh_list *list)
{
    struct doca_priv_apsh_attest *attest = (struct doca_priv_apsh_attest *)(void *)list;
    const size_t zip_len = strlen(attest->zip_path);
    size_t path_bytes = 0;
    const char *name;
    uint32_t num = 0, again = 0;
    doca_error_t rc = doca_priv_apsh_attest_space(attest);

    if (rc == DOCA_SUCCESS && attest->mm != 0)
        rc = doca_priv_apsh_attest_pass(attest, list->limit, NULL, &num, &path_bytes);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_ATTESTATIONS, num,
                                          zip_len + 1 + DOCA_PRIV_APSH_COMM_BYTES +
                                              num * (size_t)DOCA_PRIV_APSH_LETTERS + path_bytes,
                                          &list->snapshot);
    if (rc != DOCA_SUCCESS || num == 0)
        return rc;
    (void)doca_priv_apsh_text(list->snapshot, attest->zip_path, zip_len);
    name = (const char *)(uintptr_t)doca_priv_apsh_list_name(list);
    rc = doca_priv_apsh_attest_pass(attest, num, name, &again, &path_bytes);
    return rc == DOCA_SUCCESS && again != num ? DOCA_ERROR_NOT_FOUND : rc;
}

/* ---- comparison ---- */

/* Compare the next `num` pages of an area with the pages of the file in attest->pairs. `num` is at
 * most DOCA_PRIV_APSH_PAIRS. */
static doca_error_t doca_priv_apsh_attest_pairs(struct doca_priv_apsh_attest *attest,
                                                struct doca_priv_apsh_suspect *suspect,
                                                uint32_t num)
{
    struct doca_priv_apsh_kernel *kernel = attest->list.kernel;
    uint64_t addrs[DOCA_PRIV_APSH_PAIRS];
    uint8_t numbers[DOCA_PRIV_APSH_PAIRS];
    uint32_t num_present = 0, num_equal = 0, i;
    unsigned span;
    doca_error_t rc;

    memset(addrs, 0, sizeof(addrs));
    memset(numbers, 0, sizeof(numbers));
    for (i = 0; i < num; i++, suspect->at += DOCA_PRIV_APSH_PAGE) {
        rc = doca_priv_apsh_walk_span(kernel, attest->root, suspect->at, &addrs[num_present],
                                      &span);
        if (rc == DOCA_SUCCESS)
            numbers[num_present++] = (uint8_t)i;
        else if (rc != DOCA_ERROR_NOT_FOUND)
            return rc;
    }
    doca_priv_apsh_mem_fetch(&kernel->mem, addrs, num_present);
    for (i = 0; i < num_present; i++) {
        rc = doca_priv_apsh_mem_read(&kernel->mem, addrs[i],
                                     attest->pairs.pages[2 * numbers[i] + 1], DOCA_PRIV_APSH_PAGE);
        if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_NOT_FOUND)
            return rc;
        attest->pairs.is_whole[numbers[i]] = rc == DOCA_SUCCESS;
    }
    if (!doca_priv_apsh_pairs_compare(&attest->pairs, numbers, num_present, &num_equal)) {
        attest->cannot_hash = true;
        return DOCA_ERROR_IO_FAILED;
    }
    suspect->num_present += num_present;
    suspect->num_equal += num_equal;
    return DOCA_SUCCESS;
}

/* Count the pages in memory from suspect->at to the end of the area. */
static doca_error_t doca_priv_apsh_attest_count(struct doca_priv_apsh_attest *attest,
                                                struct doca_priv_apsh_suspect *suspect)
{
    uint64_t physical = 0, last;
    unsigned span = 0;
    doca_error_t rc;

    while (suspect->at < suspect->end) {
        rc = doca_priv_apsh_walk_span(attest->list.kernel, attest->root, suspect->at, &physical,
                                      &span);
        if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_NOT_FOUND)
            return rc;
        last = suspect->at | (((uint64_t)1 << span) - 1);
        last = last < suspect->end ? last : suspect->end - 1;
        if (rc == DOCA_SUCCESS)
            suspect->num_present += (last - suspect->at) / DOCA_PRIV_APSH_PAGE + 1;
        suspect->at = last + 1;
    }
    return DOCA_SUCCESS;
}

/* Compare an area with the member that attest->inflate unpacks. The member is read to its end, so
 * that its checksum is checked. When the member is malformed, attest->zip has the reason. */
static doca_error_t doca_priv_apsh_attest_member(struct doca_priv_apsh_attest *attest,
                                                 struct doca_priv_apsh_suspect *suspect)
{
    const size_t skipped = suspect->place < SIZE_MAX / DOCA_PRIV_APSH_PAGE
                               ? (size_t)suspect->place * DOCA_PRIV_APSH_PAGE
                               : SIZE_MAX;
    uint64_t left = (suspect->end - suspect->at) / DOCA_PRIV_APSH_PAGE;
    doca_error_t rc = DOCA_SUCCESS;
    size_t got = doca_priv_apsh_inflate_read(&attest->inflate, NULL, skipped);
    unsigned char *page;
    uint32_t num;

    got = got == skipped ? DOCA_PRIV_APSH_PAGE : 0; /* bytes of the latest page */
    while (left > 0 && got == DOCA_PRIV_APSH_PAGE && rc == DOCA_SUCCESS) {
        for (num = 0; num < DOCA_PRIV_APSH_PAIRS && num < left && got == DOCA_PRIV_APSH_PAGE;) {
            page = attest->pairs.pages[2 * num];
            got = doca_priv_apsh_inflate_read(&attest->inflate, page, DOCA_PRIV_APSH_PAGE);
            memset(page + got, 0, DOCA_PRIV_APSH_PAGE - got);
            num += got > 0;
        }
        left -= num;
        if (attest->zip.file.reason != NULL)
            return DOCA_SUCCESS;
        rc = doca_priv_apsh_attest_pairs(attest, suspect, num);
    }
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_attest_count(attest, suspect);
    if (rc == DOCA_SUCCESS)
        (void)doca_priv_apsh_inflate_read(&attest->inflate, NULL, SIZE_MAX);
    return rc;
}

/* Return the name under which the zip file has the copy of a file. The name is empty when the
 * beginning of the path was cut off within the name. */
static const char *doca_priv_apsh_attest_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (strcmp(path, DOCA_PRIV_APSH_VDSO) == 0)
        return DOCA_PRIV_APSH_VDSO_COPY;
    return slash != NULL ? slash + 1 : "";
}

/* Compare an area with each member that has the name of its file. The member with the most matching
 * pages counts. */
static doca_error_t doca_priv_apsh_attest_area(struct doca_priv_apsh_attest *attest,
                                               struct doca_priv_apsh_element *element)
{
    const struct doca_priv_apsh_suspect whole = {
        (uintptr_t)doca_priv_apsh_get(element, DOCA_PRIV_APSH_ATTESTATIONS,
                                      DOCA_APSH_ATTESTATION_START_ADDRESS, NULL),
        (uintptr_t)doca_priv_apsh_get(element, DOCA_PRIV_APSH_ATTESTATIONS,
                                      DOCA_APSH_ATTESTATION_END_ADDRESS, NULL),
        (uintptr_t)doca_priv_apsh_get(element, DOCA_PRIV_APSH_ATTESTATIONS,
                                      DOCA_APSH_ATTESTATION_MATCHING_HASHES, NULL),
        0, 0
    };
    const char *name = doca_priv_apsh_attest_name((const char *)doca_priv_apsh_get(
        element, DOCA_PRIV_APSH_ATTESTATIONS, DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA, NULL));
    struct doca_priv_apsh_suspect best = whole, suspect;
    bool has_data = false;
    doca_error_t rc = DOCA_SUCCESS;

    doca_priv_apsh_zip_rewind(&attest->zip);
    while (rc == DOCA_SUCCESS && doca_priv_apsh_zip_next(&attest->zip, &attest->member)) {
        if (attest->member.name_len == 0 || attest->member.name_len != strlen(name) ||
            memcmp(attest->member.name, name, attest->member.name_len) != 0)
            continue;
        if (!doca_priv_apsh_zip_unpack(&attest->zip, &attest->member, &attest->inflate,
                                       &attest->unpack))
            break;
        suspect = whole;
        rc = doca_priv_apsh_attest_member(attest, &suspect);
        if (!has_data || suspect.num_equal > best.num_equal)
            best = suspect;
        has_data = true;
    }
    if (rc == DOCA_SUCCESS && !has_data)
        rc = doca_priv_apsh_attest_count(attest, &best);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_PAGES_PRESENT,
                       best.num_present < INT32_MAX ? best.num_present : INT32_MAX);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_MATCHING_HASHES,
                       best.num_equal < INT32_MAX ? best.num_equal : INT32_MAX);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT, has_data);
    return rc;
}

/* Check that the process still exists, and has the same address space. */
static doca_error_t doca_priv_apsh_attest_check(struct doca_priv_apsh_attest *attest)
{
    return doca_priv_apsh_space_check(&attest->list, attest->mm);
}

/* Compare all areas of the snapshot. */
static doca_error_t doca_priv_apsh_attest_areas(struct doca_priv_apsh_attest *attest,
                                                const char *function)
{
    struct doca_priv_apsh_list *list = &attest->list;
    doca_error_t rc = doca_priv_apsh_pairs_open(&attest->pairs, list->system->arena,
                                                list->system->ctx->dma_dev);
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_apsh_mem_begin(&list->kernel->mem, DOCA_CORE_APSH_LIST_READS(list->limit));
    doca_priv_apsh_mem_by_page(&list->kernel->mem); /* physical addresses of a process's pages are
                                                     * scattered */
    for (i = 0; i < list->snapshot->num && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_attest_area(attest, doca_priv_apsh_snapshot_at(list->snapshot, i));
        if (rc == DOCA_SUCCESS && attest->zip.file.reason != NULL)
            break;
    }
    if (rc == DOCA_SUCCESS && attest->zip.file.reason == NULL)
        rc = doca_priv_apsh_attest_check(attest);
    doca_priv_apsh_pairs_close(&attest->pairs);
    if (attest->cannot_hash)
        return DOCA_PRIV_APSH_FAIL(IO_FAILED, APSH_HASHING, function);
    if (rc == DOCA_SUCCESS && attest->zip.file.reason != NULL)
        return doca_priv_apsh_file_fail(&attest->zip.file, DOCA_CORE_ITEM_APSH_COPIES, function);
    return doca_priv_apsh_list_fail(list, rc, function);
}

/* ---- calls ---- */

/* Make the list. `attest` is the state of the call. */
static doca_error_t doca_priv_apsh_attest_make(struct doca_priv_apsh_attest *attest,
                                               const char *function)
{
    struct doca_priv_apsh_list *list = &attest->list;
    doca_error_t rc = DOCA_SUCCESS;

    attest->read = DOCA_CORE_APSH_FILE_BYTES;
    attest->unpack = DOCA_CORE_APSH_UNPACK_BYTES;
    attest->cannot_hash = false;
    if (!doca_priv_apsh_zip_open(&attest->zip, attest->zip_path, &attest->read))
        rc = doca_priv_apsh_file_fail(&attest->zip.file, DOCA_CORE_ITEM_APSH_COPIES, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_list_read(list, doca_priv_apsh_attest_list, function);
    if (rc == DOCA_SUCCESS && list->snapshot->num > 0)
        rc = doca_priv_apsh_attest_areas(attest, function);
    doca_priv_apsh_json_close(&attest->zip.file);
    if (rc != DOCA_SUCCESS && list->snapshot != NULL) {
        doca_priv_apsh_snapshot_end(list->snapshot);
        list->snapshot = NULL;
    }
    return rc;
}

/* Attest a process by the zip file at `path`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_attest(const struct doca_apsh_process *process,
                                                  const char *path,
                                                  struct doca_priv_apsh_snapshot **snapshot,
                                                  const char *function)
{
    const struct doca_priv_apsh_element *element =
        (const struct doca_priv_apsh_element *)(const void *)process;
    struct doca_core_arena *arena = element->snapshot->system->arena;
    struct doca_priv_apsh_attest *attest;
    void *block = NULL;
    doca_error_t rc =
        doca_priv_apsh_attest_need(element->snapshot->system->kernel, function);

    if (rc == DOCA_SUCCESS)
        rc = doca_core_arena_take(arena, DOCA_PRIV_APSH_ATTEST_BYTES, &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    attest = (struct doca_priv_apsh_attest *)block;
    doca_priv_apsh_list_begin(&attest->list, NULL, process, DOCA_APSH_HASHTEST_LIMIT);
    attest->list.budget = DOCA_CORE_APSH_LIST_READS(
        (uint64_t)attest->list.limit +
        DOCA_PRIV_APSH_LIMIT(attest->list.system, DOCA_APSH_VADS_LIMIT));
    attest->task = element->at;
    attest->zip_path = path;
    rc = doca_priv_apsh_attest_make(attest, function);
    *snapshot = attest->list.snapshot;
    (void)doca_core_arena_give(arena, block);
    return rc;
}

/* Repeat the attestation from a list that is not empty. A temporary element stands in for the
 * element of the process: it has the address and the attributes that the list contains. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_attest_again(struct doca_priv_apsh_snapshot *old,
                                                        struct doca_priv_apsh_snapshot **snapshot,
                                                        const char *function)
{
    const struct doca_priv_apsh_element *first = doca_priv_apsh_snapshot_at(old, 0);
    struct {
        struct doca_priv_apsh_element element;
        uintptr_t values[DOCA_PRIV_APSH_MAX_ATTRS];
    } process;

    memset(&process, 0, sizeof(process));
    process.element.guard = DOCA_PRIV_APSH_ELEMENT | DOCA_PRIV_APSH_PROCESSES;
    process.element.snapshot = old;
    process.element.at = first->at;
    doca_priv_apsh_set(&process.element, DOCA_APSH_PROCESS_PID,
                       (uintptr_t)doca_priv_apsh_get(first, DOCA_PRIV_APSH_ATTESTATIONS,
                                                     DOCA_APSH_ATTESTATION_PID, function));
    doca_priv_apsh_set(&process.element, DOCA_APSH_PROCESS_COMM,
                       (uintptr_t)doca_priv_apsh_get(first, DOCA_PRIV_APSH_ATTESTATIONS,
                                                     DOCA_APSH_ATTESTATION_COMM, function));
    return doca_priv_apsh_attest(
        (const struct doca_apsh_process *)(const void *)&process.element,
        doca_priv_apsh_first_text(old), snapshot, function);
}
