/* ibv_advise_mr(): prefetches of regions with on-demand paging. */
#define _GNU_SOURCE
#include "odp_rig.h"

enum { READ = IBV_ADVISE_MR_ADVICE_PREFETCH, WRITE = IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE,
       NO_FAULT = IBV_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT, FLUSH = IBV_ADVISE_MR_FLAG_FLUSH };

static int advise(struct ibv_pd *pd, unsigned advice, unsigned flags, void *addr, uint32_t len,
                  uint32_t key)
{
    struct ibv_sge sge = { (uintptr_t)addr, len, key };

    return ibv_advise_mr(pd, (enum ibv_advise_mr_advice)advice, flags, &sge, 1);
}

/* Return how many of the pages are in memory. */
static unsigned present(void *addr, size_t len)
{
    unsigned char page[LEN / PAGE];
    unsigned num = 0;

    CHECK_EQ(mincore(addr, len, page), 0);
    for (size_t i = 0; i < len / PAGE; i++)
        num += page[i] & 1;
    return num;
}

static void a_prefetch_brings_pages_into_memory(void)
{
    static const struct { unsigned advice, flags, want; } t[] = {
        { READ, FLUSH, 4 }, { WRITE, FLUSH, 4 }, { NO_FAULT, FLUSH, 0 },
        { READ, 0, 4 }, { WRITE, 0, 4 }, { NO_FAULT, 0, 0 },
    };
    struct fixture *f = setup();

    for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
        for (unsigned implicit = 0; implicit < 2; implicit++) {
            uint8_t *at = map_at(NULL, LEN);
            struct ibv_mr *mr = region(f, implicit ? NULL : at, implicit ? SIZE_MAX : LEN,
                                       ON_DEMAND);

            CHECK_EQ(present(at, LEN), 0);
            CHECK_EQ(advise(f->rig.pd, t[i].advice, t[i].flags, at + 2 * PAGE + 8, 3 * PAGE,
                            mr->lkey), 0);
            CHECK_EQ(present(at, LEN), t[i].want);
            CHECK(all_zero(at, LEN));
            CHECK_EQ(ibv_dereg_mr(mr), 0);
            CHECK_EQ(munmap(at, LEN), 0);
        }
    teardown(f);
}

/* A prefetch for writing gives a process its own page of a private mapping, without a change of the
 * content. */
static void a_prefetch_keeps_the_content(void)
{
    struct fixture *f = setup();
    int fd = memfd_create("odp", 0);
    uint8_t *at, expected[PAGE];
    struct ibv_mr *mr;

    rig_fill(expected, PAGE, 7);
    CHECK(fd >= 0 && write(fd, expected, PAGE) == PAGE);
    at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    CHECK(at != MAP_FAILED);
    mr = region(f, at, PAGE, ON_DEMAND);
    CHECK_EQ(advise(f->rig.pd, READ, FLUSH, at, PAGE, mr->lkey), 0);
    CHECK_EQ(memcmp(at, expected, PAGE), 0);
    CHECK_EQ(advise(f->rig.pd, WRITE, FLUSH, at, PAGE, mr->lkey), 0);
    CHECK_EQ(memcmp(at, expected, PAGE), 0);
    CHECK_EQ(pwrite(fd, "changed", 7, 0), 7);
    CHECK_EQ(memcmp(at, expected, PAGE), 0);    /* a private page: it does not follow the file */
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(munmap(at, PAGE), 0);
    CHECK_EQ(close(fd), 0);
    teardown(f);
}

static void a_list_names_ranges_of_several_regions(void)
{
    struct fixture *f = setup();
    uint8_t *a = map_at(NULL, LEN), *b = map_at(NULL, LEN);
    struct ibv_mr *mr_a = region(f, a, LEN, ON_DEMAND);
    struct ibv_mr *mr_b = ibv_reg_mr_iova(f->rig.pd, b, LEN, 0x10000, ON_DEMAND);
    struct ibv_sge list[4] = { { (uintptr_t)a, PAGE, mr_a->lkey }, { 0x10000, 2 * PAGE, 0 },
                               { (uintptr_t)a + 8 * PAGE, 3 * PAGE, mr_a->lkey },
                               { (uintptr_t)a, 0, mr_a->lkey } };

    CHECK(mr_b);
    list[1].lkey = mr_b->lkey;
    CHECK_EQ(ibv_advise_mr(f->rig.pd, IBV_ADVISE_MR_ADVICE_PREFETCH, FLUSH, list, 4), 0);
    CHECK_EQ(present(a, LEN), 4);
    CHECK_EQ(present(b, LEN), 2);
    /* with FLUSH the entries before the wrong one are executed, without it none are */
    list[2].lkey = f->mr->lkey;
    for (unsigned flags = 0; flags <= FLUSH; flags += FLUSH) {
        list[0].addr = (uintptr_t)(a + (flags ? 14 : 13) * PAGE);
        CHECK_EQ(ibv_advise_mr(f->rig.pd, IBV_ADVISE_MR_ADVICE_PREFETCH, flags, list, 4), ENOENT);
        CHECK_EQ(present(a, LEN), flags ? 5 : 4);
    }
    CHECK_EQ(ibv_dereg_mr(mr_a), 0);
    CHECK_EQ(ibv_dereg_mr(mr_b), 0);
    CHECK(munmap(a, LEN) == 0 && munmap(b, LEN) == 0);
    teardown(f);
}

/* A call with FLUSH reports a page that is not mapped. A call without FLUSH waits for no page. */
static void pages_that_cannot_be_fetched_are_reported_with_flush(void)
{
    struct fixture *f = setup();
    uint8_t *at = unmapped(LEN);
    struct ibv_mr *mr = region(f, at, LEN, ON_DEMAND);
    struct ibv_mr *all = region(f, NULL, SIZE_MAX, ON_DEMAND);

    map_at(at, 2 * PAGE);
    CHECK_EQ(advise(f->rig.pd, READ, FLUSH, at, 3 * PAGE, mr->lkey), EFAULT);
    CHECK_EQ(advise(f->rig.pd, WRITE, FLUSH, at + 4 * PAGE, 8, mr->lkey), EFAULT);
    CHECK_EQ(advise(f->rig.pd, READ, FLUSH, at + 4 * PAGE, 8, all->lkey), EFAULT);
    CHECK_EQ(advise(f->rig.pd, READ, 0, at, 3 * PAGE, mr->lkey), 0);
    CHECK_EQ(advise(f->rig.pd, WRITE, 0, at, 3 * PAGE, all->lkey), 0);
    CHECK_EQ(advise(f->rig.pd, NO_FAULT, FLUSH, at, 3 * PAGE, mr->lkey), 0);
    CHECK_EQ(mprotect(at, PAGE, PROT_READ), 0);
    CHECK_EQ(advise(f->rig.pd, READ, FLUSH, at, PAGE, mr->lkey), 0);
    CHECK_EQ(advise(f->rig.pd, WRITE, FLUSH, at, PAGE, mr->lkey), EPERM);
    CHECK_EQ(mprotect(at, PAGE, PROT_NONE), 0);
    CHECK_EQ(advise(f->rig.pd, READ, FLUSH, at, PAGE, mr->lkey), EFAULT);
    CHECK_EQ(munmap(at, 2 * PAGE), 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(ibv_dereg_mr(all), 0);
    teardown(f);
}

static void wrong_advice_is_refused(void)
{
    struct fixture *f = setup();
    uint8_t *at = map_at(NULL, LEN);
    struct ibv_mr *mr = region(f, at, LEN - 100, ON_DEMAND);
    struct ibv_mr *readonly = region(f, at, LEN, IBV_ACCESS_ON_DEMAND | IBV_ACCESS_REMOTE_READ);
    struct ibv_mr *all = region(f, NULL, SIZE_MAX, ON_DEMAND);
    struct ibv_mr *gone = region(f, at, LEN, ON_DEMAND), *null = ibv_alloc_null_mr(f->rig.pd);
    struct ibv_mw *mw = ibv_alloc_mw(f->rig.pd, IBV_MW_TYPE_2);
    struct ibv_pd *pd = f->rig.pd, *other = ibv_alloc_pd(f->rig.ctx);
    uint32_t old = gone->lkey;

    CHECK(null && mw && other);
    CHECK_EQ(ibv_dereg_mr(gone), 0);
    for (unsigned flags = 0; flags <= FLUSH; flags += FLUSH) {
        CHECK_EQ(advise(pd, READ, flags, at, 8, old), ENOENT);
        CHECK_EQ(advise(pd, READ, flags, at, 8, mr->lkey ^ 1), ENOENT);
        CHECK_EQ(advise(pd, READ, flags, f->pinned, 8, f->mr->lkey), ENOENT);
        CHECK_EQ(advise(pd, READ, flags, at, 8, null->lkey), ENOENT);
        CHECK_EQ(advise(pd, READ, flags, at, 8, mw->rkey), EINVAL);
        CHECK_EQ(advise(other, READ, flags, at, 8, mr->lkey), EPERM);
        CHECK_EQ(advise(pd, WRITE, flags, at, 8, readonly->lkey), EPERM);
        CHECK_EQ(advise(pd, READ, flags, at, 8, readonly->lkey), 0);
        CHECK_EQ(advise(pd, 3, flags, at, 8, mr->lkey), EOPNOTSUPP);
        CHECK_EQ(advise(pd, READ, flags | 2, at, 8, mr->lkey), EINVAL);
        CHECK_EQ(ibv_advise_mr(pd, IBV_ADVISE_MR_ADVICE_PREFETCH, flags, NULL, 0), EINVAL);
    }
    for (unsigned advice = READ; advice <= NO_FAULT; advice++) {
        CHECK_EQ(advise(pd, advice, FLUSH, at - 1, 2, mr->lkey), EFAULT);
        CHECK_EQ(advise(pd, advice, FLUSH, at, LEN, mr->lkey), 0);      /* up to the page's end */
        CHECK_EQ(advise(pd, advice, FLUSH, at, LEN + 1, mr->lkey), EFAULT);
        CHECK_EQ(advise(pd, advice, FLUSH, at + LEN, 0, mr->lkey), EFAULT);
        CHECK_EQ(advise(pd, advice, FLUSH, (void *)(UINTPTR_MAX - 7), 64, mr->lkey), EFAULT);
        CHECK_EQ(advise(pd, advice, FLUSH, (void *)(UINTPTR_MAX - 7), 64, all->lkey), EFAULT);
        CHECK_EQ(advise(pd, advice, FLUSH, (void *)(1ull << 48), 8, all->lkey), EFAULT);
    }
    CHECK_EQ(ibv_dealloc_pd(other), 0);
    CHECK_EQ(ibv_dealloc_mw(mw), 0);
    CHECK_EQ(ibv_dereg_mr(null), 0);
    CHECK_EQ(ibv_dereg_mr(all), 0);
    CHECK_EQ(ibv_dereg_mr(readonly), 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(munmap(at, LEN), 0);
    teardown(f);
}

/* The longest list that fits into the ioctl: 4095 entries of 4 GiB each. The device prefetches a
 * part of so much memory. */
static void a_prefetch_of_very_much_memory_is_limited(void)
{
    enum { NUM = 4095 };
    const size_t len = (size_t)1 << 32;
    static struct ibv_sge list[NUM];
    struct fixture *f = setup();
    uint8_t *at = mmap(NULL, len, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct ibv_mr *mr;

    CHECK(at != MAP_FAILED);
    mr = region(f, at, len, ON_DEMAND);
    for (unsigned i = 0; i < NUM; i++)
        list[i] = (struct ibv_sge){ (uintptr_t)at, UINT32_MAX, mr->lkey };
    CHECK_EQ(ibv_advise_mr(f->rig.pd, IBV_ADVISE_MR_ADVICE_PREFETCH, FLUSH, list, NUM), 0);
    CHECK_EQ(present(at, PAGE), 1);
    CHECK_EQ(present(at + (256 << 20) - PAGE, PAGE), 1);
    CHECK_EQ(present(at + (512 << 20), PAGE), 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(munmap(at, len), 0);
    teardown(f);
}

/* The device looks for every entry in the mappings of the process. With many of both, this would
 * hold up other programs. */
static void a_prefetch_with_many_mappings_is_limited(void)
{
    enum { NUM = 4095, PAGES = 20000 };
    static struct ibv_sge list[NUM];
    struct fixture *f = setup();
    uint8_t *at = map_at(NULL, (size_t)PAGES * PAGE), *last = at + (size_t)(PAGES - 2) * PAGE;
    struct ibv_mr *mr = region(f, NULL, SIZE_MAX, ON_DEMAND);
    double start;

    for (unsigned i = 1; i < PAGES; i += 2)
        CHECK_EQ(mprotect(at + (size_t)i * PAGE, PAGE, PROT_READ), 0);
    for (unsigned i = 0; i < NUM; i++)
        list[i] = (struct ibv_sge){ (uintptr_t)last, 8, mr->lkey };
    for (unsigned flags = 0; flags <= FLUSH; flags += FLUSH) {
        start = rig_device_seconds();
        CHECK_EQ(ibv_advise_mr(f->rig.pd, IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE, flags, list, NUM),
                 0);
        CHECK(rig_device_seconds() - start < 1.5);
        CHECK_EQ(present(last, PAGE), 1);
    }
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(munmap(at, (size_t)PAGES * PAGE), 0);
    teardown(f);
}

static const struct rig_case cases[] = {
    RIG_CASE(a_prefetch_brings_pages_into_memory),
    RIG_CASE(a_prefetch_keeps_the_content),
    RIG_CASE(a_list_names_ranges_of_several_regions),
    RIG_CASE(pages_that_cannot_be_fetched_are_reported_with_flush),
    RIG_CASE(wrong_advice_is_refused),
    RIG_CASE(a_prefetch_of_very_much_memory_is_limited),
    RIG_CASE(a_prefetch_with_many_mappings_is_limited),
};

RIG_MAIN(cases)
