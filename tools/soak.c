/* Run mixed work for minutes, with faults, restarts and kills, and account for every task:
 *
 *     soak SECONDS SEED [mlx5] [spoil]
 *
 * tools/soak builds it. This process starts the worker processes, kills some of them, starts them
 * again, and adds up their counts; it makes no call of the library itself. A task that was in
 * flight in a killed process counts as killed: the number that the shared table says was submitted
 * there, minus the number that came back. A process also checks that no task is missing whenever it
 * has nothing in flight, several times a second. */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"
#ifdef SOAK_MLX5
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "doca_core_mlx5.h"
#endif

#include "soak.h"
#include "soak_local.h"
#include "soak_pair.h"

enum { LOST_AT_MOST = 64 }; /* tasks in flight of one kind, in one thread */

static const char *const roles[SLOTS] = { "worker, alone", "worker, killed", "exporter, killed",
                                          "importer, alone", "exporter, alone",
                                          "importer, killed" };
static const bool is_victim[SLOTS] = { false, true, true, false, false, true };

struct total { /* counts of a slot, summed over all its processes that have ended */
    struct tally tally[KINDS];
    uint64_t killed[KINDS];
    uint64_t started, kills, generations, faults, refused, resets;
};

static pid_t pids[SLOTS];
static struct total totals[SLOTS];
static unsigned num_findings;
static volatile sig_atomic_t is_interrupted;

static void on_signal(int number)
{
    is_interrupted = number;
}

static void tell(unsigned at, const char *what)
{
    fprintf(stderr, "%s: %s\n", roles[at], what);
    num_findings++;
}

/* ---- processes */

static void run_process(unsigned at, uint64_t seed)
{
    sys_prctl(PR_SET_PDEATHSIG, SIGKILL, 0);
    signal(SIGINT, SIG_IGN); /* the parent decides when to end */
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    my = &table->slots[at];
    MUST(doca_core_log_set_level(DOCA_CORE_LOG_DISABLE)); /* the faults are intended */
#ifdef SOAK_MLX5
    if (table->backend_is_mlx5) {
        static const struct doca_core_dev_attr none;

        MUST(doca_core_sw_set_devices(&none, 0));
        MUST(doca_core_backend_register(doca_core_mlx5_backend(NULL)));
    }
#endif
    if (at < LOCALS)
        local_process(seed);
    else if (at % 2 == 0)
        exporter_process(&table->offers[(at - LOCALS) / 2], seed);
    else
        importer_process(&table->offers[(at - LOCALS) / 2], seed);
    my->faults += doca_core_fault_get_num();
    _exit(0);
}

static void start_process(unsigned at, uint64_t *seed)
{
    uint64_t its_seed = chance(seed);

    memset(&table->slots[at], 0, sizeof(table->slots[at]));
    fflush(NULL);
    pids[at] = fork();
    if (pids[at] == 0)
        run_process(at, its_seed);
    if (pids[at] < 0) {
        pids[at] = 0;
        tell(at, "no process to be had");
    }
    totals[at].started++;
}

/* Add the counts of a process that has ended; its tasks in flight ended with it. */
static void settle(unsigned at, bool was_killed)
{
    const struct slot *slot = &table->slots[at];
    struct total *total = &totals[at];
    char text[200];
    unsigned lane, kind;

    for (lane = 0; lane < LANES; lane++) {
        for (kind = 0; kind < KINDS; kind++) {
            const struct tally *t = &slot->tally[lane][kind];
            uint64_t open = t->submitted - t->completed - t->failed - t->flushed;

            total->tally[kind].submitted += t->submitted;
            total->tally[kind].completed += t->completed;
            total->tally[kind].failed += t->failed;
            total->tally[kind].flushed += t->flushed;
            total->tally[kind].bytes += t->bytes;
            total->killed[kind] += was_killed ? open : 0;
            if (open > (was_killed ? LOST_AT_MOST : 0)) {
                snprintf(text, sizeof(text), "%s: %lld tasks more were submitted than came back",
                         kind_names[kind], (long long)open);
                tell(at, text);
            }
        }
    }
    total->generations += slot->generations;
    total->faults += slot->faults;
    total->refused += slot->refused;
    total->resets += slot->resets;
}

/* Account for a process that has ended. `is_wanted`: this process has killed it. */
static void reap(unsigned at, int status, bool is_wanted)
{
    const struct slot *slot = &table->slots[at];
    char text[64];

    pids[at] = 0;
    if (slot->finding[0] != '\0') {
        tell(at, slot->finding);
        settle(at, true);
        return;
    }
    if (WIFSIGNALED(status) && !(is_wanted && WTERMSIG(status) == SIGKILL)) {
        snprintf(text, sizeof(text), "ended by signal %d", WTERMSIG(status));
        tell(at, text);
    } else if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
        snprintf(text, sizeof(text), "ended with status %d", WEXITSTATUS(status));
        tell(at, text);
    }
    settle(at, WIFSIGNALED(status));
}

static void kill_one(unsigned at)
{
    int status;
    pid_t pid;

    if (kill(pids[at], SIGKILL) != 0)
        return;
    do
        pid = waitpid(pids[at], &status, 0);
    while (pid < 0 && errno == EINTR);
    if (pid != pids[at])
        return;
    totals[at].kills += WIFSIGNALED(status);
    reap(at, status, true);
}

/* Wait for processes that end by themselves; some do so only after a finding. */
static void look_after(void)
{
    unsigned at;
    int status;

    for (at = 0; at < SLOTS; at++)
        if (pids[at] > 0 && waitpid(pids[at], &status, WNOHANG) == pids[at])
            reap(at, status, false);
}

/* Tell all processes to end, and wait for them. */
static void end_all(void)
{
    double end = seconds() + 2 * PATIENCE_S;
    unsigned at, num_left = SLOTS;

    __atomic_store_n(&table->stop, 1, __ATOMIC_SEQ_CST);
    while (num_left > 0) {
        look_after();
        for (at = num_left = 0; at < SLOTS; at++) {
            num_left += pids[at] > 0;
            if (pids[at] > 0 && seconds() > end) {
                tell(at, "did not end");
                kill_one(at);
            }
        }
        usleep(10000);
    }
}

/* ---- the table */

static void show_progress(double begin, double length)
{
    uint64_t submitted = 0, kills = 0;
    unsigned at, lane, kind;

    for (at = 0; at < SLOTS; at++) {
        kills += totals[at].kills;
        for (kind = 0; kind < KINDS; kind++) {
            submitted += totals[at].tally[kind].submitted;
            for (lane = 0; pids[at] > 0 && lane < LANES; lane++)
                submitted += table->slots[at].tally[lane][kind].submitted;
        }
    }
    printf("\r\033[K%.0f of %.0f s, %llu tasks, %llu kills, %u findings", seconds() - begin, length,
           (unsigned long long)submitted, (unsigned long long)kills, num_findings);
    fflush(stdout);
}

static bool show_tasks(void)
{
    struct tally sum[KINDS + 1];
    uint64_t killed[KINDS + 1] = { 0 };
    unsigned at, kind;
    bool balances = true;

    memset(sum, 0, sizeof(sum));
    printf("%-10s %12s %12s %9s %9s %7s %16s\n", "tasks", "submitted", "completed", "failed",
           "flushed", "killed", "bytes verified");
    for (kind = 0; kind <= KINDS; kind++) {
        struct tally *s = &sum[kind];

        for (at = 0; at < SLOTS && kind < KINDS; at++) {
            const struct tally *t = &totals[at].tally[kind];

            s->submitted += t->submitted;
            s->completed += t->completed;
            s->failed += t->failed;
            s->flushed += t->flushed;
            s->bytes += t->bytes;
            killed[kind] += totals[at].killed[kind];
        }
        printf("%-10s %12llu %12llu %9llu %9llu %7llu %16llu\n",
               kind < KINDS ? kind_names[kind] : "all", (unsigned long long)s->submitted,
               (unsigned long long)s->completed, (unsigned long long)s->failed,
               (unsigned long long)s->flushed, (unsigned long long)killed[kind],
               (unsigned long long)s->bytes);
        balances = balances &&
                   s->submitted == s->completed + s->failed + s->flushed + killed[kind];
        if (kind == KINDS)
            break;
        sum[KINDS].submitted += s->submitted;
        sum[KINDS].completed += s->completed;
        sum[KINDS].failed += s->failed;
        sum[KINDS].flushed += s->flushed;
        sum[KINDS].bytes += s->bytes;
        killed[KINDS] += killed[kind];
    }
    return balances;
}

/* Print a row for each slot. The levels are those of the latest process in the slot. */
static void show_processes(void)
{
    unsigned at;

    printf("\n%-18s %8s %6s %12s %8s %8s %7s %13s %9s %s\n", "process", "started", "kills",
           "generations", "faults", "refused", "resets", "resident KiB", "arena", "files");
    for (at = 0; at < SLOTS; at++) {
        const struct total *t = &totals[at];
        const struct slot *s = &table->slots[at];

        printf("%-18s %8llu %6llu %12llu %8llu %8llu %7llu %6llu>%-6llu %4llu>%-4llu %llu>%llu\n",
               roles[at], (unsigned long long)t->started, (unsigned long long)t->kills,
               (unsigned long long)t->generations, (unsigned long long)t->faults,
               (unsigned long long)t->refused, (unsigned long long)t->resets,
               (unsigned long long)s->rss.first / 1024, (unsigned long long)s->rss.last / 1024,
               (unsigned long long)s->arena.first, (unsigned long long)s->arena.last,
               (unsigned long long)s->fds.first, (unsigned long long)s->fds.last);
    }
}

/* Report a finding when the soak tested too little: no completed task of some kind, no kill, no
 * failed task or no fault. */
static void check_yield(double length)
{
    uint64_t kills = 0, failed = 0, faults = 0;
    unsigned at, kind;

    for (at = 0; at < SLOTS; at++) {
        kills += totals[at].kills;
        faults += totals[at].faults;
        for (kind = 0; kind < KINDS; kind++)
            failed += totals[at].tally[kind].failed;
    }
    for (kind = 0; kind < KINDS; kind++) {
        uint64_t completed = 0;

        for (at = 0; at < SLOTS; at++)
            completed += totals[at].tally[kind].completed;
        if (table->backend_is_mlx5 && (kind == HASH || kind == GRAPH))
            continue; /* no hash engine */
        if (completed == 0 && length >= 5)
            tell(0, kind_names[kind]), fprintf(stderr, "    no task of this kind was completed\n");
    }
    if (length >= 5 && (kills == 0 || failed == 0 || faults == 0))
        tell(0, "nothing was killed, nothing failed, or there was no fault");
}

static void soak(double length, uint64_t seed)
{
    bool is_terminal = isatty(STDOUT_FILENO) != 0;
    double begin = seconds(), next_kill = begin + 0.5, next_line = begin;
    unsigned at;

    for (at = 0; at < SLOTS; at++)
        start_process(at, &seed);
    while (!is_interrupted && seconds() < begin + length && num_findings == 0) {
        usleep(20000);
        look_after();
        if (seconds() > next_kill) {
            do
                at = between(&seed, 0, SLOTS - 1);
            while (!is_victim[at]);
            if (pids[at] > 0)
                kill_one(at);
            if (num_findings == 0)
                start_process(at, &seed);
            next_kill = seconds() + between(&seed, 50, 1500) / 1e3;
        }
        if (is_terminal && seconds() > next_line) {
            show_progress(begin, length);
            next_line = seconds() + 1;
        }
    }
    if (is_terminal)
        printf("\r\033[K");
    end_all();
    printf("%.0f seconds\n\n", seconds() - begin);
    if (!show_tasks())
        tell(0, "the tasks do not add up");
    show_processes();
    if (!is_interrupted && num_findings == 0)
        check_yield(length);
    printf("\n%s\n", num_findings == 0 ? "every task is accounted for" : "FAILED");
}

int main(int argc, char **argv)
{
    struct sigaction action;
    uint64_t seed;
    int i;

    if (argc < 3)
        return 64; /* tools/soak says more */
    seed = strtoull(argv[2], NULL, 10);
    table = mmap(NULL, sizeof(*table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED || setenv("DOCA_CORE_SW_PTRACER", "any", 1) != 0)
        return 1;
    for (i = 3; i < argc; i++) {
        table->backend_is_mlx5 |= strcmp(argv[i], "mlx5") == 0;
        table->is_spoiled |= strcmp(argv[i], "spoil") == 0;
    }
    table->offers[0].version = table->offers[1].version = 1;
    memset(&action, 0, sizeof(action));
    action.sa_handler = on_signal;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    soak(strtod(argv[1], NULL), seed);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("soak: the table");
        return 1;
    }
    return num_findings > 0 ? 1 : is_interrupted ? 128 + is_interrupted : 0;
}
