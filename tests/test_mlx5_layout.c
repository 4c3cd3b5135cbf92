/* The mlx5 backend before a device in plain memory (mlx5_fake.h): the bytes of WQEs, commands and
 * doorbells, what it makes of completions, and what it does when things go wrong. */
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "mlx5_fake.h"

#include <poll.h>

static const struct doca_priv_mlx5_piece piece = { 0x1122334455667788, 0x99aabbccddeeff00, 0x10203,
                                                   0xa1a2a3a4, 0xb1b2b3b4 };

static void mmo_wqe_is_as_the_manual_has_it(void)
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
    CHECK_MEM(&first, want, sizeof(first)); /* what the doorbell takes */
}

static void write_wqe_is_as_the_manual_has_it(void)
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
    CHECK_EQ(wqe[48], 0xee); /* no part of it */
    doca_priv_mlx5_unsignal(wqe);
    CHECK_MEM(wqe, want, 11);
    CHECK_EQ(wqe[11], 0);
    CHECK_MEM(wqe + 12, want + 12, 36);
}

/* The data in the WQE, of each length whose end is at, or beside, that of 16 bytes. */
static void inline_wqe_is_as_the_manual_has_it(void)
{
    static const unsigned char begin[36] = {
        0x00, 0x00, 0x07, 0x08, 0x12, 0x34, 0x56, 0x00, 0, 0, 0, 0x08, 0, 0, 0, 0,
        0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00, 0xb1, 0xb2, 0xb3, 0xb4, 0, 0, 0, 0,
        0x80, 0x00, 0x00, 0x00,
    };
    static const struct {
        unsigned char bytes, ds;
    } rows[] = { { 1, 3 }, { 8, 3 }, { 12, 3 }, { 13, 4 }, { 27, 4 }, { 28, 4 } };
    struct doca_priv_mlx5_piece own = piece;
    struct doca_priv_mlx5_model model;
    unsigned char wqe[64], want[64];
    uint64_t first;
    size_t i;

    own.from = (uintptr_t)"What is short is in the WQE.";
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        memset(want, 0xee, sizeof(want));
        memcpy(want, begin, sizeof(begin));
        want[7] = rows[i].ds;
        want[35] = rows[i].bytes;
        memcpy(want + 36, "What is short is in the WQE.", rows[i].bytes);
        memset(wqe, 0xee, sizeof(wqe));
        own.bytes = rows[i].bytes;
        doca_priv_mlx5_model_write(&model, 0x123456);
        first = doca_priv_mlx5_pack_inline(wqe, &model, 7, &own);
        CHECK_MEM(wqe, want, sizeof(want));
        CHECK_MEM(&first, want, sizeof(first));
    }
}

/* Two sources fill a basic block; of seven, the last is where the ring begins again. */
static void gather_wqe_is_as_the_manual_has_it(void)
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
        memcpy(want + 128, head, sizeof(head)); /* index 0xfffe of four */
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

/* What sync events ask of a queue pair: behind a fence, with a completion. */
static void wqes_of_sync_events_are_as_the_manual_has_them(void)
{
    static const unsigned char begin[32] = { /* but for opcode and size */
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
            CHECK_MEM(wqe + 36, &a.operand, 8); /* as it is to stand in memory */
        } else if (rows[i].opcode == 0x12) {
            CHECK_MEM(wqe + 32, add, 16);
            CHECK_MEM(wqe + 48, cell, 16);
        } else {
            CHECK_MEM(wqe + 32, cell, 16);
        }
    }
}

static void two_gib_are_a_count_of_zero(void)
{
    CHECK_EQ(doca_priv_mlx5_byte_count((uint64_t)1 << 31), 0);
    CHECK_EQ(fake_be32(&(uint32_t){ doca_priv_mlx5_byte_count(0x7fffffff) }), 0x7fffffff);
}

static void completions_are_parsed(void)
{
    static const struct {
        unsigned char opcode, vendor, syndrome; /* as they stand in the entry */
        unsigned char want_vendor, want_syndrome;
    } rows[] = {
        { 0, 0, 0, 0, 0 },
        { 0, 0x12, 0x34, 0, 0 }, /* the end of a timestamp */
        { 13, 0x9d, 0x02, 0x9d, 0x02 },
        { 13, 0, 0x05, 0, 0x05 },
        { 14, 0x77, 0x13, 0x77, 0x13 },
        { 13, 0x01, 0, 0x01, 0xff }, /* an error is an error */
        { 2, 0, 0, 0, 0xff },        /* a message that was received: not here */
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

static void use_fake(enum doca_core_mlx5_engine engine)
{
    const struct doca_core_mlx5_options options = { &fake_sys, engine };
    static const struct doca_core_dev_attr none;
    static bool is_registered;
    const struct doca_core_backend *backend = doca_core_mlx5_backend(&options);

    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    if (!is_registered)
        CHECK_OK(doca_core_backend_register(backend));
    is_registered = true;
}

static struct doca_devinfo *fake_info(struct doca_devinfo ***list)
{
    uint32_t num;

    CHECK_OK(doca_devinfo_create_list(list, &num));
    CHECK_EQ(num, 1);
    return (*list)[0];
}

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

static void sub_function_has_its_parents_address(void)
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

#define AUTO_ DOCA_CORE_MLX5_ENGINE_AUTO
#define MMO_ DOCA_CORE_MLX5_ENGINE_MMO
#define RC_ DOCA_CORE_MLX5_ENGINE_RC
#define VERBS_ DOCA_CORE_MLX5_ENGINE_VERBS

static void device_on_no_bus_has_an_address(void)
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

/* Which engine a device of these capabilities gets, and what it then takes. AUTO: none. */
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

static void permissions_become_rights(void)
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

/* With a pair the range has a second key, to be written by; the one that programs get is as it
 * was. A start that fails leaves nothing. */
static void pairs_write_by_a_key_of_their_own(void)
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
    CHECK_EQ(fake.qps[0].dest, 0x100); /* itself */
    rig_close(&r);
}

/* ---- memory of other functions ---- */

static void mkey_command_is_as_the_manual_has_it(void)
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

/* Relaxed ordering where it is asked for and the firmware has it, and nothing else is other. */
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

/* From the permissions of an mmap to each of its keys, and to the import's own copies. */
static void relaxed_ordering_is_asked_for_everywhere(void)
{
    static const enum doca_core_mlx5_engine ways[] = { DOCA_CORE_MLX5_ENGINE_MMO,
                                                       DOCA_CORE_MLX5_ENGINE_RC };
    const uint32_t access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE |
                            DOCA_ACCESS_FLAG_RDMA_READ;
    struct doca_mmap *map, *import;
    struct doca_dev *dev;
    const void *desc;
    unsigned i, is_on;
    size_t len;

    for (i = 0; i < 8; i++) { /* which engine, relaxed or not, for PCI or for RDMA */
        fake_reset();
        fake.has_cap_2 = true;
        fake.has_relaxed_write = fake.has_relaxed_read = true;
        use_fake(ways[i & 1]);
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
        if ((i & 1) != 0) /* by which the pair writes */
            CHECK_EQ(fake.mrs[1].access,
                     IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                         (is_on ? (unsigned)IBV_ACCESS_RELAXED_ORDERING : 0u));
        CHECK_OK((i & 4) != 0 ? doca_mmap_export_rdma(map, dev, &desc, &len)
                              : doca_mmap_export_pci(map, dev, &desc, &len));
        CHECK_EQ(fake.mkey_cmd[0x10 + 1], is_on ? 0x04 : 0);
        CHECK_EQ(fake.mkey_cmd[0x10 + 0x1d8 / 8], is_on ? 0x4c : 0x0c);
        CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dev, &import));
        CHECK_EQ(import->devs[0].mkey, 0x12345700); /* an alias of that key */
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

/* Export, import, and what is left behind by neither. */
static void export_and_import_speak_of_one_key(void)
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
    CHECK_EQ(fake_be32(fake.allow_cmd + 0x10), 0xff01); /* object_type, behind 16 bits */
    CHECK_EQ(fake_be32(fake.allow_cmd + 0x14), 0x123456);
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dev, &import));
    CHECK_EQ(fake_be32(fake.alias_cmd), 0xa00u << 16);
    CHECK_EQ(fake_be32(fake.alias_cmd + 4), 0xff01);     /* obj_type */
    CHECK_EQ(fake_be32(fake.alias_cmd + 12), 1u << 31);  /* alias_object */
    CHECK_EQ(fake_be32(fake.alias_cmd + 0x10), 9u << 16); /* vhca_id_to_be_accessed */
    CHECK_EQ(fake_be32(fake.alias_cmd + 0x14), 0x123456); /* object_id_to_be_accessed */
    CHECK_EQ(fake_be32(fake.alias_cmd + 0x40), 0x515253); /* metadata_1: the PD */
    CHECK_MEM(fake.alias_cmd + 0x20, fake.allow_cmd + 0x20, 32);
    CHECK_EQ(import->devs[0].mkey, 0x12345700);
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

/* Memory on the device begins behind address 0, of which bufs know nothing. */
static void memory_on_the_device_has_addresses_and_rights(void)
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
    CHECK_EQ(map->devs[0].own, fake.mrs[1].ibv.rkey);
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

/* ---- copies ---- */

static const enum doca_core_mlx5_engine engines[] = {
    DOCA_CORE_MLX5_ENGINE_MMO, DOCA_CORE_MLX5_ENGINE_RC, DOCA_CORE_MLX5_ENGINE_VERBS
};
#define NUM_ENGINES (sizeof(engines) / sizeof(engines[0]))

static void open_fake_rig(struct rig *r, enum doca_core_mlx5_engine engine, uint32_t num_tasks)
{
    fake_reset();
    use_fake(engine);
    rig_open(r, num_tasks);
    r->frees_tasks = true;
}

/* Let device and PE take turns until nothing moves. */
static void finish(struct rig *r)
{
    while (fake_run() + rig_drain(r) > 0)
        ;
    CHECK(!fake.is_overrun);
}

static void every_engine_copies(void)
{
    struct rig r;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        open_fake_rig(&r, engines[i], 4);
        (void)rig_copy(&r, r.dma, 100, 5000);
        if (engines[i] != DOCA_CORE_MLX5_ENGINE_VERBS)
            CHECK_EQ(rig_drain(&r), 0); /* not before the device has done it */
        finish(&r);
        CHECK_EQ(r.num_ok, 1);
        CHECK_MEM(rig_to + 100, rig_from + 100, 5000);
        CHECK_EQ(rig_to[99], 0xee);
        CHECK_EQ(rig_to[5100], 0xee);
        rig_close(&r);
        CHECK_EQ(fake.num_mrs, 0);
    }
}

/* What contexts and mmaps take of the arena is what the macros say. */
static void sizes_are_true(void)
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

static void queue_without_a_doorbell_of_its_own_works(void)
{
    struct rig r;
    unsigned i;

    for (i = 1; i < 4; i++) { /* and without a place for its rings */
        fake_reset();
        fake.no_td = (i & 1) != 0;
        fake.no_domain = (i & 2) != 0;
        use_fake(DOCA_CORE_MLX5_ENGINE_MMO);
        rig_open(&r, 4);
        r.frees_tasks = true;
        (void)rig_copy(&r, r.dma, 0, 100);
        finish(&r);
        CHECK_EQ(r.num_ok, 1);
        rig_close(&r);
    }
}

/* Tasks that go together are told of once: one doorbell, which is that of the last. */
static void tasks_of_a_batch_share_a_doorbell(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    for (i = 0; i < 8; i++) {
        task = rig_prepare(&r, r.dma, i * 100, 100);
        CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task),
                                     DOCA_TASK_SUBMIT_FLAG_NONE));
    }
    CHECK_EQ(fake_run(), 0);
    doca_ctx_flush_tasks(r.ctx);
    CHECK_MEM(&fake.qps[0].doorbell, fake.qps[0].sq + 7 * 64, 8);
    CHECK_EQ(fake_run(), 8);
    finish(&r);
    CHECK_EQ(r.num_ok, 8);
    rig_close(&r);
}

/* What the device was not told of: another kind of flush, and a stop, in which it is not begun. */
static void tasks_that_are_held_are_told_of_or_taken_back(void)
{
    static const size_t starts[] = { FAKE_WQES - 5, 3 }; /* around the end of the ring, and not */
    struct rig r;
    size_t i, k;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    r.frees_tasks = true;
    for (i = 0; i < 2; i++) {
        for (k = 0; k < starts[i]; k++) {
            (void)rig_copy(&r, r.dma, 0, 64);
            finish(&r);
        }
        memset(rig_to, 0xee, RIG_BYTES);
        for (k = 0; k < 3; k++)
            CHECK_OK(doca_task_submit_ex(
                doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, k * 64, 64)), 0));
        CHECK_EQ(fake_run(), 0);
        CHECK_EQ(rig_drain(&r), 0);
        (void)rig_copy(&r, r.dma, 192, 64);
        CHECK_EQ(fake_run(), 4);
        finish(&r);
        CHECK_MEM(rig_to, rig_from, 256);
        memset(rig_to, 0xee, RIG_BYTES);
        (void)rig_copy(&r, r.dma, 0, 64);
        for (k = 1; k < 4; k++)
            CHECK_OK(doca_task_submit_ex(
                doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, k * 64, 64)), 0));
        CHECK_EQ(fake_run(), 1);
        r.num_ok = 0;
        r.num_failed = 0;
        CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
        finish(&r);
        CHECK_EQ(r.num_ok, 1);
        CHECK_EQ(r.num_failed, 3);
        CHECK_EQ(r.status, DOCA_ERROR_SHUTDOWN);
        CHECK_EQ(rig_to[64], 0xee);
        CHECK_OK(doca_ctx_start(r.ctx));
        rig_drain(&r);
    }
    rig_close(&r);
}

/* An overlap is the CPU's to move: core keeps it, so that it does not begin before its flush. */
static void unusual_task_is_kept_behind_held_ones(void)
{
    struct doca_dma_task_memcpy *task;
    unsigned char before[30];
    struct doca_buf *src;
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    r.frees_tasks = true;
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, 0, 64)), 0));
    memcpy(rig_to + 500, rig_from, 20);
    memcpy(before, rig_to + 500, sizeof(before));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, r.dst_map, rig_to + 500, 20, &src));
    task = rig_task(r.dma, src, rig_dst(&r, 510, 20));
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), 0));
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, 64, 64)), 0));
    CHECK_EQ(fake_run(), 0);
    CHECK_EQ(rig_drain(&r), 0);
    CHECK_MEM(rig_to + 500, before, sizeof(before));
    doca_ctx_flush_tasks(r.ctx);
    CHECK_EQ(fake_run(), 2);
    finish(&r);
    CHECK_EQ(r.num_ok, 3);
    CHECK_MEM(rig_to + 510, before, 20);
    rig_close(&r);
}

/* What overlaps by its address only, as it is another process's, is the device's to copy. */
static void import_at_ones_own_addresses_is_not_moved_by_the_cpu(void)
{
    struct doca_mmap *map, *import;
    struct doca_buf *src, *dst;
    const void *desc;
    struct rig r;
    size_t len;

    fake_reset();
    fake.has_cap_2 = true;
    use_fake(DOCA_CORE_MLX5_ENGINE_MMO);
    rig_open(&r, 4);
    r.frees_tasks = true;
    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_set_memrange(map, rig_to, 1000));
    CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    CHECK_OK(doca_mmap_add_dev(map, r.dev));
    CHECK_OK(doca_mmap_start(map));
    CHECK_OK(doca_mmap_export_pci(map, r.dev, &desc, &len));
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, r.dev, &import));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, import, rig_to, 100, &src));
    dst = rig_dst(&r, 50, 100);
    CHECK_OK(rig_submit(rig_task(r.dma, src, dst)));
    CHECK_EQ(fake_be32(&fake.qps[0].dbrec[1]), 1);
    CHECK_EQ(fake_be32(fake.qps[0].sq + 0x24), 0x12345700);
    (void)fake_run(); /* a key that this device does not know */
    finish(&r);
    CHECK_EQ(r.num_failed, 1);
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(map));
    rig_close(&r);
}

/* Ethernet ports are addressed by a GID: one of an IPv4 address if there is any. */
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
        CHECK_EQ(fake.qps[0].dest, 0x101); /* each other's */
        CHECK_EQ(fake.qps[1].dest, 0x100);
        rig_close(&r);
    }
}

/* Bytes that go into a WQE: 28, or none in mlx5_layout.no_inline. */
static const unsigned most_inline = DOCA_CORE_MLX5_MAX_INLINE;

/* The queue pair that was rung. */
static const struct fake_qp *rung_qp(void)
{
    return fake.qps[0].dbrec[1] != 0 ? &fake.qps[0] : &fake.qps[1];
}

/* A list of sources 100, 200, 300 to destinations of 250 and 350. */
static void submit_two_lists(struct rig *r)
{
    struct doca_buf *src = rig_src(r, 0, 100), *dst = rig_dst(r, 5000, 250);

    CHECK_OK(doca_buf_chain_list(src, rig_src(r, 1000, 200)));
    CHECK_OK(doca_buf_chain_list(src, rig_src(r, 2000, 300)));
    CHECK_OK(doca_buf_chain_list(dst, rig_dst(r, 6000, 350)));
    CHECK_OK(rig_submit(rig_task(r->dma, src, dst)));
}

static void check_two_lists(struct rig *r)
{
    finish(r);
    CHECK_EQ(r->num_ok, 1);
    CHECK_MEM(rig_to + 5000, rig_from, 100);
    CHECK_MEM(rig_to + 5100, rig_from + 1000, 150);
    CHECK_MEM(rig_to + 6000, rig_from + 1150, 50);
    CHECK_MEM(rig_to + 6050, rig_from + 2000, 300);
    rig_close(r);
}

/* The engine has one source and one destination in a WQE: pieces of 100, 150, 50, 300. */
static void lists_become_pieces_and_one_completion(void)
{
    const struct fake_qp *q = &fake.qps[0];
    struct rig r;
    size_t k;

    open_fake_rig(&r, MMO_, 4);
    submit_two_lists(&r);
    CHECK_EQ(fake_be32(&q->dbrec[1]), 4);
    for (k = 0; k < 4; k++)
        CHECK_EQ(q->sq[k * 64 + 11], k == 3 ? 0x08 : 0);
    CHECK_EQ(fake_be32(q->sq + 0x20), 100);
    CHECK_EQ(fake_be32(q->sq + 64 + 0x20), 150);
    CHECK_EQ(fake_be32(q->sq + 128 + 0x20), 50);
    CHECK_EQ(fake_be32(q->sq + 192 + 0x20), 300);
    check_two_lists(&r);
    CHECK_EQ(fake.cq_pi, 1);
}

/* An RDMA WRITE has one destination, which gathers 100 and 150, or 50 and 300. */
static void lists_are_gathered_where_they_go(void)
{
    const struct fake_qp *q;
    struct rig r;

    open_fake_rig(&r, RC_, 4);
    submit_two_lists(&r);
    q = rung_qp();
    CHECK_EQ(fake_be32(&q->dbrec[1]), 2);
    CHECK_EQ(q->sq[7], 4);
    CHECK_EQ(q->sq[11], 0);
    CHECK_EQ(fake_be32(q->sq + 0x20), 100);
    CHECK_EQ(fake_be32(q->sq + 0x30), 150);
    CHECK_EQ(q->sq[64 + 7], 4);
    CHECK_EQ(q->sq[64 + 11], 0x08);
    CHECK_EQ(fake_be32(q->sq + 64 + 0x20), 50);
    CHECK_EQ(fake_be32(q->sq + 64 + 0x30), 300);
    check_two_lists(&r);
    CHECK_EQ(fake.cq_pi, 1);
    open_fake_rig(&r, VERBS_, 4);
    submit_two_lists(&r);
    CHECK_EQ(fake.num_posted, 2);
    check_two_lists(&r);
}

static void submit_sources(struct rig *r, unsigned num, unsigned bytes)
{
    struct doca_buf *src = rig_src(r, 0, bytes);
    unsigned i;

    for (i = 1; i < num; i++)
        CHECK_OK(doca_buf_chain_list(src, rig_src(r, i * 500, bytes)));
    CHECK_OK(rig_submit(rig_task(r->dma, src, rig_dst(r, 0, num * bytes))));
}

static void check_sources(unsigned num, unsigned bytes)
{
    unsigned i;

    for (i = 0; i < num; i++)
        CHECK_MEM(rig_to + i * bytes, rig_from + i * 500, bytes);
    CHECK_EQ(rig_to[num * bytes], 0xee);
}

/* As many sources as a WQE takes, and those beyond in another one; around the ring's end. */
static void any_number_of_sources_is_gathered(void)
{
    static const uint32_t limits[] = { 0, 1, 2, 7, 30, 32 }; /* what the device announces */
    unsigned num, blocks, sge, wqes;
    const struct fake_qp *q;
    struct rig r;
    size_t i;

    for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        fake_reset();
        fake.max_sge = limits[i];
        use_fake(RC_);
        rig_open(&r, 4);
        r.frees_tasks = true;
        sge = limits[i] == 0 ? 1 : limits[i] > 30 ? 30 : limits[i];
        for (num = 1; num <= 64; num++) {
            uint16_t before;

            submit_sources(&r, num, 60);
            q = rung_qp();
            before = q->ci;
            wqes = (num + sge - 1) / sge;
            blocks = num / sge * ((2 + sge + 3) / 4) +
                     (num % sge != 0 ? (2 + num % sge + 3) / 4 : 0);
            CHECK_EQ((uint16_t)(fake_be32(&q->dbrec[1]) - before), blocks);
            CHECK_EQ(fake_run(), wqes);
            CHECK_EQ(fake.cq_pi, num);
            finish(&r);
            CHECK_EQ(r.num_ok, num);
            check_sources(num, 60);
            memset(rig_to, 0xee, RIG_BYTES);
        }
        rig_close(&r);
    }
}

/* With verbs, the queue pair says what it can do, which may be less than each of what is announced
 * of the device. */
static void verbs_give_what_a_queue_pair_can_have(void)
{
    static const struct {
        uint32_t sge, bytes, want;
        bool is_inline;
    } rows[] = {
        { 30, 28, 30, true }, { 29, 100, 15, true }, { 7, 28, 7, true }, { 1, 28, 1, true },
        { 30, 27, 30, false }, { 1, 0, 1, false },
    };
    struct rig r;
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fake_reset();
        fake.max_qp_sge = rows[i].sge;
        fake.max_qp_inline = rows[i].bytes;
        use_fake(VERBS_);
        rig_open(&r, 4);
        r.frees_tasks = true;
        submit_sources(&r, 60, 60);
        CHECK_EQ(fake.num_posted, (60 + rows[i].want - 1) / rows[i].want);
        CHECK_EQ(fake.num_posted_inline, 0);
        finish(&r);
        check_sources(60, 60);
        (void)rig_copy(&r, r.dma, 5000, 28);
        CHECK_EQ(fake.num_posted_inline, rows[i].is_inline && most_inline != 0);
        (void)rig_copy(&r, r.dma, 6000, 29);
        CHECK_EQ(fake.num_posted_inline, rows[i].is_inline && most_inline != 0);
        finish(&r);
        CHECK_EQ(r.num_ok, 3);
        CHECK_MEM(rig_to + 5000, rig_from + 5000, 28);
        CHECK_MEM(rig_to + 6000, rig_from + 6000, 29);
        rig_close(&r);
    }
}

/* What is short is read at submit, and nothing beside it. Not by the DMA engine. */
static void short_sources_are_in_the_wqe(void)
{
    const struct fake_qp *q;
    const unsigned char *w;
    unsigned i, len;
    struct rig r;

    for (i = 0; i < 2; i++) {
        for (len = 1; len <= 32; len++) {
            open_fake_rig(&r, engines[i], 4);
            (void)rig_copy(&r, r.dma, 100, len);
            q = rung_qp();
            w = q->sq;
            CHECK_EQ(fake_be32(&q->dbrec[1]), 1);
            CHECK_EQ(fake_be32(w + 0x20), len + (i == 1 && len <= most_inline ? 0x80000000 : 0));
            if (i == 1 && len <= most_inline)
                CHECK_MEM(w + 0x24, rig_from + 100, len);
            finish(&r);
            CHECK_EQ(r.num_ok, 1);
            CHECK_MEM(rig_to + 100, rig_from + 100, len);
            CHECK_EQ(rig_to[100 + len], 0xee);
            rig_close(&r);
        }
    }
}

/* Of a list too, when all of it is short. */
static void short_lists_are_in_one_wqe(void)
{
    const struct fake_qp *q;
    struct rig r;

    open_fake_rig(&r, RC_, 4);
    submit_sources(&r, 4, 7);
    q = rung_qp();
    CHECK_EQ(fake_be32(&q->dbrec[1]), most_inline != 0 ? 1 : 2);
    CHECK_EQ(q->sq[7], most_inline != 0 ? 4 : 2 + 4);
    CHECK_EQ(fake_be32(q->sq + 0x20), most_inline != 0 ? 0x80000000 + 28 : 7);
    finish(&r);
    CHECK_EQ(r.num_ok, 1);
    check_sources(4, 7);
    memset(rig_to, 0xee, RIG_BYTES);
    submit_sources(&r, 29, 1); /* a byte too many */
    CHECK_EQ(q->sq[(most_inline != 0 ? 64 : 128) + 7], 2 + 29);
    finish(&r);
    check_sources(29, 1);
    rig_close(&r);
    open_fake_rig(&r, VERBS_, 4);
    submit_sources(&r, 4, 7);
    CHECK_EQ(fake.num_posted, 1);
    CHECK_EQ(fake.num_posted_inline, most_inline != 0);
    finish(&r);
    check_sources(4, 7);
    rig_close(&r);
}

/* Bytes that are on the NIC, or another function's, are not at their addresses here. One of them
 * in a list is enough. */
static void what_the_cpu_cannot_read_is_not_in_the_wqe(void)
{
    struct doca_mmap *maps[2], *map;
    struct doca_buf *src, *list;
    const struct fake_qp *q;
    const void *desc;
    struct rig r;
    void *addr;
    size_t len, i;

    fake_reset();
    fake.has_cap_2 = true;
    use_fake(RC_);
    rig_open(&r, 8);
    r.frees_tasks = true;
    CHECK_OK(doca_core_mmap_create_on_dev(r.dev, 64, &maps[0]));
    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_set_memrange(map, rig_from, 1000));
    CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    CHECK_OK(doca_mmap_add_dev(map, r.dev));
    CHECK_OK(doca_mmap_start(map));
    CHECK_OK(doca_mmap_export_pci(map, r.dev, &desc, &len));
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, r.dev, &maps[1]));
    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_mmap_get_memrange(maps[i], &addr, &len));
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, maps[i], addr, 8, &src));
        CHECK_OK(rig_submit(rig_task(r.dma, src, rig_dst(&r, i * 100, 8))));
        q = rung_qp();
        CHECK_EQ(q->sq[i * 128 + 7], 3);
        CHECK_EQ(fake_be32(q->sq + i * 128 + 0x20), 8);
        CHECK_EQ(fake_be32(q->sq + i * 128 + 0x24), maps[i]->devs[0].mkey);
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, maps[i], addr, 8, &src));
        list = rig_src(&r, 0, 8);
        CHECK_OK(doca_buf_chain_list(list, src));
        CHECK_OK(rig_submit(rig_task(r.dma, list, rig_dst(&r, i * 100 + 50, 16))));
        CHECK_EQ(q->sq[i * 128 + 64 + 7], 4);
        CHECK_EQ(fake_be32(q->sq + i * 128 + 64 + 0x20), 8);
        CHECK_EQ(fake_be32(q->sq + i * 128 + 64 + 0x30), 8);
        CHECK_EQ(fake_be32(q->sq + i * 128 + 64 + 0x34), maps[i]->devs[0].mkey);
    }
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS); /* nothing of it is done */
    finish(&r);
    CHECK_EQ(r.num_failed, 4);
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_mmap_destroy(maps[i]));
    CHECK_OK(doca_mmap_destroy(map));
    rig_close(&r);
}

/* More tasks than the ring has WQEs, many times around, with entries of either size. */
static void rings_wrap_and_tasks_wait_for_room(void)
{
    enum { TASKS = 300 };
    static const uint32_t cqe_bytes[] = { 64, 128 };
    struct doca_buf *src;
    struct rig r;
    unsigned round, i;
    size_t k;

    for (k = 0; k < 2; k++) {
        fake_reset();
        fake.cqe_bytes = cqe_bytes[k];
        use_fake(DOCA_CORE_MLX5_ENGINE_MMO);
        rig_open(&r, TASKS);
        r.frees_tasks = true;
        for (round = 0; round < 20; round++) {
            memset(rig_to, 0xee, RIG_BYTES);
            for (i = 0; i < 200; i++)
                (void)rig_copy(&r, r.dma, i * 64, 64);
            for (; i < 225; i++) { /* of two pieces */
                src = rig_src(&r, i * 64, 32);
                CHECK_OK(doca_buf_chain_list(src, rig_src(&r, i * 64 + 32, 32)));
                CHECK_OK(rig_submit(rig_task(r.dma, src, rig_dst(&r, i * 64, 64))));
            }
            CHECK_EQ(rig_drain(&r), 0); /* entries of the round before are not new ones */
            finish(&r);
            CHECK_EQ(r.num_ok, (round + 1) * i);
            CHECK_MEM(rig_to, rig_from, i * 64);
        }
        CHECK(fake.cq_pi > 10 * fake.num_cqes);
        rig_close(&r);
    }
}

/* Queues that are old: their counters stand before where the device's, and their own, wrap. */
static void counters_wrap(void)
{
    static const struct {
        uint32_t wqes, cqes;
    } rows[] = {
        { 0xff80, 0xffff00 }, { 0xffff80, 0x1ffff00 }, { 0xffffff80, 0xffffff00 }
    };
    static const enum doca_core_mlx5_engine all[] = { MMO_, RC_ };
    struct doca_priv_mlx5_queue *q;
    unsigned i, k, n;
    struct rig r;

    for (i = 0; i < 6; i++) {
        open_fake_rig(&r, all[i % 2], 64);
        q = doca_priv_mlx5_queue_of(r.ctx->queue);
        q->sq_pi = q->sq_ci = q->sq_rung = rows[i / 2].wqes;
        q->cq_ci = fake.cq_pi = rows[i / 2].cqes;
        CHECK_EQ(q->cq_ci % fake.num_cqes, 0); /* the first entry is the next one */
        q->cq_owner = (uint8_t)(q->cq_ci / fake.num_cqes & 1);
        fake_qp_of(q->qp)->ci = (uint16_t)q->sq_pi;
        fake_put32(&fake_qp_of(q->qp)->dbrec[1], q->sq_pi & 0xffff);
        fake_put32(&fake.cq_dbrec[0], q->cq_ci & 0xffffff);
        memset(fake.cqes, 0xf0, sizeof(fake.cqes));
        for (n = 0; n < 10; n++) {
            memset(rig_to, 0xee, RIG_BYTES);
            for (k = 0; k < 40; k++)
                (void)rig_copy(&r, r.dma, k * 100, 100);
            finish(&r);
            CHECK_MEM(rig_to, rig_from, 4000);
        }
        CHECK_EQ(r.num_ok, 400);
        CHECK_EQ(q->cq_ci, rows[i / 2].cqes + 400);
        CHECK_EQ(q->sq_ci, rows[i / 2].wqes + 400);
        CHECK_EQ(fake_be32(&fake.cq_dbrec[0]), q->cq_ci & 0xffffff);
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK_EQ(fake_be32(&fake.cq_dbrec[1]), q->cq_ci & 0xffffff);
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        rig_close(&r);
    }
}

/* A list of `num` bufs of random lengths, from `at` on. */
static struct doca_buf *random_sources(struct rig *r, size_t at, unsigned num, size_t most,
                                       unsigned char *want, size_t *len)
{
    struct doca_buf *list = NULL, *buf;
    size_t bytes;

    for (*len = 0; num > 0; num--, at += 97) {
        bytes = rig_random((uint32_t)most) + 1;
        buf = rig_src(r, at, bytes);
        memcpy(want + *len, rig_from + at, bytes);
        *len += bytes;
        if (list == NULL)
            list = buf;
        else
            CHECK_OK(doca_buf_chain_list(list, buf));
    }
    return list;
}

#define REGION 3000u /* bytes of the destinations of a task */

/* A task of any kind with a region of its own; `want` is what it is to hold. */
static struct doca_dma_task_memcpy *random_task(struct rig *r, size_t region, unsigned char *want)
{
    struct doca_buf *src, *dst;
    size_t len, half;

    memset(want, 0xee, REGION);
    switch (rig_random(5)) {
    case 0: /* moved by the CPU */
        len = rig_random(200) + 20;
        memcpy(rig_to + region, rig_from + region, REGION);
        memcpy(want, rig_from + region, REGION);
        memcpy(want + 10, rig_from + region, len);
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r->inventory, r->dst_map, rig_to + region, len,
                                                    &src));
        return rig_task(r->dma, src, rig_dst(r, region + 10, len));
    case 1: /* short */
        src = random_sources(r, region, 1, 28, want, &len);
        break;
    case 2:
        src = random_sources(r, region, 1, 600, want, &len);
        break;
    case 3: /* short, or not */
        src = random_sources(r, region, 2 + rig_random(4), 9, want, &len);
        break;
    default:
        src = random_sources(r, region, 2 + rig_random(34), 40, want, &len);
        if (rig_random(2) == 0)
            break;
        half = len / 2; /* to where there are 1500 bytes, after a gap */
        dst = rig_dst(r, region, half);
        CHECK_OK(doca_buf_chain_list(dst, rig_dst(r, region + 1500, 1500)));
        memcpy(want + 1500, want + half, len - half);
        memset(want + half, 0xee, 1500 - half);
        return rig_task(r->dma, src, dst);
    }
    return rig_task(r->dma, src, rig_dst(r, region, REGION));
}

/* Short and long, lists and overlaps, told of at once or later, while the device works or not, in
 * queues whose counters wrap, and WQEs that lie across the end of the ring. */
static void any_mix_of_tasks_is_copied(void)
{
    enum { TASKS = 12 };
    static unsigned char want[TASKS * REGION];
    struct doca_dma_task_memcpy *task;
    struct doca_priv_mlx5_queue *q;
    unsigned round, k;
    struct rig r;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        open_fake_rig(&r, engines[i], 16);
        q = doca_priv_mlx5_queue_of(r.ctx->queue);
        q->sq_pi = q->sq_ci = q->sq_rung = 0xffffff00;
        fake_qp_of(q->qp)->ci = (uint16_t)q->sq_pi;
        fake_put32(&fake_qp_of(q->qp)->dbrec[1], q->sq_pi & 0xffff);
        for (round = 0; round < 200; round++) {
            memset(rig_to, 0xee, RIG_BYTES);
            for (k = 0; k < TASKS; k++) {
                task = random_task(&r, k * REGION, want + k * REGION);
                CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task),
                                             rig_random(2) == 0 ? DOCA_TASK_SUBMIT_FLAG_NONE
                                                                : DOCA_TASK_SUBMIT_FLAG_FLUSH));
                if (rig_random(3) == 0)
                    (void)fake_run();
                if (rig_random(3) == 0)
                    (void)rig_progress(&r);
            }
            doca_ctx_flush_tasks(r.ctx);
            finish(&r);
            CHECK_EQ(r.num_ok, (round + 1) * TASKS);
            CHECK_EQ(q->sq_ci, q->sq_pi);
            CHECK_EQ(q->sq_rung, q->sq_pi);
            CHECK_MEM(rig_to, want, sizeof(want));
        }
        CHECK(q->sq_pi < 0xffffff00);
        rig_close(&r);
    }
}

static void keep_order(struct rig *r, struct doca_dma_task_memcpy *task)
{
    CHECK_EQ(doca_task_get_user_data(doca_dma_task_memcpy_as_task(task)).u64, r->todo);
    r->todo++;
}

static void tasks_end_in_the_order_of_submission(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src;
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 200);
    r.on_task = keep_order;
    for (i = 0; i < 200; i++) {
        if (i % 3 == 0) { /* overlaps: it is moved by the CPU */
            CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, r.dst_map, rig_to + i * 64,
                                                        20, &src));
            task = rig_task(r.dma, src, rig_dst(&r, i * 64 + 10, 20));
        } else {
            task = rig_prepare(&r, r.dma, i * 64, 64);
        }
        doca_task_set_user_data(doca_dma_task_memcpy_as_task(task), (union doca_data){ .u64 = i });
        CHECK_OK(rig_submit(task));
    }
    CHECK_EQ(fake_be32(&fake.qps[0].dbrec[1]), FAKE_WQES - 1); /* of 133: the rest has to wait */
    finish(&r);
    CHECK_EQ(r.num_ok, 200);
    rig_close(&r);
}

/* ---- when it fails ---- */

static void syndromes_become_reasons(void)
{
    static const struct {
        uint8_t syndrome, vendor;
        enum doca_core_item item;
        const char *text; /* what stands at the end */
    } rows[] = {
        { 0x01, 0, DOCA_CORE_ITEM_MLX5_LENGTH, "0x1 [IO_FAILED]" },
        { 0x02, 0x9d, DOCA_CORE_ITEM_MLX5_QP_OP, "0x9d02 [IO_FAILED]" },
        { 0x04, 0x51, DOCA_CORE_ITEM_MLX5_PROTECTION, "0x5104 [IO_FAILED]" },
        { 0x11, 0x33, DOCA_CORE_ITEM_MLX5_PROTECTION, "0x3311 [IO_FAILED]" },
        { 0x12, 0x8a, DOCA_CORE_ITEM_MLX5_REMOTE, "0x8a12 [IO_FAILED]" },
        { 0x13, 0x88, DOCA_CORE_ITEM_MLX5_ACCESS, "0x8813 [IO_FAILED]" },
        { 0x14, 0x89, DOCA_CORE_ITEM_MLX5_REMOTE, "0x8914 [IO_FAILED]" },
        { 0x15, 0x81, DOCA_CORE_ITEM_MLX5_RETRY, "0x8115 [IO_FAILED]" },
        { 0x16, 0, DOCA_CORE_ITEM_MLX5_RETRY, "0x16 [IO_FAILED]" },
        { 0x22, 0, DOCA_CORE_ITEM_MLX5_REMOTE, "0x22 [IO_FAILED]" },
        { 0x40, 0x07, DOCA_CORE_ITEM_MLX5_OTHER, "0x740 [IO_FAILED]" },
    };
    const char *text;
    struct rig r;
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
        fake.fail_at = 1;
        fake.syndrome = rows[i].syndrome;
        fake.vendor = rows[i].vendor;
        (void)rig_copy(&r, r.dma, 0, 64);
        (void)fake_run();
        CHECK(rig_progress(&r));
        CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
        CHECK_EQ(doca_core_last_item(), rows[i].item);
        text = doca_core_last_error();
        CHECK(strlen(text) > strlen(rows[i].text));
        CHECK_STR(text + strlen(text) - strlen(rows[i].text), rows[i].text);
        rig_close(&r);
    }
}

/* A list of ten sources, of `len` bytes in all. */
static void submit_tenths(struct rig *r, size_t at, size_t len)
{
    struct doca_buf *src = rig_src(r, at, len / 10);
    unsigned i;

    for (i = 1; i < 10; i++)
        CHECK_OK(doca_buf_chain_list(src, rig_src(r, at + len / 10 * i, len / 10)));
    CHECK_OK(rig_submit(rig_task(r->dma, src, rig_dst(r, at, len))));
}

/* The n-th WQE fails: tasks before it are done, none behind it is, and every one comes back. */
static void flush_every_task_once(size_t len, bool is_list)
{
    enum { TASKS = 12 };
    unsigned at, i;
    struct rig r;

    for (at = 1; at <= TASKS; at++) {
        open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_RC, TASKS);
        fake.fail_at = at;
        fake.syndrome = 0x04;
        for (i = 0; i < TASKS; i++) {
            if (is_list)
                submit_tenths(&r, i * 100, len);
            else
                (void)rig_copy(&r, r.dma, i * 100, len);
        }
        finish(&r);
        CHECK_EQ(r.num_ok, at - 1);
        CHECK_EQ(r.num_failed, TASKS - (at - 1));
        CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_STR(r.states, "RP PI");
        for (i = 0; i < at - 1; i++)
            CHECK_MEM(rig_to + i * 100, rig_from + i * 100, len);
        CHECK_EQ(rig_to[i * 100], 0xee);

        /* another start has new queues */
        CHECK_OK(doca_ctx_start(r.ctx));
        rig_drain(&r);
        (void)rig_copy(&r, r.dma, 5000, 100);
        finish(&r);
        CHECK_EQ(r.num_ok, at);
        CHECK_MEM(rig_to + 5000, rig_from + 5000, 100);
        rig_close(&r);
    }
}

static void error_flushes_every_task_once(void)
{
    flush_every_task_once(100, false);
    flush_every_task_once(20, false); /* in their WQEs */
    flush_every_task_once(100, true); /* WQEs of three blocks */
}

/* A WQE for each of `num` destinations, of 100 bytes. */
static void submit_list(struct rig *r, unsigned num)
{
    struct doca_buf *dst = rig_dst(r, 0, 100);
    unsigned i;

    for (i = 1; i < num; i++)
        CHECK_OK(doca_buf_chain_list(dst, rig_dst(r, i * 1000, 100)));
    CHECK_OK(rig_submit(rig_task(r->dma, rig_src(r, 0, num * 100), dst)));
}

/* A middle piece of a list fails: one callback, after the device has let go of all of them. */
static void failed_piece_fails_its_task_at_the_end(void)
{
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
    fake.fail_at = 2;
    fake.syndrome = 0x02;
    submit_list(&r, 5);
    finish(&r);
    CHECK_EQ(fake.cq_pi, 4); /* the one, and three that were flushed, all of them read */
    CHECK_EQ(fake_be32(&fake.cq_dbrec[0]), 4);
    CHECK_EQ(r.num_failed, 1);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_QP_OP);
    rig_close(&r);
}

/* Verbs take some pieces of a list and no more. What they took is done, and has to be heard of. */
static void task_that_verbs_take_in_part_fails(void)
{
    unsigned at, ok;
    struct rig r;

    for (at = 1; at <= 4; at++) {
        open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_VERBS, 4);
        (void)rig_copy(&r, r.dma, 5000, 100);
        fake.refuse_at = at;
        submit_list(&r, 3);
        (void)rig_copy(&r, r.dma, 6000, 100);
        finish(&r);
        ok = at <= 3 ? 1 : 2;
        CHECK_EQ(r.num_ok, ok);
        CHECK_EQ(r.num_failed, 3 - ok);
        CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
        rig_close(&r);
    }
}

/* Tasks before it are done, those behind it fail and the device never hears of them. */
static void tasks_behind_a_refused_one_are_not_begun(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    for (i = 0; i < 6; i++)
        (void)rig_copy(&r, r.dma, i * 100, 100);
    CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 0, 100), rig_dst(&r, 600, 99))));
    (void)rig_copy(&r, r.dma, 700, 100);
    CHECK_EQ(fake_be32(&fake.qps[0].dbrec[1]), 6);
    finish(&r);
    CHECK_EQ(r.num_ok, 6);
    CHECK_EQ(r.num_failed, 2);
    CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    CHECK_EQ(fake_be32(&fake.qps[0].dbrec[1]), 6);
    CHECK_EQ(rig_to[600], 0xee);
    CHECK_EQ(rig_to[700], 0xee);
    rig_close(&r);
}

/* Those that wait for room when one before them fails. */
static void tasks_that_wait_are_not_begun_after_an_error(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 200);
    fake.fail_at = 2;
    fake.syndrome = 0x04;
    for (i = 0; i < 200; i++)
        (void)rig_copy(&r, r.dma, i * 100, 100);
    (void)fake_run();
    while (r.num_failed == 0)
        CHECK(rig_progress(&r));
    CHECK_EQ(r.num_ok, 1);
    finish(&r);
    CHECK_EQ(r.num_failed, 199);
    CHECK_EQ(fake_be32(&fake.qps[0].dbrec[1]), FAKE_WQES + 1); /* one began when one was done,
                                                                  and one ends the flush */
    rig_close(&r);
}

static void stop_flushes_what_the_device_has(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    for (i = 0; i < 8; i++)
        (void)rig_copy(&r, r.dma, i * 100, 100);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(fake.qps[0].state, IBV_QPS_ERR);
    finish(&r);
    CHECK_EQ(r.num_failed, 8);
    CHECK_RC(r.status, DOCA_ERROR_SHUTDOWN);
    CHECK_EQ(rig_to[0], 0xee);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    rig_close(&r);
}

static bool is_readable(const struct doca_pe *pe)
{
    struct pollfd wanted = { .events = POLLIN };

    CHECK_OK(doca_pe_get_notification_handle(pe, &wanted.fd));
    return poll(&wanted, 1, 0) == 1;
}

/* Nothing comes back of a device that has failed. */
static void failed_device_fails_every_task(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    for (i = 0; i < 8; i++)
        (void)rig_copy(&r, r.dma, i * 100, 100);
    fake_async_event(IBV_EVENT_PORT_ERR); /* of no importance */
    for (i = 0; i < DOCA_CORE_PE_PATIENCE + 1; i++)
        CHECK(!rig_progress(&r));
    fake_async_event(IBV_EVENT_DEVICE_FATAL);
    for (i = 0; i < DOCA_CORE_PE_PATIENCE + 1 && !rig_progress(&r); i++)
        ;
    CHECK_STR(r.states, "RP");
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_DEV_FAILED);
    CHECK(rig_progress(&r));
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_FATAL);
    (void)rig_drain(&r);
    CHECK_EQ(r.num_failed, 8);
    CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    CHECK_STR(r.states, "RP PI");
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_DRIVER);
    rig_close(&r);
}

/* Polled; and the device is another one when it is opened again. */
static void failed_device_stops_an_idle_context(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    fake_async_event(IBV_EVENT_DEVICE_FATAL);
    for (i = 0; i < DOCA_CORE_PE_PATIENCE + 1 && !rig_progress(&r); i++)
        ;
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_DRIVER);
    rig_close(&r);
    rig_open(&r, 8);
    r.frees_tasks = true;
    (void)rig_copy(&r, r.dma, 0, 100);
    finish(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_EQ(rig_drain(&r), 0);
    rig_close(&r);
}

/* The device completes what it was not told of: nothing hangs, and the next task is done. */
static void completion_of_what_was_not_rung_is_survived(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    task = rig_prepare(&r, r.dma, 0, 100);
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), DOCA_TASK_SUBMIT_FLAG_NONE));
    CHECK_EQ(fake_run(), 0);
    fake_cqe(&fake.qps[0], 0, 0, 0, 0);
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    doca_ctx_flush_tasks(r.ctx);
    (void)rig_copy(&r, r.dma, 100, 100);
    finish(&r);
    CHECK_EQ(r.num_ok, 2);
    CHECK_MEM(rig_to, rig_from, 200);
    rig_close(&r);
}

/* What it does not flush any more comes back as well. */
static void device_may_fail_while_a_context_stops(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    for (i = 0; i < 8; i++)
        (void)rig_copy(&r, r.dma, i * 100, 100);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    CHECK_EQ(r.num_failed, 0);
    fake_async_event(IBV_EVENT_DEVICE_FATAL);
    for (i = 0; i < DOCA_CORE_PE_PATIENCE + 1 && r.num_failed == 0; i++)
        (void)rig_progress(&r);
    rig_drain(&r);
    CHECK_EQ(r.num_failed, 8);
    CHECK_STR(r.states, "RP PI");
    rig_close(&r);
}

/* A context that cannot become idle yet keeps nobody awake by what else its device says. */
static void failed_device_may_say_more(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    task = rig_task(r.dma, NULL, NULL);
    CHECK_OK(doca_pe_request_notification(r.pe));
    fake_async_event(IBV_EVENT_DEVICE_FATAL);
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_drain(&r);
    CHECK_STR(r.states, "RP");
    fake_async_event(IBV_EVENT_PORT_ERR);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    rig_close(&r);
}

/* A rig on a device that the program opened, and that tells the program what happens to it. */
static void open_pd_rig(struct rig *r, enum doca_core_mlx5_engine engine)
{
    struct doca_dev *dev;

    fake_reset();
    use_fake(engine);
    fake.pd.context = &fake.context;
    CHECK_OK(doca_rdma_bridge_open_dev_from_pd(&fake.pd, &dev));
    rig_build_on(r, dev, 4);
    CHECK_OK(doca_ctx_start(r->ctx));
    rig_drain(r);
    rig_forget_states(r);
    r->frees_tasks = true;
}

static void program_passes_on_that_its_device_failed(void)
{
    enum doca_core_mlx5_engine engine;
    struct ibv_async_event event;
    struct doca_dev *soft;
    struct rig r;

    memset(&event, 0, sizeof(event));
    open_pd_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO);
    event.event_type = IBV_EVENT_PORT_ERR;
    CHECK_OK(doca_core_mlx5_pass_event(r.dev, &event));
    (void)rig_copy(&r, r.dma, 0, 100);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(r.pe));
    event.event_type = IBV_EVENT_DEVICE_FATAL;
    CHECK_OK(doca_core_mlx5_pass_event(r.dev, &event));
    CHECK_OK(doca_core_mlx5_pass_event(r.dev, &event)); /* one of each of its contexts */
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    CHECK_EQ(r.num_failed, 1);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_DRIVER);
    CHECK_RC(doca_core_mlx5_pass_event(NULL, &event), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mlx5_pass_event(r.dev, NULL), DOCA_ERROR_INVALID_VALUE);
    rig_close(&r);
    CHECK_RC(doca_core_mlx5_pass_event(r.dev, &event), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mlx5_get_engine(r.dev, &engine), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    soft = rig_open_dev(NULL);
    CHECK_RC(doca_core_mlx5_pass_event(soft, &event), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_dev_close(soft));
}

/* Faults of a PD are of whoever asks for it. */
static void engine_is_told_without_a_pd(void)
{
    enum doca_core_mlx5_engine engine;
    struct ibv_async_event event;
    struct ibv_pd *pd;
    struct rig r;

    memset(&event, 0, sizeof(event));
    event.event_type = IBV_EVENT_PORT_ERR;
    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_MMO);
    CHECK_OK(doca_core_fault_set("dev.pd=fail:INVALID_VALUE@1"));
    rig_open(&r, 4);
    CHECK_OK(doca_core_mlx5_get_engine(r.dev, &engine));
    CHECK_EQ(engine, DOCA_CORE_MLX5_ENGINE_MMO);
    CHECK_OK(doca_core_mlx5_pass_event(r.dev, &event));
    CHECK_EQ(doca_core_fault_get_num(), 0);
    CHECK_RC(doca_rdma_bridge_get_dev_pd(r.dev, &pd), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_fault_set(NULL));
    rig_close(&r);
}

/* Nobody passes it on: the port is asked, seldom, and only an answer that says so counts. */
static void program_that_passes_nothing_on_is_found_out_late(void)
{
    unsigned long calls;
    unsigned before;
    struct rig r;

    open_pd_rig(&r, DOCA_CORE_MLX5_ENGINE_RC);
    fake.no_port = EINVAL;
    before = fake.num_asks;
    for (calls = 0; calls < 2ul * DOCA_PRIV_MLX5_ASKS * DOCA_CORE_PE_PATIENCE; calls++)
        CHECK(!doca_pe_progress(r.pe));
    CHECK_EQ(fake.num_asks - before, 2);
    fake.no_port = EIO;
    for (calls = 0; r.num_states == 0; calls++)
        (void)rig_progress(&r);
    CHECK(calls <= (unsigned long)DOCA_PRIV_MLX5_ASKS * DOCA_CORE_PE_PATIENCE);
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    rig_close(&r);
}

/* Nor can it be slept on: it is polled instead, until it can be armed again, or has failed. */
static void queue_that_cannot_be_armed_is_not_slept_on(void)
{
    struct rig r;

    open_pd_rig(&r, DOCA_CORE_MLX5_ENGINE_VERBS);
    fake.no_arming = ENOMEM;
    fake.drop_at = 1;
    (void)rig_copy(&r, r.dma, 0, 100);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_CALL);
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    CHECK(!rig_progress(&r));
    fake.no_arming = 0;
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(r.pe));
    fake.no_arming = fake.no_port = EIO;
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(r.pe)); /* it is armed */
    fake_cq_event();
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    CHECK_EQ(r.num_failed, 1);
    rig_close(&r);
}

static void machine_without_rdma_has_no_list(void)
{
    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_AUTO);
    fake.no_list = ENOSYS;
    use_fake(DOCA_CORE_MLX5_ENGINE_AUTO);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_NO_LIST);
    CHECK(strstr(doca_core_last_error(), "0x26") != NULL);
    fake.no_list = 0;
    use_fake(DOCA_CORE_MLX5_ENGINE_AUTO);
}

static void start_without_descriptors_says_so(void)
{
    static const int errors[] = { EMFILE, ENFILE };
    struct rig r;
    size_t i;

    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_RC);
    rig_build(&r, NULL, 4);
    for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        fake.no_channel = errors[i];
        CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_OPERATING_SYSTEM);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    }
    fake.no_channel = 0;
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    rig_close(&r);
}

static void start_that_fails_leaves_nothing(void)
{
    struct rig r;

    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_RC);
    rig_build(&r, NULL, 4);
    fake.no_more = ENOMEM;
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    fake.no_more = 0;
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    rig_close(&r);
}

static void changed_destination_fails_the_task(void)
{
    struct doca_buf *dst;
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
    r.frees_tasks = true;
    dst = rig_dst(&r, 0, 1000);
    CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 0, 10), dst)));
    CHECK_OK(doca_buf_set_data(dst, rig_to + 500, 0));
    (void)fake_run();
    CHECK(rig_progress(&r));
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_BUF);
    CHECK_EQ(r.num_failed, 1);
    rig_close(&r);
}

/* ---- events ---- */

/* What the device gets to read when its completion queue is armed, and when it is not anew. */
/* What the CPU is to move is looked at again before it does. */
static void changed_source_of_the_cpu_fails_the_task(void)
{
    struct doca_buf *src;
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, r.dst_map, rig_to, 1000, &src));
    CHECK_OK(rig_submit(rig_task(r.dma, src, rig_dst(&r, 500, 1000))));
    CHECK_OK(doca_buf_set_data(src, rig_to + 990, 10));
    CHECK(rig_progress(&r));
    CHECK_EQ(r.num_failed, 1);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_BUF);
    rig_close(&r);
}

/* The task whose completion is lost fails as soon as another one comes, which is not lost too. */
static void lost_completion_fails_its_task(void)
{
    static const enum doca_core_mlx5_engine all[] = { MMO_, RC_, VERBS_ };
    unsigned i, k;
    struct rig r;

    for (i = 0; i < 3; i++) {
        open_fake_rig(&r, all[i], 8);
        fake.drop_at = 2;
        for (k = 0; k < 5; k++)
            (void)rig_copy(&r, r.dma, k * 100, 100);
        finish(&r);
        CHECK_EQ(r.num_ok, 4);
        CHECK_EQ(r.num_failed, 1);
        rig_close(&r);
    }
}

/* Nothing comes behind it but what ends a flush. */
static void lost_completion_does_not_hold_up_a_stop(void)
{
    static const enum doca_core_mlx5_engine all[] = { MMO_, RC_, VERBS_ };
    unsigned i;
    struct rig r;

    for (i = 0; i < 3; i++) {
        open_fake_rig(&r, all[i], 8);
        fake.drop_at = 2;
        (void)rig_copy(&r, r.dma, 0, 100);
        (void)rig_copy(&r, r.dma, 100, 100);
        finish(&r);
        CHECK_EQ(r.num_ok, 1);
        CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
        finish(&r);
        CHECK_EQ(r.num_failed, 1);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        rig_close(&r);
    }
}

static void queue_that_cannot_be_read_fails_its_tasks(void)
{
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_VERBS, 4);
    (void)rig_copy(&r, r.dma, 0, 100);
    (void)rig_copy(&r, r.dma, 100, 100);
    fake.has_no_cq = true;
    finish(&r);
    CHECK_EQ(r.num_failed, 2);
    CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    rig_close(&r);
}

static void what_the_device_keeps_is_told(void)
{
    struct doca_mmap *mmap;
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_RC, 4);
    fake.keeps = EBUSY;
    rig_stop(&r, r.ctx);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_CALL);
    mmap = rig_map(r.dev, rig_from, 100);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_KEPT);
    fake.keeps = 0;
    rig_close(&r);
}

static void arming_writes_sequence_and_index(void)
{
    static const unsigned char first[8] = { 0x00, 0, 0, 0x00, 0, 0, 0x43, 0x21 };
    static const unsigned char second[8] = { 0x10, 0, 0, 0x01, 0, 0, 0x43, 0x21 };
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_MEM(&fake.cq_uar[4], first, 8);
    CHECK_MEM(&fake.cq_dbrec[1], first, 4);
    CHECK(!is_readable(r.pe));
    (void)rig_copy(&r, r.dma, 0, 64);
    CHECK(!is_readable(r.pe));
    (void)fake_run();
    fake_cq_event();
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    CHECK(!is_readable(r.pe));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_EQ(fake_be32(&fake.cq_dbrec[0]), 1);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_MEM(&fake.cq_uar[4], second, 8);
    fake.cq_uar[4] = 0;
    CHECK_OK(doca_pe_request_notification(r.pe)); /* it is armed already */
    CHECK_EQ(fake.cq_uar[4], 0);
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_close(&r);
}

/* The device cannot be disarmed: the event that it owes is not to be seen before the next arming,
 * and then it is. */
static void event_of_a_cleared_arming_is_kept_back(void)
{
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    (void)rig_copy(&r, r.dma, 0, 64);
    (void)fake_run();
    fake_cq_event();
    CHECK(!is_readable(r.pe));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(is_readable(r.pe)); /* there is a completion */
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    rig_close(&r);
}

static void failure_of_the_device_wakes(void)
{
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
    (void)rig_copy(&r, r.dma, 0, 64);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(r.pe));
    fake_async_event(IBV_EVENT_DEVICE_FATAL);
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_drain(&r);
    CHECK_EQ(r.num_failed, 1);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(mmo_wqe_is_as_the_manual_has_it, ""),
    CASE(write_wqe_is_as_the_manual_has_it, ""),
    CASE(inline_wqe_is_as_the_manual_has_it, ""),
    CASE(gather_wqe_is_as_the_manual_has_it, ""),
    CASE(wqes_of_sync_events_are_as_the_manual_has_them, ""),
    CASE(two_gib_are_a_count_of_zero, ""),
    CASE(completions_are_parsed, ""),
    CASE(fields_are_big_endian_by_their_first_bit, ""),
    CASE(properties_are_read_from_the_device, ""),
    CASE(sub_function_has_its_parents_address, ""),
    CASE(device_on_no_bus_has_an_address, ""),
    CASE(engine_follows_from_the_capabilities, ""),
    CASE(permissions_become_rights, ""),
    CASE(pairs_write_by_a_key_of_their_own, ""),
    CASE(mmo_bit_is_set_by_init2init, ""),
    CASE(mkey_command_is_as_the_manual_has_it, ""),
    CASE(relaxed_ordering_is_in_the_mkey, ""),
    CASE(relaxed_ordering_is_asked_for_everywhere, ""),
    CASE(share_rights_follow_from_the_permissions, ""),
    CASE(export_and_import_speak_of_one_key, ""),
    CASE(device_without_the_capability_exports_nothing, ""),
    CASE(memory_on_the_device_has_addresses_and_rights, ""),
    CASE(every_engine_copies, ""),
    CASE(sizes_are_true, ""),
    CASE(queue_without_a_doorbell_of_its_own_works, ""),
    CASE(tasks_of_a_batch_share_a_doorbell, ""),
    CASE(tasks_that_are_held_are_told_of_or_taken_back, ""),
    CASE(unusual_task_is_kept_behind_held_ones, ""),
    CASE(import_at_ones_own_addresses_is_not_moved_by_the_cpu, ""),
    CASE(ethernet_port_is_connected_by_gid, ""),
    CASE(lists_become_pieces_and_one_completion, ""),
    CASE(lists_are_gathered_where_they_go, ""),
    CASE(any_number_of_sources_is_gathered, ""),
    CASE(verbs_give_what_a_queue_pair_can_have, ""),
    CASE(short_sources_are_in_the_wqe, ""),
    CASE(short_lists_are_in_one_wqe, ""),
    CASE(what_the_cpu_cannot_read_is_not_in_the_wqe, ""),
    CASE(rings_wrap_and_tasks_wait_for_room, ""),
    CASE(counters_wrap, ""),
    CASE(any_mix_of_tasks_is_copied, ""),
    CASE(tasks_end_in_the_order_of_submission, ""),
    CASE(syndromes_become_reasons, ""),
    CASE(error_flushes_every_task_once, ""),
    CASE(failed_piece_fails_its_task_at_the_end, ""),
    CASE(task_that_verbs_take_in_part_fails, ""),
    CASE(tasks_behind_a_refused_one_are_not_begun, ""),
    CASE(tasks_that_wait_are_not_begun_after_an_error, ""),
    CASE(stop_flushes_what_the_device_has, ""),
    CASE(failed_device_fails_every_task, ""),
    CASE(start_that_fails_leaves_nothing, ""),
    CASE(changed_destination_fails_the_task, ""),
    CASE(changed_source_of_the_cpu_fails_the_task, ""),
    CASE(lost_completion_fails_its_task, ""),
    CASE(lost_completion_does_not_hold_up_a_stop, ""),
    CASE(queue_that_cannot_be_read_fails_its_tasks, ""),
    CASE(what_the_device_keeps_is_told, ""),
    CASE(arming_writes_sequence_and_index, ""),
    CASE(event_of_a_cleared_arming_is_kept_back, ""),
    CASE(failure_of_the_device_wakes, ""),
    CASE(failed_device_stops_an_idle_context, ""),
    CASE(completion_of_what_was_not_rung_is_survived, ""),
    CASE(device_may_fail_while_a_context_stops, ""),
    CASE(failed_device_may_say_more, ""),
    CASE(program_passes_on_that_its_device_failed, ""),
    CASE(engine_is_told_without_a_pd, ""),
    CASE(program_that_passes_nothing_on_is_found_out_late, ""),
    CASE(queue_that_cannot_be_armed_is_not_slept_on, ""),
    CASE(machine_without_rdma_has_no_list, ""),
    CASE(start_without_descriptors_says_so, ""),
};

TEST_MAIN(cases)
