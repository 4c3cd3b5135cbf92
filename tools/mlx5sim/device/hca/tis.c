/* Transport domains and TIS objects. */
#include "device/hca/tis.h"
#include "wire/prm.h"

#include <errno.h>
#include <stdlib.h>

int hca_transport_domain_create(struct sim_client *client, struct hca_object **out)
{
    struct hca_other *domain = calloc(1, sizeof(*domain));

    if (!domain || hca_add(&domain->object, HCA_DEVX, client, NULL)) {
        free(domain);
        return ENOMEM;
    }
    domain->kind = PRM_ALLOC_TRANSPORT_DOMAIN;
    *out = &domain->object;
    return 0;
}

uint8_t hca_lag_port(void)
{
    static unsigned next;

    return (uint8_t)(next++ % HCA_LAG_PORTS + 1);
}

int hca_tis_create(struct sim_client *client, uint32_t transport_domain, struct hca_object **out)
{
    struct hca_tis *tis = calloc(1, sizeof(*tis));

    if (!tis || hca_add(&tis->other.object, HCA_DEVX, client, NULL)) {
        free(tis);
        return ENOMEM;
    }
    tis->other.kind = PRM_CREATE_TIS;
    tis->transport_domain = transport_domain;
    tis->lag_port = hca_lag_port();
    *out = &tis->other.object;
    return 0;
}
