/*
 * The device process: event loop, connections of clients, doorbells.
 *
 * Sockets in DIR: uverbsN (a connection is a context), doorbell (one connection per process), and
 * control (whoever wants the machine to live holds one; the last to let go ends it).
 */
#define _GNU_SOURCE
#include "device.h"
#include "uverbs.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS_PER_BATCH = 64, DOORBELLS_PER_TURN = 256 };
#define NO_CONTROL_NS 30000000000u      /* whoever started us has died: end */

static int epoll_fd = -1;
static struct watch *dead;
static bool ending;
static unsigned num_controls;
static bool had_control;

/* ---- event loop ----------------------------------------------------------------------------- */

void watch_add(struct watch *watch, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = watch};

    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, watch->fd, &event) != 0)
        sim_log(SIM_ERROR, "epoll: %s", strerror(errno));
}

void watch_pause(struct watch *watch)
{
    epoll_ctl(epoll_fd, EPOLL_CTL_DEL, watch->fd, NULL);
}

void watch_drop(struct watch *watch, void *memory)
{
    if (watch->fd >= 0) {
        epoll_ctl(epoll_fd, EPOLL_CTL_DEL, watch->fd, NULL);
        close(watch->fd);
    }
    watch->fd = -1;
    if (memory == NULL)
        return;
    watch->dead_memory = memory;
    watch->next_dead = dead;
    dead = watch;
}

static void free_dead(void)
{
    while (dead != NULL) {
        struct watch *next = dead->next_dead;

        free(dead->dead_memory);
        dead = next;
    }
}

/* ---- doorbells ------------------------------------------------------------------------------ */

struct doorbell_connection {
    struct watch watch;         /* first */
    struct wire_done *done;
    struct doorbell_connection *next;
};

static struct doorbell_connection *doorbells;

static void doorbell(struct doorbell_connection *connection, const struct wire_doorbell *bell)
{
    uint32_t *slot = &connection->done->done[bell->seq % WIRE_DONE_SLOTS];

    if (bell->function < machine.num_functions && bell->page < SIM_UAR_PAGES &&
        bell->offset < SIM_PAGE && machine.functions[bell->function].uar_owner[bell->page]) {
        hca_doorbell(&machine.functions[bell->function], bell->page, bell->offset, bell->value);
        hca_tick(sim_now());
    } else {
        sim_log(SIM_INFO, "doorbell for function %u page %u offset 0x%x: nobody's", bell->function,
                bell->page, bell->offset);
    }
    if (machine.doorbells != SIM_DOORBELLS_SYNC)
        return;
    __atomic_store_n(slot, bell->seq, __ATOMIC_RELEASE);
    syscall(SYS_futex, slot, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* False when the connection has ended. */
static bool drain(struct doorbell_connection *connection)
{
    struct wire_doorbell bell;
    unsigned turn;
    ssize_t n;

    for (turn = 0; turn < DOORBELLS_PER_TURN; turn++) {
        n = recv(connection->watch.fd, &bell, sizeof(bell), MSG_DONTWAIT);
        if (n == (ssize_t)sizeof(bell))
            doorbell(connection, &bell);
        else if (n < 0 && errno == EINTR)
            continue;
        else
            return n < 0 && errno == EAGAIN;
    }
    return true;
}

/* A command must not overtake the doorbells that were rung before it. */
static void drain_all(void)
{
    struct doorbell_connection *connection;

    for (connection = doorbells; connection != NULL; connection = connection->next)
        drain(connection);
}

static void doorbell_ready(struct watch *watch, uint32_t events)
{
    struct doorbell_connection *connection = (void *)watch, **p;

    (void)events;
    if (drain(connection))
        return;
    for (p = &doorbells; *p != connection; p = &(*p)->next)
        ;
    *p = connection->next;
    munmap(connection->done, sizeof(*connection->done));
    watch_drop(watch, connection);
}

static int send_fds(int to, const void *data, size_t bytes, const int *fds, unsigned num_fds)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int) * WIRE_MAX_FDS)];
        struct cmsghdr align;
    } control = {{0}};
    struct iovec iov = {(void *)(uintptr_t)data, bytes};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    struct cmsghdr *cmsg;

    if (num_fds > 0) {
        msg.msg_control = &control;
        msg.msg_controllen = CMSG_SPACE(sizeof(int) * num_fds);
        cmsg = CMSG_FIRSTHDR(&msg);
        /* analyzer: analyzer-null-dereference: there is room for one */
        cmsg->cmsg_level = SOL_SOCKET;
        cmsg->cmsg_type = SCM_RIGHTS;
        cmsg->cmsg_len = CMSG_LEN(sizeof(int) * num_fds);
        memcpy(CMSG_DATA(cmsg), fds, sizeof(int) * num_fds);
    }
    return sendmsg(to, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? errno : 0;
}

/* A memfd of fixed size, which its other holders cannot truncate under us. */
static int sealed_memfd(const char *name, uint64_t bytes)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        sim_log(SIM_ERROR, "memfd %s: %s", name, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    return fd;
}

static void doorbell_accept(int fd)
{
    struct wire_hello hello = {.magic = WIRE_MAGIC,
                               .sync = machine.doorbells == SIM_DOORBELLS_SYNC,
                               .clock_khz = machine.profile.core_clock_khz};
    struct doorbell_connection *connection = calloc(1, sizeof(*connection));
    int memfd;

    if (connection == NULL) {
        close(fd);
        return;
    }
    memfd = sealed_memfd("mlx5sim-done", sizeof(struct wire_done));
    if (memfd < 0) {
        free(connection);
        close(fd);
        return;
    }
    connection->done = mmap(NULL, sizeof(struct wire_done), PROT_READ | PROT_WRITE, MAP_SHARED,
                            memfd, 0);
    if (connection->done == MAP_FAILED || send_fds(fd, &hello, sizeof(hello), &memfd, 1) != 0) {
        if (connection->done != MAP_FAILED)
            munmap(connection->done, sizeof(struct wire_done));
        free(connection);
        close(fd);
    } else {
        connection->watch = (struct watch){.fd = fd, .ready = doorbell_ready};
        connection->next = doorbells;
        doorbells = connection;
        watch_add(&connection->watch, EPOLLIN);
    }
    close(memfd);
}

/* Poll mode: what was stored since the last look. True when there was something. */
static bool poll_function(struct sim_function *function)
{
    bool any = false;
    uint32_t page, i;

    /* readers of the clock page are not trapped here */
    __atomic_store_n((uint64_t *)(void *)(function->bar + SIM_BAR_CLOCK), htobe64(sim_now()),
                     __ATOMIC_RELAXED);
    for (page = 0; page < SIM_UAR_PAGES; page++) {
        unsigned char *uar = function->bar + (size_t)page * SIM_PAGE;
        bool stored = false;

        if (function->uar_owner[page] == NULL)
            continue;
        /* exchange, not load: the doorbell records are read after it */
        stored |= __atomic_exchange_n((uint64_t *)(void *)(uar + SIM_UAR_CQ_ARM), 0,
                                      __ATOMIC_SEQ_CST) != 0;
        for (i = SIM_UAR_BF; i < SIM_PAGE; i += SIM_UAR_BF_BYTES)
            stored |= __atomic_exchange_n((uint64_t *)(void *)(uar + i), 0, __ATOMIC_SEQ_CST) != 0;
        if (stored)
            hca_uar_scan(function, page);
        any |= stored;
    }
    return any;
}

/* ---- contexts ------------------------------------------------------------------------------- */

struct context_connection {
    struct watch watch;         /* first */
    struct uverbs_context *context;
    struct context_connection *next, **link;
};

static struct context_connection *connections;

/* What recvmsg brought beside the data: who sent it, and where the reply goes (or -1). */
static void read_control(struct msghdr *msg, pid_t *pid, int *reply_fd)
{
    struct cmsghdr *cmsg;
    struct ucred cred;
    int fd;

    *pid = 0;
    *reply_fd = -1;
    for (cmsg = CMSG_FIRSTHDR(msg); cmsg != NULL; cmsg = CMSG_NXTHDR(msg, cmsg)) {
        size_t i, n = cmsg->cmsg_len - CMSG_LEN(0);

        if (cmsg->cmsg_level != SOL_SOCKET)
            continue;
        if (cmsg->cmsg_type == SCM_CREDENTIALS && n == sizeof(cred)) {
            memcpy(&cred, CMSG_DATA(cmsg), n);
            *pid = cred.pid;
        }
        if (cmsg->cmsg_type != SCM_RIGHTS)
            continue;
        for (i = 0; i < n / sizeof(int); i++) {
            memcpy(&fd, CMSG_DATA(cmsg) + i * sizeof(int), sizeof(int));
            if (*reply_fd < 0)
                *reply_fd = fd;
            else
                close(fd);
        }
    }
}

static void serve_ioctl(struct call *call, unsigned char *ioctl_bytes, size_t bytes)
{
    struct ib_uverbs_ioctl_hdr *hdr = (void *)ioctl_bytes;

    call->hdr = hdr;
    if (bytes < sizeof(*hdr) || hdr->length != bytes ||
        bytes != sizeof(*hdr) + hdr->num_attrs * sizeof(hdr->attrs[0]))
        call->reply->error = EINVAL;
    else
        call->reply->error = uverbs_ioctl(call);
}

/* Runs one request and answers it. */
static void serve(struct uverbs_context *context, unsigned char *packet, size_t bytes, pid_t pid,
                  int reply_fd)
{
    static struct {
        struct wire_reply head;
        unsigned char ioctl[WIRE_IOCTL_BYTES];
    } out;
    struct wire_request request;
    struct call call = {.context = context, .client = context->client, .pid = pid,
                        .reply = &out.head};
    size_t body = bytes - sizeof(request), out_bytes = sizeof(out.head);
    struct sim_function *function = context->client->function;
    unsigned i;

    memcpy(&request, packet, sizeof(request));
    memset(&out.head, 0, sizeof(out.head));
    drain_all();
    call.space = space_of_process(pid);
    if (call.space == NULL) {
        out.head.error = EIO;
    } else if (request.kind == WIRE_IOCTL) {
        serve_ioctl(&call, packet + sizeof(request), body);
        memcpy(out.ioctl, packet + sizeof(request), body);
        out_bytes += body;
    } else if (request.kind == WIRE_MMAP) {
        out.head.error = uverbs_mmap(context, request.offset, request.len, &out.head);
        if (out.head.error == 0) {
            out.head.trap = machine.doorbells != SIM_DOORBELLS_POLL;
            out.head.function = function->index;
            send_fds(reply_fd, &out, out_bytes, &function->bar_fd, 1);
            sim_space_put(call.space);
            return;
        }
    } else {
        out.head.error = EINVAL;
    }
    send_fds(reply_fd, &out, out_bytes, call.fds, out.head.num_fds);
    for (i = 0; i < out.head.num_fds; i++)
        close(call.fds[i]);
    sim_space_put(call.space);
}

static void context_end(struct context_connection *connection)
{
    *connection->link = connection->next;
    if (connection->next != NULL)
        connection->next->link = connection->link;
    uverbs_context_free(connection->context);
    watch_drop(&connection->watch, connection);
}

static void context_ready(struct watch *watch, uint32_t events)
{
    static unsigned char packet[sizeof(struct wire_request) + WIRE_IOCTL_BYTES]
        __attribute__((aligned(8)));
    struct context_connection *connection = (void *)watch;
    union {
        char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int) * WIRE_MAX_FDS)];
        struct cmsghdr align;
    } control;
    struct iovec iov = {packet, sizeof(packet)};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
                         .msg_controllen = sizeof(control)};
    uint32_t magic = 0;
    int reply_fd;
    ssize_t n;
    pid_t pid;

    (void)events;
    n = recvmsg(watch->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EINTR))
            context_end(connection);
        return;
    }
    read_control(&msg, &pid, &reply_fd);
    memcpy(&magic, packet, n >= 4 ? 4 : 0);
    if ((size_t)n >= sizeof(struct wire_request) && magic == WIRE_MAGIC && reply_fd >= 0)
        serve(connection->context, packet, (size_t)n, pid, reply_fd);
    else
        sim_log(SIM_ERROR, "process %d wrote %zd bytes to a context: only ioctl is served",
                (int)pid, n);
    if (reply_fd >= 0)
        close(reply_fd);
}

static void context_accept(int fd, struct sim_function *function)
{
    struct context_connection *connection = calloc(1, sizeof(*connection));
    struct ucred peer = {0};
    socklen_t len = sizeof(peer);

    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len);
    if (connection != NULL)
        connection->context = uverbs_context_new(function, peer.pid);
    if (connection == NULL || connection->context == NULL) {
        free(connection);
        close(fd);
        return;
    }
    connection->watch = (struct watch){.fd = fd, .ready = context_ready};
    connection->next = connections;
    connection->link = &connections;
    if (connections != NULL)
        connections->link = &connection->next;
    connections = connection;
    watch_add(&connection->watch, EPOLLIN);
}

/* ---- control -------------------------------------------------------------------------------- */

struct control_connection {
    struct watch watch;         /* first */
};

/* "violations" is answered with their number, "fault SPEC" with an errno. */
static void control_ready(struct watch *watch, uint32_t events)
{
    char text[512], answer[32];
    ssize_t n = recv(watch->fd, text, sizeof(text) - 1, MSG_DONTWAIT);
    int value = EINVAL;

    (void)events;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        watch_drop(watch, watch);
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
    ending = false;             /* the last one left just now */
    watch_add(&connection->watch, EPOLLIN);
    /* analyzer: unix.Malloc: it is found again by its watch */
    send(fd, "mlx5sim", 7, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* ---- listening ------------------------------------------------------------------------------ */

struct listener {
    struct watch watch;         /* first */
    struct sim_function *function;      /* a context's */
    void (*accept)(int fd);
    char path[108];
};

static struct listener listeners[SIM_MAX_FUNCTIONS + 2];
static unsigned num_listeners;

static void listener_ready(struct watch *watch, uint32_t events)
{
    struct listener *listener = (void *)watch;
    int fd = accept4(watch->fd, NULL, NULL, SOCK_CLOEXEC);

    (void)events;
    if (fd < 0)
        return;
    if (listener->function != NULL)
        context_accept(fd, listener->function);
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
    /* what is accepted inherits it, and a program may write before that: each packet has its pid */
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) != 0 ||
        bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0 || listen(fd, 128) != 0) {
        sim_log(SIM_ERROR, "%s: %s", at.sun_path, strerror(errno));
        return errno;
    }
    /* root's programs may become somebody else; anybody else's could not be reached anyway */
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
    int bad;

    for (i = 0; i < machine.num_functions; i++) {
        snprintf(name, sizeof(name), "uverbs%u", i);
        bad = listen_on(name, &machine.functions[i], NULL);
        if (bad != 0)
            return bad;
    }
    bad = listen_on("doorbell", NULL, doorbell_accept);
    return bad != 0 ? bad : listen_on("control", NULL, control_accept);
}

/* ---- main ----------------------------------------------------------------------------------- */

/* BAR and pages the kernel hands out; the clock counts nanoseconds, as sim_now() does. */
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

/* Every client, process and channel takes an fd here. */
static void raise_fd_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* DIR/pid: for those who want to look at us. */
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
    struct epoll_event events[EVENTS_PER_BATCH];
    struct timespec timeout = {0, 0};
    uint64_t now = sim_now(), ns = deadline > now ? deadline - now : 0;
    int i, n;

    if (machine.doorbells == SIM_DOORBELLS_POLL) {
        uint64_t nap = idle < 50 ? 0 : idle < 2000 ? 20000 : 1000000;

        ns = ns < nap ? ns : nap;
    }
    timeout.tv_sec = (time_t)(ns / 1000000000u);
    timeout.tv_nsec = (long)(ns % 1000000000u);
    n = (int)syscall(SYS_epoll_pwait2, epoll_fd, events, EVENTS_PER_BATCH,
                     deadline == UINT64_MAX && ns > UINT32_MAX ? NULL : &timeout, NULL, 0);
    if (n < 0 && errno == ENOSYS)
        n = epoll_wait(epoll_fd, events, EVENTS_PER_BATCH, ns < 1000000 ? 0 : 10);
    for (i = 0; i < n; i++) {
        struct watch *watch = events[i].data.ptr;

        if (watch->fd >= 0)
            watch->ready(watch, events[i].events);
    }
    free_dead();
}

static void loop(void)
{
    uint64_t deadline = UINT64_MAX, lonely = sim_now() + NO_CONTROL_NS;
    unsigned idle = 0, i;

    while (!ending) {
        wait_events(had_control || deadline < lonely ? deadline : lonely, idle);
        if (!had_control && sim_now() > lonely)
            break;
        if (machine.doorbells == SIM_DOORBELLS_POLL) {
            idle++;
            for (i = 0; i < machine.num_functions; i++)
                if (poll_function(&machine.functions[i]))
                    idle = 0;
        }
        deadline = hca_tick(sim_now());
    }
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

static void end(void)
{
    unsigned i;

    while (connections != NULL)
        context_end(connections);
    while (doorbells != NULL) {
        struct doorbell_connection *connection = doorbells;

        doorbells = connection->next;
        munmap(connection->done, sizeof(*connection->done));
        watch_drop(&connection->watch, connection);
    }
    for (i = 0; i < num_listeners; i++) {
        unlink(listeners[i].path);
        watch_drop(&listeners[i].watch, NULL);
    }
    free_dead();
    if (machine.own_dir)
        nftw(machine.dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    for (i = 0; i < machine.num_functions; i++) {
        munmap(machine.functions[i].bar, SIM_BAR_BYTES);
        close(machine.functions[i].bar_fd);
        sim_space_put(machine.functions[i].bar_space);
    }
}

int main(int argc, char **argv)
{
    unsigned i;
    int bad = options_read(argc, argv);

    if (bad != 0)
        return bad;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN);    /* a terminal sends it to the whole group; `run` decides */
    raise_fd_limit();
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    for (i = 0; i < machine.num_functions; i++)
        if (function_start(&machine.functions[i]) != 0)
            return 71;
    if (hca_init() != 0)
        return 71;
    if (faults_read() != 0)
        return 64;
    if (write_pid() != 0 || sysfs_write() != 0 || listen_all() != 0)
        return 71;
    loop();
    end();
    return machine.violations != 0 ? 70 : 0;
}
