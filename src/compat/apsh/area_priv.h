/* ---- >>priv.apsh.area ------------------------------------------------------------------------
 * The memory areas of a process, in the order of their addresses.                               */
#ifndef DOCA_SRC_COMPAT_APSH_AREA_PRIV_H
#define DOCA_SRC_COMPAT_APSH_AREA_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"

#define DOCA_PRIV_APSH_TREE_DEPTH 16u /* maximum depth of a tree */
#define DOCA_PRIV_APSH_NODE_SLOTS 16  /* maximum number of slots of a node, which has 256 bytes */

/* Bits of the flags of an area. */
#define DOCA_PRIV_APSH_AREA_READ 1u
#define DOCA_PRIV_APSH_AREA_WRITE 2u
#define DOCA_PRIV_APSH_AREA_CODE 4u
#define DOCA_PRIV_APSH_AREA_SHARED 0x80u /* the area may be shared */

#define DOCA_PRIV_APSH_LETTERS 5 /* bytes of the protection of an area in letters, with the NUL */

struct doca_priv_apsh_area {
    uint64_t at; /* address of the kernel's structure; 0: there are no more areas */
    uint64_t start, end;
    uint64_t flags;
    uint64_t file; /* address of the structure of the mapped file; 0: the area maps no file */
};

/* A node of a tree, and the range of addresses that it describes. */
struct doca_priv_apsh_node {
    uint64_t at;
    uint64_t first, last; /* first address of the next slot's range; last address of the node's
                           * range */
    uint32_t next, num;   /* index of the next slot; number of slots */
    unsigned char slots[DOCA_PRIV_APSH_NODE_SLOTS][8]; /* copy of the slots in the target */
    unsigned char pivots[DOCA_PRIV_APSH_NODE_SLOTS - 1][8];
    bool is_leaf;
    bool is_over; /* the slots behind `next` are not in use */
};

/* A walk through the areas of an address space. */
struct doca_priv_apsh_areas {
    struct doca_priv_apsh_kernel *kernel;
    uint64_t mm;
    uint64_t next, previous, end; /* walk of a list: address of the next and of the previous area;
                                   * end of the previous area */
    unsigned depth;
    struct doca_priv_apsh_node nodes[DOCA_PRIV_APSH_TREE_DEPTH];
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_need(const struct doca_priv_apsh_kernel *kernel,
                                                      const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_space(struct doca_priv_apsh_list *list,
                                                       uint64_t *mm);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_begin(struct doca_priv_apsh_areas *areas,
                                                       struct doca_priv_apsh_kernel *kernel,
                                                       uint64_t mm);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_next(struct doca_priv_apsh_areas *areas,
                                                      struct doca_priv_apsh_area *area);
DOCA_PRIV_DECL void doca_priv_apsh_area_letters(const struct doca_priv_apsh_area *area,
                                                char letters[DOCA_PRIV_APSH_LETTERS]);

#endif
