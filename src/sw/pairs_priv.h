/* ---- >>priv.sw.pairs -------------------------------------------------------------------------
 * The compression functions for one message on CPUs without SHA instructions.                   */
#ifndef DOCA_SRC_SW_PAIRS_PRIV_H
#define DOCA_SRC_SW_PAIRS_PRIV_H

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "engine/sha.h"
#include "sw/cpu_priv.h"
#include "sw/sha_priv.h"
#include "sw/simd_priv.h"

#if defined(DOCA_PRIV_SIMD_X86)
DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_DECL void doca_priv_sha1_pairs256(union doca_priv_sha_state *state,
                                                                const unsigned char *data,
                                                                size_t num_blocks);
DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_DECL void doca_priv_sha256_pairs256(union doca_priv_sha_state *state,
                                                                  const unsigned char *data,
                                                                  size_t num_blocks);
DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_DECL void doca_priv_sha512_pairs256(union doca_priv_sha_state *state,
                                                                  const unsigned char *data,
                                                                  size_t num_blocks);
DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_DECL void doca_priv_sha1_pairs512(union doca_priv_sha_state *state,
                                                                  const unsigned char *data,
                                                                  size_t num_blocks);
DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_DECL void
doca_priv_sha256_pairs512(union doca_priv_sha_state *state, const unsigned char *data,
                          size_t num_blocks);
DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_DECL void
doca_priv_sha512_pairs512(union doca_priv_sha_state *state, const unsigned char *data,
                          size_t num_blocks);
#endif

#endif
