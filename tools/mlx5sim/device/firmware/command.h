/* A firmware command, and functions for all commands. */
#ifndef MLX5SIM_FIRMWARE_COMMAND_H
#define MLX5SIM_FIRMWARE_COMMAND_H

#include "device/hca/memory.h"

enum { DEVX_MAX_IN = 1 << 16, DEVX_MAX_OUT = 1 << 13, DEVX_PAD = 4096 };

struct devx_command {
    struct sim_client *client;
    const uint8_t *in;          /* the input, followed by at least DEVX_PAD zero bytes */
    size_t in_len;
    uint8_t *out;               /* zeroed, DEVX_MAX_OUT bytes */
    size_t out_len;             /* bytes of the output that the program receives */
    struct hca_object *created;
    unsigned opcode;
};

/* Refuses a command: writes a status and a syndrome to the output, and the reason to the log. The
 * syndromes are invented, because those of real firmware are not publicly known. */
void devx_fail(struct devx_command *c, uint8_t status, uint32_t syndrome, const char *why);

/* Returns an object of the client by type and number, or NULL after devx_fail(). */
void *devx_object(struct devx_command *c, enum hca_type type, uint32_t number, const char *what);

/* Returns umem `id`, or NULL after devx_fail() when it does not have `len` bytes at `offset`. */
struct hca_umem *devx_memory(struct devx_command *c, uint32_t id, uint64_t offset, uint64_t len,
                             const char *what);

/* True when the program receives at least `least` bytes of output; false after devx_fail(). */
bool devx_output(struct devx_command *c, size_t least);

/* True when the UAR page belongs to the client; false after devx_fail(). */
bool devx_uar(struct devx_command *c, uint32_t page);

#endif
