/* Protection domains, umems and device memory. */
#ifndef MLX5SIM_HCA_MEMORY_H
#define MLX5SIM_HCA_MEMORY_H

#include "device/hca/object.h"
#include "device/machine/space.h"

struct hca_pd {
    struct hca_object object;
};

struct hca_umem {
    struct hca_object object;
    struct sim_space *space;
    uint64_t addr, len;
    uint32_t access;
};

/* Operations of device memory; the numbers are those of mlx5dv_dm_map_op_addr(). */
enum hca_dm_operation { OPERATION_ADD, OPERATION_TEST_AND_SET, NUM_OPERATIONS };

struct hca_dm {
    struct hca_object object;
    uint64_t offset, len;       /* in the BAR */
    struct hca_object *operations[NUM_OPERATIONS];  /* NULL: the program has no addresses */
};

int hca_pd_create(struct sim_client *client, struct hca_object **out);

int hca_umem_create(struct sim_client *client, struct sim_space *space, uint64_t addr,
                    uint64_t len, uint32_t access, struct hca_object **out);

/* Finds a umem of this client, or reports the violation and returns NULL. */
struct hca_umem *hca_umem_find(const struct sim_client *client, uint32_t id);

/* True when [offset, offset + len) is inside the umem; otherwise reports the violation. */
bool hca_umem_has(const struct hca_umem *umem, uint64_t offset, uint64_t len);

/* Allocates device memory, filled with zeros. `bar_offset` receives its offset in the BAR, a
 * multiple of SIM_PAGE. */
int hca_dm_create(struct sim_client *client, uint64_t len, uint32_t log_align,
                  uint64_t *bar_offset, struct hca_object **out);

#endif
