/* ---- >>impl.apsh.area ------------------------------------------------------------------------
 * The memory areas of a process. From Linux 6.1 on, the kernel keeps them in a maple tree. A node
 * of the tree has slots; the pivot between two slots is the last address of the lower slot. A slot
 * of a leaf points to an area or is empty; a slot of any other node points to a node. Each node
 * contains the address of its parent and the number of its slot in the parent. Both are checked, so
 * no node is reached twice. The range that an area contains must equal the range of its slot.
 * Before 6.1, the kernel keeps the areas in a list; each area must point back to the area before it
 * and begin at or after that area's end.                                                        */
#include "compat/apsh/area_priv.h"

#include "compat/apsh/bytes_priv.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/walk_priv.h"

#define DOCA_PRIV_APSH_NODE_MASK 0xffu /* bits of a pointer to a node that are not part of the
                                        * address */
#define DOCA_PRIV_APSH_ROOT_ENTRY 2u   /* set in the pointer to the root of a tree */
#define DOCA_PRIV_APSH_ROOT_PARENT 1u  /* set in the root's pointer back to the tree */

/* Types of nodes: bits 3 to 6 of a pointer to a node. */
enum { DOCA_PRIV_APSH_LEAF_64 = 1, DOCA_PRIV_APSH_RANGE_64, DOCA_PRIV_APSH_ARANGE_64 };

/* Check that the number of slots is one that nodes can have. */
static bool doca_priv_apsh_has_slots(const struct doca_priv_apsh_kernel *kernel,
                                     enum doca_priv_apsh_member member)
{
    return kernel->offsets[member] >= 2 && kernel->offsets[member] <= DOCA_PRIV_APSH_NODE_SLOTS;
}

/* Check that the kernel has the members that areas need. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_need(const struct doca_priv_apsh_kernel *kernel,
                                                      const char *function)
{
    static const uint8_t areas[] = { DOCA_PRIV_APSH_TASK_MM, DOCA_PRIV_APSH_AREA_START,
                                     DOCA_PRIV_APSH_AREA_END, DOCA_PRIV_APSH_AREA_FLAGS,
                                     DOCA_PRIV_APSH_AREA_MM, DOCA_PRIV_APSH_AREA_FILE };
    static const uint8_t tree[] = { DOCA_PRIV_APSH_TREE_ROOT,    DOCA_PRIV_APSH_NODE_PARENT,
                                    DOCA_PRIV_APSH_RANGE_PIVOTS, DOCA_PRIV_APSH_RANGE_SLOTS,
                                    DOCA_PRIV_APSH_ARANGE_PIVOTS, DOCA_PRIV_APSH_ARANGE_SLOTS };
    static const uint8_t row[] = { DOCA_PRIV_APSH_MM_AREAS, DOCA_PRIV_APSH_AREA_NEXT,
                                   DOCA_PRIV_APSH_AREA_PREV };
    const bool has_tree = doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MM_TREE);
    doca_error_t rc = doca_priv_apsh_need(kernel, areas, sizeof(areas), function);

    if (rc == DOCA_SUCCESS && !has_tree)
        return doca_priv_apsh_need(kernel, row, sizeof(row), function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_need(kernel, tree, sizeof(tree), function);
    if (rc == DOCA_SUCCESS && (!doca_priv_apsh_has_slots(kernel, DOCA_PRIV_APSH_RANGE_NUM) ||
                               !doca_priv_apsh_has_slots(kernel, DOCA_PRIV_APSH_ARANGE_NUM)))
        rc = doca_priv_apsh_lacks("slots of maple trees", function);
    return rc;
}

/* Get the address space of the process of a list. 0: the process is a thread of the kernel and has
 * no address space. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_space(struct doca_priv_apsh_list *list,
                                                       uint64_t *mm)
{
    uint64_t task = 0;
    doca_error_t rc = doca_priv_apsh_list_task(list, &task);

    *mm = 0;
    return rc == DOCA_SUCCESS
               ? doca_priv_apsh_get_64(list->kernel, task, DOCA_PRIV_APSH_TASK_MM, mm)
               : rc;
}

/* Return the last address of a slot: its pivot. The last slot in use has no pivot, or a pivot of 0;
 * its last address is the last address of the node. */
static uint64_t doca_priv_apsh_node_pivot(const struct doca_priv_apsh_node *node, uint32_t slot)
{
    const uint64_t pivot = slot + 1 < node->num ? doca_priv_apsh_u64(node->pivots[slot]) : 0;

    return pivot != 0 ? pivot : node->last;
}

/* True when a slot of a leaf points to an area: it is neither empty nor a marker of the tree. */
static bool doca_priv_apsh_is_area(uint64_t entry)
{
    return entry != 0 && (entry & 3) != 2;
}

/* Read the nodes or areas that the slots of a node point to, in one batch. */
static void doca_priv_apsh_node_fetch(struct doca_priv_apsh_kernel *kernel,
                                      const struct doca_priv_apsh_node *node)
{
    uint64_t addrs[2 * DOCA_PRIV_APSH_NODE_SLOTS], at;
    uint32_t num = 0, i;

    for (i = 0; i < node->num; i++) {
        at = doca_priv_apsh_u64(node->slots[i]);
        if (!node->is_leaf) {
            doca_priv_apsh_batch(kernel, at & ~(uint64_t)DOCA_PRIV_APSH_NODE_MASK, addrs, &num);
        } else if (doca_priv_apsh_is_area(at)) {
            doca_priv_apsh_batch(kernel, doca_priv_apsh_in(kernel, at, DOCA_PRIV_APSH_AREA_START),
                                 addrs, &num);
            doca_priv_apsh_batch(kernel, doca_priv_apsh_in(kernel, at, DOCA_PRIV_APSH_AREA_FILE),
                                 addrs, &num);
        }
        if (doca_priv_apsh_node_pivot(node, i) == node->last)
            break;
    }
    doca_priv_apsh_mem_fetch(&kernel->mem, addrs, num);
}

/* Read the slots and pivots of a node, and what the slots point to. */
static doca_error_t doca_priv_apsh_node_read(struct doca_priv_apsh_kernel *kernel,
                                             struct doca_priv_apsh_node *node, bool is_arange)
{
    const uint64_t slots = doca_priv_apsh_in(
        kernel, node->at, is_arange ? DOCA_PRIV_APSH_ARANGE_SLOTS : DOCA_PRIV_APSH_RANGE_SLOTS);
    const uint64_t pivots = doca_priv_apsh_in(
        kernel, node->at, is_arange ? DOCA_PRIV_APSH_ARANGE_PIVOTS : DOCA_PRIV_APSH_RANGE_PIVOTS);
    doca_error_t rc = doca_priv_apsh_read(kernel, slots, node->slots,
                                          node->num * sizeof(node->slots[0]));

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read(kernel, pivots, node->pivots,
                                 (node->num - 1) * sizeof(node->pivots[0]));
    if (rc == DOCA_SUCCESS)
        doca_priv_apsh_node_fetch(kernel, node);
    return rc;
}

/* Go down to the node that `entry` points to. [first, last] is the range of addresses of the node.
 * `slot` is the index of `entry` in the parent node; it is not used for the root. */
static doca_error_t doca_priv_apsh_node_enter(struct doca_priv_apsh_areas *areas, uint64_t entry,
                                              uint32_t slot, uint64_t first, uint64_t last)
{
    struct doca_priv_apsh_kernel *kernel = areas->kernel;
    const uint64_t at = entry & ~(uint64_t)DOCA_PRIV_APSH_NODE_MASK;
    const unsigned type = entry >> 3 & 15;
    const bool is_arange = type == DOCA_PRIV_APSH_ARANGE_64;
    const enum doca_priv_apsh_member num =
        is_arange ? DOCA_PRIV_APSH_ARANGE_NUM : DOCA_PRIV_APSH_RANGE_NUM;
    struct doca_priv_apsh_node *node;
    uint64_t parent = 0, wanted;
    doca_error_t rc;

    if (areas->depth == DOCA_PRIV_APSH_TREE_DEPTH || type < DOCA_PRIV_APSH_LEAF_64 ||
        type > DOCA_PRIV_APSH_ARANGE_64)
        return DOCA_ERROR_NOT_FOUND;
    rc = doca_priv_apsh_get_64(kernel, at, DOCA_PRIV_APSH_NODE_PARENT, &parent);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (areas->depth == 0) {
        wanted = doca_priv_apsh_in(kernel, areas->mm, DOCA_PRIV_APSH_MM_TREE) |
                 DOCA_PRIV_APSH_ROOT_PARENT;
    } else { /* clear two bits, which are a type */
        parent &= ~(uint64_t)6;
        wanted = areas->nodes[areas->depth - 1].at | slot << 3;
    }
    if (parent != wanted)
        return DOCA_ERROR_NOT_FOUND;
    node = &areas->nodes[areas->depth++];
    node->at = at;
    node->first = first;
    node->last = last;
    node->next = 0;
    node->num = (uint32_t)kernel->offsets[num];
    node->is_leaf = type == DOCA_PRIV_APSH_LEAF_64;
    node->is_over = false;
    return doca_priv_apsh_node_read(kernel, node, is_arange);
}

/* Move to the next slot of a node, and get its range. */
static doca_error_t doca_priv_apsh_node_next(struct doca_priv_apsh_node *node, uint64_t *entry,
                                             uint64_t *first, uint64_t *last)
{
    const uint32_t slot = node->next++;
    const uint64_t pivot = doca_priv_apsh_node_pivot(node, slot);

    if (pivot < node->first || pivot > node->last)
        return DOCA_ERROR_NOT_FOUND;
    *entry = doca_priv_apsh_u64(node->slots[slot]);
    *first = node->first;
    *last = pivot;
    node->is_over = pivot == node->last;
    node->first = pivot + 1;
    return DOCA_SUCCESS;
}

/* Move to the next entry of a leaf that is an area. After the last area *at is 0. */
static doca_error_t doca_priv_apsh_tree_next(struct doca_priv_apsh_areas *areas, uint64_t *at,
                                             uint64_t *first, uint64_t *last)
{
    struct doca_priv_apsh_node *node;
    uint64_t entry = 0;
    doca_error_t rc = DOCA_SUCCESS;

    *at = 0;
    while (areas->depth > 0 && rc == DOCA_SUCCESS) {
        node = &areas->nodes[areas->depth - 1];
        if (node->is_over) {
            areas->depth--;
            continue;
        }
        rc = doca_priv_apsh_node_next(node, &entry, first, last);
        if (rc != DOCA_SUCCESS)
            break;
        if (!node->is_leaf) {
            rc = doca_priv_apsh_node_enter(areas, entry, node->next - 1, *first, *last);
        } else if (doca_priv_apsh_is_area(entry)) {
            *at = entry;
            break;
        }
    }
    return rc;
}

/* Begin a walk through the areas of the address space at `mm`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_begin(struct doca_priv_apsh_areas *areas,
                                                       struct doca_priv_apsh_kernel *kernel,
                                                       uint64_t mm)
{
    uint64_t root = 0;
    doca_error_t rc;

    areas->kernel = kernel;
    areas->mm = mm;
    areas->depth = 0;
    areas->next = areas->previous = areas->end = 0;
    if (!doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MM_TREE))
        return doca_priv_apsh_get_64(kernel, mm, DOCA_PRIV_APSH_MM_AREAS, &areas->next);
    rc = doca_priv_apsh_get_64(kernel, doca_priv_apsh_in(kernel, mm, DOCA_PRIV_APSH_MM_TREE),
                               DOCA_PRIV_APSH_TREE_ROOT, &root);
    if (rc != DOCA_SUCCESS || root == 0)
        return rc;
    return (root & DOCA_PRIV_APSH_ROOT_ENTRY) != 0
               ? doca_priv_apsh_node_enter(areas, root, 0, 0, UINT64_MAX)
               : DOCA_ERROR_NOT_FOUND;
}

/* Read an area. */
static doca_error_t doca_priv_apsh_area_read(struct doca_priv_apsh_areas *areas, uint64_t at,
                                             struct doca_priv_apsh_area *area)
{
    struct doca_priv_apsh_kernel *kernel = areas->kernel;
    uint64_t mm = 0;
    doca_error_t rc = doca_priv_apsh_get_64(kernel, at, DOCA_PRIV_APSH_AREA_MM, &mm);

    if (rc == DOCA_SUCCESS && mm != areas->mm)
        return DOCA_ERROR_NOT_FOUND;
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(kernel, at, DOCA_PRIV_APSH_AREA_START, &area->start);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(kernel, at, DOCA_PRIV_APSH_AREA_END, &area->end);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(kernel, at, DOCA_PRIV_APSH_AREA_FLAGS, &area->flags);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(kernel, at, DOCA_PRIV_APSH_AREA_FILE, &area->file);
    area->at = at;
    return rc;
}

/* Read the next area of a list. */
static doca_error_t doca_priv_apsh_areas_follow(struct doca_priv_apsh_areas *areas,
                                                struct doca_priv_apsh_area *area)
{
    uint64_t previous = 0, next = 0;
    doca_error_t rc = doca_priv_apsh_area_read(areas, areas->next, area);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(areas->kernel, area->at, DOCA_PRIV_APSH_AREA_PREV, &previous);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(areas->kernel, area->at, DOCA_PRIV_APSH_AREA_NEXT, &next);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (previous != areas->previous || area->start < areas->end || area->end <= area->start)
        return DOCA_ERROR_NOT_FOUND;
    areas->previous = area->at;
    areas->next = next;
    areas->end = area->end;
    return DOCA_SUCCESS;
}

/* Move to the next area. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_next(struct doca_priv_apsh_areas *areas,
                                                      struct doca_priv_apsh_area *area)
{
    uint64_t at = 0, first = 0, last = 0;
    doca_error_t rc;

    area->at = 0;
    if (!doca_priv_apsh_has(areas->kernel, DOCA_PRIV_APSH_MM_TREE))
        return areas->next != 0 ? doca_priv_apsh_areas_follow(areas, area) : DOCA_SUCCESS;
    rc = doca_priv_apsh_tree_next(areas, &at, &first, &last);
    if (rc != DOCA_SUCCESS || at == 0)
        return rc;
    rc = doca_priv_apsh_area_read(areas, at, area);
    return rc == DOCA_SUCCESS && (area->start != first || area->end - 1 != last)
               ? DOCA_ERROR_NOT_FOUND
               : rc;
}

/* Write the protection of an area in letters, as in /proc/PID/maps. */
DOCA_PRIV_DECL void doca_priv_apsh_area_letters(const struct doca_priv_apsh_area *area,
                                                char letters[DOCA_PRIV_APSH_LETTERS])
{
    letters[0] = (area->flags & DOCA_PRIV_APSH_AREA_READ) != 0 ? 'r' : '-';
    letters[1] = (area->flags & DOCA_PRIV_APSH_AREA_WRITE) != 0 ? 'w' : '-';
    letters[2] = (area->flags & DOCA_PRIV_APSH_AREA_CODE) != 0 ? 'x' : '-';
    letters[3] = (area->flags & DOCA_PRIV_APSH_AREA_SHARED) != 0 ? 's' : 'p';
    letters[4] = '\0';
}
