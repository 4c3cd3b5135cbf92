/* ---- >>priv.apsh.area ------------------------------------------------------------------------
 * The memory areas of a process, in the order of their addresses.                               */
#ifndef DOCA_SRC_COMPAT_APSH_AREA_PRIV_H
#define DOCA_SRC_COMPAT_APSH_AREA_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"

#define DOCA_PRIV_APSH_TREE_DEPTH 16u /* nodes of a tree above each other, at most */
#define DOCA_PRIV_APSH_NODE_SLOTS 16  /* of a node, at most: it has 256 bytes */

/* Bits of the flags of an area. */
#define DOCA_PRIV_APSH_AREA_READ 1u
#define DOCA_PRIV_APSH_AREA_WRITE 2u
#define DOCA_PRIV_APSH_AREA_CODE 4u
#define DOCA_PRIV_APSH_AREA_SHARED 0x80u /* it may be shared */

#define DOCA_PRIV_APSH_LETTERS 5 /* of the protection of an area, with the NUL */

struct doca_priv_apsh_area {
    uint64_t at; /* address of the kernel's structure; 0: there are no more areas */
    uint64_t start, end;
    uint64_t flags;
    uint64_t file; /* address of the structure of its file; 0: it has none */
};

/* A node of a tree, and the range of addresses that it is about. */
struct doca_priv_apsh_node {
    uint64_t at;
    uint64_t first, last; /* of the range of the next slot, and of the node */
    uint32_t next, num;   /* slots */
    unsigned char slots[DOCA_PRIV_APSH_NODE_SLOTS][8]; /* as they are in the target, and below */
    unsigned char pivots[DOCA_PRIV_APSH_NODE_SLOTS - 1][8];
    bool is_leaf;
    bool is_over; /* the slots behind `next` are not in use */
};

/* A walk through the areas of an address space. */
struct doca_priv_apsh_areas {
    struct doca_priv_apsh_kernel *kernel;
    uint64_t mm;
    uint64_t next, previous, end; /* of the list: areas, and the end of the latest area */
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
