/* ---- >>mlx5.priv.order -----------------------------------------------------------------------
 * Declarations of >>mlx5.order for other parts, and the barriers.                               */
#ifndef DOCA_SRC_MLX5_ORDER_PRIV_H
#define DOCA_SRC_MLX5_ORDER_PRIV_H

/* amalgamate: skip */
#include <stdbool.h>
/* amalgamate: end */

#include "mlx5/wqe_priv.h"

#ifndef DOCA_PRIV_MLX5_ORDER /* several headers contain this part */
#define DOCA_PRIV_MLX5_ORDER

#if defined(__x86_64__) || defined(__i386__)
#define DOCA_PRIV_MLX5_HAS_DOORBELL true
#define DOCA_PRIV_MLX5_STORES() __asm__ volatile("" : : : "memory")
#define DOCA_PRIV_MLX5_LOADS() __asm__ volatile("" : : : "memory")
#define DOCA_PRIV_MLX5_DOORBELL() __asm__ volatile("sfence" : : : "memory")
#endif
#if !(defined(__x86_64__) || defined(__i386__)) && defined(__aarch64__)
#define DOCA_PRIV_MLX5_HAS_DOORBELL true
#define DOCA_PRIV_MLX5_STORES() __asm__ volatile("dmb oshst" : : : "memory")
#define DOCA_PRIV_MLX5_LOADS() __asm__ volatile("dmb oshld" : : : "memory")
#define DOCA_PRIV_MLX5_DOORBELL() __asm__ volatile("dsb st" : : : "memory")
#endif
#if !(defined(__x86_64__) || defined(__i386__)) && !defined(__aarch64__) &&                        \
    !defined(DOCA_PRIV_MLX5_HAS_DOORBELL)
#define DOCA_PRIV_MLX5_HAS_DOORBELL false
#endif
#if !(defined(__x86_64__) || defined(__i386__)) && !defined(__aarch64__)
#define DOCA_PRIV_MLX5_STORES() __sync_synchronize()
#define DOCA_PRIV_MLX5_LOADS() __sync_synchronize()
#define DOCA_PRIV_MLX5_DOORBELL() __sync_synchronize()
#endif

/* Order the WQE, and the source data that the program wrote before submit, before the doorbell
 * record. Otherwise the device could see the new index first and read an incomplete WQE or old
 * data. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_wqe_before_dbrec(void)
{
    DOCA_PRIV_MLX5_STORES();
}

/* Order the doorbell record before the doorbell register. Otherwise the device could react to the
 * doorbell, read the old index, and not be notified again. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_dbrec_before_uar(void)
{
    DOCA_PRIV_MLX5_DOORBELL();
}

/* Order a write of the doorbell register before the next one. Otherwise the first one could stay in
 * a write-combining buffer of the CPU and be overtaken. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_uar_before_next(void)
{
    DOCA_PRIV_MLX5_DOORBELL();
}

/* Order the load of a CQE's owner bit before the loads of its other fields and of the data that was
 * copied. Otherwise the CPU could read them before the device has written them. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_owner_before_cqe(void)
{
    DOCA_PRIV_MLX5_LOADS();
}

/* Order the loads of a CQE before the doorbell record of the CQ. Otherwise the device could see the
 * new index and overwrite a CQE that the CPU has not read completely. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_cqe_before_dbrec(void)
{
#if defined(__aarch64__)
    __asm__ volatile("dmb osh" : : : "memory");
#else
    DOCA_PRIV_MLX5_LOADS();
#endif
}

/* Write a doorbell register with one 8-byte store. The device could see two 4-byte stores mixed
 * with stores that another thread makes to the same register. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_uar_write(void *reg, uint64_t value)
{
    __atomic_store_n((uint64_t *)reg, value, __ATOMIC_RELAXED);
}

DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_dbrec_write(uint32_t *dbrec, uint32_t value)
{
    __atomic_store_n(dbrec, DOCA_PRIV_MLX5_BE32(value), __ATOMIC_RELAXED);
}

/* Tell the device to execute all WQEs of a send queue before the index `pi`, which counts basic
 * blocks. `first`: the first 8 bytes of the last WQE. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_ring_doorbell(uint32_t *dbrec, void *uar, uint32_t pi,
                                                     uint64_t first)
{
    doca_priv_mlx5_wqe_before_dbrec();
    doca_priv_mlx5_dbrec_write(dbrec, pi & 0xffff);
    doca_priv_mlx5_dbrec_before_uar();
    doca_priv_mlx5_uar_write(uar, first);
    doca_priv_mlx5_uar_before_next();
}

/* Arm a completion queue: the device sends an event for the first CQE after index `ci`. `sn`: the
 * number of events that were read. `uar`: the doorbell page of the CQ. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_ring_arm(uint32_t *dbrecs, unsigned char *uar, uint32_t cqn,
                                                uint32_t ci, uint32_t sn)
{
    const uint32_t first = (sn & 3) << 28 | (ci & 0xffffff);
    const uint32_t words[2] = { DOCA_PRIV_MLX5_BE32(first), DOCA_PRIV_MLX5_BE32(cqn) };
    uint64_t doorbell;

    memcpy(&doorbell, words, sizeof(doorbell));
    doca_priv_mlx5_dbrec_write(&dbrecs[1], first);
    doca_priv_mlx5_dbrec_before_uar();
    doca_priv_mlx5_uar_write(uar + DOCA_PRIV_MLX5_UAR_CQ, doorbell);
    doca_priv_mlx5_uar_before_next();
}

#endif

#endif
