/* The events of a recording (>>trace), for tests. A file that includes this header contains the
 * implementation with DOCA_CORE_TRACE 1. */
#ifndef TRACE_EVENTS_H
#define TRACE_EVENTS_H

#include "doca_test.h"

enum { MOST = 1 << 14 };

typedef struct doca_priv_trace_event event_t;

/* The events of one recording: all events of one thread in order, then those of the next thread. */
static event_t events[MOST];
static uint32_t thread_of[MOST];
static unsigned num_events;

static inline unsigned kind_of(const event_t *e)
{
    return e->what & 0xff;
}

static inline unsigned detail_of(const event_t *e)
{
    return e->what >> 16;
}

static inline const struct doca_priv_trace_block *block_at(const void *from, uint32_t i)
{
    return (const void *)((const unsigned char *)from + DOCA_CORE_TRACE_BLOCK * (1 + (size_t)i));
}

/* Read the complete events of a recording: blocks in the order in which they were taken. */
static inline void read_events(const void *from)
{
    const struct doca_priv_trace_head *head = from;
    const unsigned per_block = (DOCA_CORE_TRACE_BLOCK - 64) / 32;
    uint64_t serial;
    uint32_t i, k;

    CHECK_MEM(head->magic, "DOCATRC1", 8);
    num_events = 0;
    for (serial = 1; serial <= head->num_taken; serial++)
        for (i = 0; i < head->num_blocks; i++) {
            const struct doca_priv_trace_block *block = block_at(from, i);
            const event_t *e = (const event_t *)(const void *)(block + 1);

            if (block->serial != serial)
                continue;
            for (k = 0; k < per_block && e[k].what != 0; k++) {
                CHECK(num_events < MOST);
                CHECK(e[k].ticks >= block->ticks);
                CHECK(k == 0 || e[k].ticks >= e[k - 1].ticks);
                thread_of[num_events] = block->thread;
                events[num_events++] = e[k];
            }
        }
}

static inline unsigned count(unsigned kind)
{
    unsigned i, num = 0;

    for (i = 0; i < num_events; i++)
        num += kind_of(&events[i]) == kind;
    return num;
}

/* Return the index of the next event of this kind about `object` from `at` on. */
static inline unsigned find(unsigned at, unsigned kind, const void *object)
{
    for (; at < num_events; at++)
        if (kind_of(&events[at]) == kind && events[at].object == (uintptr_t)object)
            return at;
    test_fail(__FILE__, __LINE__, "no event of kind %u", kind);
}

/* Check that each callback has one end, and that it is the next event of its thread that begins or
 * ends a callback. Returns the number of callbacks. */
static inline unsigned check_callbacks(void)
{
    const event_t *open = NULL;
    uint32_t thread = 0;
    unsigned i, num = 0;

    for (i = 0; i < num_events; i++) {
        if (kind_of(&events[i]) == DOCA_PRIV_TRACE_CALLBACK) {
            CHECK(open == NULL);
            open = &events[i];
            thread = thread_of[i];
            num++;
        } else if (kind_of(&events[i]) == DOCA_PRIV_TRACE_CALLBACK_END) {
            CHECK(open != NULL);
            CHECK_EQ(events[i].object, open->object);
            CHECK_EQ(thread_of[i], thread);
            open = NULL;
        }
    }
    CHECK(open == NULL);
    return num;
}

/* Return the text behind the event at `at`. */
static inline const char *text_at(unsigned at)
{
    static char text[1024];
    size_t len = events[at].amount, done = 0;

    for (at++; done < len && at < num_events; at++) {
        CHECK_EQ(kind_of(&events[at]), DOCA_PRIV_TRACE_TEXT);
        CHECK(done + 20 < sizeof(text));
        memcpy(text + done, &events[at].object, 20);
        done += 20;
    }
    text[len] = '\0';
    return text;
}

/* Check that each task that was submitted to the context begins, ends and is called back, in this
 * order. Returns the number of tasks. */
static inline unsigned check_tasks(const struct doca_ctx *ctx)
{
    unsigned i, at, num = 0;

    for (i = 0; i < num_events; i++) {
        const void *task = (const void *)(size_t)events[i].object;

        if (kind_of(&events[i]) != DOCA_PRIV_TRACE_SUBMIT ||
            events[i].amount != doca_priv_trace_id(ctx))
            continue;
        at = find(i, DOCA_PRIV_TRACE_BEGIN, task);
        at = find(at, DOCA_PRIV_TRACE_END, task);
        at = find(at, DOCA_PRIV_TRACE_CALLBACK, task);
        CHECK_EQ(detail_of(&events[at]), DOCA_SUCCESS);
        num++;
    }
    return num;
}

#endif
