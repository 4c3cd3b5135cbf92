/* The event loop: waits for events on a set of descriptors. */
#ifndef MLX5SIM_MACHINE_WATCH_H
#define MLX5SIM_MACHINE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct watch {
    int fd;
    void (*ready)(struct watch *watch, uint32_t events);
    void *memory_to_free;       /* memory to free after the batch of events, from watch_close() */
    struct watch *next_to_free;
};

void watch_add(struct watch *watch, uint32_t events);
/* Stops waiting for the descriptor. The descriptor stays open. */
void watch_pause(struct watch *watch);
/* Closes the descriptor. `memory`, unless NULL, is freed after the current batch of events. */
void watch_close(struct watch *watch, void *memory);

/* Makes the loop. Returns 0 or an errno. */
int watch_open(void);

/* Waits for events for at most `ns` nanoseconds, or without limit if `no_limit`, and calls the
 * handlers. */
void watch_wait(uint64_t ns, bool no_limit);

/* Frees the memory of watches that were dropped outside of watch_wait(). */
void watch_free_closed(void);

#endif
