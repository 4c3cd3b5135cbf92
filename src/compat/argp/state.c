/* ---- >>impl.argp.state -----------------------------------------------------------------------
 * The table of flags, and the search for a flag by its name.                                    */
#include "compat/argp/state_priv.h"

#include "compat/argp/platform_priv.h"

DOCA_PRIV_DECL struct doca_priv_argp_state doca_priv_argp;

/* Find the registered flag of `cmd` with this name, among the entries [from, to) of the table.
 * Returns NULL when no entry matches. */
DOCA_PRIV_DECL struct doca_argp_param *doca_priv_argp_find_in(const struct doca_argp_cmd *cmd,
                                                              bool is_long, const char *name,
                                                              size_t len, int from, int to)
{
    int i;

    for (i = from; i < to && len > 0; i++) {
        struct doca_argp_param *param = &doca_priv_argp.params[i];
        const char *flag_name = is_long ? param->long_name : param->short_name;

        if (param->slot_state == DOCA_PRIV_ARGP_REGISTERED && param->cmd == cmd &&
            flag_name != NULL && strlen(flag_name) == len && memcmp(flag_name, name, len) == 0)
            return param;
    }
    return NULL;
}

/* Find the flag that this name selects when it stands after the current command. Returns NULL when
 * no flag matches. */
DOCA_PRIV_DECL struct doca_argp_param *doca_priv_argp_find(bool is_long, const char *name,
                                                           size_t len)
{
    const struct doca_argp_cmd *cmd;
    struct doca_argp_param *param;

    for (cmd = doca_priv_argp.current; cmd != NULL; cmd = cmd->parent) {
        param = doca_priv_argp_find_in(cmd, is_long, name, len, 0, DOCA_PRIV_ARGP_NUM_SLOTS);
        if (param != NULL && (cmd == doca_priv_argp.current || param->is_inherited))
            return param;
    }
    return NULL;
}

/* True when `cmd`, or a command inside of it, is the last command that was given. */
DOCA_PRIV_DECL bool doca_priv_argp_is_given(const struct doca_argp_cmd *cmd)
{
    const struct doca_argp_cmd *given = doca_priv_argp.current;

    while (given != NULL && given != cmd)
        given = given->parent;
    return given != NULL;
}
