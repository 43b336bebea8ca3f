/* The parts of the conformance program. It runs alone on a Cortex-A8, in System mode, with the MMU
 * and interrupts off. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <stdint.h>

#include "snippet.h"

/* ---- start.S ---- */

/* Counts an event on counter 0 while piece runs, from zero; the caller has zeroed what else counts.
 */
uint32_t count_event(uint32_t event, void (*piece)(void));

/* Counts cycles while the loop of count_cycles makes its turns; pmnc: the control bits to count
 * with. */
uint32_t count_cycles(uint32_t pmnc, uint32_t turns);

/* ---- accesses.S ---- */

enum group { OPEN, SHOWN, CLOSED, NONE };

struct encoding {
    const char *name;
    uint32_t group;
    uint32_t code[2][2]; /* addresses: [A32, T32][read, write], each an access of r0 and SVC */
};

extern const struct encoding encodings[];
extern const uint32_t n_encodings;

void counted_loop(void);  /* interrupts are masked, as everywhere */
void unmasked_loop(void); /* but here */

/* ---- the checks ---- */

void check_reset(void);
void check_access(void);
void check_bits(void);
void check_counting(void);

#endif
