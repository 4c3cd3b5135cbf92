/* Open devices: creates and frees contexts, and maps parts of the BAR. */
#ifndef MLX5SIM_DRIVER_UVERBS_H
#define MLX5SIM_DRIVER_UVERBS_H

#include "device/driver/state.h"
#include "wire/protocol.h"

/* Opens the device for process `pid`. NULL when no memory is left. */
struct uverbs_context *uverbs_context_new(struct sim_function *function, pid_t pid);

/* Destroys every object of the context, and the context. */
void uverbs_context_free(struct uverbs_context *context);

/* Commands in the offsets of mmap that the driver gives out. libmlx5 passes them unchanged. */
enum uverbs_mmap { UVERBS_MMAP_UAR = 9, UVERBS_MMAP_VAR = 10 };

/* The index of an operation in the offset of mmap of device memory is its number plus this. The
 * indices below are pages of device memory. */
enum { UVERBS_OPERATION_PAGES = SIM_DM_BYTES / SIM_PAGE };

/* Returns the offset of mmap for a command and the index of a page. */
uint64_t uverbs_mmap_offset(enum uverbs_mmap command, uint32_t index);

/* Stores in the reply which part of the BAR an mmap of the context maps. Returns 0 or an errno. */
int uverbs_mmap(struct uverbs_context *context, uint64_t offset, uint64_t len,
                struct wire_reply *reply);

/* Fills the clock info page. libmlx5 uses it to convert timestamps of CQEs to wall clock time. */
void uverbs_clock_info(unsigned char *page);

#endif
