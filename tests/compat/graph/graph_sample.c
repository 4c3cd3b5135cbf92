/*
 *     copy -----> hash of the copy --+
 *                                    +--> compare --> count
 *     hash of the source ------------+
 *
 * `count` adds 1 to a sync event. A task outside of the graph waits for the value of the event.
 */
#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_graph.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_sha.h>
#include <doca_sync_event.h>
#include <doca_version.h>

#include "../common.h"
#include "graph.h"

DOCA_LOG_REGISTER(GRAPH::SAMPLE);

#define TEXT_SIZE 64
#define DIGEST_SIZE 32
#define NUM_ROUNDS 2
#define NUM_BUFS 4 /* buffers of an instance: source, copy, and the digest of each */
#define NUM_HASHES 2

/* Data of one instance; the memory map holds an array of these. */
struct cell {
    char source[TEXT_SIZE];
    char copy[TEXT_SIZE];
    uint8_t source_digest[DIGEST_SIZE];
    uint8_t copy_digest[DIGEST_SIZE];
};

struct instance {
    struct doca_graph_instance *graph_instance;
    struct doca_dma_task_memcpy *copy;
    struct doca_sha_task_hash *hash[NUM_HASHES];
    struct doca_sync_event_task_notify_add *count;
    uint64_t fetched; /* value of the event before the task added to it */
    struct doca_buf *buf[NUM_BUFS];
    struct cell *cell;
    bool fails;
    bool is_compared;
    const char *end; /* name of the callback that was called */
};

struct graph_resources {
    struct core_objects core;
    struct doca_dma *dma;
    struct doca_sha *sha;
    struct doca_sync_event *event;
    struct doca_ctx *event_ctx;
    struct doca_graph *graph;
    struct doca_graph_node *copy_node;
    struct doca_graph_node *hash_node[NUM_HASHES];
    struct doca_graph_node *compare_node;
    struct doca_graph_node *count_node;
    struct cell *cells;
    struct instance instances[MAX_INSTANCES];
    uint32_t num_instances;
    uint32_t num_remaining;
    doca_error_t event_result; /* result of the last event task; AGAIN while it is in flight */
};

static_assert(sizeof(struct cell) % alignof(max_align_t) == 0, "cells follow each other");

/* The callbacks of tasks in a graph must not be called: the graph has its own callbacks. */
static void memcpy_callback(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
                            union doca_data ctx_user_data)
{
    (void)task;
    (void)task_user_data;
    (void)ctx_user_data;
    DOCA_LOG_ERR("The callback of a memcpy task was called");
}

static void hash_callback(struct doca_sha_task_hash *task, union doca_data task_user_data,
                          union doca_data ctx_user_data)
{
    (void)task;
    (void)task_user_data;
    (void)ctx_user_data;
    DOCA_LOG_ERR("The callback of a hash task was called");
}

static void add_callback(struct doca_sync_event_task_notify_add *task,
                         union doca_data task_user_data, union doca_data ctx_user_data)
{
    (void)task;
    (void)task_user_data;
    (void)ctx_user_data;
    DOCA_LOG_ERR("The callback of a notify-add task was called");
}

/* Callbacks of the tasks outside of the graph. */
static void event_task_ended(struct doca_task *task, union doca_data ctx_user_data)
{
    ((struct graph_resources *)ctx_user_data.ptr)->event_result = doca_task_get_status(task);
    doca_task_free(task);
}

static void get_callback(struct doca_sync_event_task_get *task, union doca_data task_user_data,
                         union doca_data ctx_user_data)
{
    (void)task_user_data;
    event_task_ended(doca_sync_event_task_get_as_doca_task(task), ctx_user_data);
}

/* From 3.0 on, a task waits until the value is equal to a number. In earlier versions, it waits
 * until the value is greater. */
#if DOCA_VERSION_LTE_CURRENT(3, 0, 0)
static void wait_callback(struct doca_sync_event_task_wait_eq *task, union doca_data task_user_data,
                          union doca_data ctx_user_data)
{
    (void)task_user_data;
    event_task_ended(doca_sync_event_task_wait_eq_as_doca_task(task), ctx_user_data);
}

static doca_error_t set_conf_of_wait(struct doca_sync_event *event)
{
    return doca_sync_event_task_wait_eq_set_conf(event, wait_callback, wait_callback, 1);
}

static doca_error_t create_wait(struct doca_sync_event *event, uint64_t value,
                                struct doca_task **base)
{
    union doca_data no_data = { 0 };
    struct doca_sync_event_task_wait_eq *task;
    doca_error_t result;

    result = doca_sync_event_task_wait_eq_alloc_init(event, value, UINT64_MAX, no_data, &task);
    if (result == DOCA_SUCCESS)
        *base = doca_sync_event_task_wait_eq_as_doca_task(task);
    return result;
}
#else
static void wait_callback(struct doca_sync_event_task_wait_gt *task, union doca_data task_user_data,
                          union doca_data ctx_user_data)
{
    (void)task_user_data;
    event_task_ended(doca_sync_event_task_wait_gt_as_doca_task(task), ctx_user_data);
}

static doca_error_t set_conf_of_wait(struct doca_sync_event *event)
{
    return doca_sync_event_task_wait_gt_set_conf(event, wait_callback, wait_callback, 1);
}

static doca_error_t create_wait(struct doca_sync_event *event, uint64_t value,
                                struct doca_task **base)
{
    union doca_data no_data = { 0 };
    struct doca_sync_event_task_wait_gt *task;
    doca_error_t result;

    result = doca_sync_event_task_wait_gt_alloc_init(event, value - 1, UINT64_MAX, no_data, &task);
    if (result == DOCA_SUCCESS)
        *base = doca_sync_event_task_wait_gt_as_doca_task(task);
    return result;
}
#endif

static doca_error_t compare_callback(void *cookie)
{
    struct instance *instance = (struct instance *)cookie;
    const struct cell *cell = instance->cell;

    instance->is_compared = true;
    if (instance->fails)
        return DOCA_ERROR_UNEXPECTED;
    if (strcmp(cell->source, cell->copy) != 0 ||
        memcmp(cell->source_digest, cell->copy_digest, DIGEST_SIZE) != 0)
        return DOCA_ERROR_IO_FAILED;
    return DOCA_SUCCESS;
}

static void graph_completed_callback(struct doca_graph_instance *graph_instance,
                                     union doca_data instance_user_data,
                                     union doca_data graph_user_data)
{
    (void)graph_instance;
    ((struct instance *)instance_user_data.ptr)->end = "complete";
    ((struct graph_resources *)graph_user_data.ptr)->num_remaining--;
}

static void graph_error_callback(struct doca_graph_instance *graph_instance,
                                 union doca_data instance_user_data,
                                 union doca_data graph_user_data)
{
    (void)graph_instance;
    ((struct instance *)instance_user_data.ptr)->end = "failed";
    ((struct graph_resources *)graph_user_data.ptr)->num_remaining--;
}

static doca_error_t check_device(const struct doca_devinfo *devinfo)
{
    doca_error_t result = doca_dma_cap_task_memcpy_is_supported(devinfo);

    if (result == DOCA_SUCCESS)
        result = doca_sha_cap_task_hash_get_supported(devinfo, DOCA_SHA_ALGORITHM_SHA256);
    return result;
}

static doca_error_t create_contexts(struct graph_resources *resources)
{
    struct doca_pe *pe = resources->core.pe;
    doca_error_t result;

    result = doca_dma_create(resources->core.dev, &resources->dma);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_pe_connect_ctx(pe, doca_dma_as_ctx(resources->dma));
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_dma_task_memcpy_set_conf(resources->dma, memcpy_callback, memcpy_callback,
                                           MAX_INSTANCES);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_ctx_start(doca_dma_as_ctx(resources->dma));
    if (result != DOCA_SUCCESS)
        return result;

    result = doca_sha_create(resources->core.dev, &resources->sha);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_pe_connect_ctx(pe, doca_sha_as_ctx(resources->sha));
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_sha_task_hash_set_conf(resources->sha, hash_callback, hash_callback,
                                         5); /* 1 << 5 = NUM_HASHES * MAX_INSTANCES */
    if (result != DOCA_SUCCESS)
        return result;
    return doca_ctx_start(doca_sha_as_ctx(resources->sha));
}

static doca_error_t create_event(struct graph_resources *resources)
{
    union doca_data user_data = { .ptr = resources };
    struct doca_dev *dev = resources->core.dev;
    struct doca_sync_event *event;
    doca_error_t result;

    result = doca_sync_event_create(&resources->event);
    if (result != DOCA_SUCCESS)
        return result;
    event = resources->event;
    result = doca_sync_event_add_publisher_location_cpu(event, dev);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_sync_event_add_subscriber_location_cpu(event, dev);
    if (result != DOCA_SUCCESS)
        return result;

    resources->event_ctx = doca_sync_event_as_ctx(event);
    if (resources->event_ctx == NULL)
        return DOCA_ERROR_UNEXPECTED;
    result = doca_pe_connect_ctx(resources->core.pe, resources->event_ctx);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_ctx_set_user_data(resources->event_ctx, user_data);
    if (result != DOCA_SUCCESS)
        return result;
    result =
        doca_sync_event_task_notify_add_set_conf(event, add_callback, add_callback, MAX_INSTANCES);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_sync_event_task_get_set_conf(event, get_callback, get_callback, 1);
    if (result != DOCA_SUCCESS)
        return result;
    result = set_conf_of_wait(event);
    if (result != DOCA_SUCCESS)
        return result;
    return doca_ctx_start(resources->event_ctx);
}

static doca_error_t create_graph(struct graph_resources *resources)
{
    union doca_data user_data = { .ptr = resources };
    struct doca_graph *graph;
    doca_error_t result;
    int i;

    result = doca_graph_create(resources->core.pe, &resources->graph);
    if (result != DOCA_SUCCESS)
        return result;
    graph = resources->graph;
    result = doca_graph_node_create_from_ctx(graph, doca_dma_as_ctx(resources->dma),
                                             &resources->copy_node);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_graph_node_create_from_user(graph, compare_callback, &resources->compare_node);
    if (result != DOCA_SUCCESS)
        return result;
    for (i = 0; i < NUM_HASHES; i++) {
        result = doca_graph_node_create_from_ctx(graph, doca_sha_as_ctx(resources->sha),
                                                 &resources->hash_node[i]);
        if (result != DOCA_SUCCESS)
            return result;
        result = doca_graph_add_dependency(graph, resources->hash_node[i], resources->compare_node);
        if (result != DOCA_SUCCESS)
            return result;
    }
    result = doca_graph_add_dependency(graph, resources->copy_node, resources->hash_node[1]);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_graph_node_create_from_ctx(graph, resources->event_ctx, &resources->count_node);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_graph_add_dependency(graph, resources->compare_node, resources->count_node);
    if (result != DOCA_SUCCESS)
        return result;

    result = doca_graph_set_conf(graph, graph_completed_callback, graph_error_callback,
                                 resources->num_instances);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_graph_set_user_data(graph, user_data);
    if (result != DOCA_SUCCESS)
        return result;
    return doca_graph_start(graph);
}

static doca_error_t create_bufs(struct graph_resources *resources, struct instance *instance)
{
    struct cell *cell = instance->cell;
    struct {
        void *addr;
        size_t len;
    } room[NUM_BUFS] = { { cell->source, strlen(cell->source) + 1 },
                         { cell->copy, TEXT_SIZE },
                         { cell->source_digest, DIGEST_SIZE },
                         { cell->copy_digest, DIGEST_SIZE } };
    doca_error_t result;
    int i;

    for (i = 0; i < NUM_BUFS; i++) {
        result =
            doca_buf_inventory_buf_get_by_addr(resources->core.inventory, resources->core.src_mmap,
                                               room[i].addr, room[i].len, &instance->buf[i]);
        if (result != DOCA_SUCCESS)
            return result;
    }
    return doca_buf_set_data(instance->buf[0], room[0].addr, room[0].len);
}

static doca_error_t create_tasks(struct graph_resources *resources, struct instance *instance)
{
    union doca_data no_data = { 0 };
    doca_error_t result;
    int i;

    result = doca_dma_task_memcpy_alloc_init(resources->dma, instance->buf[0], instance->buf[1],
                                             no_data, &instance->copy);
    if (result != DOCA_SUCCESS)
        return result;
    for (i = 0; i < NUM_HASHES; i++) {
        result = doca_sha_task_hash_alloc_init(resources->sha, DOCA_SHA_ALGORITHM_SHA256,
                                               instance->buf[i], instance->buf[2 + i], no_data,
                                               &instance->hash[i]);
        if (result != DOCA_SUCCESS)
            return result;
    }
    return doca_sync_event_task_notify_add_alloc_init(resources->event, 1, &instance->fetched,
                                                      no_data, &instance->count);
}

static doca_error_t create_instance(struct graph_resources *resources, struct instance *instance)
{
    union doca_data user_data = { .ptr = instance };
    doca_error_t result;
    int i;

    result = create_bufs(resources, instance);
    if (result != DOCA_SUCCESS)
        return result;
    result = create_tasks(resources, instance);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_graph_instance_create(resources->graph, &instance->graph_instance);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_graph_instance_set_ctx_node_data(instance->graph_instance, resources->copy_node,
                                                   doca_dma_task_memcpy_as_task(instance->copy));
    if (result != DOCA_SUCCESS)
        return result;
    for (i = 0; i < NUM_HASHES; i++) {
        result =
            doca_graph_instance_set_ctx_node_data(instance->graph_instance, resources->hash_node[i],
                                                  doca_sha_task_hash_as_task(instance->hash[i]));
        if (result != DOCA_SUCCESS)
            return result;
    }
    result = doca_graph_instance_set_ctx_node_data(
        instance->graph_instance, resources->count_node,
        doca_sync_event_task_notify_add_as_doca_task(instance->count));
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_graph_instance_set_user_node_data(instance->graph_instance,
                                                    resources->compare_node, instance);
    if (result != DOCA_SUCCESS)
        return result;
    return doca_graph_instance_set_user_data(instance->graph_instance, user_data);
}

static void destroy_instance(struct instance *instance)
{
    int i;

    if (instance->graph_instance != NULL)
        (void)doca_graph_instance_destroy(instance->graph_instance);
    if (instance->count != NULL)
        doca_task_free(doca_sync_event_task_notify_add_as_doca_task(instance->count));
    for (i = 0; i < NUM_HASHES; i++)
        if (instance->hash[i] != NULL)
            doca_task_free(doca_sha_task_hash_as_task(instance->hash[i]));
    if (instance->copy != NULL)
        doca_task_free(doca_dma_task_memcpy_as_task(instance->copy));
    for (i = 0; i < NUM_BUFS; i++)
        if (instance->buf[i] != NULL)
            (void)doca_buf_dec_refcount(instance->buf[i], NULL);
}

static doca_error_t submit_event_task(struct graph_resources *resources, struct doca_task *task)
{
    doca_error_t result = doca_task_submit(task);

    if (result != DOCA_SUCCESS)
        doca_task_free(task);
    else
        resources->event_result = DOCA_ERROR_AGAIN;
    return result;
}

static doca_error_t submit_wait(struct graph_resources *resources, uint64_t value)
{
    struct doca_task *task;
    doca_error_t result = create_wait(resources->event, value, &task);

    if (result != DOCA_SUCCESS)
        return result;
    return submit_event_task(resources, task);
}

static doca_error_t await_event_task(struct graph_resources *resources)
{
    while (resources->event_result == DOCA_ERROR_AGAIN)
        (void)doca_pe_progress(resources->core.pe);
    return resources->event_result;
}

static doca_error_t get_count(struct graph_resources *resources, uint64_t *count)
{
    union doca_data no_data = { 0 };
    struct doca_sync_event_task_get *task;
    doca_error_t result;

    result = doca_sync_event_task_get_alloc_init(resources->event, count, no_data, &task);
    if (result == DOCA_SUCCESS)
        result = submit_event_task(resources, doca_sync_event_task_get_as_doca_task(task));
    if (result == DOCA_SUCCESS)
        result = await_event_task(resources);
    return result;
}

/* Run all instances at the same time. */
static doca_error_t run_instances(struct graph_resources *resources, int round)
{
    struct instance *instance;
    char digest[2 * DIGEST_SIZE + 1];
    doca_error_t result;
    uint32_t i;
    int j;

    resources->num_remaining = resources->num_instances;
    for (i = 0; i < resources->num_instances; i++) {
        instance = &resources->instances[i];
        instance->is_compared = false;
        for (j = 1; j < NUM_BUFS; j++) {
            result = doca_buf_reset_data_len(instance->buf[j]);
            if (result != DOCA_SUCCESS)
                return result;
        }
        result = doca_graph_instance_submit(instance->graph_instance);
        if (result != DOCA_SUCCESS) {
            DOCA_LOG_ERR("Cannot submit instance %" PRIu32 ": %s", i, doca_error_get_descr(result));
            resources->num_remaining -= resources->num_instances - i;
            break;
        }
    }
    while (resources->num_remaining > 0)
        (void)doca_pe_progress(resources->core.pe);

    for (i = 0; i < resources->num_instances; i++) {
        instance = &resources->instances[i];
        for (j = 0; j < DIGEST_SIZE; j++)
            sprintf(digest + 2 * j, "%02x", instance->cell->copy_digest[j]);
        DOCA_LOG_INFO("Round %d, instance %" PRIu32 ": %s%s, digest %s", round, i, instance->end,
                      instance->is_compared ? "" : ", nothing was compared", digest);
    }
    return result;
}

doca_error_t run_graph(const struct graph_config *conf)
{
    struct graph_resources resources = { .num_instances = conf->num_instances };
    size_t size = conf->num_instances * sizeof(struct cell);
    doca_error_t result, tmp_result;
    uint64_t count = 0;
    int round;
    uint32_t i;

    result = create_core_objects(NULL, check_device, NUM_BUFS * MAX_INSTANCES, &resources.core);
    if (result != DOCA_SUCCESS)
        goto destroy_core;
    resources.cells = calloc(conf->num_instances, sizeof(struct cell));
    if (resources.cells == NULL) {
        result = DOCA_ERROR_NO_MEMORY;
        goto destroy_core;
    }
    result = start_mmap(resources.core.src_mmap, resources.core.dev, resources.cells, size,
                        DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    if (result != DOCA_SUCCESS)
        goto destroy_core;
    result = create_contexts(&resources);
    if (result != DOCA_SUCCESS)
        goto destroy_contexts;
    result = create_event(&resources);
    if (result != DOCA_SUCCESS)
        goto destroy_contexts;
    result = create_graph(&resources);
    if (result != DOCA_SUCCESS)
        goto destroy_graph;
    for (i = 0; i < conf->num_instances; i++) {
        resources.instances[i].cell = &resources.cells[i];
        snprintf(resources.cells[i].source, TEXT_SIZE, "text of instance %" PRIu32, i);
        result = create_instance(&resources, &resources.instances[i]);
        if (result != DOCA_SUCCESS)
            goto destroy_instances;
    }

    result = submit_wait(&resources, conf->num_instances);
    for (round = 0; round < NUM_ROUNDS && result == DOCA_SUCCESS; round++) {
        if (round == 1 && conf->failing_instance >= 0 &&
            conf->failing_instance < (int)conf->num_instances)
            resources.instances[conf->failing_instance].fails = true;
        result = run_instances(&resources, round);
        if (result == DOCA_SUCCESS && round == 0)
            result = await_event_task(&resources);
    }
    if (result == DOCA_SUCCESS)
        result = get_count(&resources, &count);
    if (result == DOCA_SUCCESS)
        DOCA_LOG_INFO("The event counted %" PRIu64 " instances", count);

destroy_instances:
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("The instances did not run: %s", doca_error_get_descr(result));
    for (i = 0; i < conf->num_instances; i++)
        destroy_instance(&resources.instances[i]);
destroy_graph:
    if (resources.graph != NULL) {
        tmp_result = doca_graph_stop(resources.graph);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
        tmp_result = doca_graph_destroy(resources.graph);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
destroy_contexts:
    if (resources.event_ctx != NULL) {
        tmp_result = stop_ctx(resources.core.pe, resources.event_ctx);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (resources.event != NULL) {
        tmp_result = doca_sync_event_destroy(resources.event);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (resources.sha != NULL) {
        tmp_result = stop_ctx(resources.core.pe, doca_sha_as_ctx(resources.sha));
        DOCA_ERROR_PROPAGATE(result, tmp_result);
        tmp_result = doca_sha_destroy(resources.sha);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (resources.dma != NULL) {
        tmp_result = stop_ctx(resources.core.pe, doca_dma_as_ctx(resources.dma));
        DOCA_ERROR_PROPAGATE(result, tmp_result);
        tmp_result = doca_dma_destroy(resources.dma);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
destroy_core:
    tmp_result = destroy_core_objects(&resources.core);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    free(resources.cells);
    return result;
}
