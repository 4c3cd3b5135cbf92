/* Delivery of the device's events to programs. */
#ifndef MLX5SIM_DRIVER_EVENTS_H
#define MLX5SIM_DRIVER_EVENTS_H

/* Starts receiving events of the device. Called once, before the first client. */
void events_start(void);

#endif
