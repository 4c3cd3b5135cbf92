/* XRC domains. */
#ifndef MLX5SIM_HCA_XRC_H
#define MLX5SIM_HCA_XRC_H

#include "device/hca/object.h"

/* An XRC domain: a message that arrives at one of its target QPs may go to any of its SRQs. All
 * clients of the function that open the same file share the domain. */
struct hca_xrcd {
    struct hca_object object;
    int file;                   /* descriptor of the file; -1: the domain belongs to one handle */
    uint64_t device, inode;     /* of the file */
};

struct hca_xrcd_attr {
    int file;
    uint64_t device, inode;
};

/* The domain closes its file when it is destroyed. Until then no other file gets the inode. */
int hca_xrcd_create(struct sim_client *client, const struct hca_xrcd_attr *attr,
                    struct hca_object **out);

/* Finds the domain of a file. NULL: no client of the function has opened it. */
struct hca_object *hca_xrcd_of_file(const struct sim_function *function, uint64_t device,
                                    uint64_t inode);

#endif
