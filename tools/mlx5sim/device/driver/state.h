/* The driver's record of one open device: its handles and its event channels. */
#ifndef MLX5SIM_DRIVER_STATE_H
#define MLX5SIM_DRIVER_STATE_H

#include "device/hca/object.h"
#include "device/machine/space.h"

#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>

struct channel;
struct hca_rule_attr;
struct uverbs_context;

enum uobject_type {
    UO_NONE, UO_PD, UO_MR, UO_MW, UO_CQ, UO_QP, UO_SRQ, UO_AH, UO_DM, UO_UAR, UO_UMEM, UO_XRCD,
    UO_DEVX, UO_WQ, UO_IND_TABLE, UO_RSS_QP, UO_FLOW, UO_COUNTERS, UO_MATCHER,
    UO_FLOW_ACTION, UO_VAR, UO_PACE
};

/* The values that a program wants to read from its counters. */
struct counter_readings {
    uint32_t num;               /* 0: no rule uses the counters yet */
    uint32_t of[2];             /* IB_COUNTER_* */
    uint32_t index[2];          /* index of the value in the program's array */
};

/* An object of the kernel's interface. A program refers to it by its handle. */
struct uobject {
    enum uobject_type type;
    uint32_t handle;
    struct uverbs_context *context;
    struct uobject *newer, *older;      /* list of all uobjects in the order of creation */
    struct hca_object *hca;             /* the device's object; NULL for AH and UAR,
                                         * and for a flow action that removes a tunnel */
    /* XRC domains and XRC target QPs: list of the uobjects of the same object of the device. It
     * begins with the object's owner, which is hca->uobject. */
    struct uobject *next_sharer, *prev_sharer;
    uint64_t user_handle;
    unsigned num_users;                 /* number of uobjects that use this uobject */
    struct uobject *used[5];            /* uobjects used by this uobject, for example its PD */
    struct channel *channel;            /* completion channel of a CQ */
    uint32_t events_read, comp_events_read;
    union {
        struct {                        /* QP: values for queries */
            uint32_t type;
            struct ib_uverbs_qp_cap cap;
            bool sq_sig_all;
            struct {                    /* a DCT before the device has it */
                uint8_t state;
                uint64_t key;
                uint32_t uidx;
                struct ib_uverbs_modify_qp attr;
            } dct;
        } qp;
        struct {
            uint32_t max_wr, max_sge;
        } srq;
        struct {
            uint64_t addr, len, iova;
            uint32_t access;
            struct sim_space *space;
        } mr;
        struct {
            struct sim_space *space;    /* space that contains the memory, from `offset` on */
            uint64_t offset, len;
            bool memic;         /* memory in the BAR, otherwise memory for steering entries */
        } dm;
        uint32_t uar_page, var_page;
        uint16_t rate;                  /* packet pacing entry: index of the rate */
        struct hca_rule_attr *matcher;  /* matcher: attributes that all its rules have in common */
        struct counter_readings readings;       /* counters */
    };
};

/* An open device. Several processes may hold its descriptor. */
struct uverbs_context {
    struct sim_client *client;
    struct uobject **table;     /* index = handle & HANDLE_INDEX */
    uint32_t *generation;       /* for each index: upper bits of the next handle */
    uint32_t table_len, next_index;
    struct uobject *newest;
    struct channel *channels;
    struct hca_object *transport_domain;        /* of raw packet QPs; NULL before the first one */
    bool ready;                 /* the program has called GET_CONTEXT */
    bool devx;
};

#endif
