/* The arguments of the device process. They describe the machine. */
#define _GNU_SOURCE
#include "device/process/options.h"
#include "device/machine/capture.h"
#include "device/machine/eswitch.h"
#include "device/machine/fault.h"
#include "device/machine/log.h"
#include "device/machine/machine.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE_ = 64, MAX_FAULTS = 64 };

static const char *faults[MAX_FAULTS];
static unsigned num_faults;

/* Device ids, types and firmware releases are public. The ids of board and subsystem belong to one
 * product of each type. */
static const struct sim_card cards[] = {
    {'b', 3, 0xa2dc, 0x0009, 32, 1, "MT41692", "MT_0000000884", "32.0 GT/s PCIe", true},
    {'b', 2, 0xa2d6, 0x0058, 24, 0, "MT41686", "MT_0000000765", "16.0 GT/s PCIe", true},
    {'c', 6, 0x101b, 0x0006, 20, 0, "MT4123", "MT_0000000223", "16.0 GT/s PCIe", false},
    {'c', 7, 0x1021, 0x0023, 28, 0, "MT4129", "MT_0000000838", "32.0 GT/s PCIe", false},
};

static bool read_number(const char *text, unsigned long max, unsigned long *value)
{
    char *end;

    errno = 0;
    *value = strtoul(text, &end, 0);
    return errno == 0 && *text >= '0' && *text <= '9' && *end == '\0' && *value <= max;
}

/* Returns the card that the value of --bluefield or --connectx selects; NULL for an unknown
 * value. */
static const struct sim_card *read_card(int option, const char *text)
{
    unsigned long number;
    size_t i;

    for (i = 0; i < sizeof(cards) / sizeof(cards[0]); i++)
        if (cards[i].option == option && read_number(text, 99, &number) &&
            number == cards[i].number)
            return &cards[i];
    return NULL;
}

/* Sets the limits. They come from public documents of the cards. */
static void profile_init(struct sim_profile *profile, const struct sim_card *card)
{
    *profile = (struct sim_profile){
        .card = card,
        .log_max_qp = 17,
        .log_max_cq = 24,
        .log_max_srq = 23,
        .log_max_pd = 23,
        .log_max_qp_sz = 15,
        .log_max_cq_sz = 22,
        .log_max_srq_sz = 15,
        .log_max_msg = 30,
        .log_dma_mmo_max_size = 21,
        .log_sha_mmo_max_size = 21,
        .max_sge = 30,
        .max_srq_sge = 31,
        .max_sq_desc = 1024,
        .max_rq_desc = 512,
        .max_rd_atomic = 16,
        .num_comp_vectors = 4,
        .core_clock_khz = 1000000,
    };
}

static void function_init(struct sim_function *function, unsigned index)
{
    static const uint8_t link_local[8] = {0xfe, 0x80};
    unsigned i;

    memset(function, 0, sizeof(*function));
    function->index = index;
    snprintf(function->name, sizeof(function->name), "mlx5_%u", index);
    snprintf(function->pci, sizeof(function->pci), "0000:03:00.%u", index % 8);
    snprintf(function->netdev, sizeof(function->netdev), "p%u", index);
    function->port = index % 8;
    function->vf = function->sf = -1;
    function->vhca_id = (uint16_t)(index + 1);
    function->lid = (uint16_t)(index + 1);
    function->sys_image_guid = 0x5c25730300aa0000u;
    function->node_guid = function->sys_image_guid + index;
    memcpy(function->mac, "\x5c\x25\x73\xaa\x00", 5);
    function->mac[5] = (uint8_t)index;
    memcpy(function->gid, link_local, 8);
    for (i = 0; i < 8; i++)
        function->gid[8 + i] = (uint8_t)(function->node_guid >> (56 - 8 * i));
}

static int usage_error(const char *text, const char *what)
{
    fprintf(stderr, "mlx5sim: %s: %s\n", what, text);
    return EXIT_USAGE_;
}

static bool read_pci(const char *text, char *out, size_t bytes)
{
    unsigned domain = 0, bus, slot, function;
    char rest;

    if (sscanf(text, "%4x:%2x:%2x.%1x%c", &domain, &bus, &slot, &function, &rest) != 4 &&
        (domain = 0, sscanf(text, "%2x:%2x.%1x%c", &bus, &slot, &function, &rest) != 3))
        return false;
    if (domain > 0xffff || slot > 31 || function > 7)
        return false;
    snprintf(out, bytes, "%04x:%02x:%02x.%x", domain & 0xffff, bus & 0xff, slot & 31, function & 7);
    return true;
}

static bool read_name(const char *text, char *out, size_t bytes)
{
    size_t len = strlen(text);

    if (len == 0 || len >= bytes || strspn(text, "abcdefghijklmnopqrstuvwxyz"
                                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != len)
        return false;
    memcpy(out, text, len + 1);
    return true;
}

/* Reads one key=value of --device. Returns false for an unknown key or an invalid value. */
static bool read_device_key(struct sim_function *function, char *key, const char *value)
{
    unsigned long n;

    if (strcmp(key, "name") == 0)
        return read_name(value, function->name, sizeof(function->name));
    if (strcmp(key, "netdev") == 0)
        return read_name(value, function->netdev, sizeof(function->netdev));
    if (strcmp(key, "pci") == 0)
        return read_pci(value, function->pci, sizeof(function->pci));
    if (strcmp(key, "vhca") == 0 && read_number(value, 0xffff, &n)) {
        function->vhca_id = (uint16_t)n;
        return true;
    }
    if (strcmp(key, "ip") == 0)
        return inet_pton(AF_INET, value, &function->ipv4) == 1 && function->ipv4 != 0;
    if (strcmp(key, "host") == 0 && read_number(value, 1, &n)) {
        function->host = n == 1;
        return true;
    }
    if (strcmp(key, "port") == 0 && read_number(value, 7, &n)) {
        function->port = (unsigned)n;
        return true;
    }
    if (strcmp(key, "vf") == 0 && function->sf < 0 && read_number(value, 255, &n)) {
        function->vf = (int)n;
        return true;
    }
    if (strcmp(key, "sf") == 0 && function->vf < 0 && read_number(value, 99999, &n)) {
        function->sf = (int)n;
        return true;
    }
    return false;
}

/* Returns the PF of a VF or SF: the PF of the same port and side. NULL when the machine has no such
 * PF. */
static const struct sim_function *parent_of(const struct sim_function *function)
{
    unsigned i;

    for (i = 0; i < machine.num_functions; i++) {
        const struct sim_function *other = &machine.functions[i];

        if (other->vf < 0 && other->sf < 0 && other->host == function->host &&
            other->port == function->port)
            return other;
    }
    return NULL;
}

/* Sets the properties that the keys have not set; `has` says whether pci, netdev and port were
 * given. PFs are placed on the ports in order, VFs and SFs on the first port. Functions of the host
 * get PCI addresses on another bus. */
static int complete_device(struct sim_function *function, const bool has[3], const char *spec)
{
    bool is_pf = function->vf < 0 && function->sf < 0;
    const struct sim_function *parent;
    unsigned i, hosts = 0, pfs = 0;

    for (i = 0; i < machine.num_functions; i++) {
        hosts += machine.functions[i].host;
        pfs += machine.functions[i].vf < 0 && machine.functions[i].sf < 0 &&
               machine.functions[i].host == function->host;
    }
    if (!has[2])
        function->port = is_pf ? pfs % 8 : 0;
    parent = is_pf ? NULL : parent_of(function);
    if (!is_pf && parent == NULL)
        return usage_error("the PF of this VF or SF must be given before it", spec);
    if (function->host && !has[0])
        snprintf(function->pci, sizeof(function->pci), "0000:0b:00.%u", hosts % 8);
    if (function->sf >= 0)
        /* analyzer: core.NonNullParamChecker,analyzer-null-dereference: an SF has a parent here */
        memcpy(function->pci, parent->pci, sizeof(parent->pci));
    if (function->host && !has[1])
        snprintf(function->netdev, sizeof(function->netdev), "enp11s0f%u", hosts % 8);
    if (function->sf >= 0 && !has[1])
        snprintf(function->netdev, sizeof(function->netdev), "enp%us0f%us%u",
                 function->host ? 11u : 3u, function->port % 8, (unsigned)function->sf % 100000);
    return 0;
}

static int read_device(char *spec)
{
    struct sim_function *function = &machine.functions[machine.num_functions];
    char *item, *value, *rest = spec;
    bool has[3] = {false, false, false};        /* pci, netdev, port */
    int err;

    if (machine.num_functions == SIM_MAX_FUNCTIONS)
        return usage_error("too many devices", spec);
    function_init(function, machine.num_functions);
    while ((item = strsep(&rest, ",")) != NULL) {
        value = strchr(item, '=');
        if (value == NULL)
            return usage_error("--device takes name=,pci=,vhca=,netdev=,ip=,host=0|1,port=,vf=,sf=",
                               item);
        *value++ = '\0';
        has[0] |= strcmp(item, "pci") == 0;
        has[1] |= strcmp(item, "netdev") == 0;
        has[2] |= strcmp(item, "port") == 0;
        if (!read_device_key(function, item, value))
            return usage_error("--device: unknown key, or invalid value of a key", item);
    }
    err = complete_device(function, has, function->name);
    if (err == 0)
        machine.num_functions++;
    return err;
}

/* True when two functions have the same PCI address or the same port, VF and SF number. SFs share
 * the PCI address of their PF. */
static bool is_same_function(const struct sim_function *a, const struct sim_function *b)
{
    if (a->sf < 0 && b->sf < 0 && strcmp(a->pci, b->pci) == 0)
        return true;
    return a->host == b->host && a->port == b->port && a->vf == b->vf && a->sf == b->sf;
}

static bool is_ipv4_used(uint32_t ipv4)
{
    unsigned i;

    for (i = 0; i < machine.num_functions; i++)
        if (machine.functions[i].ipv4 == ipv4)
            return true;
    return false;
}

/* Gives an address to each function without ip=. The addresses are loopback addresses, so that
 * sockets of the host can use them without any set-up. */
static void complete_addresses(void)
{
    unsigned i, last = 1;

    for (i = 0; i < machine.num_functions; i++) {
        if (machine.functions[i].ipv4 != 0)
            continue;
        while (is_ipv4_used(htonl(SIM_LOOPBACK_IPV4 + last)))
            last++;
        machine.functions[i].ipv4 = htonl(SIM_LOOPBACK_IPV4 + last);
    }
}

/* Checks that names, PCI addresses, vhca ids and addresses are unique, because programs identify
 * devices by them. Functions may share an interface. */
static int check_functions(void)
{
    char netdev[24];
    unsigned i, j;

    for (i = 0; i < machine.num_functions; i++) {
        struct sim_function *a = &machine.functions[i], *b;

        for (j = 0; j < machine.num_functions; j++) {
            b = &machine.functions[j];
            esw_netdev(b, netdev);
            if (esw_manager(b) != NULL && strcmp(a->netdev, netdev) == 0)
                return usage_error("a representor has the same netdev as this device", a->name);
            if (j < i && (strcmp(a->name, b->name) == 0 || is_same_function(a, b) ||
                          a->vhca_id == b->vhca_id || a->ipv4 == b->ipv4))
                return usage_error("another device has the same name, PCI address, vhca id, ip, or "
                                   "port, vf and sf", a->name);
        }
    }
    return 0;
}

static int read_link(const char *text, bool *ethernet)
{
    *ethernet = strcmp(text, "ethernet") == 0;
    if (!*ethernet && strcmp(text, "infiniband") != 0)
        return usage_error("--link must be infiniband or ethernet", text);
    return 0;
}

/* Sets the addresses of a RoCE port. It has no LID. Its link-local GID is made from the MAC. */
static void make_ethernet(struct sim_function *function)
{
    const uint8_t *mac = function->mac;
    const uint8_t id[8] = {mac[0] ^ 2, mac[1], mac[2], 0xff, 0xfe, mac[3], mac[4], mac[5]};

    memcpy(function->gid + 8, id, 8);
    function->lid = 0;
}

static int read_doorbells(const char *text)
{
    if (strcmp(text, "sync") == 0)
        machine.doorbells = SIM_DOORBELLS_SYNC;
    else if (strcmp(text, "async") == 0)
        machine.doorbells = SIM_DOORBELLS_ASYNC;
    else if (strcmp(text, "poll") == 0)
        machine.doorbells = SIM_DOORBELLS_POLL;
    else
        return usage_error("--doorbells must be sync, async or poll", text);
    return 0;
}

struct options {
    unsigned long devices, log_keys, cm_timeout_ms, test_and_set;
    const struct sim_card *card;
    bool has_devices, no_mmo, sha, ethernet, trace;
    const char *log, *pcap;
    unsigned kek_bytes;
    uint8_t kek[32], credential[SIM_CREDENTIAL_BYTES];
};

/* Reads hexadecimal digits up to `end`. Returns the number of bytes; 0 when they are more than
 * `room`, or when the text has other characters. */
static unsigned read_hex(const char *text, const char *end, uint8_t *bytes, unsigned room)
{
    unsigned num = 0, value;
    int used;

    for (; text + 1 < end && num < room; text += 2)
        if (sscanf(text, "%2x%n", &value, &used) != 1 || used != 2 || *text == ' ')
            return 0;
        else
            bytes[num++] = (uint8_t)value;
    return text == end ? num : 0;
}

/* Reads the import KEK and the credential of a device in wrapped mode, separated by a comma. */
static int read_kek(const char *text, struct options *options)
{
    const char *comma = strchr(text, ',');

    if (comma != NULL) {
        options->kek_bytes = read_hex(text, comma, options->kek, sizeof(options->kek));
        if ((options->kek_bytes == 16 || options->kek_bytes == 32) &&
            read_hex(comma + 1, comma + 1 + strlen(comma + 1), options->credential,
                     SIM_CREDENTIAL_BYTES) == SIM_CREDENTIAL_BYTES)
            return 0;
    }
    return usage_error("--wrapped-deks must be a KEK of 16 or 32 bytes and a credential of 40 "
                       "bytes, in hexadecimal digits", text);
}

static int read_option(int option, struct options *options)
{
    const struct sim_card *card;

    switch (option) {
    case 'd':
        machine.dir = optarg;
        return 0;
    case 'o':
        machine.remove_dir = true;
        return 0;
    case 'n':
        options->has_devices = true;
        if (!read_number(optarg, 8, &options->devices) || options->devices == 0)
            return usage_error("--devices must be 1 to 8", optarg);
        return 0;
    case 'b':
    case 'c':
        card = read_card(option, optarg);
        if (card == NULL)
            return usage_error("--bluefield must be 2 or 3, --connectx must be 6 or 7", optarg);
        options->card = card;
        return 0;
    case 'k':
        if (!read_number(optarg, 24, &options->log_keys) || options->log_keys < 6)
            return usage_error("--keys must be 6 to 24", optarg);
        return 0;
    case 'C':
        if (!read_number(optarg, 86400000, &options->cm_timeout_ms) || options->cm_timeout_ms == 0)
            return usage_error("--cm-timeout must be 1 to 86400000", optarg);
        return 0;
    case 'T':
        if (!read_number(optarg, 255, &options->test_and_set) || options->test_and_set == 0)
            return usage_error("--test-and-set must be 1 to 255", optarg);
        return 0;
    case 'm':
        options->no_mmo = true;
        return 0;
    case 'h':
        options->sha = true;
        return 0;
    case 'L':
        return read_link(optarg, &options->ethernet);
    case 'D':
        return read_doorbells(optarg);
    case 'f':
        if (num_faults == MAX_FAULTS)
            return usage_error("too many faults", optarg);
        faults[num_faults++] = optarg;
        return 0;
    case 's':
        machine.strict = true;
        return 0;
    case 'l':
        options->log = optarg;
        return 0;
    case 'p':
        options->pcap = optarg;
        return 0;
    case 't':
        options->trace = true;
        return 0;
    default:
        return EXIT_USAGE_;
    }
}

static const struct option names[] = {
    {"dir", required_argument, NULL, 'd'},       {"own-dir", no_argument, NULL, 'o'},
    {"devices", required_argument, NULL, 'n'},   {"keys", required_argument, NULL, 'k'},
    {"device", required_argument, NULL, 'v'},    {"bluefield", required_argument, NULL, 'b'},
    {"connectx", required_argument, NULL, 'c'},
    {"cm-timeout", required_argument, NULL, 'C'},
    {"test-and-set", required_argument, NULL, 'T'},
    {"no-mmo", no_argument, NULL, 'm'},          {"sha", no_argument, NULL, 'h'},
    {"doorbells", required_argument, NULL, 'D'}, {"link", required_argument, NULL, 'L'},
    {"fault", required_argument, NULL, 'f'},     {"strict", no_argument, NULL, 's'},
    {"log", required_argument, NULL, 'l'},       {"trace", no_argument, NULL, 't'},
    {"pcap", required_argument, NULL, 'p'},
    {"wrapped-deks", required_argument, NULL, 'w'},
    {NULL, 0, NULL, 0}};

int options_read(int argc, char **argv)
{
    struct options options = {.devices = 1, .log_keys = 24, .cm_timeout_ms = 64000,
                              .test_and_set = 0xff, .card = cards, .ethernet = true};
    char *specs[SIM_MAX_FUNCTIONS];
    unsigned num_specs = 0, i;
    int option, err = 0;

    while (err == 0 && (option = getopt_long(argc, argv, "", names, NULL)) >= 0) {
        if (option == 'v' && num_specs < SIM_MAX_FUNCTIONS)
            specs[num_specs++] = optarg;
        else if (option == 'w')
            err = read_kek(optarg, &options);
        else
            err = option == 'v' ? usage_error("too many devices", optarg)
                                : read_option(option, &options);
    }
    if (err == 0 && optind < argc)
        err = usage_error("unknown argument", argv[optind]);
    if (err == 0 && machine.dir == NULL)
        err = usage_error("missing argument", "--dir");
    profile_init(&machine.profile, options.card);
    machine.profile.log_max_mkey = (unsigned)options.log_keys;
    machine.profile.mmo = options.card->mmo && !options.no_mmo;
    machine.profile.sha = options.sha;
    machine.profile.test_and_set = (uint8_t)options.test_and_set;
    machine.profile.ethernet = options.ethernet;
    machine.profile.kek_bytes = options.kek_bytes;
    memcpy(machine.profile.kek, options.kek, sizeof(options.kek));
    memcpy(machine.profile.credential, options.credential, sizeof(options.credential));
    machine.cm_timeout_ns = options.cm_timeout_ms * UINT64_C(1000000);
    if (num_specs == 0 || options.has_devices)
        for (i = 0; i < options.devices; i++)
            function_init(&machine.functions[machine.num_functions++], i);
    for (i = 0; err == 0 && i < num_specs; i++)
        err = read_device(specs[i]);
    for (i = 0; options.ethernet && i < machine.num_functions; i++)
        make_ethernet(&machine.functions[i]);
    complete_addresses();
    if (err == 0)
        err = check_functions();
    if (err == 0 && options.log != NULL && log_open(options.log, options.trace) != 0)
        err = usage_error(strerror(errno), options.log);
    if (err == 0 && options.pcap != NULL && capture_open(options.pcap) != 0)
        err = usage_error(strerror(errno), options.pcap);
    return err;
}

int faults_read(void)
{
    unsigned i;
    int err = 0;

    for (i = 0; i < num_faults && err == 0; i++)
        err = fault_add(faults[i]);
    return err;
}
