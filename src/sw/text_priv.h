/* ---- >>priv.sw.text --------------------------------------------------------------------------
 * The text form of a topology: its keys, the profiles, and the rows that it is read into.       */
#ifndef DOCA_SRC_SW_TEXT_PRIV_H
#define DOCA_SRC_SW_TEXT_PRIV_H

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "device/device.h"
#include "sw/sw.h"

struct doca_core_dev_attr;
struct doca_core_limits;
struct doca_priv_flaw;

#define DOCA_PRIV_NUM_PROFILES 5

struct doca_priv_sw_profile {
    const char *name;
    struct doca_core_limits limits;
};

#define DOCA_PRIV_PROFILE_UNLIMITED 1 /* index of "unlimited" in doca_priv_sw_profiles */

/* A row of a table of devices: a function of the software topology. */
struct doca_priv_sw_row {
    struct doca_core_dev_attr attr;
    bool follows_profile; /* the limits of the row are the limits of the profile in force when a
                           * device list is created */
    bool is_unlimited;    /* the text sets the profile "unlimited" for this function */
    char ram[DOCA_CORE_SW_RAM_BYTES]; /* path of the file with the memory of the function's machine;
                                       * "": no memory */
    size_t place;         /* position of the function's first character in the text, from 1; 0: the
                           * row is from doca_core_sw_set_devices() */
};

enum {
    DOCA_PRIV_KEY_SIDE,
    DOCA_PRIV_KEY_TYPE,
    DOCA_PRIV_KEY_PORT,
    DOCA_PRIV_KEY_HOTPLUG,
    DOCA_PRIV_KEY_EMULATED,
    DOCA_PRIV_KEY_MANAGER,
    DOCA_PRIV_KEY_IB,
    DOCA_PRIV_KEY_IF,
    DOCA_PRIV_KEY_VUID,
    DOCA_PRIV_KEY_REP,
    DOCA_PRIV_KEY_MAC,
    DOCA_PRIV_KEY_IPV4,
    DOCA_PRIV_KEY_IPV6,
    DOCA_PRIV_KEY_LID,
    DOCA_PRIV_KEY_FILTERS,
    DOCA_PRIV_KEY_RAM,
    DOCA_PRIV_KEY_RAM_SPLIT,
    DOCA_PRIV_KEY_PROFILE,
    DOCA_PRIV_NUM_KEYS
};

/* A key of a function. `choices`: the values of a key with a fixed set of values, separated by
 * spaces; a value is stored as its index. */
struct doca_priv_sw_key {
    const char *name, *choices;
};

DOCA_PRIV_DATA const struct doca_priv_sw_profile doca_priv_sw_profiles[DOCA_PRIV_NUM_PROFILES];
DOCA_PRIV_DATA const struct doca_priv_sw_key doca_priv_sw_keys[DOCA_PRIV_NUM_KEYS];

DOCA_PRIV_DECL bool doca_priv_sw_pci_is_sound(const char *s);
DOCA_PRIV_DECL bool doca_priv_sw_read_text(const char *text, struct doca_priv_sw_row *rows,
                                           uint32_t max, uint32_t *num,
                                           struct doca_priv_flaw *flaw);

#endif
