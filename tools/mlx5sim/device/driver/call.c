/* The attributes of an ioctl. */
#include "device/driver/call.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>

enum { INLINE_BYTES = 8 };              /* input of up to 8 bytes is in the attribute itself */

struct ib_uverbs_attr *attr_find(const struct call *call, unsigned id)
{
    unsigned i;

    for (i = 0; i < call->hdr->num_attrs; i++)
        if (call->hdr->attrs[i].attr_id == id)
            return &call->hdr->attrs[i];
    return NULL;
}

int attr_in(const struct call *call, unsigned id, void *out, size_t bytes)
{
    const struct ib_uverbs_attr *attr = attr_find(call, id);
    size_t n;

    memset(out, 0, bytes);
    if (attr == NULL)
        return ENOENT;
    n = attr->len < bytes ? attr->len : bytes;
    if (attr->len > INLINE_BYTES)
        return sim_read(call->space, attr->data, out, n);
    memcpy(out, &attr->data, n);
    return 0;
}

uint64_t attr_value(const struct call *call, unsigned id)
{
    const struct ib_uverbs_attr *attr = attr_find(call, id);

    return attr != NULL ? attr->data : 0;
}

int attr_out(const struct call *call, unsigned id, const void *data, size_t bytes)
{
    static const unsigned char zeros[1024];
    struct ib_uverbs_attr *attr = attr_find(call, id);
    size_t n, done;
    int err;

    if (attr == NULL)
        return 0;
    n = attr->len < bytes ? attr->len : bytes;
    err = sim_write(call->space, attr->data, data, n);
    for (done = n; err == 0 && done < attr->len; done += n) {
        n = attr->len - done < sizeof(zeros) ? attr->len - done : sizeof(zeros);
        err = sim_write(call->space, attr->data + done, zeros, n);
    }
    attr->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
    return err;
}

void attr_out_value(const struct call *call, unsigned id, uint64_t value)
{
    struct ib_uverbs_attr *attr = attr_find(call, id);

    if (attr == NULL)
        return;
    attr->data = value;
    attr->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
}

int command_in(const struct call *call, void *command, size_t bytes)
{
    const struct ib_uverbs_attr *attr = attr_find(call, UVERBS_ATTR_CORE_IN);

    if (attr == NULL || attr->len < bytes)
        return ENOSPC;
    return attr_in(call, UVERBS_ATTR_CORE_IN, command, bytes);
}

bool command_room(const struct call *call, size_t bytes)
{
    const struct ib_uverbs_attr *attr = attr_find(call, UVERBS_ATTR_CORE_OUT);

    return attr != NULL && attr->len >= bytes;
}

int command_out(const struct call *call, const void *response, size_t bytes)
{
    return command_room(call, bytes) ? attr_out(call, UVERBS_ATTR_CORE_OUT, response, bytes)
                                     : ENOSPC;
}

void call_out_fd(struct call *call, uint64_t addr, int fd)
{
    unsigned i = call->reply->num_fds++;

    call->fds[i] = fd;
    call->reply->fd[i] = (struct wire_fd){.addr = addr};
}

void attr_out_fd(struct call *call, unsigned id, int fd)
{
    struct ib_uverbs_attr *attr = attr_find(call, id);

    if (attr == NULL) { /* the program does not want the descriptor */
        close(fd);
        return;
    }
    call_out_fd(call, 0, fd);
    call->reply->fd[call->reply->num_fds - 1].attr = (uint32_t)(attr - call->hdr->attrs);
    attr->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
}
