/* ---- >>config -------------------------------------------------------------------------------
 * Every compile-time setting of the header. Define a setting before the include, with the same
 * value in every file of the program.                                                           */
#ifndef DOCA_SRC_BASE_CONFIG_H
#define DOCA_SRC_BASE_CONFIG_H

/* amalgamate: skip */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* amalgamate: end */

#define DOCA_CORE_VERSION_MAJOR 0
#define DOCA_CORE_VERSION_MINOR 1
#define DOCA_CORE_VERSION_PATCH 0

/* The DOCA API version whose signatures this header declares: 20501 (DOCA 2.5.1) or 30000 (DOCA
 * 3.x). The function names of both versions are declared in either case. A function whose
 * parameters changed in 3.0 exists in both forms: NAME is the 2.5.1 form, doca_core_v3_... the 3.x
 * form. With 30000, macros at the end of this file map the vendor's name to the 3.x form. They are
 * object-like macros (no parameter list), so a program can still take the function's address.
 * Programs compiled for either version can be linked with the same implementation. */
#ifndef DOCA_CORE_API
#define DOCA_CORE_API 20501
#endif

/* How much misuse the library detects.
 *   0  control-path calls check their documented preconditions; data-path calls check only what is
 *      needed to stay memory-safe.
 *   1  (default) also checks, with one comparison per call, that each handle refers to a live
 *      object of the right type.
 *   2  the checked mode, for development: everything listed in >>check. */
#ifndef DOCA_CORE_CHECK
#define DOCA_CORE_CHECK 1
#endif

/* Length of the event history of the checked mode, a power of two. There are two histories of this
 * length: the first for tasks, buffers, batches and graph instances, the second for all other
 * objects. An event takes 24 bytes of static memory. */
#ifndef DOCA_CORE_CHECK_NOTES
#define DOCA_CORE_CHECK_NOTES 16384
#endif

/* Length of the quarantine in the checked mode: a released task or buffer is reused only after this
 * many others have been allocated, and a released arena block only after this many others have been
 * released. Until then, any use of a stale handle is reported. Each pool of tasks or buffers has
 * this many extra elements. Write a plain decimal number: it becomes part of a symbol name by which
 * the linker detects files compiled with different settings. */
#ifndef DOCA_CORE_CHECK_LIVES
#define DOCA_CORE_CHECK_LIVES 64
#endif

/* 1: record the events of tasks while a recording runs (>>trace). 0 (default): generate no code for
 * it. Use the same value in every file of the program. */
#ifndef DOCA_CORE_TRACE
#define DOCA_CORE_TRACE 0
#endif

/* Size in bytes of the default arena, a static array from which objects are allocated when the
 * program has bound no arena. 0 removes the array. Its pages use no physical memory until they are
 * touched. The default size holds 4,098 mmaps and several contexts of 4,096 tasks each. */
#ifndef DOCA_CORE_DEFAULT_ARENA_BYTES
#define DOCA_CORE_DEFAULT_ARENA_BYTES (64u << 20)
#endif

/* Number of devices that an mmap can hold without a call of doca_mmap_set_max_num_devices(). The
 * room for each device takes 16 bytes of every mmap. A larger number set by that call takes a
 * second block from the arena. Write a plain decimal number: it becomes part of a symbol name by
 * which the linker detects files compiled with different settings. */
#ifndef DOCA_CORE_MMAP_DEVS
#define DOCA_CORE_MMAP_DEVS 4
#endif

/* Whether threads may share an mmap without calling doca_mmap_enable_thread_safety().
 *   1  The buffers of every mmap are counted by atomic additions. Threads may then share an mmap,
 *      each with its own inventory or pool. The compiled library sets this, and so do programs that
 *      include the vendor's header names.
 *   0  (default) Only an mmap with doca_mmap_enable_thread_safety() counts its buffers atomically;
 *      other mmaps use plain additions.
 * Files of one program may use different values; a file compiled with 0 uses plain additions. */
#ifndef DOCA_CORE_SHARED_MMAPS
#define DOCA_CORE_SHARED_MMAPS 0
#endif

/* Number of inventories and pools that the library remembers. When the buffer count of an mmap is
 * not 0 at stop or destroy, the library searches these inventories and pools for buffers of the
 * mmap to verify the count. If more inventories and pools exist, the count is not verified. Each of
 * them takes one pointer of static memory. */
#ifndef DOCA_CORE_MAX_STOCKS
#define DOCA_CORE_MAX_STOCKS 64
#endif

/* Maximum number of devices open in the process at the same time, 1 to 64. */
#ifndef DOCA_CORE_MAX_DEVS
#define DOCA_CORE_MAX_DEVS 32
#endif

/* Maximum number of registered backends, including the software device. */
#ifndef DOCA_CORE_MAX_BACKENDS
#define DOCA_CORE_MAX_BACKENDS 4
#endif

/* Maximum number of devices in the software topology, both sides together. Each takes about one
 * kilobyte of static memory, which stays untouched until a device list is made. */
#ifndef DOCA_CORE_SW_MAX_DEVS
#define DOCA_CORE_SW_MAX_DEVS 64
#endif

/* DOCA_ARCH_DPU, DOCA_ARCH_HOST
 *                         the vendor's macros. If one of them is defined for the implementation,
 *                         the process is on that side of the software topology (see >>sw). If both
 *                         are defined, DPU applies.
 * DOCA_CORE_PROCESS_SIDE  used if neither of these macros is defined: an expression that gives an
 *                         enum doca_core_side; default BOTH. It is meant for an implementation that
 *                         is compiled before the program is known. */

/* DOCA_CORE_FREESTANDING  no operating system: no <string.h> (the four mem functions must be linked
 *                         in), no notification handle, no default log sink, no environment
 *                         variables, no interface addresses. The last four are also missing on
 *                         hosted systems other than Linux.
 * DOCA_CORE_DPDK          compile the real functions of >>bridge.dpdk: the implementation then
 *                         includes the headers of DPDK 22.11 or later, which need GNU C, and the
 *                         program is linked with libdpdk.
 * DOCA_CORE_SINGLE_THREAD for programs with one thread: no locks are taken. Data shared with other
 *                         processes is still accessed atomically, except with
 *                         DOCA_CORE_FREESTANDING or on CPUs without 64-bit atomics, where all loads
 *                         and stores are plain.
 * DOCA_CORE_NO_SIMD       the software device hashes in plain C. By default it uses the vector and
 *                         SHA instructions that it finds on the CPU at run time (x86-64 and
 *                         AArch64; not with DOCA_CORE_FREESTANDING, as vector registers may be off
 *                         limits there).
 * DOCA_CORE_NO_REP, _POOL, _BUF_ARRAY, _BATCH, _DMA, _SHA, _MMAP_ADVISE, _SYNC_EVENT, _GRAPH,
 * _BRIDGE, _SW, _FAULT, _TRACE, _STATS
 *                         leave a module out: the functions of the section with this name are
 *                         neither declared nor compiled. Types stay declared. Without SW, only the
 *                         devices of registered backends exist, and MMAP_ADVISE is left out, too.
 * DOCA_CORE_NO_LOG        leave out the explanatory texts of log items; log lines show the names of
 *                         the items instead.
 * DOCA_CORE_NO_INLINE     do not inline the calls of the data path. By default, optimised builds
 *                         with GCC or Clang inline them: macros map the calls of >>hot to inline
 *                         functions of this header. Define it in programs that are linked with an
 *                         implementation of another version.
 * DOCA_CORE_STATIC        every function is static to the file that includes the header, which must
 *                         also define DOCA_CORE_IMPLEMENTATION. Such a file has its own devices,
 *                         bound arena and default arena. (gcc may then warn about variables that a
 *                         failing call leaves unset; use -Wno-maybe-uninitialized.)
 * DOCA_CORE_THREAD_LOCAL  storage class of the last-error record; may be empty.
 * DOCA_CORE_RELAX()       a statement executed in every iteration of a spin loop: while waiting for
 *                         a lock that another thread holds, and between two reads of the value in
 *                         doca_sync_event_wait_gt(). Empty by default. Define it to yield the CPU
 *                         if real-time threads share a core.
 * DOCA_CORE_MEMCPY, DOCA_CORE_MEMMOVE, DOCA_CORE_MEMSET, DOCA_CORE_MEMCMP
 *                         replacements for the functions of the C library. */

#if defined(DOCA_CORE_NO_SW) && !defined(DOCA_CORE_NO_MMAP_ADVISE)
#define DOCA_CORE_NO_MMAP_ADVISE
#endif

#if DOCA_CORE_TRACE && defined(DOCA_CORE_NO_TRACE)
#error "DOCA_CORE_TRACE needs the module that DOCA_CORE_NO_TRACE leaves out"
#endif
#if DOCA_CORE_MAX_DEVS < 1 || DOCA_CORE_MAX_DEVS > 64
#error "DOCA_CORE_MAX_DEVS is 1 to 64: an mmap keeps its devices as bits of one 64-bit word"
#endif
#if (DOCA_CORE_DEFAULT_ARENA_BYTES) != 0 && (DOCA_CORE_DEFAULT_ARENA_BYTES) < 128
#error "DOCA_CORE_DEFAULT_ARENA_BYTES is 0, or at least two lines"
#endif
#if DOCA_CORE_MMAP_DEVS < 1 || DOCA_CORE_MAX_BACKENDS < 1 || DOCA_CORE_MAX_STOCKS < 1
#error "DOCA_CORE_MMAP_DEVS, DOCA_CORE_MAX_BACKENDS and DOCA_CORE_MAX_STOCKS are at least 1"
#endif
#if DOCA_CORE_SW_MAX_DEVS < 9
#error "DOCA_CORE_SW_MAX_DEVS is at least 9: the default topology has so many"
#endif
#if DOCA_CORE_CHECK < 0 || DOCA_CORE_CHECK > 2
#error "DOCA_CORE_CHECK is 0, 1 or 2"
#endif
#if DOCA_CORE_CHECK_NOTES < 1 || (DOCA_CORE_CHECK_NOTES & (DOCA_CORE_CHECK_NOTES - 1)) != 0
#error "DOCA_CORE_CHECK_NOTES is a power of two"
#endif
#if DOCA_CORE_CHECK_LIVES < 1 || DOCA_CORE_CHECK_LIVES > 65536
#error "DOCA_CORE_CHECK_LIVES is 1 to 65536"
#endif
#if DOCA_CORE_API != 20501 && DOCA_CORE_API != 30000
#error "DOCA_CORE_API is 20501 or 30000"
#endif

#if DOCA_CORE_CHECK >= 2
#define DOCA_PRIV_CHECKED(what) what
#define DOCA_PRIV_CHECK_QUARANTINED DOCA_CORE_CHECK_LIVES
#else
#define DOCA_PRIV_CHECKED(what)
#define DOCA_PRIV_CHECK_QUARANTINED 0
#endif

#define DOCA_CORE_LINE 64 /* bytes per cache line: unit and alignment of all arena blocks */

#if defined(__GNUC__) && !defined(__TINYC__) /* Clang defines __GNUC__, too */
#define DOCA_CORE_ALIGNED __attribute__((aligned(DOCA_CORE_LINE)))
/* for ABIs that align uint64_t to less than 8 bytes */
#define DOCA_PRIV_ALIGNED_8 __attribute__((aligned(8)))
#define DOCA_CORE_UNUSED __attribute__((unused))
#elif defined(__cplusplus)
#define DOCA_CORE_ALIGNED alignas(DOCA_CORE_LINE)
#define DOCA_PRIV_ALIGNED_8
#define DOCA_CORE_UNUSED
#else
#define DOCA_CORE_ALIGNED _Alignas(DOCA_CORE_LINE)
#define DOCA_PRIV_ALIGNED_8
#define DOCA_CORE_UNUSED
#endif

#ifdef DOCA_CORE_STATIC
#define DOCA_CORE_DECL static DOCA_CORE_UNUSED
#else
#define DOCA_CORE_DECL extern
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A link-time check that all files agree about the sizes of structures: every file refers to a
 * symbol whose name contains the settings that change these sizes, and the implementation defines
 * this symbol only for its own settings. */
#define DOCA_PRIV_PASTE(a, b) a##b
#define DOCA_PRIV_ABI_PASTE(a, b) DOCA_PRIV_PASTE(a, b)
#if DOCA_CORE_CHECK >= 2
#define DOCA_PRIV_ABI_LIVES                                                                        \
    DOCA_PRIV_ABI_PASTE(doca_core_check_2_lives_is_, DOCA_CORE_CHECK_LIVES)
#define DOCA_PRIV_ABI_NAME DOCA_PRIV_ABI_PASTE(DOCA_PRIV_ABI_LIVES, _mmap_devs_is_)
#else
#define DOCA_PRIV_ABI_NAME doca_core_mmap_devs_is_
#endif
#define DOCA_PRIV_ABI DOCA_PRIV_ABI_PASTE(DOCA_PRIV_ABI_NAME, DOCA_CORE_MMAP_DEVS)
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(DOCA_CORE_STATIC)
extern const char DOCA_PRIV_ABI;
static const char *const doca_priv_abi __attribute__((used)) = &DOCA_PRIV_ABI;
#endif

#endif
