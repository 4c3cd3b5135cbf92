/* amalgamate: manual */
#ifndef DOCA_CORE_LOG_H
#define DOCA_CORE_LOG_H

#include "doca_core.h"

/* amalgamate: config */

#ifdef __cplusplus
extern "C" {
#endif

/* amalgamate: interface */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_LOG_H */

#if defined(DOCA_CORE_LOG_IMPLEMENTATION) && !defined(DOCA_PRIV_LOG_IMPLEMENTED)
#define DOCA_PRIV_LOG_IMPLEMENTED

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

#endif /* DOCA_CORE_LOG_IMPLEMENTATION */
