/* The profile that gcc's -fauto-profile reads, in the form of gcc 12 and later (before, texts
 * were filled up to words): names, then for each function how often it was entered, its places
 * and what was inlined there. All numbers are little-endian.
 *
 * gcc ignores discriminators in versions that write none; several places of a line then follow
 * one another, and the last counts: so that is the most frequent. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "export/samples.h"

#define MAGIC         UINT32_C(0x67636461) /* "gcda" */
#define VERSION       2
#define TAG_NAMES     UINT32_C(0xaa000000)
#define TAG_FUNCTIONS UINT32_C(0xac000000)
#define TAG_MODULES   UINT32_C(0xae000000)

static void put_word(uint32_t word, FILE *out)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        fputc((int)(word >> shift & 0xff), out);
}

static void put_count(uint64_t n, FILE *out)
{
    put_word((uint32_t)n, out);
    put_word((uint32_t)(n >> 32), out);
}

static void put_text(const char *text, FILE *out)
{
    put_word((uint32_t)strlen(text) + 1, out);
    fwrite(text, 1, strlen(text) + 1, out);
}

/* The first number means no name. */
static void put_names(const struct samples *s, FILE *out)
{
    put_word(TAG_NAMES, out);
    put_word(0, out); /* a length that is not read, as below */
    put_word((uint32_t)s->n_names + 1, out);
    put_text("", out);
    for (size_t i = 0; i < s->n_names; i++)
        put_text(s->names[i], out);
}

static void put_offset(const struct sample_frame *place, FILE *out)
{
    put_word(place->line << 16 | (place->discriminator & 0xffff), out);
}

/* A place with code of its own. */
struct spot {
    const struct sample_frame *place;
    uint64_t n;
};

static int by_line_and_count(const void *a, const void *b)
{
    const struct spot *x = a, *y = b;

    return ORDER(x->place->line, y->place->line, x->n, y->n, x->place->discriminator,
                 y->place->discriminator);
}

/* How many places a function has: its own, or where functions were inlined. */
static uint32_t count_places(const struct samples *s, size_t first, size_t end, unsigned depth,
                             bool own)
{
    uint32_t n = 0;

    for (; first < end; first = samples_of_place(s, first, end, depth))
        n += samples_frame(s, first, depth)->line != SAMPLES_NO_LINE &&
             samples_are_own(s, first, depth) == own;
    return n;
}

/* Fills in the own places of a function. */
static void find_spots(const struct samples *s, size_t first, size_t end, unsigned depth,
                       struct spot *spots)
{
    for (size_t next; first < end; first = next) {
        const struct sample_frame *const place = samples_frame(s, first, depth);
        next = samples_of_place(s, first, end, depth);
        if (place->line != SAMPLES_NO_LINE && samples_are_own(s, first, depth))
            *spots++ = (struct spot){place, samples_count(s, first, next)};
    }
}

static bool put_places(const struct samples *s, size_t first, size_t end, unsigned depth, FILE *out)
{
    const uint32_t n = count_places(s, first, end, depth, true);
    struct spot *const spots = malloc(n * sizeof *spots + 1);

    if (spots == NULL)
        return false;
    find_spots(s, first, end, depth, spots);
    qsort(spots, n, sizeof *spots, by_line_and_count);
    put_word(samples_frame(s, first, depth)->function + 1, out);
    put_word(n, out);
    put_word(count_places(s, first, end, depth, false), out);
    for (uint32_t i = 0; i < n; i++) {
        put_offset(spots[i].place, out);
        put_word(0, out); /* targets */
        put_count(spots[i].n, out);
    }
    free(spots);
    return true;
}

/* False without memory. */
static bool put_function(const struct samples *s, size_t first, size_t end, unsigned depth,
                         FILE *out)
{
    if (!put_places(s, first, end, depth, out))
        return false;
    for (size_t next; first < end; first = next) {
        next = samples_of_place(s, first, end, depth);
        const struct sample_frame *const place = samples_frame(s, first, depth);
        if (place->line == SAMPLES_NO_LINE || samples_are_own(s, first, depth))
            continue;
        put_offset(place, out);
        if (!put_function(s, first, next, depth + 1, out))
            return false;
    }
    return true;
}

static bool put_functions(const struct samples *s, FILE *out)
{
    uint32_t n = 0;

    for (size_t i = 0; i < s->n; i = samples_of_function(s, i, s->n, 0))
        n++;
    put_word(TAG_FUNCTIONS, out);
    put_word(0, out);
    put_word(n, out);
    for (size_t first = 0, next; first < s->n; first = next) {
        next = samples_of_function(s, first, s->n, 0);
        put_count(samples_entries(s, first, next), out);
        if (!put_function(s, first, next, 0, out))
            return false;
    }
    return true;
}

enum armpmu_status export_autofdo(const struct export_job *job, FILE *out, struct armpmu_error *err)
{
    struct samples s;
    enum armpmu_status status = samples_init(&s, job, err);

    if (status == ARMPMU_OK) {
        put_word(MAGIC, out);
        put_word(VERSION, out);
        put_word(0, out);
        put_names(&s, out);
        if (!put_functions(&s, out))
            status = export_no_memory(err);
        put_word(TAG_MODULES, out);
        put_word(0, out);
        put_word(0, out); /* of another kind of optimisation */
    }
    samples_free(&s);
    return status;
}
