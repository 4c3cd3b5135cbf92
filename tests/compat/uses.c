/* Uses the names that every header of the vendor provides. headers.sh includes one header with
 * -include and only compiles this file, as C and as C++. */

#ifdef USES_NO_SEMICOLON
DOCA_LOG_REGISTER(COMPAT::USES)
#else
DOCA_LOG_REGISTER(COMPAT::USES);
#endif

/* An assertion that can stand wherever a declaration can. `name` must be unique. */
#define IS_TRUE(name, condition) typedef char uses_##name[(condition) ? 1 : -1]

/* ---- build configuration */

#if defined(DOCA_ARCH_DPU) == defined(DOCA_ARCH_HOST)
#error "exactly one of DOCA_ARCH_DPU and DOCA_ARCH_HOST must be defined"
#endif
#if defined(DOCA_ARCH_ARM) == defined(DOCA_ARCH_X86)
#error "exactly one of DOCA_ARCH_ARM and DOCA_ARCH_X86 must be defined"
#endif
#if defined(USES_DPU) != defined(DOCA_ARCH_DPU)
#error "DOCA_ARCH_HOST must be defined unless the program defines DOCA_ARCH_DPU"
#endif
#ifndef DOCA_COMPAT_HELPERS
#error "no DOCA_COMPAT_HELPERS"
#endif

/* ---- markers, in declarations of the program */

#ifdef __cplusplus
extern "C" {
#endif
DOCA_STABLE int uses_stable(const struct doca_dev *dev);
DOCA_EXPERIMENTAL
doca_error_t uses_experimental(void);
DOCA_DEPRECATED doca_error_t uses_deprecated(void);
__DOCA_EXPERIMENTAL doca_error_t uses_experimental_in_1(void);
extern DOCA_STABLE int uses_variable;
#ifdef __cplusplus
}
#endif

DOCA_USED static int uses_nobody_calls(void)
{
    return 0;
}

/* ---- version */

#if DOCA_CORE_API == 20501
IS_TRUE(of_2_5, DOCA_VER_MAJOR == 2 && DOCA_VER_MINOR == 5 && DOCA_VER_PATCH == 1000);
IS_TRUE(exact, DOCA_VERSION_EXACT == (2 << 24 | 5 << 16 | 1000));
IS_TRUE(string, sizeof(DOCA_VER_STRING) == sizeof("2.5.1000"));
IS_TRUE(equal, DOCA_VERSION_EQ_CURRENT(2, 5, 1) && !DOCA_VERSION_EQ_CURRENT(2, 5, 0));
IS_TRUE(at_least, DOCA_VERSION_LTE_CURRENT(2, 5, 1) && DOCA_VERSION_LTE_CURRENT(1, 9, 9) &&
                      !DOCA_VERSION_LTE_CURRENT(2, 5, 2) && !DOCA_VERSION_LTE_CURRENT(2, 6, 0));
#if !DOCA_VERSION_LTE_CURRENT(2, 5, 1) || DOCA_VERSION_EQ_CURRENT(3, 0, 0)
#error "the preprocessor evaluates the version macros differently"
#endif
#else
IS_TRUE(of_3_0, DOCA_VERSION_MAJOR == 3 && DOCA_VERSION_MINOR == 0 && DOCA_VERSION_PATCH == 0);
IS_TRUE(exact, DOCA_VERSION_EXACT == 3 << 24);
IS_TRUE(string, sizeof(DOCA_VERSION_STRING) == sizeof("3.0.0000"));
IS_TRUE(equal, DOCA_VERSION_EQ_CURRENT(3, 0, 0) && DOCA_VERSION_LTE_CURRENT(2, 10, 0));
#endif
IS_TRUE(calc, DOCA_VERSION_CALC(2, 5, 1) == DOCA_VERSION_CALC_EXACT(2, 5, 1000));
IS_TRUE(official, DOCA_VERSION_OFFICIAL == DOCA_VERSION_EXACT); /* because the build number is 0 */
IS_TRUE(num, DOCA_CURRENT_VERSION_NUM ==
                 DOCA_VERSION_NUM(DOCA_VER_MAJOR, DOCA_VER_MINOR, DOCA_VER_PATCH));
IS_TRUE(size, sizeof(DOCA_VERSION_EXACT) == sizeof(size_t));

/* ---- byte order, in initializers */

static const doca_be16_t uses_be16 = DOCA_HTOBE16(0x1234);
static const doca_be32_t uses_be32[] = { DOCA_HTOBE32(0x12345678), DOCA_BETOH32(0x12345678) };
static const doca_be64_t uses_be64 = DOCA_HTOBE64(0x123456789abcdef0);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
IS_TRUE(swapped, DOCA_HTOBE16(0x1234) == 0x3412 && DOCA_HTOBE32(0x12345678) == 0x78563412 &&
                     DOCA_BETOH64(0x123456789abcdef0) == 0xf0debc9a78563412);
#endif
IS_TRUE(masks, DOCA_U8_GENMASK(7, 4) == 0xf0 && DOCA_U8_GENMASK(7, 0) == 0xff &&
                   DOCA_BE16_GENMASK(11, 4) == DOCA_HTOBE16(0x0ff0) &&
                   DOCA_BE32_GENMASK(23, 4) == DOCA_HTOBE32(0x00fffff0) &&
                   DOCA_BE32_GENMASK(31, 0) == 0xffffffff &&
                   DOCA_BE32_GENMASK(31, 31) == DOCA_HTOBE32(0x80000000));
IS_TRUE(parts, DOCA_BE32_GET(DOCA_BE32_GENMASK(15, 8), DOCA_HTOBE32(0x12345678)) == 0x56 &&
                   DOCA_BE32_SET(DOCA_BE32_GENMASK(15, 8), 0xfab) == DOCA_HTOBE32(0xab00) &&
                    DOCA_BE16_GET(DOCA_BE16_GENMASK(11, 4), DOCA_HTOBE16(0x1234)) == 0x23 &&
                    DOCA_BE16_SET(DOCA_BE16_GENMASK(11, 4), 0x23) == DOCA_HTOBE16(0x0230) &&
                    DOCA_U8_GET(0xf0, 0x5a) == 5 && DOCA_U8_SET(0xf0, 5) == 0x50);
static const doca_be32_t uses_be32_mask = DOCA_BE32_GENMASK(9, 0);

static doca_be32_t uses_fields(uint8_t *byte, doca_be16_t *half, doca_be32_t *word, uint32_t value)
{
    DOCA_U8P_SET(DOCA_U8_GENMASK(3, 0), value, byte);
    DOCA_BE16P_SET(DOCA_BE16_GENMASK(15, 8), value, half);
    if (value > 1)
        DOCA_BE32P_SET(DOCA_BE32_GENMASK(31, 29), value, word);
    else
        DOCA_BE32P_GENMASK(7, 4, word);
    return uses_be32_mask | (doca_be32_t)DOCA_BE32_GET(uses_be32_mask, *word);
}

/* ---- names of every header */

struct uses_versioned {
    DOCA_STRUCT_START;
    int value;
};

DOCA_STABLE int uses_stable(const struct doca_dev *dev)
{
    doca_error_t (*const functions[])(void) = { uses_experimental, uses_deprecated,
                                                uses_experimental_in_1, doca_argp_destroy,
                                                doca_log_backend_create_standard };
    const char *(*const names[])(doca_error_t) = { doca_error_get_name, doca_error_get_descr };
    doca_error_t (*const capability)(const struct doca_devinfo *) =
        doca_dma_cap_task_memcpy_is_supported;
    doca_error_t (*const spelled_as_in_2_5)(char *, size_t, log_flush_callback,
                                            struct doca_log_backend **) =
        doca_log_backend_create_with_buffer;
    struct doca_mmap *mmap = NULL;
    struct doca_buf_inventory *inventory = NULL;
    struct doca_buf_pool *pool = NULL;
    struct doca_buf_arr *array = NULL;
    struct doca_pe *pe = NULL;
    struct doca_sha *sha = NULL;
    struct doca_sync_event *event = NULL;
    struct doca_graph *graph = NULL;
    struct doca_dpdk_mempool *mempool = NULL;
    struct doca_argp_param *param = NULL;
    struct uses_versioned versioned;
    doca_be16_t half = 0;
    doca_be32_t word = 0;
    uint32_t mkey = 0;
    uint8_t byte = 0;
    char text[64];

    DOCA_STRUCT_MEMSET_CTOR(versioned);
    DOCA_STRUCT_PTR_CTOR(&versioned);
    assert(DOCA_STRUCT_GET_VERSION(&versioned) == DOCA_VERSION_EXACT);
    if (doca_unlikely(doca_mmap_destroy(mmap) == DOCA_SUCCESS) ||
        doca_likely(doca_buf_inventory_destroy(inventory) == DOCA_SUCCESS) ||
        doca_buf_pool_destroy(pool) == DOCA_SUCCESS ||
        doca_buf_arr_destroy(array) == DOCA_SUCCESS ||
        doca_pe_destroy(pe) == DOCA_SUCCESS || doca_sha_destroy(sha) == DOCA_SUCCESS ||
        doca_sync_event_destroy(event) == DOCA_SUCCESS ||
        doca_graph_destroy(graph) == DOCA_SUCCESS ||
        doca_dpdk_mempool_destroy(mempool) == DOCA_SUCCESS ||
        doca_argp_param_create(&param) == DOCA_SUCCESS ||
        doca_rdma_bridge_get_buf_mkey(NULL, NULL, &mkey) == DOCA_SUCCESS ||
        capability(NULL) == DOCA_SUCCESS ||
        spelled_as_in_2_5(text, sizeof(text), NULL, NULL) == DOCA_SUCCESS)
        return EXIT_FAILURE;
    (void)snprintf(text, sizeof(text), "%" PRIu64, (uint64_t)uses_be16 + uses_be32[1] + uses_be64);
    DOCA_LOG_INFO("%s: %s %s", text, doca_version(), doca_version_runtime());
    DOCA_LOG_DBG("no further argument");
    mkey |= uses_fields(&byte, &half, &word, 2);
    return mkey == 0 || strlen(text) == 0 || dev == NULL || functions[0]() == functions[1]() ||
           strcmp(names[0](DOCA_SUCCESS), names[1](DOCA_SUCCESS)) == 0;
}
