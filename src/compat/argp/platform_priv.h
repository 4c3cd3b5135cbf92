/* ---- >>priv.argp.platform --------------------------------------------------------------------
 * System headers, and the macro that marks functions with a printf format.                      */
#ifndef DOCA_SRC_COMPAT_ARGP_PLATFORM_PRIV_H
#define DOCA_SRC_COMPAT_ARGP_PLATFORM_PRIV_H

#include "compat/argp/config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif
#ifdef DOCA_CORE_ARGP_JSON_C
#include <json-c/json.h>
#endif

#if defined(__GNUC__)
#define DOCA_PRIV_ARGP_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define DOCA_PRIV_ARGP_FORMAT(text, first)
#endif

#endif
