/*
 * Network interfaces of the emulated functions. The device process describes them in the directory
 * `interfaces` of the machine: a file `ipv4.NAME` for each address of IPv4, and the file `ipv6` in
 * the form of the kernel's list.
 */
#define _GNU_SOURCE
#include "program/interface.h"
#include "program/connection.h"
#include "program/libc.h"
#include "wire/sys_call.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Reads a small file of the machine's directory. Returns false when it does not exist. */
static bool read_text(const char *folder, const char *name, const char *file, char text[32])
{
    char path[256];
    ssize_t n = -1;
    int fd;

    if (sim_machine_dir() == NULL || strchr(name, '/') != NULL ||
        (size_t)snprintf(path, sizeof(path), "%s/%s%s%s", sim_machine_dir(), folder, name, file) >=
            sizeof(path))
        return false;
    fd = SIM_REAL(openat)(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        n = read(fd, text, 31);
        close(fd);
    }
    if (n <= 0)
        return false;
    text[n] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return true;
}

bool interface_ioctl(unsigned long code, void *arg)
{
    struct ifreq *request = arg;
    struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    char name[IFNAMSIZ + 1] = "", text[32];

    if (code != SIOCGIFADDR || arg == NULL || sim_machine_dir() == NULL)
        return false;
    memcpy(name, request->ifr_name, IFNAMSIZ);
    if (!read_text("interfaces/ipv4.", name, "", text) ||
        inet_pton(AF_INET, text, &ipv4.sin_addr) != 1)
        return false;
    memcpy(&request->ifr_addr, &ipv4, sizeof(ipv4));
    return true;
}

EXPORT unsigned if_nametoindex(const char *name)
{
    unsigned index = SIM_REAL(if_nametoindex)(name);
    char text[32];

    if (index == 0 && read_text("sys/class/net/", name, "/ifindex", text))
        index = (unsigned)strtoul(text, NULL, 10);
    return index;
}

/* Appends the contents of a file. */
static void append(int to, const char *path)
{
    int fd = SIM_REAL(openat)(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    char part[1024];
    ssize_t n;

    while (fd >= 0 && (n = read(fd, part, sizeof(part))) > 0)
        if (SIM_REAL(write)(to, part, (size_t)n) != n)
            break;
    if (fd >= 0)
        close(fd);
}

int interface_open_ipv6_list(int flags)
{
    char path[256];
    int fd;

    if (sim_machine_dir() == NULL ||
        (size_t)snprintf(path, sizeof(path), "%s/interfaces/ipv6", sim_machine_dir()) >=
            sizeof(path) ||
        sim_sys_call(SYS_faccessat, AT_FDCWD, (long)path, F_OK, 0, 0, 0) != 0)
        return -1;
    fd = memfd_create("if_inet6", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    append(fd, INTERFACE_IPV6_LIST);
    append(fd, path);
    lseek(fd, 0, SEEK_SET);
    if ((flags & O_CLOEXEC) == 0)
        fcntl(fd, F_SETFD, 0);
    return fd;
}
