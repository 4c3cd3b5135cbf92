/* ---- >>impl.apsh.envar -----------------------------------------------------------------------
 * The environment of a process: strings NAME=VALUE in memory of the process, each with a NUL, in
 * the range that the kernel notes when the process executes a file. The first pass counts variables
 * and bytes, the second copies them. The content of a page that is not in memory is unknown: a
 * string with a byte in such a page is left out, and so is the first string after the page, because
 * its beginning may be missing.                                                                 */
#include "compat/apsh/envar_priv.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/snapshot_priv.h"
#include "compat/apsh/space_priv.h"

/* Maximum number of bytes of an environment that are looked at: Linux allows 6 MiB for arguments
 * and environment together, but a process may move the range that the kernel notes. */
#define DOCA_PRIV_APSH_ENV_BYTES ((uint64_t)6 << 20)

DOCA_PRIV_APSH_ASSERT(envar_has_its_size, sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                                                  3 * sizeof(uintptr_t) ==
                                              DOCA_PRIV_APSH_ENVAR_BYTES)

/* A pass through the strings. */
struct doca_priv_apsh_env {
    struct doca_priv_apsh_list *list;
    uint64_t root;           /* physical address of the page directory */
    uint64_t at, end;        /* addresses */
    uint64_t page;           /* address of the page in `bytes`; 1 before the first page */
    bool is_cut;             /* the beginning of the string at `at` may be missing */
    unsigned char bytes[DOCA_PRIV_APSH_PAGE];
};

/* A variable: addresses of the name, of the end of the name, and of the end of the value. */
struct doca_priv_apsh_variable {
    uint64_t name; /* 0 after the last variable */
    uint64_t name_end, end;
};

/* Find the range of the environment. */
static doca_error_t doca_priv_apsh_env_begin(struct doca_priv_apsh_env *env, uint64_t mm)
{
    struct doca_priv_apsh_kernel *kernel = env->list->kernel;
    uint64_t start = 0, end = 0;
    doca_error_t rc = doca_priv_apsh_get_64(kernel, mm, DOCA_PRIV_APSH_MM_ENV_START, &start);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(kernel, mm, DOCA_PRIV_APSH_MM_ENV_END, &end);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (end < start || end >> DOCA_PRIV_APSH_USER_BITS != 0)
        return DOCA_ERROR_NOT_FOUND;
    env->at = start;
    env->end = end - start < DOCA_PRIV_APSH_ENV_BYTES ? end : start + DOCA_PRIV_APSH_ENV_BYTES;
    env->page = 1;
    env->is_cut = false;
    return DOCA_SUCCESS;
}

/* Read the page with env->at into env->bytes. NOT_FOUND: the page is not in memory. */
static doca_error_t doca_priv_apsh_env_load(struct doca_priv_apsh_env *env)
{
    const uint64_t page = env->at - env->at % DOCA_PRIV_APSH_PAGE;
    doca_error_t rc;

    if (page == env->page)
        return DOCA_SUCCESS;
    rc = doca_priv_apsh_space_read(env->list, env->root, page, env->bytes, DOCA_PRIV_APSH_PAGE);
    env->page = rc == DOCA_SUCCESS ? page : 1;
    return rc;
}

/* Move to the next variable. Empty strings are skipped. */
static doca_error_t doca_priv_apsh_env_next(struct doca_priv_apsh_env *env,
                                            struct doca_priv_apsh_variable *variable)
{
    uint64_t first = env->at, sign = 0; /* beginning of the string; address of its '=' */
    const unsigned char *from, *found;
    size_t len, n;
    doca_error_t rc;

    variable->name = 0;
    while (env->at < env->end) {
        rc = doca_priv_apsh_env_load(env);
        n = DOCA_PRIV_APSH_PAGE - (size_t)(env->at % DOCA_PRIV_APSH_PAGE);
        n = n < env->end - env->at ? n : (size_t)(env->end - env->at);
        if (rc == DOCA_ERROR_NOT_FOUND) {
            env->at += n;
            env->is_cut = true;
            continue;
        }
        if (rc != DOCA_SUCCESS)
            return rc;
        from = env->bytes + env->at % DOCA_PRIV_APSH_PAGE;
        found = (const unsigned char *)memchr(from, '\0', n);
        len = found != NULL ? (size_t)(found - from) : n;
        if (sign == 0 && (found = (const unsigned char *)memchr(from, '=', len)) != NULL)
            sign = env->at + (uint64_t)(found - from);
        env->at += len;
        if (len == n && env->at < env->end)
            continue; /* the string continues in the next page */
        variable->end = env->at;
        env->at++; /* skip the NUL, if the string has one */
        if (!env->is_cut && variable->end > first) {
            variable->name = first;
            variable->name_end = sign != 0 ? sign : variable->end;
            return DOCA_SUCCESS;
        }
        env->is_cut = false;
        first = env->at;
        sign = 0;
    }
    return DOCA_SUCCESS;
}

/* Return the length of a string of the environment, cut to STRING_LIMIT. */
static size_t doca_priv_apsh_env_len(const struct doca_priv_apsh_list *list, uint64_t start,
                                     uint64_t end)
{
    const uint64_t room = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_STRING_LIMIT) - 1u;

    return (size_t)(end - start < room ? end - start : room);
}

/* Copy the string at [start, end) to the snapshot, as the value of an attribute. */
static doca_error_t doca_priv_apsh_env_copy(const struct doca_priv_apsh_env *env, uint64_t start,
                                            uint64_t end, uint64_t *value)
{
    const size_t len = doca_priv_apsh_env_len(env->list, start, end);
    char *text = doca_priv_apsh_text_room(env->list->snapshot, len);

    if (text == NULL)
        return DOCA_ERROR_NOT_FOUND;
    *value = (uintptr_t)text;
    return doca_priv_apsh_space_read(env->list, env->root, start, text, len);
}

/* Add a variable to the snapshot. */
static doca_error_t doca_priv_apsh_env_add(const struct doca_priv_apsh_env *env,
                                           const struct doca_priv_apsh_variable *variable)
{
    const uint64_t value_at =
        variable->name_end < variable->end ? variable->name_end + 1 : variable->end;
    struct doca_priv_apsh_element *element;
    uint64_t name = 0, value = 0;
    doca_error_t rc = doca_priv_apsh_env_copy(env, variable->name, variable->name_end, &name);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_env_copy(env, value_at, variable->end, &value);
    if (rc != DOCA_SUCCESS)
        return rc;
    element = doca_priv_apsh_snapshot_add(env->list->snapshot, variable->name);
    doca_priv_apsh_set(element, DOCA_APSH_ENVARS_PID,
                       doca_priv_apsh_list_value(env->list, DOCA_APSH_PROCESS_PID));
    doca_priv_apsh_set(element, DOCA_APSH_ENVARS_VARIABLE, name);
    doca_priv_apsh_set(element, DOCA_APSH_ENVARS_VALUE, value);
    return DOCA_SUCCESS;
}

/* Make a pass over up to `limit` variables: count them and the bytes of their strings, or add them
 * when there is a snapshot. */
static doca_error_t doca_priv_apsh_env_pass(struct doca_priv_apsh_env *env, uint64_t mm,
                                            uint32_t limit, uint32_t *num, size_t *text_bytes)
{
    struct doca_priv_apsh_variable variable;
    doca_error_t rc = doca_priv_apsh_env_begin(env, mm);

    *text_bytes = 0;
    for (*num = 0; *num < limit && rc == DOCA_SUCCESS; ++*num) {
        rc = doca_priv_apsh_env_next(env, &variable);
        if (rc != DOCA_SUCCESS || variable.name == 0)
            break;
        *text_bytes += doca_priv_apsh_env_len(env->list, variable.name, variable.name_end) + 1;
        if (variable.name_end < variable.end)
            *text_bytes +=
                doca_priv_apsh_env_len(env->list, variable.name_end + 1, variable.end);
        ++*text_bytes;
        if (env->list->snapshot != NULL)
            rc = doca_priv_apsh_env_add(env, &variable);
    }
    return rc;
}

/* Count and read the list once. */
static doca_error_t doca_priv_apsh_read_envars(struct doca_priv_apsh_list *list)
{
    struct doca_priv_apsh_env env;
    size_t text_bytes = 0;
    uint64_t mm = 0;
    uint32_t num = 0, again = 0;
    doca_error_t rc;

    memset(&env, 0, sizeof(env));
    env.list = list;
    rc = doca_priv_apsh_space_get(list, &mm, &env.root);
    if (rc == DOCA_SUCCESS && mm != 0)
        rc = doca_priv_apsh_env_pass(&env, mm, list->limit, &num, &text_bytes);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_ENVARS, num, text_bytes,
                                          &list->snapshot);
    if (rc != DOCA_SUCCESS || num == 0)
        return rc;
    rc = doca_priv_apsh_env_pass(&env, mm, num, &again, &text_bytes);
    return rc == DOCA_SUCCESS && again != num ? DOCA_ERROR_NOT_FOUND : rc;
}

/* Read the environment of a process. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_envars(const struct doca_apsh_process *process,
                                                  struct doca_priv_apsh_snapshot **snapshot,
                                                  const char *function)
{
    static const uint8_t needed[] = { DOCA_PRIV_APSH_MM_ENV_START, DOCA_PRIV_APSH_MM_ENV_END };
    struct doca_priv_apsh_list list;
    doca_error_t rc;

    doca_priv_apsh_list_begin(&list, NULL, process, DOCA_APSH_WINDOWS_ENVARS_LIMIT);
    rc = doca_priv_apsh_space_need(list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_need(list.kernel, needed, sizeof(needed), function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_list_read(&list, doca_priv_apsh_read_envars, function);
    *snapshot = list.snapshot;
    return rc;
}
