/* Write the memory of a machine that runs a small Linux (apsh_image.h) to a file, or change a file
 * that was written before: apsh_ram FILE [KEY=VALUE]...
 *     tasks=20  modules=6   their numbers
 *     busy=0                nanoseconds of additional CPU time of task 3
 *     name=task-2           name of task 2; its characters may be of any kind
 *     pid=106               number of task 2
 *     kaslr=0xe400000       distance by which the kernel was moved
 */
#include "apsh_image.h"

/* The value of a key in the arguments, or NULL. */
static const char *value_of(char **argv, const char *key)
{
    const size_t len = strlen(key);

    for (argv += 2; *argv != NULL; argv++)
        if (strncmp(*argv, key, len) == 0 && (*argv)[len] == '=')
            return *argv + len + 1;
    return NULL;
}

static uint64_t number_of(char **argv, const char *key, uint64_t without)
{
    const char *value = value_of(argv, key);

    return value != NULL ? strtoull(value, NULL, 0) : without;
}

static void make(struct image *image, char **argv)
{
    struct image_options options = { 4, 21, 0, 0, 0, 0, 0, 0, NULL, 0, 0, 0, 0 };
    const char *name = value_of(argv, "name");
    char comm[16] = "task-2";

    options.num_tasks = (unsigned)number_of(argv, "tasks", 20);
    options.num_modules = (unsigned)number_of(argv, "modules", 6);
    options.kaslr = number_of(argv, "kaslr", 0x0e400000);
    image_make(image, &options);
    image_u64(image->tasks[3] + IMAGE_UTIME,
              image_get(image->tasks[3] + IMAGE_UTIME) + number_of(argv, "busy", 0));
    if (name != NULL)
        (void)snprintf(comm, sizeof(comm), "%s", name);
    image_put(image->tasks[2] + IMAGE_COMM, comm, sizeof(comm));
    image_u32(image->tasks[2] + IMAGE_PID, (uint32_t)number_of(argv, "pid", image_pid(2)));
}

int main(int argc, char **argv)
{
    static struct image image;
    static char had[4096];
    uint64_t at;
    int fd;

    (void)test_main; /* this is no test */
    if (argc < 2 || setjmp(test_leave) != 0)
        return 1;
    make(&image, argv);
    fd = open(argv[1], O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, IMAGE_BYTES) != 0)
        return 1;
    for (at = 0; at < IMAGE_BYTES; at += sizeof(had)) /* pages of zeros stay holes */
        if (pread(fd, had, sizeof(had), (off_t)at) != sizeof(had) ||
            (memcmp(had, image_ram + at, sizeof(had)) != 0 &&
             pwrite(fd, image_ram + at, sizeof(had), (off_t)at) != sizeof(had)))
            return 1;
    return close(fd) != 0;
}
