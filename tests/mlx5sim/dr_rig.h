/*
 * Helpers for tests of steering by entries that libmlx5 writes (mlx5dv_dr_*): a domain whose table
 * gets all frames of one direction.
 */
#ifndef MLX5SIM_TEST_DR_RIG_H
#define MLX5SIM_TEST_DR_RIG_H

#include "flow_rig.h"

enum { LEVEL_1 = 1, MATCH_LEN = 0x40, SMAC_15_0 = 0x20 };       /* SMAC_15_0: bit of the match */

struct match {
    size_t len;
    uint64_t bytes[MATCH_LEN / 8];
};

/* A domain for one direction, and a table that gets all packets from a rule of the root table. */
struct dr {
    struct flow_rig rig;
    struct ibv_context *ctx;
    struct mlx5dv_dr_domain *domain;
    struct mlx5dv_dr_table *root_table, *table;
    struct mlx5dv_dr_matcher *root_matcher, *matcher;
    struct mlx5dv_dr_action *to_table;
    struct mlx5dv_dr_rule *root_rule;
};

__attribute__((unused)) static struct mlx5dv_dr_matcher *
matcher_of(struct mlx5dv_dr_table *table, uint16_t priority, unsigned bit, unsigned width)
{
    struct match mask = { .len = MATCH_LEN };

    put((uint8_t *)mask.bytes, bit, width, UINT64_MAX);
    return mlx5dv_dr_matcher_create(table, priority, width ? OUTER : 0,
                                    (struct mlx5dv_flow_match_parameters *)(uintptr_t)&mask);
}

__attribute__((unused)) static struct mlx5dv_dr_rule *
rule_of(struct mlx5dv_dr_matcher *matcher, unsigned bit, unsigned width, uint64_t value, size_t num,
        struct mlx5dv_dr_action *actions[])
{
    struct match match = { .len = MATCH_LEN };

    put((uint8_t *)match.bytes, bit, width, value);
    return mlx5dv_dr_rule_create(matcher,
                                 (struct mlx5dv_flow_match_parameters *)(uintptr_t)&match, num,
                                 actions);
}

/* Wait until the device has all entries that libmlx5 has written. */
__attribute__((unused)) static void dr_sync(const struct dr *dr)
{
    CHECK_EQ(mlx5dv_dr_domain_sync(dr->domain, MLX5DV_DR_DOMAIN_SYNC_FLAGS_SW |
                                   MLX5DV_DR_DOMAIN_SYNC_FLAGS_HW), 0);
}

__attribute__((unused)) static struct dr dr_open(enum mlx5dv_dr_domain_type type)
{
    struct dr dr = { .rig = flow_open(0) };

    dr.ctx = dr.rig.raw.rig.ctx;
    dr.domain = mlx5dv_dr_domain_create(dr.ctx, type);
    CHECK(dr.domain);
    dr.root_table = mlx5dv_dr_table_create(dr.domain, 0);
    dr.table = mlx5dv_dr_table_create(dr.domain, LEVEL_1);
    CHECK(dr.root_table && dr.table);
    dr.root_matcher = matcher_of(dr.root_table, 0, 0, 0);
    dr.matcher = matcher_of(dr.table, 1, SMAC_15_0, 16);
    CHECK(dr.root_matcher && dr.matcher);
    dr.to_table = mlx5dv_dr_action_create_dest_table(dr.table);
    CHECK(dr.to_table);
    dr.root_rule = rule_of(dr.root_matcher, 0, 0, 0, 1, &dr.to_table);
    CHECK(dr.root_rule);
    return dr;
}

__attribute__((unused)) static void dr_close(struct dr *dr)
{
    CHECK_EQ(mlx5dv_dr_rule_destroy(dr->root_rule), 0);
    CHECK_EQ(mlx5dv_dr_action_destroy(dr->to_table), 0);
    CHECK_EQ(mlx5dv_dr_matcher_destroy(dr->matcher), 0);
    CHECK_EQ(mlx5dv_dr_matcher_destroy(dr->root_matcher), 0);
    CHECK_EQ(mlx5dv_dr_table_destroy(dr->table), 0);
    CHECK_EQ(mlx5dv_dr_table_destroy(dr->root_table), 0);
    CHECK_EQ(mlx5dv_dr_domain_destroy(dr->domain), 0);
    flow_close(&dr->rig);
}

/* Send a frame whose source address ends with `smac`. Return the number of frames that arrive.
 * Before the frame is sent, the device gets the entries of all rules. */
__attribute__((unused)) static unsigned pass(struct dr *dr, uint16_t smac, struct got *got)
{
    uint32_t len = flow_frame(&dr->rig, 4, 5, 9);

    dr_sync(dr);
    put(dr->rig.raw.mem, 10 * 8, 16, smac);
    return flow_pass(&dr->rig, len, 0, got);
}

#endif
