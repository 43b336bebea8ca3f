/* Writes each line of a table, so that it has pages, then reads each twice in an order that no
 * prefetcher knows: 8192 lines, which no level 1 holds. */
#define LINES 8192

static volatile int table[LINES][16];

int main(void)
{
    unsigned at = 1;

    for (int i = 0; i < LINES; i++)
        table[i][0] = i;
    for (int i = 0; i < 2 * LINES; i++) {
        at = (at * 5 + 12345) % LINES; /* each number once, then again */
        (void)table[at][0];
    }
    return 0;
}
