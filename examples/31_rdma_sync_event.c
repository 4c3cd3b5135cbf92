/* A sync event across two machines. The server exports an event to remote nets and sleeps until its
 * value changes. The client has no access to the memory of the event: it sets, reads and adds to
 * the value by tasks of DOCA RDMA, which the RDMA device of the server executes.
 *
 *     client: sets the event to 1
 *     server: awake, the value is above 0; sets it to 1000
 *     client: reads 1000; of 100 additions of 1, the last one finds 1099
 *     client: sets the event to 2000
 *     server: awake, the value is above 1999
 *     client: the server has disconnected
 *
 * Without arguments, the program is both sides, two processes on software devices. Compiled with
 * -DDOCA_CORE_RDMA_VERBS -libverbs -lmlx5 it uses RDMA devices: the server the first one, and the
 * client the last one. Each side can run on its own machine, started in any order:
 *     31_rdma_sync_event server 10.0.2.1              on the machine with this address
 *     31_rdma_sync_event client 10.0.2.1              on the other machine
 * A third argument selects the GID of the device by its index, for RoCE. The sides pass the details
 * of their connection on by TCP, port 7631. Exit status 77: there is no RDMA device.
 */
#define _GNU_SOURCE
#define DOCA_CORE_API 30000 /* the forms of export, connect and allocate with a connection */
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "doca_core.h"
#include "doca_core_rdma.h"
#ifdef DOCA_CORE_RDMA_VERBS
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "doca_core_mlx5.h"
#endif

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUM = 100 /* additions */, PORT = 7631, SECONDS = 60 /* for all */ };

struct parcel { /* the message of each side to the other side, by TCP */
    size_t details_len, event_len;
    unsigned char details[1024], event[1024]; /* of the connection; export of the event */
};

static uint64_t word; /* source and destination of the client's tasks */
static uint32_t gid_index;
static struct doca_dev *dev;
static struct doca_pe *pe; /* of the RDMA instance and, on the server, of the event */
static struct doca_rdma *rdma;
static struct doca_rdma_connection *connection;
static bool is_established, is_disconnected;
static int num_done; /* tasks that have completed */
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

static void check_system(bool is_ok)
{
    if (is_ok)
        return;
    perror("31_rdma_sync_event");
    exit(EXIT_FAILURE);
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

/* Submit a task, and sleep until it has completed. */
static void run(struct doca_task *task)
{
    int before = num_done;

    check(doca_task_submit(task));
    while (num_done == before)
        sleep_once();
    check(doca_task_get_status(task));
}

/* Called when a task has completed. */
#define DONE(type)                                                                                 \
    static void type##_done(struct doca_##type *task, union doca_data of_task,                     \
                            union doca_data of_ctx)                                                \
    {                                                                                              \
        (void)task, (void)of_task, (void)of_ctx;                                                   \
        num_done++;                                                                                \
    }

DONE(sync_event_task_wait_gt)
DONE(sync_event_task_notify_set)
DONE(rdma_task_remote_net_sync_event_get)
DONE(rdma_task_remote_net_sync_event_notify_set)
DONE(rdma_task_remote_net_sync_event_notify_add)

static void established(struct doca_rdma_connection *which, union doca_data of_connection,
                        union doca_data of_ctx)
{
    (void)which, (void)of_connection, (void)of_ctx;
    is_established = true;
}

static void disconnected(struct doca_rdma_connection *which, union doca_data of_connection,
                         union doca_data of_ctx)
{
    (void)which, (void)of_connection, (void)of_ctx;
    is_disconnected = true;
}

static void refused(struct doca_rdma_connection *which, union doca_data of_connection,
                    union doca_data of_ctx)
{
    (void)which, (void)of_connection, (void)of_ctx;
    check(DOCA_ERROR_CONNECTION_ABORTED);
}

/* Open the first device, or the last one. */
static void open_device(bool last)
{
    struct doca_devinfo **list;
    doca_error_t rc;
    uint32_t num;

#ifdef DOCA_CORE_RDMA_VERBS
    static const struct doca_core_dev_attr no_device;

    check(doca_core_sw_set_devices(&no_device, 0));
    check(doca_core_backend_register(doca_core_mlx5_backend(NULL)));
#else
    check(doca_core_sw_set_topology("03:00.0; 03:00.1"));
#endif
    rc = doca_devinfo_create_list(&list, &num);
    if (rc == DOCA_ERROR_NOT_FOUND)
        exit(77);
    check(rc);
    check(doca_dev_open(list[last ? num - 1 : 0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_pe_create(&pe));
}

/* Create an RDMA instance whose peer may do what `access` says. The caller enables tasks. */
static void create_instance(uint32_t access)
{
    check(doca_rdma_create(dev, &rdma));
    check(doca_rdma_set_permissions(rdma, access));
    check(doca_rdma_set_gid_index(rdma, gid_index));
    check(doca_rdma_set_connection_state_callbacks(rdma, NULL, established, refused, disconnected));
    check(doca_pe_connect_ctx(pe, doca_rdma_as_ctx(rdma)));
}

/* Start the instance, exchange parcels with the peer, and connect. `own` has the export of the
 * event, if this side has one. */
static void meet(int peer, struct parcel *own, struct parcel *theirs)
{
    const void *details;

    check_begun(doca_ctx_start(doca_rdma_as_ctx(rdma)));
    check(doca_rdma_export(rdma, &details, &own->details_len, &connection));
    check_system(own->details_len <= sizeof(own->details));
    memcpy(own->details, details, own->details_len);
    check_system(send(peer, own, sizeof(*own), 0) == (ssize_t)sizeof(*own) &&
                 recv(peer, theirs, sizeof(*theirs), MSG_WAITALL) == (ssize_t)sizeof(*theirs) &&
                 theirs->details_len <= sizeof(theirs->details) &&
                 theirs->event_len <= sizeof(theirs->event));
    check(doca_rdma_connect(rdma, theirs->details, theirs->details_len, connection));
    while (!is_established)
        sleep_once();
}

static void server(int peer)
{
    static struct parcel own, theirs;
    struct doca_sync_event_task_notify_set *set;
    struct doca_sync_event_task_wait_gt *wait;
    struct doca_sync_event *event;
    const uint8_t *export;

    open_device(false);
    check(doca_sync_event_create(&event));
    check(doca_sync_event_add_publisher_location_remote_net(event));
    check(doca_sync_event_add_publisher_location_cpu(event, dev));
    check(doca_sync_event_add_subscriber_location_cpu(event, dev));
    check(doca_sync_event_task_wait_gt_set_conf(event, sync_event_task_wait_gt_done,
                                                sync_event_task_wait_gt_done, 1));
    check(doca_sync_event_task_notify_set_set_conf(event, sync_event_task_notify_set_done,
                                                   sync_event_task_notify_set_done, 1));
    check(doca_pe_connect_ctx(pe, doca_sync_event_as_ctx(event)));
    check_begun(doca_ctx_start(doca_sync_event_as_ctx(event)));
    check(doca_sync_event_export_to_remote_net(event, &export, &own.event_len));
    check_system(own.event_len <= sizeof(own.event));
    memcpy(own.event, export, own.event_len);
    create_instance(DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
                    DOCA_ACCESS_FLAG_RDMA_ATOMIC);
    meet(peer, &own, &theirs);
    check(doca_sync_event_task_wait_gt_alloc_init(event, 0, UINT64_MAX, none, &wait));
    run(doca_sync_event_task_wait_gt_as_doca_task(wait));
    printf("server: awake, the value is above 0; sets it to 1000\n");
    check(doca_sync_event_task_notify_set_alloc_init(event, 1000, none, &set));
    run(doca_sync_event_task_notify_set_as_doca_task(set));
    doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(wait));
    check(doca_sync_event_task_wait_gt_alloc_init(event, 1999, UINT64_MAX, none, &wait));
    run(doca_sync_event_task_wait_gt_as_doca_task(wait));
    printf("server: awake, the value is above 1999\n");
    check(doca_rdma_connection_disconnect(connection));
    while (!is_disconnected)
        sleep_once();
}

/* Read the value by tasks until it is above `threshold`. */
static void read_until_above(struct doca_sync_event_remote_net *event, struct doca_buf *buf,
                             uint64_t threshold)
{
    struct doca_rdma_task_remote_net_sync_event_get *get;

    check(doca_rdma_task_remote_net_sync_event_get_allocate_init(rdma, connection, event, buf, none,
                                                                 &get));
    do {
        check(doca_buf_reset_data_len(buf));
        run(doca_rdma_task_remote_net_sync_event_get_as_task(get));
    } while (word <= threshold);
}

static void client(int peer)
{
    static struct parcel own, theirs;
    struct doca_rdma_task_remote_net_sync_event_notify_add *add;
    struct doca_rdma_task_remote_net_sync_event_notify_set *set;
    struct doca_sync_event_remote_net *event;
    struct doca_buf_inventory *bufs;
    struct doca_mmap *map;
    struct doca_buf *buf;
    int i;

    open_device(true);
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &word, sizeof(word)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(1, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_buf_inventory_buf_get_by_data(bufs, map, &word, sizeof(word), &buf));
    create_instance(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    check(doca_rdma_task_remote_net_sync_event_get_set_conf(
        rdma, rdma_task_remote_net_sync_event_get_done, rdma_task_remote_net_sync_event_get_done,
        1));
    check(doca_rdma_task_remote_net_sync_event_notify_set_set_conf(
        rdma, rdma_task_remote_net_sync_event_notify_set_done,
        rdma_task_remote_net_sync_event_notify_set_done, 1));
    check(doca_rdma_task_remote_net_sync_event_notify_add_set_conf(
        rdma, rdma_task_remote_net_sync_event_notify_add_done,
        rdma_task_remote_net_sync_event_notify_add_done, 1));
    meet(peer, &own, &theirs);
    check(
        doca_sync_event_remote_net_create_from_export(dev, theirs.event, theirs.event_len, &event));
    printf("client: sets the event to 1\n");
    word = 1;
    check(doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(rdma, connection, event,
                                                                        buf, none, &set));
    run(doca_rdma_task_remote_net_sync_event_notify_set_as_task(set));
    read_until_above(event, buf, 1);
    printf("client: reads %llu; ", (unsigned long long)word);
    check(doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(rdma, connection, event,
                                                                        buf, 1, none, &add));
    for (i = 0; i < NUM; i++) {
        check(doca_buf_reset_data_len(buf));
        run(doca_rdma_task_remote_net_sync_event_notify_add_as_task(add));
    }
    printf("of %d additions of 1, the last one finds %llu\n", NUM, (unsigned long long)word);
    printf("client: sets the event to 2000\n");
    word = 2000;
    run(doca_rdma_task_remote_net_sync_event_notify_set_as_task(set));
    while (!is_disconnected)
        sleep_once();
    printf("client: the server has disconnected\n");
}

/* Return a TCP connection between server and client. The client repeats its call until the server
 * listens. */
static int connect_by_tcp(bool is_server, const char *ip)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(PORT) };
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    check_system(fd >= 0 && inet_pton(AF_INET, ip, &at.sin_addr) == 1);
    if (is_server) {
        check_system(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) == 0 &&
                     bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0 && listen(fd, 1) == 0);
        fd = accept(fd, NULL, NULL);
        check_system(fd >= 0);
        return fd;
    }
    while (connect(fd, (struct sockaddr *)&at, sizeof(at)) != 0) {
        close(fd);
        (void)sleep(1);
        fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    }
    return fd;
}

/* The child is the server, because Linux may refuse a child access to its parent's memory. The end
 * of a process releases its objects. */
int main(int argc, char **argv)
{
    int ends[2], status = 0;
    pid_t child;

    (void)setvbuf(stdout, NULL, _IONBF, 0);
    (void)alarm(SECONDS); /* when the other side fails */
    gid_index = argc > 3 ? (uint32_t)atoi(argv[3]) : 0;
    if (argc > 2 && strcmp(argv[1], "server") == 0) {
        server(connect_by_tcp(true, argv[2]));
        return EXIT_SUCCESS;
    }
    if (argc > 2) {
        client(connect_by_tcp(false, argv[2]));
        return EXIT_SUCCESS;
    }
    check_system(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    child = fork(); /* before there is any device */
    check_system(child >= 0);
    (void)alarm(SECONDS); /* not inherited */
    if (child == 0) {
        server(ends[1]);
        return EXIT_SUCCESS;
    }
    client(ends[0]);
    return waitpid(child, &status, 0) == child && status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
