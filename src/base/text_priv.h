/* ---- >>priv.text -----------------------------------------------------------------------------
 * Declarations of >>impl.text for other parts.                                                  */
#ifndef DOCA_SRC_BASE_TEXT_PRIV_H
#define DOCA_SRC_BASE_TEXT_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"

#if !defined(DOCA_CORE_NO_SW) || !defined(DOCA_CORE_NO_FAULT)
struct doca_priv_word {
    const char *at;
    size_t len;
};

/* An error in a text, and its position. */
struct doca_priv_flaw {
    doca_error_t code;
    enum doca_core_item item;
    size_t place; /* position in the text, from 1; 0 if the error has no position */
};
#endif

#if !defined(DOCA_CORE_NO_SW) || !defined(DOCA_CORE_NO_FAULT)
DOCA_PRIV_DECL struct doca_priv_word doca_priv_word_cut(struct doca_priv_word *from,
                                                        char separator);
DOCA_PRIV_DECL bool doca_priv_word_is(struct doca_priv_word word, const char *text, size_t len);
DOCA_PRIV_DECL bool doca_priv_word_choose(struct doca_priv_word word, const char *among,
                                          unsigned *choice);
#endif

#endif
