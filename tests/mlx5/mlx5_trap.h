/* The calls of >>mlx5.sys for tests. The calls of the control path run with the heap trap off,
 * because libibverbs and libmlx5 allocate in them. The calls of the data path are not wrapped, so
 * the heap trap stays on in them. */
#ifndef MLX5_TRAP_H
#define MLX5_TRAP_H

#include "doca_core_mlx5.h"
#include "heap_trap.h"

/* Define the wrapper of a member that returns a value. */
#define MLX5_TRAP_CALL(type, name, parameters, arguments)                                          \
    static inline type mlx5_trap_##name parameters                                                 \
    {                                                                                              \
        enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);                                   \
        type answer = doca_core_mlx5_real_sys()->name arguments;                                   \
                                                                                                   \
        heap_trap_set(mode);                                                                       \
        return answer;                                                                             \
    }

MLX5_TRAP_CALL(struct ibv_device **, get_device_list, (int *num), (num))
MLX5_TRAP_CALL(struct ibv_context *, open_device, (struct ibv_device *device, bool with_devx),
               (device, with_devx))
MLX5_TRAP_CALL(int, close_device, (struct ibv_context *context), (context))
MLX5_TRAP_CALL(int, query_device, (struct ibv_context *context, struct ibv_device_attr *attr),
               (context, attr))
MLX5_TRAP_CALL(int, query_port,
               (struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr),
               (context, port, attr))
MLX5_TRAP_CALL(int, query_gid,
               (struct ibv_context *context, uint8_t port, int index, uint8_t gid[16]),
               (context, port, index, gid))
MLX5_TRAP_CALL(int, general_cmd,
               (struct ibv_context *context, const void *in, size_t in_bytes, void *out,
                size_t out_bytes),
               (context, in, in_bytes, out, out_bytes))
MLX5_TRAP_CALL(int, read_file, (const char *path, char *text, size_t bytes), (path, text, bytes))
MLX5_TRAP_CALL(int, resolve_path, (const char *path, char *text, size_t bytes),
               (path, text, bytes))
MLX5_TRAP_CALL(int, list_names,
               (const char *path, void (*visit)(const char *name, void *data), void *data),
               (path, visit, data))
MLX5_TRAP_CALL(struct ibv_pd *, alloc_pd, (struct ibv_context *context), (context))
MLX5_TRAP_CALL(int, dealloc_pd, (struct ibv_pd *pd), (pd))
MLX5_TRAP_CALL(struct ibv_mr *, reg_mr,
               (struct ibv_pd *pd, void *addr, size_t len, unsigned access),
               (pd, addr, len, access))
MLX5_TRAP_CALL(struct ibv_mr *, reg_dmabuf_mr,
               (struct ibv_pd *pd, uint64_t offset, size_t len, uint64_t iova, int fd,
                unsigned access),
               (pd, offset, len, iova, fd, access))
MLX5_TRAP_CALL(int, dereg_mr, (struct ibv_mr *mr), (mr))
MLX5_TRAP_CALL(struct ibv_dm *, alloc_dm, (struct ibv_context *context, size_t len),
               (context, len))
MLX5_TRAP_CALL(int, free_dm, (struct ibv_dm *dm), (dm))
MLX5_TRAP_CALL(struct ibv_mr *, reg_dm_mr,
               (struct ibv_pd *pd, struct ibv_dm *dm, size_t len, unsigned access),
               (pd, dm, len, access))
MLX5_TRAP_CALL(struct mlx5dv_devx_umem *, umem_reg,
               (struct ibv_context *context, void *addr, size_t len, uint32_t access),
               (context, addr, len, access))
MLX5_TRAP_CALL(int, umem_dereg, (struct mlx5dv_devx_umem *umem), (umem))
MLX5_TRAP_CALL(struct mlx5dv_devx_obj *, obj_create,
               (struct ibv_context *context, const void *in, size_t in_bytes, void *out,
                size_t out_bytes),
               (context, in, in_bytes, out, out_bytes))
MLX5_TRAP_CALL(int, obj_destroy, (struct mlx5dv_devx_obj *obj), (obj))
MLX5_TRAP_CALL(struct ibv_comp_channel *, create_comp_channel, (struct ibv_context *context),
               (context))
MLX5_TRAP_CALL(int, destroy_comp_channel, (struct ibv_comp_channel *channel), (channel))
MLX5_TRAP_CALL(struct ibv_td *, alloc_td, (struct ibv_context *context), (context))
MLX5_TRAP_CALL(int, dealloc_td, (struct ibv_td *td), (td))
MLX5_TRAP_CALL(struct ibv_pd *, alloc_parent_domain,
               (struct ibv_context *context, struct ibv_parent_domain_init_attr *attr),
               (context, attr))
MLX5_TRAP_CALL(struct ibv_cq *, create_cq,
               (struct ibv_context *context, int num_cqes, struct ibv_comp_channel *channel,
                struct ibv_pd *domain),
               (context, num_cqes, channel, domain))
MLX5_TRAP_CALL(int, destroy_cq, (struct ibv_cq *cq), (cq))
MLX5_TRAP_CALL(struct ibv_qp *, create_qp, (struct ibv_pd *pd, struct ibv_qp_init_attr *attr),
               (pd, attr))
MLX5_TRAP_CALL(int, destroy_qp, (struct ibv_qp *qp), (qp))
MLX5_TRAP_CALL(int, modify_qp, (struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask),
               (qp, attr, mask))
MLX5_TRAP_CALL(int, devx_qp_modify,
               (struct ibv_qp *qp, const void *in, size_t in_bytes, void *out, size_t out_bytes),
               (qp, in, in_bytes, out, out_bytes))
MLX5_TRAP_CALL(int, init_obj, (struct mlx5dv_obj *obj, uint64_t type), (obj, type))

static inline void mlx5_trap_free_device_list(struct ibv_device **list)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);

    doca_core_mlx5_real_sys()->free_device_list(list);
    heap_trap_set(mode);
}

static inline const struct doca_core_mlx5_sys *mlx5_trap_sys(void)
{
    static struct doca_core_mlx5_sys sys;

    sys = *doca_core_mlx5_real_sys();
    sys.get_device_list = mlx5_trap_get_device_list;
    sys.free_device_list = mlx5_trap_free_device_list;
    sys.open_device = mlx5_trap_open_device;
    sys.close_device = mlx5_trap_close_device;
    sys.query_device = mlx5_trap_query_device;
    sys.query_port = mlx5_trap_query_port;
    sys.query_gid = mlx5_trap_query_gid;
    sys.general_cmd = mlx5_trap_general_cmd;
    sys.read_file = mlx5_trap_read_file;
    sys.resolve_path = mlx5_trap_resolve_path;
    sys.list_names = mlx5_trap_list_names;
    sys.alloc_pd = mlx5_trap_alloc_pd;
    sys.dealloc_pd = mlx5_trap_dealloc_pd;
    sys.reg_mr = mlx5_trap_reg_mr;
    sys.reg_dmabuf_mr = mlx5_trap_reg_dmabuf_mr;
    sys.dereg_mr = mlx5_trap_dereg_mr;
    sys.alloc_dm = mlx5_trap_alloc_dm;
    sys.free_dm = mlx5_trap_free_dm;
    sys.reg_dm_mr = mlx5_trap_reg_dm_mr;
    sys.umem_reg = mlx5_trap_umem_reg;
    sys.umem_dereg = mlx5_trap_umem_dereg;
    sys.obj_create = mlx5_trap_obj_create;
    sys.obj_destroy = mlx5_trap_obj_destroy;
    sys.create_comp_channel = mlx5_trap_create_comp_channel;
    sys.destroy_comp_channel = mlx5_trap_destroy_comp_channel;
    sys.alloc_td = mlx5_trap_alloc_td;
    sys.dealloc_td = mlx5_trap_dealloc_td;
    sys.alloc_parent_domain = mlx5_trap_alloc_parent_domain;
    sys.create_cq = mlx5_trap_create_cq;
    sys.destroy_cq = mlx5_trap_destroy_cq;
    sys.create_qp = mlx5_trap_create_qp;
    sys.destroy_qp = mlx5_trap_destroy_qp;
    sys.modify_qp = mlx5_trap_modify_qp;
    sys.devx_qp_modify = mlx5_trap_devx_qp_modify;
    sys.init_obj = mlx5_trap_init_obj;
    return &sys;
}

#endif
