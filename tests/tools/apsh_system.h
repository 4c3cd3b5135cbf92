/* Opens App Shield for the first representor of the first device. The programs that run beside the
 * guest of tools/apsh-guest include it. It contains the library's code, but with APSH_WITHOUT_CORE
 * the code of App Shield alone, and prints the library's log to the standard error. A program may
 * define APSH_SYSTEM_PROGRESS as the name of a function of its own: App Shield then calls that
 * function instead of doca_pe_progress(). */
#ifndef APSH_SYSTEM_H
#define APSH_SYSTEM_H

#ifndef APSH_WITHOUT_CORE
#define DOCA_CORE_IMPLEMENTATION
#endif
#include "doca_core.h"

#ifdef APSH_SYSTEM_PROGRESS
static uint8_t APSH_SYSTEM_PROGRESS(struct doca_pe *pe);
#undef doca_pe_progress
#define doca_pe_progress APSH_SYSTEM_PROGRESS
#endif
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "tools/compat/doca_core_apsh.h"

#include <stdio.h>
#include <stdlib.h>

static DOCA_CORE_ALIGNED unsigned char apsh_memory[64 << 20];
static struct doca_core_arena apsh_arena;

struct apsh_system {
    struct doca_dev *dev;
    struct doca_dev_rep *rep;
    struct doca_apsh_ctx *ctx;
    struct doca_apsh_system *system; /* not started */
};

static inline void apsh_sink(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    (void)item;
    (void)user;
    fprintf(stderr, "%s\n", line);
}

/* End the program when a call has failed. */
static inline void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(1);
    }
}

/* Open a system whose target runs Linux. The caller starts it. */
static inline struct apsh_system apsh_open(void)
{
    struct doca_devinfo_rep **reps;
    struct doca_devinfo **list;
    struct apsh_system s;
    uint32_t num;

    doca_core_log_set_sink(apsh_sink, NULL);
    check(doca_core_log_set_level(DOCA_CORE_LOG_WARNING));
    check(doca_core_arena_init(&apsh_arena, apsh_memory, sizeof(apsh_memory)));
    check(doca_core_arena_bind(&apsh_arena));
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &s.dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_devinfo_rep_create_list(s.dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num));
    check(doca_dev_rep_open(reps[0], &s.rep));
    check(doca_devinfo_rep_destroy_list(reps));
    s.ctx = doca_apsh_create();
    check(doca_apsh_dma_dev_set(s.ctx, s.dev));
    check(doca_apsh_start(s.ctx));
    s.system = doca_apsh_system_create(s.ctx);
    check(doca_apsh_sys_dev_set(s.system, s.rep));
    check(doca_apsh_sys_os_type_set(s.system, DOCA_APSH_SYSTEM_LINUX));
    return s;
}

static inline void apsh_close(struct apsh_system *s)
{
    doca_apsh_system_destroy(s->system);
    doca_apsh_destroy(s->ctx);
    check(doca_dev_rep_close(s->rep));
    check(doca_dev_close(s->dev));
}

#endif
