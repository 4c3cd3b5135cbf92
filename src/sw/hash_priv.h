/* ---- >>priv.sw.hash --------------------------------------------------------------------------
 * The parts of the hash queue that workers use.                                                 */
#ifndef DOCA_SRC_SW_HASH_PRIV_H
#define DOCA_SRC_SW_HASH_PRIV_H

#include "base/compiler.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "device/device.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "engine/sha.h"
#include "engine/sha_priv.h"
#include "sw/lanes_priv.h"

struct doca_priv_sha_kernels;
struct doca_priv_sha_stream;

DOCA_PRIV_DECL enum doca_core_item doca_priv_sw_absorb_local(struct doca_priv_sha_stream *s,
                                                             const unsigned char *from, size_t len);
DOCA_PRIV_DECL void doca_priv_sw_sha_open(struct doca_core_queue *queue);

/* True when the task is valid and hashes a whole message from one buffer of this process into
 * another buffer of this process. */
DOCA_PRIV_HOT bool doca_priv_sw_hash_is_plain(const struct doca_sha_task_hash *t,
                                              const struct doca_dev *dev)
{
    const struct doca_buf *src = t->src, *dst = t->dst;

    return t->task.type == DOCA_CORE_SHA_HASH && doca_priv_is_buf(src) && doca_priv_is_buf(dst) &&
           src->next == NULL && dst->next == NULL && src->flags != 0 &&
           (dst->flags & DOCA_PRIV_BUF_WRITE) != 0 &&
           (src->mmap->dev_mask & dst->mmap->dev_mask & dev->bit) != 0 &&
           src->data_len <= dev->info.attr.limits.sha_max_src_buf_size &&
           doca_priv_buf_tailroom(dst) >= doca_priv_sha_sizes[t->algorithm].digest;
}

/* True when `num` messages are enough for SIMD lanes. `shortest`: bytes of the shortest message. */
DOCA_PRIV_HOT bool doca_priv_sha_is_group(const struct doca_priv_sha_kernels *kernels,
                                          uint8_t algorithm, uint32_t num, size_t shortest)
{
    return num >= kernels->many[algorithm].from ||
           (num >= kernels->few[algorithm].from && shortest >= DOCA_PRIV_SHA_FEW_BYTES);
}

#endif
