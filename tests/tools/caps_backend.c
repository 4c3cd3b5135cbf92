/* tools/doca_caps with a backend of this test, whose device cannot be opened. */
#define main doca_caps_main
#include "tools/doca_caps.c"
#undef main

static uint32_t enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    if (max > 0) {
        memset(attrs, 0, sizeof(*attrs));
        strcpy(attrs->pci_addr, "0000:5e:00.0");
        strcpy(attrs->ibdev_name, "held_0");
        attrs->port = DOCA_CORE_PORT_INFINIBAND;
        attrs->lid = 7;
        attrs->side = (enum doca_core_side)9;
        attrs->func_type = (enum doca_pci_func_type)9;
        attrs->rep_filters = DOCA_CORE_REP_NET;
        attrs->limits.has_dma = 1;
        attrs->limits.dma_max_buf_size = 3 << 20;
        attrs->limits.dma_max_buf_list_len = 1;
        attrs->limits.dma_max_num_tasks = 5;
    }
    return 1;
}

static doca_error_t fail_open(struct doca_dev *dev)
{
    (void)dev;
    return DOCA_ERROR_NOT_CONNECTED;
}

int main(void)
{
    static char name[] = "doca_caps", option[] = "--pci-addr=5e:00.0";
    char *argv[] = { name, option, NULL };
    struct doca_core_backend backend = *doca_core_sw_backend();

    backend.name = "held";
    backend.enumerate = enumerate;
    backend.enumerate_reps = NULL;
    backend.dev_open = fail_open;
    if (doca_core_backend_register(&backend) != DOCA_SUCCESS)
        return 2;
    return doca_caps_main(2, argv);
}
