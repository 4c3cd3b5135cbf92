/* ---- >>impl.sw ------------------------------------------------------------------------------
 * Registration of memory with the software device, and the copy functions that its queues share:
 * copies that bypass the caches, and copies from and to far memory.
 * A queue of the software device is a list of tasks in the order of their submission. Poll executes
 * the first task.                                                                               */
#include "sw/sw_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "device/backend.h"
#include "device/backend_priv.h"
#include "device/device.h"
#include "memory/buf.h"
#include "memory/export_priv.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"
#include "memory/mmap_get_priv.h"
#include "progress/ctx.h"
#include "sw/cpu_priv.h"
#include "sw/text_priv.h"
#include "sw/topology_priv.h"

/* Open a device for a PD of the program. The software device does not use the PD and accepts any
 * PD. The device gets the attributes of the first function of the topology; NOT_CONNECTED when the
 * topology is empty. */
DOCA_PRIV_DECL doca_error_t doca_priv_sw_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd)
{
    const struct doca_priv_sw_row *rows;
    uint32_t num;

    (void)pd;
    doca_priv_lock(&doca_priv_sw.lock);
    rows = doca_priv_sw_rows();
    num = doca_priv_sw.num_rows;
    if (num > 0)
        (void)doca_priv_sw_row_put(&rows[0], &dev->info.attr, 1, 0);
    doca_priv_unlock(&doca_priv_sw.lock);
    return num > 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_CONNECTED;
}

DOCA_PRIV_DECL doca_error_t doca_priv_sw_reg(struct doca_dev *dev, void *addr, size_t len,
                                             uint32_t access, uint32_t *mkey)
{
    (void)dev;
    (void)addr;
    (void)len;
    (void)access;
    do
        *mkey = doca_priv_serial();
    while (*mkey == 0); /* an mkey of 0 means that the range has no key */
    return DOCA_SUCCESS;
}

/* Register a range that the CPU will read and write. A range that this process cannot access is
 * rejected here, as the kernel rejects it for a hardware device. Otherwise the first task that
 * accesses the range would end the process by a signal. */
DOCA_PRIV_DECL doca_error_t doca_priv_sw_reg_range(struct doca_dev *dev,
                                                   const struct doca_core_range *range,
                                                   uint32_t *mkey, uint32_t *internal_mkey)
{
    doca_error_t rc = doca_core_backend_probe(range, "doca_mmap_start");

    return rc != DOCA_SUCCESS ? rc : doca_priv_absent_reg_range(dev, range, mkey, internal_mkey);
}

DOCA_PRIV_ASSERT_STATIC(sw_queues_fit,
                        sizeof(struct doca_priv_sw_dma_queue) <= DOCA_CORE_SW_BYTES_QUEUE &&
                            sizeof(struct doca_priv_sw_sha_queue) <= DOCA_CORE_SW_BYTES_QUEUE);

#ifdef DOCA_PRIV_STREAMS

#define DOCA_PRIV_SW_STREAM_ALWAYS ((size_t)64 << 20) /* bytes; copies of at least this length
                                                       * bypass the caches */

#define DOCA_PRIV_SW_STREAM_PAGES 4 /* pages that are copied in parallel, line by line: so many DRAM
                                     * pages stay open at a time */

/* Return the size of the largest cache in bytes, from the CPUID leaves of Intel (4) and AMD
 * (0x8000001d); 0 when the CPU does not report it. */
static size_t doca_priv_sw_cache_bytes(void)
{
    static const unsigned leaves[2] = { 4, 0x8000001d };
    unsigned leaf, i, eax, ebx, ecx, edx;
    size_t most = 0, bytes;

    for (leaf = 0; leaf < 2; leaf++) {
        for (i = 0; i < 8 && __get_cpuid_count(leaves[leaf], i, &eax, &ebx, &ecx, &edx) != 0 &&
                    (eax & 31) != 0; i++) {
            bytes = ((size_t)(ebx >> 22) + 1) * ((ebx >> 12 & 1023) + 1) * ((ebx & 4095) + 1) *
                    ((size_t)ecx + 1);
            most = bytes > most ? bytes : most;
        }
    }
    return most;
}

/* Copy with stores that bypass the caches, in groups of DOCA_PRIV_SW_STREAM_PAGES pages. `to` is
 * aligned to a cache line. Return the bytes copied; the rest is shorter than a group. */
typedef size_t doca_priv_sw_stream(unsigned char *to, const unsigned char *from, size_t len);

#define DOCA_PRIV_SW_STREAM(name, target, vector, load, store)                                     \
    target static size_t name(unsigned char *to, const unsigned char *from, size_t len)            \
    {                                                                                              \
        const size_t page = 4096, group = page * DOCA_PRIV_SW_STREAM_PAGES;                        \
        vector line[DOCA_CORE_LINE / sizeof(vector)];                                              \
        size_t begin, at, i, k;                                                                    \
                                                                                                   \
        for (begin = 0; len - begin >= group; begin += group) {                                    \
            for (i = 0; i < page; i += DOCA_CORE_LINE) {                                           \
                for (at = begin + i; at < begin + group; at += page) {                             \
                    for (k = 0; k < DOCA_CORE_LINE / sizeof(vector); k++)                          \
                        line[k] = load((const vector *)(const void *)(from + at) + k);             \
                    for (k = 0; k < DOCA_CORE_LINE / sizeof(vector); k++)                          \
                        store((vector *)(void *)(to + at) + k, line[k]);                           \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        _mm_sfence(); /* non-temporal stores are ordered only by a fence */                        \
        return begin;                                                                              \
    }

DOCA_PRIV_SW_STREAM(doca_priv_sw_stream_sse2, , __m128i, _mm_loadu_si128, _mm_stream_si128)
DOCA_PRIV_SW_STREAM(doca_priv_sw_stream_avx2, DOCA_PRIV_SIMD_AVX2, __m256i, _mm256_loadu_si256,
                    _mm256_stream_si256)

/* Return the function that copies `len` bytes past the caches, or NULL if the copy should go
 * through the caches. The size of the largest cache is queried only once, because the CPUID
 * instruction may take longer than a small copy. A hypervisor may hide that size: then every copy
 * of at least DOCA_PRIV_SW_STREAM_BYTES bypasses the caches. */
static doca_priv_sw_stream *doca_priv_sw_stream_for(size_t len)
{
    static size_t known; /* size of the largest cache in bytes, a multiple of 64; plus 2 when the
                          * size is known; plus 1 with AVX2 */
    size_t cpu = DOCA_PRIV_LOAD(&known);

    if (cpu == 0) {
        cpu = (doca_priv_sw_cache_bytes() & ~(size_t)63) | 2;
        if ((doca_priv_simd_cpu() & DOCA_PRIV_CPU_AVX2) != 0)
            cpu |= 1;
        DOCA_PRIV_STORE(&known, cpu);
    }
    if (len < DOCA_PRIV_SW_STREAM_BYTES || (len < DOCA_PRIV_SW_STREAM_ALWAYS && len <= cpu / 2))
        return NULL;
    return (cpu & 1) != 0 ? doca_priv_sw_stream_avx2 : doca_priv_sw_stream_sse2;
}

DOCA_PRIV_DECL DOCA_PRIV_NOINLINE void
doca_priv_sw_copy_large(unsigned char *to, const unsigned char *from, size_t len)
{
    doca_priv_sw_stream *stream = doca_priv_sw_stream_for(len);
    size_t done = 0;

    if (stream != NULL && (uintptr_t)to - (uintptr_t)from >= len &&
        (uintptr_t)from - (uintptr_t)to >= len) {
        done = (size_t)(-(uintptr_t)to % DOCA_CORE_LINE);
        DOCA_CORE_MEMMOVE(to, from, done);
        done += stream(to + done, from + done, len - done);
    }
    DOCA_CORE_MEMMOVE(to + done, from + done, len - done);
}

#endif

/* Append `len` bytes to the content of the list `dst`, which must have enough room. Return the
 * buffer where the next append continues. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED struct doca_buf *
doca_priv_sw_append(struct doca_buf *dst, const unsigned char *from, size_t len)
{
    size_t room, n;

    while (len > 0) {
        room = doca_priv_buf_tailroom(dst);
        if (room == 0) {
            dst = dst->next;
            continue;
        }
        n = len < room ? len : room;
        doca_priv_sw_copy(dst->data + dst->data_len, from, n);
        dst->data_len += n;
        from += n;
        len -= n;
    }
    return dst;
}

/* Add `len` bytes to the trip. If the trip is full, or is for another exporter or the other
 * direction, it is performed first. The last bytes stay on the trip until doca_priv_far_go(). */
DOCA_PRIV_DECL enum doca_core_item
doca_priv_sw_trip_add(struct doca_priv_far_trip *trip, const struct doca_priv_far *far,
                      bool is_write, unsigned char *local, const unsigned char *remote, size_t len)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    size_t n;

    while (len > 0 && item == DOCA_CORE_ITEM_NONE) {
        if (trip->num == DOCA_PRIV_FAR_PIECES || trip->bytes == DOCA_PRIV_FAR_BYTES ||
            (trip->num > 0 && (trip->far != far || trip->is_write != is_write)))
            item = doca_priv_far_go(trip);
        n = DOCA_PRIV_FAR_BYTES - trip->bytes;
        if (n > len)
            n = len;
        trip->far = far;
        trip->is_write = is_write;
        doca_priv_far_add(trip, local, (uintptr_t)remote, n);
        local += n;
        remote += n;
        len -= n;
    }
    return item;
}

/* Copy through an intermediate buffer: between two exporters, or between overlapping ranges, where
 * `backwards` starts at the end, as memmove() does. A `far` of NULL stands for this process.
 * *is_dirty is set when the destination may have been written to. */
static enum doca_core_item doca_priv_sw_bounce(const struct doca_priv_far *to_far,
                                               unsigned char *to,
                                               const struct doca_priv_far *from_far,
                                               unsigned char *from, size_t len, bool backwards,
                                               bool *is_dirty)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    unsigned char bounce[DOCA_PRIV_SW_BOUNCE];
    struct doca_priv_far_trip trip;
    size_t done, n, at;

    doca_priv_far_begin(&trip, NULL);
    for (done = 0; done < len && item == DOCA_CORE_ITEM_NONE; done += n) {
        n = len - done < sizeof(bounce) ? len - done : sizeof(bounce);
        at = backwards ? len - done - n : done;
        if (from_far == NULL)
            item = doca_priv_sw_move(bounce, from + at, n);
        else
            item = doca_priv_sw_trip_add(&trip, from_far, false, bounce, from + at, n);
        if (item == DOCA_CORE_ITEM_NONE)
            item = doca_priv_far_go(&trip);
        *is_dirty = *is_dirty || item == DOCA_CORE_ITEM_NONE;
        if (item == DOCA_CORE_ITEM_NONE && to_far != NULL)
            item = doca_priv_sw_trip_add(&trip, to_far, true, bounce, to + at, n);
        if (item == DOCA_CORE_ITEM_NONE)
            item = doca_priv_far_go(&trip);
        if (item == DOCA_CORE_ITEM_NONE && to_far == NULL)
            item = doca_priv_sw_move(to + at, bounce, n);
    }
    return item;
}

/* True when the `len` bytes at `to` and at `from` share memory. The processes of both ranges are
 * compared only if their addresses overlap, because finding the process costs a system call.
 * *is_after: `to` is at a higher address than `from`. */
static bool doca_priv_sw_overlaps(const struct doca_mmap *to_map, const unsigned char *to,
                                  const struct doca_mmap *from_map, const unsigned char *from,
                                  size_t len, bool *is_after)
{
    const uintptr_t to_at = doca_priv_far_addr(to_map, to);
    const uintptr_t from_at = from_map == NULL ? (uintptr_t)from
                                               : doca_priv_far_addr(from_map, from);
    uint32_t to_pid = 0, from_pid = 0;

    *is_after = to_at > from_at;
    if (to_at >= from_at + len || from_at >= to_at + len)
        return false;
    (void)doca_priv_far_place(to_map, to, &to_pid);
    if (from_map != NULL)
        (void)doca_priv_far_place(from_map, from, &from_pid);
    return to_pid == from_pid;
}

/* Copy `len` bytes at `from` in `from_map` (NULL: memory of this process) to `to` in `to_map`. The
 * copy is complete when this function returns or, if it was added to the trip, when the trip is
 * performed. */
static enum doca_core_item doca_priv_sw_copy_between(
    struct doca_priv_far_trip *trip, const struct doca_mmap *to_map, unsigned char *to,
    const struct doca_mmap *from_map, unsigned char *from, size_t len)
{
    unsigned char *local_to = doca_priv_mmap_local(to_map, to);
    unsigned char *local_from = doca_priv_mmap_local(from_map, from);
    bool overlaps, is_after;

    if (local_to != NULL && local_from != NULL) {
        trip->is_dirty = true;
        return doca_priv_sw_move(local_to, local_from, len);
    }
    overlaps = doca_priv_sw_overlaps(to_map, to, from_map, from, len, &is_after);
    if (overlaps || (local_to == NULL && local_from == NULL))
        /* analyzer: analyzer-null-dereference: far memory has an mmap */
        return doca_priv_sw_bounce(local_to != NULL ? NULL : to_map->far,
                                   local_to != NULL ? local_to : to,
                                   /* analyzer: core.NullDereference: far memory has an mmap */
                                   local_from != NULL ? NULL : from_map->far,
                                   local_from != NULL ? local_from : from, len,
                                   overlaps && is_after, &trip->is_dirty);
    /* analyzer: core.NullDereference,analyzer-null-dereference: far memory has an mmap */
    return local_to != NULL ? doca_priv_sw_trip_add(trip, from_map->far, false, local_to, from, len)
                            : doca_priv_sw_trip_add(trip, to_map->far, true, local_from, to, len);
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sw_out_begin(struct doca_priv_sw_out *out,
                                                            const struct doca_buf *dst)
{
    out->buf = dst;
    out->filled = 0;
    out->written = 0;
    doca_priv_far_begin(&out->trip, NULL);
}

/* Append `len` bytes at `from` in `mmap` (NULL: memory of this process) to the output of a task.
 * The destination list must have room for them. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED enum doca_core_item
doca_priv_sw_far_append(struct doca_priv_sw_out *out, const struct doca_mmap *mmap,
                        unsigned char *from, size_t len)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    size_t n;

    for (; len > 0 && item == DOCA_CORE_ITEM_NONE; from += n, len -= n, out->filled += n) {
        n = doca_priv_buf_tailroom(out->buf) - out->filled;
        if (n == 0) {
            out->buf = out->buf->next;
            out->filled = 0;
            continue;
        }
        n = len < n ? len : n;
        out->written += n;
        item = doca_priv_sw_copy_between(&out->trip, out->buf->mmap,
                                         out->buf->data + out->buf->data_len + out->filled, mmap,
                                         from, n);
    }
    return item;
}

/* Set `len` bytes at `to`, in memory of the exporter `far`, to 0 if the export is still valid. */
static DOCA_PRIV_COLD void doca_priv_sw_far_clear(const struct doca_priv_far *far,
                                                  unsigned char *to, uint64_t len)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    unsigned char zeros[DOCA_PRIV_SW_BOUNCE];
    struct doca_priv_far_trip trip;
    size_t n;

    DOCA_CORE_MEMSET(zeros, 0, sizeof(zeros));
    doca_priv_far_begin(&trip, NULL);
    for (; len > 0 && item == DOCA_CORE_ITEM_NONE; to += n, len -= n) {
        n = len < sizeof(zeros) ? (size_t)len : sizeof(zeros);
        item = doca_priv_sw_trip_add(&trip, far, true, zeros, to, n);
    }
    if (item == DOCA_CORE_ITEM_NONE)
        (void)doca_priv_far_go(&trip);
}

/* Set the bytes after the contents of `dst` that a failed copy may have written to 0. */
DOCA_PRIV_DECL DOCA_PRIV_COLD void doca_priv_sw_out_clear(const struct doca_priv_sw_out *out,
                                                          const struct doca_buf *dst)
{
    uint64_t left = out->trip.is_dirty ? out->written : 0, room;
    unsigned char *to, *local;

    for (; left > 0; dst = dst->next, left -= room) {
        room = doca_priv_buf_tailroom(dst);
        room = room < left ? room : left;
        to = dst->data + dst->data_len;
        local = doca_priv_mmap_local(dst->mmap, to);
        if (local != NULL)
            doca_core_backend_clear(local, (size_t)room);
        else
            doca_priv_sw_far_clear(dst->mmap->far, to, room);
    }
}

/* Perform the pending trip and, if it succeeds, let the contents of `dst` grow by `len` bytes. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED enum doca_core_item
doca_priv_sw_out_end(struct doca_priv_sw_out *out, struct doca_buf *dst, uint64_t len)
{
    enum doca_core_item item = doca_priv_far_go(&out->trip);
    size_t room;

    for (; item == DOCA_CORE_ITEM_NONE && len > 0; dst = dst->next) {
        room = doca_priv_buf_tailroom(dst);
        if (room > len)
            room = (size_t)len;
        dst->data_len += room;
        len -= room;
    }
    return item;
}

/* Notify the kernel that the CPU begins, or ends, to access the dmabufs of a list. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sw_sync(const struct doca_buf *buf, bool begins)
{
    for (; buf != NULL; buf = buf->next)
        if (buf->mmap->far != NULL && buf->mmap->far->view != NULL)
            doca_priv_sys_dmabuf_sync(buf->mmap->far->dmabuf_fd, begins);
}
