/* Show the processes, threads and modules of a Linux machine whose memory is a file: a live view in
 * a terminal, or one look as text or JSON. tools/apsh-top compiles and runs it. The tool does not
 * use the heap; the C library does so before the first look, for the time zone and, with --qemu,
 * for a list of /proc. */
#define _DEFAULT_SOURCE /* the size of a terminal */
#define _POSIX_C_SOURCE 200809L

#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#define DOCA_CORE_APSH_IMPLEMENTATION
#include "tools/compat/doca_core_apsh.h"

#include "apsh_top/look.h"
#include "apsh_top/print.h"
#include "apsh_top/qemu.h"
#include "apsh_top/screen.h"

#ifdef APSH_TOP_HEAP_TRAP /* for tests */
#include "heap_trap.h"
#endif

static const char help[] =
    "usage: tools/apsh-top [OPTION]... [RAMFILE]\n"
    "       tools/apsh-top [OPTION]... --qemu PIDFILE|RAMFILE\n"
    "Show what runs on a Linux machine whose memory is the file RAMFILE, by App Shield: its\n"
    "processes by the CPU time that they used since the frame before, their threads, and its\n"
    "modules. A plus sign marks processes and modules that the frame before did not have.\n"
    "Without RAMFILE the machine is the first representor of DOCA_CORE_SW_TOPOLOGY, which\n"
    "tools/apsh-guest sets.\n"
    "  --once          print one frame and end, as when standard output is no terminal\n"
    "  --json          print one look as one object of JSON and end\n"
    "  --seconds S     time between two frames (2), such as 0.5; with --once and --json: look\n"
    "                  twice, and print what is new and the CPU use between the two looks\n"
    "  --split BYTES   from this offset on, the bytes of the file lie from the address 4 GiB\n"
    "                  on; a multiple of 4096, or a number with k, M or G\n"
    "  --qemu FILE     FILE is the pid file of a QEMU, or the file with the memory of its\n"
    "                  guest: length and split are taken from its command line\n"
    "                  (memory-backend-file, machine q35)\n"
    "Keys: q quit; c processes by CPU use; p by pid; m modules; t threads of the selected\n"
    "process, or of all; arrows and page keys select a process or scroll; Escape ends the\n"
    "selection.\n"
    "Exit status: 0; 64 wrong arguments; 65 no list, because no kernel was found or it cannot\n"
    "be read; 66 a file cannot be read, or is truncated; 69 the target has ended; 74 the output\n"
    "cannot be written; 77 no C compiler; 128 + signal\n";

/* ---- options ---- */

struct options {
    const char *file; /* NULL: the environment describes the target */
    bool is_once, is_json, is_qemu, has_seconds;
    uint64_t interval; /* nanoseconds */
    uint64_t split;    /* bytes */
};

/* Convert a number of seconds with at most nine decimals to nanoseconds. Returns 0 when the text
 * does not have this form. */
static uint64_t seconds_of(const char *text)
{
    uint64_t whole = 0, part = 0, unit = 1000000000u;

    if (strspn(text, "0123456789") > 6)
        return 0;
    for (; *text >= '0' && *text <= '9'; text++)
        whole = whole * 10 + (uint64_t)(*text - '0');
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9' && unit > 1; text++) {
            unit /= 10;
            part += (uint64_t)(*text - '0') * unit;
        }
    return *text == '\0' ? whole * 1000000000u + part : 0;
}

/* Read an option that takes a value. Returns false when `word` is not such an option. */
static bool read_value(struct options *options, const char *word, const char *value)
{
    const bool is_seconds = strcmp(word, "--seconds") == 0;

    if (!is_seconds && strcmp(word, "--split") != 0)
        return false;
    if (value == NULL)
        die(WRONG_ARGUMENTS, "%s needs a value (try --help)", word);
    if (is_seconds) {
        options->has_seconds = true;
        options->interval = seconds_of(value);
        if (options->interval < 10000000u)
            die(WRONG_ARGUMENTS, "--seconds %s: not from 0.01 to 999999 (try --help)", value);
        return true;
    }
    options->split = bytes_of(value);
    if (options->split == 0 || options->split % 4096 != 0 || options->split > (uint64_t)1 << 32)
        die(WRONG_ARGUMENTS, "--split %s: not a multiple of 4096 up to 4 GiB (try --help)", value);
    return true;
}

static struct options read_options(int argc, char **argv)
{
    struct options options = { .interval = 2000000000u };
    bool is_over = false;
    int i;

    for (i = 1; i < argc; i++) {
        const char *const word = argv[i];

        if (is_over || word[0] != '-' || word[1] == '\0') {
            if (options.file != NULL)
                die(WRONG_ARGUMENTS, "%s: one file only (try --help)", word);
            options.file = word;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            out_text(help);
            out_flush();
            exit(OK);
        } else if (read_value(&options, word, i + 1 < argc ? argv[i + 1] : NULL)) {
            i++;
        } else if (strcmp(word, "--once") == 0) {
            options.is_once = true;
        } else if (strcmp(word, "--json") == 0) {
            options.is_json = true;
        } else if (strcmp(word, "--qemu") == 0) {
            options.is_qemu = true;
        } else if (strcmp(word, "--") == 0) {
            is_over = true;
        } else {
            die(WRONG_ARGUMENTS, "%s: unknown option (try --help)", word);
        }
    }
    if (options.file == NULL && (options.is_qemu || getenv("DOCA_CORE_SW_TOPOLOGY") == NULL))
        die(WRONG_ARGUMENTS, "no file with the memory of a machine (try --help)");
    if (options.file == NULL && options.split != 0)
        die(WRONG_ARGUMENTS, "--split is for a file (try --help)");
    return options;
}

/* ---- the live view ---- */

static struct {
    enum { PROCESSES, THREADS, MODULES } what;
    bool is_by_pid;
    bool has_selection;
    uint32_t selected; /* pid */
    int top;           /* first row that is shown */
} view;

/* Return the row of the selected process in the order of the view, or -1. */
static int place_of_selection(void)
{
    int i;

    for (i = 0; view.has_selection && i < shown->num_processes; i++)
        if (shown->processes[order[i]].pid == view.selected)
            return i;
    return -1;
}

static bool is_shown_thread(const struct thread *thread)
{
    return !view.has_selection || thread->pid == view.selected;
}

static int num_rows_of_view(void)
{
    int i, num = 0;

    if (view.what != THREADS)
        return view.what == PROCESSES ? shown->num_processes : shown->num_modules;
    for (i = 0; i < shown->num_threads; i++)
        num += is_shown_thread(&shown->threads[i]);
    return num;
}

/* True when all columns but COMMAND leave less than half of a name to see. */
static bool is_narrow(void)
{
    return screen.columns < sizeof(process_head) + 1;
}

static void draw_head(void)
{
    char line[128];

    if (view.what == THREADS && view.has_selection)
        snprintf(line, sizeof(line), "%s (of process %u)", thread_head, view.selected);
    else
        snprintf(line, sizeof(line), "%s",
                 view.what == THREADS   ? thread_head
                 : view.what == MODULES ? module_head
                 : is_narrow()          ? narrow_process_head
                                        : process_head);
    frame_line("7", line);
}

static void draw_rows(int num)
{
    const int selected = place_of_selection();
    char line[256];
    int i, k = 0, end = view.top + num;

    for (i = 0; view.what == PROCESSES && i < shown->num_processes; i++)
        if (i >= view.top && i < end) {
            const struct process *const process = &shown->processes[order[i]];

            process_row(line, sizeof(line), process, is_narrow());
            frame_line(i == selected ? "7" : process->is_new ? "1" : "", line);
        }
    for (i = 0; view.what == THREADS && i < shown->num_threads; i++)
        if (is_shown_thread(&shown->threads[i]) && k++ >= view.top && k <= end) {
            thread_row(line, sizeof(line), &shown->threads[i]);
            frame_line("", line);
        }
    for (i = view.top; view.what == MODULES && i < shown->num_modules && i < end; i++) {
        module_row(line, sizeof(line), &shown->modules[i]);
        frame_line(shown->modules[i].is_new ? "1" : "", line);
    }
}

/* Rows for the list: a frame has two lines and a heading above it and one line below it, as far as
 * the terminal has room. */
static int num_rows_on_screen(void)
{
    return screen.rows > 4 ? (int)screen.rows - 4 : 0;
}

/* Scroll so that the selected process is seen, and no further than the list goes. */
static void scroll_to_selection(void)
{
    const int rows = num_rows_on_screen(), num = num_rows_of_view();
    const int selected = view.what == PROCESSES ? place_of_selection() : -1;

    if (selected >= 0 && selected < view.top)
        view.top = selected;
    if (selected >= 0 && selected >= view.top + rows)
        view.top = selected - rows + 1;
    if (view.top > num - rows)
        view.top = num - rows;
    if (view.top < 0)
        view.top = 0;
}

static const char keys[] = "q quit  c by cpu  p by pid  t threads  m modules  arrows select";

static void draw(const struct target *target, const struct options *options, const char *problem)
{
    const time_t now = time(NULL);
    char line[512], clock[16] = "";
    struct tm local;

    frame_begin();
    scroll_to_selection();
    if (localtime_r(&now, &local) != NULL)
        (void)strftime(clock, sizeof(clock), "%H:%M:%S", &local);
    snprintf(line, sizeof(line), "apsh-top %s every %u.%02u s: %s", clock,
             (unsigned)(options->interval / 1000000000u),
             (unsigned)(options->interval / 10000000u % 100), target->name);
    frame_line("", line);
    summary_row(line, sizeof(line));
    frame_line("", line);
    draw_head();
    draw_rows(num_rows_on_screen());
    if (screen.rows > 4) {
        while (screen.row + 1 < screen.rows)
            frame_line("", "");
        clean_copy(line, sizeof(line), problem != NULL ? problem : keys);
        frame_line(problem != NULL ? "1" : "", line);
    }
    frame_end();
}

/* Select the process that is `step` rows away; in the other lists, scroll by `step` rows. */
static void move(int step)
{
    int place = place_of_selection();

    if (view.what != PROCESSES) {
        view.top += step;
        return;
    }
    if (shown->num_processes == 0)
        return;
    place = place < 0 ? (step > 0 ? view.top : 0) : place + step;
    place = place < shown->num_processes ? place : shown->num_processes - 1;
    view.selected = shown->processes[order[place < 0 ? 0 : place]].pid;
    view.has_selection = true;
}

static void switch_to(int what)
{
    view.what = (int)view.what == what ? PROCESSES : what == THREADS ? THREADS : MODULES;
    view.top = 0;
}

/* Execute the command of a key. Returns false for the key that ends the view. */
static bool press(int key)
{
    const int page = num_rows_on_screen() > 1 ? num_rows_on_screen() - 1 : 1;

    switch (key) {
    case 'q': return false;
    case 'c':
    case 'p':
        view.is_by_pid = key == 'p';
        view.what = PROCESSES;
        put_in_order(view.is_by_pid);
        break;
    case 'm': switch_to(MODULES); break;
    case 't': switch_to(THREADS); break;
    case KEY_UP: move(-1); break;
    case KEY_DOWN: move(1); break;
    case KEY_PAGE_UP: move(-page); break;
    case KEY_PAGE_DOWN: move(page); break;
    case KEY_ESCAPE: view.has_selection = false; break;
    case 3: (void)raise(SIGINT); break; /* Ctrl-C on the terminal of another session */
    default: break;
    }
    return true;
}

/* Read the target again. After two failed reads in a row, search the memory for the kernel before
 * each further read, because a guest that was restarted has its kernel at another address. */
static const char *look_again(struct target *target, unsigned *num_failures)
{
    const char *problem;

    target_is_alive(target);
    if (*num_failures >= 2)
        (void)target_start(target);
    problem = look_at(target);
    *num_failures = problem != NULL ? *num_failures + 1 : 0;
    if (problem == NULL)
        put_in_order(view.is_by_pid);
    else
        target_is_alive(target);
    return problem;
}

static void run_view(struct target *target, const struct options *options)
{
    unsigned num_failures = 0;
    const char *problem = NULL;
    uint64_t next;
    int key = NO_KEY;

    put_in_order(false);
    screen_open();
    next = now_ns() + options->interval;
    for (;;) {
        draw(target, options, problem);
        key = wait_for_key(next);
        if (key != NO_KEY && !press(key))
            break;
        if (now_ns() >= next) {
            problem = look_again(target, &num_failures);
            next = now_ns() + options->interval;
        }
    }
    screen_leave();
}

/* Wait, and take the second look: CPU use and new rows are the difference between two looks. */
static void look_twice(struct target *target, uint64_t interval)
{
    const struct timespec wait = { (time_t)(interval / 1000000000u),
                                   (long)(interval % 1000000000u) };
    const char *problem;

    (void)nanosleep(&wait, NULL);
    target_is_alive(target);
    problem = look_at(target);
    if (problem != NULL)
        die(NO_LIST, "%s: %s", target->name, problem);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv);
    static struct target target = { .name = "DOCA_CORE_SW_TOPOLOGY", .fd = -1, .qemu_fd = -1 };
    const char *const term = getenv("TERM");
    const bool is_view = !options.is_once && !options.is_json && isatty(STDOUT_FILENO) &&
                         (term == NULL || strcmp(term, "dumb") != 0);
    const char *problem;

    target.path = options.file;
    target.split = options.split;
    if (options.is_qemu)
        target_of_qemu(&target, options.file);
    tzset(); /* localtime_r() needs no heap after it */
#ifdef APSH_TOP_HEAP_TRAP
    (void)heap_trap_set(HEAP_TRAP_ABORT);
#endif
    target_open(&target);
    problem = look_at(&target);
    if (problem != NULL)
        die(NO_LIST, "%s: %s", target.name, problem);
    if (is_view) {
        run_view(&target, &options);
        return OK;
    }
    if (options.has_seconds)
        look_twice(&target, options.interval);
    put_in_order(false);
    if (options.is_json)
        print_json(&target);
    else
        print_text(&target);
    return OK;
}
