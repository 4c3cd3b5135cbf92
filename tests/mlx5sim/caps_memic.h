/* Probes for test_caps.c: atomic operations of device memory. */
#ifndef MLX5SIM_TEST_CAPS_MEMIC_H
#define MLX5SIM_TEST_CAPS_MEMIC_H

#include "caps_probes.h"

#include <sys/mman.h>

static uint32_t first_word(struct ibv_dm *dm)
{
    uint32_t word = 0;

    CHECK_EQ(ibv_memcpy_from_dm(&word, dm, 0, 4), 0);
    return word;
}

/* The operations that can be mapped, as bits. */
static uint32_t mapped_operations(struct ibv_dm *dm)
{
    uint32_t mapped = 0;

    for (unsigned op = 0; op < 32; op++) {
        void *at = mlx5dv_dm_map_op_addr(dm, (uint8_t)op);

        if (!at)
            continue;
        mapped |= 1u << op;
        CHECK_EQ(munmap(at, 4096), 0);
    }
    return mapped;
}

static bool maps_operations(struct probe *p)
{
    struct ibv_alloc_dm_attr attr = { .length = 4096 };
    struct ibv_dm *dm = ibv_alloc_dm(p->rig.ctx, &attr);
    uint32_t mapped = mapped_operations(dm);

    CHECK_EQ(ibv_free_dm(dm), 0);
    return mapped && mapped == p->value;
}

/* The sizes of a store that adds, or of a load that tests and sets, as bits of their logarithm. */
static uint32_t sizes_of(struct ibv_dm *dm, uint8_t op)
{
    const uint32_t zero = 0;
    void *at = mlx5dv_dm_map_op_addr(dm, op);
    uint32_t sizes = 0;

    if (!at)
        return 0;
    for (unsigned log = 0; log < 3; log++) {
        uint32_t all = 0xffffffff >> (32 - (8 << log));

        CHECK_EQ(ibv_memcpy_to_dm(dm, 0, &zero, 4), 0);
        if (op == 0 && log == 0)
            *(volatile uint8_t *)at = 1;
        else if (op == 0 && log == 1)
            *(volatile uint16_t *)at = 1;
        else if (op == 0)
            *(volatile uint32_t *)at = 1;
        else if (log == 0)
            (void)*(volatile uint8_t *)at;
        else if (log == 1)
            (void)*(volatile uint16_t *)at;
        else
            (void)*(volatile uint32_t *)at;
        if (first_word(dm) == (op == 0 ? 1 : all))
            sizes |= 1u << log;
    }
    CHECK_EQ(munmap(at, 4096), 0);
    return sizes;
}

static bool has_sizes(struct probe *p, uint8_t op)
{
    struct ibv_alloc_dm_attr attr = { .length = 4096 };
    struct ibv_dm *dm = ibv_alloc_dm(p->rig.ctx, &attr);
    uint32_t sizes = sizes_of(dm, op);

    CHECK_EQ(ibv_free_dm(dm), 0);
    return sizes && sizes == p->value;
}

static bool increments(struct probe *p) { return has_sizes(p, 0); }
static bool tests_and_sets(struct probe *p) { return has_sizes(p, 1); }

#endif
