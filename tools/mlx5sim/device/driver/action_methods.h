/* Flow actions of mlx5dv: changes of packets by the rules of mlx5dv. */
#ifndef MLX5SIM_DRIVER_ACTION_METHODS_H
#define MLX5SIM_DRIVER_ACTION_METHODS_H

#include "device/driver/method.h"
#include "device/hca/steering.h"

enum { ACTIONS_OF_RULE = 2 };           /* the kernel permits no more */

extern const struct method action_methods[];

/* Adds the flow actions that a rule names to its attributes, and stores their uobjects. Returns 0,
 * EINVAL, or ENOENT for an invalid handle. */
int actions_of_rule(const struct call *call, struct hca_rule_attr *attr,
                    struct uobject *used[ACTIONS_OF_RULE]);

#endif
