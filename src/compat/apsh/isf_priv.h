/* ---- >>priv.apsh.isf -------------------------------------------------------------------------
 * symbols.json: the symbols and structures of a kernel in the format of volatility3 (ISF). Such a
 * file has tens of megabytes, of which a system needs some hundred numbers. Terms: a *map* is what
 * was read of the file; a *query* is a member that is looked for; a *root* is a structure that
 * queries begin at, or that the first names of a path lead to; a *part* is a structure or union
 * whose members are members of a root: the root itself, and the anonymous ones in it.           */
#ifndef DOCA_SRC_COMPAT_APSH_ISF_PRIV_H
#define DOCA_SRC_COMPAT_APSH_ISF_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/json_priv.h"
#include "compat/apsh/kernel_priv.h"

#define DOCA_PRIV_APSH_ISF_BANNER 256u
#define DOCA_PRIV_APSH_ISF_PARTS 256u
#define DOCA_PRIV_APSH_ISF_PASSES 16u /* over the structures; as deep can they be nested */

struct doca_priv_apsh_map {
    uint64_t symbols[DOCA_PRIV_APSH_NUM_SYMBOLS]; /* addresses as linked; 0: none */
    int32_t offsets[DOCA_PRIV_APSH_NUM_MEMBERS];  /* in bytes; -1: none */
    uint32_t banner_len;                          /* 0: the file does not tell the banner */
    char banner[DOCA_PRIV_APSH_ISF_BANNER];       /* its beginning */
};

enum doca_priv_apsh_isf_want { /* what a query is for */
    DOCA_PRIV_APSH_ISF_OFFSET,
    DOCA_PRIV_APSH_ISF_COUNT, /* elements of the member: "[]" ends the path */
    DOCA_PRIV_APSH_ISF_SIZE   /* bytes of the structure: the path is "" */
};

struct doca_priv_apsh_isf_query {
    uint64_t name;    /* hash of the name that comes next */
    const char *rest; /* path behind this name; NULL: none */
    uint32_t root;
    int32_t value; /* found; -1: not yet */
    enum doca_priv_apsh_isf_want want;
};

struct doca_priv_apsh_isf_part {
    uint64_t type;   /* hash of its name */
    uint32_t root;   /* that its members belong to */
    uint32_t offset; /* in the structure of the query: what the members' offsets are added to */
    bool is_whole;   /* the structure of the query itself */
    bool is_read;
};

/* A member of a structure of the file. */
struct doca_priv_apsh_isf_field {
    uint64_t name, type; /* hashes */
    uint64_t offset;
    uint64_t count; /* elements of an array; otherwise UINT64_MAX */
    bool is_anonymous;
    bool is_inner; /* a structure or union, not a pointer to it or an array of it */
    bool is_bits;
};

struct doca_priv_apsh_isf {
    struct doca_priv_apsh_map *map;
    uint64_t types_place; /* of the structures in the file; 0: not found */
    bool has_symbols;
    uint32_t num_roots, num_parts;
    struct doca_priv_apsh_isf_query queries[2 * DOCA_PRIV_APSH_NUM_MEMBERS]; /* names, and others */
    struct doca_priv_apsh_isf_part parts[DOCA_PRIV_APSH_ISF_PARTS];
    struct doca_priv_apsh_json json;
};

DOCA_PRIV_DECL bool doca_priv_apsh_isf_load(struct doca_priv_apsh_isf *isf,
                                            struct doca_priv_apsh_map *map, const char *path,
                                            uint64_t *budget);

#endif
