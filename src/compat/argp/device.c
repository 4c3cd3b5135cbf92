/* ---- >>impl.argp.device ----------------------------------------------------------------------
 * Flags whose values are devices. A value is IDENTIFIER or IDENTIFIER,REPRESENTOR, optionally
 * followed by a comma and arguments.                                                            */
#include "compat/argp/device_priv.h"

#include "compat/argp/output_priv.h"
#include "compat/argp/platform_priv.h"
#include "compat/argp/state_priv.h"
#include "compat/argp/types.h"

#define DOCA_PRIV_ARGP_ID 128 /* size of an identifier in bytes, including NUL */

/* Copy the text up to the first comma. `*rest` receives the text after the comma, or NULL.
 * Returns false when the text is empty or too long. */
static bool doca_priv_argp_cut(const char *text, char id[DOCA_PRIV_ARGP_ID], const char **rest)
{
    const size_t len = strcspn(text, ",");

    *rest = text[len] == ',' ? text + len + 1 : NULL;
    if (len == 0 || len >= DOCA_PRIV_ARGP_ID)
        return false;
    memcpy(id, text, len);
    id[len] = '\0';
    return true;
}

/* True when `id` names the device. */
static bool doca_priv_argp_is_dev(const struct doca_devinfo *info, const char *id)
{
    const bool is_pci = strncmp(id, "pci/", 4) == 0;
    char name[DOCA_DEVINFO_IFACE_NAME_SIZE];
    uint8_t is_equal = 0;

    id += is_pci ? 4 : 0;
    if (strspn(id, "0123456789abcdefABCDEF:.") == strlen(id) && strchr(id, ':') != NULL)
        return doca_devinfo_is_equal_pci_addr(info, id, &is_equal) == DOCA_SUCCESS && is_equal;
    if (is_pci)
        return false;
    if (doca_devinfo_get_ibdev_name(info, name, DOCA_DEVINFO_IBDEV_NAME_SIZE) == DOCA_SUCCESS &&
        strcmp(name, id) == 0)
        return true;
    return doca_devinfo_get_iface_name(info, name, sizeof(name)) == DOCA_SUCCESS &&
           name[0] != '\0' && strcmp(name, id) == 0;
}

/* Open a device, unless this start opened it already. `*is_new` receives whether the call opened
 * it. */
static doca_error_t doca_priv_argp_open_dev(struct doca_devinfo *info, struct doca_dev **dev,
                                            bool *is_new)
{
    struct doca_priv_argp_dev *known = &doca_priv_argp.devs[doca_priv_argp.num_devs];
    struct doca_priv_argp_dev key;
    doca_error_t rc;
    size_t i;

    memset(&key, 0, sizeof(key));
    (void)doca_devinfo_get_ibdev_name(info, key.ibdev_name, sizeof(key.ibdev_name));
    (void)doca_devinfo_get_pci_addr_str(info, key.pci_addr);
    *is_new = false;
    for (i = 0; i < doca_priv_argp.num_devs; i++)
        if (strcmp(doca_priv_argp.devs[i].ibdev_name, key.ibdev_name) == 0 &&
            strcmp(doca_priv_argp.devs[i].pci_addr, key.pci_addr) == 0) {
            *dev = doca_priv_argp.devs[i].dev;
            return DOCA_SUCCESS;
        }
    if (doca_priv_argp.num_devs == DOCA_PRIV_ARGP_DEVS)
        return DOCA_ERROR_NO_MEMORY;
    *dev = NULL;
    rc = doca_priv_argp.dev_open != NULL
             ? doca_priv_argp.dev_open(info, doca_priv_argp.dev_open_ctx, dev)
             : doca_dev_open(info, dev);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (*dev == NULL)
        return DOCA_ERROR_UNEXPECTED;
    key.dev = *dev;
    *known = key;
    doca_priv_argp.num_devs++;
    *is_new = true;
    return DOCA_SUCCESS;
}

/* Close a device that this start opened but does not use. Does nothing when an earlier value of
 * this start opened the device (`is_new` is false). */
static void doca_priv_argp_close_unused(struct doca_dev *dev, bool is_new)
{
    if (is_new) {
        doca_priv_argp.num_devs--;
        (void)doca_dev_close(dev);
    }
}

#ifndef DOCA_CORE_NO_REP
/* True when `id` names the representor. */
static bool doca_priv_argp_is_rep(const struct doca_devinfo_rep *info, const char *id)
{
    const size_t len = strlen(id);
    char name[DOCA_DEVINFO_IFACE_NAME_SIZE], sf[16];
    uint8_t is_equal = 0;
    uint32_t index = 0;

    if (strchr(id, ':') != NULL)
        return doca_devinfo_rep_is_equal_pci_addr(info, strncmp(id, "pci/", 4) == 0 ? id + 4 : id,
                                                  &is_equal) == DOCA_SUCCESS &&
               is_equal;
    if (doca_devinfo_rep_get_iface_name(info, name, sizeof(name)) == DOCA_SUCCESS &&
        strlen(name) >= len && strcmp(name + strlen(name) - len, id) == 0 &&
        (strlen(name) == len || strncmp(id, "pf", 2) == 0))
        return true;
    if (doca_devinfo_rep_get_sf_index(info, &index) == DOCA_SUCCESS) {
        (void)snprintf(sf, sizeof(sf), "sf%lu", (unsigned long)index);
        if (strcmp(sf, id) == 0)
            return true;
    }
    return doca_devinfo_rep_get_vuid(info, name, DOCA_DEVINFO_REP_VUID_SIZE) == DOCA_SUCCESS &&
           name[0] != '\0' && strcmp(name, id) == 0;
}

/* Open the representor of `dev` that `id` names. NOT_FOUND when `dev` has no such representor. */
static doca_error_t doca_priv_argp_open_rep(struct doca_dev *dev, const char *id,
                                            struct doca_dev_rep **rep)
{
    struct doca_devinfo_rep **list = NULL;
    doca_error_t rc;
    uint32_t num = 0, i;

    if (doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num) !=
        DOCA_SUCCESS)
        return DOCA_ERROR_NOT_FOUND;
    rc = DOCA_ERROR_NOT_FOUND;
    for (i = 0; i < num; i++)
        if (doca_priv_argp_is_rep(list[i], id)) {
            rc = doca_dev_rep_open(list[i], rep);
            break;
        }
    (void)doca_devinfo_rep_destroy_list(list);
    return rc;
}
#else
static doca_error_t doca_priv_argp_open_rep(struct doca_dev *dev, const char *id,
                                            struct doca_dev_rep **rep)
{
    (void)dev;
    (void)id;
    (void)rep;
    return DOCA_ERROR_NOT_SUPPORTED;
}
#endif

/* Open the device that `id` names, and its representor `rep_id` unless that is NULL. A NULL `id`
 * selects the first device that has the representor. */
static doca_error_t doca_priv_argp_open_named(const char *id, const char *rep_id,
                                              struct doca_argp_device_rep_ctx *ctx)
{
    struct doca_devinfo **list = NULL;
    doca_error_t rc;
    uint32_t num = 0, i;
    bool is_new = false;

    rc = doca_devinfo_create_list(&list, &num);
    if (rc != DOCA_SUCCESS)
        return rc == DOCA_ERROR_NO_MEMORY ? rc : DOCA_ERROR_NOT_FOUND;
    rc = DOCA_ERROR_NOT_FOUND;
    for (i = 0; i < num && rc == DOCA_ERROR_NOT_FOUND; i++) {
        if (id != NULL && !doca_priv_argp_is_dev(list[i], id))
            continue;
        rc = doca_priv_argp_open_dev(list[i], &ctx->dev_ctx.dev, &is_new);
        if (rc == DOCA_SUCCESS && rep_id != NULL) {
            rc = doca_priv_argp_open_rep(ctx->dev_ctx.dev, rep_id, &ctx->dev_rep);
            if (rc != DOCA_SUCCESS)
                doca_priv_argp_close_unused(ctx->dev_ctx.dev, is_new);
        }
    }
    (void)doca_devinfo_destroy_list(list);
    return rc;
}

/* Open the device and the representor of a value, and call the callback with them. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_call_device(const struct doca_priv_argp_value *value)
{
    const bool is_rep = value->param->type == DOCA_ARGP_TYPE_DEVICE_REP;
    char id[DOCA_PRIV_ARGP_ID], rep_id[DOCA_PRIV_ARGP_ID];
    const char *rest = NULL, *only = NULL;
    struct doca_argp_device_rep_ctx ctx;
    doca_error_t rc = DOCA_ERROR_INVALID_VALUE;

    memset(&ctx, 0, sizeof(ctx));
    if (doca_priv_argp_cut(value->text, id, &rest)) {
        if (is_rep && rest == NULL)
            only = id; /* the value names a representor only: look for it on all devices */
        else if (is_rep && !doca_priv_argp_cut(rest, rep_id, &rest))
            rest = NULL;
        else if (is_rep)
            only = rep_id;
        if (!is_rep || only != NULL)
            rc = doca_priv_argp_open_named(only == id ? NULL : id, only, &ctx);
    }
    if (rc != DOCA_SUCCESS)
        return doca_priv_argp_fail(
            rc == DOCA_ERROR_NOT_FOUND ? DOCA_ERROR_INVALID_VALUE : rc, "doca_argp_start",
            "%s: \"" DOCA_PRIV_ARGP_WORD "\" %s", doca_priv_argp_name_of(value->param).text,
            value->text,
            rc == DOCA_ERROR_NOT_FOUND
                ? (is_rep ? "names no representor of this machine; use pci/ADDRESS,pf0vf0"
                          : "names no device of this machine; use pci/ADDRESS")
                : rc == DOCA_ERROR_INVALID_VALUE ? "does not name a device"
                                                 : "cannot be opened");
    ctx.dev_ctx.devargs = rest;
    rc = is_rep ? value->param->callback(&ctx, doca_priv_argp.config)
                : value->param->callback(&ctx.dev_ctx, doca_priv_argp.config);
    return rc;
}
