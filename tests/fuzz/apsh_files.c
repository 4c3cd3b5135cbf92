/* The files that a program may set for a system of App Shield: a symbol map, the regions of memory,
 * or the page directory, by the first byte of the input; the rest is the file. The library writes
 * one log line for a file that it refuses, and no line for a file that it accepts. Offsets and
 * regions of an accepted file are within their bounds. The library reads a bounded number of bytes
 * and closes the file. Reading the file again gives the same result. */
#include "fuzz.h"

#include <sys/mman.h>

#define DOCA_CORE_APSH_REGIONS 16 /* so that inputs fill them */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "tools/compat/doca_core_apsh.h"

enum { SYMBOL_MAP, REGIONS, PAGE_DIRECTORY, KINDS };

struct outcome {
    doca_error_t rc;
    enum doca_core_item item;
    struct doca_priv_apsh_map map;
    struct doca_priv_apsh_kpgd kpgd;
    uint32_t num_regions;
    struct doca_core_region regions[DOCA_CORE_APSH_REGIONS];
};

static int file;
static char path[64];
static struct doca_priv_apsh_isf isf;
static struct doca_priv_apsh_regions regions;
static struct outcome first, second;

static void fuzz_set_up(void)
{
    file = memfd_create("input", 0);
    CHECK(file >= 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
}

static void read_map(struct outcome *out, uint64_t bytes)
{
    uint64_t budget = DOCA_CORE_APSH_FILE_BYTES;
    size_t i;

    out->rc = DOCA_SUCCESS;
    if (!doca_priv_apsh_isf_load(&isf, &out->map, path, &budget))
        out->rc = doca_priv_apsh_file_fail(&isf.json, DOCA_CORE_ITEM_APSH_MAP, "fuzz");
    CHECK(DOCA_CORE_APSH_FILE_BYTES - budget <= DOCA_PRIV_APSH_ISF_PASSES * bytes);
    CHECK(isf.num_parts <= DOCA_PRIV_APSH_ISF_PARTS);
    CHECK(out->map.banner_len <= sizeof(out->map.banner));
    CHECK(memchr(out->map.banner, '\0', out->map.banner_len) == NULL);
    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++)
        CHECK(out->map.offsets[i] >= -1 && out->map.offsets[i] < 65536);
}

static void read_regions(struct outcome *out)
{
    uint64_t end = 0;
    uint32_t i;

    out->rc = doca_priv_apsh_regions_load(&regions, path, "fuzz");
    out->num_regions = regions.num;
    CHECK(regions.num <= DOCA_CORE_APSH_REGIONS);
    CHECK(out->rc != DOCA_SUCCESS || regions.num > 0);
    for (i = 0; i < regions.num; i++) {
        out->regions[i] = regions.list[i];
        CHECK(regions.list[i].len > 0 && regions.list[i].addr % 4096 == 0);
        CHECK(i == 0 || regions.list[i].addr > end);
        end = regions.list[i].addr + regions.list[i].len;
        CHECK(end <= (uint64_t)1 << 52);
    }
}

static void read_file(unsigned kind, uint64_t bytes, struct outcome *out)
{
    const int next = dup(file); /* the number that a new descriptor gets */

    memset(out, 0, sizeof(*out));
    CHECK(close(next) == 0);
    test_log_lines = 0;
    if (kind == SYMBOL_MAP)
        read_map(out, bytes);
    else if (kind == REGIONS)
        read_regions(out);
    else
        out->rc = doca_priv_apsh_kpgd_load(&out->kpgd, &isf.json, path, "fuzz");
    CHECK_EQ(test_log_lines, out->rc == DOCA_SUCCESS ? 0 : 1);
    if (out->rc != DOCA_SUCCESS) {
        CHECK_RC(out->rc, DOCA_ERROR_INITIALIZATION);
        out->item = doca_core_last_item();
        CHECK(out->item == DOCA_CORE_ITEM_APSH_MAP || out->item == DOCA_CORE_ITEM_APSH_REGIONS ||
              out->item == DOCA_CORE_ITEM_APSH_KPGD);
    } else if (kind == PAGE_DIRECTORY) {
        CHECK_EQ(out->kpgd.root % 4096, 0);
    }
    CHECK_EQ(dup(file), next);
    CHECK(close(next) == 0);
}

static void fuzz_run_input(void)
{
    const unsigned kind = fuzz_byte() % KINDS;
    const uint64_t bytes = fuzz_left;

    CHECK(ftruncate(file, 0) == 0);
    CHECK(pwrite(file, fuzz_input, fuzz_left, 0) == (ssize_t)fuzz_left);
    read_file(kind, bytes, &first);
    read_file(kind, bytes, &second);
    CHECK_MEM(&first, &second, sizeof(first));
}
