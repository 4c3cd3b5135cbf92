/* ---- >>impl.apsh.kpgd ------------------------------------------------------------------------
 * Read kpgd_file.conf.                                                                          */
#include "compat/apsh/kpgd_priv.h"

#include "compat/apsh/config.h"
#include "compat/apsh/json_priv.h"
#include "compat/apsh/platform_priv.h"

#define DOCA_PRIV_APSH_KPGD_BYTES 4096u /* maximum length of the file */

static bool doca_priv_apsh_kpgd_is_blank(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Read the next word as a hexadecimal number, with or without 0x before it. */
static bool doca_priv_apsh_kpgd_number(struct doca_priv_apsh_json *file, uint64_t *value)
{
    unsigned num_digits = 0;
    int byte;

    *value = 0;
    do
        byte = doca_priv_apsh_json_byte(file);
    while (doca_priv_apsh_kpgd_is_blank(byte));
    for (; byte >= 0 && !doca_priv_apsh_kpgd_is_blank(byte); num_digits++) {
        if (num_digits == 16)
            return doca_priv_apsh_json_bad(file, "a number of more than 16 digits");
        if (byte >= '0' && byte <= '9') {
            *value = *value << 4 | (uint64_t)(byte - '0');
        } else if ((byte | 32) >= 'a' && (byte | 32) <= 'f') {
            *value = *value << 4 | (uint64_t)((byte | 32) - 'a' + 10);
        } else if ((byte | 32) == 'x' && num_digits == 1 && *value == 0) {
            num_digits = UINT32_MAX; /* start again with the next word */
        } else {
            return doca_priv_apsh_json_bad(file, "no hexadecimal digit");
        }
        byte = doca_priv_apsh_json_byte(file);
    }
    return num_digits > 0 || doca_priv_apsh_json_bad(file, "fewer than two numbers");
}

/* Read the file at `path`, by means of `file`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_kpgd_load(struct doca_priv_apsh_kpgd *kpgd,
                                                     struct doca_priv_apsh_json *file,
                                                     const char *path, const char *function)
{
    uint64_t budget = DOCA_PRIV_APSH_KPGD_BYTES;
    bool is_good = doca_priv_apsh_json_open(file, path, &budget) &&
                   doca_priv_apsh_kpgd_number(file, &kpgd->root) &&
                   doca_priv_apsh_kpgd_number(file, &kpgd->init_task);
    int byte = ' ';

    while (is_good && doca_priv_apsh_kpgd_is_blank(byte))
        byte = doca_priv_apsh_json_byte(file);
    if (is_good && byte >= 0)
        (void)doca_priv_apsh_json_bad(file, "more than two numbers");
    else if (is_good && file->reason == NULL && kpgd->root % 4096 != 0)
        (void)doca_priv_apsh_json_bad(file, "the address of the page directory is not that of a "
                                            "page");
    doca_priv_apsh_json_close(file);
    return file->reason == NULL
               ? DOCA_SUCCESS
               : doca_priv_apsh_file_fail(file, DOCA_CORE_ITEM_APSH_KPGD, function);
}
