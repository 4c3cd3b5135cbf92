/* Programs of DOCA 1.3 that use doca_core_legacy.h. The test harness uses today's API: its headers
 * must be included before DOCA_CORE_LEGACY is defined. */
#include "held_backend.h"
#include "legacy_others.h"

#define DOCA_CORE_LEGACY 10300
#include "doca_core_legacy.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

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

/* ---- set-up of most cases: an mmap with two ranges, a started context, a queue ---- */

#define LEN 4096u
#define PAGE 4096u

static unsigned char from[16 * LEN], to[16 * LEN];

struct kit {
    struct doca_dev *dev;
    struct doca_mmap *mmap;
    struct doca_buf_inventory *inventory;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    struct doca_workq *workq;
};

static struct doca_mmap *make_mmap(uint32_t max_chunks, uint32_t max_devs)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create("a map", &mmap));
    CHECK_OK(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &max_chunks,
                                    sizeof(max_chunks)));
    CHECK_OK(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_DEVICES, &max_devs, sizeof(max_devs)));
    return mmap;
}

static struct doca_ctx *make_ctx(struct doca_dev *dev, struct doca_dma **dma)
{
    struct doca_ctx *ctx;

    CHECK_OK(doca_dma_create(dma));
    ctx = doca_dma_as_ctx(*dma);
    CHECK_OK(doca_ctx_dev_add(ctx, dev));
    CHECK_OK(doca_ctx_start(ctx));
    return ctx;
}

static void end_ctx(struct doca_ctx *ctx, struct doca_dev *dev, struct doca_dma *dma)
{
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_OK(doca_ctx_dev_rm(ctx, dev));
    CHECK_OK(doca_dma_destroy(dma));
}

static void kit_open_on(struct kit *k, const char *pci_addr, uint32_t depth)
{
    size_t i;

    for (i = 0; i < sizeof(from); i++)
        from[i] = (unsigned char)(i * 7 + i / LEN + 1);
    memset(to, 0xee, sizeof(to));
    k->dev = rig_open_dev(pci_addr);
    k->mmap = make_mmap(2, 1);
    CHECK_OK(doca_mmap_start(k->mmap));
    CHECK_OK(doca_mmap_dev_add(k->mmap, k->dev));
    CHECK_OK(doca_mmap_populate(k->mmap, from, sizeof(from), PAGE, NULL, NULL));
    CHECK_OK(doca_mmap_populate(k->mmap, to, sizeof(to), PAGE, NULL, NULL));
    CHECK_OK(doca_buf_inventory_create("bufs", 256, DOCA_BUF_EXTENSION_NONE, &k->inventory));
    CHECK_OK(doca_buf_inventory_start(k->inventory));
    k->ctx = make_ctx(k->dev, &k->dma);
    CHECK_OK(doca_workq_create(depth, &k->workq));
    CHECK_OK(doca_ctx_workq_add(k->ctx, k->workq));
}

static void kit_open(struct kit *k)
{
    kit_open_on(k, NULL, 8);
}

/* Destroy the objects in the order of the vendor's sample. */
static void kit_close(struct kit *k)
{
    CHECK_OK(doca_ctx_workq_rm(k->ctx, k->workq));
    CHECK_OK(doca_ctx_stop(k->ctx));
    CHECK_OK(doca_ctx_dev_rm(k->ctx, k->dev));
    CHECK_OK(doca_mmap_dev_rm(k->mmap, k->dev));
    CHECK_OK(doca_workq_destroy(k->workq));
    CHECK_OK(doca_dma_destroy(k->dma));
    CHECK_OK(doca_buf_inventory_destroy(k->inventory));
    CHECK_OK(doca_mmap_destroy(k->mmap));
    CHECK_OK(doca_dev_close(k->dev));
}

static struct doca_buf *buf_on(struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
                               void *addr, size_t len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_by_addr(inventory, mmap, addr, len, &buf));
    return buf;
}

static void release(struct doca_buf *buf)
{
    CHECK_OK(doca_buf_refcount_rm(buf, NULL));
}

static struct doca_dma_job_memcpy job_of(struct doca_ctx *ctx, struct doca_buf *src,
                                         struct doca_buf *dst, uint64_t bytes, uint64_t user_data)
{
    struct doca_dma_job_memcpy job = {
        .base = { .type = DOCA_DMA_JOB_MEMCPY, .flags = DOCA_JOB_FLAGS_NONE, .ctx = ctx,
                  .user_data = { .u64 = user_data } },
        .dst_buff = dst,
        .src_buff = src,
        .num_bytes_to_copy = bytes,
    };

    return job;
}

/* Submit a copy of block `i` of from to block `i` of to. The job keeps its buffers until its event
 * is retrieved. */
static doca_error_t copy_block(struct kit *k, struct doca_ctx *ctx, unsigned i)
{
    struct doca_buf *src = buf_on(k->inventory, k->mmap, from + i * LEN, LEN);
    struct doca_buf *dst = buf_on(k->inventory, k->mmap, to + i * LEN, LEN);
    struct doca_dma_job_memcpy job = job_of(ctx, src, dst, LEN, i);
    doca_error_t rc = doca_workq_submit(k->workq, &job.base);

    memset(&job, 0xdd, sizeof(job)); /* doca_workq_submit() must have copied the job */
    release(src);
    release(dst);
    return rc;
}

/* Retrieve until the result is not AGAIN. */
static doca_error_t retrieve(struct doca_workq *workq, struct doca_event *ev)
{
    doca_error_t rc;
    unsigned calls;

    for (calls = 0; calls < RIG_PATIENCE; calls++) {
        rc = doca_workq_progress_retrieve(workq, ev, DOCA_WORKQ_RETRIEVE_FLAGS_NONE);
        if (rc != DOCA_ERROR_AGAIN)
            return rc;
    }
    test_fail(__FILE__, __LINE__, "no event was retrieved");
}

static doca_error_t retrieve_result(struct doca_workq *workq)
{
    struct doca_event ev;

    return retrieve(workq, &ev);
}

static uint32_t mmap_number(struct doca_mmap *mmap, enum doca_mmap_property property)
{
    uint32_t number;

    CHECK_OK(doca_mmap_property_get(mmap, property, &number, sizeof(number)));
    return number;
}

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

static void todays_calls_refuse_inventories_of_1x(void)
{
    union doca_data data = { .u64 = 77 }, got = { .u64 = 0 };
    struct doca_buf_inventory *inventory;
    doca_error_t answers[3];
    struct doca_buf *buf;
    struct kit k;
    char name[16];
    unsigned i;

    kit_open(&k);
    CHECK_OK(doca_buf_inventory_create("mine", 1, 0, &inventory));
    legacy_inventory_as_today(inventory, answers);
    for (i = 0; i < 3; i++)
        CHECK_RC(answers[i], DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_inventory_set_user_data(inventory, data));
    CHECK_OK(doca_buf_inventory_property_get(inventory, DOCA_BUF_INVENTORY_NAME, name,
                                             sizeof(name)));
    CHECK_STR(name, "mine");
    CHECK_OK(doca_buf_inventory_start(inventory));
    buf = buf_on(inventory, k.mmap, from, LEN);
    CHECK_RC(doca_buf_inventory_destroy(inventory), DOCA_ERROR_IN_USE); /* changes nothing */
    CHECK_OK(doca_buf_inventory_get_user_data(inventory, &got));
    CHECK_EQ(got.u64, 77);
    release(buf);
    legacy_inventory_as_today(inventory, answers);
    CHECK_RC(answers[2], DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_RC(doca_buf_inventory_set_user_data(NULL, data), DOCA_ERROR_INVALID_VALUE);
    kit_close(&k);
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

/* ---- mmaps ---- */

static void mmap_accepts_nothing_before_start(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *mmap = make_mmap(1, 1);
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf;
    void *desc;
    size_t len;

    CHECK_OK(doca_buf_inventory_create("bufs", 1, 0, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_RC(doca_mmap_dev_add(mmap, dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_dev_rm(mmap, dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_export(mmap, dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from, 1, &buf), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_start(mmap)); /* a second start does nothing */
    CHECK_OK(doca_mmap_dev_add(mmap, dev));
    CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
    CHECK_OK(doca_buf_inventory_buf_by_addr(inventory, mmap, from, 1, &buf));
    release(buf);
    CHECK_OK(doca_mmap_dev_rm(mmap, dev));
    CHECK_OK(doca_dev_close(dev)); /* neither the mmap nor the inventory uses the device */
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
}

static void properties_are_fixed_by_the_first_start(void)
{
    struct doca_mmap *mmap;
    uint32_t number = 3;
    uint8_t flag = 9;
    char name[16];

    CHECK_OK(doca_mmap_create("my_mmap", &mmap));
    CHECK_EQ(mmap_number(mmap, DOCA_MMAP_MAX_NUM_CHUNKS), 1);
    CHECK_EQ(mmap_number(mmap, DOCA_MMAP_MAX_NUM_DEVICES), 1);
    CHECK_OK(doca_mmap_property_get(mmap, DOCA_MMAP_NAME, name, sizeof(name)));
    CHECK_STR(name, "my_mmap");
    CHECK_OK(doca_mmap_property_get(mmap, DOCA_MMAP_EXPORTED, &flag, sizeof(flag)));
    CHECK_EQ(flag, 0);
    CHECK_OK(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &number, sizeof(number)));
    CHECK_EQ(mmap_number(mmap, DOCA_MMAP_MAX_NUM_CHUNKS), 3);
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_NUM_BUFS, &number, sizeof(number)),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &number, 2),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &(uint64_t){ 3 }, 8),
             DOCA_ERROR_INVALID_VALUE);
    number = 0;
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_DEVICES, &number, sizeof(number)),
             DOCA_ERROR_INVALID_VALUE);
    number = 16;
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_ACCESS_FLAGS, &number, sizeof(number)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_property_set(mmap, (enum doca_mmap_property)77, &number, sizeof(number)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_property_get(mmap, (enum doca_mmap_property)77, &number, sizeof(number)),
             DOCA_ERROR_INVALID_VALUE);
    number = DOCA_MMAP_ACCESS_LOCAL_WRITE;
    CHECK_OK(doca_mmap_property_set(mmap, DOCA_MMAP_ACCESS_FLAGS, &number, sizeof(number)));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &number, sizeof(number)),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_ACCESS_FLAGS, &number, sizeof(number)),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(mmap_number(mmap, DOCA_MMAP_ACCESS_FLAGS), DOCA_MMAP_ACCESS_LOCAL_WRITE);
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* The device can be added before the ranges, after them, and after a buffer was created. */
static void ranges_and_devices_are_added_in_any_order(void)
{
    unsigned order;

    for (order = 0; order < 3; order++) {
        struct doca_mmap *mmap;
        struct doca_buf *src = NULL, *dst;
        struct doca_dma_job_memcpy job;
        struct kit k;

        kit_open(&k);
        mmap = make_mmap(2, 1);
        CHECK_OK(doca_mmap_start(mmap));
        if (order == 0)
            CHECK_OK(doca_mmap_dev_add(mmap, k.dev));
        CHECK_OK(doca_mmap_populate(mmap, to, LEN, PAGE, NULL, NULL));
        CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
        if (order == 1)
            CHECK_OK(doca_mmap_dev_add(mmap, k.dev));
        src = buf_on(k.inventory, mmap, from, LEN);
        dst = buf_on(k.inventory, mmap, to, LEN);
        if (order == 2)
            CHECK_OK(doca_mmap_dev_add(mmap, k.dev));
        job = job_of(k.ctx, src, dst, LEN, 0);
        CHECK_OK(doca_workq_submit(k.workq, &job.base));
        CHECK_OK(retrieve_result(k.workq));
        CHECK_MEM(to, from, LEN);

        CHECK_OK(doca_mmap_dev_rm(mmap, k.dev)); /* the device loses its access */
        CHECK_OK(doca_workq_submit(k.workq, &job.base));
        CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
        CHECK_OK(doca_mmap_dev_add(mmap, k.dev));
        CHECK_OK(doca_workq_submit(k.workq, &job.base));
        CHECK_OK(retrieve_result(k.workq));
        release(src);
        release(dst);
        CHECK_OK(doca_mmap_destroy(mmap));
        kit_close(&k);
    }
}

static void page_size_is_a_power_of_two_from_4096_on(void)
{
    static const size_t bad[] = { 0, 1, 2048, 4095, 4097, 12288 };
    struct doca_mmap *mmap = make_mmap(3, 1);
    size_t i;

    CHECK_OK(doca_mmap_start(mmap));
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK_RC(doca_mmap_populate(mmap, from, LEN, bad[i], NULL, NULL),
                 DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_populate(mmap, from + 1, LEN - 1, 4096, NULL, NULL)); /* not aligned */
    CHECK_OK(doca_mmap_populate(mmap, to, LEN, (size_t)1 << 30, NULL, NULL));
    CHECK_RC(doca_mmap_populate(mmap, to + LEN, 0, PAGE, NULL, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_populate(mmap, NULL, LEN, PAGE, NULL, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_populate(mmap, to + LEN, SIZE_MAX, PAGE, NULL, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void ranges_and_devices_have_limits(void)
{
    struct doca_dev *dev = rig_open_dev("0000:03:00.0"), *other = rig_open_dev("0000:03:00.1");
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(NULL, &mmap));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
    CHECK_RC(doca_mmap_populate(mmap, to, LEN, PAGE, NULL, NULL), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_mmap_dev_add(mmap, dev));
    CHECK_RC(doca_mmap_dev_add(mmap, dev), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_mmap_dev_add(mmap, other), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_mmap_dev_rm(mmap, other), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_destroy(mmap));

    mmap = make_mmap(4, DOCA_CORE_MMAP_DEVS + 4); /* more devices than DOCA_CORE_MMAP_DEVS */
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_populate(mmap, from + 4 * LEN, LEN, PAGE, NULL, NULL));
    CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
    CHECK_OK(doca_mmap_populate(mmap, from + LEN, LEN, PAGE, NULL, NULL)); /* adjacent */
    CHECK_RC(doca_mmap_populate(mmap, from, 1, PAGE, NULL, NULL), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_populate(mmap, from + 3 * LEN, LEN + 1, PAGE, NULL, NULL),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_populate(mmap, from + 2 * LEN - 1, 2, PAGE, NULL, NULL),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_populate(mmap, from, sizeof(from), PAGE, NULL, NULL),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_dev_add(mmap, dev));
    CHECK_OK(doca_mmap_dev_add(mmap, other));
    CHECK_RC(doca_dev_close(other), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(other));
    CHECK_OK(doca_dev_close(dev));
}

static struct {
    unsigned num;
    void *addr[4];
    size_t len[4];
    void *opaque[4];
} freed;

static void record_free(void *addr, size_t len, void *opaque)
{
    freed.addr[freed.num] = addr;
    freed.len[freed.num] = len;
    freed.opaque[freed.num++] = opaque;
}

static void free_callback_runs_for_each_range_at_destroy(void)
{
    struct doca_buf_inventory *inventory;
    struct doca_mmap *mmap = make_mmap(3, 1);
    struct doca_buf *buf;

    memset(&freed, 0, sizeof(freed));
    CHECK_OK(doca_buf_inventory_create("bufs", 1, 0, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_populate(mmap, from + LEN, LEN, PAGE, record_free, &freed));
    CHECK_OK(doca_mmap_populate(mmap, from + 3 * LEN, LEN, PAGE, NULL, NULL));
    CHECK_OK(doca_mmap_populate(mmap, from, 10, PAGE, record_free, inventory));
    CHECK_RC(doca_mmap_populate(mmap, to, LEN, PAGE, record_free, NULL), DOCA_ERROR_NO_MEMORY);
    buf = buf_on(inventory, mmap, from + 3 * LEN, LEN);
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_RC(doca_mmap_destroy(mmap), DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(freed.num, 0);
    release(buf);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_EQ(freed.num, 2);
    CHECK_PTR(freed.addr[0], from);
    CHECK_EQ(freed.len[0], 10);
    CHECK_PTR(freed.opaque[0], inventory);
    CHECK_PTR(freed.addr[1], from + LEN);
    CHECK_EQ(freed.len[1], LEN);
    CHECK_PTR(freed.opaque[1], &freed);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
}

/* Export the mmap. Only this call may use the heap: it allocates the descriptor with malloc(). */
static doca_error_t export_once(struct doca_mmap *mmap, struct doca_dev *dev, void **desc,
                                size_t *len)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_COUNT);
    unsigned long calls = heap_trap_calls();
    doca_error_t rc = doca_mmap_export(mmap, dev, desc, len);

    calls = heap_trap_calls() - calls;
    heap_trap_set(mode);
    if (heap_trap_works())
        CHECK_EQ(calls, rc == DOCA_SUCCESS ? 1 : 2); /* malloc(), and free() after a failure */
    return rc;
}

static void free_descriptor(void *desc)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);

    free(desc);
    heap_trap_set(mode);
}

static void mmap_with_one_range_is_exported_once(void)
{
    struct doca_dev *dev = rig_open_dev("0000:03:00.0"), *other = rig_open_dev("0000:03:00.1");
    struct doca_mmap *mmap = make_mmap(2, 2);
    size_t len = 0, same;
    uint32_t number = 5;
    uint8_t flag = 0;
    void *desc = NULL, *again;

    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_dev_add(mmap, dev));
    CHECK_RC(doca_mmap_export(mmap, dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED); /* no range */
    CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
    CHECK_RC(doca_mmap_export(mmap, other, &desc, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_export(mmap, NULL, &desc, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_export(mmap, dev, NULL, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_export(mmap, dev, &desc, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(export_once(mmap, dev, &desc, &len));
    CHECK(desc != NULL && len > 0);
    CHECK_OK(doca_mmap_property_get(mmap, DOCA_MMAP_EXPORTED, &flag, sizeof(flag)));
    CHECK_EQ(flag, 1);
    CHECK_RC(doca_mmap_export(mmap, dev, &again, &same), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_dev_add(mmap, other), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_dev_rm(mmap, dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_populate(mmap, to, LEN, PAGE, NULL, NULL), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &number, sizeof(number)),
             DOCA_ERROR_NOT_PERMITTED);
    free_descriptor(desc);
    CHECK_OK(doca_mmap_destroy(mmap));

    mmap = make_mmap(2, 1);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_dev_add(mmap, dev));
    CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
    CHECK_OK(doca_mmap_populate(mmap, to, LEN, PAGE, NULL, NULL));
    CHECK_RC(doca_mmap_export(mmap, dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED); /* two ranges */
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(other));
}

static void permissions_determine_export_and_import(void)
{
    static const struct {
        uint32_t flags;
        doca_error_t export_rc;
        uint32_t import_flags;
    } rows[] = {
        { DOCA_MMAP_ACCESS_LOCAL_WRITE, DOCA_ERROR_NOT_PERMITTED, 0 },
        { DOCA_MMAP_ACCESS_REMOTE_READ, DOCA_SUCCESS, DOCA_MMAP_ACCESS_LOCAL_READ },
        { DOCA_MMAP_ACCESS_REMOTE_WRITE, DOCA_SUCCESS, DOCA_MMAP_ACCESS_LOCAL_WRITE },
        { DOCA_MMAP_ACCESS_REMOTE_READ | DOCA_MMAP_ACCESS_REMOTE_WRITE, DOCA_SUCCESS,
          DOCA_MMAP_ACCESS_LOCAL_WRITE },
    };
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *mmap, *import;
    void *desc;
    size_t i, len;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        mmap = make_mmap(1, 1);
        CHECK_OK(doca_mmap_property_set(mmap, DOCA_MMAP_ACCESS_FLAGS, &rows[i].flags, 4));
        CHECK_OK(doca_mmap_start(mmap));
        CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
        CHECK_OK(doca_mmap_dev_add(mmap, dev));
        CHECK_RC(export_once(mmap, dev, &desc, &len), rows[i].export_rc);
        if (rows[i].export_rc == DOCA_SUCCESS) {
            CHECK_OK(doca_mmap_create_from_export("import", desc, len, dev, &import));
            CHECK_EQ(mmap_number(import, DOCA_MMAP_ACCESS_FLAGS), rows[i].import_flags);
            CHECK_OK(doca_mmap_destroy(import));
            free_descriptor(desc);
        }
        CHECK_OK(doca_mmap_destroy(mmap));
    }
    CHECK_OK(doca_dev_close(dev));
}

/* The program may free() the descriptor before it uses the import. A copy of the descriptor becomes
 * invalid when the exported mmap is destroyed. */
static void caller_frees_the_export_descriptor(void)
{
    struct doca_mmap *mmap = make_mmap(1, 1), *import;
    unsigned char kept[1024];
    struct doca_buf *src, *dst;
    struct doca_dma_job_memcpy job;
    struct kit k;
    uint8_t flag = 0;
    void *desc;
    size_t len;

    kit_open(&k);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_dev_add(mmap, k.dev));
    CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL)); /* default permissions */
    CHECK_OK(export_once(mmap, k.dev, &desc, &len));
    CHECK(len <= sizeof(kept));
    memcpy(kept, desc, len);
    CHECK_OK(doca_mmap_create_from_export("theirs", desc, len, k.dev, &import));
    free_descriptor(desc);
    /* an import is started by its creation; some programs start it again */
    CHECK_OK(doca_mmap_start(import));
    CHECK_EQ(mmap_number(import, DOCA_MMAP_MAX_NUM_CHUNKS), 1);
    CHECK_OK(doca_mmap_property_get(import, DOCA_MMAP_FROM_EXPORT, &flag, sizeof(flag)));
    CHECK_EQ(flag, 1);
    CHECK_OK(doca_mmap_stop(mmap)); /* the export stays valid until destroy */
    src = buf_on(k.inventory, import, from, LEN);
    dst = buf_on(k.inventory, k.mmap, to, LEN);
    job = job_of(k.ctx, src, dst, LEN, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to, from, LEN);
    release(src);
    release(dst);
    CHECK_RC(doca_mmap_dev_add(import, k.dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_dev_rm(import, k.dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_populate(import, to, LEN, PAGE, NULL, NULL), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_export(import, k.dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_property_set(import, DOCA_MMAP_MAX_NUM_CHUNKS, &(uint32_t){ 2 }, 4),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_RC(doca_mmap_create_from_export("gone", kept, len, k.dev, &import),
             DOCA_ERROR_INVALID_VALUE);
    kit_close(&k);
}

static void stopped_mmap_does_not_change(void)
{
    struct doca_buf *buf, *dup;
    struct kit k;
    void *desc;
    size_t len;

    kit_open(&k);
    buf = buf_on(k.inventory, k.mmap, from, LEN);
    CHECK_OK(doca_mmap_stop(k.mmap));
    CHECK_RC(doca_mmap_populate(k.mmap, &k, sizeof(k), PAGE, NULL, NULL), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_dev_add(k.mmap, k.dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_dev_rm(k.mmap, k.dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_export(k.mmap, k.dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_buf_inventory_buf_by_addr(k.inventory, k.mmap, from, 1, &dup),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_inventory_buf_dup(k.inventory, buf, &dup), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS), 1);
    CHECK_OK(doca_mmap_start(k.mmap));
    CHECK_OK(doca_buf_inventory_buf_dup(k.inventory, buf, &dup));
    CHECK_EQ(mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS), 2);
    release(dup);
    release(buf);
    kit_close(&k);
}

static void buffer_lies_inside_one_range(void)
{
    struct doca_mmap *mmap = make_mmap(3, 1);
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf;
    unsigned i;

    CHECK_OK(doca_buf_inventory_create("bufs", 1, 0, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from, 1, &buf),
             DOCA_ERROR_INVALID_VALUE);
    for (i = 0; i < 3; i++) /* blocks 4, 2 and 1 */
        CHECK_OK(doca_mmap_populate(mmap, from + (4u >> i) * LEN, LEN, PAGE, NULL, NULL));
    for (i = 0; i < 6; i++) {
        bool is_in = i == 1 || i == 2 || i == 4;
        doca_error_t want = is_in ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;

        CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from + i * LEN, LEN, &buf), want);
        if (is_in)
            release(buf);
        CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from + i * LEN + LEN - 1, 1, &buf),
                 want);
        if (is_in)
            release(buf);
        CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from + i * LEN, LEN + 1, &buf),
                 DOCA_ERROR_INVALID_VALUE); /* adjacent ranges are not merged */
    }
    CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from + LEN - 1, 0, &buf),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, NULL, 1, &buf),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
}

static void many_ranges_are_found(void)
{
    enum { NUM = 500, EACH = sizeof(from) / NUM };
    struct doca_mmap *mmap = make_mmap(NUM, 1);
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf;
    unsigned i;

    CHECK_OK(doca_buf_inventory_create("bufs", 1, 0, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_mmap_start(mmap));
    for (i = 0; i < NUM; i++) /* 7 and 500 are coprime: each range once */
        CHECK_OK(doca_mmap_populate(mmap, from + i * 7 % NUM * EACH, EACH, PAGE, NULL, NULL));
    for (i = 0; i < NUM; i++) {
        buf = buf_on(inventory, mmap, from + i * EACH, EACH);
        release(buf);
        CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from + i * EACH + 1, EACH, &buf),
                 DOCA_ERROR_INVALID_VALUE);
    }
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
}

/* ---- contexts and work queues ---- */

static void devices_come_before_start_and_queues_after(void)
{
    struct doca_dev *dev = rig_open_dev("0000:03:00.0"), *other = rig_open_dev("0000:03:00.1");
    struct doca_workq *workq;
    struct doca_dma *dma;
    struct doca_ctx *ctx;

    CHECK_OK(doca_workq_create(4, &workq));
    CHECK_OK(doca_dma_create(&dma));
    ctx = doca_dma_as_ctx(dma);
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_INVALID_VALUE); /* no device */
    CHECK_RC(doca_ctx_dev_rm(ctx, dev), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_ctx_dev_add(ctx, dev));
    CHECK_RC(doca_ctx_dev_add(ctx, dev), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_ctx_dev_add(ctx, other), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_ctx_dev_rm(ctx, other), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_ctx_workq_add(ctx, workq), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_ctx_workq_rm(ctx, workq), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_ctx_start(ctx)); /* without a queue */
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_ctx_dev_add(ctx, other), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_ctx_dev_rm(ctx, dev), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_ctx_workq_rm(ctx, workq), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_ctx_workq_add(ctx, workq));
    CHECK_RC(doca_ctx_workq_add(ctx, workq), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_ctx_workq_rm(ctx, workq));
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_ctx_dev_rm(ctx, dev));
    CHECK_OK(doca_ctx_dev_add(ctx, other)); /* another device after the first */
    CHECK_OK(doca_ctx_start(ctx));
    end_ctx(ctx, other, dma);
    CHECK_OK(doca_workq_destroy(workq));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(other));
}

static void device_without_an_engine_is_refused(void)
{
    struct doca_dev *dev;
    struct doca_dma *dma;
    uint32_t caps = 9;

    held_begin();
    dev = rig_open_dev(HELD_NO_DMA);
    CHECK_OK(doca_dma_devinfo_caps_get(doca_dev_as_devinfo(dev), &caps));
    CHECK_EQ(caps, DOCA_DMA_CAP_NONE);
    CHECK_RC(doca_dma_job_get_supported(doca_dev_as_devinfo(dev), DOCA_DMA_JOB_MEMCPY),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_dma_create(&dma));
    CHECK_RC(doca_ctx_dev_add(doca_dma_as_ctx(dma), dev), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_dev_close(dev));
    dev = rig_open_dev(HELD_DMA);
    CHECK_OK(doca_dma_devinfo_caps_get(doca_dev_as_devinfo(dev), &caps));
    CHECK_EQ(caps, DOCA_DMA_CAP_HW_OFFLOAD);
    CHECK_OK(doca_dev_close(dev));
    held_end();
}

static void stop_waits_for_queues_and_destroy_for_devices(void)
{
    struct kit k;

    kit_open(&k);
    CHECK_RC(doca_ctx_stop(k.ctx), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_dma_destroy(k.dma), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_ctx_workq_rm(k.ctx, k.workq));
    CHECK_RC(doca_dma_destroy(k.dma), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_ctx_stop(k.ctx));
    CHECK_RC(doca_dma_destroy(k.dma), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_ctx_start(k.ctx));
    CHECK_OK(doca_ctx_workq_add(k.ctx, k.workq));
    CHECK_OK(copy_block(&k, k.ctx, 0)); /* the context works as before */
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to, from, LEN);
    kit_close(&k);
}

static void queue_with_jobs_cannot_be_detached(void)
{
    struct kit k;

    kit_open(&k);
    CHECK_OK(copy_block(&k, k.ctx, 0));
    CHECK_RC(doca_ctx_workq_rm(k.ctx, k.workq), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(retrieve_result(k.workq));
    CHECK_OK(doca_ctx_workq_rm(k.ctx, k.workq));
    CHECK_OK(doca_ctx_workq_add(k.ctx, k.workq));
    kit_close(&k);
}

static void one_queue_serves_several_contexts(void)
{
    struct doca_dev *other_dev = rig_open_dev("0000:03:00.1");
    struct doca_ctx *ctxs[3];
    struct doca_dma *dmas[3];
    struct doca_event ev;
    unsigned i, seen = 0;
    struct kit k;

    kit_open_on(&k, "0000:03:00.0", 16);
    CHECK_OK(doca_mmap_dev_rm(k.mmap, k.dev));
    CHECK_OK(doca_mmap_dev_add(k.mmap, other_dev)); /* max_num_devices is 1 */
    for (i = 0; i < 3; i++) {
        ctxs[i] = make_ctx(other_dev, &dmas[i]);
        CHECK_OK(doca_ctx_workq_add(ctxs[i], k.workq));
    }
    for (i = 0; i < 12; i++)
        CHECK_OK(copy_block(&k, ctxs[i % 3], i));
    for (i = 0; i < 12; i++) {
        CHECK_OK(retrieve(k.workq, &ev));
        seen |= 1u << ev.user_data.u64;
    }
    CHECK_EQ(seen, 0xfff);
    CHECK_MEM(to, from, 12 * LEN);
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_ctx_workq_rm(ctxs[i], k.workq));
        end_ctx(ctxs[i], other_dev, dmas[i]);
    }
    CHECK_OK(doca_mmap_dev_rm(k.mmap, other_dev));
    CHECK_OK(doca_mmap_dev_add(k.mmap, k.dev));
    CHECK_OK(doca_dev_close(other_dev));
    kit_close(&k);
}

static void submit_needs_an_attached_queue(void)
{
    struct doca_ctx *other;
    struct doca_dma *dma;
    struct kit k;

    kit_open(&k);
    other = make_ctx(k.dev, &dma);
    CHECK_RC(copy_block(&k, other, 0), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_ctx_stop(other));
    CHECK_RC(copy_block(&k, other, 0), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_ctx_start(other));
    end_ctx(other, k.dev, dma);
    CHECK_RC(copy_block(&k, NULL, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS), 0); /* no buffer of the mmap is in use */
    kit_close(&k);
}

static void depth_limits_jobs_until_their_events_are_retrieved(void)
{
    struct doca_workq *none;
    unsigned i;
    struct kit k;

    CHECK_RC(doca_workq_create(0, &none), DOCA_ERROR_INVALID_VALUE);
    kit_open_on(&k, NULL, 3);
    for (i = 0; i < 3; i++)
        CHECK_OK(copy_block(&k, k.ctx, i));
    CHECK_RC(copy_block(&k, k.ctx, 3), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(retrieve_result(k.workq));
    CHECK_OK(copy_block(&k, k.ctx, 3));
    CHECK_RC(copy_block(&k, k.ctx, 4), DOCA_ERROR_NO_MEMORY);
    for (i = 0; i < 3; i++)
        CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to, from, 4 * LEN);
    kit_close(&k);
}

/* If the depth exceeds the limit of the device, submit fails at that limit as at a full queue. */
static void queue_is_full_at_the_limit_of_the_device(void)
{
    unsigned num = 0;
    doca_error_t rc;
    struct kit k;

    held_begin();
    kit_open_on(&k, HELD_DMA, 100);
    held.budget = 0;
    while ((rc = copy_block(&k, k.ctx, num % 16)) == DOCA_SUCCESS && num < 100)
        num++;
    CHECK_RC(rc, DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(num, 64); /* the device's limit of tasks */
    held.budget = HELD_ALL;
    while (num-- > 0)
        CHECK_OK(retrieve_result(k.workq));
    kit_close(&k);
    held_end();
}

/* If the device's queue is full for a moment, the job does not fail: it is posted later. */
static void job_waits_for_room_in_the_queue(void)
{
    struct doca_event ev;
    struct kit k;

    held_begin();
    kit_open_on(&k, HELD_DMA, 4);
    held.full = true;
    CHECK_OK(copy_block(&k, k.ctx, 0));
    CHECK_OK(copy_block(&k, k.ctx, 1));
    CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
    CHECK_RC(doca_ctx_workq_rm(k.ctx, k.workq), DOCA_ERROR_NOT_PERMITTED);
    held.full = false;
    CHECK_OK(retrieve_result(k.workq));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to, from, 2 * LEN);
    kit_close(&k);
    held_end();
}

static void retrieve_returns_one_event_or_changes_nothing(void)
{
    struct doca_event ev, before;
    struct kit k;

    held_begin();
    kit_open_on(&k, HELD_DMA, 4);
    memset(&ev, 0x5a, sizeof(ev));
    before = ev;
    CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
    held.budget = 0;
    CHECK_OK(copy_block(&k, k.ctx, 1));
    CHECK_OK(copy_block(&k, k.ctx, 2));
    CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
    CHECK_MEM(&ev, &before, sizeof(ev));
    CHECK_RC(doca_workq_progress_retrieve(k.workq, NULL, 0), DOCA_ERROR_INVALID_VALUE);
    held.budget = HELD_ALL;
    CHECK_OK(doca_workq_progress_retrieve(k.workq, &ev, 0));
    CHECK_EQ(ev.type, DOCA_DMA_JOB_MEMCPY);
    CHECK_EQ(ev.result.u64, DOCA_SUCCESS);
    CHECK_EQ(ev.user_data.u64, 1);
    CHECK_OK(doca_workq_progress_retrieve(k.workq, &ev, 0));
    CHECK_EQ(ev.user_data.u64, 2);
    before = ev;
    CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
    CHECK_MEM(&ev, &before, sizeof(ev));
    kit_close(&k);
    held_end();
}

static void events_carry_the_user_data_in_any_order(void)
{
    struct doca_event ev;
    unsigned i;
    struct kit k;

    held_begin();
    kit_open_on(&k, HELD_DMA, 8);
    held.newest_first = true;
    for (i = 0; i < 8; i++)
        CHECK_OK(copy_block(&k, k.ctx, i));
    for (i = 0; i < 8; i++) {
        CHECK_OK(retrieve(k.workq, &ev));
        CHECK_EQ(ev.user_data.u64, 7 - i);
        /* the job of this event has written its block */
        CHECK_MEM(to + (7 - i) * LEN, from + (7 - i) * LEN, LEN);
    }
    kit_close(&k);
    held_end();
}

static void depth_is_set_only_while_detached(void)
{
    uint32_t depth = 2, room[2] = { 9, 9 };
    unsigned i;
    struct kit k;

    kit_open(&k);
    CHECK_RC(doca_workq_property_set(k.workq, DOCA_WORKQ_DEPTH, &depth, sizeof(depth)),
             DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_workq_property_get(k.workq, DOCA_WORKQ_DEPTH, &depth, sizeof(depth)));
    CHECK_EQ(depth, 8);
    CHECK_OK(doca_ctx_workq_rm(k.ctx, k.workq));
    depth = 2;
    CHECK_OK(doca_workq_property_set(k.workq, DOCA_WORKQ_DEPTH, &depth, sizeof(depth)));
    depth = 0;
    CHECK_OK(doca_workq_property_get(k.workq, DOCA_WORKQ_DEPTH, &depth, sizeof(depth)));
    CHECK_EQ(depth, 2);
    depth = 0;
    CHECK_RC(doca_workq_property_set(k.workq, DOCA_WORKQ_DEPTH, &depth, sizeof(depth)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_workq_property_set(k.workq, DOCA_WORKQ_DEPTH, &depth, 2),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_workq_property_set(k.workq, (enum doca_workq_property)1, &depth, sizeof(depth)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_workq_property_get(k.workq, DOCA_WORKQ_DEPTH, &depth, 3),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_workq_property_get(k.workq, DOCA_WORKQ_DEPTH, room, sizeof(room)));
    CHECK(room[0] == 2 && room[1] == 0); /* the rest of the value is set to zero */
    CHECK_RC(doca_workq_property_set(k.workq, DOCA_WORKQ_DEPTH, room, sizeof(room)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_workq_set_depth(k.workq, UINT32_MAX), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_workq_get_depth(k.workq, &depth));
    CHECK_EQ(depth, 2); /* unchanged */
    CHECK_OK(doca_ctx_workq_add(k.ctx, k.workq));
    for (i = 0; i < 2; i++)
        CHECK_OK(copy_block(&k, k.ctx, i));
    CHECK_RC(copy_block(&k, k.ctx, 2), DOCA_ERROR_NO_MEMORY);
    for (i = 0; i < 2; i++)
        CHECK_OK(retrieve_result(k.workq));
    kit_close(&k);
}

static void attached_queue_cannot_be_destroyed(void)
{
    struct kit k;

    kit_open(&k);
    CHECK_RC(doca_workq_destroy(k.workq), DOCA_ERROR_IN_USE);
    CHECK_OK(copy_block(&k, k.ctx, 0)); /* the queue still works */
    CHECK_OK(retrieve_result(k.workq));
    kit_close(&k);
}

/* ---- jobs ---- */

/* Checks where in the source a job starts to read, how many bytes it copies, and where in the
 * destination it writes. */
static void bytes_go_to_the_start_of_the_destination(void)
{
    struct doca_dma_job_memcpy job;
    struct doca_buf *src, *dst;
    struct kit k;

    kit_open(&k);
    src = buf_on(k.inventory, k.mmap, from + 100, 1000);
    dst = buf_on(k.inventory, k.mmap, to + 50, 500);
    job = job_of(k.ctx, src, dst, 200, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to + 50, from + 100, 200);
    CHECK(to[49] == 0xee && to[250] == 0xee);
    job.num_bytes_to_copy = 100; /* overwrites the data in the buffer */
    memset(to, 0xee, sizeof(to));
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to + 50, from + 100, 100);
    CHECK_EQ(to[150], 0xee);
    CHECK_EQ(rig_data_len(dst), 100);

    CHECK_OK(doca_buf_set_data(src, from + 300, 7)); /* a function that 1.5 adds */
    CHECK_OK(doca_buf_set_data(dst, to + 60, 33));
    job.num_bytes_to_copy = 0;
    memset(to, 0xee, sizeof(to));
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to + 60, from + 300, 7);
    CHECK(to[59] == 0xee && to[67] == 0xee);
    job.num_bytes_to_copy = 800; /* one byte more than the source has from there on */
    CHECK_OK(doca_buf_set_data(src, from + 301, 0));
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_JOB_LENGTH);
    job.num_bytes_to_copy = UINT64_MAX;
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    release(src);
    release(dst);
    kit_close(&k);
}

static void lists_are_copied_whole(void)
{
    struct doca_buf *src[2], *dst[2], *next;
    struct doca_dma_job_memcpy job;
    uint32_t num;
    bool yes = false;
    unsigned i;
    struct kit k;

    kit_open(&k);
    for (i = 0; i < 2; i++) {
        src[i] = buf_on(k.inventory, k.mmap, from + i * LEN, LEN);
        dst[i] = buf_on(k.inventory, k.mmap, to + 2 * i * LEN, LEN);
        CHECK_OK(doca_buf_set_data(src[i], from + i * LEN, 1000));
        CHECK_OK(doca_buf_set_data(dst[i], to + 2 * i * LEN, LEN)); /* its length is ignored */
    }
    CHECK_OK(doca_buf_set_data(dst[0], to + LEN - 600, 10));
    CHECK_OK(doca_buf_list_chain(src[0], src[1]));
    CHECK_OK(doca_buf_list_chain(dst[0], dst[1]));
    CHECK_OK(doca_buf_list_num_elements(src[0], &num));
    CHECK_EQ(num, 2);
    CHECK_OK(doca_buf_list_next(src[0], &next));
    CHECK_PTR(next, src[1]);
    CHECK_OK(doca_buf_list_is_last(next, &yes));
    CHECK(yes);
    CHECK_OK(doca_buf_list_is_first(next, &yes));
    CHECK(!yes);
    job = job_of(k.ctx, src[0], dst[0], 0, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to + LEN - 600, from, 600);
    CHECK_MEM(to + 2 * LEN, from + 600, 400);
    CHECK_MEM(to + 2 * LEN + 400, from + LEN, 1000);
    CHECK_EQ(rig_data_len(dst[0]), 600);
    CHECK_EQ(rig_data_len(dst[1]), 1400);
    /* the documentation does not define num_bytes_to_copy for lists */
    job.num_bytes_to_copy = 10;
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    job = job_of(k.ctx, src[1], dst[0], 0, 0);
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE); /* no list head */
    CHECK_OK(doca_buf_list_unchain(src[0], src[1]));
    release(src[1]);
    release(src[0]);
    release(dst[0]);
    kit_close(&k);
}

/* Create a list of two buffers without data, and return its head. */
static struct doca_buf *list_on(struct kit *k, unsigned char *first, size_t first_len,
                                unsigned char *second, size_t second_len)
{
    struct doca_buf *head = buf_on(k->inventory, k->mmap, first, first_len);

    CHECK_OK(doca_buf_list_chain(head, buf_on(k->inventory, k->mmap, second, second_len)));
    return head;
}

static void check_list(struct doca_buf *list, size_t first_len, size_t second_len)
{
    struct doca_buf *second;

    CHECK_OK(doca_buf_list_next(list, &second));
    CHECK_EQ(rig_data_len(list), first_len);
    CHECK_EQ(rig_data_len(second), second_len);
}

/* While a job writes to a list, no other job can have the list as destination. Each job writes from
 * the start of the list. */
static void list_is_the_destination_of_one_job_at_a_time(void)
{
    struct doca_dma_job_memcpy job[2];
    struct doca_buf *dst, *other;
    unsigned i, device;
    struct kit k;

    for (device = 0; device < 2; device++) {
        held_begin();
        kit_open_on(&k, device == 0 ? NULL : HELD_DMA, 8);
        dst = list_on(&k, to, 16, to + 100, 32);
        other = list_on(&k, to + LEN, 16, to + 2 * LEN, 32);
        for (i = 0; i < 2; i++)
            job[i] = job_of(k.ctx, buf_on(k.inventory, k.mmap, from + i * LEN, 32), dst, 32, i);
        CHECK_OK(doca_workq_submit(k.workq, &job[0].base));
        CHECK_RC(doca_workq_submit(k.workq, &job[1].base), DOCA_ERROR_NO_MEMORY);
        job[1].dst_buff = other; /* another list is accepted */
        CHECK_OK(doca_workq_submit(k.workq, &job[1].base));
        CHECK_OK(retrieve_result(k.workq));
        check_list(dst, 16, 16);
        job[1].dst_buff = dst;
        CHECK_OK(doca_workq_submit(k.workq, &job[1].base));
        CHECK_OK(retrieve_result(k.workq));
        CHECK_OK(retrieve_result(k.workq));
        for (i = 0; i < 2; i++) {
            CHECK_MEM(to + i * LEN, from + LEN, 16);
            CHECK_MEM(to + (i == 0 ? 100 : 2 * LEN), from + LEN + 16, 16);
            check_list(i == 0 ? dst : other, 16, 16);
            release((struct doca_buf *)(uintptr_t)job[i].src_buff);
        }
        CHECK_EQ(to[116], 0xee);
        release(dst);
        release(other);
        kit_close(&k);
        held_end();
    }
}

static void failed_job_leaves_its_list_empty(void)
{
    struct doca_buf *src, *big, *dst, *single;
    struct doca_dma_job_memcpy job;
    struct kit k;

    kit_open(&k);
    src = buf_on(k.inventory, k.mmap, from, 32);
    big = buf_on(k.inventory, k.mmap, from, LEN);
    dst = list_on(&k, to, 16, to + 100, 32);
    single = buf_on(k.inventory, k.mmap, to + LEN, 32);
    job = job_of(k.ctx, src, dst, 32, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    check_list(dst, 16, 16);
    job = job_of(k.ctx, src, single, 8, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    job = job_of(k.ctx, big, single, LEN, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_data_len(single), 8);
    job.dst_buff = dst;
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    check_list(dst, 0, 0);
    job = job_of(k.ctx, src, dst, 32, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base)); /* the list is no longer in use */
    CHECK_OK(retrieve_result(k.workq));
    check_list(dst, 16, 16);
    release(src);
    release(big);
    release(dst);
    release(single);
    kit_close(&k);
}

/* The device refuses the second of four jobs. This job and the jobs after it get failure events, no
 * event is lost, and the context continues to work. */
static void refused_job_becomes_an_event(void)
{
    struct doca_event ev;
    unsigned i, round, failed = 0;
    struct kit k;

    held_begin();
    kit_open_on(&k, HELD_DMA, 4);
    for (round = 0; round < 3; round++) {
        held.budget = 0;
        for (i = 0; i < 4; i++)
            CHECK_OK(copy_block(&k, k.ctx, i));
        held.budget = 1;
        CHECK_OK(retrieve(k.workq, &ev));
        CHECK_EQ(ev.user_data.u64, 0);
        held.num_to_fail = 1;
        held.budget = 1;
        memset(&ev, 0, sizeof(ev));
        CHECK_RC(retrieve(k.workq, &ev), DOCA_ERROR_IO_FAILED);
        CHECK_EQ(ev.type, DOCA_DMA_JOB_MEMCPY);
        CHECK_EQ(ev.user_data.u64, 1);
        CHECK_EQ(ev.result.u64, DOCA_ERROR_IO_FAILED);
        CHECK_RC(copy_block(&k, k.ctx, 5), DOCA_ERROR_NO_MEMORY); /* until the failed jobs end */
        held.budget = HELD_ALL;
        for (failed = 0; retrieve(k.workq, &ev) == DOCA_ERROR_IO_FAILED && failed < 1; failed++)
            CHECK_EQ(ev.user_data.u64, 2);
        CHECK_EQ(ev.user_data.u64, 3);
        CHECK_EQ(held.num_queues, 1);
    }
    CHECK_OK(copy_block(&k, k.ctx, 9));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to + 9 * LEN, from + 9 * LEN, LEN);
    CHECK_EQ(mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS), 0);
    kit_close(&k);
    held_end();
}

/* The device detects a destination that is too small, and missing permissions. */
static void device_errors_become_events(void)
{
    uint32_t flags = DOCA_MMAP_ACCESS_LOCAL_READ;
    struct doca_mmap *read_only = make_mmap(1, 1);
    struct doca_dma_job_memcpy job;
    struct doca_buf *src, *dst;
    struct kit k;

    kit_open(&k);
    CHECK_OK(doca_mmap_property_set(read_only, DOCA_MMAP_ACCESS_FLAGS, &flags, sizeof(flags)));
    CHECK_OK(doca_mmap_start(read_only));
    CHECK_OK(doca_mmap_dev_add(read_only, k.dev));
    CHECK_OK(doca_mmap_populate(read_only, to, LEN, PAGE, NULL, NULL));
    src = buf_on(k.inventory, k.mmap, from, LEN);
    dst = buf_on(k.inventory, k.mmap, to, LEN - 1);
    job = job_of(k.ctx, src, dst, LEN, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    job.num_bytes_to_copy = 0; /* a source without data */
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    release(dst);
    dst = buf_on(k.inventory, read_only, to, LEN);
    job = job_of(k.ctx, src, dst, LEN, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(to[0], 0xee);
    release(src);
    release(dst);
    CHECK_OK(doca_mmap_destroy(read_only));
    CHECK_OK(copy_block(&k, k.ctx, 3));
    CHECK_OK(retrieve_result(k.workq));
    kit_close(&k);
}

#if DOCA_CORE_CHECK >= 2
static struct {
    struct doca_workq *workq;
    struct doca_dma_job_memcpy job;
    doca_error_t rc;
    unsigned num_lines;
} second_thread;

static void *submit_in_second_thread(void *arg)
{
    (void)arg;
    second_thread.rc = doca_workq_submit(second_thread.workq, &second_thread.job.base);
    return NULL;
}

/* The first log line reports the failed task, while the queue is in progress. */
static void submit_from_the_sink(uint32_t level, enum doca_core_item item, const char *line,
                                 void *user)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    pthread_t thread;

    (void)level;
    (void)item;
    (void)line;
    (void)user;
    if (second_thread.num_lines++ == 0) {
        CHECK_EQ(pthread_create(&thread, NULL, submit_in_second_thread, NULL), 0);
        CHECK_EQ(pthread_join(thread, NULL), 0);
    }
    heap_trap_set(mode);
}
#endif

static void call_of_a_second_thread_is_refused(void)
{
#if DOCA_CORE_CHECK >= 2
    struct doca_buf *src, *dst;
    struct kit k;

    kit_open(&k);
    src = buf_on(k.inventory, k.mmap, from, LEN);
    dst = buf_on(k.inventory, k.mmap, to, LEN - 1);
    second_thread.workq = k.workq;
    second_thread.job = job_of(k.ctx, src, dst, LEN, 0);
    CHECK_OK(doca_workq_submit(k.workq, &second_thread.job.base));
    doca_core_log_set_sink(submit_from_the_sink, NULL);
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    doca_core_log_set_sink(NULL, NULL);
    CHECK(second_thread.num_lines > 1);
    CHECK_RC(second_thread.rc, DOCA_ERROR_NOT_PERMITTED);
    release(src);
    release(dst);
    kit_close(&k);
#else
    test_skip("calls of several threads are detected only with DOCA_CORE_CHECK >= 2");
#endif
}

/* If a program releases the buffers of a job before its event, the job keeps them and their mmap.
 */
static void jobs_hold_their_buffers(void)
{
    struct kit k;

    kit_open(&k);
    CHECK_OK(copy_block(&k, k.ctx, 0)); /* releases its buffers at once */
    CHECK_EQ(mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS), 2);
    CHECK_RC(doca_mmap_destroy(k.mmap), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_buf_inventory_destroy(k.inventory), DOCA_ERROR_IN_USE);
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to, from, LEN);
    CHECK_EQ(mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS), 0);
    kit_close(&k);
}

static void jobs_without_valid_type_or_buffers_are_refused(void)
{
    struct doca_job bare = { .type = DOCA_ACTION_NONE };
    struct doca_dma_job_memcpy job;
    struct doca_buf *src, *dst;
    struct kit k;

    kit_open(&k);
    src = buf_on(k.inventory, k.mmap, from, LEN);
    dst = buf_on(k.inventory, k.mmap, to, LEN);
    job = job_of(k.ctx, src, NULL, 1, 0);
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    job = job_of(k.ctx, NULL, dst, 1, 0);
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    job = job_of(k.ctx, src, dst, 1, 0);
    job.base.type = DOCA_ACTION_SHA_FIRST + 1;
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_JOB_TYPE);
    bare.ctx = k.ctx; /* a job with the common members only */
    CHECK_RC(doca_workq_submit(k.workq, &bare), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_JOB_TYPE);
    CHECK_RC(doca_workq_submit(k.workq, NULL), DOCA_ERROR_INVALID_VALUE);
    job = job_of(k.ctx, src, dst, 1, 0);
    release(src);
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE); /* was released */
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BUF_RETURNED);
    src = buf_on(k.inventory, k.mmap, from, LEN);
    /* today's API, because 1.x cannot increment the count; it stops at the largest count */
    while (doca_buf_inc_refcount(src, NULL) == DOCA_SUCCESS)
        continue;
    job = job_of(k.ctx, src, dst, 1, 0);
    /* the job cannot add its reference */
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    release(src);
    CHECK_OK(doca_workq_submit(k.workq, &job.base)); /* the job adds the last possible reference */
    CHECK_OK(retrieve_result(k.workq));
    CHECK_OK(doca_buf_set_data(src, from, 32));
    job = job_of(k.ctx, src, src, 0, 0); /* the job would add two references */
    test_log_item = DOCA_CORE_ITEM_NONE;
    CHECK_RC(doca_workq_submit(k.workq, &job.base), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BUF_REFCOUNT_MAX);
    release(src);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    while (mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS) == 2)
        release(src);
    release(dst);
    kit_close(&k);
}

/* Attach the queue while the device needs several polls to open it, with this outcome. */
static doca_error_t add_to_slow_device(struct doca_ctx *ctx, struct doca_workq *workq,
                                       doca_error_t outcome)
{
    held.opening = DOCA_ERROR_IN_PROGRESS;
    held.opens_as = outcome;
    held.num_asks = 100;
    return doca_ctx_workq_add(ctx, workq);
}

static void attach_waits_for_a_slow_device(void)
{
    struct doca_workq *workq;
    struct kit k;

    held_begin();
    kit_open_on(&k, HELD_DMA, 4);
    CHECK_OK(doca_workq_create(1, &workq));
    held.opening = DOCA_ERROR_DRIVER;
    CHECK_RC(doca_ctx_workq_add(k.ctx, workq), DOCA_ERROR_DRIVER);
    CHECK_RC(doca_ctx_workq_rm(k.ctx, workq), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(add_to_slow_device(k.ctx, workq, DOCA_ERROR_DRIVER), DOCA_ERROR_INITIALIZATION);
    CHECK_OK(add_to_slow_device(k.ctx, workq, DOCA_SUCCESS));
    CHECK_OK(doca_ctx_workq_rm(k.ctx, workq));
    CHECK_OK(doca_workq_destroy(workq));
    kit_close(&k);
    held_end();
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

/* ---- event handles ---- */

static bool is_readable(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };

    return poll(&p, 1, 0) == 1;
}

static void armed_handle_wakes_a_sleeping_thread(void)
{
    struct doca_workq *workq;
    doca_event_handle_t fd = -2, same;
    uint8_t enabled = 9;
    struct kit k;

    kit_open(&k);
    CHECK_RC(doca_workq_get_event_handle(k.workq, &fd), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_workq_event_handle_arm(k.workq), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_workq_event_handle_clear(k.workq, 0), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_workq_set_event_driven_enable(k.workq, 1), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_workq_get_event_driven_enable(k.workq, &enabled));
    CHECK_EQ(enabled, 0);
    CHECK_OK(doca_workq_create(4, &workq));
    CHECK_OK(doca_workq_set_event_driven_enable(workq, 1));
    CHECK_OK(doca_workq_set_event_driven_enable(workq, 1));
    CHECK_OK(doca_ctx_workq_add(k.ctx, workq));
    CHECK_OK(doca_workq_get_event_handle(workq, &fd));
    CHECK_OK(doca_workq_get_event_handle(workq, &same));
    CHECK_EQ(same, fd);
    CHECK_OK(doca_ctx_workq_rm(k.ctx, k.workq)); /* replaced by `workq` */
    CHECK_OK(doca_workq_destroy(k.workq));
    k.workq = workq;
    CHECK_OK(doca_workq_event_handle_arm(workq));
    CHECK(!is_readable(fd));
    CHECK_OK(copy_block(&k, k.ctx, 0));
    CHECK(is_readable(fd));
    CHECK_OK(doca_workq_event_handle_clear(workq, fd));
    CHECK(!is_readable(fd));
    CHECK_OK(retrieve_result(workq));
    CHECK_OK(copy_block(&k, k.ctx, 0)); /* submit before arm */
    CHECK_OK(doca_workq_event_handle_arm(workq));
    CHECK(is_readable(fd));
    CHECK_OK(doca_workq_event_handle_clear(workq, fd));
    CHECK_OK(retrieve_result(workq));
    kit_close(&k);
}

/* ---- graphs ---- */

/* A graph of five nodes. Node 0 is the parent of the nodes 1, 2 and 3, which are the parents of
 * node
 * 4. Node 3 is a user node; the other nodes are copy jobs. */
struct diamond {
    struct doca_graph *graph;
    struct doca_graph_node *nodes[5];
    struct doca_graph_instance *instance;
    struct doca_dma_job_memcpy jobs[4];
    struct doca_event events[5];
    struct doca_buf *bufs[8];
    unsigned num_calls;
    doca_error_t answer;
};

static doca_error_t count_call(void *cookie, struct doca_event *ev)
{
    struct diamond *d = cookie;

    CHECK_PTR(ev, &d->events[3]);
    ev->user_data.u64 = 33;
    CHECK_MEM(to, from, LEN); /* its parent has completed */
    d->num_calls++;
    return d->answer;
}

static const unsigned diamond_job_nodes[4] = { 0, 1, 2, 4 }; /* node 3 is the user node */

static void diamond_open(struct diamond *d, struct kit *k)
{
    static const unsigned edges[][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 },
                                         { 1, 4 }, { 2, 4 }, { 3, 4 } };
    unsigned i;

    memset(d, 0, sizeof(*d));
    CHECK_OK(doca_graph_create(&d->graph));
    for (i = 0; i < 5; i++) {
        if (i == 3)
            CHECK_OK(doca_graph_user_node_create(d->graph, count_call, &d->nodes[i]));
        else
            CHECK_OK(
                doca_graph_ctx_node_create(d->graph, DOCA_DMA_JOB_MEMCPY, k->ctx, &d->nodes[i]));
    }
    for (i = 0; i < 6; i++)
        CHECK_OK(doca_graph_add_dependency(d->graph, d->nodes[edges[i][0]], d->nodes[edges[i][1]]));
    CHECK_OK(doca_graph_start(d->graph));
    CHECK_OK(doca_graph_workq_add(d->graph, k->workq));
    CHECK_OK(doca_graph_instance_create(d->graph, &d->instance));
    for (i = 0; i < 4; i++) {
        d->bufs[2 * i] = buf_on(k->inventory, k->mmap, from + i * LEN, LEN);
        d->bufs[2 * i + 1] = buf_on(k->inventory, k->mmap, to + i * LEN, LEN);
        d->jobs[i] = job_of(k->ctx, d->bufs[2 * i], d->bufs[2 * i + 1], LEN, 100 + i);
        CHECK_OK(doca_graph_instance_set_ctx_node_data(
            d->instance, d->nodes[diamond_job_nodes[i]], &d->jobs[i].base,
            &d->events[diamond_job_nodes[i]]));
    }
    CHECK_OK(doca_graph_instance_set_user_node_data(d->instance, d->nodes[3], d, &d->events[3]));
}

static void diamond_close(struct diamond *d, struct kit *k)
{
    unsigned i;

    for (i = 0; i < 8; i++)
        release(d->bufs[i]);
    CHECK_OK(doca_graph_instance_destroy(d->instance));
    CHECK_OK(doca_graph_workq_rm(d->graph, k->workq));
    CHECK_OK(doca_graph_stop(d->graph));
    CHECK_OK(doca_graph_destroy(d->graph));
}

static enum doca_graph_instance_node_state state_of(struct diamond *d, unsigned i)
{
    enum doca_graph_instance_node_state state;

    CHECK_OK(doca_graph_instance_node_get_state(d->instance, d->nodes[i], &state));
    return state;
}

static void graph_runs_in_order_and_again(void)
{
    union doca_data user_data = { .u64 = 77 }, result;
    unsigned round, again, i;
    struct doca_event ev;
    struct diamond d;
    doca_error_t rc;
    uint32_t num;
    struct kit k;

    kit_open_on(&k, NULL, 2); /* room for the nodes 1 and 2 */
    diamond_open(&d, &k);
    for (round = 1; round <= 3; round++) {
        memset(to, 0xee, sizeof(to));
        CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
        CHECK_RC(doca_workq_graph_submit(k.workq, d.instance, user_data), DOCA_ERROR_IN_USE);
        CHECK_RC(doca_graph_instance_destroy(d.instance), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_graph_workq_rm(d.graph, k.workq), DOCA_ERROR_IN_USE);
        CHECK_RC(doca_graph_instance_set_user_node_data(d.instance, d.nodes[3], NULL, NULL),
                 DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_graph_instance_node_get_result(d.instance, d.nodes[4], &result),
                 DOCA_ERROR_BAD_STATE);
        for (again = 0; (rc = doca_workq_progress_retrieve(k.workq, &ev, 0)) == DOCA_ERROR_AGAIN;
             again++)
            CHECK(again < 1000);
        CHECK_OK(rc);
        CHECK(again >= 3); /* nodes have no events */
        CHECK_EQ(ev.type, DOCA_GRAPH_JOB);
        CHECK_EQ(ev.user_data.u64, 77);
        CHECK_EQ(ev.result.u64, DOCA_SUCCESS);
        CHECK_EQ(d.num_calls, round);
        CHECK_MEM(to, from, 4 * LEN);
        for (i = 0; i < 5; i++) {
            CHECK_EQ(state_of(&d, i), DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED);
            CHECK_OK(doca_graph_instance_node_get_result(d.instance, d.nodes[i], &result));
            CHECK_EQ(result.u64, DOCA_SUCCESS);
        }
        CHECK_EQ(d.events[4].user_data.u64, 103);
        CHECK_EQ(d.events[4].type, DOCA_DMA_JOB_MEMCPY);
        CHECK_EQ(d.events[3].user_data.u64, 33);
        CHECK_OK(doca_graph_instance_get_num_failed_nodes(d.instance, &num));
        CHECK_EQ(num, 0);
    }
    CHECK_RC(doca_ctx_workq_rm(k.ctx, k.workq), DOCA_ERROR_NOT_PERMITTED); /* used by the graph */
    CHECK_RC(doca_workq_destroy(k.workq), DOCA_ERROR_IN_USE);
    diamond_close(&d, &k);
    kit_close(&k);
}

/* The jobs of the nodes 1 and 2 write to the same list: one job must wait for the other. */
static void jobs_of_a_graph_wait_for_a_list(void)
{
    union doca_data user_data = { .u64 = 1 };
    struct doca_event ev;
    struct doca_buf *list;
    struct diamond d;
    struct kit k;
    unsigned i;

    held_begin();
    kit_open_on(&k, HELD_DMA, 8);
    diamond_open(&d, &k);
    list = list_on(&k, to + 5 * LEN, 16, to + 6 * LEN, 32);
    for (i = 1; i < 3; i++) {
        d.jobs[i].dst_buff = list;
        d.jobs[i].num_bytes_to_copy = 32;
    }
    CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
    /* the device completes only node 0; the nodes after it are started */
    held.budget = 1;
    for (i = 0; i < 10; i++)
        CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
    held.budget = HELD_ALL;
    CHECK_OK(retrieve(k.workq, &ev));
    check_list(list, 16, 16);
    i = to[5 * LEN] == from[LEN] ? 1 : 2;
    CHECK_MEM(to + 5 * LEN, from + i * LEN, 16);
    CHECK_MEM(to + 6 * LEN, from + i * LEN + 16, 16);
    CHECK_EQ(to[6 * LEN + 16], 0xee);
    release(list);
    diamond_close(&d, &k);
    kit_close(&k);
    held_end();
}

static void failing_node_fails_the_instance(void)
{
    const struct doca_graph_node *failed_nodes[5];
    union doca_data user_data = { .u64 = 1 }, result;
    struct doca_event ev;
    struct diamond d;
    uint32_t num;
    struct kit k;

    kit_open(&k);
    diamond_open(&d, &k);
    d.answer = DOCA_ERROR_TOO_BIG;
    CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
    CHECK_RC(retrieve(k.workq, &ev), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(ev.type, DOCA_GRAPH_JOB);
    CHECK_EQ(ev.result.u64, DOCA_ERROR_TOO_BIG);
    CHECK_EQ(state_of(&d, 3), DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR);
    CHECK_EQ(state_of(&d, 4), DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED);
    CHECK_EQ(to[3 * LEN], 0xee);
    CHECK_OK(doca_graph_instance_get_num_failed_nodes(d.instance, &num));
    CHECK_EQ(num, 1);
    num = 5;
    CHECK_OK(doca_graph_instance_get_failed_nodes(d.instance, failed_nodes, &num));
    CHECK_EQ(num, 1);
    CHECK_PTR(failed_nodes[0], d.nodes[3]);
    num = 0;
    CHECK_OK(doca_graph_instance_get_failed_nodes(d.instance, failed_nodes, &num));
    CHECK_EQ(num, 0);
    CHECK_OK(doca_graph_instance_node_get_result(d.instance, d.nodes[3], &result));
    CHECK_EQ(result.u64, DOCA_ERROR_TOO_BIG);

    d.answer = DOCA_SUCCESS; /* a job that cannot be submitted fails its node */
    d.jobs[3].num_bytes_to_copy = LEN + 1;
    CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
    CHECK_RC(retrieve(k.workq, &ev), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(ev.result.u64, DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(d.events[4].result.u64, DOCA_ERROR_INVALID_VALUE);
    d.jobs[3].num_bytes_to_copy = LEN;
    CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
    CHECK_OK(retrieve(k.workq, &ev));

    d.jobs[0].num_bytes_to_copy = LEN + 1; /* submit checks jobs of nodes without parents */
    CHECK_RC(doca_workq_graph_submit(k.workq, d.instance, user_data), DOCA_ERROR_INVALID_VALUE);
    d.jobs[0].num_bytes_to_copy = LEN;
    CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
    CHECK_OK(retrieve(k.workq, &ev));
    diamond_close(&d, &k);
    kit_close(&k);
}

static void invalid_graph_calls_are_refused(void)
{
    struct doca_graph_node *node, *other_node;
    struct doca_graph *graph, *other;
    struct doca_graph_instance *instance;
    enum doca_graph_instance_node_state state;
    union doca_data none = { .u64 = 0 };
    struct doca_dma_job_memcpy job;
    struct doca_workq *workq;
    struct kit k;

    kit_open(&k);
    CHECK_OK(doca_graph_create(&graph));
    CHECK_OK(doca_graph_create(&other));
    CHECK_RC(doca_graph_start(graph), DOCA_ERROR_BAD_STATE); /* no job node */
    CHECK_OK(doca_graph_user_node_create(graph, count_call, &node));
    CHECK_RC(doca_graph_start(graph), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_graph_user_node_create(graph, NULL, &node), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_ctx_node_create(graph, 5, k.ctx, &node), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, NULL, &node),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_sub_graph_node_create(graph, graph, &node), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_sub_graph_node_create(graph, other, &node), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, k.ctx, &other_node));
    CHECK_OK(doca_graph_add_dependency(graph, node, other_node));
    CHECK_OK(doca_graph_add_dependency(graph, node, other_node));
    CHECK_RC(doca_graph_add_dependency(graph, other_node, node), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_add_dependency(graph, node, node), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_add_dependency(other, node, other_node), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_instance_create(graph, &instance), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_graph_workq_add(graph, k.workq), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_start(graph));
    CHECK_RC(doca_graph_user_node_create(graph, count_call, &node), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_graph_add_dependency(graph, node, other_node), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_workq_create(1, &workq));
    CHECK_RC(doca_graph_workq_add(graph, workq), DOCA_ERROR_BAD_STATE); /* not attached to o.ctx */
    CHECK_RC(doca_graph_workq_rm(graph, k.workq), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    CHECK_RC(doca_workq_graph_submit(k.workq, instance, none), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_graph_workq_add(graph, k.workq));
    CHECK_RC(doca_graph_workq_add(graph, k.workq), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_workq_graph_submit(k.workq, instance, none), DOCA_ERROR_INVALID_VALUE);
    job = job_of(k.ctx, NULL, NULL, 0, 0);
    CHECK_RC(doca_graph_instance_set_ctx_node_data(instance, node, &job.base, NULL),
             DOCA_ERROR_NOT_PERMITTED); /* a user node */
    job.base.ctx = NULL;
    CHECK_RC(doca_graph_instance_set_ctx_node_data(instance, other_node, &job.base, NULL),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_instance_set_ctx_node_data(instance, other_node, NULL, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_stop(graph), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_destroy(graph), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_graph_ctx_node_create(other, DOCA_DMA_JOB_MEMCPY, k.ctx, &node));
    CHECK_RC(doca_graph_instance_node_get_state(instance, node, &state), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_RC(doca_graph_stop(graph), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_graph_workq_rm(graph, k.workq));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    CHECK_OK(doca_graph_destroy(other));
    CHECK_OK(doca_workq_destroy(workq));
    kit_close(&k);
}

/* An outer graph has two nodes that run instances of the diamond, one after the other. */
static void sub_graphs_run_as_nodes(void)
{
    union doca_data user_data = { .u64 = 5 };
    struct doca_graph_instance *outer_instance, *second;
    struct doca_graph_node *nodes[2];
    struct doca_event ev, inner[2];
    struct doca_graph *outer;
    struct diamond d;
    struct kit k;
    unsigned i;

    kit_open(&k);
    diamond_open(&d, &k);
    CHECK_OK(doca_graph_instance_create(d.graph, &second));
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_graph_instance_set_ctx_node_data(second, d.nodes[diamond_job_nodes[i]],
                                                       &d.jobs[i].base, NULL));
    CHECK_OK(doca_graph_instance_set_user_node_data(second, d.nodes[3], &d, &d.events[3]));
    CHECK_OK(doca_graph_create(&outer));
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_graph_sub_graph_node_create(outer, d.graph, &nodes[i]));
    CHECK_OK(doca_graph_add_dependency(outer, nodes[0], nodes[1]));
    CHECK_OK(doca_graph_start(outer));
    CHECK_OK(doca_graph_workq_add(outer, k.workq));
    CHECK_OK(doca_graph_instance_create(outer, &outer_instance));
    CHECK_RC(doca_workq_graph_submit(k.workq, outer_instance, user_data),
             DOCA_ERROR_INVALID_VALUE); /* no node data */
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_graph_instance_set_sub_graph_node_data(outer_instance, nodes[i], d.instance,
                                                             &inner[i]));
    CHECK_RC(doca_workq_graph_submit(k.workq, outer_instance, user_data), DOCA_ERROR_IN_USE);
    /* the failed submit left d.instance free */
    CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
    CHECK_OK(retrieve(k.workq, &ev));
    CHECK_OK(doca_graph_instance_set_sub_graph_node_data(outer_instance, nodes[1], second,
                                                         &inner[1]));
    CHECK_RC(doca_graph_instance_destroy(second), DOCA_ERROR_NOT_PERMITTED);
    d.num_calls = 0;
    for (i = 1; i <= 2; i++) {
        memset(to, 0xee, sizeof(to));
        CHECK_OK(doca_workq_graph_submit(k.workq, outer_instance, user_data));
        CHECK_RC(doca_workq_graph_submit(k.workq, second, user_data), DOCA_ERROR_IN_USE);
        CHECK_OK(retrieve(k.workq, &ev));
        CHECK_EQ(ev.user_data.u64, 5);
        CHECK_EQ(d.num_calls, 2 * i);
        CHECK_EQ(inner[0].type, DOCA_GRAPH_JOB);
        CHECK_EQ(inner[1].result.u64, DOCA_SUCCESS);
        CHECK_MEM(to, from, 4 * LEN);
    }
    /* If a node of the first diamond fails, the outer graph fails, and the second diamond is not
     * run. */
    d.answer = DOCA_ERROR_IO_FAILED;
    d.num_calls = 0;
    CHECK_OK(doca_workq_graph_submit(k.workq, outer_instance, user_data));
    CHECK_RC(retrieve(k.workq, &ev), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(d.num_calls, 1);
    d.answer = DOCA_SUCCESS;
    /* all instances can be submitted again */
    CHECK_OK(doca_workq_graph_submit(k.workq, outer_instance, user_data));
    CHECK_OK(retrieve(k.workq, &ev));
    CHECK_RC(doca_graph_stop(d.graph), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_graph_instance_destroy(outer_instance));
    CHECK_OK(doca_graph_instance_destroy(second));
    CHECK_OK(doca_graph_workq_rm(outer, k.workq));
    CHECK_OK(doca_graph_destroy(outer)); /* the graph is still started */
    diamond_close(&d, &k);
    kit_close(&k);
}

static jmp_buf outside_of_the_node;

static doca_error_t leave_the_node(void *cookie, struct doca_event *ev)
{
    (void)cookie;
    (void)ev;
    longjmp(outside_of_the_node, 1);
}

static doca_error_t retrieve_in_the_node(void *cookie, struct doca_event *ev)
{
    (void)ev;
    (void)retrieve_result(cookie);
    return DOCA_SUCCESS;
}

/* A node fails if its function calls longjmp(), or retrieves an event from the same queue. No call
 * hangs. */
static void node_that_does_not_return_fails(void)
{
    union doca_data none = { .u64 = 0 };
    static struct doca_graph_node *node, *job_node;
    static struct doca_graph_instance *instance;
    static struct doca_dma_job_memcpy job;
    static struct doca_graph *graph;
    static struct doca_event ev;
    static struct kit k;
    static int kind;

    kit_open(&k);
    for (kind = 0; kind < 2; kind++) {
        CHECK_OK(doca_graph_create(&graph));
        CHECK_OK(doca_graph_user_node_create(
            graph, kind == 0 ? leave_the_node : retrieve_in_the_node, &node));
        CHECK_OK(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, k.ctx, &job_node));
        CHECK_OK(doca_graph_add_dependency(graph, node, job_node));
        CHECK_OK(doca_graph_start(graph));
        CHECK_OK(doca_graph_workq_add(graph, k.workq));
        CHECK_OK(doca_graph_instance_create(graph, &instance));
        job = job_of(k.ctx, NULL, NULL, 0, 0);
        CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, job_node, &job.base, NULL));
        CHECK_OK(doca_graph_instance_set_user_node_data(instance, node, k.workq, NULL));
        CHECK_OK(doca_workq_graph_submit(k.workq, instance, none));
        memset(&ev, 0, sizeof(ev));
        if (kind == 0) {
            if (setjmp(outside_of_the_node) == 0)
                (void)retrieve(k.workq, &ev);
            CHECK_RC(retrieve(k.workq, &ev), DOCA_ERROR_IO_FAILED);
            CHECK_EQ(ev.type, DOCA_GRAPH_JOB);
        } else { /* the call inside the function got the event */
            CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
        }
        CHECK_OK(doca_graph_instance_destroy(instance));
        CHECK_OK(doca_graph_workq_rm(graph, k.workq));
        CHECK_OK(doca_graph_destroy(graph));
    }
    kit_close(&k);
}

static doca_error_t answer_of(void *cookie, struct doca_event *ev)
{
    doca_error_t *answer = cookie;
    doca_error_t rc = *answer;

    (void)ev;
    *answer = DOCA_ERROR_UNEXPECTED; /* the case sees that the function was called */
    return rc;
}

/* A graph of two user nodes and two jobs, all without parents. After a failure no other node is
 * started, submit fails if the queue has no room for both jobs, and the event handle is readable
 * while user nodes can run. */
static void graph_without_edges(void)
{
    doca_error_t answers[2] = { DOCA_ERROR_FULL, DOCA_SUCCESS };
    union doca_data none = { .u64 = 0 };
    struct doca_graph_node *nodes[4];
    struct doca_dma_job_memcpy jobs[2];
    struct doca_graph_instance *instance;
    struct doca_graph *graph;
    struct doca_buf *bufs[4];
    doca_event_handle_t fd;
    struct doca_event ev;
    struct kit k;
    unsigned i;

    kit_open_on(&k, NULL, 1);
    CHECK_OK(doca_ctx_workq_rm(k.ctx, k.workq));
    CHECK_OK(doca_workq_set_event_driven_enable(k.workq, 1));
    CHECK_OK(doca_workq_get_event_handle(k.workq, &fd));
    CHECK_OK(doca_ctx_workq_add(k.ctx, k.workq));
    CHECK_OK(doca_graph_create(&graph));
    for (i = 0; i < 4; i++)
        CHECK_OK(i < 2 ? doca_graph_user_node_create(graph, answer_of, &nodes[i])
                       : doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, k.ctx, &nodes[i]));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_workq_add(graph, k.workq));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    for (i = 0; i < 2; i++) {
        bufs[2 * i] = buf_on(k.inventory, k.mmap, from + i * LEN, LEN);
        bufs[2 * i + 1] = buf_on(k.inventory, k.mmap, to + i * LEN, LEN);
        jobs[i] = job_of(k.ctx, bufs[2 * i], bufs[2 * i + 1], LEN, 0);
        CHECK_OK(doca_graph_instance_set_user_node_data(instance, nodes[i], &answers[i], NULL));
        CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, nodes[2 + i], &jobs[i].base,
                                                       NULL));
    }
    CHECK_RC(doca_workq_graph_submit(k.workq, instance, none), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
    CHECK_EQ(answers[0], DOCA_ERROR_FULL); /* no node was started */
    CHECK_OK(doca_graph_workq_rm(graph, k.workq));
    CHECK_OK(doca_ctx_workq_rm(k.ctx, k.workq));
    CHECK_OK(doca_workq_set_depth(k.workq, 2));
    CHECK_OK(doca_ctx_workq_add(k.ctx, k.workq));
    CHECK_OK(doca_graph_workq_add(graph, k.workq));
    CHECK_OK(doca_workq_event_handle_arm(k.workq));
    CHECK_OK(doca_workq_graph_submit(k.workq, instance, none));
    CHECK(is_readable(fd));
    CHECK_OK(doca_workq_event_handle_clear(k.workq, fd));
    CHECK(!is_readable(fd));
    CHECK_OK(doca_workq_event_handle_arm(k.workq)); /* the user nodes can still run */
    CHECK(is_readable(fd));
    CHECK_OK(doca_workq_event_handle_clear(k.workq, fd));
    CHECK_RC(retrieve(k.workq, &ev), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(ev.result.u64, DOCA_ERROR_FULL);
    CHECK_EQ(answers[1], DOCA_SUCCESS); /* unchanged: the function was not called */
    CHECK_EQ(to[0], 0xee);
    answers[0] = DOCA_SUCCESS;
    CHECK_OK(doca_workq_graph_submit(k.workq, instance, none));
    CHECK_OK(retrieve(k.workq, &ev));
    CHECK_EQ(answers[1], DOCA_ERROR_UNEXPECTED);
    CHECK_MEM(to, from, 2 * LEN);
    for (i = 0; i < 4; i++)
        release(bufs[i]);
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_workq_rm(graph, k.workq));
    CHECK_OK(doca_graph_destroy(graph));
    kit_close(&k);
}

/* ---- programs ---- */

static void files_of_three_versions_form_one_program(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct kit k;

    kit_open(&k); /* this file uses the API of 1.3, on the same device and memory */
    CHECK_OK(legacy_copy_as_15(dev, from, to, LEN));
    CHECK_MEM(to, from, LEN);
    CHECK_OK(legacy_copy_as_today(dev, from + LEN, to + LEN, LEN));
    CHECK_MEM(to + LEN, from + LEN, LEN);
    CHECK_OK(copy_block(&k, k.ctx, 2));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to, from, 3 * LEN);
    CHECK((void (*)(void))legacy_start_of_today() != (void (*)(void))doca_mmap_start);
    kit_close(&k);
    CHECK_OK(doca_dev_close(dev));
}

/* The exporting process is a child that sends the descriptor and the address of malloc() memory
 * through a pipe, and sleeps. The importing process is its parent, because Linux allows a parent to
 * access the memory of its child. */
static void export_and_import_between_two_processes(void)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    struct {
        unsigned char *addr;
        size_t len;
        unsigned char desc[1024];
    } offer;
    struct doca_mmap *import;
    struct doca_buf *theirs, *ours;
    struct doca_dma_job_memcpy job;
    int ends[2], status = -1;
    struct kit k;
    pid_t child;

    CHECK_EQ(pipe(ends), 0);
    child = test_peer();
    if (child == 0) {
        struct doca_dev *dev = rig_open_dev(NULL);
        struct doca_mmap *mmap = make_mmap(1, 1);
        void *desc;

        memset(&offer, 0, sizeof(offer));
        offer.addr = malloc(LEN);
        memset(offer.addr, 0xc3, LEN);
        if (doca_mmap_start(mmap) == DOCA_SUCCESS &&
            doca_mmap_populate(mmap, offer.addr, LEN, PAGE, NULL, NULL) == DOCA_SUCCESS &&
            doca_mmap_dev_add(mmap, dev) == DOCA_SUCCESS &&
            doca_mmap_export(mmap, dev, &desc, &offer.len) == DOCA_SUCCESS) {
            memcpy(offer.desc, desc, offer.len);
            free(desc);
        }
        (void)!write(ends[1], &offer, sizeof(offer));
        for (;;)
            pause();
    }
    heap_trap_set(mode);
    CHECK_EQ(read(ends[0], &offer, sizeof(offer)), sizeof(offer));
    CHECK(offer.len > 0);
    kit_open(&k);
    CHECK_OK(doca_mmap_create_from_export("host", offer.desc, offer.len, k.dev, &import));
    theirs = buf_on(k.inventory, import, offer.addr, LEN);
    ours = buf_on(k.inventory, k.mmap, to, LEN);
    job = job_of(k.ctx, theirs, ours, LEN, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    CHECK(to[0] == 0xc3 && to[LEN - 1] == 0xc3);
    peer_kill(child);
    CHECK_EQ(waitpid(child, &status, 0), child);
    close(ends[0]);
    close(ends[1]);
    CHECK_OK(doca_workq_submit(k.workq, &job.base)); /* the exporter has ended */
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    release(theirs);
    release(ours);
    CHECK_OK(doca_mmap_destroy(import));
    kit_close(&k);
}

/* The threads share a context. Each thread has its own work queue, inventory and mmap. */
enum { THREADS = 4, JOBS = 300, THREAD_BYTES = sizeof(from) / THREADS };

struct worker {
    pthread_t thread;
    struct kit *shared;
    unsigned char *from, *to;
    unsigned num_ok;
};

static void *worker_thread(void *arg)
{
    struct worker *w = arg;
    struct kit k = *w->shared;
    struct doca_event ev;
    unsigned in = 0, out = 0;

    /* a failed CHECK would jump to the stack of the main thread */
    if (doca_mmap_create("mmap of a thread", &k.mmap) != DOCA_SUCCESS ||
        doca_mmap_property_set(k.mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &(uint32_t){ 2 }, 4) !=
            DOCA_SUCCESS ||
        doca_mmap_start(k.mmap) != DOCA_SUCCESS ||
        doca_mmap_dev_add(k.mmap, k.dev) != DOCA_SUCCESS ||
        doca_mmap_populate(k.mmap, w->from, THREAD_BYTES, PAGE, NULL, NULL) != DOCA_SUCCESS ||
        doca_mmap_populate(k.mmap, w->to, THREAD_BYTES, PAGE, NULL, NULL) != DOCA_SUCCESS ||
        doca_buf_inventory_create("bufs", 32, 0, &k.inventory) != DOCA_SUCCESS ||
        doca_buf_inventory_start(k.inventory) != DOCA_SUCCESS ||
        doca_workq_create(8, &k.workq) != DOCA_SUCCESS ||
        doca_ctx_workq_add(k.ctx, k.workq) != DOCA_SUCCESS)
        return NULL;
    while (out < JOBS) {
        size_t at = in * 37 % (THREAD_BYTES - 64);
        struct doca_buf *src, *dst;
        struct doca_dma_job_memcpy job;

        if (in < JOBS && in - out < 8 &&
            doca_buf_inventory_buf_by_addr(k.inventory, k.mmap, w->from + at, 64, &src) ==
                DOCA_SUCCESS &&
            doca_buf_inventory_buf_by_addr(k.inventory, k.mmap, w->to + at, 64, &dst) ==
                DOCA_SUCCESS) {
            job = job_of(k.ctx, src, dst, 64, in);
            w->num_ok += doca_workq_submit(k.workq, &job.base) == DOCA_SUCCESS;
            in++;
            (void)doca_buf_refcount_rm(src, NULL);
            (void)doca_buf_refcount_rm(dst, NULL);
        }
        if (doca_workq_progress_retrieve(k.workq, &ev, 0) != DOCA_ERROR_AGAIN) {
            at = (size_t)ev.user_data.u64 * 37 % (THREAD_BYTES - 64);
            w->num_ok += memcmp(w->to + at, w->from + at, 64) == 0;
            out++;
        }
    }
    w->num_ok += doca_ctx_workq_rm(k.ctx, k.workq) == DOCA_SUCCESS &&
                 doca_workq_destroy(k.workq) == DOCA_SUCCESS &&
                 doca_buf_inventory_destroy(k.inventory) == DOCA_SUCCESS &&
                 doca_mmap_destroy(k.mmap) == DOCA_SUCCESS;
    return NULL;
}

static void each_thread_has_a_queue_on_one_context(void)
{
    enum heap_trap_mode mode;
    struct worker workers[THREADS];
    struct kit k;
    unsigned i;

    kit_open(&k);
    mode = heap_trap_set(HEAP_TRAP_OFF); /* pthread_create() allocates */
    for (i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){ .shared = &k,
                                      .from = from + i * THREAD_BYTES,
                                      .to = to + i * THREAD_BYTES };
        CHECK_EQ(pthread_create(&workers[i].thread, NULL, worker_thread, &workers[i]), 0);
    }
    for (i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(workers[i].thread, NULL), 0);
    heap_trap_set(mode);
    for (i = 0; i < THREADS; i++)
        CHECK_EQ(workers[i].num_ok, 2 * JOBS + 1);
    kit_close(&k);
}

/* Create all kinds of objects in an arena of `lines` cache lines, and destroy them. Return whether
 * the arena was large enough, and check that it is empty at the end. */
static bool try_arena_of(size_t lines)
{
    static DOCA_CORE_ALIGNED unsigned char memory[512 * DOCA_CORE_LINE];
    struct doca_dev *dev = rig_open_dev(NULL); /* not in the small arena */
    struct doca_core_arena arena;
    struct doca_mmap *mmap = NULL;
    struct doca_buf_inventory *inventory = NULL;
    struct doca_dma *dma = NULL;
    struct doca_ctx *ctx = NULL;
    struct doca_workq *workq = NULL;
    struct doca_graph *graph = NULL;
    struct doca_graph_node *node;
    bool is_added = false, works;
    size_t used;

    CHECK(lines <= 512);
    CHECK_OK(doca_core_arena_init(&arena, memory, lines * DOCA_CORE_LINE));
    CHECK_OK(doca_core_arena_bind(&arena));
    works = doca_mmap_create("small", &mmap) == DOCA_SUCCESS &&
            doca_mmap_start(mmap) == DOCA_SUCCESS &&
            doca_mmap_dev_add(mmap, dev) == DOCA_SUCCESS &&
            doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL) == DOCA_SUCCESS &&
            doca_buf_inventory_create("small", 4, 0, &inventory) == DOCA_SUCCESS &&
            doca_dma_create(&dma) == DOCA_SUCCESS &&
            doca_ctx_dev_add(ctx = doca_dma_as_ctx(dma), dev) == DOCA_SUCCESS &&
            doca_ctx_start(ctx) == DOCA_SUCCESS && doca_workq_create(4, &workq) == DOCA_SUCCESS &&
            (is_added = doca_ctx_workq_add(ctx, workq) == DOCA_SUCCESS) &&
            doca_graph_create(&graph) == DOCA_SUCCESS &&
            doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, ctx, &node) == DOCA_SUCCESS;
    if (!works)
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_ARENA_EXHAUSTED);
    if (graph != NULL)
        CHECK_OK(doca_graph_destroy(graph));
    if (is_added)
        CHECK_OK(doca_ctx_workq_rm(ctx, workq));
    if (workq != NULL)
        CHECK_OK(doca_workq_destroy(workq));
    if (ctx != NULL) {
        CHECK_OK(doca_ctx_stop(ctx));
        CHECK_OK(doca_ctx_dev_rm(ctx, dev));
    }
    if (dma != NULL)
        CHECK_OK(doca_dma_destroy(dma));
    if (inventory != NULL)
        CHECK_OK(doca_buf_inventory_destroy(inventory));
    if (mmap != NULL)
        CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_core_arena_audit(&arena));
    CHECK_OK(doca_core_arena_bind(NULL));
    CHECK_OK(doca_dev_close(dev));
    return works;
}

static void exhausted_arena_leaves_nothing_behind(void)
{
    size_t lines = 2;

    while (!try_arena_of(lines))
        lines++;
    CHECK(lines > 40);
}

/* Return by how many bytes the use of the bound arena grew since the last call, and update
 * `before`. */
static size_t arena_growth(size_t *before)
{
    size_t used, more;

    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
    more = used - *before;
    *before = used;
    return more;
}

static void byte_counts_match_the_arena(void)
{
    static const uint32_t num_devs[] = { 1, DOCA_CORE_MMAP_DEVS + 2 };
    struct doca_buf_inventory *inventory;
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_workq *workq;
    struct doca_mmap *mmap;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    size_t used = 0, want;
    unsigned i, n;

    (void)arena_growth(&used);
    for (n = 0; n < 2; n++) {
        mmap = make_mmap(3, num_devs[n]);
        CHECK_OK(doca_mmap_start(mmap));
        for (i = 0; i < 3; i++)
            CHECK_OK(doca_mmap_populate(mmap, from + 2 * i * LEN, LEN, PAGE, NULL, NULL));
        CHECK_OK(doca_core_bytes_legacy_mmap(3, num_devs[n], &want));
        CHECK_EQ(arena_growth(&used), want);
        CHECK_OK(doca_mmap_destroy(mmap));
        (void)arena_growth(&used);
    }
    CHECK_OK(doca_buf_inventory_create("bufs", 7, 0, &inventory));
    CHECK_OK(doca_core_bytes_legacy_buf_inventory(7, &want));
    CHECK_EQ(arena_growth(&used), want);
    CHECK_OK(doca_dma_create(&dma));
    CHECK_OK(doca_core_bytes_legacy_dma(&want));
    CHECK_EQ(arena_growth(&used), want);
    CHECK_OK(doca_workq_create(5, &workq));
    CHECK_OK(doca_core_bytes_legacy_workq(5, &want));
    CHECK_EQ(arena_growth(&used), want);
    ctx = doca_dma_as_ctx(dma);
    CHECK_OK(doca_ctx_dev_add(ctx, dev));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_ctx_workq_add(ctx, workq));
    CHECK_OK(doca_core_bytes_legacy_ctx_workq(dev, 5, &want));
    CHECK_EQ(arena_growth(&used), want);
    CHECK_RC(doca_core_bytes_legacy_mmap(1, 1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_legacy_ctx_workq(NULL, 1, &want), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_ctx_workq_rm(ctx, workq));
    CHECK_OK(doca_workq_destroy(workq));
    end_ctx(ctx, dev, dma);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_dev_close(dev));
}

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
    CASE(todays_calls_refuse_inventories_of_1x, ""),
    CASE(refcount_rm_returns_the_old_count_and_frees_at_0, "315"),
    CASE(mmap_accepts_nothing_before_start, "305"),
    CASE(properties_are_fixed_by_the_first_start, "306"),
    CASE(ranges_and_devices_are_added_in_any_order, "307"),
    CASE(page_size_is_a_power_of_two_from_4096_on, "308"),
    CASE(ranges_and_devices_have_limits, "309"),
    CASE(free_callback_runs_for_each_range_at_destroy, "310"),
    CASE(mmap_with_one_range_is_exported_once, "311"),
    CASE(permissions_determine_export_and_import, ""),
    CASE(caller_frees_the_export_descriptor, "312 314"),
    CASE(stopped_mmap_does_not_change, "313"),
    CASE(buffer_lies_inside_one_range, ""),
    CASE(many_ranges_are_found, ""),
    CASE(devices_come_before_start_and_queues_after, "316"),
    CASE(device_without_an_engine_is_refused, ""),
    CASE(stop_waits_for_queues_and_destroy_for_devices, "317"),
    CASE(queue_with_jobs_cannot_be_detached, "318"),
    CASE(one_queue_serves_several_contexts, "319"),
    CASE(submit_needs_an_attached_queue, "320"),
    CASE(depth_limits_jobs_until_their_events_are_retrieved, "321"),
    CASE(queue_is_full_at_the_limit_of_the_device, ""),
    CASE(job_waits_for_room_in_the_queue, ""),
    CASE(retrieve_returns_one_event_or_changes_nothing, "322"),
    CASE(events_carry_the_user_data_in_any_order, "323 324"),
    CASE(depth_is_set_only_while_detached, "326"),
    CASE(attached_queue_cannot_be_destroyed, "327"),
    CASE(bytes_go_to_the_start_of_the_destination, ""),
    CASE(lists_are_copied_whole, ""),
    CASE(list_is_the_destination_of_one_job_at_a_time, ""),
    CASE(failed_job_leaves_its_list_empty, ""),
    CASE(refused_job_becomes_an_event, ""),
    CASE(device_errors_become_events, ""),
    CASE(call_of_a_second_thread_is_refused, ""),
    CASE(jobs_hold_their_buffers, ""),
    CASE(jobs_without_valid_type_or_buffers_are_refused, ""),
    CASE(attach_waits_for_a_slow_device, ""),
    CASE(properties_of_a_device, ""),
    CASE(remote_devices_are_representors, ""),
    CASE(armed_handle_wakes_a_sleeping_thread, ""),
    CASE(graph_runs_in_order_and_again, ""),
    CASE(jobs_of_a_graph_wait_for_a_list, ""),
    CASE(failing_node_fails_the_instance, ""),
    CASE(invalid_graph_calls_are_refused, ""),
    CASE(sub_graphs_run_as_nodes, ""),
    CASE(graph_without_edges, ""),
    CASE(node_that_does_not_return_fails, ""),
    CASE(files_of_three_versions_form_one_program, ""),
    CASE(export_and_import_between_two_processes, ""),
    CASE(each_thread_has_a_queue_on_one_context, ""),
    CASE(exhausted_arena_leaves_nothing_behind, ""),
    CASE(byte_counts_match_the_arena, ""),
    CASE(wrong_handles_are_refused, ""),
    CASE(destroy_of_null_follows_the_reference, ""),
};

TEST_MAIN(cases)
