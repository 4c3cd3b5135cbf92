/* ---- >>impl.argp.usage -----------------------------------------------------------------------
 * The help text.                                                                                */
#include "compat/argp/usage_priv.h"

#include "compat/argp/output_priv.h"
#include "compat/argp/parser.h"
#include "compat/argp/platform_priv.h"
#include "compat/argp/state_priv.h"

/* Write "  -x, --name <arguments>" to `fd`, or nothing when `fd` is negative. Returns its
 * length. */
static size_t doca_priv_argp_put_flag(int fd, const struct doca_argp_param *param)
{
    const char *parts[6];
    size_t i, len = 0;

    parts[0] = param->short_name != NULL ? "  -" : "  ";
    parts[1] = param->short_name != NULL ? param->short_name : "";
    parts[2] = param->long_name == NULL ? "" : param->short_name != NULL ? ", --" : "--";
    parts[3] = param->long_name != NULL ? param->long_name : "";
    parts[4] = param->arguments != NULL ? " " : "";
    parts[5] = param->arguments != NULL ? param->arguments : "";
    for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        len += strlen(parts[i]);
        if (fd >= 0)
            doca_priv_argp_put(fd, parts[i]);
    }
    return len;
}

/* The group of flags in which the help text of the current command lists a flag. */
enum doca_priv_argp_group {
    DOCA_PRIV_ARGP_ABSENT,
    DOCA_PRIV_ARGP_OF_ALL,
    DOCA_PRIV_ARGP_INHERITED,
    DOCA_PRIV_ARGP_OWN
};

/* Return the group of a flag. `*seen` receives a copy of the flag as the help text shows it,
 * without a name that selects another flag when the user writes it after the current command. */
static enum doca_priv_argp_group doca_priv_argp_group_of(int slot, struct doca_argp_param *seen)
{
    const struct doca_argp_param *param = &doca_priv_argp.params[slot];
    const char *name;

    *seen = *param;
    if (param->slot_state != DOCA_PRIV_ARGP_REGISTERED || param->is_hidden)
        return DOCA_PRIV_ARGP_ABSENT;
    name = param->short_name;
    if (name != NULL && doca_priv_argp_find(false, name, strlen(name)) != param)
        seen->short_name = NULL;
    name = param->long_name;
    if (name != NULL && doca_priv_argp_find(true, name, strlen(name)) != param)
        seen->long_name = NULL;
    return seen->short_name == NULL && seen->long_name == NULL ? DOCA_PRIV_ARGP_ABSENT
           : slot < DOCA_PRIV_ARGP_NUM_BUILT_IN                ? DOCA_PRIV_ARGP_OF_ALL
           : param->cmd == doca_priv_argp.current              ? DOCA_PRIV_ARGP_OWN
                                                               : DOCA_PRIV_ARGP_INHERITED;
}

/* True when the help text of the current command lists `cmd`. */
static bool doca_priv_argp_is_shown(const struct doca_argp_cmd *cmd)
{
    return cmd->slot_state == DOCA_PRIV_ARGP_REGISTERED && cmd->parent == doca_priv_argp.current &&
           cmd->parent != NULL && !cmd->is_hidden;
}

static void doca_priv_argp_put_blanks(int fd, size_t num)
{
    for (; num > 0; num--)
        doca_priv_argp_put(fd, " ");
}

static void doca_priv_argp_put_flags(int fd, const char *title, enum doca_priv_argp_group group,
                                     size_t column)
{
    struct doca_argp_param param;
    int i;

    for (i = 0; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++) {
        size_t len;

        if (doca_priv_argp_group_of(i, &param) != group)
            continue;
        doca_priv_argp_put(fd, title);
        title = "";
        len = doca_priv_argp_put_flag(fd, &param);
        if (len >= column) { /* print the description on the next line */
            doca_priv_argp_put(fd, "\n");
            len = 0;
        }
        doca_priv_argp_put_blanks(fd, column - len);
        doca_priv_argp_put(fd, param.description);
        doca_priv_argp_put(fd, param.is_mandatory ? " (mandatory)" : "");
        doca_priv_argp_put(fd, param.is_multiple ? " (may be repeated)" : "");
        doca_priv_argp_put(fd, param.is_singular ? " (cannot be combined)" : "");
        doca_priv_argp_put(fd, "\n");
    }
}

static void doca_priv_argp_put_cmds(int fd, size_t column)
{
    const char *title = "\nCommands:\n";
    int i;

    for (i = 0; i <= DOCA_CORE_ARGP_MAX_CMDS; i++) {
        const struct doca_argp_cmd *cmd = &doca_priv_argp.cmds[i];
        size_t len;

        if (!doca_priv_argp_is_shown(cmd))
            continue;
        len = 2 + strlen(cmd->name);
        doca_priv_argp_put(fd, title);
        title = "";
        doca_priv_argp_put(fd, "  ");
        doca_priv_argp_put(fd, cmd->name);
        doca_priv_argp_put(fd, len >= column ? "\n" : "");
        doca_priv_argp_put_blanks(fd, len >= column ? column : column - len);
        doca_priv_argp_put(fd, cmd->description);
        doca_priv_argp_put(fd, "\n");
    }
}

/* Compute the column in which descriptions begin: after the longest flag or command. Flags and
 * commands of more than 40 characters are ignored. */
static size_t doca_priv_argp_column(bool *has_cmds)
{
    struct doca_argp_param param;
    size_t len, column = 0;
    int i;

    for (i = 0; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++) {
        if (doca_priv_argp_group_of(i, &param) == DOCA_PRIV_ARGP_ABSENT)
            continue;
        len = 2 + doca_priv_argp_put_flag(-1, &param);
        if (len > column && len <= 40)
            column = len;
    }
    *has_cmds = false;
    for (i = 0; i <= DOCA_CORE_ARGP_MAX_CMDS; i++) {
        if (!doca_priv_argp_is_shown(&doca_priv_argp.cmds[i]))
            continue;
        *has_cmds = true;
        len = 4 + strlen(doca_priv_argp.cmds[i].name);
        if (len > column && len <= 40)
            column = len;
    }
    return column;
}

/* Write "Usage: program [flags] command [flags]", with the commands from the outermost to the
 * current one. */
static void doca_priv_argp_put_head(int fd, bool has_cmds)
{
    const struct doca_argp_cmd *current = doca_priv_argp.current, *cmd;
    int depth = 0, level, i;

    doca_priv_argp_put(fd, "Usage: ");
    doca_priv_argp_put(fd, doca_priv_argp.program_name != NULL   ? doca_priv_argp.program_name
                           : doca_priv_argp.called_as[0] != '\0' ? doca_priv_argp.called_as
                                                                 : "program");
    doca_priv_argp_put(fd, doca_priv_argp.dpdk != NULL ? " [EAL flags --]" : "");
    for (cmd = current; cmd != NULL; cmd = cmd->parent)
        depth++;
    for (level = depth; level > 0; level--) {
        for (cmd = current, i = 1; i < level; i++)
            cmd = cmd->parent;
        if (level < depth) {
            doca_priv_argp_put(fd, " ");
            doca_priv_argp_put(fd, cmd->name);
        }
        doca_priv_argp_put(fd, " [flags]");
    }
    doca_priv_argp_put(fd, has_cmds ? " COMMAND ...\n" : "\n");
    if (depth > 1) {
        doca_priv_argp_put(fd, "\n");
        doca_priv_argp_put(fd, current->description);
        doca_priv_argp_put(fd, "\n");
    }
}

DOCA_PRIV_DECL void doca_priv_argp_print_usage(int fd)
{
    bool has_cmds;
    size_t column = doca_priv_argp_column(&has_cmds);

    (void)fflush(stdout); /* earlier output of the program must come before the help text */
    doca_priv_argp_put_head(fd, has_cmds);
    doca_priv_argp_put_cmds(fd, column);
    doca_priv_argp_put_flags(fd, "\nFlags of every DOCA program:\n", DOCA_PRIV_ARGP_OF_ALL, column);
    doca_priv_argp_put_flags(fd, "\nInherited flags:\n", DOCA_PRIV_ARGP_INHERITED, column);
    doca_priv_argp_put_flags(fd, doca_priv_argp.current == doca_priv_argp.cmds
                                     ? "\nFlags of this program:\n"
                                     : "\nFlags of this command:\n",
                             DOCA_PRIV_ARGP_OWN, column);
}

DOCA_CORE_DECL void doca_argp_usage(void)
{
    doca_priv_argp_print_usage(STDOUT_FILENO);
    exit(EXIT_FAILURE);
}
