/* ---- >>mlx5.sys -----------------------------------------------------------------------------
 * The calls of libibverbs, libmlx5 and the kernel that this backend makes. A test can replace them
 * by functions that work on plain memory. Most have the parameters and results of the library
 * function with a similar name. A function that returns int returns 0 or an errno unless its
 * comment says otherwise. The descriptors of contexts and channels are non-blocking.            */
#ifndef DOCA_SRC_MLX5_SYS_H
#define DOCA_SRC_MLX5_SYS_H

#include "mlx5/config.h"

struct ibv_async_event;
struct ibv_comp_channel;
struct ibv_context;
struct ibv_cq;
struct ibv_device;
struct ibv_device_attr;
struct ibv_dm;
struct ibv_mr;
struct ibv_parent_domain_init_attr;
struct ibv_port_attr;
struct ibv_qp;
struct ibv_qp_attr;
struct ibv_qp_init_attr;
struct ibv_send_wr;
struct ibv_td;
struct ibv_wc;
struct mlx5dv_devx_obj;
struct mlx5dv_devx_umem;
struct mlx5dv_obj;

struct doca_core_mlx5_sys {
    /* devices. `text` receives the content of a file, or the path that a link resolves to, and NUL.
     * list_names() calls `visit` for each name in a directory, in any order. */
    struct ibv_device **(*get_device_list)(int *num);
    void (*free_device_list)(struct ibv_device **list);
    bool (*is_mlx5)(struct ibv_device *device);
    struct ibv_context *(*open_device)(struct ibv_device *device, bool with_devx);
    int (*close_device)(struct ibv_context *context);
    int (*query_device)(struct ibv_context *context, struct ibv_device_attr *attr);
    int (*query_port)(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr);
    int (*query_gid)(struct ibv_context *context, uint8_t port, int index, uint8_t gid[16]);
    int (*general_cmd)(struct ibv_context *context, const void *in, size_t in_bytes, void *out,
                       size_t out_bytes);
    int (*read_file)(const char *path, char *text, size_t bytes);
    int (*resolve_path)(const char *path, char *text, size_t bytes);
    int (*list_names)(const char *path, void (*visit)(const char *name, void *data), void *data);

    /* memory */
    struct ibv_pd *(*alloc_pd)(struct ibv_context *context);
    int (*dealloc_pd)(struct ibv_pd *pd);
    struct ibv_mr *(*reg_mr)(struct ibv_pd *pd, void *addr, size_t len, unsigned access);
    struct ibv_mr *(*reg_dmabuf_mr)(struct ibv_pd *pd, uint64_t offset, size_t len, uint64_t iova,
                                    int fd, unsigned access);
    int (*dereg_mr)(struct ibv_mr *mr);
    struct ibv_dm *(*alloc_dm)(struct ibv_context *context, size_t len);
    int (*free_dm)(struct ibv_dm *dm);
    struct ibv_mr *(*reg_dm_mr)(struct ibv_pd *pd, struct ibv_dm *dm, size_t len, unsigned access);
    int (*memcpy_to_dm)(struct ibv_dm *dm, uint64_t offset, const void *from, size_t len);
    int (*memcpy_from_dm)(void *to, struct ibv_dm *dm, uint64_t offset, size_t len);
    struct mlx5dv_devx_umem *(*umem_reg)(struct ibv_context *context, void *addr, size_t len,
                                         uint32_t access);
    int (*umem_dereg)(struct mlx5dv_devx_umem *umem);
    struct mlx5dv_devx_obj *(*obj_create)(struct ibv_context *context, const void *in,
                                          size_t in_bytes, void *out, size_t out_bytes);
    int (*obj_destroy)(struct mlx5dv_devx_obj *obj);

    /* queues. `domain` of create_cq() is a parent domain, or NULL. */
    struct ibv_td *(*alloc_td)(struct ibv_context *context);
    int (*dealloc_td)(struct ibv_td *td);
    struct ibv_pd *(*alloc_parent_domain)(struct ibv_context *context,
                                          struct ibv_parent_domain_init_attr *attr);
    struct ibv_comp_channel *(*create_comp_channel)(struct ibv_context *context);
    int (*destroy_comp_channel)(struct ibv_comp_channel *channel);
    struct ibv_cq *(*create_cq)(struct ibv_context *context, int num_cqes,
                                struct ibv_comp_channel *channel, struct ibv_pd *domain);
    int (*destroy_cq)(struct ibv_cq *cq);
    struct ibv_qp *(*create_qp)(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);
    int (*destroy_qp)(struct ibv_qp *qp);
    int (*modify_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
    int (*devx_qp_modify)(struct ibv_qp *qp, const void *in, size_t in_bytes, void *out,
                          size_t out_bytes);
    int (*init_obj)(struct mlx5dv_obj *obj, uint64_t type);

    /* events. Each call reads and acknowledges the next pending event; EAGAIN: none is pending. */
    int (*take_cq_event)(struct ibv_comp_channel *channel);
    int (*take_async_event)(struct ibv_context *context, struct ibv_async_event *event);

    /* the data path of VERBS */
    int (*post_send)(struct ibv_qp *qp, struct ibv_send_wr *wr);
    /* number of completions, 0 or 1; negative: an error */
    int (*poll_cq)(struct ibv_cq *cq, struct ibv_wc *wc);
    int (*req_notify_cq)(struct ibv_cq *cq);

    /* the core clock of the device. The three pointers are NULL if the devices have no clocks.
     * query_clock: get the frequency in kHz; 0 if the device has no such clock.
     * read_clock: get the current number of cycles.
     * clock_to_ns: convert a recent number of cycles to a time of the driver's real time clock. */
    int (*query_clock)(struct ibv_context *context, uint64_t *khz);
    int (*read_clock)(struct ibv_context *context, uint64_t *cycles);
    int (*clock_to_ns)(struct ibv_context *context, uint64_t cycles, uint64_t *ns);
};

/* Return the table of the real calls, for programs that replace some of them. */
DOCA_CORE_DECL const struct doca_core_mlx5_sys *doca_core_mlx5_real_sys(void);

#endif
