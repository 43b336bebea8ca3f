/* A bit of everything a plain program does, for measuring speed: text, hashing, recursion, an
 * interpreter's switch, floating point, the allocator. The same work on every machine.
 *
 * usage: mixed [ROUNDS] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 4096, SLOTS = 8192, WORD_BYTES = 12 };

static uint32_t seed = 1;

static uint32_t random_next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

struct entry {
    struct entry *next;
    uint32_t count;
    char word[WORD_BYTES];
};

static struct entry *slots[SLOTS];

static uint32_t hash(const char *word)
{
    uint32_t h = 2166136261u;
    while (*word)
        h = (h ^ (uint8_t)*word++) * 16777619u;
    return h;
}

static void count_word(const char *word)
{
    struct entry **at = &slots[hash(word) % SLOTS];
    while (*at && strcmp((*at)->word, word) != 0)
        at = &(*at)->next;
    if (!*at) {
        *at = calloc(1, sizeof **at);
        if (!*at)
            abort();
        strcpy((*at)->word, word);
    }
    (*at)->count++;
}

static uint32_t text(void)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < WORDS; i++) {
        char word[WORD_BYTES];
        snprintf(word, sizeof word, "w%u", (unsigned)(random_next() % 3000));
        count_word(word);
    }
    for (unsigned i = 0; i < SLOTS; i++)
        while (slots[i]) {
            struct entry *entry = slots[i];
            sum = sum * 31 + entry->count;
            slots[i] = entry->next;
            free(entry);
        }
    return sum;
}

static uint32_t queens(unsigned n, uint32_t columns, uint32_t left, uint32_t right)
{
    const uint32_t all = (1u << n) - 1;
    if (columns == all)
        return 1;
    uint32_t found = 0;
    for (uint32_t open = all & ~(columns | left | right); open; open &= open - 1) {
        const uint32_t place = open & -open;
        found += queens(n, columns | place, (left | place) << 1, (right | place) >> 1);
    }
    return found;
}

static uint32_t interpret(unsigned steps)
{
    static const char program[] = "+*>-+<*^+>*-<+^>";
    uint32_t a = 1, b = 7;
    for (unsigned i = 0; i < steps; i++)
        switch (program[(i + (a & 1)) % (sizeof program - 1)]) {
        case '+':
            a += b;
            break;
        case '-':
            a -= b >> 1;
            break;
        case '*':
            a *= 2654435761u;
            break;
        case '^':
            a ^= a >> 15;
            break;
        case '<':
            b = b << 1 | b >> 31;
            break;
        case '>':
            b += a;
            break;
        }
    return a ^ b;
}

static uint32_t heat(unsigned n, unsigned steps)
{
    static double now[256], then[256];
    for (unsigned i = 0; i < n; i++)
        now[i] = i % 17;
    for (unsigned s = 0; s < steps; s++) {
        memcpy(then, now, sizeof now);
        for (unsigned i = 1; i + 1 < n; i++)
            now[i] = then[i] + 0.25 * (then[i - 1] - 2 * then[i] + then[i + 1]);
    }
    double sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += now[i];
    return (uint32_t)(sum * 16);
}

int main(int argc, char **argv)
{
    const unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 10;
    uint32_t sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        sum = sum * 33 + text();
        sum = sum * 33 + queens(8, 0, 0, 0);
        sum = sum * 33 + interpret(200000);
        sum = sum * 33 + heat(256, 200);
    }
    printf("mixed %08x\n", (unsigned)sum);
    return 0;
}
