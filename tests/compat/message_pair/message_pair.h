/* A client on the host and a server on the DPU that exchange messages by both paths of Comch. */
#ifndef MESSAGE_PAIR_H_
#define MESSAGE_PAIR_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_comch.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_pe.h>

#include "../common.h"

#define MAX_TEXT_SIZE 4080 /* as long as one message of the control path */
#define MAX_NAME_SIZE 64
#define SLEEP_NS 10000 /* between two checks for an awaited event */

struct pair_config {
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char rep_addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE]; /* server: function that the clients are on */
    char name[MAX_NAME_SIZE];                      /* of the server */
    char text[MAX_TEXT_SIZE];                      /* client: first message; server: answer */
    int num_messages;                              /* of the data path, from client to server */
};

/* The objects and the results of a running client or server. */
struct pair_objects {
    const struct pair_config *conf;
    struct doca_dev *dev;
    struct doca_dev_rep *rep;
    struct doca_pe *pe;
    struct doca_comch_server *server; /* NULL in a client */
    struct doca_comch_client *client; /* NULL in a server */
    struct doca_comch_connection *connection;
    bool is_idle, was_running;
    uint32_t consumer_id;  /* of the peer; 0: none */
    uint32_t num_received; /* messages of the control path */
    doca_error_t result;   /* the first failure in a callback */
};

/* Progress once, or sleep a little when there is nothing to do. */
void progress_or_sleep(struct doca_pe *pe);

doca_error_t send_text(struct pair_objects *objects, const char *text);

/* The data path: receive (server) or send (client) the messages, and end. */
doca_error_t run_consumer(struct pair_objects *objects);
doca_error_t run_producer(struct pair_objects *objects);

doca_error_t run_pair(const struct pair_config *conf);

#endif /* MESSAGE_PAIR_H_ */
