/* The two processes of tools/soak that share memory. The exporter offers memory to read and memory
 * to write, with an event for each direction: the importer sets "ready" to the number of its last
 * write, and the exporter sets "seen" to that number when it has compared the bytes. Meanwhile the
 * importer reads, several tasks at a time. Either process may end, or be killed, at any moment. */
#ifndef SOAK_PAIR_H
#define SOAK_PAIR_H

#include "soak.h"

static struct {
    unsigned char before[GUARD], readable[AREA], between[GUARD], writable[AREA], after[GUARD];
} shared __attribute__((aligned(4096)));

static unsigned char expected[AREA];

/* ---- the exporter */

struct exporter {
    struct offer *offer;
    struct tally *tally;
    uint64_t seed;
    struct doca_dev *dev;
    struct doca_mmap *read_map, *write_map;
    struct doca_pe *pe;
    struct doca_sync_event *ready, *seen;
    struct doca_ctx *ctx; /* of ready */
    uint64_t num_seen;
    uint32_t num_waiting; /* tasks */
    bool has_failed, is_over;
};

static void something_written(struct doca_sync_event_task_wait_gt *task, union doca_data data,
                              union doca_data unused)
{
    struct exporter *e = data.ptr;
    struct doca_task *t = doca_sync_event_task_wait_gt_as_doca_task(task);
    doca_error_t rc = doca_task_get_status(t);
    uint32_t offset = e->offer->written.offset, len = e->offer->written.len;

    (void)unused;
    count_end(&e->tally[EVENT], rc, &e->has_failed);
    doca_task_free(t);
    e->num_waiting--;
    if (rc != DOCA_SUCCESS)
        return;
    if (e->offer->written.number != e->num_seen + 1 || offset + len > AREA)
        finding("event %llu came, and %llu was written", (unsigned long long)e->num_seen + 1,
                (unsigned long long)e->offer->written.number);
    pattern(expected, e->offer->written.seed, 0, len);
    if (memcmp(shared.writable + offset, expected, len) != 0)
        finding("%u bytes at %u, written by the importer, are not what it wrote", len, offset);
    count_bytes(&e->tally[EVENT], len);
    e->num_seen++;
    MUST(doca_sync_event_update_set(e->seen, e->num_seen));
}

/* Wait until the importer has written once more. */
static void await_importer(struct exporter *e)
{
    struct doca_sync_event_task_wait_gt *task;
    union doca_data data = { e };

    MUST(doca_sync_event_task_wait_gt_alloc_init(e->ready, e->num_seen, UINT64_MAX, data, &task));
    count_begin(&e->tally[EVENT]);
    e->num_waiting++;
    if (doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(task)) == DOCA_SUCCESS)
        return;
    count_no_begin(&e->tally[EVENT]);
    e->num_waiting--;
    doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(task));
}

static struct doca_mmap *exported_map(struct exporter *e, void *at, uint32_t access)
{
    struct doca_mmap *mmap;

    MUST(doca_mmap_create(&mmap));
    MUST(doca_mmap_set_memrange(mmap, at, AREA));
    MUST(doca_mmap_add_dev(mmap, e->dev));
    MUST(doca_mmap_set_permissions(mmap, access));
    if (!start_mmap(mmap))
        e->is_over = true;
    return mmap;
}

static bool open_exporter(struct exporter *e)
{
    e->dev = NULL;
    e->num_seen = 0;
    e->num_waiting = 0;
    e->is_over = false;
    if (!open_dev(0, &e->dev))
        return false;
    e->offer->seed = between(&e->seed, 0, UINT32_MAX - 1);
    memset(&shared, CALM, sizeof(shared));
    pattern(shared.readable, e->offer->seed, 0, AREA);
    e->read_map = exported_map(e, shared.readable, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
    e->write_map = exported_map(e, shared.writable, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
                                                        DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    MUST(doca_pe_create(&e->pe));
    MUST(doca_sync_event_create(&e->ready));
    MUST(doca_sync_event_add_publisher_location_dpu(e->ready));
    MUST(doca_sync_event_add_subscriber_location_cpu(e->ready, e->dev));
    MUST(doca_sync_event_task_wait_gt_set_conf(e->ready, something_written, something_written, 1));
    e->ctx = doca_sync_event_as_ctx(e->ready);
    MUST(doca_pe_connect_ctx(e->pe, e->ctx));
    MUST(doca_sync_event_create(&e->seen));
    MUST(doca_sync_event_add_publisher_location_cpu(e->seen, e->dev));
    MUST(doca_sync_event_add_subscriber_location_dpu(e->seen));
    MUST(doca_sync_event_start(e->seen));
    if (!start_ctx(e->ctx, &e->has_failed) || state_of(e->ctx) != DOCA_CTX_STATE_RUNNING)
        e->is_over = true;
    return true;
}

/* Export the memory and the events, and publish the offer. Return false when an export is refused,
 * because the device is lost or a fault was injected. */
static bool publish(struct exporter *e)
{
    struct offer *o = e->offer;
    const void *desc[DESCS];
    const uint8_t *data;
    size_t len[DESCS];
    int i;

    if (doca_mmap_export_pci(e->read_map, e->dev, &desc[0], &len[0]) != DOCA_SUCCESS ||
        doca_mmap_export_pci(e->write_map, e->dev, &desc[1], &len[1]) != DOCA_SUCCESS)
        return false;
    MUST(doca_sync_event_export_to_dpu(e->ready, e->dev, &data, &len[2]));
    desc[2] = data;
    MUST(doca_sync_event_export_to_dpu(e->seen, e->dev, &data, &len[3]));
    desc[3] = data;
    for (i = 0; i < DESCS; i++) {
        MUST_BE(len[i] <= DESC_BYTES);
        memcpy(o->desc[i], desc[i], len[i]);
        o->desc_len[i] = (uint32_t)len[i];
    }
    o->read_at = (uintptr_t)shared.readable;
    o->write_at = (uintptr_t)shared.writable;
    __atomic_store_n(&o->version, o->version + 1, __ATOMIC_RELEASE);
    return true;
}

/* Withdraw the offer. Called before anything that was offered is destroyed. */
static void retract(struct offer *o)
{
    if (o->version % 2 == 0)
        __atomic_store_n(&o->version, o->version + 1, __ATOMIC_SEQ_CST);
}

static void serve_importer(struct exporter *e, double end)
{
    struct pollfd wait = { -1, POLLIN, 0 };
    bool sleeps = between(&e->seed, 0, 1) == 0;

    if (sleeps)
        MUST(doca_pe_get_notification_handle(e->pe, &wait.fd));
    while (!e->is_over && seconds() < end && !is_stopping()) {
        if (state_of(e->ctx) == DOCA_CTX_STATE_IDLE && !start_ctx(e->ctx, &e->has_failed))
            break;
        if (state_of(e->ctx) == DOCA_CTX_STATE_RUNNING && e->num_waiting == 0)
            await_importer(e);
        if (sleeps) {
            MUST(doca_pe_request_notification(e->pe));
            (void)poll(&wait, 1, 20);
            MUST(doca_pe_clear_notification(e->pe, wait.fd));
        }
        while (doca_pe_progress(e->pe))
            continue;
        if (!sleeps)
            sched_yield();
    }
}

static void close_exporter(struct exporter *e)
{
    double end = seconds() + PATIENCE_S;
    size_t i;

    retract(e->offer);
    while (doca_ctx_stop(e->ctx) == DOCA_ERROR_IN_PROGRESS ||
           state_of(e->ctx) != DOCA_CTX_STATE_IDLE) {
        (void)doca_pe_progress(e->pe);
        if (seconds() > end)
            finding("the event of an exporter does not stop");
    }
    MUST_BE(e->num_waiting == 0);
    MUST(doca_sync_event_destroy(e->ready));
    MUST(doca_sync_event_destroy(e->seen));
    MUST(doca_pe_destroy(e->pe));
    MUST(doca_mmap_destroy(e->read_map));
    MUST(doca_mmap_destroy(e->write_map));
    MUST(doca_dev_close(e->dev));
    for (i = 0; i < GUARD; i++)
        MUST_BE(shared.before[i] == CALM && shared.between[i] == CALM && shared.after[i] == CALM);
    pattern(expected, e->offer->seed, 0, AREA); /* the importer must not have written here */
    MUST_BE(memcmp(shared.readable, expected, AREA) == 0);
}

static void exporter_process(struct offer *offer, uint64_t seed)
{
    static struct exporter e;

    e.offer = offer;
    e.tally = my->tally[0];
    e.seed = seed;
    retract(offer); /* a killed exporter may have left an offer */
    while (!is_stopping()) {
        choose_faults(&e.seed);
        if (!open_exporter(&e))
            continue;
        if (!e.is_over && publish(&e))
            serve_importer(&e, seconds() + between(&e.seed, 20, 1500) / 1e3);
        close_exporter(&e);
        check_levels();
    }
}

/* ---- the importer */

enum { READS = 4, READ_BYTES = 16384 };

struct importer;

struct far_job {
    struct importer *importer;
    bool is_busy;
    struct doca_buf *far, *near;
    size_t len;
    unsigned char *memory; /* READ_BYTES in this process */
    uint32_t at[3], part[3], num; /* offsets and lengths of the pieces in the exporter */
};

struct importer {
    struct offer *offer;
    struct offer seen; /* a copy of *offer */
    struct tally *tally;
    uint64_t seed;
    struct doca_dev *dev;
    struct doca_mmap *read_map, *write_map, *near_map;
    struct doca_sync_event *ready, *ack;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    struct doca_buf_inventory *bufs;
    struct far_job jobs[READS + 1]; /* the last one writes */
    uint32_t num_out;
    bool has_failed, is_over, is_written;
};

static unsigned char near[READS + 1][READ_BYTES];

/* Make a list of buffers on the exporter's memory, and one local buffer of the same length. */
static void take_far(struct importer *m, struct far_job *job, bool is_read)
{
    struct doca_mmap *map = is_read ? m->read_map : m->write_map;
    uint64_t base = is_read ? m->seen.read_at : m->seen.write_at;
    uint32_t i, end = 0;
    struct doca_buf *buf;

    job->num = between(&m->seed, 1, 3);
    job->len = 0;
    job->far = NULL;
    /* the parts of a write are adjacent, because its destination is a single piece */
    for (i = 0; i < job->num; i++) {
        job->part[i] = between(&m->seed, 1, READ_BYTES / 3);
        job->at[i] = is_read   ? between(&m->seed, 0, AREA - job->part[i])
                     : i == 0 ? between(&m->seed, 0, AREA - READ_BYTES)
                              : end;
        end = job->at[i] + job->part[i];
        if (is_read)
            MUST(doca_buf_inventory_buf_get_by_data(
                m->bufs, map, (void *)(uintptr_t)(base + job->at[i]), job->part[i], &buf));
        else
            MUST(doca_buf_inventory_buf_get_by_addr(
                m->bufs, map, (void *)(uintptr_t)(base + job->at[i]), job->part[i], &buf));
        if (job->far == NULL)
            job->far = buf;
        else
            MUST(doca_buf_chain_list(job->far, buf));
        job->len += job->part[i];
    }
    if (is_read)
        MUST(doca_buf_inventory_buf_get_by_addr(m->bufs, m->near_map, job->memory, job->len,
                                                &job->near));
    else
        MUST(doca_buf_inventory_buf_get_by_data(m->bufs, m->near_map, job->memory, job->len,
                                                &job->near));
    job->is_busy = true;
    m->num_out++;
}

static void drop_far(struct far_job *job)
{
    MUST(doca_buf_dec_refcount(job->far, NULL));
    MUST(doca_buf_dec_refcount(job->near, NULL));
    job->is_busy = false;
    job->importer->num_out--;
}

static void far_ended(struct doca_dma_task_memcpy *task, union doca_data data, union doca_data ctx)
{
    struct far_job *job = data.ptr;
    struct importer *m = job->importer;
    bool is_read = job != &m->jobs[READS];
    struct tally *t = &m->tally[is_read ? FAR_READ : FAR_WRITE];
    doca_error_t rc = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
    size_t done = 0;
    uint32_t i;

    (void)ctx;
    count_end(t, rc, &m->has_failed);
    for (i = 0; rc == DOCA_SUCCESS && is_read && i < job->num; i++) {
        pattern(expected, m->seen.seed, job->at[i], job->part[i]);
        if (memcmp(job->memory + done, expected, job->part[i]) != 0)
            finding("%u bytes at %u of the exporter came here as others", job->part[i], job->at[i]);
        done += job->part[i];
        count_bytes(t, job->part[i]);
    }
    if (!is_read && rc == DOCA_SUCCESS)
        m->is_written = true;
    if (rc == DOCA_ERROR_IO_FAILED && doca_core_last_item() != DOCA_CORE_ITEM_FLUSHED)
        m->is_over = true; /* the exporter may have ended */
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    drop_far(job);
}

static bool begin_far(struct importer *m, struct far_job *job)
{
    bool is_read = job != &m->jobs[READS];
    struct tally *t = &m->tally[is_read ? FAR_READ : FAR_WRITE];
    struct doca_dma_task_memcpy *task;
    union doca_data data = { job };

    MUST(doca_dma_task_memcpy_alloc_init(m->dma, is_read ? job->far : job->near,
                                         is_read ? job->near : job->far, data, &task));
    count_begin(t);
    if (doca_task_submit(doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS)
        return true;
    count_no_begin(t);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    drop_far(job);
    return false;
}

/* Copy the offer consistently. Return false when there is no offer now. */
static bool read_offer(struct importer *m)
{
    uint32_t version = __atomic_load_n(&m->offer->version, __ATOMIC_ACQUIRE);

    memcpy(&m->seen, m->offer, sizeof(m->seen));
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return version % 2 == 0 && __atomic_load_n(&m->offer->version, __ATOMIC_ACQUIRE) == version;
}

/* True when an import has succeeded. It may be refused because the exporter has ended or has
 * withdrawn its offer. */
static bool is_imported(doca_error_t rc)
{
    if (rc == DOCA_SUCCESS)
        return true;
    if (rc != DOCA_ERROR_INVALID_VALUE && rc != DOCA_ERROR_DRIVER && rc != DOCA_ERROR_IO_FAILED)
        finding("an import is refused: %s", doca_core_last_error());
    __atomic_fetch_add(&my->refused, 1, __ATOMIC_RELAXED);
    return false;
}

static void open_importer(struct importer *m)
{
    const struct offer *o = &m->seen;
    uint32_t i;

    m->read_map = m->write_map = NULL;
    m->ready = m->ack = NULL;
    m->num_out = 0;
    m->has_failed = m->is_over = false;
    for (i = 0; i <= READS; i++) {
        m->jobs[i].importer = m;
        m->jobs[i].is_busy = false;
        m->jobs[i].memory = near[i];
    }
    MUST(doca_mmap_create(&m->near_map));
    MUST(doca_mmap_set_memrange(m->near_map, near, sizeof(near)));
    MUST(doca_mmap_add_dev(m->near_map, m->dev));
    MUST(doca_pe_create(&m->pe));
    MUST(doca_dma_create(m->dev, &m->dma));
    MUST(doca_dma_task_memcpy_set_conf(m->dma, far_ended, far_ended, READS + 1));
    m->ctx = doca_dma_as_ctx(m->dma);
    MUST(doca_pe_connect_ctx(m->pe, m->ctx));
    MUST(doca_buf_inventory_create(8 * (READS + 1), &m->bufs));
    MUST(doca_buf_inventory_start(m->bufs));
    m->is_over = !start_mmap(m->near_map) ||
                 !is_imported(doca_mmap_create_from_export(NULL, o->desc[0], o->desc_len[0],
                                                           m->dev, &m->read_map)) ||
                 !is_imported(doca_mmap_create_from_export(NULL, o->desc[1], o->desc_len[1],
                                                           m->dev, &m->write_map)) ||
                 !is_imported(doca_sync_event_create_from_export(m->dev, o->desc[2],
                                                                 o->desc_len[2], &m->ready)) ||
                 doca_sync_event_start(m->ready) != DOCA_SUCCESS ||
                 !is_imported(doca_sync_event_create_from_export(m->dev, o->desc[3],
                                                                 o->desc_len[3], &m->ack)) ||
                 doca_sync_event_start(m->ack) != DOCA_SUCCESS;
}

static void close_importer(struct importer *m)
{
    double end = seconds() + PATIENCE_S;
    uint32_t num;

    while (doca_ctx_stop(m->ctx) == DOCA_ERROR_IN_PROGRESS ||
           state_of(m->ctx) != DOCA_CTX_STATE_IDLE) {
        (void)doca_pe_progress(m->pe);
        if (seconds() > end)
            finding("%u tasks of an importer did not come back", m->num_out);
    }
    MUST_BE(m->num_out == 0);
    MUST(doca_dma_destroy(m->dma));
    MUST(doca_pe_destroy(m->pe));
    MUST(doca_buf_inventory_get_num_free_elements(m->bufs, &num));
    MUST_BE(num == 8 * (READS + 1));
    MUST(doca_buf_inventory_destroy(m->bufs));
    if (m->ready != NULL)
        MUST(doca_sync_event_destroy(m->ready));
    if (m->ack != NULL)
        MUST(doca_sync_event_destroy(m->ack));
    if (m->read_map != NULL)
        MUST(doca_mmap_destroy(m->read_map));
    if (m->write_map != NULL)
        MUST(doca_mmap_destroy(m->write_map));
    MUST(doca_mmap_destroy(m->near_map));
    MUST(doca_dev_close(m->dev));
}

/* Wait until the exporter has compared all writes that were announced. Return false when the
 * exporter has ended. `value` becomes the number of the last write. */
static bool await_exporter(struct importer *m, uint64_t *value)
{
    doca_error_t rc;

    MUST(doca_sync_event_get(m->ready, value));
    /* analyzer: analyzer-null-dereference: callers have a place for it */
    rc = *value == 0 ? DOCA_SUCCESS
                     : doca_sync_event_wait_gt_yield(m->ack, *value - 1, UINT64_MAX);
    if (rc == DOCA_SUCCESS)
        return true;
    if (rc != DOCA_ERROR_CONNECTION_RESET)
        finding("a wait for the exporter: %s", doca_core_last_error());
    my->resets++;
    return false;
}

/* Write to the exporter's memory, announce the write by the event, and wait until the exporter has
 * compared the bytes. */
static void write_far(struct importer *m)
{
    struct far_job *job = &m->jobs[READS];
    double end = seconds() + PATIENCE_S;
    uint64_t value;
    doca_error_t rc;

    if (!await_exporter(m, &value)) {
        m->is_over = true;
        return;
    }
    m->offer->written.seed = between(&m->seed, 0, UINT32_MAX - 1);
    take_far(m, job, false);
    m->offer->written.offset = job->at[0];
    m->offer->written.len = (uint32_t)job->len;
    pattern(job->memory, m->offer->written.seed, 0, job->len);
    m->is_written = false;
    if (!begin_far(m, job))
        return;
    while (job->is_busy) {
        (void)doca_pe_progress(m->pe);
        if (seconds() > end)
            finding("a write into the exporter did not come back");
    }
    if (!m->is_written)
        return;
    count_bytes(&m->tally[FAR_WRITE], job->len);
    m->offer->written.number = value + 1;
    rc = doca_sync_event_update_set(m->ready, value + 1);
    if (rc == DOCA_SUCCESS)
        m->is_over = !await_exporter(m, &value) || m->is_over;
    else if (rc != DOCA_ERROR_CONNECTION_RESET)
        finding("an update of the exporter's event: %s", doca_core_last_error());
    else
        m->is_over = true;
}

static void importer_process(struct offer *offer, uint64_t seed)
{
    static struct importer m;
    uint32_t rounds, i;

    m.offer = offer;
    m.tally = my->tally[0];
    m.seed = seed;
    while (!is_stopping()) {
        choose_faults(&m.seed);
        if (!read_offer(&m) || !open_dev(table->backend_is_mlx5 ? 1 : 0, &m.dev)) {
            usleep(1000);
            continue;
        }
        open_importer(&m);
        for (rounds = between(&m.seed, 1, 300); rounds > 0 && !m.is_over && !is_stopping();
             rounds--) {
            if (state_of(m.ctx) == DOCA_CTX_STATE_IDLE && !start_ctx(m.ctx, &m.has_failed))
                break;
            for (i = 0; i < READS && state_of(m.ctx) == DOCA_CTX_STATE_RUNNING; i++) {
                if (m.jobs[i].is_busy)
                    continue;
                take_far(&m, &m.jobs[i], true);
                (void)begin_far(&m, &m.jobs[i]);
            }
            if (rounds % 4 == 0 && state_of(m.ctx) == DOCA_CTX_STATE_RUNNING)
                write_far(&m);
            for (i = between(&m.seed, 0, 8); i > 0; i--)
                (void)doca_pe_progress(m.pe);
        }
        close_importer(&m);
        check_levels();
    }
}

#endif
