/* The headers of a packet in the layout that rules match: struct fte_match_param. */
#ifndef MLX5SIM_HCA_MATCH_H
#define MLX5SIM_HCA_MATCH_H

#include "device/hca/packet.h"

enum {                          /* bytes */
    MATCH_BYTES = 0x200,        /* of the layout */
    MATCH_PART = 0x40           /* of each of its parts */
};

/* Fills in the fields of the headers that the packet has; all other bits are 0. `sqn` is the number
 * of the send queue for a packet that is sent, otherwise 0. */
void match_of_packet(const struct packet *packet, uint32_t sqn, uint8_t match[MATCH_BYTES]);

/* True when the mask has bits only in parts of the layout that `criteria` names. The lowest bit of
 * the criteria is that of the first part. */
bool match_is_covered(const uint8_t mask[MATCH_BYTES], unsigned criteria);

/* True when the mask has only bits of fields that match_of_packet() fills in. */
bool match_is_known(const uint8_t mask[MATCH_BYTES]);

/* True when the mask has no bits, so that all packets match. */
bool match_is_empty(const uint8_t mask[MATCH_BYTES]);

/* True when the packet agrees with `value` in all bits of `mask`. */
bool match_is_met(const uint8_t match[MATCH_BYTES], const uint8_t mask[MATCH_BYTES],
                  const uint8_t value[MATCH_BYTES]);

#endif
