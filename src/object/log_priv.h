/* ---- >>priv.log ------------------------------------------------------------------------------
 * Declarations of >>impl.log for other parts.                                                   */
#ifndef DOCA_SRC_OBJECT_LOG_PRIV_H
#define DOCA_SRC_OBJECT_LOG_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"

struct doca_core_refusal;

struct doca_priv_failure {
    doca_error_t code;
    enum doca_core_item item;
    const char *function;
    const void *object; /* printed, never dereferenced: the object may be destroyed */
    size_t place;       /* position of the error in a text of the program, from 1; or 0 */
    uintptr_t detail;   /* further number, such as an address or an operation's number, or 0 */
    uint8_t kind;       /* type of the object; 0: no object */
    uint8_t state;
    bool is_backends;   /* the backend reported this failure */
    struct doca_core_refusal why; /* details of a failed step; all zero when there are no details */
    /* object whose history is reported; NULL: no history */
    DOCA_PRIV_CHECKED(const void *history_of;)
};

struct doca_priv_text {
    char *at;
    char *end; /* last byte, reserved for NUL */
};

#define DOCA_PRIV_FAIL(code, item, object)                                                         \
    doca_priv_fail(DOCA_ERROR_##code, DOCA_CORE_ITEM_##item, __func__, (object))
#define DOCA_PRIV_FAIL_HANDLE(handle) doca_priv_fail_handle((handle), __func__)

DOCA_PRIV_DATA DOCA_CORE_THREAD_LOCAL struct doca_priv_failure doca_priv_last;
DOCA_PRIV_DATA DOCA_CORE_THREAD_LOCAL bool doca_priv_last_waits;

DOCA_PRIV_DECL void doca_priv_text_add(struct doca_priv_text *text, const char *s);
DOCA_PRIV_DECL void doca_priv_text_add_number(struct doca_priv_text *text, uintptr_t value,
                                              unsigned base);
DOCA_PRIV_DECL void doca_priv_log(const struct doca_priv_failure *f);
DOCA_PRIV_DECL struct doca_priv_failure doca_priv_failure_make(doca_error_t code,
                                                               enum doca_core_item item,
                                                               const char *function,
                                                               const void *object);
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_fail(doca_error_t code,
                                                          enum doca_core_item item,
                                                          const char *function, const void *object);
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t
doca_priv_fail_refused(enum doca_core_item item, const char *function, const void *object,
                       const struct doca_core_refusal *why);
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_fail_system(enum doca_core_item item,
                                                                 const char *function,
                                                                 const void *object,
                                                                 const char *step);
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_fail_at(doca_error_t code,
                                                             enum doca_core_item item,
                                                             const char *function, size_t place);
DOCA_PRIV_DECL doca_error_t doca_priv_fail_device(doca_error_t code, enum doca_core_item item,
                                                  const char *function, const void *object,
                                                  uintptr_t detail);
DOCA_PRIV_DECL void doca_priv_listen(void);
DOCA_PRIV_DECL doca_error_t doca_priv_refused(doca_error_t code, const char *function,
                                              const void *object);
DOCA_PRIV_DECL doca_error_t doca_priv_refused_late(doca_error_t code, enum doca_core_item item,
                                                   const char *function, const void *object);
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_fail_handle(const void *handle,
                                                                 const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_check_args(const void *object, uint8_t kind,
                                                 const void *pointer, const char *function);

/* amalgamate: skip */
/* A part does not see the bodies of these functions. The wrappers show compilers and analyzers two
 * facts that are visible in the amalgamated header: doca_priv_fail() and similar functions return
 * an error, and doca_priv_check_args() returns an error when `pointer` is NULL. */
static inline doca_error_t doca_priv_an_error(doca_error_t code)
{
    DOCA_PRIV_ASSUME(code != DOCA_SUCCESS);
    return code;
}

static inline doca_error_t doca_priv_args_checked(doca_error_t code, const void *pointer)
{
    DOCA_PRIV_ASSUME(code != DOCA_SUCCESS || pointer != NULL);
    return code;
}

#define doca_priv_fail(...) doca_priv_an_error(doca_priv_fail(__VA_ARGS__))
#define doca_priv_fail_refused(...) doca_priv_an_error(doca_priv_fail_refused(__VA_ARGS__))
#define doca_priv_fail_system(...) doca_priv_an_error(doca_priv_fail_system(__VA_ARGS__))
#define doca_priv_fail_at(...) doca_priv_an_error(doca_priv_fail_at(__VA_ARGS__))
#define doca_priv_fail_handle(...) doca_priv_an_error(doca_priv_fail_handle(__VA_ARGS__))
#define doca_priv_check_args(object, kind, pointer, function)                                      \
    doca_priv_args_checked(doca_priv_check_args((object), (kind), (pointer), (function)), (pointer))
/* amalgamate: end */

#endif
