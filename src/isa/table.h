/* Rows of bit patterns, looked up word by word: the first row that fits a word holds. A pattern has
 * one character a bit from the top: 0 and 1 have to be so, anything else is free, blanks are
 * skipped, and a pattern that ends early is free below. Private to this folder. */
#ifndef ISA_TABLE_H
#define ISA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TABLE_FIELD_BITS 8u

/* n structures of row_bytes each, whose first member is the pattern of words of n_bits (16 or 32).
 */
struct table_rows {
    const void *rows;
    unsigned n;
    size_t row_bytes;
    unsigned n_bits;
};

struct table {
    struct table_bits {
        uint32_t mask, value;
    } * bits; /* of each row */
    /* The rows that fit the value v of a word's field of TABLE_FIELD_BITS bits from `lsb` on are
     * rows[first[v]] to rows[first[v + 1] - 1], in their order. */
    uint16_t *rows, *first;
    unsigned lsb;
};

/* Returns false without memory. */
bool table_init(struct table *table, const struct table_rows *from, unsigned lsb);
void table_destroy(struct table *table);

/* The row that fits the word, -1 where none does. */
int table_find(const struct table *table, uint32_t word);

#endif
