/* The frames of an instruction: its function, then the inlined functions, outermost first. */
#ifndef EXPORT_FRAMES_H
#define EXPORT_FRAMES_H

#include "profile/profile.h"

/* Frames in one stack at most: of a deeper one, as many of the outermost and of the innermost are
 * written, and one named FRAMES_CUT between them. Else a recursion of depth n takes n * n words. */
#define FRAMES_MOST 512
#define FRAMES_CUT  "[...]"

static inline uint32_t frames_of_insn(const struct profile_insn *insn)
{
    return 1 + insn->n_inlines;
}

/* A function's name; if there is none, what is known. */
static inline const char *frames_function_name(const struct profile *profile, uint32_t function)
{
    const char *const name = function != PROFILE_NONE ? profile->functions[function].name : NULL;

    return name != NULL ? name : "[unknown]";
}

static inline const char *frames_name(const struct profile *profile,
                                      const struct profile_insn *insn, uint32_t frame)
{
    return frame == 0 ? frames_function_name(profile, insn->function)
                      : profile->inlines[insn->first_inline + frame - 1].name;
}

/* Where the frame's own code is: the instruction's line in the innermost, else that of the call. */
static inline struct profile_line frames_line(const struct profile *profile,
                                              const struct profile_insn *insn, uint32_t frame)
{
    return frame == insn->n_inlines ? insn->line
                                    : profile->inlines[insn->first_inline + frame].call;
}

static inline const char *frames_file(const struct profile *profile, struct profile_line line)
{
    return line.file != PROFILE_NONE ? profile->files[line.file].path : NULL;
}

#endif
