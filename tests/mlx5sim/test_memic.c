/* Atomic operations of device memory: a store to an operation address adds, a load from another one
 * tests and sets. The device executes both. */
#include "kill_rig.h"

#include <pthread.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/rdma_user_ioctl.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

enum { ADD = 0, TEST_AND_SET = 1, LEN = 8192, MEMIC_BYTES = 256 * 1024 };

struct memic {
    struct rig rig;
    struct ibv_dm *dm;
    volatile uint8_t *add, *set;
};

static struct memic memic_open(void)
{
    struct ibv_alloc_dm_attr attr = { .length = LEN };
    struct memic m = { .rig = rig_open(0) };

    m.dm = ibv_alloc_dm(m.rig.ctx, &attr);
    CHECK(m.dm);
    m.add = mlx5dv_dm_map_op_addr(m.dm, ADD);
    CHECK(m.add);
    m.set = mlx5dv_dm_map_op_addr(m.dm, TEST_AND_SET);
    CHECK(m.set);
    return m;
}

static void memic_close(struct memic *m)
{
    CHECK_EQ(munmap((void *)(uintptr_t)m->add, LEN), 0);
    CHECK_EQ(munmap((void *)(uintptr_t)m->set, LEN), 0);
    CHECK_EQ(ibv_free_dm(m->dm), 0);
    rig_close(&m->rig);
}

static void write_dm(struct ibv_dm *dm, size_t at, uint8_t value)
{
    uint32_t word = value;

    CHECK_EQ(ibv_memcpy_to_dm(dm, at & ~(size_t)3, &word, 4), 0);
}

static uint8_t read_dm(struct ibv_dm *dm, size_t at)
{
    uint8_t word[4];

    CHECK_EQ(ibv_memcpy_from_dm(word, dm, at & ~(size_t)3, 4), 0);
    return word[at % 4];
}

/* The value that test and set writes. The device has it from its option --test-and-set, and this
 * program from an environment variable of the same meaning. */
static uint8_t value_set(void)
{
    const char *value = getenv("TEST_AND_SET");

    return value ? (uint8_t)strtoul(value, NULL, 0) : 0xff;
}

static void a_store_adds_and_a_load_sets(void)
{
    struct memic m = memic_open();

    m.add[0] = 1;
    CHECK_EQ(read_dm(m.dm, 0), 1);
    m.add[0] = 2;
    CHECK_EQ(m.set[0], 3);
    CHECK_EQ(read_dm(m.dm, 0), value_set());
    CHECK_EQ(m.set[0], value_set());
    m.add[0] = (uint8_t)(0x100 - value_set());
    CHECK_EQ(read_dm(m.dm, 0), 0);
    CHECK_EQ(read_dm(m.dm, 1), 0);      /* no carry into the next byte */
    m.add[LEN - 1] = 7;
    CHECK_EQ(m.set[LEN - 1], 7);
    CHECK_EQ(read_dm(m.dm, LEN - 2), 0);
    memic_close(&m);
}

static void an_operation_has_one_address(void)
{
    struct ibv_alloc_dm_attr attr = { .length = 4096 };
    struct memic m = memic_open();
    volatile uint8_t *again = mlx5dv_dm_map_op_addr(m.dm, ADD);
    struct ibv_dm *other = ibv_alloc_dm(m.rig.ctx, &attr);
    volatile uint8_t *add;

    CHECK(again && other);
    again[5] = 1;
    m.add[5] = 1;
    CHECK_EQ(read_dm(m.dm, 5), 2);
    add = mlx5dv_dm_map_op_addr(other, ADD);
    CHECK(add);
    add[5] = 9;
    CHECK_EQ(read_dm(m.dm, 5), 2);
    CHECK_EQ(read_dm(other, 5), 9);
    CHECK_EQ(munmap((void *)(uintptr_t)add, 4096), 0);
    CHECK_EQ(munmap((void *)(uintptr_t)again, LEN), 0);
    CHECK_EQ(ibv_free_dm(other), 0);
    memic_close(&m);
}

/* ---- instructions --------------------------------------------------------------------------- */

#if defined(__x86_64__)

/* Load a byte of value 0x85 by `instruction`, and return RAX, which was `before`. */
#define LOAD(m, instruction, before) \
    __extension__({ \
        uint64_t rax_ = (before); \
        write_dm((m)->dm, 8, 0x85); \
        __asm__ volatile(instruction : "+a"(rax_) : "D"((m)->set), "c"(1l) : "memory"); \
        CHECK(read_dm((m)->dm, 8) == 0xff); \
        rax_; \
    })

/* The condition `flag` after `instruction` has used a byte of this value. */
#define FLAG(m, instruction, flag, value) \
    __extension__({ \
        bool flag_; \
        write_dm((m)->dm, 8, (value)); \
        __asm__ volatile(instruction : "=@cc" flag(flag_) : "D"((m)->set), "a"(0x80l) : "memory"); \
        CHECK(read_dm((m)->dm, 8) == 0xff); \
        flag_; \
    })

/* Store by `instruction`, and return the byte that was 1 before. */
#define STORE(m, instruction, value) \
    __extension__({ \
        write_dm((m)->dm, 8, 1); \
        __asm__ volatile(instruction : : "D"((m)->add), "a"((uint64_t)(value)), "c"(1l) \
                         : "r9", "memory"); \
        read_dm((m)->dm, 8); \
    })

static void loads_of_all_forms(struct memic *m)
{
    const uint64_t ones = ~0ull;

    CHECK_EQ(LOAD(m, "movb 8(%%rdi), %%al", ones), 0xffffffffffffff85);
    CHECK_EQ(LOAD(m, "movb 8(%%rdi), %%ah", ones), 0xffffffffffff85ff);
    CHECK_EQ(LOAD(m, "movb 7(%%rdi,%%rcx), %%al", 0), 0x85);
    CHECK_EQ(LOAD(m, "movzbl 8(%%rdi), %%eax", ones), 0x85);
    CHECK_EQ(LOAD(m, "movzbq 8(%%rdi), %%rax", ones), 0x85);
    CHECK_EQ(LOAD(m, "movzbw 8(%%rdi), %%ax", ones), 0xffffffffffff0085);
    CHECK_EQ(LOAD(m, "movsbl 8(%%rdi), %%eax", ones), 0xffffff85);
    CHECK_EQ(LOAD(m, "movsbq 8(%%rdi), %%rax", 0), 0xffffffffffffff85);
    CHECK_EQ(LOAD(m, "movsbw 8(%%rdi), %%ax", 0), 0xff85);
}

static void comparisons_of_all_forms(struct memic *m)
{
    CHECK_EQ(FLAG(m, "cmpb $0x80, 8(%%rdi)", "z", 0x80), 1);
    CHECK_EQ(FLAG(m, "cmpb $0x80, 8(%%rdi)", "z", 0x81), 0);
    CHECK_EQ(FLAG(m, "cmpb $0x80, 8(%%rdi)", "b", 0x7f), 1);
    CHECK_EQ(FLAG(m, "cmpb $0x80, 8(%%rdi)", "l", 0x7f), 0);
    CHECK_EQ(FLAG(m, "cmpb $0x80, 8(%%rdi)", "o", 0x7f), 1);
    CHECK_EQ(FLAG(m, "cmpb $0x80, 8(%%rdi)", "s", 0x7f), 1);
    CHECK_EQ(FLAG(m, "cmpb %%al, 8(%%rdi)", "a", 0x81), 1);
    CHECK_EQ(FLAG(m, "cmpb 8(%%rdi), %%al", "a", 0x81), 0);
    CHECK_EQ(FLAG(m, "cmpb 8(%%rdi), %%al", "a", 0x7f), 1);
    CHECK_EQ(FLAG(m, "testb $1, 8(%%rdi)", "z", 0x80), 1);
    CHECK_EQ(FLAG(m, "testb %%al, 8(%%rdi)", "z", 0x7f), 1);
    CHECK_EQ(FLAG(m, "testb %%al, 8(%%rdi)", "s", 0x81), 1);
    CHECK_EQ(FLAG(m, "testb %%al, 8(%%rdi)", "p", 0x81), 0);
}

static void stores_of_all_forms(struct memic *m)
{
    CHECK_EQ(STORE(m, "movb %%al, 8(%%rdi)", 0x1234), 0x35);
    CHECK_EQ(STORE(m, "movb %%ah, 8(%%rdi)", 0x1234), 0x13);
    CHECK_EQ(STORE(m, "movb %%al, 7(%%rdi,%%rcx)", 2), 3);
    CHECK_EQ(STORE(m, "movq %%rax, %%r9\n movb %%r9b, 8(%%rdi)", 2), 3);
    CHECK_EQ(STORE(m, "movb $0xf0, 8(%%rdi)", 0), 0xf1);
}

static void instructions_of_compilers_are_known(void)
{
    struct memic m = memic_open();

    loads_of_all_forms(&m);
    comparisons_of_all_forms(&m);
    stores_of_all_forms(&m);
    memic_close(&m);
}

static sigjmp_buf after_fault;

static void on_fault(int signal)
{
    (void)signal;
    siglongjmp(after_fault, 1);
}

static void another_instruction_is_a_fault_of_the_program(void)
{
    struct sigaction action = { .sa_handler = on_fault }, before;
    struct memic m = memic_open();
    volatile bool faulted = false;

    CHECK_EQ(sigaction(SIGSEGV, &action, &before), 0);
    if (sigsetjmp(after_fault, 1) == 0)
        __asm__ volatile("lock incb (%0)" : : "r"(m.add) : "memory");
    else
        faulted = true;
    CHECK_EQ(sigaction(SIGSEGV, &before, NULL), 0);
    CHECK(faulted);
    CHECK_EQ(read_dm(m.dm, 0), 0);
    m.add[0] = 1;
    CHECK_EQ(read_dm(m.dm, 0), 1);
    memic_close(&m);
}

#endif

/* ---- several users -------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 300, LOCK_ROUNDS = 150 };

static struct memic shared;
static unsigned counted;

static void *add_ones(void *arg)
{
    for (unsigned i = 0; i < ROUNDS; i++)
        shared.add[16] = 1;
    return arg;
}

/* Count under a lock. 0 is free; a store of 1 to the address that adds makes 0 of 0xff. */
static void *count_with_lock(void *arg)
{
    for (unsigned i = 0; i < LOCK_ROUNDS; i++) {
        volatile unsigned old;

        while (shared.set[32] != 0)
            ;
        old = counted;
        if (i % 16 == 0)
            usleep(1);
        counted = old + 1;
        shared.add[32] = 1;
    }
    return arg;
}

static void run_threads(void *(*work)(void *))
{
    pthread_t threads[THREADS];

    for (unsigned i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, work, NULL), 0);
    for (unsigned i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
}

static void operations_of_threads_are_atomic(void)
{
    shared = memic_open();
    run_threads(add_ones);
    CHECK_EQ(read_dm(shared.dm, 16), (uint8_t)(THREADS * ROUNDS));
    counted = 0;
    run_threads(count_with_lock);
    CHECK_EQ(counted, THREADS * LOCK_ROUNDS);
    memic_close(&shared);
}

static void a_child_shares_the_addresses(void)
{
    struct memic m = memic_open();
    int status;
    pid_t child;

    m.add[0] = 1;
    child = peer_fork();
    if (child == 0) {
        uint8_t first = m.set[1], second = m.set[1];

        for (unsigned i = 0; i < 100; i++)
            m.add[0] = 1;
        _exit(first == 0 && second == 0xff ? 0 : 1);
    }
    for (unsigned i = 0; i < 100; i++)
        m.add[0] = 1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    CHECK_EQ(read_dm(m.dm, 0), 201);
    CHECK_EQ(m.set[1], 0xff);
    memic_close(&m);
}

static void requests_see_the_operations(void)
{
    struct memic m = memic_open();
    struct ibv_qp *qp = rig_loop(&m.rig, (struct rig_qp_options){ .retry = 7 });
    uint8_t *mem = rig_memory(4096);
    struct ibv_mr *mr = ibv_reg_mr(m.rig.pd, mem, 4096, RIG_ALL_ACCESS);
    struct ibv_mr *dm_mr = ibv_reg_dm_mr(m.rig.pd, m.dm, 0, LEN, IBV_ACCESS_ZERO_BASED |
                                         RIG_ALL_ACCESS);
    struct rig_side side = { mem, 8, 0 };

    CHECK(mr && dm_mr);
    side.key = mr->lkey;
    m.add[3] = 0x21;
    CHECK_EQ(rig_do(&m.rig, qp, IBV_WR_RDMA_READ, side, 0, dm_mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(mem[3], 0x21);
    mem[3] = 0x40;
    CHECK_EQ(rig_do(&m.rig, qp, IBV_WR_RDMA_WRITE, side, 0, dm_mr->rkey), IBV_WC_SUCCESS);
    m.add[3] = 1;
    CHECK_EQ(m.set[3], 0x41);
    CHECK_EQ(ibv_dereg_mr(dm_mr), 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    free(mem);
    memic_close(&m);
}

/* ---- refused calls, freed memory, and use of all memory ------------------------------------- */

/* Ask the driver for the address of an operation. Returns 0 or an errno. */
static int map_operation(struct rig *rig, uint32_t handle, unsigned op, unsigned op_bytes,
                         unsigned num_attrs, uint16_t *page)
{
    struct { /* struct ib_uverbs_ioctl_hdr with room for attributes */
        uint16_t length, object_id, method_id, num_attrs;
        uint64_t reserved1;
        uint32_t driver_id, reserved2;
        struct ib_uverbs_attr attrs[4];
    } call = { .length = (uint16_t)(sizeof(call) - (4 - num_attrs) * sizeof(call.attrs[0])),
               .object_id = UVERBS_OBJECT_DM, .method_id = MLX5_IB_METHOD_DM_MAP_OP_ADDR,
               .num_attrs = (uint16_t)num_attrs, .driver_id = RDMA_DRIVER_MLX5 };
    uint64_t start = 1;

    call.attrs[0] = (struct ib_uverbs_attr){ .attr_id = MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_HANDLE,
        .flags = UVERBS_ATTR_F_MANDATORY, .data = handle };
    call.attrs[1] = (struct ib_uverbs_attr){ .attr_id = MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_OP,
        .len = (uint16_t)op_bytes, .flags = UVERBS_ATTR_F_MANDATORY, .data = op };
    call.attrs[2] = (struct ib_uverbs_attr){
        .attr_id = MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_START_OFFSET, .len = 8,
        .flags = UVERBS_ATTR_F_MANDATORY, .data = (uintptr_t)&start };
    call.attrs[3] = (struct ib_uverbs_attr){
        .attr_id = MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_PAGE_INDEX, .len = 2,
        .data = (uintptr_t)page };
    if (ioctl(rig->ctx->cmd_fd, RDMA_VERBS_IOCTL, &call) != 0)
        return errno;
    return start == 0 ? 0 : -1;
}

static void wrong_calls_are_refused(void)
{
    struct memic m = memic_open();
    uint32_t handle = m.dm->handle;
    uint16_t page = 0, again = 0;

    CHECK_EQ(map_operation(&m.rig, handle, ADD, 1, 4, &page), 0);
    CHECK_EQ(map_operation(&m.rig, handle, ADD, 1, 4, &again), 0);
    CHECK_EQ(page, again);
    CHECK_EQ(map_operation(&m.rig, handle, ADD, 1, 3, &page), 0);   /* the page is optional */
    CHECK_EQ(map_operation(&m.rig, handle, ADD, 1, 2, &page), EINVAL);
    CHECK_EQ(map_operation(&m.rig, handle, ADD, 0, 4, &page), EINVAL);
    CHECK_EQ(map_operation(&m.rig, handle + 0x1000, ADD, 1, 4, &page), ENOENT);
    CHECK_EQ(map_operation(&m.rig, m.rig.pd->handle, ADD, 1, 4, &page), ENOENT);
    CHECK_EQ(map_operation(&m.rig, handle, 2, 1, 4, &page), EOPNOTSUPP);
    CHECK_EQ(map_operation(&m.rig, handle, 32, 1, 4, &page), EOPNOTSUPP);
    CHECK_EQ(map_operation(&m.rig, handle, 255, 1, 4, &page), EOPNOTSUPP);
    memic_close(&m);
}

/* The offset of a page of device memory: command 8 in bits 8 to 15 of the page number. */
static void *map_page(struct rig *rig, unsigned page, size_t len)
{
    off_t number = (off_t)(page >> 8) << 16 | 8 << 8 | (page & 0xff);

    return mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, rig->ctx->cmd_fd, number * 4096);
}

static void an_address_belongs_to_its_program(void)
{
    struct memic m = memic_open();
    struct rig other = rig_open(0);
    uint16_t page = 0;
    void *at;

    CHECK_EQ(map_operation(&m.rig, m.dm->handle, ADD, 1, 4, &page), 0);
    at = map_page(&m.rig, page, LEN);
    CHECK(at != MAP_FAILED);
    CHECK_EQ(munmap(at, LEN), 0);
    CHECK(map_page(&m.rig, page, LEN + 4096) == MAP_FAILED && errno == EINVAL);
    CHECK(map_page(&m.rig, page + 50, LEN) == MAP_FAILED && errno == EINVAL);
    CHECK(map_page(&other, page, LEN) == MAP_FAILED && errno == EINVAL);
    rig_close(&other);
    memic_close(&m);
}

/* On a card the memory stays until its addresses are unmapped; the emulator reads 0xff. */
static void addresses_of_freed_memory_reach_no_other_memory(void)
{
    struct ibv_alloc_dm_attr attr = { .length = LEN };
    struct memic m = memic_open();
    struct ibv_dm *next;

    CHECK_EQ(ibv_free_dm(m.dm), 0);
    next = ibv_alloc_dm(m.rig.ctx, &attr);      /* takes the same pages */
    CHECK(next);
    m.add[0] = 1;
    CHECK_EQ(m.set[0], 0xff);
    CHECK_EQ(read_dm(next, 0), 0);
    m.dm = next;
    memic_close(&m);
}

static bool has_all_operations(void)
{
    struct ibv_alloc_dm_attr attr = { .length = MEMIC_BYTES };
    struct rig rig = rig_open(0);
    struct ibv_dm *dm = ibv_alloc_dm(rig.ctx, &attr);
    volatile uint8_t *add = dm ? mlx5dv_dm_map_op_addr(dm, ADD) : NULL;
    bool good = add != NULL;

    if (good) {
        add[MEMIC_BYTES - 1] = 1;
        good = read_dm(dm, MEMIC_BYTES - 1) == 1;
    }
    if (dm)
        ibv_free_dm(dm);
    rig_close(&rig);
    return good;
}

static bool take_all_operations(void)
{
    struct ibv_alloc_dm_attr attr = { .length = 4096 };
    struct rig rig = rig_open(0);
    unsigned num = 0;

    for (; num < MEMIC_BYTES / 4096; num++) {
        struct ibv_dm *dm = ibv_alloc_dm(rig.ctx, &attr);
        volatile uint8_t *set = dm ? mlx5dv_dm_map_op_addr(dm, TEST_AND_SET) : NULL;

        if (!set || !mlx5dv_dm_map_op_addr(dm, ADD) || set[0] != 0)
            return false;
    }
    return !ibv_alloc_dm(rig.ctx, &attr);
}

static void operations_of_a_killed_program_are_free(void)
{
    for (unsigned i = 0; i < 40; i++) { /* the device reuses numbers of operations */
        kill_after(take_all_operations);
        wait_until_free(has_all_operations);
    }
}

static const struct rig_case cases[] = {
    RIG_CASE(a_store_adds_and_a_load_sets),
    RIG_CASE(an_operation_has_one_address),
#if defined(__x86_64__)
    RIG_CASE(instructions_of_compilers_are_known),
    RIG_CASE(another_instruction_is_a_fault_of_the_program),
#endif
    RIG_CASE(operations_of_threads_are_atomic),
    RIG_CASE(a_child_shares_the_addresses),
    RIG_CASE(requests_see_the_operations),
    RIG_CASE(wrong_calls_are_refused),
    RIG_CASE(an_address_belongs_to_its_program),
    RIG_CASE(addresses_of_freed_memory_reach_no_other_memory),
    RIG_CASE(operations_of_a_killed_program_are_free),
};

RIG_MAIN(cases)
