/* Memory of the device for software-managed steering. */
#define _DEFAULT_SOURCE
#include "device/hca/icm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const struct { uint64_t start; unsigned log; } areas[ICM_KINDS] = {
    [ICM_STEERING] = { ICM_AT_STEERING, ICM_LOG_STEERING },
    [ICM_MODIFY] = { ICM_AT_MODIFY, ICM_LOG_MODIFY } };

static struct sim_space spaces[SIM_MAX_FUNCTIONS][ICM_KINDS];   /* base NULL: not yet used */

/* Returns the memory of a function; it has pages only where programs have written. */
static struct sim_space *space_of(const struct sim_function *function, enum icm_kind kind)
{
    struct sim_space *space = &spaces[function->index][kind];
    uint64_t len = 1ull << areas[kind].log;
    void *base;

    if (space->base)
        return space;
    base = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    *space = (struct sim_space){ .pidfd = -1, .base = base, .len = len, .refs = 1 };
    return space;
}

struct search {
    const struct sim_space *space;
    uint64_t offset, len, next; /* `next`: the end of a piece that is in the way; 0: none is */
};

static void find_overlap(struct hca_object *object, void *arg)
{
    const struct hca_icm *icm = (const struct hca_icm *)object;
    struct search *search = arg;

    if (icm->space == search->space && icm->offset < search->offset + search->len &&
        search->offset < icm->offset + icm->len)
        search->next = icm->offset + icm->len;
}

/* Finds the first free place that is a multiple of the length. */
static bool place(const struct sim_space *space, uint64_t len, uint64_t *offset)
{
    struct search search = { .space = space, .len = len };

    while (search.offset + len <= space->len) {
        search.next = 0;
        hca_each(HCA_ICM, find_overlap, &search);
        if (search.next == 0) {
            *offset = search.offset;
            return true;
        }
        search.offset = (search.next + len - 1) / len * len;
    }
    return false;
}

/* Frees the pages. They read as zero afterwards, which no entry of a program is. */
static void icm_release(struct hca_object *object)
{
    const struct hca_icm *icm = (const struct hca_icm *)object;

    if (madvise(icm->space->base + icm->offset, icm->len, MADV_DONTNEED))
        memset(icm->space->base + icm->offset, 0, icm->len);
}

int hca_icm_create(struct sim_client *client, enum icm_kind kind, uint64_t len,
                   struct hca_object **out)
{
    struct sim_space *space = space_of(client->function, kind);
    uint64_t bytes = 1ull << ICM_LOG_GRANULE, offset;
    struct hca_icm *icm;

    if (len == 0)
        return EINVAL;
    while (space && bytes < len && bytes <= space->len)
        bytes *= 2;
    if (!space || bytes > space->len || !place(space, bytes, &offset))
        return ENOMEM;
    icm = calloc(1, sizeof(*icm));
    if (!icm || hca_add(&icm->object, HCA_ICM, client, icm_release)) {
        free(icm);
        return ENOMEM;
    }
    icm->kind = kind;
    icm->space = space;
    icm->offset = offset;
    icm->len = bytes;
    *out = &icm->object;
    return 0;
}

uint64_t hca_icm_address(const struct hca_icm *icm)
{
    return areas[icm->kind].start + icm->offset;
}

const uint8_t *icm_at(const struct sim_function *function, enum icm_kind kind, uint64_t address,
                      uint64_t len)
{
    const struct sim_space *space = &spaces[function->index][kind];
    uint64_t offset = address - areas[kind].start;

    return offset < space->len && len <= space->len - offset ? space->base + offset : NULL;
}

uint64_t icm_address_of(const struct hca_object *object)
{
    return (object->type == HCA_TIR ? ICM_AT_TIR : ICM_AT_QP) | (uint64_t)object->number << 6;
}
