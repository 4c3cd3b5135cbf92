/* ---- >>priv.devinfo --------------------------------------------------------------------------
 * Declarations for the other parts: the list of backends and open devices, and lists of
 * devinfos.                                                                                     */
#ifndef DOCA_SRC_DEVICE_DEVINFO_PRIV_H
#define DOCA_SRC_DEVICE_DEVINFO_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "device/backend.h"

struct doca_core_dev_attr;
struct doca_priv_devinfo_list;

/* Number of buckets of the hash table of open devices: as many as devices, so that a bucket rarely
 * has several devices. */
#define DOCA_PRIV_DEV_PLACES (DOCA_CORE_MAX_DEVS)

struct doca_priv_world {
    uint32_t lock;
    uint32_t num_registrations; /* backends registered so far; the serial of the latest */
    uint64_t dev_bits;          /* doca_dev.bit of every open device */
    struct doca_dev *devs;
    struct doca_dev *hashed[DOCA_PRIV_DEV_PLACES]; /* all open devices except those opened from a
                                                    * PD */
    struct doca_core_backend backends[DOCA_CORE_MAX_BACKENDS]; /* an entry without a name is free */
};

#if defined(DOCA_CORE_NO_FAULT)
#define doca_priv_fault_read_environment() ((void)0)
#define doca_priv_fault_wrap(inner) (inner)
#define doca_priv_fault_wrap_ctx(inner, has_faults) (inner)
#define doca_priv_fault_share(dev, is_import) DOCA_SUCCESS
#define doca_priv_fault_open(ctx, num_tasks, function)                                             \
    ((ctx)->engine->open((ctx), (num_tasks), (function)))
#define doca_priv_fault_bytes(ctx, num_tasks, bytes) (bytes)
#define doca_priv_fault_withdraw(task) true
#define doca_priv_fault_is_on(ctx) false
#define doca_priv_fault_call(ctx, op) DOCA_SUCCESS
#define doca_priv_fault_has(ctx, is_match, object) false
#endif

DOCA_PRIV_DATA struct doca_priv_world doca_priv_world;

DOCA_PRIV_DECL bool doca_priv_pci_parse(const char *s, uint64_t *addr);
DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_backend_next(const struct doca_core_backend *backend);
DOCA_PRIV_DECL void doca_priv_devinfo_unpack(const struct doca_core_dev_attr *attrs, uint32_t num,
                                             uint8_t kind, const struct doca_core_backend *backend,
                                             struct doca_core_arena *arena,
                                             struct doca_devinfo *infos);
DOCA_PRIV_DECL struct doca_core_dev_attr *doca_priv_devinfo_attrs(struct doca_devinfo *infos,
                                                                  uint32_t max);
DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_list_make(struct doca_core_arena *arena, uint8_t kind,
                                                        uint32_t num,
                                                        struct doca_priv_devinfo_list **list,
                                                        const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_list_end(void *pointers, uint8_t kind,
                                                       const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_get_pci_addr(const void *devinfo, uint8_t kind,
                                                           char *to, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_is_equal(const void *devinfo, uint8_t kind,
                                                       const char *text, uint8_t *is_equal,
                                                       const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_give(const struct doca_devinfo *devinfo,
                                                   const void *property, size_t bytes, void *to,
                                                   uint32_t size, uint32_t least,
                                                   const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_vhca_id(const struct doca_devinfo *devinfo,
                                                      uint8_t kind, uint16_t *vhca_id,
                                                      const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_devinfo_sf_index(const struct doca_devinfo *devinfo,
                                                       uint8_t kind, uint32_t *sf_index,
                                                       const char *function);
#if !defined(DOCA_CORE_NO_SW)
DOCA_PRIV_DECL void doca_priv_sw_read_environment(void);
#endif
#if !defined(DOCA_CORE_NO_FAULT)
DOCA_PRIV_DECL void doca_priv_fault_read_environment(void);
DOCA_PRIV_DECL doca_error_t doca_priv_fault_share(struct doca_dev *dev, bool is_import);
DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_fault_wrap(const struct doca_core_backend *inner);
DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_fault_wrap_ctx(const struct doca_core_backend *inner, bool has_faults);
DOCA_PRIV_DECL doca_error_t doca_priv_fault_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                                 const char *function);
DOCA_PRIV_DECL size_t doca_priv_fault_bytes(const struct doca_ctx *ctx, uint32_t num_tasks,
                                            size_t bytes);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_fault_withdraw(struct doca_task *task);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_fault_is_on(const struct doca_ctx *ctx);
DOCA_PRIV_DECL DOCA_CORE_UNUSED doca_error_t doca_priv_fault_call(const struct doca_ctx *ctx,
                                                                  unsigned op);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool
doca_priv_fault_has(const struct doca_ctx *ctx,
                    bool (*is_match)(const struct doca_task *task, const void *object),
                    const void *object);
#endif

#endif
