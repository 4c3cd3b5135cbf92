/* SHA-256 of a text in three ways: in one buffer; in two segments, for text that arrives in pieces;
 * and with these segments as one list. The segments are two submissions of one partial hash task.
 * Every segment but the final one consists of whole blocks of 64 bytes, and only the final one
 * writes the digest. The text is an example of FIPS 180, so its digest is published.
 *
 *     text: cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1, as published
 *     first segment: no digest
 *     final segment: cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1, as published
 *     list: cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1, as published
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char text[112 + 1];
    unsigned char digest[32];
} memory = { "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
             "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu", { 0 } };
static const char published[] = "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1";

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void hashed(struct doca_sha_task_hash *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    (void)task_data, (void)ctx_data;
    check(doca_task_get_status(doca_sha_task_hash_as_task(task)));
}

static void segment_hashed(struct doca_sha_task_partial_hash *task, union doca_data task_data,
                           union doca_data ctx_data)
{
    (void)task_data, (void)ctx_data;
    check(doca_task_get_status(doca_sha_task_partial_hash_as_task(task)));
}

static void run(struct doca_task *task, struct doca_pe *pe, struct doca_buf *dst, const char *name)
{
    char hex[65] = "no digest";
    size_t inflight = 1, len, i;

    check(doca_task_submit(task));
    for (; inflight > 0; check(doca_pe_get_num_inflight_tasks(pe, &inflight)))
        (void)doca_pe_progress(pe);
    check(doca_buf_get_data_len(dst, &len));
    for (i = 0; i < len; i++)
        sprintf(hex + 2 * i, "%02x", memory.digest[i]);
    printf("%s: %s%s\n", name, hex, strcmp(hex, published) == 0 ? ", as published" : "");
    check(doca_buf_reset_data_len(dst)); /* the next digest goes to the same place */
}

int main(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_mmap *map;
    struct doca_buf_inventory *bufs;
    struct doca_buf *whole, *first, *final, *dst;
    struct doca_pe *pe;
    struct doca_sha *sha;
    struct doca_sha_task_hash *hash;
    struct doca_sha_task_partial_hash *partial;
    const enum doca_sha_algorithm sha256 = DOCA_SHA_ALGORITHM_SHA256;
    union doca_data none = { NULL };
    uint32_t num;

    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(4, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_buf_inventory_buf_get_by_data(bufs, map, memory.text, 112, &whole));
    check(doca_buf_inventory_buf_get_by_data(bufs, map, memory.text, 64, &first));
    check(doca_buf_inventory_buf_get_by_data(bufs, map, memory.text + 64, 48, &final));
    check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.digest, 32, &dst));
    check(doca_pe_create(&pe));
    check(doca_sha_create(dev, &sha));
    check(doca_sha_task_hash_set_conf(sha, hashed, hashed, 0)); /* 2^0 tasks */
    check(doca_sha_task_partial_hash_set_conf(sha, segment_hashed, segment_hashed, 0));
    check(doca_pe_connect_ctx(pe, doca_sha_as_ctx(sha)));
    check(doca_ctx_start(doca_sha_as_ctx(sha)));

    check(doca_sha_task_hash_alloc_init(sha, sha256, whole, dst, none, &hash));
    run(doca_sha_task_hash_as_task(hash), pe, dst, "text");
    check(doca_sha_task_partial_hash_alloc_init(sha, sha256, first, dst, none, &partial));
    run(doca_sha_task_partial_hash_as_task(partial), pe, dst, "first segment");
    check(doca_sha_task_partial_hash_set_src(partial, final));
    check(doca_sha_task_partial_hash_set_is_final_buf(partial));
    run(doca_sha_task_partial_hash_as_task(partial), pe, dst, "final segment");
    check(doca_buf_chain_list(first, final));
    check(doca_sha_task_hash_set_src(hash, first));
    run(doca_sha_task_hash_as_task(hash), pe, dst, "list");

    doca_task_free(doca_sha_task_hash_as_task(hash));
    doca_task_free(doca_sha_task_partial_hash_as_task(partial));
    check(doca_sha_destroy(sha)); /* also stops it: all tasks are freed */
    check(doca_pe_destroy(pe));
    check(doca_buf_dec_refcount(whole, NULL));
    check(doca_buf_dec_refcount(first, NULL)); /* a head takes its list along */
    check(doca_buf_dec_refcount(dst, NULL));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}
