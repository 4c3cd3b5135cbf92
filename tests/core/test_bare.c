/* A program without a C library: it copies a list of buffers from an inventory that it has
 * expanded. It runs on x86 with 32-bit pointers, where no 32-bit library needs to be installed; on
 * AArch64; and on an Arm microcontroller without an operating system (QEMU's mps2-an385, which has
 * memory at the linked address and lets a program end). The exit status is the number of the failed
 * line, modulo 256. */
#if defined(__arm__) && !defined(DOCA_CORE_SINGLE_THREAD)
#define DOCA_CORE_SINGLE_THREAD /* this machine has no 64-bit atomics */
#endif
#define DOCA_CORE_FREESTANDING
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_DEFAULT_ARENA_BYTES 0
#include "doca_core.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return __LINE__ % 256 != 0 ? __LINE__ % 256 : 1;                                       \
    } while (0)

enum { BUFS = 8, BYTES = 256 };

static DOCA_CORE_ALIGNED unsigned char memory[1 << 18];
static unsigned char bytes[2 * BYTES]; /* the source, then the destination */
static struct doca_dev *dev;
static struct doca_mmap *map;
static struct doca_buf_inventory *inventory;
static int callbacks;

void *memcpy(void *to, const void *from, size_t num)
{
    size_t i;

    for (i = 0; i < num; i++)
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    return to;
}

void *memmove(void *to, const void *from, size_t num)
{
    if ((uintptr_t)to <= (uintptr_t)from)
        return memcpy(to, from, num);
    while (num-- > 0)
        ((unsigned char *)to)[num] = ((const unsigned char *)from)[num];
    return to;
}

void *memset(void *to, int value, size_t num)
{
    while (num-- > 0)
        ((unsigned char *)to)[num] = (unsigned char)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t num)
{
    const unsigned char *p = (const unsigned char *)a, *q = (const unsigned char *)b;

    for (; num > 0; num--, p++, q++)
        if (*p != *q)
            return *p - *q;
    return 0;
}

#if defined(__i386__) /* divisions of 64-bit numbers are calls of libgcc, which may be missing */
uint64_t __udivdi3(uint64_t a, uint64_t b);
uint64_t __udivdi3(uint64_t a, uint64_t b)
{
    uint64_t quotient = 0, rest = 0;
    int i;

    for (i = 63; i >= 0; i--) {
        rest = rest << 1 | (a >> i & 1);
        if (rest >= b) {
            rest -= b;
            quotient |= (uint64_t)1 << i;
        }
    }
    return quotient;
}

uint64_t __umoddi3(uint64_t a, uint64_t b);
uint64_t __umoddi3(uint64_t a, uint64_t b)
{
    return a - __udivdi3(a, b) * b;
}
#endif

static void done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                 union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    if (doca_task_get_status(doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS)
        callbacks++;
}

static int open_all(void)
{
    struct doca_devinfo **list;
    uint32_t num;

    MUST(doca_devinfo_create_list(&list, &num) == DOCA_SUCCESS);
    MUST(doca_dev_open(list[0], &dev) == DOCA_SUCCESS);
    MUST(doca_devinfo_destroy_list(list) == DOCA_SUCCESS);
    MUST(doca_mmap_create(&map) == DOCA_SUCCESS);
    MUST(doca_mmap_set_memrange(map, bytes, sizeof(bytes)) == DOCA_SUCCESS);
    MUST(doca_mmap_add_dev(map, dev) == DOCA_SUCCESS);
    MUST(doca_mmap_start(map) == DOCA_SUCCESS);
    MUST(doca_buf_inventory_create(BUFS / 2, &inventory) == DOCA_SUCCESS);
    MUST(doca_buf_inventory_expand(inventory, BUFS / 2) == DOCA_SUCCESS);
    MUST(doca_buf_inventory_start(inventory) == DOCA_SUCCESS);
    return 0;
}

static int close_all(void)
{
    MUST(doca_buf_inventory_destroy(inventory) == DOCA_SUCCESS);
    MUST(doca_mmap_destroy(map) == DOCA_SUCCESS);
    MUST(doca_dev_close(dev) == DOCA_SUCCESS);
    return 0;
}

/* All bufs are free again after their release, in whatever order the program releases them. */
static int bufs_are_released_in_any_order(void)
{
    struct doca_buf *bufs[BUFS];
    uint32_t num, step, i;

    for (step = 1; step < BUFS; step += 2) {
        for (i = 0; i < BUFS; i++)
            MUST(doca_buf_inventory_buf_get_by_addr(inventory, map, bytes + i, 1, &bufs[i]) ==
                 DOCA_SUCCESS);
        for (i = 0; i < BUFS; i++) {
            MUST(doca_buf_dec_refcount(bufs[i * step % BUFS], NULL) == DOCA_SUCCESS);
            MUST(doca_buf_inventory_get_num_free_elements(inventory, &num) == DOCA_SUCCESS);
            MUST(num == i + 1);
        }
    }
    return 0;
}

static int list_is_copied(void)
{
    union doca_data none = { NULL };
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *second, *dst;
    struct doca_dma *dma;
    struct doca_pe *pe;
    size_t i;

    for (i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(i + 1);
    MUST(doca_pe_create(&pe) == DOCA_SUCCESS);
    MUST(doca_dma_create(dev, &dma) == DOCA_SUCCESS);
    MUST(doca_dma_task_memcpy_set_conf(dma, done, done, 1) == DOCA_SUCCESS);
    MUST(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)) == DOCA_SUCCESS);
    MUST(doca_ctx_start(doca_dma_as_ctx(dma)) == DOCA_SUCCESS);
    MUST(doca_buf_inventory_buf_get_by_data(inventory, map, bytes, BYTES / 2, &src) ==
         DOCA_SUCCESS);
    MUST(doca_buf_inventory_buf_get_by_data(inventory, map, bytes + BYTES / 2, BYTES / 2,
                                            &second) == DOCA_SUCCESS);
    MUST(doca_buf_chain_list(src, second) == DOCA_SUCCESS);
    MUST(doca_buf_inventory_buf_get_by_addr(inventory, map, bytes + BYTES, BYTES, &dst) ==
         DOCA_SUCCESS);
    MUST(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &task) == DOCA_SUCCESS);
    MUST(doca_task_submit(doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS);
    MUST(doca_pe_progress(pe) == 1);
    MUST(callbacks == 1);
    MUST(memcmp(bytes, bytes + BYTES, BYTES) == 0);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    MUST(doca_buf_dec_refcount(src, NULL) == DOCA_SUCCESS);
    MUST(doca_buf_dec_refcount(dst, NULL) == DOCA_SUCCESS);
    MUST(doca_dma_destroy(dma) == DOCA_SUCCESS);
    MUST(doca_pe_destroy(pe) == DOCA_SUCCESS);
    return 0;
}

static int run(void)
{
    struct doca_core_arena arena;
    size_t used = 1;
    int at;

#if !defined(__LP64__)
    MUST(sizeof(void *) == 4);
#endif
    MUST(doca_core_arena_init(&arena, memory, sizeof(memory)) == DOCA_SUCCESS);
    MUST(doca_core_arena_bind(&arena) == DOCA_SUCCESS);
    at = open_all();
    at = at != 0 ? at : bufs_are_released_in_any_order();
    at = at != 0 ? at : list_is_copied();
    at = at != 0 ? at : close_all();
    if (at != 0)
        return at;
    MUST(doca_core_arena_query(&arena, &used, NULL, NULL) == DOCA_SUCCESS);
    MUST(used == 0);
    return 0;
}

void _start(void);

#if defined(__i386__) /* Linux */
__attribute__((force_align_arg_pointer)) void _start(void)
{
    int code = run();

    for (;;)
        __asm__ volatile("int $0x80" : : "a"(1), "b"(code));
}
#elif defined(__aarch64__) /* Linux */
void _start(void)
{
    register long code __asm__("x0") = run();
    register long call __asm__("x8") = 94; /* exit_group */

    for (;;)
        __asm__ volatile("svc 0" : : "r"(code), "r"(call) : "memory");
}
#elif defined(__arm__) /* semihosting, SYS_EXIT_EXTENDED: ADP_Stopped_ApplicationExit, status */
static unsigned char stack[1 << 16] __attribute__((aligned(8)));

__attribute__((section(".vectors"), used)) static const struct {
    unsigned char *sp;
    void (*reset)(void);
} vectors = { stack + sizeof(stack), _start };

void _start(void)
{
    uint32_t block[2] = { 0x20026, 0 };
    register uint32_t operation __asm__("r0") = 0x20;
    register uint32_t *argument __asm__("r1") = block;

    block[1] = (uint32_t)run();
    operation = 0x20;
    argument = block;
    for (;;)
        __asm__ volatile("bkpt 0xab" : : "r"(operation), "r"(argument) : "memory");
}
#endif
