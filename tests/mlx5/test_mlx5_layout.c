/* The mlx5 backend on a fake device in plain memory (mlx5_fake.h): the bytes of WQEs, commands and
 * completions, and the use of devices and memory. */
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "mlx5_fake_rig.h"

static const struct doca_priv_mlx5_piece piece = { 0x1122334455667788, 0x99aabbccddeeff00, 0x10203,
                                                   0xa1a2a3a4, 0xb1b2b3b4 };

static void mmo_wqe_matches_the_manual(void)
{
    static const unsigned char want[64] = {
        0x01, 0xbe, 0xef, 0x2f, 0x12, 0x34, 0x56, 0x04, 0, 0, 0, 0x08, 0, 0, 0, 0,
        0, 0, 0, 0, 0xc1, 0xc2, 0xc3, 0xc4, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8,
        0x00, 0x01, 0x02, 0x03, 0xa1, 0xa2, 0xa3, 0xa4,
        0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
        0x00, 0x01, 0x02, 0x03, 0xb1, 0xb2, 0xb3, 0xb4,
        0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00,
    };
    struct doca_priv_mlx5_model model;
    unsigned char wqe[64];
    uint64_t first;

    memset(wqe, 0xee, sizeof(wqe));
    doca_priv_mlx5_model_mmo(&model, 0x123456, 0xc1c2c3c4, 0xd1d2d3d4d5d6d7d8);
    first = doca_priv_mlx5_pack_mmo(wqe, &model, 0x7beef, &piece);
    CHECK_MEM(wqe, want, sizeof(want));
    CHECK_MEM(&first, want, sizeof(first)); /* the 8 bytes that are written to the doorbell */
}

static void write_wqe_matches_the_manual(void)
{
    static const unsigned char want[48] = {
        0x00, 0x00, 0x07, 0x08, 0x12, 0x34, 0x56, 0x03, 0, 0, 0, 0x08, 0, 0, 0, 0,
        0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00, 0xb1, 0xb2, 0xb3, 0xb4, 0, 0, 0, 0,
        0x00, 0x01, 0x02, 0x03, 0xa1, 0xa2, 0xa3, 0xa4,
        0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
    };
    struct doca_priv_mlx5_model model;
    unsigned char wqe[64];
    uint64_t first;

    memset(wqe, 0xee, sizeof(wqe));
    doca_priv_mlx5_model_write(&model, 0x123456);
    first = doca_priv_mlx5_pack_write(wqe, &model, 7, &piece);
    CHECK_MEM(wqe, want, sizeof(want));
    CHECK_MEM(&first, want, sizeof(first));
    CHECK_EQ(wqe[48], 0xee); /* bytes behind the WQE stay unchanged */
    doca_priv_mlx5_unsignal(wqe);
    CHECK_MEM(wqe, want, 11);
    CHECK_EQ(wqe[11], 0);
    CHECK_MEM(wqe + 12, want + 12, 36);
}

/* A WQE that contains the data. The lengths are chosen so that the data end at a boundary of 16
 * bytes, just before it or just after it. */
static void inline_wqe_matches_the_manual(void)
{
    static const unsigned char begin[36] = {
        0x00, 0x00, 0x07, 0x08, 0x12, 0x34, 0x56, 0x00, 0, 0, 0, 0x08, 0, 0, 0, 0,
        0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00, 0xb1, 0xb2, 0xb3, 0xb4, 0, 0, 0, 0,
        0x80, 0x00, 0x00, 0x00,
    };
    static const struct {
        unsigned char bytes, ds;
    } rows[] = { { 1, 3 }, { 8, 3 }, { 12, 3 }, { 13, 4 }, { 27, 4 }, { 28, 4 } };
    struct doca_priv_mlx5_piece inline_piece = piece;
    struct doca_priv_mlx5_model model;
    unsigned char wqe[64], want[64];
    uint64_t first;
    size_t i;

    inline_piece.from = (uintptr_t)"28 bytes of short test data.";
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        memset(want, 0xee, sizeof(want));
        memcpy(want, begin, sizeof(begin));
        want[7] = rows[i].ds;
        want[35] = rows[i].bytes;
        memcpy(want + 36, "28 bytes of short test data.", rows[i].bytes);
        memset(wqe, 0xee, sizeof(wqe));
        inline_piece.bytes = rows[i].bytes;
        doca_priv_mlx5_model_write(&model, 0x123456);
        first = doca_priv_mlx5_pack_inline(wqe, &model, 7, &inline_piece);
        CHECK_MEM(wqe, want, sizeof(want));
        CHECK_MEM(&first, want, sizeof(first));
    }
}

/* A WQE of one to fourteen sources: two sources fit into the first basic block of 64 bytes, and the
 * seventh lies at the beginning of the ring. */
static void gather_wqe_matches_the_manual(void)
{
    static const unsigned char head[32] = {
        0x00, 0xff, 0xfe, 0x08, 0x12, 0x34, 0x56, 0x00, 0, 0, 0, 0x08, 0, 0, 0, 0,
        0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00, 0xb1, 0xb2, 0xb3, 0xb4, 0, 0, 0, 0,
    };
    unsigned char ring[4 * 64], want[4 * 64], seg[16] = {
        0x00, 0x01, 0x02, 0x00, 0xa1, 0xa2, 0xa3, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0
    };
    struct doca_priv_mlx5_model model;
    struct doca_priv_mlx5_copy copy;
    unsigned num, i;

    doca_priv_mlx5_model_write(&model, 0x123456);
    memset(&copy, 0, sizeof(copy));
    copy.to = piece.to;
    copy.to_key = piece.to_key;
    for (num = 1; num <= 14; num++) {
        copy.num = num;
        memset(ring, 0xee, sizeof(ring));
        memset(want, 0xee, sizeof(want));
        memcpy(want + 128, head, sizeof(head)); /* WQE index 0xfffe in a ring of four blocks */
        want[128 + 7] = (unsigned char)(2 + num);
        for (i = 0; i < num; i++) {
            copy.from[i].addr = 0x1122334455667700 + i;
            copy.from[i].length = 0x10200 + i;
            copy.from[i].lkey = 0xa1a2a300 + i;
            seg[3] = seg[7] = seg[15] = (unsigned char)i;
            memcpy(want + (160 + i * 16) % 256, seg, 16);
        }
        doca_priv_mlx5_pack_gather(ring, 3, &model, 0x4fffe, &copy);
        CHECK_MEM(ring, want, sizeof(want));
    }
}

/* WQEs of sync events wait for a fence and ask for a completion. */
static void wqes_of_sync_events_match_the_manual(void)
{
    static const unsigned char begin[32] = { /* opcode and size are filled in below */
        0x00, 0xbe, 0xef, 0x00, 0x12, 0x34, 0x56, 0x00, 0, 0, 0, 0x88, 0, 0, 0, 0,
        0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00, 0xb1, 0xb2, 0xb3, 0xb4, 0, 0, 0, 0,
    };
    static const unsigned char cell[16] = { 0, 0, 0, 8, 0xa1, 0xa2, 0xa3, 0xa4,
                                            0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88 };
    static const unsigned char inlined[4] = { 0x80, 0, 0, 8 };
    static const unsigned char add[16] = { 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8 };
    static const struct {
        unsigned char opcode, ds;
    } rows[] = { { 0x08, 3 }, { 0x12, 4 }, { 0x10, 3 } };
    struct doca_priv_mlx5_access_8 a = { 0,          0xb1b2b3b4,         0x99aabbccddeeff00,
                                         0xc1c2c3c4c5c6c7c8, 0xa1a2a3a4, 0x1122334455667788 };
    unsigned char wqe[64], want[32];
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        a.opcode = rows[i].opcode;
        memset(wqe, 0xee, sizeof(wqe));
        doca_priv_mlx5_pack_access_8(wqe, 0x123456, 0x7beef, &a);
        memcpy(want, begin, sizeof(want));
        want[3] = rows[i].opcode;
        want[7] = rows[i].ds;
        CHECK_MEM(wqe, want, sizeof(want));
        if (rows[i].opcode == 0x08) {
            CHECK_MEM(wqe + 32, inlined, 4);
            CHECK_MEM(wqe + 36, &a.operand, 8); /* in the byte order of memory */
        } else if (rows[i].opcode == 0x12) {
            CHECK_MEM(wqe + 32, add, 16);
            CHECK_MEM(wqe + 48, cell, 16);
        } else {
            CHECK_MEM(wqe + 32, cell, 16);
        }
    }
}

static void byte_count_of_two_gib_is_zero(void)
{
    CHECK_EQ(doca_priv_mlx5_byte_count((uint64_t)1 << 31), 0);
    CHECK_EQ(fake_be32(&(uint32_t){ doca_priv_mlx5_byte_count(0x7fffffff) }), 0x7fffffff);
}

static void completions_are_parsed(void)
{
    static const struct {
        unsigned char opcode, vendor, syndrome; /* bytes of the completion entry */
        unsigned char want_vendor, want_syndrome;
    } rows[] = {
        { 0, 0, 0, 0, 0 },
        { 0, 0x12, 0x34, 0, 0 }, /* success: these bytes belong to a timestamp */
        { 13, 0x9d, 0x02, 0x9d, 0x02 },
        { 13, 0, 0x05, 0, 0x05 },
        { 14, 0x77, 0x13, 0x77, 0x13 },
        { 13, 0x01, 0, 0x01, 0xff }, /* an error with syndrome 0 must not look like success */
        { 2, 0, 0, 0, 0xff },        /* a receive completion, which the backend never requests */
    };
    unsigned char bytes[64];
    struct doca_priv_mlx5_cqe cqe;
    struct doca_priv_mlx5_done done;
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        memset(bytes, 0xa5, sizeof(bytes));
        bytes[54] = rows[i].vendor;
        bytes[55] = rows[i].syndrome;
        bytes[60] = 0xbe;
        bytes[61] = 0xef;
        bytes[63] = (unsigned char)(rows[i].opcode << 4 | 1);
        memcpy(&cqe, bytes, sizeof(cqe));
        doca_priv_mlx5_parse_cqe(&cqe, &done);
        CHECK_EQ(done.wqe, 0xbeef);
        CHECK_EQ(done.vendor, rows[i].want_vendor);
        CHECK_EQ(done.syndrome, rows[i].want_syndrome);
    }
}

static void fields_are_big_endian_by_their_first_bit(void)
{
    static const unsigned char want[8] = { 0x00, 0x03, 0xc0, 0x00, 0x80, 0x00, 0x00, 0x05 };
    unsigned char bytes[8] = { 0 };

    doca_priv_mlx5_set(bytes, 14, 4, 0xf);
    doca_priv_mlx5_set(bytes, 32, 32, 0x80000005);
    CHECK_MEM(bytes, want, sizeof(want));
    CHECK_EQ(doca_priv_mlx5_get(bytes, 14, 4), 0xf);
    CHECK_EQ(doca_priv_mlx5_get(bytes, 32, 32), 0x80000005);
    CHECK_EQ(doca_priv_mlx5_get(bytes, 13, 2), 1);
}

/* ---- on the device ---- */

static void properties_are_read_from_the_device(void)
{
    struct doca_devinfo **list, *info;
    char text[256];
    uint8_t is_equal;
    uint16_t number;
    double rate;

    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_AUTO);
    info = fake_info(&list);
    CHECK_OK(doca_devinfo_is_equal_pci_addr(info, "5e:00.1", &is_equal));
    CHECK_EQ(is_equal, 1);
    CHECK_OK(doca_devinfo_get_ibdev_name(info, text, sizeof(text)));
    CHECK_STR(text, "fake_0");
    CHECK_OK(doca_devinfo_get_iface_name(info, text, sizeof(text)));
    CHECK_STR(text, "fake0");
    CHECK_OK(doca_devinfo_get_lid(info, &number));
    CHECK_EQ(number, 7);
    CHECK_OK(doca_devinfo_get_vhca_id(info, &number));
    CHECK_EQ(number, 9);
    CHECK_OK(doca_devinfo_get_active_rate(info, &rate));
    CHECK_EQ(rate, 200); /* four lanes of HDR */
    CHECK_OK(doca_devinfo_destroy_list(list));

    fake.has_ipoib = true;
    use_fake(DOCA_CORE_MLX5_ENGINE_AUTO);
    info = fake_info(&list);
    CHECK_OK(doca_devinfo_get_iface_name(info, text, sizeof(text)));
    CHECK_STR(text, "ib0");
    CHECK_OK(doca_devinfo_destroy_list(list));
}

static void sub_function_has_the_address_of_its_parent(void)
{
    struct doca_devinfo **list, *info;
    enum doca_pci_func_type type;
    uint8_t is_equal;
    uint32_t index;

    fake_reset();
    fake.sysfs = "/sys/devices/pci0000:00/0000:5e:00.0/mlx5_core.sf.3/infiniband/x";
    use_fake(DOCA_CORE_MLX5_ENGINE_AUTO);
    info = fake_info(&list);
    CHECK_OK(doca_devinfo_is_equal_pci_addr(info, "5e:00.0", &is_equal));
    CHECK_EQ(is_equal, 1);
    CHECK_OK(doca_devinfo_get_pci_func_type(info, &type));
    CHECK_EQ(type, DOCA_PCI_FUNC_TYPE_SF);
    CHECK_OK(doca_devinfo_get_sf_index(info, &index));
    CHECK_EQ(index, 88);
    CHECK_OK(doca_devinfo_destroy_list(list));
}

static void device_without_a_pci_bus_gets_an_address(void)
{
    struct doca_devinfo **list, *info;
    char addr[DOCA_DEVINFO_PCI_ADDR_SIZE];

    fake_reset();
    fake.is_mlx5 = false;
    fake.sysfs = "/sys/devices/virtual/infiniband/rxe0";
    use_fake(DOCA_CORE_MLX5_ENGINE_AUTO);
    info = fake_info(&list);
    CHECK_OK(doca_devinfo_get_pci_addr_str(info, addr));
    CHECK_STR(addr, "ffff:00:00.0");
    CHECK_OK(doca_devinfo_destroy_list(list));
}

/* Which engine a device with these capabilities gets, and the size of its largest copy. AUTO as the
 * result means that the device gets no engine. */
static void engine_follows_from_the_capabilities(void)
{
    static const struct {
        const char *name;
        bool is_mlx5, has_mmo_qp, has_mmo_sq;
        unsigned log_max;
        enum doca_core_mlx5_engine wanted, gets;
        uint64_t max_bytes;
    } rows[] = {
        { "BlueField-3", true, true, false, 21, AUTO_, MMO_, 2 << 20 },
        { "BlueField-2", true, false, true, 0, AUTO_, MMO_, (uint64_t)1 << 31 },
        { "ConnectX", true, false, false, 21, AUTO_, RC_, 1 << 30 },
        { "another NIC", false, false, false, 0, AUTO_, VERBS_, 1 << 30 },
        { "BlueField, RC", true, true, false, 21, RC_, RC_, 1 << 30 },
        { "BlueField, verbs", true, true, false, 21, VERBS_, VERBS_, 1 << 30 },
        { "ConnectX, MMO", true, false, false, 21, MMO_, AUTO_, 0 },
        { "another NIC, RC", false, false, false, 0, RC_, AUTO_, 0 },
    };
    enum doca_core_mlx5_engine engine = DOCA_CORE_MLX5_ENGINE_AUTO;
    struct doca_devinfo **list, *info;
    struct doca_dev *dev;
    uint64_t max_bytes;
    size_t i;

    doca_core_log_set_level(DOCA_CORE_LOG_INFO);
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fake_reset();
        fake.is_mlx5 = rows[i].is_mlx5;
        fake.has_mmo_qp = rows[i].has_mmo_qp;
        fake.has_mmo_sq = rows[i].has_mmo_sq;
        fake.log_mmo_max = rows[i].log_max;
        test_log_item = DOCA_CORE_ITEM_NONE;
        use_fake(rows[i].wanted);
        CHECK_EQ(test_log_item == DOCA_CORE_ITEM_MLX5_NO_ENGINE, rows[i].gets == AUTO_);
        info = fake_info(&list);
        CHECK_RC(doca_dma_cap_task_memcpy_is_supported(info),
                 rows[i].gets == AUTO_ ? DOCA_ERROR_NOT_SUPPORTED : DOCA_SUCCESS);
        if (rows[i].gets != AUTO_) {
            CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(info, &max_bytes));
            CHECK_EQ(max_bytes, rows[i].max_bytes);
        }
        CHECK_OK(doca_dev_open(info, &dev));
        CHECK_RC(doca_core_mlx5_get_engine(dev, &engine),
                 rows[i].gets == AUTO_ ? DOCA_ERROR_NOT_SUPPORTED : DOCA_SUCCESS);
        if (rows[i].gets != AUTO_)
            CHECK_EQ(engine, rows[i].gets);
        CHECK_OK(doca_dev_close(dev));
        CHECK_OK(doca_devinfo_destroy_list(list));
    }
}

static void permissions_become_access_flags_of_verbs(void)
{
    static const struct {
        uint32_t access;
        unsigned rights;
    } rows[] = {
        { DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, 0 },
        { DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, IBV_ACCESS_LOCAL_WRITE },
        { DOCA_ACCESS_FLAG_RDMA_READ, IBV_ACCESS_REMOTE_READ },
        { DOCA_ACCESS_FLAG_RDMA_WRITE, IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_LOCAL_WRITE },
        { DOCA_ACCESS_FLAG_RDMA_ATOMIC, IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_LOCAL_WRITE },
        { DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING, IBV_ACCESS_RELAXED_ORDERING },
    };
    struct doca_mmap *map;
    struct doca_dev *dev;
    size_t i;

    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_MMO);
    dev = rig_open_dev(NULL);
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK_OK(doca_mmap_create(&map));
        CHECK_OK(doca_mmap_set_memrange(map, rig_from, 100));
        CHECK_OK(doca_mmap_add_dev(map, dev));
        CHECK_OK(doca_mmap_set_permissions(map, rows[i].access));
        CHECK_OK(doca_mmap_start(map));
        CHECK_EQ(fake.num_mrs, 1);
        CHECK_EQ(fake.mrs[0].access, rows[i].rights);
        CHECK_OK(doca_mmap_destroy(map));
        CHECK_EQ(fake.num_mrs, 0);
    }
    CHECK_OK(doca_dev_close(dev));
}

/* With the RC engine the backend registers a range twice and writes with the second key, so the key
 * that programs get has no remote permission. A start that fails leaves nothing registered. */
static void rc_engine_writes_with_a_second_key(void)
{
    struct doca_mmap *map;
    struct doca_dev *dev;
    unsigned taken;

    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_RC);
    dev = rig_open_dev(NULL);
    map = rig_map(dev, rig_from, 100);
    CHECK_EQ(fake.num_mrs, 2);
    CHECK_EQ(fake.mrs[0].access, IBV_ACCESS_LOCAL_WRITE);
    CHECK_EQ(fake.mrs[1].access, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    CHECK_OK(doca_mmap_destroy(map));
    for (taken = 0; taken < FAKE_MRS - 1; taken++)
        fake.mrs[taken].ibv.length = 1;
    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_set_memrange(map, rig_from, 100));
    CHECK_OK(doca_mmap_add_dev(map, dev));
    CHECK_RC(doca_mmap_start(map), DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(fake.num_mrs, 0);
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_dev_close(dev));
}

static void mmo_bit_is_set_by_init2init(void)
{
    unsigned char want[0x1d0] = { 0 };
    struct rig r;

    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_MMO);
    rig_open(&r, 4);
    want[0] = 0x05; /* INIT2INIT_QP */
    want[1] = 0x0e;
    want[8] = 0x80;              /* qpc_ext */
    want[10] = 0x01;             /* qpn 0x100 */
    want[0x840 / 8 + 7] = 0x08;  /* opt_param_mask_95_32: mmo */
    want[0x880 / 8] = 0x20;      /* qpc_data_extension: mmo */
    CHECK_EQ(fake.num_mmo_cmds, 1);
    CHECK_MEM(fake.mmo_cmd, want, sizeof(want));
    CHECK_EQ(fake.qps[0].state, IBV_QPS_RTS);
    CHECK_EQ(fake.qps[0].dest, 0x100); /* the queue pair is connected to itself */
    rig_close(&r);
}

/* ---- memory of other functions ---- */

static void mkey_command_matches_the_manual(void)
{
    static const struct doca_priv_mlx5_caps caps;
    unsigned char want[0x110] = { 0 }, in[0x110];

    want[0] = 0x02; /* CREATE_MKEY */
    want[0x300 / 8 + 3] = 2; /* translations_octword_actual_size: three pages */
    memcpy(want + 0x320 / 8, "abcd", 4);  /* mkey_umem_id */
    want[0x10 + 2] = 0x3d;                /* rw rr lw lr, access mode MTT */
    memcpy(want + 0x10 + 4, "\xff\xff\xff", 3);                       /* qpn */
    memcpy(want + 0x10 + 13, "QRS", 3);                                /* pd */
    memcpy(want + 0x10 + 16, "\x00\x00\x7f\x01\x02\x03\x0f\xff", 8);  /* start_addr */
    memcpy(want + 0x10 + 24, "\x00\x00\x00\x00\x00\x00\x10\x02", 8);  /* len */
    want[0x10 + 0x1a0 / 8 + 3] = 2;       /* translations_octword_size */
    want[0x10 + 0x1d8 / 8] = 12;          /* log_page_size */
    memset(in, 0xee, sizeof(in));
    doca_priv_mlx5_pack_mkey(in, &caps, 0x61626364, 0x515253, 0x7f0102030fff, 0x1002,
                             IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                                 IBV_ACCESS_REMOTE_READ);
    CHECK_MEM(in, want, sizeof(want));
}

/* A key allows relaxed ordering only if the program requests it and the firmware supports it. No
 * other field of the command changes. */
static void relaxed_ordering_is_in_the_mkey(void)
{
    const unsigned reads = IBV_ACCESS_REMOTE_READ;
    unsigned char plain[0x110], in[0x110];
    struct doca_priv_mlx5_caps caps;
    unsigned i;

    for (i = 0; i < 8; i++) {
        memset(&caps, 0, sizeof(caps));
        caps.has_relaxed_write = (i & 1) != 0;
        caps.has_relaxed_read = (i & 2) != 0;
        doca_priv_mlx5_pack_mkey(plain, &caps, 1, 2, 0x7f0102030fff, 0x1002, reads);
        doca_priv_mlx5_pack_mkey(in, &caps, 1, 2, 0x7f0102030fff, 0x1002,
                                 reads | ((i & 4) != 0 ? IBV_ACCESS_RELAXED_ORDERING : 0u));
        plain[0x10 + 1] |= (i & 5) == 5 ? 0x04 : 0;         /* relaxed_ordering_write */
        plain[0x10 + 0x1d8 / 8] |= (i & 6) == 6 ? 0x40 : 0; /* relaxed_ordering_read */
        CHECK_MEM(in, plain, sizeof(in));
    }
}

/* The permission of relaxed ordering reaches each key of the mmap, including the key of an
 * export. */
static void relaxed_ordering_reaches_every_key(void)
{
    static const enum doca_core_mlx5_engine used_engines[] = { DOCA_CORE_MLX5_ENGINE_MMO,
                                                               DOCA_CORE_MLX5_ENGINE_RC };
    const uint32_t access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE |
                            DOCA_ACCESS_FLAG_RDMA_READ;
    struct doca_mmap *map, *import;
    struct doca_dev *dev;
    const void *desc;
    unsigned i, is_on;
    size_t len;

    for (i = 0; i < 8; i++) { /* bits: engine, relaxed ordering, export for PCI or for RDMA */
        fake_reset();
        fake.has_cap_2 = true;
        fake.has_relaxed_write = fake.has_relaxed_read = true;
        use_fake(used_engines[i & 1]);
        is_on = i >> 1 & 1;
        dev = rig_open_dev(NULL);
        CHECK_OK(doca_mmap_create(&map));
        CHECK_OK(doca_mmap_set_memrange(map, rig_from, 100));
        CHECK_OK(doca_mmap_set_permissions(
            map, access | (is_on ? DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING : 0u)));
        CHECK_OK(doca_mmap_add_dev(map, dev));
        CHECK_OK(doca_mmap_start(map));
        CHECK_EQ(fake.num_mrs, 1 + (i & 1));
        CHECK_EQ((fake.mrs[0].access & IBV_ACCESS_RELAXED_ORDERING) != 0, is_on);
        if ((i & 1) != 0) /* the key with which the pair writes */
            CHECK_EQ(fake.mrs[1].access,
                     IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                         (is_on ? (unsigned)IBV_ACCESS_RELAXED_ORDERING : 0u));
        CHECK_OK((i & 4) != 0 ? doca_mmap_export_rdma(map, dev, &desc, &len)
                              : doca_mmap_export_pci(map, dev, &desc, &len));
        CHECK_EQ(fake.mkey_cmd[0x10 + 1], is_on ? 0x04 : 0);
        CHECK_EQ(fake.mkey_cmd[0x10 + 0x1d8 / 8], is_on ? 0x4c : 0x0c);
        CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dev, &import));
        CHECK_EQ(OBJECT(import)->devs[0].mkey, 0x12345700); /* an alias of that key */
        CHECK_OK(doca_mmap_destroy(import));
        CHECK_OK(doca_mmap_destroy(map));
        CHECK_OK(doca_dev_close(dev));
    }
}

static void share_rights_follow_from_the_permissions(void)
{
    const unsigned relaxed = IBV_ACCESS_RELAXED_ORDERING;
    const unsigned reads = IBV_ACCESS_REMOTE_READ;
    const unsigned writes = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_LOCAL_WRITE;
    const unsigned adds = IBV_ACCESS_REMOTE_ATOMIC;
    const uint32_t all = 0x7f & ~(uint32_t)DOCA_ACCESS_FLAG_PCI_READ_ONLY;

    CHECK_EQ(doca_priv_mlx5_share_access(DOCA_ACCESS_FLAG_PCI_READ_ONLY, false), reads);
    CHECK_EQ(doca_priv_mlx5_share_access(DOCA_ACCESS_FLAG_PCI_READ_WRITE, false),
             reads | writes | adds);
    CHECK_EQ(doca_priv_mlx5_share_access(all, false), reads | writes | adds | relaxed);
    CHECK_EQ(doca_priv_mlx5_share_access(DOCA_ACCESS_FLAG_RDMA_READ, true), reads);
    CHECK_EQ(doca_priv_mlx5_share_access(DOCA_ACCESS_FLAG_RDMA_WRITE, true), writes);
    CHECK_EQ(doca_priv_mlx5_share_access(all, true), reads | writes | adds | relaxed);
    CHECK_EQ(doca_priv_mlx5_share_access(DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING, true), relaxed);
}

/* Export and import name the same key in their commands, and leave no object of the device
 * behind. */
static void export_and_import_commands_name_one_key(void)
{
    struct doca_mmap *map, *import;
    struct doca_dev *dev;
    const void *desc;
    size_t len;

    fake_reset();
    fake.has_cap_2 = true;
    use_fake(DOCA_CORE_MLX5_ENGINE_MMO);
    dev = rig_open_dev(NULL);
    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_set_memrange(map, rig_from, 100));
    CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    CHECK_OK(doca_mmap_add_dev(map, dev));
    CHECK_OK(doca_mmap_start(map));
    fake.obj_status = 9;
    CHECK_RC(doca_mmap_export_pci(map, dev, &desc, &len), DOCA_ERROR_DRIVER);
    CHECK_EQ(fake.num_umems, 0);
    fake.obj_status = 0;
    CHECK_OK(doca_mmap_export_pci(map, dev, &desc, &len));
    CHECK_PTR(fake.umem_addr, rig_from);
    CHECK_EQ(fake.umem_len, 100);
    CHECK_EQ(fake.umem_access, IBV_ACCESS_LOCAL_WRITE);
    CHECK_EQ(fake_be32(fake.allow_cmd + 0x10), 0xff01); /* object_type, after 16 reserved bits */
    CHECK_EQ(fake_be32(fake.allow_cmd + 0x14), 0x123456);
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dev, &import));
    CHECK_EQ(fake_be32(fake.alias_cmd), 0xa00u << 16);
    CHECK_EQ(fake_be32(fake.alias_cmd + 4), 0xff01);     /* obj_type */
    CHECK_EQ(fake_be32(fake.alias_cmd + 12), 1u << 31);  /* alias_object */
    CHECK_EQ(fake_be32(fake.alias_cmd + 0x10), 9u << 16); /* vhca_id_to_be_accessed */
    CHECK_EQ(fake_be32(fake.alias_cmd + 0x14), 0x123456); /* object_id_to_be_accessed */
    CHECK_EQ(fake_be32(fake.alias_cmd + 0x40), 0x515253); /* metadata_1: the PD */
    CHECK_MEM(fake.alias_cmd + 0x20, fake.allow_cmd + 0x20, 32);
    CHECK_EQ(OBJECT(import)->devs[0].mkey, 0x12345700);
    CHECK_EQ(fake.num_objs, 2);
    CHECK_OK(doca_mmap_stop(map));
    CHECK_EQ(fake.num_objs, 1);
    CHECK_EQ(fake.num_umems, 0);
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_EQ(fake.num_objs, 0);
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_dev_close(dev));
}

static void device_without_the_capability_exports_nothing(void)
{
    struct doca_devinfo **list, *info;
    uint8_t is_supported;

    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_MMO);
    info = fake_info(&list);
    CHECK_OK(doca_mmap_cap_is_export_pci_supported(info, &is_supported));
    CHECK_EQ(is_supported, 0);
    CHECK_OK(doca_mmap_cap_is_create_from_export_pci_supported(info, &is_supported));
    CHECK_EQ(is_supported, 0);
    CHECK_OK(doca_devinfo_destroy_list(list));
}

/* Buffers of memory on the device do not begin at address 0, and the keys have the access flags
 * that the engine needs. */
static void memory_on_the_device_has_addresses_and_access_flags(void)
{
    unsigned char bytes[4] = { 1, 2, 3, 4 }, back[4];
    struct doca_mmap *map;
    struct doca_dev *dev;
    void *addr;
    size_t len;

    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_RC);
    dev = rig_open_dev(NULL);
    CHECK_RC(doca_core_mmap_create_on_dev(dev, 193, &map), DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_CALL);
    CHECK_OK(doca_core_mmap_create_on_dev(dev, 192, &map));
    CHECK_OK(doca_mmap_get_memrange(map, &addr, &len));
    CHECK_PTR(addr, (void *)64);
    CHECK_EQ(len, 192);
    CHECK_EQ(fake.mrs[0].ibv.length, 256);
    CHECK_EQ(fake.mrs[0].access, IBV_ACCESS_LOCAL_WRITE);
    CHECK_EQ(fake.mrs[1].access, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    CHECK_EQ(OBJECT(map)->devs[0].internal_mkey, fake.mrs[1].ibv.rkey);
    CHECK_OK(doca_core_mmap_write(map, 188, bytes, 4));
    CHECK_MEM(fake.dm_bytes + 252, bytes, 4);
    CHECK_OK(doca_core_mmap_read(map, 188, back, 4));
    CHECK_MEM(back, bytes, 4);
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_EQ(fake.num_mrs, 0);
    CHECK_EQ(fake.num_dms, 0);
    CHECK_OK(doca_dev_close(dev));
}

/* The backend rounds the length up to units of 64 bytes for the firmware, and to words of 4 bytes
 * in accesses through libmlx5. */
static void memory_on_the_device_is_rounded_for_the_firmware(void)
{
    static const size_t lens[] = { 1, 3, 8, 63, 64, 65, 100, 129, 192 };
    unsigned char bytes[192], back[192];
    struct doca_mmap *map;
    struct doca_dev *dev;
    size_t i, len;
    void *addr;

    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_RC);
    dev = rig_open_dev(NULL);
    memset(bytes, 7, sizeof(bytes));
    for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
        memset(fake.dm_bytes, 1, sizeof(fake.dm_bytes));
        CHECK_OK(doca_core_mmap_create_on_dev(dev, lens[i], &map));
        CHECK_OK(doca_mmap_get_memrange(map, &addr, &len));
        CHECK_EQ(len, lens[i]);
        CHECK_EQ(fake.mrs[0].ibv.length, 64 + (len + 63) / 64 * 64);
        CHECK_EQ(fake.mrs[1].ibv.length, 64 + (len + 63) / 64 * 64);
        CHECK_OK(doca_core_mmap_write(map, 0, bytes, len));
        CHECK_OK(doca_core_mmap_read(map, 0, back, len));
        CHECK_MEM(back, bytes, len);
        CHECK_EQ(fake.dm_bytes[63], 1);
        CHECK_EQ(fake.dm_bytes[64], 7);
        CHECK_EQ(fake.dm_bytes[64 + len - 1], 7);
        CHECK(len == 192 || fake.dm_bytes[64 + len] == 1); /* the bytes around it are unchanged */
        CHECK_RC(doca_core_mmap_read(map, len, back, 1), DOCA_ERROR_INVALID_VALUE);
        CHECK_OK(doca_mmap_destroy(map));
    }
    CHECK_OK(doca_dev_close(dev));
}

/* Contexts and mmaps take as many bytes from the arena as the macros promise. */
static void sizes_match_the_arena(void)
{
    static const uint32_t nums[] = { 1, 2, 7, 64, 1000 };
    size_t bytes, before, after, i;
    struct doca_mmap *map;
    struct doca_dev *dev;
    struct rig r;

    for (i = 0; i < sizeof(nums) / sizeof(nums[0]); i++) {
        fake_reset();
        use_fake(DOCA_CORE_MLX5_ENGINE_MMO);
        rig_build(&r, NULL, nums[i]);
        CHECK_OK(doca_core_bytes_dma(r.dev, nums[i], &bytes));
        CHECK_EQ(bytes, DOCA_CORE_MLX5_BYTES_DMA(nums[i]));
        CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &before, NULL, NULL));
        CHECK_OK(doca_ctx_start(r.ctx));
        CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &after, NULL, NULL));
        CHECK_EQ(after - before, bytes - DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dma)));
        rig_drain(&r);
        rig_close(&r);
    }
    dev = rig_open_dev(NULL);
    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_set_memrange(map, rig_from, 100));
    CHECK_OK(doca_mmap_add_dev(map, dev));
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &before, NULL, NULL));
    CHECK_OK(doca_mmap_start(map));
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &after, NULL, NULL));
    CHECK_EQ(after - before, DOCA_CORE_MLX5_BYTES_REG);
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_dev_close(dev));
}

/* Queue pairs on an Ethernet port are connected by a GID, preferably one with an IPv4 address. */
static void ethernet_port_is_connected_by_gid(void)
{
    struct rig r;
    unsigned i;

    for (i = 0; i < 2; i++) {
        fake_reset();
        fake.is_ethernet = true;
        fake.has_ipv4 = i != 0;
        use_fake(DOCA_CORE_MLX5_ENGINE_RC);
        rig_open(&r, 4);
        CHECK_EQ(fake.qps[0].dest, 0x101); /* the queue pairs are connected to each other */
        CHECK_EQ(fake.qps[1].dest, 0x100);
        rig_close(&r);
    }
}

static const struct test_case cases[] = {
    CASE(mmo_wqe_matches_the_manual, ""),
    CASE(write_wqe_matches_the_manual, ""),
    CASE(inline_wqe_matches_the_manual, ""),
    CASE(gather_wqe_matches_the_manual, ""),
    CASE(wqes_of_sync_events_match_the_manual, ""),
    CASE(byte_count_of_two_gib_is_zero, ""),
    CASE(completions_are_parsed, ""),
    CASE(fields_are_big_endian_by_their_first_bit, ""),
    CASE(properties_are_read_from_the_device, ""),
    CASE(sub_function_has_the_address_of_its_parent, ""),
    CASE(device_without_a_pci_bus_gets_an_address, ""),
    CASE(engine_follows_from_the_capabilities, ""),
    CASE(permissions_become_access_flags_of_verbs, ""),
    CASE(rc_engine_writes_with_a_second_key, ""),
    CASE(mmo_bit_is_set_by_init2init, ""),
    CASE(mkey_command_matches_the_manual, ""),
    CASE(relaxed_ordering_is_in_the_mkey, ""),
    CASE(relaxed_ordering_reaches_every_key, ""),
    CASE(share_rights_follow_from_the_permissions, ""),
    CASE(export_and_import_commands_name_one_key, ""),
    CASE(device_without_the_capability_exports_nothing, ""),
    CASE(memory_on_the_device_has_addresses_and_access_flags, ""),
    CASE(memory_on_the_device_is_rounded_for_the_firmware, ""),
    CASE(sizes_match_the_arena, ""),
    CASE(ethernet_port_is_connected_by_gid, ""),
};

TEST_MAIN(cases)
