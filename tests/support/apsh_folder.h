/* A folder for the files that a case sets for a system of App Shield, and the system's start. */
#ifndef APSH_FOLDER_H
#define APSH_FOLDER_H

#include "apsh_files.h"
#include "apsh_shield.h"

static const struct files_options plain = { 0, 0, 0, { NULL, NULL }, 0 };

static char folder[64]; /* of the files of a case */

static inline const char *place(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];

    (void)snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

static inline void folder_make(void)
{
    strcpy(folder, "/tmp/doca_core_files.XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
}

/* Remove these files, and then the folder. */
static inline void folder_remove(const char *const *names, size_t num)
{
    size_t i;

    for (i = 0; i < num; i++)
        CHECK(unlink(place(names[i])) == 0);
    CHECK(rmdir(folder) == 0);
}

static inline const char *put(const char *name)
{
    const char *path = place(name);

    files_put(path);
    return path;
}

static inline const char *put_text(const char *name, const char *text)
{
    files_len = 0;
    files_add("%s", text);
    return put(name);
}

/* Start a system with these files. NULL: the file is not set. */
static inline struct shield start_with(struct image *image, const char *map,
                                       const char *regions, const char *kpgd)
{
    struct shield s;

    image_write(image);
    s = shield_prepare(image->path);
    if (map != NULL)
        CHECK_OK(doca_apsh_sys_os_symbol_map_set(s.system, map));
    if (regions != NULL)
        CHECK_OK(doca_apsh_sys_mem_region_set(s.system, regions));
    if (kpgd != NULL)
        CHECK_OK(doca_apsh_sys_kpgd_file_set(s.system, kpgd));
    test_log_lines = 0;
    CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_WARNING));
    s.status = doca_apsh_system_start(s.system);
    CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_DEBUG));
    return s;
}

/* Check that the list of processes is that of the image. */
static inline void check_list(struct shield *s, unsigned want)
{
    struct doca_apsh_process **processes = NULL;
    int num = 0, i;

    CHECK_OK(s->status);
    CHECK_OK(doca_apsh_processes_get(s->system, &processes, &num));
    CHECK_EQ(num, want);
    for (i = 0; i < num; i++) {
        const unsigned n = (unsigned)i + 1;
        char comm[16];

        (void)snprintf(comm, sizeof(comm), n == 7 ? "fifteen-letters" : "task-%u", n);
        CHECK_EQ(doca_apsh_process_info_get(processes[i], DOCA_APSH_PROCESS_PID), image_pid(n));
        CHECK_EQ(doca_apsh_process_info_get(processes[i], DOCA_APSH_PROCESS_PPID),
                 image_pid(n / 2));
        CHECK_STR(doca_apsh_process_info_get(processes[i], DOCA_APSH_PROCESS_COMM), comm);
        CHECK_EQ(doca_apsh_process_info_get(processes[i], DOCA_APSH_PROCESS_LINUX_UID), 1000 + n);
    }
    doca_apsh_processes_free(processes);
}

#endif
