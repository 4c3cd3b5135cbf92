/* SHA-1, SHA-256 and SHA-512 of memory. */
#ifndef MLX5SIM_HCA_SHA_H
#define MLX5SIM_HCA_SHA_H

#include "device/hca/pieces.h"

/* Computes a digest. `algorithm` is 1, 256 or 512. Returns the length of the digest in bytes, or -1
 * when the memory cannot be read. */
int sha_digest(unsigned algorithm, const struct hca_pieces *src, uint8_t digest[64]);

#endif
