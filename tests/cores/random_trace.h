/* Random programs, and the streams of random ways through them, as an engine would tell them.
 *
 * Each stream comes in two forms that mean the same: `blocks` with the blocks of the program, and
 * `insns` in which every instruction is a block of its own. The code of a block lies within a cache
 * line, so that the two fetch the same lines. */
#ifndef TESTS_CORES_RANDOM_TRACE_H
#define TESTS_CORES_RANDOM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armpmu/sim.h"

enum { STREAM_LINES = 24, STREAM_LINE_INSNS = 16, STREAM_INSNS = STREAM_LINES * STREAM_LINE_INSNS };

struct records {
    uint64_t *word;
    size_t n, room;
};

struct random_stream {
    uint64_t seed, random;
    bool system; /* exceptions, pages and devices; else system calls */
    bool rich;   /* NEON, VFP, exclusives, lists of all sizes and faults, too */
    uint32_t code[STREAM_INSNS];
    uint32_t length[STREAM_INSNS]; /* of the block that begins here, 0 if none does */
    uint32_t target[STREAM_INSNS]; /* of a direct branch */
    bool restarted;                /* the engine goes on with the rest of the last block */
    struct records blocks, insns;
};

/* Makes a program and a way of n_blocks blocks through it. Freed with random_stream_free. */
void random_stream_init(struct random_stream *stream, uint64_t seed, bool system,
                        unsigned n_blocks);

/* The same, of programs with more kinds of instructions. */
void random_stream_init_rich(struct random_stream *stream, uint64_t seed, bool system,
                             unsigned n_blocks);
void random_stream_free(struct random_stream *stream);

/* An armpmu_block_lookup for both forms; user: the struct random_stream. */
bool random_stream_lookup(void *user, uint32_t id, struct armpmu_block_source *out);

#endif
