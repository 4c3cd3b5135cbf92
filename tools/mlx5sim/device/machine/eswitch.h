/* The eswitch: managers, representors, vports. */
#ifndef MLX5SIM_MACHINE_ESWITCH_H
#define MLX5SIM_MACHINE_ESWITCH_H

#include "device/machine/machine.h"

enum { ESW_UPLINK = 0xffff };   /* vport of the cable */

/* True when the card has a DPU side in addition to the host side: a BlueField, not a ConnectX. */
bool esw_has_arm(void);

/* Returns the function that manages the eswitch of `f` and has a representor of `f`. NULL when `f`
 * has no representor. */
struct sim_function *esw_manager(const struct sim_function *f);
bool esw_is_manager(const struct sim_function *f);

/* Returns the function at a vport of the manager's eswitch, or NULL. `ec_vf`: the vport counts the
 * VFs of the embedded CPU. */
struct sim_function *esw_function(const struct sim_function *manager, unsigned vport, bool ec_vf);

/* Return the phys_port_name and the interface name of the representor of `f`. */
void esw_port_name(const struct sim_function *f, char name[24]);
void esw_netdev(const struct sim_function *f, char name[24]);

#endif
