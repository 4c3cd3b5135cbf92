/* Writes frames in the pcap format with timestamps in nanoseconds. */
#include "device/machine/capture.h"
#include "device/machine/log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ETHERNET = 1, SNAP_LEN = 262144 };

static FILE *file;

int capture_open(const char *name)
{
    /* magic number of timestamps in ns; version 2.4; zone; accuracy; longest frame; link type. All
     * numbers are in the byte order of this machine. */
    const uint32_t head[6] = { 0xa1b23c4d, 2 | 4 << 16, 0, 0, SNAP_LEN, ETHERNET };

    file = fopen(name, "we");
    if (!file)
        return errno;
    if (fwrite(head, sizeof(head), 1, file) != 1 || fflush(file) != 0)
        return errno;
    return 0;
}

void capture_frame(const uint8_t *bytes, uint32_t len)
{
    struct timespec t;
    uint32_t head[4];

    if (!file)
        return;
    clock_gettime(CLOCK_REALTIME, &t);
    head[0] = (uint32_t)t.tv_sec;
    head[1] = (uint32_t)t.tv_nsec;
    head[2] = head[3] = len;
    if (fwrite(head, sizeof(head), 1, file) == 1 && fwrite(bytes, len, 1, file) == 1 &&
        fflush(file) == 0)
        return;
    sim_log(SIM_ERROR, "the file of --pcap cannot be written: %s", strerror(errno));
    fclose(file);
    file = NULL;
}
