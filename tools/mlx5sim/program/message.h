/* Netlink messages: building answers, and reading the attributes of requests. */
#ifndef MLX5SIM_PROGRAM_MESSAGE_H
#define MLX5SIM_PROGRAM_MESSAGE_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ANSWER_BYTES = 32768 };

/* The messages that answer one request. */
struct answer {
    size_t bytes;
    bool is_full;               /* something did not fit */
    size_t message, nests[3];   /* offsets of the message and the nested attributes in progress */
    unsigned num_nests;
    _Alignas(4) unsigned char data[ANSWER_BYTES];
};

/* How an answer and the kernel's reply to the same request are combined. */
enum verdict {
    VERDICT_PASS,               /* the kernel alone replies: the library has no answer */
    VERDICT_ADD,                /* the kernel lists what it has; the answer belongs to the list */
    VERDICT_REPLACE             /* the kernel must not see the request: the answer is complete */
};

/* Begin and end a message of this type, with the sequence number of the request. `header` follows
 * the netlink header. The port number of the message stays 0. */
void message_begin(struct answer *a, const struct nlmsghdr *request, unsigned type, unsigned flags,
                   const void *header, size_t bytes);
void message_end(struct answer *a);

/* Append an attribute to the message. The text of message_string() ends with its null byte. */
void message_put(struct answer *a, unsigned type, const void *data, size_t bytes);
void message_u8(struct answer *a, unsigned type, uint8_t value);
void message_u32(struct answer *a, unsigned type, uint32_t value);
void message_u64(struct answer *a, unsigned type, uint64_t value);
void message_string(struct answer *a, unsigned type, const char *text);
void message_nest(struct answer *a, unsigned type);
void message_unnest(struct answer *a);

/* Append the message that ends a list, and the message that reports an error (0: success). */
void message_done(struct answer *a, const struct nlmsghdr *request);
void message_error(struct answer *a, const struct nlmsghdr *request, int error);

/* Returns the data of an attribute of a request with a header of this size, or NULL. The data has
 * at least `bytes` bytes; a text (bytes 0) ends with a null byte inside of the attribute. */
const void *message_attribute(const struct nlmsghdr *request, size_t header, unsigned type,
                              size_t bytes);

/* Returns the header behind the netlink header, or NULL when the request has fewer bytes. */
const void *message_header(const struct nlmsghdr *request, size_t bytes);

#endif
