/* ---- >>priv.sw.topology ----------------------------------------------------------------------
 * The devices of the software backend: the tables of functions, and how they are listed.        */
#ifndef DOCA_SRC_SW_TOPOLOGY_PRIV_H
#define DOCA_SRC_SW_TOPOLOGY_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/platform_priv.h"
#include "device/device.h"
#include "sw/text_priv.h"

struct doca_core_dev_attr;
struct doca_core_limits;
struct doca_priv_sw_row;

struct doca_priv_sw_state {
    uint32_t lock;
    uint32_t num_rows;
    unsigned current; /* index of the table in force; the other table is
                       * spare */
    bool has_table;   /* the table was set by a call, or the environment was
                       * read */
    bool has_side;    /* the side was set by a call, or the environment was
                       * read */
    enum doca_core_side side;
    const struct doca_core_limits *profile; /* limits of the profile in force; NULL: not chosen
                                             * yet */
    struct doca_priv_sw_row tables[2][DOCA_CORE_SW_MAX_DEVS];
};

DOCA_PRIV_DATA struct doca_priv_sw_state doca_priv_sw;

DOCA_PRIV_DECL const struct doca_priv_sw_row *doca_priv_sw_rows(void);
DOCA_PRIV_DECL uint32_t doca_priv_sw_row_put(const struct doca_priv_sw_row *row,
                                             struct doca_core_dev_attr *attrs, uint32_t max,
                                             uint32_t num);
DOCA_PRIV_DECL uint32_t doca_priv_sw_enumerate(struct doca_core_dev_attr *attrs, uint32_t max);
DOCA_PRIV_DECL uint32_t doca_priv_sw_enumerate_reps(struct doca_dev *dev, int filter,
                                                    struct doca_core_dev_attr *attrs, uint32_t max);

#endif
