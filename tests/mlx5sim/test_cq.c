/*
 * The counters of a completion queue of the emulated device, without a device process, because they
 * wrap around after millions of completions. The functions of other files that cq.c calls are
 * replaced here: memory accepts each write, and the program has polled all CQEs when it is asked.
 */
#include "device/hca/cq.h"
#include "device/hca/events.h"
#include "device/machine/fault.h"
#include "device/machine/log.h"

#include <stdio.h>
#include <string.h>

static unsigned num_events, num_failed;
static uint32_t polled; /* consumer index in the doorbell record */

struct sim_machine machine;

int hca_add(struct hca_object *object, enum hca_type type, struct sim_client *client,
            void (*release)(struct hca_object *))
{
    (void)object;
    (void)type;
    (void)client;
    (void)release;
    return 0;
}

void hca_unref(void *object)
{
    (void)object;
}

struct sim_space *sim_space_get(struct sim_space *space)
{
    return space;
}

void sim_space_put(struct sim_space *space)
{
    (void)space;
}

int sim_write(struct sim_space *space, uint64_t addr, const void *buf, size_t len)
{
    (void)space;
    (void)addr;
    (void)buf;
    (void)len;
    return 0;
}

int sim_write_in_order(struct sim_space *space, uint64_t addr, const void *buf, size_t len)
{
    return sim_write(space, addr, buf, len);
}

bool sim_read_be32(struct sim_space *space, uint64_t addr, uint32_t *value)
{
    (void)space;
    (void)addr;
    *value = polled;
    return true;
}

void hca_completion(struct hca_object *cq)
{
    (void)cq;
    num_events++;
}

void hca_cq_error(struct hca_object *cq, unsigned syndrome)
{
    (void)cq;
    (void)syndrome;
    num_failed++;
}

void sim_log(enum sim_log_level level, const char *format, ...)
{
    (void)level;
    (void)format;
}

void sim_violation(const struct sim_client *client, const char *format, ...)
{
    (void)client;
    (void)format;
}

bool fault_completion(void)
{
    return false;
}

uint64_t sim_cycles(void)
{
    return 0;
}

enum { RING = 64 };

static struct sim_function function;

static struct hca_cq queue(void)
{
    struct hca_cq cq;

    memset(&cq, 0, sizeof(cq));
    cq.object.function = &function;
    cq.num_cqes = RING;
    cq.cqe_bytes = 64;
    cq.event_sn = 4; /* no event yet */
    num_events = num_failed = 0;
    polled = 0;
    return cq;
}

/* Write completions that the program polls at once, except the last one. */
static void complete(struct hca_cq *cq, uint32_t num, bool solicited)
{
    for (uint32_t i = 0; i < num; i++) {
        struct hca_cqe cqe;

        memset(&cqe, 0, sizeof(cqe));
        polled = cq->pi & 0xffffff;
        cqe_put(cq, &cqe, solicited);
    }
}

/* Return how many events an arm with this sequence number causes. */
static unsigned arm(struct hca_cq *cq, uint32_t sn, bool solicited)
{
    unsigned before = num_events;

    cqe_arm(cq, sn << 28 | (uint32_t)solicited << 24 | polled);
    return num_events - before;
}

static unsigned check(const char *name, bool ok)
{
    printf("%s %s\n", ok ? "ok" : "FAILED", name);
    return ok ? 0 : 1;
}

static bool arm_reports_a_completion_after_any_number_without_an_event(void)
{
    static const uint32_t numbers[] = { 1, RING, 2 * RING, 1u << 23 };

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        struct hca_cq cq = queue();

        complete(&cq, numbers[i], false);
        if (arm(&cq, 0, false) != 1 || num_failed != 0) {
            printf("no event after %u completions\n", (unsigned)numbers[i]);
            return false;
        }
        if (arm(&cq, 1, false) != 0) /* the event has reported the completion */
            return false;
    }
    return true;
}

static bool arm_for_solicited_completions_ignores_an_old_one(void)
{
    struct hca_cq cq = queue();

    complete(&cq, 1, true);
    if (arm(&cq, 0, true) != 1)
        return false;
    complete(&cq, (1u << 23) + 5, false);
    return arm(&cq, 1, true) == 0 && num_failed == 0;
}

int main(void)
{
    unsigned failed = 0;

    failed += check("arm_reports_a_completion_after_any_number_without_an_event",
                    arm_reports_a_completion_after_any_number_without_an_event());
    failed += check("arm_for_solicited_completions_ignores_an_old_one",
                    arm_for_solicited_completions_ignores_an_old_one());
    return failed == 0 ? 0 : 1;
}
