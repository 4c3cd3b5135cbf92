/* The simulated machine of mlx5_sysfs.h with files that have any content or are missing, and with
 * firmware that gives any answers. The attributes of the reported devices and representors must
 * have valid forms, and the library must close all files that it opened. */
#include "fuzz.h"

#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "mlx5_sysfs.h"

static void fuzz_set_up(void)
{
}

/* ---- the machine ---- */

/* Make a text from the input, or change one of the valid texts. */
static void make_text(char *text, size_t bytes)
{
    static const char *const texts[] = {
        "p0", "pf0vf1", "c1pf0", "c1pf0vf0", "pf0sf88", "c4294967295pf0", "pf9999999999sf1",
        "pf0vf65535", SWITCH_0, SWITCH_1, "> " ARM_PORT "0", "> " ARM_PORT "0/mlx5_core.sf.2",
        "> /sys/devices/pci0000:00/0000:03:00.7", "> ", "0x15b3", "0x060400"
    };
    unsigned how = fuzz_byte();
    size_t len = how >> 4, i;

    text[0] = '\0';
    if ((how & 1) != 0)
        strcpy(text, texts[len]);
    i = strlen(text);
    if ((how & 2) == 0) {
        len = (how & 4) != 0 ? bytes - 1 : i + len;
        for (; i < len && i < bytes - 1; i++)
            text[i] = (char)fuzz_byte();
        text[i] = '\0';
    } else if (i > 0) { /* replace one character */
        i = fuzz_below((uint32_t)i);
        text[i] = (char)fuzz_byte();
    }
}

static void change_file(void)
{
    static const int errors[] = { EACCES, EIO, EOPNOTSUPP, 4095 };
    unsigned how = fuzz_byte();
    struct file *file = &card.files[fuzz_below((uint32_t)card.num)];

    if (how % 4 == 0)
        file->error = errors[how / 4 % 4];
    else if (how % 4 == 1)
        file->path[0] = '\0';
    else
        make_text(file->text, sizeof(file->text));
}

/* Add a file, or change the text of an existing file. */
static void add_file(void)
{
    static const char *const dirs[] = { "/sys/class/net", "/sys/class/infiniband/mlx5_0/device/net",
                                        "/sys/class/infiniband/mlx5_0/device" };
    static const char *const files[] = { "phys_port_name", "phys_switch_id", "device", "sfnum" };
    unsigned how = fuzz_byte(), len = how >> 4, i;
    char name[16], path[SYSFS_PATH], text[SYSFS_PATH];

    for (i = 0; i < len; i++) {
        name[i] = (char)fuzz_byte();
        if (name[i] == '\0' || name[i] == '/')
            name[i] = '_';
    }
    name[i] = '\0';
    snprintf(path, sizeof(path), "%s/%s/%s", dirs[how % 3], len == 0 ? "pf0vf0" : name,
             files[how / 4 % 4]);
    make_text(text, sizeof(text));
    if (find_file(path) != NULL || card.num < SYSFS_FILES)
        put_file(path, text);
}

static void change_firmware(void)
{
    static char vuid[160];
    unsigned how = fuzz_byte();

    if (how % 4 == 0) {
        card.esw[fuzz_below(sizeof(card.esw))] = fuzz_byte();
    } else if (how % 4 == 1) {
        card.vhca_ids[how / 4 % 4] = (uint16_t)fuzz_number(2);
    } else if (how % 4 == 2) {
        make_text(vuid, sizeof(vuid));
        card.vuid = (how & 4) != 0 ? vuid : NULL;
        card.num_vuids = fuzz_byte() % 3;
    } else {
        card.refuse_at = 1 + how / 4;
        card.is_eswitch_manager = how / 4 % 2 == 0;
    }
}

static void make_machine(void)
{
    unsigned kind = fuzz_byte() % 3, num = 0, what;

    if (kind == 0)
        make_arm();
    else
        make_host(kind == 1 ? SWITCH_0 : NULL);
    while (fuzz_left > 0 && num++ < 64) {
        what = fuzz_byte() % 4;
        if (what < 2)
            change_file();
        else if (what == 2)
            add_file();
        else
            change_firmware();
    }
}

/* ---- the form of reported devices and representors ---- */

/* Check that the text is "DDDD:BB:DD.F" or empty. */
static void check_address(const char *text)
{
    static const char form[] = "xxxx:xx:xx.x";
    size_t i, len = strlen(text);

    CHECK(len == 0 || len == sizeof(form) - 1);
    for (i = 0; i < len; i++)
        CHECK(form[i] == 'x' ? strchr("0123456789abcdef", text[i]) != NULL : text[i] == form[i]);
}

/* Check that texts are terminated, and that the VUID of a represented function is printable. */
static void check_attr(const struct doca_core_dev_attr *attr, bool is_rep)
{
    const char *c;

    CHECK(memchr(attr->pci_addr, '\0', sizeof(attr->pci_addr)) != NULL);
    CHECK(memchr(attr->iface_name, '\0', sizeof(attr->iface_name)) != NULL);
    CHECK(memchr(attr->ibdev_name, '\0', sizeof(attr->ibdev_name)) != NULL);
    CHECK(memchr(attr->vuid, '\0', sizeof(attr->vuid)) != NULL);
    check_address(attr->pci_addr);
    if (!is_rep)
        return;
    CHECK(attr->vuid[0] != '\0');
    for (c = attr->vuid; *c != '\0'; c++)
        CHECK(*c > ' ' && *c < 0x7f);
    CHECK(attr->func_type == DOCA_PCI_FUNC_TYPE_PF || attr->func_type == DOCA_PCI_FUNC_TYPE_VF ||
          attr->func_type == DOCA_PCI_FUNC_TYPE_SF);
}

static void check_reps(struct doca_dev *dev, int filter)
{
    struct doca_devinfo_rep **list;
    struct doca_dev_rep *rep;
    uint32_t num, i, k;
    doca_error_t rc = doca_devinfo_rep_create_list(dev, filter, &list, &num);

    if (rc != DOCA_SUCCESS) {
        CHECK(rc == DOCA_ERROR_NOT_SUPPORTED || rc == DOCA_ERROR_NOT_FOUND);
        return;
    }
    CHECK(num <= card.num);
    for (i = 0; i < num; i++) {
        check_attr(&list[i]->info.attr, true);
        CHECK_OK(doca_dev_rep_open(list[i], &rep));
        CHECK_OK(doca_dev_rep_close(rep));
        for (k = 0; k < i; k++) /* interface names are unique */
            CHECK(strcmp(list[i]->info.attr.iface_name, list[k]->info.attr.iface_name) != 0);
    }
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
}

static void check_dev(const struct doca_devinfo *info)
{
    enum doca_core_side side;
    struct doca_dev *dev;

    check_attr(&info->attr, false);
    CHECK_OK(doca_dev_open((struct doca_devinfo *)(uintptr_t)info, &dev));
    CHECK_OK(doca_core_devinfo_get_side(doca_dev_as_devinfo(dev), &side));
    CHECK(side == DOCA_CORE_SIDE_BOTH || side == DOCA_CORE_SIDE_DPU || side == DOCA_CORE_SIDE_HOST);
    check_reps(dev, DOCA_DEVINFO_REP_FILTER_ALL);
    check_reps(dev, DOCA_DEVINFO_REP_FILTER_NET);
    CHECK_OK(doca_dev_close(dev));
}

/* Parse the input as the name of a port. */
static void check_port(void)
{
    char *text = fuzz_text();
    struct doca_priv_mlx5_port port = doca_priv_mlx5_parse_port(text), again;
    char same[64];

    CHECK(port.number <= 999999999 && port.pf <= 999999999 && port.controller <= 999999999);
    if (port.kind == DOCA_PRIV_MLX5_PORT_VF || port.kind == DOCA_PRIV_MLX5_PORT_SF) {
        snprintf(same, sizeof(same), "c%upf%u%cf%u", port.controller, port.pf,
                 port.kind == DOCA_PRIV_MLX5_PORT_VF ? 'v' : 's', port.number);
        again = doca_priv_mlx5_parse_port(same + (port.has_controller ? 0 : strcspn(same, "p")));
        CHECK(again.kind == port.kind && again.has_controller == port.has_controller);
        CHECK_EQ(again.number, port.number);
    }
    fuzz_free(text);
}

static void fuzz_run_input(void)
{
    struct doca_devinfo **list;
    uint32_t num, i;

    if (fuzz_left > 0 && fuzz_input[0] >= '@') {
        check_port();
        return;
    }
    make_machine();
    if (look() == 0)
        return;
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    for (i = 0; i < num; i++)
        check_dev(list[i]);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_EQ(card.num_opens, 0);
}
