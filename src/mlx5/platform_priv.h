/* ---- >>mlx5.priv.platform --------------------------------------------------------------------
 * System headers, and declarations that are missing when the program asks for standard C only.  */
#ifndef DOCA_SRC_MLX5_PLATFORM_PRIV_H
#define DOCA_SRC_MLX5_PLATFORM_PRIV_H

#include "mlx5/config.h"

#if !defined(__linux__) || !defined(__GNUC__)
#error "doca_core_mlx5.h needs Linux and GNU C"
#endif

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>

#ifndef DOCA_CORE_RELAX
#define DOCA_CORE_RELAX() ((void)0)
#endif

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif
#ifndef O_CLOEXEC
#define O_CLOEXEC 02000000
#endif
#if !defined(__cplusplus) && !defined(__USE_MISC) && !defined(__USE_XOPEN_EXTENDED)
extern char *realpath(const char *path, char *resolved);
#endif

#ifdef __cplusplus
extern "C" {
#define DOCA_PRIV_MLX5_ASSERT(name, what) static_assert(what, #name)
#else
#define DOCA_PRIV_MLX5_ASSERT(name, what)                                                          \
    typedef char doca_priv_mlx5_assert_##name[(what) ? 1 : -1] DOCA_CORE_UNUSED
#endif

#endif
