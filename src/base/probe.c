/* ---- >>impl.probe ---------------------------------------------------------------------------
 * Find out whether a memory range can be read and written, without touching the range. The code
 * asks the kernel for the list of mappings of this process. Other threads can change the mappings
 * at any time, so the answer holds only for the moment of the call.                             */
#include "base/probe_priv.h"

#include "base/config.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"

/* One mapping of this process, as the kernel lists it. */
struct doca_priv_vma {
    uint64_t start;
    uint64_t end;
    bool is_readable;
    bool is_writable;
    bool is_file; /* the mapping has an inode: a file, shared memory or a device */
};

/* Progress of the check of one range. The mappings are passed to doca_priv_probe_feed() in
 * ascending order. */
struct doca_priv_probe {
    uint64_t at; /* first byte for which no mapping was found yet, a multiple of `page` */
    uint64_t end;
    uint64_t page; /* page size in bytes */
    bool is_written;
    enum doca_core_item item; /* first problem found; NONE until then */
    uint64_t bad;             /* address of the first page with that problem */
};

#if defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)

#define DOCA_PRIV_MADV_COLD 20

/* True when the page at `at` of a file mapping lies past the end of the file, so that an access
 * would raise SIGBUS. The kernel can check this without the signal: a read of one byte through
 * process_vm_readv() loads that single page. MADV_COLD comes first because it rejects mappings of
 * devices, locked memory and huge pages: the kernel does not read device memory on behalf of
 * another call, and loading a huge page is expensive. Such mappings are assumed to be complete. */
static bool doca_priv_sys_is_behind_file(uint64_t at, uint64_t page)
{
    struct doca_priv_iovec local, remote;
    unsigned char byte = 0;

    if (doca_priv_sys_call(SYS_madvise, (long)at, (long)page, DOCA_PRIV_MADV_COLD, 0, 0, 0) != 0)
        return false;
    local.base = &byte;
    local.bytes = 1;
    remote.base = (void *)(uintptr_t)at;
    remote.bytes = 1;
    return doca_priv_sys_far_copy(doca_priv_sys_pid(), &local, &remote, 1, 1, false) ==
           DOCA_PRIV_FAR_MEMORY;
}

/* Find the first page of [from, end) that lies past the end of its file. If the last page is
 * inside the file, all pages are; otherwise a binary search finds the first page outside. */
static bool doca_priv_probe_file(struct doca_priv_probe *p, uint64_t from, uint64_t end)
{
    uint64_t good = from - p->page, bad = ((end - 1) & ~(p->page - 1)), middle;

    if (!doca_priv_sys_is_behind_file(bad, p->page))
        return false;
    while (bad - good > p->page) {
        middle = good + (((bad - good) / 2) & ~(p->page - 1));
        if (doca_priv_sys_is_behind_file(middle, p->page))
            bad = middle;
        else
            good = middle;
    }
    p->item = DOCA_CORE_ITEM_MMAP_BEHIND_FILE;
    p->bad = bad;
    return true;
}

/* Check the next mapping. Returns true when the result is known. */
static bool doca_priv_probe_feed(struct doca_priv_probe *p, const struct doca_priv_vma *vma)
{
    uint64_t end = vma->end < p->end ? vma->end : p->end;

    if (vma->end <= p->at)
        return false;
    p->bad = p->at;
    if (vma->start > p->at)
        p->item = DOCA_CORE_ITEM_MMAP_UNMAPPED;
    else if (!vma->is_readable)
        p->item = DOCA_CORE_ITEM_MMAP_UNREADABLE;
    else if (p->is_written && !vma->is_writable)
        p->item = DOCA_CORE_ITEM_MMAP_READ_ONLY;
    else if (!vma->is_file || !doca_priv_probe_file(p, p->at, end))
        p->at = vma->end;
    return p->item != DOCA_CORE_ITEM_NONE || p->at >= p->end;
}

/* Complete the check after the last mapping of the process has been fed: the rest of the range, if
 * there is any, is not mapped. */
static void doca_priv_probe_finish(struct doca_priv_probe *p)
{
    if (p->item != DOCA_CORE_ITEM_NONE || p->at >= p->end)
        return;
    p->item = DOCA_CORE_ITEM_MMAP_UNMAPPED;
    p->bad = p->at;
}

/* The argument of PROCMAP_QUERY (Linux 6.11), as the kernel lays it out. */
struct doca_priv_procmap {
    uint64_t size;
    uint64_t query_flags;
    uint64_t query_addr;
    uint64_t vma_start;
    uint64_t vma_end;
    uint64_t vma_flags;
    uint64_t vma_page_size;
    uint64_t vma_offset;
    uint64_t inode;
    uint32_t dev[2];
    uint32_t name_size;
    uint32_t build_id_size;
    uint64_t name_addr;
    uint64_t build_id_addr;
};

#define DOCA_PRIV_PROCMAP_READABLE 1u
#define DOCA_PRIV_PROCMAP_WRITABLE 2u
#define DOCA_PRIV_PROCMAP_OR_NEXT 16u /* in query_flags: or the next mapping above query_addr */

/* Check the mappings of the range, one query for each. Returns false if the kernel does not support
 * the request. */
static bool doca_priv_probe_by_query(struct doca_priv_probe *p, int fd)
{
    struct doca_priv_procmap q;
    struct doca_priv_vma vma;

    do {
        DOCA_CORE_MEMSET(&q, 0, sizeof(q));
        q.size = sizeof(q);
        q.query_flags = DOCA_PRIV_PROCMAP_OR_NEXT;
        q.query_addr = p->at;
        if (ioctl(fd, _IOWR('f', 17, struct doca_priv_procmap), &q) != 0) {
            if (errno != ENOENT)
                return false;
            break;
        }
        vma.start = q.vma_start;
        vma.end = q.vma_end;
        vma.is_readable = (q.vma_flags & DOCA_PRIV_PROCMAP_READABLE) != 0;
        vma.is_writable = (q.vma_flags & DOCA_PRIV_PROCMAP_WRITABLE) != 0;
        vma.is_file = q.inode != 0;
    } while (!doca_priv_probe_feed(p, &vma));
    doca_priv_probe_finish(p);
    return true;
}

/* Parser state for a line of /proc/self/maps: "start-end rwxp offset dev inode name". */
struct doca_priv_maps_line {
    struct doca_priv_vma vma;
    unsigned field; /* 0: start, 1: end, 2: permissions, ... 5: inode, 6: the rest */
    unsigned column; /* position in the field */
};

/* Parse one byte. Returns true at the end of a line. */
static bool doca_priv_maps_feed(struct doca_priv_maps_line *line, char c)
{
    uint64_t *number = line->field == 0 ? &line->vma.start : &line->vma.end;

    if (c == '\n')
        return true;
    if (line->field < 6 && (c == ' ' || (c == '-' && line->field == 0))) {
        line->field++;
        line->column = 0;
        return false;
    }
    if (line->field <= 1 && doca_priv_hex_digit(c) >= 0)
        *number = *number << 4 | (uint64_t)doca_priv_hex_digit(c);
    else if (line->field == 2 && line->column == 0)
        line->vma.is_readable = c == 'r';
    else if (line->field == 2 && line->column == 1)
        line->vma.is_writable = c == 'w';
    else if (line->field == 5 && c != '0')
        line->vma.is_file = true;
    line->column++;
    return false;
}

/* Read the list of mappings as text, up to the end of the range. Returns false if it cannot be
 * read. */
static bool doca_priv_probe_by_text(struct doca_priv_probe *p, int fd)
{
    struct doca_priv_maps_line line;
    bool is_known = false, is_any = false;
    char part[2048];
    ssize_t len, i;

    DOCA_CORE_MEMSET(&line, 0, sizeof(line));
    while (!is_known && (len = read(fd, part, sizeof(part))) != 0) {
        if (len < 0 && errno != EINTR)
            return false;
        for (i = 0; i < len && !is_known; i++) {
            if (!doca_priv_maps_feed(&line, part[i]))
                continue;
            is_any = true;
            is_known = doca_priv_probe_feed(p, &line.vma);
            DOCA_CORE_MEMSET(&line, 0, sizeof(line));
        }
    }
    if (is_any)
        doca_priv_probe_finish(p);
    return is_any;
}

/* False when part of [at, at + bytes) is known to be unmapped. msync() with MS_ASYNC starts no I/O;
 * it only fails if there is a hole. */
static bool doca_priv_sys_is_mapped(uint64_t at, uint64_t bytes)
{
    return doca_priv_sys_call(SYS_msync, (long)at, (long)bytes, MS_ASYNC, 0, 0, 0) == 0 ||
           errno != ENOMEM;
}

/* Check for unmapped pages only, for systems without /proc/self/maps. Permissions remain unknown
 * and are assumed to be sufficient. */
static void doca_priv_probe_by_hole(struct doca_priv_probe *p)
{
    uint64_t good = p->at, bad = (p->end + p->page - 1) & ~(p->page - 1), middle;

    if (doca_priv_sys_is_mapped(p->at, p->end - p->at))
        return;
    while (bad - good > p->page) { /* mapped up to `good`, with a hole before `bad` */
        middle = good + (((bad - good) / 2) & ~(p->page - 1));
        if (doca_priv_sys_is_mapped(p->at, middle - p->at))
            good = middle;
        else
            bad = middle;
    }
    p->item = DOCA_CORE_ITEM_MMAP_UNMAPPED;
    p->bad = good;
}

/* Check whether all of [addr, addr + len) can be read and, if `is_written`, written. Returns NONE
 * if it can, or if this cannot be determined; otherwise the reason, with the address of the first
 * affected page in *page. Contents and mappings do not change; at most a few pages of each file
 * mapping in the range are loaded. Cost: O(mappings in the range); before Linux 6.11 O(mappings of
 * the process below the end of the range). */
DOCA_PRIV_DECL enum doca_core_item doca_priv_sys_probe(const void *addr, size_t len,
                                                       bool is_written, uintptr_t *page)
{
    struct doca_priv_probe p;
    int fd;

    DOCA_CORE_MEMSET(&p, 0, sizeof(p));
    p.page = getauxval(AT_PAGESZ);
    if (p.page == 0)
        p.page = 4096;
    p.at = (uintptr_t)addr;
#ifdef __aarch64__
    p.at &= UINT64_MAX >> 8; /* the CPU ignores the top byte; tools store tags in it */
#endif
    p.end = p.at + len;
    if (p.end > UINT64_MAX - p.page) /* rounding up would overflow; processes have no memory
                                      * there */
        p.end = UINT64_MAX - p.page;
    p.at &= ~(p.page - 1);
    if (p.at >= p.end) { /* in the last page */
        *page = (uintptr_t)addr;
        return DOCA_CORE_ITEM_MMAP_UNMAPPED;
    }
    p.is_written = is_written;
    fd = open("/proc/self/maps", O_RDONLY | DOCA_PRIV_CLOEXEC);
    if (fd < 0 || (!doca_priv_probe_by_query(&p, fd) && !doca_priv_probe_by_text(&p, fd)))
        doca_priv_probe_by_hole(&p);
    if (fd >= 0)
        close(fd);
    *page = p.bad != 0 ? (uintptr_t)p.bad : (uintptr_t)addr;
    return p.item;
}

#if DOCA_CORE_CHECK >= 2 && !defined(DOCA_CORE_NO_SW)
/* Copy `len` bytes within this process like memmove(), but through the kernel: the kernel returns
 * an error where a direct access would end the process with a signal. Returns false if some of the
 * bytes are unmapped or cannot be written; part of the destination may be overwritten by then. If
 * the kernel lacks the system call, the copy is done directly.
 * Each piece is copied to a buffer on the stack and from there to its destination: the kernel
 * accesses the local side of such a call as the process itself would, but accepts only ordinary
 * memory on the remote side. In both calls the buffer is the remote side. */
DOCA_PRIV_DECL bool doca_priv_sys_move(unsigned char *to, const unsigned char *from, size_t len)
{
    const bool backwards = (uintptr_t)to - (uintptr_t)from < len;
    const uint32_t pid = doca_priv_sys_pid();
    enum doca_priv_sys_far outcome = DOCA_PRIV_FAR_OK;
    struct doca_priv_iovec user, stack;
    unsigned char bounce[8192];
    size_t done, at;

    DOCA_CORE_MEMSET(bounce, 0, sizeof(bounce));
    stack.base = bounce;
    for (done = 0; done < len && outcome == DOCA_PRIV_FAR_OK; done += stack.bytes) {
        stack.bytes = len - done < sizeof(bounce) ? len - done : sizeof(bounce);
        user.bytes = stack.bytes;
        at = backwards ? len - done - stack.bytes : done;
        user.base = (void *)(uintptr_t)(from + at);
        outcome = doca_priv_sys_far_copy(pid, &user, &stack, 1, stack.bytes, true);
        user.base = to + at;
        if (outcome == DOCA_PRIV_FAR_OK)
            outcome = doca_priv_sys_far_copy(pid, &user, &stack, 1, stack.bytes, false);
    }
    if (outcome == DOCA_PRIV_FAR_OK || outcome == DOCA_PRIV_FAR_MEMORY)
        return outcome == DOCA_PRIV_FAR_OK;
    DOCA_CORE_MEMMOVE(to, from, len);
    return true;
}
#endif

#else

DOCA_PRIV_DECL enum doca_core_item doca_priv_sys_probe(const void *addr, size_t len,
                                                       bool is_written, uintptr_t *page)
{
    (void)addr;
    (void)len;
    (void)is_written;
    (void)page;
    return DOCA_CORE_ITEM_NONE;
}

#if DOCA_CORE_CHECK >= 2 && !defined(DOCA_CORE_NO_SW)
DOCA_PRIV_DECL bool doca_priv_sys_move(unsigned char *to, const unsigned char *from, size_t len)
{
    DOCA_CORE_MEMMOVE(to, from, len);
    return true;
}
#endif

#endif
