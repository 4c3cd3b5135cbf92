/* ---- >>priv.apsh.layout ----------------------------------------------------------------------
 * Data that only the start of a system needs: a block of the arena that the start releases at its
 * end.                                                                                          */
#ifndef DOCA_SRC_COMPAT_APSH_LAYOUT_PRIV_H
#define DOCA_SRC_COMPAT_APSH_LAYOUT_PRIV_H

#include "compat/apsh/bytes_priv.h"
#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"

#define DOCA_PRIV_APSH_NAMES 96u      /* names of structures and members to look for */
#define DOCA_PRIV_APSH_BUCKETS 256u   /* buckets of the hash table of these names */
#define DOCA_PRIV_APSH_MARK 64u       /* types from one mark to the next */
#define DOCA_PRIV_APSH_MARKS 16384u   /* maximum number of marks: up to 1,048,576 types */
#define DOCA_PRIV_APSH_TOKENS 16384u  /* maximum length in bytes of all tokens of symbol names */

/* Type information (BTF) of the kernel, while it is read. */
struct doca_priv_apsh_btf {
    struct doca_priv_apsh_bytes types;
    struct doca_priv_apsh_bytes strings;
    uint32_t num_types;
    uint32_t num_names;
    struct {
        const char *text;
        uint32_t len;
        uint32_t place; /* offset in the strings; 0: not found */
        uint32_t type;  /* 1 + offset of the structure of this name in the types; 0: not found */
        uint32_t next;  /* 1 + index of the next name of the bucket */
    } names[DOCA_PRIV_APSH_NAMES];
    uint32_t buckets[DOCA_PRIV_APSH_BUCKETS]; /* 1 + index of the first name */
    uint32_t marks[DOCA_PRIV_APSH_MARKS];     /* offset of each DOCA_PRIV_APSH_MARK-th type */
};

/* The table of the kernel's symbols (kallsyms), while it is read: physical addresses of its
 * parts. */
struct doca_priv_apsh_table {
    uint64_t names;
    uint64_t tokens;
    uint64_t index;
    uint64_t offsets;
    uint64_t base; /* address that offsets are relative to; 0: the table has none */
    uint32_t num;
};

struct doca_priv_apsh_scratch {
    struct doca_priv_apsh_table table;
    unsigned char index[512];
    unsigned char tokens[DOCA_PRIV_APSH_TOKENS];
    uint32_t places[DOCA_PRIV_APSH_NUM_SYMBOLS]; /* 1 + numbers of symbols in the table */
    struct doca_priv_apsh_bytes bytes;
    struct doca_priv_apsh_btf btf;
};

DOCA_PRIV_DECL bool doca_priv_apsh_btf_read(struct doca_priv_apsh_kernel *kernel,
                                            struct doca_priv_apsh_btf *btf, uint64_t addr,
                                            uint64_t len);
DOCA_PRIV_DECL void doca_priv_apsh_btf_want(struct doca_priv_apsh_btf *btf, const char *path);
DOCA_PRIV_DECL int32_t doca_priv_apsh_btf_member(struct doca_priv_apsh_btf *btf, const char *type,
                                                 const char *path);
DOCA_PRIV_DECL const char *doca_priv_apsh_layout(struct doca_priv_apsh_kernel *kernel,
                                                 struct doca_priv_apsh_btf *btf);
DOCA_PRIV_DECL const char *doca_priv_apsh_layout_name(unsigned member);
DOCA_PRIV_DECL void doca_priv_apsh_layout_names(struct doca_priv_apsh_btf *btf);
DOCA_PRIV_DECL bool doca_priv_apsh_table_find(struct doca_priv_apsh_kernel *kernel,
                                              struct doca_priv_apsh_scratch *scratch);
DOCA_PRIV_DECL bool doca_priv_apsh_table_read(struct doca_priv_apsh_kernel *kernel,
                                              struct doca_priv_apsh_scratch *scratch);

#endif
