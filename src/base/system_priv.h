/* ---- >>priv.system ---------------------------------------------------------------------------
 * Operating system services for the other parts. The code is in >>impl.system and
 * >>impl.share; the latter also has the replacements for builds without an operating
 * system.                                                                                       */
#ifndef DOCA_SRC_BASE_SYSTEM_PRIV_H
#define DOCA_SRC_BASE_SYSTEM_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/log.h"

/* One contiguous piece of memory, laid out like the kernel's struct iovec. */
struct doca_priv_iovec {
    void *base;
    size_t bytes;
};

/* Result of an access to the memory of another process. */
enum doca_priv_sys_far {
    DOCA_PRIV_FAR_OK,
    DOCA_PRIV_FAR_GONE,    /* the process does not exist */
    DOCA_PRIV_FAR_GUARDED, /* no permission to trace the process */
    DOCA_PRIV_FAR_MEMORY,  /* the process has no memory at this address, or cannot write it */
    DOCA_PRIV_FAR_KERNEL   /* the kernel lacks the system call, or failed otherwise */
};

#define DOCA_PRIV_PAGE_BYTES 4096
#define DOCA_PRIV_PAGE_SCRATCH 2048 /* offset of the bytes that doca_priv_sys_page_touch() writes */
#define DOCA_PRIV_SEALS 7           /* F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW */

#if defined(DOCA_CORE_NO_LOG)
/* A text that is used only in log lines. */
#define DOCA_PRIV_LOG_TEXT(text) NULL
#endif
#if !defined(DOCA_CORE_NO_LOG)
#define DOCA_PRIV_LOG_TEXT(text) (text)
#endif

#if defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)
/* The notification handle is an epoll set that contains an eventfd and all other descriptors to
 * watch. Functions that open or watch a descriptor return -1 or false on failure, with the cause in
 * errno. */
static const bool doca_priv_sys_has_event = true;

#define DOCA_PRIV_CLOEXEC EFD_CLOEXEC /* value of O_CLOEXEC, because strict C hides the name */
#define DOCA_PRIV_PATH_ONLY 010000000 /* O_PATH */
#define DOCA_PRIV_GET_SEALS 1034      /* F_GET_SEALS */

static const bool doca_priv_sys_has_dmabuf = true;
#endif

DOCA_PRIV_DECL uint32_t doca_priv_serial(void);
#if defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)
DOCA_PRIV_DECL DOCA_CORE_UNUSED long doca_priv_sys_call(long number, long a, long b, long c, long d,
                                                        long e, long f);
#endif
DOCA_PRIV_DECL int doca_priv_sys_keep(int fd);
DOCA_PRIV_DECL void doca_priv_sys_print(const char *line, size_t len);
DOCA_PRIV_DECL const char *doca_priv_sys_env(const char *name);
DOCA_PRIV_DECL bool doca_priv_sys_watch(int set, int fd);
DOCA_PRIV_DECL void doca_priv_sys_unwatch(int set, int fd);
DOCA_PRIV_DECL void doca_priv_sys_wait_close(int set, int event_fd);
DOCA_PRIV_DECL int doca_priv_sys_errno(void);
DOCA_PRIV_DECL const char *doca_priv_sys_errno_name(int error);
DOCA_PRIV_DECL const char *doca_priv_sys_errno_hint(int error);
DOCA_PRIV_DECL int doca_priv_sys_event_open(void);
DOCA_PRIV_DECL int doca_priv_sys_wait_open(int *event_fd);
DOCA_PRIV_DECL bool doca_priv_sys_event_signal(int fd);
DOCA_PRIV_DECL bool doca_priv_sys_event_drain(int fd);
DOCA_PRIV_DECL uint32_t doca_priv_sys_pid(void);
#if DOCA_CORE_CHECK >= 2
DOCA_PRIV_DECL void doca_priv_sys_at_fork(void (*in_child)(void));
#endif
DOCA_PRIV_DECL bool doca_priv_sys_random(uint64_t *x);
DOCA_PRIV_DECL enum doca_core_item doca_priv_sys_machine(uint64_t *machine);
DOCA_PRIV_DECL enum doca_priv_sys_far doca_priv_sys_far_copy(uint32_t pid,
                                                             const struct doca_priv_iovec *local,
                                                             const struct doca_priv_iovec *remote,
                                                             unsigned num, size_t bytes,
                                                             bool is_write);
DOCA_PRIV_DECL void doca_priv_sys_far_permit(void);
DOCA_PRIV_DECL unsigned char *doca_priv_sys_dmabuf_map(int fd, size_t offset, size_t len,
                                                       bool is_written);
DOCA_PRIV_DECL void doca_priv_sys_dmabuf_unmap(unsigned char *view, size_t len);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_dmabuf_sync(int fd, bool begins);
DOCA_PRIV_DECL DOCA_CORE_UNUSED int doca_priv_sys_file_open(const char *path, uint64_t *bytes);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_file_read(int fd, uint64_t offset, void *to,
                                                             size_t len);
DOCA_PRIV_DECL DOCA_CORE_UNUSED const unsigned char *doca_priv_sys_file_map(int fd, size_t len);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_file_is_data(int fd, uint64_t offset);
DOCA_PRIV_DECL bool doca_priv_sys_lists_ipv6(void);
DOCA_PRIV_DECL void doca_priv_sys_iface(const char *name, uint8_t *mac, uint8_t *ipv4,
                                        uint8_t *ipv6);

#endif
