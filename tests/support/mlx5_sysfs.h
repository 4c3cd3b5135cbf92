/* A fake of machines with mlx5 cards, in plain memory: their sysfs as a table of files, and the
 * firmware's answers to queries about PCI functions. mlx5_fake.h has the queues. */
#ifndef MLX5_SYSFS_H
#define MLX5_SYSFS_H

#include "mlx5_fake.h"

#define NUM(array) (sizeof(array) / sizeof((array)[0]))
#define SYSFS_FILES 64
#define SYSFS_PATH 128

/* ---- a sysfs ---- */

struct file {
    char path[SYSFS_PATH]; /* "": the file was removed */
    char text[SYSFS_PATH]; /* content; "> PATH": the file is a link to PATH */
    int error;             /* errno of a read of the file; 0: the read succeeds */
};

static struct {
    struct file files[SYSFS_FILES];
    size_t num;
    unsigned char esw[128];    /* the answer to QUERY_ESW_FUNCTIONS of the first port */
    uint16_t vhca_ids[4];      /* by vport, of the first port; 0: the firmware refuses */
    const char *vuid;          /* NULL: the firmware refuses; "%" becomes the vhca id */
    unsigned num_vuids;        /* number of VUIDs that the answer announces */
    bool is_eswitch_manager;
    bool is_own_vf;            /* the last query was for a VF of the embedded CPU
                                * (ec_vf_function) */
    unsigned refuse_at;        /* the n-th command from now is refused, counted from 1; 0: no
                                * command is refused */
    struct ibv_device devices[4];
    struct ibv_device *list[5];
    struct ibv_context contexts[4];
    unsigned num_opens;
} card;

static inline struct file *find_file(const char *path)
{
    size_t i;

    for (i = 0; i < card.num; i++)
        if (strcmp(card.files[i].path, path) == 0)
            return &card.files[i];
    return NULL;
}

static inline void put_file(const char *path, const char *text)
{
    struct file *file = find_file(path);

    CHECK(file != NULL || card.num < SYSFS_FILES);
    file = file != NULL ? file : &card.files[card.num++];
    CHECK(strlen(path) < sizeof(file->path) && strlen(text) < sizeof(file->text));
    strcpy(file->path, path);
    strcpy(file->text, text);
    file->error = 0;
}

static inline void no_file(const char *path, int error)
{
    CHECK(find_file(path) != NULL);
    find_file(path)->error = error;
}

static inline int card_read_file(const char *path, char *text, size_t bytes)
{
    const struct file *file = find_file(path);

    if (file == NULL || file->error != 0 || file->text[0] == '>')
        return file != NULL ? (file->error != 0 ? file->error : EISDIR) : ENOENT;
    CHECK(bytes > 0);
    strncpy(text, file->text, bytes - 1);
    text[bytes - 1] = '\0';
    return 0;
}

static inline int card_resolve_path(const char *path, char *text, size_t bytes)
{
    const struct file *file = find_file(path);

    if (file == NULL || file->error != 0 || file->text[0] != '>')
        return ENOENT;
    CHECK(strlen(file->text + 2) < bytes);
    strcpy(text, file->text + 2);
    return 0;
}

/* Visit each name in the directory `path` once, in any order. Return ENOENT when there is no file
 * below `path`. */
static inline int card_list_names(const char *path, void (*visit)(const char *name, void *data),
                                  void *data)
{
    size_t len = strlen(path), i, k;
    char name[SYSFS_PATH];
    bool is_known, is_there = false;

    for (i = card.num; i-- > 0;) {
        if (strncmp(card.files[i].path, path, len) != 0 || card.files[i].path[len] != '/')
            continue;
        strcpy(name, card.files[i].path + len + 1);
        name[strcspn(name, "/")] = '\0';
        for (k = card.num, is_known = false; --k > i && !is_known;)
            is_known = strncmp(card.files[k].path, path, len) == 0 &&
                       strncmp(card.files[k].path + len + 1, name, strlen(name)) == 0 &&
                       card.files[k].path[len + 1 + strlen(name)] == '/';
        if (!is_known)
            visit(name, data);
        is_there = true;
    }
    return is_there ? 0 : ENOENT;
}

/* ---- devices and their firmware ---- */

static inline struct ibv_device **card_get_device_list(int *num)
{
    for (*num = 0; card.list[*num] != NULL; ++*num) {
    }
    return card.list;
}

static inline void card_free_device_list(struct ibv_device **list)
{
    CHECK_PTR(list, card.list);
}

static inline struct ibv_context *card_open_device(struct ibv_device *device, bool with_devx)
{
    struct ibv_context *context = &card.contexts[device - card.devices];

    CHECK(with_devx);
    context->device = device;
    card.num_opens++;
    return context;
}

static inline int card_close_device(struct ibv_context *context)
{
    CHECK(context >= card.contexts && context < card.contexts + NUM(card.contexts));
    card.num_opens--;
    return 0;
}

static inline int card_query_port(struct ibv_context *context, uint8_t port,
                                  struct ibv_port_attr *attr)
{
    int rc = fake_query_port(context, port, attr);

    attr->link_layer = IBV_LINK_LAYER_ETHERNET;
    return rc;
}

static inline struct ibv_pd *card_alloc_pd(struct ibv_context *context)
{
    (void)context;
    return &fake.pd;
}

static inline int card_dealloc_pd(struct ibv_pd *pd)
{
    CHECK_PTR(pd, &fake.pd);
    return 0;
}

static inline uint16_t be16(const void *at)
{
    const unsigned char *b = at;

    return (uint16_t)(b[0] << 8 | b[1]);
}

/* Answer QUERY_HCA_CAP about the device itself or, on the first port, about another function. */
static inline int answer_caps(const unsigned char *in, unsigned char *cap, size_t index)
{
    unsigned vport = be16(in + 10);

    CHECK_EQ(fake_be32(in + 12), 0);
    if ((in[8] & 0x80) == 0) {
        CHECK_EQ(fake_be32(in + 8), 0);
        cap[7] = (unsigned char)(11 + index);
        cap[0x1a7 / 8] = card.is_eswitch_manager ? 0x01 : 0;
        return be16(in + 6) == 1 ? 0 : EREMOTEIO;
    }
    CHECK_EQ(be16(in + 6), 1);
    card.is_own_vf = (in[8] & 0x40) != 0;
    if (index != 0 || vport >= NUM(card.vhca_ids) || card.vhca_ids[vport] == 0)
        return EREMOTEIO;
    cap[6] = (unsigned char)(card.vhca_ids[vport] >> 8);
    cap[7] = (unsigned char)card.vhca_ids[vport];
    return 0;
}

static inline int answer_vuid(const unsigned char *in, unsigned char *out)
{
    char text[160] = "", number[8];
    size_t len = 0;
    const char *s;

    if (card.vuid == NULL)
        return EREMOTEIO;
    snprintf(number, sizeof(number), "%u", be16(in + 14));
    for (s = card.vuid; *s != '\0' && len < sizeof(text); s++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, "%.*s", *s == '%' ? 8 : 1,
                                *s == '%' ? number : s);
    memcpy(out + 64, text, len < 128 ? len + 1 : 128);
    out[62] = (unsigned char)(card.num_vuids >> 8);
    out[63] = (unsigned char)card.num_vuids;
    return 0;
}

static inline int card_general_cmd(struct ibv_context *context, const void *in, size_t in_bytes,
                                   void *out, size_t out_bytes)
{
    static const unsigned char esw_in[16] = { 0x07, 0x40 };
    size_t index = (size_t)(context - card.contexts);
    const unsigned char *command = in;

    CHECK_EQ(in_bytes, 16);
    CHECK(index < NUM(card.contexts));
    if (card.refuse_at > 0 && --card.refuse_at == 0)
        return EREMOTEIO;
    switch (be16(command)) {
    case 0x100:
        CHECK_EQ(out_bytes, 16 + 4096);
        return answer_caps(command, (unsigned char *)out + 16, index);
    case 0x740:
        CHECK_MEM(command, esw_in, sizeof(esw_in));
        CHECK_EQ(out_bytes, 128);
        if (index > 1)
            return EREMOTEIO;
        memcpy(out, card.esw, sizeof(card.esw));
        ((unsigned char *)out)[16 + 9] = (unsigned char)(card.esw[16 + 9] + index);
        ((unsigned char *)out)[16 + 15] = (unsigned char)(card.esw[16 + 15] + index);
        ((unsigned char *)out)[16 + 19] = (unsigned char)(card.esw[16 + 19] + index);
        return 0;
    case 0xb22:
        CHECK_EQ(fake_be32(command + 4), 0);
        CHECK_EQ(fake_be32(command + 8), 0);
        CHECK_EQ(be16(command + 12), 0);
        CHECK_EQ(out_bytes, 64 + 128);
        return answer_vuid(command, out);
    default:
        test_fail(__FILE__, __LINE__, "command %x", be16(command));
    }
}

static inline const struct doca_core_mlx5_sys *card_sys(void)
{
    static struct doca_core_mlx5_sys sys;

    sys = fake_sys;
    sys.get_device_list = card_get_device_list;
    sys.free_device_list = card_free_device_list;
    sys.open_device = card_open_device;
    sys.close_device = card_close_device;
    sys.query_port = card_query_port;
    sys.alloc_pd = card_alloc_pd;
    sys.dealloc_pd = card_dealloc_pd;
    sys.general_cmd = card_general_cmd;
    sys.read_file = card_read_file;
    sys.resolve_path = card_resolve_path;
    sys.list_names = card_list_names;
    return &sys;
}

/* Look up the devices of the fake machine, and return their number. */
static inline uint32_t look(void)
{
    const struct doca_core_mlx5_options options = { card_sys(), DOCA_CORE_MLX5_ENGINE_AUTO };
    const struct doca_core_backend *backend = doca_core_mlx5_backend(&options);
    static const struct doca_core_dev_attr none;
    static bool is_registered;
    struct doca_devinfo **list;
    uint32_t num = 0;

    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    if (!is_registered)
        CHECK_OK(doca_core_backend_register(backend));
    is_registered = true;
    if (doca_devinfo_create_list(&list, &num) == DOCA_SUCCESS)
        CHECK_OK(doca_devinfo_destroy_list(list));
    return num;
}

/* ---- machines ---- */

#define ARM_ROOT "/sys/devices/pci0000:00/0000:00:00.0"
#define ARM_PORT ARM_ROOT "/0000:01:00.0/0000:02:02.0/0000:03:00."
#define SWITCH_0 "98f2b3fffe3a1c04"
#define SWITCH_1 "98f2b3fffe3a1c05"

static inline void put(const char *dir, const char *name, const char *file, const char *text)
{
    char path[SYSFS_PATH];

    snprintf(path, sizeof(path), "%s/%s/%s", dir, name, file);
    put_file(path, text);
}

static inline void put_device(const char *name, const char *link, const char *iface)
{
    size_t i = 0;

    while (card.list[i] != NULL)
        i++;
    CHECK(i < NUM(card.devices));
    card.list[i] = &card.devices[i];
    strcpy(card.devices[i].name, name);
    snprintf(card.devices[i].ibdev_path, sizeof(card.devices[i].ibdev_path),
             "/sys/class/infiniband/%s", name);
    put("/sys/class/infiniband", name, "device", link);
    put("/sys/class/infiniband", name, "ports/1/gid_attrs/ndevs/0", iface);
}

/* Add a network interface. When an argument is NULL, its file is left out. */
static inline void put_net(const char *name, const char *port, const char *switch_id,
                           const char *link)
{
    put("/sys/class/net", name, "ifindex", "7");
    if (port != NULL)
        put("/sys/class/net", name, "phys_port_name", port);
    if (switch_id != NULL)
        put("/sys/class/net", name, "phys_switch_id", switch_id);
    if (link != NULL)
        put("/sys/class/net", name, "device", link);
}

/* Make the Arm side of a BlueField in switchdev mode: two ports, an SF, and a host with VFs on both
 * ports. */
static inline void make_arm(void)
{
    static const unsigned char esw[16 + 20] = {
        [16] = 0, [17] = 0x0a, [19] = 2,  /* host 0; VF and vhca id fields valid; 2 VFs enabled */
        [21] = 16, [23] = 0x0b,           /* number of VFs in total; bus */
        [25] = 0x20, [27] = 0, [31] = 0,  /* vhca id; device; function */
        [33] = 1, [35] = 2,               /* stride and first offset of VFs */
    };

    fake_reset();
    memset(&card, 0, sizeof(card));
    card.is_eswitch_manager = true;
    memcpy(card.esw, esw, sizeof(esw));
    memcpy(card.vhca_ids, (uint16_t[4]){ 0, 0x201, 0x202, 0 }, sizeof(card.vhca_ids));
    card.vuid = "MT2306XZ0000MLNXS0D0F%";
    card.num_vuids = 1;
    put_file(ARM_ROOT "/vendor", "0x15b3");
    put_file(ARM_ROOT "/class", "0x060400");
    put_device("mlx5_0", "> " ARM_PORT "0", "p0");
    put_device("mlx5_1", "> " ARM_PORT "1", "p1");
    put_device("mlx5_2", "> " ARM_PORT "0/mlx5_core.sf.2", "enp3s0f0s0");
    put_file(ARM_PORT "0/mlx5_core.sf.2/sfnum", "88");
    put_net("lo", NULL, NULL, NULL);
    put_net("oob_net0", NULL, NULL, "> /sys/devices/platform/MLNXBF17:00");
    put_net("en3f0pf0sf88", "pf0sf88", SWITCH_0, "> " ARM_PORT "0");
    put_net("enp3s0f0s0", NULL, NULL, "> " ARM_PORT "0/mlx5_core.sf.2");
    put_net("p0", "p0", SWITCH_0, "> " ARM_PORT "0");
    put_net("pf0vf1", "c1pf0vf1", SWITCH_0, "> " ARM_PORT "0");
    put_net("pf0vf0", "c1pf0vf0", SWITCH_0, "> " ARM_PORT "0");
    put_net("pf0hpf", "c1pf0", SWITCH_0, "> " ARM_PORT "0");
    put_net("p1", "p1", SWITCH_1, "> " ARM_PORT "1");
    put_net("pf1vf0", "c1pf1vf0", SWITCH_1, "> " ARM_PORT "1");
    put_net("pf1hpf", "c1pf1", SWITCH_1, "> " ARM_PORT "1");
}

#define HOST_PORT "/sys/devices/pci0000:5d/0000:5d:00.0/0000:5e:00."

/* Make a server with a ConnectX that has one port. The card is in switchdev mode unless `switch_id`
 * is NULL. */
static inline void make_host(const char *switch_id)
{
    fake_reset();
    memset(&card, 0, sizeof(card));
    card.is_eswitch_manager = switch_id != NULL;
    card.vhca_ids[1] = 0x301;
    put_file("/sys/devices/pci0000:5d/0000:5d:00.0/vendor", "0x8086");
    put_file("/sys/devices/pci0000:5d/0000:5d:00.0/class", "0x060400");
    put_device("mlx5_0", "> " HOST_PORT "0", "eth2");
    put_device("mlx5_3", "> " HOST_PORT "3", "eth5");
    put_file("/sys/class/infiniband/mlx5_3/device/physfn", "> " HOST_PORT "0");
    put_file("/sys/class/infiniband/mlx5_0/device/virtfn0", "> " HOST_PORT "2");
    put_file("/sys/class/infiniband/mlx5_0/device/virtfn1", "> " HOST_PORT "3");
    put_net("eth2", "p0", switch_id, "> " HOST_PORT "0");
    put_net("eth5", NULL, NULL, "> " HOST_PORT "3");
    if (switch_id == NULL) {
        put("/sys/class/net", "eth2", "phys_switch_id", "");
        no_file("/sys/class/net/eth2/phys_switch_id", EOPNOTSUPP);
        return;
    }
    put_net("eth2_1", "pf0vf1", switch_id, "> " HOST_PORT "0");
    put_net("eth2_0", "pf0vf0", switch_id, "> " HOST_PORT "0");
}

#endif
