/* ---- >>priv.log.line -------------------------------------------------------------------------
 * The line of one record, while it is being built.                                              */
#ifndef DOCA_SRC_COMPAT_LOG_LINE_PRIV_H
#define DOCA_SRC_COMPAT_LOG_LINE_PRIV_H

#include "compat/log/platform_priv.h"

struct doca_priv_log_line {
    char text[DOCA_CORE_LOG_LINE_BYTES];
    size_t len;
    bool is_cut;
};

DOCA_PRIV_DATA const char doca_priv_log_mark[5];

DOCA_PRIV_DECL void doca_priv_log_add_args(struct doca_priv_log_line *line, const char *format,
                                           va_list args) DOCA_PRIV_LOG_FORMAT(2, 0);
DOCA_PRIV_DECL void doca_priv_log_add(struct doca_priv_log_line *line, const char *format, ...)
    DOCA_PRIV_LOG_FORMAT(2, 3);
DOCA_PRIV_DECL long doca_priv_log_second(time_t now);
DOCA_PRIV_DECL void doca_priv_log_begin(struct doca_priv_log_line *line, uint32_t level,
                                        const char *fname, int number, const char *func,
                                        int func_len);
DOCA_PRIV_DECL void doca_priv_log_end(struct doca_priv_log_line *line);

#endif
