/* Atomic operations of device memory. The device process executes them one after the other. */
#include "device/hca/operation.h"
#include "device/machine/log.h"

#include <errno.h>
#include <stdlib.h>

int hca_operation_get(struct hca_dm *dm, enum hca_dm_operation operation,
                      struct hca_operation **out)
{
    struct hca_operation *o = (struct hca_operation *)dm->operations[operation];

    if (!o) {
        o = calloc(1, sizeof(*o));
        if (!o || hca_add(&o->object, HCA_OPERATION, dm->object.client, NULL)) {
            free(o);
            return ENOMEM;
        }
        o->dm = dm;
        o->operation = operation;
        dm->operations[operation] = &o->object;
    }
    *out = o;
    return 0;
}

struct hca_operation *hca_operation_find(uint32_t number)
{
    return (struct hca_operation *)hca_find(HCA_OPERATION, number);
}

/* The names are those of rdma-core's tests. What a card does for the other kind of access is not
 * public. Assumed: a load from the address that adds changes nothing, and a store to the address
 * that tests and sets has no effect. */
uint64_t hca_operation_run(struct hca_operation *o, uint64_t offset, unsigned bytes, bool is_store,
                           uint64_t value)
{
    const struct sim_client *client = o->object.client;
    bool is_add = o->operation == OPERATION_ADD;
    uint8_t *at, old;

    if (bytes != 1 || offset >= o->dm->len) {
        sim_violation(client, "device memory %u of %llu bytes: %s of %u bytes at operation address "
                      "%#llx: only single bytes of the memory are supported", o->dm->object.number,
                      (unsigned long long)o->dm->len, is_store ? "store" : "load", bytes,
                      (unsigned long long)offset);
        return ~0ull;
    }
    if (is_store != is_add)
        sim_violation(client, "device memory %u: %s at the address of the operation \"%s\"",
                      o->dm->object.number, is_store ? "store" : "load",
                      is_add ? "increment" : "test and set");
    if (o->object.function->fatal)
        return ~0ull;
    at = o->object.function->bar + o->dm->offset + offset;
    /* programs can store into the memory at the same time, without a request to this process */
    if (is_store && is_add)
        old = __atomic_fetch_add(at, (uint8_t)value, __ATOMIC_SEQ_CST);
    else if (!is_store && !is_add)
        old = __atomic_exchange_n(at, machine.profile.test_and_set, __ATOMIC_SEQ_CST);
    else
        old = __atomic_load_n(at, __ATOMIC_SEQ_CST);
    sim_log(SIM_TRACE, "%s: device memory %u: %s at %#llx: 0x%02x to 0x%02x",
            o->object.function->name, o->dm->object.number, is_add ? "increment" : "test and set",
            (unsigned long long)offset, old, *at);
    return old;
}
