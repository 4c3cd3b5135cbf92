/*
 * Replacements of libc functions on paths. Opening /dev/infiniband/uverbsN opens a context, and
 * opening /dev/infiniband/rdma_cm opens the connection manager. A path below /sys is redirected to
 * the tree that the device process has written, if the file exists there.
 */
#define _GNU_SOURCE
#include "program/cm.h"
#include "program/connection.h"
#include "program/context.h"
#include "program/description.h"
#include "program/interface.h"
#include "program/libc.h"
#include "wire/protocol.h"
#include "wire/sys_call.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define CHAR_DEVICE "/dev/infiniband/uverbs"
#define CM_DEVICE "/dev/infiniband/rdma_cm"

static bool is_cm_device(const char *path)
{
    return strcmp(path, CM_DEVICE) == 0;
}

static bool is_char_device(const char *path)
{
    return path != NULL && sim_machine_dir() != NULL &&
        (strncmp(path, CHAR_DEVICE, sizeof(CHAR_DEVICE) - 1) == 0 || is_cm_device(path));
}

/* True for directories that are not redirected, because they also hold entries of the real
 * machine. /sys/bus/pci/devices is redirected: the directory in the emulated tree lists the
 * functions of both machines. */
static bool is_shared_dir(const char *path, size_t len)
{
    static const char *const shared[] = {
        "/sys", "/sys/class", "/sys/class/misc", "/sys/class/net", "/sys/bus", "/sys/bus/pci",
        "/sys/bus/pci/drivers", "/sys/devices", "/sys/devices/pci0000:00"};
    size_t i;

    for (i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
        if (strlen(shared[i]) == len && strncmp(path, shared[i], len) == 0)
            return true;
    return false;
}

/* True for the folders `counters` and `hw_counters` of ports, and for the files in them. */
static bool has_counters(const char *path)
{
    const char *port = strstr(path, "/ports/");

    return port != NULL && strstr(port, "counters") != NULL;
}

/* Returns the path in the emulated tree for a path below /sys that exists there. Returns any other
 * path unchanged. Files of counters are up to date when this function returns. */
static const char *redirect(const char *path, char *buf, size_t bytes)
{
    const char *dir = sim_machine_dir();
    size_t len;

    if (path == NULL || dir == NULL || strncmp(path, "/sys/", 5) != 0)
        return path;
    for (len = strlen(path); len > 1 && path[len - 1] == '/'; len--)
        ;
    if (is_shared_dir(path, len))
        return path;
    if ((size_t)snprintf(buf, bytes, "%s%s", dir, path) >= bytes)
        return path;
    if (has_counters(path))
        description_update_counters();
    if (strncmp(path, "/sys/class/infiniband", 21) == 0)
        return buf;
    return sim_sys_call(SYS_faccessat, AT_FDCWD, (long)buf, F_OK, 0, 0, 0) == 0 ? buf : path;
}

#define REDIRECT(path) redirect(path, (char[4096]){0}, 4096)

static mode_t mode_argument(int flags, va_list args)
{
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
}

static int open_at(int dir, const char *path, int flags, mode_t mode)
{
    int fd;

    if (is_char_device(path))
        return is_cm_device(path) ? cm_open(flags) : context_open(path, flags);
    if (path != NULL && strcmp(path, INTERFACE_IPV6_LIST) == 0) {
        fd = interface_open_ipv6_list(flags);
        if (fd >= 0)
            return fd;
    }
    return SIM_REAL(openat)(dir, REDIRECT(path), flags, mode);
}

#define DEFINE_OPEN(name, params, dir)                                      \
    EXPORT int name params                                                  \
    {                                                                       \
        va_list args;                                                       \
        mode_t mode;                                                        \
                                                                            \
        va_start(args, flags);                                              \
        mode = mode_argument(flags, args);                                  \
        va_end(args);                                                       \
        return open_at(dir, path, flags, mode);                             \
    }

DEFINE_OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
DEFINE_OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
DEFINE_OPEN(openat, (int dir, const char *path, int flags, ...), dir)
DEFINE_OPEN(openat64, (int dir, const char *path, int flags, ...), dir)

/* Programs built with _FORTIFY_SOURCE call these functions when they open a file without a
 * mode. */
EXPORT int __open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

EXPORT int __open64_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

EXPORT int __openat_2(int dir, const char *path, int flags)
{
    return open_at(dir, path, flags, 0);
}

EXPORT int __openat64_2(int dir, const char *path, int flags)
{
    return open_at(dir, path, flags, 0);
}

enum { CM_NUMBER = 1000 };      /* stands for the rdma_cm device among the numbers of contexts */

/* Describes a device in *st as a character device. Its device number is the same as in the file
 * `dev` of the device's folder in the emulated /sys. */
static int fake_stat(int number, struct stat *st)
{
    memset(st, 0, sizeof(*st));
    st->st_mode = S_IFCHR | 0666;
    st->st_rdev = number == CM_NUMBER
        ? makedev(WIRE_CM_MAJOR, WIRE_CM_MINOR)
        : makedev(WIRE_UVERBS_MAJOR, WIRE_UVERBS_MINOR + (unsigned)number);
    st->st_ino = 1000 + (ino_t)number;
    st->st_nlink = 1;
    st->st_blksize = 4096;
    return 0;
}

static int stat_socket(const char *name, struct stat *st)
{
    char path[128];

    snprintf(path, sizeof(path), "%s%s", sim_machine_dir(), name);
    return SIM_REAL(fstatat)(AT_FDCWD, path, st, 0);
}

/* Returns the number of the device that `fd` has open, or -1. */
static int device_number(int fd)
{
    return cm_is_open(fd) ? CM_NUMBER : context_number(fd);
}

/* Implements stat of a path that is_char_device() accepts. */
static int stat_device(const char *path, struct stat *st)
{
    const char *name = path + sizeof("/dev/infiniband") - 1;
    struct stat at_socket;
    char socket_path[32];
    int number = is_cm_device(path) ? CM_NUMBER : atoi(path + sizeof(CHAR_DEVICE) - 1);

    snprintf(socket_path, sizeof(socket_path), "/uverbs%d", number);
    if ((number != CM_NUMBER && strcmp(name, socket_path) != 0) ||
        stat_socket(name, &at_socket) != 0) {
        errno = ENOENT;
        return -1;
    }
    return fake_stat(number, st);
}

static int stat_at(int dir, const char *path, struct stat *st, int flags)
{
    int number;

    if (is_char_device(path))
        return stat_device(path, st);
    if (path != NULL && path[0] == '\0' && (flags & AT_EMPTY_PATH) != 0 &&
        (number = device_number(dir)) >= 0)
        return fake_stat(number, st);
    return SIM_REAL(fstatat)(dir, REDIRECT(path), st, flags);
}

EXPORT int stat(const char *restrict path, struct stat *restrict st)
{
    return stat_at(AT_FDCWD, path, st, 0);
}

EXPORT int lstat(const char *restrict path, struct stat *restrict st)
{
    return stat_at(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

EXPORT int fstatat(int dir, const char *restrict path, struct stat *restrict st, int flags)
{
    return stat_at(dir, path, st, flags);
}

EXPORT int fstat(int fd, struct stat *st)
{
    int err = SIM_REAL(fstat)(fd, st), number;

    if (err == 0 && S_ISSOCK(st->st_mode) && (number = device_number(fd)) >= 0)
        return fake_stat(number, st);
    return err;
}

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "struct stat has one form");

EXPORT int stat64(const char *restrict path, struct stat64 *restrict st)
{
    return stat_at(AT_FDCWD, path, (struct stat *)st, 0);
}

EXPORT int lstat64(const char *restrict path, struct stat64 *restrict st)
{
    return stat_at(AT_FDCWD, path, (struct stat *)st, AT_SYMLINK_NOFOLLOW);
}

EXPORT int fstatat64(int dir, const char *restrict path, struct stat64 *restrict st, int flags)
{
    return stat_at(dir, path, (struct stat *)st, flags);
}

EXPORT int fstat64(int fd, struct stat64 *st)
{
    return fstat(fd, (struct stat *)st);
}

EXPORT int statx(int dir, const char *restrict path, int flags, unsigned mask,
                 struct statx *restrict st)
{
    return SIM_REAL(statx)(dir, REDIRECT(path), flags, mask, st);
}

EXPORT int faccessat(int dir, const char *path, int mode, int flags)
{
    struct stat st;

    if (is_char_device(path))
        return stat_at(dir, path, &st, 0);
    return SIM_REAL(faccessat)(dir, REDIRECT(path), mode, flags);
}

EXPORT int access(const char *path, int mode)
{
    struct stat st;

    if (is_char_device(path))
        return stat_at(AT_FDCWD, path, &st, 0);
    return SIM_REAL(access)(REDIRECT(path), mode);
}

EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
    return SIM_REAL(fopen)(REDIRECT(path), mode);
}

EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    return SIM_REAL(fopen64)(REDIRECT(path), mode);
}

EXPORT int chdir(const char *path)
{
    return SIM_REAL(chdir)(REDIRECT(path));
}

EXPORT DIR *opendir(const char *path)
{
    return SIM_REAL(opendir)(REDIRECT(path));
}

EXPORT int scandir(const char *restrict path, struct dirent ***restrict list,
                   int (*filter)(const struct dirent *),
                   int (*compare)(const struct dirent **, const struct dirent **))
{
    return SIM_REAL(scandir)(REDIRECT(path), list, filter, compare);
}

/* Writes the directory of a link: `path` without its last part, or the directory that `fd` has
 * open. Returns its path below /sys, or NULL when it is in neither tree. */
static const char *dir_of_link(int fd, const char *path, char *dir, size_t bytes)
{
    const char *last = strrchr(path, '/'), *machine = sim_machine_dir();
    size_t n = machine != NULL ? strlen(machine) : 0;
    char name[32];
    ssize_t len;

    if (path[0] == '/') {
        snprintf(dir, bytes, "%.*s", (int)(last - path), path);
    } else {
        snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
        len = last == NULL ? SIM_REAL(readlink)(name, dir, bytes - 1) : -1;
        dir[len > 0 ? len : 0] = '\0';
    }
    if (n > 0 && strncmp(dir, machine, n) == 0)
        dir += n;
    return strncmp(dir, "/sys/", 5) == 0 ? dir : NULL;
}

/* Reads a link. The emulated tree has links to directories of the real /sys, with absolute paths;
 * a program gets them as the kernel shows them, relative to the directory of the link. */
static ssize_t read_link(int fd, const char *path, char *buf, size_t bytes)
{
    enum { ROOM = 1024 };       /* bytes of a path below /sys */
    char redirected[4096], target[ROOM], space[ROOM], link[2 * ROOM];
    const char *at = redirect(path, redirected, sizeof(redirected)), *dir;
    ssize_t n = SIM_REAL(readlinkat)(fd, at, buf, bytes), full;
    size_t len = 0;

    if (n <= 0 || buf[0] != '/' || sim_machine_dir() == NULL)
        return n;
    dir = dir_of_link(fd, path, space, sizeof(space));
    full = dir != NULL ? SIM_REAL(readlinkat)(fd, at, target, sizeof(target) - 1) : -1;
    if (full < 5 || strncmp(target, "/sys/", 5) != 0)
        return n;
    target[full] = '\0';
    for (dir += sizeof("/sys") - 1; *dir != '\0' && len + 3 < ROOM; dir++)
        if (dir[0] == '/' && dir[1] != '/' && dir[1] != '\0')
            len += (size_t)snprintf(link + len, sizeof(link) - len, "../");
    len += (size_t)snprintf(link + len, sizeof(link) - len, "%s", target + sizeof("/sys/") - 1);
    memcpy(buf, link, len < bytes ? len : bytes);
    return (ssize_t)(len < bytes ? len : bytes);
}

EXPORT ssize_t readlink(const char *restrict path, char *restrict buf, size_t bytes)
{
    return read_link(AT_FDCWD, path, buf, bytes);
}

EXPORT ssize_t readlinkat(int dir, const char *restrict path, char *restrict buf, size_t bytes)
{
    return read_link(dir, path, buf, bytes);
}

/* Programs built with _FORTIFY_SOURCE call these functions. */
EXPORT ssize_t __readlink_chk(const char *restrict path, char *restrict buf, size_t bytes,
                              size_t room)
{
    if (bytes > room)
        abort();
    return read_link(AT_FDCWD, path, buf, bytes);
}

EXPORT ssize_t __readlinkat_chk(int dir, const char *restrict path, char *restrict buf,
                                size_t bytes, size_t room)
{
    if (bytes > room)
        abort();
    return read_link(dir, path, buf, bytes);
}

/* Turns a resolved path in the emulated tree back into a path below /sys. */
static char *unredirect(const char *path, const char *redirected, char *resolved)
{
    const char *dir = sim_machine_dir();
    size_t n = dir != NULL ? strlen(dir) : 0;

    if (resolved != NULL && redirected != path && n > 0 && strncmp(resolved, dir, n) == 0)
        memmove(resolved, resolved + n, strlen(resolved + n) + 1);
    return resolved;
}

EXPORT char *realpath(const char *restrict path, char *restrict out)
{
    const char *redirected = REDIRECT(path);

    return unredirect(path, redirected, SIM_REAL(realpath)(redirected, out));
}

EXPORT char *__realpath_chk(const char *path, char *out, size_t bytes)
{
    const char *redirected = REDIRECT(path);

    if (bytes < 4096)
        abort();
    return unredirect(path, redirected, SIM_REAL(realpath)(redirected, out));
}

EXPORT char *canonicalize_file_name(const char *path)
{
    return realpath(path, NULL);
}
