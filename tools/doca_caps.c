/* List the devices and representors of this machine, and the capabilities of each device; or show
 * the statistics of a running process: doca_caps [OPTIONS]
 *
 * One walk over the devices passes each fact to a writer, which prints text or JSON. The
 * capabilities are a table of calls, `caps`: a new capability is one more line of it, and
 * tests/tools/test_caps.sh reports a missing line. */
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_CLOCK_IMPLEMENTATION
#define DOCA_CORE_COMCH_IMPLEMENTATION
#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "doca_core.h"
#include "compat/doca_core_clock.h"
#include "compat/doca_core_comch.h"
#include "compat/doca_core_rdma.h"
#include "doca_caps_output.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_USAGE 64

static const char usage[] =
    "usage: doca_caps [--list-devs] [--list-rep-devs] [--pci-addr ADDR] [--json]\n"
    "       doca_caps --stats PID [--json]\n";

static const char help[] =
    "Show the devices that this machine has for doca_core, what each of them can\n"
    "do, and its representors.\n"
    "\n"
    "  --list-devs           only the devices, not what they can do\n"
    "  --list-rep-devs       only the devices' representors\n"
    "  -p, --pci-addr ADDR   only devices of this address: 0000:03:00.0 or 03:00.0\n"
    "  --stats PID           instead, the tasks that a running process has submitted,\n"
    "                        completed and failed, for each context\n"
    "  --json                the same as JSON\n"
    "  -h, --help            this text\n"
    "\n"
    "A capability has the name of its call without is, get and supported: under\n"
    "dma, task_memcpy_max_buf_size is doca_dma_cap_task_memcpy_get_max_buf_size().\n"
    "Where a device has no answer stands the reason; in JSON it is NAME_reason,\n"
    "beside false, null or [] for NAME.\n"
    "\n"
    "A process has statistics if it was started with DOCA_CORE_STATS=1, or has called\n"
    "doca_core_stats_start(). Its user and root can read them. Tasks in flight are\n"
    "those of the latest doca_pe_progress().\n"
    "\n"
    "The environment chooses the devices of the software backend:\n"
    "  DOCA_CORE_SIDE         dpu, host or both\n"
    "  DOCA_CORE_SW_PROFILE   default, unlimited, bluefield2, bluefield3 or\n"
    "                         connectx7\n"
    "  DOCA_CORE_SW_TOPOLOGY  other devices, in the form that doca_core.h describes\n"
    "\n"
    "Exit status: 0; 1 on failure, also when no device has the address, or the\n"
    "process has no statistics; 64 on wrong arguments.\n";

/* ---- capabilities of a device ----------------------------------------------------------------
 * The calls of one library stand together. */

union call {
    doca_error_t (*is)(const struct doca_devinfo *);
    doca_error_t (*flag)(const struct doca_devinfo *, uint8_t *);
    doca_error_t (*count)(const struct doca_devinfo *, uint32_t *);
    doca_error_t (*size)(const struct doca_devinfo *, uint32_t *);
    doca_error_t (*bytes)(const struct doca_devinfo *, uint64_t *);
    doca_error_t (*sha_is)(const struct doca_devinfo *, enum doca_sha_algorithm);
    doca_error_t (*sha_bytes)(const struct doca_devinfo *, enum doca_sha_algorithm, uint32_t *);
    doca_error_t (*dma_tasks)(struct doca_dma *, uint32_t *);
    doca_error_t (*sha_tasks)(struct doca_sha *, uint32_t *);
    doca_error_t (*rdma_is)(const struct doca_devinfo *, enum doca_rdma_transport_type);
    doca_error_t (*rdma_count)(const struct doca_devinfo *, enum doca_rdma_transport_type,
                               uint32_t *);
};

enum signature { BY_is, BY_flag, BY_count, BY_size, BY_bytes, BY_sha_is, BY_sha_bytes,
                 BY_dma_tasks, BY_sha_tasks, BY_rdma_is, BY_rdma_count };

static const enum kind kinds[] = { YES_NO, YES_NO, COUNT, BYTES,  BYTES, YES_NO,
                                   BYTES,  COUNT,  COUNT, YES_NO, COUNT };

struct cap {
    const char *name;
    enum signature signature;
    union call call;
};

#define CAP(signature, function) { #function, BY_##signature, { .signature = function } }

static const struct cap caps[] = {
    CAP(flag, doca_devinfo_cap_is_hotplug_manager_supported),
    CAP(flag, doca_devinfo_cap_is_accelerate_resource_reclaim_supported),
    CAP(flag, doca_devinfo_cap_is_notification_moderation_supported),
    CAP(flag, doca_devinfo_rep_cap_is_filter_all_supported),
    CAP(flag, doca_devinfo_rep_cap_is_filter_net_supported),
    CAP(flag, doca_devinfo_rep_cap_is_filter_emulated_supported),
    CAP(flag, doca_mmap_cap_is_export_pci_supported),
    CAP(flag, doca_mmap_cap_is_create_from_export_pci_supported),
    CAP(is, doca_mmap_advise_cap_task_cache_invalidate_is_supported),
    CAP(count, doca_ctx_cap_get_num_completion_vectors),
    CAP(is, doca_dma_cap_task_memcpy_is_supported),
    CAP(bytes, doca_dma_cap_task_memcpy_get_max_buf_size),
    CAP(count, doca_dma_cap_task_memcpy_get_max_buf_list_len),
    CAP(dma_tasks, doca_dma_cap_get_max_num_tasks),
    CAP(sha_is, doca_sha_cap_task_hash_get_supported),
    CAP(sha_is, doca_sha_cap_task_partial_hash_get_supported),
    CAP(bytes, doca_sha_cap_get_max_src_buf_size),
    CAP(sha_bytes, doca_sha_cap_get_min_dst_buf_size),
    CAP(sha_bytes, doca_sha_cap_get_partial_hash_block_size),
    CAP(count, doca_sha_cap_get_max_list_buf_num_elem),
    CAP(sha_tasks, doca_sha_cap_get_max_num_tasks),
    CAP(is, doca_sync_event_cap_is_create_from_export_supported),
    CAP(is, doca_sync_event_cap_is_export_to_dpu_supported),
    CAP(is, doca_sync_event_cap_is_export_to_dpa_supported),
    CAP(is, doca_sync_event_cap_is_export_to_gpu_supported),
    CAP(is, doca_sync_event_cap_is_export_to_remote_net_supported),
    CAP(is, doca_sync_event_cap_remote_net_is_create_from_export_supported),
    CAP(is, doca_sync_event_cap_remote_net_is_export_to_dpa_supported),
    CAP(is, doca_sync_event_cap_remote_net_is_export_to_gpu_supported),
    CAP(is, doca_sync_event_cap_task_get_is_supported),
    CAP(is, doca_sync_event_cap_task_notify_set_is_supported),
    CAP(is, doca_sync_event_cap_task_notify_add_is_supported),
    CAP(is, doca_sync_event_cap_task_wait_gt_is_supported),
    CAP(is, doca_sync_event_cap_task_wait_eq_is_supported),
    CAP(is, doca_sync_event_cap_task_wait_neq_is_supported),
    CAP(is, doca_clock_cap_nic_free_running_is_supported),
    CAP(is, doca_clock_cap_nic_real_time_is_supported),
    CAP(is, doca_clock_cap_nic_dpa_timer_is_supported),
    CAP(is, doca_comch_cap_server_is_supported),
    CAP(is, doca_comch_cap_client_is_supported),
    CAP(size, doca_comch_cap_get_max_name_len),
    CAP(size, doca_comch_cap_get_max_msg_size),
    CAP(count, doca_comch_cap_get_max_recv_queue_size),
    CAP(count, doca_comch_cap_get_max_send_tasks),
    CAP(count, doca_comch_cap_get_max_clients),
    CAP(is, doca_comch_consumer_cap_is_supported),
    CAP(count, doca_comch_consumer_cap_get_max_num_tasks),
    CAP(size, doca_comch_consumer_cap_get_max_buf_size),
    CAP(count, doca_comch_consumer_cap_get_max_buf_list_len),
    CAP(count, doca_comch_consumer_cap_get_max_consumers),
    CAP(size, doca_comch_consumer_cap_get_max_imm_data_len),
    CAP(is, doca_comch_producer_cap_is_supported),
    CAP(count, doca_comch_producer_cap_get_max_num_tasks),
    CAP(size, doca_comch_producer_cap_get_max_buf_size),
    CAP(count, doca_comch_producer_cap_get_max_buf_list_len),
    CAP(count, doca_comch_producer_cap_get_max_producers),
    CAP(rdma_is, doca_rdma_cap_transport_type_is_supported),
    CAP(is, doca_rdma_cap_task_receive_is_supported),
    CAP(rdma_count, doca_rdma_cap_task_receive_get_max_dst_buf_list_len),
    CAP(is, doca_rdma_cap_task_send_is_supported),
    CAP(is, doca_rdma_cap_task_send_imm_is_supported),
    CAP(is, doca_rdma_cap_task_read_is_supported),
    CAP(is, doca_rdma_cap_task_write_is_supported),
    CAP(is, doca_rdma_cap_task_write_imm_is_supported),
    CAP(is, doca_rdma_cap_task_atomic_cmp_swp_is_supported),
    CAP(is, doca_rdma_cap_task_atomic_fetch_add_is_supported),
    CAP(is, doca_rdma_cap_task_remote_net_sync_event_get_is_supported),
    CAP(is, doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported),
    CAP(is, doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported),
    CAP(count, doca_rdma_cap_get_max_recv_queue_size),
    CAP(count, doca_rdma_cap_get_max_send_queue_size),
    CAP(count, doca_rdma_cap_get_max_send_buf_list_len),
    CAP(size, doca_rdma_cap_get_max_message_size),
    CAP(count, doca_rdma_cap_get_gid_table_size),
};

#define NUM(array) (sizeof(array) / sizeof((array)[0]))

/* A value for the second argument of a call, and the suffix of its key. */
struct variant {
    unsigned value;
    const char *suffix; /* the last variant has the longest suffix */
};

static const struct variant algorithms[] = {
    { DOCA_SHA_ALGORITHM_SHA1, "_SHA1" },
    { DOCA_SHA_ALGORITHM_SHA256, "_SHA256" },
    { DOCA_SHA_ALGORITHM_SHA512, "_SHA512" },
};
static const struct variant transports[] = {
    { DOCA_RDMA_TRANSPORT_TYPE_RC, "_RC" },
    { DOCA_RDMA_TRANSPORT_TYPE_DC, "_DC" },
};
static const struct variant no_variant[] = { { 0, "" } };

struct name {
    char text[64];
};

/* Return the library in a call's name: "dma" of doca_dma_cap_task_memcpy_is_supported. */
static struct name library_of(const struct cap *cap)
{
    const char *from = cap->name + sizeof("doca_") - 1;
    struct name name;

    snprintf(name.text, sizeof(name.text), "%.*s", (int)(strstr(from, "_cap_") - from), from);
    return name;
}

/* True for the words "is", "supported" and "get" of a call's name, which are not part of the key.
 * In task_get_is_supported, "get" is the name of a task and stays. */
static bool is_dropped(const char *word, size_t len)
{
    static const char *const dropped[] = { "is", "supported", "get" };
    size_t i;

    for (i = 0; i < NUM(dropped); i++)
        if (strlen(dropped[i]) == len && memcmp(dropped[i], word, len) == 0)
            return strncmp(word, "get_is_", 7) != 0;
    return false;
}

/* Return the key for a call: "task_memcpy" for doca_dma_cap_task_memcpy_is_supported. */
static struct name key_of(const struct cap *cap, const char *suffix)
{
    const char *word = strstr(cap->name, "_cap_") + sizeof("_cap_") - 1;
    struct name name = { "" };
    size_t len, at = 0;

    for (; *word != '\0'; word += len + (word[len] == '_')) {
        len = strcspn(word, "_");
        if (!is_dropped(word, len))
            at += (size_t)snprintf(name.text + at, sizeof(name.text) - at, "%s%.*s",
                                   at > 0 ? "_" : "", (int)len, word);
    }
    snprintf(name.text + at, sizeof(name.text) - at, "%s%s", at > 0 ? "" : "supported", suffix);
    return name;
}

static const struct variant *variants_of(const struct cap *cap, size_t *num)
{
    const bool is_of_sha = cap->signature == BY_sha_is || cap->signature == BY_sha_bytes;
    const bool is_of_rdma = cap->signature == BY_rdma_is || cap->signature == BY_rdma_count;

    *num = is_of_sha ? NUM(algorithms) : is_of_rdma ? NUM(transports) : NUM(no_variant);
    return is_of_sha ? algorithms : is_of_rdma ? transports : no_variant;
}

/* Query a capability that is a property of a context. The context exists only for this call. */
static doca_error_t ask_dma(struct doca_dev *dev, const struct cap *cap, uint32_t *number)
{
    struct doca_dma *dma;
    doca_error_t rc = doca_dma_create(dev, &dma);

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = cap->call.dma_tasks(dma, number);
    DOCA_ERROR_PROPAGATE(rc, doca_dma_destroy(dma));
    return rc;
}

static doca_error_t ask_sha(struct doca_dev *dev, const struct cap *cap, uint32_t *number)
{
    struct doca_sha *sha;
    doca_error_t rc = doca_sha_create(dev, &sha);

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = cap->call.sha_tasks(sha, number);
    DOCA_ERROR_PROPAGATE(rc, doca_sha_destroy(sha));
    return rc;
}

/* `opened` is the result of opening the device; `variant` is for the capabilities that take an
 * algorithm or a transport. */
static struct fact ask(const struct cap *cap, const struct doca_devinfo *devinfo,
                       struct doca_dev *dev, const struct fact *opened, unsigned variant)
{
    const enum doca_rdma_transport_type transport = (enum doca_rdma_transport_type)variant;
    const enum doca_sha_algorithm algorithm = (enum doca_sha_algorithm)variant;
    struct fact fact = *opened;
    uint32_t count = 0;
    uint8_t flag = 0;
    uint64_t bytes = 0;

    fact.kind = kinds[cap->signature];
    switch (cap->signature) {
    case BY_is:
        outcome(&fact, cap->call.is(devinfo));
        flag = 1;
        break;
    case BY_flag:
        outcome(&fact, cap->call.flag(devinfo, &flag));
        break;
    case BY_count:
        outcome(&fact, cap->call.count(devinfo, &count));
        break;
    case BY_size:
        outcome(&fact, cap->call.size(devinfo, &count));
        break;
    case BY_bytes:
        outcome(&fact, cap->call.bytes(devinfo, &bytes));
        break;
    case BY_sha_is:
        outcome(&fact, cap->call.sha_is(devinfo, algorithm));
        flag = 1;
        break;
    case BY_sha_bytes:
        outcome(&fact, cap->call.sha_bytes(devinfo, algorithm, &count));
        break;
    case BY_dma_tasks:
        if (opened->rc == DOCA_SUCCESS)
            outcome(&fact, ask_dma(dev, cap, &count));
        break;
    case BY_sha_tasks:
        if (opened->rc == DOCA_SUCCESS)
            outcome(&fact, ask_sha(dev, cap, &count));
        break;
    case BY_rdma_is:
        outcome(&fact, cap->call.rdma_is(devinfo, transport));
        flag = 1;
        break;
    case BY_rdma_count:
        outcome(&fact, cap->call.rdma_count(devinfo, transport, &count));
        break;
    }
    fact.number = bytes + count + flag; /* at most one of them was set */
    return fact;
}

/* Print the results of the calls [from, to), which belong to one library. */
static void put_library(size_t from, size_t to, const struct doca_devinfo *devinfo,
                        struct doca_dev *dev, const struct fact *opened)
{
    struct name library = library_of(&caps[from]);
    const struct variant *variants;
    int width = 0;
    size_t i, v, num;

    for (i = from; i < to; i++) {
        int len;

        variants = variants_of(&caps[i], &num);
        len = (int)strlen(key_of(&caps[i], variants[num - 1].suffix).text);
        width = len > width ? len : width;
    }
    begin(library.text, library.text, '{');
    for (i = from; i < to; i++) {
        variants = variants_of(&caps[i], &num);
        for (v = 0; v < num; v++) {
            struct fact fact = ask(&caps[i], devinfo, dev, opened, variants[v].value);

            put_fact(key_of(&caps[i], variants[v].suffix).text, width, &fact);
        }
    }
    end(library.text, '}');
}

static void put_caps(const struct doca_devinfo *devinfo, struct doca_dev *dev,
                     const struct fact *opened)
{
    size_t from, to;

    begin("caps", NULL, '{');
    for (from = 0; from < NUM(caps); from = to) {
        struct name library = library_of(&caps[from]);

        for (to = from + 1; to < NUM(caps); to++)
            if (strcmp(library_of(&caps[to]).text, library.text) != 0)
                break;
        put_library(from, to, devinfo, dev, opened);
    }
    end(NULL, '}');
}

/* ---- properties of a device ------------------------------------------------------------------ */

#define WIDTH ((int)sizeof("export_rdma")) /* of the keys in the two parts below, and one space */

static const char *func_type_name(enum doca_pci_func_type type)
{
    return type == DOCA_PCI_FUNC_TYPE_PF   ? "PF"
           : type == DOCA_PCI_FUNC_TYPE_VF ? "VF"
           : type == DOCA_PCI_FUNC_TYPE_SF ? "SF"
                                           : "unknown";
}

static const char *side_name(enum doca_core_side side)
{
    return side == DOCA_CORE_SIDE_BOTH   ? "both"
           : side == DOCA_CORE_SIDE_DPU  ? "dpu"
           : side == DOCA_CORE_SIDE_HOST ? "host"
                                         : "unknown";
}

static void put_addresses(const struct doca_devinfo *devinfo)
{
    static const struct {
        const char *key;
        doca_error_t (*get)(const struct doca_devinfo *, uint8_t *, uint32_t);
        int family;
    } addresses[] = {
        { "mac_addr", doca_devinfo_get_mac_addr, AF_UNSPEC },
        { "ipv4_addr", doca_devinfo_get_ipv4_addr, AF_INET },
        { "ipv6_addr", doca_devinfo_get_ipv6_addr, AF_INET6 },
    };
    size_t i;

    for (i = 0; i < NUM(addresses); i++) {
        struct fact fact = { TEXT, DOCA_SUCCESS, DOCA_CORE_ITEM_NONE, 0, "" };
        uint8_t b[DOCA_DEVINFO_IPV6_ADDR_SIZE] = { 0 };

        outcome(&fact, addresses[i].get(devinfo, b, sizeof(b)));
        if (addresses[i].family == AF_UNSPEC)
            snprintf(fact.text, sizeof(fact.text), "%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1],
                     b[2], b[3], b[4], b[5]);
        else
            inet_ntop(addresses[i].family, b, fact.text, sizeof(fact.text));
        put_fact(addresses[i].key, WIDTH, &fact);
    }
}

/* Print the properties of a device. Where the vendor has no call for a property, it is read from
 * the structures of the library. */
static void put_properties(const struct doca_devinfo *devinfo)
{
    struct fact fact = { TEXT, DOCA_SUCCESS, DOCA_CORE_ITEM_NONE, 0, "" };
    uint16_t lid = 0;

    put_words("backend", WIDTH, devinfo->backend->name);
    put_words("side", WIDTH, side_name(devinfo->attr.side));
    put_words("func_type", WIDTH, func_type_name(devinfo->attr.func_type));
    outcome(&fact, doca_devinfo_get_iface_name(devinfo, fact.text, DOCA_DEVINFO_IFACE_NAME_SIZE));
    put_fact("iface_name", WIDTH, &fact);
    put_addresses(devinfo);
    fact.kind = COUNT;
    outcome(&fact, doca_devinfo_get_lid(devinfo, &lid));
    fact.number = lid;
    put_fact("lid", WIDTH, &fact);
    put_yes_no("export_rdma", WIDTH, devinfo->attr.limits.has_rdma);
    put_yes_no("dmabuf", WIDTH, devinfo->attr.limits.has_dmabuf);
}

/* ---- its representors ------------------------------------------------------------------------ */

static void put_representor(const struct doca_devinfo_rep *rep)
{
    char pci_addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE] = "";
    struct fact fact = { TEXT, DOCA_SUCCESS, DOCA_CORE_ITEM_NONE, 0, "" };
    enum doca_pci_func_type type = DOCA_PCI_FUNC_TYPE_PF;
    uint8_t is_hotplug = 0;

    outcome(&fact, doca_devinfo_rep_get_pci_addr_str(rep, pci_addr));
    snprintf(fact.text, sizeof(fact.text), "%s", pci_addr);
    begin(NULL, pci_addr[0] != '\0' ? pci_addr : "at an unknown address", '{');
    if (as_json)
        put_fact("pci_addr", 0, &fact);
    outcome(&fact, doca_devinfo_rep_get_pci_func_type(rep, &type));
    snprintf(fact.text, sizeof(fact.text), "%s", func_type_name(type));
    put_fact("func_type", WIDTH, &fact);
    outcome(&fact, doca_devinfo_rep_get_vuid(rep, fact.text, DOCA_DEVINFO_REP_VUID_SIZE));
    put_fact("vuid", WIDTH, &fact);
    fact.kind = YES_NO;
    outcome(&fact, doca_devinfo_rep_get_is_hotplug(rep, &is_hotplug));
    fact.number = is_hotplug;
    put_fact("is_hotplug", WIDTH, &fact);
    end(pci_addr, '}');
}

/* List the representors by the widest filter that the device takes. */
static void put_representors(struct doca_dev *dev, const struct fact *opened)
{
    static const int filters[] = { DOCA_DEVINFO_REP_FILTER_ALL,
                                   DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED,
                                   DOCA_DEVINFO_REP_FILTER_NET, DOCA_DEVINFO_REP_FILTER_EMULATED };
    struct doca_devinfo_rep **list;
    struct fact fact = *opened;
    uint32_t num = 0, i;
    size_t f;

    fact.kind = LIST;
    for (f = 0; f < NUM(filters) && opened->rc == DOCA_SUCCESS; f++) {
        outcome(&fact, doca_devinfo_rep_create_list(dev, filters[f], &list, &num));
        if (fact.rc == DOCA_SUCCESS)
            break;
    }
    if (fact.rc != DOCA_SUCCESS) {
        put_fact("representors", WIDTH, &fact);
        return;
    }
    begin("representors", num > 0 ? "representors" : "representors none at present", '[');
    for (i = 0; i < num; i++)
        put_representor(list[i]);
    end("", ']');
    (void)doca_devinfo_rep_destroy_list(list);
}

/* ---- all devices ----------------------------------------------------------------------------- */

/* Several functions may share a PCI address; address and IB device name together identify a
 * function on one side. */
struct identity {
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char ibdev_name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    char both[DOCA_DEVINFO_PCI_ADDR_SIZE + DOCA_DEVINFO_IBDEV_NAME_SIZE + 1];
};

static struct identity identity_of(const struct doca_devinfo *devinfo)
{
    struct identity id = { "", "", "" };

    (void)doca_devinfo_get_pci_addr_str(devinfo, id.pci_addr);
    (void)doca_devinfo_get_ibdev_name(devinfo, id.ibdev_name, sizeof(id.ibdev_name));
    snprintf(id.both, sizeof(id.both), "%s%s%s", id.pci_addr, id.ibdev_name[0] != '\0' ? "  " : "",
             id.ibdev_name);
    return id;
}

struct options {
    bool wants_devs;
    bool wants_caps;
    bool wants_reps;
    const char *pci_addr; /* NULL: any */
    unsigned stats_of;    /* process whose statistics are shown; 0: show devices */
};

static void put_device(struct doca_devinfo *devinfo, const struct options *options)
{
    struct fact opened = { COUNT, DOCA_SUCCESS, DOCA_CORE_ITEM_NONE, 0, "" };
    struct identity id = identity_of(devinfo);
    struct doca_dev *dev = NULL;

    if (!as_json)
        put("\n");
    begin(NULL, id.both, '{');
    if (as_json) {
        put_words("pci_addr", 0, id.pci_addr);
        put_words("ibdev_name", 0, id.ibdev_name);
    }
    if (options->wants_devs)
        put_properties(devinfo);
    if (options->wants_caps || options->wants_reps)
        outcome(&opened, doca_dev_open(devinfo, &dev));
    if (options->wants_caps)
        put_caps(devinfo, dev, &opened);
    if (options->wants_reps)
        put_representors(dev, &opened);
    if (dev != NULL)
        (void)doca_dev_close(dev);
    end(id.both, '}');
}

/* True when the user asked for this device. */
static bool is_wanted(const struct doca_devinfo *devinfo, const char *pci_addr)
{
    uint8_t is_equal = 1;

    if (pci_addr != NULL &&
        doca_devinfo_is_equal_pci_addr(devinfo, pci_addr, &is_equal) != DOCA_SUCCESS)
        die(EXIT_USAGE, "--pci-addr %s: %s", pci_addr, doca_core_item_text(doca_core_last_item()));
    return is_equal != 0;
}

static void die_of_no_device(struct doca_devinfo **list, uint32_t num, const char *pci_addr)
{
    uint32_t i;

    out = stderr;
    put("doca_caps: no device has the PCI address %s; %s\n", pci_addr,
        num > 0 ? "these exist:" : "there is no device at all");
    for (i = 0; i < num; i++) {
        put("  ");
        put_text(identity_of(list[i]).both);
        put("\n");
    }
    exit(EXIT_FAILURE);
}

static void put_all(struct doca_devinfo **list, uint32_t num, const struct options *options)
{
    uint32_t i, num_wanted = 0;
    char version[64], api[64];

    for (i = 0; i < num; i++)
        num_wanted += is_wanted(list[i], options->pci_addr);
    if (options->pci_addr != NULL && num_wanted == 0)
        die_of_no_device(list, num, options->pci_addr);
    snprintf(version, sizeof(version), "%d.%d.%d", DOCA_CORE_VERSION_MAJOR,
             DOCA_CORE_VERSION_MINOR, DOCA_CORE_VERSION_PATCH);
    snprintf(api, sizeof(api), "%d.%d.%d", DOCA_CORE_API / 10000, DOCA_CORE_API / 100 % 100,
             DOCA_CORE_API % 100);
    if (as_json) {
        put("{");
        depth++;
        put_words("doca_core", 0, version);
        put_words("doca_api", 0, api);
    } else {
        put("doca_core %s, DOCA API %s: %" PRIu32 " device%s\n", version, api, num_wanted,
            num_wanted == 1 ? "" : "s");
    }
    begin("devices", NULL, '[');
    for (i = 0; i < num; i++)
        if (is_wanted(list[i], options->pci_addr))
            put_device(list[i], options);
    end(NULL, ']');
    if (as_json)
        put("\n}\n");
    written(fflush(stdout));
    written(fclose(stdout));
}

#include "doca_caps_stats.h"

/* ---- the command line ------------------------------------------------------------------------ */

__attribute__((format(printf, 1, 2))) static void die_of_usage(const char *format, ...)
{
    va_list args;

    fputs("doca_caps: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n%sdoca_caps --help says more\n", usage);
    exit(EXIT_USAGE);
}

static unsigned read_pid(const char *word)
{
    const size_t len = strspn(word, "0123456789");
    unsigned long pid = 0;

    if (len > 0 && len < 11 && word[len] == '\0')
        pid = strtoul(word, NULL, 10);
    if (pid == 0 || pid > INT32_MAX)
        die_of_usage("--stats %s: not the number of a process", word);
    return (unsigned)pid;
}

static struct options read_options(int argc, char **argv)
{
    static const char pci_addr[] = "--pci-addr=", stats[] = "--stats=";
    struct options options = { false, false, false, NULL, 0 };
    int i;

    for (i = 1; i < argc; i++) {
        const char *word = argv[i];

        if (strcmp(word, "--list-devs") == 0) {
            options.wants_devs = true;
        } else if (strcmp(word, "--list-rep-devs") == 0) {
            options.wants_reps = true;
        } else if (strcmp(word, "--json") == 0) {
            as_json = true;
        } else if (strcmp(word, "-p") == 0 || strcmp(word, "--pci-addr") == 0) {
            if (i + 1 == argc)
                die_of_usage("%s needs a PCI address", word);
            options.pci_addr = argv[++i];
        } else if (strncmp(word, pci_addr, sizeof(pci_addr) - 1) == 0) {
            options.pci_addr = word + sizeof(pci_addr) - 1;
        } else if (strcmp(word, "--stats") == 0) {
            if (i + 1 == argc)
                die_of_usage("%s needs the number of a process", word);
            options.stats_of = read_pid(argv[++i]);
        } else if (strncmp(word, stats, sizeof(stats) - 1) == 0) {
            options.stats_of = read_pid(word + sizeof(stats) - 1);
        } else if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
            put("%s\n%s", usage, help);
            written(fflush(stdout));
            exit(EXIT_SUCCESS);
        } else {
            die_of_usage("%s: %s", word, word[0] == '-' ? "unknown option" : "not an option");
        }
    }
    if (options.stats_of != 0 &&
        (options.wants_devs || options.wants_reps || options.pci_addr != NULL))
        die_of_usage("--stats is not for devices");
    if (!options.wants_devs && !options.wants_reps)
        options.wants_devs = options.wants_caps = options.wants_reps = true;
    return options;
}

int main(int argc, char **argv)
{
    struct doca_devinfo **list = NULL;
    struct options options;
    uint32_t num = 0;
    doca_error_t rc;

    out = stdout;
    options = read_options(argc, argv);
    if (options.stats_of != 0) {
        put_stats(options.stats_of);
        return EXIT_SUCCESS;
    }
    rc = doca_devinfo_create_list(&list, &num);
    /* NOT_FOUND: this side has no devices, so there is nothing to list */
    if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_NOT_FOUND)
        die(EXIT_FAILURE, "%s", doca_core_last_error());
    /* the log has reported bad settings in the environment; later failures are printed with their
     * device */
    (void)doca_core_log_set_level(DOCA_CORE_LOG_DISABLE);
    put_all(list, num, &options);
    if (list != NULL)
        (void)doca_devinfo_destroy_list(list);
    return EXIT_SUCCESS;
}
