/*
 * Flow tables and the groups of their entries. The entries are rules (steering.h): a group gives
 * its entries their mask, and a range of indices in the table.
 */
#ifndef MLX5SIM_HCA_FLOW_TABLE_H
#define MLX5SIM_HCA_FLOW_TABLE_H

#include "device/hca/match.h"
#include "device/hca/object.h"

/* Tables have the levels 0 to FLOW_MAX_LEVEL - 1. The number is assumed. libmlx5 expects more than
 * 64 levels: it puts arrays of destinations at level 63, and its own tables at the last level. */
enum { FLOW_MAX_LEVEL = 128 };

/* The same for tables of RDMA. The number is assumed: rdma-core's suite uses level 200. */
enum { FLOW_RDMA_MAX_LEVEL = 255 };

enum hca_table_type {           /* values of table_type */
    TABLE_RECEIVE = 0, TABLE_SEND = 1, TABLE_RDMA_RECEIVE = 7, TABLE_RDMA_SEND = 8
};

struct hca_rule;

struct hca_table_attr {
    enum hca_table_type type;
    unsigned level;             /* packets pass from tables to tables of a higher level only */
    unsigned log_size;          /* the table has 2^log_size indices */
    bool reformats, decaps;     /* entries may have these actions */
    bool terminates;            /* entries cannot send packets to tables (assumed) */
    bool sw_owned;              /* programs write the entries into the memory of the device */
    uint64_t root;              /* sw_owned: address of the first entry */
    struct hca_flow_table *miss;        /* for packets without a match; NULL: see steering.h */
};

struct hca_flow_table {
    struct hca_object object;
    struct hca_table_attr attr;
    struct hca_rule *entries;   /* list by index */
    struct hca_rule **at;       /* for each index: the entry, or NULL */
    struct hca_flow_group *groups;
};

struct hca_group_attr {
    struct hca_flow_table *table;
    uint32_t first, last;       /* indices of the entries */
    uint8_t criteria;           /* which parts of the mask the group uses */
    uint8_t mask[MATCH_BYTES];
};

struct hca_flow_group {
    struct hca_object object;
    struct hca_flow_group *next;
    struct hca_group_attr attr;
};

/* True for a table of packets of QPs with a transport. The emulator does not make these packets, so
 * that such a table can only tell whether all of them pass or are dropped. */
static inline bool hca_is_rdma_table(unsigned type)
{
    return type == TABLE_RDMA_RECEIVE || type == TABLE_RDMA_SEND;
}

/* A table holds a reference on the next table. */
int hca_table_create(struct sim_client *client, const struct hca_table_attr *attr,
                     struct hca_object **out);
void hca_table_set_miss(struct hca_flow_table *table, struct hca_flow_table *miss);

/* Returns 0, ENOMEM, or EEXIST when another group of the table has one of the indices. A group
 * holds a reference on its table. */
int hca_group_create(struct sim_client *client, const struct hca_group_attr *attr,
                     struct hca_object **out);

#endif
