/* The text profile that clang's -fprofile-sample-use reads: a block for each function, "name:
 * instructions:entries", then a line for each place, "line.discriminator: count", and what was
 * inlined at a place as a block of its own, a blank further in. */
#include <inttypes.h>

#include "export/samples.h"

static void print_place(const struct sample_frame *place, unsigned depth, FILE *out)
{
    fprintf(out, "%*s%" PRIu32, (int)depth + 1, "", place->line);
    if (place->discriminator != 0)
        fprintf(out, ".%" PRIu32, place->discriminator);
    fputs(": ", out);
}

static void print_places(const struct samples *s, size_t first, size_t end, unsigned depth,
                         FILE *out)
{
    for (size_t next; first < end; first = next) {
        next = samples_of_place(s, first, end, depth);
        const struct sample_frame *const place = samples_frame(s, first, depth);
        if (place->line == SAMPLES_NO_LINE)
            continue;
        print_place(place, depth, out);
        if (samples_are_own(s, first, depth)) {
            fprintf(out, "%" PRIu64 "\n", samples_count(s, first, next));
            continue;
        }
        fprintf(out, "%s:%" PRIu64 "\n", s->names[place[1].function],
                samples_total(s, first, next));
        print_places(s, first, next, depth + 1, out);
    }
}

enum armpmu_status export_llvm_sample(const struct export_job *job, FILE *out,
                                      struct armpmu_error *err)
{
    struct samples s;
    const enum armpmu_status status = samples_init(&s, job, err);

    for (size_t first = 0, next; status == ARMPMU_OK && first < s.n; first = next) {
        next = samples_of_function(&s, first, s.n, 0);
        fprintf(out, "%s:%" PRIu64 ":%" PRIu64 "\n", s.names[samples_frame(&s, first, 0)->function],
                samples_total(&s, first, next), samples_entries(&s, first, next));
        print_places(&s, first, next, 0, out);
    }
    samples_free(&s);
    return status;
}
