/* ---- >>mlx5.config --------------------------------------------------------------------------
 * All settings of this header. They take effect in the file that contains the implementation.   */
#ifndef DOCA_SRC_MLX5_CONFIG_H
#define DOCA_SRC_MLX5_CONFIG_H

/* amalgamate: skip */
#include "../../doca_core.h"

/* Linkage of private functions and data that several parts use: external in the parts, static in
 * the amalgamated header. The #undef is needed because doca_core.h defines DOCA_PRIV_DECL as static
 * when the compiler optimizes, for its inline functions. */
#undef DOCA_PRIV_DECL
#define DOCA_PRIV_DECL
#define DOCA_PRIV_DATA extern
/* amalgamate: end */

/* Maximal number of RDMA devices that are found, and of devices that are open at the same time,
 * including those opened from PDs. Each takes about 2 KiB of static memory. */
#ifndef DOCA_CORE_MLX5_MAX_DEVS
#define DOCA_CORE_MLX5_MAX_DEVS 16
#endif

/* Maximal number of buffers in a source or destination list. */
#ifndef DOCA_CORE_MLX5_MAX_LIST
#define DOCA_CORE_MLX5_MAX_LIST 64
#endif

/* Maximal number of WQEs of a queue, a power of two that is at least twice DOCA_CORE_MLX5_MAX_LIST.
 * Further tasks wait until the queue has room. */
#ifndef DOCA_CORE_MLX5_MAX_WQES
#define DOCA_CORE_MLX5_MAX_WQES 4096
#endif

/* Maximal number of source bytes that the CPU copies into the WQE of an RDMA WRITE, from 0 to 28.
 * Set it to 0 if the program has mmaps of memory that the CPU cannot read, such as GPU memory
 * registered by its address. */
#ifndef DOCA_CORE_MLX5_MAX_INLINE
#define DOCA_CORE_MLX5_MAX_INLINE 28
#endif

/* Bytes of a page, a power of two. Rings share no page with other data. On a system with larger
 * pages, the rings are on the heap instead of in the blocks of their contexts. */
#ifndef DOCA_CORE_MLX5_PAGE
#if defined(__x86_64__) || defined(__i386__)
#define DOCA_CORE_MLX5_PAGE 4096
#else
#define DOCA_CORE_MLX5_PAGE 65536
#endif
#endif

#if DOCA_CORE_MLX5_MAX_DEVS < 1 || DOCA_CORE_MLX5_MAX_LIST < 1
#error "DOCA_CORE_MLX5_MAX_DEVS and DOCA_CORE_MLX5_MAX_LIST are at least 1"
#endif
#if DOCA_CORE_MLX5_MAX_WQES < 2 * DOCA_CORE_MLX5_MAX_LIST ||                                       \
    (DOCA_CORE_MLX5_MAX_WQES & (DOCA_CORE_MLX5_MAX_WQES - 1)) != 0
#error "DOCA_CORE_MLX5_MAX_WQES is a power of two with room for two lists"
#endif

#if DOCA_CORE_MLX5_MAX_INLINE < 0 || DOCA_CORE_MLX5_MAX_INLINE > 28
#error "DOCA_CORE_MLX5_MAX_INLINE is from 0 to 28"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#endif
