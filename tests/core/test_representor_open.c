/* Opening and closing representors, and the memory that they take. */
#include "topology_support.h"

static void same_representor_gives_the_same_pointer(void)
{
    struct doca_dev *dev = open_iface("p0");
    struct doca_devinfo_rep **list, **other;
    struct doca_dev_rep *rep, *again, *sibling;
    char text[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
    uint32_t n;

    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &other, &n));
    CHECK_OK(doca_dev_rep_open(find_rep(list, n, "0b:00.2"), &rep));
    CHECK_OK(doca_dev_rep_open(find_rep(list, n, "0b:00.3"), &sibling));
    CHECK(sibling != rep);
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_OK(doca_dev_rep_open(find_rep(other, n, "0b:00.2"), &again));
    CHECK_PTR(again, rep);
    CHECK_OK(doca_devinfo_rep_destroy_list(other));
    CHECK_OK(doca_dev_rep_open(doca_dev_rep_as_devinfo(rep), &again));
    CHECK_PTR(again, rep);
    CHECK_OK(doca_devinfo_rep_get_pci_addr_str(doca_dev_rep_as_devinfo(rep), text));
    CHECK_STR(text, "0000:0b:00.2"); /* the lists are destroyed */
    CHECK_OK(doca_dev_rep_close(sibling));
    CHECK_OK(doca_dev_rep_close(rep)); /* it was opened twice */
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK(doca_dev_rep_as_devinfo(rep) != NULL);
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
}

static void open_representor_has_the_properties_of_its_list(void)
{
    struct doca_dev *dev = open_iface("p1");
    char text[2][DOCA_DEVINFO_REP_VUID_SIZE];
    enum doca_pci_func_type type[2];
    struct doca_devinfo_rep **list;
    struct doca_dev_rep *rep;
    uint32_t n, i;

    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_dev_rep_open(list[i], &rep));
        CHECK_OK(doca_devinfo_rep_get_vuid(list[i], text[0], sizeof(text[0])));
        CHECK_OK(doca_devinfo_rep_get_vuid(doca_dev_rep_as_devinfo(rep), text[1], sizeof(text[1])));
        CHECK_STR(text[0], text[1]);
        CHECK_OK(doca_devinfo_rep_get_pci_addr_str(list[i], text[0]));
        CHECK_OK(doca_devinfo_rep_get_pci_addr_str(doca_dev_rep_as_devinfo(rep), text[1]));
        CHECK_STR(text[0], text[1]);
        CHECK_OK(doca_devinfo_rep_get_pci_func_type(list[i], &type[0]));
        CHECK_OK(doca_devinfo_rep_get_pci_func_type(doca_dev_rep_as_devinfo(rep), &type[1]));
        CHECK_EQ(type[0], type[1]);
        CHECK_OK(doca_dev_rep_close(rep));
    }
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_OK(doca_dev_close(dev));
}

static void device_of_an_open_representor_cannot_be_closed(void)
{
    struct doca_dev *dev = open_iface("p0");
    struct doca_devinfo_rep **list;
    struct doca_dev_rep *rep;
    uint32_t n;

    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    CHECK_OK(doca_dev_rep_open(list[0], &rep));
    CHECK_OK(doca_dev_rep_open(list[0], &rep));
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEV_BUSY);
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
}

static void list_can_be_used_after_its_device_is_closed(void)
{
    struct doca_dev *dev = open_iface("p0");
    struct doca_devinfo_rep **list;
    struct doca_dev_rep *rep = NULL;
    struct doca_dev *sub;
    char text[DOCA_DEVINFO_REP_VUID_SIZE];
    uint32_t n;

    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_devinfo_rep_get_pci_addr_str(find_rep(list, n, "0b:00.3"), text));
    CHECK_STR(text, "0000:0b:00.3");
    CHECK_OK(doca_devinfo_rep_get_vuid(list[n - 1], text, sizeof(text)));
    sub = open_iface("p0s0"); /* an SF with the address of p0, but without representors */
    CHECK_RC(doca_dev_rep_open(list[0], &rep), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_REP_DEV_CLOSED);
    CHECK_PTR(rep, NULL);
    CHECK_OK(doca_dev_close(sub));
    dev = open_iface("p0"); /* the device may be closed and opened again */
    CHECK_OK(doca_dev_rep_open(list[0], &rep));
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
}

static DOCA_CORE_ALIGNED unsigned char memory[64 * 1024];

static size_t used_of(struct doca_core_arena *arena)
{
    size_t used;

    CHECK_OK(doca_core_arena_query(arena, &used, NULL, NULL));
    return used;
}

static void lists_and_representors_take_the_documented_bytes(void)
{
    struct doca_core_arena arena;
    struct doca_devinfo_rep **list;
    struct doca_devinfo **infos;
    struct doca_dev_rep *reps[2];
    struct doca_dev *dev;
    uint32_t n, num, k;
    size_t before, bytes;

    for (k = 0; k < NUM(table); k++) {
        set_card(k);
        CHECK_OK(doca_core_arena_init(&arena, memory, sizeof(memory)));
        CHECK_OK(doca_core_devinfo_create_list_in(&arena, &infos, &n));
        CHECK_OK(doca_dev_open(find(infos, n, "c"), &dev));
        before = used_of(&arena);
        CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &num));
        CHECK_EQ(num, k);
        CHECK_EQ(used_of(&arena) - before, DOCA_CORE_BYTES_DEVINFO_REP_LIST(k));
        CHECK_OK(doca_core_bytes_devinfo_rep_list(k, &bytes));
        CHECK_EQ(bytes, DOCA_CORE_BYTES_DEVINFO_REP_LIST(k));
        if (k >= 2) {
            before = used_of(&arena);
            CHECK_OK(doca_dev_rep_open(list[0], &reps[0]));
            CHECK_OK(doca_dev_rep_open(list[1], &reps[1]));
            CHECK_EQ(used_of(&arena) - before, DOCA_CORE_BYTES_DEV_REP(2));
            CHECK_OK(doca_core_bytes_dev_rep(&bytes));
            CHECK_EQ(bytes, DOCA_CORE_BYTES_DEV_REP(1));
            CHECK_OK(doca_dev_rep_close(reps[0]));
            CHECK_OK(doca_dev_rep_close(reps[1]));
        }
        CHECK_OK(doca_devinfo_rep_destroy_list(list));
        CHECK_OK(doca_dev_close(dev));
        CHECK_OK(doca_devinfo_destroy_list(infos));
        CHECK_EQ(used_of(&arena), 0);
    }
    CHECK_RC(doca_core_bytes_dev_rep(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_devinfo_rep_list(1, NULL), DOCA_ERROR_INVALID_VALUE);
    restore();
}

/* Each step is tried in arenas of 2, 3, 4 ... lines. A step that finds too little memory must leave
 * no bytes in use. */
static void failed_step_leaves_no_bytes_in_use(void)
{
    unsigned step = 0, steps_seen = 0;
    size_t lines;

    for (lines = 2; step < 4; lines++) {
        struct doca_core_arena arena;
        struct doca_devinfo_rep **list = NULL;
        struct doca_devinfo **infos = NULL;
        struct doca_dev_rep *rep = NULL;
        struct doca_dev *dev = NULL;
        doca_error_t rc;
        uint32_t n, num = 77;

        CHECK(lines * DOCA_CORE_LINE <= sizeof(memory));
        CHECK_OK(doca_core_arena_init(&arena, memory, lines * DOCA_CORE_LINE));
        step = 0;
        rc = doca_core_devinfo_create_list_in(&arena, &infos, &n);
        step += rc == DOCA_SUCCESS;
        if (rc == DOCA_SUCCESS)
            rc = doca_dev_open(find(infos, n, "p0"), &dev);
        step += rc == DOCA_SUCCESS;
        if (rc == DOCA_SUCCESS)
            rc = doca_devinfo_rep_create_list(dev, 0, &list, &num);
        CHECK((list == NULL) == (num == 77));
        step += rc == DOCA_SUCCESS;
        if (rc == DOCA_SUCCESS)
            rc = doca_dev_rep_open(list[0], &rep);
        step += rc == DOCA_SUCCESS;
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_NO_MEMORY);
        steps_seen |= 1u << step;
        if (rep != NULL)
            CHECK_OK(doca_dev_rep_close(rep));
        if (list != NULL)
            CHECK_OK(doca_devinfo_rep_destroy_list(list));
        if (dev != NULL)
            CHECK_OK(doca_dev_close(dev));
        if (infos != NULL)
            CHECK_OK(doca_devinfo_destroy_list(infos));
        CHECK_EQ(used_of(&arena), 0);
        CHECK_OK(doca_core_arena_audit(&arena));
    }
    CHECK_EQ(steps_seen, 0x1f); /* each step has failed at least once */
}

/* An open representor can be opened again even if the arena has no free block. */
static void opening_again_needs_no_memory(void)
{
    struct doca_core_arena arena;
    struct doca_devinfo_rep **list;
    struct doca_devinfo **infos;
    struct doca_dev_rep *rep, *again = NULL, *sibling = NULL;
    struct doca_dev *dev, *same;
    size_t lines;
    uint32_t n;

    set_card(2);
    lines = (DOCA_CORE_BYTES_DEVINFO_LIST(3) + DOCA_CORE_BYTES_DEV(1) +
             DOCA_CORE_BYTES_DEVINFO_REP_LIST(2) + DOCA_CORE_BYTES_DEV_REP(1)) / DOCA_CORE_LINE;
    CHECK_OK(doca_core_arena_init(&arena, memory, lines * DOCA_CORE_LINE));
    CHECK_OK(doca_core_devinfo_create_list_in(&arena, &infos, &n));
    CHECK_OK(doca_dev_open(infos[0], &dev));
    CHECK_OK(doca_devinfo_rep_create_list(dev, 0, &list, &n));
    CHECK_OK(doca_dev_rep_open(list[0], &rep));
    CHECK_RC(doca_dev_rep_open(list[1], &sibling), DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(sibling, NULL);
    test_log_lines = 0; /* the calls must log nothing */
    CHECK_OK(doca_dev_rep_open(list[0], &again));
    CHECK_PTR(again, rep);
    CHECK_OK(doca_dev_open(infos[0], &same));
    CHECK_PTR(same, dev);
    CHECK_EQ(test_log_lines, 0);
    CHECK_OK(doca_dev_close(same));
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_rep_open(list[1], &sibling));
    CHECK_OK(doca_dev_rep_close(sibling));
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_devinfo_destroy_list(infos));
    restore();
}

static const struct test_case cases[] = {
    CASE(same_representor_gives_the_same_pointer, "43"),
    CASE(open_representor_has_the_properties_of_its_list, "43"),
    CASE(device_of_an_open_representor_cannot_be_closed, "24"),
    CASE(list_can_be_used_after_its_device_is_closed, "42"),
    CASE_OF_SW(lists_and_representors_take_the_documented_bytes, "", "a table of its devices"),
    CASE(failed_step_leaves_no_bytes_in_use, ""),
    CASE_OF_SW(opening_again_needs_no_memory, "", "a table of its devices"),
};

TEST_MAIN(cases)
