/* A client on the host sends the lines of a file to a service on the DPU, each as one message. The
 * service answers each message with the number of lines so far, and ends when the client has
 * disconnected.
 *     line_count_dpu NAME
 *     line_count_host NAME FILE                                                                  */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include <doca_comm_channel.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>

#include "../common.h"

#define HOST_FUNCTION "0b:00.0"
#ifdef DOCA_ARCH_DPU
#define DEVICE "03:00.0"
#else
#define DEVICE HOST_FUNCTION
#endif
#define MAX_MESSAGE 4080
#define QUEUE_SIZE 10
#define PAUSE_NS 10000

DOCA_LOG_REGISTER(LINE_COUNT);

struct channel {
    struct doca_comm_channel_ep_t *ep;
    struct doca_comm_channel_addr_t *peer;
    struct doca_dev *dev;
    struct doca_dev_rep *rep;
    int epoll_fd;
    doca_event_channel_t recv_fd;
};

static void pause_a_moment(void)
{
    struct timespec pause = { 0, PAUSE_NS };

    while (nanosleep(&pause, &pause) != 0 && errno == EINTR)
        ;
}

/* Report a failed call. */
static doca_error_t check(doca_error_t result, const char *what)
{
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("%s: %s", what, doca_error_get_name(result));
    return result;
}

static doca_error_t open_channel(struct channel *c, const char *pci_addr)
{
    doca_error_t result;

    memset(c, 0, sizeof(*c));
    c->epoll_fd = epoll_create1(0);
    result = check(doca_comm_channel_ep_create(&c->ep), "create");
    if (result == DOCA_SUCCESS)
        result = open_device(pci_addr, NULL, &c->dev);
    if (result == DOCA_SUCCESS)
        result = check(doca_comm_channel_ep_set_device(c->ep, c->dev), "set_device");
    if (result == DOCA_SUCCESS)
        result = check(doca_comm_channel_ep_set_max_msg_size(c->ep, MAX_MESSAGE), "message size");
    if (result == DOCA_SUCCESS)
        result = check(doca_comm_channel_ep_set_send_queue_size(c->ep, QUEUE_SIZE), "send queue");
    if (result == DOCA_SUCCESS)
        result = check(doca_comm_channel_ep_set_recv_queue_size(c->ep, QUEUE_SIZE), "recv queue");
    return result;
}

static void close_channel(struct channel *c)
{
    if (c->ep != NULL)
        (void)check(doca_comm_channel_ep_destroy(c->ep), "destroy");
    if (c->rep != NULL)
        (void)check(doca_dev_rep_close(c->rep), "close the representor");
    if (c->dev != NULL)
        (void)check(doca_dev_close(c->dev), "close the device");
    close(c->epoll_fd);
}

static doca_error_t watch(struct channel *c)
{
    struct epoll_event event = { .events = EPOLLIN };
    doca_error_t result = doca_comm_channel_ep_get_event_channel(c->ep, NULL, &c->recv_fd);

    if (check(result, "get_event_channel") != DOCA_SUCCESS)
        return result;
    event.data.fd = c->recv_fd;
    return epoll_ctl(c->epoll_fd, EPOLL_CTL_ADD, c->recv_fd, &event) == 0
               ? DOCA_SUCCESS
               : DOCA_ERROR_OPERATING_SYSTEM;
}

/* Sleep until a message has arrived, or something else has happened. */
static doca_error_t wait_for_message(struct channel *c)
{
    struct epoll_event event;

    if (check(doca_comm_channel_ep_event_handle_arm_recv(c->ep), "arm") != DOCA_SUCCESS)
        return DOCA_ERROR_IO_FAILED;
    if (epoll_wait(c->epoll_fd, &event, 1, 10000) < 0 && errno != EINTR)
        return DOCA_ERROR_OPERATING_SYSTEM;
    return DOCA_SUCCESS;
}

#ifdef DOCA_ARCH_DPU

/* Open the representor of the function that the client uses. */
static doca_error_t open_representor(struct channel *c)
{
    struct doca_devinfo_rep **list;
    uint32_t num = 0, i;
    uint8_t is_equal = 0;
    doca_error_t result =
        doca_devinfo_rep_create_list(c->dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &num);

    if (check(result, "list the representors") != DOCA_SUCCESS)
        return result;
    for (i = 0; i < num && !is_equal; i++)
        (void)doca_devinfo_rep_is_equal_pci_addr(list[i], HOST_FUNCTION, &is_equal);
    result = is_equal ? doca_dev_rep_open(list[i - 1], &c->rep) : DOCA_ERROR_NOT_FOUND;
    (void)check(doca_devinfo_rep_destroy_list(list), "destroy the list");
    return check(result, "open the representor");
}

static doca_error_t run(struct channel *c, char **args)
{
    static char room[MAX_MESSAGE];
    uint64_t num_lines = 0, bytes = 0;
    doca_error_t result = open_representor(c);
    size_t len;

    if (result == DOCA_SUCCESS)
        result = check(doca_comm_channel_ep_set_device_rep(c->ep, c->rep), "set_device_rep");
    if (result == DOCA_SUCCESS)
        result = check(doca_comm_channel_ep_listen(c->ep, args[1]), "listen");
    if (result == DOCA_SUCCESS)
        result = watch(c);
    if (result != DOCA_SUCCESS)
        return result;
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        len = sizeof(room);
        result = doca_comm_channel_ep_recvfrom(c->ep, room, &len, DOCA_CC_MSG_FLAG_NONE, &c->peer);
        if (result == DOCA_SUCCESS) {
            num_lines++;
            while ((result = doca_comm_channel_ep_sendto(c->ep, &num_lines, sizeof(num_lines),
                                                         DOCA_CC_MSG_FLAG_NONE, c->peer)) ==
                   DOCA_ERROR_AGAIN)
                pause_a_moment();
            if (check(result, "sendto") != DOCA_SUCCESS)
                return result;
        } else if (result != DOCA_ERROR_AGAIN) {
            return check(result, "recvfrom");
        } else if (c->peer != NULL && doca_comm_channel_peer_addr_update_info(c->peer) ==
                                          DOCA_ERROR_CONNECTION_ABORTED) {
            break;
        } else if (wait_for_message(c) != DOCA_SUCCESS) {
            return DOCA_ERROR_OPERATING_SYSTEM;
        }
    }
    result = doca_comm_channel_peer_addr_get_recv_bytes(c->peer, &bytes);
    if (check(result, "get_recv_bytes") == DOCA_SUCCESS)
        printf("%lu lines, %lu bytes\n", (unsigned long)num_lines, (unsigned long)bytes);
    return check(doca_comm_channel_ep_disconnect(c->ep, c->peer), "disconnect");
}

#else

static doca_error_t receive_number(struct channel *c, uint64_t *number)
{
    size_t len = sizeof(*number);

    return doca_comm_channel_ep_recvfrom(c->ep, number, &len, DOCA_CC_MSG_FLAG_NONE, &c->peer);
}

static doca_error_t run(struct channel *c, char **args)
{
    static char line[MAX_MESSAGE];
    uint64_t num_lines = 0, num_sent = 0;
    doca_error_t result;
    FILE *file;

    if (args[2] == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    result = doca_comm_channel_ep_connect(c->ep, args[1], &c->peer);
    if (check(result, "connect") != DOCA_SUCCESS)
        return result;
    while ((result = doca_comm_channel_peer_addr_update_info(c->peer)) ==
           DOCA_ERROR_CONNECTION_INPROGRESS)
        pause_a_moment();
    if (check(result, "update_info") != DOCA_SUCCESS || (result = watch(c)) != DOCA_SUCCESS)
        return result;
    file = fopen(args[2], "r");
    if (file == NULL)
        return check(DOCA_ERROR_NOT_FOUND, args[2]);
    while (result == DOCA_SUCCESS && fgets(line, sizeof(line), file) != NULL) {
        while ((result = doca_comm_channel_ep_sendto(c->ep, line, strlen(line),
                                                     DOCA_CC_MSG_FLAG_NONE, c->peer)) ==
               DOCA_ERROR_AGAIN) /* the service may wait until its answers are received */
            if (receive_number(c, &num_lines) != DOCA_SUCCESS)
                pause_a_moment();
        num_sent += result == DOCA_SUCCESS;
    }
    fclose(file);
    if (check(result, "sendto") != DOCA_SUCCESS)
        return result;
    while (num_lines < num_sent && result == DOCA_SUCCESS)
        if ((result = receive_number(c, &num_lines)) == DOCA_ERROR_AGAIN)
            result = wait_for_message(c);
    if (check(result, "recvfrom") != DOCA_SUCCESS)
        return result;
    printf("%lu lines\n", (unsigned long)num_lines);
    return check(doca_comm_channel_ep_disconnect(c->ep, c->peer), "disconnect");
}

#endif

int main(int argc, char **argv)
{
    struct doca_log_backend *log;
    struct channel channel;
    doca_error_t result = DOCA_ERROR_INVALID_VALUE;

    if (argc < 2 || doca_log_backend_create_with_file_sdk(stderr, &log) != DOCA_SUCCESS)
        return EXIT_FAILURE;
    if (doca_log_backend_create_standard() == DOCA_SUCCESS)
        result = open_channel(&channel, DEVICE);
    else
        return EXIT_FAILURE;
    if (result == DOCA_SUCCESS)
        result = run(&channel, argv);
    close_channel(&channel);
    return result == DOCA_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
