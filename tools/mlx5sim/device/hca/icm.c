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

enum { MAX_LOG = ICM_LOG_STEERING - ICM_LOG_GRANULE };

/*
 * The memory of a function, as a binary tree of places. Place 1 is the whole memory. The two halves
 * of place i are the places 2 * i and 2 * i + 1, down to places of one granule. A piece of the
 * program occupies a whole place. `largest[i]` is 0 when place i has nothing free, otherwise 1 plus
 * the logarithm of the length, in granules, of the largest free place inside it.
 */
struct memory {
    struct sim_space space;     /* base NULL: not yet used */
    unsigned log;               /* granules */
    uint8_t largest[2u << MAX_LOG];
};

static struct memory *memories[SIM_MAX_FUNCTIONS][ICM_KINDS];

/* Returns the memory of a function, or NULL. It has pages only where programs have written. */
static struct memory *memory_of(const struct sim_function *function, enum icm_kind kind)
{
    struct memory **memory = &memories[function->index][kind];
    uint64_t len = 1ull << areas[kind].log;
    void *base;

    if (*memory)
        return *memory;
    *memory = calloc(1, sizeof(**memory));
    base = *memory ? mmap(NULL, len, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : MAP_FAILED;
    if (base == MAP_FAILED) {
        free(*memory);
        *memory = NULL;
        return NULL;
    }
    (*memory)->space = (struct sim_space){ .pidfd = -1, .base = base, .len = len, .refs = 1 };
    (*memory)->log = areas[kind].log - ICM_LOG_GRANULE;
    for (unsigned log = 0; log <= (*memory)->log; log++)
        memset((*memory)->largest + ((size_t)1 << log), (int)((*memory)->log - log + 1),
               (size_t)1 << log);
    return *memory;
}

/* Computes `largest` of the places that contain place `i`, whose length is 2^log granules. */
static void update(struct memory *memory, uint32_t i, unsigned log)
{
    uint8_t *largest = memory->largest;

    for (i /= 2, log++; i > 0; i /= 2, log++) {
        uint8_t left = largest[2 * i], right = largest[2 * i + 1];

        largest[i] = left == log && right == log ? (uint8_t)(log + 1) : left > right ? left : right;
    }
}

/* Occupies the free place of 2^log granules that has the lowest address. False: there is none. */
static bool take(struct memory *memory, unsigned log, uint64_t *offset)
{
    uint32_t i = 1;

    if (memory->largest[i] <= log)
        return false;
    for (unsigned at = memory->log; at > log; at--)
        i = memory->largest[2 * i] > log ? 2 * i : 2 * i + 1;
    memory->largest[i] = 0;
    update(memory, i, log);
    *offset = (uint64_t)(i - (1u << (memory->log - log))) << log << ICM_LOG_GRANULE;
    return true;
}

/* Frees the pages. They read as zero afterwards, which no entry of a program is. */
static void icm_release(struct hca_object *object)
{
    const struct hca_icm *icm = (const struct hca_icm *)object;
    struct memory *memory = memories[object->function->index][icm->kind];
    unsigned log = 0;
    uint32_t i;

    while (1ull << log << ICM_LOG_GRANULE < icm->len)
        log++;
    i = (1u << (memory->log - log)) + (uint32_t)(icm->offset >> ICM_LOG_GRANULE >> log);
    memory->largest[i] = (uint8_t)(log + 1);
    update(memory, i, log);
    if (madvise(icm->space->base + icm->offset, icm->len, MADV_DONTNEED))
        memset(icm->space->base + icm->offset, 0, icm->len);
}

int hca_icm_create(struct sim_client *client, enum icm_kind kind, uint64_t len, unsigned log_align,
                   struct hca_object **out)
{
    struct memory *memory = memory_of(client->function, kind);
    unsigned log = 0;
    struct hca_icm *icm;

    if (len == 0)
        return EINVAL;
    while (memory && log <= memory->log &&
           (1ull << log << ICM_LOG_GRANULE < len || log + ICM_LOG_GRANULE < log_align))
        log++;
    icm = calloc(1, sizeof(*icm));
    if (!memory || !icm || log > memory->log || !take(memory, log, &icm->offset)) {
        free(icm);
        return ENOMEM;
    }
    icm->kind = kind;
    icm->space = &memory->space;
    icm->len = 1ull << log << ICM_LOG_GRANULE;
    if (hca_add(&icm->object, HCA_ICM, client, icm_release)) {
        icm->object.function = client->function;
        icm_release(&icm->object);
        free(icm);
        return ENOMEM;
    }
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
    const struct memory *memory = memories[function->index][kind];
    uint64_t offset = address - areas[kind].start;

    return memory && offset < memory->space.len && len <= memory->space.len - offset
        ? memory->space.base + offset : NULL;
}

/* The objects that have an address. */
static const struct { enum hca_type type; uint64_t start; } places[] = {
    { HCA_TIR, ICM_AT_TIR }, { HCA_QP, ICM_AT_QP }, { HCA_TABLE, ICM_AT_TABLE },
    { HCA_SAMPLER, ICM_AT_SAMPLER }, { HCA_METER, ICM_AT_METER } };

enum { NUM_PLACES = sizeof(places) / sizeof(places[0]), NUMBER_BITS = 24 };

uint64_t icm_address_of(const struct hca_object *object)
{
    for (unsigned i = 0; i < NUM_PLACES; i++)
        if (places[i].type == object->type)
            return places[i].start | (uint64_t)object->number << 6;
    return ICM_AT_DROP;
}

struct hca_object *icm_object_at(uint64_t address)
{
    for (unsigned i = 0; i < NUM_PLACES; i++)
        if ((address - places[i].start) >> 6 >> NUMBER_BITS == 0)
            return hca_find(places[i].type, (uint32_t)((address - places[i].start) >> 6));
    return NULL;
}
