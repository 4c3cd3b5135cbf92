/* The uverbs ioctl: finds the method, checks its attributes, and logs the call. */
#define _GNU_SOURCE
#include "device/driver/ioctl.h"
#include "device/driver/action_methods.h"
#include "device/driver/context_methods.h"
#include "device/driver/devx_methods.h"
#include "device/driver/flow_methods.h"
#include "device/driver/matcher_methods.h"
#include "device/driver/memory_methods.h"
#include "device/driver/pace_methods.h"
#include "device/driver/port_methods.h"
#include "device/driver/queue_methods.h"
#include "device/driver/var_methods.h"
#include "device/driver/wq_methods.h"
#include "device/driver/xrc.h"
#include "device/machine/log.h"

#include <errno.h>
#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

enum { DRIVER_ATTRS = 0x1000 };

static const struct method *find_method(uint16_t object, uint16_t id)
{
    static const struct method *const tables[] = {context_methods, memory_methods, queue_methods,
                                                  xrc_methods, devx_methods, wq_methods,
                                                  flow_methods, matcher_methods, action_methods,
                                                  port_methods, var_methods, pace_methods};
    const struct method *method;
    unsigned i;

    for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        for (method = tables[i]; method->run != NULL; method++)
            if (method->object == object && method->method == id)
                return method;
    return NULL;
}

/* Checks the rules for all methods: the required attributes are present, and the method knows all
 * attributes that are marked as mandatory. */
static int check_attrs(const struct method *method, const struct call *call)
{
    uint64_t given = 0;
    unsigned i, id;

    for (i = 0; i < call->hdr->num_attrs; i++) {
        const struct ib_uverbs_attr *attr = &call->hdr->attrs[i];
        bool driver = attr->attr_id >= DRIVER_ATTRS;

        id = driver ? attr->attr_id - DRIVER_ATTRS : attr->attr_id;
        if (id >= (driver ? method->driver_attrs : method->core_attrs)) {
            if ((attr->flags & UVERBS_ATTR_F_MANDATORY) != 0)
                return EPROTONOSUPPORT;
            continue;
        }
        given |= 1ull << (driver ? 32 + id : id);
    }
    return (given & method->needs) == method->needs ? 0 : EINVAL;
}

static void log_call(const struct call *call, const struct method *method, int error)
{
    const struct ib_uverbs_ioctl_hdr *hdr = call->hdr;
    unsigned i;

    if (!sim_logs(SIM_INFO))
        return;
    sim_log(SIM_INFO, "process %d %s: %s (%u.%u) -> %s", (int)call->pid,
            call->client->function->name, method != NULL ? method->name : "unknown method",
            hdr->object_id, hdr->method_id, error == 0 ? "ok" : strerrorname_np(error));
    for (i = 0; i < hdr->num_attrs; i++)
        sim_log(SIM_TRACE, "    attribute 0x%x length %u flags %u data 0x%llx",
                hdr->attrs[i].attr_id, hdr->attrs[i].len, hdr->attrs[i].flags,
                (unsigned long long)hdr->attrs[i].data);
}

int uverbs_ioctl(struct call *call)
{
    const struct ib_uverbs_ioctl_hdr *hdr = call->hdr;
    const struct method *method = find_method(hdr->object_id, hdr->method_id);
    int error;

    if (hdr->reserved1 != 0 || hdr->reserved2 != 0 || method == NULL)
        error = EPROTONOSUPPORT;
    else if (call->client->function->fatal && !method->destroys)
        error = EIO;
    else
        error = check_attrs(method, call);
    if (error == 0)
        error = method->run(call);
    log_call(call, method, error);
    return error;
}
