/* Functions that get lists of App Shield, for the tests of limits and of failed reads. */
#ifndef APSH_LISTS_H
#define APSH_LISTS_H

#include "apsh_shield.h"

/* Each function gets a list, frees it, and sets `num` to the number of its items. A list that
 * cannot be got must be left as it was. */
typedef doca_error_t apsh_get(struct shield *s, struct doca_apsh_process *process, int *num);

static inline doca_error_t apsh_get_processes(struct shield *s, struct doca_apsh_process *process,
                                              int *num)
{
    struct doca_apsh_process **list = NULL;
    doca_error_t rc = doca_apsh_processes_get(s->system, &list, num);

    (void)process;
    CHECK(rc == DOCA_SUCCESS || list == NULL);
    doca_apsh_processes_free(list);
    return rc;
}

static inline doca_error_t apsh_get_modules(struct shield *s, struct doca_apsh_process *process,
                                            int *num)
{
    struct doca_apsh_module **list = NULL;
    doca_error_t rc = doca_apsh_modules_get(s->system, &list, num);

    (void)process;
    CHECK(rc == DOCA_SUCCESS || list == NULL);
    doca_apsh_module_free(list);
    return rc;
}

static inline doca_error_t apsh_get_threads(struct shield *s, struct doca_apsh_process *process,
                                            int *num)
{
    struct doca_apsh_thread **list = NULL;
    doca_error_t rc = doca_apsh_threads_get(process, &list, num);

    (void)s;
    CHECK(rc == DOCA_SUCCESS || list == NULL);
    doca_apsh_threads_free(list);
    return rc;
}

static inline doca_error_t apsh_get_vads(struct shield *s, struct doca_apsh_process *process,
                                         int *num)
{
    struct doca_apsh_vad **list = NULL;
    doca_error_t rc = doca_apsh_vads_get(process, &list, num);

    (void)s;
    CHECK(rc == DOCA_SUCCESS || list == NULL);
    doca_apsh_vads_free(list);
    return rc;
}

static inline doca_error_t apsh_get_libs(struct shield *s, struct doca_apsh_process *process,
                                         int *num)
{
    struct doca_apsh_lib **list = NULL;
    doca_error_t rc = doca_apsh_libs_get(process, &list, num);

    (void)s;
    CHECK(rc == DOCA_SUCCESS || list == NULL);
    doca_apsh_libs_free(list);
    return rc;
}

static inline doca_error_t apsh_get_envars(struct shield *s, struct doca_apsh_process *process,
                                           int *num)
{
    struct doca_apsh_envar **list = NULL;
    doca_error_t rc = doca_apsh_envars_get(process, &list, num);

    (void)s;
    CHECK(rc == DOCA_SUCCESS || list == NULL);
    doca_apsh_envars_free(list);
    return rc;
}

#endif
