/* ---- >>impl.mmap_export ---------------------------------------------------------------------
 * Exports and imports of mmaps. A backend with mem_export serves its own exports: its data travels
 * in the blob of the descriptor. Without mem_export the operating system copies; see
 * >>impl.export.                                                                                */
#include "memory/mmap_export_priv.h"

#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "device/devinfo_priv.h"
#include "memory/export_priv.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"

/* Get a capability from a byte of struct doca_core_limits; `limit` is its offset. */
static doca_error_t doca_priv_mmap_cap(const struct doca_devinfo *devinfo, size_t limit,
                                       uint8_t *to, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, to, function);

    if (rc == DOCA_SUCCESS)
        *to = ((const uint8_t *)(const void *)&devinfo->attr.limits)[limit] != 0 ? 1 : 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_cap_is_export_pci_supported(
    const struct doca_devinfo *devinfo, uint8_t *mmap_export)
{
    return doca_priv_mmap_cap(devinfo, offsetof(struct doca_core_limits, has_export_pci),
                              mmap_export, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(
    const struct doca_devinfo *devinfo, uint8_t *from_export)
{
    return doca_priv_mmap_cap(devinfo, offsetof(struct doca_core_limits, has_import_pci),
                              from_export, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_export(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_priv_mmap_export), bytes, __func__);
}

/* Return a set of permissions; an export of this kind needs at least one of them. */
static uint32_t doca_priv_mmap_export_flags(uint8_t kind)
{
    return kind == DOCA_PRIV_EXPORT_MMAP_PCI
               ? DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE
               : DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
                     DOCA_ACCESS_FLAG_RDMA_ATOMIC;
}

/* Return the item to log when `dev` cannot export or import. For a software device, the text names
 * the profile that allows exports and imports. For a device opened from a PD, the text is general,
 * because a profile cannot give it these capabilities. */
static enum doca_core_item doca_priv_mmap_limit_item(const struct doca_dev *dev)
{
    return dev->from_pd == NULL && dev->backend->enumerate == doca_core_sw_backend()->enumerate
               ? DOCA_CORE_ITEM_SW_NO_EXPORT
               : DOCA_CORE_ITEM_DEV_NO_EXPORT;
}

/* Check that an export of this kind through `dev` is possible. On an error the reason is in
 * *item. */
static doca_error_t doca_priv_mmap_export_check(const struct doca_mmap *mmap,
                                                const struct doca_dev *dev,
                                                enum doca_priv_export_kind kind,
                                                enum doca_core_item *item)
{
    const struct doca_core_limits *limits = &dev->info.attr.limits;

    *item = DOCA_CORE_ITEM_MMAP_ON_DEV;
    if (mmap->is_on_dev)
        return DOCA_ERROR_NOT_SUPPORTED;
    *item = mmap->is_imported                          ? DOCA_CORE_ITEM_MMAP_IMPORTED
            : mmap->obj.state == DOCA_PRIV_STOPPED     ? DOCA_CORE_ITEM_MMAP_NOT_STARTED
            : (mmap->access & doca_priv_mmap_export_flags((uint8_t)kind)) == 0
                ? DOCA_CORE_ITEM_MMAP_ACCESS_LACKS
                : DOCA_CORE_ITEM_NONE;
    if (*item != DOCA_CORE_ITEM_NONE)
        return DOCA_ERROR_NOT_PERMITTED;
    *item = DOCA_CORE_ITEM_MMAP_DEV_MISSING;
    if (doca_priv_mmap_find(mmap, dev) == mmap->num_devs)
        return DOCA_ERROR_NOT_FOUND;
    *item = doca_priv_mmap_limit_item(dev);
    if ((kind == DOCA_PRIV_EXPORT_MMAP_PCI ? limits->has_export_pci : limits->has_rdma) == 0)
        return DOCA_ERROR_NOT_SUPPORTED;
    *item = DOCA_CORE_ITEM_MMAP_DMABUF_EXPORT;
    return mmap->far == NULL ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

/* Write the name of the backend that serves exports and imports of its devices, in the form of a
 * descriptor. The name is empty when the operating system copies. */
static void doca_priv_mmap_backend(const struct doca_core_backend *backend,
                                   char name[DOCA_PRIV_EXPORT_BACKEND])
{
    size_t i;

    DOCA_CORE_MEMSET(name, 0, DOCA_PRIV_EXPORT_BACKEND);
    if (backend->mem_export != NULL)
        for (i = 0; i < DOCA_PRIV_EXPORT_BACKEND && backend->name[i] != '\0'; i++)
            name[i] = backend->name[i];
}

#if DOCA_CORE_TRACE
/* Record an export or import. `other` receives a number that is equal for an export and its
 * imports; it does not reveal the token. */
static void doca_priv_mmap_trace(uint32_t what, const struct doca_mmap *mmap,
                                 const struct doca_priv_mmap_desc *desc)
{
    const uint64_t numbers[] = { desc->addr, desc->len, desc->head.pid, desc->head.token };
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    size_t i;

    for (i = 0; i < 8 * sizeof(numbers) / sizeof(numbers[0]); i++)
        hash = (hash ^ (numbers[i / 8] >> i % 8 * 8 & 0xff)) * 0x100000001b3u;
    doca_priv_trace(what, mmap, hash >> 32, 0);
}
#endif

/* Fill in and seal the descriptor of a new export. */
static doca_error_t doca_priv_mmap_describe(const struct doca_mmap *mmap,
                                            const struct doca_priv_mmap_dev *d,
                                            enum doca_priv_export_kind kind,
                                            struct doca_priv_mmap_export *e, const char *function)
{
    const struct doca_core_backend *backend = d->dev->backend;
    enum doca_core_item item;
    doca_error_t rc;

    e->reg = *d;
    if (!doca_priv_sys_random(&e->token))
        return doca_priv_fail_system(DOCA_CORE_ITEM_EXPORT_RANDOM, function, mmap, NULL);
    e->desc.addr = (uintptr_t)mmap->addr;
    e->desc.len = mmap->len;
    e->desc.access = mmap->access;
    DOCA_CORE_MEMCPY(e->desc.pci_addr, d->dev->info.attr.pci_addr, DOCA_DEVINFO_PCI_ADDR_SIZE);
    if (backend->mem_export != NULL) {
        doca_priv_mmap_backend(backend, e->desc.backend);
        e->desc.head.token = d->mkey; /* peers of an RDMA connection refer to the range by this
                                       * key */
        doca_priv_listen();
        rc = backend->mem_export(d->dev, d->mkey, d->internal_mkey,
                                 kind == DOCA_PRIV_EXPORT_MMAP_RDMA, e->desc.blob);
    } else {
        doca_priv_listen();
        rc = doca_priv_fault_share(d->dev, false);
    }
    if (rc != DOCA_SUCCESS)
        return doca_priv_refused(rc, function, mmap);
    item = doca_priv_export_seal(&e->desc.head, kind, sizeof(e->desc),
                                 backend->mem_export == NULL ? &e->token : NULL);
    DOCA_PRIV_TRACED(doca_priv_mmap_trace(DOCA_PRIV_TRACE_EXPORT, mmap, &e->desc);)
    return item == DOCA_CORE_ITEM_NONE
               ? DOCA_SUCCESS
               : doca_priv_fail_system(item, function, mmap, NULL);
}

/* Return the export of this kind through `dev`. An existing export is returned again. */
static doca_error_t doca_priv_mmap_export_for(struct doca_mmap *mmap, const struct doca_dev *dev,
                                              enum doca_priv_export_kind kind,
                                              struct doca_priv_mmap_export **exported,
                                              const char *function)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    doca_error_t rc = doca_priv_mmap_export_check(mmap, dev, kind, &item);
    struct doca_priv_mmap_export *e = mmap->exports;
    const char *ptracer;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return doca_priv_fail(rc, item, function, mmap);
    while (e != NULL && (e->reg.dev != dev || e->desc.head.kind != kind ||
                         e->desc.head.pid != doca_priv_sys_pid())) /* the export was inherited by
                                                                    * fork() */
        e = e->next;
    if (e == NULL) {
        rc = doca_priv_object_take(mmap->arena, sizeof(*e), &block, function);
        if (rc != DOCA_SUCCESS)
            return rc;
        e = (struct doca_priv_mmap_export *)block;
        rc = doca_priv_mmap_describe(mmap, &mmap->devs[doca_priv_mmap_find(mmap, dev)], kind, e,
                                     function);
        if (rc != DOCA_SUCCESS) {
            (void)doca_core_arena_give(mmap->arena, e);
            return rc;
        }
        e->next = mmap->exports;
        mmap->exports = e;
        ptracer = dev->backend->mem_export == NULL ? doca_priv_sys_env("DOCA_CORE_SW_PTRACER")
                                                   : NULL; /* importers do not access this range
                                                            * through the kernel */
        if (ptracer != NULL && doca_priv_str_equal(ptracer, "any"))
            doca_priv_sys_far_permit();
    }
    *exported = e;
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mmap_publish(struct doca_mmap *mmap,
                                                   const struct doca_dev *dev,
                                                   enum doca_priv_export_kind kind,
                                                   const void **export_desc,
                                                   size_t *export_desc_len, const char *function)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(mmap, function)
    doca_error_t rc;
    struct doca_priv_mmap_export *e = NULL;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, export_desc, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, export_desc_len, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_mmap_export_for(mmap, dev, kind, &e, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    *export_desc = &e->desc;
    *export_desc_len = sizeof(e->desc);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev,
                                                 const void **export_desc, size_t *export_desc_len)
{
    return doca_priv_mmap_publish(mmap, dev, DOCA_PRIV_EXPORT_MMAP_PCI, export_desc,
                                  export_desc_len, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap,
                                                  const struct doca_dev *dev,
                                                  const void **export_desc, size_t *export_desc_len)
{
    return doca_priv_mmap_publish(mmap, dev, DOCA_PRIV_EXPORT_MMAP_RDMA, export_desc,
                                  export_desc_len, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_import(size_t *bytes)
{
    size_t mmap_bytes = 0, far_bytes = 0;
    doca_error_t rc;

    if (bytes == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    rc = doca_core_bytes_mmap(&mmap_bytes);
    if (rc == DOCA_SUCCESS)
        rc = doca_core_bytes_mmap_dmabuf(&far_bytes);
    if (rc == DOCA_SUCCESS)
        *bytes = mmap_bytes + far_bytes;
    return rc;
}

/* Check a descriptor for an import on `dev`. For an export that the operating system copies, this
 * includes the comparison with the exporter's copy. On an error the reason is in *item. */
static doca_error_t doca_priv_mmap_import_check(const struct doca_dev *dev, const void *export_desc,
                                                size_t export_desc_len,
                                                struct doca_priv_mmap_desc *desc,
                                                struct doca_priv_far *far,
                                                enum doca_core_item *item)
{
    const struct doca_core_limits *limits = &dev->info.attr.limits;
    doca_error_t rc = doca_priv_export_open(export_desc, export_desc_len, DOCA_PRIV_EXPORT_MMAP_PCI,
                                            DOCA_PRIV_EXPORT_MMAP_RDMA, &desc->head, sizeof(*desc),
                                            item);
    char name[DOCA_PRIV_EXPORT_BACKEND];

    if (rc != DOCA_SUCCESS)
        return rc;
    *item = DOCA_CORE_ITEM_EXPORT_DAMAGED;
    if (desc->len == 0 || desc->addr > UINTPTR_MAX || desc->len > UINTPTR_MAX - desc->addr ||
        (desc->access & ~DOCA_PRIV_ACCESS_KNOWN) != 0)
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_EXPORT_BACKEND;
    doca_priv_mmap_backend(dev->backend, name);
    if (DOCA_CORE_MEMCMP(desc->backend, name, sizeof(name)) != 0)
        return DOCA_ERROR_NOT_SUPPORTED;
    *item = doca_priv_mmap_limit_item(dev);
    if ((desc->head.kind == DOCA_PRIV_EXPORT_MMAP_PCI ? limits->has_import_pci
                                                      : limits->has_rdma) == 0)
        return DOCA_ERROR_NOT_SUPPORTED;
    if (name[0] != '\0') /* the backend imports the range: mem_import checks the descriptor */
        return DOCA_SUCCESS;
    *item = DOCA_CORE_ITEM_EXPORT_DAMAGED;
    if (desc->addr == 0 || /* a process has no memory at address 0 */
        desc->head.token_at > UINTPTR_MAX - sizeof(struct doca_priv_mmap_export))
        return DOCA_ERROR_INVALID_VALUE;
    far->pid = desc->head.pid;
    far->token = desc->head.token;
    far->token_at = desc->head.token_at;
    far->rdma_access = desc->head.kind == DOCA_PRIV_EXPORT_MMAP_RDMA ? desc->access : 0;
    far->may_read = desc->head.kind == DOCA_PRIV_EXPORT_MMAP_PCI ||
                    (desc->access & DOCA_ACCESS_FLAG_RDMA_READ) != 0;
    *item = doca_priv_far_compare(far, desc);
    return *item == DOCA_CORE_ITEM_NONE               ? DOCA_SUCCESS
           : *item == DOCA_CORE_ITEM_EXPORTER_GUARDED ? DOCA_ERROR_NOT_PERMITTED
           : *item == DOCA_CORE_ITEM_EXPORTER_KERNEL  ? DOCA_ERROR_NOT_SUPPORTED
                                                      : DOCA_ERROR_INVALID_VALUE;
}

/* Set up the access to the range of an imported mmap. When the operating system copies, `far` is
 * copied to an arena block. Otherwise the backend imports the range. */
static doca_error_t doca_priv_mmap_import_range(struct doca_mmap *m, struct doca_dev *dev,
                                                const struct doca_priv_mmap_desc *desc,
                                                const struct doca_priv_far *far,
                                                const char *function)
{
    struct doca_core_range range;
    void *block = NULL;
    doca_error_t rc;

    if (dev->backend->mem_export == NULL) {
        doca_priv_listen();
        rc = doca_priv_fault_share(dev, true);
        if (rc != DOCA_SUCCESS)
            return doca_priv_refused(rc, function, dev);
        rc = doca_priv_object_take(m->arena, sizeof(*far), &block, function);
        if (rc != DOCA_SUCCESS)
            return rc;
        m->far = (struct doca_priv_far *)block;
        /* analyzer: analyzer-null-dereference: only an arena that just counts returns NULL */
        *m->far = *far;
    } else {
        doca_priv_mmap_range(m, &range);
        doca_priv_listen();
        rc = dev->backend->mem_import(dev, &range, desc->head.kind == DOCA_PRIV_EXPORT_MMAP_RDMA,
                                      desc->blob, &m->devs[0].mkey, &m->devs[0].internal_mkey);
        if (rc != DOCA_SUCCESS)
            return doca_priv_refused(rc, function, dev);
        if (desc->head.kind == DOCA_PRIV_EXPORT_MMAP_RDMA) {
            m->remote_key = (uint32_t)desc->head.token;
            m->is_write_only = (desc->access & DOCA_ACCESS_FLAG_RDMA_READ) == 0;
            m->is_rdma_only = m->devs[0].mkey == 0 && m->devs[0].internal_mkey == 0;
        }
        /* 0 leads to doca_priv_task_explain(), which rejects accesses that the import does not
         * permit */
        m->dev_mask = m->is_write_only || m->is_rdma_only ? 0 : dev->bit;
        m->is_backend_only = true;
    }
    m->devs[0].dev = dev;
    m->num_devs = 1;
    doca_priv_dev_hold(dev);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mmap_import(struct doca_core_arena *arena,
                                                  const union doca_data *user_data,
                                                  const void *export_desc, size_t export_desc_len,
                                                  struct doca_dev *dev, struct doca_mmap **mmap,
                                                  const char *function)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_mmap_desc desc;
    struct doca_priv_far far;
    struct doca_mmap *m = NULL;
    doca_error_t rc;

    DOCA_CORE_MEMSET(&far, 0, sizeof(far));
    rc = doca_priv_mmap_import_check(dev, export_desc, export_desc_len, &desc, &far, &item);
    if (rc == DOCA_ERROR_OPERATING_SYSTEM)
        return doca_priv_fail_system(item, function, dev, NULL);
    if (rc != DOCA_SUCCESS)
        return doca_priv_fail(rc, item, function, dev);
    rc = doca_priv_mmap_create(arena, &m, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    m->access = (desc.access & (desc.head.kind == DOCA_PRIV_EXPORT_MMAP_PCI
                                    ? DOCA_ACCESS_FLAG_PCI_READ_WRITE
                                    : DOCA_ACCESS_FLAG_RDMA_WRITE)) != 0
                    ? DOCA_ACCESS_FLAG_LOCAL_READ_WRITE
                    : DOCA_ACCESS_FLAG_LOCAL_READ_ONLY;
    doca_priv_mmap_set_range(m, (void *)(uintptr_t)desc.addr, (size_t)desc.len);
    rc = doca_priv_mmap_import_range(m, dev, &desc, &far, function);
    if (rc != DOCA_SUCCESS) {
        (void)doca_priv_object_give(arena, &m->obj);
        return rc;
    }
    if (user_data != NULL)
        m->user_data = *user_data;
    m->is_imported = true;
    m->was_started = true;
    doca_priv_mmap_enter_started(m);
    DOCA_PRIV_TRACED(doca_priv_mmap_trace(DOCA_PRIV_TRACE_IMPORT, m, &desc);)
    *mmap = m;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_create_from_export_in(
    struct doca_core_arena *arena, const union doca_data *user_data, const void *export_desc,
    size_t export_desc_len, struct doca_dev *dev, struct doca_mmap **mmap)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, export_desc, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, mmap, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_mmap_import(arena, user_data, export_desc, export_desc_len, dev, mmap,
                                   __func__);
    return doca_priv_mmap_hand_out(rc, mmap);
}

DOCA_CORE_DECL doca_error_t doca_mmap_create_from_export(const union doca_data *user_data,
                                                         const void *export_desc,
                                                         size_t export_desc_len,
                                                         struct doca_dev *dev,
                                                         struct doca_mmap **mmap)
{
    doca_error_t rc =
        doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, export_desc != NULL ? mmap : NULL, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_mmap_import(dev->info.arena, user_data, export_desc, export_desc_len, dev,
                                   mmap, __func__);
    return doca_priv_mmap_hand_out(rc, mmap);
}
