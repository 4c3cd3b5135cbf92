/* ---- >>impl.platform ------------------------------------------------------------------------
 * Small helpers: digits, strings, spin locks. Code that depends on the compiler is in
 * >>priv.platform, code that depends on the operating system in >>impl.system. Elsewhere,
 * conditional compilation only selects CPU instructions (>>impl.sw.cpu, .simd and .lanes), DPDK
 * (>>impl.bridge.dpdk), and modules.                                                            */
#include "base/platform_priv.h"

#include "base/compiler.h"
#include "base/config.h"

#ifndef DOCA_CORE_STATIC
extern const char DOCA_PRIV_ABI;
const char DOCA_PRIV_ABI = 0; /* the symbol of the link-time check in >>config */
#endif

DOCA_PRIV_DECL int doca_priv_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

DOCA_PRIV_DECL size_t doca_priv_str_len(const char *s)
{
    size_t len = 0;

    while (s[len] != '\0')
        len++;
    return len;
}

DOCA_PRIV_DECL bool doca_priv_str_equal(const char *a, const char *b)
{
    size_t len = doca_priv_str_len(a);

    return len == doca_priv_str_len(b) && DOCA_CORE_MEMCMP(a, b, len) == 0;
}

/* Acquire a spin lock. Locks are held for a few loads and stores, or while a backend lists, opens
 * or closes devices. The library never calls the program while it holds a lock. */
DOCA_PRIV_DECL void doca_priv_lock(uint32_t *lock)
{
    while (!DOCA_PRIV_TRY_LOCK(lock)) {
        while (DOCA_PRIV_LOAD(lock) != 0)
            DOCA_CORE_RELAX();
    }
}

DOCA_PRIV_DECL void doca_priv_unlock(uint32_t *lock)
{
    DOCA_PRIV_STORE(lock, 0u);
}
