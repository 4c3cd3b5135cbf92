/* ---- >>priv.stocks ---------------------------------------------------------------------------
 * Declarations for the other parts. A stock is the common part of inventories and pools: a set of
 * buffers that are taken and returned (struct doca_priv_stock).                                 */
#ifndef DOCA_SRC_MEMORY_STOCKS_PRIV_H
#define DOCA_SRC_MEMORY_STOCKS_PRIV_H

#include "base/compiler.h"
#include "base/config.h"

struct doca_priv_stock;

struct doca_priv_stock_table {
    uint32_t lock;
    uint32_t num_left_out; /* existing stocks that did not fit into the table */
    struct doca_priv_stock *stocks[DOCA_CORE_MAX_STOCKS];
};

DOCA_PRIV_DATA struct doca_priv_stock_table doca_priv_stocks;

DOCA_PRIV_DECL void doca_priv_stocks_add(struct doca_priv_stock *stock);
DOCA_PRIV_DECL void doca_priv_stocks_remove(const struct doca_priv_stock *stock);

#endif
