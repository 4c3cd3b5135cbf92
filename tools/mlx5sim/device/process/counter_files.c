/*
 * The files of counters. A program reads a file by itself, so the device process must have written
 * it before: the preloaded library connects to DIR/counters when a program opens such a file, and
 * waits until the connection is closed.
 */
#define _GNU_SOURCE
#include "device/process/counter_files.h"
#include "device/machine/log.h"
#include "device/machine/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Writes one file. A number never gets shorter, so a reader sees the old number or the new one. */
static int write_number(const char *dir, const char *name, uint64_t number)
{
    char path[512], text[24];
    int len = snprintf(text, sizeof(text), "%" PRIu64 "\n", number), fd, err = 0;

    snprintf(path, sizeof(path), "%s/%s", dir, name);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0 || pwrite(fd, text, (size_t)len, 0) != len) {
        err = errno;
        sim_log(SIM_ERROR, "%s: %s", path, strerror(err));
    }
    if (fd >= 0)
        close(fd);
    return err;
}

struct number {
    const char *name;
    uint64_t value;
};

static int write_numbers(const struct sim_function *function, const char *folder,
                         const struct number *numbers, size_t num)
{
    char dir[400];
    int err = 0;

    snprintf(dir, sizeof(dir), "%s/sys/class/infiniband/%s/ports/1/%s", machine.dir,
             function->name, folder);
    for (size_t i = 0; err == 0 && i < num; i++)
        err = write_number(dir, numbers[i].name, numbers[i].value);
    return err;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int write_function(struct sim_function *function)
{
    const struct sim_traffic *t = &function->traffic;
    const struct number counters[] = {
        {"port_xmit_data", t->xmit_bytes / 4}, {"port_rcv_data", t->rcv_bytes / 4},
        {"port_xmit_packets", t->xmit_unicast + t->xmit_multicast},
        {"port_rcv_packets", t->rcv_unicast + t->rcv_multicast},
        {"unicast_xmit_packets", t->xmit_unicast}, {"unicast_rcv_packets", t->rcv_unicast},
        {"multicast_xmit_packets", t->xmit_multicast},
        {"multicast_rcv_packets", t->rcv_multicast},
        {"symbol_error", 0}, {"link_error_recovery", 0}, {"link_downed", 0},
        {"port_rcv_errors", 0}, {"port_rcv_remote_physical_errors", 0},
        {"port_rcv_switch_relay_errors", 0}, {"port_xmit_discards", 0},
        {"port_xmit_constraint_errors", 0}, {"port_rcv_constraint_errors", 0},
        {"local_link_integrity_errors", 0}, {"excessive_buffer_overrun_errors", 0},
        {"VL15_dropped", 0}, {"port_xmit_wait", 0}};
    const struct number hw_counters[] = {
        {"rx_write_requests", t->writes}, {"rx_read_requests", t->reads},
        {"rx_atomic_requests", t->atomics}, {"out_of_buffer", t->out_of_buffer},
        {"req_cqe_error", t->failed}, {"rnr_nak_retry_err", t->rnr_failed},
        {"req_remote_access_errors", t->access_failed},
        {"req_remote_invalid_request", t->invalid_failed}};
    int err = write_numbers(function, "counters", counters, COUNT(counters));

    err = err != 0 ? err : write_numbers(function, "hw_counters", hw_counters, COUNT(hw_counters));
    function->traffic.is_new = false;
    return err;
}

int counter_files_write(void)
{
    int err = 0;

    for (unsigned i = 0; err == 0 && i < machine.num_functions; i++)
        err = write_function(&machine.functions[i]);
    return err;
}

void counter_files_accept(int fd)
{
    for (unsigned i = 0; i < machine.num_functions; i++)
        if (machine.functions[i].traffic.is_new)
            write_function(&machine.functions[i]);
    close(fd);
}
