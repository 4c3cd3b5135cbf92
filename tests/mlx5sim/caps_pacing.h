/* Probes for test_caps.c: packet pacing. */
#ifndef MLX5SIM_TEST_CAPS_PACING_H
#define MLX5SIM_TEST_CAPS_PACING_H

#include "caps_probes.h"

/* Allocate an entry. NULL when the device refuses it. */
static struct mlx5dv_pp *makes_rate(struct probe *p, uint32_t kbps, uint32_t burst, unsigned packet,
                                    uint32_t flags)
{
    uint8_t context[48] = { 0 };

    put(context, 0x00, 32, kbps);
    put(context, 0x20, 32, burst);
    put(context, 0x50, 16, packet);
    return mlx5dv_pp_alloc(p->rig.ctx, sizeof(context), context, flags);
}

static bool allows_rate(struct probe *p, uint32_t kbps)
{
    struct mlx5dv_pp *pp = makes_rate(p, kbps, 0, 0, 0);

    if (pp)
        mlx5dv_pp_free(pp);
    return pp != NULL;
}

/* True when entries that differ in one property have different indices. */
static bool tells_apart(struct probe *p, uint32_t burst, unsigned packet)
{
    struct mlx5dv_pp *a = makes_rate(p, 1000, 0, 0, 0), *b = makes_rate(p, 1000, burst, packet, 0);
    bool good = a && b && a->index != b->index;

    if (a)
        mlx5dv_pp_free(a);
    if (b)
        mlx5dv_pp_free(b);
    return good;
}

static bool paces(struct probe *p) { return allows_rate(p, 1000); }
static bool paces_bursts(struct probe *p) { return tells_apart(p, 5000, 0); }
static bool paces_packets(struct probe *p) { return tells_apart(p, 0, 500); }

static bool limit_fastest(struct probe *p)
{
    return p->value && allows_rate(p, (uint32_t)p->value) &&
           !allows_rate(p, (uint32_t)p->value + 1);
}

static bool limit_slowest(struct probe *p)
{
    return p->value && allows_rate(p, (uint32_t)p->value) &&
           !allows_rate(p, (uint32_t)p->value - 1);
}

static bool limit_rates(struct probe *p)
{
    static struct mlx5dv_pp *entries[1 << 16];
    unsigned num = 0;
    bool good;

    while (num < p->value && (entries[num] = makes_rate(p, 1000, 0, 0, 1)) != NULL)
        num++;
    good = num && num == p->value && !allows_rate(p, 2000);
    while (num)
        mlx5dv_pp_free(entries[--num]);
    return good;
}

#endif
