/* Tests of the interfaces by which a poll mode driver in user space finds and queries its device:
 * the list of PCI functions, and ethtool. The functions are mlx5_0 (p0) and mlx5_1 (p1). */
#include "rig.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define LIST "/sys/bus/pci/devices"
#define FUNCTION LIST "/0000:03:00.0"

/* ---- PCI functions -------------------------------------------------------------------------- */

/* Call `found` for each entry of the host's list, except those at the places of the emulated
 * functions, which stand for them. The list is read by system calls, because the
 * emulator replaces only functions of libc. Return the number of entries. */
static unsigned each_host_function(void (*found)(const char *name))
{
    _Alignas(8) char data[32768];
    unsigned num = 0;
    long fd = sys_call(SYS_openat, AT_FDCWD, (long)LIST, O_RDONLY | O_DIRECTORY, 0, 0, 0), n, at;

    while (fd >= 0 && (n = sys_call(SYS_getdents64, fd, (long)data, sizeof(data), 0, 0, 0)) > 0)
        for (at = 0; at < n;) {
            const struct dirent *entry = (const void *)(data + at);

            at += entry->d_reclen;
            if (entry->d_name[0] == '.' || strncmp(entry->d_name, "0000:03:00.", 11) == 0)
                continue;
            found(entry->d_name);
            num++;
        }
    if (fd >= 0)
        close((int)fd);
    return num;
}

static void check_is_listed(const char *name)
{
    DIR *list = opendir(LIST);
    const struct dirent *entry;
    unsigned num = 0;

    CHECK(list != NULL);
    while ((entry = readdir(list)) != NULL)
        num += strcmp(entry->d_name, name) == 0;
    closedir(list);
    CHECK_EQ(num, 1);
}

static void functions_of_both_machines_are_listed(void)
{
    unsigned num = each_host_function(check_is_listed);
    struct dirent **names;
    int listed;

    check_is_listed("0000:03:00.0");
    check_is_listed("0000:03:00.1");
    listed = scandir(LIST "/", &names, NULL, alphasort);
    CHECK(listed >= 4 && (unsigned)listed >= num + 2); /* with . and .. */
    while (listed-- > 0)
        free(names[listed]);
    free(names);
}

/* Read the first `bytes` - 1 bytes of a file. Return their number. */
static size_t read_file(const char *path, char *text, size_t bytes)
{
    FILE *file = fopen(path, "r");
    size_t n;

    CHECK(file != NULL);
    n = fread(text, 1, bytes - 1, file);
    text[n] = '\0';
    fclose(file);
    return n;
}

static void check_same_file(const char *name)
{
    char path[300], emulated[16], real[16] = "";
    long fd;

    snprintf(path, sizeof(path), LIST "/%s/vendor", name);
    read_file(path, emulated, sizeof(emulated));
    fd = sys_call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY, 0, 0, 0);
    CHECK(fd >= 0 && read((int)fd, real, sizeof(real) - 1) > 0);
    close((int)fd);
    CHECK(strcmp(emulated, real) == 0);
    snprintf(path, sizeof(path), LIST "/%s", name);
    CHECK(readlink(path, emulated, sizeof(emulated)) > 0);
    CHECK_EQ(access(path, R_OK), 0);
}

static void functions_of_the_host_keep_their_files(void)
{
    struct stat st;

    each_host_function(check_same_file);
    CHECK(access(LIST "/ffff:1f:1f.7", F_OK) == -1 && errno == ENOENT);
    CHECK(opendir(LIST "/ffff:1f:1f.7") == NULL && errno == ENOENT);
    CHECK(stat("/sys/bus/pci/drivers", &st) == 0 || errno == ENOENT);
}

/* The link of a function is the kernel's, in both ways to read a link. */
static void check_same_link(const char *name)
{
    char path[300], want[512] = "", got[512] = "";
    int list = open(LIST, O_RDONLY | O_DIRECTORY);
    ssize_t bytes;

    CHECK(list >= 0);
    snprintf(path, sizeof(path), LIST "/%s", name);
    bytes = sys_call(SYS_readlinkat, AT_FDCWD, (long)path, (long)want, sizeof(want) - 1, 0, 0);
    CHECK(bytes > 17 && strncmp(want, "../../../devices/", 17) == 0);
    CHECK_EQ(readlink(path, got, sizeof(got) - 1), bytes);
    CHECK(strcmp(got, want) == 0);
    memset(got, 0, sizeof(got));
    CHECK_EQ(readlinkat(list, name, got, sizeof(got) - 1), bytes);
    CHECK(strcmp(got, want) == 0);
    memset(got, 0, sizeof(got));
    CHECK_EQ(readlink(path, got, 7), 7);        /* the buffer is too small for the link */
    CHECK(strcmp(got, "../../.") == 0);
    close(list);
}

static void links_of_functions_are_those_of_the_kernel(void)
{
    char link[128] = "";

    each_host_function(check_same_link);
    CHECK(readlink(FUNCTION, link, sizeof(link) - 1) > 0);
    CHECK(strncmp(link, "../../../devices/", 17) == 0);
    CHECK(readlink(LIST, link, sizeof(link)) == -1 && errno == EINVAL);
    CHECK(readlink(LIST "/ffff:1f:1f.7", link, sizeof(link)) == -1 && errno == ENOENT);
}

/* The first lines of `resource` are the six BARs; mlx5 has BAR 0 only. */
static void a_function_has_bars_and_a_driver(void)
{
    unsigned long long start[2], end, flags, next;
    char text[1024], link[256];
    ssize_t n;

    for (unsigned i = 0; i < 2; i++) {
        unsigned num = 0;
        int bytes = 0;

        snprintf(link, sizeof(link), LIST "/0000:03:00.%u/resource", i);
        read_file(link, text, sizeof(text));
        CHECK_EQ(sscanf(text, "0x%16llx 0x%16llx 0x%16llx\n%n", &start[i], &end, &flags, &bytes),
                 3);
        CHECK(start[i] != 0 && end > start[i] && (end + 1 - start[i]) % 4096 == 0);
        CHECK((flags & 0x200) != 0); /* IORESOURCE_MEM */
        for (const char *at = text + bytes; *at != '\0'; num++, at += bytes) {
            CHECK_EQ(sscanf(at, "0x%16llx 0x%16llx 0x%16llx\n%n", &next, &end, &flags, &bytes), 3);
            CHECK(next == 0 && end == 0 && flags == 0);
        }
        CHECK(num >= 5);
    }
    CHECK(start[0] != start[1]);
    n = readlink(FUNCTION "/driver", link, sizeof(link) - 1);
    CHECK(n > 0);
    link[n] = '\0';
    CHECK(strcmp(strrchr(link, '/'), "/mlx5_core") == 0);
    CHECK_EQ(access("/sys/bus/pci/drivers/mlx5_core/0000:03:00.0/vendor", R_OK), 0);
    read_file(FUNCTION "/numa_node", text, sizeof(text));
    CHECK(strcmp(text, "-1\n") == 0);
}

/* ---- ethtool -------------------------------------------------------------------------------- */

/* Execute an ethtool command on p1. Return 0 or an errno. */
static int ethtool(void *command)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), error;
    struct ifreq r = { .ifr_name = "p1", .ifr_data = command };

    error = ioctl(fd, SIOCETHTOOL, &r) == 0 ? 0 : errno;
    close(fd);
    return error;
}

enum { TOO_SMALL = 525 };       /* ETOOSMALL, an errno of the kernel that <errno.h> lacks */

static void ethtool_knows_driver_and_address(void)
{
    struct ethtool_drvinfo driver = { .cmd = ETHTOOL_GDRVINFO };
    struct ethtool_value link = { .cmd = ETHTOOL_GLINK };
    struct ethtool_pauseparam pause = { .cmd = ETHTOOL_GPAUSEPARAM, .rx_pause = 7 };
    struct ethtool_gstrings names = { .cmd = ETHTOOL_GSTRINGS, .string_set = ETH_SS_STATS,
        .len = 7 };
    struct ethtool_stats statistics = { .cmd = ETHTOOL_GSTATS, .n_stats = 7 };
    union { struct ethtool_perm_addr head; uint8_t bytes[64]; } address = {
        .head = { .cmd = ETHTOOL_GPERMADDR, .size = 8 } };

    CHECK_EQ(ethtool(&driver), 0);
    CHECK(strcmp(driver.driver, "mlx5_core") == 0 && strcmp(driver.bus_info, "0000:03:00.1") == 0);
    CHECK(driver.fw_version[0] != '\0' && driver.n_stats == 0);
    CHECK(ethtool(&link) == 0 && link.data == 1);
    CHECK(ethtool(&pause) == 0 && pause.rx_pause == 0);
    CHECK(ethtool(&address) == 0 && address.head.size == 6);
    CHECK(ethtool(&names) == 0 && names.len == 0);
    CHECK(ethtool(&statistics) == 0 && statistics.n_stats == 0);
    CHECK(memcmp(address.head.data, "\x5c\x25\x73\xaa\0\1", 6) == 0);
    for (unsigned size = 0; size < 6; size++) {
        address.head.size = size;
        memset(address.head.data, 0xee, 8);
        CHECK_EQ(ethtool(&address), TOO_SMALL);
        CHECK(address.head.size == size && address.head.data[0] == 0xee);
    }
    CHECK_EQ(ethtool(NULL), EFAULT);
}

/* The first answer says how many words each of the three sets of link modes has. */
static void ethtool_knows_the_link(void)
{
    union { struct ethtool_link_settings head; uint32_t words[12 + 3 * 127]; } link = {
        .head = { .cmd = ETHTOOL_GLINKSETTINGS } };
    uint32_t *modes = link.words + sizeof(link.head) / sizeof(link.words[0]);
    struct ethtool_cmd old = { .cmd = ETHTOOL_GSET };
    int words;

    memset(modes, 0xee, 3 * 127 * sizeof(modes[0]));
    CHECK_EQ(ethtool(&link), 0);
    words = -link.head.link_mode_masks_nwords;
    CHECK(words > 0 && link.head.speed == 0);
    CHECK_EQ(modes[0], 0xeeeeeeee);
    link.head.link_mode_masks_nwords = (int8_t)words;
    CHECK_EQ(ethtool(&link), 0);
    CHECK(link.head.link_mode_masks_nwords == words && link.head.speed == 200000);
    CHECK(link.head.duplex == DUPLEX_FULL && link.head.autoneg == AUTONEG_ENABLE);
    CHECK((modes[ETHTOOL_LINK_MODE_200000baseCR4_Full_BIT / 32] &
           1u << ETHTOOL_LINK_MODE_200000baseCR4_Full_BIT % 32) != 0);
    CHECK_EQ(modes[3 * words], 0xeeeeeeee);
    link.head.link_mode_masks_nwords = (int8_t)(words + 1);
    CHECK_EQ(ethtool(&link), 0);
    CHECK_EQ(link.head.link_mode_masks_nwords, -words);
    CHECK(ethtool(&old) == 0 && ethtool_cmd_speed(&old) == 200000 && old.duplex == DUPLEX_FULL);
}

static void wrong_ethtool_commands_are_refused(void)
{
    struct ethtool_value unknown = { .cmd = 0xfffff };
    struct ethtool_gstrings names = { .cmd = ETHTOOL_GSTRINGS, .string_set = 0xff };
    struct ethtool_value set = { .cmd = ETHTOOL_STSO, .data = 1 };
    struct ifreq r = { .ifr_name = "p7" };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint32_t command[2] = { ETHTOOL_GDRVINFO };
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    CHECK_EQ(ethtool(&unknown), EOPNOTSUPP);
    CHECK_EQ(ethtool(&set), EOPNOTSUPP);
    CHECK_EQ(ethtool(&names), EOPNOTSUPP);
    CHECK_EQ(ethtool(NULL), EFAULT);
    CHECK_EQ(ethtool((void *)(page - 2)), EFAULT);
    r.ifr_data = (void *)command;
    CHECK(ioctl(fd, SIOCETHTOOL, &r) == -1 && errno == ENODEV);
    CHECK_EQ(command[1], 0);
    close(fd);
}

/* An emulated interface cannot be changed. The kernel refuses programs without privileges before
 * it looks for the interface. */
static void an_interface_can_be_set_to_what_it_is(void)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq r = { .ifr_name = "p1" };
    const bool root = geteuid() == 0;
    short flags;

    CHECK_EQ(ioctl(fd, SIOCGIFFLAGS, &r), 0);
    flags = r.ifr_flags;
    CHECK(ioctl(fd, SIOCSIFFLAGS, &r) == (root ? 0 : -1));
    r.ifr_flags = (short)(flags & ~IFF_UP);
    CHECK(ioctl(fd, SIOCSIFFLAGS, &r) == -1 && errno == EPERM);
    r.ifr_flags = (short)(flags | IFF_PROMISC);
    CHECK(ioctl(fd, SIOCSIFFLAGS, &r) == -1 && errno == EPERM);
    r.ifr_flags = (short)(flags & ~IFF_RUNNING); /* only the kernel changes this flag */
    CHECK(ioctl(fd, SIOCSIFFLAGS, &r) == (root ? 0 : -1));
    r.ifr_mtu = 1500;
    CHECK(ioctl(fd, SIOCSIFMTU, &r) == (root ? 0 : -1));
    r.ifr_mtu = 9000;
    CHECK(ioctl(fd, SIOCSIFMTU, &r) == -1 && errno == EPERM);
    strcpy(r.ifr_name, "p7");
    CHECK(ioctl(fd, SIOCSIFMTU, &r) == -1 && errno == (root ? ENODEV : EPERM));
    close(fd);
}

static const struct rig_case cases[] = {
    RIG_CASE(functions_of_both_machines_are_listed),
    RIG_CASE(functions_of_the_host_keep_their_files),
    RIG_CASE(links_of_functions_are_those_of_the_kernel),
    RIG_CASE(a_function_has_bars_and_a_driver),
    RIG_CASE(ethtool_knows_driver_and_address),
    RIG_CASE(ethtool_knows_the_link),
    RIG_CASE(wrong_ethtool_commands_are_refused),
    RIG_CASE(an_interface_can_be_set_to_what_it_is),
};
RIG_MAIN(cases)
