/* amalgamate: manual */
#if defined(DOCA_CORE_IMPLEMENTATION) && defined(DOCA_PRIV_LEGACY_NAMED) &&                        \
    !defined(DOCA_PRIV_LEGACY_IMPLEMENTED)
#error "define DOCA_CORE_IMPLEMENTATION before the first include with DOCA_CORE_LEGACY"
#endif

/* amalgamate: view */

#include "doca_core.h"

/* amalgamate: view_old */

#ifndef DOCA_CORE_LEGACY_H
#define DOCA_CORE_LEGACY_H

/* amalgamate: config */

#ifdef __cplusplus
extern "C" {
#endif

/* amalgamate: interface */

#ifdef __cplusplus
}
#endif

/* amalgamate: view_end */

#endif /* DOCA_CORE_LEGACY_H */

#if defined(DOCA_CORE_IMPLEMENTATION) && !defined(DOCA_PRIV_LEGACY_IMPLEMENTED)
#define DOCA_PRIV_LEGACY_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

/* amalgamate: private */

/* amalgamate: implementation */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_IMPLEMENTATION */

/* amalgamate: names */
