/* Sync events and the notification handle: which updates of a value wake a program that sleeps. */
#include "sync_event_support.h"

#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>

static void task_that_ends_a_wait_wakes_the_pe(void)
{
    struct doca_task *wait, *set;
    struct event_rig r;
    bool far;

    for (far = false;; far = true) {
        event_open(&r, far);
        wait = event_wait_task(&r, 1, ALL_BITS);
        set = event_set_task(&r, 2);
        CHECK(!event_is_readable(r.pe, 0));
        CHECK_OK(doca_task_submit(wait));
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK(!event_is_readable(r.pe, 0)); /* the task waits, so there is no work */
        CHECK_OK(doca_task_submit(set));
        CHECK(event_is_readable(r.pe, 0));
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        CHECK(!event_is_readable(r.pe, 0));
        CHECK_EQ(event_drain(&r), 2);
        CHECK_PTR(r.latest, wait);
        CHECK_OK(doca_pe_request_notification(r.pe)); /* the condition holds already */
        CHECK_OK(doca_task_submit(wait));
        CHECK(event_is_readable(r.pe, 0));
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        CHECK_EQ(event_drain(&r), 1);
        doca_task_free(wait);
        doca_task_free(set);
        event_close(&r);
        if (far)
            break;
    }
}

static void *update_later(void *arg)
{
    usleep(20000);
    return doca_sync_event_update_set(arg, 7) == DOCA_SUCCESS ? NULL : arg;
}

static void update_of_a_shared_value_wakes_sleepers(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true);
    struct doca_task *waits[2];
    struct event_rig r[2];
    pthread_t thread;
    void *failed;
    unsigned i, round;

    for (i = 0; i < 2; i++) {
        event_build_ctx(&r[i], dev, import_of(dev, event));
        event_start(&r[i]);
        waits[i] = event_wait_task(&r[i], 5, ALL_BITS);
    }
    for (round = 0; round < 2; round++) {
        CHECK_OK(doca_sync_event_update_set(event, 0));
        for (i = 0; i < 2; i++) {
            CHECK_OK(doca_task_submit(waits[i]));
            CHECK_OK(doca_pe_request_notification(r[i].pe));
            CHECK(!event_is_readable(r[i].pe, 0));
        }
        heap_trap_set(HEAP_TRAP_OFF);
        CHECK_EQ(pthread_create(&thread, NULL, update_later, event), 0);
        for (i = 0; i < 2; i++)
            CHECK(event_is_readable(r[i].pe, 5000));
        pthread_join(thread, &failed);
        heap_trap_set(HEAP_TRAP_ABORT);
        CHECK(failed == NULL);
        for (i = 0; i < 2; i++) {
            CHECK_OK(doca_pe_clear_notification(r[i].pe, 0));
            CHECK(!event_is_readable(r[i].pe, 0));
            CHECK_EQ(event_drain(&r[i]), 1);
            CHECK_OK(r[i].status);
        }
    }
    CHECK_OK(doca_sync_event_update_set(event, 8)); /* a PE that is not armed is not signalled */
    for (i = 0; i < 2; i++) {
        CHECK(!event_is_readable(r[i].pe, 0));
        doca_task_free(waits[i]);
        event_close_ctx(&r[i]);
    }
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

#if defined(__x86_64__)
enum { CROSSINGS = 5000 };

struct crossing {
    struct doca_sync_event *own, *other;
    uint64_t seen[CROSSINGS + 1];
    uint32_t *num_there;
    bool is_wrong;
};

static void *cross(void *arg)
{
    const bool is_one_cpu = sysconf(_SC_NPROCESSORS_ONLN) == 1;
    struct crossing *c = arg;
    uint32_t i;

    for (i = 1; i <= CROSSINGS; i++) {
        __atomic_fetch_add(c->num_there, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(c->num_there, __ATOMIC_SEQ_CST) < 2 * i)
            if (is_one_cpu)
                sched_yield();
        c->is_wrong = c->is_wrong || doca_sync_event_update_set(c->own, i) != DOCA_SUCCESS ||
                      doca_sync_event_get(c->other, &c->seen[i]) != DOCA_SUCCESS;
    }
    return NULL;
}
#endif

/* Each of two threads changes one value and then reads the value that the other thread changes. At
 * least one thread must see the change. Threads that sleep depend on this order. */
static void update_precedes_later_reads(void)
{
#if defined(__x86_64__)
    static struct crossing c[2];
    struct doca_dev *dev = rig_open_dev(NULL);
    uint32_t num_there = 0, i;
    pthread_t threads[2];

    memset(c, 0, sizeof(c));
    for (i = 0; i < 2; i++) {
        c[i].own = c[1 - i].other = event_alone(dev, true);
        c[i].num_there = &num_there;
    }
    heap_trap_set(HEAP_TRAP_OFF);
    for (i = 0; i < 2; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, cross, &c[i]), 0);
    for (i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    heap_trap_set(HEAP_TRAP_ABORT);
    for (i = 1; i <= CROSSINGS; i++)
        CHECK(c[0].seen[i] == i || c[1].seen[i] == i);
    for (i = 0; i < 2; i++) {
        CHECK(!c[i].is_wrong);
        CHECK_OK(doca_sync_event_destroy(c[i].own));
    }
    CHECK_OK(doca_dev_close(dev));
#else
    test_skip("doca_sync_event_get() is a barrier only on x86-64");
#endif
}

static void context_started_on_an_armed_pe_wakes_it(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true);
    struct doca_task *wait, *other;
    struct event_rig r;

    event_build_ctx(&r, dev, import_of(dev, event));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_ctx_start(r.ctx));
    wait = event_wait_task(&r, 0, ALL_BITS);
    other = event_wait_task(&r, 0, ALL_BITS);
    CHECK_OK(doca_task_submit(wait));
    CHECK_OK(doca_task_submit(other));
    CHECK_EQ(OBJECT(event)->share.page->num_armed, 1);
    CHECK(!event_is_readable(r.pe, 0));
    CHECK_OK(doca_sync_event_update_set(event, 1));
    CHECK(event_is_readable(r.pe, 1000));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    event_drain(&r);
    CHECK_OK(r.status);
    CHECK_EQ(r.num_ok, 2);
    doca_task_free(wait);
    doca_task_free(other);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_sync_event_update_set(event, 3)); /* no task waits for it */
    CHECK(!event_is_readable(r.pe, 0));
    CHECK_EQ(OBJECT(event)->share.page->num_armed, 0);
    CHECK_OK(doca_ctx_stop(r.ctx)); /* stopped while armed */
    CHECK_OK(doca_sync_event_update_set(event, 2));
    CHECK(!event_is_readable(r.pe, 0));
    event_close_ctx(&r);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* An update that ends no wait wakes the PE, too. When the program then arms again without clearing
 * the handle, it sleeps until the next update, also with an edge-triggered epoll. */
static void arming_again_clears_updates_that_ended_no_wait(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event edge;
    struct doca_task *wait;
    struct event_rig r;
    unsigned i;

    event_build_ctx(&r, dev, import_of(dev, event));
    event_start(&r);
    memset(&edge, 0, sizeof(edge));
    edge.events = EPOLLIN | EPOLLET;
    CHECK(!event_is_readable(r.pe, 0)); /* creates the handle */
    CHECK_EQ(epoll_ctl(epoll, EPOLL_CTL_ADD, r.pe->fd, &edge), 0);
    wait = event_wait_task(&r, 9, ALL_BITS);
    CHECK_OK(doca_task_submit(wait));
    for (i = 1; i < 10; i++) {
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK(!event_is_readable(r.pe, 0));
        CHECK_EQ(epoll_wait(epoll, &edge, 1, 0), 0);
        CHECK_OK(doca_sync_event_update_set(event, i));
        CHECK(event_is_readable(r.pe, 1000));
        CHECK_EQ(epoll_wait(epoll, &edge, 1, 1000), 1);
        CHECK_EQ(event_drain(&r), 0);
    }
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_sync_event_update_set(event, 10));
    CHECK_EQ(epoll_wait(epoll, &edge, 1, 1000), 1);
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    event_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    doca_task_free(wait);
    close(epoll);
    event_close_ctx(&r);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE(task_that_ends_a_wait_wakes_the_pe, "228"),
    CASE(update_of_a_shared_value_wakes_sleepers, "228 269"),
    CASE(update_precedes_later_reads, ""),
    CASE(context_started_on_an_armed_pe_wakes_it, ""),
    CASE(arming_again_clears_updates_that_ended_no_wait, ""),
};

TEST_MAIN(cases)
