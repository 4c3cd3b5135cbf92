/* Streams of DCIs. */
#include "device/hca/dci.h"
#include "wire/prm.h"

static uint16_t stream_of(const struct hca_wqe *wqe)
{
    return (uint16_t)prm_get(wqe->bytes, prm_wqe_ctrl_dci_stream_channel_id);
}

/* Returns the index of a stream among the failed streams, or their number. */
static unsigned find(const struct hca_streams *streams, uint16_t stream)
{
    unsigned i = 0;

    while (i < streams->num_failed && streams->failed[i] != stream)
        i++;
    return i;
}

bool dci_stream_has_failed(const struct hca_qp *qp, const struct hca_wqe *wqe)
{
    return find(&qp->streams, stream_of(wqe)) < qp->streams.num_failed;
}

bool dci_fails_only_stream(struct hca_qp *qp, const struct hca_wqe *wqe)
{
    struct hca_streams *streams = &qp->streams;

    if (streams->limit <= 1)
        return false;
    if (dci_stream_has_failed(qp, wqe))
        return true;
    streams->failed[streams->num_failed++] = stream_of(wqe);
    return streams->num_failed < streams->limit;
}

bool dci_reset_stream(struct hca_qp *qp, uint16_t stream)
{
    struct hca_streams *streams = &qp->streams;
    unsigned i = find(streams, stream);

    if (i == streams->num_failed)
        return false;
    streams->failed[i] = streams->failed[--streams->num_failed];
    return true;
}
