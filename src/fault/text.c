/* ---- >>impl.fault.text ----------------------------------------------------------------------
 * Reads the text of fault injection into a plan.                                                */
#include "fault/text_priv.h"

#include "base/clock_priv.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/text_priv.h"
#include "fault/fault.h"

/* The actions, in the order of the enum. */
DOCA_PRIV_DECL const struct doca_priv_fault_action
    doca_priv_fault_actions[DOCA_PRIV_FAULT_ACTIONS] = {
    { "fail", DOCA_CORE_ITEM_FAULT_FAIL, false, false },
    { "again", DOCA_CORE_ITEM_FAULT_AGAIN, false, false },
    { "lose", DOCA_CORE_ITEM_FAULT_LOSE, false, false },
    { "delay", DOCA_CORE_ITEM_FAULT_DELAY, true, true },
    { "reorder", DOCA_CORE_ITEM_FAULT_REORDER, true, false },
    { "hold", DOCA_CORE_ITEM_FAULT_HOLD, false, false },
    { "truncate", DOCA_CORE_ITEM_FAULT_TRUNCATE, true, true },
    { "flip", DOCA_CORE_ITEM_FAULT_FLIP, true, false },
};

DOCA_PRIV_DECL const struct doca_priv_fault_op doca_priv_fault_ops[DOCA_PRIV_FAULT_OPS] = {
    { "dev.open", DOCA_PRIV_FAULT_REFUSE },
    { "dev.pd", DOCA_PRIV_FAULT_REFUSE },
    { "dev.reps", DOCA_PRIV_FAULT_BIT(FAIL) },
    { "mem.reg", DOCA_PRIV_FAULT_ANSWER },
    { "mem.export", DOCA_PRIV_FAULT_ANSWER },
    { "mem.import", DOCA_PRIV_FAULT_ANSWER },
    { "mem.alloc", DOCA_PRIV_FAULT_ANSWER },
    { "mem.copy", DOCA_PRIV_FAULT_ANSWER },
    { "arr.start", DOCA_PRIV_FAULT_ANSWER },
    { "dma.open", DOCA_PRIV_FAULT_ANSWER | DOCA_PRIV_FAULT_BIT(DELAY) },
    { "dma.submit", DOCA_PRIV_FAULT_ANSWER | DOCA_PRIV_FAULT_BIT(TRUNCATE) },
    { "dma.complete", DOCA_PRIV_FAULT_LATER | DOCA_PRIV_FAULT_BIT(FLIP) },
    { "dma.flush", DOCA_PRIV_FAULT_BIT(DELAY) },
    { "sha.open", DOCA_PRIV_FAULT_ANSWER | DOCA_PRIV_FAULT_BIT(DELAY) },
    { "sha.submit", DOCA_PRIV_FAULT_ANSWER | DOCA_PRIV_FAULT_BIT(TRUNCATE) },
    { "sha.complete", DOCA_PRIV_FAULT_LATER | DOCA_PRIV_FAULT_BIT(FLIP) },
    { "sha.flush", DOCA_PRIV_FAULT_BIT(DELAY) },
    { "event.open", DOCA_PRIV_FAULT_ANSWER | DOCA_PRIV_FAULT_BIT(DELAY) },
    { "event.submit", DOCA_PRIV_FAULT_ANSWER },
    { "event.complete", DOCA_PRIV_FAULT_LATER },
    { "event.flush", DOCA_PRIV_FAULT_BIT(DELAY) },
    { "advise.open", DOCA_PRIV_FAULT_ANSWER | DOCA_PRIV_FAULT_BIT(DELAY) },
    { "advise.submit", DOCA_PRIV_FAULT_ANSWER },
    { "advise.complete", DOCA_PRIV_FAULT_LATER },
    { "advise.flush", DOCA_PRIV_FAULT_BIT(DELAY) },
    { "comch.open", DOCA_PRIV_FAULT_ANSWER | DOCA_PRIV_FAULT_BIT(DELAY) },
    { "comch.submit", DOCA_PRIV_FAULT_ANSWER },
    { "comch.complete", DOCA_PRIV_FAULT_LATER },
    { "comch.flush", DOCA_PRIV_FAULT_BIT(DELAY) },
    { "producer.open", DOCA_PRIV_FAULT_ANSWER | DOCA_PRIV_FAULT_BIT(DELAY) },
    { "producer.submit", DOCA_PRIV_FAULT_ANSWER },
    { "producer.complete", DOCA_PRIV_FAULT_LATER },
    { "producer.flush", DOCA_PRIV_FAULT_BIT(DELAY) },
    { "consumer.open", DOCA_PRIV_FAULT_ANSWER | DOCA_PRIV_FAULT_BIT(DELAY) },
    { "consumer.submit", DOCA_PRIV_FAULT_ANSWER },
    { "consumer.complete", DOCA_PRIV_FAULT_LATER },
    { "consumer.flush", DOCA_PRIV_FAULT_BIT(DELAY) },
    { "rdma.open", DOCA_PRIV_FAULT_ANSWER | DOCA_PRIV_FAULT_BIT(DELAY) },
    { "rdma.submit", DOCA_PRIV_FAULT_ANSWER },
    { "rdma.complete", DOCA_PRIV_FAULT_LATER },
    { "rdma.flush", DOCA_PRIV_FAULT_BIT(DELAY) },
    { "comch.connect", DOCA_PRIV_FAULT_ANSWER },
    { "rdma.connect", DOCA_PRIV_FAULT_ANSWER },
    { "rdma.export", DOCA_PRIV_FAULT_ANSWER },
    { "rdma.listen", DOCA_PRIV_FAULT_ANSWER },
    { "rdma.connect_to_addr", DOCA_PRIV_FAULT_ANSWER },
    { "rdma.accept", DOCA_PRIV_FAULT_ANSWER },
    { "rdma.reject", DOCA_PRIV_FAULT_ANSWER },
    { "rdma.disconnect", DOCA_PRIV_FAULT_ANSWER },
    { "comm_channel.sendto", DOCA_PRIV_FAULT_ANSWER },
    { "comm_channel.recvfrom", DOCA_PRIV_FAULT_ANSWER },
    { "rdma_receive.submit", DOCA_PRIV_FAULT_ANSWER },
    { "rdma_receive.complete", DOCA_PRIV_FAULT_LATER },
    { "rdma_send.submit", DOCA_PRIV_FAULT_ANSWER },
    { "rdma_send.complete", DOCA_PRIV_FAULT_LATER },
    { "rdma_send_imm.submit", DOCA_PRIV_FAULT_ANSWER },
    { "rdma_send_imm.complete", DOCA_PRIV_FAULT_LATER },
    { "rdma_read.submit", DOCA_PRIV_FAULT_ANSWER },
    { "rdma_read.complete", DOCA_PRIV_FAULT_LATER },
    { "rdma_write.submit", DOCA_PRIV_FAULT_ANSWER },
    { "rdma_write.complete", DOCA_PRIV_FAULT_LATER },
    { "rdma_write_imm.submit", DOCA_PRIV_FAULT_ANSWER },
    { "rdma_write_imm.complete", DOCA_PRIV_FAULT_LATER },
    { "rdma_atomic_cmp_swp.submit", DOCA_PRIV_FAULT_ANSWER },
    { "rdma_atomic_cmp_swp.complete", DOCA_PRIV_FAULT_LATER },
    { "rdma_atomic_fetch_add.submit", DOCA_PRIV_FAULT_ANSWER },
    { "rdma_atomic_fetch_add.complete", DOCA_PRIV_FAULT_LATER },
    { "rdma_remote_net_sync_event_get.submit", DOCA_PRIV_FAULT_ANSWER },
    { "rdma_remote_net_sync_event_get.complete", DOCA_PRIV_FAULT_LATER },
    { "rdma_remote_net_sync_event_notify_set.submit", DOCA_PRIV_FAULT_ANSWER },
    { "rdma_remote_net_sync_event_notify_set.complete", DOCA_PRIV_FAULT_LATER },
    { "rdma_remote_net_sync_event_notify_add.submit", DOCA_PRIV_FAULT_ANSWER },
    { "rdma_remote_net_sync_event_notify_add.complete", DOCA_PRIV_FAULT_LATER },
};

/* True when the rule is for this operation. */
DOCA_PRIV_DECL bool doca_priv_fault_rule_has(const struct doca_priv_fault_rule *rule, unsigned op)
{
    return (rule->ops[op / 64] >> op % 64 & 1) != 0;
}

/* Cut letters and '_' off the front: the name of an action or unit or, in capitals, the name of an
 * error. */
static struct doca_priv_word doca_priv_fault_name(struct doca_priv_word *from)
{
    struct doca_priv_word word;

    word.at = from->at;
    word.len = 0;
    while (word.len < from->len && (word.at[word.len] == '_' ||
                                    (word.at[word.len] >= 'a' && word.at[word.len] <= 'z') ||
                                    (word.at[word.len] >= 'A' && word.at[word.len] <= 'Z')))
        word.len++;
    from->at += word.len;
    from->len -= word.len;
    return word;
}

/* Cut the character `c` off the front. Returns false when the text begins differently. */
static bool doca_priv_fault_cut(struct doca_priv_word *from, char c)
{
    if (from->len == 0 || *from->at != c)
        return false;
    from->at++;
    from->len--;
    return true;
}

/* Cut a decimal number off the front. Returns false when there is no digit, or the number is above
 * `max`. */
static bool doca_priv_fault_number(struct doca_priv_word *from, uint64_t max, uint64_t *value)
{
    bool has_digits = false;
    unsigned digit;

    for (*value = 0; from->len > 0 && *from->at >= '0' && *from->at <= '9';
         from->at++, from->len--) {
        digit = (unsigned)(*from->at - '0');
        if (digit > max || *value > (max - digit) / 10)
            return false;
        *value = *value * 10 + digit;
        has_digits = true;
    }
    return has_digits;
}

/* Remove a percentage from the front of a word: above 0, at most 100, with up to 3 decimals. */
static bool doca_priv_fault_percent(struct doca_priv_word *from, uint32_t *chance)
{
    uint64_t value, part = 0;
    size_t digits = 0;

    if (!doca_priv_fault_number(from, 100, &value))
        return false;
    if (doca_priv_fault_cut(from, '.')) {
        digits = from->len;
        if (!doca_priv_fault_number(from, 999, &part))
            return false;
        digits -= from->len;
    }
    for (; digits < 3; digits++)
        part *= 10;
    value = value * 1000 + part;
    *chance = (uint32_t)value;
    return digits == 3 && value > 0 && value <= DOCA_PRIV_FAULT_CHANCE;
}

/* True when half of an operation's name matches half of a pattern. */
static bool doca_priv_fault_matches(struct doca_priv_word pattern, struct doca_priv_word half)
{
    return doca_priv_word_is(pattern, "*", 1) || doca_priv_word_is(pattern, half.at, half.len);
}

/* Let the rule be for the operations that a pattern matches, and return the actions that at least
 * one of them has. */
static unsigned doca_priv_fault_find_ops(struct doca_priv_word pattern,
                                         struct doca_priv_fault_rule *rule)
{
    bool is_any = doca_priv_word_is(pattern, "*", 1);
    struct doca_priv_word kind = doca_priv_word_cut(&pattern, '.'), name, half;
    unsigned actions = 0, i;

    for (i = 0; i < DOCA_PRIV_FAULT_OPS; i++) {
        name.at = doca_priv_fault_ops[i].name;
        name.len = doca_priv_str_len(name.at);
        half = doca_priv_word_cut(&name, '.');
        if (is_any || (doca_priv_fault_matches(kind, half) &&
                       doca_priv_fault_matches(pattern, name))) {
            rule->ops[i / 64] |= (uint64_t)1 << i % 64;
            actions |= doca_priv_fault_ops[i].actions;
        }
    }
    return actions;
}

/* Return the error with this name, which is given without "DOCA_ERROR_". SUCCESS: there is no such
 * error, or an operation cannot return it. */
static doca_error_t doca_priv_fault_find_code(struct doca_priv_word name)
{
    const char *full;
    unsigned code;

    for (code = DOCA_ERROR_UNKNOWN; code <= DOCA_ERROR_DEVICE_FATAL_ERROR; code++) {
        full = doca_error_get_name((doca_error_t)code) + sizeof("DOCA_ERROR_") - 1;
        if (code != DOCA_ERROR_IN_PROGRESS &&
            doca_priv_word_is(name, full, doca_priv_str_len(full)))
            return (doca_error_t)code;
    }
    return DOCA_SUCCESS;
}

/* Read the code, number or time after ':'. */
static bool doca_priv_fault_read_amount(struct doca_priv_word *text,
                                        struct doca_priv_fault_rule *rule)
{
    static const uint32_t scales[] = { 1, 1000, 1000000, 1000000000 };
    struct doca_priv_word unit;
    doca_error_t code;
    unsigned i;

    if (rule->action == DOCA_PRIV_FAULT_FAIL) {
        code = doca_priv_fault_find_code(doca_priv_fault_name(text));
        rule->code = (uint8_t)code;
        return code != DOCA_SUCCESS;
    }
    if (!doca_priv_fault_actions[rule->action].has_amount ||
        !doca_priv_fault_number(text, rule->action == DOCA_PRIV_FAULT_REORDER ? INT32_MAX
                                                                              : UINT32_MAX,
                                &rule->amount) ||
        (rule->action == DOCA_PRIV_FAULT_FLIP && rule->amount == 0))
        return false;
    unit = doca_priv_fault_name(text);
    if (unit.len == 0)
        return true;
    if (rule->action != DOCA_PRIV_FAULT_DELAY || !doca_priv_sys_has_clock ||
        !doca_priv_word_choose(unit, "ns us ms s", &i))
        return false;
    rule->is_time = true;
    rule->amount *= scales[i];
    return true;
}

/* Read the condition of a rule, if it has one. */
static bool doca_priv_fault_read_when(struct doca_priv_word *text,
                                      struct doca_priv_fault_rule *rule)
{
    rule->first = 1;
    rule->last = UINT64_MAX;
    if (doca_priv_fault_cut(text, '%'))
        return doca_priv_fault_percent(text, &rule->chance);
    if (doca_priv_fault_cut(text, '@')) {
        if (!doca_priv_fault_number(text, UINT64_MAX, &rule->first) || rule->first == 0)
            return false;
        if (!doca_priv_fault_cut(text, '+'))
            rule->last = rule->first;
    }
    return true;
}

/* Read a rule: OPERATION=ACTION and its condition. On an error, *text begins at the place of the
 * error. */
static enum doca_core_item doca_priv_fault_read_rule(struct doca_priv_word name,
                                                     struct doca_priv_word *text,
                                                     struct doca_priv_fault_rule *rule)
{
    unsigned actions, action = 0, i;
    struct doca_priv_word begin, word;

    DOCA_CORE_MEMSET(rule, 0, sizeof(*rule));
    actions = doca_priv_fault_find_ops(name, rule);
    if (actions == 0) {
        *text = name;
        return DOCA_CORE_ITEM_FAULT_OPERATION;
    }
    begin = *text;
    word = doca_priv_fault_name(text);
    while (action < DOCA_PRIV_FAULT_ACTIONS &&
           !doca_priv_word_is(word, doca_priv_fault_actions[action].name,
                              doca_priv_str_len(doca_priv_fault_actions[action].name)))
        action++;
    if (action == DOCA_PRIV_FAULT_ACTIONS || (actions >> action & 1) == 0) {
        *text = begin;
        return DOCA_CORE_ITEM_FAULT_ACTION;
    }
    for (i = 0; i < DOCA_PRIV_FAULT_OPS; i++)
        if ((doca_priv_fault_ops[i].actions >> action & 1) == 0)
            rule->ops[i / 64] &= ~((uint64_t)1 << i % 64);
    rule->action = (uint8_t)action;
    rule->amount = 1;
    rule->code = action == DOCA_PRIV_FAULT_FAIL    ? DOCA_ERROR_IO_FAILED
                 : action == DOCA_PRIV_FAULT_AGAIN ? DOCA_ERROR_AGAIN
                 : action == DOCA_PRIV_FAULT_LOSE  ? DOCA_ERROR_DRIVER
                                                   : DOCA_SUCCESS;
    begin = *text;
    if (doca_priv_fault_cut(text, ':')
            ? !doca_priv_fault_read_amount(text, rule)
            : doca_priv_fault_actions[action].needs_amount) {
        *text = begin;
        return DOCA_CORE_ITEM_FAULT_VALUE;
    }
    begin = *text;
    if (!doca_priv_fault_read_when(text, rule)) {
        *text = begin;
        return DOCA_CORE_ITEM_FAULT_VALUE;
    }
    return DOCA_CORE_ITEM_NONE;
}

/* Read an element of the list, with or without blanks around it. Further characters at its end are
 * an error. On an error, *text begins at the place of the error. */
static enum doca_core_item doca_priv_fault_read_item(struct doca_priv_word *text,
                                                     struct doca_priv_fault_plan *plan)
{
    enum doca_core_item item = DOCA_CORE_ITEM_FAULT_VALUE;
    struct doca_priv_word name;
    uint64_t value;

    while (doca_priv_fault_cut(text, ' ')) {
    }
    while (text->len > 0 && text->at[text->len - 1] == ' ')
        text->len--;
    name = doca_priv_word_cut(text, '=');
    if (doca_priv_word_is(name, "seed", 4)) {
        if (doca_priv_fault_number(text, UINT64_MAX, &plan->seed))
            item = DOCA_CORE_ITEM_NONE;
    } else if (doca_priv_word_is(name, "log", 3)) {
        if (doca_priv_fault_number(text, 1, &value)) {
            plan->logs = value != 0;
            item = DOCA_CORE_ITEM_NONE;
        }
    } else if (plan->num_rules == DOCA_CORE_FAULT_MAX_RULES) {
        *text = name;
        item = DOCA_CORE_ITEM_FAULT_TOO_MANY;
    } else {
        item = doca_priv_fault_read_rule(name, text, &plan->rules[plan->num_rules]);
        plan->num_rules += item == DOCA_CORE_ITEM_NONE;
    }
    return item == DOCA_CORE_ITEM_NONE && text->len > 0 ? DOCA_CORE_ITEM_FAULT_VALUE : item;
}

/* Read a text into a plan. Returns false when it is malformed, with the reason in *flaw. */
DOCA_PRIV_DECL bool doca_priv_fault_read(const char *text, struct doca_priv_fault_plan *plan,
                                         struct doca_priv_flaw *flaw)
{
    struct doca_priv_word rest, one;
    bool has_more;

    DOCA_CORE_MEMSET(plan, 0, sizeof(*plan));
    plan->seed = 1;
    plan->logs = true;
    rest.at = text;
    rest.len = doca_priv_str_len(text);
    has_more = rest.len > 0;
    while (has_more) {
        one = doca_priv_word_cut(&rest, ',');
        has_more = one.at + one.len < rest.at; /* the element ended with a ',' */
        flaw->item = doca_priv_fault_read_item(&one, plan);
        if (flaw->item != DOCA_CORE_ITEM_NONE) {
            flaw->code = flaw->item == DOCA_CORE_ITEM_FAULT_TOO_MANY ? DOCA_ERROR_TOO_BIG
                                                                     : DOCA_ERROR_INVALID_VALUE;
            flaw->place = (size_t)(one.at - text) + 1;
            return false;
        }
    }
    return true;
}
