/* An ioctl: its caller, its attributes, its reply. */
#ifndef MLX5SIM_DRIVER_CALL_H
#define MLX5SIM_DRIVER_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include "device/driver/state.h"
#include "wire/protocol.h"

#include <rdma/rdma_user_ioctl_cmds.h>

struct call {
    struct uverbs_context *context;
    struct sim_client *client;
    pid_t pid;
    struct sim_space *space;    /* the caller's memory */
    struct ib_uverbs_ioctl_hdr *hdr;
    struct wire_reply *reply;
    int fds[WIRE_MAX_FDS];      /* sent to the program with the reply, then closed */
};

struct ib_uverbs_attr *attr_find(const struct call *call, unsigned id);
/* Reads at most `bytes` bytes of an input attribute and zeroes the rest of `out`. ENOENT when the
 * attribute is absent. */
int attr_in(const struct call *call, unsigned id, void *out, size_t bytes);
/* Returns the value that an attribute contains, such as a constant or a handle; 0 when it is
 * absent. */
uint64_t attr_value(const struct call *call, unsigned id);
/* Writes an output attribute: data that is longer is truncated, shorter data is filled up with
 * zeros. Does nothing when the attribute is absent. */
int attr_out(const struct call *call, unsigned id, const void *data, size_t bytes);
void attr_out_value(const struct call *call, unsigned id, uint64_t value);
/* Read and write the structures of an INVOKE_WRITE command. ENOSPC when the program gives less than
 * `bytes` bytes. command_room() checks the output in advance. */
int command_in(const struct call *call, void *command, size_t bytes);
int command_out(const struct call *call, const void *response, size_t bytes);
bool command_room(const struct call *call, size_t bytes);
/* Send a descriptor to the program with the reply and close it in this process. The library stores
 * its number in the attribute, or at `addr`. */
void attr_out_fd(struct call *call, unsigned id, int fd);
void call_out_fd(struct call *call, uint64_t addr, int fd);

#endif
