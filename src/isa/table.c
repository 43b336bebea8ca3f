#include "isa/table.h"

#include <stdlib.h>

#include "isa/decoder.h"

static struct table_bits read_pattern(const char *pattern, unsigned n_bits)
{
    uint32_t bit = UINT32_C(1) << (n_bits - 1);
    struct table_bits bits = {0};

    for (; *pattern != '\0'; pattern++) {
        if (*pattern == ' ')
            continue;
        if (*pattern == '0' || *pattern == '1')
            bits.mask |= bit;
        if (*pattern == '1')
            bits.value |= bit;
        bit >>= 1;
    }
    return bits;
}

/* The next group after this one that the row may fit, from -1 on; n_groups after the last. */
static unsigned next_group(const struct table *table, unsigned row, int group)
{
    const unsigned n_groups = 1u << TABLE_FIELD_BITS;
    const unsigned fixed = table->bits[row].mask >> table->lsb & (n_groups - 1);
    const unsigned value = table->bits[row].value >> table->lsb & (n_groups - 1);

    if (group < 0)
        return value;
    /* Adding one carries over the fixed bits where they are set. */
    const unsigned next = ((unsigned)group | fixed) + 1;
    return next >= n_groups ? n_groups : (next & ~fixed) | value;
}

/* Counts the rows of each group into first[group + 1]. Returns how many that is. */
static unsigned count_rows(struct table *table, unsigned n_rows)
{
    const unsigned n_groups = 1u << TABLE_FIELD_BITS;
    unsigned n = 0;

    for (unsigned row = 0; row < n_rows; row++) {
        for (unsigned g = next_group(table, row, -1); g < n_groups;
             g = next_group(table, row, (int)g)) {
            table->first[g + 1]++;
            n++;
        }
    }
    return n;
}

/* From counts to first places; the places move on as rows are put there, and back. */
static void sort_rows(struct table *table, unsigned n_rows)
{
    const unsigned n_groups = 1u << TABLE_FIELD_BITS;

    for (unsigned g = 0; g < n_groups; g++)
        table->first[g + 1] = (uint16_t)(table->first[g + 1] + table->first[g]);
    for (unsigned row = 0; row < n_rows; row++) {
        for (unsigned g = next_group(table, row, -1); g < n_groups;
             g = next_group(table, row, (int)g))
            table->rows[table->first[g]++] = (uint16_t)row;
    }
    for (unsigned g = n_groups; g > 0; g--)
        table->first[g] = table->first[g - 1];
    table->first[0] = 0;
}

static const char *pattern_of(const struct table_rows *from, unsigned row)
{
    return *(const char *const *)((const char *)from->rows + row * from->row_bytes);
}

bool table_init(struct table *table, const struct table_rows *from, unsigned lsb)
{
    *table = (struct table){.lsb = lsb};
    table->bits = malloc(from->n * sizeof table->bits[0]);
    table->first = calloc((1u << TABLE_FIELD_BITS) + 1, sizeof table->first[0]);
    if (table->bits == NULL || table->first == NULL)
        return false;
    for (unsigned row = 0; row < from->n; row++)
        table->bits[row] = read_pattern(pattern_of(from, row), from->n_bits);
    table->rows = malloc(count_rows(table, from->n) * sizeof table->rows[0]);
    if (table->rows != NULL)
        sort_rows(table, from->n);
    return table->rows != NULL;
}

void table_destroy(struct table *table)
{
    free(table->bits);
    free(table->first);
    free(table->rows);
}

int table_find(const struct table *table, uint32_t word)
{
    const unsigned group = field(word, table->lsb + TABLE_FIELD_BITS - 1, table->lsb);

    for (unsigned i = table->first[group]; i < table->first[group + 1]; i++) {
        const unsigned row = table->rows[i];
        if ((word & table->bits[row].mask) == table->bits[row].value)
            return (int)row;
    }
    return -1;
}
