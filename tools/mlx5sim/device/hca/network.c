/* The emulated network. */
#include "device/hca/network.h"
#include "device/machine/capture.h"
#include "device/machine/log.h"

void network_send(struct sim_function *from, uint8_t *bytes, uint32_t len)
{
    sim_log(SIM_TRACE, "%s: sends a frame of %u bytes to %02x:%02x:%02x:%02x:%02x:%02x", from->name,
            len, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5]);
    capture_frame(bytes, len);
}
