/* Adds up one field of many records. docs/examples.md has its counts; -DCURED is the cure. */
#include <stdio.h>

enum { RECORDS = 20000, TURNS = 4 };

#ifdef CURED
static struct {
    int price[RECORDS];
    char rest[RECORDS][60];
} stock;
#define PRICE(i) stock.price[i]
#else
static struct {
    int price;
    char rest[60];
} stock[RECORDS];
#define PRICE(i) stock[i].price
#endif

__attribute__((noinline)) static long value(void)
{
    long sum = 0;

    for (int i = 0; i < RECORDS; i++)
        sum += PRICE(i);
    return sum;
}

int main(void)
{
    long sum = 0;

    for (int i = 0; i < RECORDS; i++)
        PRICE(i) = i % 100;
    for (int turn = 0; turn < TURNS; turn++) {
        PRICE(turn) += 1;
        sum += value();
    }
    printf("%ld\n", sum);
    return 0;
}
