/* Writes over RDMA to the other guest of tools/rxe-guest --pair, measured as Debian's perftest
 * measures them, for the comparison that bench/rxe_pair makes. The program runs in both guests.
 * Side 0 measures, and prints the result.
 *
 *     rxe_pair bw WRITES    as ib_write_bw: writes of 64 KiB, up to 128 in flight, always the same
 *                           bytes. MiB per second from the first submission to the last completion
 *     rxe_pair lat ROUNDS   as ib_write_lat: the sides write 8 bytes to each other in turn, and
 *                           each side polls its memory until the write of the other side arrives.
 *                           Half of the median time of a round, in microseconds
 *
 * Exit status: 0; 1 when a call or a task fails; 64 for wrong arguments. */
#define DOCA_CORE_API 30000
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_MLX5_IMPLEMENTATION
#define DOCA_CORE_RDMA_VERBS
#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "doca_core_mlx5.h"
#include "doca_core_rdma.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    BYTES = 65536, /* of a write that measures bandwidth */
    DEPTH = 128,   /* such writes in flight, the default of ib_write_bw */
    WORD = 8,      /* bytes of a write that measures latency */
    MAX_ROUNDS = 100000,
    GID_INDEX = 1, /* of the IPv4 address */
    PORT = 18500
};

/* The message that each side sends by TCP before the sides connect by RDMA. */
struct hello {
    size_t details_len, desc_len;
    unsigned char *addr;
    unsigned char details[2048], desc[512];
};

/* The first half is written by the other side. The second half is the source of this side. */
static _Alignas(4096) unsigned char memory[2 * BYTES];

static unsigned side;
static int tcp;
static struct doca_dev *dev;
static struct doca_pe *pe;
static struct doca_rdma *rdma;
static struct doca_rdma_connection *connection;
static struct doca_mmap *map, *far_map;
static struct doca_buf_inventory *bufs;
static unsigned char *far;
static unsigned long num_submitted, num_done, num_wanted;
static uint64_t times[MAX_ROUNDS + 1];
static const union doca_data none = { NULL };

static void end_if(bool failed, const char *what)
{
    if (failed) {
        fprintf(stderr, "rxe_pair: %s failed\n", what);
        exit(1);
    }
}

static void check(doca_error_t rc)
{
    if (rc == DOCA_SUCCESS)
        return;
    fprintf(stderr, "rxe_pair: %s\n", doca_core_last_error());
    exit(1);
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- the TCP connection */

static void meet_peer(void)
{
    const char *number = getenv("DOCA_CORE_GUEST_SIDE");
    const char *host = getenv("DOCA_CORE_GUEST_IPV4_1");
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(PORT) };
    int one = 1, listener;

    end_if(number == NULL || host == NULL || inet_pton(AF_INET, host, &at.sin_addr) != 1,
           "the search for the guests' addresses (run it in tools/rxe-guest --pair)");
    side = number[0] == '1';
    if (side == 1) {
        listener = socket(AF_INET, SOCK_STREAM, 0);
        (void)setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
        end_if(bind(listener, (struct sockaddr *)&at, sizeof(at)) != 0 || listen(listener, 1) != 0,
               "listening");
        tcp = accept(listener, NULL, NULL);
        close(listener);
    } else {
        while ((tcp = socket(AF_INET, SOCK_STREAM, 0)) >= 0 &&
               connect(tcp, (struct sockaddr *)&at, sizeof(at)) != 0) {
            close(tcp);
            usleep(20000);
        }
    }
    end_if(tcp < 0, "the TCP connection");
}

static void exchange(const void *mine, void *theirs, size_t len)
{
    end_if(send(tcp, mine, len, 0) != (ssize_t)len ||
               recv(tcp, theirs, len, MSG_WAITALL) != (ssize_t)len,
           "the exchange with the other side");
}

static void wait_for_peer(void)
{
    char byte = '!';

    exchange(&byte, &byte, 1);
}

/* ---- the RDMA connection */

static void written(struct doca_rdma_task_write *task, union doca_data of_task,
                    union doca_data of_ctx)
{
    (void)of_task, (void)of_ctx;
    num_done++;
    if (num_submitted < num_wanted) {
        num_submitted++;
        check(doca_task_submit(doca_rdma_task_write_as_task(task)));
    }
}

static void not_written(struct doca_rdma_task_write *task, union doca_data of_task,
                        union doca_data of_ctx)
{
    (void)of_task, (void)of_ctx;
    check(doca_task_get_status(doca_rdma_task_write_as_task(task)));
}

static void open_device(void)
{
    static const struct doca_core_dev_attr no_devices;
    struct doca_devinfo **list;
    uint32_t num;

    check(doca_core_sw_set_devices(&no_devices, 0)); /* hide the software devices */
    check(doca_core_backend_register(doca_core_mlx5_backend(NULL)));
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_pe_create(&pe));
    check(doca_buf_inventory_create(2, &bufs));
    check(doca_buf_inventory_start(bufs));
}

static void open_rdma(void)
{
    const uint32_t access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE;

    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, memory, sizeof(memory)));
    check(doca_mmap_set_permissions(map, access));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_rdma_create(dev, &rdma));
    check(doca_rdma_set_permissions(rdma, access));
    check(doca_rdma_set_gid_index(rdma, GID_INDEX));
    check(doca_rdma_set_mtu(rdma, DOCA_MTU_SIZE_4K_BYTES));
    check(doca_rdma_set_send_queue_size(rdma, DEPTH));
    check(doca_rdma_task_write_set_conf(rdma, written, not_written, DEPTH));
    check(doca_pe_connect_ctx(pe, doca_rdma_as_ctx(rdma)));
    check(doca_ctx_start(doca_rdma_as_ctx(rdma)));
}

static void connect_rdma(void)
{
    static struct hello mine, theirs;
    const void *details, *desc;

    check(doca_rdma_export(rdma, &details, &mine.details_len, &connection));
    check(doca_mmap_export_rdma(map, dev, &desc, &mine.desc_len));
    end_if(mine.details_len > sizeof(mine.details) || mine.desc_len > sizeof(mine.desc),
           "copying the exports");
    memcpy(mine.details, details, mine.details_len);
    memcpy(mine.desc, desc, mine.desc_len);
    mine.addr = memory;
    exchange(&mine, &theirs, sizeof(mine));
    far = theirs.addr;
    check(doca_mmap_create_from_export(NULL, theirs.desc, theirs.desc_len, dev, &far_map));
    check(doca_rdma_connect(rdma, theirs.details, theirs.details_len, connection));
    wait_for_peer();
}

static struct doca_rdma_task_write *write_task(struct doca_buf *src, struct doca_buf *dst)
{
    struct doca_rdma_task_write *task;

    check(doca_rdma_task_write_allocate_init(rdma, connection, src, dst, none, &task));
    return task;
}

/* ---- the measurements */

static void measure_bandwidth(void)
{
    struct doca_rdma_task_write *tasks[DEPTH];
    struct doca_buf *src, *dst;
    uint64_t begin;
    unsigned i;

    check(doca_buf_inventory_buf_get_by_data(bufs, map, memory + BYTES, BYTES, &src));
    check(doca_buf_inventory_buf_get_by_addr(bufs, far_map, far, BYTES, &dst));
    for (i = 0; i < DEPTH; i++)
        tasks[i] = write_task(src, dst);
    begin = now_ns();
    for (i = 0; i < DEPTH && num_submitted < num_wanted; i++) {
        num_submitted++;
        check(doca_task_submit(doca_rdma_task_write_as_task(tasks[i])));
    }
    while (num_done < num_wanted)
        (void)doca_pe_progress(pe);
    printf("%.2f\n", (double)num_wanted * BYTES / 1048576 / ((double)(now_ns() - begin) / 1e9));
}

static int by_size(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

static void exchange_words(unsigned long rounds)
{
    const volatile uint64_t *received = (const volatile uint64_t *)(const void *)memory;
    struct doca_rdma_task_write *task;
    struct doca_buf *src, *dst;
    uint64_t round;

    check(doca_buf_inventory_buf_get_by_data(bufs, map, memory + BYTES, WORD, &src));
    check(doca_buf_inventory_buf_get_by_addr(bufs, far_map, far, WORD, &dst));
    task = write_task(src, dst);
    num_submitted = num_wanted = rounds; /* so written() submits no further task */
    for (round = 1; round <= rounds; round++) {
        while (side == 1 && *received != round)
            continue;
        memcpy(memory + BYTES, &round, sizeof(round));
        times[round - 1] = now_ns();
        check(doca_task_submit(doca_rdma_task_write_as_task(task)));
        while (num_done < round)
            (void)doca_pe_progress(pe);
        while (side == 0 && *received != round)
            continue;
    }
    times[rounds] = now_ns();
    for (round = 0; round < rounds; round++)
        times[round] = times[round + 1] - times[round];
    qsort(times, rounds, sizeof(times[0]), by_size);
    if (side == 0)
        printf("%.2f %.2f\n", (double)times[rounds / 2] / 2 / 1000, (double)times[0] / 2 / 1000);
}

int main(int argc, char **argv)
{
    const unsigned long number = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    const bool is_lat = argc == 3 && strcmp(argv[1], "lat") == 0;

    if (number == 0 || number > MAX_ROUNDS || (!is_lat && strcmp(argv[1], "bw") != 0)) {
        fprintf(stderr, "usage: rxe_pair bw|lat NUMBER\n");
        return 64;
    }
    (void)alarm(60); /* ends this side if the other side fails */
    meet_peer();
    open_device();
    open_rdma();
    connect_rdma();
    num_wanted = number;
    if (is_lat)
        exchange_words(number);
    else if (side == 0)
        measure_bandwidth();
    wait_for_peer();
    return 0;
}
