/* Bytes from a hostile program that make connections of an RDMA instance: details for
 * doca_rdma_connect(), packets for the socket of the instance and for that of a port, and answers
 * of a hostile listener. The input chooses the bytes and descriptors, and what the instance does
 * between them.
 *
 * No task is lost or completes twice, and no descriptor stays open. Afterwards the instance works
 * with a peer to which it was connected before, and with a new one. */
#define DOCA_CORE_API 30000

#include "forge.h"
#include "local_fuzz.h"

#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "tools/compat/doca_core_rdma.h"

#include "rdma_ops.h"

enum { BYTES = 16384, STEPS = 60, CONNS = 6 };

static _Alignas(64) unsigned char memory[3][BYTES];
static struct rdma_end victim, peer, other;
static struct doca_rdma_connection *healthy;
static int raws[LOCAL_RAWS]; /* sockets of the hostile program; -1: unused */
static int raw_listener;
static struct doca_priv_rdma_lane lane; /* a ring as a peer makes it */
static int lane_event, lane_lock;
static unsigned num_submitted;
static struct doca_rdma_addr *addrs[2]; /* at [1], no program or raw_listener listens */
static uint16_t ports[2];

static void fuzz_set_up(void)
{
    struct doca_core_refusal why;
    unsigned i;

    local_open_files();
    memset(&lane, 0, sizeof(lane));
    CHECK(doca_priv_rdma_lane_create(&lane, 8, &why));
    lane_event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    lane_lock = doca_priv_local_file("doca_core_rdma", DOCA_PRIV_PAGE_BYTES);
    CHECK(lane_event >= 0 && lane_lock >= 0);
    for (i = 0; i < 2; i++) {
        ports[i] = (uint16_t)(1000 + ((unsigned)getpid() * 2 + i) % 60000);
        CHECK_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", ports[i], &addrs[i]));
    }
}

static struct doca_rdma_connection *entry(unsigned i)
{
    return &victim.rdma->conns[i];
}

/* ---- the hostile program ---- */

static void hang_up_raw(unsigned i)
{
    if (raws[i] >= 0)
        close(raws[i]);
    raws[i] = -1;
}

static void dial(unsigned i, unsigned how)
{
    struct doca_core_refusal why;

    hang_up_raw(i);
    if (how % 3 == 0)
        raws[i] = doca_priv_local_dial(DOCA_PRIV_RDMA_INSTANCE_PREFIX, victim.rdma->number, &why);
    else if (how % 3 == 1)
        raws[i] = doca_priv_local_dial(DOCA_PRIV_RDMA_PORT_PREFIX, ports[0], &why);
    else
        raws[i] = doca_priv_local_accept(raw_listener);
}

/* Make details: those of a connection of the peer, of the victim itself, or of no connection, with
 * changes that the input chooses. They name no other process of the machine. */
static size_t put_details(unsigned char *at)
{
    const unsigned how = fuzz_byte();
    struct doca_priv_rdma_details d;
    struct forge f;
    size_t len;

    d = how % 4 == 0 ? entry(fuzz_below(CONNS))->details : peer.rdma->conns[0].details;
    if (how % 4 == 1)
        d.head.token = fuzz_number(8);
    if (how / 4 % 4 == 1)
        d.instance = victim.rdma->number;
    else if (how / 4 % 4 == 2)
        d.instance = fuzz_number(8);
    memset(&f, 0, sizeof(f));
    memcpy(f.bytes, &d, sizeof(d));
    len = how / 16 % 4 == 0 ? local_damage(f.bytes, sizeof(d), sizeof(f.bytes)) : sizeof(d);
    memcpy(&d, f.bytes, sizeof(d));
    forge_limit_pid(&d.head, (uint32_t)getpid());
    memcpy(f.bytes, &d, sizeof(d));
    if (how / 64 != 0)
        forge_seal(&f, 0, sizeof(d));
    memcpy(at, f.bytes, len);
    return len;
}

static size_t put_hello(unsigned char *at)
{
    const unsigned how = fuzz_byte();
    struct doca_priv_rdma_hello hello;

    memset(&hello, 0, sizeof(hello));
    hello.to_key = how % 4 != 0 ? entry(how / 4 % CONNS)->key : fuzz_number(8);
    hello.from_key = how / 32 % 2 == 0 ? entry(how / 4 % CONNS)->peer.head.token : fuzz_number(8);
    hello.permissions = fuzz_byte();
    memcpy(at, &hello, sizeof(hello));
    return sizeof(hello);
}

static void send_packet(unsigned i)
{
    static unsigned char packet[LOCAL_PACKET];
    const unsigned how = fuzz_byte();
    struct doca_priv_local_head head;
    size_t len = sizeof(head);
    unsigned k, num_fds = 0;
    int fds[4];

    if (raws[i] < 0)
        return;
    head.type = how % 8 < 7 ? 1 + how % 3 : fuzz_byte();
    head.number = how / 64 == 3 ? (uint32_t)fuzz_number(4) : 0;
    len += head.type == DOCA_PRIV_RDMA_HELLO ? put_hello(packet + len) : put_details(packet + len);
    if (head.type == DOCA_PRIV_RDMA_HELLO || how / 8 % 8 == 0) {
        fds[0] = lane.memory_fd;
        fds[1] = lane_event;
        fds[2] = lane_lock;
        num_fds = 3;
        if (how / 8 % 4 == 0) {
            num_fds = fuzz_below(5);
            for (k = 0; k < num_fds; k++)
                fds[k] = local_files[fuzz_below(6)];
        } else if (how / 8 % 4 == 1) {
            fds[fuzz_below(3)] = local_files[fuzz_below(6)];
        }
    }
    memcpy(packet, &head, sizeof(head));
    if (how / 8 % 3 == 0)
        len = local_damage(packet, len, sizeof(packet));
    local_send_packet(raws[i], packet, len, fds, num_fds);
}

/* Write into the hostile program's ring, which a connection may use. */
static void write_ring(void)
{
    if (fuzz_byte() % 2 == 0)
        local_scribble(lane.ring, lane.bytes);
    else
        doca_priv_rdma_slot_of(&lane, fuzz_below(8))->turn =
            DOCA_PRIV_RDMA_TURN(fuzz_below(8), DOCA_PRIV_RDMA_SLOT_FILLED);
}

/* ---- the victim ---- */

static void accept_or_reject(struct rdma_end *e, struct doca_rdma_connection *c)
{
    (void)e;
    switch (fuzz_byte() % 4) {
    case 0:
        (void)doca_rdma_connection_reject(c);
        return;
    case 1:
        return; /* another call answers the request later, or none does */
    default:
        (void)doca_rdma_connection_accept(c, NULL, 0);
    }
}

/* Export a connection, and connect it with forged details at once, or later, or never. */
static void connect_details(unsigned how)
{
    struct doca_rdma_connection *c = entry(how / 4 % CONNS);
    const void *details;
    unsigned char bytes[FORGE_BYTES], *at;
    size_t len;

    if (how % 4 == 0) {
        (void)doca_rdma_export(victim.rdma, &details, &len, &c);
        return;
    }
    if (c == healthy || c->obj.state != DOCA_PRIV_RDMA_MADE)
        return;
    len = put_details(bytes);
    at = fuzz_block(bytes, len); /* of that length, so that reads beyond its end are found */
    (void)doca_rdma_connect(victim.rdma, at, len, c);
    fuzz_free(at);
}

static void submit_send(unsigned how)
{
    struct doca_rdma_connection *c = entry(how % CONNS);
    struct rdma_op op;

    if (victim.num_done + 16 <= num_submitted || !doca_priv_rdma_is_connection(c) || c == healthy)
        return;
    op = how / CONNS % 2 == 0 ? rdma_send_on(&victim, c, rdma_buf(&victim, 0, 16), 0)
                              : rdma_send_on(&victim, c, rdma_buf(&victim, 0, 4000), 0);
    if (rdma_submit(op) == DOCA_SUCCESS)
        num_submitted++;
    else
        rdma_drop(op);
}

static void end_conn(unsigned i)
{
    struct doca_rdma_connection *c = entry(i);

    if (c != healthy && doca_priv_rdma_is_connection(c) && !c->is_free)
        (void)doca_rdma_connection_disconnect(c);
}

static void misbehave(void)
{
    unsigned step;

    for (step = 0; step < STEPS && fuzz_left > 0; step++) {
        const unsigned how = fuzz_byte(), i = how / 16 % LOCAL_RAWS;

        switch (how % 16) {
        case 0:
        case 1:
            dial(i, fuzz_byte());
            break;
        case 2:
            hang_up_raw(i);
            break;
        case 3:
            if (raws[i] >= 0)
                local_drop_packets(raws[i]);
            break;
        case 4:
        case 5:
            connect_details(fuzz_byte());
            break;
        case 6:
            (void)doca_rdma_connect_to_addr(victim.rdma, addrs[how / 16 % 2],
                                            (union doca_data){ .u64 = 0 });
            break;
        case 7:
            submit_send(fuzz_byte());
            break;
        case 8:
            end_conn(fuzz_below(CONNS));
            break;
        case 9:
            write_ring();
            break;
        case 10:
        case 11:
            (void)rdma_turn();
            break;
        default:
            if (raws[i] < 0)
                dial(i, fuzz_byte());
            send_packet(i);
        }
    }
}

static void settle(void)
{
    unsigned idle;

    for (idle = 0; idle < 40; idle++)
        if (rdma_turn())
            idle = 0;
}

/* End all connections except the healthy one. Then all entries can be used again. */
static void part(void)
{
    unsigned i;

    for (i = 0; i < LOCAL_RAWS; i++)
        hang_up_raw(i);
    close(raw_listener);
    settle();
    for (i = 0; i < CONNS; i++)
        end_conn(i);
    settle();
    CHECK_EQ(victim.num_done, num_submitted);
    CHECK_EQ(rig_inflight(victim.ctx), 0);
    for (i = 0; i < CONNS; i++)
        CHECK(entry(i) == healthy || entry(i)->obj.state == DOCA_PRIV_RDMA_FREE ||
              entry(i)->is_free);
}

static void check_health(void)
{
    unsigned i;

    victim.conn = healthy;
    rdma_deliver(&victim, &peer, 0, 4096, 999);
    rdma_deliver(&peer, &victim, 64, 8192, 888);
    rdma_open(&other, memory[2], BYTES);
    for (i = 0; i < CONNS - 1; i++) {
        rdma_join(&victim, &other);
        rdma_deliver(&victim, &other, 0, 4096, 99);
        rdma_deliver(&other, &victim, 64, 8192, 88);
        if (i < CONNS - 2) {
            CHECK_OK(doca_rdma_connection_disconnect(victim.conn));
            settle();
        }
    }
    rdma_close(&other);
}

static void fuzz_run_input(void)
{
    const unsigned num_files = local_count_files();
    struct doca_core_refusal why;
    unsigned i;

    for (i = 0; i < LOCAL_RAWS; i++)
        raws[i] = -1;
    num_submitted = 0;
    memset(lane.ring, 0, lane.bytes);
    lane.ring->magic = DOCA_PRIV_RDMA_MAGIC;
    lane.ring->num_slots = 8;
    share_fill(memory[0], BYTES, 1);
    share_fill(memory[1], BYTES, 2);
    share_fill(memory[2], BYTES, 3);
    rdma_make(&victim, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(victim.rdma, CONNS));
    victim.on_request = accept_or_reject;
    rdma_start(&victim);
    CHECK_OK(doca_rdma_start_listen_to_port(victim.rdma, ports[0]));
    raw_listener = doca_priv_local_listen(DOCA_PRIV_RDMA_PORT_PREFIX, ports[1], &why);
    CHECK(raw_listener >= 0);
    rdma_open(&peer, memory[1], BYTES);
    rdma_join(&victim, &peer);
    healthy = victim.conn;
    RDMA_UNTIL(victim.num_established == 1 && peer.num_established == 1);
    misbehave();
    part();
    check_health();
    rdma_close_both(&victim, &peer);
    local_check_files(num_files);
}
