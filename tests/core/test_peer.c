/* Tests of peer.h, with which test programs start child processes. When a child dies, the program
 * reports the signal at once, even while it waits for something else. No child outlives the program
 * that started it. Each case runs a program in a process of its own and reads the output until the
 * program and all its children, which hold the writing end of the pipe, have ended. */
#include "export_peer.h"

#include <sys/resource.h>
#include <time.h>

/* Time limit of a program in seconds. If peer.h did not report a death, it would take minutes. */
#define PATIENCE_S 20.0

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Run `body` as a program, in a process of its own. Return the wait status of that process;
 * `printed` receives the output of the process and its children. */
static int run_program(void (*body)(int arg), int arg, char *printed, size_t room)
{
    static const struct rlimit no_core = { 0, 0 };
    double begin = seconds();
    size_t len = 0;
    int ends[2], status = 0;
    ssize_t got;
    pid_t pid;

    heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pipe(ends), 0);
    fflush(stdout);
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        setrlimit(RLIMIT_CORE, &no_core);
        alarm(2 * (unsigned)PATIENCE_S);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (setjmp(test_leave) == 0) {
            body(arg);
            _exit(0);
        }
        fflush(stdout);
        _exit(1);
    }
    close(ends[1]);
    while (len < room - 1 && (got = read(ends[0], printed + len, room - 1 - len)) > 0)
        len += (size_t)got;
    printed[len] = '\0';
    close(ends[0]);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    if (seconds() - begin > PATIENCE_S)
        test_fail(__FILE__, __LINE__, "the program took %d s; printed: %s",
                  (int)(seconds() - begin), printed);
    return status;
}

/* End this process: by the signal `how`, or with the exit status -how if `how` is not positive. */
static void end_by(int how)
{
    if (how <= 0)
        _exit(-how);
    signal(how, SIG_DFL); /* a sanitizer handles this signal */
    raise(how);
}

static const struct {
    int how;
    const char *text;
} ends[] = {
    { SIGBUS, "ended by SIGBUS" },   { SIGKILL, "ended by SIGKILL" },
    { SIGABRT, "ended by SIGABRT" }, { -3, "ended with status 3" },
};

/* Run a program whose child ends in each of the ways in ends[]. The program must fail and print how
 * the child ended, and also the text `more`. */
static void check_program(void (*body)(int how), const char *more)
{
    char printed[1024];
    size_t i;
    int status;

    for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        status = run_program(body, ends[i].how, printed, sizeof(printed));
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 1 || !strstr(printed, ends[i].text) ||
            !strstr(printed, more))
            test_fail(__FILE__, __LINE__, "status %d, \"%s\", want \"%s\" and \"%s\"", status,
                      printed, ends[i].text, more);
    }
}

/* ---- the programs ---- */

static void wait_for_ever(int how)
{
    if (test_peer() == 0) {
        usleep(50000);
        end_by(how);
    }
    for (;;)
        pause();
}

static void end_instead_of_an_answer(int fd, uint32_t how)
{
    char command;

    (void)!read(fd, &command, 1);
    end_by((int)how);
}

static void wait_for_an_answer(int how)
{
    struct peer peer = start_peer(end_instead_of_an_answer, (uint32_t)how);
    char answer;

    send_all(peer.fd, "?", 1);
    receive_all(peer.fd, &answer, 1);
}

static void wait_for_the_end(int how)
{
    pid_t pid = test_peer();

    if (pid == 0)
        end_by(how);
    PEER_REAP(pid);
}

static void leave_a_process_behind(int how)
{
    if (test_peer() == 0)
        for (;;)
            pause();
    end_by(how);
}

static void kill_on_purpose(int unused)
{
    pid_t pid = test_peer();
    int status;

    (void)unused;
    if (pid == 0)
        for (;;)
            pause();
    peer_kill(pid);
    usleep(1000000); /* longer than the watching thread waits before it reports */
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    pid = test_peer();
    if (pid == 0)
        _exit(0);
    usleep(1000000);
    PEER_REAP(pid);
}

/* ---- the cases ---- */

static void death_of_a_child_ends_any_wait(void)
{
    check_program(wait_for_ever, "while this program waited for it");
}

static void death_of_a_child_ends_the_wait_for_its_message(void)
{
    check_program(wait_for_an_answer, "export_peer.h");
}

static void reaping_reports_how_the_child_died(void)
{
    check_program(wait_for_the_end, "test_peer.c");
}

static void children_end_with_their_program(void)
{
    char printed[1024];

    CHECK(WIFSIGNALED(run_program(leave_a_process_behind, SIGBUS, printed, sizeof(printed))));
    CHECK_EQ(run_program(leave_a_process_behind, 0, printed, sizeof(printed)), 0);
}

static void expected_end_of_a_child_is_no_failure(void)
{
    char printed[1024];

    CHECK_EQ(run_program(kill_on_purpose, 0, printed, sizeof(printed)), 0);
    CHECK_STR(printed, "");
}

static const struct test_case cases[] = {
    CASE(death_of_a_child_ends_any_wait, ""),
    CASE(death_of_a_child_ends_the_wait_for_its_message, ""),
    CASE(reaping_reports_how_the_child_died, ""),
    CASE(children_end_with_their_program, ""),
    CASE(expected_end_of_a_child_is_no_failure, ""),
};

TEST_MAIN(cases)
