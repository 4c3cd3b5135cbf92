/* Endpoints of the Comm Channel for tests: a service on the DPU and clients on the host. */
#ifndef COMM_END_H
#define COMM_END_H

#include "doca_core_comch.h"
#include "doca_test.h"

#include <fcntl.h>
#include <poll.h>
#include <time.h>

#define COMM_DPU "0000:03:00.0"
#define COMM_HOST "0000:0b:00.0"

enum {
    COMM_PATIENCE_MS = 20000, /* until a test gives up */
    COMM_ROOM = 4080
};

struct comm_end {
    struct doca_comm_channel_ep_t *ep;
    struct doca_dev *dev;
    struct doca_dev_rep *rep;              /* NULL: a client */
    struct doca_comm_channel_addr_t *peer; /* of a client */
    struct doca_comm_channel_addr_t *from; /* of the latest message */
    size_t len;
    char text[COMM_ROOM];
};

static inline uint64_t comm_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Repeat `step` until the condition holds. */
#define COMM_UNTIL(condition, step)                                                                \
    do {                                                                                           \
        uint64_t end_ = comm_now_ms() + COMM_PATIENCE_MS;                                          \
        while (!(condition)) {                                                                     \
            CHECK(comm_now_ms() < end_);                                                           \
            step;                                                                                  \
        }                                                                                          \
    } while (0)

static inline struct doca_dev *comm_open_dev(const char *pci_addr)
{
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    uint32_t num, i;
    uint8_t is_equal;

    CHECK_OK(doca_devinfo_create_list(&list, &num));
    for (i = 0; i < num && dev == NULL; i++) {
        CHECK_OK(doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &is_equal));
        if (is_equal)
            CHECK_OK(doca_dev_open(list[i], &dev));
    }
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK(dev != NULL);
    return dev;
}

static inline struct doca_dev_rep *comm_open_rep(struct doca_dev *dev, const char *pci_addr)
{
    struct doca_devinfo_rep **list;
    struct doca_dev_rep *rep = NULL;
    uint32_t num, i;
    uint8_t is_equal;

    CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num));
    for (i = 0; i < num && rep == NULL; i++) {
        CHECK_OK(doca_devinfo_rep_is_equal_pci_addr(list[i], pci_addr, &is_equal));
        if (is_equal)
            CHECK_OK(doca_dev_rep_open(list[i], &rep));
    }
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK(rep != NULL);
    return rep;
}

/* Return a name that no other program and no other call uses. */
static inline const char *comm_name(void)
{
    static char name[32];
    static unsigned serial;

    snprintf(name, sizeof(name), "comm %d %u", (int)getpid(), ++serial);
    return name;
}

/* Create an endpoint with its device, and with its representor for a service. */
static inline void comm_create(struct comm_end *e, bool is_service)
{
    memset(e, 0, sizeof(*e));
    e->dev = comm_open_dev(is_service ? COMM_DPU : COMM_HOST);
    e->rep = is_service ? comm_open_rep(e->dev, COMM_HOST) : NULL;
    CHECK_OK(doca_comm_channel_ep_create(&e->ep));
    CHECK_OK(doca_comm_channel_ep_set_device(e->ep, e->dev));
    if (is_service)
        CHECK_OK(doca_comm_channel_ep_set_device_rep(e->ep, e->rep));
}

static inline void comm_destroy(struct comm_end *e)
{
    CHECK_OK(doca_comm_channel_ep_destroy(e->ep));
    if (e->rep != NULL)
        CHECK_OK(doca_dev_rep_close(e->rep));
    CHECK_OK(doca_dev_close(e->dev));
    memset(e, 0, sizeof(*e));
}

static inline doca_error_t comm_receive(struct comm_end *e)
{
    e->len = sizeof(e->text);
    return doca_comm_channel_ep_recvfrom(e->ep, e->text, &e->len, DOCA_CC_MSG_FLAG_NONE, &e->from);
}

static inline doca_error_t comm_send(struct comm_end *e, struct doca_comm_channel_addr_t *peer,
                                     const char *text)
{
    return doca_comm_channel_ep_sendto(e->ep, text, strlen(text) + 1, DOCA_CC_MSG_FLAG_NONE, peer);
}

/* Connect a client to a service of the same thread. */
static inline void comm_connect(struct comm_end *client, struct comm_end *service, const char *name)
{
    doca_error_t rc;

    CHECK_OK(doca_comm_channel_ep_connect(client->ep, name, &client->peer));
    COMM_UNTIL((rc = doca_comm_channel_peer_addr_update_info(client->peer)) !=
                   DOCA_ERROR_CONNECTION_INPROGRESS,
               CHECK_RC(comm_receive(service), DOCA_ERROR_AGAIN));
    CHECK_OK(rc);
}

/* Wait until an endpoint has received this text. */
static inline void comm_expect(struct comm_end *e, const char *text)
{
    doca_error_t rc;

    COMM_UNTIL((rc = comm_receive(e)) != DOCA_ERROR_AGAIN, (void)0);
    CHECK_OK(rc);
    CHECK_EQ(e->len, strlen(text) + 1);
    CHECK_STR(e->text, text);
}

/* Create a service that listens, and a client that is connected. */
static inline void comm_pair(struct comm_end *service, struct comm_end *client, const char *name)
{
    comm_create(service, true);
    comm_create(client, false);
    CHECK_OK(doca_comm_channel_ep_listen(service->ep, name));
    comm_connect(client, service, name);
}

static inline bool comm_is_readable(int fd, int timeout_ms)
{
    struct pollfd p = { fd, POLLIN, 0 };

    return poll(&p, 1, timeout_ms) == 1 && (p.revents & POLLIN) != 0;
}

/* Count the descriptors of the process below 256. */
static inline unsigned comm_num_descriptors(void)
{
    unsigned num = 0;
    int fd;

    for (fd = 0; fd < 256; fd++)
        num += fcntl(fd, F_GETFD) != -1;
    return num;
}

/* Check that a call returns `rc` and logs one line of this item. */
#define REFUSED(call, rc, item)                                                                    \
    do {                                                                                           \
        test_log_lines = 0;                                                                        \
        CHECK_RC(call, rc);                                                                        \
        CHECK_EQ(test_log_lines, 1);                                                               \
        CHECK_EQ(test_log_item, item);                                                             \
    } while (0)

#endif
