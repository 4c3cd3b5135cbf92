/* App Shield in several threads: each thread has a system of its own, on a machine of its own. The
 * systems share the device and the arena, and two systems each share a context. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_shield.h"

#include <pthread.h>

#define SYSTEMS 4
#define ROUNDS 25

struct watcher { /* a thread with its system */
    struct doca_dev_rep *rep;
    struct doca_apsh_ctx *ctx;
    struct doca_apsh_system *system;
    struct image image;
    pthread_t thread;
    const char *failure; /* first failed check, or NULL */
};

static struct watcher watchers[SYSTEMS];
static unsigned num_ready;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            w->failure = #condition;                                                               \
            return;                                                                                \
        }                                                                                          \
    } while (0)

/* Read all lists once, and compare their lengths with the image. */
static void watch_once(struct watcher *w)
{
    struct doca_apsh_process **processes = NULL;
    struct doca_apsh_thread **threads = NULL;
    struct doca_apsh_module **modules = NULL;
    struct doca_apsh_vad **areas = NULL;
    int num, i, num_areas = 0;

    EXPECT(doca_apsh_processes_get(w->system, &processes, &num) == DOCA_SUCCESS);
    EXPECT(num == (int)w->image.o.num_tasks);
    for (i = 0; i < num; i++) {
        int num_here = 0;

        EXPECT(doca_apsh_threads_get(processes[i], &threads, &num_here) == DOCA_SUCCESS);
        EXPECT(num_here >= 1);
        doca_apsh_threads_free(threads);
        EXPECT(doca_apsh_vads_get(processes[i], &areas, &num_here) == DOCA_SUCCESS);
        num_areas += num_here;
        doca_apsh_vads_free(areas);
    }
    EXPECT(num_areas > 0);
    doca_apsh_processes_free(processes);
    EXPECT(doca_apsh_modules_get(w->system, &modules, &num) == DOCA_SUCCESS);
    EXPECT(num == (int)w->image.o.num_modules);
    doca_apsh_module_free(modules);
}

static void *watch(void *argument)
{
    struct watcher *w = (struct watcher *)argument;
    unsigned i;

    __atomic_fetch_add(&num_ready, 1u, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&num_ready, __ATOMIC_SEQ_CST) < SYSTEMS)
        sched_yield();
    if (doca_apsh_system_start(w->system) != DOCA_SUCCESS)
        w->failure = "doca_apsh_system_start()";
    for (i = 0; i < ROUNDS && w->failure == NULL; i++)
        watch_once(w);
    doca_apsh_system_destroy(w->system);
    return NULL;
}

/* Write an image for each thread, and make a host function for each image. */
static struct doca_dev *make_machines(void)
{
    struct doca_devinfo_rep **reps;
    struct doca_devinfo **list;
    struct doca_dev *dev;
    char text[SYSTEMS * 128] = "03:00.0 side=dpu";
    uint32_t num;
    unsigned i;

    for (i = 0; i < SYSTEMS; i++) {
        struct image_options options = usual;

        options.num_tasks = 10 + 7 * i;
        options.num_modules = 3 + i;
        options.levels = 4 + i % 2;
        image_make(&watchers[i].image, &options);
        image_write(&watchers[i].image);
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text),
                       "; 0b:00.%u side=host rep=03:00.0 ram=%s", i, watchers[i].image.path);
    }
    CHECK_OK(doca_core_sw_set_topology(text));
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num));
    CHECK_EQ(num, SYSTEMS);
    for (i = 0; i < SYSTEMS; i++)
        CHECK_OK(doca_dev_rep_open(reps[i], &watchers[i].rep));
    CHECK_OK(doca_devinfo_rep_destroy_list(reps));
    return dev;
}

static void systems_of_several_threads_are_independent(void)
{
    struct doca_dev *dev = make_machines();
    struct watcher *w;

    for (w = watchers; w < watchers + SYSTEMS; w++) {
        if ((w - watchers) % 2 == 0) {
            w->ctx = doca_apsh_create();
            CHECK_OK(doca_apsh_dma_dev_set(w->ctx, dev));
            CHECK_OK(doca_apsh_start(w->ctx));
        } else {
            w->ctx = w[-1].ctx;
        }
        w->system = doca_apsh_system_create(w->ctx);
        CHECK_OK(doca_apsh_sys_dev_set(w->system, w->rep));
        CHECK_OK(doca_apsh_sys_os_type_set(w->system, DOCA_APSH_SYSTEM_LINUX));
        CHECK_OK(doca_core_apsh_sys_set_cache(w->system, PAGES));
    }
    heap_trap_set(HEAP_TRAP_OFF); /* pthread_create() uses the heap */
    for (w = watchers; w < watchers + SYSTEMS; w++)
        CHECK_EQ(pthread_create(&w->thread, NULL, watch, w), 0);
    for (w = watchers; w < watchers + SYSTEMS; w++)
        CHECK_EQ(pthread_join(w->thread, NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
    for (w = watchers; w < watchers + SYSTEMS; w++) {
        CHECK_STR(w->failure != NULL ? w->failure : "none", "none");
        if ((w - watchers) % 2 == 0)
            doca_apsh_destroy(w->ctx);
        CHECK_OK(doca_dev_rep_close(w->rep));
        image_remove(&w->image);
    }
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_sw_set_topology(NULL));
}

static const struct test_case cases[] = {
    CASE(systems_of_several_threads_are_independent, ""),
};

TEST_MAIN(cases)
