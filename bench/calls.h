/* The calls of the data path as a program finds them in the compiled library: real functions behind
 * pointers, which library_calls.c fills. BENCH_CALL() makes the same call in either form, inlined
 * or through the pointer. */
#ifndef BENCH_CALLS_H
#define BENCH_CALLS_H

#include "doca_core.h"

#define BENCH_CALLS(X)                                                                             \
    X(buf_inventory_buf_get_by_addr)                                                               \
    X(buf_inventory_buf_get_by_data)                                                               \
    X(buf_chain_list)                                                                              \
    X(buf_reset_data_len)                                                                          \
    X(buf_inc_refcount)                                                                            \
    X(buf_dec_refcount)                                                                            \
    X(dma_task_memcpy_alloc_init)                                                                  \
    X(dma_task_memcpy_as_task)                                                                     \
    X(task_submit)                                                                                 \
    X(task_free)                                                                                   \
    X(pe_progress)                                                                                 \
    X(sync_event_get)                                                                              \
    X(sync_event_update_set)                                                                       \
    X(sync_event_update_add)                                                                       \
    X(graph_instance_submit)

#define BENCH_CALL_MEMBER(name) __typeof__(doca_##name) *name;
struct bench_calls {
    BENCH_CALLS(BENCH_CALL_MEMBER)
};
#undef BENCH_CALL_MEMBER

extern const struct bench_calls bench_library;

/* `is_library` is a compile-time constant, so one of the two calls is compiled. */
#define BENCH_CALL(is_library, name, ...)                                                          \
    ((is_library) ? bench_library.name(__VA_ARGS__) : doca_##name(__VA_ARGS__))

#endif
