/*
 * The emulated machine: its card, the functions of the card, and the programs that have a function
 * open. The device process has a single thread.
 */
#ifndef MLX5SIM_MACHINE_MACHINE_H
#define MLX5SIM_MACHINE_MACHINE_H

#include "device/machine/traffic.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "wire/layout.h"

struct sim_space;
struct uverbs_context;

enum {
    SIM_MAX_FUNCTIONS = 16,
    /* index of the network interface of the first function; the kernel gives low numbers */
    SIM_FIRST_IFINDEX = 1000000,
    SIM_CREDENTIAL_BYTES = 40,
    SIM_PORT_FLAGS = 0x2651e848,        /* of an InfiniBand port: its CapabilityMask */
    SIM_LOOPBACK_IPV4 = 0x7f030000      /* 127.3.0.0: addresses of functions without ip= */
};

/* The firmware version, after the major number of the card. */
#define SIM_FIRMWARE_FORMAT "%u.39.1002"

/* The properties that differ between cards. */
struct sim_card {
    char option;                /* 'b': --bluefield, 'c': --connectx */
    unsigned number;            /* the value of that option */
    unsigned device, subsystem; /* PCI ids */
    unsigned firmware;          /* major number of the firmware version */
    unsigned hw_rev;
    const char *hca_type, *board_id;
    const char *link_speed;
    bool mmo;                   /* the card has the DMA engine */
};

/* Limits and capabilities. The answers of query_device and QUERY_HCA_CAP both come from here. */
struct sim_profile {
    const struct sim_card *card;
    bool mmo;                   /* DMA by MMO WQEs */
    bool sha;
    uint8_t test_and_set;       /* the value that this operation of device memory writes */
    bool ethernet;              /* RoCE ports: no LID, a GID on every path */
    unsigned log_max_qp, log_max_cq, log_max_srq, log_max_mkey, log_max_pd;
    unsigned log_max_qp_sz;     /* WQEBBs of a send queue, WQEs of a receive queue */
    unsigned log_max_cq_sz, log_max_srq_sz;
    unsigned log_max_msg;       /* bytes of one message */
    unsigned log_dma_mmo_max_size;
    unsigned log_sha_mmo_max_size;
    unsigned max_sge, max_srq_sge;
    unsigned max_sq_desc, max_rq_desc;      /* bytes of one WQE */
    unsigned max_rd_atomic;
    unsigned num_comp_vectors;
    unsigned kek_bytes;                     /* 0: DEKs are not wrapped */
    uint8_t kek[32], credential[SIM_CREDENTIAL_BYTES];
    uint64_t core_clock_khz;                /* 1 GHz: CQE timestamps are sim_now() */
};

/* A VAR page of a function. The device process is not told when a program unmaps a page. Therefore
 * a page that was mapped stays with its owner until the owner closes the device. */
struct sim_var {
    struct sim_client *owner;   /* NULL: page is free */
    bool was_mapped;
    bool is_destroyed;          /* cannot be mapped; only its owner can get the page again */
};

struct sim_function {
    unsigned index;             /* N of mlx5_N and of uverbsN */
    char name[32];
    char pci[16];               /* "0000:03:00.0" */
    char netdev[16];
    bool host;                  /* on the host side; otherwise on the DPU's side */
    unsigned port;              /* port of the card */
    /* number of the VF or SF of the port's PF; -1: not a VF, not an SF */
    int vf, sf;
    uint16_t vhca_id;
    uint16_t lid;
    uint64_t node_guid, sys_image_guid;     /* host byte order */
    uint8_t mac[6];
    uint8_t gid[16];            /* the link-local GID; network byte order */
    uint32_t ipv4;              /* address of the interface; network byte order */
    uint8_t *bar;
    int bar_fd;
    struct sim_space *bar_space;            /* the whole BAR; addresses are offsets in the BAR */
    bool fatal;                 /* the device has failed: every command is refused */
    struct sim_traffic traffic;
    struct sim_client *uar_owner[SIM_UAR_PAGES];    /* NULL: page is free */
    struct sim_var var[SIM_VAR_PAGES];
};

/* A client: an open uverbs device. Several processes may hold its descriptor. */
struct sim_client {
    struct sim_function *function;
    struct sim_client *next;    /* all clients of the machine */
    uint16_t uid;               /* DevX user context; 0 = opened without DevX */
    pid_t pid;                  /* the process that opened the device; used in messages */
    struct uverbs_context *uverbs;
};

enum sim_doorbells { SIM_DOORBELLS_SYNC, SIM_DOORBELLS_ASYNC, SIM_DOORBELLS_POLL };

struct sim_machine {
    struct sim_profile profile;
    struct sim_function functions[SIM_MAX_FUNCTIONS];
    unsigned num_functions;
    struct sim_client *clients;
    enum sim_doorbells doorbells;
    bool strict;
    unsigned violations;        /* counted in strict mode; if not 0, the exit status is 70 */
    uint64_t cm_timeout_ns;     /* time after which an unanswered message of the connection manager
                                   ends its step */
    const char *dir;            /* sockets and sysfs tree are made here */
    bool remove_dir;            /* remove the directory at the end */
};

extern struct sim_machine machine;

/* Returns the time of CLOCK_MONOTONIC in ns. */
uint64_t sim_now(void);

/* Returns the core clock of the device, in cycles. */
uint64_t sim_cycles(void);

#endif
