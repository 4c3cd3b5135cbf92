/* ---- >>impl.check.handles -------------------------------------------------------------------
 * The checked mode: a history of events, written by all threads; reports; generations of handles;
 * detection of concurrent use.
 * Terms: the root of an object is the object that only one thread may use at a time (see
 * doca_priv_check_root()). A turn is the exclusive right to allocate or release buffers.        */
#include "check/handles_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"
#include "progress/batch.h"
#include "progress/ctx.h"
#include "progress/hot_task.h"
#include "progress/pe.h"
#include "progress/task.h"
#include "engine/graph.h"

#if DOCA_CORE_CHECK >= 2

#define DOCA_PRIV_CHECK_TOLD 8 /* maximum number of events of an object in a report */

struct doca_priv_check_note {
    uint64_t serial; /* starts at 1; written last, 0 while the entry changes */
    const void *object;
    uint32_t thread;
    uint8_t kind;
    uint8_t what;
};

/* Two rings of events: [1] for objects of the data path, [0] for all other objects. Without the
 * separation, events of the data path would displace the events of other objects. */
static struct {
    uint64_t num; /* number of events that were ever written to this ring */
    struct doca_priv_check_note notes[DOCA_CORE_CHECK_NOTES];
} doca_priv_check_rings[2];
static uint64_t doca_priv_check_num_notes;
DOCA_PRIV_DECL uint64_t doca_priv_check_reports;
static uint32_t doca_priv_check_num_threads;
static DOCA_CORE_THREAD_LOCAL uint32_t doca_priv_check_me; /* number of this thread; 0: not assigned
                                                            * yet */

static uint32_t doca_priv_check_thread(void)
{
    if (doca_priv_check_me == 0)
        doca_priv_check_me = DOCA_PRIV_FETCH_ADD(&doca_priv_check_num_threads, 1u) + 1;
    return doca_priv_check_me;
}

DOCA_CORE_DECL uint64_t doca_priv_check_note(const void *object, unsigned what)
{
    const uint8_t kind = ((const uint8_t *)object)[0];
    const unsigned ring = kind == DOCA_PRIV_KIND_BUF || kind == DOCA_PRIV_KIND_TASK ||
                          kind == DOCA_PRIV_KIND_BATCH || kind == DOCA_PRIV_KIND_INSTANCE;
    uint64_t serial = DOCA_PRIV_FETCH_ADD(&doca_priv_check_num_notes, (uint64_t)1) + 1;
    uint64_t at = DOCA_PRIV_FETCH_ADD(&doca_priv_check_rings[ring].num, (uint64_t)1);
    struct doca_priv_check_note *note =
        &doca_priv_check_rings[ring].notes[at & (DOCA_CORE_CHECK_NOTES - 1)];

    DOCA_PRIV_STORE(&note->serial, (uint64_t)0);
    DOCA_PRIV_STORE(&note->object, object);
    DOCA_PRIV_STORE(&note->thread, doca_priv_check_thread());
    DOCA_PRIV_STORE(&note->kind, kind);
    DOCA_PRIV_STORE(&note->what, (uint8_t)what);
    DOCA_PRIV_STORE(&note->serial, serial);
    return serial;
}

/* Read an entry. Returns false if another thread changes it meanwhile. */
static bool doca_priv_check_read_note(const struct doca_priv_check_note *note,
                                      struct doca_priv_check_note *copy)
{
    copy->serial = DOCA_PRIV_LOAD(&note->serial);
    copy->object = DOCA_PRIV_LOAD(&note->object);
    copy->thread = DOCA_PRIV_LOAD(&note->thread);
    copy->kind = DOCA_PRIV_LOAD(&note->kind);
    copy->what = DOCA_PRIV_LOAD(&note->what);
    return copy->serial != 0 && DOCA_PRIV_LOAD(&note->serial) == copy->serial;
}

/* Find the latest events of `object`, and sort them, oldest first. Returns their number. */
static unsigned doca_priv_check_find(const void *object,
                                     struct doca_priv_check_note found[DOCA_PRIV_CHECK_TOLD])
{
    struct doca_priv_check_note copy;
    unsigned num = 0, ring, i;
    uint64_t at, left;

    for (ring = 0; ring < 2; ring++) {
        at = DOCA_PRIV_LOAD(&doca_priv_check_rings[ring].num);
        left = at < DOCA_CORE_CHECK_NOTES ? at : DOCA_CORE_CHECK_NOTES;
        for (; left > 0; left--) {
            at--;
            if (!doca_priv_check_read_note(
                    &doca_priv_check_rings[ring].notes[at & (DOCA_CORE_CHECK_NOTES - 1)], &copy) ||
                copy.object != object)
                continue;
            if (num == DOCA_PRIV_CHECK_TOLD && copy.serial < found[0].serial)
                break; /* all entries before it are older still */
            if (num == DOCA_PRIV_CHECK_TOLD)
                for (i = 1, num--; i <= num; i++)
                    found[i - 1] = found[i];
            for (i = num++; i > 0 && found[i - 1].serial > copy.serial; i--)
                found[i] = found[i - 1];
            found[i] = copy;
        }
    }
    return num;
}

static void doca_priv_check_add_notes(const struct doca_priv_check_note *notes, unsigned num,
                                      struct doca_priv_text *text)
{
    static const char *const whats[] = { "created",   "destroyed", "allocated", "released",
                                         "submitted", "completed", "chained",   "idle",
                                         "starting",  "running",   "stopping" };
    unsigned i;

    for (i = 0; i < num; i++) {
        doca_priv_text_add(text, i == 0 ? ": #" : ", #");
        doca_priv_text_add_number(text, (uintptr_t)notes[i].serial, 10);
        doca_priv_text_add(text, " ");
        doca_priv_text_add(text, whats[notes[i].what]);
        if (notes[i].what == DOCA_PRIV_NOTE_CREATED && notes[i].kind != notes[num - 1].kind) {
            doca_priv_text_add(text, " as ");
            doca_priv_text_add(text, doca_priv_kind_name(notes[i].kind));
        }
        if (i > 0 && notes[i].thread != notes[i - 1].thread) {
            doca_priv_text_add(text, " by ");
            doca_priv_text_add_number(text, notes[i].thread, 10);
        }
    }
}

/* Return the address of the object that a handle with a generation refers to. */
static const void *doca_priv_check_line_of(const void *handle)
{
    return (const void *)((uintptr_t)handle / DOCA_CORE_LINE * DOCA_CORE_LINE);
}

/* Append the history of an object, such as "history of task 0x1234: #12 allocated, #13 submitted by
 * 2", with as many of the latest events as fit. Returns false if no event is remembered. */
DOCA_PRIV_DECL bool doca_priv_check_add_life(const void *object, const char *before,
                                             struct doca_priv_text *text)
{
    struct doca_priv_check_note notes[DOCA_PRIV_CHECK_TOLD];
    const void *line = doca_priv_check_line_of(object);
    char *begin = text->at;
    unsigned num = 0, first;

    if (object != line && DOCA_PRIV_IS_OPEN(object))
        num = doca_priv_check_find(object, notes);
    if (num == 0 && line != NULL)
        num = doca_priv_check_find(line, notes);
    for (first = 0; first < num; first++) {
        text->at = begin;
        doca_priv_text_add(text, before);
        doca_priv_text_add(text, "history of ");
        doca_priv_text_add(text, doca_priv_kind_name(notes[num - 1].kind));
        doca_priv_text_add(text, " 0x");
        doca_priv_text_add_number(text, (uintptr_t)object, 16);
        doca_priv_check_add_notes(notes + first, num - first, text);
        if (text->at < text->end)
            break;
    }
    return num > 0;
}

/* If a failure with this item is a report of the checked mode, count it and return the object whose
 * history it shows; otherwise return NULL. */
DOCA_PRIV_DECL const void *doca_priv_check_history_of(enum doca_core_item item, const void *object)
{
    if ((item == DOCA_CORE_ITEM_TASK_RETURNED || item == DOCA_CORE_ITEM_TASK_NO_BUFFER) &&
        doca_priv_is_task((const struct doca_task *)object))
        object = doca_priv_check_returned((const struct doca_task *)object);
    switch (item) {
    case DOCA_CORE_ITEM_TASK_RETURNED:
    case DOCA_CORE_ITEM_TASK_NO_BUFFER:
    case DOCA_CORE_ITEM_DEAD_HANDLE:
    case DOCA_CORE_ITEM_BUF_RETURNED:
    case DOCA_CORE_ITEM_BUF_BROKEN:
    case DOCA_CORE_ITEM_ARENA_BROKEN:
    case DOCA_CORE_ITEM_DEV_BUSY: /* objects that still have children */
    case DOCA_CORE_ITEM_MMAP_HAS_BUFS:
    case DOCA_CORE_ITEM_STOCK_OUTSTANDING:
    case DOCA_CORE_ITEM_CTX_NOT_IDLE:
    case DOCA_CORE_ITEM_CTX_BUSY:
    case DOCA_CORE_ITEM_PE_CONNECTED:
    case DOCA_CORE_ITEM_PE_ARMED_PROGRESS:
    case DOCA_CORE_ITEM_GRAPH_HAS_INSTANCES:
    case DOCA_CORE_ITEM_GRAPH_USED:
    case DOCA_CORE_ITEM_GRAPH_SUBMITTED:
    case DOCA_CORE_ITEM_GRAPH_INSTANCE_USED:
    case DOCA_CORE_ITEM_SW_WORKER_BUSY:
    case DOCA_CORE_ITEM_BATCH_NOT_OWNED:
    case DOCA_CORE_ITEM_TASK_NOT_OWNED:
    case DOCA_CORE_ITEM_CHECK_IN_FLIGHT:
    case DOCA_CORE_ITEM_CHECK_OVERLAP:
    case DOCA_CORE_ITEM_CHECK_THREAD:
    case DOCA_CORE_ITEM_CHECK_NESTED:
    case DOCA_CORE_ITEM_CHECK_CHILDREN:
    case DOCA_CORE_ITEM_CHECK_WRITTEN:
        if (object == NULL)
            return NULL;
        (void)DOCA_PRIV_FETCH_ADD(&doca_priv_check_reports, 1u);
        return DOCA_PRIV_HANDLE(object);
    default:
        return NULL;
    }
}

/* ---- handles ---- */

/* Get the serial number from which the generation of an object's handle is computed. Returns false
 * if objects of this type have no generations or the object is not alive. (Of an object that is not
 * alive, only the common header may be readable.) */
static bool doca_priv_check_life_at(const void *object, uint64_t *life)
{
    const uint8_t kind = ((const uint8_t *)object)[0];

    if (kind == DOCA_PRIV_KIND_BUF)
        *life = ((const struct doca_buf *)object)->check.is.life;
    else if (kind == DOCA_PRIV_KIND_TASK)
        *life = ((const struct doca_task *)object)->life;
    else if (doca_priv_is(object, DOCA_PRIV_KIND_MMAP))
        *life = ((const struct doca_mmap *)object)->serial;
    else if (doca_priv_is_between(object, DOCA_PRIV_KIND_DMA, DOCA_PRIV_KIND_SYNC_EVENT))
        *life = ((const struct doca_ctx *)object)->serial;
    else
        return false;
    return true;
}

/* Compute the handle of an object with serial number `life`. NULL, handles, and pointers to objects
 * inside other objects are returned unchanged. The serial number is hashed first: successive
 * objects at one address often have serial numbers at equal distances. */
DOCA_CORE_DECL void *doca_priv_check_handle_of(const void *object, uint64_t life)
{
    const unsigned num = DOCA_CORE_LINE - DOCA_CORE_LINE / 4;
    const unsigned nth = (((uint32_t)life * 2654435761u) >> 16) % num;
    const uintptr_t place = (uintptr_t)object;

    return (void *)(place == 0 || place % DOCA_CORE_LINE != 0 ? place
                                                              : place + nth / 3 * 4 + nth % 3 + 1);
}

DOCA_CORE_DECL void *doca_priv_check_handle(const void *object)
{
    uint64_t life;

    return object != NULL && (uintptr_t)object % sizeof(void *) == 0 &&
                   doca_priv_check_life_at(object, &life)
               ? doca_priv_check_handle_of(object, life)
               : (void *)(uintptr_t)object;
}

DOCA_CORE_DECL bool doca_priv_check_open(void *handle)
{
    const void *given, *object;
    uint64_t life;
    bool is_live;

    DOCA_PRIV_COPY(&given, handle, sizeof(given));
    object = doca_priv_check_line_of(given);
    is_live = !DOCA_PRIV_IS_OPEN(given) && object != NULL &&
              doca_priv_check_life_at(object, &life) &&
              doca_priv_check_handle_of(object, life) == given;
    if (is_live)
        DOCA_PRIV_COPY(handle, &object, sizeof(object));
    return is_live;
}

/* ---- threads and callbacks ---- */

/* `lock` guards the turn: only one thread at a time allocates or releases buffers of any inventory
 * or pool. The library does not call the program during a turn. `users_lock` guards `users`, the
 * uses of root objects. `written_lock` guards `written`, the list of buffers that tasks in flight
 * write to. After fork(), the child starts with an empty structure. */
DOCA_PRIV_DECL struct doca_priv_check_state doca_priv_check_all;

/* Reset the state in a child of fork(): another thread of the parent may have held the locks, and
 * the tasks in flight belong to the parent. */
static void doca_priv_check_is_child(void)
{
    const uint32_t num_forks = doca_priv_check_all.num_forks + 1;

    DOCA_CORE_MEMSET(&doca_priv_check_all, 0, sizeof(doca_priv_check_all));
    doca_priv_check_all.is_watched = 1;
    doca_priv_check_all.num_forks = num_forks;
}

/* Install the fork handler once, before any of the locks is taken. */
DOCA_PRIV_DECL void doca_priv_check_watch_forks(void)
{
    if (DOCA_PRIV_LOAD(&doca_priv_check_all.is_watched) == 0 &&
        DOCA_PRIV_TRY_LOCK(&doca_priv_check_all.is_watched))
        doca_priv_sys_at_fork(doca_priv_check_is_child);
}

/* Return the root of an object. For a context or graph, and for all objects that belong to one of
 * them, the root is the PE, or the context itself if it has no PE. An mmap, buffer array, inventory
 * or pool is its own root. NULL for all other objects. */
static const void *doca_priv_check_root(const void *object)
{
    const struct doca_ctx *ctx = (const struct doca_ctx *)object;

    if (doca_priv_is(object, DOCA_PRIV_KIND_PE) || doca_priv_is(object, DOCA_PRIV_KIND_MMAP) ||
        doca_priv_is(object, DOCA_PRIV_KIND_ARRAY) || doca_priv_is(object, DOCA_PRIV_KIND_POOL) ||
        doca_priv_is(object, DOCA_PRIV_KIND_INVENTORY))
        return object;
    if (doca_priv_is(object, DOCA_PRIV_KIND_BATCH))
        ctx = ((const struct doca_task_batch *)object)->ctx;
    DOCA_PRIV_WITH_GRAPH(if (doca_priv_is(object, DOCA_PRIV_KIND_INSTANCE))
                             ctx = ((const struct doca_graph_instance *)object)->turn.ctx;)
    if (!doca_priv_is_between(ctx, DOCA_PRIV_KIND_DMA, DOCA_PRIV_KIND_SYNC_EVENT) &&
        !doca_priv_is(ctx, DOCA_PRIV_KIND_GRAPH))
        return NULL;
    return ctx->pe != NULL ? (const void *)ctx->pe : ctx;
}

/* Return the recorded use of a root, or NULL if no thread uses it. The caller holds users_lock. */
static struct doca_priv_check_user *doca_priv_check_user_of(const void *root)
{
    uint32_t i;

    for (i = 0; i < doca_priv_check_all.num_users; i++)
        if (doca_priv_check_all.users[i].root == root)
            return &doca_priv_check_all.users[i];
    return NULL;
}

/* Record that this thread uses `root`, if there is room for the record. The caller holds
 * users_lock. doca_pe_progress() passes its stack position as `place`, other calls pass 0. If this
 * thread is already recorded inside doca_pe_progress(), the positions are compared. A call deeper
 * in the stack runs in a callback of the earlier call. Otherwise a callback has left the earlier
 * call by longjmp, and the uses that this thread had recorded no longer count. */
static void doca_priv_check_begin_visit(struct doca_priv_check_visit *visit, const void *root,
                                        struct doca_priv_check_user *user, const char *function,
                                        uintptr_t place)
{
    if (user == NULL && doca_priv_check_all.num_users == DOCA_PRIV_CHECK_USERS)
        return;
    if (user == NULL) {
        user = &doca_priv_check_all.users[doca_priv_check_all.num_users++];
        DOCA_CORE_MEMSET(user, 0, sizeof(*user));
        user->root = root;
        user->thread = doca_priv_check_thread();
    }
    visit->root = root;
    visit->outer = user->function;
    visit->place = user->place;
    visit->is_nested = place != 0 && place < user->place;
    if (place != 0 && place >= user->place && user->place != 0)
        user->depth = 0;
    user->place = place != 0 ? place : user->place;
    user->function = function;
    user->depth++;
}

/* Check that no other thread uses the root of `object`. If `stays`, record the use until
 * doca_priv_check_leave(). Otherwise the visit is marked as refused. */
DOCA_PRIV_DECL struct doca_priv_check_visit
doca_priv_check_enter(const void *object, const char *function, bool stays, uintptr_t place)
{
    const uint32_t me = doca_priv_check_thread();
    struct doca_priv_check_visit visit = { NULL, NULL, 0, false, false };
    struct doca_priv_check_user *user;
    const void *root;

    doca_priv_check_watch_forks();
    doca_priv_lock(&doca_priv_check_all.users_lock);
    root = doca_priv_check_root(object);
    user = doca_priv_check_user_of(root);
    visit.is_refused = user != NULL && user->thread != me;
    if (stays && root != NULL && !visit.is_refused)
        doca_priv_check_begin_visit(&visit, root, user, function, place);
    doca_priv_unlock(&doca_priv_check_all.users_lock);
    if (visit.is_refused || visit.is_nested)
        (void)doca_priv_fail(DOCA_ERROR_NOT_PERMITTED,
                             visit.is_nested ? DOCA_CORE_ITEM_CHECK_NESTED
                                             : DOCA_CORE_ITEM_CHECK_THREAD,
                             function, root);
    return visit;
}

/* Remove the record of a use. Calls that ran since may have destroyed the object. */
DOCA_PRIV_DECL void doca_priv_check_leave(struct doca_priv_check_visit *visit)
{
    struct doca_priv_check_user *user;

    if (visit->root == NULL)
        return;
    doca_priv_lock(&doca_priv_check_all.users_lock);
    user = doca_priv_check_user_of(visit->root);
    if (user != NULL && user->thread == doca_priv_check_thread()) {
        user->function = visit->outer;
        user->place = visit->place;
        if (--user->depth == 0)
            *user = doca_priv_check_all.users[--doca_priv_check_all.num_users];
    }
    doca_priv_unlock(&doca_priv_check_all.users_lock);
    visit->root = NULL;
}

/* Remove all uses of an object that is being created or destroyed. When an object is created, such
 * a record can only be left over from an earlier object at this address. */
DOCA_PRIV_DECL void doca_priv_check_forget(const void *object)
{
    struct doca_priv_check_user *user;

    doca_priv_check_watch_forks();
    doca_priv_lock(&doca_priv_check_all.users_lock);
    user = doca_priv_check_user_of(object);
    if (user != NULL)
        *user = doca_priv_check_all.users[--doca_priv_check_all.num_users];
    doca_priv_unlock(&doca_priv_check_all.users_lock);
}

/* Return the stack position of this thread: the frame address, if the compiler provides it.
 * Otherwise it is the address of a local variable, which sanitizers may place outside the stack. */
DOCA_PRIV_DECL uintptr_t doca_priv_check_place(void)
{
#ifdef __GNUC__
    return (uintptr_t)__builtin_frame_address(0);
#else
    uintptr_t place = (uintptr_t)&place;

    return place;
#endif
}

/* Return the name of the call that is submitting a task of the PE. */
DOCA_PRIV_DECL const char *doca_priv_check_function(const struct doca_pe *pe)
{
    const struct doca_priv_check_user *user;
    const char *function;

    doca_priv_lock(&doca_priv_check_all.users_lock);
    user = doca_priv_check_user_of(pe);
    function = user != NULL ? user->function : "doca_task_submit";
    doca_priv_unlock(&doca_priv_check_all.users_lock);
    return function;
}

static void doca_priv_check_begin_turn(const void *stock, const struct doca_mmap *mmap)
{
    if (stock == NULL) /* invalid handle: use another value that means "taken" */
        stock = &doca_priv_check_all;
    DOCA_PRIV_STORE(&doca_priv_check_all.mmap, mmap);
    DOCA_PRIV_STORE(&doca_priv_check_all.stock, stock);
    DOCA_PRIV_STORE(&doca_priv_check_all.thread, doca_priv_check_thread());
}

/* Begin a turn of this thread; it lasts until doca_priv_check_end_turn(). `mmap` is the mmap whose
 * buffer is created or released, or NULL; it is ignored if threads may share the mmap. */
DOCA_CORE_DECL void doca_priv_check_take_turn(const void *stock, const struct doca_mmap *mmap,
                                              const char *function)
{
    const void *shared = NULL;

    /* analyzer: nullPointer: doca_priv_is() rejects NULL */
    if (DOCA_CORE_SHARED_MMAPS || !doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP) || mmap->is_shared)
        mmap = NULL;
    doca_priv_check_watch_forks();
    if (!DOCA_PRIV_TRY_LOCK(&doca_priv_check_all.lock)) {
        if (DOCA_PRIV_LOAD(&doca_priv_check_all.stock) == stock)
            shared = stock;
        else if (DOCA_PRIV_LOAD(&doca_priv_check_all.mmap) == mmap)
            shared = mmap;
        if (shared != NULL)
            (void)doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_CHECK_THREAD, function,
                                 shared);
        doca_priv_lock(&doca_priv_check_all.lock);
    }
    doca_priv_check_begin_turn(stock, mmap);
    if (mmap != NULL)
        (void)doca_priv_check_enter(mmap, function, false, 0);
}

DOCA_CORE_DECL void doca_priv_check_end_turn(void)
{
    DOCA_PRIV_STORE(&doca_priv_check_all.mmap, (const struct doca_mmap *)NULL);
    DOCA_PRIV_STORE(&doca_priv_check_all.stock, (const void *)NULL);
    DOCA_PRIV_STORE(&doca_priv_check_all.thread, 0u);
    doca_priv_unlock(&doca_priv_check_all.lock);
}

/* Begin a turn to change `buf` or, if `returns` is set, to release it to its inventory or pool.
 * BAD_STATE: another thread has already released the buffer. AGAIN: another thread has taken a
 * reference, so the buffer must not be released. */
DOCA_CORE_DECL doca_error_t doca_priv_check_take_buf(const struct doca_buf *buf, bool returns,
                                                     const char *function)
{
    bool is_out;

    doca_priv_check_take_turn(returns ? doca_priv_buf_stock(buf) : (const void *)buf,
                              returns ? buf->mmap : NULL, function);
    is_out = buf->flags != 0;
    if (is_out && (!returns || buf->refcount == 1))
        return DOCA_SUCCESS;
    doca_priv_check_end_turn();
    return is_out ? DOCA_ERROR_AGAIN
                  : doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_BUF_RETURNED, function,
                                   buf);
}

/* End the turn of this thread, if it has one, before the library calls the program.
 * doca_priv_check_step_back() begins the turn again. */
DOCA_PRIV_DECL const void *doca_priv_check_step_aside(void)
{
    const void *stock = NULL;

    if (DOCA_PRIV_LOAD(&doca_priv_check_all.thread) == doca_priv_check_thread()) {
        stock = doca_priv_check_all.stock;
        doca_priv_check_end_turn();
    }
    return stock;
}

DOCA_PRIV_DECL void doca_priv_check_step_back(const void *stock)
{
    if (stock != NULL) {
        doca_priv_lock(&doca_priv_check_all.lock);
        doca_priv_check_begin_turn(stock, NULL);
    }
}

/* ---- parents and children ---- */

/* Add a pool or buffer array to the children of an mmap that several threads may use (join), or
 * remove it from them (part). A child is removed only if the mmap still has this serial number. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_check_join(struct doca_mmap *mmap)
{
    (void)DOCA_PRIV_FETCH_ADD(&mmap->num_children, 1u);
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_check_part(struct doca_mmap *mmap, uint32_t serial)
{
    if (mmap != NULL && doca_priv_mmap_is(mmap, serial))
        (void)DOCA_PRIV_FETCH_ADD(&mmap->num_children, ~0u);
}

/* Report the destruction of a parent that has children. */
DOCA_PRIV_DECL void doca_priv_check_childless(const uint32_t *num_children, const void *parent,
                                              const char *function)
{
    if (DOCA_PRIV_LOAD(num_children) > 0)
        (void)doca_priv_fail(DOCA_ERROR_IN_USE, DOCA_CORE_ITEM_CHECK_CHILDREN, function, parent);
}

#endif
