/* amalgamate: manual */
#ifndef DOCA_CORE_VENDOR_H
#define DOCA_CORE_VENDOR_H

/* Programs for the vendor's SDK share an mmap between threads without a call for this purpose. */
#ifndef DOCA_CORE_SHARED_MMAPS
#define DOCA_CORE_SHARED_MMAPS 1
#endif

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* amalgamate: side */

#ifndef DOCA_CORE_NO_INLINE
#define DOCA_CORE_NO_INLINE /* the library may be of another version */
#endif
#ifdef DOCA_CORE_LEGACY
#include "doca_core_legacy.h"
#else
#include "doca_core.h"
#endif
#include "doca_core_log.h"
#include "doca_core_argp.h"
#include "doca_core_clock.h"
/* App Shield needs pointers of 64 bits, representors and DMA */
#if UINTPTR_MAX > 0xffffffffu && !defined(DOCA_CORE_NO_REP) && !defined(DOCA_CORE_NO_DMA)
#include "doca_core_apsh.h"
#endif
/* Comch needs Linux and representors, and the current API */
#if defined(__linux__) && !defined(DOCA_CORE_NO_REP) && !defined(DOCA_CORE_LEGACY)
#include "doca_core_comch.h"
#endif
/* RDMA needs Linux and sync events, and the current API */
#if defined(__linux__) && !defined(DOCA_CORE_NO_SYNC_EVENT) && !defined(DOCA_CORE_LEGACY)
#include "doca_core_rdma.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* amalgamate: interface */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_VENDOR_H */

#if defined(DOCA_CORE_IMPLEMENTATION) && !defined(DOCA_PRIV_VENDOR_IMPLEMENTED)
#define DOCA_PRIV_VENDOR_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

/* amalgamate: implementation */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_IMPLEMENTATION */
