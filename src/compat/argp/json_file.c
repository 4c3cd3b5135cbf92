/* ---- >>impl.argp.json_file -------------------------------------------------------------------
 * Load a JSON file, and read its three objects.                                                 */
#include "compat/argp/json_file_priv.h"

#include "compat/argp/json_eal_priv.h"
#include "compat/argp/json_flag_priv.h"
#include "compat/argp/json_priv.h"
#include "compat/argp/output_priv.h"
#include "compat/argp/platform_priv.h"
#include "compat/argp/state_priv.h"

enum { DOCA_PRIV_ARGP_DPDK_FLAGS, DOCA_PRIV_ARGP_GENERAL_FLAGS, DOCA_PRIV_ARGP_PROGRAM_FLAGS };

/* Read all members of one of the three objects of the file. */
static doca_error_t doca_priv_argp_json_section(struct doca_priv_argp_json *json, int section)
{
    doca_error_t rc = doca_priv_argp_json_enter(json, '{', "expected an object");
    bool is_there = true, is_first = true;
    struct doca_priv_argp_span key = { NULL, 0 };

    while (rc == DOCA_SUCCESS) {
        rc = doca_priv_argp_json_next(json, true, is_first, &key, &is_there);
        if (rc != DOCA_SUCCESS || !is_there)
            break;
        is_first = false;
        rc = section == DOCA_PRIV_ARGP_DPDK_FLAGS
                 ? doca_priv_argp_json_eal(json, &key)
                 : doca_priv_argp_json_flag(json, &key, section == DOCA_PRIV_ARGP_GENERAL_FLAGS);
    }
    return rc;
}

static doca_error_t doca_priv_argp_json_read(struct doca_priv_argp_json *json)
{
    static const char *const names[] = { "doca_dpdk_flags", "doca_general_flags",
                                         "doca_program_flags" };
    doca_error_t rc = doca_priv_argp_json_enter(json, '{', "expected an object");
    bool is_there = true, is_first = true;
    struct doca_priv_argp_span key = { NULL, 0 };

    while (rc == DOCA_SUCCESS) {
        int section = 0;

        rc = doca_priv_argp_json_next(json, true, is_first, &key, &is_there);
        if (rc != DOCA_SUCCESS || !is_there)
            break;
        is_first = false;
        while (section < 3 && !doca_priv_argp_key_is(&key, names[section]))
            section++;
        if (section == 3)
            rc = doca_priv_argp_json_ignore(json, &key, "is not a known key");
        else if (section == DOCA_PRIV_ARGP_DPDK_FLAGS && doca_priv_argp.dpdk == NULL)
            rc = doca_priv_argp_json_skip(json);
        else
            rc = doca_priv_argp_json_section(json, section);
    }
    if (rc == DOCA_SUCCESS && (doca_priv_argp_json_peek(json) != '\0' || json->at != json->end))
        rc = doca_priv_argp_json_bad(json, "expected the end of the file after the object");
    return rc;
}

/* Open the JSON file. Returns -1 and sets errno on failure. A program that runs with more rights
 * than its caller (setuid and the like) must not open a file that the caller names, because the
 * caller might not be allowed to read it. */
static int doca_priv_argp_open(const char *path)
{
#ifdef __linux__
    const bool is_secure = getauxval(AT_SECURE) != 0;
#else
    const bool is_secure = geteuid() != getuid() || getegid() != getgid();
#endif

    if (is_secure) {
        errno = EPERM;
        return -1;
    }
#ifdef O_CLOEXEC
    return open(path, O_RDONLY | O_CLOEXEC);
#else
    return open(path, O_RDONLY);
#endif
}

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_load(const char *path)
{
    struct doca_priv_argp_json json;
    size_t len = 0;
    ssize_t got = -1;
    int fd = doca_priv_argp_open(path);

    if (fd >= 0) {
        do {
            got = read(fd, doca_priv_argp.json + len, sizeof(doca_priv_argp.json) - len);
            len += got > 0 ? (size_t)got : 0;
        } while (got > 0 || (got < 0 && errno == EINTR));
        if (got < 0)
            len = (size_t)errno;
        (void)close(fd);
    } else {
        len = (size_t)errno;
    }
    if (got < 0)
        return DOCA_PRIV_ARGP_REFUSE(IO_FAILED, DOCA_PRIV_ARGP_WORD ": %s", path,
                                     strerror((int)len));
    if (len == sizeof(doca_priv_argp.json))
        return DOCA_PRIV_ARGP_REFUSE(NO_MEMORY, DOCA_PRIV_ARGP_WORD
                                     ": longer than DOCA_CORE_ARGP_JSON_BYTES (%d)",
                                     path, DOCA_CORE_ARGP_JSON_BYTES);
    doca_priv_argp.json[len] = '\0';
    doca_priv_argp_json_blank_comments(doca_priv_argp.json, doca_priv_argp.json + len);
    json.path = path;
    json.at = json.line_start = doca_priv_argp.json;
    json.end = json.at + len;
    json.line = 1;
    return doca_priv_argp_json_read(&json);
}
