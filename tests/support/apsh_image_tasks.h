/* The tasks, threads and modules of the image that apsh_image.h writes. */
#ifndef APSH_IMAGE_TASKS_H
#define APSH_IMAGE_TASKS_H

/* Return the PID of the task with this number. */
static inline uint32_t image_pid(unsigned n)
{
    return n == 0 ? 0 : 100 + 3 * n;
}

/* Return the number of threads of a task. */
static inline unsigned image_num_threads(unsigned n)
{
    return n == 4 ? 6 : n % 5 == 2 ? 3 : 1;
}

/* Return the CPU time of a task in picoseconds. */
static inline uint64_t image_cpu_time(unsigned n)
{
    const unsigned more = image_num_threads(n) - 1;

    return (1000u * n + 30 + 5000u * (more * (more + 1) / 2) + more) * (uint64_t)1000;
}

/* Link two neighbours of a ring. */
static inline void image_link(const struct image *i, uint64_t from, uint64_t to)
{
    image_u64(from, image_addr(i, to));
    image_u64(to + 8, image_addr(i, from));
}

/* Write the times of a task or a signal_struct. A kernel with run time has their sum. */
static inline void image_times(const struct image *i, uint64_t at, bool is_task, uint64_t user,
                               uint64_t system)
{
    if (i->o.has_parts) {
        image_u64(at + (is_task ? IMAGE_RUNTIME : IMAGE_SIGNAL_RUNTIME), user + system);
        user = system = 999; /* values that such a kernel does not use */
    }
    image_u64(at + (is_task ? IMAGE_UTIME : IMAGE_SIGNAL_UTIME), user);
    image_u64(at + (is_task ? IMAGE_STIME : IMAGE_SIGNAL_STIME), system);
}

/* Write the other threads of a task, and link all to a ring. */
static inline void image_thread_ring(struct image *i, unsigned n)
{
    uint64_t last = i->tasks[n] + IMAGE_THREADS, thread;
    char comm[16] = { 0 };
    unsigned k;

    image_link(i, i->signals[n] + IMAGE_HEAD, last);
    for (k = 1; k < image_num_threads(n); k++) {
        thread = image_more(i, IMAGE_TASK_BYTES);
        if (k == 1)
            i->threads[n] = thread;
        memcpy(image_ram + thread, image_ram + i->tasks[n], IMAGE_TASK_BYTES);
        (void)snprintf(comm, sizeof(comm), "worker-%u", k % 100);
        image_put(thread + IMAGE_COMM, comm, sizeof(comm));
        image_u32(thread + IMAGE_PID, image_pid(n) + 10000 + k);
        image_u32(thread + IMAGE_STATE, k);
        image_times(i, thread, true, 5000u * k, 1);
        image_link(i, last, thread + IMAGE_THREADS);
        last = thread + IMAGE_THREADS;
    }
    image_link(i, last, i->signals[n] + IMAGE_HEAD);
}

static inline void image_task(struct image *i, unsigned n)
{
    const uint64_t task = n == 0 ? image_take(i, IMAGE_TASK_BYTES, 64)
                                 : image_heap(i, IMAGE_TASK_BYTES);
    const uint64_t cred = image_heap(i, 64), signal = image_heap(i, 64);
    char comm[16] = "swapper/0";

    i->tasks[n] = task;
    i->signals[n] = signal;
    if (n > 0)
        (void)snprintf(comm, sizeof(comm), n == 7 ? "fifteen-letters" : "task-%u", n);
    image_put(task + IMAGE_COMM, comm, sizeof(comm));
    image_u32(task + IMAGE_STATE, n % 3);
    image_u32(task + IMAGE_PID, image_pid(n));
    image_u32(task + IMAGE_TGID, image_pid(n));
    image_u64(task + IMAGE_PARENT, image_addr(i, i->tasks[n / 2]));
    image_u64(task + IMAGE_CRED, image_addr(i, cred));
    image_u64(task + IMAGE_SIGNAL, image_addr(i, signal));
    image_times(i, task, true, 1000u * n, 7);
    image_u32(cred + IMAGE_UID, 1000 + n);
    image_u32(cred + IMAGE_GID, 2000 + n);
    image_times(i, signal, false, 20, 3);
    image_thread_ring(i, n);
}

/* Write the tasks, and link them to a ring. */
static inline void image_ring(struct image *i)
{
    const unsigned num = i->o.num_tasks + 1;
    unsigned n;

    CHECK(i->o.num_tasks <= IMAGE_TASKS);
    for (n = 0; n < num; n++)
        image_task(i, n);
    for (n = 0; n < num; n++)
        image_link(i, i->tasks[n] + IMAGE_LINKS, i->tasks[(n + 1) % num] + IMAGE_LINKS);
}

/* Return the sum of the sizes of all parts of a module. */
static inline uint32_t image_module_size(unsigned n)
{
    return 4096 * (n + 1) + (n == 5 ? 100 : 0);
}

static inline const char *image_module_name(unsigned n, char name[56])
{
    static const char longest[] = "module_with_a_name_of_fifty_five_letters_which_is_most_";

    (void)snprintf(name, 56, n == 3 ? longest : "mod_%u", n);
    return name;
}

/* Write the modules, and link them to a ring. */
static inline void image_modules(struct image *i)
{
    uint64_t last = i->ring = image_take(i, 16, 16);
    char name[56] = { 0 };
    unsigned n, k;

    CHECK(i->o.num_modules <= IMAGE_MODULES);
    for (n = 0; n < i->o.num_modules; n++) {
        const uint64_t module = image_more(i, IMAGE_MODULE_BYTES);

        i->modules[n] = module;
        image_put(module + IMAGE_MODULE_NAME, image_module_name(n, name), sizeof(name));
        for (k = 0; i->o.has_parts && k < IMAGE_PARTS; k++)
            image_u32(module + IMAGE_MODULE_CORE + k * IMAGE_PART_BYTES + IMAGE_LAYOUT_SIZE,
                      k == 2 ? image_module_size(n) - 600 : 100);
        if (!i->o.has_parts) {
            image_u32(module + IMAGE_MODULE_CORE + IMAGE_LAYOUT_SIZE, 4096 * (n + 1));
            image_u32(module + IMAGE_MODULE_INIT + IMAGE_LAYOUT_SIZE, n == 5 ? 100 : 0);
        }
        image_link(i, last, module + IMAGE_MODULE_LINKS);
        last = module + IMAGE_MODULE_LINKS;
    }
    image_link(i, last, i->ring);
}

#endif
