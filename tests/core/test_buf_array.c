/* Buffer arrays, on the software device, which has no processor for them, and on a test backend
 * that pretends to have one (far_side.h). */
#include "far_side.h"
#include "fixture.h"

static DOCA_CORE_ALIGNED unsigned char memory[4096];
static struct doca_mmap *mmap;
static struct doca_buf_arr *array;

static void set_up(void)
{
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_OK(doca_buf_arr_create(mmap, &array));
}

static void tear_down(void)
{
    CHECK_OK(doca_buf_arr_destroy(array));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void array_needs_an_mmap_with_a_range(void)
{
    struct doca_buf_arr *none = NULL;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_RC(doca_buf_arr_create(mmap, &none), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(none, NULL);
    CHECK_OK(doca_mmap_destroy(mmap));
    if (DOCA_CORE_CHECK > 0)
        CHECK_RC(doca_buf_arr_create(mmap, &none), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_arr_create(NULL, &none), DOCA_ERROR_INVALID_VALUE);
}

static void array_must_fit_into_the_mmap(void)
{
    static const struct {
        size_t size;
        uint32_t num, offset;
        doca_error_t want;
    } rows[] = {
        { 64, 64, 0, DOCA_SUCCESS },
        { 1, 4096, 0, DOCA_SUCCESS },
        { 4096, 1, 0, DOCA_SUCCESS },
        { 1, 1, 4095, DOCA_SUCCESS },
        { 0, 1, 0, DOCA_ERROR_INVALID_VALUE },
        { 1, 0, 0, DOCA_ERROR_INVALID_VALUE },
        { 64, 65, 0, DOCA_ERROR_INVALID_VALUE },
        { 64, 64, 1, DOCA_ERROR_INVALID_VALUE },
        { 1, 1, 4096, DOCA_ERROR_INVALID_VALUE },
        { 1, 1, UINT32_MAX, DOCA_ERROR_INVALID_VALUE },
        { SIZE_MAX, 2, 0, DOCA_ERROR_INVALID_VALUE },
        { SIZE_MAX / UINT32_MAX + 1, UINT32_MAX, 0, DOCA_ERROR_INVALID_VALUE },
    };
    size_t i;

    set_up();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        CHECK_RC(doca_buf_arr_set_params(array, rows[i].size, rows[i].num, rows[i].offset),
                 rows[i].want);
    tear_down();
}

static void started_array_is_fixed(void)
{
    set_up();
    CHECK_RC(doca_buf_arr_start(array), DOCA_ERROR_INVALID_VALUE); /* no parameters */
    CHECK_OK(doca_buf_arr_set_params(array, 64, 8, 0));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_RC(doca_buf_arr_stop(array), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_buf_arr_start(array));
    CHECK_RC(doca_buf_arr_start(array), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_arr_set_params(array, 64, 8, 0), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_arr_set_target_dpa(array, (struct doca_dpa *)&far_side.processor),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_arr_set_target_gpu(array, (struct doca_gpu *)&far_side.processor),
             DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_buf_arr_stop(array));
    CHECK_OK(doca_buf_arr_set_params(array, 64, 4, 0));
    CHECK_OK(doca_buf_arr_start(array));
    tear_down(); /* destroying the array stops it */
    if (DOCA_CORE_CHECK > 0)
        CHECK_RC(doca_buf_arr_stop(array), DOCA_ERROR_INVALID_VALUE);
}

static void array_starts_on_a_started_mmap_only(void)
{
    struct doca_mmap *stranger;

    set_up();
    CHECK_OK(doca_buf_arr_set_params(array, 64, 8, 0));
    CHECK_RC(doca_buf_arr_start(array), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_mmap_create(&stranger)); /* takes the memory of the destroyed mmap */
    CHECK_OK(doca_mmap_set_memrange(stranger, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_start(stranger));
    CHECK_RC(doca_buf_arr_start(array), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_buf_arr_set_params(array, 64, 8, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_arr_destroy(array));
    CHECK_OK(doca_mmap_destroy(stranger));
}

static void software_device_has_no_processor_for_arrays(void)
{
    struct doca_dpa_dev_buf_arr *dpa = NULL;
    struct doca_gpu_buf_arr *gpu = NULL;

    set_up();
    CHECK_RC(doca_buf_arr_set_target_dpa(array, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_arr_set_target_dpa(array, (struct doca_dpa *)&far_side.processor),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_buf_arr_set_target_gpu(array, (struct doca_gpu *)&far_side.processor),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_buf_arr_get_dpa_handle(array, &dpa), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_arr_get_gpu_handle(array, &gpu), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_buf_arr_set_params(array, 64, 8, 0));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_arr_start(array));
    CHECK_RC(doca_buf_arr_get_dpa_handle(array, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_arr_get_dpa_handle(array, &dpa), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_buf_arr_get_gpu_handle(array, &gpu), DOCA_ERROR_NOT_SUPPORTED);
    CHECK(dpa == NULL && gpu == NULL);
    tear_down();
}

static void backend_gives_the_array_to_its_processor(void)
{
    struct doca_dpa_dev_buf_arr *dpa = NULL;
    struct doca_gpu_buf_arr *gpu = NULL;
    struct doca_dev *near_dev, *dev, *last;
    doca_dpa_dev_buf_arr_t number = 0;

    memset(&far_side, 0, sizeof(far_side));
    CHECK_OK(doca_core_backend_register(&far_side_backend));
    CHECK_OK(doca_core_fault_set("")); /* the fault backend wraps its devices */
    dev = rig_open_dev(FAR_SIDE_DEV);
    last = rig_open_dev(FAR_SIDE_DEV_2);
    near_dev = rig_open_dev(NULL);
    set_up();
    CHECK_OK(doca_mmap_add_dev(mmap, near_dev));
    CHECK_OK(doca_buf_arr_set_params(array, 64, 8, 0));
    CHECK_OK(doca_buf_arr_set_target_gpu(array, (struct doca_gpu *)&far_side.processor));
    CHECK_OK(doca_mmap_start(mmap));
    /* the mmap has only the software device */
    CHECK_RC(doca_buf_arr_start(array), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_add_dev(mmap, last)); /* far_side_start() fails for it */
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_core_fault_set("arr.start=fail:FULL"));
    CHECK_RC(doca_buf_arr_start(array), DOCA_ERROR_FULL);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_FAULT_FAIL);
    CHECK_OK(doca_core_fault_set(""));
    far_side.answer = DOCA_ERROR_DRIVER;
    CHECK_RC(doca_buf_arr_start(array), DOCA_ERROR_DRIVER);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_BACKEND_REFUSED);
    CHECK_RC(doca_buf_arr_get_gpu_handle(array, &gpu), DOCA_ERROR_BAD_STATE);

    far_side.answer = DOCA_SUCCESS;
    CHECK_OK(doca_buf_arr_start(array));
    CHECK_RC(doca_buf_arr_set_target_dpa(array, (struct doca_dpa *)&far_side.processor),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_arr_get_dpa_handle(array, &dpa), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_buf_arr_get_gpu_handle(array, &gpu));
    CHECK_PTR(gpu, &far_side.handle);
    CHECK_OK(doca_buf_arr_stop(array));
    CHECK_EQ(far_side.num_hidden, 1);
    CHECK_OK(doca_buf_arr_set_target_dpa(array, (struct doca_dpa *)&far_side.processor));
    CHECK_OK(doca_buf_arr_start(array));
    CHECK_OK(doca_buf_arr_get_dpa_handle(array, &dpa));
    CHECK_PTR(dpa, &far_side.handle);
    CHECK_OK(doca_core_v3_buf_arr_get_dpa_handle(array, &number));
    CHECK_EQ(number, (uintptr_t)&far_side.handle);

    CHECK_OK(doca_mmap_stop(mmap)); /* the processor can no longer use the array */
    CHECK_RC(doca_buf_arr_get_dpa_handle(array, &dpa), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MMAP_NOT_STARTED);
    CHECK_OK(doca_mmap_destroy(mmap)); /* the array keeps the device open, but not the mmap */
    CHECK_RC(doca_buf_arr_get_dpa_handle(array, &dpa), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_buf_arr_destroy(array));
    CHECK_EQ(far_side.num_hidden, 2);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(last));
    CHECK_OK(doca_dev_close(near_dev));
    CHECK_OK(doca_core_backend_unregister("far side"));
    CHECK_OK(doca_core_fault_set(NULL));
}

static void array_takes_the_documented_bytes(void)
{
    static DOCA_CORE_ALIGNED unsigned char region[DOCA_CORE_BYTES_BUF_ARR(1)];
    struct doca_core_arena arena;
    size_t bytes = 0, used = 0;

    CHECK_OK(doca_core_arena_init(&arena, region, sizeof(region)));
    CHECK_OK(doca_core_bytes_buf_arr(&bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_BUF_ARR(1));
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_OK(doca_core_buf_arr_create_in(&arena, mmap, &array));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, bytes);
    CHECK_RC(doca_core_buf_arr_create_in(&arena, mmap, &array), DOCA_ERROR_NO_MEMORY);
    tear_down();
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
}

static const struct test_case cases[] = {
    CASE(array_needs_an_mmap_with_a_range, ""),
    CASE(array_must_fit_into_the_mmap, "154"),
    CASE(started_array_is_fixed, "13 155 158"),
    CASE(array_starts_on_a_started_mmap_only, "156"),
    CASE(software_device_has_no_processor_for_arrays, "155 157"),
    CASE(backend_gives_the_array_to_its_processor, "155 157"),
    CASE(array_takes_the_documented_bytes, ""),
};

TEST_MAIN(cases)
