/* ---- >>impl.apsh.isf -------------------------------------------------------------------------
 * Read a symbol map. The first pass reads the whole file and finds the symbols and most members.
 * A part of a structure may stand before the structure in the file. Further passes read only the
 * structures, until all parts that can contain a missing member are read. Names are compared by
 * hashes of 64 bits.                                                                            */
#include "compat/apsh/isf_priv.h"

#include "compat/apsh/config.h"
#include "compat/apsh/json_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"

#define DOCA_PRIV_APSH_ISF_MAX 65535u  /* offset, size and number of elements */
#define DOCA_PRIV_APSH_ISF_AT_ONCE 32u /* parts with one name */

DOCA_PRIV_APSH_ASSERT(isf_has_room,
                      sizeof(struct doca_priv_apsh_isf) <= DOCA_PRIV_APSH_SCRATCH_BYTES)

static const char *const doca_priv_apsh_isf_symbols[DOCA_PRIV_APSH_NUM_SYMBOLS] = {
#define DOCA_PRIV_APSH_ISF_SYMBOL(name, symbol) symbol,
    DOCA_PRIV_APSH_SYMBOLS(DOCA_PRIV_APSH_ISF_SYMBOL)
#undef DOCA_PRIV_APSH_ISF_SYMBOL
};

static const struct {
    const char *type, *member, *other;
} doca_priv_apsh_isf_members[DOCA_PRIV_APSH_NUM_MEMBERS] = {
#define DOCA_PRIV_APSH_ISF_MEMBER(name, type, member, other, must) { type, member, other },
    DOCA_PRIV_APSH_MEMBERS(DOCA_PRIV_APSH_ISF_MEMBER)
#undef DOCA_PRIV_APSH_ISF_MEMBER
};

static uint64_t doca_priv_apsh_isf_hash(const char *text, size_t len)
{
    uint64_t hash = 0xcbf29ce484222325u;
    size_t i;

    for (i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash;
}

/* Return the hash of the latest key or string, or 0 when it was cut: no query has such a name. */
static uint64_t doca_priv_apsh_isf_text(const struct doca_priv_apsh_json *json)
{
    return json->is_cut ? 0 : doca_priv_apsh_isf_hash(json->text, json->len);
}

/* ---- queries and parts ---- */

/* Add a part of a root, unless it was added before. `is_whole`: the part is the structure that the
 * queries name. */
static void doca_priv_apsh_isf_add_part(struct doca_priv_apsh_isf *isf, uint64_t type,
                                        uint32_t root, uint64_t offset, bool is_whole)
{
    struct doca_priv_apsh_isf_part *part;
    uint32_t i;

    for (i = 0; i < isf->num_parts; i++)
        if (isf->parts[i].type == type && isf->parts[i].root == root &&
            isf->parts[i].offset == offset)
            return;
    if (isf->num_parts == DOCA_PRIV_APSH_ISF_PARTS || offset > DOCA_PRIV_APSH_ISF_MAX)
        return;
    part = &isf->parts[isf->num_parts++];
    part->type = type;
    part->root = root;
    part->offset = (uint32_t)offset;
    part->is_whole = is_whole;
    part->is_read = false;
}

/* Make a query search for `path` in its root. */
static void doca_priv_apsh_isf_path(struct doca_priv_apsh_isf_query *query, const char *path)
{
    const size_t len = strcspn(path, ".[");

    query->name = doca_priv_apsh_isf_hash(path, len);
    query->rest = path[len] == '.' ? path + len + 1 : NULL;
    query->want = len == 0           ? DOCA_PRIV_APSH_ISF_SIZE
                  : path[len] == '[' ? DOCA_PRIV_APSH_ISF_COUNT
                                     : DOCA_PRIV_APSH_ISF_OFFSET;
}

/* Make the queries for all members. All queries for one structure share one root. */
static void doca_priv_apsh_isf_ask(struct doca_priv_apsh_isf *isf)
{
    uint32_t i, k, root;

    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++) {
        const char *type = doca_priv_apsh_isf_members[i].type;

        for (k = 0; k < i && strcmp(doca_priv_apsh_isf_members[k].type, type) != 0;)
            k++;
        root = k < i ? isf->queries[2 * k].root : isf->num_roots++;
        for (k = 2 * i; k < 2 * i + 2; k++) {
            isf->queries[k].value = -1;
            isf->queries[k].root = root;
        }
        doca_priv_apsh_isf_path(&isf->queries[2 * i], doca_priv_apsh_isf_members[i].member);
        if (doca_priv_apsh_isf_members[i].other != NULL)
            doca_priv_apsh_isf_path(&isf->queries[2 * i + 1], doca_priv_apsh_isf_members[i].other);
        doca_priv_apsh_isf_add_part(isf, doca_priv_apsh_isf_hash(type, strlen(type)), root, 0,
                                    true);
    }
}

/* Compare a field with all queries of the root that the part belongs to. */
static void doca_priv_apsh_isf_match(struct doca_priv_apsh_isf *isf, uint32_t number,
                                     const struct doca_priv_apsh_isf_field *field)
{
    const struct doca_priv_apsh_isf_part *part = &isf->parts[number];
    const uint64_t offset = part->offset + field->offset;
    const uint32_t root = part->root;
    uint32_t i;

    if (field->offset > DOCA_PRIV_APSH_ISF_MAX || offset > DOCA_PRIV_APSH_ISF_MAX)
        return;
    if (field->is_anonymous) {
        if (field->is_inner)
            doca_priv_apsh_isf_add_part(isf, field->type, root, offset, false);
        return;
    }
    for (i = 0; i < 2 * DOCA_PRIV_APSH_NUM_MEMBERS; i++) {
        struct doca_priv_apsh_isf_query *query = &isf->queries[i];

        if (query->root != root || query->name != field->name || query->name == 0 ||
            query->value >= 0 || query->want == DOCA_PRIV_APSH_ISF_SIZE)
            continue;
        if (query->rest == NULL && query->want == DOCA_PRIV_APSH_ISF_COUNT) {
            query->value = field->count <= DOCA_PRIV_APSH_ISF_MAX ? (int32_t)field->count : -1;
        } else if (query->rest == NULL) {
            query->value = field->is_bits ? -1 : (int32_t)offset;
        } else if (field->is_inner) {
            query->root = isf->num_roots++;
            doca_priv_apsh_isf_path(query, query->rest);
            doca_priv_apsh_isf_add_part(isf, field->type, query->root, offset, false);
        }
    }
}

/* ---- structures ---- */

/* Read the type of a field. */
static void doca_priv_apsh_isf_type(struct doca_priv_apsh_json *json,
                                    struct doca_priv_apsh_isf_field *field)
{
    if (!doca_priv_apsh_json_object(json))
        return;
    while (doca_priv_apsh_json_key(json)) {
        if (doca_priv_apsh_json_is(json, "kind")) {
            if (!doca_priv_apsh_json_string(json))
                return;
            field->is_inner = doca_priv_apsh_json_is(json, "struct") ||
                              doca_priv_apsh_json_is(json, "union");
            field->is_bits = doca_priv_apsh_json_is(json, "bitfield");
        } else if (doca_priv_apsh_json_is(json, "name")) {
            if (!doca_priv_apsh_json_string(json))
                return;
            field->type = doca_priv_apsh_isf_text(json);
        } else if (doca_priv_apsh_json_is(json, "count")) {
            (void)doca_priv_apsh_json_integer(json, &field->count);
        } else {
            doca_priv_apsh_json_skip(json);
        }
    }
}

/* Read a field. The latest key is its name. */
static void doca_priv_apsh_isf_read_field(struct doca_priv_apsh_json *json,
                                          struct doca_priv_apsh_isf_field *field)
{
    static const char unnamed[] = "unnamed_field_";

    memset(field, 0, sizeof(*field));
    field->name = doca_priv_apsh_isf_text(json);
    field->offset = field->count = UINT64_MAX;
    field->is_anonymous = json->len == 0 || strncmp(json->text, unnamed, sizeof(unnamed) - 1) == 0;
    if (!doca_priv_apsh_json_object(json))
        return;
    while (doca_priv_apsh_json_key(json)) {
        if (doca_priv_apsh_json_is(json, "offset")) {
            (void)doca_priv_apsh_json_integer(json, &field->offset);
        } else if (doca_priv_apsh_json_is(json, "type")) {
            doca_priv_apsh_isf_type(json, field);
        } else if (!doca_priv_apsh_json_is(json, "anonymous")) {
            doca_priv_apsh_json_skip(json);
        } else if (doca_priv_apsh_json_value(json) != DOCA_PRIV_APSH_JSON_WORD) {
            (void)doca_priv_apsh_json_bad(json, "\"anonymous\" is neither true nor false");
        } else if (doca_priv_apsh_json_is(json, "true") || doca_priv_apsh_json_is(json, "True")) {
            field->is_anonymous = true;
        }
    }
}

/* Read the fields of a structure. `parts` are the parts that this structure is. */
static void doca_priv_apsh_isf_fields(struct doca_priv_apsh_isf *isf, const uint32_t *parts,
                                      uint32_t num)
{
    struct doca_priv_apsh_isf_field field;
    uint32_t i;

    if (!doca_priv_apsh_json_object(&isf->json))
        return;
    while (doca_priv_apsh_json_key(&isf->json)) {
        doca_priv_apsh_isf_read_field(&isf->json, &field);
        for (i = 0; i < num && isf->json.reason == NULL; i++)
            doca_priv_apsh_isf_match(isf, parts[i], &field);
    }
}

/* Read the size of a structure. `parts` are the parts that this structure is. */
static void doca_priv_apsh_isf_size(struct doca_priv_apsh_isf *isf, const uint32_t *parts,
                                    uint32_t num)
{
    uint64_t size;
    uint32_t i, k;

    if (!doca_priv_apsh_json_integer(&isf->json, &size) || size > DOCA_PRIV_APSH_ISF_MAX)
        return;
    for (i = 0; i < num; i++)
        for (k = 0; k < 2 * DOCA_PRIV_APSH_NUM_MEMBERS && isf->parts[parts[i]].is_whole; k++)
            if (isf->queries[k].want == DOCA_PRIV_APSH_ISF_SIZE &&
                isf->queries[k].root == isf->parts[parts[i]].root && isf->queries[k].value < 0)
                isf->queries[k].value = (int32_t)size;
}

/* Read a structure. The latest key is its name. Returns whether the structure is a part that was
 * not read before. */
static bool doca_priv_apsh_isf_struct(struct doca_priv_apsh_isf *isf)
{
    const uint64_t type = doca_priv_apsh_isf_text(&isf->json);
    uint32_t parts[DOCA_PRIV_APSH_ISF_AT_ONCE], num = 0, i;

    for (i = 0; i < isf->num_parts && num < DOCA_PRIV_APSH_ISF_AT_ONCE; i++)
        if (isf->parts[i].type == type && !isf->parts[i].is_read && type != 0) {
            isf->parts[i].is_read = true;
            parts[num++] = i;
        }
    if (num == 0) {
        doca_priv_apsh_json_skip(&isf->json);
        return false;
    }
    if (!doca_priv_apsh_json_object(&isf->json))
        return false;
    while (doca_priv_apsh_json_key(&isf->json)) {
        if (doca_priv_apsh_json_is(&isf->json, "fields"))
            doca_priv_apsh_isf_fields(isf, parts, num);
        else if (doca_priv_apsh_json_is(&isf->json, "size"))
            doca_priv_apsh_isf_size(isf, parts, num);
        else
            doca_priv_apsh_json_skip(&isf->json);
    }
    return true;
}

/* Read all structures. Returns whether one of them is a part that was not read before. */
static bool doca_priv_apsh_isf_structs(struct doca_priv_apsh_isf *isf)
{
    bool is_any = false;

    if (!doca_priv_apsh_json_object(&isf->json))
        return false;
    while (doca_priv_apsh_json_key(&isf->json))
        is_any = doca_priv_apsh_isf_struct(isf) || is_any;
    return is_any;
}

/* ---- symbols ---- */

static int doca_priv_apsh_isf_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decode the latest string from base 64, and store the banner up to its NUL. */
static void doca_priv_apsh_isf_banner(struct doca_priv_apsh_map *map,
                                      const struct doca_priv_apsh_json *json)
{
    uint32_t i, bits = 0, value = 0, len = 0;
    int digit;

    for (i = 0; i < json->len && len < sizeof(map->banner); i++) {
        digit = doca_priv_apsh_isf_digit(json->text[i]);
        if (digit < 0)
            break;
        value = (value << 6 | (uint32_t)digit) & 0xffffff;
        bits += 6;
        if (bits < 8)
            continue;
        bits -= 8;
        map->banner[len] = (char)(value >> bits & 0xff);
        if (map->banner[len] == '\0')
            break;
        len++;
    }
    map->banner_len = len;
}

/* Read a symbol. The latest key is its name. */
static void doca_priv_apsh_isf_symbol(struct doca_priv_apsh_isf *isf)
{
    struct doca_priv_apsh_json *json = &isf->json;
    uint32_t i = 0;

    while (i < DOCA_PRIV_APSH_NUM_SYMBOLS &&
           !doca_priv_apsh_json_is(json, doca_priv_apsh_isf_symbols[i]))
        i++;
    if (i == DOCA_PRIV_APSH_NUM_SYMBOLS || isf->map->symbols[i] != 0) {
        doca_priv_apsh_json_skip(json);
        return;
    }
    if (!doca_priv_apsh_json_object(json))
        return;
    while (doca_priv_apsh_json_key(json)) {
        if (doca_priv_apsh_json_is(json, "address")) {
            (void)doca_priv_apsh_json_integer(json, &isf->map->symbols[i]);
        } else if (i == DOCA_PRIV_APSH_BANNER && doca_priv_apsh_json_is(json, "constant_data")) {
            if (doca_priv_apsh_json_value(json) == DOCA_PRIV_APSH_JSON_STRING)
                doca_priv_apsh_isf_banner(isf->map, json);
            else if (!doca_priv_apsh_json_is(json, "null"))
                (void)doca_priv_apsh_json_bad(json, "constant_data is not a string");
        } else {
            doca_priv_apsh_json_skip(json);
        }
    }
}

static void doca_priv_apsh_isf_symbol_table(struct doca_priv_apsh_isf *isf)
{
    if (!doca_priv_apsh_json_object(&isf->json))
        return;
    isf->has_symbols = true;
    while (doca_priv_apsh_json_key(&isf->json))
        doca_priv_apsh_isf_symbol(isf);
}

/* ---- the file ---- */

/* Read the whole file from its beginning to its end. */
static void doca_priv_apsh_isf_first(struct doca_priv_apsh_isf *isf)
{
    struct doca_priv_apsh_json *json = &isf->json;

    if (!doca_priv_apsh_json_object(json))
        return;
    while (doca_priv_apsh_json_key(json)) {
        if (doca_priv_apsh_json_is(json, "user_types") && isf->types_place == 0) {
            isf->types_place = doca_priv_apsh_json_place(json);
            (void)doca_priv_apsh_isf_structs(isf);
        } else if (doca_priv_apsh_json_is(json, "symbols") && !isf->has_symbols) {
            doca_priv_apsh_isf_symbol_table(isf);
        } else {
            doca_priv_apsh_json_skip(json);
        }
    }
    doca_priv_apsh_json_end(json);
    if (isf->types_place == 0 || !isf->has_symbols)
        (void)doca_priv_apsh_json_bad(json, "no \"user_types\" or no \"symbols\"");
}

/* True when a member that was not found may be in a part that was not read. */
static bool doca_priv_apsh_isf_has_parts(const struct doca_priv_apsh_isf *isf)
{
    uint32_t i, k;

    for (i = 0; i < isf->num_parts; i++)
        for (k = 0; k < 2 * DOCA_PRIV_APSH_NUM_MEMBERS && !isf->parts[i].is_read; k++)
            if (isf->queries[k].root == isf->parts[i].root && isf->queries[k].name != 0 &&
                isf->queries[k].value < 0 && isf->queries[k ^ 1].value < 0)
                return true;
    return false;
}

/* Read the symbol map at `path` into `map`. Returns false, with the reason in isf->json, when it is
 * malformed or cannot be read. `budget`: bytes that may be read, counted down. */
DOCA_PRIV_DECL bool doca_priv_apsh_isf_load(struct doca_priv_apsh_isf *isf,
                                            struct doca_priv_apsh_map *map, const char *path,
                                            uint64_t *budget)
{
    uint32_t i, passes = 1;

    memset(isf, 0, offsetof(struct doca_priv_apsh_isf, json));
    memset(map, 0, sizeof(*map));
    isf->map = map;
    doca_priv_apsh_isf_ask(isf);
    if (doca_priv_apsh_json_open(&isf->json, path, budget))
        doca_priv_apsh_isf_first(isf);
    while (isf->json.reason == NULL && passes++ < DOCA_PRIV_APSH_ISF_PASSES &&
           doca_priv_apsh_isf_has_parts(isf))
        if (!doca_priv_apsh_json_again(&isf->json, isf->types_place) ||
            !doca_priv_apsh_isf_structs(isf))
            break;
    doca_priv_apsh_json_close(&isf->json);
    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++)
        map->offsets[i] = isf->queries[2 * i].value >= 0 ? isf->queries[2 * i].value
                                                         : isf->queries[2 * i + 1].value;
    return isf->json.reason == NULL;
}
