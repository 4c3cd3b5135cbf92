/* ---- >>impl.argp.output ----------------------------------------------------------------------
 * Print lines for the user. Uses write(), because a stdio stream would allocate its buffer on the
 * heap.                                                                                         */
#include "compat/argp/output_priv.h"

#include "compat/argp/platform_priv.h"
#include "compat/argp/state_priv.h"

static void doca_priv_argp_write(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t done = write(fd, text, len);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return;
        text += done;
        len -= (size_t)done;
    }
}

DOCA_PRIV_DECL void doca_priv_argp_put(int fd, const char *text)
{
    doca_priv_argp_write(fd, text, strlen(text));
}

static doca_error_t doca_priv_argp_call_logger(enum doca_log_level level, const char *format, ...)
    DOCA_PRIV_ARGP_FORMAT(2, 3);

static doca_error_t doca_priv_argp_call_logger(enum doca_log_level level, const char *format, ...)
{
    doca_error_t rc;
    va_list args;

    va_start(args, format);
    rc = doca_priv_argp.logger(level, format, args);
    va_end(args);
    return rc;
}

/* Replace control characters in a message by '?', because text from a file or an argument could
 * otherwise control the terminal or start a new line. In UTF-8, the control characters above
 * ASCII are C2 80 to C2 9F. */
static void doca_priv_argp_mask_controls(char *text)
{
    unsigned char *c;

    for (c = (unsigned char *)text; *c != '\0'; c++) {
        if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
            c[0] = c[1] = '?';
        if (*c < ' ' || *c == 0x7f)
            *c = '?';
    }
}

DOCA_PRIV_DECL doca_error_t doca_priv_argp_fail(doca_error_t code, const char *call,
                                                const char *format, ...)
{
    const char *name = doca_error_get_name(code);
    char reason[768];
    char line[1024];
    va_list args;
    int len;

    va_start(args, format);
    (void)vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    doca_priv_argp_mask_controls(reason);
    len = code == DOCA_SUCCESS
              ? snprintf(line, sizeof(line), "doca_core: %s: %s", call, reason)
              : snprintf(line, sizeof(line), "doca_core: %s: %s [%s]", call, reason,
                         name[0] == 'D' ? name + sizeof("DOCA_ERROR_") - 1 : name);
    if (doca_priv_argp.logger != NULL &&
        doca_priv_argp_call_logger(code == DOCA_SUCCESS ? DOCA_LOG_LEVEL_WARNING
                                                        : DOCA_LOG_LEVEL_ERROR,
                                   "%s", line) == DOCA_SUCCESS)
        return code;
    if (len > 0) {
        line[len] = '\n';
        doca_priv_argp_write(STDERR_FILENO, line, (size_t)len + 1);
    }
    return code;
}

DOCA_PRIV_DECL struct doca_priv_argp_name
doca_priv_argp_name_of(const struct doca_argp_param *param)
{
    struct doca_priv_argp_name name;

    (void)snprintf(name.text, sizeof(name.text), "%s%s", param->long_name != NULL ? "--" : "-",
                   param->long_name != NULL ? param->long_name : param->short_name);
    return name;
}
