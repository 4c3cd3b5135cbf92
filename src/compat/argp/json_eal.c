/* ---- >>impl.argp.json_eal --------------------------------------------------------------------
 * EAL flags in a JSON file.                                                                     */
#include "compat/argp/json_eal_priv.h"

#include "compat/argp/json_flag_priv.h"
#include "compat/argp/json_priv.h"
#include "compat/argp/platform_priv.h"
#include "compat/argp/state_priv.h"

DOCA_PRIV_DECL bool doca_priv_argp_key_is(const struct doca_priv_argp_span *key, const char *name)
{
    return strlen(name) == key->len && memcmp(key->text, name, key->len) == 0;
}

/* Append one word to the EAL flags: prefix, text and suffix. */
static doca_error_t doca_priv_argp_eal_word(struct doca_priv_argp_json *json, const char *prefix,
                                            struct doca_priv_argp_span text, const char *suffix)
{
    char *word = doca_priv_argp.eal + doca_priv_argp.eal_used;
    size_t room = sizeof(doca_priv_argp.eal) - doca_priv_argp.eal_used;
    size_t before = strlen(prefix), behind = strlen(suffix);

    if (doca_priv_argp.num_eal_words == DOCA_CORE_ARGP_EAL_WORDS)
        return doca_priv_argp_json_wrong(json, DOCA_ERROR_NO_MEMORY, "",
                                         "more words than DOCA_CORE_ARGP_EAL_WORDS");
    if (text.len >= room || before + text.len + behind >= room)
        return doca_priv_argp_json_wrong(json, DOCA_ERROR_NO_MEMORY, "",
                                         "more bytes than DOCA_CORE_ARGP_EAL_BYTES");
    /* analyzer: bugprone-not-null-terminated-result: the copy of the suffix includes its NUL */
    memcpy(word, prefix, before);
    memcpy(word + before, text.text, text.len);
    memcpy(word + before + text.len, suffix, behind + 1);
    doca_priv_argp.eal_used += before + text.len + behind + 1;
    doca_priv_argp.eal_words[1 + doca_priv_argp.num_eal_words++] = word;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_argp_eal_flag(struct doca_priv_argp_json *json, const char *flag,
                                            const char *prefix, struct doca_priv_argp_span text,
                                            const char *suffix)
{
    struct doca_priv_argp_span nothing = { text.text, 0 };
    doca_error_t rc = doca_priv_argp_eal_word(json, flag, nothing, "");

    return rc != DOCA_SUCCESS ? rc : doca_priv_argp_eal_word(json, prefix, text, suffix);
}

static doca_error_t doca_priv_argp_json_bool(struct doca_priv_argp_json *json, int *value)
{
    *value = doca_priv_argp_json_word(json, "true");
    if (*value || doca_priv_argp_json_word(json, "false"))
        return DOCA_SUCCESS;
    return doca_priv_argp_json_unfit(json, "", "must be true or false");
}

/* Translate { "device": kind, "id": text, "sft": bool, "hws": bool } to `-a` and its argument. */
static doca_error_t doca_priv_argp_eal_device(struct doca_priv_argp_json *json)
{
    struct doca_priv_argp_span key, kind = { NULL, 0 }, id = { NULL, 0 };
    const char *prefix = "";
    char suffix[64];
    int sft = -1, hws = 0;
    bool is_first = true, is_there;
    doca_error_t rc = doca_priv_argp_json_enter(json, '{', "expected an object");

    for (; rc == DOCA_SUCCESS; is_first = false) {
        rc = doca_priv_argp_json_next(json, true, is_first, &key, &is_there);
        if (rc != DOCA_SUCCESS || !is_there)
            break;
        if (doca_priv_argp_key_is(&key, "device"))
            rc = doca_priv_argp_json_text(json, &kind);
        else if (doca_priv_argp_key_is(&key, "id"))
            rc = doca_priv_argp_json_text(json, &id);
        else if (doca_priv_argp_key_is(&key, "sft"))
            rc = doca_priv_argp_json_bool(json, &sft);
        else if (doca_priv_argp_key_is(&key, "hws"))
            rc = doca_priv_argp_json_bool(json, &hws);
        else
            rc = doca_priv_argp_json_wrong(json, DOCA_ERROR_INVALID_VALUE, "",
                                           "unknown key; \"flags\" takes any EAL flag");
    }
    if (rc != DOCA_SUCCESS)
        return rc;
    if (kind.text == NULL || id.text == NULL)
        return doca_priv_argp_json_wrong(json, DOCA_ERROR_INVALID_VALUE, "",
                                         "a device needs \"device\" and \"id\"");
    if (doca_priv_argp_key_is(&kind, "sf"))
        prefix = "auxiliary:mlx5_core.sf.";
    else if (!doca_priv_argp_key_is(&kind, "pf") && !doca_priv_argp_key_is(&kind, "vf") &&
             !doca_priv_argp_key_is(&kind, "regex"))
        return doca_priv_argp_json_wrong(json, DOCA_ERROR_INVALID_VALUE, "",
                                         "\"device\" must be pf, vf, sf or regex");
    (void)snprintf(suffix, sizeof(suffix), "%s%s%s",
                   doca_priv_argp_key_is(&kind, "regex") ? ",class=regex" : "",
                   sft < 0 ? "" : sft ? ",sft_en=1" : ",sft_en=0", hws ? ",dv_flow_en=2" : "");
    return doca_priv_argp_eal_flag(json, "-a", prefix, id, suffix);
}

static doca_error_t doca_priv_argp_eal_devices(struct doca_priv_argp_json *json)
{
    doca_error_t rc = doca_priv_argp_json_enter(json, '[', "expected an array");
    bool is_there = true, is_first = true;

    while (rc == DOCA_SUCCESS) {
        rc = doca_priv_argp_json_next(json, false, is_first, NULL, &is_there);
        if (rc != DOCA_SUCCESS || !is_there)
            break;
        is_first = false;
        rc = doca_priv_argp_eal_device(json);
    }
    return rc;
}

/* Append the words of a text like "a -b  c", which blanks separate. */
static doca_error_t doca_priv_argp_eal_words(struct doca_priv_argp_json *json)
{
    struct doca_priv_argp_span all = { NULL, 0 }, word;
    doca_error_t rc = doca_priv_argp_json_text(json, &all);
    size_t i = 0;

    while (rc == DOCA_SUCCESS && i < all.len) {
        word.text = all.text + i;
        word.len = 0;
        while (i < all.len && all.text[i] != ' ') {
            word.len++;
            i++;
        }
        i++;
        if (word.len > 0)
            rc = doca_priv_argp_eal_word(json, "", word, "");
    }
    return rc;
}

/* Read one member of the object with EAL flags. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_eal(struct doca_priv_argp_json *json,
                                                    const struct doca_priv_argp_span *key)
{
    const struct doca_priv_argp_json start = *json;
    struct doca_priv_argp_span text = { json->at, 0 };
    bool is_mask = doca_priv_argp_key_is(key, "core-mask"), is_int = false;
    doca_error_t rc;
    char hex[16];
    int mask = 0;

    if (doca_priv_argp_key_is(key, "devices"))
        return doca_priv_argp_eal_devices(json);
    if (doca_priv_argp_key_is(key, "flags"))
        return doca_priv_argp_eal_words(json);
    if (!is_mask && !doca_priv_argp_key_is(key, "core-list"))
        return doca_priv_argp_json_ignore(json, key, "is not a known key");
    if (!is_mask || *json->at == '"') { /* a mask that does not fit in an integer may be a string */
        rc = doca_priv_argp_json_text(json, &text);
    } else {
        rc = doca_priv_argp_json_number(json, &mask, &is_int);
        if (rc == DOCA_SUCCESS && (!is_int || mask <= 0))
            return doca_priv_argp_json_wrong(&start, DOCA_ERROR_INVALID_VALUE, "core-mask",
                                             "must be a positive integer or a string");
        text.text = hex; /* the EAL reads masks as hexadecimal */
        text.len = rc == DOCA_SUCCESS ? (size_t)snprintf(hex, sizeof(hex), "%x", (unsigned)mask)
                                      : 0;
    }
    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_argp_eal_flag(json, is_mask ? "-c" : "-l", "", text, "");
}
