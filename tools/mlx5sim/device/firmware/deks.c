/* Firmware commands on DEKs and on logins. */
#include "device/firmware/deks.h"
#include "device/hca/crypto.h"
#include "wire/prm.h"

#include <string.h>

enum { SIZE_128 = 0, SIZE_256 = 1, PURPOSE_AES_XTS = 3, WRAP_BYTES = 8,
       DEK_LEAST = 0x10 + 0x40 + 0x80, LOGIN_LEAST = 0x10 + 0x40 + 0x30 };

/* Reads the key of the command: two keys of the cipher, and perhaps a tag. In wrapped mode, the key
 * is wrapped with the import KEK. False when it cannot be unwrapped. */
static bool read_key(const uint8_t *dek, size_t len, uint8_t *key)
{
    const struct sim_profile *p = &machine.profile;
    const uint8_t *from = PRM_AT(dek, prm_dek_key);
    struct aes kek;

    if (p->kek_bytes == 0) {
        memcpy(key, from, len);
        return true;
    }
    aes_set_key(&kek, p->kek, p->kek_bytes);
    return aes_unwrap(&kek, from, len + WRAP_BYTES, key);
}

/* It is assumed that any login of the client admits its DEKs. */
static bool is_admitted(struct devx_command *c)
{
    if (machine.profile.kek_bytes == 0 || hca_has_login(c->client))
        return true;
    devx_fail(c, PRM_BAD_RES_STATE, 0x661, "in wrapped mode, a DEK needs a login");
    return false;
}

void devx_create_dek(struct devx_command *c)
{
    const uint8_t *in = PRM_AT(c->in, prm_create_dek_in_dek);
    unsigned size = (unsigned)prm_get(in, prm_dek_key_size);
    bool has_tag = prm_get(in, prm_dek_has_keytag);
    size_t half = size == SIZE_256 ? 32 : 16;
    uint8_t key[DEK_MAX_BYTES + DEK_TAG_BYTES];
    struct hca_dek *dek;
    struct hca_pd *pd;

    if (c->in_len < DEK_LEAST) {
        devx_fail(c, PRM_BAD_INPUT_LEN, 0x662, "the input is too short for a DEK");
        return;
    }
    if (size > SIZE_256 || prm_get(in, prm_dek_key_purpose) != PURPOSE_AES_XTS) {
        devx_fail(c, PRM_BAD_PARAM, 0x663, "the size or the purpose of the DEK is not supported");
        return;
    }
    pd = devx_object(c, HCA_PD, (uint32_t)prm_get(in, prm_dek_pd),
                     "the PD of the DEK is not this client's");
    if (!pd || !is_admitted(c))
        return;
    if (!read_key(in, 2 * half + (has_tag ? DEK_TAG_BYTES : 0), key)) {
        devx_fail(c, PRM_BAD_PARAM, 0x664, "the DEK is not wrapped with the import KEK");
        return;
    }
    if (hca_dek_create(c->client, &pd->object, &c->created)) {
        devx_fail(c, PRM_NO_RESOURCES, 0x665, "no DEK is left");
        return;
    }
    dek = (struct hca_dek *)c->created;
    aes_set_key(&dek->data, key, half);
    aes_set_key(&dek->tweak, key + half, half);
    dek->is_256 = size == SIZE_256;
    dek->has_tag = has_tag;
    if (has_tag)
        memcpy(dek->tag, key + 2 * half, DEK_TAG_BYTES);
    memcpy(dek->opaque, PRM_AT(in, prm_dek_opaque), sizeof(dek->opaque));
    prm_set(c->out, prm_general_obj_out_cmd_hdr_obj_id, dek->object.number);
}

/* The answer does not contain the key. */
void devx_query_dek(struct devx_command *c)
{
    uint8_t *out = PRM_AT(c->out, prm_create_dek_in_dek);
    struct hca_dek *dek = devx_object(c, HCA_DEK,
        (uint32_t)prm_get(c->in, prm_general_obj_in_cmd_hdr_obj_id),
        "the DEK is not this client's");

    if (!dek || !is_admitted(c))
        return;
    prm_set(out, prm_dek_key_size, dek->is_256 ? SIZE_256 : SIZE_128);
    prm_set(out, prm_dek_has_keytag, dek->has_tag);
    prm_set(out, prm_dek_key_purpose, PURPOSE_AES_XTS);
    prm_set(out, prm_dek_pd, dek->pd->object.number);
    memcpy(PRM_AT(out, prm_dek_opaque), dek->opaque, sizeof(dek->opaque));
}

/* The device has one import KEK and one credential, both with the number 0. */
void devx_create_login(struct devx_command *c)
{
    const struct sim_profile *p = &machine.profile;
    const uint8_t *in = PRM_AT(c->in, prm_create_crypto_login_in_crypto_login);
    uint8_t credential[SIM_CREDENTIAL_BYTES];
    struct aes kek;

    if (c->in_len < LOGIN_LEAST) {
        devx_fail(c, PRM_BAD_INPUT_LEN, 0x666, "the input is too short for a login");
        return;
    }
    if (p->kek_bytes == 0) {
        devx_fail(c, PRM_BAD_PARAM, 0x667, "the device is not in wrapped mode");
        return;
    }
    aes_set_key(&kek, p->kek, p->kek_bytes);
    if (prm_get(in, prm_crypto_login_credential_pointer) ||
        prm_get(in, prm_crypto_login_session_import_kek_ptr) ||
        !aes_unwrap(&kek, PRM_AT(in, prm_crypto_login_credential),
                    sizeof(credential) + WRAP_BYTES, credential) ||
        memcmp(credential, p->credential, sizeof(credential)) != 0) {
        devx_fail(c, PRM_BAD_PARAM, 0x668, "the device does not have this credential or KEK");
        return;
    }
    if (hca_login_create(c->client, &c->created))
        devx_fail(c, PRM_NO_RESOURCES, 0x669, "no login is left");
    else
        prm_set(c->out, prm_general_obj_out_cmd_hdr_obj_id, c->created->number);
}

/* A login stays valid, because nothing deletes the credential or the KEK. */
void devx_query_login(struct devx_command *c)
{
    enum { VALID = 0 };

    if (devx_object(c, HCA_LOGIN, (uint32_t)prm_get(c->in, prm_general_obj_in_cmd_hdr_obj_id),
                    "the login is not this client's"))
        prm_set(PRM_AT(c->out, prm_create_crypto_login_in_crypto_login), prm_crypto_login_state,
                VALID);
}
