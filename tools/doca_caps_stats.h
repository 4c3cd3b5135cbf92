/* doca_caps --stats: the counters of a running process (>>stats in doca_core.h). The process keeps
 * them in pages of shared memory, whose descriptors the kernel shows in /proc/PID/fd to the same
 * user and to root. This part only reads: it copies each page once, with its fixed length, and
 * checks every number of the copy before it uses it. */
#ifndef DOCA_CAPS_STATS_H
#define DOCA_CAPS_STATS_H

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define STATS_PAGE_LINK "/memfd:doca_core_page "
#define STATS_ATTEMPTS 5 /* a context may come or go while its page is copied */
#define STATS_PAUSE_US 2000

static struct doca_priv_stats_page stats_pages[DOCA_PRIV_STATS_PAGES];
static unsigned num_stats_pages;

/* Read the beginning of a file of /proc/PID into `text`, and end it with a NUL. */
static bool read_proc(unsigned pid, const char *name, char *text, size_t bytes)
{
    char path[64];
    ssize_t len;
    int fd;

    snprintf(path, sizeof(path), "/proc/%u/%s", pid, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    len = fd < 0 ? -1 : read(fd, text, bytes - 1);
    if (fd >= 0)
        close(fd);
    text[len > 0 ? len : 0] = '\0';
    return len > 0;
}

/* True when the process has ended: it is not there, or has no memory any longer. */
static bool process_has_ended(unsigned pid)
{
    char text[16];

    return !read_proc(pid, "statm", text, sizeof(text)) || strncmp(text, "0 ", 2) == 0;
}

/* Return the number of the process in its own namespace. In a container this number differs from
 * `pid`. */
static uint32_t pid_inside(unsigned pid)
{
    char text[4096], *line, *word;

    if (!read_proc(pid, "status", text, sizeof(text)) ||
        (line = strstr(text, "\nNSpid:")) == NULL)
        return pid;
    line += sizeof("\nNSpid:") - 1;
    line[strcspn(line, "\n")] = '\0';
    word = strrchr(line, '\t');
    return word != NULL ? (uint32_t)strtoul(word, NULL, 10) : pid;
}

/* Copy the page behind one descriptor of the process, if it is a page of counters. */
static void copy_stats_page(int dir, const char *name, uint32_t inside)
{
    static const char want[] = STATS_PAGE_LINK;
    char target[sizeof(want) - 1];
    struct doca_priv_stats_page page;
    struct stat status;
    int fd;

    if (readlinkat(dir, name, target, sizeof(target)) != (ssize_t)sizeof(target) ||
        memcmp(target, want, sizeof(target)) != 0)
        return;
    fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        pread(fd, &page, sizeof(page), 0) == (ssize_t)sizeof(page) &&
        memcmp(page.magic, DOCA_PRIV_STATS_MAGIC, sizeof(page.magic)) == 0 &&
        page.process == inside && page.serial < DOCA_PRIV_STATS_PAGES) {
        stats_pages[page.serial] = page;
        if (page.serial >= num_stats_pages)
            num_stats_pages = page.serial + 1;
    }
    close(fd);
}

/* Copy all pages of the process. */
static void copy_stats_pages(unsigned pid)
{
    const uint32_t inside = pid_inside(pid);
    const struct dirent *entry;
    char path[64];
    DIR *dir;

    memset(stats_pages, 0, sizeof(stats_pages));
    num_stats_pages = 0;
    snprintf(path, sizeof(path), "/proc/%u/fd", pid);
    dir = opendir(path);
    if (dir == NULL && process_has_ended(pid))
        die(EXIT_FAILURE, "there is no process %u", pid);
    if (dir == NULL)
        die(EXIT_FAILURE, "process %u cannot be read: %s; only its user and root can", pid,
            strerror(errno));
    while ((entry = readdir(dir)) != NULL)
        copy_stats_page(dirfd(dir), entry->d_name, inside);
    closedir(dir);
}

static const struct doca_priv_stats_record *stats_record(unsigned number)
{
    return &stats_pages[(number - 1) / DOCA_PRIV_STATS_PER_PAGE]
                .records[(number - 1) % DOCA_PRIV_STATS_PER_PAGE];
}

static const char *kind_name(unsigned kind)
{
    static const char *const names[] = { "dma", "sha", "mmap_advise", "comch_server",
                                         "comch_client", "comch_consumer", "comch_producer",
                                         "rdma", "sync_event" };
    const unsigned at = kind - DOCA_PRIV_KIND_DMA;

    return kind >= DOCA_PRIV_KIND_DMA && at < NUM(names) ? names[at] : NULL;
}

static const char *ctx_state_name(unsigned state)
{
    static const char *const names[] = { "idle", "starting", "running", "stopping" };

    return state < NUM(names) ? names[state] : NULL;
}

/* True when the record with this number describes a PE, or a context of a PE that has a record. */
static bool stats_record_is_valid(unsigned number)
{
    const struct doca_priv_stats_record *record = stats_record(number);

    if (record->kind == DOCA_PRIV_KIND_PE)
        return record->pe == 0;
    return kind_name(record->kind) != NULL && ctx_state_name(record->state) != NULL &&
           record->pe >= 1 && record->pe <= num_stats_pages * DOCA_PRIV_STATS_PER_PAGE &&
           stats_record(record->pe)->id != 0 &&
           stats_record(record->pe)->kind == DOCA_PRIV_KIND_PE;
}

static bool stats_are_valid(void)
{
    unsigned i;

    for (i = 0; i < num_stats_pages; i++)
        if (stats_pages[i].magic[0] == '\0')
            return false;
    for (i = 1; i <= num_stats_pages * DOCA_PRIV_STATS_PER_PAGE; i++)
        if (stats_record(i)->id != 0 && !stats_record_is_valid(i))
            return false;
    return true;
}

static void put_number(const char *key, uint64_t number, enum kind kind)
{
    struct fact fact = { kind, DOCA_SUCCESS, DOCA_CORE_ITEM_NONE, number, "" };

    put_fact(key, (int)sizeof("max_inflight"), &fact);
}

static void put_counters(const struct doca_priv_stats_record *record, uint32_t inflight)
{
    put_number("submitted",
               record->num_completed + record->num_failed + record->num_withdrawn + inflight,
               NUMBER);
    put_number("completed", record->num_completed, NUMBER);
    put_number("failed", record->num_failed, NUMBER);
    put_number("withdrawn", record->num_withdrawn, NUMBER);
    put_number("events", record->num_events, NUMBER);
    put_number("bytes", record->num_bytes, NUMBER);
    put_number("inflight", inflight, NUMBER);
    put_number("max_inflight", inflight > record->max_inflight ? inflight : record->max_inflight,
               NUMBER);
    put_number("empty_polls", record->num_empty_polls, NUMBER);
}

/* Print a PE and its contexts. */
static void put_pe_stats(unsigned number, unsigned place)
{
    const unsigned num = num_stats_pages * DOCA_PRIV_STATS_PER_PAGE;
    const struct doca_priv_stats_record *record;
    char heading[64];
    uint32_t inflight = 0;
    unsigned i;

    for (i = 1; i <= num; i++)
        if (stats_record(i)->id != 0 && stats_record(i)->pe == number)
            inflight += stats_record(i)->num_inflight;
    snprintf(heading, sizeof(heading), "progress engine %u", place);
    if (!as_json)
        put("\n");
    begin(NULL, heading, '{');
    put_counters(stats_record(number), inflight);
    begin("contexts", NULL, '[');
    for (i = 1; i <= num; i++) {
        record = stats_record(i);
        if (record->id == 0 || record->pe != number)
            continue;
        snprintf(heading, sizeof(heading), "%s, %s", kind_name(record->kind),
                 ctx_state_name(record->state));
        begin(NULL, heading, '{');
        if (as_json) {
            put_words("kind", 0, kind_name(record->kind));
            put_words("state", 0, ctx_state_name(record->state));
        }
        put_counters(record, record->num_inflight);
        end(heading, '}');
    }
    end(NULL, ']');
    end(heading, '}');
}

static void put_stats_of(unsigned pid)
{
    unsigned num_pes = 0, num_ctxs = 0, i;
    char name[32] = "";

    (void)read_proc(pid, "comm", name, sizeof(name));
    name[strcspn(name, "\n")] = '\0';
    for (i = 1; i <= num_stats_pages * DOCA_PRIV_STATS_PER_PAGE; i++) {
        num_pes += stats_record(i)->id != 0 && stats_record(i)->pe == 0;
        num_ctxs += stats_record(i)->id != 0 && stats_record(i)->pe != 0;
    }
    if (as_json) {
        put("{");
        depth++;
        put_number("process", pid, NUMBER);
        put_words("name", 0, name);
        put_number("uncounted", stats_pages[0].num_uncounted, NUMBER);
    } else {
        put("process %u (", pid);
        put_text(name);
        put("): %u progress engine%s, %u context%s", num_pes, num_pes == 1 ? "" : "s", num_ctxs,
            num_ctxs == 1 ? "" : "s");
        if (stats_pages[0].num_uncounted > 0)
            put("; %" PRIu32 " more are not counted", stats_pages[0].num_uncounted);
        put("\n");
    }
    begin("progress_engines", NULL, '[');
    for (i = 1, num_pes = 0; i <= num_stats_pages * DOCA_PRIV_STATS_PER_PAGE; i++)
        if (stats_record(i)->id != 0 && stats_record(i)->pe == 0)
            put_pe_stats(i, ++num_pes);
    end(NULL, ']');
    if (as_json)
        put("\n}\n");
}

/* Print the counters of a process. If there are none, print the reason in a line and exit. */
static void put_stats(unsigned pid)
{
    unsigned i;

    for (i = 0; i < STATS_ATTEMPTS; i++) {
        if (i > 0)
            usleep(STATS_PAUSE_US);
        copy_stats_pages(pid);
        if (num_stats_pages > 0 && stats_are_valid())
            break;
    }
    if (num_stats_pages == 0 && process_has_ended(pid))
        die(EXIT_FAILURE, "process %u has ended, or is a thread of the kernel", pid);
    if (num_stats_pages == 0)
        die(EXIT_FAILURE,
            "process %u has no statistics: start it with DOCA_CORE_STATS=1, or let it call "
            "doca_core_stats_start() before its contexts start", pid);
    if (i == STATS_ATTEMPTS)
        die(EXIT_FAILURE, "process %u: the pages of its statistics are damaged", pid);
    put_stats_of(pid);
    written(fflush(stdout));
    written(fclose(stdout));
}

#endif
