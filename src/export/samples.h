/* The executions of each place in the source, which compilers read to optimise a program.
 *
 * A place is a line, counted from the one where its function is declared, and a discriminator,
 * which tells pieces of code of one line apart. Functions that were inlined have places of their
 * own, below the place of their call: a sample has a frame for each.
 *
 * Objects are read again for this, since the profile has neither discriminators nor the lines of
 * declarations: they must be the files that ran. Code that was at several addresses in memory (of
 * several processes) is added up. */
#ifndef EXPORT_SAMPLES_H
#define EXPORT_SAMPLES_H

#include "base/intern.h"
#include "export/export.h"

#define SAMPLES_NO_LINE UINT32_MAX

/* A place in a function: of the code itself in the last frame, else of the call of the next. */
struct sample_frame {
    uint32_t function; /* in names */
    uint32_t line;     /* below 65,536; SAMPLES_NO_LINE: the code is of no line */
    uint32_t discriminator;
};

/* An instruction, with its frames, outermost first. */
struct sample {
    uint32_t first_frame, n_frames;
    bool is_entry;   /* of its outermost function */
    uint32_t copies; /* of the code of its place, at different addresses, that the compiler says */
    uint64_t n;      /* how often it executed */
};

/* Samples are in order: by the name of the function, line and discriminator of each frame, a
 * place's own code before what was inlined there. */
struct samples {
    struct sample *at;
    struct sample_frame *frames;
    char **names; /* as a symbol table has them; sorted once all are added */
    size_t n, room, n_frames, room_frames, n_names, room_names;
    struct intern numbers; /* of names */
};

/* samples is freed by samples_free, also after a failure. Returns ARMPMU_OK, ARMPMU_NO_MEMORY,
 * ARMPMU_BAD_INPUT (a file is not the one that ran) or ARMPMU_NOT_FOUND (no code has debug
 * information). */
ARMPMU_MUST_USE enum armpmu_status
samples_init(struct samples *samples, const struct export_job *job, struct armpmu_error *err);
void samples_free(struct samples *samples);

static inline const struct sample_frame *samples_frame(const struct samples *samples, size_t i,
                                                       unsigned depth)
{
    return &samples->frames[samples->at[i].first_frame + depth];
}

/* The samples of a function from `first` on, of which each has a frame at this depth and the same
 * ones above: where they end. */
size_t samples_of_function(const struct samples *samples, size_t first, size_t end, unsigned depth);

/* Those among these of the same place, and there of its own code or of one inlined function. */
size_t samples_of_place(const struct samples *samples, size_t first, size_t end, unsigned depth);

/* Returns whether the samples of a place are its own code. */
static inline bool samples_are_own(const struct samples *samples, size_t first, unsigned depth)
{
    return samples->at[first].n_frames == depth + 1;
}

/* How often that code executed: as often as the most frequent of its instructions; of code with
 * copies the sum of them, if each has as many instructions. */
uint64_t samples_count(const struct samples *samples, size_t first, size_t end);

/* The instructions executed in all. */
uint64_t samples_total(const struct samples *samples, size_t first, size_t end);

/* How often a function was entered at its first instruction. */
uint64_t samples_entries(const struct samples *samples, size_t first, size_t end);

#endif
