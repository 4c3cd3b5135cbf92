/* ---- >>priv.apsh.isf -------------------------------------------------------------------------
 * symbols.json: the symbols and structures of a kernel in the format of volatility3 (ISF). Such a
 * file has tens of megabytes, and a system needs some hundred numbers of it. Terms:
 *   map    the numbers that were read from the file
 *   query  the search for one member of a structure, by its path
 *   root   the structure in which a query searches at present: first the structure that the query
 *          names, then the member that the first name of the path leads to
 *   part   a structure or union whose members belong to a root: the root itself, or an anonymous
 *          member of a part                                                                     */
#ifndef DOCA_SRC_COMPAT_APSH_ISF_PRIV_H
#define DOCA_SRC_COMPAT_APSH_ISF_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/json_priv.h"
#include "compat/apsh/kernel_priv.h"

#define DOCA_PRIV_APSH_ISF_BANNER 256u
#define DOCA_PRIV_APSH_ISF_PARTS 256u
#define DOCA_PRIV_APSH_ISF_PASSES 16u /* maximum number of times that structures are read */

struct doca_priv_apsh_map {
    uint64_t symbols[DOCA_PRIV_APSH_NUM_SYMBOLS]; /* addresses without KASLR; 0: unknown */
    int32_t offsets[DOCA_PRIV_APSH_NUM_MEMBERS];  /* bytes; -1: unknown */
    uint32_t banner_len;                          /* 0: the file does not contain the banner */
    char banner[DOCA_PRIV_APSH_ISF_BANNER];       /* first bytes of the banner, without a NUL */
};

enum doca_priv_apsh_isf_want { /* the number that a query searches for */
    DOCA_PRIV_APSH_ISF_OFFSET, /* offset of the member in bytes */
    DOCA_PRIV_APSH_ISF_COUNT,  /* number of elements of the member; the path ends with "[]" */
    DOCA_PRIV_APSH_ISF_SIZE    /* size of the structure in bytes; the path is "" */
};

struct doca_priv_apsh_isf_query {
    uint64_t name;    /* hash of the next name of the path; 0: the query is not used */
    const char *rest; /* path after that name, or NULL */
    uint32_t root;    /* number of the root */
    int32_t value;    /* the number that was found, or -1 */
    enum doca_priv_apsh_isf_want want;
};

struct doca_priv_apsh_isf_part {
    uint64_t type;   /* hash of the name of the structure or union */
    uint32_t root;   /* number of the root that the members belong to */
    uint32_t offset; /* byte offset of the part in the structure that the query names */
    bool is_whole;   /* the part is the structure that the query names */
    bool is_read;    /* the members were compared with the queries */
};

/* A member of a structure of the file. */
struct doca_priv_apsh_isf_field {
    uint64_t name, type; /* hashes */
    uint64_t offset;
    uint64_t count; /* number of elements of an array; UINT64_MAX for other types */
    bool is_anonymous;
    bool is_inner; /* the type is a structure or union, and no pointer or array */
    bool is_bits;  /* the type is a bit field */
};

struct doca_priv_apsh_isf {
    struct doca_priv_apsh_map *map;
    uint64_t types_place; /* offset of the structures in the file; 0: not found yet */
    bool has_symbols;
    uint32_t num_roots, num_parts;
    /* query 2 * i is for member i, and query 2 * i + 1 for the member's name in other versions */
    struct doca_priv_apsh_isf_query queries[2 * DOCA_PRIV_APSH_NUM_MEMBERS];
    struct doca_priv_apsh_isf_part parts[DOCA_PRIV_APSH_ISF_PARTS];
    struct doca_priv_apsh_json json;
};

DOCA_PRIV_DECL bool doca_priv_apsh_isf_load(struct doca_priv_apsh_isf *isf,
                                            struct doca_priv_apsh_map *map, const char *path,
                                            uint64_t *budget);

#endif
