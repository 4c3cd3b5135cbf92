/* ---- >>impl.apsh.scan ------------------------------------------------------------------------
 * Scans of the memory of a process by rules. First the areas to scan are collected, in the same way
 * as other lists are read. Then each area is copied to a window, which moves by the step of the
 * system, and the rules are applied to the window; pages that are not in memory are zeros in the
 * window. Ranges without a page in memory are skipped by means of the page tables. At the end the
 * process must still have the same address space.                                               */
#include "compat/apsh/scan_priv.h"

#include "compat/apsh/area_priv.h"
#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/rules_priv.h"
#include "compat/apsh/snapshot_priv.h"
#include "compat/apsh/space_priv.h"
#include "compat/apsh/walk_priv.h"

#ifdef DOCA_CORE_APSH_YARA

#define DOCA_PRIV_APSH_AHEAD 16u /* pages that are read ahead in one batch */

struct doca_priv_apsh_stretch { /* a range of addresses to scan */
    uint64_t start, end;
};

struct doca_priv_apsh_match {
    uint64_t at;  /* address of the window */
    uint32_t len; /* bytes */
    uint32_t rule;
};

/* Matches are collected in chunks, because their number is known at the end only. */
struct doca_priv_apsh_chunk {
    struct doca_priv_apsh_chunk *next;
    uint32_t num;
    struct doca_priv_apsh_match matches[DOCA_PRIV_APSH_CHUNK];
};

struct doca_priv_apsh_scan_state {
    struct doca_priv_apsh_list list; /* must be the first member */
    uint64_t mm;   /* address of the address space; 0: a thread of the kernel */
    uint64_t root; /* physical address of the page directory */
    struct doca_priv_apsh_rules rules;
    const char *function;
    uint64_t scan_type;
    struct doca_priv_apsh_stretch *stretches; /* a block of the arena, or NULL */
    uint32_t num_stretches;
    struct doca_priv_apsh_chunk *first, *last; /* blocks; NULL before the first match */
    uint32_t num_matches;
    unsigned char *window; /* a block */
    uint64_t left;         /* bytes to which the rules may still be applied */
    uint64_t ahead;        /* pages of the stretch below this address were read ahead */
};

DOCA_PRIV_APSH_ASSERT(stretch_has_its_size,
                      sizeof(struct doca_priv_apsh_stretch) == DOCA_PRIV_APSH_STRETCH_BYTES)
DOCA_PRIV_APSH_ASSERT(chunk_has_its_size,
                      sizeof(struct doca_priv_apsh_chunk) == DOCA_PRIV_APSH_CHUNK_BYTES)
DOCA_PRIV_APSH_ASSERT(match_has_its_size,
                      sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                              5 * sizeof(uintptr_t) ==
                          DOCA_PRIV_APSH_MATCH_BYTES)

/* ---- the areas ---- */

/* True when the scan type includes this area. */
static bool doca_priv_apsh_scan_wants(const struct doca_priv_apsh_scan_state *scan,
                                      const struct doca_priv_apsh_area *area)
{
    return (scan->scan_type & DOCA_APSH_YARA_SCAN_VMA) != 0 ||
           (area->file == 0 && (area->flags & DOCA_PRIV_APSH_AREA_WRITE) != 0);
}

/* Make a pass over the areas, and count the areas to scan. If there is a block for the areas,
 * collect them; NOT_FOUND: their number is not `max`. */
static doca_error_t doca_priv_apsh_scan_pass(struct doca_priv_apsh_scan_state *scan, uint32_t max,
                                             uint32_t *num)
{
    struct doca_priv_apsh_areas areas;
    struct doca_priv_apsh_area area;
    doca_error_t rc = doca_priv_apsh_areas_begin(&areas, scan->list.kernel, scan->mm);
    uint32_t i;

    *num = 0;
    for (i = 0; i < scan->list.limit && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_areas_next(&areas, &area);
        if (rc != DOCA_SUCCESS || area.at == 0)
            break;
        if (area.end <= area.start || area.end >> DOCA_PRIV_APSH_USER_BITS != 0 ||
            (area.start | area.end) % DOCA_PRIV_APSH_PAGE != 0)
            return DOCA_ERROR_NOT_FOUND;
        if (!doca_priv_apsh_scan_wants(scan, &area))
            continue;
        if (scan->stretches != NULL && *num < max) {
            scan->stretches[*num].start = area.start;
            scan->stretches[*num].end = area.end;
        }
        ++*num;
    }
    return rc == DOCA_SUCCESS && scan->stretches != NULL && *num != max ? DOCA_ERROR_NOT_FOUND
                                                                        : rc;
}

/* Collect the areas to scan. This is one attempt. */
static doca_error_t doca_priv_apsh_scan_areas(struct doca_priv_apsh_list *list)
{
    struct doca_priv_apsh_scan_state *scan = (struct doca_priv_apsh_scan_state *)(void *)list;
    void *block = NULL;
    uint32_t num = 0;
    doca_error_t rc = doca_priv_apsh_space_get(list, &scan->mm, &scan->root);

    doca_priv_apsh_give(list->system->arena, scan->stretches); /* release the block of the previous
                                                                * attempt */
    scan->stretches = NULL;
    scan->num_stretches = 0;
    if (rc != DOCA_SUCCESS || scan->mm == 0)
        return rc;
    rc = doca_priv_apsh_scan_pass(scan, 0, &num);
    if (rc != DOCA_SUCCESS || num == 0)
        return rc;
    rc = doca_core_arena_take(list->system->arena, num * sizeof(*scan->stretches), &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    scan->stretches = (struct doca_priv_apsh_stretch *)block;
    scan->num_stretches = num;
    return doca_priv_apsh_scan_pass(scan, num, &num);
}

/* ---- windows ---- */

/* Add a match. */
static doca_error_t doca_priv_apsh_scan_add(struct doca_priv_apsh_scan_state *scan, uint64_t at,
                                            size_t len, uint32_t rule)
{
    struct doca_priv_apsh_chunk *chunk = scan->last;
    struct doca_priv_apsh_match *match;
    void *block = NULL;
    doca_error_t rc;

    if (chunk == NULL || chunk->num == DOCA_PRIV_APSH_CHUNK) {
        rc = doca_core_arena_take(scan->list.system->arena, sizeof(*chunk), &block);
        if (rc != DOCA_SUCCESS)
            return rc;
        chunk = (struct doca_priv_apsh_chunk *)block;
        chunk->next = NULL;
        chunk->num = 0;
        if (scan->last != NULL)
            scan->last->next = chunk;
        else
            scan->first = chunk;
        scan->last = chunk;
    }
    match = &chunk->matches[chunk->num++];
    match->at = at;
    match->len = (uint32_t)len;
    match->rule = rule;
    scan->num_matches++;
    return DOCA_SUCCESS;
}

/* Set *present to the first address at or after `at` whose page is in memory, or to `end`. */
static doca_error_t doca_priv_apsh_scan_skip(struct doca_priv_apsh_scan_state *scan, uint64_t at,
                                             uint64_t end, uint64_t *present)
{
    struct doca_priv_apsh_kernel *kernel = scan->list.kernel;
    doca_error_t rc = DOCA_ERROR_NOT_FOUND;
    uint64_t physical = 0;
    unsigned span = 0;

    while (at < end && rc == DOCA_ERROR_NOT_FOUND) {
        rc = doca_priv_apsh_walk_span(kernel, scan->root, at, &physical, &span);
        if (rc == DOCA_SUCCESS && !doca_priv_apsh_mem_has(&kernel->mem, physical, 1)) {
            rc = DOCA_ERROR_NOT_FOUND; /* for example, memory of a device */
            span = 12;
        }
        if (rc == DOCA_ERROR_NOT_FOUND)
            at = (at | (((uint64_t)1 << span) - 1)) + 1;
    }
    *present = at < end ? at : end;
    return rc == DOCA_ERROR_NOT_FOUND ? DOCA_SUCCESS : rc;
}

/* Read pages of a stretch ahead in one batch, from `page` on. */
static void doca_priv_apsh_scan_fetch(struct doca_priv_apsh_scan_state *scan, uint64_t page,
                                      uint64_t end)
{
    uint64_t addrs[DOCA_PRIV_APSH_AHEAD];
    uint32_t num = 0, i;

    for (i = 0; i < DOCA_PRIV_APSH_AHEAD && page < end; i++, page += DOCA_PRIV_APSH_PAGE)
        if (doca_priv_apsh_walk(scan->list.kernel, scan->root, page, &addrs[num]) ==
            DOCA_SUCCESS)
            num++;
    scan->ahead = page;
    doca_priv_apsh_mem_fetch(&scan->list.kernel->mem, addrs, num);
}

/* Copy `len` bytes from `at` on to the window. The stretch ends at `end`. */
static doca_error_t doca_priv_apsh_scan_copy(struct doca_priv_apsh_scan_state *scan, uint64_t at,
                                             size_t len, uint64_t end)
{
    unsigned char *to = scan->window;
    doca_error_t rc = DOCA_SUCCESS;
    size_t n;

    for (; len > 0 && rc == DOCA_SUCCESS; at += n, to += n, len -= n) {
        n = DOCA_PRIV_APSH_PAGE - (size_t)(at % DOCA_PRIV_APSH_PAGE);
        n = n < len ? n : len;
        if (at >= scan->ahead)
            doca_priv_apsh_scan_fetch(scan, at - at % DOCA_PRIV_APSH_PAGE, end);
        rc = doca_priv_apsh_space_read(&scan->list, scan->root, at, to, n);
        if (rc == DOCA_ERROR_NOT_FOUND) {
            memset(to, 0, n);
            rc = DOCA_SUCCESS;
        }
    }
    return rc;
}

/* Scan the window of `len` bytes at `at`. */
static doca_error_t doca_priv_apsh_scan_window(struct doca_priv_apsh_scan_state *scan, uint64_t at,
                                               size_t len, uint64_t end)
{
    doca_error_t rc;
    uint32_t i;

    if (scan->left < len) {
        scan->list.kernel->mem.budget = 0;
        return doca_priv_apsh_list_fail(&scan->list, DOCA_ERROR_IO_FAILED, scan->function);
    }
    scan->left -= len;
    rc = doca_priv_apsh_scan_copy(scan, at, len, end);
    if (rc != DOCA_SUCCESS)
        return doca_priv_apsh_list_fail(&scan->list, rc, scan->function);
    rc = doca_priv_apsh_rules_apply(&scan->rules, scan->window, len, scan->function);
    for (i = 0; i < DOCA_PRIV_APSH_RULES && rc == DOCA_SUCCESS; i++)
        if ((scan->rules.found & 1u << i) != 0)
            rc = doca_priv_apsh_scan_add(scan, at, len, i);
    return rc;
}

/* Scan a stretch. The last window ends with it. */
static doca_error_t doca_priv_apsh_scan_stretch(struct doca_priv_apsh_scan_state *scan,
                                                struct doca_priv_apsh_stretch stretch)
{
    const uint32_t size = scan->list.system->set.window_size;
    const uint32_t step = scan->list.system->set.window_step;
    uint64_t at = stretch.start, present = 0;
    doca_error_t rc = DOCA_SUCCESS;
    bool is_last = false;
    size_t len;

    scan->ahead = at;
    while (!is_last && rc == DOCA_SUCCESS) {
        rc = doca_priv_apsh_scan_skip(scan, at, stretch.end, &present);
        if (rc != DOCA_SUCCESS)
            return doca_priv_apsh_list_fail(&scan->list, rc, scan->function);
        if (present == stretch.end)
            break;
        if (present - at >= size) /* the first window that contains a part of the page */
            at += ((present - at - size) / step + 1) * step;
        is_last = stretch.end - at <= size;
        len = is_last ? (size_t)(stretch.end - at) : size;
        rc = doca_priv_apsh_scan_window(scan, at, len, stretch.end);
        at += step;
    }
    return rc;
}

/* Scan all stretches. */
static doca_error_t doca_priv_apsh_scan_all(struct doca_priv_apsh_scan_state *scan)
{
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i;

    scan->left = DOCA_CORE_APSH_SCAN_BYTES;
    doca_priv_apsh_mem_begin(&scan->list.kernel->mem, DOCA_CORE_APSH_SCAN_READS);
    for (i = 0; i < scan->num_stretches && rc == DOCA_SUCCESS; i++)
        rc = doca_priv_apsh_scan_stretch(scan, scan->stretches[i]);
    if (rc != DOCA_SUCCESS)
        return rc;
    return doca_priv_apsh_list_fail(&scan->list,
                                    doca_priv_apsh_space_check(&scan->list, scan->mm),
                                    scan->function);
}

/* ---- calls ---- */

/* Make the list of the matches. */
static doca_error_t doca_priv_apsh_scan_list(struct doca_priv_apsh_scan_state *scan)
{
    struct doca_priv_apsh_list *list = &scan->list;
    const struct doca_priv_apsh_chunk *chunk;
    struct doca_priv_apsh_element *element;
    uint64_t name;
    uint32_t i;
    doca_error_t rc =
        doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_MATCHES, scan->num_matches,
                                     DOCA_PRIV_APSH_COMM_BYTES, &list->snapshot);

    if (rc != DOCA_SUCCESS)
        return rc;
    name = doca_priv_apsh_list_name(list);
    for (chunk = scan->first; chunk != NULL; chunk = chunk->next)
        for (i = 0; i < chunk->num; i++) {
            const struct doca_priv_apsh_match *match = &chunk->matches[i];

            element = doca_priv_apsh_snapshot_add(list->snapshot, match->at);
            doca_priv_apsh_set(element, DOCA_APSH_YARA_PID,
                               doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_PID));
            doca_priv_apsh_set(element, DOCA_APSH_YARA_COMM, name);
            doca_priv_apsh_set(element, DOCA_APSH_YARA_RULE,
                               (uintptr_t)doca_priv_apsh_rules_name(match->rule));
            doca_priv_apsh_set(element, DOCA_APSH_YARA_MATCH_WINDOW_ADDR, match->at);
            doca_priv_apsh_set(element, DOCA_APSH_YARA_MATCH_WINDOW_LEN, match->len);
        }
    return DOCA_SUCCESS;
}

/* Make a scan, with memory of the arena. `scan` is the state of the call. */
static doca_error_t doca_priv_apsh_scan_make(struct doca_priv_apsh_scan_state *scan,
                                             uint32_t wanted)
{
    struct doca_apsh_system *system = scan->list.system;
    struct doca_core_arena *arena = system->arena;
    struct doca_priv_apsh_chunk *next;
    void *block = NULL;
    doca_error_t rc =
        doca_priv_apsh_list_read(&scan->list, doca_priv_apsh_scan_areas, scan->function);
    const bool has_areas = rc == DOCA_SUCCESS && scan->num_stretches > 0;

    if (has_areas)
        rc = doca_core_arena_take(arena, system->set.window_size, &block);
    scan->window = (unsigned char *)block;
    if (has_areas && rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_rules_open(&scan->rules, wanted, scan->function);
    if (has_areas && rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_scan_all(scan);
    doca_priv_apsh_rules_close(&scan->rules);
    doca_priv_apsh_give(arena, scan->window);
    doca_priv_apsh_give(arena, scan->stretches);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_scan_list(scan);
    for (; scan->first != NULL; scan->first = next) {
        next = scan->first->next;
        (void)doca_core_arena_give(arena, scan->first);
    }
    return rc;
}

/* Check the array of rules that the program passed, and make a set of these rules. */
static doca_error_t doca_priv_apsh_scan_rules(enum doca_apsh_yara_rule *const *rules, uint32_t num,
                                              uint32_t *wanted, const char *function)
{
    uint32_t i;

    *wanted = 0;
    if (num == 0)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, ZERO, function);
    for (i = 0; i < num; i++) {
        if (rules[i] == NULL)
            return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, function);
        if ((uint32_t)*rules[i] >= DOCA_PRIV_APSH_RULES)
            return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_VALUE, function);
        *wanted |= 1u << (uint32_t)*rules[i];
    }
    return DOCA_SUCCESS;
}

/* Scan the memory of a process. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_yara(const struct doca_apsh_process *process,
                                                enum doca_apsh_yara_rule *const *rules,
                                                uint32_t num_rules, uint64_t scan_type,
                                                struct doca_priv_apsh_snapshot **snapshot,
                                                const char *function)
{
    const uint64_t types = DOCA_APSH_YARA_SCAN_VMA | DOCA_APSH_YARA_SCAN_HEAP;
    struct doca_priv_apsh_scan_state scan;
    uint32_t wanted = 0;
    doca_error_t rc = doca_priv_apsh_scan_rules(rules, num_rules, &wanted, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (scan_type == 0 || (scan_type & ~types) != 0)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_VALUE, function);
    memset(&scan, 0, sizeof(scan));
    doca_priv_apsh_list_begin(&scan.list, NULL, process, DOCA_APSH_VADS_LIMIT);
    scan.function = function;
    scan.scan_type = scan_type;
    rc = doca_priv_apsh_areas_need(scan.list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_space_need(scan.list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_scan_make(&scan, wanted);
    *snapshot = scan.list.snapshot;
    return rc;
}

#else

/* Without libyara, scans are not supported. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_yara(const struct doca_apsh_process *process,
                                                enum doca_apsh_yara_rule *const *rules,
                                                uint32_t num_rules, uint64_t scan_type,
                                                struct doca_priv_apsh_snapshot **snapshot,
                                                const char *function)
{
    (void)process;
    (void)rules;
    (void)num_rules;
    (void)scan_type;
    (void)snapshot;
    return DOCA_PRIV_APSH_FAIL(NOT_SUPPORTED, APSH_NO_YARA, function);
}

#endif
