/* One callback for both outcomes. A context takes two callbacks, one for success and one for
 * failure, so that the callback for success need not read the status. A program that can afford to
 * read the status may pass the same function twice. Here eight letters are to be delivered; the
 * sixth does not fit into its box. A failed copy stops its context, so the letters after the sixth
 * come back undelivered.
 *
 *     letter 1 to Ada: DOCA_SUCCESS
 *     letter 2 to Alan: DOCA_SUCCESS
 *     letter 3 to Edsger: DOCA_SUCCESS
 *     letter 4 to Grace: DOCA_SUCCESS
 *     letter 5 to Ken: DOCA_SUCCESS
 *     letter 6 to Konrad: DOCA_ERROR_IO_FAILED
 *     letter 7 to Niklaus: DOCA_ERROR_IO_FAILED
 *     letter 8 to Tony: DOCA_ERROR_IO_FAILED
 *     5 delivered, 3 not
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>

#define LETTERS 8
#define LETTER 32 /* bytes */

static struct {
    char bag[LETTERS][LETTER];
    char boxes[LETTERS][LETTER];
} memory = { { "Ada", "Alan", "Edsger", "Grace", "Ken", "Konrad", "Niklaus", "Tony" }, { "" } };

struct walk { /* user data of the context, which every callback receives */
    unsigned num_delivered, num_returned;
};

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void ended(struct doca_dma_task_memcpy *task, union doca_data number,
                  union doca_data ctx_data)
{
    doca_error_t status = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
    struct walk *walk = ctx_data.ptr;
    unsigned i = (unsigned)number.u64;

    printf("letter %u to %s: %s\n", i + 1, memory.bag[i], doca_error_get_name(status));
    if (status == DOCA_SUCCESS)
        walk->num_delivered++;
    else
        walk->num_returned++;
    check(doca_buf_dec_refcount((struct doca_buf *)doca_dma_task_memcpy_get_src(task), NULL));
    check(doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(task), NULL));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

int main(void)
{
    struct walk walk = { 0, 0 };
    union doca_data walk_data = { &walk };
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_mmap *map;
    struct doca_buf_inventory *bufs;
    struct doca_pe *pe;
    struct doca_dma *dma;
    union doca_data i;
    uint32_t num;

    check(doca_core_log_set_level(DOCA_CORE_LOG_ERROR)); /* failed tasks are reported below */
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(2 * LETTERS, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_ctx_set_user_data(doca_dma_as_ctx(dma), walk_data));
    check(doca_dma_task_memcpy_set_conf(dma, ended, ended, LETTERS));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));

    for (i.u64 = 0; i.u64 < LETTERS; i.u64++) {
        size_t room = i.u64 == 5 ? LETTER / 2 : LETTER;
        struct doca_buf *src, *dst;
        struct doca_dma_task_memcpy *task;

        check(doca_buf_inventory_buf_get_by_data(bufs, map, memory.bag[i.u64], LETTER, &src));
        check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.boxes[i.u64], room, &dst));
        check(doca_dma_task_memcpy_alloc_init(dma, src, dst, i, &task));
        check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    }
    while (walk.num_delivered + walk.num_returned < LETTERS)
        (void)doca_pe_progress(pe);
    printf("%u delivered, %u not\n", walk.num_delivered, walk.num_returned);

    check(doca_dma_destroy(dma)); /* works as well when the failure has stopped the context */
    check(doca_pe_destroy(pe));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}
