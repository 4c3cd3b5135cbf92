/* A hostile target of App Shield. The input changes the memory of a machine that runs a small Linux
 * (apsh_image.h), and then lists of the machine are read. The first byte selects one of four
 * machines, and whether a system is started anew or the running one is used; a start that reads no
 * changed place is left out. The next two bytes select lists, and processes that these are of. The
 * rest is changes. Each has a place, a value, and a time: before the start, or after a number of
 * reads.
 *
 * Each call succeeds without a log line, or returns a documented error and writes one line. It
 * submits a bounded number of reads. All elements and strings of a list lie inside its block. After
 * each input the changes are undone, and the running system reads the list of processes. */
#include "fuzz.h"

static void tick(void);

/* The library waits for its reads by this function. */
static uint8_t progress(struct doca_pe *pe)
{
    tick();
    return doca_pe_progress(pe);
}
#undef doca_pe_progress
#define doca_pe_progress progress

#define DOCA_CORE_APSH_START_READS 8000u /* so that a start that finds no kernel ends soon */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "tools/compat/doca_core_apsh.h"

#include "apsh_image.h"
#include "zip_writer.h"

#define TASK 5u /* This task has most areas, and the image has its executable pages. */
#define KERNEL_BYTES (2u << 20) /* of the image of a kernel */
#define MACHINES 4u
#define CHANGES 24u
#define FILL_MAX 20000u /* maximum number of bytes of a change */

static const struct image_options forms[MACHINES] = {
    { 4, 21, 0x0e400000, 9, 0, 0, 0, 0, NULL, 4, 0, 0, 0 },
    { 5, 21, 0x0e400000, 9, 0, 1, 1, 0, NULL, 4, 1, 0, 1 }, /* a note without symbols */
    { 4, 30, 0, 9, 0, 0, 0, 1, "state", 4, 0, 1, 0 },       /* areas in a list */
    { 4, 21, 0x0e400000, 9, 1, 0, 2, 0, NULL, 4, 0, 0, 0 }, /* no note, offsets without a base */
};

/* Settings of all systems. Low limits keep each list short. */
static const struct {
    enum doca_apsh_system_config_attr attr;
    int value;
} limits[] = {
    { DOCA_APSH_HASHTEST_LIMIT, 20 }, { DOCA_APSH_MODULES_LIMIT, 20 },
    { DOCA_APSH_PROCESS_LIMIT, 40 },  { DOCA_APSH_THREADS_LIMIT, 20 },
    { DOCA_APSH_LIBS_LIMIT, 20 },     { DOCA_APSH_VADS_LIMIT, 350 },
    { DOCA_APSH_STRING_LIMIT, 200 },
};
enum { HASHTESTS = 20, MODULES = 20, PROCESSES = 40, THREADS = 20, LIBS = 20, VADS = 350 };

static struct machine {
    struct image image;
    unsigned char *ram; /* shared mapping of the file with its memory */
    struct doca_dev_rep *rep;
    struct doca_apsh_system *system; /* running */
    char regions[64];                /* path of a region file */
    uint64_t symbols[6];             /* parts of the table of symbols: image_table[] */
    uint64_t entries[1024];          /* of page tables: places */
    unsigned num_entries;
} machines[MACHINES], *machine;

static struct doca_apsh_ctx *shield;
static char zip_path[64];

/* ---- changes ---- */

struct change {
    uint64_t at, value;
    uint32_t len;   /* bytes; when there are more than 8, each is the low byte of the value */
    unsigned after; /* progress calls of the library until the change is made */
    bool is_made;
};

static struct change changes[CHANGES];
static unsigned made[CHANGES];               /* numbers of the changes that were made, in order */
static unsigned char had[CHANGES][FILL_MAX]; /* bytes that these changes replaced */
static unsigned num_changes, num_made, num_calls;
static bool is_running; /* the system has started */

/* Make the changes whose time has come. */
static void make_due(void)
{
    unsigned i;

    for (i = 0; i < num_changes; i++) {
        struct change *change = &changes[i];

        if (change->is_made || change->after > num_calls)
            continue;
        memcpy(had[num_made], machine->ram + change->at, change->len);
        if (change->len > 8)
            memset(machine->ram + change->at, (int)(change->value & 255), change->len);
        else
            memcpy(machine->ram + change->at, &change->value, change->len);
        change->is_made = true;
        made[num_made++] = i;
    }
}

/* Advance the time of the changes by one, except during a start. */
static void tick(void)
{
    num_calls += is_running;
    make_due();
}

/* True when a start of a system reads the place of a change: page tables, the note for crash dumps,
 * or the image of the kernel. */
static bool concerns_start(void)
{
    unsigned i;

    for (i = 0; i < num_changes; i++)
        if (changes[i].at < machine->image.next_table || changes[i].at >= IMAGE_KERNEL ||
            (changes[i].at >= IMAGE_NOTE && changes[i].at < IMAGE_MORE))
            return true;
    return false;
}

static void undo_all(void)
{
    while (num_made > 0) {
        const struct change *change = &changes[made[--num_made]];

        memcpy(machine->ram + change->at, had[num_made], change->len);
    }
    num_changes = 0;
}

/* ---- places and values that the input selects ---- */

static unsigned some_task(void)
{
    return fuzz_below(machine->image.o.num_tasks + 1);
}

/* Return the physical address of a kernel object that App Shield reads when it lists processes,
 * threads, modules and so on. The input selects the object. */
static uint64_t some_object(void)
{
    const struct image *i = &machine->image;
    const unsigned n = fuzz_byte();

    switch (fuzz_byte() % 12) {
    case 0:
        return i->signals[n % 10];
    case 1:
        return i->threads[n % 2 == 0 ? 4 : 2];
    case 2:
        return i->ring;
    case 3:
        return i->modules[n % i->o.num_modules];
    case 4:
        return i->files[n % IMAGE_FILES];
    case 5:
        return i->dentries[n % 10];
    case 6:
        return i->mounts[n % IMAGE_MOUNTS];
    case 7:
        return i->mms[n % 5 * 2 + 1];
    case 8:
        return i->areas[n % (IMAGE_COMMON + IMAGE_EXTRA)];
    case 9:
        return i->nodes[i->num_nodes > 0 ? n % i->num_nodes : 0];
    case 10:
        return i->pages[n % IMAGE_CODES][0];
    default:
        return i->tasks[n % 10];
    }
}

static uint64_t place_in_task(void)
{
    static const uint16_t members[] = { IMAGE_LINKS,       IMAGE_LINKS + 8, IMAGE_THREADS,
                                        IMAGE_THREADS + 8, IMAGE_PID,       IMAGE_TGID,
                                        IMAGE_PARENT,      IMAGE_CRED,      IMAGE_COMM,
                                        IMAGE_SIGNAL,      IMAGE_MM,        IMAGE_STATE,
                                        IMAGE_RUNTIME,     IMAGE_UTIME,     IMAGE_STIME };
    const unsigned n = some_task();
    const uint64_t task = n == 0 ? machine->image.threads[4] : machine->image.tasks[n];

    return task + members[fuzz_byte() % (sizeof(members) / sizeof(members[0]))];
}

/* Return a place in an object that is no task. */
static uint64_t place_in_object(void)
{
    static const uint16_t words[] = { 0,  8,  16, 24,  32,  40,  48,  56,  64, 72,
                                      80, 88, 96, 104, 128, 152, 160, 208, 216 };

    return some_object() + words[fuzz_byte() % (sizeof(words) / sizeof(words[0]))] +
           (fuzz_byte() % 8 == 0 ? 4 : 0);
}

/* Return a place that the start of a system reads. */
static uint64_t place_of_start(void)
{
    const struct image *i = &machine->image;
    const uint64_t *symbols = machine->symbols;
    const uint32_t n = (uint32_t)fuzz_number(2);

    switch (fuzz_byte() % 12) {
    case 0:
        return i->btf + n % 24;
    case 1:
        return i->btf + n % (i->btf_end - i->btf);
    case 2:
        return symbols[0] + n % 20000; /* names */
    case 3:
        return symbols[1] + n % 2048; /* tokens */
    case 4:
        return symbols[2] + n % 512; /* their index */
    case 5:
        return symbols[3] + n % (4 * IMAGE_SYMBOLS);
    case 6:
        return symbols[4];
    case 7:
        return symbols[5];
    case 8:
        return IMAGE_NOTE + n % 1024;
    case 9:
        return i->banner + n % 40;
    case 10:
        return i->direct_base;
    default:
        return symbols[0] + n % 24; /* the symbols that lists need come first */
    }
}

/* Return the kernel's address of an object, or of a place in one; or an entry of a page table. */
static uint64_t value_of_object(void)
{
    static const uint16_t parts[] = { 0,          IMAGE_LINKS,        IMAGE_THREADS,
                                      IMAGE_HEAD, IMAGE_MODULE_LINKS, IMAGE_MOUNT_MNT };
    const uint64_t object = some_object();
    const unsigned way = fuzz_byte(), more = fuzz_byte();

    switch (way % 4) {
    case 0:
        return image_addr(&machine->image, object) + parts[more % 6];
    case 1:
        return image_addr(&machine->image, object) + more; /* the low bits have a meaning */
    case 2:
        return (object & ~(uint64_t)0xfff) | (more & 1 ? 0x67 : 0xe7);
    default:
        return image_addr(&machine->image, object) - more;
    }
}

static uint64_t some_value(uint64_t at)
{
    uint64_t was;

    memcpy(&was, machine->ram + at, sizeof(was));
    switch (fuzz_byte() % 8) {
    case 0:
        return was ^ (uint64_t)1 << fuzz_byte() % 64;
    case 1:
        return was + fuzz_byte();
    case 2:
        return was - fuzz_byte();
    case 3:
        return fuzz_byte();
    case 4:
        return fuzz_number(8);
    case 5:
        return (uint64_t)0 - fuzz_byte();
    default:
        return value_of_object();
    }
}

/* Take a change from the input. */
static void take_change(void)
{
    static const uint32_t lengths[8] = { 8, 8, 8, 8, 4, 2, 1, 0 };
    const unsigned where = fuzz_byte(), how = fuzz_byte();
    struct change *change = &changes[num_changes++];

    switch (where % 8) {
    case 0:
    case 1:
        change->at = place_in_task();
        break;
    case 2:
    case 3:
    case 4:
        change->at = place_in_object();
        break;
    case 5:
        change->at = machine->entries[fuzz_below(machine->num_entries)];
        break;
    case 6:
        change->at = place_of_start();
        break;
    default:
        change->at = IMAGE_TABLES + fuzz_number(3) % (IMAGE_BYTES - IMAGE_TABLES);
        break;
    }
    change->at = change->at < IMAGE_BYTES - 8 ? change->at : IMAGE_BYTES - 8;
    change->after = how < 128 ? 0 : 1 + fuzz_byte();
    change->value = some_value(change->at);
    change->len = lengths[how % 8];
    if (change->len == 0)
        change->len = fuzz_below(FILL_MAX);
    if (change->len > IMAGE_BYTES - change->at)
        change->len = (uint32_t)(IMAGE_BYTES - change->at);
    change->is_made = false;
}

/* ---- lists ---- */

static struct doca_core_apsh_stats before; /* of the system, before a call */

static void begin(const struct doca_apsh_system *system)
{
    test_log_lines = 0;
    before = system->kernel->mem.stats;
}

/* Check the result of a list with this limit, and what it reads. `budget`: items that its bound of
 * reads is made of. */
static void check_call(const struct doca_apsh_system *system, doca_error_t rc, int num, int limit,
                       unsigned budget)
{
    const struct doca_core_apsh_stats *now = &system->kernel->mem.stats;
    const uint64_t tasks = DOCA_CORE_APSH_TRIES * DOCA_CORE_APSH_LIST_READS(budget);

    CHECK(now->num_tasks - before.num_tasks <= tasks);
    CHECK(now->num_hits - before.num_hits <= DOCA_PRIV_APSH_STEPS * tasks);
    CHECK_EQ(test_log_lines, rc == DOCA_SUCCESS ? 0 : 1);
    if (rc == DOCA_SUCCESS) {
        CHECK(num >= 0 && num <= limit);
        return;
    }
    CHECK_RC(rc, DOCA_ERROR_INITIALIZATION);
    CHECK(test_log_item == DOCA_CORE_ITEM_APSH_TORN || test_log_item == DOCA_CORE_ITEM_APSH_ENDED ||
          test_log_item == DOCA_CORE_ITEM_APSH_BUDGET ||
          test_log_item == DOCA_CORE_ITEM_APSH_LAYOUT);
}

/* Check that all strings of a list lie inside its block. `texts`: attributes that are strings, up
 * to a number below 0. */
static void check_list(void *pointers, int num, enum doca_priv_apsh_kind kind, const int *texts)
{
    struct doca_priv_apsh_snapshot *snapshot;
    const char *text;
    int i, k;

    CHECK((pointers == NULL) == (num == 0));
    if (pointers == NULL)
        return;
    snapshot = doca_priv_apsh_snapshot_of(pointers, kind);
    CHECK(snapshot != NULL && (int)snapshot->num == num && snapshot->num <= snapshot->max);
    CHECK(snapshot->text <= snapshot->text_end);
    for (i = 0; i < num; i++)
        for (k = 0; texts[k] >= 0; k++) {
            text = (const char *)doca_priv_apsh_get(((void **)pointers)[i], kind, texts[k], "fuzz");
            if (kind == DOCA_PRIV_APSH_VADS && text[0] == '\0')
                continue; /* the path of an area without a file is a constant */
            CHECK(text >= (const char *)pointers && text < snapshot->text);
            CHECK(memchr(text, '\0', (size_t)(snapshot->text - text)) != NULL);
            CHECK(strlen(text) < 200);
        }
}

static void read_modules(struct doca_apsh_system *system)
{
    static const int texts[] = { DOCA_APSH_MODULES_NAME, -1 };
    struct doca_apsh_module **list = NULL;
    doca_error_t rc;
    int num = 0;

    begin(system);
    rc = doca_apsh_modules_get(system, &list, &num);
    check_call(system, rc, num, MODULES, MODULES);
    check_list(list, num, DOCA_PRIV_APSH_MODULES, texts);
    doca_apsh_module_free(list);
}

static void read_threads(struct doca_apsh_system *system, struct doca_apsh_process *process)
{
    static const int texts[] = { DOCA_APSH_THREAD_LINUX_PROC_NAME,
                                 DOCA_APSH_THREAD_LINUX_THREAD_NAME, -1 };
    struct doca_apsh_thread **list = NULL;
    doca_error_t rc;
    int num = 0;

    begin(system);
    rc = doca_apsh_threads_get(process, &list, &num);
    check_call(system, rc, num, THREADS, THREADS);
    check_list(list, num, DOCA_PRIV_APSH_THREADS, texts);
    doca_apsh_threads_free(list);
}

static void read_areas(struct doca_apsh_system *system, struct doca_apsh_process *process)
{
    static const int texts[] = { DOCA_APSH_VMA_PROTECTION, DOCA_APSH_VMA_PROCESS_NAME,
                                 DOCA_APSH_VMA_FILE_PATH, -1 };
    struct doca_apsh_vad **list = NULL;
    doca_error_t rc;
    int num = 0;

    begin(system);
    rc = doca_apsh_vads_get(process, &list, &num);
    check_call(system, rc, num, VADS, VADS);
    check_list(list, num, DOCA_PRIV_APSH_VADS, texts);
    doca_apsh_vads_free(list);
}

static void read_libraries(struct doca_apsh_system *system, struct doca_apsh_process *process)
{
    static const int texts[] = { DOCA_APSH_LIB_LIBRARY_PATH, -1 };
    struct doca_apsh_lib **list = NULL;
    doca_error_t rc;
    int num = 0;

    begin(system);
    rc = doca_apsh_libs_get(process, &list, &num);
    check_call(system, rc, num, LIBS, LIBS + VADS);
    check_list(list, num, DOCA_PRIV_APSH_LIBS, texts);
    doca_apsh_libs_free(list);
}

static void check_attestation(struct doca_apsh_attestation **list, int num)
{
    static const int texts[] = { DOCA_APSH_ATTESTATION_COMM, DOCA_APSH_ATTESTATION_PROTECTION,
                                 DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA, -1 };
    int i, pages, present, equal;

    check_list(list, num, DOCA_PRIV_APSH_ATTESTATIONS, texts);
    for (i = 0; i < num; i++) {
        pages = doca_apsh_attst_info_get(list[i], DOCA_APSH_ATTESTATION_PAGES_NUMBER);
        present = doca_apsh_attst_info_get(list[i], DOCA_APSH_ATTESTATION_PAGES_PRESENT);
        equal = doca_apsh_attst_info_get(list[i], DOCA_APSH_ATTESTATION_MATCHING_HASHES);
        CHECK(0 <= equal && equal <= present && present <= pages);
    }
}

static void read_attestation(struct doca_apsh_system *system, struct doca_apsh_process *process,
                             bool is_refreshed)
{
    struct doca_apsh_attestation **list = NULL;
    doca_error_t rc;
    int num = 0;

    begin(system);
    rc = doca_apsh_attestation_get(process, zip_path, &list, &num);
    check_call(system, rc, num, HASHTESTS, 2 * HASHTESTS + VADS);
    check_attestation(list, num);
    if (list == NULL || !is_refreshed) {
        doca_apsh_attestation_free(list);
        return;
    }
    begin(system);
    rc = doca_apsh_attst_refresh(&list, &num);
    check_call(system, rc, num, HASHTESTS, 2 * HASHTESTS + VADS);
    check_attestation(list, num);
    doca_apsh_attestation_free(list);
}

/* Read the list of processes and other lists. `lists`: a bit for each other list. `which`: a bit
 * for each of the first eight processes; threads, areas, libraries and attestations are read of
 * these. */
static void read_lists(struct doca_apsh_system *system, unsigned lists, unsigned which)
{
    static const int texts[] = { DOCA_APSH_PROCESS_COMM, -1 };
    struct doca_apsh_process **processes = NULL;
    doca_error_t rc;
    int num = 0, i;

    begin(system);
    rc = doca_apsh_processes_get(system, &processes, &num);
    check_call(system, rc, num, PROCESSES, PROCESSES + THREADS);
    check_list(processes, num, DOCA_PRIV_APSH_PROCESSES, texts);
    if ((lists & 1) != 0)
        read_modules(system);
    for (i = 0; i < num && i < 8; i++) {
        if ((which >> i & 1) == 0)
            continue;
        if ((lists & 2) != 0)
            read_threads(system, processes[i]);
        if ((lists & 4) != 0)
            read_areas(system, processes[i]);
        if ((lists & 8) != 0)
            read_libraries(system, processes[i]);
        if ((lists & 16) != 0)
            read_attestation(system, processes[i], (lists & 32) != 0);
    }
    doca_apsh_processes_free(processes);
}

/* ---- machines ---- */

static struct doca_apsh_system *prepare(const struct machine *m)
{
    struct doca_apsh_system *system = doca_apsh_system_create(shield);
    size_t i;

    CHECK(system != NULL);
    CHECK_OK(doca_apsh_sys_dev_set(system, m->rep));
    CHECK_OK(doca_apsh_sys_os_type_set(system, DOCA_APSH_SYSTEM_LINUX));
    CHECK_OK(doca_apsh_sys_mem_region_set(system, m->regions));
    CHECK_OK(doca_core_apsh_sys_set_cache(system, 64));
    if (m != &machines[0]) /* one set of slots, so that lists read most blocks twice */
        system->num_pages = DOCA_PRIV_APSH_WAYS * DOCA_PRIV_APSH_BLOCK_PAGES;
    for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
        CHECK_OK(doca_apsh_sys_config(system, limits[i].attr, limits[i].value));
    return system;
}

/* Start a system on the changed machine, and read its lists if it starts. */
static void start_anew(unsigned lists, unsigned which)
{
    struct doca_apsh_system *system = prepare(machine);
    doca_error_t rc;

    test_log_lines = 0;
    rc = doca_apsh_system_start(system);
    CHECK_EQ(test_log_lines, rc == DOCA_SUCCESS ? 0 : 1);
    if (rc == DOCA_SUCCESS) {
        CHECK(system->kernel->mem.stats.num_tasks <= DOCA_CORE_APSH_START_READS);
        is_running = true;
        read_lists(system, lists, which);
    } else if (rc == DOCA_ERROR_NOT_SUPPORTED) {
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_PROCESSOR);
    } else {
        CHECK_RC(rc, DOCA_ERROR_INITIALIZATION);
        CHECK(test_log_item == DOCA_CORE_ITEM_APSH_NO_KERNEL ||
              test_log_item == DOCA_CORE_ITEM_APSH_LAYOUT ||
              test_log_item == DOCA_CORE_ITEM_APSH_BUDGET);
    }
    doca_apsh_system_destroy(system);
}

static void file_of(const char *name, char path[64], int *fd)
{
    *fd = memfd_create(name, 0);
    CHECK(*fd >= 0);
    (void)snprintf(path, 64, "/proc/self/fd/%d", *fd);
}

/* Write the regions that have data, so that a search of them is short. */
static void put_regions(struct machine *m)
{
    const struct image *i = &m->image;
    const uint64_t parts[6][2] = {
        { IMAGE_TABLES, i->next_table },
        { IMAGE_HEAP, i->next_heap },
        { IMAGE_NOTE, IMAGE_NOTE + 4096 },
        { IMAGE_MORE, i->next_more },
        { IMAGE_KERNEL, IMAGE_KERNEL + KERNEL_BYTES },
        { IMAGE_PAGES, i->next_page },
    };
    unsigned n;
    int fd;

    file_of("regions", m->regions, &fd);
    dprintf(fd, "{\"allowed_regions\": {");
    for (n = 0; n < 6; n++)
        dprintf(fd, "\"%u\": {\"start\": %llu, \"length\": %llu},", n,
                (unsigned long long)parts[n][0],
                (unsigned long long)((parts[n][1] - parts[n][0] + 4095) & ~4095ull));
    dprintf(fd, "}}");
}

/* Write the memory of a machine. Returns the path of its file. */
static void put_machine(struct machine *m, const struct image_options *form, char path[64])
{
    uint64_t at;
    int fd;

    image_make(&m->image, form);
    image_code(&m->image, TASK);
    CHECK(m->image.next_kernel <= IMAGE_KERNEL + KERNEL_BYTES);
    at = IMAGE_KERNEL + KERNEL_BYTES;
    image_u64(image_map(&m->image, m->image.root, at + m->image.delta, at, 21), 0);
    memcpy(m->symbols, image_table, sizeof(m->symbols));
    for (at = IMAGE_TABLES; at < m->image.next_table; at += 8)
        if (image_get(at) != 0 && m->num_entries < 1024)
            m->entries[m->num_entries++] = at;
    file_of("ram", path, &fd);
    CHECK(ftruncate(fd, IMAGE_BYTES) == 0);
    m->ram = mmap(NULL, IMAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(m->ram != MAP_FAILED);
    memcpy(m->ram, image_ram, IMAGE_BYTES);
    put_regions(m);
}

/* Write copies of some files: hashing all of them would take most of the time. */
static void put_copies(void)
{
    static const unsigned files[2] = { 3, 6 };
    static unsigned char content[IMAGE_FILE_MAX];
    unsigned i;
    int fd;

    file_of("hash", zip_path, &fd);
    zip_begin();
    for (i = 0; i < 2; i++)
        zip_add(image_copies[files[i]], content, image_content(files[i], content), ZIP_STORED);
    zip_end();
    zip_put(zip_path);
}

static void fuzz_set_up(void)
{
    char paths[MACHINES][64], text[512] = "03:00.0 side=dpu";
    struct doca_devinfo_rep **reps;
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;
    unsigned i;

    for (i = 0; i < MACHINES; i++) {
        put_machine(&machines[i], &forms[i], paths[i]);
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text),
                       "; 0b:00.%u side=host rep=03:00.0 ram=%s", i, paths[i]);
    }
    put_copies();
    doca_core_log_set_level(DOCA_CORE_LOG_WARNING);
    CHECK_OK(doca_core_sw_set_topology(text));
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num));
    CHECK_EQ(num, MACHINES);
    for (i = 0; i < MACHINES; i++)
        CHECK_OK(doca_dev_rep_open(reps[i], &machines[i].rep));
    CHECK_OK(doca_devinfo_rep_destroy_list(reps));
    shield = doca_apsh_create();
    CHECK_OK(doca_apsh_dma_dev_set(shield, dev));
    CHECK_OK(doca_apsh_start(shield));
    for (i = 0; i < MACHINES; i++) {
        machine = &machines[i];
        machine->system = prepare(machine);
        CHECK_OK(doca_apsh_system_start(machine->system));
    }
}

/* The running system reads the list of the machine without changes. */
static void check_again(void)
{
    struct doca_apsh_process **processes;
    int num;

    CHECK_OK(doca_apsh_processes_get(machine->system, &processes, &num));
    CHECK_EQ(num, machine->image.o.num_tasks);
    doca_apsh_processes_free(processes);
}

static void fuzz_run_input(void)
{
    const unsigned first = fuzz_byte(), lists = fuzz_byte(), which = fuzz_byte();

    machine = &machines[first % MACHINES];
    num_changes = num_calls = 0;
    is_running = false;
    while (fuzz_left > 0 && num_changes < CHANGES)
        take_change();
    is_running = first / MACHINES % 16 != 0 || !concerns_start();
    make_due();
    if (is_running)
        read_lists(machine->system, lists, which);
    else
        start_anew(lists, which);
    undo_all();
    check_again();
}
