/* Rows of bit patterns, looked up word by word: the first row that fits a word holds. A pattern has
 * one character a bit from the top: 0 and 1 have to be so, anything else is free, blanks are
 * skipped, and a pattern that ends early is free below. Private to this folder. */
#ifndef ISA_TABLE_H
#define ISA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table {
    struct table_bits {
        uint32_t mask, value;
    } * bits; /* of each row */
    /* Words are told apart by the field of `width` bits from `lsb` on first: the rows that fit
     * the value v of it are rows[first[v]] to rows[first[v + 1] - 1], in their order. */
    uint16_t *rows, *first;
    unsigned lsb, width;
};

/* Makes a table of n_rows structures of row_bytes each, whose first member is the pattern of
 * words of n_bits (16 or 32). Returns false without memory. */
bool table_init(struct table *table, const void *rows, unsigned n_rows, size_t row_bytes,
                unsigned n_bits, unsigned lsb, unsigned width);
void table_destroy(struct table *table);

/* The row that fits the word, -1 where none does. */
int table_find(const struct table *table, uint32_t word);

#endif
