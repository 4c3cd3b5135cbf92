/*
 * Memory of a request, also through keys with signatures or encryption. An ordinary key is
 * translated to pieces of memory. For a key of this kind, the list of pieces gets a buffer of the
 * device process instead: a copy of the data in their form on the wire, or room for it. After the
 * request has copied its bytes, stage_commit() converts the contents of such room, and writes them
 * to the memory of the key.
 */
#ifndef MLX5SIM_HCA_STAGE_H
#define MLX5SIM_HCA_STAGE_H

#include "device/hca/mkey.h"
#include "device/hca/qp.h"

enum stage_side { STAGE_REQUESTER, STAGE_RESPONDER };

/* Forgets the keys of the last request. */
void stage_begin(void);

/* Translates a range of a key, like hca_mkey_map(). Only RC QPs can use keys of this kind. */
bool stage_map(enum stage_side side, const struct hca_qp *qp, struct hca_pd *pd, uint32_t key,
               uint64_t addr, uint64_t len, uint32_t need, struct hca_pieces *pieces);

/* Writes the first `len` bytes that the request has copied to the memory of these keys.
 * Returns 0, or an errno when the bytes cannot be decrypted or written. */
int stage_commit(uint64_t len);

/* Reports the wrong signatures that this side has found to a CQ. True when there are any. */
bool stage_report(enum stage_side side, const struct hca_qp *qp, struct hca_cq *cq);

#endif
