/* Code that conformance programs execute: snippets that end by an exception, and pieces whose
 * events are counted by hand. */
#ifndef SNIPPET_H
#define SNIPPET_H

#include <stdint.h>

#include "check.h"

/* ---- snippet.inc ---- */

/* Exceptions, by the number of their vector. */
enum exception { UNDEFINED = 1, SVC = 2, PREFETCH_ABORT = 3, DATA_ABORT = 4, IRQ = 6, FIQ = 7 };

#define MODE_USER   0x10u
#define MODE_FIQ    0x11u
#define MODE_IRQ    0x12u
#define MODE_SVC    0x13u
#define MODE_ABORT  0x17u
#define MODE_UND    0x1bu
#define MODE_SYSTEM 0x1fu
#define PSR_MODE    0x1fu
#define PSR_T       0x20u
#define PSR_F       0x40u
#define PSR_I       0x80u
#define PSR_N       0x80000000u
#define PSR_C       0x20000000u

/* How a snippet ended: by its closing SVC, or by the exception it caused. */
struct outcome {
    uint32_t exception; /* enum exception                           */
    uint32_t r0;        /* as the snippet left it                   */
    uint32_t lr;        /* of the exception's mode                  */
    uint32_t spsr;      /* of the exception's mode                  */
    uint32_t cpsr;      /* as the exception's first instruction saw it */
};

/* Executes code with this CPSR and r0; it must end in SVC. */
void run_snippet(uint32_t psr, uint32_t code, uint32_t r0, struct outcome *outcome);

/* ---- snippet.c ---- */

/* A property of an exception that is compared: a handler needs to know it. */
struct aspect {
    const char *name;
    uint32_t got, right;
};

/* Prints one line: the first aspect that is wrong, or the last one. */
void check_aspects(const char *where, const char *kind, const char *name,
                   const struct aspect *aspects, unsigned n);

/* ---- pieces.inc: code whose events are counted by hand ---- */

struct piece {
    const char *name;
    void (*code)(void);
    uint32_t event;
    uint32_t count; /* of the event, beside an empty piece */
};

extern const struct piece pieces[];
extern const uint32_t n_pieces;
void empty_piece(void);

#endif
