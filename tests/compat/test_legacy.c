/* Programs of DOCA 1.3: its prototypes, inventories, buffers, devices and wrong handles. */
#include "legacy_support.h"

/* ---- the prototypes of 1.3, which must match those of the header ---- */

const char *doca_get_error_string(doca_error_t error);
doca_error_t doca_devinfo_list_create(struct doca_devinfo ***dev_list, uint32_t *nb_devs);
doca_error_t doca_devinfo_list_destroy(struct doca_devinfo **devinfo_list);
doca_error_t doca_devinfo_property_get(const struct doca_devinfo *devinfo,
                                       enum doca_devinfo_property property, void *value,
                                       uint32_t size);
doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev);
doca_error_t doca_dev_close(struct doca_dev *dev);
struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev);
doca_error_t doca_devinfo_remote_list_create(struct doca_dev *dev, int filter,
                                             struct doca_devinfo_remote ***devinfo_remote_list,
                                             uint32_t *nb_devs);
doca_error_t doca_devinfo_remote_list_destroy(struct doca_devinfo_remote **devinfo_remote_list);
doca_error_t doca_devinfo_remote_property_get(const struct doca_devinfo_remote *devinfo_remote,
                                              enum doca_devinfo_remote_property property,
                                              void *value, uint32_t size);
doca_error_t doca_dev_remote_open(struct doca_devinfo_remote *devinfo_remote,
                                  struct doca_dev_remote **dev_remote);
doca_error_t doca_dev_remote_close(struct doca_dev_remote *dev_remote);
doca_error_t doca_dev_remote_as_devinfo(struct doca_dev_remote *dev_remote,
                                        struct doca_devinfo_remote **devinfo_remote);
doca_error_t doca_buf_head_get(struct doca_buf *buf, void **head);
doca_error_t doca_buf_len_get(struct doca_buf *buf, size_t *len);
doca_error_t doca_buf_refcount_rm(struct doca_buf *buf, uint16_t *refcount);
doca_error_t doca_buf_refcount_get(struct doca_buf *buf, uint16_t *refcount);
doca_error_t doca_buf_inventory_create(const char *name, size_t num_elements, uint32_t extensions,
                                       struct doca_buf_inventory **buf_inventory);
doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory);
doca_error_t doca_buf_inventory_property_set(struct doca_buf_inventory *inventory,
                                             enum doca_buf_inventory_property property,
                                             const void *value, uint32_t size);
doca_error_t doca_buf_inventory_property_get(struct doca_buf_inventory *inventory,
                                             enum doca_buf_inventory_property property, void *value,
                                             uint32_t size);
doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory);
doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory);
doca_error_t doca_buf_inventory_buf_by_addr(struct doca_buf_inventory *inventory,
                                            struct doca_mmap *mmap, void *addr, size_t len,
                                            struct doca_buf **buf);
doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
                                        const struct doca_buf *src_buf, struct doca_buf **dst_buf);
doca_error_t doca_mmap_create(const char *name, struct doca_mmap **mmap);
doca_error_t doca_mmap_destroy(struct doca_mmap *mmap);
doca_error_t doca_mmap_property_set(struct doca_mmap *mmap, enum doca_mmap_property property,
                                    const void *value, uint32_t size);
doca_error_t doca_mmap_property_get(struct doca_mmap *mmap, enum doca_mmap_property property,
                                    void *value, uint32_t size);
doca_error_t doca_mmap_start(struct doca_mmap *mmap);
doca_error_t doca_mmap_stop(struct doca_mmap *mmap);
doca_error_t doca_mmap_dev_add(struct doca_mmap *mmap, struct doca_dev *dev);
doca_error_t doca_mmap_dev_rm(struct doca_mmap *mmap, struct doca_dev *dev);
doca_error_t doca_mmap_populate(struct doca_mmap *mmap, void *addr, size_t len, size_t pg_sz,
                                doca_mmap_memrange_free_cb_t *free_cb, void *opaque);
doca_error_t doca_mmap_export(struct doca_mmap *mmap, const struct doca_dev *dev,
                              void **export_desc, size_t *export_desc_len);
doca_error_t doca_mmap_create_from_export(const char *name, const void *export_desc,
                                          size_t export_desc_len, struct doca_dev *dev,
                                          struct doca_mmap **mmap);
doca_error_t doca_ctx_dev_add(struct doca_ctx *ctx, struct doca_dev *dev);
doca_error_t doca_ctx_dev_rm(struct doca_ctx *ctx, struct doca_dev *dev);
doca_error_t doca_ctx_start(struct doca_ctx *ctx);
doca_error_t doca_ctx_stop(struct doca_ctx *ctx);
doca_error_t doca_ctx_workq_add(struct doca_ctx *ctx, struct doca_workq *workq);
doca_error_t doca_ctx_workq_rm(struct doca_ctx *ctx, struct doca_workq *workq);
doca_error_t doca_dma_create(struct doca_dma **dma);
doca_error_t doca_dma_destroy(struct doca_dma *dma);
struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma);
doca_error_t doca_dma_devinfo_caps_get(struct doca_devinfo *devinfo, uint32_t *caps);
doca_error_t doca_workq_create(uint32_t depth, struct doca_workq **workq);
doca_error_t doca_workq_destroy(struct doca_workq *workq);
doca_error_t doca_workq_property_set(struct doca_workq *workq, enum doca_workq_property property,
                                     const void *value, uint32_t size);
doca_error_t doca_workq_property_get(const struct doca_workq *workq,
                                     enum doca_workq_property property, void *value, uint32_t size);
doca_error_t doca_workq_submit(struct doca_workq *workq, struct doca_job const *job);
doca_error_t doca_workq_progress_retrieve(struct doca_workq *workq, struct doca_event *ev,
                                          int flags);

typedef doca_error_t (*user_node_cb_of_1x)(void *cookie, struct doca_event *ev);
doca_error_t doca_graph_create(struct doca_graph **graph);
doca_error_t doca_graph_destroy(struct doca_graph *graph);
doca_error_t doca_graph_ctx_node_create(struct doca_graph *graph, int job_type,
                                        const struct doca_ctx *ctx, struct doca_graph_node **node);
doca_error_t doca_graph_user_node_create(struct doca_graph *graph, user_node_cb_of_1x cb,
                                         struct doca_graph_node **node);
doca_error_t doca_graph_sub_graph_node_create(struct doca_graph *graph,
                                              struct doca_graph *sub_graph,
                                              struct doca_graph_node **node);
doca_error_t doca_graph_add_dependency(struct doca_graph *graph, struct doca_graph_node *from,
                                       struct doca_graph_node *to);
doca_error_t doca_graph_start(struct doca_graph *graph);
doca_error_t doca_graph_stop(struct doca_graph *graph);
doca_error_t doca_graph_workq_add(struct doca_graph *graph, struct doca_workq *workq);
doca_error_t doca_graph_workq_rm(struct doca_graph *graph, struct doca_workq *workq);
doca_error_t doca_graph_instance_create(const struct doca_graph *graph,
                                        struct doca_graph_instance **graph_instance);
doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance);
doca_error_t doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *graph_instance,
                                                   struct doca_graph_node *node,
                                                   struct doca_job *job, struct doca_event *ev);
doca_error_t doca_graph_instance_set_user_node_data(struct doca_graph_instance *graph_instance,
                                                    struct doca_graph_node *node, void *cookie,
                                                    struct doca_event *ev);
doca_error_t doca_graph_instance_set_sub_graph_node_data(
    struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
    struct doca_graph_instance *sub_graph_instance, struct doca_event *ev);
doca_error_t doca_workq_graph_submit(struct doca_workq *workq,
                                     struct doca_graph_instance *graph_instance,
                                     union doca_data user_data);
doca_error_t doca_graph_instance_get_num_failed_nodes(
    const struct doca_graph_instance *graph_instance, uint32_t *num_failed_nodes);
doca_error_t doca_graph_instance_get_failed_nodes(const struct doca_graph_instance *graph_instance,
                                                  const struct doca_graph_node **failed_nodes,
                                                  uint32_t *num_failed_nodes);
doca_error_t doca_graph_instance_node_get_state(const struct doca_graph_instance *graph_instance,
                                                const struct doca_graph_node *node,
                                                enum doca_graph_instance_node_state *state);
doca_error_t doca_graph_instance_node_get_result(const struct doca_graph_instance *graph_instance,
                                                 const struct doca_graph_node *node,
                                                 union doca_data *result);

_Static_assert(sizeof(struct doca_pci_bdf) == 2, "programs of 1.3 may pass the size 2");
_Static_assert(DOCA_DMA_JOB_MEMCPY == 65537 && DOCA_ACTION_RMAX_FIRST == 12 << 16,
               "the values of the public API");

/* ---- inventories and buffers ---- */

static void stopped_inventory_gives_no_buffer(void)
{
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf, *dup;
    struct kit k;

    kit_open(&k);
    CHECK_OK(doca_buf_inventory_create("late", 4, DOCA_BUF_EXTENSION_LINKED_LIST, &inventory));
    CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, k.mmap, from, 1, &buf),
             DOCA_ERROR_BAD_STATE);
    buf = buf_on(k.inventory, k.mmap, from, LEN);
    CHECK_RC(doca_buf_inventory_buf_dup(inventory, buf, &dup), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_buf_inventory_buf_dup(inventory, buf, &dup));
    CHECK_OK(doca_buf_inventory_stop(inventory));
    CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, k.mmap, from, 1, &buf),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_inventory_destroy(inventory), DOCA_ERROR_IN_USE);
    release(dup);
    release(buf);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    kit_close(&k);
}

static void inventory_has_a_name_and_read_only_properties(void)
{
    static const char long_name[] =
        "a name of more than sixty-four bytes, which is more than an inventory keeps of it";
    struct doca_buf_inventory *inventory;
    uint32_t number = 9;
    char name[128];

    CHECK_OK(doca_buf_inventory_create("my_inventory", 2, DOCA_BUF_EXTENSION_LINKED_LIST,
                                       &inventory));
    CHECK_OK(doca_buf_inventory_property_get(inventory, DOCA_BUF_INVENTORY_NAME, name,
                                             sizeof(name)));
    CHECK_STR(name, "my_inventory");
    CHECK_RC(doca_buf_inventory_property_get(inventory, DOCA_BUF_INVENTORY_NAME, name, 12),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_inventory_property_get(inventory, DOCA_BUF_INVENTORY_NUM_ELEMENTS, &number,
                                             sizeof(number)));
    CHECK_EQ(number, 2);
    CHECK_OK(doca_buf_inventory_property_get(inventory, DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS,
                                             &number, sizeof(number)));
    CHECK_EQ(number, 2);
    CHECK_OK(doca_buf_inventory_property_get(inventory, DOCA_BUF_INVENTORY_EXTENSIONS, &number,
                                             sizeof(number)));
    CHECK_EQ(number, DOCA_BUF_EXTENSION_LINKED_LIST);
    CHECK_RC(doca_buf_inventory_property_set(inventory, DOCA_BUF_INVENTORY_NUM_ELEMENTS, &number,
                                             sizeof(number)),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_buf_inventory_property_get(inventory, (enum doca_buf_inventory_property)9,
                                             &number, sizeof(number)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_inventory_destroy(inventory));

    CHECK_OK(doca_buf_inventory_create(long_name, 1, 0, &inventory));
    CHECK_OK(doca_buf_inventory_property_get(inventory, DOCA_BUF_INVENTORY_NAME, name,
                                             sizeof(name)));
    CHECK_EQ(strlen(name), DOCA_CORE_LEGACY_NAME_BYTES - 1);
    CHECK_MEM(name, long_name, strlen(name));
    CHECK_OK(doca_buf_inventory_destroy(inventory));

    CHECK_OK(doca_buf_inventory_create(NULL, 1, 0, &inventory));
    CHECK_OK(doca_buf_inventory_property_get(inventory, DOCA_BUF_INVENTORY_NAME, name, 1));
    CHECK_STR(name, "");
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_RC(doca_buf_inventory_create("none", 0, 0, &inventory), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_create("bits", 1, 8, &inventory), DOCA_ERROR_INVALID_VALUE);
}

static void refcount_rm_returns_the_old_count_and_frees_at_0(void)
{
    struct doca_buf *buf;
    uint16_t count = 7;
    uint32_t free_now;
    struct kit k;
    void *head;
    size_t len;

    kit_open(&k);
    buf = buf_on(k.inventory, k.mmap, from + 5, 9);
    CHECK_OK(doca_buf_head_get(buf, &head));
    CHECK_OK(doca_buf_len_get(buf, &len));
    CHECK_PTR(head, from + 5);
    CHECK_EQ(len, 9);
    CHECK_OK(doca_buf_refcount_get(buf, &count));
    CHECK_EQ(count, 1);
    CHECK_RC(doca_buf_refcount_add(buf, &count), DOCA_ERROR_NOT_SUPPORTED);
    count = 7;
    CHECK_OK(doca_buf_refcount_rm(buf, &count));
    CHECK_EQ(count, 1);
    CHECK_OK(doca_buf_inventory_property_get(k.inventory, DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS,
                                             &free_now, sizeof(free_now)));
    CHECK_EQ(free_now, 256);
    CHECK_EQ(mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS), 0);
    CHECK_RC(doca_buf_refcount_rm(buf, &count), DOCA_ERROR_BAD_STATE);
    kit_close(&k);
}

/* ---- devices ---- */

static void properties_of_a_device(void)
{
    struct doca_devinfo **list, *info = NULL;
    struct doca_pci_bdf bdf;
    char vuid[128], name[256];
    uint8_t addr[16];
    struct doca_dev *dev, *same;
    uint32_t num, i;

    CHECK_OK(doca_devinfo_list_create(&list, &num));
    for (i = 0; i < num; i++) {
        CHECK_OK(doca_devinfo_property_get(list[i], DOCA_DEVINFO_PROPERTY_PCI_ADDR, &bdf,
                                           sizeof(bdf)));
        if (bdf.bus == 0x0b && bdf.device == 0 && bdf.function == 3)
            info = list[i];
    }
    CHECK(info != NULL);
    CHECK_OK(doca_devinfo_property_get(info, DOCA_DEVINFO_PROPERTY_IBDEV_NAME, name, 64));
    CHECK_STR(name, "mlx5_3");
    CHECK_OK(doca_devinfo_property_get(info, DOCA_DEVINFO_PROPERTY_IFACE_NAME, name, 256));
    CHECK_STR(name, "pf0vf1");
    CHECK_OK(doca_devinfo_property_get(info, DOCA_DEVINFO_PROPERTY_VUID, vuid, sizeof(vuid)));
    CHECK(vuid[0] != '\0');
    CHECK_RC(doca_devinfo_property_get(info, DOCA_DEVINFO_PROPERTY_VUID, vuid, 127),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_property_get(info, DOCA_DEVINFO_PROPERTY_PCI_ADDR, &bdf, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_property_get(info, DOCA_DEVINFO_PROPERTY_IPV4_ADDR, addr, 3),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_property_get(info, DOCA_DEVINFO_PROPERTY_IPV6_ADDR, addr, 15),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_property_get(info, (enum doca_devinfo_property)6, name, 256),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_property_get(NULL, DOCA_DEVINFO_PROPERTY_VUID, vuid, sizeof(vuid)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_property_get(info, DOCA_DEVINFO_PROPERTY_VUID, NULL, 128),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_open(info, &dev));
    CHECK_OK(doca_dev_open(info, &same));
    CHECK_PTR(same, dev);
    CHECK_OK(doca_devinfo_list_destroy(list));
    CHECK_OK(doca_core_legacy_dev_as_devinfo(dev, &info));
    CHECK_PTR(info, doca_dev_as_devinfo(dev));
    CHECK_RC(doca_core_legacy_dev_as_devinfo(dev, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(dev));
    CHECK_STR(doca_get_error_string(DOCA_ERROR_IO_FAILED),
              doca_error_get_descr(DOCA_ERROR_IO_FAILED));
}

static void remote_devices_are_representors(void)
{
    struct doca_dev *dev = rig_open_dev("0000:03:00.0");
    struct doca_devinfo_remote **list, *info;
    struct doca_dev_remote *remote;
    struct doca_pci_bdf bdf;
    char vuid[128], again[128], want[DOCA_DEVINFO_PCI_ADDR_SIZE], text[16];
    uint8_t answer = 9;
    uint32_t num = 0;

    CHECK_OK(doca_devinfo_remote_list_create(dev, DOCA_DEV_REMOTE_FILTER_NET, &list, &num));
    CHECK(num > 0);
    CHECK_OK(doca_devinfo_remote_property_get(list[0], DOCA_DEVINFO_REMOTE_PROPERTY_VUID, vuid,
                                              sizeof(vuid)));
    CHECK_RC(doca_devinfo_remote_property_get(list[0], (enum doca_devinfo_remote_property)1, vuid,
                                              sizeof(vuid)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_remote_open(list[0], &remote));
    CHECK_OK(doca_devinfo_remote_list_destroy(list));
    CHECK_OK(doca_dev_remote_as_devinfo(remote, &info));
    CHECK_OK(doca_devinfo_remote_property_get(info, DOCA_DEVINFO_REMOTE_PROPERTY_VUID, again,
                                              sizeof(again)));
    CHECK_STR(again, vuid);
    CHECK_RC(doca_dev_remote_as_devinfo(NULL, &info), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_devinfo_rep_get_pci_addr(info, &bdf)); /* and of 1.5 */
    CHECK_OK(doca_devinfo_rep_get_pci_addr_str(info, want));
    snprintf(text, sizeof(text), "0000:%02x:%02x.%x", bdf.bus, bdf.device, bdf.function);
    CHECK_STR(text, want);
    CHECK_OK(doca_devinfo_rep_get_is_list_net_supported(doca_dev_as_devinfo(dev), &answer));
    CHECK_EQ(answer, 1);
    CHECK_OK(doca_dev_remote_close(remote));
    CHECK_OK(doca_dev_close(dev));
    dev = rig_open_dev("0000:0b:00.0");
    CHECK_OK(doca_devinfo_rep_get_is_list_all_supported(doca_dev_as_devinfo(dev), &answer));
    CHECK_EQ(answer, 0);
    CHECK_RC(doca_devinfo_remote_list_create(dev, DOCA_DEV_REMOTE_FILTER_NET, &list, &num),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_dev_close(dev));
}

/* ---- wrong handles ---- */

static void wrong_handles_are_refused(void)
{
    struct doca_mmap *mmap = make_mmap(1, 1);
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_workq *workq;
    struct doca_dma *dma;
    struct doca_buf *buf;
    void *desc;
    size_t len;

    CHECK_RC(doca_mmap_create("x", NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_start(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_stop(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_dev_add(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_dev_rm(NULL, dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_property_get(mmap, DOCA_MMAP_NAME, NULL, 9), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_property_set(NULL, DOCA_MMAP_NAME, "", 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_export(NULL, dev, &desc, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_create_from_export("x", NULL, 1, dev, &mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_create_from_export("x", "desc", 4, dev, &mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_create_from_export("x", "desc", 4, NULL, &mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_by_addr(NULL, mmap, from, 1, &buf), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_inventory_buf_dup(NULL, NULL, &buf), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_create("x", 1, 0, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dma_destroy(NULL)); /* the reference documents no error except IN_USE */
    CHECK_PTR(doca_dma_as_ctx(NULL), NULL);
    CHECK_RC(doca_ctx_start(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_ctx_stop(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_ctx_dev_add(NULL, dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_ctx_workq_add(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_workq_create(1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_workq_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_workq_progress_retrieve(NULL, &(struct doca_event){ 0 }, 0),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_devinfo_caps_get(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dma_create(&dma));
    CHECK_OK(doca_workq_create(1, &workq));
    if (DOCA_CORE_CHECK >= 1) { /* objects of another type */
        CHECK_RC(doca_mmap_start((struct doca_mmap *)(void *)dma), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_ctx_workq_add((struct doca_ctx *)(void *)mmap, workq),
                 DOCA_ERROR_INVALID_VALUE);
    }
    CHECK_OK(doca_workq_destroy(workq));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_mmap_destroy(mmap));
    if (DOCA_CORE_CHECK >= 1) { /* handles of destroyed objects */
        CHECK_RC(doca_mmap_destroy(mmap), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_dma_destroy(dma), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_workq_destroy(workq), DOCA_ERROR_INVALID_VALUE);
    }
    CHECK_OK(doca_dev_close(dev));
}

/* The table in tools/compat/README.md documents these results. */
static void destroy_of_null_follows_the_reference(void)
{
    test_log_lines = 0;
    CHECK_OK(doca_dma_destroy(NULL));
    CHECK_OK(doca_dev_close(NULL));
    CHECK_EQ(test_log_lines, 0);
    CHECK_RC(doca_devinfo_list_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_list_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_remote_list_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dev_remote_close(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_refcount_rm(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_instance_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_workq_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_lines, 10);
}

static const struct test_case cases[] = {
    CASE(stopped_inventory_gives_no_buffer, "304"),
    CASE(inventory_has_a_name_and_read_only_properties, ""),
    CASE(refcount_rm_returns_the_old_count_and_frees_at_0, "315"),
    CASE(properties_of_a_device, ""),
    CASE(remote_devices_are_representors, ""),
    CASE(wrong_handles_are_refused, ""),
    CASE(destroy_of_null_follows_the_reference, ""),
};

TEST_MAIN(cases)
