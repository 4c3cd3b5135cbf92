/* Copy a file with DMA tasks and report what that cost: demo FILE [COPY]. tools/demo builds it.
 * Window by window, the file is read into one area of memory, copied to a second one by the
 * software DMA device, and written out from there. A memcpy of the same pieces into a third area
 * runs just before or after it and is the measure. At the end both files are read and compared. */
#define _FILE_OFFSET_BITS 64
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"
#include "heap_trap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 20) /* bytes per task */
#define WINDOW (64 * PIECE)
#define DEPTH 32 /* tasks in flight */
#define MIN_ROUNDS 3 /* the first window is timed this often, and for 0.2 seconds */
#define MAX_ROUNDS 999

struct file {
    const char *name;
    int fd;
    struct stat st;
};

enum { SRC, BY_DMA, BY_MEMCPY };
static DOCA_CORE_ALIGNED unsigned char area[3][WINDOW]; /* the source and its two copies */

static struct doca_dev *dev;
static struct doca_mmap *map; /* of area[SRC] and area[BY_DMA] */
static struct doca_buf_inventory *bufs;
static struct doca_pe *pe;
static struct doca_dma *dma;
static struct doca_dma_task_memcpy *task[DEPTH];
static struct doca_buf *src[DEPTH], *dst[DEPTH];
static size_t window_bytes, begun, done; /* of the window that is being copied */
static unsigned long heap_calls_at_start;
static double rate[3][MAX_ROUNDS]; /* GB/s of each round, ascending */
static unsigned rounds[3];
static char temporary[4096]; /* a file to remove, while it has a name */
static bool bar_shown;

#ifndef DEMO_HEAP_TRAP /* this compiler cannot do tests/support/heap_trap.c */
enum heap_trap_mode heap_trap_set(enum heap_trap_mode mode) { return mode; }
unsigned long heap_trap_calls(void) { return 0; }
bool heap_trap_works(void) { return false; }
#endif

static void clear_bar(void)
{
    bar_shown = bar_shown && write(STDOUT_FILENO, "\r\033[K", 4) < 0;
}

__attribute__((format(printf, 1, 2), noreturn)) static void die(const char *format, ...)
{
    va_list args;

    clear_bar();
    fputs("tools/demo: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

static void must(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS)
        die("%s", doca_core_last_error());
}

static void on_signal(int number)
{
    clear_bar();
    unlink(temporary);
    _exit(128 + number);
}

/* ---- the DMA engine */

/* Submit the next piece. Every buf spans a whole area; its data section selects the piece. */
static void submit_next_piece(size_t lane)
{
    size_t left = window_bytes - begun, n = left < PIECE ? left : PIECE;

    must(doca_buf_set_data(src[lane], area[SRC] + begun, n));
    must(doca_buf_set_data(dst[lane], area[BY_DMA] + begun, 0));
    must(doca_task_submit(doca_dma_task_memcpy_as_task(task[lane])));
    begun += n;
}

/* Called for success and for failure; must() ends the program on failure. */
static void piece_ended(struct doca_dma_task_memcpy *ended, union doca_data lane,
                        union doca_data ctx_data)
{
    size_t n = 0;

    (void)ctx_data;
    must(doca_task_get_status(doca_dma_task_memcpy_as_task(ended)));
    must(doca_buf_get_data_len(dst[lane.u64], &n));
    done += n;
    if (begun < window_bytes)
        submit_next_piece((size_t)lane.u64);
}

static void copy_by_dma(size_t bytes)
{
    size_t lane;

    window_bytes = bytes;
    begun = done = 0;
    for (lane = 0; lane < DEPTH && begun < bytes; lane++)
        submit_next_piece(lane);
    while (done < bytes)
        (void)doca_pe_progress(pe);
}

static void open_engine(void)
{
    struct doca_devinfo **list;
    uint32_t num;
    union doca_data i;
    void *volatile probe;

    must(doca_devinfo_create_list(&list, &num));
    /* until here the log reported bad settings in the environment; from here on must() reports
     * failures */
    must(doca_core_log_set_level(DOCA_CORE_LOG_DISABLE));
    must(doca_dma_cap_task_memcpy_is_supported(list[0]));
    must(doca_dev_open(list[0], &dev));
    must(doca_devinfo_destroy_list(list));
    must(doca_mmap_create(&map));
    must(doca_mmap_set_memrange(map, area, 2 * WINDOW));
    must(doca_mmap_add_dev(map, dev));
    must(doca_mmap_start(map));
    must(doca_buf_inventory_create(2 * DEPTH, &bufs));
    must(doca_buf_inventory_start(bufs));
    must(doca_pe_create(&pe));
    must(doca_dma_create(dev, &dma));
    must(doca_dma_task_memcpy_set_conf(dma, piece_ended, piece_ended, DEPTH));
    must(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    must(doca_ctx_start(doca_dma_as_ctx(dma)));
    heap_trap_set(HEAP_TRAP_COUNT);
    probe = malloc(1); /* this call must be counted; if it is not, the count means nothing */
    free(probe);
    heap_calls_at_start = heap_trap_calls();
    for (i.u64 = 0; i.u64 < DEPTH; i.u64++) {
        must(doca_buf_inventory_buf_get_by_addr(bufs, map, area[SRC], WINDOW, &src[i.u64]));
        must(doca_buf_inventory_buf_get_by_addr(bufs, map, area[BY_DMA], WINDOW, &dst[i.u64]));
        must(doca_dma_task_memcpy_alloc_init(dma, src[i.u64], dst[i.u64], i, &task[i.u64]));
    }
}

static void close_engine(void)
{
    size_t i;

    for (i = 0; i < DEPTH; i++) {
        doca_task_free(doca_dma_task_memcpy_as_task(task[i]));
        must(doca_buf_dec_refcount(src[i], NULL));
        must(doca_buf_dec_refcount(dst[i], NULL));
    }
    must(doca_ctx_stop(doca_dma_as_ctx(dma)));
    must(doca_dma_destroy(dma));
    must(doca_pe_destroy(pe));
    must(doca_buf_inventory_destroy(bufs));
    must(doca_mmap_destroy(map));
    must(doca_dev_close(dev));
}

/* ---- the measurement */

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The call goes through a volatile pointer; otherwise the compiler may drop a copy that is never
 * read. */
static void copy_plainly(size_t bytes)
{
    static void *(*const volatile plain)(void *, const void *, size_t) = memcpy;
    size_t at;

    for (at = 0; at < bytes; at += PIECE)
        plain(area[BY_MEMCPY] + at, area[SRC] + at, bytes - at < PIECE ? bytes - at : PIECE);
}

static double median(int how)
{
    return rate[how][rounds[how] / 2];
}

static void copy_and_time(int how, size_t bytes)
{
    double begin = seconds(), got;
    unsigned i = rounds[how];

    if (how == BY_DMA)
        copy_by_dma(bytes);
    else
        copy_plainly(bytes);
    got = (double)bytes / (seconds() - begin + 1e-9) / 1e9;
    if (i == MAX_ROUNDS)
        return;
    for (; i > 0 && rate[how][i - 1] > got; i--)
        rate[how][i] = rate[how][i - 1];
    rate[how][i] = got;
    rounds[how]++;
}

/* Copy a window by DMA and by memcpy. The first window is copied at least MIN_ROUNDS times and for
 * 0.2 seconds, so that small files have a usable figure, too. */
static void copy_window(size_t bytes)
{
    static int first = BY_DMA; /* DMA and memcpy take turns at being the first */
    static double begin;

    if (rounds[BY_DMA] == 0) { /* touch all pages before the clock runs */
        memset(area[BY_DMA], 1, bytes);
        memset(area[BY_MEMCPY], 1, bytes);
        begin = seconds();
    }
    do {
        copy_and_time(first, bytes);
        first = BY_DMA + BY_MEMCPY - first;
        copy_and_time(first, bytes);
    } while (rounds[first] < MIN_ROUNDS ||
             (rounds[first] < MAX_ROUNDS && seconds() - begin < 0.2));
}

/* Show the progress of the phase; `total` 0: unknown. */
static void bar(const char *phase, uint64_t at, uint64_t total)
{
    double part = total == 0 ? 0 : at < total ? (double)at / (double)total : 1;
    const char *columns = getenv("COLUMNS"), *term = getenv("TERM");
    int width = 0, used, cells, i;
    struct winsize size;
    char line[256];

    if (!isatty(STDOUT_FILENO) || term == NULL || strcmp(term, "dumb") == 0)
        return;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (width <= 0 && columns != NULL)
        width = atoi(columns);
    width = (width <= 3 ? 80 : width > 200 ? 200 : width) - 3; /* leave room for ^C */
    used = snprintf(line, sizeof(line), "%s %.0f MiB, %.1f GB/s", phase, (double)at / 1048576.0,
                    median(BY_DMA));
    if (total > 0) {
        used += snprintf(line + used, sizeof(line) - (size_t)used, " %3d%% ", (int)(100 * part));
        for (cells = width - used, i = 0; i < cells; i++)
            line[used++] = i < (int)(part * cells + 0.5) ? '#' : '.';
    }
    clear_bar();
    bar_shown = write(STDOUT_FILENO, line, (size_t)(used < width ? used : width)) > 0;
}

/* ---- files */

static void open_file(struct file *file, const char *name, int flags)
{
    file->name = name;
    file->fd = open(name, flags, 0666);
    if (file->fd < 0 || fstat(file->fd, &file->st) != 0)
        die("%s: %s", name, strerror(errno));
}

static void open_copy(struct file *copy, const char *name, const struct file *source)
{
    open_file(copy, name, O_WRONLY | O_CREAT);
    if (!S_ISREG(copy->st.st_mode))
        return;
    if (copy->st.st_dev == source->st.st_dev && copy->st.st_ino == source->st.st_ino)
        die("%s and %s are one file", source->name, name);
    close(copy->fd);
    open_file(copy, name, O_RDWR | O_TRUNC);
}

/* Create a temporary file without a name, so that the system deletes it when the program ends. */
static void open_temporary(struct file *copy)
{
    const char *dir = getenv("TMPDIR");

    copy->name = dir != NULL && dir[0] != '\0' ? dir : "/tmp";
    snprintf(temporary, sizeof(temporary), "%s/doca_demo.XXXXXX", copy->name);
    copy->fd = mkstemp(temporary);
    if (copy->fd < 0 || unlink(temporary) != 0 || fstat(copy->fd, &copy->st) != 0)
        die("no temporary file in %s: %s", copy->name, strerror(errno));
    temporary[0] = '\0';
}

/* Fill a window; fewer bytes only at the end of the file. */
static size_t read_window(const struct file *file, unsigned char *window)
{
    size_t n = 0;
    ssize_t got = 1;

    for (; n < WINDOW && got > 0; n += (size_t)got) {
        got = read(file->fd, window + n, WINDOW - n);
        if (got < 0)
            die("cannot read %s: %s", file->name, strerror(errno));
    }
    return n;
}

static void write_window(const struct file *file, const unsigned char *window, size_t bytes)
{
    ssize_t put;

    for (; bytes > 0; window += put, bytes -= (size_t)put) {
        put = write(file->fd, window, bytes);
        if (put < 0)
            die("cannot write to %s: %s", file->name, strerror(errno));
    }
}

static bool files_are_equal(const struct file *a, const struct file *b, uint64_t total)
{
    uint64_t at = 0;
    size_t n;

    if (lseek(a->fd, 0, SEEK_SET) != 0 || lseek(b->fd, 0, SEEK_SET) != 0)
        die("cannot read %s and its copy again: %s", a->name, strerror(errno));
    do {
        n = read_window(a, area[SRC]);
        if (read_window(b, area[BY_DMA]) != n || memcmp(area[SRC], area[BY_DMA], n) != 0)
            return false;
        at += n;
        bar("comparing", at, total);
    } while (n == WINDOW);
    return true;
}

static void report(const char *file, uint64_t bytes, const char *heap, const char *outcome)
{
    char pci[DOCA_DEVINFO_PCI_ADDR_SIZE], name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    double dma_rate = median(BY_DMA), plain_rate = median(BY_MEMCPY);
    char speed[2][48] = { "nothing to measure", "nothing to measure" };
    unsigned long long tasks = (bytes + PIECE - 1) / PIECE;

    must(doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(dev), pci));
    must(doca_devinfo_get_ibdev_name(doca_dev_as_devinfo(dev), name, sizeof(name)));
    if (bytes > 0) {
        snprintf(speed[0], sizeof(speed[0]), "%.2f GB/s", dma_rate);
        snprintf(speed[1], sizeof(speed[1]), "%.2f GB/s (ratio %.2f)", plain_rate,
                 dma_rate / plain_rate);
    }
    clear_bar();
    printf("device        %s (%s)\n"
           "file          %s\n"
           "bytes         %llu\n"
           "tasks         %llu, %llu in flight\n"
           "DMA copy      %s\n"
           "plain memcpy  %s\n"
           "heap calls    %s\n"
           "files         %s\n",
           pci, name, file, (unsigned long long)bytes, tasks, tasks < DEPTH ? tasks : DEPTH,
           speed[0], speed[1], heap, outcome);
    if (fflush(stdout) != 0)
        die("cannot write the report: %s", strerror(errno));
}

int main(int argc, char **argv)
{
    struct file source, copy;
    char heap[40] = "not measured";
    const char *outcome = "equal in memory (not both can be read again)";
    uint64_t bytes = 0;
    size_t n;
    int fd;

    do /* a standard stream that is closed must not become one of the files */
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    close(fd);
    if (argc != 2 && argc != 3)
        return 64; /* tools/demo says more */
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    open_file(&source, argv[1], O_RDONLY);
    if (argc == 3)
        open_copy(&copy, argv[2], &source);
    else
        open_temporary(&copy);
    open_engine();
    do {
        n = read_window(&source, area[SRC]);
        if (n > 0)
            copy_window(n);
        write_window(&copy, area[BY_DMA], n);
        if (memcmp(area[SRC], area[BY_DMA], n) != 0)
            outcome = "DIFFERENT";
        bytes += n;
        bar("copying", bytes, (uint64_t)source.st.st_size);
    } while (n == WINDOW);
    if (heap_trap_works() && heap_calls_at_start > 0)
        snprintf(heap, sizeof(heap), "%lu after start", heap_trap_calls() - heap_calls_at_start);
    if (S_ISREG(source.st.st_mode) && S_ISREG(copy.st.st_mode))
        outcome = files_are_equal(&source, &copy, bytes) ? "equal" : "DIFFERENT";
    report(argv[1], bytes, heap, outcome);
    close_engine();
    return outcome[0] == 'D' ? EXIT_FAILURE : EXIT_SUCCESS;
}
