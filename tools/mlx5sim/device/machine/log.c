/* The log of the device process, and reports of programs that break a rule. */
#include "device/machine/log.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static FILE *log_file;          /* NULL: errors only, to stderr */
static enum sim_log_level log_level = SIM_ERROR;

int log_open(const char *name, bool trace)
{
    log_level = trace ? SIM_TRACE : SIM_INFO;
    log_file = strcmp(name, "-") == 0 ? stderr : fopen(name, "ae");
    return log_file != NULL ? 0 : errno;
}

bool sim_logs(enum sim_log_level level)
{
    return level <= log_level;
}

static bool log_line(FILE *file, const char *format, va_list args)
{
    uint64_t now = sim_now();

    fprintf(file, "mlx5sim %llu.%06llu: ", (unsigned long long)(now / 1000000000u % 1000),
            (unsigned long long)(now / 1000 % 1000000));
    vfprintf(file, format, args);
    fputc('\n', file);
    return fflush(file) == 0;
}

/* Ends the log when it cannot be written, for example because the disk is full. If later lines were
 * written, the log would look complete in spite of the gap. */
static void log_end(void)
{
    fprintf(stderr, "mlx5sim: the log ends: %s\n", strerror(errno));
    fclose(log_file);
    log_file = NULL;
    log_level = SIM_ERROR;
}

void sim_log(enum sim_log_level level, const char *format, ...)
{
    va_list args;

    if (!sim_logs(level))
        return;
    if (log_file != NULL) {
        va_start(args, format);
        if (!log_line(log_file, format, args) && log_file != stderr)
            log_end();
        va_end(args);
    }
    if (level == SIM_ERROR && log_file != stderr) {
        va_start(args, format);
        (void)log_line(stderr, format, args);
        va_end(args);
    }
}

void sim_violation(const struct sim_client *client, const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    sim_log(machine.strict ? SIM_ERROR : SIM_INFO, "rule broken by process %d on %s: %s",
            client != NULL ? (int)client->pid : 0,
            client != NULL ? client->function->name : "-", text);
    if (!machine.strict)
        return;
    machine.violations++;
    if (client != NULL && client->pid > 1)
        kill(client->pid, SIGABRT);
}
