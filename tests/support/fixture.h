/* The rig, the set-up of most tests: a device, two mmaps, an inventory, a DMA context and its PE.
 *
 * All contexts of a rig share its callbacks. They count the tasks, record the state changes, and
 * then call the hooks of the test. rig_progress() checks that callbacks run only inside it, and at
 * most one per call. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "doca_test.h"

#include <time.h>

#define RIG_BYTES 65536u
#define RIG_BUFS 512u
#define RIG_PATIENCE 1000000u /* progress calls until a test gives up */

static unsigned char rig_from[RIG_BYTES], rig_to[RIG_BYTES];

struct rig {
    struct doca_dev *dev;
    struct doca_mmap *src_map; /* rig_from */
    struct doca_mmap *dst_map; /* rig_to */
    struct doca_buf_inventory *inventory;
    struct doca_pe *pe;
    struct doca_dma *dma; /* NULL when the test has destroyed the context */
    struct doca_ctx *ctx;

    unsigned num_ok;
    unsigned num_failed;
    doca_error_t status; /* status of the latest task */
    unsigned num_states;
    char states[256]; /* state changes, such as "IR RP PI": I idle, S starting, R running,
                       * P stopping */
    unsigned num_callbacks;
    bool in_progress;

    /* set by the test; the task callback calls on_task, the state callback calls on_state */
    bool frees_tasks; /* after on_task, free the task and release its buffers */
    void (*on_task)(struct rig *rig, struct doca_dma_task_memcpy *task);
    void (*on_state)(struct rig *rig, struct doca_ctx *ctx, enum doca_ctx_states next);
    unsigned todo; /* a counter that the hooks may use */
};

/* Free the task, then release both buffers. */
static inline void rig_release(struct doca_dma_task_memcpy *task)
{
    struct doca_buf *src = (struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(task);
    struct doca_buf *dst = doca_dma_task_memcpy_get_dst(task);

    doca_task_free(doca_dma_task_memcpy_as_task(task));
    if (src != NULL)
        CHECK_OK(doca_buf_dec_refcount(src, NULL));
    if (dst != NULL)
        CHECK_OK(doca_buf_dec_refcount(dst, NULL));
}

static inline void rig_task_done(struct rig *r, struct doca_dma_task_memcpy *task)
{
    CHECK(r->in_progress);
    CHECK(IS_HANDLE(task));
    r->num_callbacks++;
    r->status = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
    if (r->on_task != NULL)
        r->on_task(r, task);
    if (r->frees_tasks)
        rig_release(task);
}

static inline void rig_completed(struct doca_dma_task_memcpy *task, union doca_data task_data,
                                 union doca_data ctx_data)
{
    struct rig *r = ctx_data.ptr;

    (void)task_data;
    r->num_ok++;
    CHECK_OK(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    rig_task_done(r, task);
}

static inline void rig_failed(struct doca_dma_task_memcpy *task, union doca_data task_data,
                              union doca_data ctx_data)
{
    struct rig *r = ctx_data.ptr;

    (void)task_data;
    r->num_failed++;
    CHECK(doca_task_get_status(doca_dma_task_memcpy_as_task(task)) != DOCA_SUCCESS);
    rig_task_done(r, task);
}

static inline void rig_state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                                     enum doca_ctx_states prev, enum doca_ctx_states next)
{
    static const char letters[] = "ISRP";
    struct rig *r = user_data.ptr;
    char *at = r->states + (size_t)r->num_states * 3;

    CHECK(r->in_progress);
    CHECK((unsigned)prev < 4 && (unsigned)next < 4 && prev != next);
    CHECK((size_t)r->num_states * 3 + 3 < sizeof(r->states));
    if (r->num_states > 0)
        at[-1] = ' ';
    at[0] = letters[prev];
    at[1] = letters[next];
    at[2] = '\0';
    r->num_states++;
    r->num_callbacks++;
    if (r->on_state != NULL)
        r->on_state(r, ctx, next);
}

/* True when each state change begins with the state that the change before it ended with. */
static inline bool rig_states_are_a_chain(const struct rig *r)
{
    unsigned i;

    for (i = 1; i < r->num_states; i++)
        if (r->states[3 * i] != r->states[3 * i - 2])
            return false;
    return true;
}

static inline void rig_forget_states(struct rig *r)
{
    r->num_callbacks -= r->num_states;
    r->num_states = 0;
    r->states[0] = '\0';
}

static inline enum doca_ctx_states rig_state(const struct doca_ctx *ctx)
{
    enum doca_ctx_states state;

    CHECK_OK(doca_ctx_get_state(ctx, &state));
    return state;
}

static inline size_t rig_inflight(const struct doca_ctx *ctx)
{
    size_t num;

    CHECK_OK(doca_ctx_get_num_inflight_tasks(ctx, &num));
    return num;
}

static inline bool rig_progress(struct rig *r)
{
    unsigned before = r->num_callbacks;
    uint8_t moved;

    r->in_progress = true;
    moved = doca_pe_progress(r->pe);
    r->in_progress = false;
    CHECK(moved <= 1);
    CHECK(r->num_callbacks - before <= moved);
    return moved == 1;
}

/* Call rig_progress() until it returns false, and return how often it returned true. Devices other
 * than the software device need time: while tasks are in flight, the function goes on calling, up
 * to a limit. */
static inline unsigned rig_drain(struct rig *r)
{
    unsigned calls = 0, idle = 0;

    while (calls < RIG_PATIENCE) {
        if (rig_progress(r)) {
            calls++;
            idle = 0;
        } else if (test_other() == NULL || r->dma == NULL || rig_inflight(r->ctx) == 0 ||
                   ++idle == RIG_PATIENCE / 4) {
            return calls;
        }
    }
    test_fail(__FILE__, __LINE__, "progress never comes to an end");
}

/* Open the device with this PCI address, or the first device when `pci_addr` is NULL. */
static inline struct doca_dev *rig_open_dev(const char *pci_addr)
{
    struct doca_devinfo **list = NULL;
    struct doca_dev *dev = NULL;
    uint32_t n, i;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    for (i = 0; i < n && dev == NULL; i++) {
        uint8_t is_equal = 1;

        if (pci_addr != NULL)
            CHECK_OK(doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &is_equal));
        if (is_equal)
            CHECK_OK(doca_dev_open(list[i], &dev));
    }
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK(dev != NULL);
    return dev;
}

/* Open the device at this index of the device list; skip the case when the list is shorter. */
static inline struct doca_dev *rig_open_nth_dev(uint32_t index)
{
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    uint32_t n;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    if (index < n)
        CHECK_OK(doca_dev_open(list[index], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    if (dev == NULL)
        test_skip("this machine has fewer devices");
    return dev;
}

/* Skip the case when the first device cannot hash. Fail the case when that is the software device,
 * which must be able to. */
static inline void rig_needs_sha(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    bool hashes = doca_sha_cap_task_hash_get_supported(doca_dev_as_devinfo(dev),
                                                       DOCA_SHA_ALGORITHM_SHA256) == DOCA_SUCCESS;

    CHECK_OK(doca_dev_close(dev));
    CHECK(hashes || test_other() != NULL);
    if (!hashes)
        test_skip("the device has no hash engine");
}

/* Open the second device. */
static inline struct doca_dev *rig_open_second(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t n;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK(n > 1);
    CHECK_OK(doca_dev_open(list[1], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    return dev;
}

static inline struct doca_mmap *rig_map(struct doca_dev *dev, void *addr, size_t len)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, addr, len));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_start(mmap));
    return mmap;
}

/* Create another DMA context on the rig's device, with the rig's callbacks, and connect it to the
 * rig's PE. The context stays idle. */
static inline struct doca_dma *rig_make_dma(struct rig *r, uint32_t num_tasks)
{
    struct doca_dma *dma;
    struct doca_ctx *ctx;

    CHECK_OK(doca_dma_create(r->dev, &dma));
    ctx = doca_dma_as_ctx(dma);
    CHECK_OK(doca_ctx_set_user_data(ctx, (union doca_data){ .ptr = r }));
    CHECK_OK(doca_ctx_set_state_changed_cb(ctx, rig_state_changed));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, rig_completed, rig_failed, num_tasks));
    CHECK_OK(doca_pe_connect_ctx(r->pe, ctx));
    return dma;
}

/* Build the rig on the open device `dev`, which rig_close() closes. The context stays idle. */
static inline void rig_build_on(struct rig *r, struct doca_dev *dev, uint32_t num_tasks)
{
    size_t i;

    memset(r, 0, sizeof(*r));
    for (i = 0; i < RIG_BYTES; i++)
        rig_from[i] = (unsigned char)(i * 31 + (i >> 8) * 7 + 1);
    memset(rig_to, 0xee, RIG_BYTES);
    r->dev = dev;
    r->src_map = rig_map(r->dev, rig_from, RIG_BYTES);
    r->dst_map = rig_map(r->dev, rig_to, RIG_BYTES);
    CHECK_OK(doca_buf_inventory_create(RIG_BUFS, &r->inventory));
    CHECK_OK(doca_buf_inventory_start(r->inventory));
    CHECK_OK(doca_pe_create(&r->pe));
    r->dma = rig_make_dma(r, num_tasks);
    r->ctx = doca_dma_as_ctx(r->dma);
}

/* Like rig_build_on(), with the device that rig_open_dev(pci_addr) opens. */
static inline void rig_build(struct rig *r, const char *pci_addr, uint32_t num_tasks)
{
    rig_build_on(r, rig_open_dev(pci_addr), num_tasks);
}

/* Build the rig on the first device, start the context, and discard the recorded state changes. */
static inline void rig_open(struct rig *r, uint32_t num_tasks)
{
    rig_build(r, NULL, num_tasks);
    CHECK_OK(doca_ctx_start(r->ctx));
    rig_drain(r);
    rig_forget_states(r);
}

static inline void rig_stop(struct rig *r, struct doca_ctx *ctx)
{
    doca_error_t rc = doca_ctx_stop(ctx);

    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
    rig_drain(r);
    CHECK_EQ(rig_state(ctx), DOCA_CTX_STATE_IDLE);
}

/* Destroy the rig. The test must have freed its tasks and released its buffers. */
static inline void rig_close(struct rig *r)
{
    if (r->dma != NULL) {
        rig_stop(r, r->ctx);
        CHECK_OK(doca_dma_destroy(r->dma));
    }
    CHECK_OK(doca_pe_destroy(r->pe));
    CHECK_OK(doca_buf_inventory_destroy(r->inventory));
    CHECK_OK(doca_mmap_destroy(r->src_map));
    CHECK_OK(doca_mmap_destroy(r->dst_map));
    CHECK_OK(doca_dev_close(r->dev));
}

/* rig_src() gets a buffer whose content is [off, off + len) of rig_from; rig_dst() gets an empty
 * buffer over [off, off + len) of rig_to. */
static inline struct doca_buf *rig_src(struct rig *r, size_t off, size_t len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_data(r->inventory, r->src_map, rig_from + off, len,
                                                &buf));
    return buf;
}

static inline struct doca_buf *rig_dst(struct rig *r, size_t off, size_t len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_addr(r->inventory, r->dst_map, rig_to + off, len, &buf));
    return buf;
}

static inline size_t rig_data_len(const struct doca_buf *buf)
{
    size_t len;

    CHECK_OK(doca_buf_get_data_len(buf, &len));
    return len;
}

static inline struct doca_dma_task_memcpy *rig_task(struct doca_dma *dma, struct doca_buf *src,
                                                    struct doca_buf *dst)
{
    struct doca_dma_task_memcpy *task;

    CHECK_OK(doca_dma_task_memcpy_alloc_init(dma, src, dst, (union doca_data){ 0 }, &task));
    return task;
}

/* Allocate a task that copies [off, off + len) of rig_from to the same offset of rig_to. */
static inline struct doca_dma_task_memcpy *rig_prepare(struct rig *r, struct doca_dma *dma,
                                                       size_t off, size_t len)
{
    return rig_task(dma, rig_src(r, off, len), rig_dst(r, off, len));
}

static inline doca_error_t rig_submit(struct doca_dma_task_memcpy *task)
{
    return doca_task_submit(doca_dma_task_memcpy_as_task(task));
}

static inline struct doca_dma_task_memcpy *rig_copy(struct rig *r, struct doca_dma *dma, size_t off,
                                                    size_t len)
{
    struct doca_dma_task_memcpy *task = rig_prepare(r, dma, off, len);

    CHECK_OK(rig_submit(task));
    return task;
}

/* Return a random number from 0 to below - 1. The first call prints the seed; a run with the same
 * seed in DOCA_TEST_SEED gets the same numbers. */
static inline uint32_t rig_random(uint32_t below)
{
    static uint64_t x;

    if (x == 0) {
        enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
        const char *given = getenv("DOCA_TEST_SEED");

        x = given != NULL ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
        printf("  seed: DOCA_TEST_SEED=%llu\n", (unsigned long long)x);
        x = x * 2 + 1;
        heap_trap_set(mode);
    }
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return (uint32_t)(x >> 32) % below;
}

#endif
