/* ---- >>impl.apsh.walk ------------------------------------------------------------------------
 * Page tables of x86-64 with 4 or 5 levels. A walk reads one entry for each level, so its length is
 * bounded even when tables refer to themselves; each entry is read only if it is in memory of the
 * target. To support another processor, replace doca_priv_apsh_walk_span(); the rest of this file
 * stays the same.                                                                               */
#include "compat/apsh/walk_priv.h"

#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"

#define DOCA_PRIV_APSH_ENTRY_ADDR 0x000ffffffffff000u /* physical address in an entry */
#define DOCA_PRIV_APSH_PRESENT 1u
#define DOCA_PRIV_APSH_LEAF 0x80u /* the entry maps a page of 2 MiB or 1 GiB */

/* Translate a virtual address by the page directory at `root`. NOT_FOUND: the address is not
 * canonical or not mapped, or a table is not in memory of the target. *span receives a number of
 * low bits: addresses that differ only in these bits are all mapped, as one page, or all not
 * mapped. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_walk_span(struct doca_priv_apsh_kernel *kernel,
                                                     uint64_t root, uint64_t addr,
                                                     uint64_t *physical, unsigned *span)
{
    const unsigned top = kernel->has_5_levels ? 56 : 47; /* index of the highest significant bit;
                                                          * all higher bits must equal it */
    const uint64_t sign = addr >> top;
    uint64_t entry, table = root & DOCA_PRIV_APSH_ENTRY_ADDR;
    doca_error_t rc;
    unsigned shift;

    *span = top;
    if (sign != 0 && sign != UINT64_MAX >> top)
        return DOCA_ERROR_NOT_FOUND;
    for (shift = kernel->has_5_levels ? 48 : 39; shift >= 12; shift -= 9) {
        *span = shift;
        rc = doca_priv_apsh_mem_read(&kernel->mem, table + (addr >> shift & 511) * sizeof(entry),
                                     &entry, sizeof(entry));
        if (rc != DOCA_SUCCESS)
            return rc;
        if ((entry & DOCA_PRIV_APSH_PRESENT) == 0)
            return DOCA_ERROR_NOT_FOUND;
        table = entry & DOCA_PRIV_APSH_ENTRY_ADDR;
        if (shift == 12 || (shift <= 30 && (entry & DOCA_PRIV_APSH_LEAF) != 0)) {
            const uint64_t inside = ((uint64_t)1 << shift) - 1;

            *physical = (table & ~inside) | (addr & inside);
            return DOCA_SUCCESS;
        }
    }
    return DOCA_ERROR_NOT_FOUND;
}

/* Translate a virtual address by the page directory at `root`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_walk(struct doca_priv_apsh_kernel *kernel, uint64_t root,
                                                uint64_t addr, uint64_t *physical)
{
    unsigned span;

    return doca_priv_apsh_walk_span(kernel, root, addr, physical, &span);
}

/* True when a recently accessed block contains the byte at `addr` of the direct map. */
DOCA_PRIV_DECL bool doca_priv_apsh_is_near(const struct doca_priv_apsh_kernel *kernel,
                                           uint64_t addr)
{
    return doca_priv_apsh_may_be_direct(kernel, addr) &&
           doca_priv_apsh_mem_holds(&kernel->mem, addr - kernel->direct);
}

/* Translate an address of the kernel. Addresses in the image and in the direct map need no walk. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_translate(struct doca_priv_apsh_kernel *kernel,
                                                     uint64_t addr, uint64_t *physical)
{
    if (addr >= kernel->image_start && addr < kernel->image_end) {
        *physical = addr - kernel->delta;
        return DOCA_SUCCESS;
    }
    if (doca_priv_apsh_may_be_direct(kernel, addr) &&
        doca_priv_apsh_mem_has(&kernel->mem, addr - kernel->direct, 1)) {
        *physical = addr - kernel->direct;
        return DOCA_SUCCESS;
    }
    return doca_priv_apsh_walk(kernel, kernel->root, addr, physical);
}

/* Read memory of the kernel. NOT_FOUND: a part is not mapped. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_read(struct doca_priv_apsh_kernel *kernel, uint64_t addr,
                                                void *to, size_t len)
{
    unsigned char *out = (unsigned char *)to;
    uint64_t physical;
    doca_error_t rc;
    size_t n;

    if (doca_priv_apsh_may_be_direct(kernel, addr) &&
        doca_priv_apsh_mem_take(&kernel->mem, addr - kernel->direct, to, len))
        return DOCA_SUCCESS;
    for (; len > 0; addr += n, out += n, len -= n) {
        n = DOCA_PRIV_APSH_PAGE - (size_t)(addr % DOCA_PRIV_APSH_PAGE);
        n = n < len ? n : len;
        rc = doca_priv_apsh_translate(kernel, addr, &physical);
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_apsh_mem_read(&kernel->mem, physical, out, n);
        if (rc != DOCA_SUCCESS)
            return rc;
    }
    return DOCA_SUCCESS;
}

/* Find the image by the page directory: the first multiple of 2 MiB that is mapped, and the
 * contiguous memory after it. Sets delta, image_start and image_end. */
DOCA_PRIV_DECL bool doca_priv_apsh_find_image(struct doca_priv_apsh_kernel *kernel)
{
    uint64_t addr = DOCA_PRIV_APSH_IMAGE_FIRST, physical;
    unsigned i;

    kernel->image_start = kernel->image_end = 0;
    for (i = 0; i < DOCA_PRIV_APSH_IMAGE_STEPS; i++, addr += DOCA_PRIV_APSH_IMAGE_STEP) {
        if (doca_priv_apsh_walk(kernel, kernel->root, addr, &physical) != DOCA_SUCCESS ||
            (kernel->image_start != 0 && addr - physical != kernel->delta)) {
            if (kernel->image_start != 0)
                break;
            continue;
        }
        if (kernel->image_start == 0) {
            kernel->image_start = addr;
            kernel->delta = addr - physical;
        }
        kernel->image_end = addr + DOCA_PRIV_APSH_IMAGE_STEP;
    }
    return kernel->image_start != 0 &&
           doca_priv_apsh_mem_has(&kernel->mem, kernel->image_start - kernel->delta,
                                  kernel->image_end - kernel->image_start);
}
