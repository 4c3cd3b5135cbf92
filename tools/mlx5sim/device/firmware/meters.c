/* Firmware commands on flow meters. All refusals are assumed. */
#include "device/firmware/meters.h"
#include "device/firmware/flows.h"
#include "device/hca/icm.h"
#include "device/hca/meter.h"
#include "wire/prm.h"

enum { METER_BYTES = 0x90 };    /* of an input, or of the output of a query */
enum { SELECT_ACTIVE = 1 << 0, SELECT_CBS = 1 << 1, SELECT_CIR = 1 << 2, SELECT_EBS = 1 << 3,
       SELECT_EIR = 1 << 4, SELECT_ALL = 0x1f };

#define BYTES_PER_SECOND 1000000000ull  /* the rate of mantissa 1 and exponent 0 */

static const uint8_t *parameters_of(const uint8_t *meter)
{
    return PRM_AT(meter, prm_flow_meter_flow_meter_params);
}

/* Reads the selected sizes and rates: a size is the mantissa times 2^exponent, a rate the mantissa
 * divided by 2^exponent, in gigabytes per second. */
static void read_buckets(const uint8_t *params, uint64_t select, struct hca_bucket_attr *bucket)
{
#define PARAM(name) prm_get(params, prm_flow_meter_parameters_##name)
    if (select & SELECT_CBS)
        bucket[METER_COMMITTED].size = PARAM(cbs_mantissa) << PARAM(cbs_exponent);
    if (select & SELECT_CIR)
        bucket[METER_COMMITTED].rate = PARAM(cir_mantissa) * BYTES_PER_SECOND >>
                                       PARAM(cir_exponent);
    if (select & SELECT_EBS)
        bucket[METER_EXCESS].size = PARAM(ebs_mantissa) << PARAM(ebs_exponent);
    if (select & SELECT_EIR)
        bucket[METER_EXCESS].rate = PARAM(eir_mantissa) * BYTES_PER_SECOND >>
                                    PARAM(eir_exponent);
#undef PARAM
}

/* The parameters count when the program says that they are valid. */
static bool is_active(const uint8_t *meter)
{
    return prm_get(meter, prm_flow_meter_active) &&
           prm_get(parameters_of(meter), prm_flow_meter_parameters_valid);
}

void devx_create_meter(struct devx_command *c)
{
    const uint8_t *meter = PRM_AT(c->in, prm_create_flow_meter_in_meter);
    const uint8_t *params = parameters_of(meter);
    unsigned start = (unsigned)prm_get(params, prm_flow_meter_parameters_start_color);
    unsigned mode = (unsigned)prm_get(params, prm_flow_meter_parameters_meter_mode);
    struct hca_meter_attr attr = {
        .reg = (unsigned)prm_get(meter, prm_flow_meter_return_reg_id),
        .is_active = is_active(meter), .start = (enum hca_color)start,
        .mode = (enum hca_meter_mode)mode,
        .overflows = prm_get(params, prm_flow_meter_parameters_bucket_overflow),
        .takes_both = prm_get(params, prm_flow_meter_parameters_both_buckets_on_green) };

    if (c->in_len < METER_BYTES) {
        devx_fail(c, PRM_BAD_INPUT_LEN, 0x760, "the input is too short for a meter");
        return;
    }
    if (start > COLOR_GREEN || mode > METER_CABLE || !(METERS_REGISTERS >> attr.reg & 1)) {
        devx_fail(c, PRM_BAD_PARAM, 0x761, "the start colour, the mode or the register does not "
                  "exist");
        return;
    }
    read_buckets(params, SELECT_ALL, attr.bucket);
    attr.table = devx_table(c, (uint32_t)prm_get(meter, prm_flow_meter_destination_table_id),
                            (unsigned)prm_get(meter, prm_flow_meter_table_type));
    if (!attr.table || !devx_output(c, 16))
        return;
    if (hca_meter_create(c->client, &attr, &c->created))
        devx_fail(c, PRM_NO_RESOURCES, 0x762, "no meter is left");
    else
        prm_set(c->out, prm_general_obj_out_cmd_hdr_obj_id, c->created->number);
}

static struct hca_meter *find_meter(struct devx_command *c)
{
    return devx_object(c, HCA_METER, (uint32_t)prm_get(c->in, prm_general_obj_in_cmd_hdr_obj_id),
                       "the meter is not this client's");
}

void devx_modify_meter(struct devx_command *c)
{
    const uint8_t *in = PRM_AT(c->in, prm_create_flow_meter_in_meter);
    uint64_t select = prm_get(in, prm_flow_meter_modify_field_select);
    struct hca_meter_attr attr;
    struct hca_meter *meter;

    if (c->in_len < METER_BYTES) {
        devx_fail(c, PRM_BAD_INPUT_LEN, 0x763, "the input is too short for a meter");
        return;
    }
    if (select & ~(uint64_t)SELECT_ALL) {
        devx_fail(c, PRM_BAD_PARAM, 0x764, "a selected field cannot be modified");
        return;
    }
    meter = find_meter(c);
    if (!meter || !devx_output(c, 16))
        return;
    attr = meter->attr;
    read_buckets(parameters_of(in), select, attr.bucket);
    if (select & SELECT_ACTIVE)
        attr.is_active = is_active(in);
    hca_meter_modify(meter, &attr);
}

void devx_query_meter(struct devx_command *c)
{
    uint8_t *out = PRM_AT(c->out, prm_create_flow_meter_in_meter);
    const struct hca_meter *meter;

    if (!devx_output(c, METER_BYTES))
        return;
    meter = find_meter(c);
    if (!meter)
        return;
    prm_set(out, prm_flow_meter_active, meter->attr.is_active);
    prm_set(out, prm_flow_meter_return_reg_id, meter->attr.reg);
    prm_set(out, prm_flow_meter_table_type, meter->attr.table->attr.type);
    prm_set(out, prm_flow_meter_destination_table_id, meter->attr.table->object.number);
    prm_set(out, meter->attr.table->attr.type == TABLE_RECEIVE
            ? prm_flow_meter_sw_steering_icm_address_rx
            : prm_flow_meter_sw_steering_icm_address_tx, icm_address_of(&meter->object));
}
