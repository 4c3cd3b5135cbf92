/* Flow samplers. */
#include "device/hca/sampler.h"

#include <errno.h>
#include <stdlib.h>

static void sampler_release(struct hca_object *object)
{
    struct hca_sampler *sampler = (struct hca_sampler *)object;

    hca_unref(sampler->attr.sample);
    hca_unref(sampler->attr.table);
}

int hca_sampler_create(struct sim_client *client, const struct hca_sampler_attr *attr,
                       struct hca_object **out)
{
    struct hca_sampler *sampler = calloc(1, sizeof(*sampler));

    if (!sampler || hca_add(&sampler->object, HCA_SAMPLER, client, sampler_release)) {
        free(sampler);
        return ENOMEM;
    }
    sampler->attr = *attr;
    hca_ref(attr->sample);
    hca_ref(attr->table);
    *out = &sampler->object;
    return 0;
}

bool hca_sampler_takes(struct hca_sampler *sampler)
{
    if (++sampler->passed < sampler->attr.ratio)
        return false;
    sampler->passed = 0;
    return true;
}
