/* Encryption of the data of a key. */
#include "device/hca/crypto.h"
#include "device/hca/signature.h"
#include "wire/prm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {                          /* enc_order */
    WIRE_AFTER_SIGNATURE = 0, MEMORY_BEFORE_SIGNATURE = 1, WIRE_BEFORE_SIGNATURE = 2,
    MEMORY_AFTER_SIGNATURE = 3
};

/* ---- objects -------------------------------------------------------------------------------- */

static void dek_release(struct hca_object *object)
{
    struct hca_dek *dek = (struct hca_dek *)object;

    hca_unref(dek->pd);
    memset(&dek->data, 0, sizeof(dek->data));
    memset(&dek->tweak, 0, sizeof(dek->tweak));
}

int hca_dek_create(struct sim_client *client, struct hca_object *pd, struct hca_object **out)
{
    struct hca_dek *dek = calloc(1, sizeof(*dek));

    if (!dek || hca_add(&dek->object, HCA_DEK, client, dek_release)) {
        free(dek);
        return ENOMEM;
    }
    dek->pd = (struct hca_pd *)pd;
    hca_ref(pd);
    *out = &dek->object;
    return 0;
}

int hca_login_create(struct sim_client *client, struct hca_object **out)
{
    struct hca_login *login = calloc(1, sizeof(*login));

    if (!login || hca_add(&login->object, HCA_LOGIN, client, NULL)) {
        free(login);
        return ENOMEM;
    }
    *out = &login->object;
    return 0;
}

struct search {
    const struct sim_client *client;
    bool found;
};

static void is_of(struct hca_object *object, void *arg)
{
    struct search *search = arg;

    search->found |= object->client == search->client;
}

bool hca_has_login(const struct sim_client *client)
{
    struct search search = { .client = client };

    hca_each(HCA_LOGIN, is_of, &search);
    return search.found;
}

static const struct hca_dek *dek_find(const struct hca_pd *pd, uint32_t number)
{
    const struct hca_dek *dek = (const struct hca_dek *)hca_find(HCA_DEK, number);

    return dek && dek->pd == pd ? dek : NULL;
}

/* ---- the BSF -------------------------------------------------------------------------------- */

const char *crypto_load(struct hca_crypto *to, const struct hca_pd *pd, const uint8_t *bsf,
                        unsigned size)
{
    unsigned order = (unsigned)prm_get(bsf, prm_wqe_bsf_crypto_enc_order);
    const uint8_t *tweak = PRM_AT(bsf, prm_wqe_bsf_crypto_xts_init_tweak);
    struct hca_crypto crypto = { .is_set = true,
        .encrypt_on_tx = order == WIRE_AFTER_SIGNATURE || order == WIRE_BEFORE_SIGNATURE,
        .before_signature = order == WIRE_BEFORE_SIGNATURE || order == MEMORY_BEFORE_SIGNATURE,
        .unit = signature_block((unsigned)prm_get(bsf, prm_wqe_bsf_crypto_block)),
        .dek = (uint32_t)prm_get(bsf, prm_wqe_bsf_crypto_dek) };
    const struct hca_dek *dek = dek_find(pd, crypto.dek);

    if (prm_get(bsf, prm_wqe_bsf_crypto_size) != size || !prm_get(bsf, prm_wqe_bsf_crypto_type))
        return "the BSF is not one of encryption, or has another size";
    if (order > MEMORY_AFTER_SIGNATURE || prm_get(bsf, prm_wqe_bsf_crypto_enc_standard))
        return "the order or the standard of the encryption is not known";
    if (crypto.unit == 0)
        return "the size of the data units is not known";
    if (!dek)
        return "the DEK does not exist, or belongs to another PD";
    if (dek->has_tag && memcmp(PRM_AT(bsf, prm_wqe_bsf_crypto_keytag), dek->tag, DEK_TAG_BYTES))
        return "the DEK has another tag";
    for (unsigned i = 0; i < AES_BLOCK; i++)    /* the WQE has it as a big-endian number */
        crypto.tweak[i] = tweak[AES_BLOCK - 1 - i];
    *to = crypto;
    return NULL;
}

static void increment(uint8_t tweak[AES_BLOCK])
{
    for (unsigned i = 0; i < AES_BLOCK && ++tweak[i] == 0; i++)
        ;
}

bool crypto_run(const struct hca_crypto *crypto, const struct hca_pd *pd, uint8_t *bytes,
                uint64_t len, bool encrypt)
{
    const struct hca_dek *dek = dek_find(pd, crypto->dek);
    uint8_t tweak[AES_BLOCK];

    if (!dek || len % crypto->unit)
        return false;
    memcpy(tweak, crypto->tweak, AES_BLOCK);
    for (uint64_t at = 0; at < len; at += crypto->unit, increment(tweak))
        aes_xts(&dek->data, &dek->tweak, tweak, bytes + at, crypto->unit, encrypt);
    return true;
}
