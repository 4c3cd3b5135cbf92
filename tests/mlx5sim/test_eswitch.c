/* The manager of an eswitch: the entries of its ports in sysfs, and the firmware's answers about
 * other functions. The cases need two PFs on the DPU, of which the first has SF 7,
 * and a host with a PF and VFs 0 and 1 on the first port. The vhca ids are 1 and 2 for the PFs of
 * the DPU, 3 for the PF of the host, 4 and 5 for its VFs, and 6 for the SF. The last case needs a
 * ConnectX with a PF and VF 0 instead. */
#include "rig.h"

enum { HOST_PF = 3, HOST_VF0 = 4, HOST_VF1 = 5, SF = 6 };

static struct ibv_context *open_named(const char *name)
{
    struct ibv_device **list = ibv_get_device_list(NULL);
    struct mlx5dv_context_attr attr = { .flags = MLX5DV_CONTEXT_FLAGS_DEVX };
    struct ibv_context *ctx = NULL;
    unsigned i;

    for (i = 0; list != NULL && list[i] != NULL && ctx == NULL; i++)
        if (strcmp(ibv_get_device_name(list[i]), name) == 0)
            ctx = mlx5dv_open_device(list[i], &attr);
    CHECK(ctx);
    ibv_free_device_list(list);
    return ctx;
}

static const char *read_line(const char *path)
{
    static char text[128];
    FILE *file = fopen(path, "r");
    char *end;

    if (file == NULL)
        return "";
    end = fgets(text, sizeof(text), file);
    fclose(file);
    if (end == NULL)
        return "";
    text[strcspn(text, "\n")] = '\0';
    return text;
}

static void ports_are_in_sysfs(void)
{
    static const char *const ports[][2] = {
        { "p0", "p0" }, { "pf0hpf", "c1pf0" }, { "pf0vf0", "c1pf0vf0" }, { "pf0vf1", "c1pf0vf1" },
        { "en3f0pf0sf7", "pf0sf7" }, { "p1", "" }, { "enp11s0f0", "" },
    };
    char path[128], id[64];
    size_t i;

    strcpy(id, read_line("/sys/class/net/p0/phys_switch_id"));
    CHECK(id[0] != '\0');
    for (i = 0; i < sizeof(ports) / sizeof(ports[0]); i++) {
        snprintf(path, sizeof(path), "/sys/class/net/%s/ifindex", ports[i][0]);
        CHECK(read_line(path)[0] != '\0');
        snprintf(path, sizeof(path), "/sys/class/net/%s/phys_port_name", ports[i][0]);
        CHECK(strcmp(read_line(path), ports[i][1]) == 0);
        snprintf(path, sizeof(path), "/sys/class/net/%s/phys_switch_id", ports[i][0]);
        CHECK(strcmp(read_line(path), ports[i][1][0] != '\0' ? id : "") == 0);
    }
}

static void functions_have_the_paths_of_the_kernel(void)
{
    static const char *const devices[][2] = { /* name in sysfs; end of its real path */
        { "mlx5_0", "/pci0000:00/0000:00:00.0/0000:03:00.0" },
        { "sf", "/pci0000:00/0000:00:00.0/0000:03:00.0/mlx5_core.sf.5" },
        { "host_vf1", "/pci0000:0a/0000:0a:00.0/0000:0b:00.2" },
        { "host/device/virtfn1", "/pci0000:0a/0000:0a:00.0/0000:0b:00.2" },
        { "host_vf1/device/physfn", "/pci0000:0a/0000:0a:00.0/0000:0b:00.0" },
    };
    char path[128], real[4096];
    size_t i;

    for (i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
        snprintf(path, sizeof(path), "/sys/class/infiniband/%s%s", devices[i][0],
                 strchr(devices[i][0], '/') != NULL ? "" : "/device");
        CHECK(realpath(path, real) != NULL);
        CHECK(strlen(real) > strlen(devices[i][1]));
        CHECK(strcmp(real + strlen(real) - strlen(devices[i][1]), devices[i][1]) == 0);
    }
    CHECK(strcmp(read_line("/sys/class/infiniband/sf/device/sfnum"), "7") == 0);
    CHECK(strcmp(read_line("/sys/devices/pci0000:00/0000:00:00.0/vendor"), "0x15b3") == 0);
    CHECK(strcmp(read_line("/sys/devices/pci0000:00/0000:00:00.0/class"), "0x060400") == 0);
    CHECK(strcmp(read_line("/sys/devices/pci0000:0a/0000:0a:00.0/vendor"), "0x15b3") != 0);
}

static int command(const char *device, uint64_t first, uint64_t second, uint8_t *out, size_t bytes)
{
    struct ibv_context *ctx = open_named(device);
    uint64_t in[2] = { htobe64(first), htobe64(second) };
    int rc;

    memset(out, 0, bytes);
    rc = mlx5dv_devx_general_cmd(ctx, in, sizeof(in), out, bytes);
    CHECK_EQ(ibv_close_device(ctx), 0);
    return rc;
}

static unsigned be16_at(const uint8_t *at)
{
    return (unsigned)at[0] << 8 | at[1];
}

static void manager_can_query_the_host(void)
{
    const uint64_t query = 0x0740ull << 48;
    uint8_t out[128];

    CHECK_EQ(command("mlx5_0", query, 0, out, sizeof(out)), 0);
    CHECK_EQ(out[16], 0);             /* host_number */
    CHECK_EQ(out[17], 0x0a);          /* host_pci_vf_info_valid, host_pf_vhca_id_valid */
    CHECK_EQ(be16_at(out + 18), 2);   /* host_num_of_vfs */
    CHECK_EQ(be16_at(out + 22), 0x0b); /* host_pci_bus */
    CHECK_EQ(be16_at(out + 24), HOST_PF);
    CHECK_EQ(be16_at(out + 26), 0);   /* host_pci_device */
    CHECK_EQ(be16_at(out + 30), 0);   /* host_pci_function */
    CHECK_EQ(be16_at(out + 32), 1);   /* host_pci_vf_stride */
    CHECK_EQ(be16_at(out + 34), 1);   /* host_pci_first_vf_offset */
    CHECK(command("mlx5_1", query, 0, out, sizeof(out)) != 0);  /* not the manager of an eswitch */
    CHECK(command("host", query, 0, out, sizeof(out)) != 0);
}

static void manager_can_query_vhca_ids(void)
{
    static const struct {
        const char *device;
        uint64_t second; /* the command: other_function, ec_vf_function, function_id */
        int vhca_id;            /* expected answer; -1: the firmware refuses the command */
    } rows[] = {
        { "mlx5_0", 0, 1 },
        { "mlx5_0", 0x8000ull << 48, HOST_PF },
        { "mlx5_0", 0x8000ull << 48 | 1ull << 32, HOST_VF0 },
        { "mlx5_0", 0x8000ull << 48 | 2ull << 32, HOST_VF1 },
        { "mlx5_0", 0x8000ull << 48 | 3ull << 32, -1 },
        { "mlx5_0", 0xc000ull << 48 | 1ull << 32, -1 }, /* the DPU has no VF */
        { "mlx5_1", 0x8000ull << 48, -1 },
        { "host", 0x8000ull << 48 | 1ull << 32, -1 },
    };
    static uint8_t out[16 + 4096];
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool answers = command(rows[i].device, 0x0100ull << 48 | 1, rows[i].second, out,
                               sizeof(out)) == 0;

        CHECK_EQ(answers, rows[i].vhca_id >= 0);
        if (rows[i].vhca_id < 0)
            continue;
        CHECK_EQ(be16_at(out + 16 + 6), rows[i].vhca_id);
        CHECK_EQ(out[16 + 0x1a7 / 8] & 1, rows[i].vhca_id == 1); /* eswitch_manager */
    }
}

/* The capabilities of the flow tables of an eswitch, type 8, and of the eswitch, type 9, are all
 * zero; a driver needs an answer. */
static void manager_can_query_its_eswitch(void)
{
    static uint8_t out[16 + 4096];
    uint64_t type;
    size_t i;

    for (type = 8; type <= 9; type++) {
        const uint64_t query = 0x0100ull << 48 | type << 1 | 1;

        CHECK_EQ(command("mlx5_0", query, 0, out, sizeof(out)), 0);
        for (i = 0; i < sizeof(out); i++)
            CHECK_EQ(out[i], 0);
        CHECK(command("mlx5_0", query, 0x8000ull << 48, out, sizeof(out)) != 0); /* host's PF */
        CHECK(command("mlx5_1", query, 0, out, sizeof(out)) != 0);
        CHECK(command("host", query, 0, out, sizeof(out)) != 0);
    }
}

static void manager_can_query_vuids(void)
{
    uint8_t out[64 + 128], other[64 + 128];
    int vhca_id;

    CHECK_EQ(command("mlx5_0", 0x0b22ull << 48, 1, other, sizeof(other)), 0);
    for (vhca_id = HOST_PF; vhca_id <= SF; vhca_id++) {
        CHECK_EQ(command("mlx5_0", 0x0b22ull << 48, (uint64_t)vhca_id, out, sizeof(out)), 0);
        CHECK_EQ(be16_at(out + 62), 1);
        CHECK(out[64] != '\0');
        CHECK(strcmp((char *)out + 64, (char *)other + 64) != 0);
        memcpy(other, out, sizeof(out));
    }
    CHECK(command("mlx5_0", 0x0b22ull << 48, 2, out, sizeof(out)) != 0);
    CHECK(command("mlx5_0", 0x0b22ull << 48, 99, out, sizeof(out)) != 0);
    CHECK(command("host", 0x0b22ull << 48, 1, out, sizeof(out)) != 0);
    CHECK_EQ(command("host", 0x0b22ull << 48, HOST_PF, out, sizeof(out)), 0);
}

static void host_manages_a_card_without_an_arm_side(void)
{
    static uint8_t out[16 + 4096];

    CHECK(strcmp(read_line("/sys/class/net/pf0vf0/phys_port_name"), "pf0vf0") == 0);
    CHECK(strcmp(read_line("/sys/class/infiniband/mlx5_0/device/../vendor"), "0x8086") == 0);
    CHECK_EQ(command("mlx5_0", 0x0740ull << 48, 0, out, 128), 0);
    CHECK_EQ(out[17], 0x04); /* host_pf_not_exist */
    CHECK_EQ(command("mlx5_0", 0x0100ull << 48 | 1, 0x8000ull << 48 | 1ull << 32, out, sizeof(out)),
             0);
    CHECK_EQ(be16_at(out + 16 + 6), 2);
    CHECK(command("mlx5_0", 0x0100ull << 48 | 1, 0xc000ull << 48 | 1ull << 32, out, sizeof(out)) !=
          0);
    CHECK_EQ(command("mlx5_0", 0x0b22ull << 48, 2, out, 64 + 128), 0);
}

static const struct rig_case cases[] = {
    RIG_CASE(ports_are_in_sysfs),
    RIG_CASE(functions_have_the_paths_of_the_kernel),
    RIG_CASE(manager_can_query_the_host),
    RIG_CASE(manager_can_query_vhca_ids),
    RIG_CASE(manager_can_query_its_eswitch),
    RIG_CASE(manager_can_query_vuids),
    RIG_CASE(host_manages_a_card_without_an_arm_side),
};

RIG_MAIN(cases)
