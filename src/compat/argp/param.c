/* ---- >>impl.argp.param -----------------------------------------------------------------------
 * Create, describe and register flags.                                                          */
#include "compat/argp/param_priv.h"

#include "compat/argp/output_priv.h"
#include "compat/argp/param.h"
#include "compat/argp/platform_priv.h"
#include "compat/argp/state_priv.h"
#include "compat/argp/types.h"

DOCA_PRIV_DECL const char *doca_priv_argp_keep(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *kept = doca_priv_argp.text + doca_priv_argp.text_used;

    if (bytes > sizeof(doca_priv_argp.text) - doca_priv_argp.text_used)
        return NULL;
    memcpy(kept, text, bytes);
    doca_priv_argp.text_used += bytes;
    return kept;
}

DOCA_CORE_DECL doca_error_t doca_argp_param_create(struct doca_argp_param **param)
{
    int i;

    if (param == NULL)
        return DOCA_PRIV_ARGP_FAIL(INVALID_VALUE, "an argument is NULL");
    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    for (i = DOCA_PRIV_ARGP_NUM_BUILT_IN; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++) {
        struct doca_argp_param *slot = &doca_priv_argp.params[i];

        if (slot->slot_state != DOCA_PRIV_ARGP_FREE)
            continue;
        memset(slot, 0, sizeof(*slot));
        slot->slot_state = DOCA_PRIV_ARGP_CREATED;
        *param = slot;
        return DOCA_SUCCESS;
    }
    return DOCA_PRIV_ARGP_FAIL(NO_MEMORY, "more flags than DOCA_CORE_ARGP_MAX_PARAMS (%d)",
                               DOCA_CORE_ARGP_MAX_PARAMS);
}

DOCA_PRIV_DECL bool doca_priv_argp_is_param(const struct doca_argp_param *param)
{
    int i;

    for (i = DOCA_PRIV_ARGP_NUM_BUILT_IN; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++)
        if (param == &doca_priv_argp.params[i])
            return param->slot_state != DOCA_PRIV_ARGP_FREE;
    return false;
}

/* Check that `param` is a flag of the program that is not registered. */
static doca_error_t doca_priv_argp_check(const struct doca_argp_param *param, const char *call)
{
    if (!doca_priv_argp_is_param(param))
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call,
                                   "the argument is not a flag of this program");
    if (param->slot_state == DOCA_PRIV_ARGP_REGISTERED)
        return doca_priv_argp_fail(DOCA_ERROR_BAD_STATE, call, "%s: the flag is registered already",
                                   doca_priv_argp_name_of(param).text);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_param_destroy(struct doca_argp_param *param)
{
    doca_error_t rc = doca_priv_argp_check(param, __func__);

    if (rc == DOCA_SUCCESS)
        param->slot_state = DOCA_PRIV_ARGP_FREE;
    return rc;
}

DOCA_PRIV_DECL const char *doca_priv_argp_keep_for(bool *is_short_of_text, const char *text)
{
    const char *kept = text != NULL ? doca_priv_argp_keep(text) : NULL;

    if (text != NULL && kept == NULL)
        *is_short_of_text = true;
    return kept;
}

DOCA_CORE_DECL void doca_argp_param_set_short_name(struct doca_argp_param *param, const char *name)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->short_name = doca_priv_argp_keep_for(&param->is_short_of_text, name);
}

DOCA_CORE_DECL void doca_argp_param_set_long_name(struct doca_argp_param *param, const char *name)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->long_name = doca_priv_argp_keep_for(&param->is_short_of_text, name);
}

DOCA_CORE_DECL void doca_argp_param_set_arguments(struct doca_argp_param *param,
                                                  const char *arguments)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->arguments = doca_priv_argp_keep_for(&param->is_short_of_text, arguments);
}

DOCA_CORE_DECL void doca_argp_param_set_description(struct doca_argp_param *param,
                                                    const char *description)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->description = doca_priv_argp_keep_for(&param->is_short_of_text, description);
}

DOCA_CORE_DECL void doca_argp_param_set_callback(struct doca_argp_param *param,
                                                 doca_argp_param_cb_t callback)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->callback = callback;
}

DOCA_CORE_DECL void doca_argp_param_set_type(struct doca_argp_param *param,
                                             enum doca_argp_type type)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->type = (int)type;
}

DOCA_CORE_DECL void doca_argp_param_set_mandatory(struct doca_argp_param *param)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->is_mandatory = true;
}

DOCA_CORE_DECL void doca_argp_param_set_cli_only(struct doca_argp_param *param)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->is_cli_only = true;
}

DOCA_CORE_DECL void doca_argp_param_set_multiplicity(struct doca_argp_param *param)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->is_multiple = true;
}

DOCA_CORE_DECL void doca_argp_param_set_singular(struct doca_argp_param *param)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->is_singular = true;
}

DOCA_CORE_DECL void doca_argp_param_set_inherited(struct doca_argp_param *param)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->is_inherited = true;
}

DOCA_CORE_DECL void doca_argp_param_set_hidden(struct doca_argp_param *param)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->is_hidden = true;
}

/* True when a flag of `cmd` has this name, or when the name is j or json. A program may give the
 * names of the other built-in flags to its own flags. */
static bool doca_priv_argp_is_taken(const struct doca_argp_cmd *cmd, bool is_long, const char *name)
{
    size_t len = name != NULL ? strlen(name) : 0;

    return doca_priv_argp_find_in(cmd, is_long, name, len, DOCA_PRIV_ARGP_NUM_BUILT_IN,
                                  DOCA_PRIV_ARGP_NUM_SLOTS) != NULL ||
           doca_priv_argp_find_in(doca_priv_argp.cmds, is_long, name, len, DOCA_PRIV_ARGP_JSON,
                                  DOCA_PRIV_ARGP_NUM_BUILT_IN) != NULL;
}

/* Remove a name from the built-in flag that has it, because the program registers the name for its
 * own flag. */
static void doca_priv_argp_take_name(bool is_long, const char *name)
{
    struct doca_argp_param *param = NULL;

    if (name != NULL)
        param = doca_priv_argp_find_in(doca_priv_argp.cmds, is_long, name, strlen(name), 0,
                                       DOCA_PRIV_ARGP_JSON);
    if (param == NULL)
        return;
    *(is_long ? &param->long_name : &param->short_name) = NULL;
    if (param->long_name == NULL && param->short_name == NULL)
        param->slot_state = DOCA_PRIV_ARGP_FREE;
}

/* Check that a described flag can be registered with `cmd`. */
static doca_error_t doca_priv_argp_judge(const struct doca_argp_cmd *cmd,
                                         const struct doca_argp_param *param, const char *call)
{
    const char *missing = param->description == NULL               ? "description"
                          : param->callback == NULL                ? "callback"
                          : param->type == DOCA_ARGP_TYPE_UNKNOWN ? "type"
                                                                   : NULL;

    if (param->is_short_of_text)
        return doca_priv_argp_fail(DOCA_ERROR_NO_MEMORY, call,
                                   "the texts do not fit in DOCA_CORE_ARGP_TEXT_BYTES");
    if (param->short_name == NULL && param->long_name == NULL)
        return doca_priv_argp_fail(DOCA_ERROR_INITIALIZATION, call, "the flag has no name");
    if (missing != NULL)
        return doca_priv_argp_fail(DOCA_ERROR_INITIALIZATION, call, "%s: has no %s",
                                   doca_priv_argp_name_of(param).text, missing);
    if (param->type < 0 || param->type > DOCA_ARGP_TYPE_JSON_OBJ)
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call, "%s: has an unknown type",
                                   doca_priv_argp_name_of(param).text);
    if (doca_priv_argp_is_taken(cmd, false, param->short_name) ||
        doca_priv_argp_is_taken(cmd, true, param->long_name))
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call, "%s: the name is taken",
                                   doca_priv_argp_name_of(param).text);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_argp_register(const struct doca_argp_cmd *cmd,
                                                    struct doca_argp_param *param, const char *call)
{
    doca_error_t rc = doca_priv_argp_check(param, call);

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_argp_judge(cmd, param, call);
    if (rc != DOCA_SUCCESS) {
        param->slot_state = DOCA_PRIV_ARGP_FREE;
        return rc;
    }
    param->slot_state = DOCA_PRIV_ARGP_REGISTERED;
    param->cmd = cmd;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_register_param(struct doca_argp_param *input_param)
{
    doca_error_t rc;

    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    rc = doca_priv_argp_register(doca_priv_argp.cmds, input_param, __func__);
    if (rc == DOCA_SUCCESS) {
        doca_priv_argp_take_name(false, input_param->short_name);
        doca_priv_argp_take_name(true, input_param->long_name);
    }
    return rc;
}
