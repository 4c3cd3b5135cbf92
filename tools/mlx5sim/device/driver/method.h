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

#define CORE(n) (1ull << (n))
#define DRIVER(n) (1ull << (32 + (n)))

#endif
