/* Doorbells of programs: received as packets or, in poll mode, read from the doorbell pages. The
 * operations of device memory are packets in all modes. */
#define _GNU_SOURCE
#include "device/process/doorbell_socket.h"
#include "device/hca/doorbell.h"
#include "device/hca/operation.h"
#include "device/hca/sq.h"
#include "device/machine/log.h"
#include "device/machine/space.h"
#include "device/machine/watch.h"
#include "device/process/sockets.h"
#include "wire/protocol.h"
#include "wire/sys_call.h"

#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DOORBELLS_PER_CALL = 256 };

struct doorbell_connection {
    struct watch watch;         /* first */
    struct wire_done *done;
    struct doorbell_connection *next;
};

static struct doorbell_connection *doorbells;

/* Tells the program that a packet has been handled. */
static void set_done(struct doorbell_connection *connection, uint32_t seq)
{
    uint32_t *slot = &connection->done->done[seq % WIRE_DONE_SLOTS];

    __atomic_store_n(slot, seq, __ATOMIC_RELEASE);
    sim_sys_call(SYS_futex, (long)slot, FUTEX_WAKE, INT_MAX, 0, 0, 0);
}

static void doorbell(struct doorbell_connection *connection, const struct wire_doorbell *bell)
{
    if (bell->function < machine.num_functions && bell->page < SIM_UAR_PAGES &&
        bell->offset < SIM_PAGE && machine.functions[bell->function].uar_owner[bell->page]) {
        hca_doorbell(&machine.functions[bell->function], bell->page, bell->offset, bell->value);
        hca_tick(sim_now());
    } else {
        sim_log(SIM_INFO, "doorbell for function %u page %u offset 0x%x: no program has this page",
                bell->function, bell->page, bell->offset);
    }
    if (machine.doorbells == SIM_DOORBELLS_SYNC)
        set_done(connection, bell->seq);
}

/* Executes an operation of device memory for process `pid`, which waits for the result. */
static void operate(struct doorbell_connection *connection, const struct wire_operation *operation,
                    pid_t pid)
{
    struct hca_operation *o = hca_operation_find(operation->number);
    struct wire_result result = {.value = ~0ull, .is_done = 1};
    struct sim_space *space = space_of_process(pid);

    if (o != NULL)
        result.value = hca_operation_run(o, operation->offset, operation->bytes,
                                         operation->is_store != 0, operation->value);
    else
        sim_log(SIM_INFO, "process %d accesses an operation address of device memory that was "
                "freed", (int)pid);
    if (space == NULL || sim_write(space, operation->result, &result, sizeof(result)) != 0)
        sim_log(SIM_INFO, "process %d does not get the result of an operation of device memory",
                (int)pid);
    sim_space_put(space);
    set_done(connection, operation->seq);
}

/* Handles the doorbells that have arrived, up to a limit. False when the connection has ended. */
static bool drain(struct doorbell_connection *connection)
{
    union {
        struct wire_doorbell bell;
        struct wire_operation operation;
    } packet;
    unsigned i;
    ssize_t n;
    pid_t pid;

    for (i = 0; i < DOORBELLS_PER_CALL; i++) {
        n = receive_packet(connection->watch.fd, &packet, sizeof(packet), &pid);
        if (n == (ssize_t)sizeof(packet.bell))
            doorbell(connection, &packet.bell);
        else if (n == (ssize_t)sizeof(packet.operation))
            operate(connection, &packet.operation, pid);
        else if (n < 0 && errno == EINTR)
            continue;
        else
            return n < 0 && errno == EAGAIN;
    }
    return true;
}

void doorbells_drain(void)
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
    watch_close(watch, connection);
}

void doorbells_accept(int fd)
{
    struct wire_hello hello = {.magic = WIRE_MAGIC,
                               .sync = machine.doorbells == SIM_DOORBELLS_SYNC,
                               .clock_khz = machine.profile.core_clock_khz};
    struct doorbell_connection *connection = calloc(1, sizeof(*connection));
    int memfd = -1;

    if (connection != NULL)
        memfd = sealed_memfd("mlx5sim-done", sizeof(struct wire_done));
    if (memfd < 0) {
        send_refusal(fd, connection != NULL ? errno : ENOMEM);
        free(connection);
        close(fd);
        return;
    }
    connection->done = mmap(NULL, sizeof(struct wire_done), PROT_READ | PROT_WRITE, MAP_SHARED,
                            memfd, 0);
    if (connection->done == MAP_FAILED || send_fds(fd, &hello, sizeof(hello), &memfd, 1) != 0) {
        send_refusal(fd, ENOMEM);
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

bool doorbells_poll(struct sim_function *function)
{
    bool any = false;
    uint32_t page, i;

    /* In poll mode reads of the clock page are not trapped, so the page is updated here. It lags
     * behind by the time since this process last ran. */
    __atomic_store_n((uint64_t *)(void *)(function->bar + SIM_BAR_CLOCK), htobe64(sim_cycles()),
                     __ATOMIC_RELAXED);
    for (page = 0; page < SIM_UAR_PAGES; page++) {
        unsigned char *uar = function->bar + (size_t)page * SIM_PAGE;
        bool stored = false;

        if (function->uar_owner[page] == NULL)
            continue;
        /* a sequentially consistent exchange: the doorbell records must be read after it */
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

void doorbells_end(void)
{
    while (doorbells != NULL) {
        struct doorbell_connection *connection = doorbells;

        doorbells = connection->next;
        munmap(connection->done, sizeof(*connection->done));
        watch_close(&connection->watch, connection);
    }
}
