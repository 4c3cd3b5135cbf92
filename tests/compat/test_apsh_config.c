/* App Shield with files of tools/apsh-config: the tool reads type information, symbols and a map of
 * memory of the machine of apsh_image.h, and the library reads what it writes. The argument of the
 * build is the path of the tool. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_files.h"
#include "apsh_shield.h"

#include <stdarg.h>
#include <sys/wait.h>

static char folder[64];

static const char *place(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];

    (void)snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

/* Write the files that the kernel of the image would have in /sys and /proc. */
static void write_inputs(const struct image *image)
{
    unsigned n;
    size_t len = (size_t)(image->btf_end - image->btf);

    memcpy(files_text, image_ram + image->btf, len);
    files_len = len;
    files_put(place("btf"));
    files_len = 0;
    files_add("%016llx T _text\n", (unsigned long long)(IMAGE_KERNEL + image->delta));
    files_add("%016llx D init_top_pgt\n", (unsigned long long)(image->root + image->delta));
    for (n = 0; n < image->num_symbols; n++)
        files_add("%016llx D %s\n", (unsigned long long)image->symbols[n].addr,
                  image->symbols[n].name);
    files_add("%016llx t init_task\t[module]\n", (unsigned long long)image->delta);
    files_put(place("kallsyms"));
    files_len = 0;
    files_add("00000000-00000fff : Reserved\n00001000-%08x : System RAM\n", IMAGE_BYTES - 1);
    files_add("  %08x-%08x : Kernel code\n", IMAGE_KERNEL, IMAGE_KERNEL + 0xfffff);
    files_put(place("iomem"));
    files_len = 0;
    files_add("%s", (const char *)image_ram + image->banner);
    files_put(place("version"));
}

static void run_tool(void)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    int status = -1, null;
    pid_t pid = fork();

    if (pid == 0) {
        null = open("/dev/null", O_WRONLY);
        if (chdir(folder) == 0 && dup2(null, STDOUT_FILENO) >= 0)
            execlp("python3", "python3", "-B", DOCA_TEST_APSH_CONFIG, "--btf", "btf", "--kallsyms",
                   "kallsyms", "--iomem", "iomem", "--version", "version", "-o", ".",
                   (char *)NULL);
        _exit(127);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
    heap_trap_set(mode);
}

static void library_reads_what_the_tool_writes(void)
{
    static const char *const names[] = { "btf",          "kallsyms",         "iomem", "version",
                                         "symbols.json", "mem_regions.json", "kpgd_file.conf" };
    static const struct image_options rows[] = {
        { 4, 21, 0x0e400000, 20, 0, 0, 0, 0, NULL, 6, 0, 0, 0 },
        { 5, 21, 0, 20, 1, 0, 1, 0, NULL, 6, 0, 0, 0 },
    };
    struct doca_apsh_process **processes;
    struct doca_core_apsh_stats stats;
    struct image image;
    struct shield s;
    size_t i, k;
    int num;

    for (i = 0; i < 4; i++) {
        strcpy(folder, "/tmp/doca_core_config.XXXXXX");
        CHECK(mkdtemp(folder) != NULL);
        image_make(&image, &rows[i / 2]);
        write_inputs(&image);
        run_tool();
        if (i % 2 != 0)
            files_strip(&image);
        image_write(&image);
        s = shield_prepare(image.path);
        CHECK_OK(doca_apsh_sys_os_symbol_map_set(s.system, place("symbols.json")));
        CHECK_OK(doca_apsh_sys_mem_region_set(s.system, place("mem_regions.json")));
        CHECK_OK(doca_apsh_sys_kpgd_file_set(s.system, place("kpgd_file.conf")));
        CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_WARNING));
        test_log_lines = 0;
        CHECK_OK(doca_apsh_system_start(s.system));
        CHECK_EQ(test_log_lines, 0); /* the files and the memory agree */
        CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_DEBUG));
        CHECK_OK(doca_core_apsh_sys_get_stats(s.system, &stats));
        CHECK(stats.num_tasks < IMAGE_BYTES / 4096); /* the memory was not searched */
        CHECK_OK(doca_apsh_processes_get(s.system, &processes, &num));
        CHECK_EQ(num, 20);
        for (k = 0; k < 20; k++) {
            CHECK_EQ(doca_apsh_process_info_get(processes[k], DOCA_APSH_PROCESS_PID),
                     image_pid((unsigned)k + 1));
            CHECK_EQ(doca_apsh_process_info_get(processes[k], DOCA_APSH_PROCESS_LINUX_UID),
                     1001 + k);
        }
        doca_apsh_processes_free(processes);
        shield_close(&s, &image);
        for (k = 0; k < sizeof(names) / sizeof(names[0]); k++)
            CHECK(unlink(place(names[k])) == 0);
        CHECK(rmdir(folder) == 0);
    }
}

static const struct test_case cases[] = {
    CASE(library_reads_what_the_tool_writes, ""),
};

TEST_MAIN(cases)
