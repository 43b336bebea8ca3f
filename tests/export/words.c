/* Counts random words in a hash table: branches with a likely way, small functions, an indirect
 * call. What the tests of formats for compilers train and build. usage: words NUMBER SEED */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES 1024u

struct entry {
    char word[16];
    unsigned n;
};

static struct entry table[ENTRIES];
static unsigned state;

static unsigned next(void)
{
    state = state * 1103515245u + 12345u;
    return state >> 16 & 0x7fff;
}

static unsigned hash(const char *word)
{
    unsigned h = 5381;
    for (; *word != '\0'; word++)
        h = h * 33 ^ (unsigned char)*word;
    return h;
}

static struct entry *find(const char *word)
{
    unsigned i = hash(word) % ENTRIES;
    while (table[i].n != 0 && strcmp(table[i].word, word) != 0)
        i = (i + 1) % ENTRIES;
    return &table[i];
}

static int classify(int c)
{
    if (c >= 'a' && c <= 'z')
        return 1;
    if (c >= 'A' && c <= 'Z')
        return 2;
    if (c >= '0' && c <= '9')
        return 3;
    return 4;
}

static unsigned add(unsigned a, unsigned b)
{
    return a + b;
}

static unsigned mix(unsigned a, unsigned b)
{
    return a * 31 ^ b;
}

static unsigned (*volatile const steps[])(unsigned, unsigned) = {add, mix};

static void make_word(char *word, unsigned *kinds)
{
    const unsigned length = 1 + next() % 2;
    for (unsigned k = 0; k < length; k++) {
        word[k] = (char)(next() % 16 == 0 ? '0' + next() % 10 : 'a' + next() % 8);
        kinds[classify(word[k])]++;
    }
    word[length] = '\0';
}

int main(int argc, char **argv)
{
    const unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 2000;
    unsigned kinds[5] = {0}, sum = 0;
    state = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    for (unsigned i = 0; i < n; i++) {
        char word[16];
        make_word(word, kinds);
        struct entry *const entry = find(word);
        if (entry->n++ == 0)
            strcpy(entry->word, word);
        sum = steps[i % 8 == 0](sum, entry->n);
    }
    printf("%u %u %u %u\n", sum, kinds[1], kinds[3], n);
    return 0;
}
