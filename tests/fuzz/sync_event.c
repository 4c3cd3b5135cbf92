/* Forged descriptors of sync events of the software device. An event or a remote net that is
 * created from an accepted descriptor accesses the value of the exported event. */
#include "forge.h"

#include "event_rig.h"

static struct doca_dev *dev;
static struct doca_sync_event *events[2]; /* exported to the DPU, and to a remote net */
static const uint8_t *descs[2];
static size_t lens[2];

static void fuzz_set_up(void)
{
    dev = rig_open_dev(NULL);
    events[0] = event_alone(dev, true);
    CHECK_OK(doca_sync_event_export_to_dpu(events[0], dev, &descs[0], &lens[0]));
    CHECK_OK(doca_sync_event_create(&events[1]));
    CHECK_OK(doca_sync_event_add_publisher_location_remote_net(events[1]));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(events[1], dev));
    CHECK_OK(doca_sync_event_start(events[1]));
    CHECK_OK(doca_sync_event_export_to_remote_net(events[1], &descs[1], &lens[1]));
    CHECK_EQ(lens[0], sizeof(struct doca_priv_event_desc));
    CHECK_EQ(lens[1], lens[0]);
}

/* Add to the value through the import, and check the value of the exported event. */
static void add_through_import(struct doca_sync_event *import,
                               struct doca_sync_event_remote_net *net,
                               struct doca_sync_event *exporter)
{
    uint64_t add = 1 + fuzz_byte(), before = event_value(exporter), was = ~before, now = ~before;

    if (net != NULL) {
        CHECK_OK(doca_core_sync_event_remote_net_update_add(net, add, &was));
        CHECK_OK(doca_core_sync_event_remote_net_get(net, &now));
    } else {
        CHECK_OK(doca_sync_event_start(import));
        CHECK_OK(doca_sync_event_update_add(import, add, &was));
        CHECK_OK(doca_sync_event_get(import, &now));
    }
    CHECK_EQ(was, before);
    CHECK_EQ(now, before + add);
    CHECK_EQ(event_value(exporter), before + add);
}

/* True if a descriptor with this head may be accepted. */
static bool head_is_valid(const struct doca_priv_export *head,
                          const struct doca_priv_export *true_head)
{
    return memcmp(head->magic, true_head->magic, sizeof(head->magic)) == 0 &&
           head->version == true_head->version && head->pointer_bytes == sizeof(void *) &&
           head->bytes == true_head->bytes && head->pid == true_head->pid &&
           head->machine == true_head->machine && head->token == true_head->token;
}

static void fuzz_run_input(void)
{
    unsigned which = fuzz_byte(), base = which % 2, wanted = which / 2 % 2;
    struct doca_sync_event_remote_net *net = NULL;
    struct doca_sync_event *import = NULL;
    struct doca_priv_event_desc desc, true_desc;
    bool may_be_good, is_good;
    int fd = event_free_fd();
    struct forge f;
    doca_error_t rc;
    uint8_t *at;

    memcpy(&true_desc, descs[base], sizeof(true_desc));
    forge_begin(&f, descs[base], lens[base]);
    memcpy(&desc, f.bytes, sizeof(desc));
    forge_limit_pid(&desc.head, (uint32_t)getpid());
    memcpy(f.bytes, &desc, sizeof(desc));
    if ((f.flags & FORGE_SEALED) != 0)
        forge_seal(&f, 0, sizeof(desc));
    memcpy(&desc, f.bytes, sizeof(desc));
    may_be_good = forge_is_sealed(&f, sizeof(desc)) && desc.head.kind == 3 + wanted &&
                  head_is_valid(&desc.head, &true_desc.head);
    is_good = may_be_good && desc.fd == true_desc.fd; /* another fd may be a duplicate of it */
    at = fuzz_block(f.bytes, f.len);
    rc = wanted == 0 ? doca_sync_event_create_from_export(dev, at, f.len, &import)
                     : doca_sync_event_remote_net_create_from_export(dev, at, f.len, &net);
    fuzz_free(at);
    CHECK(rc == DOCA_SUCCESS ? may_be_good : !is_good);
    CHECK_EQ(import != NULL || net != NULL, rc == DOCA_SUCCESS);
    if (rc == DOCA_SUCCESS)
        add_through_import(import, net, events[base]);
    if (import != NULL)
        CHECK_OK(doca_sync_event_destroy(import));
    if (net != NULL)
        CHECK_OK(doca_sync_event_remote_net_destroy(net));
    CHECK_EQ(event_free_fd(), fd);
}
