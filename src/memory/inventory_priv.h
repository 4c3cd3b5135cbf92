/* ---- >>priv.inventory ------------------------------------------------------------------------
 * Declarations for the other parts: creating and ending stocks, and the search for the buffers of
 * an mmap.                                                                                      */
#ifndef DOCA_SRC_MEMORY_INVENTORY_PRIV_H
#define DOCA_SRC_MEMORY_INVENTORY_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "memory/inventory.h"
#include "memory/stocks_priv.h"

struct doca_priv_stock;

DOCA_PRIV_DECL struct doca_buf *doca_priv_stock_bufs(struct doca_priv_stock *stock);
DOCA_PRIV_DECL doca_error_t doca_priv_stock_create(struct doca_core_arena *arena, size_t num,
                                                   uint8_t kind, struct doca_priv_stock *first,
                                                   void **block, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_stock_end(struct doca_priv_stock *stock);
DOCA_PRIV_DECL enum doca_priv_stocks doca_priv_stocks_search(const struct doca_mmap *mmap);
DOCA_PRIV_DECL doca_error_t doca_priv_bytes_stock(size_t num_elements, size_t *bytes,
                                                  const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_stock_carve(struct doca_core_arena *arena, size_t num,
                                                  void **block, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_inventory_create(struct doca_core_arena *arena,
                                                       size_t num_elements,
                                                       struct doca_buf_inventory **inventory,
                                                       const char *function);

#endif
