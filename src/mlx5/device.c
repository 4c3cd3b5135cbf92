/* ---- >>mlx5.device --------------------------------------------------------------------------
 * The cards that were found, and the devices that are open. A `card` is one RDMA device found by
 * doca_core_mlx5_backend(); a device (`dev`) is an open card. The device lock of doca_core.h guards
 * both tables. doca_core_mlx5_backend() does not take the lock, because the program must not use
 * devices while it runs. The lock of an open device guards its lists of registrations, device
 * memory and queues.                                                                            */
#include "mlx5/device_priv.h"

#include "mlx5/config.h"
#include "mlx5/platform_priv.h"
#include "mlx5/queue_priv.h"
#include "mlx5/sys.h"

DOCA_PRIV_MLX5_ASSERT(reg_fits_a_line, sizeof(struct doca_priv_mlx5_reg) <= DOCA_CORE_LINE);

struct doca_priv_mlx5_queue;

DOCA_PRIV_DECL struct doca_priv_mlx5_state doca_priv_mlx5;

/* Acquire a spin lock. */
DOCA_PRIV_DECL void doca_priv_mlx5_lock(uint32_t *lock)
{
    while (__atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE) != 0)
        DOCA_CORE_RELAX();
}

DOCA_PRIV_DECL void doca_priv_mlx5_unlock(uint32_t *lock)
{
    __atomic_store_n(lock, 0u, __ATOMIC_RELEASE);
}

/* Convert an errno to a DOCA error code. */
static doca_error_t doca_priv_mlx5_code(int error)
{
    switch (error) {
    case EINVAL:
    case EFAULT:
        return DOCA_ERROR_INVALID_VALUE;
    case ENOMEM:
    case ENOSPC:
        return DOCA_ERROR_NO_MEMORY;
    case EMFILE:
    case ENFILE:
        return DOCA_ERROR_OPERATING_SYSTEM;
    case EPERM:
    case EACCES:
        return DOCA_ERROR_NOT_PERMITTED;
    case EOPNOTSUPP:
    case ENOSYS:
    case EPROTONOSUPPORT:
        return DOCA_ERROR_NOT_SUPPORTED;
    default:
        return DOCA_ERROR_DRIVER;
    }
}

/* Return the likely cause of an errno of libibverbs or the kernel, and its remedy. Returns NULL
 * when the core has a text for the errno or no cause is known. */
static const char *doca_priv_mlx5_hint(int error)
{
    switch (error) {
    case ENOMEM:
    case EAGAIN:
        return DOCA_PRIV_MLX5_TEXT("the limit of locked memory (ulimit -l, RLIMIT_MEMLOCK) is too "
                                   "low, or the device has no more of these resources");
    case EPERM:
    case EACCES:
        return DOCA_PRIV_MLX5_TEXT("this user has no permission for /dev/infiniband/uverbs*, or "
                                   "for this request");
    case ENOSYS:
    case EOPNOTSUPP:
    case EPROTONOSUPPORT:
        return DOCA_PRIV_MLX5_TEXT("the kernel or the device does not support it");
    case EADDRNOTAVAIL:
        return DOCA_PRIV_MLX5_TEXT("the port has no GID: give its interface an address and bring "
                                   "it up");
    case ETIMEDOUT:
    case ENETUNREACH:
    case EHOSTUNREACH:
        return DOCA_PRIV_MLX5_TEXT("the port is not active: see ibv_devinfo");
    case ENODEV:
    case ENXIO:
    case EIO:
        return DOCA_PRIV_MLX5_TEXT("the device is gone or has failed: see the kernel's log "
                                   "(dmesg)");
    case EINVAL:
    case EREMOTEIO:
        return DOCA_PRIV_MLX5_TEXT("the device or its firmware does not support the request: see "
                                   "the kernel's log (dmesg)");
    default:
        return NULL;
    }
}

/* Return the likely cause, and its remedy, of an errno of a memory registration. */
DOCA_PRIV_DECL const char *doca_priv_mlx5_memory_hint(int error, bool is_dmabuf)
{
    if (error == EFAULT)
        return DOCA_PRIV_MLX5_TEXT("the range is not mapped completely, or it is read-only: set "
                                   "DOCA_ACCESS_FLAG_LOCAL_READ_ONLY for read-only memory");
    if (is_dmabuf && error == EINVAL)
        return DOCA_PRIV_MLX5_TEXT("the range is outside the dmabuf, or its address and offset "
                                   "have different positions in a page");
    if (is_dmabuf && error == EBADF)
        return DOCA_PRIV_MLX5_TEXT("the file descriptor is not a dmabuf");
    return doca_priv_mlx5_hint(error);
}

/* Return an empty description of a refusal. */
DOCA_PRIV_DECL struct doca_core_refusal doca_priv_mlx5_no_refusal(void)
{
    struct doca_core_refusal why;

    memset(&why, 0, sizeof(why));
    return why;
}

/* Report that the step in *why failed with `error`, and return `code`. An `error` of 0 counts as
 * EIO. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_report_as(doca_error_t code, enum doca_core_item item,
                                                     const char *function, const void *object,
                                                     int error, struct doca_core_refusal *why)
{
    why->error = error != 0 ? error : EIO;
    if (why->hint == NULL)
        why->hint = doca_priv_mlx5_hint(why->error);
    return doca_core_backend_refuse(code, item, function, object, why);
}

/* Report that the step in *why failed with the current errno, and return the error code that
 * matches the errno. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_report(const char *function, const void *object,
                                                  struct doca_core_refusal *why)
{
    const int error = errno != 0 ? errno : EIO;

    return doca_priv_mlx5_report_as(doca_priv_mlx5_code(error), DOCA_CORE_ITEM_MLX5_CALL, function,
                                    object, error, why);
}

/* Report that `step` failed with the current errno, and return the matching error code. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_report_step(const char *function, const void *object,
                                                       const char *step)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    why.step = step;
    return doca_priv_mlx5_report(function, object, &why);
}

/* Collect errors: keep the first of several. */
DOCA_PRIV_DECL void doca_priv_mlx5_keep_first(int *error, int another)
{
    if (*error == 0)
        *error = another;
}

/* Log that the kernel or the firmware refused to release a resource, with the error number. The
 * resource leaks; nothing can be done about it here. With an `error` of 0 the function does
 * nothing. */
DOCA_PRIV_DECL void doca_priv_mlx5_log_leak(int error, enum doca_core_item item,
                                            const char *function, const char *step)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    why.step = step;
    if (error != 0)
        (void)doca_priv_mlx5_report_as(DOCA_ERROR_DRIVER, item, function, NULL, error, &why);
}
