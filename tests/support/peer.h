/* Child processes of a test. They end with the program that started them, and the test notices
 * their end at once.
 *
 * peer_fork() starts such a child. A test that waits for something other than the child's end (a
 * message, a sync event) calls peer_watch(): a thread then watches the child. If the child ends by
 * a signal or with a status other than 0 while the test still waits, the thread ends the program
 * and names the signal or the status. A test that kills the child itself calls peer_forget()
 * before. PEER_REAP() waits for the end of a child, and fails the case if its status is not 0.
 *
 * A file that includes this header defines PEER_FAIL(file, line, format, ...), which fails the
 * case. */
#ifndef PEER_H
#define PEER_H

#include "sys_call.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PEER_MAX = 64, PEER_POLL_US = 20000, PEER_GRACE_POLLS = 25 };

/* The children that the thread watches; 0: a free entry. */
static pid_t peer_watched[PEER_MAX];
static pid_t peer_owner; /* the process that started the thread */

/* Return the name of a signal; for other signals than these, write its number to `room`. */
__attribute__((unused)) static const char *peer_signal_name(int number, char room[16])
{
    static const struct {
        int number;
        const char *name;
    } names[] = { { SIGHUP, "SIGHUP" },   { SIGINT, "SIGINT" },   { SIGQUIT, "SIGQUIT" },
                  { SIGILL, "SIGILL" },   { SIGTRAP, "SIGTRAP" }, { SIGABRT, "SIGABRT" },
                  { SIGBUS, "SIGBUS" },   { SIGFPE, "SIGFPE" },   { SIGKILL, "SIGKILL" },
                  { SIGSEGV, "SIGSEGV" }, { SIGPIPE, "SIGPIPE" }, { SIGALRM, "SIGALRM" },
                  { SIGTERM, "SIGTERM" }, { SIGSYS, "SIGSYS" },   { SIGXFSZ, "SIGXFSZ" } };
    size_t i;

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (names[i].number == number)
            return names[i].name;
    snprintf(room, 16, "signal %d", number);
    return room;
}

/* True when the child has ended by a signal or with a status other than 0. Then `text` says how.
 * The child is not reaped. */
__attribute__((unused)) static bool peer_ended_badly(pid_t pid, char text[96])
{
    char room[16];
    siginfo_t info;

    memset(&info, 0, sizeof(info));
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != pid ||
        (info.si_code == CLD_EXITED && info.si_status == 0))
        return false;
    if (info.si_code == CLD_EXITED)
        snprintf(text, 96, "process %d ended with status %d", (int)pid, info.si_status);
    else
        snprintf(text, 96, "process %d ended by %s", (int)pid,
                 peer_signal_name(info.si_status, room));
    return true;
}

/* The thread that watches the children. After a child has failed, the thread waits half a second,
 * so that the test can report the failure itself, and then ends the program. */
__attribute__((unused)) static void *peer_watch_thread(void *unused)
{
    unsigned num_polls[PEER_MAX], i;
    char text[96], line[128];

    (void)unused;
    memset(num_polls, 0, sizeof(num_polls));
    for (;; usleep(PEER_POLL_US)) {
        for (i = 0; i < PEER_MAX; i++) {
            pid_t pid = __atomic_load_n(&peer_watched[i], __ATOMIC_ACQUIRE);

            num_polls[i] = pid != 0 && peer_ended_badly(pid, text) ? num_polls[i] + 1 : 0;
            if (num_polls[i] > PEER_GRACE_POLLS) {
                int len = snprintf(line, sizeof(line),
                                   "FAILED  %s while this program waited for it\n", text);

                if (write(STDOUT_FILENO, line, (size_t)len) == len)
                    _exit(1);
                _exit(2);
            }
        }
    }
    return NULL;
}

/* Watch the child until peer_forget(), or until the child is reaped. */
__attribute__((unused)) static void peer_watch(pid_t pid)
{
    pthread_attr_t attr;
    sigset_t all, before;
    pthread_t thread;
    unsigned i;

    if (peer_owner != getpid()) { /* this process has not started the thread yet */
        memset(peer_watched, 0, sizeof(peer_watched));
        peer_owner = getpid();
        sigfillset(&all); /* signals are for the test's own threads */
        pthread_sigmask(SIG_SETMASK, &all, &before);
        pthread_attr_init(&attr);
        pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
        if (pthread_create(&thread, &attr, peer_watch_thread, NULL) != 0)
            PEER_FAIL(__FILE__, __LINE__, "cannot start a thread: %s", strerror(errno));
        pthread_attr_destroy(&attr);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    for (i = 0; i < PEER_MAX && peer_watched[i] != 0; i++)
        continue;
    if (i == PEER_MAX)
        PEER_FAIL(__FILE__, __LINE__, "cannot watch more than %d processes", PEER_MAX);
    __atomic_store_n(&peer_watched[i], pid, __ATOMIC_RELEASE);
}

/* Stop watching the child, or all children when `pid` is 0. */
__attribute__((unused)) static void peer_forget(pid_t pid)
{
    unsigned i;

    for (i = 0; i < PEER_MAX; i++)
        if (pid == 0 || peer_watched[i] == pid)
            __atomic_store_n(&peer_watched[i], 0, __ATOMIC_RELEASE);
}

/* fork() for a child that is killed when this program ends. */
__attribute__((unused)) static pid_t peer_fork(void)
{
    pid_t parent = getpid(), pid;

    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        sys_prctl(PR_SET_PDEATHSIG, SIGKILL, 0);
        if (getppid() != parent) /* the parent has ended already */
            _exit(1);
    }
    return pid;
}

/* Called when an expected message does not arrive. If a watched child has failed, fail the case and
 * say how the child ended. */
__attribute__((unused)) static void peer_explain(const char *file, int line)
{
    char text[96];
    unsigned i, num_polls;

    for (num_polls = 0; num_polls < PEER_GRACE_POLLS / 2; num_polls++, usleep(PEER_POLL_US)) {
        for (i = 0; i < PEER_MAX; i++) {
            if (peer_owner == getpid() && peer_watched[i] != 0 &&
                peer_ended_badly(peer_watched[i], text)) {
                peer_forget(peer_watched[i]);
                PEER_FAIL(file, line, "%s", text);
            }
        }
    }
}

/* Kill the child without failing the case. The caller must still reap the child. */
__attribute__((unused)) static void peer_kill(pid_t pid)
{
    peer_forget(pid);
    if (kill(pid, SIGKILL) != 0)
        PEER_FAIL(__FILE__, __LINE__, "cannot kill process %d: %s", (int)pid, strerror(errno));
}

/* Describe the end of a process by the status that waitpid() gave. */
__attribute__((unused)) static const char *peer_how(int status, char text[96])
{
    char room[16];

    if (WIFSIGNALED(status))
        snprintf(text, 96, "ended by %s", peer_signal_name(WTERMSIG(status), room));
    else
        snprintf(text, 96, "ended with status %d", WEXITSTATUS(status));
    return text;
}

/* Wait for the end of a child and return its exit status. Fail the case unless the status is 0 or
 * `or_status`. */
__attribute__((unused)) static int peer_reap(pid_t pid, int or_status, const char *file, int line)
{
    char text[96];
    int status = 0;
    pid_t got;

    peer_forget(pid);
    do
        got = waitpid(pid, &status, 0);
    while (got < 0 && errno == EINTR);
    if (got != pid)
        PEER_FAIL(file, line, "cannot wait for process %d: %s", (int)pid, strerror(errno));
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != or_status))
        PEER_FAIL(file, line, "process %d %s", (int)pid, peer_how(status, text));
    return WEXITSTATUS(status);
}

#define PEER_REAP(pid) ((void)peer_reap((pid), 0, __FILE__, __LINE__))

#endif
