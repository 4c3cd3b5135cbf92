/* Netlink messages: building answers, and reading the attributes of requests. */
#include "program/message.h"

#include <string.h>

/* Appends bytes, padded to a multiple of four with zeros. Returns false when they do not fit. */
static bool append(struct answer *a, const void *data, size_t bytes)
{
    size_t padded = NLMSG_ALIGN(bytes);

    if (a->is_full || padded > sizeof(a->data) - a->bytes) {
        a->is_full = true;
        return false;
    }
    memset(a->data + a->bytes, 0, padded);
    if (bytes > 0)
        memcpy(a->data + a->bytes, data, bytes);
    a->bytes += padded;
    return true;
}

void message_begin(struct answer *a, const struct nlmsghdr *request, unsigned type, unsigned flags,
                   const void *header, size_t bytes)
{
    const struct nlmsghdr message = {.nlmsg_type = (uint16_t)type, .nlmsg_flags = (uint16_t)flags,
                                     .nlmsg_seq = request->nlmsg_seq};

    a->message = a->bytes;
    if (append(a, &message, sizeof(message)))
        append(a, header, bytes);
}

void message_end(struct answer *a)
{
    uint32_t bytes = (uint32_t)(a->bytes - a->message);

    if (a->is_full)
        a->bytes = a->message;          /* the answer ends before the message */
    else
        memcpy(a->data + a->message, &bytes, sizeof(bytes));
}

void message_put(struct answer *a, unsigned type, const void *data, size_t bytes)
{
    const struct nlattr attribute = {.nla_len = (uint16_t)(NLA_HDRLEN + bytes),
                                     .nla_type = (uint16_t)type};

    if (append(a, &attribute, sizeof(attribute)))
        append(a, data, bytes);
}

void message_u8(struct answer *a, unsigned type, uint8_t value)
{
    message_put(a, type, &value, sizeof(value));
}

void message_u32(struct answer *a, unsigned type, uint32_t value)
{
    message_put(a, type, &value, sizeof(value));
}

void message_u64(struct answer *a, unsigned type, uint64_t value)
{
    message_put(a, type, &value, sizeof(value));
}

void message_string(struct answer *a, unsigned type, const char *text)
{
    message_put(a, type, text, strlen(text) + 1);
}

void message_nest(struct answer *a, unsigned type)
{
    a->nests[a->num_nests++] = a->bytes;
    message_put(a, type | NLA_F_NESTED, NULL, 0);
}

void message_unnest(struct answer *a)
{
    size_t at = a->nests[--a->num_nests];
    uint16_t bytes = (uint16_t)(a->bytes - at);

    if (!a->is_full)
        memcpy(a->data + at, &bytes, sizeof(bytes));
}

void message_done(struct answer *a, const struct nlmsghdr *request)
{
    int32_t status = 0;

    message_begin(a, request, NLMSG_DONE, NLM_F_MULTI, &status, sizeof(status));
    message_end(a);
}

void message_error(struct answer *a, const struct nlmsghdr *request, int error)
{
    struct nlmsgerr body = {.error = -error, .msg = *request};
    size_t bytes = error != 0 ? request->nlmsg_len - sizeof(*request) : 0;

    message_begin(a, request, NLMSG_ERROR, 0, &body, sizeof(body));
    append(a, request + 1, bytes);      /* the kernel returns the request that it refuses */
    message_end(a);
}

const void *message_header(const struct nlmsghdr *request, size_t bytes)
{
    return request->nlmsg_len >= NLMSG_LENGTH(bytes) ? (const void *)(request + 1) : NULL;
}

const void *message_attribute(const struct nlmsghdr *request, size_t header, unsigned type,
                              size_t bytes)
{
    const unsigned char *base = (const unsigned char *)request;
    size_t at = NLMSG_SPACE(header), end = request->nlmsg_len, data;
    const struct nlattr *attribute;

    for (; at + NLA_HDRLEN <= end; at += NLA_ALIGN(attribute->nla_len)) {
        attribute = (const void *)(base + at);
        if (attribute->nla_len < NLA_HDRLEN || attribute->nla_len > end - at)
            return NULL;
        data = attribute->nla_len - NLA_HDRLEN;
        if ((attribute->nla_type & NLA_TYPE_MASK) != type)
            continue;
        if (bytes == 0 ? memchr(attribute + 1, '\0', data) == NULL : data < bytes)
            return NULL;
        return attribute + 1;
    }
    return NULL;
}
