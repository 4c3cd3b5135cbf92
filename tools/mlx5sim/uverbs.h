/* Inside the kernel half: the event loop, requests, handles, channels. */
#ifndef MLX5SIM_UVERBS_H
#define MLX5SIM_UVERBS_H

#include "sim.h"
#include "wire.h"

#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>

/* ---- event loop (device.c) ------------------------------------------------------------------ */

struct watch {
    int fd;
    void (*ready)(struct watch *watch, uint32_t events);
    void *dead_memory;          /* dropped: freed after the batch of events */
    struct watch *next_dead;
};

void watch_add(struct watch *watch, uint32_t events);
/* The fd stays open and is no longer looked at. */
void watch_pause(struct watch *watch);
/* Closes the fd; the memory, if any, is freed when the current batch of events is through. */
void watch_drop(struct watch *watch, void *memory);

/* The address space of a process, held under one entry as long as it lives. */
struct sim_space *space_of_process(pid_t pid);
struct call;
/* `len` bytes from `offset` of the file behind a client's fd; they start at address offset % page
 * of the space. NULL with an errno in `error`. */
struct sim_space *space_of_client_file(const struct call *call, int fd, uint64_t offset,
                                       uint64_t len, int *error);

/* ---- one ioctl (uverbs.c) ------------------------------------------------------------------- */

struct call {
    struct uverbs_context *context;
    struct sim_client *client;
    pid_t pid;
    struct sim_space *space;    /* the caller's memory */
    struct ib_uverbs_ioctl_hdr *hdr;
    struct wire_reply *reply;
    int fds[WIRE_MAX_FDS];      /* go to the caller, and are closed here, with the reply */
};

struct ib_uverbs_attr *attr_find(const struct call *call, unsigned id);
/* Input of at most `bytes`; the rest of `out` is zeroed. ENOENT when the attribute is absent. */
int attr_in(const struct call *call, unsigned id, void *out, size_t bytes);
/* Input that is carried in the attribute itself (constants, handles); 0 when absent. */
uint64_t attr_value(const struct call *call, unsigned id);
/* Output, as much as the caller has room for; absent attributes are passed over. */
int attr_out(const struct call *call, unsigned id, const void *data, size_t bytes);
void attr_out_value(const struct call *call, unsigned id, uint64_t value);
/* An fd for the caller; it is closed here after the reply. */
void attr_out_fd(struct call *call, unsigned id, int fd);
void call_out_fd(struct call *call, uint64_t addr, int fd);

/* ---- handles -------------------------------------------------------------------------------- */

enum uobject_type {
    UO_NONE, UO_PD, UO_MR, UO_MW, UO_CQ, UO_QP, UO_SRQ, UO_AH, UO_DM, UO_UAR, UO_UMEM, UO_DEVX
};

struct uobject {
    enum uobject_type type;
    uint32_t handle;
    struct uverbs_context *context;
    struct uobject *newer, *older;      /* order of creation in the context */
    struct hca_object *hca;             /* or NULL: AH, UAR */
    uint64_t user_handle;
    unsigned uses;                      /* uobjects that name this one */
    struct uobject *names[4];           /* the ones this names */
    struct channel *channel;            /* completion channel of a CQ */
    uint32_t events_read, comp_events_read;
    union {
        struct {                        /* QP: what query returns */
            uint32_t type;
            struct ib_uverbs_qp_cap cap;
            bool sq_sig_all;
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
            uint64_t bar_offset, len;
        } dm;
        uint32_t uar_page;
    };
};

/* A new handle without an hca object; NULL when there is no room. */
struct uobject *uobject_new(struct uverbs_context *context, enum uobject_type type);
/* Ties the object to its handle. */
void uobject_bind(struct uobject *uobject, struct hca_object *hca);
void uobject_name(struct uobject *uobject, struct uobject *named);
struct uobject *uobject_find(struct uverbs_context *context, uint32_t handle,
                             enum uobject_type type);
/* By an attribute of a call: NULL when there is none such. UO_NONE: of any type. */
struct uobject *attr_uobject(const struct call *call, unsigned id, enum uobject_type type);
/* Destroys the object and gives the handle back: 0 or EBUSY. `read`, or NULL, gets the numbers of
 * events of it that were read: completion, asynchronous. */
int uobject_destroy(struct uobject *uobject, uint32_t read[2]);
/* Gives back a handle whose object was never made. */
void uobject_drop(struct uobject *uobject);

/* ---- event fds (channel.c) ------------------------------------------------------------------ */

enum channel_kind { CHANNEL_COMP, CHANNEL_ASYNC, CHANNEL_DEVX_EVENT, CHANNEL_DEVX_CMD };

/* Makes a channel of the context; its reading end comes in `fd`. NULL with errno. */
struct channel *channel_new(struct uverbs_context *context, enum channel_kind kind,
                            uint32_t flags, int *fd);
/* The channel an fd of the process `pid` is, or NULL. */
struct channel *channel_find(struct uverbs_context *context, pid_t pid, int fd,
                             enum channel_kind kind);
void channel_use(struct channel *channel);
void channel_unuse(struct channel *channel);
void channel_post(struct channel *channel, struct uobject *source, const void *record,
                  size_t bytes);
/* Takes events of `source` nobody has read out of all channels; the rest is counted as read. */
void channel_forget(struct uverbs_context *context, struct uobject *source);
void channel_context_gone(struct uverbs_context *context);
uint32_t channel_flags(const struct channel *channel);
void channel_post_async(struct uverbs_context *context, struct uobject *source, uint64_t element,
                        uint32_t event);

/* DevX subscriptions (udevx.c). */
void devx_event(struct sim_function *function, struct hca_object *object, unsigned event,
                unsigned subtype);
void devx_object_gone(const struct hca_object *object);
void devx_channel_gone(const struct channel *channel);

/* ---- contexts ------------------------------------------------------------------------------- */

struct uverbs_context {
    struct sim_client *client;
    struct uobject **table;     /* index = handle & HANDLE_INDEX */
    uint32_t *generation;
    uint32_t table_len, next_index;
    struct uobject *newest;
    struct channel *channels;
    bool ready;                 /* GET_CONTEXT was done */
    bool devx;
};

struct uverbs_context *uverbs_context_new(struct sim_function *function, pid_t pid);
void uverbs_context_free(struct uverbs_context *context);
/* The ioctl in call->hdr: errno. */
int uverbs_ioctl(struct call *call);
/* Where an mmap of the context goes: errno. */
int uverbs_mmap(struct uverbs_context *context, uint64_t offset, uint64_t len,
                struct wire_reply *reply);

/* Handlers: a method of an object; errno. */
struct method {
    uint16_t object, method;
    const char *name;
    int (*run)(struct call *call);
    uint16_t core_attrs, driver_attrs;  /* known ids: 0.. and 0x1000.. */
    uint64_t needs;             /* bit n: core attribute n; bit 32 + n: driver attribute n */
    bool destroys;              /* works when the device has failed */
};

#define CORE(n) (1ull << (n))
#define DRIVER(n) (1ull << (32 + (n)))

extern const struct method object_methods[];    /* uobjects.c; the last has no run */
extern const struct method memory_methods[];    /* umemory.c */
extern const struct method queue_methods[];     /* uqueues.c */
extern const struct method devx_methods[];      /* udevx.c */

int uverbs_write_command(struct call *call);    /* ucmds.c */

/* uobjects.c */
int uverbs_check_access(uint32_t access);
/* Is [addr, addr + len) mapped in the caller, and writable if it has to be? 0, EINVAL, EFAULT. */
int uverbs_check_memory(const struct call *call, uint64_t addr, uint64_t len, bool writable);
/* A method whose only attribute names the object to be destroyed. */
int uverbs_destroy(struct call *call, unsigned id, enum uobject_type type);

/* uqueues.c */
struct uobject *uverbs_create_srq(struct call *call, struct ib_uverbs_create_xsrq *cmd,
                                  int *error);

#endif
