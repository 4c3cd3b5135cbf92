/* ---- >>vendor.build --------------------------------------------------------------------------
 * Macros of the build configuration (doca_build_config.h, doca_config.h).                       */
#ifndef DOCA_SRC_COMPAT_VENDOR_BUILD_H
#define DOCA_SRC_COMPAT_VENDOR_BUILD_H

#if defined(DOCA_ARCH_DPU)
#undef DOCA_ARCH_HOST
#elif !defined(DOCA_ARCH_HOST)
#define DOCA_ARCH_HOST
#endif

#if defined(DOCA_ARCH_ARM)
#undef DOCA_ARCH_X86
#elif !defined(DOCA_ARCH_X86)
#if defined(__aarch64__) || defined(__arm__)
#define DOCA_ARCH_ARM
#else
#define DOCA_ARCH_X86
#endif
#endif

#endif
