/* ---- >>mlx5.calls ---------------------------------------------------------------------------
 * The real system: implements each call of >>mlx5.sys with libibverbs, libmlx5 or the kernel.   */
#include "mlx5/platform_priv.h"
#include "mlx5/sys.h"

/* Convert the result of a call to 0 or an errno. Calls of libibverbs return an errno, or -1 and set
 * errno. */
static int doca_priv_mlx5_errno(int answer)
{
    return answer >= 0 ? answer : errno != 0 ? errno : EIO;
}

static void doca_priv_mlx5_unblock(int fd)
{
    (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* Open a device, with DevX if possible. Firmware without user contexts refuses DevX; such a device
 * works without firmware commands. */
static struct ibv_context *doca_priv_mlx5_call_open(struct ibv_device *device, bool with_devx)
{
    struct mlx5dv_context_attr attr;
    struct ibv_context *context;

    memset(&attr, 0, sizeof(attr));
    attr.flags = MLX5DV_CONTEXT_FLAGS_DEVX;
    context = with_devx ? mlx5dv_open_device(device, &attr) : NULL;
    if (!with_devx || (context == NULL && errno == EINVAL))
        context = ibv_open_device(device);
    if (context != NULL)
        doca_priv_mlx5_unblock(context->async_fd);
    return context;
}

static int doca_priv_mlx5_call_close(struct ibv_context *context)
{
    return doca_priv_mlx5_errno(ibv_close_device(context));
}

static int doca_priv_mlx5_call_query_port(struct ibv_context *context, uint8_t port,
                                          struct ibv_port_attr *attr)
{
    return doca_priv_mlx5_errno(ibv_query_port(context, port, attr));
}

static int doca_priv_mlx5_call_query_gid(struct ibv_context *context, uint8_t port, int index,
                                         uint8_t gid[16])
{
    union ibv_gid raw;
    int answer = ibv_query_gid(context, port, index, &raw);

    if (answer == 0)
        memcpy(gid, raw.raw, sizeof(raw.raw));
    return doca_priv_mlx5_errno(answer);
}

static int doca_priv_mlx5_call_general_cmd(struct ibv_context *context, const void *in,
                                           size_t in_bytes, void *out, size_t out_bytes)
{
    return doca_priv_mlx5_errno(mlx5dv_devx_general_cmd(context, in, in_bytes, out, out_bytes));
}

static int doca_priv_mlx5_call_read_file(const char *path, char *text, size_t bytes)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t num = fd < 0 ? -1 : read(fd, text, bytes - 1);
    int error = errno;

    if (fd >= 0)
        (void)close(fd);
    if (num < 0)
        return error;
    while (num > 0 && text[num - 1] == '\n')
        num--;
    text[num] = '\0';
    return 0;
}

static int doca_priv_mlx5_call_resolve_path(const char *path, char *text, size_t bytes)
{
    char full[PATH_MAX];

    if (realpath(path, full) == NULL)
        return errno;
    if (strlen(full) >= bytes)
        return ENAMETOOLONG;
    memcpy(text, full, strlen(full) + 1);
    return 0;
}

static int doca_priv_mlx5_call_list_names(const char *path,
                                          void (*visit)(const char *name, void *data), void *data)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;

    if (dir == NULL)
        return errno;
    while ((entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.')
            visit(entry->d_name, data);
    (void)closedir(dir);
    return 0;
}

static int doca_priv_mlx5_call_dealloc_pd(struct ibv_pd *pd)
{
    return doca_priv_mlx5_errno(ibv_dealloc_pd(pd));
}

static struct ibv_mr *doca_priv_mlx5_call_reg_mr(struct ibv_pd *pd, void *addr, size_t len,
                                                 unsigned access)
{
    return ibv_reg_mr(pd, addr, len, access);
}

static struct ibv_mr *doca_priv_mlx5_call_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset,
                                                        size_t len, uint64_t iova, int fd,
                                                        unsigned access)
{
    return ibv_reg_dmabuf_mr(pd, offset, len, iova, fd, (int)access);
}

static int doca_priv_mlx5_call_dereg_mr(struct ibv_mr *mr)
{
    return doca_priv_mlx5_errno(ibv_dereg_mr(mr));
}

/* Register a umem. pgsz_bitmap allows the page sizes that divide the address after it is rounded
 * down to 4 KiB. The umem must begin with that 4 KiB page, because an mkey over it stores only the
 * offset of the address within 4 KiB. */
static struct mlx5dv_devx_umem *doca_priv_mlx5_call_umem_reg(struct ibv_context *context,
                                                             void *addr, size_t len,
                                                             uint32_t access)
{
    uint64_t page = (uint64_t)(uintptr_t)addr & ~(uint64_t)4095;
    struct mlx5dv_devx_umem_in in;

    memset(&in, 0, sizeof(in));
    in.addr = addr;
    in.size = len;
    in.access = access;
    in.pgsz_bitmap = ((page & (~page + 1)) << 1) - 1;
    return mlx5dv_devx_umem_reg_ex(context, &in);
}

static struct ibv_dm *doca_priv_mlx5_call_alloc_dm(struct ibv_context *context, size_t len)
{
    struct ibv_alloc_dm_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.length = len;
    return ibv_alloc_dm(context, &attr);
}

static int doca_priv_mlx5_call_free_dm(struct ibv_dm *dm)
{
    return doca_priv_mlx5_errno(ibv_free_dm(dm));
}

static struct ibv_mr *doca_priv_mlx5_call_reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm,
                                                    size_t len, unsigned access)
{
    return ibv_reg_dm_mr(pd, dm, 0, len, access);
}

static int doca_priv_mlx5_call_memcpy_to_dm(struct ibv_dm *dm, uint64_t offset, const void *from,
                                            size_t len)
{
    return doca_priv_mlx5_errno(ibv_memcpy_to_dm(dm, offset, from, len));
}

static int doca_priv_mlx5_call_memcpy_from_dm(void *to, struct ibv_dm *dm, uint64_t offset,
                                              size_t len)
{
    return doca_priv_mlx5_errno(ibv_memcpy_from_dm(to, dm, offset, len));
}

static int doca_priv_mlx5_call_umem_dereg(struct mlx5dv_devx_umem *umem)
{
    return doca_priv_mlx5_errno(mlx5dv_devx_umem_dereg(umem));
}

static int doca_priv_mlx5_call_obj_destroy(struct mlx5dv_devx_obj *obj)
{
    return doca_priv_mlx5_errno(mlx5dv_devx_obj_destroy(obj));
}

static struct ibv_comp_channel *doca_priv_mlx5_call_channel(struct ibv_context *context)
{
    struct ibv_comp_channel *channel = ibv_create_comp_channel(context);

    if (channel != NULL)
        doca_priv_mlx5_unblock(channel->fd);
    return channel;
}

static int doca_priv_mlx5_call_destroy_channel(struct ibv_comp_channel *channel)
{
    return doca_priv_mlx5_errno(ibv_destroy_comp_channel(channel));
}

static struct ibv_cq *doca_priv_mlx5_call_create_cq(struct ibv_context *context, int num_cqes,
                                                    struct ibv_comp_channel *channel,
                                                    struct ibv_pd *domain)
{
    struct ibv_cq_init_attr_ex attr;
    struct ibv_cq_ex *cq;

    if (domain == NULL)
        return ibv_create_cq(context, num_cqes, NULL, channel, 0);
    memset(&attr, 0, sizeof(attr));
    attr.cqe = (uint32_t)num_cqes;
    attr.channel = channel;
    attr.comp_mask = IBV_CQ_INIT_ATTR_MASK_PD;
    attr.parent_domain = domain;
    cq = ibv_create_cq_ex(context, &attr);
    return cq != NULL ? ibv_cq_ex_to_cq(cq) : NULL;
}

static struct ibv_td *doca_priv_mlx5_call_alloc_td(struct ibv_context *context)
{
    struct ibv_td_init_attr attr;

    memset(&attr, 0, sizeof(attr));
    return ibv_alloc_td(context, &attr);
}

static int doca_priv_mlx5_call_dealloc_td(struct ibv_td *td)
{
    return doca_priv_mlx5_errno(ibv_dealloc_td(td));
}

static struct ibv_pd *doca_priv_mlx5_call_parent_domain(struct ibv_context *context,
                                                        struct ibv_parent_domain_init_attr *attr)
{
    return ibv_alloc_parent_domain(context, attr);
}

static int doca_priv_mlx5_call_destroy_cq(struct ibv_cq *cq)
{
    return doca_priv_mlx5_errno(ibv_destroy_cq(cq));
}

static int doca_priv_mlx5_call_destroy_qp(struct ibv_qp *qp)
{
    return doca_priv_mlx5_errno(ibv_destroy_qp(qp));
}

static int doca_priv_mlx5_call_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
    return doca_priv_mlx5_errno(ibv_modify_qp(qp, attr, mask));
}

static int doca_priv_mlx5_call_devx_qp_modify(struct ibv_qp *qp, const void *in, size_t in_bytes,
                                              void *out, size_t out_bytes)
{
    return doca_priv_mlx5_errno(mlx5dv_devx_qp_modify(qp, in, in_bytes, out, out_bytes));
}

static int doca_priv_mlx5_call_take_cq_event(struct ibv_comp_channel *channel)
{
    struct ibv_cq *cq;
    void *cq_context;

    if (ibv_get_cq_event(channel, &cq, &cq_context) != 0)
        return errno != 0 ? errno : EAGAIN;
    ibv_ack_cq_events(cq, 1);
    return 0;
}

static int doca_priv_mlx5_call_take_async_event(struct ibv_context *context,
                                                struct ibv_async_event *event)
{
    if (ibv_get_async_event(context, event) != 0)
        return errno != 0 ? errno : EAGAIN;
    ibv_ack_async_event(event);
    return 0;
}

static int doca_priv_mlx5_call_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr)
{
    struct ibv_send_wr *bad;

    return doca_priv_mlx5_errno(ibv_post_send(qp, wr, &bad));
}

static int doca_priv_mlx5_call_poll_cq(struct ibv_cq *cq, struct ibv_wc *wc)
{
    return ibv_poll_cq(cq, 1, wc);
}

static int doca_priv_mlx5_call_req_notify_cq(struct ibv_cq *cq)
{
    return doca_priv_mlx5_errno(ibv_req_notify_cq(cq, 0));
}

static int doca_priv_mlx5_call_query_clock(struct ibv_context *context, uint64_t *khz)
{
    struct ibv_device_attr_ex attr;
    int answer;

    memset(&attr, 0, sizeof(attr));
    answer = ibv_query_device_ex(context, NULL, &attr);
    *khz = attr.hca_core_clock;
    return doca_priv_mlx5_errno(answer);
}

/* libmlx5 returns the number of cycles in tv_nsec. If it could not read the clock, it does not
 * return an error but clears the bit in comp_mask. */
static int doca_priv_mlx5_call_read_clock(struct ibv_context *context, uint64_t *cycles)
{
    struct ibv_values_ex values;
    int answer;

    memset(&values, 0, sizeof(values));
    values.comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
    answer = ibv_query_rt_values_ex(context, &values);
    if (answer != 0)
        return doca_priv_mlx5_errno(answer);
    if ((values.comp_mask & IBV_VALUES_MASK_RAW_CLOCK) == 0)
        return EOPNOTSUPP;
    *cycles = (uint64_t)values.raw_clock.tv_nsec;
    return 0;
}

static int doca_priv_mlx5_call_clock_to_ns(struct ibv_context *context, uint64_t cycles,
                                           uint64_t *ns)
{
    struct mlx5dv_clock_info info;
    int answer;

    memset(&info, 0, sizeof(info));
    answer = mlx5dv_get_clock_info(context, &info);
    if (answer == 0)
        *ns = mlx5dv_ts_to_ns(&info, cycles);
    return doca_priv_mlx5_errno(answer);
}

DOCA_CORE_DECL const struct doca_core_mlx5_sys *doca_core_mlx5_real_sys(void)
{
    static const struct doca_core_mlx5_sys sys = {
        ibv_get_device_list,
        ibv_free_device_list,
        mlx5dv_is_supported,
        doca_priv_mlx5_call_open,
        doca_priv_mlx5_call_close,
        ibv_query_device,
        doca_priv_mlx5_call_query_port,
        doca_priv_mlx5_call_query_gid,
        doca_priv_mlx5_call_general_cmd,
        doca_priv_mlx5_call_read_file,
        doca_priv_mlx5_call_resolve_path,
        doca_priv_mlx5_call_list_names,
        ibv_alloc_pd,
        doca_priv_mlx5_call_dealloc_pd,
        doca_priv_mlx5_call_reg_mr,
        doca_priv_mlx5_call_reg_dmabuf_mr,
        doca_priv_mlx5_call_dereg_mr,
        doca_priv_mlx5_call_alloc_dm,
        doca_priv_mlx5_call_free_dm,
        doca_priv_mlx5_call_reg_dm_mr,
        doca_priv_mlx5_call_memcpy_to_dm,
        doca_priv_mlx5_call_memcpy_from_dm,
        doca_priv_mlx5_call_umem_reg,
        doca_priv_mlx5_call_umem_dereg,
        mlx5dv_devx_obj_create,
        doca_priv_mlx5_call_obj_destroy,
        doca_priv_mlx5_call_alloc_td,
        doca_priv_mlx5_call_dealloc_td,
        doca_priv_mlx5_call_parent_domain,
        doca_priv_mlx5_call_channel,
        doca_priv_mlx5_call_destroy_channel,
        doca_priv_mlx5_call_create_cq,
        doca_priv_mlx5_call_destroy_cq,
        ibv_create_qp,
        doca_priv_mlx5_call_destroy_qp,
        doca_priv_mlx5_call_modify_qp,
        doca_priv_mlx5_call_devx_qp_modify,
        mlx5dv_init_obj,
        doca_priv_mlx5_call_take_cq_event,
        doca_priv_mlx5_call_take_async_event,
        doca_priv_mlx5_call_post_send,
        doca_priv_mlx5_call_poll_cq,
        doca_priv_mlx5_call_req_notify_cq,
        doca_priv_mlx5_call_query_clock,
        doca_priv_mlx5_call_read_clock,
        doca_priv_mlx5_call_clock_to_ns,
    };

    return &sys;
}
