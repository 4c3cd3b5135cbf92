/* Print a look as text or as JSON, for --once and --json. */
#ifndef APSH_TOP_PRINT_H
#define APSH_TOP_PRINT_H

#include "look.h"

static void print_text(const struct target *target)
{
    char line[256];
    int i;

    out_text(target->name);
    if (target->num_bytes != 0)
        out_format(", %llu MiB", (unsigned long long)(target->num_bytes >> 20));
    out_text("\n");
    summary_row(line, sizeof(line));
    out_format("%s\n%s\n", line, process_head);
    for (i = 0; i < shown->num_processes; i++) {
        process_row(line, sizeof(line), &shown->processes[order[i]], false);
        out_format("%s\n", line);
    }
    if (shown->num_modules > 0)
        out_format("%s\n", module_head);
    for (i = 0; i < shown->num_modules; i++) {
        module_row(line, sizeof(line), &shown->modules[i]);
        out_format("%s\n", line);
    }
    out_flush();
}

/* Return the JSON value of "new". It is null in the first look, which has no look before it. */
static const char *json_new(bool is_known, bool is_new)
{
    return !is_known ? "null" : is_new ? "true" : "false";
}

static void json_process(const struct process *process)
{
    out_format("{\"pid\": %u, \"ppid\": %u, \"uid\": %u, \"gid\": %u, \"state\": \"%c\", ",
               process->pid, process->ppid, process->uid, process->gid,
               state_letter(process->state));
    if (process->num_threads >= 0)
        out_format("\"threads\": %d, ", process->num_threads);
    else
        out_text("\"threads\": null, ");
    if (shown->elapsed != 0)
        out_format("\"cpu_percent\": %llu.%u, ", (unsigned long long)(process->load / 10),
                   (unsigned)(process->load % 10));
    else
        out_text("\"cpu_percent\": null, ");
    out_format("\"cpu_time_ps\": %llu, \"is_new\": %s, \"command\": ",
               (unsigned long long)process->time, json_new(shown->elapsed != 0, process->is_new));
    out_json(process->name);
    out_text("}");
}

static void json_thread(const struct thread *thread)
{
    out_format("{\"pid\": %u, \"tid\": %u, \"state\": \"%c\", \"name\": ", thread->pid, thread->tid,
               state_letter(thread->state));
    out_json(thread->name);
    out_text("}");
}

static void json_module(const struct module *module)
{
    out_text("{\"name\": ");
    out_json(module->name);
    out_format(", \"size\": %u, \"address\": %llu, \"is_new\": %s}", module->size,
               (unsigned long long)module->addr, json_new(shown->elapsed != 0, module->is_new));
}

static void print_json(const struct target *target)
{
    const char *gap = "\n  ";
    int i;

    out_text("{\"target\": ");
    out_json(target->path != NULL ? target->path : target->name);
    out_format(",\n \"bytes\": %llu,\n \"split\": %llu,\n \"seconds\": ",
               (unsigned long long)target->num_bytes, (unsigned long long)target->split);
    if (shown->elapsed != 0)
        out_format("%llu.%06u", (unsigned long long)(shown->elapsed / 1000000000u),
                   (unsigned)(shown->elapsed / 1000 % 1000000));
    else
        out_text("null");
    out_text(",\n \"processes\": [");
    for (i = 0; i < shown->num_processes; i++, gap = ",\n  ") {
        out_text(gap);
        json_process(&shown->processes[order[i]]);
    }
    out_text("],\n \"threads\": [");
    for (i = 0, gap = "\n  "; i < shown->num_threads; i++, gap = ",\n  ") {
        out_text(gap);
        json_thread(&shown->threads[i]);
    }
    out_text(shown->num_modules < 0 ? "],\n \"modules\": null" : "],\n \"modules\": [");
    for (i = 0, gap = "\n  "; i < shown->num_modules; i++, gap = ",\n  ") {
        out_text(gap);
        json_module(&shown->modules[i]);
    }
    out_text(shown->num_modules < 0 ? "}\n" : "]}\n");
    out_flush();
}

#endif
