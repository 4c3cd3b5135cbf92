/* CQE compression: several CQEs of received messages that are alike become one CQE, the title, and
 * an array of small entries (mini CQEs) with what differs. */
#ifndef MLX5SIM_HCA_COMPRESS_H
#define MLX5SIM_HCA_COMPRESS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    COMPRESS_MAX = 64,          /* CQEs of a title; assumed */
    COMPRESS_PER_ARRAY = 8, COMPRESS_MINI_BYTES = 8
};

/* What a mini CQE has beside the number of bytes; the numbers are those of mini_cqe_res_format. */
enum compress_format { COMPRESS_HASH = 0, COMPRESS_CSUM = 1, COMPRESS_CSUM_STRIDX = 3 };

struct hca_cqe {
    uint8_t bytes[64];
};

/* CQEs that wait for others like them. */
struct compress_session {
    enum compress_format format;
    uint32_t num;               /* 0: none */
    struct hca_cqe first;
    uint8_t minis[COMPRESS_MAX][COMPRESS_MINI_BYTES];
};

bool compress_has_format(unsigned format);

/* Adds a CQE to the session. False when it cannot be compressed, or is not like the others. */
bool compress_add(struct compress_session *session, const struct hca_cqe *cqe);

/* Returns the title of a session of several CQEs. */
struct hca_cqe compress_title(const struct compress_session *session);

/* Returns the index, from the title, of the slot with array `array`. A full array also overwrites
 * the byte with the owner bit; programs find the arrays by the title. */
uint32_t compress_slot_of(uint32_t array);

#endif
