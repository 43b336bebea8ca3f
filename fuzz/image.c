/* Fuzzes the reading of firmware's files: whatever the bytes, an image or a message, never both;
 * what an image names is there to read, and each address has a name that ends. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unicorn/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void look(const struct image *image)
{
    char text[64];
    volatile uint8_t byte;

    for (unsigned i = 0; i < image->n_segments; i++) {
        const struct image_segment *const segment = &image->segments[i];
        const uint8_t *const bytes = segment->bytes;
        if (segment->n_file_bytes > segment->n_bytes || segment->n_file_bytes > image->file.n_bytes)
            abort();
        for (uint64_t j = 0; j < segment->n_file_bytes; j++)
            byte = bytes[j];
    }
    (void)byte;
    for (size_t i = 0; i < image->n_symbols; i++) {
        image_symbol_at(image, image->symbols[i].address, text, sizeof text);
        if (memchr(text, '\0', sizeof text) == NULL)
            abort();
    }
    image_symbol_at(image, image->entry, text, sizeof text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char path[32];
    struct image image;
    struct armpmu_error err = {""};
    const int file = memfd_create("image", 0);

    if (file < 0 || write(file, bytes, length) != (ssize_t)length)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const enum armpmu_status status = image_load(path, NULL, &image, &err);
    if ((status == ARMPMU_OK) != !err.message[0])
        abort();
    if (status == ARMPMU_OK)
        look(&image);
    image_free(&image);
    close(file);
    return 0;
}
