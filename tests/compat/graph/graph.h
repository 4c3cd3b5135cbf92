#ifndef GRAPH_H_
#define GRAPH_H_

#include <stdint.h>

#include <doca_error.h>

#define MAX_INSTANCES 16

struct graph_config {
    uint32_t num_instances;
    int failing_instance;
};

doca_error_t run_graph(const struct graph_config *conf);

#endif /* GRAPH_H_ */
