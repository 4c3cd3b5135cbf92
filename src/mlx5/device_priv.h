/* ---- >>mlx5.priv.device ----------------------------------------------------------------------
 * Declarations of >>mlx5.device for other parts.                                                */
#ifndef DOCA_SRC_MLX5_DEVICE_PRIV_H
#define DOCA_SRC_MLX5_DEVICE_PRIV_H

#include "mlx5/api.h"
#include "mlx5/config.h"
#include "mlx5/platform_priv.h"

struct doca_core_dev_attr;
struct doca_core_mlx5_sys;
struct doca_core_refusal;
struct doca_priv_mlx5_queue;

#define DOCA_PRIV_MLX5_PORT 1
#define DOCA_PRIV_MLX5_NUM_LISTS 64 /* hash lists of registrations, by mkey */
#define DOCA_PRIV_MLX5_GIDS 16      /* entries of the GID table that are searched */
#define DOCA_PRIV_MLX5_SWITCH_BYTES 65 /* hexadecimal text of a switch id of up to 32 bytes, and
                                        * NUL */

struct doca_priv_mlx5_caps {
    bool is_mlx5;
    bool has_mmo;        /* queue pairs can do DMA */
    bool is_incomplete;  /* a query was refused, and logged: the capabilities count as absent */
    bool has_mmo_bit;    /* a queue pair needs its MMO bit set for DMA */
    bool has_export;     /* other functions can be allowed to use mkeys of this function */
    bool has_import;     /* this function can use mkeys of other functions through aliases */
    bool has_relaxed_write; /* mkeys can allow relaxed ordering of writes */
    bool has_relaxed_read;  /* mkeys can allow relaxed ordering of reads */
    bool has_vhca_id;
    bool is_eswitch_manager;
    bool is_ethernet;
    bool is_connectx;    /* a PF of a card without a DPU */
    bool has_gid;
    uint8_t event_engine; /* DOCA_CORE_EVENT_ENGINE_* */
    uint8_t active_mtu;  /* enum ibv_mtu */
    uint8_t gid_index;
    uint16_t lid;
    uint16_t vhca_id;
    uint64_t sys_image_guid; /* equal for all functions of one card */
    uint32_t max_wqes;
    uint32_t max_cqes;
    uint32_t max_sge;    /* largest number of sources of a WQE */
    uint64_t max_mmo;    /* largest copy by MMO, in bytes */
    uint64_t max_write;  /* largest copy by RDMA WRITE, in bytes */
    uint64_t clock_khz;  /* frequency of the core clock; 0: it cannot be read */
    bool has_real_time;  /* the driver converts cycles of the core clock to its real time clock */
    uint8_t gid[16];
};

struct doca_priv_mlx5_card {
    struct ibv_device *device;
    uint32_t num_failures; /* number of failures so far */
    enum doca_core_mlx5_engine engine; /* AUTO: the card cannot copy */
    struct doca_priv_mlx5_caps caps;
    struct doca_core_dev_attr attr;
    char switch_id[DOCA_PRIV_MLX5_SWITCH_BYTES]; /* switch id of its eswitch; "": no representors */
};

struct doca_priv_mlx5_share { /* an mkey that other functions can use, or an alias */
    struct mlx5dv_devx_obj *obj; /* the mkey or the alias; NULL when neither exists */
    struct mlx5dv_devx_umem *umem;
};

struct doca_priv_mlx5_reg { /* registration of a range on a device, or an import */
    struct ibv_mr *mr;       /* first registration; NULL: this is an import */
    struct ibv_mr *write_mr; /* second registration, for writes by queue pairs; may be NULL */
    struct doca_priv_mlx5_share shares[2]; /* exports for PCI and for RDMA; in an import, [0] is the
                                            * alias */
    struct doca_priv_mlx5_reg *next;
    /* import: its mkey. Registration: part of the secret of its RDMA export; 0 without such an
     * export */
    uint32_t key;
    uint16_t access; /* DOCA_ACCESS_FLAG_* that the program has set */
};

struct doca_priv_mlx5_dm { /* memory on the NIC */
    struct ibv_dm *dm;
    struct ibv_mr *mr;
    struct ibv_mr *write_mr; /* second registration, as in doca_priv_mlx5_reg */
    struct doca_priv_mlx5_dm *next;
};

struct doca_priv_mlx5_dev { /* an open card; doca_dev.backend_data points to it */
    struct doca_priv_mlx5_card *card; /* NULL when this element is free */
    struct doca_dev *dev;
    struct ibv_context *context;
    struct ibv_pd *pd;
    uint32_t lock;     /* guards the lists below */
    uint32_t failures_at_open; /* card->num_failures when the device was opened; if they differ,
                                * the device has failed */
    uint32_t num_calls; /* calls of doca_priv_mlx5_dev_failed(); for a device from a PD, every
                         * DOCA_PRIV_MLX5_QUERY_EVERY-th call queries the port */
    uint32_t num_watching; /* queues whose epoll set contains the context's descriptor */
    struct doca_priv_mlx5_queue *queues; /* open queues */
    struct doca_priv_mlx5_reg *regs[DOCA_PRIV_MLX5_NUM_LISTS];
    struct doca_priv_mlx5_dm *dms;
};

struct doca_priv_mlx5_state {
    const struct doca_core_mlx5_sys *sys;
    struct ibv_device **list;
    uint64_t process; /* random number of this process and its children; 0: not available */
    uint32_t num_cards;
    struct doca_priv_mlx5_card cards[DOCA_CORE_MLX5_MAX_DEVS];
    struct doca_priv_mlx5_dev devs[DOCA_CORE_MLX5_MAX_DEVS];
};

#if defined(DOCA_CORE_NO_LOG)
/* Texts that appear only in log lines. */
#define DOCA_PRIV_MLX5_TEXT(text) NULL
#endif
#if !defined(DOCA_CORE_NO_LOG)
#define DOCA_PRIV_MLX5_TEXT(text) (text)
#endif

DOCA_PRIV_DATA struct doca_priv_mlx5_state doca_priv_mlx5;

DOCA_PRIV_DECL void doca_priv_mlx5_lock(uint32_t *lock);
DOCA_PRIV_DECL void doca_priv_mlx5_unlock(uint32_t *lock);
DOCA_PRIV_DECL const char *doca_priv_mlx5_memory_hint(int error, bool is_dmabuf);
DOCA_PRIV_DECL struct doca_core_refusal doca_priv_mlx5_no_refusal(void);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_report_as(doca_error_t code, enum doca_core_item item,
                                                     const char *function, const void *object,
                                                     int error, struct doca_core_refusal *why);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_report(const char *function, const void *object,
                                                  struct doca_core_refusal *why);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_report_step(const char *function, const void *object,
                                                       const char *step);
DOCA_PRIV_DECL void doca_priv_mlx5_keep_first(int *error, int another);
DOCA_PRIV_DECL void doca_priv_mlx5_log_leak(int error, enum doca_core_item item,
                                            const char *function, const char *step);

#endif
