/* ---- >>impl.apsh.btf -------------------------------------------------------------------------
 * Type information of the kernel in the format BTF: a header, types of different lengths, and
 * strings. One pass over the strings finds the names that the start looks for, and one pass over
 * the types checks all types and finds the structures. After the first pass, names are compared by
 * their offsets in the strings.                                                                 */
#include "compat/apsh/layout_priv.h"

#include "compat/apsh/bytes_priv.h"
#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/platform_priv.h"

#define DOCA_PRIV_APSH_BTF_HEAD 24u
#define DOCA_PRIV_APSH_BTF_DEPTH 16u /* nested anonymous members, and modifiers of a type */

enum {
    DOCA_PRIV_APSH_BTF_ARRAY = 3,
    DOCA_PRIV_APSH_BTF_STRUCT = 4,
    DOCA_PRIV_APSH_BTF_UNION = 5,
    DOCA_PRIV_APSH_BTF_KINDS = 20
};

/* Number of bytes that follow the head of a type: a fixed part, and a part for each element. */
static const struct {
    uint8_t fixed, each;
} doca_priv_apsh_btf_kinds[DOCA_PRIV_APSH_BTF_KINDS] = {
    { 0, 0 },  { 4, 0 }, { 0, 0 }, { 12, 0 }, { 0, 12 }, { 0, 12 }, { 0, 8 },
    { 0, 0 },  { 0, 0 }, { 0, 0 }, { 0, 0 },  { 0, 0 },  { 0, 0 },  { 0, 8 },
    { 4, 0 },  { 0, 12 }, { 0, 0 }, { 4, 0 }, { 0, 0 },  { 0, 12 },
};

struct doca_priv_apsh_type {
    uint32_t name;
    unsigned kind;
    uint32_t num;  /* elements */
    uint32_t size; /* bytes, or the type that a modifier refers to */
    bool has_bits; /* the offsets of members include bit field sizes: size << 24 | offset */
};

static bool doca_priv_apsh_btf_type(struct doca_priv_apsh_btf *btf, uint32_t at,
                                    struct doca_priv_apsh_type *type)
{
    const unsigned char *head = doca_priv_apsh_bytes_get(&btf->types, at, 12);
    uint32_t info;

    if (head == NULL)
        return false;
    info = doca_priv_apsh_u32(head + 4);
    type->name = doca_priv_apsh_u32(head);
    type->kind = info >> 24 & 31;
    type->num = info & 0xffff;
    type->size = doca_priv_apsh_u32(head + 8);
    type->has_bits = info >> 31 != 0;
    return type->kind != 0 && type->kind < DOCA_PRIV_APSH_BTF_KINDS;
}

static uint32_t doca_priv_apsh_btf_bytes(const struct doca_priv_apsh_type *type)
{
    return 12u + doca_priv_apsh_btf_kinds[type->kind].fixed +
           type->num * doca_priv_apsh_btf_kinds[type->kind].each;
}

static uint32_t doca_priv_apsh_hash(const char *text, uint32_t len, uint32_t hash)
{
    for (; len > 0; len--)
        hash = (hash ^ (unsigned char)*text++) * 16777619u;
    return hash;
}

/* Return the number of a name that the start looks for, or num_names. */
static uint32_t doca_priv_apsh_btf_name(const struct doca_priv_apsh_btf *btf, const char *text,
                                        uint32_t len)
{
    const uint32_t hash = doca_priv_apsh_hash(text, len, 2166136261u);
    uint32_t i = btf->buckets[hash % DOCA_PRIV_APSH_BUCKETS];

    for (; i != 0; i = btf->names[i - 1].next)
        if (btf->names[i - 1].len == len && memcmp(btf->names[i - 1].text, text, len) == 0)
            return i - 1;
    return btf->num_names;
}

/* Add the parts of a path, which dots separate, to the names to look for. Brackets at the end of
 * the path are left out. */
DOCA_PRIV_DECL void doca_priv_apsh_btf_want(struct doca_priv_apsh_btf *btf, const char *path)
{
    uint32_t len, hash;

    for (; path != NULL; path = path[len] == '.' ? path + len + 1 : NULL) {
        len = (uint32_t)strcspn(path, ".[");
        if (len == 0 || doca_priv_apsh_btf_name(btf, path, len) != btf->num_names ||
            btf->num_names == DOCA_PRIV_APSH_NAMES)
            continue;
        hash = doca_priv_apsh_hash(path, len, 2166136261u) % DOCA_PRIV_APSH_BUCKETS;
        btf->names[btf->num_names].text = path;
        btf->names[btf->num_names].len = len;
        btf->names[btf->num_names].next = btf->buckets[hash];
        btf->buckets[hash] = ++btf->num_names;
    }
}

/* Find the offsets of the names in the strings. A string that does not fit into one window is
 * longer than every name. */
static bool doca_priv_apsh_btf_strings(struct doca_priv_apsh_btf *btf)
{
    const unsigned char *some, *end;
    uint64_t at = 0;
    uint32_t name, len;
    size_t n;

    while (at < btf->strings.len) {
        some = doca_priv_apsh_bytes_some(&btf->strings, at, &n);
        if (some == NULL)
            return false;
        end = (const unsigned char *)memchr(some, '\0', n);
        if (end == NULL && btf->strings.at != at) { /* begin the window at this string */
            btf->strings.filled = 0;
            continue;
        }
        len = (uint32_t)(end != NULL ? (size_t)(end - some) : n);
        name = doca_priv_apsh_btf_name(btf, (const char *)some, len);
        if (end != NULL && name != btf->num_names && btf->names[name].place == 0)
            btf->names[name].place = (uint32_t)at;
        at += len + (end != NULL);
    }
    return true;
}

/* Check all types, mark some of them, and find the structures. */
static bool doca_priv_apsh_btf_types(struct doca_priv_apsh_btf *btf)
{
    struct doca_priv_apsh_type type;
    uint32_t at = 0, i, number = 1;

    for (; at < btf->types.len; at += doca_priv_apsh_btf_bytes(&type), number++) {
        if (!doca_priv_apsh_btf_type(btf, at, &type) || type.name >= btf->strings.len ||
            doca_priv_apsh_btf_bytes(&type) > btf->types.len - at ||
            number / DOCA_PRIV_APSH_MARK >= DOCA_PRIV_APSH_MARKS)
            return false;
        if (number % DOCA_PRIV_APSH_MARK == 0)
            btf->marks[number / DOCA_PRIV_APSH_MARK] = at;
        if (type.kind != DOCA_PRIV_APSH_BTF_STRUCT || type.name == 0)
            continue;
        for (i = 0; i < btf->num_names; i++)
            if (btf->names[i].place == type.name && btf->names[i].type == 0)
                btf->names[i].type = at + 1;
    }
    btf->num_types = number;
    return true;
}

/* Read type information of at most `len` bytes at the physical address `addr`. Returns false
 * when it is malformed. */
DOCA_PRIV_DECL bool doca_priv_apsh_btf_read(struct doca_priv_apsh_kernel *kernel,
                                            struct doca_priv_apsh_btf *btf, uint64_t addr,
                                            uint64_t len)
{
    uint32_t head_len, type_at, type_len, string_at, string_len;
    unsigned char head[DOCA_PRIV_APSH_BTF_HEAD];

    memset(btf, 0, sizeof(*btf));
    if (len < sizeof(head) || len > UINT32_MAX ||
        doca_priv_apsh_mem_read(&kernel->mem, addr, head, sizeof(head)) != DOCA_SUCCESS)
        return false;
    head_len = doca_priv_apsh_u32(head + 4);
    type_at = doca_priv_apsh_u32(head + 8);
    type_len = doca_priv_apsh_u32(head + 12);
    string_at = doca_priv_apsh_u32(head + 16);
    string_len = doca_priv_apsh_u32(head + 20);
    if (head[0] != 0x9f || head[1] != 0xeb || head[2] != 1 || head_len < sizeof(head) ||
        head_len > len || type_at > len - head_len || type_len > len - head_len - type_at ||
        string_at > len - head_len || string_len > len - head_len - string_at ||
        !doca_priv_apsh_mem_has(&kernel->mem, addr, len))
        return false;
    doca_priv_apsh_bytes_begin(&btf->types, &kernel->mem, addr + head_len + type_at, type_len);
    doca_priv_apsh_bytes_begin(&btf->strings, &kernel->mem, addr + head_len + string_at,
                               string_len);
    doca_priv_apsh_layout_names(btf);
    return doca_priv_apsh_btf_strings(btf) && doca_priv_apsh_btf_types(btf);
}

/* Return the place of a type, found from the mark before it, or UINT32_MAX. */
static uint32_t doca_priv_apsh_btf_place(struct doca_priv_apsh_btf *btf, uint32_t number)
{
    uint32_t i = number / DOCA_PRIV_APSH_MARK * DOCA_PRIV_APSH_MARK, at;
    struct doca_priv_apsh_type type;

    if (number == 0 || number >= btf->num_types)
        return UINT32_MAX;
    at = btf->marks[number / DOCA_PRIV_APSH_MARK];
    for (i = i == 0 ? 1 : i; i < number; i++) {
        if (!doca_priv_apsh_btf_type(btf, at, &type))
            return UINT32_MAX;
        at += doca_priv_apsh_btf_bytes(&type);
    }
    return at;
}

/* Follow typedefs, qualifiers and tags to the place of a structure, union or array, or
 * UINT32_MAX. */
static uint32_t doca_priv_apsh_btf_strip(struct doca_priv_apsh_btf *btf, uint32_t number,
                                         bool is_array)
{
    struct doca_priv_apsh_type type;
    unsigned i;
    uint32_t at;

    for (i = 0; i < DOCA_PRIV_APSH_BTF_DEPTH; i++) {
        at = doca_priv_apsh_btf_place(btf, number);
        if (at == UINT32_MAX || !doca_priv_apsh_btf_type(btf, at, &type))
            return UINT32_MAX;
        if (is_array ? type.kind == DOCA_PRIV_APSH_BTF_ARRAY
                     : type.kind == DOCA_PRIV_APSH_BTF_STRUCT ||
                           type.kind == DOCA_PRIV_APSH_BTF_UNION)
            return at;
        if ((type.kind < 8 || type.kind > 11) && type.kind != 18)
            return UINT32_MAX;
        number = type.size;
    }
    return UINT32_MAX;
}

/* One level of a search for a member: the structure to search, or an anonymous structure or union
 * in the level above. */
struct doca_priv_apsh_level {
    uint32_t at;
    uint32_t next; /* member to compare next */
    uint32_t bits; /* place in the outermost structure */
};

/* Find a member of the structure at `at`, also in its anonymous members. *bits receives its place,
 * *number its type. */
static bool doca_priv_apsh_btf_find(struct doca_priv_apsh_btf *btf, uint32_t at, uint32_t name,
                                    uint32_t *bits, uint32_t *number)
{
    struct doca_priv_apsh_level levels[DOCA_PRIV_APSH_BTF_DEPTH];
    struct doca_priv_apsh_type type;
    const unsigned char *member;
    unsigned depth = 1, steps = 0;
    uint32_t place, text, inner;

    levels[0].at = at;
    levels[0].next = 0;
    levels[0].bits = *bits;
    while (depth > 0 && steps++ < 65536) {
        struct doca_priv_apsh_level *level = &levels[depth - 1];

        if (!doca_priv_apsh_btf_type(btf, level->at, &type))
            return false;
        if (level->next == type.num) {
            depth--;
            continue;
        }
        member = doca_priv_apsh_bytes_get(&btf->types, level->at + 12 + 12 * level->next++, 12);
        if (member == NULL)
            return false;
        text = doca_priv_apsh_u32(member);
        *number = doca_priv_apsh_u32(member + 4);
        place = doca_priv_apsh_u32(member + 8);
        place = level->bits + (type.has_bits ? place & 0xffffff : place);
        if (text == name && name != 0) {
            *bits = place;
            return true;
        }
        inner = text == 0 && depth < DOCA_PRIV_APSH_BTF_DEPTH
                    ? doca_priv_apsh_btf_strip(btf, *number, false)
                    : UINT32_MAX;
        if (inner != UINT32_MAX) {
            levels[depth].at = inner;
            levels[depth].next = 0;
            levels[depth++].bits = place;
        }
    }
    return false;
}

/* Return the number of elements of an array type, or -1. */
static int32_t doca_priv_apsh_btf_elements(struct doca_priv_apsh_btf *btf, uint32_t number)
{
    const uint32_t at = doca_priv_apsh_btf_strip(btf, number, true);
    const unsigned char *array =
        at != UINT32_MAX ? doca_priv_apsh_bytes_get(&btf->types, at + 12, 12) : NULL;
    const uint32_t num = array != NULL ? doca_priv_apsh_u32(array + 8) : UINT32_MAX;

    return num < 65536 ? (int32_t)num : -1;
}

/* Return the offset in bytes of a member of a structure, as "member" or "member.member"; with "[]"
 * appended, its number of elements; for "", the bytes of the structure. -1: there is no such
 * member. */
DOCA_PRIV_DECL int32_t doca_priv_apsh_btf_member(struct doca_priv_apsh_btf *btf, const char *type,
                                                 const char *path)
{
    uint32_t name = doca_priv_apsh_btf_name(btf, type, (uint32_t)strlen(type));
    uint32_t bits = 0, number = 0, len, at;
    struct doca_priv_apsh_type whole;

    if (name == btf->num_names || btf->names[name].type == 0)
        return -1;
    at = btf->names[name].type - 1;
    if (path[0] == '\0')
        return doca_priv_apsh_btf_type(btf, at, &whole) && whole.size < 65536 ? (int32_t)whole.size
                                                                              : -1;
    for (;; path += len + 1) {
        len = (uint32_t)strcspn(path, ".[");
        name = doca_priv_apsh_btf_name(btf, path, len);
        if (name == btf->num_names ||
            !doca_priv_apsh_btf_find(btf, at, btf->names[name].place, &bits, &number))
            return -1;
        if (path[len] == '[')
            return doca_priv_apsh_btf_elements(btf, number);
        if (path[len] == '\0')
            return bits % 8 == 0 && bits / 8 < 65536 ? (int32_t)(bits / 8) : -1;
        at = doca_priv_apsh_btf_strip(btf, number, false);
        if (at == UINT32_MAX)
            return -1;
    }
}
