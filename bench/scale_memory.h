/* Rows of bench_scale.c: memory maps, buffers, and blocks of an arena. */
#ifndef BENCH_SCALE_MEMORY_H
#define BENCH_SCALE_MEMORY_H

#include "scale.h"

/* A cache line of an object of a bare pattern. The objects are as many bytes apart as those of the
 * library. Each line that an operation touches has a counter. */
struct bare_line {
    struct bare_line *next;
    unsigned long count;
    unsigned char rest[BENCH_LINE - sizeof(void *) - sizeof(long)];
};

static struct {
    struct doca_mmap **maps;
    struct doca_buf **bufs;
    unsigned char *data; /* SCALE_ROOM bytes for each mmap */
    struct bare_line *lines;
    struct bare_line **listed;
    struct bare_line *free_lines;
    size_t num, num_taken;
} memory;

/* ---- mmaps ---- */

#define MMAP_LINES 5u /* cache lines of an mmap with the header of its block */

static void open_maps(size_t num)
{
    size_t i;

    memory.num = num;
    memory.data = bench_pages(num * SCALE_ROOM);
    memory.maps = bench_pages(num * sizeof(void *));
    memory.lines = bench_pages(num * MMAP_LINES * BENCH_LINE);
    memory.listed = bench_pages(num * sizeof(void *));
    bench_rig_open(&scale.rig, memory.data, SCALE_ROOM, 4);
    for (i = 0; i < num; i++) {
        memory.maps[i] = bench_map(scale.rig.dev, memory.data + i * SCALE_ROOM, SCALE_ROOM);
        memory.listed[i] = &memory.lines[i * MMAP_LINES];
    }
}

static void close_maps(size_t num)
{
    size_t i;

    for (i = 0; i < num; i++)
        bench_must(doca_mmap_destroy(memory.maps[i]));
    bench_rig_close(&scale.rig);
    scale_drop(memory.listed, num * sizeof(void *));
    scale_drop(memory.lines, num * MMAP_LINES * BENCH_LINE);
    scale_drop(memory.maps, num * sizeof(void *));
    scale_drop(memory.data, num * SCALE_ROOM);
}

static void run_map_life(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        bench_must(doca_mmap_destroy(bench_map(scale.rig.dev, memory.data, SCALE_ROOM)));
}

/* Replace an mmap chosen at random, so that holes of the arena are used again. */
static void run_map_replace(unsigned long n, const void *arg)
{
    size_t i;

    (void)arg;
    for (; bench_left(n); n--) {
        i = scale_any(memory.num);
        bench_must(doca_mmap_destroy(memory.maps[i]));
        memory.maps[i] = bench_map(scale.rig.dev, memory.data + i * SCALE_ROOM, SCALE_ROOM);
    }
}

static void bare_map_replace(unsigned long n, const void *arg)
{
    struct bare_line *lines;
    size_t i, k;

    (void)arg;
    for (; bench_left(n); n--) {
        i = scale_any(memory.num);
        lines = memory.listed[i];
        for (k = 0; k < MMAP_LINES; k++)
            lines[k].count++;
        if (i > 0) /* the headers of the two blocks around it */
            (lines - MMAP_LINES)->count++;
        if (i + 1 < memory.num)
            (lines + MMAP_LINES)->count++;
    }
}

static void run_map_get(unsigned long n, const void *arg)
{
    struct doca_buf *buf;
    size_t i;

    (void)arg;
    for (; bench_left(n); n--) {
        i = scale_any(memory.num);
        bench_must(doca_buf_inventory_buf_get_by_addr(
            scale.rig.inventory, memory.maps[i], memory.data + i * SCALE_ROOM, SCALE_ROOM, &buf));
        bench_must(doca_buf_dec_refcount(buf, NULL));
    }
}

static void bare_map_get(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--) {
        memory.listed[scale_any(memory.num)][1].count++;
        SCALE_IDLE(60);
    }
}

/* ---- bufs ---- */

static void open_bufs(size_t num)
{
    size_t i;

    memory.num = num;
    memory.num_taken = (num + 1) / 2;
    memory.data = bench_pages(4096);
    memory.bufs = bench_pages(memory.num_taken * sizeof(void *));
    memory.lines = bench_pages(memory.num_taken * BENCH_LINE);
    memory.listed = bench_pages(memory.num_taken * sizeof(void *));
    bench_rig_open(&scale.rig, memory.data, 4096, num);
    for (i = 0; i < memory.num_taken; i++) {
        bench_must(doca_buf_inventory_buf_get_by_addr(scale.rig.inventory, scale.rig.map,
                                                      memory.data, SCALE_ROOM, &memory.bufs[i]));
        memory.listed[i] = &memory.lines[i];
    }
    scale_shuffle((void **)memory.bufs, memory.num_taken);
    scale_shuffle((void **)memory.listed, memory.num_taken);
}

static void close_bufs(size_t num)
{
    size_t i;

    (void)num;
    for (i = 0; i < memory.num_taken; i++)
        bench_must(doca_buf_dec_refcount(memory.bufs[i], NULL));
    bench_rig_close(&scale.rig);
    scale_drop(memory.listed, memory.num_taken * sizeof(void *));
    scale_drop(memory.lines, memory.num_taken * BENCH_LINE);
    scale_drop(memory.bufs, memory.num_taken * sizeof(void *));
    scale_drop(memory.data, 4096);
}

/* Release a taken buf chosen at random, and take another one. */
static void run_bufs(unsigned long n, const void *arg)
{
    struct doca_buf **buf;

    (void)arg;
    for (; bench_left(n); n--) {
        buf = &memory.bufs[scale_any(memory.num_taken)];
        bench_must(doca_buf_dec_refcount(*buf, NULL));
        bench_must(doca_buf_inventory_buf_get_by_addr(scale.rig.inventory, scale.rig.map,
                                                      memory.data, SCALE_ROOM, buf));
    }
}

/* Release a line chosen at random to a bare list of free lines, and take another one. */
static void bare_bufs(unsigned long n, const void *arg)
{
    struct bare_line **line;

    (void)arg;
    for (; bench_left(n); n--) {
        line = &memory.listed[scale_any(memory.num_taken)];
        (*line)->next = memory.free_lines;
        memory.free_lines = *line;
        *line = memory.free_lines;
        memory.free_lines = (*line)->next;
        (*line)->count++;
        SCALE_IDLE(60);
    }
}

/* ---- blocks of an arena ---- */

#define BLOCK_MAX 1024u /* bytes of the largest block; the sizes are random */
#define BLOCK_LINES 10u /* cache lines of a block on average, with its header */

static size_t block_bytes(void)
{
    return 1 + scale_any(BLOCK_MAX);
}

static void open_blocks(size_t num)
{
    size_t i;

    memory.num = num;
    memory.bufs = bench_pages(num * sizeof(void *));
    memory.lines = bench_pages(num * BLOCK_LINES * BENCH_LINE);
    memory.listed = bench_pages(num * sizeof(void *));
    for (i = 0; i < num; i++) {
        bench_must(doca_core_arena_take(&scale.arena, block_bytes(), (void **)&memory.bufs[i]));
        memory.listed[i] = &memory.lines[i * BLOCK_LINES];
    }
    scale_shuffle((void **)memory.bufs, num);
    scale_shuffle((void **)memory.listed, num);
    for (i = 0; i < 2 * num; i++) { /* let the holes reach their usual number */
        bench_must(doca_core_arena_give(&scale.arena, memory.bufs[i % num]));
        bench_must(
            doca_core_arena_take(&scale.arena, block_bytes(), (void **)&memory.bufs[i % num]));
    }
}

static void close_blocks(size_t num)
{
    size_t i;

    for (i = 0; i < num; i++)
        bench_must(doca_core_arena_give(&scale.arena, memory.bufs[i]));
    scale_drop(memory.listed, num * sizeof(void *));
    scale_drop(memory.lines, num * BLOCK_LINES * BENCH_LINE);
    scale_drop(memory.bufs, num * sizeof(void *));
}

/* Release a block chosen at random, and take one of another size. */
static void run_blocks(unsigned long n, const void *arg)
{
    void **block;

    (void)arg;
    for (; bench_left(n); n--) {
        block = (void **)&memory.bufs[scale_any(memory.num)];
        bench_must(doca_core_arena_give(&scale.arena, *block));
        bench_must(doca_core_arena_take(&scale.arena, block_bytes(), block));
    }
}

/* The headers that the pair touches: the released block with the blocks below and above it, the
 * first block of its free list, the blocks that the search looks at, and the neighbours of the
 * found block in its free list and in memory. */
#define BLOCK_PLACES 6u

static void bare_blocks(unsigned long n, const void *arg)
{
    struct bare_line *line;
    size_t i, k;

    (void)arg;
    for (; bench_left(n); n--) {
        i = scale_any(memory.num);
        line = memory.listed[i];
        line->count++;
        if (line > memory.lines)
            (line - BLOCK_LINES)->count++;
        if (line + BLOCK_LINES < memory.lines + memory.num * BLOCK_LINES)
            (line + BLOCK_LINES)->count++;
        for (k = 0; k < BLOCK_PLACES; k++)
            memory.lines[scale_any(memory.num) * BLOCK_LINES].count++;
        SCALE_IDLE(400);
    }
}

#define MMAP_ROW                                                                                   \
    .x = "mmaps", .factor = 10, .max = 100000, .smoke_max = 1000, .bytes_each = 800,               \
    .open = open_maps, .close = close_maps

static const struct scale_row scale_memory_rows[] = {
    { .work = "mmap_life",
      .title = "create, start and destroy one more mmap",
      MMAP_ROW,
      .run = run_map_life },
    { .work = "mmap_replace",
      .title = "destroy an mmap at random, create and start another one",
      MMAP_ROW,
      .run = run_map_replace,
      .bare = bare_map_replace,
      .bare_name = "count in the 5 lines of an object, and in the 2 beside it" },
    { .work = "mmap_get",
      .title = "get_by_addr and dec_refcount from an mmap at random",
      MMAP_ROW,
      .run = run_map_get,
      .bare = bare_map_get,
      .bare_name = "count in one line of an object" },
    { .work = "bufs",
      .title = "release a buf at random, get another one",
      .x = "bufs",
      .factor = 16,
      .max = (size_t)1 << 24,
      .smoke_max = 4096,
      .bytes_each = 128,
      .open = open_bufs,
      .close = close_bufs,
      .run = run_bufs,
      .bare = bare_bufs,
      .bare_name = "a list of free lines" },
    { .work = "arena",
      .title = "release a block at random, take one of another size",
      .x = "live blocks",
      .factor = 10,
      .max = 1000000,
      .smoke_max = 1000,
      .bytes_each = 1300,
      .open = open_blocks,
      .close = close_blocks,
      .run = run_blocks,
      .bare = bare_blocks,
      .bare_name = "count in 3 lines of neighbours and in 6 others" },
};

#endif
