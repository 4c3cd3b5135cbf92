/* The path in /proc to a file descriptor of another process, and the digits in the path.
 *
 * Proven    for every process number and every descriptor number, negative numbers included: the
 *           path, with its NUL, fits DOCA_PRIV_PATH_BYTES, and its two numbers consist of digits.
 *           The enumeration covers the numbers next to powers of two and of ten. Only the
 *           enumeration checks that the digits of the descriptor give the right number.
 * Assumed   nothing
 * cbmc: --unwind 11 --pointer-overflow-check --unwindset proof.0:33 --unsigned-overflow-check */
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
    uint32_t pid = any_number(), fd = any_number(), read = 0;
    char path[DOCA_PRIV_PATH_BYTES];
    size_t len, slashes = 0;

    doca_priv_sys_fd_path(path, pid, (int)fd);
    for (len = 0; len < sizeof(path) && path[len] != '\0'; len++) {
        slashes += path[len] == '/';
        if (slashes == 2 && path[len] != '/')
            PROVE(len < 6 || pid == 0 || (path[len] >= '0' && path[len] <= '9'));
        if (slashes == 4 && path[len] != '/') {
            PROVE(path[len] >= '0' && path[len] <= '9');
            read = PROOF_ENUMERATES ? read * 10 + (uint32_t)(path[len] - '0') : read;
        }
    }
    PROVE(len < sizeof(path) && slashes == 4);
    PROVE(DOCA_CORE_MEMCMP(path, "/proc/", 6) == 0 && path[6] != '/');
    PROVE((path[6] == 't') == (pid == 0));
    PROVE(path[len - 1] != '/' && (!PROOF_ENUMERATES || read == fd));
}
