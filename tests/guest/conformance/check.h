/* What conformance programs print: a line for each check, "ok WHAT" or "WRONG WHAT: got, right",
 * and a total. */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>

/* ---- board.S: all that depends on where it runs ---- */

void board_write(const char *text);
_Noreturn void board_exit(unsigned status);

/* ---- check.c ---- */

#define CHECK_WORDS 4

/* Prints a line that begins with these words, up to the first NULL; wrong ones are counted. */
void check_words(const char *const words[CHECK_WORDS], uint32_t got, uint32_t right);

/* The same with two words. */
void check(const char *what, const char *which, uint32_t got, uint32_t right);

/* Prints the total. Returns the exit status. */
int check_total(void);

/* Ends the program: an exception where none can be. */
_Noreturn void stray_exception(uint32_t exception, uint32_t lr);

#endif
