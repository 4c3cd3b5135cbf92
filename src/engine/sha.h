/* ---- >>sha ----------------------------------------------------------------------------------
 * The hash engine: SHA-1, SHA-256 and SHA-512. A task hashes the data of a source buffer list, in
 * list order, and writes the digest of 20, 32 or 64 bytes into the tailroom of a destination buffer
 * list. The length of the destination's data grows by the length of the digest. If a task fails,
 * all data lengths remain unchanged. The source can be empty.
 * A hash task computes a digest in one submission. A partial hash task is submitted once for each
 * segment of a longer message:
 *     alloc_init -> submit -> set_src, submit ... -> set_src, set_is_final_buf, submit -> reset
 * A session is the hashing of one such message. It begins when the first segment succeeds and ends
 * with reset; its state is kept in the task. The final segment writes the digest and may have any
 * length; the length of every other segment is a multiple of the block size.
 * Order of calls:
 *     create -> set_conf of one or both task types -> connect -> start -> alloc_init -> submit ...
 * Source: DOCA SHA guide; public 3.0 reference, "DOCA SHA"; FIPS 180-4.                         */
#ifndef DOCA_SRC_ENGINE_SHA_H
#define DOCA_SRC_ENGINE_SHA_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/check.h"
#include "progress/ctx.h"
#include "progress/task.h"

enum doca_sha_algorithm {
    DOCA_SHA_ALGORITHM_SHA1 = 0,
    DOCA_SHA_ALGORITHM_SHA256 = 1,
    DOCA_SHA_ALGORITHM_SHA512 = 2
};

enum { /* values of doca_task.type in a SHA context */
    DOCA_CORE_SHA_HASH = 0,
    DOCA_CORE_SHA_PARTIAL = 1
};

struct doca_sha_task_hash {
    struct doca_task task;
    const struct doca_buf *src;
    struct doca_buf *dst;
    DOCA_PRIV_CHECKED(uint64_t lives[2];) /* generation numbers of src and dst when they were set */
    uint8_t algorithm;  /* enum doca_sha_algorithm */
    /* The next three are always 0 in a hash task. In a partial hash task the library maintains
     * them; backends only read them. */
    uint8_t session;    /* DOCA_PRIV_SHA_NEW, _OPEN or _ENDED */
    uint8_t is_final;   /* 1: the next segment submitted is the final one */
    uint8_t has_result; /* 1: the destination holds the digest of the session */
};

enum {
    DOCA_PRIV_SHA_NEW = 0,  /* no segment has succeeded yet */
    DOCA_PRIV_SHA_OPEN = 1, /* a segment has succeeded, the final segment has not */
    DOCA_PRIV_SHA_ENDED = 2 /* the final segment has succeeded */
};

/* Intermediate hash value: 5 words (SHA-1) or 8 words (SHA-256) in w32, or 8 words (SHA-512) in
 * w64. */
union doca_priv_sha_state {
    uint32_t w32[8];
    uint64_t w64[8];
};

struct doca_sha_task_partial_hash {
    struct doca_sha_task_hash hash;
    /* The backend maintains both while the session is open. */
    union doca_priv_sha_state state;
    uint64_t bytes; /* bytes of the message hashed in earlier segments */
};

/* Completion callback of a hash task, or of one segment of a partial hash task. The same type
 * serves success and failure. */
typedef void (*doca_sha_task_hash_completion_cb_t)(struct doca_sha_task_hash *task,
                                                   union doca_data task_user_data,
                                                   union doca_data ctx_user_data);
typedef void (*doca_sha_task_partial_hash_completion_cb_t)(struct doca_sha_task_partial_hash *task,
                                                           union doca_data task_user_data,
                                                           union doca_data ctx_user_data);

struct doca_sha {
    struct doca_ctx ctx;
    struct doca_priv_task_stock stocks[2]; /* indexed by doca_task.type */
    doca_sha_task_hash_completion_cb_t hash_done;
    doca_sha_task_hash_completion_cb_t hash_failed;
    doca_sha_task_partial_hash_completion_cb_t partial_done;
    doca_sha_task_partial_hash_completion_cb_t partial_failed;
};

#ifndef DOCA_CORE_NO_SHA

/* Bytes of a partial hash task, rounded up to whole cache lines. */
#define DOCA_PRIV_SHA_PARTIAL_BYTES                                                                \
    ((sizeof(struct doca_sha_task_partial_hash) + DOCA_CORE_LINE - 1) / DOCA_CORE_LINE *           \
     DOCA_CORE_LINE)

/* Compute the arena bytes that a started SHA context needs. The arguments are numbers of tasks, not
 * their logarithms. The macro is for the software device. Queues of other devices can be larger;
 * the function asks the backend of `dev` for the size. */
#define DOCA_CORE_BYTES_SHA(num_hash_tasks, num_partial_hash_tasks)                                \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_sha)) +                                              \
     DOCA_CORE_BYTES_BLOCK(DOCA_CORE_SW_BYTES_QUEUE +                                              \
                           DOCA_PRIV_STOCKED(num_hash_tasks) * DOCA_PRIV_TASK_BYTES +              \
                           DOCA_PRIV_STOCKED(num_partial_hash_tasks) *                             \
                               DOCA_PRIV_SHA_PARTIAL_BYTES))
DOCA_CORE_DECL doca_error_t doca_core_bytes_sha(struct doca_dev *dev, uint32_t num_hash_tasks,
                                                uint32_t num_partial_hash_tasks, size_t *bytes);

/* Create an idle SHA context on `dev`. doca_core_sha_create_in() takes the memory from `arena`
 * instead of from the arena of the device.
 *
 * Owns      one block of the arena, and a reference to the device, until destroy
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_sha_create(struct doca_dev *dev, struct doca_sha **sha);
DOCA_CORE_DECL doca_error_t doca_core_sha_create_in(struct doca_core_arena *arena,
                                                    struct doca_dev *dev, struct doca_sha **sha);

/* Destroy a SHA context and disconnect it from its PE. A running context without allocated tasks is
 * stopped first. State changes that were not reported yet are dropped.
 *
 * Callback  allowed in the context's state callback when the new state is IDLE
 * Errors    IN_USE  tasks are in flight or not freed */
DOCA_CORE_DECL doca_error_t doca_sha_destroy(struct doca_sha *sha);

/* Return the SHA context as a generic context; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_sha_as_ctx(struct doca_sha *sha);

/* Query the hash engine of a device. The _buffer_size calls are the names of versions up to 2.5 for
 * the _buf_size calls.
 *
 *   max_list_buf_num_elem  out: maximum number of buffers per list; 1: lists are not supported
 *   max_src_buf_size       out: maximum number of bytes per submission
 *   min_dst_buf_size       out: number of bytes of the digest: 20, 32 or 64
 *   partial_block_size     out: block size in bytes: 64, 64 or 128
 *   max_num_tasks          out: maximum number of tasks per context, of both types together; 0 if
 *                          the device has no hash engine
 *
 * Errors    INVALID_VALUE  also: the algorithm is unknown
 *           NOT_SUPPORTED  the device has no hash engine (get_max_num_tasks succeeds instead) */
DOCA_CORE_DECL doca_error_t doca_sha_cap_task_hash_get_supported(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm);
DOCA_CORE_DECL doca_error_t doca_sha_cap_task_partial_hash_get_supported(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_list_buf_num_elem(
    const struct doca_devinfo *devinfo, uint32_t *max_list_buf_num_elem);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_src_buf_size(const struct doca_devinfo *devinfo,
                                                              uint64_t *max_src_buf_size);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_min_dst_buf_size(const struct doca_devinfo *devinfo,
                                                              enum doca_sha_algorithm algorithm,
                                                              uint32_t *min_dst_buf_size);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_src_buffer_size(
    const struct doca_devinfo *devinfo, uint64_t *max_src_buf_size);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_min_dst_buffer_size(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm,
    uint32_t *min_dst_buf_size);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_partial_hash_block_size(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm,
    uint32_t *partial_block_size);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_num_tasks(struct doca_sha *sha,
                                                           uint32_t *max_num_tasks);

/* Enable a task type and set the number and callbacks of its tasks. At least one of the two types
 * is mandatory before start. The calls can be repeated while the context is idle.
 *
 *   task_completion_cb, task_error_cb  called on success and on failure: exactly one of the two per
 *                                      submission. They may be the same function.
 *   log_num_tasks                      base-2 logarithm of the number of tasks that can be
 *                                      allocated at the same time; 0 to 31
 *
 * Errors    INVALID_VALUE  also: log_num_tasks is 32 or more; or the tasks of both types together
 *                          exceed doca_sha_cap_get_max_num_tasks() on a device that has a hash
 *                          engine (without one, start fails with NOT_SUPPORTED)
 *           BAD_STATE      the context is not idle */
DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_conf(
    struct doca_sha *sha, doca_sha_task_hash_completion_cb_t task_completion_cb,
    doca_sha_task_hash_completion_cb_t task_error_cb, uint8_t log_num_tasks);
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_conf(
    struct doca_sha *sha, doca_sha_task_partial_hash_completion_cb_t task_completion_cb,
    doca_sha_task_partial_hash_completion_cb_t task_error_cb, uint8_t log_num_tasks);

/* Allocate a hash task or a partial hash task.
 *
 *   src_buf, dst_buf  the buffers; NULL is allowed here, and the buffers are set later. The program
 *                     keeps its references to them.
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  also: the algorithm is unknown
 *           BAD_STATE      the context is not running
 *           NO_MEMORY      all tasks of the type are allocated, or the type was not enabled */
DOCA_CORE_DECL doca_error_t doca_sha_task_hash_alloc_init(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_hash **task);
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_alloc_init(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_partial_hash **task);

/* Return a task of either type as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *doca_sha_task_hash_as_task(struct doca_sha_task_hash *task);
DOCA_CORE_DECL struct doca_task *doca_sha_task_partial_hash_as_task(
    struct doca_sha_task_partial_hash *task);

/* Get or set the source, the destination or the algorithm of a hash task. For a NULL task the
 * getters return NULL and SHA-1.
 *
 * Errors    INVALID_VALUE  also: the algorithm is unknown
 *           BAD_STATE      the task is free or submitted */
DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_src(struct doca_sha_task_hash *task,
                                                       const struct doca_buf *src_buf);
DOCA_CORE_DECL const struct doca_buf *doca_sha_task_hash_get_src(
    const struct doca_sha_task_hash *task);
DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_dst(struct doca_sha_task_hash *task,
                                                       struct doca_buf *dst_buf);
DOCA_CORE_DECL const struct doca_buf *doca_sha_task_hash_get_dst(
    const struct doca_sha_task_hash *task);
DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_algorithm(struct doca_sha_task_hash *task,
                                                             enum doca_sha_algorithm algorithm);
DOCA_CORE_DECL enum doca_sha_algorithm doca_sha_task_hash_get_algorithm(
    const struct doca_sha_task_hash *task);

/* Get or set the source, the destination or the algorithm of a partial hash task. The source is the
 * next segment. Destination and algorithm cannot be changed during a session. For a NULL task the
 * getters return NULL and SHA-1.
 *
 * Errors    INVALID_VALUE  also: the algorithm is unknown
 *           BAD_STATE      the task is free or submitted; or a session has begun (set_dst and
 *                          set_algorithm only) */
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_src(
    struct doca_sha_task_partial_hash *task, const struct doca_buf *src_buf);
DOCA_CORE_DECL const struct doca_buf *doca_sha_task_partial_hash_get_src(
    const struct doca_sha_task_partial_hash *task);
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_dst(
    struct doca_sha_task_partial_hash *task, struct doca_buf *dst_buf);
DOCA_CORE_DECL const struct doca_buf *doca_sha_task_partial_hash_get_dst(
    const struct doca_sha_task_partial_hash *task);
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_algorithm(
    struct doca_sha_task_partial_hash *task, enum doca_sha_algorithm algorithm);
DOCA_CORE_DECL enum doca_sha_algorithm doca_sha_task_partial_hash_get_algorithm(
    const struct doca_sha_task_partial_hash *task);

/* End the session of a partial hash task, so that the next segment begins a new session. Afterwards
 * no segment is marked as the final one and has_result is 0. The task remains allocated and has its
 * buffers as before.
 *
 * Errors    BAD_STATE  the task is free or submitted */
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_reset(
    struct doca_sha_task_partial_hash *task);

/* Mark the segment that is submitted next as the final one. It may have any length, including 0,
 * and may also be the first segment (undefined in the vendor's library).
 * doca_sha_task_partial_hash_set_is_final_buffer() is the name of versions up to 2.5.
 *
 * Errors    BAD_STATE  the task is free or submitted */
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_is_final_buf(
    struct doca_sha_task_partial_hash *task);
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_is_final_buffer(
    struct doca_sha_task_partial_hash *task);

/* Query a partial hash task; NULL gives 0. get_is_final returns 1 if the next segment is marked as
 * the final one, otherwise 0. The first three functions are equivalent; they differ by name only.
 * get_has_result returns 1 if the destination contains the digest of the session, otherwise 0. */
DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_is_final(
    const struct doca_sha_task_partial_hash *task);
DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_is_final_buf(
    const struct doca_sha_task_partial_hash *task);
DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_is_final_buffer(
    const struct doca_sha_task_partial_hash *task);
DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_has_result(
    const struct doca_sha_task_partial_hash *task);

#endif /* DOCA_CORE_NO_SHA */

#endif
