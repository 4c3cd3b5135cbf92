/* DOCA Comch on RDMA devices of different cards: only a card with a DPU has it. The environment
 * variable DOCA_TEST_CARD names the card: "bluefield" or "connectx". */
#include "comch_data.h"

static void only_a_card_with_a_dpu_has_comch(void)
{
    const char *card = getenv("DOCA_TEST_CARD");
    struct doca_dev *dev = rig_open_dev(NULL);
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    struct doca_comch_client *client = NULL;
    doca_error_t want;

    CHECK(card != NULL);
    want = strcmp(card, "bluefield") == 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
    CHECK_RC(doca_comch_consumer_cap_is_supported(info), want);
    CHECK_RC(doca_comch_producer_cap_is_supported(info), want);
    if (want == DOCA_ERROR_NOT_SUPPORTED) {
        CHECK_RC(doca_comch_cap_server_is_supported(info), want);
        CHECK_RC(doca_comch_cap_client_is_supported(info), want);
        CHECK_RC(doca_comch_client_create(dev, "x", &client), want);
        CHECK(client == NULL);
    }
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE(only_a_card_with_a_dpu_has_comch, ""),
};

TEST_MAIN(cases)
