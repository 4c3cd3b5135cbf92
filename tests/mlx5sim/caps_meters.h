/* Probes for test_caps.c: flow meters. */
#ifndef MLX5SIM_TEST_CAPS_METERS_H
#define MLX5SIM_TEST_CAPS_METERS_H

#include "caps_packets.h"

enum { METER_BYTES = 0x90 };

/* Call `check` with a command that creates a meter in front of a table. */
static bool with_meter(struct probe *p, bool (*check)(struct probe *p, uint8_t in[METER_BYTES]))
{
    uint8_t in[METER_BYTES] = { 0 }, out[16] = { 0 };
    struct mlx5dv_devx_obj *table;
    bool good;

    put(in, 0, 16, 0x930);
    table = mlx5dv_devx_obj_create(p->rig.ctx, in, 0x40, out, sizeof(out));
    memset(in, 0, sizeof(in));
    put(in, 0, 16, 0xa00);
    put(in, 0x30, 16, 0xa);
    put(in, 0x80 + 0x40, 1, 1);
    put(in, 0x80 + 0x68, 24, get(out, 0x48, 24));
    put(in, 0x180, 1, 1);
    put(in, 0x180 + 0x02, 2, 2);
    good = table && check(p, in);
    return table && mlx5dv_devx_obj_destroy(table) == 0 && good;
}

static bool makes_meter(struct probe *p, uint8_t in[METER_BYTES])
{
    return creates(&p->rig, in, METER_BYTES);
}

static bool meters(struct probe *p) { return with_meter(p, makes_meter); }

/* The announced registers are exactly those that a meter can write. */
static bool makes_meter_of_registers(struct probe *p, uint8_t in[METER_BYTES])
{
    uint32_t registers = 0;

    for (unsigned i = 0; i < 16; i++) {
        put(in, 0x80 + 0x44, 4, i);
        registers |= creates(&p->rig, in, METER_BYTES) ? 1u << i : 0;
    }
    return registers && registers == p->value;
}

static bool meters_to_registers(struct probe *p)
{
    return with_meter(p, makes_meter_of_registers);
}

static bool makes_exactly_announced(struct probe *p, uint8_t in[METER_BYTES])
{
    return makes_exactly(p, in, METER_BYTES, 1u << p->value);
}

static bool limit_meters(struct probe *p)
{
    return p->value && with_meter(p, makes_exactly_announced);
}

#endif
