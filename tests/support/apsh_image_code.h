/* The pages of executable areas of a task in the image that apsh_image.h writes, and the files that
 * they are copies of. */
#ifndef APSH_IMAGE_CODE_H
#define APSH_IMAGE_CODE_H

/* The executable areas of each task with areas: numbers in image_common, places in the file and
 * numbers of pages. File 6 is the vdso. */
static const struct {
    unsigned area, file, place, num_pages;
} image_codes[IMAGE_CODES] = {
    { 1, 0, 1, 4 }, { 5, 1, 2, 6 }, { 7, 3, 0, 2 }, { 10, 1, 2, 1 }, { 12, 6, 0, 2 },
};

#define IMAGE_FILE_MAX 0x8400u

static const size_t image_sizes[7] = { 0x5800, IMAGE_FILE_MAX, IMAGE_FILE_MAX, 0x1801, 0, 0,
                                       0x2000 };
static const char *const image_copies[7] = { "program", "libfirst.so", "libfirst.so",
                                             "a-library-with-a-long-name.so", "", "", "vdso" };

/* Write the bytes of a file. Returns their number. */
static inline size_t image_content(unsigned file, unsigned char bytes[IMAGE_FILE_MAX])
{
    size_t at;

    for (at = 0; at < image_sizes[file]; at++)
        bytes[at] = (unsigned char)((at * 29 >> 5) + 77 * file + 13 * (at >> 12) +
                                    (at % 64 == 7 ? at >> 6 : 0));
    return image_sizes[file];
}

/* Give task `n` a page directory of its own, which maps the pages of its executable areas. */
static inline void image_code(struct image *i, unsigned n)
{
    static unsigned char bytes[IMAGE_FILE_MAX];
    const uint64_t root = i->next_table;
    unsigned k, p;

    i->next_table += 4096;
    image_u64(i->mms[n] + IMAGE_MM_PGD, image_addr(i, root));
    for (k = 0; k < IMAGE_CODES; k++) {
        memset(bytes, 0, sizeof(bytes));
        (void)image_content(image_codes[k].file, bytes);
        for (p = 0; p < image_codes[k].num_pages; p++) {
            const size_t at = 4096 * (size_t)(image_codes[k].place + p);

            i->pages[k][p] = i->next_page;
            i->next_page += 4096;
            image_put(i->pages[k][p], bytes + at,
                      sizeof(bytes) - at < 4096 ? sizeof(bytes) - at : 4096);
            i->entries[k][p] = image_map(
                i, root, image_common[image_codes[k].area].start + 4096 * p, i->pages[k][p], 12);
        }
    }
}

#endif
