/* A test backend with two devices that have no queues. The first device can give buffer arrays to
 * another processor, such as a DPA or a GPU: the "far side". */
#ifndef FAR_SIDE_H
#define FAR_SIDE_H

#include "doca_test.h"

#define FAR_SIDE_DEV "0000:e0:00.0"
#define FAR_SIDE_DEV_2 "0000:e0:00.1"

static struct {
    int processor;       /* its address stands for the processor; nothing reads the value */
    doca_error_t answer; /* result of the start of the next array */
    const struct doca_buf_arr *shown; /* the array that the processor can use, or NULL */
    unsigned num_hidden; /* calls that took an array from the processor */
    int handle;          /* its address is the handle of the array on the processor */
} far_side;

static uint32_t far_side_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    if (max > 0)
        attrs[0] = (struct doca_core_dev_attr){ .pci_addr = FAR_SIDE_DEV };
    if (max > 1)
        attrs[1] = (struct doca_core_dev_attr){ .pci_addr = FAR_SIDE_DEV_2 };
    return 2;
}

static size_t far_side_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                   uint32_t depth)
{
    (void)dev, (void)engine, (void)depth;
    return 0;
}

static doca_error_t far_side_queue_open(struct doca_core_queue *queue,
                                        enum doca_core_engine engine, uint32_t depth)
{
    (void)queue, (void)engine, (void)depth;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static void far_side_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    (void)queue, (void)status;
}

static bool far_side_queue_ready(struct doca_core_queue *queue)
{
    (void)queue;
    return false;
}

static doca_error_t far_side_start(struct doca_dev *dev, const struct doca_buf_arr *arr,
                                   void **handle)
{
    CHECK_STR(dev->info.attr.pci_addr, FAR_SIDE_DEV);
    CHECK_PTR(arr->target, &far_side.processor);
    if (far_side.answer == DOCA_SUCCESS) {
        far_side.shown = arr;
        *handle = &far_side.handle;
    }
    return far_side.answer;
}

static void far_side_stop(struct doca_dev *dev, const struct doca_buf_arr *arr, void *handle)
{
    (void)dev;
    CHECK_PTR(arr, far_side.shown);
    CHECK_PTR(handle, &far_side.handle);
    far_side.shown = NULL;
    far_side.num_hidden++;
}

static const struct doca_core_backend far_side_backend = {
    .name = "far side",
    .enumerate = far_side_enumerate,
    .queue_bytes = far_side_queue_bytes,
    .queue_open = far_side_queue_open,
    .queue_flush = far_side_queue_flush,
    .queue_ready = far_side_queue_ready,
    .arr_start = far_side_start,
    .arr_stop = far_side_stop,
};

#endif
