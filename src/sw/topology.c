/* ---- >>impl.sw.topology ---------------------------------------------------------------------
 * The devices of the software backend, their sides and their representors. A new table of functions
 * is written to the spare table and comes into force when it is found valid.                    */
#include "sw/topology_priv.h"

#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/text_priv.h"
#include "base/types.h"
#include "object/log_priv.h"
#include "device/device.h"
#include "device/devinfo_priv.h"
#include "sw/sw.h"
#include "sw/text_priv.h"

/* The side of a process for which neither a call nor the environment chooses a side. */
#if defined(DOCA_ARCH_DPU)
#define DOCA_PRIV_SIDE DOCA_CORE_SIDE_DPU
#elif defined(DOCA_ARCH_HOST)
#define DOCA_PRIV_SIDE DOCA_CORE_SIDE_HOST
#elif defined(DOCA_CORE_PROCESS_SIDE)
#define DOCA_PRIV_SIDE (DOCA_CORE_PROCESS_SIDE)
#else
#define DOCA_PRIV_SIDE DOCA_CORE_SIDE_BOTH
#endif

DOCA_PRIV_DECL struct doca_priv_sw_state doca_priv_sw;

/* The default devices, as in the figure of the guide. MAC and IP addresses are from the ranges that
 * are reserved for examples. */
static const char doca_priv_sw_default[] =
    "03:00.0 side=dpu ib=mlx5_0 if=p0 mac=02:dc:0a:00:03:00 ipv4=192.0.2.1 ipv6=2001:db8::1;"
    "03:00.1 side=dpu ib=mlx5_1 if=p1 mac=02:dc:0a:00:03:01 ipv4=192.0.2.2 ipv6=2001:db8::2;"
    "03:00.0 side=dpu type=sf rep=03:00.0 ib=mlx5_2 if=p0s0"
    " mac=02:dc:0a:00:03:02 ipv4=192.0.2.3 ipv6=2001:db8::3;"
    "03:00.1 side=dpu type=sf rep=03:00.1 ib=mlx5_3 if=p1s0"
    " mac=02:dc:0a:00:03:03 ipv4=192.0.2.4 ipv6=2001:db8::4;"
    "0b:00.0 side=host rep=03:00.0 ib=mlx5_0 if=pf0"
    " mac=02:dc:0a:00:0b:00 ipv4=192.0.2.11 ipv6=2001:db8::11;"
    "0b:00.1 side=host rep=03:00.1 ib=mlx5_1 if=pf1"
    " mac=02:dc:0a:00:0b:01 ipv4=192.0.2.12 ipv6=2001:db8::12;"
    "0b:00.2 side=host type=vf rep=03:00.0 ib=mlx5_2 if=pf0vf0"
    " mac=02:dc:0a:00:0b:02 ipv4=192.0.2.13 ipv6=2001:db8::13;"
    "0b:00.3 side=host type=vf rep=03:00.0 ib=mlx5_3 if=pf0vf1"
    " mac=02:dc:0a:00:0b:03 ipv4=192.0.2.14 ipv6=2001:db8::14;"
    "0b:00.4 side=host type=vf rep=03:00.1 ib=mlx5_4 if=pf1vf0"
    " mac=02:dc:0a:00:0b:04 ipv4=192.0.2.15 ipv6=2001:db8::15";

static const struct doca_core_limits *doca_priv_sw_find_profile(const char *name)
{
    size_t i;

    for (i = 0; i < DOCA_PRIV_NUM_PROFILES; i++)
        if (name != NULL && doca_priv_str_equal(doca_priv_sw_profiles[i].name, name))
            return &doca_priv_sw_profiles[i].limits;
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_profile(const char *name, struct doca_core_limits *limits)
{
    const struct doca_core_limits *found = doca_priv_sw_find_profile(name);

    if (name == NULL || limits == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (found == NULL)
        return DOCA_PRIV_FAIL(NOT_FOUND, SW_UNKNOWN_PROFILE, NULL);
    *limits = *found;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_set_profile(const char *name)
{
    const struct doca_core_limits *found = doca_priv_sw_find_profile(name);

    if (name == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (found == NULL)
        return DOCA_PRIV_FAIL(NOT_FOUND, SW_UNKNOWN_PROFILE, NULL);
    doca_priv_lock(&doca_priv_sw.lock);
    doca_priv_sw.profile = found;
    doca_priv_unlock(&doca_priv_sw.lock);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_set_side(enum doca_core_side side)
{
    if ((unsigned)side > DOCA_CORE_SIDE_HOST)
        return DOCA_PRIV_FAIL(INVALID_VALUE, SW_UNKNOWN_SIDE, NULL);
    doca_priv_lock(&doca_priv_sw.lock);
    doca_priv_sw.side = side;
    doca_priv_sw.has_side = true;
    doca_priv_unlock(&doca_priv_sw.lock);
    return DOCA_SUCCESS;
}

/* True when all limits of the engines that the device has are above 0. */
static bool doca_priv_sw_limits_are_sound(const struct doca_core_limits *l)
{
    return (l->has_dma == 0 || (l->dma_max_buf_size > 0 && l->dma_max_buf_list_len > 0 &&
                                l->dma_max_num_tasks > 0)) &&
           (l->has_sha == 0 || (l->sha_max_src_buf_size > 0 && l->sha_max_buf_list_len > 0 &&
                                l->sha_max_num_tasks > 0));
}

/* True when all flags are 0 or 1, and the event engine is a known enumerator. */
static bool doca_priv_sw_flags_are_sound(const struct doca_core_dev_attr *attr)
{
    const struct doca_core_limits *l = &attr->limits;

    return (attr->is_hotplug | attr->is_emulated | attr->is_hotplug_manager |
            attr->has_no_vhca_id) <= 1 &&
           (l->has_dma | l->has_sha | l->has_export_pci | l->has_import_pci | l->has_rdma |
            l->has_sync_event | l->has_dmabuf) <= 1 &&
           l->event_engine <= DOCA_CORE_EVENT_ENGINE_ALL;
}

/* Read a member of an enum type of `bytes` bytes as a number. In C++ an enum variable must not be
 * read when it holds a value outside of its enum's range. */
static unsigned doca_priv_sw_enum(const void *member, size_t bytes)
{
    uint8_t octet;
    unsigned value;

    DOCA_CORE_MEMCPY(&octet, member, sizeof(octet));
    if (bytes == sizeof(octet)) /* -fshort-enums, the default on Arm without an operating system */
        return octet;
    DOCA_CORE_MEMCPY(&value, member, sizeof(value));
    return value;
}

DOCA_PRIV_ASSERT_STATIC(enums_are_octets_or_unsigned,
                        (sizeof(enum doca_core_side) == 1 ||
                         sizeof(enum doca_core_side) == sizeof(unsigned)) &&
                            sizeof(enum doca_pci_func_type) == sizeof(enum doca_core_side) &&
                            sizeof(enum doca_core_port) == sizeof(enum doca_core_side));

/* Return the reason why a row is invalid by itself, or ITEM_NONE. */
static enum doca_core_item doca_priv_sw_judge_row(const struct doca_core_dev_attr *attr)
{
    if (!doca_priv_sw_pci_is_sound(attr->pci_addr) ||
        (attr->rep_dev[0] != '\0' && !doca_priv_sw_pci_is_sound(attr->rep_dev)))
        return DOCA_CORE_ITEM_SW_PCI_ADDR;
    if (attr->ibdev_name[sizeof(attr->ibdev_name) - 1] != '\0' ||
        attr->iface_name[sizeof(attr->iface_name) - 1] != '\0' ||
        attr->vuid[sizeof(attr->vuid) - 1] != '\0')
        return DOCA_CORE_ITEM_SW_NAME_OPEN;
    if (!doca_priv_sw_limits_are_sound(&attr->limits))
        return DOCA_CORE_ITEM_SW_LIMITS;
    if (doca_priv_sw_enum(&attr->side, sizeof(attr->side)) > DOCA_CORE_SIDE_HOST ||
        doca_priv_sw_enum(&attr->func_type, sizeof(attr->func_type)) > DOCA_PCI_FUNC_TYPE_SF ||
        doca_priv_sw_enum(&attr->port, sizeof(attr->port)) > DOCA_CORE_PORT_INFINIBAND ||
        attr->rep_filters >
            (DOCA_CORE_REP_ALL | DOCA_CORE_REP_NET | DOCA_CORE_REP_EMULATED) ||
        !doca_priv_sw_flags_are_sound(attr))
        return DOCA_CORE_ITEM_SW_ATTR;
    if (attr->rep_filters != 0 && (attr->side == DOCA_CORE_SIDE_HOST ||
                                   attr->func_type == DOCA_PCI_FUNC_TYPE_SF))
        return DOCA_CORE_ITEM_SW_REP_FILTERS;
    return DOCA_CORE_ITEM_NONE;
}

/* True when the row has a valid description of the memory of the function's machine. */
static bool doca_priv_sw_ram_is_sound(const struct doca_priv_sw_row *row)
{
    const uint64_t split = row->attr.ram_split;

    if (row->ram[0] == '\0')
        return split == 0;
    return row->attr.rep_dev[0] != '\0' && split % 4096 == 0 && split <= (uint64_t)1 << 32;
}

/* Copy the path of a table of devices to its row. Returns false when it is empty or too long. */
static bool doca_priv_sw_ram_copy(struct doca_priv_sw_row *row, const char *path)
{
    size_t i;

    DOCA_CORE_MEMSET(row->ram, 0, sizeof(row->ram));
    row->attr.ram = NULL;
    if (path == NULL)
        return true;
    for (i = 0; i + 1 < sizeof(row->ram) && path[i] != '\0'; i++)
        row->ram[i] = path[i];
    return i > 0 && path[i] == '\0';
}

/* Fill in the attributes that the topology does not give for a function: a rate of 100 Gbit/s, the
 * row number `n` as vhca_id and sf_index, and a VUID. */
static void doca_priv_sw_complete(struct doca_core_dev_attr *attr, uint32_t n)
{
    struct doca_priv_text text;

    if (attr->rate_gbps == 0)
        attr->rate_gbps = 100;
    if (attr->vhca_id == 0)
        attr->vhca_id = (uint16_t)n;
    if (attr->sf_index == 0)
        attr->sf_index = n;
    if (attr->vuid[0] != '\0')
        return;
    text.at = attr->vuid;
    text.end = attr->vuid + sizeof(attr->vuid) - 1;
    doca_priv_text_add(&text, attr->side == DOCA_CORE_SIDE_HOST ? "SW-host-" : "SW-");
    doca_priv_text_add(&text, attr->pci_addr);
    if (attr->func_type == DOCA_PCI_FUNC_TYPE_SF) {
        doca_priv_text_add(&text, "-");
        doca_priv_text_add(&text, attr->ibdev_name);
    }
}

/* True when `sf` is an SF that may have the same address as `other`: an SF has the address of its
 * PF, and its IB device name distinguishes it. */
static bool doca_priv_sw_is_sf_beside(const struct doca_core_dev_attr *sf,
                                      const struct doca_core_dev_attr *other)
{
    return sf->func_type == DOCA_PCI_FUNC_TYPE_SF && sf->ibdev_name[0] != '\0' &&
           !doca_priv_str_equal(sf->ibdev_name, other->ibdev_name);
}

/* Return the reason why two rows contradict each other, or ITEM_NONE. */
static enum doca_core_item doca_priv_sw_judge_pair(const struct doca_core_dev_attr *a,
                                                   const struct doca_core_dev_attr *b)
{
    bool has_both = a->side == DOCA_CORE_SIDE_BOTH || b->side == DOCA_CORE_SIDE_BOTH;

    if ((has_both || a->side == b->side) && doca_priv_str_equal(a->pci_addr, b->pci_addr) &&
        !doca_priv_sw_is_sf_beside(a, b) && !doca_priv_sw_is_sf_beside(b, a))
        return DOCA_CORE_ITEM_SW_ADDRESS_TWICE;
    return doca_priv_str_equal(a->vuid, b->vuid) ? DOCA_CORE_ITEM_SW_VUID_TWICE
                                                 : DOCA_CORE_ITEM_NONE;
}

/* True when the table has the device of rep_dev of row `n`, or the row has no rep_dev. */
static bool doca_priv_sw_has_rep_dev(const struct doca_priv_sw_row *rows, uint32_t num, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < num; i++)
        if (rows[i].attr.rep_filters != 0 &&
            doca_priv_str_equal(rows[i].attr.pci_addr, rows[n].attr.rep_dev))
            return true;
    return rows[n].attr.rep_dev[0] == '\0';
}

/* Complete the rows, and check each of them and the table as a whole. Returns false when the table
 * is invalid, with the reason in *flaw. */
static bool doca_priv_sw_judge(struct doca_priv_sw_row *rows, uint32_t num,
                               struct doca_priv_flaw *flaw)
{
    uint32_t i, j;

    flaw->code = DOCA_ERROR_INVALID_VALUE;
    for (i = 0; i < num; i++) {
        flaw->place = rows[i].place;
        flaw->item = doca_priv_sw_judge_row(&rows[i].attr);
        if (flaw->item == DOCA_CORE_ITEM_NONE && !doca_priv_sw_ram_is_sound(&rows[i]))
            flaw->item = DOCA_CORE_ITEM_SW_RAM;
        if (flaw->item != DOCA_CORE_ITEM_NONE)
            return false;
        doca_priv_sw_complete(&rows[i].attr, i);
        for (j = 0; j < i && flaw->item == DOCA_CORE_ITEM_NONE; j++)
            flaw->item = doca_priv_sw_judge_pair(&rows[i].attr, &rows[j].attr);
        if (flaw->item != DOCA_CORE_ITEM_NONE)
            return false;
    }
    flaw->item = DOCA_CORE_ITEM_SW_REP_DEV;
    for (i = 0; i < num; i++) {
        flaw->place = rows[i].place;
        if (!doca_priv_sw_has_rep_dev(rows, num, i))
            return false;
    }
    return true;
}

/* Return the spare table. The caller holds the lock, here and in the functions below. */
static struct doca_priv_sw_row *doca_priv_sw_spare(void)
{
    return doca_priv_sw.tables[1 - doca_priv_sw.current];
}

/* Put the spare table in force if its `num` rows are valid. */
static bool doca_priv_sw_adopt(uint32_t num, struct doca_priv_flaw *flaw)
{
    if (!doca_priv_sw_judge(doca_priv_sw_spare(), num, flaw))
        return false;
    doca_priv_sw.current = 1 - doca_priv_sw.current;
    doca_priv_sw.num_rows = num;
    return true;
}

/* Read a text into the spare table and put it in force if it is valid. */
static bool doca_priv_sw_adopt_text(const char *text, struct doca_priv_flaw *flaw)
{
    uint32_t num;

    return doca_priv_sw_read_text(text, doca_priv_sw_spare(), DOCA_CORE_SW_MAX_DEVS, &num, flaw) &&
           doca_priv_sw_adopt(num, flaw);
}

/* Return the rows in force: the default rows until other rows are set. */
DOCA_PRIV_DECL const struct doca_priv_sw_row *doca_priv_sw_rows(void)
{
    struct doca_priv_flaw flaw; /* not read: the default text is valid */

    if (!doca_priv_sw.has_table)
        (void)doca_priv_sw_adopt_text(doca_priv_sw_default, &flaw);
    return doca_priv_sw.tables[doca_priv_sw.current];
}

DOCA_CORE_DECL doca_error_t doca_core_sw_set_devices(const struct doca_core_dev_attr *attrs,
                                                     uint32_t num)
{
    struct doca_priv_flaw flaw;
    struct doca_priv_sw_row *rows;
    bool is_sound = true;
    uint32_t i;

    if (attrs == NULL && num > 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (num > DOCA_CORE_SW_MAX_DEVS)
        return DOCA_PRIV_FAIL(TOO_BIG, SW_TOO_MANY, NULL);
    doca_priv_lock(&doca_priv_sw.lock);
    if (attrs != NULL) {
        rows = doca_priv_sw_spare();
        for (i = 0; i < num; i++) {
            rows[i].attr = attrs[i];
            rows[i].follows_profile = false;
            rows[i].is_unlimited = false;
            rows[i].place = 0;
            if (!doca_priv_sw_ram_copy(&rows[i], attrs[i].ram) && is_sound) {
                is_sound = false;
                flaw.code = DOCA_ERROR_INVALID_VALUE;
                flaw.item = DOCA_CORE_ITEM_SW_RAM;
            }
        }
        is_sound = is_sound && doca_priv_sw_adopt(num, &flaw);
    }
    if (is_sound)
        doca_priv_sw.has_table = attrs != NULL;
    doca_priv_unlock(&doca_priv_sw.lock);
    return is_sound ? DOCA_SUCCESS : doca_priv_fail(flaw.code, flaw.item, __func__, NULL);
}

DOCA_CORE_DECL doca_error_t doca_core_sw_set_topology(const char *text)
{
    struct doca_priv_flaw flaw;
    bool is_sound;

    if (text == NULL)
        return doca_core_sw_set_devices(NULL, 0);
    doca_priv_lock(&doca_priv_sw.lock);
    is_sound = doca_priv_sw_adopt_text(text, &flaw);
    if (is_sound)
        doca_priv_sw.has_table = true;
    doca_priv_unlock(&doca_priv_sw.lock);
    return is_sound ? DOCA_SUCCESS
                    : doca_priv_fail_at(flaw.code, flaw.item, __func__, flaw.place);
}

/* Read, once, the environment for settings that no call has made. Invalid values are logged after
 * the lock is released. */
DOCA_PRIV_DECL void doca_priv_sw_read_environment(void)
{
    const char *profile = doca_priv_sys_env("DOCA_CORE_SW_PROFILE");
    const char *side = doca_priv_sys_env("DOCA_CORE_SIDE");
    const char *text = doca_priv_sys_env("DOCA_CORE_SW_TOPOLOGY");
    const struct doca_core_limits *found = doca_priv_sw_find_profile(profile);
    bool profile_is_unknown = false, side_is_unknown = false, text_is_sound = true;
    struct doca_priv_flaw flaw;
    struct doca_priv_word word;
    unsigned choice = DOCA_PRIV_SIDE;

    doca_priv_lock(&doca_priv_sw.lock);
    if (doca_priv_sw.profile == NULL) {
        profile_is_unknown = profile != NULL && found == NULL;
        doca_priv_sw.profile = found != NULL ? found : &doca_priv_sw_profiles[0].limits;
    }
    if (!doca_priv_sw.has_side) {
        if (side != NULL) {
            word.at = side;
            word.len = doca_priv_str_len(side);
            side_is_unknown = !doca_priv_word_choose(
                word, doca_priv_sw_keys[DOCA_PRIV_KEY_SIDE].choices, &choice);
        }
        doca_priv_sw.side = (enum doca_core_side)choice;
        doca_priv_sw.has_side = true;
    }
    if (!doca_priv_sw.has_table) {
        if (text != NULL)
            text_is_sound = doca_priv_sw_adopt_text(text, &flaw);
        if (text == NULL || !text_is_sound)
            (void)doca_priv_sw_rows();
        doca_priv_sw.has_table = true;
    }
    doca_priv_unlock(&doca_priv_sw.lock);
    if (profile_is_unknown) /* the default profile applies */
        (void)doca_priv_fail(DOCA_ERROR_NOT_FOUND, DOCA_CORE_ITEM_SW_UNKNOWN_PROFILE,
                             "DOCA_CORE_SW_PROFILE", NULL);
    if (side_is_unknown)
        (void)doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_SW_UNKNOWN_SIDE,
                             "DOCA_CORE_SIDE", NULL);
    if (!text_is_sound)
        (void)doca_priv_fail_at(flaw.code, flaw.item, "DOCA_CORE_SW_TOPOLOGY", flaw.place);
}

/* Write the attributes of a row, under the profile in force, to attrs[num] if num < max. Return num
 * + 1. */
DOCA_PRIV_DECL uint32_t doca_priv_sw_row_put(const struct doca_priv_sw_row *row,
                                             struct doca_core_dev_attr *attrs, uint32_t max,
                                             uint32_t num)
{
    struct doca_core_dev_attr *attr = num < max ? &attrs[num] : NULL;
    const struct doca_core_limits *profile =
        doca_priv_sw.profile != NULL ? doca_priv_sw.profile : &doca_priv_sw_profiles[0].limits;
    bool is_unlimited = row->is_unlimited;

    if (attr != NULL) {
        *attr = row->attr;
        attr->ram_split = 0; /* the row keeps ram_split together with the path: see >>impl.sw.ram */
        if (row->follows_profile) {
            attr->limits = *profile;
            is_unlimited = profile == &doca_priv_sw_profiles[DOCA_PRIV_PROFILE_UNLIMITED].limits;
        }
        /* place 0: the row is from doca_core_sw_set_devices(), where the program sets
         * has_import_pci itself */
        if (row->place != 0 && attr->side == DOCA_CORE_SIDE_HOST && !is_unlimited)
            attr->limits.has_import_pci = 0;
    }
    return num + 1;
}

DOCA_PRIV_DECL uint32_t doca_priv_sw_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    const struct doca_priv_sw_row *rows;
    uint32_t num = 0, i;

    doca_priv_lock(&doca_priv_sw.lock);
    rows = doca_priv_sw_rows();
    for (i = 0; i < doca_priv_sw.num_rows; i++)
        if (doca_priv_sw.side == DOCA_CORE_SIDE_BOTH ||
            rows[i].attr.side == DOCA_CORE_SIDE_BOTH || rows[i].attr.side == doca_priv_sw.side)
            num = doca_priv_sw_row_put(&rows[i], attrs, max, num);
    doca_priv_unlock(&doca_priv_sw.lock);
    return num;
}

DOCA_PRIV_DECL uint32_t doca_priv_sw_enumerate_reps(struct doca_dev *dev, int filter,
                                                    struct doca_core_dev_attr *attrs, uint32_t max)
{
    const struct doca_priv_sw_row *rows;
    uint32_t num = 0, i;
    int flavour;

    doca_priv_lock(&doca_priv_sw.lock);
    rows = doca_priv_sw_rows();
    for (i = 0; i < doca_priv_sw.num_rows; i++) {
        flavour = rows[i].attr.is_emulated != 0 ? DOCA_DEVINFO_REP_FILTER_EMULATED
                                                : DOCA_DEVINFO_REP_FILTER_NET;
        if (doca_priv_str_equal(rows[i].attr.rep_dev, dev->info.attr.pci_addr) &&
            (filter == DOCA_DEVINFO_REP_FILTER_ALL || (filter & flavour) != 0))
            num = doca_priv_sw_row_put(&rows[i], attrs, max, num);
    }
    doca_priv_unlock(&doca_priv_sw.lock);
    return num;
}
