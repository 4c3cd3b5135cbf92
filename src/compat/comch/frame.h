/* amalgamate: manual */
#if defined(DOCA_CORE_COMCH_IMPLEMENTATION) && !defined(DOCA_CORE_IMPLEMENTATION) &&               \
    !defined(DOCA_PRIV_COMCH_IMPLEMENTED)
#error "define DOCA_CORE_IMPLEMENTATION in the file that defines DOCA_CORE_COMCH_IMPLEMENTATION"
#endif

#include "doca_core.h"

#ifndef DOCA_CORE_COMCH_H
#define DOCA_CORE_COMCH_H

/* amalgamate: config */

#ifdef __cplusplus
extern "C" {
#endif

/* amalgamate: interface */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_COMCH_H */

#if defined(DOCA_CORE_COMCH_IMPLEMENTATION) && !defined(DOCA_PRIV_COMCH_IMPLEMENTED)
#define DOCA_PRIV_COMCH_IMPLEMENTED

/* amalgamate: platform */

#ifdef __cplusplus
extern "C" {
#endif

/* amalgamate: private */

/* amalgamate: implementation */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_COMCH_IMPLEMENTATION */

/* amalgamate: names */
