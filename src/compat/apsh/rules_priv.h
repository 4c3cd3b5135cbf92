/* ---- >>priv.apsh.rules -----------------------------------------------------------------------
 * The rules of scans, and libyara, which applies them; only with the macro DOCA_CORE_APSH_YARA. */
#ifndef DOCA_SRC_COMPAT_APSH_RULES_PRIV_H
#define DOCA_SRC_COMPAT_APSH_RULES_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/platform_priv.h"

#define DOCA_PRIV_APSH_RULES 3u /* rules that the API names */

#ifdef DOCA_CORE_APSH_YARA

/* Compiled rules. A set of rules is a mask with the bit 1 << rule for each rule. */
struct doca_priv_apsh_rules {
    YR_RULES *rules;
    YR_SCANNER *scanner;
    uint32_t found; /* rules that match the bytes of the latest scan */
    bool is_open;   /* libyara is initialized */
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_rules_open(struct doca_priv_apsh_rules *rules,
                                                      uint32_t wanted, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_rules_apply(struct doca_priv_apsh_rules *rules,
                                                       const unsigned char *bytes, size_t len,
                                                       const char *function);
DOCA_PRIV_DECL void doca_priv_apsh_rules_close(struct doca_priv_apsh_rules *rules);
DOCA_PRIV_DECL const char *doca_priv_apsh_rules_name(uint32_t rule);

#endif
#endif
