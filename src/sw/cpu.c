/* ---- >>impl.sw.cpu --------------------------------------------------------------------------
 * The CPU features that hashes and very large copies use.                                       */
#include "sw/cpu_priv.h"

#include "base/platform_priv.h"

#if defined(DOCA_PRIV_STREAMS) || !defined(DOCA_CORE_NO_SHA)
#if defined(DOCA_PRIV_SIMD_X86)

DOCA_PRIV_DECL unsigned doca_priv_simd_cpu(void)
{
    const unsigned avx2 = 1u << 3 | 1u << 5 | 1u << 8, avx512 = 1u << 16 | 1u << 30 | 1u << 31;
    unsigned eax, ebx, ecx, edx, saved = 0, high, has = 0;

    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
        return 0;
    if ((ecx >> 27 & 1) != 0)
        __asm__ volatile("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
    has = ecx >> 19 & 1; /* SSE4.1 */
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
        return 0;
    has &= ebx >> 29; /* SHA */
    if ((saved & 0x06) == 0x06 && (ebx & avx2) == avx2)
        has |= DOCA_PRIV_CPU_AVX2;
    if ((saved & 0xe6) == 0xe6 && (ebx & avx512) == avx512 && (has & DOCA_PRIV_CPU_AVX2) != 0)
        has |= DOCA_PRIV_CPU_AVX512;
    return has;
}

#elif defined(DOCA_PRIV_SIMD_ARM)

/* Linux reports the features of the CPU in AT_HWCAP: HWCAP_SHA1 (bit 5), HWCAP_SHA2 (bit 6) and
 * HWCAP_SHA512 (bit 21). On other systems this function is compiled only if the compiler may use
 * the SHA-1 and SHA-256 instructions everywhere. */
DOCA_PRIV_DECL unsigned doca_priv_simd_cpu(void)
{
#if defined(__linux__)
    unsigned long has = getauxval(AT_HWCAP);

    if ((has >> 5 & 3) != 3)
        return 0;
    return (has >> 21 & 1) != 0 ? DOCA_PRIV_CPU_SHA | DOCA_PRIV_CPU_SHA512 : DOCA_PRIV_CPU_SHA;
#else
    return DOCA_PRIV_CPU_SHA;
#endif
}

#else

DOCA_PRIV_DECL unsigned doca_priv_simd_cpu(void)
{
    return 0;
}

#endif
#endif
