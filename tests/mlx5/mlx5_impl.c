/* The file that compiles the implementation in doca_core_mlx5.h, for the tests. */
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "doca_core_mlx5.h"
