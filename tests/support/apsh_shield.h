/* Starts App Shield on a memory image that apsh_image.h wrote to a file. The software device reads
 * that file as the memory of the represented machine. */
#ifndef APSH_SHIELD_H
#define APSH_SHIELD_H

#include "apsh_image.h"

#define PAGES 512u

struct shield { /* a system of App Shield, started unless `status` is an error */
    struct doca_dev *dev;
    struct doca_dev_rep *rep;
    struct doca_apsh_ctx *ctx;
    struct doca_apsh_system *system;
    doca_error_t status; /* result of doca_apsh_system_start() */
};

/* Create and configure a system for the machine whose memory is the file at `path`. */
static inline struct shield shield_prepare(const char *path)
{
    struct doca_devinfo_rep **reps;
    struct doca_devinfo **list;
    struct shield s = { 0 };
    char text[256];
    uint32_t num;

    (void)snprintf(text, sizeof(text), "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram=%s",
                   path);
    CHECK_OK(doca_core_sw_set_topology(text));
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_OK(doca_dev_open(list[0], &s.dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_devinfo_rep_create_list(s.dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num));
    CHECK_OK(doca_dev_rep_open(reps[0], &s.rep));
    CHECK_OK(doca_devinfo_rep_destroy_list(reps));
    s.ctx = doca_apsh_create();
    CHECK_OK(doca_apsh_dma_dev_set(s.ctx, s.dev));
    CHECK_OK(doca_apsh_start(s.ctx));
    s.system = doca_apsh_system_create(s.ctx);
    CHECK_OK(doca_apsh_sys_dev_set(s.system, s.rep));
    CHECK_OK(doca_apsh_sys_os_type_set(s.system, DOCA_APSH_SYSTEM_LINUX));
    CHECK_OK(doca_core_apsh_sys_set_cache(s.system, PAGES));
    return s;
}

/* Write the image and start a system on it. The start may fail. */
static inline struct shield shield_open(struct image *image)
{
    struct shield s;

    image_write(image);
    s = shield_prepare(image->path);
    test_log_lines = 0;
    s.status = doca_apsh_system_start(s.system);
    return s;
}

static inline void shield_close(struct shield *s, struct image *image)
{
    test_log_lines = 0;
    doca_apsh_system_destroy(s->system);
    doca_apsh_destroy(s->ctx);
    CHECK_EQ(test_log_lines, 0);
    CHECK_OK(doca_dev_rep_close(s->rep));
    CHECK_OK(doca_dev_close(s->dev));
    CHECK_OK(doca_core_sw_set_topology(NULL));
    image_remove(image);
}

static const struct image_options usual = { 4, 21, 0x0e400000, 20, 0, 0, 0, 0, NULL, 6, 0, 0, 0 };

/* Write the image and start a system on it. The start must succeed without a line in the log. */
static inline struct shield shield_start(struct image *image)
{
    struct shield s = shield_open(image);

    CHECK_OK(s.status);
    CHECK_EQ(test_log_lines, 0);
    return s;
}

/* Write a 64-bit number to the memory of the target machine while the system runs. */
static inline void shield_poke(const struct image *image, uint64_t at, uint64_t value)
{
    int fd = open(image->path, O_RDWR);

    CHECK(fd >= 0 && pwrite(fd, &value, sizeof(value), (off_t)at) == sizeof(value));
    CHECK(close(fd) == 0);
}

/* Return the list of processes. The caller frees it. */
static inline struct doca_apsh_process **shield_processes(struct shield *s)
{
    struct doca_apsh_process **processes = NULL;
    int num;

    CHECK_OK(doca_apsh_processes_get(s->system, &processes, &num));
    return processes;
}

#endif
