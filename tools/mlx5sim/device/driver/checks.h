/* Checks that the kernel makes before it pins memory. */
#ifndef MLX5SIM_DRIVER_CHECKS_H
#define MLX5SIM_DRIVER_CHECKS_H

#include "device/driver/call.h"

/* Returns 0, or the errno for access flags that are unknown or contradict each other. On-demand
 * paging counts as unknown: only MRs over memory of the program can have it. */
int uverbs_check_access(uint32_t access);

/* Returns 0 when [addr, addr + len) is mapped in the calling process, and is writable if `writable`
 * is set. Otherwise EINVAL or EFAULT. */
int uverbs_check_memory(const struct call *call, uint64_t addr, uint64_t len, bool writable);

/* The same for the memory of any process. */
int uverbs_check_process(pid_t pid, uint64_t addr, uint64_t len, bool writable);

/* True when the function has the GID of a path. Only InfiniBand has paths without a GID. */
bool uverbs_path_is_valid(const struct call *call, bool is_global, unsigned sgid_index);

#endif
