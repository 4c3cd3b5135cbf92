/* ---- >>impl.comch.wire ----------------------------------------------------------------------
 * The addresses of servers. The number in an address is a hash of the function and the service.  */
#include "compat/comch/wire_priv.h"

#include "base/compiler.h"
#include "base/types.h"
#include "compat/local/socket_priv.h"

#define DOCA_PRIV_COMCH_PREFIX "doca_core_comch_"

/* Add the bytes of a text and its NUL to a FNV-1a hash. */
static uint64_t doca_priv_comch_hash(uint64_t hash, const char *s)
{
    do {
        hash = (hash ^ (unsigned char)*s) * 0x100000001b3u;
    } while (*s++ != '\0');
    return hash;
}

/* Return the number in the address of a server. */
static uint64_t doca_priv_comch_meeting_number(const char *function_name, const char *service)
{
    return doca_priv_comch_hash(doca_priv_comch_hash(0xcbf29ce484222325u, function_name), service);
}

DOCA_PRIV_DECL int doca_priv_comch_listen(const char *function_name, const char *service,
                                          struct doca_core_refusal *why)
{
    return doca_priv_local_listen(DOCA_PRIV_COMCH_PREFIX,
                                  doca_priv_comch_meeting_number(function_name, service), why);
}

DOCA_PRIV_DECL int doca_priv_comch_dial(const char *function_name, const char *service,
                                        struct doca_core_refusal *why)
{
    return doca_priv_local_dial(DOCA_PRIV_COMCH_PREFIX,
                                doca_priv_comch_meeting_number(function_name, service), why);
}
