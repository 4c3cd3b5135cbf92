/* ---- >>priv.apsh.thread ----------------------------------------------------------------------
 * Declarations for the other parts.                                                             */
#ifndef DOCA_SRC_COMPAT_APSH_THREAD_PRIV_H
#define DOCA_SRC_COMPAT_APSH_THREAD_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/list.h"
#include "compat/apsh/shape_priv.h"
#include "compat/apsh/snapshot_priv.h"

/* Indices of the parts in the shape of a task. The parts of a thread are a range of them. */
enum doca_priv_apsh_task_part {
    DOCA_PRIV_APSH_PART_NEXT, /* links of the ring of tasks */
    DOCA_PRIV_APSH_PART_PREV,
    DOCA_PRIV_APSH_PART_THREAD_NEXT, /* links of the ring of threads; first part of a thread */
    DOCA_PRIV_APSH_PART_THREAD_PREV,
    DOCA_PRIV_APSH_PART_SIGNAL,
    DOCA_PRIV_APSH_PART_TIMES, /* run time, user time, system time */
    DOCA_PRIV_APSH_PART_PID = DOCA_PRIV_APSH_PART_TIMES + 3, /* last part of a thread */
    DOCA_PRIV_APSH_PART_STATE,
    DOCA_PRIV_APSH_PART_PARENT,
    DOCA_PRIV_APSH_PART_CRED,
    DOCA_PRIV_APSH_PART_COMM, /* two parts */
    DOCA_PRIV_APSH_TASK_PARTS = DOCA_PRIV_APSH_PART_COMM + 2
};

struct doca_priv_apsh_task {
    uint64_t at; /* address in the target */
    uint64_t values[DOCA_PRIV_APSH_TASK_PARTS];
};

/* Shapes of a task and of its signal_struct. */
struct doca_priv_apsh_task_shapes {
    struct doca_priv_apsh_shape task, signal;
    struct doca_priv_apsh_span times; /* which of the three times are summed up */
};

DOCA_PRIV_DECL void doca_priv_apsh_task_shapes_make(const struct doca_priv_apsh_kernel *kernel,
                                                    struct doca_priv_apsh_task_shapes *shapes);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_cpu_time(
    struct doca_priv_apsh_kernel *kernel, const struct doca_priv_apsh_task_shapes *shapes,
    const struct doca_priv_apsh_task *task, uint32_t limit, uint64_t *time);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_threads(const struct doca_apsh_process *process,
                                                   struct doca_priv_apsh_snapshot **snapshot,
                                                   const char *function);

#endif
