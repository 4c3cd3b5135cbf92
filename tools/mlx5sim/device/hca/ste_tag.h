/* The fields of a packet in the layouts that steering entries compare, in format 0. */
#ifndef MLX5SIM_HCA_STE_TAG_H
#define MLX5SIM_HCA_STE_TAG_H

#include "device/hca/match.h"

enum { STE_TAG_BYTES = 16, STE_ANYTHING = 0x0f };       /* a lookup type without fields */

/* Fills in the layout of a lookup type from the headers in the layout of `match_of_packet()`.
 * Returns false when the device does not know the type. */
bool ste_tag(unsigned lookup, const uint8_t match[MATCH_BYTES], uint8_t tag[STE_TAG_BYTES]);

#endif
