/* ---- >>impl.apsh.names -----------------------------------------------------------------------
 * The kernel's table of symbols (kallsyms). A name is a sequence of tokens of one byte each; a
 * token stands for one or more characters. Addresses are offsets from a base. In Linux 7 the table
 * has no base, and an offset is the distance of the symbol from the place of the offset itself. If
 * the kernel's note does not contain the addresses of the parts of the table, the search looks for
 * the tokens of the ten digits, which are neighbours in every kernel. The parts have one of two
 * orders: offsets and base come before the names (before 6.4), or after the tokens. The parts of a
 * table with a base begin at multiples of 8 bytes, those of other tables at multiples of 4.      */
#include "compat/apsh/layout_priv.h"

#include "compat/apsh/bytes_priv.h"
#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/walk_priv.h"

#define DOCA_PRIV_APSH_MIN_NAMES 1000u    /* minimum number of symbols of a kernel */
#define DOCA_PRIV_APSH_MAX_NAMES 4000000u /* maximum number of symbols of a kernel */
#define DOCA_PRIV_APSH_NAME_BYTES 512u    /* maximum length of a name */
#define DOCA_PRIV_APSH_NAMES_BYTES ((uint64_t)32 << 20) /* maximum length of all names */
#define DOCA_PRIV_APSH_NAME_STEPS 64000000u /* maximum number of names that the search reads */
#define DOCA_PRIV_APSH_STEP_CHARS 16u /* characters of names that count as one step of work */
#define DOCA_PRIV_APSH_MAX_TABLES 8u /* maximum number of tables that are tried in an image */

/* The meaning of an offset in the table. */
enum doca_priv_apsh_form {
    DOCA_PRIV_APSH_SPLIT,      /* kernels with absolute per-CPU symbols: a negative offset is a
                                * distance from the base, any other offset is an address */
    DOCA_PRIV_APSH_FROM_BASE,  /* distance from the base */
    DOCA_PRIV_APSH_FROM_PLACE, /* distance from the place of the offset */
    DOCA_PRIV_APSH_NUM_FORMS
};

static const char *const doca_priv_apsh_symbols[DOCA_PRIV_APSH_NUM_SYMBOLS] = {
#define DOCA_PRIV_APSH_SYMBOL_ROW(name, symbol) symbol,
    DOCA_PRIV_APSH_SYMBOLS(DOCA_PRIV_APSH_SYMBOL_ROW)
#undef DOCA_PRIV_APSH_SYMBOL_ROW
};

/* Get the length in tokens of the name at *at, and move *at to its first token. 0: not a name. */
static uint32_t doca_priv_apsh_name_len(struct doca_priv_apsh_bytes *bytes, uint64_t *at)
{
    const unsigned char *byte = doca_priv_apsh_bytes_get(bytes, *at, 1);
    uint32_t len;

    if (byte == NULL)
        return 0;
    len = *byte;
    ++*at;
    if (len < 128)
        return len;
    byte = doca_priv_apsh_bytes_get(bytes, *at, 1);
    if (byte == NULL)
        return 0;
    ++*at;
    len = (len & 127) | (uint32_t)*byte << 7;
    return len <= DOCA_PRIV_APSH_NAME_BYTES ? len : 0;
}

/* Write the symbol whose name has `len` tokens. The first character of the name is the type of the
 * symbol, and is left out. Returns the length of the symbol; a symbol that is too long is cut. */
static size_t doca_priv_apsh_expand(const struct doca_priv_apsh_scratch *scratch,
                                    const unsigned char *tokens, uint32_t len,
                                    char name[DOCA_PRIV_APSH_NAME_BYTES])
{
    size_t n = 0, at;
    uint32_t i;

    for (i = 0; i < len && n < DOCA_PRIV_APSH_NAME_BYTES; i++) {
        at = (size_t)scratch->index[2 * tokens[i]] | (size_t)scratch->index[2 * tokens[i] + 1] << 8;
        for (; at < sizeof(scratch->tokens) && scratch->tokens[at] != '\0' &&
               n < DOCA_PRIV_APSH_NAME_BYTES;
             at++)
            name[n++] = (char)scratch->tokens[at];
    }
    if (n == 0)
        return 0;
    memmove(name, name + 1, n - 1);
    return n - 1;
}

/* Store the number of a symbol if the lists need the symbol. */
static void doca_priv_apsh_note(struct doca_priv_apsh_scratch *scratch, const char *name,
                                size_t len, uint32_t number)
{
    size_t i;

    for (i = 0; i < DOCA_PRIV_APSH_NUM_SYMBOLS; i++)
        if (scratch->places[i] == 0 && strlen(doca_priv_apsh_symbols[i]) == len &&
            memcmp(doca_priv_apsh_symbols[i], name, len) == 0)
            scratch->places[i] = number + 1;
}

/* Read the tokens and their index. */
static bool doca_priv_apsh_tokens(struct doca_priv_apsh_kernel *kernel,
                                  struct doca_priv_apsh_scratch *scratch)
{
    const uint64_t end = kernel->image_end - kernel->delta;
    uint64_t len = sizeof(scratch->tokens);

    if (scratch->table.tokens >= end)
        return false;
    if (len > end - scratch->table.tokens)
        len = end - scratch->table.tokens;
    memset(scratch->tokens, 0, sizeof(scratch->tokens));
    return doca_priv_apsh_mem_read(&kernel->mem, scratch->table.tokens, scratch->tokens,
                                   (size_t)len) == DOCA_SUCCESS &&
           doca_priv_apsh_mem_read(&kernel->mem, scratch->table.index, scratch->index,
                                   sizeof(scratch->index)) == DOCA_SUCCESS;
}

/* Return the address of the symbol with this number. */
static uint64_t doca_priv_apsh_address(struct doca_priv_apsh_kernel *kernel,
                                       const struct doca_priv_apsh_table *table, uint32_t number,
                                       enum doca_priv_apsh_form form)
{
    const uint64_t at = table->offsets + (uint64_t)4 * number;
    unsigned char bytes[4];
    uint32_t offset;

    if (doca_priv_apsh_mem_read(&kernel->mem, at, bytes, sizeof(bytes)) != DOCA_SUCCESS)
        return 0;
    offset = doca_priv_apsh_u32(bytes);
    if (form == DOCA_PRIV_APSH_FROM_PLACE)
        return at + kernel->delta + (uint64_t)(int64_t)(int32_t)offset;
    if (form == DOCA_PRIV_APSH_FROM_BASE)
        return table->base + offset;
    return offset >> 31 != 0 ? table->base + ~offset : offset;
}

/* True when the banner is at the address that the table has for the symbol linux_banner: through
 * the page tables, and inside the image. */
static bool doca_priv_apsh_has_banner(struct doca_priv_apsh_kernel *kernel,
                                      const struct doca_priv_apsh_scratch *scratch,
                                      enum doca_priv_apsh_form form)
{
    static const char banner[] = "Linux version ";
    char text[sizeof(banner) - 1];
    uint64_t addr, physical;

    if (scratch->places[DOCA_PRIV_APSH_BANNER] == 0)
        return false;
    addr = doca_priv_apsh_address(kernel, &scratch->table,
                                  scratch->places[DOCA_PRIV_APSH_BANNER] - 1, form);
    return addr >= kernel->image_start && addr < kernel->image_end &&
           doca_priv_apsh_walk(kernel, kernel->root, addr, &physical) == DOCA_SUCCESS &&
           physical == addr - kernel->delta &&
           doca_priv_apsh_mem_read(&kernel->mem, physical, text, sizeof(text)) == DOCA_SUCCESS &&
           memcmp(text, banner, sizeof(text)) == 0;
}

/* Read all names, and set the symbols of the kernel. Returns false when the table is malformed or
 * does not lead to the banner. */
DOCA_PRIV_DECL bool doca_priv_apsh_table_read(struct doca_priv_apsh_kernel *kernel,
                                              struct doca_priv_apsh_scratch *scratch)
{
    const struct doca_priv_apsh_table *table = &scratch->table;
    const uint64_t end = kernel->image_end - kernel->delta;
    char name[DOCA_PRIV_APSH_NAME_BYTES];
    const unsigned char *tokens;
    uint32_t number, len;
    unsigned form;
    uint64_t at = 0;
    size_t i, n;

    memset(scratch->places, 0, sizeof(scratch->places));
    if (table->num > DOCA_PRIV_APSH_MAX_NAMES || table->names >= end ||
        !doca_priv_apsh_tokens(kernel, scratch))
        return false;
    doca_priv_apsh_bytes_begin(&scratch->bytes, &kernel->mem, table->names, end - table->names);
    for (number = 0; number < table->num; number++, at += len) {
        len = doca_priv_apsh_name_len(&scratch->bytes, &at);
        tokens = len > 0 ? doca_priv_apsh_bytes_get(&scratch->bytes, at, len) : NULL;
        if (tokens == NULL)
            return false;
        n = doca_priv_apsh_expand(scratch, tokens, len, name);
        if (!doca_priv_apsh_bytes_spend(&scratch->bytes, n / DOCA_PRIV_APSH_STEP_CHARS))
            return false;
        doca_priv_apsh_note(scratch, name, n, number);
    }
    for (form = 0; form < DOCA_PRIV_APSH_NUM_FORMS; form++)
        if (doca_priv_apsh_has_banner(kernel, scratch, (enum doca_priv_apsh_form)form))
            break;
    if (form == DOCA_PRIV_APSH_NUM_FORMS)
        return false;
    for (i = 0; i < DOCA_PRIV_APSH_NUM_SYMBOLS; i++)
        kernel->symbols[i] = scratch->places[i] == 0
                                 ? 0
                                 : doca_priv_apsh_address(kernel, table, scratch->places[i] - 1,
                                                          (enum doca_priv_apsh_form)form);
    return true;
}

/* Find the beginning of the tokens and their index around the digits at `at`. */
static bool doca_priv_apsh_tokens_around(struct doca_priv_apsh_kernel *kernel,
                                         struct doca_priv_apsh_scratch *scratch, uint64_t at)
{
    const uint64_t start = kernel->image_start - kernel->delta;
    const uint64_t front = at - start < 4096 ? at - start : 4096;
    unsigned char index[512], found[512 + 8];
    size_t first = (size_t)front, n, i;

    scratch->table.tokens = at - front;
    scratch->table.index = start; /* any address: this call does not use the index */
    if (!doca_priv_apsh_tokens(kernel, scratch))
        return false;
    for (i = 0; i < '0' && first > 1; i++) /* skip a token for each character before '0' */
        for (first--; first > 0 && scratch->tokens[first - 1] != '\0';)
            first--;
    for (n = first, i = 0; i < 256; i++) {
        index[2 * i] = (unsigned char)((n - first) & 0xff);
        index[2 * i + 1] = (unsigned char)((n - first) >> 8);
        while (n < sizeof(scratch->tokens) && scratch->tokens[n] != '\0')
            n++;
        if (n++ >= sizeof(scratch->tokens))
            return false;
    }
    scratch->table.tokens += first;
    for (i = 4; i <= 8; i += 4) { /* the index begins at a multiple of 4 or 8 bytes */
        scratch->table.index = (scratch->table.tokens + (n - first) + i - 1) & ~(uint64_t)(i - 1);
        if (doca_priv_apsh_mem_read(&kernel->mem, scratch->table.index, found, 512) ==
                DOCA_SUCCESS &&
            memcmp(found, index, 512) == 0)
            return true;
    }
    return false;
}

/* True when `num` names begin at `names` and end before the tokens, and the markers follow: the
 * offsets of every 256th name, the first of which is 0. */
static bool doca_priv_apsh_names_at(struct doca_priv_apsh_kernel *kernel,
                                    struct doca_priv_apsh_scratch *scratch, uint64_t names,
                                    uint32_t num, uint32_t *steps)
{
    uint64_t at = 0, second = 0, markers;
    unsigned char marks[8];
    uint32_t i, len, align;

    doca_priv_apsh_bytes_begin(&scratch->bytes, &kernel->mem, names, scratch->table.tokens - names);
    for (i = 0; i < num; i++, at += len) {
        second = i == 256 ? at : second;
        len = doca_priv_apsh_name_len(&scratch->bytes, &at);
        if (len == 0 || at + len > scratch->bytes.len || ++*steps > DOCA_PRIV_APSH_NAME_STEPS)
            return false;
    }
    for (align = 4; align <= 8; align += 4) {
        markers = (names + at + align - 1) & ~(uint64_t)(align - 1);
        if (doca_priv_apsh_mem_read(&kernel->mem, markers, marks, sizeof(marks)) == DOCA_SUCCESS &&
            doca_priv_apsh_u32(marks) == 0 && doca_priv_apsh_u32(marks + 4) == second)
            return true;
    }
    return false;
}

/* Find offsets and base: before the number of names at `at`, or after the index of the tokens. A
 * table without a base has its offsets after the index. */
static bool doca_priv_apsh_offsets(struct doca_priv_apsh_kernel *kernel,
                                   struct doca_priv_apsh_scratch *scratch, uint64_t at)
{
    const uint64_t bytes = ((uint64_t)4 * scratch->table.num + 7) & ~(uint64_t)7;
    const uint64_t behind = (scratch->table.index + 512 + 7) & ~(uint64_t)7;
    const uint64_t bases[2] = { at - 8, behind + bytes };
    const uint64_t offsets[2] = { at - 8 - bytes, behind };
    unsigned char base[8];
    unsigned i;

    for (i = 0; i < 2; i++) {
        if (doca_priv_apsh_mem_read(&kernel->mem, bases[i], base, sizeof(base)) != DOCA_SUCCESS)
            continue;
        scratch->table.base = doca_priv_apsh_u64(base);
        scratch->table.offsets = offsets[i];
        if (scratch->table.base >= kernel->image_start && scratch->table.base < kernel->image_end &&
            doca_priv_apsh_table_read(kernel, scratch))
            return true;
    }
    scratch->table.base = 0;
    scratch->table.offsets = scratch->table.index + 512;
    return doca_priv_apsh_table_read(kernel, scratch);
}

/* Search for the names from the tokens downwards, and then for offsets and base. */
static bool doca_priv_apsh_names_before(struct doca_priv_apsh_kernel *kernel,
                                        struct doca_priv_apsh_scratch *scratch)
{
    const uint64_t start = kernel->image_start - kernel->delta;
    uint64_t at = scratch->table.tokens & ~(uint64_t)3, lowest = start + 8;
    unsigned char page[DOCA_PRIV_APSH_PAGE + 4];
    uint64_t from = UINT64_MAX, names;
    uint32_t num, steps = 0;

    if (at - lowest > DOCA_PRIV_APSH_NAMES_BYTES)
        lowest = at - DOCA_PRIV_APSH_NAMES_BYTES;
    for (at -= 8; at >= lowest && steps < DOCA_PRIV_APSH_NAME_STEPS; at -= 4) {
        if (from != (at & ~(uint64_t)(DOCA_PRIV_APSH_PAGE - 1))) {
            from = at & ~(uint64_t)(DOCA_PRIV_APSH_PAGE - 1);
            if (doca_priv_apsh_mem_read(&kernel->mem, from, page, sizeof(page)) != DOCA_SUCCESS)
                return false;
        }
        num = doca_priv_apsh_u32(page + (at - from));
        /* no name begins with a zero: zeros fill up to the next multiple of 8 bytes */
        names = doca_priv_apsh_u32(page + (at - from) + 4) == 0 ? at + 8 : at + 4;
        if (num < DOCA_PRIV_APSH_MIN_NAMES || num > DOCA_PRIV_APSH_MAX_NAMES ||
            !doca_priv_apsh_names_at(kernel, scratch, names, num, &steps))
            continue;
        scratch->table.num = num;
        scratch->table.names = names;
        if (doca_priv_apsh_offsets(kernel, scratch, at))
            return true;
    }
    return false;
}

/* Find the table in the image, and set the symbols of the kernel. */
DOCA_PRIV_DECL bool doca_priv_apsh_table_find(struct doca_priv_apsh_kernel *kernel,
                                              struct doca_priv_apsh_scratch *scratch)
{
    static const char digits[] = "0\0001\0002\0003\0004\0005\0006\0007\0008\0009";
    const uint64_t start = kernel->image_start - kernel->delta;
    const uint64_t len = kernel->image_end - kernel->image_start;
    unsigned char page[DOCA_PRIV_APSH_PAGE];
    unsigned num_tables = 0;
    uint64_t at;
    size_t i;

    /* pages overlap by the length of the digits, so that the digits are never split */
    for (at = 0; at + sizeof(page) <= len; at += sizeof(page) - sizeof(digits)) {
        doca_priv_apsh_bytes_begin(&scratch->bytes, &kernel->mem, start, len);
        if (doca_priv_apsh_bytes_get(&scratch->bytes, at, sizeof(page)) == NULL)
            return false;
        memcpy(page, scratch->bytes.window, sizeof(page));
        for (i = 0; i + sizeof(digits) <= sizeof(page); i++)
            if (page[i] == '0' && memcmp(page + i, digits, sizeof(digits)) == 0 &&
                num_tables < DOCA_PRIV_APSH_MAX_TABLES &&
                doca_priv_apsh_tokens_around(kernel, scratch, start + at + i)) {
                num_tables++;
                if (doca_priv_apsh_names_before(kernel, scratch))
                    return true;
            }
    }
    return false;
}
