/* ---- >>buf_array ----------------------------------------------------------------------------
 * Buffer arrays. An array describes equal, adjacent windows on one mmap. Its windows are addressed
 * by index and not by pointer, for processors that cannot follow pointers of the CPU, such as a DPA
 * or a GPU. A backend defines the processor and how it sees an array (its view; see arr_start in
 * >>backend). Without such a backend an array can be created and started, but has no handle.
 * States:
 *   stopped   the array can be configured
 *   started   the configuration is fixed
 * Source: API reference, "DOCA Buffer Array".                                                   */
#ifndef DOCA_SRC_MEMORY_BUF_ARRAY_H
#define DOCA_SRC_MEMORY_BUF_ARRAY_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"

enum doca_core_processor {
    DOCA_CORE_PROCESSOR_CPU = 0,
    DOCA_CORE_PROCESSOR_DPA = 1, /* struct doca_dpa, struct doca_dpa_dev_buf_arr */
    DOCA_CORE_PROCESSOR_GPU = 2  /* struct doca_gpu, struct doca_gpu_buf_arr */
};

struct doca_buf_arr {
    struct doca_priv_object obj;
    uint32_t mmap_serial;
    uint32_t num;    /* number of elements */
    size_t size;     /* bytes of an element; 0 before doca_buf_arr_set_params() */
    uint64_t offset; /* offset of the first element in the mmap, in bytes */
    enum doca_core_processor processor;
    /* NULL: the 3.x call created the array, and doca_core_v3_buf_arr_set_params() was not called
     * yet */
    struct doca_mmap *mmap;
    struct doca_core_arena *arena;
    void *target; /* the processor; NULL: the CPU */
    void *handle; /* while started: view of the processor, from the backend */
    struct doca_dev *dev; /* while started: device that made the view */
};

#ifndef DOCA_CORE_NO_BUF_ARRAY

#define DOCA_CORE_BYTES_BUF_ARR(n)                                                                 \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_buf_arr)))
DOCA_CORE_DECL doca_error_t doca_core_bytes_buf_arr(size_t *bytes);

typedef uint64_t doca_dpa_dev_buf_arr_t; /* since 3.0: the view of a DPA, as a number */

/* Create a stopped array on `mmap`. The mmap must have its range but need not be started.
 *
 * Owns      one block of the arena of the mmap; with doca_core_buf_arr_create_in(), one block of
 *           `arena`, and the arena of the mmap must outlive the array
 * Errors    INVALID_VALUE  also: the mmap has no range
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_buf_arr_create(struct doca_mmap *mmap,
                                                struct doca_buf_arr **buf_arr);
DOCA_CORE_DECL doca_error_t doca_core_buf_arr_create_in(struct doca_core_arena *arena,
                                                        struct doca_mmap *mmap,
                                                        struct doca_buf_arr **buf_arr);

/* Create a stopped array of `num_elem` elements. This is the signature of 3.x: a program for 3.x
 * (DOCA_CORE_API) calls it doca_buf_arr_create(). doca_core_v3_buf_arr_set_params() sets the mmap
 * later.
 *
 * Owns      one block of the bound arena
 * Errors    INVALID_VALUE  also: 0 elements, or more than 2^32 - 1
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_create(size_t num_elem,
                                                        struct doca_buf_arr **buf_arr);
DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_create_in(struct doca_core_arena *arena,
                                                           size_t num_elem,
                                                           struct doca_buf_arr **buf_arr);

/* Destroy an array, started or stopped. */
DOCA_CORE_DECL doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr);

/* Set the windows: `num_elem` windows of `size` bytes, the first beginning `start_offset` bytes
 * into the mmap.
 *
 * Errors    INVALID_VALUE  also: a number or size of 0; the windows do not fit into the mmap; the
 *                          mmap was destroyed, or none was set
 *           BAD_STATE      the array is started */
DOCA_CORE_DECL doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, size_t size,
                                                    uint32_t num_elem, uint32_t start_offset);

/* Set the mmap and the windows. This is the signature of 3.x: a program for 3.x calls it
 * doca_buf_arr_set_params(). The mmap must have its range, and its arena must outlive the array.
 * The number of elements stays unchanged.
 *
 * Errors    as doca_buf_arr_set_params() */
DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_set_params(struct doca_buf_arr *buf_arr,
                                                            struct doca_mmap *mmap,
                                                            size_t elem_size,
                                                            uint64_t start_offset);

/* Set the processor that will use the array. A later call replaces the setting. The object that
 * represents the processor still belongs to the caller.
 *
 * Errors    BAD_STATE      the array is started
 *           NOT_SUPPORTED  no registered backend has views for processors other than the CPU */
DOCA_CORE_DECL doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr,
                                                        struct doca_dpa *dpa_handler);
DOCA_CORE_DECL doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr,
                                                        struct doca_gpu *gpu_handler);

/* Start an array: fix the configuration and, if a processor was set, let a backend create the
 * processor's view.
 *
 * Owns      with a processor: a reference to the device that serves it, until stop or destroy
 * Errors    INVALID_VALUE  no parameters were set
 *           BAD_STATE      the array is already started
 *           NOT_PERMITTED  the mmap is not started or was destroyed
 *           NOT_SUPPORTED  no device of the mmap serves the processor
 *           any            the error of the backend */
DOCA_CORE_DECL doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr);

/* Stop an array, so that it can be configured again.
 *
 * Errors    BAD_STATE  the array is not started */
DOCA_CORE_DECL doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr);

/* Get the processor's view of the array. It is valid until the array or its mmap is stopped. When
 * the mmap is started again, the view stays invalid until the array is stopped and started too.
 * A program for 3.x calls doca_core_v3_buf_arr_get_dpa_handle() by the name
 * doca_buf_arr_get_dpa_handle().
 *
 * Errors    BAD_STATE      the array or its mmap is not started, or the mmap was destroyed
 *           NOT_SUPPORTED  the array is not for this processor */
DOCA_CORE_DECL doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr,
                                                        struct doca_dpa_dev_buf_arr **dpa_buf_arr);
DOCA_CORE_DECL doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr,
                                                        struct doca_gpu_buf_arr **gpu_buf_arr);
DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_get_dpa_handle(
    const struct doca_buf_arr *buf_arr, doca_dpa_dev_buf_arr_t *dpa_buf_arr);

#endif /* DOCA_CORE_NO_BUF_ARRAY */

#endif
