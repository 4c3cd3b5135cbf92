/* ---- >>priv.share ---------------------------------------------------------------------------
 * Declarations of >>impl.share for other parts.                                                 */
#ifndef DOCA_SRC_BASE_SHARE_PRIV_H
#define DOCA_SRC_BASE_SHARE_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/system_priv.h"

struct doca_core_refusal;

#if !(defined(__linux__) && !defined(DOCA_CORE_FREESTANDING))
static const bool doca_priv_sys_has_event = false;

static const bool doca_priv_sys_has_dmabuf = false;
#endif

DOCA_PRIV_DECL doca_error_t doca_priv_sys_page_open(uint32_t pid, int at, int *fd, void **page);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_page_close(int fd, void *page);
DOCA_PRIV_DECL DOCA_CORE_UNUSED doca_error_t doca_priv_sys_page_create(int *fd, void **page);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_page_lock(int fd);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_page_touch(int fd);
DOCA_PRIV_DECL DOCA_CORE_UNUSED int doca_priv_sys_process_open(uint32_t pid);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_close(int fd);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_process_is_gone(int process, uint32_t pid,
                                                                   int page_fd);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_listen_open(int *set, int *inotify,
                                                               struct doca_core_refusal *why);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_listen_enable(int inotify, int page_fd,
                                                                 bool is_enabled);
DOCA_PRIV_DECL DOCA_CORE_UNUSED int doca_priv_sys_listen_add(int inotify, int page_fd, bool *is_new,
                                                             struct doca_core_refusal *why);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_listen_remove(int inotify, int watch,
                                                                 bool must_rest);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_listen_process(int set, int process,
                                                                  struct doca_core_refusal *why);
DOCA_PRIV_DECL void doca_priv_sys_listen_drain(int set, int inotify);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_yield(void);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_sleep(uint32_t *word, uint32_t value);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_wake(uint32_t *word);

#endif
