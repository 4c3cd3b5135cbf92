/* Checks that the kernel makes before it pins memory. */
#define _GNU_SOURCE
#include "device/driver/checks.h"
#include "device/machine/gid.h"

#include <errno.h>
#include <stdio.h>
#include <sys/uio.h>

#include <rdma/ib_user_ioctl_verbs.h>

int uverbs_check_access(uint32_t access)
{
    const uint32_t known = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
        IB_UVERBS_ACCESS_REMOTE_READ | IB_UVERBS_ACCESS_REMOTE_ATOMIC | IB_UVERBS_ACCESS_MW_BIND |
        IB_UVERBS_ACCESS_ZERO_BASED | IB_UVERBS_ACCESS_HUGETLB |
        IB_UVERBS_ACCESS_OPTIONAL_RANGE;

    if ((access & ~known) != 0)
        return EINVAL;
    /* a remote write also needs local write permission */
    if ((access & (IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_ATOMIC)) != 0 &&
        (access & IB_UVERBS_ACCESS_LOCAL_WRITE) == 0)
        return EINVAL;
    return 0;
}

/* True when a byte in a mapping of a file lies after the end of the file. The kernel cannot pin
 * such a page. */
static bool is_behind_file(pid_t pid, uint64_t addr)
{
    unsigned char byte;
    struct iovec local = {&byte, 1}, remote = {(void *)(uintptr_t)addr, 1};

    return process_vm_readv(pid, &local, 1, &remote, 1, 0) < 0 && errno == EFAULT;
}

int uverbs_check_memory(const struct call *call, uint64_t addr, uint64_t len, bool writable)
{
    return uverbs_check_process(call->pid, addr, len, writable);
}

/* Reads /proc/PID/maps. Pages need not be present, but it must be possible to pin them. */
int uverbs_check_process(pid_t pid, uint64_t addr, uint64_t len, bool writable)
{
    char path[32], line[512], perms[8];
    unsigned long long from, to, inode;
    uint64_t reached = addr, last;
    FILE *maps;

    if (len == 0 || addr + len < addr || addr + len > UINT64_MAX - (SIM_PAGE - 1))
        return EINVAL;
    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    maps = fopen(path, "re");
    if (maps == NULL)
        return EFAULT;
    while (reached < addr + len && fgets(line, sizeof(line), maps) != NULL) {
        if (sscanf(line, "%llx-%llx %7s %*s %*s %llu", &from, &to, perms, &inode) != 4 ||
            to <= reached)
            continue;
        if (from > reached || perms[0] != 'r' || (writable && perms[1] != 'w'))
            break;
        last = (to < addr + len ? to : addr + len) - 1;
        if (inode != 0 && is_behind_file(pid, last))
            break;
        reached = to;
    }
    fclose(maps);
    return reached >= addr + len ? 0 : EFAULT;
}

bool uverbs_path_is_valid(const struct call *call, bool is_global, unsigned sgid_index)
{
    struct sim_gid gid;

    return is_global ? gid_at(call->client->function, sgid_index, &gid) : !machine.profile.ethernet;
}
