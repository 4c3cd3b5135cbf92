/* ---- >>impl.apsh.snapshot --------------------------------------------------------------------
 * Snapshots and their elements. A table names the attributes of each kind; an element has one value
 * for each of them, in the same order.                                                          */
#include "compat/apsh/snapshot_priv.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/object.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"

/* The attributes that elements of a kind have on Linux. */
static const struct {
    unsigned num;
    int attrs[DOCA_PRIV_APSH_MAX_ATTRS];
} doca_priv_apsh_kinds[DOCA_PRIV_APSH_KINDS] = {
    { 7,
      { DOCA_APSH_PROCESS_PID, DOCA_APSH_PROCESS_PPID, DOCA_APSH_PROCESS_COMM,
        DOCA_APSH_PROCESS_CPU_TIME, DOCA_APSH_PROCESS_LINUX_GID, DOCA_APSH_PROCESS_LINUX_UID,
        DOCA_APSH_PROCESS_LINUX_STATE } },
    { 3, { DOCA_APSH_MODULES_OFFSET, DOCA_APSH_MODULES_NAME, DOCA_APSH_MODULES_SIZE } },
    { 4,
      { DOCA_APSH_LIB_PID, DOCA_APSH_LIB_LIBRARY_PATH, DOCA_APSH_LIB_LOAD_ADRESS,
        DOCA_APSH_LIB_LINUX_LOAD_ADRESS } },
    { 5,
      { DOCA_APSH_THREAD_PID, DOCA_APSH_THREAD_TID, DOCA_APSH_THREAD_STATE,
        DOCA_APSH_THREAD_LINUX_PROC_NAME, DOCA_APSH_THREAD_LINUX_THREAD_NAME } },
    { 7,
      { DOCA_APSH_VMA_PID, DOCA_APSH_VMA_OFFSET, DOCA_APSH_VMA_PROTECTION, DOCA_APSH_VMA_VM_START,
        DOCA_APSH_VMA_VM_END, DOCA_APSH_VMA_PROCESS_NAME, DOCA_APSH_VMA_FILE_PATH } },
    { 10,
      { DOCA_APSH_ATTESTATION_PID, DOCA_APSH_ATTESTATION_COMM,
        DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA, DOCA_APSH_ATTESTATION_PROTECTION,
        DOCA_APSH_ATTESTATION_START_ADDRESS, DOCA_APSH_ATTESTATION_END_ADDRESS,
        DOCA_APSH_ATTESTATION_PAGES_NUMBER, DOCA_APSH_ATTESTATION_PAGES_PRESENT,
        DOCA_APSH_ATTESTATION_MATCHING_HASHES, DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT } },
    { 5,
      { DOCA_APSH_YARA_PID, DOCA_APSH_YARA_COMM, DOCA_APSH_YARA_RULE,
        DOCA_APSH_YARA_MATCH_WINDOW_ADDR, DOCA_APSH_YARA_MATCH_WINDOW_LEN } },
    { 3, { DOCA_APSH_ENVARS_PID, DOCA_APSH_ENVARS_VARIABLE, DOCA_APSH_ENVARS_VALUE } },
};

DOCA_PRIV_APSH_ASSERT(snapshot_has_its_size, sizeof(struct doca_priv_apsh_snapshot) ==
                                                 DOCA_PRIV_APSH_SNAPSHOT_BYTES)
DOCA_PRIV_APSH_ASSERT(process_has_its_size, sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                                                    7 * sizeof(uintptr_t) + 17 ==
                                                DOCA_PRIV_APSH_PROCESS_BYTES)

static size_t doca_priv_apsh_element_bytes(enum doca_priv_apsh_kind kind)
{
    return sizeof(struct doca_priv_apsh_element) +
           doca_priv_apsh_kinds[kind].num * sizeof(uintptr_t);
}

static enum doca_priv_apsh_kind doca_priv_apsh_kind_of(uint32_t guard)
{
    return (enum doca_priv_apsh_kind)(guard & 0xff);
}

/* Return the values of an element. They follow the element in memory. */
static uintptr_t *doca_priv_apsh_values(const struct doca_priv_apsh_element *element)
{
    return (uintptr_t *)(uintptr_t)(element + 1);
}

/* Return the pointers of a snapshot. They follow its head in memory. */
static void **doca_priv_apsh_pointers(struct doca_priv_apsh_snapshot *snapshot)
{
    return (void **)(void *)(snapshot + 1);
}

/* Make an empty snapshot with room for `max` elements and `text_bytes` bytes of strings. The
 * snapshot holds a reference to the system. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_snapshot_make(struct doca_apsh_system *system,
                                                         enum doca_priv_apsh_kind kind,
                                                         uint32_t max, size_t text_bytes,
                                                         struct doca_priv_apsh_snapshot **snapshot)
{
    const size_t row = sizeof(void *) + doca_priv_apsh_element_bytes(kind);
    const size_t bytes = sizeof(**snapshot) + max * row;
    struct doca_priv_apsh_snapshot *made;
    void *block = NULL;
    doca_error_t rc = doca_core_arena_take(system->arena, bytes + text_bytes, &block);

    if (rc != DOCA_SUCCESS)
        return rc;
    made = (struct doca_priv_apsh_snapshot *)block;
    made->guard = DOCA_PRIV_APSH_LIST | kind;
    made->num = 0;
    made->max = max;
    made->system = system;
    made->text = (char *)block + bytes;
    made->text_end = made->text + text_bytes;
    (void)DOCA_PRIV_APSH_ADD(&system->num_users, 1u);
    *snapshot = made;
    return DOCA_SUCCESS;
}

/* Destroy a snapshot: release its block and its reference to the system. */
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_end(struct doca_priv_apsh_snapshot *snapshot)
{
    struct doca_apsh_system *system = snapshot->system;
    uint32_t i;

    for (i = 0; i < snapshot->num; i++)
        ((struct doca_priv_apsh_element *)doca_priv_apsh_pointers(snapshot)[i])->guard = 0;
    snapshot->guard = 0;
    (void)doca_core_arena_give(system->arena, snapshot);
    doca_priv_apsh_system_drop(system);
}

/* Return the snapshot of the array `pointers`. NULL: the array is not a list of this kind. */
DOCA_PRIV_DECL struct doca_priv_apsh_snapshot *
doca_priv_apsh_snapshot_of(void *pointers, enum doca_priv_apsh_kind kind)
{
    struct doca_priv_apsh_snapshot *snapshot = (struct doca_priv_apsh_snapshot *)pointers - 1;

    return snapshot->guard == (DOCA_PRIV_APSH_LIST | kind) ? snapshot : NULL;
}

/* Free the snapshot that the program received as `pointers`. */
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_free(void *pointers, enum doca_priv_apsh_kind kind,
                                                 const char *function)
{
    struct doca_priv_apsh_snapshot *snapshot;

    if (pointers == NULL)
        return;
    snapshot = doca_priv_apsh_snapshot_of(pointers, kind);
    if (snapshot == NULL)
        (void)DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, function);
    else
        doca_priv_apsh_snapshot_end(snapshot);
}

/* Give a snapshot to the program: `pointers` receives the address of its array of pointers. An
 * empty snapshot is destroyed instead. */
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_give(struct doca_priv_apsh_snapshot *snapshot,
                                                 void *pointers, int *num)
{
    void *given = snapshot->num > 0 ? doca_priv_apsh_pointers(snapshot) : NULL;

    *num = (int)snapshot->num;
    memcpy(pointers, &given, sizeof(given));
    if (given == NULL)
        doca_priv_apsh_snapshot_end(snapshot);
}

/* Append an element for the object at `at` of the target, without values. The caller has counted
 * the elements, so the snapshot has room. */
static struct doca_priv_apsh_element *
doca_priv_apsh_snapshot_append(struct doca_priv_apsh_snapshot *snapshot, uint64_t at)
{
    const enum doca_priv_apsh_kind kind = doca_priv_apsh_kind_of(snapshot->guard);
    void **pointers = doca_priv_apsh_pointers(snapshot);
    char *elements = (char *)(pointers + snapshot->max);
    struct doca_priv_apsh_element *element =
        (struct doca_priv_apsh_element *)(void *)(elements +
                                                  snapshot->num *
                                                      doca_priv_apsh_element_bytes(kind));

    element->guard = DOCA_PRIV_APSH_ELEMENT | kind;
    element->snapshot = snapshot;
    element->at = at;
    pointers[snapshot->num++] = element;
    return element;
}

/* Append an element. All its values are 0. */
DOCA_PRIV_DECL struct doca_priv_apsh_element *
doca_priv_apsh_snapshot_add(struct doca_priv_apsh_snapshot *snapshot, uint64_t at)
{
    struct doca_priv_apsh_element *element = doca_priv_apsh_snapshot_append(snapshot, at);

    memset(doca_priv_apsh_values(element), 0,
           doca_priv_apsh_kinds[doca_priv_apsh_kind_of(element->guard)].num * sizeof(uintptr_t));
    return element;
}

/* Append an element with these values, which are in the order of the attributes of its kind. */
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_add_all(struct doca_priv_apsh_snapshot *snapshot,
                                                    uint64_t at, const uint64_t *values)
{
    uintptr_t *to = doca_priv_apsh_values(doca_priv_apsh_snapshot_append(snapshot, at));
    const unsigned num = doca_priv_apsh_kinds[doca_priv_apsh_kind_of(snapshot->guard)].num;
    unsigned i;

    for (i = 0; i < num; i++)
        to[i] = (uintptr_t)values[i];
}

/* Return the index of an attribute among the attributes of its kind, or their number. */
static unsigned doca_priv_apsh_place(enum doca_priv_apsh_kind kind, int attr)
{
    unsigned i;

    for (i = 0; i < doca_priv_apsh_kinds[kind].num; i++)
        if (doca_priv_apsh_kinds[kind].attrs[i] == attr)
            break;
    return i;
}

/* Set the value of an attribute. The kind of the element must have the attribute. */
DOCA_PRIV_DECL void doca_priv_apsh_set(struct doca_priv_apsh_element *element, int attr,
                                       uint64_t value)
{
    doca_priv_apsh_values(
        element)[doca_priv_apsh_place(doca_priv_apsh_kind_of(element->guard), attr)] =
        (uintptr_t)value;
}

/* Reserve room for a string of `len` bytes, and write its NUL. Returns NULL when there is no
 * room. */
DOCA_PRIV_DECL char *doca_priv_apsh_text_room(struct doca_priv_apsh_snapshot *snapshot, size_t len)
{
    char *at = snapshot->text;

    if ((size_t)(snapshot->text_end - at) <= len)
        return NULL;
    at[len] = '\0';
    snapshot->text += len + 1;
    return at;
}

/* Copy `len` bytes and a NUL to the strings of a snapshot. Returns NULL when there is no room. */
DOCA_PRIV_DECL char *doca_priv_apsh_text(struct doca_priv_apsh_snapshot *snapshot,
                                         const char *text, size_t len)
{
    char *at = doca_priv_apsh_text_room(snapshot, len);

    if (at != NULL)
        memcpy(at, text, len);
    return at;
}

/* Return an element by its index. */
DOCA_PRIV_DECL struct doca_priv_apsh_element *
doca_priv_apsh_snapshot_at(struct doca_priv_apsh_snapshot *snapshot, uint32_t number)
{
    return (struct doca_priv_apsh_element *)doca_priv_apsh_pointers(snapshot)[number];
}

/* Return the string that was copied to the snapshot first. */
DOCA_PRIV_DECL const char *doca_priv_apsh_first_text(struct doca_priv_apsh_snapshot *snapshot)
{
    const enum doca_priv_apsh_kind kind = doca_priv_apsh_kind_of(snapshot->guard);

    return (const char *)(doca_priv_apsh_pointers(snapshot) + snapshot->max) +
           snapshot->max * doca_priv_apsh_element_bytes(kind);
}

DOCA_PRIV_DECL bool doca_priv_apsh_is_element(const void *element, enum doca_priv_apsh_kind kind)
{
    return element != NULL && ((const struct doca_priv_apsh_element *)element)->guard ==
                                  (DOCA_PRIV_APSH_ELEMENT | kind);
}

/* Return the value of an attribute, or NULL when the element does not have it. */
DOCA_PRIV_DECL const void *doca_priv_apsh_get(const void *element, enum doca_priv_apsh_kind kind,
                                              int attr, const char *function)
{
    const unsigned place = doca_priv_apsh_place(kind, attr);

    if (!doca_priv_apsh_is_element(element, kind)) {
        (void)DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, function);
        return NULL;
    }
    if (place == doca_priv_apsh_kinds[kind].num)
        return NULL;
    return (const void *)doca_priv_apsh_values(
        (const struct doca_priv_apsh_element *)element)[place];
}
