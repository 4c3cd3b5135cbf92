/* A program of DOCA 1.3. It copies a buffer with one DMA context and several threads. Each thread
 * has its own work queue and copies one part of the buffer.
 *     workq [-t THREADS] [-s BUS:DEVICE.FUNCTION]  */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_mmap.h>

DOCA_LOG_REGISTER(WORKQ);

#define MAX_THREADS 16
#define WORKQ_DEPTH 8
#define NUM_BLOCKS 64 /* blocks per thread */
#define BLOCK_SIZE 4096
#define PART_SIZE (NUM_BLOCKS * BLOCK_SIZE)

struct app_state {
    struct doca_dev *dev;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
};

struct worker {
    pthread_t thread;
    struct app_state *state;
    int id;
    char *src;
    char *dst;
    struct doca_mmap *mmap;
    struct doca_buf_inventory *inventory;
    struct doca_workq *workq;
    uint32_t num_submitted;
    uint32_t num_copied;
    doca_error_t result;
};

/* Open a device with a DMA engine: the device at address `bdf`, or any device when `bdf` is
 * NULL. */
static doca_error_t open_dma_device(const struct doca_pci_bdf *bdf, struct doca_dev **dev)
{
    struct doca_devinfo **list;
    struct doca_pci_bdf found;
    uint32_t nb_devs, caps, i;
    doca_error_t result;

    result = doca_devinfo_list_create(&list, &nb_devs);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot create a list of devices: %s", doca_get_error_string(result));
        return result;
    }
    result = DOCA_ERROR_NOT_FOUND;
    for (i = 0; i < nb_devs; i++) {
        if (doca_devinfo_property_get(list[i], DOCA_DEVINFO_PROPERTY_PCI_ADDR, (uint8_t *)&found,
                                      sizeof(found)) != DOCA_SUCCESS)
            continue;
        if (bdf != NULL && found.raw != bdf->raw)
            continue;
        if (doca_dma_devinfo_caps_get(list[i], &caps) != DOCA_SUCCESS ||
            !(caps & DOCA_DMA_CAP_HW_OFFLOAD))
            continue;
        result = doca_dev_open(list[i], dev);
        if (result == DOCA_SUCCESS) {
            printf("device %02x:%02x.%x\n", found.bus, found.device, found.function);
            break;
        }
    }
    doca_devinfo_list_destroy(list);
    return result;
}

static doca_error_t init_dma(struct app_state *state)
{
    doca_error_t result;

    result = doca_dma_create(&state->dma);
    if (result != DOCA_SUCCESS)
        return result;
    state->ctx = doca_dma_as_ctx(state->dma);
    result = doca_ctx_dev_add(state->ctx, state->dev);
    if (result != DOCA_SUCCESS)
        return result;
    return doca_ctx_start(state->ctx);
}

static doca_error_t init_worker(struct worker *worker)
{
    uint32_t max_chunks = 2;
    char name[16];
    doca_error_t result;

    snprintf(name, sizeof(name), "worker_%d", worker->id);
    result = doca_mmap_create(name, &worker->mmap);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_mmap_property_set(worker->mmap, DOCA_MMAP_MAX_NUM_CHUNKS,
                                    (const uint8_t *)&max_chunks, sizeof(max_chunks));
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_mmap_start(worker->mmap);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_mmap_dev_add(worker->mmap, worker->state->dev);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_mmap_populate(worker->mmap, worker->src, PART_SIZE, (size_t)sysconf(_SC_PAGESIZE),
                                NULL, NULL);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_mmap_populate(worker->mmap, worker->dst, PART_SIZE, (size_t)sysconf(_SC_PAGESIZE),
                                NULL, NULL);
    if (result != DOCA_SUCCESS)
        return result;

    result = doca_buf_inventory_create(name, 2 * WORKQ_DEPTH, DOCA_BUF_EXTENSION_NONE,
                                       &worker->inventory);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_buf_inventory_start(worker->inventory);
    if (result != DOCA_SUCCESS)
        return result;

    result = doca_workq_create(WORKQ_DEPTH, &worker->workq);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_ctx_workq_add(worker->state->ctx, worker->workq);
    if (result != DOCA_SUCCESS) {
        doca_workq_destroy(worker->workq);
        worker->workq = NULL;
    }
    return result;
}

/* A job structure must stay valid until its event has been retrieved. */
struct slot {
    struct doca_dma_job_memcpy job;
    struct doca_buf *src;
    struct doca_buf *dst;
};

static void release_slot(struct slot *slot)
{
    if (slot->dst != NULL)
        doca_buf_refcount_rm(slot->dst, NULL);
    if (slot->src != NULL)
        doca_buf_refcount_rm(slot->src, NULL);
    slot->src = slot->dst = NULL;
}

static doca_error_t submit_block(struct worker *worker, struct slot *slot)
{
    size_t offset = (size_t)worker->num_submitted * BLOCK_SIZE;
    doca_error_t result;

    result = doca_buf_inventory_buf_by_addr(worker->inventory, worker->mmap, worker->src + offset,
                                            BLOCK_SIZE, &slot->src);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_buf_inventory_buf_by_addr(worker->inventory, worker->mmap, worker->dst + offset,
                                            BLOCK_SIZE, &slot->dst);
    if (result != DOCA_SUCCESS) {
        release_slot(slot);
        return result;
    }

    memset(&slot->job, 0, sizeof(slot->job));
    slot->job.base.type = DOCA_DMA_JOB_MEMCPY;
    slot->job.base.flags = DOCA_JOB_FLAGS_NONE;
    slot->job.base.ctx = worker->state->ctx;
    slot->job.base.user_data.ptr = slot;
    slot->job.dst_buff = slot->dst;
    slot->job.src_buff = slot->src;
    slot->job.num_bytes_to_copy = BLOCK_SIZE;
    result = doca_workq_submit(worker->workq, &slot->job.base);
    if (result != DOCA_SUCCESS) {
        release_slot(slot);
        return result;
    }
    worker->num_submitted++;
    return DOCA_SUCCESS;
}

/* Wait for one event. The slot of its job is free afterwards. */
static doca_error_t retrieve(struct worker *worker, struct slot **slot)
{
    struct doca_event event = { 0 };
    doca_error_t result;

    do {
        result =
            doca_workq_progress_retrieve(worker->workq, &event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE);
    } while (result == DOCA_ERROR_AGAIN);
    if (result != DOCA_SUCCESS && result != DOCA_ERROR_IO_FAILED)
        return result;
    if (event.type != DOCA_DMA_JOB_MEMCPY)
        return DOCA_ERROR_UNEXPECTED;
    *slot = (struct slot *)event.user_data.ptr;
    release_slot(*slot);
    return (doca_error_t)event.result.u64;
}

static void *copy_part(void *arg)
{
    struct worker *worker = (struct worker *)arg;
    struct slot slots[WORKQ_DEPTH] = { 0 }, *slot;
    doca_error_t result;

    worker->result = init_worker(worker);
    if (worker->result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Thread %d cannot start: %s", worker->id,
                     doca_get_error_string(worker->result));
        return NULL;
    }

    while (worker->num_submitted < WORKQ_DEPTH && worker->result == DOCA_SUCCESS)
        worker->result = submit_block(worker, &slots[worker->num_submitted]);
    while (worker->num_copied < worker->num_submitted) {
        result = retrieve(worker, &slot);
        worker->num_copied++;
        if (worker->result == DOCA_SUCCESS)
            worker->result = result;
        if (worker->num_submitted < NUM_BLOCKS && worker->result == DOCA_SUCCESS)
            worker->result = submit_block(worker, slot);
    }
    if (worker->result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Thread %d failed: %s", worker->id, doca_get_error_string(worker->result));
    return NULL;
}

static void cleanup_worker(struct worker *worker)
{
    if (worker->workq != NULL) {
        if (doca_ctx_workq_rm(worker->state->ctx, worker->workq) != DOCA_SUCCESS ||
            doca_workq_destroy(worker->workq) != DOCA_SUCCESS)
            DOCA_LOG_ERR("Cannot destroy the work queue of thread %d", worker->id);
    }
    if (worker->inventory != NULL) {
        if (doca_buf_inventory_stop(worker->inventory) != DOCA_SUCCESS ||
            doca_buf_inventory_destroy(worker->inventory) != DOCA_SUCCESS)
            DOCA_LOG_ERR("Cannot destroy the inventory of thread %d", worker->id);
    }
    if (worker->mmap != NULL) {
        if (doca_mmap_dev_rm(worker->mmap, worker->state->dev) != DOCA_SUCCESS ||
            doca_mmap_stop(worker->mmap) != DOCA_SUCCESS ||
            doca_mmap_destroy(worker->mmap) != DOCA_SUCCESS)
            DOCA_LOG_ERR("Cannot destroy the memory map of thread %d", worker->id);
    }
}

static doca_error_t cleanup_dma(struct app_state *state)
{
    doca_error_t result;

    if (state->dma == NULL)
        return DOCA_SUCCESS;
    result = doca_ctx_stop(state->ctx);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot stop the context: %s", doca_get_error_string(result));
    result = doca_ctx_dev_rm(state->ctx, state->dev);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot remove the device: %s", doca_get_error_string(result));
    return doca_dma_destroy(state->dma);
}

static doca_error_t run(int num_threads, const struct doca_pci_bdf *bdf)
{
    struct app_state state = { 0 };
    static struct worker workers[MAX_THREADS];
    size_t size = (size_t)num_threads * PART_SIZE, i;
    char *src = malloc(size), *dst = calloc(1, size);
    doca_error_t result, tmp_result;
    int num_started = 0, id;

    if (src == NULL || dst == NULL) {
        result = DOCA_ERROR_NO_MEMORY;
        goto free_memory;
    }
    for (i = 0; i < size; i++)
        src[i] = (char)(i * 31 + i / BLOCK_SIZE);
    result = open_dma_device(bdf, &state.dev);
    if (result != DOCA_SUCCESS)
        goto free_memory;
    result = init_dma(&state);
    if (result != DOCA_SUCCESS)
        goto cleanup;

    for (id = 0; id < num_threads; id++, num_started++) {
        workers[id].state = &state;
        workers[id].id = id;
        workers[id].src = src + (size_t)id * PART_SIZE;
        workers[id].dst = dst + (size_t)id * PART_SIZE;
        if (pthread_create(&workers[id].thread, NULL, copy_part, &workers[id]) != 0) {
            result = DOCA_ERROR_OPERATING_SYSTEM;
            break;
        }
    }
    for (id = 0; id < num_started; id++) {
        pthread_join(workers[id].thread, NULL);
        printf("thread %d: %u of %u blocks, %s\n", id, workers[id].num_copied,
               workers[id].num_submitted, doca_get_error_string(workers[id].result));
        if (result == DOCA_SUCCESS)
            result = workers[id].result;
        cleanup_worker(&workers[id]);
    }
    printf("%zu bytes %s\n", size, memcmp(src, dst, size) == 0 ? "are equal" : "DIFFER");

cleanup:
    tmp_result = cleanup_dma(&state);
    if (result == DOCA_SUCCESS)
        result = tmp_result;
    tmp_result = doca_dev_close(state.dev);
    if (result == DOCA_SUCCESS)
        result = tmp_result;
free_memory:
    free(dst);
    free(src);
    return result;
}

int main(int argc, char **argv)
{
    struct doca_logger_backend *logger;
    struct doca_pci_bdf bdf = { 0 };
    unsigned int bus, device, function;
    int num_threads = 4, option, has_bdf = 0;
    doca_error_t result;

    if (doca_log_create_file_backend(stderr, &logger) != DOCA_SUCCESS)
        return EXIT_FAILURE;
    while ((option = getopt(argc, argv, "t:s:")) != -1) {
        if (option == 't') {
            num_threads = atoi(optarg);
        } else if (option == 's' && sscanf(optarg, "%x:%x.%x", &bus, &device, &function) == 3) {
            bdf.bus = bus & 0xff;
            bdf.device = device & 0x1f;
            bdf.function = function & 0x7;
            has_bdf = 1;
        } else {
            num_threads = 0;
            break;
        }
    }
    if (num_threads < 1 || num_threads > MAX_THREADS) {
        fprintf(stderr, "usage: workq [-t 1..%d] [-s BUS:DEVICE.FUNCTION]\n", MAX_THREADS);
        return EXIT_FAILURE;
    }
    result = run(num_threads, has_bdf ? &bdf : NULL);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("failed: %s", doca_get_error_string(result));
    return result == DOCA_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
