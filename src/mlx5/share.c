/* ---- >>mlx5.share ---------------------------------------------------------------------------
 * Exports and imports: memory ranges that other functions of the card use, in the host or on the
 * DPU. The exporter creates a further mkey of the range, with the rights of the export, and allows
 * functions that know a secret to use it. The importer creates an alias of this mkey. The alias is
 * a key of the importer's own device: it serves as lkey, and as rkey of its queue pairs, with the
 * exporter's addresses. When the exporter's mkey is destroyed, at the end of the export or of its
 * process, tasks that use aliases of it fail in the device.
 * An import without an alias is possible only on the device that exported the range. It uses the
 * keys of the exporter's registration and creates no object.                                    */
#include "mlx5/share_priv.h"

#include "mlx5/device_priv.h"
#include "mlx5/find_priv.h"
#include "mlx5/layout_priv.h"
#include "mlx5/mkey_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/sys.h"

struct doca_priv_mlx5_blob { /* the backend's part of an export descriptor */
    uint64_t sys_image_guid; /* equal for all functions of one card */
    uint64_t process;        /* identifies the exporting process; 0: not available */
    uint32_t index;          /* index of the export's mkey; 0: importers use the exporter's
                              * registration */
    uint32_t mkey;           /* mkey of the exporter's registration */
    uint16_t dev_index;      /* number of the device within the exporting process */
    uint16_t vhca_id;
    uint16_t version;        /* 1 */
    uint8_t access_key[DOCA_PRIV_MLX5_ACCESS_KEY_BYTES]; /* secret random bytes */
};
DOCA_PRIV_MLX5_ASSERT(blob, sizeof(struct doca_priv_mlx5_blob) <= DOCA_CORE_EXPORT_BYTES);

/* Return the name of a command status in the programmer's reference manual; NULL for success. */
static const char *doca_priv_mlx5_status_name(uint32_t status)
{
    static const struct {
        uint8_t status;
        const char *name;
    } rows[] = {
        { 0x01, "INT_ERR" },       { 0x02, "BAD_OP" },        { 0x03, "BAD_PARAM" },
        { 0x04, "BAD_SYS_STATE" }, { 0x05, "BAD_RES" },       { 0x06, "RES_BUSY" },
        { 0x08, "EXCEED_LIM" },    { 0x09, "BAD_RES_STATE" }, { 0x0a, "BAD_INDEX" },
        { 0x0f, "NO_RESOURCES" },  { 0x10, "BAD_RES_STATE" }, { 0x30, "BAD_PKT" },
        { 0x40, "BAD_SIZE" },      { 0x50, "BAD_INPUT_LEN" }, { 0x51, "BAD_OUTPUT_LEN" },
    };
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].status == status)
            return rows[i].name;
    return status == 0 ? NULL : DOCA_PRIV_MLX5_TEXT("unknown status");
}

/* Copy the firmware's status and syndrome into *why. Returns false when the firmware
 * reported no error. */
DOCA_PRIV_DECL bool doca_priv_mlx5_get_status(const uint8_t *out, struct doca_core_refusal *why)
{
    const uint32_t status = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_OUT_STATUS, 8);

    why->status = doca_priv_mlx5_status_name(status);
    why->syndrome = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_OUT_SYNDROME, 32);
    return status != 0;
}

/* Report a failed command. The result is `code` with the reason `item`, unless the firmware's
 * status shows that the command failed for a more general reason, such as a lack of resources. */
static doca_error_t doca_priv_mlx5_command_failed(const uint8_t *out, const char *function,
                                                  const char *step, doca_error_t code,
                                                  enum doca_core_item item)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    why.step = step;
    if (!doca_priv_mlx5_get_status(out, &why))
        return doca_priv_mlx5_report(function, NULL, &why);
    switch (doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_OUT_STATUS, 8)) {
    case DOCA_PRIV_MLX5_STATUS_BAD_OP:
        code = DOCA_ERROR_NOT_SUPPORTED;
        item = DOCA_CORE_ITEM_MLX5_COMMAND;
        break;
    case DOCA_PRIV_MLX5_STATUS_EXCEED_LIM:
    case DOCA_PRIV_MLX5_STATUS_NO_RESOURCES:
        code = DOCA_ERROR_NO_MEMORY;
        item = DOCA_CORE_ITEM_MLX5_COMMAND;
        break;
    case DOCA_PRIV_MLX5_STATUS_INT_ERR:
    case DOCA_PRIV_MLX5_STATUS_BAD_SYS_STATE:
        code = DOCA_ERROR_DRIVER;
        item = DOCA_CORE_ITEM_MLX5_COMMAND;
        break;
    default:
        break;
    }
    if (item != DOCA_CORE_ITEM_MLX5_COMMAND)
        why.step = NULL; /* the text of `item` already names the step */
    return doca_core_backend_refuse(code, item, function, NULL, &why);
}

static uint32_t doca_priv_mlx5_pdn(struct ibv_pd *pd)
{
    struct mlx5dv_obj obj;
    struct mlx5dv_pd out;

    memset(&obj, 0, sizeof(obj));
    memset(&out, 0, sizeof(out));
    obj.pd.in = pd;
    obj.pd.out = &out;
    return doca_priv_mlx5.sys->init_obj(&obj, MLX5DV_OBJ_PD) == 0 ? out.pdn : 0;
}

static void doca_priv_mlx5_set64(uint8_t *cmd, uint32_t bit, uint64_t value)
{
    doca_priv_mlx5_set(cmd, bit, 32, (uint32_t)(value >> 32));
    doca_priv_mlx5_set(cmd, bit + 32, 32, (uint32_t)value);
}

/* Build the command CREATE_MKEY for a umem. The access flags are the same as for a registration by
 * verbs; remote read permission also allows the DMA engine to use the memory as a source. Relaxed
 * ordering is only requested if the firmware supports it, because the firmware refuses the command
 * otherwise. An alias of this mkey has no attributes of its own: the attributes of the mkey
 * apply. */
static void doca_priv_mlx5_pack_mkey(uint8_t in[DOCA_PRIV_MLX5_MKEY_IN_BYTES],
                                     const struct doca_priv_mlx5_caps *caps, uint32_t umem_id,
                                     uint32_t pdn, uint64_t addr, uint64_t len, unsigned access)
{
    bool is_relaxed = (access & IBV_ACCESS_RELAXED_ORDERING) != 0;
    const uint32_t log_page = 12;
    uint64_t pages = ((addr & 4095) + len + 4095) >> log_page;
    uint32_t octwords = (uint32_t)((pages + 1) / 2); /* 8 bytes for each page */

    memset(in, 0, DOCA_PRIV_MLX5_MKEY_IN_BYTES);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16, DOCA_PRIV_MLX5_CMD_CREATE_MKEY);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKEY_IN_OCTWORDS, 32, octwords);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKEY_IN_UMEM_ID, 32, umem_id);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_RELAXED_WRITE, 1,
                       is_relaxed && caps->has_relaxed_write);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_RELAXED_READ, 1,
                       is_relaxed && caps->has_relaxed_read);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_A, 1, (access & IBV_ACCESS_REMOTE_ATOMIC) != 0);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_RW, 1, (access & IBV_ACCESS_REMOTE_WRITE) != 0);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_RR, 1, (access & IBV_ACCESS_REMOTE_READ) != 0);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_LW, 1, (access & IBV_ACCESS_LOCAL_WRITE) != 0);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_LR, 1, (access & IBV_ACCESS_REMOTE_READ) != 0);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_ACCESS_MODE, 2, DOCA_PRIV_MLX5_MKC_MODE_MTT);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_QPN, 24, 0xffffff);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_PD, 24, pdn);
    doca_priv_mlx5_set64(in, DOCA_PRIV_MLX5_MKC_START_ADDR, addr);
    doca_priv_mlx5_set64(in, DOCA_PRIV_MLX5_MKC_LEN, len);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_OCTWORDS, 32, octwords);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_LOG_PAGE_SIZE, 5, log_page);
}

/* Return the access flags of an export, derived from the permissions of the mmap. */
static unsigned doca_priv_mlx5_share_access(uint32_t access, bool is_rdma)
{
    const unsigned writes =
        IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
    unsigned verbs = doca_priv_mlx5_access(access & DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING);

    /* doca_priv_mlx5_access() adds write permission to the atomic permission, because registrations
     * by verbs need it. The mkey of an export does not. */
    if (is_rdma)
        return verbs |
               doca_priv_mlx5_access(access &
                                     (DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE)) |
               ((access & DOCA_ACCESS_FLAG_RDMA_ATOMIC) != 0 ? (unsigned)IBV_ACCESS_REMOTE_ATOMIC
                                                             : 0u);
    if ((access & (DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE)) != 0)
        verbs |= IBV_ACCESS_REMOTE_READ;
    return (access & DOCA_ACCESS_FLAG_PCI_READ_WRITE) != 0 ? verbs | writes : verbs;
}

/* End an export. If the device refuses to destroy the mkey, the mkey leaks and importers can still
 * use it. */
static void doca_priv_mlx5_share_destroy(struct doca_priv_mlx5_share *share)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    int error = share->obj != NULL ? sys->obj_destroy(share->obj) : 0;

    doca_priv_mlx5_keep_first(&error, share->umem != NULL ? sys->umem_dereg(share->umem) : 0);
    doca_priv_mlx5_log_leak(error, DOCA_CORE_ITEM_MLX5_KEPT, "doca_mmap_stop",
                            DOCA_PRIV_MLX5_TEXT("destroy the key of an export"));
    share->obj = NULL;
    share->umem = NULL;
}

/* Create the mkey of an export, and store its index in *index. */
static doca_error_t doca_priv_mlx5_share_create(const struct doca_priv_mlx5_dev *d,
                                                const struct ibv_mr *mr, unsigned access,
                                                struct doca_priv_mlx5_share *share, uint32_t *index,
                                                const char *function)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    uint8_t in[DOCA_PRIV_MLX5_MKEY_IN_BYTES], out[DOCA_PRIV_MLX5_MKEY_OUT_BYTES];
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    errno = 0;
    share->umem = sys->umem_reg(
        d->context, mr->addr, mr->length,
        (access & (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC)) != 0 ? IBV_ACCESS_LOCAL_WRITE
                                                                           : 0);
    if (share->umem == NULL) {
        why.step = DOCA_PRIV_MLX5_TEXT("register the memory for an export");
        why.hint = doca_priv_mlx5_memory_hint(errno, false);
        return doca_priv_mlx5_report(function, NULL, &why);
    }
    doca_priv_mlx5_pack_mkey(in, &d->card->caps, share->umem->umem_id, doca_priv_mlx5_pdn(d->pd),
                             (uintptr_t)mr->addr, mr->length, access);
    memset(out, 0, sizeof(out));
    share->obj = sys->obj_create(d->context, in, sizeof(in), out, sizeof(out));
    if (share->obj == NULL)
        return doca_priv_mlx5_command_failed(
            out, function, DOCA_PRIV_MLX5_TEXT("make a key for the export (CREATE_MKEY)"),
            DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_MLX5_COMMAND);
    *index = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_MKEY_OUT_INDEX, 24);
    return DOCA_SUCCESS;
}

/* Allow every function that knows the access key to create an alias of the export's mkey. */
static doca_error_t doca_priv_mlx5_share_allow(const struct doca_priv_mlx5_dev *d,
                                               const struct doca_priv_mlx5_blob *b,
                                               const char *function)
{
    uint8_t in[DOCA_PRIV_MLX5_ALLOW_BYTES], out[DOCA_PRIV_MLX5_MKEY_OUT_BYTES];
    int error;

    memset(in, 0, sizeof(in));
    memset(out, 0, sizeof(out));
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16,
                       DOCA_PRIV_MLX5_CMD_ALLOW_OTHER_VHCA_ACCESS);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_ALLOW_OBJECT_TYPE, 16, DOCA_PRIV_MLX5_OBJ_TYPE_MKEY);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_ALLOW_OBJECT_ID, 32, b->index);
    memcpy(in + DOCA_PRIV_MLX5_ALLOW_KEY / 8, b->access_key, sizeof(b->access_key));
    error = doca_priv_mlx5.sys->general_cmd(d->context, in, sizeof(in), out, sizeof(out));
    if (error == 0)
        return DOCA_SUCCESS;
    errno = error;
    return doca_priv_mlx5_command_failed(
        out, function,
        DOCA_PRIV_MLX5_TEXT("allow other functions to use the key (ALLOW_OTHER_VHCA_ACCESS)"),
        DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_MLX5_COMMAND);
}

/* Return the part of the secret that the exporter remembers, to check imports without an alias;
 * never 0. */
static uint32_t doca_priv_mlx5_short_secret(const struct doca_priv_mlx5_blob *b)
{
    uint32_t key;

    memcpy(&key, b->access_key, sizeof(key));
    return key | 1;
}

static void doca_priv_mlx5_set_secret(struct doca_priv_mlx5_dev *d, struct doca_priv_mlx5_reg *reg,
                                      uint32_t key)
{
    doca_priv_mlx5_lock(&d->lock); /* a thread that imports may read the key at the same time */
    reg->key = key;
    doca_priv_mlx5_unlock(&d->lock);
}

/* Return the number that identifies this process in exports; 0: not available. A child of fork()
 * inherits the random number, so the result also depends on the process identifier. */
static uint64_t doca_priv_mlx5_process(void)
{
    return doca_priv_mlx5.process == 0 ? 0 : doca_priv_mlx5.process ^ (uint64_t)getpid();
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_mem_export(struct doca_dev *dev, uint32_t mkey,
                                                      uint32_t internal_mkey, bool is_rdma,
                                                      unsigned char blob[DOCA_CORE_EXPORT_BYTES])
{
    const char *function = is_rdma ? "doca_mmap_export_rdma" : "doca_mmap_export_pci";
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct doca_priv_mlx5_reg *reg = doca_priv_mlx5_reg_find(d, mkey, false, false);
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    struct doca_priv_mlx5_share *share;
    struct doca_priv_mlx5_blob b;
    doca_error_t rc = DOCA_SUCCESS;

    (void)internal_mkey;
    if (reg == NULL)
        return DOCA_ERROR_NOT_FOUND;
    share = &reg->shares[is_rdma];
    memset(&b, 0, sizeof(b));
    b.version = 1;
    b.vhca_id = d->card->caps.vhca_id;
    b.sys_image_guid = d->card->caps.sys_image_guid;
    b.process = is_rdma ? doca_priv_mlx5_process() : 0;
    b.dev_index = (uint16_t)(d - doca_priv_mlx5.devs);
    b.mkey = mkey;
    why.step = DOCA_PRIV_MLX5_TEXT("give random bytes (getrandom)");
    if (getrandom(b.access_key, sizeof(b.access_key), 0) != (ssize_t)sizeof(b.access_key))
        return doca_priv_mlx5_report_as(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_MLX5_CALL,
                                        function, NULL, errno, &why);
    if (d->card->caps.has_export) {
        rc = doca_priv_mlx5_share_create(d, reg->mr,
                                         doca_priv_mlx5_share_access(reg->access, is_rdma), share,
                                         &b.index, function);
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_mlx5_share_allow(d, &b, function);
    }
    if (rc != DOCA_SUCCESS) {
        doca_priv_mlx5_share_destroy(share);
        return rc;
    }
    if (is_rdma)
        doca_priv_mlx5_set_secret(d, reg, doca_priv_mlx5_short_secret(&b));
    memcpy(blob, &b, sizeof(b));
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_mlx5_mem_unexport(struct doca_dev *dev, uint32_t mkey,
                                                uint32_t internal_mkey, bool is_rdma)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct doca_priv_mlx5_reg *reg = doca_priv_mlx5_reg_find(d, mkey, false, false);

    (void)internal_mkey;
    if (reg == NULL)
        return;
    doca_priv_mlx5_share_destroy(&reg->shares[is_rdma]);
    if (is_rdma)
        doca_priv_mlx5_set_secret(d, reg, 0);
}

static doca_error_t doca_priv_mlx5_import_failed(doca_error_t code, enum doca_core_item item)
{
    return doca_core_backend_fail(code, item, "doca_mmap_create_from_export", NULL, 0);
}

/* Import a range that this device cannot access itself. RDMA tasks of a connected queue pair access
 * the range with the exporter's key, which the core knows. Every other task is refused, because the
 * import has no key of this device. If the library has no RDMA tasks, the import is refused for the
 * reason `item`. */
static doca_error_t doca_priv_mlx5_import_by_key(enum doca_core_item item, uint32_t *mkey,
                                                 uint32_t *internal_mkey)
{
#ifdef DOCA_CORE_RDMA_VERBS
    (void)item;
    *mkey = *internal_mkey = 0;
    return DOCA_SUCCESS;
#else
    (void)mkey;
    (void)internal_mkey;
    return doca_priv_mlx5_import_failed(DOCA_ERROR_NOT_SUPPORTED, item);
#endif
}

/* Import, for RDMA, a range that the same device exports. The import has separate keys for reading
 * and for writing. A key is 0, which is never valid, if the exporter did not grant the right. */
static doca_error_t doca_priv_mlx5_import_same_dev(struct doca_priv_mlx5_dev *d,
                                                   const struct doca_core_range *range,
                                                   const struct doca_priv_mlx5_blob *b,
                                                   uint32_t *mkey, uint32_t *internal_mkey)
{
    const struct doca_priv_mlx5_reg *reg;
    bool is_valid;

    if (b->process == 0 || b->process != doca_priv_mlx5_process() ||
        b->dev_index != d - doca_priv_mlx5.devs)
        return doca_priv_mlx5_import_by_key(DOCA_CORE_ITEM_MLX5_NO_ALIAS, mkey, internal_mkey);
    doca_priv_mlx5_lock(&d->lock); /* another thread may stop the exporter's mmap */
    reg = d->regs[(b->mkey >> 8) % DOCA_PRIV_MLX5_NUM_LISTS];
    while (reg != NULL && (reg->mr == NULL || reg->mr->lkey != b->mkey))
        reg = reg->next;
    is_valid = reg != NULL && reg->key == doca_priv_mlx5_short_secret(b) &&
               reg->mr->addr == range->addr && reg->mr->length == range->len;
    if (is_valid) {
        *mkey = (reg->access & DOCA_ACCESS_FLAG_RDMA_READ) != 0 ? reg->mr->lkey : 0;
        *internal_mkey = (reg->access & DOCA_ACCESS_FLAG_RDMA_WRITE) != 0 ? reg->mr->rkey : 0;
    }
    doca_priv_mlx5_unlock(&d->lock);
    return is_valid ? DOCA_SUCCESS
                    : doca_priv_mlx5_import_failed(DOCA_ERROR_INVALID_VALUE,
                                                   DOCA_CORE_ITEM_MLX5_NO_EXPORT);
}

/* Create the alias that an export descriptor describes. */
static doca_error_t doca_priv_mlx5_alias(const struct doca_priv_mlx5_dev *d,
                                         const struct doca_priv_mlx5_blob *b,
                                         struct doca_priv_mlx5_reg *reg)
{
    uint8_t in[DOCA_PRIV_MLX5_OBJ_BYTES], out[DOCA_PRIV_MLX5_OBJ_BYTES];

    memset(in, 0, sizeof(in));
    memset(out, 0, sizeof(out));
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16, DOCA_PRIV_MLX5_CMD_CREATE_GENERAL_OBJECT);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_OBJ_TYPE, 16, DOCA_PRIV_MLX5_OBJ_TYPE_MKEY);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_OBJ_ALIAS, 1, 1);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_ALIAS_VHCA, 16, b->vhca_id);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_ALIAS_OBJECT, 32, b->index);
    memcpy(in + DOCA_PRIV_MLX5_ALIAS_KEY / 8, b->access_key, sizeof(b->access_key));
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_ALIAS_PD, 32, doca_priv_mlx5_pdn(d->pd));
    errno = 0;
    reg->shares[0].obj = doca_priv_mlx5.sys->obj_create(d->context, in, sizeof(in), out,
                                                        sizeof(out));
    if (reg->shares[0].obj == NULL)
        return doca_priv_mlx5_command_failed(
            out, "doca_mmap_create_from_export",
            DOCA_PRIV_MLX5_TEXT("make an alias of the export's key (CREATE_GENERAL_OBJECT)"),
            DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MLX5_NO_EXPORT);
    if (doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ALIAS_STATUS, 3) != 0) {
        (void)doca_priv_mlx5.sys->obj_destroy(reg->shares[0].obj);
        return doca_priv_mlx5_import_failed(DOCA_ERROR_INVALID_VALUE,
                                            DOCA_CORE_ITEM_MLX5_NO_EXPORT);
    }
    reg->key = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_OBJ_ID, 32) << 8;
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_mem_import(
    struct doca_dev *dev, const struct doca_core_range *range, bool is_rdma,
    const unsigned char blob[DOCA_CORE_EXPORT_BYTES], uint32_t *mkey, uint32_t *internal_mkey)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct doca_priv_mlx5_reg *reg;
    struct doca_priv_mlx5_blob b;
    void *block = NULL;
    doca_error_t rc;

    memcpy(&b, blob, sizeof(b));
    if (b.version != 1)
        return doca_priv_mlx5_import_failed(DOCA_ERROR_NOT_SUPPORTED,
                                            DOCA_CORE_ITEM_EXPORT_VERSION);
    if (b.index == 0 || !d->card->caps.has_import)
        return is_rdma ? doca_priv_mlx5_import_same_dev(d, range, &b, mkey, internal_mkey)
                       : doca_priv_mlx5_import_failed(DOCA_ERROR_NOT_SUPPORTED,
                                                      DOCA_CORE_ITEM_MLX5_NO_ALIAS);
    if (b.sys_image_guid != d->card->caps.sys_image_guid)
        return is_rdma ? doca_priv_mlx5_import_by_key(DOCA_CORE_ITEM_MLX5_OTHER_CARD, mkey,
                                                      internal_mkey)
                       : doca_priv_mlx5_import_failed(DOCA_ERROR_NOT_SUPPORTED,
                                                      DOCA_CORE_ITEM_MLX5_OTHER_CARD);
    rc = doca_priv_mlx5_arena_alloc(dev, sizeof(*reg), "doca_mmap_create_from_export", &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    reg = (struct doca_priv_mlx5_reg *)block;
    memset(reg, 0, sizeof(*reg));
    rc = doca_priv_mlx5_alias(d, &b, reg);
    if (rc != DOCA_SUCCESS) {
        (void)doca_core_arena_give(dev->info.arena, reg);
        return rc;
    }
    doca_priv_mlx5_reg_add(d, reg);
    *mkey = reg->key;
    *internal_mkey = reg->key; /* the alias serves for both sources and destinations */
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_mlx5_mem_unimport(struct doca_dev *dev, uint32_t mkey,
                                                uint32_t internal_mkey)
{
    struct doca_priv_mlx5_reg *reg =
        doca_priv_mlx5_reg_find(doca_priv_mlx5_dev_of(dev), mkey, true, true);

    (void)internal_mkey;
    if (reg == NULL)
        return;
    doca_priv_mlx5_log_leak(doca_priv_mlx5.sys->obj_destroy(reg->shares[0].obj),
                            DOCA_CORE_ITEM_MLX5_KEPT, "doca_mmap_destroy",
                            DOCA_PRIV_MLX5_TEXT("destroy the alias of an export's key"));
    (void)doca_core_arena_give(dev->info.arena, reg);
}
