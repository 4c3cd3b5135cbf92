/* The specifications in a flow rule of verbs. */
#ifndef MLX5SIM_DRIVER_FLOW_SPEC_H
#define MLX5SIM_DRIVER_FLOW_SPEC_H

#include "device/driver/call.h"
#include "device/hca/steering.h"

/* The actions of a rule, and facts for checks. The match goes into the attributes of the rule. */
struct flow_spec_result {
    bool drops;
    bool tags;
    bool counts;
    uint32_t counters;          /* handle, if `counts` */
    unsigned ethertype, ip_version;     /* values that the outer headers must have; 0: any */
};

/* Translates `num` specifications in `bytes` bytes. Returns 0, EINVAL for a specification that is
 * wrong or too short, or EOPNOTSUPP for one that the device does not have. */
int flow_specs_read(const uint8_t *specs, size_t bytes, unsigned num, struct hca_rule_attr *attr,
                    struct flow_spec_result *result);

#endif
