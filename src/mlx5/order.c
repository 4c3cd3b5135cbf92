/* ---- >>mlx5.order ---------------------------------------------------------------------------
 * Memory barriers between CPU and device; the comment of each names the race that it prevents. On
 * x86-64 the device sees stores to ordinary memory in program order, and the CPU performs loads in
 * program order. Only stores to the write-combining pages of doorbells can overtake other
 * stores.                                                                                       */
#include "mlx5/order_priv.h"

#include "mlx5/platform_priv.h"

#if defined(__x86_64__) || defined(__i386__)
#elif defined(__aarch64__)
#endif
