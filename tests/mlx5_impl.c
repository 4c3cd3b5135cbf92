/* The one file that turns doca_core_mlx5.h into code, for the tests. */
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "doca_core_mlx5.h"
