/*
 * The layout of a function's BAR: pages of doorbell registers (UAR), device memory, the core
 * clock, the clock page of the kernel driver, and doorbell pages of virtio (VAR). The BAR is
 * memory of the device process; programs map parts of it.
 */
#ifndef MLX5SIM_WIRE_LAYOUT_H
#define MLX5SIM_WIRE_LAYOUT_H

enum {
    SIM_PAGE = 4096,
    SIM_UAR_PAGES = 1024,       /* page 0 is never given to programs: the kernel uses it */
    SIM_VAR_PAGES = 64,         /* doorbell pages of emulated virtio devices */
    SIM_DM_BYTES = 256 * 1024,  /* device memory (MEMIC) of one function */

    /* offsets in a function's BAR, which begins with the UAR pages */
    SIM_BAR_DM = SIM_UAR_PAGES * SIM_PAGE,
    SIM_BAR_CLOCK = SIM_BAR_DM + SIM_DM_BYTES,
    SIM_BAR_CLOCK_INFO = SIM_BAR_CLOCK + SIM_PAGE,
    SIM_BAR_VAR = SIM_BAR_CLOCK_INFO + SIM_PAGE,
    SIM_BAR_BYTES = SIM_BAR_VAR + SIM_VAR_PAGES * SIM_PAGE,

    /* 1: the preloaded library can trap accesses to a page */
#if defined(__x86_64__)
    SIM_CAN_TRAP = 1,
#else
    SIM_CAN_TRAP = 0,
#endif

    /* offsets in a UAR page; it has 8 BlueFlame registers of 0x100 bytes */
    SIM_UAR_CQ_ARM = 0x20,
    SIM_UAR_BF = 0x800,
    SIM_UAR_BF_BYTES = 0x100
};

#endif
