/* Write the memory of a machine that runs a small Linux (apsh_image.h) to a file, or change a file
 * that was written before:
 *     apsh_ram FILE [TASKS MODULES BUSY [NAME]]
 * TASKS and MODULES are their numbers (20 and 6). BUSY is added to the CPU time of task 3, in
 * nanoseconds (0). NAME is the name of task 2; its characters may be of any kind. */
#include "apsh_image.h"

int main(int argc, char **argv)
{
    static struct image_options options = { 4, 21, 0x0e400000, 20, 0, 0, 0, 0, NULL, 6, 0, 0, 0 };
    static struct image image;
    static char had[4096];
    uint64_t at;
    char comm[16] = "";
    int fd;

    (void)test_main; /* this is no test */
    if (argc < 2 || setjmp(test_leave) != 0)
        return 1;
    if (argc > 2)
        options.num_tasks = (unsigned)strtoul(argv[2], NULL, 10);
    if (argc > 3)
        options.num_modules = (unsigned)strtoul(argv[3], NULL, 10);
    image_make(&image, &options);
    if (argc > 4)
        image_u64(image.tasks[3] + IMAGE_UTIME,
                  image_get(image.tasks[3] + IMAGE_UTIME) + strtoull(argv[4], NULL, 10));
    if (argc > 5) {
        (void)snprintf(comm, sizeof(comm), "%s", argv[5]);
        image_put(image.tasks[2] + IMAGE_COMM, comm, sizeof(comm));
    }
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
