/* ---- >>impl.sw.text -------------------------------------------------------------------------
 * Reads the text of a topology into the rows of a table of devices.                             */
#include "sw/text_priv.h"

#include "base/log.h"
#include "base/platform_priv.h"
#include "base/text_priv.h"
#include "base/types.h"
#include "device/device.h"
#include "device/devinfo_priv.h"

DOCA_PRIV_DECL const struct doca_priv_sw_profile doca_priv_sw_profiles[DOCA_PRIV_NUM_PROFILES] = {
    { "default",
      { 1u << 30, 65536, 65536, 1u << 30, 65536, 65536, 1, 1, 1, 1, 1, 1, 1, 0, 0 } },
    { "unlimited",
      { SIZE_MAX, UINT32_MAX, 65536, SIZE_MAX, UINT32_MAX, 65536, 1, 1, 1, 1, 1, 1, 1, 0, 0 } },
    { "bluefield2", { 128u << 20, 64, 65536, 128u << 20, 64, 65536, 1, 1, 1, 1, 1, 1, 1, 0, 0 } },
    { "bluefield3", { 2u << 20, 64, 65536, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0 } },
    { "connectx7", { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1 } },
};

/* The keys, in the order of the enum. */
DOCA_PRIV_DECL const struct doca_priv_sw_key doca_priv_sw_keys[DOCA_PRIV_NUM_KEYS] = {
    { "side", "both dpu host" }, { "type", "pf vf sf" }, { "port", "eth ib" },
    { "hotplug", "0 1" },        { "emulated", "0 1" },  { "manager", "0 1" },
    { "ib", "" },                { "if", "" },           { "vuid", "" },
    { "rep", "" },               { "mac", "" },          { "ipv4", "" },
    { "ipv6", "" },              { "lid", "" },          { "filters", "all net emulated" },
    { "ram", "" },               { "ram_split", "" },    { "profile", "" },
};

/* Copy the word to `to`, which has `room` bytes and contains zeros. Returns false when the word is
 * empty or too long. */
static bool doca_priv_word_copy(struct doca_priv_word word, char *to, size_t room)
{
    if (word.len == 0 || word.len >= room)
        return false;
    DOCA_CORE_MEMCPY(to, word.at, word.len);
    return true;
}

/* True when `s` is a PCI address of the form "DDDD:BB:DD.F" in lower case. */
DOCA_PRIV_DECL bool doca_priv_sw_pci_is_sound(const char *s)
{
    uint64_t addr;
    size_t i;

    for (i = 0; i < DOCA_DEVINFO_PCI_ADDR_SIZE - 1; i++)
        if (s[i] == '\0' || (s[i] >= 'A' && s[i] <= 'F'))
            return false;
    return doca_priv_pci_parse(s, &addr);
}

/* Read a PCI address with or without domain, and write it with domain. */
static bool doca_priv_word_pci(struct doca_priv_word word, char *to)
{
    size_t front = word.len == DOCA_DEVINFO_PCI_BDF_SIZE - 1
                       ? DOCA_DEVINFO_PCI_ADDR_SIZE - DOCA_DEVINFO_PCI_BDF_SIZE
                       : 0;

    DOCA_CORE_MEMCPY(to, "0000:", front);
    return doca_priv_word_copy(word, to + front, DOCA_DEVINFO_PCI_ADDR_SIZE - front) &&
           doca_priv_sw_pci_is_sound(to);
}

/* Take a number of up to `max_digits` digits off the front of the word. Returns false when there is
 * no digit, or the number is above `max`. */
static bool doca_priv_word_number(struct doca_priv_word *word, unsigned base, unsigned max_digits,
                                  unsigned max, unsigned *value)
{
    unsigned num = 0;
    int digit;

    *value = 0;
    for (; num < max_digits && word->len > 0; num++) {
        digit = doca_priv_hex_digit(*word->at);
        if (digit < 0 || (unsigned)digit >= base)
            break;
        *value = *value * base + (unsigned)digit;
        word->at++;
        word->len--;
    }
    return num > 0 && *value <= max;
}

/* Read a word that is a decimal number of up to 64 bits. */
static bool doca_priv_word_number_64(struct doca_priv_word word, uint64_t *value)
{
    size_t i;

    *value = 0;
    for (i = 0; i < word.len; i++) {
        const unsigned digit = (unsigned)(word.at[i] - '0');

        if (digit > 9 || *value > (UINT64_MAX - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    return word.len > 0;
}

/* Take the character `c` off the front of the word. Returns false when the word begins
 * differently. */
static bool doca_priv_word_take(struct doca_priv_word *word, char c)
{
    if (word->len == 0 || *word->at != c)
        return false;
    word->at++;
    word->len--;
    return true;
}

/* Read `num` numbers up to 255, separated by `separator`: a MAC or an IPv4 address. */
static bool doca_priv_word_bytes(struct doca_priv_word word, unsigned base, unsigned max_digits,
                                 char separator, uint8_t *to, unsigned num)
{
    unsigned i, value;

    for (i = 0; i < num; i++) {
        if ((i > 0 && !doca_priv_word_take(&word, separator)) ||
            !doca_priv_word_number(&word, base, max_digits, 255, &value))
            return false;
        to[i] = (uint8_t)value;
    }
    return word.len == 0;
}

/* Read an IPv6 address: groups of hexadecimal digits, with at most one "::" in place of the missing
 * zeros. */
static bool doca_priv_word_ipv6(struct doca_priv_word word, uint8_t *to)
{
    uint8_t bytes[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    unsigned num = 0, gap = sizeof(bytes), value;
    bool has_gap = false;

    while (word.len > 0) {
        if (!has_gap && word.len >= 2 && word.at[0] == ':' && word.at[1] == ':') {
            has_gap = true;
            gap = num;
            word.at += 2;
            word.len -= 2;
            if (word.len == 0)
                break;
        } else if (num > 0 && !doca_priv_word_take(&word, ':')) {
            return false;
        }
        if (num == sizeof(bytes) || !doca_priv_word_number(&word, 16, 4, 0xffff, &value))
            return false;
        bytes[num++] = (uint8_t)(value >> 8);
        bytes[num++] = (uint8_t)(value & 0xff);
    }
    if (has_gap == (num == sizeof(bytes)))
        return false;
    /* gap <= num: either has_gap is set, or num and gap are both sizeof(bytes) */
    DOCA_CORE_MEMCPY(to, bytes, gap);
    DOCA_CORE_MEMCPY(to + sizeof(bytes) - (num - gap), bytes + gap, num - gap);
    return true;
}

/* Read filters joined by '+', or "none". */
static bool doca_priv_word_filters(struct doca_priv_word word, const char *choices,
                                   uint8_t *filters)
{
    struct doca_priv_word one;
    unsigned choice;

    *filters = 0;
    if (doca_priv_word_is(word, "none", 4))
        return true;
    do {
        one = doca_priv_word_cut(&word, '+');
        if (!doca_priv_word_choose(one, choices, &choice))
            return false;
        /* the choices are in the order of the DOCA_CORE_REP_* bits */
        *filters = (uint8_t)(*filters | 1u << choice);
    } while (one.at[one.len] == '+'); /* a word is followed by more text or a NUL */
    return true;
}

static bool doca_priv_word_profile(struct doca_priv_word word, struct doca_priv_sw_row *row)
{
    size_t i;

    for (i = 0; i < DOCA_PRIV_NUM_PROFILES; i++) {
        if (doca_priv_word_is(word, doca_priv_sw_profiles[i].name,
                              doca_priv_str_len(doca_priv_sw_profiles[i].name))) {
            row->attr.limits = doca_priv_sw_profiles[i].limits;
            row->follows_profile = false;
            row->is_unlimited = i == DOCA_PRIV_PROFILE_UNLIMITED;
            return true;
        }
    }
    return false;
}

/* Read the value of one key into the row. Returns false when the key cannot have this value. */
static bool doca_priv_sw_read_value(struct doca_priv_sw_row *row, unsigned key,
                                    struct doca_priv_word value)
{
    struct doca_core_dev_attr *attr = &row->attr;
    const char *choices = doca_priv_sw_keys[key].choices;
    unsigned n = 0;

    if (key <= DOCA_PRIV_KEY_MANAGER && !doca_priv_word_choose(value, choices, &n))
        return false;
    switch (key) {
    case DOCA_PRIV_KEY_SIDE:
        return attr->side = (enum doca_core_side)n, true;
    case DOCA_PRIV_KEY_TYPE:
        return attr->func_type = (enum doca_pci_func_type)n, true;
    case DOCA_PRIV_KEY_PORT:
        return attr->port = (enum doca_core_port)n, true;
    case DOCA_PRIV_KEY_HOTPLUG:
        return attr->is_hotplug = (uint8_t)n, true;
    case DOCA_PRIV_KEY_EMULATED:
        return attr->is_emulated = (uint8_t)n, true;
    case DOCA_PRIV_KEY_MANAGER:
        return attr->is_hotplug_manager = (uint8_t)n, true;
    case DOCA_PRIV_KEY_IB:
        return doca_priv_word_copy(value, attr->ibdev_name, sizeof(attr->ibdev_name));
    case DOCA_PRIV_KEY_IF:
        return doca_priv_word_copy(value, attr->iface_name, sizeof(attr->iface_name));
    case DOCA_PRIV_KEY_VUID:
        return doca_priv_word_copy(value, attr->vuid, sizeof(attr->vuid));
    case DOCA_PRIV_KEY_REP:
        return doca_priv_word_pci(value, attr->rep_dev);
    case DOCA_PRIV_KEY_MAC:
        return doca_priv_word_bytes(value, 16, 2, ':', attr->mac_addr, sizeof(attr->mac_addr));
    case DOCA_PRIV_KEY_IPV4:
        return doca_priv_word_bytes(value, 10, 3, '.', attr->ipv4_addr, sizeof(attr->ipv4_addr));
    case DOCA_PRIV_KEY_IPV6:
        return doca_priv_word_ipv6(value, attr->ipv6_addr);
    case DOCA_PRIV_KEY_LID:
        if (!doca_priv_word_number(&value, 10, 5, 65535, &n))
            return false;
        attr->lid = (uint16_t)n;
        return value.len == 0;
    case DOCA_PRIV_KEY_RAM:
        return doca_priv_word_copy(value, row->ram, sizeof(row->ram));
    case DOCA_PRIV_KEY_RAM_SPLIT:
        return doca_priv_word_number_64(value, &attr->ram_split);
    case DOCA_PRIV_KEY_FILTERS:
        return doca_priv_word_filters(value, choices, &attr->rep_filters);
    default:
        return doca_priv_word_profile(value, row);
    }
}

/* Read one key=value. `seen`: bits of the keys so far. *at is the place of an error. */
static enum doca_core_item doca_priv_sw_read_pair(struct doca_priv_sw_row *row,
                                                  struct doca_priv_word pair, uint32_t *seen,
                                                  const char **at)
{
    struct doca_priv_word key = doca_priv_word_cut(&pair, '=');
    unsigned i;

    *at = key.at;
    for (i = 0; i < DOCA_PRIV_NUM_KEYS; i++)
        if (doca_priv_word_is(key, doca_priv_sw_keys[i].name,
                              doca_priv_str_len(doca_priv_sw_keys[i].name)))
            break;
    if (i == DOCA_PRIV_NUM_KEYS || key.at[key.len] != '=')
        return DOCA_CORE_ITEM_SW_TEXT_KEY;
    if ((*seen >> i & 1) != 0)
        return DOCA_CORE_ITEM_SW_TEXT_TWICE;
    *seen |= (uint32_t)1 << i;
    *at = pair.at;
    return doca_priv_sw_read_value(row, i, pair) ? DOCA_CORE_ITEM_NONE
           : i == DOCA_PRIV_KEY_PROFILE          ? DOCA_CORE_ITEM_SW_UNKNOWN_PROFILE
                                                 : DOCA_CORE_ITEM_SW_TEXT_VALUE;
}

/* Read one function: the text between two separators. *at is the place of an error. */
static enum doca_core_item doca_priv_sw_read_row(struct doca_priv_sw_row *row,
                                                 struct doca_priv_word entry, const char **at)
{
    struct doca_priv_word word = doca_priv_word_cut(&entry, ' ');
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    uint32_t seen = 0;

    *at = word.at;
    DOCA_CORE_MEMSET(row, 0, sizeof(*row));
    row->follows_profile = true;
    if (!doca_priv_word_pci(word, row->attr.pci_addr))
        return DOCA_CORE_ITEM_SW_PCI_ADDR;
    while (entry.len > 0 && item == DOCA_CORE_ITEM_NONE) {
        word = doca_priv_word_cut(&entry, ' ');
        if (word.len > 0)
            item = doca_priv_sw_read_pair(row, word, &seen, at);
    }
    if ((seen >> DOCA_PRIV_KEY_FILTERS & 1) == 0 && row->attr.side == DOCA_CORE_SIDE_DPU &&
        row->attr.func_type != DOCA_PCI_FUNC_TYPE_SF)
        row->attr.rep_filters = DOCA_CORE_REP_ALL | DOCA_CORE_REP_NET | DOCA_CORE_REP_EMULATED;
    return item;
}

static bool doca_priv_sw_ends_row(char c)
{
    return c == ';' || c == '\n' || c == '\r';
}

/* Read a text into at most `max` rows. Returns false when the text is malformed, with the reason in
 * *flaw. */
DOCA_PRIV_DECL bool doca_priv_sw_read_text(const char *text, struct doca_priv_sw_row *rows,
                                           uint32_t max, uint32_t *num, struct doca_priv_flaw *flaw)
{
    struct doca_priv_word entry;
    const char *at;

    flaw->code = DOCA_ERROR_INVALID_VALUE;
    flaw->item = DOCA_CORE_ITEM_NONE;
    *num = 0;
    entry.at = text;
    while (flaw->item == DOCA_CORE_ITEM_NONE) {
        while (*entry.at == ' ' || doca_priv_sw_ends_row(*entry.at))
            entry.at++;
        at = entry.at;
        for (entry.len = 0; at[entry.len] != '\0' && !doca_priv_sw_ends_row(at[entry.len]);)
            entry.len++;
        if (entry.len == 0 && *num > 0)
            return true;
        if (*num == max) {
            flaw->code = DOCA_ERROR_TOO_BIG;
            flaw->item = DOCA_CORE_ITEM_SW_TOO_MANY;
        } else { /* a text without functions fails here, since it has no PCI address */
            flaw->item = doca_priv_sw_read_row(&rows[*num], entry, &at);
            rows[(*num)++].place = (size_t)(entry.at - text) + 1;
        }
        flaw->place = (size_t)(at - text) + 1;
        entry.at += entry.len;
    }
    return false;
}
