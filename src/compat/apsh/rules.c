/* ---- >>impl.apsh.rules -----------------------------------------------------------------------
 * The rules of scans, and the calls of libyara. The texts of the rules are this project's own: the
 * vendor does not publish its rules. libyara counts its initializations without a lock, so this
 * file holds a mutex when it initializes or finalizes libyara.                                  */
#include "compat/apsh/rules_priv.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"

#ifdef DOCA_CORE_APSH_YARA

/* Name and text of each rule, in the order of enum doca_apsh_yara_rule. */
static const struct {
    const char *name, *text;
} doca_priv_apsh_rule_texts[DOCA_PRIV_APSH_RULES] = {
    { "Hello_World", "rule Hello_World {"
                     " strings: $text = \"Hello World\" ascii wide"
                     " condition: $text }" },
    { "Reflective_Dll_Injection", "rule Reflective_Dll_Injection {"
                                  " strings: $export = \"ReflectiveLoader\" ascii"
                                  " condition: $export }" },
    { "Mimikatz", "rule Mimikatz {"
                  " strings:"
                  " $author = \"gentilkiwi\" ascii wide nocase"
                  " $logon = \"sekurlsa::\" ascii wide nocase"
                  " $dump = \"lsadump::\" ascii wide nocase"
                  " $debug = \"privilege::debug\" ascii wide nocase"
                  " $name = \"mimikatz\" ascii wide nocase"
                  " $module = \"sekurlsa\" ascii wide nocase"
                  " $source = \"kuhl_m_\" ascii wide"
                  " condition: $author or $logon or $dump or $debug or"
                  " ($name and ($module or $source)) }" },
};

static pthread_mutex_t doca_priv_apsh_rules_mutex = PTHREAD_MUTEX_INITIALIZER;

DOCA_PRIV_DECL const char *doca_priv_apsh_rules_name(uint32_t rule)
{
    return doca_priv_apsh_rule_texts[rule].name;
}

/* Report an error of libyara. */
static doca_error_t doca_priv_apsh_rules_fail(int error, const char *step, const char *function)
{
    struct doca_core_refusal why;

    memset(&why, 0, sizeof(why));
    why.step = step;
    if (error != ERROR_INSUFFICIENT_MEMORY)
        return doca_core_backend_refuse(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_YARA,
                                        function, NULL, &why);
    why.hint = "the heap, from which libyara takes its memory, is exhausted";
    return doca_core_backend_refuse(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_APSH_YARA, function, NULL,
                                    &why);
}

/* Initialize or finalize libyara. Returns its error. */
static int doca_priv_apsh_rules_use(bool is_begin)
{
    int error;

    (void)pthread_mutex_lock(&doca_priv_apsh_rules_mutex);
    error = is_begin ? yr_initialize() : yr_finalize();
    (void)pthread_mutex_unlock(&doca_priv_apsh_rules_mutex);
    return error;
}

/* libyara calls this for each rule that matches. */
static int doca_priv_apsh_rules_match(YR_SCAN_CONTEXT *context, int message, void *data,
                                      void *user)
{
    struct doca_priv_apsh_rules *rules = (struct doca_priv_apsh_rules *)user;
    uint32_t i;

    (void)context;
    if (message != CALLBACK_MSG_RULE_MATCHING)
        return CALLBACK_CONTINUE;
    for (i = 0; i < DOCA_PRIV_APSH_RULES; i++)
        if (strcmp(((const YR_RULE *)data)->identifier, doca_priv_apsh_rules_name(i)) == 0)
            rules->found |= 1u << i;
    return CALLBACK_CONTINUE;
}

/* Compile the wanted rules. */
static int doca_priv_apsh_rules_compile(struct doca_priv_apsh_rules *rules, uint32_t wanted)
{
    YR_COMPILER *compiler = NULL;
    int error = yr_compiler_create(&compiler);
    uint32_t i;

    if (error != ERROR_SUCCESS)
        return error;
    for (i = 0; i < DOCA_PRIV_APSH_RULES && error == ERROR_SUCCESS; i++)
        if ((wanted & 1u << i) != 0 &&
            yr_compiler_add_string(compiler, doca_priv_apsh_rule_texts[i].text, NULL) != 0)
            error = compiler->last_error;
    if (error == ERROR_SUCCESS)
        error = yr_compiler_get_rules(compiler, &rules->rules);
    yr_compiler_destroy(compiler);
    return error;
}

/* Initialize libyara, compile a set of rules, and make a scanner. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_rules_open(struct doca_priv_apsh_rules *rules,
                                                      uint32_t wanted, const char *function)
{
    int error;

    memset(rules, 0, sizeof(*rules));
    error = doca_priv_apsh_rules_use(true);
    if (error != ERROR_SUCCESS)
        return doca_priv_apsh_rules_fail(error, "initialize libyara", function);
    rules->is_open = true;
    error = doca_priv_apsh_rules_compile(rules, wanted);
    if (error == ERROR_SUCCESS)
        error = yr_scanner_create(rules->rules, &rules->scanner);
    if (error != ERROR_SUCCESS) {
        doca_priv_apsh_rules_close(rules);
        return doca_priv_apsh_rules_fail(error, "compile the rules", function);
    }
    /* The bytes are memory of this program, so libyara needs no handler for bus errors. */
    yr_scanner_set_flags(rules->scanner, SCAN_FLAGS_REPORT_RULES_MATCHING | SCAN_FLAGS_FAST_MODE |
                                             SCAN_FLAGS_NO_TRYCATCH);
    yr_scanner_set_callback(rules->scanner, doca_priv_apsh_rules_match, rules);
    return DOCA_SUCCESS;
}

/* Set rules->found to the rules that match `len` bytes. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_rules_apply(struct doca_priv_apsh_rules *rules,
                                                       const unsigned char *bytes, size_t len,
                                                       const char *function)
{
    int error;

    rules->found = 0;
    error = yr_scanner_scan_mem(rules->scanner, bytes, len);
    return error == ERROR_SUCCESS ? DOCA_SUCCESS
                                  : doca_priv_apsh_rules_fail(error, "scan a window", function);
}

DOCA_PRIV_DECL void doca_priv_apsh_rules_close(struct doca_priv_apsh_rules *rules)
{
    if (rules->scanner != NULL)
        yr_scanner_destroy(rules->scanner);
    if (rules->rules != NULL)
        (void)yr_rules_destroy(rules->rules);
    if (rules->is_open)
        (void)doca_priv_apsh_rules_use(false);
    memset(rules, 0, sizeof(*rules));
}

#endif
