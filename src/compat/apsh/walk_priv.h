/* ---- >>priv.apsh.walk ------------------------------------------------------------------------
 * Declarations for the other parts.                                                             */
#ifndef DOCA_SRC_COMPAT_APSH_WALK_PRIV_H
#define DOCA_SRC_COMPAT_APSH_WALK_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/platform_priv.h"

#define DOCA_PRIV_APSH_IMAGE_FIRST 0xffffffff80000000u /* lowest address of the kernel's image */
#define DOCA_PRIV_APSH_IMAGE_STEP ((uint64_t)2 << 20)  /* alignment of its beginning */
#define DOCA_PRIV_APSH_IMAGE_STEPS 512u                /* number of places where the image may begin
                                                        * or continue */

/* True when `addr` may be in the direct map, where most structures of the kernel are. */
DOCA_PRIV_APSH_HOT bool doca_priv_apsh_may_be_direct(const struct doca_priv_apsh_kernel *kernel,
                                                     uint64_t addr)
{
    return kernel->direct != 0 && addr >= kernel->direct;
}

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_walk_span(struct doca_priv_apsh_kernel *kernel,
                                                     uint64_t root, uint64_t addr,
                                                     uint64_t *physical, unsigned *span);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_walk(struct doca_priv_apsh_kernel *kernel, uint64_t root,
                                                uint64_t addr, uint64_t *physical);
DOCA_PRIV_DECL bool doca_priv_apsh_is_near(const struct doca_priv_apsh_kernel *kernel,
                                           uint64_t addr);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_translate(struct doca_priv_apsh_kernel *kernel,
                                                     uint64_t addr, uint64_t *physical);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_read(struct doca_priv_apsh_kernel *kernel, uint64_t addr,
                                                void *to, size_t len);
DOCA_PRIV_DECL bool doca_priv_apsh_find_image(struct doca_priv_apsh_kernel *kernel);

#endif
