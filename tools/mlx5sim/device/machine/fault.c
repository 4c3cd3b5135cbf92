/*
 * Injected faults. N counts from 1, over all functions of the machine, and starts when the fault
 * is added. Therefore the fault occurs at the same place in each run of a program.
 *
 *   drop:N                       the N-th completion is not written
 *   delay:N:US                   the N-th WQE is executed US microseconds later
 *   error:N:SYNDROME[:VENDOR]    the N-th WQE fails with this syndrome instead of being executed
 *   command:OPCODE:N[:STATUS[:SYNDROME]]   the N-th firmware command of this opcode fails, whether
 *                                a program issues it through DevX or the driver for a verbs call
 *   fatal:N                      the function fails permanently at the N-th doorbell of a send
 *                                queue; not with --doorbells poll
 */
#include "device/machine/fault.h"
#include "device/machine/log.h"
#include "device/machine/machine.h"
#include "wire/prm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FAULTS = 64, MAX_FIELDS = 5 };

enum kind { DROP, DELAY, ERROR, COMMAND, FATAL };

static struct fault {
    enum kind kind;
    uint64_t n, value[3];
    uint64_t base;              /* the count when the fault was added */
    uint64_t seen;              /* COMMAND: number of commands with this opcode since then */
} faults[MAX_FAULTS];

static unsigned num_faults;
static uint64_t counts[FATAL + 1];         /* [DELAY] counts WQEs, for ERROR too */

static const struct {
    const char *name;
    unsigned least, most;       /* numbers after the name */
} kinds[] = {
    [DROP] = { "drop", 1, 1 }, [DELAY] = { "delay", 2, 2 }, [ERROR] = { "error", 2, 3 },
    [COMMAND] = { "command", 2, 4 }, [FATAL] = { "fatal", 1, 1 }
};

static int numbers(const char *text, uint64_t *out)
{
    int n = 0;

    while (*text == ':' && n < MAX_FIELDS) {
        char *end;

        errno = 0;
        out[n++] = strtoull(text + 1, &end, 0);
        if (text[1] < '0' || text[1] > '9' || errno)
            return -1;
        text = end;
    }
    return *text ? -1 : n;
}

static int refuse(const char *spec)
{
    sim_log(SIM_ERROR, "--fault %s: expected drop:N, delay:N:US, error:N:SYNDROME[:VENDOR], "
            "command:OPCODE:N[:STATUS[:SYNDROME]] or fatal:N, and at most %d faults", spec,
            MAX_FAULTS);
    return EINVAL;
}

int fault_add(const char *spec)
{
    uint64_t v[MAX_FIELDS] = { 0 };
    size_t len = strcspn(spec, ":");
    struct fault *fault = &faults[num_faults];
    int n = numbers(spec + len, v);

    for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        if (strncmp(spec, kinds[k].name, len) != 0 || kinds[k].name[len])
            continue;
        if (num_faults == MAX_FAULTS || n < (int)kinds[k].least || n > (int)kinds[k].most)
            return refuse(spec);
        *fault = (struct fault){ .kind = (enum kind)k, .n = v[0],
                                 .value = { v[1], v[2], v[3] } };
        if (k == COMMAND) {
            fault->n = v[1];
            fault->value[0] = v[0];
            fault->value[1] = n > 2 ? v[2] : PRM_INTERNAL_ERR;
            fault->value[2] = v[3];
        }
        if (fault->n == 0 || (k == ERROR && (v[1] == 0 || v[1] > 0xff)) ||
            (k == COMMAND && (fault->value[1] == 0 || fault->value[1] > 0xff)) ||
            /* in poll mode the device receives no doorbells that could be counted */
            (k == FATAL && machine.doorbells == SIM_DOORBELLS_POLL))
            return refuse(spec);
        fault->base = counts[k == ERROR ? DELAY : k];
        num_faults++;
        return 0;
    }
    return refuse(spec);
}

static const struct fault *find(enum kind kind, uint64_t n)
{
    for (unsigned i = 0; i < num_faults; i++)
        if (faults[i].kind == kind && faults[i].base + faults[i].n == n)
            return &faults[i];
    return NULL;
}

bool fault_command(unsigned opcode, uint8_t *status, uint32_t *syndrome)
{
    bool fails = false;

    for (unsigned i = 0; i < num_faults; i++) {         /* each fault counts the command */
        struct fault *fault = &faults[i];

        if (fault->kind != COMMAND || fault->value[0] != opcode || ++fault->seen != fault->n)
            continue;
        *status = (uint8_t)fault->value[1];
        *syndrome = (uint32_t)fault->value[2];
        fails = true;
    }
    return fails;
}

/* The errno that the kernel driver returns for the status of a command. */
static int errno_of(uint8_t status)
{
    switch (status) {
    case PRM_OK:
        return 0;
    case PRM_RESOURCE_BUSY:
        return EBUSY;
    case PRM_LIM_ERR:
        return ENOMEM;
    case PRM_NO_RESOURCES:
        return EAGAIN;
    case PRM_BAD_OP: case PRM_BAD_PARAM: case PRM_BAD_RESOURCE: case PRM_BAD_RES_STATE:
        return EINVAL;
    default:
        return EIO;
    }
}

int fault_driver_command(unsigned opcode)
{
    uint8_t status;
    uint32_t syndrome;

    if (opcode == 0 || !fault_command(opcode, &status, &syndrome))
        return 0;
    sim_log(SIM_INFO, "command %s of the driver -> status 0x%x, syndrome 0x%x: injected fault",
            prm_opcode_name(opcode), status, syndrome);
    return errno_of(status);
}

bool fault_completion(void)
{
    return find(DROP, ++counts[DROP]) != NULL;
}

uint64_t fault_wqe(void)
{
    return ++counts[DELAY];
}

uint64_t fault_delay(uint64_t wqe)
{
    const struct fault *fault = find(DELAY, wqe);

    return fault ? fault->value[0] * 1000 : 0;
}

bool fault_error(uint64_t wqe, uint8_t *syndrome, uint8_t *vendor)
{
    const struct fault *fault = find(ERROR, wqe);

    if (!fault)
        return false;
    *syndrome = (uint8_t)fault->value[0];
    *vendor = (uint8_t)fault->value[1];
    return true;
}

bool fault_fatal(void)
{
    return find(FATAL, ++counts[FATAL]) != NULL;
}
