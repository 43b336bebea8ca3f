/* The parts of the XScale conformance program. It runs alone on an ARMv5 board of QEMU
 * (versatilepb), in System mode, with the MMU and interrupts off. */
#ifndef XSCALE_H
#define XSCALE_H

#include <stdint.h>

#include "snippet.h"

/* ---- start.S ---- */

/* Runs a piece between two writes of PMNC. */
void run_counted(uint32_t pmnc_on, uint32_t pmnc_off, void (*piece)(void));

/* Lets interrupts through while a loop of two instructions makes its turns. */
void run_with_interrupts(uint32_t turns);

/* Called for IRQ and FIQ by name. */
void interrupted(uint32_t exception);

/* ---- accesses.S ---- */

enum group { PRIVILEGED, NONE };

struct encoding {
    const char *name;
    uint32_t group;
    uint32_t code[2]; /* addresses: [read, write], each an access of r0 and SVC */
};

extern const struct encoding encodings[];
extern const uint32_t n_encodings;

/* LDC and STC of CCNT at r0, each with SVC. */
extern const uint32_t memory_accesses[2];

void thousand_turns(void);

/* ---- the checks ---- */

void check_reset(void);
void check_access(void);
void check_bits(void);
void check_counting(void);
void check_interrupts(void);

#endif
