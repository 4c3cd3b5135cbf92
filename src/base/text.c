/* ---- >>impl.text ----------------------------------------------------------------------------
 * Parsing of the texts that describe devices or faults. A function that reads a value removes the
 * characters that it has understood from the front of a word. The value is valid if the word is
 * empty afterwards.                                                                             */
#include "base/text_priv.h"

#include "base/platform_priv.h"

#if !defined(DOCA_CORE_NO_SW) || !defined(DOCA_CORE_NO_FAULT)

/* Cut the bytes before `separator` off the front of `from`, together with the separator, and return
 * them. */
DOCA_PRIV_DECL struct doca_priv_word doca_priv_word_cut(struct doca_priv_word *from, char separator)
{
    struct doca_priv_word word;

    word.at = from->at;
    for (word.len = 0; word.len < from->len && word.at[word.len] != separator; word.len++) {
    }
    from->at += word.len;
    from->len -= word.len;
    if (from->len > 0) {
        from->at++;
        from->len--;
    }
    return word;
}

DOCA_PRIV_DECL bool doca_priv_word_is(struct doca_priv_word word, const char *text, size_t len)
{
    return word.len == len && DOCA_CORE_MEMCMP(word.at, text, len) == 0;
}

/* Find `word` in `among`, a list of words separated by blanks, and store its index in *choice. */
DOCA_PRIV_DECL bool doca_priv_word_choose(struct doca_priv_word word, const char *among,
                                          unsigned *choice)
{
    struct doca_priv_word rest, one;
    unsigned i;

    rest.at = among;
    rest.len = doca_priv_str_len(among);
    for (i = 0; rest.len > 0; i++) {
        one = doca_priv_word_cut(&rest, ' ');
        if (doca_priv_word_is(word, one.at, one.len)) {
            *choice = i;
            return true;
        }
    }
    return false;
}

#endif
