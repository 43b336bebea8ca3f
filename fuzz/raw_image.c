/* Fuzzes programs without an ELF file: whatever the bytes, an image or a message, never both; an
 * image's bytes are there to read, its segments are apart, and a binary is itself. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unicorn/raw_format.h"
#include "unicorn/raw_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void look(const struct image *image)
{
    volatile uint8_t byte = 0;

    for (unsigned i = 0; i < image->n_segments; i++) {
        const struct image_segment *const one = &image->segments[i];
        const uint8_t *const from = one->bytes;
        if (one->n_bytes == 0 || one->n_file_bytes != one->n_bytes ||
            one->address + one->n_bytes > UINT64_C(1) << 32)
            abort();
        for (uint64_t j = 0; j < one->n_bytes; j++)
            byte = (uint8_t)(byte + from[j]);
        for (unsigned j = 0; j < i; j++)
            if (one->address < image->segments[j].address + image->segments[j].n_bytes &&
                image->segments[j].address < one->address + one->n_bytes)
                abort();
    }
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
    const enum armpmu_status status = raw_image_load(path, length, &image, &err);
    if ((status == ARMPMU_OK) != !err.message[0])
        abort();
    if (status == ARMPMU_OK && image.is_raw)
        look(&image);
    if (length > 0 && bytes[0] != 0x7f && raw_format_of((const char *)bytes, length) == RAW_BYTES &&
        (status != ARMPMU_OK || memcmp(image.segments[0].bytes, bytes, length) != 0))
        abort();
    image_free(&image);
    close(file);
    return 0;
}
