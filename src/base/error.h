/* ---- >>error --------------------------------------------------------------------------------
 * Error codes. A single list defines the codes, their names and their descriptions.
 * Source: DOCA Core Programming Guide, "Generic"; API reference, "DOCA Error".                  */
#ifndef DOCA_SRC_BASE_ERROR_H
#define DOCA_SRC_BASE_ERROR_H

#include "base/types.h"
#include "base/config.h"

/* X(name without the prefix DOCA_, value, description) */
#define DOCA_CORE_ERRORS(X)                                                                        \
    X(ERROR_UNKNOWN, 1, "failure without a known cause")                                           \
    X(ERROR_NOT_PERMITTED, 2, "not allowed for this object or by its permissions")                 \
    X(ERROR_IN_USE, 3, "still in use by another object")                                           \
    X(ERROR_NOT_SUPPORTED, 4, "not supported by this device or build")                             \
    X(ERROR_AGAIN, 5, "no space or no data at the moment, try again later")                        \
    X(ERROR_INVALID_VALUE, 6, "an argument is invalid")                                            \
    X(ERROR_NO_MEMORY, 7, "the pool or the arena is exhausted")                                    \
    X(ERROR_INITIALIZATION, 8, "a resource could not be set up")                                   \
    X(ERROR_TIME_OUT, 9, "the time limit has expired")                                             \
    X(ERROR_SHUTDOWN, 10, "cancelled because its context stopped")                                 \
    X(ERROR_CONNECTION_RESET, 11, "the peer reset the connection")                                 \
    X(ERROR_CONNECTION_ABORTED, 12, "the connection was aborted")                                  \
    X(ERROR_CONNECTION_INPROGRESS, 13, "the connection is being set up")                           \
    X(ERROR_NOT_CONNECTED, 14, "not connected")                                                    \
    X(ERROR_NO_LOCK, 15, "a lock could not be acquired")                                           \
    X(ERROR_NOT_FOUND, 16, "no match was found")                                                   \
    X(ERROR_IO_FAILED, 17, "the device could not complete the operation")                          \
    X(ERROR_BAD_STATE, 18, "the object is in the wrong state for this call")                       \
    X(ERROR_UNSUPPORTED_VERSION, 19, "the version is not supported")                               \
    X(ERROR_OPERATING_SYSTEM, 20, "a system call failed")                                          \
    X(ERROR_DRIVER, 21, "the device driver failed")                                                \
    X(ERROR_UNEXPECTED, 22, "an internal consistency check failed")                                \
    X(ERROR_ALREADY_EXIST, 23, "it already exists")                                                \
    X(ERROR_FULL, 24, "no space is left")                                                          \
    X(ERROR_EMPTY, 25, "nothing is left")                                                          \
    X(ERROR_IN_PROGRESS, 26, "in progress, completion is reported later")                          \
    X(ERROR_TOO_BIG, 27, "larger than the limit")                                                  \
    X(ERROR_AUTHENTICATION, 28, "authentication failed")                                           \
    X(ERROR_BAD_CONFIG, 29, "the configuration is invalid")                                        \
    X(ERROR_SKIPPED, 30, "skipped on purpose")                                                     \
    X(ERROR_DEVICE_FATAL_ERROR, 31, "the device has failed and must be reset")

/* NVIDIA's GPUNetIO declares the same enum under this guard. A program may include both headers in
 * any order. */
#ifndef DOCA_ERROR_H
#define DOCA_ERROR_H
#define DOCA_PRIV_ERROR_ENUM(name, value, text) DOCA_##name = value,
typedef enum doca_error {
    DOCA_SUCCESS = 0,
    /* Codes 28 to 31 belong to later API versions. No function of this header returns them. */
    DOCA_CORE_ERRORS(DOCA_PRIV_ERROR_ENUM)
} doca_error_t;
#undef DOCA_PRIV_ERROR_ENUM
#endif

#if defined(__GNUC__) || defined(__clang__)
#define doca_likely(x) __builtin_expect(!!(x), 1)
#define doca_unlikely(x) __builtin_expect(!!(x), 0)
#else
#define doca_likely(x) (x)
#define doca_unlikely(x) (x)
#endif

/* Keep the first error: set `r` to `t` if `r` is DOCA_SUCCESS; otherwise leave `r` unchanged. */
#define DOCA_ERROR_PROPAGATE(r, t)                                                                 \
    do {                                                                                           \
        if ((r) == DOCA_SUCCESS)                                                                   \
            (r) = (t);                                                                             \
    } while (0)

#define DOCA_IS_ERROR(r) doca_unlikely((r) != DOCA_SUCCESS)

/* Return a description of `error`, for instance "an argument is invalid". Never returns NULL; for a
 * value that is not an error code it returns "unrecognized error code".
 * Threads   any */
DOCA_CORE_DECL const char *doca_error_get_descr(doca_error_t error);

/* Return the name of `error`, for instance "DOCA_ERROR_BAD_STATE". Never returns NULL; for a value
 * that is not an error code it returns "unrecognized error code".
 * Threads   any */
DOCA_CORE_DECL const char *doca_error_get_name(doca_error_t error);

/* Details of a failure that a system call, a library or a device reported. The texts are static. */
struct doca_core_refusal {
    const char *step;    /* failed step, such as "create a queue pair", or NULL */
    const char *hint;    /* likely cause and remedy; NULL when unknown */
    const char *status;  /* name of the status in the device's answer, or NULL */
    int error;           /* errno of the step, or 0 */
    uint32_t syndrome;   /* the firmware's number for the cause, or 0 */
    uint32_t vendor_syndrome; /* vendor-specific number for the cause, or 0 */
    uint64_t place;      /* number of the byte of a file at which the step failed, from 1; or 0 */
};

#endif
