/* amalgamate: manual */
#ifndef DOCA_CORE_H
#define DOCA_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* amalgamate: interface */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_H */

#if defined(__GNUC__) && !defined(__TINYC__) && defined(__OPTIMIZE__) &&                           \
    !defined(DOCA_CORE_NO_INLINE)
#define DOCA_PRIV_INLINES
#endif

#if (defined(DOCA_PRIV_INLINES) || defined(DOCA_CORE_IMPLEMENTATION)) && !defined(DOCA_PRIV_HOT)

#define DOCA_PRIV_DECL static

/* amalgamate: compiler */

#ifdef __cplusplus
extern "C" {
#endif

/* amalgamate: inline */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_PRIV_HOT */

#if defined(DOCA_CORE_IMPLEMENTATION) && !defined(DOCA_CORE_IMPLEMENTATION_GUARD)
#define DOCA_CORE_IMPLEMENTATION_GUARD

/* Both API versions of the changed functions, and the ordinary forms of the inlined functions, are
 * defined below. Undefine the renaming macros of an earlier inclusion of this header. */
#undef doca_buf_arr_create
#undef doca_core_buf_arr_create_in
#undef doca_buf_arr_set_params
#undef doca_buf_arr_get_dpa_handle
#undef doca_devinfo_get_active_rate
#undef doca_buf_inventory_buf_get_by_args
#undef doca_buf_inventory_buf_get_by_addr
#undef doca_buf_inventory_buf_get_by_data
#undef doca_buf_dec_refcount
#undef doca_buf_chain_list
#undef doca_buf_get_head
#undef doca_buf_get_len
#undef doca_buf_get_data
#undef doca_buf_get_data_len
#undef doca_buf_set_data
#undef doca_buf_reset_data_len
#undef doca_task_submit
#undef doca_task_submit_ex
#undef doca_task_free
#undef doca_task_get_status
#undef doca_pe_progress
#undef doca_dma_task_memcpy_alloc_init
#undef doca_dma_task_memcpy_as_task
#undef doca_sha_task_hash_alloc_init
#undef doca_sha_task_hash_as_task
#undef doca_sync_event_get
#undef doca_sync_event_update_set
#undef doca_sync_event_update_add

/* amalgamate: private */

/* amalgamate: implementation */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_IMPLEMENTATION */

#if DOCA_CORE_API >= 30000 /* The implementation defines both versions under their own names, so
                            * these macros must come after it. */
#define doca_buf_arr_create doca_core_v3_buf_arr_create
#define doca_core_buf_arr_create_in doca_core_v3_buf_arr_create_in
#define doca_buf_arr_set_params doca_core_v3_buf_arr_set_params
#define doca_buf_arr_get_dpa_handle doca_core_v3_buf_arr_get_dpa_handle
#define doca_devinfo_get_active_rate doca_core_v3_devinfo_get_active_rate
#endif

#ifdef DOCA_PRIV_INLINES /* Map the data-path calls to their inline forms in >>hot. */
#define doca_buf_inventory_buf_get_by_args doca_priv_hot_buf_inventory_buf_get_by_args
#define doca_buf_inventory_buf_get_by_addr doca_priv_hot_buf_inventory_buf_get_by_addr
#define doca_buf_inventory_buf_get_by_data doca_priv_hot_buf_inventory_buf_get_by_data
#define doca_buf_dec_refcount doca_priv_hot_buf_dec_refcount
#define doca_buf_chain_list doca_priv_hot_buf_chain_list
#define doca_buf_get_head doca_priv_hot_buf_get_head
#define doca_buf_get_len doca_priv_hot_buf_get_len
#define doca_buf_get_data doca_priv_hot_buf_get_data
#define doca_buf_get_data_len doca_priv_hot_buf_get_data_len
#define doca_buf_set_data doca_priv_hot_buf_set_data
#define doca_buf_reset_data_len doca_priv_hot_buf_reset_data_len
#define doca_task_submit doca_priv_hot_task_submit
#define doca_task_submit_ex doca_priv_hot_task_submit_ex
#define doca_task_free doca_priv_hot_task_free
#define doca_task_get_status doca_priv_hot_task_get_status
#define doca_pe_progress doca_priv_hot_pe_progress
#ifndef DOCA_CORE_NO_DMA
#define doca_dma_task_memcpy_alloc_init doca_priv_hot_dma_task_memcpy_alloc_init
#define doca_dma_task_memcpy_as_task doca_priv_hot_dma_task_memcpy_as_task
#endif
#ifndef DOCA_CORE_NO_SHA
#define doca_sha_task_hash_alloc_init doca_priv_hot_sha_task_hash_alloc_init
#define doca_sha_task_hash_as_task doca_priv_hot_sha_task_hash_as_task
#endif
#ifndef DOCA_CORE_NO_SYNC_EVENT
#define doca_sync_event_get doca_priv_hot_sync_event_get
#define doca_sync_event_update_set doca_priv_hot_sync_event_update_set
#define doca_sync_event_update_add doca_priv_hot_sync_event_update_add
#endif
#endif

/* MIT License. Copyright (c) 2026 doca_core contributors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
 * associated documentation files (the "Software"), to deal in the Software without restriction,
 * including without limitation the rights to use, copy, modify, merge, publish, distribute,
 * sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or
 * substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
 * NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
 * NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
 * DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
