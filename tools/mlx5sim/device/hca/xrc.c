/* XRC domains. */
#include "device/hca/xrc.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static void release(struct hca_object *object)
{
    const struct hca_xrcd *xrcd = (const struct hca_xrcd *)object;

    if (xrcd->file >= 0)
        close(xrcd->file);
}

int hca_xrcd_create(struct sim_client *client, const struct hca_xrcd_attr *attr,
                    struct hca_object **out)
{
    struct hca_xrcd *xrcd = calloc(1, sizeof(*xrcd));

    if (!xrcd || hca_add(&xrcd->object, HCA_XRCD, client, release)) {
        free(xrcd);
        return ENOMEM;
    }
    xrcd->file = attr->file;
    xrcd->device = attr->device;
    xrcd->inode = attr->inode;
    /* analyzer: analyzer-malloc-leak: the table of objects holds it */
    *out = &xrcd->object;
    return 0;
}

struct search {
    const struct sim_function *function;
    uint64_t device, inode;
    struct hca_object *found;
};

static void compare(struct hca_object *object, void *arg)
{
    const struct hca_xrcd *xrcd = (const struct hca_xrcd *)object;
    struct search *search = arg;

    if (object->function == search->function && xrcd->file >= 0 &&
        xrcd->device == search->device && xrcd->inode == search->inode)
        search->found = object;
}

struct hca_object *hca_xrcd_of_file(const struct sim_function *function, uint64_t device,
                                    uint64_t inode)
{
    struct search search = { .function = function, .device = device, .inode = inode };

    hca_each(HCA_XRCD, compare, &search);
    return search.found;
}
