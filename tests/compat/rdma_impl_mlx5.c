/* DOCA RDMA on RDMA devices, which replace the software devices (see impl_mlx5.c), through
 * libibverbs. The calls of the control path run with the heap trap off, because libibverbs
 * allocates in them; the calls of the data path do not. */
#define DOCA_CORE_RDMA_VERBS
#define DOCA_CORE_RDMA_PROBE_MS 500
#include "../mlx5/impl_mlx5.c"

#define UNTRAPPED(type, call)                                                                      \
    __extension__({                                                                                \
        enum heap_trap_mode mode_ = heap_trap_set(HEAP_TRAP_OFF);                                  \
        type answer_ = call;                                                                       \
        heap_trap_set(mode_);                                                                      \
        answer_;                                                                                   \
    })
#define ibv_get_device_list(num)                                                                   \
    UNTRAPPED(struct ibv_device **, (ibv_get_device_list)(num))
#define ibv_free_device_list(list) UNTRAPPED(int, ((ibv_free_device_list)(list), 0))
#define ibv_open_device(device) UNTRAPPED(struct ibv_context *, (ibv_open_device)(device))
#define ibv_close_device(context) UNTRAPPED(int, (ibv_close_device)(context))
#define ibv_query_gid(context, port, index, gid)                                                   \
    UNTRAPPED(int, (ibv_query_gid)(context, port, index, gid))
#define ibv_alloc_pd(context) UNTRAPPED(struct ibv_pd *, (ibv_alloc_pd)(context))
#define ibv_dealloc_pd(pd) UNTRAPPED(int, (ibv_dealloc_pd)(pd))
#define ibv_create_comp_channel(context)                                                           \
    UNTRAPPED(struct ibv_comp_channel *, (ibv_create_comp_channel)(context))
#define ibv_create_cq(context, num, data, channel, vector)                                         \
    UNTRAPPED(struct ibv_cq *, (ibv_create_cq)(context, num, data, channel, vector))
#define ibv_query_gid(context, port, index, gid)                                                   \
    UNTRAPPED(int, (ibv_query_gid)(context, port, index, gid))
#define ibv_create_srq(pd, attr) UNTRAPPED(struct ibv_srq *, (ibv_create_srq)(pd, attr))
#define ibv_create_qp(pd, attr) UNTRAPPED(struct ibv_qp *, (ibv_create_qp)(pd, attr))
#define mlx5dv_create_qp(context, attr, more)                                                     \
    UNTRAPPED(struct ibv_qp *, (mlx5dv_create_qp)(context, attr, more))
#define ibv_alloc_td(context, attr) UNTRAPPED(struct ibv_td *, (ibv_alloc_td)(context, attr))
#define ibv_dealloc_td(td) UNTRAPPED(int, (ibv_dealloc_td)(td))
#define ibv_alloc_parent_domain(context, attr)                                                     \
    UNTRAPPED(struct ibv_pd *, (ibv_alloc_parent_domain)(context, attr))
#define ibv_dealloc_pd(pd) UNTRAPPED(int, (ibv_dealloc_pd)(pd))
#define ibv_modify_qp(qp, attr, mask) UNTRAPPED(int, (ibv_modify_qp)(qp, attr, mask))
#define ibv_destroy_qp(qp) UNTRAPPED(int, (ibv_destroy_qp)(qp))
#define ibv_destroy_srq(srq) UNTRAPPED(int, (ibv_destroy_srq)(srq))
#define ibv_destroy_cq(cq) UNTRAPPED(int, (ibv_destroy_cq)(cq))
#define ibv_destroy_comp_channel(channel) UNTRAPPED(int, (ibv_destroy_comp_channel)(channel))

#ifdef DOCA_CORE_RDMA_CM
#include <rdma/rdma_cma.h>

#define rdma_create_event_channel()                                                                \
    UNTRAPPED(struct rdma_event_channel *, (rdma_create_event_channel)())
#define rdma_destroy_event_channel(channel)                                                        \
    UNTRAPPED(int, ((rdma_destroy_event_channel)(channel), 0))
#define rdma_create_id(channel, id, context, ps)                                                   \
    UNTRAPPED(int, (rdma_create_id)(channel, id, context, ps))
#define rdma_destroy_id(id) UNTRAPPED(int, (rdma_destroy_id)(id))
#define rdma_bind_addr(id, addr) UNTRAPPED(int, (rdma_bind_addr)(id, addr))
#define rdma_resolve_addr(id, from, to, ms) UNTRAPPED(int, (rdma_resolve_addr)(id, from, to, ms))
#define rdma_resolve_route(id, ms) UNTRAPPED(int, (rdma_resolve_route)(id, ms))
#define rdma_listen(id, backlog) UNTRAPPED(int, (rdma_listen)(id, backlog))
#define rdma_connect(id, param) UNTRAPPED(int, (rdma_connect)(id, param))
#define rdma_accept(id, param) UNTRAPPED(int, (rdma_accept)(id, param))
#define rdma_reject(id, data, len) UNTRAPPED(int, (rdma_reject)(id, data, len))
#define rdma_disconnect(id) UNTRAPPED(int, (rdma_disconnect)(id))
#define rdma_establish(id) UNTRAPPED(int, (rdma_establish)(id))
#define rdma_init_qp_attr(id, attr, mask) UNTRAPPED(int, (rdma_init_qp_attr)(id, attr, mask))
#define rdma_get_cm_event(channel, event) UNTRAPPED(int, (rdma_get_cm_event)(channel, event))
#define rdma_ack_cm_event(event) UNTRAPPED(int, (rdma_ack_cm_event)(event))
#endif

/* Count the calls that post to the queues of tasks. The library does not make them where it uses
 * the rings. The control queue pairs of connections have no shared receive queue. */
extern unsigned rdma_num_verbs_calls;
unsigned rdma_num_verbs_calls;
#define ibv_post_send(qp, wr, bad)                                                                 \
    (rdma_num_verbs_calls += (qp)->srq != NULL, (ibv_post_send)(qp, wr, bad))
#define ibv_post_srq_recv(srq, wr, bad) (rdma_num_verbs_calls++, (ibv_post_srq_recv)(srq, wr, bad))

#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "doca_core_rdma.h"
