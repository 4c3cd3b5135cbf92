/* Mistakes with the memory of a range: mistakes that exist when the mmap starts, and mistakes that
 * happen later. src/memory/README.md has the same table ("Mistakes with the memory of a range").
 * The suite runs on software devices and on RDMA devices; some cases run on software devices
 * only. */
#include "share.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

enum { PAGES = 8, TASKS = 4, BAD = 5 /* index of the wrong page, when one page is wrong */ };

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* ---- ranges with something wrong in them ---- */

/* Map PAGES pages of anonymous memory with the protection `prot`, filled with 0x5a. The page on
 * each side is unmapped, so that the kernel does not merge the mapping with a neighbour. */
static unsigned char *anonymous(int prot)
{
    const size_t page = page_bytes();
    unsigned char *all = mmap(NULL, (PAGES + 2) * page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(all != MAP_FAILED);
    CHECK_EQ(munmap(all, page), 0);
    CHECK_EQ(munmap(all + (PAGES + 1) * page, page), 0);
    memset(all + page, 0x5a, PAGES * page);
    if (prot != (PROT_READ | PROT_WRITE))
        CHECK_EQ(mprotect(all + page, PAGES * page, prot), 0);
    return all + page;
}

/* Map PAGES pages of a file that has `pages` pages. */
static unsigned char *of_file(size_t pages, int flags, int *fd)
{
    const size_t page = page_bytes();
    unsigned char *at;

    *fd = memfd_create("range", MFD_CLOEXEC);
    CHECK(*fd >= 0);
    CHECK_EQ(ftruncate(*fd, (off_t)(pages * page)), 0);
    at = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, flags, *fd, 0);
    CHECK(at != MAP_FAILED);
    return at;
}

enum mistake {
    NOTHING,
    ALL_UNMAPPED,
    HOLE,
    LAST_UNMAPPED,
    NO_ACCESS,
    READ_ONLY,
    FILE_ENDS,
    PRIVATE_FILE_ENDS,
    FILE_IS_EMPTY,
    FILE_IS_WHOLE
};

static unsigned char *make_range(enum mistake mistake)
{
    const size_t page = page_bytes();
    unsigned char *at;
    int fd = -1;

    switch (mistake) {
    case FILE_ENDS:
        at = of_file(BAD, MAP_SHARED, &fd);
        break;
    case PRIVATE_FILE_ENDS:
        at = of_file(BAD, MAP_PRIVATE, &fd);
        break;
    case FILE_IS_EMPTY:
        at = of_file(0, MAP_SHARED, &fd);
        break;
    case FILE_IS_WHOLE:
        at = of_file(PAGES, MAP_SHARED, &fd);
        break;
    default:
        at = anonymous(PROT_READ | PROT_WRITE);
    }
    if (fd >= 0)
        close(fd);
    if (mistake == ALL_UNMAPPED)
        CHECK_EQ(munmap(at, PAGES * page), 0);
    else if (mistake == HOLE)
        CHECK_EQ(munmap(at + BAD * page, page), 0);
    else if (mistake == LAST_UNMAPPED)
        CHECK_EQ(munmap(at + (PAGES - 1) * page, page), 0);
    else if (mistake == NO_ACCESS)
        CHECK_EQ(mprotect(at + BAD * page, page, PROT_NONE), 0);
    else if (mistake == READ_ONLY)
        CHECK_EQ(mprotect(at + BAD * page, page, PROT_READ), 0);
    return at;
}

/* Map readable and writable memory in place of the range. */
static void repair_range(unsigned char *at)
{
    CHECK(mmap(at, PAGES * page_bytes(), PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at);
}

static void drop_range(unsigned char *at)
{
    CHECK_EQ(munmap(at, PAGES * page_bytes()), 0);
}

/* ---- at start ---- */

#define DEFAULT_ACCESS UINT32_MAX /* permissions are never set */
#define READERS DOCA_ACCESS_FLAG_LOCAL_READ_ONLY

static const struct start_row {
    enum mistake mistake;
    uint32_t access;
    enum doca_core_item item; /* item of the refusal; DOCA_CORE_ITEM_NONE: the start succeeds */
    size_t page;              /* the page that the log names */
    /* an RDMA device detects the mistake when the range is exported, not at start */
    bool is_for_export;
} start_rows[] = {
    { NOTHING, DEFAULT_ACCESS, DOCA_CORE_ITEM_NONE, 0, false },
    { FILE_IS_WHOLE, DEFAULT_ACCESS, DOCA_CORE_ITEM_NONE, 0, false },
    { ALL_UNMAPPED, DEFAULT_ACCESS, DOCA_CORE_ITEM_MMAP_UNMAPPED, 0, false },
    { HOLE, DEFAULT_ACCESS, DOCA_CORE_ITEM_MMAP_UNMAPPED, BAD, false },
    { LAST_UNMAPPED, DEFAULT_ACCESS, DOCA_CORE_ITEM_MMAP_UNMAPPED, PAGES - 1, false },
    { HOLE, READERS, DOCA_CORE_ITEM_MMAP_UNMAPPED, BAD, false },
    { NO_ACCESS, DEFAULT_ACCESS, DOCA_CORE_ITEM_MMAP_UNREADABLE, BAD, false },
    { NO_ACCESS, READERS, DOCA_CORE_ITEM_MMAP_UNREADABLE, BAD, false },
    { READ_ONLY, DEFAULT_ACCESS, DOCA_CORE_ITEM_MMAP_READ_ONLY, BAD, false },
    { READ_ONLY, READERS | DOCA_ACCESS_FLAG_PCI_READ_WRITE, DOCA_CORE_ITEM_MMAP_READ_ONLY, BAD,
      true },
    { READ_ONLY, READERS | DOCA_ACCESS_FLAG_RDMA_WRITE, DOCA_CORE_ITEM_MMAP_READ_ONLY, BAD, false },
    { READ_ONLY, READERS | DOCA_ACCESS_FLAG_PCI_READ_ONLY, DOCA_CORE_ITEM_NONE, 0, false },
    { READ_ONLY, READERS, DOCA_CORE_ITEM_NONE, 0, false },
    { FILE_ENDS, DEFAULT_ACCESS, DOCA_CORE_ITEM_MMAP_BEHIND_FILE, BAD, false },
    { FILE_ENDS, READERS, DOCA_CORE_ITEM_MMAP_BEHIND_FILE, BAD, false },
    { PRIVATE_FILE_ENDS, DEFAULT_ACCESS, DOCA_CORE_ITEM_MMAP_BEHIND_FILE, BAD, false },
    { FILE_IS_EMPTY, DEFAULT_ACCESS, DOCA_CORE_ITEM_MMAP_BEHIND_FILE, 0, false },
};
#define NUM_START_ROWS (sizeof(start_rows) / sizeof(start_rows[0]))

static void check_start(struct doca_dev *dev, const struct start_row *row,
                        enum doca_core_item item)
{
    unsigned char *at = make_range(row->mistake);
    struct doca_mmap *mmap;
    unsigned char first;
    char page[32];

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    /* the range begins and ends inside a page */
    CHECK_OK(doca_mmap_set_memrange(mmap, at + 8, PAGES * page_bytes() - 16));
    if (row->access != DEFAULT_ACCESS)
        CHECK_OK(doca_mmap_set_permissions(mmap, row->access));
    CHECK_RC(doca_mmap_start(mmap),
             item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE);
    if (item != DOCA_CORE_ITEM_NONE) {
        CHECK_EQ(test_log_item, item);
        snprintf(page, sizeof(page), " 0x%llx [",
                 (unsigned long long)(uintptr_t)(at + row->page * page_bytes()));
        CHECK(strstr(test_log_text, page) != NULL);
        CHECK(strstr(test_log_text, "doca_mmap_start: mmap 0x") != NULL);
        CHECK(strstr(test_log_text, "(stopped)") != NULL);
        repair_range(at); /* the failed start changed nothing, so the mmap can start */
        CHECK_OK(doca_mmap_start(mmap));
        CHECK_EQ(at[0], 0);
    } else {
        first = row->mistake == FILE_IS_WHOLE ? 0 : 0x5a;
        CHECK_EQ(at[0], first); /* the start did not change the contents */
        CHECK_EQ(at[PAGES * page_bytes() - 1], first);
    }
    CHECK_OK(doca_mmap_destroy(mmap));
    drop_range(at);
}

static void start_refuses_unmapped_memory(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    size_t i;

    for (i = 0; i < NUM_START_ROWS; i++)
        if (test_other() == NULL || !start_rows[i].is_for_export)
            check_start(dev, &start_rows[i], start_rows[i].item);
    CHECK_OK(doca_dev_close(dev));
}

/* An mmap without a device starts, because the library does not access its range. */
static void mmap_without_a_device_starts_on_unmapped_memory(void)
{
    unsigned char *at = make_range(ALL_UNMAPPED);
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, at, PAGES * page_bytes()));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* ---- ways to ask the kernel which memory is mapped ---- */

/* The query ioctl of /proc/self/maps; the text of that file; msync(), which finds unmapped
 * pages. */
enum { QUERY = 0, TEXT = 1, HOLES = 2, NEITHER = 3 };

#define PROCMAP_QUERY _IOC(_IOC_READ | _IOC_WRITE, 'f', 17, 104)

/* Let system call `number` fail with `error` in this process when its argument `arg` is `value`, or
 * always if `arg` is above 5. */
static bool forbid(long number, unsigned arg, uint32_t value, int error)
{
    const bool is_any = arg > 5;
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                 (uint32_t)(offsetof(struct seccomp_data, args) + 8 * (is_any ? 0 : arg))),
        BPF_JUMP(BPF_JMP | (is_any ? BPF_JGE : BPF_JEQ) | BPF_K, is_any ? 0 : value, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

    return sys_prctl(PR_SET_NO_NEW_PRIVS, 1, 0) == 0 &&
           sys_prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&program) == 0;
}

/* Forbid all ways before `way`, so that the library must use `way` or a later one. */
static bool forbid_ways_before(int way)
{
    return (way < TEXT || forbid(SYS_ioctl, 1, (uint32_t)PROCMAP_QUERY, ENOTTY)) &&
           (way < HOLES || forbid(SYS_openat, 9, 0, ENOENT)) &&
           (way < NEITHER || forbid(SYS_msync, 9, 0, ENOSYS));
}

/* Return the item that is expected for a row when the library uses `way`. */
static enum doca_core_item item_by(int way, const struct start_row *row)
{
    if (way < HOLES)
        return row->item;
    return way == HOLES && row->item == DOCA_CORE_ITEM_MMAP_UNMAPPED ? row->item
                                                                     : DOCA_CORE_ITEM_NONE;
}

/* Start an mmap of a range. `item`: the expected reason of a refusal, or NONE. */
static void check_start_at(struct doca_dev *dev, uintptr_t addr, size_t len,
                           enum doca_core_item item)
{
    struct doca_mmap *map;

    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_add_dev(map, dev));
    CHECK_OK(doca_mmap_set_memrange(map, (void *)addr, len));
    CHECK_RC(doca_mmap_start(map),
             item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE);
    if (item != DOCA_CORE_ITEM_NONE)
        CHECK_EQ(test_log_item, item);
    CHECK_OK(doca_mmap_destroy(map));
}

static void every_way_to_ask_the_kernel_gives_the_same_result(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    pid_t child;
    int way, status;
    size_t i;

    for (way = QUERY; way <= NEITHER; way++) {
        fflush(stdout);
        child = fork();
        CHECK(child >= 0);
        if (child == 0) { /* the child reports its checks by its exit status */
            if (!forbid_ways_before(way))
                _exit(77);
            if (setjmp(test_leave) != 0) {
                fflush(stdout);
                _exit(1);
            }
            for (i = 0; i < NUM_START_ROWS; i++)
                if (way < HOLES || item_by(way, &start_rows[i]) != DOCA_CORE_ITEM_NONE)
                    check_start(dev, &start_rows[i], item_by(way, &start_rows[i]));
            /* no process has memory at the end of the address space */
            check_start_at(dev, UINTPTR_MAX - 4 * page_bytes(), 4 * page_bytes() - 100,
                           way == NEITHER ? DOCA_CORE_ITEM_NONE : DOCA_CORE_ITEM_MMAP_UNMAPPED);
            check_start_at(dev, UINTPTR_MAX - 100, 100, DOCA_CORE_ITEM_MMAP_UNMAPPED);
            _exit(0);
        }
        CHECK_EQ(waitpid(child, &status, 0), child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
            test_skip("seccomp filters are not permitted here");
        CHECK_EQ(status, 0);
    }
    CHECK_OK(doca_dev_close(dev));
}

/* ---- cost ---- */

static size_t resident_pages(void)
{
    unsigned long total = 0, resident = 0;
    char text[128];
    ssize_t len;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);

    CHECK(fd >= 0);
    len = read(fd, text, sizeof(text) - 1);
    close(fd);
    CHECK(len > 0);
    text[len] = '\0';
    CHECK_EQ(sscanf(text, "%lu %lu", &total, &resident), 2);
    return resident;
}

static void start_makes_no_page_resident(void)
{
    const size_t bytes = sizeof(void *) == 8 ? (size_t)64 << 30 : (size_t)256 << 20;
    struct doca_dev *dev;
    struct doca_mmap *map;
    unsigned char in = 0;
    size_t before, i;
    void *at;

    at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
              0);
    if (at == MAP_FAILED)
        test_skip("the address space has no room for such a large mapping");
    dev = rig_open_dev(NULL);
    map = rig_map(dev, at, bytes); /* the first start makes pages of the library resident */
    CHECK_OK(doca_mmap_stop(map));
    before = resident_pages();
    CHECK_OK(doca_mmap_start(map));
    CHECK(resident_pages() < before + 64);
    for (i = 0; i < 64; i++) {
        CHECK_EQ(mincore((unsigned char *)at + i * (bytes / 64), 1, &in), 0);
        CHECK_EQ(in & 1, 0);
    }
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_EQ(munmap(at, bytes), 0);
    CHECK_OK(doca_dev_close(dev));
}

/* Memory that the kernel has mapped into the process, and that system calls cannot read. */
static void memory_that_the_kernel_mapped_can_be_registered(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    unsigned long long from = 0, to = 0;
    struct doca_mmap *mmap;
    char line[512];
    FILE *maps;

    heap_trap_set(HEAP_TRAP_OFF);
    maps = fopen("/proc/self/maps", "re");
    while (maps != NULL && fgets(line, sizeof(line), maps) != NULL)
        if (strstr(line, "[vvar]") != NULL && sscanf(line, "%llx-%llx", &from, &to) == 2)
            break;
    if (maps != NULL)
        fclose(maps);
    heap_trap_set(HEAP_TRAP_ABORT);
    if (from == 0) {
        CHECK_OK(doca_dev_close(dev));
        test_skip("such memory cannot be mapped here");
    }
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_set_memrange(mmap, (void *)(uintptr_t)from, (size_t)(to - from)));
    CHECK_OK(doca_mmap_set_permissions(mmap, READERS));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
}

static struct {
    unsigned char *at;
    int fd;
    uint32_t ends;
} churned;

static void *churn(void *unused)
{
    unsigned char *at = churned.at + BAD * page_bytes();

    while (__atomic_load_n(&churned.ends, __ATOMIC_ACQUIRE) == 0) {
        (void)munmap(at, page_bytes());
        (void)ftruncate(churned.fd, (off_t)(BAD * page_bytes()));
        (void)ftruncate(churned.fd, (off_t)(PAGES * page_bytes()));
        (void)mmap(at, page_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, churned.fd,
                   (off_t)(BAD * page_bytes()));
    }
    return unused;
}

/* Another thread maps and unmaps the range during the start. The start may succeed or fail, but
 * must not raise a signal; a start that fails changes nothing. */
static void another_thread_may_unmap_during_start(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    unsigned i;
    struct doca_mmap *mmap;
    pthread_t thread;
    doca_error_t rc;

    churned.at = of_file(PAGES, MAP_SHARED, &churned.fd);
    churned.ends = 0;
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_set_memrange(mmap, churned.at, PAGES * page_bytes()));
    heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_create(&thread, NULL, churn, NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
    for (i = 0; i < 2000; i++) {
        rc = doca_mmap_start(mmap);
        if (rc == DOCA_SUCCESS)
            CHECK_OK(doca_mmap_stop(mmap));
        else
            CHECK_RC(rc, DOCA_ERROR_INVALID_VALUE);
    }
    __atomic_store_n(&churned.ends, 1, __ATOMIC_RELEASE);
    heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    drop_range(churned.at);
    close(churned.fd);
    CHECK_OK(doca_dev_close(dev));
}

/* ---- mistakes after the start ---- */

enum later { UNMAPPED_LATER, NO_ACCESS_LATER, READ_ONLY_LATER, CUT_SHORT_LATER, REPLACED_LATER };

static const struct later_row {
    enum later what;
    bool is_dst;
    bool is_error;
} later_rows[] = {
    { UNMAPPED_LATER, false, true },  { UNMAPPED_LATER, true, true },
    { NO_ACCESS_LATER, false, true }, { NO_ACCESS_LATER, true, true },
    { READ_ONLY_LATER, false, false }, { READ_ONLY_LATER, true, true },
    { CUT_SHORT_LATER, false, true }, { CUT_SHORT_LATER, true, true },
    { REPLACED_LATER, false, false }, { REPLACED_LATER, true, false },
};
#define NUM_LATER_ROWS (sizeof(later_rows) / sizeof(later_rows[0]))

static void go_wrong(enum later what, unsigned char *at, int fd)
{
    const size_t page = page_bytes();

    if (what == UNMAPPED_LATER)
        CHECK_EQ(munmap(at + BAD * page, page), 0);
    else if (what == NO_ACCESS_LATER)
        CHECK_EQ(mprotect(at + BAD * page, page, PROT_NONE), 0);
    else if (what == READ_ONLY_LATER)
        CHECK_EQ(mprotect(at + BAD * page, page, PROT_READ), 0);
    else if (what == CUT_SHORT_LATER)
        CHECK_EQ(ftruncate(fd, (off_t)(BAD * page)), 0);
    else
        repair_range(at);
}

static enum doca_core_item task_item; /* log item of the latest task's failure */

static void note_item(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    task_item = doca_core_last_item();
}

/* Make one of the mistakes with the memory of a started range, then copy from the whole range or to
 * it. */
static void check_later(const struct later_row *row, bool is_import)
{
    const size_t bytes = PAGES * page_bytes() - 100;
    struct doca_dma_task_memcpy *task;
    struct doca_buf *buf, *dst;
    unsigned char *at;
    struct share s;
    struct rig r;
    int fd = -1;

    rig_open(&r, TASKS);
    at = of_file(PAGES, MAP_SHARED, &fd);
    if (is_import) {
        share_open(&s, r.dev, at, PAGES * page_bytes(), SHARE_PCI, doca_mmap_export_pci);
    } else {
        s.map = share_map(r.dev, at, PAGES * page_bytes(), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
        s.import = s.map;
    }
    CHECK(bytes <= RIG_BYTES);
    go_wrong(row->what, at, fd);
    buf = share_buf(&r, s.import, at, bytes, 0, row->is_dst ? 0 : bytes);
    dst = row->is_dst ? buf : rig_dst(&r, 0, bytes);
    task = rig_task(r.dma, row->is_dst ? rig_src(&r, 0, bytes) : buf, dst);
    r.on_task = note_item;
    CHECK_OK(rig_submit(task));
    rig_drain(&r);
    if (test_other() != NULL && r.num_ok == 1) {
        /* a card keeps the pages that it has registered, and copies these */
    } else if (row->is_error) {
        CHECK_EQ(r.num_failed, 1);
        CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
        CHECK_EQ(rig_data_len(dst), 0);
        if (test_other() == NULL)
            CHECK_EQ(task_item, is_import ? DOCA_CORE_ITEM_EXPORTER_MEMORY
                                          : DOCA_CORE_ITEM_BUF_MEMORY_GONE);
    } else {
        CHECK_EQ(r.num_ok, 1);
        CHECK_EQ(rig_data_len(dst), bytes);
        CHECK_MEM(row->is_dst ? at : rig_to, row->is_dst ? rig_from : at, bytes);
    }
    rig_release(task);
    if (is_import)
        CHECK_OK(doca_mmap_destroy(s.import));
    CHECK_OK(doca_mmap_destroy(s.map));
    drop_range(at);
    close(fd);
    rig_close(&r);
}

static void memory_lost_after_start_fails_the_task(void)
{
    size_t i;

    for (i = 0; i < NUM_LATER_ROWS; i++) {
        if (!later_rows[i].is_error || DOCA_CORE_CHECK >= 2 || test_other() != NULL)
            check_later(&later_rows[i], false);
    }
}

static void memory_lost_by_the_exporter_fails_the_task(void)
{
    size_t i;

    for (i = 0; i < NUM_LATER_ROWS; i++)
        check_later(&later_rows[i], true);
}

/* Run a row. Called in a child process; does not return. */
static void run_in_child(const struct later_row *row)
{
    (void)freopen("/dev/null", "w", stderr); /* sanitizers would report the signal */
    if (setjmp(test_leave) == 0)
        check_later(row, false);
    _exit(0);
}

/* At the default check level the library accesses the memory as the program itself would, so the
 * program gets the signal. The header documents this. */
static void lost_memory_raises_a_signal_at_the_default_level(void)
{
    pid_t child;
    size_t i;
    int status;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("at this check level the task fails");
    for (i = 0; i < NUM_LATER_ROWS; i++) {
        if (!later_rows[i].is_error)
            continue;
        fflush(stdout);
        child = fork();
        CHECK(child >= 0);
        if (child == 0)
            run_in_child(&later_rows[i]);
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK(status != 0);
    }
}

/* A kernel without process_vm_readv() and process_vm_writev(): the library copies and clears memory
 * of this process with ordinary accesses. */
static void memory_is_copied_and_cleared_without_the_calls_of_the_kernel(void)
{
    unsigned char cleared[3] = { 1, 2, 3 };
    struct rig r;
    pid_t child;
    int status;

    rig_open(&r, TASKS);
    r.frees_tasks = true;
    fflush(stdout);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        if (!forbid(SYS_process_vm_readv, 9, 0, ENOSYS) ||
            !forbid(SYS_process_vm_writev, 9, 0, ENOSYS))
            _exit(77);
        if (setjmp(test_leave) != 0) {
            fflush(stdout);
            _exit(1);
        }
        CHECK_OK(rig_submit(rig_prepare(&r, r.dma, 0, RIG_BYTES)));
        rig_drain(&r);
        CHECK_EQ(r.num_ok, 1);
        CHECK_MEM(rig_to, rig_from, RIG_BYTES);
        doca_core_backend_clear(&cleared[1], 1);
        CHECK(cleared[0] == 1 && cleared[1] == 0 && cleared[2] == 3);
        _exit(0);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        test_skip("seccomp filters are not permitted here");
    CHECK_EQ(status, 0);
    rig_close(&r);
}

/* ---- hashes ---- */

static unsigned num_hashed, num_not_hashed;

static void hashed(struct doca_sha_task_hash *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
    num_hashed++;
}

static void not_hashed(struct doca_sha_task_hash *task, union doca_data task_data,
                       union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    CHECK_RC(doca_task_get_status(doca_sha_task_hash_as_task(task)), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_BUF_MEMORY_GONE);
    num_not_hashed++;
}

static void hash_of_lost_memory_fails(void)
{
    const size_t bytes = PAGES * page_bytes();
    struct doca_sha_task_hash *task;
    struct doca_buf *src, *dst;
    unsigned char *at, *to;
    struct doca_mmap *map, *to_map;
    struct doca_sha *sha;
    struct doca_ctx *ctx;
    unsigned is_dst;
    struct rig r;
    int fd;

    if (DOCA_CORE_CHECK < 2)
        test_skip("at this check level the program would end");
    for (is_dst = 0; is_dst < 2; is_dst++) {
        rig_open(&r, TASKS);
        num_hashed = num_not_hashed = 0;
        at = of_file(PAGES, MAP_SHARED, &fd);
        to = anonymous(PROT_READ | PROT_WRITE);
        map = rig_map(r.dev, at, bytes);
        to_map = rig_map(r.dev, to, bytes);
        CHECK_OK(doca_sha_create(r.dev, &sha));
        ctx = doca_sha_as_ctx(sha);
        CHECK_OK(doca_sha_task_hash_set_conf(sha, hashed, not_hashed, TASKS));
        CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
        CHECK_OK(doca_ctx_start(ctx));
        src = share_buf(&r, map, at, bytes, 0, bytes);
        dst = share_buf(&r, to_map, to, 64, 0, 0);
        CHECK_OK(doca_sha_task_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, src, dst,
                                               (union doca_data){ 0 }, &task));
        if (is_dst == 0)
            CHECK_EQ(ftruncate(fd, (off_t)(BAD * page_bytes())), 0);
        else
            CHECK_EQ(mprotect(to, page_bytes(), PROT_READ), 0);
        CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(task)));
        while (doca_pe_progress(r.pe) != 0) {
        }
        CHECK_EQ(num_hashed, 0);
        CHECK_EQ(num_not_hashed, 1);
        CHECK_EQ(rig_data_len(dst), 0);
        doca_task_free(doca_sha_task_hash_as_task(task));
        CHECK_OK(doca_buf_dec_refcount(src, NULL));
        CHECK_OK(doca_buf_dec_refcount(dst, NULL));
        (void)doca_ctx_stop(ctx);
        while (doca_pe_progress(r.pe) != 0) {
        }
        CHECK_OK(doca_sha_destroy(sha));
        CHECK_OK(doca_mmap_destroy(map));
        CHECK_OK(doca_mmap_destroy(to_map));
        drop_range(at);
        drop_range(to);
        close(fd);
        rig_close(&r);
    }
}

static const struct test_case cases[] = {
    CASE(start_refuses_unmapped_memory, ""),
    CASE(mmap_without_a_device_starts_on_unmapped_memory, ""),
    CASE_OF_SW(every_way_to_ask_the_kernel_gives_the_same_result, "",
               "that the library checks the range"),
    CASE_OF_SW(start_makes_no_page_resident, "", "that it does not pin memory"),
    CASE_OF_SW(memory_that_the_kernel_mapped_can_be_registered, "",
               "that it does not pin memory"),
    CASE_OF_SW(another_thread_may_unmap_during_start, "", "that the library checks the range"),
    CASE(memory_lost_after_start_fails_the_task, ""),
    CASE(memory_lost_by_the_exporter_fails_the_task, ""),
    CASE_OF_SW(lost_memory_raises_a_signal_at_the_default_level, "",
               "that the library itself accesses the memory"),
    CASE_OF_SW(memory_is_copied_and_cleared_without_the_calls_of_the_kernel, "",
               "that the library itself accesses the memory"),
    CASE_OF_SW(hash_of_lost_memory_fails, "", "that the library itself accesses the memory"),
};

TEST_MAIN(cases)
