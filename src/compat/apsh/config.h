/* ---- >>apsh.config ---------------------------------------------------------------------------
 * Limits of this header. Define them before the include, with the same value in every file.     */
#ifndef DOCA_SRC_COMPAT_APSH_CONFIG_H
#define DOCA_SRC_COMPAT_APSH_CONFIG_H

/* amalgamate: skip */
#include "../../../doca_core.h"

/* Private functions and data that several parts use. The amalgamated header makes them static. */
#undef DOCA_PRIV_DECL /* doca_core.h defines it when the compiler optimizes */
#define DOCA_PRIV_DECL
#define DOCA_PRIV_DATA extern
/* amalgamate: end */

#ifdef DOCA_CORE_FREESTANDING
#error "doca_core_apsh.h is for hosted programs"
#endif
#if defined(DOCA_CORE_NO_REP) || defined(DOCA_CORE_NO_DMA)
#error "doca_core_apsh.h needs representors and DMA"
#endif
#if defined(UINTPTR_MAX) && UINTPTR_MAX <= 0xffffffffu
#error "the attributes of App Shield need pointers of 64 bits"
#endif

/* Initial limits of a system: items of a list, and bytes of a string with its NUL. Programs change
 * them with doca_apsh_sys_config(). Assumed: the vendor does not publish its numbers. */
#ifndef DOCA_CORE_APSH_LIST_LIMIT
#define DOCA_CORE_APSH_LIST_LIMIT 65536
#endif
#ifndef DOCA_CORE_APSH_STRING_LIMIT
#define DOCA_CORE_APSH_STRING_LIMIT 4096
#endif

/* Pages of a target that a system caches, unless doca_core_apsh_sys_set_cache() sets another
 * number. */
#ifndef DOCA_CORE_APSH_CACHE_PAGES
#define DOCA_CORE_APSH_CACHE_PAGES 1024
#endif

/* Maximum number of DMA tasks of a start, and of one attempt to read a list whose limit is `limit`.
 * Most tasks of a start read one page of 4 KiB each: two searches may each read all pages of the
 * target. A call that needs more tasks fails with INITIALIZATION. Steps of work are bounded as
 * well, by 64 for each of these tasks, so that no target can keep a call busy. A step is an access
 * to the cache, or one symbol name or one type that a start examines. */
#ifndef DOCA_CORE_APSH_START_READS
#define DOCA_CORE_APSH_START_READS 8650752u
#endif
#define DOCA_CORE_APSH_LIST_READS(limit) (4096u + 16u * (uint64_t)(limit))

/* Maximum number of attempts to read a list when the target changes it during the read. */
#ifndef DOCA_CORE_APSH_TRIES
#define DOCA_CORE_APSH_TRIES 5
#endif

/* DOCA_CORE_APSH_REGIONS is the maximum number of regions in a region file.
 * DOCA_CORE_APSH_FILE_BYTES is the maximum number of bytes that a start reads of a symbol map, or
 * of all maps of a folder. A start reads a map once as a whole, and the structures in it
 * up to 15 times. */
#ifndef DOCA_CORE_APSH_REGIONS
#define DOCA_CORE_APSH_REGIONS 512
#endif
#ifndef DOCA_CORE_APSH_FILE_BYTES
#define DOCA_CORE_APSH_FILE_BYTES ((uint64_t)2 << 30)
#endif

/* Maximum number of bytes that an attestation unpacks from its zip file. Each executable area needs
 * the length of its file. An attestation reads at most DOCA_CORE_APSH_FILE_BYTES of the zip
 * file. */
#ifndef DOCA_CORE_APSH_UNPACK_BYTES
#define DOCA_CORE_APSH_UNPACK_BYTES ((uint64_t)2 << 30)
#endif

/* With the macro DOCA_CORE_APSH_YARA, doca_apsh_yara_get() scans by means of libyara; otherwise the
 * call returns NOT_SUPPORTED. Only the file with the implementation needs the macro; its program is
 * linked with -lyara. DOCA_CORE_APSH_SCAN_BYTES is the maximum sum of the bytes of all windows of a
 * scan. DOCA_CORE_APSH_SCAN_READS is the maximum number of DMA tasks with which a scan reads memory
 * of the process. */
#ifndef DOCA_CORE_APSH_SCAN_BYTES
#define DOCA_CORE_APSH_SCAN_BYTES ((uint64_t)4 << 30)
#endif
#define DOCA_CORE_APSH_SCAN_READS (4096u + (uint64_t)(DOCA_CORE_APSH_SCAN_BYTES) / 2048u)

#define DOCA_PRIV_APSH_LIMITS 10 /* limits from HASHTEST_LIMIT to STRING_LIMIT */

#endif
