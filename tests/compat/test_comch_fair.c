/* DOCA Comch: several clients send without a pause to one server. The server receives messages of
 * each client, and accepts new clients, within a bounded number of progress calls. */
#include "comch_end.h"

enum {
    CLIENTS = 3,
    MANY_CLIENTS = 12,
    TASKS = 16,
    TURNS = 4000,
    GAP = 64 /* progress calls of the server between two messages of one client, for each client */
};

struct crowd {
    struct comch_end server;
    struct comch_end clients[MANY_CLIENTS];
    unsigned num;
    unsigned turn;                /* progress calls of the server so far */
    unsigned heard[MANY_CLIENTS]; /* turn of the latest message of each client */
    unsigned count[MANY_CLIENTS];
    unsigned longest; /* turns between two messages of one client */
};

static struct crowd crowd;

static void note_message(struct comch_end *e, struct doca_comch_connection *c,
                         const unsigned char *msg, uint32_t len)
{
    struct crowd *w = e->user;

    (void)c;
    CHECK_EQ(len, 1);
    CHECK(msg[0] < w->num);
    if (w->turn - w->heard[msg[0]] > w->longest)
        w->longest = w->turn - w->heard[msg[0]];
    w->heard[msg[0]] = w->turn;
    w->count[msg[0]]++;
}

static void crowd_open(struct crowd *w, unsigned num)
{
    char name[COMCH_NAME];
    unsigned i;

    memset(w, 0, sizeof(*w));
    w->num = num;
    strcpy(name, comch_name());
    comch_make_server(&w->server, COMCH_HOST, name, 1);
    w->server.on_message = note_message;
    w->server.user = w;
    comch_start_server(&w->server);
    for (i = 0; i < num; i++) {
        comch_make_client(&w->clients[i], COMCH_HOST, name, TASKS);
        comch_start_client(&w->clients[i]);
        COMCH_UNTIL(comch_runs(&w->clients[i]) && w->server.num_conns == i + 1);
    }
}

/* Fill the socket of each client, so that it always has a message for the server. */
static void refill(struct crowd *w)
{
    static const unsigned char numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    unsigned i, k;

    for (i = 0; i < w->num; i++)
        for (k = 0; k < 2; k++) {
            (void)comch_try_send(&w->clients[i], w->clients[i].conns[0], &numbers[i], 1);
            (void)comch_progress(&w->clients[i]);
        }
}

static void crowd_check(struct crowd *w)
{
    unsigned i;

    for (i = 0; i < w->num; i++) {
        CHECK(w->turn - w->heard[i] <= GAP * w->num);
        CHECK(w->count[i] >= w->turn / w->num / 4);
    }
    CHECK(w->longest <= GAP * w->num);
}

static void crowd_close(struct crowd *w)
{
    unsigned i;

    for (i = 0; i < w->num; i++)
        comch_stop(&w->clients[i]);
    COMCH_UNTIL(w->server.num_disconnects == w->num);
    for (i = 0; i < w->num; i++)
        comch_destroy(&w->clients[i]);
    comch_close(&w->server);
}

static void check_busy_server(unsigned num)
{
    crowd_open(&crowd, num);
    refill(&crowd);
    for (; crowd.turn < TURNS; crowd.turn++) {
        refill(&crowd);
        (void)comch_progress(&crowd.server);
    }
    crowd_check(&crowd);
    crowd_close(&crowd);
}

static void clients_that_send_without_pause_are_all_served(void)
{
    check_busy_server(CLIENTS);
}

static void many_clients_that_send_without_pause_are_all_served(void)
{
    check_busy_server(MANY_CLIENTS);
}

/* The server sleeps before each progress call. */
static void server_that_sleeps_serves_all_clients(void)
{
    doca_event_handle_t handle;

    crowd_open(&crowd, CLIENTS);
    CHECK_OK(doca_pe_get_notification_handle(crowd.server.pe, &handle));
    refill(&crowd);
    for (; crowd.turn < TURNS; crowd.turn++) {
        refill(&crowd);
        CHECK_OK(doca_pe_request_notification(crowd.server.pe));
        CHECK_OK(doca_pe_clear_notification(crowd.server.pe, handle));
        (void)comch_progress(&crowd.server);
    }
    crowd_check(&crowd);
    crowd_close(&crowd);
}

/* A client that connects while others send without a pause is accepted, and its end is noticed. */
static void new_client_is_accepted_between_busy_ones(void)
{
    struct comch_end *last = &crowd.clients[CLIENTS - 1];
    unsigned i;

    crowd_open(&crowd, CLIENTS);
    comch_stop(last);
    COMCH_UNTIL(crowd.server.num_disconnects == 1);
    crowd.num = CLIENTS - 1; /* the clients that send */
    for (i = 0; i < 10; i++) {
        comch_forget_states(last);
        comch_start_client(last);
        crowd.turn = 0;
        for (; crowd.server.num_connects < CLIENTS + i + 1; crowd.turn++) {
            refill(&crowd);
            (void)comch_progress(last);
            (void)comch_progress(&crowd.server);
            CHECK(crowd.turn < GAP * CLIENTS);
        }
        COMCH_UNTIL(comch_runs(last));
        comch_stop_ctx(last->ctx);
        crowd.turn = 0;
        for (; crowd.server.num_disconnects < i + 2; crowd.turn++) {
            refill(&crowd);
            (void)comch_progress(last);
            (void)comch_progress(&crowd.server);
            CHECK(crowd.turn < GAP * CLIENTS);
        }
        COMCH_UNTIL(comch_is(last, DOCA_CTX_STATE_IDLE));
    }
    comch_destroy(last);
    crowd.server.num_disconnects = 0;
    crowd_close(&crowd);
}

static const struct test_case cases[] = {
    CASE(clients_that_send_without_pause_are_all_served, "329"),
    CASE(many_clients_that_send_without_pause_are_all_served, "329"),
    CASE(server_that_sleeps_serves_all_clients, "329"),
    CASE(new_client_is_accepted_between_busy_ones, "329"),
};

TEST_MAIN(cases)
