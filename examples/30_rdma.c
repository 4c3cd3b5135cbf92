/* Two processes of one machine, connected by DOCA RDMA, that sleep while they wait for each other.
 * The server listens on a port and sends the descriptor of its exported memory in a message.
 * The client then reads that memory, adds to a counter in it, and writes to it, while the program
 * of the server sleeps. The last write carries immediate data, which wakes the server.
 *
 *     client: read "this text is in the memory of the server"
 *     client: the counter was 99 before the last of 100 additions
 *     server: the counter is 100; immediate data 2026; "this text comes from the client"
 *     client: the server has disconnected
 */
#define _POSIX_C_SOURCE 200809L
#define DOCA_CORE_API 30000 /* the forms of export, connect and allocate with a connection */
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "doca_core.h"
#include "doca_core_rdma.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUM = 100 /* additions */, TEXT = 64 };

/* Memory of one process. The client reaches that of the server. */
static struct memory {
    uint64_t counter;
    char text[TEXT], answer[TEXT];
    unsigned char message[1024]; /* server: the descriptor to send; client: the received one */
} memory;

static uint16_t port;
static struct doca_dev *dev;
static struct doca_pe *pe;
static struct doca_mmap *map; /* of `memory` */
static struct doca_buf_inventory *bufs;
static struct doca_rdma *rdma;
static struct doca_rdma_connection *connection; /* NULL until it is established, and at the end */
static int num_done;                            /* tasks that this process has waited for */
static const union doca_data none = { NULL };

static void check(doca_error_t rc)
{
    if (rc == DOCA_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n", doca_error_get_name(rc), doca_core_last_error());
    exit(EXIT_FAILURE);
}

/* Check a start or a stop, which may have only begun. */
static void check_begun(doca_error_t rc)
{
    if (rc != DOCA_ERROR_IN_PROGRESS)
        check(rc);
}

/* Sleep until the notification handle is readable, and do all work. */
static void sleep_once(void)
{
    struct pollfd wait = { -1, POLLIN, 0 };

    check(doca_pe_get_notification_handle(pe, &wait.fd));
    check(doca_pe_request_notification(pe));
    (void)poll(&wait, 1, -1);
    check(doca_pe_clear_notification(pe, wait.fd));
    while (doca_pe_progress(pe))
        continue;
}

/* Submit a task, and wait until it has completed. */
static void run(struct doca_task *task)
{
    int before = num_done;

    check(doca_task_submit(task));
    while (num_done == before)
        sleep_once();
}

/* Called when a task has completed. */
#define DONE(type)                                                                                 \
    static void type##_done(struct doca_rdma_task_##type *task, union doca_data of_task,           \
                            union doca_data of_ctx)                                                \
    {                                                                                              \
        (void)of_task, (void)of_ctx;                                                               \
        check(doca_task_get_status(doca_rdma_task_##type##_as_task(task)));                        \
        num_done++;                                                                                \
    }

DONE(receive)
DONE(send)
DONE(read)
DONE(write_imm)
DONE(atomic_fetch_add)

static void requested(struct doca_rdma_connection *which, union doca_data of_ctx)
{
    (void)of_ctx;
    check(doca_rdma_connection_accept(which, NULL, 0));
}

/* The connection begins, and ends. */
static void changed(struct doca_rdma_connection *which, union doca_data of_connection,
                    union doca_data of_ctx)
{
    (void)of_connection, (void)of_ctx;
    connection = connection == which ? NULL : which;
}

static void refused(struct doca_rdma_connection *which, union doca_data of_connection,
                    union doca_data of_ctx)
{
    (void)which, (void)of_connection, (void)of_ctx;
    check(DOCA_ERROR_CONNECTION_ABORTED);
}

/* Open a device, map `memory` for it, and start an instance. */
static void open_all(void)
{
    const uint32_t access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |
                            DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
    struct doca_devinfo **list;
    uint32_t num;

    check(doca_core_sw_set_topology("03:00.0"));
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_pe_create(&pe));
    check(doca_buf_inventory_create(8, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_set_permissions(map, access));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_rdma_create(dev, &rdma));
    check(doca_rdma_set_permissions(rdma, access));
    check(doca_rdma_task_receive_set_conf(rdma, receive_done, receive_done, 1));
    check(doca_rdma_task_send_set_conf(rdma, send_done, send_done, 1));
    check(doca_rdma_task_read_set_conf(rdma, read_done, read_done, 1));
    check(doca_rdma_task_write_imm_set_conf(rdma, write_imm_done, write_imm_done, 1));
    check(doca_rdma_task_atomic_fetch_add_set_conf(rdma, atomic_fetch_add_done,
                                                   atomic_fetch_add_done, 1));
    check(doca_rdma_set_connection_state_callbacks(rdma, requested, changed, refused, changed));
    check(doca_pe_connect_ctx(pe, doca_rdma_as_ctx(rdma)));
    check_begun(doca_ctx_start(doca_rdma_as_ctx(rdma)));
}

/* Make a buffer of `len` bytes, of which the first `data_len` are its data. */
static struct doca_buf *buf_of(struct doca_mmap *mmap, void *addr, size_t len, size_t data_len)
{
    struct doca_buf *buf = NULL;

    check(doca_buf_inventory_buf_get_by_args(bufs, mmap, addr, len, addr, data_len, &buf));
    return buf;
}

static void server(int to_client)
{
    struct doca_rdma_task_receive *receive;
    struct doca_rdma_task_send *send;
    struct doca_buf *buf;
    const void *desc;
    size_t len;

    open_all();
    strcpy(memory.text, "this text is in the memory of the server");
    check(doca_rdma_start_listen_to_port(rdma, port));
    check(write(to_client, "!", 1) == 1 ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED);
    while (connection == NULL)
        sleep_once();
    check(doca_mmap_export_rdma(map, dev, &desc, &len));
    memcpy(memory.message, desc, len); /* a few hundred bytes */
    buf = buf_of(map, memory.message, len, len);
    check(doca_rdma_task_send_allocate_init(rdma, connection, buf, none, &send));
    run(doca_rdma_task_send_as_task(send));
    check(doca_rdma_task_receive_allocate_init(rdma, NULL, none, &receive)); /* immediate only */
    run(doca_rdma_task_receive_as_task(receive));
    printf("server: the counter is %llu; immediate data %u; \"%s\"\n",
           (unsigned long long)memory.counter,
           (unsigned)ntohl(doca_rdma_task_receive_get_result_immediate_data(receive)),
           memory.answer);
    check(doca_rdma_connection_disconnect(connection));
    while (connection != NULL)
        sleep_once();
}

static void client(void)
{
    struct doca_rdma_task_atomic_fetch_add *add;
    struct doca_rdma_task_write_imm *write;
    struct doca_rdma_task_receive *receive;
    struct doca_rdma_task_read *read;
    struct doca_rdma_addr *addr;
    struct doca_mmap *imported;
    struct doca_buf *here, *there;
    struct memory *far;
    void *start;
    size_t len, i;

    open_all();
    here = buf_of(map, memory.message, sizeof(memory.message), 0);
    check(doca_rdma_task_receive_allocate_init(rdma, here, none, &receive));
    check(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", port, &addr));
    check(doca_rdma_connect_to_addr(rdma, addr, none));
    run(doca_rdma_task_receive_as_task(receive));
    len = doca_rdma_task_receive_get_result_len(receive);
    check(doca_mmap_create_from_export(NULL, memory.message, len, dev, &imported));
    check(doca_mmap_get_memrange(imported, &start, &len));
    far = start; /* an address of the server */
    here = buf_of(map, memory.text, TEXT, 0);
    there = buf_of(imported, far->text, TEXT, TEXT);
    check(doca_rdma_task_read_allocate_init(rdma, connection, there, here, none, &read));
    run(doca_rdma_task_read_as_task(read));
    printf("client: read \"%s\"\n", memory.text);
    here = buf_of(map, &memory.counter, 8, 0);
    there = buf_of(imported, &far->counter, 8, 8);
    check(doca_rdma_task_atomic_fetch_add_allocate_init(rdma, connection, there, here, 1, none,
                                                        &add));
    for (i = 0; i < NUM; i++) {
        check(doca_buf_reset_data_len(here)); /* each old value replaces the one before */
        run(doca_rdma_task_atomic_fetch_add_as_task(add));
    }
    printf("client: the counter was %llu before the last of %d additions\n",
           (unsigned long long)memory.counter, NUM);
    strcpy(memory.answer, "this text comes from the client");
    here = buf_of(map, memory.answer, TEXT, TEXT);
    there = buf_of(imported, far->answer, TEXT, 0);
    check(doca_rdma_task_write_imm_allocate_init(rdma, connection, here, there, htonl(2026), none,
                                                 &write));
    run(doca_rdma_task_write_imm_as_task(write));
    while (connection != NULL)
        sleep_once();
    printf("client: the server has disconnected\n");
}

/* The child is the server, because Linux may refuse a child access to its parent's memory. The end
 * of a process releases its objects. */
int main(void)
{
    int ends[2], status = 0;
    pid_t child;
    char word;

    (void)setvbuf(stdout, NULL, _IONBF, 0);
    port = (uint16_t)(1024 + getpid() % 60000);
    child = pipe(ends) == 0 ? fork() : -1;
    (void)alarm(60); /* when the other process fails */
    if (child == 0)
        server(ends[1]);
    else if (child > 0 && read(ends[0], &word, 1) == 1) /* the server listens */
        client();
    return child == 0 || (wait(&status) == child && status == 0) ? EXIT_SUCCESS : EXIT_FAILURE;
}
