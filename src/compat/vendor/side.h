/* ---- >>vendor.side ---------------------------------------------------------------------------
 * The side of the process, if the program selects it. Each file of the program that is compiled
 * with DOCA_ARCH_DPU or DOCA_ARCH_HOST defines a weak constant. The linker keeps only one of these
 * constants. The library checks whether the constant exists.                                    */
#ifndef DOCA_SRC_COMPAT_VENDOR_SIDE_H
#define DOCA_SRC_COMPAT_VENDOR_SIDE_H

#if defined(__ELF__) && defined(__GNUC__) && !defined(__TINYC__)
#ifdef __cplusplus
extern "C" {
#endif
extern const unsigned char doca_core_program_side __attribute__((weak, visibility("default")));
#if defined(DOCA_ARCH_DPU)
const unsigned char doca_core_program_side = 1; /* DOCA_CORE_SIDE_DPU */
#elif defined(DOCA_ARCH_HOST)
const unsigned char doca_core_program_side = 2; /* DOCA_CORE_SIDE_HOST */
#elif !defined(DOCA_CORE_PROCESS_SIDE)
#define DOCA_CORE_PROCESS_SIDE                                                                     \
    (&doca_core_program_side != NULL ? (unsigned)doca_core_program_side : 0u)
#endif
#ifdef __cplusplus
}
#endif
#endif

#endif
