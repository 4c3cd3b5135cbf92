/* AES: the cipher, its mode XTS for blocks of storage, and the wrapping of keys (RFC 3394). */
#ifndef MLX5SIM_HCA_AES_H
#define MLX5SIM_HCA_AES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { AES_BLOCK = 16, AES_MAX_ROUNDS = 14 };

struct aes {
    unsigned rounds;
    uint8_t key[AES_MAX_ROUNDS + 1][AES_BLOCK];
};

/* Expands a key of 16 or 32 bytes. */
void aes_set_key(struct aes *aes, const uint8_t *key, size_t len);
void aes_encrypt(const struct aes *aes, uint8_t block[AES_BLOCK]);
void aes_decrypt(const struct aes *aes, uint8_t block[AES_BLOCK]);

/* Encrypts or decrypts a data unit of at least AES_BLOCK bytes in place. `tweak` is the number of
 * the unit, little-endian. */
void aes_xts(const struct aes *data, const struct aes *tweak_key, const uint8_t tweak[AES_BLOCK],
             uint8_t *unit, size_t len, bool encrypt);

/* Unwraps a key: writes len - 8 bytes. `len` is a multiple of 8, from 24 to 88. False when the key
 * was wrapped with another key. */
bool aes_unwrap(const struct aes *aes, const uint8_t *in, size_t len, uint8_t *out);

#endif
