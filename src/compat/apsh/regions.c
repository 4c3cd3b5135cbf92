/* ---- >>impl.apsh.regions ---------------------------------------------------------------------
 * Read mem_regions.json: {"allowed_regions": {"0": {"start": N, "length": N}, ...}}, in bytes. The
 * vendor's tool computes the length of a range of a Linux machine as last byte minus first byte,
 * which is one byte too short. Memory ends at an even address, so a region that ends at an odd
 * address is made one byte longer.                                                              */
#include "compat/apsh/regions_priv.h"

#include "compat/apsh/config.h"
#include "compat/apsh/json_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"

#define DOCA_PRIV_APSH_REGIONS_BYTES ((uint64_t)1 << 20) /* maximum length of the file */
#define DOCA_PRIV_APSH_MAX_ADDR ((uint64_t)1 << 52)      /* maximum physical address */

DOCA_PRIV_APSH_ASSERT(regions_have_room, sizeof(struct doca_priv_apsh_regions) <=
                                             DOCA_PRIV_APSH_SCRATCH_BYTES)

/* Insert a region in the order of addresses. The caller joins regions that overlap or touch. */
static bool doca_priv_apsh_regions_insert(struct doca_priv_apsh_regions *regions, uint64_t addr,
                                          uint64_t len)
{
    uint32_t at = regions->num;

    if (regions->num == DOCA_CORE_APSH_REGIONS)
        return doca_priv_apsh_json_bad(&regions->json, "more regions than DOCA_CORE_APSH_REGIONS");
    for (; at > 0 && regions->list[at - 1].addr > addr; at--)
        regions->list[at] = regions->list[at - 1];
    memset(&regions->list[at], 0, sizeof(regions->list[at]));
    regions->list[at].addr = addr;
    regions->list[at].len = len;
    regions->num++;
    return true;
}

/* Check a region, and add it from the first page boundary on. */
static bool doca_priv_apsh_regions_add(struct doca_priv_apsh_regions *regions, uint64_t start,
                                       uint64_t len)
{
    const uint64_t first = (start + DOCA_PRIV_APSH_PAGE - 1) & ~(uint64_t)(DOCA_PRIV_APSH_PAGE - 1);
    uint64_t end;

    if (start >= DOCA_PRIV_APSH_MAX_ADDR || len > DOCA_PRIV_APSH_MAX_ADDR - start)
        return doca_priv_apsh_json_bad(&regions->json, "a region that ends behind 2^52");
    end = start + len;
    end += end & (len > 0);
    return first >= end || doca_priv_apsh_regions_insert(regions, first, end - first);
}

/* Read one region. */
static bool doca_priv_apsh_regions_one(struct doca_priv_apsh_regions *regions)
{
    struct doca_priv_apsh_json *json = &regions->json;
    uint64_t start = 0, len = 0;
    bool has_start = false, has_len = false;

    if (!doca_priv_apsh_json_object(json))
        return false;
    while (doca_priv_apsh_json_key(json)) {
        if (doca_priv_apsh_json_is(json, "start"))
            has_start = doca_priv_apsh_json_integer(json, &start);
        else if (doca_priv_apsh_json_is(json, "length"))
            has_len = doca_priv_apsh_json_integer(json, &len);
        else
            doca_priv_apsh_json_skip(json);
    }
    if (json->reason != NULL)
        return false;
    if (!has_start || !has_len)
        return doca_priv_apsh_json_bad(json, "a region without \"start\" or \"length\"");
    return doca_priv_apsh_regions_add(regions, start, len);
}

/* Join regions that overlap or touch. */
static void doca_priv_apsh_regions_join(struct doca_priv_apsh_regions *regions)
{
    struct doca_core_region *list = regions->list;
    uint32_t i, num = 0;

    for (i = 0; i < regions->num; i++) {
        const uint64_t end = list[i].addr + list[i].len;

        if (num == 0 || list[i].addr > list[num - 1].addr + list[num - 1].len)
            list[num++] = list[i];
        else if (end > list[num - 1].addr + list[num - 1].len)
            list[num - 1].len = end - list[num - 1].addr;
    }
    regions->num = num;
}

/* Read the file at `path`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_regions_load(struct doca_priv_apsh_regions *regions,
                                                        const char *path, const char *function)
{
    struct doca_priv_apsh_json *json = &regions->json;
    uint64_t budget = DOCA_PRIV_APSH_REGIONS_BYTES;

    regions->num = 0;
    if (doca_priv_apsh_json_open(json, path, &budget) && doca_priv_apsh_json_object(json)) {
        while (doca_priv_apsh_json_key(json)) {
            if (!doca_priv_apsh_json_is(json, "allowed_regions")) {
                doca_priv_apsh_json_skip(json);
                continue;
            }
            if (doca_priv_apsh_json_object(json))
                while (doca_priv_apsh_json_key(json))
                    (void)doca_priv_apsh_regions_one(regions);
        }
        doca_priv_apsh_json_end(json);
        if (regions->num == 0)
            (void)doca_priv_apsh_json_bad(json, "no region in \"allowed_regions\"");
    }
    doca_priv_apsh_json_close(json);
    doca_priv_apsh_regions_join(regions);
    return json->reason == NULL
               ? DOCA_SUCCESS
               : doca_priv_apsh_file_fail(json, DOCA_CORE_ITEM_APSH_REGIONS, function);
}

/* Compute the intersections of the regions of the file with the regions of the device, and write
 * them to `to` if it is not NULL. Returns their number, and the sum of their lengths in *bytes. */
static uint32_t doca_priv_apsh_regions_common(const struct doca_priv_apsh_regions *regions,
                                              const struct doca_priv_apsh_mem *mem,
                                              struct doca_core_region *to, uint64_t *bytes)
{
    uint32_t i, k, num = 0;

    *bytes = 0;
    for (i = 0; i < regions->num; i++)
        for (k = 0; k < mem->num_regions; k++) {
            const struct doca_core_region *a = &regions->list[i], *b = &mem->regions[k];
            const uint64_t start = a->addr > b->addr ? a->addr : b->addr;
            const uint64_t ends[2] = { a->addr + a->len, b->addr + b->len };
            const uint64_t end = ends[0] < ends[1] ? ends[0] : ends[1];

            if (start >= end)
                continue;
            if (to != NULL) {
                to[num] = *b;
                to[num].addr = start;
                to[num].len = end - start;
            }
            *bytes += end - start;
            num++;
        }
    return num;
}

/* Restrict the memory of the target to the regions of the file at `path`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_regions_use(struct doca_priv_apsh_mem *mem,
                                                       const char *path, const char *function)
{
    struct doca_priv_apsh_regions *regions;
    uint64_t listed = 0, common = 0;
    void *block = NULL, *list = NULL;
    uint32_t i, num;
    doca_error_t rc = doca_core_arena_take(mem->arena, sizeof(*regions), &block);

    if (rc != DOCA_SUCCESS)
        return rc;
    regions = (struct doca_priv_apsh_regions *)block;
    rc = doca_priv_apsh_regions_load(regions, path, function);
    for (i = 0; i < regions->num; i++)
        listed += regions->list[i].len;
    num = doca_priv_apsh_regions_common(regions, mem, NULL, &common);
    if (rc == DOCA_SUCCESS && num == 0) {
        (void)doca_priv_apsh_json_bad(&regions->json, "none of its regions is memory that the "
                                                      "device reaches");
        rc = doca_priv_apsh_file_fail(&regions->json, DOCA_CORE_ITEM_APSH_REGIONS, function);
    }
    if (rc == DOCA_SUCCESS)
        rc = doca_core_arena_take(mem->arena, num * sizeof(*mem->regions), &list);
    if (rc == DOCA_SUCCESS) {
        (void)doca_priv_apsh_regions_common(regions, mem, (struct doca_core_region *)list, &common);
        if (common < listed)
            (void)doca_core_backend_fail(DOCA_SUCCESS, DOCA_CORE_ITEM_APSH_REGIONS_DIFFER, function,
                                         NULL, 0);
        mem->allowed = (struct doca_core_region *)list;
        mem->regions = mem->allowed;
        mem->num_regions = num;
    }
    (void)doca_core_arena_give(mem->arena, block);
    return rc;
}
