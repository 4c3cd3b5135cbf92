/* Decodes and completes loads and stores of operation addresses. */
#define _GNU_SOURCE
#include "program/access.h"
#include "program/operand.h"

#include <string.h>

#if defined(__x86_64__)

enum {
    FLAG_C = 0x1, FLAG_P = 0x4, FLAG_A = 0x10, FLAG_Z = 0x40, FLAG_S = 0x80, FLAG_O = 0x800,
    ALL_FLAGS = FLAG_C | FLAG_P | FLAG_A | FLAG_Z | FLAG_S | FLAG_O
};

/* An instruction while it is decoded. */
struct decoding {
    const unsigned char *op;    /* the last byte of the opcode */
    bool has_operand_size;      /* prefix 66: words */
    unsigned rex;
    unsigned operand;           /* bytes of ModRM, SIB and displacement */
    unsigned reg;               /* register number in ModRM */
};

/* Returns the address of a byte register in the context. */
static unsigned char *byte_register(const ucontext_t *uc, unsigned reg, bool has_rex)
{
    bool is_high = !has_rex && reg >= 4;
    const greg_t *whole = &uc->uc_mcontext.gregs[operand_register[is_high ? reg - 4 : reg]];

    return (unsigned char *)(uintptr_t)whole + is_high;
}

static uint64_t read_register(const ucontext_t *uc, unsigned reg, unsigned bytes, bool has_rex)
{
    uint64_t value = 0;

    if (bytes == 1)
        return *byte_register(uc, reg, has_rex);
    memcpy(&value, &uc->uc_mcontext.gregs[operand_register[reg]], bytes);
    return value;
}

static unsigned word_bytes(const struct decoding *in)
{
    return (in->rex & 8) != 0 ? 8 : in->has_operand_size ? 2 : 4;
}

static bool decode_store(const ucontext_t *uc, const struct decoding *in, struct access *out)
{
    const unsigned char *immediate = in->op + 1 + in->operand;
    int32_t value = 0;

    out->is_store = true;
    out->bytes = (*in->op & 1) == 0 ? 1 : word_bytes(in);
    if (*in->op == 0x88 || *in->op == 0x89) {           /* mov from a register */
        out->value = read_register(uc, in->reg, out->bytes, out->has_rex);
        return true;
    }
    if ((in->reg & 7) != 0)                             /* c6, c7: mov of an immediate */
        return false;
    if (out->bytes == 1) {
        out->value = *immediate;
        out->length++;
        return true;
    }
    memcpy(&value, immediate, out->bytes == 2 ? 2 : 4);
    out->value = (uint64_t)(int64_t)value;
    out->length += out->bytes == 2 ? 2 : 4;
    return true;
}

/* Decodes a comparison or a test of a byte. */
static bool decode_comparison(const ucontext_t *uc, const struct decoding *in, struct access *out)
{
    bool has_immediate = *in->op == 0x80 || *in->op == 0xf6;

    out->bytes = 1;
    out->use = *in->op == 0x84 || *in->op == 0xf6 ? ACCESS_TEST
             : *in->op == 0x3a ? ACCESS_COMPARE_REVERSED : ACCESS_COMPARE;
    if ((*in->op == 0x80 && (in->reg & 7) != 7) || (*in->op == 0xf6 && (in->reg & 7) > 1))
        return false;
    out->length += has_immediate;
    out->value = has_immediate ? in->op[1 + in->operand]
                               : read_register(uc, in->reg, 1, out->has_rex);
    return true;
}

/* Decodes an instruction without the prefix 0f. */
static bool decode_one_byte(const ucontext_t *uc, const struct decoding *in, struct access *out)
{
    switch (*in->op) {
    case 0x88: case 0x89: case 0xc6: case 0xc7:
        return decode_store(uc, in, out);
    case 0x8a: case 0x8b:                               /* mov to a register */
        out->bytes = *in->op == 0x8a ? 1 : word_bytes(in);
        out->target_bytes = out->bytes;
        return true;
    case 0x63:                                          /* movsxd */
        out->bytes = 4;
        out->target_bytes = word_bytes(in);
        out->use = ACCESS_MOVE_SIGNED;
        return out->target_bytes == 8;
    case 0x38: case 0x3a: case 0x80: case 0x84: case 0xf6:
        return decode_comparison(uc, in, out);
    default:
        return false;
    }
}

/* Decodes an instruction with the prefix 0f. */
static bool decode_two_bytes(const ucontext_t *uc, const struct decoding *in, struct access *out)
{
    out->target_bytes = word_bytes(in);
    switch (*in->op) {
    case 0xb6: case 0xb7:                               /* movzx */
        out->bytes = *in->op == 0xb6 ? 1 : 2;
        return true;
    case 0xbe: case 0xbf:                               /* movsx */
        out->bytes = *in->op == 0xbe ? 1 : 2;
        out->use = ACCESS_MOVE_SIGNED;
        return true;
    case 0xc3:                                          /* movnti */
        out->is_store = true;
        out->bytes = word_bytes(in);
        out->value = read_register(uc, in->reg, out->bytes, true);
        return out->bytes != 2;
    default:
        return false;
    }
}

bool access_decode(const ucontext_t *uc, struct access *out)
{
    const unsigned char *start = (const unsigned char *)uc->uc_mcontext.gregs[REG_RIP];
    struct decoding in = {.op = start};
    bool is_long;

    *out = (struct access){.use = ACCESS_MOVE};
    if (*in.op == 0x66) {
        in.has_operand_size = true;
        in.op++;
    }
    if ((*in.op & 0xf0) == 0x40) {
        in.rex = *in.op++;
        out->has_rex = true;
    }
    is_long = *in.op == 0x0f;
    in.op += is_long;
    in.operand = operand_length(in.op + 1);
    if (in.operand == 0)
        return false;
    in.reg = ((in.op[1] >> 3) & 7) | ((in.rex & 4) << 1);
    out->target = in.reg;
    out->length = (unsigned)(in.op + 1 - start) + in.operand;
    return is_long ? decode_two_bytes(uc, &in, out) : decode_one_byte(uc, &in, out);
}

/* Sets the flags as the comparison of two bytes does. */
static void compare(ucontext_t *uc, unsigned char left, unsigned char right, bool is_test)
{
    unsigned char result = (unsigned char)(is_test ? left & right : left - right);
    greg_t *flags = &uc->uc_mcontext.gregs[REG_EFL];

    *flags &= ~(greg_t)ALL_FLAGS;
    *flags |= (result == 0 ? FLAG_Z : 0) | ((result & 0x80) != 0 ? FLAG_S : 0) |
              (__builtin_parity(result) == 0 ? FLAG_P : 0);
    if (is_test)
        return;
    *flags |= (left < right ? FLAG_C : 0) | (((left ^ right ^ result) & 0x10) != 0 ? FLAG_A : 0) |
              (((left ^ right) & (left ^ result) & 0x80) != 0 ? FLAG_O : 0);
}

static void load_register(ucontext_t *uc, const struct access *access, uint64_t value)
{
    greg_t *whole = &uc->uc_mcontext.gregs[operand_register[access->target]];
    unsigned unused = 64 - 8 * access->bytes;

    if (access->use == ACCESS_MOVE_SIGNED)
        value = (uint64_t)((int64_t)(value << unused) >> unused);
    if (access->target_bytes == 1)
        *byte_register(uc, access->target, access->has_rex) = (unsigned char)value;
    else if (access->target_bytes == 4)
        *whole = (greg_t)(uint32_t)value;       /* the upper half becomes 0 */
    else
        memcpy(whole, &value, access->target_bytes);
}

void access_complete(ucontext_t *uc, const struct access *access, uint64_t value)
{
    unsigned char loaded = (unsigned char)value, operand = (unsigned char)access->value;

    uc->uc_mcontext.gregs[REG_RIP] += access->length;
    if (access->is_store)
        return;
    if (access->use == ACCESS_MOVE || access->use == ACCESS_MOVE_SIGNED)
        load_register(uc, access, access->bytes == 8 ? value
                                                     : value & ((1ull << 8 * access->bytes) - 1));
    else if (access->use == ACCESS_COMPARE_REVERSED)
        compare(uc, operand, loaded, false);
    else
        compare(uc, loaded, operand, access->use == ACCESS_TEST);
}

#else

bool access_decode(const ucontext_t *uc, struct access *out)
{
    (void)uc;
    (void)out;
    return false;
}

void access_complete(ucontext_t *uc, const struct access *access, uint64_t value)
{
    (void)uc;
    (void)access;
    (void)value;
}

#endif
