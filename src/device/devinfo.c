/* ---- >>impl.devinfo -------------------------------------------------------------------------
 * Lists of devices, and the calls that read their properties. One lock, doca_priv_world.lock,
 * protects the list of open devices, their counts, and the table of backends.                   */
#include "device/devinfo_priv.h"

#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "object/trace_priv.h"
#include "device/backend.h"
#include "device/backend_priv.h"
#include "device/device.h"

DOCA_PRIV_DECL struct doca_priv_world doca_priv_world;

/* Parse "DDDD:BB:DD.F" or "BB:DD.F" into one number, four bits for each hexadecimal digit. False
 * when the text has neither form. */
DOCA_PRIV_DECL bool doca_priv_pci_parse(const char *s, uint64_t *addr)
{
    static const char *const shapes[] = { "xxxx:xx:xx.x", "xx:xx.x" };
    uint64_t value = 0;
    size_t i, len = 0;
    const char *shape;
    int digit;

    while (len <= 12 && s[len] != '\0') /* a longer string is rejected without reading the rest */
        len++;
    shape = shapes[len == 12 ? 0 : 1];
    if (len != 12 && len != 7)
        return false;
    for (i = 0; i < len; i++) {
        digit = doca_priv_hex_digit(s[i]);
        if (shape[i] != 'x' ? s[i] != shape[i] : digit < 0)
            return false;
        if (shape[i] == 'x')
            value = value * 16 + (uint64_t)digit;
    }
    *addr = value;
    return (value >> 4 & 0xff) < 32 && (value & 0xf) < 8; /* device, function */
}

/* Take the arena block of a list of `num` devices. */
static doca_error_t doca_priv_devinfo_list_carve(struct doca_core_arena *arena, uint32_t num,
                                                 void **block, const char *function)
{
    return doca_priv_object_take(arena,
                                 doca_priv_size(num, sizeof(struct doca_priv_devinfo_row),
                                                sizeof(struct doca_priv_devinfo_list)),
                                 block, function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_devinfo_list(uint32_t num_devs, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_devinfo_list_carve(&count, num_devs, &block, __func__);
    return doca_priv_counted(&count, rc, bytes, __func__);
}

/* Return the backend after `backend`: the software device for NULL, NULL after the last one. The
 * caller holds the lock. */
DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_backend_next(const struct doca_core_backend *backend)
{
    const struct doca_core_backend *end = doca_priv_world.backends + DOCA_CORE_MAX_BACKENDS;

    if (backend == NULL)
        return doca_core_sw_backend();
    backend = backend == doca_core_sw_backend() ? doca_priv_world.backends : backend + 1;
    while (backend < end && backend->name == NULL)
        backend++;
    return backend < end ? backend : NULL;
}

/* Continue an FNV-1a hash with the characters of a text. */
static uint32_t doca_priv_hash_text(uint32_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

/* Return the hash of the members that doca_priv_attr_is_same() compares. */
static uint32_t doca_priv_attr_hash(const struct doca_core_dev_attr *attr)
{
    uint32_t hash = (2166136261u ^ (uint32_t)attr->side) * 16777619u;

    hash = doca_priv_hash_text(hash, attr->pci_addr);
    hash = doca_priv_hash_text(hash, attr->ibdev_name);
    return hash ^ hash >> 16; /* the low bits select the bucket of a hash table */
}

/* Expand attributes into devinfos. The attributes are at the end of the memory of the devinfos; the
 * expansion runs from front to back, so it never overwrites attributes that it has not read yet. */
DOCA_PRIV_DECL void doca_priv_devinfo_unpack(const struct doca_core_dev_attr *attrs, uint32_t num,
                                             uint8_t kind, const struct doca_core_backend *backend,
                                             struct doca_core_arena *arena,
                                             struct doca_devinfo *infos)
{
    uint32_t i;

    for (i = 0; i < num; i++) {
        DOCA_CORE_MEMMOVE(&infos[i].attr, &attrs[i], sizeof(attrs[i]));
        doca_priv_object_init(&infos[i].obj, kind);
        infos[i].arena = arena;
        infos[i].backend = backend;
        infos[i].serial = backend->serial;
        infos[i].hash = doca_priv_attr_hash(&infos[i].attr);
    }
}

/* Return the place where a backend writes the attributes of `max` devinfos; see
 * doca_priv_devinfo_unpack(). */
DOCA_PRIV_DECL struct doca_core_dev_attr *doca_priv_devinfo_attrs(struct doca_devinfo *infos,
                                                                  uint32_t max)
{
    return (struct doca_core_dev_attr *)(void *)(infos + max) - max;
}

/* Write up to `max` devices of `backend` to infos[0] and following. Returns their number. */
static uint32_t doca_priv_devinfo_fill(const struct doca_core_backend *backend,
                                       struct doca_core_arena *arena, struct doca_devinfo *infos,
                                       uint32_t max)
{
    struct doca_core_dev_attr *attrs = doca_priv_devinfo_attrs(infos, max);
    uint32_t i, num = backend->enumerate(attrs, max);

    if (num > max)
        num = max; /* a device appeared after they were counted */
    doca_priv_devinfo_unpack(attrs, num, DOCA_PRIV_KIND_DEVINFO, backend, arena, infos);
    for (i = 0; i < num; i++)
        if (backend->enumerate_reps == NULL || infos[i].attr.func_type == DOCA_PCI_FUNC_TYPE_SF)
            infos[i].attr.rep_filters = 0;
    return num;
}

/* Count the devices of all backends when `infos` is NULL; otherwise write up to `max` of them. */
static uint32_t doca_priv_devinfo_gather(struct doca_core_arena *arena, struct doca_devinfo *infos,
                                         uint32_t max)
{
    const struct doca_core_backend *backend = NULL;
    uint32_t num = 0;

    doca_priv_lock(&doca_priv_world.lock);
    while ((backend = doca_priv_backend_next(backend)) != NULL)
        num += infos == NULL ? backend->enumerate(NULL, 0)
                             : doca_priv_devinfo_fill(backend, arena, infos + num, max - num);
    doca_priv_unlock(&doca_priv_world.lock);
    return num;
}

DOCA_PRIV_ASSERT_STATIC(devinfos_follow_their_list,
                        sizeof(struct doca_priv_devinfo_list) % sizeof(uint64_t) == 0);

/* Create a list with room for `num` devinfos. The caller writes the devinfos and the pointers. */
DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_list_make(struct doca_core_arena *arena, uint8_t kind,
                                                        uint32_t num,
                                                        struct doca_priv_devinfo_list **list,
                                                        const char *function)
{
    void *block = NULL;
    doca_error_t rc = doca_priv_devinfo_list_carve(arena, num, &block, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    *list = (struct doca_priv_devinfo_list *)block;
    doca_priv_object_init(&(*list)->obj, kind);
    (*list)->arena = arena;
    (*list)->infos = (struct doca_devinfo *)(void *)((uint64_t *)(void *)(*list + 1) + num);
    return DOCA_SUCCESS;
}

/* Destroy a list, given the pointers that the program has, and its devinfos. */
DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_list_end(void *pointers, uint8_t kind,
                                                       const char *function)
{
    struct doca_priv_devinfo_list *list = (struct doca_priv_devinfo_list *)pointers;
    uint32_t i;

    if (pointers == NULL || !doca_priv_is(--list, kind))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE,
                              pointers == NULL ? DOCA_CORE_ITEM_NULL_ARGUMENT
                                               : DOCA_CORE_ITEM_DEAD_HANDLE,
                              function, NULL);
    for (i = 0; i < list->num; i++) /* the program may have reordered the pointers */
        doca_priv_object_end(&list->infos[i].obj);
    return doca_priv_object_give(list->arena, &list->obj);
}

static bool doca_priv_is_zero(const uint8_t *bytes, size_t num)
{
    while (num > 0 && bytes[num - 1] == 0)
        num--;
    return num == 0;
}

/* Ask the operating system for the addresses of the device's interface that the backend did not
 * fill in. */
static void doca_priv_devinfo_ask_system(struct doca_core_dev_attr *attr)
{
    bool has_mac = attr->port != DOCA_CORE_PORT_ETHERNET ||
                   !doca_priv_is_zero(attr->mac_addr, sizeof(attr->mac_addr));
    bool has_ipv4 = !doca_priv_is_zero(attr->ipv4_addr, sizeof(attr->ipv4_addr));
    bool has_ipv6 = !doca_priv_is_zero(attr->ipv6_addr, sizeof(attr->ipv6_addr));

    if (attr->iface_name[0] != '\0' && !(has_mac && has_ipv4 && has_ipv6))
        doca_priv_sys_iface(attr->iface_name, has_mac ? NULL : attr->mac_addr,
                            has_ipv4 ? NULL : attr->ipv4_addr, has_ipv6 ? NULL : attr->ipv6_addr);
}

static doca_error_t doca_priv_devinfo_create_list(struct doca_core_arena *arena,
                                                  struct doca_devinfo ***dev_list,
                                                  uint32_t *nb_devs, const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA,
                                           dev_list != NULL ? nb_devs : NULL, function);
    struct doca_priv_devinfo_list *list = NULL;
    struct doca_devinfo **pointers;
    uint32_t i, num;

    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_trace_read_environment();
    DOCA_PRIV_WITH_SW(doca_priv_sw_read_environment();)
    doca_priv_fault_read_environment();
    num = doca_priv_devinfo_gather(arena, NULL, 0);
    if (num == 0)
        return doca_priv_fail(DOCA_ERROR_NOT_FOUND, DOCA_CORE_ITEM_DEV_NONE, function, NULL);
    rc = doca_priv_devinfo_list_make(arena, DOCA_PRIV_KIND_DEVINFO_LIST, num, &list, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    list->num = doca_priv_devinfo_gather(arena, list->infos, num);
    if (list->num == 0) { /* all devices disappeared after they were counted */
        (void)doca_priv_object_give(arena, &list->obj);
        return doca_priv_fail(DOCA_ERROR_NOT_FOUND, DOCA_CORE_ITEM_DEV_NONE, function, NULL);
    }
    pointers = (struct doca_devinfo **)(void *)(list + 1);
    for (i = 0; i < list->num; i++) { /* system calls, made without the lock */
        doca_priv_devinfo_ask_system(&list->infos[i].attr);
        pointers[i] = &list->infos[i];
    }
    *dev_list = pointers;
    *nb_devs = list->num;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_devinfo_create_list_in(struct doca_core_arena *arena,
                                                             struct doca_devinfo ***dev_list,
                                                             uint32_t *nb_devs)
{
    return doca_priv_devinfo_create_list(arena, dev_list, nb_devs, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list,
                                                     uint32_t *nb_devs)
{
    return doca_priv_devinfo_create_list(doca_core_arena_bound(), dev_list, nb_devs, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list)
{
    return doca_priv_devinfo_list_end(dev_list, DOCA_PRIV_KIND_DEVINFO_LIST, __func__);
}

DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_get_pci_addr(const void *devinfo, uint8_t kind,
                                                           char *to, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, kind, to, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (((const struct doca_devinfo *)devinfo)->attr.pci_addr[0] == '\0')
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_REP_NO_PCI_ADDR, function,
                              devinfo);
    DOCA_CORE_MEMCPY(to, ((const struct doca_devinfo *)devinfo)->attr.pci_addr,
                     DOCA_DEVINFO_PCI_ADDR_SIZE);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo,
                                                          char *pci_addr_str)
{
    return doca_priv_devinfo_get_pci_addr(devinfo, DOCA_PRIV_KIND_DEVINFO, pci_addr_str, __func__);
}

DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_is_equal(const void *devinfo, uint8_t kind,
                                                       const char *text, uint8_t *is_equal,
                                                       const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, kind, text != NULL ? is_equal : NULL, function);
    uint64_t addr = 0, text_addr;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_pci_parse(text, &text_addr))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_PCI_ADDR_MALFORMED, function,
                              devinfo);
    *is_equal = doca_priv_pci_parse(((const struct doca_devinfo *)devinfo)->attr.pci_addr, &addr) &&
                        addr == text_addr
                    ? 1
                    : 0;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo,
                                                           const char *pci_addr_str,
                                                           uint8_t *is_equal)
{
    return doca_priv_devinfo_is_equal(devinfo, DOCA_PRIV_KIND_DEVINFO, pci_addr_str, is_equal,
                                      __func__);
}

/* Copy a property of `bytes` bytes to a buffer of `size` bytes. `size` must be at least `least`. */
DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_give(const struct doca_devinfo *devinfo,
                                                   const void *property, size_t bytes, void *to,
                                                   uint32_t size, uint32_t least,
                                                   const char *function)
{
    if (to == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              devinfo);
    if (size < least)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_TEXT_TOO_SHORT, function,
                              devinfo);
    DOCA_CORE_MEMCPY(to, property, bytes);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo,
                                                        char *ibdev_name, uint32_t size)
{
    if (!doca_priv_is(devinfo, DOCA_PRIV_KIND_DEVINFO))
        return DOCA_PRIV_FAIL_HANDLE(devinfo);
    return doca_priv_devinfo_give(devinfo, devinfo->attr.ibdev_name,
                                  sizeof(devinfo->attr.ibdev_name), ibdev_name, size,
                                  DOCA_DEVINFO_IBDEV_NAME_SIZE, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo,
                                                        char *iface_name, uint32_t size)
{
    if (!doca_priv_is(devinfo, DOCA_PRIV_KIND_DEVINFO))
        return DOCA_PRIV_FAIL_HANDLE(devinfo);
    return doca_priv_devinfo_give(devinfo, devinfo->attr.iface_name,
                                  sizeof(devinfo->attr.iface_name), iface_name, size,
                                  DOCA_DEVINFO_IFACE_NAME_SIZE, __func__);
}

/* Return the reason why an address of this length is unknown. */
static enum doca_core_item doca_priv_devinfo_no_addr(const struct doca_devinfo *devinfo,
                                                     uint32_t bytes)
{
    return bytes == DOCA_DEVINFO_IPV6_ADDR_SIZE && devinfo->attr.iface_name[0] != '\0' &&
                   !doca_priv_sys_lists_ipv6()
               ? DOCA_CORE_ITEM_DEV_NO_IF_INET6
               : DOCA_CORE_ITEM_DEV_NO_ADDRESS;
}

/* Copy an address. An address of all zeros is unknown. */
static doca_error_t doca_priv_devinfo_give_addr(const struct doca_devinfo *devinfo,
                                                const uint8_t *addr, uint32_t bytes, uint8_t *to,
                                                uint32_t size, const char *function)
{
    if (to != NULL && size >= bytes && doca_priv_is_zero(addr, bytes))
        return doca_priv_fail(DOCA_ERROR_OPERATING_SYSTEM,
                              doca_priv_devinfo_no_addr(devinfo, bytes), function, devinfo);
    return doca_priv_devinfo_give(devinfo, addr, bytes, to, size, bytes, function);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo,
                                                       uint8_t *ipv4_addr, uint32_t size)
{
    if (!doca_priv_is(devinfo, DOCA_PRIV_KIND_DEVINFO))
        return DOCA_PRIV_FAIL_HANDLE(devinfo);
    return doca_priv_devinfo_give_addr(devinfo, devinfo->attr.ipv4_addr,
                                       DOCA_DEVINFO_IPV4_ADDR_SIZE, ipv4_addr, size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo,
                                                       uint8_t *ipv6_addr, uint32_t size)
{
    if (!doca_priv_is(devinfo, DOCA_PRIV_KIND_DEVINFO))
        return DOCA_PRIV_FAIL_HANDLE(devinfo);
    return doca_priv_devinfo_give_addr(devinfo, devinfo->attr.ipv6_addr,
                                       DOCA_DEVINFO_IPV6_ADDR_SIZE, ipv6_addr, size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo,
                                                      uint8_t *mac_addr, uint32_t size)
{
    if (!doca_priv_is(devinfo, DOCA_PRIV_KIND_DEVINFO))
        return DOCA_PRIV_FAIL_HANDLE(devinfo);
    if (mac_addr != NULL && devinfo->attr.port != DOCA_CORE_PORT_ETHERNET)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_MAC, devinfo);
    return doca_priv_devinfo_give_addr(devinfo, devinfo->attr.mac_addr, DOCA_DEVINFO_MAC_ADDR_SIZE,
                                       mac_addr, size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, lid, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (devinfo->attr.port != DOCA_CORE_PORT_INFINIBAND)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_LID, devinfo);
    *lid = devinfo->attr.lid;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_pcc_supported(const struct doca_devinfo *devinfo)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, devinfo, __func__);

    return rc != DOCA_SUCCESS ? rc : DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_PCC, devinfo);
}

/* Copy a capability of one byte. */
static doca_error_t doca_priv_devinfo_cap(const struct doca_devinfo *devinfo, uint8_t value,
                                          uint8_t *to, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, to, function);

    if (rc == DOCA_SUCCESS)
        *to = value;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_cap_is_hotplug_manager_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager)
{
    uint8_t value = doca_priv_is(devinfo, DOCA_PRIV_KIND_DEVINFO) ? devinfo->attr.is_hotplug_manager
                                                                  : 0;

    return doca_priv_devinfo_cap(devinfo, value, is_hotplug_manager, __func__);
}

/* Return the rate of the port in Gbit/s, or 0 with the error in *rc. */
static uint32_t doca_priv_devinfo_rate(const struct doca_devinfo *devinfo, const void *out,
                                       doca_error_t *rc, const char *function)
{
    *rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, out, function);
    if (*rc != DOCA_SUCCESS)
        return 0;
    if (devinfo->attr.rate_gbps == 0)
        *rc = doca_priv_fail(DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_DEV_NO_RATE, function, devinfo);
    return devinfo->attr.rate_gbps;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo,
                                                         double *active_rate)
{
    doca_error_t rc;
    uint32_t rate = doca_priv_devinfo_rate(devinfo, active_rate, &rc, __func__);

    if (rc == DOCA_SUCCESS)
        *active_rate = rate;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_v3_devinfo_get_active_rate(
    const struct doca_devinfo *devinfo, uint64_t *active_rate)
{
    doca_error_t rc;
    uint32_t rate = doca_priv_devinfo_rate(devinfo, active_rate, &rc, __func__);

    if (rc == DOCA_SUCCESS)
        *active_rate = rate * UINT64_C(1000000000);
    return rc;
}

/* Get the VHCA id of a device or of a represented function. */
DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_vhca_id(const struct doca_devinfo *devinfo,
                                                      uint8_t kind, uint16_t *vhca_id,
                                                      const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, kind, vhca_id, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (devinfo->attr.has_no_vhca_id != 0)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_VHCA_ID, function,
                              devinfo);
    *vhca_id = devinfo->attr.vhca_id;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_vhca_id(const struct doca_devinfo *devinfo,
                                                     uint16_t *vhca_id)
{
    return doca_priv_devinfo_vhca_id(devinfo, DOCA_PRIV_KIND_DEVINFO, vhca_id, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_devinfo_get_side(const struct doca_devinfo *devinfo,
                                                       enum doca_core_side *side)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, side, __func__);

    if (rc == DOCA_SUCCESS)
        *side = devinfo->attr.side;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_func_type(const struct doca_devinfo *devinfo,
                                                           enum doca_pci_func_type *pci_func_type)
{
    doca_error_t rc =
        doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, pci_func_type, __func__);

    if (rc == DOCA_SUCCESS)
        *pci_func_type = devinfo->attr.func_type;
    return rc;
}

/* Get the SF index of a device or of a represented function. */
DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_sf_index(const struct doca_devinfo *devinfo,
                                                       uint8_t kind, uint32_t *sf_index,
                                                       const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, kind, sf_index, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (devinfo->attr.func_type != DOCA_PCI_FUNC_TYPE_SF)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_SF, function,
                              devinfo);
    *sf_index = devinfo->attr.sf_index;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo,
                                                      uint32_t *sf_index)
{
    return doca_priv_devinfo_sf_index(devinfo, DOCA_PRIV_KIND_DEVINFO, sf_index, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_cap_is_accelerate_resource_reclaim_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_accelerate_resource_reclaim)
{
    return doca_priv_devinfo_cap(devinfo, 0, is_accelerate_resource_reclaim, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_cap_is_notification_moderation_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_notification_moderation_supported)
{
    return doca_priv_devinfo_cap(devinfo, 0, is_notification_moderation_supported, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev)
{
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_RECLAIM, dev);
}
