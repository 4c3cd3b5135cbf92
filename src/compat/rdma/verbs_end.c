/* ---- >>impl.rdma.verbs_end ------------------------------------------------------------------
 * How a side of a connection between queue pairs learns that its peer has ended. Beside the queue
 * pair of its tasks, each connection has a second queue pair, the control queue pair. The exported
 * details contain the numbers of both. A side that ends sends the goodbye: an empty message on the
 * control queue pair. The peer has posted a receive request for the goodbye from the start. So the
 * goodbye uses no receive task of the program, and it needs no permission of the peer's instance.
 * A process that was killed sends no goodbye. Therefore a side sends a probe every
 * DOCA_CORE_RDMA_PROBE_MS while a connection has no task in flight: it writes 0 bytes through the
 * control queue pair. The device of a living peer answers a probe without its program. A side sends
 * the first probe when it connects, and repeats it until the peer has connected. Only after that
 * does an unanswered probe mean that the peer has ended.
 * The control queue pairs of an instance have a separate protection domain without any memory, so
 * that a peer cannot use their permission to write. They also have a separate completion queue.
 * Only every DOCA_PRIV_RDMA_LISTEN_POLLS-th call of poll looks at that queue. It wakes a sleeping
 * program for goodbyes and failures, but not for answered probes.                               */
#include "compat/rdma/verbs_end_priv.h"

#include "base/clock_priv.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "progress/ctx.h"
#include "compat/rdma/config.h"
#include "compat/rdma/connection_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"
#include "compat/rdma/verbs_cm_priv.h"
#include "compat/rdma/verbs_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS

#define DOCA_PRIV_RDMA_PROBE_NS ((uint64_t)DOCA_CORE_RDMA_PROBE_MS * 1000000u)
#define DOCA_PRIV_RDMA_STOP_NS 1000000000u /* how long a stop waits for the goodbyes */
#define DOCA_PRIV_RDMA_LOOK_NS 20000000u   /* between two looks for an ended peer */
#define DOCA_PRIV_RDMA_REUSE_NS 10000000u  /* how long an export waits for an older goodbye */
#define DOCA_PRIV_RDMA_CLOCK_POLLS 256u    /* polls until the clock is read; a power of 2 */
#define DOCA_PRIV_RDMA_CONTROL_REQUESTS 2u /* a probe and the goodbye */
#define DOCA_PRIV_RDMA_CONTROL_ENTRIES 3u  /* completions of a connection: these, and a receive */

/* The purpose of a request on a control queue pair. The number of the request is the index of the
 * connection times DOCA_PRIV_RDMA_PURPOSES, plus the purpose. */
enum {
    DOCA_PRIV_RDMA_HEAR = 1,
    DOCA_PRIV_RDMA_PROBE,
    DOCA_PRIV_RDMA_GOODBYE,
    DOCA_PRIV_RDMA_PURPOSES
};

static uint64_t doca_priv_rdma_verbs_number(const struct doca_rdma_connection *connection,
                                            uint32_t purpose)
{
    return (uint64_t)(connection - connection->rdma->conns) * DOCA_PRIV_RDMA_PURPOSES + purpose;
}

/* Create the protection domain and the completion queue of the control queue pairs. Returns an
 * errno with the step that failed, or 0. */
DOCA_PRIV_DECL int doca_priv_rdma_verbs_open_control(struct doca_rdma *r, const char **step)
{
    *step = DOCA_PRIV_LOG_TEXT("allocate a protection domain (ibv_alloc_pd)");
    r->control_pd = ibv_alloc_pd(r->pd->context);
    if (r->control_pd == NULL)
        return errno;
    *step = DOCA_PRIV_LOG_TEXT("create a second completion queue (ibv_create_cq)");
    r->control_cq =
        ibv_create_cq(r->pd->context, (int)(r->max_conns * DOCA_PRIV_RDMA_CONTROL_ENTRIES + 1),
                      NULL, r->channel, 0);
    return r->control_cq != NULL ? 0 : errno;
}

/* Destroy both, once the control queue pairs and the events are gone. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_close_control(struct doca_rdma *r)
{
    if (r->control_cq != NULL)
        doca_priv_rdma_verbs_released(
            r, ibv_destroy_cq(r->control_cq),
            DOCA_PRIV_LOG_TEXT("destroy a completion queue (ibv_destroy_cq)"));
    if (r->control_pd != NULL)
        doca_priv_rdma_verbs_released(
            r, ibv_dealloc_pd(r->control_pd),
            DOCA_PRIV_LOG_TEXT("release a protection domain (ibv_dealloc_pd)"));
    r->control_cq = NULL;
    r->control_pd = NULL;
}

/* Bring a control queue pair from RESET to INIT, and post the receive request of the goodbye.
 * Returns an errno, or 0. */
static int doca_priv_rdma_verbs_hear(struct doca_rdma_connection *connection)
{
    struct ibv_recv_wr wr, *bad = NULL;
    int error;

    error = doca_priv_rdma_verbs_to_init(connection->control, (unsigned)IBV_ACCESS_REMOTE_WRITE);
    if (error != 0)
        return error;
    DOCA_CORE_MEMSET(&wr, 0, sizeof(wr));
    wr.wr_id = doca_priv_rdma_verbs_number(connection, DOCA_PRIV_RDMA_HEAR);
    return ibv_post_recv(connection->control, &wr, &bad);
}

/* Create the control queue pair of a connection. Returns 0, or an errno and the name of the failed
 * step in *step. */
DOCA_PRIV_DECL int doca_priv_rdma_verbs_create_control(struct doca_rdma_connection *connection,
                                                       const char **step)
{
    struct doca_rdma *r = connection->rdma;
    struct ibv_qp_init_attr attr;

    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.send_cq = attr.recv_cq = r->control_cq;
    attr.qp_type = IBV_QPT_RC;
    attr.cap.max_send_wr = DOCA_PRIV_RDMA_CONTROL_REQUESTS;
    attr.cap.max_recv_wr = 1;
    attr.cap.max_send_sge = attr.cap.max_recv_sge = 1;
    *step = DOCA_PRIV_LOG_TEXT("create a control queue pair (ibv_create_qp)");
    connection->control = ibv_create_qp(r->control_pd, &attr);
    if (connection->control == NULL)
        return errno;
    *step = DOCA_PRIV_LOG_TEXT("bring a control queue pair to INIT (ibv_modify_qp)");
    return doca_priv_rdma_verbs_hear(connection);
}

/* Post an empty request to the control queue pair. */
static bool doca_priv_rdma_verbs_say(struct doca_rdma_connection *connection, uint32_t purpose)
{
    struct ibv_send_wr wr, *bad = NULL;

    DOCA_CORE_MEMSET(&wr, 0, sizeof(wr));
    wr.wr_id = doca_priv_rdma_verbs_number(connection, purpose);
    wr.opcode = purpose == DOCA_PRIV_RDMA_GOODBYE ? IBV_WR_SEND : IBV_WR_RDMA_WRITE;
    wr.send_flags = (unsigned)IBV_SEND_SIGNALED |
                    (purpose == DOCA_PRIV_RDMA_GOODBYE ? (unsigned)IBV_SEND_SOLICITED : 0u);
    return ibv_post_send(connection->control, &wr, &bad) == 0;
}

/* Set the time of the next probe. */
static void doca_priv_rdma_verbs_wait_probe(struct doca_rdma_connection *connection)
{
    connection->deadline =
        DOCA_CORE_RDMA_PROBE_MS > 0 ? doca_priv_sys_now() + DOCA_PRIV_RDMA_PROBE_NS : 0;
}

static void doca_priv_rdma_verbs_probe(struct doca_rdma_connection *connection)
{
    if (DOCA_CORE_RDMA_PROBE_MS > 0)
        connection->is_probing = doca_priv_rdma_verbs_say(connection, DOCA_PRIV_RDMA_PROBE);
    doca_priv_rdma_verbs_wait_probe(connection);
}

/* Connect the control queue pair to that of the peer, and send the first probe. Returns an errno
 * with the step that failed, or 0. */
DOCA_PRIV_DECL int doca_priv_rdma_verbs_join_control(struct doca_rdma_connection *connection,
                                                     const struct doca_priv_rdma_place *peer,
                                                     const char **step)
{
    const struct doca_priv_rdma_ends ends = { connection->control, connection->place.control_psn,
                                              peer->control_qpn, peer->control_psn };
    int error = doca_priv_rdma_verbs_to_rts(connection, &ends, peer, step);

    if (error != 0)
        return error;
    connection->peer_place = *peer;
    doca_priv_rdma_verbs_probe(connection);
    return 0;
}

/* Bring a control queue pair back to INIT. Returns false when the device refuses. */
DOCA_PRIV_DECL bool doca_priv_rdma_verbs_reset_control(struct doca_rdma_connection *connection)
{
    struct ibv_qp_attr attr;

    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_RESET;
    return ibv_modify_qp(connection->control, &attr, IBV_QP_STATE) == 0 &&
           doca_priv_rdma_verbs_hear(connection) == 0;
}

/* The peer has ended. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_lose(struct doca_rdma_connection *connection)
{
    if (connection->obj.state == DOCA_PRIV_RDMA_DOWN)
        return;
    connection->has_left = true;
    (void)doca_priv_fail(DOCA_ERROR_CONNECTION_RESET, DOCA_CORE_ITEM_RDMA_LOST, "doca_pe_progress",
                         connection);
    connection->rdma->transport->down(connection, DOCA_ERROR_CONNECTION_RESET,
                                      connection->was_up ? DOCA_PRIV_RDMA_DISCONNECTED
                                                         : DOCA_PRIV_RDMA_FAILED);
}

/* Handle the end of a probe. */
static void doca_priv_rdma_verbs_probed(struct doca_rdma_connection *connection,
                                        const struct ibv_wc *wc)
{
    struct doca_priv_rdma_place peer;
    const char *step;

    connection->is_probing = false;
    if (wc->status == IBV_WC_SUCCESS)
        connection->is_answered = true;
    if (wc->status == IBV_WC_SUCCESS || wc->status == IBV_WC_WR_FLUSH_ERR ||
        connection->obj.state != DOCA_PRIV_RDMA_UP)
        return;
    peer = connection->peer_place;
    if (wc->status != IBV_WC_RETRY_EXC_ERR || connection->is_answered ||
        !doca_priv_rdma_verbs_reset_control(connection) ||
        doca_priv_rdma_verbs_join_control(connection, &peer, &step) != 0)
        doca_priv_rdma_verbs_lose(connection);
}

/* Count one goodbye in flight less: the goodbye of the connection has completed, or the caller
 * stops waiting for its completion. */
static void doca_priv_rdma_verbs_left(struct doca_rdma_connection *connection)
{
    connection->is_leaving = false;
    connection->deadline = 0;
    connection->rdma->num_leaving--;
}

/* Handle one completion of a control queue pair. */
static void doca_priv_rdma_verbs_heard(struct doca_rdma *r, const struct ibv_wc *wc)
{
    struct doca_rdma_connection *c;

    if (wc->wr_id / DOCA_PRIV_RDMA_PURPOSES >= r->max_conns)
        return;
    c = &r->conns[wc->wr_id / DOCA_PRIV_RDMA_PURPOSES];
    if (c->control == NULL || c->control->qp_num != wc->qp_num) /* QP was destroyed */
        return;
    switch (wc->wr_id % DOCA_PRIV_RDMA_PURPOSES) {
    case DOCA_PRIV_RDMA_HEAR:
        if (wc->status == IBV_WC_SUCCESS && c->obj.state == DOCA_PRIV_RDMA_UP)
            doca_priv_rdma_verbs_lose(c);
        else if (wc->status == IBV_WC_SUCCESS)
            c->has_left = true;
        return;
    case DOCA_PRIV_RDMA_PROBE:
        doca_priv_rdma_verbs_probed(c, wc);
        return;
    default:
        if (c->is_leaving)
            doca_priv_rdma_verbs_left(c);
        return;
    }
}

/* Handle all completions of the control queue pairs. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_listen(struct doca_rdma *r)
{
    struct ibv_wc wc;

    while (ibv_poll_cq(r->control_cq, 1, &wc) > 0)
        doca_priv_rdma_verbs_heard(r, &wc);
}

/* Send the probes that are due. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_send_probes(struct doca_rdma *r)
{
    struct doca_rdma_connection *c = r->live;
    const uint64_t now = DOCA_CORE_RDMA_PROBE_MS > 0 && c != NULL ? doca_priv_sys_now() : 0;

    for (; now != 0 && c != NULL; c = c->next_live) {
        if (c->deadline > now || c->control == NULL)
            continue;
        if (c->ops == NULL && !c->is_probing)
            doca_priv_rdma_verbs_probe(c);
        else /* the completion of a task or probe in flight will show whether the peer lives */
            doca_priv_rdma_verbs_wait_probe(c);
    }
}

/* Look at what poll need not look at in each call: completions of the control queue pairs, events
 * of connections by address, and, more rarely, the clock. */
DOCA_PRIV_DECL DOCA_PRIV_NOINLINE void doca_priv_rdma_verbs_attend(struct doca_rdma *r)
{
    doca_priv_rdma_verbs_listen(r);
    if (r->num_polls % DOCA_PRIV_RDMA_CLOCK_POLLS == 0)
        doca_priv_rdma_verbs_send_probes(r);
    doca_priv_rdma_cm_look(r);
}

/* Send the goodbye of a connection that ends on this side. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_leave(struct doca_rdma_connection *connection)
{
    connection->deadline = 0;
    if (connection->control == NULL || !connection->was_up || connection->has_left ||
        connection->is_leaving || !doca_priv_rdma_verbs_say(connection, DOCA_PRIV_RDMA_GOODBYE))
        return;
    connection->is_leaving = true;
    connection->rdma->num_leaving++;
}

/* True when the kernel says that the process of the peer has ended. False when the process runs, or
 * is on another machine. */
static bool doca_priv_rdma_verbs_is_peer_gone(const struct doca_rdma_connection *connection)
{
    const struct doca_priv_rdma_place *peer = &connection->peer_place;
    bool is_gone;
    int process;

    if (peer->machine == 0 || peer->machine != connection->place.machine)
        return false;
    process = doca_priv_sys_process_open(peer->head.pid);
    is_gone = doca_priv_sys_process_is_gone(process, peer->head.pid, -1);
    doca_priv_sys_close(process);
    return is_gone;
}

/* True when no goodbye is on its way, or its time is over. A goodbye to a process that has ended
 * gets no answer, so the stop does not wait for it. The deadline of a connection is the time of the
 * next question to the kernel, at which a program that sleeps wakes. */
DOCA_PRIV_DECL bool doca_priv_rdma_verbs_has_left(struct doca_rdma *r)
{
    const uint64_t now = doca_priv_sys_now();
    const bool is_over = now >= r->stop_at;
    struct doca_rdma_connection *c = r->conns;
    uint32_t i;

    doca_priv_rdma_verbs_listen(r);
    for (i = 0; r->num_leaving > 0 && i < r->max_conns; i++, c++) {
        if (!c->is_leaving)
            continue;
        if (is_over)
            c->deadline = 0;
        else if (now >= c->deadline && doca_priv_rdma_verbs_is_peer_gone(c))
            doca_priv_rdma_verbs_left(c);
        else if (now >= c->deadline)
            c->deadline = now + DOCA_PRIV_RDMA_LOOK_NS;
    }
    return is_over || r->num_leaving == 0;
}

/* Give the goodbyes of an instance that stops some time: the device of a peer that runs answers at
 * once. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_limit_stop(struct doca_rdma *r)
{
    r->stop_at = doca_priv_sys_now() + DOCA_PRIV_RDMA_STOP_NS;
    (void)doca_priv_rdma_verbs_has_left(r);
}

/* Destroy the control queue pair of a connection that has ended. `waits`: give the goodbye time. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_forget_control(struct doca_rdma_connection *connection,
                                                        bool waits)
{
    struct doca_rdma *r = connection->rdma;
    uint64_t end;

    if (connection->control == NULL)
        return;
    doca_priv_rdma_verbs_listen(r);
    end = connection->is_leaving && waits ? doca_priv_sys_now() + DOCA_PRIV_RDMA_REUSE_NS : 0;
    while (connection->is_leaving && end != 0 && doca_priv_sys_now() < end)
        doca_priv_rdma_verbs_listen(r);
    if (connection->is_leaving)
        doca_priv_rdma_verbs_left(connection);
    doca_priv_rdma_verbs_released(
        r, ibv_destroy_qp(connection->control),
        DOCA_PRIV_LOG_TEXT("destroy a control queue pair (ibv_destroy_qp)"));
    connection->control = NULL;
}

/* Ask the event channel for the next completion: while the instance has goodbyes on their way, for
 * any; otherwise for goodbyes of peers, and failures. Returns false when the device refuses. */
DOCA_PRIV_DECL bool doca_priv_rdma_verbs_arm_control(struct doca_rdma *r)
{
    if (ibv_req_notify_cq(r->control_cq, r->num_leaving == 0 ? 1 : 0) != 0)
        return false;
    doca_priv_rdma_verbs_listen(r);
    if (r->ctx.obj.state == DOCA_CTX_STATE_STOPPING) /* a deadline in the past would wake at once */
        (void)doca_priv_rdma_verbs_has_left(r);
    doca_priv_rdma_verbs_send_probes(r);
    doca_priv_rdma_cm_look(r);
    doca_priv_rdma_set_timer(r);
    return true;
}

#endif /* DOCA_CORE_RDMA_VERBS */
