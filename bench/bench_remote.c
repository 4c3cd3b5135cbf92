/* Copies out of the memory of another process, which exports the memory and sleeps. The limit is
 * the system call by which the library copies, process_vm_readv(). */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#include "rig.h"

#include <sys/socket.h>
#include <sys/uio.h>

#define LARGE ((size_t)1 << 20)
#define PERIOD 256 /* period of bench_fill(), in bytes: the pattern repeats after them */

struct parcel { /* message from the exporter */
    pid_t pid;
    unsigned char *addr;
    size_t desc_bytes;
    unsigned char desc[2048];
};

static struct parcel there;
static int to_exporter;
static unsigned char *here;
static struct doca_pe *pe;
static struct doca_dma *dma;
static const char *why_not; /* NULL: the import succeeded */

/* ---- the exporter ----
 *
 * The exporter is the child process, because Linux always lets a parent access the memory of its
 * child, but not always the reverse. Each letter that it receives requests other bytes in the
 * memory. It ends when the parent has ended. */

static void export_memory(int to_parent)
{
    struct doca_dev *dev = bench_open_dev();
    struct parcel p = { .pid = getpid(), .addr = bench_pages(LARGE) };
    struct doca_mmap *map = bench_map(dev, p.addr, LARGE);
    const void *desc;
    char seed;

    sys_prctl(PR_SET_PDEATHSIG, SIGKILL, 0);
    bench_must(doca_mmap_export_pci(map, dev, &desc, &p.desc_bytes));
    bench_check(p.desc_bytes <= sizeof(p.desc), "a descriptor of unexpected length");
    memcpy(p.desc, desc, p.desc_bytes);
    bench_check(write(to_parent, &p, sizeof(p)) == sizeof(p), "nobody wants the descriptor");
    while (read(to_parent, &seed, 1) == 1) {
        bench_fill(p.addr, LARGE);
        bench_check(write(to_parent, p.addr, PERIOD) == PERIOD, "nobody wants the bytes");
    }
    bench_must(doca_mmap_destroy(map));
    bench_must(doca_dev_close(dev));
    _exit(0);
}

static pid_t open_exporter(void)
{
    int ends[2];
    pid_t child;

    bench_check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "no sockets");
    fflush(stdout);
    child = fork();
    bench_check(child >= 0, "no second process");
    close(ends[child == 0 ? 0 : 1]);
    if (child == 0)
        export_memory(ends[1]);
    to_exporter = ends[0];
    bench_check(recv(to_exporter, &there, sizeof(there), MSG_WAITALL) == sizeof(there),
                "the exporter failed");
    return child;
}

/* ---- the importer: it measures its copies ---- */

static void on_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                    union doca_data ctx_data)
{
    (void)task, (void)task_data, (void)ctx_data;
}

static void tasks(unsigned long n, const void *arg)
{
    const union doca_data none = { NULL };
    const struct bench_copy *c = arg;
    struct doca_dma_task_memcpy *copy;

    for (; bench_left(n); n--) {
        bench_must(doca_buf_reset_data_len(c->dst));
        bench_must(doca_dma_task_memcpy_alloc_init(dma, c->src, c->dst, none, &copy));
        bench_must(doca_task_submit(doca_dma_task_memcpy_as_task(copy)));
        while (doca_pe_progress(pe) == 0)
            continue;
        doca_task_free(doca_dma_task_memcpy_as_task(copy));
    }
}

static void reads(unsigned long n, const void *arg)
{
    const struct bench_copy *c = arg;
    const struct iovec local = { here, c->bytes }, remote = { there.addr, c->bytes };

    for (; bench_left(n); n--)
        bench_check(process_vm_readv(there.pid, &local, 1, &remote, 1, 0) == (ssize_t)c->bytes,
                    "the kernel read less");
}

static const char *import_ready(void)
{
    return why_not;
}

/* The exporter writes new bytes and sends the first byte. The importer computes the others from
 * it. */
static bool is_copied(const struct bench_side *side)
{
    const struct bench_copy *c = side->arg;
    unsigned char expected[PERIOD];
    size_t i;

    bench_check(write(to_exporter, "f", 1) == 1 &&
                    recv(to_exporter, expected, sizeof(expected), MSG_WAITALL) == sizeof(expected),
                "the exporter has gone");
    memset(here, 0, c->bytes);
    side->run(1, c);
    for (i = 0; i < c->bytes; i++)
        if (here[i] != (unsigned char)(expected[i % PERIOD] + (i >> 8)))
            return false;
    return true;
}

static const struct {
    size_t bytes;
    const char *work, *title, *row;
} sizes[] = {
    { 4096, "import_4k", "4 KiB task from another process", NULL },
    { 65536, "import_64k", "64 KiB task from another process", "19" },
    { LARGE, "import_1m", "1 MiB task from another process", NULL },
};

int main(int argc, char **argv)
{
    struct bench_copy c = { 0, NULL, NULL };
    struct doca_mmap *imported = NULL;
    struct bench_rig rig;
    pid_t exporter;
    int status;
    size_t i;

    bench_begin("bench_remote", argc, argv);
    exporter = open_exporter();
    here = bench_pages(LARGE + 4096);
    /* the source is at the start of a page, so the destination is not: see bench_dma.c */
    here += 21 * BENCH_LINE;
    bench_rig_open(&rig, here, LARGE, 2);
    if (doca_mmap_create_from_export(NULL, there.desc, there.desc_bytes, rig.dev, &imported) !=
        DOCA_SUCCESS)
        why_not = "the kernel refuses the memory of the other process";
    bench_must(doca_pe_create(&pe));
    dma = bench_dma_open(rig.dev, pe);
    bench_dma_start(dma, on_done, 1);
    for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        const struct bench_work w = {
            .area = "remote",
            .work = sizes[i].work,
            .title = sizes[i].title,
            .bytes = sizes[i].bytes,
            .batch = 1,
            .sides = { { .side = "ours", .name = "inlined", .run = tasks, .arg = &c,
                         .verify = is_copied, .ready = import_ready },
                       { .side = "limit", .name = "process_vm_readv", .run = reads, .arg = &c,
                         .verify = is_copied, .ready = import_ready } },
            .targets = { { sizes[i].row, "inlined", "process_vm_readv", "speed", 0.95, NAN } }
        };

        if (imported != NULL)
            bench_copy_open(&c, &rig, imported, there.addr, here, sizes[i].bytes);
        bench_run(&w);
        if (imported != NULL)
            bench_copy_close(&c);
    }
    bench_must(doca_dma_destroy(dma));
    bench_must(doca_pe_destroy(pe));
    if (imported != NULL)
        bench_must(doca_mmap_destroy(imported));
    bench_rig_close(&rig);
    close(to_exporter);
    bench_check(waitpid(exporter, &status, 0) == exporter && status == 0, "the exporter failed");
    return bench_end();
}
