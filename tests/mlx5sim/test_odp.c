/* On-demand paging: regions over memory that the driver does not pin. */
#define _GNU_SOURCE
#include "odp_rig.h"

static enum ibv_wc_status write_to(struct fixture *f, void *to, uint32_t len, uint32_t key)
{
    return link_do(&f->link, IBV_WR_RDMA_WRITE, pinned(f, len), to, key);
}

static enum ibv_wc_status read_from(struct fixture *f, void *from, uint32_t len, uint32_t key)
{
    return link_do(&f->link, IBV_WR_RDMA_READ, pinned(f, len), from, key);
}

/* ---- capabilities --------------------------------------------------------------------------- */

/* The kernel and the firmware announce the same. `general`: support, and implicit regions. */
static void capabilities_of_kernel_and_firmware_agree(void)
{
    struct rig rig = rig_open(0);
    struct mlx5dv_context dv = { .comp_mask = MLX5DV_CONTEXT_MASK_DC_ODP_CAPS };
    uint8_t in[16] = { 0 }, out[0x1010] = { 0 };
    struct ibv_device_attr_ex attr;
    uint32_t verbs[5];

    CHECK_EQ(ibv_query_device_ex(rig.ctx, NULL, &attr), 0);
    CHECK_EQ(mlx5dv_query_device(rig.ctx, &dv), 0);
    CHECK_EQ(attr.odp_caps.general_caps, IBV_ODP_SUPPORT | IBV_ODP_SUPPORT_IMPLICIT);
    verbs[0] = attr.odp_caps.per_transport_caps.rc_odp_caps;
    verbs[1] = attr.odp_caps.per_transport_caps.uc_odp_caps;
    verbs[2] = attr.odp_caps.per_transport_caps.ud_odp_caps;
    verbs[3] = attr.xrc_odp_caps;
    verbs[4] = dv.dc_odp_caps;
    put(in, 0, 16, 0x100);
    put(in, 0x30, 16, 2 << 1 | 1);
    CHECK_EQ(mlx5dv_devx_general_cmd(rig.ctx, in, sizeof(in), out, sizeof(out)), 0);
    for (unsigned i = 0; i < 5; i++)
        for (unsigned bit = 0; bit < 32; bit++)
            CHECK_EQ(get(out, 0x80 + 0x80 + 32 * i + bit, 1), verbs[i] >> bit & 1);
    CHECK_EQ(verbs[0], IBV_ODP_SUPPORT_SEND | IBV_ODP_SUPPORT_RECV | IBV_ODP_SUPPORT_WRITE |
             IBV_ODP_SUPPORT_READ | IBV_ODP_SUPPORT_ATOMIC | IBV_ODP_SUPPORT_SRQ_RECV);
    rig_close(&rig);
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Untouched pages contain zeros. The device brings them into memory when it accesses them. */
static void untouched_memory_is_read_and_written(void)
{
    struct fixture *f = setup();
    uint8_t *at = map_at(NULL, LEN);
    struct ibv_mr *mr = region(f, at, LEN, ON_DEMAND);
    struct rig_side here = { at + 8 * PAGE, 3 * PAGE, mr->lkey };
    uint64_t *word = (uint64_t *)(void *)(at + 15 * PAGE);

    CHECK_EQ(read_from(f, at, 4 * PAGE, mr->rkey), IBV_WC_SUCCESS);
    CHECK(all_zero(f->pinned, 4 * PAGE));
    rig_fill(f->pinned, LEN, 4);
    CHECK_EQ(write_to(f, at + 100, 3 * PAGE, mr->rkey), IBV_WC_SUCCESS);
    CHECK(memcmp(at + 100, f->pinned, 3 * PAGE) == 0);
    /* both sides are on demand */
    CHECK_EQ(link_do(&f->link, IBV_WR_RDMA_READ, here, at + 100, mr->rkey), IBV_WC_SUCCESS);
    CHECK(memcmp(here.addr, f->pinned, 3 * PAGE) == 0);
    here = (struct rig_side){ at + 12 * PAGE, 8, mr->lkey };
    CHECK_EQ(link_do(&f->link, IBV_WR_ATOMIC_FETCH_AND_ADD, here, word, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(*word, 5);
    here = (struct rig_side){ at + 13 * PAGE, PAGE, mr->lkey };
    link_receive(&f->link, here);
    CHECK_EQ(link_do(&f->link, IBV_WR_SEND, pinned(f, PAGE), NULL, 0), IBV_WC_SUCCESS);
    CHECK_EQ(rig_poll(f->link.cq).status, IBV_WC_SUCCESS);
    CHECK(memcmp(here.addr, f->pinned, PAGE) == 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(munmap(at, LEN), 0);
    teardown(f);
}

static void memory_is_mapped_after_the_registration(void)
{
    struct fixture *f = setup();
    uint8_t *at = unmapped(LEN);
    struct ibv_mr *mr;

    CHECK(!ibv_reg_mr(f->rig.pd, at, LEN, RIG_ALL_ACCESS));     /* cannot be pinned */
    CHECK_EQ(errno, EFAULT);
    mr = region(f, at, LEN, ON_DEMAND);
    map_at(at + 2 * PAGE, PAGE);
    CHECK_EQ(write_to(f, at + 2 * PAGE, PAGE, mr->rkey), IBV_WC_SUCCESS);
    CHECK(memcmp(at + 2 * PAGE, f->pinned, PAGE) == 0);
    CHECK_EQ(munmap(at + 2 * PAGE, PAGE), 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    teardown(f);
}

/* The device sees the memory that is mapped at the time of the access, whatever was there at the
 * time of the registration. */
static void other_memory_at_the_same_addresses_is_seen(void)
{
    struct fixture *f = setup();
    uint8_t *at = map_at(NULL, LEN), *moved;
    struct ibv_mr *mr = region(f, at, LEN, ON_DEMAND);
    int fd = memfd_create("odp", 0);

    memset(at, 'a', LEN);
    CHECK_EQ(read_from(f, at, 8, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(f->pinned[0], 'a');
    CHECK_EQ(munmap(at, LEN), 0);
    map_at(at, LEN);
    CHECK_EQ(read_from(f, at, PAGE, mr->rkey), IBV_WC_SUCCESS);
    CHECK(all_zero(f->pinned, PAGE));
    memset(at, 'b', LEN);
    CHECK_EQ(read_from(f, at + PAGE, 8, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(f->pinned[0], 'b');
    /* pages that move here from other addresses */
    moved = map_at(NULL, LEN);
    memset(moved, 'c', LEN);
    CHECK(mremap(moved, LEN, LEN, MREMAP_MAYMOVE | MREMAP_FIXED, at) == at);
    CHECK_EQ(read_from(f, at + LEN - 8, 8, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(f->pinned[0], 'c');
    /* the device writes a shared mapping of a file */
    CHECK(fd >= 0 && ftruncate(fd, LEN) == 0);
    CHECK(mmap(at, LEN, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == at);
    rig_fill(f->pinned, LEN, 9);
    CHECK_EQ(write_to(f, at + 100, LEN - 100, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(munmap(at, LEN), 0);
    moved = mmap(NULL, LEN, PROT_READ, MAP_SHARED, fd, 0);
    CHECK(moved != MAP_FAILED && memcmp(moved + 100, f->pinned, LEN - 100) == 0);
    CHECK_EQ(munmap(moved, LEN), 0);
    CHECK_EQ(close(fd), 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    teardown(f);
}

/* The device has the rights of the mapping. A file has no memory after its end. */
static void protection_of_the_mapping_holds(void)
{
    struct fixture *f = setup();
    uint8_t *at = map_at(NULL, LEN);
    struct ibv_mr *mr = region(f, at, LEN, ON_DEMAND);
    int fd = memfd_create("odp", 0);

    memset(at, 'p', LEN);
    CHECK_EQ(mprotect(at, LEN, PROT_READ), 0);
    CHECK_EQ(read_from(f, at, 64, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(f->pinned[63], 'p');
    CHECK_EQ(write_to(f, at, 64, mr->rkey), IBV_WC_REM_ACCESS_ERR);
    again(f);
    CHECK_EQ(mprotect(at, LEN, PROT_NONE), 0);
    CHECK_EQ(read_from(f, at, 64, mr->rkey), IBV_WC_REM_ACCESS_ERR);
    again(f);
    CHECK_EQ(mprotect(at, LEN, PROT_READ | PROT_WRITE), 0);
    CHECK_EQ(write_to(f, at, 64, mr->rkey), IBV_WC_SUCCESS);
    CHECK(fd >= 0 && ftruncate(fd, PAGE) == 0);
    CHECK(mmap(at, LEN, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == at);
    CHECK_EQ(read_from(f, at, PAGE, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(read_from(f, at, PAGE + 1, mr->rkey), IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(munmap(at, LEN), 0);
    CHECK_EQ(close(fd), 0);
    teardown(f);
}

/* ---- pages that are not mapped -------------------------------------------------------------- */

static const struct {
    enum ibv_wr_opcode opcode;
    enum ibv_wc_status local, remote;
} requests[] = {
    { IBV_WR_SEND, IBV_WC_LOC_PROT_ERR, IBV_WC_REM_OP_ERR },
    { IBV_WR_RDMA_WRITE, IBV_WC_LOC_PROT_ERR, IBV_WC_REM_ACCESS_ERR },
    { IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WC_LOC_PROT_ERR, IBV_WC_REM_ACCESS_ERR },
    { IBV_WR_RDMA_READ, IBV_WC_LOC_PROT_ERR, IBV_WC_REM_ACCESS_ERR },
    { IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WC_LOC_PROT_ERR, IBV_WC_REM_ACCESS_ERR },
};

enum { NUM_REQUESTS = sizeof(requests) / sizeof(requests[0]) };

/* Execute a request between pinned memory and `at`. `is_local`: `at` is memory of the requester. */
static void request_fails(struct fixture *f, unsigned i, bool is_local, struct rig_side at)
{
    struct rig_side other = pinned(f, at.len), local = is_local ? at : other;
    struct rig_side remote = is_local ? other : at;

    if (requests[i].opcode == IBV_WR_SEND || requests[i].opcode == IBV_WR_RDMA_WRITE_WITH_IMM)
        link_receive(&f->link, remote);
    CHECK_EQ(link_do(&f->link, requests[i].opcode, local, remote.addr, remote.key),
             is_local ? requests[i].local : requests[i].remote);
    if (requests[i].opcode == IBV_WR_SEND && !is_local)
        CHECK_EQ(rig_poll(f->link.cq).status, IBV_WC_LOC_PROT_ERR);
    again(f);
}

/* In the first pass no page is mapped; in the second one a page in the middle is not. */
static void a_page_that_is_not_mapped_fails_the_request(void)
{
    struct fixture *f = setup();
    uint8_t *at = unmapped(3 * PAGE);
    struct ibv_mr *mr = region(f, at, 3 * PAGE, ON_DEMAND);

    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < NUM_REQUESTS; i++) {
            bool is_atomic = requests[i].opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
            struct rig_side all = { at, is_atomic ? 8 : 3 * PAGE, mr->lkey };

            if (is_atomic && pass == 1)
                all.addr = at + PAGE;
            request_fails(f, i, true, all);
            request_fails(f, i, false, all);
        }
        map_at(at, PAGE);
        map_at(at + 2 * PAGE, PAGE);
    }
    map_at(at, 3 * PAGE);
    CHECK_EQ(write_to(f, at, 3 * PAGE, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(munmap(at, 3 * PAGE), 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    teardown(f);
}

/* A message whose sender cannot read it does not arrive, and the receiver keeps its WQE. */
static void a_message_that_cannot_be_read_takes_no_receive(void)
{
    for (unsigned with_srq = 0; with_srq < 2; with_srq++) {
        struct fixture *f = setup();
        uint8_t *at = unmapped(PAGE);
        struct ibv_mr *mr = region(f, at, PAGE, ON_DEMAND);
        struct link link = link_open(&f->rig, LINK_UD, with_srq);
        struct ibv_qp_attr rts = { .qp_state = IBV_QPS_RTS };

        link_receive(&link, (struct rig_side){ f->pinned, 1000, f->mr->lkey });
        CHECK_EQ(link_do(&link, IBV_WR_SEND, (struct rig_side){ at, 64, mr->lkey }, NULL, 0),
                 IBV_WC_LOC_PROT_ERR);
        CHECK(rig_silent(link.cq, 0.01));
        /* an error of a datagram stops only the send queue */
        CHECK_EQ(ibv_modify_qp(link.from, &rts, IBV_QP_STATE), 0);
        map_at(at, PAGE);
        memset(at, 'm', 64);
        CHECK_EQ(link_do(&link, IBV_WR_SEND, (struct rig_side){ at, 64, mr->lkey }, NULL, 0),
                 IBV_WC_SUCCESS);
        CHECK_EQ(rig_poll(link.cq).status, IBV_WC_SUCCESS);
        CHECK_EQ(f->pinned[LINK_GRH + 63], 'm');
        link_close(&link);
        CHECK_EQ(ibv_dereg_mr(mr), 0);
        CHECK_EQ(munmap(at, PAGE), 0);
        teardown(f);
    }
}

/* Receives of a shared queue for each transport that has one. */
static void a_receive_without_memory_completes_with_an_error(void)
{
    static const enum link_transport transports[] = { LINK_RC, LINK_UD, LINK_XRC, LINK_DC };

    for (unsigned i = 0; i < 4; i++) {
        struct fixture *f = setup();
        uint8_t *at = unmapped(PAGE);
        struct ibv_mr *mr = region(f, at, PAGE, ON_DEMAND);
        struct link link = link_open(&f->rig, transports[i], true);

        link_receive(&link, (struct rig_side){ at, PAGE, mr->lkey });
        CHECK_EQ(link_do(&link, IBV_WR_SEND, pinned(f, 64), NULL, 0),
                 transports[i] == LINK_UD ? IBV_WC_SUCCESS : IBV_WC_REM_OP_ERR);
        CHECK_EQ(rig_poll(link.cq).status, IBV_WC_LOC_PROT_ERR);
        link_close(&link);
        CHECK_EQ(ibv_dereg_mr(mr), 0);
        teardown(f);
    }
}

/* ---- implicit regions ----------------------------------------------------------------------- */

static void an_implicit_region_has_all_addresses(void)
{
    static uint8_t global[64] = "global";
    struct fixture *f = setup();
    struct ibv_mr *mr = region(f, NULL, SIZE_MAX, ON_DEMAND);
    uint8_t local[64] = "stack", *heap = malloc(64), *late = map_at(NULL, PAGE);
    uint8_t *nothing = unmapped(PAGE);

    CHECK(heap);
    memcpy(heap, "heap", 5);
    CHECK_EQ(read_from(f, global, 64, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(strcmp((char *)f->pinned, "global"), 0);
    CHECK_EQ(read_from(f, local, 64, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(strcmp((char *)f->pinned, "stack"), 0);
    CHECK_EQ(read_from(f, heap, 64, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(strcmp((char *)f->pinned, "heap"), 0);
    CHECK_EQ(link_do(&f->link, IBV_WR_RDMA_WRITE, (struct rig_side){ heap, 64, mr->lkey }, late,
                     mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(strcmp((char *)late, "heap"), 0);
    CHECK_EQ(read_from(f, nothing, 8, mr->rkey), IBV_WC_REM_ACCESS_ERR);
    again(f);
    CHECK_EQ(read_from(f, NULL, 8, mr->rkey), IBV_WC_REM_ACCESS_ERR);
    again(f);
    CHECK_EQ(read_from(f, (void *)(UINTPTR_MAX - 7), 8, mr->rkey), IBV_WC_REM_ACCESS_ERR);
    again(f);
    CHECK_EQ(read_from(f, (void *)(UINTPTR_MAX - 7), 64, mr->rkey), IBV_WC_REM_ACCESS_ERR);
    again(f);
    CHECK_EQ(write_to(f, late, 8, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(munmap(late, PAGE), 0);
    free(heap);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    teardown(f);
}

static void an_implicit_region_has_only_its_rights(void)
{
    struct fixture *f = setup();
    struct ibv_mr *mr = region(f, NULL, SIZE_MAX, IBV_ACCESS_ON_DEMAND | IBV_ACCESS_REMOTE_READ);
    uint8_t word[8] = "word";

    CHECK_EQ(read_from(f, word, 8, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(write_to(f, word, 8, mr->rkey), IBV_WC_REM_ACCESS_ERR);
    again(f);
    CHECK_EQ(link_do(&f->link, IBV_WR_RDMA_READ, (struct rig_side){ word, 8, mr->lkey }, f->pinned,
                     f->mr->rkey), IBV_WC_LOC_PROT_ERR);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    teardown(f);
}

/* ---- registration --------------------------------------------------------------------------- */

static void wrong_registrations_are_refused(void)
{
    static const struct { uintptr_t addr; size_t len; unsigned access; int want; } t[] = {
        { 0x10000, 0, ON_DEMAND, EINVAL },
        { 0x10000, SIZE_MAX - 1, ON_DEMAND, EOVERFLOW },
        { 0x10000, SIZE_MAX - 0x10000, ON_DEMAND, EOVERFLOW },
        { 0, SIZE_MAX, RIG_ALL_ACCESS, EINVAL },
        { 0, SIZE_MAX, ON_DEMAND | IBV_ACCESS_HUGETLB, EINVAL },
        { 0, SIZE_MAX, IBV_ACCESS_ON_DEMAND | IBV_ACCESS_REMOTE_WRITE, EINVAL },
        { 0x10000, PAGE, IBV_ACCESS_ON_DEMAND | IBV_ACCESS_REMOTE_ATOMIC, EINVAL },
        { 0x10000, PAGE, ON_DEMAND | 1 << 18, EINVAL },
    };
    struct rig rig = rig_open(0);
    struct ibv_alloc_dm_attr attr = { .length = PAGE };
    struct ibv_dm *dm = ibv_alloc_dm(rig.ctx, &attr);
    struct ibv_mr *mr;
    uint8_t *mem = rig_memory(PAGE);

    for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
        errno = 0;
        mr = ibv_reg_mr(rig.pd, (void *)t[i].addr, t[i].len, t[i].access);
        if (mr || errno != t[i].want)
            rig_fail(__FILE__, __LINE__, "row %zu: want errno %d", i, t[i].want);
    }
    CHECK(!ibv_reg_mr_iova(rig.pd, NULL, SIZE_MAX, PAGE, ON_DEMAND) && errno == EINVAL);
    /* only memory of the program can be on demand */
    CHECK(dm && !ibv_reg_dm_mr(rig.pd, dm, 0, PAGE, IBV_ACCESS_ZERO_BASED | IBV_ACCESS_ON_DEMAND));
    CHECK_EQ(errno, EINVAL);
    CHECK(!mlx5dv_devx_umem_reg(rig.ctx, mem, PAGE, ON_DEMAND) && errno == EINVAL);
    CHECK(!ibv_reg_dmabuf_mr(rig.pd, 0, PAGE, 0, 0, ON_DEMAND) && errno == EINVAL);
    CHECK_EQ(ibv_free_dm(dm), 0);
    free(mem);
    rig_close(&rig);
}

static void a_region_ends_at_its_last_byte(void)
{
    struct fixture *f = setup();
    uint8_t *at = map_at(NULL, LEN);
    struct ibv_mr *mr = ibv_reg_mr_iova(f->rig.pd, at + 100, 1000, 0x7000 + 100, ON_DEMAND);

    CHECK(mr);
    CHECK_EQ(write_to(f, (void *)(0x7000 + 100), 1000, mr->rkey), IBV_WC_SUCCESS);
    CHECK(memcmp(at + 100, f->pinned, 1000) == 0 && at[99] == 0 && at[1100] == 0);
    CHECK_EQ(write_to(f, (void *)(0x7000 + 1099), 2, mr->rkey), IBV_WC_REM_ACCESS_ERR);
    again(f);
    CHECK_EQ(write_to(f, (void *)(0x7000 + 99), 2, mr->rkey), IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(munmap(at, LEN), 0);
    teardown(f);
}

static int rereg(struct fixture *f, struct ibv_mr *mr, int flags, void *addr, size_t len,
                 unsigned access)
{
    return ibv_rereg_mr(mr, flags, f->rig.pd, addr, len, (int)access);
}

/* Memory is pinned or on demand from the registration on; a change needs the whole range again. */
static void a_region_changes_its_memory(void)
{
    const int translation = IBV_REREG_MR_CHANGE_TRANSLATION | IBV_REREG_MR_CHANGE_ACCESS;
    struct fixture *f = setup();
    uint8_t *at = map_at(NULL, LEN), *nothing = unmapped(LEN);
    struct ibv_mr *mr = region(f, at, LEN, RIG_ALL_ACCESS);

    CHECK_EQ(rereg(f, mr, translation, nothing, LEN, RIG_ALL_ACCESS), IBV_REREG_MR_ERR_CMD);
    CHECK_EQ(rereg(f, mr, translation, nothing, LEN, ON_DEMAND), 0);
    map_at(nothing, LEN);
    CHECK_EQ(write_to(f, nothing, 64, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(memcmp(nothing, f->pinned, 64), 0);
    CHECK_EQ(rereg(f, mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, 0, RIG_ALL_ACCESS),
             IBV_REREG_MR_ERR_CMD);
    CHECK_EQ(errno, EINVAL);
    CHECK_EQ(rereg(f, mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, 0,
                   IBV_ACCESS_REMOTE_READ | IBV_ACCESS_ON_DEMAND), 0);
    CHECK_EQ(munmap(nothing, LEN), 0);
    CHECK_EQ(read_from(f, nothing, 8, mr->rkey), IBV_WC_REM_ACCESS_ERR);
    again(f);
    CHECK_EQ(rereg(f, mr, translation, at, LEN, RIG_ALL_ACCESS), 0);
    CHECK_EQ(write_to(f, at, 64, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(munmap(at, LEN), 0);
    teardown(f);
}

/* ---- keys over regions ---------------------------------------------------------------------- */

static void windows_and_indirect_keys_use_a_region(void)
{
    struct fixture *f = setup();
    uint8_t *at = unmapped(LEN), list[32];
    struct ibv_mr *mr = region(f, at, LEN, ON_DEMAND | IBV_ACCESS_MW_BIND);
    struct rig_mkey_options o = { .mode = 2, .rights = 0xf, .len = 200, .list = list, .num = 2 };
    struct ibv_mw *mw = ibv_alloc_mw(f->rig.pd, IBV_MW_TYPE_1);
    struct ibv_mw_bind bind = { .send_flags = IBV_SEND_SIGNALED, .bind_info = { .mr = mr,
        .addr = (uintptr_t)at + PAGE, .length = PAGE,
        .mw_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ } };
    struct mlx5dv_devx_obj *obj;
    uint32_t key;

    rig_entry(list, 100, mr->lkey, at);
    rig_entry(list + 16, 100, mr->lkey, at + 2 * PAGE);
    obj = rig_mkey(&f->rig, &o, &key);
    CHECK(obj && mw);
    CHECK_EQ(ibv_bind_mw(f->link.from, mw, &bind), 0);
    CHECK_EQ(rig_poll(f->rig.cq).status, IBV_WC_SUCCESS);
    map_at(at, LEN);
    CHECK_EQ(write_to(f, at + PAGE, 64, mw->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(memcmp(at + PAGE, f->pinned, 64), 0);
    CHECK_EQ(write_to(f, NULL, 200, key), IBV_WC_SUCCESS);
    CHECK(memcmp(at, f->pinned, 100) == 0 && memcmp(at + 2 * PAGE, f->pinned + 100, 100) == 0);
    CHECK_EQ(munmap(at + PAGE, LEN - PAGE), 0);
    CHECK_EQ(write_to(f, NULL, 200, key), IBV_WC_REM_ACCESS_ERR);
    again(f);
    CHECK_EQ(write_to(f, at + PAGE, 64, mw->rkey), IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(munmap(at, PAGE), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    CHECK_EQ(ibv_dealloc_mw(mw), 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    teardown(f);
}

/* The engines need pinned memory: no capability says that they wait for pages. */
static void the_dma_engine_needs_pinned_memory(void)
{
    struct fixture *f = setup();
    uint8_t *at = map_at(NULL, PAGE);
    struct ibv_mr *mr = region(f, at, PAGE, ON_DEMAND);
    struct rig_qp_options options = { .memcpy = true };

    for (unsigned i = 0; i < 3; i++) {
        struct ibv_qp *qp = rig_loop(&f->rig, options);

        CHECK_EQ(rig_memcpy(&f->rig, qp, i == 1 ? mr->lkey : f->mr->lkey,
                            (uintptr_t)(i == 1 ? at : f->pinned),
                            i == 2 ? mr->lkey : f->mr->lkey,
                            (uintptr_t)(i == 2 ? at : f->pinned + PAGE), 64),
                 i == 0 ? IBV_WC_SUCCESS : IBV_WC_LOC_PROT_ERR);
        CHECK_EQ(ibv_destroy_qp(qp), 0);
    }
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(munmap(at, PAGE), 0);
    teardown(f);
}

/* ---- processes ------------------------------------------------------------------------------ */

/* After fork() the region is that of the parent. Pages that both processes share until one of them
 * writes are copied for the device, too. */
static void after_fork_the_region_is_that_of_the_parent(void)
{
    struct fixture *f = setup();
    uint8_t *at = map_at(NULL, LEN), byte = 0;
    struct ibv_mr *mr = region(f, at, LEN, ON_DEMAND);
    int to_child[2], to_parent[2];
    pid_t child;

    CHECK(pipe(to_child) == 0 && pipe(to_parent) == 0);
    memset(at, 'a', LEN);
    child = peer_fork();
    CHECK(child >= 0);
    if (child == 0) {
        memset(at, 'c', PAGE);                  /* the parent's page stays as it is */
        if (write(to_parent[1], &byte, 1) != 1 || read(to_child[0], &byte, 1) != 1)
            _exit(1);
        _exit(at[0] == 'c' && at[PAGE] == 'a' && at[2 * PAGE] == 'a' ? 0 : 2);
    }
    CHECK_EQ(read(to_parent[0], &byte, 1), 1);
    CHECK_EQ(read_from(f, at, 8, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(f->pinned[0], 'a');
    memset(f->pinned, 'd', 8);
    CHECK_EQ(write_to(f, at + PAGE, 8, mr->rkey), IBV_WC_SUCCESS);      /* shared until now */
    CHECK_EQ(at[PAGE], 'd');
    at[2 * PAGE] = 'p';
    CHECK_EQ(read_from(f, at + 2 * PAGE, 8, mr->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(f->pinned[0], 'p');
    CHECK_EQ(write(to_child[1], &byte, 1), 1);
    PEER_REAP(child);
    for (unsigned i = 0; i < 2; i++)
        CHECK(close(to_child[i]) == 0 && close(to_parent[i]) == 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(munmap(at, LEN), 0);
    teardown(f);
}

struct peer_address {
    uint32_t qpn, rkey;
    uint64_t addr;
};

/* Run a child that registers an implicit region and answers requests until the test kills it. */
static _Noreturn void serve(int from_parent, int to_parent)
{
    struct rig rig = rig_open(0);
    struct rig_qp_options options = { 0 };
    struct ibv_qp *qp = rig_qp(&rig, &options);
    uint8_t *at = map_at(NULL, LEN);
    struct ibv_mr *mr = ibv_reg_mr(rig.pd, NULL, SIZE_MAX, ON_DEMAND);
    struct peer_address own = { qp->qp_num, mr ? mr->rkey : 0, (uintptr_t)at };
    uint32_t peer;

    if (!mr || write(to_parent, &own, sizeof(own)) != sizeof(own) ||
        read(from_parent, &peer, sizeof(peer)) != sizeof(peer))
        _exit(1);
    rig_connect(qp, peer, &options);
    if (write(to_parent, &own, sizeof(own)) != sizeof(own))
        _exit(1);
    for (;;)
        pause();
}

/* The region of a process that was killed does not respond. The device goes on. */
static void the_region_of_a_killed_process_does_not_respond(void)
{
    struct rig_qp_options options = { .timeout = 8 };
    struct fixture *f = setup();
    struct ibv_qp *qp = rig_qp(&f->rig, &options);
    struct peer_address peer;
    int to_child[2], to_parent[2];
    pid_t child;

    CHECK(pipe(to_child) == 0 && pipe(to_parent) == 0);
    child = peer_fork();
    CHECK(child >= 0);
    if (child == 0)
        serve(to_child[0], to_parent[1]);
    peer_watch(child);
    CHECK_EQ(read(to_parent[0], &peer, sizeof(peer)), sizeof(peer));
    CHECK_EQ(write(to_child[1], &qp->qp_num, 4), 4);
    rig_connect(qp, peer.qpn, &options);
    CHECK_EQ(read(to_parent[0], &peer, sizeof(peer)), sizeof(peer));
    CHECK_EQ(rig_do(&f->rig, qp, IBV_WR_RDMA_WRITE, pinned(f, LEN), peer.addr, peer.rkey),
             IBV_WC_SUCCESS);
    peer_kill(child);
    CHECK_EQ(waitpid(child, NULL, 0), child);
    CHECK_EQ(rig_do(&f->rig, qp, IBV_WR_RDMA_WRITE, pinned(f, LEN), peer.addr, peer.rkey),
             IBV_WC_RETRY_EXC_ERR);
    for (unsigned i = 0; i < 2; i++)
        CHECK(close(to_child[i]) == 0 && close(to_parent[i]) == 0);
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    CHECK_EQ(write_to(f, f->pinned + PAGE, 8, f->mr->rkey), IBV_WC_SUCCESS);
    teardown(f);
}

static const struct rig_case cases[] = {
    RIG_CASE(capabilities_of_kernel_and_firmware_agree),
    RIG_CASE(untouched_memory_is_read_and_written),
    RIG_CASE(memory_is_mapped_after_the_registration),
    RIG_CASE(other_memory_at_the_same_addresses_is_seen),
    RIG_CASE(protection_of_the_mapping_holds),
    RIG_CASE(a_page_that_is_not_mapped_fails_the_request),
    RIG_CASE(a_message_that_cannot_be_read_takes_no_receive),
    RIG_CASE(a_receive_without_memory_completes_with_an_error),
    RIG_CASE(an_implicit_region_has_all_addresses),
    RIG_CASE(an_implicit_region_has_only_its_rights),
    RIG_CASE(wrong_registrations_are_refused),
    RIG_CASE(a_region_ends_at_its_last_byte),
    RIG_CASE(a_region_changes_its_memory),
    RIG_CASE(windows_and_indirect_keys_use_a_region),
    RIG_CASE(the_dma_engine_needs_pinned_memory),
    RIG_CASE(after_fork_the_region_is_that_of_the_parent),
    RIG_CASE(the_region_of_a_killed_process_does_not_respond),
};

RIG_MAIN(cases)
