/* Files of firmware, before they are read: how they are opened.
 *
 * Big-endian files: their headers and symbols are put into the order of this host, once. */
#ifndef UNICORN_IMAGE_ORDER_H
#define UNICORN_IMAGE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Opens a program to read; a FIFO without a writer does not block. NULL on failure, with errno. */
FILE *image_open(const char *path);

/* Whether a file is an ELF file of 32 bits with its most significant bytes first. */
bool image_order_is_big(const uint8_t *file, size_t n_bytes);

/* Turns round what of such a file its reader looks at: header, program headers, section headers,
 * symbols. What lies outside of the file is left to the reader, who refuses it. The segments stay
 * as they are: bytes are where the program wants them. */
void image_order_turn(uint8_t *file, size_t n_bytes);

#endif
