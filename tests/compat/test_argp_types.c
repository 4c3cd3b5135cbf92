/* The argument parser: flags of devices, representors and decimal numbers, which 3.x adds. */
#include "argp_support.h"

static struct {
    struct doca_dev *devs[8];
    struct doca_dev_rep *reps[8];
    unsigned num_devs, num_reps, num_opened;
    const char *devargs;
    double real;
    doca_error_t open_answer;
} dev_got;

static const char *dev_name(struct doca_dev *dev)
{
    static char name[DOCA_DEVINFO_IBDEV_NAME_SIZE + DOCA_DEVINFO_PCI_ADDR_SIZE];
    char pci[DOCA_DEVINFO_PCI_ADDR_SIZE], ib[DOCA_DEVINFO_IBDEV_NAME_SIZE];

    CHECK_OK(doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(dev), pci));
    CHECK_OK(doca_devinfo_get_ibdev_name(doca_dev_as_devinfo(dev), ib, sizeof(ib)));
    snprintf(name, sizeof(name), "%.12s/%.32s", pci, ib);
    return name;
}

static doca_error_t take_dev(void *value, void *config)
{
    const struct doca_argp_device_ctx *ctx = value;

    (void)config;
    record("dev", dev_name(ctx->dev));
    dev_got.devs[dev_got.num_devs++] = ctx->dev;
    dev_got.devargs = ctx->devargs;
    return answer;
}

static doca_error_t take_rep(void *value, void *config)
{
    const struct doca_argp_device_rep_ctx *ctx = value;
    char iface[DOCA_DEVINFO_IFACE_NAME_SIZE];

    (void)config;
    CHECK_OK(doca_devinfo_rep_get_iface_name(doca_dev_rep_as_devinfo(ctx->dev_rep), iface,
                                             sizeof(iface)));
    record("rep", iface);
    record("of", dev_name(ctx->dev_ctx.dev));
    dev_got.devs[dev_got.num_devs++] = ctx->dev_ctx.dev;
    dev_got.reps[dev_got.num_reps++] = ctx->dev_rep;
    dev_got.devargs = ctx->dev_ctx.devargs;
    return answer;
}

static doca_error_t take_real(void *value, void *config)
{
    (void)config;
    dev_got.real = *(const double *)value;
    record("real", "");
    return answer;
}

static doca_error_t open_device(struct doca_devinfo *devinfo, void *usr_ctx, struct doca_dev **dev)
{
    CHECK_PTR(usr_ctx, &dev_got);
    dev_got.num_opened++;
    return dev_got.open_answer != DOCA_SUCCESS ? dev_got.open_answer : doca_dev_open(devinfo, dev);
}

static void register_typed(const char *short_name, const char *long_name, enum doca_argp_type type,
                           doca_argp_param_cb_t callback)
{
    struct doca_argp_param *param = describe(short_name, long_name, type);

    doca_argp_param_set_callback(param, callback);
    if (type != DOCA_ARGP_TYPE_DOUBLE)
        doca_argp_param_set_multiplicity(param);
    CHECK_OK(doca_argp_register_param(param));
}

static void open_typed(void)
{
    CHECK_OK(doca_argp_init("prog", (void *)"text"));
    register_typed("a", "device", DOCA_ARGP_TYPE_DEVICE, take_dev);
    register_typed("r", "rep", DOCA_ARGP_TYPE_DEVICE_REP, take_rep);
    register_typed("x", "real", DOCA_ARGP_TYPE_DOUBLE, take_real);
    memset(&dev_got, 0, sizeof(dev_got));
    answer = DOCA_SUCCESS;
}

/* Close the devices and representors that callbacks received, as programs do: first the
 * representors, then each device once. */
static void close_devices(void)
{
    unsigned i, j;

    while (dev_got.num_reps > 0)
        CHECK_OK(doca_dev_rep_close(dev_got.reps[--dev_got.num_reps]));
    for (i = 0; i < dev_got.num_devs; i++) {
        for (j = 0; j < i && dev_got.devs[j] != dev_got.devs[i]; j++) {
        }
        if (j == i)
            CHECK_OK(doca_dev_close(dev_got.devs[i]));
    }
    dev_got.num_devs = 0;
}

static void devices_are_opened_for_their_callbacks(void)
{
    open_typed();
    CHECK_OK(start("-a pci/0000:03:00.0,dv_flow_en=2,x=1 -a 03:00.1 --device=mlx5_3 -a p0s0"));
    CHECK_STR(got, "dev=0000:03:00.0/mlx5_0;dev=0000:03:00.1/mlx5_1;dev=0000:03:00.1/mlx5_3;"
                   "dev=0000:03:00.0/mlx5_2;");
    CHECK_PTR(dev_got.devargs, NULL);
    close_devices();
    CHECK_OK(start("-a pci/0000:03:00.0,dv_flow_en=2,x=1"));
    CHECK_STR(dev_got.devargs, "dv_flow_en=2,x=1"); /* must be valid after start */
    close_devices();
    CHECK_OK(start_json("{\"doca_program_flags\": {\"device\": [\"pci/03:00.0\", \"03:00.0,b\"]}}",
                        ""));
    CHECK_STR(got, "dev=0000:03:00.0/mlx5_0;dev=0000:03:00.0/mlx5_0;");
    CHECK_PTR(dev_got.devs[0], dev_got.devs[1]);
    CHECK_STR(dev_got.devargs, "b");
    close_devices(); /* the device was opened once */
    CHECK_OK(doca_argp_destroy());
}

static void representors_are_opened_with_their_device(void)
{
    open_typed();
    CHECK_OK(start("-a pci/0000:03:00.0 -r pci/0000:03:00.0,pf0vf0 -r 03:00.0,pf0vf1,q=1"));
    CHECK_STR(got, "dev=0000:03:00.0/mlx5_0;rep=pf0vf0;of=0000:03:00.0/mlx5_0;rep=pf0vf1;"
                   "of=0000:03:00.0/mlx5_0;");
    CHECK_STR(dev_got.devargs, "q=1");
    CHECK_PTR(dev_got.devs[0], dev_got.devs[2]);
    close_devices();
    CHECK_OK(start("--rep pf0vf1 -r mlx5_0,0000:0b:00.2"));
    CHECK_STR(got, "rep=pf0vf1;of=0000:03:00.0/mlx5_0;rep=pf0vf0;of=0000:03:00.0/mlx5_0;");
    CHECK_PTR(dev_got.devargs, NULL);
    close_devices();
    CHECK_OK(doca_argp_destroy());
}

static void unknown_devices_are_refused(void)
{
    static const struct {
        const char *line;
        const char *text;
    } rows[] = {
        { "-a pci/0000:99:00.0", "--device: \"pci/0000:99:00.0\" names no device of this machine" },
        { "-a pci/mlx5_0", "names no device of this machine" },
        { "-a mlx5_99", "names no device of this machine" },
        { "-a ,x=1", "does not name a device" },
        { "-r 03:00.0,pf7vf7", "--rep: \"03:00.0,pf7vf7\" names no representor of this machine" },
        { "-r 03:00.0,vf0", "names no representor of this machine" },
        { "-r 03:00.0,", "does not name a device" },
        { "-r nothing", "names no representor of this machine" },
        { "-x 1.5x", "--real: \"1.5x\" is not a decimal number" },
        { "-x 0x10", "is not a decimal number" },
        { "-x nan", "is not a decimal number" },
        { "-x 1e999", "is not a decimal number" },
    };
    struct doca_dev *dev;
    size_t i;

    open_typed();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK_RC(start(rows[i].line), DOCA_ERROR_INVALID_VALUE);
        CHECK_PRINTED(rows[i].text);
        CHECK_STR(got, "");
    }
    CHECK_EQ(dev_got.num_devs, 0); /* the harness checks the arena: no device may stay open */
    CHECK_RC(start_json("{\"doca_program_flags\": {\"device\": 3}}", ""), DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("takes a string");
    CHECK_OK(doca_argp_register_dev_open_callback(open_device, &dev_got));
    dev_got.open_answer = DOCA_ERROR_DRIVER;
    CHECK_RC(start("-a 03:00.0"), DOCA_ERROR_DRIVER);
    CHECK_PRINTED("cannot be opened");
    dev_got.open_answer = DOCA_SUCCESS;
    CHECK_OK(start("-a 03:00.0 -r 03:00.0,pf0vf0 -r 03:00.0,pf0vf1"));
    CHECK_EQ(dev_got.num_opened, 2);
    dev = dev_got.devs[0];
    CHECK_PTR(dev, dev_got.devs[2]);
    close_devices();
    CHECK_RC(doca_argp_register_dev_open_callback(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_argp_destroy());
    CHECK_RC(doca_argp_register_dev_open_callback(open_device, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_argp_disable_pedantic_config_parsing(), DOCA_ERROR_BAD_STATE);
}

static void decimal_numbers_are_read(void)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        { "12.5", 12.5 }, { "-0.25", -0.25 }, { "3", 3 }, { "1e3", 1000 }, { "2.5E-1", 0.25 },
    };
    char text[96];
    size_t i;

    open_typed();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(text, sizeof(text), "--real=%s", rows[i].text);
        CHECK_OK(start(text));
        CHECK(dev_got.real >= rows[i].value && dev_got.real <= rows[i].value);
        dev_got.real = 0;
        snprintf(text, sizeof(text), "{\"doca_program_flags\": {\"real\": %s}}", rows[i].text);
        CHECK_OK(start_json(text, ""));
        CHECK(dev_got.real >= rows[i].value && dev_got.real <= rows[i].value);
    }
    CHECK_RC(start_json("{\"doca_program_flags\": {\"real\": \"1\"}}", ""),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PRINTED("takes a number");
    CHECK_OK(doca_argp_disable_pedantic_config_parsing());
    CHECK_OK(start_json("{\"doca_program_flags\": {\"nun\": 1, \"real\": 2}}", ""));
    CHECK_STR(printed, "");
    CHECK_OK(doca_argp_destroy());
}

static const struct test_case cases[] = {
    CASE(devices_are_opened_for_their_callbacks, ""),
    CASE(representors_are_opened_with_their_device, ""),
    CASE(unknown_devices_are_refused, ""),
    CASE(decimal_numbers_are_read, ""),
};

TEST_MAIN(cases)
