/* Helpers for tests on the fake mlx5 device of mlx5_fake.h, which consists of plain memory: make
 * the device visible, and copy on it. */
#ifndef MLX5_FAKE_RIG_H
#define MLX5_FAKE_RIG_H

#include "mlx5_fake.h"

#define AUTO_ DOCA_CORE_MLX5_ENGINE_AUTO
#define MMO_ DOCA_CORE_MLX5_ENGINE_MMO
#define RC_ DOCA_CORE_MLX5_ENGINE_RC
#define VERBS_ DOCA_CORE_MLX5_ENGINE_VERBS

static const enum doca_core_mlx5_engine engines[] = { MMO_, RC_, VERBS_ };
#define NUM_ENGINES (sizeof(engines) / sizeof(engines[0]))

/* Make the fake device the only visible device, and let it copy with `engine`. */
static inline void use_fake(enum doca_core_mlx5_engine engine)
{
    const struct doca_core_mlx5_options options = { &fake_sys, engine };
    static const struct doca_core_dev_attr none;
    static bool is_registered;
    const struct doca_core_backend *backend = doca_core_mlx5_backend(&options);

    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    if (!is_registered)
        CHECK_OK(doca_core_backend_register(backend));
    is_registered = true;
}

static inline struct doca_devinfo *fake_info(struct doca_devinfo ***list)
{
    uint32_t num;

    CHECK_OK(doca_devinfo_create_list(list, &num));
    CHECK_EQ(num, 1);
    return (*list)[0];
}

/* Open a running rig on the fake device in its initial state. Each task is freed when it ends. */
static inline void open_fake_rig(struct rig *r, enum doca_core_mlx5_engine engine,
                                 uint32_t num_tasks)
{
    fake_reset();
    use_fake(engine);
    rig_open(r, num_tasks);
    r->frees_tasks = true;
}

/* Run the device and the progress engine alternately until neither of them makes progress. */
static inline void finish(struct rig *r)
{
    while (fake_run() + rig_drain(r) > 0)
        ;
    CHECK(!fake.is_overrun);
}

#endif
