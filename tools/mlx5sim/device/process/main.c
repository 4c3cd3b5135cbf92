/*
 * The device process: its start, the sockets that it listens on, and its loop.
 *
 * The directory DIR has six kinds of sockets: uverbsN, where each connection is a context;
 * rdma_cm, where each connection is an open connection manager; doorbell, where each program has a
 * connection; description, where each connection gets one packet; counters, where each connection
 * is closed when the files of the counters are written; and control, where each `run` that uses the
 * machine has a connection. The process ends when the last control connection is closed.
 */
#define _GNU_SOURCE
#include "device/cm/commands.h"
#include "device/driver/events.h"
#include "device/driver/uverbs.h"
#include "device/hca/object.h"
#include "device/hca/sq.h"
#include "device/machine/fault.h"
#include "device/machine/log.h"
#include "device/machine/watch.h"
#include "device/process/cm_socket.h"
#include "device/process/context_socket.h"
#include "device/process/counter_files.h"
#include "device/process/description_socket.h"
#include "device/process/doorbell_socket.h"
#include "device/process/options.h"
#include "device/process/sockets.h"
#include "device/process/sysfs.h"
#include "wire/description.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define NO_CONTROL_NS 30000000000u      /* limit of the wait for the first control connection */

static bool ending;
static unsigned num_controls;
static bool had_control;

/* ---- control -------------------------------------------------------------------------------- */

struct control_connection {
    struct watch watch;         /* first */
};

/* Answers a command of a control connection: "violations" with the number of violations,
 * "fault SPEC" with 0 or the errno of fault_add(). */
static void control_ready(struct watch *watch, uint32_t events)
{
    char text[512], answer[32];
    ssize_t n = recv(watch->fd, text, sizeof(text) - 1, MSG_DONTWAIT);
    int value = EINVAL;

    (void)events;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        watch_close(watch, watch);
        ending = --num_controls == 0;
        return;
    }
    text[n] = '\0';
    if (strcmp(text, "violations") == 0)
        value = (int)machine.violations;
    else if (strncmp(text, "fault ", 6) == 0)
        value = fault_add(text + 6);
    n = snprintf(answer, sizeof(answer), "%d", value);
    send(watch->fd, answer, (size_t)n, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void control_accept(int fd)
{
    struct control_connection *connection = calloc(1, sizeof(*connection));

    if (connection == NULL) {
        close(fd);
        return;
    }
    connection->watch = (struct watch){.fd = fd, .ready = control_ready};
    num_controls++;
    had_control = true;
    ending = false;             /* the last connection may have been closed just now */
    watch_add(&connection->watch, EPOLLIN);
    /* analyzer: unix.Malloc: the event loop frees the connection through its watch */
    send(fd, "mlx5sim", 7, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* ---- listening ------------------------------------------------------------------------------ */

struct listener {
    struct watch watch;         /* first */
    struct sim_function *function;      /* set on the sockets uverbsN */
    void (*accept)(int fd);
    char path[108];
};

static struct listener listeners[SIM_MAX_FUNCTIONS + 5];
static unsigned num_listeners;

/* A descriptor that is given up for a moment to refuse a connection when no other one is left. */
static int spare_fd = -1;

static void refuse_connection(int listening_fd, int error)
{
    int fd;

    close(spare_fd);
    fd = accept4(listening_fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0) {
        send_refusal(fd, error);
        close(fd);
    }
    spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void listener_ready(struct watch *watch, uint32_t events)
{
    struct listener *listener = (void *)watch;
    int fd = accept4(watch->fd, NULL, NULL, SOCK_CLOEXEC);

    (void)events;
    if (fd < 0 && (errno == EMFILE || errno == ENFILE))
        refuse_connection(watch->fd, errno);
    if (fd < 0)
        return;
    if (listener->function != NULL)
        contexts_accept(fd, listener->function);
    else
        listener->accept(fd);
}

static int listen_on(const char *name, struct sim_function *function, void (*accept_fd)(int fd))
{
    struct listener *listener = &listeners[num_listeners];
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;

    if ((size_t)snprintf(at.sun_path, sizeof(at.sun_path), "%s/%s", machine.dir, name) >=
        sizeof(at.sun_path)) {
        sim_log(SIM_ERROR, "%s: the name of the directory is too long", machine.dir);
        return ENAMETOOLONG;
    }
    unlink(at.sun_path);
    /* Accepted sockets inherit this option. Therefore each packet carries the pid of its sender,
     * even a packet that is sent before the connection is accepted. */
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) != 0 ||
        bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0 || listen(fd, 128) != 0) {
        sim_log(SIM_ERROR, "%s: %s", at.sun_path, strerror(errno));
        return errno;
    }
    /* A program that root starts may change its user and must still be able to connect. A device
     * process without root rights serves only programs of its user, because it cannot access the
     * memory of other programs. */
    if (geteuid() == 0)
        chmod(at.sun_path, 0666);
    memcpy(listener->path, at.sun_path, sizeof(at.sun_path));
    listener->watch = (struct watch){.fd = fd, .ready = listener_ready};
    listener->function = function;
    listener->accept = accept_fd;
    num_listeners++;
    watch_add(&listener->watch, EPOLLIN);
    return 0;
}

static int listen_all(void)
{
    char name[24];
    unsigned i;
    int err;

    for (i = 0; i < machine.num_functions; i++) {
        snprintf(name, sizeof(name), "uverbs%u", i);
        err = listen_on(name, &machine.functions[i], NULL);
        if (err != 0)
            return err;
    }
    spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    err = listen_on("rdma_cm", NULL, cms_accept);
    err = err != 0 ? err : listen_on("doorbell", NULL, doorbells_accept);
    err = err != 0 ? err : listen_on(WIRE_DESCRIPTION_SOCKET, NULL, description_accept);
    err = err != 0 ? err : listen_on(WIRE_COUNTERS_SOCKET, NULL, counter_files_accept);
    return err != 0 ? err : listen_on("control", NULL, control_accept);
}

/* ---- main ----------------------------------------------------------------------------------- */

/* Creates the BAR of a function and fills the clock page of the driver. */
static int function_start(struct sim_function *function)
{
    function->bar_fd = sealed_memfd("mlx5sim-bar", SIM_BAR_BYTES);
    if (function->bar_fd < 0)
        return ENOMEM;
    function->bar = mmap(NULL, SIM_BAR_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                         function->bar_fd, 0);
    function->bar_space = calloc(1, sizeof(*function->bar_space));
    if (function->bar == MAP_FAILED || function->bar_space == NULL)
        return ENOMEM;
    *function->bar_space = (struct sim_space){.pidfd = -1, .base = function->bar,
                                              .len = SIM_BAR_BYTES, .refs = 1};
    uverbs_clock_info(function->bar + SIM_BAR_CLOCK_INFO);
    return 0;
}

/* Every client, process and channel needs a descriptor in this process. */
static void raise_fd_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* Writes DIR/pid, for debuggers and tests. */
static int write_pid(void)
{
    char path[PATH_MAX];
    FILE *file;

    snprintf(path, sizeof(path), "%s/pid", machine.dir);
    file = fopen(path, "we");
    if (file == NULL) {
        sim_log(SIM_ERROR, "%s: %s", path, strerror(errno));
        return errno;
    }
    fprintf(file, "%d\n", (int)getpid());
    return fclose(file);
}

static void wait_events(uint64_t deadline, unsigned idle)
{
    uint64_t now = sim_now(), ns = deadline > now ? deadline - now : 0;

    if (machine.doorbells == SIM_DOORBELLS_POLL) {
        uint64_t interval = idle < 50 ? 0 : idle < 2000 ? 20000 : 1000000;

        ns = ns < interval ? ns : interval;
    }
    watch_wait(ns, deadline == UINT64_MAX && ns > UINT32_MAX);
}

static void loop(void)
{
    uint64_t deadline = UINT64_MAX, cm_deadline, control_deadline = sim_now() + NO_CONTROL_NS;
    unsigned idle = 0, i;

    while (!ending) {
        wait_events(had_control || deadline < control_deadline ? deadline : control_deadline, idle);
        if (!had_control && sim_now() > control_deadline)
            break;
        if (machine.doorbells == SIM_DOORBELLS_POLL) {
            idle++;
            for (i = 0; i < machine.num_functions; i++)
                if (doorbells_poll(&machine.functions[i]))
                    idle = 0;
        }
        deadline = hca_tick(sim_now());
        cm_deadline = cm_tick(sim_now());
        deadline = deadline < cm_deadline ? deadline : cm_deadline;
    }
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

static void shut_down(void)
{
    unsigned i;

    cms_end();
    contexts_end();
    doorbells_end();
    for (i = 0; i < num_listeners; i++) {
        unlink(listeners[i].path);
        watch_close(&listeners[i].watch, NULL);
    }
    watch_free_closed();
    if (machine.remove_dir)
        nftw(machine.dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    for (i = 0; i < machine.num_functions; i++) {
        munmap(machine.functions[i].bar, SIM_BAR_BYTES);
        close(machine.functions[i].bar_fd);
        sim_space_put(machine.functions[i].bar_space);
    }
}

/* A descriptor of this process must not take the number of a standard stream that is closed: error
 * messages would be written into it. */
static bool open_standard_streams(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= 2);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

int main(int argc, char **argv)
{
    unsigned i;
    int err;

    if (!open_standard_streams())
        return 71;
    err = options_read(argc, argv);
    if (err != 0)
        return err;
    signal(SIGPIPE, SIG_IGN);
    /* a terminal sends SIGINT to the whole process group; `run` decides which processes end */
    signal(SIGINT, SIG_IGN);
    raise_fd_limit();
    if (watch_open() != 0)
        return 71;
    for (i = 0; i < machine.num_functions; i++)
        if (function_start(&machine.functions[i]) != 0)
            return 71;
    if (hca_init() != 0)
        return 71;
    events_start();
    if (faults_read() != 0)
        return 64;
    if (write_pid() != 0 || sysfs_write() != 0 || counter_files_write() != 0 ||
        listen_all() != 0)
        return 71;
    loop();
    shut_down();
    return machine.violations != 0 ? 70 : 0;
}
