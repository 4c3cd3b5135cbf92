/* Injected faults: the syntax of texts, which calls a rule applies to, and the environment
 * variable. */
#include "fault_support.h"

#include <sys/stat.h>
#include <sys/wait.h>

static void text_is_accepted_or_refused_with_the_position(void)
{
    static const struct {
        const char *text;
        enum doca_core_item item; /* expected reason of the refusal; NONE: the text is accepted */
        unsigned place;           /* expected number of the wrong character */
    } texts[] = {
        { "", DOCA_CORE_ITEM_NONE, 0 },
        { "dma.submit=fail@3,dma.complete=delay:2us,seed=7", DOCA_CORE_ITEM_NONE, 0 },
        { "dma.submit=fail:NO_MEMORY@3+, *.complete=reorder:2%12.5 ,log=0", DOCA_CORE_ITEM_NONE,
          0 },
        { "*=fail@1", DOCA_CORE_ITEM_NONE, 0 },
        { "*.*=lose%0.001", DOCA_CORE_ITEM_NONE, 0 },
        { "event.open=delay:3,advise.flush=delay:1ms,sha.submit=truncate:0", DOCA_CORE_ITEM_NONE,
          0 },
        { "dma.complete=flip:4294967295%100,dma.complete=hold", DOCA_CORE_ITEM_NONE, 0 },
        { "seed=18446744073709551615", DOCA_CORE_ITEM_NONE, 0 },
        { "comch.open=delay:3,producer.submit=again,consumer.complete=hold,comch.connect=fail",
          DOCA_CORE_ITEM_NONE, 0 },
        { "rdma.complete=reorder:3,rdma.flush=delay:1ms,rdma.connect=lose,*.connect=fail@2",
          DOCA_CORE_ITEM_NONE, 0 },
        { "rdma_receive.complete=hold,rdma_send_imm.submit=again@2,rdma_atomic_cmp_swp.*=fail%3",
          DOCA_CORE_ITEM_NONE, 0 },
        { "rdma_remote_net_sync_event_notify_add.complete=delay:2us@1+", DOCA_CORE_ITEM_NONE, 0 },
        { "comm_channel.sendto=again,comm_channel.recvfrom=fail:EMPTY@2,rdma.export=lose,"
          "rdma.listen=fail",
          DOCA_CORE_ITEM_NONE, 0 },
        { "rdma_send.open=fail", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "rdma_write.flush=delay:1", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "rdma_add.submit=fail", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "rdma_send.complete=flip", DOCA_CORE_ITEM_FAULT_ACTION, 20 },
        { "comm_channel.sendto=delay:3", DOCA_CORE_ITEM_FAULT_ACTION, 21 },
        { "rdma.submit=truncate:3", DOCA_CORE_ITEM_FAULT_ACTION, 13 },
        { "comch.complete=flip", DOCA_CORE_ITEM_FAULT_ACTION, 16 },
        { "comch.connect=delay:3", DOCA_CORE_ITEM_FAULT_ACTION, 15 },
        { "dma.connect=fail", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { ",", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "dma.submit=fail,", DOCA_CORE_ITEM_FAULT_OPERATION, 17 },
        { "dma=fail", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "log=0,dma.finish=fail", DOCA_CORE_ITEM_FAULT_OPERATION, 7 },
        { "dma.submit", DOCA_CORE_ITEM_FAULT_ACTION, 11 },
        { "dma.submit=", DOCA_CORE_ITEM_FAULT_ACTION, 12 },
        { "dma.submit[", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "dma.submit{", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "dma.submit=explode", DOCA_CORE_ITEM_FAULT_ACTION, 12 },
        { "dma.submit=explode[", DOCA_CORE_ITEM_FAULT_ACTION, 12 },
        { "dma.submit=explode{", DOCA_CORE_ITEM_FAULT_ACTION, 12 },
        { "dma.submit=hold", DOCA_CORE_ITEM_FAULT_ACTION, 12 },
        { "event.complete=flip", DOCA_CORE_ITEM_FAULT_ACTION, 16 },
        { "dev.open=lose", DOCA_CORE_ITEM_FAULT_ACTION, 10 },
        { "dma.submit=fail:NOTHING", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail:SUCCESS", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.open=fail:IN_PROGRESS", DOCA_CORE_ITEM_FAULT_VALUE, 14 },
        { "dma.submit=again:3", DOCA_CORE_ITEM_FAULT_VALUE, 17 },
        { "dma.complete=delay", DOCA_CORE_ITEM_FAULT_VALUE, 19 },
        { "dma.complete=delay:", DOCA_CORE_ITEM_FAULT_VALUE, 19 },
        { "dma.complete=delay:2h", DOCA_CORE_ITEM_FAULT_VALUE, 19 },
        { "dma.complete=flip:2us", DOCA_CORE_ITEM_FAULT_VALUE, 18 },
        { "dma.complete=delay:4294967296", DOCA_CORE_ITEM_FAULT_VALUE, 19 },
        { "dma.complete=reorder:2147483648", DOCA_CORE_ITEM_FAULT_VALUE, 21 },
        { "dma.complete=flip:0", DOCA_CORE_ITEM_FAULT_VALUE, 18 },
        { "dma.submit=fail@0", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail@", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail@18446744073709551616", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail%0", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail%101", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail%100.001", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail%1.0001", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail%5.", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail@3 4", DOCA_CORE_ITEM_FAULT_VALUE, 18 },
        { "seed=", DOCA_CORE_ITEM_FAULT_VALUE, 6 },
        { "seed=7x", DOCA_CORE_ITEM_FAULT_VALUE, 7 },
        { "log=2", DOCA_CORE_ITEM_FAULT_VALUE, 5 },
    };
    char text[2048], where[40];
    unsigned i;

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (texts[i].item == DOCA_CORE_ITEM_NONE) {
            CHECK_OK(doca_core_fault_set(texts[i].text));
            continue;
        }
        CHECK_RC(doca_core_fault_set(texts[i].text), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(doca_core_last_item(), texts[i].item);
        snprintf(where, sizeof(where), "at character %u: ", texts[i].place);
        if (strstr(test_log_text, where) == NULL)
            test_fail(__FILE__, __LINE__, "%s: want %s", texts[i].text, where);
    }
    for (i = 0, text[0] = '\0'; i < DOCA_CORE_FAULT_MAX_RULES; i++)
        strcat(text, i == 0 ? "*=fail@9" : ",*=fail@9");
    CHECK_OK(doca_core_fault_set(text));
    strcat(text, ",seed=2,*=fail@9");
    CHECK_RC(doca_core_fault_set(text), DOCA_ERROR_TOO_BIG);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_FAULT_TOO_MANY);
    CHECK_OK(doca_core_fault_set(NULL));
}

static void refused_text_changes_nothing(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    fault_open(&r, "dma.submit=fail:FULL");
    CHECK_RC(doca_core_fault_set("dma.submit=fail:EMPTY,dma.submit=fail:NOTHING"),
             DOCA_ERROR_INVALID_VALUE);
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(rig_submit(task), DOCA_ERROR_FULL);
    rig_release(task);
    fault_close(&r);
}

static void kth_submit_fails_and_returns_the_task(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.submit=fail:NO_MEMORY@3");
    for (i = 1; i <= NUM; i++) {
        task = rig_prepare(&r, r.dma, 0, 64);
        CHECK_RC(rig_submit(task), i == 3 ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS);
        if (i == 3)
            rig_release(task);
        else
            fault_wait(&r, i < 3 ? i : i - 1);
    }
    CHECK_EQ(r.num_ok, NUM - 1);
    fault_close(&r);
}

static void first_matching_rule_applies(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    fault_open(&r, "dma.submit=fail:FULL@1,dma.submit=fail:EMPTY@1,dma.submit=fail:EMPTY@2");
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(rig_submit(task), DOCA_ERROR_FULL);
    CHECK_RC(rig_submit(task), DOCA_ERROR_EMPTY);
    CHECK_EQ(doca_core_fault_get_num(), 2); /* the second rule had no effect */
    CHECK_OK(rig_submit(task));
    fault_wait(&r, 1);
    fault_close(&r);

    fault_open(&r, "dma.complete=flip@1,dma.complete=fail@1,dma.complete=flip@1,"
                   "dma.complete=delay:3,dma.complete=delay:0");
    fault_submit(&r, 2);
    fault_progress(&r, 3);
    CHECK_EQ(ended.num, 0);
    fault_wait(&r, 2);
    CHECK_RC(ended.status[0], DOCA_ERROR_IO_FAILED);
    CHECK_EQ(doca_core_fault_get_num(), 3); /* fail and delay for one task, delay for the other */
    fault_close(&r);
}

static void all_tasks_fail_from_the_kth_on(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.submit=again@4+");
    fault_submit(&r, 3);
    for (i = 0; i < 5; i++) {
        task = rig_prepare(&r, r.dma, 0, 64);
        CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_QUEUE_FULL);
        rig_release(task);
    }
    CHECK_OK(doca_core_fault_set(""));
    fault_submit(&r, 3);
    fault_wait(&r, 6);
    fault_close(&r);
}

static void seed_determines_random_faults(void)
{
    static const char *const texts[] = { "dma.submit=again%30,seed=7", "dma.submit=again%30,seed=7",
                                         "dma.submit=again%30,seed=8" };
    char outcomes[3][201];
    struct doca_dma_task_memcpy *task;
    unsigned i, n, num;
    doca_error_t rc;
    struct rig r;

    fault_open(&r, "");
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_core_fault_set(texts[i]));
        for (n = num = 0; n < 200; n++) {
            task = rig_prepare(&r, r.dma, 0, 64);
            rc = rig_submit(task);
            outcomes[i][n] = rc == DOCA_SUCCESS ? '.' : 'x';
            num += rc != DOCA_SUCCESS;
            if (rc != DOCA_SUCCESS)
                rig_release(task);
            ended.num = 0;
            fault_wait(&r, rc == DOCA_SUCCESS ? 1 : 0);
        }
        outcomes[i][n] = '\0';
        CHECK(num > 35 && num < 85);
        CHECK_EQ(doca_core_fault_get_num(), num);
    }
    CHECK_STR(outcomes[0], outcomes[1]);
    CHECK(strcmp(outcomes[0], outcomes[2]) != 0);
    fault_close(&r);
}

static void kth_completion_fails_and_nothing_is_written(void)
{
    struct rig r;

    fault_open(&r, "dma.complete=fail:AUTHENTICATION@2");
    fault_submit(&r, 2);
    fault_wait(&r, 2);
    CHECK_RC(ended.status[0], DOCA_SUCCESS);
    CHECK_RC(ended.status[1], DOCA_ERROR_AUTHENTICATION);
    CHECK_EQ(ended.which[1], 1);
    CHECK_EQ(ended.len[0], 64);
    CHECK_EQ(ended.len[1], 0);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_FAULT_FAIL);
    CHECK_EQ(rig_to[63], rig_from[63]);
    CHECK_EQ(rig_to[64], 0xee);
    CHECK(rig_state(r.ctx) != DOCA_CTX_STATE_RUNNING); /* a failed task stops its context */
    fault_close(&r);
}

/* A start that fails writes one log line, with the fault as the reason. */
static void kth_start_fails(void)
{
    struct rig r;

    fault_open(&r, "dma.open=fail:FULL@1");
    rig_stop(&r, r.ctx);
    test_log_lines = 0;
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_FULL);
    CHECK_EQ(test_log_lines, 1);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_FAULT_FAIL);
    CHECK_OK(doca_ctx_start(r.ctx));
    fault_close(&r);
}

static void failed_task_ends_in_order(void)
{
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.complete=fail@4");
    fault_submit(&r, NUM);
    fault_wait(&r, NUM);
    for (i = 0; i < NUM; i++)
        CHECK_EQ(ended.which[i], i);
    for (i = 0; i < 3; i++)
        CHECK_RC(ended.status[i], DOCA_SUCCESS);
    CHECK_RC(ended.status[3], DOCA_ERROR_IO_FAILED);
    fault_close(&r);
}

static void without_a_text_no_faults_are_injected(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_dma *dma;
    size_t before, after;
    struct rig r;

    rig_open(&r, 4);
    r.frees_tasks = true;
    CHECK_PTR(r.dev->backend, r.dev->info.backend);
    CHECK_OK(doca_core_fault_set("*=fail")); /* has no effect on a device that is open already */
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_OK(rig_submit(task));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_OK(doca_dma_create(r.dev, &dma));
    CHECK_OK(doca_core_bytes_dma(r.dev, 4, &before));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_core_fault_set(NULL));
    rig_close(&r);
    fault_open(&r, "");
    CHECK(r.dev->backend != r.dev->info.backend);
    CHECK_OK(doca_core_bytes_dma(r.dev, 4, &after));
    CHECK_EQ(after, before + DOCA_CORE_BYTES_FAULT_QUEUE(4));
    fault_close(&r);
}

static void injected_faults_are_recorded(void)
{
    struct doca_core_fault_record record;
    struct doca_dma_task_memcpy *task;
    struct rig r;
    unsigned i;

    fault_open(&r, "seed=3,dma.complete=delay:1@1,dma.submit=fail:FULL@2+");
    fault_submit(&r, 1);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_FAULT_DELAY);
    CHECK(strstr(test_log_text, "dma.complete: task 0x") != NULL);
    task = rig_prepare(&r, r.dma, 64, 64);
    for (i = 0; i < 2 * DOCA_CORE_FAULT_MAX_RECORDS; i++)
        CHECK_RC(rig_submit(task), DOCA_ERROR_FULL);
    CHECK_EQ(doca_core_fault_get_num(), i + 1);
    CHECK_RC(doca_core_fault_get_record(i + 1 - DOCA_CORE_FAULT_MAX_RECORDS, &record),
             DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_core_fault_get_record(0, &record), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_core_fault_get_record(i + 2, &record), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_core_fault_get_record(1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_fault_get_record(i + 1, &record));
    CHECK_EQ(record.number, i + 1);
    CHECK_STR(record.operation, "dma.submit");
    CHECK_STR(record.action, "fail");
    CHECK_EQ(record.nth, i + 1);
    CHECK_EQ(record.rule, 1);
    CHECK_RC(record.code, DOCA_ERROR_FULL);
    CHECK_OK(doca_core_fault_set("log=0,dma.submit=fail@1"));
    CHECK_EQ(doca_core_fault_get_num(), 0);
    test_log_lines = 0;
    CHECK_RC(rig_submit(task), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(test_log_lines, 1); /* the line of submit; log=0 hides the line of the fault */
    CHECK_EQ(doca_core_fault_get_num(), 1);
    CHECK_OK(rig_submit(task));
    fault_wait(&r, 2);
    fault_close(&r);
}

/* Run one case of `program` in a new process with DOCA_CORE_FAULT=text. Return its exit status. */
static int run_again(const char *program, const char *name, const char *text)
{
    char how[96];
    int status = -1;
    pid_t pid = fork();

    if (pid == 0) {
        setenv("DOCA_CORE_FAULT", text, 1);
        execl(program, program, name, (char *)NULL);
        _exit(99);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    if (!WIFEXITED(status))
        test_fail(__FILE__, __LINE__, "%s %s: %s", program, name, peer_how(status, how));
    return WEXITSTATUS(status);
}

/* Without DOCA_CORE_FAULT, the case runs itself in two new processes with the variable set. With
 * the variable, it checks the effect of the text. */
static void environment_is_read_once(void)
{
    const char *text = getenv("DOCA_CORE_FAULT");
    struct doca_dma_task_memcpy *task;
    enum heap_trap_mode mode;
    struct rig r;

    if (text == NULL) {
        mode = heap_trap_set(HEAP_TRAP_OFF);
        CHECK_EQ(run_again("/proc/self/exe", "environment_is_read_once", "dma.submit=fail@1"), 0);
        CHECK_EQ(run_again("/proc/self/exe", "environment_is_read_once", "dma.submit=fault@1"), 0);
        heap_trap_set(mode);
        return;
    }
    rig_open(&r, 4);
    r.frees_tasks = true;
    if (strstr(text, "fault") != NULL) /* this text is wrong: it is logged and has no effect */
        CHECK_PTR(r.dev->backend, r.dev->info.backend);
    task = rig_prepare(&r, r.dma, 0, 64);
    if (strstr(text, "fault") == NULL)
        CHECK_RC(rig_submit(task), DOCA_ERROR_IO_FAILED);
    CHECK_OK(rig_submit(task));
    rig_drain(&r);
    rig_close(&r);
}

/* A copy of this program with set-user-ID must not obey the environment of its caller. */
static void environment_of_setuid_programs_is_ignored(void)
{
    const char *text = getenv("DOCA_CORE_FAULT");
    char path[] = "/tmp/doca_fault_XXXXXX", command[128];
    enum heap_trap_mode mode;
    struct rig r;
    int fd;

    if (text != NULL) {
        if (getuid() == geteuid())
            test_skip("the file system of /tmp ignores set-user-ID");
        rig_open(&r, 4);
        CHECK_PTR(r.dev->backend, r.dev->info.backend);
        rig_close(&r);
        return;
    }
#ifdef __SANITIZE_ADDRESS__
    test_skip("the sanitizer traces this process");
#endif
    if (getuid() != 0)
        test_skip("only root can make a program of another user with set-user-ID");
    mode = heap_trap_set(HEAP_TRAP_OFF);
    fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    snprintf(command, sizeof(command), "cp /proc/%d/exe %s", (int)getpid(), path);
    CHECK_EQ(system(command), 0);
    CHECK(chown(path, 65534, 65534) == 0 && chmod(path, 04755) == 0);
    fd = run_again(path, "environment_of_setuid_programs_is_ignored", "*=fail");
    unlink(path);
    heap_trap_set(mode);
    if (fd == 77)
        test_skip("the file system of /tmp ignores set-user-ID");
    CHECK_EQ(fd, 0);
}

static const struct test_case cases[] = {
    CASE(text_is_accepted_or_refused_with_the_position, ""),
    CASE(refused_text_changes_nothing, ""),
    CASE(kth_submit_fails_and_returns_the_task, ""),
    CASE(first_matching_rule_applies, ""),
    CASE(all_tasks_fail_from_the_kth_on, ""),
    CASE(seed_determines_random_faults, ""),
    CASE(kth_start_fails, ""),
    CASE(kth_completion_fails_and_nothing_is_written, "187 199 235"),
    CASE(failed_task_ends_in_order, "197"),
    CASE(without_a_text_no_faults_are_injected, ""),
    CASE(injected_faults_are_recorded, ""),
    CASE_OF_SW(environment_is_read_once, "", "its list of devices is made inside the case"),
    CASE_OF_SW(environment_of_setuid_programs_is_ignored, "",
               "its list of devices is made inside the case"),
};

TEST_MAIN(cases)
