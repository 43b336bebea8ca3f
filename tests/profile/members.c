/* Structures with a union, bit fields, members without names and arrays: each access of count() is
 * made N times, to one member of each item. */
#include <stdint.h>
#include <stdio.h>

enum { ITEMS = 512, PASSES = 2 };

union word {
    uint32_t number;
    float real;
    struct {
        uint16_t low, high;
    } half;
};

struct item {
    uint64_t key;
    union word value;
    struct {
        uint8_t kind, state;
    };
    union {
        uint64_t wide;
        uint32_t narrow[2];
    };
    unsigned ready : 3, level : 5, rest : 24;
    struct {
        uint32_t x, y;
    } at[2];
    uint8_t unused[24];
};

static struct item items[ITEMS];

__attribute__((noinline)) uint32_t count(unsigned passes)
{
    uint32_t sum = 0;

    for (unsigned pass = 0; pass < passes; pass++)
        for (unsigned i = 0; i < ITEMS; i++) {
            volatile struct item *const item = &items[i];
            sum += (uint32_t)item->key;
            sum += item->value.number;
            sum += item->value.half.high;
            sum += item->state;
            sum += item->narrow[1];
            sum += (uint32_t)item->wide;
            sum += item->level;
            sum += item->at[1].y;
            item->at[0].x = sum;
        }
    return sum;
}

int main(void)
{
    printf("%d\n", count(PASSES) == 1);
    return 0;
}
