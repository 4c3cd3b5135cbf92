/* Common code of the fuzz targets of Comch and RDMA: packets of a hostile program, and bytes that
 * it writes into shared memory. The target includes the implementation, because it needs the
 * addresses of sockets and the layout of rings. */
#ifndef LOCAL_FUZZ_H
#define LOCAL_FUZZ_H

#include "fuzz.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

enum { LOCAL_PACKET = 8192, LOCAL_RAWS = 4, LOCAL_FILES = 128, LOCAL_CANARY = 0xa5 };

/* ---- files ---- */

/* Return the number of open descriptors without pipes: the library opens no pipe, and the fuzzer
 * opens two when it starts a symbolizer. */
static inline unsigned local_count_files(void)
{
    unsigned num = 0;
    struct stat file;
    int fd;

    for (fd = 0; fd < LOCAL_FILES; fd++)
        num += fstat(fd, &file) == 0 && !S_ISFIFO(file.st_mode);
    return num;
}

/* Check the number of open descriptors. If it is wrong, print what they are. */
static inline void local_check_files(unsigned num)
{
    char name[64], text[128];
    ssize_t len;
    int fd;

    if (local_count_files() == num)
        return;
    for (fd = 0; fd < LOCAL_FILES; fd++) {
        snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
        len = readlink(name, text, sizeof(text));
        if (len > 0)
            printf("  %s: %.*s\n", name, (int)len, text);
    }
    CHECK_EQ(local_count_files(), num);
}

static int local_files[6]; /* descriptors that hostile packets may carry */

/* Open what hostile packets may carry: a file, a file that may shrink, a sealed file of one page,
 * an eventfd that blocks, one that does not, and a socket. */
static inline void local_open_files(void)
{
    local_files[0] = open("/dev/zero", O_RDWR | O_CLOEXEC);
    local_files[1] = memfd_create("fuzz", MFD_CLOEXEC);
    local_files[2] = memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    local_files[3] = eventfd(0, EFD_CLOEXEC);
    local_files[4] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    local_files[5] = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK(local_files[5] >= 0);
    CHECK(ftruncate(local_files[1], 4096) == 0 && ftruncate(local_files[2], 4096) == 0);
    CHECK(fcntl(local_files[2], F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0);
}

/* ---- packets ---- */

/* Send a packet with `num` descriptors, if the other end still listens. */
static inline void local_send_packet(int fd, const void *bytes, size_t len, const int *fds,
                                     unsigned num)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(4 * sizeof(int))];
    } control;
    struct iovec iov = { (void *)(size_t)bytes, len };
    struct msghdr msg;

    memset(&msg, 0, sizeof(msg));
    msg.msg_iov = &iov;
    msg.msg_iovlen = 1;
    if (num > 0) {
        memset(&control, 0, sizeof(control));
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        control.head.cmsg_len = CMSG_LEN(num * sizeof(int));
        memcpy(CMSG_DATA(&control.head), fds, num * sizeof(int));
        msg.msg_control = &control;
        msg.msg_controllen = CMSG_SPACE(num * sizeof(int));
    }
    (void)sendmsg(fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Change up to three places of a packet, and perhaps its length. */
static inline size_t local_damage(unsigned char *packet, size_t len, size_t room)
{
    unsigned how = fuzz_byte(), i, k;

    for (i = 0; i < how % 4 && len > 0; i++) {
        const size_t at = fuzz_below((uint32_t)len);
        const unsigned width = 1u << fuzz_below(4);
        const uint64_t value = fuzz_number(width);

        for (k = 0; k < width && at + k < len; k++)
            packet[at + k] = (unsigned char)(value >> 8 * k);
    }
    if ((how & 0x30) == 0x10)
        len = fuzz_below((uint32_t)len + 1);
    else if ((how & 0x30) == 0x20)
        for (i = fuzz_below(64); i > 0 && len < room; i--)
            packet[len++] = fuzz_byte();
    return len;
}

/* Read and drop what a hostile socket has received, and close the descriptors that came with it. */
static inline void local_drop_packets(int fd)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(4 * sizeof(int))];
    } control;
    static unsigned char packet[LOCAL_PACKET];
    struct iovec iov = { packet, sizeof(packet) };
    struct msghdr msg;
    unsigned i;

    do {
        memset(&msg, 0, sizeof(msg));
        msg.msg_iov = &iov;
        msg.msg_iovlen = 1;
        msg.msg_control = &control;
        msg.msg_controllen = sizeof(control);
        if (recvmsg(fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0)
            return;
        if (msg.msg_controllen >= CMSG_LEN(sizeof(int)))
            for (i = 0; i < (control.head.cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
                int file;

                memcpy(&file, CMSG_DATA(&control.head) + i * sizeof(int), sizeof(int));
                close(file);
            }
    } while (true);
}

/* ---- shared memory ---- */

/* Return a number that a hostile program may write: near a limit, near `hint`, or any. */
static inline uint64_t local_number(uint64_t hint)
{
    const unsigned how = fuzz_byte();

    switch (how % 8) {
    case 0:
        return hint;
    case 1:
        return hint + how / 8;
    case 2:
        return hint - how / 8;
    case 3:
        return 0;
    case 4:
        return ~(uint64_t)(how / 8);
    case 5:
        return (uint64_t)1 << fuzz_below(64);
    default:
        return fuzz_number(1u << how / 8 % 4);
    }
}

/* Overwrite up to 64 bytes of the first `len` bytes at `to`. */
static inline void local_scribble(void *to, size_t len)
{
    const size_t at = fuzz_below((uint32_t)(len < 65536 ? len : 65536));
    size_t num = fuzz_below(64) + 1;
    unsigned char *bytes = to;

    for (; num > 0 && at + num <= len; num--)
        bytes[at + num - 1] = fuzz_byte();
}

#endif
