/* Adds up the areas of shapes of three kinds. docs/examples.md has its counts; -DCURED is the cure.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SHAPES = 2000, TURNS = 100, KINDS = 3 };

struct shape {
    unsigned kind, width, height;
};

static unsigned rectangle(const struct shape *s)
{
    return s->width * s->height;
}

static unsigned triangle(const struct shape *s)
{
    return s->width * s->height / 2;
}

static unsigned ellipse(const struct shape *s)
{
    return s->width * s->height * 355 / 452;
}

static unsigned (*const area[KINDS])(const struct shape *) = {rectangle, triangle, ellipse};
static struct shape shapes[SHAPES];

__attribute__((noinline)) static unsigned total(void)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < SHAPES; i++)
        sum += area[shapes[i].kind](&shapes[i]);
    return sum;
}

#ifdef CURED
/* Each kind after the one before it. */
static void sort_by_kind(void)
{
    static struct shape sorted[SHAPES];
    unsigned n = 0;

    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned i = 0; i < SHAPES; i++)
            if (shapes[i].kind == kind)
                sorted[n++] = shapes[i];
    memcpy(shapes, sorted, sizeof shapes);
}
#endif

int main(void)
{
    uint32_t x = 1;
    unsigned sum = 0;

    for (unsigned i = 0; i < SHAPES; i++) {
        x = x * 1664525 + 1013904223;
        shapes[i] = (struct shape){(x >> 16) % KINDS, x >> 24, i % 100};
    }
#ifdef CURED
    sort_by_kind();
#endif
    for (int turn = 0; turn < TURNS; turn++)
        sum += total();
    printf("%u\n", sum);
    return 0;
}
