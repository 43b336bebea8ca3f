/* Memory that goes back to what it was: what is made once and costs much is there again, as if
 * new, for each input.
 *
 * A target that links arena.c with arena_args (meson.build) takes all memory of the objects it
 * links from the arena between arena_begin() and arena_end(). arena_mark() says what
 * is to come back, arena_reset() brings it back: bytes, pointers and free room. Costs the pages
 * that were written to since.
 *
 * Assumes: one thread. What else lives outside of memory (files, the heap of shared libraries) is
 * not brought back. Memory that is freed is not used again before the next reset. Under
 * AddressSanitizer allocations have redzones, and freed memory may not be touched. */
#ifndef FUZZ_ARENA_H
#define FUZZ_ARENA_H

void arena_begin(void);
void arena_end(void);
void arena_mark(void); /* once */
void arena_reset(void);

#endif
