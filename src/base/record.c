/* ---- >>impl.record --------------------------------------------------------------------------
 * Operating system services for recordings (>>trace) and statistics (>>stats).                  */
#include "base/record_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/types.h"

#if defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)

#define DOCA_PRIV_WIPE_ON_FORK 18 /* MADV_WIPEONFORK, Linux 4.14 and later */
#define DOCA_PRIV_WIPED 65536     /* bytes of the largest page of a supported machine */

/* Return a word that is 0 in every forked child of this process. The words are alone in their
 * pages, and the kernel clears these pages in the child. Kernels before 4.14 do not clear them, so
 * a child sees the parent's value. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED uint32_t *
doca_priv_sys_word_of_process(enum doca_priv_sys_word which)
{
    static unsigned char pages[2 * DOCA_PRIV_WIPED];
    unsigned char *page = pages + (DOCA_PRIV_WIPED - (uintptr_t)pages % DOCA_PRIV_WIPED);

    (void)doca_priv_sys_call(SYS_madvise, (long)page, DOCA_PRIV_WIPED, DOCA_PRIV_WIPE_ON_FORK, 0, 0,
                             0);
    return (uint32_t *)(void *)page + which;
}

#else

DOCA_PRIV_DECL DOCA_CORE_UNUSED uint32_t *
doca_priv_sys_word_of_process(enum doca_priv_sys_word which)
{
    static uint32_t words[DOCA_PRIV_WORDS];

    return &words[which];
}

#endif

#if DOCA_CORE_TRACE && defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)

DOCA_PRIV_DECL uint32_t doca_priv_sys_thread(void)
{
    return (uint32_t)doca_priv_sys_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

/* Get the name of the program, cut to `bytes` with the NUL; empty when /proc is missing. */
DOCA_PRIV_DECL void doca_priv_sys_program(char *name, size_t bytes)
{
    int fd = open("/proc/self/comm", O_RDONLY | DOCA_PRIV_CLOEXEC);
    ssize_t len = fd < 0 ? -1 : read(fd, name, bytes - 1);

    if (fd >= 0)
        close(fd);
    name[len > 0 && name[len - 1] == '\n' ? len - 1 : len > 0 ? len : 0] = '\0';
}

/* Give the file `bytes` bytes, so that no later write finds the disk full. */
static bool doca_priv_sys_allocate(int fd, size_t bytes)
{
#if UINTPTR_MAX > UINT32_MAX /* smaller machines pass 64-bit arguments in different ways */
    if (doca_priv_sys_call(SYS_fallocate, fd, 0, 0, (long)bytes, 0, 0) == 0)
        return true;
    if (errno != EOPNOTSUPP)
        return false;
#endif
    return doca_priv_sys_call(SYS_ftruncate, fd, (long)bytes, 0, 0, 0, 0) == 0;
}

/* Create or empty a file and map it. Returns NULL with the reason in *why. */
DOCA_PRIV_DECL void *doca_priv_sys_map_file(const char *path, size_t bytes,
                                            struct doca_core_refusal *why)
{
    void *map = MAP_FAILED;
    int fd = doca_priv_sys_keep(open(path, O_RDWR | O_CREAT | O_TRUNC | DOCA_PRIV_CLOEXEC, 0600));

    why->step = DOCA_PRIV_LOG_TEXT("create the file");
    if (fd >= 0) {
        why->step = DOCA_PRIV_LOG_TEXT("allocate the bytes of the file");
        if (doca_priv_sys_allocate(fd, bytes)) {
            why->step = DOCA_PRIV_LOG_TEXT("map the file");
            map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        }
    }
    why->error = errno;
    if (fd >= 0)
        close(fd);
    return map == MAP_FAILED ? NULL : map;
}

DOCA_PRIV_DECL void doca_priv_sys_unmap_file(void *map, size_t bytes)
{
    (void)munmap(map, bytes);
}

#elif DOCA_CORE_TRACE

/* Without an operating system there is one process, and all threads have the number 0. */
DOCA_PRIV_DECL uint32_t doca_priv_sys_thread(void)
{
    return 0;
}

DOCA_PRIV_DECL void doca_priv_sys_program(char *name, size_t bytes)
{
    (void)bytes;
    name[0] = '\0';
}

DOCA_PRIV_DECL void *doca_priv_sys_map_file(const char *path, size_t bytes,
                                            struct doca_core_refusal *why)
{
    (void)path;
    (void)bytes;
    why->step = DOCA_PRIV_LOG_TEXT("create a file without an operating system");
    return NULL;
}

DOCA_PRIV_DECL void doca_priv_sys_unmap_file(void *map, size_t bytes)
{
    (void)map;
    (void)bytes;
}

#endif
