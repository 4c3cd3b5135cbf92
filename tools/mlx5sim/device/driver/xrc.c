/* XRC domains. Contexts that open the same file share a domain, which ends with its last handle. */
#define _GNU_SOURCE
#include "device/driver/xrc.h"
#include "device/driver/uobject.h"
#include "device/hca/xrc.h"
#include "device/machine/fault.h"
#include "wire/prm.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rdma/ib_user_ioctl_cmds.h>

/* Opens the file, so that no other file gets its inode. The attributes that the kernel knows are
 * enough: a file system that must ask for them could make the device wait. */
static int open_file(const struct call *call, int fd, struct hca_xrcd_attr *attr)
{
    struct statx st;
    int err;

    attr->file = space_client_path(call->space, fd, &err);
    if (attr->file < 0)
        return err;
    if (statx(attr->file, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO, &st) != 0) {
        err = errno;
        close(attr->file);
        return err;
    }
    attr->device = (uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor;
    attr->inode = st.stx_ino;
    return 0;
}

static int make_domain(const struct call *call, const struct hca_xrcd_attr *attr,
                       struct hca_object **hca)
{
    int err = fault_driver_command(PRM_ALLOC_XRCD);

    return err != 0 ? err : hca_xrcd_create(call->client, attr, hca);
}

/* Finds the domain of the file, or makes a domain. */
static int domain_of(const struct call *call, const struct ib_uverbs_open_xrcd *cmd,
                     struct hca_object **hca)
{
    struct hca_xrcd_attr attr = {.file = -1};
    int err;

    if ((int)cmd->fd == -1)
        return make_domain(call, &attr, hca);
    err = open_file(call, (int)cmd->fd, &attr);
    if (err != 0)
        return err;
    *hca = hca_xrcd_of_file(call->client->function, attr.device, attr.inode);
    if (*hca != NULL)
        err = (cmd->oflags & O_EXCL) != 0 ? EINVAL : 0;
    else if ((cmd->oflags & O_CREAT) == 0)
        err = EAGAIN;
    else
        err = make_domain(call, &attr, hca);
    if (err != 0 || ((struct hca_xrcd *)*hca)->file != attr.file)
        close(attr.file);
    return err;
}

int uverbs_open_xrcd(struct call *call)
{
    struct ib_uverbs_open_xrcd_resp resp;
    struct ib_uverbs_open_xrcd cmd;
    struct hca_object *hca;
    struct uobject *xrcd;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    if (!command_room(call, sizeof(resp.xrcd_handle)))
        return ENOSPC;
    xrcd = uobject_new(call->context, UO_XRCD);
    err = xrcd != NULL ? domain_of(call, &cmd, &hca) : ENOMEM;
    if (err != 0) {
        if (xrcd != NULL)
            uobject_drop(xrcd);
        return err;
    }
    uobject_share(xrcd, hca);
    resp.xrcd_handle = xrcd->handle;
    return command_out(call, &resp, sizeof(resp.xrcd_handle));
}

int uverbs_close_xrcd(struct call *call)
{
    struct ib_uverbs_close_xrcd cmd;
    struct uobject *xrcd;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    xrcd = uobject_find(call->context, cmd.xrcd_handle, UO_XRCD);
    return xrcd != NULL ? uobject_destroy(xrcd, NULL) : EINVAL;
}

static int destroy_xrcd(struct call *call)
{
    return uverbs_destroy(call, UVERBS_ATTR_DESTROY_XRCD_HANDLE, UO_XRCD);
}

const struct method xrc_methods[] = {
    {UVERBS_OBJECT_XRCD, UVERBS_METHOD_XRCD_DESTROY, "XRCD.DESTROY", destroy_xrcd, 1, 0, CORE(0),
     true},
    {.run = NULL}};
