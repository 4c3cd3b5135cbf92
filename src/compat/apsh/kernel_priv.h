/* ---- >>priv.apsh.kernel ----------------------------------------------------------------------
 * The properties of a target's kernel that the start finds: where its page directory and image are,
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
    X(DIRECT, "page_offset_base")                                                                  \
    X(MODULE_RING, "modules")

/* X(name, structure, member, name of the member in other versions, whether the start fails without
 * it). A member with "[]" appended stands for the number of its elements, and the member "" for the
 * size of the structure in bytes. */
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
    X(SIGNAL_STIME, "signal_struct", "stime", NULL, true)                                          \
    X(TASK_THREADS, "task_struct", "thread_node", NULL, false)                                     \
    X(SIGNAL_THREADS, "signal_struct", "thread_head", NULL, false)                                 \
    X(TASK_RUNTIME, "task_struct", "se.sum_exec_runtime", NULL, false)                             \
    X(SIGNAL_RUNTIME, "signal_struct", "sum_sched_runtime", NULL, false)                           \
    X(MODULE_LIST, "module", "list", NULL, false)                                                  \
    X(MODULE_NAME_AT, "module", "name", NULL, false)                                               \
    X(MODULE_CORE, "module", "core_layout.size", "core_size", false)                               \
    X(MODULE_INIT, "module", "init_layout.size", "init_size", false)                               \
    X(MODULE_MEM, "module", "mem", NULL, false)                                                    \
    X(MODULE_MEM_NUM, "module", "mem[]", NULL, false)                                              \
    X(MODULE_MEM_BYTES, "module_memory", "", NULL, false)                                          \
    X(MODULE_MEM_SIZE, "module_memory", "size", NULL, false)                                       \
    X(TASK_MM, "task_struct", "mm", NULL, false)                                                   \
    X(MM_TREE, "mm_struct", "mm_mt", NULL, false)                                                  \
    X(MM_AREAS, "mm_struct", "mmap", NULL, false)                                                  \
    X(MM_PGD, "mm_struct", "pgd", NULL, false)                                                     \
    X(MM_VDSO, "mm_struct", "context.vdso", NULL, false)                                           \
    X(MM_ENV_START, "mm_struct", "env_start", NULL, false)                                         \
    X(MM_ENV_END, "mm_struct", "env_end", NULL, false)                                             \
    X(TREE_ROOT, "maple_tree", "ma_root", NULL, false)                                             \
    X(NODE_PARENT, "maple_node", "parent", NULL, false)                                            \
    X(RANGE_PIVOTS, "maple_range_64", "pivot", NULL, false)                                        \
    X(RANGE_SLOTS, "maple_range_64", "slot", NULL, false)                                          \
    X(RANGE_NUM, "maple_range_64", "slot[]", NULL, false)                                          \
    X(ARANGE_PIVOTS, "maple_arange_64", "pivot", NULL, false)                                      \
    X(ARANGE_SLOTS, "maple_arange_64", "slot", NULL, false)                                        \
    X(ARANGE_NUM, "maple_arange_64", "slot[]", NULL, false)                                        \
    X(AREA_START, "vm_area_struct", "vm_start", NULL, false)                                       \
    X(AREA_END, "vm_area_struct", "vm_end", NULL, false)                                           \
    X(AREA_FLAGS, "vm_area_struct", "vm_flags", "__vm_flags", false)                               \
    X(AREA_MM, "vm_area_struct", "vm_mm", NULL, false)                                             \
    X(AREA_FILE, "vm_area_struct", "vm_file", NULL, false)                                         \
    X(AREA_PLACE, "vm_area_struct", "vm_pgoff", NULL, false)                                       \
    X(AREA_NEXT, "vm_area_struct", "vm_next", NULL, false)                                         \
    X(AREA_PREV, "vm_area_struct", "vm_prev", NULL, false)                                         \
    X(FILE_DENTRY, "file", "f_path.dentry", NULL, false)                                           \
    X(FILE_MNT, "file", "f_path.mnt", NULL, false)                                                 \
    X(DENTRY_PARENT, "dentry", "d_parent", NULL, false)                                            \
    X(DENTRY_LEN, "dentry", "d_name.len", NULL, false)                                             \
    X(DENTRY_NAME, "dentry", "d_name.name", NULL, false)                                           \
    X(MNT_ROOT, "vfsmount", "mnt_root", NULL, false)                                               \
    X(MOUNT_MNT, "mount", "mnt", NULL, false)                                                      \
    X(MOUNT_PARENT, "mount", "mnt_parent", NULL, false)                                            \
    X(MOUNT_POINT, "mount", "mnt_mountpoint", NULL, false)

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

#define DOCA_PRIV_APSH_ROOM 1920u /* numbers of 8 bytes */

struct doca_priv_apsh_kernel {
    struct doca_priv_apsh_mem mem;
    uint64_t root;        /* physical address of the page directory */
    bool has_5_levels;    /* page tables have 5 levels; false: 4 */
    uint64_t delta;       /* virtual minus physical address of the image */
    uint64_t image_start; /* virtual address */
    uint64_t image_end;   /* virtual address behind the image */
    uint64_t direct;      /* address of the direct map; 0: unknown */
    uint64_t symbols[DOCA_PRIV_APSH_NUM_SYMBOLS]; /* virtual addresses; 0: unknown */
    int32_t offsets[DOCA_PRIV_APSH_NUM_MEMBERS];  /* in bytes; -1: there is no such member */
    uint64_t room[DOCA_PRIV_APSH_ROOM];           /* scratch memory for the tasks of a list that is
                                                   * being read */
};

#endif
