/* ---- >>legacy.job ----------------------------------------------------------------------------
 * Jobs, which a program submits, and events, which it retrieves.                                */
#ifndef DOCA_SRC_COMPAT_LEGACY_JOB_H
#define DOCA_SRC_COMPAT_LEGACY_JOB_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/legacy/config.h"

struct doca_buf;
struct doca_core_legacy_ctx;
struct doca_devinfo;

#define DOCA_ACTION_SDK_RANGE 16

enum doca_action_type {
    DOCA_ACTION_NONE = 0,
    DOCA_ACTION_DMA_FIRST = 1 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_DEVEMU_FIRST = 2 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_DEVEMU_BLOCK_FIRST = 3 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_VIRTIO_FIRST = 4 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_VBLK_FIRST = 5 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_REGEX_FIRST = 6 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_NVME_FIRST = 7 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_APPSHIELD_FIRST = 8 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_SHA_FIRST = 9 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_COMPRESS_FIRST = 10 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_IPSEC_FIRST = 11 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_RMAX_FIRST = 12 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_GRAPH_FIRST = 13 << DOCA_ACTION_SDK_RANGE
};

enum doca_job_flags { DOCA_JOB_FLAGS_NONE = 0 };

struct doca_job {
    int type;
    int flags; /* no flags are defined; ignored */
    struct doca_core_legacy_ctx *ctx;
    union doca_data user_data; /* returned in the event */
};

struct doca_event {
    int type; /* type of the job */
    union doca_data user_data;
    union doca_data result; /* u64: the doca_error_t that the job ended with */
};

enum doca_dma_job_types {
    DOCA_CORE_LEGACY_DMA_JOB_MEMCPY = DOCA_ACTION_DMA_FIRST + 1,
    DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15 = DOCA_ACTION_DMA_FIRST + 2
};

struct doca_core_legacy_dma_job_memcpy {
    struct doca_job base;
    struct doca_buf *dst_buff;       /* a single buffer or the head of a list, as is the source */
    struct doca_buf const *src_buff;
    /* number of bytes from the data address of src_buff on, which must then be a single buffer; 0
     * stands for the data length of src_buff */
    uint64_t num_bytes_to_copy;
};

struct doca_core_legacy_dma_job_memcpy_15 { /* for type DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15 */
    struct doca_job base;
    struct doca_buf *dst_buff;
    struct doca_buf const *src_buff;
};

struct doca_dma_memcpy_result {
    doca_error_t result;
};

/* Check that the device supports a type of job.
 *
 * Errors    NOT_SUPPORTED  the device does not support it */
DOCA_CORE_DECL doca_error_t doca_dma_job_get_supported(struct doca_devinfo *devinfo,
                                                       enum doca_dma_job_types job_type);

#endif
