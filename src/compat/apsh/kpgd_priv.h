/* ---- >>priv.apsh.kpgd ------------------------------------------------------------------------
 * kpgd_file.conf: two lines of hexadecimal digits. KASLR chooses both numbers anew at each boot, so
 * the file is valid for one boot of the target.                                                 */
#ifndef DOCA_SRC_COMPAT_APSH_KPGD_PRIV_H
#define DOCA_SRC_COMPAT_APSH_KPGD_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/json_priv.h"

struct doca_priv_apsh_kpgd {
    uint64_t root;      /* physical address of the page directory of the kernel */
    uint64_t init_task; /* virtual address of the first task */
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_kpgd_load(struct doca_priv_apsh_kpgd *kpgd,
                                                     struct doca_priv_apsh_json *file,
                                                     const char *path, const char *function);

#endif
