/* A fake mlx5 device in plain memory. Its functions replace the libibverbs calls in >>mlx5.sys. It
 * reads WQEs and writes CQEs at the byte offsets of the hardware manual, and does not use the
 * structures of the header. It executes WQEs when the test calls fake_run(). It allocates no
 * memory. */
#ifndef MLX5_FAKE_H
#define MLX5_FAKE_H

#include "fixture.h"

#include "doca_core_mlx5.h"

#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <sys/eventfd.h>

#define FAKE_QPS 4
#define FAKE_MRS 64
#define FAKE_WQES 128u /* WQEs of a queue pair: the smallest number that the backend requests */
#define FAKE_TAG 0x5a  /* the low byte of every key */

struct fake_qp {
    struct ibv_qp ibv; /* must be first: the backend gets its address */
    bool is_used;
    enum ibv_qp_state state;
    bool has_mmo;
    uint32_t dest;
    uint32_t dbrec[2];
    uint64_t doorbell;
    uint16_t ci;
    uint32_t max_sge, max_inline;
    unsigned char sq[FAKE_WQES * 64];
};

static struct {
    /* properties of the device */
    bool is_mlx5;
    bool has_mmo_qp, has_mmo_sq, has_cap_2;
    unsigned log_mmo_max;
    bool is_ethernet, has_ipv4;
    bool has_relaxed_write, has_relaxed_read;
    bool has_ipoib; /* the device has a network interface (IPoIB) that has none of the GIDs */
    uint32_t cqe_bytes;
    uint32_t max_sge;                    /* limit that query_device returns */
    uint32_t max_qp_sge, max_qp_inline;  /* limits with which create_qp succeeds */
    const char *sysfs; /* target of the device's link in sysfs */

    /* behaviour that a test sets */
    unsigned fail_at;       /* the n-th WQE from now fails, counted from 1; 0: no WQE fails */
    uint8_t syndrome, vendor;
    unsigned drop_at;       /* the n-th completion from now is not written */
    bool has_no_cq;         /* poll_cq returns an error */
    int keeps;              /* errno that destroy_qp and dereg_mr return although they succeed; 0 */
    unsigned refuse_at;     /* the n-th post_send from now and all later ones return ENOMEM */
    int async_event;
    struct ibv_qp *of_event; /* queue pair that a QP_FATAL event names */
    bool no_td;             /* no doorbell can be allocated */
    bool no_domain;         /* no parent domain can be allocated */
    int no_more;            /* create_qp returns NULL with this errno; 0: it succeeds */
    int no_list;            /* get_device_list returns NULL with this errno; 0: it succeeds */
    int no_channel;         /* create_comp_channel returns NULL with this errno; 0: it succeeds */
    int no_port;            /* query_port returns this errno */
    int no_arming;          /* req_notify_cq returns this errno */
    unsigned num_asks;      /* calls of query_port */
    uint16_t lid;           /* LID that query_port returns */

    struct fake_qp qps[FAKE_QPS];
    struct {
        struct ibv_mr ibv;
        unsigned access;
    } mrs[FAKE_MRS];
    unsigned num_mrs; /* registered MRs */
    struct ibv_pd pd, domain;
    struct ibv_td td;
    unsigned num_tds, num_domains;
    struct ibv_context context;
    struct ibv_device device;
    struct ibv_device *list[2];
    struct ibv_comp_channel channel;
    struct ibv_cq cq;
    int events[2];
    uint32_t num_cqes, cq_pi;
    uint32_t cq_dbrec[2];
    uint64_t cq_uar[8];
    bool is_overrun;
    unsigned char cqes[256 * 128];
    unsigned char mkey_cmd[0x110], allow_cmd[0x40], alias_cmd[0x50];
    struct ibv_dm dm;
    unsigned char dm_bytes[256];
    unsigned num_dms;
    struct mlx5dv_devx_umem umem;
    void *umem_addr;
    size_t umem_len;
    uint32_t umem_access;
    unsigned num_umems, num_objs; /* umems and DevX objects that exist */
    uint8_t obj_status;           /* status that the next obj_create returns; 0: success */
    unsigned num_mmo_cmds;
    unsigned char mmo_cmd[0x1d0];
    unsigned num_posted, num_posted_inline; /* WQEs posted by post_send */
    unsigned num_wcs, wc_at;
    struct ibv_wc wcs[FAKE_WQES];
} fake;

static inline uint32_t fake_be32(const void *at)
{
    const unsigned char *b = at;

    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static inline uint64_t fake_be64(const void *at)
{
    return (uint64_t)fake_be32(at) << 32 | fake_be32((const unsigned char *)at + 4);
}

static inline void fake_put32(void *at, uint32_t value)
{
    unsigned char *b = at;

    b[0] = (unsigned char)(value >> 24);
    b[1] = (unsigned char)(value >> 16);
    b[2] = (unsigned char)(value >> 8);
    b[3] = (unsigned char)value;
}

/* ---- devices ---- */

static inline struct ibv_device **fake_get_device_list(int *num)
{
    if (fake.no_list != 0) {
        errno = fake.no_list;
        return NULL;
    }
    *num = 1;
    return fake.list;
}

static inline void fake_free_device_list(struct ibv_device **list)
{
    CHECK_PTR(list, fake.list);
}

static inline bool fake_is_mlx5(struct ibv_device *device)
{
    (void)device;
    return fake.is_mlx5;
}

static inline struct ibv_context *fake_open_device(struct ibv_device *device, bool with_devx)
{
    CHECK_PTR(device, &fake.device);
    CHECK_EQ(with_devx, fake.is_mlx5);
    fake.context.async_fd = eventfd(0, EFD_NONBLOCK);
    return &fake.context;
}

static inline int fake_close_device(struct ibv_context *context)
{
    CHECK_PTR(context, &fake.context);
    close(fake.context.async_fd);
    return fake.keeps;
}

static inline int fake_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
    (void)context;
    attr->max_qp_wr = (int)FAKE_WQES * 4;
    attr->max_cqe = 4096;
    attr->max_sge = (int)fake.max_sge;
    attr->sys_image_guid = 0x1112131415161718;
    return 0;
}

static inline int fake_query_port(struct ibv_context *context, uint8_t port,
                                  struct ibv_port_attr *attr)
{
    (void)context;
    CHECK_EQ(port, 1);
    fake.num_asks++;
    if (fake.no_port != 0)
        return fake.no_port;
    attr->link_layer = fake.is_ethernet ? IBV_LINK_LAYER_ETHERNET : IBV_LINK_LAYER_INFINIBAND;
    attr->active_mtu = IBV_MTU_4096;
    attr->max_msg_sz = 1u << 31;
    attr->lid = fake.lid;
    attr->gid_tbl_len = 3;
    attr->active_width = 2;
    attr->active_speed = 64;
    return 0;
}

/* The first entry of the GID table is all zeros; the third contains an IPv4 address if has_ipv4. */
static inline int fake_query_gid(struct ibv_context *context, uint8_t port, int index,
                                 uint8_t gid[16])
{
    (void)context;
    (void)port;
    memset(gid, 0, 16);
    gid[15] = (uint8_t)index;
    if (fake.has_ipv4 && index >= 2)
        gid[10] = gid[11] = 0xff;
    return 0;
}

static inline int fake_general_cmd(struct ibv_context *context, const void *in, size_t in_bytes,
                                   void *out, size_t out_bytes)
{
    unsigned char *cap = (unsigned char *)out + 16;

    (void)context;
    if (fake_be32(in) == 0xb16u << 16) {
        CHECK_EQ(in_bytes, 0x40);
        memcpy(fake.allow_cmd, in, in_bytes);
        return 0;
    }
    CHECK_EQ(in_bytes, 16);
    CHECK_EQ(out_bytes, 16 + 4096);
    CHECK_EQ(fake_be32(in), 0x100u << 16);
    if (fake_be32((const char *)in + 4) == 0x41) { /* the second page of capabilities */
        cap[0xe0 / 8 + 2] = 1;                     /* local mkey to remote mkey */
        cap[0x100 / 8 + 7] = 4;                    /* mkeys */
        return 0;
    }
    CHECK_EQ(fake_be32((const char *)in + 4), 1);
    cap[0x20 / 8] = fake.has_cap_2 ? 0x80 : 0;
    cap[0x30 / 8 + 1] = 9;                                     /* vhca_id */
    cap[0x6b / 8] = (unsigned char)(fake.log_mmo_max & 0x1f);  /* log_dma_mmo_max_size, 5 bits */
    cap[0xe8 / 8] = (unsigned char)((fake.has_relaxed_write ? 0x80 : 0) |
                                    (fake.has_relaxed_read ? 0x40 : 0));
    cap[0x153 / 8] = fake.has_mmo_sq ? 0x80 >> 0x153 % 8 : 0;
    cap[0x748 / 8] = fake.has_mmo_qp ? 0x80 : 0;
    return 0;
}

static inline int fake_read_file(const char *path, char *text, size_t bytes)
{
    const char *answer = NULL;

    if (!fake.has_ipoib &&
        strcmp(path, "/sys/class/infiniband/fake_0/ports/1/gid_attrs/ndevs/0") == 0)
        answer = "fake0";
    else if (strstr(path, "mlx5_core.sf.3/sfnum") != NULL)
        answer = "88";
    if (answer == NULL)
        return ENOENT;
    CHECK(strlen(answer) < bytes);
    strcpy(text, answer);
    return 0;
}

static inline int fake_resolve_path(const char *path, char *text, size_t bytes)
{
    if (strcmp(path, "/sys/class/infiniband/fake_0/device") != 0)
        return ENOENT;
    CHECK(strlen(fake.sysfs) < bytes);
    strcpy(text, fake.sysfs);
    return 0;
}

static inline int fake_list_names(const char *path, void (*visit)(const char *name, void *data),
                                  void *data)
{
    if (!fake.has_ipoib || strcmp(path, "/sys/class/infiniband/fake_0/device/net") != 0)
        return ENOENT;
    visit("ib1", data);
    visit("ib0", data);
    return 0;
}

/* ---- memory ---- */

static inline struct ibv_pd *fake_alloc_pd(struct ibv_context *context)
{
    CHECK_PTR(context, &fake.context);
    fake.pd.context = context;
    return &fake.pd;
}

static inline int fake_dealloc_pd(struct ibv_pd *pd)
{
    if (pd == &fake.domain) {
        fake.num_domains--;
        return 0;
    }
    CHECK_PTR(pd, &fake.pd);
    CHECK_EQ(fake.num_mrs, 0);
    CHECK_EQ(fake.num_tds, 0);
    CHECK_EQ(fake.num_domains, 0);
    return 0;
}

static inline struct ibv_mr *fake_reg_mr(struct ibv_pd *pd, void *addr, size_t len, unsigned access)
{
    uint32_t i = 0;

    CHECK_PTR(pd, &fake.pd);
    while (i < FAKE_MRS && fake.mrs[i].ibv.length != 0)
        i++;
    if (i == FAKE_MRS) {
        errno = ENOMEM;
        return NULL;
    }
    fake.mrs[i].ibv.addr = addr;
    fake.mrs[i].ibv.length = len;
    fake.mrs[i].ibv.lkey = fake.mrs[i].ibv.rkey = (i + 1) << 8 | FAKE_TAG;
    fake.mrs[i].access = access;
    fake.num_mrs++;
    return &fake.mrs[i].ibv;
}

static inline int fake_dereg_mr(struct ibv_mr *mr)
{
    CHECK(mr->length != 0);
    mr->length = 0;
    fake.num_mrs--;
    return fake.keeps;
}

/* Device memory. Its memory keys are zero-based: address 0 is the first byte of the allocation. */
static inline struct ibv_dm *fake_alloc_dm(struct ibv_context *context, size_t len)
{
    CHECK_PTR(context, &fake.context);
    if (len > sizeof(fake.dm_bytes)) {
        errno = EINVAL;
        return NULL;
    }
    fake.num_dms++;
    return &fake.dm;
}

static inline int fake_free_dm(struct ibv_dm *dm)
{
    CHECK_PTR(dm, &fake.dm);
    fake.num_dms--;
    return 0;
}

static inline struct ibv_mr *fake_reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm, size_t len,
                                            unsigned access)
{
    CHECK_PTR(dm, &fake.dm);
    CHECK((access & IBV_ACCESS_ZERO_BASED) != 0);
    if (len % 64 != 0) { /* real firmware refuses such a length */
        errno = EINVAL;
        return NULL;
    }
    return fake_reg_mr(pd, NULL, len, access & ~(unsigned)IBV_ACCESS_ZERO_BASED);
}

static inline int fake_memcpy_to_dm(struct ibv_dm *dm, uint64_t offset, const void *from,
                                    size_t len)
{
    CHECK_PTR(dm, &fake.dm);
    if ((offset | len) % 4 != 0) /* libmlx5 refuses such a copy */
        return EINVAL;
    CHECK(offset + len <= sizeof(fake.dm_bytes));
    memcpy(fake.dm_bytes + offset, from, len);
    return 0;
}

static inline int fake_memcpy_from_dm(void *to, struct ibv_dm *dm, uint64_t offset, size_t len)
{
    CHECK_PTR(dm, &fake.dm);
    if ((offset | len) % 4 != 0)
        return EINVAL;
    CHECK(offset + len <= sizeof(fake.dm_bytes));
    memcpy(to, fake.dm_bytes + offset, len);
    return 0;
}

static inline struct mlx5dv_devx_umem *fake_umem_reg(struct ibv_context *context, void *addr,
                                                     size_t len, uint32_t access)
{
    CHECK_PTR(context, &fake.context);
    fake.umem.umem_id = 0x61626364;
    fake.umem_addr = addr;
    fake.umem_len = len;
    fake.umem_access = access;
    fake.num_umems++;
    return &fake.umem;
}

static inline int fake_umem_dereg(struct mlx5dv_devx_umem *umem)
{
    CHECK_PTR(umem, &fake.umem);
    fake.num_umems--;
    return 0;
}

/* Create a DevX object. A new mkey gets the index 0x123456, a new alias 0x123457. */
static inline struct mlx5dv_devx_obj *fake_obj_create(struct ibv_context *context, const void *in,
                                                      size_t in_bytes, void *out,
                                                      size_t out_bytes)
{
    bool is_mkey = fake_be32(in) == 0x200u << 16;

    CHECK_PTR(context, &fake.context);
    CHECK_EQ(in_bytes, is_mkey ? sizeof(fake.mkey_cmd) : sizeof(fake.alias_cmd));
    CHECK(out_bytes >= 16);
    memcpy(is_mkey ? fake.mkey_cmd : fake.alias_cmd, in, in_bytes);
    if (fake.obj_status != 0) {
        *(unsigned char *)out = fake.obj_status;
        fake_put32((char *)out + 4, 0xabcdef);
        errno = EREMOTEIO;
        return NULL;
    }
    fake_put32((char *)out + 8, is_mkey ? 0x123456 : 0x123457);
    fake.num_objs++;
    return (struct mlx5dv_devx_obj *)(void *)&fake.num_objs;
}

static inline int fake_obj_destroy(struct mlx5dv_devx_obj *obj)
{
    CHECK_PTR(obj, &fake.num_objs);
    fake.num_objs--;
    return 0;
}

/* Translate an address with a memory key. Return NULL when the key does not cover the range or does
 * not permit the access. */
static inline unsigned char *fake_memory(uint32_t key, uint64_t addr, uint64_t len, unsigned access)
{
    uint32_t i = (key >> 8) - 1;
    uint64_t begin;

    if (i >= FAKE_MRS || (key & 0xff) != FAKE_TAG || fake.mrs[i].ibv.length == 0 ||
        (fake.mrs[i].access & access) != access)
        return NULL;
    begin = (uintptr_t)fake.mrs[i].ibv.addr;
    if (addr < begin || addr + len > begin + fake.mrs[i].ibv.length)
        return NULL;
    return (unsigned char *)(uintptr_t)addr;
}

/* ---- queues ---- */

static inline struct ibv_comp_channel *fake_create_comp_channel(struct ibv_context *context)
{
    CHECK_PTR(context, &fake.context);
    if (fake.no_channel != 0) {
        errno = fake.no_channel;
        return NULL;
    }
    CHECK_EQ(pipe2(fake.events, O_NONBLOCK), 0);
    fake.channel.fd = fake.events[0];
    return &fake.channel;
}

static inline int fake_destroy_comp_channel(struct ibv_comp_channel *channel)
{
    CHECK_PTR(channel, &fake.channel);
    close(fake.events[0]);
    close(fake.events[1]);
    return 0;
}

static inline struct ibv_td *fake_alloc_td(struct ibv_context *context)
{
    CHECK_PTR(context, &fake.context);
    if (fake.no_td)
        return NULL;
    fake.num_tds++;
    return &fake.td;
}

static inline int fake_dealloc_td(struct ibv_td *td)
{
    CHECK_PTR(td, &fake.td);
    fake.num_tds--;
    return 0;
}

static inline struct ibv_pd *fake_alloc_parent_domain(struct ibv_context *context,
                                                      struct ibv_parent_domain_init_attr *attr)
{
    CHECK_PTR(context, &fake.context);
    CHECK_PTR(attr->pd, &fake.pd);
    CHECK_PTR(attr->td, fake.no_td ? NULL : &fake.td);
    CHECK(attr->alloc != NULL && attr->free != NULL && attr->pd_context != NULL);
    if (fake.no_domain) {
        errno = EOPNOTSUPP;
        return NULL;
    }
    fake.num_domains++;
    return &fake.domain; /* the fake never calls attr->alloc: its rings are in `fake` */
}

static inline struct ibv_cq *fake_create_cq(struct ibv_context *context, int num_cqes,
                                            struct ibv_comp_channel *channel,
                                            struct ibv_pd *domain)
{
    (void)context;
    CHECK_PTR(channel, &fake.channel);
    CHECK_PTR(domain, fake.num_domains > 0 ? &fake.domain : NULL);
    /* mlx5 adds one to the requested number and rounds up to a power of two */
    CHECK_EQ(num_cqes, domain != NULL ? FAKE_WQES - 1 : FAKE_WQES);
    fake.num_cqes = domain != NULL ? FAKE_WQES : FAKE_WQES * 2;
    fake.cq_pi = 0;
    fake.num_wcs = fake.wc_at = 0;
    memset(fake.cqes, 0xf0, sizeof(fake.cqes));
    memset(fake.cq_dbrec, 0, sizeof(fake.cq_dbrec));
    return &fake.cq;
}

static inline int fake_destroy_cq(struct ibv_cq *cq)
{
    CHECK_PTR(cq, &fake.cq);
    return 0;
}

static inline struct ibv_qp *fake_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
    unsigned i = 0;

    CHECK_PTR(pd, fake.num_domains > 0 ? &fake.domain : &fake.pd);
    CHECK_PTR(attr->send_cq, &fake.cq);
    CHECK_EQ(attr->qp_type, IBV_QPT_RC);
    if (fake.no_more != 0) {
        errno = fake.no_more;
        return NULL;
    }
    if (attr->cap.max_send_sge > fake.max_qp_sge ||
        attr->cap.max_inline_data > fake.max_qp_inline) {
        errno = EINVAL;
        return NULL;
    }
    while (fake.qps[i].is_used)
        i++;
    CHECK(i < FAKE_QPS);
    memset(&fake.qps[i], 0, sizeof(fake.qps[i]));
    fake.qps[i].is_used = true;
    fake.qps[i].max_sge = attr->cap.max_send_sge;
    fake.qps[i].max_inline = attr->cap.max_inline_data;
    fake.qps[i].ibv.qp_num = 0x100 + i;
    fake.qps[i].state = IBV_QPS_RESET;
    return &fake.qps[i].ibv;
}

static inline struct fake_qp *fake_qp_of(struct ibv_qp *qp)
{
    struct fake_qp *q = (struct fake_qp *)(void *)qp;

    CHECK(q->is_used);
    return q;
}

static inline int fake_destroy_qp(struct ibv_qp *qp)
{
    fake_qp_of(qp)->is_used = false;
    return fake.keeps;
}

static inline int fake_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
    struct fake_qp *q = fake_qp_of(qp);

    CHECK((mask & IBV_QP_STATE) != 0);
    if (attr->qp_state != IBV_QPS_ERR && attr->qp_state != IBV_QPS_RESET)
        CHECK_EQ(attr->qp_state, q->state + 1u);
    if (attr->qp_state == IBV_QPS_RTR) {
        q->dest = attr->dest_qp_num;
        CHECK_EQ(attr->ah_attr.is_global, fake.is_ethernet);
        if (fake.is_ethernet) {
            CHECK_EQ(attr->ah_attr.grh.sgid_index, fake.has_ipv4 ? 2 : 1);
            CHECK_EQ(attr->ah_attr.grh.dgid.raw[15], fake.has_ipv4 ? 2 : 1);
        } else {
            CHECK_EQ(attr->ah_attr.dlid, fake.lid);
        }
    }
    q->state = attr->qp_state;
    return 0;
}

static inline int fake_devx_qp_modify(struct ibv_qp *qp, const void *in, size_t in_bytes, void *out,
                                      size_t out_bytes)
{
    struct fake_qp *q = fake_qp_of(qp);

    (void)out;
    CHECK_EQ(in_bytes, sizeof(fake.mmo_cmd));
    CHECK_EQ(out_bytes, 16);
    CHECK_EQ(q->state, IBV_QPS_INIT);
    memcpy(fake.mmo_cmd, in, in_bytes);
    fake.num_mmo_cmds++;
    q->has_mmo = true;
    return 0;
}

static inline int fake_init_obj(struct mlx5dv_obj *obj, uint64_t type)
{
    struct fake_qp *q;

    if (type == MLX5DV_OBJ_PD) {
        CHECK_PTR(obj->pd.in, &fake.pd);
        obj->pd.out->pdn = 0x515253;
        return 0;
    }
    q = fake_qp_of(obj->qp.in);
    CHECK_EQ(type, MLX5DV_OBJ_QP | MLX5DV_OBJ_CQ);
    obj->qp.out->dbrec = q->dbrec;
    obj->qp.out->sq.buf = q->sq;
    obj->qp.out->sq.wqe_cnt = FAKE_WQES;
    obj->qp.out->sq.stride = 64;
    obj->qp.out->bf.reg = &q->doorbell;
    obj->cq.out->buf = fake.cqes;
    obj->cq.out->dbrec = fake.cq_dbrec;
    obj->cq.out->cqe_cnt = fake.num_cqes;
    obj->cq.out->cqe_size = fake.cqe_bytes;
    obj->cq.out->cq_uar = fake.cq_uar;
    obj->cq.out->cqn = 0x4321;
    return 0;
}

/* ---- execution of WQEs ---- */

static inline void fake_cqe(struct fake_qp *q, uint8_t opcode, uint16_t index, uint8_t syndrome,
                            uint8_t vendor)
{
    unsigned char *cqe = fake.cqes + fake.cq_pi % fake.num_cqes * fake.cqe_bytes +
                         (fake.cqe_bytes - 64);

    if (fake.drop_at > 0 && --fake.drop_at == 0)
        return;
    if (((fake.cq_pi - fake_be32(fake.cq_dbrec)) & 0xffffff) >= fake.num_cqes)
        fake.is_overrun = true;
    memset(cqe, 0, 63);
    cqe[54] = vendor;
    cqe[55] = syndrome;
    fake_put32(cqe + 56, (uint32_t)opcode << 24 | q->ibv.qp_num);
    cqe[60] = (unsigned char)(index >> 8);
    cqe[61] = (unsigned char)index;
    cqe[63] = (unsigned char)((syndrome != 0 ? 13u : 0u) << 4 | (fake.cq_pi / fake.num_cqes & 1));
    fake.cq_pi++;
}

static inline void fake_copy(uint32_t from_key, uint64_t from, uint32_t to_key, uint64_t to,
                             uint32_t len, unsigned to_access, uint8_t to_syndrome,
                             uint8_t *syndrome)
{
    unsigned char *source = fake_memory(from_key, from, len, 0);
    unsigned char *destination = fake_memory(to_key, to, len, to_access);

    if (source == NULL)
        *syndrome = 0x04;
    else if (destination == NULL)
        *syndrome = to_syndrome;
    else
        memmove(destination, source, len);
}

/* Execute an RDMA WRITE of `ds` units of 16 bytes: a segment with the data, or up to 30 segments
 * that point to the data. The device checks all keys before it writes anything. */
static inline uint8_t fake_write(const unsigned char *w, unsigned ds)
{
    uint32_t key = fake_be32(w + 0x18), len = 0, count;
    uint64_t to = fake_be64(w + 0x10);
    unsigned char *destination;
    unsigned i;

    CHECK(ds >= 3 && ds <= 2 + 30);
    CHECK_EQ(fake_be32(w + 0x1c), 0);
    count = fake_be32(w + 0x20);
    if ((count & 0x80000000) != 0) { /* inline data */
        count &= 0x3ff;
        CHECK_EQ(ds, 2 + (4 + count + 15) / 16);
        destination = fake_memory(key, to, count, IBV_ACCESS_REMOTE_WRITE);
        if (destination == NULL)
            return 0x13;
        memcpy(destination, w + 0x24, count);
        return 0;
    }
    for (i = 2; i < ds; i++, len += count) {
        count = fake_be32(w + i * 16);
        if (fake_memory(fake_be32(w + i * 16 + 4), fake_be64(w + i * 16 + 8), count, 0) == NULL)
            return 0x04;
    }
    destination = fake_memory(key, to, len, IBV_ACCESS_REMOTE_WRITE);
    if (destination == NULL)
        return 0x13;
    for (i = 2; i < ds; i++, destination += count) {
        count = fake_be32(w + i * 16);
        memmove(destination, (void *)(uintptr_t)fake_be64(w + i * 16 + 8), count);
    }
    return 0;
}

static inline uint8_t fake_execute(const struct fake_qp *q, const unsigned char *w)
{
    uint8_t syndrome = 0;

    if (w[3] == 0x2f) { /* MMO, DMA */
        CHECK_EQ(w[0], 1);
        CHECK_EQ(w[7], 4);
        CHECK_EQ(fake_be32(w + 0x20), fake_be32(w + 0x30));
        CHECK(fake_memory(fake_be32(w + 0x14), fake_be64(w + 0x18), 64, IBV_ACCESS_LOCAL_WRITE) !=
              NULL);
        if (!q->has_mmo && fake.has_mmo_qp)
            return 0x02;
        fake_copy(fake_be32(w + 0x24), fake_be64(w + 0x28), fake_be32(w + 0x34),
                  fake_be64(w + 0x38), fake_be32(w + 0x20), IBV_ACCESS_LOCAL_WRITE, 0x04,
                  &syndrome);
        return syndrome;
    }
    CHECK_EQ(w[3], 0x08); /* RDMA WRITE */
    return fake_write(w, w[7]);
}

/* Copy one WQE out of the ring. Return its length in basic blocks of 64 bytes. */
static inline unsigned fake_fetch(const struct fake_qp *q, unsigned char w[512])
{
    const unsigned char *first = q->sq + q->ci % FAKE_WQES * 64;
    unsigned num = (first[7] + 3u) / 4, i;

    CHECK(num >= 1 && num <= 8);
    CHECK(num <= (uint16_t)(fake_be32(&q->dbrec[1]) - q->ci));
    for (i = 0; i < num; i++)
        memcpy(w + i * 64, q->sq + (q->ci + i) % FAKE_WQES * 64, 64);
    return num;
}

static inline uint8_t fake_fault(void)
{
    return fake.fail_at > 0 && --fake.fail_at == 0 ? fake.syndrome : 0;
}

/* Execute all WQEs whose doorbell was rung. Return their number. */
static inline unsigned fake_run(void)
{
    unsigned i, num = 0, blocks;
    unsigned char w[512];

    for (i = 0; i < FAKE_QPS; i++) {
        struct fake_qp *q = &fake.qps[i];

        for (; q->is_used && q->ci != (uint16_t)fake_be32(&q->dbrec[1]);
             q->ci = (uint16_t)(q->ci + blocks), num++) {
            uint8_t syndrome = q->state == IBV_QPS_ERR ? 0x05 : fake_fault();

            blocks = fake_fetch(q, w);
            CHECK_EQ(fake_be32(w) >> 8 & 0xffff, q->ci);
            CHECK_EQ(fake_be32(w + 4) >> 8, q->ibv.qp_num);
            if (syndrome == 0)
                syndrome = fake_execute(q, w);
            if (syndrome != 0)
                q->state = IBV_QPS_ERR;
            if (syndrome != 0 || (w[11] & 0x0c) == 0x08)
                fake_cqe(q, w[3], q->ci, syndrome, syndrome != 0 ? fake.vendor : 0);
            if ((uint16_t)(q->ci + blocks) == (uint16_t)fake_be32(&q->dbrec[1]))
                CHECK_MEM(&q->doorbell, w, 8);
        }
    }
    return num;
}

/* ---- events, and the data path of verbs ---- */

static inline void fake_async_event(int type)
{
    uint64_t one = 1;

    fake.async_event = type;
    CHECK_EQ(write(fake.context.async_fd, &one, sizeof(one)), sizeof(one));
}

/* Send a completion event. The test calls this when the queue is armed and has a completion. */
static inline void fake_cq_event(void)
{
    CHECK_EQ(write(fake.events[1], "", 1), 1);
}

static inline int fake_take_cq_event(struct ibv_comp_channel *channel)
{
    char event;

    (void)channel;
    return read(fake.events[0], &event, 1) == 1 ? 0 : EAGAIN;
}

static inline int fake_take_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
    uint64_t count;

    CHECK_PTR(context, &fake.context);
    if (read(fake.context.async_fd, &count, sizeof(count)) < 0)
        return EAGAIN;
    memset(event, 0, sizeof(*event));
    event->event_type = (enum ibv_event_type)fake.async_event;
    if (event->event_type == IBV_EVENT_CQ_ERR)
        event->element.cq = &fake.cq;
    if (event->event_type == IBV_EVENT_QP_FATAL)
        event->element.qp = fake.of_event;
    return 0;
}

static inline int fake_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr)
{
    struct fake_qp *q = fake_qp_of(qp);
    struct ibv_wc *wc = &fake.wcs[fake.num_wcs];
    uint8_t syndrome = q->state == IBV_QPS_ERR ? 0x05 : 0;
    uint64_t to = wr->wr.rdma.remote_addr, len = 0;
    int i;

    if (fake.refuse_at > 0 && (fake.refuse_at == 1 || --fake.refuse_at == 0))
        return ENOMEM;
    CHECK_EQ(wr->opcode, IBV_WR_RDMA_WRITE);
    CHECK(wr->num_sge >= 1 && wr->num_sge <= (int)q->max_sge);
    fake.num_posted++;
    fake.num_posted_inline += (wr->send_flags & IBV_SEND_INLINE) != 0;
    for (i = 0; i < wr->num_sge && syndrome == 0; i++, to += len) {
        const struct ibv_sge *sge = &wr->sg_list[i];
        unsigned char *there = fake_memory(wr->wr.rdma.rkey, to, sge->length,
                                           IBV_ACCESS_REMOTE_WRITE);

        len = sge->length;
        if ((wr->send_flags & IBV_SEND_INLINE) == 0)
            fake_copy(sge->lkey, sge->addr, wr->wr.rdma.rkey, to, sge->length,
                      IBV_ACCESS_REMOTE_WRITE, 0x13, &syndrome);
        else if (there == NULL)
            syndrome = 0x13;
        else
            memcpy(there, (void *)(uintptr_t)sge->addr, sge->length);
    }
    if ((wr->send_flags & IBV_SEND_INLINE) != 0)
        CHECK(to - wr->wr.rdma.remote_addr <= q->max_inline);
    if (syndrome == 0 && (wr->send_flags & IBV_SEND_SIGNALED) == 0)
        return 0;
    memset(wc, 0, sizeof(*wc));
    wc->wr_id = wr->wr_id;
    wc->status = syndrome == 0x04   ? IBV_WC_LOC_PROT_ERR
                 : syndrome == 0x13 ? IBV_WC_REM_ACCESS_ERR
                 : syndrome == 0x05 ? IBV_WC_WR_FLUSH_ERR
                                    : IBV_WC_SUCCESS;
    if (fake.drop_at != 1)
        fake.num_wcs = (fake.num_wcs + 1) % FAKE_WQES;
    fake.drop_at -= fake.drop_at > 0;
    if (syndrome != 0)
        q->state = IBV_QPS_ERR;
    return 0;
}

static inline int fake_poll_cq(struct ibv_cq *cq, struct ibv_wc *wc)
{
    CHECK_PTR(cq, &fake.cq);
    if (fake.has_no_cq)
        return -1;
    if (fake.wc_at == fake.num_wcs)
        return 0;
    *wc = fake.wcs[fake.wc_at];
    fake.wc_at = (fake.wc_at + 1) % FAKE_WQES;
    return 1;
}

static inline int fake_req_notify_cq(struct ibv_cq *cq)
{
    CHECK_PTR(cq, &fake.cq);
    return fake.no_arming;
}

static const struct doca_core_mlx5_sys fake_sys = {
    .get_device_list = fake_get_device_list,
    .free_device_list = fake_free_device_list,
    .is_mlx5 = fake_is_mlx5,
    .open_device = fake_open_device,
    .close_device = fake_close_device,
    .query_device = fake_query_device,
    .query_port = fake_query_port,
    .query_gid = fake_query_gid,
    .general_cmd = fake_general_cmd,
    .read_file = fake_read_file,
    .resolve_path = fake_resolve_path,
    .list_names = fake_list_names,
    .alloc_pd = fake_alloc_pd,
    .dealloc_pd = fake_dealloc_pd,
    .reg_mr = fake_reg_mr,
    .dereg_mr = fake_dereg_mr,
    .alloc_dm = fake_alloc_dm,
    .free_dm = fake_free_dm,
    .reg_dm_mr = fake_reg_dm_mr,
    .memcpy_to_dm = fake_memcpy_to_dm,
    .memcpy_from_dm = fake_memcpy_from_dm,
    .umem_reg = fake_umem_reg,
    .umem_dereg = fake_umem_dereg,
    .obj_create = fake_obj_create,
    .obj_destroy = fake_obj_destroy,
    .create_comp_channel = fake_create_comp_channel,
    .destroy_comp_channel = fake_destroy_comp_channel,
    .alloc_td = fake_alloc_td,
    .dealloc_td = fake_dealloc_td,
    .alloc_parent_domain = fake_alloc_parent_domain,
    .create_cq = fake_create_cq,
    .destroy_cq = fake_destroy_cq,
    .create_qp = fake_create_qp,
    .destroy_qp = fake_destroy_qp,
    .modify_qp = fake_modify_qp,
    .devx_qp_modify = fake_devx_qp_modify,
    .init_obj = fake_init_obj,
    .take_cq_event = fake_take_cq_event,
    .take_async_event = fake_take_async_event,
    .post_send = fake_post_send,
    .poll_cq = fake_poll_cq,
    .req_notify_cq = fake_req_notify_cq,
};

/* Reset the device to a BlueField without operations in progress. */
static inline void fake_reset(void)
{
    memset(&fake, 0, sizeof(fake));
    fake.is_mlx5 = true;
    fake.has_mmo_qp = true;
    fake.log_mmo_max = 21;
    fake.cqe_bytes = 64;
    fake.lid = 7;
    fake.max_sge = fake.max_qp_sge = 30;
    fake.max_qp_inline = 28;
    fake.sysfs = "/sys/devices/pci0000:00/0000:00:03.0/0000:5e:00.1";
    fake.list[0] = &fake.device;
    fake.context.device = &fake.device;
    strcpy(fake.device.name, "fake_0");
    strcpy(fake.device.ibdev_path, "/sys/class/infiniband/fake_0");
}

#endif
