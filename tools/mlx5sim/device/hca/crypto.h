/*
 * Encryption of the data of a key (AES-XTS). A DEK (data encryption key) is an object. A UMR WQE
 * tells a key which DEK it uses, and whether the data in memory or those on the wire are encrypted.
 *
 * In wrapped mode, a program gives DEKs to the device wrapped with the device's import KEK. Before,
 * it must log in with a credential.
 */
#ifndef MLX5SIM_HCA_CRYPTO_H
#define MLX5SIM_HCA_CRYPTO_H

#include "device/hca/aes.h"
#include "device/hca/memory.h"

enum { CRYPTO_BSF_BYTES = 64, DEK_TAG_BYTES = 8, DEK_MAX_BYTES = 64 };

struct hca_dek {
    struct hca_object object;
    struct hca_pd *pd;
    struct aes data, tweak;
    bool has_tag, is_256;
    uint8_t tag[DEK_TAG_BYTES], opaque[8];
};

struct hca_login {
    struct hca_object object;
};

/* What a BSF says of the encryption of a key. */
struct hca_crypto {
    bool is_set;
    bool encrypt_on_tx;         /* the data on the wire are encrypted; otherwise those in memory */
    bool before_signature;      /* on the way to the wire, before the signatures */
    uint32_t unit;              /* bytes of a data unit */
    uint8_t tweak[AES_BLOCK];   /* of the first unit of a message, little-endian */
    uint32_t dek;
};

int hca_dek_create(struct sim_client *client, struct hca_object *pd, struct hca_object **out);
int hca_login_create(struct sim_client *client, struct hca_object **out);

/* True when the client is logged in. */
bool hca_has_login(const struct sim_client *client);

/* Reads a BSF of CRYPTO_BSF_BYTES. `size` is the size that it must state. Returns NULL, or the
 * reason why the device does not serve it. */
const char *crypto_load(struct hca_crypto *to, const struct hca_pd *pd, const uint8_t *bsf,
                        unsigned size);

/* Encrypts or decrypts a message in place. False when it does not consist of whole data units, or
 * when the DEK was destroyed. */
bool crypto_run(const struct hca_crypto *crypto, const struct hca_pd *pd, uint8_t *bytes,
                uint64_t len, bool encrypt);

#endif
