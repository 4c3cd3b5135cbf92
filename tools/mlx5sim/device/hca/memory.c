/* Protection domains, umems and device memory (MEMIC). */
#include "device/hca/memory.h"
#include "device/machine/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int hca_pd_create(struct sim_client *client, struct hca_object **out)
{
    struct hca_pd *pd = calloc(1, sizeof(*pd));

    if (!pd || hca_add(&pd->object, HCA_PD, client, NULL)) {
        free(pd);
        return ENOMEM;
    }
    *out = &pd->object;
    return 0;
}

static void umem_release(struct hca_object *object)
{
    sim_space_put(((struct hca_umem *)object)->space);
}

int hca_umem_create(struct sim_client *client, struct sim_space *space, uint64_t addr,
                    uint64_t len, uint32_t access, struct hca_object **out)
{
    struct hca_umem *umem;

    if (len == 0 || addr + len < addr)
        return EINVAL;
    umem = calloc(1, sizeof(*umem));
    if (!umem || hca_add(&umem->object, HCA_UMEM, client, umem_release)) {
        free(umem);
        return ENOMEM;
    }
    umem->space = sim_space_get(space);
    umem->addr = addr;
    umem->len = len;
    umem->access = access;
    /* analyzer: analyzer-malloc-leak: the table of objects holds it */
    *out = &umem->object;
    return 0;
}

struct hca_umem *hca_umem_find(const struct sim_client *client, uint32_t id)
{
    struct hca_object *object = hca_find(HCA_UMEM, id);

    if (!object || object->client != client) {
        sim_violation(client, "umem %u is not there or belongs to another client", id);
        return NULL;
    }
    return (struct hca_umem *)object;
}

bool hca_umem_has(const struct hca_umem *umem, uint64_t offset, uint64_t len)
{
    if (offset <= umem->len && len <= umem->len - offset)
        return true;
    sim_violation(umem->object.client, "%llu bytes at %#llx are outside umem %u of %llu bytes",
                  (unsigned long long)len, (unsigned long long)offset, umem->object.number,
                  (unsigned long long)umem->len);
    return false;
}

/* Search for free device memory: the first gap of enough pages. MEMIC is allocated in pages. */
struct dm_search {
    struct sim_function *function;
    uint8_t used[SIM_DM_BYTES / SIM_PAGE];
};

static void dm_mark(struct hca_object *object, void *arg)
{
    struct dm_search *search = arg;
    const struct hca_dm *dm = (const struct hca_dm *)object;

    if (object->function == search->function)
        memset(search->used + (dm->offset - SIM_BAR_DM) / SIM_PAGE, 1,
               (dm->len + SIM_PAGE - 1) / SIM_PAGE);
}

static bool dm_place(struct sim_function *function, uint64_t len, uint64_t align, uint64_t *at)
{
    struct dm_search search = { .function = function };
    uint32_t pages = (uint32_t)((len + SIM_PAGE - 1) / SIM_PAGE);
    uint32_t step = align > SIM_PAGE ? (uint32_t)(align / SIM_PAGE) : 1;

    hca_each(HCA_DM, dm_mark, &search);
    for (uint32_t first = 0; first + pages <= sizeof(search.used); first += step)
        if (!memchr(search.used + first, 1, pages)) {
            *at = SIM_BAR_DM + (uint64_t)first * SIM_PAGE;
            return true;
        }
    return false;
}

static void dm_release(struct hca_object *object)
{
    struct hca_dm *dm = (struct hca_dm *)object;

    for (unsigned i = 0; i < NUM_OPERATIONS; i++)
        if (dm->operations[i])
            hca_destroy(dm->operations[i]);
}

int hca_dm_create(struct sim_client *client, uint64_t len, uint32_t log_align,
                  uint64_t *bar_offset, struct hca_object **out)
{
    struct hca_dm *dm;
    uint64_t offset;

    if (len == 0 || log_align > 18)
        return EINVAL;
    if (len > SIM_DM_BYTES || !dm_place(client->function, len, 1ull << log_align, &offset))
        return ENOMEM;
    dm = calloc(1, sizeof(*dm));
    if (!dm || hca_add(&dm->object, HCA_DM, client, dm_release)) {
        free(dm);
        return ENOMEM;
    }
    dm->offset = offset;
    dm->len = len;
    memset(client->function->bar + offset, 0, (len + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE);
    *bar_offset = offset;
    *out = &dm->object;
    return 0;
}
