/* A callback may throw a C++ exception through doca_pe_progress(): the objects stay consistent, no
 * callback is repeated, and later calls of progress continue. This file can contain the
 * implementation, compiled as C++. */

/* C++ programs may declare these structures themselves, also at global scope. */
struct doca_buf;
struct doca_ctx;
struct doca_dev;
struct doca_mmap;
struct doca_pe;

struct app_objects {
    struct doca_dev *dev;
    doca_pe *pe;
};

#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <cstdio>
#include <cstring>
#include <thread>

struct doca_dev;
struct doca_pe;

namespace {

const unsigned TASKS = 8;
const size_t LEN = 64;
const unsigned PATIENCE = 10000;

struct failure {
    int line;
    const char *what;
};

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            throw failure{ __LINE__, #condition };                                                 \
    } while (0)

#define CHECK_OK(call) CHECK((call) == DOCA_SUCCESS)

unsigned char from_bytes[TASKS * LEN], to_bytes[TASKS * LEN];

struct thrown {
    unsigned number;
};

/* A DMA context with a pair of buffers for each task. */
struct engine {
    app_objects app = {};
    doca_mmap *from_map = nullptr, *to_map = nullptr;
    doca_buf_inventory *inventory = nullptr;
    doca_dma *dma = nullptr;
    doca_ctx *ctx = nullptr;
    doca_buf *src[TASKS] = {}, *dst[TASKS] = {};
    unsigned num_done = 0, num_states = 0;
    unsigned done[TASKS] = {};
    bool throws_from_tasks = false, throws_from_states = false;
    bool stops_first = false, destroys_when_idle = false;

    engine();
    void start();
    void submit(unsigned i);
    unsigned drain();
    void close();
};

void task_done(doca_dma_task_memcpy *task, doca_data task_data, doca_data ctx_data)
{
    engine *e = static_cast<engine *>(ctx_data.ptr);

    e->num_done++;
    e->done[task_data.u64]++;
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    if (e->stops_first && e->num_done == 1)
        doca_ctx_stop(e->ctx);
    if (e->throws_from_tasks)
        throw thrown{ e->num_done };
}

void state_changed(const doca_data user_data, doca_ctx *ctx, doca_ctx_states, doca_ctx_states next)
{
    engine *e = static_cast<engine *>(user_data.ptr);

    CHECK(ctx == e->ctx);
    e->num_states++;
    if (next == DOCA_CTX_STATE_IDLE && e->destroys_when_idle) {
        CHECK_OK(doca_dma_destroy(e->dma));
        e->dma = nullptr;
    }
    if (e->throws_from_states)
        throw thrown{ e->num_states };
}

doca_mmap *map(doca_dev *dev, unsigned char *addr, size_t len)
{
    doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, addr, len));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_start(mmap));
    return mmap;
}

engine::engine()
{
    doca_devinfo **list;
    uint32_t n;
    doca_data data;

    for (unsigned i = 0; i < sizeof(from_bytes); i++)
        from_bytes[i] = static_cast<unsigned char>(i * 7 + 1);
    memset(to_bytes, 0, sizeof(to_bytes));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_dev_open(list[0], &app.dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    from_map = map(app.dev, from_bytes, sizeof(from_bytes));
    to_map = map(app.dev, to_bytes, sizeof(to_bytes));
    CHECK_OK(doca_buf_inventory_create(2 * TASKS, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    for (unsigned i = 0; i < TASKS; i++) {
        CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, from_map, from_bytes + i * LEN, LEN,
                                                    &src[i]));
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, to_map, to_bytes + i * LEN, LEN,
                                                    &dst[i]));
    }
    CHECK_OK(doca_pe_create(&app.pe));
    CHECK_OK(doca_dma_create(app.dev, &dma));
    ctx = doca_dma_as_ctx(dma);
    data.ptr = this;
    CHECK_OK(doca_ctx_set_user_data(ctx, data));
    CHECK_OK(doca_ctx_set_state_changed_cb(ctx, state_changed));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, task_done, task_done, TASKS));
    CHECK_OK(doca_pe_connect_ctx(app.pe, ctx));
}

void engine::start()
{
    CHECK_OK(doca_ctx_start(ctx));
    drain();
}

void engine::submit(unsigned i)
{
    doca_dma_task_memcpy *task;
    doca_data data;

    data.u64 = i;
    CHECK_OK(doca_buf_reset_data_len(dst[i]));
    CHECK_OK(doca_dma_task_memcpy_alloc_init(dma, src[i], dst[i], data, &task));
    CHECK_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
}

/* Call progress until there is nothing left to do, and catch every exception. Return the number of
 * exceptions. */
unsigned engine::drain()
{
    unsigned caught = 0;

    for (unsigned i = 0; i < PATIENCE; i++) {
        try {
            if (doca_pe_progress(app.pe) == 0)
                return caught;
        } catch (const thrown &) {
            caught++;
        }
    }
    throw failure{ __LINE__, "progress never comes to an end" };
}

void engine::close()
{
    throws_from_tasks = throws_from_states = false;
    if (dma != nullptr) {
        doca_ctx_stop(ctx);
        drain();
        CHECK_OK(doca_dma_destroy(dma));
    }
    for (unsigned i = 0; i < TASKS; i++) {
        CHECK_OK(doca_buf_dec_refcount(src[i], nullptr));
        CHECK_OK(doca_buf_dec_refcount(dst[i], nullptr));
    }
    CHECK_OK(doca_pe_destroy(app.pe));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(from_map));
    CHECK_OK(doca_mmap_destroy(to_map));
    CHECK_OK(doca_dev_close(app.dev));
}

size_t num_inflight(const engine &e)
{
    size_t of_ctx, of_pe;

    CHECK_OK(doca_ctx_get_num_inflight_tasks(e.ctx, &of_ctx));
    CHECK_OK(doca_pe_get_num_inflight_tasks(e.app.pe, &of_pe));
    CHECK(of_ctx == of_pe);
    return of_ctx;
}

doca_ctx_states state_of(const engine &e)
{
    doca_ctx_states state;

    CHECK_OK(doca_ctx_get_state(e.ctx, &state));
    return state;
}

void tasks_complete_once_when_callbacks_throw()
{
    engine e;

    e.start();
    e.throws_from_tasks = true;
    for (unsigned i = 0; i < TASKS; i++)
        e.submit(i);
    for (unsigned i = 0; i < TASKS; i++) {
        bool caught = false;

        try {
            doca_pe_progress(e.app.pe);
        } catch (const thrown &t) {
            caught = t.number == i + 1;
        }
        CHECK(caught);
        CHECK(num_inflight(e) == TASKS - 1 - i);
    }
    CHECK(doca_pe_progress(e.app.pe) == 0);
    for (unsigned i = 0; i < TASKS; i++)
        CHECK(e.done[i] == 1);
    CHECK(memcmp(to_bytes, from_bytes, sizeof(to_bytes)) == 0);
    e.throws_from_tasks = false;
    for (unsigned i = 0; i < TASKS; i++)
        e.submit(i);
    CHECK(e.drain() == 0);
    CHECK(e.num_done == 2 * TASKS);
    CHECK(doca_ctx_stop(e.ctx) == DOCA_SUCCESS);
    e.close();
}

void state_callback_that_throws_is_not_repeated()
{
    engine e;

    e.throws_from_states = true;
    CHECK_OK(doca_ctx_start(e.ctx));
    CHECK(e.drain() == 1);
    CHECK(e.num_states == 1);
    CHECK(state_of(e) == DOCA_CTX_STATE_RUNNING);
    e.submit(0);
    CHECK(e.drain() == 0);
    CHECK(e.num_done == 1);
    CHECK_OK(doca_ctx_stop(e.ctx));
    CHECK(e.drain() == 1);
    CHECK(e.num_states == 2);
    CHECK(state_of(e) == DOCA_CTX_STATE_IDLE);
    e.close();
}

void stop_completes_when_every_callback_throws()
{
    engine e;

    e.start();
    e.throws_from_tasks = e.throws_from_states = e.stops_first = true;
    for (unsigned i = 0; i < TASKS; i++)
        e.submit(i);
    CHECK(e.drain() == TASKS + 2);
    for (unsigned i = 0; i < TASKS; i++)
        CHECK(e.done[i] == 1);
    CHECK(state_of(e) == DOCA_CTX_STATE_IDLE);
    e.throws_from_tasks = e.throws_from_states = false;
    e.start();
    e.submit(3);
    CHECK(e.drain() == 0);
    CHECK(e.done[3] == 2);
    e.close();
}

void idle_callback_may_destroy_and_throw()
{
    engine e;

    e.start();
    e.throws_from_states = e.destroys_when_idle = true;
    CHECK_OK(doca_ctx_stop(e.ctx));
    CHECK(e.drain() == 1);
    CHECK(e.dma == nullptr);
    CHECK(doca_pe_progress(e.app.pe) == 0);
    e.close();
}

/* After an exception the library must not count the thread as still inside the call: the checked
 * mode would report the second thread. */
void context_may_be_used_by_another_thread_after_a_throw()
{
    const uint64_t num_before = doca_core_check_num_reports();
    engine e;
    bool caught = false;

    e.start();
    e.throws_from_tasks = true;
    e.submit(0);
    try {
        doca_pe_progress(e.app.pe);
    } catch (const thrown &) {
        caught = true;
    }
    CHECK(caught);
    e.throws_from_tasks = false;
    std::thread([&e] {
        e.submit(1);
        e.drain();
        e.close();
    }).join();
    CHECK(e.num_done == 2);
    CHECK(doca_core_check_num_reports() == num_before);
}

struct test {
    const char *name;
    void (*run)();
};

const test tests[] = {
    { "tasks_complete_once_when_callbacks_throw",
      tasks_complete_once_when_callbacks_throw },
    { "state_callback_that_throws_is_not_repeated", state_callback_that_throws_is_not_repeated },
    { "stop_completes_when_every_callback_throws", stop_completes_when_every_callback_throws },
    { "idle_callback_may_destroy_and_throw", idle_callback_may_destroy_and_throw },
    { "context_may_be_used_by_another_thread_after_a_throw",
      context_may_be_used_by_another_thread_after_a_throw },
};

} // namespace

int main()
{
    unsigned num_passed = 0, num_failed = 0;

    for (const test &t : tests) {
        try {
            doca_core_arena *arena = doca_core_arena_bound();
            size_t used_before, used;

            CHECK_OK(doca_core_arena_query(arena, &used_before, nullptr, nullptr));
            t.run();
            CHECK_OK(doca_core_arena_query(arena, &used, nullptr, nullptr));
            CHECK(used == used_before);
            CHECK_OK(doca_core_arena_audit(arena));
            num_passed++;
            printf("ok      %s\n", t.name);
        } catch (const failure &f) {
            num_failed++;
            printf("  %s:%d: is false: %s\n    last error: %s\nFAILED  %s\n", __FILE__, f.line,
                   f.what, doca_core_last_error(), t.name);
        }
    }
    printf("%u passed, %u failed, 0 skipped\n", num_passed, num_failed);
    return num_failed == 0 ? 0 : 1;
}
