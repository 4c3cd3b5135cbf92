/* ---- >>impl.object --------------------------------------------------------------------------
 * Common header of objects, bit positions, and size computations that cannot overflow.          */
#include "object/object_priv.h"

#include "base/config.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"

DOCA_PRIV_DECL void doca_priv_object_init(struct doca_priv_object *obj, uint8_t kind)
{
    DOCA_PRIV_CHECKED(doca_priv_check_forget(obj);)
    /* analyzer: core.NullDereference: all callers pass a block that was allocated */
    obj->kind = kind;
    obj->state = DOCA_PRIV_STOPPED;
    obj->guard = DOCA_PRIV_GUARD;
    obj->owner = 0;
    DOCA_PRIV_CHECKED(doca_priv_check_note(obj, DOCA_PRIV_NOTE_CREATED);)
}

/* Invalidate the handle of an object. Afterwards, remove the record of threads that use the object:
 * a thread that enters the object from then on finds an invalid handle. */
DOCA_PRIV_DECL void doca_priv_object_end(struct doca_priv_object *obj)
{
    DOCA_PRIV_CHECKED(doca_priv_check_note(obj, DOCA_PRIV_NOTE_DESTROYED);)
    obj->guard = 0;
    DOCA_PRIV_CHECKED(doca_priv_check_forget(obj);)
}

/* Return the position of the highest set bit of x > 0. */
DOCA_PRIV_DECL unsigned doca_priv_high_bit(uint64_t x)
{
    unsigned bit = 0, step;

    for (step = 32; step > 0; step /= 2) {
        if (x >> step != 0) {
            x >>= step;
            bit += step;
        }
    }
    return bit;
}

DOCA_PRIV_DECL unsigned doca_priv_low_bit(uint64_t x)
{
    return doca_priv_high_bit(x & (~x + 1));
}

/* Compute n * each + more, or SIZE_MAX on overflow. */
DOCA_PRIV_DECL size_t doca_priv_size(size_t n, size_t each, size_t more)
{
    return n > (SIZE_MAX - more) / each ? SIZE_MAX : n * each + more;
}

/* Compute the same for a pool of `num` usable elements, with the extra ones of the checked mode
 * (see DOCA_PRIV_STOCKED()). */
DOCA_PRIV_DECL size_t doca_priv_stock_size(size_t num, size_t each, size_t more)
{
    return doca_priv_size(num, each, doca_priv_size(DOCA_PRIV_STOCKED(num) - num, each, more));
}

/* Round up to whole lines; SIZE_MAX on overflow. */
DOCA_PRIV_DECL size_t doca_priv_round_up(size_t bytes)
{
    return doca_priv_size(bytes / DOCA_CORE_LINE + (bytes % DOCA_CORE_LINE != 0), DOCA_CORE_LINE,
                          0);
}
