/* amalgamate: manual */
#ifndef DOCA_CORE_CLOCK_H
#define DOCA_CORE_CLOCK_H

#ifndef DOCA_CORE_H
#include "doca_core.h"
#endif

/* amalgamate: config */

#ifdef __cplusplus
extern "C" {
#endif

/* amalgamate: interface */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_CLOCK_H */

#if defined(DOCA_CORE_CLOCK_IMPLEMENTATION) && !defined(DOCA_PRIV_CLOCK_IMPLEMENTED)
#define DOCA_PRIV_CLOCK_IMPLEMENTED

#ifndef DOCA_PRIV_DECL
#define DOCA_PRIV_DECL static
#endif

/* amalgamate: platform */

#ifdef __cplusplus
extern "C" {
#endif

/* amalgamate: private */

/* amalgamate: implementation */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_CLOCK_IMPLEMENTATION */
