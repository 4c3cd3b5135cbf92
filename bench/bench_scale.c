/* Scale: measure each operation while one object of its kind exists, and again with more and more
 * objects. scale.h explains how a row is measured; the rows are in scale_*.h.
 *
 *     bench_scale [--count] and the options of bench.h
 *
 * With --count the program measures no time. tools/bench then runs it under valgrind, which counts
 * the instructions of each operation. Exit status: as in bench.h. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_MAX_DEVS 64
#include "scale_devices.h"
#include "scale_graph.h"
#include "scale_memory.h"
#include "scale_share.h"
#include "scale_tasks.h"

static void run_rows(const struct scale_row *rows, size_t num)
{
    for (; num > 0; num--, rows++)
        scale_run(rows);
}

#define RUN_ROWS(rows) run_rows(rows, sizeof(rows) / sizeof((rows)[0]))

/* Parse --count and remove it from the command line. bench_begin() parses the other options. */
static int parse_own(int argc, char **argv)
{
    int i, num = 1;

    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--count") == 0)
            scale.is_count = true;
        else
            argv[num++] = argv[i];
    }
    return num;
}

int main(int argc, char **argv)
{
    argc = parse_own(argc, argv);
    sched_getaffinity(0, sizeof(scale.cpus), &scale.cpus);
    bench.is_untimed = scale.is_count;
    bench_begin("bench_scale", argc, argv);
    scale.memory = mmap(NULL, SCALE_ARENA, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bench_check(scale.memory != MAP_FAILED, "no address space");
    bench_must(doca_core_sw_set_profile("unlimited"));
    RUN_ROWS(scale_memory_rows);
    RUN_ROWS(scale_task_rows);
    RUN_ROWS(scale_graph_rows);
    RUN_ROWS(scale_device_rows);
    RUN_ROWS(scale_share_rows);
    return bench_end();
}
