/* The network interfaces of the functions, and of the representors. */
#ifndef MLX5SIM_MACHINE_INTERFACE_H
#define MLX5SIM_MACHINE_INTERFACE_H

#include "device/machine/machine.h"

enum { SIM_MAX_INTERFACES = 2 * SIM_MAX_FUNCTIONS };

struct sim_interface {
    char name[24];
    unsigned index;
    bool is_real;               /* the host has an interface of this name; `index` is its index */
    uint8_t mac[6];
    char port_name[24], switch_id[24];  /* empty when it is not a port of an eswitch */
    const struct sim_function *owner;   /* its device: of a representor, the manager */
};

/* Describes the interface of a function. Functions may share an interface; the first of these
 * functions gives it its properties. */
void interface_of(const struct sim_function *f, struct sim_interface *out);

/* Describes the representor of a function that has one. */
void interface_of_representor(const struct sim_function *f, struct sim_interface *out);

/* Lists every emulated interface once: first those of functions, then the representors. Leaves out
 * interfaces that the host has. Returns their number. */
unsigned interface_list(struct sim_interface list[SIM_MAX_INTERFACES]);

#endif
