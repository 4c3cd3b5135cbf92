/* ---- >>priv.apsh.kernel ----------------------------------------------------------------------
 * What is known of the kernel of a target after the start: where its page directory and image are,
 * the addresses of some symbols, and the offsets of the members that lists read. Terms: the *image*
 * is the kernel's code and data, which is contiguous in physical memory; the *direct map* is the
 * range of virtual addresses where the kernel maps all physical memory in order.                */
#ifndef DOCA_SRC_COMPAT_APSH_KERNEL_PRIV_H
#define DOCA_SRC_COMPAT_APSH_KERNEL_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/mem_priv.h"

/* X(name, symbol) */
#define DOCA_PRIV_APSH_SYMBOLS(X)                                                                  \
    X(BANNER, "linux_banner")                                                                      \
    X(INIT_TASK, "init_task")                                                                      \
    X(START_BTF, "__start_BTF")                                                                    \
    X(STOP_BTF, "__stop_BTF")                                                                      \
    X(DIRECT, "page_offset_base")

/* X(name, structure, member, its name in other versions, whether the start fails without it) */
#define DOCA_PRIV_APSH_MEMBERS(X)                                                                  \
    X(TASK_TASKS, "task_struct", "tasks", NULL, true)                                              \
    X(TASK_PID, "task_struct", "pid", NULL, true)                                                  \
    X(TASK_TGID, "task_struct", "tgid", NULL, true)                                                \
    X(TASK_COMM, "task_struct", "comm", NULL, true)                                                \
    X(TASK_PARENT, "task_struct", "real_parent", NULL, true)                                       \
    X(TASK_CRED, "task_struct", "cred", NULL, true)                                                \
    X(TASK_STATE, "task_struct", "__state", "state", true)                                         \
    X(TASK_UTIME, "task_struct", "utime", NULL, true)                                              \
    X(TASK_STIME, "task_struct", "stime", NULL, true)                                              \
    X(TASK_SIGNAL, "task_struct", "signal", NULL, true)                                            \
    X(CRED_UID, "cred", "uid", NULL, true)                                                         \
    X(CRED_GID, "cred", "gid", NULL, true)                                                         \
    X(SIGNAL_UTIME, "signal_struct", "utime", NULL, true)                                          \
    X(SIGNAL_STIME, "signal_struct", "stime", NULL, true)

#define DOCA_PRIV_APSH_SYMBOL_ENUM(name, symbol) DOCA_PRIV_APSH_##name,
enum doca_priv_apsh_symbol {
    DOCA_PRIV_APSH_SYMBOLS(DOCA_PRIV_APSH_SYMBOL_ENUM) DOCA_PRIV_APSH_NUM_SYMBOLS
};
#undef DOCA_PRIV_APSH_SYMBOL_ENUM

#define DOCA_PRIV_APSH_MEMBER_ENUM(name, type, member, other, must) DOCA_PRIV_APSH_##name,
enum doca_priv_apsh_member {
    DOCA_PRIV_APSH_MEMBERS(DOCA_PRIV_APSH_MEMBER_ENUM) DOCA_PRIV_APSH_NUM_MEMBERS
};
#undef DOCA_PRIV_APSH_MEMBER_ENUM

struct doca_priv_apsh_kernel {
    struct doca_priv_apsh_mem mem;
    uint64_t root;        /* physical address of the page directory */
    bool has_5_levels;    /* of page tables; otherwise 4 */
    uint64_t delta;       /* virtual minus physical address of the image */
    uint64_t image_start; /* virtual address */
    uint64_t image_end;   /* virtual address behind the image */
    uint64_t direct;      /* address of the direct map; 0: unknown */
    uint64_t symbols[DOCA_PRIV_APSH_NUM_SYMBOLS]; /* virtual addresses; 0: none */
    int32_t offsets[DOCA_PRIV_APSH_NUM_MEMBERS];  /* in bytes; -1: there is no such member */
};

#endif
