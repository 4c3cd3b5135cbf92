/*
 * Doorbells: a UAR page is mapped read-only, a store to it faults, and the handler tells the device
 * process which eight bytes were stored where. Common store instructions are carried out by the
 * handler; any other is run alone with the page open, and the registers are looked at afterwards.
 *
 * x86-64 only; elsewhere trap_add() says so, and the device process has to poll.
 */
#define _GNU_SOURCE
#include "preload.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    PAGE = 4096,
    MAX_RANGES = 1024,
    ARM_OFFSET = 0x20,          /* CQ arm register */
    BF_OFFSET = 0x800,          /* BlueFlame registers */
    BF_BYTES = 0x100,
    TRAP_FLAG = 0x100
};

/* Handlers read the table without a lock: a range is valid while `base` is set. */
static struct range {
    unsigned char *base;
    unsigned char *alias;
    size_t len;
    uint32_t function, page;
    bool clock;
} ranges[MAX_RANGES];
static unsigned num_ranges;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int doorbell_fd = -1;
static struct wire_done *done_page;
static bool sync_doorbells;
static uint64_t clock_khz;
static bool installed;
static struct sigaction wished[2];      /* the program's own SIGSEGV and SIGTRAP */

/* The page this thread has opened for the one instruction it is running. */
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

/* ---- telling the device process ------------------------------------------------------------- */

static void wait_done(uint32_t seq)
{
    uint32_t *slot = &done_page->done[seq % WIRE_DONE_SLOTS], seen;
    const struct timespec while_alive = {0, 200000000};
    struct pollfd peer = {.fd = doorbell_fd, .events = 0};

    for (;;) {
        seen = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
        if ((int32_t)(seen - seq) >= 0)
            return;
        if (syscall(SYS_futex, slot, FUTEX_WAIT, seen, &while_alive, NULL, 0) == 0 ||
            errno != ETIMEDOUT)
            continue;
        if (poll(&peer, 1, 0) == 1 && (peer.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0)
            return;
    }
}

/* A doorbell that goes nowhere is told once: the program would wait for ever. */
static void tell_lost(void)
{
    static const char text[] = "mlx5sim: a doorbell is lost: the device process is gone, or the "
                               "program has closed a fd that is not its own\n";
    static bool told;

    if (!__atomic_exchange_n(&told, true, __ATOMIC_RELAXED))
        syscall(SYS_write, 2, text, sizeof(text) - 1);
}

static void ring(const struct range *range, uint32_t offset, uint64_t value)
{
    uint32_t page = range->page + offset / PAGE;
    uint32_t seq = __atomic_add_fetch(&done_page->next_seq, 1, __ATOMIC_RELAXED);
    struct wire_doorbell bell = {seq, range->function, page, offset % PAGE, value};
    long n;

    do
        n = syscall(SYS_sendto, doorbell_fd, &bell, sizeof(bell), MSG_NOSIGNAL, NULL, 0);
    while (n < 0 && (errno == EINTR || errno == EAGAIN));
    if (n != (long)sizeof(bell))
        tell_lost();
    else if (sync_doorbells)
        wait_done(seq);
}

static bool is_register(uint32_t offset)
{
    offset %= PAGE;
    return offset == ARM_OFFSET || (offset >= BF_OFFSET && offset % BF_BYTES == 0);
}

/* `bytes` were stored at `offset` of the range: a register rings when its eight bytes are whole. */
static void stored(struct range *range, uint32_t offset, const void *data, size_t bytes)
{
    uint64_t value;

    if (bytes >= 8) {
        if (is_register(offset)) {
            memcpy(&value, data, 8);
            ring(range, offset, value);
        }
        return;
    }
    memcpy(range->alias + offset, data, bytes);
    if (is_register(offset - 4)) {
        uint64_t *whole = (uint64_t *)(void *)(range->alias + offset - 4);

        ring(range, offset - 4, __atomic_exchange_n(whole, 0, __ATOMIC_SEQ_CST));
    }
}

/* After an instruction that had the page open: whatever any thread has left in a register. */
static void ring_all(struct range *range, size_t page_offset)
{
    uint32_t offset;

    for (offset = ARM_OFFSET; offset < PAGE; offset += offset < BF_OFFSET ? 8 : BF_BYTES) {
        uint64_t *slot = (uint64_t *)(void *)(range->alias + page_offset + offset), value;

        if (offset > ARM_OFFSET && offset < BF_OFFSET)
            offset = BF_OFFSET, slot = (uint64_t *)(void *)(range->alias + page_offset + offset);
        value = __atomic_exchange_n(slot, 0, __ATOMIC_SEQ_CST);
        if (value != 0)
            ring(range, (uint32_t)page_offset + offset, value);
    }
}

/* ---- the store -------------------------------------------------------------------------------*/

#if defined(__x86_64__)

static const int general[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI,
                                REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13,
                                REG_R14, REG_R15};

struct store {
    unsigned char data[16];
    unsigned bytes;             /* 4, 8, 16 */
    unsigned length;            /* of the instruction */
};

/* Bytes of ModRM, SIB and displacement of a memory operand; 0 for a register operand. */
static unsigned operand_length(const unsigned char *modrm)
{
    unsigned mod = modrm[0] >> 6, rm = modrm[0] & 7, n = 1;

    if (mod == 3)
        return 0;
    if (rm == 4) {
        n++;
        if (mod == 0 && (modrm[1] & 7) == 5)
            n += 4;
    } else if (mod == 0 && rm == 5) {
        n += 4;
    }
    return n + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

/* Is 0F `op` with mandatory prefix `prefix` a plain 16-byte store of an XMM register? */
static bool is_vector_store(unsigned prefix, unsigned op)
{
    switch (op) {
    case 0x11:                                          /* movups, movupd */
    case 0x29:                                          /* movaps, movapd */
    case 0x2b:                                          /* movntps, movntpd */
        return prefix == 0 || prefix == 0x66;
    case 0x7f:                                          /* movdqa, movdqu */
        return prefix == 0x66 || prefix == 0xf3;
    case 0xe7:                                          /* movntdq */
        return prefix == 0x66;
    default:
        return false;
    }
}

static bool decode_0f(const ucontext_t *uc, const unsigned char *p, unsigned prefix, unsigned rex,
                      struct store *out)
{
    unsigned op = p[0], reg = ((p[1] >> 3) & 7) | ((rex & 4) << 1), n = operand_length(p + 1);

    if (n == 0)
        return false;
    out->length = 1 + n;
    if (op == 0xc3 && prefix == 0) {                    /* movnti */
        out->bytes = (rex & 8) != 0 ? 8 : 4;
        memcpy(out->data, &uc->uc_mcontext.gregs[general[reg]], 8);
        return true;
    }
    if (uc->uc_mcontext.fpregs == NULL)
        return false;
    memcpy(out->data, &uc->uc_mcontext.fpregs->_xmm[reg], 16);
    if (op == 0xd6 && prefix == 0x66) {                 /* movq */
        out->bytes = 8;
        return true;
    }
    out->bytes = 16;
    return is_vector_store(prefix, op);
}

/* Understands the stores compilers make; false for all others. */
static bool decode(const ucontext_t *uc, struct store *out)
{
    const unsigned char *start = (const unsigned char *)uc->uc_mcontext.gregs[REG_RIP], *p = start;
    unsigned prefix = 0, rex = 0, reg, n;

    if (*p == 0x66 || *p == 0xf3 || *p == 0xf2)
        prefix = *p++;
    if ((*p & 0xf0) == 0x40)
        rex = *p++;
    if (*p == 0x0f) {
        if (!decode_0f(uc, p + 1, prefix, rex, out))
            return false;
        out->length += (unsigned)(p + 1 - start);
        return true;
    }
    n = operand_length(p + 1);
    if (prefix != 0 || n == 0)
        return false;
    out->bytes = (rex & 8) != 0 ? 8 : 4;
    out->length = (unsigned)(p + 1 - start) + n;
    if (*p == 0x89) {                                   /* mov from a register */
        reg = ((p[1] >> 3) & 7) | ((rex & 4) << 1);
        memcpy(out->data, &uc->uc_mcontext.gregs[general[reg]], 8);
        return true;
    }
    if (*p == 0xc7 && ((p[1] >> 3) & 7) == 0) {         /* mov of an immediate */
        int32_t low;
        int64_t value;

        memcpy(&low, p + 1 + n, 4);
        value = low;
        memcpy(out->data, &value, 8);
        out->length += 4;
        return true;
    }
    return false;
}

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
    unsigned char *page = range->base + (size_t)(addr - range->base) / PAGE * PAGE;

    if (range->clock)
        fill_clock(range);
    stepping = range;
    stepping_page = page;
    uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    return syscall(SYS_mprotect, page, PAGE, PROT_READ | (range->clock ? 0 : PROT_WRITE)) == 0;
}

/* What the program itself wants with the signal. */
static void chain(int signal, siginfo_t *info, void *context)
{
    struct sigaction *own = &wished[signal == SIGTRAP];
    struct sigaction dfl = {.sa_handler = SIG_DFL};

    if ((own->sa_flags & SA_SIGINFO) != 0 && own->sa_sigaction != NULL) {
        own->sa_sigaction(signal, info, context);
    } else if (own->sa_handler != SIG_DFL && own->sa_handler != SIG_IGN) {
        own->sa_handler(signal);
    } else {
        /* the fault comes again, without us */
        SIM_REAL(sigaction)(signal, &dfl, NULL);
        if (info->si_code <= 0 || signal == SIGTRAP)
            raise(signal);
    }
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    struct range *range = info->si_code > 0 ? range_of(info->si_addr) : NULL;
    struct store store = {.bytes = 0};
    int saved = errno;

    if (range == NULL) {
        chain(signal, info, context);
        return;
    }
    if (!range->clock && decode(uc, &store)) {
        uc->uc_mcontext.gregs[REG_RIP] += store.length;
        stored(range, (uint32_t)((unsigned char *)info->si_addr - range->base), store.data,
               store.bytes);
    } else if (!open_page(range, info->si_addr, uc)) {
        chain(signal, info, context);
    }
    errno = saved;
}

static void on_step(int signal, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    struct range *range = stepping;
    int saved = errno;

    if (range == NULL) {
        chain(signal, info, context);
        return;
    }
    stepping = NULL;
    uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    syscall(SYS_mprotect, stepping_page, PAGE, range->clock ? PROT_NONE : PROT_READ);
    if (!range->clock)
        ring_all(range, (size_t)(stepping_page - range->base));
    errno = saved;
}

static void install(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    sigset_t ours;

    sigemptyset(&action.sa_mask);
    action.sa_sigaction = on_fault;
    SIM_REAL(sigaction)(SIGSEGV, &action, &wished[0]);
    action.sa_sigaction = on_step;
    SIM_REAL(sigaction)(SIGTRAP, &action, &wished[1]);
    sigemptyset(&ours);
    sigaddset(&ours, SIGSEGV);
    sigaddset(&ours, SIGTRAP);
    SIM_REAL(pthread_sigmask)(SIG_UNBLOCK, &ours, NULL);
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

/* One connection for the process and its children; its number is kept out of the program's way. */
static int connect_doorbell(void)
{
    struct wire_hello hello;
    int fd = sim_connect("doorbell"), memfd = -1, high;
    unsigned num_fds = 0;
    void *page = MAP_FAILED;

    if (fd < 0)
        return errno;
    if (sim_receive(fd, &hello, sizeof(hello), &memfd, &num_fds) == (long)sizeof(hello) &&
        num_fds == 1 && hello.magic == WIRE_MAGIC)
        page = (void *)syscall(SYS_mmap, NULL, sizeof(struct wire_done), PROT_READ | PROT_WRITE,
                               MAP_SHARED, memfd, 0);
    if (memfd >= 0)
        close(memfd);
    if (page == MAP_FAILED) {
        close(fd);
        return EIO;
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
        int bad = connect_doorbell();

        if (bad != 0)
            return bad;
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
    int bad;

    pthread_mutex_lock(&lock);
    bad = add(range);
    pthread_mutex_unlock(&lock);
    return bad;
}

int trap_add(void *addr, size_t len, void *alias, uint32_t function, uint32_t page)
{
    return add_locked(&(struct range){addr, alias, len, function, page, false});
}

int trap_add_clock(void *addr, size_t len, void *alias)
{
    return add_locked(&(struct range){addr, alias, len, 0, 0, true});
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
        syscall(SYS_munmap, range->alias, range->len);
    }
    pthread_mutex_unlock(&lock);
}

bool trap_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
    struct sigaction *own = &wished[signal == SIGTRAP];
    struct sigaction before;

    if (!installed || (signal != SIGSEGV && signal != SIGTRAP))
        return false;
    before = *own;
    if (action != NULL)
        *own = *action;
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
