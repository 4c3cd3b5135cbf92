/*
 * The memory of the device that programs fill with steering entries and lists of header changes.
 */
#include "rig.h"

enum { STE = 64 };

static void memory_for_entries_has_limits(void)
{
    struct rig rig = rig_open(0);
    struct mlx5dv_alloc_dm_attr of_dv = { .type = MLX5DV_DM_TYPE_STEERING_SW_ICM };
    struct ibv_alloc_dm_attr attr = { .length = STE };
    struct ibv_dm *dm = mlx5dv_alloc_dm(rig.ctx, &attr, &of_dv), *all;

    CHECK(dm);
    attr.length = (size_t)1 << 26;
    CHECK(!mlx5dv_alloc_dm(rig.ctx, &attr, &of_dv));            /* a piece is in the way */
    CHECK_EQ(ibv_free_dm(dm), 0);
    all = mlx5dv_alloc_dm(rig.ctx, &attr, &of_dv);
    CHECK(all);
    CHECK_EQ(ibv_free_dm(all), 0);
    attr.length++;
    CHECK(!mlx5dv_alloc_dm(rig.ctx, &attr, &of_dv));
    attr.length = (size_t)1 << 20;
    of_dv.type = MLX5DV_DM_TYPE_HEADER_MODIFY_SW_ICM;
    dm = mlx5dv_alloc_dm(rig.ctx, &attr, &of_dv);
    CHECK(dm);
    CHECK(!mlx5dv_alloc_dm(rig.ctx, &attr, &of_dv));
    CHECK_EQ(ibv_free_dm(dm), 0);
    rig_close(&rig);
}

static struct ibv_dm *piece_of(struct ibv_context *ctx, size_t len, uint32_t log_align)
{
    struct mlx5dv_alloc_dm_attr of_dv = { .type = MLX5DV_DM_TYPE_STEERING_SW_ICM };
    struct ibv_alloc_dm_attr attr = { .length = len, .log_align_req = log_align };

    return mlx5dv_alloc_dm(ctx, &attr, &of_dv);
}

static uint64_t address_of(struct ibv_dm *dm)
{
    struct mlx5dv_dm dv = { .comp_mask = MLX5DV_DM_MASK_REMOTE_VA };
    struct mlx5dv_obj obj = { .dm = { dm, &dv } };

    CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_DM), 0);
    return dv.remote_va;
}

static void memory_for_entries_is_aligned(void)
{
    struct rig rig = rig_open(0);
    struct ibv_dm *dm[9];
    uint64_t at[9];

    for (unsigned i = 0; i < 9; i++) {
        dm[i] = piece_of(rig.ctx, (size_t)4096 << i % 3, i == 4 ? 20 : 0);
        CHECK(dm[i]);
        at[i] = address_of(dm[i]);
        CHECK_EQ(at[i] % (4096u << i % 3), 0);
        for (unsigned k = 0; k < i; k++)
            CHECK(at[i] + (4096u << i % 3) <= at[k] || at[k] + (4096u << k % 3) <= at[i]);
    }
    CHECK_EQ(at[4] % (1u << 20), 0);
    CHECK_EQ(ibv_free_dm(dm[3]), 0);
    dm[3] = piece_of(rig.ctx, 4096, 0);
    CHECK(dm[3]);
    CHECK_EQ(address_of(dm[3]), at[3]);         /* the first free place */
    for (unsigned i = 0; i < 9; i++)
        CHECK_EQ(ibv_free_dm(dm[i]), 0);
    dm[0] = piece_of(rig.ctx, (size_t)1 << 26, 0);
    CHECK(dm[0]);
    CHECK_EQ(ibv_free_dm(dm[0]), 0);
    CHECK(!piece_of(rig.ctx, 4096, 27));
    CHECK(!piece_of(rig.ctx, SIZE_MAX, 0));
    rig_close(&rig);
}

/* The time of a piece must not depend on the number of other pieces. */
static void memory_can_have_as_many_pieces_as_granules(void)
{
    enum { NUM = 1 << 14, GROUP = 256 };
    struct rig rig = rig_open(0);
    struct ibv_dm **dm = calloc(NUM, sizeof(*dm));
    double first = 1e9, last = 1e9;

    CHECK(dm);
    for (unsigned at = 0; at < NUM; at += GROUP) {
        double start = rig_device_seconds(), time;

        for (unsigned i = at; i < at + GROUP; i++) {
            dm[i] = piece_of(rig.ctx, 4096, 0);
            CHECK(dm[i]);
        }
        time = rig_device_seconds() - start;
        if (at < NUM / 8 && time < first)
            first = time;
        if (at >= NUM / 8 * 7 && time < last)
            last = time;
    }
    CHECK(!piece_of(rig.ctx, 4096, 0));
    if (last > 4 * first)
        rig_fail(__FILE__, __LINE__, "%.0f us for each of the last pieces, %.0f us at first",
                 last * 1e6 / GROUP, first * 1e6 / GROUP);
    for (unsigned i = 0; i < NUM; i++)
        CHECK_EQ(ibv_free_dm(dm[i]), 0);
    free(dm);
    rig_close(&rig);
}

static void infiniband_has_no_memory_for_entries(void)
{
    struct rig rig = rig_open(0);
    struct mlx5dv_alloc_dm_attr of_dv = { .type = MLX5DV_DM_TYPE_STEERING_SW_ICM };
    struct ibv_alloc_dm_attr attr = { .length = STE };

    CHECK(!mlx5dv_alloc_dm(rig.ctx, &attr, &of_dv));
    CHECK_EQ(errno, EOPNOTSUPP);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(memory_for_entries_has_limits),
    RIG_CASE(memory_for_entries_is_aligned),
    RIG_CASE(memory_can_have_as_many_pieces_as_granules),
};

static const struct rig_case infiniband[] = { RIG_CASE(infiniband_has_no_memory_for_entries) };

int main(int argc, char **argv)
{
    bool is_named = argc == 2 && strcmp(argv[1], infiniband[0].name) == 0;

    return is_named ? rig_main(1, argv, infiniband, 1)
                    : rig_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}
