/* Two processes that talk over DOCA Comch, and sleep while they wait for each other. The host is
 * the client: it exports its memory and sends the descriptor in a control message. The DPU is the
 * server: it imports the memory, fetches a text by a DMA task, posts buffers to a consumer, and
 * answers with the number of the consumer. A producer of the host then sends it 100 messages.
 *
 *     dpu: fetched "this text is in the memory of the host"
 *     host: sends 100 messages of 4096 bytes
 *     dpu: received 100 messages; sum 9900
 *     dpu: the host has disconnected
 */
#define _POSIX_C_SOURCE 200809L
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_COMCH_IMPLEMENTATION
#include "doca_core.h"
#include "doca_core_comch.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NUM 100
#define BYTES 4096

static unsigned char memory[NUM][BYTES]; /* messages; at first, the text */
static char name[32];                    /* of the server */
static struct doca_dev *dev;
static struct doca_pe *pe;
static struct doca_mmap *map; /* of `memory` */
static struct doca_buf_inventory *bufs;
static struct doca_comch_connection *connection; /* NULL before and after the connection */
static unsigned char inbox[4080];                /* the control message of the peer */
static uint32_t inbox_len;                       /* 0: it has not come */
static int num_done, sum;                        /* tasks; sum over bytes of messages */

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

/* Start a context, or stop it, and wait until that is done. */
static void bring_to(enum doca_ctx_states wanted, struct doca_ctx *ctx)
{
    enum doca_ctx_states state;

    check(wanted == DOCA_CTX_STATE_RUNNING ? doca_pe_connect_ctx(pe, ctx) : DOCA_SUCCESS);
    check_begun(wanted == DOCA_CTX_STATE_RUNNING ? doca_ctx_start(ctx) : doca_ctx_stop(ctx));
    while (doca_ctx_get_state(ctx, &state) == DOCA_SUCCESS && state != wanted)
        sleep_once();
}

/* Open the device with this number, and map `memory` for it. */
static void open_all(int number)
{
    struct doca_devinfo **list;
    uint32_t num;

    check(doca_core_sw_set_topology("03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0"));
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[number], &dev));
    check(doca_pe_create(&pe));
    check(doca_buf_inventory_create(NUM + 2, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, memory, sizeof(memory)));
    check(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
                                             DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
}

static void received(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
                     struct doca_comch_connection *from)
{
    (void)event, (void)from;
    memcpy(inbox, bytes, len);
    inbox_len = len;
}

static void sent(struct doca_comch_task_send *task, union doca_data data, union doca_data ctx)
{
    (void)data, (void)ctx;
    check(doca_task_get_status(doca_comch_task_send_as_task(task)));
    doca_task_free(doca_comch_task_send_as_task(task));
}

static void produced(struct doca_comch_producer_task_send *task, union doca_data data,
                     union doca_data ctx)
{
    (void)data, (void)ctx;
    check(doca_task_get_status(doca_comch_producer_task_send_as_task(task)));
    doca_task_free(doca_comch_producer_task_send_as_task(task));
    num_done++;
}

static void host(void)
{
    struct doca_comch_producer_task_send *send;
    struct doca_comch_producer *producer;
    struct doca_comch_client *client;
    struct doca_comch_task_send *task;
    struct doca_buf *buf;
    const void *desc;
    uint32_t id;
    size_t len;
    int i;

    open_all(1);
    check(doca_comch_client_create(dev, name, &client));
    check(doca_comch_client_task_send_set_conf(client, sent, sent, 1));
    check(doca_comch_client_event_msg_recv_register(client, received));
    bring_to(DOCA_CTX_STATE_RUNNING, doca_comch_client_as_ctx(client));
    check(doca_comch_client_get_connection(client, &connection));
    strcpy((char *)memory[0], "this text is in the memory of the host");
    check(doca_mmap_export_pci(map, dev, &desc, &len));
    check(doca_comch_client_task_send_alloc_init(client, connection, desc, (uint32_t)len, &task));
    check(doca_task_submit(doca_comch_task_send_as_task(task)));
    while (inbox_len == 0)
        sleep_once();
    memcpy(&id, inbox, sizeof(id));
    printf("host: sends %d messages of %d bytes\n", NUM, BYTES);
    check(doca_comch_producer_create(connection, &producer));
    check(doca_comch_producer_task_send_set_conf(producer, produced, produced, NUM));
    bring_to(DOCA_CTX_STATE_RUNNING, doca_comch_producer_as_ctx(producer));
    for (i = 0; i < NUM; i++) { /* no submit answers AGAIN: the DPU has posted enough buffers */
        memset(memory[i], i, BYTES);
        check(doca_buf_inventory_buf_get_by_data(bufs, map, memory[i], BYTES, &buf));
        check(doca_comch_producer_task_send_alloc_init(producer, buf, NULL, 0, id, &send));
        check(doca_task_submit(doca_comch_producer_task_send_as_task(send)));
    }
    while (num_done < NUM) /* the last tasks wait for room in the ring of the data path */
        sleep_once();
    bring_to(DOCA_CTX_STATE_IDLE, doca_comch_producer_as_ctx(producer));
    check(doca_comch_producer_destroy(producer));
    bring_to(DOCA_CTX_STATE_IDLE, doca_comch_client_as_ctx(client));
    check(doca_comch_client_destroy(client));
}

/* The connection begins, and ends. */
static void changed(struct doca_comch_event_connection_status_changed *event,
                    struct doca_comch_connection *which, uint8_t is_successful)
{
    (void)event, (void)is_successful;
    connection = connection == which ? NULL : which;
}

static void copied(struct doca_dma_task_memcpy *task, union doca_data data, union doca_data ctx)
{
    (void)task, (void)data, (void)ctx;
    num_done++;
}

/* Copy the memory that the host has exported. */
static void fetch(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_mmap *imported;
    struct doca_buf *there, *here;
    union doca_data none = { NULL };
    struct doca_dma *dma;
    void *addr;
    size_t len;

    check(doca_mmap_create_from_export(NULL, inbox, inbox_len, dev, &imported));
    check(doca_mmap_get_memrange(imported, &addr, &len));
    check(doca_buf_inventory_buf_get_by_data(bufs, imported, addr, BYTES, &there));
    check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory[0], BYTES, &here));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, copied, copied, 1));
    bring_to(DOCA_CTX_STATE_RUNNING, doca_dma_as_ctx(dma));
    check(doca_dma_task_memcpy_alloc_init(dma, there, here, none, &task));
    check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (num_done == 0)
        sleep_once();
    check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    num_done = 0;
    printf("dpu: fetched \"%s\"\n", (const char *)memory[0]);
}

static void consumed(struct doca_comch_consumer_task_post_recv *task, union doca_data data,
                     union doca_data ctx)
{
    (void)data, (void)ctx;
    check(doca_task_get_status(doca_comch_consumer_task_post_recv_as_task(task)));
    sum += memory[num_done][0] + memory[num_done][BYTES - 1];
    doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
    num_done++;
}

static void dpu(int to_host)
{
    struct doca_comch_consumer_task_post_recv *recv;
    struct doca_comch_consumer *consumer;
    struct doca_comch_server *server;
    struct doca_comch_task_send *task;
    struct doca_devinfo_rep **list;
    struct doca_dev_rep *rep;
    struct doca_buf *buf;
    uint32_t id;
    int i;

    open_all(0);
    check(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &id));
    check(doca_dev_rep_open(list[0], &rep));
    check(doca_comch_server_create(dev, rep, name, &server));
    check(doca_comch_server_task_send_set_conf(server, sent, sent, 1));
    check(doca_comch_server_event_msg_recv_register(server, received));
    check(doca_comch_server_event_connection_status_changed_register(server, changed, changed));
    bring_to(DOCA_CTX_STATE_RUNNING, doca_comch_server_as_ctx(server));
    check(write(to_host, "!", 1) == 1 ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED);
    while (inbox_len == 0)
        sleep_once();
    fetch();
    check(doca_comch_consumer_create(connection, map, &consumer));
    check(doca_comch_consumer_task_post_recv_set_conf(consumer, consumed, consumed, NUM));
    bring_to(DOCA_CTX_STATE_RUNNING, doca_comch_consumer_as_ctx(consumer));
    for (i = 0; i < NUM; i++) {
        check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory[i], BYTES, &buf));
        check(doca_comch_consumer_task_post_recv_alloc_init(consumer, buf, &recv));
        check(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(recv)));
    }
    check(doca_comch_consumer_get_id(consumer, &id));
    check(doca_comch_server_task_send_alloc_init(server, connection, &id, sizeof(id), &task));
    check(doca_task_submit(doca_comch_task_send_as_task(task)));
    while (num_done < NUM)
        sleep_once();
    printf("dpu: received %d messages; sum %d\n", num_done, sum);
    bring_to(DOCA_CTX_STATE_IDLE, doca_comch_consumer_as_ctx(consumer));
    check(doca_comch_consumer_destroy(consumer));
    while (connection != NULL)
        sleep_once();
    printf("dpu: the host has disconnected\n");
    bring_to(DOCA_CTX_STATE_IDLE, doca_comch_server_as_ctx(server));
    check(doca_comch_server_destroy(server));
}

/* The child is the host, because Linux may refuse a child access to its parent's memory. The end of
 * a process releases its other objects. */
int main(void)
{
    int ends[2], status = 0;
    pid_t child;
    char word;

    (void)setvbuf(stdout, NULL, _IONBF, 0);
    (void)snprintf(name, sizeof(name), "story of %ld", (long)getpid());
    child = pipe(ends) == 0 ? fork() : -1;
    (void)alarm(60); /* when the other process fails */
    if (child > 0)
        dpu(ends[1]);
    else if (child == 0 && read(ends[0], &word, 1) == 1) /* the server is there */
        host();
    return child == 0 || (wait(&status) == child && status == 0) ? EXIT_SUCCESS : EXIT_FAILURE;
}
