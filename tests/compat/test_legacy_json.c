/* Uses the export descriptor as programs of DOCA 1.4 do. The host sends strlen() + 1 bytes of the
 * descriptor to another process. That process parses them with json-c for `addr` and `len`, creates
 * an mmap from the same text, and copies from it. json-c may allocate heap memory. */
#define DOCA_CORE_LEGACY 10300
#include "doca_core_legacy.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define LEN 5000u
#define ROOM 1024u /* size of the descriptor buffer in the samples of 1.4 */

static void check(bool is_true, const char *text, int line)
{
    if (is_true)
        return;
    fprintf(stderr, "test_legacy_json.c:%d: %s (%s)\n", line, text, doca_core_last_error());
    _exit(1);
}
#define CHECK(x) check((x), #x, __LINE__)
#define CHECK_OK(x) check((x) == DOCA_SUCCESS, #x, __LINE__)

static struct doca_dev *open_first(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;

    CHECK_OK(doca_devinfo_list_create(&list, &num));
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_list_destroy(list));
    return dev;
}

static struct doca_mmap *map_for(struct doca_dev *dev, void *addr, size_t len)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create("map", &mmap));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_dev_add(mmap, dev));
    CHECK_OK(doca_mmap_populate(mmap, addr, len, 4096, NULL, NULL));
    return mmap;
}

static void host(int peer)
{
    struct doca_dev *dev = open_first();
    char *memory = malloc(LEN), word;
    struct doca_mmap *mmap;
    void *desc;
    size_t len, i;

    CHECK(memory != NULL);
    for (i = 0; i < LEN; i++)
        memory[i] = (char)(i * 7 + 3);
    mmap = map_for(dev, memory, LEN);
    CHECK_OK(doca_mmap_export(mmap, dev, &desc, &len));
    CHECK(len == strlen((const char *)desc) + 1 && len <= ROOM);
    CHECK(write(peer, desc, strlen((const char *)desc) + 1) == (ssize_t)len);
    free(desc);
    CHECK(read(peer, &word, 1) == 1);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
    free(memory);
}

/* Copy all memory that the text describes, and compare. */
static void copy_from(struct doca_dev *dev, const void *desc, size_t desc_len, void *addr,
                      size_t len)
{
    static char to[LEN];
    struct doca_buf_inventory *inventory;
    struct doca_dma_job_memcpy job;
    struct doca_mmap *imported, *local;
    struct doca_buf *src, *dst;
    struct doca_workq *workq;
    struct doca_event event;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    doca_error_t rc;
    size_t i;

    memset(to, 0, sizeof(to));
    CHECK_OK(doca_mmap_create_from_export("remote", desc, desc_len, dev, &imported));
    local = map_for(dev, to, sizeof(to));
    CHECK_OK(doca_buf_inventory_create("bufs", 2, DOCA_BUF_EXTENSION_NONE, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_buf_inventory_buf_by_addr(inventory, imported, addr, len, &src));
    CHECK_OK(doca_buf_inventory_buf_by_addr(inventory, local, to, len, &dst));
    CHECK_OK(doca_dma_create(&dma));
    ctx = doca_dma_as_ctx(dma);
    CHECK_OK(doca_ctx_dev_add(ctx, dev));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_workq_create(1, &workq));
    CHECK_OK(doca_ctx_workq_add(ctx, workq));
    memset(&job, 0, sizeof(job));
    job.base.type = DOCA_DMA_JOB_MEMCPY;
    job.base.ctx = ctx;
    job.src_buff = src;
    job.dst_buff = dst;
    job.num_bytes_to_copy = len;
    CHECK_OK(doca_workq_submit(workq, &job.base));
    while ((rc = doca_workq_progress_retrieve(workq, &event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE)) ==
           DOCA_ERROR_AGAIN)
        continue;
    CHECK_OK(rc);
    for (i = 0; i < len; i++)
        CHECK(to[i] == (char)(i * 7 + 3));
    CHECK_OK(doca_buf_refcount_rm(src, NULL));
    CHECK_OK(doca_buf_refcount_rm(dst, NULL));
    CHECK_OK(doca_ctx_workq_rm(ctx, workq));
    CHECK_OK(doca_workq_destroy(workq));
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_OK(doca_ctx_dev_rm(ctx, dev));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(local));
    CHECK_OK(doca_mmap_destroy(imported));
}

/* Check that this text, which is not a descriptor, is refused. */
static void check_refused(struct doca_dev *dev, const char *text)
{
    struct doca_mmap *imported;

    check(doca_mmap_create_from_export("x", text, strlen(text) + 1, dev, &imported) ==
              DOCA_ERROR_INVALID_VALUE,
          text, __LINE__);
}

static void dpu(int peer)
{
    struct json_object *json, *addr, *len, *inner;
    struct doca_dev *dev = open_first();
    char text[ROOM + 64], cut[ROOM];
    const char *again;
    ssize_t bytes;
    size_t n;

    memset(text, 'x', sizeof(text)); /* no NUL behind the received bytes */
    bytes = read(peer, text, ROOM);
    CHECK(bytes > 0 && text[bytes - 1] == '\0');
    json = json_tokener_parse(text);
    CHECK(json != NULL);
    CHECK(json_object_object_get_ex(json, "addr", &addr));
    CHECK(json_object_object_get_ex(json, "len", &len));
    CHECK(json_object_get_int64(len) == LEN);

    copy_from(dev, text, (size_t)bytes, (void *)(uintptr_t)json_object_get_int64(addr),
              (size_t)json_object_get_int64(len));
    copy_from(dev, text, (size_t)bytes - 1, (void *)(uintptr_t)json_object_get_int64(addr), 7);
    copy_from(dev, text, sizeof(text), (void *)(uintptr_t)json_object_get_int64(addr), LEN);

    /* the same descriptor as json-c writes it, with an additional member that contains the key */
    inner = json_object_new_object();
    json_object_object_add(inner, "doca_core_export", json_object_new_string("not the descriptor"));
    json_object_object_add(json, "program", inner);
    again = json_object_to_json_string_ext(json, JSON_C_TO_STRING_PRETTY);
    copy_from(dev, again, strlen(again) + 1, (void *)(uintptr_t)json_object_get_int64(addr), LEN);
    again = json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN);
    copy_from(dev, again, strlen(again), (void *)(uintptr_t)json_object_get_int64(addr), LEN);

    for (n = 0; n + 3 < (size_t)bytes; n += 5) { /* texts that end too early */
        memcpy(cut, text, n);
        cut[n] = '\0';
        check_refused(dev, cut);
    }
    check_refused(dev, "{}");
    check_refused(dev, "{ \"addr\": 1, \"len\": 2 }");
    check_refused(dev, "{ \"doca_core_export\": 5 }");
    check_refused(dev, "{ \"doca_core_export\": \"\" }");
    check_refused(dev, "{ \"doca_core_export\": \"!!!!\" }");
    check_refused(dev, "{ \"doca_core_export\": \"AAAA\" }");
    check_refused(dev, "{ \"\\\"doca_core_export\": \"AAAA\" }");
    json_object_put(json);
    CHECK_OK(doca_dev_close(dev));
    CHECK(write(peer, "!", 1) == 1);
}

int main(void)
{
    int ends[2], status = 0;
    pid_t child;

    CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_DISABLE)); /* refusals are expected */
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        host(ends[1]);
        _exit(0);
    }
    dpu(ends[0]);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    puts("another process parsed and imported the descriptor, and copied");
    return 0;
}
