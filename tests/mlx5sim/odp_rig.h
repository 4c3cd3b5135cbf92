/* A connected RC queue pair and a pinned region, for tests of on-demand paging. */
#ifndef MLX5SIM_TEST_ODP_RIG_H
#define MLX5SIM_TEST_ODP_RIG_H

#include "link_rig.h"

#include <sys/mman.h>

enum { PAGE = 4096, LEN = 16 * PAGE, ON_DEMAND = RIG_ALL_ACCESS | IBV_ACCESS_ON_DEMAND };

/* A connected RC queue pair, and a pinned region of LEN bytes. */
struct fixture {
    struct rig rig;
    struct link link;
    uint8_t *pinned;
    struct ibv_mr *mr;
};

__attribute__((unused)) static struct fixture *setup(void)
{
    static struct fixture f;

    f = (struct fixture){ .rig = rig_open(0), .pinned = rig_memory(LEN) };
    f.link = link_open(&f.rig, LINK_RC, false);
    f.mr = ibv_reg_mr(f.rig.pd, f.pinned, LEN, RIG_ALL_ACCESS | IBV_ACCESS_MW_BIND);
    CHECK(f.mr);
    rig_fill(f.pinned, LEN, 3);
    return &f;
}

__attribute__((unused)) static void teardown(struct fixture *f)
{
    CHECK_EQ(ibv_dereg_mr(f->mr), 0);
    link_close(&f->link);
    rig_close(&f->rig);
    free(f->pinned);
}

/* Make a new link after a request has failed. */
__attribute__((unused)) static void again(struct fixture *f)
{
    link_close(&f->link);
    f->link = link_open(&f->rig, LINK_RC, false);
}

__attribute__((unused)) static struct rig_side pinned(const struct fixture *f, uint32_t len)
{
    return (struct rig_side){ f->pinned, len, f->mr->lkey };
}

/* Map `len` bytes that nobody has touched; at `at`, unless it is NULL. */
__attribute__((unused)) static uint8_t *map_at(void *at, size_t len)
{
    uint8_t *p = mmap(at, len, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);

    CHECK(p != MAP_FAILED);
    return p;
}

/* Return the address of a range that is not mapped. The kernel chooses addresses from the top, so
 * it maps nothing in this range. */
__attribute__((unused)) static uint8_t *unmapped(size_t len)
{
    static uintptr_t next = 1ull << 44;
    void *at = (void *)next;

    next += 1ull << 30;
    CHECK(mmap(at, len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == at);
    CHECK_EQ(munmap(at, len), 0);
    return at;
}

__attribute__((unused)) static struct ibv_mr *region(struct fixture *f, void *addr, size_t len,
                                                     unsigned access)
{
    struct ibv_mr *mr = ibv_reg_mr(f->rig.pd, addr, len, access);

    CHECK(mr);
    return mr;
}

__attribute__((unused)) static bool all_zero(const uint8_t *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (p[i])
            return false;
    return true;
}

#endif
