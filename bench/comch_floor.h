/* The bare loops with which bench_comch.c compares Comch, between two processes: one cache line
 * that moves to and fro, a ring with messages of FLOOR_SMALL bytes each way, and a stream of
 * messages of FLOOR_LARGE bytes. No number is checked, no process sleeps, and no buffer is posted.
 * The sender copies a message into the ring and sets its mark. The receiver polls the mark and
 * copies the message out.
 * A second stream moves the same cache lines and copies nothing: the sender writes one word of each
 * line of a message, and the receiver reads this word. No way of passing messages through memory
 * that both cores use is faster than that. */
#ifndef COMCH_FLOOR_H
#define COMCH_FLOOR_H

#define FLOOR_SMALL 64u
#define FLOOR_LARGE 4096u
#define FLOOR_DEPTH 32u /* slots of the ring of the stream */
#define FLOOR_BUFS 64u  /* slots of a ring of small messages; buffers of the stream's receiver */

struct floor_line {
    uint64_t value;
} __attribute__((aligned(BENCH_LINE)));

struct floor_slot { /* two cache lines */
    uint64_t mark;  /* 1 + the number of the message */
    uint64_t len;
    unsigned char bytes[FLOOR_SMALL] __attribute__((aligned(BENCH_LINE)));
};

struct comch_floor { /* memory of both processes */
    struct floor_line line;
    struct floor_slot slots[2][FLOOR_BUFS]; /* one ring for each direction */
    struct floor_line marks[FLOOR_DEPTH], num_taken;
    struct floor_line chunks[FLOOR_DEPTH][FLOOR_LARGE / BENCH_LINE];
};

/* Messages of this turn in each direction, as this process counts them. */
static uint64_t floor_num[2];

/* Empty the rings. Called at the start of a turn, before the other process begins to serve. */
static inline void floor_begin(struct comch_floor *f)
{
    memset(f->slots, 0, sizeof(f->slots));
    memset(f->marks, 0, sizeof(f->marks));
    f->line.value = f->num_taken.value = floor_num[0] = floor_num[1] = 0;
}

static inline void floor_serve_line(struct comch_floor *f, const volatile uint32_t *is_over)
{
    uint64_t value;

    for (value = 0;; value += 2) {
        while (__atomic_load_n(&f->line.value, __ATOMIC_ACQUIRE) <= value)
            continue;
        if (*is_over != 0)
            return;
        __atomic_store_n(&f->line.value, value + 2, __ATOMIC_RELEASE);
    }
}

/* Send the line to the other process and back, n times. */
static inline void floor_line_turns(struct comch_floor *f, unsigned long n)
{
    uint64_t value = f->line.value;

    for (; n > 0; n--, value += 2) {
        __atomic_store_n(&f->line.value, value + 1, __ATOMIC_RELEASE);
        while (__atomic_load_n(&f->line.value, __ATOMIC_ACQUIRE) <= value + 1)
            continue;
    }
}

static inline void floor_end_line(struct comch_floor *f)
{
    __atomic_fetch_add(&f->line.value, 1, __ATOMIC_SEQ_CST);
}

/* Prefetch a line to write it. Without -mprfchw, the compilers' own function only asks to read. */
BENCH_INLINE void floor_prefetch(const void *line)
{
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

BENCH_INLINE void floor_send(struct comch_floor *f, unsigned way, const unsigned char *bytes)
{
    struct floor_slot *slot = &f->slots[way][floor_num[way] % FLOOR_BUFS];

    floor_prefetch(slot->bytes); /* as the producer of Comch does */
    floor_prefetch(slot);
    memcpy(slot->bytes, bytes, FLOOR_SMALL);
    slot->len = FLOOR_SMALL;
    __atomic_store_n(&slot->mark, ++floor_num[way], __ATOMIC_RELEASE);
}

BENCH_INLINE void floor_await(struct comch_floor *f, unsigned way, unsigned char *to)
{
    struct floor_slot *slot = &f->slots[way][floor_num[way]++ % FLOOR_BUFS];

    while (__atomic_load_n(&slot->mark, __ATOMIC_ACQUIRE) != floor_num[way])
        continue;
    memcpy(to, slot->bytes, FLOOR_SMALL);
}

/* Answer each message until a message arrives after *is_over was set. */
static inline void floor_serve(struct comch_floor *f, const volatile uint32_t *is_over)
{
    unsigned char bytes[FLOOR_SMALL];

    floor_num[0] = floor_num[1] = 0;
    for (floor_await(f, 0, bytes); *is_over == 0; floor_await(f, 0, bytes))
        floor_send(f, 1, bytes);
}

/* Copy a message into the ring, or write one word of each of its lines, as soon as a slot is
 * free. */
BENCH_INLINE void floor_stream(struct comch_floor *f, const unsigned char *from, bool copies)
{
    size_t i;
    const uint64_t num = floor_num[0]++;

    while (num - floor_num[1] >= FLOOR_DEPTH)
        floor_num[1] = __atomic_load_n(&f->num_taken.value, __ATOMIC_ACQUIRE);
    if (copies)
        memcpy(f->chunks[num % FLOOR_DEPTH], from, FLOOR_LARGE);
    for (i = 0; !copies && i < FLOOR_LARGE / BENCH_LINE; i++)
        __atomic_store_n(&f->chunks[num % FLOOR_DEPTH][i].value, num, __ATOMIC_RELAXED);
    __atomic_store_n(&f->marks[num % FLOOR_DEPTH].value, num + 1, __ATOMIC_RELEASE);
}

/* Wait until the receiver has taken all messages. */
static inline void floor_drain(struct comch_floor *f)
{
    while (__atomic_load_n(&f->num_taken.value, __ATOMIC_ACQUIRE) != floor_num[0])
        continue;
}

/* Copy the messages of a stream into `bufs`, FLOOR_BUFS buffers, until the end. NULL: read one word
 * of each line. */
static inline void floor_serve_stream(struct comch_floor *f, const volatile uint32_t *is_over,
                                      unsigned char *bufs)
{
    uint64_t num = 0;
    size_t i;

    while (*is_over == 0) {
        if (__atomic_load_n(&f->marks[num % FLOOR_DEPTH].value, __ATOMIC_ACQUIRE) != num + 1)
            continue;
        if (bufs != NULL)
            memcpy(bufs + num % FLOOR_BUFS * (size_t)FLOOR_LARGE, f->chunks[num % FLOOR_DEPTH],
                   FLOOR_LARGE);
        for (i = 0; bufs == NULL && i < FLOOR_LARGE / BENCH_LINE; i++)
            (void)*(volatile uint64_t *)&f->chunks[num % FLOOR_DEPTH][i].value;
        __atomic_store_n(&f->num_taken.value, ++num, __ATOMIC_RELEASE);
    }
}

#endif
