/* ---- >>impl.stocks --------------------------------------------------------------------------
 * A table of the inventories and pools ("stocks") of the process. The library uses it to find the
 * buffers of an mmap. The table contains only their addresses, because a program may drop an arena
 * with all stocks inside. An address is dereferenced only during a search, and only after a check
 * that a stock still exists there.                                                              */
#include "memory/stocks_priv.h"

#include "base/config.h"
#include "base/platform_priv.h"
#include "object/arena_priv.h"
#include "memory/inventory.h"

DOCA_PRIV_DECL struct doca_priv_stock_table doca_priv_stocks;

DOCA_PRIV_DECL void doca_priv_stocks_add(struct doca_priv_stock *stock)
{
    struct doca_priv_stock **row = NULL;
    uint32_t i;

    doca_priv_lock(&doca_priv_stocks.lock);
    for (i = DOCA_CORE_MAX_STOCKS; i-- > 0;)
        if (doca_priv_stocks.stocks[i] == NULL || doca_priv_stocks.stocks[i] == stock)
            row = &doca_priv_stocks.stocks[i];
    if (row != NULL)
        *row = stock;
    else
        doca_priv_stocks.num_left_out++;
    doca_priv_unlock(&doca_priv_stocks.lock);
}

DOCA_PRIV_DECL void doca_priv_stocks_remove(const struct doca_priv_stock *stock)
{
    uint32_t i;

    doca_priv_lock(&doca_priv_stocks.lock);
    for (i = 0; i < DOCA_CORE_MAX_STOCKS && doca_priv_stocks.stocks[i] != stock; i++) {
    }
    if (i < DOCA_CORE_MAX_STOCKS)
        doca_priv_stocks.stocks[i] = NULL;
    else if (doca_priv_stocks.num_left_out > 0)
        doca_priv_stocks.num_left_out--;
    doca_priv_unlock(&doca_priv_stocks.lock);
}

/* Remove the entries of all stocks in the memory `mem`, which becomes an arena. */
DOCA_PRIV_DECL void doca_priv_stocks_forget(const void *mem, size_t bytes)
{
    uint32_t i;

    doca_priv_lock(&doca_priv_stocks.lock);
    for (i = 0; i < DOCA_CORE_MAX_STOCKS; i++)
        if ((uintptr_t)doca_priv_stocks.stocks[i] - (uintptr_t)mem < bytes)
            doca_priv_stocks.stocks[i] = NULL;
    doca_priv_unlock(&doca_priv_stocks.lock);
}
