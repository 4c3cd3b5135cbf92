/* Comch between two processes on two cores. Control messages, with both sides asleep between them,
 * are compared with bare packets of a local socket. Messages from a producer to a consumer that
 * both poll are compared with a bare cache line that the processes send to each other, with rings
 * of DPDK in shared memory, and with the least that a ring needs: 64 bytes and the mark that they
 * are complete are in two lines. A stream of larger messages is compared with memcpy on one core,
 * with the two copies of a bare ring, one on each core, and with the time that the cache lines of
 * the messages take from one core to the other. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#include "bench.h"

#define DOCA_CORE_COMCH_IMPLEMENTATION
#include "tools/compat/doca_core_comch.h"

#include "comch_floor.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#ifdef BENCH_DPDK
#include <rte_ring.h>
#include <rte_ring_elem.h>
#endif

#define SMALL FLOOR_SMALL /* bytes of the messages that go to and fro */
#define LARGE FLOOR_LARGE /* bytes of the messages of a stream */
#define DEPTH FLOOR_DEPTH /* messages of a stream under way */
#define BUFS FLOOR_BUFS   /* buffers that each consumer posts */

/* Memory of both processes. */
static struct common {
    struct {
        volatile uint64_t value;
    } __attribute__((aligned(BENCH_LINE))) num_consumed;
    volatile uint32_t is_over; /* written once, after the last turn */
    unsigned char rings[2][16384] __attribute__((aligned(BENCH_LINE)));
    struct comch_floor floor;
} *common;

static int to_peer = -1, from_peer = -1, packets = -1; /* pipes, and a socket of one packet each */
static pid_t child;
static char service[32];

static void tell(char word)
{
    bench_check(write(to_peer, &word, 1) == 1, "the other process has gone");
}

static char hear(void)
{
    char word = 0;

    return read(from_peer, &word, 1) == 1 ? word : 0; /* 0: the other process has ended */
}

/* ---- objects of both processes: a server or client, a consumer and a producer ---- */

static struct doca_dev *dev;
static struct doca_dev_rep *rep; /* NULL in the client */
static struct doca_mmap *map;
static struct doca_buf_inventory *bufs;
static struct doca_pe *control, *data; /* the engines of the control path and of the data path */
static doca_notification_handle_t handle;
static struct doca_comch_server *server;
static struct doca_comch_client *client;
static struct doca_comch_connection *connection;
static struct doca_comch_consumer *consumer;
static struct doca_comch_producer *producer;
static struct doca_comch_task_send *send_task;
static struct doca_comch_producer_task_send *tasks[DEPTH]; /* the first one sends SMALL bytes */
static unsigned char *memory;
static char letter[SMALL]; /* the message of the control path */
static uint32_t peer_consumer;
/* The first byte of the last control message; 0 before a message has come, and after
 * control_await() has returned the byte. */
static char last_letter;
static unsigned long num_sent;               /* control messages */
static unsigned long num_received, num_free; /* by the consumer; tasks of a stream */
static struct doca_comch_producer_task_send *free_tasks[DEPTH];

static void control_sent(struct doca_comch_task_send *task, union doca_data a, union doca_data b)
{
    (void)a, (void)b;
    bench_must(doca_task_get_status(doca_comch_task_send_as_task(task)));
    num_sent++;
}

static void control_received(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
                             struct doca_comch_connection *from)
{
    (void)event, (void)from;
    bench_check(len == SMALL, "a message has another length");
    last_letter = (char)bytes[0];
}

static void connection_changed(struct doca_comch_event_connection_status_changed *event,
                               struct doca_comch_connection *which, uint8_t is_good)
{
    (void)event, (void)is_good;
    connection = connection == which ? NULL : which;
}

static void consumer_changed(struct doca_comch_event_consumer *event,
                             struct doca_comch_connection *of, uint32_t id)
{
    (void)event, (void)of;
    peer_consumer = peer_consumer == id ? 0 : id;
}

static void data_sent(struct doca_comch_producer_task_send *task, union doca_data a,
                      union doca_data b)
{
    (void)a, (void)b;
    bench_must(doca_task_get_status(doca_comch_producer_task_send_as_task(task)));
    free_tasks[num_free++] = task;
}

static void data_received(struct doca_comch_consumer_task_post_recv *task, union doca_data a,
                          union doca_data b)
{
    (void)a, (void)b;
    bench_must(doca_task_get_status(doca_comch_consumer_task_post_recv_as_task(task)));
    bench_must(doca_buf_reset_data_len(doca_comch_consumer_task_post_recv_get_buf(task)));
    bench_must(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
    num_received++;
}

/* Called for each posted buffer when the consumer stops. */
static void data_flushed(struct doca_comch_consumer_task_post_recv *task, union doca_data a,
                         union doca_data b)
{
    (void)a, (void)b;
    doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
}

static void start(struct doca_pe *pe, struct doca_ctx *ctx)
{
    enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
    doca_error_t rc;

    bench_must(doca_pe_connect_ctx(pe, ctx));
    rc = doca_ctx_start(ctx);
    bench_must(rc == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : rc);
    for (; state != DOCA_CTX_STATE_RUNNING; bench_must(doca_ctx_get_state(ctx, &state)))
        doca_pe_progress(pe);
}

static void stop(struct doca_pe *pe, struct doca_ctx *ctx)
{
    enum doca_ctx_states state = DOCA_CTX_STATE_RUNNING;
    doca_error_t rc = doca_ctx_stop(ctx);

    bench_must(rc == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : rc);
    for (; state != DOCA_CTX_STATE_IDLE; bench_must(doca_ctx_get_state(ctx, &state)))
        doca_pe_progress(pe);
}

static void open_objects(bool is_server)
{
    struct doca_devinfo_rep **reps;
    struct doca_devinfo **list;
    uint32_t num;

    bench_must(doca_core_sw_set_topology("03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0"));
    bench_must(doca_devinfo_create_list(&list, &num));
    bench_must(doca_dev_open(list[is_server ? 0 : 1], &dev));
    bench_must(doca_devinfo_destroy_list(list));
    if (is_server) {
        bench_must(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &reps, &num));
        bench_must(doca_dev_rep_open(reps[0], &rep));
        bench_must(doca_devinfo_rep_destroy_list(reps));
    }
    memory = bench_pages((BUFS + DEPTH) * (size_t)LARGE);
    map = bench_map(dev, memory, (BUFS + DEPTH) * (size_t)LARGE);
    bench_must(doca_buf_inventory_create(BUFS + DEPTH, &bufs));
    bench_must(doca_buf_inventory_start(bufs));
    bench_must(doca_pe_create(&control));
    bench_must(doca_pe_create(&data));
}

static void open_server(void)
{
    bench_must(doca_comch_server_create(dev, rep, service, &server));
    bench_must(doca_comch_server_task_send_set_conf(server, control_sent, control_sent, 1));
    bench_must(doca_comch_server_event_msg_recv_register(server, control_received));
    bench_must(doca_comch_server_event_connection_status_changed_register(
        server, connection_changed, connection_changed));
    bench_must(doca_comch_server_event_consumer_register(server, consumer_changed,
                                                         consumer_changed));
    start(control, doca_comch_server_as_ctx(server));
    tell('s');
    while (connection == NULL)
        doca_pe_progress(control);
    bench_must(doca_comch_server_task_send_alloc_init(server, connection, letter, SMALL,
                                                      &send_task));
}

static void open_client(void)
{
    bench_check(hear() == 's', "there is no server");
    bench_must(doca_comch_client_create(dev, service, &client));
    bench_must(doca_comch_client_task_send_set_conf(client, control_sent, control_sent, 1));
    bench_must(doca_comch_client_event_msg_recv_register(client, control_received));
    bench_must(doca_comch_client_event_consumer_register(client, consumer_changed,
                                                         consumer_changed));
    start(control, doca_comch_client_as_ctx(client));
    bench_must(doca_comch_client_get_connection(client, &connection));
    bench_must(doca_comch_client_task_send_alloc_init(client, connection, letter, SMALL,
                                                      &send_task));
}

/* Create the consumer, post its buffers, and create the producer with its tasks. */
static void open_data(void)
{
    struct doca_comch_consumer_task_post_recv *task;
    struct doca_buf *buf;
    unsigned i;

    bench_must(doca_comch_consumer_create(connection, map, &consumer));
    bench_must(doca_comch_consumer_task_post_recv_set_conf(consumer, data_received, data_flushed,
                                                           BUFS));
    start(data, doca_comch_consumer_as_ctx(consumer));
    for (i = 0; i < BUFS; i++) {
        bench_must(doca_buf_inventory_buf_get_by_addr(bufs, map, memory + i * (size_t)LARGE, LARGE,
                                                      &buf));
        bench_must(doca_comch_consumer_task_post_recv_alloc_init(consumer, buf, &task));
        bench_must(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
    }
    while (peer_consumer == 0)
        doca_pe_progress(control);
    bench_must(doca_comch_producer_create(connection, &producer));
    bench_must(doca_comch_producer_task_send_set_conf(producer, data_sent, data_sent, DEPTH));
    start(data, doca_comch_producer_as_ctx(producer));
    for (i = 0; i < DEPTH; i++) {
        bench_must(doca_buf_inventory_buf_get_by_data(
            bufs, map, memory + (BUFS + i) * (size_t)LARGE, i == 0 ? SMALL : LARGE, &buf));
        bench_must(doca_comch_producer_task_send_alloc_init(producer, buf, NULL, 0, peer_consumer,
                                                            &tasks[i]));
        if (i > 0)
            free_tasks[num_free++] = tasks[i];
    }
    tell('o');
    bench_check(hear() == 'o', "the other process does not open its data path");
    bench_must(doca_pe_get_notification_handle(control, &handle));
}

/* Destroy the objects in the order that DOCA requires: consumers and producers first, then the
 * client, then the server. */
static void close_comch(void)
{
    unsigned i;

    for (i = 0; i < DEPTH; i++)
        doca_task_free(doca_comch_producer_task_send_as_task(tasks[i]));
    doca_task_free(doca_comch_task_send_as_task(send_task));
    stop(data, doca_comch_producer_as_ctx(producer));
    stop(data, doca_comch_consumer_as_ctx(consumer));
    bench_must(doca_comch_producer_destroy(producer));
    bench_must(doca_comch_consumer_destroy(consumer));
    while (server != NULL && connection != NULL)
        doca_pe_progress(control);
    stop(control, server != NULL ? doca_comch_server_as_ctx(server)
                                 : doca_comch_client_as_ctx(client));
    bench_must(server != NULL ? doca_comch_server_destroy(server)
                              : doca_comch_client_destroy(client));
}

/* ---- control messages to and fro, both sides asleep between them ---- */

/* Send a message that begins with this letter. The answer may arrive before the task is complete,
 * and progress may report it first. */
BENCH_INLINE void control_send(char first)
{
    const unsigned long num = num_sent + 1;

    letter[0] = first;
    bench_must(doca_task_submit(doca_comch_task_send_as_task(send_task)));
    while (num_sent < num)
        (void)doca_pe_progress(control);
}

/* Sleep until a message comes, unless one has come, and return its letter. */
BENCH_INLINE char control_await(int set)
{
    struct epoll_event event;
    char first;

    while (last_letter == 0) {
        bench_must(doca_pe_request_notification(control));
        (void)epoll_wait(set, &event, 1, -1);
        bench_must(doca_pe_clear_notification(control, handle));
        while (doca_pe_progress(control) != 0)
            continue;
    }
    first = last_letter;
    last_letter = 0;
    return first;
}

static int watch(int fd)
{
    struct epoll_event event = { .events = EPOLLIN };
    const int set = epoll_create1(0);

    bench_check(set >= 0 && epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0, "no epoll set");
    return set;
}

static int control_set = -1, packet_set = -1;

static void serve_control(void)
{
    while (control_await(control_set) != 'e')
        control_send('m');
}

static void by_control(unsigned long n, const void *arg)
{
    (void)arg;
    for (; n > 0; n--) {
        control_send('m');
        (void)control_await(control_set);
    }
}

static void packet_send(char first)
{
    letter[0] = first;
    bench_check(send(packets, letter, SMALL, 0) == SMALL, "the other process has gone");
}

static char packet_await(void)
{
    struct epoll_event event;
    char bytes[SMALL];

    bench_check(epoll_wait(packet_set, &event, 1, -1) == 1 &&
                    recv(packets, bytes, sizeof(bytes), 0) == SMALL, "the other process has gone");
    return bytes[0];
}

static void serve_packets(void)
{
    while (packet_await() != 'e')
        packet_send('m');
}

static void by_packets(unsigned long n, const void *arg)
{
    (void)arg;
    for (; n > 0; n--) {
        packet_send('m');
        (void)packet_await();
    }
}

/* ---- small messages to and fro, both sides poll ---- */

BENCH_INLINE void data_send(struct doca_comch_producer_task_send *task)
{
    bench_must(doca_task_submit(doca_comch_producer_task_send_as_task(task)));
}

BENCH_INLINE void data_await(unsigned long num)
{
    while (num_received < num)
        (void)doca_pe_progress(data);
}

/* Wait until tasks[0] has completed, which means that its message is in the ring, and take the task
 * from the free tasks again. */
BENCH_INLINE void take_back(void)
{
    while (num_free < DEPTH)
        (void)doca_pe_progress(data);
    num_free--;
}

static void serve_data(void)
{
    unsigned long num = 1;

    for (;; num++) {
        data_await(num);
        if (common->is_over != 0)
            return;
        data_send(tasks[0]);
        take_back();
    }
}

static void by_data(unsigned long n, const void *arg)
{
    unsigned long num;

    (void)arg;
    for (; bench_left(n); n--) {
        num = num_received + 1;
        data_send(tasks[0]);
        take_back();
        data_await(num);
    }
}

#ifdef BENCH_DPDK
static struct rte_ring *ring_of(unsigned i)
{
    return (struct rte_ring *)(void *)common->rings[i];
}

static const char *rings_ready(void)
{
    const char *reason = bench_two_cpus();
    unsigned i;

    bench_check(rte_ring_get_memsize_elem(SMALL, BUFS) <= (ssize_t)sizeof(common->rings[0]),
                "the memory of the rings is too small");
    for (i = 0; i < 2 && reason == NULL; i++)
        if (rte_ring_init(ring_of(i), i == 0 ? "there" : "back", BUFS,
                          RING_F_SP_ENQ | RING_F_SC_DEQ) != 0)
            reason = "DPDK does not make a ring here";
    return reason;
}

static void serve_rings(void)
{
    unsigned char bytes[SMALL];

    for (;;) {
        while (rte_ring_sc_dequeue_elem(ring_of(0), bytes, SMALL) != 0)
            continue;
        if (common->is_over != 0)
            return;
        bench_check(rte_ring_sp_enqueue_elem(ring_of(1), bytes, SMALL) == 0, "the ring is full");
    }
}

static void by_rings(unsigned long n, const void *arg)
{
    unsigned char bytes[SMALL] = { 0 };

    (void)arg;
    for (; bench_left(n); n--) {
        bench_check(rte_ring_sp_enqueue_elem(ring_of(0), bytes, SMALL) == 0, "the ring is full");
        while (rte_ring_sc_dequeue_elem(ring_of(1), bytes, SMALL) != 0)
            continue;
    }
}
#else
static const char *rings_ready(void)
{
    return bench_eal(0, NULL);
}

static void serve_rings(void)
{
}

#define by_rings NULL
#endif

/* ---- a stream of larger messages ---- */

static unsigned long num_streamed; /* messages that the other process has received in all turns */

static void serve_stream(void)
{
    while (common->is_over == 0)
        if (doca_pe_progress(data) != 0)
            common->num_consumed.value = num_received;
}

static void by_stream(unsigned long n, const void *arg)
{
    const unsigned long wanted = num_streamed + n;
    unsigned long left = n;

    (void)arg;
    while (left > 0) {
        for (; left > 0 && num_free > 0; left--) {
            struct doca_task *task =
                doca_comch_producer_task_send_as_task(free_tasks[num_free - 1]);
            const doca_error_t rc = doca_task_submit(task);

            if (rc == DOCA_ERROR_AGAIN)
                break;
            bench_must(rc);
            num_free--;
        }
        (void)doca_pe_progress(data);
    }
    while (num_free < DEPTH - 1 || common->num_consumed.value < wanted)
        (void)doca_pe_progress(data);
    num_streamed = wanted;
}

static void by_memcpy(unsigned long n, const void *arg)
{
    unsigned i = 0;

    (void)arg;
    for (; bench_left(n); n--, i = (i + 1) % DEPTH)
        memcpy(memory + i * (size_t)LARGE, memory + (BUFS + i) * (size_t)LARGE, LARGE);
}

/* ---- bare loops to compare with: a cache line and rings (comch_floor.h) ---- */

static void by_line(unsigned long n, const void *arg)
{
    (void)arg;
    floor_line_turns(&common->floor, n);
}

static void by_bare_ring(unsigned long n, const void *arg)
{
    unsigned char bytes[SMALL] = { 0 };

    (void)arg;
    for (; bench_left(n); n--) {
        floor_send(&common->floor, 0, bytes);
        floor_await(&common->floor, 1, bytes);
    }
}

static void by_bare_stream(unsigned long n, const void *arg)
{
    unsigned i = 0;

    (void)arg;
    for (; bench_left(n); n--, i = (i + 1) % DEPTH)
        floor_stream(&common->floor, memory + (BUFS + i) * (size_t)LARGE, true);
    floor_drain(&common->floor);
}

static void by_bare_lines(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        floor_stream(&common->floor, NULL, false);
    floor_drain(&common->floor);
}

/* ---- turns: the other process serves one side at a time ---- */

static void run_child(void)
{
    char word;

    sys_prctl(PR_SET_PDEATHSIG, SIGKILL, 0); /* this process may wait for the parent in a loop */
    open_objects(false);
    open_client();
    open_data();
    control_set = watch(handle);
    packet_set = watch(packets);
    for (; (word = hear()) != 0; tell('d')) {
        num_received = 0;
        common->num_consumed.value = 0;
        tell('g'); /* ready: the next answers come without a sleep */
        if (word == 'c')
            serve_control();
        else if (word == 'k')
            serve_packets();
        else if (word == 'p')
            serve_data();
        else if (word == 'l')
            floor_serve_line(&common->floor, &common->is_over);
        else if (word == 'r')
            serve_rings();
        else if (word == 'b')
            floor_serve(&common->floor, &common->is_over);
        else if (word == 't' || word == 'w')
            floor_serve_stream(&common->floor, &common->is_over, word == 't' ? memory : NULL);
        else
            serve_stream();
    }
    close_comch();
    _exit(0);
}

static void begin(const void *arg)
{
    common->is_over = 0;
    num_streamed = 0;
    floor_begin(&common->floor);
    tell(*(const char *)arg);
    bench_check(hear() == 'g', "the other process has gone");
}

static void end(const void *arg)
{
    unsigned char bytes[SMALL] = { 0 };
    const char word = *(const char *)arg;

    common->is_over = 1;
    if (word == 'c') {
        control_send('e');
    } else if (word == 'k') {
        packet_send('e');
    } else if (word == 'p') {
        data_send(tasks[0]);
        take_back();
    } else if (word == 'l') {
        floor_end_line(&common->floor);
    } else if (word == 'b') {
        floor_send(&common->floor, 0, bytes);
    }
#ifdef BENCH_DPDK
    if (word == 'r')
        (void)rte_ring_sp_enqueue_elem(ring_of(0), bytes, SMALL);
#endif
    bench_check(hear() == 'd', "the other process has gone");
}

#define BY(letter) .begin = begin, .end = end, .ready = bench_two_cpus, .arg = letter

static const struct bench_work works[] = {
    { .area = "comch",
      .work = "control",
      .title = "64 B control message to the other process, which sleeps, one way",
      .batch = 1,
      .sides = { { .side = "ours", .name = "inlined", .run = by_control, .per = 2, BY("c") },
                 { .side = "peer", .name = "AF_UNIX SOCK_SEQPACKET and epoll", .run = by_packets,
                   .per = 2, BY("k") } },
      .targets = { { "24", "inlined", "AF_UNIX SOCK_SEQPACKET and epoll", "ratio", 1.1, NAN } } },
    { .area = "comch",
      .work = "data",
      .title = "64 B from a producer to a consumer, which polls, one way",
      .batch = 1,
      .sides = { { .side = "ours", .name = "inlined", .run = by_data, .per = 2, BY("p") },
                 { .side = "limit", .name = "one bare line", .run = by_line, .per = 2, BY("l") },
                 { .side = "limit", .name = "a bare ring of two lines", .run = by_bare_ring,
                   .per = 2, BY("b") },
                 { .side = "peer", .name = "two rte_rings of 64 B", .run = by_rings, .per = 2,
                   .begin = begin, .end = end, .ready = rings_ready, .arg = "r" } },
      .targets = { { "25", "inlined", "one bare line", "ratio", 1.3, NAN },
                   { "25", "inlined", "a bare ring of two lines", "ratio", 1.1, NAN },
                   { "25", "inlined", "two rte_rings of 64 B", "ratio", NAN, 1.0 } } },
    { .area = "comch",
      .work = "stream",
      .title = "4 KiB messages from a producer to a consumer, 31 under way",
      .bytes = LARGE,
      .batch = 1,
      .sides = { { .side = "ours", .name = "inlined", .run = by_stream, BY("s") },
                 { .side = "limit", .name = "memcpy", .run = by_memcpy,
                   .ready = bench_two_cpus },
                 { .side = "limit", .name = "a bare ring, a copy on each core",
                   .run = by_bare_stream, BY("t") },
                 { .side = "limit", .name = "a bare ring, one word of each line",
                   .run = by_bare_lines, BY("w") } },
      .targets = { { "26", "inlined", "memcpy", "speed", 0.9, NAN },
                   { "26", "inlined", "a bare ring, a copy on each core", "speed", 0.9, NAN } } },
};

/* Start the other process. Called before the first call of the library, because a child of fork()
 * must not use objects of its parent. */
static void open_child(void)
{
    int down[2], up[2], ends[2];

    common = mmap(NULL, sizeof(*common), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                  0);
    bench_check(common != MAP_FAILED && pipe(down) == 0 && pipe(up) == 0 &&
                    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0, "no pipes");
    snprintf(service, sizeof(service), "bench %ld", (long)getpid());
    fflush(stdout);
    bench_pin(bench.cpu2); /* in the real-time class, two processes that poll need two CPUs */
    child = fork();
    bench_check(child >= 0, "no second process");
    if (child > 0)
        bench_pin(bench.cpu);
    to_peer = child == 0 ? up[1] : down[1];
    from_peer = child == 0 ? down[0] : up[0];
    packets = ends[child == 0];
    close(down[child == 0 ? 1 : 0]);
    close(up[child == 0 ? 0 : 1]);
    close(ends[child != 0]);
    if (child == 0)
        run_child();
}

int main(int argc, char **argv)
{
    size_t i;
    int status;

    bench_begin("bench_comch", argc, argv);
    if (bench.cpu2 >= 0 && !bench.is_list) {
        open_child();
        open_objects(true);
        open_server();
        open_data();
        control_set = watch(handle);
        packet_set = watch(packets);
    }
    for (i = 0; i < sizeof(works) / sizeof(works[0]); i++)
        bench_run(&works[i]);
    if (bench.cpu2 >= 0 && !bench.is_list) {
        close(to_peer);
        close_comch();
        bench_check(waitpid(child, &status, 0) == child && status == 0,
                    "the other process failed");
    }
    return bench_end();
}
