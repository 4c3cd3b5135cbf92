/* CQE compression. */
#include "device/hca/compress.h"
#include "wire/prm.h"

#include <string.h>

enum { COMPRESSED = 3 };        /* format of a CQE */

bool compress_has_format(unsigned format)
{
    return format == COMPRESS_HASH || format == COMPRESS_CSUM || format == COMPRESS_CSUM_STRIDX;
}

/* Returns the CQE without what differs between CQEs of a session: the fields of mini CQEs, and the
 * time, of which a program gets only that of the first one. */
static struct hca_cqe common_part(const struct hca_cqe *cqe)
{
    struct hca_cqe part = *cqe;

    prm_set(part.bytes, prm_cqe_rx_hash_result, 0);
    prm_set(part.bytes, prm_cqe_check_sum, 0);
    prm_set(part.bytes, prm_cqe_byte_cnt, 0);
    prm_set(part.bytes, prm_cqe_timestamp, 0);
    prm_set(part.bytes, prm_cqe_wqe_counter, 0);
    return part;
}

/* Only a session of the format with stride indices has the WQEs in any order. */
static bool is_next(const struct compress_session *session, const struct hca_cqe *cqe)
{
    struct hca_cqe first = common_part(&session->first), other = common_part(cqe);
    uint16_t counter = (uint16_t)(prm_get(session->first.bytes, prm_cqe_wqe_counter) +
                                  session->num);

    return session->num < COMPRESS_MAX && memcmp(&first, &other, sizeof(first)) == 0 &&
           (session->format == COMPRESS_CSUM_STRIDX ||
            counter == prm_get(cqe->bytes, prm_cqe_wqe_counter));
}

bool compress_add(struct compress_session *session, const struct hca_cqe *cqe)
{
    uint8_t *mini = session->minis[session->num];

    if (prm_get(cqe->bytes, prm_cqe_opcode) != PRM_CQE_RESP_SEND ||
        prm_get(cqe->bytes, prm_cqe_format) != 0)
        return false;
    if (session->num == 0)
        session->first = *cqe;
    else if (!is_next(session, cqe))
        return false;
    memset(mini, 0, COMPRESS_MINI_BYTES);
    if (session->format == COMPRESS_HASH)
        prm_set(mini, prm_mini_cqe_rx_hash_result,
                prm_get(cqe->bytes, prm_cqe_rx_hash_result));
    else
        prm_set(mini, prm_mini_cqe_check_sum, prm_get(cqe->bytes, prm_cqe_check_sum));
    if (session->format == COMPRESS_CSUM_STRIDX)
        prm_set(mini, prm_mini_cqe_stride_index, prm_get(cqe->bytes, prm_cqe_wqe_counter));
    prm_set(mini, prm_mini_cqe_byte_cnt, prm_get(cqe->bytes, prm_cqe_byte_cnt));
    session->num++;
    return true;
}

struct hca_cqe compress_title(const struct compress_session *session)
{
    struct hca_cqe title = session->first;

    prm_set(title.bytes, prm_cqe_format, COMPRESSED);
    prm_set(title.bytes, prm_cqe_byte_cnt, session->num);
    return title;
}

uint32_t compress_slot_of(uint32_t array)
{
    return array == 0 ? 1 : array * COMPRESS_PER_ARRAY;
}
