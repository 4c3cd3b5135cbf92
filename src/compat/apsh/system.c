/* ---- >>impl.apsh.system ----------------------------------------------------------------------
 * Create, start and destroy a system.                                                           */
#include "compat/apsh/system.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/find_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/regions_priv.h"

DOCA_PRIV_APSH_ASSERT(kernel_has_its_size,
                      sizeof(struct doca_priv_apsh_kernel) <= DOCA_PRIV_APSH_KERNEL_BYTES)

/* Set the initial settings of a system. */
static void doca_priv_apsh_settings_init(struct doca_priv_apsh_settings *set)
{
    int i;

    for (i = 0; i < DOCA_PRIV_APSH_LIMITS; i++)
        set->limits[i] = DOCA_CORE_APSH_LIST_LIMIT;
    set->limits[DOCA_APSH_STRING_LIMIT - DOCA_APSH_HASHTEST_LIMIT] = DOCA_CORE_APSH_STRING_LIMIT;
    set->window_size = 4096;
    set->window_step = 4096;
}

DOCA_CORE_DECL struct doca_apsh_system *doca_apsh_system_create(struct doca_apsh_ctx *ctx)
{
    struct doca_apsh_system *system;
    void *block = NULL;

    if (!doca_priv_apsh_is_ctx(ctx)) {
        (void)DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, __func__);
        return NULL;
    }
    if (doca_priv_apsh_take(ctx->arena, sizeof(*system), &block) != DOCA_SUCCESS)
        return NULL;
    system = (struct doca_apsh_system *)block;
    system->guard = DOCA_PRIV_APSH_SYSTEM;
    system->num_users = 1;
    system->arena = ctx->arena;
    system->ctx = ctx;
    system->num_pages = DOCA_CORE_APSH_CACHE_PAGES;
    doca_priv_apsh_settings_init(&system->set);
    (void)DOCA_PRIV_APSH_ADD(&ctx->num_users, 1u);
    return system;
}

/* Close the memory of the target. */
static void doca_priv_apsh_system_close(struct doca_apsh_system *system)
{
    if (system->kernel != NULL)
        doca_priv_apsh_mem_close(&system->kernel->mem);
    doca_priv_apsh_give(system->arena, system->kernel);
    system->kernel = NULL;
    system->is_started = false;
}

DOCA_CORE_DECL void doca_apsh_system_destroy(struct doca_apsh_system *system)
{
    size_t i;

    if (system == NULL)
        return;
    if (!doca_priv_apsh_is_system(system)) {
        (void)DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, __func__);
        return;
    }
    system->guard = 0;
    doca_priv_apsh_system_close(system);
    for (i = 0; i < sizeof(system->set.files) / sizeof(system->set.files[0]); i++)
        doca_priv_apsh_give(system->arena, system->set.files[i]);
    doca_priv_apsh_ctx_drop(system->ctx);
    doca_priv_apsh_system_drop(system);
}

/* Open the memory of the target, and find its kernel. */
static doca_error_t doca_priv_apsh_system_open(struct doca_apsh_system *system,
                                               const char *function)
{
    void *block = NULL;
    doca_error_t rc = doca_priv_apsh_take(system->arena, DOCA_PRIV_APSH_KERNEL_BYTES, &block);

    if (rc != DOCA_SUCCESS)
        return rc;
    system->kernel = (struct doca_priv_apsh_kernel *)block;
    rc = doca_priv_apsh_mem_open(&system->kernel->mem, system->arena, system->ctx->dma_dev,
                                 system->set.rep, system->num_pages);
    if (rc == DOCA_SUCCESS) {
        doca_priv_apsh_mem_begin(&system->kernel->mem, DOCA_CORE_APSH_START_READS);
        if (system->set.files[DOCA_APSH_MEM_REGION] != NULL)
            rc = doca_priv_apsh_regions_use(&system->kernel->mem,
                                            system->set.files[DOCA_APSH_MEM_REGION], function);
    }
    if (rc == DOCA_SUCCESS) {
        rc = doca_priv_apsh_find(system->kernel, system->set.files, function);
    }
    if (rc != DOCA_SUCCESS)
        doca_priv_apsh_system_close(system);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_apsh_system_start(struct doca_apsh_system *system)
{
    doca_error_t rc = doca_priv_apsh_system_check(system, system, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!system->ctx->is_started)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_CTX_NOT_STARTED, __func__);
    if (system->set.rep == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_NO_REP, __func__);
    if (!system->set.has_os)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_NO_OS, __func__);
    rc = doca_priv_apsh_system_open(system, __func__);
    system->is_started = rc == DOCA_SUCCESS;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_apsh_sys_set_cache(struct doca_apsh_system *system,
                                                         uint32_t num_pages)
{
    doca_error_t rc = doca_priv_apsh_system_check(system, system, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (num_pages < 64 || num_pages % DOCA_PRIV_APSH_WAYS != 0 || num_pages > 1u << 20)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_CACHE, __func__);
    system->num_pages = num_pages;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_apsh_sys_get_stats(const struct doca_apsh_system *system,
                                                         struct doca_core_apsh_stats *stats)
{
    if (system == NULL || stats == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    if (!doca_priv_apsh_is_system(system))
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, __func__);
    if (!system->is_started)
        return DOCA_PRIV_APSH_FAIL(BAD_STATE, APSH_NOT_STARTED, __func__);
    *stats = system->kernel->mem.stats;
    return DOCA_SUCCESS;
}
