/*
 * Doorbells. A UAR page is mapped read-only, so a store to it faults, and the signal handler sends
 * the doorbell register and its eight bytes to the device process. The handler emulates common
 * store instructions. For any other instruction it makes the page writable, lets the thread execute
 * this one instruction in single-step mode, and then reads the doorbell registers.
 *
 * An operation address of device memory is mapped without any access. The signal handler decodes
 * the load or store, and waits until the device process has executed the operation, in all modes of
 * doorbells.
 *
 * This works on x86-64 only. On other processors trap_add() fails, and the device process must
 * poll.
 */
#define _GNU_SOURCE
#include "program/trap.h"
#include "program/access.h"
#include "program/connection.h"
#include "program/libc.h"
#include "program/store.h"
#include "wire/layout.h"
#include "wire/protocol.h"
#include "wire/sys_call.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    MAX_RANGES = 1024,
    TRAP_FLAG = 0x100
};

enum range_kind { RANGE_UAR, RANGE_CLOCK, RANGE_OPERATION };

/* Signal handlers read this table without a lock. An entry is valid while its `base` is set. */
static struct range {
    enum range_kind kind;
    unsigned char *base;
    unsigned char *alias;       /* NULL: an operation of device memory */
    size_t len;
    uint32_t function, page;    /* of UAR pages */
    uint32_t operation;         /* number of the operation */
} ranges[MAX_RANGES];
static unsigned num_ranges;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int doorbell_fd = -1;
static struct wire_done *done_page;
static bool sync_doorbells;
static uint64_t clock_khz;
static bool installed;
static struct sigaction program_actions[2];     /* actions set by the program: SIGSEGV, SIGTRAP */

/* The page that is accessible while this thread single-steps an instruction. */
static __thread struct range *stepping __attribute__((tls_model("initial-exec")));
static __thread unsigned char *stepping_page __attribute__((tls_model("initial-exec")));

static struct range *range_of(const void *addr)
{
    const unsigned char *a = addr;
    unsigned i, n = __atomic_load_n(&num_ranges, __ATOMIC_ACQUIRE);

    for (i = 0; i < n; i++) {
        unsigned char *base = __atomic_load_n(&ranges[i].base, __ATOMIC_ACQUIRE);

        if (base != NULL && a >= base && a < base + ranges[i].len)
            return &ranges[i];
    }
    return NULL;
}

/* ---- reports to the device process ---------------------------------------------------------- */

/* Waits until a slot of the shared page no longer has the value `handled`. False when the device
 * process has ended. */
static bool wait_slot(uint32_t *slot, uint32_t handled)
{
    const struct timespec timeout = {0, 200000000};
    struct pollfd peer = {.fd = doorbell_fd, .events = 0};

    if (sim_sys_call(SYS_futex, (long)slot, FUTEX_WAIT, (long)handled, (long)&timeout, 0, 0) == 0 ||
        errno != ETIMEDOUT)
        return true;
    return poll(&peer, 1, 0) != 1 || (peer.revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

static void wait_done(uint32_t seq)
{
    uint32_t *slot = &done_page->done[seq % WIRE_DONE_SLOTS], handled;

    do
        handled = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    while ((int32_t)(handled - seq) < 0 && wait_slot(slot, handled));
}

/* Writes a message to stderr, once, when a doorbell could not be sent. Without the message a
 * program that waits for the completion would hang without any explanation. */
static void report_lost(void)
{
    static const char text[] = "mlx5sim: a doorbell is lost: the device process has ended, or the "
                               "program has closed a descriptor of the emulator\n";
    static bool reported;

    if (!__atomic_exchange_n(&reported, true, __ATOMIC_RELAXED))
        (void)sim_sys_call(SYS_write, 2, (long)text, (long)sizeof(text) - 1, 0, 0, 0);
}

/* Sends a packet of the doorbell connection. */
static bool send_packet(const void *packet, size_t bytes)
{
    long n;

    do
        n = sim_sys_call(SYS_sendto, doorbell_fd, (long)packet, (long)bytes, MSG_NOSIGNAL, 0, 0);
    while (n < 0 && (errno == EINTR || errno == EAGAIN));
    if (n != (long)bytes)
        report_lost();
    return n == (long)bytes;
}

static void send_doorbell(const struct range *range, uint32_t offset, uint64_t value)
{
    uint32_t page = range->page + offset / SIM_PAGE;
    uint32_t seq = __atomic_add_fetch(&done_page->next_seq, 1, __ATOMIC_RELAXED);
    struct wire_doorbell bell = {seq, range->function, page, offset % SIM_PAGE, value};

    if (send_packet(&bell, sizeof(bell)) && sync_doorbells)
        wait_done(seq);
}

/* Has the device execute an operation, and returns the value that a load gives: all ones, as from a
 * device that does not respond, when the device process has ended. The device writes the result
 * into the memory of this process: another doorbell may overwrite the slot. */
static uint64_t operate(const struct range *range, uint32_t offset, const struct access *access)
{
    uint32_t seq = __atomic_add_fetch(&done_page->next_seq, 1, __ATOMIC_RELAXED), handled;
    uint32_t *slot = &done_page->done[seq % WIRE_DONE_SLOTS];
    struct wire_result result = {.value = ~0ull, .is_done = 0};
    struct wire_operation operation = {.seq = seq, .number = range->operation, .offset = offset,
                                       .bytes = access->bytes, .is_store = access->is_store,
                                       .value = access->value,
                                       .result = (uint64_t)(uintptr_t)&result};

    if (!send_packet(&operation, sizeof(operation)))
        return ~0ull;
    do
        handled = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    while (__atomic_load_n(&result.is_done, __ATOMIC_ACQUIRE) == 0 && handled != seq &&
           wait_slot(slot, handled));
    return __atomic_load_n(&result.value, __ATOMIC_RELAXED);
}

static bool is_register(uint32_t offset)
{
    offset %= SIM_PAGE;
    return offset == SIM_UAR_CQ_ARM || (offset >= SIM_UAR_BF && offset % SIM_UAR_BF_BYTES == 0);
}

/* Handles a store of `bytes` bytes at `offset` of the range. A doorbell is reported when all eight
 * bytes of its register have been stored. */
static void handle_store(struct range *range, uint32_t offset, const void *data, size_t bytes)
{
    uint64_t value;

    if (bytes >= 8) {
        if (is_register(offset)) {
            memcpy(&value, data, 8);
            send_doorbell(range, offset, value);
        }
        return;
    }
    memcpy(range->alias + offset, data, bytes);
    if (is_register(offset - 4)) {
        uint64_t *reg = (uint64_t *)(void *)(range->alias + offset - 4);

        send_doorbell(range, offset - 4, __atomic_exchange_n(reg, 0, __ATOMIC_SEQ_CST));
    }
}

/* Reports every doorbell register of the page that contains a value: threads have stored these
 * values while the page was writable. */
static void send_page_doorbells(struct range *range, size_t page_offset)
{
    uint32_t offset;

    for (offset = SIM_UAR_CQ_ARM; offset < SIM_PAGE;
         offset += offset < SIM_UAR_BF ? 8 : SIM_UAR_BF_BYTES) {
        uint64_t *slot = (uint64_t *)(void *)(range->alias + page_offset + offset), value;

        if (offset > SIM_UAR_CQ_ARM && offset < SIM_UAR_BF)
            offset = SIM_UAR_BF, slot = (uint64_t *)(void *)(range->alias + page_offset + offset);
        value = __atomic_exchange_n(slot, 0, __ATOMIC_SEQ_CST);
        if (value != 0)
            send_doorbell(range, (uint32_t)page_offset + offset, value);
    }
}

/* ---- faults --------------------------------------------------------------------------------- */

#if defined(__x86_64__)

static void fill_clock(const struct range *range)
{
    struct timespec now;
    uint64_t cycles;
    uint32_t half[2];

    clock_gettime(CLOCK_MONOTONIC, &now);
    cycles = ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) / 1000 * clock_khz / 1000;
    half[0] = __builtin_bswap32((uint32_t)(cycles >> 32));
    half[1] = __builtin_bswap32((uint32_t)cycles);
    memcpy(range->alias, half, sizeof(half));
}

static bool open_page(struct range *range, unsigned char *addr, ucontext_t *uc)
{
    unsigned char *page = range->base + (size_t)(addr - range->base) / SIM_PAGE * SIM_PAGE;

    if (range->kind == RANGE_CLOCK)
        fill_clock(range);
    stepping = range;
    stepping_page = page;
    uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    return sim_sys_call(SYS_mprotect, (long)page, SIM_PAGE,
                        PROT_READ | (range->kind == RANGE_CLOCK ? 0 : PROT_WRITE), 0, 0, 0) == 0;
}

/* Performs the action that the program has set for the signal. */
static void call_program_action(int signal, siginfo_t *info, void *context)
{
    struct sigaction *current = &program_actions[signal == SIGTRAP];
    struct sigaction dfl = {.sa_handler = SIG_DFL};

    if ((current->sa_flags & SA_SIGINFO) != 0 && current->sa_sigaction != NULL) {
        current->sa_sigaction(signal, info, context);
    } else if (current->sa_handler != SIG_DFL && current->sa_handler != SIG_IGN) {
        current->sa_handler(signal);
    } else {
        /* the instruction faults again when the handler returns; then the default action applies */
        SIM_REAL(sigaction)(signal, &dfl, NULL);
        if (info->si_code <= 0 || signal == SIGTRAP)
            raise(signal);
    }
}

/* Executes the instruction that accesses an operation address. False for an instruction that
 * access_decode() does not know. */
static bool handle_access(const struct range *range, uint32_t offset, ucontext_t *uc)
{
    static const char text[] = "mlx5sim: an operation address of device memory was accessed by an "
                               "instruction that is no plain load or store of a register\n";
    struct access access;

    if (!access_decode(uc, &access)) {
        (void)sim_sys_call(SYS_write, 2, (long)text, (long)sizeof(text) - 1, 0, 0, 0);
        return false;
    }
    access_complete(uc, &access, operate(range, offset, &access));
    return true;
}

/* Executes the instructions that copy the rest of a WQE behind a doorbell register: pairs of a load
 * and a store. The device reads the WQE from the queue, so these stores have no effect. Without
 * this function each of them would fault. */
static void finish_copy(const struct range *range, ucontext_t *uc)
{
    enum { PAIRS = SIM_UAR_BF_BYTES / 8 };
    struct move move;
    unsigned i;

    for (i = 0; i < 2 * PAIRS && move_decode(uc, &move); i++) {
        if (!move.is_store)
            memcpy(move.reg, move.addr, sizeof(*move.reg));
        else if (move.addr < range->base || move.addr + 8 > range->base + range->len ||
                 is_register((uint32_t)(move.addr - range->base)))
            return;
        uc->uc_mcontext.gregs[REG_RIP] += move.length;
    }
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    struct range *range = info->si_code > 0 ? range_of(info->si_addr) : NULL;
    uint32_t offset = range ? (uint32_t)((unsigned char *)info->si_addr - range->base) : 0;
    struct store store = {.bytes = 0};
    int saved = errno;

    if (range == NULL ||
        (range->kind == RANGE_OPERATION && !handle_access(range, offset, uc))) {
        call_program_action(signal, info, context);
        return;
    }
    if (range->kind == RANGE_OPERATION) {
        errno = saved;
        return;
    }
    if (range->kind == RANGE_UAR && store_decode(uc, &store)) {
        uc->uc_mcontext.gregs[REG_RIP] += store.length;
        handle_store(range, offset, store.data, store.bytes);
        if (store.bytes == 8 && is_register(offset))
            finish_copy(range, uc);
    } else if (!open_page(range, info->si_addr, uc)) {
        call_program_action(signal, info, context);
    }
    errno = saved;
}

static void on_step(int signal, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    struct range *range = stepping;
    int saved = errno;

    if (range == NULL) {
        call_program_action(signal, info, context);
        return;
    }
    stepping = NULL;
    uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    sim_sys_call(SYS_mprotect, (long)stepping_page, SIM_PAGE,
                 range->kind == RANGE_CLOCK ? PROT_NONE : PROT_READ, 0, 0, 0);
    if (range->kind == RANGE_UAR)
        send_page_doorbells(range, (size_t)(stepping_page - range->base));
    errno = saved;
}

static void install(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    sigset_t signals;

    sigemptyset(&action.sa_mask);
    action.sa_sigaction = on_fault;
    SIM_REAL(sigaction)(SIGSEGV, &action, &program_actions[0]);
    action.sa_sigaction = on_step;
    SIM_REAL(sigaction)(SIGTRAP, &action, &program_actions[1]);
    sigemptyset(&signals);
    sigaddset(&signals, SIGSEGV);
    sigaddset(&signals, SIGTRAP);
    SIM_REAL(pthread_sigmask)(SIG_UNBLOCK, &signals, NULL);
    installed = true;
}

static const bool can_trap = true;

#else

static void install(void)
{
}

static const bool can_trap = false;

#endif

/* ---- setting up ----------------------------------------------------------------------------- */

/* Connects to the doorbell socket, once for the process and its children. The descriptor is moved
 * to a high number, because programs tend to close or replace low numbers. */
static int connect_doorbell(void)
{
    struct wire_hello hello;
    int fd = sim_connect("doorbell"), memfds[WIRE_MAX_FDS], high, error = 0;
    unsigned num_fds = 0;
    void *page = MAP_FAILED;

    if (fd < 0)
        return errno;
    if (sim_receive(fd, &hello, sizeof(hello), memfds, &num_fds) < 0)
        error = errno == EMFILE ? EMFILE : EIO;
    else if (hello.error != 0)
        error = hello.error;
    else if (hello.magic == WIRE_MAGIC && num_fds == 1)
        page = (void *)sim_sys_call(SYS_mmap, 0, (long)sizeof(struct wire_done),
                                    PROT_READ | PROT_WRITE, MAP_SHARED, memfds[0], 0);
    while (num_fds > 0)
        close(memfds[--num_fds]);
    if (page == MAP_FAILED) {
        close(fd);
        return error != 0 ? error : EIO;
    }
    high = fcntl(fd, F_DUPFD_CLOEXEC, 500);
    if (high >= 0) {
        close(fd);
        fd = high;
    }
    done_page = page;
    sync_doorbells = hello.sync != 0;
    clock_khz = hello.clock_khz;
    doorbell_fd = fd;
    return 0;
}

static int add(const struct range *range)
{
    unsigned i;

    if (!can_trap) {
        fprintf(stderr, "mlx5sim: stores cannot be trapped on this processor; use "
                        "--doorbells poll\n");
        return ENOTSUP;
    }
    if (doorbell_fd < 0) {
        int err = connect_doorbell();

        if (err != 0)
            return err;
    }
    if (!installed)
        install();
    for (i = 0; i < num_ranges && ranges[i].base != NULL; i++)
        ;
    if (i == MAX_RANGES)
        return ENOMEM;
    ranges[i] = *range;
    ranges[i].base = NULL;
    __atomic_store_n(&ranges[i].base, range->base, __ATOMIC_RELEASE);
    if (i == num_ranges)
        __atomic_store_n(&num_ranges, i + 1, __ATOMIC_RELEASE);
    return 0;
}

static int add_locked(const struct range *range)
{
    int err;

    pthread_mutex_lock(&lock);
    err = add(range);
    pthread_mutex_unlock(&lock);
    return err;
}

int trap_add(void *addr, size_t len, void *alias, uint32_t function, uint32_t page)
{
    return add_locked(&(struct range){.kind = RANGE_UAR, .base = addr, .alias = alias, .len = len,
                                      .function = function, .page = page});
}

int trap_add_clock(void *addr, size_t len, void *alias)
{
    return add_locked(&(struct range){.kind = RANGE_CLOCK, .base = addr, .alias = alias,
                                      .len = len});
}

int trap_add_operation(void *addr, size_t len, uint32_t number)
{
    return add_locked(&(struct range){.kind = RANGE_OPERATION, .base = addr, .len = len,
                                      .operation = number});
}

void trap_remove(void *addr, size_t len)
{
    unsigned char *from = addr;
    unsigned i;

    if (__atomic_load_n(&num_ranges, __ATOMIC_ACQUIRE) == 0)
        return;
    pthread_mutex_lock(&lock);
    for (i = 0; i < num_ranges; i++) {
        struct range *range = &ranges[i];

        if (range->base == NULL || range->base < from || range->base >= from + len)
            continue;
        __atomic_store_n(&range->base, NULL, __ATOMIC_RELEASE);
        if (range->alias != NULL)
            sim_sys_call(SYS_munmap, (long)range->alias, (long)range->len, 0, 0, 0, 0);
    }
    pthread_mutex_unlock(&lock);
}

bool trap_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
    struct sigaction *current = &program_actions[signal == SIGTRAP];
    struct sigaction before;

    if (!installed || (signal != SIGSEGV && signal != SIGTRAP))
        return false;
    before = *current;
    if (action != NULL)
        *current = *action;
    if (old != NULL)
        *old = before;
    return true;
}

const sigset_t *trap_mask(int how, const sigset_t *set, sigset_t *copy)
{
    if (!can_trap || set == NULL || how == SIG_UNBLOCK)
        return set;
    *copy = *set;
    sigdelset(copy, SIGSEGV);
    sigdelset(copy, SIGTRAP);
    return copy;
}
