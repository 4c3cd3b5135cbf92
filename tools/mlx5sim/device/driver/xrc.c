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

static int stat_file(const struct call *call, int fd, struct hca_xrcd_attr *attr)
{
    struct stat st;
    int err, local = space_client_fd(call->space, fd, &err);

    if (local < 0)
        return err;
    err = fstat(local, &st) != 0 ? errno : 0;
    close(local);
    *attr = (struct hca_xrcd_attr){.of_file = true, .device = st.st_dev, .inode = st.st_ino};
    return err;
}

/* Finds the domain of the file, or makes a domain. */
static int domain_of(const struct call *call, const struct ib_uverbs_open_xrcd *cmd,
                     struct hca_object **hca)
{
    struct hca_xrcd_attr attr = {0};
    int err = 0;

    *hca = NULL;
    if ((int)cmd->fd != -1) {
        err = stat_file(call, (int)cmd->fd, &attr);
        if (err != 0)
            return err;
        *hca = hca_xrcd_of_file(call->client->function, attr.device, attr.inode);
        if (*hca != NULL)
            return (cmd->oflags & O_EXCL) != 0 ? EINVAL : 0;
        if ((cmd->oflags & O_CREAT) == 0)
            return EAGAIN;
    }
    err = fault_driver_command(PRM_ALLOC_XRCD);
    return err != 0 ? err : hca_xrcd_create(call->client, &attr, hca);
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
