/* What a beginner's firmware runs into on a bare core, said in a sentence with what to do about it:
 * an FPU that nobody enabled, a loop without end, caches that are off.
 *
 * Leaves out: AArch64, but for loops. */
#ifndef UNICORN_ADVICE_H
#define UNICORN_ADVICE_H

#include <stdbool.h>

struct firmware;

/* An Undefined Instruction is taken at fw->at. */
void advice_note_undefined(struct firmware *fw);

/* Whether the program is in a loop of one instruction that no interrupt can end. */
bool advice_is_stuck(struct firmware *fw);

/* The program has ended: fills in the result's advice, "" where there is nothing to say. */
void advice_give(struct firmware *fw);

#endif
