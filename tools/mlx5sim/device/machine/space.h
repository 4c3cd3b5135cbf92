/* Memory that the device can read and write. */
#ifndef MLX5SIM_MACHINE_SPACE_H
#define MLX5SIM_MACHINE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Memory that the device can access: the address space of a process, or a part of the memory of the
 * device process itself (a "local" space). */
struct sim_space {
    pid_t pid;                  /* 0: local */
    int pidfd;                  /* -1: local, or the process is gone */
    uint8_t *base;              /* local: address 0 of the space */
    uint64_t len;               /* local: bytes */
    unsigned refs;
    bool unmap;                 /* local: munmap base with the last reference */
    bool is_null;               /* reads give zeros, and writes are discarded */
};

/* Returns the address space of a process and adds a reference. While the process lives, all calls
 * return the same object. NULL with errno: EMFILE, ENFILE or ENOMEM, or EIO after a line in the
 * log, for example when the process has ended. */
struct sim_space *space_of_process(pid_t pid);

/* Duplicates descriptor `fd` of a process into the device process. Returns -1 with an errno in
 * `error` on failure. */
int space_client_fd(const struct sim_space *process, int fd, int *error);

/* Opens the file that a process has open as descriptor `fd`, without access to its content
 * (O_PATH). No file system can make the call wait, nor a later close(). Returns -1 with an errno in
 * `error` on failure. */
int space_client_path(const struct sim_space *process, int fd, int *error);

/* Maps `len` bytes from `offset` of a file that the process has open as `fd`. The bytes start at
 * address offset % SIM_PAGE of the new space. Returns NULL with an errno in `error` on failure. */
struct sim_space *space_of_client_file(const struct sim_space *process, int fd, uint64_t offset,
                                       uint64_t len, int *error);

/* Returns the space behind the null key. It has every address and is never freed. */
struct sim_space *space_of_nothing(void);

/* Read and write memory: 0, or EFAULT when the memory is not mapped, is protected, or its process
 * has ended. After EFAULT, a part may have been transferred. */
int sim_read(struct sim_space *space, uint64_t addr, void *buf, size_t len);
int sim_write(struct sim_space *space, uint64_t addr, const void *buf, size_t len);

/* Writes as sim_write() does, and writes the last byte after all others. */
int sim_write_in_order(struct sim_space *space, uint64_t addr, const void *buf, size_t len);

/* True when the memory belongs to a process that has ended, or that is ending and has lost its
 * memory. The kernel frees the memory of an ending process before it closes its connections. */
bool sim_has_ended(const struct sim_space *space);

/* Brings the pages of a range into memory, as a read or a write of the process would, but without
 * a change of their content. Pages that are not mapped are skipped. */
void sim_touch(struct sim_space *space, uint64_t addr, uint64_t len, bool write);

/* Sets `len` bytes to zero. Returns 0 or EFAULT. */
int sim_clear(struct sim_space *space, uint64_t addr, uint64_t len);

/* Copies any number of bytes between two spaces, through a buffer. Returns 0, EFAULT when the
 * source cannot be read, or EACCES when the destination cannot be written. After a failure only the
 * first `*written` bytes of the destination may have changed. */
int sim_copy(struct sim_space *dst, uint64_t dst_addr, struct sim_space *src, uint64_t src_addr,
             uint64_t len, uint64_t *written);

struct sim_space *sim_space_get(struct sim_space *space);       /* adds a reference */
void sim_space_put(struct sim_space *space);    /* drops a reference; NULL is allowed */

/* Reads a big-endian word, such as a doorbell record. False when the memory cannot be read. */
bool sim_read_be32(struct sim_space *space, uint64_t addr, uint32_t *value);

#endif
