/* Forged descriptors of mmaps of the software device. A descriptor is accepted exactly if it equals
 * an exported descriptor. A copy from the imported mmap returns the exported bytes, or fails. */
#include "forge.h"

#define FAR_BYTES 8192u

static unsigned char far_bytes[FAR_BYTES];
static struct rig rig;
static struct share shares[2]; /* PCI, RDMA */

static void fuzz_set_up(void)
{
    share_rig_open(&rig, 4);
    share_fill(far_bytes, FAR_BYTES, 3);
    share_open(&shares[0], rig.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    share_open(&shares[1], rig.dev, far_bytes, FAR_BYTES, SHARE_RDMA, doca_mmap_export_rdma);
}

/* True if the descriptor equals the exported descriptor `base`. */
static bool is_equal(const struct forge *f, const struct doca_priv_mmap_desc *desc,
                     const struct doca_priv_mmap_desc *base)
{
    struct doca_priv_mmap_desc copy = *desc;

    copy.head.crc = base->head.crc;
    return forge_is_sealed(f, sizeof(*desc)) && memcmp(&copy, base, sizeof(copy)) == 0;
}

/* Copy from the imported mmap. The copied bytes are compared if they lie inside far_bytes. */
static void copy_from(struct doca_mmap *import, const struct doca_priv_mmap_desc *desc)
{
    size_t len = desc->len < 64 ? (size_t)desc->len : 64, off;
    bool is_inside = desc->addr >= (uintptr_t)far_bytes &&
                     desc->addr - (uintptr_t)far_bytes <= FAR_BYTES - len;
    bool may_read = desc->head.kind == 1 || (desc->access & DOCA_ACCESS_FLAG_RDMA_READ) != 0;
    void *at = (void *)(uintptr_t)desc->addr;
    struct doca_buf *src, *dst;
    struct doca_dma_task_memcpy *task;
    doca_error_t rc;

    CHECK_RC(doca_buf_inventory_buf_get_by_addr(rig.inventory, import, at, (size_t)desc->len + 1,
                                                &src),
             DOCA_ERROR_INVALID_VALUE);
    src = share_src(&rig, import, at, len);
    dst = share_dst(&rig, rig.dst_map, rig_to, 64);
    memset(rig_to, 0xee, 64);
    task = rig_task(rig.dma, src, dst);
    rc = rig_submit(task);
    if (rc == DOCA_SUCCESS) {
        rig_drain(&rig);
        rc = rig.status;
        if (rc != DOCA_SUCCESS)
            share_recover(&rig);
    } else {
        doca_task_free(doca_dma_task_memcpy_as_task(task));
    }
    CHECK_EQ(rig_data_len(dst), rc == DOCA_SUCCESS ? len : 0);
    if (is_inside)
        CHECK_EQ(rc == DOCA_SUCCESS, may_read);
    if (rc == DOCA_SUCCESS) {
        off = desc->addr - (uintptr_t)far_bytes;
        CHECK(may_read);
        if (is_inside)
            CHECK_MEM(rig_to, far_bytes + off, len);
    } else {
        for (off = 0; off < 64 && !may_read; off++)
            CHECK_EQ(rig_to[off], 0xee);
    }
    share_drop(src, dst);
}

static void fuzz_run_input(void)
{
    const struct share *base = &shares[fuzz_byte() % 2];
    struct doca_priv_mmap_desc desc;
    struct doca_mmap *import = NULL;
    bool is_good;
    struct forge f;
    doca_error_t rc;
    void *addr, *at;
    size_t len;

    forge_begin(&f, base->desc, base->desc_len);
    memcpy(&desc, f.bytes, sizeof(desc));
    forge_limit_pid(&desc.head, (uint32_t)getpid());
    memcpy(f.bytes, &desc, sizeof(desc));
    if ((f.flags & FORGE_SEALED) != 0)
        forge_seal(&f, 0, sizeof(desc));
    memcpy(&desc, f.bytes, sizeof(desc));
    is_good = is_equal(&f, &desc, base->desc);
    at = fuzz_block(f.bytes, f.len);
    rc = doca_mmap_create_from_export(NULL, at, f.len, rig.dev, &import);
    fuzz_free(at);
    CHECK_EQ(rc == DOCA_SUCCESS, is_good);
    if (rc != DOCA_SUCCESS) {
        CHECK(import == NULL);
        CHECK(rc == DOCA_ERROR_INVALID_VALUE || rc == DOCA_ERROR_NOT_SUPPORTED);
        CHECK(strstr(doca_core_last_error(), "doca_mmap_create_from_export") != NULL);
        return;
    }
    CHECK_OK(doca_mmap_get_memrange(import, &addr, &len));
    CHECK_EQ((uintptr_t)addr, desc.addr);
    CHECK_EQ(len, desc.len);
    copy_from(import, &desc);
    CHECK_OK(doca_mmap_destroy(import));
}
