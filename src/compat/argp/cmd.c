/* ---- >>impl.argp.cmd -------------------------------------------------------------------------
 * Create, describe and register commands.                                                       */
#include "compat/argp/cmd_priv.h"

#include "compat/argp/cmd.h"
#include "compat/argp/output_priv.h"
#include "compat/argp/param_priv.h"
#include "compat/argp/platform_priv.h"
#include "compat/argp/state_priv.h"
#include "compat/argp/types.h"

DOCA_CORE_DECL doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd)
{
    int i;

    if (cmd == NULL)
        return DOCA_PRIV_ARGP_FAIL(INVALID_VALUE, "an argument is NULL");
    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    for (i = 1; i <= DOCA_CORE_ARGP_MAX_CMDS; i++) {
        struct doca_argp_cmd *slot = &doca_priv_argp.cmds[i];

        if (slot->slot_state != DOCA_PRIV_ARGP_FREE)
            continue;
        memset(slot, 0, sizeof(*slot));
        slot->slot_state = DOCA_PRIV_ARGP_CREATED;
        *cmd = slot;
        return DOCA_SUCCESS;
    }
    return DOCA_PRIV_ARGP_FAIL(NO_MEMORY, "more commands than DOCA_CORE_ARGP_MAX_CMDS (%d)",
                               DOCA_CORE_ARGP_MAX_CMDS);
}

static bool doca_priv_argp_is_cmd(const struct doca_argp_cmd *cmd)
{
    int i = 1;

    while (i <= DOCA_CORE_ARGP_MAX_CMDS && cmd != &doca_priv_argp.cmds[i])
        i++;
    return i <= DOCA_CORE_ARGP_MAX_CMDS && cmd->slot_state != DOCA_PRIV_ARGP_FREE;
}

/* Check that `cmd` is a command of the program that is not registered. */
static doca_error_t doca_priv_argp_check_cmd(const struct doca_argp_cmd *cmd, const char *call)
{
    if (!doca_priv_argp_is_cmd(cmd))
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call,
                                   "the argument is not a command of this program");
    if (cmd->slot_state == DOCA_PRIV_ARGP_REGISTERED)
        return doca_priv_argp_fail(DOCA_ERROR_BAD_STATE, call,
                                   "%s: the command is registered already", cmd->name);
    return DOCA_SUCCESS;
}

/* Free the command, all commands registered below it, at any depth, and the flags of all these
 * commands. */
static void doca_priv_argp_free_cmd(struct doca_argp_cmd *cmd)
{
    bool is_done = false;
    int i;

    cmd->slot_state = DOCA_PRIV_ARGP_FREE;
    while (!is_done) {
        is_done = true;
        for (i = 1; i <= DOCA_CORE_ARGP_MAX_CMDS; i++) {
            struct doca_argp_cmd *inner = &doca_priv_argp.cmds[i];

            if (inner->slot_state == DOCA_PRIV_ARGP_REGISTERED &&
                inner->parent->slot_state == DOCA_PRIV_ARGP_FREE) {
                inner->slot_state = DOCA_PRIV_ARGP_FREE;
                is_done = false;
            }
        }
    }
    for (i = DOCA_PRIV_ARGP_NUM_BUILT_IN; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++) {
        struct doca_argp_param *param = &doca_priv_argp.params[i];

        if (param->slot_state == DOCA_PRIV_ARGP_REGISTERED &&
            param->cmd->slot_state == DOCA_PRIV_ARGP_FREE)
            param->slot_state = DOCA_PRIV_ARGP_FREE;
    }
}

DOCA_CORE_DECL doca_error_t doca_argp_cmd_destroy(struct doca_argp_cmd *cmd)
{
    doca_error_t rc = doca_priv_argp_check_cmd(cmd, __func__);

    if (rc == DOCA_SUCCESS)
        doca_priv_argp_free_cmd(cmd);
    return rc;
}

DOCA_CORE_DECL void doca_argp_cmd_set_name(struct doca_argp_cmd *cmd, const char *name)
{
    if (doca_priv_argp_check_cmd(cmd, __func__) == DOCA_SUCCESS)
        cmd->name = doca_priv_argp_keep_for(&cmd->is_short_of_text, name);
}

DOCA_CORE_DECL void doca_argp_cmd_set_description(struct doca_argp_cmd *cmd,
                                                  const char *description)
{
    if (doca_priv_argp_check_cmd(cmd, __func__) == DOCA_SUCCESS)
        cmd->description = doca_priv_argp_keep_for(&cmd->is_short_of_text, description);
}

DOCA_CORE_DECL void doca_argp_cmd_set_callback(struct doca_argp_cmd *cmd,
                                               doca_argp_cmd_cb_t callback)
{
    if (doca_priv_argp_check_cmd(cmd, __func__) == DOCA_SUCCESS)
        cmd->callback = callback;
}

DOCA_CORE_DECL void doca_argp_cmd_set_hidden(struct doca_argp_cmd *cmd)
{
    if (doca_priv_argp_check_cmd(cmd, __func__) == DOCA_SUCCESS)
        cmd->is_hidden = true;
}

/* Find the command of `parent` with this name. Returns NULL when `parent` has no such command. */
DOCA_PRIV_DECL const struct doca_argp_cmd *
doca_priv_argp_find_cmd(const struct doca_argp_cmd *parent, const char *name)
{
    int i;

    for (i = 1; i <= DOCA_CORE_ARGP_MAX_CMDS; i++) {
        const struct doca_argp_cmd *cmd = &doca_priv_argp.cmds[i];

        if (cmd->slot_state == DOCA_PRIV_ARGP_REGISTERED && cmd->parent == parent &&
            strcmp(cmd->name, name) == 0)
            return cmd;
    }
    return NULL;
}

/* Check that a described command can be registered with `parent`. */
static doca_error_t doca_priv_argp_judge_cmd(const struct doca_argp_cmd *parent,
                                             const struct doca_argp_cmd *cmd, const char *call)
{
    if (cmd->is_short_of_text)
        return doca_priv_argp_fail(DOCA_ERROR_NO_MEMORY, call,
                                   "the texts do not fit in DOCA_CORE_ARGP_TEXT_BYTES");
    if (cmd->name == NULL)
        return doca_priv_argp_fail(DOCA_ERROR_INITIALIZATION, call, "the command has no name");
    if (cmd->description == NULL)
        return doca_priv_argp_fail(DOCA_ERROR_INITIALIZATION, call, "%s: has no description",
                                   cmd->name);
    if (cmd->name[0] == '\0' || cmd->name[0] == '-')
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call,
                                   "\"" DOCA_PRIV_ARGP_WORD "\" cannot be the name of a command",
                                   cmd->name);
    if (doca_priv_argp_find_cmd(parent, cmd->name) != NULL)
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call, "%s: the name is taken",
                                   cmd->name);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_argp_attach(const struct doca_argp_cmd *parent,
                                          struct doca_argp_cmd *cmd, const char *call)
{
    doca_error_t rc = doca_priv_argp_check_cmd(cmd, call);

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_argp_judge_cmd(parent, cmd, call);
    if (rc != DOCA_SUCCESS) {
        doca_priv_argp_free_cmd(cmd);
        return rc;
    }
    cmd->slot_state = DOCA_PRIV_ARGP_REGISTERED;
    cmd->parent = parent;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *input_cmd)
{
    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    return doca_priv_argp_attach(doca_priv_argp.cmds, input_cmd, __func__);
}

DOCA_CORE_DECL doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd,
                                                         struct doca_argp_param *input_param)
{
    doca_error_t rc;

    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    rc = doca_priv_argp_check_cmd(cmd, __func__);
    if (rc == DOCA_SUCCESS)
        return doca_priv_argp_register(cmd, input_param, __func__);
    if (doca_priv_argp_is_param(input_param) && input_param->slot_state == DOCA_PRIV_ARGP_CREATED)
        input_param->slot_state = DOCA_PRIV_ARGP_FREE;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd,
                                                       struct doca_argp_cmd *input_cmd)
{
    doca_error_t rc;

    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    rc = doca_priv_argp_check_cmd(cmd, __func__);
    if (rc == DOCA_SUCCESS && cmd == input_cmd)
        rc = DOCA_PRIV_ARGP_FAIL(INVALID_VALUE, "a command cannot be registered with itself");
    if (rc == DOCA_SUCCESS)
        /* analyzer: readability-suspicious-call-argument: the first argument is the parent */
        return doca_priv_argp_attach(cmd, input_cmd, __func__);
    if (doca_priv_argp_is_cmd(input_cmd) && input_cmd->slot_state == DOCA_PRIV_ARGP_CREATED)
        doca_priv_argp_free_cmd(input_cmd);
    return rc;
}

/* True when the current command, or the program, has commands. */
DOCA_PRIV_DECL bool doca_priv_argp_has_cmds(void)
{
    int i;

    for (i = 1; i <= DOCA_CORE_ARGP_MAX_CMDS; i++)
        if (doca_priv_argp.cmds[i].slot_state == DOCA_PRIV_ARGP_REGISTERED &&
            doca_priv_argp.cmds[i].parent == doca_priv_argp.current)
            return true;
    return false;
}
