/* Find the memory of a guest by the command line of QEMU's process in /proc: the path and length of
 * the file, and the offset behind which the bytes lie from 4 GiB on. */
#ifndef APSH_TOP_QEMU_H
#define APSH_TOP_QEMU_H

#include "target.h"

#include <dirent.h>

/* QEMU's machine q35 puts the memory above 2 GiB from 4 GiB on when it has 2816 MiB or more. */
#define Q35_SPLIT ((uint64_t)2 << 30)
#define Q35_SPLIT_FROM ((uint64_t)2816 << 20)

struct qemu {
    char path[4096]; /* of the file */
    uint64_t num_bytes; /* 0: unknown */
    unsigned num_files;
    bool is_shared;  /* the file holds what the guest writes */
    bool is_q35, has_other_split;
};

static char command_line[1 << 18]; /* words that end with NUL each */
static size_t command_len;

/* Read a command line. Returns its descriptor, or -1. */
static int command_read(long pid)
{
    char path[48];
    ssize_t n;
    int fd;

    snprintf(path, sizeof(path), "/proc/%ld/cmdline", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    for (command_len = 0; fd >= 0 && command_len + 1 < sizeof(command_line);) {
        n = read(fd, command_line + command_len, sizeof(command_line) - 1 - command_len);
        if (n <= 0)
            break;
        command_len += (size_t)n;
    }
    command_line[command_len] = '\0';
    return fd;
}

/* Copy the value of `key` in a list key=value,key=value. Two commas in a value stand for one. */
static bool list_value(const char *word, const char *key, char *to, size_t size)
{
    const size_t key_len = strlen(key);
    size_t len = 0;

    while (strncmp(word, key, key_len) != 0 || word[key_len] != '=') {
        for (; *word != '\0' && (*word != ',' || word[1] == ','); word++)
            if (*word == ',')
                word++;
        if (*word++ == '\0')
            return false;
    }
    for (word += key_len + 1; *word != '\0' && (*word != ',' || word[1] == ','); word++) {
        if (*word == ',')
            word++;
        if (len + 1 < size)
            to[len++] = *word;
    }
    to[len] = '\0';
    return true;
}

/* Copy the value of "KEY": VALUE of an object of JSON without nested objects. */
static bool json_value(const char *word, const char *key, char *to, size_t size)
{
    char quoted[40];
    size_t len = 0;
    bool is_text;

    snprintf(quoted, sizeof(quoted), "\"%s\"", key);
    word = strstr(word, quoted);
    if (word == NULL)
        return false;
    word += strlen(quoted);
    word += strspn(word, " :");
    is_text = *word == '"';
    for (word += is_text; *word != '\0' && strchr(is_text ? "\"" : ",} ", *word) == NULL; word++) {
        if (*word == '\\' && word[1] != '\0')
            word++;
        if (len + 1 < size)
            to[len++] = *word;
    }
    to[len] = '\0';
    return true;
}

static bool value_of(const char *word, const char *key, char *to, size_t size)
{
    return *word == '{' ? json_value(word, key, to, size) : list_value(word, key, to, size);
}

/* A number of bytes as QEMU takes it: with k, M, G or T behind it. Returns 0 for other forms. */
static uint64_t bytes_of(const char *text)
{
    static const char units[] = "kmgt";
    char *end;
    uint64_t number = *text >= '0' && *text <= '9' ? strtoull(text, &end, 0) : 0;
    const char *unit;

    if (number == 0 || *end == '\0')
        return number;
    unit = strchr(units, *end | 0x20);
    if (unit == NULL || end[1] != '\0')
        return 0;
    return number << 10 * (unit - units + 1);
}

static void read_object(struct qemu *qemu, const char *word)
{
    char type[64], text[64];

    if (strncmp(word, "memory-backend-file", 19) != 0 &&
        !(value_of(word, "qom-type", type, sizeof(type)) &&
          strcmp(type, "memory-backend-file") == 0))
        return;
    qemu->num_files++;
    if (!value_of(word, "mem-path", qemu->path, sizeof(qemu->path)))
        qemu->path[0] = '\0';
    qemu->num_bytes = value_of(word, "size", text, sizeof(text)) ? bytes_of(text) : 0;
    qemu->is_shared = value_of(word, "share", text, sizeof(text)) &&
                      (strcmp(text, "on") == 0 || strcmp(text, "true") == 0 ||
                       strcmp(text, "yes") == 0);
}

/* Read the options of the command line that was read last. */
static void read_options_of_qemu(struct qemu *qemu)
{
    const char *const end = command_line + command_len, *word, *value;
    char text[64];

    memset(qemu, 0, sizeof(*qemu));
    for (word = command_line; word < end; word = value) {
        value = word + strlen(word) + 1;
        if (word[0] != '-' || value >= end)
            continue;
        word += word[1] == '-' ? 2 : 1;
        if (strcmp(word, "object") == 0)
            read_object(qemu, value);
        if (strcmp(word, "M") == 0 || strcmp(word, "machine") == 0) {
            qemu->is_q35 = strncmp(value, "q35", 3) == 0 || strncmp(value, "pc-q35", 6) == 0 ||
                           (value_of(value, "type", text, sizeof(text)) &&
                            strstr(text, "q35") != NULL);
            qemu->has_other_split = value_of(value, "max-ram-below-4g", text, sizeof(text));
        }
    }
}

/* Make the path of the file absolute: it is relative to the working directory of QEMU. */
static void absolute_path(struct qemu *qemu, long pid)
{
    char path[sizeof(qemu->path) + 32];

    if (qemu->path[0] == '/' || qemu->path[0] == '\0')
        return;
    snprintf(path, sizeof(path), "/proc/%ld/cwd/%s", pid, qemu->path);
    if (strlen(path) < sizeof(qemu->path))
        memcpy(qemu->path, path, strlen(path) + 1);
}

/* The number in a pid file; 0 when the file is not one. */
static long pid_in(const char *path)
{
    char text[32] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n;
    char *end;
    long pid;

    if (fd < 0)
        die(NO_FILE, "%s: %s", path, strerror(errno));
    n = read(fd, text, sizeof(text) - 1);
    (void)close(fd);
    if (n <= 0 || text[0] < '1' || text[0] > '9')
        return 0;
    pid = strtol(text, &end, 10);
    return end + strspn(end, " \r\n") == text + n ? pid : 0;
}

/* Find the process whose command line names this file as memory. Listing /proc takes heap memory of
 * the C library: it happens once, before the library is used. */
static long pid_of_file(const char *path, struct qemu *qemu)
{
    const struct dirent *entry;
    struct stat mine, its;
    DIR *proc = opendir("/proc");
    long pid, found = 0;
    int fd;

    if (stat(path, &mine) != 0 || proc == NULL)
        die(NO_FILE, "%s: %s", path, strerror(errno));
    while (found == 0 && (entry = readdir(proc)) != NULL) {
        pid = strtol(entry->d_name, NULL, 10);
        fd = pid > 0 ? command_read(pid) : -1;
        if (fd < 0)
            continue;
        (void)close(fd);
        read_options_of_qemu(qemu);
        absolute_path(qemu, pid);
        if (qemu->path[0] != '\0' && stat(qemu->path, &its) == 0 && its.st_ino == mine.st_ino &&
            its.st_dev == mine.st_dev)
            found = pid;
    }
    (void)closedir(proc);
    if (found == 0)
        die(NO_FILE, "%s: neither a pid file nor the memory of a QEMU that runs here", path);
    return found;
}

/* Set the target's file, length and split from the command line of a QEMU. `path`: its pid file, or
 * the file with the memory of its guest. */
static void target_of_qemu(struct target *target, const char *path)
{
    static struct qemu qemu;
    const long pid = pid_in(path);
    struct stat file;

    target->qemu = pid != 0 ? pid : pid_of_file(path, &qemu);
    target->qemu_fd = command_read(target->qemu);
    if (target->qemu_fd < 0 || command_len == 0)
        die(TARGET_ENDED, "%s: the target ended: there is no process %ld", path, target->qemu);
    read_options_of_qemu(&qemu);
    absolute_path(&qemu, target->qemu);
    if (qemu.num_files != 1 || qemu.path[0] == '\0')
        die(NO_FILE, "process %ld has %s: its memory must be one -object memory-backend-file",
            target->qemu, qemu.num_files > 1 ? "several files of memory" : "no file of memory");
    if (!qemu.is_shared)
        die(NO_FILE, "%s: process %ld has no share=on: the file does not get what the guest writes",
            qemu.path, target->qemu);
    target->path = qemu.path;
    if (qemu.num_bytes == 0 && stat(qemu.path, &file) == 0)
        qemu.num_bytes = (uint64_t)file.st_size;
    target->num_bytes = qemu.num_bytes;
    if (target->split != 0 || qemu.num_bytes <= Q35_SPLIT)
        return;
    if (!qemu.is_q35 || qemu.has_other_split)
        die(WRONG_ARGUMENTS, "%s: only of q35 without max-ram-below-4g the split is known; give "
            "--split", qemu.path);
    target->split = qemu.num_bytes >= Q35_SPLIT_FROM ? Q35_SPLIT : 0;
}

#endif
