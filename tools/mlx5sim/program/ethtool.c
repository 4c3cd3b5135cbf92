/*
 * Answers of the ioctl SIOCETHTOOL about emulated interfaces. The command and its answer are in the
 * program's memory, at an address that may be wrong, so the kernel copies them.
 */
#define _GNU_SOURCE
#include "program/ethtool.h"
#include "program/libc.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

enum {
    SPEED_MBPS = 200000,        /* as the file `rate` of the port says */
    MODE_WORDS = 3,             /* 32-bit words of a set of link modes */
    KERNEL_ETOOSMALL = 525      /* an errno that the kernel returns and <errno.h> lacks */
};

#define TOO_SMALL SIZE_MAX      /* instead of a length: the program's buffer is too small */

/* A command with room for its answer. */
union answer {
    uint32_t cmd;
    struct ethtool_value value;
    struct ethtool_drvinfo driver;
    struct ethtool_cmd settings;
    struct ethtool_pauseparam pause;
    struct ethtool_gstrings strings;
    struct ethtool_stats statistics;
    struct ethtool_perm_addr address;           /* an address of 6 bytes follows */
    struct ethtool_link_settings link;          /* three sets of link modes follow */
    uint8_t bytes[sizeof(struct ethtool_link_settings) + 3 * MODE_WORDS * sizeof(uint32_t)];
};

static void set_mode(uint32_t *modes, unsigned mode)
{
    modes[mode / 32] |= 1u << mode % 32;
}

/* A program first asks for the number of words in a set of link modes: it gets the number,
 * negative, and nothing else. Returns the bytes of the answer. */
static size_t get_link(union answer *a)
{
    static const unsigned modes[] = {
        ETHTOOL_LINK_MODE_Autoneg_BIT, ETHTOOL_LINK_MODE_FIBRE_BIT,
        ETHTOOL_LINK_MODE_200000baseCR4_Full_BIT};
    const bool is_question = a->link.link_mode_masks_nwords != MODE_WORDS;
    unsigned i;

    memset(a, 0, sizeof(*a));
    a->cmd = ETHTOOL_GLINKSETTINGS;
    a->link.link_mode_masks_nwords = is_question ? -MODE_WORDS : MODE_WORDS;
    if (is_question)
        return sizeof(a->link);
    a->link.speed = SPEED_MBPS;
    a->link.duplex = DUPLEX_FULL;
    a->link.port = PORT_FIBRE;
    a->link.autoneg = AUTONEG_ENABLE;
    for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        set_mode(a->link.link_mode_masks, modes[i]);                    /* supported */
        set_mode(a->link.link_mode_masks + MODE_WORDS, modes[i]);       /* advertised */
        set_mode(a->link.link_mode_masks + 2 * MODE_WORDS, modes[i]);   /* of the peer */
    }
    return sizeof(a->bytes);
}

/* The older form of the same answer has no bit for the speed of 200 Gb/s. */
static size_t get_settings(union answer *a)
{
    a->settings = (struct ethtool_cmd){
        .cmd = ETHTOOL_GSET, .supported = SUPPORTED_Autoneg | SUPPORTED_FIBRE,
        .advertising = ADVERTISED_Autoneg | ADVERTISED_FIBRE, .duplex = DUPLEX_FULL,
        .port = PORT_FIBRE, .autoneg = AUTONEG_ENABLE};
    ethtool_cmd_speed_set(&a->settings, SPEED_MBPS);
    return sizeof(a->settings);
}

/* The numbers of statistics, private flags and tests stay 0. */
static size_t get_driver(union answer *a, const struct wire_description *of,
                         const struct wire_interface *interface)
{
    a->driver = (struct ethtool_drvinfo){.cmd = ETHTOOL_GDRVINFO, .driver = "mlx5_core"};
    snprintf(a->driver.bus_info, sizeof(a->driver.bus_info), "%.*s",
             (int)sizeof(interface->pci) - 1, interface->pci);
    snprintf(a->driver.fw_version, sizeof(a->driver.fw_version), "%.*s",
             (int)sizeof(of->functions[0].firmware) - 1, of->functions[0].firmware);
    return sizeof(a->driver);
}

/* Returns the bytes of the answer, or 0 when the kernel's driver would refuse the command. */
static size_t execute(const struct wire_description *of, const struct wire_interface *interface,
                      union answer *a)
{
    switch (a->cmd) {
    case ETHTOOL_GDRVINFO:
        return get_driver(a, of, interface);
    case ETHTOOL_GLINKSETTINGS:
        return get_link(a);
    case ETHTOOL_GSET:
        return get_settings(a);
    case ETHTOOL_GLINK:
        a->value.data = 1;
        return sizeof(a->value);
    case ETHTOOL_GPAUSEPARAM:
        a->pause = (struct ethtool_pauseparam){.cmd = ETHTOOL_GPAUSEPARAM};
        return sizeof(a->pause);
    case ETHTOOL_GSTRINGS:
        a->strings.len = 0;
        return a->strings.string_set == ETH_SS_STATS ? sizeof(a->strings) : 0;
    case ETHTOOL_GSTATS:
        a->statistics.n_stats = 0;
        return sizeof(a->statistics);
    case ETHTOOL_GPERMADDR:
        if (a->address.size < sizeof(interface->mac))
            return TOO_SMALL;
        a->address.size = sizeof(interface->mac);
        memcpy(a->address.data, interface->mac, sizeof(interface->mac));
        return sizeof(a->address) + sizeof(interface->mac);
    default:
        return 0;
    }
}

/* Returns the bytes of a command that execute() reads. */
static size_t request_bytes(uint32_t cmd)
{
    return cmd == ETHTOOL_GLINKSETTINGS ? sizeof(struct ethtool_link_settings)
        : cmd == ETHTOOL_GSTRINGS ? sizeof(struct ethtool_gstrings)
        : cmd == ETHTOOL_GPERMADDR ? sizeof(struct ethtool_perm_addr) : sizeof(uint32_t);
}

int ethtool_execute(const struct wire_description *of, const struct wire_interface *interface,
                    void *data)
{
    union answer answer;
    size_t bytes;

    memset(&answer, 0, sizeof(answer));
    if (!sim_copy(&answer, data, sizeof(answer.cmd)) ||
        !sim_copy(&answer, data, request_bytes(answer.cmd)))
        return EFAULT;
    bytes = execute(of, interface, &answer);
    if (bytes == 0)
        return EOPNOTSUPP;
    if (bytes == TOO_SMALL)
        return KERNEL_ETOOSMALL;
    return sim_copy(data, &answer, bytes) ? 0 : EFAULT;
}
