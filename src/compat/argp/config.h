/* ---- >>argp.config ---------------------------------------------------------------------------
 * Limits of this header. Define them before the include, with the same value in every file.     */
#ifndef DOCA_SRC_COMPAT_ARGP_CONFIG_H
#define DOCA_SRC_COMPAT_ARGP_CONFIG_H

/* amalgamate: skip */
#include "../../../doca_core.h"

/* Private functions and data that several parts use. The amalgamated header makes them static. */
#undef DOCA_PRIV_DECL /* doca_core.h defines it when the compiler optimizes */
#define DOCA_PRIV_DECL
#define DOCA_PRIV_DATA extern
/* amalgamate: end */

#include <stdarg.h>

/* Maximum number of flags of a program at one time. */
#ifndef DOCA_CORE_ARGP_MAX_PARAMS
#define DOCA_CORE_ARGP_MAX_PARAMS 64
#endif

/* Maximum number of commands of a program at one time. */
#ifndef DOCA_CORE_ARGP_MAX_CMDS
#define DOCA_CORE_ARGP_MAX_CMDS 32
#endif

/* Maximum number of values and commands in one command line and JSON file. */
#ifndef DOCA_CORE_ARGP_MAX_VALUES
#define DOCA_CORE_ARGP_MAX_VALUES 256
#endif

/* Space in bytes for all names, descriptions and arguments that are set between init and
 * destroy. */
#ifndef DOCA_CORE_ARGP_TEXT_BYTES
#define DOCA_CORE_ARGP_TEXT_BYTES 32768
#endif

/* Maximum size of a JSON file in bytes. */
#ifndef DOCA_CORE_ARGP_JSON_BYTES
#define DOCA_CORE_ARGP_JSON_BYTES 65536
#endif

/* EAL flags of a JSON file: maximum number of words, and space in bytes for all words. */
#ifndef DOCA_CORE_ARGP_EAL_WORDS
#define DOCA_CORE_ARGP_EAL_WORDS 64
#endif
#ifndef DOCA_CORE_ARGP_EAL_BYTES
#define DOCA_CORE_ARGP_EAL_BYTES 4096
#endif

/* DOCA_CORE_ARGP_JSON_C: define it before the implementation to read keys and values of JSON
 * files with json-c (Debian: libjson-c-dev, link with -ljson-c). The reasons in error messages
 * are then those of json-c. json-c allocates heap memory; all of it is freed before the first
 * callback is called. Without the macro, a strict reader in this header does the same without
 * json-c. */

#endif
