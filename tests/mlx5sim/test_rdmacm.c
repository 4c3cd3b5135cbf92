/* The emulated rdma_cm device through librdmacm: connections between processes. */
#define _GNU_SOURCE
#include "rig.h"

#include <poll.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

#define PORT "20124"

enum { BYTES = 4096, WAIT_MS = 20000 };

static struct ibv_qp_init_attr qp_attr(void)
{
    struct ibv_qp_init_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.cap.max_send_wr = attr.cap.max_recv_wr = 4;
    attr.cap.max_send_sge = attr.cap.max_recv_sge = 1;
    attr.sq_sig_all = 1;
    return attr;
}

static struct rdma_cm_id *endpoint(int flags)
{
    struct rdma_addrinfo hints, *res;
    struct ibv_qp_init_attr attr = qp_attr();
    struct rdma_cm_id *id;

    memset(&hints, 0, sizeof(hints));
    hints.ai_port_space = RDMA_PS_TCP;
    hints.ai_flags = flags;
    CHECK_EQ(rdma_getaddrinfo("127.0.0.1", PORT, &hints, &res), 0);
    CHECK_EQ(rdma_create_ep(&id, res, NULL, &attr), 0);
    rdma_freeaddrinfo(res);
    return id;
}

/* Start a process that runs `serve` with a listening endpoint. */
static pid_t start_server(void (*serve)(struct rdma_cm_id *id))
{
    int ready[2];
    pid_t pid;
    char byte;

    CHECK_EQ(pipe(ready), 0);
    pid = peer_fork();
    if (pid == 0) {
        struct rdma_cm_id *id = endpoint(RAI_PASSIVE);

        CHECK_EQ(rdma_listen(id, 4), 0);
        CHECK_EQ(write(ready[1], "!", 1), 1);
        serve(id);
        rdma_destroy_ep(id);
        _exit(0);
    }
    peer_watch(pid);
    close(ready[1]);
    CHECK_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return pid;
}

static void send_and_wait(struct rdma_cm_id *id, void *data, struct ibv_mr *mr)
{
    struct ibv_wc wc;

    CHECK_EQ(rdma_post_send(id, NULL, data, BYTES, mr, 0), 0);
    CHECK_EQ(rdma_get_send_comp(id, &wc), 1);
    CHECK_EQ(wc.status, IBV_WC_SUCCESS);
}

static void receive(struct rdma_cm_id *id)
{
    struct ibv_wc wc;

    CHECK_EQ(rdma_get_recv_comp(id, &wc), 1);
    CHECK_EQ(wc.status, IBV_WC_SUCCESS);
    CHECK_EQ(wc.byte_len, BYTES);
}

static void echo(struct rdma_cm_id *listener)
{
    static unsigned char data[BYTES];
    struct rdma_cm_id *id;
    struct ibv_mr *mr;

    CHECK_EQ(rdma_get_request(listener, &id), 0);
    mr = rdma_reg_msgs(id, data, sizeof(data));
    CHECK(mr != NULL);
    CHECK_EQ(rdma_post_recv(id, NULL, data, BYTES, mr), 0);
    CHECK_EQ(rdma_accept(id, NULL), 0);
    receive(id);
    for (unsigned i = 0; i < BYTES; i++)
        data[i] = (unsigned char)(data[i] + 1);
    send_and_wait(id, data, mr);
    CHECK_EQ(rdma_disconnect(id), 0);
    rdma_dereg_mr(mr);
    rdma_destroy_ep(id);
}

static void endpoints_exchange_messages(void)
{
    static unsigned char out[BYTES], in[BYTES];
    pid_t pid = start_server(echo);
    struct rdma_cm_id *id = endpoint(0);
    struct ibv_mr *of_out, *of_in;

    for (unsigned i = 0; i < BYTES; i++)
        out[i] = (unsigned char)(i * 7);
    of_out = rdma_reg_msgs(id, out, sizeof(out));
    of_in = rdma_reg_msgs(id, in, sizeof(in));
    CHECK(of_out != NULL && of_in != NULL);
    CHECK_EQ(rdma_post_recv(id, NULL, in, BYTES, of_in), 0);
    CHECK_EQ(rdma_connect(id, NULL), 0);
    send_and_wait(id, out, of_out);
    receive(id);
    for (unsigned i = 0; i < BYTES; i++)
        CHECK_EQ(in[i], (unsigned char)(i * 7 + 1));
    CHECK_EQ(rdma_disconnect(id), 0);
    rdma_dereg_mr(of_out);
    rdma_dereg_mr(of_in);
    rdma_destroy_ep(id);
    PEER_REAP(pid);
}

static void nobody_listens(void)
{
    struct rdma_cm_id *id = endpoint(0);

    CHECK_EQ(rdma_connect(id, NULL), -1);
    CHECK_EQ(errno, ECONNREFUSED);
    rdma_destroy_ep(id);
}

static void accept_and_wait(struct rdma_cm_id *listener)
{
    struct rdma_cm_id *id;

    CHECK_EQ(rdma_get_request(listener, &id), 0);
    CHECK_EQ(rdma_accept(id, NULL), 0);
    pause();
}

/* The client gets the DISCONNECTED event of a killed server on the channel to which the client's
 * identifier was moved. */
static void killed_server_disconnects_its_client(void)
{
    pid_t pid = start_server(accept_and_wait);
    struct rdma_cm_id *id = endpoint(0);
    struct rdma_event_channel *channel = rdma_create_event_channel();
    struct rdma_cm_event *event;
    struct pollfd p = { channel->fd, POLLIN, 0 };
    int status;

    CHECK_EQ(rdma_connect(id, NULL), 0);
    CHECK_EQ(rdma_migrate_id(id, channel), 0);
    CHECK_EQ(poll(&p, 1, 0), 0);
    peer_forget(pid);
    CHECK_EQ(kill(pid, SIGKILL), 0);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(poll(&p, 1, WAIT_MS), 1);
    CHECK_EQ(rdma_get_cm_event(channel, &event), 0);
    CHECK_EQ(event->event, RDMA_CM_EVENT_DISCONNECTED);
    CHECK(event->id == id);
    rdma_ack_cm_event(event);
    rdma_destroy_ep(id);
    rdma_destroy_event_channel(channel);
}

static const struct rig_case cases[] = {
    RIG_CASE(endpoints_exchange_messages),
    RIG_CASE(nobody_listens),
    RIG_CASE(killed_server_disconnects_its_client),
};

RIG_MAIN(cases)
