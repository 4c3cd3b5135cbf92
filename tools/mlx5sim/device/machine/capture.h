/* The file of --pcap, which receives every frame of the emulated network. */
#ifndef MLX5SIM_MACHINE_CAPTURE_H
#define MLX5SIM_MACHINE_CAPTURE_H

#include <stdint.h>

/* Creates the file and writes the header of the pcap format. Returns 0 or an errno. */
int capture_open(const char *name);

/* Appends a frame with the current time. Does nothing without a file. */
void capture_frame(const uint8_t *bytes, uint32_t len);

#endif
