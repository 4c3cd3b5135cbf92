/* A firmware command while it runs. */
#ifndef MLX5SIM_DEVX_H
#define MLX5SIM_DEVX_H

#include "hca.h"

enum { DEVX_MAX_IN = 1 << 16, DEVX_MAX_OUT = 1 << 13, DEVX_PAD = 4096 };

struct devx_command {
    struct sim_client *client;
    const uint8_t *in;          /* zeroes follow the input, at least DEVX_PAD of them */
    size_t in_len;
    uint8_t *out;               /* zeroed, DEVX_MAX_OUT bytes */
    struct hca_object *created;
    unsigned opcode;
};

/* Status 0, or the status, with what was wrong in the log. The syndrome is the line's own: no
 * public list says what firmware answers. */
void devx_fail(struct devx_command *c, uint8_t status, uint32_t syndrome, const char *why);

/* An object of the client by type and number, or NULL after devx_fail(). */
void *devx_object(struct devx_command *c, enum hca_type type, uint32_t number, const char *what);

/* devx_objects.c and devx_qp.c: handlers of the command table */
void devx_create_mkey(struct devx_command *c);
void devx_query_mkey(struct devx_command *c);
void devx_create_cq(struct devx_command *c);
void devx_query_cq(struct devx_command *c);
void devx_modify_cq(struct devx_command *c);
void devx_create_rmp(struct devx_command *c);
void devx_modify_rmp(struct devx_command *c);
void devx_query_rmp(struct devx_command *c);
void devx_allow_other_vhca(struct devx_command *c);
void devx_create_general(struct devx_command *c);
void devx_query_general(struct devx_command *c);
void devx_create_qp(struct devx_command *c);
void devx_modify_qp(struct devx_command *c);
void devx_query_qp(struct devx_command *c);

/* esw.c */
void devx_query_esw_functions(struct devx_command *c);
void devx_query_vuid(struct devx_command *c);

/* Ring or record at `offset` of umem `id`, `len` bytes; NULL after devx_fail(). */
struct hca_umem *devx_memory(struct devx_command *c, uint32_t id, uint64_t offset, uint64_t len,
                             const char *what);
bool devx_uar(struct devx_command *c, uint32_t page);

#endif
