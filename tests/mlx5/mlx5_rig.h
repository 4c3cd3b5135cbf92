/* Helpers for tests on the RDMA devices of the machine: choose a device, copy on it, and wait until
 * it has finished. */
#ifndef MLX5_RIG_H
#define MLX5_RIG_H

#include "mlx5_trap.h"

#include "share.h"

static const enum doca_core_mlx5_engine mlx5_engines[] = {
    DOCA_CORE_MLX5_ENGINE_MMO, DOCA_CORE_MLX5_ENGINE_RC, DOCA_CORE_MLX5_ENGINE_VERBS
};
#define MLX5_NUM_ENGINES (sizeof(mlx5_engines) / sizeof(mlx5_engines[0]))

/* Make only the RDMA devices visible. They copy with `engine` and are reached through `sys`. Return
 * the number of devices. */
static inline uint32_t mlx5_show(enum doca_core_mlx5_engine engine,
                                 const struct doca_core_mlx5_sys *sys)
{
    struct doca_core_mlx5_options options = { sys, engine };
    static const struct doca_core_dev_attr none;
    static bool is_registered;
    const struct doca_core_backend *backend = doca_core_mlx5_backend(&options);
    struct doca_devinfo **list;
    uint32_t num = 0;

    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    if (!is_registered)
        CHECK_OK(doca_core_backend_register(backend));
    is_registered = true;
    if (doca_devinfo_create_list(&list, &num) == DOCA_ERROR_NOT_FOUND)
        test_skip("no RDMA device is visible");
    CHECK_OK(doca_devinfo_destroy_list(list));
    return num;
}

/* Open the device with this index in the list. */
static inline struct doca_dev *mlx5_open(uint32_t place)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;

    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK(place < num);
    CHECK_OK(doca_dev_open(list[place], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    return dev;
}

/* Return the limits of the device with this index. */
static inline struct doca_core_limits mlx5_limits(uint32_t place)
{
    struct doca_core_limits limits;
    struct doca_devinfo **list;
    uint32_t num;

    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK(place < num);
    limits = list[place]->attr.limits;
    CHECK_OK(doca_devinfo_destroy_list(list));
    return limits;
}

/* Build a running rig on a device. Tasks are freed when they end; the test releases the buffers. */
static inline void mlx5_rig_open(struct rig *r, struct doca_dev *dev, uint32_t num_tasks)
{
    rig_build_on(r, dev, num_tasks);
    CHECK_OK(doca_ctx_start(r->ctx));
    rig_drain(r);
    rig_forget_states(r);
    r->on_task = share_task_done;
}

/* Progress until no task is in flight and progress has nothing left to do, for at most 20 s. */
static inline void mlx5_finish(struct rig *r)
{
    struct timespec now, begin;
    size_t num;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        while (rig_progress(r))
            ;
        clock_gettime(CLOCK_MONOTONIC, &now);
        CHECK(now.tv_sec - begin.tv_sec < 20);
        CHECK_OK(doca_pe_get_num_inflight_tasks(r->pe, &num));
    } while (num > 0);
    while (rig_progress(r))
        ;
}

/* Copy with a new task, release the buffers, and return the status of the task. When the task fails
 * and thereby stops the context, start the context again. */
static inline doca_error_t mlx5_copy(struct rig *r, struct doca_buf *src, struct doca_buf *dst)
{
    unsigned before = r->num_ok + r->num_failed;

    CHECK_OK(rig_submit(rig_task(r->dma, src, dst)));
    mlx5_finish(r);
    CHECK_EQ(r->num_ok + r->num_failed, before + 1);
    share_drop(src, dst);
    if (r->status != DOCA_SUCCESS) {
        share_recover(r);
        mlx5_finish(r);
        rig_forget_states(r);
    }
    return r->status;
}

/* Check that a copy fails because the device refuses the access to a memory key. */
static inline void mlx5_check_denied(struct rig *r, struct doca_buf *src, struct doca_buf *dst)
{
    CHECK_RC(mlx5_copy(r, src, dst), DOCA_ERROR_IO_FAILED);
    CHECK(share_item == DOCA_CORE_ITEM_MLX5_PROTECTION ||
          share_item == DOCA_CORE_ITEM_MLX5_ACCESS || share_item == DOCA_CORE_ITEM_MLX5_QP_OP);
}

/* Give an import local read and write permission in the library's own records, so that only the
 * device can still refuse an access. */
static inline void mlx5_lift_permissions(struct doca_mmap *import)
{
    import = OBJECT(import);
    import->is_write_only = false;
    import->dev_mask = import->devs[0].dev->bit;
    import->access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    import->buf_word |= (uint32_t)DOCA_PRIV_BUF_WRITE << 8;
}

#endif
