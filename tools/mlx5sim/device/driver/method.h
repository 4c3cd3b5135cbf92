/* A row of the tables of methods. */
#ifndef MLX5SIM_DRIVER_METHOD_H
#define MLX5SIM_DRIVER_METHOD_H

#include "device/driver/call.h"

/* A method of an object. `run` returns 0 or an errno. */
struct method {
    uint16_t object, method;
    const char *name;
    int (*run)(struct call *call);
    uint16_t core_attrs, driver_attrs;  /* number of known attributes: ids from 0, from 0x1000 */
    uint64_t needs;             /* required attributes: bit n: core, bit 32 + n: driver */
    bool destroys;              /* the method also works after the device has failed */
};

/* A command of INVOKE_WRITE. After the device has failed, all commands without `of_driver` are
 * refused; MODIFY_QP checks this itself, because it depends on the transition. A table ends with a
 * row without `run`. */
struct write_command {
    uint32_t command;
    const char *name;
    int (*run)(struct call *call);
    bool of_driver;
};

#define WRITE_EXTENDED 0x80000000u      /* in `command`: a command of the extended interface */

#define CORE(n) (1ull << (n))
#define DRIVER(n) (1ull << (32 + (n)))

#endif
